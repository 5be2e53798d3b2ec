// NDArray: an n-dimensional array, or a view of one.
//
// An NDArray is a small handle: an interned shapeInfo (see helpers/shape.h), a shared buffer, the offset of its first
// element. Copying an NDArray copies its elements; views (sub-arrays, permutations, most reshapes) share the buffer.
// Element i of an array is counted in c order (last dimension fastest) whatever its memory order and strides are.
//
// Errors: indices, shapes and arguments std::invalid_argument, or std::runtime_error where a comment says so; types
// sd::datatype_exception (a std::runtime_error). A call that throws has not written to its target.
#ifndef NDFORGE_ARRAY_NDARRAY_H
#define NDFORGE_ARRAY_NDARRAY_H

#include <array/ArrayOptions.h>
#include <array/DataBuffer.h>
#include <array/DataType.h>
#include <array/DataTypeUtils.h>
#include <array/ExtraArguments.h>
#include <array/HostOnly.h>
#include <array/InteropDataBuffer.h>
#include <array/OpSelectors.h>
#include <array/ResultSet.h>
#include <array/ShapeDescriptor.h>
#include <execution/AffinityManager.h>
#include <execution/LaunchContext.h>
#include <graph/Intervals.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/ShapeBuilders.h>
#include <helpers/shape.h>
#include <indexing/IndicesList.h>
#include <indexing/NDIndex.h>
#include <legacy/NativeOpExecutioner.h>
#include <memory/MemoryCounter.h>
#include <ops/BroadcastBoolOpsTuple.h>
#include <ops/BroadcastIntOpsTuple.h>
#include <ops/BroadcastOpsTuple.h>
#include <system/Environment.h>
#include <system/common.h>
#include <system/op_boilerplate.h>
#include <system/op_enums.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sd {

namespace detail {

/// The encoding of a string type (or of a pointer to characters).
template <typename S>
constexpr DataType encodingOf() {
  constexpr size_t size = sizeof(std::declval<const S&>()[0]);
  return size == 1 ? UTF8 : size == 2 ? UTF16 : UTF32;
}

}  // namespace detail

class SD_LIB_EXPORT NDArray : public HostOnly {
  template <typename T>
  using IfNumber = std::enable_if_t<scalarTypesForNDarray<T>::value, int>;

 public:
  // ---- construction

  /// No shape: shapeInfo() is nullptr, nothing can be asked of it but isEmpty().
  NDArray();
  explicit NDArray(LaunchContext* context);

  /// Zeros. A shape of {} or one that holds a 0 gives an empty array. @throws std::invalid_argument for a rank above
  /// SD_MAX_RANK, negative sizes, a length that overflows, an order other than 'c' and 'f'
  NDArray(char order, const std::vector<LongType>& shape, DataType dtype = DOUBLE,
          LaunchContext* context = LaunchContext::defaultContext());

  /// `data` in buffer order of `order` ('f': column by column), converted to dtype. A shape of {} with one value is a
  /// scalar, with none an empty array. @throws std::runtime_error when the number of values is not the length
  NDArray(char order, const std::vector<LongType>& shape, const std::vector<double>& data, DataType dtype = DOUBLE,
          LaunchContext* context = LaunchContext::defaultContext());

  /// A scalar 0, or an empty array of rank 0.
  explicit NDArray(DataType dtype, LaunchContext* context = LaunchContext::defaultContext(), bool isScalar = true);

  /// Copies the elements into a contiguous array of the same order.
  NDArray(const NDArray& other);
  /// Takes the buffer; `other` is left without a shape.
  NDArray(NDArray&& other) noexcept;

  /// Zeros with the shape, order and type of `other`.
  explicit NDArray(const NDArray* other, bool copyStrides = false,
                   LaunchContext* context = LaunchContext::defaultContext());

  /// An array of this shape and type, zeros unless nullify is false. The strides are taken when copyStrides.
  NDArray(const LongType* shapeInfo, bool copyStrides = false, LaunchContext* context = LaunchContext::defaultContext(),
          bool nullify = true);
  NDArray(const LongType* shapeInfo, DataType dtype, bool copyStrides = false,
          LaunchContext* context = LaunchContext::defaultContext(), bool nullify = true);

