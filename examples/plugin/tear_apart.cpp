// tear_apart: gives each sub-array of x that spans the given dimensions as a separate output, in c order of the other
// dimensions.
#include <helpers/ConstantTadHelper.h>
#include <ops/declarable/CustomOperations.h>

#include <algorithm>

namespace sd::ops {

DECLARE_CUSTOM_OP(tear_apart, 1, -1, false, 0, -1)

CUSTOM_OP_IMPL(tear_apart, 1, -1, false, 0, -1) {
  const auto parts = INPUT_VARIABLE(0)->allTensorsAlongDimension(*block.getIArguments());
  for (int i = 0; i < parts.size(); i++) OUTPUT_VARIABLE(i)->assign(*parts.at(static_cast<unsigned long>(i)));
  return Status::OK;
}

DECLARE_SHAPE_FN(tear_apart) {
  const LongType* x = inputShape->at(0);
  std::vector<int> dimensions(*block.getIArguments());
  for (int d : dimensions)
    REQUIRE_TRUE(d >= 0 && d < shape::rank(x), 0, "dimension %i is outside 0..%i", d, shape::rank(x) - 1);
  std::sort(dimensions.begin(), dimensions.end());
  REQUIRE_TRUE(std::adjacent_find(dimensions.begin(), dimensions.end()) == dimensions.end(), 0,
               "a dimension is given more than once");

  std::vector<LongType> sizes;
  LongType parts = 1;
  for (int d = 0; d < shape::rank(x); d++) {
    if (std::binary_search(dimensions.begin(), dimensions.end(), d))
      sizes.push_back(shape::shapeOf(x)[d]);
    else
      parts *= shape::shapeOf(x)[d];
  }
  auto shapes = SHAPELIST();
  const auto part = ConstantShapeHelper::getInstance().createShapeInfo(ArrayOptions::dataType(x), 'c', sizes);
  for (LongType i = 0; i < parts; i++) shapes->push_back(part);
  return shapes;
}

DECLARE_TYPES(tear_apart) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->schema().summary(
      "Splits an array along dimensions into all its sub-arrays.");
}

}  // namespace sd::ops
