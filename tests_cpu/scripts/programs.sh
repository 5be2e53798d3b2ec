#!/usr/bin/env bash
# Builds and runs the programs that programs.txt lists against a build of the library: BUILD_FOLDER PROGRAMS_FOLDER.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -- "$here/../.." && pwd)
build=$1 programs=$2
compiler=${CXX:-g++}
folder=$build/programs
mkdir -p "$folder"

failed=0
while read -r name; do
  for standard in c++17 c++20; do
    if ! "$compiler" -std=$standard -fopenmp -I "$root/include" -I "$build/include" "$programs/$name.cpp" -L "$build" \
      -lndforge -Wl,-rpath,"$build" -o "$folder/$name" || ! "$folder/$name"; then
      echo "failed: $name ($standard)"
      failed=1
    fi
  done
done < <(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$here/programs.txt")
exit "$failed"
