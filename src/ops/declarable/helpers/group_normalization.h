// Standardises groups of channels; and the gradients.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_GROUP_NORMALIZATION_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_GROUP_NORMALIZATION_H

#include "ops/declarable/Common.h"

namespace sd::ops {

/// z = gamma (x - mean) / sqrt(variance + epsilon) + beta, with the mean and the population variance of each group of
/// each sample. Samples are on axis 0, the channels on `axis`; the number of groups divides that of the channels. gamma
/// and beta [C] may be nullptr. z may be x. No array is empty.
void normalizeGroups(const NDArray& x, const NDArray* gamma, const NDArray* beta, NDArray& z, int axis, LongType groups,
                     double epsilon);

/// The gradients, where g is that of z.
void groupGradients(const NDArray& x, const NDArray& g, const NDArray* gamma, NDArray& gradX, NDArray& gradGamma,
                    NDArray& gradBeta, int axis, LongType groups, double epsilon);

}  // namespace sd::ops

#endif
