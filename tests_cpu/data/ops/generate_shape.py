#!/usr/bin/env python3
"""Expected values of the operations on shapes: NumPy."""
import numpy as np

from cases import Cases, Empty, coarse

rng = np.random.default_rng(11)
cases = Cases("shape")


def floats(*shape):
    return coarse(rng.uniform(-4, 4, shape))


def ints(*shape, dtype="i4"):
    return rng.integers(-100, 100, shape).astype(dtype)


def integers(*values, dtype="i8"):
    return np.array(values, dtype=dtype)


SHAPES = [(2, 3), (4,), (), (1, 1), (3, 1, 2), (0, 3), (2, 1, 3, 2)]

# shape queries
for shape in SHAPES:
    x = floats(*shape)
    for op, answer in (("rank", np.int32(x.ndim)), ("size", np.int64(x.size)), ("shape_of", integers(*shape))):
        cases.add(op, [x], [np.array(answer)])
    cases.add("shape", [ints(*shape, dtype="u1")], [integers(*shape, dtype="i4")], i=(9,))
    for d in range(-x.ndim, x.ndim):
        cases.add("size_at", [x], [np.array(x.shape[d], dtype="i8")], i=(d,))
cases.add("rank", [np.array([["a", "b"]])], [np.array(2, dtype="i4")])
cases.add("size", [Empty("INT32")], [np.array(0, dtype="i8")])
cases.add("shapes_of", [floats(2, 3), ints(4), np.array(True)], [integers(2, 3), integers(4), integers()])
cases.add("shape_n", [floats(1, 0)], [integers(1, 0)])


def reduced(shape, axes, b, expected):
    cases.add("evaluate_reduction_shape", [integers(*shape), integers(*axes, dtype="i4")], [integers(*expected)], b=b)


for b, expected in (((), (2, 4)), ((True,), (2, 1, 4)), ((False, True), (2, 4))):
    reduced((2, 3, 4), (1,), b, expected)
reduced((2, 3, 4), (-1, 2, 0), (), (3,))
reduced((2, 3, 4), (-1, 2, 0), (True,), (1, 3, 1))
reduced((2, 3), (0,), (False, True), (1, 3))
reduced((2, 3), (1,), (False, True), (2, 1))
reduced((2, 3), (0, 1), (), ())
reduced((2, 3), (0, 1), (False, True), (1, 1))
reduced((2, 3), (), (), ())
reduced((2, 3), (), (True,), (1, 1))
reduced((5,), (), (True,), ())
reduced((2, 3), (), (False, True), (1, 1))
reduced((2, 0), (), (), (2, 0))
reduced((2, 0), (1,), (), (2,))
reduced((2, 0), (1,), (True,), (2, 1))

