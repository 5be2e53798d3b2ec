// Generated graphs with control flow. Their values are computed by C++ loops and conditions around the same calls.
#include <graph/Node.h>

#include <algorithm>

#include "GraphGeneratorBuilder.h"

namespace sd::graphtest {
namespace {

using graph::Node;
using Value = GraphBuilder::Value;
using Values = GraphBuilder::Values;
using NodePtr = std::unique_ptr<Node>;

NodePtr logicNode(LongType number, int id, const std::vector<Place>& inputs) {
  auto node = std::make_unique<Node>(graph::OpType_LOGIC, static_cast<int>(number), id);
  for (const auto& [from, index] : inputs) node->pickInput(from, index);
  return node;
}

ArrayPtr scalarArray(double value) {
  auto array = std::make_shared<NDArray>(FLOAT32);
  array->p<double>(0, value);
  return array;
}

const KnownCall& numbered(loops::OpFamily family, const std::string& name) {
  for (const KnownCall* known : callsOf(family))
    if (known->call.name() == name) return *known;
  throw std::invalid_argument("there is no operation " + name);
}

/// A call without the arguments of its example.
GeneratedCall bare(loops::OpFamily family, const std::string& name) {
  GeneratedCall call = numbered(family, name).call;
  call.named.clear();
  return call;
}

GeneratedCall withScalar(const std::string& name, double scalar) {
  GeneratedCall call = bare(loops::OpFamily::Scalar, name);
  call.scalar = scalar;
  return call;
}

NodePtr scopedNode(NodePtr node, int scope) {
  if (scope != 0) node->setScopeInfo(scope);
  return node;
}

/// Where the nodes of a body go.
struct Target {
  GraphBuilder& builder;
  int scope;               ///< 0: none
  graph::Graph* embedded;  ///< nullptr: the graph of the builder

  void add(NodePtr node) const {
    node = scopedNode(std::move(node), scope);
    if (embedded == nullptr)
      builder.addMade(node.release());
    else
      embedded->addNode(node.release());
  }
  int addScope() const {
    const int id = builder.newId();
    builder.addMade(logicNode(logic::Scope, id, {}).release());
    return id;
  }
};

bool isGreater(const ArrayPtr& x, double bound) {
  double most = x->e<double>(0);
  for (LongType i = 1; i < x->lengthOf(); i++) most = std::max(most, x->e<double>(i));
  return most > static_cast<double>(static_cast<float>(bound));
}

/// A condition: whether the largest element of x is greater than a bound.
int addTest(const Target& target, const Place& x, double bound) {
  const int most = target.builder.newId(), greater = target.builder.newId();
  target.add(target.builder.makeNode(bare(loops::OpFamily::Reduce, "reduce.Max"), most, {x}));
  target.add(target.builder.makeNode(withScalar("scalar.GreaterThan", bound), greater, {{most, 0}}));
  return greater;
}

/// Operations that keep shape, type and range, as the body of a loop or a branch has them. With `depth`, also
/// conditions, loops and embedded graphs.
class Body {
 public:
  /// `other` is a value from outside that the body may read.
  Body(GraphBuilder& builder, const Value& other, int depth = 0) : _other(other) {
    static const std::vector<const char*> NAMES{"transform.Tanh", "transform.Neg", "transform.Sigmoid", "transform.Sin",
                                                "transform.Abs"};
    static const std::vector<const char*> PAIRS{"pairwise.Add", "pairwise.Subtract", "pairwise.Multiply",
                                                "pairwise.MaxPairwise"};
    for (int left = 1 + builder.below(4); left > 0; left--) {
      const int choice = builder.below(depth > 0 ? 7 : 4);
      Step step;
      if (choice == 0) {
        step.call = withScalar("scalar.Multiply", builder.uniform(0.3, 0.9));
      } else if (choice == 1) {
        step.call = bare(loops::OpFamily::Pairwise, builder.oneOf(PAIRS));
        step.readsOther = true;
        _steps.push_back(step);
        // Sums grow with every iteration.
        step = Step();
        step.call = bare(loops::OpFamily::Transform, "transform.Tanh");
      } else if (choice < 4) {
        step.call = bare(loops::OpFamily::Transform, builder.oneOf(NAMES));
      } else {
        step.kind = choice == 4 ? Kind::Condition : choice == 5 ? Kind::Loop : Kind::Embedded;
        step.bound = builder.uniform(-0.5, 1);
        step.count = builder.below(4);
        step.bodies.emplace_back(builder, other, step.kind == Kind::Embedded ? 0 : depth - 1);
        if (step.kind == Kind::Condition) step.bodies.emplace_back(builder, other, depth - 1);
      }
      _steps.push_back(step);
    }
  }

