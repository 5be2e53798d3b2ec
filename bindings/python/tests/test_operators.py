"""Operators and indices, against NumPy."""

import itertools
import operator
import random

import numpy as np
import pytest

import ndforge as nd

from test_arrays import TYPES, same

ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow]
COMPARISONS = [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge]
REAL = {'float16', 'float32', 'float64'}


def types_differ(a, b):
    """Whether the promotion of NDForge differs from NumPy's for these types (docs/semantics.md)."""
    return any(x in ('float16', 'float32') and y not in REAL and y != 'bool' for x, y in ((a, b), (b, a)))


@pytest.mark.parametrize('function', ARITHMETIC + COMPARISONS)
@pytest.mark.parametrize('first, second', list(itertools.product(TYPES, TYPES)))
def test_arrays_of_all_types(function, first, second):
    a, b = np.array([[1, 2, 3], [5, 7, 0]]).astype(first), np.array([2, 1, 3]).astype(second)
    if 'bool' in (first, second) and function in (operator.sub, operator.floordiv, operator.mod, operator.pow):
        return
    expected = function(a, b)
    result = function(nd.array(a), nd.array(b))
    assert result.shape == expected.shape
    if not types_differ(first, second):
        if not (function is operator.truediv and expected.dtype == np.float16) and first == second or function in COMPARISONS:
            assert result.dtype == expected.dtype or function is operator.truediv
    tolerance = 2e-3 if 'float16' in (first, second) else 1e-6
    np.testing.assert_allclose(np.asarray(result).astype(float), expected.astype(float), rtol=tolerance, atol=1e-6)


@pytest.mark.parametrize('function', ARITHMETIC + COMPARISONS)
@pytest.mark.parametrize('dtype', ['int32', 'int64', 'uint8', 'float32', 'float64'])
@pytest.mark.parametrize('number', [2, 3.5, True])
def test_numbers(function, dtype, number):
    data = np.array([1, 5, 9], dtype)
    for turned in (False, True):
        a, b = (number, data) if turned else (data, number)
        x, y = (number, nd.array(data)) if turned else (nd.array(data), number)
        expected, result = function(a, b), function(x, y)
        assert result.dtype == expected.dtype
        np.testing.assert_allclose(np.asarray(result), expected, rtol=1e-6)


@pytest.mark.parametrize('function', ARITHMETIC[:4] + COMPARISONS)
def test_broadcasting(function):
    """Of shapes of one length, and of one element of more dimensions than the other operand has."""
    a, b = np.array([[1.0, 2, 3]]), np.array([[4.0], [5], [6]])
    for first, second in ((a, b), (b, a), (a, b.astype('float32')), (a.astype('int64'), b.astype('int64'))):
        same(function(nd.array(first), nd.array(second)), function(first, second))
        result = function(nd.array(first), second.tolist())
        np.testing.assert_array_equal(np.asarray(result), function(first, second))
    for first, second in (([[2.0]], [1.0, 2, 3]), ([1.0, 2, 3], [[2.0]]), ([[2.0]], 3.0), ([[[2.0]]], [[1.0]])):
        same(function(nd.array(first), nd.array(second)), function(np.array(first), np.array(second)))
    same(function(nd.zeros(0), nd.array([[1.0]])), function(np.zeros(0), np.array([[1.0]])))


@pytest.mark.parametrize('function', COMPARISONS)
@pytest.mark.parametrize('dtype', TYPES)
def test_comparisons(function, dtype):
    """Of views, of all orders, with numbers, and of as many elements as are compared without the interpreter's lock."""
    a = np.array([[1, 2, 0], [3, 2, 1]]).astype(dtype)
    b = np.array([[1, 1, 1], [3, 3, 3]]).astype(dtype)
    numbers = [2, 2.0, True, 0] + ([float('nan'), float('inf')] if dtype.startswith('float') else [])
    for first, second in [(a, b), (a.T, b.T), (a[:, ::-1], b[:, ::2].repeat(2, 1)[:, :3]), (a[::-1], b), (np.tile(a, (2000, 1)), np.tile(b, (2000, 1))),
                          (a[:0], b[:0]), (a[0, 0, ...], b[0, 0, ...])] + [(a, number) for number in numbers]:
        x, y = nd.asarray(first), second if isinstance(second, (int, float)) else nd.asarray(second)
        result = function(x, y)
        assert result.dtype is nd.bool_
        np.testing.assert_array_equal(np.asarray(result), function(first, second))
        if not isinstance(second, np.ndarray):
            np.testing.assert_array_equal(np.asarray(function(y, x)), function(second, first))


