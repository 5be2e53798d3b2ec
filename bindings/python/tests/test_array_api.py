"""The namespace of the array API standard, compared with array-api-strict, an implementation on NumPy."""

import inspect
import itertools
import math
import re

import numpy as np
import pytest

import ndforge as nd
from ndforge import array_api as xp

strict = pytest.importorskip('array_api_strict')
strict.set_array_api_strict_flags(api_version='2025.12')

INTEGERS = ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64']
REALS = ['float32', 'float64']
COMPLEX = ['complex64', 'complex128']
SINGLE = ['float32', 'complex64']
NUMERIC = INTEGERS + REALS + COMPLEX
ALL = ['bool', *NUMERIC]
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, 3.0, -7.25, 1e-30, 1e30, 8.0, 1000.0,
           math.inf, -math.inf, math.nan]


def both(values, dtype):
    a = np.asarray(values, dtype=dtype)
    return nd.array(a.tolist(), dtype=dtype).reshape(a.shape), strict.asarray(a)


def data(dtype, *shape, seed=0):
    generator = np.random.default_rng([seed, len(shape), *shape])
    if dtype == 'bool':
        return both(generator.integers(0, 2, shape), dtype)
    if dtype in REALS:
        return both(np.round(generator.normal(size=shape) * 3, 2), dtype)
    if dtype in COMPLEX:
        return both(np.round(generator.normal(size=shape) * 3, 2) + 1j * np.round(generator.normal(size=shape) * 3, 2), dtype)
    limits = np.iinfo(dtype)
    return both(generator.integers(max(limits.min, -20), min(limits.max, 20) + 1, shape), dtype)


def same(found, wanted, tolerance=None):
    if isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted)
        for a, b in zip(found, wanted):
            same(a, b, tolerance)
        return
    wanted = np.asarray(wanted)
    assert isinstance(found, nd.NDArray), found
    assert found.shape == wanted.shape and found.dtype.name == wanted.dtype.name, (found.shape, found.dtype, wanted)
    if tolerance is None:
        tolerance = 2e-6 if wanted.dtype.name in SINGLE else 1e-14
    found = np.asarray(found.tolist(), dtype=wanted.dtype).reshape(wanted.shape)
    if wanted.dtype.kind == 'c':
        # NumPy compares complex numbers with an infinite part as a whole, without a tolerance.
        finite = np.isfinite(wanted)
        np.testing.assert_allclose(found[finite], wanted[finite], rtol=tolerance, atol=tolerance)
        for a, b in ((found.real, wanted.real), (found.imag, wanted.imag)):
            np.testing.assert_allclose(a[~finite], b[~finite], rtol=tolerance, atol=tolerance)
    elif wanted.dtype.kind == 'f':
        np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)
        zero = wanted == 0
        np.testing.assert_array_equal(np.signbit(found)[zero & (found == 0)], np.signbit(wanted)[zero & (found == 0)])
    else:
        np.testing.assert_array_equal(found, wanted)


def compare(name, arguments, tolerance=None, module='', **named):
    """Both libraries give the same, or both refuse."""
    ours, theirs = (getattr(space, module) if module else space for space in (xp, strict))
    pick = lambda values, k: [pick(v, k) if isinstance(v, list) else v[k] if isinstance(v, tuple) and len(v) == 2 and
                              isinstance(v[0], nd.NDArray) else v for v in values]
    try:
        with np.errstate(all='ignore'):
            wanted = getattr(theirs, name)(*pick(arguments, 1), **dict(zip(named, pick(list(named.values()), 1))))
    except Exception as error:  # of any kind
        with pytest.raises((TypeError, ValueError, IndexError, OverflowError)):
            getattr(ours, name)(*pick(arguments, 0), **dict(zip(named, pick(list(named.values()), 0))))
        return
    same(getattr(ours, name)(*pick(arguments, 0), **dict(zip(named, pick(list(named.values()), 0)))), wanted, tolerance)


