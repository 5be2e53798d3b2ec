// Values of plans that are parts of other values, and values that are made in parts: no step copies them.
#include <graph/Graph.h>
#include <graph/Session.h>
#include <gtest/gtest.h>
#include <ops/declarable/OpRegistrator.h>

#include <cstring>
#include <string>

#include "layers_tests/AllocationCount.h"
#include "layers_tests/PassTesting.h"

using namespace sd;
using namespace sd::graph;
using passes::sample;

namespace {

using Arguments = passes::Small::Arguments;

/// A graph whose values are numbers: placeholders and variables below 0.
class Model {
 public:
  int input() {
    _graph.getVariableSpace()->putVariable(--_variable, new Variable(true));
    return _variable;
  }
  int variable(const NDArray& array, bool isConstant = false) {
    auto* made = new Variable(new NDArray(array), nullptr, --_variable);
    if (isConstant) made->setVariableType(CONSTANT);
    _graph.getVariableSpace()->putVariable(_variable, made);
    return _variable;
  }
  std::pair<int, int> call(const char* name, const std::vector<std::pair<int, int>>& inputs,
                           const Arguments& arguments = {}) {
    auto* node = new Node(ops::OpRegistrator::getInstance().find(name), ++_node);
    for (const auto& [argument, value] : arguments) node->setArgument(argument, value);
    for (const auto& [id, output] : inputs) node->pickInput(id, output);
    _graph.addNode(node);
    return {_node, 0};
  }
  std::pair<int, int> call(const char* name, int input, const Arguments& arguments = {}) {
    return call(name, {{input, 0}}, arguments);
  }
  std::unique_ptr<Session> session(const std::vector<std::pair<int, int>>& results, bool inPlace = true) {
    SessionOptions options;
    for (const auto& [id, output] : results)
      options.results.push_back(std::to_string(id) + (output > 0 ? ":" + std::to_string(output) : ""));
    options.withoutPasses = {"all"};
    options.inPlace = inPlace;
    return std::make_unique<Session>(_graph, options);
  }
  Graph& graph() { return _graph; }

 private:
  Graph _graph;
  int _variable = 0, _node = 0;
};

/// How many steps the plan of the last run has.
int stepsOf(const Session& session) { return std::stoi(session.text()); }

NDArray evaluated(const char* name, const NDArray& x, const Arguments& arguments, int output = 0) {
  Context block(1);
  block.setInputArray(0, const_cast<NDArray*>(&x));
  block.callByName();
  for (const auto& [argument, value] : arguments) block.setArgument(argument, value);
  EXPECT_EQ(ops::OpRegistrator::getInstance().find(name)->execute(&block), Status::OK);
  return *block.fastpath_out()[static_cast<size_t>(output)];
}

bool isSame(const NDArray& a, const NDArray& b) {
  return a.isSameShape(b) && a.dataType() == b.dataType() && a.equalsTo(b, 0);
}

struct Cut {
  const char* name;
  Arguments arguments;
  int output;
  bool isView;
};

}  // namespace

