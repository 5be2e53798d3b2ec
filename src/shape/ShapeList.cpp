#include <array/ShapeList.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/shape.h>
#include <memory/Allocation.h>

#include <algorithm>
#include <memory>

#include "system/Error.h"

namespace sd {

ShapeList::ShapeList(const LongType* shape) {
  if (shape) push_back(shape);
}

ShapeList::ShapeList(const std::vector<const LongType*>& shapes, bool isWorkspace) : _workspace(isWorkspace) {
  for (const LongType* shape : shapes) push_back(shape);
}

ShapeList::ShapeList(const std::vector<const LongType*>& shapes) : ShapeList(shapes, false) {}

ShapeList::ShapeList(const ShapeList& other) : _size(other._size), _workspace(other._workspace) {
  if (_size > FEW)
    _many = new std::vector<const LongType*>(*other._many);
  else
    std::copy_n(other._few, FEW, _few);
}

void ShapeList::pushFurther(const LongType* shape) {
  if (_size == MOST) fail<std::runtime_error>("[ShapeList] a list holds at most {} shapes", MOST);
  if (_size > FEW) {
    _many->push_back(shape);
  } else {
    auto many = std::make_unique<std::vector<const LongType*>>(_few, _few + FEW);
    many->push_back(shape);
    _many = many.release();
  }
  _size++;
}

void ShapeList::missing(int index) const {
  throw missing_shape(fmt::format("[ShapeList] shape {} is outside 0..{}", index, size() - 1), index);
}

void ShapeList::destroy() {
  if (!_workspace) {
    const auto& interned = ConstantShapeHelper::getInstance();
    const auto foreign =
        std::remove_if(shapes(), shapes() + _size, [&](const LongType* shape) { return interned.isInterned(shape); });
    // The list may contain a buffer more than once.
    std::sort(shapes(), foreign);
    std::for_each(shapes(), std::unique(shapes(), foreign), [](const LongType* shape) {
      memory::releaseAdopted(const_cast<LongType*>(shape));  // allocated by new[] or ALLOCATE
    });
  }
  if (_size > FEW) delete _many;
  _size = 0;
}

void ShapeList::detach() {
  for (const LongType** shape = shapes(); shape != shapes() + _size; shape++) {
    if (!*shape) continue;
    const int n = shape::shapeInfoLength(*shape);
    auto* copy = new LongType[n];
    std::copy_n(*shape, n, copy);
    *shape = copy;
  }
  _workspace = false;
}

}  // namespace sd
