# Compiles the kernels once for each instruction set and hides all symbols of each set but one.
#
# An inline or template function has the same symbol name in units that are compiled with different flags, and the
# linker may keep the AVX-512 definition for all of them. So the units of one set are first linked into one relocatable
# object (with COMDAT groups dissolved), and objcopy keeps only the function that returns the kernel table global. Every
# other function, including those of the standard library and xsimd, has a private copy in each set. These units are
# compiled without link-time optimisation.
#
# Sets SD_KERNEL_OBJECTS (one prelinked object for each set), SD_ISA_NAMES, and the target ndforge_kernels.

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(SD_ISA_ALL x86-64-v2 x86-64-v3 x86-64-v4)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(SD_ISA_ALL neon)
else()
  set(SD_ISA_ALL generic)
endif()
if(SD_INSTRUCTION_SETS)
  foreach(isa IN LISTS SD_INSTRUCTION_SETS)
    if(NOT isa IN_LIST SD_ISA_ALL)
      message(FATAL_ERROR "SD_INSTRUCTION_SETS: '${isa}' is not an instruction set of ${CMAKE_SYSTEM_PROCESSOR}; its sets are ${SD_ISA_ALL}")
    endif()
  endforeach()
  set(SD_ISA_NAMES ${SD_INSTRUCTION_SETS})
else()
  set(SD_ISA_NAMES ${SD_ISA_ALL})
endif()

find_program(SD_OBJCOPY NAMES ${CMAKE_OBJCOPY} objcopy REQUIRED)
# GNU's linker is needed: LLVM's linker, which CMake prefers for Clang, cannot dissolve COMDAT groups.
set(SD_LINKERS ${CMAKE_LINKER} ld.bfd ld)
list(FILTER SD_LINKERS EXCLUDE REGEX "lld")
find_program(SD_LD NAMES ${SD_LINKERS} REQUIRED)
find_path(SD_XSIMD_INCLUDE xsimd/xsimd.hpp REQUIRED)
file(STRINGS "${SD_XSIMD_INCLUDE}/xsimd/config/xsimd_config.hpp" version REGEX "define XSIMD_VERSION_MAJOR ")
string(REGEX MATCH "[0-9]+$" version "${version}")
if(version LESS 8)
  message(FATAL_ERROR "xsimd 8 or later is needed, ${SD_XSIMD_INCLUDE} has ${version}; Debian 12 and Ubuntu 24.04 are new enough")
endif()

# float and double are always built because the other types compute in them. BOOL computes in int8, sums of BOOL in
# int64, counts and tests of BOOL in uint8.
set(SD_KERNEL_TYPES_OF_BUILD FLOAT32 DOUBLE ${SD_TYPES_OF_BUILD})
if("BOOL" IN_LIST SD_TYPES_OF_BUILD)
  list(APPEND SD_KERNEL_TYPES_OF_BUILD INT8 UINT8 INT64)
endif()

# Functors compare their lower-case names with this list (loops/kernels/OpNames.h).
set(SD_OPERATION_DEFINITION)
if(SD_OPERATIONS)
  string(TOLOWER ":${SD_OPERATIONS};${SD_OPERATIONS_OF_BODIES}:" list)
  string(REPLACE ";" ":" list "${list}")
  set(SD_OPERATION_DEFINITION "SD_OPERATION_LIST=\"${list}\"")
endif()

