// Repetitions of an array: tiles and repeated slices.
#include <array/NDArray.h>
#include <helpers/ShapeUtils.h>

#include "array/NDArrayCommon.h"

namespace sd {

void NDArray::tile(NDArray& target) const {
  if (rankOf() > target.rankOf())
    fail("[tile] the target's shape {} has a lower rank than {}", arrays::shapeText(target), arrays::shapeText(*this));
  if (!target.hasElements() || !hasElements()) {
    if (target.hasElements())
      fail<std::runtime_error>("[tile] an empty array cannot fill shape {}", arrays::shapeText(target));
    return;
  }
  arrays::requireNumbers("tile", *this);
  arrays::requireNumbers("tile", target);
  // A dimension of the target that holds r copies of d elements is treated as two dimensions, r and d.
  const int rank = target.rankOf(), lead = rank - rankOf();
  LongType dims[2 * SD_MAX_RANK], from[2 * SD_MAX_RANK], to[2 * SD_MAX_RANK];
  int split = 0;
  for (int d = 0; d < rank; d++) {
    const LongType size = d < lead ? 1 : _shapeInfo[1 + d - lead], whole = target._shapeInfo[1 + d];
    const LongType step = target.stridesOf()[d];
    if (whole % size != 0)
      fail("[tile] shape {} does not fit into shape {} a whole number of times", arrays::shapeText(*this),
           arrays::shapeText(target));
    if (whole != size) {
      dims[split] = whole / size;
      from[split] = 0;
      to[split++] = step * size;
    }
    if (size != 1) {
      dims[split] = size;
      from[split] = stridesOf()[d - lead];
      to[split++] = step;
    }
  }
  if (split > SD_MAX_RANK) fail("[tile] shape {} is repeated along too many dimensions", arrays::shapeText(*this));
  const std::vector<LongType> shape(dims, dims + split);
  auto described = [&](DataType type, const LongType* strides) {
    return ConstantShapeHelper::getInstance().createShapeInfo(
        ShapeDescriptor(type, 'c', dims, strides, split, split == 0 ? 1 : 0, 0));
  };
  const NDArray source = isScalar() || !arrays::overlap(*this, target) ? viewOf(_shapeInfo, 0) : NDArray(*this);
  loops::assign({source.buffer(), described(_dataType, from)}, {target.buffer(), described(target._dataType, to)});
}

namespace {

void checkReps(const std::vector<LongType>& reps) {
  for (LongType rep : reps)
    if (rep < 1) fail<std::runtime_error>("[tile] repetition {} is below 1", rep);
}

}  // namespace

NDArray NDArray::tile(const std::vector<LongType>& reps) const {
  checkReps(reps);
  NDArray tiled(ShapeUtils::evalTileShapeInfo(_shapeInfo, reps), _context, Uninitialized{});
  tile(tiled);
  return tiled;
}

void NDArray::tile(const std::vector<LongType>& reps, NDArray& target) const {
  checkReps(reps);
  const LongType* expected = ShapeUtils::evalTileShapeInfo(_shapeInfo, reps);
  if (!shape::shapeEquals(expected, target._shapeInfo))
    fail<std::runtime_error>("[tile] the target has shape {}, {} expected", arrays::shapeText(target),
                             ShapeUtils::shapeAsString(expected));
  tile(target);
}

void NDArray::tilei(const std::vector<LongType>& reps) { *this = tile(reps); }

NDArray NDArray::tileToShape(const LongType* shapeInfo) const {
  NDArray tiled(shapeInfo, _dataType, false, _context, false);
  tile(tiled);
  return tiled;
}

void NDArray::tileToShape(const std::vector<LongType>& shape, NDArray& target) const {
  if (&target != this) {
    if (!target.isSameShape(shape))
      fail("[tileToShape] the target has shape {}, {} expected", arrays::shapeText(target),
           ShapeUtils::shapeAsString(shape));
    tile(target);
    return;
  }
  NDArray tiled = arrays::zeros(_dataType, shape);
  tile(tiled);
  target = std::move(tiled);
}

NDArray NDArray::repeat(int axis, const std::vector<int>& repeats) const {
  const std::vector<LongType> dims = ShapeUtils::evalRepeatShape(axis, repeats, _shapeInfo);
  NDArray repeated = arrays::zeros(_dataType, dims);
  repeat(axis, repeats, repeated);
  return repeated;
}

void NDArray::repeat(int axis, const std::vector<int>& repeats, NDArray& target) const {
  arrays::requireNumbers("repeat", *this);
  const std::vector<LongType> dims = ShapeUtils::evalRepeatShape(axis, repeats, _shapeInfo);
  if (!target.isSameShape(dims))
    fail("[repeat] the target has shape {}, {} expected", arrays::shapeText(target), ShapeUtils::shapeAsString(dims));
  if (!hasElements() || !target.hasElements()) return;
  const int dim = shape::normaliseAxis(axis, rankOf(), "repeat");
  std::vector<LongType> from(2 * static_cast<size_t>(rankOf()), 0), to(from);
  LongType position = 0;
  for (LongType i = 0; i < _shapeInfo[1 + dim]; i++) {
    const LongType count = repeats[repeats.size() == 1 ? 0 : i];
    if (count == 0) continue;
    from[2 * dim] = i;
    from[2 * dim + 1] = i + 1;
    to[2 * dim] = position;
    to[2 * dim + 1] = position += count;
    target(to, true).assign((*this)(from, true));
  }
}

}  // namespace sd
