"""Element-wise operations on integers and booleans: exact Python integers wherever the operation has an integer form.

Other operations (arctangent, logarithm ...) use the float formula in the compute type, and the result is truncated.
Where the true value is so close to an integer that the error of the formula decides, both integers are accepted.
"""
import numpy as np

from approx import Format
from element import LD, float_to_int, wrap
from elementwise_floats import BINARY_FLOAT, c_remainder


def floor_div(a, b):
    return a // b


def trunc_div(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def nearest_remainder(a, b):
    """a - n*b, where n is a/b rounded to nearest, halves to even."""
    low = a // b
    twice = 2 * (a - low * b)
    up = abs(twice) > abs(b) or (abs(twice) == abs(b) and low % 2 == 1)
    return a - (low + int(up)) * b


def power(t):
    def one(a, b):
        if b < 0:
            return 1 if a == 1 else (-1 if b % 2 else 1) if a == -1 else 0
        return pow(a, b, 1 << 64)

    return one


def magnitude(t, a):
    return wrap(t, abs(a))


def cond(t, mode, v, c, eps):
    m = magnitude(t, v)
    return [
        abs(v - c) <= eps, abs(v - c) > eps, v < c, v > c, v <= c, v >= c, m < c, m > c, False, False, v == c, v != c,
        m >= c, m <= c, True, False,
    ][mode]  # fmt: skip


UNARY_INT = {
    "Abs": lambda t, x, p: abs(x),
    "Sign": lambda t, x, p: (x > 0) - (x < 0),
    "Ones": lambda t, x, p: 1,
    "Neg": lambda t, x, p: -x,
    "Round": lambda t, x, p: x,
    "TimesOneMinus": lambda t, x, p: x * (1 - x),
    "Cube": lambda t, x, p: x**3,
    "OneMinus": lambda t, x, p: 1 - x,
    "Reciprocal": lambda t, x, p: trunc_div(1, x),
    "Square": lambda t, x, p: x * x,
    "CompareAndSetTransform": lambda t, x, p: p[1] if cond(t, p[3], x, p[0], p[2]) else x,
    "Identity": lambda t, x, p: x,
    "Ceiling": lambda t, x, p: x,
    "Floor": lambda t, x, p: x,
    "ClipByValue": lambda t, x, p: p[1] if x > p[1] else p[0] if x < p[0] else x,
    "Copy": lambda t, x, p: x,
}

BINARY_INT = {
    "Add": lambda t, x, y, p: x + y,
    "CopyPws": lambda t, x, y, p: y,
    "Copy2": lambda t, x, y, p: y,
    "Divide": lambda t, x, y, p: trunc_div(x, y),
    "Multiply": lambda t, x, y, p: x * y,
    "Pow": lambda t, x, y, p: power(t)(x, y),
    "ReversePow": lambda t, x, y, p: power(t)(y, x),
    "ReverseSubtract": lambda t, x, y, p: y - x,
    "Subtract": lambda t, x, y, p: x - y,
    "MaxPairwise": lambda t, x, y, p: max(x, y),
    "MinPairwise": lambda t, x, y, p: min(x, y),
    "Axpy": lambda t, x, y, p: p[0] * x + y,
    "ReverseDivide": lambda t, x, y, p: trunc_div(y, x),
    "CompareAndSet": lambda t, x, y, p: y if cond(t, p[3], y, p[0], p[2]) else x,
    "CompareAndReplace": lambda t, x, y, p: y if cond(t, p[3], x, p[0], p[2]) else x,
    "Remainder": lambda t, x, y, p: nearest_remainder(x, y),
    "FMod": lambda t, x, y, p: c_remainder(x, y),
    "TruncateDiv": lambda t, x, y, p: trunc_div(x, y),
    "FloorDiv": lambda t, x, y, p: floor_div(x, y),
    "FloorMod": lambda t, x, y, p: x % y,
    "SquaredSubtract": lambda t, x, y, p: (x - y) ** 2,
    "SquaredReverseSubtract": lambda t, x, y, p: (y - x) ** 2,
    "ReverseMod": lambda t, x, y, p: c_remainder(y, x),
    "TruncateMod": lambda t, x, y, p: c_remainder(x, y),
    "SafeDivide": lambda t, x, y, p: trunc_div(x, y) if y else 0,
    "DivideNoNan": lambda t, x, y, p: trunc_div(x, y) if y else 0,
    "Mod": lambda t, x, y, p: c_remainder(x, y),
    "LogicalOr": lambda t, x, y, p: x | y,
    "LogicalXor": lambda t, x, y, p: x ^ y,
    "LogicalNot": lambda t, x, y, p: int(not (x and y)),
    "LogicalAnd": lambda t, x, y, p: x & y,
    "AMaxPairwise": lambda t, x, y, p: x if magnitude(t, x) > magnitude(t, y) else y,
    "AMinPairwise": lambda t, x, y, p: x if magnitude(t, x) < magnitude(t, y) else y,
    "ReplaceNans": lambda t, x, y, p: x,
    "LeakyRELU": lambda t, x, y, p: y * x if x < 0 else x,
    "LeakyRELUDerivative": lambda t, x, y, p: 1 if x >= 0 else y,
    "RELU": lambda t, x, y, p: max(x, y),
    "RELU6": lambda t, x, y, p: min(max(x, y), 6),
    "Step": lambda t, x, y, p: int(x > y),
    "LstmClip": lambda t, x, y, p: y if x > y else -y if x < -y else x,
    "RELUDerivative": lambda t, x, y, p: int(x > y),
}

# All other binary operations: float formulas, with the result converted back.
THROUGH_FLOAT = [name for name in BINARY_FLOAT if name not in BINARY_INT]


def rotate_left(t, x, y):
    y %= t.bits
    x &= (1 << t.bits) - 1
    return (x << y) | (x >> (t.bits - y))


def shift_left(t, x, y):
    return x << y if 0 <= y < t.bits else 0


def shift_right(t, x, y):
    return x >> y if 0 <= y < t.bits else (-1 if x < 0 else 0)


BITS_INT = {
    "ShiftLeft": lambda t, x, y: shift_left(t, x, y),
    "ShiftRight": lambda t, x, y: shift_right(t, x, y),
    "CyclicShiftLeft": lambda t, x, y: rotate_left(t, x, y),
    "CyclicShiftRight": lambda t, x, y: rotate_left(t, x, -y),
    "IntAnd": lambda t, x, y: x & y,
    "IntOr": lambda t, x, y: x | y,
    "IntXor": lambda t, x, y: x ^ y,
}

COMPARE_INT = {
    "EqualTo": lambda t, x, y, p: x == y,
    "GreaterThan": lambda t, x, y, p: x > y,
    "LessThan": lambda t, x, y, p: x < y,
    "Epsilon": lambda t, x, y, p: x == y,
    "GreaterThanOrEqual": lambda t, x, y, p: x >= y,
    "MatchCondition": lambda t, x, y, p: cond(t, p[2], x, y, p[1]),
    "NotEqualTo": lambda t, x, y, p: x != y,
    "And": lambda t, x, y, p: x != p[0] and y != p[0] if p else x != 0 and y != 0,
    "Or": lambda t, x, y, p: x != p[0] or y != p[0] if p else x != 0 or y != 0,
    "Xor": lambda t, x, y, p: (x == p[0]) != (y == p[0]) if p else (x != 0) != (y != 0),
    "Not": lambda t, x, y, p: x != y,
    "LessThanOrEqual": lambda t, x, y, p: x <= y,
}

TEST_INT = {
    "IsInf": lambda t, x, p: False,
    "IsNan": lambda t, x, p: False,
    "IsFinite": lambda t, x, p: True,
    "IsInfOrNan": lambda t, x, p: False,
    "MatchConditionBool": lambda t, x, p: cond(t, p[2], x, p[0], p[1]),
    "IsPositive": lambda t, x, p: x > 0,
    "Not": lambda t, x, p: x == 0,
    "IsNegative": lambda t, x, p: x < 0,
}


def truncated(t, a):
    """Values with error bounds, converted to an integer type: (values, accepted distance or None when all are certain)."""
    fmt = a.fmt
    values, bounds = [], []
    with np.errstate(all="ignore"):
        rounded = a.v.astype(fmt.dtype).astype(LD)
    for v, exact, e in zip(rounded, a.v, a.e):
        e = LD(0) if not np.isfinite(exact) else e
        value = float_to_int(t, v)
        with np.errstate(all="ignore"):
            ends = [float_to_int(t, LD(exact + s * e)) for s in (-1, 1)]
        if value is None or None in ends:
            values.append(0)
            bounds.append(np.inf)
            continue
        values.append(value)
        period = 2 if t.kind == "b" else 1 << t.bits
        bounds.append(float(max(min((value - end) % period, (end - value) % period) for end in ends)))
    return values, (bounds if any(bounds) else None)


def through_float(t, name, x, y, p):
    """A float formula on integer operands, in the compute type of the integer type."""
    fmt = Format(t.compute)
    xs, ys = (np.array([LD(v) for v in side], dtype=LD) for side in (x, y))
    with np.errstate(all="ignore"):
        cx, cy = xs.astype(fmt.dtype), ys.astype(fmt.dtype)
        return BINARY_FLOAT[name](cx.astype(LD), cy.astype(LD), fmt, [LD(v) for v in p], cx, cy)
