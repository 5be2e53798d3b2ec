#!/bin/sh
# Times operations and steps of training under ND4J on NDForge and on libnd4j with each kind of natives that the processor
# supports, and prints the ratios: the best of the original by NDForge.
#
#   bindings/nd4j/benchmark.sh FOLDER [--only REGEX] [--turns N]
#
# FOLDER has libnd4jcpu.so and libndforge.so.0. Maven fetches ND4J and Deeplearning4j. NDFORGE_COMPARE names the folder of
# the build (./nd4j-compare). Timings want a quiet machine; all rows take about half an hour.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -eq 0 ]; then
  sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
library=$(realpath "$1")
shift

extensions=
if grep -qw avx2 /proc/cpuinfo; then extensions="$extensions -avx2"; fi
if grep -qw avx512f /proc/cpuinfo; then extensions="$extensions -avx512 -onednn-avx512"; fi
out=${NDFORGE_COMPARE:-nd4j-compare}
mkdir -p "$out"
target=$(realpath "$out")/benchmark
arguments=
for extension in $extensions; do
  mvn -q -B -f "$here/programs/pom.xml" -DbuildDirectory="$target" -Dnd4j.classifier="linux-x86_64$extension" \
    -Djavacpp.platform=linux-x86_64 process-classes
  arguments="$arguments --extension=$extension"
done
# shellcheck disable=SC2086
exec python3 "$here/benchmark.py" --classes "$target/classes:$target/lib/*" --ndforge "$library" $arguments "$@"
