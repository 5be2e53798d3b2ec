"""Functions of elements."""

import builtins
import operator

from .. import _creation as creation
from .. import _ndforge, bool_, inf, int32, int64
from .._complex import of_parts
from .._library import operation as _operation
from ._dtypes import FLOATING, REAL_NUMERIC, bits_of, isdtype, may_have_nan, promoted

NUMERIC, REAL, INTEGRAL = 'numeric', 'real floating', 'integral'
BITS = ('bool', 'integral')


def _check(x, name, kind):
    if not isdtype(x.dtype, kind):
        raise TypeError(f'[{name}] elements of type {x.dtype.name} are not accepted')


def _named(function, name):
    function.__name__ = function.__qualname__ = name
    function.__module__ = 'ndforge.array_api'
    return function


def _unary(name, operation, kind=REAL, on_integers=None):
    """A function of one array. `on_integers`: what it does with integers, which the operation does not take."""
    call, are_of = _operation(operation), _ndforge._are_of
    bits = bits_of(kind) & (bits_of(FLOATING) if on_integers else -1)

    def function(x, /):
        if are_of(x, x, bits) and x.size:
            return call(x)
        _check(x, name, kind)
        if on_integers is not None and x.dtype.kind not in 'fc':
            return on_integers(x)
        return call(x) if x.size else _empty(x)

    def _empty(x):
        return creation.zeros(x.shape, bool_ if operation.startswith('is_') else x.dtype)

    return _named(function, name)


def _same(x):
    return x.copy()


def _truth(value):
    return lambda x: creation.full(x.shape, value, bool_)


acos, acosh = _unary('acos', 'acos', FLOATING), _unary('acosh', 'acosh', FLOATING)
asin, asinh = _unary('asin', 'asin', FLOATING), _unary('asinh', 'asinh', FLOATING)
atan, atanh = _unary('atan', 'atan', FLOATING), _unary('atanh', 'atanh', FLOATING)
ceil = _unary('ceil', 'ceiling', REAL_NUMERIC, _same)
cos, cosh = _unary('cos', 'cosine', FLOATING), _unary('cosh', 'cosh', FLOATING)
exp, expm1 = _unary('exp', 'exp', FLOATING), _unary('expm1', 'expm1', FLOATING)
floor = _unary('floor', 'Floor', REAL_NUMERIC, _same)
isfinite = _unary('isfinite', 'is_finite', NUMERIC, _truth(True))
isinf = _unary('isinf', 'is_inf', NUMERIC, _truth(False))
isnan = _unary('isnan', 'is_nan', NUMERIC, _truth(False))
log, log1p = _unary('log', 'log', FLOATING), _unary('log1p', 'Log1p', FLOATING)
reciprocal = _unary('reciprocal', 'reciprocal', FLOATING)
round = _unary('round', 'rint', NUMERIC, _same)
sin, sinh = _unary('sin', 'sin', FLOATING), _unary('sinh', 'sinh', FLOATING)
sqrt = _unary('sqrt', 'sqrt', FLOATING)
square = _unary('square', 'square', NUMERIC)
tan, tanh = _unary('tan', 'tan', FLOATING), _unary('tanh', 'tanh', FLOATING)


def _binary(name, kind, compute):
    are_of, bits = _ndforge._are_of, bits_of(kind)

    def function(x1, x2, /):
        if are_of(x1, x2, bits):
            return compute(x1, x2)
        return compute(*promoted(x1, x2, name=name, kind=kind))

    return _named(function, name)


