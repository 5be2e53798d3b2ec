#!/usr/bin/env python3
"""Expected values of operations that create, clip or merge arrays, and of diagonals and blocks of pixels: NumPy."""
import numpy as np

from cases import Cases, Empty, coarse

rng = np.random.default_rng(13)
cases = Cases("making")


def floats(*shape):
    return coarse(rng.uniform(-4, 4, shape))


def ints(*shape, dtype="i4"):
    return rng.integers(-100, 100, shape).astype(dtype)


def integers(*values, dtype="i8"):
    return np.array(values, dtype=dtype)


# ---- one value, sequences

for dtype, code in (("f4", 5), ("f8", 6), ("i4", 9), ("?", 1), ("u1", 11)):
    for order in (99, 102):
        cases.add("create", [integers(2, 3)], [np.zeros((2, 3), dtype)], i=(order, code))
cases.add("create", [integers(2, 0, dtype="i4")], [np.zeros((2, 0), "f4")], i=(99, 5), b=(True,))
cases.add("fill", [integers(2, 3), np.array(2.5, "f4")], [np.full((2, 3), 2.5, "f4")], t=(7,), types=())
cases.add("fill", [integers(2, 3, dtype="i4"), np.array(7, "i2")], [np.full((2, 3), 7, "i2")])
cases.add("fill", [integers(3), np.array([True])], [np.full(3, True)])
cases.add("create", [integers(2, 3).reshape(1, 2)], [np.zeros((2, 3), "f4")], i=(99, 5), label="a row of sizes")
cases.add("fill", [integers(2, 3).reshape(1, 2)], [np.full((2, 3), 7, "i4")], i=(7,), label="a row of sizes")
cases.add("fill", [integers(2, 3).reshape(2, 1)], [np.full((2, 3), 7, "i4")], i=(7,), label="a column of sizes")
cases.add("fill", [integers(2, 0).reshape(1, 2)], [np.zeros((2, 0), "i4")], i=(7,))
cases.add("fill", [integers(3)], [np.full(3, 2.5, "f4")], t=(2.5,), i=(7,), types=())
cases.add("fill", [integers(3)], [np.full(3, 7, "i4")], i=(7,))
cases.add("fill", [integers(3)], [np.full(3, True)], b=(True,))
cases.add("fill", [integers()], [np.array(7, "i4")], i=(7,))
cases.add("fill", [integers(2, 0)], [np.zeros((2, 0), "i4")], i=(7,))
x, y = floats(2, 3), ints(4, dtype="i8")
cases.add("fill_as", [x], [np.full((2, 3), 2.5)], t=(2.5,))
cases.add("filllike", [y], [np.full(4, 1 << 40)], i=(1 << 40,))
cases.add("fill_like", [y, np.array(7.5)], [np.full(4, 7)], t=(2,), types=())
for op, value in (("zeros_as", 0), ("zeros_like", 0), ("ones_as", 1)):
    cases.add(op, [x], [np.full((2, 3), value, "f8")])
    cases.add(op, [y], [np.full(4, value, "i8")])
    cases.add(op, [x], [np.full((2, 3), value, "u2")], d=("UINT16",))
    cases.add(op, [np.zeros((0, 2))], [np.zeros((0, 2))])

for start, stop, n in ((0, 1, 5), (2, -4, 4), (-1, 1, 11), (3, 9, 1), (1, 1, 3), (0, 1, 0)):
    z = np.linspace(start, stop, n)
    cases.add("lin_space", [], [z.astype("f4")], t=(start, stop), i=(n,), types=())
    cases.add("lin_space", [], [z], t=(start, stop), i=(n,), d=("DOUBLE",))
    cases.add("lin_space", [np.array(float(start)), np.array(float(stop)), np.array(n)], [z], types=())
    cases.add("lin_space", [np.array(start), np.array(stop), np.array([n])], [np.trunc(z).astype("i8")])