TEST(PlanViews, PartsOfInputsVariablesAndValuesAreNoSteps) {
  const NDArray x = sample({4, 3, 2});
  const std::vector<Cut> cuts = {
      {"reshape", {{"shape", ops::integersArgument({6, -1})}}, 0, true},
      {"expand_dims", {{"axis", ops::integersArgument({1})}}, 0, true},
      {"flatten", {}, 0, true},
      {"flatten_2d", {{"axis", ops::integersArgument({1})}}, 0, true},
      {"identity", {}, 0, true},
      {"slice", {{"begin", ops::integersArgument({1, 0, 0})}, {"size", ops::integersArgument({2, 3, 2})}}, 0, true},
      {"slice", {{"begin", ops::integersArgument({1, 0, 0})}, {"size", ops::integersArgument({-1, -1, -1})}}, 0, true},
      {"slice", {{"begin", ops::integersArgument({2, 1, 0})}, {"size", ops::integersArgument({1, 2, 2})}}, 0, true},
      {"slice", {{"begin", ops::integersArgument({2, 1, 1})}, {"size", ops::integersArgument({1, 1, 1})}}, 0, true},
      {"slice", {{"begin", ops::integersArgument({0, 1, 0})}, {"size", ops::integersArgument({2, 2, 2})}}, 0, false},
      {"slice", {{"begin", ops::integersArgument({0, 0, 1})}, {"size", ops::integersArgument({1, 2, 1})}}, 0, false},
      {"strided_slice",
       {{"begin", ops::integersArgument({1})},
        {"end", ops::integersArgument({3})},
        {"stride", ops::integersArgument({1})}},
       0,
       true},
      {"strided_slice",
       {{"begin", ops::integersArgument({-3})},
        {"end", ops::integersArgument({4})},
        {"stride", ops::integersArgument({1})}},
       0,
       true},
      {"strided_slice",
       {{"begin", ops::integersArgument({0})},
        {"end", ops::integersArgument({4})},
        {"stride", ops::integersArgument({2})}},
       0,
       false},
      {"strided_slice",
       {{"begin", ops::integersArgument({2})},
        {"end", ops::integersArgument({4})},
        {"stride", ops::integersArgument({2})}},
       0,
       true},
      {"strided_slice",
       {{"begin", ops::integersArgument({3})},
        {"end", ops::integersArgument({0})},
        {"stride", ops::integersArgument({-1})}},
       0,
       false},
      {"strided_slice",
       {{"begin", ops::integersArgument({-2})},
        {"end", ops::integersArgument({0})},
        {"stride", ops::integersArgument({1})},
        {"shrink_axis_mask", ops::integersArgument({1})}},
       0,
       true},
      {"strided_slice",
       {{"begin", ops::integersArgument({3, 1})},
        {"end", ops::integersArgument({0, 2})},
        {"stride", ops::integersArgument({1, 1})},
        {"shrink_axis_mask", ops::integersArgument({3})}},
       0,
       true},
      {"strided_slice",
       {{"begin", ops::integersArgument({0, 1, 0})},
        {"end", ops::integersArgument({0, 3, 0})},
        {"stride", ops::integersArgument({1, 1, 1})},
        {"new_axis_mask", ops::integersArgument({1})},
        {"ellipsis_mask", ops::integersArgument({4})}},
       0,
       true},
      {"strided_slice",
       {{"begin", ops::integersArgument({0, 1})},
        {"end", ops::integersArgument({0, 2})},
        {"stride", ops::integersArgument({1, 1})},
        {"ellipsis_mask", ops::integersArgument({1})}},
       0,
       false},
      {"strided_slice",
       {{"begin", ops::integersArgument({2, 1})},
        {"end", ops::integersArgument({3, 0})},
        {"stride", ops::integersArgument({1, 1})},
        {"begin_mask", ops::integersArgument({1})},
        {"end_mask", ops::integersArgument({2})}},
       0,
       false},
      {"strided_slice",
       {{"begin", ops::integersArgument({2, 5})},
        {"end", ops::integersArgument({3, 0})},
        {"stride", ops::integersArgument({1, 1})},
        {"begin_mask", ops::integersArgument({2})},
        {"end_mask", ops::integersArgument({2})}},
       0,
       true},
      {"split", {{"num_splits", ops::integersArgument({2})}, {"axis", ops::integersArgument({0})}}, 1, true},
      {"split", {{"num_splits", ops::integersArgument({3})}, {"axis", ops::integersArgument({1})}}, 1, false},
      {"unstack", {{"axis", ops::integersArgument({0})}}, 2, true},
      {"unstack", {{"axis", ops::integersArgument({-3})}}, 3, true},
      {"unstack", {{"axis", ops::integersArgument({1})}}, 2, false},
      {"permute", {{"permutation", ops::integersArgument({1, 0, 2})}}, 0, false},
  };
  for (const Cut& cut : cuts)
    for (const char* source : {"input", "variable", "constant", "value", "result"}) {
      SCOPED_TRACE(std::string(cut.name) + " of " + source);
      Model model;
      const std::string kind = source;
      const int from = kind == "variable"   ? model.variable(x)
                       : kind == "constant" ? model.variable(x, true)
                                            : model.input();
      std::pair<int, int> value(from, 0);
      const bool isComputed = kind == "value" || kind == "result";
      if (isComputed) value = model.call("Neg", {value});
      auto part = model.call(cut.name, {value}, cut.arguments);
      part.second = cut.output;
      const auto end = model.call("Abs", {part});
      std::vector<std::pair<int, int>> results{end};
      if (kind == "result") results.push_back(value);
      const auto session = model.session(results);
      const NDArray given = isComputed ? evaluated("Neg", x, {}) : x;
      const NDArray expected = evaluated("Abs", evaluated(cut.name, given, cut.arguments, cut.output), {});
      for (int run = 0; run < 2; run++) {
        std::vector<Feed> feeds;
        const NDArray copy = x;  // at another address in each run
        if (from == -1 && kind != "variable" && kind != "constant") feeds.emplace_back(-1, copy);
        const auto values = session->run(feeds);
        EXPECT_TRUE(isSame(values[0], expected)) << values[0].asString(30) << " not " << expected.asString(30);
        EXPECT_TRUE(isSame(copy, x));
        if (kind == "result") {
          EXPECT_TRUE(isSame(values[1], given));
        }
      }
      // A small part of a value that is not needed otherwise is copied.
      const bool isStep = !cut.isView || (kind == "value" && std::string(cut.name).find("slice") != std::string::npos &&
                                          4 * expected.lengthOf() < given.lengthOf());
      EXPECT_EQ(stepsOf(*session), (isComputed ? 2 : 1) + (isStep ? 1 : 0)) << session->text();
    }
}

