"""Discrete Fourier transforms."""

from .. import float64
from .._library import operation as _operation
from ._dtypes import COMPLEX, REAL, check_device
from ._manipulation import _axes


def _check(x, name, types):
    if x.dtype not in types:
        raise TypeError(f'[{name}] elements of type {x.dtype.name} are not accepted')


def _along_one(name, types, what):
    def function(x, /, *, n=None, axis=-1, norm='backward'):
        _check(x, name, types)
        return _operation(name)(x, n=n, axis=_axes(axis, x.ndim, name)[0], norm=norm)

    function.__doc__ = what
    function.__name__ = function.__qualname__ = name
    return function


def _along_several(name, types, what):
    def function(x, /, *, s=None, axes=None, norm='backward'):
        _check(x, name, types)
        if axes is not None:
            axes = _axes(axes, x.ndim, name)
        if (s is not None and len(s) == 0) or axes == []:
            raise ValueError(f'[{name}] there are no axes to transform')
        return _operation(name)(x, s=s, axes=axes, norm=norm)

    function.__doc__ = what
    function.__name__ = function.__qualname__ = name
    return function


fft = _along_one('fft', COMPLEX, 'The transform along an axis.')
ifft = _along_one('ifft', COMPLEX, 'The inverse of fft.')
rfft = _along_one('rfft', REAL, 'The transform of real numbers: the half that is not conjugate to the other.')
irfft = _along_one('irfft', COMPLEX, 'The inverse of rfft.')
hfft = _along_one('hfft', COMPLEX, 'The transform of numbers that are conjugate to each other, of which one half is given.')
ihfft = _along_one('ihfft', REAL, 'The inverse of hfft.')
fftn = _along_several('fftn', COMPLEX, 'The transform along several axes.')
ifftn = _along_several('ifftn', COMPLEX, 'The inverse of fftn.')
rfftn = _along_several('rfftn', REAL, 'The transform of real numbers along several axes.')
irfftn = _along_several('irfftn', COMPLEX, 'The inverse of rfftn.')


def _frequencies(name, n, d, dtype, device):
    check_device(device)
    if dtype is not None and dtype not in REAL:
        raise ValueError(f'[{name}] {dtype} is no type of real numbers of the standard')
    return _operation(name)(n=n, d=d, dtype=float64 if dtype is None else dtype)


def fftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """The frequencies of the numbers that fft gives."""
    return _frequencies('fftfreq', n, d, dtype, device)


def rfftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """The frequencies of the numbers that rfft gives."""
    return _frequencies('rfftfreq', n, d, dtype, device)


def _shift(name, x, axes):
    _check(x, name, REAL + COMPLEX)
    axes = list(range(x.ndim)) if axes is None else _axes(axes, x.ndim, name)
    return _operation(name)(x, axes=axes) if axes and x.size else x.copy()


def fftshift(x, /, *, axes=None):
    """The frequency 0 moved to the middle."""
    return _shift('fftshift', x, axes)


def ifftshift(x, /, *, axes=None):
    """The inverse of fftshift."""
    return _shift('ifftshift', x, axes)


__all__ = ['fft', 'ifft', 'fftn', 'ifftn', 'rfft', 'irfft', 'rfftn', 'irfftn', 'hfft', 'ihfft', 'fftfreq', 'rfftfreq', 'fftshift',
           'ifftshift']
