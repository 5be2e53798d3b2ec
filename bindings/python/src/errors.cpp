// C++ exceptions as Python errors.
#include <exceptions/allocation_exception.h>
#include <exceptions/datatype_exception.h>
#include <exceptions/graph_execution_exception.h>

#include <new>
#include <stdexcept>
#include <typeinfo>

#include "core.h"

namespace ndforge {

std::string textOf(nb::handle text) {
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) throw nb::python_error();
  return {bytes, static_cast<size_t>(size)};
}

std::string shown(nb::handle object) {
  const nb::object text = nb::steal(PyObject_Repr(object.ptr()));
  if (!text.is_valid()) throw nb::python_error();
  const nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace"));
  char* begin = nullptr;
  Py_ssize_t size = 0;
  if (!bytes.is_valid() || PyBytes_AsStringAndSize(bytes.ptr(), &begin, &size) != 0) throw nb::python_error();
  return {begin, static_cast<size_t>(size)};
}

void setError() noexcept {
  try {
    throw;
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const nb::builtin_exception& error) {
    const bool isType = error.type() == nb::exception_type::type_error,
               isIndex = error.type() == nb::exception_type::index_error,
               isBuffer = error.type() == nb::exception_type::buffer_error;
    PyErr_SetString(isType     ? PyExc_TypeError
                    : isIndex  ? PyExc_IndexError
                    : isBuffer ? PyExc_BufferError
                               : PyExc_ValueError,
                    error.what());
  } catch (const std::bad_alloc&) {
    PyErr_SetString(PyExc_MemoryError, "out of memory");
  } catch (const sd::allocation_exception& error) {
    PyErr_SetString(PyExc_MemoryError, error.what());
  } catch (const sd::datatype_exception& error) {
    PyErr_SetString(PyExc_TypeError, error.what());
  } catch (const std::bad_cast&) {
    PyErr_SetString(PyExc_TypeError, "a value is not of the type that is needed");
  } catch (const std::out_of_range& error) {
    PyErr_SetString(PyExc_IndexError, error.what());
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "unknown error");
  }
}

void registerErrors() {
  nb::register_exception_translator(
      [](const std::exception_ptr& exception, void*) {
        try {
          std::rethrow_exception(exception);
        } catch (const nb::python_error&) {
          throw;  // nanobind's own
        } catch (const nb::builtin_exception&) {
          throw;
        } catch (...) {
          setError();
        }
      });
}

}  // namespace ndforge
