// Loads libraries of operations and calls their operations: use_plugin MYOPS CLASH NO_LIBRARY.
#include <array/NDArray.h>
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/Operation.h>
#include <graph/Session.h>
#include <ops/declarable/CustomOperations.h>
#include <ops/declarable/Gradient.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

using namespace sd;

namespace {

int failures = 0;

void check(bool ok, const char* what) {
  if (ok) return;
  failures++;
  std::printf("differs: %s\n", what);
}

/// The message of the exception that the call throws; empty when the call does not throw.
template <typename F>
std::string refusal(F call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void callOperations() {
  auto& registry = ops::OpRegistrator::getInstance();
  NDArray x('c', {2, 3}, {1, 2, 3, 4, 5, 6}, DOUBLE);
  ops::DeclarableOp* tear_apart = registry.getOperation("tear_apart");
  check(registry.getOperation(tear_apart->getOpHash()) == tear_apart, "by hash");
  auto rows = tear_apart->evaluate({&x}, {1});
  check(rows.size() == 2 && rows.at(0)->isSameShape({3}) && rows.at(1)->e<double>(2) == 6, "rows");
  auto elements = tear_apart->evaluate({&x}, {0, 1});
  check(elements.size() == 1 && elements.at(0)->isSameShape({2, 3}), "the whole array");
  check(tear_apart->evaluate({&x}).status() == Status::VALIDATION, "no dimensions");
  check(has(refusal([&] { tear_apart->evaluate({&x}, {2}); }), "[tear_apart] dimension 2 is outside 0..1"),
        "dimension 2");
  check(has(refusal([&] { tear_apart->evaluate({&x}, {-1}); }), "[tear_apart] dimension -1"), "dimension -1");

  NDArray rate('c', {3}, {1, 2, 3}, DOUBLE);
  auto grown = registry.getOperation("logistic")->evaluate({&x, &rate});
  for (int i = 0; i < 6; i++)
    check(grown.at(0)->e<double>(i) == (i % 3 + 1) * x.e<double>(i) * (1 - x.e<double>(i)), "logistic");

  auto same = registry.getOperation("rescale")->evaluate({&x}, {2, 1}, {}, {}, {}, true);
  check(same.at(0) == &x && x.e<double>(1, 2) == 13, "in place");
}

ops::ArgumentValue number(double value) {
  ops::ArgumentValue result;
  result.form = ops::ArgumentValue::Form::Numbers;
  result.numbers = {value};
  return result;
}

/// An operation with a schema: calls by name and by position, gradient, inference.
void callSoftLimit() {
  auto& registry = ops::OpRegistrator::getInstance();
  ops::DeclarableOp& op = *registry.getOperation("soft_limit");
  check(registry.getOperation("SoftLimit") == &op, "by another name");
  NDArray x('c', {2, 3}, {-4, -1, 0, 0.5, 2, 6}, DOUBLE), z('c', {2, 3}, DOUBLE);
  graph::Context named(1);
  named.setInputArray(0, &x);
  named.setOutputArray(0, &z);
  named.setArgument("limit", number(2));
  check(op.execute(&named) == Status::OK, "a call by name");
  auto positional = op.evaluate({&x}, {2.0});
  check(positional.at(0)->equalsTo(z, 0), "a call by position");

  NDArray ones('c', {2, 3}, {1, 1, 1, 1, 1, 1}, DOUBLE);
  const auto gradient = ops::gradientsOf(op, named, {&ones});
  const double h = 1e-5;
  NDArray above = x + h, below = x - h;
  auto high = op.evaluate({&above}, {2.0}), low = op.evaluate({&below}, {2.0});
  for (int i = 0; i < 6; i++) {
    check(std::fabs(z.e<double>(i) - 2 * std::tanh(x.e<double>(i) / 2)) < 1e-12, "soft_limit");
    const double expected = (high.at(0)->e<double>(i) - low.at(0)->e<double>(i)) / (2 * h);
    check(std::fabs(gradient.at(0)->e<double>(i) - expected) < 1e-8, "gradient");
  }
  check(std::fabs(op.evaluate({&x}).at(0)->e<double>(0) - std::tanh(-4.0)) < 1e-12, "the default");

  graph::Context defaults(1);
  const ops::PartialShape unknown(FLOAT32, {-1, 3});
  const auto shapes = op.infer({unknown}, defaults);
  check(shapes.size() == 1 && shapes[0].type() == FLOAT32 && shapes[0].text() == unknown.text(), "an unknown size");
  check(!op.infer({ops::PartialShape(DOUBLE)}, defaults).at(0).hasRank(), "an unknown rank");

  check(has(refusal([&] { op.evaluate({&x}, {-1.0}); }), "[soft_limit] argument 'limit': -1 is outside"),
        "a negative limit");
  graph::Context misspelt(1);
  misspelt.setInputArray(0, &x);
  misspelt.setArgument("limits", number(2));
  check(has(refusal([&] { op.execute(&misspelt); }), "did you mean 'limit'?"), "a misspelt name");
}

/// Classes of operations, by name.
void callClasses() {
  auto& registry = ops::OpRegistrator::getInstance();
  NDArray x('c', {3}, {1, 2, 3}, FLOAT32), y('c', {3}, {10, 20, 30}, FLOAT32), one(FLOAT32), two(FLOAT32), which(INT32);
  one.p<float>(0, 1);
  two.p<float>(0, 2);
  which.p<int>(0, 1);
  check(registry.find("typed_add")->evaluate({&one, &two}).at(0)->e<float>(0) == 3, "typed_add");
  check(has(refusal([&] {
              registry.find("typed_add")->evaluate({&one, &two}, {}, {}, {}, {DOUBLE});
            }),
            "[typed_add] input 0 has type FLOAT32 instead of DOUBLE"),
        "another type");
  check(registry.find("accumulate")->evaluate({&x, &y}, {0.5}).at(0)->e<float>(2) == 18, "accumulate");
  check(x.e<float>(2) == 3, "the sum keeps its values");
  check(registry.find("growing_add")->evaluate({&x, &y}).at(0)->e<float>(1) == 22, "growing_add");
  check(registry.find("pick")->evaluate({&which, &x, &y}).at(0)->e<float>(0) == 10, "pick");
}

/// The same in a graph, whose contracts are found by name.
void useClassesInGraphs() {
  graph::Graph graph;
  const nd::Symbol x = graph.placeholder("x", FLOAT32, {3}), which = graph.placeholder("which", INT32, {});
  const auto accumulate = graph::Operation::of("accumulate"), growing = graph::Operation::of("growing_add"),
             pick = graph::Operation::of("pick");
  check(!accumulate->destroyMap().empty() && growing->hiddenOutputs() == 1 && pick->viewMap().at(0).size() == 2,
        "contracts");
  const nd::Symbol sum = growing->call({x, x}), more = accumulate->call({sum * 2, x}), all = more + sum;
  const nd::Symbol z = pick->call({which, sum, all}), gradient = nd::grad(all, {x})[0];
  graph::Session session(graph, {.results = {z, gradient}});
  NDArray input('c', {3}, {1, 2, 3}, FLOAT32), number(INT32);
  for (const int choice : {0, 1, 0}) {
    number.p<int>(0, choice);
    const auto results = session.run({{x, input}, {which, number}});
    check(results[0].e<float>(2) == (choice == 0 ? 6 : 21), "the sum or its multiple");
    check(results[1].e<float>(0) == 7, "the gradient");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string myops = argv[1], clash = argv[2], noLibrary = argv[3];
  auto& registry = ops::OpRegistrator::getInstance();
  const int before = registry.numberOfOperations();

  const auto loaded = ops::loadOpLibrary(myops);
  for (const char* name : {"tear_apart", "soft_limit", "rescale", "logistic", "SoftLimit", "typed_add", "accumulate",
                           "growing_add", "pick"})
    check(std::count(loaded.operations.begin(), loaded.operations.end(), name) == 1, name);
  check(loaded.operations.size() == 9 && registry.numberOfOperations() == before + 8, "number of operations");
  check(has(registry.libraryOf(registry.find("tear_apart")), "myops"), "the library of an operation");
  callOperations();
  callSoftLimit();
  callClasses();
  useClassesInGraphs();

  check(ops::loadOpLibrary(myops).operations.empty(), "loaded twice");
  const ops::DeclarableOp* tear_apart = registry.find("tear_apart");
  for (int attempt = 0; attempt < 2; attempt++) {
    const std::string why = refusal([&] { ops::loadOpLibrary(clash); });
    check(has(why, "'tear_apart'") && has(why, "myops") && has(why, "clash"), "the message names both libraries");
    check(registry.find("tear_apart") == tear_apart && registry.find("same_as_before") == nullptr,
          "nothing has changed");
  }
  check(has(refusal([&] { ops::loadOpLibrary("no/such/file.so"); }), "no/such/file.so"), "a missing file");
  check(has(refusal([&] { ops::loadOpLibrary(noLibrary); }), noLibrary), "a file that is not a library");
  check(registry.numberOfOperations() == before + 8, "number of operations at the end");
  callOperations();
  if (failures == 0) std::printf("ok use_plugin\n");
  return failures != 0;
}
