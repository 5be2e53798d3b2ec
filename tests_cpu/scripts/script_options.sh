#!/usr/bin/env bash
# Tests the options of buildnativeoperations.sh. apt, cmake and others are replaced by programs that record their calls.
set -euo pipefail
script=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)/buildnativeoperations.sh
failed=0

# ---- refused: exit code 2 and one line on standard error, before anything is installed or built ----------------------

# refuses WORD OPTION...: the script refuses the options, and the line contains WORD.
refuses() {
  local word=$1 text status=0
  shift
  text=$("$script" "$@" 2>&1 >/dev/null) || status=$?
  if [[ $status -ne 2 || $(wc -l <<<"$text") -ne 1 || $text != *"$word"* ]]; then
    printf '%s: exit code %s, text: %s\n' "$*" "$status" "$text"
    failed=1
  fi
}

refuses "--no-such" --no-such
refuses "walk" walk
refuses "cuda" --chip cuda
refuses "fast" --build-type fast
refuses "shiny" -l shiny
refuses "sse9" -e sse9
refuses "mmx" -e "avx2;mmx"
refuses "pdp11" -a pdp11
refuses "'0'" -j 0
refuses "'x'" -j x
refuses "a b" --name "a b"
refuses "needs a value" -dt
refuses "needs a value" -op ""

# ---- the arguments that CMake, apt and CPack get --------------------------------------------------------------------

fake=$(mktemp -d)
trap 'rm -rf "$fake"' EXIT
for program in cmake cpack apt-get; do
  printf '#!/bin/sh\necho "%s $*" >>"%s/calls"\n' "$program" "$fake" >"$fake/$program"
done
# shellcheck disable=SC2016  # the fake program reads the variable
printf '#!/bin/sh\necho "$INSTALLED"\n' >"$fake/dpkg-query"
# sudo fails, as it does when the password is missing
printf '#!/bin/sh\nexit 1\n' >"$fake/sudo"
printf '#!/bin/sh\necho x86_64\n' >"$fake/uname"
chmod +x "$fake"/*

# run_faked INSTALLED OPTION...: runs the script; output in $text, exit code in $status, recorded calls in $calls.
run_faked() {
  local installed=$1
  shift
  : >"$fake/calls"
  status=0
  text=$(INSTALLED=$installed CXX=g++ PATH="$fake:$PATH" "$script" "$@" 2>&1 </dev/null) || status=$?
  calls=$(cat "$fake/calls")
}

# passes EXPECTED OPTION...: the script succeeds, and a recorded call contains EXPECTED.
passes() {
  local expected=$1
  shift
  run_faked installed "$@"
  if [[ $status -ne 0 || $calls != *"$expected"* ]]; then
    printf '%s: expected %s in\n%s\n%s\n' "$*" "$expected" "$calls" "$text"
    failed=1
  fi
}

passes "-DCMAKE_BUILD_TYPE=Release "
passes "-DCMAKE_BUILD_TYPE=Debug " -b debug
passes "blasbuild/cpu-debug-static-sanitize " -b debug -l static -sa
passes "-DSD_INSTRUCTION_SETS= "
passes "-DSD_INSTRUCTION_SETS=x86-64-v3 " -e avx2
passes "-DSD_INSTRUCTION_SETS=x86-64-v4 " --chip-extension AVX512
passes "-DSD_INSTRUCTION_SETS=x86-64-v2 " -a x86-64-v2
passes "-DSD_INSTRUCTION_SETS=x86-64-v" -a native
passes "-DSD_INSTRUCTION_SETS= " -a x86_64 -c CPU
passes "-DSD_DATATYPES=float32;double;int64 " -dt "float32;double;int64"
passes "-DSD_OPERATIONS=add;conv2d " -op "add;conv2d"
passes "-DSD_LIBRARY_TYPE=static " --libtype static
passes "-DSD_LIBRARY_NAME=nd4jcpu " --name nd4jcpu
passes "-DSD_BUILD_TESTS=OFF "
passes "-DSD_BUILD_TESTS=ON " -t
passes "-DSD_BUILD_TESTS=OFF -DSD_SANITIZE=ON -DSD_USE_LTO=ON" -t off -sa true --use_lto
passes "--parallel 3" -j 3
passes "--parallel 5" -j5
passes "-G DEB;TGZ" --packaging

run_faked not-installed
if [[ $EUID -eq 0 ]]; then
  [[ $calls == *"apt-get install"*libxsimd-dev* ]] || { printf 'nothing was installed: %s\n' "$calls"; failed=1; }
elif [[ $status -ne 1 || $text != *libxsimd-dev* || $calls == *cmake* ]]; then
  printf 'a user without the right to install: exit code %s, %s\n' "$status" "$text"
  failed=1
fi

# ---- help -----------------------------------------------------------------------------------------------------------

usage=$(cd / && "$script" --help)
for option in --build-type --arch --chip-extension --chip --libtype --datatypes --operations --tests --sanitize --use_lto \
  --name --packaging -j --help run test; do
  if [[ $usage != *"$option"* ]]; then
    echo "--help does not mention $option"
    failed=1
  fi
done
exit "$failed"
