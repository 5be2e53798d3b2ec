// The pairwise, scalar and broadcast groups: one grid of expected values for 20 values of x by 18 values of y, used as
// arrays of equal shape, as an array and a scalar, and as arrays that broadcast.
#include "NumberedHarness.h"

using namespace sd;
using namespace sd::numbered;

namespace {

constexpr LongType NX = 20, NY = 18;

class NumberedPair : public NumberedTest {
 protected:
  static Values xs(const Case& c) { return Data::get().values(c.x, c.xAt, NX); }
  static Values ys(const Case& c) { return Data::get().values(c.x, c.yAt, NY); }

  static auto cell() {
    return [](LongType i) { return i % (NX * NY); };
  }
  static TestArray gridX(const Case& c, const Dims& dims, Layout layout) {
    TestArray x(c.x, dims, layout);
    x.fill(xs(c), [](LongType i) { return i / NY % NX; });
    return x;
  }
  static TestArray gridY(const Case& c, const Dims& dims, Layout layout) {
    TestArray y(c.x, dims, layout);
    y.fill(ys(c), [](LongType i) { return i % NY; });
    return y;
  }
  static std::string layouts(const Dims& dims, Layout x, Layout y, Layout z) {
    return textOf(dims) + " " + nameOf(x) + ", " + nameOf(y) + " to " + nameOf(z);
  }
};

class NumberedPairwise : public NumberedPair {
 protected:
  enum class Target { Other, X, Y };

  void check(const Case& c, const Dims& dims, Layout xl, Layout yl, Layout zl, Target target = Target::Other) {
    const char* const targets[] = {"", ", in place of x", ", in place of y"};
    const std::string how = layouts(dims, xl, yl, zl) + targets[static_cast<int>(target)];
    const Params params(c, paramType(group(), c));
    TestArray x = gridX(c, dims, xl), y = gridY(c, dims, yl), z(c.z, dims, zl);
    TestArray& out = target == Target::X ? x : target == Target::Y ? y : z;
    if (run(c, how, [&] { loops::pairwise(group(), number(), x.in(), y.in(), out.out(), params.data()); }))
      compare(c, how, out, cell());
  }

