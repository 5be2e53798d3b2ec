// Classes of operations: one entry of the registry each, and what plans ask their contracts.
#include <graph/ContractOperation.h>
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/GraphExecutioner.h>
#include <graph/Session.h>
#include <gtest/gtest.h>
#include <ops/declarable/CommonInference.h>

#include <atomic>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "../../examples/plugin/contract_accumulate.cpp"
#include "../../examples/plugin/contract_growing_add.cpp"
#include "../../examples/plugin/contract_pick.cpp"
#include "../../examples/plugin/contract_typed_add.cpp"
#include "ArrayChecks.h"
#include "Messages.h"

#ifdef SD_ALL_OPS  // operations of many families
#include <nd/nd.h>

using namespace sd;
using graph::Operation;
using nd::Symbol;
using nd_test::counted;
using nd_test::expectMessage;

namespace {

/// x * factor. `note` makes no difference.
struct NotedParameters {
  double factor = 1;
  int note = 0;
};

class Noted final : public graph::ContractOperation<Noted, NotedParameters> {
 public:
  static constexpr const char* NAME = "noted_scale";
  static constexpr int NOT_DIFFERENTIABLE = 13;
  using ContractOperation::ContractOperation;
  static void describe(ops::Schema& schema) {
    schema.input("x", "any shape").types({ALL_FLOATS});
    schema.argument(&NotedParameters::factor, "factor", "the factor").atFloat(0);
    schema.argument(&NotedParameters::note, "note", "whatever the caller likes").atInteger(0);
    schema.example(R"({"x": [1.0, -2.0], "factor": 1.5})");
    schema.output("z", "like x");
    schema.infer(ops::inferLikeFirst);
  }
  bool equals(const Operation& other) const override {
    const auto* noted = dynamic_cast<const Noted*>(&other);
    return noted != nullptr && noted->parameters.factor == parameters.factor;
  }
  size_t hash() const override { return std::hash<double>()(parameters.factor); }
  void perform(const graph::NodeDescription&, const std::vector<NDArray*>& inputs, Storage& outputs) const override {
    outputs[0].requireLike(*inputs[0]).assign(*inputs[0] * parameters.factor);
  }
  Symbols grad(const Symbols&, const Symbols&, const Symbols& gradients) const override {
    if (parameters.note == NOT_DIFFERENTIABLE) return {};
    return {gradients[0] * parameters.factor};
  }
};
SD_REGISTER_OPERATION(Noted)

/// Returns x, and remembers where it was.
struct SpyParameters {
  int number = 0;
};
std::map<int, const void*> seen;

class Spy final : public graph::ContractOperation<Spy, SpyParameters> {
 public:
  static constexpr const char* NAME = "address_spy";
  using ContractOperation::ContractOperation;
  static void describe(ops::Schema& schema) {
    schema.input("x", "any shape");
    schema.argument(&SpyParameters::number, "number", "the key").atInteger(0);
    schema.output("z", "like x");
    schema.infer(ops::inferLikeFirst);
  }
  void perform(const graph::NodeDescription&, const std::vector<NDArray*>& inputs, Storage& outputs) const override {
    seen[parameters.number] = inputs[0]->buffer();
    outputs[0].requireLike(*inputs[0]).assign(*inputs[0]);
  }
};
SD_REGISTER_OPERATION(Spy)

/// How often it has run with this storage: two hidden counters, the second of which counts backwards.
struct CountParameters {};

class CountRuns final : public graph::ContractOperation<CountRuns, CountParameters> {
 public:
  static constexpr const char* NAME = "count_runs";
  using ContractOperation::ContractOperation;
  static void describe(ops::Schema& schema) {
    schema.input("x", "any shape");
    schema.output("z", "two counts");
    schema.output("copy", "x");
    schema.sideEffect("counts");
    schema.infer([](ops::Inference& in) {
      in.output(INT64, {2});
      in.output(in.input(0));
    });
  }
  int hiddenOutputs() const override { return 2; }
  int defaultOutput() const override { return 1; }
  void perform(const graph::NodeDescription&, const std::vector<NDArray*>& inputs, Storage& outputs) const override {
    for (const size_t k : {2, 3}) {
      if (outputs[k].array() == nullptr) outputs[k].require(INT64, {}).assign(0);
      NDArray& count = *outputs[k].array();
      count.p<LongType>(0, count.e<LongType>(0) + (k == 2 ? 1 : -1));
      outputs[0].require(INT64, {2}).p<LongType>(static_cast<LongType>(k) - 2, count.e<LongType>(0));
    }
    outputs[1].requireLike(*inputs[0]).assign(*inputs[0]);
  }
};
SD_REGISTER_OPERATION(CountRuns)

NDArray single(double value, DataType type) {
  NDArray array(type);
  array.p<double>(0, value);
  return array;
}

/// The result without and with passes, and with memory of its own for each value: all the same bits.
NDArray runAllWays(const graph::Graph& graph, const std::vector<Symbol>& results,
                   const std::vector<graph::Feed>& feeds) {
  std::vector<std::string> names;
  for (const Symbol& result : results) names.push_back(result.key());
  graph::Session plain(graph, {.results = names, .withoutPasses = {"all"}, .reuseMemory = false, .inPlace = false});
  const auto expected = plain.run(feeds);
  for (const bool inPlace : {false, true})
    for (const std::vector<std::string>& without : {std::vector<std::string>{}, {"all"}}) {
      graph::Session session(graph, {.results = names, .withoutPasses = without, .inPlace = inPlace});
      for (int run = 0; run < 3; run++) {
        const auto actual = session.run(feeds);
        for (size_t k = 0; k < results.size(); k++)
          EXPECT_TRUE(expected[k].equalsTo(actual[k], 0)) << "result " << k << ", run " << run;
      }
    }
  return expected[0];
}

}  // namespace

