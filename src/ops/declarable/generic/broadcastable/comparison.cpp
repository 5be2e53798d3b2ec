// Comparisons of two broadcast arrays of the same type; z is BOOL. With NaN, only not_equals is true.
// operations: equals not_equals less less_equal greater greater_equal
// aliases: equal Greater Less
// calls: EqualTo GreaterThan GreaterThanOrEqual LessThan LessThanOrEqual NotEqualTo
#include <exceptions/datatype_exception.h>
#include <ops/declarable/headers/broadcastable.h>

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

void describe(OpDescriptor* descriptor, const char* formula) {
  descriptor->setAllowedInputTypes(ANY)->setAllowedOutputTypes(BOOL)->document(
      {.summary = "Compares two arrays element by element.",
       .formula = formula,
       .inputs = "x: any shape\ny: a shape that broadcasts with x, the same type",
       .outputs = "z: the broadcast shape, BOOL"});
}

Status compare(graph::Context& block, int number, NDArray& z) {
  const NDArray &x = *block.array(0), &y = *block.array(1);
  if (x.dataType() != y.dataType())
    reject("input 1 'y': its type is {}, but input 0 'x' has type {}", DataTypeUtils::describe(y.dataType()),
           DataTypeUtils::describe(x.dataType()));
  BROADCAST_CHECK_EMPTY(&x, &y, &z);
  broadcastTo(loops::OpGroup::PairwiseBool, number, x, y, z);
  return Status::OK;
}

}  // namespace

#define SD_COMPARISON(NAME, NUMBER, FORMULA)                                                               \
  BROADCASTABLE_BOOL_OP_IMPL(NAME, 0, 0) { return compare(block, pairwise::NUMBER, *OUTPUT_VARIABLE(0)); } \
  DECLARE_TYPES(NAME) { describe(getOpDescriptor(), FORMULA); }

SD_COMPARISON(equals, EqualTo, "z = x == y")
SD_COMPARISON(not_equals, NotEqualTo, "z = x != y")
SD_COMPARISON(less, LessThan, "z = x < y")
SD_COMPARISON(less_equal, LessThanOrEqual, "z = x <= y")
SD_COMPARISON(greater, GreaterThan, "z = x > y")
SD_COMPARISON(greater_equal, GreaterThanOrEqual, "z = x >= y")

DECLARE_SYN(equal, equals);
DECLARE_SYN(Greater, greater);
DECLARE_SYN(Less, less);

}  // namespace sd::ops
