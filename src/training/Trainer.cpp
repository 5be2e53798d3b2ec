#include "training/TrainerParts.h"

#include <graph/Gradients.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "call/argument_values.h"
#include "graph/OpenGraph.h"
#include "system/Error.h"

namespace sd::training {
namespace {

/// The bias correction of variants of Adam is in the factor, which changes from step to step: in the operation, it is
/// that of an iteration so late that it is none.
constexpr LongType LATE = LongType{1} << 40;

NDArray* number(DataType type, double value = 0) {
  auto array = std::make_unique<NDArray>(type);
  array->p(0, value);
  return array.release();
}

NDArray* filled(const NDArray& like, double value) {
  if (like.rankOf() == 0) return number(like.dataType(), value);
  auto array = std::make_unique<NDArray>('c', like.getShapeAsVector(), like.dataType());
  if (!array->isEmpty()) array->assign(value);
  return array.release();
}

}  // namespace

Trainer::Impl::Impl(graph::Graph& g, const Updater& u, const TrainingOptions& o)
    : graph(g), original(g.cloneWithProxy()), updater(u), options(o) {
  for (const graph::Variable* variable : g.getVariableSpace()->getVariables())
    given.emplace(variable->id(), variable->index());
}

std::string Trainer::Impl::nameOf(Value value) const {
  return value.first < 0 ? std::to_string(value.first) : fmt::format("{}:{}", value.first, value.second);
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
  const GraphBuilder builder(graph);
  std::unordered_set<std::string> seen;
  for (const std::string& name : names) {
    if (!seen.insert(name).second) invalidArgument("[training] parameter '{}' is given twice", name);
    const Value value = builder.find(name);
    const auto reject = [&name](const std::string& why) {
      invalidArgument("[training] '{}' is no parameter: {}", name, why);
    };
    if (value.first >= 0 && graph.hasNode(value.first)) reject("it is the result of a node");
    const graph::Variable& variable = *graph.getVariableSpace()->getVariable(value);
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
void Trainer::Impl::addResults(GraphBuilder& builder, const std::string& loss) {
  std::vector<std::string> names{loss};
  names.insert(names.end(), options.metrics.begin(), options.metrics.end());
  std::vector<Value> places;
  for (const std::string& name : names) places.push_back(builder.find(name));
  std::vector<char> hasDimensions;
  {
    const graph::OpenGraph open(graph, {}, places);
    for (size_t k = 0; k < names.size(); k++) {
      const ops::PartialShape& shape = open.value(open.results()[k]).shape;
      if (shape.length() != ops::PartialShape::UNKNOWN && shape.length() != 1)
        invalidArgument("[training] {} '{}' has {} elements instead of one", k == 0 ? "the loss" : "metric", names[k],
                        shape.length());
      hasDimensions.push_back(shape.hasRank() && shape.rank() > 0 ? 1 : 0);
    }
  }
  for (size_t k = 0; k < names.size(); k++) {
    Value value = builder.call("cast", {places[k]}, "", {{"dtype", ops::typeArgument(DOUBLE)}});
    if (hasDimensions[k] != 0) value = builder.call("reduce_mean", {value});
    if (k == 0 && options.nonFinite == NonFinite::Fail)
      value = builder.call("check_numerics",
                           {value, builder.constant(new NDArray(std::string("the loss is infinite or NaN")))});
    results.push_back(nameOf(value));
    values.emplace_back(DOUBLE);
  }
  for (NDArray& value : values) targets.push_back(&value);
  metrics.resize(options.metrics.size());
}

/// Variables by their names, which checkpoints have, also those that are given by numbers, as symbols are.
std::vector<std::string> Trainer::Impl::named(const std::vector<std::string>& keys) const {
  const GraphBuilder builder(graph);
  std::vector<std::string> names;
  for (const std::string& key : keys) {
    const Value value = builder.find(key);
    const std::string& name = value.first >= 0 ? key : *graph.getVariableSpace()->getVariable(value)->getName();
    names.push_back(name.empty() ? key : name);
  }
  return names;
}

void Trainer::Impl::build(const std::string& loss, const std::vector<std::string>& keys) {
  const std::vector<std::string> names = named(keys);
  options.decayed = named(options.decayed);
  check(names);
  {
    // Unknown names, before anything is added.
    const GraphBuilder builder(graph);
    for (const std::string& metric : options.metrics) builder.find(metric);
    const graph::OpenGraph open(graph, {}, {builder.find(loss)});
    const ops::PartialShape& shape = open.value(open.results()[0]).shape;
    if (shape.length() != ops::PartialShape::UNKNOWN && shape.length() != 1)
      invalidArgument("[training] the loss '{}' has {} elements instead of one", loss, shape.length());
  }
  const auto gradients = graph::addGradients(graph, loss, names);
  GraphBuilder builder(graph);
  for (size_t k = 0; k < names.size(); k++) {
    Parameter parameter;
    parameter.name = names[k];
    parameter.variable = builder.find(names[k]);
    parameter.gradient = gradients[k];
    parameters.push_back(std::move(parameter));
  }
  addResults(builder, loss);
  if (options.accumulate > 1) accumulate(builder);
  clip(builder);
  addUpdates(builder);
  seed = options.seed;
}

/// From here on, the gradient is the mean of those of several steps.
void Trainer::Impl::accumulate(GraphBuilder& builder) {
  graph::SessionOptions one = options.session, more = options.session;
  one.results = more.results = results;
  one.updates.clear();
  more.updates.clear();
  for (Parameter& parameter : parameters) {
    parameter.accumulated =
        builder.variable(filled(*array(parameter.variable), 0), "training/accumulated/" + parameter.name);
    const Value sum = builder.call("add", {parameter.accumulated, parameter.gradient});
    one.updates.emplace_back(nameOf(parameter.accumulated), nameOf(parameter.gradient));
    more.updates.emplace_back(nameOf(parameter.accumulated), nameOf(sum));
    parameter.gradient = builder.scalar(scalar::Multiply, sum, 1. / options.accumulate);
  }
  first = std::make_unique<graph::Session>(graph, one);
  if (options.accumulate > 2) between = std::make_unique<graph::Session>(graph, more);
}

void Trainer::Impl::clip(GraphBuilder& builder) {
  const double limit = options.clip.limit;
  if (options.clip.kind == Clipping::Kind::GlobalNorm) {
    std::vector<Value> all;
    for (const Parameter& parameter : parameters) all.push_back(parameter.gradient);
    const Value clipped = builder.call("clip_by_global_norm", all, "", {{"clip_norm", ops::numberArgument(limit)}});
    for (size_t k = 0; k < parameters.size(); k++) parameters[k].gradient = {clipped.first, static_cast<int>(k)};
    return;
  }
  for (Parameter& parameter : parameters) {
    Value& gradient = parameter.gradient;
    if (options.clip.kind == Clipping::Kind::Value)
      gradient = builder.call("clipbyvalue", {gradient}, "",
                              {{"min", ops::numberArgument(-limit)}, {"max", ops::numberArgument(limit)}});
    else if (options.clip.kind == Clipping::Kind::Norm)
      gradient = builder.call("clipbynorm", {gradient}, "", {{"clip_norm", ops::numberArgument(limit)}});
  }
}

void Trainer::Impl::addUpdates(GraphBuilder& builder) {
  for (Parameter& parameter : parameters) {
    const NDArray& present = *array(parameter.variable);
    const DataType type = present.dataType();
    if (rates.count(type) == 0) {
      const std::string end = DataTypeUtils::describe(type);
      const Value factor = builder.variable(number(type), "training/factor/" + end);
      rates[type] = {factor, builder.variable(number(type), "training/learning_rate/" + end)};
    }
    const auto [factor, rate] = rates.at(type);
    const bool decays = isDecayed(parameter);
    Value gradient = parameter.gradient;
    if (decays && options.l2 > 0)
      gradient = builder.call("add", {gradient, builder.scalar(scalar::Multiply, parameter.variable, options.l2)});
    if (decays && options.l1 > 0) {
      const Value sign = builder.transform(graph::OpType_TRANSFORM_SAME, transform::Sign, parameter.variable);
      gradient = builder.call("add", {gradient, builder.scalar(scalar::Multiply, sign, options.l1)});
    }
    if (updater.scalesGradient()) gradient = builder.call("multiply", {gradient, factor});
    std::vector<Value> inputs{gradient};
    for (const std::string& state : updater.states()) {
      const Value variable =
          builder.variable(filled(present, updater.initialState()), "training/" + state + "/" + parameter.name);
      parameter.states.emplace_back(state, variable);
      inputs.push_back(variable);
    }
    auto arguments = updater.rates();
    if (updater.operation() != "ada_delta_updater") arguments.emplace_back("learning_rate", 1);
    const Value applied = builder.call(updater.operation().c_str(), inputs, "", arguments);
    if (updater.isCorrected()) graph.nodeById(applied.first)->setArgument("iteration", ops::integersArgument({LATE}));
    for (size_t k = 0; k < parameter.states.size(); k++)
      updates.emplace_back(nameOf(parameter.states[k].second), nameOf({applied.first, static_cast<int>(k) + 1}));
    Value change = updater.scalesGradient() ? applied : builder.call("multiply", {applied, factor});
    if (decays && options.weightDecay > 0) {
      const Value lost = builder.scalar(scalar::Multiply, parameter.variable, options.weightDecay);
      change = builder.call("add", {change, builder.call("multiply", {lost, rate})});
    }
    updates.emplace_back(nameOf(parameter.variable), nameOf(builder.call("subtract", {parameter.variable, change})));
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
