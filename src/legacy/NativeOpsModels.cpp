// C functions that make, save, run and train graphs.
#include <graph/Context.h>
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/Session.h>
#include <graph/VariablesSet.h>
#include <legacy/NativeOpsModels.h>
#include <ops/declarable/OpRegistrator.h>
#include <training/Trainer.h>

#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "legacy/Guard.h"
#include "legacy/Wrapped.h"
#include "ops/declarable/ReadArguments.h"

using namespace sd::legacy;
using sd::LongType;
using sd::NDArray;
using sd::Status;
using sd::graph::Graph;
using sd::graph::Variable;
using sd::graph::VariablesSet;
using sd::nd::Symbol;

namespace {

/// Nodes made here come from no line of a C++ program.
constexpr sd::nd::Place NOWHERE{nullptr, 0};

/// A graph, and who may use it: calls that add nodes and steps that write variables are alone, runs are side by side.
struct SharedGraph {
  explicit SharedGraph(std::unique_ptr<Graph> graph_) : graph(std::move(graph_)) {}
  std::unique_ptr<Graph> graph;
  std::shared_mutex mutex;
};

}  // namespace

struct OpaqueModel {
  std::shared_ptr<SharedGraph> shared;
};

struct OpaqueSession {
  std::shared_ptr<SharedGraph> shared;
  size_t version;
  sd::graph::Session session;
};

struct OpaqueTrainer {
  std::shared_ptr<SharedGraph> shared;
  size_t version;
  sd::training::Trainer trainer;
};

namespace {

OpaqueModel* modelOf(std::unique_ptr<Graph> graph) {
  return new OpaqueModel{std::make_shared<SharedGraph>(std::move(graph))};
}

template <typename F>
auto alone(SharedGraph& shared, F&& body) {
  const std::unique_lock lock(shared.mutex);
  return body(*shared.graph);
}

/// The lock under which a session or trainer runs its graph.
template <typename Lock, typename T>
Lock locked(const char* what, const T& user) {
  Lock lock(user.shared->mutex);
  if (user.version != user.shared->graph->version()) sd::fail("the graph has got nodes since the {} was made", what);
  return lock;
}

/// A text that lives until the thread makes the next one.
const char* kept(std::string text) {
  static thread_local std::string last;
  last = std::move(text);
  return last.c_str();
}

std::string joined(const std::vector<std::string>& keys) { return fmt::format("{}", fmt::join(keys, " ")); }

std::vector<Symbol> called(Graph& graph, const char* operation, const std::vector<Symbol>& inputs,
                           sd::graph::Context* arguments) {
  sd::ops::DeclarableOp* op = sd::ops::OpRegistrator::getInstance().getOperation(operation);
  if (op == nullptr) sd::fail("argument 'operation': there is no operation '{}'", operation);
  const sd::ops::Schema& schema = op->getOpDescriptor()->schema();
  sd::graph::Context none(1);
  sd::graph::Context& block = arguments == nullptr ? none : *arguments;
  sd::ops::readArguments(schema, block, static_cast<int>(inputs.size()));
  if (schema.structure() == nullptr) return graph.symbols().callAll(operation, inputs, {});
  return graph.symbols().callAll(operation, inputs,
                                 sd::ops::CallArguments(schema.structure(), block.argumentBlock().data()));
}

std::vector<sd::graph::Feed> feedsOf(const std::vector<std::string>& keys,
                                     const std::vector<std::unique_ptr<NDArray>>& arrays) {
  std::vector<sd::graph::Feed> feeds;
  for (size_t i = 0; i < arrays.size(); i++) feeds.emplace_back(keys[i], *arrays[i]);
  return feeds;
}

const char* nameAt(const char* argument, const std::vector<std::string>& list, int index) {
  if (index < 0 || static_cast<size_t>(index) >= list.size())
    sd::fail("argument '{}': {} is outside 0..{}", argument, index, static_cast<LongType>(list.size()) - 1);
  return list[static_cast<size_t>(index)].c_str();
}

// ---- updaters and options of training

/// Options by name; each is taken once, and none must be left.
class Options {
 public:
  Options(const char* const* optionNames, const double* values, int count) {
    const std::vector<std::string> keys = names("optionNames", optionNames, count);
    checkedList("optionValues", values, count);
    for (size_t i = 0; i < keys.size(); i++) _values[keys[i]] = values[i];
  }
  void take(const char* name, double& value) {
    const auto found = _values.find(name);
    if (found == _values.end()) return;
    value = found->second;
    _values.erase(found);
  }
  bool has(const char* name) const { return _values.count(name) != 0; }
  template <typename T>
  void takeInteger(const char* name, T& value) {
    auto number = static_cast<double>(value);
    take(name, number);
    // 2^53: all integers up to there are numbers of this type.
    const double most = std::min(static_cast<double>(std::numeric_limits<T>::max()), 9007199254740992.0);
    if (!(number >= 0 && number <= most) || number != static_cast<double>(static_cast<T>(number)))
      sd::fail("argument 'optionValues': {} is no possible '{}'", number, name);
    value = static_cast<T>(number);
  }
  void finish() const {
    if (!_values.empty()) sd::fail("argument 'optionNames': there is no option '{}'", _values.begin()->first);
  }

