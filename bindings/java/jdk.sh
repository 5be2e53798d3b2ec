#!/usr/bin/env bash
# Prints the folder of a JDK 22 or newer: JAVA_HOME, that of the javac on the PATH, or one in /usr/lib/jvm. Without such a
# JDK, or without Maven, says what is missing and exits with 1.
set -euo pipefail

version() { "$1/bin/javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p'; }

fits() {
  [[ -n $1 && -x $1/bin/javac ]] || return 1
  local number
  number=$(version "$1")
  [[ -n $number && $number -ge 22 ]]
}

command -v mvn >/dev/null || { echo "there is no Maven (Debian's package maven)" >&2; exit 1; }
on_path=$(command -v javac || true)
[[ -z $on_path ]] || on_path=$(dirname "$(dirname "$(readlink -f "$on_path")")")
for folder in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/*; do
  if fits "$folder"; then
    echo "$folder"
    exit 0
  fi
done
echo "there is no JDK 22 or newer in JAVA_HOME, on the PATH or in /usr/lib/jvm" >&2
exit 1
