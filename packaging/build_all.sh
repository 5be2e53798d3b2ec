#!/usr/bin/env bash
# Makes the packages that this machine can make, and tries each in a clean place. See --help.
# shellcheck disable=SC2317,SC2329  # step calls the functions by their names
set -euo pipefail

readonly kinds=(deb tgz wheel conan vcpkg docker)
# What the .tar.gz needs, as docs/install.md says.
readonly run_time_packages=(libgomp1 libopenblas0-openmp zlib1g libre2-9 libutf8proc2 libdnnl2 libhwy1)

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
readonly root

usage() {
  cat <<'TEXT'
Usage: packaging/build_all.sh [options]

Makes the packages that this machine can make, tries each, and prints a table. The exit status is 0 when nothing that was
made failed.

  deb      .deb, by CPack; installed by apt in a new Debian, where the command and a C++ program run
  tgz      .tar.gz, by CPack; unpacked in a new Debian, where the command and a C++ program run
  wheel    Python wheel; installed without a network in an empty environment
  conan    Conan package, built from the sources; restored in an empty cache, where a project uses it
  vcpkg    vcpkg port, built from the sources when vcpkg is on the PATH
  docker   image, by Docker or buildah, with the .deb, or compiled in the image when there is none

Options
  --out FOLDER     where the packages go (default: dist)
  --only LIST      kinds of packages, for example deb,wheel (default: all)
  --built FOLDER   a finished build of the library (default: blasbuild/cpu, after building there)
  --base IMAGE     the image under the docker image (default: debian:RELEASE-slim of this machine's release; one made with
                   debootstrap when the registry cannot be reached)
  -h, --help       this text

A new Debian is made with debootstrap, which needs root.
TEXT
}

# die STATUS TEXT: 2 is bad usage, 1 is everything else.
die() {
  printf 'build_all.sh: %s\n' "$2" >&2
  exit "$1"
}

# ---- options --------------------------------------------------------------------------------------------------------

out=$root/dist
built=""
base=""
wanted=("${kinds[@]}")

