// A program for libnd4j: it includes the operations and nothing else, opens the namespaces, and has names of its own
// that the library uses too. The code before the second block of includes sees only what the first header brings.
#include <ops/declarable/CustomOperations.h>

// clang-format off
using namespace sd;
using namespace sd::ops;

namespace {

struct Split { int parts; };
struct Gather { int rows; };
struct Slice { int begin; };
struct Reshape { int rank; };
struct Index { int value; };
struct Part { int value; };
struct Selection { int value; };
struct Condition { int value; };

/// Uses standard names without having included their headers.
std::string standardNames() {
  std::mt19937 random(5);
  std::list<int> list{1, 2, 3};
  std::map<int, std::string> names{{1, "one"}};
  std::set<int> set(list.begin(), list.end());
  std::unordered_map<int, int> counts{{3, 4}};
  std::deque<int> deque(2, 1);
  std::function<int(int)> twice = [](int x) { return 2 * x; };
  std::ostringstream text;
  text << std::setprecision(3) << 1.0 / 3 << ' ' << std::accumulate(list.begin(), list.end(), 0) << ' ' << names[1]
       << ' ' << set.size() << ' ' << counts[3] << ' ' << deque.size() << ' ' << twice(4) << ' ' << (FLT_MAX > 1e38f)
       << ' ' << (INT_MAX > 0) << ' ' << (random() > 0) << ' ' << std::isnan(std::sqrt(-1.0));
  return text.str();
}

}  // namespace

namespace sd::ops {

// Operations of the program whose names are also those of operations that libnd4j does not have.
DECLARE_CUSTOM_OP(rms_norm, 1, 1, false, 0, 0)
DECLARE_OP(median, 1, 1, true)

CUSTOM_OP_IMPL(rms_norm, 1, 1, false, 0, 0) {
  OUTPUT_VARIABLE(0)->assign(7.f);
  return Status::OK;
}
DECLARE_SHAPE_FN(rms_norm) { return SHAPELIST(ConstantShapeHelper::getInstance().scalarShapeInfo(FLOAT32)); }
DECLARE_TYPES(rms_norm) { getOpDescriptor()->setAllowedInputTypes(sd::DataType::ANY); }

}  // namespace sd::ops
// clang-format on

#include <gtest/gtest.h>

TEST(OpsProgramNames, AStandardNameNeedsNoInclude) {
  EXPECT_EQ(standardNames(), "0.333 6 one 3 4 2 8 1 1 1 1");
}

TEST(OpsProgramNames, PlainNamesAreTheProgramsOwn) {
  EXPECT_EQ(Split{1}.parts + Gather{2}.rows + Slice{3}.begin + Reshape{4}.rank, 10);
  EXPECT_EQ(Index{1}.value + Part{2}.value + Selection{3}.value + Condition{4}.value, 10);
}

TEST(OpsProgramNames, AnOperationOfTheProgramHasItsName) {
  auto x = NDArrayFactory::create<float>('c', {2}, {1, 2});
  sd::ops::rms_norm op;
  ResultSet own = op.evaluate({&x});
  ASSERT_EQ(own.status(), Status::OK);
  EXPECT_EQ(own.at(0)->e<float>(0), 7.f);
}
