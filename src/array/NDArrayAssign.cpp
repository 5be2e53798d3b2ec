// Filling, copying and converting arrays.
#include <array/ElementRows.h>
#include <array/NDArray.h>
#include <helpers/ShapeUtils.h>

#include <algorithm>
#include <cstring>

#include "array/ElementConvert.h"
#include "array/NDArrayCommon.h"

namespace sd {

namespace {

// Copies of fewer bytes are done in place: a call of the executor costs more.
constexpr size_t SMALL_COPY = 1 << 14;

// The bytes between the outermost elements may be shared although no element is; that costs a copy, no error.
bool overlap(const NDArray& a, const NDArray& b) {
  if (a.getDataBuffer().get() != b.getDataBuffer().get()) return false;
  auto reach = [](const NDArray& array, LongType& first, LongType& last) {
    first = last = array.bufferOffset();
    for (int d = 0; d < array.rankOf(); d++) {
      const LongType span = (array.shapeInfo()[1 + d] - 1) * array.stridesOf()[d];
      (span < 0 ? first : last) += span;
    }
  };
  LongType firstA, lastA, firstB, lastB;
  reach(a, firstA, lastA);
  reach(b, firstB, lastB);
  return firstA <= lastB && firstB <= lastA;
}

bool broadcastsTo(const NDArray& from, const NDArray& to) {
  const int lead = to.rankOf() - from.rankOf();
  if (lead < 0) return false;
  for (int d = 0; d < from.rankOf(); d++) {
    const LongType dim = from.shapeInfo()[1 + d];
    if (dim != 1 && dim != to.shapeInfo()[1 + lead + d]) return false;
  }
  return true;
}

}  // namespace

namespace arrays {

void copyElements(const NDArray& from, NDArray& to) {
  const LongType *shapeFrom = from.shapeInfo(), *shapeTo = to.shapeInfo();
  if (shape::shapeEquals(shapeFrom, shapeTo)) {
    loops::assign(in(from), out(to));
  } else if (isLinear(from)) {
    loops::assign({from.buffer(), interned(from.dataType(), 'c', to.rankOf(), shapeTo + 1)}, out(to));
  } else if (isLinear(to)) {
    loops::assign(in(from), {to.buffer(), interned(to.dataType(), 'c', from.rankOf(), shapeFrom + 1)});
  } else {
    copyElements(from.dup('c'), to);
  }
}

}  // namespace arrays

// ---- assign

void NDArray::assign(const NDArray& other, bool) {
  if (this == &other) return;
  if (isEmpty() || (isS() && other.isS())) {
    if (!isEmpty() || !other.isEmpty() || !isSameShape(other)) *this = NDArray(other);
    return;
  }
  if (other.isEmpty())
    fail<std::runtime_error>("[assign] an empty array cannot fill shape {}", arrays::shapeText(*this));
  arrays::requireNumbers("assign", *this);
  arrays::requireNumbers("assign", other);
  if (other._length == 1) {
    fill(other.buffer(), other._dataType);
    return;
  }
  if (other._length != _length && !broadcastsTo(other, *this))
    fail<std::runtime_error>("[assign] shape {} does not broadcast to shape {}", arrays::shapeText(other),
                             arrays::shapeText(*this));
  const bool sameLayout = shape::haveSameShapeAndStrides(_shapeInfo, other._shapeInfo);
  const bool apart = !overlap(*this, other) || (sameLayout && _offset == other._offset && _dataType == other._dataType);
  if (!apart)
    assign(other.dup());
  else if (other._length == _length)
    arrays::copyElements(other, *this);
  else
    loops::assign(arrays::in(other), arrays::out(*this));
}

void NDArray::assign(const NDArray* other, bool allowParallelism) {
  if (other == nullptr) fail("[assign] the array is null");
  assign(*other, allowParallelism);
}

void NDArray::fill(const void* value, DataType type) {
  if (isEmpty()) {
    if (_shapeInfo != nullptr) return;
    fail<std::runtime_error>("[assign] the array has no shape");
  }
  arrays::requireNumbers("assign", *this);
  LongType converted[2];
  elements::convert(value, type, converted, _dataType);
  if (_length == 1)
    std::memcpy(address(0), converted, _elementSize);
  else
    loops::assign({converted, ConstantShapeHelper::getInstance().scalarShapeInfo(_dataType)}, arrays::out(*this));
}

void NDArray::linspace(double start, double step) {
  if (isEmpty()) return;
  arrays::requireNumbers("linspace", *this);
  const detail::ElementRows<1> rows({_shapeInfo});
  elements::withType("linspace", _dataType, [&](auto example) {
    using T = decltype(example);
    T* data = bufferAsT<T>();
    rows.run(0, _length, [&](const auto& row) {
      for (LongType i = 0; i < row.length; i++)
        data[row.offsets[0] + i * row.steps[0]] =
            elements::fromReal<T>(start + step * static_cast<double>(row.index + i));
    });
  });
}

void NDArray::nullify() {
  if (isEmpty()) return;
  if (isS()) fail<std::runtime_error>("[nullify] string arrays cannot be filled with zeros");
  if (arrays::isCanonical(_shapeInfo))
    std::memset(buffer(), 0, static_cast<size_t>(_length) * _elementSize);
  else
    assign(0);
}

void NDArray::setIdentity() {
  if (isEmpty()) return;
  arrays::requireNumbers("setIdentity", *this);
  nullify();
  const int rank = rankOf();
  LongType step = 0;
  for (int d = 0; d < rank; d++) step += stridesOf()[d];
  const LongType count = rank == 0 ? 1 : *std::min_element(_shapeInfo + 1, _shapeInfo + 1 + rank);
  for (LongType i = 0; i < count; i++) setValueAt<float>(i * step, 1.f);
}

void NDArray::swapUnsafe(NDArray& other) {
  if (_dataType != other._dataType || _length != other._length)
    fail<std::runtime_error>("[swapUnsafe] {} {} and {} {} differ in type or length", arrays::typeText(_dataType),
                             arrays::shapeText(*this), arrays::typeText(other._dataType), arrays::shapeText(other));
  if (isEmpty() || this == &other) return;
  const NDArray kept = dup();
  assign(other);
  other.assign(kept);
}

// ---- copies

NDArray NDArray::dup(char newOrder) const {
  if (newOrder != 'a' && newOrder != 'c' && newOrder != 'f')
    fail("[dup] order '{}' is none of 'a', 'c', 'f'", newOrder);
  if (_shapeInfo == nullptr) return NDArray(_context);
  if (isEmpty()) return NDArray(_dataType, _context, false);
  const char order = newOrder == 'a' || isScalar() ? ordering() : newOrder;

  if (isS()) {
    if (!arrays::isLinear(*this) || order != 'c')
      fail<std::runtime_error>("[dup] string arrays are copied in c order only (shape {})", arrays::shapeText(*this));
    NDArray copy(_context);
    copy.setInterned(_shapeInfo);
    copy._buffer =
        std::make_shared<DataBuffer>(buffer(), _dataType, _buffer->getLenInBytes(), _context->getWorkspace());
    copy._isAttached = _context->getWorkspace() != nullptr;
    return copy;
  }

  NDArray copy(arrays::contiguous(_shapeInfo, _dataType, order), _context, Uninitialized{});
  const size_t bytes = static_cast<size_t>(_length) * _elementSize;
  if (copy._shapeInfo == _shapeInfo && bytes <= SMALL_COPY)
    std::memcpy(copy.buffer(), buffer(), bytes);
  else
    loops::assign(arrays::in(*this), arrays::out(copy));
  return copy;
}

NDArray NDArray::ulike() const {
  if (_shapeInfo == nullptr) return NDArray(_context);
  return NDArray(arrays::contiguous(_shapeInfo, _dataType, ordering()), _context, Uninitialized{});
}

NDArray NDArray::like() const {
  NDArray zeros = ulike();
  if (!zeros.isEmpty()) std::memset(zeros.buffer(), 0, static_cast<size_t>(zeros._length) * _elementSize);
  return zeros;
}

NDArray NDArray::asT(DataType dtype) const {
  if (_shapeInfo == nullptr) fail<std::runtime_error>("[cast] the array has no shape");
  if (isS() && dtype == _dataType) return NDArray(*this);
  if (isS() || DataTypeUtils::isS(dtype)) return transcoded(dtype);
  auto& shapes = ConstantShapeHelper::getInstance();
  const LongType* info =
      isScalar() && !isEmpty() ? shapes.scalarShapeInfo(dtype) : arrays::contiguous(_shapeInfo, dtype, ordering());
  NDArray converted(info, _context, Uninitialized{});
  if (_length == 1)
    elements::convert(buffer(), _dataType, converted.buffer(), dtype);
  else if (_length > 1)
    loops::assign(arrays::in(*this), arrays::out(converted));
  return converted;
}

NDArray NDArray::cast(DataType dtype) const {
  if (isS() != DataTypeUtils::isS(dtype))
    fail<std::runtime_error>("[cast] {} cannot become {}", arrays::typeText(_dataType), arrays::typeText(dtype));
  return asT(dtype);
}

void NDArray::cast(NDArray& target, DataType) const { target.assign(*this); }

void NDArray::streamline(char order) {
  if (order == 'a') order = ordering();
  if (isEmpty() || (!_isView && ordering() == order && arrays::isCanonical(_shapeInfo))) return;
  *this = dup(order);
}

NDArray* NDArray::detach() {
  if (!_isAttached) return this;
  auto copy = std::make_unique<NDArray>(LaunchContext::defaultContext());
  copy->setInterned(arrays::contiguous(_shapeInfo, _dataType, ordering()));
  const size_t bytes = isS() ? _buffer->getLenInBytes() : static_cast<size_t>(_length) * _elementSize;
  copy->_buffer = DataBuffer::make(bytes, _dataType, nullptr, DataBuffer::Fill::Nothing);
  copy->_ownsBuffer = true;
  if (isS() && _length > 0)
    std::memcpy(copy->buffer(), buffer(), bytes);
  else if (_length > 0)
    loops::assign(arrays::in(*this), arrays::out(*copy));
  return copy.release();
}

// ---- repetition

void NDArray::tile(NDArray& target) const {
  if (rankOf() > target.rankOf())
    fail("[tile] the target's shape {} has a lower rank than {}", arrays::shapeText(target), arrays::shapeText(*this));
  if (target.isEmpty() || isEmpty()) {
    if (!target.isEmpty())
      fail<std::runtime_error>("[tile] an empty array cannot fill shape {}", arrays::shapeText(target));
    return;
  }
  arrays::requireNumbers("tile", *this);
  arrays::requireNumbers("tile", target);
  // A dimension of the target that holds r copies of d elements is seen as the two dimensions r and d.
  const int rank = target.rankOf(), lead = rank - rankOf();
  LongType dims[2 * SD_MAX_RANK], from[2 * SD_MAX_RANK], to[2 * SD_MAX_RANK];
  int split = 0;
  for (int d = 0; d < rank; d++) {
    const LongType size = d < lead ? 1 : _shapeInfo[1 + d - lead], whole = target._shapeInfo[1 + d];
    const LongType step = target.stridesOf()[d];
    if (whole % size != 0)
      fail("[tile] shape {} does not fit into shape {} a whole number of times", arrays::shapeText(*this),
           arrays::shapeText(target));
    if (whole != size) {
      dims[split] = whole / size;
      from[split] = 0;
      to[split++] = step * size;
    }
    if (size != 1) {
      dims[split] = size;
      from[split] = stridesOf()[d - lead];
      to[split++] = step;
    }
  }
  if (split > SD_MAX_RANK) fail("[tile] shape {} is repeated along too many dimensions", arrays::shapeText(*this));
  const std::vector<LongType> shape(dims, dims + split);
  auto described = [&](DataType type, const LongType* strides) {
    return ConstantShapeHelper::getInstance().createShapeInfo(
        ShapeDescriptor(type, 'c', dims, strides, split, split == 0 ? 1 : 0, 0));
  };
  const NDArray source = isScalar() || !overlap(*this, target) ? viewOf(_shapeInfo, 0) : NDArray(*this);
  loops::assign({source.buffer(), described(_dataType, from)}, {target.buffer(), described(target._dataType, to)});
}

namespace {

void checkReps(const std::vector<LongType>& reps) {
  for (LongType rep : reps)
    if (rep < 1) fail<std::runtime_error>("[tile] repetition {} is below 1", rep);
}

}  // namespace

NDArray NDArray::tile(const std::vector<LongType>& reps) const {
  checkReps(reps);
  NDArray tiled(ShapeUtils::evalTileShapeInfo(_shapeInfo, reps), _context, Uninitialized{});
  tile(tiled);
  return tiled;
}

void NDArray::tile(const std::vector<LongType>& reps, NDArray& target) const {
  checkReps(reps);
  const LongType* expected = ShapeUtils::evalTileShapeInfo(_shapeInfo, reps);
  if (!shape::equalsSoft(expected, target._shapeInfo))
    fail<std::runtime_error>("[tile] the target has shape {}, {} expected", arrays::shapeText(target),
                             ShapeUtils::shapeAsString(expected));
  tile(target);
}

void NDArray::tilei(const std::vector<LongType>& reps) { *this = tile(reps); }

NDArray NDArray::tileToShape(const LongType* shapeInfo) const {
  NDArray tiled(shapeInfo, _dataType, false, _context, false);
  tile(tiled);
  return tiled;
}

void NDArray::tileToShape(const std::vector<LongType>& shape, NDArray& target) const {
  if (&target != this) {
    if (!target.isSameShape(shape))
      fail("[tileToShape] the target has shape {}, {} expected", arrays::shapeText(target),
           ShapeUtils::shapeAsString(shape));
    tile(target);
    return;
  }
  NDArray tiled('c', shape, _dataType, _context);
  tile(tiled);
  target = std::move(tiled);
}

NDArray NDArray::repeat(int axis, const std::vector<int>& repeats) const {
  const std::vector<LongType> dims = ShapeUtils::evalRepeatShape(axis, repeats, _shapeInfo);
  NDArray repeated('c', dims, _dataType, _context);
  repeat(axis, repeats, repeated);
  return repeated;
}

void NDArray::repeat(int axis, const std::vector<int>& repeats, NDArray& target) const {
  arrays::requireNumbers("repeat", *this);
  const std::vector<LongType> dims = ShapeUtils::evalRepeatShape(axis, repeats, _shapeInfo);
  if (!target.isSameShape(dims))
    fail("[repeat] the target has shape {}, {} expected", arrays::shapeText(target), ShapeUtils::shapeAsString(dims));
  if (isEmpty() || target.isEmpty()) return;
  const int dim = shape::normaliseAxis(axis, rankOf(), "repeat");
  std::vector<LongType> from(2 * static_cast<size_t>(rankOf()), 0), to(from);
  LongType position = 0;
  for (LongType i = 0; i < _shapeInfo[1 + dim]; i++) {
    const LongType count = repeats[repeats.size() == 1 ? 0 : i];
    if (count == 0) continue;
    from[2 * dim] = i;
    from[2 * dim + 1] = i + 1;
    to[2 * dim] = position;
    to[2 * dim + 1] = position += count;
    target(to, true).assign((*this)(from, true));
  }
}

double NDArray::getTrace() const {
  if (isEmpty()) return 0;
  arrays::requireNumbers("getTrace", *this);
  double sum = 0;
  const LongType count = rankOf() == 0 ? 1 : *std::min_element(_shapeInfo + 1, _shapeInfo + 1 + rankOf());
  LongType step = 0;
  for (int d = 0; d < rankOf(); d++) step += stridesOf()[d];
  for (LongType i = 0; i < count; i++) sum += valueAt<double>(i * step);
  return sum;
}

}  // namespace sd
