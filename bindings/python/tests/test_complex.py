"""Complex numbers and Fourier transforms against NumPy."""
import copy
import operator
import pickle

import numpy as np
import pytest

import ndforge as nd

rng = np.random.default_rng(3)


def some(*shape, dtype=np.complex128):
    return (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(dtype)


@pytest.mark.parametrize('dtype', [np.complex64, np.complex128])
def test_arrays_of_numpy_and_back(dtype):
    a = some(3, 4, dtype=dtype)
    x = nd.array(a)
    assert x.dtype.name == np.dtype(dtype).name and x.dtype.kind == 'c'
    assert np.array_equal(np.asarray(x), a) and np.array_equal(np.from_dlpack(x), a)
    shared = nd.asarray(a[:, ::2])
    a[0, 0] = 7 - 1j
    assert shared[0, 0].item() == 7 - 1j
    assert x.tolist()[1][1] == complex(a[1, 1])
    assert np.array_equal(np.asarray(x.T[::-1]), np.asarray(x).T[::-1])
    assert str(x) == str(np.asarray(x)) and complex(x[0, 1]) == complex(a[0, 1])


@pytest.mark.parametrize('dtype', [np.complex64, np.complex128])
@pytest.mark.parametrize('key', [np.s_[::-1], np.s_[:, ::-1], np.s_[::2, 1::3], np.s_[:1], np.s_[:, :1], np.s_[5:], np.s_[..., None]],
                         ids=str)
def test_copies_of_views(dtype, key):
    a = some(5, 7, dtype=dtype)
    for view, expected in ((nd.array(a)[key], a[key]), (nd.array(a)[key].T, a[key].T)):
        assert np.array_equal(np.asarray(view.copy()), expected)
        for other in ('complex64', 'complex128'):
            assert np.array_equal(np.asarray(view.astype(other)), expected.astype(other))
    x, y = nd.array(a), a.copy()
    x[key], y[key] = x[key] * 2, y[key] * 2
    assert np.array_equal(np.asarray(x), y)


def test_numbers():
    x = nd.array([1 + 2j, 3, True, 0.5])
    assert x.dtype == nd.complex128 and x.tolist() == [1 + 2j, 3, 1, 0.5]
    assert nd.array([1 + 2j], dtype=nd.complex64).dtype == nd.complex64
    assert nd.array([1, 2], dtype=complex).dtype == nd.complex128
    x[1] = 2j
    assert x[1].item() == 2j
    for wrong in (lambda: nd.array([1j], dtype=nd.float32), lambda: nd.array([1.0]).__setitem__(0, 1j),
                  lambda: x.astype(nd.float64)):
        with pytest.raises((TypeError, ValueError)):
            wrong()


def test_operators():
    a, b = some(3, 4), some(4)
    x, y = nd.array(a), nd.array(b)
    for ours, theirs in ((x + y, a + b), (x - y, a - b), (x * y, a * b), (x / y, a / b), (-x, -a), (abs(x), abs(a)),
                         (x * 2, a * 2), (2j * x, 2j * a), (x + 0.5, a + 0.5), (1 / x, 1 / a), (x @ x.T, a @ a.T),
                         (x == x, a == a), (x.sum(), a.sum()), (x.mean(axis=0), a.mean(axis=0)),
                         (nd.array(a.real) * 1j, a.real * 1j), (nd.conj(x), a.conj()), (nd.angle(x), np.angle(a)),
                         (nd.real(x), a.real), (nd.imag(x), a.imag)):
        assert np.asarray(ours).dtype == theirs.dtype
        assert np.allclose(np.asarray(ours), theirs, rtol=1e-13, atol=1e-13)
    single = nd.array(a.astype(np.complex64))
    assert (single * 1j).dtype == nd.complex64 and (nd.array([1.0], dtype=nd.float32) * 1j).dtype == nd.complex64
    assert (nd.array([1, 2]) * 1j).dtype == nd.complex128
    x += 1
    assert np.allclose(np.asarray(x), a + 1)
    with pytest.raises((TypeError, ValueError), match='COMPLEX128'):
        nd.softmax(x)
    with pytest.raises((TypeError, ValueError)):
        x < x


@pytest.mark.parametrize('dtype', [np.complex64, np.complex128])
def test_parts(dtype):
    a = some(3, 4, dtype=dtype)
    x = nd.array(a)
    assert np.array_equal(np.asarray(x.real), a.real) and np.array_equal(np.asarray(x.T[::2].imag), a.T[::2].imag)
    assert x.real.dtype.name == a.real.dtype.name and x[1, 2].imag.item() == a[1, 2].imag
    x.real[0], a.real[0] = 7, 7
    x.imag, a.imag = nd.array([1, 2, 3, 4]), [1, 2, 3, 4]
    x[1:].real, a[1:].real = -x[1:].imag, -a[1:].imag
    assert np.array_equal(np.asarray(x), a)
    part = x.imag
    del x
    assert np.array_equal(np.asarray(part), a.imag)  # the memory lives as long as the view
    assert nd.zeros((2, 0), complex).real.shape == (2, 0)
    r = nd.array([1.5, 2.0])
    assert r.real is r and r.imag.tolist() == [0, 0] and nd.array([1, 2]).imag.dtype == nd.int64
    r.real = 3
    assert r.tolist() == [3, 3]
    for wrong in (lambda: setattr(r, 'imag', 1), lambda: nd.array('a').real, lambda: delattr(r, 'real')):
        with pytest.raises(TypeError):
            wrong()


def test_conjugates_and_magnitudes():
    a = some(3, 4)
    x = nd.array(a)
    for ours, theirs in ((x.conj(), a.conj()), (x.T.conjugate(), a.T.conj()), (nd.abs(x), abs(a)), (nd.abs(3 + 4j), 5.0),
                         (nd.square(x), a * a), (nd.array([1, 2]).conj(), np.array([1, 2])), (nd.abs([-1, 2]), np.array([1, 2]))):
        assert np.asarray(ours).dtype == np.asarray(theirs).dtype and np.allclose(np.asarray(ours), theirs, rtol=1e-15)


@pytest.mark.parametrize('dtype', [np.complex64, np.complex128])
@pytest.mark.parametrize('name', 'sum mean prod cumsum cumprod var std'.split())
def test_reductions(name, dtype):
    a = some(3, 4, 5, dtype=dtype)
    x = nd.array(a)
    for axis in (None, 0, 1, -1, *([] if name.startswith('cum') else [(0, 2)])):
        found, expected = np.asarray(getattr(x, name)(axis=axis)), getattr(a, name)(axis=axis)
        assert found.shape == expected.shape and found.dtype == expected.dtype
        assert np.allclose(found, expected, rtol=1e-4 if dtype == np.complex64 else 1e-12)
    if name in ('sum', 'prod'):
        assert np.array_equal(np.asarray(getattr(nd.zeros((2, 0), complex), name)(axis=1)), getattr(np.zeros((2, 0), complex), name)(1))
        assert getattr(x, name)(axis=(0, 2), keepdims=True).shape == (1, 4, 1)


def test_powers():
    a = some(5)
    x = nd.array(a)
    for n in (0, 1, 2, 3, 7, -1, -2, -5):
        assert np.allclose(np.asarray(x ** n), a ** n, rtol=1e-13)
    r = abs(a)
    for ours, theirs in ((x ** 0.5, a ** 0.5), (x ** x, a ** a), (2 ** x, 2 ** a), (x ** (1 - 2j), a ** (1 - 2j)),
                         (nd.array(r) ** 1j, r ** 1j), (nd.array(r) ** x, r ** a), (nd.array([2, 3]) ** 1j, np.array([2, 3]) ** 1j),
                         (nd.array(a.astype('c8')) ** 2, a.astype('c8') ** 2), (nd.Pow(x, 3), a ** 3)):
        assert np.asarray(ours).dtype == theirs.dtype
        assert np.allclose(np.asarray(ours), theirs, rtol=1e-6 if theirs.dtype == 'c8' else 1e-13)
    large = nd.array(some(100, 100))
    assert np.array_equal(np.asarray(large ** 2), np.asarray(large * large))
    with pytest.raises(OverflowError):
        x ** 2 ** 64


FUNCTIONS = ('exp expm1 log log1p sqrt square sin cosine tan sinh cosh tanh asin acos atan asinh acosh atanh reciprocal sign rint abs '
             'is_nan is_inf is_finite').split()
IN_NUMPY = {'cosine': 'cos', 'is_nan': 'isnan', 'is_inf': 'isinf', 'is_finite': 'isfinite',
            **{f'a{name}': f'arc{name}' for name in 'sin cos tan sinh cosh tanh'.split()}}


@pytest.mark.parametrize('dtype', [np.complex64, np.complex128])
@pytest.mark.parametrize('name', FUNCTIONS)
def test_functions(name, dtype):
    a = some(3, 4, dtype=dtype)
    x = nd.array(a)
    expected = getattr(np, IN_NUMPY.get(name, name))(a)
    for ours in (getattr(nd, name)(x), getattr(nd, name)(x.T).T, getattr(nd, name)(a), getattr(nd, name)(x, out=nd.array(np.zeros_like(expected)))):
        assert np.asarray(ours).dtype == expected.dtype
        assert np.allclose(np.asarray(ours), expected, rtol=2e-6 if dtype == np.complex64 else 1e-14)
    single = getattr(nd, name)(complex(a[0, 0]))
    assert single.shape == () and np.allclose(np.asarray(single), expected[0, 0], rtol=2e-6)
    graph = nd.Graph()
    z = graph.placeholder('z', x.dtype, (3, 4))
    assert np.array_equal(np.asarray(nd.Session(graph, [getattr(nd, name)(z)]).run(z=x)[0]), np.asarray(getattr(nd, name)(x)))


def test_choices():
    a, b = some(3, 4), some(3, 4)
    mask = a.real > 0
    assert np.array_equal(np.asarray(nd.where(nd.array(mask), nd.array(a), nd.array(b))), np.where(mask, a, b))
    assert np.array_equal(np.asarray(nd.where(nd.array(mask), nd.array(a), nd.array(b.real))), np.where(mask, a, b.real))


def test_gradients_of_functions():
    """dL/dre + i dL/dim, as in PyTorch."""
    a = some(6)
    loss = lambda z: nd.reduce_sum(nd.abs(nd.exp(z) * nd.sqrt(z) + z ** 2))
    theirs = lambda z: np.abs(np.exp(z) * np.sqrt(z) + z ** 2).sum()
    graph = nd.Graph()
    z = graph.placeholder('z', nd.complex128, (6,))
    gradient, = nd.gradients(loss(z), [z])
    found = np.asarray(nd.Session(graph, [gradient]).run(z=a)[0])
    for i in range(6):
        slopes = []
        for step in (1e-6, 1e-6j):
            moved = np.zeros(6, complex)
            moved[i] = step
            slopes.append((theirs(a + moved) - theirs(a - moved)) / 2e-6)
        assert abs(found[i] - complex(*slopes)) < 1e-6 * (1 + abs(found[i]))


def test_refused_operators():
    x = nd.array(some(3))
    for call in (operator.lt, operator.le, operator.gt, operator.ge, operator.floordiv, operator.mod, operator.and_, operator.xor):
        for other in (x, 1j, 2.0):
            with pytest.raises(TypeError):
                call(x, other)
    with pytest.raises(TypeError, match='all types but the complex ones'):
        x < x
    with pytest.raises(TypeError, match='real part or its absolute value'):
        x.astype(float)
    for call in (int, float, operator.invert, operator.index):
        with pytest.raises(TypeError):
            call(x[0])


def test_equality():
    a = np.array([1 + 2j, 3, complex('nan'), -0.0])
    x = nd.array(a)
    for other in (a, a[::-1].copy(), 3, 1 + 2j, 0.0, a.real.copy()):
        y = nd.array(other) if isinstance(other, np.ndarray) else other
        assert (x == y).tolist() == (a == other).tolist() and (x != y).tolist() == (a != other).tolist()
    assert 1 + 2j in x and 5j not in x and bool(x[0]) and not nd.array(0j)


def test_indices():
    a = some(4, 5)
    x, mask = nd.array(a), abs(a) > 1
    assert np.array_equal(np.asarray(x[nd.array(mask)]), a[mask]) and np.array_equal(np.asarray(x[[2, 0], 1:]), a[[2, 0], 1:])
    x[nd.array(mask)], a[mask] = 2j, 2j
    x[[3, 1]], a[[3, 1]] = nd.array(a[:2]), a[:2].copy()
    x[..., nd.array([0, 2])], a[..., [0, 2]] = 1, 1
    assert np.array_equal(np.asarray(x), a)


@pytest.mark.parametrize('dtype', [np.complex64, np.complex128])
def test_text_and_copies(dtype):
    for a in (some(2, 3, dtype=dtype), np.array([1, 2j], dtype), np.array([[complex('nan')], [complex('inf')]], dtype),
              np.zeros((0,), dtype), np.array([1e-10 + 1e10j, 1], dtype)):
        x = nd.array(a)
        assert repr(x) == repr(a).replace('np.', '') and str(x) == str(a)
        for again in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x), nd.from_dlpack(x), nd.asarray(np.asarray(x))):
            assert again.dtype == x.dtype and again.shape == x.shape and np.array_equal(np.asarray(again), a, equal_nan=True)
    assert str(nd.array(dtype(0.1 + 0.2j))) == str(dtype(0.1 + 0.2j)) == f'{nd.array(dtype(0.1 + 0.2j))}'
    assert str(nd.array(0.1, nd.float32)) == '0.1' and f'{nd.array(1 + 2j):.1f}' == '1.0+2.0j'
    pickled = pickle.loads(pickle.dumps(nd.array([[1.5, 2]], nd.bfloat16)))
    assert pickled.dtype == nd.bfloat16 and pickled.tolist() == [[1.5, 2]]


