// Gradients of the arithmetic operations: the gradient of z times the derivative with respect to the input, summed over
// the dimensions along which the input was broadcast. All products are computed before the sums.
// operations: add_bp subtract_bp reversesubtract_bp assign_bp mod_bp reversemod_bp floordiv_bp multiply_bp divide_bp
// operations: realdiv_bp reversedivide_bp squaredsubtract_bp maximum_bp minimum_bp floormod_bp Pow_bp
// calls: Log Neg Pow
#include <ops/declarable/headers/broadcastable.h>

#include <cmath>
#include <memory>

#include <execution/Parallel.h>

#include <loops/RunInfo.h>

#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/constant_gradient.h"
#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

void describe(Schema& schema, const char* summary, const char* formula, const char* forward, GradientFunction rule) {
  schema.summary(summary).formula(formula);
  schema.input("x", "any shape");
  schema.input("y", "a shape that broadcasts with x");
  schema.input(
      "gradZ",
      "the gradient of z, as many elements, a float type; with x and y of one shape also [] or [1], a constant");
  schema.output("gradX", "the shape of x; a float type");
  schema.output("gradY", "the shape of y; a float type");
  schema.inputTypes({ALL_FLOATS, ALL_INTS, BOOL}).outputTypes({ALL_FLOATS}).infer(inferLikeFirstTwo);
  if (rule != nullptr)
    schema.gradient(rule);
  else
    schema.notDifferentiable(CONSTANT_RESULT);
  schema.example(R"({"x": [4.0, 2.0], "y": [2.0, 2.0], "gradZ": [1.0, 10.0]})").see(forward);
}

/// Checks that gradZ has as many elements as the broadcast of x and y, or may be a constant, and returns that shape.
Dims checked(const NDArray& x, const NDArray& y, const NDArray& gradZ) {
  const LongType* info = nullptr;
  const LongType* broadcast = ShapeUtils::evalBroadcastShapeInfo(x, y, true, info, nullptr) ? info : nullptr;
  if (broadcast == nullptr) reject("shapes {} and {} do not broadcast", text(x), text(y));
  const bool isConstant =
      x.isSameShape(y) && isConstantGradient(PartialShape::of(gradZ.shapeInfo()), PartialShape::of(broadcast));
  if (gradZ.lengthOf() != shape::length(broadcast) && !isConstant)
    reject("input 2 'gradZ': its shape is {}, but the result has shape {}", text(gradZ), text(broadcast));
  if (!gradZ.isR())
    reject("input 2 'gradZ': type {} is not a floating-point type", DataTypeUtils::describe(gradZ.dataType()));
  return dimsOf(broadcast);
}

/// target = factor * values, summed to target's shape; factor is -1, 0 or 1.
void scaledSum(int factor, const NDArray& values, NDArray& target) {
  if (factor == 0) return target.nullify();
  sumTo(values, target);
  if (factor < 0 && !target.isEmpty()) target.applyTransform(transform::Neg, target);
}

Status linear(graph::Context& block, int byX, int byY, NDArray& gradX, NDArray& gradY) {
  const Dims dims = checked(*block.array(0), *block.array(1), *block.array(2));
  const NDArray gradZ = wholeGradient(*block.array(2), dims);
  const NDArray shaped = gradZ.isEmpty() ? gradZ : gradZ.reshape('c', dims);
  scaledSum(byX, shaped, gradX);
  scaledSum(byY, shaped, gradY);
  return Status::OK;
}

/// An input broadcast to the shape of z.
class Stretched {
 public:
  Stretched(const NDArray& array, DataType type, const Dims& dims) {
    LongType length = 1;
    for (LongType size : dims) length *= size;
    if (array.lengthOf() != length) {
      _stretched = std::make_unique<NDArray>(NDArray::uninitialized(type, 'c', static_cast<int>(dims.size()),
                                                                    dims.data(), LaunchContext::defaultContext()));
      if (length > 0) _stretched->assign(array);
    } else {
      _dense = std::make_unique<Dense>(array, type);
    }
  }
  template <typename T>
  const T* as() const {
    return _dense != nullptr ? _dense->as<T>() : _stretched->bufferAsT<T>();
  }

 private:
  std::unique_ptr<NDArray> _stretched;
  std::unique_ptr<Dense> _dense;
};

