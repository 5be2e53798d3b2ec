// Vectors that are reduced along their dimension, which keepDims keeps, and reduced as a whole, where nothing is kept.
#include <array/NDArray.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>
#include <ops/declarable/LegacyReduceSameOp.h>

using namespace sd;

namespace {

NDArray vector() { return NDArray('c', {4}, {1, 2, 3, 4}, FLOAT32); }

}  // namespace

TEST(OpsReducedVector, Arrays) {
  const NDArray x = vector();
  EXPECT_EQ(x.reduceAlongDimension(reduce::Sum, {0}, true).getShapeAsVector(), std::vector<LongType>{1});
  EXPECT_EQ(x.reduceAlongDimension(reduce::Sum, {-1}, true).e<double>(0), 10);
  EXPECT_EQ(x.reduceAlongDimension(reduce::Sum, {0}).rankOf(), 0);
  EXPECT_EQ(x.reduceAlongDimension(reduce::Sum, std::vector<int>(), true).rankOf(), 0);
  NDArray kept('c', {1}, FLOAT32);
  x.reduceAlongDimension(reduce::Max, kept, {0}, true);
  EXPECT_EQ(kept.e<double>(0), 4);
}

TEST(OpsReducedVector, Operations) {
  NDArray x = vector(), kept('c', {1}, FLOAT32);
  const ResultSet sum = ops::reduce_sum().evaluate({&x}, {}, {0}, {true});
  ASSERT_EQ(sum.at(0)->getShapeAsVector(), std::vector<LongType>{1});
  EXPECT_EQ(sum.at(0)->e<double>(0), 10);
  EXPECT_EQ(ops::reduce_sum().execute({&x}, {&kept}, {}, {0}, {true}), Status::OK);
  EXPECT_EQ(kept.e<double>(0), 10);
  EXPECT_EQ(ops::reduce_sum().evaluate({&x}, {}, {0}, {false}).at(0)->rankOf(), 0);
  EXPECT_EQ(ops::reduce_sum().evaluate({&x}, {}, {}, {true}).at(0)->rankOf(), 0);
  EXPECT_EQ(ops::moments().evaluate({&x}, {}, {0}, {true}).at(1)->rankOf(), 1);
  EXPECT_EQ(ops::reduce_variance().evaluate({&x}, {}, {-1}, {true}).at(0)->rankOf(), 1);
  EXPECT_EQ(ops::LegacyReduceSameOp(reduce::Sum).evaluate({&x}, {}, {0}, {true}).at(0)->rankOf(), 1);
  NDArray g('c', {1}, {2}, FLOAT32);
  const ResultSet gradient = ops::reduce_sum_bp().evaluate({&x, &g}, {}, {0}, {true});
  EXPECT_TRUE(gradient.at(0)->equalsTo(NDArray('c', {4}, {2, 2, 2, 2}, FLOAT32)));
}