def test_everything_is_there():
    for module in ('', 'linalg', 'fft'):
        ours, theirs = (getattr(space, module) if module else space for space in (xp, strict))
        names = {name for name in theirs.__all__ if not name.startswith('_')}
        names -= {'set_array_api_strict_flags', 'get_array_api_strict_flags', 'reset_array_api_strict_flags',
                  'ArrayAPIStrictFlags', 'Device', 'ArrayAPIStrict', 'DType', 'fft', 'linalg'}
        assert names - set(dir(ours)) == set()


@pytest.mark.parametrize('name', [name for name in xp.__all__ if inspect.isfunction(getattr(xp, name))])
def test_signatures(name):
    """Each parameter of the standard is there, by the same name and of the same kind."""
    wanted = inspect.signature(getattr(strict, name)).parameters
    found = inspect.signature(getattr(xp, name)).parameters
    for key, parameter in wanted.items():
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY or parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            continue
        assert key in found and found[key].kind is parameter.kind, key
        assert parameter.default is inspect.Parameter.empty or found[key].default is not inspect.Parameter.empty, key


ONE = ('abs acos acosh asin asinh atan atanh bitwise_invert ceil conj cos cosh exp expm1 floor imag isfinite isinf isnan log log1p log2 '
       'log10 logical_not negative positive real reciprocal round sign signbit sin sinh square sqrt tan tanh trunc').split()
TWO = ('add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign divide equal floor_divide '
       'greater greater_equal hypot less less_equal logaddexp logical_and logical_or logical_xor maximum minimum multiply '
       'nextafter not_equal pow remainder subtract').split()


@pytest.mark.parametrize('dtype', ALL)
@pytest.mark.parametrize('name', ONE)
def test_elements(name, dtype):
    tolerance = 1e-5 if dtype in SINGLE else 1e-13
    compare(name, [data(dtype, 3, 4)], tolerance)
    compare(name, [data(dtype, 0, 2)], tolerance)
    compare(name, [data(dtype)], tolerance)
    if dtype in REALS:
        compare(name, [both(SPECIAL, dtype)], tolerance)


@pytest.mark.parametrize('dtype', ALL)
@pytest.mark.parametrize('name', TWO)
def test_pairs(name, dtype):
    tolerance = 1e-5 if dtype in SINGLE else 1e-13
    x, y = data(dtype, 3, 4), data(dtype, 4, seed=1)
    if dtype in INTEGERS:
        if name in ('floor_divide', 'remainder'):
            y = both(np.where(np.asarray(y[1]) == 0, 3, np.asarray(y[1])), dtype)
        if name in ('bitwise_left_shift', 'bitwise_right_shift', 'pow'):
            y = both(np.abs(np.asarray(y[1]).astype('int64')) % 5, dtype)
    compare(name, [x, y], tolerance)
    compare(name, [data(dtype, 2, 0), data(dtype, 1)], tolerance)
    if dtype in REALS:
        pairs = np.array(list(itertools.product(SPECIAL, SPECIAL)))
        if name == 'floor_divide':  # of infinities the standard leaves it open
            pairs = pairs[np.isfinite(pairs[:, 0])]
        compare(name, [both(pairs[:, 0], dtype), both(pairs[:, 1], dtype)], tolerance)
    number = 2 if dtype in INTEGERS else 1.5 if dtype in REALS else 1.5 - 2j if dtype in COMPLEX else True
    compare(name, [x, number], tolerance)


@pytest.mark.parametrize('dtype', REALS)
def test_logarithms_of_powers_are_integers(dtype):
    exponents = np.arange(-126, 128) if dtype == 'float32' else np.arange(-1022, 1024)
    assert xp.log2(nd.array((2.0 ** exponents).tolist(), dtype=dtype)).tolist() == exponents.tolist()
    exponents = np.arange(-3, 38) if dtype == 'float32' else np.arange(-3, 308)
    powers = [float(f'1e{exponent}') for exponent in exponents]
    assert xp.log10(nd.array(powers, dtype=dtype)).tolist() == exponents.tolist()


