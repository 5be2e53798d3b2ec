"""Methods and indices of symbols, as those of arrays."""

import functools
import operator

from . import _ndforge
from ._ndforge import Symbol

_function = functools.cache(_ndforge.function)


def _reduction(operation, text):
    def method(self, axis=None, keepdims=False):
        return _function(operation)(self, axis=axis, keep_dims=bool(keepdims))

    method.__doc__ = text
    return method


def _spread(operation, text):
    def method(self, axis=None, ddof=0, keepdims=False):
        if ddof not in (0, 1):
            raise ValueError(f"[{operation}] argument 'ddof': {ddof} is not 0 or 1")
        return _function(operation)(self, axis=axis, keep_dims=bool(keepdims), bias_corrected=bool(ddof))

    method.__doc__ = text
    return method


def _position(operation, text):
    def method(self, axis=None, keepdims=False):
        return _function(operation)(self if axis is not None else flatten(self), axis=0 if axis is None else axis,
                                    keep_dims=bool(keepdims))

    method.__doc__ = text
    return method


def _sizes(given):
    return list(given[0]) if len(given) == 1 and not hasattr(given[0], '__index__') else list(given)


def reshape(self, *shape):
    """The elements in another shape; a size of -1 is found from the others."""
    return _function('reshape')(self, _sizes(shape))


def flatten(self):
    """All elements in one dimension."""
    return _function('reshape')(self, [-1])


def transpose(self, *axes):
    """The dimensions in another order, the opposite one without axes."""
    return _function('permute')(self, _sizes(axes)) if axes and axes != (None,) else _function('transpose')(self)


def squeeze(self, axis=None):
    """Without dimensions of size 1: all of them, or those that are named."""
    return _function('squeeze')(self) if axis is None else _function('squeeze')(self, axis)


def astype(self, dtype):
    """The elements, converted."""
    return _function('cast')(self, dtype=dtype)


def clip(self, least=None, most=None):
    """The elements, limited to a range."""
    x = self if least is None else _function('maximum')(self, least)
    return x if most is None else _function('minimum')(x, most)


def cumsum(self, axis=None):
    """Running sums along an axis, of all elements without one."""
    return _function('cumsum')(flatten(self), 0) if axis is None else _function('cumsum')(self, axis)


def __getitem__(self, index):
    """A part: integers, slices, ... and None as for arrays; an array or symbol of integers picks from the first dimension."""
    items = index if isinstance(index, tuple) else (index,)
    if len(items) == 1 and not (items[0] is None or items[0] is Ellipsis or isinstance(items[0], slice)
                                or hasattr(items[0], '__index__') and not hasattr(items[0], 'ndim')):
        return _function('gather')(self, items[0], axis=0)
    begin, end, stride = [], [], []
    masks = dict.fromkeys(('begin_mask', 'end_mask', 'ellipsis_mask', 'new_axis_mask', 'shrink_axis_mask'), 0)

    def add(first, last, step, *names):
        for name in names:
            masks[name] |= 1 << len(begin)
        begin.append(0 if first is None else operator.index(first))
        end.append(0 if last is None else operator.index(last))
        stride.append(1 if step is None else operator.index(step))

    for item in items:
        if item is Ellipsis:
            if masks['ellipsis_mask']:
                raise IndexError('[index] "..." stands twice')
            add(None, None, None, 'ellipsis_mask')
        elif item is None:
            add(None, None, None, 'new_axis_mask')
        elif isinstance(item, slice):
            ends = (('begin_mask', item.start), ('end_mask', item.stop))
            add(item.start, item.stop, item.step, *(name for name, value in ends if value is None))
        elif hasattr(item, '__index__') and not isinstance(item, bool):
            at = operator.index(item)
            add(at, at + 1, None, 'shrink_axis_mask', *(('end_mask',) if at == -1 else ()))
        else:
            raise TypeError(f'[index] symbols have no indices of type {type(item).__name__} beside others')
    return _function('strided_slice')(self, begin, end, stride, **masks)


def attach():
    for name, operation, text in (
            ('sum', 'reduce_sum', 'The sum along axes, of all elements without them.'),
            ('prod', 'reduce_prod', 'The product along axes.'), ('mean', 'reduce_mean', 'The mean along axes.'),
            ('max', 'reduce_max', 'The largest element along axes.'), ('min', 'reduce_min', 'The smallest element along axes.')):
        setattr(Symbol, name, _reduction(operation, text))
    Symbol.var = _spread('reduce_variance', 'The variance along axes, with n - ddof in place of n.')
    Symbol.std = _spread('reduce_stdev', 'The standard deviation along axes, with n - ddof in place of n.')
    Symbol.argmax = _position('argmax', 'The position of the largest element along an axis, or in all elements.')
    Symbol.argmin = _position('argmin', 'The position of the smallest element along an axis, or in all elements.')
    for function in (reshape, flatten, transpose, squeeze, astype, clip, cumsum, __getitem__):
        setattr(Symbol, function.__name__, function)
    Symbol.ravel = flatten
    Symbol.T = property(transpose, doc='The dimensions in the opposite order.')
    Symbol.__iter__ = None  # else Python would count up indices without end
