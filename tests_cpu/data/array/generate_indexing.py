#!/usr/bin/env python3
"""Parts of arrays as NumPy gives them: NNN.index holds a row of kind, start, stop and step for each index (a position, an
interval, a new axis, an ellipsis; the lowest number stands for no bound), NNN.part what they select from NNN.x."""
import pathlib

import numpy as np

rng = np.random.default_rng(8)
NONE = np.iinfo(np.int64).min
POSITION, INTERVAL, NEW_AXIS, ELLIPSIS = range(4)
arrays, count = {}, 0


def add(x, *indices):
    global count
    rows, numpy = [], []
    for index in indices:
        if index is None:
            rows.append((NEW_AXIS, 0, 0, 1))
        elif index is Ellipsis:
            rows.append((ELLIPSIS, 0, 0, 1))
        elif isinstance(index, slice):
            given = (index.start, index.stop)
            rows.append((INTERVAL, *(NONE if bound is None else bound for bound in given), index.step or 1))
        else:
            rows.append((POSITION, index, 0, 1))
        numpy.append(index)
    arrays[f"{count:03d}.x"] = x
    arrays[f"{count:03d}.index"] = np.array(rows, np.int64).reshape(-1, 4)
    part = np.asarray(x[tuple(numpy)])
    arrays[f"{count:03d}.part"] = part.copy("C")
    count += 1


line, table, cube = np.arange(7.0), np.arange(12.0).reshape(3, 4), np.arange(60.0).reshape(3, 4, 5)
BOUNDS = (None, 0, 1, 3, 6, 7, 9, -1, -3, -7, -8, 2**62, -2**62)
for start in BOUNDS:
    for stop in BOUNDS:
        add(line, slice(start, stop, (1, 2, -1, -2, 5, -9, 2**62, -2**62)[rng.integers(8)]))
add(line)
add(line, 0), add(line, -1), add(line, -7)
add(table, 1), add(table, 1, 2), add(table, slice(None), 1), add(table, ..., -1), add(table, None), add(table, ..., None)
add(table, 0, ..., 1), add(table, slice(None), slice(None)), add(table, slice(1, 3), slice(None, None, -1))
add(cube, ...), add(cube, 1, ..., 2), add(cube, ..., slice(1, 2)), add(cube, None, 1, None, slice(0, 4, 2), None)
add(cube.transpose(2, 0, 1), 1, slice(None), slice(None, None, -2)), add(table.T, slice(None, None, 2))
add(np.array(5.0)), add(np.array(5.0), ...), add(np.array(5.0), None)
add(np.zeros((0, 3))), add(np.zeros((0, 3)), slice(None), 1), add(np.zeros((0, 3)), ..., slice(1, 2))
add(table, slice(2, 1)), add(table, slice(5, 9), 0)
for _ in range(60):
    indices = []
    for size in cube.shape[:rng.integers(1, 4)]:
        if rng.integers(3) == 0:
            indices.append(None)
        if rng.integers(3) == 0:
            indices.append(int(rng.integers(-size, size)))
        else:
            bounds = [None if rng.integers(3) == 0 else int(rng.integers(-size - 2, size + 3)) for _ in range(2)]
            indices.append(slice(*bounds, int(rng.choice([-3, -2, -1, 1, 2, 3]))))
    add(cube, *indices)

np.savez_compressed(pathlib.Path(__file__).parent / "indexing.npz", **arrays)
print(count, "cases")