/// The products for one gradient, in the shape of z; commit() sums them to the shape of the gradient.
class Products {
 public:
  Products(NDArray& gradient, DataType type, const Dims& dims) : _gradient(gradient) {
    LongType length = 1;
    for (LongType size : dims) length *= size;
    if (gradient.lengthOf() == length)
      _direct = std::make_unique<DenseOut>(gradient, type);
    else
      _products = std::make_unique<NDArray>(NDArray::uninitialized(type, 'c', static_cast<int>(dims.size()),
                                                                   dims.data(), LaunchContext::defaultContext()));
  }
  template <typename T>
  T* as() {
    return _direct != nullptr ? _direct->as<T>() : _products->bufferAsT<T>();
  }
  void commit() {
    if (_direct != nullptr)
      _direct->commit();
    else
      sumTo(*_products, _gradient);
  }

 private:
  NDArray& _gradient;
  std::unique_ptr<DenseOut> _direct;
  std::unique_ptr<NDArray> _products;
};

template <typename Formula, typename T>
void products(const T* x, const T* y, const T* gradZ, T* byX, T* byY, LongType length) {
  constexpr LongType CHUNK = 4096;
  const int threads = execution::threadsFor(Formula::COST * static_cast<double>(length));
  execution::parallelFor((length + CHUNK - 1) / CHUNK, threads, [=](LongType start, LongType stop) {
    const LongType first = start * CHUNK, last = std::min(stop * CHUNK, length);
    if constexpr (requires { Formula::run(x, y, gradZ, byX, byY, last); }) {
      Formula::run(x + first, y + first, gradZ + first, byX + first, byY + first, last - first);
    } else {
      for (LongType i = first; i < last; i++) {
        byX[i] = Formula::byX(x[i], y[i], gradZ[i]);
        byY[i] = Formula::byY(x[i], y[i], gradZ[i]);
      }
    }
  });
}

template <typename Formula>
Status gradients(graph::Context& block, NDArray& gradX, NDArray& gradY) {
  const NDArray &x = *block.array(0), &y = *block.array(1);
  const Dims dims = checked(x, y, *block.array(2));
  const NDArray gradZ = wholeGradient(*block.array(2), dims);
  const DataType type = gradZ.dataType() == DOUBLE ? DOUBLE : FLOAT32;
  const Stretched wideX(x, type, dims), wideY(y, type, dims);
  const Dense wideGradZ(gradZ, type);
  Products byX(gradX, type, dims), byY(gradY, type, dims);
  if (gradZ.isEmpty()) {
    // Sums of nothing.
  } else if (type == DOUBLE) {
    products<Formula, double>(wideX.as<double>(), wideY.as<double>(), wideGradZ.as<double>(), byX.as<double>(),
                              byY.as<double>(), gradZ.lengthOf());
  } else {
    products<Formula, float>(wideX.as<float>(), wideY.as<float>(), wideGradZ.as<float>(), byX.as<float>(),
                             byY.as<float>(), gradZ.lengthOf());
  }
  byX.commit();
  byY.commit();
  return Status::OK;
}

}  // namespace