def test_creation():
    for ours, theirs in ((nd.full((2,), 1j), np.full(2, 1j)), (nd.linspace(0, 1 + 1j, 3), np.linspace(0, 1 + 1j, 3)),
                         (nd.ones((2, 2), complex), np.ones((2, 2), complex)), (nd.eye(2, dtype=nd.complex64), np.eye(2, dtype='c8')),
                         (nd.array([True]) + 1j, np.array([True]) + 1j), (nd.array([1.5]).astype(complex), np.array([1.5 + 0j])),
                         (nd.array([1 + 1j]).astype(nd.complex64), np.array([1 + 1j], 'c8')),
                         (nd.concat([nd.array([1j]), nd.array([2j])], axis=0), np.array([1j, 2j])),
                         (nd.array([[1, 2j]]) @ nd.array([[1.0], [2.0]]), np.array([[1, 2j]]) @ [[1.0], [2.0]])):
        assert np.asarray(ours).dtype == theirs.dtype and np.array_equal(np.asarray(ours), theirs)


def test_fourier_transforms():
    a = some(5, 6)
    r = a.real.copy()
    for ours, theirs in ((nd.fft(nd.array(a)), np.fft.fft(a)), (nd.ifft(nd.array(a), n=9, axis=0, norm='ortho'), np.fft.ifft(a, 9, 0, 'ortho')),
                         (nd.rfft(nd.array(r)), np.fft.rfft(r)), (nd.irfft(nd.array(a)), np.fft.irfft(a)),
                         (nd.fftn(nd.array(a)), np.fft.fftn(a)), (nd.rfftn(nd.array(r), axes=[1, 0]), np.fft.rfftn(r, axes=[1, 0])),
                         (nd.fftshift(nd.array(a), axes=[1]), np.fft.fftshift(a, axes=[1])),
                         (nd.fftfreq(n=7, d=0.5, dtype=nd.float64), np.fft.fftfreq(7, 0.5))):
        assert np.asarray(ours).dtype == theirs.dtype and np.allclose(np.asarray(ours), theirs)
    with pytest.raises(ValueError, match='axis'):
        nd.fft(nd.array(a), axis=2)


def test_gradient():
    g = nd.Graph()
    x = g.placeholder('x', nd.float64, (8,))
    power = nd.reduce_sum(nd.complex_abs(nd.rfft(x)))
    gradient, = nd.gradients(power, [x])
    value = rng.normal(size=8)
    result = np.asarray(nd.Session(g, [gradient]).run(x=value)[0])
    for i in range(8):
        step = np.zeros(8)
        step[i] = 1e-6
        expected = (abs(np.fft.rfft(value + step)).sum() - abs(np.fft.rfft(value - step)).sum()) / 2e-6
        assert abs(result[i] - expected) < 1e-6
