// The transform groups in every layout, in place, with other output types, and at lengths around SIMD widths.
#include "NumberedHarness.h"

using namespace sd;
using namespace sd::numbered;

namespace {

class NumberedTransform : public NumberedTest {
 protected:
  /// Runs a case on arrays of the given shape; the values repeat if the arrays are longer than they are.
  void check(const Case& c, const Dims& dims, Layout xLayout, Layout zLayout, bool inPlace) {
    const std::string how =
        textOf(dims) + " " + nameOf(xLayout) + (inPlace ? " in place" : std::string(" to ") + nameOf(zLayout));
    const Params params(c, paramType(group(), c));
    TestArray x(c.x, dims, xLayout), z(c.z, dims, zLayout);
    x.fill(Data::get().values(c.x, c.xAt, c.count));
    TestArray& target = inPlace ? x : z;
    if (run(c, how, [&] { loops::transform(group(), number(), x.in(), target.out(), params.data()); }))
      compare(c, how, target, [&](LongType i) { return i % c.count; });
  }
};

TEST_P(NumberedTransform, everyLayout) {
  forEachCase([this](const Case& c) {
    for (Layout layout : LAYOUTS) {
      check(c, {2, 3, 4, 5}, layout, layout, false);
      check(c, {2, 3, 4, 5}, layout, Layout::C, false);
      check(c, {120}, Layout::C, layout, false);
      if (c.x == c.z) check(c, {2, 3, 4, 5}, layout, layout, true);
    }
    check(c, {2, 3, 2, 2, 5}, Layout::F, Layout::Permuted, false);
    check(c, {2, 3, 2, 2, 5}, Layout::Reversed, Layout::EverySecond, false);
    check(c, {1, 120, 1}, Layout::EverySecond, Layout::C, false);
    check(c, {}, Layout::C, Layout::C, false);
  });
}

TEST_P(NumberedTransform, everyLength) {
  forEachCase([this](const Case& c) {
    for (LongType n : LENGTHS) {
      check(c, {n}, Layout::C, Layout::C, false);
      check(c, {n}, Layout::EverySecond, Layout::C, false);
      check(c, {n}, Layout::C, Layout::EverySecond, false);
      if (c.x == c.z) check(c, {n}, Layout::C, Layout::C, true);
    }
  });
}

TEST_P(NumberedTransform, emptyLeavesTheOutputAlone) {
  forEachCase([this](const Case& c) {
    const Params params(c, paramType(group(), c));
    TestArray x(c.x, {2, 0, 3}, Layout::C), z(c.z, {2, 0, 3}, Layout::C);
    if (run(c, "empty", [&] { loops::transform(group(), number(), x.in(), z.out(), params.data()); })) {
      EXPECT_TRUE(z.gapsUntouched()) << c.describe();
    }
  });
}

INSTANTIATE_TEST_SUITE_P(All, NumberedTransform,
                         ::testing::ValuesIn(operationsOf({OpGroup::TransformFloat, OpGroup::TransformSame,
                                                           OpGroup::TransformBool, OpGroup::TransformStrict,
                                                           OpGroup::TransformAny})),
                         instanceName);

}  // namespace
