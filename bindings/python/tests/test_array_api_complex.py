"""The namespace of the array API standard on complex numbers, and its extension fft, compared with NumPy."""

import cmath
import itertools
import math

import numpy as np
import pytest

import ndforge as nd
from ndforge import array_api as xp

from test_array_api import COMPLEX, REALS, SINGLE, both, compare, data

GRID = [complex(x, y) for x, y in itertools.product([-3.5, -1.0, -0.5, -1e-3, 0.0, 1e-8, 0.25, 1.0, 2.0, 30.0], repeat=2)]
FUNCTIONS = 'acos acosh asin asinh atan atanh cos cosh exp expm1 log log1p log2 log10 sin sinh sqrt tan tanh square reciprocal sign'


@pytest.mark.parametrize('dtype', COMPLEX)
@pytest.mark.parametrize('name', FUNCTIONS.split())
def test_functions(name, dtype):
    """Also near 0 and on the axes, but not at the poles."""
    poles = {'log': [0], 'log2': [0], 'log10': [0], 'reciprocal': [0], 'log1p': [-1], 'atanh': [1, -1], 'atan': [1j, -1j]}
    values = np.array([z for z in GRID if z not in poles.get(name, [])]).astype(dtype)
    expected = getattr(np, {'acos': 'arccos', 'acosh': 'arccosh', 'asin': 'arcsin', 'asinh': 'arcsinh', 'atan': 'arctan',
                            'atanh': 'arctanh'}.get(name, name))(values)
    found = np.asarray(getattr(xp, name)(nd.array(values)))
    assert found.dtype == expected.dtype
    error = abs(found.astype(complex) - expected) / np.maximum(abs(expected), 1e-3)
    assert np.nanmax(error) < (2e-4 if dtype == 'complex64' else 1e-11), values[np.nanargmax(error)]


def test_branch_cuts():
    for name in ('log', 'sqrt', 'acosh', 'asin', 'acos', 'atanh'):
        for z in (complex(-2, 0.0), complex(-2, -0.0), complex(2, 0.0), complex(2, -0.0)):
            assert cmath.isclose(complex(getattr(xp, name)(nd.array(z))), getattr(cmath, name)(z), abs_tol=1e-14), (name, z)


def test_special_values():
    special = [complex(a, b) for a, b in itertools.product([math.nan, math.inf, -math.inf, 0.0, 1.0], repeat=2)]
    z = both(special, 'complex128')
    for name in ('isnan', 'isinf', 'isfinite', 'abs', 'conj', 'real', 'imag', 'negative'):
        compare(name, [z])
    compare('equal', [z, both(special[::-1], 'complex128')])
    base = both([0, 0, 0, 1 + 1j, -2], 'complex128')
    compare('pow', [base, both([0, 2, 1 + 1j, 0, 3], 'complex128')], 1e-13)
    finite = both([z for z in special if cmath.isfinite(z) and z], 'complex128')
    # The standard, as that of C, leaves signs open where a part is NaN or both are infinite.
    definite = both([z for z in special if not cmath.isnan(z) and not (math.isinf(z.real) and math.isinf(z.imag))], 'complex128')
    for name in FUNCTIONS.split():
        # array-api-strict has other values for infinities there.
        compare(name, [finite if name in ('expm1', 'log1p', 'reciprocal', 'sign', 'square') else definite])


@pytest.mark.parametrize('a', COMPLEX + REALS + ['int32', 'bool'])
@pytest.mark.parametrize('b', COMPLEX)
def test_types(a, b):
    for name in ('add', 'multiply', 'equal', 'pow'):
        compare(name, [data(a, 3), data(b, 3)], 1e-5)
    compare('add', [data(a, 3), 1j], 1e-5)
    compare('add', [1 + 1j, data(b, 3)], 1e-5)


@pytest.mark.parametrize('dtype', COMPLEX)
def test_linear_algebra(dtype):
    tolerance = 2e-4 if dtype in SINGLE else 1e-11
    x, y = data(dtype, 2, 4, 4), data(dtype, 2, 4, 4, seed=1)
    compare('matmul', [x, data(dtype, 4, 3)], tolerance)
    compare('vecdot', [x, y], tolerance)
    compare('tensordot', [data(dtype, 2, 3, 4), data(dtype, 4, 3, 2)], tolerance, axes=((1, 2), (1, 0)))
    for name, arguments in (('inv', [x]), ('solve', [x, data(dtype, 2, 4, 3)]), ('solve', [x, data(dtype, 4)]), ('trace', [x]),
                            ('diagonal', [x]), ('vector_norm', [x]), ('matrix_norm', [x]), ('outer', [data(dtype, 3), data(dtype, 4)]),
                            ('cross', [data(dtype, 2, 3), data(dtype, 3)]), ('matrix_transpose', [x]), ('vecdot', [x, y])):
        compare(name, arguments, tolerance, module='linalg')
    for n in (-1, 0, 1, 3):
        compare('matrix_power', [x, n], tolerance * 100, module='linalg')
    for order in ('fro', 1, -1, math.inf, -math.inf):
        compare('matrix_norm', [x], tolerance, module='linalg', ord=order)
    for order in (0, 1, 2, 3.5, math.inf, -math.inf):
        compare('vector_norm', [x], tolerance, module='linalg', ord=order, axis=-1)
    for name in ('cholesky', 'det', 'eig', 'eigh', 'eigvals', 'eigvalsh', 'matrix_rank', 'pinv', 'qr', 'slogdet', 'svd', 'svdvals'):
        with pytest.raises(TypeError, match=f'\\[{name}|elements of type {dtype}'):
            getattr(xp.linalg, name)(x[0])  # docs/python_array_api.md


