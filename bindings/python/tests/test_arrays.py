"""Arrays: creation, conversion, printing, methods, copies."""

import copy
import pickle

import numpy as np
import pytest

import ndforge as nd

TYPES = ['bool', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'float32', 'float64']


def same(x, expected):
    expected = np.asarray(expected)
    assert isinstance(x, nd.NDArray)
    assert x.shape == expected.shape
    assert x.dtype == expected.dtype
    np.testing.assert_array_equal(np.asarray(x), expected)


@pytest.mark.parametrize('value', [
    True, 3, 2.5, [], [[]], [1, 2], [1, 2.5], [True, False], [[1, 2], [3, 4]], (1, (2)), range(4), [[[1.5]]], [np.int16(3), 4],
    [1, True], 2**63, -2**63])
def test_values(value):
    expected = np.asarray(value)
    same(nd.array(value), expected)


@pytest.mark.parametrize('dtype', TYPES)
def test_types(dtype):
    expected = np.arange(6).reshape(2, 3).astype(dtype)
    x = nd.array(expected)
    same(x, expected)
    assert x.dtype.name == dtype and x.itemsize == expected.itemsize and x.nbytes == expected.nbytes
    assert x.strides == expected.strides and x.ndim == 2 and x.size == 6
    assert x.dtype == getattr(np, dtype, None) or dtype == 'bool'
    assert x.dtype == expected.dtype and x.dtype == dtype and not x.dtype == 'complex64'
    assert x.tolist() == expected.tolist()
    same(nd.array(expected.tolist(), dtype), expected)
    same(pickle.loads(pickle.dumps(x)), expected)
    same(copy.deepcopy(x), expected)
    same(nd.zeros((2, 2), dtype), np.zeros((2, 2), dtype))
    assert x.tobytes() == expected.tobytes()


@pytest.mark.parametrize('value, error, text', [
    ([[1], [1, 2]], ValueError, 'sequences of 1 and of 2 elements'),
    ([1, [2]], ValueError, 'numbers and sequences side by side'),
    ([[2], 1], ValueError, 'numbers and sequences side by side'),
    (['a', 1], TypeError, 'texts and numbers side by side'),
    ([object()], TypeError, 'no element can be made of'),
    (np.float32, TypeError, 'no element can be made of'),
    ([np.float32], TypeError, 'no element can be made of'),
    (2**64, OverflowError, 'too big'),
    (-2**63 - 1, OverflowError, '64 bits'),
])
def test_refused_values(value, error, text):
    with pytest.raises(error, match=text):
        nd.array(value)


def test_narrow_integers_are_checked():
    for value, dtype in [(300, 'uint8'), (-1, 'uint8'), (-1, 'uint64'), (2**31, 'int32'), (2**63, 'int64')]:
        with pytest.raises(OverflowError):
            nd.array([value], dtype)
    same(nd.array([255, 0], 'uint8'), np.array([255, 0], 'uint8'))


def test_types_have_many_names():
    for name in (nd.float32, 'float32', np.float32, np.dtype('float32'), 'float'):
        assert nd.zeros(1, name).dtype is nd.float32
    assert nd.zeros(1, float).dtype is nd.float64 and nd.zeros(1, int).dtype is nd.int64
    with pytest.raises(TypeError, match="no element type 'float33'"):
        nd.zeros(1, 'float33')
    assert pickle.loads(pickle.dumps(nd.int8)) is nd.int8
    assert {nd.int8: 1}[nd.array([1], 'int8').dtype] == 1


def test_texts():
    x = nd.array([['a', 'ß'], ['', 'long text']])
    assert x.dtype is nd.utf8 and x.shape == (2, 2)
    assert x.tolist() == [['a', 'ß'], ['', 'long text']] and x[1, 1].item() == 'long text'
    assert pickle.loads(pickle.dumps(x)).tolist() == x.tolist()
    with pytest.raises(TypeError, match='texts and numbers'):
        x + 1


@pytest.mark.parametrize('arguments', [(5,), (2, 9), (2, 9, 3), (9, 2, -2), (0, 1, 0.25), (5, 2), (0,), (1.5, 4), (-3, 3)])
def test_arange(arguments):
    same(nd.arange(*arguments), np.arange(*arguments))