def steps(*numbers, types=("i4", "f4")):
    a = np.arange(*numbers)
    if all(isinstance(v, int) for v in numbers):
        cases.add("range", [], [a.astype(types[0])], i=numbers)
        cases.add("range", [np.array(v, "i2") for v in numbers], [a.astype("i2")])
    cases.add("range", [], [a.astype(types[1])], t=[float(v) for v in numbers], types=())
    cases.add("range", [np.array(float(v)) for v in numbers], [a.astype("f8")], types=())
    if a.size:  # the type argument is ignored for an empty range
        cases.add("range", [], [a.astype("f8")], t=[float(v) for v in numbers], d=("DOUBLE",))


steps(5)
steps(2, 7)
steps(1, 10, 3)
steps(1, 10, 4)
steps(10, 1, -3)
steps(-5, 0, 2)
steps(0.5, 2.25, 0.5)
steps(5, 0.5, -1)
steps(3, 3)
cases.add("range", [], [np.arange(1 << 31, (1 << 31) + 3)], i=(1 << 31, (1 << 31) + 3))

# ---- limits

x = floats(3, 4)
x[0, 0] = np.nan
cases.add("clipbyvalue", [x], [np.clip(x, -1.5, 2)], t=(-1.5, 2))
cases.add("ClipByValue", [x, np.array(-1.0), np.array([1.5])], [np.clip(x, -1, 1.5)])
y = ints(3, 4, dtype="i8")
cases.add("clipbyvalue", [y], [np.clip(y, -10, 20)], t=(-10, 20))
cases.add("clipbyvalue", [y, np.array(-(1 << 60)), np.array(5)], [np.clip(y, -(1 << 60), 5)])
cases.add("clipbyvalue", [y.astype("i4"), np.array(-(1 << 40)), np.array(5)], [np.clip(y, -(1 << 40), 5).astype("i4")],
          label="a bound beyond the type of x")
cases.add("clipbyvalue", [np.zeros((0, 2))], [np.zeros((0, 2))], t=(0, 1))

x, g = floats(3, 4, 2), floats(3, 4, 2)
for op, average in (("clipbynorm", False), ("clipbyavgnorm", True)):
    for axes in ((), (0,), (1, 2), (-1,), (0, 1, 2)):
        for limit in (0.5, 3.0, 100.0):
            over = tuple(a % 3 for a in axes) or (0, 1, 2)
            norm = np.sqrt((x**2).sum(over, keepdims=True))
            if average:
                norm /= x.size / norm.size
            z = np.where(norm > limit, x * limit / norm, x)
            cases.add(op, [x], [z], t=(limit,), i=axes)
            # The published formula, which is the derivative for constant gradients only.
            back = np.where(norm > limit, limit / norm * g * (1 - x * x.sum(over, keepdims=True) / norm**2), g)
            cases.add(op + "_bp", [x, g], [back], t=(limit,), i=axes)
    cases.add(op, [np.zeros((0, 2))], [np.zeros((0, 2))], t=(1,))
    cases.add(op, [np.zeros((2, 2))], [np.zeros((2, 2))], t=(1,))
norm = np.sqrt((x**2).sum()) / x.size
cases.add("clipbyavgnorm", [x, np.array(0.25)], [x * 0.25 / norm], t=(7,))
y = floats(5)
norm = np.sqrt((x**2).sum() + (y**2).sum())
# In place, there is no output for the norm.
cases.add("clip_by_global_norm", [x, y], [x * 2 / norm, y * 2 / norm, norm], t=(2,), inplace=False)
cases.add("clip_by_global_norm", [x, y], [x, y, norm], t=(200,), inplace=False)

x = floats(3, 4, 5)
flat = floats(2, 3)
flat[1] = 0.5  # no deviation: the result is 0, not NaN
for axes in ((0,), (1,), (2, 0), (-1,), (0, 1, 2)):
    z = (x - x.mean(axes, keepdims=True)) / (x.std(axes, keepdims=True) + 1e-12)
    cases.add("standardize", [x], [z], i=axes, grad=(0,))
    cases.add("standardize", [x, integers(*axes, dtype="i4")], [z], grad=(0,))