// ---- a class is an entry of the registry

TEST(OperationClass, TypedAddOfVariablesAndNumbers) {
  graph::Graph graph;
  const Symbol x = graph.variable("x", single(1.5, DOUBLE)), y = graph.variable("y", single(2, DOUBLE)),
               other = graph.variable("other", single(2, FLOAT32));
  const TypedAdd add({DOUBLE});
  const auto run = [&](const Symbol& z) {
    EXPECT_EQ(DOUBLE, z.dataType());
    EXPECT_EQ(0, z.shape().rank());
    return graph::Session(graph, {.results = {z}}).run(std::vector<graph::Feed>())[0].e<double>(0);
  };
  EXPECT_EQ(3.5, run(add.call({x, y})));
  EXPECT_EQ(1.75, run(add.call({x, 0.25})));
  EXPECT_EQ(1.75, run(add.call({0.25, x})));
  EXPECT_EQ(0.75, run(add.in(graph, {0.25, 0.5})[0])) << "two numbers";
  const int nodes = graph.totalNodes();
  expectMessage([&] { add.call({x, other}); }, {"[typed_add] input 1 has type FLOAT32 instead of DOUBLE"});
  expectMessage([&] { add.makeNode({other, 1}); }, {"[typed_add] input 0 has type FLOAT32 instead of DOUBLE"});
  expectMessage([&] { TypedAdd({INT32}).call({x, 1}); }, {"[typed_add] input 0 has type DOUBLE instead of INT32"});
  EXPECT_EQ(nodes, graph.totalNodes()) << "what does not fit adds nothing";
  // An integer type wraps numbers as integers, also beside nothing else.
  EXPECT_EQ(INT32, TypedAdd({INT32}).makeNode({1, 2}).inputs[0].constant->dataType());
  EXPECT_TRUE(add.makeNode({x, 1}) == add.makeNode({x, 1}));
  EXPECT_FALSE(add.makeNode({x, 1}) == add.makeNode({x, 2}));
  EXPECT_TRUE(add == TypedAdd({DOUBLE}));
  EXPECT_EQ(add.hash(), TypedAdd({DOUBLE}).hash());
  EXPECT_FALSE(add == TypedAdd({FLOAT32}));
  const auto gradients = nd::grad(add.call({x, add.call({x, y})}), {x, y});
  EXPECT_EQ(2., run(gradients[0]));
  EXPECT_EQ(1., run(gradients[1]));
}

