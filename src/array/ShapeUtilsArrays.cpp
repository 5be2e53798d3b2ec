// Functions of ShapeUtils that take arrays.
#include <array/NDArray.h>
#include <helpers/ShapeUtils.h>

#include <vector>

namespace sd {

const LongType* ShapeUtils::evalReduceShapeInfo(char order, std::vector<int>& dims, const NDArray& array,
                                                DataType dataType, bool keepDims, bool supportOldShapes,
                                                memory::Workspace* workspace) {
  return evalReduceShapeInfo(order, dims, array.shapeInfo(), dataType, keepDims, supportOldShapes, workspace);
}

const LongType* ShapeUtils::evalReduceShapeInfo(char order, std::vector<int>& dims, const NDArray& array, bool keepDims,
                                                bool supportOldShapes, memory::Workspace* workspace) {
  return evalReduceShapeInfo(order, dims, array.shapeInfo(), keepDims, supportOldShapes, workspace);
}

bool ShapeUtils::areShapesBroadcastable(const NDArray& a, const NDArray& b) {
  return areShapesBroadcastable(a.shapeInfo(), b.shapeInfo());
}

bool ShapeUtils::evalBroadcastShapeInfo(const NDArray& a, const NDArray& b, bool evalMinMax, const LongType*& result,
                                        memory::Workspace* workspace) {
  return evalBroadcastShapeInfo(a.shapeInfo(), b.shapeInfo(), evalMinMax, result, workspace);
}

const LongType* ShapeUtils::evalPermShapeInfo(const int* dims, int rank, const NDArray& array, memory::Workspace*,
                                              bool setContigStrides) {
  return evalPermShapeInfo(dims, rank, array.shapeInfo(), setContigStrides);
}

const LongType* ShapeUtils::evalPermShapeInfo(const LongType* dims, int rank, const NDArray& array,
                                              memory::Workspace* workspace, bool setContigStrides) {
  // A value that does not fit an int cannot be a dimension either.
  std::vector<int> narrow;
  for (int i = 0; i < rank; i++)
    narrow.push_back(dims[i] == static_cast<int>(dims[i]) ? static_cast<int>(dims[i]) : -1);
  return evalPermShapeInfo(narrow.data(), rank, array, workspace, setContigStrides);
}

const LongType* ShapeUtils::evalTranspShapeInfo(const NDArray& array, memory::Workspace*, bool setContigStrides) {
  return evalTranspShapeInfo(array.shapeInfo(), setContigStrides);
}

const LongType* ShapeUtils::evalTileShapeInfo(const NDArray& array, const std::vector<LongType>& reps,
                                              memory::Workspace*) {
  return evalTileShapeInfo(array.shapeInfo(), reps);
}

std::vector<LongType> ShapeUtils::evalRepeatShape(int axis, const std::vector<int>& repeats, const NDArray& array) {
  return evalRepeatShape(axis, repeats, array.shapeInfo());
}

std::vector<LongType> ShapeUtils::evalShapeForTensorDot(const NDArray* a, const NDArray* b,
                                                        const std::vector<int>& axesA, const std::vector<int>& axesB,
                                                        std::vector<int>& permutA, std::vector<int>& permutB,
                                                        std::vector<LongType>& matrixA,
                                                        std::vector<LongType>& matrixB) {
  return evalShapeForTensorDot(a->shapeInfo(), b->shapeInfo(), axesA, axesB, permutA, permutB, matrixA, matrixB);
}

std::string ShapeUtils::shapeAsString(const NDArray* array) { return shapeAsString(array->shapeInfo()); }

std::string ShapeUtils::strideAsString(const NDArray* array) { return strideAsString(array->shapeInfo()); }

}  // namespace sd
