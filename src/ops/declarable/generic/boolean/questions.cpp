// Operations that answer yes or no.
// operations: eq_scalar neq_scalar lt_scalar lte_scalar gt_scalar gte_scalar is_non_decreasing is_strictly_increasing
// operations: is_numeric_tensor
// aliases: Equals NotEquals notequals LessOrEquals lessorequals GreaterOrEquals greaterOrEquals
#include <ops/declarable/headers/boolean.h>

#include <cmath>
#include <compare>

#include "types/TypeDispatch.h"
#include "ops/declarable/Common.h"
#include "types/StoredBool.h"

namespace sd::ops {
namespace {

Status answer(bool yes) { return yes ? Status::EQ_TRUE : Status::EQ_FALSE; }

__extension__ typedef __int128 Wide;  // holds every value of every integer type

/// The first element of an array.
struct First {
  bool isFloat;
  double value = 0;
  Wide integer = 0;

  First(graph::Context& block, int index, const char* name) {
    const NDArray& x = *block.array(index);
    if (x.isEmpty()) reject("input {} '{}': it is empty", index, name);
    isFloat = x.isR();
    if (isFloat)
      value = x.e<double>(0);
    else
      integer = x.dataType() == UINT64 ? Wide(x.e<uint64_t>(0)) : Wide(x.e<LongType>(0));
  }
};

/// An exact comparison: the integer is compared with the integral part of the float, then with its fraction.
std::partial_ordering compare(Wide integer, double value) {
  constexpr double BEYOND = 18446744073709551616.0;  // 2^64
  if (std::isnan(value)) return std::partial_ordering::unordered;
  if (value >= BEYOND) return std::partial_ordering::less;
  if (value <= -BEYOND) return std::partial_ordering::greater;
  const double whole = std::trunc(value);
  if (integer != Wide(whole))
    return integer < Wide(whole) ? std::partial_ordering::less : std::partial_ordering::greater;
  return 0.0 <=> value - whole;
}

std::partial_ordering compare(graph::Context& block) {
  const First x(block, 0, "x"), y(block, 1, "y");
  if (x.isFloat && y.isFloat) return x.value <=> y.value;
  if (x.isFloat) {
    const std::partial_ordering reversed = compare(y.integer, x.value);
    return reversed < 0 ? std::partial_ordering::greater : reversed > 0 ? std::partial_ordering::less : reversed;
  }
  if (y.isFloat) return compare(x.integer, y.value);
  return x.integer < y.integer   ? std::partial_ordering::less
         : x.integer > y.integer ? std::partial_ordering::greater
                                 : std::partial_ordering::equivalent;
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

/// Whether all pairs of neighbours in c order are in order. A NaN does not violate the order.
template <bool Strictly>
bool increases(const NDArray& x) {
  const Dense dense(x);
  return loops::withNumericType("is_non_decreasing", x.dataType(), [&]<typename T>() {
    const Stored<T>* values = dense.as<Stored<T>>();
    for (LongType i = 1; i < x.lengthOf(); i++) {
      const auto before = comparable(values[i - 1]), after = comparable(values[i]);
      if (Strictly ? before >= after : before > after) return false;
    }
    return true;
  });
}

void describeQuestion(OpDescriptor* descriptor, const char* summary, const char* formula) {
  descriptor->setAllowedInputTypes(ANY)->setAllowedOutputTypes(BOOL)->document(
      {.summary = summary, .formula = formula, .inputs = "x: any shape", .outputs = "z: scalar, BOOL"});
}

}  // namespace

#define SD_SCALAR_COMPARISON(NAME, COMPARES)                                   \
  BOOLEAN_OP_IMPL(NAME, 2, true) { return answer(compare(block) COMPARES 0); } \
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
  describeQuestion(getOpDescriptor(), "Whether the type is numeric: neither BOOL nor strings.", "");
}

}  // namespace sd::ops
