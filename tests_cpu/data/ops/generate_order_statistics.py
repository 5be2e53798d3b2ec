#!/usr/bin/env python3
"""Expected values of quantiles and medians: NumPy's, and for the positions a stable argsort."""
import warnings

import numpy as np

from cases import Cases, bfloat16, coarse

warnings.simplefilter("ignore")  # NumPy warns of NaN
rng = np.random.default_rng(41)
cases = Cases("order_statistics")
I64 = np.int64
METHODS = ("linear", "lower", "higher", "midpoint", "nearest")
INTEGERS = ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")
# Half types hold these fractions.
FRACTIONS = np.array([0.0, 0.125, 0.25, 0.375, 0.5, 0.75, 0.875, 1.0])


def values(*shape):
    return coarse(rng.uniform(-4, 4, shape))


def quantile(x, q, method=0, axes=(), keep=False, ignore=False, **options):
    function = np.nanquantile if ignore else np.quantile
    data = x.astype("f8")
    q = np.asarray(q, "f8")
    z = np.asarray(function(data, q, axis=tuple(axes) or None, method=METHODS[method], keepdims=keep))
    z = z.astype("f4") if x.dtype.kind in "iub" or x.dtype == "f4" else z
    cases.add("quantile", [x, q], [z], i=(method, *axes), b=(keep, ignore), **options)


def median(x, axes=(), keep=False, ignore=False, **options):
    z = np.asarray((np.nanmedian if ignore else np.median)(x.astype("f8"), axis=tuple(axes) or None, keepdims=keep))
    z = z.astype("f4") if x.dtype.kind in "iub" or x.dtype == "f4" else z
    cases.add("median", [x], [z], i=axes, b=(keep, ignore), **options)


# ---- shapes and axes
for shape, axess in (((), [()]), ((1,), [(), (0,)]), ((7,), [(), (-1,)]), ((4, 5), [(), (0,), (1,), (0, 1)]),
                     ((2, 3, 4), [(), (0,), (1,), (-1,), (0, 2), (-1, 0), (1, 2), (0, 1, 2)])):
    for axes in axess:
        for keep in (False, True):
            x = values(*shape)
            for method in range(5):
                quantile(x, 0.375, method, axes, keep)
                quantile(x, FRACTIONS[[5, 1, 1]], method, axes, keep)
            median(x, axes, keep)
# ---- every fraction of several lengths; more than eight fractions take another way
for n in (2, 3, 4, 5, 8, 9):
    x = values(n)
    for method in range(5):
        quantile(x, FRACTIONS, method)
        quantile(x, np.arange(17) / 16, method)
    median(x)
quantile(values(3, 5), np.zeros(0), label="no fractions")
quantile(values(6), np.array([[0.5]]).ravel(), label="one fraction")
# ---- integers give the default float type
for dtype in INTEGERS:
    limits = np.iinfo(dtype)
    x = np.array([3, 0, 100, 7, 3, 9], dtype)
    for method in range(5):
        quantile(x, [0.0, 0.3125, 0.5, 1.0], method)
    median(x)
    median(rng.integers(limits.min, limits.max, (3, 6), dtype, endpoint=True), (1,))
truth = rng.integers(0, 2, (3, 8)).astype(bool)
quantile(truth, [0.25, 0.5], 0, (1,))
median(truth)
cases.add("median", [bfloat16([2.0, -1.5, 0.25])], [bfloat16(0.25)])
cases.add("quantile", [values(5), np.array(1)], [None], label="an integer fraction")
# ---- NaN and infinities
gaps = np.array([[np.nan, 1.0, 5.0, 2.0], [3.0, -1.0, 2.0, 0.5], [np.nan] * 4, [np.nan, np.nan, 7.0, np.nan]])
for ignore in (False, True):
    for axes in ((), (0,), (1,)):
        median(gaps, axes, ignore=ignore)
        for method in range(5):
            quantile(gaps, [0.0, 0.25, 0.625, 1.0], method, axes, ignore=ignore)
        quantile(gaps, np.arange(11) / 10, 0, axes, ignore=ignore, types=("FLOAT32", "DOUBLE"))
wide = np.array([-np.inf, 1.0, 2.0, np.inf])
cases.add("quantile", [wide, np.array([0.0, 0.25, 0.5, 0.75, 1.0])], [np.array([-np.inf, -np.inf, 1.5, np.inf, np.inf])],
          label="infinities")
