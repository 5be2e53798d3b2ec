// The choices of arguments: enums, the names of their values in calls, and the numbers of the positional lists.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_CHOICES_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_CHOICES_H

#include <ops/declarable/Arguments.h>

namespace sd::ops {

namespace args {
/// Which index varies fastest in memory.
enum class MemoryOrder { C, Fortran };
}  // namespace args
template <>
struct ChoicesOf<args::MemoryOrder> {
  static constexpr const char* name = "MemoryOrder";
  static constexpr Choice values[] = {{"c", 99, "the last dimension varies fastest"},
                                      {"fortran", 102, "the first dimension varies fastest"}};
};

namespace args {
/// What a border is filled with.
enum class PadMode { Constant, Reflect, Symmetric };
}  // namespace args
template <>
struct ChoicesOf<args::PadMode> {
  static constexpr const char* name = "PadMode";
  static constexpr Choice values[] = {{"constant", 0, "one value"},
                                      {"reflect", 1, "the array mirrored, the edge not repeated"},
                                      {"symmetric", 2, "the array mirrored, the edge repeated"}};
};

namespace args {
/// A condition on an element a and a value c.
enum class Condition {
  Near,
  NotNear,
  Less,
  Greater,
  LessEqual,
  GreaterEqual,
  AbsLess,
  AbsGreater,
  Infinite,
  NaN,
  Equal,
  NotEqual,
  AbsGreaterEqual,
  AbsLessEqual,
  Finite,
  NotFinite
};
}  // namespace args
template <>
struct ChoicesOf<args::Condition> {
  static constexpr const char* name = "Condition";
  static constexpr Choice values[] = {{"near", 0, "|a - c| <= 1e-5"},
                                      {"not_near", 1, "|a - c| > 1e-5"},
                                      {"less", 2, "a < c"},
                                      {"greater", 3, "a > c"},
                                      {"less_equal", 4, "a <= c"},
                                      {"greater_equal", 5, "a >= c"},
                                      {"abs_less", 6, "|a| < c"},
                                      {"abs_greater", 7, "|a| > c"},
                                      {"infinite", 8, "a is infinite"},
                                      {"nan", 9, "a is NaN"},
                                      {"equal", 10, "a = c"},
                                      {"not_equal", 11, "a differs from c"},
                                      {"abs_greater_equal", 12, "|a| >= c"},
                                      {"abs_less_equal", 13, "|a| <= c"},
                                      {"finite", 14, "a is finite"},
                                      {"not_finite", 15, "a is infinite or NaN"}};
};

namespace args {
/// How an update u changes an element x.
enum class ScatterOperation { Add, Subtract, Multiply, Divide, ReverseSubtract, ReverseDivide, Assign };
}  // namespace args
template <>
struct ChoicesOf<args::ScatterOperation> {
  static constexpr const char* name = "ScatterOperation";
  static constexpr Choice values[] = {
      {"add", 0, "x + u"},    {"subtract", 1, "x - u"},         {"multiply", 2, "x * u"},
      {"divide", 3, "x / u"}, {"reverse_subtract", 4, "u - x"}, {"reverse_divide", 5, "u / x"},
      {"assign", 6, "u"}};
};

namespace args {
/// How the borders of an image are made.
enum class PaddingMode { Given, Same, Causal, SameLower };
}  // namespace args
template <>
struct ChoicesOf<args::PaddingMode> {
  static constexpr const char* name = "PaddingMode";
  static constexpr Choice values[] = {
      {"given", 0, "the given padding"},
      {"same", 1, "as much as makes output = ceil(input / stride); an odd cell is at the end"},
      {"causal", 2, "all of it, (kernel - 1) * dilation cells, at the start"},
      {"same_lower", 3, "as same, but an odd cell is at the start"}};
};

namespace args {
/// The order of the axes of an image.
enum class ImageLayout { NCHW, NHWC };
}  // namespace args
template <>
struct ChoicesOf<args::ImageLayout> {
  static constexpr const char* name = "ImageLayout";
  static constexpr Choice values[] = {{"nchw", 0, "channels before the image"}, {"nhwc", 1, "channels last"}};
};

namespace args {
/// The order of the axes of a volume.
enum class VolumeLayout { NCDHW, NDHWC };
}  // namespace args
template <>
struct ChoicesOf<args::VolumeLayout> {
  static constexpr const char* name = "VolumeLayout";
  static constexpr Choice values[] = {{"ncdhw", 0, "channels before the volume"}, {"ndhwc", 1, "channels last"}};
};

namespace args {
/// The order of the axes of a sequence in a convolution.
enum class SequenceLayout { NCW, NWC };
}  // namespace args
template <>
struct ChoicesOf<args::SequenceLayout> {
  static constexpr const char* name = "SequenceLayout";
  static constexpr Choice values[] = {{"ncw", 0, "channels before the sequence"}, {"nwc", 1, "channels last"}};
};

namespace args {
/// The order of the axes of the weights of a convolution.
enum class WeightLayout { HWIO, OIHW, OHWI };
}  // namespace args
template <>
struct ChoicesOf<args::WeightLayout> {
  static constexpr const char* name = "WeightLayout";
  static constexpr Choice values[] = {{"hwio", 0, "window, input channels, output channels"},
                                      {"oihw", 1, "output channels, input channels, window"},
                                      {"ohwi", 2, "output channels, window, input channels"}};
};

namespace args {
/// How the losses of the elements and their weights are combined.
enum class LossReduction { None, Sum, MeanByWeight, MeanByNonzeroWeight };
}  // namespace args
template <>
struct ChoicesOf<args::LossReduction> {
  static constexpr const char* name = "LossReduction";
  static constexpr Choice values[] = {
      {"none", 0, "weight * loss of each element"},
      {"sum", 1, "the weighted sum"},
      {"mean_by_weight", 2, "the weighted sum / the sum of the weights"},
      {"mean_by_nonzero_weight", 3, "the weighted sum / the number of weights that are not 0"}};
};

namespace args {
/// A norm.
enum class NormKind { Frobenius, Euclidean, Magnitudes, Maximum, P };
}  // namespace args
template <>
struct ChoicesOf<args::NormKind> {
  static constexpr const char* name = "NormKind";
  static constexpr Choice values[] = {{"frobenius", 0, "sqrt(sum x^2) over 2 axes"},
                                      {"euclidean", 1, "sqrt(sum x^2)"},
                                      {"magnitudes", 2, "sum |x|"},
                                      {"maximum", 4, "max |x|"},
                                      {"p", 5, "(sum |x|^ord)^(1 / ord)"}};
};

namespace args {
/// The order of the axes of a grid.
enum class GridIndexing { Ij, Xy };
}  // namespace args
template <>
struct ChoicesOf<args::GridIndexing> {
  static constexpr const char* name = "GridIndexing";
  static constexpr Choice values[] = {{"ij", 0, "in the order of the inputs"},
                                      {"xy", 1, "cartesian: the first two axes exchanged"}};
};

namespace args {
/// Which element stands for a position between two.
enum class PercentileInterpolation { Lower, Higher, Nearest };
}  // namespace args
template <>
struct ChoicesOf<args::PercentileInterpolation> {
  static constexpr const char* name = "PercentileInterpolation";
  static constexpr Choice values[] = {
      {"lower", 0, "the lower element"}, {"higher", 1, "the higher element"}, {"nearest", 2, "the nearest element"}};
};

namespace args {
/// How pixels between pixels are computed.
enum class InterpolationMethod { Bilinear, Nearest, Bicubic, Area, Gaussian, Lanczos3, Lanczos5, MitchellCubic };
}  // namespace args
template <>
struct ChoicesOf<args::InterpolationMethod> {
  static constexpr const char* name = "InterpolationMethod";
  static constexpr Choice values[] = {{"bilinear", 0, "linear between the four nearest pixels"},
                                      {"nearest", 1, "the nearest pixel"},
                                      {"bicubic", 2, "cubic convolution of sixteen pixels"},
                                      {"area", 3, "the mean of the area that the pixel covers"},
                                      {"gaussian", 4, "a Gaussian kernel"},
                                      {"lanczos3", 5, "a Lanczos kernel of radius 3"},
                                      {"lanczos5", 6, "a Lanczos kernel of radius 5"},
                                      {"mitchell_cubic", 7, "the cubic kernel of Mitchell and Netravali"}};
};

namespace args {
/// The position in the image x of pixel i of the resized image.
enum class PixelCoordinates { Asymmetric, HalfPixel, HalfPixelNearest };
}  // namespace args
template <>
struct ChoicesOf<args::PixelCoordinates> {
  static constexpr const char* name = "PixelCoordinates";
  static constexpr Choice values[] = {{"asymmetric", 0, "i * scale"},
                                      {"half_pixel", 1, "(i + 0.5) * scale - 0.5"},
                                      {"half_pixel_nearest", 2, "(i + 0.5) * scale"}};
};

namespace args {
/// How a position becomes the number of a pixel.
enum class NearestRounding { Floor, RoundPreferFloor, RoundPreferCeil, Ceil };
}  // namespace args
template <>
struct ChoicesOf<args::NearestRounding> {
  static constexpr const char* name = "NearestRounding";
  static constexpr Choice values[] = {{"floor", 0, "down"},
                                      {"round_prefer_floor", 1, "to the nearest, halves down"},
                                      {"round_prefer_ceil", 2, "to the nearest, halves away from 0"},
                                      {"ceil", 3, "up"}};
};

namespace args {
/// The order of the axes of a sequence in a recurrent layer.
enum class TimeLayout { TNC, NTC, NCT, T2NC };
}  // namespace args
template <>
struct ChoicesOf<args::TimeLayout> {
  static constexpr const char* name = "TimeLayout";
  static constexpr Choice values[] = {{"tnc", 0, "[T, N, size]"},
                                      {"ntc", 1, "[N, T, size]"},
                                      {"nct", 2, "[N, size, T]"},
                                      {"t2nc", 3, "as tnc, with outputs [T, 2, N, size] of two directions"}};
};

namespace args {
/// The activations of LSTM layers.
enum class LstmActivation {
  Tanh,
  Relu,
  Sigmoid,
  Affine,
  LeakyRelu,
  ThresholdedRelu,
  ScaledTanh,
  HardSigmoid,
  Elu,
  Softsign,
  Softplus
};
}  // namespace args
template <>
struct ChoicesOf<args::LstmActivation> {
  static constexpr const char* name = "LstmActivation";
  static constexpr Choice values[] = {{"tanh", 0, "tanh(x)"},
                                      {"relu", 1, "max(0, x)"},
                                      {"sigmoid", 2, "1 / (1 + exp(-x))"},
                                      {"affine", 3, "alpha x + beta"},
                                      {"leaky_relu", 4, "x, or alpha x for x < 0"},
                                      {"thresholded_relu", 5, "x for x > alpha, else 0"},
                                      {"scaled_tanh", 6, "alpha tanh(beta x)"},
                                      {"hard_sigmoid", 7, "min(1, max(0, 0.2 x + 0.5))"},
                                      {"elu", 8, "x, or alpha (exp(x) - 1) for x < 0"},
                                      {"softsign", 9, "x / (1 + |x|)"},
                                      {"softplus", 10, "log(1 + exp(x))"}};
};

namespace args {
/// The directions in which a recurrent layer goes through a sequence.
enum class RecurrentDirection { Forward, Backward, Sum, Concat, Stack };
}  // namespace args
template <>
struct ChoicesOf<args::RecurrentDirection> {
  static constexpr const char* name = "RecurrentDirection";
  static constexpr Choice values[] = {{"forward", 0, "from the first step to the last"},
                                      {"backward", 1, "from the last step to the first"},
                                      {"sum", 2, "both; their outputs are added"},
                                      {"concat", 3, "both; the features of their outputs stand side by side"},
                                      {"stack", 4, "both; their outputs have an axis of their own"}};
};

}  // namespace sd::ops

#endif
