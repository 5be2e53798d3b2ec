#include <array/NDArrayFactory.h>
#include <indexing/NDIndexUtils.h>

namespace sd {

namespace {

NDArray indices(const std::vector<LongType>& values) { return NDArrayFactory::create<LongType>(values); }

}  // namespace

NDArray NDIndexUtils::createInterval(LongType start, LongType end, LongType stride, LongType inclusive) {
  return indices({INTERVAL_TYPE, 2, 1, start, end, stride, inclusive});
}

NDArray NDIndexUtils::createPoint(LongType position) { return indices({POINT_TYPE, 1, 1, position, 1}); }

NDArray NDIndexUtils::createNewAxis() { return indices({NEW_AXIS, 1, 1, 0, 1}); }

NDArray NDIndexUtils::createAll() { return indices({ALL_TYPE, 0, 1, 1}); }

}  // namespace sd