TEST(PlanViews, GivenSizesDivideAnArray) {
  Model model;
  const int x = model.input(), sizes = model.variable(NDArray('c', {3}, {1, 0, 3}, INT64), true);
  const auto parts = model.call("split_v", {{x, 0}, {sizes, 0}}, {{"axis", ops::integersArgument({0})}});
  const auto even = model.variable(NDArray('c', {2}, {2, 2}, INT64), true);
  const auto halves = model.call("split_v", {{x, 0}, {even, 0}}, {{"axis", ops::integersArgument({0})}});
  const auto last = model.call("Neg", {{halves.first, 1}});
  const auto session = model.session({last, {parts.first, 2}});
  const NDArray array = sample({4, 3});
  const auto values = session->run({{x, array}});
  EXPECT_TRUE(isSame(values[0], evaluated("Neg", array({2, 4, 0, 0}), {})));
  EXPECT_TRUE(isSame(values[1], array({1, 4, 0, 0})));
  EXPECT_EQ(stepsOf(*session), 2);  // an empty part, and a result, are no views
}

TEST(PlanViews, ResultsAreCopies) {
  Model model;
  const int x = model.input();
  const auto row =
      model.call("slice", x, {{"begin", ops::integersArgument({1, 0})}, {"size", ops::integersArgument({1, 3})}});
  const auto same = model.call("reshape", x, {{"shape", ops::integersArgument({6})}});
  const auto session = model.session({row, same});
  NDArray array = sample({2, 3});
  const NDArray before = array;
  const auto values = session->run({{x, array}});
  array.assign(100.f);
  EXPECT_TRUE(isSame(values[0], before({1, 2, 0, 0}).reshape('c', {1, 3})));
  EXPECT_TRUE(isSame(values[1], before.reshape('c', {6})));
}

TEST(PlanViews, AnotherLayoutOfTheInputIsAnotherPlan) {
  Model model;
  const int x = model.input();
  const auto session =
      model.session({model.call("Neg", {model.call("reshape", x, {{"shape", ops::integersArgument({3, 2})}})})});
  const NDArray array = sample({2, 3});
  const NDArray expected = evaluated("Neg", array.reshape('c', {3, 2}), {});
  EXPECT_TRUE(isSame(session->run({{x, array}})[0], expected));
  EXPECT_EQ(stepsOf(*session), 1);
  EXPECT_TRUE(isSame(session->run({{x, array.dup('f')}})[0], expected));
  EXPECT_EQ(stepsOf(*session), 2);
  NDArray wide('c', {2, 6}, FLOAT32);
  NDArray strided = wide({0, 0, 0, 3});
  strided.assign(array);
  EXPECT_TRUE(isSame(session->run({{x, strided}})[0], expected));
  // A dense part of a larger array.
  NDArray tall('c', {5, 3}, FLOAT32);
  NDArray rows = tall({2, 4, 0, 0});
  rows.assign(array);
  EXPECT_TRUE(isSame(session->run({{x, rows}})[0], expected));
}

