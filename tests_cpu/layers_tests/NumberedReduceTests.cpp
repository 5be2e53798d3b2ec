// Reductions of a [3, 4, 5] array over every set of axes, and of vectors of many lengths, in every layout.
#include "NumberedHarness.h"

using namespace sd;
using namespace sd::numbered;

namespace {

const Dims CUBE{3, 4, 5};
constexpr LongType CUBE_LENGTH = 60;

/// A set of axes, and the position of its results among the expected values of a case.
struct AxisSet {
  loops::Axes axes;
  LongType at;
};
const std::vector<AxisSet> AXIS_SETS = {{{}, 0},      {{0}, 1},     {{1}, 21},    {{2}, 36},
                                        {{0, 1}, 48}, {{0, 2}, 53}, {{1, 2}, 57}, {{0, 1, 2}, 60}};
constexpr LongType LINES_AT = 61;

/// The shape of the result: without the reduced dimensions, or with 1 in their place.
Dims reducedDims(const Dims& dims, const loops::Axes& axes, bool keep) {
  Dims out;
  for (size_t d = 0; d < dims.size(); ++d) {
    const bool reduced = axes.empty() || std::find(axes.begin(), axes.end(), static_cast<int>(d)) != axes.end();
    if (!reduced) out.push_back(dims[d]);
    if (reduced && keep) out.push_back(1);
  }
  return out;
}

class NumberedReduce : public NumberedTest {
 protected:
  void call(const Case& c, loops::In x, loops::Out z, const loops::Axes& axes) {
    const Params params(c, paramType(group(), c));
    if (group() == OpGroup::IndexReduce) return loops::indexReduce(number(), x, z, params.data(), axes);
    if (group() == OpGroup::SummaryStats) return loops::summaryStats(number(), x, z, c.params.at(0) != 0, axes);
    loops::reduce(group(), number(), x, z, params.data(), axes);
  }

  void check(const Case& c, const TestArray& x, const loops::Axes& axes, const Dims& zDims, Layout zl, LongType at,
             const std::string& how) {
    TestArray z(c.z, zDims, zl);
    if (run(c, how, [&] { call(c, x.in(), z.out(), axes); })) compare(c, how, z, [at](LongType i) { return at + i; });
  }

  static std::string describe(const Dims& dims, const loops::Axes& axes, Layout layout) {
    return textOf(dims) + " over " + textOf(Dims(axes.begin(), axes.end())) + ", " + nameOf(layout);
  }
};

TEST_P(NumberedReduce, everySetOfAxesOnEveryLayout) {
  forEachCase([this](const Case& c) {
    for (Layout layout : LAYOUTS) {
      TestArray x(c.x, CUBE, layout);
      x.fill(Data::get().values(c.x, c.xAt, CUBE_LENGTH));
      for (const AxisSet& set : AXIS_SETS) {
        const std::string how = describe(CUBE, set.axes, layout);
        check(c, x, set.axes, reducedDims(CUBE, set.axes, false), Layout::C, set.at, how);
        check(c, x, set.axes, reducedDims(CUBE, set.axes, true), layout, set.at, how + ", dimensions kept");
      }
    }
  });
}

TEST_P(NumberedReduce, unitDimensionsAndOtherWaysToNameAxes) {
  const Dims dims{3, 1, 4, 5, 1};
  const std::vector<std::pair<loops::Axes, LongType>> sets = {{{0}, 1},     {{3}, 36},  {{0, 2}, 48},
                                                              {{2, 3}, 57}, {{-2}, 36}, {{3, 0}, 53}};
  forEachCase([&](const Case& c) {
    for (Layout layout : {Layout::C, Layout::F, Layout::Padded}) {
      TestArray x(c.x, dims, layout);
      x.fill(Data::get().values(c.x, c.xAt, CUBE_LENGTH));
      for (const auto& [axes, at] : sets) {
        loops::Axes positive = axes;
        for (int& a : positive) a += a < 0 ? 5 : 0;
        check(c, x, axes, reducedDims(dims, positive, false), Layout::EverySecond, at, describe(dims, axes, layout));
      }
    }
  });
}

TEST_P(NumberedReduce, everyLength) {
  forEachCase([this](const Case& c) {
    for (size_t k = 0; k < std::size(LENGTHS); ++k) {
      const LongType n = LENGTHS[k], at = LINES_AT + static_cast<LongType>(k);
      for (Layout layout : {Layout::C, Layout::EverySecond, Layout::Negative}) {
        TestArray x(c.x, {n}, layout);
        x.fill(Data::get().values(c.x, c.xAt + CUBE_LENGTH, n));
        check(c, x, {}, {}, Layout::C, at, describe({n}, {}, layout));
        check(c, x, {0}, {1}, Layout::C, at, describe({n}, {0}, layout));
      }
    }
    TestArray scalar(c.x, {}, Layout::C);
    scalar.fill(Data::get().values(c.x, c.xAt + CUBE_LENGTH, 1));
    check(c, scalar, {}, {}, Layout::C, LINES_AT, "of a scalar");
  });
}

INSTANTIATE_TEST_SUITE_P(All, NumberedReduce,
                         ::testing::ValuesIn(operationsOf({OpGroup::ReduceFloat, OpGroup::ReduceSame,
                                                           OpGroup::ReduceBool, OpGroup::ReduceLong,
                                                           OpGroup::IndexReduce, OpGroup::SummaryStats})),
                         instanceName);

class NumberedReduce3 : public NumberedTest {
 protected:
  /// Positions in the expected values where the one-against-many and the all-pairs forms begin (see generate.py).
  static constexpr LongType ONE_Y_AT = 70, ONE_X_AT = 82, ALL_AT = 94, ALL_PLANES_AT = 238;

