#!/usr/bin/env python3
"""Expected values of the operations that join, split, repeat and rearrange arrays: NumPy."""
import numpy as np

from cases import Cases, Empty, coarse

rng = np.random.default_rng(12)
cases = Cases("movement")


def floats(*shape):
    return coarse(rng.uniform(-4, 4, shape))


def ints(*shape, dtype="i4"):
    return rng.integers(-100, 100, shape).astype(dtype)


def integers(*values, dtype="i8"):
    return np.array(values, dtype=dtype)


# ---- concat, stack and their inverses

for shapes, axis in ((((2, 3), (2, 2), (2, 4)), 1), (((2, 3), (1, 3)), 0), (((2, 3, 4), (2, 1, 4)), -2),
                     (((3,), (2,)), 0), (((2, 3), (2, 3)), -1), (((5, 2, 3), (5, 2, 1)), 2)):
    arrays = [floats(*shape) for shape in shapes]
    z = np.concatenate(arrays, axis)
    every = tuple(range(len(arrays)))
    cases.add("concat", arrays, [z], i=(axis,), grad=every)
    cases.add("concat", [*arrays, np.array(axis, dtype="i4")], [z], b=(True,), grad=every,
              bp={"inputs": [f"in{k}" for k in every] + ["eps0", f"in{len(arrays)}"]})
    arrays = [ints(*shape, dtype="i2") for shape in shapes]
    cases.add("concat_v2", arrays, [np.concatenate(arrays, axis)], i=(axis,))
x = ints(2, 3, dtype="i8")
cases.add("concat", [x], [x], i=(1,))
cases.add("concat", [np.array(1.5), np.array(2.5)], [np.array([1.5, 2.5])], i=(0,))
cases.add("concat", [np.array(1.5), floats(0), np.array([2.5, 3])], [np.array([1.5, 2.5, 3])], i=(0,))
cases.add("concat", [Empty("DOUBLE"), np.array([2.5, 3])], [np.array([2.5, 3])], i=(0,))
cases.add("concat", [Empty("FLOAT32"), Empty("FLOAT32")], [np.zeros(0, "f4")], i=(0,))
cases.add("concat", [np.zeros((0, 3), "i8"), x], [x], i=(0,))
cases.add("concat", [np.zeros((2, 0)), np.zeros((2, 0))], [np.zeros((2, 0))], i=(1,))
x = np.array([[True, False]])
cases.add("concat", [x, ~x], [np.array([[True, False], [False, True]])], i=(0,))
arrays = [ints(40, k, 3, dtype="u1") for k in (1, 5, 2, 30)]
cases.add("concat", arrays, [np.concatenate(arrays, 1)], i=(1,))

for shape, axes in (((2, 3), (-3, -2, -1, 0, 1, 2)), ((4,), (0, 1)), ((), (0, -1)), ((2, 1, 3), (1, 3)), ((0, 2), (1,))):
    arrays = [floats(*shape) for _ in range(3)]
    small = [ints(*shape, dtype="i1") for _ in range(2)]
    for axis in axes:
        z = np.stack(arrays, axis)
        cases.add("stack", arrays, [z], i=(axis,))
        cases.add("pack", small, [np.stack(small, axis)], i=(axis,))
        if shape:
            cases.add("unstack", [z], [np.take(z, k, axis) for k in range(3)], i=(axis,))
    cases.add("parallel_stack", arrays, [np.stack(arrays)])
    cases.add("stack", small, [np.stack(small)])
cases.add("stack", [Empty("FLOAT32")], [np.zeros(0, "f4")])
cases.add("stack", [Empty("FLOAT32")] * 2, [np.zeros((2, 0), "f4")])
x = ints(3, dtype="i8")
cases.add("unstack", [x], [np.array(v) for v in x], i=(0,))
cases.add("unpack", [np.zeros((2, 0))], [], i=(1,))
cases.add("unstack", [np.zeros((2, 0))], [np.zeros(0)] * 2, i=(-2,))

x = floats(4, 6)
# The parts have x's type, whatever the type of the axis is.
for i, axis, n in (((2,), 0, 2), ((3, 1), 1, 3), ((6, -1), 1, 6), ((1,), 0, 1)):
    cases.add("split", [x], np.split(x, n, axis), i=i)