z = np.zeros((2, 3))
z[0] = (flat[0] - flat[0].mean()) / flat[0].std()
cases.add("standardize", [flat], [z], i=(1,))
cases.add("standardize_bp", [np.full((2, 3), 0.5), flat], [np.zeros((2, 3))], i=(1,))
cases.add("standardize", [np.zeros((0, 2))], [np.zeros((0, 2))], i=(1,))
x = floats(3, 4)
cases.add("Floor", [x], [np.floor(x)])
cases.add("floor", [ints(5, dtype="i8")], [None])

# ---- merging

arrays = [floats(2, 3) for _ in range(4)]
arrays[2][0] = arrays[0][0]
every = (0, 1, 2, 3)
cases.add("mergeadd", arrays, [sum(arrays)], grad=every)
cases.add("mergeavg", arrays, [sum(arrays) / 4], grad=every)
cases.add("mergemax", arrays, [np.max(arrays, 0)])
untied = [arrays[0], arrays[1], arrays[3]]
cases.add("mergemax", untied, [np.max(untied, 0)], grad=(0, 1, 2))
cases.add("mergemaxindex", arrays, [np.argmax(arrays, 0).astype("i4")])
cases.add("MergeMaxIndex", arrays, [np.argmax(arrays, 0)], i=(10,))
g = floats(2, 3)
cases.add("mergemax_bp", [*arrays, g], [np.where(np.argmax(arrays, 0) == k, g, 0) for k in every])
whole = [ints(3, 700, dtype="i8") for _ in range(3)]
for op in ("mergesum", "add_n", "accumulaten"):
    cases.add(op, whole, [sum(whole)])
small = [ints(3, 7, dtype="u1") for _ in range(3)]
cases.add("mergeadd", small, [sum(small)])
cases.add("MergeMax", small, [np.max(small, 0)])
cases.add("mergemax", [-np.ones(3) * np.inf] * 2, [-np.ones(3) * np.inf])
cases.add("mergemaxindex", whole, [np.argmax(whole, 0).astype("i4")])
cases.add("mergeadd", [x], [x])
cases.add("mergeadd", [np.zeros((0, 2))] * 2, [np.zeros((0, 2))])

# ---- diagonals and triangles

cases.add("eye", [], [np.eye(3, dtype="f4")], i=(3,), types=())
cases.add("eye", [], [np.eye(3, 5, dtype="f4")], i=(-99, 3, 5), types=())
cases.add("eye", [], [np.broadcast_to(np.eye(4, 3), (2, 5, 4, 3)).copy()], i=(-102, 4, 3, 2, 5), t=(6,), types=())
cases.add("eye", [integers(3, 2, dtype="i4")], [np.eye(3, 2, dtype="f4")], types=())
cases.add("eye", [integers(3, 2), integers(4)], [np.broadcast_to(np.eye(3, 2, dtype="i4"), (4, 3, 2)).copy()], t=(9,))
cases.add("eye", [], [np.zeros((0, 2), "f4")], i=(0, 2), types=())

for x in (floats(3), ints(2, 3), ints(2, 3, 2, dtype="u1"), floats(1, 4), floats(4, 1), floats(), floats(1, 1)):
    flat = x.ravel() if x.ndim < 2 or (x.ndim == 2 and 1 in x.shape) else x
    z = np.zeros(flat.shape * 2, x.dtype)
    for at in np.ndindex(flat.shape):
        z[at + at] = flat[at]
    cases.add("diag", [x], [z])
    cases.add("diag_part", [z], [flat])
cases.add("MatrixDiag", [np.zeros(0)], [np.zeros((0, 0))])
for shape in ((3,), (2, 4), (2, 1, 3), (1,), (1, 1)):
    x = floats(*shape)
    cases.add("matrix_diag", [x], [x[..., None] * np.eye(shape[-1])], grad=())
    x = ints(*shape, dtype="i2")
    cases.add("matrix_diag", [x], [x[..., None] * np.eye(shape[-1], dtype="i2")])
for shape in ((3, 4), (4, 2), (2, 3, 3), (2, 1, 4, 3), (1, 1)):
    n = min(shape[-2:])
    for x in (floats(*shape), ints(*shape, dtype="i8")):
        d = np.diagonal(x, axis1=-2, axis2=-1)
        cases.add("matrix_diag_part", [x], [d])
        z, d = x.copy(), (d * 2 + 1).astype(x.dtype)
        z[..., np.arange(n), np.arange(n)] = d
        cases.add("matrix_set_diag", [x, d], [z])
    cases.add("trace", [x.astype("f8") / 8], [np.trace(x / 8, axis1=-2, axis2=-1)])
