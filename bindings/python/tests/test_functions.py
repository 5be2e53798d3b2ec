"""Functions of the registry: calls, keyword arguments, help, errors, plugins."""

import inspect
import os
import pickle
import pydoc
import random
import re

import numpy as np
import pytest

import ndforge as nd
from ndforge import _help, _ndforge

ALL = [name for name, _ in _ndforge.function_names()]
# Those that the package does not write itself, as it does eye() and zeros_like().
NAMES = [name for name in ALL if isinstance(getattr(nd, name), nd.Function)]


def test_there_is_a_function_for_every_operation():
    assert len(NAMES) > 500 and len(ALL) - len(NAMES) < 20
    assert set(ALL) <= set(dir(nd))


@pytest.mark.parametrize('name', NAMES)
def test_help(name):
    function = getattr(nd, name)
    assert function.__name__ == name and callable(function)
    assert isinstance(inspect.signature(function), inspect.Signature)
    assert len(function.__doc__) > 20
    assert pickle.loads(pickle.dumps(function)).__name__ == name


@pytest.mark.parametrize('name', [name for name in NAMES if _help.example(getattr(nd, name))])
def test_example_runs(name):
    lines, call = _help.example(getattr(nd, name))
    scope = {'nd': nd}
    nd.seed(7)
    exec('\n'.join(lines), scope)
    result = eval(call, scope)
    results = result if isinstance(result, (tuple, list)) else [result]
    assert all(part is None or isinstance(part, nd.NDArray) for part in results)


def made_anew(*shapes):
    """A sequence whose arrays nobody else keeps."""
    class Sequence:
        def __len__(self):
            return len(shapes)

        def __getitem__(self, i):
            return nd.full(shapes[i], float(i))

    return Sequence()


def test_lists_that_make_their_arrays():
    assert nd.concat(made_anew(2, 1, 3), axis=0).tolist() == [0, 0, 1, 2, 2, 2]
    outputs = nd.svd(nd.eye(2), out=(nd.zeros((n, n) if n == 2 else 2) for n in (1, 2, 2)))
    assert [part.shape for part in outputs] == [(2,), (2, 2), (2, 2)]
    graph = nd.Graph()

    class Symbols:
        def __len__(self):
            return 2

        def __getitem__(self, i):
            return graph.constant(nd.ones([2, 1][i]))

    assert nd.concat(Symbols(), axis=0).shape == (3,)


def test_lists_that_are_several_arguments():
    a, b = np.arange(4.0).reshape(2, 2), np.ones((2, 2))
    x, y = nd.array(a), nd.array(b)
    for function in (np.einsum, nd.einsum):
        np.testing.assert_array_equal(function('ij,jk->ik', *((a, b) if function is np.einsum else (x, y))), a @ b)
    np.testing.assert_array_equal(nd.einsum('ii', x), np.trace(a))
    np.testing.assert_array_equal(nd.einsum('ij,jk', [x, y]), a @ b)
    np.testing.assert_array_equal(nd.concat(x, y, axis=1), np.concatenate([a, b], 1))
    np.testing.assert_array_equal(nd.stack(x, [[5.0, 6.0], [7.0, 8.0]]), np.stack([a, [[5, 6], [7, 8]]]))
    graph = nd.Graph()
    s = graph.placeholder('s', nd.float64, (2, 2))
    nd.einsum('ij,ij->i', s, y).named('rows')
    np.testing.assert_array_equal(nd.Session(graph, ['rows']).run(s=x)[0], a.sum(1))
    for call in (lambda: nd.concat(x, axis=0), lambda: nd.einsum(), lambda: nd.einsum('ij', x, 5, object()),
                 lambda: nd.einsum('ij', x, x=y), lambda: nd.softmax(x, y)):
        with pytest.raises((TypeError, ValueError)):
            call()
    with pytest.raises(TypeError, match='the others have names'):
        nd.concat([x, y], 1)


