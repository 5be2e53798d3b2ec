#!/usr/bin/env python3
"""Expected values of scalar comparisons, boolean operations and choices: NumPy."""
import fractions

import numpy as np

from cases import Cases, Empty, bfloat16, coarse

cases = Cases("boolean")
rng = np.random.default_rng(13)

# ---- single results

COMPARISONS = {
    "eq_scalar": np.equal, "neq_scalar": np.not_equal, "lt_scalar": np.less, "lte_scalar": np.less_equal,
    "gt_scalar": np.greater, "gte_scalar": np.greater_equal,
}
for name, function in COMPARISONS.items():
    for x, y in ((1.0, 2.0), (2.0, 2.0), (3.0, 2.0), (np.nan, 1.0), (1.0, np.nan), (np.inf, np.inf)):
        cases.add(name, [np.array(x), np.array(y)], [np.array(function(x, y))])
    # Python compares integers exactly
    for x, y in ((2**53 + 1, 2**53), (-1, 5)):
        cases.add(name, [np.array(x, np.int64), np.array(y, np.int64)], [np.array(bool(function(x, y)))])
    cases.add(name, [np.array(2**63, np.uint64), np.array(-1, np.int64)], [np.array(bool(function(2**63, -1)))])
    for x, y in ((2**53 + 1, 2.0**53), (3, 2.5), (-3, -2.5), (2, 2.0), (0, np.nan), (1, np.inf), (1, -np.inf)):
        mixed = [np.array(x, np.int64), np.array(y)]
        cases.add(name, mixed, [np.array(name == "neq_scalar" if np.isnan(y) else bool(function(x, y)) if np.isinf(y) else
                                         bool(function(fractions.Fraction(x), fractions.Fraction(y))))], types=())
    cases.add(name, [np.array(2.5), np.array(2, np.uint8)], [np.array(bool(function(2.5, 2)))])
    cases.add(name, [np.array([[1, 9]], np.int8), np.array([1.0, 5.0, 7.0])], [np.array(bool(function(1, 1)))],
              label="the first elements count")

SEQUENCES = [[1, 2, 3, 4], [1, 2, 2, 4], [4, 3, 2, 1], [1, 2, 3, 2], [5], [1, 1, 1]]
for dtype in (np.float64, np.int8, np.int64, np.uint8, np.uint64, np.uint16):
    for values in SEQUENCES if dtype in (np.float64, np.int8) else SEQUENCES[:4]:
        x = np.array(values, dtype)
        cases.add("is_non_decreasing", [x], [np.array(bool(np.all(x[:-1] <= x[1:])))])
        cases.add("is_strictly_increasing", [x], [np.array(bool(np.all(x[:-1] < x[1:])))])
for name in ("is_non_decreasing", "is_strictly_increasing"):
    cases.add(name, [np.array([[1.0, 2], [3, 4]])], [np.array(True)])
    cases.add(name, [np.array([[1.0, 3], [2, 4]])], [np.array(False)])
    cases.add(name, [np.zeros((0, 2))], [np.array(True)])
    cases.add(name, [np.array([1.0, np.nan, 0.5])], [np.array(True)], label="NaN breaks nothing")
    cases.add(name, [np.array([False, True])], [np.array(True)])
    cases.add(name, [np.array([True, False])], [np.array(False)])
    cases.add(name, [np.array([0, 2**63], np.uint64)], [np.array(True)])

for dtype, answer in ((np.float16, True), (np.float64, True), (np.int8, True), (np.uint64, True), (np.bool_, False)):
    cases.add("is_numeric_tensor", [np.zeros((2, 2), dtype)], [np.array(answer)], types=())
cases.add("is_numeric_tensor", [bfloat16(np.zeros(2))], [np.array(True)], types=())
cases.add("is_numeric_tensor", [np.array(["a", "b"])], [np.array(False)])
cases.add("is_numeric_tensor", [np.zeros((0, 2))], [np.array(True)])

for shape in ((2, 3), (), (0, 2), (3, 1, 4)):
    x = rng.integers(0, 2, shape).astype(bool)
    cases.add("boolean_not", [x], [np.logical_not(x)])

# ---- choices


def both(dtype, *shape):
    if dtype == np.bool_:
        return rng.integers(0, 2, shape).astype(bool), rng.integers(0, 2, shape).astype(bool)
    if np.issubdtype(dtype, np.integer):
        info = np.iinfo(dtype)
        return tuple(rng.integers(info.min, info.max, shape, dtype, True) for _ in "xy")
    return tuple(coarse(rng.normal(size=shape)).astype(dtype) for _ in "xy")


def mask(*shape):
    return np.asarray(rng.integers(0, 2, shape)).astype(bool)


