"""Functions that make arrays, and files of arrays."""

import math as _math
import os as _os

from . import _ndforge
from ._ndforge import asarray, complex128, float64, int64

newaxis = None
e, inf, nan, pi = _math.e, _math.inf, _math.nan, _math.pi


def _sizes(shape):
    return [shape] if hasattr(shape, '__index__') else list(shape)


def empty(shape, dtype=float64):
    """An array whose elements have no particular values; they are 0."""
    return _ndforge._empty(_sizes(shape), dtype)


def zeros(shape, dtype=float64):
    """An array of zeros."""
    return _ndforge._empty(_sizes(shape), dtype)


def full(shape, value, dtype=None):
    """An array whose elements all have this value; without a dtype, its type."""
    if asarray(value).dtype.kind == 'U':
        return _ndforge._broadcast(asarray(value, dtype), _sizes(shape))
    result = _ndforge._empty(_sizes(shape), dtype if dtype is not None else asarray(value).dtype)
    result[...] = value
    return result


def ones(shape, dtype=float64):
    """An array of ones."""
    return full(shape, 1, dtype)


def empty_like(x, dtype=None):
    """An array of the shape and type of x; its elements are 0."""
    return zeros_like(x, dtype)


def zeros_like(x, dtype=None):
    """Zeros in the shape and type of x."""
    x = asarray(x)
    return zeros(x.shape, dtype or x.dtype)


def ones_like(x, dtype=None):
    """Ones in the shape and type of x."""
    x = asarray(x)
    return ones(x.shape, dtype or x.dtype)


def full_like(x, value, dtype=None):
    """An array of the shape and type of x, whose elements all have this value."""
    x = asarray(x)
    return full(x.shape, value, dtype or x.dtype)


def arange(start, stop=None, step=1, dtype=None):
    """The numbers start, start + step, … before stop; arange(n) begins with 0."""
    if stop is None:
        start, stop = 0, start
    if step == 0:
        raise ValueError('[arange] the step is 0')
    isReal = any(isinstance(value, float) for value in (start, stop, step))
    count = max(0, _math.ceil((stop - start) / step))
    if dtype is None:
        dtype = float64 if isReal else int64
    if count == 0:
        return zeros(0, dtype)
    kind = float64 if isReal else int64
    steps = _ndforge.function('range')(start=0, limit=count, delta=1, dtype=kind)
    return (steps * step + start).astype(dtype)


def linspace(start, stop, count=50, *, endpoint=True, dtype=None):
    """count numbers at equal distances from start to stop, the last of which is left out without endpoint; float64 unless a
    dtype is given or start or stop is complex."""
    if count < 0:
        raise ValueError(f'[linspace] count {count} is below 0')
    if dtype is None:
        dtype = complex128 if isinstance(start, complex) or isinstance(stop, complex) else float64
    parts = count - 1 if endpoint else count
    result = arange(count, dtype=float64)
    if parts > 0:
        result = result * ((stop - start) / parts)
    result = result + start
    if endpoint and count > 1:
        result[-1] = stop
    return result.astype(dtype)


def eye(rows, columns=None, *, k=0, dtype=float64):
    """Ones on a diagonal, k columns to the right of the main one, and zeros elsewhere."""
    columns = rows if columns is None else columns
    result = zeros((rows, columns), dtype)
    length = min(rows, columns - k) if k >= 0 else min(rows + k, columns)
    if length > 0:
        first = k if k >= 0 else -k * columns
        result.reshape(-1)[first:first + (length - 1) * (columns + 1) + 1:columns + 1] = 1
    return result


def save(file, *arrays, **named):
    """Writes an array into a .npy file, or several into a .npz file by their names."""
    _ndforge._save(_os.fspath(file), [(f'arr_{i}', asarray(x)) for i, x in enumerate(arrays)] +
                   [(name, asarray(x)) for name, x in named.items()])


def load(file):
    """Reads a .npy file into an array, a .npz file into a dictionary of arrays. Any other file is a library of operations,
    such as libmyops.so, which become functions of this module."""
    name = _os.fspath(file)
    if name.endswith('.npy'):
        return _ndforge._load(name)[0][1]
    if name.endswith('.npz'):
        return dict(_ndforge._load(name))
    return _ndforge._load_operations(name)
