// Code that the tests of all groups share: running a case with context for failures, comparing, skipping what is not
// built.
#ifndef NDFORGE_TESTS_NUMBEREDHARNESS_H
#define NDFORGE_TESTS_NUMBEREDHARNESS_H

#include <gtest/gtest.h>
#include <types/types.h>

#include <set>
#include <string>
#include <vector>

#include "NumberedArrays.h"

namespace sd::numbered {

/// Whether this build has the element type: builds can be limited to some types.
inline bool isBuilt(DataType type) {
#define NUMBERED_TYPE(DATA, ENTRY) SD_PP_CALL_A(NUMBERED_TYPE_I, (UNPAREN ENTRY))
#define NUMBERED_TYPE_I(ENUM, TYPE) ENUM,
  static const std::set<DataType> built = {SD_PP_FOR_A(NUMBERED_TYPE, (), SD_COMMON_TYPES)};
#undef NUMBERED_TYPE_I
#undef NUMBERED_TYPE
  return built.count(type) != 0;
}

/// Parameters of a case in the element type that the group reads; nullptr when there are none.
class Params {
 public:
  Params(const Case& c, DataType type) : _bytes(encode(type, c.params)) {}
  const void* data() const { return _bytes.empty() ? nullptr : _bytes.data(); }

 private:
  std::vector<uint8_t> _bytes;
};

inline DataType paramType(OpGroup group, const Case& c) {
  switch (group) {
    case OpGroup::Pairwise:
    case OpGroup::Scalar:
    case OpGroup::TransformFloat:
    case OpGroup::ReduceFloat:
    case OpGroup::Reduce3:
      return c.z;
    default:
      return c.x;
  }
}

/// One numbered operation under test. A test stops comparing after a few failures, to keep the output of a wrong kernel
/// readable.
class NumberedTest : public ::testing::TestWithParam<Operation> {
 protected:
  OpGroup group() const { return groupNamed(GetParam().group); }
  int number() const { return GetParam().number; }

  /// Runs `body(case)` for each case whose types are in the build.
  template <typename Body>
  void forEachCase(Body&& body) {
    const std::vector<Case> cases = casesOf(GetParam());
    ASSERT_FALSE(cases.empty()) << "no expected values for " << GetParam().name;
    if (!loops::findOp(group(), number())) GTEST_SKIP() << GetParam().name << " is not in this build";
    for (const Case& c : cases) {
      if (!isBuilt(c.x) || !isBuilt(c.z)) continue;
      body(c);
      if (_failures >= MOST_FAILURES) return;
    }
  }

  /// Runs one call; an exception is a failure that names the case and the layout.
  template <typename Call>
  bool run(const Case& c, const std::string& how, Call&& call) {
    if (_failures >= MOST_FAILURES) return false;
    try {
      call();
      return true;
    } catch (const std::exception& e) {
      failed() << c.describe() << ", " << how << ": threw " << e.what();
    }
    return false;
  }

  /// Compares z with the expected values: element i of z with expected value pick(i). Stops at the first difference.
  template <typename Pick>
  void compare(const Case& c, const std::string& how, const TestArray& z, Pick&& pick) {
    const DataType held = heldAs(c);
    const Values expected = Data::get().values(held, c.zAt, c.count);
    for (LongType i = 0; i < z.length(); ++i) {
      const LongType k = pick(i);
      if (const auto wrong = mismatch(c, k, held, expected.at(k), z.element(i))) {
        failed() << c.describe() << ", " << how << ", element " << i << inputs(c, k) << ": " << *wrong;
        return;
      }
    }
    if (!z.gapsUntouched()) failed() << c.describe() << ", " << how << ": wrote outside the elements of z";
  }

 private:
  static constexpr int MOST_FAILURES = 8;

  /// A stream whose text becomes a failure.
  struct Failure {
    std::ostringstream text;
    ~Failure() { ADD_FAILURE() << text.str(); }
    template <typename T>
    Failure& operator<<(const T& value) {
      text << value;
      return *this;
    }
  };
  Failure failed() {
    ++_failures;
    return {};
  }

  static std::string inputs(const Case& c, LongType k) {
    const auto text = [&](LongType at) { return textAt(c.x, Data::get().values(c.x, at, 1).data); };
    if (c.family == "unary" || c.family == "root" || c.family == "test" || c.family == "cast")
      return ", x = " + text(c.xAt + k);
    if (c.family == "binary" || c.family == "compare" || c.family == "bits")
      return ", x = " + text(c.xAt + k / 18) + ", y = " + text(c.yAt + k % 18);
    return "";
  }

  int _failures = 0;
};

/// Name of a test instance: the name of the operation with its number.
inline std::string instanceName(const ::testing::TestParamInfo<Operation>& info) {
  return info.param.group + "_" + std::to_string(info.param.number) + "_" + info.param.name;
}

/// Lengths around the widths of SIMD registers, and one long enough for the main loops.
inline constexpr LongType LENGTHS[] = {1, 3, 15, 16, 17, 63, 64, 65, 1000};

}  // namespace sd::numbered

#endif
