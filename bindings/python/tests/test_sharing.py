"""Memory shared with other libraries, and how long it lives."""

import array
import gc
import itertools

import numpy as np
import pytest

import ndforge as nd

from test_arrays import TYPES, same


@pytest.mark.parametrize('dtype', TYPES)
def test_numpy(dtype):
    base = np.arange(24).reshape(2, 3, 4).astype(dtype)
    for view in (base, base[:, ::2], base[::-1], base.T, base[1, 1, 1:], base[:0]):
        x = nd.asarray(view)
        same(x, view)
        back = np.asarray(x)
        assert back.strides == view.strides or view.size == 0
        if view.size:
            assert np.shares_memory(back, base)
        np.testing.assert_array_equal(np.from_dlpack(x), view)
        np.testing.assert_array_equal(x.__array__(), view)


def test_changes_are_seen_on_both_sides():
    a = np.zeros(3)
    x = nd.asarray(a)
    a[0], x[1] = 5, 6
    assert a.tolist() == x.tolist() == [5, 6, 0]
    copy = nd.array(a)
    copy[2] = 1
    assert a[2] == 0
    assert np.shares_memory(nd.array(a, copy=False).numpy(), a)
    with pytest.raises(ValueError):
        nd.array([1], copy=False)
    with pytest.raises(ValueError):
        nd.array(a, dtype='int8', copy=False)


def test_memory_that_may_not_be_written(tmp_path):
    a = np.arange(3.0)
    a.flags.writeable = False
    np.arange(4096, dtype='uint8').tofile(tmp_path / 'file')
    mapped = np.memmap(tmp_path / 'file', mode='r')

    class ReadOnly:  # by DLPack alone
        def __dlpack__(self, **options):
            return a.__dlpack__(**options)

        def __dlpack_device__(self):
            return (1, 0)

    for value in (a, mapped, memoryview(b'abc'), np.broadcast_to(np.ones(2), (3, 2)), ReadOnly()):
        for make in (nd.asarray, lambda v: nd.array(v, copy=None), nd.from_dlpack):
            if make is nd.from_dlpack and isinstance(value, memoryview):
                continue
            x = make(value)
            x[...] = 1
            assert x.tolist() == nd.ones(x.shape).tolist()
        with pytest.raises(ValueError):
            nd.array(value, copy=False)
    assert a.tolist() == [0, 1, 2] and mapped[1] == 1
    same(nd.ones(3) + a, np.ones(3) + a)  # operands are only read


def test_arrays_that_numpy_describes():
    """Elements that NumPy's structs describe and arrays cannot have, or that do not lie where they can be read."""
    for a in (np.zeros(2, 'M8[s]'), np.zeros(2, np.longdouble)):
        for make in (nd.from_dlpack, nd.asarray):
            with pytest.raises((TypeError, ValueError)):
                make(a)
    for a in (np.arange(3, dtype='>i4'), np.arange(3, dtype='>c8'), np.zeros(2, 'i4,f4')['f1'], np.ones(33, 'uint8')[1:].view('float64')):
        same(nd.asarray(a), a.astype(a.dtype.newbyteorder('=')))
        assert (nd.ones(a.shape) * a).tolist() == a.tolist()
    same(nd.asarray(np.arange(24).reshape(2, 3, 4)[::-1, :, ::2]), np.arange(24).reshape(2, 3, 4)[::-1, :, ::2])
    same(nd.asarray(np.float32(3)[...]), np.float32(3)[...])


def test_buffers():
    x = nd.asarray(array.array('i', [1, 2, 3]))
    assert x.dtype is nd.int32 and x.tolist() == [1, 2, 3]
    assert nd.asarray(b'ab' if False else bytearray(b'ab')).tolist() == [97, 98]
    view = memoryview(nd.array([[1.5, 2.5]]))
    assert view.shape == (1, 2) and view.format == 'd' and view.tolist() == [[1.5, 2.5]]
    assert bytes(memoryview(nd.array([1, 2], 'int16'))) == b'\1\0\2\0'
    with pytest.raises(BufferError, match='lie one behind the other'):
        memoryview(nd.zeros((4, 4)).T).cast('B') if False else bytes_of(nd.zeros((4, 4))[:, ::2])
    with pytest.raises(BufferError, match='bfloat16'):
        memoryview(nd.zeros(2, 'bfloat16'))


