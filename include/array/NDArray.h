// NDArray: an n-dimensional array or a view of one. It has an interned shapeInfo (see helpers/shape.h), a shared buffer
// and the offset of its first element. Copying copies the elements; views (sub-arrays, permutations, most reshapes)
// share the buffer. Linear index i counts elements in c order (last dimension fastest), whatever the memory order and
// the strides.
// Several threads may read one array at once, create and destroy arrays and views, and write to views that have no
// elements in common. While a thread writes to an array's elements or changes its handle, no other thread may use them.
// An array takes its memory from the workspace of the thread that makes it.
//
// Errors are std::runtime_error (for types its subclass sd::datatype_exception), or std::invalid_argument where a
// comment says so. A call that throws has not written to its target.
#ifndef NDFORGE_ARRAY_NDARRAY_H
#define NDFORGE_ARRAY_NDARRAY_H

#include <array/ArrayElements.h>
#include <array/ArrayOptions.h>
#include <array/ConstantShapeBuffer.h>
#include <array/DataBuffer.h>
#include <array/DataType.h>
#include <array/DataTypeUtils.h>
#include <array/Dimensions.h>
#include <array/ExtraArguments.h>
#include <array/InteropDataBuffer.h>
#include <array/OpSelectors.h>
#include <array/ResultSet.h>
#include <array/ShapeDescriptor.h>
#include <execution/AffinityManager.h>
#include <execution/LaunchContext.h>
#include <graph/Intervals.h>
#include <helpers/ConstantHelper.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/PointersManager.h>
#include <helpers/ShapeBuilders.h>
#include <helpers/StringUtils.h>
#include <helpers/shape.h>
#include <indexing/IndicesList.h>
#include <indexing/NDIndex.h>
#include <legacy/NativeOpExecutioner.h>
#include <loops/summarystatsreduce.h>
#include <math/templatemath.h>
#include <memory/MemoryCounter.h>
#include <ops/BroadcastBoolOpsTuple.h>
#include <ops/BroadcastIntOpsTuple.h>
#include <ops/BroadcastOpsTuple.h>
#include <system/Environment.h>
#include <system/common.h>
#include <system/op_boilerplate.h>
#include <system/op_enums.h>

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace sd {

/// What array/Indexing.h and nd/array.h complete. Their plain names are apart from those of programs that have
/// `using namespace sd`.
namespace indexing {
class Index;
class Part;
class Selection;
}  // namespace indexing

namespace detail {

/// What selects from a dimension: an integer, an interval, and the constants of array/Indexing.h.
template <typename I>
inline constexpr bool isIndex = std::is_same_v<I, indexing::Index> ||
                                (std::is_integral_v<I> && !std::is_same_v<I, bool>);
template <typename I>
using IfIndex = std::enable_if_t<isIndex<I>, int>;
template <typename... I>
using IfIndices = std::enable_if_t<(sizeof...(I) > 0) && (isIndex<I> && ...), int>;

template <typename F>
struct IsStandardFunction : std::false_type {};
template <typename F>
struct IsStandardFunction<std::function<F>> : std::true_type {};
/// What can be called, but is no std::function.
template <typename F>
using IfFunctor = std::enable_if_t<!IsStandardFunction<F>::value, int>;

/// The encoding of a string type (or of a pointer to characters).
template <typename S>
constexpr DataType encodingOf() {
  constexpr size_t size = sizeof(std::declval<const S&>()[0]);
  return size == 1 ? UTF8 : size == 2 ? UTF16 : UTF32;
}

}  // namespace detail

class SD_LIB_EXPORT NDArray : public ArrayElements {
 public:
  // ---- construction

  /// No shape: shapeInfo() is nullptr. Only hasElements() may be called.
  NDArray();
  explicit NDArray(LaunchContext* context);

  /// Zeros. A shape of {} gives an empty array, and so does a shape that contains a 0; NDArray(dtype) makes a scalar.
  /// @throws std::invalid_argument for a rank above SD_MAX_RANK, std::runtime_error for negative sizes, a length that
  /// overflows, or an order other than 'c' and 'f'
  NDArray(char order, const std::vector<LongType>& shape, DataType dtype = DOUBLE,
          LaunchContext* context = LaunchContext::defaultContext());
  /// The same for vectors of int and for spans.
  template <typename R, detail::IfIntegers<R> = 0>
  NDArray(char order, const R& shape, DataType dtype = DOUBLE, LaunchContext* context = LaunchContext::defaultContext())
      : NDArray(order, detail::sizesOf(shape), dtype, context) {}

  /// Zeros in c order: NDArray({2, 3}, FLOAT32).
  NDArray(std::initializer_list<LongType> shape, DataType dtype,
          LaunchContext* context = LaunchContext::defaultContext())
      : NDArray('c', std::vector<LongType>(shape), dtype, context) {}

  /// Takes `data` in memory order: for `order` 'f' column by column. The values are converted to dtype. With a shape of
  /// {}, one value gives a scalar and no values give an empty array. @throws std::runtime_error when the number of
  /// values is not the length
  NDArray(char order, const std::vector<LongType>& shape, const std::vector<double>& data, DataType dtype = DOUBLE,
          LaunchContext* context = LaunchContext::defaultContext());

  /// A scalar 0, or an empty array of rank 0 when !isScalar.
  explicit NDArray(DataType dtype, LaunchContext* context = LaunchContext::defaultContext(), bool isScalar = true);

  /// Copies the elements into a contiguous array of the same order.
  NDArray(const NDArray& other);
  /// Takes the buffer; `other` is left without a shape.
  NDArray(NDArray&& other) noexcept;

  /// Zeros with the shape, order and type of `other`.
  explicit NDArray(const NDArray* other, bool copyStrides = false,
                   LaunchContext* context = LaunchContext::defaultContext());

  /// An array of this shape and type, filled with zeros unless nullify is false. Has the same strides if copyStrides.
  NDArray(const LongType* shapeInfo, bool copyStrides = false, LaunchContext* context = LaunchContext::defaultContext(),
          bool nullify = true);
  NDArray(const LongType* shapeInfo, DataType dtype, bool copyStrides = false,
          LaunchContext* context = LaunchContext::defaultContext(), bool nullify = true);

  /// Wraps the caller's memory, which must hold all elements that shape and strides reach. When isBuffAlloc, it is
  /// freed with delete[] (int8_t*). @throws std::runtime_error for a null buffer of an array that is not empty
  NDArray(void* buffer, LongType* shapeInfo, LaunchContext* context = LaunchContext::defaultContext(),
          bool isBuffAlloc = false);
  NDArray(void* buffer, const LongType* shapeInfo, LaunchContext* context = LaunchContext::defaultContext(),
          bool isBuffAlloc = false);
  NDArray(void* buffer, void* bufferD, const LongType* shapeInfo,
          LaunchContext* context = LaunchContext::defaultContext(), bool isBuffAlloc = false,
          bool isBuffDAlloc = false);
  NDArray(void* buffer, char order, const std::vector<LongType>& shape, DataType dtype,
          LaunchContext* context = LaunchContext::defaultContext(), bool isBuffAlloc = false);
  NDArray(void* buffer, char order, const std::vector<LongType>& shape, DataType dtype, LaunchContext* context,
          bool isBuffAlloc, bool isView, LongType offset);

  /// Shares a buffer; `offset` in elements. @throws std::runtime_error when the array would not fit into the buffer
  NDArray(std::shared_ptr<DataBuffer> buffer, const ShapeDescriptor& descriptor,
          LaunchContext* context = LaunchContext::defaultContext(), LongType offset = 0);
  /// As above, with the buffer's element type.
  NDArray(std::shared_ptr<DataBuffer> buffer, char order, const std::vector<LongType>& shape,
          LaunchContext* context = LaunchContext::defaultContext());
  NDArray(std::shared_ptr<DataBuffer> buffer, char order, const std::vector<LongType>& shape, DataType dtype,
          LaunchContext* context, bool isBuffAlloc, bool isView, LongType offset);

  /// A string scalar, transcoded to dtype.
  NDArray(const char* text, DataType dtype = UTF8, LaunchContext* context = LaunchContext::defaultContext());
  NDArray(const std::string& text, DataType dtype = UTF8, LaunchContext* context = LaunchContext::defaultContext());
  NDArray(const char16_t* text, DataType dtype = UTF16, LaunchContext* context = LaunchContext::defaultContext());
  NDArray(const std::u16string& text, DataType dtype = UTF16, LaunchContext* context = LaunchContext::defaultContext());
  NDArray(const char32_t* text, DataType dtype = UTF32, LaunchContext* context = LaunchContext::defaultContext());
  NDArray(const std::u32string& text, DataType dtype = UTF32, LaunchContext* context = LaunchContext::defaultContext());

  /// A string array in c order; S is const Char* or std::basic_string<Char> of char, char16_t or char32_t. The strings
  /// are transcoded to dtype, by default the encoding of S.
  /// @throws std::invalid_argument when the number of strings is not the length
  template <typename S>
  NDArray(const std::vector<LongType>& shape, const std::vector<S>& text, DataType dtype = detail::encodingOf<S>(),
          LaunchContext* context = LaunchContext::defaultContext());

  ~NDArray();

  /// With equal type and shape, copies the values into the existing buffer, also through a view; else becomes a copy.
  NDArray& operator=(const NDArray& other);
  /// Takes the other's buffer.
  NDArray& operator=(NDArray&& other) noexcept;
  /// Fills the array with the scalar.
  template <typename T, IfNumber<T> = 0>
  NDArray& operator=(const T& scalar) {
    assign(scalar);
    return *this;
  }

  // ---- comparison (array/ArrayHandle.h describes an array, array/ArrayElements.h accesses its elements)

  /// True for equal types, shapes and elements; rank 1 also matches rank 2 of the same length. Two elements are equal
  /// when they are the same infinity or differ by at most eps, absolutely or relative to the larger magnitude. NaN
  /// equals nothing.
  bool equalsTo(const NDArray& other, double eps = 1e-5) const;
  bool equalsTo(const NDArray* other, double eps = 1e-5) const { return other != nullptr && equalsTo(*other, eps); }
  bool operator==(const NDArray& other) const;
  bool operator!=(const NDArray& other) const { return !(*this == other); }

  bool isFinite() const;
  bool hasNaNs() const;
  bool hasInfs() const;

  /// For square matrices only, with a tolerance of 1e-5. Unitary: the product with the transpose is the identity.
  /// @throws std::runtime_error for other shapes
  bool isIdentityMatrix() const;
  bool isUnitary() const;

  /// The raw bytes; for a view, those of a contiguous copy.
  std::vector<int8_t> asByteVector() const;
  /// Copies `bytes` (0: the rest of the other buffer) from buffer to buffer, without regard to shapes and types.
  /// Offsets count elements from the start of a buffer; 0 means where the array begins. @throws std::runtime_error when
  /// the range leaves a buffer
  void copyBuffersContinuouslyFrom(const NDArray& other, size_t bytes = 0, LongType offsetThis = 0,
                                   LongType offsetOther = 0);
  /// An array for quantized values: it has the QUANTIZED flag, one byte for each element and eight for the range.
  /// @throws std::runtime_error for types that are not real
  static NDArray quantize(const NDArray& array);

  // ---- filling and copying

  /// Copies the values and converts their type. If `other` has one element, it fills this array; if the lengths are
  /// equal, elements are copied in c order even if the shapes differ; else `other` must broadcast to this shape. An
  /// empty target becomes a copy of `other`.
  /// @throws std::runtime_error when `other` is empty or does not fit
  void assign(const NDArray& other, bool allowParallelism = true);
  void assign(const NDArray* other, bool allowParallelism = true);
  template <typename T, IfNumber<T> = 0>
  void assign(const T& value, bool allowParallelism = true) {
    (void)allowParallelism;
    fill(&value, DataTypeUtils::fromT<T>());
  }
  /// element i = start + step * i
  void linspace(double start) { linspace(start, 1.0); }
  void linspace(double start, double step);
  void nullify();
  /// Zeros, and 1 on the main diagonal.
  void setIdentity();
  /// Copies this array to target and writes `value` to triangles of the last two dimensions: the upper one for
  /// direction 'u' (row <= column - lower), the lower one for 'l' (row >= column - upper), both for 'b'. The edges
  /// themselves are not overwritten when !includeEdges. A vector is copied to every row of a square target.
  /// @throws std::runtime_error for other shapes and directions
  template <typename T>
  void fillAsTriangular(float value, int lower, int upper, NDArray& target, char direction = 'b',
                        bool includeEdges = true) const {
    static_assert(scalarTypesForNDarray<T>::value, "T is an element type");
    fillTriangles(value, lower, upper, target, direction, includeEdges);
  }
  /// Exchanges the elements of both arrays. @throws std::runtime_error unless types and lengths are equal
  void swapUnsafe(NDArray& other);

  /// A contiguous copy in the order 'c', 'f' or 'a' (its own).
  NDArray dup(char newOrder = 'a') const;
  /// Zeros of the same shape, type and order.
  NDArray like() const;
  /// As like(), but not initialised.
  NDArray ulike() const;
  /// A converted copy; arrays of one element become rank 0.
  NDArray asT(DataType dtype) const;
  template <typename T>
  NDArray asT() const {
    return asT(DataTypeUtils::fromT<T>());
  }
  NDArray cast(DataType dtype) const;
  void cast(NDArray& target, DataType dtype) const;
  /// Makes the elements contiguous in the given order ('a': its own); a view gets a new buffer.
  void streamline(char order = 'a');
  /// `this` when its buffer is not in a workspace, else a new copy that the caller deletes.
  NDArray* detach();

  /// @throws std::runtime_error when a repetition is 0
  NDArray tile(const std::vector<LongType>& reps) const;
  template <typename R, detail::IfIntegers<R> = 0>
  NDArray tile(const R& reps) const {
    return tile(detail::sizesOf(reps));
  }
  void tile(const std::vector<LongType>& reps, NDArray& target) const;
  void tile(NDArray& target) const;
  void tilei(const std::vector<LongType>& reps);
  NDArray tileToShape(const LongType* shapeInfo) const;
  void tileToShape(const std::vector<LongType>& shape, NDArray& target) const;
  /// Repeats slice i of `axis` repeats[i] times; a single value applies to all slices.
  NDArray repeat(int axis, const std::vector<int>& repeats) const;
  template <typename R, std::enable_if_t<detail::isIntegers<R> && !std::is_same_v<R, std::vector<int>>, int> = 0>
  NDArray repeat(int axis, const R& repeats) const {
    return repeat(axis, detail::narrowed({repeats.data(), repeats.data() + repeats.size()}));
  }
  void repeat(int axis, const std::vector<int>& repeats, NDArray& target) const;
  /// Sum of the main diagonal.
  double getTrace() const;

  // ---- views

  /// Each dimension is given as (from, to), or as (from, to, step) when isStrided. `to` is exclusive, from == to
  /// selects the whole dimension, a negative n means n + size + 1. Dimensions of length 1 are dropped unless
  /// keepUnitiesInShape is set or the whole dimension was selected.
  NDArray operator()(const std::vector<LongType>& idx, bool keepUnitiesInShape = false, bool isStrided = false) const;
  /// Sub-array number subArrIdx over the excluded dimensions (c order).
  NDArray operator()(LongType subArrIdx, const indexing::Dimensions& dimsToExclude,
                     bool keepUnitiesInShape = false) const;
  /// x[0], x(0, all), x(interval(1, none), newaxis): views as in NumPy, for programs that include array/Indexing.h.
  template <typename I, detail::IfIndex<I> = 0>
  indexing::Part operator[](const I& index) const;
  template <typename... I, detail::IfIndices<I...> = 0>
  indexing::Part operator()(const I&... indices) const;
  /// The elements where a BOOL array is true, or the parts at the positions that an array of integers holds. For
  /// programs that include nd/array.h.
  template <typename A, std::enable_if_t<std::is_base_of_v<NDArray, A>, int> = 0>
  indexing::Selection operator[](const A& which) const;

  /// Takes one index for each dimension and keeps unit dimensions. The first overload deletes the index objects.
  NDArray subarray(std::initializer_list<NDIndex*> indices) const;
  NDArray subarray(IndicesList& indices) const;
  NDArray subarray(const Intervals& intervals) const;
  /// A view of the main diagonal: {n, 1} for type 'c', {1, n} for 'r'.
  NDArray diagonal(char type) const;

  /// Dimension k of the result is dimension dims[k] of this array. The result is a view.
  NDArray permute(const indexing::Dimensions& dims) const;
  NDArray permute(const int* dims, int rank) const { return permute(indexing::Dimensions(dims, dims + rank)); }
  NDArray permute(const LongType* dims, int rank) const { return permute(indexing::Dimensions(dims, dims + rank)); }
  void permute(const indexing::Dimensions& dims, NDArray& target) const { target = permute(dims); }
  void permute(const int* dims, int rank, NDArray& target) const { target = permute(dims, rank); }
  void permute(const LongType* dims, int rank, NDArray& target) const { target = permute(dims, rank); }
  /// In place; returns true.
  bool permutei(const indexing::Dimensions& dims) {
    _shapeInfo = permute(dims)._shapeInfo;
    return true;
  }
  bool permutei(const int* dims, int rank) { return permutei(indexing::Dimensions(dims, dims + rank)); }
  bool permutei(const LongType* dims, int rank) { return permutei(indexing::Dimensions(dims, dims + rank)); }
  NDArray transpose() const&;
  NDArray transpose() &&;
  void transpose(NDArray& target) const;
  NDArray T() const& { return transpose(); }
  NDArray T() && { return std::move(*this).transpose(); }
  void transposei();

  /// The same elements in c order with another shape, in which one size may be -1. The result is a view when the
  /// strides allow it, else a copy (with undefined values when !copyToNewBuff). @throws std::runtime_error for another
  /// length, std::invalid_argument from empty to not empty
  NDArray reshape(char order, const std::vector<LongType>& shape, bool copyToNewBuff = true) const&;
  NDArray reshape(char order, const std::vector<LongType>& shape, bool copyToNewBuff = true) &&;
  NDArray reshape(std::initializer_list<LongType> shape) const& { return reshape('c', std::vector<LongType>(shape)); }
  NDArray reshape(std::initializer_list<LongType> shape) && {
    return std::move(*this).reshape('c', std::vector<LongType>(shape));
  }
  /// In place; returns true when nothing was copied.
  bool reshapei(char order, std::initializer_list<LongType> shape, bool copyToNewBuff = true);
  bool reshapei(std::initializer_list<LongType> shape, bool copyToNewBuff = true);
  bool reshapei(char order, const std::vector<LongType>& shape, bool copyToNewBuff = true);
  bool reshapei(const std::vector<LongType>& shape, bool copyToNewBuff = true);
  template <typename R, detail::IfIntegers<R> = 0>
  NDArray reshape(char order, const R& shape, bool copyToNewBuff = true) const {
    return reshape(order, detail::sizesOf(shape), copyToNewBuff);
  }
  template <typename R, detail::IfIntegers<R> = 0>
  bool reshapei(char order, const R& shape, bool copyToNewBuff = true) {
    return reshapei(order, detail::sizesOf(shape), copyToNewBuff);
  }
  template <typename R, detail::IfIntegers<R> = 0>
  bool reshapei(const R& shape, bool copyToNewBuff = true) {
    return reshapei(ordering(), detail::sizesOf(shape), copyToNewBuff);
  }
  /// Gives the buffer a new contiguous shape in the given order ('a': its own). The array must not be a strided view.
  /// @throws std::runtime_error for another length
  void enforce(const std::vector<LongType>& dims, char order = 'a');

  /// Views of all sub-arrays that span dims, in c order over the other dimensions; none when dims is empty.
  /// @throws std::runtime_error when a dimension is out of range
  ResultSet allTensorsAlongDimension(const indexing::Dimensions& dims) const;
  /// Only those with the given numbers. @throws std::runtime_error for a number out of range
  ResultSet multipleTensorsAlongDimension(const std::vector<int>& indices, const indexing::Dimensions& dims) const;
  /// The sub-arrays along dimension 0.
  ResultSet allExamples() const;
  LongType tensorsAlongDimension(const indexing::Dimensions& dims) const;

  // ---- arithmetic (also the operators of array/NDArrayOperators.h)

  void operator+=(const NDArray& other) { arithmeticInPlace(BroadcastOpsTuple::Add(), other); }
  void operator-=(const NDArray& other) { arithmeticInPlace(BroadcastOpsTuple::Subtract(), other); }
  void operator*=(const NDArray& other) { arithmeticInPlace(BroadcastOpsTuple::Multiply(), other); }
  void operator/=(const NDArray& other) { arithmeticInPlace(BroadcastOpsTuple::Divide(), other); }
  template <typename T, IfNumber<T> = 0>
  void operator+=(T value) {
    applyScalar(scalar::Add, value, *this);
  }
  template <typename T, IfNumber<T> = 0>
  void operator-=(T value) {
    applyScalar(scalar::Subtract, value, *this);
  }
  template <typename T, IfNumber<T> = 0>
  void operator*=(T value) {
    applyScalar(scalar::Multiply, value, *this);
  }
  template <typename T, IfNumber<T> = 0>
  void operator/=(T value) {
    applyScalar(scalar::Divide, value, *this);
  }
  NDArray operator-() const&;
  NDArray operator-() &&;

  /// For matrices only; a row has as many elements as there are columns, a column as many as there are rows.
  /// @throws std::invalid_argument for other shapes
  void addRowVector(const NDArray& row, NDArray& target) const;
  void subRowVector(const NDArray& row, NDArray& target) const;
  void mulRowVector(const NDArray& row, NDArray& target) const;
  void divRowVector(const NDArray& row, NDArray& target) const;
  void addiRowVector(const NDArray& row) { addRowVector(row, *this); }
  void addColumnVector(const NDArray& column, NDArray& target) const;
  void addiColumnVector(const NDArray& column) { addColumnVector(column, *this); }
  void muliColumnVector(const NDArray& column);

  // ---- numbered operations
  // Extra parameters given as ExtraArguments are converted to the type that the operation reads. A void* points to an
  // array of that type: the target's for transform::FloatOps and reduce::FloatOps, this array's for the other kinds.

  void applyTransform(loops::TransformOp op, NDArray& target, ExtraArguments* extraParams = nullptr) const;
  NDArray transform(loops::TransformOp op, void* extraParams = nullptr) const;

  /// `other` must have the same length or one element.
  void applyPairwiseTransform(loops::PairwiseOp op, const NDArray& other, NDArray& target,
                              ExtraArguments* extraParams = nullptr) const;
  /// In place.
  void applyPairwiseTransform(pairwise::Ops op, const NDArray& other, ExtraArguments* extraParams = nullptr);

  /// The scalar is converted to this array's type.
  template <typename T, IfNumber<T> = 0>
  void applyScalar(loops::ScalarOp op, T value, NDArray& target, ExtraArguments* extraParams = nullptr) const {
    applyScalarValue(op, &value, DataTypeUtils::fromT<T>(), target, extraParams);
  }
  void applyScalarArr(loops::ScalarOp op, const NDArray& scalar, NDArray& target,
                      ExtraArguments* extraParams = nullptr) const;

  /// Applies `tad` along `dims` of this array. Empty dims do nothing. @throws std::invalid_argument when the target has
  /// neither the shape of this array nor that of `tad`, or not the type of the result
  void applyBroadcast(loops::BroadcastOp op, const indexing::Dimensions& dims, const NDArray& tad, NDArray& target,
                      ExtraArguments* extraParams = nullptr) const;

  /// NumPy's broadcasting of both arrays. Nothing happens when one of them is empty. The target must have the shape of
  /// the result when checkTargetShape, else only its length.
  void applyTrueBroadcast(BroadcastOpsTuple op, const NDArray& other, NDArray& target, bool checkTargetShape = true,
                          ExtraArguments* extraArgs = nullptr) const;
  void applyTrueBroadcast(BroadcastBoolOpsTuple op, const NDArray& other, NDArray& target, bool checkTargetShape = true,
                          ExtraArguments* extraArgs = nullptr) const;
  void applyTrueBroadcast(BroadcastIntOpsTuple op, const NDArray& other, NDArray& target, bool checkTargetShape = true,
                          ExtraArguments* extraArgs = nullptr) const;
  NDArray applyTrueBroadcast(BroadcastOpsTuple op, const NDArray& other, ExtraArguments* extraArgs = nullptr) const;

  /// Reductions: reduce::FloatOps give a real type, SameOps the type of the array, BoolOps BOOL, LongOps INT64. Empty
  /// dims mean all of them. @throws std::runtime_error for dimensions out of range, std::invalid_argument when the
  /// target of reduceNumber() has another type or not exactly one element
  NDArray reduceNumber(loops::ReduceOp op, void* extraParams = nullptr) const;
  void reduceNumber(loops::ReduceOp op, NDArray& target, void* extraParams = nullptr) const;
  NDArray reduceAlongDimension(loops::ReduceOp op, const indexing::Dimensions& dims, bool keepDims = false) const;
  NDArray reduceAlongDimension(loops::ReduceOp op, const indexing::Dimensions& dims, bool keepDims,
                               void* extraParams) const;
  void reduceAlongDimension(loops::ReduceOp op, NDArray& target, const indexing::Dimensions& dims,
                            bool keepDims = false, bool checkTargetShape = true, void* extraParams = nullptr) const;
  NDArray sumNumber() const;
  NDArray meanNumber() const;
  NDArray prodNumber() const;

  NDArray varianceNumber(variance::Ops op, bool biasCorrected = true) const;
  NDArray varianceAlongDimension(variance::Ops op, bool biasCorrected, const indexing::Dimensions& dims) const;
  void varianceAlongDimension(variance::Ops op, NDArray& target, bool biasCorrected,
                              const indexing::Dimensions& dims) const;

  /// Positions, counted in c order within the reduced part, as INT64; a given target may also be INT32.
  NDArray indexReduceNumber(indexreduce::Ops op, ExtraArguments* extraParams = nullptr) const;
  NDArray applyIndexReduce(indexreduce::Ops op, const indexing::Dimensions& dims,
                           const ExtraArguments* extraParams = nullptr) const;
  void applyIndexReduce(indexreduce::Ops op, NDArray& target, const indexing::Dimensions& dims,
                        const ExtraArguments* extraParams = nullptr) const;
  /// The position of the maximum of the whole array; only {} is supported.
  LongType argMax(std::initializer_list<int> dims = {}) const;

  /// Distances and similarities: of the whole arrays, of sub-array k of both arrays, or of all pairs of sub-arrays.
  NDArray applyReduce3(reduce3::Ops op, const NDArray& other, const ExtraArguments* extraParams = nullptr) const;
  NDArray applyReduce3(reduce3::Ops op, const NDArray& other, const indexing::Dimensions& dims,
                       const ExtraArguments* extraParams = nullptr) const;
  /// Without this overload, {0} would be a null pointer.
  NDArray applyReduce3(reduce3::Ops op, const NDArray& other, std::initializer_list<int> dims,
                       const ExtraArguments* extraParams = nullptr) const {
    return applyReduce3(op, other, indexing::Dimensions(dims), extraParams);
  }
  NDArray applyAllReduce3(reduce3::Ops op, const NDArray& other, const indexing::Dimensions& dims,
                          const ExtraArguments* extraParams = nullptr) const;

  // ---- functions supplied by the caller (array/NDArrayLambda.h)
  // All arrays must have type T, else std::runtime_error is thrown. Shapes must be equal; in the pairwise forms `other`
  // may also be a scalar. Functions may run in several threads.

  /// target = func(this), func(T) -> T
  template <typename T, typename F, detail::IfFunctor<F> = 0>
  void applyLambda(const F& func, NDArray& target) const;
  /// func(T, T) -> T
  template <typename T, typename F, detail::IfFunctor<F> = 0>
  void applyPairwiseLambda(const NDArray& other, const F& func, NDArray& target) const;
  /// func(T, T, T) -> T
  template <typename T, typename F, detail::IfFunctor<F> = 0>
  void applyTriplewiseLambda(const NDArray& second, const NDArray& third, const F& func, NDArray& target) const;
  /// func(LongType index, T) -> T; the index is counted in c order
  template <typename T, typename F, detail::IfFunctor<F> = 0>
  void applyIndexedLambda(const F& func, NDArray& target) const;
  template <typename T, typename F, detail::IfFunctor<F> = 0>
  void applyIndexedPairwiseLambda(const NDArray& other, const F& func, NDArray& target) const;
  // The same for std::function, from which the type may be deduced.
  template <typename E>
  void applyLambda(const std::function<E(E)>& func, NDArray& target) const;
  template <typename E>
  void applyPairwiseLambda(const NDArray& other, const std::function<E(E, E)>& func, NDArray& target) const;
  template <typename E>
  void applyTriplewiseLambda(const NDArray& second, const NDArray& third, const std::function<E(E, E, E)>& func,
                             NDArray& target) const;
  template <typename E>
  void applyIndexedLambda(const std::function<E(LongType, E)>& func, NDArray& target) const;
  template <typename E>
  void applyIndexedPairwiseLambda(const NDArray& other, const std::function<E(LongType, E, E)>& func,
                                  NDArray& target) const;

  // ---- printing

  /// Prints "msg: " and the elements in nested brackets; at most `limit` of them when it is not negative.
  void printIndexedBuffer(const char* msg = nullptr, LongType limit = -1) const;
  /// "msg: [a, b, c]"
  void printBuffer(const char* msg = nullptr, LongType limit = -1, bool sync = true) const;
  /// The elements in memory order.
  void printLinearBuffer() const;
  /// As printLinearBuffer(), converted to T, with `precision` digits after the decimal point. On the host only.
  template <typename T>
  void printCurrentBuffer(bool host = true, const char* msg = nullptr, int precision = 1) const {
    printCurrent(host, msg, precision, DataTypeUtils::fromT<T>());
  }
  void printShapeInfo(const char* msg = nullptr) const;
  std::string asIndexedString(LongType limit = -1) const;
  std::string asString(LongType limit = -1) const;

  // ---- description

  /// Another shape for the same buffer. @throws std::runtime_error when it would extend past the buffer's end
  void setShapeInfo(const LongType* shapeInfo);
  void setShapeInfo(const LongType* shapeInfo, DataType dtype);
  void setShapeInfo(const ShapeDescriptor& descriptor);
  void setShapeInfo(const ConstantShapeBuffer& shapeBuffer) { setShapeInfo(shapeBuffer.primary()); }

  // ---- used by the templates above and by the operators

  /// An uninitialised array for results. `dims` has `rank` sizes.
  static NDArray uninitialized(DataType dtype, char order, int rank, const LongType* dims, LaunchContext* context);
  /// As above; `internedShapeInfo` must have contiguous strides.
  static NDArray uninitialized(const LongType* internedShapeInfo, LaunchContext* context);
  /// An array without memory, for shape functions: reading its elements throws array_without_memory. `shapeInfo` need
  /// not be interned.
  static NDArray shapeOnly(const LongType* shapeInfo);
  /// A view of this array's buffer: `shapeInfo` need not be interned; `offset` in elements, relative to buffer().
  NDArray viewOf(const LongType* shapeInfo, LongType offset) const;
  /// Applies op to two arrays with the rules of operator+. May reuse the buffer of an operand that is a temporary.
  static NDArray arithmetic(BroadcastOpsTuple op, const NDArray& a, const NDArray& b, bool reuseA, bool reuseB);
  /// Applies op to an array and a number with the rules of operator+.
  static NDArray arithmetic(scalar::Ops op, const NDArray& a, const void* value, DataType type, bool reuse);
  /// @throws std::runtime_error unless this array and target have type `type` and equal shapes
  void checkLambda(const char* name, DataType type, const NDArray& target) const;
  void checkLambdaType(const char* name, const NDArray& operand) const;
  void checkLambdaOperand(const char* name, const NDArray& operand) const;

 private:
  struct Uninitialized {};
  NDArray(const LongType* internedShapeInfo, LaunchContext* context, Uninitialized, LongType elements = -1);

  void setInterned(const LongType* internedShapeInfo);
  void allocate(LongType elements, bool zero);
  void wrap(void* buffer, const LongType* internedShapeInfo, bool takeOwnership);
  void share(std::shared_ptr<DataBuffer> buffer, const LongType* internedShapeInfo, LongType offset);
  bool reusable() const { return _ownsBuffer && !_isView && _buffer.use_count() == 1; }

  void storeStrings(const LongType* internedShapeInfo, const std::vector<std::string>& strings);
  NDArray transcoded(DataType dtype) const;
  void fillTriangles(float value, int lower, int upper, NDArray& target, char direction, bool includeEdges) const;
  void printCurrent(bool host, const char* msg, int precision, DataType type) const;
  void fill(const void* value, DataType type);
  void applyScalarValue(loops::ScalarOp op, const void* value, DataType type, NDArray& target,
                        ExtraArguments* extraParams) const;
  void arithmeticInPlace(BroadcastOpsTuple op, const NDArray& other);
  void trueBroadcast(loops::BroadcastOp op, const NDArray& other, NDArray& target, bool checkTargetShape,
                     ExtraArguments* extraArgs) const;
};

/// Matrix product of two arrays: see MmulHelper::mmul.
SD_LIB_EXPORT NDArray mmul(const NDArray& a, const NDArray& b);

}  // namespace sd

#include <array/NDArrayLambda.h>
#include <array/NDArrayOperators.h>

// Existing programs use these without including them.
#if !defined(SD_BUILDING_LIBRARY)
#include <array/ByteOrder.h>
#include <exceptions/allocation_exception.h>
#include <exceptions/datatype_exception.h>
#include <execution/BlockingQueue.h>
#include <execution/Ticket.h>
#include <helpers/DebugHelper.h>
#include <helpers/LoopKind.h>
#include <types/pair.h>
#include <types/triple.h>
#include <types/u32.h>
#include <types/u64.h>
#include <types/utf8string.h>
#endif

#endif
