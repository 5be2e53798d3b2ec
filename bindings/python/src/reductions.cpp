// Reductions along axes, with the rules of NumPy's methods: sum, prod, mean, max, min.
#include <ops/declarable/headers/reduce.h>

#include <algorithm>
#include <cmath>

#include "core.h"
#include "elements.h"

namespace ndforge {

namespace {

enum class Takes { Any, Wide, Real, Some };  // any type, 64-bit integers, real or complex numbers, at least one element

struct Row {
  const char *name, *operation;
  sd::loops::ReduceOp number;  // what the operation calls
  Takes takes;
};

constexpr Row ROWS[] = {{"sum", "reduce_sum", sd::reduce::Sum, Takes::Wide},
                        {"prod", "reduce_prod", sd::reduce::Prod, Takes::Wide},
                        {"mean", "reduce_mean", sd::reduce::Mean, Takes::Real},
                        {"max", "reduce_max", sd::reduce::Max, Takes::Some},
                        {"min", "reduce_min", sd::reduce::Min, Takes::Some}};

/// The axes, none of them negative: all for None.
std::vector<int> axesOf(nb::handle axis, int rank) {
  std::vector<int> axes;
  const auto add = [&](nb::handle one) {
    const LongType number = integerOf(one.ptr(), "axis");
    if (number < -rank || number >= rank)
      throw nb::index_error(("axis " + std::to_string(number) + " is outside " + std::to_string(-rank) + ".." +
                             std::to_string(rank - 1)).c_str());
    axes.push_back(static_cast<int>(number < 0 ? number + rank : number));
    if (std::count(axes.begin(), axes.end(), axes.back()) > 1)
      throw nb::value_error(("an axis is given twice: " + std::to_string(number)).c_str());
  };
  if (axis.is_none())
    for (int d = 0; d < rank; d++) axes.push_back(d);
  else if (PyIndex_Check(axis.ptr()) != 0)
    add(axis);
  else
    for (nb::handle one : axis) add(one);
  return axes;
}

DataType typeFor(Takes takes, DataType type) {
  if (takes == Takes::Wide && (type == sd::BOOL || sd::DataTypeUtils::isZ(type)))
    return sd::DataTypeUtils::isU(type) ? sd::UINT64 : sd::INT64;
  if (takes == Takes::Real && !sd::DataTypeUtils::isR(type) && !sd::DataTypeUtils::isC(type)) return sd::DOUBLE;
  return type;
}

/// The operation, or what it calls for arrays that have elements.
NDArray computed(const Row& row, NDArray& x, const sd::ops::args::Reduction& arguments) {
  if (!x.hasElements() || x.isS() || x.isC())
    return callOne(row.operation, {&x}, &sd::ops::argumentStruct<sd::ops::args::Reduction>, &arguments);
  if (arguments.axis.size() == static_cast<size_t>(x.rankOf()) && !arguments.keepDims) return x.reduceNumber(row.number);
  return x.reduceAlongDimension(row.number, arguments.axis, arguments.keepDims);
}

NDArray reduced(const Row& row, NDArray& given, nb::handle axis, std::optional<DataType> dtype, bool keepDims) {
  const std::vector<LongType> shape = shapeOf(given);
  sd::ops::args::Reduction arguments{axesOf(axis, static_cast<int>(shape.size())), keepDims};
  std::vector<LongType> expected;
  for (size_t d = 0; d < shape.size(); d++) {
    const bool isReduced = std::count(arguments.axis.begin(), arguments.axis.end(), static_cast<int>(d)) != 0;
    if (isReduced && shape[d] == 0 && row.takes == Takes::Some)
      throw nb::value_error((std::string("[") + row.name + "] there is no " + row.name + "imum of no elements").c_str());
    if (!isReduced || keepDims) expected.push_back(isReduced ? 1 : shape[d]);
  }
  const Unlocked unlocked(given.lengthOf() > LOCKED_ELEMENTS);
  const DataType type = dtype ? *dtype : typeFor(row.takes, given.dataType());
  std::optional<NDArray> own;
  if (type != given.dataType()) own.emplace(converted(given, type));
  if (arguments.axis.empty()) {  // without axes each element is reduced alone
    std::vector<LongType> longer = shape;
    longer.push_back(1);
    own.emplace(reshaped(own ? *own : given, longer));
    arguments.axis.push_back(static_cast<int>(shape.size()));
    arguments.keepDims = false;
  }
  NDArray result = computed(row, own ? *own : given, arguments);
  return shapeOf(result) == expected ? std::move(result) : reshaped(result, expected);
}

}  // namespace

void defineReductions(nb::module_& module) {
  // Their sum is sooner known than which of them are NaN. That of infinities may be NaN as well.
  module.def("_may_have_nan", [](nb::handle array) {
    NDArray& x = arrayOnly(array);
    if (!x.isR() || !x.hasElements()) return false;
    const Unlocked unlocked(x.lengthOf() > LOCKED_ELEMENTS);
    return std::isnan(x.reduceNumber(sd::reduce::Sum).e<double>(0));
  });
  for (const Row& row : ROWS)
    module.def((std::string("_") + row.name).c_str(),
               [&row](nb::handle array, nb::handle axis, nb::handle dtype, nb::handle keepDims) {
                 const int keeps = PyObject_IsTrue(keepDims.ptr());
                 if (keeps < 0) throw nb::python_error();
                 return arrayObject(reduced(row, arrayOnly(array), axis, optionalType(dtype), keeps != 0));
               },
               nb::arg("array"), nb::arg("axis").none(), nb::arg("dtype").none(), nb::arg("keepdims").none());
}

}  // namespace ndforge
