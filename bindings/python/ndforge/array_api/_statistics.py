"""Functions of all elements, or of those along axes."""

from .. import _creation as creation, int64, uint64
from ._dtypes import FLOATING, REAL_NUMERIC, isdtype, may_have_nan
from ._manipulation import _axes, concat


def _check(x, name, kind='numeric'):
    if not isdtype(x.dtype, kind):
        raise TypeError(f'[{name}] elements of type {x.dtype.name} are not accepted')


def _total(x, dtype):
    """The type of sums and products."""
    if dtype is not None:
        return dtype
    if isdtype(x.dtype, FLOATING):
        return x.dtype
    return uint64 if isdtype(x.dtype, 'unsigned integer') else int64


def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    _check(x, 'sum')
    return x.sum(axis=axis, dtype=_total(x, dtype), keepdims=keepdims)


def prod(x, /, *, axis=None, dtype=None, keepdims=False):
    _check(x, 'prod')
    return x.prod(axis=axis, dtype=_total(x, dtype), keepdims=keepdims)


def mean(x, /, *, axis=None, keepdims=False):
    _check(x, 'mean', FLOATING)
    return x.mean(axis=axis, keepdims=keepdims)


def _extreme(name):
    def function(x, /, *, axis=None, keepdims=False):
        _check(x, name, REAL_NUMERIC)
        result = getattr(x, name)(axis=axis, keepdims=keepdims)
        if may_have_nan(x):
            missing = (x != x).any(axis=axis, keepdims=keepdims)
            if missing.any().item():
                from ._searching import where
                return where(missing, creation.full((), float('nan'), x.dtype), result)
        return result

    function.__name__ = function.__qualname__ = name
    return function


max, min = _extreme('max'), _extreme('min')


def var(x, /, *, axis=None, correction=0.0, keepdims=False):
    _check(x, 'var', 'real floating')
    return x.var(axis=axis, ddof=correction, keepdims=keepdims)


def std(x, /, *, axis=None, correction=0.0, keepdims=False):
    _check(x, 'std', 'real floating')
    return x.std(axis=axis, ddof=correction, keepdims=keepdims)


def all(x, /, *, axis=None, keepdims=False):
    return x.all(axis=axis, keepdims=keepdims)


def any(x, /, *, axis=None, keepdims=False):
    return x.any(axis=axis, keepdims=keepdims)


def _running(name, method, start):
    def function(x, /, *, axis=None, dtype=None, include_initial=False):
        _check(x, name)
        if axis is None:
            if x.ndim > 1:
                raise ValueError(f'[{name}] an axis is needed for an array of several dimensions')
            axis = 0
        (axis,) = _axes(axis, x.ndim, name)
        x = x.astype(_total(x, dtype))
        result = getattr(x, method)(axis=axis) if x.size else x
        if not include_initial:
            return result
        first = list(x.shape)
        first[axis] = 1
        return concat([creation.full(first, start, x.dtype), result], axis=axis)

    function.__name__ = function.__qualname__ = name
    return function


cumulative_sum, cumulative_prod = _running('cumulative_sum', 'cumsum', 0), _running('cumulative_prod', 'cumprod', 1)


def diff(x, /, *, axis=-1, n=1, prepend=None, append=None):
    _check(x, 'diff')
    (axis,) = _axes(axis, x.ndim, 'diff')
    parts = [part for part in (prepend, x, append) if part is not None]
    x = concat(parts, axis=axis) if len(parts) > 1 else x
    for _ in range(n):
        head = (slice(None),) * axis
        x = x[head + (slice(1, None),)] - x[head + (slice(None, -1),)] if x.shape[axis] else x
    return x