def test_numbers_beyond_64_bits():
    with pytest.raises(OverflowError):
        nd.ones(2) < 2**70
    with pytest.raises(OverflowError):
        nd.ones(2, 'int8') == 300


def test_bits():
    a, b = np.array([12, 10, 7]), np.array([10, 3, 1])
    x, y = nd.array(a), nd.array(b)
    for function in (operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift):
        same(function(x, y), function(a, b))
    for function in (operator.and_, operator.or_, operator.xor):
        same(function(x > 8, y > 8), function(a > 8, b > 8))
        with pytest.raises(TypeError):
            function(nd.array([1.0]), nd.array([1.0]))
    same(~x, ~a)
    same(~(x > 8), ~(a > 8))
    same(-x, -a)
    same(+x, +a)
    same(abs(-x), abs(-a))
    q, r = divmod(x, 4)
    same(q, a // 4)
    same(r, a % 4)


def test_products():
    generator = np.random.default_rng(3)
    for first, second in [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((2, 3), (5, 3, 4)),
                          ((5, 1, 2, 3), (4, 3, 2)), ((3,), (5, 3, 2)), ((5, 2, 3), (3,)), ((2, 3), (2, 3, 3))]:
        a, b = generator.normal(size=first), generator.normal(size=second)
        result = nd.array(a) @ nd.array(b)
        assert result.shape == (a @ b).shape
        np.testing.assert_allclose(np.asarray(result), a @ b, rtol=1e-12, atol=1e-12)
    for first, second in [((2, 3), (2, 3)), ((2, 2, 3), (3, 3, 2)), ((), (3,))]:
        with pytest.raises(ValueError):
            nd.ones(first) @ nd.ones(second)


def test_in_place():
    x = nd.arange(4)
    same_object = x
    x += 2
    x *= x
    x -= nd.array(1)
    assert x is same_object and x.tolist() == [3, 8, 15, 24]
    for change in ('x += 0.5', 'x /= 2', 'x += nd.array([0.5])'):
        with pytest.raises(TypeError):
            exec(change, {'x': x, 'nd': nd})
    assert x.tolist() == [3, 8, 15, 24]
    y = nd.ones(3)
    y /= 4
    assert y.tolist() == [0.25] * 3
    with pytest.raises(ValueError):
        y += nd.ones((2, 3))
    with pytest.raises(OverflowError):
        nd.zeros(2, 'uint8') + 300


def test_beside_other_libraries():
    a = np.arange(3.0)
    x = nd.array(a)
    for result in (a + x, x + a, [1, 2, 3] + x, x + (1, 2, 3)):
        assert isinstance(result, nd.NDArray)
    same(a * x, a * a)
    with pytest.raises(TypeError):
        x + object()
    with pytest.raises(TypeError):
        x + None
    with pytest.raises(ValueError, match='broadcast'):
        x + nd.ones(4)


def test_as_numbers():
    assert bool(nd.array([1])) and not nd.array(0.0) and int(nd.array(3.9)) == 3 and float(nd.array([2])) == 2.0
    assert [10, 20][nd.array(1)] == 20
    with pytest.raises(ValueError, match='ambiguous'):
        bool(nd.ones(2))
    with pytest.raises(TypeError):
        float(nd.ones(2))
    with pytest.raises(TypeError):
        [10][nd.array(0.0)]
    with pytest.raises(TypeError):
        hash(nd.ones(1))


INDICES = [
    0, -1, (1,), (0, 1), (0, 1, 2), (-1, -1, -1), slice(None), slice(1, 3), slice(None, None, -1), slice(3, 0, -2), slice(5, 9),
    slice(2, 1), slice(None, None, 2**62), slice(-2**70, 2**70), ..., (..., 0), (0, ...), (..., slice(0, 2)), None, (None, 0, None), (slice(None), None), (slice(None), 1),
    [0, 1], [[0, 1], [1, 1]], ([0, 1], [1, 2]), ([0, 1], slice(None), [1, 2]), (0, slice(None), [1, 2]), (0, [1, 2]),
    (slice(None), [0, 2]), (..., [0, 1]), ([[0], [1]], [0, 2]), (None, [0, 1]), [], ([], slice(0, 2)), [-1, 0], True, False,
    (slice(None), slice(None, None, 2), slice(None, None, -3)), (slice(0, 0),), ([1], None, [2]), (slice(1), [0], None, 2),
    (0, 1, [2, 0]), ([0], 1, [2]), (slice(None), [0], 1)]


@pytest.mark.parametrize('index', INDICES, ids=str)
def test_indices(index):
    data = np.arange(2 * 3 * 4).reshape(2, 3, 4)
    expected = data[index]
    same(nd.array(data)[index], expected)
    for value in (7, np.arange(expected.size).reshape(expected.shape) * 3):
        changed, x = data.copy(), nd.array(data)
        if not (index is False):
            changed[index] = value
            x[index] = value
            same(x, changed)


def test_masks():
    data = np.arange(12).reshape(3, 4)
    x = nd.array(data)
    for mask in (data > 5, data > 99, data[0] > 1, data[:, 0] > 1):
        for index in ((mask,), (mask, ...)) if mask.shape == data.shape[:mask.ndim] else ((slice(None), mask),):
            same(x[index], data[index])
            changed, y = data.copy(), nd.array(data)
            changed[index] = -1
            y[index] = -1
            same(y, changed)
    same(x[x % 2 == 0], data[data % 2 == 0])
    with pytest.raises(IndexError, match='mask has size 3'):
        x[:, nd.array([True, False, True])]


@pytest.mark.parametrize('index, text', [
    (3, 'index 3 is outside dimension 0 of size 3'), ((0, -5), 'index -5 is outside dimension 1'), ((0, 0, 0), '3 indices for 2'),
    ((..., ...), 'stands twice'), ([0, 3], 'index 3 is outside'), ([0.5], 'integers or bool'), (([0, 1], [0, 1, 2]), 'do not broadcast')])
def test_wrong_indices(index, text):
    with pytest.raises(IndexError, match=text):
        nd.ones((3, 4))[index]


def test_wrong_index_types():
    for index in ('a', 1.5, object()):
        with pytest.raises(TypeError):
            nd.ones(3)[index]
    with pytest.raises(ValueError):
        nd.ones(3)[::0]
    with pytest.raises(TypeError):
        del nd.ones(3)[0]
    with pytest.raises(ValueError, match='broadcast'):
        nd.ones(3)[:2] = [1, 2, 3]


def test_views_share_memory():
    x = nd.zeros((3, 4))
    row, turned, part = x[1], x.T, x[::-1, ::2]
    row[:] = 5
    turned[0, 0] = 7
    part[0, 1] = 9
    assert x.tolist() == [[7, 0, 0, 0], [5, 5, 5, 5], [0, 0, 9, 0]]
    del x
    assert row.tolist() == [5] * 4
    y = nd.arange(6)
    y[1:] = y[:-1]  # the memory overlaps
    assert y.tolist() == [0, 0, 1, 2, 3, 4]


def test_random_indices():
    choose = random.Random(11)
    for _ in range(1500):
        shape = [choose.randrange(0, 4) for _ in range(choose.randrange(1, 5))]
        data = np.arange(int(np.prod(shape))).reshape(shape).astype(choose.choice(TYPES))
        index = []
        for size in shape[:choose.randrange(0, len(shape) + 1)]:
            kind = choose.randrange(5)
            if kind == 0 and size:
                index.append(choose.randrange(-size, size))
            elif kind == 1:
                index.append(slice(*(choose.choice([None, *range(-4, 5)]) for _ in range(2)), choose.choice([None, 1, 2, -1, -3])))
            elif kind == 2 and size:
                index.append([choose.randrange(-size, size) for _ in range(2)])
            elif kind == 3:
                index.append(np.array([choose.random() < 0.5 for _ in range(size)], bool))
            else:
                index.append(slice(None))
        if choose.random() < 0.3:
            index.insert(choose.randrange(0, len(index) + 1), None)
        index = tuple(index)
        try:
            expected = data[index]
        except IndexError:
            with pytest.raises(IndexError):
                nd.array(data)[index]
            continue
        x = nd.array(data)
        same(x[index], expected)
        value = choose.choice([1, (7 - expected).astype(data.dtype) if data.dtype != bool else ~expected])
        data[index] = value
        x[index] = value if isinstance(value, int) else nd.array(value)
        same(x, data)


def test_divmod_of_objects_that_fail_once():
    """The error of the first conversion is the error of the whole."""

    class Once:
        def __init__(self):
            self.calls = 0

        def __array__(self, dtype=None, copy=None):
            self.calls += 1
            if self.calls == 1:
                raise ValueError('not yet')
            return np.ones(1)

    with pytest.raises(ValueError, match='not yet'):
        divmod(Once(), nd.ones(1))
