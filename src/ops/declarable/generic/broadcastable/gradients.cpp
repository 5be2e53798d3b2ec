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

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

ShapeList* gradientShapes(const ShapeList& inputs) { return shapes(like(inputs.at(0)), like(inputs.at(1))); }

void describe(OpDescriptor* descriptor, const char* formula) {
  descriptor->setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The gradients of the operation of the same name.",
                  .formula = formula,
                  .inputs = "x: any shape\ny: a shape that broadcasts with x\neps: the gradient of z",
                  .outputs = "gradX: the shape of x\ngradY: the shape of y"});
}

/// Checks that eps has the broadcast shape of x and y, and returns that shape.
Dims checked(const NDArray& x, const NDArray& y, const NDArray& eps) {
  const LongType* info = nullptr;
  const LongType* broadcast = ShapeUtils::evalBroadcastShapeInfo(x, y, true, info, nullptr) ? info : nullptr;
  if (broadcast == nullptr) reject("shapes {} and {} do not broadcast", text(x), text(y));
  if (eps.lengthOf() != shape::length(broadcast))
    reject("input 2 'eps': its shape is {}, but the result has shape {}", text(eps), text(broadcast));
  if (!eps.isR())
    reject("input 2 'eps': type {} is not a floating-point type", DataTypeUtils::describe(eps.dataType()));
  return dimsOf(broadcast);
}

/// target = factor * values, summed to target's shape; factor is -1, 0 or 1.
void scaledSum(int factor, const NDArray& values, NDArray& target) {
  if (factor == 0) return target.nullify();
  sumTo(values, target);
  if (factor < 0 && !target.isEmpty()) target.applyTransform(transform::Neg, target);
}

Status linear(graph::Context& block, int byX, int byY, NDArray& gradX, NDArray& gradY) {
  const NDArray& eps = *block.array(2);
  const Dims dims = checked(*block.array(0), *block.array(1), eps);
  const NDArray shaped = eps.isEmpty() ? eps : eps.reshape('c', dims);
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
void products(const T* x, const T* y, const T* eps, T* byX, T* byY, LongType length) {
  constexpr LongType CHUNK = 4096;
  const int threads = execution::threadsFor(Formula::COST * static_cast<double>(length));
  execution::parallelFor((length + CHUNK - 1) / CHUNK, threads, [=](LongType start, LongType stop) {
    const LongType first = start * CHUNK, last = std::min(stop * CHUNK, length);
    if constexpr (requires { Formula::run(x, y, eps, byX, byY, last); }) {
      Formula::run(x + first, y + first, eps + first, byX + first, byY + first, last - first);
    } else {
      for (LongType i = first; i < last; i++) {
        byX[i] = Formula::byX(x[i], y[i], eps[i]);
        byY[i] = Formula::byY(x[i], y[i], eps[i]);
      }
    }
  });
}

template <typename Formula>
Status gradients(graph::Context& block, NDArray& gradX, NDArray& gradY) {
  const NDArray &x = *block.array(0), &y = *block.array(1), &eps = *block.array(2);
  const Dims dims = checked(x, y, eps);
  const DataType type = eps.dataType() == DOUBLE ? DOUBLE : FLOAT32;
  const Stretched wideX(x, type, dims), wideY(y, type, dims);
  const Dense wideEps(eps, type);
  Products byX(gradX, type, dims), byY(gradY, type, dims);
  if (eps.isEmpty()) {
    // Sums of nothing.
  } else if (type == DOUBLE) {
    products<Formula, double>(wideX.as<double>(), wideY.as<double>(), wideEps.as<double>(), byX.as<double>(),
                              byY.as<double>(), eps.lengthOf());
  } else {
    products<Formula, float>(wideX.as<float>(), wideY.as<float>(), wideEps.as<float>(), byX.as<float>(),
                             byY.as<float>(), eps.lengthOf());
  }
  byX.commit();
  byY.commit();
  return Status::OK;
}

}  // namespace

#define SD_GRADIENT_OP(NAME, FORMULA, CALL)                      \
  CUSTOM_OP_IMPL(NAME, 3, 2, false, 0, 0) { return CALL; }       \
  DECLARE_SHAPE_FN(NAME) { return gradientShapes(*inputShape); } \
  DECLARE_TYPES(NAME) { describe(getOpDescriptor(), FORMULA); }

