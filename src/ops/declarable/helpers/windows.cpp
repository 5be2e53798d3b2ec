#include "ops/declarable/helpers/windows.h"

namespace sd::ops::helpers {
namespace {

const char* const AXIS_NAMES[] = {"depth", "height", "width"};

/// With sizes and arguments up to these limits, everything computed from them fits 64 bits.
void requireModest(const WindowAxis& w, LongType size, size_t axis) {
  constexpr LongType mostCells = LongType{1} << 60;
  const LongType arguments = std::max({w.kernel, w.stride, w.pad, w.padEnd, w.dilation});
  if (arguments > INT32_MAX)
    reject("an argument of the {} is {}, which does not fit 32 bits", AXIS_NAMES[axis], arguments);
  if (size > mostCells) reject("the {} of {} cells exceeds {} cells", AXIS_NAMES[axis], size, mostCells);
}

std::string paddingText(const WindowAxis& w) {
  return w.pad == w.padEnd ? fmt::format("a padding of {} on both sides", w.pad)
                           : fmt::format("a padding of {} at the start and {} at the end", w.pad, w.padEnd);
}

/// The cells that the windows need beside those of the input.
LongType missingCells(const WindowAxis& w) { return std::max<LongType>(0, (w.out - 1) * w.stride + w.extent() - w.in); }

void setPads(WindowAxis& w, Padding padding) {
  if (padding == Padding::Explicit) return;
  w.pad = beginPad(w, padding);
  w.padEnd = padding == Padding::Causal ? 0 : missingCells(w) - w.pad;
}

}  // namespace

LongType beginPad(const WindowAxis& axis, Padding padding) {
  switch (padding) {
    case Padding::Same:
      return missingCells(axis) / 2;
    case Padding::SameLower:
      return (missingCells(axis) + 1) / 2;
    case Padding::Causal:
      return axis.extent() - 1;
    default:
      return axis.pad;
  }
}

WindowAxis WindowArguments::axisOver(int d, LongType in, Padding padding) const {
  const auto axis = static_cast<size_t>(3 - dims + d);
  WindowAxis w{in, 0, kernel[axis], stride[axis], pad[axis], dilation[axis], endPadOf(axis)};
  requireModest(w, w.in, axis);
  if (padding == Padding::Explicit) {
    const LongType room = w.in + w.pad + w.padEnd - w.extent();
    w.out = room < 0 ? 0 : room / w.stride + 1;
    if (ceilMode && room > -w.stride && room % w.stride != 0 && w.out * w.stride < w.in + w.pad) w.out++;
    if (w.out == 0)
      reject("the window of {} cells does not fit into the {} of {} cells with {}", w.extent(), AXIS_NAMES[axis], w.in,
             paddingText(w));
  } else {
    w.out = (w.in + w.stride - 1) / w.stride;
  }
  setPads(w, padding);
  return w;
}

Windows WindowArguments::over(const LongType* in, Padding padding) const {
  Windows windows;
  for (int d = 0; d < dims; d++) windows.axes[static_cast<size_t>(3 - dims + d)] = axisOver(d, in[d], padding);
  return windows;
}

WindowAxis WindowArguments::transposedAxis(int d, LongType out, Padding padding) const {
  const auto axis = static_cast<size_t>(3 - dims + d);
  WindowAxis w{0, out, kernel[axis], stride[axis], pad[axis], dilation[axis], endPadOf(axis)};
  requireModest(w, w.out, axis);
  const LongType steps = padding == Padding::Explicit ? w.out - 1 : w.out;
  const LongType rest = padding == Padding::Explicit ? w.extent() - w.pad - w.padEnd : 0;
  if (__builtin_mul_overflow(w.stride, steps, &w.in) || __builtin_add_overflow(w.in, rest, &w.in))
    reject("{} steps of {} cells of the {} do not fit 64 bits", steps, w.stride, AXIS_NAMES[axis]);
  if (w.in < 0 || (w.in == 0 && w.out > 0)) reject("{} leaves no cells of the {}", paddingText(w), AXIS_NAMES[axis]);
  setPads(w, padding);
  return w;
}

Dims imageShape(LongType batch, LongType channels, const Windows& windows, bool output, int dims, bool channelsLast) {
  Dims shape{batch};
  if (!channelsLast) shape.push_back(channels);
  for (int d = 3 - dims; d < 3; d++) {
    const WindowAxis& axis = windows.axes[static_cast<size_t>(d)];
    shape.push_back(output ? axis.out : axis.in);
  }
  if (channelsLast) shape.push_back(channels);
  return shape;
}

NDArray channelsFirst(const NDArray& array, bool channelsLast) {
  if (!channelsLast) return array.viewOf(array.shapeInfo(), 0);
  std::vector<int> axes{0, array.rankOf() - 1};
  for (int d = 1; d < array.rankOf() - 1; d++) axes.push_back(d);
  return array.permute(axes);
}

}  // namespace sd::ops::helpers