one = np.array(1, dtype="i4")
cases.add("split", [one, x], np.split(x, 3, 1), i=(3,))
cases.add("split", [x, np.array([-1], dtype="i8")], np.split(x, 2, 1), i=(2,))
cases.add("split", [x, one], np.split(x, 2, 0), i=(2, 0), label="the argument wins")
cases.add("split", [np.zeros((4, 0))], [np.zeros((2, 0))] * 2, i=(2,))
x = ints(6, dtype="i8")
cases.add("split", [x], np.split(x, 3), i=(3,))
x = floats(2, 6, 3)
for sizes in ((1, 2, 3), (6,), (0, 4, 2), (3, 3, 0)):
    parts = np.split(x, np.cumsum(sizes)[:-1], 1)
    cases.add("split_v", [x, integers(*sizes), one], parts)
    cases.add("split_v", [x, integers(*sizes, dtype="i4")], parts, i=(-2,))
x = ints(5, 2, dtype="i1")
cases.add("split_v", [x, integers(2, 3)], [x[:2], x[2:]])

# ---- slice, tile, repeat

x, y = floats(4, 5, 3), ints(4, 5, 3, dtype="i2")
for begin, size in (((0, 0, 0), (4, 5, 3)), ((1, 2, 0), (2, 3, 1)), ((3, 0, 2), (1, -1, 1)), ((0, 4, 1), (-1, -1, -1)),
                    ((2, 2, 2), (1, 1, 1))):
    box = tuple(slice(b, None if s == -1 else b + s) for b, s in zip(begin, size))
    cases.add("slice", [x], [x[box]], i=(*begin, *size), grad=(0,))
    cases.add("slice", [x, integers(*begin), integers(*size, dtype="i4")], [x[box]], grad=(0,))
    cases.add("slice", [y], [y[box]], i=(*begin, *size))
cases.add("slice", [x], [np.zeros((0, 5, 3))], i=(4, 0, 0, -1, 5, 3))
cases.add("slice", [x], [np.zeros((4, 0, 3))], i=(0, 1, 0, 4, 0, 3))
cases.add("slice", [np.array(2.5)], [np.array(2.5)])

for shape, reps in (((2, 3), (2, 2)), ((2, 3), (1, 3)), ((3,), (4,)), ((2, 1, 3), (1, 2, 2)), ((2, 3), (1, 1)),
                    ((1, 1), (3, 2)), ((2, 2, 2), (3, 1, 2))):
    x, y = floats(*shape), ints(*shape, dtype="u1")
    cases.add("tile", [x], [np.tile(x, reps)], i=reps, grad=(0,))
    cases.add("tile", [x, integers(*reps)], [np.tile(x, reps)], grad=(0,))
    cases.add("tile", [y], [np.tile(y, reps)], i=reps)
cases.add("tile", [x, integers(1, 1, 1)], [np.tile(x, (3, 1, 2))], i=(3, 1, 2), label="the arguments win")
cases.add("tile", [x, integers(3, 1, 2)], [np.tile(x, (3, 1, 2))], i=(7,), label="not one for each dimension")
cases.add("tile", [np.array(2.5)], [np.array(2.5)])
cases.add("tile", [np.zeros((0, 2))], [np.zeros((0, 6))], i=(2, 3))

for x in (floats(2, 3, 4), ints(2, 3, 4, dtype="i8"), ints(2, 3, 4, dtype="i1")):
    for axis in (0, 1, 2, -1):
        n = x.shape[axis]
        # Repeating changes the shape.
        cases.add("repeat", [x], [np.repeat(x, 3, axis)], i=(3, axis), inplace=False)
        cases.add("repeat", [x], [x], i=(1, axis))
        counts = tuple(rng.integers(0, 4, n))
        if sum(counts):
            cases.add("repeat", [x], [np.repeat(x, counts, axis)], i=(*counts, axis), inplace=False)
cases.add("repeat", [x], [np.zeros((2, 0, 4), "i1")], i=(0, 1), inplace=False)
cases.add("repeat", [np.zeros((2, 0))], [np.zeros((4, 0))], i=(2, 0), inplace=False)

# ---- padding

MODES = {"constant": 0, "reflect": 1, "symmetric": 2}
for shape, paddings in (((3, 4), ((1, 2), (2, 0))), ((4,), ((2, 3),)), ((3, 2, 4), ((0, 0), (1, 1), (3, 2))),
                        ((3, 4), ((0, 0), (0, 0))), ((2, 3, 2, 3), ((1, 0), (0, 2), (1, 1), (2, 1)))):
    x, y = floats(*shape), ints(*shape, dtype="u1")
    rows = np.array(paddings, dtype="i4")
    for mode, code in MODES.items():
        cases.add("pad", [x, rows], [np.pad(x, paddings, mode)], i=(code,))
        cases.add("pad", [y, rows.astype("i8")], [np.pad(y, paddings, mode)], i=(code,))
        if code:
            cases.add("mirror_pad", [x, rows], [np.pad(x, paddings, mode)], i=(code - 1,))
    cases.add("pad", [x, rows], [np.pad(x, paddings, constant_values=2.5)], i=(0,), t=(2.5,))
    cases.add("pad", [y, rows, np.array(7, dtype="u1")], [np.pad(y, paddings, constant_values=7)], i=(0,))
