#!/usr/bin/env bash
# Draws the pictures of docs/gallery.md: tools/gallery.sh BUILD, a build with the examples.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
build=$(cd -- "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$build/examples/ndforge_tour" digits.svg "$root/examples/data"
"$build/examples/ndforge_network" dense --folder network
"$build/examples/graph_digits"
"$build/src/cli/ndforge" graph show digits.fb --svg -o graph.svg
cp digits.svg graph.svg network/loss.svg network/confusion.svg "$root/docs/gallery/"
