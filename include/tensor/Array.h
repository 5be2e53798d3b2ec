// Fused operators on NDArray: any strides and types, and shapes that broadcast.
//
// Numbered operations run on the library's kernels. Other operators are compiled here for the types in which they can
// compute; the library plans the loops, converts elements and splits the work over threads.
#ifndef NDFORGE_TENSOR_ARRAY_H
#define NDFORGE_TENSOR_ARRAY_H

#include <array/NDArray.h>
#include <loops/Fused.h>
#include <tensor/Aggregate.h>
#include <tensor/Numbers.h>

SD_TENSOR_BEGIN

namespace detail {

// ------------------------------------------------------------------------------------------------------ element-wise

template <typename C, int>
using Repeated = C;

template <template <typename...> class Op, typename C, int... K>
constexpr bool callableFor(std::integer_sequence<int, K...>) {
  return isCallable<Op<C>, C, Repeated<C, K>...>;
}

template <template <typename...> class Op, typename C, int Operands>
inline constexpr bool isCallableFor = callableFor<Op, C>(std::make_integer_sequence<int, Operands>());

template <template <typename...> class Op, typename C, int... K>
constexpr bool givesTruth(std::integer_sequence<int, K...>) {
  return std::is_same_v<ResultOf<Op<C>, C, Repeated<C, K>...>, bool>;
}

/// Whether an operator can compute in C.
template <template <typename...> class Op, typename C>
inline constexpr bool computesIn = std::is_floating_point_v<C> ? !integersOnly<Op>() : !floatsOnly<Op>();

template <template <typename...> class Op, typename C, int... K>
void runLoop(const void* const* in, void* z, LongType n, const void* params, std::integer_sequence<int, K...>) {
  using F = Op<C>;
  using Z = std::conditional_t<givesTruth<Op, C>(std::integer_sequence<int, K...>()), bool, C>;
  const auto length = static_cast<std::size_t>(n);
  const auto parameters = static_cast<const C*>(params);
  if constexpr (appliesVectors<Op, Z, Repeated<C, K>...>())
    applyVectors<Op, C>(static_cast<Z*>(z), length, parameters,
                        ArrayStream<C, Repeated<C, K>>{static_cast<const C*>(in[K])}...);
  else
    applyScalars<F, C>(static_cast<Z*>(z), length, parameters,
                       ArrayStream<C, Repeated<C, K>>{static_cast<const C*>(in[K])}...);
}

template <template <typename...> class Op, typename C, int Operands>
constexpr loops::FusedLoop loopFor() {
  if constexpr (computesIn<Op, C>) {
    static_assert(isCallableFor<Op, C, Operands>,
                  "sd::tensor: the operator has no static member 'op' for this number of arrays");
    return [](const void* const* in, void* z, LongType n, const void* params) {
      runLoop<Op, C>(in, z, n, params, std::make_integer_sequence<int, Operands>());
    };
  } else {
    return nullptr;
  }
}

template <typename F>
constexpr int divisorOf() {
  if constexpr (requires { F::divisor; })
    return F::divisor == simdOps::Divisor::X ? 0 : F::divisor == simdOps::Divisor::Y ? 1 : -1;
  else
    return -1;
}

template <typename F>
constexpr int costOf() {
  if constexpr (requires { F::cost; })
    return F::cost;
  else
    return 2;
}

template <template <typename...> class Op>
using AnyType = Op<std::conditional_t<integersOnly<Op>(), int32_t, float>>;

template <template <typename...> class Op, int Operands>
constexpr bool isTruth() {
  using C = std::conditional_t<integersOnly<Op>(), int32_t, float>;
  if constexpr (isCallableFor<Op, C, Operands>)
    return givesTruth<Op, C>(std::make_integer_sequence<int, Operands>());
  else
    return false;
}

template <template <typename...> class Op, int Operands, typename... C>
constexpr loops::FusedOp makeFusedOp(loops::TypeList<C...>) {
  return {"apply",
          Operands,
          isTruth<Op, Operands>(),
          floatsOnly<Op>(),
          divisorOf<AnyType<Op>>(),
          costOf<AnyType<Op>>(),
          {loopFor<Op, C, Operands>()...}};
}

template <template <typename...> class Op, int Operands>
inline constexpr loops::FusedOp fusedOp = makeFusedOp<Op, Operands>(loops::ComputeTypes());

inline loops::In input(const NDArray& x) { return {x.buffer(), x.shapeInfo()}; }
inline loops::Out output(NDArray& z) { return {z.buffer(), z.shapeInfo()}; }

/// The four parameters of an operator, checked.
template <typename F>
ParameterValues<F, double> checkedParameters(const Parameters& given) {
  return ParameterValues<F, double>(given);
}

/// Runs a numbered transform if there is one for these types.
template <template <typename...> class Op>
bool applyNumbered([[maybe_unused]] const NDArray& x, [[maybe_unused]] NDArray& z) {
  using loops::OpGroup;
  if constexpr (!takesParameters<AnyType<Op>>()) {
    if (!x.isSameShape(z)) return false;
    constexpr int same = transformSameNumber<Op>(), strict = transformStrictNumber<Op>(),
                  real = transformFloatNumber<Op>(), truth = transformBoolNumber<Op>();
    const auto run = [&](OpGroup group, int number) {
      loops::transform(group, number, input(x), output(z));
      return true;
    };
    if (same >= 0 && x.dataType() == z.dataType()) return run(OpGroup::TransformSame, same);
    if (strict >= 0 && x.isR() && x.dataType() == z.dataType()) return run(OpGroup::TransformStrict, strict);
    if (real >= 0 && z.isR() && x.dataType() == z.dataType()) return run(OpGroup::TransformFloat, real);
    if (truth >= 0 && z.dataType() == BOOL) return run(OpGroup::TransformBool, truth);
  }
  return false;
}

template <template <typename...> class Op>
bool applyNumbered([[maybe_unused]] const NDArray& x, [[maybe_unused]] const NDArray& y, [[maybe_unused]] NDArray& z) {
  using loops::OpGroup;
  if constexpr (!takesParameters<AnyType<Op>>()) {
    if (x.dataType() != y.dataType()) return false;
    constexpr int pair = pairwiseNumber<Op>(), truth = pairwiseBoolNumber<Op>(), bits = pairwiseIntNumber<Op>();
    const auto run = [&](OpGroup group, int number) {
      loops::trueBroadcast(group, number, input(x), input(y), output(z));
      return true;
    };
    if (pair >= 0 && x.dataType() == z.dataType()) return run(OpGroup::Pairwise, pair);
    if (truth >= 0 && z.dataType() == BOOL) return run(OpGroup::PairwiseBool, truth);
    if (bits >= 0 && x.dataType() == z.dataType()) return run(OpGroup::PairwiseInt, bits);
  }
  return false;
}

template <typename Y>
concept ArrayOperand = std::is_base_of_v<NDArray, std::remove_cvref_t<Y>>;

/// z = Op of the operands. If a composed operator might find a divisor of 0 midway, z is written only at the end.
template <template <typename...> class Op, int N>
void runFused(const loops::In (&in)[N], const NDArray& x, NDArray& z, const Parameters& parameters) {
  const auto values = checkedParameters<AnyType<Op>>(parameters);
  if constexpr (dividesInside<AnyType<Op>>()) {
    if (!x.isR()) {
      NDArray apart('c', z.getShapeAsVector(), z.dataType());
      loops::fused(fusedOp<Op, N>, in, output(apart), values.values);
      z.assign(apart);
      return;
    }
  }
  loops::fused(fusedOp<Op, N>, in, output(z), values.values);
}

/// A scalar operand is converted to the type of x.
template <typename Y>
decltype(auto) asArray(const NDArray& x, const Y& y) {
  if constexpr (ArrayOperand<Y>) {
    return (y);
  } else {
    NDArray value(x.dataType());
    value.assign(y);
    return value;
  }
}

}  // namespace detail

