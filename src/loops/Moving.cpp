// Moves whole sub-arrays. Elements are copied as bytes, whatever their type.
#include <array/ArrayOptions.h>
#include <exceptions/datatype_exception.h>
#include <execution/Parallel.h>
#include <helpers/shape.h>

#include "loops/Layout.h"
#include "loops/Moving.h"
#include "loops/Operand.h"
#include "system/Error.h"
#include "types/TypeDispatch.h"

namespace sd::loops {

namespace {

constexpr LongType TILE = 1024;

/// Least and greatest offset of the elements of an array, relative to its first element.
struct Extent {
  LongType low = 0, high = 0;

  explicit Extent(const LongType* info) {
    for (int d = 0, rank = shape::rank(info); d < rank; d++) {
      const LongType reach = (info[1 + d] - 1) * info[1 + rank + d];
      (reach < 0 ? low : high) += reach;
    }
  }
};

DataType checkArray(const char* op, const char* which, const void* data, const LongType* info) {
  if (info == nullptr) fail("[{}] the shape of {} is null", op, which);
  shape::validate(info, op);
  const DataType type = ArrayOptions::dataType(info);
  withElementBits(op, type, []<typename T>() {});
  if (shape::length(info) > 0 && data == nullptr) fail("[{}] the buffer of {} is null", op, which);
  return type;
}

/// The sub-arrays of one array, checked against its bounds.
class CheckedParts {
 public:
  CheckedParts(const char* op, const char* which, const LongType* info, Parts parts)
      : _offsets(parts.offsets), _layout(parts.info != nullptr ? Layout(parts.info) : scalarLayout()), _whole(info) {
    const LongType length = shape::length(info);
    if (parts.info == nullptr) {
      if (shape::rank(info) > 1)
        fail("[{}] {} has rank {}, but its sub-arrays are not given", op, which, shape::rank(info));
      _offsets = nullptr;
      _step = shape::rank(info) == 1 ? info[2] : 0;
      _count = length;
      return;
    }
    shape::validate(parts.info, op);
    _part = Extent(parts.info);
    if (parts.offsets == nullptr) fail("[{}] the offsets of the sub-arrays of {} are null", op, which);
    if (_layout.length() > 0 && length % _layout.length() != 0)
      fail("[{}] {} has {} elements, which cannot be divided into sub-arrays of {} elements", op, which, length,
           _layout.length());
    _count = _layout.length() == 0 ? 0 : length / _layout.length();
  }

  LongType count() const { return _count; }
  const Layout& layout() const { return _layout; }
  LongType offset(LongType part) const { return _offsets != nullptr ? _offsets[part] : part * _step; }

  /// @throws std::invalid_argument when the part does not exist or extends beyond the array
  void check(const char* op, const char* which, LongType part) const {
    if (part < 0 || part >= _count)
      fail("[{}] index {} is outside the sub-arrays 0..{} of {}", op, part, _count - 1, which);
    const LongType at = offset(part);
    // Written without sums of the caller's values, which may overflow.
    if (at < _whole.low - _part.low || at > _whole.high - _part.high)
      fail("[{}] sub-array {} of {} begins at offset {} and does not fit into the array", op, part, which, at);
  }

 private:
  static Layout scalarLayout() {
    const LongType scalar[] = {0, ARRAY_FLOAT, 1, 'c'};
    return Layout(scalar);
  }

  const LongType* _offsets;
  Layout _layout;
  Extent _whole;
  Extent _part{ZERO};
  LongType _count = 0, _step = 0;

