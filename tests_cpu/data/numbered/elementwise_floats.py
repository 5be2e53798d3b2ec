"""Element-wise operations on float types, computed with numpy, mpmath and math.

A formula gives either exact values (numpy arithmetic in the compute type, where every step is defined by IEEE 754), or
values in extended precision that a function good to N ulp must reach, or values with a bound from running error analysis.
"""
import math

import mpmath
import numpy as np

from approx import Approx, Format, where
from element import LD

PI = LD("3.14159265358979323846264338327950288")
SELU_L, SELU_A = LD("1.0507009873554804934193349852946"), LD("1.6732632423543772848170429916717")


class Exact:
    """The exact values. `bits`: the signs of zeros are compared, too."""

    def __init__(self, v, bits=False):
        self.v, self.bits = np.asarray(v, dtype=LD), bits


class Ulps:
    """Exact values, which must be matched within `n` units in the last place."""

    def __init__(self, v, n=4):
        self.v, self.n = np.asarray(v, dtype=LD), n


class Open:
    """A result with elements that the reference does not define; they are not compared."""

    def __init__(self, result, mask):
        self.result, self.mask = result, mask


def mp_map(f, *arrays):
    with mpmath.workprec(120):
        return np.array([LD(mpmath.nstr(f(*(mpmath.mpf(repr_exact(v)) for v in row)), 25)) for row in zip(*arrays)], dtype=LD)


def repr_exact(v):
    return np.format_float_scientific(v, unique=True) if np.isfinite(v) else str(float(v))


def erf(v):
    finite = np.isfinite(v)
    out = np.where(np.isnan(v), v, np.sign(v))
    out[finite] = mp_map(mpmath.erf, v[finite])
    return out


def erfc(v):
    finite = np.isfinite(v) & (np.abs(v) < 100)
    out = np.where(np.isnan(v), v, np.where(v > 0, LD(0), LD(2)))
    out[finite] = mp_map(mpmath.erfc, v[finite])
    return out


def round_away(v):
    return np.copysign(np.floor(np.abs(v) + LD(0.5)), v)


def sigmoid_of(v):
    return np.where(v >= 0, 1 / (1 + np.exp(-np.abs(v))), np.exp(-np.abs(v)) / (1 + np.exp(-np.abs(v))))


def softplus_of(v):
    return np.fmax(v, 0) + np.log1p(np.exp(-np.abs(v))) + 0 * v


def softplus_all(v):
    return np.where(np.isinf(v), np.fmax(v, 0), softplus_of(v))


def cond(mode, v, c, eps):
    """The condition table; v, c, eps in the compute type."""
    with np.errstate(all="ignore"):
        return np.asarray([
            lambda: np.abs(v - c) <= eps, lambda: np.abs(v - c) > eps, lambda: v < c, lambda: v > c, lambda: v <= c,
            lambda: v >= c, lambda: np.abs(v) < c, lambda: np.abs(v) > c, lambda: np.isinf(v), lambda: np.isnan(v),
            lambda: v == c, lambda: v != c, lambda: np.abs(v) >= c, lambda: np.abs(v) <= c, lambda: np.isfinite(v),
            lambda: ~np.isfinite(v),
        ][mode]())  # fmt: skip


def with_value(a, v):
    """A value without the formula's cancellation, with the error bound of the formula."""
    return Approx(a.fmt, v, a.e + np.nan_to_num(np.abs(a.v - v)))


# Unary operations: (x in extended precision, format, parameters, x in the compute type) -> result.
def scaled_tanh(a, p):
    return (a * p[1]).fn(np.tanh, saturates=True) * p[0]


def rational_tanh(a, derivative):
    d = a * (LD(2) / 3)
    m = d.abs()
    base = 1 + m + d * d + d * d * d * d * LD("1.41645")
    sign = np.sign(d.v)
    if derivative:
        inner = 1 + (2 * d + 4 * LD("1.41645") * (d * d * d)) * Approx(a.fmt, sign)
        return LD("1.7159") * (LD(2) / 3) * inner / (base * base)
    return LD("1.7159") * ((1 - 1 / base) * Approx(a.fmt, sign))


