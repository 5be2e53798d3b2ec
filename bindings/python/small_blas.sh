#!/bin/sh
# Links a smaller OpenBLAS for the wheel from the static library beside the installed one: LIBRARY FOLDER.
#
# The installed one is a third of the wheel. Most of it are functions that nothing in the wheel calls, and kernels for
# processors without SSE4.2, on which NDForge does not run. The smaller one has the functions that LIBRARY (libndforge.so)
# calls and the kernels for all other processors, and a fifth of the size. FOLDER gets it, under the name that LIBRARY asks
# for. Where there is no static library, or it cannot be linked, the script says so and exits with 1.
set -eu
library=$1
folder=$2
here=$(cd "$(dirname "$0")" && pwd)

fail() {
  echo "small_blas.sh: $1" >&2
  exit 1
}
# The loader's choice, and the static library of the same variant (threads by OpenMP or POSIX) and release.
installed=$(ldd "$library" | awk '$1 ~ /^libopenblas/ && $3 ~ /^\// { print $3 }')
[ -n "$installed" ] || fail "$(basename "$library") needs no OpenBLAS"
installed=$(readlink -f "$installed")
archive=${installed%.so*}.a
[ -e "$archive" ] || fail "there is no $(basename "$archive") beside $(basename "$installed") (Debian's package libopenblas-…-dev)"
mkdir -p "$folder"
dynamic() { readelf -dW "$installed" | sed -n "s/.*($1).*\[\(.*\)\]/\1/p"; }
soname=$(dynamic SONAME)

# What the library calls, and what tells programs such as `ndforge env` and threadpoolctl about OpenBLAS.
nm -D --undefined-only "$library" | awk '{ sub(/@.*/, "", $2); print $2 }' | sort -u >"$folder/called"
for name in get_config get_corename get_num_procs get_num_threads get_parallel set_num_threads; do
  echo "openblas_$name"
done | sort -u - "$folder/called" >"$folder/wanted"
nm -D --defined-only "$installed" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort -u | comm -12 - "$folder/wanted" >"$folder/kept"
{
  echo '{ global:'
  sed 's/$/;/' "$folder/kept"
  echo 'local: *; };'
} >"$folder/exports"

# A build for many processors has a table of kernels for each. The tables of old processors become that of Nehalem, whose
# kernels need SSE4.2 alone, because OpenBLAS uses them for newer processors too: for unknown ones, and for those whose
# system does not save AVX's registers. OpenBLAS then calls a Nehalem "Prescott"; it compares the tables' addresses.
tables=$(nm "$archive" 2>/dev/null | sed -n 's/.* D gotoblas_//p' | tr '\n' ' ')
aliases=
for core in PRESCOTT CORE2 PENRYN DUNNINGTON ATOM NANO OPTERON OPTERON_SSE3 BARCELONA BOBCAT; do
  case " $tables" in
    *" $core "*) aliases="$aliases -Wl,--defsym=gotoblas_$core=gotoblas_NEHALEM" ;;
  esac
done

link() {  # OPTION...
  # shellcheck disable=SC2046,SC2086 # lists of options
  "${CC:-cc}" -shared -O2 -fPIC -s -o "$folder/$soname" "$@" "-Wl,-soname,$soname,--version-script=$folder/exports" \
    -Wl,-O1,-z,relro,--gc-sections,--no-undefined,--as-needed $aliases $(sed 's/^/-Wl,-u,/' "$folder/kept") \
    "$here/small_blas.c" "$archive" $(dynamic NEEDED | sed 's/^/-l:/') 2>"$folder/link.log"
}
# Many kernels of different processors are the same; gold joins them.
link -fuse-ld=gold -Wl,--icf=all || link ||
  fail "$(basename "$archive") cannot be linked: $(grep -m 1 -iE 'error|undefined|cannot' "$folder/link.log")"
