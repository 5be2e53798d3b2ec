#!/usr/bin/env bash
# Builds the wheel of bindings/python, installs it into an empty environment, and runs the package's tests, the code of
# docs/python.md, a type checker over the stubs, and the example: SOURCES BUILT FOLDER [PLUGIN CLASHING_PLUGIN].
# Exits with 77 where Python 3.11 with its headers and its module venv are missing, or packages that cannot be fetched.
set -euo pipefail

sources=$1 built=$2 folder=$3 plugin=${4:-} clashing=${5:-}

skip() {
  echo "$1"
  exit 77
}
python=$(command -v python3) || skip "there is no python3"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || skip "$("$python" --version) is older than 3.11"
"$python" -c 'import sysconfig, os, sys; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ||
  skip "$python has no headers (Debian's package python3-dev)"
rm -rf "$folder/environment" "$folder/wheels"
mkdir -p "$folder"
"$python" -m venv "$folder/environment" >/dev/null 2>&1 || skip "$python cannot make environments (Debian's package python3-venv)"
inside=$folder/environment/bin

status=0
"$sources/bindings/python/wheel.sh" --built "$built" --out "$folder/wheels" --python "$python" 2>"$folder/wheel.log" || status=$?
cat "$folder/wheel.log" >&2
[[ $status -ne 77 ]] || exit 77
[[ $status -eq 0 ]] || exit 1
# With oneDNN of Debian 12 (11.4 MB) the wheel has at most 25 MB; other releases of oneDNN have other sizes.
if grep -qs '^CMAKE_BUILD_TYPE:.*=Release' "$built/CMakeCache.txt" && ! grep -q 'the whole BLAS' "$folder/wheel.log"; then
  "$python" - "$folder"/wheels/ndforge-*.whl <<'END'
import sys, zipfile
size = sum(entry.compress_size for entry in zipfile.ZipFile(sys.argv[1]).infolist() if 'libdnnl' not in entry.filename)
if size > 13.6e6:
    sys.exit(f'the wheel has {size / 1e6:.1f} MB without oneDNN, more than 13.6')
END
fi
"$inside/pip" install -q --disable-pip-version-check --no-index "$folder"/wheels/ndforge-*.whl
# From here on nothing but the wheel is there: no packages, and no sources in the current folder.
cd "$folder"
"$inside/python" -c 'import ndforge as nd; assert nd.softmax(nd.array([[0.0, 0.0]]), axis=1).tolist() == [[0.5, 0.5]]'
"$inside/ndforge" --version

"$inside/pip" install -q --disable-pip-version-check numpy pytest mypy ml_dtypes array-api-strict array-api-compat 2>pip.log || {
  cat pip.log
  skip "NumPy, pytest and mypy cannot be installed"
}
"$inside/python" -m mypy --strict --cache-dir="$folder/mypy" "$sources/bindings/python/tests/typed.py"
NDFORGE_PLUGIN=$plugin NDFORGE_CLASHING_PLUGIN=$clashing "$inside/python" -m pytest -q -p no:cacheprovider "$sources/bindings/python/tests"
"$inside/python" -B "$sources/tests_cpu/scripts/python_page.py" "$sources/docs/python.md" "$folder/page"
"$inside/python" -B "$sources/examples/nearest_mean/nearest_mean.py" "$sources/examples/data" | grep -q '1629 of 1797'
"$inside/python" -B "$sources/examples/python/digits.py" "$sources/examples/data" "$folder/digits.fb" | tee example.log
grep -qE 'network: 7[0-9][0-9] of 797' example.log
