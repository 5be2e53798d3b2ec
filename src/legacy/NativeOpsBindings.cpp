// C functions for bindings of other languages: results of calls, memory, text, files of arrays.
#include <array/NDArrayFactory.h>
#include <array/NDArrayFile.h>
#include <graph/Context.h>
#include <graph/VariablesSet.h>
#include <legacy/NativeOpsBindings.h>
#include <memory/MemoryCounter.h>
#include <system/Environment.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "array/ArrayText.h"
#include "legacy/Guard.h"
#include "legacy/LendingContext.h"
#include "legacy/Wrapped.h"

using namespace sd::legacy;
using sd::LongType;
using sd::NDArray;
using sd::Status;
using sd::graph::Variable;
using sd::graph::VariablesSet;
using sd::memory::MemoryCounter;
using sd::memory::MemoryType;

// ---- results of calls

int getGraphContextOutputCount(OpaqueContext* ptr) {
  return guarded(__func__, [&] { return required("ptr", ptr).numberOfOutputs(); });
}

OpaqueDataBuffer* getGraphContextOutput(OpaqueContext* ptr, int index, LongType const** shapeInfo) {
  return guarded(__func__, [&] {
    sd::graph::Context& context = required("ptr", ptr);
    const LongType*& info = required("shapeInfo", shapeInfo);
    const LendingContext::Use look(context, LendingContext::Use::LOOK, std::max(index, 0));
    const NDArray* array = index < 0 ? nullptr : context.optionalOutput(index);
    if (array == nullptr)
      sd::fail("argument 'index': there is no output {}, the context has {}", index, context.numberOfOutputs());
    OpaqueDataBuffer* buffer = sharedBuffer(*array);
    info = array->shapeInfo();
    return buffer;
  });
}

LongType dbOffset(OpaqueDataBuffer* dataBuffer) {
  return guarded(__func__, [&] { return static_cast<LongType>(required("dataBuffer", dataBuffer).offset()); });
}

// ---- memory

LongType allocatedMemory() {
  return guarded(__func__, [] { return MemoryCounter::getInstance().allocatedGroup(MemoryType::HOST); });
}

LongType memoryLimit() {
  return guarded(__func__, [] {
    const uint64_t most = sd::Environment::getInstance().maxPrimaryMemory();
    return std::in_range<LongType>(most) ? static_cast<LongType>(most) : 0;
  });
}

void setMemoryLimit(LongType bytes) {
  guarded(__func__, [&] {
    if (bytes < 0) sd::fail("argument 'bytes' is {}: it must not be negative", bytes);
    constexpr auto NONE = std::numeric_limits<uint64_t>::max();
    sd::Environment::getInstance().setMaxPrimaryMemory(bytes == 0 ? NONE : static_cast<uint64_t>(bytes));
  });
}

bool lastErrorIsMemory() { return storedErrorIsMemory(); }

// ---- text and files

char* arrayText(OpaqueDataBuffer* buffer, LongType const* shapeInfo, LongType limit) {
  const char* function = __func__;
  return guarded(function,
                 [&] { return copyOf(sd::indexedText(*sharedArray(function, "buffer", buffer, shapeInfo), limit)); });
}

char* arrayStrings(OpaqueDataBuffer* buffer, LongType const* shapeInfo, LongType** lengths) {
  const char* function = __func__;
  return guarded(function, [&] {
    LongType*& counts = required("lengths", lengths);
    const auto array = sharedArray(function, "buffer", buffer, shapeInfo);
    if (!array->isS()) sd::fail("argument 'buffer': its elements are no strings");
    auto sizes = std::make_unique<LongType[]>(static_cast<size_t>(array->lengthOf()) + 1);
    std::string text;
    for (LongType i = 0; i < array->lengthOf(); i++) {
      const auto element = array->e<std::string>(i);
      sizes[static_cast<size_t>(i)] = static_cast<LongType>(element.size());
      text += element;
    }
    char* copy = copyOf(text);
    counts = sizes.release();
    return copy;
  });
}

OpaqueDataBuffer* stringArray(const char* const* strings, LongType const* lengths, int count,
                              LongType const** shapeInfo) {
  return guarded(__func__, [&] {
    checkedList("strings", strings, count);
    checkedList("lengths", lengths, count);
    const LongType*& info = required("shapeInfo", shapeInfo);
    std::vector<std::string> texts;
    for (int i = 0; i < count; i++) {
      if (lengths[i] < 0) sd::fail("argument 'lengths': {} at [{}] is negative", lengths[i], i);
      texts.emplace_back(&required("strings", strings[i]), static_cast<size_t>(lengths[i]));
    }
    const NDArray array = sd::NDArrayFactory::string({static_cast<LongType>(count)}, texts);
    OpaqueDataBuffer* buffer = sharedBuffer(array);
    info = array.shapeInfo();
    return buffer;
  });
}

OpaqueVariablesSet* loadArrays(const char* path) {
  return guarded(__func__, [&] {
    required("path", path);
    auto set = std::make_unique<VariablesSet>(Status::OK);
    if (std::string_view(path).ends_with(".npy")) {
      set->push_back(new Variable(new NDArray(sd::loadNpy(path)), ""));
    } else {
      for (auto& [name, array] : sd::loadNpz(path))
        set->push_back(new Variable(new NDArray(std::move(array)), name.c_str()));
    }
    return set.release();
  });
}

Status saveArrays(const char* path, const char* const* arrayNames, OpaqueDataBuffer** arrays,
                  LongType const* const* shapes, int count) {
  const char* function = __func__;
  return guardedOr(Status::BAD_INPUT, function, [&] {
    required("path", path);
    const std::vector<std::string> keys = names("names", arrayNames, count);
    const auto values = sharedArrays(function, "arrays", "shapes", arrays, shapes, count);
    if (count == 1 && keys[0].empty()) {
      sd::saveNpy(*values[0], path);
      return Status::OK;
    }
    std::map<std::string, NDArray> entries;
    for (size_t i = 0; i < values.size(); i++)
      if (!entries.emplace(keys[i], *values[i]).second) sd::fail("argument 'names': '{}' occurs twice", keys[i]);
    sd::saveNpz(entries, path);
    return Status::OK;
  });
}

OpaqueDataBuffer* getVariableDataBuffer(OpaqueVariable* variable) {
  return guarded(__func__, [&] { return sharedBuffer(*required("variable", variable).getNDArray()); });
}