def test_where():
    a = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    x = nd.array(a)
    for c, p, q in ((a > 2, a, 0), (a > 2, 1, a), ([True, False], a, -a[:1]), (a, a, 2 * a), (a > 2, 1, 2.5), (a > 2, a.astype(np.float64), a),
                    (True, a, 0), (a[:0] > 2, a[:0], 5), (a > 2, a, 1j), (np.array([0.0, np.nan]), 7, a)):
        found, wanted = nd.where(*(nd.array(v) if isinstance(v, np.ndarray) else v for v in (c, p, q))), np.where(c, p, q)
        np.testing.assert_array_equal(found, wanted)
        assert found.dtype.name == wanted.dtype.name, (c, p, q)
    assert [v.tolist() for v in nd.where(x > 2)] == [v.tolist() for v in np.where(a > 2)]
    assert nd.where(nd.array([True, False]), nd.array(['a', 'b']), 'c').tolist() == ['a', 'c']
    graph = nd.Graph()
    s = graph.placeholder('s', nd.float32, (2, 2))
    nd.where(s > 2, s, -s).named('z')
    np.testing.assert_array_equal(nd.Session(graph, ['z']).run(s=x)[0], np.where(a > 2, a, -a))
    with pytest.raises(TypeError, match="'x' and 'y' are given together"):
        nd.where(x > 2, x)
    with pytest.raises(ValueError, match='broadcast'):
        nd.where(x > 2, nd.zeros(3), x)


def test_functions_of_the_standard():
    x = nd.array([1.0, np.nan, np.inf])
    np.testing.assert_array_equal(nd.isnan(x), [False, True, False])
    np.testing.assert_array_equal(nd.cos(nd.array([0.0])), [1.0])
    assert nd.nonzero(x > 0)[0].tolist() == [0, 2]
    assert nd.linalg is nd.array_api.linalg and 'isnan' in dir(nd)
    assert nd.argmax is not nd.array_api.argmax and not hasattr(nd, 'bool')


def test_objects_that_misbehave():
    class Odd:
        def __repr__(self):
            return '\ud800'

    class Once:
        left = [2**63]

        def __index__(self):
            return self.left.pop()

    for call in (lambda: nd.softmax(nd.ones(2), axis=Odd()), lambda: nd.array(Odd()), lambda: nd.array([Once()]), lambda: nd.ones(2)[Odd()],
                 lambda: nd.pad(nd.ones((1, 1)), [[1, 1], [1, 1]], mode='\ud800'), lambda: _ndforge._save('x.npy', [('x', None)]),
                 lambda: _ndforge._text(None, 0, ''), lambda: _ndforge._broadcast(1, [2])):
        with pytest.raises((TypeError, ValueError, IndexError)):
            call()
    symbol = nd.Symbol.__new__(nd.Symbol)
    for call in (lambda: symbol + 1, lambda: -symbol, lambda: hash(symbol), lambda: nd.exp(symbol)):
        with pytest.raises(TypeError):
            call()


def test_pydoc():
    text = pydoc.render_doc(nd.maxpool2d, renderer=pydoc.plaintext)
    assert 'maxpool2d(x, *, kernel, stride=(1, 1)' in text and 'Maximum pooling of images.' in text and '>>> nd.maxpool2d(x' in text


def test_values():
    generator = np.random.default_rng(1)
    x = generator.normal(size=(3, 4)).astype('float32')
    e = np.exp(x - x.max(1, keepdims=True))
    np.testing.assert_allclose(np.asarray(nd.softmax(x, axis=1)), e / e.sum(1, keepdims=True), rtol=1e-6)
    np.testing.assert_allclose(np.asarray(nd.matmul(x, x, transpose_b=True)), x @ x.T, rtol=1e-5)
    np.testing.assert_array_equal(np.asarray(nd.concat([x, x], axis=1)), np.concatenate([x, x], 1))
    np.testing.assert_array_equal(np.asarray(nd.reshape(x, shape=(4, 3))), x.reshape(4, 3))
    np.testing.assert_allclose(np.asarray(nd.sum(x, axis=[0])), x.sum(0), rtol=1e-6)
    values, indices = nd.top_k(x, k=2)
    np.testing.assert_array_equal(np.asarray(values), -np.sort(-x, 1)[:, :2])
    assert nd.top_k(x, k=2).indices.shape == (3, 2)
    parts = nd.split(x, num_splits=2, axis=1)
    assert isinstance(parts, list) and parts[1].tolist() == x[:, 2:].tolist()