cases.add("trace", [np.zeros((2, 0, 3))], [np.zeros(2)])


def band(x, lower, upper):
    r, c = np.ogrid[:x.shape[-2], :x.shape[-1]]
    keep = ((lower < 0) | (r - c <= lower)) & ((upper < 0) | (c - r <= upper))
    return np.where(keep, x, 0).astype(x.dtype)


for x in (floats(4, 5), ints(2, 4, 3, dtype="i8"), ints(5, 2, dtype="u1")):
    for limits in ((0, 0), (1, -1), (-1, 1), (2, 1), (-5, -1)):
        if max(limits) <= min(x.shape[-2:]):
            cases.add("matrix_band_part", [x], [band(x, *limits)], i=limits)
            cases.add("band_part", [x, np.array(limits[0]), np.array([limits[1]])], [band(x, *limits)])
for args, numpy_args in (((3,), (3,)), ((3, 5), (3, 5)), ((3, 4, 1), (3, 4, 1)), ((4, 3, -2), (4, 3, -2)),
                         ((1, 4), (1, 4)), ((4, 1, 9), (4, 1, 9))):
    cases.add("tri", [], [np.tri(*numpy_args, dtype="f4")], i=args, types=())
    cases.add("tri", [], [np.tri(*numpy_args, dtype="i8")], i=args, d=("INT64",))
for shape in ((4, 4), (2, 3, 5), (1, 4), (4, 1), (3,)):
    x = floats(*shape)
    for k in (0, 1, -1, -9):
        z = np.triu(np.broadcast_to(x, (3, 3)) if x.ndim == 1 else x, k)
        cases.add("triu", [x], [z], i=(k,), grad=(0,))
    cases.add("triu", [x], [np.triu(np.broadcast_to(x, (3, 3)) if x.ndim == 1 else x)])
    for one in (np.array(0.5), np.array([0.5])):  # a gradient of one element stands for all elements
        kept = np.triu(np.full((3, 3) if x.ndim == 1 else x.shape, 0.5), 1)
        cases.add("triu_bp", [x, one], [kept.sum(0) if x.ndim == 1 else kept], i=(1,))

# ---- blocks of pixels

for n, h, w, c, b in ((2, 2, 3, 5, 2), (1, 3, 2, 1, 3), (2, 2, 2, 3, 1)):
    for make in (floats, lambda *s: ints(*s, dtype="i2")):
        deep = make(n, h, w, c * b * b)
        image = deep.reshape(n, h, w, b, b, c).transpose(0, 1, 3, 2, 4, 5).reshape(n, h * b, w * b, c)
        cases.add("depth_to_space", [deep], [image], i=(b, 1))
        cases.add("space_to_depth", [image], [deep], i=(b, 1))
        deep, image = deep.transpose(0, 3, 1, 2).copy(), image.transpose(0, 3, 1, 2).copy()
        cases.add("depth_to_space", [deep], [image], i=(b, 0))
        cases.add("space_to_depth", [image], [deep], i=(b, 0))


