#!/bin/sh
# Recognises handwritten digits by the nearest of ten mean images: nearest_mean.sh [folder of the data].
set -e
data=$(cd "${1:-examples/data}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
ndforge run cast -i "$data/optdigits.npy" --dtype float32 -o reals.npy
ndforge run cast -i "$data/optdigits_labels.npy" --dtype int64 -o labels.npy
ndforge run reshape -i reals.npy --shape=-1,64 -o pixels.npy

ndforge run unsorted_segment_mean -i pixels.npy -i labels.npy --num-segments 10 -o means.npy
ndforge run standardize -i means.npy --axis 1 -o patterns.npy
ndforge run matmul -i pixels.npy -i patterns.npy --transpose-b -o likeness.npy
ndforge run argmax -i likeness.npy --axis 1 -o found.npy
ndforge run equals -i found.npy -i labels.npy -o - | ndforge run CountNonZero -i -
