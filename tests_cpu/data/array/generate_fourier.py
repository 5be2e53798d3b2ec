#!/usr/bin/env python3
"""Expected values of discrete Fourier transforms and of complex numbers: NumPy in float64. The name of an array says the
call: operation, n or s, axis or axes, norm, number of the case, x or z; lists are separated by commas."""
import os

import numpy as np

rng = np.random.default_rng(7)
arrays = {}
REAL = ("rfft", "rfftn", "ihfft")
NORMS = ("backward", "ortho", "forward")


def some(shape, complex_):
    x = np.round(rng.normal(size=shape), 3)
    return x + 1j * np.round(rng.normal(size=shape), 3) if complex_ else x


def add(op, x, sizes, axes, norm):
    listed = lambda values: ",".join(str(v) for v in values) if values is not None else ""
    function = getattr(np.fft, op)
    if op.endswith("n"):
        z = function(x, sizes, axes, NORMS[norm])
        # NumPy's s without axes stands for the last ones
    else:
        z = function(x, None if sizes is None else sizes[0], -1 if axes is None else axes[0], NORMS[norm])
    key = f"{op};{listed(sizes)};{listed(axes)};{norm};{len(arrays)}"
    arrays[key + ";x"], arrays[key + ";z"] = x, z


for op in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    complex_ = op not in REAL
    least = 2 if op in ("irfft", "hfft") else 1
    for n in [*range(least, 18), 25, 31, 32, 37, 49, 60, 64, 74, 121]:
        add(op, some(n, complex_), None, None, 0)
    for norm in range(3):
        for n in (1, 4, 5, 9):
            add(op, some((3, 7), complex_), [n], [-1], norm)
            add(op, some((7, 2, 3), complex_), [n], [0], norm)
        add(op, some((2, 6, 5), complex_), None, [1], norm)
    add(op, some((20, 9), complex_), None, [0], 0)
    add(op, some((20, 9), complex_), None, [1], 0)
    add(op, some((251,), complex_), None, [0], 0)
    if complex_:
        add(op, some((3, 8), False), None, None, 0)
for op in ("fftn", "ifftn", "rfftn", "irfftn"):
    complex_ = op not in REAL
    for shape in ((4,), (3, 5), (4, 6), (2, 3, 4)):
        for norm in range(3):
            add(op, some(shape, complex_), None, list(range(len(shape))), norm)
    add(op, some((3, 4, 5), complex_), None, [0, 2], 0)
    add(op, some((3, 4, 5), complex_), None, [2, 0], 1)
    add(op, some((3, 4, 5), complex_), None, [1], 2)
    add(op, some((3, 4, 5), complex_), [5, 3], [0, 1], 0)
    add(op, some((3, 4, 5), complex_), [2, 8, 6], [0, 1, 2], 0)
    add(op, some((3, 4, 5), complex_), [6, 6], [-1, -3], 1)
HERE = os.path.dirname(os.path.abspath(__file__))
np.savez_compressed(os.path.join(HERE, "fourier.npz"), **arrays)

# ---- complex numbers
special = np.array([0, 1, -1, 1j, -1j, 3 - 4j, -0.0, complex(0, -0.0), complex(-0.0, -0.0), 1e200 + 1e200j, 1e-200j,
                    complex(np.inf, 1), complex(1, -np.inf), complex(np.nan, 1), complex(np.inf, np.nan)])
x = np.concatenate([special, some(25, True)]).reshape(5, 8)
y = some((5, 8), True)
row = some((8,), True)
numbers = {"x": x, "y": y, "row": row, "real": x.real, "imag": x.imag, "conj": x.conj(), "complex_abs": np.abs(x),
           "angle": np.angle(x), "y+row": y + row, "y-row": y - row, "y*row": y * row, "y/row": y / row, "-y": -y, "y.sum0": y.sum(0),
           "y.sum": y.sum(), "y.mean1": y.mean(1), "a": some((2, 3, 4), True), "b": some((4, 5), True), "v": some(4, True),
           "r": rng.normal(size=(4, 5))}
numbers["a@b"], numbers["a@v"], numbers["a@r"] = numbers["a"] @ numbers["b"], numbers["a"] @ numbers["v"], numbers["a"] @ numbers["r"]
for t in ("c8", "c16"):
    numbers["text_" + t] = np.array([1 + 2j, -0.5, 10.25 - 3j, 1e-3j]).astype(t)
np.savez_compressed(os.path.join(HERE, "complex_numbers.npz"), **numbers)
