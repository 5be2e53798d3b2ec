// Invalid input to the executors: a clear error that begins with the name of the operation, and nothing written.
#include <functional>

#include "NumberedHarness.h"

using namespace sd;
using namespace sd::numbered;

namespace {

TestArray array(DataType type, const Dims& dims, Layout layout = Layout::C) {
  TestArray a(type, dims, layout);
  const std::vector<uint8_t> ones = encode(type, {1, 2, 3, 4, 5, 6, 7});
  return std::move(a.fill({type, ones.data(), 7}));
}

/// Runs a call that must throw and must leave z unchanged.
void expectRejected(const std::string& what, const TestArray& z, const std::function<void()>& call,
                    bool namesTheOp = true) {
  const std::vector<uint8_t> before = z.bytes();
  try {
    call();
    ADD_FAILURE() << what << ": accepted";
  } catch (const std::exception& e) {
    const std::string message = e.what();
    EXPECT_GT(message.size(), 10u) << what;
    if (namesTheOp) {
      EXPECT_EQ(message.front(), '[') << what << ": " << message;
    }
  } catch (...) {
    ADD_FAILURE() << what << ": threw something that is not a std::exception";
  }
  EXPECT_TRUE(before == z.bytes()) << what << ": wrote to z";
}

/// One way to run a group with valid operands; each test makes one of them invalid.
struct Way {
  const char* name;
  OpGroup group;
  int op, unknownOp;
  Dims x, y, z;  ///< if y has no data it is not used
  bool hasY;
  DataType type, zType;
  void (*call)(const Way&, int op, loops::In x, loops::In y, loops::Out z);

