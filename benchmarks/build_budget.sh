#!/usr/bin/env bash
# Measures the time of a clean Release build of the library without a compiler cache, and its size without symbols.
# Usage: build_budget.sh [-j N] [CMake arguments...]
# NDFORGE_BUILD_SECONDS and NDFORGE_LIBRARY_MB are the budgets: exit status 1 when one is exceeded.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
budget_seconds=${NDFORGE_BUILD_SECONDS:-1500}
budget_mb=${NDFORGE_LIBRARY_MB:-40}
jobs=$(nproc)
if [[ ${1-} == -j ]]; then
  [[ ${2-} =~ ^[1-9][0-9]*$ ]] || { echo "build_budget.sh: -j needs a number" >&2; exit 2; }
  jobs=$2
  shift 2
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CCACHE_DISABLE=1

cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER_LAUNCHER= \
  -DCMAKE_CXX_COMPILER_LAUNCHER= -DSD_BUILD_CLI=OFF -DSD_BUILD_TESTS=OFF -DSD_BUILD_EXAMPLES=OFF "$@" >"$folder/log"
start=$(date +%s)
if ! cmake --build "$folder" --target ndforge -j "$jobs" >>"$folder/log" 2>&1; then
  tail -n 40 "$folder/log" >&2
  exit 1
fi
seconds=$(($(date +%s) - start))

strip -o "$folder/stripped" "$folder/libndforge.so"
bytes=$(stat -c %s "$folder/stripped")
awk -v s="$seconds" -v b="$bytes" -v bs="$budget_seconds" -v bm="$budget_mb" -v j="$jobs" 'BEGIN {
  printf "clean build with %d jobs: %d min %02d s (budget %d min %02d s)\n", j, s / 60, s % 60, bs / 60, bs % 60
  printf "stripped library: %.2f MB (budget %g MB)\n", b / 1e6, bm
  exit s > bs || b > bm * 1e6
}'