# reshapes
for old, new in (((2, 3), (3, 2)), ((2, 3), (6,)), ((6,), (1, 2, 3)), ((2, 3, 4), (4, -1)), ((4,), (-1,)),
                 ((), (1, 1)), ((1, 1), ()), ((0, 3), (3, 0)), ((0, 3), (0,)), ((2, 0, 3), (-1, 0)), ((0, 4), (2, -1)),
                 ((2, 3, 2, 2), (2, 2, -1, 3))):
    x = floats(*old)
    filled = tuple(new)
    if -1 in new:
        known = int(np.prod([n for n in new if n > 0]))
        size = int(np.prod([n for n in old if n > 0])) if x.size or 0 in new else 0
        filled = tuple(size // known if n == -1 else n for n in new)
    z = x.reshape(filled)
    cases.add("reshape", [x, integers(*new)], [z])
    cases.add("reshape", [x, integers(*new, dtype="i4")], [z], i=(-102,))
    cases.add("reshape", [x], [z], i=new)
    if x.ndim and new:
        cases.add("reshape", [x], [z], i=(-102, *new))
        cases.add("reshape", [ints(*old, dtype="i2")], [None], i=(-99, *new))
x = ints(2, 3, dtype="u1")
cases.add("reshape", [x, integers(3, 2)], [x.reshape(3, 2)], i=(99,))
cases.add("reshape", [x, integers(3, 2)], [x.reshape(3, 2)], i=(102,))
x, y = floats(2, 6), ints(3, 4)
cases.add("reshapeas", [x, y], [x.reshape(3, 4)])
cases.add("reshape_as", [y, x], [y.reshape(2, 6)])
cases.add("reshapeas", [floats(0, 2), floats(3, 0)], [np.zeros((3, 0))])

for shape in SHAPES:
    x = ints(*shape, dtype="i8")
    for axis in range(-x.ndim - 1, x.ndim + 1):
        cases.add("expand_dims", [x], [np.expand_dims(x, axis)], i=(axis,))
x = floats(2, 3)
cases.add("expand_dims", [x, np.array(1, dtype="i4")], [x[:, None]])
cases.add("expand_dims", [x, np.array([-1], dtype="i8")], [x[..., None]])
cases.add("expand_dims", [x, np.array([-1], dtype="i8")], [x[None]], i=(0,), label="the argument wins")

x = floats(1, 2, 1, 3, 1)
cases.add("squeeze", [x], [x.reshape(2, 3)])
cases.add("squeeze", [x], [x.reshape(2, 1, 3, 1)], i=(0,))
cases.add("squeeze", [x], [x.reshape(2, 1, 3)], i=(0, -1))
cases.add("squeeze", [x, integers(2, 4)], [x.reshape(1, 2, 3)])
cases.add("squeeze", [x, integers(2, 4)], [x.reshape(2, 1, 3, 1)], i=(0,), label="the arguments win")
cases.add("squeeze", [x], [x], i=(1, 3), label="others than unit dimensions stay")
cases.add("squeeze", [np.array([7], "i4")], [None], i=(9,), label="a vector of one element becomes a scalar")
cases.add("squeeze", [floats(1, 1)], [None])
cases.add("squeeze", [ints(1)], [None], i=(0,))
cases.add("squeeze", [floats()], [None])
cases.add("squeeze", [floats(1, 0, 2)], [np.zeros((0, 2))])

for x in (floats(2, 3), ints(2, 3, 4, dtype="i1"), floats(5), floats(), floats(0, 3)):
    for order, code in (("C", 99), ("F", 102)):
        cases.add("flatten", [x], [x.ravel(order)], i=(code,))
x, y = ints(2, 3), ints(4, 1, 2)
for order, code in (("C", 99), ("F", 102)):
    z = np.concatenate([x.ravel(order), y.ravel(order), np.array([7], dtype="i4")])
    cases.add("flatten", [x, np.zeros((0, 2), "i4"), y, np.array(7, dtype="i4")], [z], i=(code,))
x = np.array([[True, False], [False, True], [True, True]])
cases.add("flatten", [x], [x.ravel("F")], i=(102,))

x = floats(2, 3, 4)
for axis, z in ((0, (1, 24)), (1, (2, 12)), (2, (6, 4)), (3, (24, 1)), (-1, (6, 4)), (-3, (1, 24))):
    cases.add("flatten_2d", [x], [x.reshape(z)], i=(axis,))
cases.add("flatten_2d", [floats(2, 0)], [np.zeros((2, 0))], i=(1,))
for code in (0, 1, 2):
    cases.add("order", [x], [x], i=(code,))
cases.add("order", [floats(0, 2)], [np.zeros((0, 2))], i=(1,))
# In place, the input takes the new shape, so the harness cannot compare it.
cases.add("set_shape", [x, integers(4, 6)], [x.reshape(4, 6)])
cases.add("set_shape", [ints(4), np.array(4, dtype="i8")], [None])
cases.add("set_shape", [floats(0, 2), integers(3, 0)], [np.zeros((3, 0))])

# permutations
x, square = floats(2, 3, 4), ints(3, 3, dtype="i8")
for op in ("permute", "transpose"):
    for p in ((0, 1, 2), (2, 1, 0), (1, 2, 0), (0, 2, 1)):
        cases.add(op, [x], [x.transpose(p)], i=p, inplace=False)  # the shape changes
        cases.add(op, [x.astype("f4").astype("i1"), integers(*p, dtype="i4")], [x.astype("i1").transpose(p)],
                  inplace=False)
    cases.add(op, [x], [x.transpose(0, 2, 1)], i=(0, -1, -2), inplace=False)
    cases.add(op, [x], [x.T], inplace=False)
    cases.add(op, [square], [square.T])
    cases.add(op, [square], [square], i=(0, 1))
    cases.add(op, [floats()], [None])
    cases.add(op, [floats(1, 1)], [None], i=(1, 0))
    cases.add(op, [floats(0, 2)], [np.zeros((2, 0))], inplace=False)
    big = ints(17, 5, 33, 3, dtype="i2")
    cases.add(op, [big], [big.transpose(3, 1, 2, 0)], i=(3, 1, 2, 0), inplace=False)

# repetition
cases.add("broadcast_to", [np.array([[7.0], [8]]), integers(2, 3).reshape(1, 2)], [np.array([[7.0] * 3, [8] * 3])],
          label="a row of sizes")
cases.add("set_shape", [np.arange(6.0), integers(2, 3).reshape(2, 1)], [np.arange(6.0).reshape(2, 3)],
          label="a column of sizes")
for old, new in (((3,), (2, 3)), ((2, 1), (2, 3)), ((1, 3), (2, 2, 3)), ((), (2, 3)), ((2, 3), (2, 3)), ((1,), (0,)),
                 ((0,), (2, 0)), ((2, 1, 3), (2, 4, 3)), ((1,), (1,))):
    x = floats(*old)
    z = np.broadcast_to(x, new).copy()
    cases.add("broadcast_to", [x, integers(*new)], [z])
    cases.add("tile_to_shape", [x], [z], i=new, grad=(0,) if z.size and old != new else ())
    x = ints(*old, dtype="u2")
    cases.add("broadcast_to", [x, integers(*new, dtype="i4")], [np.broadcast_to(x, new).copy()])
cases.save()
