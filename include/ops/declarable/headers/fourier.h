// Discrete Fourier transforms.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_FOURIER_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_FOURIER_H

#include <ops/declarable/Arguments.h>
#include <ops/declarable/DeclarableCustomOp.h>

#include <optional>
#include <vector>

namespace sd::ops {

namespace args {
/// By which number the sums are divided.
enum class FourierNorm { Backward, Ortho, Forward };
}  // namespace args
template <>
struct ChoicesOf<args::FourierNorm> {
  static constexpr const char* name = "FourierNorm";
  static constexpr Choice values[] = {{"backward", 0, "inverse transforms are divided by n"},
                                      {"ortho", 1, "all are divided by the square root of n"},
                                      {"forward", 2, "forward transforms are divided by n"}};
};

namespace args {
/// Arguments of fft, ifft, rfft, irfft, hfft and ihfft.
struct Fourier {
  std::optional<LongType> n{};  ///< none: the size of the dimension
  int axis = -1;
  FourierNorm norm = FourierNorm::Backward;
};

/// Arguments of fftn, ifftn, rfftn and irfftn.
struct FourierN {
  std::vector<LongType> s{};  ///< empty: the sizes of the dimensions
  std::vector<int> axes{};    ///< empty: the last ones, as many as s has, or all
  FourierNorm norm = FourierNorm::Backward;
};

/// Arguments of fftshift and ifftshift.
struct FourierShift {
  std::vector<int> axes{};  ///< empty: all
};

/// Arguments of fftfreq and rfftfreq.
struct Frequencies {
  LongType n = 1;
  double d = 1;
  DataType dtype = FLOAT32;
};
}  // namespace args

namespace additional {
/// Transforms along one dimension.
DECLARE_CUSTOM_OP(fft, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(ifft, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(rfft, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(irfft, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(hfft, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(ihfft, 1, 1, false, 0, 0)
/// Transforms along several dimensions.
DECLARE_CUSTOM_OP(fftn, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(ifftn, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(rfftn, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(irfftn, 1, 1, false, 0, 0)
/// The frequency 0 moved to the middle, and back.
DECLARE_CUSTOM_OP(fftshift, 1, 1, false, 0, 0)
DECLARE_CUSTOM_OP(ifftshift, 1, 1, false, 0, 0)
/// The frequencies of the numbers of a transform.
DECLARE_CUSTOM_OP(fftfreq, -2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(rfftfreq, -2, 1, false, 0, 0)
}  // namespace additional

}  // namespace sd::ops

#endif
