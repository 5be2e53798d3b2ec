// Whether two strided views share memory, by a bounded search for a common byte. The answer is exact unless the search
// reaches its bound.
#include <array/ArrayOptions.h>
#include <array/DataTypeUtils.h>

#include <algorithm>
#include <cstdlib>

#include "loops/Operand.h"
#include "system/Error.h"

namespace sd::loops {

namespace {

struct Extent {
  LongType low, high;  ///< first and last byte, relative to the element with all coordinates 0
};

Extent extentOf(const Operand& x) {
  Extent e{0, x.elementSize - 1};
  for (int i = 0; i < x.rank; i++) {
    const LongType reach = (x.sizes[i] - 1) * x.strides[i] * x.elementSize;
    (reach < 0 ? e.low : e.high) += reach;
  }
  return e;
}

bool sameLayout(const Operand& x, const Operand& y) {
  if (x.data != y.data || x.elementSize != y.elementSize || x.length != y.length) return false;
  if (sameSizes(x, y)) {
    for (int i = 0; i < x.rank; i++)
      if (x.sizes[i] > 1 && x.strides[i] != y.strides[i]) return false;
    return true;
  }
  const LongType stride = linearStride(x);
  return stride != 0 && stride == linearStride(y);
}

/// Searches for counts c_i in 0..n_i with low <= start + sum c_i * step_i <= high. Steps are positive and in descending
/// order; `reach` is the most that the steps from i on can add.
struct Search {
  struct Term {
    LongType step, count;
  };
  Term terms[2 * SD_MAX_RANK];
  LongType reach[2 * SD_MAX_RANK + 1];
  int size = 0;
  LongType low, high;
  int budget = 20000;  // when it is used up the answer is "may share", so that the time is bounded for every input

  bool find(int i, LongType start) {
    if (start > high || start + reach[i] < low) return false;
    if (i == size) return true;
    const auto [step, count] = terms[i];
    // the counts for which the remaining terms can still reach low..high
    const LongType first = std::max<LongType>(0, (low - reach[i + 1] - start + step - 1) / step);
    const LongType last = std::min(count, (high - start) / step);
    for (LongType c = first; c <= last; c++) {
      if (--budget < 0) return true;
      if (find(i + 1, start + c * step)) return true;
    }
    return false;
  }
};

bool shareMemory(const Operand& z, const Operand& x) {
  const Extent ez = extentOf(z), ex = x.info == z.info ? ez : extentOf(x);
  const LongType distance =
      static_cast<LongType>(reinterpret_cast<intptr_t>(x.data) - reinterpret_cast<intptr_t>(z.data));
  if (distance + ex.low > ez.high || distance + ex.high < ez.low) return false;
  Search search;
  // byte address of an element of x minus that of an element of z: x starts at its lowest element, z at its highest
  LongType start = distance + ex.low - (ez.high - (z.elementSize - 1));
  for (const Operand* operand : {&z, &x})
    for (int i = 0; i < operand->rank; i++) {
      const LongType step = std::llabs(operand->strides[i]) * operand->elementSize;
      if (operand->sizes[i] > 1 && step != 0) search.terms[search.size++] = {step, operand->sizes[i] - 1};
    }
  std::sort(search.terms, search.terms + search.size, [](const auto& a, const auto& b) { return a.step > b.step; });
  search.reach[search.size] = 0;
  for (int i = search.size - 1; i >= 0; i--)
    search.reach[i] = search.reach[i + 1] + search.terms[i].step * search.terms[i].count;
  search.low = 1 - x.elementSize;
  search.high = z.elementSize - 1;
  return search.find(0, start);
}

}  // namespace

bool overlapsItself(const Operand& z) {
  if (z.length <= 1 || (z.rank == 1 && z.strides[0] != 0)) return false;
  // strides ascending: each must be larger than the extent of all smaller ones
  LongType strides[SD_MAX_RANK], sizes[SD_MAX_RANK];
  int rank = 0;
  for (int i = 0; i < z.rank; i++) {
    if (z.sizes[i] <= 1) continue;
    int k = rank++;
    const LongType stride = std::llabs(z.strides[i]);
    for (; k > 0 && strides[k - 1] > stride; k--) strides[k] = strides[k - 1], sizes[k] = sizes[k - 1];
    strides[k] = stride, sizes[k] = z.sizes[i];
  }
  LongType reach = 0;
  for (int k = 0; k < rank; k++) {
    if (strides[k] <= reach) return true;
    reach += (sizes[k] - 1) * strides[k];
  }
  return false;
}

void requireDistinctElements(std::string_view op, const Operand& z) {
  if (overlapsItself(z))
    fail("[{}] argument 'z': the output overlaps itself (shape {}, strides [{}])", op, shapeText(z),
         fmt::join(z.strides, z.strides + z.rank, ", "));
}

bool overlapsPartly(const Operand& z, const Operand& x) {
  return !z.empty() && !x.empty() && !sameLayout(z, x) && shareMemory(z, x);
}

void requireNoOverlap(std::string_view op, const Operand& z, const char* argument, const Operand& x) {
  if (z.empty() || x.empty() || sameLayout(z, x)) return;
  requireDisjoint(op, z, argument, x);
}

void requireDisjoint(std::string_view op, const Operand& z, const char* argument, const Operand& x) {
  if (z.empty() || x.empty()) return;
  if (shareMemory(z, x))
    fail("[{}] argument 'z': the output overlaps argument '{}' (shapes {} and {})", op, argument, shapeText(z),
         shapeText(x));
}

// ---- copies

OperandCopy::OperandCopy(In x) {
  const int rank = static_cast<int>(x.info[0]);
  const DataType type = ArrayOptions::dataType(x.info);
  std::copy_n(x.info, 1 + rank, _info);
  LongType length = 1;
  for (int d = rank; d > 0; length *= _info[d--]) _info[d + rank] = length;
  LongType* const tail = _info + 1 + 2 * rank;
  tail[0] = ArrayOptions::flagsOfDataType(type);
  tail[1] = 1;
  tail[2] = 'c';
  const auto bytes = static_cast<std::size_t>(length) * DataTypeUtils::sizeOf(type);
  _elements = std::make_unique_for_overwrite<double[]>((bytes + sizeof(double) - 1) / sizeof(double));
  assign(x, {_elements.get(), _info});
}

Operand OperandCopy::operand(std::string_view op, const char* argument) const {
  return loops::operand(op, argument, _elements.get(), _info);
}

}  // namespace sd::loops