x = floats(4)
cases.add("mirror_pad", [x, integers(2, 3)], [np.pad(x, (2, 3), "reflect")], i=(0,))
cases.add("mirror_pad", [x, integers(2, 3)], [np.pad(x, (2, 3), "symmetric")], i=(5,))
cases.add("mirror_pad", [np.array(2.5), integers(1, 1)], [np.full(3, 2.5)], i=(1,))
cases.add("mirror_pad", [np.array(2.5), integers(0, 0)], [np.full(1, 2.5)], i=(0,))
cases.add("pad", [np.zeros((0, 2)), np.array([[1, 1], [0, 1]], "i8")], [np.full((2, 3), 2.5)], i=(0,), t=(2.5,))
cases.add("pad", [np.zeros((0, 2)), np.zeros((2, 2), "i8")], [np.zeros((0, 2))], i=(2,))

# ---- reverse

for x in (floats(2, 3, 4), ints(2, 3, 4, dtype="i8"), ints(2, 3, 4, dtype="u2")):
    for axes in ((0,), (1,), (2,), (0, 2), (-1, 1), (0, 1, 2), (1, 1)):
        z = np.flip(x, tuple({a % 3 for a in axes}))
        grad = (0,) if x.dtype.kind == "f" else ()
        cases.add("reverse", [x], [z], i=axes, grad=grad)
        cases.add("reverse_v2", [x, integers(*axes, dtype="i4")], [z], grad=grad)
    cases.add("reverse", [x], [x])
cases.add("reverse", [np.zeros((0, 2))], [np.zeros((0, 2))], i=(1,))
x = np.arange(301.0)
cases.add("reverse", [x.astype("f4")], [x[::-1].astype("f4")], i=(0,), types=())

for shape, sequence, batch in (((3, 5), 1, 0), ((5, 3), 0, 1), ((3, 2, 5), 2, 0), ((2, 5, 3), 1, 2), ((3, 5), -1, -2)):
    lengths = (5, 0, 3)
    for x in (floats(*shape), ints(*shape, dtype="i1")):
        z = x.copy()
        from_, to = np.moveaxis(x, (batch, sequence), (0, 1)), np.moveaxis(z, (batch, sequence), (0, 1))
        for k, n in enumerate(lengths):
            to[k, :n] = from_[k, :n][::-1]
        cases.add("reverse_sequence", [x, integers(*lengths)], [z], i=(sequence, batch))
        cases.add("reverse_sequence", [x, integers(*lengths, dtype="i4")], [z], i=(sequence, batch))
        cases.add("reverse_sequence", [x > 0, integers(*lengths)], [z > 0], i=(sequence, batch))

# ---- strided_slice: TensorFlow's rules, written with Python's slices

x, y = floats(4, 5, 3), ints(4, 5, 3, dtype="u1")
NONE = (0, 0, 0, 0, 0)


def strided(masks, begin, end, strides, expected, array=None, bp=True, **options):
    array = x if array is None else array
    lists = (begin, end, strides)
    grad = (0,) if array.dtype.kind == "f" and expected.size and bp else ()
    cases.add("strided_slice", [array], [expected], i=(*masks, *begin, *end, *strides), grad=grad, **options)
    # The lists come after the gradient.
    cases.add("strided_slice", [array, *(integers(*v, dtype="i4") for v in lists)], [expected], i=masks, grad=grad,
              bp={"inputs": ["in0", "eps0", "in1", "in2", "in3"]}, **options)