  friend std::ostream& operator<<(std::ostream& out, const Way& way) { return out << way.name; }
};

void callTransform(const Way& w, int op, loops::In x, loops::In, loops::Out z) { loops::transform(w.group, op, x, z); }
void callPairwise(const Way& w, int op, loops::In x, loops::In y, loops::Out z) {
  loops::pairwise(w.group, op, x, y, z);
}
void callScalar(const Way& w, int op, loops::In x, loops::In y, loops::Out z) { loops::scalar(w.group, op, x, y, z); }
void callScalarAlong(const Way& w, int op, loops::In x, loops::In y, loops::Out z) {
  loops::scalarAlong(w.group, op, x, y, z, nullptr, {1});
}
void callBroadcast(const Way& w, int op, loops::In x, loops::In y, loops::Out z) {
  loops::broadcast(w.group, op, x, y, z, nullptr, {1});
}
void callInverse(const Way& w, int op, loops::In x, loops::In y, loops::Out z) {
  loops::inverseBroadcast(w.group, op, x, y, z, nullptr, {1});
}
void callTrue(const Way& w, int op, loops::In x, loops::In y, loops::Out z) {
  loops::trueBroadcast(w.group, op, x, y, z);
}
void callReduce(const Way& w, int op, loops::In x, loops::In, loops::Out z) {
  loops::reduce(w.group, op, x, z, nullptr, {1});
}
void callIndex(const Way&, int op, loops::In x, loops::In, loops::Out z) { loops::indexReduce(op, x, z, nullptr, {1}); }
void callStats(const Way&, int op, loops::In x, loops::In, loops::Out z) { loops::summaryStats(op, x, z, true, {1}); }
void callReduce3(const Way&, int op, loops::In x, loops::In y, loops::Out z) {
  loops::reduce3(op, x, y, z, nullptr, 0, {1});
}
void callAll(const Way&, int op, loops::In x, loops::In y, loops::Out z) {
  loops::reduce3All(op, x, y, z, nullptr, 0, {1});
}

const std::vector<Way> WAYS = {
    {"TransformSame", OpGroup::TransformSame, 0, 8, {2, 3}, {}, {2, 3}, false, FLOAT32, FLOAT32, callTransform},
    {"TransformStrict", OpGroup::TransformStrict, 23, 35, {2, 3}, {}, {2, 3}, false, FLOAT32, FLOAT32, callTransform},
    {"TransformFloat", OpGroup::TransformFloat, 1, 2, {2, 3}, {}, {2, 3}, false, INT32, FLOAT32, callTransform},
    {"TransformBool", OpGroup::TransformBool, 2, 0, {2, 3}, {}, {2, 3}, false, FLOAT32, BOOL, callTransform},
    {"TransformAny", OpGroup::TransformAny, 0, 1, {2, 3}, {}, {2, 3}, false, FLOAT32, INT8, callTransform},
    {"Pairwise", OpGroup::Pairwise, 0, 41, {2, 3}, {2, 3}, {2, 3}, true, FLOAT32, FLOAT32, callPairwise},
    {"PairwiseBool", OpGroup::PairwiseBool, 0, 12, {2, 3}, {2, 3}, {2, 3}, true, FLOAT32, BOOL, callPairwise},
    {"PairwiseInt", OpGroup::PairwiseInt, 0, 7, {2, 3}, {2, 3}, {2, 3}, true, INT32, INT32, callPairwise},
    {"Scalar", OpGroup::Scalar, 0, 9, {2, 3}, {}, {2, 3}, true, FLOAT32, FLOAT32, callScalar},
    {"ScalarBool", OpGroup::ScalarBool, 0, 12, {2, 3}, {}, {2, 3}, true, FLOAT32, BOOL, callScalar},
    {"ScalarInt", OpGroup::ScalarInt, 0, 7, {2, 3}, {}, {2, 3}, true, INT32, INT32, callScalar},
    {"ScalarAlong", OpGroup::Scalar, 0, 50, {2, 3}, {2}, {2, 3}, true, FLOAT32, FLOAT32, callScalarAlong},
    {"Broadcast", OpGroup::Broadcast, 0, 8, {2, 3}, {3}, {2, 3}, true, FLOAT32, FLOAT32, callBroadcast},
    {"BroadcastBool", OpGroup::BroadcastBool, 0, 12, {2, 3}, {3}, {2, 3}, true, FLOAT32, BOOL, callBroadcast},
    {"BroadcastInt", OpGroup::BroadcastInt, 0, 7, {2, 3}, {3}, {2, 3}, true, INT32, INT32, callBroadcast},
    {"InverseBroadcast", OpGroup::Broadcast, 0, 8, {3}, {2, 3}, {2, 3}, true, FLOAT32, FLOAT32, callInverse},
    {"TrueBroadcast", OpGroup::Broadcast, 0, 24, {2, 1}, {1, 3}, {2, 3}, true, FLOAT32, FLOAT32, callTrue},
    {"TrueBroadcastPairwise", OpGroup::Pairwise, 0, -1, {2, 1}, {3}, {2, 3}, true, FLOAT32, FLOAT32, callTrue},
    {"ReduceFloat", OpGroup::ReduceFloat, 0, 11, {2, 3}, {}, {2}, false, FLOAT32, FLOAT32, callReduce},
    {"ReduceSame", OpGroup::ReduceSame, 0, 8, {2, 3}, {}, {2}, false, FLOAT32, FLOAT32, callReduce},
    {"ReduceBool", OpGroup::ReduceBool, 0, 8, {2, 3}, {}, {2}, false, FLOAT32, BOOL, callReduce},
    {"ReduceLong", OpGroup::ReduceLong, 0, 3, {2, 3}, {}, {2}, false, FLOAT32, INT64, callReduce},
    {"IndexReduce", OpGroup::IndexReduce, 0, 6, {2, 3}, {}, {2}, false, FLOAT32, INT64, callIndex},
    {"SummaryStats", OpGroup::SummaryStats, 0, 2, {2, 3}, {}, {2}, false, FLOAT32, FLOAT32, callStats},
    {"Reduce3", OpGroup::Reduce3, 3, 8, {2, 3}, {2, 3}, {2}, true, FLOAT32, FLOAT32, callReduce3},
    {"Reduce3All", OpGroup::Reduce3, 3, 8, {2, 3}, {4, 3}, {2, 4}, true, FLOAT32, FLOAT32, callAll},
};

/// The ways that this build can run and that `applies` accepts.
std::vector<Way> waysWhere(bool (*applies)(const Way&)) {
  std::vector<Way> ways;
  for (const Way& way : WAYS)
    if (isBuilt(way.type) && isBuilt(way.zType) && loops::findOp(way.group, way.op) && applies(way))
      ways.push_back(way);
  return ways;
}

bool reduces(const Way& way) {
  return way.call == callReduce || way.call == callIndex || way.call == callStats || way.call == callReduce3 ||
         way.call == callAll;
}

class NumberedReject : public ::testing::TestWithParam<Way> {
 protected:
  const Way& w = GetParam();
  TestArray x = array(w.type, w.x), y = array(w.type, w.y), z = array(w.zType, w.z);

