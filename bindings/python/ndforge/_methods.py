"""Methods of arrays that are written in Python."""

from . import _complex, _ndforge, _printing
from ._creation import arange, empty
from ._library import operation as _function
from ._ndforge import NDArray, _max, _mean, _min, _prod, _sum, asarray, float64, int64


def _axes(x, axis):
    """The axes as a list without negative ones; all of them for None."""
    if axis is None:
        return list(range(x.ndim))
    axes = []
    for one in ([axis] if hasattr(axis, '__index__') else axis):
        if not -x.ndim <= one < x.ndim:
            raise IndexError(f'axis {one} is outside {-x.ndim}..{x.ndim - 1}')
        axes.append(one % x.ndim)
    if len(set(axes)) != len(axes):
        raise ValueError(f'an axis is given twice: {axis}')
    return axes


def _reduced_shape(x, axes, keepdims):
    return [1 if d in axes else size for d, size in enumerate(x.shape) if keepdims or d not in axes]


def _reduce(x, operation, axis, keepdims):
    """A reduction. Without axes there is nothing to reduce."""
    axes = _axes(x, axis)
    if not axes:
        x = x.reshape((*x.shape, 1))
        return _function(operation)(x, axis=[x.ndim - 1])
    result = _function(operation)(x, axis=axes, keep_dims=bool(keepdims))
    shape = _reduced_shape(x, axes, keepdims)
    return result if list(result.shape) == shape else result.reshape(shape)


def _widened(x):
    """Sums and products of narrow integers are of 64 bits, as in NumPy."""
    kind = x.dtype.kind
    if kind == 'b' or (kind == 'i' and x.dtype != int64):
        return x.astype(int64)
    return x.astype('uint64') if kind == 'u' and x.dtype.name != 'uint64' else x


def _realised(x):
    return x if x.dtype.kind in 'fc' else x.astype(float64)


def sum_(self, axis=None, dtype=None, keepdims=False):
    """The sum along axes, of all elements without them."""
    return _sum(self, axis, dtype, keepdims)


def prod(self, axis=None, dtype=None, keepdims=False):
    """The product along axes."""
    x = self if dtype is None else self.astype(dtype)
    if x.dtype.kind == 'c':
        return _complex.product(x, _axes(x, axis), keepdims)
    return _prod(x, axis, dtype, keepdims)


def mean(self, axis=None, keepdims=False):
    """The mean along axes."""
    return _mean(self, axis, None, keepdims)


def max_(self, axis=None, keepdims=False):
    """The largest element along axes."""
    return _max(self, axis, None, keepdims)


def min_(self, axis=None, keepdims=False):
    """The smallest element along axes."""
    return _min(self, axis, None, keepdims)


def var(self, axis=None, ddof=0, keepdims=False):
    """The variance along axes: the mean square distance from the mean, with n - ddof in place of n."""
    x = _realised(self)
    axes = _axes(x, axis)
    count = 1
    for a in axes:
        count *= x.shape[a]
    if ddof in (0, 1) and count > 1 and x.size and x.dtype.kind == 'f':
        return _function('reduce_variance')(x, axis=axes, keep_dims=bool(keepdims), bias_corrected=ddof == 1)
    distance = x - mean(x, axes, True)
    squares = distance * distance if x.dtype.kind != 'c' else distance.real * distance.real + distance.imag * distance.imag
    total = sum_(squares, axes, keepdims=keepdims)
    return total / (count - ddof if count > ddof else float('nan'))


def std(self, axis=None, ddof=0, keepdims=False):
    """The standard deviation along axes."""
    return _function('sqrt')(var(self, axis, ddof, keepdims))


def _truths(x):
    """What reductions can compare with 0."""
    return x != 0 if x.dtype.kind == 'c' else x


def all_(self, axis=None, keepdims=False):
    """Whether all elements along axes are other than 0."""
    return _reduce(_truths(self), 'all', axis, keepdims) if self.size else _reduced_constant(self, axis, keepdims, True)


