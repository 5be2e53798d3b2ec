"""Values for generated calls: arrays of every type, Python objects of every kind, and objects that misbehave."""

import array
import ctypes
import math

import numpy as np

import ndforge as nd

NUMBERS = [
    'bool_',
    'int8',
    'int16',
    'int32',
    'int64',
    'uint8',
    'uint16',
    'uint32',
    'uint64',
    'float16',
    'bfloat16',
    'float32',
    'float64',
    'complex64',
    'complex128',
]
STRINGS = ['utf8', 'utf16', 'utf32']
SMALL = [0, 1, 2, 3, -1, -2, 4, 5, 7]
LARGE = [
    100,
    -100,
    127,
    128,
    255,
    256,
    2**15,
    2**31 - 1,
    2**31,
    -(2**31),
    -(2**31) - 1,
    2**32,
    2**53 + 1,
    2**62,
    2**63 - 1,
    -(2**63),
    2**63,
    -(2**63) - 1,
    2**64 - 1,
    2**64,
    10**40,
    -(10**40),
]
REALS = [0.0, -0.0, 1.0, 0.5, -1.5, 2.0, 3.7, 1e-300, 1e30, 1e308, -1e308, math.inf, -math.inf, math.nan]
TEXTS = ['', 'a', 'abc', 'é', '日本', '𝄞', 'same', 'SAME', 'valid', 'float32', 'NHWC', 'NCHW', 'x' * 100, 'a\0b', 'mean']
NO_UTF8 = '\ud800'


class Odd(Exception):
    """What objects that misbehave raise."""


def fail(*_, **__):
    raise Odd('an object that misbehaves')


class Behaves:
    """An object with these special methods."""


def behaving(**methods):
    return type('Behaves', (Behaves,), methods)()


def made_anew(values):
    """A sequence that makes its items when they are asked for, so that nobody else keeps them."""

    def item(self, i):
        if i >= len(values):
            raise IndexError(i)
        return values[i]()

    return behaving(__len__=lambda self: len(values), __getitem__=item)


