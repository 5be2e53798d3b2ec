// Operands of the class templates in functions::…, whose template parameters are the element types.
#ifndef NDFORGE_LOOPS_TYPEDOPERANDS_H
#define NDFORGE_LOOPS_TYPEDOPERANDS_H

#include <array/ArrayOptions.h>
#include <array/DataTypeUtils.h>
#include <loops/Executor.h>

#include <stdexcept>
#include <string>

namespace sd::loops {

/// @throws std::runtime_error, naming `method`, when `info` describes elements of another type than T
template <typename T>
void requireElements(const char* method, const char* operand, const LongType* info) {
  const DataType type = info == nullptr ? INHERIT : ArrayOptions::dataType(info);
  if (type != DataTypeUtils::fromT<T>())
    throw std::runtime_error(std::string("[") + method + "] " + operand + ": its type is " +
                             DataTypeUtils::describe(type) + ", not " +
                             DataTypeUtils::describe(DataTypeUtils::fromT<T>()));
}

template <typename T>
In typedIn(const char* method, const char* operand, const void* data, const LongType* info) {
  requireElements<T>(method, operand, info);
  return {data, info};
}
template <typename T>
Out typedOut(const char* method, void* data, const LongType* info) {
  requireElements<T>(method, "z", info);
  return {data, info};
}

}  // namespace sd::loops

#endif
