// Numbered random operations: checks, the table of operations, and the loop over tiles.
#include <array/ArrayOptions.h>
#include <exceptions/datatype_exception.h>
#include <execution/Parallel.h>
#include <helpers/shape.h>
#include <loops/Executor.h>
#include <loops/OpList.h>
#include <loops/random.h>
#include <system/op_enums.h>

#include <iterator>

#include "loops/ElementLoop.h"
#include "loops/Kernels.h"
#include "loops/Layout.h"
#include "loops/OpInfo.h"
#include "loops/Operand.h"
#include "loops/random_kernels.h"
#include "simd/MemoryLoops.h"
#include "system/Error.h"
#include "types/TypeDispatch.h"

namespace sd::loops {

namespace {

using namespace random_kernels;

enum Form : int { FORM_Z = 1, FORM_X = 2, FORM_XY = 4 };

/// How an operation uses y.
enum class Y { Elements, PerTrial, Weights };

struct Operation {
  int forms;
  int params;
  Y y;
  double cost;  ///< nanoseconds per element, to choose the number of threads
};

// Indexed by operation number. With FORM_Z | FORM_XY, passing z's buffer as y means that there is no y.
constexpr Operation OPERATIONS[] = {
    {FORM_Z, 2, Y::Elements, 0.6},            // Uniform
    {FORM_X, 1, Y::Elements, 1},              // DropOut
    {FORM_X, 1, Y::Elements, 2},              // DropOutInverted
    {FORM_XY, 1, Y::Elements, 2},             // ProbablisticMerge
    {FORM_Z, 3, Y::Elements, 2},              // Linspace
    {FORM_XY, 0, Y::Weights, 20},             // Choice
    {FORM_Z | FORM_XY, 2, Y::Elements, 2.5},  // Gaussian
    {FORM_Z | FORM_X, 1, Y::Elements, 1},     // Bernoulli
    {FORM_Z | FORM_XY, 2, Y::PerTrial, 20},   // Binomial
    {FORM_Z | FORM_XY, 2, Y::Elements, 20},   // BinomialEx
    {FORM_Z | FORM_XY, 2, Y::Elements, 3},    // LogNormal
    {FORM_Z | FORM_XY, 2, Y::Elements, 35},   // TruncatedNormal
    {FORM_X, 4, Y::Elements, 2},              // AlphaDropOut
    {FORM_Z | FORM_X, 1, Y::Elements, 8},     // Exponential
    {FORM_Z | FORM_X, 1, Y::Elements, 8},     // ExponentialInv
    {FORM_Z | FORM_X, 1, Y::Elements, 60},    // Poisson
    {FORM_Z | FORM_X, 2, Y::Elements, 60},    // Gamma
};

template <typename T>
using TileKernel = void (*)(const Draw<T>&, LongType begin, LongType count, const T* x, const T* y, T* z);

constexpr LongType TILE_LENGTH = 512;

/// Random numbers [begin, begin + count) of the generator, in [0, 1); count is at most TILE_LENGTH.
template <typename T>
void drawNumbers(const graph::RandomGenerator& generator, LongType begin, LongType count, T* z) {
  if constexpr (std::is_same_v<T, float>) {
    drawUniform(generator, begin, count, z);
  } else if constexpr (std::is_same_v<T, double>) {
    float values[TILE_LENGTH];
    drawUniform(generator, begin, count, values);
    std::copy_n(values, count, z);
  } else {
    for (LongType i = 0; i < count; i++) z[i] = generator.relativeT<T>(begin + i);
  }
}

template <typename Op, typename T>
void tile(const Draw<T>& draw, LongType begin, LongType count, const T* x, const T* y, T* z) {
  T none = static_cast<T>(0.f), missingX = none;
  if constexpr (requires { Op::template missingX<T>(draw); })
    if (x == nullptr) missingX = Op::template missingX<T>(draw);
  const auto compute = [&](auto&& drawn) {
    SD_INDEPENDENT
    for (LongType i = 0; i < count; i++)
      z[i] = Op::template value<T>(draw, drawn(i), x != nullptr ? x[i] : missingX, y != nullptr ? y[i] : none);
  };
  if constexpr (std::is_base_of_v<DrawsOne, Op>) {
    T numbers[TILE_LENGTH];
    drawNumbers(draw.generator, begin, count, numbers);
    compute([&](LongType i) { return numbers[i]; });
  } else {
    compute([&](LongType i) { return begin + i; });
  }
}

/// Computes elements [begin, begin + count) of a standard normal array with vector functions; the values are those of
/// normal().
template <typename T>
void normalTile(const Draw<T>& draw, LongType begin, LongType count, T* z) {
  constexpr auto type = std::is_same_v<T, double> ? simd::F64 : simd::F32;
  const auto& table = simd::kernels();
  const LongType half = draw.length / 2 + draw.length % 2, cosines = std::clamp<LongType>(half - begin, 0, count);
  const T low = static_cast<T>(1e-5), high = static_cast<T>(1.f);
  T radius[TILE_LENGTH], angle[TILE_LENGTH];
  const auto drawPairs = [&](LongType pair, LongType from, LongType number) {
    drawNumbers(draw.generator, pair, number, radius + from);
    drawNumbers(draw.generator, pair + half, number, angle + from);
  };
  drawPairs(begin, 0, cosines);
  drawPairs(begin + cosines - half, cosines, count - cosines);
  for (LongType i = 0; i < count; i++) {
    radius[i] = between(radius[i], low, high);
    angle[i] = static_cast<T>(6.28318530717958647692) * between(angle[i], low, high);
  }
  table.transformStrict[sd::transform::Log][type].run(radius, radius, count, nullptr);
  for (LongType i = 0; i < count; i++) radius[i] *= static_cast<T>(-2.f);
  table.transformFloat[sd::transform::Sqrt][type].run(radius, radius, count, nullptr);
  table.transformStrict[sd::transform::Cosine][type].run(angle, z, cosines, nullptr);
  table.transformStrict[sd::transform::Sin][type].run(angle + cosines, z + cosines, count - cosines, nullptr);
  for (LongType i = 0; i < count; i++) z[i] *= radius[i];
}

/// Uniform, and Bernoulli with one probability for all elements.
template <typename Op, typename T>
void uniformTile(const Draw<T>& draw, LongType begin, LongType count, const T* x, const T* y, T* z) {
  if constexpr (std::is_same_v<T, float>) {
    if constexpr (std::is_same_v<Op, Uniform>)
      return drawUniform(draw.generator, begin, count, z, draw.params[0], draw.params[1] - draw.params[0]);
    else if (x == nullptr)
      return drawBernoulli(draw.generator, begin, count, draw.params[0], z);
  }
  tile<Op, T>(draw, begin, count, x, y, z);
}

/// Gaussian or LogNormal.
template <typename Op, typename T>
void gaussianTile(const Draw<T>& draw, LongType begin, LongType count, const T* x, const T* y, T* z) {
  if constexpr (std::is_floating_point_v<T>) {
    normalTile(draw, begin, count, z);
    for (LongType i = 0; i < count; i++) z[i] = z[i] * draw.params[1] + (y != nullptr ? y[i] : draw.params[0]);
    if constexpr (std::is_same_v<Op, LogNormal>) {
      constexpr auto type = std::is_same_v<T, double> ? simd::F64 : simd::F32;
      simd::kernels().transformStrict[sd::transform::Exp][type].run(z, z, count, nullptr);
    }
  } else {
    tile<Op, T>(draw, begin, count, x, y, z);
  }
}

template <typename T>
constexpr TileKernel<T> KERNELS[] = {
    uniformTile<Uniform, T>, tile<DropOut, T>,     tile<DropOutInverted, T>,   tile<ProbablisticMerge, T>,
    tile<Linspace, T>,       tile<Choice, T>,      gaussianTile<Gaussian, T>,  uniformTile<Bernoulli, T>,
    tile<Binomial, T>,       tile<BinomialEx, T>,  gaussianTile<LogNormal, T>, tile<TruncatedNormal, T>,
    tile<AlphaDropOut, T>,   tile<Exponential, T>, tile<ExponentialInv, T>,    tile<Poisson, T>,
    tile<Gamma, T>,
};

#define SD_NUMBER(NUMBER, FUNCTOR) &&NUMBER < std::size(OPERATIONS)
static_assert(true SD_FOR_EACH_OP(SD_NUMBER, RANDOM_OPS), "each random operation needs a line of OPERATIONS");
#undef SD_NUMBER
static_assert(std::size(OPERATIONS) == std::size(KERNELS<float>), "and one of KERNELS");

constexpr int BERNOULLI = 7, BINOMIAL = 8, BINOMIAL_EX = 9, POISSON = 15, GAMMA = 16;

/// One call with its checked operands.
struct Call {
  int op;
  std::string_view name;
  bool hasX, hasY;
};

/// @throws std::invalid_argument when the build leaves this operation out
std::string_view nameOf(int op) {
  if (op < 0 || op >= static_cast<int>(std::size(OPERATIONS))) fail("[random] there is no operation number {}", op);
  return opInfo(OpGroup::Random, op).name;
}

/// Determines which of x and y take part. @throws std::runtime_error when the operation has no such form
Call formOf(int op, In x, In y, Out z) {
  Call call{op, nameOf(op), x.data != nullptr, y.data != nullptr};
  const Operation& operation = OPERATIONS[op];
  if (operation.forms == (FORM_Z | FORM_XY) && y.data == z.data) {
    call.hasX = call.hasY = false;
    return call;
  }
  const int form = call.hasY ? FORM_XY : call.hasX ? FORM_X : FORM_Z;
  if ((operation.forms & form) == 0 || (call.hasY && !call.hasX)) {
    fail("[{}] takes {}", call.name,
         operation.forms == FORM_Z              ? "no inputs"
         : operation.forms == FORM_X            ? "one input, x"
         : operation.forms == FORM_XY           ? "two inputs, x and y"
         : operation.forms == (FORM_Z | FORM_X) ? "no input or one, x"
                                                : "no inputs or two, x and y");
  }
  if (operation.forms == (FORM_Z | FORM_XY)) call.hasX = false;  // only y is read
  return call;
}

void checkInput(const Call& call, const char* which, In input, Out z, LongType length) {
  if (input.info == nullptr) fail("[{}] the shape of {} is null", call.name, which);
  shape::validate(input.info, call.name.data());
  const DataType type = ArrayOptions::dataType(input.info), zType = ArrayOptions::dataType(z.info);
  if (type != zType)
    fail<datatype_exception>("[{}] {} has type {}, but z has type {}", call.name, which, DataTypeUtils::describe(type),
                             DataTypeUtils::describe(zType));
  if (length >= 0 && shape::length(input.info) != length)
    fail("[{}] {} has {} elements, but z has {}", call.name, which, shape::length(input.info), length);
  requireNoOverlap(call.name, operand(call.name, "z", z.data, z.info), which,
                   operand(call.name, which, input.data, input.info));
}

template <typename T>
void checkParams(const Call& call, const T* params, LongType yLength) {
  if (call.op == BINOMIAL || call.op == BINOMIAL_EX) {
    const double trials = static_cast<double>(params[0]);
    if (!(trials >= 0 && trials <= SD_MAX_INT))
      fail("[{}] trials is {}: it must be in 0..{}", call.name, trials, SD_MAX_INT);
    if (call.op == BINOMIAL && call.hasY && trials > static_cast<double>(yLength))
      fail("[{}] y has {} probabilities, which is too few for {} trials", call.name, yLength, trials);
  } else if (call.op == POISSON) {
    const double lambda = static_cast<double>(params[0]);
    if (!(lambda >= 0) || std::isinf(lambda))
      fail("[{}] lambda is {}: it must be finite and not negative", call.name, lambda);
  } else if (call.op == GAMMA) {
    const double alpha = static_cast<double>(params[0]), beta = static_cast<double>(params[1]);
    if (!(alpha > 0) || std::isinf(alpha)) fail("[{}] alpha is {}: it must be finite and positive", call.name, alpha);
    if (!(beta > 0) || std::isinf(beta)) fail("[{}] beta is {}: it must be finite and positive", call.name, beta);
  }
}

void requireParams(const Call& call, const void* params) {
  const bool readsParams = OPERATIONS[call.op].params > 0 && !(call.op == BERNOULLI && call.hasX);
  if (params == nullptr && readsParams)
    fail("[{}] {} extra parameters are needed, but none are given", call.name, OPERATIONS[call.op].params);
}

template <typename T>
void prepareChoice(Draw<T>& draw, const T* x, const Layout& xLayout, const T* y, const Layout& yLayout) {
  const auto n = static_cast<size_t>(xLayout.length());
  std::vector<T> weights(n);
  draw.values.resize(n);
  xLayout.read(x, 0, xLayout.length(), draw.values.data());
  yLayout.read(y, 0, yLayout.length(), weights.data());
  using Sum = typename decltype(draw.sums)::value_type;
  draw.sums.resize(n);
  // The running maximum reaches r first at the same index as the sums do, and it is sorted, so it can be searched.
  Sum sum = 0, greatest = 0;
  for (size_t i = 0; i < n; i++) {
    sum += static_cast<Sum>(weights[i]);
    greatest = i == 0 || sum > greatest ? sum : greatest;
    draw.sums[i] = greatest;
  }
}

template <typename T>
void runTyped(const Call& call, const graph::RandomGenerator& generator, In x, In y, Out z, const T* params) {
  const Operation& operation = OPERATIONS[call.op];
  const Layout zLayout(z.info), xLayout(call.hasX ? x.info : z.info), yLayout(call.hasY ? y.info : z.info);
  const T* xData = call.hasX ? static_cast<const T*>(x.data) : nullptr;
  const T* yData = call.hasY ? static_cast<const T*>(y.data) : nullptr;
  T* zData = static_cast<T*>(z.data);
  Draw<T> draw{generator, zLayout.length(), params, call.hasX, call.hasY, {}, {}};
  checkParams(call, params, yLayout.length());
  double cost = operation.cost;
  if (operation.y == Y::Weights) {
    prepareChoice(draw, xData, xLayout, yData, yLayout);
  } else if (operation.y == Y::PerTrial && call.hasY) {
    draw.values.resize(static_cast<size_t>(yLayout.length()));
    yLayout.read(yData, 0, yLayout.length(), draw.values.data());
  }
  const bool elementsOfX = call.hasX && operation.y == Y::Elements;
  const bool elementsOfY = call.hasY && operation.y == Y::Elements;
  if (call.op == BINOMIAL || call.op == BINOMIAL_EX) cost = 2 + 2 * static_cast<double>(params[0]);

  // What does not fit into the caches is written past them.
  const LongType bytes = draw.length * static_cast<LongType>(sizeof(T));
  const bool streams = zLayout.contiguous() && leavesCaches(bytes, bytes);
  const LongType tiles = (draw.length + TILE_LENGTH - 1) / TILE_LENGTH;
  const int threads = execution::threadsFor(cost * static_cast<double>(draw.length));
  execution::parallelFor(tiles, threads, [&](LongType first, LongType last) {
    T tileX[TILE_LENGTH], tileY[TILE_LENGTH], tileZ[TILE_LENGTH];
    // Elements [begin, end): in place if they are contiguous.
    const auto elements = [](bool used, const Layout& layout, const T* data, T* tile, LongType begin, LongType end) {
      if (!used || layout.contiguous()) return used ? data + begin : nullptr;
      layout.read(data, begin, end, tile);
      return static_cast<const T*>(tile);
    };
    for (LongType t = first; t < last; t++) {
      const LongType begin = t * TILE_LENGTH, end = std::min(begin + TILE_LENGTH, draw.length);
      const T* xs = elements(elementsOfX, xLayout, xData, tileX, begin, end);
      const T* ys = elements(elementsOfY, yLayout, yData, tileY, begin, end);
      if (zLayout.contiguous() && !streams) {
        KERNELS<T>[call.op](draw, begin, end - begin, xs, ys, zData + begin);
        continue;
      }
      KERNELS<T>[call.op](draw, begin, end - begin, xs, ys, tileZ);
      if (streams)
        simd::kernels().streamCopy(tileZ, zData + begin, (end - begin) * static_cast<LongType>(sizeof(T)));
      else
        zLayout.write(zData, begin, end, tileZ);
    }
    if (streams) simd::kernels().streamFence();
  });
}

}  // namespace

void random(int op, graph::RandomGenerator& generator, In x, In y, Out z, const void* params) {
  const std::string_view name = nameOf(op);
  if (z.info == nullptr) fail("[{}] the shape of z is null", name);
  shape::validate(z.info, name.data());
  const DataType type = ArrayOptions::dataType(z.info);
  if (!DataTypeUtils::isR(type)) failOnType(name, type, "a float type");
  const LongType length = shape::length(z.info);
  if (length == 0) return;
  if (z.data == nullptr) fail("[{}] the buffer of z is null", name);

  const Call call = formOf(op, x, y, z);
  const Y roleOfY = OPERATIONS[op].y;
  if (call.hasX) checkInput(call, "x", x, z, roleOfY == Y::Weights ? -1 : length);
  if (call.hasY) checkInput(call, "y", y, z, roleOfY == Y::Elements ? length : -1);
  if (roleOfY == Y::Weights && (shape::length(x.info) == 0 || shape::length(x.info) != shape::length(y.info)))
    fail("[{}] there are {} values and {} probabilities", call.name, shape::length(x.info), shape::length(y.info));
  requireParams(call, params);
  withFloatType(call.name, type,
                [&]<typename T>() { runTyped<T>(call, generator, x, y, z, static_cast<const T*>(params)); });
  generator.rewindH(static_cast<uint64_t>(length));
}

void randomElement(int op, const graph::RandomGenerator& generator, DataType type, LongType i, LongType length,
                   const void* x, const void* y, void* z, const void* params) {
  const Call call = formOf(op, {x, nullptr}, {y, nullptr}, {z, nullptr});
  if (!DataTypeUtils::isR(type)) failOnType(call.name, type, "a float type");
  if (i < 0 || i >= length) fail("[{}] there is no element {}: z has {} elements", call.name, i, length);
  if (call.hasY && OPERATIONS[op].y != Y::Elements)
    fail("[{}] reads several elements of y: it has no form for one element", call.name);
  requireParams(call, params);
  withFloatType(call.name, type, [&]<typename T>() {
    const auto p = static_cast<const T*>(params);
    checkParams(call, p, 0);
    const Draw<T> draw{generator, length, p, call.hasX, call.hasY, {}, {}};
    KERNELS<T>[op](draw, i, 1, call.hasX ? static_cast<const T*>(x) : nullptr,
                   call.hasY ? static_cast<const T*>(y) : nullptr, static_cast<T*>(z));
  });
}

}  // namespace sd::loops
