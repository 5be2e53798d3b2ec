#include "training/TrainerParts.h"

#include <graph/Gradients.h>
#include <ops/declarable/NumberedArguments.h>
#include <ops/declarable/OpRegistrator.h>
#include <ops/declarable/headers/transforms.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "call/argument_values.h"
#include "graph/GraphSymbols.h"
#include "ops/declarable/fill_arguments.h"
#include "system/Error.h"

namespace sd::training {
namespace {

/// The bias correction of variants of Adam is in the factor, which changes from step to step: in the operation, it is
/// that of an iteration so late that it is none.
constexpr LongType LATE = LongType{1} << 40;

NDArray number(DataType type, double value = 0) {
  NDArray array(type);
  array.p(0, value);
  return array;
}

NDArray filled(const NDArray& like, double value) {
  if (like.rankOf() == 0) return number(like.dataType(), value);
  NDArray array('c', like.getShapeAsVector(), like.dataType());
  if (!array.isEmpty()) array.assign(value);
  return array;
}

/// The number is an argument of the node, as precise as the operation wants it.
nd::Symbol times(const nd::Symbol& x, double factor) {
  return x.scope().call("scalar.Multiply", {x}, ops::NumberedScalar{factor});
}

void requireSingle(const nd::Symbol& value, const char* what, const std::string& name) {
  const LongType length = value.shape().length();
  if (length != ops::PartialShape::UNKNOWN && length != 1)
    invalidArgument("[training] {} '{}' has {} elements instead of one", what, name, length);
}

}  // namespace

Trainer::Impl::Impl(graph::Graph& g, const Updater& u, const TrainingOptions& o)
    : graph(g), original(g.cloneWithProxy()), updater(u), options(o) {
  for (const graph::Variable* variable : g.getVariableSpace()->getVariables())
    given.emplace(variable->id(), variable->index());
}

nd::Symbol Trainer::Impl::find(const std::string& name) const { return graph::findSymbol(graph, name, "training"); }

/// Other trainers of the graph may have variables of the same names.
nd::Symbol Trainer::Impl::addVariable(NDArray&& array, const std::string& name) {
  graph::VariableSpace& space = *graph.getVariableSpace();
  const int id = space.nextExternalId();
  space.putVariable(id, new graph::Variable(new NDArray(std::move(array)), name.c_str(), id));
  return {&graph.symbols(), id};
}

bool Trainer::Impl::isDecayed(const Parameter& parameter) const {
  return options.decayed.empty() ||
         std::find(options.decayed.begin(), options.decayed.end(), parameter.name) != options.decayed.end();
}

void Trainer::Impl::check(const std::vector<std::string>& names) const {
  updater.check();
  const auto requireFactor = [](const char* what, double value) {
    if (!(value >= 0) || !std::isfinite(value))
      invalidArgument("[training] {} is {}, which is not finite and 0 or more", what, value);
  };
  requireFactor("l1", options.l1);
  requireFactor("l2", options.l2);
  requireFactor("the weight decay", options.weightDecay);
  if (options.clip.kind != Clipping::Kind::None && !(options.clip.limit > 0))
    invalidArgument("[training] the limit of gradients is {}, which is not above 0", options.clip.limit);
  if (options.accumulate < 1) invalidArgument("[training] gradients of {} steps are no update", options.accumulate);
  if (names.empty()) invalidArgument("[training] there are no parameters");
  std::unordered_set<std::string> seen;
  for (const std::string& name : names) {
    if (!seen.insert(name).second) invalidArgument("[training] parameter '{}' is given twice", name);
    const nd::Symbol value = find(name);
    const auto reject = [&name](const std::string& why) {
      invalidArgument("[training] '{}' is no parameter: {}", name, why);
    };
    if (value.id() >= 0 && graph.hasNode(value.id())) reject("it is the result of a node");
    const graph::Variable& variable = *graph.getVariableSpace()->getVariable(value.id(), value.output());
    if (variable.isPlaceholder()) reject("it is a placeholder");
    if (!variable.hasNDArray()) reject("it has no array");
    if (variable.variableType() == graph::CONSTANT) reject("it is a constant");
    if (!variable.getNDArray()->isR())
      reject("its type is " + DataTypeUtils::describe(variable.dataType()) + ", which has no gradients");
  }
  for (const std::string& name : options.decayed)
    if (seen.count(name) == 0) invalidArgument("[training] '{}' shall be decayed, but is no parameter", name);
}

/// The loss and the metrics as single numbers of one type, so that arrays for them are there before the first run.
void Trainer::Impl::addResults(const std::vector<nd::Symbol>& numbers) {
  nd::SymbolScope& scope = graph.symbols();
  for (size_t k = 0; k < numbers.size(); k++) {
    nd::Symbol value = scope.cast(numbers[k], DOUBLE);
    if (numbers[k].shape().hasRank() && numbers[k].shape().rank() > 0) value = scope.call("reduce_mean", {value});
    if (k == 0 && options.nonFinite == NonFinite::Fail)
      value =
          scope.call("check_numerics", {value, scope.constant(NDArray(std::string("the loss is infinite or NaN")))});
    results.push_back(value.key());
    values.emplace_back(DOUBLE);
  }
  for (NDArray& value : values) targets.push_back(&value);
  metrics.resize(options.metrics.size());
}

/// Variables by their names, which checkpoints have, also those that are given by numbers, as symbols are.
std::vector<std::string> Trainer::Impl::named(const std::vector<std::string>& keys) const {
  std::vector<std::string> names;
  for (const std::string& key : keys) {
    const nd::Symbol value = find(key);
    const std::string& name = value.id() >= 0 ? key : *graph.getVariableSpace()->getVariable(value.id())->getName();
    names.push_back(name.empty() ? key : name);
  }
  return names;
}

void Trainer::Impl::build(const std::string& loss, const std::vector<std::string>& keys) {
  const std::vector<std::string> names = named(keys);
  options.decayed = named(options.decayed);
  check(names);
  // Before anything is added.
  std::vector<nd::Symbol> numbers;
  for (const std::string& metric : options.metrics) numbers.push_back(find(metric));
  numbers.insert(numbers.begin(), find(loss));
  requireSingle(numbers[0], "the loss", loss);
  for (size_t k = 0; k < options.metrics.size(); k++) requireSingle(numbers[k + 1], "metric", options.metrics[k]);
  const auto gradients = graph::addGradients(graph, loss, names);
  for (size_t k = 0; k < names.size(); k++) {
    Parameter parameter;
    parameter.name = names[k];
    parameter.variable = find(names[k]);
    parameter.gradient = nd::Symbol(&graph.symbols(), gradients[k].first, gradients[k].second);
    parameters.push_back(std::move(parameter));
  }
  addResults(numbers);
  if (options.accumulate > 1) accumulate();
  clip();
  addUpdates();
  seed = options.seed;
}

/// From here on, the gradient is the mean of those of several steps.
void Trainer::Impl::accumulate() {
  graph::SessionOptions one = options.session, more = options.session;
  one.results = more.results = results;
  one.updates.clear();
  more.updates.clear();
  for (Parameter& parameter : parameters) {
    parameter.accumulated =
        addVariable(filled(*array(parameter.variable), 0), "training/accumulated/" + parameter.name);
    const nd::Symbol sum = parameter.accumulated + parameter.gradient;
    one.updates.emplace_back(parameter.accumulated.key(), parameter.gradient.key());
    more.updates.emplace_back(parameter.accumulated.key(), sum.key());
    parameter.gradient = times(sum, 1. / options.accumulate);
  }
  first = std::make_unique<graph::Session>(graph, one);
  if (options.accumulate > 2) between = std::make_unique<graph::Session>(graph, more);
}

void Trainer::Impl::clip() {
  nd::SymbolScope& scope = graph.symbols();
  const double limit = options.clip.limit;
  if (options.clip.kind == Clipping::Kind::GlobalNorm) {
    std::vector<nd::Symbol> all;
    for (const Parameter& parameter : parameters) all.push_back(parameter.gradient);
    const auto clipped = scope.callAll("clip_by_global_norm", all, ops::ClipByGlobalNorm{limit});
    for (size_t k = 0; k < parameters.size(); k++) parameters[k].gradient = clipped.at(k);
    return;
  }
  for (Parameter& parameter : parameters) {
    nd::Symbol& gradient = parameter.gradient;
    if (options.clip.kind == Clipping::Kind::Value)
      gradient = scope.call("clipbyvalue", {gradient}, ops::ClipBounds{-limit, limit});
    else if (options.clip.kind == Clipping::Kind::Norm)
      gradient = scope.call("clipbynorm", {gradient}, ops::ClipByNorm{limit});
  }
}

void Trainer::Impl::addRates(DataType type) {
  if (rates.count(type) != 0) return;
  const std::string end = DataTypeUtils::describe(type);
  const nd::Symbol factor = addVariable(number(type), "training/factor/" + end);
  rates[type] = {factor, addVariable(number(type), "training/learning_rate/" + end)};
}

/// The gradient of the loss with its terms of l1 and l2.
nd::Symbol Trainer::Impl::regularised(const Parameter& parameter) const {
  nd::Symbol gradient = parameter.gradient;
  if (!isDecayed(parameter)) return gradient;
  const nd::Symbol& w = parameter.variable;
  if (options.l2 > 0) gradient += times(w, options.l2);
  if (options.l1 > 0) gradient += times(graph.symbols().call("transform.Sign", {w}), options.l1);
  return gradient;
}

/// What the updater makes of a gradient; its states become variables that get new values.
nd::Symbol Trainer::Impl::applied(const nd::Symbol& gradient, Parameter& parameter) {
  std::vector<nd::Symbol> inputs{gradient};
  for (const std::string& state : updater.states()) {
    inputs.push_back(addVariable(filled(*array(parameter.variable), updater.initialState()),
                                 "training/" + state + "/" + parameter.name));
    parameter.states.emplace_back(state, inputs.back());
  }
  ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find(updater.operation());
  if (op == nullptr) invalidArgument("[training] the operation '{}' is not in this build", updater.operation());
  std::vector<std::pair<std::string, ops::ArgumentValue>> arguments;
  for (const auto& [name, value] : updater.rates()) arguments.emplace_back(name, ops::numberArgument(value));
  if (op->schema().argument("learning_rate") != nullptr)
    arguments.emplace_back("learning_rate", ops::numberArgument(1));
  if (updater.isCorrected()) arguments.emplace_back("iteration", ops::integersArgument({LATE}));
  ops::ArgumentBlock block;
  const std::vector<nd::Symbol> outputs =
      graph.symbols().callAll(updater.operation(), inputs, ops::fillArguments(op->schema(), arguments, block));
  for (size_t k = 1; k < inputs.size(); k++) updates.emplace_back(inputs[k].key(), outputs.at(k).key());
  return outputs[0];
}

void Trainer::Impl::addUpdates() {
  for (Parameter& parameter : parameters) {
    const nd::Symbol& w = parameter.variable;
    addRates(w.dataType());
    const auto& [factor, rate] = rates.at(w.dataType());
    const nd::Symbol gradient = regularised(parameter);
    nd::Symbol change =
        updater.scalesGradient() ? applied(gradient * factor, parameter) : applied(gradient, parameter) * factor;
    if (isDecayed(parameter) && options.weightDecay > 0) change += times(w, options.weightDecay) * rate;
    updates.emplace_back(w.key(), (w - change).key());
  }
  graph::SessionOptions all = options.session;
  all.results = results;
  all.updates = updates;
  update = std::make_unique<graph::Session>(graph, all);
}

// ---- steps

graph::Session& Trainer::Impl::session() {
  if (waiting + 1 == options.accumulate) return *update;
  return waiting == 0 ? *first : *between;
}

void Trainer::Impl::setRates() {
  const double rate = learningRate(), factor = updater.factor(rate, updated);
  for (const auto& [type, variables] : rates) {
    array(variables.first)->p(0, factor);
    array(variables.second)->p(0, rate);
  }
}

double Trainer::Impl::step(const std::vector<const NDArray*>& inputs, const std::atomic<bool>* cancelled) {
  setRates();
  graph::RunOptions run;
  run.cancelled = cancelled;
  run.seed = seed + 0x9E3779B97F4A7C15u * static_cast<uint64_t>(steps + 1);
  if (run.seed == 0) run.seed = 1;
  try {
    session().run(inputs, targets, run);
  } catch (const std::invalid_argument& error) {
    invalidArgument("[training] step {}: {}", steps, error.what());
  }
  for (size_t k = 0; k < metrics.size(); k++) metrics[k] = values[k + 1].e<double>(0);
  steps++;
  if (++waiting == options.accumulate) {
    waiting = 0;
    updated++;
  }
  return values[0].e<double>(0);
}

Trainer::Trainer(graph::Graph& graph, const std::string& loss, const std::vector<std::string>& parameters,
                 const Updater& updater, const TrainingOptions& options)
    : _impl(std::make_unique<Impl>(graph, updater, options)) {
  _impl->build(loss, parameters);
}

Trainer::~Trainer() = default;
Trainer::Trainer(Trainer&&) noexcept = default;
Trainer& Trainer::operator=(Trainer&&) noexcept = default;

double Trainer::step(const std::vector<graph::Feed>& feeds, const std::atomic<bool>* cancelled) {
  return _impl->step(session().inOrder(feeds), cancelled);
}

double Trainer::stepInOrder(const std::vector<const NDArray*>& inputs, const std::atomic<bool>* cancelled) {
  return _impl->step(inputs, cancelled);
}

const std::vector<std::string>& Trainer::inputs() const { return _impl->update->inputs(); }
const std::vector<double>& Trainer::metrics() const { return _impl->metrics; }
LongType Trainer::steps() const { return _impl->steps; }
LongType Trainer::updates() const { return _impl->updated; }
double Trainer::learningRate() const { return _impl->learningRate(); }
const graph::Session& Trainer::session() const { return *_impl->update; }

}  // namespace sd::training