def bytes_of(x):
    import hashlib
    return hashlib.md5(x)  # asks for memory without strides


def test_array_interface():
    x = nd.arange(6).reshape(2, 3)[:, ::2]
    fields = x.__array_interface__
    assert fields['shape'] == (2, 2) and fields['strides'] == (24, 16) and fields['typestr'] == '<i8'

    class Holder:
        __array_interface__ = fields
        keep = x

    same(x, np.asarray(Holder()))


def test_dlpack_of_others():
    torch = pytest.importorskip('torch')
    t = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    for tensor in (t, t.T, t[:, 1:], t.bfloat16(), t.half(), t.int(), t > 2):
        x = nd.from_dlpack(tensor)
        assert x.tolist() == tensor.tolist() and x.dtype == tensor.dtype
        assert torch.from_dlpack(x).tolist() == tensor.tolist()
    x = nd.from_dlpack(t)
    t[0, 0] = 9
    assert x[0, 0] == 9
    del t
    gc.collect()
    assert x[0, 0] == 9
    with pytest.raises(TypeError):
        nd.from_dlpack([1, 2])


def test_dlpack_options():
    x = nd.ones(3)
    copied = np.from_dlpack(x, copy=True)
    copied[0] = 5
    assert x[0] == 1
    assert x.__dlpack_device__() == (1, 0)
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(2, 0))
    capsule = x.__dlpack__()
    del capsule  # nobody took it
    with pytest.raises(ValueError):
        nd.from_dlpack(nd.array('text'))


class Held:
    """A capsule that nobody has taken yet."""

    def __init__(self, value):
        self._capsule, self._device = value.__dlpack__(), value.__dlpack_device__()

    def __dlpack__(self, **options):
        return self._capsule

    def __dlpack_device__(self):
        return self._device


CHAIN = [lambda v: np.asarray(v), lambda v: nd.asarray(v), lambda v: memoryview(v), lambda v: np.from_dlpack(v),
         lambda v: nd.from_dlpack(v), lambda v: nd.from_dlpack(Held(v)), lambda v: v[1:], lambda v: v[::2]]


def follow(start, steps):
    values = [start]
    for step in steps:
        try:
            values.append(step(values[-1]))
        except (TypeError, NotImplementedError, AttributeError, ValueError, BufferError):
            return None
    return values


def test_memory_outlives_in_every_order():
    for make in (lambda: nd.arange(64), lambda: np.arange(64), lambda: bytearray(range(64))):
        for steps in itertools.product(CHAIN, repeat=3):
            if follow(make(), steps) is None:
                continue
            for order in itertools.permutations(range(3)):
                values = follow(make(), steps)
                last = values.pop()
                expected = list(np.asarray(last).tolist())
                for i in sorted(order, key=lambda k: order[k]):
                    if i < len(values):
                        values[i] = None
                gc.collect(0)
                filler = [bytearray(64 * 8) for _ in range(4)]  # takes freed memory
                assert np.asarray(last).tolist() == expected
                del filler, last


def test_capsules_that_nobody_takes():
    for make in (lambda: nd.arange(64), lambda: np.arange(64)):
        held, untaken = Held(make()), Held(make())
        gc.collect(0)
        filler = [bytearray(64 * 8) for _ in range(4)]
        x = nd.from_dlpack(held)
        del held, untaken
        assert x.tolist() == list(range(64)) and filler
        with pytest.raises((TypeError, ValueError, BufferError)):
            again = Held(x)
            nd.from_dlpack(again), nd.from_dlpack(again)  # a capsule is taken once


def test_threads():
    import threading
    x = nd.ones(200_000)
    failures = []

    def work(seed):
        for i in range(30):
            y = x * seed + i
            if y[5] != seed + i or (x + x).sum() != 400_000:
                failures.append((seed, i))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
