"""Functions that NumPy has beside those of the array API standard, made of the others."""

import functools

from ._ndforge import asarray, float64, result_type


def _standard():
    from . import array_api
    return array_api


def _real(x):
    return x if _standard().isdtype(x.dtype, ('real floating', 'complex floating')) else x.astype(float64)


def _alike(arrays):
    """The arrays in their common type, which the standard has only for types of one kind."""
    arrays = [asarray(x) for x in arrays]
    if not arrays:
        return arrays
    common = functools.reduce(result_type, (x.dtype for x in arrays))
    return [x if x.dtype == common else x.astype(common) for x in arrays]


def _joined(arrays, axis=0):
    return _standard().concat(_alike(arrays), axis=axis)


def dot(x, y):
    """The product of a number with an array, the sum of the products of two vectors, or the product of matrices. Of other arrays,
    the last axis of x is summed with the last but one of y."""
    x, y = asarray(x), asarray(y)
    if x.ndim == 0 or y.ndim == 0:
        return x * y
    if x.ndim <= 2 and y.ndim <= 2:
        return x @ y
    return _standard().tensordot(*_alike([x, y]), axes=([x.ndim - 1], [max(0, y.ndim - 2)]))


def inner(x, y):
    """The sums of the products over the last axes of both."""
    x, y = asarray(x), asarray(y)
    if x.ndim == 0 or y.ndim == 0:
        return x * y
    return _standard().tensordot(*_alike([x, y]), axes=([x.ndim - 1], [y.ndim - 1]))


def outer(x, y):
    """The products of all elements of x with all of y: a matrix with a row for each element of x."""
    return asarray(x).reshape(-1, 1) * asarray(y).reshape(1, -1)


def atleast_1d(x):
    """x, or an array of one element for a number."""
    x = asarray(x)
    return x.reshape(1) if x.ndim == 0 else x


def atleast_2d(x):
    """x, or a matrix of one row for a vector or a number."""
    x = asarray(x)
    return x.reshape(1, -1) if x.ndim < 2 else x


def vstack(arrays):
    """Arrays one above the other. Vectors become rows."""
    return _joined([atleast_2d(x) for x in arrays])


def hstack(arrays):
    """Arrays side by side: along the second axis, vectors along their only one."""
    arrays = [atleast_1d(x) for x in arrays]
    return _joined(arrays, 0 if all(x.ndim == 1 for x in arrays) else 1)


def column_stack(arrays):
    """Arrays side by side as the columns of a matrix. Vectors become columns."""
    arrays = [asarray(x) for x in arrays]
    return _joined([x.reshape(-1, 1) if x.ndim < 2 else x for x in arrays], 1)


def append(x, values, axis=None):
    """A copy of x with the values behind it, along an axis or as one sequence."""
    x, values = asarray(x), asarray(values)
    if axis is None:
        return _joined([x.reshape(-1), values.reshape(-1)])
    return _joined([x, values], axis)


def swapaxes(x, axis1, axis2):
    """The view in which two axes are exchanged."""
    x = asarray(x)
    order = list(range(x.ndim))
    for axis in (axis1, axis2):
        if not -x.ndim <= axis < x.ndim:
            raise ValueError(f'[swapaxes] axis {axis} is outside -{x.ndim}..{x.ndim - 1}')
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return x.transpose(*order)


def flipud(x):
    """The view whose first axis is reversed."""
    return asarray(x)[::-1]


def fliplr(x):
    """The view whose second axis is reversed."""
    return asarray(x)[:, ::-1]


def ptp(x, axis=None):
    """The largest less the least element, of the whole array or along an axis."""
    x = asarray(x)
    if axis is None:
        return x.max() - x.min()
    return x.max(axis) - x.min(axis)


def isclose(x, y, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Whether elements differ by at most atol + rtol |y|. NaN are close to NaN only with equal_nan, infinities to themselves."""
    xp = _standard()
    x, y = _real(asarray(x)), _real(asarray(y))
    near = (xp.abs(x - y) <= atol + rtol * xp.abs(y)) & xp.isfinite(y) & xp.isfinite(x)
    near = near | (x == y)
    return near | ((x != x) & (y != y)) if equal_nan else near


def allclose(x, y, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Whether all elements are close, as isclose says."""
    return bool(isclose(x, y, rtol, atol, equal_nan).all())


def array_equal(x, y):
    """Whether both have one shape and equal elements."""
    x, y = asarray(x), asarray(y)
    return x.shape == y.shape and bool((x == y).all())
