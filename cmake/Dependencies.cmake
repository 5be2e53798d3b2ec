# The libraries that NDForge links. The tests include this file too when they are configured on their own, because
# imported targets are visible only in the folder that found them and below it.
find_package(OpenMP COMPONENTS CXX)
set(SD_OPENMP OpenMP::OpenMP_CXX)
if(NOT OpenMP_CXX_FOUND)
  set(SD_OPENMP "")
  message(WARNING "The compiler has no OpenMP, so this build of NDForge will use one thread only. "
                  "Clang needs its OpenMP library, on Debian the package libomp-dev or libomp-14-dev.")
endif()
find_package(BLAS REQUIRED)
set(SD_BLAS BLAS::BLAS)
# Debian's OpenBLAS has the functions of LAPACK, vcpkg's has not.
include(CheckFunctionExists)
set(CMAKE_REQUIRED_LIBRARIES BLAS::BLAS)
check_function_exists(dgesdd_ SD_BLAS_HAS_LAPACK)
unset(CMAKE_REQUIRED_LIBRARIES)
if(NOT SD_BLAS_HAS_LAPACK)
  find_package(LAPACK REQUIRED)
  set(SD_BLAS LAPACK::LAPACK BLAS::BLAS)
endif()
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
# Regular expressions, and upper and lower case, of the operations on strings.
find_package(RE2 REQUIRED)
find_package(Utf8proc REQUIRED)

# oneDNN makes convolutions and pooling faster. It is used when it is installed and uses OpenMP's threads.
option(SD_USE_ONEDNN "Use oneDNN when it is installed" ON)
if(SD_USE_ONEDNN AND OpenMP_CXX_FOUND)
  find_package(OneDNN QUIET)
  if(OneDNN_FOUND AND NOT OneDNN_THREADING STREQUAL "OMP")
    message(STATUS "oneDNN is not used: its threading runtime is ${OneDNN_THREADING}, not OpenMP")
    set(OneDNN_FOUND OFF)
  endif()
endif()

# Highway sorts faster than the library's own radix sort.
option(SD_USE_HIGHWAY "Use Highway's sort when it is installed" ON)
if(SD_USE_HIGHWAY)
  find_package(Highway QUIET)
endif()
