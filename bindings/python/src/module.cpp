// The extension module of the package ndforge.
#include <ops/declarable/OpRegistrator.h>
#include <array/TypePromotion.h>
#include <array/NDArrayFile.h>
#include <array/NDArrayText.h>
#include <legacy/NativeOpsBindings.h>

#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core.h"

namespace ndforge {

namespace {

void defineLibrary(nb::module_& module) {
  module.def("describe", [](const std::string& operation) {
    const char* text = describeOperation(operation.c_str());
    if (text == nullptr) throw nb::value_error(("there is no operation '" + operation + "'").c_str());
    return text;
  }, nb::arg("operation"), "The JSON description of an operation of the registry.");
  // .npy files hold one array, .npz files several with names.
  const auto isSingle = [](const std::string& file) { return file.ends_with(".npy"); };
  module.def("_save", [isSingle](const std::string& file, const std::vector<std::pair<std::string, nb::object>>& arrays) {
    std::map<std::string, NDArray> named;
    for (const auto& [name, array] : arrays) named.emplace(name, arrayOnly(array));
    if (!isSingle(file) && !file.ends_with(".npz"))
      throw nb::value_error(("[save] '" + file + "' ends neither in .npy nor in .npz").c_str());
    if (isSingle(file) && named.size() != 1)
      throw nb::value_error("[save] a .npy file holds one array; several go into a .npz file");
    if (isSingle(file))
      sd::saveNpy(named.begin()->second, file);
    else
      sd::saveNpz(named, file);
  });
  module.def("_load", [isSingle](const std::string& file) {
    nb::list list;
    if (isSingle(file)) {
      list.append(nb::make_tuple("", arrayObject(sd::loadNpy(file))));
    } else {
      for (auto& [name, array] : sd::loadNpz(file)) list.append(nb::make_tuple(name, arrayObject(std::move(array))));
    }
    return list;
  });
  module.def("_load_operations", [](const std::string& file) { sd::ops::loadOpLibrary(file); });
  module.def("result_type", [](nb::handle a, nb::handle b) {
    return typeObject(sd::promotedType(dataTypeOf(a), dataTypeOf(b)));
  });
  module.def("memory_limit", [] { return memoryLimit(); }, "The most bytes that arrays may take together; 0: no limit.");
  module.def("set_memory_limit", [](LongType bytes) {
    if (bytes < 0) throw nb::value_error("[set_memory_limit] a negative number of bytes");
    setMemoryLimit(bytes);
  }, nb::arg("bytes"), "Sets memory_limit(). Arrays beyond it raise MemoryError.");
  module.def("_text", [](nb::handle array, int indent, const std::string& separator, int precision, LongType threshold,
                         LongType edge, int width) {
    return sd::nd::text(arrayOnly(array), {.precision = precision, .threshold = threshold, .edge = edge,
                                                .width = width, .separator = separator.c_str(), .indent = indent});
  }, nb::arg("array"), nb::arg("indent"), nb::arg("separator"), nb::kw_only(), nb::arg("precision"),
             nb::arg("threshold"), nb::arg("edge"), nb::arg("width"));
  module.def("_broadcast", [](nb::handle array, const std::vector<LongType>& shape) {
    return arrayObject(broadcast(arrayOnly(array), shape));
  });
  module.def("_empty", [](const std::vector<LongType>& shape, nb::handle dtype) {
    return arrayObject(emptyArray(shape, dataTypeOf(dtype)));
  });
  // The inverse of NDArray.tobytes(), for arrays of numbers.
  module.def("_from_bytes", [](const nb::bytes& data, const std::vector<LongType>& shape, nb::handle dtype) {
    NDArray array = emptyArray(shape, dataTypeOf(dtype));
    const LongType size = array.isEmpty() ? 0 : array.lengthOf();
    if (array.isS() || static_cast<LongType>(data.size()) != size * static_cast<LongType>(array.sizeOfT()))
      throw nb::value_error("[array] the bytes are not those of an array of this shape");
    if (size != 0) std::memcpy(array.buffer(), data.c_str(), data.size());
    return arrayObject(std::move(array));
  });
}

}  // namespace

}  // namespace ndforge

NB_MODULE(_ndforge, module) {
  using namespace ndforge;
  nb::set_leak_warnings(false);  // element types and the tables of functions live as long as the process
  registerErrors();
  defineTypes(module);
  defineArrays(module);
  defineConversions(module);
  defineFunctions(module);
  defineReductions(module);
  defineGraphs(module);
  defineTraining(module);
  defineLibrary(module);
}