TEST(PlanViews, VariablesMayGetOtherArraysAndElements) {
  Model model;
  const int w = model.variable(sample({2, 3}));
  const auto session =
      model.session({model.call("Neg", {model.call("reshape", w, {{"shape", ops::integersArgument({6})}})})});
  EXPECT_TRUE(isSame(session->run({})[0], evaluated("Neg", sample({6}), {})));
  Variable* variable = model.graph().getVariableSpace()->getVariable(w);
  variable->getNDArray()->assign(3.f);
  EXPECT_EQ(session->run({})[0].e<float>(5), -3);
  NDArray other = sample({2, 3});
  other.assign(7.f);
  delete variable->getNDArray();
  variable->setNDArray(new NDArray(other));
  EXPECT_EQ(session->run({})[0].e<float>(5), -7);
}

TEST(PlanViews, OtherInputsAndResultsAllocateNothing) {
  Model model;
  const int x = model.input();
  const auto rows =
      model.call("split", x, {{"num_splits", ops::integersArgument({2})}, {"axis", ops::integersArgument({0})}});
  const auto joined = model.call("concat", {model.call("Abs", {{rows.first, 1}}), model.call("Neg", {rows})},
                                 {{"axis", ops::integersArgument({0})}});
  const auto session = model.session({joined});
  const NDArray first = sample({4, 8}), second = sample({4, 8}) * 2.f;
  NDArray z('c', {4, 8}, FLOAT32), other = z;
  const std::vector<const NDArray*> inputs[] = {{&first}, {&second}};
  const std::vector<NDArray*> results[] = {{&z}, {&other}};
  session->run(inputs[0], results[0]);
  const long long before = sd_test::allocationCount();
  for (int run = 0; run < 4; run++) session->run(inputs[run % 2], results[run / 2]);
  EXPECT_EQ(sd_test::allocationCount() - before, 0);
  for (const NDArray* result : {&z, &other})
    for (int i = 0; i < 16; i++) {
      EXPECT_EQ(result->e<float>(i), std::abs(second.e<float>(16 + i)));
      EXPECT_EQ(result->e<float>(16 + i), -second.e<float>(i));
    }
  EXPECT_EQ(stepsOf(*session), 2);
}

TEST(PlanViews, SmallPartsOfValuesAreCopiedAndFreeTheRest) {
  const auto peakOf = [](LongType rows) {
    Model model;
    const int x = model.input();
    const auto value = model.call("reverse", x, {{"axis", ops::integersArgument({1})}});
    auto at = model.call("slice", {value},
                         {{"begin", ops::integersArgument({0, 0})}, {"size", ops::integersArgument({rows, 64})}});
    std::pair<int, int> kept = at;
    for (int k = 0; k < 3; k++) at = model.call("reverse", {at}, {{"axis", ops::integersArgument({1})}});
    const auto session = model.session({model.call("add", {at, kept})}, false);
    session->run({{x, sample({64, 64})}});
    return session->peakBytes() / (64 * 4);
  };
  EXPECT_EQ(peakOf(16), 64 + 16 + 16);
  EXPECT_EQ(peakOf(8), 64 + 8);
}

// ---- values made in parts