strided(NONE, (1, 0, 0), (3, 5, 3), (1, 1, 1), x[1:3])
strided(NONE, (1,), (3,), (1,), x[1:3])
strided(NONE, (0, 1, 0), (4, 5, 3), (2, 3, 2), x[::2, 1::3, ::2])
strided(NONE, (-3, -4), (-1, -1), (1, 2), x[-3:-1, -4:-1:2])
strided(NONE, (-9, 0), (4, 2), (1, 1), x[:, :2])
strided(NONE, (3, 4, 2), (0, 0, 0), (-1, -2, -1), x[3:0:-1, 4:0:-2, 2:0:-1])
strided((1, 0, 1, 0, 0), (2,), (2,), (-1,), x[::-1])
strided((5, 0, 2, 0, 0), (9, 1, 9), (2, 9, 2), (1, 2, 1), x[:2, 1::2, :2])
strided((0, 1, 0, 0, 0), (0, 1), (0, 2), (1, 1), x[..., 1:2])
strided((0, 2, 0, 0, 0), (1, 0, 2), (3, 0, 3), (1, 1, 1), x[1:3, ..., 2:3])
strided((0, 2, 0, 0, 0), (1, 0, 2, 0), (3, 0, 5, 3), (1, 1, 1, 1), x[1:3, ..., 2:5, 0:3], label="of no dimension")
strided((0, 0, 0, 1, 0), (0, 1), (0, 3), (1, 1), x[None, 1:3])
strided((0, 0, 0, 5, 0), (0, 1, 0), (0, 3, 0), (1, 1, 1), x[None, 1:3, None])
strided((0, 0, 0, 0, 1), (2, 1), (3, 5), (1, 1), x[2, 1:])
strided((0, 0, 0, 0, 1), (2, 1), (3, 9), (1, 1), x[2, 1:], bp=False)  # the gradient rejects an end beyond the edge
strided((0, 0, 0, 0, 7), (-1, -2, -3), (0, 0, 0), (1, 1, 1), x[-1, -2, -3])
strided((0, 2, 0, 4, 8), (1, 0, 0, 1), (2, 0, 0, 2), (1, 1, 1, 1), x[1:2, ..., None, 1])
strided(NONE, (1, 3), (1, 5), (1, 1), x[1:1, 3:5])
strided(NONE, (0, 1, 0), (4, 5, 3), (2, 3, 2), y[::2, 1::3, ::2], y)
strided((0, 0, 0, 0, 2), (0, 1, 0), (4, 2, 3), (1, 1, 2), y[:, 1, ::2], y)
strided(NONE, (7,), (2,), (-2,), np.arange(9.0)[7:2:-2], np.arange(9.0))
cases.add("strided_slice", [np.arange(9.0)], [Empty("DOUBLE")], i=(*NONE, 5, 5, 1), types=())
cases.add("stridedslice", [y], [y[1:3].astype("f4")], i=(*NONE, 1, 3, 1), d=("FLOAT32",))
cases.add("strided_slice", [x, integers(1), integers(3)], [x[1:3]], i=NONE, grad=(0,),
          bp={"inputs": ["in0", "eps0", "in1", "in2"]}, label="without strides")
cases.add("strided_slice", [np.array(2.5)], [np.array([2.5])], i=(0, 0, 0, 1, 0, 0, 0, 1))

# ---- one-hot, masks


def hot(indices, depth, on=1.0, off=0.0, axis=-1, dtype="f4"):
    z = np.where(np.asarray(indices)[..., None] == np.arange(depth), on, off).astype(dtype)
    return np.moveaxis(z, -1, axis)


n = integers(1, 0, 3, -1, 4)
m = ints(2, 3, dtype="i4") % 5
cases.add("onehot", [n], [hot(n, 4)], i=(-1, 4))
cases.add("onehot", [n], [hot(n, 4, axis=0)], i=(0, 4))
cases.add("onehot", [n], [hot(n, 4, 2.5, -1)], i=(-1, 4), t=(2.5, -1))
for axis in (0, 1, 2, -1, -2, -3):
    cases.add("onehot", [m], [hot(m, 3, axis=axis, dtype="i8")], i=(axis, 3), d=("INT64",))
    cases.add("onehot", [m], [hot(m, 6, axis=axis)], i=(axis, 6))
cases.add("onehot", [m, np.array(4)], [hot(m, 4)])
cases.add("onehot", [m, np.array(4)], [hot(m, 5)], i=(-1, 5), label="the argument wins")
cases.add("onehot", [m, np.array(4), np.array(7.0), np.array(3.0)], [hot(m, 4, 7, 3)], t=(1, 2))
cases.add("onehot", [m, np.array(4), np.array(7.0)], [hot(m, 4, 7, 0)], t=(1, 2))
cases.add("onehot", [m.astype("f4") + np.float32(0.5)], [hot(np.trunc(m.astype("f4") + 0.5), 4)], i=(-1, 4), types=())
cases.add("onehot", [np.array(2)], [hot(2, 4)], i=(-1, 4))
cases.add("onehot", [np.array(2)], [hot(2, 4) != 0], i=(0, 4), d=("BOOL",))
cases.add("onehot", [np.zeros((2, 0), "i8")], [np.zeros((2, 0, 3), "f4")], i=(-1, 3))


def mask(lengths, width, dtype="?"):
    return (np.arange(width) < np.asarray(lengths)[..., None]).astype(dtype)