def tanh_derivative(a):
    return with_value(1 - a.fn(np.tanh, saturates=True).fn(np.square), 1 / np.cosh(a.v) ** 2)


def sigmoid_derivative(a):
    s = a.fn(sigmoid_of, saturates=True)
    return with_value(s * (1 - s), sigmoid_of(a.v) * sigmoid_of(-a.v))


def swish_derivative(a):
    s = a.fn(sigmoid_of, saturates=True)
    return s + a * s * (1 - s)


def gelu_derivative(a):
    u = LD("1.702") * a
    s = u.fn(sigmoid_of, saturates=True)
    return s * (1 + u * (1 - s))


def precise_gelu(a):
    """x/2 * (1 + tanh(t)) is x * sigmoid(2t)."""
    t = np.sqrt(2 / PI) * (a + LD("0.044715") * (a * a * a))
    return a * (t * 2).fn(sigmoid_of, saturates=True)


def precise_gelu_derivative(a):
    """The derivative of PreciseGELU; the reference writes its constants with six digits, which is accepted too."""
    cube = a * a * a

    def formula(k1, k3, s1, s3):
        t = k1 * a + k3 * cube
        th = t.fn(np.tanh, saturates=True)
        sech2 = t.fn(lambda v: 1 / np.cosh(v)).fn(np.square)
        return LD(0.5) + (s1 * a + s3 * cube) * sech2 + LD(0.5) * th

    k, c = np.sqrt(2 / PI), LD("0.044715")
    exact = formula(k, k * c, k / 2, k * c * LD(1.5))
    short = formula(LD("0.797885"), LD("0.0356774"), LD("0.398942"), LD("0.0535161"))
    return Approx(a.fmt, exact.v, exact.e + np.nan_to_num(np.abs(exact.v - short.v)))


def mish(a):
    return a * a.fn(softplus_all).fn(np.tanh, saturates=True)


def mish_derivative(a):
    th = a.fn(softplus_all).fn(np.tanh, saturates=True)
    return th + a * a.fn(sigmoid_of, saturates=True) * (1 - th * th)


def set_range(a, p):
    inside = (a.v >= p[0]) & (a.v <= p[1])
    if p[0] == 0 and p[1] == 1:
        s = sigmoid_of(a.v)
        unsure = (1 - s < 8 * a.fmt.unit) & (1 - s > a.fmt.unit / 64)
        moved = Approx(a.fmt, np.where(np.isnan(s), s, (1 - s <= a.fmt.unit / 64).astype(LD)))
        return Open(where(inside, a, moved), unsure)
    scaled = a * (LD(p[1]) - p[0])
    moved = Approx(a.fmt, np.floor(scaled.v), np.where(np.floor(scaled.v - scaled.e) == np.floor(scaled.v + scaled.e), LD(0), scaled.e + 1))
    return where(inside, a, moved + p[0])


def infinite(x):
    return np.isinf(x)


