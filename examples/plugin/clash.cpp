// Defines a new operation, and one whose name is already taken when myops is loaded.
#include <ops/declarable/CustomOperations.h>

namespace sd::ops {

DECLARE_OP(same_as_before, 1, 1, true)
OP_IMPL(same_as_before, 1, 1, true) {
  OUTPUT_VARIABLE(0)->assign(*INPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SAME_TYPE(same_as_before)

DECLARE_OP(tear_apart, 1, 1, true)
OP_IMPL(tear_apart, 1, 1, true) {
  OUTPUT_VARIABLE(0)->assign(*INPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SAME_TYPE(tear_apart)

}  // namespace sd::ops