  /// Wraps the caller's memory, which must hold all elements that shape and strides reach. It is freed with
  /// delete[] (int8_t*) when isBuffAlloc. @throws std::runtime_error for a null buffer of an array that is not empty
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

  /// Shares a buffer; `offset` in elements. @throws std::invalid_argument when the array would reach past its end
  NDArray(std::shared_ptr<DataBuffer> buffer, const ShapeDescriptor& descriptor,
          LaunchContext* context = LaunchContext::defaultContext(), LongType offset = 0);
  /// The type is that of the buffer.
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

  /// A string array in c order; S is const Char* or std::basic_string<Char> of char, char16_t or char32_t. It is stored
  /// in its own encoding or transcoded. @throws std::invalid_argument when the number of strings is not the length
  template <typename S>
  NDArray(const std::vector<LongType>& shape, const std::vector<S>& text, DataType dtype = detail::encodingOf<S>(),
          LaunchContext* context = LaunchContext::defaultContext());

  ~NDArray();

  /// Equal type and shape: writes the values into the existing buffer (through a view too). Otherwise becomes a copy.
  NDArray& operator=(const NDArray& other);
  /// Takes the other's buffer.
  NDArray& operator=(NDArray&& other) noexcept;
  /// Fills.
  template <typename T, IfNumber<T> = 0>
  NDArray& operator=(const T& scalar) {
    assign(scalar);
    return *this;
  }

  // ---- queries

  const LongType* shapeInfo() const { return _shapeInfo; }
  const LongType* specialShapeInfo() const { return _shapeInfo; }
  const LongType* platformShapeInfo() const { return _shapeInfo; }
  /// The first element; nullptr when there is none.
  void* buffer() { return address(0); }
  const void* buffer() const { return address(0); }
  void* platformBuffer() { return address(0); }
  const void* platformBuffer() const { return address(0); }
  void* bufferWithOffset(LongType offset) { return address(offset); }
  const void* bufferWithOffset(LongType offset) const { return address(offset); }
  /// buffer() as T*, without a check of the type.
  template <typename T>
  T* bufferAsT() {
    return static_cast<T*>(buffer());
  }
  template <typename T>
  const T* bufferAsT() const {
    return static_cast<const T*>(buffer());
  }
  std::shared_ptr<DataBuffer> dataBuffer() const { return _buffer; }
  std::shared_ptr<DataBuffer> getDataBuffer() const { return _buffer; }
  LongType bufferOffset() const { return _offset; }

  DataType dataType() const { return _dataType; }
  /// Bytes per element.
  size_t sizeOfT() const;
  LongType lengthOf() const { return _length; }
  int rankOf() const { return _shapeInfo == nullptr ? 0 : static_cast<int>(_shapeInfo[0]); }
  char ordering() const { return _shapeInfo == nullptr ? 'c' : shape::order(_shapeInfo); }
  /// The element-wise stride; 1 for empty arrays and scalars.
  LongType ews() const { return _length <= 1 ? 1 : shape::elementWiseStride(_shapeInfo); }
  LongType* shapeOf() const { return _shapeInfo == nullptr ? nullptr : shape::shapeOf(_shapeInfo); }
  LongType* stridesOf() const { return _shapeInfo == nullptr ? nullptr : shape::stride(_shapeInfo); }
  /// Negative dimensions count from the end. @throws std::runtime_error when out of range
  LongType sizeAt(int dim) const;
  LongType strideAt(int dim) const;
  /// Rank 1: 1 row. @throws std::runtime_error for ranks above 2
  LongType rows() const;
  LongType columns() const;
  std::vector<LongType> getShapeAsVector() const;
  std::vector<int> getShapeAsVectorInt() const;
  /// All slots of the shapeInfo.
  std::vector<LongType> getShapeInfoAsVector() const;
  std::vector<int64_t> getShapeInfoAsFlatVector() const;
  /// The offset in the buffer, relative to buffer(), of linear element i.
  LongType getOffset(LongType i) const;
  size_t memoryFootprint() const;

