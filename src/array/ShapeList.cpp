#include <array/ShapeList.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/shape.h>

#include <algorithm>

#include "system/Error.h"

namespace sd {

ShapeList::ShapeList(const LongType* shape) {
  if (shape) _shapes.push_back(shape);
}

ShapeList::ShapeList(const std::vector<const LongType*>& shapes, bool isWorkspace)
    : _shapes(shapes), _workspace(isWorkspace) {}

ShapeList::ShapeList(const std::vector<const LongType*>& shapes) : ShapeList(shapes, false) {}

const LongType* ShapeList::at(int index) const {
  if (index < 0 || index >= size())
    throw missing_shape(fmt::format("[ShapeList] shape {} is outside 0..{}", index, size() - 1), index);
  return _shapes[static_cast<size_t>(index)];
}

void ShapeList::destroy() {
  if (!_workspace) {
    // The same buffer may stand in the list more than once.
    std::sort(_shapes.begin(), _shapes.end());
    _shapes.erase(std::unique(_shapes.begin(), _shapes.end()), _shapes.end());
    for (const LongType* shape : _shapes)
      if (!ConstantShapeHelper::getInstance().isInterned(shape)) delete[] shape;
  }
  _shapes.clear();
}

void ShapeList::detach() {
  for (const LongType*& shape : _shapes) {
    if (!shape) continue;
    const int n = shape::shapeInfoLength(shape);
    auto* copy = new LongType[n];
    std::copy_n(shape, n, copy);
    shape = copy;
  }
  _workspace = false;
}

}  // namespace sd
