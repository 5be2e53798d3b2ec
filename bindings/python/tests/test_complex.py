"""Complex numbers and Fourier transforms against NumPy."""
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
