#!/usr/bin/env bash
# Sets up the machine, configures, builds, and runs the tour or the tests. See --help.
set -euo pipefail

readonly packages=(cmake ninja-build g++ pkg-config binutils libxsimd-dev libopenblas-openmp-dev liblapacke-dev
  libfmt-dev libcli11-dev nlohmann-json3-dev zlib1g-dev libre2-dev libutf8proc-dev flatbuffers-compiler
  libflatbuffers-dev)
readonly optional_packages=(libdnnl-dev libhwy-dev libmd4c-dev)
readonly test_packages=(libgtest-dev python3)
readonly optional_test_packages=(duktape doxygen)
readonly package_packages=(dpkg-dev file)
readonly oldest_gcc=12

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
readonly root

usage() {
  cat <<'TEXT'
Usage: ./buildnativeoperations.sh [run | test] [options]

  run                        set up, build, and run the tour and train a network on the digits of examples/data
  test                       set up, build, and run all tests
  (neither)                  set up and build

Options
  -b,  --build-type TYPE     release (default), debug, relwithdebinfo
  -a,  --arch NAME           architecture: x86-64, arm64, native (only the best instruction set of this machine)
  -e,  --chip-extension SET  build one instruction set only: x86-64-v2, x86-64-v3 (avx2), x86-64-v4 (avx512), neon
  -c,  --chip NAME           cpu
  -l,  --libtype TYPE        dynamic (default), static
  -dt, --datatypes LIST      element types to build, for example "float32;double;int64" (default: all)
  -op, --operations LIST     operations to build, for example "add;conv2d"; those that they call and those of the same
                             source files are built too (default: all)
  -t,  --tests               build the tests too
  -sa, --sanitize            build with AddressSanitizer and UndefinedBehaviorSanitizer
       --compat              build libnd4jcpu.so too, with which ND4J runs on NDForge (dynamic library only)
       --use_lto             link-time optimisation
       --name NAME           base name of the library file (default: ndforge)
  -p,  --packaging           write a .deb and a .tar.gz to dist/
  -j N                       build with N jobs (default: one for each processor)
  -h,  --help                this text

Missing Debian or Ubuntu packages are installed with apt, through sudo when needed. Builds go to blasbuild/. ccache is
used when it is installed.
TEXT
}

say() { printf '%s\n' "$*"; }

# die STATUS TEXT: 2 is bad usage, 1 is everything else.
die() {
  printf 'buildnativeoperations.sh: %s\n' "$2" >&2
  exit "$1"
}

# ---- options --------------------------------------------------------------------------------------------------------

command=build
build_type=Release
arch=""
extension=""
libtype=dynamic
datatypes=""
operations=""
with_tests=OFF
sanitize=OFF
lto=OFF
compat=OFF
name=ndforge
packaging=OFF
jobs=""

# need_value "$@": sets $value to the value of the option $1.
need_value() {
  [[ $# -ge 2 && -n $2 ]] || die 2 "option $1 needs a value; --help lists the options"
  value=$2
}

# Existing callers also write `-t true` or `-sa off`. switch_value sets $value to ON or OFF, and $used to the number of
# words read.
switch_value() {
  used=1
  value=ON
  case "${2-}" in
    true | TRUE | on | ON) used=2 ;;
    false | FALSE | off | OFF) used=2 value=OFF ;;
  esac
}