/// z = Op(x). z has the shape of x or a shape to which x broadcasts, and any type: see ComputeType. z may be x itself.
/// @throws std::invalid_argument for shapes, overlaps, parameters and integer divisors, sd::datatype_exception for
/// types; then nothing is written
template <template <typename...> class Op>
void apply(const NDArray& x, NDArray& z, const Parameters& parameters = {}) {
  if (detail::applyNumbered<Op>(x, z)) return;
  const loops::In in[] = {detail::input(x)};
  detail::runFused<Op>(in, x, z, parameters);
}

/// z = Op(x, y). x and y broadcast to z's shape; y is an array or a number, which takes x's type.
template <template <typename...> class Op, typename Y>
requires(detail::ArrayOperand<Y> || ScalarSource<Y>) void apply(const NDArray& x, const Y& y, NDArray& z,
                                                                const Parameters& parameters = {}) {
  decltype(auto) second = detail::asArray(x, y);
  if (detail::applyNumbered<Op>(x, second, z)) return;
  const loops::In in[] = {detail::input(x), detail::input(second)};
  detail::runFused<Op>(in, x, z, parameters);
}

/// z = Op(x, y, w).
template <template <typename...> class Op, typename Y, typename W>
requires((detail::ArrayOperand<Y> || ScalarSource<Y>)&&(detail::ArrayOperand<W> || ScalarSource<W>)) void apply(
    const NDArray& x, const Y& y, const W& w, NDArray& z, const Parameters& parameters = {}) {
  decltype(auto) second = detail::asArray(x, y);
  decltype(auto) third = detail::asArray(x, w);
  const loops::In in[] = {detail::input(x), detail::input(second), detail::input(third)};
  detail::runFused<Op>(in, x, z, parameters);
}

