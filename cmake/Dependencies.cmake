# What the library links. Also included by the tests when they are configured on their own, because imported targets are
# seen only in the folder that found them and below it.
find_package(OpenMP COMPONENTS CXX)
set(SD_OPENMP OpenMP::OpenMP_CXX)
if(NOT OpenMP_CXX_FOUND)
  set(SD_OPENMP "")
  message(WARNING "The compiler has no OpenMP, so this build of NDForge will use one thread only. "
                  "Clang needs its OpenMP library, on Debian the package libomp-dev or libomp-14-dev.")
endif()
find_package(BLAS REQUIRED)
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)
