#!/bin/sh
# Runs the programs of bindings/nd4j/programs on the original libnd4j and on NDForge, and compares what they print.
#
#   bindings/nd4j/compare.sh FOLDER             everything; about half an hour
#   bindings/nd4j/compare.sh --short FOLDER     two programs; seconds
#   bindings/nd4j/compare.sh FOLDER arrays      some programs
#
# FOLDER has libnd4jcpu.so and libndforge.so.0; or it is the .jar of the Maven module nd4j-ndforge. Maven fetches ND4J and
# Deeplearning4j. NDFORGE_COMPARE names the folder of the results (./nd4j-compare), ND4J_CLASSIFIER the natives of the
# original (the best that the processor supports). Exit code 0: no row differs without a reason in differences.csv.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

options=
while [ $# -gt 0 ]; do
  case $1 in
    --*) options="$options $1"; shift ;;
    *) break ;;
  esac
done
if [ $# -eq 0 ]; then
  sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
library=$(realpath "$1")
shift
out=${NDFORGE_COMPARE:-nd4j-compare}

classifier=${ND4J_CLASSIFIER:-}
if [ -z "$classifier" ]; then
  classifier=linux-x86_64
  if grep -qw avx512f /proc/cpuinfo; then
    classifier=linux-x86_64-avx512
  elif grep -qw avx2 /proc/cpuinfo; then
    classifier=linux-x86_64-avx2
  fi
fi

mkdir -p "$out"
target=$(realpath "$out")/build
# Only the natives of this platform: without javacpp.platform Maven fetches those of all.
mvn -q -B -f "$here/programs/pom.xml" -DbuildDirectory="$target" -Dnd4j.classifier="$classifier" \
  -Djavacpp.platform=linux-x86_64 process-classes
# shellcheck disable=SC2086
exec python3 "$here/compare.py" $options --classes "$target/classes:$target/lib/*" --ndforge "$library" --out "$out" "$@"