namespace detail {

// --------------------------------------------------------------------------------------------------------- reductions

/// The loops of a reduction of elements of type C, transformed by Op (simdOps::Identity: not transformed).
template <template <typename...> class Op, template <typename...> class A, typename C, bool Check>
struct ReduceLoops {
  static constexpr bool truth = std::is_same_v<std::remove_cvref_t<decltype(A<C>::startingValue())>, bool>;
  using Acc = std::conditional_t<truth, bool, std::conditional_t<std::is_same_v<C, float>, double, C>>;
  using J = A<std::conditional_t<truth, C, Acc>>;
  static constexpr bool check = Check && std::is_floating_point_v<C> && !truth && !propagatesNaN<A<C>>();

  static Acc join(Acc a, Acc b) {
    if constexpr (check) {
      if (a != a) return a;
      if (b != b) return b;
    }
    return J::update(a, b);
  }
  static auto value(const C* params, C x) {
    return Gathered<A, C, false>::contribution(params, call<Op<C>>(static_cast<const C*>(nullptr), x));
  }
  static void start(void* acc, LongType count) {
    for (LongType i = 0; i < count; i++) static_cast<Acc*>(acc)[i] = static_cast<Acc>(J::startingValue());
  }
  static void run(const void* data, LongType n, void* acc, const void* paramData) {
    const auto x = static_cast<const C*>(data);
    const auto params = static_cast<const C*>(paramData);
    const auto length = static_cast<std::size_t>(n);
    const auto values = transformed<Op, C>(ArrayStream<C, C>{x});
    using G = Gathered<A, C, check>;
    const auto result = [&] {
      if constexpr (gathersVectors<A, C, C>() && hasVectorForm<Op<C>, C>())
        return gatherVectors<G, Gathered<A, Lanes<C>, check>, C, 1>(values, length, params)[0];
      else
        return gatherScalars<G, 1>(values, length, params)[0];
    }();
    Acc part = static_cast<Acc>(result.value);
    if constexpr (check)
      if (result.nan) part = std::numeric_limits<Acc>::quiet_NaN();
    Acc& to = *static_cast<Acc*>(acc);
    to = join(to, part);
  }
  static void rows(const void* data, LongType rowCount, LongType rowStride, LongType columns, void* acc,
                   const void* paramData) {
    const auto params = static_cast<const C*>(paramData);
    const auto to = static_cast<Acc*>(acc);
    for (LongType r = 0; r < rowCount; r++) {
      const auto x = static_cast<const C*>(data) + r * rowStride;
      for (LongType c = 0; c < columns; c++) to[c] = join(to[c], static_cast<Acc>(value(params, x[c])));
    }
  }
  static void merge(void* acc, const void* other, LongType count) {
    for (LongType i = 0; i < count; i++)
      static_cast<Acc*>(acc)[i] = join(static_cast<Acc*>(acc)[i], static_cast<const Acc*>(other)[i]);
  }
  static void finish([[maybe_unused]] void* acc, [[maybe_unused]] LongType count, [[maybe_unused]] LongType n,
                     [[maybe_unused]] const void* paramData) {
    if constexpr (requires(Acc a, const Acc* p) { J::postProcess(a, n, p); }) {
      Acc params[4];
      for (int i = 0; i < 4; i++) params[i] = static_cast<Acc>(static_cast<const C*>(paramData)[i]);
      for (LongType i = 0; i < count; i++) {
        Acc& a = static_cast<Acc*>(acc)[i];
        a = J::postProcess(a, n, params);
      }
    }
  }
};

template <template <typename...> class Op, template <typename...> class A, typename C, bool Check>
constexpr loops::FusedReduceLoops reduceLoopsFor() {
  if constexpr (computesIn<Op, C> && computesIn<A, C>) {
    requireAggregation<A<C>, C>();
    requireOperator<Op<C>, C>();
    using R = ReduceLoops<Op, A, C, Check>;
    return {R::start, R::run, R::rows, R::merge, R::finish};
  } else {
    return {};
  }
}

template <template <typename...> class A>
constexpr bool isTruthReduction() {
  if constexpr (HasStartingValue<AnyType<A>>)
    return std::is_same_v<std::remove_cvref_t<decltype(AnyType<A>::startingValue())>, bool>;
  else
    return false;
}

template <template <typename...> class Op, template <typename...> class A, bool Check, typename... C>
constexpr loops::FusedReduction makeFusedReduction(loops::TypeList<C...>) {
  return {"aggregate",
          isTruthReduction<A>(),
          floatsOnly<Op>() || floatsOnly<A>(),
          costOf<AnyType<Op>>() + costOf<AnyType<A>>(),
          {reduceLoopsFor<Op, A, C, Check>()...}};
}

template <template <typename...> class Op, template <typename...> class A, bool Check>
inline constexpr loops::FusedReduction fusedReduction = makeFusedReduction<Op, A, Check>(loops::ComputeTypes());

/// An array for the result of a reduction of x.
inline NDArray reducedArray(const NDArray& x, const indexing::Dimensions& dims, DataType type, bool keepDims) {
  const int rank = x.rankOf();
  bool reduced[SD_MAX_RANK] = {};
  for (int axis : dims.asVector()) {
    if (axis < -rank || axis >= rank)
      throw std::invalid_argument("[aggregate] dimension " + std::to_string(axis) +
                                  " does not exist in an array of rank " + std::to_string(rank));
    reduced[axis < 0 ? axis + rank : axis] = true;
  }
  std::vector<LongType> shape;
  for (int d = 0; d < rank; d++) {
    if (!dims.asVector().empty() && !reduced[d])
      shape.push_back(x.sizeAt(d));
    else if (keepDims)
      shape.push_back(1);
  }
  return shape.empty() ? NDArray(type) : NDArray('c', shape, type);
}

template <template <typename...> class Op, template <typename...> class A>
DataType reducedType(const NDArray& x) {
  if (isTruthReduction<A>()) return BOOL;
  if (floatsOnly<Op>() || floatsOnly<A>()) return DataTypeUtils::pickFloatingType(x.dataType());
  return x.dataType() == BOOL ? INT64 : x.dataType();
}

inline loops::Axes axesOf(const indexing::Dimensions& dims) { return dims.asVector(); }

template <template <typename...> class Op, template <typename...> class A, bool Check>
NDArray aggregateArray(const NDArray& x, const indexing::Dimensions& dims, bool keepDims,
                       const Parameters& parameters) {
  NDArray z = reducedArray(x, dims, reducedType<Op, A>(x), keepDims);
  const auto values = checkedParameters<AnyType<A>>(parameters);
  loops::fusedReduce(fusedReduction<Op, A, Check>, input(x), output(z), axesOf(dims), values.values);
  return z;
}

/// Numbered reductions run on the library's kernels, except those that skip NaN if Check is set.
template <template <typename...> class A, bool Check>
NDArray aggregatePlainArray(const NDArray& x, const indexing::Dimensions& dims, bool keepDims,
                            const Parameters& parameters) {
  using loops::OpGroup;
  constexpr int same = reduceSameNumber<A>(), real = reduceFloatNumber<A>(), truth = reduceBoolNumber<A>(),
                count = reduceLongNumber<A>();
  const auto run = [&](OpGroup group, int number, DataType type) {
    NDArray z = reducedArray(x, dims, type, keepDims);
    loops::reduce(group, number, input(x), output(z), nullptr, axesOf(dims));
    return z;
  };
  if constexpr (!takesParameters<AnyType<A>>()) {
    if (count >= 0) return run(OpGroup::ReduceLong, count, INT64);
    if (truth >= 0) return run(OpGroup::ReduceBool, truth, BOOL);
    const bool asIs = !Check || propagatesNaN<AnyType<A>>() || !x.isR();
    if (real >= 0 && asIs) return run(OpGroup::ReduceFloat, real, DataTypeUtils::pickFloatingType(x.dataType()));
    if (same >= 0 && asIs && x.dataType() != BOOL) return run(OpGroup::ReduceSame, same, x.dataType());
  }
  if constexpr (HasStartingValue<AnyType<A>>)
    return aggregateArray<simdOps::Identity, A, Check>(x, dims, keepDims, parameters);
  else
    throw std::invalid_argument("[aggregate] the aggregation needs parameters, which arrays do not support");
}

}  // namespace detail

