#!/usr/bin/env bash
# ND4J on NDForge: SOURCES NATIVES FOLDER. Random calls, the short comparison with libnd4j, and the example. Exits with 77
# where a JDK of version 11 or newer or Maven is missing, or where Maven needs files that it cannot fetch.
set -euo pipefail

sources=$1 natives=$2 folder=$3
command -v mvn >/dev/null || { echo "there is no Maven (Debian's package maven)"; exit 77; }
number=$(javac -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p')
[[ -n $number && $number -ge 11 ]] || { echo "there is no JDK of version 11 or newer on the PATH"; exit 77; }
[[ $(uname -m) == x86_64 ]] || { echo "the tests have ND4J's natives for x86-64 only"; exit 77; }
mkdir -p "$folder"

# run LOG COMMAND...
run() {
  local log=$folder/$1 status=0
  shift
  "$@" >"$log" 2>&1 || status=$?
  tail -n 40 "$log"
  [[ $status -eq 0 ]] && return
  if grep -qE 'Could not transfer|Unknown host|offline mode' "$log"; then exit 77; fi
  exit 1
}

run tests.log mvn -q -B -f "$sources/bindings/nd4j/pom.xml" -Dndforge.natives="$natives" \
  -Dndforge.target="$folder/target" install
NDFORGE_COMPARE=$folder/compare run compare.log "$sources/bindings/nd4j/compare.sh" --short \
  "$folder/target/nd4j-ndforge-0.1.0.jar"
run example.log mvn -q -B -f "$sources/examples/nd4j/pom.xml" -DbuildDirectory="$folder/example" compile exec:java
grep -qE '^NDForge .* % of 297 digits' "$folder/example.log"