// name, formula, the factors of eps in the two gradients
#define SD_LINEAR_GRADIENT(NAME, FORMULA, BY_X, BY_Y) \
  SD_GRADIENT_OP(NAME, FORMULA, linear(block, BY_X, BY_Y, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1)))

SD_LINEAR_GRADIENT(add_bp, "gradX = eps, gradY = eps", 1, 1)
SD_LINEAR_GRADIENT(subtract_bp, "gradX = eps, gradY = -eps", 1, -1)
SD_LINEAR_GRADIENT(reversesubtract_bp, "gradX = -eps, gradY = eps", -1, 1)
SD_LINEAR_GRADIENT(assign_bp, "gradX = 0, gradY = eps", 0, 1)
SD_LINEAR_GRADIENT(mod_bp, "gradX = 0, gradY = 0", 0, 0)
SD_LINEAR_GRADIENT(reversemod_bp, "gradX = 0, gradY = 0", 0, 0)
SD_LINEAR_GRADIENT(floordiv_bp, "gradX = 0, gradY = 0", 0, 0)

// name, formula, nanoseconds per element, the terms of both gradients from values x, y and eps of type T
#define SD_GRADIENT(NAME, FORMULA, WORK, BY_X, BY_Y)                  \
  namespace {                                                         \
  struct NAME##_terms {                                               \
    static constexpr double COST = WORK;                              \
    template <typename T>                                             \
    static T byX([[maybe_unused]] T x, [[maybe_unused]] T y, T eps) { \
      return BY_X;                                                    \
    }                                                                 \
    template <typename T>                                             \
    static T byY([[maybe_unused]] T x, [[maybe_unused]] T y, T eps) { \
      return BY_Y;                                                    \
    }                                                                 \
  };                                                                  \
  }                                                                   \
  SD_GRADIENT_OP(NAME, FORMULA, gradients<NAME##_terms>(block, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1)))

SD_GRADIENT(multiply_bp, "gradX = eps * y, gradY = eps * x", 0.5, eps* y, eps* x)
SD_GRADIENT(divide_bp, "gradX = eps / y, gradY = -eps * x / y^2", 1, eps / y, -eps*(x / y) / y)
SD_GRADIENT(realdiv_bp, "gradX = eps / y, gradY = -eps * x / y^2", 1, eps / y, -eps*(x / y) / y)
SD_GRADIENT(reversedivide_bp, "gradX = -eps * y / x^2, gradY = eps / x", 1, -eps*(y / x) / x, eps / x)
SD_GRADIENT(squaredsubtract_bp, "gradX = 2 * eps * (x - y), gradY = 2 * eps * (y - x)", 0.5, 2 * eps * (x - y),
            2 * eps * (y - x))
SD_GRADIENT(maximum_bp, "gradX = eps where x >= y, gradY = eps where x <= y; else 0", 0.5, x >= y ? eps : 0,
            x <= y ? eps : 0)
SD_GRADIENT(minimum_bp, "gradX = eps where x <= y, gradY = eps where x >= y; else 0", 0.5, x <= y ? eps : 0,
            x >= y ? eps : 0)
SD_GRADIENT(floormod_bp, "gradX = eps, gradY = -eps * floor(x / y)", 1, eps, -eps* std::floor(x / y))

namespace {

/// Computes powers and logarithms with the vector functions, in tiles that stay in the L1 cache.
struct PowTerms {
  static constexpr double COST = 2;
  template <typename T>
  static void run(const T* x, const T* y, const T* eps, T* byX, T* byY, LongType length) {
    constexpr LongType TILE = 512;
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
      const T *ys = y + start, *xs = x + start, *gs = eps + start;
      for (LongType i = 0; i < n; i++) reduced[i] *= gs[i] * ys[i];
      for (LongType i = 0; i < n; i++) full[i] *= gs[i] * logarithm[i];
      for (LongType i = 0; i < n; i++) byX[start + i] = ys[i] == 0 ? T(0) : reduced[i];
      for (LongType i = 0; i < n; i++) byY[start + i] = xs[i] > 0 ? full[i] : T(0);
    }
  }
};

}  // namespace
SD_GRADIENT_OP(Pow_bp, "gradX = eps * y * x^(y - 1), gradY = eps * x^y * ln(x), 0 for x <= 0",
               gradients<PowTerms>(block, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1)))

}  // namespace sd::ops