 private:
  std::map<std::string, double> _values;
};

template <typename Rule>
sd::training::Updater updater(Options& options) {
  Rule rule;
  if constexpr (requires { rule.learningRate; }) options.take("learning_rate", rule.learningRate);
  if constexpr (requires { rule.momentum; }) options.take("momentum", rule.momentum);
  if constexpr (requires { rule.beta1; }) {
    options.take("beta1", rule.beta1);
    options.take("beta2", rule.beta2);
  }
  if constexpr (requires { rule.decay; }) options.take("decay", rule.decay);
  if constexpr (requires { rule.epsilon; }) options.take("epsilon", rule.epsilon);
  return rule;
}

struct NamedUpdater {
  const char* name;
  sd::training::Updater (*make)(Options&);
};

constexpr NamedUpdater UPDATERS[] = {
    {"sgd", updater<sd::training::Sgd>},
    {"nesterovs", updater<sd::training::Nesterovs>},
    {"adam", updater<sd::training::Adam>},
    {"adamax", updater<sd::training::AdaMax>},
    {"nadam", updater<sd::training::Nadam>},
    {"amsgrad", updater<sd::training::AmsGrad>},
    {"adabelief", updater<sd::training::AdaBelief>},
    {"adagrad", updater<sd::training::AdaGrad>},
    {"rmsprop", updater<sd::training::RmsProp>},
    {"adadelta", updater<sd::training::AdaDelta>},
};

sd::training::Updater updaterNamed(const std::string& name, Options& options) {
  for (const NamedUpdater& row : UPDATERS)
    if (row.name == name) return row.make(options);
  sd::fail("argument 'updater': there is no updater '{}'", name);
}

sd::training::TrainingOptions trainingOptions(Options& options) {
  using sd::training::Clipping;
  sd::training::TrainingOptions training;
  options.take("l1", training.l1);
  options.take("l2", training.l2);
  options.take("weight_decay", training.weightDecay);
  const std::pair<const char*, Clipping (*)(double)> kinds[] = {
      {"clip_value", Clipping::byValue}, {"clip_norm", Clipping::byNorm}, {"clip_global_norm", Clipping::byGlobalNorm}};
  for (const auto& [name, make] : kinds) {
    if (!options.has(name)) continue;
    if (training.clip.kind != Clipping::Kind::None)
      sd::fail("argument 'optionNames': there are several ways of clipping; '{}' is the second", name);
    double limit = 0;
    options.take(name, limit);
    training.clip = make(limit);
  }
  options.takeInteger("accumulate", training.accumulate);
  options.takeInteger("seed", training.seed);
  return training;
}

}  // namespace

// ---- models

OpaqueModel* createModel() {
  return guarded(__func__, [] { return modelOf(std::make_unique<Graph>()); });
}

OpaqueModel* loadModel(const char* path) {
  return guarded(__func__, [&] { return modelOf(Graph::load(&required("path", path))); });
}

OpaqueModel* loadModelFromBytes(const void* bytes, LongType size) {
  return guarded(__func__, [&] {
    if (size < 0) sd::fail("argument 'size' is {}: it must not be negative", size);
    return modelOf(Graph::load(&required("bytes", static_cast<const char*>(bytes)), static_cast<size_t>(size),
                               "argument 'bytes'"));
  });
}

Status saveModel(OpaqueModel* model, const char* path) {
  return guardedOr(Status::BAD_INPUT, __func__, [&] {
    required("path", path);
    alone(*required("model", model).shared, [&](Graph& graph) { graph.save(path); });
    return Status::OK;
  });
}