add = _binary('add', NUMERIC, operator.add)
subtract = _binary('subtract', NUMERIC, operator.sub)
multiply = _binary('multiply', NUMERIC, operator.mul)
divide = _binary('divide', FLOATING, operator.truediv)
pow = _binary('pow', NUMERIC, operator.pow)
equal = _binary('equal', None, operator.eq)
not_equal = _binary('not_equal', None, operator.ne)
less = _binary('less', REAL_NUMERIC, operator.lt)
less_equal = _binary('less_equal', REAL_NUMERIC, operator.le)
greater = _binary('greater', REAL_NUMERIC, operator.gt)
greater_equal = _binary('greater_equal', REAL_NUMERIC, operator.ge)
bitwise_and = _binary('bitwise_and', BITS, operator.and_)
bitwise_or = _binary('bitwise_or', BITS, operator.or_)
bitwise_xor = _binary('bitwise_xor', BITS, operator.xor)
bitwise_left_shift = _binary('bitwise_left_shift', INTEGRAL, operator.lshift)
bitwise_right_shift = _binary('bitwise_right_shift', INTEGRAL, operator.rshift)
logical_and = _binary('logical_and', 'bool', operator.and_)
logical_or = _binary('logical_or', 'bool', operator.or_)
logical_xor = _binary('logical_xor', 'bool', operator.xor)
atan2 = _binary('atan2', REAL, lambda a, b: _operation('atan2')(*_whole(b, a)))


def _whole(a, b):
    # The operation takes the quotient's parts in the other order.
    from ._manipulation import broadcast_arrays
    return [x.copy() for x in broadcast_arrays(a, b)]


def _floor_divide(a, b):
    result = a // b
    if not isdtype(a.dtype, REAL) or not isinf(b).any().item():
        return result
    # A finite number by an infinite one: 0, or -1 for other signs.
    apart = (a != 0) & ((a < 0) != (b < 0))
    return _where(isinf(b) & isfinite(a), _where(apart, creation.full((), -1, a.dtype), a / b), result)


def _remainder(a, b):
    result = a % b
    if not isdtype(a.dtype, REAL):
        return result
    apart = (a != 0) & ((a < 0) != (b < 0))
    # a + b, which is b where a is too small to change it
    result = _where(apart & (builtins.abs(a) < builtins.abs(b)), a + b, result)
    if isinf(b).any().item():
        result = _where(isinf(b) & isfinite(a), _where(apart, b, a), result)
    return _where(result == 0, copysign(result, b), result)


floor_divide, remainder = (_binary('floor_divide', REAL_NUMERIC, _floor_divide),
                           _binary('remainder', REAL_NUMERIC, _remainder))


def _extreme(name, operation):
    """NaN in one of the operands gives NaN."""
    def compute(a, b):
        # The operation gives the second operand where one is NaN. The first has to be looked at: the smaller one.
        if a.size > b.size:
            a, b = b, a
        result = _operation(operation)(a, b)
        return _where(a != a, a, result) if may_have_nan(a) else result

    return _binary(name, REAL_NUMERIC, compute)


def _where(condition, x, y):
    from ._searching import where
    return where(condition, x, y)


maximum, minimum = _extreme('maximum', 'maximum'), _extreme('minimum', 'minimum')


def abs(x, /):
    _check(x, 'abs', NUMERIC)
    return x.copy() if x.dtype.kind == 'u' else builtins.abs(x)


def conj(x, /):
    _check(x, 'conj', NUMERIC)
    return x.conj()


def real(x, /):
    _check(x, 'real', NUMERIC)
    return x.real.copy()


def imag(x, /):
    _check(x, 'imag', 'complex floating')
    return x.imag.copy()


def positive(x, /):
    _check(x, 'positive', NUMERIC)
    return x.copy()


def negative(x, /):
    _check(x, 'negative', NUMERIC)
    return -x


def logical_not(x, /):
    _check(x, 'logical_not', 'bool')
    return ~x


def bitwise_invert(x, /):
    _check(x, 'bitwise_invert', BITS)
    return ~x


def sign(x, /):
    _check(x, 'sign', NUMERIC)
    if x.dtype.kind == 'u':
        return (x != 0).astype(x.dtype)
    result = _operation('sign')(x)
    return _where(x != x, x, result) if may_have_nan(x) else result


def trunc(x, /):
    _check(x, 'trunc', REAL_NUMERIC)
    if not isdtype(x.dtype, REAL):
        return x.copy()
    return _operation('truncatediv')(x, creation.ones((), x.dtype)) if x.size else x.copy()