for dtype in (np.float64, np.int64, np.uint64, np.int32, np.int16, np.uint8, np.bool_):
    x, y = both(dtype, 3, 4)
    c, rows = mask(3, 4), np.array([True, False, True])
    for name in ("select", "Where"):
        cases.add(name, [c, x, y], [np.where(c, x, y)])
        cases.add(name, [rows, x, y], [np.where(rows[:, None], x, y)])
    cases.add("where_np", [rows, x, y], [np.where(rows[:, None], x, y)])
    put = x.copy()
    put[c] = y.ravel()[: c.sum()]
    cases.add("where_np", [c, x, y.ravel()], [put])
    put = x.copy()
    put[c] = y[0, 0]
    cases.add("where_np", [c, x, y[0, 0]], [put])
x, y = both(np.float64, 2, 3)
for name in ("select", "Where"):
    for value in (True, False):
        cases.add(name, [np.array(value), x, y], [x if value else y], label="one element for all")
        cases.add(name, [np.array(value), x[0, 0], y[0, 0]], [(x if value else y)[0, 0]])
    cases.add(name, [np.array([[True], [False]]), x, y], [np.stack([x[0], y[1]])], label="one for each slice")
    cases.add(name, [np.zeros((0, 2), bool), np.zeros((0, 2)), np.zeros((0, 2))], [np.zeros((0, 2))])
# y is converted to the type of x
x, y, c = np.array([1, 2, 3], np.int32), np.array([10.9, -20.9, 30.0]), np.array([True, False, False])
for name in ("select", "Where"):
    cases.add(name, [c, x, y], [np.array([1, -20, 30], np.int32)])
    cases.add(name, [c, y.astype(np.float32), x], [np.array([10.9, 2, 3], np.float32)])
    cases.add(name, [np.array(False), x, y], [np.array([10, -20, 30], np.int32)])
cases.add("where_np", [~c, x, y], [np.array([1, 10, -20], np.int32)])
cases.add("where_np", [np.array([True, False]), np.stack([x, x]), np.stack([y, y])],
          [np.array([[1, 2, 3], [10, -20, 30]], np.int32)])
x, y = both(np.float64, 2, 3, 4)
c = np.array([False, True])
cases.add("select", [c, x, y], [np.where(c[:, None, None], x, y)])
cases.add("Where", [np.array([0.5, 0.0]), x, y], [np.where(np.array([True, False])[:, None, None], x, y)])

# ---- coordinates

for c in (mask(3, 4), mask(2, 3, 2), np.array([True, False, True]), np.ones((2, 2), bool), np.eye(3).astype(bool)):
    places = np.argwhere(c)
    cases.add("Where", [c], [places.astype(np.int64)])
    cases.add("where_np", [c], [p.astype(np.int64) for p in np.nonzero(c)])
cases.add("Where", [np.array([[0.0, 2.5], [-1.0, 0.0]])], [np.array([[0, 1], [1, 0]], np.int64)])
cases.add("Where", [np.array([0, 3, 0, 1], np.int8)], [np.array([[1], [3]], np.int64)])
cases.add("Where", [np.zeros((2, 3))], [Empty("INT64")])
cases.add("Where", [np.array(True)], [np.zeros((1, 0), np.int64)])
cases.add("Where", [np.zeros((0, 3))], [Empty("INT64")])
cases.add("where_np", [np.zeros((2, 3), bool)], [Empty("INT64")])
cases.add("where_np", [np.array(True)], [np.array([0], np.int64)], label="a scalar counts as a vector")

# ---- choose

MODES = [
    lambda a, c: np.abs(a - c) <= 1e-5, lambda a, c: np.abs(a - c) > 1e-5, np.less, np.greater, np.less_equal,
    np.greater_equal, lambda a, c: np.abs(a) < c, lambda a, c: np.abs(a) > c, lambda a, c: np.isinf(a),
    lambda a, c: np.isnan(a), np.equal, np.not_equal, lambda a, c: np.abs(a) >= c, lambda a, c: np.abs(a) <= c,
    lambda a, c: np.isfinite(a), lambda a, c: ~np.isfinite(a),
]


def kept(a, c, mode):
    with np.errstate(invalid="ignore"):
        values = a[np.broadcast_to(MODES[mode](a, c), a.shape)]
    return [values, np.array(len(values), np.int64)]


x = np.array([[1.0, -2.0, 3.5], [np.nan, np.inf, 2.0]])
y = np.array([[1.0, 2.0, 3.0], [0.0, np.inf, 4.0]])
for mode in range(16):
    cases.add("choose", [x], kept(x, 2.0, mode), t=(2.0,), i=(mode,))
    cases.add("choose", [x, y], kept(x, y, mode), i=(mode,))
for mode in (2, 3):
    cases.add("choose", [x, np.array(2.0)], kept(x, 2.0, mode), i=(mode,))
    cases.add("choose", [np.array(2.0), x], kept(x, 2.0, mode), i=(mode,), label="the scalar is compared with")
cases.add("choose", [np.array(1.0), np.array(3.0)], kept(np.array([3.0]), 1.0, 3), i=(3,), label="comp is filtered")
cases.add("choose", [np.zeros((0, 2))], [np.zeros(0), np.array(0, np.int64)], t=(0.0,), i=(2,))

cases.save()
