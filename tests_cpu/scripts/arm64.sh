#!/usr/bin/env bash
# Cross-compiles the library and the unit tests for 64-bit Arm and runs the tests under qemu: [FOLDER [TESTS]]. Needs
# apt, and Debian's packages g++-aarch64-linux-gnu, qemu-user-static, cmake, ninja-build and flatbuffers-compiler. The
# libraries come from packages for arm64, which are unpacked in FOLDER and not installed.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
folder=${1:-$root/blasbuild/arm64}
# An emulated program cannot start another one.
tests=${2:--Cli.*:*DeathTest*:NumberedThreads.sevenThreadsAreReallyTried}
readonly packages=(libc6-dev libstdc++-12-dev libgomp1 libopenblas-openmp-dev libfmt-dev zlib1g-dev libdnnl-dev
  libgtest-dev libxsimd-dev libcli11-dev nlohmann-json3-dev libflatbuffers-dev)

for program in aarch64-linux-gnu-g++ qemu-aarch64-static cmake ninja flatc apt-get dpkg; do
  command -v "$program" >/dev/null || { echo "arm64.sh: $program is not installed" >&2; exit 2; }
done

# ---- the libraries, as on an Arm machine -----------------------------------------------------------------------------

system=$folder/system
if [[ ! -e $system/complete ]]; then
  rm -rf "$system"
  apt=$folder/apt
  mkdir -p "$system" "$apt/lists/partial" "$apt/cache/archives/partial"
  : >"$apt/status"
  get=(apt-get -qq -y -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o "Dir::State=$apt"
    -o "Dir::State::Lists=$apt/lists" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt/cache"
    -o Debug::NoLocking=1 -o APT::Sandbox::User=)
  "${get[@]}" update
  "${get[@]}" --no-install-recommends --download-only install "${packages[@]}"
  for package in "$apt"/cache/archives/*.deb; do dpkg -x "$package" "$system"; done
  # The links that update-alternatives would create.
  ln -sf openblas-openmp/libopenblas.so openblas-openmp/libopenblas.so.0 "$system/usr/lib/aarch64-linux-gnu"
  ln -sf openblas-openmp/cblas.h openblas-openmp/openblas_config.h "$system/usr/include/aarch64-linux-gnu"
  rm -rf "$apt"
  touch "$system/complete"
fi

# ---- build and run -----------------------------------------------------------------------------------------------------

cat >"$folder/toolchain.cmake" <<TEXT
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_SYSROOT "$system")
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L "$system")
TEXT
launcher=$(command -v ccache || true)
cmake -S "$root" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE="$folder/toolchain.cmake" \
  -DCMAKE_C_COMPILER_LAUNCHER="$launcher" -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" -DSD_BUILD_CLI=OFF \
  -DSD_BUILD_EXAMPLES=OFF -DSD_BUILD_TESTS=ON
cmake --build "$folder/build" --parallel "$(nproc)" --target runtests
qemu-aarch64-static -L "$system" "$folder/build/tests_cpu/layers_tests/runtests" --gtest_brief=1 --gtest_filter="$tests"
