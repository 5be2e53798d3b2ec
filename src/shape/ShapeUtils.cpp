// Shapes of reductions, broadcasts, permutations and repetitions; shapes as text; conversions.
#include <array/ArrayOptions.h>
#include <array/DataTypeUtils.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/ShapeUtils.h>
#include <helpers/shape.h>

#include <algorithm>
#include <numeric>

#include "shape/broadcasting.h"
#include "system/Error.h"

namespace sd {

namespace {

using Dims = std::vector<LongType>;

const LongType* interned(DataType dataType, char order, const Dims& dims) {
  return ConstantShapeHelper::getInstance().createShapeInfo(dataType, order, dims);
}

const LongType* interned(const LongType* info) {
  return ConstantShapeHelper::getInstance().bufferForShapeInfo(info).primary();
}

Dims dimsOf(const LongType* info) { return Dims(info + 1, info + 1 + info[0]); }

// The dimension `fromEnd` places before the last one; 1 beyond the first dimension.
LongType dimFromEnd(int rank, const LongType* dims, int fromEnd) {
  return fromEnd < rank ? dims[rank - 1 - fromEnd] : 1;
}

}  // namespace

const LongType* ShapeUtils::evalReduceShapeInfo(char order, std::vector<int>& dims, const LongType* info,
                                                DataType dataType, bool keepDims, bool supportOldShapes,
                                                memory::Workspace*) {
  shape::validate(info, "reduce");
  const int rank = shape::rank(info);
  if (dims.empty() && shape::isEmpty(info)) return ConstantShapeHelper::getInstance().castShapeInfo(info, dataType);

  const bool all = dims.empty() || (dims.size() == 1 && dims[0] == SD_MAX_DIMENSION);
  // A scalar may be reduced along its "dimension 0".
  const bool scalar = rank == 0 && dims.size() == 1 && (dims[0] == 0 || dims[0] == -1);
  if (!all && !scalar) shape::normaliseAxes(dims.data(), static_cast<int>(dims.size()), rank, dims.data(), "reduce");

  if (all || scalar || (!keepDims && static_cast<int>(dims.size()) == rank)) {
    if (keepDims && rank > 1) return interned(dataType, order, Dims(static_cast<size_t>(rank), 1));
    return interned(dataType, order, supportOldShapes ? Dims{1, 1} : Dims{});
  }
  Dims result;
  for (int i = 0; i < rank; i++) {
    const bool reduced = std::binary_search(dims.begin(), dims.end(), i);
    if (!reduced)
      result.push_back(info[1 + i]);
    else if (keepDims)
      result.push_back(1);
  }
  // Old shapes have rank at least 2: reducing a matrix along dimension 0 gives a row, along dimension 1 a column.
  if (supportOldShapes && result.size() == 1) result.insert(dims[0] == 0 ? result.begin() : result.end(), 1);
  return interned(dataType, order, result);
}

const LongType* ShapeUtils::evalReduceShapeInfo(char order, std::vector<int>& dims, const LongType* info, bool keepDims,
                                                bool supportOldShapes, memory::Workspace* workspace) {
  shape::validate(info, "reduce");
  return evalReduceShapeInfo(order, dims, info, ArrayOptions::dataType(info), keepDims, supportOldShapes, workspace);
}

std::vector<int> ShapeUtils::evalDimsToExclude(int rank, int n, const int* dims) {
  if (rank < 0 || rank > SD_MAX_RANK) fail("[shape] rank {} is outside 0..{}", rank, SD_MAX_RANK);
  std::vector<int> result(static_cast<size_t>(rank));
  std::iota(result.begin(), result.end(), 0);
  if (n == 0) return result;
  int sorted[SD_MAX_RANK];
  shape::normaliseAxes(dims, n, rank, sorted);
  std::erase_if(result, [&](int i) { return std::binary_search(sorted, sorted + n, i); });
  return result;
}

std::vector<int> ShapeUtils::evalDimsToExclude(int rank, const Dimensions& dims) {
  return evalDimsToExclude(rank, dims.size(), dims.data());
}

LongType ShapeUtils::getNumOfSubArrs(const LongType* info, const Dimensions& dimsToExclude) {
  shape::validate(info);
  const int n = dimsToExclude.size();
  int sorted[SD_MAX_RANK];
  if (n == 0) return 1;
  shape::normaliseAxes(dimsToExclude.data(), n, shape::rank(info), sorted);
  return n == shape::rank(info) ? 1 : shape::tadLength(info, sorted, n);
}

bool ShapeUtils::areShapesBroadcastable(int rankA, const LongType* a, int rankB, const LongType* b) {
  return broadcasting::commonShape({a, static_cast<size_t>(rankA)}, {b, static_cast<size_t>(rankB)}, nullptr);
}

bool ShapeUtils::areShapesBroadcastable(const std::vector<LongType>& a, const std::vector<LongType>& b) {
  return broadcasting::commonShape(a, b, nullptr);
}

bool ShapeUtils::areShapesBroadcastable(const LongType* a, const LongType* b) {
  return broadcasting::commonShape(broadcasting::sizesOf(a), broadcasting::sizesOf(b), nullptr);
}

bool ShapeUtils::evalBroadcastShapeInfo(const LongType* a, const LongType* b, bool evalMinMax, const LongType*& result,
                                        memory::Workspace*) {
  if (result) fail<std::runtime_error>("[broadcast] the pointer to the result must be nullptr on entry");
  shape::validate(a, "broadcast");
  shape::validate(b, "broadcast");
  if (evalMinMax && shape::rank(a) < shape::rank(b)) std::swap(a, b);
  LongType dims[SD_MAX_RANK];
  if (!broadcasting::commonShape(broadcasting::sizesOf(a), broadcasting::sizesOf(b), dims)) return false;
  const int rank = std::max(shape::rank(a), shape::rank(b));
  const DataType dataType = DataTypeUtils::pickPairwiseResultType(ArrayOptions::dataType(a), ArrayOptions::dataType(b));
  auto& shapes = ConstantShapeHelper::getInstance();
  // For rank 0, only the flag tells that an operand is empty.
  const bool empty = rank == 0 && (shape::isEmpty(a) || shape::isEmpty(b));
  result = empty ? shapes.emptyShapeInfo(dataType) : shapes.createShapeInfo(dataType, shape::order(a), rank, dims);
  return true;
}

std::vector<int> ShapeUtils::evalBroadcastBackwardAxis(const LongType* operand, const LongType* result) {
  const int rank = shape::rank(result), operandRank = shape::rank(operand);
  if (operandRank > rank) fail("[broadcast] rank {} does not broadcast to rank {}", operandRank, rank);
  return broadcasting::repeatedAxes<int>(broadcasting::sizesOf(operand), broadcasting::sizesOf(result));
}

std::vector<int> ShapeUtils::evalPermutFromTo(const std::vector<LongType>& from, const std::vector<LongType>& to) {
  if (from == to) return {};
  std::vector<int> permutation;
  std::vector<bool> used(from.size());
  for (const LongType dim : to) {
    for (size_t i = 0; i < from.size(); i++)
      if (!used[i] && from[i] == dim) {
        used[i] = true;
        permutation.push_back(static_cast<int>(i));
        break;
      }
  }
  if (from.size() != to.size() || permutation.size() != to.size())
    fail<std::runtime_error>("[permute] {} is not a permutation of {}", shapeAsString(to), shapeAsString(from));
  return permutation;
}

bool ShapeUtils::isPermutNecessary(const std::vector<int>& permutation) {
  for (size_t i = 0; i < permutation.size(); i++)
    if (permutation[i] != static_cast<int>(i)) return true;
  return false;
}

const LongType* ShapeUtils::evalPermShapeInfo(const int* dims, int rank, const LongType* info, bool setContigStrides) {
  shape::validate(info, "permute");
  if (rank != shape::rank(info) || (rank > 0 && !dims))
    fail("[permute] {} dimensions given for shape {}", rank, shapeAsString(info));
  LongType slots[SD_MAX_SHAPEINFOLENGTH];
  std::copy_n(info, shape::shapeInfoLength(info), slots);
  shape::doPermuteShapeInfo(slots, dims);
  if (setContigStrides) shape::updateStrides(slots, shape::order(info));
  return interned(slots);
}

const LongType* ShapeUtils::evalTranspShapeInfo(const LongType* info, bool setContigStrides) {
  shape::validate(info, "transpose");
  int dims[SD_MAX_RANK];
  const int rank = shape::rank(info);
  for (int i = 0; i < rank; i++) dims[i] = rank - 1 - i;
  return evalPermShapeInfo(dims, rank, info, setContigStrides);
}

const LongType* ShapeUtils::evalTileShapeInfo(const LongType* info, const std::vector<LongType>& reps) {
  shape::validate(info, "tile");
  const int repsRank = static_cast<int>(reps.size()), rank = std::max(repsRank, shape::rank(info));
  Dims dims(static_cast<size_t>(rank));
  for (int i = 0; i < rank; i++) {
    const LongType repeat = dimFromEnd(repsRank, reps.data(), i);
    if (repeat < 1) fail("[tile] argument 1 'reps': {} is below 1 ({})", repeat, shapeAsString(reps));
    LongType& dim = dims[static_cast<size_t>(rank - 1 - i)];
    if (__builtin_mul_overflow(dimFromEnd(shape::rank(info), info + 1, i), repeat, &dim))
      fail("[tile] shape {} tiled {} times is too large", shapeAsString(info), shapeAsString(reps));
  }
  return interned(ArrayOptions::dataType(info), shape::order(info), dims);
}

std::vector<LongType> ShapeUtils::evalRepeatShape(int axis, const std::vector<int>& repeats, const LongType* info) {
  shape::validate(info, "repeat");
  axis = shape::normaliseAxis(axis, shape::rank(info), "repeat");
  Dims result = dimsOf(info);
  LongType& dim = result[static_cast<size_t>(axis)];
  if (repeats.size() != 1 && static_cast<LongType>(repeats.size()) != dim)
    fail("[repeat] {} repeats do not fit dimension {} of shape {}", repeats.size(), axis, shapeAsString(info));
  LongType sum = 0;
  for (const int repeat : repeats) {
    if (repeat < 0) fail("[repeat] repeat {} is negative", repeat);
    sum += repeat;
  }
  if (repeats.size() != 1)
    dim = sum;
  else if (__builtin_mul_overflow(dim, sum, &dim))
    fail("[repeat] shape {} repeated {} times is too large", shapeAsString(info), sum);
  return result;
}

std::string ShapeUtils::shapeAsString(int rank, const LongType* dims) {
  if (rank < 0 || (rank > 0 && !dims)) fail("[shape] rank {} is negative or has no dimensions", rank);
  return fmt::format("[{}]", fmt::join(dims, dims + rank, ", "));
}

std::string ShapeUtils::shapeAsString(const std::vector<LongType>& dims) {
  // A longer list is not a shape; it holds values that were passed as one.
  constexpr auto MOST = static_cast<std::ptrdiff_t>(2 * SD_MAX_RANK);
  if (std::ssize(dims) > MOST)
    return fmt::format("[{}, ... {} in all]", fmt::join(dims.begin(), dims.begin() + MOST, ", "), dims.size());
  return fmt::format("[{}]", fmt::join(dims, ", "));
}

std::string ShapeUtils::shapeAsString(const LongType* info) {
  if (!info) fail("[shape] shapeInfo is null");
  return shapeAsString(shape::rank(info), info + 1);
}

std::string ShapeUtils::strideAsString(const LongType* info) {
  if (!info) fail("[shape] shapeInfo is null");
  return shapeAsString(shape::rank(info), shape::stride(info));
}

std::string ShapeUtils::shapeInfoAsString(const LongType* info) {
  if (!info) fail("[shape] shapeInfo is null");
  return shapeAsString(shape::shapeInfoLength(info), info);
}

std::vector<LongType> ShapeUtils::pullShapeFromShapeInfo(const LongType* info) {
  if (!info) fail("[shape] shapeInfo is null");
  return dimsOf(info);
}

std::vector<LongType> ShapeUtils::shapeAsVector(const LongType* info) { return pullShapeFromShapeInfo(info); }

void ShapeUtils::updateStridesAndType(LongType* info, DataType dataType, char order) {
  ArrayOptions::setDataType(info, dataType);
  shape::updateStrides(info, order);
}

void ShapeUtils::updateStridesAndType(LongType* info, const LongType* typeFrom, char order) {
  updateStridesAndType(info, ArrayOptions::dataType(typeFrom), order);
}

LongType ShapeUtils::stringBufferHeaderRequirements(LongType numStrings) {
  LongType bytes;
  if (numStrings < 0 || __builtin_mul_overflow(numStrings, LongType{sizeof(LongType)}, &bytes) ||
      __builtin_add_overflow(bytes, LongType{sizeof(LongType)}, &bytes))
    fail("[strings] {} is not a valid number of strings", numStrings);
  return bytes;
}

}  // namespace sd
