# What the library links. Also included by the tests when they are configured on their own, because imported targets are
# seen only in the folder that found them and below it.
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(BLAS REQUIRED)
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)
