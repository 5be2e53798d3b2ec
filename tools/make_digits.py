#!/usr/bin/env python3
"""Writes examples/data/optdigits.npy and optdigits_labels.npy from a scikit-learn wheel.

    pip download scikit-learn --no-deps
    python3 tools/make_digits.py scikit_learn-*.whl examples/data

The wheel contains the test part of the UCI optdigits set as digits.csv.gz: 1,797 lines of 64 pixels (0..16) and a
label.
"""

import argparse
import gzip
import pathlib
import zipfile

import numpy as np

MEMBER = "sklearn/datasets/data/digits.csv.gz"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()

    with zipfile.ZipFile(arguments.wheel) as wheel:
        text = gzip.decompress(wheel.read(MEMBER)).decode("ascii")
    table = np.array([[float(field) for field in line.split(",")] for line in text.splitlines()])
    if table.shape != (1797, 65) or table.min() < 0 or table[:, :64].max() > 16 or table[:, 64].max() > 9:
        raise SystemExit(f"{MEMBER} does not hold the digits that this script expects (shape {table.shape})")
    np.save(arguments.folder / "optdigits.npy", table[:, :64].astype(np.uint8).reshape(-1, 8, 8))
    np.save(arguments.folder / "optdigits_labels.npy", table[:, 64].astype(np.uint8))


if __name__ == "__main__":
    main()
