"""Functions of complex numbers z = x + iy, from functions of real ones.

The inverse functions and the square root are those of Kahan, "Branch cuts for complex elementary functions", 1987.
"""

from .. import _creation as creation
from .._complex import joined
from . import _elementwise as real
from ._searching import where


def _times_i(z):
    return joined(-z.imag, z.real)


def _over_i(z):
    return joined(z.imag, -z.real)


def _plus(z, number):
    """Leaves zeros of the imaginary part their sign, which says on which side of a cut they are."""
    return joined(z.real + number, z.imag)


def _atan2(y, x):
    return real.atan2(y, x)


def _zero(x):
    return creation.zeros((), x.dtype)


def isnan(z):
    return real.isnan(z.real) | real.isnan(z.imag)


def isinf(z):
    return real.isinf(z.real) | real.isinf(z.imag)


def isfinite(z):
    return real.isfinite(z.real) & real.isfinite(z.imag)


def round(z):
    return joined(real.round(z.real), real.round(z.imag))


def square(z):
    return z * z


def reciprocal(z):
    return 1 / z


def sign(z):
    size = abs(z)
    isZero = size == 0
    return where(isZero, z, z / joined(where(isZero, size + 1, size), size * 0))


def exp(z):
    size, y = real.exp(z.real), z.imag
    return joined(size * real.cos(y), where(y == 0, y, size * real.sin(y)))


def expm1(z):
    x, y = z.real, z.imag
    half = real.sin(y / 2)
    return joined(real.expm1(x) * real.cos(y) - 2 * half * half, where(y == 0, y, real.exp(x) * real.sin(y)))


def log(z):
    return joined(real.log(abs(z)), _atan2(z.imag, z.real))


def log1p(z):
    x, y = z.real, z.imag
    # Where |1 + z| is far from 1 its logarithm is exact enough, and (2 + x) x + y y may overflow.
    isSmall = abs(x) + abs(y) < 0.5
    near = real.log1p(where(isSmall, (2 + x) * x + y * y, _zero(x))) / 2
    return joined(where(isSmall, near, real.log(abs(z + 1))), _atan2(y, 1 + x))


def sqrt(z):
    x, y = z.real, z.imag
    larger = real.sqrt((abs(z) + abs(x)) / 2)
    smaller = where(larger == 0, _zero(x), abs(y) / where(larger == 0, larger + 1, 2 * larger))
    return joined(where(x >= 0, larger, smaller), real.copysign(where(x >= 0, smaller, larger), y))


def sin(z):
    return joined(real.sin(z.real) * real.cosh(z.imag), real.cos(z.real) * real.sinh(z.imag))


def cos(z):
    return joined(real.cos(z.real) * real.cosh(z.imag), -(real.sin(z.real) * real.sinh(z.imag)))


def sinh(z):
    return joined(real.sinh(z.real) * real.cos(z.imag), real.cosh(z.real) * real.sin(z.imag))


def cosh(z):
    return joined(real.cosh(z.real) * real.cos(z.imag), real.sinh(z.real) * real.sin(z.imag))


def tanh(z):
    x, y = z.real, z.imag
    isLarge = abs(x) > 20  # where the tangent is 1 or -1, but its parts overflow
    bounded = where(isLarge, _zero(x), x)
    s, c = real.sinh(bounded), real.cos(y)
    divisor = s * s + c * c
    return joined(where(isLarge, real.sign(x), s * real.cosh(bounded) / divisor),
                  where(isLarge, 4 * real.sin(y) * c * real.exp(-2 * abs(x)), real.sin(y) * c / divisor))


def tan(z):
    return _over_i(tanh(_times_i(z)))


def acos(z):
    a, b = sqrt(_plus(-z, 1)), sqrt(_plus(z, 1))
    return joined(2 * _atan2(a.real, b.real), real.asinh((b.conj() * a).imag))


def acosh(z):
    a, b = sqrt(_plus(z, -1)), sqrt(_plus(z, 1))
    return joined(real.asinh((a.conj() * b).real), 2 * _atan2(a.imag, b.real))


def asin(z):
    a, b = sqrt(_plus(-z, 1)), sqrt(_plus(z, 1))
    return joined(_atan2(z.real, (a * b).real), real.asinh((a.conj() * b).imag))


def asinh(z):
    return _over_i(asin(_times_i(z)))


def atanh(z):
    x, y = abs(z.real), z.imag  # it is odd in x
    size = real.log1p(4 * x / ((1 - x) * (1 - x) + y * y)) / 4
    return joined(real.copysign(size, z.real), _atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2)


def atan(z):
    return _over_i(atanh(_times_i(z)))


def pow(a, b):
    isZero = a == 0
    result = exp(b * log(where(isZero, creation.ones((), a.dtype), a)))
    nan = creation.full((), complex('nan+nanj'), a.dtype)
    ofZero = where(b == 0, creation.ones((), a.dtype), where(b.real > 0, _zero(a), nan))
    return where(isZero, ofZero, result)
