#include <array/ArrayOptions.h>
#include <array/DataTypeUtils.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
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

// The rows by a hash of their bits, for flags that have the bits of one type. The factor is one that gives each type a
// slot of its own.
constexpr int HASH_BITS = 6;

constexpr size_t slotOf(LongType bits, uint32_t factor) {
  return static_cast<uint32_t>(bits) * factor >> (32 - HASH_BITS);
}

constexpr uint32_t FACTOR = [] {
  for (uint32_t factor = 1;; factor += 2) {
    uint64_t taken = 0;
    for (const auto& row : TYPE_BITS) taken |= uint64_t{1} << slotOf(row.bits, factor);
    if (std::popcount(taken) == std::ssize(TYPE_BITS)) return factor;
  }
}();

constexpr auto ROW_OF_SLOT = [] {
  std::array<TypeBits, 1 << HASH_BITS> table{};
  for (const auto& row : TYPE_BITS) table[slotOf(row.bits, FACTOR)] = row;
  return table;
}();

LongType bitsOf(DataType type) noexcept {
  const auto number = static_cast<size_t>(type);
  return number < BITS_OF_TYPE.size() ? BITS_OF_TYPE[number] : 0;
}

[[gnu::noinline, gnu::cold]] DataType firstTypeIn(LongType flags) {
  for (const auto& row : TYPE_BITS)
    if ((flags & row.bits) == row.bits) return row.type;
  fail<std::runtime_error>("[ArrayOptions] flags {} contain no element type", flags);
}

}  // namespace

DataType ArrayOptions::dataTypeOfFlags(LongType flags) {
  const LongType bits = flags & DATA_TYPE_BITS;
  if (const TypeBits& usual = ROW_OF_SLOT[slotOf(bits, FACTOR)]; usual.bits == bits && bits != 0) return usual.type;
  return firstTypeIn(flags);
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
