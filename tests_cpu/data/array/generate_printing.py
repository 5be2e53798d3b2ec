#!/usr/bin/env python3
"""How NumPy prints arrays: NNN.x and NNN.text (its characters) in printing.npz. From NumPy 2.4 on, numbers
of narrow types have exponents where their digits end."""
import pathlib

import numpy as np

rng = np.random.default_rng(5)
cases = []


def add(x, dtype=None):
    cases.append(np.asarray(x, dtype))


for dtype in ("f8", "f4", "f2"):
    for x in (2.0, 1 / 3, 0.0, -0.0, np.nan, -np.inf, 1.5e-5, 1e-4, 600.0, 60000.0, 0.1, [1e-4], [600.0], [1000.0], [1.0], [1.5, -2.25, 100.0], [0.1, 0.2, 0.3],
              [1 / 3, 2 / 3], [0.0, 0.0], [-0.0, 1.0], [np.nan, 1.5, -np.inf], [np.inf, np.nan], [np.nan, -1.0], [1e-4, 0.1],
              [1.0, 1000.0], [1.0, 1001.0], [1e-5], [9.9999999e-5, 1.0], [0.5, 0.25, 0.125, 0.0625], [[1.0, 2.5], [-3.25, 4.0]],
              [9.99999999, 0.99999999], [0.000244140625, 0.00048828125], [32768.0, 0.5]):
        add(x, dtype)
    add(rng.normal(size=(3, 4)), dtype)
    add(rng.normal(size=(2, 3, 4)), dtype)
    add(rng.normal(size=40), dtype)
    add(rng.normal(size=(2, 30)), dtype)
    add(rng.uniform(size=(2, 2, 2, 2)), dtype)
    add(np.zeros((0,)), dtype)
    add(np.zeros((3, 0)), dtype)
    add(np.exp(rng.normal(scale=4, size=30)), dtype)
for x in (1e-4, 1e8, 1e16, 1.5e17, 1e300, 5e-324, 123456789.123, [1e8], [99999999.0], [123456.789, 0.001], [1e300, 1e-300], [1e100, np.nan],
          [123456789.0, 1.0], [0.1 + 0.2]):
    add(x, "f8")
for x in ([16777216.0], [3e38, -1e-38], [1e10], 1e10, 999999.0, 1e6, [999999.0], [1e6]):
    add(x, "f4")
add(np.arange(1000.0))
add(np.arange(1001.0))
add(rng.normal(size=(40, 50)))
add(rng.normal(size=(5, 300)).astype("f4"))
add(rng.normal(size=(20, 5, 20)))
add(rng.normal(size=(2, 2, 300)))
for dtype in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
    limits = np.iinfo(dtype)
    add([limits.min, 0, limits.max], dtype)
    add(limits.max, dtype)
    add(rng.integers(0, 100, (3, 5)), dtype)
add(np.arange(2000).reshape(2, 1000))
add(np.arange(60) - 30)
add([True, False])
add([[True, True], [True, True]])
add(True)
add(np.ones((1, 1, 1, 1)))

arrays = {}
for i, x in enumerate(cases):
    arrays[f"{i:03d}.x"] = x
    arrays[f"{i:03d}.text"] = np.frombuffer(str(x).encode(), "u1")
    # As repr() separates elements.
    arrays[f"{i:03d}.commas"] = np.frombuffer(np.array2string(x, separator=", ", precision=4).encode(), "u1")
np.savez_compressed(pathlib.Path(__file__).parent / "printing.npz", **arrays)
print(len(cases), "cases")