while [[ $# -gt 0 ]]; do
  used=2
  case "$1" in
    run | test) command=$1 used=1 ;;
    -h | --help) usage; exit 0 ;;
    -b | --build-type)
      need_value "$@"
      case "${value,,}" in
        release) build_type=Release ;;
        debug) build_type=Debug ;;
        relwithdebinfo) build_type=RelWithDebInfo ;;
        *) die 2 "build type '$value' is not one of release, debug, relwithdebinfo" ;;
      esac
      ;;
    -a | --arch) need_value "$@"; arch=${value,,} ;;
    -e | --chip-extension) need_value "$@"; extension=${value,,} ;;
    -c | --chip)
      need_value "$@"
      [[ ${value,,} == cpu ]] || die 2 "chip '$value' is not supported: NDForge is built for cpu"
      ;;
    -l | --libtype)
      need_value "$@"
      case "${value,,}" in
        dynamic | shared) libtype=dynamic ;;
        static) libtype=static ;;
        *) die 2 "library type '$value' is not one of dynamic, static" ;;
      esac
      ;;
    -dt | --datatypes) need_value "$@"; datatypes=$value ;;
    -op | --operations) need_value "$@"; operations=$value ;;
    -t | --tests) switch_value "$@"; with_tests=$value ;;
    -sa | --sanitize) switch_value "$@"; sanitize=$value ;;
    --compat) switch_value "$@"; compat=$value ;;
    --use_lto) switch_value "$@"; lto=$value ;;
    -p | --packaging) switch_value "$@"; packaging=$value ;;
    --name)
      need_value "$@"
      [[ $value =~ ^[A-Za-z0-9_.+-]+$ ]] || die 2 "name '$value' contains characters that a library name may not have"
      name=$value
      ;;
    -j | -j[0-9]*)
      if [[ $1 == -j ]]; then need_value "$@"; else value=${1#-j} used=1; fi
      [[ $value =~ ^[1-9][0-9]{0,3}$ ]] || die 2 "number of jobs '$value' is not a number from 1 to 9999"
      jobs=$value
      ;;
    *) die 2 "unknown option '$1'; --help lists the options" ;;
  esac
  shift "$used"
done

[[ $command != test ]] || with_tests=ON
[[ $compat == OFF || $libtype == dynamic ]] || die 2 "--compat needs a dynamic library"
[[ $with_tests == OFF || $libtype != dynamic ]] || compat=ON

# ---- instruction sets -----------------------------------------------------------------------------------------------

machine=$(uname -m)
case "$machine" in
  x86_64 | amd64) machine=x86-64 ;;
  aarch64 | arm64) machine=arm64 ;;
esac

best_of_this_machine() {
  local flags
  [[ $machine == arm64 ]] && { say neon; return; }
  flags=" $(grep -m 1 '^flags' /proc/cpuinfo || true) "
  if [[ $flags == *" avx512f "* && $flags == *" avx512bw "* && $flags == *" avx512dq "* && $flags == *" avx512vl "* &&
    $flags == *" avx512cd "* ]]; then
    say x86-64-v4
  elif [[ $flags == *" avx2 "* && $flags == *" fma "* && $flags == *" bmi2 "* ]]; then
    say x86-64-v3
  else
    say x86-64-v2
  fi
}

case "$arch" in
  "") ;;
  native) [[ -n $extension ]] || extension=$(best_of_this_machine) ;;
  x86-64-v[234])
    [[ -n $extension ]] || extension=$arch
    arch=x86-64
    ;;
  x86-64 | x86_64 | amd64) arch=x86-64 ;;
  arm64 | aarch64 | armv8-a | armv8) arch=arm64 ;;
  *) die 2 "architecture '$arch' is not one of x86-64, arm64, native" ;;
esac
if [[ -n $arch && $arch != native && $arch != "$machine" ]]; then
  die 2 "architecture '$arch' cannot be built on this machine ($machine)"
fi

sets=""
IFS=';, ' read -r -a wanted <<<"$extension"
for set in ${wanted[@]+"${wanted[@]}"}; do
  case "$set" in
    x86-64-v2 | v2 | sse4.2) set=x86-64-v2 ;;
    x86-64-v3 | v3 | avx2) set=x86-64-v3 ;;
    x86-64-v4 | v4 | avx512) set=x86-64-v4 ;;
    neon) ;;
    *) die 2 "chip extension '$set' is not one of x86-64-v2, x86-64-v3 (avx2), x86-64-v4 (avx512), neon" ;;
  esac
  case "$set/$machine" in
    x86-64-*/x86-64 | neon/arm64) ;;
    *) die 2 "chip extension '$set' cannot be built on this machine ($machine)" ;;
  esac
  sets+="${sets:+;}$set"
done

# ---- set-up ---------------------------------------------------------------------------------------------------------