set(SD_KERNEL_OBJECTS)
set(SD_ISA_DECLARATIONS)
set(SD_ISA_ENTRIES)
foreach(isa IN LISTS SD_ISA_NAMES)
  string(MAKE_C_IDENTIFIER "${isa}" id)
  set(SD_ISA_NAME "${isa}")
  set(SD_ISA_SYMBOL "ndforge_kernels_${id}")
  set(SD_ISA_FILL "")
  set(dir "${PROJECT_BINARY_DIR}/kernels/${id}")
  set(units)
  foreach(enum IN LISTS SD_NUMBER_TYPES)
    list(GET SD_KERNEL_${enum} 0 SD_KERNEL_STORAGE)
    list(GET SD_KERNEL_${enum} 1 SD_KERNEL_TYPE)
    list(GET SD_KERNEL_${enum} 2 arithmetic)
    list(GET SD_KERNEL_${enum} 3 kind)
    configure_file("${CMAKE_CURRENT_SOURCE_DIR}/compilation_units/kernels/convert.cpp.in" "${dir}/convert_${SD_KERNEL_STORAGE}.cpp" @ONLY)
    list(APPEND units "${dir}/convert_${SD_KERNEL_STORAGE}.cpp")
    string(APPEND SD_ISA_FILL "  fillConvert<${SD_KERNEL_STORAGE}>(table);\n")
    # kernels compute in the types whose arithmetic is done in the type itself
    if(NOT arithmetic STREQUAL SD_KERNEL_TYPE OR NOT enum IN_LIST SD_KERNEL_TYPES_OF_BUILD)
      continue()
    endif()
    set(SD_KERNEL_IS_INTEGER 1)
    if(kind STREQUAL "Real")
      set(SD_KERNEL_IS_INTEGER 0)
    endif()
    foreach(family binary tests unary reduce)
      set(unit "${dir}/${family}_${SD_TYPE_NAME_${enum}}.cpp")
      configure_file("${CMAKE_CURRENT_SOURCE_DIR}/compilation_units/kernels/${family}.cpp.in" "${unit}" @ONLY)
      list(APPEND units "${unit}")
      # An operation gives the same bits in its own loop and as a step of a chain, so the compiler must not join
      # products and sums as it finds them there. Reductions are loops of their own, and faster when it does.
      if(NOT family STREQUAL "reduce")
        set_source_files_properties("${unit}" PROPERTIES COMPILE_OPTIONS "-ffp-contract=off")
      endif()
    endforeach()
    set(type "${SD_KERNEL_TYPE}")
    string(APPEND SD_ISA_FILL "  fillBinary<${type}>(table);\n  fillTests<${type}>(table);\n  fillUnary<${type}>(table);\n  fillReduce<${type}>(table);\n")
  endforeach()
  foreach(unit sort random table)
    configure_file("${CMAKE_CURRENT_SOURCE_DIR}/compilation_units/kernels/${unit}.cpp.in" "${dir}/${unit}.cpp" @ONLY)
    list(APPEND units "${dir}/${unit}.cpp")
  endforeach()
  # equal states give equal numbers with every instruction set, so products and sums are rounded on their own
  set_source_files_properties("${dir}/random.cpp" PROPERTIES COMPILE_OPTIONS "-ffp-contract=off")
  if(Highway_FOUND)
    # the option keeps GCC from copying Highway's tables to the stack wherever it reads them
    set_source_files_properties("${dir}/sort.cpp" PROPERTIES COMPILE_DEFINITIONS NDFORGE_HIGHWAY
                                COMPILE_OPTIONS -fmerge-all-constants)
  endif()

  add_library(ndforge_kernels_${id} OBJECT ${units})
  target_include_directories(ndforge_kernels_${id} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/include" "${SD_GENERATED_INCLUDE}"
                             "${CMAKE_CURRENT_SOURCE_DIR}/src")
  target_include_directories(ndforge_kernels_${id} SYSTEM PRIVATE "${SD_XSIMD_INCLUDE}")
  target_link_libraries(ndforge_kernels_${id} PRIVATE ndforge_kernel_options)
  if(Highway_FOUND)
    target_link_libraries(ndforge_kernels_${id} PRIVATE Highway::contrib)
  endif()
  target_compile_options(ndforge_kernels_${id} PRIVATE $<$<NOT:$<OR:$<CONFIG:Debug>,$<BOOL:${SD_SANITIZE}>>>:-O3> -fno-math-errno -fno-trapping-math
                         -Wno-ignored-attributes -Wno-psabi
                         # unique symbols would stay global and would be shared between the sets
                         $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>
                         # GCC does not inline functions whose parameters it has changed into loops with the attribute flatten
                         $<$<CXX_COMPILER_ID:GNU>:-fno-ipa-sra>
                         # the compiler's intrinsics headers leave vectors undefined on purpose
                         -Wno-uninitialized $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  if(isa MATCHES "^x86-64")
    target_compile_options(ndforge_kernels_${id} PRIVATE -march=${isa})
  endif()
  target_compile_definitions(ndforge_kernels_${id} PRIVATE SD_BUILDING_LIBRARY ${SD_OPERATION_DEFINITION})
  set_target_properties(ndforge_kernels_${id} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)

  set(object "${PROJECT_BINARY_DIR}/kernels/${id}.o")
  add_custom_command(OUTPUT "${object}"
    COMMAND "${SD_LD}" -r --force-group-allocation -o "${object}.all" "$<TARGET_OBJECTS:ndforge_kernels_${id}>"
    COMMAND "${SD_OBJCOPY}" "--keep-global-symbol=${SD_ISA_SYMBOL}" "${object}.all" "${object}"
    DEPENDS ndforge_kernels_${id} "$<TARGET_OBJECTS:ndforge_kernels_${id}>"
    COMMAND_EXPAND_LISTS VERBATIM COMMENT "Linking the kernels of ${isa}")
  list(APPEND SD_KERNEL_OBJECTS "${object}")
  string(APPEND SD_ISA_DECLARATIONS "extern \"C\" const sd::simd::KernelTable* ${SD_ISA_SYMBOL}();\n")
  string(APPEND SD_ISA_ENTRIES "    {\"${isa}\", ${SD_ISA_SYMBOL}},\n")
endforeach()
set(SD_PRIVATE_INCLUDE "${CMAKE_BINARY_DIR}/private")
configure_file("${CMAKE_CURRENT_SOURCE_DIR}/cmake/KernelTables.h.in" "${SD_PRIVATE_INCLUDE}/KernelTables.h" @ONLY)
set_source_files_properties(${SD_KERNEL_OBJECTS} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
add_custom_target(ndforge_kernels DEPENDS ${SD_KERNEL_OBJECTS})
