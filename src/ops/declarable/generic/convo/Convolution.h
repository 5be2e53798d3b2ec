// Rows that the schemas of convolutions share.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_GENERIC_CONVO_CONVOLUTION_H
#define NDFORGE_SRC_OPS_DECLARABLE_GENERIC_CONVO_CONVOLUTION_H

#include "ops/declarable/helpers/convolution_call.h"

namespace sd::ops {

inline constexpr const char* CONVOLUTION_NOTE =
    "Cells outside the image count as 0. The kernel is not flipped. The computation uses the type of weights.";
inline constexpr const char* CONVOLUTION_GRADIENT_NOTE =
    "Cells outside the image count as 0. The kernel is not flipped. Without bias, gradY is input 2, or input 3 after "
    "null.";
inline constexpr const char* WEIGHTS_TEXT =
    "[kernel..., iC, oC] for HWIO, [oC, iC, kernel...] for OIHW, [oC, kernel..., iC] for OHWI";
inline constexpr const char* BIAS_TEXT = "[oC] or [1, oC]";

/// Layouts of the image and the weights, from integer `first` on.
template <typename S>
void layoutArguments(Schema& schema, int first) {
  using Layout = decltype(S::layout);
  schema.argument(&S::layout, "layout", "the order of the axes of the image")
      .atInteger(first)
      .otherwise(static_cast<Layout>(1));
  schema.argument(&S::weightLayout, "weight_layout", "the order of the axes of the weights")
      .atInteger(first + 1)
      .otherwise(WeightLayout::OHWI);
}

template <typename S>
void convolutionArguments(Schema& schema, helpers::ConvolutionKind kind) {
  constexpr int dims = std::tuple_size_v<decltype(S::kernel)>;
  const auto text = [](const char* sequence, const char* image, const char* volume) {
    return dims == 1 ? sequence : dims == 2 ? image : volume;
  };
  schema
      .argument(&S::kernel, "kernel",
                text("window size; 0 or less: that of the weights",
                     "window sizes [height, width]; 0 or less: those of the weights",
                     "window sizes [depth, height, width]; 0 or less: those of the weights"))
      .atInteger(0);
  schema
      .argument(&S::stride, "stride",
                text("step of the window", "steps of the window [height, width]",
                     "steps of the window [depth, height, width]"))
      .atInteger(dims)
      .atLeast(1);
  const bool isTransposed = kind == helpers::ConvolutionKind::Transposed;
  schema
      .argument(&S::padding, "padding",
                isTransposed
                    ? text("cells of the result left out at the start, and at the end without padding_end; read when "
                           "padding_mode is given",
                           "cells of the result left out at the start [height, width], and at the end without "
                           "padding_end; read when padding_mode is given",
                           "cells of the result left out at the start [depth, height, width], and at the end without "
                           "padding_end; read when padding_mode is given")
                    : text("cells added at the start, and at the end without padding_end; read when padding_mode is "
                           "given",
                           "cells added at the start [height, width], and at the end without padding_end; read when "
                           "padding_mode is given",
                           "cells added at the start [depth, height, width], and at the end without padding_end; read "
                           "when padding_mode is given"))
      .atInteger(2 * dims)
      .atLeast(0);
  schema
      .argument(
          &S::dilation, "dilation",
          text("distance between the cells of a window", "distances between the cells of a window [height, width]",
               "distances between the cells of a window [depth, height, width]"))
      .atInteger(3 * dims)
      .atLeast(1);
  ArgumentRow& mode = schema.argument(&S::paddingMode, "padding_mode", "how the borders are made").atInteger(4 * dims);
  if (isTransposed)
    mode.without(PaddingMode::Causal).otherwise(PaddingMode::Same);
  else if (dims == 3)
    mode.without(PaddingMode::Causal);
  else
    mode.otherwise(PaddingMode::Causal);
  layoutArguments<S>(schema, 4 * dims + 1);
  schema
      .argument(
          &S::paddingEnd, "padding_end",
          isTransposed
              ? text("cells of the result left out at the end; -1: as padding; for PyTorch's output_padding: "
                     "padding - output_padding",
                     "cells of the result left out at the end [height, width]; -1: as padding; for PyTorch's "
                     "output_padding: padding - output_padding",
                     "cells of the result left out at the end [depth, height, width]; -1: as padding; for "
                     "PyTorch's output_padding: padding - output_padding")
              : text("cells added at the end; -1: as padding", "cells added at the end [height, width]; -1: as padding",
                     "cells added at the end [depth, height, width]; -1: as padding"))
      .atLeast(-1);
}

}  // namespace sd::ops

#endif
