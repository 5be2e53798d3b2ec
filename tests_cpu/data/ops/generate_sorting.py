#!/usr/bin/env python3
"""Expected values of operations that sort, search in sorted arrays, take and put along an axis: NumPy, and for sums and
extremes of values for one place its ufunc.at."""
import numpy as np

from cases import Cases, bfloat16, coarse

rng = np.random.default_rng(23)
cases = Cases("sorting")
I32, I64 = np.int32, np.int64
INTEGERS = ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")


def values(*shape):
    return coarse(rng.uniform(-4, 4, shape))


def ordered(x, axis=-1, descending=False):
    """The stable order; NaN comes last either way."""
    if not descending:
        return np.argsort(x, axis, kind="stable")
    # Ranks are integers, which can be negated, and NaN keeps the last one.
    flat = np.unique(x[x == x])
    rank = np.where(x == x, len(flat) - np.searchsorted(flat, x), len(flat) + 1)
    return np.argsort(rank, axis, kind="stable")


def sort_cases(x, axis=-1, descending=False, **options):
    order = ordered(x, axis, descending)
    arguments = {"i": (axis,), "b": (descending,)}
    cases.add("sort", [x], [np.take_along_axis(x, order, axis)], **arguments, **options)
    cases.add("argsort", [x], [order.astype(I64)], **arguments, **options)


# ---- sort, argsort
for shape in ((7,), (1,), (4, 5), (3, 1, 4), (2, 3, 4), (0,), (3, 0), (0, 3)):
    for axis in range(-len(shape), len(shape)):
        sort_cases(values(*shape), axis, descending=axis % 2 == 0)
x = values(3, 6)
cases.add("sort", [x], [np.sort(x)], label="the default axis is the last")
cases.add("argsort", [x], [np.argsort(x).astype(I64)], label="the default axis is the last")
special = np.array([np.nan, 3.0, -np.inf, 0.5, np.nan, np.inf, -2.0, 0.5])
for descending in (False, True):
    sort_cases(special, descending=descending, label="NaN comes last")
    sort_cases(np.array([2.0, 1.0, 2.0, 1.0, 2.0, 1.0]), descending=descending, label="equal elements keep their order")
cases.add("argsort", [np.array([0.0, -0.0, 0.0, -0.0, -1.0])], [np.array([4, 0, 1, 2, 3])], label="-0 equals 0")
for dtype in INTEGERS:
    limits = np.iinfo(dtype)
    x = np.array([3, limits.max, 0, limits.min, 7, 3, limits.max - 1, 1], dtype)
    for descending in (False, True):
        sort_cases(x, descending=descending)
        sort_cases(rng.integers(limits.min, limits.max, (2, 40), dtype, endpoint=True), descending=descending)
truth = rng.integers(0, 2, (3, 9)).astype(bool)
sort_cases(truth)
cases.add("sort", [bfloat16([2.0, -1.5, 0.25])], [bfloat16([-1.5, 0.25, 2.0])])
# Long rows take another way than short ones.
long = coarse(rng.normal(size=(2, 700)))
for axis in (0, 1):
    sort_cases(long, axis, types=())
    sort_cases(long.astype("f4"), axis, descending=True, types=())
sort_cases(rng.integers(-50, 50, 900).astype(I32), descending=True)

# ---- searchsorted
row = np.sort(values(12))
probes = np.concatenate([values(9), row[[0, 5, 11]]])
for right in (False, True):
    side = "right" if right else "left"
    cases.add("searchsorted", [row, probes], [np.searchsorted(row, probes, side)], b=(right,))
    cases.add("searchsorted", [row, probes.reshape(3, 4)], [np.searchsorted(row, probes.reshape(3, 4), side)], b=(right,))
    rows, wanted = np.sort(values(2, 3, 6)), values(2, 3, 4)
    expected = np.stack([np.searchsorted(a, v, side) for a, v in zip(rows.reshape(6, 6), wanted.reshape(6, 4))])
    cases.add("searchsorted", [rows, wanted], [expected.reshape(2, 3, 4)], b=(right,))
    for dtype in INTEGERS:
        sorted_ = np.sort(rng.integers(0, 9, 8).astype(dtype))
        probe = np.arange(10).astype(dtype)
        cases.add("searchsorted", [sorted_, probe], [np.searchsorted(sorted_, probe, side)], b=(right,))
    gaps = np.array([-1.0, 2.0, np.inf, np.nan, np.nan])
    cases.add("searchsorted", [gaps, np.array([np.nan, np.inf, 5.0, -np.inf])],
              [np.searchsorted(gaps, [np.nan, np.inf, 5.0, -np.inf], side)], b=(right,), label="NaN is the largest")
cases.add("searchsorted", [row, np.array(0.5)], [np.array(np.searchsorted(row, 0.5))], label="a scalar")
cases.add("searchsorted", [np.zeros(0), values(3)], [np.zeros(3, I64)], label="an empty row")
cases.add("searchsorted", [row, np.zeros((0, 2))], [np.zeros((0, 2), I64)])
cases.add("searchsorted", [np.array([1, 3, 5], I32), np.array([2.5, 3.0])], [np.array([1, 1])], types=(),
          label="types that differ meet")

