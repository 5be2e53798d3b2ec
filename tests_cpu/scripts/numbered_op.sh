#!/usr/bin/env bash
# Adds the operation of examples/numbered_op to a copy of the sources, builds it and calls it: FOLDER INSTRUCTION_SET
# COMPILER LAUNCHER (may be empty). Builds the library alone, with one element type, one instruction set and no other
# operation, without optimisation, because that is enough and quick.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$1 set=$2 compiler=$3 launcher=$4

rm -rf "$folder"
mkdir -p "$folder"
(cd "$root" && cp -r CMakeLists.txt LICENSE README.md cmake compilation_units include src "$folder/")
"$root/examples/numbered_op/add.sh" "$folder"
cmake -S "$folder" -B "$folder/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O0 \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" \
  -DSD_DATATYPES=float32 -DSD_OPERATIONS=bellcurve -DSD_INSTRUCTION_SETS="$set" -DSD_BUILD_TESTS=OFF -DSD_BUILD_EXAMPLES=OFF >/dev/null
cmake --build "$folder/build" --target ndforge --parallel 2 >"$folder/build.log" 2>&1 || { tail -n 40 "$folder/build.log"; exit 1; }

"$compiler" -std=c++17 -I "$folder/include" -I "$folder/build/include" "$root/examples/numbered_op/program.cpp" \
  -L "$folder/build" -lndforge -Wl,-rpath,"$folder/build" -o "$folder/program"
"$folder/program" | tee "$folder/output"
grep -qF 'exp(-x^2 / 2)' "$folder/output"
grep -qF 'right in every way' "$folder/output"
