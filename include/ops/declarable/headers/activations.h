// Activation functions and their gradients. The gradients take the input of the activation, not its output.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_ACTIVATIONS_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_ACTIVATIONS_H

#include <ops/declarable/DeclarableCustomOp.h>

#include <vector>

namespace sd::ops {

namespace args {
/// Arguments of relu and relu6.
struct ReluCutoff {
  double cutoff = 0.0;
};

/// Arguments of lrelu and its gradient.
struct LeakySlope {
  double alpha = 0.01;
};

/// Arguments of elu and its gradient.
struct EluFactor {
  double alpha = 1.0;
};

/// Arguments of thresholdedrelu and its gradient.
struct ReluThreshold {
  double threshold = 0.0;
};

/// Arguments of prelu and its gradient: axes 1..k; 0 is the last axis, -1 the one before it.
struct SharedAxes {
  std::vector<int> sharedAxes{};
};
}  // namespace args

DECLARE_CONFIGURABLE_OP(sigmoid, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(sigmoid_bp, 2, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(tanh, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(tanh_bp, 2, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(softsign, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(softsign_bp, 2, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(softplus, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(softplus_bp, 2, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(selu, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(selu_bp, 2, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(cube, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(cube_bp, 2, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(rectifiedtanh, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(rectifiedtanh_bp, 2, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(rationaltanh, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(rationaltanh_bp, 2, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(hardtanh, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(hardtanh_bp, 2, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(hardsigmoid, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(hardsigmoid_bp, 2, 1, true, 0, 0)

// With a cutoff or slope.
DECLARE_CONFIGURABLE_OP(relu, 1, 1, true, 1, 0)
DECLARE_CONFIGURABLE_OP(relu_bp, 2, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(relu6, 1, 1, true, 1, 0)
DECLARE_CONFIGURABLE_OP(relu6_bp, 2, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(lrelu, 1, 1, true, -2, 0)
DECLARE_CONFIGURABLE_OP(lrelu_bp, 2, 1, true, -2, 0)
DECLARE_CONFIGURABLE_OP(elu, 1, 1, true, -2, 0)
DECLARE_CONFIGURABLE_OP(elu_bp, 2, 1, true, -2, 0)
DECLARE_CONFIGURABLE_OP(thresholdedrelu, 1, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(thresholdedrelu_bp, 2, 1, true, 0, 0)

// With slopes as an array.
DECLARE_CONFIGURABLE_OP(prelu, 2, 1, true, 0, 0)
DECLARE_CONFIGURABLE_OP(prelu_bp, 3, 2, true, 0, 0)

// Both signs, concatenated along the last axis.
DECLARE_CUSTOM_OP(crelu, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(crelu_bp, 2, 1, false, 0, 0)

DECLARE_OP(identity, 1, 1, true)
DECLARE_OP(identity_bp, 2, 1, true)
DECLARE_CUSTOM_OP(identity_n, 1, 1, true, 0, 0)

}  // namespace sd::ops

#endif
