// logistic: z = y * x * (1 - x), an operator registered as an operation.
#include <ops/declarable/RegisterOperator.h>

template <typename T>
struct Logistic {
  static constexpr const char* formula = "y * x * (1 - x)";
  static constexpr bool isVectorizable = true;  // T may be a SIMD batch
  static T op(T x, T y) { return y * x * (sd::math::constant<T>(1) - x); }
};

SD_REGISTER_OPERATOR(logistic, Logistic)