UNARY_FLOAT = {
    "Abs": lambda x, f, p, c: Exact(np.abs(x), bits=True),
    "Sign": lambda x, f, p, c: Exact((x > 0).astype(LD) - (x < 0)),
    "Ones": lambda x, f, p, c: Exact(np.ones_like(x)),
    "Neg": lambda x, f, p, c: Exact(-x, bits=True),
    "Round": lambda x, f, p, c: Exact(round_away(x)),
    "TimesOneMinus": lambda x, f, p, c: Exact(c * (1 - c)),
    "Cube": lambda x, f, p, c: Exact(c * c * c),
    "OneMinus": lambda x, f, p, c: Exact(1 - c),
    "Reciprocal": lambda x, f, p, c: Exact(1 / c, bits=True),
    "Square": lambda x, f, p, c: Exact(c * c),
    "CompareAndSetTransform": lambda x, f, p, c: Exact(np.where(cond(int(p[3]), c, p[0], p[2]), LD(p[1]), x)),
    "Identity": lambda x, f, p, c: Exact(x, bits=True),
    "Ceiling": lambda x, f, p, c: Exact(np.ceil(x)),
    "Floor": lambda x, f, p, c: Exact(np.floor(x)),
    "ClipByValue": lambda x, f, p, c: Exact(np.where(x > p[1], p[1], np.where(x < p[0], p[0], x))),
    "Copy": lambda x, f, p, c: Exact(x, bits=True),
    "ScaledTanh": lambda x, f, p, c: scaled_tanh(Approx(f, x), p),
    "Affine": lambda x, f, p, c: Approx(f, x) * p[0] + p[1],
    "TanhDerivative": lambda x, f, p, c: tanh_derivative(Approx(f, x)),
    "HardTanhDerivative": lambda x, f, p, c: Exact((np.abs(x) <= 1).astype(LD)),
    "SigmoidDerivative": lambda x, f, p, c: sigmoid_derivative(Approx(f, x)),
    "SoftSignDerivative": lambda x, f, p, c: Ulps(1 / (1 + np.abs(x)) ** 2),
    "TanDerivative": lambda x, f, p, c: Approx(f, x).fn(lambda v: 1 / np.cos(v) ** 2, ulps=12),
    "SELUDerivative": lambda x, f, p, c: where(x > 0, Approx(f, np.full_like(x, SELU_L)), SELU_A * SELU_L * Approx(f, x).fn(np.exp)),
    "HardSigmoidDerivative": lambda x, f, p, c: Ulps(np.where((x < -2.5) | (x > 2.5), LD(0), LD("0.2")), 1),
    "RationalTanhDerivative": lambda x, f, p, c: Open(rational_tanh(Approx(f, x), True), np.abs(x) > 1e6),
    "RectifiedTanhDerivative": lambda x, f, p, c: where(x > 0, tanh_derivative(Approx(f, x)), Approx(f, np.zeros_like(x))),
    "SwishDerivative": lambda x, f, p, c: Open(swish_derivative(Approx(f, x)), infinite(x)),
    "ACoshDerivative": lambda x, f, p, c: Approx(f, x).fn(lambda v: 1 / (np.sqrt(v - 1) * np.sqrt(v + 1)), ulps=3),
    "ASinhDerivative": lambda x, f, p, c: Approx(f, x).fn(lambda v: 1 / np.sqrt(v * v + 1), ulps=3),
    "SinhDerivative": lambda x, f, p, c: Ulps(np.cosh(x)),
    "LogSigmoidDerivative": lambda x, f, p, c: Approx(f, x).fn(lambda v: sigmoid_of(-v), ulps=5),
    "SpecialDerivative": lambda x, f, p, c: Exact(c * (1 - c)),
    "Stabilize": lambda x, f, p, c: stabilize(Approx(f, x), p),
    "StabilizeFP16": lambda x, f, p, c: Ulps(np.where(x <= 0, LD("6.1035e-05"), x), 1),
    "CubeDerivative": lambda x, f, p, c: Ulps(3 * x * x, 2),
    "Cosine": lambda x, f, p, c: Ulps(np.cos(x)),
    "Exp": lambda x, f, p, c: Ulps(np.exp(x)),
    "Log": lambda x, f, p, c: Ulps(np.log(x)),
    "SetRange": lambda x, f, p, c: set_range(Approx(f, x), p),
    "Sigmoid": lambda x, f, p, c: Approx(f, x).fn(sigmoid_of, ulps=5),
    "Sin": lambda x, f, p, c: Ulps(np.sin(x)),
    "SoftPlus": lambda x, f, p, c: Approx(f, x).fn(softplus_all, ulps=6),
    "Tanh": lambda x, f, p, c: Ulps(np.tanh(x)),
    "ACos": lambda x, f, p, c: Ulps(np.arccos(x)),
    "ASin": lambda x, f, p, c: Ulps(np.arcsin(x)),
    "ATan": lambda x, f, p, c: Ulps(np.arctan(x)),
    "HardTanh": lambda x, f, p, c: Exact(np.where(x < -1, LD(-1), np.where(x > 1, LD(1), x))),
    "SoftSign": lambda x, f, p, c: Open(Ulps(x / (1 + np.abs(x)), 2), infinite(x)),
    "HardSigmoid": lambda x, f, p, c: Open(hard_sigmoid(Approx(f, x)), np.isnan(x)),
    "RationalTanh": lambda x, f, p, c: Open(rational_tanh(Approx(f, x), False), np.isnan(x)),
    "RectifiedTanh": lambda x, f, p, c: Open(Ulps(np.where(x > 0, np.tanh(x), LD(0))), np.isnan(x)),
    "Sinh": lambda x, f, p, c: Ulps(np.sinh(x)),
    "Cosh": lambda x, f, p, c: Ulps(np.cosh(x)),
    "Tan": lambda x, f, p, c: Ulps(np.tan(x)),
    "SELU": lambda x, f, p, c: where(x > 0, SELU_L * Approx(f, x), SELU_L * (SELU_A * Approx(f, x).fn(np.exp) - SELU_A)),
    "Swish": lambda x, f, p, c: Open(Approx(f, x) * Approx(f, x).fn(sigmoid_of, saturates=True), x == -np.inf),
    "Log1p": lambda x, f, p, c: Ulps(np.log1p(x)),
    "Erf": lambda x, f, p, c: Ulps(erf(x)),
    "ACosh": lambda x, f, p, c: Ulps(np.arccosh(x)),
    "ASinh": lambda x, f, p, c: Ulps(np.arcsinh(x)),
    "Rint": lambda x, f, p, c: Exact(np.rint(x)),
    "LogSigmoid": lambda x, f, p, c: Approx(f, -x).fn(lambda v: -softplus_all(v), ulps=6),
    "Erfc": lambda x, f, p, c: Ulps(erfc(x)),
    "Expm1": lambda x, f, p, c: Ulps(np.expm1(x)),
    "ATanh": lambda x, f, p, c: Ulps(np.arctanh(x)),
    "GELU": lambda x, f, p, c: Open(Approx(f, x) * (LD("1.702") * Approx(f, x)).fn(sigmoid_of, saturates=True), x == -np.inf),
    "GELUDerivative": lambda x, f, p, c: Open(gelu_derivative(Approx(f, x)), infinite(x)),
    "PreciseGELU": lambda x, f, p, c: Open(precise_gelu(Approx(f, x)), x == -np.inf),
    "PreciseGELUDerivative": lambda x, f, p, c: Open(precise_gelu_derivative(Approx(f, x)), np.abs(x) > 1e4),
    "Mish": lambda x, f, p, c: Open(mish(Approx(f, x)), x == -np.inf),
    "MishDerivative": lambda x, f, p, c: Open(mish_derivative(Approx(f, x)), infinite(x)),
    "Sqrt": lambda x, f, p, c: Exact(np.sqrt(c), bits=True),
    "RSqrt": lambda x, f, p, c: Ulps(1 / np.sqrt(c.astype(LD))),
}


