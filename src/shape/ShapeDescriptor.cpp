#include <array/ArrayOptions.h>
#include <array/ShapeDescriptor.h>
#include <helpers/shape.h>

#include <algorithm>
#include <span>
#include <tuple>

#include "shape/InternTable.h"
#include "shape/Interned.h"
#include "system/Error.h"

namespace sd {

namespace {

bool add(LongType& sum, LongType value) { return !__builtin_add_overflow(sum, value, &sum); }
bool multiply(LongType& product, LongType value) { return !__builtin_mul_overflow(product, value, &product); }

// The product modulo 2^64. Invalid dimensions and strides are rejected later, when the shape is built.
LongType wrapping(LongType a, LongType b) {
  return static_cast<LongType>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

// The dimensions from the fastest to the slowest one of an order.
struct FastestFirst {
  int rank;
  char order;
  int operator[](int k) const { return order == 'f' ? k : rank - 1 - k; }
};

// Checks the sizes before the delegated constructor reads as many strides as there are dimensions.
const LongType* matchingStrides(const std::vector<LongType>& dims, const std::vector<LongType>& strides) {
  if (dims.size() != strides.size())
    fail("[ShapeDescriptor] {} dimensions, but {} strides", dims.size(), strides.size());
  return strides.data();
}

}  // namespace

ShapeDescriptor::ShapeDescriptor(DataType type, char order, const LongType* dims, int rank, const LongType* strides)
    : _rank(rank), _order(order), _dataType(type) {
  if (rank < 0 || (rank > 0 && !dims)) fail("[ShapeDescriptor] rank {} is given without dimensions", rank);
  _shapeStrides.assign(dims, dims + rank);
  _shapeStrides.resize(2 * static_cast<size_t>(rank));
  if (std::find(dims, dims + rank, 0) != dims + rank) {
    _extraProperties |= ARRAY_EMPTY;
    return;
  }
  if (strides) {
    std::copy_n(strides, rank, _shapeStrides.begin() + rank);
    return;
  }
  const FastestFirst fastest{rank, order};
  LongType step = 1;
  for (int k = 0; k < rank; k++) {
    _shapeStrides[rank + fastest[k]] = step;
    step = wrapping(step, dims[fastest[k]]);
  }
}

ShapeDescriptor::ShapeDescriptor(const LongType* info, bool inheritDtype) {
  shape::validate(info, "ShapeDescriptor");
  *this = ShapeDescriptor(ANY, shape::order(info), shape::shapeOf(info), shape::rank(info), shape::stride(info));
  _ews = shape::elementWiseStride(info);
  if (inheritDtype) _dataType = ArrayOptions::dataType(info);
  _extraProperties |= ArrayOptions::propertyWithoutDataType(info);
}

ShapeDescriptor::ShapeDescriptor(const LongType* info, DataType dtypeOverride) : ShapeDescriptor(info, false) {
  _dataType = dtypeOverride;
}

ShapeDescriptor::ShapeDescriptor(const LongType* info, const LongType* dtypeFrom) : ShapeDescriptor(info, false) {
  shape::validate(dtypeFrom, "ShapeDescriptor");
  _dataType = ArrayOptions::dataType(dtypeFrom);
}

ShapeDescriptor::ShapeDescriptor(const LongType* info, const LongType* dtypeFrom, const LongType* orderFrom)
    : ShapeDescriptor(info, dtypeFrom) {
  shape::validate(orderFrom, "ShapeDescriptor");
  _order = shape::order(orderFrom);
}

ShapeDescriptor::ShapeDescriptor(DataType type, LongType length) : ShapeDescriptor(type, 'c', &length, 1, nullptr) {}

ShapeDescriptor::ShapeDescriptor(DataType type, char order, const LongType* dims, int rank)
    : ShapeDescriptor(type, order, dims, rank, nullptr) {}

ShapeDescriptor::ShapeDescriptor(DataType type, char order, std::initializer_list<LongType> dims)
    : ShapeDescriptor(type, order, dims.begin(), static_cast<int>(dims.size()), nullptr) {}

ShapeDescriptor::ShapeDescriptor(DataType type, char order, const std::vector<LongType>& dims)
    : ShapeDescriptor(type, order, dims.data(), static_cast<int>(dims.size()), nullptr) {}

ShapeDescriptor::ShapeDescriptor(DataType type, char order, const std::vector<LongType>& dims,
                                 const std::vector<LongType>& strides)
    : ShapeDescriptor(type, order, dims.data(), static_cast<int>(dims.size()), matchingStrides(dims, strides)) {
  if (!isEmpty()) _ews = contiguousStep();
}

ShapeDescriptor::ShapeDescriptor(DataType type, char order, const std::vector<LongType>& dims,
                                 const std::vector<LongType>& strides, LongType ews)
    : ShapeDescriptor(type, order, dims, strides) {
  _ews = ews;
}

ShapeDescriptor::ShapeDescriptor(DataType type, char order, const LongType* dims, const LongType* strides, int rank,
                                 LongType ews, LongType extras)
    : ShapeDescriptor(type, order, dims, rank, strides) {
  _ews = ews;
  // An empty shape has no property but ARRAY_EMPTY.
  _extraProperties |= extras & ~ArrayOptions::DATA_TYPE_BITS;
  if (isEmpty()) _extraProperties = ARRAY_EMPTY;
}

ShapeDescriptor ShapeDescriptor::emptyDescriptor(DataType type) {
  ShapeDescriptor descriptor(type, 'c', nullptr, 0, nullptr);
  descriptor._extraProperties = ARRAY_EMPTY;
  return descriptor;
}

ShapeDescriptor ShapeDescriptor::scalarDescriptor(DataType type) {
  return ShapeDescriptor(type, 'c', nullptr, 0, nullptr);
}

ShapeDescriptor ShapeDescriptor::vectorDescriptor(LongType length, DataType type) {
  return ShapeDescriptor(type, length);
}

ShapeDescriptor ShapeDescriptor::paddedBufferDescriptor(DataType type, char order, const std::vector<LongType>& dims,
                                                        const std::vector<LongType>& paddings) {
  ShapeDescriptor descriptor(type, order, dims);
  const int rank = descriptor._rank;
  shape::lengthChecked(rank, dims.data());
  if (descriptor.isEmpty() || rank == 0) return descriptor;
  const FastestFirst fastest{rank, order};
  LongType step = 1;
  bool padded = false, fits = true;
  for (int k = 0; k < rank; k++) {
    const auto i = static_cast<size_t>(fastest[k]);
    const LongType padding = i < paddings.size() ? paddings[i] : 0;
    if (padding < 0) fail("[ShapeDescriptor] padding {} is negative: {}", i, padding);
    descriptor._shapeStrides[rank + i] = step;
    LongType room = dims[i];
    fits = fits && add(room, padding) && multiply(step, room);
    padded |= padding > 0;
    // Padding of the slowest dimension changes only the size of the buffer.
    if (padding > 0 && k + 1 < rank) {
      descriptor._extraProperties |= ARRAY_HAS_PADDED_BUFFER;
      descriptor._ews = 0;
    }
  }
  if (!fits)
    fail("[ShapeDescriptor] [{}] with paddings [{}] is too large", fmt::join(dims, ", "), fmt::join(paddings, ", "));
  if (padded) descriptor._paddedAllocSize = step;
  return descriptor;
}

bool ShapeDescriptor::isEmpty() const { return (_extraProperties & ARRAY_EMPTY) != 0; }

LongType ShapeDescriptor::arrLength() const { return isEmpty() ? 0 : shape::lengthChecked(_rank, dimsPtr()); }

LongType ShapeDescriptor::allocLength() const {
  if (_paddedAllocSize > 0) return _paddedAllocSize;
  if (isEmpty()) return 0;
  LongType elements = 1;
  bool fits = true;
  for (int i = 0; i < _rank; i++) {
    LongType span = dimsPtr()[i] - 1;
    fits = fits && multiply(span, stridesPtr()[i]) && add(elements, span);
  }
  if (fits && _ews == 1 && _rank > 1) {
    const int outer = _order == 'f' ? _rank - 1 : 0;
    elements = dimsPtr()[outer];
    fits = multiply(elements, stridesPtr()[outer]);
  }
  if (!fits) fail("[ShapeDescriptor] the buffer of [{}] is too large", fmt::join(std::span(dimsPtr(), _rank), ", "));
  return elements;
}

LongType ShapeDescriptor::contiguousStep() const {
  if (_rank == 0) return 1;
  const FastestFirst fastest{_rank, _order};
  for (int k = 0; k + 1 < _rank; k++)
    if (stridesPtr()[fastest[k + 1]] != wrapping(dimsPtr()[fastest[k]], stridesPtr()[fastest[k]])) return 0;
  return stridesPtr()[fastest[0]];
}

LongType ShapeDescriptor::validate() const {
  LongType status = SHAPE_DESC_OK;
  if (_rank < 0 || _rank > SD_MAX_RANK) status |= SHAPE_DESC_INCORRECT_RANK;
  if (isEmpty()) return status;
  const FastestFirst fastest{_rank, _order};
  for (int k = 0; k < _rank; k++) {
    const LongType stride = stridesPtr()[fastest[k]];
    const LongType least = k == 0 ? 0 : wrapping(dimsPtr()[fastest[k - 1]], stridesPtr()[fastest[k - 1]]);
    if (stride < least) status |= SHAPE_DESC_INCORRECT_STRIDES;
  }
  if (_ews != contiguousStep()) status |= SHAPE_DESC_INCORRECT_EWS;
  return status;
}

void ShapeDescriptor::writeShapeInfo(LongType* out) const {
  if (_rank > SD_MAX_RANK) fail("[ShapeDescriptor] rank {} is outside 0..{}", _rank, SD_MAX_RANK);
  if (!ArrayOptions::isStorable(_dataType))
    fail("[ShapeDescriptor] {} is not an element type of arrays", static_cast<int>(_dataType));
  out[0] = _rank;
  std::copy(_shapeStrides.begin(), _shapeStrides.end(), out + 1);
  shape::extra(out) = _extraProperties | ArrayOptions::flagsOfDataType(_dataType);
  shape::setEws(out, _ews);
  shape::setOrder(out, _order);
  normaliseSlots(out);
}

LongType* ShapeDescriptor::toShapeInfo() const {
  LongType slots[SD_MAX_SHAPEINFOLENGTH];
  writeShapeInfo(slots);
  auto* info = new LongType[shape::shapeInfoLength(_rank)];
  return std::copy_n(slots, shape::shapeInfoLength(_rank), info), info;
}

bool ShapeDescriptor::operator==(const ShapeDescriptor& other) const {
  return _rank == other._rank && _order == other._order && _dataType == other._dataType && _ews == other._ews &&
         _extraProperties == other._extraProperties && _shapeStrides == other._shapeStrides;
}

bool ShapeDescriptor::operator<(const ShapeDescriptor& other) const {
  return std::tie(_extraProperties, _rank, _dataType, _ews, _order, _shapeStrides) <
         std::tie(other._extraProperties, other._rank, other._dataType, other._ews, other._order, other._shapeStrides);
}

}  // namespace sd

size_t std::hash<sd::ShapeDescriptor>::operator()(const sd::ShapeDescriptor& descriptor) const {
  uint64_t key = sd::mixHash(static_cast<uint64_t>(descriptor.dataType()), static_cast<uint64_t>(descriptor.order()));
  key = sd::mixHash(key, static_cast<uint64_t>(descriptor.extraProperties()));
  key = sd::mixHash(key, static_cast<uint64_t>(descriptor.ews()));
  for (const sd::LongType slot : descriptor.shape_strides()) key = sd::mixHash(key, static_cast<uint64_t>(slot));
  return key;
}
