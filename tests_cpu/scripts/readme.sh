#!/usr/bin/env bash
# Checks that the programs of README.md are the same as the examples that the tests build and run.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)

# block N: prints the N-th C++ block of README.md, counted from 1.
block() {
  awk -v wanted="$1" '/^```cpp$/ { n++; inside = n == wanted; next } /^```$/ { inside = 0 } inside' "$root/README.md"
}

examples=(first_array.cpp plugin/rescale.cpp)
for i in "${!examples[@]}"; do
  if ! diff <(block $((i + 1))) "$root/examples/${examples[i]}"; then
    echo "the program in README.md differs from examples/${examples[i]}"
    exit 1
  fi
done