  bool isEmpty() const { return _length < 1; }
  bool nonNull() const { return _shapeInfo != nullptr; }
  /// Rank 0, {1} or {1, 1}.
  bool isScalar() const { return _shapeInfo != nullptr && shape::isScalar(_shapeInfo); }
  bool isVector() const;
  bool isRowVector() const;
  bool isColumnVector() const;
  bool isMatrix() const;
  /// At most one dimension is not 1; `position` is that dimension.
  bool isCommonVector(int& position) const;
  bool isR() const { return DataTypeUtils::isR(_dataType); }
  bool isZ() const { return DataTypeUtils::isZ(_dataType); }
  bool isB() const { return DataTypeUtils::isB(_dataType); }
  bool isS() const { return DataTypeUtils::isS(_dataType); }
  bool isC() const { return false; }
  bool isView() const { return _isView; }
  /// The buffer lies in a workspace.
  bool isAttached() const { return _isAttached; }

  /// Equal ranks and dimensions; types and strides do not matter.
  bool isSameShape(const NDArray& other) const;
  bool isSameShape(const NDArray* other) const { return other != nullptr && isSameShape(*other); }
  /// -1 matches any size; a scalar also matches {0}.
  bool isSameShape(std::initializer_list<LongType> shape) const;
  bool isSameShape(const std::vector<LongType>& shape) const;
  /// All slots of the shapeInfos are equal.
  bool isSameShapeStrict(const NDArray& other) const;
  bool areSameShapeAndType(const NDArray& other) const;

  /// Equal types, shapes (rank 1 against rank 2 of equal length is allowed) and elements: the same infinity, or a
  /// difference of at most eps, absolute or relative to the larger magnitude. NaN equals nothing.
  bool equalsTo(const NDArray& other, double eps = 1e-5) const;
  bool equalsTo(const NDArray* other, double eps = 1e-5) const { return other != nullptr && equalsTo(*other, eps); }
  bool operator==(const NDArray& other) const;
  bool operator!=(const NDArray& other) const { return !(*this == other); }

  bool isFinite() const;
  bool hasNaNs() const;
  bool hasInfs() const;

  // ---- elements

  // Indices are one linear index, counted in c order, or one for each dimension.
  // @throws std::invalid_argument for an index outside, or another number of indices than the rank

  /// The element converted to T, which may be a string type for string arrays.
  template <typename T, typename... More>
  T e(LongType i, More... more) const;
  /// A scalar array with a copy of element i.
  NDArray e(LongType i) const;
  /// The element itself; T must be the element type.
  template <typename T, typename... More>
  T& r(LongType i, More... more) {
    return referenceAt<T>(offsetAt(i, more...));
  }
  template <typename T>
  T r(LongType i) const {
    return referenceAt<T>(elementOffset(i));
  }
  /// The element; T must be the element type.
  template <typename T, typename... More>
  T t(LongType i, More... more) const {
    return referenceAt<T>(offsetAt(i, more...));
  }

  /// Writes an element, converted to the array's type.
  template <typename T, IfNumber<T> = 0>
  void p(LongType i, T value) {
    setValueAt(elementOffset(i), value);
  }
  template <typename T, IfNumber<T> = 0>
  void p(LongType i, LongType j, T value) {
    setValueAt(offsetAt(i, j), value);
  }
  template <typename T, IfNumber<T> = 0>
  void p(LongType i, LongType j, LongType k, T value) {
    setValueAt(offsetAt(i, j, k), value);
  }
  template <typename T, IfNumber<T> = 0>
  void p(LongType i, LongType j, LongType k, LongType l, T value) {
    setValueAt(offsetAt(i, j, k, l), value);
  }
  void p(LongType i, const NDArray& scalar);
  void p(LongType i, LongType j, LongType k, LongType l, const NDArray& scalar);

  /// All values in c order, converted to T.
  template <typename T>
  std::vector<T> getBufferAsVector() const;
  template <typename T>
  std::vector<T> asVectorT() const {
    return getBufferAsVector<T>();
  }
  /// The raw bytes; of a view: of a contiguous copy.
  std::vector<int8_t> asByteVector() const;

  // ---- filling and copying

  /// Copies with conversion of the type. One element fills; equal lengths go element by element even if shapes differ;
  /// else `other` must broadcast to this. An empty target becomes a copy of `other`.
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
  /// Exchanges the values. @throws std::runtime_error unless types and lengths are equal
  void swapUnsafe(NDArray& other);