@pytest.mark.parametrize('dtype', REALS)
def test_extremes_of_nan(dtype):
    nan, one = both([math.nan, 1.0, math.nan, 2.0], dtype), both([0.0, math.nan, math.nan, 1.5], dtype)
    for name in ('maximum', 'minimum'):
        compare(name, [nan, one])
        for number in (both(math.nan, dtype), both(1.0, dtype)):
            compare(name, [nan, number])
            compare(name, [number, nan])
    compare('clip', [nan], min=0.5, max=1.5)
    compare('clip', [nan], min=1.5)


@pytest.mark.parametrize('a', ALL)
@pytest.mark.parametrize('b', ALL)
def test_promotion(a, b):
    compare('add', [data(a, 3), data(b, 3)])
    for space in (xp, strict):
        assert space.can_cast(getattr(space, a), getattr(space, b)) == strict.can_cast(getattr(strict, a), getattr(strict, b))


@pytest.mark.parametrize('dtype', ALL)
@pytest.mark.parametrize('name', 'sum prod max min mean std var all any argmax argmin count_nonzero'.split())
def test_reductions(name, dtype):
    for shape in ((3, 4), (2, 3, 2), (5,), ()):
        for axis in (None, 0, -1, *([(0, 1)] if len(shape) > 1 else [])):
            if isinstance(axis, tuple) and name in ('argmax', 'argmin') or axis is not None and not shape:
                continue
            for keepdims in (False, True):
                compare(name, [data(dtype, *shape)], 1e-5 if dtype in SINGLE else 1e-12, axis=axis, keepdims=keepdims)
    if name in ('sum', 'prod', 'all', 'any', 'count_nonzero'):
        compare(name, [data(dtype, 0, 3)], axis=0)
        compare(name, [data(dtype, 0)])
    if dtype in REALS:
        compare(name, [both([1.0, math.nan, 5.0], dtype)])
        compare(name, [both([[1.0, math.nan], [3.0, 2.0]], dtype)], axis=1)


@pytest.mark.parametrize('dtype', NUMERIC)
def test_more_statistics(dtype):
    for name in ('cumulative_sum', 'cumulative_prod'):
        compare(name, [data(dtype, 5)], 1e-5)
        for axis in (0, 1, -1):
            for initial in (False, True):
                compare(name, [data(dtype, 3, 4)], 1e-5, axis=axis, include_initial=initial)
    for n in (0, 1, 2):
        compare('diff', [data(dtype, 3, 5)], 1e-5, n=n, axis=0)
    compare('diff', [data(dtype, 4)], 1e-5, prepend=data(dtype, 1), append=data(dtype, 2))
    if dtype in REALS:
        for correction in (0, 1, 0.5):
            compare('var', [data(dtype, 3, 4)], 1e-5, axis=1, correction=correction)


@pytest.mark.parametrize('dtype', ALL)
def test_moving(dtype):
    x, y = data(dtype, 2, 3, 4), data(dtype, 2, 3, 4, seed=1)
    for axis in (0, 1, -1):
        compare('concat', [[x, y]], axis=axis)
        compare('stack', [[x, y]], axis=axis)
        compare('unstack', [x], axis=axis)
        compare('flip', [x], axis=axis)
        compare('roll', [x, 2], axis=axis)
        compare('expand_dims', [x], axis=axis)
        compare('repeat', [x, 2], axis=axis)
        compare('moveaxis', [x, axis, 0])
        compare('take', [x, both([1, 0, 1], 'int64')], axis=axis)
    compare('concat', [[x, y]], axis=None)
    compare('flip', [x])
    compare('roll', [x, -3])
    compare('roll', [x, (1, 2)], axis=(0, 2))
    compare('permute_dims', [x, (2, 0, 1)])
    compare('reshape', [x, (4, -1)])
    compare('reshape', [x, (5, 5)])
    compare('squeeze', [data(dtype, 1, 3, 1), 0])
    compare('squeeze', [x, 0])
    compare('tile', [data(dtype, 2, 3), (2, 1, 2)])
    compare('tile', [data(dtype, 2, 3), (2,)])
    compare('repeat', [data(dtype, 3), both([2, 0, 1], 'int64')])
    compare('broadcast_to', [data(dtype, 3, 1), (2, 3, 4)])
    compare('broadcast_to', [data(dtype, 3), (2,)])
    compare('broadcast_arrays', [data(dtype, 3, 1), data(dtype, 4)])
    compare('meshgrid', [data(dtype, 2), data(dtype, 3)])
    compare('meshgrid', [data(dtype, 2), data(dtype, 3), data(dtype, 2)], indexing='ij')
    for k in (-1, 0, 2):
        compare('tril', [data(dtype, 2, 3, 4)], k=k)
        compare('triu', [data(dtype, 3, 3)], k=k)
    compare('matrix_transpose', [x])