def any_(self, axis=None, keepdims=False):
    """Whether an element along axes is other than 0."""
    return _reduce(_truths(self), 'any', axis, keepdims) if self.size else _reduced_constant(self, axis, keepdims, False)


def _reduced_constant(x, axis, keepdims, value):
    from ._creation import full
    return full(_reduced_shape(x, _axes(x, axis), keepdims), value)


def _position(x, operation, axis, keepdims):
    if x.size == 0:
        raise ValueError(f'[{operation}] there is no position in no elements')
    if axis is None:
        result = _function(operation)(x.reshape(-1), axis=[0])
        return result.reshape([1] * x.ndim if keepdims else [])
    result = _function(operation)(x, axis=_axes(x, axis))
    return result.reshape(_reduced_shape(x, _axes(x, axis), keepdims))


def argmax(self, axis=None, keepdims=False):
    """The position of the first largest element along an axis, in the flat array without one."""
    return _position(self, 'argmax', axis, keepdims)


def argmin(self, axis=None, keepdims=False):
    """The position of the first smallest element along an axis."""
    return _position(self, 'argmin', axis, keepdims)


def cumsum(self, axis=None):
    """Running sums along an axis, of the flat array without one."""
    x = _widened(self)
    x = x.reshape(-1) if axis is None else x
    if x.dtype.kind == 'c':
        return _complex.of_parts(lambda part: cumsum(part, axis), x)
    return _function('cumsum')(x, axis=_axes(x, -1 if axis is None else axis))


def cumprod(self, axis=None):
    """Running products along an axis."""
    x = _widened(self)
    x = x.reshape(-1) if axis is None else x
    axes = _axes(x, -1 if axis is None else axis)
    return _complex.running_products(x, axes[0]) if x.dtype.kind == 'c' else _function('cumprod')(x, axis=axes)


def conj(self):
    """The conjugate numbers."""
    return _function('conj')(self) if self.dtype.kind in 'fc' else self.copy()


def dot(self, other):
    """The product of vectors or matrices."""
    return self @ other


def flatten(self):
    """A copy with one dimension."""
    return self.copy().reshape(-1)


def ravel(self):
    """One dimension: a view if the memory allows it."""
    return self.reshape(-1)


def squeeze(self, axis=None):
    """Without the dimensions of size 1, or those of them that are given."""
    axes = [d for d, size in enumerate(self.shape) if size == 1] if axis is None else _axes(self, axis)
    for a in axes:
        if self.shape[a] != 1:
            raise ValueError(f'[squeeze] dimension {a} has size {self.shape[a]}, not 1')
    return self[tuple(0 if d in axes else slice(None) for d in range(self.ndim))]


def swapaxes(self, a, b):
    """A view with two dimensions exchanged."""
    order = list(range(self.ndim))
    (a,), (b,) = _axes(self, a), _axes(self, b)
    order[a], order[b] = order[b], order[a]
    return self.transpose(order)


def clip(self, least=None, most=None):
    """Elements below `least` become `least`, those above `most` become `most`."""
    result = self
    if least is not None:
        result = _function('maximum')(result, least)
    if most is not None:
        result = _function('minimum')(result, most)
    return result


def round_(self, decimals=0):
    """Rounded to so many digits after the point; halves to the even digit."""
    if self.dtype.kind == 'c':
        return _complex.of_parts(lambda part: round_(part, decimals), self)
    if self.dtype.kind != 'f':
        return self.copy()
    scale = 10.0 ** decimals
    return _function('rint')(self * scale) / scale if decimals else _function('rint')(self)


SHORT = 16  # elements of a run


def repeat(self, count, axis=None):
    """Every element, or part along the axis, so many times in a row."""
    x = self.reshape(-1) if axis is None else self
    (a,) = _axes(x, -1 if axis is None else axis)
    if count < 0:
        raise ValueError(f'[repeat] count {count} is below 0')
    size = x.shape[a]
    if x.size and count and x.dtype.kind != 'U':
        before, behind = x.shape[:a], x.shape[a + 1:]
        copies = empty((*before, size, count, *behind), x.dtype)
        if count <= SHORT and not behind:  # runs of so few equal elements take longer than strided copies
            for i in range(count):
                copies[..., i] = x
        else:
            copies[...] = x.reshape((*before, size, 1, *behind))
        return copies.reshape((*before, size * count, *behind))
    positions = _ndforge._broadcast(arange(size).reshape(size, 1), (size, count)).reshape(-1)
    return x[(slice(None),) * a + (positions,)]