  /// A contiguous copy in the order 'c', 'f' or 'a' (its own).
  NDArray dup(char newOrder = 'a') const;
  /// Zeros of the same shape, type and order.
  NDArray like() const;
  /// As like(), not initialised.
  NDArray ulike() const;
  /// A converted copy; arrays of one element become rank 0.
  NDArray asT(DataType dtype) const;
  template <typename T>
  NDArray asT() const {
    return asT(DataTypeUtils::fromT<T>());
  }
  NDArray cast(DataType dtype) const;
  void cast(NDArray& target, DataType dtype) const;
  /// Lays the elements out contiguously in the given order; the array then has a buffer of its own.
  void streamline(char order = 'a');
  /// `this` when its buffer is not in a workspace, else a new copy that the caller deletes.
  NDArray* detach();

  /// @throws std::runtime_error when a repetition is 0
  NDArray tile(const std::vector<LongType>& reps) const;
  void tile(const std::vector<LongType>& reps, NDArray& target) const;
  void tile(NDArray& target) const;
  void tilei(const std::vector<LongType>& reps);
  NDArray tileToShape(const LongType* shapeInfo) const;
  void tileToShape(const std::vector<LongType>& shape, NDArray& target) const;
  /// Each slice i of `axis` repeats[i] times; one value for all slices.
  NDArray repeat(int axis, const std::vector<int>& repeats) const;
  void repeat(int axis, const std::vector<int>& repeats, NDArray& target) const;
  /// Sum of the main diagonal.
  double getTrace() const;

  // ---- views

  /// The elements (from, to) of each dimension, or (from, to, step) when isStrided; `to` is exclusive, from == to means
  /// the whole dimension, a negative n means n + size + 1. Dimensions of length 1 are dropped unless
  /// keepUnitiesInShape or the whole dimension was asked for.
  NDArray operator()(const std::vector<LongType>& idx, bool keepUnitiesInShape = false, bool isStrided = false) const;
  /// Sub-array number subArrIdx over the excluded dimensions (c order).
  NDArray operator()(LongType subArrIdx, const std::vector<int>& dimsToExclude, bool keepUnitiesInShape = false) const;
  /// One index per dimension; unit dimensions are kept. The index objects of the list form are deleted.
  NDArray subarray(std::initializer_list<NDIndex*> indices) const;
  NDArray subarray(IndicesList& indices) const;
  NDArray subarray(const Intervals& intervals) const;
  /// 'c': {n, 1}, 'r': {1, n} view of the main diagonal.
  NDArray diagonal(char type) const;

  /// Dimension k of the result is dimension dims[k] of this. Views.
  NDArray permute(const int* dims, int rank) const;
  NDArray permute(const LongType* dims, int rank) const;
  template <typename I>
  NDArray permute(std::initializer_list<I> dims) const {
    return permute(dims.begin(), static_cast<int>(dims.size()));
  }
  template <typename I>
  NDArray permute(const std::vector<I>& dims) const {
    return permute(dims.data(), static_cast<int>(dims.size()));
  }
  template <typename I>
  void permute(const std::vector<I>& dims, NDArray& target) const {
    target = permute(dims);
  }
  /// In place; true.
  template <typename... Dims>
  bool permutei(const Dims&... dims) {
    _shapeInfo = permute(dims...)._shapeInfo;
    return true;
  }
  template <typename I>
  bool permutei(std::initializer_list<I> dims) {
    _shapeInfo = permute(dims)._shapeInfo;
    return true;
  }
  NDArray transpose() const&;
  NDArray transpose() &&;
  void transpose(NDArray& target) const;
  void transposei();

  /// The same elements in c order with another shape, in which one size may be -1: a view when the strides allow it,
  /// else a copy (its values undefined when !copyToNewBuff). @throws std::runtime_error for another length,
  /// std::invalid_argument from empty to not empty
  NDArray reshape(char order, const std::vector<LongType>& shape, bool copyToNewBuff = true) const&;
  NDArray reshape(char order, const std::vector<LongType>& shape, bool copyToNewBuff = true) &&;
  /// In place; true when nothing was copied.
  bool reshapei(char order, std::initializer_list<LongType> shape, bool copyToNewBuff = true);
  bool reshapei(std::initializer_list<LongType> shape, bool copyToNewBuff = true);
  bool reshapei(char order, const std::vector<LongType>& shape, bool copyToNewBuff = true);
  bool reshapei(const std::vector<LongType>& shape, bool copyToNewBuff = true);

