// Element types as Python objects: ndforge.float32 and others.
#include <array/DataTypeUtils.h>

#include <array>
#include <string_view>

#include "core.h"

namespace ndforge {

namespace {

struct TypeName {
  DataType type;
  const char* name;
};

constexpr TypeName NAMES[] = {{sd::BOOL, "bool"},       {sd::INT8, "int8"},         {sd::INT16, "int16"},
                              {sd::INT32, "int32"},     {sd::INT64, "int64"},       {sd::UINT8, "uint8"},
                              {sd::UINT16, "uint16"},   {sd::UINT32, "uint32"},     {sd::UINT64, "uint64"},
                              {sd::HALF, "float16"},    {sd::BFLOAT16, "bfloat16"}, {sd::FLOAT32, "float32"},
                              {sd::DOUBLE, "float64"},  {sd::COMPLEX64, "complex64"}, {sd::COMPLEX128, "complex128"},
                              {sd::UTF8, "utf8"},         {sd::UTF16, "utf16"},
                              {sd::UTF32, "utf32"}};
/// What else types are called, by Python, NumPy, PyTorch and the library itself.
constexpr TypeName OTHERS[] = {{sd::BOOL, "bool_"},  {sd::HALF, "half"},    {sd::FLOAT32, "float"},
                               {sd::DOUBLE, "double"}, {sd::UTF8, "str"},   {sd::UTF8, "str_"}, {sd::INT64, "long"},
                               {sd::INT32, "intc"},    {sd::COMPLEX64, "cfloat"}, {sd::COMPLEX128, "cdouble"}};

PyObject* objects[std::size(NAMES)];  // one object for each type, which module objects keep

std::optional<DataType> find(std::string_view name) {
  for (const TypeName& row : NAMES)
    if (name == row.name) return row.type;
  for (const TypeName& row : OTHERS)
    if (name == row.name) return row.type;
  return std::nullopt;
}

/// The name of a type of another library: dtype('float32'), numpy.float32, torch.float32.
std::string foreignName(nb::handle object) {
  for (const char* attribute : {"name", "__name__"}) {
    const nb::object name = nb::getattr(object, attribute, nb::none());
    if (nb::isinstance<nb::str>(name)) return textOf(name);
  }
  std::string text = textOf(nb::str(object));
  return text.substr(text.rfind('.') + 1);
}

}  // namespace

const char* nameOf(DataType type) {
  for (const TypeName& row : NAMES)
    if (row.type == type) return row.name;
  return "unknown";
}

nb::object typeObject(DataType type) {
  for (size_t i = 0; i < std::size(NAMES); i++)
    if (NAMES[i].type == type) return nb::borrow(objects[i]);
  return nb::none();
}

DataType dataTypeOf(nb::handle object) {
  if (nb::isinstance<DType>(object)) return nb::cast<DType&>(object).type;
  if (object.is(reinterpret_cast<PyObject*>(&PyBool_Type))) return sd::BOOL;
  if (object.is(reinterpret_cast<PyObject*>(&PyLong_Type))) return sd::INT64;
  if (object.is(reinterpret_cast<PyObject*>(&PyFloat_Type))) return sd::DOUBLE;
  if (object.is(reinterpret_cast<PyObject*>(&PyComplex_Type))) return sd::COMPLEX128;
  if (object.is(reinterpret_cast<PyObject*>(&PyUnicode_Type))) return sd::UTF8;
  const std::string name = nb::isinstance<nb::str>(object) ? textOf(object) : foreignName(object);
  if (const auto type = find(name)) return *type;
  throw nb::type_error(("there is no element type '" + name + "'; types are bool, int8, int16, int32, int64, uint8, "
                        "uint16, uint32, uint64, float16, bfloat16, float32, float64, complex64, complex128 and utf8").c_str());
}

std::optional<DataType> optionalType(nb::handle object) {
  if (object.is_none()) return std::nullopt;
  return dataTypeOf(object);
}

void defineTypes(nb::module_& module) {
  nb::class_<DType>(module, "DType", "The type of the elements of an array.")
      .def_prop_ro("name", [](const DType& self) { return nameOf(self.type); })
      .def_prop_ro("itemsize", [](const DType& self) { return sd::DataTypeUtils::sizeOf(self.type); },
                   "Bytes of an element.")
      .def_prop_ro("kind",
                   [](const DType& self) {
                     using U = sd::DataTypeUtils;
                     const DataType type = self.type;
                     if (type == sd::BOOL) return "b";
                     return U::isR(type) ? "f" : U::isC(type) ? "c" : U::isS(type) ? "U" : U::isU(type) ? "u" : "i";
                   },
                   "b, i, u, f, c or U, as in NumPy.")
      .def("__repr__", [](const DType& self) { return std::string("ndforge.") + nameOf(self.type); })
      .def("__str__", [](const DType& self) { return nameOf(self.type); })
      .def("__hash__", [](const DType& self) { return static_cast<int>(self.type); })
      .def("__eq__",
           [](const DType& self, nb::handle other) {
             try {
               return !other.is_none() && dataTypeOf(other) == self.type;
             } catch (const nb::builtin_exception&) {
               return false;
             }
           },
           nb::arg("other").none())
      .def("__reduce__", [](const DType& self) { return self.type == sd::BOOL ? std::string("bool_") : nameOf(self.type); });
  for (size_t i = 0; i < std::size(NAMES); i++) {
    nb::object object = nb::cast(DType{NAMES[i].type});
    objects[i] = object.inc_ref().ptr();
    const std::string_view name = NAMES[i].name;
    module.attr(name == "bool" ? "bool_" : NAMES[i].name) = object;
  }
}

}  // namespace ndforge