def take(self, indices, axis=None):
    """The elements at these positions along an axis, of the flat array without one."""
    x = self.reshape(-1) if axis is None else self
    (a,) = _axes(x, -1 if axis is None else axis)
    return x[(slice(None),) * a + (asarray(indices),)]


def numpy(self):
    """A NumPy array that shares the memory."""
    import numpy as np
    if self.dtype.name == 'bfloat16':
        return self.__array__()
    return np.asarray(self.tolist()) if self.dtype.kind == 'U' else np.asarray(memoryview(self))


def __array__(self, dtype=None, copy=None):
    import numpy as np
    if self.dtype.name == 'bfloat16':
        try:
            import ml_dtypes
        except ImportError:
            raise TypeError('NumPy has no bfloat16: install ml_dtypes, or convert with astype(float32) first') from None
        result = np.frombuffer(self.tobytes(), dtype=ml_dtypes.bfloat16).reshape(self.shape)
    else:
        result = numpy(self)
    if dtype is not None and result.dtype != dtype:
        if copy is False:
            raise ValueError('another type needs a copy')
        return result.astype(dtype)
    return result.copy() if copy else result


def __reduce__(self):
    if self.dtype.kind == 'U':
        return _texts, (self.tolist(), self.dtype)
    return _restored, (self.tobytes(), self.dtype, self.shape)


def _texts(values, dtype):
    return _ndforge.array(values, dtype)


def _restored(data, dtype, shape):
    return _ndforge._from_bytes(data, shape, dtype)


def __format__(self, specification):
    if specification and self.ndim == 0:
        return format(self.item(), specification)
    return format(str(self), specification)


def __str__(self):
    if self.ndim > 0:
        return _printing.text(self)
    # The digits that are enough for the type, as NumPy's numbers have them.
    narrow = self.dtype.name in ('complex64', 'float32', 'float16', 'bfloat16')
    return str((_function('number_to_string')(self) if narrow else self).item())


def __repr__(self):
    return _printing.represent(self)


def __iter__(self):
    if self.ndim == 0:
        raise TypeError('an array without dimensions cannot be iterated')
    return (self[i] for i in range(self.shape[0]))


def __complex__(self):
    return complex(self.item())


def __array_namespace__(self, /, *, api_version=None):
    """The functions of the array API standard."""
    if api_version not in (None, '2021.12', '2022.12', '2023.12', '2024.12'):
        raise ValueError(f"[array_api] there is no version '{api_version}' of the standard here; 2024.12 is the latest")
    from . import array_api
    return array_api


def to_device(self, device, /, *, stream=None):
    """The array itself: there is only the CPU."""
    if device != 'cpu' or stream is not None:
        raise ValueError(f'[to_device] there is no device {device!r} with stream {stream!r}; arrays are on the CPU')
    return self


def attach():
    """Makes these functions methods. Those whose names Python has otherwise end in '_' here."""
    names = ('sum_ prod mean max_ min_ var std all_ any_ argmax argmin cumsum cumprod conj dot flatten ravel squeeze swapaxes clip '
             'round_ repeat take numpy __array__ __reduce__ __format__ __str__ __repr__ __iter__ __complex__ '
             '__array_namespace__ to_device').split()
    for name in names:
        method = globals()[name]
        if name.endswith('_') and not name.endswith('__'):
            method.__name__ = method.__qualname__ = name = name[:-1]
        setattr(NDArray, name, method)
    NDArray.conjugate = NDArray.conj
    NDArray.__array_priority__ = 1000  # beside arrays of NumPy, operators give arrays of NDForge
    NDArray.device = property(lambda self: 'cpu', doc='Where the array is: the CPU.')
    NDArray.__module__ = 'ndforge'