TEST(PlanViews, PartsAreComputedWhereTheyAreJoined) {
  for (const bool isResult : {false, true})
    for (const char* name : {"concat", "stack", "parallel_stack"}) {
      SCOPED_TRACE(name);
      Model model;
      const int x = model.input(), y = model.input();
      const auto a = model.call("Neg", x), b = model.call("Abs", y), c = model.call("Square", {a});
      const Arguments axis = name[0] == 'p' ? Arguments{} : Arguments{{"axis", ops::integersArgument({0})}};
      const auto all = model.call(name, {a, b, c}, axis);
      const auto end = model.call("reverse", {all}, {{"axis", ops::integersArgument({1})}});
      const auto again = model.call("Tanh", {a});  // a part is read after the whole is there
      const auto session = model.session(isResult ? std::vector{end, again, all} : std::vector{end, again});
      const NDArray p = sample({8, 32}), q = sample({8, 32}) * 3.f;
      std::vector<NDArray> values;
      for (int run = 0; run < 3; run++) values = session->run({{x, p}, {y, q}});
      EXPECT_EQ(stepsOf(*session), 5) << session->text();
      const NDArray parts[] = {evaluated("Neg", p, {}), evaluated("Abs", q, {}),
                               evaluated("Square", evaluated("Neg", p, {}), {})};
      EXPECT_TRUE(isSame(values[1], evaluated("Tanh", parts[0], {})));
      NDArray expected('c', {24, 32}, FLOAT32);
      for (int k = 0; k < 3; k++) {
        NDArray place = expected({8 * k, 8 * (k + 1), 0, 0});
        place.assign(parts[k]);
      }
      if (name[0] != 'c') expected = expected.reshape('c', {3, 8, 32});
      EXPECT_TRUE(isSame(values[0], evaluated("reverse", expected, {{"axis", ops::integersArgument({1})}})));
      if (isResult) {
        EXPECT_TRUE(isSame(values[2], expected));
      }
      // The joined value and nothing else.
      EXPECT_EQ(session->peakBytes(), isResult ? 0 : 3 * 8 * 32 * 4);
    }
}

TEST(PlanViews, PartsThatCannotBeSharedAreCopied) {
  const NDArray p = sample({2, 3}), q = evaluated("Neg", p, {});
  const auto joined = [&](const NDArray& a, const NDArray& b) {
    NDArray all('c', {4, 3}, FLOAT32);
    NDArray upper = all({0, 2, 0, 0}), lower = all({2, 4, 0, 0});
    upper.assign(a);
    lower.assign(b);
    return all;
  };
  struct Row {
    const char* what;
    int steps;
    NDArray expected;
    std::function<std::vector<std::pair<int, int>>(Model&, std::pair<int, int> x, std::pair<int, int> y)> build;
  };
  const Arguments rows{{"axis", ops::integersArgument({0})}};
  const std::vector<Row> cases = {
      {"an input", 2, joined(p, q),
       [&](Model& m, auto x, auto y) {
         return std::vector{m.call("concat", {x, y}, rows)};
       }},
      {"the same value twice", 2, joined(q, q),
       [&](Model& m, auto, auto y) {
         return std::vector{m.call("concat", {y, y}, rows)};
       }},
      {"a result", 3, joined(q, evaluated("Abs", p, {})),
       [&](Model& m, auto x, auto y) {
         return std::vector{m.call("concat", {y, m.call("Abs", {x})}, rows), y};
       }},
      {"a view", 3, joined(q, evaluated("Abs", p, {})),
       [&](Model& m, auto x, auto y) {
         const auto view = m.call("reshape", {m.call("reshape", {y}, {{"shape", ops::integersArgument({6})}})},
                                  {{"shape", ops::integersArgument({2, 3})}});
         return std::vector{m.call("concat", {view, m.call("Abs", {x})}, rows)};
       }},
      {"a part of another one", 3, joined(evaluated("Abs", p, {}), q),
       [&](Model& m, auto x, auto y) {
         const auto abs = m.call("Abs", {x});
         m.call("concat", {y, abs}, rows);
         return std::vector{m.call("concat", {abs, y}, rows)};
       }},
  };
  for (const Row& row : cases) {
    SCOPED_TRACE(row.what);
    Model model;
    const std::pair<int, int> x(model.input(), 0);
    const auto y = model.call("Neg", {x});
    const auto results = row.build(model, x, y);
    const auto session = model.session(results);
    const auto values = session->run({{x.first, p}});
    EXPECT_TRUE(isSame(values[0], row.expected)) << values[0].asString(30);
    EXPECT_EQ(stepsOf(*session), row.steps) << session->text();
  }
}

// The joined value would live as long as the two large ones between its parts.
TEST(PlanViews, PartsAreCopiedWhereTheirPlaceWouldBeKeptForLong) {
  Model model;
  const int x = model.input();
  const Arguments turned{{"axis", ops::integersArgument({1})}};
  const auto early = model.call("Neg", x);
  const auto large =
      model.call("reverse", {model.call("tile", {early}, {{"repeats", ops::integersArgument({6, 1})}})}, turned);
  const auto late = model.call("reverse", {large}, turned);
  const auto all = model.call("concat", {early, late}, {{"axis", ops::integersArgument({0})}});
  const auto session = model.session({model.call("Abs", {all})}, false);
  const NDArray array = sample({16, 64});
  const auto values = session->run({{x, array}});
  for (int k = 0; k < 7; k++)
    EXPECT_TRUE(isSame(values[0]({16 * k, 16 * (k + 1), 0, 0}), evaluated("Abs", array, {}))) << k;
  EXPECT_EQ(stepsOf(*session), 6);
  EXPECT_EQ(session->peakBytes() / (16 * 64 * 4), 14);
}