def test_types_meet():
    x, y = nd.array([1, 2]), nd.array([0.5, 0.25])
    assert nd.add(x, y).tolist() == (x + y).tolist() == [1.5, 2.25]
    assert nd.add(x, 0.5).tolist() == [1.5, 2.5] and nd.add(x, 1).dtype is nd.int64
    assert nd.exp(nd.array([0.0], 'float32')).dtype is nd.float32


def test_repeated_calls():
    """A call that differs from the last one in anything takes nothing over from it."""
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    a, b = nd.array(x), nd.array(x.astype(np.int32))
    for times in (1, 2, 3):
        for array, value in ((a, x), (b, x.astype(np.int32))):
            for axis in (0, 1, -1, (0, 1), 0, None):
                for keep in (False, True):
                    for _ in range(times):
                        result = nd.reduce_max(array, axis=axis, keep_dims=keep)
                        expected = value.max(axis=axis, keepdims=keep)
                        assert np.array_equal(result, expected) and result.shape == expected.shape
                        assert result.dtype == array.dtype
        for high in (0.0, -0.0, 2, 2.5):
            for _ in range(times):
                result = np.asarray(nd.clipbyvalue(a, min=-5, max=high))
                assert np.array_equal(result, np.clip(x, -5, high))
                assert np.signbit(result[1, 2]) == np.signbit(high)
        for other in (a, 2, 0.5, x, [1, 2, 3]):
            for _ in range(times):
                assert np.array_equal(nd.multiply(a, other), x * np.asarray(other, dtype=np.float32))
                assert np.array_equal(nd.multiply(x=other, y=a), x * np.asarray(other, dtype=np.float32))


def test_out():
    x, out = nd.ones(3), nd.zeros(3)
    assert nd.add(x, x, out=out) is out and out.tolist() == [2, 2, 2]
    with pytest.raises(ValueError):
        nd.add(x, x, out=nd.zeros(4))
    with pytest.raises(TypeError, match="'out' is an array"):
        nd.add(x, x, out=[1])
    assert out.tolist() == [2, 2, 2]


@pytest.mark.parametrize('call, error, text', [
    (lambda x: nd.maxpool2d(x), TypeError, "argument 'kernel' is missing"),
    (lambda x: nd.maxpool2d(x, kernel=(2, 2), strid=1), TypeError, "no argument 'strid'; there are x, kernel, stride"),
    (lambda x: nd.maxpool2d(x, (2, 2)), TypeError, '2 positional arguments, at most 1'),
    (lambda x: nd.maxpool2d(x, kernel=(1, 2, 3)), TypeError, "'kernel' is a sequence of 2"),
    (lambda x: nd.maxpool2d(x, kernel='a'), TypeError, "'kernel' is a sequence of 2"),
    (lambda x: nd.maxpool2d(x, kernel=(0, 1)), ValueError, "argument 'kernel': 0 is outside 1"),
    (lambda x: nd.maxpool2d(x, kernel=(2**40, 1)), ValueError, 'is outside'),
    (lambda x: nd.maxpool2d(x, kernel=2, layout='hwcn'), ValueError, "'hwcn' is none of 'nchw', 'nhwc'"),
    (lambda x: nd.maxpool2d(x, x=x, kernel=2), TypeError, "'x' is given twice"),
    (lambda x: nd.relu(None), TypeError, "input 'x' is None|argument 'x' is missing"),
    (lambda x: nd.relu(object()), TypeError, "input 'x' is no array but of type object"),
    (lambda x: nd.concat(x, axis=0), TypeError, 'is a list of arrays'),
    (lambda x: nd.softmax(x, axis=9), ValueError, 'softmax'),
    (lambda x: nd.gather(x, nd.array([7]), axis=0), (ValueError, IndexError), 'gather'),
    (lambda x: nd.cast(x, dtype='float99'), TypeError, "no element type 'float99'"),
    (lambda x: nd.soft_max(x), AttributeError, "did you mean 'softmax'"),
])
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call(nd.ones((1, 1, 3, 3)))