void deleteModel(OpaqueModel* model) { delete model; }

char* modelText(OpaqueModel* model) {
  return guarded(__func__, [&] {
    return alone(*required("model", model).shared, [](Graph& graph) { return copyOf(graph.text()); });
  });
}

const char* addModelPlaceholder(OpaqueModel* model, const char* name, int dataType, int rank, LongType const* shape) {
  return guarded(__func__, [&] {
    required("name", name);
    if (dataType < -1 || dataType >= sd::AUTO || dataType == 0)
      sd::fail("argument 'dataType': {} is not an element type", dataType);
    const sd::DataType type = dataType < 0 ? sd::INHERIT : static_cast<sd::DataType>(dataType);
    if (rank > SD_MAX_RANK) sd::fail("argument 'rank': {} is outside 0..{}", rank, SD_MAX_RANK);
    if (rank > 0) required("shape", shape);
    return kept(alone(*required("model", model).shared, [&](Graph& graph) {
      const sd::nd::Label label(name, NOWHERE);
      if (rank < 0) return graph.placeholder(label, type).key();
      return graph.placeholder(label, type, std::vector<LongType>(shape, shape + rank)).key();
    }));
  });
}

const char* addModelArray(OpaqueModel* model, const char* name, OpaqueDataBuffer* buffer, LongType const* shapeInfo,
                          bool constant) {
  const char* function = __func__;
  return guarded(function, [&] {
    required("name", name);
    const auto array = sharedArray(function, "buffer", buffer, shapeInfo);
    return kept(alone(*required("model", model).shared, [&](Graph& graph) {
      const sd::nd::Label label(name, NOWHERE);
      return (constant ? graph.constant(*array, label) : graph.variable(label, *array)).key();
    }));
  });
}

const char* addModelCall(OpaqueModel* model, const char* operation, const char* name, const char* const* inputs,
                         int numInputs, OpaqueContext* arguments) {
  return guarded(__func__, [&] {
    required("operation", operation);
    checkedList("inputs", inputs, numInputs);
    return kept(alone(*required("model", model).shared, [&](Graph& graph) {
      std::vector<Symbol> symbols;
      for (int i = 0; i < numInputs; i++) symbols.push_back(inputs[i] == nullptr ? Symbol() : graph.symbol(inputs[i]));
      std::vector<std::string> keys;
      const std::vector<Symbol> outputs = called(graph, operation, symbols, arguments);
      if (name != nullptr && !outputs.empty()) outputs[0].named(name);
      for (const Symbol& output : outputs) keys.push_back(output.key());
      return joined(keys);
    }));
  });
}

const char* addModelGradients(OpaqueModel* model, const char* value, const char* const* parameters, int numParameters) {
  return guarded(__func__, [&] {
    required("value", value);
    const std::vector<std::string> of = names("parameters", parameters, numParameters);
    return kept(alone(*required("model", model).shared, [&](Graph& graph) {
      std::vector<std::string> keys;
      for (const auto& [id, output] : sd::graph::addGradients(graph, value, of))
        keys.push_back(fmt::format("{}:{}", id, output));
      return joined(keys);
    }));
  });
}

OpaqueVariablesSet* getModelArray(OpaqueModel* model, const char* name) {
  return guarded(__func__, [&] {
    required("name", name);
    return alone(*required("model", model).shared, [&](Graph& graph) {
      auto set = std::make_unique<VariablesSet>(Status::OK);
      set->push_back(new Variable(new NDArray(graph.array(graph.symbol(name)).dup()), name));
      return set.release();
    });
  });
}

// ---- sessions

OpaqueSession* createSession(OpaqueModel* model, const char* const* results, int numResults) {
  return guarded(__func__, [&] {
    const std::shared_ptr<SharedGraph>& shared = required("model", model).shared;
    sd::graph::SessionOptions options;
    options.results = names("results", results, numResults);
    return alone(*shared, [&](Graph& graph) {
      return new OpaqueSession{shared, graph.version(), sd::graph::Session(graph, options)};
    });
  });
}

void deleteSession(OpaqueSession* session) { delete session; }

int getSessionInputCount(OpaqueSession* session) {
  return guarded(__func__, [&] { return static_cast<int>(required("session", session).session.inputs().size()); });
}

const char* getSessionInput(OpaqueSession* session, int index) {
  return guarded(__func__, [&] { return nameAt("index", required("session", session).session.inputs(), index); });
}

