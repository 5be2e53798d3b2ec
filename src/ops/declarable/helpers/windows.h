// Sliding windows over one, two or three spatial axes, as convolutions and pooling use them.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_WINDOWS_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_WINDOWS_H

#include <ops/declarable/headers/choices.h>

#include <algorithm>
#include <array>
#include <utility>

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {

/// How the begin pad and the output size follow from the input size.
enum class Padding {
  Explicit,   ///< the given pads: out = (in - extent + pad + padEnd) / stride + 1
  Same,       ///< out = ceil(in / stride); if the padding is odd, the extra cell is at the end
  SameLower,  ///< as Same; if the padding is odd, the extra cell is at the start
  Causal,     ///< all padding at the start: out = (in - 1) / stride + 1, pad = extent - 1
};

inline Padding paddingOf(args::PaddingMode mode) {
  switch (mode) {
    case args::PaddingMode::Same:
      return Padding::Same;
    case args::PaddingMode::SameLower:
      return Padding::SameLower;
    case args::PaddingMode::Causal:
      return Padding::Causal;
    default:
      return Padding::Explicit;
  }
}

/// Window `o` covers the cells o * stride - pad + k * dilation, k in 0..kernel-1. The padded input has the cells
/// -pad..in + padEnd - 1; windows may reach beyond them at the end.
struct WindowAxis {
  LongType in = 1, out = 1, kernel = 1, stride = 1, pad = 0, dilation = 1, padEnd = 0;

  LongType extent() const { return (kernel - 1) * dilation + 1; }
  LongType cell(LongType o, LongType k) const { return o * stride - pad + k * dilation; }
  /// The windows [first, last) whose cell k is inside the input.
  std::pair<LongType, LongType> inside(LongType k) const {
    const LongType shift = pad - k * dilation;
    const LongType first = shift <= 0 ? 0 : (shift + stride - 1) / stride;
    const LongType last = in + shift <= 0 ? 0 : (in + shift + stride - 1) / stride;
    return {std::min(first, out), std::min(last, out)};
  }
  /// The k [first, last) whose cell of window `o` is inside the input.
  std::pair<LongType, LongType> kernelInside(LongType o) const { return kernelBetween(o, o); }
  /// The k [first, last) whose cell is inside the input for at least one window; a few k in this range may have none.
  std::pair<LongType, LongType> kernelInside() const { return kernelBetween(0, out - 1); }
  /// The number of cells of window `o` inside the input.
  LongType cellsInside(LongType o) const {
    const auto [first, last] = kernelInside(o);
    return last - first;
  }
  /// The number of cells of window `o` inside the padded input. No window begins before it.
  LongType cellsPadded(LongType o) const {
    const LongType room = in + padEnd - cell(o, 0);
    return room <= 0 ? 0 : std::min((room - 1) / dilation + 1, kernel);
  }
  /// Whether the last window reaches beyond the padded input.
  bool exceedsPadding() const { return out > 0 && cellsPadded(out - 1) < kernel; }

 private:
  std::pair<LongType, LongType> kernelBetween(LongType firstWindow, LongType lastWindow) const {
    const LongType low = pad - lastWindow * stride, high = in - 1 + pad - firstWindow * stride;
    const LongType first = low <= 0 ? 0 : std::min((low - 1) / dilation + 1, kernel);
    return {first, high < 0 ? first : std::max(first, std::min(high / dilation + 1, kernel))};
  }
};

/// Depth, height, width. Axes that an operation does not have are of size 1.
struct Windows {
  std::array<WindowAxis, 3> axes;

  const WindowAxis& width() const { return axes[2]; }
  LongType inSize() const { return axes[0].in * axes[1].in * axes[2].in; }
  LongType outSize() const { return axes[0].out * axes[1].out * axes[2].out; }
  LongType kernelSize() const { return axes[0].kernel * axes[1].kernel * axes[2].kernel; }
  /// The number of rows of outputs along the width.
  LongType outRows() const { return axes[0].out * axes[1].out; }
  /// Whether each window is the single input cell with the same index.
  bool isPointwise() const {
    return std::all_of(axes.begin(), axes.end(), [](const WindowAxis& a) {
      return a.kernel == 1 && a.stride == 1 && a.pad == 0 && a.in == a.out;
    });
  }

  /// For each kernel cell k, and the windows in output row `row` for which it is inside the input: run(k, cell of the
  /// first such window, column of the first such window, their number). Their cells are width().stride apart.
  template <typename Run>
  void forRow(LongType row, Run&& run) const {
    const auto& [depth, height, width] = axes;
    const LongType od = row / height.out, oh = row % height.out;
    const auto [kdFirst, kdLast] = depth.kernelInside(od);
    const auto [khFirst, khLast] = height.kernelInside(oh);
    const auto [kwFirst, kwLast] = width.kernelInside();
    for (LongType kd = kdFirst; kd < kdLast; kd++) {
      const LongType id = depth.cell(od, kd);
      for (LongType kh = khFirst; kh < khLast; kh++) {
        const LongType ih = height.cell(oh, kh);
        for (LongType kw = kwFirst; kw < kwLast; kw++) {
          const auto [first, last] = width.inside(kw);
          if (first >= last) continue;
          run((kd * height.kernel + kh) * width.kernel + kw, (id * height.in + ih) * width.in + width.cell(first, kw),
              first, last - first);
        }
      }
    }
  }
};

/// The window arguments of a call: kernel, stride, pad and dilation for each of `dims` axes.
struct WindowArguments {
  int dims = 2;
  // Depth, height, width. A padEnd of -1 is the pad.
  std::array<LongType, 3> kernel{1, 1, 1}, stride{1, 1, 1}, pad{0, 0, 0}, dilation{1, 1, 1}, padEnd{-1, -1, -1};
  /// Explicit: the last window may reach beyond the padding, if it begins before the end of the input.
  bool ceilMode = false;

  /// The arguments of a struct with the members kernel, stride, padding and dilation, and perhaps paddingEnd and
  /// ceilMode.
  template <typename S>
  static WindowArguments of(const S& arguments) {
    WindowArguments a;
    a.dims = static_cast<int>(arguments.kernel.size());
    for (size_t d = 0; d < arguments.kernel.size(); d++) {
      const size_t axis = 3 - arguments.kernel.size() + d;
      a.kernel[axis] = arguments.kernel[d];
      a.stride[axis] = arguments.stride[d];
      a.pad[axis] = arguments.padding[d];
      a.dilation[axis] = arguments.dilation[d];
      if constexpr (requires { arguments.paddingEnd; }) a.padEnd[axis] = arguments.paddingEnd[d];
    }
    if constexpr (requires { arguments.ceilMode; }) a.ceilMode = arguments.ceilMode;
    return a;
  }

  /// The cells added at the end of an axis, of which depth is 0.
  LongType endPadOf(size_t axis) const { return padEnd[axis] < 0 ? pad[axis] : padEnd[axis]; }
  /// The windows along axis `d` of an input with `in` cells.
  WindowAxis axisOver(int d, LongType in, Padding padding) const;
  /// `in` has `dims` sizes. Rejects windows that do not fit into the padded input.
  Windows over(const LongType* in, Padding padding) const;
  /// The windows along axis `d` of a transposed convolution, which scatters to them; `out` is the number of windows.
  /// Explicit: in = stride * (out - 1) + extent - pad - padEnd; Same and SameLower: in = stride * out.
  WindowAxis transposedAxis(int d, LongType out, Padding padding) const;
};

/// The begin pad for Same, SameLower and Causal; `pad` itself for Explicit.
LongType beginPad(const WindowAxis& axis, Padding padding);

/// The shape of an image: the spatial sizes of `windows` on the input or output side, for `dims` axes, with batch and
/// channels.
Dims imageShape(LongType batch, LongType channels, const Windows& windows, bool output, int dims, bool channelsLast);

/// A view [N, C, spatial...] of an array that may have its channels last.
NDArray channelsFirst(const NDArray& array, bool channelsLast);

/// The compute type: float for FLOAT32 and the 16-bit types, else double.
inline DataType realTypeOf(DataType type) { return type == DOUBLE ? DOUBLE : FLOAT32; }

/// Calls f(T()) for T = float or double.
template <typename F>
void withReal(DataType type, F&& f) {
  if (type == DOUBLE)
    f(double());
  else
    f(float());
}

}  // namespace sd::ops::helpers

#endif