@pytest.mark.parametrize('dtype', ALL)
def test_searching(dtype):
    x = data(dtype, 3, 5)
    for axis in (0, 1, -1):
        for descending in (False, True):
            if dtype != 'bool':  # which array-api-strict refuses
                compare('sort', [x], axis=axis, descending=descending)
                compare('argsort', [x], axis=axis, descending=descending)
    if dtype in INTEGERS:
        compare('isin', [x, data(dtype, 4, seed=3)])
    some = data(dtype, 4, seed=3)[0]
    assert xp.isin(x[0], some, invert=True).tolist() == (~xp.isin(x[0], some)).tolist()
    compare('take_along_axis', [x, both([[0], [2], [1]], 'int64')], axis=1)
    compare('nonzero', [x])
    compare('nonzero', [data(dtype, 0)])
    compare('where', [data('bool', 3, 1), x, data(dtype, 5, seed=2)])
    for name in ('unique_all', 'unique_counts', 'unique_inverse', 'unique_values'):
        ours, theirs = getattr(xp, name)(x[0]), getattr(strict, name)(x[1])
        fields = theirs._fields if name != 'unique_values' else [None]
        for field in fields:
            same(getattr(ours, field) if field else ours, getattr(theirs, field) if field else theirs)
    if dtype in NUMERIC:
        row = both(np.sort(np.asarray(data(dtype, 8)[1])), dtype)
        for side in ('left', 'right'):
            compare('searchsorted', [row, data(dtype, 6, seed=4)], side=side)


@pytest.mark.parametrize('shape', [(100, 37), (3, 70, 19), (80, 2, 5)])
@pytest.mark.parametrize('dtype', [*INTEGERS, *REALS])
def test_orders_of_longer_lines(dtype, shape):
    x = data(dtype, *shape)
    for axis in range(len(shape)):
        for descending in (False, True):
            compare('sort', [x], axis=axis, descending=descending)
            compare('argsort', [x], axis=axis, descending=descending)
    every = np.arange(-32768, 32768, 7, dtype=np.int64)[::-1]
    if dtype in INTEGERS:
        limits = np.iinfo(dtype)
        x = both(every[(every >= limits.min) & (every <= limits.max)], dtype)
        compare('sort', [x])
        compare('argsort', [x])