def stabilize(a, p):
    k, cut = LD(p[0]), LD("3.79297773665")
    bound = a._lift(cut / k)
    return where(a.v * k > cut, bound, where(a.v * k < -cut, -bound, a))


def hard_sigmoid(a):
    line = LD("0.2") * a + LD(0.5)
    zeros, ones = Approx(a.fmt, np.zeros_like(a.v)), Approx(a.fmt, np.ones_like(a.v))
    return where(line.v < 0, zeros, where(line.v > 1, ones, line))


# Binary operations: (x, y in extended precision, format, parameters, x and y in the compute type) -> result.
def sign_rule(cx, cy):
    m = np.fmod(cx, cy)
    return np.where((cx < 0) == (cy < 0), m, np.fmod(m + cy, cy))


def ieee_remainder(x, y):
    def one(a, b):
        try:
            return math.remainder(float(a), float(b))
        except ValueError:
            return math.nan

    return np.array([one(a, b) for a, b in zip(x, y)], dtype=LD)


def floor_mod_by_division(f, x, y):
    """x - floor(x/y)*y. Where the quotient is very close to an integer, its floor may be one less or more."""
    with np.errstate(all="ignore"):
        q = Approx(f, x) / Approx(f, y)
        low, high = np.floor(q.v - q.e), np.floor(q.v + q.e)
        exact = np.floor(q.v) == q.v.astype(f.dtype).astype(LD)
        step = np.where(exact & (np.rint(q.v) == q.v), LD(0), high - low)
        floored = Approx(f, np.floor(q.v), np.where(np.isfinite(step), step, 0) + np.abs(np.where(np.isfinite(q.v), q.v, 0)) * f.unit)
        floored.e = np.where((floored.v.astype(f.dtype).astype(LD) == floored.v) & (step == 0), LD(0), floored.e)
        return Approx(f, x) - floored * Approx(f, y)