// Long steps, which run side by side, over memory that is used again.
TEST(PlanViews, PartsSideBySide) {
  Model model;
  const int x = model.input();
  std::pair<int, int> at(x, 0);
  for (int layer = 0; layer < 4; layer++) {
    const auto halves =
        model.call("split", {at}, {{"num_splits", ops::integersArgument({2})}, {"axis", ops::integersArgument({0})}});
    std::vector<std::pair<int, int>> parts;
    for (int k = 0; k < 2; k++) {
      auto part = model.call("Tanh", {{halves.first, k}});
      for (int steps = 0; steps < 2; steps++) part = model.call(k == 0 ? "sigmoid" : "softsign", {part});
      parts.push_back(part);
    }
    at = model.call("concat", {parts[1], parts[0]}, {{"axis", ops::integersArgument({0})}});
  }
  const auto session = model.session({at});
  const NDArray array = sample({200, 500});
  NDArray expected = array;
  for (int layer = 0; layer < 4; layer++) {
    NDArray parts[2];
    for (int k = 0; k < 2; k++) {
      parts[k] = evaluated("Tanh", expected({100 * k, 100 * (k + 1), 0, 0}).dup('c'), {});
      for (int steps = 0; steps < 2; steps++) parts[k] = evaluated(k == 0 ? "sigmoid" : "softsign", parts[k], {});
    }
    NDArray lower = expected({100, 200, 0, 0}), upper = expected({0, 100, 0, 0});
    upper.assign(parts[1]);
    lower.assign(parts[0]);
  }
  for (int run = 0; run < 50; run++) ASSERT_TRUE(isSame(session->run({{x, array}})[0], expected)) << "run " << run;
  EXPECT_EQ(stepsOf(*session), 24);
}

// Views of values whose shapes are found by a run, and of values of an earlier segment, in later segments.
TEST(PlanViews, ViewsInLaterSegments) {
  Model model;
  const int x = model.input();
  const auto doubled = model.call("add", {{x, 0}, {x, 0}});
  const auto given =
      model.call("reshape", x, {{"shape", ops::integersArgument({2, -1})}});  // bound, and read in both segments
  const auto first = model.call("Neg", {given});
  const auto found = model.call("unique", {model.call("flatten", {doubled})});
  const auto tail =
      model.call("slice", {found}, {{"begin", ops::integersArgument({1})}, {"size", ops::integersArgument({-1})}});
  const auto rows =
      model.call("split", {given}, {{"num_splits", ops::integersArgument({2})}, {"axis", ops::integersArgument({0})}});
  const auto upper = model.call("Abs", {rows}), lower = model.call("Neg", {{rows.first, 1}});
  const auto joined = model.call("concat", {lower, upper}, {{"axis", ops::integersArgument({0})}});
  const auto sum = model.call("reduce_sum", {tail});
  const auto session = model.session({model.call("add", {joined, sum}), first});
  for (int run = 0; run < 4; run++) {
    const std::vector<double> values =
        run % 2 == 0 ? std::vector<double>{1, 2, 2, 3} : std::vector<double>{4, 4, 4, -6};
    const NDArray array('c', {4}, values, FLOAT32);
    const double expected = run % 2 == 0 ? 4 + 6 : -12;  // of the different ones, doubled, but the first
    const auto results = session->run({{x, array}});
    for (int k = 0; k < 2; k++) {
      EXPECT_EQ(results[0].e<double>(k), expected - values[static_cast<size_t>(2 + k)]) << run;
      EXPECT_EQ(results[0].e<double>(2 + k), expected + std::abs(values[static_cast<size_t>(k)])) << run;
      EXPECT_EQ(results[1].e<double>(k), -values[static_cast<size_t>(k)]) << run;
    }
  }
}