  ArrayPtr evaluate(ArrayPtr x) const {
    for (const Step& step : _steps) {
      switch (step.kind) {
        case Kind::Call: {
          std::vector<NDArray*> inputs{x.get()};
          if (step.readsOther) inputs.push_back(_other.array.get());
          x = std::make_shared<NDArray>(step.call.evaluate(inputs)[0]->dup());
          break;
        }
        case Kind::Condition:
          x = step.bodies[isGreater(x, step.bound) ? 1 : 0].evaluate(x);
          break;
        case Kind::Loop:
          for (int i = 0; i < step.count; i++) x = step.bodies[0].evaluate(x);
          break;
        case Kind::Embedded:
          x = step.bodies[0].evaluate(x);
      }
    }
    return x;
  }

  /// Adds the nodes; returns the last one's place.
  Place addNodes(const Target& target, Place x) const { return addNodes(target, x, _other.place); }

 private:
  enum class Kind { Call, Condition, Loop, Embedded };
  struct Step {
    Kind kind = Kind::Call;
    GeneratedCall call{};
    bool readsOther = false;  // the second input
    double bound = 0;
    int count = 0;
    std::vector<Body> bodies{};
  };

  Value _other;
  std::vector<Step> _steps;

  Place addNodes(const Target& target, Place x, const Place& other) const {
    for (const Step& step : _steps) {
      const int id = target.builder.newId();
      switch (step.kind) {
        case Kind::Call: {
          std::vector<Place> inputs{x};
          if (step.readsOther) inputs.push_back(other);
          target.add(target.builder.makeNode(step.call, id, inputs));
          break;
        }
        case Kind::Condition:
          addCondition(step, target, id, x, other);
          break;
        case Kind::Loop:
          addLoop(step, target, id, x, other);
          // The counter is output 0.
          x = {id, 1};
          continue;
        case Kind::Embedded:
          addEmbedded(step, target, id, x, other);
      }
      x = {id, 0};
    }
    return x;
  }

  static void addCondition(const Step& step, const Target& target, int id, const Place& x, const Place& other) {
    const Target test{target.builder, target.addScope(), nullptr}, no{target.builder, target.addScope(), nullptr},
        yes{target.builder, target.addScope(), nullptr};
    target.add(logicNode(logic::Conditional, id, {x, {test.scope, 0}, {no.scope, 0}, {yes.scope, 0}}));
    addTest(test, {id, 0}, step.bound);
    for (const Target* branch : {&no, &yes}) {
      const Place last = step.bodies[branch == &yes ? 1 : 0].addNodes(*branch, {id, 0}, other);
      auto end = logicNode(logic::Return, target.builder.newId(), {last});
      end->pickOutput(id);
      branch->add(std::move(end));
    }
  }

  static void addLoop(const Step& step, const Target& target, int id, const Place& x, const Place& other) {
    const Target test{target.builder, target.addScope(), nullptr}, body{target.builder, target.addScope(), nullptr};
    const Value counter = target.builder.plainVariable(scalarArray(0));
    target.add(logicNode(logic::While, id, {counter.place, x, {test.scope, 0}, {body.scope, 0}}));
    test.add(target.builder.makeNode(withScalar("scalar.LessThan", step.count), target.builder.newId(), {{id, 0}}));
    const int next = target.builder.newId();
    body.add(target.builder.makeNode(withScalar("scalar.Add", 1), next, {{id, 0}}));
    const Place last = step.bodies[0].addNodes(body, {id, 1}, other);
    auto end = logicNode(logic::Return, target.builder.newId(), {{next, 0}, last});
    end->pickOutput(id);
    end->pickOutput(id);
    body.add(std::move(end));
  }

  static void addEmbedded(const Step& step, const Target& target, int id, const Place& x, const Place& other) {
    auto inner = std::make_unique<graph::Graph>();
    for (const int placeholder : {-1, -2})
      inner->getVariableSpace()->putVariable(placeholder, new graph::Variable(true));
    // An embedded graph has no scopes of the outer one, so that its body is flat.
    step.bodies[0].addNodes({target.builder, 0, inner.get()}, {-1, 0}, {-2, 0});
    auto node = std::make_unique<Node>(graph::OpType_GRAPH, 0, id);
    node->pickInput(x.first, x.second);
    node->pickInput(other.first, other.second);
    node->setGraph(std::move(inner));
    target.add(std::move(node));
  }
};

class ControlSteps {
 public:
  explicit ControlSteps(GraphBuilder& builder) : _g(builder) {}

