#!/usr/bin/env bash
# Checks the compiler's messages for classes that are not operators: BUILD INCLUDE GENERATED COMPILER. Also uses Clang
# when it is installed.
set -euo pipefail
build=$1 include=$2 generated=$3 compiler=$4

mkdir -p "$build"
failures=0

# message TEXT BODY: the program does not compile, and the compiler's output contains TEXT. With an empty TEXT it
# compiles.
message() {
  local source="$build/program.cpp"
  cat >"$source" <<EOF
#include <tensor/Tensor.h>
template <typename T> struct Nothing { static constexpr bool isVectorizable = true; };
template <typename T> struct Pair { static T op(T x, T y) { return x + y; } };
template <typename T> struct NoStart { static T update(T x, T y) { return x + y; } };
template <typename T> struct NoUpdate { static T startingValue() { return T(0); } };
std::vector<float> x(4), z(4);
int main() { $2; }
EOF
  for cxx in "$compiler" $(command -v clang++ clang++-14 | head -n 1); do
    if "$cxx" -std=c++20 -fsyntax-only -I"$include" -I"$generated" "$source" 2>"$build/errors"; then
      [ -z "$1" ] && continue
      echo "$cxx compiles: $2"
      failures=$((failures + 1))
    elif [ -z "$1" ] || ! grep -qF -- "$1" "$build/errors"; then
      echo "$cxx does not say '$1' about: $2"
      head -n 20 "$build/errors"
      failures=$((failures + 1))
    fi
  done
}

message "" "sd::tensor::apply<Pair>(x, x, z)"
message "the operator has no static member 'op(x)'" "sd::tensor::apply<Nothing>(x, z)"
message "the operator has no static member 'op(x)'" "sd::tensor::apply<Pair>(x, z)"
message "the operator has no static member 'op(x, y)'" "sd::tensor::apply<Nothing>(x, x, z)"
message "the operator has no static member 'op(x, y, z)'" "sd::tensor::apply<Pair>(x, x, x, z)"
message "the aggregation has no static member 'startingValue()'" "(void)sd::tensor::aggregate<NoStart>(x)"
message "the aggregation has no static member 'update(accumulated, value)'" "(void)sd::tensor::aggregate<NoUpdate>(x)"
message "'op' of a predicate must return a truth value" "(void)sd::tensor::first<simdOps::Square>(x)"
message "SpanTarget" "sd::tensor::apply<simdOps::Square>(x, 3)"
message "compute in different types" "(void)sd::tensor::aggregate2<simdOps::Sum, simdOps::Mean>(std::vector<int>(3))"
exit $((failures > 0))