@pytest.mark.parametrize('dtype', REALS)
def test_eigenvalues(dtype):
    tolerance = 1e-3 if dtype in SINGLE else 1e-11
    x, a = data(dtype, 2, 3, 4, 4)
    a = np.asarray(a)
    values, vectors = (np.asarray(part) for part in xp.linalg.eig(x))
    assert values.dtype == vectors.dtype == (a[:1] + 0j).astype('c8' if dtype in SINGLE else 'c16').dtype
    np.testing.assert_allclose(a @ vectors, vectors * values[..., None, :], atol=tolerance * 10)
    np.testing.assert_allclose(np.sort_complex(np.asarray(xp.linalg.eigvals(x))), np.sort_complex(np.linalg.eigvals(a)), atol=tolerance)
    assert xp.linalg.eig(xp.zeros((0, 3, 3))).eigenvectors.shape == (0, 3, 3)


NORMS = ['backward', 'ortho', 'forward']


@pytest.mark.parametrize('dtype', REALS + COMPLEX)
@pytest.mark.parametrize('norm', NORMS)
@pytest.mark.parametrize('name', 'fft ifft rfft irfft hfft ihfft'.split())
def test_transforms(name, norm, dtype):
    tolerance = 2e-4 if dtype in SINGLE else 1e-11
    for shape in ((8,), (7,), (1,), (3, 6, 5), (2, 1, 4)):
        x = data(dtype, *shape)
        for axis in range(-len(shape), len(shape)):
            for n in (None, 1, 2, shape[axis], shape[axis] + 3, 2 * shape[axis]):
                compare(name, [x], tolerance, module='fft', n=n, axis=axis, norm=norm)
    for wrong in ({'n': 0}, {'n': -2}, {'axis': 1}, {'axis': -2}, {'norm': 'other'}):
        compare(name, [data(dtype, 4)], tolerance, module='fft', **wrong)


@pytest.mark.parametrize('dtype', REALS + COMPLEX)
@pytest.mark.parametrize('norm', NORMS)
@pytest.mark.parametrize('name', 'fftn ifftn rfftn irfftn'.split())
def test_transforms_along_several(name, norm, dtype):
    tolerance = 2e-4 if dtype in SINGLE else 1e-11
    x = data(dtype, 3, 6, 5)
    for axes in (None, (0,), (2,), (0, 1), (1, 0), (-1, -3), (0, 1, 2), (2, 0, 1)):
        compare(name, [x], tolerance, module='fft', axes=axes, norm=norm)
        for sizes in ((4, 4, 4), (2, 8, 3), (7, 2, 6)):
            if axes is not None:
                compare(name, [x], tolerance, module='fft', s=sizes[:len(axes)], axes=axes, norm=norm)
    for wrong in ({'axes': (0, 3)}, {'s': (2, 3), 'axes': (0,)}, {'s': (2, 0), 'axes': (0, 1)}):
        compare(name, [x], tolerance, module='fft', **wrong)
    with pytest.raises((TypeError, ValueError)):  # NumPy transforms twice
        getattr(xp.fft, name)(x[0], axes=(1, 1))


@pytest.mark.parametrize('dtype', REALS + COMPLEX + ['int64'])
def test_shifts(dtype):
    for name in ('fftshift', 'ifftshift'):
        for axes in (None, 0, 1, -1, (0, 2), (1,), ()):
            compare(name, [data(dtype, 3, 4, 5)], module='fft', axes=axes)
        compare(name, [data(dtype, 0, 3)], module='fft')


def test_frequencies():
    for name in ('fftfreq', 'rfftfreq'):
        for n in (1, 2, 5, 8):
            for d in (1.0, 0.25, 3):
                compare(name, [n], module='fft', d=d)
            found = getattr(xp.fft, name)(n, d=0.5, dtype=xp.float32)
            expected = getattr(np.fft, name)(n, 0.5).astype('f4')
            assert found.dtype == xp.float32 and np.array_equal(np.asarray(found), expected)
        for wrong in ({'dtype': xp.int32}, {'dtype': xp.complex64}, {'device': 'gpu'}):
            with pytest.raises(ValueError):
                getattr(xp.fft, name)(4, **wrong)


def test_round_trips():
    z, r = data('complex128', 4, 6)[0], data('float64', 4, 6)[0]
    for found, expected in ((xp.fft.ifft(xp.fft.fft(z)), z), (xp.fft.ifftn(xp.fft.fftn(z)), z), (xp.fft.irfft(xp.fft.rfft(r)), r),
                            (xp.fft.irfftn(xp.fft.rfftn(r), s=(4, 6), axes=(0, 1)), r), (xp.fft.hfft(xp.fft.ihfft(r)), r),
                            (xp.fft.ifftshift(xp.fft.fftshift(z)), z)):
        np.testing.assert_allclose(np.asarray(found), np.asarray(expected), atol=1e-13)
