"""Functions that move elements and change shapes."""

import itertools

from .. import NDArray, _creation as creation, _ndforge, int64
from .._library import operation as _operation
from ._dtypes import bits_of, isdtype, result_type

TYPES = bits_of(None)
LONGEST = 1 << 48  # elements, more than any memory has


def _axes(axis, rank, name):
    result = []
    for one in ((axis,) if isinstance(axis, int) else axis):
        if not -rank <= one < rank:
            raise IndexError(f'[{name}] axis {one} is outside {-rank}..{rank - 1}')
        result.append(one % rank)
    if len(set(result)) != len(result):
        raise ValueError(f'[{name}] an axis is given twice: {axis}')
    return result


def _joint_shape(shapes, name):
    rank = max((len(shape) for shape in shapes), default=0)
    joint = [1] * rank
    for shape in shapes:
        for d, size in enumerate(shape, rank - len(shape)):
            if joint[d] == 1:
                joint[d] = size
            elif size not in (1, joint[d]):
                raise ValueError(f'[{name}] shapes {", ".join(map(str, shapes))} do not broadcast')
    return joint


def broadcast_shapes(*shapes):
    return tuple(_joint_shape(shapes, 'broadcast_shapes'))


def broadcast_to(x, /, shape):
    shape = [shape] if isinstance(shape, int) else list(shape)
    if _joint_shape([x.shape, tuple(shape)], 'broadcast_to') != shape:
        raise ValueError(f'[broadcast_to] shape {x.shape} does not broadcast to {tuple(shape)}')
    return _ndforge._broadcast(x, shape)


def broadcast_arrays(*arrays):
    shape = _joint_shape([x.shape for x in arrays], 'broadcast_arrays')
    return [broadcast_to(x, shape) for x in arrays]


def _are_alike(x, y):
    """Whether both are arrays of one type and shape that have elements."""
    return _ndforge._are_of(x, y, TYPES) and x.shape == y.shape and x.size > 0


def concat(arrays, /, *, axis=0):
    arrays = list(arrays)
    if axis is not None and len(arrays) > 1 and all(_are_alike(x, arrays[0]) for x in arrays):
        (axis,) = _axes(axis, arrays[0].ndim, 'concat')
        return _operation('concat')(arrays, axis=axis)
    dtype = result_type(*arrays)
    arrays = [x.astype(dtype) if x.dtype != dtype else x for x in arrays]
    if axis is None:
        arrays, axis = [x.reshape(-1) for x in arrays], 0
    (axis,) = _axes(axis, arrays[0].ndim, 'concat')
    shape = list(arrays[0].shape)
    for x in arrays[1:]:
        if x.ndim != len(shape) or any(a != b for d, (a, b) in enumerate(zip(x.shape, shape)) if d != axis):
            raise ValueError(f'[concat] shapes {", ".join(str(y.shape) for y in arrays)} differ beside axis {axis}')
    shape[axis] = sum(x.shape[axis] for x in arrays)
    filled = [x for x in arrays if x.size]
    if not filled:
        return creation.zeros(shape, dtype)
    return filled[0].copy() if len(filled) == 1 else _operation('concat')(filled, axis=axis)


def stack(arrays, /, *, axis=0):
    arrays = list(arrays)
    for x in arrays:
        if x.shape != arrays[0].shape:
            raise ValueError(f'[stack] shapes {arrays[0].shape} and {x.shape} differ')
    (axis,) = _axes(axis, arrays[0].ndim + 1, 'stack')
    return concat([expand_dims(x, axis=axis) for x in arrays], axis=axis)


def unstack(x, /, *, axis=0):
    (axis,) = _axes(axis, x.ndim, 'unstack')
    return tuple(x[(slice(None),) * axis + (i,)] for i in range(x.shape[axis]))


def expand_dims(x, /, axis=0):
    axes = sorted(_axes(axis, x.ndim + (1 if isinstance(axis, int) else len(axis)), 'expand_dims'))
    shape = list(x.shape)
    for one in axes:
        shape.insert(one, 1)
    return x.reshape(shape)


