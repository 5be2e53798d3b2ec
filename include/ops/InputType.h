// Kinds of inputs of an operation.
#ifndef NDFORGE_OPS_INPUTTYPE_H
#define NDFORGE_OPS_INPUTTYPE_H

namespace sd::ops {

enum InputType {
  InputType_BOOLEAN = 0,
  InputType_NUMERIC = 1,
  InputType_STRINGULAR = 2,
  InputType_NUMERIC_SET = 3,
  InputType_STRINGULAR_SET = 4,
};

}  // namespace sd::ops

#endif
