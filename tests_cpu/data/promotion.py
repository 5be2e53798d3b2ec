"""Writes promotion.csv: numpy.promote_types of every pair of types that NumPy has."""
import csv
import itertools
import pathlib

import numpy as np

TYPES = {
    "BOOL": np.bool_, "INT8": np.int8, "UINT8": np.uint8, "INT16": np.int16, "UINT16": np.uint16, "INT32": np.int32,
    "UINT32": np.uint32, "INT64": np.int64, "UINT64": np.uint64, "HALF": np.float16, "FLOAT32": np.float32,
    "DOUBLE": np.float64,
}
NAMES = {np.dtype(type_): name for name, type_ in TYPES.items()}

with open(pathlib.Path(__file__).parent / "promotion.csv", "w", newline="") as file:
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(["x", "y", "numpy"])
    for x, y in itertools.combinations_with_replacement(TYPES, 2):
        rows.writerow([x, y, NAMES[np.promote_types(TYPES[x], TYPES[y])]])
