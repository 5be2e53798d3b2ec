"""Complex numbers: what is computed from their parts, where the library has no operation of its own."""

from ._library import operation as _function


def joined(real, imag):
    """Complex numbers of these parts."""
    return _function('complex')(real, imag) if real.size else real.astype('complex64' if real.itemsize == 4 else 'complex128')


def of_parts(function, x):
    """The function of the real parts and that of the imaginary parts, joined."""
    return joined(function(x.real), function(x.imag))


def _along(x, axis, part):
    return x[(slice(None),) * axis + (part,)]


def product(x, axes, keepdims):
    """The product along axes, by halves."""
    from ._creation import ones
    for axis in sorted(axes, reverse=True):
        while x.shape[axis] > 1:
            half = x.shape[axis] // 2
            rest = _along(x, axis, slice(2 * half, None))
            x = _along(x, axis, slice(0, half)) * _along(x, axis, slice(half, 2 * half))
            if rest.shape[axis]:
                first = _along(x, axis, slice(0, 1)) * rest
                x = first if half == 1 else _function('concat')([first, _along(x, axis, slice(1, None))], axis=axis)
        if x.shape[axis] == 0:
            x = ones([1 if d == axis else size for d, size in enumerate(x.shape)], x.dtype)
        x = x if keepdims else _along(x, axis, 0)
    return x.copy()


def running_products(x, axis):
    """Products of all elements up to each one along an axis, in steps that double the number of factors."""
    x, step = x.copy(), 1
    while step < x.shape[axis]:
        later = _along(x, axis, slice(step, None)) * _along(x, axis, slice(None, -step))
        x = _function('concat')([_along(x, axis, slice(0, step)), later], axis=axis)
        step *= 2
    return x