def squeeze(x, /, axis):
    axes = _axes(axis, x.ndim, 'squeeze')
    for one in axes:
        if x.shape[one] != 1:
            raise ValueError(f'[squeeze] axis {one} has size {x.shape[one]}, not 1')
    return x.reshape([size for d, size in enumerate(x.shape) if d not in axes])


def reshape(x, /, shape, *, copy=None):
    result = x.reshape([shape] if isinstance(shape, int) else list(shape))
    if copy:
        return result.copy()
    if copy is False and x.size and not _shares(result, x):
        raise ValueError('[reshape] the elements cannot get this shape without a copy')
    return result


def _shares(a, b):
    start = b.__array_interface__['data'][0]
    return a.__array_interface__['data'][0] == start


def permute_dims(x, /, axes):
    return x.transpose(_axes(axes, x.ndim, 'permute_dims')) if x.ndim else x


def moveaxis(x, source, destination, /):
    sources, targets = _axes(source, x.ndim, 'moveaxis'), _axes(destination, x.ndim, 'moveaxis')
    if len(sources) != len(targets):
        raise ValueError(f'[moveaxis] {len(sources)} axes move to {len(targets)} places')
    order = [d for d in range(x.ndim) if d not in sources]
    for target, one in sorted(zip(targets, sources)):
        order.insert(target, one)
    return permute_dims(x, order)


def flip(x, /, *, axis=None):
    axes = range(x.ndim) if axis is None else _axes(axis, x.ndim, 'flip')
    return x[tuple(slice(None, None, -1) if d in axes else slice(None) for d in range(x.ndim))]


def roll(x, /, shift, *, axis=None):
    if x.size == 0:
        return x.copy()
    if axis is None:
        return roll(x.reshape(-1), shift, axis=0).reshape(x.shape)
    axes = _axes(axis, x.ndim, 'roll')
    shifts = (shift,) * len(axes) if isinstance(shift, int) else shift
    if len(shifts) != len(axes):
        raise ValueError(f'[roll] {len(shifts)} shifts for {len(axes)} axes')
    for one, by in zip(axes, shifts):
        cut = -by % x.shape[one]
        head = (slice(None),) * one
        x = concat([x[head + (slice(cut, None),)], x[head + (slice(None, cut),)]], axis=one)
    return x


def tile(x, repetitions, /):
    repetitions = (1,) * (x.ndim - len(repetitions)) + tuple(repetitions)
    x = x.reshape((1,) * (len(repetitions) - x.ndim) + x.shape)
    for d, count in enumerate(repetitions):
        x = concat([x] * count, axis=d) if count else creation.zeros(x.shape[:d] + (0,) + x.shape[d + 1:], x.dtype)
    return x


def repeat(x, repeats, /, *, axis=None):
    if axis is None:
        x, axis = x.reshape(-1), 0
    (axis,) = _axes(axis, x.ndim, 'repeat')
    counts = repeats.tolist() if isinstance(repeats, NDArray) else repeats
    if isinstance(repeats, NDArray) and not isdtype(repeats.dtype, 'integral'):
        raise TypeError('[repeat] repeats are integers')
    counts = [counts] if isinstance(counts, int) else list(counts)
    if len(counts) == 1:
        return x.repeat(counts[0], axis)
    if len(counts) != x.shape[axis] or any(count < 0 for count in counts):
        raise ValueError(f'[repeat] {len(counts)} numbers, 0 or more, for {x.shape[axis]} parts')
    ends = list(itertools.accumulate(counts))
    if not ends or ends[-1] == 0:
        return creation.zeros(x.shape[:axis] + (0,) + x.shape[axis + 1:], x.dtype)
    if ends[-1] > LONGEST:
        raise MemoryError(f'[repeat] {ends[-1]} parts do not fit into memory')
    places = _operation('searchsorted')(_ndforge.array(ends, int64), creation.arange(ends[-1]), right=True)
    return x[(slice(None),) * axis + (places,)]
