#!/usr/bin/env bash
# Checks how CMake handles the options of a build, without building: FOLDER INSTRUCTION_SET COMPILER.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$1 set=$2 compiler=$3
failed=0

# configure NAME OPTION...: output in $text, exit code in $status, the build folder in $build.
configure() {
  build=$folder/$1
  shift
  rm -rf "$build"
  status=0
  text=$(cmake -S "$root" -B "$build" -DCMAKE_CXX_COMPILER="$compiler" -DSD_INSTRUCTION_SETS="$set" -DSD_BUILD_TESTS=OFF \
    -DSD_BUILD_EXAMPLES=OFF -DSD_BUILD_CLI=OFF "$@" 2>&1) || status=$?
}

# expect TEXT COMMAND...: the command succeeds.
expect() {
  local what=$1
  shift
  "$@" && return
  printf '%s\n%s\n' "$what" "$text"
  failed=1
}

# A list of types with aliases and capitals; BOOL adds the integer types that BOOL computes in.
configure types "-DSD_DATATYPES=bool;Long;FLOAT"
expect "a build with a list of types does not configure" test "$status" -eq 0
units=$(cd "$build/kernels" && echo */unary_*.cpp)
for type in float32 float64 int8 uint8 int64; do
  expect "no kernels for $type" test -n "$(find "$build/kernels" -name "unary_$type.cpp")"
done
expect "kernels for more types than the list: $units" test "$(find "$build/kernels" -name 'unary_*.cpp' | wc -l)" -eq 5
for macro in HAS_BOOL HAS_LONG HAS_FLOAT32 SD_SELECTIVE_TYPES SD_ALL_OPS; do
  expect "config.h does not define $macro" grep -qx "#define $macro" "$build/include/system/config.h"
done

configure wrong -DSD_DATATYPES=int33
expect "an unknown type is accepted" test "$status" -ne 0
expect "the error does not name the type" grep -q "'int33' is not an element type" <<<"$text"

configure operations "-DSD_OPERATIONS=add;tanh"
expect "a build with a list of operations does not configure" test "$status" -eq 0
expect "config.h does not define OP_tanh" grep -qx "#define OP_tanh 1" "$build/include/system/config.h"
compiled=$build/compile_commands.json
expect "the source of tanh is left out" grep -q "generic/activations/activations.cpp" "$compiled"
expect "a source without operations is left out" grep -q "generic/reduce/Reduction.cpp" "$compiled"
expect "the source of softmax is built" test "$(grep -c "generic/nn/softmax.cpp" "$compiled")" -eq 0
expect "Sigmoid is left out, which the source of tanh calls" grep -q "[;:]sigmoid:" "$compiled"

# An alias, other capitals, a platform helper, and a numbered operation that has no source.
configure names "-DSD_OPERATIONS=MMUL, sqrt"
expect "a build with an alias and a numbered operation does not configure" test "$status" -eq 0
for source in generic/blas/matmul.cpp platform/openblas/matmul.cpp; do
  expect "$source is left out" grep -q "$source" "$build/compile_commands.json"
done
expect "Sqrt is left out" grep -q ":sqrt:" "$build/compile_commands.json"

configure unknown "-DSD_OPERATIONS=add;adds"
expect "an unknown operation is accepted" test "$status" -ne 0
expect "the error does not name the operation" grep -q "there is no operation 'adds'" <<<"$text"

# The same as a Clang without an OpenMP library.
configure threads -DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON
expect "a compiler without OpenMP does not configure" test "$status" -eq 0
expect "no warning that the build will use one thread" grep -q "The compiler has no OpenMP" <<<"$text"

# The compiler and the headers of FlatBuffers.
configure no_flatc -DSD_FLATC="$folder/none"
expect "a build without flatc configures" test "$status" -ne 0
expect "the error does not say what is needed" grep -q "FlatBuffers 2.0 or later is needed" <<<"$text"
for version in 1.12.0 99.0.0; do
  printf '#!/bin/sh\necho flatc version %s\n' "$version" >"$folder/flatc"
  chmod +x "$folder/flatc"
  configure "flatc_$version" -DSD_FLATC="$folder/flatc"
  expect "flatc $version is accepted" test "$status" -ne 0
  expect "the error does not name version $version" grep -q "is version $version" <<<"$(tr -s ' \n' ' ' <<<"$text")"
done

configure static -DSD_LIBRARY_TYPE=static -DSD_LIBRARY_NAME=other
expect "a static library of another name does not configure" test "$status" -eq 0
expect "ndforge.pc lacks the library's name" grep -qE '^Libs: .* -lother$' "$build/ndforge.pc"
expect "ndforge.pc lacks what a static library needs" grep -qE '^Libs.private: .*blas.* -lz ' "$build/ndforge.pc"
exit "$failed"
