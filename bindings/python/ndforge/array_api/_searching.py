"""Functions that search, sort, and pick elements; sets."""

from collections import namedtuple

from .. import _creation as creation, asarray, bool_, int64
from .._library import operation as _function
from .._methods import _reduce, _truths
from ._dtypes import REAL_NUMERIC, isdtype, may_have_nan, promoted
from ._manipulation import _axes, broadcast_arrays


def where(condition, x1, x2, /):
    if condition.dtype != bool_:
        raise TypeError(f'[where] the condition has type {condition.dtype.name}, not bool')
    a, b = promoted(x1, x2, name='where')
    if not condition.shape == a.shape == b.shape:
        condition, a, b = (x.copy() for x in broadcast_arrays(condition, a, b))
    return _function('select')(condition, a, b) if a.size else a


def _ordered(x, name, kind=REAL_NUMERIC):
    if not isdtype(x.dtype, kind):
        raise TypeError(f'[{name}] elements of type {x.dtype.name} are not accepted')


def _extreme(name):
    def function(x, /, *, axis=None, keepdims=False):
        _ordered(x, name)
        # Positions of NaN count, which the operation passes by.
        if may_have_nan(x):
            missing = x != x
            if missing.any().item():
                found = _position(missing.astype('int8'), 'argmax', axis, keepdims)
                return where(missing.any(axis=axis, keepdims=keepdims), found, _position(x, name, axis, keepdims))
        return _position(x, name, axis, keepdims)

    function.__name__ = function.__qualname__ = name
    return function


def _position(x, name, axis, keepdims):
    return getattr(x, name)(axis=axis, keepdims=keepdims)


argmax, argmin = _extreme('argmax'), _extreme('argmin')


def nonzero(x, /):
    if x.ndim == 0:
        raise ValueError('[nonzero] an array without dimensions has no positions')
    x = x != 0 if x.dtype.kind == 'c' else x
    places = _function('Where')(x) if x.size else creation.zeros((0, x.ndim), int64)
    if places.size == 0:
        places = creation.zeros((0, x.ndim), int64)
    return tuple(places[:, d].copy() for d in range(x.ndim))


def count_nonzero(x, /, *, axis=None, keepdims=False):
    if not x.size:
        return x.astype(int64).sum(axis=axis, keepdims=keepdims)
    return _reduce(_truths(x), 'count_non_zero', axis, keepdims)


def searchsorted(x1, x2, /, *, side='left', sorter=None):
    if side not in ('left', 'right'):
        raise ValueError(f"[searchsorted] side: {side!r} is neither 'left' nor 'right'")
    a, b = promoted(x1, x2, name='searchsorted', kind=REAL_NUMERIC)
    if sorter is not None:
        a = take(a, sorter)
    if b.size == 0 or a.size == 0:
        return creation.zeros(b.shape, int64)
    return _function('searchsorted')(a, b, right=side == 'right')


def sort(x, /, *, axis=-1, descending=False, stable=True):
    _ordered(x, 'sort', ('bool', *REAL_NUMERIC))
    (axis,) = _axes(axis, x.ndim, 'sort')
    return _function('sort')(x, axis=axis, descending=descending) if x.size else x.copy()


def argsort(x, /, *, axis=-1, descending=False, stable=True):
    _ordered(x, 'argsort', ('bool', *REAL_NUMERIC))
    (axis,) = _axes(axis, x.ndim, 'argsort')
    return _function('argsort')(x, axis=axis, descending=descending) if x.size else creation.zeros(x.shape, int64)


def take(x, indices, /, *, axis=None):
    if axis is None:
        if x.ndim != 1:
            raise ValueError('[take] an axis is needed for an array of several dimensions')
        axis = 0
    (axis,) = _axes(axis, x.ndim, 'take')
    return x[(slice(None),) * axis + (asarray(indices, int64),)]


def take_along_axis(x, indices, /, *, axis=-1):
    (axis,) = _axes(axis, x.ndim, 'take_along_axis')
    return _function('take_along_axis')(x, indices, axis=axis)


def isin(x1, x2, /, *, invert=False):
    """Whether each element of x1 is among those of x2."""
    a, b = promoted(x1, x2, name='isin')
    if a.size == 0 or b.size == 0:
        return creation.full(a.shape, invert, bool_)
    if a.dtype.kind == 'c':
        found = (a.reshape((*a.shape, 1)) == b.reshape(-1)).any(axis=-1)
        return ~found if invert else found
    row = sort(b.reshape(-1))
    places = _function('searchsorted')(row, a)
    found = row[where(places < row.size, places, creation.full((), row.size - 1, int64))] == a
    return ~found if invert else found


_All = namedtuple('unique_all_result', 'values indices inverse_indices counts')
_Counts = namedtuple('unique_counts_result', 'values counts')
_Inverse = namedtuple('unique_inverse_result', 'values inverse_indices')


def _order(flat):
    """Positions in the order of the elements; complex numbers in that of their real parts, then of their imaginary ones."""
    if flat.dtype.kind != 'c':
        return argsort(flat)
    order = argsort(flat.imag.copy())
    return order[argsort(flat.real[order])]


def unique_all(x, /):
    """The different values in ascending order, where each of them is first, which of them each element is, how many there
    are of each. NaN differs from every NaN."""
    flat = x.reshape(-1)
    if flat.size == 0:
        none = creation.zeros(0, int64)
        return _All(flat.copy(), none, none.reshape(x.shape), none)
    order = _order(flat)
    ordered = flat[order]
    begins = creation.ones(flat.size, bool_)
    begins[1:] = ordered[1:] != ordered[:-1]
    starts = nonzero(begins)[0]
    counts = creation.zeros(starts.size, int64)
    counts[:-1] = starts[1:] - starts[:-1]
    counts[-1] = flat.size - starts[-1]
    inverse = creation.zeros(flat.size, int64)
    inverse[order] = begins.astype(int64).cumsum() - 1
    return _All(ordered[starts], order[starts], inverse.reshape(x.shape), counts)


def unique_counts(x, /):
    found = unique_all(x)
    return _Counts(found.values, found.counts)


def unique_inverse(x, /):
    found = unique_all(x)
    return _Inverse(found.values, found.inverse_indices)


def unique_values(x, /):
    if x.dtype.kind == 'c' or x.size == 0:
        return unique_all(x).values
    ordered = sort(x.reshape(-1))
    begins = creation.ones(ordered.size, bool_)
    begins[1:] = ordered[1:] != ordered[:-1]
    return ordered[begins]
