// Single elements of any type: conversion and typed access. loops::assign converts whole arrays.
#ifndef NDFORGE_SRC_ARRAY_ELEMENTCONVERT_H
#define NDFORGE_SRC_ARRAY_ELEMENTCONVERT_H

#include <array/DataType.h>
#include <system/common.h>

#include <type_traits>

namespace sd::elements {

/// Bytes per element. @throws sd::datatype_exception naming `op` for types that are not numeric
size_t sizeOfNumber(const char* op, DataType type);

/// *target = *source by the rules of docs/semantics.md, which loops::assign follows as well.
/// @throws sd::datatype_exception for types that are not numeric
void convert(const void* source, DataType sourceType, void* target, DataType targetType);

/// Calls f(T{}) with the C++ type of `type`. @throws sd::datatype_exception naming `op`
template <typename F>
decltype(auto) withType(const char* op, DataType type, F&& f);

}  // namespace sd::elements

#include "array/ElementConvert.hpp"

#endif
