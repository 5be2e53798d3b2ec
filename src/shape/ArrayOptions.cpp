#include <array/ArrayOptions.h>
#include <array/DataTypeUtils.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "system/Error.h"

namespace sd {

namespace {

struct TypeBits {
  DataType type;
  LongType bits;
};

// In decoding order: when several bits are set, the first row that matches decides.
constexpr TypeBits TYPE_BITS[] = {
    {COMPLEX64, ARRAY_COMPLEX | ARRAY_FLOAT},
    {COMPLEX128, ARRAY_COMPLEX | ARRAY_DOUBLE},
    {FLOAT32, ARRAY_FLOAT},
    {DOUBLE, ARRAY_DOUBLE},
    {HALF, ARRAY_HALF},
    {BFLOAT16, ARRAY_BHALF},
    {BOOL, ARRAY_BOOL},
    {UINT8, ARRAY_UNSIGNED | ARRAY_CHAR},
    {UINT16, ARRAY_UNSIGNED | ARRAY_SHORT},
    {UINT32, ARRAY_UNSIGNED | ARRAY_INT},
    {UINT64, ARRAY_UNSIGNED | ARRAY_LONG},
    {INT8, ARRAY_CHAR},
    {INT16, ARRAY_SHORT},
    {INT32, ARRAY_INT},
    {INT64, ARRAY_LONG},
    {UTF8, ARRAY_UTF8},
    {UTF16, ARRAY_UTF16},
    {UTF32, ARRAY_UTF32},
};

static_assert(std::size(TYPE_BITS) == types::STORABLE_TYPES, "each type that arrays can have needs a row");

// The type bits, indexed by type number; 0 for types that arrays cannot have.
constexpr auto BITS_OF_TYPE = [] {
  std::array<LongType, UTF32 + 1> table{};
  for (const auto& row : TYPE_BITS) table[row.type] = row.bits;
  return table;
}();

LongType bitsOf(DataType type) noexcept {
  const auto number = static_cast<size_t>(type);
  return number < BITS_OF_TYPE.size() ? BITS_OF_TYPE[number] : 0;
}

}  // namespace

DataType ArrayOptions::dataTypeOfFlags(LongType flags) {
  for (const auto& row : TYPE_BITS)
    if ((flags & row.bits) == row.bits) return row.type;
  fail<std::runtime_error>("[ArrayOptions] flags {} contain no element type", flags);
}

bool ArrayOptions::isOneDataType(LongType flags) noexcept {
  return std::any_of(std::begin(TYPE_BITS), std::end(TYPE_BITS),
                     [&](const TypeBits& row) { return (flags & DATA_TYPE_BITS) == row.bits; });
}

LongType ArrayOptions::flagsOfDataType(DataType dataType) {
  const LongType bits = bitsOf(dataType);
  if (bits == 0)
    fail<std::runtime_error>("[ArrayOptions] {} is not an element type of arrays", static_cast<int>(dataType));
  return bits;
}

bool ArrayOptions::isStorable(DataType dataType) noexcept { return bitsOf(dataType) != 0; }

SpaceType ArrayOptions::spaceType(const LongType* info) {
  if (hasPropertyBitSet(info, ARRAY_QUANTIZED)) return QUANTIZED;
  return hasPropertyBitSet(info, ARRAY_COMPLEX) ? COMPLEX : CONTINUOUS;
}

ArrayType ArrayOptions::arrayType(const LongType* info) {
  if (hasPropertyBitSet(info, ARRAY_SPARSE)) return SPARSE;
  if (hasPropertyBitSet(info, ARRAY_COMPRESSED)) return COMPRESSED;
  if (hasPropertyBitSet(info, ARRAY_EMPTY)) return EMPTY;
  return hasPropertyBitSet(info, ARRAY_RAGGED) ? RAGGED : DENSE;
}

SparseType ArrayOptions::sparseType(const LongType* info) {
  if (!isSparseArray(info))
    fail<std::runtime_error>("[ArrayOptions] sparseType was called for an array that is not sparse");
  if (hasPropertyBitSet(info, ARRAY_CSC)) return CSC;
  if (hasPropertyBitSet(info, ARRAY_CSR)) return CSR;
  return hasPropertyBitSet(info, ARRAY_COO) ? COO : LIL;
}

// ---- the functions of DataTypeUtils that read shapeInfos

size_t DataTypeUtils::sizeOf(const LongType* shapeInfo) { return sizeOf(ArrayOptions::dataType(shapeInfo)); }

DataType DataTypeUtils::pickPairwiseResultType(const LongType* xShapeInfo, const LongType* yShapeInfo) {
  return pickPairwiseResultType(ArrayOptions::dataType(xShapeInfo), ArrayOptions::dataType(yShapeInfo));
}

}  // namespace sd