  static constexpr LongType ZERO[] = {0, ARRAY_FLOAT, 1, 'c'};
};

template <typename T>
void copyElements(const T* source, const Layout& from, T* target, const Layout& to) {
  T tile[TILE];
  const LongType n = from.length();
  for (LongType begin = 0; begin < n; begin += TILE) {
    const LongType end = std::min(begin + TILE, n);
    from.read(source, begin, end, tile);
    to.write(target, begin, end, tile);
  }
}

template <typename T>
void swapElements(T* a, T* b, const Layout& layout) {
  T tileA[TILE], tileB[TILE];
  const LongType n = layout.length();
  for (LongType begin = 0; begin < n; begin += TILE) {
    const LongType end = std::min(begin + TILE, n);
    layout.read(a, begin, end, tileA);
    layout.read(b, begin, end, tileB);
    layout.write(a, begin, end, tileB);
    layout.write(b, begin, end, tileA);
  }
}

int threadsForCopy(LongType elements) { return execution::threadsFor(static_cast<double>(elements)); }

}  // namespace

void shuffle(const std::vector<PartedArray>& arrays, const int* map) {
  const char* op = "shuffle";
  std::vector<CheckedParts> checked;
  checked.reserve(arrays.size());
  for (const auto& [x, parts] : arrays) {
    checkArray(op, "x", x.data, x.info);
    const CheckedParts& last = checked.emplace_back(op, "x", x.info, parts);
    if (last.count() > 0 && map == nullptr) fail("[{}] the map is null", op);
    for (LongType r = 0; r < last.count(); r++) {
      last.check(op, "x", r);
      if (map[r] >= 0) last.check(op, "x", map[r]);
    }
  }
  for (size_t i = 0; i < arrays.size(); i++) {
    const Out& x = arrays[i].array;
    const CheckedParts& parts = checked[i];
    withElementBits(op, ArrayOptions::dataType(x.info), [&]<typename T>() {
      T* data = static_cast<T*>(x.data);
      for (LongType r = 0; r < parts.count(); r++)
        if (map[r] >= 0 && map[r] != r)
          swapElements(data + parts.offset(r), data + parts.offset(map[r]), parts.layout());
    });
  }
}

void tear(In x, Parts parts, void* const* targets, const LongType* zInfo) {
  const char* op = "tear";
  const DataType type = checkArray(op, "x", x.data, x.info);
  const CheckedParts checked(op, "x", x.info, parts);
  if (zInfo == nullptr) fail("[{}] the shape of the targets is null", op);
  shape::validate(zInfo, op);
  const Layout zLayout(zInfo);
  if (ArrayOptions::dataType(zInfo) != type)
    fail<datatype_exception>("[{}] x and the targets have different types", op);
  if (zLayout.length() != checked.layout().length())
    fail("[{}] a target has {} elements, but a sub-array has {}", op, zLayout.length(), checked.layout().length());
  if (checked.count() > 0 && targets == nullptr) fail("[{}] the targets are null", op);
  for (LongType i = 0; i < checked.count(); i++) {
    checked.check(op, "x", i);
    if (targets[i] == nullptr) fail("[{}] target {} is null", op, i);
    requireDisjoint(op, operand(op, "target", targets[i], zInfo), "x", operand(op, "x", x.data, x.info));
  }
  withElementBits(op, type, [&]<typename T>() {
    const T* data = static_cast<const T*>(x.data);
    const LongType elements = checked.count() * zLayout.length();
    execution::parallelFor(checked.count(), threadsForCopy(elements), [&](LongType first, LongType last) {
      for (LongType i = first; i < last; i++)
        copyElements(data + checked.offset(i), checked.layout(), static_cast<T*>(targets[i]), zLayout);
    });
  });
}

void pullRows(In x, Parts xParts, Out z, Parts zParts, const LongType* indexes, LongType n) {
  const char* op = "pullRows";
  const DataType type = checkArray(op, "x", x.data, x.info);
  if (checkArray(op, "z", z.data, z.info) != type) fail<datatype_exception>("[{}] x and z have different types", op);
  const CheckedParts from(op, "x", x.info, xParts), to(op, "z", z.info, zParts);
  if (n < 0) fail("[{}] n is {}: it must not be negative", op, n);
  if (n == 0) return;
  if (indexes == nullptr) fail("[{}] the indexes are null", op);
  if (from.layout().length() != to.layout().length())
    fail("[{}] a sub-array of x has {} elements, but one of z has {}", op, from.layout().length(),
         to.layout().length());
  requireDisjoint(op, operand(op, "z", z.data, z.info), "x", operand(op, "x", x.data, x.info));
  for (LongType i = 0; i < n; i++) {
    from.check(op, "x", indexes[i]);
    to.check(op, "z", i);
  }
  withElementBits(op, type, [&]<typename T>() {
    const T* source = static_cast<const T*>(x.data);
    T* target = static_cast<T*>(z.data);
    execution::parallelFor(n, threadsForCopy(n * to.layout().length()), [&](LongType first, LongType last) {
      for (LongType i = first; i < last; i++)
        copyElements(source + from.offset(indexes[i]), from.layout(), target + to.offset(i), to.layout());
    });
  });
}

void concat(int dimension, const std::vector<In>& inputs, Out z) {
  const char* op = "concat";
  const DataType type = checkArray(op, "z", z.data, z.info);
  const int rank = shape::rank(z.info);
  if (inputs.empty()) fail("[{}] there are no inputs", op);
  const int axis = shape::normaliseAxis(dimension, rank, op);
  LongType total = 0;
  for (size_t i = 0; i < inputs.size(); i++) {
    const In& x = inputs[i];
    if (checkArray(op, "an input", x.data, x.info) != type)
      fail<datatype_exception>("[{}] input {} and z have different types", op, i);
    if (shape::rank(x.info) != rank)
      fail("[{}] input {} has rank {}, but z has rank {}", op, i, shape::rank(x.info), rank);
    for (int d = 0; d < rank; d++)
      if (d != axis && x.info[1 + d] != z.info[1 + d])
        fail("[{}] input {} has size {} in dimension {}, but z has size {}", op, i, x.info[1 + d], d, z.info[1 + d]);
    requireDisjoint(op, operand(op, "z", z.data, z.info), "an input", operand(op, "an input", x.data, x.info));
    if (x.info[1 + axis] > z.info[1 + axis] - total)
      fail("[{}] the inputs together are longer than z in dimension {}", op, axis);
    total += x.info[1 + axis];
  }
  if (total != z.info[1 + axis])
    fail("[{}] the inputs together have size {} in dimension {}, but z has size {}", op, total, axis, z.info[1 + axis]);

  withElementBits(op, type, [&]<typename T>() {
    LongType at = 0;
    for (const In& x : inputs) {
      // The part of z that x fills has z's strides and x's dimensions.
      LongType part[SD_MAX_SHAPEINFOLENGTH];
      std::copy_n(z.info, shape::shapeInfoLength(rank), part);
      part[1 + axis] = x.info[1 + axis];
      const Layout from(x.info), to(part);
      if (from.length() > 0)
        copyElements(static_cast<const T*>(x.data), from, static_cast<T*>(z.data) + at * z.info[1 + rank + axis], to);
      at += x.info[1 + axis];
    }
  });
}

void scatterUpdate(Update update, LongType n, void* x, Parts xParts, const void* y, Parts yParts, In indexes) {
  const char* op = "scatterUpdate";
  if (static_cast<int>(update) < 0 || static_cast<int>(update) >= UPDATE_COUNT)
    fail("[{}] there is no operation number {}", op, static_cast<int>(update));
  if (n < 0) fail("[{}] the number of sub-arrays is {}: it must not be negative", op, n);
  const DataType type = checkArray(op, "x", x, xParts.info);
  if (checkArray(op, "y", y, yParts.info) != type) fail<datatype_exception>("[{}] x and y have different types", op);
  const DataType indexType = checkArray(op, "indices", indexes.data, indexes.info);
  if (indexType != INT32 && indexType != INT64)
    fail<datatype_exception>("[{}] the indices have type {}: INT32 or INT64 expected", op,
                             DataTypeUtils::describe(indexType));
  if (shape::length(indexes.info) < n)
    fail("[{}] there are {} indices for {} sub-arrays", op, shape::length(indexes.info), n);
  if (n == 0 || shape::length(xParts.info) != shape::length(yParts.info)) return;
  if (xParts.offsets == nullptr || yParts.offsets == nullptr)
    fail("[{}] the offsets of the sub-arrays of {} are null", op, xParts.offsets == nullptr ? "x" : "y");

  std::vector<LongType> rows(static_cast<size_t>(n));
  const Layout layout(indexes.info);
  for (LongType i = 0; i < n; i++) {
    const LongType at = layout.offset(i);
    rows[static_cast<size_t>(i)] = indexType == INT32 ? static_cast<const int32_t*>(indexes.data)[at]
                                                      : static_cast<const LongType*>(indexes.data)[at];
    if (rows[static_cast<size_t>(i)] < 0)
      fail("[{}] index {} at [{}] is negative", op, rows[static_cast<size_t>(i)], i);
  }
  constexpr std::string_view names[] = {"Add", "Subtract", "Multiply", "Divide", "ReverseSubtract", "ReverseDivide"};
  const NumberedOp* pairwiseOp =
      update == Update::Assign ? nullptr : findOp(OpGroup::Pairwise, names[static_cast<int>(update)]);
  if (update != Update::Assign && pairwiseOp == nullptr)
    fail("[{}] this build has no operation {}", op, names[static_cast<int>(update)]);
  const auto size = static_cast<LongType>(DataTypeUtils::sizeOf(type));
  for (LongType i = 0; i < n; i++) {
    auto* target = static_cast<char*>(x) + xParts.offsets[rows[static_cast<size_t>(i)]] * size;
    const auto* source = static_cast<const char*>(y) + yParts.offsets[i] * size;
    if (pairwiseOp == nullptr) {
      assign(In{source, yParts.info}, Out{target, xParts.info});
    } else {
      pairwise(OpGroup::Pairwise, pairwiseOp->number, In{target, xParts.info}, In{source, yParts.info},
               Out{target, xParts.info});
    }
  }
}

}  // namespace sd::loops
