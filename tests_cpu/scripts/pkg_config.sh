#!/usr/bin/env bash
# Builds and runs a program with the flags that pkg-config gives: PREFIX dynamic|static COMPILER SOURCE PROGRAM.
set -euo pipefail
prefix=$1 libtype=$2 compiler=$3 source=$4 program=$5

found=$(find "$prefix" -name ndforge.pc)
export PKG_CONFIG_PATH=${found%/*}
static=""
if [[ $libtype == static ]]; then static=--static; fi
read -r -a compile_flags <<<"$(pkg-config --cflags ndforge)"
read -r -a link_flags <<<"$(pkg-config ${static:+"$static"} --libs ndforge)"
"$compiler" -std=c++17 "${compile_flags[@]}" "$source" "${link_flags[@]}" -o "$program"
LD_LIBRARY_PATH=${found%/pkgconfig/*} "$program"