/// Aggregates the elements along dimensions (none: all of them). A NaN among them gives NaN. The result has the type of
/// x, a floating-point type for means and norms, BOOL for tests, INT64 for counts and for sums of BOOL.
/// @throws std::invalid_argument for dimensions and parameters, sd::datatype_exception for types
template <template <typename...> class A>
NDArray aggregate(const NDArray& x, const indexing::Dimensions& dims = {}, bool keepDims = false,
                  const Parameters& parameters = {}) {
  return detail::aggregatePlainArray<A, true>(x, dims, keepDims, parameters);
}

/// As above, for the transformed elements, which are not stored. If Op is a test, A counts.
template <template <typename...> class Op, template <typename...> class A>
NDArray aggregate(const NDArray& x, const indexing::Dimensions& dims = {}, bool keepDims = false) {
  if constexpr (detail::isTruth<Op, 1>()) {
    NDArray passed('c', x.getShapeAsVector(), BOOL);
    apply<Op>(x, passed);
    return detail::aggregatePlainArray<A, true>(passed, dims, keepDims, {});
  } else {
    return detail::aggregateArray<Op, A, true>(x, dims, keepDims, {});
  }
}

/// As aggregate, but does not check for NaN: the result is what A computes.
template <template <typename...> class A>
NDArray aggregateNumber(const NDArray& x, const indexing::Dimensions& dims = {}, bool keepDims = false,
                        const Parameters& parameters = {}) {
  return detail::aggregatePlainArray<A, false>(x, dims, keepDims, parameters);
}
template <template <typename...> class Op, template <typename...> class A>
NDArray aggregateNumber(const NDArray& x, const indexing::Dimensions& dims = {}, bool keepDims = false) {
  return detail::aggregateArray<Op, A, false>(x, dims, keepDims, {});
}

SD_TENSOR_END

#endif
