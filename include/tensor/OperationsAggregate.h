// Ready-made operations: sums, products, minima and maxima, searches.
#ifndef NDFORGE_TENSOR_OPERATIONSAGGREGATE_H
#define NDFORGE_TENSOR_OPERATIONSAGGREGATE_H

#include <tensor/OperationsArithmetic.h>

SD_TENSOR_BEGIN

/// Defines a function that is an aggregation: NAME(x), or NAME(x, y) with a transform of two operands.
#define SD_TENSOR_AGGREGATE(NAME, KIND, ...) \
  template <SpanSource X>                    \
  auto NAME(const X& x) {                    \
    return KIND<__VA_ARGS__>(x);             \
  }
#define SD_TENSOR_AGGREGATE_PAIR(NAME, ...) \
  template <SpanSource X, Operand Y>        \
  auto NAME(const X& x, const Y& y) {       \
    return aggregate<__VA_ARGS__>(x, y);    \
  }

SD_TENSOR_AGGREGATE(sum, aggregate, simdOps::Sum)
SD_TENSOR_AGGREGATE(sum2D, aggregate2D, simdOps::Sum)
SD_TENSOR_AGGREGATE(sum3D, aggregate3D, simdOps::Sum)
SD_TENSOR_AGGREGATE(sum4D, aggregate4D, simdOps::Sum)
SD_TENSOR_AGGREGATE(product, aggregate, simdOps::Prod)
SD_TENSOR_AGGREGATE(product2D, aggregate2D, simdOps::Prod)
SD_TENSOR_AGGREGATE(product3D, aggregate3D, simdOps::Prod)
SD_TENSOR_AGGREGATE(product4D, aggregate4D, simdOps::Prod)
SD_TENSOR_AGGREGATE(average, aggregate, simdOps::Mean)  ///< NaN without elements; floating point for integers
SD_TENSOR_AGGREGATE(average2D, aggregate2D, simdOps::Mean)
SD_TENSOR_AGGREGATE(average3D, aggregate3D, simdOps::Mean)
SD_TENSOR_AGGREGATE(average4D, aggregate4D, simdOps::Mean)
SD_TENSOR_AGGREGATE(sumOfSquares, aggregate, simdOps::Square, simdOps::Sum)
SD_TENSOR_AGGREGATE(sumOfMagnitudes, aggregate, simdOps::ASum)
SD_TENSOR_AGGREGATE(norm, aggregate, simdOps::Norm2)                               ///< sqrt(sum of x^2)
SD_TENSOR_AGGREGATE_PAIR(dot, simdOps::Multiply, simdOps::Sum)                     ///< sum of x * y
SD_TENSOR_AGGREGATE_PAIR(squaredDistance, simdOps::SquaredSubtract, simdOps::Sum)  ///< sum of (x - y)^2
SD_TENSOR_AGGREGATE_PAIR(productOfSums, simdOps::Add, simdOps::Prod)               ///< product of x + y
SD_TENSOR_AGGREGATE_PAIR(productOfDifferences, simdOps::Subtract, simdOps::Prod)   ///< product of x - y

SD_TENSOR_AGGREGATE(maximum, aggregate, simdOps::Max)                           ///< NaN if any is NaN
SD_TENSOR_AGGREGATE(minimum, aggregate, simdOps::Min)                           ///< NaN if any is NaN
SD_TENSOR_AGGREGATE(maximumNumber, aggregateNumber, simdOps::Max)               ///< NaN is skipped
SD_TENSOR_AGGREGATE(minimumNumber, aggregateNumber, simdOps::Min)               ///< NaN is skipped
SD_TENSOR_AGGREGATE(maximumMagnitude, aggregate, simdOps::AMax)                 ///< the largest |x|; NaN if any is NaN
SD_TENSOR_AGGREGATE(minimumMagnitude, aggregate, simdOps::AMin)                 ///< the smallest |x|; NaN if any is NaN
SD_TENSOR_AGGREGATE(maximumMagnitudeNumber, aggregateNumber, simdOps::AMax)     ///< the largest |x|; NaN is skipped
SD_TENSOR_AGGREGATE(minimumMagnitudeNumber, aggregateNumber, simdOps::AMin)     ///< the smallest |x|; NaN is skipped
SD_TENSOR_AGGREGATE(minimumAndMaximum, aggregate2, simdOps::Min, simdOps::Max)  ///< {minimum, maximum}

SD_TENSOR_AGGREGATE(indexOfMaximum, indexOfAggregate, simdOps::Max)              ///< of the first NaN if there is one
SD_TENSOR_AGGREGATE(indexOfMinimum, indexOfAggregate, simdOps::Min)              ///< of the first NaN if there is one
SD_TENSOR_AGGREGATE(indexOfMaximumNumber, indexOfAggregateNumber, simdOps::Max)  ///< NaN is skipped
SD_TENSOR_AGGREGATE(indexOfMinimumNumber, indexOfAggregateNumber, simdOps::Min)  ///< NaN is skipped
SD_TENSOR_AGGREGATE(indexOfMaximumMagnitude, indexOfAggregate, simdOps::AMax)
SD_TENSOR_AGGREGATE(indexOfMinimumMagnitude, indexOfAggregate, simdOps::AMin)
SD_TENSOR_AGGREGATE(indexOfMaximumMagnitudeNumber, indexOfAggregateNumber, simdOps::AMax)
SD_TENSOR_AGGREGATE(indexOfMinimumMagnitudeNumber, indexOfAggregateNumber, simdOps::AMin)
#undef SD_TENSOR_AGGREGATE
#undef SD_TENSOR_AGGREGATE_PAIR

/// Defines firstNAME(x, y), the first element for which this comparison with y holds, and indexOfFirstNAME(x, y).
#define SD_TENSOR_SEARCH(NAME)                                \
  template <SpanSource X, Operand Y>                          \
  auto first##NAME(const X& x, const Y& y) {                  \
    return first<simdOps::NAME>(x, y);                        \
  }                                                           \
  template <SpanSource X, Operand Y>                          \
  std::ptrdiff_t indexOfFirst##NAME(const X& x, const Y& y) { \
    return indexOfFirst<simdOps::NAME>(x, y);                 \
  }
SD_TENSOR_SEARCH(EqualTo)
SD_TENSOR_SEARCH(NotEqualTo)
SD_TENSOR_SEARCH(GreaterThan)
SD_TENSOR_SEARCH(GreaterThanOrEqual)
SD_TENSOR_SEARCH(LessThan)
SD_TENSOR_SEARCH(LessThanOrEqual)
#undef SD_TENSOR_SEARCH

/// Whether an element is equal to the value.
template <SpanSource X, ScalarSource V>
bool contains(const X& x, V value) {
  return indexOfFirst<simdOps::EqualTo>(x, value) >= 0;
}

SD_TENSOR_END

#endif
