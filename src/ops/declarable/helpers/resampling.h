// Resizing images: every output row and column is a weighted sum of a few input rows and columns.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_RESAMPLING_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_RESAMPLING_H

#include <array/NDArray.h>

#include <functional>
#include <vector>

namespace sd::ops {

/// The position of the centre of output i among the inputs 0..in-1.
enum class Coordinates {
  Asymmetric,        ///< i * scale
  HalfPixel,         ///< (i + 0.5) * scale - 0.5
  HalfPixelNearest,  ///< (i + 0.5) * scale
};

enum class Rounding { Floor, PreferFloor, PreferCeil, Ceil };

/// in / out, or (in - 1) / (out - 1) with aligned corners.
float scaleOf(LongType in, LongType out, bool alignCorners);

/// Output i is the sum over k of weights[i * count + k] times input indices[i * count + k].
struct Taps {
  LongType count = 0;
  std::vector<LongType> indices;
  std::vector<double> weights;
};

Taps linearTaps(LongType in, LongType out, bool alignCorners, Coordinates coordinates);
/// Keys' cubic kernel with coefficient a; its argument is rounded to 1/1024. Taps outside the image repeat its edge, or
/// have weight 0 if excludeOutside. Keys, "Cubic convolution interpolation for digital image processing", 1981.
Taps cubicTaps(LongType in, LongType out, bool alignCorners, Coordinates coordinates, float a, bool excludeOutside);
/// The mean of the inputs that each output covers.
Taps areaTaps(LongType in, LongType out, bool alignCorners);
/// A weight for each distance in pixels, up to a radius.
struct Kernel {
  double radius;
  std::function<double(double)> weight;  ///< argument: a distance of at least 0
};

Kernel triangleKernel();
/// Keys' kernel with coefficient a.
Kernel cubicKernel(double a);
Kernel lanczosKernel(int radius);
/// A Gaussian with standard deviation 0.5, cut off at 1.5.
Kernel gaussianKernel();
/// Mitchell and Netravali, "Reconstruction filters in computer graphics", 1988, with B = C = 1/3.
Kernel mitchellKernel();

/// The inputs around the centre of each output (half pixels), weighted by a kernel and normalised. With antialias, the
/// kernel is widened when there are fewer outputs than inputs.
Taps kernelTaps(LongType in, LongType out, const Kernel& kernel, bool antialias);

/// For each output the index of its input.
std::vector<LongType> nearestIndices(LongType in, LongType out, bool alignCorners, Coordinates coordinates,
                                     Rounding rounding);

/// z[..., Y, X, C] from x[..., H, W, C]. Computes in double when both are DOUBLE, else in float.
void resample(const NDArray& x, NDArray& z, const Taps& rows, const Taps& columns);
/// As resample, with a single input index per row and column; z has the type of x.
void pick(const NDArray& x, NDArray& z, const std::vector<LongType>& rows, const std::vector<LongType>& columns);

}  // namespace sd::ops

#endif
