// Operators of arrays of strings.
#ifndef NDFORGE_PYTHON_STRINGS_H
#define NDFORGE_PYTHON_STRINGS_H

#include "core.h"

namespace ndforge {

/// Whether the object is an array of strings.
bool holdsTexts(PyObject* object) noexcept;
/// left == right and the other comparisons, by their numbers in Python. One of both is an array of strings, or a text.
PyObject* compareTexts(PyObject* left, PyObject* right, int operation);
/// left + right, of which one is an array of strings.
PyObject* joinTexts(PyObject* left, PyObject* right);

}  // namespace ndforge

#endif
