// The distance of a point to a box, with which nearest-neighbour searches skip boxes.
// operations: knn_mindistance
#include <ops/declarable/headers/kernels.h>

#include <cmath>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {

CUSTOM_OP_IMPL(knn_mindistance, 3, 1, false, 0, 0) {
  const NDArray &point = *INPUT_VARIABLE(0), &lowest = *INPUT_VARIABLE(1), &highest = *INPUT_VARIABLE(2);
  const auto check = [&](const NDArray& corner, int index, const char* name) {
    if (corner.lengthOf() != point.lengthOf())
      reject("input {} '{}': its shape is {}, but input 0 'point' has shape {}", index, name, text(corner),
             text(point));
    if (corner.dataType() != point.dataType())
      reject("input {} '{}': its type is {}, but input 0 'point' has type {}", index, name,
             DataTypeUtils::describe(corner.dataType()), DataTypeUtils::describe(point.dataType()));
  };
  check(lowest, 1, "lowest");
  check(highest, 2, "highest");
  const Dense p(point, DOUBLE), low(lowest, DOUBLE), high(highest, DOUBLE);
  double sum = 0;
  for (LongType i = 0; i < point.lengthOf(); i++) {
    const double at = p.as<double>()[i], below = low.as<double>()[i] - at, above = at - high.as<double>()[i];
    if (below > 0)
      sum += below * below;
    else if (above > 0)
      sum += above * above;
  }
  OUTPUT_VARIABLE(0)->p(0, std::sqrt(sum));
  return Status::OK;
}
INFERRED_SHAPES(knn_mindistance)
DECLARE_SCHEMA(knn_mindistance) {
  schema.summary("The distance of a point to the nearest point of a box; 0 inside.")
      .formula(
          "z = sqrt(sum of (lowest - point)^2 where point < lowest and (point - highest)^2 where point > highest)");
  schema.input("point", "any shape");
  schema.input("lowest", "the length and type of point");
  schema.input("highest", "the length and type of point");
  schema.output("z", "a scalar of the type of point");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).infer([](Inference& in) {
    in.output(PartialShape::scalar(in.input(0).type()));
  });
  schema.example(R"({"point": [4.0, 5.0], "lowest": [0.0, 0.0], "highest": [1.0, 1.0]})")
      .words("nearest neighbour, k-d tree, box, distance")
      .see("cell_contains");
  schema.gradient([](Gradient& g) {
    const Symbol point = g.input(0), zero = g.constant(0, point);
    const Symbol below = g.call("maximum", {g.input(1) - point, zero});
    const Symbol above = g.call("maximum", {point - g.input(2), zero});
    const Symbol factor = g.call("divide_no_nan", {g.of(), g.output()});
    g.set(0, (above - below) * factor);
    g.set(1, below * factor);
    g.set(2, -(above * factor));
  });
}

}  // namespace sd::ops
