// Elements of arrays as Python values.
#ifndef NDFORGE_PYTHON_ELEMENTS_H
#define NDFORGE_PYTHON_ELEMENTS_H

#include "core.h"

namespace ndforge {

/// The only element, or the first one, as a new reference to a Python value.
PyObject* element(const NDArray& array);
/// All elements as nested lists; the element itself for an array without dimensions.
PyObject* nestedList(const NDArray& array);

/// The integer, or what __index__ gives. `what` is named in the error. @throws nb::python_error, nb::type_error
LongType integerOf(PyObject* object, const char* what);

}  // namespace ndforge

#endif
