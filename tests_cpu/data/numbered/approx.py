"""Running error analysis: a value in extended precision with a bound on a kernel's error.

Each step of a formula adds the error of one rounding in the compute type, or of a function that is accurate to 4 ulp;
errors of the operands are propagated. The bound is what the formula can guarantee: it grows where the formula cancels,
and nowhere else.
"""
import numpy as np

from element import LD


class Format:
    """The float type in which a kernel computes."""

    def __init__(self, dtype):
        info = np.finfo(dtype)
        self.dtype = dtype
        self.unit = LD(info.eps) / 2
        self.tiny = LD(info.tiny)  # a step may lose what is below the smallest normal number
        self.max = LD(info.max)

    def clamp(self, v):
        return np.where(np.abs(v) > self.max, np.copysign(LD("inf"), v), v)


class Approx:
    def __init__(self, fmt, v, e=None):
        with np.errstate(all="ignore"):
            self.fmt = fmt
            self.v = fmt.clamp(np.asarray(v, dtype=LD))
            self.e = np.zeros(self.v.shape, dtype=LD) if e is None else np.broadcast_to(e, self.v.shape)

    @staticmethod
    def of(fmt, values):
        """Input values. Those that the compute type cannot represent (wide integers) are rounded once."""
        with np.errstate(all="ignore"):
            v = np.array([LD(int(x)) if isinstance(x, int) else LD(x) for x in np.ravel(values)], dtype=LD)
            rounded = v.astype(fmt.dtype).astype(LD)
            return Approx(fmt, v, np.where((rounded == v) | ~np.isfinite(v), LD(0), np.abs(v) * fmt.unit))

    def _lift(self, other):
        if isinstance(other, Approx):
            return other
        c = LD(other)
        exact = c.astype(self.fmt.dtype).astype(LD) == c
        return Approx(self.fmt, np.full(self.v.shape, c), LD(0) if exact else abs(c) * self.fmt.unit)

    def _rounded(self, v, e):
        return Approx(self.fmt, v, e + np.abs(np.where(np.isfinite(v), v, LD(0))) * self.fmt.unit)

    def __add__(self, other):
        b = self._lift(other)
        with np.errstate(all="ignore"):
            return self._rounded(self.v + b.v, self.e + b.e)

    def __neg__(self):
        return Approx(self.fmt, -self.v, self.e)

    def __sub__(self, other):
        return self + (-self._lift(other))

    def __rsub__(self, other):
        return self._lift(other) - self

    def __mul__(self, other):
        b = self._lift(other)
        with np.errstate(all="ignore"):
            e = np.abs(self.v) * b.e + np.abs(b.v) * self.e + self.e * b.e + self.fmt.tiny
            return self._rounded(self.v * b.v, e)

    def __truediv__(self, other):
        b = self._lift(other)
        with np.errstate(all="ignore"):
            v = self.v / b.v
            room = np.maximum(np.abs(b.v) - b.e, LD(0))
            e = np.where(self.e + np.abs(v) * b.e == 0, LD(0), (self.e + np.abs(v) * b.e) / room) + self.fmt.tiny
            return self._rounded(v, e)

    def __rtruediv__(self, other):
        return self._lift(other) / self

    __radd__ = __add__
    __rmul__ = __mul__

    def fn(self, f, ulps=4, saturates=False):
        """A monotonic (or nearly linear on the error's scale) function that a kernel computes to `ulps`.

        `saturates`: a sigmoid or tanh, which may return exactly 1 (or -1) where the true value clearly rounds to it,
        and has no other error there.
        """
        with np.errstate(all="ignore"):
            v = f(self.v)
            spread = np.fmax(np.abs(f(self.v + self.e) - v), np.abs(f(self.v - self.e) - v))
            spread = np.where(self.e == 0, LD(0), spread)
            scale = np.abs(np.where(np.isfinite(v), v, LD(0)))
            e = spread + 2 * ulps * self.fmt.unit * scale + self.fmt.tiny
            if saturates:
                full = np.abs(np.abs(v) - 1) < self.fmt.unit / 1024
                e = np.where(full, np.abs(np.abs(v) - 1), e)
            return Approx(self.fmt, v, e)

    def abs(self):
        return Approx(self.fmt, np.abs(self.v), self.e)

    def power(self, exponent):
        with np.errstate(all="ignore"):
            b = self._lift(exponent)
            v = np.power(self.v, b.v)
            ends = [
                np.where((self.e == 0) & (b.e == 0), LD(0), np.abs(np.power(self.v + i * self.e, b.v + j * b.e) - v))
                for i in (-1, 1)
                for j in (-1, 1)
            ]
            spread = np.fmax.reduce(ends)
            scale = np.abs(np.where(np.isfinite(v), v, LD(0)))
            return Approx(self.fmt, v, np.where(np.isnan(spread), 0, spread) + 8 * self.fmt.unit * scale + self.fmt.tiny)

    def sum(self):
        """A blocked sum: about 32 sequential additions, then a tree."""
        with np.errstate(all="ignore"):
            n = max(len(self.v), 1)
            depth = min(n, 32 + int(np.ceil(np.log2(n))))
            finite = np.where(np.isfinite(self.v), np.abs(self.v), LD(0))
            return Approx(self.fmt, np.array([self.v.sum()]), np.array([self.e.sum() + depth * self.fmt.unit * finite.sum()]))


def where(mask, a, b):
    a, b = (a if isinstance(a, Approx) else b._lift(a)), (b if isinstance(b, Approx) else a._lift(b))
    return Approx(a.fmt, np.where(mask, a.v, b.v), np.where(mask, a.e, b.e))