def test_creation():
    same(nd.full((2, 2), 7), np.full((2, 2), 7))
    same(nd.full(3, 0.5, 'float32'), np.full(3, 0.5, 'float32'))
    same(nd.ones((2, 0, 3)), np.ones((2, 0, 3)))
    for rows, columns, k in [(3, None, 0), (3, 4, 1), (4, 2, -1), (2, 5, 4), (2, 2, 5), (3, 3, -5)]:
        same(nd.eye(rows, columns, k=k), np.eye(rows, columns, k))
    for arguments in [(0, 1, 5), (2, -2, 4), (0, 1, 1), (0, 1, 0)]:
        np.testing.assert_allclose(np.asarray(nd.linspace(*arguments)), np.linspace(*arguments), rtol=1e-15)
        np.testing.assert_allclose(np.asarray(nd.linspace(*arguments, endpoint=False)),
                                   np.linspace(*arguments, endpoint=False), rtol=1e-15)
    with pytest.raises(ValueError):
        nd.zeros((-1, 2))
    with pytest.raises(ValueError):
        nd.zeros((2**40, 2**40))


@pytest.mark.parametrize('value', [
    3, 2.5, -0.0, [], [[]], [1, 2, 3], [1.0, 2.0], [0.1, 1.25, -3], [1e10, 1], [1e-5, 1], [float('nan'), 1.5, float('inf')],
    [[1.5, 2], [3, 4]], [True, False], list(range(1200)), [[i + j / 4 for j in range(60)] for i in range(60)],
    [[[1, 2], [3, 4]], [[5, 6], [7, 8]]], [1 / 3, 2 / 3], [123456.789, 0.001], list(range(100)), [float(i) for i in range(40)],
    [1e300, 1e-300], [-1.0, 1.0], [-1, 10, -100]])
@pytest.mark.parametrize('dtype', [None, 'float32'])
def test_printing(value, dtype):
    with np.errstate(over='ignore'):
        expected = np.asarray(value, dtype)
        if dtype and not np.isfinite(expected).all() and np.isfinite(np.asarray(value, float)).all():
            return
    x = nd.array(expected)
    assert str(x) == str(expected)
    if expected.ndim:  # NumPy prints an element of its own type for an array without dimensions
        assert repr(x) == repr(expected)


def test_print_options():
    before = nd.get_print_options()
    try:
        nd.set_print_options(precision=2, threshold=4, edge=1)
        assert str(nd.array([1 / 3, 2, 3, 4, 5])) == '[0.33 ... 5.  ]'
        with pytest.raises(ValueError):
            nd.set_print_options(edge=0)
    finally:
        nd.set_print_options(**before)
    assert f'{nd.array(1.23456):.2f}' == '1.23'


def test_reshape():
    base = np.arange(24).reshape(2, 3, 4)
    views = [base, base[:, ::2], base.transpose(2, 0, 1), base[::-1], base[:, 1:2], base[1], base[..., 1:3], base[:, :0]]
    for view in views:
        x = nd.asarray(view)
        for shape in [(-1,), view.shape, view.shape[::-1], (1, -1), (2, -1), view.shape + (1,), (1,) + view.shape]:
            try:
                expected = view.reshape(shape)
            except ValueError:
                with pytest.raises(ValueError):
                    x.reshape(shape)
            else:
                same(x.reshape(shape), expected)
    x = nd.zeros((2, 6))
    x.reshape(3, 4)[1, 1] = 5  # a view
    assert x[0, 5] == 5
    for shape in [(5, 5), (-1, 5), (-1, -1), (-2, 6)]:
        with pytest.raises(ValueError, match='reshape'):
            x.reshape(shape)


REDUCTIONS = ['sum', 'prod', 'mean', 'max', 'min', 'var', 'std', 'all', 'any']


@pytest.mark.parametrize('name', REDUCTIONS)
@pytest.mark.parametrize('dtype', ['bool', 'int8', 'int32', 'uint8', 'int64', 'float32', 'float64'])
def test_reductions(name, dtype):
    data = (np.arange(24).reshape(2, 3, 4) % 5 - 1).astype(dtype)
    x = nd.array(data)
    for axis in [None, 0, 1, -1, (0, 2), (0, 1, 2)]:
        for keepdims in [False, True]:
            expected = getattr(data, name)(axis=axis, keepdims=keepdims)
            result = getattr(x, name)(axis=axis, keepdims=keepdims)
            assert result.shape == np.shape(expected)
            assert result.dtype == expected.dtype
            np.testing.assert_allclose(np.asarray(result), expected, rtol=1e-6)


def test_reductions_of_little():
    scalar = nd.array(3.0)
    for name in REDUCTIONS:
        assert getattr(scalar, name)().shape == ()
    empty = nd.zeros((0, 3))
    same(empty.sum(axis=0), np.zeros(3))
    same(empty.prod(axis=0), np.ones(3))
    same(empty.all(axis=0), np.ones(3, bool))
    with pytest.raises(ValueError):
        empty.max(axis=0)
    with pytest.raises(IndexError, match='axis 2 is outside -2..1'):
        empty.sum(axis=2)
    with pytest.raises(ValueError, match='twice'):
        empty.sum(axis=(0, 0))