for lengths in (integers(1, 3, 2), integers(0, 5, dtype="i4"), np.array([[1, 0], [4, 2]], "u1"), np.array(3)):
    top = int(lengths.max())
    cases.add("sequence_mask", [lengths], [mask(lengths, top)])
    cases.add("sequence_mask", [lengths], [mask(lengths, 7)], i=(7,))
    cases.add("sequence_mask", [lengths], [mask(lengths, top)], i=(1,))
    cases.add("sequence_mask", [lengths], [mask(lengths, 7, "f4")], i=(7, 5))
    cases.add("sequence_mask", [lengths, np.array(6, dtype="i4")], [mask(lengths, 6)])
    cases.add("sequence_mask", [lengths, np.array(6, dtype="i4")], [mask(lengths, 6, "i8")], i=(10,))
    cases.add("sequence_mask", [lengths], [mask(lengths, top, "f8")], d=("DOUBLE",))
    cases.add("sequence_mask", [lengths], [mask(lengths, 7, "i2")], i=(7, 8), d=("DOUBLE",))
cases.add("sequence_mask", [integers(0, 0)], [np.zeros((2, 0), "?")])
cases.add("sequence_mask", [np.zeros(0, "i4")], [np.zeros((0, 4), "?")], i=(4,))

# ---- cumulative sums and products


def accumulate(f, start, v, exclusive, reverse):
    """Along the last dimension."""
    v = v[..., ::-1] if reverse else v
    z = f(v, axis=-1, dtype=v.dtype)
    if exclusive:
        z = np.concatenate([np.full_like(v[..., :1], start), z[..., :-1]], -1)
    return z[..., ::-1] if reverse else z


def along(f, start, v, axes, exclusive, reverse):
    axes = sorted({a % v.ndim for a in axes}) or list(range(v.ndim))
    order = [d for d in range(v.ndim) if d not in axes] + axes
    moved = v.transpose(order)
    lead = moved.shape[:v.ndim - len(axes)]
    z = accumulate(f, start, moved.reshape(*lead, -1), exclusive, reverse).reshape(moved.shape)
    return z.transpose(np.argsort(order)).copy()


x = floats(3, 4, 2)
x[1, 2, 0] = 0  # a factor that gradients must not divide by
for op, f, start in (("cumsum", np.cumsum, 0), ("cumprod", np.cumprod, 1)):
    for flags in ((0, 0), (1, 0), (0, 1), (1, 1)):
        for axes in ((), (0,), (1,), (-1,), (0, 1), (0, 2), (2, 1, 0)):
            z = along(f, start, x, axes, *flags)
            cases.add(op, [x], [z], i=(*flags, *axes), grad=(0,))
        z = along(f, start, x, (1,), *flags)
        cases.add(op, [x, integers(1)], [z], i=flags, grad=(0,))
        for dtype in ("i1", "u2", "i8"):
            y = ints(3, 5, dtype=dtype)
            with np.errstate(over="ignore"):
                cases.add(op, [y], [along(f, start, y, (1,), *flags)], i=(*flags, 1))
                cases.add(op, [y], [along(f, start, y, (0,), *flags)], i=(*flags, 0))
    cases.add(op, [np.zeros((0, 2))], [np.zeros((0, 2))], i=(0, 0, 1))
    y = ints(3, 700, 2, dtype="i4")
    cases.add(op, [y], [f(y, 0, dtype="i4")], i=(0, 0, 0))
y = np.array([[0., 2, 0, 3], [2, 3, 4, 5], [0, 0, 0, 0], [1, 0, 2, 2]])
for flags in ((0, 0), (1, 0), (0, 1), (1, 1)):
    cases.add("cumprod", [y], [along(np.cumprod, 1, y, (1,), *flags)], i=(*flags, 1), grad=(0,), label="zeros")
y = np.array([[True, True, False, True]])
cases.add("cumprod", [y], [np.array([[True, True, False, False]])], i=(0, 0, 1))
y = np.full((1, 3), 65535, "u2")
cases.add("cumprod", [y], [np.array([[65535, 1, 65535]], "u2")], i=(0, 0, 1), label="products beyond int")
# cuts of BOOL
flags = np.array([[True, False, True, True], [False, False, True, False]])
cases.add("split", [flags], np.split(flags, 2, 1), i=(2, 1))
cases.add("split_v", [flags, np.array([1, 3])], [flags[:, :1], flags[:, 1:]], i=(1,))
cases.add("unstack", [flags], [flags[:, k] for k in range(4)], i=(1,))
cases.save()
