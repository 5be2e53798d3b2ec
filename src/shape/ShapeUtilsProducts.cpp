// Shapes of matrix products.
#include <helpers/ConstantShapeHelper.h>
#include <helpers/ShapeUtils.h>
#include <helpers/shape.h>

#include "shape/matmul.h"
#include "system/Error.h"

namespace sd {

namespace {

[[noreturn]] void failMatmul(const LongType* x, const LongType* y, bool transX, bool transY) {
  fail("[matmul] shapes {}{} and {}{} do not match", ShapeUtils::shapeAsString(x), transX ? " (transposed)" : "",
       ShapeUtils::shapeAsString(y), transY ? " (transposed)" : "");
}

}  // namespace

}  // namespace sd

namespace shape {

using namespace sd;

int matmulSizes(const LongType* x, const LongType* y, bool transX, bool transY, LongType* sizes) {
  shape::validate(x, "matmul");
  shape::validate(y, "matmul");
  const int rankX = shape::rank(x), rankY = shape::rank(y);
  if (rankX == 0 || rankY == 0) failMatmul(x, y, transX, transY);
  const LongType *dimsX = x + 1, *dimsY = y + 1;
  // Transposition does not affect a vector.
  const LongType innerX = rankX == 1 ? dimsX[0] : dimsX[transX ? rankX - 2 : rankX - 1];
  const LongType innerY = rankY == 1 ? dimsY[0] : dimsY[transY ? rankY - 1 : rankY - 2];
  const bool ranksFit = rankX == rankY || (rankX == 1 && rankY == 2) || (rankX == 2 && rankY == 1);
  if (!ranksFit || innerX != innerY) failMatmul(x, y, transX, transY);

  int rank = 0;
  for (int i = 0; i + 2 < rankX; i++) {
    if (dimsX[i] != dimsY[i]) failMatmul(x, y, transX, transY);
    sizes[rank++] = dimsX[i];
  }
  if (rankX > 1) sizes[rank++] = dimsX[transX ? rankX - 1 : rankX - 2];
  if (rankY > 1) sizes[rank++] = dimsY[transY ? rankY - 2 : rankY - 1];
  return rank;
}

}  // namespace shape

namespace sd {

std::vector<LongType> ShapeUtils::evalShapeForMatmul(const LongType* x, const LongType* y, bool transX, bool transY) {
  LongType sizes[SD_MAX_RANK];
  const int rank = shape::matmulSizes(x, y, transX, transY, sizes);
  return {sizes, sizes + rank};
}

const LongType* ShapeUtils::matrixProductShape(const LongType* x, const LongType* y, bool transX, bool transY,
                                               DataType dataType, memory::Workspace*) {
  return ConstantShapeHelper::getInstance().createShapeInfo(dataType, 'c', evalShapeForMatmul(x, y, transX, transY));
}

std::vector<LongType> ShapeUtils::evalShapeForTensorDot(const LongType* a, const LongType* b, std::vector<int> axesA,
                                                        std::vector<int> axesB, std::vector<int>& permutA,
                                                        std::vector<int>& permutB, std::vector<LongType>& matrixA,
                                                        std::vector<LongType>& matrixB) {
  shape::validate(a, "tensordot");
  shape::validate(b, "tensordot");
  const int rankA = shape::rank(a), rankB = shape::rank(b), n = static_cast<int>(axesA.size());
  if (axesA.size() != axesB.size())
    fail("[tensordot] the numbers of axes differ: {} and {}", axesA.size(), axesB.size());
  int sorted[SD_MAX_RANK];
  shape::normaliseAxes(axesA.data(), n, rankA, sorted, "tensordot");
  shape::normaliseAxes(axesB.data(), n, rankB, sorted, "tensordot");
  LongType summed = 1;
  for (size_t i = 0; i < axesA.size(); i++) {
    axesA[i] = shape::normaliseAxis(axesA[i], rankA);
    axesB[i] = shape::normaliseAxis(axesB[i], rankB);
    if (a[1 + axesA[i]] != b[1 + axesB[i]])
      fail("[tensordot] axis {} of shape {} and axis {} of shape {} differ in size", axesA[i], shapeAsString(a),
           axesB[i], shapeAsString(b));
    summed *= a[1 + axesA[i]];
  }

  const std::vector<int> restA = evalDimsToExclude(rankA, axesA), restB = evalDimsToExclude(rankB, axesB);
  std::vector<LongType> result;
  LongType lengthA = 1, lengthB = 1;
  for (const int i : restA) {
    result.push_back(a[1 + i]);
    lengthA *= a[1 + i];
  }
  for (const int i : restB) {
    result.push_back(b[1 + i]);
    lengthB *= b[1 + i];
  }
  permutA = restA;
  permutA.insert(permutA.end(), axesA.begin(), axesA.end());
  permutB = axesB;
  permutB.insert(permutB.end(), restB.begin(), restB.end());
  if (!isPermutNecessary(permutA)) permutA.clear();
  if (!isPermutNecessary(permutB)) permutB.clear();
  matrixA = {lengthA, summed};
  matrixB = {summed, lengthB};
  return result;
}

}  // namespace sd