def test_random_numbers_repeat():
    nd.seed(5)
    first = nd.random_normal(shape=(4,), mean=0.0, stdev=1.0).tolist()
    second = nd.random_normal(shape=(4,), mean=0.0, stdev=1.0).tolist()
    nd.seed(5)
    assert nd.random_normal(shape=(4,), mean=0.0, stdev=1.0).tolist() == first != second


@pytest.mark.skipif(not os.environ.get('NDFORGE_PLUGIN'), reason='NDFORGE_PLUGIN names no library of operations')
def test_plugins():
    assert not hasattr(nd, 'rescale')
    nd.load(os.environ['NDFORGE_PLUGIN'])
    assert nd.rescale([nd.array([1.0, 2.0])], floats=[2.0, 1.0]).tolist() == [3.0, 5.0]
    assert 'rescale' in dir(nd)
    for file in (os.environ['NDFORGE_CLASHING_PLUGIN'], 'none.so'):
        with pytest.raises((ValueError, RuntimeError)):
            nd.load(file)


# Operations that print, that end the process on purpose, or that wait.
LEFT_OUT = {'Assert', 'print_variable', 'print_affinity'}


def random_value(choose, depth=0):
    kind = choose.randrange(12 if depth < 2 else 9)
    if kind == 0:
        return None
    if kind == 1:
        return choose.choice([True, False])
    if kind == 2:
        return choose.choice([0, 1, -1, 2, 7, -5, 2**31, 2**63 - 1, -2**63])
    if kind == 3:
        return choose.choice([0.0, 0.5, -1.5, 1e30, float('nan'), float('inf')])
    if kind == 4:
        return choose.choice(['', 'nchw', 'same', 'x', 'float32'])
    if kind < 9:
        shape = [choose.choice([0, 1, 2, 3, 5]) for _ in range(choose.randrange(0, 5))]
        dtype = choose.choice(['float32', 'float64', 'int32', 'int64', 'bool', 'uint8', 'float16', 'bfloat16'])
        x = nd.arange(int(np.prod(shape))).reshape(shape).astype(dtype)
        return choose.choice([x, x, x.T, x[::-1] if shape else x])
    return [random_value(choose, depth + 1) for _ in range(choose.randrange(0, 4))]


@pytest.fixture
def little_memory():
    former = nd.memory_limit()
    nd.set_memory_limit(2 ** 30)
    yield
    nd.set_memory_limit(former)


def test_memory_limit(little_memory):
    assert nd.memory_limit() == 2 ** 30
    with pytest.raises(MemoryError):
        nd.zeros(2 ** 28)
    with pytest.raises(ValueError):
        nd.set_memory_limit(-1)


