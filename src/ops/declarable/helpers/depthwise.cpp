// Depthwise convolution: scales and adds rows of one channel.
#include <execution/Parallel.h>

#include "ops/declarable/helpers/convolution.h"

namespace sd::ops::helpers {
namespace {

constexpr double NANOSECONDS_FOR_A_CELL = 0.3;

double cost(const Convolution& c) {
  return NANOSECONDS_FOR_A_CELL * static_cast<double>(c.batch * c.outChannels) *
         static_cast<double>(c.windows.outSize() * c.windows.kernelSize());
}

}  // namespace

template <typename T>
void convolveDepthwise(const Convolution& c, const T* x, const T* weights, const T* bias, T* y) {
  const LongType multiplier = c.outChannels / c.inChannels, kernel = c.windows.kernelSize();
  const LongType cells = c.windows.inSize(), windows = c.windows.outSize();
  const LongType width = c.windows.width().out, step = c.windows.width().stride;
  execution::parallelFor(c.batch * c.outChannels, execution::threadsFor(cost(c)), [&](LongType start, LongType stop) {
    for (LongType plane = start; plane < stop; plane++) {
      const LongType n = plane / c.outChannels, o = plane % c.outChannels, channel = o / multiplier;
      const T* from = x + (n * c.inChannels + channel) * cells;
      const T* w = weights + (o % multiplier * c.inChannels + channel) * kernel;
      T* to = y + plane * windows;
      std::fill_n(to, windows, bias != nullptr ? bias[o] : T(0));
      for (LongType row = 0; row < c.windows.outRows(); row++) {
        T* out = to + row * width;
        c.windows.forRow(row, [&](LongType k, LongType cell, LongType column, LongType number) {
          const T scale = w[k];
          const T* in = from + cell;
          T* z = out + column;
          if (step == 1)
            for (LongType i = 0; i < number; i++) z[i] += scale * in[i];
          else
            for (LongType i = 0; i < number; i++) z[i] += scale * in[i * step];
        });
      }
    }
  });
}

template <typename T>
void convolveDepthwiseBackward(const Convolution& c, const T* x, const T* weights, const T* gradY, T* gradX,
                               T* gradWeights) {
  const LongType multiplier = c.outChannels / c.inChannels, kernel = c.windows.kernelSize();
  const LongType cells = c.windows.inSize(), windows = c.windows.outSize();
  const LongType width = c.windows.width().out, step = c.windows.width().stride;
  std::fill_n(gradWeights, c.outChannels * kernel, T(0));
  // A thread processes all images of its channels, so it alone sums the gradients of their weights.
  execution::parallelFor(c.inChannels, execution::threadsFor(2 * cost(c)), [&](LongType start, LongType stop) {
    for (LongType channel = start; channel < stop; channel++)
      for (LongType n = 0; n < c.batch; n++) {
        const LongType plane = n * c.inChannels + channel;
        const T* in = x + plane * cells;
        T* gradIn = gradX + plane * cells;
        std::fill_n(gradIn, cells, T(0));
        for (LongType m = 0; m < multiplier; m++) {
          const LongType offset = (m * c.inChannels + channel) * kernel;
          const T* w = weights + offset;
          T* gradW = gradWeights + offset;
          for (LongType row = 0; row < c.windows.outRows(); row++) {
            const T* g = gradY + (plane * multiplier + m) * windows + row * width;
            c.windows.forRow(row, [&](LongType k, LongType cell, LongType column, LongType number) {
              const T scale = w[k];
              T sum = 0;
              for (LongType i = 0; i < number; i++) {
                gradIn[cell + i * step] += scale * g[column + i];
                sum += in[cell + i * step] * g[column + i];
              }
              gradW[k] += sum;
            });
          }
        }
      }
  });
}

SD_DEPTHWISE_CONVOLUTIONS(, float)
SD_DEPTHWISE_CONVOLUTIONS(, double)

}  // namespace sd::ops::helpers