  /// Views of all sub-arrays spanned by dims, in c order over the other dimensions; none for no dims.
  /// @throws std::runtime_error when a dimension is out of range
  ResultSet allTensorsAlongDimension(const std::vector<int>& dims) const;
  ResultSet allTensorsAlongDimension(std::initializer_list<int> dims) const;
  /// The chosen ones. @throws std::runtime_error for a number out of range
  ResultSet multipleTensorsAlongDimension(const std::vector<int>& indices, const std::vector<int>& dims) const;
  /// The sub-arrays along dimension 0.
  ResultSet allExamples() const;
  LongType tensorsAlongDimension(const std::vector<int>& dims) const;
  LongType tensorsAlongDimension(std::initializer_list<int> dims) const;

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

  /// Matrices only; the row has as many elements as there are columns, the column as there are rows.
  void addRowVector(const NDArray& row, NDArray& target) const;
  void subRowVector(const NDArray& row, NDArray& target) const;
  void mulRowVector(const NDArray& row, NDArray& target) const;
  void divRowVector(const NDArray& row, NDArray& target) const;
  void addiRowVector(const NDArray& row) { addRowVector(row, *this); }
  void addColumnVector(const NDArray& column, NDArray& target) const;
  void addiColumnVector(const NDArray& column) { addColumnVector(column, *this); }
  void muliColumnVector(const NDArray& column);

  // ---- numbered operations
  // Extra parameters given as ExtraArguments are converted to the type that the operation reads; those given as void*
  // are an array of that type: the target's for transform::FloatOps and reduce::FloatOps, this array's for the other
  // kinds.

  void applyTransform(TransformOp op, NDArray& target, ExtraArguments* extraParams = nullptr);
  NDArray transform(TransformOp op, void* extraParams = nullptr) const;

  /// `other` has the same length or one element.
  void applyPairwiseTransform(PairwiseOp op, const NDArray& other, NDArray& target,
                              ExtraArguments* extraParams = nullptr) const;
  /// In place.
  void applyPairwiseTransform(pairwise::Ops op, const NDArray& other, ExtraArguments* extraParams = nullptr);

  /// The scalar is converted to this array's type.
  template <typename T, IfNumber<T> = 0>
  void applyScalar(ScalarOp op, T value, NDArray& target, ExtraArguments* extraParams = nullptr) const {
    applyScalarValue(op, &value, DataTypeUtils::fromT<T>(), target, extraParams);
  }
  void applyScalarArr(ScalarOp op, const NDArray& scalar, NDArray& target, ExtraArguments* extraParams = nullptr) const;

  /// `tad` is laid along `dims` of this array; no dims: the shapes are equal.
  void applyBroadcast(BroadcastOp op, const std::vector<int>& dims, const NDArray& tad, NDArray& target,
                      ExtraArguments* extraParams = nullptr);

  /// NumPy's broadcasting of both arrays. Nothing is done when one is empty. Another shape of the target is an error
  /// when checkTargetShape; then, too, it must hold all elements.
  void applyTrueBroadcast(BroadcastOpsTuple op, const NDArray& other, NDArray& target, bool checkTargetShape = true,
                          ExtraArguments* extraArgs = nullptr) const;
  void applyTrueBroadcast(BroadcastBoolOpsTuple op, const NDArray& other, NDArray& target, bool checkTargetShape = true,
                          ExtraArguments* extraArgs = nullptr) const;
  void applyTrueBroadcast(BroadcastIntOpsTuple op, const NDArray& other, NDArray& target, bool checkTargetShape = true,
                          ExtraArguments* extraArgs = nullptr) const;
  NDArray applyTrueBroadcast(BroadcastOpsTuple op, const NDArray& other, ExtraArguments* extraArgs = nullptr) const;

