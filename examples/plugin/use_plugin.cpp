// Loads libraries of operations and calls their operations: use_plugin MYOPS CLASH NO_LIBRARY.
#include <array/NDArray.h>
#include <ops/declarable/CustomOperations.h>

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

  // The gradient against central differences.
  ops::DeclarableOp *limit = registry.getOperation("soft_limit"), *slope = registry.getOperation("soft_limit_bp");
  NDArray ones('c', {2, 3}, {1, 1, 1, 1, 1, 1}, DOUBLE);
  auto gradient = slope->evaluate({&x, &ones}, {2.0});
  const double h = 1e-5;
  NDArray above = x + h, below = x - h;
  auto high = limit->evaluate({&above}, {2.0}), low = limit->evaluate({&below}, {2.0});
  for (int i = 0; i < 6; i++) {
    const double expected = (high.at(0)->e<double>(i) - low.at(0)->e<double>(i)) / (2 * h);
    check(std::fabs(gradient.at(0)->e<double>(i) - expected) < 1e-8, "gradient");
    check(std::fabs(high.at(0)->e<double>(i) - 2 * std::tanh((x.e<double>(i) + h) / 2)) < 1e-12, "soft_limit");
  }
  check(registry.getOperation("SoftLimit") == limit, "by another name");
  check(has(refusal([&] { limit->evaluate({&x}, {-1.0}); }), "[soft_limit]"), "a negative limit");

  NDArray rate('c', {3}, {1, 2, 3}, DOUBLE);
  auto grown = registry.getOperation("logistic")->evaluate({&x, &rate});
  for (int i = 0; i < 6; i++)
    check(grown.at(0)->e<double>(i) == (i % 3 + 1) * x.e<double>(i) * (1 - x.e<double>(i)), "logistic");

  auto same = registry.getOperation("rescale")->evaluate({&x}, {2, 1}, {}, {}, {}, true);
  check(same.at(0) == &x && x.e<double>(1, 2) == 13, "in place");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string myops = argv[1], clash = argv[2], noLibrary = argv[3];
  auto& registry = ops::OpRegistrator::getInstance();
  const int before = registry.numberOfOperations();

  const auto loaded = ops::loadOpLibrary(myops);
  for (const char* name : {"tear_apart", "soft_limit", "soft_limit_bp", "rescale", "logistic", "SoftLimit"})
    check(std::count(loaded.operations.begin(), loaded.operations.end(), name) == 1, name);
  check(loaded.operations.size() == 6 && registry.numberOfOperations() == before + 5, "number of operations");
  check(has(registry.libraryOf(registry.find("tear_apart")), "myops"), "the library of an operation");
  callOperations();

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
  check(registry.numberOfOperations() == before + 5, "number of operations at the end");
  callOperations();
  if (failures == 0) std::printf("ok use_plugin\n");
  return failures != 0;
}