class Values:
    def __init__(self, random):
        self.r = random

    def pick(self, *values):
        return self.r.choice(values)

    def chance(self, probability):
        return self.r.random() < probability

    # ---- numbers and shapes

    def integer(self):
        return self.r.choice(SMALL) if self.chance(0.85) else self.r.choice(LARGE)

    def number(self):
        return self.pick(
            self.integer,
            lambda: self.r.choice(REALS),
            lambda: self.r.uniform(-5, 5),
            lambda: self.pick(True, False),
            lambda: complex(self.r.choice(REALS), self.r.choice(REALS)),
        )()

    def shape(self):
        rank = self.r.choice((0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5))
        if self.chance(0.01):
            return (1,) * self.r.choice((8, 31, 32))
        return tuple(
            self.r.choice((0, 1, 1, 2, 3, 4)) if self.chance(0.3) else self.r.choice((1, 2, 3)) for _ in range(rank)
        )

    def type_name(self):
        return self.r.choice(NUMBERS) if self.chance(0.9) else self.r.choice(STRINGS)

    def dtype(self):
        name = self.type_name()
        return self.pick(
            lambda: name,
            lambda: getattr(nd, name),
            lambda: getattr(nd, name),
            lambda: self.pick(int, float, bool, str),
            lambda: np.dtype(self.pick('f4', 'i8', '>f4', 'O', 'U3', 'M8[s]', 'c16', 'f2')),
            lambda: np.float32,
        )()

    # ---- arrays

    def numpy(self, shape=None, dtype=None):
        """A plain array of NumPy."""
        shape = self.shape() if shape is None else shape
        dtype = dtype or self.r.choice([name for name in NUMBERS if name != 'bfloat16'])
        size = math.prod(shape)
        kind = np.dtype(dtype).kind
        if kind in 'fc':
            values = self.r.choices(REALS, k=size) if self.chance(0.3) else [self.r.uniform(-4, 4) for _ in range(size)]
        elif kind == 'b':
            values = self.r.choices((0, 1), k=size)
        else:
            values = self.r.choices((0, 1, 2, 3, 5), k=size)
            if size and self.chance(0.2):
                values[self.r.randrange(size)] = self.r.choice((np.iinfo(dtype).min, np.iinfo(dtype).max))
        with np.errstate(all='ignore'):
            return np.array(values, np.float64 if kind in 'fcb' else dtype).astype(dtype).reshape(shape)

    def strange_numpy(self):
        """Arrays that cannot be shared, or only for reading."""
        a = self.numpy()
        readonly = self.numpy()
        readonly.flags.writeable = False
        return self.pick(
            lambda: readonly,
            lambda: a.astype(a.dtype.newbyteorder()),
            lambda: a.astype(object),
            lambda: np.array(['a', 'bc', '']),
            lambda: np.array([b'a', b'bc']),
            lambda: np.zeros(3, 'i4,f8'),
            lambda: np.zeros(3, 'i4,f8')['f1'],
            lambda: np.array(['2020-01-01'], 'M8[D]'),
            lambda: np.zeros(2, np.longdouble),
            lambda: np.frombuffer(bytearray(33), np.uint8)[1:].view(np.float64),
            lambda: np.frombuffer(b'12345678'),
            lambda: np.broadcast_to(a, (2, *a.shape)),
            lambda: a.view(np.recarray) if a.ndim else a,
            lambda: np.ma.array([1, 2], mask=[0, 1]),
            lambda: np.array([None, [1]], object),
            lambda: np.lib.stride_tricks.as_strided(np.zeros(4), (2, 3), (8, 4)),
        )()

    def array(self, dtype=None):
        """An array of NDForge, perhaps a view."""
        dtype = dtype or self.type_name()
        if dtype in STRINGS:
            shape = self.shape()
            texts = np.array([self.r.choice(TEXTS) for _ in range(math.prod(shape))], object).reshape(shape)
            return nd.array(texts.tolist(), dtype) if texts.size else nd.zeros(shape, dtype)
        x = nd.array(self.numpy(dtype='float32' if dtype == 'bfloat16' else dtype.rstrip('_')))
        x = x.astype(dtype) if dtype == 'bfloat16' else x
        return self.view(x) if self.chance(0.4) and x.ndim < 32 else x

    def view(self, x):
        return self.pick(
            lambda: x.T,
            lambda: x[..., None],
            lambda: x[None],
            lambda: x[::2] if x.ndim else x,
            lambda: x[::-1] if x.ndim else x,
            lambda: x[..., ::-1] if x.ndim else x,
            lambda: x[1:] if x.ndim else x,
            lambda: x[0] if x.ndim and x.shape[0] else x,
            lambda: x.reshape(-1),
            lambda: x.real,
            lambda: nd._ndforge._broadcast(x, (self.r.choice((1, 2, 3)), *x.shape)),
        )()

    # ---- Python values

    def buffer(self):
        return self.pick(
            lambda: b'abc',
            lambda: bytearray(b'abcdefgh'),
            lambda: memoryview(b'12345678').cast('d'),
            lambda: memoryview(bytearray(8)).cast('i'),
            lambda: array.array(self.pick('b', 'H', 'i', 'q', 'd', 'f'), [1, 2]),
            lambda: (ctypes.c_double * 3)(1, 2, 3),
            lambda: (ctypes.c_char * 3)(),
            lambda: memoryview(self.array('float32')),
            lambda: memoryview(bytearray(12))[::-2],
        )()

    def nested(self, depth=0):
        if depth > 3 or self.chance(0.3):
            return self.pick(self.number, self.number, lambda: self.r.choice(TEXTS), self.small)()
        make = self.pick(list, tuple)
        return make(self.nested(depth + 1) for _ in range(self.r.choice((0, 1, 2, 3))))

    def integers(self):
        return self.pick(list, tuple)(self.integer() for _ in range(self.r.choice((0, 1, 2, 3, 4))))

    def small(self):
        return self.pick(None, Ellipsis, True, False, 0, 1, -1, 1.0)

    def misbehaving(self):
        """Objects whose methods raise, or return what they should not."""
        anything = lambda *_, **__: self.value(1)
        method = self.pick(fail, anything, lambda self: None, lambda self: 'text')
        return self.pick(
            lambda: behaving(__index__=self.pick(fail, lambda _: 1, lambda _: 2**70, anything)),
            lambda: behaving(__index__=self.one_time(2**63)),
            lambda: behaving(__float__=self.pick(fail, lambda _: 1.5, anything)),
            lambda: behaving(__bool__=self.pick(fail, anything)),
            lambda: behaving(
                __len__=self.pick(fail, lambda _: -1, lambda _: 3), __getitem__=self.pick(fail, lambda _, i: self.few(i))
            ),
            lambda: behaving(__len__=lambda _: self.pick(2**62, 2**31), __getitem__=fail),
            lambda: behaving(__iter__=self.pick(fail, lambda _: iter([1, 2]), anything)),
            lambda: behaving(__repr__=self.pick(fail, lambda _: NO_UTF8, lambda _: 1)),
            lambda: behaving(__array__=method),
            lambda: behaving(__dlpack__=method),
            lambda: behaving(__dlpack__=method, __dlpack_device__=self.pick(fail, lambda self: (1, 0), lambda self: None)),
            lambda: behaving(dtype=self.value(1), name=NO_UTF8),
            lambda: behaving(__eq__=fail, __hash__=fail),
            lambda: behaving(__index__=lambda _: 1, __float__=fail, __repr__=fail),
            lambda: made_anew([self.array] * self.r.choice((0, 1, 2, 3))),
            lambda: made_anew([lambda: self.array('float32')] * 3),
        )()

    def few(self, i):
        if not isinstance(i, int) or i > 2:
            raise IndexError(i)
        return self.value(1)

    def one_time(self, value):
        """A method that returns the value once."""
        left = [value]
        return lambda _: left.pop() if left else fail()

    def other(self):
        """Values that are no arrays and no numbers."""
        return self.pick(
            lambda: None,
            lambda: self.r.choice(TEXTS),
            lambda: NO_UTF8,
            lambda: slice(self.integer(), self.integer(), self.integer()),
            lambda: {},
            lambda: {'x': self.array()},
            lambda: {1, 2},
            lambda: range(self.r.choice((0, 1, 3))),
            lambda: object(),
            lambda: type,
            lambda: len,
            lambda: fail,
            lambda: self.dtype(),
            lambda: (i for i in (0, 1)),
            lambda: np,
            lambda: nd.softmax,
            lambda: nd.Graph(),
            lambda: nd.DType,
            lambda: Ellipsis,
            lambda: np.float32(2),
            lambda: np.int64(1),
            lambda: np.bool_(True),
            lambda: nd.Symbol.__new__(nd.Symbol),
            lambda: nd.DType.__new__(nd.DType),
            lambda: nd.Graph.__new__(nd.Graph),
            lambda: nd.Sgd(),
            lambda: nd.Schedule.cosine(1.0, 10),
        )()

    def value(self, depth=0):
        """Anything."""
        kinds = [
            (30, self.array),
            (8, self.numpy),
            (3, self.strange_numpy),
            (18, self.number),
            (8, self.integers),
            (6, self.nested),
            (4, self.buffer),
            (6, self.other),
            (4, self.dtype),
        ]
        if depth < 2:
            kinds += [
                (5, self.misbehaving),
                (3, lambda: [self.value(depth + 1) for _ in range(self.r.choice((0, 1, 2, 3)))]),
                (2, lambda: tuple(self.value(depth + 1) for _ in range(self.r.choice((1, 2))))),
            ]
        return self.r.choices([kind for _, kind in kinds], [weight for weight, _ in kinds])[0]()

    def part(self, advanced=True):
        """A part of an index."""
        bound = lambda: self.pick(None, self.integer(), self.integer())
        kinds = [(6, self.integer), (6, lambda: slice(bound(), bound(), bound())), (2, lambda: Ellipsis), (2, lambda: None)]
        if advanced:
            kinds += [
                (1, lambda: self.r.choices((0, 1, -1), k=self.r.choice((0, 1, 2)))),
                (1, lambda: self.pick(True, False)),
                (1, lambda: self.numpy(dtype=self.pick('bool', 'int64', 'int8', 'uint8'))),
            ]
        return self.r.choices([kind for _, kind in kinds], [weight for weight, _ in kinds])[0]()

    def index(self, advanced=True):
        if self.chance(0.5):
            return self.part(advanced)
        return tuple(self.part(advanced) for _ in range(self.r.choice((0, 1, 2, 2, 3, 4))))
