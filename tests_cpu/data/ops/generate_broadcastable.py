#!/usr/bin/env python3
"""Expected values of the element-wise operations of two broadcast arrays: NumPy and SciPy."""
import numpy as np
from scipy import special

from cases import Cases, Empty, coarse

rng = np.random.default_rng(7)
cases = Cases("broadcastable")
INTS = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)


def signed(*shape):
    """Values that are not close to 0 or to each other."""
    return coarse(rng.uniform(0.5, 4.0, shape) * rng.choice([-1, 1], shape))


def positive(*shape):
    return coarse(rng.uniform(0.5, 4.0, shape))


def trunc_div(x, y):
    return np.trunc(x / y)


def trunc_rest(x, y):
    """The remainder of the truncated values, as in C."""
    return np.fmod(np.trunc(x), np.trunc(y))


def bits(function):
    return lambda x, y: function(np.trunc(x).astype(np.int64), np.trunc(y).astype(np.int64)).astype(np.result_type(x, y))


# name: function, generator of operands, whether there is a gradient operation that computes the function's gradient
ARITHMETIC = {
    "add": (np.add, signed, True),
    "subtract": (np.subtract, signed, True),
    "reversesubtract": (lambda x, y: y - x, signed, True),
    "multiply": (np.multiply, signed, True),
    "squaredsubtract": (lambda x, y: (x - y) ** 2, signed, True),
    "divide": (np.divide, signed, True),
    "realdiv": (np.divide, signed, True),
    "reversedivide": (lambda x, y: y / x, signed, True),
    "divide_no_nan": (lambda x, y: np.divide(x, y, out=np.zeros(np.broadcast_shapes(x.shape, y.shape)), where=y != 0), signed, False),
    "floordiv": (np.floor_divide, signed, True),
    "truncatediv": (trunc_div, signed, False),
    "mod": (np.mod, signed, False),
    "floormod": (np.mod, signed, True),
    "reversemod": (lambda x, y: trunc_rest(y, x), lambda *s: signed(*s) * 4, False),
    "maximum": (np.maximum, signed, True),
    "minimum": (np.minimum, signed, True),
    "Pow": (np.power, positive, True),
    "assign": (lambda x, y: y + 0 * x, signed, True),
    "tf_atan2": (np.arctan2, signed, False),
    "igamma": (special.gammainc, positive, False),
    "igammac": (special.gammaincc, positive, False),
    "boolean_and": (bits(np.bitwise_and), lambda *s: signed(*s) * 4, False),
    "boolean_or": (bits(np.bitwise_or), lambda *s: signed(*s) * 4, False),
    "boolean_xor": (bits(np.bitwise_xor), lambda *s: signed(*s) * 4, False),
}
# Functions with jumps give other results after rounding an operand: some of these quotients are near integers.
JUMPS = ("floordiv", "truncatediv", "mod", "floormod")
COMPARISONS = {
    "equals": np.equal, "not_equals": np.not_equal, "less": np.less, "less_equal": np.less_equal,
    "greater": np.greater, "greater_equal": np.greater_equal,
}
# x, y, and the shape of the result where it is not NumPy's
RULES = [
    ((2, 3), (2, 3), None),
    ((2, 3), (3,), None),
    ((3,), (2, 3), None),
    ((2, 3), (2, 1), None),
    ((3, 1), (1, 4), None),
    ((4, 1, 1), (2, 3), None),
    ((2, 3), (), None),
    ((), (2, 3), None),
    ((), (), None),
    ((1,), (), None),
    ((1, 1), (), None),
    ((), (1, 1), None),
    ((1, 1), (1,), None),
    ((1,), (2, 3), None),
    ((2, 3), (1,), None),
    ((1, 1), (3,), (3,)),  # a single element takes exactly the other operand's shape
    ((3,), (1, 1), (3,)),
    ((1, 1, 1), (3,), (1, 1, 3)),
    ((2, 1, 3), (1, 4, 1), None),
]
EMPTY = [((0, 3), (1, 3)), ((0, 3), (0, 3)), ((0, 3), ()), ((), (2, 0)), ((2, 0), (2, 1)), ((0, 3), (3,))]

for name, (function, generate, _) in ARITHMETIC.items():
    rules = RULES if name in ("add", "tf_atan2") else [RULES[k] for k in (0, 4, 7, 15)]
    for sx, sy, sz in rules:
        x, y = generate(*sx), generate(*sy)
        z = function(x, y)
        cases.add(name, [x, y], [np.reshape(z, sz) if sz else z], types=("FLOAT32",) if name in JUMPS else None)
    for sx, sy in EMPTY if name == "add" else EMPTY[:1]:
        x, y = np.zeros(sx), np.ones(sy)
        cases.add(name, [x, y], [np.zeros(np.broadcast_shapes(sx, sy))])