def log2(x, /):
    _check(x, 'log2', FLOATING)
    if x.dtype.kind == 'c':
        return of_parts(lambda part: part / 0.6931471805599453, log(x))
    result = log(x) / 0.6931471805599453
    # Powers of 2, whose digits behind the first are 0, have integers for logarithms; the quotient need not be one.
    digits = 2 ** (23 if x.dtype.itemsize == 4 else 52) - 1
    isPower = (_bits(x) & digits) == 0 if x.size else x == 0
    return _where(isPower, round(result), result) if isPower.any().item() else result


def log10(x, /):
    _check(x, 'log10', FLOATING)
    if x.dtype.kind == 'c':
        return of_parts(lambda part: part / 2.302585092994046, log(x))
    result = log(x) / 2.302585092994046
    # Powers of 10 have integers for logarithms; the quotient is off by up to two units in the last place.
    nearest, eps = round(result), 2.0 ** (-23 if x.dtype.itemsize == 4 else -52)
    return _where(builtins.abs(result - nearest) <= builtins.abs(nearest) * (2 * eps), nearest, result)


def _bits(x):
    """The bits of real numbers as integers."""
    return _operation('bitcast')(x, dtype=int32 if x.dtype.itemsize == 4 else int64)


def signbit(x, /):
    _check(x, 'signbit', REAL)
    return _bits(x) < 0 if x.size else creation.zeros(x.shape, bool_)


def copysign(x1, x2, /):
    a, b = promoted(x1, x2, name='copysign', kind=REAL)
    magnitude = builtins.abs(a)
    return _where(signbit(b), -magnitude, magnitude)


def nextafter(x1, x2, /):
    a, b = promoted(x1, x2, name='nextafter', kind=REAL)
    from ._manipulation import broadcast_arrays
    a, b = (x.copy() for x in broadcast_arrays(a, b))
    if a.size == 0:
        return a
    bits = _bits(a)
    # Larger magnitudes have larger bits; on the way from 0 to below, the sign comes in.
    outwards = (b > a) == (a > 0)
    stepped = bits + _where(outwards, creation.full((), 1, bits.dtype), creation.full((), -1, bits.dtype))
    smallest = creation.full((), 1, bits.dtype)
    lowest = creation.full((), -2 ** (8 * bits.dtype.itemsize - 1) + 1, bits.dtype)
    stepped = _where(a == 0, _where(b > 0, smallest, lowest), stepped)
    result = _operation('bitcast')(stepped, dtype=a.dtype)
    return _where((a != a) | (b != b), a + b, _where(a == b, b, result))


def hypot(x1, x2, /):
    a, b = promoted(x1, x2, name='hypot', kind=REAL)
    a, b = builtins.abs(a), builtins.abs(b)
    large, small = maximum(a, b), minimum(a, b)
    ratio = _where(large == 0, large, small / _where(large == 0, creation.ones((), large.dtype), large))
    result = large * sqrt(1 + ratio * ratio)
    return _where((a == inf) | (b == inf), creation.full((), inf, large.dtype), result)


def logaddexp(x1, x2, /):
    a, b = promoted(x1, x2, name='logaddexp', kind=REAL)
    large = maximum(a, b)
    result = large + log1p(exp(-builtins.abs(a - b)))
    return _where(a == b, a + 0.6931471805599453, result)  # the difference of infinities is NaN


def clip(x, /, min=None, max=None):
    _check(x, 'clip', REAL_NUMERIC)
    if x.dtype.kind == 'f' and x.size and all(isinstance(limit, (int, float)) and limit == limit for limit in (min, max)):
        return _operation('clipbyvalue')(x, min=min, max=max)
    result = x
    for limit, bound in ((min, maximum), (max, minimum)):
        if limit is not None:
            limit = creation.asarray(limit).astype(x.dtype) if not hasattr(limit, 'dtype') else limit.astype(x.dtype)
            result = bound(result, limit)
    return result.copy() if result is x else result