# ---- take_along_axis
for shape in ((5,), (3, 4), (2, 3, 4)):
    for axis in range(-len(shape), len(shape)):
        x, size = values(*shape), list(shape)
        for count in (1, size[axis], size[axis] + 2):
            size_ = list(shape)
            size_[axis] = count
            index = rng.integers(-shape[axis], shape[axis], size_)
            cases.add("take_along_axis", [x, index], [np.take_along_axis(x, index, axis)], i=(axis,))
x = values(3, 4)
index = rng.integers(0, 4, (3, 2))
cases.add("take_along_axis", [x, index.astype(I32)], [np.take_along_axis(x, index, 1)], label="the default axis is the last")
cases.add("take_along_axis", [x, index[:1]], [np.take_along_axis(x, index[:1], 1)], label="indices broadcast")
cases.add("take_along_axis", [x[:1], index], [np.take_along_axis(x[:1], index, 1)], label="x broadcasts")
for dtype in (*INTEGERS, "?"):
    data = rng.integers(0, 2, (3, 4)).astype(dtype)
    cases.add("take_along_axis", [data, index], [np.take_along_axis(data, index, 1)])
cases.add("take_along_axis", [x, np.zeros((3, 0), I64)], [np.zeros((3, 0))], label="no indices")

# ---- put_along_axis
NONE, ADD, MUL, MAX, MIN = range(5)
COMBINE = {ADD: np.add, MUL: np.multiply, MAX: np.maximum, MIN: np.minimum}


def put(x, index, updates, axis, reduction):
    z = x.copy()
    updates = np.broadcast_to(updates, index.shape)
    for place in np.ndindex(index.shape):
        target = list(place)
        target[axis] = index[place]
        target = tuple(target)
        z[target] = updates[place] if reduction == NONE else COMBINE[reduction](z[target], updates[place])
    return z


for reduction in range(5):
    for shape in ((5,), (3, 4), (2, 3, 4)):
        for axis in range(-len(shape), len(shape)):
            size = list(shape)
            size[axis] += 1
            index = rng.integers(-shape[axis], shape[axis], size)
            x, updates = values(*shape), values(*size)
            cases.add("put_along_axis", [x, index, updates], [put(x, index, updates, axis, reduction)], i=(axis, reduction))
    x, index = values(3, 4), rng.integers(0, 4, (3, 2))
    cases.add("put_along_axis", [x, index.astype(I32), np.array(1.5)], [put(x, index, np.array(1.5), 1, reduction)],
              i=(1, reduction), label="values broadcast")
    whole = np.broadcast_to(index[:1], (3, 2))
    cases.add("put_along_axis", [x, index[:1], values(1, 2)], [None], i=(1, reduction), label="indices broadcast")
    updates = values(3, 2)
    cases.add("put_along_axis", [x, index[:1], updates], [put(x, whole, updates, 1, reduction)], i=(1, reduction),
              label="indices broadcast")
    for dtype in INTEGERS:
        x, updates = rng.integers(0, 9, (3, 4)).astype(dtype), rng.integers(0, 9, (3, 2)).astype(dtype)
        cases.add("put_along_axis", [x, index, updates], [put(x, index, updates, 1, reduction)], i=(1, reduction))
x = rng.integers(0, 2, (3, 4)).astype(bool)
cases.add("put_along_axis", [x, index, ~x[:, :2]], [put(x, index, ~x[:, :2], 1, NONE)], i=(1,))
cases.add("put_along_axis", [values(3, 4) * 0, np.zeros((3, 0), I64), np.zeros((3, 0))], [np.zeros((3, 4))], label="nothing")

# ---- diff
for shape in ((6,), (3, 5), (2, 3, 4), (1,), (0,), (3, 0)):
    for axis in range(-len(shape), len(shape)):
        for n in (0, 1, 2, 3):
            x = values(*shape)
            cases.add("diff", [x], [np.diff(x, n, axis)], i=(n, axis), tol={"HALF": 0.02, "BFLOAT16": 0.1})
x = values(2, 5)
cases.add("diff", [x], [np.diff(x)], label="defaults", tol={"HALF": 0.02, "BFLOAT16": 0.1})
for dtype in INTEGERS:
    x = rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, (2, 6), dtype, endpoint=True)
    cases.add("diff", [x], [np.diff(x)])
truth = rng.integers(0, 2, 9).astype(bool)
cases.add("diff", [truth], [np.diff(truth)])

# NaN with different bits are equal to each other, and so are 0 and -0: their order is that of their positions.
bits = np.array([0x7ff8000000000003, 0x7ff8000000000001, 0xfff8000000000002, 0x7ff8000000000002], np.uint64)
mixed = np.concatenate([bits.view(np.float64), [0.0, -0.0, 1.0, -0.0, 0.0, -1.0]])
for length in (10, 40, 600):
    x = np.resize(mixed, length)
    for descending in (False, True):
        cases.add("argsort", [x], [ordered(x, descending=descending)], i=(-1,), b=(descending,), label="bits of NaN and 0")

# Numbers that differ in their last bits alone, beside ones that are far away; integers that differ in few bits, and in all.
steps = rng.integers(0, 300, 700)
near = np.concatenate([1 + steps * 2.0**-52, [1e300, -1e300]])
few, all_bits = steps - 150, np.concatenate([steps - 150, [np.iinfo(I64).min, np.iinfo(I64).max]])
for x in (near, few.astype(I64), all_bits.astype(I64), (all_bits.astype(np.uint64)), (2**40 + steps).astype(np.uint64)):
    for descending in (False, True):
        sort_cases(x, descending=descending, types=(), label="bits that differ")

cases.save()
