// Operations that answer yes or no.
// operations: eq_scalar neq_scalar lt_scalar lte_scalar gt_scalar gte_scalar is_non_decreasing is_strictly_increasing
// operations: is_numeric_tensor
// aliases: Equals NotEquals notequals LessOrEquals lessorequals GreaterOrEquals greaterOrEquals
#include <ops/declarable/headers/boolean.h>

#include <cmath>
#include <compare>

#include "ops/declarable/helpers/inference.h"
#include "types/StoredBool.h"
#include "types/TypeDispatch.h"

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

/// What all operations of this file share.
void describe(Schema& schema, const char* summary, const char* formula) {
  schema.summary(summary).formula(formula);
  schema.output("z", "scalar, BOOL");
  schema.outputTypes({BOOL}).infer(inferTruth).notDifferentiable(LOGICAL_RESULT);
}

void describeComparison(Schema& schema, const char* summary, const char* formula, bool commutes, const char* see) {
  describe(schema, summary, formula);
  schema.input("x", "any shape, not empty; its first element counts");
  schema.input("y", "any shape and type, not empty; its first element counts");
  schema.inputTypes({ALL_FLOATS, ALL_INTS, BOOL});
  if (commutes) schema.commutative();
  schema.example(R"({"x": [1.0], "y": [2.0]})").words("compare, condition").see(see);
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

void describeOrder(Schema& schema, const char* summary, const char* formula, const char* tensorflow, const char* see) {
  describe(schema, summary, formula);
  schema.input("x", "any shape");
  schema.example(R"({"x": [1.0, 2.0, 2.0]})").elsewhere({.tensorflow = tensorflow}).words("sorted, monotonic").see(see);
  schema.inputTypes({ALL_FLOATS, ALL_INTS, BOOL});
}

}  // namespace

// name, operator, what it answers, whether it commutes, related operations
#define SD_SCALAR_COMPARISON(NAME, COMPARES, SUMMARY, COMMUTES, SEE)           \
  BOOLEAN_OP_IMPL(NAME, 2, true) { return answer(compare(block) COMPARES 0); } \
  DECLARE_SCHEMA(NAME) { describeComparison(schema, SUMMARY, "z = x[0] " #COMPARES " y[0]", COMMUTES, SEE); }

SD_SCALAR_COMPARISON(eq_scalar, ==, "Whether the first element of one array is equal to that of another.", true,
                     "equals")
SD_SCALAR_COMPARISON(neq_scalar, !=, "Whether the first element of one array differs from that of another.", true,
                     "not_equals")
SD_SCALAR_COMPARISON(lt_scalar, <, "Whether the first element of one array is less than that of another.", false,
                     "less")
SD_SCALAR_COMPARISON(lte_scalar, <=, "Whether the first element of one array is at most that of another.", false,
                     "less_equal")
SD_SCALAR_COMPARISON(gt_scalar, >, "Whether the first element of one array is greater than that of another.", false,
                     "greater")
SD_SCALAR_COMPARISON(gte_scalar, >=, "Whether the first element of one array is at least that of another.", false,
                     "greater_equal")

DECLARE_SYN(Equals, eq_scalar);
DECLARE_SYN(NotEquals, neq_scalar);
DECLARE_SYN(notequals, neq_scalar);
DECLARE_SYN(LessOrEquals, lte_scalar);
DECLARE_SYN(lessorequals, lte_scalar);
DECLARE_SYN(GreaterOrEquals, gte_scalar);
DECLARE_SYN(greaterOrEquals, gte_scalar);

BOOLEAN_OP_IMPL(is_non_decreasing, 1, true) { return answer(increases<false>(*INPUT_VARIABLE(0))); }
DECLARE_SCHEMA(is_non_decreasing) {
  describeOrder(schema, "Whether no element is larger than the next one, in c order.", "z = no i with x[i] > x[i + 1]",
                "tf.math.is_non_decreasing", "is_strictly_increasing");
}

BOOLEAN_OP_IMPL(is_strictly_increasing, 1, true) { return answer(increases<true>(*INPUT_VARIABLE(0))); }
DECLARE_SCHEMA(is_strictly_increasing) {
  describeOrder(schema, "Whether every element is smaller than the next one, in c order.",
                "z = no i with x[i] >= x[i + 1]", "tf.math.is_strictly_increasing", "is_non_decreasing");
}

BOOLEAN_OP_IMPL(is_numeric_tensor, 1, true) {
  const NDArray& x = *INPUT_VARIABLE(0);
  return answer(x.isR() || x.isZ());
}
DECLARE_SCHEMA(is_numeric_tensor) {
  describe(schema, "Whether the type is numeric: neither BOOL nor strings.", "");
  schema.input("x", "any shape").types({ANY});
  schema.example(R"({"x": [1.0]})")
      .elsewhere({.tensorflow = "tf.debugging.is_numeric_tensor"})
      .words("type")
      .see("cast");
}

}  // namespace sd::ops