is_installed() {
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# install_missing PACKAGE...: installs the missing packages, or lists them and stops.
install_missing() {
  local package missing=() as_root=()
  for package in "$@"; do is_installed "$package" || missing+=("$package"); done
  [[ ${#missing[@]} -gt 0 ]] || return 0
  if [[ $EUID -ne 0 ]]; then
    if ! command -v sudo >/dev/null || ! { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
      die 1 "packages are missing and this user may not install them; as root: apt-get install ${missing[*]}"
    fi
    as_root=(sudo)
  fi
  say "Installing: ${missing[*]}"
  # Without a network, outdated package lists may still be good enough.
  ${as_root[@]+"${as_root[@]}"} apt-get update -qq || say "apt-get update failed; using the existing package lists"
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" >/dev/null || die 1 "apt could not install the missing packages: ${missing[*]}"
}

# Installs packages that make the library faster, add pages to the reference, or let more tests run. A package that apt
# does not have, or that cannot be installed, is skipped.
install_optional() {
  local package
  for package in "$@"; do
    is_installed "$package" && continue
    if [[ $(apt-cache policy "$package" 2>/dev/null) != *"Candidate: "[0-9]* ]]; then
      say "$package is not available; building without it"
    elif ! (install_missing "$package"); then
      say "$package could not be installed; building without it"
    fi
  done
}

set_up() {
  local needed=("${packages[@]}")
  [[ $with_tests == OFF ]] || needed+=("${test_packages[@]}")
  [[ $packaging == OFF ]] || needed+=("${package_packages[@]}")
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "This machine has no apt. The build needs these packages (Debian's names): ${needed[*]}"
    return
  fi
  install_missing "${needed[@]}"
  install_optional "${optional_packages[@]}"
  [[ $with_tests == OFF ]] || install_optional "${optional_test_packages[@]}"
  if [[ -z ${CXX-} && $(g++ -dumpversion | cut -d. -f1) -lt $oldest_gcc ]]; then
    install_missing "g++-$oldest_gcc"
    export CC=gcc-$oldest_gcc CXX=g++-$oldest_gcc
  fi
}

# ---- build ----------------------------------------------------------------------------------------------------------

folder=$root/blasbuild/cpu
[[ $build_type == Release ]] || folder+="-${build_type,,}"
[[ $libtype == dynamic ]] || folder+="-$libtype"
[[ $sanitize == OFF ]] || folder+="-sanitize"
readonly folder

configure() {
  local launcher=""
  if command -v ccache >/dev/null; then
    launcher=ccache
    # Paths in the sources count from here, so that another clone finds what this one has compiled.
    export CCACHE_BASEDIR=${CCACHE_BASEDIR-$root}
  fi
  cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE="$build_type" \
    -DCMAKE_C_COMPILER_LAUNCHER="$launcher" -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" \
    -DSD_LIBRARY_TYPE="$libtype" -DSD_LIBRARY_NAME="$name" -DSD_DATATYPES="$datatypes" -DSD_OPERATIONS="$operations" \
    -DSD_INSTRUCTION_SETS="$sets" -DSD_BUILD_TESTS="$with_tests" -DSD_SANITIZE="$sanitize" -DSD_USE_LTO="$lto" \
    -DSD_BUILD_COMPAT="$compat"
}

build() { cmake --build "$folder" --parallel "${jobs:-$(nproc)}" "$@"; }

# The unit tests run last, once with each instruction set, so that GoogleTest's summary ends the output.
run_tests() {
  local failed=0 status set missing
  missing=$("$root/bindings/java/jdk.sh" 2>&1 >/dev/null) || say "The tests of the Java interface are left out: $missing"
  ctest --test-dir "$folder" --label-exclude unit --output-on-failure --no-tests=ignore || failed=1
  while read -r set; do
    say "Unit tests with $set"
    status=0
    NDFORGE_ISA=$set "$folder/tests_cpu/layers_tests/runtests" --gtest_brief=1 || status=$?
    # 77: the machine does not support the set
    [[ $status -eq 0 || $status -eq 77 ]] || failed=1
  done <"$folder/instruction_sets.txt"
  [[ $failed -eq 0 ]] || die 1 "some tests failed"
}

set_up
configure
case "$command" in
  run)
    build --target ndforge ndforge_cli ndforge_tour ndforge_network
    "$folder/examples/ndforge_tour" "$folder/digits.svg"
    echo
    rm -f "$folder/network/network.npz"
    "$folder/examples/ndforge_network" dense --folder "$folder/network"
    ;;
  test)
    build
    run_tests
    ;;
  build)
    build
    say "Built in ${folder#"$PWD"/}"
    ;;
esac
if [[ $packaging == ON ]]; then
  build
  cpack --config "$folder/CPackConfig.cmake" -G "DEB;TGZ" -B "$root/dist"
  rm -rf "$root/dist/_CPack_Packages"
fi