  static TestArray part(const Case& c, LongType from, Layout layout) {
    return TestArray(c.x, {5}, layout).fill(Data::get().values(c.x, from, 5));
  }
  static TestArray cube(const Case& c, LongType from, Layout layout) {
    return TestArray(c.x, CUBE, layout).fill(Data::get().values(c.x, from, CUBE_LENGTH));
  }

  /// Runs the operation with its parameter in both accepted positions: alone, and as the third of three.
  void check(const Case& c, const std::string& how, const TestArray& x, const TestArray& y, const Dims& zDims,
             Layout zl, const loops::Axes& axes, LongType at, bool all = false) {
    const auto call = all ? loops::reduce3All : loops::reduce3;
    std::vector<std::vector<double>> forms{c.params};
    if (!c.params.empty()) forms.push_back({0, 0, c.params[0]});
    for (const std::vector<double>& numbers : forms) {
      const std::vector<uint8_t> params = encode(c.z, numbers);
      TestArray z(c.z, zDims, zl);
      const void* given = params.empty() ? nullptr : params.data();
      if (run(c, how, [&] { call(number(), x.in(), y.in(), z.out(), given, static_cast<int>(numbers.size()), axes); }))
        compare(c, how, z, [at](LongType i) { return at + i; });
    }
  }
};

TEST_P(NumberedReduce3, everySetOfAxesOnEveryLayout) {
  forEachCase([this](const Case& c) {
    for (Layout layout : LAYOUTS) {
      const TestArray x = cube(c, c.xAt, layout), y = cube(c, c.yAt, Layout::C), other = cube(c, c.yAt, layout);
      for (const AxisSet& set : AXIS_SETS) {
        const std::string how = "over " + textOf(Dims(set.axes.begin(), set.axes.end())) + ", " + nameOf(layout);
        check(c, how, x, y, reducedDims(CUBE, set.axes, false), layout, set.axes, set.at);
        check(c, how + " both", x, other, reducedDims(CUBE, set.axes, false), Layout::C, set.axes, set.at);
      }
    }
  });
}

TEST_P(NumberedReduce3, oneAgainstManyAndAllPairs) {
  forEachCase([this](const Case& c) {
    for (Layout layout : LAYOUTS) {
      const std::string how = nameOf(layout);
      const TestArray x = cube(c, c.xAt, layout), y = cube(c, c.yAt, layout);
      check(c, "one y, " + how, x, part(c, c.yAt, layout), {3, 4}, Layout::C, {2}, ONE_Y_AT);
      check(c, "one x, " + how, part(c, c.xAt, layout), y, {3, 4}, layout, {2}, ONE_X_AT);
      check(c, "all pairs of rows, " + how, x, y, {12, 12}, layout, {2}, ALL_AT, true);
      check(c, "all pairs of planes, " + how, x, y, {5, 5}, Layout::C, {0, 1}, ALL_PLANES_AT, true);
    }
  });
}

TEST_P(NumberedReduce3, everyLength) {
  forEachCase([this](const Case& c) {
    for (size_t k = 0; k < std::size(LENGTHS); ++k) {
      const LongType n = LENGTHS[k], at = LINES_AT + static_cast<LongType>(k);
      for (Layout layout : {Layout::C, Layout::EverySecond}) {
        TestArray x(c.x, {n}, layout), y(c.x, {n}, Layout::C);
        x.fill(Data::get().values(c.x, c.xAt + CUBE_LENGTH, n));
        y.fill(Data::get().values(c.x, c.yAt + CUBE_LENGTH, n));
        check(c, "length " + std::to_string(n) + ", " + nameOf(layout), x, y, {}, Layout::C, {}, at);
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(All, NumberedReduce3, ::testing::ValuesIn(operationsOf({OpGroup::Reduce3})), instanceName);

}  // namespace
