#!/usr/bin/env bash
# Builds the example plugin against an installed tree, prints how long one source takes to compile, and runs its tests:
# SOURCE BUILD PREFIX COMPILER.
set -euo pipefail
source=$1 build=$2 prefix=$3 compiler=$4

rm -rf "$build"
cmake -S "$source" -B "$build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release
TIMEFORMAT='a library of two operations: %R s, %U s of processor time'
time cmake --build "$build" --target clash
cmake --build "$build" --parallel 2
ctest --test-dir "$build" --output-on-failure
