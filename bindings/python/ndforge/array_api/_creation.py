"""Functions that make arrays."""

import builtins

from .. import NDArray, _creation as creation, _ndforge, bool_, complex128, float64, int64
from ._dtypes import NUMBERS, check_device


def _default(dtype, device):
    check_device(device)
    return float64 if dtype is None else dtype


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    check_device(device)
    if copy is False and not isinstance(obj, NDArray) and isinstance(obj, (*NUMBERS, list, tuple)):
        raise ValueError('[asarray] Python values cannot become an array without a copy')
    if copy:
        return _ndforge.array(obj, dtype)
    return _ndforge.array(obj, dtype, copy=copy) if copy is False else _ndforge.asarray(obj, dtype)


def from_dlpack(x, /, *, device=None, copy=None):
    check_device(device)
    result = _ndforge.from_dlpack(x)
    return result.copy() if copy else result


def arange(start, /, stop=None, step=1, *, dtype=None, device=None):
    check_device(device)
    return creation.arange(start, stop, step, dtype)


def linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True):
    check_device(device)
    return creation.linspace(start, stop, num, endpoint=endpoint, dtype=dtype)


def empty(shape, *, dtype=None, device=None):
    return creation.zeros(shape, _default(dtype, device))


def zeros(shape, *, dtype=None, device=None):
    return creation.zeros(shape, _default(dtype, device))


def ones(shape, *, dtype=None, device=None):
    return creation.ones(shape, _default(dtype, device))


def full(shape, fill_value, *, dtype=None, device=None):
    check_device(device)
    if dtype is None and not isinstance(fill_value, NDArray):
        kinds = ((builtins.bool, bool_), (int, int64), (complex, complex128))
        dtype = next((dtype for kind, dtype in kinds if isinstance(fill_value, kind)), float64)
    return creation.full(shape, fill_value, dtype)


def empty_like(x, /, *, dtype=None, device=None):
    return zeros_like(x, dtype=dtype, device=device)


def zeros_like(x, /, *, dtype=None, device=None):
    check_device(device)
    return creation.zeros_like(x, dtype)


def ones_like(x, /, *, dtype=None, device=None):
    check_device(device)
    return creation.ones_like(x, dtype)


def full_like(x, /, fill_value, *, dtype=None, device=None):
    check_device(device)
    return creation.full_like(x, fill_value, dtype)


def eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None):
    return creation.eye(n_rows, n_cols, k=k, dtype=_default(dtype, device))


def meshgrid(*arrays, indexing='xy'):
    from ._manipulation import broadcast_to
    if indexing not in ('xy', 'ij'):
        raise ValueError(f"[meshgrid] indexing: {indexing!r} is neither 'xy' nor 'ij'")
    for array in arrays:
        if array.ndim != 1:
            raise ValueError(f'[meshgrid] arrays have one dimension, not shape {array.shape}')
    order = list(range(len(arrays)))
    if indexing == 'xy' and len(arrays) > 1:
        order[:2] = [1, 0]
    shape = [0] * len(arrays)
    for axis, array in zip(order, arrays):
        shape[axis] = array.shape[0]
    grids = []
    for axis, array in zip(order, arrays):
        grids.append(broadcast_to(array.reshape([-1 if d == axis else 1 for d in range(len(arrays))]) if array.size else
                                  array.reshape([0 if d == axis else 1 for d in range(len(arrays))]), shape).copy())
    return grids


def _triangle(x, k, lower):
    if x.ndim < 2:
        raise ValueError(f'[{"tril" if lower else "triu"}] a matrix is needed, not shape {x.shape}')
    rows = creation.arange(x.shape[-2]).reshape(-1, 1) if x.shape[-2] else creation.zeros((0, 1), int64)
    columns = creation.arange(x.shape[-1])
    inside = columns - rows <= k if lower else columns - rows >= k
    from ._searching import where
    return where(inside, x, creation.zeros((), x.dtype))


def tril(x, /, *, k=0):
    return _triangle(x, k, True)


def triu(x, /, *, k=0):
    return _triangle(x, k, False)