  /// y has one element; x has the 20 values.
  void checkOneY(const Case& c, LongType j, const Dims& yDims, Layout layout) {
    const std::string how = "y " + textOf(yDims) + ", x " + nameOf(layout);
    const Params params(c, paramType(group(), c));
    TestArray x(c.x, {4, 5}, layout), y(c.x, yDims, Layout::C), z(c.z, {4, 5}, layout);
    x.fill(xs(c));
    y.fill(ys(c), [j](LongType) { return j; });
    if (run(c, how, [&] { loops::pairwise(group(), number(), x.in(), y.in(), z.out(), params.data()); }))
      compare(c, how, z, [j](LongType i) { return i * NY + j; });
  }
};

TEST_P(NumberedPairwise, everyLayout) {
  forEachCase([this](const Case& c) {
    for (Layout layout : LAYOUTS) {
      check(c, {4, 5, 6, 3}, layout, layout, layout);
      check(c, {NX, NY}, layout, Layout::C, Layout::C);
      check(c, {NX, NY}, Layout::C, layout, Layout::F);
      check(c, {NX * NY}, Layout::C, Layout::C, layout);
      if (c.x == c.z) {
        check(c, {4, 5, 6, 3}, layout, Layout::C, layout, Target::X);
        check(c, {4, 5, 6, 3}, Layout::C, layout, layout, Target::Y);
      }
    }
    check(c, {4, 5, 2, 3, 3}, Layout::F, Layout::Permuted, Layout::Reversed);
    check(c, {}, Layout::C, Layout::C, Layout::C);
  });
}

TEST_P(NumberedPairwise, everyLength) {
  forEachCase([this](const Case& c) {
    for (LongType n : LENGTHS) {
      check(c, {n}, Layout::C, Layout::C, Layout::C);
      check(c, {n}, Layout::EverySecond, Layout::C, Layout::C);
      check(c, {n}, Layout::C, Layout::EverySecond, Layout::EverySecond);
    }
  });
}

TEST_P(NumberedPairwise, oneElementOfY) {
  forEachCase([this](const Case& c) {
    for (LongType j = 0; j < NY; ++j) checkOneY(c, j, Dims(static_cast<size_t>(j % 3), 1), LAYOUTS[j % 7]);
  });
}

TEST_P(NumberedPairwise, emptyLeavesTheOutputAlone) {
  forEachCase([this](const Case& c) {
    const Params params(c, paramType(group(), c));
    TestArray x(c.x, {0, 3}, Layout::C), y(c.x, {0, 3}, Layout::C), z(c.z, {0, 3}, Layout::C);
    if (run(c, "empty", [&] { loops::pairwise(group(), number(), x.in(), y.in(), z.out(), params.data()); })) {
      EXPECT_TRUE(z.gapsUntouched()) << c.describe();
    }
  });
}

INSTANTIATE_TEST_SUITE_P(
    All, NumberedPairwise,
    ::testing::ValuesIn(operationsOf({OpGroup::Pairwise, OpGroup::PairwiseBool, OpGroup::PairwiseInt})), instanceName);

class NumberedScalar : public NumberedPair {
 protected:
  void check(const Case& c, LongType j, const Dims& dims, Layout xl, Layout zl, bool inPlace) {
    const std::string how =
        "scalar " + std::to_string(j) + " with " + textOf(dims) + " " + nameOf(xl) + " to " + nameOf(zl);
    const Params params(c, paramType(group(), c));
    TestArray x(c.x, dims, xl), y(c.x, {}, Layout::C), z(c.z, dims, zl);
    x.fill(xs(c));
    y.fill(ys(c), [j](LongType) { return j; });
    TestArray& out = inPlace ? x : z;
    if (run(c, how, [&] { loops::scalar(group(), number(), x.in(), y.in(), out.out(), params.data()); }))
      compare(c, how, out, [j](LongType i) { return i % NX * NY + j; });
  }

