#include "loops/Operand.h"

#include <array/ArrayOptions.h>
#include <array/DataTypeUtils.h>
#include <exceptions/datatype_exception.h>
#include <helpers/shape.h>
#include <loops/Executor.h>
#include <types/element_types.h>

#include <algorithm>

#include "system/Error.h"

namespace sd::loops {

namespace {

constexpr signed char NONE = -1;

/// What the table of element types says, by the number of a DataType or of a storage type.
struct TypeTable {
  signed char storage[UTF8];  ///< strings have the greatest numbers
  signed char size[simd::STORAGE_TYPES];
  Storage arithmetic[simd::STORAGE_TYPES];

  constexpr TypeTable() : storage(), size(), arithmetic() {
    for (auto& s : storage) s = NONE;
#define SD_TYPE(TYPE, NAME, CXX, STORAGE, ...) \
  storage[TYPE] = simd::STORAGE;               \
  size[simd::STORAGE] = sizeof(CXX);
    SD_ELEMENT_TYPES(SD_TYPE)
#undef SD_TYPE
#define SD_TYPE(TYPE, NAME, CXX, STORAGE, ...) \
  arithmetic[simd::STORAGE] = static_cast<Storage>(storage[DataTypeUtils::arithmeticType(TYPE)]);
    SD_ELEMENT_TYPES(SD_TYPE)
#undef SD_TYPE
  }
};

constexpr TypeTable TYPES;

constexpr bool computesInItself(int storage) { return TYPES.arithmetic[storage] == storage; }

static_assert(
    [] {
      for (int s = 0; s < simd::STORAGE_TYPES; s++)
        if (computesInItself(s) != (s < simd::COMPUTE_TYPES)) return false;
      return true;
    }(),
    "The types in which kernels compute come first in SD_ELEMENT_TYPES, and BOOL follows them");

bool isNumeric(DataType type) { return type >= 0 && type < UTF8 && TYPES.storage[type] != NONE; }

[[noreturn, gnu::cold, gnu::noinline]] void failType(std::string_view op, const char* argument, DataType type) {
  fail<datatype_exception>("[{}] argument '{}': bad data type {}", op, argument, typeText(type));
}

}  // namespace

Storage storageOf(std::string_view op, const char* argument, DataType type) {
  if (!isNumeric(type)) failType(op, argument, type);
  return static_cast<Storage>(TYPES.storage[type]);
}

int sizeOf(Storage storage) { return TYPES.size[storage]; }

bool isFloating(DataType type) { return DataTypeUtils::isR(type); }
bool isIntegral(DataType type) { return isNumeric(type) && DataTypeUtils::isZ(type); }

Storage arithmeticType(Storage storage) { return TYPES.arithmetic[storage]; }

Storage floatFor(Storage storage) {
  if (storage == simd::F32 || storage == simd::F64) return storage;
  return sizeOf(storage) <= 2 ? simd::F32 : simd::F64;
}

Operand operand(std::string_view op, const char* argument, const void* data, const LongType* info) {
  if (info == nullptr) fail("[{}] argument '{}': shapeInfo is null", op, argument);
  const LongType rank = info[0];
  if (rank < 0 || rank > SD_MAX_RANK)
    fail("[{}] argument '{}': rank {} is outside 0..{}", op, argument, rank, SD_MAX_RANK);
  Operand result;
  result.data = static_cast<char*>(const_cast<void*>(data));
  result.info = info;
  result.rank = static_cast<int>(rank);
  result.sizes = info + 1;
  result.strides = info + 1 + rank;
  if (!ArrayOptions::isNewFormat(info)) fail<datatype_exception>("[{}] argument '{}': no element type", op, argument);
  result.type = ArrayOptions::dataType(info);
  // storageOf is not called here: copying `op` again would double the cost (a wide load stalls on two narrower stores)
  if (!isNumeric(result.type)) failType(op, argument, result.type);
  result.storage = static_cast<Storage>(TYPES.storage[result.type]);
  result.elementSize = sizeOf(result.storage);
  LongType length = 1;
  bool empty = ArrayOptions::hasPropertyBitSet(info, ARRAY_EMPTY);
  for (int i = 0; i < rank; i++) {
    const LongType size = result.sizes[i];
    if (size < 0) fail("[{}] argument '{}': size {} of dimension {} is negative", op, argument, size, i);
    empty |= size == 0;
    if (!empty && __builtin_mul_overflow(length, size, &length))
      fail("[{}] argument '{}': {} has too many elements", op, argument, shapeText(info));
  }
  result.length = empty ? 0 : length;
  // all byte offsets inside the operand must be representable
  LongType reach = 0;
  for (int i = 0; result.length > 0 && i < rank; i++) {
    LongType step;
    if (__builtin_mul_overflow(result.sizes[i] - 1, result.strides[i], &step) ||
        __builtin_mul_overflow(step, static_cast<LongType>(result.elementSize), &step) ||
        __builtin_add_overflow(reach, step < 0 ? -step : step, &reach))
      fail("[{}] argument '{}': stride {} of dimension {} is too large (shape {})", op, argument, result.strides[i], i,
           shapeText(info));
  }
  if (data == nullptr && result.length > 0) fail("[{}] argument '{}': the buffer is null", op, argument);
  return result;
}

bool isDense(const Operand& x, char order) {
  LongType expected = 1;
  for (int k = 0; k < x.rank; k++) {
    const int i = order == 'c' ? x.rank - 1 - k : k;
    if (x.sizes[i] == 1) continue;
    if (x.strides[i] != expected) return false;
    expected *= x.sizes[i];
  }
  return true;
}

LongType linearStride(const Operand& x) {
  LongType stride = 0, expected = 0;
  for (int i = x.rank - 1; i >= 0; i--) {
    if (x.sizes[i] == 1) continue;
    if (stride == 0) {
      stride = x.strides[i];
      if (stride == 0) return 0;
      expected = stride;
    }
    if (x.strides[i] != expected) return 0;
    expected *= x.sizes[i];
  }
  return stride == 0 ? 1 : stride;
}

bool lacksElements(const LongType* info) {
  if (info == nullptr || info[0] < 0 || info[0] > SD_MAX_RANK) return false;
  return shape::isEmpty(info) || std::find(info + 1, info + 1 + info[0], 0) != info + 1 + info[0];
}

bool sameSizes(const Operand& x, const Operand& y) {
  return x.rank == y.rank && std::equal(x.sizes, x.sizes + x.rank, y.sizes);
}

std::string shapeText(const LongType* info) {
  return fmt::format("[{}]", fmt::join(info + 1, info + 1 + info[0], ", "));
}

std::string shapeText(const Operand& x) { return shapeText(x.info); }

std::string typeText(DataType type) { return DataTypeUtils::describe(type); }

Axes normalizedAxes(std::string_view op, const Axes& axes, const Operand& x) {
  Axes result(axes);
  for (std::size_t i = 0; i < axes.size(); i++) {
    const int axis = axes[i];
    if (axis < -x.rank || axis >= x.rank)
      fail("[{}] argument 'dimensions': value {} at [{}] is outside {}..{} (shape {})", op, axis, i, -x.rank,
           x.rank - 1, shapeText(x));
    result[i] = axis < 0 ? axis + x.rank : axis;
  }
  std::sort(result.begin(), result.end());
  const auto twice = std::adjacent_find(result.begin(), result.end());
  if (twice != result.end())
    fail("[{}] argument 'dimensions': dimension {} is repeated (shape {})", op, *twice, shapeText(x));
  return result;
}

void requireType(std::string_view op, const char* argument, const Operand& x, DataType type) {
  if (x.type != type)
    fail<datatype_exception>("[{}] argument '{}': type {} where {} is needed", op, argument, typeText(x.type),
                             typeText(type));
}

void requireFloating(std::string_view op, const char* argument, const Operand& x) {
  if (!isFloating(x.type))
    fail<datatype_exception>("[{}] argument '{}': type {} where a floating-point type is needed", op, argument,
                             typeText(x.type));
}

}  // namespace sd::loops