def to_int64(v):
    v = float(v)
    if math.isnan(v):
        return 0
    return int(min(max(v, -(2.0**63)), 2.0**63 - 1)) if abs(v) < 2.0**63 else (2**63 - 1 if v > 0 else -(2**63))


def bitwise(op):
    return lambda x, y, f, p, cx, cy: Exact([LD(op(to_int64(a), to_int64(b))) for a, b in zip(x, y)])


def c_remainder(a, b):
    r = abs(a) % abs(b)
    return -r if a < 0 else r


def relative_error(f, x, y):
    a, b = Approx(f, x), Approx(f, y)
    return where((x == 0) & (y == 0), Approx(f, np.zeros_like(x)), (a - b).abs() / (a.abs() + b.abs()))


def gamma_p(x, y):
    """Regularised lower incomplete gamma P(x, y), by scipy in double precision."""
    from scipy.special import gammainc

    p = gammainc(np.maximum(x.astype(np.float64), 1e-300), y.astype(np.float64)).astype(LD)
    return np.where(x <= 1e-6, LD(0), p)


def igamma(f, x, y, complement):
    p = gamma_p(x, y)
    # The series of the reference stops at 1e-12; its factors lose about |a log t| + t ulp.
    e = LD(1e-11) * p + (8 + 4 * (np.abs(x * np.log(np.maximum(y, LD(1e-9)))) + y + np.abs(x * np.log(x + 1)))) * f.unit * p
    a = Approx(f, p, np.where(p == 0, LD(0), e + f.tiny))
    return where(p == 0, Approx(f, 0 * p + 1), 1 - a) if complement else a


def elu(f, x, y, derivative):
    a, alpha = Approx(f, x), Approx(f, y)
    if derivative:
        return where(x >= 0, Approx(f, 0 * alpha.e + 1), alpha * a.fn(np.exp))
    return where(x >= 0, a, alpha * (a.fn(np.exp) - 1))


def poisson(f, x, y, full):
    a, b = Approx(f, x), Approx(f, y)
    loss = b.fn(np.exp) - a * b
    return loss + (a * a.fn(np.log) - a + LD(0.5) * (2 * PI * a).fn(np.log)) if full else loss


def power_derivative(f, x, y):
    less = Approx(f, y) - 1
    less.v = less.v.astype(f.dtype).astype(LD)  # whether an exponent is odd is decided after rounding
    return Approx(f, y) * Approx(f, x).power(less)


def overflows(f, x, y):
    return np.isfinite(x) & np.isfinite(y) & (np.abs(x * y) > f.max)


def log_x(f, x, y):
    return Approx(f, x).fn(np.log) / Approx(f, y).fn(np.log)


