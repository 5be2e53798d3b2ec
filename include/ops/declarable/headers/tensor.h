// Operations that make arrays from numbers, and strided slices.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_TENSOR_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_TENSOR_H

#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/headers/choices.h>

#include <optional>
#include <vector>

namespace sd::ops {

namespace args {
/// Arguments of create.
struct Create {
  MemoryOrder order = MemoryOrder::C;
  DataType dtype = FLOAT32;
  bool zeros = true;  ///< false leaves the elements undefined
};

/// Arguments of fill and fill_as.
struct Fill {
  std::optional<Scalar> value{};    ///< used when there is no input for it
  std::optional<DataType> dtype{};  ///< none: that of the value
};

/// Arguments of zeros_as and ones_as.
struct ConstantLike {
  std::optional<DataType> dtype{};  ///< none: the type of x
};

/// Arguments of lin_space.
struct LinSpace {
  double start = 0, stop = 0;
  LongType num = 0;
  DataType dtype = FLOAT32;  ///< read when start is no input
};

/// Arguments of range, used when there are no inputs.
struct NumberRange {
  Scalar start = 0;
  std::optional<Scalar> limit{};
  Scalar delta = 1;
  std::optional<DataType> dtype{};  ///< none: what the numbers need
};

/// Arguments of strided_slice. Bit i of a mask belongs to position i of begin, end and stride.
struct StridedSlice {
  std::vector<LongType> begin{}, end{};
  std::vector<LongType> stride{};  ///< none: 1 in every dimension
  LongType beginMask = 0, endMask = 0, ellipsisMask = 0, newAxisMask = 0, shrinkAxisMask = 0;
  std::optional<DataType> dtype{};  ///< none: the type of x
};
}  // namespace args

// The operations are defined in src/ops/declarable/generic/tensor; `ndforge info NAME` describes one.

// one value
DECLARE_CUSTOM_OP(create, 1, 1, false, 0, 1)
DECLARE_CUSTOM_OP(fill, 1, 1, false, -2, 0)
DECLARE_CONFIGURABLE_OP(fill_as, 1, 1, true, 0, 0)
DECLARE_CUSTOM_OP(zeros_as, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(ones_as, 1, 1, false, 0, 0)

// sequences
DECLARE_CUSTOM_OP(lin_space, 0, 1, false, 0, 0)
DECLARE_CUSTOM_OP(range, -2, 1, false, -2, -2)

// slices
DECLARE_CUSTOM_OP(strided_slice, 1, 1, false, 0, 5)
DECLARE_CUSTOM_OP(strided_slice_bp, 2, 1, false, 0, 5)
DECLARE_CUSTOM_OP(create_view, -2, -1, true, 0, -2)

}  // namespace sd::ops

#endif
