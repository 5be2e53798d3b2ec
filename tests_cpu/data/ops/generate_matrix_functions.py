#!/usr/bin/env python3
"""Expected values of functions of matrices: NumPy and SciPy in float64. Eigenvectors are compared with the sign that the
library documents: the element of largest magnitude is positive."""
import numpy as np
import scipy.linalg

from cases import Cases, coarse

rng = np.random.default_rng(37)
cases = Cases("matrix_functions")
INTEGERS = ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")


def some(*shape):
    return coarse(rng.normal(size=shape))


# ---- kron
for x, y in (((2, 3), (3, 2)), ((1,), (1,)), ((4,), (3,)), ((2, 3), (4,)), ((3,), (2, 2)), ((2, 1, 3), (3, 2)), ((), (2, 3)),
             ((2,), ()), ((), ()), ((0,), (3,)), ((2, 0), (3, 2)), ((2, 2, 2, 2), (1, 2, 3, 1))):
    a, b = some(*x), some(*y)
    cases.add("kron", [a, b], [np.kron(a, b)])
for dtype in INTEGERS:
    a, b = rng.integers(0, 6, (2, 2)).astype(dtype), rng.integers(0, 6, (3, 1)).astype(dtype)
    cases.add("kron", [a, b], [np.kron(a, b)])
cases.add("kron", [np.array([200, 3], "u1"), np.array([2, 1], "u1")], [np.array([144, 200, 6, 3], "u1")],
          label="integers wrap")
a, b = some(3), np.array([1, 2, 3], "i4")
cases.add("kron", [a, b], [np.kron(a, b.astype("f8"))], label="y is converted to the type of x", types=())
infinite = np.array([np.inf, np.nan, -1.0])
cases.add("kron", [infinite, np.array([0.0, 2.0])], [np.kron(infinite, np.array([0.0, 2.0]))], label="inf and NaN")

# ---- expm
for shape in ((1, 1), (2, 2), (5, 5), (3, 1, 1), (2, 3, 4, 4), (0, 0), (0, 2, 2), (2, 0, 0)):
    x = some(*shape)
    cases.add("expm", [x], [scipy.linalg.expm(x) if x.size else x])
zero = np.zeros((3, 3))
cases.add("expm", [zero], [np.eye(3)], label="of 0")
nilpotent = np.array([[0.0, 1, 2], [0, 0, 3], [0, 0, 0]])
cases.add("expm", [nilpotent], [np.eye(3) + nilpotent + nilpotent @ nilpotent / 2], label="nilpotent")
angle = 2.5
turn = np.array([[0.0, -angle], [angle, 0]])
cases.add("expm", [turn], [np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])], label="rotation")
for scale in (1e-6, 6.0, 40.0):  # no, one and several squarings
    x = scale * np.array([[-1.0, 0.5, 0.25], [0.125, -2.0, 0.5], [0.5, 0.25, -1.5]])
    cases.add("expm", [x], [scipy.linalg.expm(x)], types=("FLOAT32",), label=f"times {scale}")
decay = np.array([[-1000.0, 0], [0, -2000]])
cases.add("expm", [decay], [np.zeros((2, 2))], label="underflow gives 0")

# ---- pinv
for shape in ((1, 1), (3, 3), (5, 3), (3, 5), (2, 4, 3), (2, 1, 2, 3), (0, 3), (3, 0), (0, 2, 3)):
    x = some(*shape)
    if x.shape[-2:] == (3, 3):
        x = x + 3 * np.eye(3)
    cases.add("pinv", [x], [np.linalg.pinv(x)])
low = np.array([[1.0, 2], [2, 4], [3, 6]])
cases.add("pinv", [low], [np.linalg.pinv(low)], label="rank 1")
cases.add("pinv", [np.zeros((2, 3))], [np.zeros((3, 2))], label="of 0")
graded = np.diag([8.0, 1.0, 0.25])
cases.add("pinv", [graded], [np.diag([0.125, 1.0, 0.0])], t=(0.0625,), label="rcond leaves out small singular values")
cases.add("pinv", [graded], [np.diag([0.125, 1.0, 4.0])], t=(0.0,), label="rcond of 0")
cases.add("pinv", [np.diag([8.0, 1.0, 0.0])], [np.diag([0.125, 1.0, 0.0])], t=(0.0,), label="0 is never inverted")

# ---- eigh


def spectrum(x, upper=False):
    w, v = np.linalg.eigh(x, "U" if upper else "L")
    if v.size:
        largest = np.take_along_axis(v, np.abs(v).argmax(-2, keepdims=True), -2)
        v = v * np.where(largest < 0, -1.0, 1.0)
    return w, v


for shape in ((1, 1), (2, 2), (5, 5), (3, 2, 2), (2, 2, 3, 3), (0, 0), (0, 2, 2), (2, 0, 0)):
    x = some(*shape)
    for upper in (False, True):  # not symmetric: one triangle counts
        cases.add("eigh", [x], spectrum(x, upper), b=(upper,), label="upper" if upper else "lower",
                  types=("FLOAT32",))
x = np.array([[2.0, 1, 0], [1, 3, 0], [0, 0, 1]])
cases.add("eigh", [x], spectrum(x), label="the default is the lower triangle")
cases.add("eigh", [np.diag([3.0, 1.0, 2.0])], [np.array([1.0, 2, 3]), np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])],
          label="diagonal")
cases.add("eigh", [np.zeros((2, 2))], [np.zeros(2), np.eye(2)], label="of 0")
cases.add("eigh", [np.array([[-5.0]])], [np.array([-5.0]), np.array([[1.0]])], label="one element")

cases.save()