BINARY_FLOAT = {
    "Add": lambda x, y, f, p, cx, cy: Exact(cx + cy, bits=True),
    "CopyPws": lambda x, y, f, p, cx, cy: Exact(y, bits=True),
    "Copy2": lambda x, y, f, p, cx, cy: Exact(y, bits=True),
    "Divide": lambda x, y, f, p, cx, cy: Exact(cx / cy, bits=True),
    "Multiply": lambda x, y, f, p, cx, cy: Exact(cx * cy, bits=True),
    "Pow": lambda x, y, f, p, cx, cy: Ulps(np.power(x, y)),
    "ReversePow": lambda x, y, f, p, cx, cy: Ulps(np.power(y, x)),
    "ReverseSubtract": lambda x, y, f, p, cx, cy: Exact(cy - cx, bits=True),
    "Subtract": lambda x, y, f, p, cx, cy: Exact(cx - cy, bits=True),
    "MaxPairwise": lambda x, y, f, p, cx, cy: Exact(np.where(x > y, x, y), bits=True),
    "MinPairwise": lambda x, y, f, p, cx, cy: Exact(np.where(x < y, x, y), bits=True),
    # Whether a product that overflows meets an opposite infinity depends on whether multiplication and addition are
    # fused.
    "Axpy": lambda x, y, f, p, cx, cy: Open(p[0] * Approx(f, x) + Approx(f, y), overflows(f, x, LD(p[0]))),
    "ReverseDivide": lambda x, y, f, p, cx, cy: Exact(cy / cx, bits=True),
    "CompareAndSet": lambda x, y, f, p, cx, cy: Exact(np.where(cond(int(p[3]), cy, p[0], p[2]), y, x)),
    "CompareAndReplace": lambda x, y, f, p, cx, cy: Exact(np.where(cond(int(p[3]), cx, p[0], p[2]), y, x)),
    "Remainder": lambda x, y, f, p, cx, cy: Exact(ieee_remainder(x, y)),
    "FMod": lambda x, y, f, p, cx, cy: Exact(np.fmod(cx, cy)),
    "Atan2": lambda x, y, f, p, cx, cy: Ulps(np.arctan2(y, x)),
    "TruncateDiv": lambda x, y, f, p, cx, cy: Exact(np.trunc(cx / cy)),
    "FloorDiv": lambda x, y, f, p, cx, cy: Exact(np.floor(cx / cy)),
    "FloorMod": lambda x, y, f, p, cx, cy: Exact(sign_rule(cx, cy)),
    "SquaredSubtract": lambda x, y, f, p, cx, cy: Exact((cx - cy) * (cx - cy)),
    "SquaredReverseSubtract": lambda x, y, f, p, cx, cy: Exact((cy - cx) * (cy - cx)),
    "ReverseMod": bitwise(lambda a, b: c_remainder(b, a)),
    "TruncateMod": bitwise(c_remainder),
    "SafeDivide": lambda x, y, f, p, cx, cy: Exact(np.where(y == 0, LD(0), (cx / cy).astype(LD))),
    "DivideNoNan": lambda x, y, f, p, cx, cy: Exact(np.where(y == 0, LD(0), (cx / cy).astype(LD))),
    # Near the largest number, rounding decides whether floor(x/y)*y overflows.
    "Mod": lambda x, y, f, p, cx, cy: Open(floor_mod_by_division(f, x, y), np.isfinite(x) & (np.abs(x) > f.max / 2)),
    "RelativeError": lambda x, y, f, p, cx, cy: relative_error(f, x, y),
    "BinaryRelativeError": lambda x, y, f, p, cx, cy: Exact((relative_error(f, x, y).v > p[0]).astype(LD)),
    "BinaryMinimumAbsoluteRelativeError": lambda x, y, f, p, cx, cy: Exact(
        ((relative_error(f, x, y).v > p[0]) & ~(np.abs(x - y) < p[1])).astype(LD)
    ),
    "LogicalOr": bitwise(lambda a, b: a | b),
    "LogicalXor": bitwise(lambda a, b: a ^ b),
    "LogicalNot": bitwise(lambda a, b: int(not (a and b))),
    "LogicalAnd": bitwise(lambda a, b: a & b),
    "PowDerivative": lambda x, y, f, p, cx, cy: power_derivative(f, x, y),
    "LogPoissonLoss": lambda x, y, f, p, cx, cy: Open(poisson(f, x, y, False), overflows(f, x, y)),
    "LogPoissonLossFull": lambda x, y, f, p, cx, cy: Open(poisson(f, x, y, True), overflows(f, x, y)),
    "AMaxPairwise": lambda x, y, f, p, cx, cy: Exact(np.where(np.abs(x) > np.abs(y), x, y), bits=True),
    "AMinPairwise": lambda x, y, f, p, cx, cy: Exact(np.where(np.abs(x) < np.abs(y), x, y), bits=True),
    "ReplaceNans": lambda x, y, f, p, cx, cy: Exact(np.where(np.isnan(x), y, x), bits=True),
    "IGamma": lambda x, y, f, p, cx, cy: igamma(f, x, y, False),
    "IGammac": lambda x, y, f, p, cx, cy: igamma(f, x, y, True),
    # An infinite alpha is multiplied by a factor that may be 0.
    "ELU": lambda x, y, f, p, cx, cy: Open(elu(f, x, y, False), np.isinf(y) & (x < 0)),
    "ELUDerivative": lambda x, y, f, p, cx, cy: Open(elu(f, x, y, True), np.isinf(y) & (x < 0)),
    "SXELogitsSmoother": lambda x, y, f, p, cx, cy: Approx(f, x) * (1 - Approx(f, y)) + LD(0.5) * Approx(f, y),
    "LeakyRELU": lambda x, y, f, p, cx, cy: Exact(np.where(cx < 0, cy * cx, cx)),
    "LeakyRELUDerivative": lambda x, y, f, p, cx, cy: Exact(np.where(x >= 0, LD(1), y)),
    "LogX": lambda x, y, f, p, cx, cy: log_x(f, x, y),
    "RELU": lambda x, y, f, p, cx, cy: Exact(np.where(x < y, y, x)),
    "RELU6": lambda x, y, f, p, cx, cy: Open(Exact(np.where(np.isnan(x), x, np.fmin(np.where(x > y, x, y), LD(6)))), np.isnan(y)),
    "Step": lambda x, y, f, p, cx, cy: Exact((x > y).astype(LD)),
    "LstmClip": lambda x, y, f, p, cx, cy: Exact(np.where(x > y, y, np.where(x < -y, -y, x))),
    "RELUDerivative": lambda x, y, f, p, cx, cy: Exact((x > y).astype(LD)),
}