  /// Reductions: reduce::FloatOps give a real type, SameOps the type of the array, BoolOps BOOL, LongOps INT64. No
  /// dims: all of them. @throws std::runtime_error for dimensions out of range
  NDArray reduceNumber(ReduceOp op, void* extraParams = nullptr) const;
  void reduceNumber(ReduceOp op, NDArray& target, void* extraParams = nullptr) const;
  NDArray reduceAlongDimension(ReduceOp op, const std::vector<int>& dims, bool keepDims = false) const;
  NDArray reduceAlongDimension(ReduceOp op, const std::vector<int>& dims, bool keepDims, void* extraParams) const;
  void reduceAlongDimension(ReduceOp op, NDArray& target, const std::vector<int>& dims, bool keepDims = false,
                            bool checkTargetShape = true, void* extraParams = nullptr) const;
  NDArray sumNumber() const;
  NDArray meanNumber() const;
  NDArray prodNumber() const;

  NDArray varianceNumber(variance::Ops op, bool biasCorrected = true) const;
  NDArray varianceAlongDimension(variance::Ops op, bool biasCorrected, const std::vector<int>& dims) const;
  void varianceAlongDimension(variance::Ops op, NDArray& target, bool biasCorrected,
                              const std::vector<int>& dims) const;

  /// Positions, counted in c order inside the reduced part; INT64 (a given target may be INT32).
  NDArray indexReduceNumber(indexreduce::Ops op, ExtraArguments* extraParams = nullptr) const;
  NDArray applyIndexReduce(indexreduce::Ops op, const std::vector<int>& dims,
                           const ExtraArguments* extraParams = nullptr) const;
  void applyIndexReduce(indexreduce::Ops op, NDArray& target, const std::vector<int>& dims,
                        const ExtraArguments* extraParams = nullptr) const;
  /// The position of the maximum of the whole array; only {} is supported.
  LongType argMax(std::initializer_list<int> dims = {}) const;

  /// Distances and similarities: of the whole arrays, of sub-array k with sub-array k, of all pairs.
  NDArray applyReduce3(reduce3::Ops op, const NDArray& other, const ExtraArguments* extraParams = nullptr) const;
  NDArray applyReduce3(reduce3::Ops op, const NDArray& other, const std::vector<int>& dims,
                       const ExtraArguments* extraParams = nullptr) const;
  NDArray applyAllReduce3(reduce3::Ops op, const NDArray& other, const std::vector<int>& dims,
                          const ExtraArguments* extraParams = nullptr) const;

  // ---- functions of the caller (array/NDArrayLambda.h)
  // T must be the type of all arrays: std::runtime_error. Shapes must be equal, or `other` of the pairwise forms a
  // scalar. Functions may run in several threads.

  /// target = func(this), func(T) -> T
  template <typename T, typename F>
  void applyLambda(const F& func, NDArray& target);
  /// func(T, T) -> T
  template <typename T, typename F>
  void applyPairwiseLambda(const NDArray& other, const F& func, NDArray& target);
  /// func(T, T, T) -> T
  template <typename T, typename F>
  void applyTriplewiseLambda(NDArray& second, NDArray& third, const F& func, NDArray& target);
  /// func(LongType index, T) -> T; the index counts in c order
  template <typename T, typename F>
  void applyIndexedLambda(const F& func, NDArray& target);
  template <typename T, typename F>
  void applyIndexedPairwiseLambda(NDArray& other, const F& func, NDArray& target);

  // ---- printing

  /// "msg: " and the elements in nested brackets; at most `limit` of them when it is not negative.
  void printIndexedBuffer(const char* msg = nullptr, LongType limit = -1) const;
  /// "msg: [a, b, c]"
  void printBuffer(const char* msg = nullptr, LongType limit = -1, bool sync = true) const;
  /// The elements in memory order.
  void printLinearBuffer() const;
  void printShapeInfo(const char* msg = nullptr) const;
  std::string asIndexedString(LongType limit = -1) const;
  std::string asString(LongType limit = -1) const;

  // ---- context, description (what concerns devices is in array/HostOnly.h)

  LaunchContext* getContext() const { return _context; }
  void setContext(LaunchContext* context) { _context = context; }
  /// Another description of the same buffer. @throws std::invalid_argument when it would reach past the end
  void setShapeInfo(const LongType* shapeInfo);
  void setShapeInfo(const LongType* shapeInfo, DataType dtype);
  void setShapeInfo(const ShapeDescriptor& descriptor);

  // ---- used by the templates above and by the operators

