#!/usr/bin/env bash
# Adds the operation BellCurve to a copy of the sources: TREE.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
tree=$1

cp "$here/BellCurve.h" "$tree/include/ops/functors/"
sed -i 's|^#include <ops/functors/strict.h>$|#include <ops/functors/BellCurve.h>\n&|' "$tree/include/ops/ops.h"
sed -i 's|^  (58, simdOps::MishDerivative)$|&, \\\n  (59, simdOps::BellCurve)|' "$tree/include/loops/legacy_ops.h"
for list in include/ops/ops.h include/loops/legacy_ops.h; do
  if ! grep -q BellCurve "$tree/$list"; then
    echo "$list does not have the lines that this script expects" >&2
    exit 1
  fi
done
