# oneDNN's headers and library: OneDNN_FOUND, OneDNN_VERSION, OneDNN_THREADING (OMP, TBB, SEQ, THREADPOOL) and the
# target OneDNN::OneDNN. oneDNN's own CMake configuration also requires OpenCL, which its CPU functions do not need and
# which Debian's package does not depend on.
find_path(OneDNN_INCLUDE_DIR dnnl.hpp)
find_library(OneDNN_LIBRARY dnnl)
mark_as_advanced(OneDNN_INCLUDE_DIR OneDNN_LIBRARY)

set(OneDNN_VERSION "")
set(OneDNN_THREADING "")
foreach(folder "${OneDNN_INCLUDE_DIR}/oneapi/dnnl" "${OneDNN_INCLUDE_DIR}")
  if(EXISTS "${folder}/dnnl_version.h" AND EXISTS "${folder}/dnnl_config.h")
    file(STRINGS "${folder}/dnnl_version.h" lines REGEX "define DNNL_VERSION_(MAJOR|MINOR|PATCH) ")
    list(TRANSFORM lines REPLACE "^.* " "")
    list(JOIN lines "." OneDNN_VERSION)
    file(STRINGS "${folder}/dnnl_config.h" lines REGEX "define DNNL_CPU_THREADING_RUNTIME ")
    string(REGEX REPLACE "^.*DNNL_RUNTIME_" "" OneDNN_THREADING "${lines}")
    break()
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OneDNN REQUIRED_VARS OneDNN_LIBRARY OneDNN_INCLUDE_DIR OneDNN_THREADING
                                  VERSION_VAR OneDNN_VERSION HANDLE_VERSION_RANGE)
if(OneDNN_FOUND AND NOT TARGET OneDNN::OneDNN)
  add_library(OneDNN::OneDNN UNKNOWN IMPORTED)
  set_target_properties(OneDNN::OneDNN PROPERTIES IMPORTED_LOCATION "${OneDNN_LIBRARY}"
                        INTERFACE_INCLUDE_DIRECTORIES "${OneDNN_INCLUDE_DIR}")
endif()
