#!/bin/sh
# Compares NDForge with NumPy, PyTorch, numexpr, ONNX Runtime, Eigen, xtensor and the released libnd4j, in turns on this
# machine, and prints tables.
#
#   benchmarks/compare.sh [--library FILE] [--peers numpy,torch,...] [--rows REGEX] [--threads 1,2] [--rounds N]
#                         [--again N] [--earlier FILE,...] [--csv FILE] [--write]
#
# Without --library it takes the libndforge.so that was built last. Python packages come from PyPI into a virtual environment,
# Eigen and xtensor from Debian (by root), libnd4j and its OpenBLAS by Maven; what cannot be had is named and left out.
# NDFORGE_COMPARE names the folder for these and for what is compiled (build/compare). --again N measures rows that are behind
# once more, with N rounds. --earlier adds the figures of tables that --csv has written, where they are not measured now
# (--rows '^$' measures none). --write renews the part of docs/performance.md for processors like this one, its table, and
# with AVX-512 its plots. Timings want a quiet machine; all rows take about an hour. Exit code 1: a row is behind a peer, or
# could not be measured.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
folder=${NDFORGE_COMPARE:-$root/build/compare}
version=1.0.0-M2.1
blas=0.3.19-1.5.7  # what that version of libnd4j was built with

case " $* " in
  *" --help "* | *" -h "*) sed -n '2,15s/^# \{0,1\}//p' "$0"; exit ;;
  *" --library "* | *" --library="*) ;;
  *)
    # shellcheck disable=SC2012
    library=$(ls -t "$root"/build/*/libndforge.so "$root"/blasbuild/*/libndforge.so 2>/dev/null | head -n 1)
    if [ -z "$library" ]; then
      echo "compare.sh: there is no libndforge.so in build/ or blasbuild/; build it, or give its path with --library" >&2
      exit 2
    fi
    set -- --library "$library" "$@"
    ;;
esac

mkdir -p "$folder"
python=$folder/venv/bin/python
[ -x "$python" ] || python3 -m venv "$folder/venv"
if [ ! -e /usr/include/eigen3/Eigen/Dense ] || [ ! -e /usr/include/xtensor/xarray.hpp ]; then
  if [ "$(id -u)" -ne 0 ] || ! apt-get install -y -qq libeigen3-dev libxtensor-dev libxsimd-dev >/dev/null; then
    echo "compare.sh: sudo apt-get install libeigen3-dev libxtensor-dev libxsimd-dev, to compare with Eigen and xtensor" >&2
  fi
fi
"$python" -m pip install -q --disable-pip-version-check -r "$here/compare/requirements.txt"

# Unpacks the shared libraries of an artifact into a folder.
unpack() {
  mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy -Dartifact="$1" -DoutputDirectory="$folder/jars"
  "$python" - "$folder/jars" "$2" "$3" <<'END'
import pathlib, sys, zipfile

jars, name, target = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
target.mkdir(parents=True, exist_ok=True)
with zipfile.ZipFile(jars / name) as jar:
    for entry in jar.namelist():
        if ".so" in entry:
            (target / pathlib.Path(entry).name).write_bytes(jar.read(entry))
END
}

fetch() {
  [ -e "$folder/$1/libnd4jcpu.so" ] && return
  unpack "org.bytedeco:openblas:$blas:jar:linux-x86_64" "openblas-$blas-linux-x86_64.jar" "$folder/$1" &&
    unpack "org.nd4j:nd4j-native:$version:jar:linux-x86_64$2" "nd4j-native-$version-linux-x86_64$2.jar" "$folder/$1"
}

if ! command -v mvn >/dev/null; then
  echo "compare.sh: no libnd4j, because Maven is not there" >&2
else
  grep -qw avx512f /proc/cpuinfo && isa=avx512 || isa=avx2
  if fetch nd4j "-$isa" && fetch nd4j-onednn "-onednn-$isa"; then
    set -- --nd4j "$folder/nd4j/libnd4jcpu.so" --nd4j-onednn "$folder/nd4j-onednn/libnd4jcpu.so" "$@"
  fi
fi

exec "$python" "$here/compare" --folder "$folder" "$@"