  /// One scalar per sub-array: axes {0} of [20, 18] (one per column), or {1, 2} of [18, 4, 5].
  void checkAlong(const Case& c, bool columns, Layout xl, Layout yl, Layout zl) {
    const Dims dims = columns ? Dims{NX, NY} : Dims{NY, 4, 5};
    const std::string how = "along axes, " + layouts(dims, xl, yl, zl);
    const Params params(c, paramType(group(), c));
    TestArray x(c.x, dims, xl), y(c.x, {NY}, yl), z(c.z, dims, zl);
    x.fill(xs(c), [columns](LongType i) { return columns ? i / NY : i % NX; });
    y.fill(ys(c));
    const loops::Axes axes = columns ? loops::Axes{0} : loops::Axes{1, 2};
    if (run(c, how, [&] { loops::scalarAlong(group(), number(), x.in(), y.in(), z.out(), params.data(), axes); }))
      compare(c, how, z, [columns](LongType i) { return columns ? i : i % NX * NY + i / NX; });
  }
};

TEST_P(NumberedScalar, everyLayout) {
  forEachCase([this](const Case& c) {
    for (LongType j = 0; j < NY; ++j) {
      const Layout layout = LAYOUTS[j % 7];
      check(c, j, {4, 5}, layout, LAYOUTS[j / 7], false);
      check(c, j, {2, 2, 1, 5, 1}, layout, layout, false);
      check(c, j, {}, layout, layout, false);
      if (c.x == c.z) check(c, j, {4, 5}, layout, layout, true);
    }
  });
}

TEST_P(NumberedScalar, everyLength) {
  forEachCase([this](const Case& c) {
    for (LongType n : LENGTHS) {
      check(c, n % NY, {n}, Layout::C, Layout::C, false);
      check(c, n % NY, {n}, Layout::EverySecond, Layout::C, false);
    }
  });
}

TEST_P(NumberedScalar, oneScalarForEachSubArray) {
  forEachCase([this](const Case& c) {
    for (Layout layout : LAYOUTS) {
      checkAlong(c, true, layout, Layout::C, Layout::C);
      checkAlong(c, false, Layout::C, layout, layout);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(All, NumberedScalar,
                         ::testing::ValuesIn(operationsOf({OpGroup::Scalar, OpGroup::ScalarBool, OpGroup::ScalarInt})),
                         instanceName);

class NumberedBroadcast : public NumberedPair {
 protected:
  /// NumPy broadcasting of x [20, 1] and y [18] (or the same values at rank 5) to the grid.
  void checkTrue(const Case& c, bool rankFive, Layout xl, Layout yl, Layout zl) {
    const Dims xDims = rankFive ? Dims{4, 5, 1, 1, 1} : Dims{NX, 1}, yDims = rankFive ? Dims{2, 1, 9} : Dims{NY};
    const Dims zDims = rankFive ? Dims{4, 5, 2, 1, 9} : Dims{NX, NY};
    const std::string how = "broadcast " + layouts(zDims, xl, yl, zl);
    const Params params(c, paramType(group(), c));
    TestArray x(c.x, xDims, xl), y(c.x, yDims, yl), z(c.z, zDims, zl);
    x.fill(xs(c));
    y.fill(ys(c));
    if (run(c, how, [&] { loops::trueBroadcast(group(), number(), x.in(), y.in(), z.out(), params.data()); }))
      compare(c, how, z, cell());
  }

  void checkAlong(const Case& c, bool inverse, Layout big, Layout small, Layout zl, bool inPlace) {
    const std::string how = std::string(inverse ? "inverse " : "") + "along axes, " + layouts({NX, NY}, big, small, zl);
    const Params params(c, paramType(group(), c));
    TestArray x = inverse ? TestArray(c.x, {NX}, small).fill(xs(c)) : gridX(c, {NX, NY}, big);
    TestArray y = inverse ? gridY(c, {NX, NY}, big) : TestArray(c.x, {NY}, small).fill(ys(c));
    TestArray z(c.z, {NX, NY}, zl);
    TestArray& out = inPlace ? (inverse ? y : x) : z;
    const auto call = inverse ? loops::inverseBroadcast : loops::broadcast;
    if (run(c, how, [&] { call(group(), number(), x.in(), y.in(), out.out(), params.data(), {inverse ? 0 : 1}); }))
      compare(c, how, out, cell());
  }
};

TEST_P(NumberedBroadcast, likeNumPy) {
  forEachCase([this](const Case& c) {
    for (Layout layout : LAYOUTS) {
      checkTrue(c, false, layout, Layout::C, Layout::C);
      checkTrue(c, false, Layout::C, layout, layout);
      checkTrue(c, true, layout, Layout::C, Layout::C);
      checkTrue(c, true, Layout::C, layout, layout);
    }
  });
}

TEST_P(NumberedBroadcast, alongAxes) {
  forEachCase([this](const Case& c) {
    for (Layout layout : LAYOUTS)
      for (bool inverse : {false, true}) {
        checkAlong(c, inverse, layout, Layout::C, Layout::C, false);
        checkAlong(c, inverse, Layout::C, layout, layout, false);
        if (c.x == c.z) checkAlong(c, inverse, layout, Layout::C, layout, true);
      }
  });
}

INSTANTIATE_TEST_SUITE_P(All, NumberedBroadcast,
                         ::testing::ValuesIn(operationsOf({OpGroup::Broadcast, OpGroup::BroadcastBool,
                                                           OpGroup::BroadcastInt})),
                         instanceName);

}  // namespace