int getSessionResultCount(OpaqueSession* session) {
  return guarded(__func__, [&] { return static_cast<int>(required("session", session).session.results().size()); });
}

const char* getSessionResult(OpaqueSession* session, int index) {
  return guarded(__func__, [&] { return nameAt("index", required("session", session).session.results(), index); });
}

OpaqueVariablesSet* runSession(OpaqueSession* session, const char* const* inputNames, OpaqueDataBuffer** inputs,
                               LongType const* const* inputShapes, int numInputs, LongType seed) {
  const char* function = __func__;
  return guarded(function, [&] {
    OpaqueSession& target = required("session", session);
    const std::vector<std::string> keys = names("names", inputNames, numInputs);
    const auto arrays = sharedArrays(function, "inputs", "inputShapes", inputs, inputShapes, numInputs);
    const auto lock = locked<std::shared_lock<std::shared_mutex>>("session", target);
    sd::graph::RunOptions options;
    options.seed = static_cast<uint64_t>(seed);
    std::vector<NDArray> results = target.session.run(feedsOf(keys, arrays), options);
    auto set = std::make_unique<VariablesSet>(Status::OK);
    const std::vector<std::string>& resultNames = target.session.results();
    for (size_t i = 0; i < results.size(); i++) {
      // One name may stand for several outputs of a node.
      const std::string name = results.size() == resultNames.size() ? resultNames[i] : "";
      set->push_back(new Variable(new NDArray(std::move(results[i])), name.c_str()));
    }
    return set.release();
  });
}

// ---- training

OpaqueTrainer* createTrainer(OpaqueModel* model, const char* loss, const char* const* parameters, int numParameters,
                             const char* updater, const char* const* optionNames, const double* optionValues,
                             int numOptions) {
  return guarded(__func__, [&] {
    const std::shared_ptr<SharedGraph>& shared = required("model", model).shared;
    required("loss", loss);
    required("updater", updater);
    const std::vector<std::string> trained = names("parameters", parameters, numParameters);
    Options options(optionNames, optionValues, numOptions);
    const sd::training::Updater rule = updaterNamed(updater, options);
    const sd::training::TrainingOptions training = trainingOptions(options);
    options.finish();
    return alone(*shared, [&](Graph& graph) {
      sd::training::Trainer trainer(graph, loss, trained, rule, training);
      return new OpaqueTrainer{shared, graph.version(), std::move(trainer)};
    });
  });
}

void deleteTrainer(OpaqueTrainer* trainer) { delete trainer; }

double trainerStep(OpaqueTrainer* trainer, const char* const* inputNames, OpaqueDataBuffer** inputs,
                   LongType const* const* inputShapes, int numInputs) {
  const char* function = __func__;
  return guardedOr(std::numeric_limits<double>::quiet_NaN(), function, [&] {
    OpaqueTrainer& target = required("trainer", trainer);
    const std::vector<std::string> keys = names("names", inputNames, numInputs);
    const auto arrays = sharedArrays(function, "inputs", "inputShapes", inputs, inputShapes, numInputs);
    const auto lock = locked<std::unique_lock<std::shared_mutex>>("trainer", target);
    return target.trainer.step(feedsOf(keys, arrays));
  });
}

LongType getTrainerSteps(OpaqueTrainer* trainer) {
  return guardedOr(LongType{-1}, __func__, [&] {
    OpaqueTrainer& target = required("trainer", trainer);
    const std::unique_lock lock(target.shared->mutex);
    return target.trainer.steps();
  });
}

namespace {

template <typename F>
Status withFile(const char* function, OpaqueTrainer* trainer, const char* path, F&& body) {
  return guardedOr(Status::BAD_INPUT, function, [&] {
    OpaqueTrainer& target = required("trainer", trainer);
    required("path", path);
    const std::unique_lock lock(target.shared->mutex);
    body(target.trainer);
    return Status::OK;
  });
}

}  // namespace

Status saveTrainer(OpaqueTrainer* trainer, const char* path) {
  return withFile(__func__, trainer, path, [&](sd::training::Trainer& target) { target.save(path); });
}

Status loadTrainer(OpaqueTrainer* trainer, const char* path) {
  return withFile(__func__, trainer, path, [&](sd::training::Trainer& target) { target.load(path); });
}

Status saveTrainedModel(OpaqueTrainer* trainer, const char* path) {
  return withFile(__func__, trainer, path, [&](sd::training::Trainer& target) { target.saveGraph(path); });
}