def to_batch(x, blocks, paddings):
    m, rest = len(blocks), x.ndim - 1 - len(blocks)
    x = np.pad(x, [(0, 0), *paddings] + [(0, 0)] * rest)
    split = [x.shape[0]] + [v for k in range(m) for v in (x.shape[1 + k] // blocks[k], blocks[k])] + list(x.shape[1 + m:])
    z = x.reshape(split)
    order = [2 + 2 * k for k in range(m)] + [0] + [1 + 2 * k for k in range(m)] + list(range(1 + 2 * m, z.ndim))
    z = z.transpose(order)
    return z.reshape(-1, *z.shape[m + 1:])




for shape, blocks, paddings in (((2, 4, 6, 3), (2, 2), ((0, 0), (0, 0))), ((1, 3, 4, 2), (2, 2), ((1, 0), (1, 1))),
                                ((2, 4, 2, 1), (3, 3), ((1, 1), (2, 2))), ((1, 2, 1, 2), (4, 4), ((5, 1), (3, 0)))):
    for x in (floats(*shape), ints(*shape, dtype="u1")):
        z, rows = to_batch(x, blocks, paddings), np.array(paddings)
        cases.add("space_to_batch", [x, rows], [z], i=(blocks[0],))
        cases.add("batch_to_space", [z, rows.astype("i4")], [x], i=(blocks[0],))
        cases.add("space_to_batch_nd", [x, integers(*blocks), rows], [z])
        cases.add("batch_to_space_nd", [z, integers(*blocks, dtype="i4"), rows], [x])
for shape, blocks, paddings in (((2, 6), (3,), ((0, 0),)), ((2, 4, 3), (3,), ((1, 1),)),
                                ((1, 4, 3, 2, 2), (2, 3, 1), ((0, 2), (1, 2), (0, 1)))):
    x = floats(*shape)
    z = to_batch(x, blocks, paddings)
    cases.add("space_to_batch_nd", [x, integers(*blocks), np.array(paddings)], [z])
    cases.add("batch_to_space_nd", [z, integers(*blocks), np.array(paddings)], [x])

# ---- the rest

for x in (floats(2, 3, 5), ints(8), ints(3, 8, dtype="u1"), ints(4, 5, dtype="i8")):
    for shift in (3, -2, 0, 17):
        cases.add("roll", [x], [np.roll(x, shift)], i=(shift,))
        for axes in ((0,), (-1,), tuple(range(x.ndim)), (0, 0)):
            cases.add("roll", [x], [np.roll(x, (shift,) * len(axes), axes)], i=(shift, *axes))
    cases.add("roll", [x, integers(3, -1, dtype="i4"), integers(0, -1, dtype="i4")], [np.roll(x, (3, -1), (0, -1))])
cases.add("roll", [np.zeros((0, 2))], [np.zeros((0, 2))], i=(1,))
cases.add("roll", [np.zeros((0, 2))], [np.zeros((0, 2))], i=(1, 0))

x = floats(2, 3, 4)
cases.add("tear", [x], [x[k, :, j] for k in range(2) for j in range(4)], i=(1,))
cases.add("tear", [x], [x[k] for k in range(2)], i=(2, 1))
cases.add("tear", [x], [x], i=(0, 1, 2))
x = ints(3, 2, dtype="i8")
cases.add("tear", [x], [x[:, 0], x[:, 1]], i=(0,))
for dtype in ("i4", "i8", "f4"):
    p = rng.permutation(7)
    cases.add("invert_permutation", [p.astype(dtype)], [np.argsort(p).astype(dtype)], types=())
cases.add("InvertPermutation", [integers(0)], [integers(0)])
x, y = floats(2, 3), ints(4)
cases.add("stop_gradient", [x], [x])
cases.add("StopGradient", [y], [y])
cases.add("expose", [x, y], [x, y])
cases.add("Enter", [y], [y])

# Views lie inside the memory of their base: a given output becomes a view, and no call can be in place.
x = floats(4, 5, 3)
ALL, NEW = integers(2, 0, 1, 1), integers(3, 1, 1, 0, 1)


def point(k):
    return integers(0, 1, 1, k, 1)


def interval(start, end, stride=1, inclusive=1):
    return integers(1, 2, 1, start, end, stride, inclusive)


only = dict(inplace=False, skip={"outputs": "a given output becomes a view", "shared": "the result is the input's memory"})
cases.add("create_view", [x, point(1)], [x[1]], **only)
cases.add("create_view", [x, ALL, point(-1), interval(0, 1)], [x[:, -1, 0:2]], **only)
cases.add("create_view", [x, interval(1, 3, 2), NEW, interval(0, 4, 2, 0)], [x[1:4:2, None, 0:4:2]], **only)
cases.add("create_view", [x, integers(1, 2, 2, 0, 3, 1)], [x[0:4:2]], label="the stride in front", **only)
cases.add("create_view", [x, NEW, point(0), point(2), point(1)], [x[None, 0, 2, 1]], **only)
cases.add("create_view", [x], [x], **only)
cases.save()
