#include <ops/declarable/CustomOperations.h>

namespace sd::ops {

// One input, one output, which may be the input's array; two floating arguments, no integer ones.
DECLARE_CONFIGURABLE_OP(rescale, 1, 1, true, 2, 0)
CONFIGURABLE_OP_IMPL(rescale, 1, 1, true, 2, 0) {
  OUTPUT_VARIABLE(0)->assign(*INPUT_VARIABLE(0) * T_ARG(0) + T_ARG(1));
  return Status::OK;
}
DECLARE_TYPES(rescale) { getOpDescriptor()->setAllowedInputTypes({ALL_FLOATS})->setSameMode(true); }

}  // namespace sd::ops