  void call(loops::In a, loops::In b, loops::Out c) { w.call(w, w.op, a, b, c); }
  void rejected(const std::string& what, loops::In a, loops::In b, loops::Out c) {
    expectRejected(std::string(w.name) + ", " + what, z, [&] { call(a, b, c); });
  }
};

class NumberedRejectOperands : public NumberedReject {};
class NumberedRejectOutputType : public NumberedReject {};
class NumberedRejectOverlap : public NumberedReject {};
class NumberedNothing : public NumberedReject {};
class NumberedOverlap : public NumberedReject {};

TEST_P(NumberedReject, acceptsTheGoodCall) { EXPECT_NO_THROW(call(x.in(), y.in(), z.out())); }

TEST_P(NumberedNothing, operandsWithoutElementsNeedAnOutputWithout) {
  Dims none = w.x;
  none.back() = 0;
  const TestArray nothing = array(w.type, none);
  rejected("x without elements", nothing.in(), y.in(), z.out());
  rejected("x without elements and buffer", {nullptr, nothing.in().info}, y.in(), z.out());
  if (w.hasY) {
    rejected("y without elements", x.in(), nothing.in(), z.out());
    rejected("neither with elements", nothing.in(), nothing.in(), z.out());
  }
  TestArray noResult = array(w.zType, none);
  if (w.z == w.x) {
    EXPECT_NO_THROW(call(nothing.in(), y.in(), noResult.out()));
  }
}

TEST_P(NumberedReject, unknownNumbers) {
  for (int op : {w.unknownOp, -1, -2147483647 - 1, 1000, 2147483647})
    expectRejected(
        "number " + std::to_string(op), z, [&] { w.call(w, op, x.in(), y.in(), z.out()); }, false);
}

TEST_P(NumberedReject, nullBuffersAndShapes) {
  rejected("x without data", {nullptr, x.in().info}, y.in(), z.out());
  rejected("x without shape", {x.in().data, nullptr}, y.in(), z.out());
  rejected("z without data", x.in(), y.in(), {nullptr, z.in().info});
  rejected("z without shape", x.in(), y.in(), {z.out().data, nullptr});
  if (!w.hasY) return;
  rejected("y without data", x.in(), {nullptr, y.in().info}, z.out());
  rejected("y without shape", x.in(), {y.in().data, nullptr}, z.out());
}

TEST_P(NumberedReject, unknownTypes) {
  // Without any type bit, and with the type bits of strings.
  for (LongType flags : {LongType(0), LongType(1048576), LongType(16777216), LongType(1) << 40}) {
    for (TestArray* operand : {&x, &z}) {
      std::vector<LongType>& info = operand->info();
      const size_t slot = info.size() - 3;
      const LongType good = info[slot];
      info[slot] = flags;
      rejected("type bits " + std::to_string(flags), x.in(), y.in(), z.out());
      info[slot] = good;
    }
  }
}

TEST_P(NumberedReject, damagedShapeInfo) {
  std::vector<LongType>& info = x.info();
  const std::vector<LongType> good = info;
  const LongType huge = LongType(1) << 62;
  const struct {
    const char* what;
    size_t slot;
    LongType value;
  } damages[] = {
      {"rank 33", 0, 33}, {"rank -1", 0, -1}, {"a negative dimension", 1, -2}, {"a length that overflows", 1, huge}};
  for (const auto& damage : damages) {
    info.resize(80, 1);
    info[damage.slot] = damage.value;
    if (damage.value == huge && good[0] > 1) info[2] = huge;
    rejected(damage.what, x.in(), y.in(), z.out());
    info = good;
  }
}

TEST_P(NumberedReject, outputOfAnotherShape) {
  for (const Dims& dims : {Dims{7}, Dims{2, 3, 2}, Dims{3, 2}, Dims{5, 5}}) {
    if (w.call == callPairwise && lengthOf(dims) == lengthOf(w.z)) continue;  // contiguous: paired in order
    TestArray other = array(w.zType, dims);
    const std::vector<uint8_t> before = other.bytes();
    expectRejected(std::string(w.name) + ", z " + textOf(dims), other, [&] { call(x.in(), y.in(), other.out()); });
  }
}

TEST_P(NumberedRejectOutputType, isAnother) {
  for (DataType type : {INT16, UINT8, HALF, BOOL}) {
    const bool floatGroup = w.group == OpGroup::TransformFloat || w.group == OpGroup::ReduceFloat ||
                            w.group == OpGroup::Reduce3 || w.group == OpGroup::SummaryStats;
    if (type == w.zType || (type == HALF && floatGroup)) continue;
    TestArray other = array(type, w.z);
    expectRejected(std::string(w.name) + ", z " + facts(type).name, other, [&] { call(x.in(), y.in(), other.out()); });
  }
}

TEST_P(NumberedRejectOperands, differentTypes) {
  const TestArray other = array(w.type == INT32 ? INT64 : DOUBLE, w.y);
  rejected("y of another type", x.in(), other.in(), z.out());
}

TEST_P(NumberedRejectOperands, shapesThatDoNotFit) {
  for (const Dims& dims : {Dims{5}, Dims{2, 5}, Dims{3, 2, 7}}) {
    const TestArray other = array(w.type, dims);
    rejected("y " + textOf(dims), x.in(), other.in(), z.out());
  }
}

TEST_P(NumberedRejectOverlap, ofInputAndOutput) {
  // z begins one element after x in the same memory: neither the same array nor a separate one.
  const loops::Out shifted{x.element(1), z.in().info};
  const std::vector<uint8_t> before = x.bytes();
  expectRejected(std::string(w.name) + ", z overlaps x", x, [&] { call(x.in(), y.in(), shifted); });
}

TEST_P(NumberedReject, outputWhoseElementsOverlap) {
  std::vector<LongType> info = z.info();
  for (LongType d = 0; d < info[0]; ++d) info[static_cast<size_t>(1 + info[0] + d)] = 0;
  info[info.size() - 2] = 0;
  const loops::Out folded{z.out().data, info.data()};
  expectRejected(std::string(w.name) + ", z with stride 0", z, [&] { call(x.in(), y.in(), folded); });
}

// Inputs that share memory with z, but not element for element, are read as they were before the call.
TEST_P(NumberedOverlap, givesWhatSeparateMemoryGives) {
  for (const bool second : {false, true}) {
    if (second && !w.hasY) continue;
    TestArray& input = second ? y : x;
    for (const Layout layout : {Layout::C, Layout::F, Layout::EverySecond, Layout::Permuted}) {
      TestArray apart = array(w.zType, w.z, layout);
      call(x.in(), y.in(), apart.out());
      for (LongType shift = 0; shift < 3; ++shift) {
        // z, or a part of it, begins `shift` elements after the input, in a block that has room for both.
        std::vector<double> block(64);
        char* const start = reinterpret_cast<char*>(block.data() + 16);
        const auto size = static_cast<size_t>(facts(w.type).bytes), zSize = static_cast<size_t>(facts(w.zType).bytes);
        for (LongType i = 0; i < input.length(); ++i)
          std::memcpy(start + static_cast<size_t>(i) * size, input.element(i), size);
        const loops::In shared{start, input.in().info};
        char* const out = start + static_cast<size_t>(shift) * zSize;
        call(second ? x.in() : shared, second ? shared : y.in(), {out, apart.in().info});
        for (LongType i = 0; i < apart.length(); ++i)
          EXPECT_EQ(0, std::memcmp(out + (apart.element(i) - static_cast<const uint8_t*>(apart.in().data)),
                                   apart.element(i), zSize))
              << w.name << ", " << nameOf(layout) << ", input " << second << ", shift " << shift << ", element " << i;
      }
    }
  }
}

std::string wayName(const ::testing::TestParamInfo<Way>& way) { return way.param.name; }

// A reduced build may have none of these operations.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NumberedReject);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NumberedRejectOperands);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NumberedRejectOutputType);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NumberedRejectOverlap);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NumberedNothing);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NumberedOverlap);

INSTANTIATE_TEST_SUITE_P(All, NumberedReject, ::testing::ValuesIn(waysWhere([](const Way&) { return true; })), wayName);
INSTANTIATE_TEST_SUITE_P(All, NumberedRejectOperands,
                         ::testing::ValuesIn(waysWhere([](const Way& way) { return way.hasY; })), wayName);
// TransformAny accepts every output type.
INSTANTIATE_TEST_SUITE_P(All, NumberedRejectOutputType, ::testing::ValuesIn(waysWhere([](const Way& way) {
                           return way.group != OpGroup::TransformAny;
                         })),
                         wayName);
// z can begin inside x only if both have the same type.
INSTANTIATE_TEST_SUITE_P(All, NumberedRejectOverlap, ::testing::ValuesIn(waysWhere([](const Way& way) {
                           return way.type == way.zType && reduces(way);
                         })),
                         wayName);
INSTANTIATE_TEST_SUITE_P(All, NumberedOverlap,
                         ::testing::ValuesIn(waysWhere([](const Way& way) { return !reduces(way); })), wayName);

// Reductions of empty arrays have results.
INSTANTIATE_TEST_SUITE_P(All, NumberedNothing,
                         ::testing::ValuesIn(waysWhere([](const Way& way) { return !reduces(way); })), wayName);

TEST(NumberedRejectAxes, outOfRangeAndRepeated) {
  const TestArray x = array(FLOAT32, {2, 3, 4}), y = array(FLOAT32, {2, 3, 4}), row = array(FLOAT32, {4});
  const TestArray two = array(FLOAT32, {2});
  TestArray z = array(FLOAT32, {2, 3}), big = array(FLOAT32, {2, 3, 4}), index = array(INT64, {2, 3});
  for (const loops::Axes& axes : {loops::Axes{3}, loops::Axes{-4}, loops::Axes{2, 2}, loops::Axes{2, -1},
                                  loops::Axes{0, 1, 2, 3}, loops::Axes{2147483646}, loops::Axes{-2147483647 - 1}}) {
    const std::string text = "axes " + textOf(Dims(axes.begin(), axes.end()));
    const auto each = [&](const TestArray& out, const std::function<void()>& call) { expectRejected(text, out, call); };
    each(z, [&] { loops::reduce(OpGroup::ReduceSame, 0, x.in(), z.out(), nullptr, axes); });
    each(z, [&] { loops::reduce(OpGroup::ReduceFloat, 0, x.in(), z.out(), nullptr, axes); });
    each(index, [&] { loops::indexReduce(0, x.in(), index.out(), nullptr, axes); });
    each(z, [&] { loops::summaryStats(0, x.in(), z.out(), false, axes); });
    each(z, [&] { loops::reduce3(3, x.in(), y.in(), z.out(), nullptr, 0, axes); });
    each(z, [&] { loops::reduce3All(3, x.in(), y.in(), z.out(), nullptr, 0, axes); });
    each(big, [&] { loops::broadcast(OpGroup::Broadcast, 0, x.in(), row.in(), big.out(), nullptr, axes); });
    each(big, [&] { loops::inverseBroadcast(OpGroup::Broadcast, 0, row.in(), x.in(), big.out(), nullptr, axes); });
    each(big, [&] { loops::scalarAlong(OpGroup::Scalar, 0, x.in(), two.in(), big.out(), nullptr, axes); });
  }
}

TEST(NumberedRejectParams, areRequiredWhereTheReferenceNeedsThem) {
  const std::map<std::string, int> counts = {{"CompareAndSetTransform", 4},
                                             {"ClipByValue", 2},
                                             {"MatchConditionBool", 3},
                                             {"ScaledTanh", 2},
                                             {"Affine", 2},
                                             {"Stabilize", 1},
                                             {"SetRange", 2},
                                             {"CompareAndSet", 4},
                                             {"CompareAndReplace", 4},
                                             {"BinaryRelativeError", 1},
                                             {"BinaryMinimumAbsoluteRelativeError", 2},
                                             {"MatchCondition", 3},
                                             {"NormP", 1},
                                             {"FirstIndex", 3},
                                             {"LastIndex", 3}};
  for (const loops::NumberedOp& op : loops::numberedOps()) {
    if (op.group == OpGroup::Random) continue;
    const auto found = counts.find(std::string(op.name));
    EXPECT_EQ(op.requiredParams, found == counts.end() ? 0 : found->second)
        << loops::groupName(op.group) << " " << op.name;
  }
}

TEST(NumberedRejectParams, missing) {
  for (const loops::NumberedOp& op : loops::numberedOps()) {
    if (op.requiredParams == 0 || op.group == OpGroup::Random) continue;
    const bool reduces =
        op.group == OpGroup::ReduceFloat || op.group == OpGroup::ReduceLong || op.group == OpGroup::IndexReduce;
    const std::string family = familyOf(op.group);
    const DataType type = family == "compare" || family == "test"       ? BOOL
                          : reduces && op.group != OpGroup::ReduceFloat ? INT64
                                                                        : FLOAT32;
    const TestArray x = array(FLOAT32, {2, 3}),
                    y = array(FLOAT32,
                              op.group == OpGroup::Pairwise || op.group == OpGroup::PairwiseBool ? Dims{2, 3} : Dims{});
    TestArray z = array(type, reduces ? Dims{} : Dims{2, 3});
    expectRejected(std::string(op.name) + " without parameters", z, [&] {
      switch (op.group) {
        case OpGroup::Pairwise:
        case OpGroup::PairwiseBool:
          return loops::pairwise(op.group, op.number, x.in(), y.in(), z.out());
        case OpGroup::Scalar:
        case OpGroup::ScalarBool:
          return loops::scalar(op.group, op.number, x.in(), y.in(), z.out());
        case OpGroup::Broadcast:
        case OpGroup::BroadcastBool:
          return loops::trueBroadcast(op.group, op.number, x.in(), y.in(), z.out());
        case OpGroup::IndexReduce:
          return loops::indexReduce(op.number, x.in(), z.out(), nullptr, {});
        case OpGroup::ReduceFloat:
        case OpGroup::ReduceLong:
          return loops::reduce(op.group, op.number, x.in(), z.out(), nullptr, {});
        default:
          return loops::transform(op.group, op.number, x.in(), z.out());
      }
    });
  }
}

TEST(NumberedRejectParams, unknownConditions) {
  const TestArray x = array(FLOAT32, {6});
  TestArray z = array(BOOL, {6}), same = array(FLOAT32, {6}), position = array(INT64, {});
  for (float mode :
       {-1.f, 16.f, 1e9f, -1e30f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    const float three[] = {1, 0, mode}, four[] = {1, 0, 0, mode};
    const std::string text = "mode " + std::to_string(mode);
    expectRejected(text, same, [&] { loops::transform(OpGroup::TransformSame, 13, x.in(), same.out(), four); });
    expectRejected(text, z, [&] { loops::pairwise(OpGroup::PairwiseBool, 5, x.in(), x.in(), z.out(), three); });
    expectRejected(text, same, [&] { loops::pairwise(OpGroup::Pairwise, 12, x.in(), x.in(), same.out(), four); });
    expectRejected(text, position, [&] { loops::indexReduce(4, x.in(), position.out(), three, {}); });
    if (mode == -1) continue;  // NativeOpsExecTests.MinusOneCountsWhatIsNotZero
    expectRejected(text, z, [&] { loops::transform(OpGroup::TransformBool, 5, x.in(), z.out(), three); });
    expectRejected(text, position, [&] { loops::reduce(OpGroup::ReduceLong, 2, x.in(), position.out(), three, {}); });
  }
}

TEST(NumberedRejectZero, integerDivision) {
  const std::vector<std::pair<std::string, bool>> names = {
      {"Divide", true},         {"FMod", true},       {"Remainder", true},   {"Mod", true},
      {"FloorDiv", true},       {"FloorMod", true},   {"TruncateDiv", true}, {"TruncateMod", true},
      {"ReverseDivide", false}, {"ReverseMod", false}};
  for (DataType type : {INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64}) {
    if (!isBuilt(type)) continue;
    for (const auto& entry : names) {
      const std::string& name = entry.first;
      const bool divisorIsY = entry.second;  // Clang 14 cannot capture structured bindings
      TestArray good = array(type, {40}), zeros = array(type, {40}), z = array(type, {40}), zero = array(type, {});
      const TestArray one = array(type, {});
      std::memset(zeros.element(37), 0, static_cast<size_t>(facts(type).bytes));
      std::memset(zero.element(0), 0, static_cast<size_t>(facts(type).bytes));
      const TestArray &x = divisorIsY ? good : zeros, &y = divisorIsY ? zeros : good;
      const std::string text = name + " by zero, " + facts(type).name;
      if (const loops::NumberedOp* op = loops::findOp(OpGroup::Pairwise, name))
        expectRejected(text, z, [&] { loops::pairwise(OpGroup::Pairwise, op->number, x.in(), y.in(), z.out()); });
      if (const loops::NumberedOp* op = loops::findOp(OpGroup::Scalar, name))
        expectRejected(text, z, [&] {
          loops::scalar(OpGroup::Scalar, op->number, x.in(), divisorIsY ? zero.in() : one.in(), z.out());
        });
      if (const loops::NumberedOp* op = loops::findOp(OpGroup::Broadcast, name))
        expectRejected(text, z, [&] { loops::trueBroadcast(OpGroup::Broadcast, op->number, x.in(), y.in(), z.out()); });
    }
    TestArray x = array(type, {40}), z = array(type, {40});
    std::memset(x.element(20), 0, static_cast<size_t>(facts(type).bytes));
    expectRejected(std::string("Reciprocal of zero, ") + facts(type).name, z,
                   [&] { loops::transform(OpGroup::TransformSame, 11, x.in(), z.out()); });
  }
}

TEST(NumberedRejectTypes, outsideTheGroup) {
  TestArray ints = array(INT32, {2, 3}), floats = array(FLOAT32, {2, 3}), z = array(INT32, {2, 3}),
            f = array(FLOAT32, {2, 3});
  expectRejected("TransformStrict of int32", z,
                 [&] { loops::transform(OpGroup::TransformStrict, 23, ints.in(), z.out()); });
  expectRejected("PairwiseInt of float32", f,
                 [&] { loops::pairwise(OpGroup::PairwiseInt, 4, floats.in(), floats.in(), f.out()); });
  expectRejected(
      "transform with a pairwise group", f, [&] { loops::transform(OpGroup::Pairwise, 0, floats.in(), f.out()); },
      false);
  expectRejected(
      "reduce with a transform group", f,
      [&] { loops::reduce(OpGroup::TransformSame, 0, floats.in(), f.out(), nullptr, {}); }, false);
}

}  // namespace
