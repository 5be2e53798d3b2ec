"""The choice between the elements of two arrays."""

from . import _ndforge
from ._ndforge import NDArray, Symbol, asarray, bool_, result_type

_select = _ndforge.function('select')


def _met(x, y):
    """The type in which x and y meet, as with operators: numbers take the type of arrays that can hold them."""
    if not isinstance(x, NDArray):
        x, y = y, x
    if not isinstance(x, NDArray):
        x = asarray(x)
    if isinstance(y, NDArray):
        return x.dtype if x.dtype == y.dtype else result_type(x.dtype, y.dtype)
    if isinstance(y, bool):
        return x.dtype
    return (_ndforge._empty([0], x.dtype) + y).dtype


def where(condition, x=None, y=None):
    """Elements of x where the condition is not 0, and of y elsewhere. All three broadcast, and x and y meet in their common type.

    Without x and y: the coordinates where the condition is not 0, an array for each dimension.
    """
    if any(isinstance(value, Symbol) for value in (condition, x, y)):
        return _select(condition, x, y)
    if (x is None) != (y is None):
        raise TypeError("[where] 'x' and 'y' are given together")
    from . import array_api
    condition = asarray(condition)
    if x is None:
        return array_api.nonzero(condition)
    if condition.dtype != bool_:
        condition = condition != 0
    x, y = (value if isinstance(value, (bool, int, float, complex)) else asarray(value) for value in (x, y))
    common = _met(x, y)
    values = [asarray(value, common) for value in (x, y)]
    if not all(value.shape == condition.shape for value in values):
        condition, *values = (value.copy() for value in array_api.broadcast_arrays(condition, *values))
    return _select(condition, *values) if condition.size else values[0].copy()