COMPARE_FLOAT = {
    "EqualTo": lambda x, y, p: x == y,
    "GreaterThan": lambda x, y, p: x > y,
    "LessThan": lambda x, y, p: x < y,
    "Epsilon": lambda x, y, p: np.abs(x - y) <= 1e-12,
    "GreaterThanOrEqual": lambda x, y, p: x >= y,
    "MatchCondition": lambda x, y, p: cond(int(p[2]), x, y, p[1]),
    "NotEqualTo": lambda x, y, p: x != y,
    "And": lambda x, y, p: (x != p[0]) & (y != p[0]) if p else (x != 0) & (y != 0),
    "Or": lambda x, y, p: (x != p[0]) | (y != p[0]) if p else (x != 0) | (y != 0),
    "Xor": lambda x, y, p: (x == p[0]) ^ (y == p[0]) if p else (x != 0) ^ (y != 0),
    "Not": lambda x, y, p: x != y,
    "LessThanOrEqual": lambda x, y, p: x <= y,
}

TEST_FLOAT = {
    "IsInf": lambda x, p: np.isinf(x),
    "IsNan": lambda x, p: np.isnan(x),
    "IsFinite": lambda x, p: np.isfinite(x),
    "IsInfOrNan": lambda x, p: ~np.isfinite(x),
    "MatchConditionBool": lambda x, p: cond(int(p[2]), x, p[0], p[1]),
    "IsPositive": lambda x, p: x > 0,
    "Not": lambda x, p: x == 0,
    "IsNegative": lambda x, p: x < 0,
}