  /// An array that is not initialised, for results. `dims` of `rank` sizes.
  static NDArray uninitialized(DataType dtype, char order, int rank, const LongType* dims, LaunchContext* context);
  /// As above with an interned shapeInfo of contiguous strides.
  static NDArray uninitialized(const LongType* internedShapeInfo, LaunchContext* context);
  /// A view of this array's buffer: `shapeInfo` need not be interned; `offset` in elements, relative to buffer().
  NDArray viewOf(const LongType* shapeInfo, LongType offset) const;
  /// op of two arrays with the rules of operator+. The buffer of an operand that is a temporary may be used.
  static NDArray arithmetic(BroadcastOpsTuple op, const NDArray& a, const NDArray& b, bool reuseA, bool reuseB);
  /// op of an array and a number with the rules of operator+.
  static NDArray arithmetic(scalar::Ops op, const NDArray& a, const void* value, DataType type, bool reuse);
  /// The position in memory of an element. @throws std::invalid_argument
  LongType elementOffset(LongType i) const;
  LongType elementOffset(const LongType* indices, int count) const;
  LongType linearIndex(const LongType* indices, int count) const;
  void* address(LongType offset) const {
    return _buffer == nullptr || _buffer->primary() == nullptr
               ? nullptr
               : static_cast<char*>(_buffer->primary()) + (_offset + offset) * _elementSize;
  }
  /// @throws std::runtime_error unless `type` is the type of this array and of target, std::invalid_argument unless
  /// their shapes are equal
  void checkLambda(const char* name, DataType type, const NDArray& target) const;
  void checkLambdaType(const char* name, const NDArray& operand) const;
  void checkLambdaOperand(const char* name, const NDArray& operand) const;

 private:
  std::shared_ptr<DataBuffer> _buffer;
  const LongType* _shapeInfo = nullptr;
  LaunchContext* _context = nullptr;
  LongType _offset = 0;
  LongType _length = 0;
  DataType _dataType = INHERIT;
  unsigned short _elementSize = 0;
  bool _isView = false;
  bool _isAttached = false;
  bool _ownsBuffer = false;  // the buffer was allocated by this library, for arrays

  struct Uninitialized {};
  NDArray(const LongType* internedShapeInfo, LaunchContext* context, Uninitialized, LongType elements = -1);

  void setInterned(const LongType* internedShapeInfo);
  void allocate(LongType elements, bool zero);
  void wrap(void* buffer, const LongType* internedShapeInfo, bool takeOwnership);
  void share(std::shared_ptr<DataBuffer> buffer, const LongType* internedShapeInfo, LongType offset);
  bool reusable() const { return _ownsBuffer && !_isView && _buffer.use_count() == 1; }

  void readElement(LongType offset, void* value, DataType type) const;
  void writeElement(LongType offset, const void* value, DataType type);
  template <typename... More>
  LongType offsetAt(LongType i, More... more) const;
  template <typename T>
  T valueAt(LongType offset) const;
  template <typename T>
  void setValueAt(LongType offset, T value);
  template <typename T>
  T& referenceAt(LongType offset) const;
  void storeStrings(const LongType* internedShapeInfo, const std::vector<std::string>& strings);
  std::string readString(LongType i, DataType encoding) const;
  std::string readUtf8(LongType i) const;
  std::u16string readUtf16(LongType i) const;
  std::u32string readUtf32(LongType i) const;
  void copyTo(void* values, DataType type) const;
  NDArray transcoded(DataType dtype) const;
  void fill(const void* value, DataType type);
  [[noreturn]] void typeMismatch(DataType type) const;
  [[noreturn]] void elementOutside(LongType i) const;
  [[noreturn]] void elementOutside(const LongType* indices, int count) const;

  void applyScalarValue(ScalarOp op, const void* value, DataType type, NDArray& target,
                        ExtraArguments* extraParams) const;
  void arithmeticInPlace(BroadcastOpsTuple op, const NDArray& other);
  void trueBroadcast(BroadcastOp op, const NDArray& other, NDArray& target, bool checkTargetShape,
                     ExtraArguments* extraArgs) const;
};

/// Matrix product of two arrays: see MmulHelper::mmul.
SD_LIB_EXPORT NDArray mmul(const NDArray& a, const NDArray& b);

}  // namespace sd

#include <array/NDArrayLambda.h>
#include <array/NDArrayOperators.h>
#include <array/NDArray.hXX>

#endif