  void one() {
    const Value x = real();
    const Value other = _g.variable(FLOAT32, x.array->getShapeAsVector());
    switch (_g.below(4)) {
      case 0:
        return whileLoop(x, other);
      case 1:
        return conditional(x, other);
      case 2:
        return branches(x, other);
      default:
        return frames(x, other);
    }
  }

  /// Nodes that read what control flow gave.
  void ordinary() {
    const Value x = real();
    static const std::vector<const char*> NAMES{"tanh", "sigmoid", "softplus", "identity", "softmax"};
    const Values results = _g.add(_g.oneOf(NAMES), {x});
    if (!results.empty() && _g.chance(50)) _g.add("add", {x, results[0]});
  }

 private:
  GraphBuilder& _g;

  Value real() {
    for (int attempt = 0; attempt < 10; attempt++) {
      const Value value = _g.anyValue();
      if (value.array->dataType() == FLOAT32 && value.array->lengthOf() > 0) return value;
    }
    return _g.variable(FLOAT32, {2, 3});
  }

  int addLogic(LongType number, const std::vector<Place>& inputs, int id = 0) {
    if (id == 0) id = _g.newId();
    _g.addMade(logicNode(number, id, inputs).release());
    return id;
  }

  int addNode(const GeneratedCall& call, const std::vector<Place>& inputs, int scope) {
    const int id = _g.newId();
    auto node = _g.makeNode(call, id, inputs);
    if (scope != 0) node->setScopeInfo(scope);
    // Values of a loop keep their own memory here; marks in place have their own tests.
    node->markInplace(false);
    _g.addMade(node.release());
    return id;
  }

  void publish(const Place& place, const ArrayPtr& array) {
    _g.expect(place, array);
    _g.addValue({place, array});
  }

  /// while (i < limit) { i = i + 1; each value = body(value); }
  void whileLoop(const Value& x, const Value& other) {
    const Value counter = _g.plainVariable(scalarArray(0)), limit = _g.variable(scalarArray(_g.below(6)));
    const bool two = _g.chance(50), exchange = two && _g.chance(30);
    std::vector<Value> starts{counter, x};
    if (two) starts.push_back(other);
    const int test = addLogic(logic::Scope, {}), body = addLogic(logic::Scope, {}), loop = _g.newId();
    std::vector<Place> inputs;
    for (const Value& start : starts) inputs.push_back(start.place);
    inputs.emplace_back(test, 0);
    inputs.emplace_back(body, 0);
    addLogic(logic::While, inputs, loop);
    addNode(bare(loops::OpFamily::Pairwise, "pairwise.LessThan"), {{loop, 0}, limit.place}, test);
    std::vector<Place> next{{addNode(withScalar("scalar.Add", 1), {{loop, 0}}, body), 0}};
    const Value outside = _g.variable(FLOAT32, x.array->getShapeAsVector());
    std::vector<Body> bodies;
    std::vector<ArrayPtr> values;
    for (size_t e = 0; e < starts.size(); e++) values.push_back(starts[e].array);
    for (size_t e = 1; e < starts.size(); e++) {
      bodies.emplace_back(_g, outside, 1);
      next.push_back(bodies.back().addNodes({_g, body, nullptr}, {loop, static_cast<int>(e)}));
    }
    if (exchange) std::swap(next[1], next[2]);
    auto end = logicNode(logic::Return, _g.newId(), next);
    for (size_t e = 0; e < next.size(); e++) end->pickOutput(loop);
    end->setScopeInfo(body);
    _g.addMade(end.release());
    const int count = limit.array->e<int>(0);
    for (int i = 0; i < count; i++) {
      for (size_t e = 1; e < starts.size(); e++) values[e] = bodies[e - 1].evaluate(values[e]);
      if (exchange) std::swap(values[1], values[2]);
    }
    values[0] = scalarArray(count);
    for (size_t e = 0; e < starts.size(); e++) publish({loop, static_cast<int>(e)}, copyOf(values[e]));
  }

  static ArrayPtr copyOf(const ArrayPtr& array) { return std::make_shared<NDArray>(array->dup()); }