TEST(OperationClass, IsCalledByNameInEveryWay) {
  ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find("typed_add");
  ASSERT_NE(nullptr, op);
  NDArray x = single(1.5, DOUBLE), y = single(2, DOUBLE);
  EXPECT_EQ(3.5, op->evaluate({&x, &y}, {}, {}, {}, {DOUBLE}).at(0)->e<double>(0));
  expectMessage(
      [&] {
        op->evaluate({&x, &y}, {}, {}, {}, {FLOAT32});
      },
      {"[typed_add] input 0 has type DOUBLE instead of FLOAT32"});
  EXPECT_EQ(3.5, op->evaluate({&x, &y}).at(0)->e<double>(0)) << "the type of x";
  expectMessage([&] { op->evaluate({&x}); }, {"[typed_add]"});
  expectMessage([&] { ops::OpRegistrator::getInstance().find("accumulate")->evaluate({&x}); },
                {"[accumulate] input 1, 'x', is not given"});
  const auto contract = Operation::of("typed_add", TypedAddParameters{DOUBLE});
  EXPECT_TRUE(*contract == TypedAdd({DOUBLE})) << "of() gives the class";
  EXPECT_EQ(3.5, contract->evaluate({&x, &y})[0].e<double>(0));
  expectMessage([&] { Operation::of("typed_add", ops::args::Matmul{}); }, {"[typed_add]", "another operation"});

  // Parameters are in the file with the node.
  graph::Graph graph;
  const Symbol a = graph.variable("a", x);
  TypedAdd({DOUBLE}).call({a, 0.25}).named("z");
  const std::string path = testing::TempDir() + "operation_class.fb";
  graph.save(path.c_str());
  const std::unique_ptr<graph::Graph> loaded(graph::GraphExecutioner::importFromFlatBuffers(path.c_str()));
  std::remove(path.c_str());
  EXPECT_EQ(1.75, graph::Session(*loaded, {.results = {"z"}}).run(std::vector<graph::Feed>())[0].e<double>(0));
  const std::unique_ptr<graph::Graph> copy(graph.clone());
  EXPECT_EQ(1.75, graph::Session(*copy, {.results = {"z"}}).run(std::vector<graph::Feed>())[0].e<double>(0));
}

TEST(OperationClass, EqualNodesAreThoseThatTheClassCallsEqual) {
  graph::Graph graph;
  const Symbol x = graph.placeholder("x", FLOAT32, {2});
  const Symbol a = Noted({2, 1}).call({x}), b = Noted({2, 7}).call({x}), c = Noted({3, 1}).call({x});
  graph::Session session(graph, {.results = {a, b, c}});
  const NDArray one = counted({2}, 1, 1);
  const auto results = session.run({{x, one}});
  EXPECT_EQ(4.f, results[1].e<float>(1));
  EXPECT_EQ(6.f, results[2].e<float>(1));
  for (const graph::PassReport& report : session.passReports())
    EXPECT_EQ(report.name == "equal" ? 1 : 0, report.changes) << report.name;
  EXPECT_NE(std::string::npos, session.text().find("2 steps")) << session.text();
}

TEST(OperationClass, WithoutGradientIsAnErrorWithTheWay) {
  graph::Graph graph;
  const Symbol w = graph.variable("w", counted({2}, 1, 1));
  expectMessage(
      [&] {
        nd::grad(nd::tanh(Noted({2, Noted::NOT_DIFFERENTIABLE}).call({w * 2})), {w});
      },
      {"'w' -> ", "(noted_scale)", "it is not differentiable: grad() returns nothing"});
  expectMessage([&] { nd::grad(Spy({1}).call({w * 2}), {w}); }, {"'w' -> ", "(address_spy)", "has no grad()"});
}

// ---- memory

