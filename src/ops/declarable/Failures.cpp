#include "ops/declarable/Failures.h"

#include <array/NDArray.h>
#include <array/ShapeList.h>
#include <cxxabi.h>
#include <exceptions/allocation_exception.h>
#include <exceptions/datatype_exception.h>
#include <helpers/ShapeUtils.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/Schema.h>

#include <new>
#include <stdexcept>
#include <typeinfo>
#include <vector>

#include "system/Error.h"

namespace sd::ops {
namespace {

std::string listed(const std::vector<NDArray*>& arrays) {
  std::string text;
  for (const NDArray* array : arrays) {
    if (!text.empty()) text += ", ";
    text += array == nullptr
                ? "none"
                : fmt::format("{} {}", DataTypeUtils::describe(array->dataType()), ShapeUtils::shapeAsString(array));
  }
  return text.empty() ? "none" : text;
}

[[noreturn]] void outOfMemory(const std::string& name, const graph::Context& block) {
  std::vector<NDArray*> inputs, outputs;
  for (int i = 0, n = static_cast<int>(block.width()); i < n; i++) inputs.push_back(block.optionalArray(i));
  for (int i = 0, n = block.numberOfOutputs(); i < n; i++) outputs.push_back(block.optionalOutput(i));
  LongType elements = 0;
  for (const auto* arrays : {&inputs, &outputs})
    for (const NDArray* array : *arrays) elements += array == nullptr ? 0 : array->lengthOf();
  throw allocation_exception(
      fmt::format("[{}] there is not enough memory to work on {} elements (inputs: {}; outputs: {})", name, elements,
                  listed(inputs), listed(outputs)));
}

/// If the exception being handled has exactly the type E, throws an E with the operation's name in its place.
template <typename E>
void rethrowAs(const std::exception& error, const std::string& name) {
  if (typeid(error) == typeid(E)) throw E(named(error.what(), name));
}

}  // namespace

bool isNamed(std::string_view message, const std::string& name) {
  return message.size() > name.size() + 1 && message[0] == '[' && message.substr(1, name.size()) == name &&
         message[name.size() + 1] == ']';
}

std::string named(std::string_view message, const std::string& name) {
  if (isNamed(message, name)) return std::string(message);
  const size_t end = message.find("] ");
  if (!message.empty() && message[0] == '[' && end != std::string_view::npos)
    return fmt::format("[{}] {}: {}", name, message.substr(1, end - 1), message.substr(end + 2));
  return fmt::format("[{}] {}", name, message);
}

void rethrowNamed(const std::string& name, const graph::Context& block) {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    outOfMemory(name, block);
  } catch (const std::length_error&) {  // thrown for a container that is larger than any memory
    outOfMemory(name, block);
  } catch (const missing_shape& missing) {
    fail<std::runtime_error>("[{}] input {} is missing: {} given", name, missing.index(), block.width());
  } catch (const std::exception& error) {
    if (isNamed(error.what(), name)) throw;
    rethrowAs<std::invalid_argument>(error, name);
    rethrowAs<std::runtime_error>(error, name);
    rethrowAs<std::out_of_range>(error, name);
    rethrowAs<std::logic_error>(error, name);
    rethrowAs<std::domain_error>(error, name);
    rethrowAs<allocation_exception>(error, name);
    rethrowAs<datatype_exception>(error, name);
    throw;
  } catch (abi::__forced_unwind&) {
    throw;  // thread cancellation must continue
  } catch (...) {
    fail<std::runtime_error>("[{}] threw an object that is not a std::exception", name);
  }
}

std::string quotedInputName(DeclarableOp& op, int index) {
  const std::vector<InputRow>& rows = op.schema().inputs();
  const auto place = static_cast<size_t>(index);
  return place < rows.size() ? fmt::format(" '{}'", rows[place].name()) : std::string();
}

}  // namespace sd::ops