cases.add("median", [np.array([np.inf, np.inf, 3.0, np.inf])], [np.array(np.inf)], label="two infinities")
cases.add("median", [np.array([np.inf, -np.inf])], [np.array(np.nan)], label="infinities of either sign")
top = np.finfo("f8").max
cases.add("median", [np.array([top, -top])], [np.array(0.0)], types=(), label="the difference overflows")
# ---- no elements
for shape, axes, expected in (((0,), (), np.array(np.nan)), ((0, 3), (0,), np.full(3, np.nan)), ((2, 0), (1,), np.full(2, np.nan)),
                              ((2, 0), (0,), np.zeros(0))):
    cases.add("median", [np.zeros(shape)], [expected], i=axes)
    cases.add("quantile", [np.zeros(shape), np.array([0.25, 1.0])], [np.stack([expected, expected])], i=(0, *axes))
# ---- long rows are narrowed by a sample first
for dtype, n in (("f8", 511), ("f8", 512), ("f8", 3000), ("f4", 3001), ("i4", 2048), ("i8", 900), ("u8", 900), ("i2", 5000)):
    if dtype[0] == "f":
        kinds = {"random": coarse(rng.normal(size=n)), "ascending": coarse(np.arange(n) / 8), "equal": np.full(n, 2.5),
                 "few values": rng.integers(0, 3, n) * 1.0, "periodic": np.arange(n) % 48 * 1.0,
                 "outliers": np.where(np.arange(n) % 97 == 0, -1e4, np.arange(n) % 7)}
    else:
        limits = np.iinfo(dtype)
        kinds = {"random": rng.integers(limits.min // 2, limits.max // 2, n, dtype), "few values": rng.integers(0, 3, n).astype(dtype)}
    for label, x in kinds.items():
        x = x.astype(dtype)
        quantile(x, [0.0, 0.001, 0.25, 0.5, 0.999, 1.0], label=label, types=())
        median(x, label=label, types=())
holes = coarse(rng.normal(size=(2, 900)))
holes[rng.random(holes.shape) < 0.4] = np.nan
quantile(holes, [0.125, 0.5], 0, (1,), ignore=True)
median(holes, (1,), ignore=True)
median(holes, (1,))


# ---- positions
def positions(x, q, axis=None, **options):
    numbers = np.arange(1, x.size + 1).reshape(x.shape)
    rows = np.moveaxis(x, axis, -1) if axis is not None else x.reshape(1, -1)
    numbers = np.moveaxis(numbers, axis, -1) if axis is not None else numbers.reshape(1, -1)
    order = np.argsort(rows, -1, kind="stable")
    at = np.asarray(q) * (rows.shape[-1] - 1)
    low = np.floor(at).astype(int)
    high = np.where(at > low, low + 1, low)
    pick = lambda rank: np.stack([np.take_along_axis(numbers, order, -1)[..., r] for r in rank]).astype(I64)
    weight = np.broadcast_to((at - low).reshape(-1, *[1] * (rows.ndim - 1)), pick(low).shape)
    shape = (len(q), *(rows.shape[:-1] if axis is not None else ()))
    cases.add("quantile_positions", [x, np.asarray(q)], [z.reshape(shape) for z in (pick(low), pick(high), weight)],
              i=(0,) if axis is None else (0, axis), **options)


for shape, axis in (((6,), None), ((6,), 0), ((3, 5), None), ((3, 5), 0), ((3, 5), 1), ((2, 4, 3), 1)):
    positions(values(*shape), [0.0, 0.125, 0.5, 0.875, 1.0], axis)
positions(np.array([2.0, 1.0, 2.0, 1.0, 2.0, -0.0, 0.0]), [0.0, 0.25, 0.5, 0.75], label="equal elements")
positions(coarse(rng.normal(size=900)), [0.25, 0.5], types=())
whole = np.array([5, 1, 3, 8, 2], "i4")
cases.add("quantile_positions", [whole, np.array(0.5, "f4")], [np.array(3), np.array(3), np.array(0, "f4")], i=(0,), types=())
nan = np.array([[1.0, np.nan, 0.0, np.nan], [np.nan] * 4])
cases.add("quantile_positions", [nan, np.array(0.5)], [np.array([2, 5]), np.array([2, 5]), np.zeros(2)], i=(0, 1),
          label="NaN")
cases.add("quantile_positions", [nan, np.array(0.5)], [np.array([3, 0]), np.array([1, 0]), np.array([0.5, 0])], i=(0, 1),
          b=(False, True), label="NaN does not count")
cases.add("quantile_positions", [np.zeros((2, 0)), np.array([0.5])], [np.zeros((1, 2), I64)] * 2 + [np.zeros((1, 2))], i=(0, 1),
          label="no elements")

cases.save()