  /// One scope or another computes the value.
  void conditional(const Value& x, const Value& other) {
    const double bound = _g.uniform(-0.5, 1);
    const int test = addLogic(logic::Scope, {}), no = addLogic(logic::Scope, {}), yes = addLogic(logic::Scope, {}),
              id = _g.newId();
    addLogic(logic::Conditional, {x.place, {test, 0}, {no, 0}, {yes, 0}}, id);
    addTest({_g, test, nullptr}, {id, 0}, bound);
    const Body bodies[] = {{_g, other, 1}, {_g, other, 1}};
    for (int branch = 0; branch < 2; branch++) {
      const int scope = branch == 0 ? no : yes;
      const Place last = bodies[branch].addNodes({_g, scope, nullptr}, {id, 0});
      // Without a Return the results are those of the last node.
      if (last.second == 0 && _g.chance(50)) continue;
      auto end = logicNode(logic::Return, _g.newId(), {last});
      end->pickOutput(id);
      end->setScopeInfo(scope);
      _g.addMade(end.release());
    }
    publish({id, 0}, bodies[isGreater(x.array, bound) ? 1 : 0].evaluate(x.array));
  }

  /// Switch, a branch on either side, and the Merge of both.
  void branches(const Value& x, const Value& other) {
    const double bound = _g.uniform(-0.5, 1);
    const int condition = addTest({_g, 0, nullptr}, x.place, bound);
    const int split = addLogic(logic::Switch, {x.place, {condition, 0}});
    const Body bodies[] = {{_g, other, 1}, {_g, other, 1}};
    std::vector<Place> ends;
    for (int branch = 0; branch < 2; branch++)
      ends.push_back(bodies[branch].addNodes({_g, 0, nullptr}, {split, branch}));
    const int merged = addLogic(logic::Merge, ends);
    publish({merged, 0}, bodies[isGreater(x.array, bound) ? 1 : 0].evaluate(x.array));
  }

  /// A loop of frames, with a counter and one value.
  void frames(const Value& x, const Value& other) {
    const Value limit = _g.variable(scalarArray(_g.below(5)));
    const Value starts[] = {_g.plainVariable(scalarArray(0)), x};
    const int frame = 1000 + _g.newId(), ends[] = {_g.newId(), _g.newId()};
    const auto enter = [&](const Value& value) {
      auto node = logicNode(logic::Enter, _g.newId(), {value.place});
      node->setFrameId(frame);
      const int id = node->id();
      _g.addMade(node.release());
      return Place{id, 0};
    };
    int merges[2], splits[2], exits[2];
    for (int e = 0; e < 2; e++) merges[e] = addLogic(logic::Merge, {enter(starts[e]), {ends[e], 0}});
    const Place bound = enter(limit), outside = enter(other);
    const int less = addNode(bare(loops::OpFamily::Pairwise, "pairwise.LessThan"), {{merges[0], 0}, bound}, 0);
    const int condition = addLogic(logic::LoopCond, {{less, 0}});
    for (int e = 0; e < 2; e++) splits[e] = addLogic(logic::Switch, {{merges[e], 0}, {condition, 0}});
    const int sum = addNode(withScalar("scalar.Add", 1), {{splits[0], 1}}, 0);
    const Body body(_g, {outside, other.array}, 1);
    const Place last = body.addNodes({_g, 0, nullptr}, {splits[1], 1});
    addLogic(logic::NextIteration, {{sum, 0}}, ends[0]);
    addLogic(logic::NextIteration, {last}, ends[1]);
    for (int e = 0; e < 2; e++) exits[e] = addLogic(logic::Exit, {{splits[e], 0}});
    ArrayPtr value = x.array;
    const int count = limit.array->e<int>(0);
    for (int i = 0; i < count; i++) value = body.evaluate(value);
    publish({exits[0], 0}, scalarArray(count));
    publish({exits[1], 0}, copyOf(value));
  }
};

}  // namespace

GeneratedGraph generateControlGraph(uint64_t seed) {
  GraphBuilder builder(seed);
  ControlSteps steps(builder);
  builder.variable(FLOAT32, builder.randomShape(3));
  for (int left = 1 + builder.below(3); left > 0; left--) {
    if (builder.chance(50)) steps.ordinary();
    steps.one();
    if (builder.chance(50)) steps.ordinary();
  }
  return builder.finish("control");
}

}  // namespace sd::graphtest