@pytest.mark.parametrize('seed', range(4))
def test_wrong_calls(seed, little_memory):
    """Whatever a call is given, it ends in a result or in a Python error. NDFORGE_CALLS sets the number of calls."""
    choose = random.Random(seed)
    functions = [getattr(nd, name) for name in NAMES if name not in LEFT_OUT]
    for _ in range(int(os.environ.get('NDFORGE_CALLS', 20000)) // 4):
        function = choose.choice(functions)
        parameters, positional = function._parameters
        values = [random_value(choose) for _ in range(choose.randrange(0, positional + 1))]
        named = {p['name']: random_value(choose) for p in parameters[len(values):-1] if choose.random() < 0.4}
        try:
            function(*values, **named)
        except (ValueError, TypeError, IndexError, OverflowError, MemoryError):
            pass


NUMPY_FUNCTIONS = [
    ('dot', lambda xp, a: (a[0], a[0]), {}), ('dot', lambda xp, a: (a[1], a[1].T), {}), ('dot', lambda xp, a: (a[1], a[0]), {}),
    ('dot', lambda xp, a: (2.0, a[1]), {}), ('dot', lambda xp, a: (a[2], a[0]), {}), ('dot', lambda xp, a: (a[1], xp.swapaxes(a[2], 1, 2)), {}),
    ('inner', lambda xp, a: (a[0], a[0]), {}), ('inner', lambda xp, a: (a[1], a[2]), {}), ('inner', lambda xp, a: (a[0], 3.0), {}),
    ('outer', lambda xp, a: (a[0], a[1]), {}), ('outer', lambda xp, a: (2.0, a[0]), {}),
    ('atleast_1d', lambda xp, a: (5.0,), {}), ('atleast_2d', lambda xp, a: (a[0],), {}), ('atleast_2d', lambda xp, a: (a[2],), {}),
    ('vstack', lambda xp, a: ([a[0], a[1]],), {}), ('hstack', lambda xp, a: ([a[0], a[0]],), {}),
    ('hstack', lambda xp, a: ([a[1], a[1]],), {}), ('column_stack', lambda xp, a: ([a[0], a[1].T],), {}),
    ('append', lambda xp, a: (a[1], a[0]), {}), ('append', lambda xp, a: (a[1], a[1]), {'axis': 0}),
    ('swapaxes', lambda xp, a: (a[2], 0, -1), {}), ('fliplr', lambda xp, a: (a[1],), {}), ('flipud', lambda xp, a: (a[2],), {}),
    ('ptp', lambda xp, a: (a[1],), {}), ('ptp', lambda xp, a: (a[1],), {'axis': 1}),
    ('isclose', lambda xp, a: (a[3], a[3]), {}), ('isclose', lambda xp, a: (a[3], a[3]), {'equal_nan': True}),
    ('isclose', lambda xp, a: (a[3], a[3][::-1]), {}), ('isclose', lambda xp, a: (a[0], a[0] + 1e-7), {}),
    ('isclose', lambda xp, a: (a[0], a[0] + 1e-3), {'rtol': 1e-2}), ('isclose', lambda xp, a: ([1, 2], [1, 3]), {}),
    ('allclose', lambda xp, a: (a[0], a[0]), {}), ('allclose', lambda xp, a: (a[3], a[3]), {}),
    ('array_equal', lambda xp, a: (a[0], a[0]), {}), ('array_equal', lambda xp, a: (a[0], a[1]), {}),
    ('dot', lambda xp, a: (a[2], a[4]), {}), ('inner', lambda xp, a: (a[4], a[0]), {}), ('outer', lambda xp, a: (a[4], a[0]), {}),
    ('vstack', lambda xp, a: ([a[4], a[0]],), {}), ('hstack', lambda xp, a: ([a[0], a[4]],), {}),
    ('column_stack', lambda xp, a: ([a[4], a[0]],), {}), ('append', lambda xp, a: (a[4], 1.5), {}),
    ('append', lambda xp, a: (a[4], a[4]), {}), ('isclose', lambda xp, a: (a[4], a[4] + 1e-9), {}),
    ('array_equal', lambda xp, a: (a[3], a[3]), {}), ('array_equal', lambda xp, a: ([1, 2], [1, 3]), {}),
]


@pytest.mark.parametrize('name, given, named', NUMPY_FUNCTIONS)
def test_functions_that_only_numpy_has(name, given, named):
    random = np.random.default_rng(3)
    arrays = [random.normal(size=3), random.normal(size=(2, 3)), random.normal(size=(4, 2, 3)),
              np.array([1.0, np.nan, np.inf, -np.inf, 1.0]), np.array([1, 2, 3])]
    expected = getattr(np, name)(*given(np, arrays), **named)
    ours = [nd.array(x) for x in arrays]
    got = getattr(nd, name)(*given(nd, ours), **named)
    if isinstance(expected, (bool, np.bool_)):
        assert got is bool(expected)
    else:
        np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-12)
        assert got.shape == expected.shape and got.dtype.name == expected.dtype.name


@pytest.mark.parametrize('call, error, text', [
    (lambda: nd.vstack(3), TypeError, 'not iterable'),
    (lambda: nd.swapaxes([[1.0]], 0, 2), ValueError, '[swapaxes] axis 2 is outside -2..1'),
    (lambda: nd.dot(nd.ones((2, 3)), nd.ones((2, 3))), ValueError, '[matmul]'),
    (lambda: nd.fliplr(nd.ones(3)), IndexError, 'index'),
])
def test_functions_that_only_numpy_has_refuse(call, error, text):
    with pytest.raises(error, match=re.escape(text)):
        call()
