#!/bin/sh
# Collects the licenses of what the wheel carries: LIBRARY BUILD FOLDER.
#
# FOLDER gets NDForge's own, those of the libraries that LIBRARY (libndforge.so) needs and of the headers that BUILD used,
# and the texts that these refer to. They come from Debian's packages. Without dpkg FOLDER gets NDForge's alone, and a line
# says so.
set -eu
library=$1
build=$2
folder=$3
root=$(cd "$(dirname "$0")/../.." && pwd)

mkdir -p "$folder"
cp "$root/LICENSE" "$folder/NDForge.txt"
command -v dpkg-query >/dev/null || {
  echo "licenses.sh: the licenses of other libraries are not in the wheel: there is no dpkg-query" >&2
  exit 0
}
# The C and C++ libraries of the system are not in the wheel.
libraries=$(ldd "$library" | awk '$3 ~ /^\// && $1 !~ /^lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|z)\.so/ { print $3 }')
headers=$(sed -n 's/^\(CLI11_DIR\|fmt_DIR\|nlohmann_json_DIR\):.*=\(.*\)/\2/p
                  s/^SD_FLATBUFFERS_INCLUDE:.*=\(.*\)/\1\/flatbuffers\/flatbuffers.h/p' "$build/CMakeCache.txt")
# The small OpenBLAS belongs to no package, but the installed one has the same name.
owner() { dpkg-query -S "$(readlink -f "$1")" 2>/dev/null || dpkg-query -S "*/$(basename "$1")" 2>/dev/null; }
for path in $libraries $headers; do
  package=$(owner "$path" | sed -n '1s/[:,].*//p')
  if [ -e "/usr/share/doc/$package/copyright" ] && [ -n "$package" ]; then
    cp "/usr/share/doc/$package/copyright" "$folder/$package.txt"
  else
    echo "licenses.sh: the license of $(basename "$path") is not in the wheel: it comes from no package of Debian" >&2
  fi
done
for name in $(cat "$folder"/*.txt | grep -oE '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' | sort -u); do
  [ ! -e "$name" ] || cp "$name" "$folder/$(basename "$name").txt"
done