cases.add("add", [Empty("DOUBLE"), np.ones((2, 3))], [Empty("DOUBLE")])
cases.add("tf_atan2", [Empty("DOUBLE"), np.ones((2, 3))], [Empty("DOUBLE")])
cases.add("add", [np.ones((2, 3)), Empty("DOUBLE")], [Empty("DOUBLE")])

for name, function in COMPARISONS.items():
    for sx, sy, sz in [RULES[k] for k in (0, 4, 15)]:
        x, y = coarse(rng.integers(-2, 3, sx)), coarse(rng.integers(-2, 3, sy))
        z = function(x, y)
        cases.add(name, [x, y], [np.reshape(z, sz) if sz else z])
    nan = np.array([np.nan, np.nan, 1.0, np.inf, -np.inf, 0.0]), np.array([np.nan, 1.0, np.nan, np.inf, np.inf, -0.0])
    cases.add(name, list(nan), [function(*nan)])
    cases.add(name, [np.zeros((0, 2)), np.zeros((1, 2))], [np.zeros((0, 2), bool)])
    for dtype in INTS if name == "less" else (np.int8, np.uint64):
        info = np.iinfo(dtype)
        x, y = np.array([info.min, info.max, 1, 0], dtype), np.array([info.max, info.max, 0, 1], dtype)
        cases.add(name, [x, y], [function(x, y)])
    b = np.array([True, True, False]), np.array([True, False, False])
    cases.add(name, list(b), [function(*b)])

# ---- integers

