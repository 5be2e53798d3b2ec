// Single elements of any type: conversion and typed access. Whole arrays are converted by loops::assign.
#ifndef NDFORGE_SRC_ARRAY_ELEMENTCONVERT_H
#define NDFORGE_SRC_ARRAY_ELEMENTCONVERT_H

#include <array/DataType.h>
#include <system/common.h>

#include <type_traits>

namespace sd::elements {

/// Bytes of one element. @throws sd::datatype_exception naming `op` for types that are not numbers
size_t sizeOfNumber(const char* op, DataType type);

/// *target = *source by the rules of docs/semantics.md, which are those of loops::assign.
/// @throws sd::datatype_exception for types that are not numbers
void convert(const void* source, DataType sourceType, void* target, DataType targetType);

/// Calls f(T{}) with the C++ type of `type`. @throws sd::datatype_exception naming `op`
template <typename F>
decltype(auto) withType(const char* op, DataType type, F&& f);

}  // namespace sd::elements

#include "array/ElementConvert.hpp"

#endif
