// Views: slices, permutations, reshapes, sub-arrays along dimensions.
#include <array/NDArray.h>
#include <helpers/ConstantTadHelper.h>

#include <algorithm>

#include "array/NDArrayCommon.h"

namespace sd {

namespace {

using Info = LongType[SD_MAX_SHAPEINFOLENGTH];

void requireShape(const char* op, const NDArray& array) {
  if (array.shapeInfo() == nullptr) fail<std::runtime_error>("[{}] the array has no shape", op);
}

void copyInfo(const LongType* from, LongType* to) { std::copy_n(from, shape::shapeInfoLength(from), to); }

}  // namespace

// ---- slices

NDArray NDArray::operator()(const std::vector<LongType>& idx, bool keepUnitiesInShape, bool isStrided) const {
  requireShape("subarray", *this);
  const size_t perDimension = isStrided ? 3 : 2, expected = perDimension * rankOf();
  if (idx.size() != expected)
    fail("[subarray] {} numbers are given for shape {}, but {} for each dimension are needed", idx.size(),
         arrays::shapeText(*this), perDimension);
  Info info;
  LongType offset = 0;
  shape::calcSubArrShapeInfoAndOffset(idx.data(), _shapeInfo, info, offset, keepUnitiesInShape, isStrided);
  return viewOf(info, offset);
}

NDArray NDArray::operator()(LongType subArrIdx, const Dimensions& dimsToExclude, bool keepUnitiesInShape) const {
  requireShape("subarray", *this);
  const int rank = rankOf();
  int excluded[SD_MAX_RANK];
  if (dimsToExclude.size() > rank)
    fail("[subarray] {} dimensions to exclude are too many for shape {}", dimsToExclude.size(),
         arrays::shapeText(*this));
  const int count = shape::normaliseAxes(dimsToExclude.data(), dimsToExclude.size(), rank, excluded, "subarray");
  LongType number = 1;
  for (int k = 0; k < count; k++) number *= _shapeInfo[1 + excluded[k]];
  if (subArrIdx < 0 || subArrIdx >= number)
    fail("[subarray] sub-array {} does not exist: shape {} has {} sub-arrays", subArrIdx, arrays::shapeText(*this),
         number);

  std::vector<LongType> idx(2 * static_cast<size_t>(rank), 0);
  for (int k = count - 1; k >= 0; k--) {
    const LongType dim = _shapeInfo[1 + excluded[k]], position = subArrIdx % dim;
    subArrIdx /= dim;
    idx[2 * excluded[k]] = position;
    idx[2 * excluded[k] + 1] = position + 1;
  }
  return (*this)(idx, keepUnitiesInShape);
}

NDArray NDArray::subarray(IndicesList& indices) const {
  requireShape("subarray", *this);
  if (indices.size() != rankOf())
    fail("[subarray] {} indices are given for shape {}", indices.size(), arrays::shapeText(*this));
  std::vector<LongType> idx;
  for (int d = 0; d < rankOf(); d++) {
    const NDIndex* index = indices.at(d);
    if (index == nullptr) fail("[subarray] index {} is null", d);
    if (index->isAll()) {
      idx.insert(idx.end(), {0, _shapeInfo[1 + d], 1});
    } else {
      const LongType first = index->getIndices().front(), last = index->getIndices().back();
      if (first < 0 || last >= _shapeInfo[1 + d])
        fail("[subarray] positions {}..{} are outside dimension {} of shape {}", first, last, d,
             arrays::shapeText(*this));
      idx.insert(idx.end(), {first, last + 1, index->stride()});
    }
  }
  return (*this)(idx, true, true);
}

NDArray NDArray::subarray(std::initializer_list<NDIndex*> indices) const {
  IndicesList list(indices);
  return subarray(list);
}

NDArray NDArray::subarray(const Intervals& intervals) const {
  requireShape("subarray", *this);
  if (intervals.size() != rankOf())
    fail("[subarray] {} intervals are given for shape {}", intervals.size(), arrays::shapeText(*this));
  std::vector<LongType> idx;
  for (int d = 0; d < rankOf(); d++) {
    if (intervals[d].empty())
      idx.insert(idx.end(), {0, 0});
    else if (intervals[d].size() == 2)
      idx.insert(idx.end(), intervals[d].begin(), intervals[d].end());
    else
      fail("[subarray] interval {} has {} numbers, not 2", d, intervals[d].size());
  }
  return (*this)(idx, true);
}

NDArray NDArray::diagonal(char type) const {
  requireShape("diagonal", *this);
  if (type != 'c' && type != 'r') fail("[diagonal] type '{}' is neither 'c' nor 'r'", type);
  if (!hasElements()) fail("[diagonal] the array is empty");
  Info info = {2, 1, 1, 1, 1};
  if (!isVector() && !isScalar()) {
    const int rank = rankOf();
    LongType step = 0;
    for (int d = 0; d < rank; d++) step += _shapeInfo[1 + rank + d];
    info[type == 'c' ? 1 : 2] = *std::min_element(_shapeInfo + 1, _shapeInfo + 1 + rank);
    info[3] = info[4] = step;
  }
  ArrayOptions::setDataType(info, _dataType);
  shape::setOrder(info, ordering());
  shape::checkStridesEwsAndOrder(info);
  return viewOf(info, 0);
}

// ---- permutations

NDArray NDArray::permute(const Dimensions& dims) const {
  requireShape("permute", *this);
  if (dims.size() != rankOf())
    fail("[permute] {} dimensions given for shape {}", dims.size(), arrays::shapeText(*this));
  Info info;
  copyInfo(_shapeInfo, info);
  shape::doPermuteShapeInfo(info, dims.data());
  return viewOf(info, 0);
}

NDArray NDArray::transpose() const& {
  int reversed[SD_MAX_RANK];
  const int rank = rankOf();
  for (int d = 0; d < rank; d++) reversed[d] = rank - 1 - d;
  return permute(reversed, rank);
}
NDArray NDArray::transpose() && {
  transposei();
  return std::move(*this);
}
void NDArray::transpose(NDArray& target) const { target = transpose(); }
void NDArray::transposei() { _shapeInfo = static_cast<const NDArray&>(*this).transpose()._shapeInfo; }

// ---- reshapes

namespace {

// Computes a dimension of -1 and checks the length.
std::vector<LongType> completeShape(const NDArray& array, const std::vector<LongType>& shape) {
  std::vector<LongType> dims(shape);
  int unknown = -1;
  LongType product = 1;
  bool fits = static_cast<int>(dims.size()) <= SD_MAX_RANK;
  for (size_t d = 0; d < dims.size(); d++) {
    if (dims[d] == -1 && unknown < 0)
      unknown = static_cast<int>(d);
    else if (dims[d] < 0 || __builtin_mul_overflow(product, dims[d], &product))
      fits = false;
  }
  const LongType length = array.lengthOf();
  if (unknown >= 0 && fits) {
    if (product == 0 || length % product != 0)
      fits = false;
    else
      product *= dims[unknown] = length / product;
  }
  if (!array.hasElements() && product != 0)
    invalidArgument("[reshape] an empty array of shape {} cannot become {}", arrays::shapeText(array),
                    arrays::shapeText(static_cast<int>(shape.size()), shape.data()));
  if (!fits || product != length)
    fail<std::runtime_error>("[reshape] shape {} of length {} cannot become {}", arrays::shapeText(array), length,
                             arrays::shapeText(static_cast<int>(shape.size()), shape.data()));
  return dims;
}

}  // namespace

bool NDArray::reshapei(char order, const std::vector<LongType>& shape, bool copyToNewBuff) {
  requireShape("reshape", *this);
  if (order != 'c' && order != 'f') fail("[reshape] order '{}' is neither 'c' nor 'f'", order);
  const bool toEmptyScalar = !hasElements() && shape.empty();
  const std::vector<LongType> dims = toEmptyScalar ? shape : completeShape(*this, shape);
  const int rank = static_cast<int>(dims.size());

  if (!hasElements()) {
    _shapeInfo = toEmptyScalar ? ConstantShapeHelper::getInstance().emptyShapeInfo(_dataType)
                               : arrays::interned(_dataType, order, rank, dims.data());
    return true;
  }
  Info info;
  if (shape::reshapeC(_shapeInfo, order, rank, dims.data(), info)) {
    _shapeInfo = ConstantShapeHelper::getInstance().bufferForShapeInfo(info).primary();
    return true;
  }
  NDArray copy = uninitialized(_dataType, order, rank, dims.data(), _context);
  if (copyToNewBuff) {
    if (isS()) fail<std::runtime_error>("[reshape] a string array that is not contiguous cannot be reshaped");
    arrays::copyElements(*this, copy);
  } else {
    copy.nullify();
  }
  *this = std::move(copy);
  return false;
}

void NDArray::enforce(const std::vector<LongType>& dims, char order) {
  requireShape("enforce", *this);
  if (order == 'a') order = ordering();
  const int rank = static_cast<int>(dims.size());
  const LongType* info = dims.empty() ? ConstantShapeHelper::getInstance().scalarShapeInfo(_dataType)
                                      : arrays::interned(_dataType, order, rank, dims.data());
  if (shape::length(info) != _length)
    fail<std::runtime_error>("[enforce] shape {} of length {} cannot become {}", arrays::shapeText(*this), _length,
                             arrays::shapeText(rank, dims.data()));
  if (ews() != 1)
    fail<std::runtime_error>("[enforce] the view of shape {} is not contiguous", arrays::shapeText(*this));
  _shapeInfo = info;
}

bool NDArray::reshapei(const std::vector<LongType>& shape, bool copyToNewBuff) {
  return reshapei(ordering(), shape, copyToNewBuff);
}
bool NDArray::reshapei(char order, std::initializer_list<LongType> shape, bool copyToNewBuff) {
  return reshapei(order, std::vector<LongType>(shape), copyToNewBuff);
}
bool NDArray::reshapei(std::initializer_list<LongType> shape, bool copyToNewBuff) {
  return reshapei(ordering(), std::vector<LongType>(shape), copyToNewBuff);
}

NDArray NDArray::reshape(char order, const std::vector<LongType>& shape, bool copyToNewBuff) const& {
  requireShape("reshape", *this);
  NDArray view = viewOf(_shapeInfo, 0);
  view.reshapei(order, shape, copyToNewBuff);
  return view;
}

NDArray NDArray::reshape(char order, const std::vector<LongType>& shape, bool copyToNewBuff) && {
  reshapei(order, shape, copyToNewBuff);
  return std::move(*this);
}

// ---- sub-arrays along dimensions

namespace {

void checkDimensions(const char* op, const NDArray& array, const Dimensions& dims) {
  requireShape(op, array);
  for (int dim : dims)
    if (dim >= array.rankOf() || dim < -array.rankOf())
      fail<std::runtime_error>("[{}] dimension {} does not exist in shape {}", op, dim, arrays::shapeText(array));
}

TadPack packOf(const char* op, const NDArray& array, const Dimensions& dims) {
  checkDimensions(op, array, dims);
  return ConstantTadHelper::getInstance().tadForDimensions(array.shapeInfo(), dims.data(), dims.size());
}

bool coversWhole(const NDArray& array, const Dimensions& dims) {
  return dims.back() == array.rankOf() || (array.isScalar() && dims.size() == 1 && dims[0] == 0);
}

}  // namespace

ResultSet NDArray::allTensorsAlongDimension(const Dimensions& dims) const {
  ResultSet views;
  requireShape("allTensorsAlongDimension", *this);
  if (dims.empty() || !hasElements()) return views;
  if (coversWhole(*this, dims)) {
    views.pushOwned(std::make_unique<NDArray>(viewOf(_shapeInfo, 0)));
    return views;
  }
  const TadPack pack = packOf("allTensorsAlongDimension", *this, dims);
  for (LongType k = 0; k < pack.numberOfTads(); k++)
    views.pushOwned(std::make_unique<NDArray>(viewOf(pack.primaryShapeInfo(), pack.primaryOffsets()[k])));
  return views;
}

ResultSet NDArray::multipleTensorsAlongDimension(const std::vector<int>& indices, const Dimensions& dims) const {
  ResultSet views;
  if (indices.empty()) return views;
  const TadPack pack = packOf("multipleTensorsAlongDimension", *this, dims);
  for (int index : indices) {
    if (index < 0 || index >= pack.numberOfTads())
      fail<std::runtime_error>("[multipleTensorsAlongDimension] sub-array {} does not exist: there are {}", index,
                               pack.numberOfTads());
    views.pushOwned(std::make_unique<NDArray>(viewOf(pack.primaryShapeInfo(), pack.primaryOffsets()[index])));
  }
  return views;
}

ResultSet NDArray::allExamples() const {
  requireShape("allExamples", *this);
  if (rankOf() == 0) fail<std::runtime_error>("[allExamples] a scalar has no examples");
  ResultSet views;
  for (LongType k = 0; k < _shapeInfo[1] && hasElements(); k++)
    views.pushOwned(std::make_unique<NDArray>((*this)(k, {0})));
  return views;
}

LongType NDArray::tensorsAlongDimension(const Dimensions& dims) const {
  if (dims.empty()) return 0;
  return packOf("tensorsAlongDimension", *this, dims).numberOfTads();
}

}  // namespace sd