with np.errstate(all="ignore"):
    for dtype in INTS:
        info = np.iinfo(dtype)
        x = np.array([[7, info.max, 100], [0, info.min, 11]]).astype(dtype) if info.min == 0 else np.array(
            [[7, info.max, -7], [0, info.min, -11]]).astype(dtype)
        y = np.array([3, 2, 5], dtype)
        for name, function in (
                ("add", np.add), ("subtract", np.subtract), ("reversesubtract", lambda a, c: c - a), ("multiply", np.multiply),
                ("squaredsubtract", lambda a, c: (a - c) * (a - c)), ("maximum", np.maximum), ("minimum", np.minimum),
                ("assign", lambda a, c: np.broadcast_to(c, a.shape)), ("floordiv", np.floor_divide), ("floormod", np.mod),
                ("divide", lambda a, c: np.array([[int(u / v) if abs(int(u)) < 2**50 else
                                                   (abs(int(u)) // int(v)) * (1 if u > 0 else -1)
                                                   for u, v in zip(row, c)] for row in a]).astype(a.dtype)),
                ("mod", np.fmod), ("boolean_xor", np.bitwise_xor)):
            if name == "add" or dtype in (np.int8, np.int64, np.uint32):
                cases.add(name, [x, y], [function(x, y)])
        if dtype in (np.int16, np.uint16):
            continue
        cases.add("truncatediv", [np.array([7, 100], dtype), np.array([2, 3], dtype)], [np.array([3, 33], dtype)])
        cases.add("Pow", [np.array([2, 3, 7], dtype), np.array([5, 4, 0], dtype)], [np.array([32, 81, 1], dtype)])
        cases.add("divide_no_nan", [np.array([7, 9], dtype), np.array([0, 2], dtype)], [np.array([0, 4], dtype)])
        cases.add("reversedivide", [np.array([2, 3], dtype), np.array([7, 10], dtype)], [np.array([3, 3], dtype)])
        cases.add("reversemod", [np.array([2, 3], dtype), np.array([7, 11], dtype)], [np.array([1, 2], dtype)])
cases.add("truncatediv", [np.array([-7, 7], np.int32), np.array([2, -2], np.int32)], [np.array([-3, -3], np.int32)])
cases.add("Pow", [np.array([3], np.int64), np.array([39], np.int64)], [np.array([3**39], np.int64)], label="exact")
cases.add("Pow", [np.array([2, 1, -1], np.int32), np.array([-1, -5, -3], np.int32)], [np.array([0, 1, -1], np.int32)])

# ---- y is converted to the type of x

cases.add("add", [np.array([1, 2], np.int32), np.array([1.9, -1.9], np.float32)], [np.array([2, 1], np.int32)])
cases.add("multiply", [np.array([True, False, True]), np.array([0.5, 2, 0.0])], [np.array([True, False, False])])
cases.add("subtract", [np.array([1.5, 2]), np.array([1, 2], np.int64)], [np.array([0.5, 0])])
cases.add("reversedivide", [np.array([2.0, 4]), np.array([1, 3], np.int32)], [np.array([0.5, 0.75])])
cases.add("tf_atan2", [np.array([1.0, -1.0]), np.array([1, -1], np.int32)], [np.arctan2([1.0, -1.0], [1, -1])])
cases.add("assign", [np.zeros(3), np.array([[1, 2, 3], [4, 5, 6]], np.int32)], [np.array([[1.0, 2, 3], [4, 5, 6]])])
for name, function in (("boolean_and", np.logical_and), ("boolean_or", np.logical_or), ("boolean_xor", np.logical_xor),
                       ("add", np.logical_or), ("maximum", np.logical_or), ("minimum", np.logical_and)):
    x, y = np.array([True, True, False, False]), np.array([True, False, True, False])
    cases.add(name, [x, y], [function(x, y)])

# ---- floats at the limits of their range

with np.errstate(all="ignore"):
    far = np.array([1.0, -1.0, 0.0, np.inf, np.nan, np.inf])
    to = np.array([0.0, 0.0, 0.0, -np.inf, 1.0, 2.0])
    for name in ("add", "subtract", "multiply", "divide"):
        cases.add(name, [far, to], [ARITHMETIC[name][0](far, to)])
    cases.add("divide_no_nan", [far, to], [np.where(to == 0, 0, far / to)])
    cases.add("floormod", [np.array([7.0, -7, 7, -7, 6, -6]), np.array([3.0, 3, -3, -3, 3, 3])], [np.array([1.0, 2, -2, -1, 0, 0])])
    cases.add("mod", [np.array([7.0, -7, 7, -7]), np.array([3.0, 3, -3, -3])], [np.array([1.0, 2, -2, -1])])
    cases.add("truncatediv", [np.array([7.5, -7.5]), np.array([2.0, 2.0])], [np.array([3.0, -3.0])])
    cases.add("Pow", [np.array([0.0, 0.0, 2.0, -2.0, -8.0]), np.array([0.0, 2.0, -1.0, 3.0, 0.5])],
              [np.array([1.0, 0.0, 0.5, -8.0, np.nan])])
    a, t = np.array([0.5, 1.0, 30.0, 2.0]), np.array([0.0, 50.0, 25.0, np.inf])
    cases.add("igamma", [a, t], [special.gammainc(a, t)], types=("FLOAT32",))
    cases.add("igammac", [a, t], [special.gammaincc(a, t)], types=("FLOAT32",))

# ---- gradients

SHAPES = [((2, 3), (2, 3)), ((2, 3), (3,)), ((3,), (2, 3)), ((3, 1), (1, 4)), ((2, 3), ()), ((), (2, 3)), ((1, 1), (3,)),
          ((2, 1, 3), (4, 1)), ((1, 3), (2, 3))]
for name, (function, generate, has_gradient) in ARITHMETIC.items():
    if not has_gradient or name in ("floormod", "floordiv"):
        continue
    for sx, sy in SHAPES if name in ("add", "divide", "Pow") else SHAPES[1:4:2]:
        x, y = generate(*sx), generate(*sy) + 0.001  # no ties, because extremes have no derivative there
        cases.add(name, [x, y], [None], grad=(0, 1), types=())
for sx, sy in SHAPES:
    x, y = coarse(rng.uniform(2.4, 2.7, sx)), coarse(rng.uniform(1.0, 1.15, sy))  # quotients between 2 and 3
    cases.add("floormod", [x, y], [None], grad=(0, 1), types=())
    cases.add("floordiv", [x, y], [None], grad=(0, 1), types=())


def summed(values, shape):
    """Sums over the axes along which an operand of this shape was broadcast."""
    values = values.sum(axis=tuple(range(values.ndim - len(shape)))) if values.ndim > len(shape) else values
    return values.sum(axis=tuple(d for d in range(len(shape)) if shape[d] == 1 and values.shape[d] != 1), keepdims=True)


# Ties pass all of eps to both operands; where x is 0 the logarithm counts as 0.
x, y, g = np.array([[1.0, 2, 3], [4, 5, 6]]), np.array([1.0, 5, 3]), coarse(rng.normal(size=(2, 3)))
cases.add("maximum_bp", [x, y, g], [g * (x >= y), summed(g * (x <= y), (3,))])
cases.add("minimum_bp", [x, y, g], [g * (x <= y), summed(g * (x >= y), (3,))])
cases.add("Pow_bp", [np.array([0.0, -2.0, 2.0, 3.0]), np.array([2.0, 3.0, 0.0, 1.0]), np.ones(4)],
          [np.array([0.0, 12.0, 0.0, 1.0]), np.array([0.0, 0.0, np.log(2), 3 * np.log(3)])])
for name in ("mod_bp", "reversemod_bp", "floordiv_bp"):
    cases.add(name, [x, y, g], [np.zeros((2, 3)), np.zeros(3)])
for name, function in (("add_bp", lambda: (g, summed(g, (3,)))), ("multiply_bp", lambda: (g * y, summed(g * x, (3,)))),
                       ("subtract_bp", lambda: (g, summed(-g, (3,)))),
                       ("divide_bp", lambda: (g / y, summed(-g * x / y**2, (3,))))):
    cases.add(name, [x, y, g], list(function()))
    cases.add(name, [np.zeros((0, 3)), np.ones((1, 3)), np.zeros((0, 3))], [np.zeros((0, 3)), np.zeros((1, 3))])

# A gradient of one element stands for all elements where x and y have one shape.
x, y = signed(2, 3), signed(2, 3)
for name, by_x, by_y in (
        ("add", 1, 1), ("subtract", 1, -1), ("reversesubtract", -1, 1), ("multiply", y, x), ("divide", 1 / y, -x / y**2),
        ("realdiv", 1 / y, -x / y**2), ("reversedivide", -y / x**2, 1 / x),
        ("squaredsubtract", 2 * (x - y), 2 * (y - x)), ("assign", 0, 1), ("floormod", 1, -np.floor(x / y)),
        ("maximum", x >= y, x <= y), ("mod", 0, 0)):
    for one in (np.array(0.5), np.array([0.5])):
        expected = [np.broadcast_to(0.5 * d, (2, 3)) for d in (by_x, by_y)]
        cases.add(name + "_bp", [x, y, one], expected, types=("FLOAT32",) if name == "floormod" else None)

# ---- meshgrid

a, b, c = np.array([1.0, 2, 3]), np.array([[4.0, 5]]), np.array(6.0)
for cartesian in (1, 0):
    indexing = "xy" if cartesian else "ij"
    cases.add("meshgrid", [a, b], np.meshgrid(a, b, indexing=indexing), i=(cartesian,))
    cases.add("meshgrid", [a, b, c], np.meshgrid(a, b, c, indexing=indexing), i=(cartesian,))
cases.add("meshgrid", [a], [a])
cases.add("meshgrid", [a.astype(np.int8), np.arange(4, dtype=np.int8)],
          np.meshgrid(a.astype(np.int8), np.arange(4, dtype=np.int8)))
cases.add("meshgrid", [a, np.zeros(0)], np.meshgrid(a, np.zeros(0)))
cases.add("meshgrid", [np.array([True, False]), np.array([True])], np.meshgrid([True, False], [True]))

# ---- percentile

x = coarse(rng.normal(size=(2, 4, 3)))


def percentile(x, q, kind, axes, keep):
    """As documented: the position is counted from the top, and at an exact half the lower element is taken."""
    axes = axes or tuple(range(x.ndim))
    kept = [d for d in range(x.ndim) if d not in axes]
    rows = np.sort(np.transpose(x, kept + list(axes)).reshape([x.shape[d] for d in kept] + [-1]), axis=-1)
    n = rows.shape[-1]
    top = (n - 1) * (1 - q / 100)
    r = {0: np.ceil(top), 1: np.floor(top), 2: np.floor(top + 0.5)}[kind]
    z = rows[..., n - 1 - int(r)]
    return z.reshape([1 if d in axes else x.shape[d] for d in range(x.ndim)]) if keep else z


for q, kinds in ((0.0, (0,)), (25.0, (0, 1, 2)), (50.0, (2,)), (99.0, (0, 1)), (100.0, (1,))):
    for kind in kinds:
        cases.add("percentile", [x], [percentile(x, q, kind, (1,), False)], t=(q, kind), i=(1,))
for axes in ((), (0,), (0, 2), (0, 1, 2)):
    for keep in (0, 1):
        cases.add("percentile", [x], [percentile(x, 40.0, 2, axes, keep)], t=(40.0, 2, keep), i=axes)
cases.add("percentile", [x], [percentile(x, 30.0, 2, (2,), False)], t=(30.0,), i=(-1,))
v = coarse(rng.normal(size=5))
cases.add("percentile", [v], [percentile(v, 50.0, 2, (), False)], t=(50.0,))
cases.add("percentile", [v], [percentile(v, 50.0, 2, (), False)], t=(50.0, 2, 1), label="rank 1 without axes: a scalar")
many = rng.integers(-128, 128, 700).astype(np.int8)
cases.add("percentile", [many], [percentile(many, 70.0, 2, (), False)], t=(70.0,), label="more than the type can count")
for dtype in (np.uint8, np.int64, np.uint64):
    w = np.array([[9, 3, np.iinfo(dtype).max], [4, np.iinfo(dtype).min, 7]], dtype)
    cases.add("percentile", [w], [percentile(w, 50.0, 0, (1,), False)], t=(50.0, 0), i=(1,))
cases.add("percentile", [np.array([True, False, True])], [np.array(True)], t=(50.0,))
cases.add("percentile", [np.zeros((0, 3))], [np.zeros(0)], t=(50.0,), i=(1,))

cases.save()