@pytest.mark.parametrize('dtype', REALS)
def test_linear_algebra(dtype):
    tolerance = 2e-4 if dtype in SINGLE else 1e-11
    x, y = data(dtype, 2, 4, 4), data(dtype, 2, 4, 4, seed=1)
    spd = np.asarray(x[1]) @ np.swapaxes(np.asarray(x[1]), 1, 2) + 4 * np.eye(4)
    s = both(spd, dtype)
    compare('matmul', [x, data(dtype, 4, 3)], tolerance)
    compare('matmul', [data(dtype, 4), x], tolerance)
    compare('vecdot', [x, y], tolerance)
    compare('vecdot', [data(dtype, 40), data(dtype, 40, seed=1)], tolerance)
    compare('tensordot', [data(dtype, 2, 3, 4), data(dtype, 4, 3, 2)], tolerance, axes=((1, 2), (1, 0)))
    compare('tensordot', [data(dtype, 2, 3), data(dtype, 3, 2)], tolerance, axes=1)
    for name, arguments in (('cholesky', [s]), ('det', [x]), ('inv', [s]), ('slogdet', [x]), ('matrix_norm', [x]),
                            ('matrix_rank', [x]), ('pinv', [data(dtype, 2, 4, 3)]), ('svdvals', [data(dtype, 2, 4, 3)]),
                            ('trace', [x]), ('diagonal', [x]), ('vector_norm', [x]), ('eigvalsh', [s]),
                            ('outer', [data(dtype, 3), data(dtype, 4)]), ('cross', [data(dtype, 2, 3), data(dtype, 3)])):
        compare(name, arguments, tolerance, module='linalg')
    compare('cholesky', [s], tolerance, module='linalg', upper=True)
    compare('solve', [s, data(dtype, 2, 4, 3)], tolerance, module='linalg')
    compare('solve', [s, data(dtype, 4)], tolerance, module='linalg')
    for offset in (-1, 1, 3):
        compare('diagonal', [data(dtype, 3, 4)], module='linalg', offset=offset)
    for n in (-2, 0, 1, 3):
        compare('matrix_power', [s, n], 1e-3 if dtype in SINGLE else 1e-10, module='linalg')
    for order in ('fro', 'nuc', 1, -1, 2, -2, math.inf, -math.inf):
        compare('matrix_norm', [x], tolerance, module='linalg', ord=order)
    for order in (0, 1, 2, 3.5, math.inf, -math.inf):
        compare('vector_norm', [x], tolerance, module='linalg', ord=order, axis=-1)
    a = np.asarray(x[1])
    for mode in ('reduced', 'complete'):
        q, r = (np.asarray(part) for part in xp.linalg.qr(data(dtype, 4, 3)[0], mode=mode))
        np.testing.assert_allclose(q @ r, np.asarray(data(dtype, 4, 3)[1]), atol=tolerance * 10)
        np.testing.assert_allclose(q.T @ q, np.eye(q.shape[1]), atol=tolerance * 10)
    for full in (False, True):
        u, sv, vh = (np.asarray(part) for part in xp.linalg.svd(data(dtype, 4, 3)[0], full_matrices=full))
        np.testing.assert_allclose((u[:, :3] * sv) @ vh[:3], np.asarray(data(dtype, 4, 3)[1]), atol=tolerance * 10)
    values, vectors = (np.asarray(part) for part in xp.linalg.eigh(s[0]))
    np.testing.assert_allclose(np.asarray(s[1]) @ vectors, vectors * values[:, None, :], atol=tolerance * 100)


def test_creation():
    for name, arguments, named in (
            ('arange', [5], {}), ('arange', [2, 9, 3], {}), ('arange', [1.0, 2.0, 0.25], {}), ('arange', [5, 0, -2], {}),
            ('linspace', [0.0, 1.0, 5], {}), ('linspace', [0, 1], {'num': 4, 'endpoint': False}), ('zeros', [(2, 3)], {}),
            ('ones', [4], {}), ('full', [(2,), 7], {}), ('full', [(2,), 1.5], {}), ('full', [(), True], {}), ('full', [(2,), 1j], {}),
            ('linspace', [0.0, 1 + 2j, 4], {}), ('eye', [3], {}),
            ('eye', [3, 4], {'k': 1}), ('eye', [3, 2], {'k': -2})):
        compare(name, arguments, **named)
    for dtype in ALL:
        x = data(dtype, 2, 3)
        for name in ('zeros_like', 'ones_like'):
            compare(name, [x])
        compare('full_like', [x, 1])
        for target in ALL:
            if dtype in COMPLEX and target not in COMPLEX:
                with pytest.raises(TypeError):
                    xp.astype(x[0], getattr(xp, target))
                continue
            same(xp.astype(x[0], getattr(xp, target)),
                 strict.astype(strict.asarray(np.abs(np.asarray(x[1])).astype(dtype)) if target[0] == 'u' else x[1],
                               getattr(strict, target))) if target[0] != 'u' else None


