// Operations that answer yes or no.
#include <ops/declarable/headers/boolean.h>

#include "loops/TypeDispatch.h"
#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

Status answer(bool yes) { return yes ? Status::EQ_TRUE : Status::EQ_FALSE; }

/// The first element; long double holds every integer and every float exactly.
long double first(graph::Context& block, int index, const char* name) {
  const NDArray& x = *block.array(index);
  if (x.isEmpty()) reject("input {} '{}': it is empty", index, name);
  if (x.isR()) return x.e<double>(0);
  return x.dataType() == UINT64 ? static_cast<long double>(x.e<uint64_t>(0))
                                : static_cast<long double>(x.e<LongType>(0));
}

void describeComparison(OpDescriptor* descriptor, const char* formula) {
  descriptor->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->setAllowedOutputTypes(BOOL)
      ->document({.summary = "Compares the first elements of two arrays.",
                  .formula = formula,
                  .inputs = "x: any shape, not empty\ny: any shape, not empty, any type",
                  .outputs = "z: scalar, BOOL"});
}

template <typename T>
auto comparable(T value) {
  if constexpr (std::is_arithmetic_v<T>)
    return value;
  else
    return static_cast<float>(value);
}

/// Whether no pair of neighbours, in c order, breaks the order. NaN breaks nothing.
template <bool strictly>
bool increases(const NDArray& x) {
  const Dense dense(x);
  return loops::withNumericType("is_non_decreasing", x.dataType(), [&]<typename T>() {
    const T* values = dense.as<T>();
    for (LongType i = 1; i < x.lengthOf(); i++) {
      const auto before = comparable(values[i - 1]), after = comparable(values[i]);
      if (strictly ? before >= after : before > after) return false;
    }
    return true;
  });
}

void describeQuestion(OpDescriptor* descriptor, const char* summary, const char* formula) {
  descriptor->setAllowedInputTypes(ANY)->setAllowedOutputTypes(BOOL)->document(
      {.summary = summary, .formula = formula, .inputs = "x: any shape", .outputs = "z: scalar, BOOL"});
}

}  // namespace

#define SD_SCALAR_COMPARISON(NAME, COMPARES)                                                            \
  BOOLEAN_OP_IMPL(NAME, 2, true) { return answer(first(block, 0, "x") COMPARES first(block, 1, "y")); } \
  DECLARE_TYPES(NAME) { describeComparison(getOpDescriptor(), "z = x[0] " #COMPARES " y[0]"); }

SD_SCALAR_COMPARISON(eq_scalar, ==)
SD_SCALAR_COMPARISON(neq_scalar, !=)
SD_SCALAR_COMPARISON(lt_scalar, <)
SD_SCALAR_COMPARISON(lte_scalar, <=)
SD_SCALAR_COMPARISON(gt_scalar, >)
SD_SCALAR_COMPARISON(gte_scalar, >=)

DECLARE_SYN(Equals, eq_scalar);
DECLARE_SYN(NotEquals, neq_scalar);
DECLARE_SYN(notequals, neq_scalar);
DECLARE_SYN(LessOrEquals, lte_scalar);
DECLARE_SYN(lessorequals, lte_scalar);
DECLARE_SYN(GreaterOrEquals, gte_scalar);
DECLARE_SYN(greaterOrEquals, gte_scalar);

BOOLEAN_OP_IMPL(is_non_decreasing, 1, true) { return answer(increases<false>(*INPUT_VARIABLE(0))); }
DECLARE_TYPES(is_non_decreasing) {
  describeQuestion(getOpDescriptor(), "Whether no element is larger than the next one, in c order.",
                   "z = no i with x[i] > x[i + 1]");
  getOpDescriptor()->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL});
}

BOOLEAN_OP_IMPL(is_strictly_increasing, 1, true) { return answer(increases<true>(*INPUT_VARIABLE(0))); }
DECLARE_TYPES(is_strictly_increasing) {
  describeQuestion(getOpDescriptor(), "Whether every element is smaller than the next one, in c order.",
                   "z = no i with x[i] >= x[i + 1]");
  getOpDescriptor()->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL});
}

BOOLEAN_OP_IMPL(is_numeric_tensor, 1, true) {
  const NDArray& x = *INPUT_VARIABLE(0);
  return answer(x.isR() || x.isZ());
}
DECLARE_TYPES(is_numeric_tensor) {
  describeQuestion(getOpDescriptor(), "Whether the type is one of numbers: neither BOOL nor strings.", "");
}

}  // namespace sd::ops