// RULE: of its own gradient; nullptr when its results are constant
#define SD_GRADIENT_OP(NAME, FORMULA, RULE, CALL)               \
  CUSTOM_OP_IMPL(NAME##_bp, 3, 2, false, 0, 0) { return CALL; } \
  INFERRED_SHAPES(NAME##_bp)                                    \
  DECLARE_SCHEMA(NAME##_bp) { describe(schema, "The gradients of " #NAME ".", FORMULA, #NAME, RULE); }

// name, formula, the factors of gradZ in the two gradients
#define SD_LINEAR_GRADIENT(NAME, FORMULA, BY_X, BY_Y)                                  \
  SD_GRADIENT_OP(NAME, FORMULA, BY_X == 0 && BY_Y == 0 ? nullptr : linearBackwardRule, \
                 linear(block, BY_X, BY_Y, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1)))

SD_LINEAR_GRADIENT(add, "gradX = gradZ, gradY = gradZ", 1, 1)
SD_LINEAR_GRADIENT(subtract, "gradX = gradZ, gradY = -gradZ", 1, -1)
SD_LINEAR_GRADIENT(reversesubtract, "gradX = -gradZ, gradY = gradZ", -1, 1)
SD_LINEAR_GRADIENT(assign, "gradX = 0, gradY = gradZ", 0, 1)
SD_LINEAR_GRADIENT(mod, "gradX = 0, gradY = 0", 0, 0)
SD_LINEAR_GRADIENT(reversemod, "gradX = 0, gradY = 0", 0, 0)
SD_LINEAR_GRADIENT(floordiv, "gradX = 0, gradY = 0", 0, 0)

// name, formula, nanoseconds per element, the terms of both gradients from values x, y and gradZ of type T
#define SD_GRADIENT(NAME, FORMULA, WORK, BY_X, BY_Y)                    \
  namespace {                                                           \
  struct NAME##_terms {                                                 \
    static constexpr double COST = WORK;                                \
    template <typename T>                                               \
    static T byX([[maybe_unused]] T x, [[maybe_unused]] T y, T gradZ) { \
      return BY_X;                                                      \
    }                                                                   \
    template <typename T>                                               \
    static T byY([[maybe_unused]] T x, [[maybe_unused]] T y, T gradZ) { \
      return BY_Y;                                                      \
    }                                                                   \
  };                                                                    \
  }                                                                     \
  SD_GRADIENT_OP(NAME, FORMULA, backwardRule, gradients<NAME##_terms>(block, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1)))

SD_GRADIENT(multiply, "gradX = gradZ * y, gradY = gradZ * x", 0.5, gradZ* y, gradZ* x)
SD_GRADIENT(divide, "gradX = gradZ / y, gradY = -gradZ * x / y^2", 1, gradZ / y, -gradZ*(x / y) / y)
SD_GRADIENT(realdiv, "gradX = gradZ / y, gradY = -gradZ * x / y^2", 1, gradZ / y, -gradZ*(x / y) / y)
SD_GRADIENT(reversedivide, "gradX = -gradZ * y / x^2, gradY = gradZ / x", 1, -gradZ*(y / x) / x, gradZ / x)
SD_GRADIENT(squaredsubtract, "gradX = 2 * gradZ * (x - y), gradY = 2 * gradZ * (y - x)", 0.5, 2 * gradZ * (x - y),
            2 * gradZ * (y - x))
SD_GRADIENT(maximum, "gradX = gradZ where x >= y, else 0; gradY = gradZ where x <= y, else 0", 0.5, x >= y ? gradZ : 0,
            x <= y ? gradZ : 0)
SD_GRADIENT(minimum, "gradX = gradZ where x <= y, else 0; gradY = gradZ where x >= y, else 0", 0.5, x <= y ? gradZ : 0,
            x >= y ? gradZ : 0)
SD_GRADIENT(floormod, "gradX = gradZ, gradY = -gradZ * floor(x / y)", 1, gradZ, -gradZ* std::floor(x / y))

namespace {

/// Computes powers and logarithms with the vector functions, in tiles that stay in the caches and are long enough for
/// the calls not to count.
struct PowTerms {
  static constexpr double COST = 2;
  template <typename T>
  static void run(const T* x, const T* y, const T* gradZ, T* byX, T* byY, LongType length) {
    constexpr LongType TILE = 8192 / sizeof(T);
    T exponent[TILE], reduced[TILE], full[TILE], logarithm[TILE];
    for (LongType start = 0; start < length; start += TILE) {
      const LongType n = std::min(TILE, length - start);
      const loops::RunInfo info(std::is_same_v<T, double> ? DOUBLE : FLOAT32, n);
      for (LongType i = 0; i < n; i++) exponent[i] = y[start + i] - 1;
      loops::pairwise(loops::OpGroup::Pairwise, pairwise::Pow, {x + start, info}, {exponent, info}, {reduced, info});
      loops::pairwise(loops::OpGroup::Pairwise, pairwise::Pow, {x + start, info}, {y + start, info}, {full, info});
      loops::transform(loops::OpGroup::TransformStrict, transform::Log, {x + start, info}, {logarithm, info});
      // Where y is 0 the power is constant, and where x is not positive there is no derivative with respect to y. The
      // products have loops to themselves: combined with the selections the compiler generates branches.
      const T *ys = y + start, *xs = x + start, *gs = gradZ + start;
      for (LongType i = 0; i < n; i++) reduced[i] *= gs[i] * ys[i];
      for (LongType i = 0; i < n; i++) full[i] *= gs[i] * logarithm[i];
      for (LongType i = 0; i < n; i++) byX[start + i] = ys[i] == 0 ? T(0) : reduced[i];
      for (LongType i = 0; i < n; i++) byY[start + i] = xs[i] > 0 ? full[i] : T(0);
    }
  }
};

}  // namespace
SD_GRADIENT_OP(Pow, "gradX = gradZ * y * x^(y - 1), gradY = gradZ * x^y * ln(x), 0 for x <= 0", backwardRule,
               gradients<PowTerms>(block, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1)))

}  // namespace sd::ops