TEST(OperationClass, DestroyersComeAfterAllOtherReaders) {
  graph::Graph graph;
  const Symbol p = graph.placeholder("p", FLOAT32, {1000});
  const Symbol x = nd::tanh(p);
  const Symbol before = Spy({1}).call({x});
  const Symbol sum = Accumulate({2}).call({x, p});
  const Symbol after = nd::sigmoid(Spy({2}).call({sum}));
  const Symbol late = nd::exp(Spy({3}).call({x}));  // another reader, added later
  const NDArray input = counted({1000}, -1, 0.002);
  NDArray y(input);
  y.applyTransform(transform::Tanh, y);
  const NDArray expected = y + input * 2.;
  graph::Session session(graph, {.results = {after, late, before}, .withoutPasses = {"all"}});
  const auto results = session.run({{p, input}});
  EXPECT_TRUE(results[2].equalsTo(y, 0));
  EXPECT_EQ(seen[1], seen[2]) << "the sum lies over x";
  EXPECT_EQ(seen[3], seen[2]);
  EXPECT_TRUE(results[0].equalsTo(nd::sigmoid(expected), 0));
  EXPECT_TRUE(results[1].equalsTo(nd::exp(y), 0));
  runAllWays(graph, {after, late, before}, {{p, input}});
  // By name, and by evaluate(), inputs keep their values.
  NDArray total(y), other(input);
  EXPECT_TRUE(ops::OpRegistrator::getInstance()
                  .find("accumulate")
                  ->evaluate({&total, &other}, {2.})
                  .at(0)
                  ->equalsTo(expected, 0));
  EXPECT_TRUE(Accumulate({2}).evaluate({&total, &other})[0].equalsTo(expected, 0));
  EXPECT_TRUE(total.equalsTo(y, 0));
}

TEST(OperationClass, DestroyersThatCannotBeLastWorkOnCopies) {
  graph::Graph graph;
  const NDArray input = counted({64}, -1, 0.03), weights = counted({64}, 3, -0.1);
  const Symbol p = graph.placeholder("p", FLOAT32, {64}), w = graph.variable("w", weights);
  const Symbol x = nd::tanh(p), y = nd::exp(p);
  // Two destroyers of one value.
  const Symbol a = Spy({11}).call({Accumulate({1}).call({x, p})}), b = Spy({12}).call({Accumulate({2}).call({x, p})});
  // A reader that waits for the destroyer.
  const Symbol c = Accumulate({1}).call({y, p}), d = c * y;
  // Two destroyers, each of which reads what the other one destroys.
  const Symbol u = nd::sin(p), v = nd::sigmoid(p);
  const Symbol e = Accumulate({3}).call({u, v}), f = Accumulate({3}).call({v, u});
  // Inputs, variables, constants, results, and an input that is read twice.
  const Symbol g = Accumulate({1}).call({p, x}), h = Accumulate({1}).call({w, x}),
               i = Accumulate({1}).call({graph.constant(weights), x});
  const Symbol r = nd::neg(p), k = Accumulate({1}).call({r, p}), q = nd::square(p), l = Accumulate({1}).call({q, q});
  const NDArray sine = nd::sin(input), cosine = nd::sigmoid(input);
  runAllWays(graph, {a, b, d, e, f, g, h, i, r, k, l}, {{p, input}});
  EXPECT_TRUE(graph.array(w).equalsTo(weights, 0)) << "variables keep their values";
  EXPECT_NE(seen[11], seen[12]);
  const auto run = [&](const Symbol& z) { return runAllWays(graph, {z, a, b}, {{p, input}}); };
  EXPECT_TRUE(run(e).equalsTo(sine + cosine * 3., 0));
  EXPECT_TRUE(run(f).equalsTo(cosine + sine * 3., 0));
  EXPECT_TRUE(run(l).equalsTo(input * input * 2., 1e-6));
  EXPECT_TRUE(run(h).equalsTo(weights + nd::tanh(input), 0));
  EXPECT_TRUE(run(d).equalsTo((nd::exp(input) + input) * nd::exp(input), 1e-6));
}

