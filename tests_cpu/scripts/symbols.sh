#!/usr/bin/env bash
# Fails when the linker could use code of one instruction set in place of another's: LIBRARY OBJECT...
#
# An inline or template function has the same symbol name for every instruction set, and the linker keeps an arbitrary
# one of its definitions. The object of an instruction set (OBJECT) must therefore keep such functions private: it
# defines no weak or unique symbol, and no global symbol that another object defines. The shared library must not export
# SIMD functions.
#
# --self-test COMPILER checks that the script finds such faults.
set -euo pipefail

# check_objects OBJECT...
check_objects() {
  local object failed=0 weak twice
  for object in "$@"; do
    weak=$(nm --defined-only --demangle "$object" | grep -E '^[0-9a-f]+ [WwVvu] ' || true)
    if [[ -n $weak ]]; then
      printf '%s defines symbols that the linker may share with other sets:\n%s\n' "${object##*/}" "$(head -n 10 <<<"$weak")"
      failed=1
    fi
  done
  twice=$(for object in "$@"; do nm --defined-only --extern-only --format=posix "$object" | cut -d' ' -f1 | sort -u; done |
    sort | uniq -d | head -n 10)
  if [[ -n $twice ]]; then
    printf 'defined in more than one set:\n%s\n' "$twice"
    failed=1
  fi
  return "$failed"
}

check_library() {
  local offered
  offered=$(nm --dynamic --defined-only --demangle "$1" | grep -E 'xsimd::' | head -n 10 || true)
  [[ -z $offered ]] || { printf '%s exports SIMD functions:\n%s\n' "${1##*/}" "$offered"; return 1; }
}

self_test() {
  local compiler=$1 folder
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' RETURN
  printf 'template <typename T> T twice(T x) { return x + x; }\ntemplate int twice<int>(int);\n' >"$folder/a.cpp"
  printf 'int table(int x) { return x; }\n' >"$folder/b.cpp"
  "$compiler" -c "$folder/a.cpp" -o "$folder/weak.o"
  "$compiler" -c "$folder/b.cpp" -o "$folder/table.o"
  cp "$folder/table.o" "$folder/table2.o"
  if check_objects "$folder/weak.o" >/dev/null; then echo "a weak symbol was not found"; return 1; fi
  if check_objects "$folder/table.o" "$folder/table2.o" >/dev/null; then echo "a shared name was not found"; return 1; fi
  check_objects "$folder/table.o"
}

if [[ $1 == --self-test ]]; then
  self_test "$2"
else
  library=$1
  shift
  status=0
  check_objects "$@" || status=1
  check_library "$library" || status=1
  exit "$status"
fi
