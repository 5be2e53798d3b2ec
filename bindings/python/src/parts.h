// The real and imaginary parts of arrays.
#ifndef NDFORGE_PYTHON_PARTS_H
#define NDFORGE_PYTHON_PARTS_H

#include "core.h"

namespace ndforge {

/// A view of every second one of the numbers that a complex array consists of, from the first (0) or the second (1) on.
NDArray partOf(const NDArray& array, LongType first);

/// x.real and x.imag
PyObject* getReal(PyObject* object, void*);
PyObject* getImaginary(PyObject* object, void*);
int setReal(PyObject* object, PyObject* value, void*);
int setImaginary(PyObject* object, PyObject* value, void*);

}  // namespace ndforge

#endif