TEST(OperationClass, ViewsOfOneOfSeveralInputs) {
  graph::Graph graph;
  const Symbol which = graph.placeholder("which", INT64, {}), p = graph.placeholder("p", FLOAT32, {100});
  const Symbol x = nd::tanh(p), y = nd::exp(p);
  const Symbol spied = Spy({22}).call({y}), before = Spy({21}).call({x});
  const Symbol picked = Pick().call({which, x, y});
  const Symbol z = nd::neg(Spy({23}).call({picked}));
  // Much that could lie in the memory of x and y.
  Symbol chain = nd::sigmoid(p);
  for (int k = 0; k < 6; k++) chain = nd::sin(chain) * p;
  const Symbol destroyed = Accumulate({1}).call({x, chain});
  const NDArray input = counted({100}, -1, 0.02);
  graph::Session session(graph, {.results = {z, destroyed, spied, before}, .withoutPasses = {"all"}});
  for (const int number : {0, 1, 0}) {
    const NDArray choice = single(number, INT64);
    const auto results = session.run({{which, choice}, {p, input}});
    EXPECT_EQ(seen[23], seen[number == 0 ? 21 : 22]) << "the result is the memory of the input";
    EXPECT_TRUE(results[0].equalsTo((number == 0 ? nd::tanh(input) : nd::exp(input)) * -1., 0));
    runAllWays(graph, {z, destroyed, picked, spied, before}, {{which, choice}, {p, input}});
  }
  // Of inputs of the graph, of results, and of another view.
  const Symbol again = Pick().call({which, picked, p});
  const NDArray one = single(1, INT64), zero = single(0, INT64);
  EXPECT_TRUE(runAllWays(graph, {again, x, y}, {{which, one}, {p, input}}).equalsTo(input, 0));
  EXPECT_TRUE(runAllWays(graph, {again, x, y}, {{which, zero}, {p, input}}).equalsTo(nd::tanh(input), 0));
  NDArray left(input), right(input * 2.), index(one);
  auto eager = ops::OpRegistrator::getInstance().find("pick")->evaluate({&index, &left, &right});
  EXPECT_TRUE(eager.at(0)->equalsTo(right, 0));
  EXPECT_NE(eager.at(0)->buffer(), right.buffer()) << "a call by name makes an array of its own";
}

