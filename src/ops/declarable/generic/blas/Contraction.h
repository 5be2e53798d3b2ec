// Sums of products of labelled arrays.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_GENERIC_BLAS_CONTRACTION_H
#define NDFORGE_SRC_OPS_DECLARABLE_GENERIC_BLAS_CONTRACTION_H

#include <map>
#include <vector>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/einsum_equation.h"

namespace sd::ops {

/// An array, or a view of one, with a label for each dimension.
struct Labelled {
  NDArray array;
  helpers::Labels labels;
};

using LabelSizes = std::map<helpers::Label, LongType>;

/// A view of `array` in which every label occurs once: dimensions with the same label become their diagonal, and those
/// that are repeated to the size of the label, which is not 1, are left out.
Labelled labelled(const NDArray& array, const helpers::Labels& labels, const LabelSizes& sizes);

/// z = the product of the operands, summed over the labels that are not in `output`. Every label of `output` is in an
/// operand. No operand is empty; their elements are converted to the type `type`.
void contract(std::vector<Labelled> operands, const helpers::Labels& output, const LabelSizes& sizes, DataType type,
              NDArray& z);

}  // namespace sd::ops

#endif
