// Compares batch normalisation in the library's own loops with oneDNN. The result is why it has no platform helper.
#include <ops/declarable/CustomOperations.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <dnnl.hpp>
#include <functional>
#include <limits>
#include <unordered_map>
#include <vector>

using namespace sd;

namespace {

struct Image {
  LongType batch, channels, height, width;
};

constexpr Image IMAGES[] = {{1, 16, 8, 8},     {8, 64, 28, 28}, {8, 32, 64, 64},  {32, 64, 56, 56},
                            {16, 256, 14, 14}, {8, 1024, 7, 7}, {64, 128, 56, 56}};

NDArray values(const std::vector<LongType>& shape, float lowest) {
  NDArray x('c', shape, FLOAT32);
  for (LongType i = 0; i < x.lengthOf(); i++)
    x.bufferAsT<float>()[i] = static_cast<float>(i * 7919 % 1000) / 1000 + lowest;
  return x;
}

/// Seconds per call: the mean over enough calls to take a few milliseconds.
double seconds(const std::function<void()>& call) {
  using Clock = std::chrono::steady_clock;
  int calls = 0;
  const auto start = Clock::now();
  double passed = 0;
  do {
    call();
    calls++;
    passed = std::chrono::duration<double>(Clock::now() - start).count();
  } while (passed < 5e-3);
  return passed / calls;
}

class OneDnn {
 public:
  OneDnn(const Image& image, bool channelsLast, NDArray& x, NDArray& mean, NDArray& variance, NDArray& gamma,
         NDArray& beta, NDArray& z) {
    using Memory = dnnl::memory;
    const Memory::desc pixels({image.batch, image.channels, image.height, image.width}, Memory::data_type::f32,
                              channelsLast ? Memory::format_tag::nhwc : Memory::format_tag::nchw);
    const Memory::desc channels({image.channels}, Memory::data_type::f32, Memory::format_tag::a);
    using Flags = dnnl::normalization_flags;
    const auto flags = Flags::use_global_stats | Flags::use_scale | Flags::use_shift;
    using Forward = dnnl::batch_normalization_forward;
#if DNNL_VERSION_MAJOR < 3
    primitive_ = Forward({Forward::desc(dnnl::prop_kind::forward_inference, pixels, 1e-5f, flags), engine_});
#else
    primitive_ = Forward({engine_, dnnl::prop_kind::forward_inference, pixels, pixels, 1e-5f, flags});
#endif
    const auto memory = [&](const Memory::desc& d, NDArray& array) { return Memory(d, engine_, array.buffer()); };
    arguments_ = {{DNNL_ARG_SRC, memory(pixels, x)},         {DNNL_ARG_MEAN, memory(channels, mean)},
                  {DNNL_ARG_SCALE, memory(channels, gamma)}, {DNNL_ARG_VARIANCE, memory(channels, variance)},
                  {DNNL_ARG_SHIFT, memory(channels, beta)},  {DNNL_ARG_DST, memory(pixels, z)}};
  }
  void operator()() {
    primitive_.execute(stream_, arguments_);
    stream_.wait();
  }

 private:
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  dnnl::batch_normalization_forward primitive_;
  std::unordered_map<int, dnnl::memory> arguments_;
};

void measure(const Image& image, bool channelsLast) {
  const auto [n, c, h, w] = image;
  const std::vector<LongType> shape = channelsLast ? std::vector{n, h, w, c} : std::vector{n, c, h, w};
  NDArray x = values(shape, -0.5f), mean = values({c}, 0), variance = values({c}, 0.5f), gamma = values({c}, 0.1f),
          beta = values({c}, -1), z('c', shape, FLOAT32), expected('c', shape, FLOAT32);
  ops::batchnorm op;
  OneDnn other(image, channelsLast, x, mean, variance, gamma, beta, expected);
  const auto own = [&] {
    op.execute({&x, &mean, &variance, &gamma, &beta}, {&z}, {1e-5}, {1, 1, channelsLast ? 3 : 1});
  };
  own();
  other();
  if (!z.equalsTo(expected, 1e-4)) std::printf("results differ: ");
  double best[2] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (int round = 0; round < 15; round++) {
    best[0] = std::min(best[0], seconds(own));
    best[1] = std::min(best[1], seconds([&] { other(); }));
  }
  std::printf("| %lldx%lldx%lldx%lld | %s | %.4f | %.4f | %.2f |\n", n, c, h, w, channelsLast ? "NHWC" : "NCHW",
              best[0] * 1e3, best[1] * 1e3, best[1] / best[0]);
}

}  // namespace

int main() {
  std::puts("| N x C x H x W | layout | own loops, ms | oneDNN, ms | times as long |\n|---|---|---|---|---|");
  for (const Image& image : IMAGES)
    for (const bool channelsLast : {false, true}) measure(image, channelsLast);
}