while [[ $# -gt 0 ]]; do
  case "$1" in
    -h | --help) usage; exit 0 ;;
    --out | --only | --built | --base)
      [[ $# -ge 2 && -n $2 ]] || die 2 "option $1 needs a value; --help lists the options"
      ;;
    *) die 2 "unknown option '$1'; --help lists the options" ;;
  esac
  case "$1" in
    --out) out=$2 ;;
    --only)
      IFS=', ' read -r -a wanted <<<"$2"
      [[ ${#wanted[@]} -gt 0 ]] || die 2 "--only names no package"
      for kind in "${wanted[@]}"; do
        [[ " ${kinds[*]} " == *" $kind "* ]] || die 2 "package '$kind' is not one of ${kinds[*]}"
      done
      ;;
    --built)
      [[ -e $2/CPackConfig.cmake ]] || die 2 "'$2' is not a build of NDForge: it has no CPackConfig.cmake"
      [[ -e $2/libndforge.so ]] || die 2 "'$2' is not a finished build: it has no libndforge.so"
      built=$(cd -- "$2" && pwd)
      ;;
    --base) base=$2 ;;
  esac
  shift 2
done
mkdir -p "$out" || die 2 "folder '$out' cannot be made"
out=$(cd -- "$out" && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^project(NDForge VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
# The packages depend on libraries of this machine's release of Debian.
# shellcheck disable=SC1091  # a file of the machine
release=$(. /etc/os-release 2>/dev/null && [[ $ID == debian ]] && printf '%s' "$VERSION_CODENAME") || release=bookworm

is_wanted() { [[ " ${wanted[*]} " == *" $1 "* ]]; }

# ---- steps and their results ----------------------------------------------------------------------------------------

failed=0
table=()

# leave_out TEXT: ends a step that this machine cannot do.
leave_out() {
  printf '%s' "$1" >"$work/reason"
  exit 77
}

# step FUNCTION: runs it in a shell of its own and sets $status; 77 means that it was left out, $reason says why.
step() {
  status=0 reason=""
  rm -f "$work/reason"
  (set -e; "$1") >"$work/$1.log" 2>&1 &
  wait $! || status=$?
  if [[ $status -eq 77 && -e $work/reason ]]; then
    reason=$(cat "$work/reason")
  elif [[ $status -ne 0 ]]; then
    failed=1
    printf -- '---- %s: exit status %s; the end of its output is\n' "$1" "$status" >&2
    tail -n 25 "$work/$1.log" >&2
    cp "$work/$1.log" "$out/"
    reason="see ${out#"$PWD"/}/$1.log"
  fi
}

# package KIND PATTERN: makes the package with make_KIND and tries it with try_KIND. PATTERN is its file in $out.
package() {
  local kind=$1 pattern=$2 file size name
  is_wanted "$kind" || return 0
  printf '%s: making\n' "$kind"
  step "make_$kind"
  if [[ $status -ne 0 ]]; then
    if [[ $status -eq 77 ]]; then add_row "$kind" - "left out: $reason"; else add_row "$kind" - "failed: $reason"; fi
    return 0
  fi
  file=$(newest "$out/$pattern")
  size=-
  name=${file##*/}
  [[ -z $file ]] || size=$(stat -c %s "$file" | numfmt --to=si --suffix=B --format=%.1f)
  printf '%s: trying\n' "$kind"
  step "try_$kind"
  case "$status" in
    0) add_row "${name:-$kind}" "$size" "made and tried" ;;
    77) add_row "${name:-$kind}" "$size" "made, not tried: $reason" ;;
    *) add_row "${name:-$kind}" "$size" "made, failed when tried: $reason" ;;
  esac
}

add_row() { table+=("$(printf '%-40s %8s  %s' "$@")"); }

# newest FOLDER/PATTERN: the file that was written last.
newest() { find "${1%/*}" -maxdepth 1 -name "${1##*/}" -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d ' ' -f 2-; }

# ---- a new Debian ---------------------------------------------------------------------------------------------------

# Makes the folder $work/debian once. It is not changed after that, except for downloaded packages.
make_debian() {
  [[ $EUID -eq 0 ]] || leave_out "debootstrap needs root"
  command -v debootstrap >/dev/null || leave_out "debootstrap is not installed"
  [[ ! -e $work/debian/ready ]] || return 0
  rm -rf "$work/debian"
  debootstrap --variant=minbase "$release" "$work/debian" >"$work/debootstrap.log" 2>&1 || {
    tail -n 3 "$work/debootstrap.log"
    leave_out "debootstrap cannot make Debian $release here"
  }
  touch "$work/debian/ready"
}

# copy_debian NAME: sets $debian to a new copy.
copy_debian() {
  make_debian
  debian=$work/$1
  cp -a --reflink=auto "$work/debian" "$debian"
}

# inside COMMAND...: runs it in $debian. A program finds libraries beside it only when it has /proc.
inside() {
  env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
    unshare --mount --pid --fork --mount-proc="$debian/proc" chroot "$debian" "$@"
}

# install_inside PACKAGE...
install_inside() {
  inside apt-get install -y -q --no-install-recommends "$@"
  # The next copy does not download the packages again.
  cp -n "$debian"/var/cache/apt/archives/*.deb "$work/debian/var/cache/apt/archives/" || true
}

# ---- .deb and .tar.gz -----------------------------------------------------------------------------------------------

# Runs once, for all kinds that start from a build.
make_build() {
  if [[ -z $built ]]; then
    "$root/buildnativeoperations.sh"
  fi
}

# run_cpack GENERATOR PATTERN: moves what CPack makes to $out.
run_cpack() {
  cpack --config "$built/CPackConfig.cmake" -G "$1" -B "$work/cpack"
  find "$out" -maxdepth 1 -name "$2" -delete
  find "$work/cpack" -maxdepth 1 -name "$2" -exec mv -t "$out" {} +
}

make_deb() {
  command -v dpkg-shlibdeps >/dev/null || leave_out "dpkg-dev is not installed"
  command -v file >/dev/null || leave_out "the program file is not installed"
  run_cpack DEB 'ndforge*.deb'
}

try_deb() {
  copy_debian debian_deb
  cp "$out"/ndforge*_"$version"_*.deb "$debian/tmp/"
  inside apt-get update -q
  inside sh -c 'apt-get install -y -q --no-install-recommends /tmp/ndforge*.deb'
  inside ndforge version
  install_inside g++ pkg-config
  cp "$root/tests_cpu/consumer/consumer.cpp" "$debian/tmp/"
  # shellcheck disable=SC2016  # the shell in the folder expands it
  inside sh -c 'g++ -std=c++17 /tmp/consumer.cpp $(pkg-config --cflags --libs ndforge) -o /tmp/consumer && /tmp/consumer'
}

make_tgz() { run_cpack TGZ 'ndforge-*.tar.gz'; }

try_tgz() {
  copy_debian debian_tgz
  mkdir "$debian/opt/ndforge"
  tar -xf "$(newest "$out/ndforge-$version-*.tar.gz")" -C "$debian/opt/ndforge" --strip-components=1
  inside apt-get update -q
  install_inside "${run_time_packages[@]}"
  inside /opt/ndforge/bin/ndforge version
  install_inside g++ cmake make
  cp -r "$root/tests_cpu/consumer" "$debian/tmp/"
  inside cmake -S /tmp/consumer -B /tmp/built -DCMAKE_PREFIX_PATH=/opt/ndforge
  inside cmake --build /tmp/built
  inside /tmp/built/consumer
}

# ---- wheel ----------------------------------------------------------------------------------------------------------

make_wheel() {
  local status=0
  "$root/bindings/python/wheel.sh" --built "$built" --out "$out" || status=$?
  [[ $status -ne 77 ]] || leave_out "the tools from PyPI cannot be installed"
  return "$status"
}

try_wheel() {
  python3 -m venv "$work/venv"
  "$work/venv/bin/python" -m pip --isolated install --no-index "$(newest "$out/ndforge-$version-*.whl")"
  cd "$work"
  "$work/venv/bin/python" -I -c "
import ndforge as nd
x = nd.array([[1.0, 2.0], [3.0, 4.0]])
print(nd.matmul(x, x))
assert nd.matmul(x, x).tolist() == [[7.0, 10.0], [15.0, 22.0]]"
  "$work/venv/bin/ndforge" version
}

# ---- Conan ----------------------------------------------------------------------------------------------------------

find_conan() {
  conan=$(command -v conan) && return
  conan=$work/conan/bin/conan
  [[ ! -x $conan ]] || return 0
  python3 -m venv "$work/conan"
  "$work/conan/bin/pip" install -q 'conan>=2' || leave_out "conan is not installed, and PyPI cannot be reached"
}

# The tests of the package are built in a copy of their folder: Conan writes into it. The cache is a new one.
make_conan() {
  find_conan
  export CONAN_HOME=$work/conan_made
  "$conan" profile detect
  cp -r "$root/packaging/conan/test_package" "$work/test_package"
  "$conan" create "$root/packaging/conan" --test-folder "$work/test_package"
  "$conan" cache save "ndforge/$version:*" --file "$out/ndforge-$version-conan.tgz"
}

try_conan() {
  find_conan
  export CONAN_HOME=$work/conan_user
  "$conan" profile detect
  "$conan" cache restore "$out/ndforge-$version-conan.tgz"
  cp -r "$root/tests_cpu/consumer" "$work/conan_consumer"
  cd "$work/conan_consumer"
  "$conan" install --requires "ndforge/$version" -g CMakeDeps -g CMakeToolchain --output-folder build
  cmake -S . -B build -DCMAKE_TOOLCHAIN_FILE=conan_toolchain.cmake -DCMAKE_BUILD_TYPE=Release
  cmake --build build
  # shellcheck disable=SC1091  # Conan writes it
  . build/conanrun.sh
  build/consumer
}

# ---- vcpkg ----------------------------------------------------------------------------------------------------------

make_vcpkg() {
  command -v vcpkg >/dev/null || leave_out "vcpkg is not on the PATH"
  cd "$work"
  vcpkg install ndforge --overlay-ports="$root/packaging/vcpkg" --x-install-root="$work/vcpkg"
}

try_vcpkg() {
  local folder=${VCPKG_ROOT-$(dirname -- "$(readlink -f -- "$(command -v vcpkg)")")}
  cmake -S "$root/tests_cpu/consumer" -B "$work/vcpkg_consumer" -DVCPKG_MANIFEST_MODE=OFF \
    -DCMAKE_TOOLCHAIN_FILE="$folder/scripts/buildsystems/vcpkg.cmake" -DVCPKG_INSTALLED_DIR="$work/vcpkg"
  cmake --build "$work/vcpkg_consumer"
  "$work/vcpkg_consumer/consumer"
}

# ---- docker ---------------------------------------------------------------------------------------------------------

find_engine() {
  export BUILDAH_ISOLATION=${BUILDAH_ISOLATION-chroot}
  if docker info >/dev/null 2>&1; then
    engine=docker
  elif ! command -v buildah >/dev/null; then
    leave_out "neither Docker's engine nor buildah is here"
  elif ! buildah images >/dev/null; then
    leave_out "buildah does not run here"
  else
    engine=buildah
  fi
}

# Sets $base to an image that is on this machine.
find_base() {
  local image=${base:-debian:$release-slim} container
  if [[ $engine == docker ]]; then
    if docker image inspect "$image" >/dev/null || docker pull "$image"; then base=$image; return; fi
  else
    if buildah inspect --type image "$image" >/dev/null || buildah pull "$image"; then base=$image; return; fi
  fi
  [[ -z $base ]] || { echo "image '$base' is not on this machine and cannot be pulled"; return 1; }
  echo "$image cannot be pulled; an image made with debootstrap takes its place"
  base=localhost/ndforge-base:$release
  if [[ $engine == docker ]]; then
    if docker image inspect "$base" >/dev/null; then return; fi
  elif buildah inspect --type image "$base" >/dev/null; then
    return
  fi
  make_debian
  # Without what Debian's slim images leave out.
  tar -C "$work/debian" --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' --exclude='./usr/share/locale/*' \
    --exclude='./var/cache/apt/*' --exclude='./var/lib/apt/lists/*' -cf "$work/base.tar" .
  if [[ $engine == docker ]]; then
    docker import "$work/base.tar" "$base"
  else
    container=$(buildah from scratch)
    buildah add "$container" "$work/base.tar" /
    buildah commit --rm "$container" "$base"
  fi
  rm "$work/base.tar"
}

make_docker() {
  local package=compiled context=$root image=ndforge:$version deb builder=(docker build)
  find_engine
  find_base
  deb=$(newest "$out/ndforge_${version}_*.deb")
  if [[ -n $deb ]]; then
    package=given context=$work/context
    mkdir -p "$context/dist"
    cp "$deb" "$context/dist/"
  fi
  [[ $engine == docker ]] || builder=(buildah bud)
  "${builder[@]}" -f "$root/packaging/docker/Dockerfile" --build-arg BASE="$base" --build-arg PACKAGE="$package" \
    -t "$image" "$context"
  rm -f "$out/ndforge-$version-image.tar.gz"
  if [[ $engine == docker ]]; then
    docker save "$image" -o "$work/image.tar"
  else
    buildah push "$image" "docker-archive:$work/image.tar:$image"
  fi
  gzip -c "$work/image.tar" >"$out/ndforge-$version-image.tar.gz"
  rm "$work/image.tar"
}

try_docker() {
  local image=ndforge:$version user container
  find_engine
  if [[ $engine == docker ]]; then
    docker run --rm "$image" version
    user=$(docker run --rm --entrypoint id "$image" -u)
  else
    container=$(buildah from "$image")
    buildah run "$container" -- ndforge version
    user=$(buildah run "$container" -- id -u)
    buildah rm "$container"
  fi
  [[ $user -ne 0 ]] || { echo "the image runs as root"; return 1; }
}

# ---- all ------------------------------------------------------------------------------------------------------------

if [[ -z $built ]] && { is_wanted deb || is_wanted tgz || is_wanted wheel; }; then
  echo "building the library"
  step make_build
  [[ $status -eq 0 ]] || die 1 "the library cannot be built; $reason"
  built=$root/blasbuild/cpu
fi
package deb "ndforge_${version}_*.deb"
package tgz "ndforge-$version-*.tar.gz"
package wheel "ndforge-$version-*.whl"
package conan "ndforge-$version-conan.tgz"
package vcpkg "ndforge-$version-vcpkg"
package docker "ndforge-$version-image.tar.gz"

printf '\n%-40s %8s  %s\n' package size result
printf '%s\n' "${table[@]}"
exit "$failed"