def test_other_methods():
    data = np.array([[3.5, -1, 2], [2, 7, 7]])
    x = nd.array(data)
    for axis in (None, 0, 1, -1):
        same(x.argmax(axis), data.argmax(axis))
        same(x.argmin(axis, keepdims=True), data.argmin(axis, keepdims=True))
        same(x.cumsum(axis), data.cumsum(axis))
        same(x.cumprod(axis), data.cumprod(axis))
        same(x.repeat(2, axis), data.repeat(2, axis))
    same(x.clip(0, 3), data.clip(0, 3))
    same(x.round(), data.round())
    same(x.take([1, 0], axis=1), data.take([1, 0], axis=1))
    same(x[None].squeeze(), data)
    same(x.swapaxes(0, 1), data.swapaxes(0, 1))
    same(x.flatten(), data.flatten())
    same(x.T, data.T)
    same(nd.arange(24).reshape(2, 3, 4).mT, np.arange(24).reshape(2, 3, 4).swapaxes(1, 2))
    same(nd.arange(24).reshape(2, 3, 4).transpose(1, 2, 0), np.arange(24).reshape(2, 3, 4).transpose(1, 2, 0))
    same(x.astype('int32'), data.astype('int32'))
    assert [row.sum().item() for row in x] == [4.5, 16.0]
    assert len(x) == 2 and 7.0 in x and 8.0 not in x
    for call in (lambda: x.transpose(0, 0), lambda: x.transpose(0), lambda: x.squeeze(0), lambda: x.item()):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError):
        len(nd.array(1))


@pytest.mark.parametrize('dtype', ['bool', 'int8', 'float16', 'float64', 'complex64'])
@pytest.mark.parametrize('shape', [(7,), (4, 5), (3, 4, 5)])
def test_one_array_of_indices(dtype, shape):
    random = np.random.default_rng(1)
    x = random.integers(0, 100, shape).astype(dtype)
    for axis, size in enumerate(shape):
        for indices in (random.integers(-size, size, 6), random.integers(-size, size, (2, 3)), np.zeros(0, int),
                        random.integers(0, 2, size).astype(bool)):
            for before in (slice(None), slice(1, None), slice(None, None, -1)):
                key = (before,) * axis + (indices,)
                same(nd.array(x)[(before,) * axis + (nd.array(indices),)], x[key])
                same(nd.array(x)[(None, *(before,) * axis, nd.array(indices))], x[(None, *key)])
                if axis:
                    key = (0, *(before,) * (axis - 1), indices)
                    same(nd.array(x)[(*key[:-1], nd.array(indices))], x[key])
        with pytest.raises(IndexError, match=rf'index {size} is outside dimension {axis} of size {size}'):
            nd.array(x)[(slice(None),) * axis + (nd.array([0, size]),)]


@pytest.mark.parametrize('count', [0, 1, 3])
def test_repetitions(count):
    x = np.arange(24.0).reshape(2, 3, 4)
    for view in (x, x.transpose(2, 0, 1), x[:, :1]):
        for axis in (None, 0, 1, -1):
            same(nd.array(view).repeat(count, axis), view.repeat(count, axis))
    for first in ([4.0], [1.0, 2.0]):
        source = nd.array(first)
        copies = source.repeat(count)
        copies[:1] = 9  # a copy of its own
        same(source, first)
        same(copies[1:], np.repeat(first, count)[1:])


@pytest.mark.parametrize('dtype', ['bool', 'int8', 'uint16', 'int64', 'float16', 'float32', 'complex128'])
def test_squares(dtype):
    x = np.array([0, 1, 2, 3, 100]).astype(dtype)
    np.testing.assert_array_equal(np.asarray(nd.array(x) ** 2), x.astype('int64') ** 2 if dtype == 'bool' else x ** 2)
    same(nd.array(x.real.astype('float32')) ** 2.0, x.real.astype('float32') ** 2)


def test_files(tmp_path):
    x, y = nd.arange(6).reshape(2, 3), nd.array([0.5], 'float32')
    nd.save(tmp_path / 'x.npy', x)
    same(nd.load(tmp_path / 'x.npy'), np.load(tmp_path / 'x.npy'))
    nd.save(tmp_path / 'both.npz', first=x, second=y)
    loaded = np.load(tmp_path / 'both.npz')
    for name, array in nd.load(tmp_path / 'both.npz').items():
        same(array, loaded[name])
    for file in ('missing.npy', 'missing.npz', 'missing.so'):
        with pytest.raises(ValueError, match='missing'):
            nd.load(tmp_path / file)
    with pytest.raises(ValueError, match='one array'):
        nd.save(tmp_path / 'x.npy', x, y)