def test_the_namespace_of_an_array():
    x = xp.ones(3)
    assert x.__array_namespace__() is xp and x.__array_namespace__(api_version='2023.12') is xp
    assert x.device == 'cpu' and x.to_device('cpu') is x
    for call in (lambda: x.__array_namespace__(api_version='1999.1'), lambda: x.to_device('gpu'),
                 lambda: xp.zeros(3, device='gpu')):
        with pytest.raises(ValueError):
            call()
    info = xp.__array_namespace_info__()
    assert set(info.dtypes()) == set(ALL) and info.default_dtypes()['real floating'] is xp.float64
    assert set(info.dtypes(kind='signed integer')) == {'int8', 'int16', 'int32', 'int64'}
    assert xp.finfo(xp.float32).eps == np.finfo('f4').eps and xp.iinfo(xp.uint8).max == 255
    assert info.default_dtypes()['complex floating'] is xp.complex128
    assert xp.finfo(xp.complex64).eps == np.finfo('f4').eps and xp.finfo(xp.complex128).dtype == xp.float64
    assert xp.isdtype(xp.complex64, ('complex floating', 'bool')) and xp.isdtype(xp.complex64, 'numeric')
    assert xp.isdtype(xp.int8, ('bool', 'integral')) and not xp.isdtype(xp.float32, 'integral')


def test_array_api_compat():
    compat = pytest.importorskip('array_api_compat')
    assert compat.is_array_api_obj(xp.ones(2)) and compat.array_namespace(xp.ones(2), xp.zeros(1)) is xp


def test_repeats_that_are_too_many():
    x = nd.array([1.0, 2.0])
    for counts in ((2**63, 1), (10**40, 0), (2**47, 2**47)):
        with pytest.raises(MemoryError):
            xp.repeat(x, counts)
    assert xp.repeat(x, (0, 3)).tolist() == [2.0, 2.0, 2.0]
    assert xp.repeat(x, (2, 0)).tolist() == [1.0, 1.0] and xp.repeat(x, (0, 0)).shape == (0,)


@pytest.mark.parametrize('call, text', [
    (lambda x: xp.flip([1, 2]), "[flip] argument 1 'x' is no NDArray but of type list"),
    (lambda x: xp.flip(np.dtype('f4')), "[flip] argument 1 'x' is no NDArray but of type "),
    (lambda x: xp.sum(None), "[sum] argument 1 'x' is no NDArray but of type NoneType"),
    (lambda x: xp.abs(3), "[abs] argument 1 'x' is no NDArray but of type int"),
    (lambda x: xp.add(x, 'a'), "[add] argument 2 'x2' is no NDArray but of type str"),
    (lambda x: xp.where(None, x, x), "[where] argument 1 'condition' is no NDArray but of type NoneType"),
    (lambda x: xp.stack(5), "[stack] argument 1 'arrays' is no list or tuple but of type int"),
    (lambda x: xp.concat([x, 3]), "[concat] argument 1 'arrays', element 1 is no NDArray but of type int"),
    (lambda x: xp.meshgrid(x, None), "[meshgrid] argument 1 'arrays', element 1 is no NDArray but of type NoneType"),
    (lambda x: xp.linalg.cholesky([1]), "[cholesky] argument 1 'x' is no NDArray but of type list"),
    (lambda x: xp.fft.fft([1]), "[fft] argument 1 'x' is no NDArray but of type list"),
])
def test_arguments_that_are_no_arrays_are_named(call, text):
    with pytest.raises(TypeError, match=re.escape(text)):
        call(nd.array([1.0, 2.0]))
