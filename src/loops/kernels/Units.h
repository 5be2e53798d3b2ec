// How the compilation units of compilation_units/kernels fill the table of their instruction set.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_UNITS_H
#define NDFORGE_SRC_LOOPS_KERNELS_UNITS_H

#include <loops/OpList.h>

#include <type_traits>

#include "loops/kernels/KernelTable.h"
#include "loops/kernels/OpNames.h"
#include "simd/StoredTypes.h"

namespace sd::simd {

// Templates, so that code for a type without kernels is never compiled. Each unit defines and instantiates one.
template <typename T>
void fillBinary(KernelTable& table);
template <typename T>
void fillTests(KernelTable& table);
template <typename T>
void fillUnary(KernelTable& table);
template <typename T>
void fillReduce(KernelTable& table);
/// Conversions from storage type `From` to all others.
template <int From>
void fillConvert(KernelTable& table);

/// The place in the table of a type in which kernels compute.
template <typename T>
inline constexpr StorageType computeType = STORAGE_TYPES;
#define SD_COMPUTES_IN(TYPE, NAME, CXX, STORAGE, STORED, ...) \
  template <>                                                 \
  inline constexpr StorageType computeType<STORED> = STORAGE;
SD_ELEMENT_TYPES(SD_COMPUTES_IN)
#undef SD_COMPUTES_IN

/// Whether an operation has a kernel that computes in T.
template <template <typename...> class Op, typename T>
inline constexpr bool computesIn = !Op<T>::computesInFloat || std::is_floating_point_v<T>;

}  // namespace sd::simd

/// table.GROUP[NUMBER][type] = KERNEL<functor, T>(), if the functor computes in T and is part of the build.
#define SD_PUT_KERNEL(GROUP, KERNEL, NUMBER, FUNCTOR)                                 \
  if constexpr (::sd::loops::isBuilt(#FUNCTOR) && ::sd::simd::computesIn<FUNCTOR, T>) \
    table.GROUP[NUMBER][::sd::simd::computeType<T>] = KERNEL<FUNCTOR, T>();

#endif