TEST(OperationClass, HiddenOutputsBelongToOnePlan) {
  graph::Graph graph;
  const Symbol x = graph.placeholder("x", FLOAT32, {-1});
  const auto first = CountRuns()({x}), second = CountRuns()({x});
  ASSERT_EQ(2u, first.size()) << "hidden outputs are not returned";
  EXPECT_EQ(1, CountRuns().call({x}).output()) << "the default output";
  const std::vector<std::string> names{first[0].key(), second[0].key()};
  graph::Session session(graph, {.results = names}), other(graph, {.results = names});
  const auto counts = [](graph::Session& of, const NDArray& input) {
    const auto results = of.run({{"x", input}});
    EXPECT_EQ(results[0].e<LongType>(0), -results[0].e<LongType>(1));
    EXPECT_EQ(results[0].e<LongType>(0), results[1].e<LongType>(0)) << "each node has its own";
    return results[0].e<LongType>(0);
  };
  const NDArray two = counted({2}, 0, 1), three = counted({3}, 0, 1);
  for (LongType run = 1; run < 5; run++) EXPECT_EQ(run, counts(session, two));
  EXPECT_EQ(1, counts(session, three)) << "another plan";
  EXPECT_EQ(5, counts(session, two));
  EXPECT_EQ(1, counts(other, two)) << "another session";
  const std::unique_ptr<graph::Graph> clone(graph.clone());
  graph::Session ofClone(*clone, {.results = names});
  EXPECT_EQ(1, counts(ofClone, two));
  // Calls by name begin anew.
  NDArray array(two);
  ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find("count_runs");
  for (int call = 0; call < 3; call++) EXPECT_EQ(1, op->evaluate({&array}).at(0)->e<LongType>(0));
  // Each thread has a plan, and so a count, or waits for one that another thread has left.
  graph::Session shared(graph, {.results = names});
  constexpr int THREADS = 4, RUNS = 50;
  std::atomic<LongType> runs{0};
  std::vector<std::thread> threads;
  std::atomic<int> repeated{0};
  for (int t = 0; t < THREADS; t++)
    threads.emplace_back([&] {
      for (int run = 0; run < RUNS; run++) {
        const auto results = shared.run({{"x", two}});
        if (results[0].e<LongType>(0) != results[1].e<LongType>(0)) repeated++;
        runs++;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0, repeated.load()) << "a plan that two threads share counts both";
  EXPECT_EQ(THREADS * RUNS, runs.load());
}

TEST(OperationClass, TheHiddenBufferGrows) {
  graph::Graph graph;
  const Symbol x = graph.placeholder("x", FLOAT32, {-1});
  const Symbol z = GrowingAdd().call({x, nd::tanh(x)});
  graph::Session session(graph, {.results = {z}});
  for (const LongType size : {3, 50, 7, 3}) {
    const NDArray input = counted({size}, 0, 1);
    EXPECT_TRUE(session.run({{x, input}})[0].equalsTo(input + nd::tanh(input), 0));
  }
  graph::NodeDescription node = GrowingAdd().makeNode({counted({2}, 0, 1), counted({2}, 0, 1)});
  NDArray two = counted({2}, 0, 1), four = counted({4}, 0, 1), nine = counted({9}, 0, 1);
  Operation::Storage storage(2);
  GrowingAdd().perform(node, {&two, &two}, storage);
  const NDArray* buffer = storage[1].array();
  EXPECT_EQ(4, buffer->lengthOf());
  GrowingAdd().perform(node, {&four, &four}, storage);
  EXPECT_EQ(buffer, storage[1].array()) << "large enough";
  GrowingAdd().perform(node, {&nine, &nine}, storage);
  EXPECT_EQ(18, storage[1].array()->lengthOf());
  EXPECT_TRUE(storage[0].array()->equalsTo(nine * 2., 0));
}

TEST(OperationClass, GeneratedGraphsGiveTheSameInEveryWay) {
  uint32_t random = 7;
  const auto draw = [&random](size_t below) {
    random = random * 1664525u + 1013904223u;
    return static_cast<size_t>(random >> 8) % below;
  };
  const NDArray input = counted({40}, -1, 0.05);
  for (int program = 0; program < 60; program++) {
    graph::Graph graph;
    const Symbol p = graph.placeholder("p", FLOAT32, {40});
    std::vector<Symbol> values{p, nd::tanh(p)};
    std::vector<NDArray> arrays{input, nd::tanh(input)};
    const auto add = [&](const Symbol& value, NDArray&& array) {
      values.push_back(value);
      arrays.push_back(std::move(array));
    };
    for (int node = 0; node < 14; node++) {
      const size_t a = draw(values.size()), b = draw(values.size());
      const Symbol x = values[a], y = values[b];
      const NDArray u(arrays[a]), v(arrays[b]);
      switch (draw(5)) {
        case 0:
        case 1:
          add(Accumulate({0.5}).call({x, y}), u + v * 0.5);
          break;
        case 2:
          add(GrowingAdd().call({x, y}), u + v);
          break;
        case 3: {
          const int which = static_cast<int>(draw(2));
          add(Pick().call({single(which, INT64), x, y}), which == 0 ? NDArray(u) : NDArray(v));
          break;
        }
        default:
          add(nd::tanh(x), nd::tanh(u));
      }
    }
    std::vector<Symbol> results;
    std::vector<size_t> places;
    for (const size_t at : {values.size() - 1, values.size() - 2, draw(values.size())}) {
      if (values[at].id() < 0) continue;
      results.push_back(values[at]);
      places.push_back(at);
    }
    SCOPED_TRACE("program " + std::to_string(program));
    runAllWays(graph, results, {{p, input}});
    std::vector<std::string> names;
    for (const Symbol& result : results) names.push_back(result.key());
    const auto actual = graph::Session(graph, {.results = names}).run({{p, input}});
    for (size_t k = 0; k < places.size(); k++) EXPECT_TRUE(arrays[places[k]].equalsTo(actual[k], 1e-5)) << k;
  }
}

#endif
