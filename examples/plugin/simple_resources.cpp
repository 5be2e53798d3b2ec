// Simple operations that need temp space, random numbers, or a shape function.
#include <ops/simple/SimpleOp.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

using namespace sd;
using namespace sd::ops;

namespace {

LongType rowLength(const InputView& x) { return x.rank() == 0 ? 1 : x.size(-1); }

// ---- softmax of rows, with the exponentials and their sums in temp space

void softmax(const InputView& src, const EnvArguments& env, OutputView out, OpReqType req, graph::Context&) {
  const LongType n = src.length(), columns = rowLength(src), rows = n / columns;
  SD_FLOAT_SWITCH(out.type(), T, {
    using W = std::conditional_t<sizeof(T) == 2, float, T>;
    const auto x = src.as<T>();
    W* const powers = env.resource[0].space<W>(n + rows).data();
    W* const sums = powers + n;
    for (LongType r = 0; r < rows; r++) {
      const T* const row = x.data() + r * columns;
      const auto largest = static_cast<W>(*std::max_element(row, row + columns));
      sums[r] = 0;
      for (LongType c = 0; c < columns; c++)
        sums[r] += powers[r * columns + c] = std::exp(static_cast<W>(row[c]) - largest);
    }
    ASSIGN_DISPATCH(out.as<T>(), req, [=](LongType i) { return powers[i] / sums[i / columns]; });
  })
}

/// gradX = z * (g - sum of g z), the sum along the row
void softmaxGradient(const OutputGrad& outGrad, const OutputValue& outValue, const EnvArguments& env, OutputView grad,
                     OpReqType req, graph::Context&) {
  const LongType columns = rowLength(outGrad), rows = outGrad.length() / columns;
  SD_FLOAT_SWITCH(outGrad.type(), T, {
    const auto g = outGrad.as<T>();
    const auto z = outValue.as<T>();
    const auto sums = env.resource[0].space<T>(rows);
    for (LongType r = 0; r < rows; r++) {
      sums[r] = static_cast<T>(0);
      for (LongType i = r * columns; i < (r + 1) * columns; i++) sums[r] = sums[r] + g[i] * z[i];
    }
    ASSIGN_DISPATCH(grad.as<T>(), req, [=](LongType i) -> T { return z[i] * (g[i] - sums[i / columns]); });
  })
}

// ---- dropout: each element is kept with a probability, the scalar, and divided by it

void dropout(const InputView& src, const EnvArguments& env, OutputView out, OpReqType req, graph::Context&) {
  const graph::RandomGenerator generator = env.resource[0].generator();
  const auto keep = static_cast<float>(env.scalar);
  SD_FLOAT_SWITCH(out.type(), T, {
    const auto x = src.as<T>();
    const T zero = static_cast<T>(0), factor = static_cast<T>(1 / env.scalar);
    ASSIGN_DISPATCH(out.as<T>(), req,
                    [=](LongType i) -> T { return generator.relativeT<float>(i) < keep ? x[i] * factor : zero; });
  })
}

/// The result tells what was kept. Elements that were 0 before count as dropped.
void dropoutGradient(const OutputGrad& outGrad, const OutputValue& outValue, const EnvArguments& env, OutputView grad,
                     OpReqType req, graph::Context&){
    SD_FLOAT_SWITCH(outGrad.type(), T,
                    {
                      const auto g = outGrad.as<T>();
                      const auto z = outValue.as<T>();
                      const T zero = static_cast<T>(0), factor = static_cast<T>(1 / env.scalar);
                      ASSIGN_DISPATCH(grad.as<T>(), req,
                                      [=](LongType i) -> T { return z[i] == zero ? zero : g[i] * factor; });
                    })}

// ---- the sum of each row: the result has another shape

PartialShape withoutLast(const PartialShape& src, const EnvArguments&) {
  if (!src.hasRank() || src.rank() == 0) return src;
  return {src.type(), src.begin(), static_cast<size_t>(src.rank() - 1), 'c'};
}

void rowSum(const InputView& src, const EnvArguments&, OutputView out, OpReqType req, graph::Context&) {
  const LongType columns = rowLength(src);
  SD_FLOAT_SWITCH(out.type(), T, {
    const auto x = src.as<T>();
    ASSIGN_DISPATCH(out.as<T>(), req, [=](LongType r) -> T {
      T sum = static_cast<T>(0);
      for (LongType c = 0; c < columns; c++) sum = sum + x[r * columns + c];
      return sum;
    });
  })
}

void rowSumGradient(const OutputGrad& outGrad, const EnvArguments&, OutputView grad, OpReqType req, graph::Context&) {
  const LongType columns = rowLength(grad);
  SD_FLOAT_SWITCH(outGrad.type(), T, {
    const auto g = outGrad.as<T>();
    ASSIGN_DISPATCH(grad.as<T>(), req, [=](LongType i) -> T { return g[i / columns]; });
  })
}

}  // namespace

SD_REGISTER_SIMPLE_OP(simple_softmax)
    .set_function(softmax, kInplaceInOut)
    .set_gradient(softmaxGradient, kInplaceOutIn)
    .set_resource_request(kTempSpace)
    .describe("The softmax of each row.");

SD_REGISTER_SIMPLE_OP(simple_dropout)
    .set_function(dropout, kInplaceInOut)
    .set_gradient(dropoutGradient, kInplaceOutIn)
    .set_enable_scalar(true)
    .set_resource_request(kRandom)
    .describe("Sets elements to 0 at random and scales the others.");

SD_REGISTER_SIMPLE_OP(simple_row_sum)
    .set_shape_function(withoutLast)
    .set_function(rowSum)
    .set_gradient(rowSumGradient)
    .describe("The sum of each row.");
