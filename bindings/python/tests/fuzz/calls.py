"""Generated calls, each with a check of what it gives."""

import copy
import gc
import operator
import pickle
import weakref

import numpy as np

import ndforge as nd
from ndforge import _ndforge, array_api

from beside import Beside
from checks import REFUSALS, Finding, bytes_of, same_bytes, shown, shows
from graphs import Graphs
from values import TEXTS


class Calls(Beside, Graphs):
    """The calls of one number of a seed."""

    # ---- functions of the module

    def changed(self, function, arguments, named):
        """Changes a call in a few ways."""
        parameters = (
            [one['name'] for one in function._parameters[0]] if isinstance(function, nd.Function) else ['axis', 'x', 'dtype']
        )
        for _ in range(self.r.choice((0, 1, 1, 2, 3))):
            places = [(arguments, i) for i in range(len(arguments))] + [(named, key) for key in named]
            kind = self.r.randrange(8)
            if kind < 3 and places:
                where, key = self.r.choice(places)
                x = where[key]
                if isinstance(x, nd.NDArray) and self.v.chance(0.7):
                    try:
                        where[key] = self.v.view(x) if self.v.chance(0.5) else x.astype(self.v.type_name())
                    except REFUSALS:
                        pass
                else:
                    where[key] = self.v.value()
            elif kind == 3 and places:
                where, key = self.r.choice(places)
                where[key] = self.v.array()
            elif kind == 4 and named:
                del named[self.r.choice(list(named))]
            elif kind == 5:
                named[self.r.choice(parameters)] = self.v.value()
            elif kind == 6 and self.v.chance(0.5):
                arguments.append(self.v.value())
            elif kind == 6 and arguments:
                arguments.pop()
            elif kind == 7 and self.v.chance(0.2):
                named['out'] = self.v.pick(
                    self.v.array, lambda: (self.v.array(), self.v.array()), lambda: [self.v.array()], self.v.value
                )()
        return arguments, named

    WRITES = ('encode_bitmap', 'encode_threshold')  # operations that change an input

    def function(self):
        function, arguments, named = self.example(self.r.choice(self.NAMES))
        arguments, named = self.changed(function, arguments, named)
        before = [bytes_of(x) for x in arguments]
        self.made(function, *arguments, **named)
        outputs = named.get('out')
        if outputs is None and function.__name__ not in self.WRITES:
            for x, old in zip(arguments, before):
                if not same_bytes(x, old):
                    raise Finding('changed', f'an argument was written by {shows(function, arguments, named)}')

    CREATION = [
        nd.arange,
        nd.linspace,
        nd.dot,
        nd.inner,
        nd.outer,
        nd.vstack,
        nd.hstack,
        nd.column_stack,
        nd.append,
        nd.swapaxes,
        nd.fliplr,
        nd.ptp,
        nd.isclose,
        nd.allclose,
        nd.array_equal,
        nd.atleast_2d,
        nd.zeros,
        nd.ones,
        nd.full,
        nd.empty,
        nd.eye,
        nd.zeros_like,
        nd.ones_like,
        nd.full_like,
        nd.array,
        nd.asarray,
        nd.from_dlpack,
        nd.result_type,
        nd.describe,
        nd.seed,
        _ndforge.function,
        _ndforge._empty,
        _ndforge._from_bytes,
        _ndforge._broadcast,
        _ndforge._text,
        _ndforge._sum,
        _ndforge._max,
        nd.save,
        nd.load,
        nd.grad,
        nd.value_and_grad,
        nd.gradients,
        nd.jvp,
        nd.Session,
        nd.Trainer,
        nd.Sgd,
        nd.Adam,
        nd.Schedule.cosine,
        nd.Schedule.one_cycle,
        nd.Schedule.stepwise,
        nd.set_print_options,
    ]

    def creation(self):
        function = self.r.choice(self.CREATION)
        count = self.r.choice((0, 1, 1, 1, 2, 2, 3, 4))
        take = lambda: self.v.pick(self.v.value, self.v.value, lambda: self.r.choice((0, 1, 2, 3, 2.5)), lambda: [2, 3])()
        named = (
            {self.v.pick('dtype', 'shape', 'count', 'k', 'copy', 'value', 'axis', 'learning_rate'): take()}
            if self.v.chance(0.2)
            else {}
        )
        self.made(function, *(take() for _ in range(count)), **named)

    def array_api(self):
        module = self.v.pick(array_api, array_api, array_api.linalg, array_api.fft)
        names = [name for name in dir(module) if not name.startswith('_') and callable(getattr(module, name))]
        function = getattr(module, self.r.choice(names))
        x = self.v.array()
        arguments = [self.v.pick(lambda: x, self.v.array, self.v.value)() for _ in range(self.r.choice((1, 1, 2, 2, 3)))]
        named = {}
        if self.v.chance(0.5):
            named[self.v.pick('axis', 'keepdims', 'dtype', 'axes', 'shape', 'copy', 'correction', 'n', 's', 'k')] = (
                self.v.pick(self.v.integer, self.v.integers, self.v.value)()
            )
        self.made(function, *arguments, **named)

    # ---- methods and operators

    METHODS = sorted(
        set(dir(nd.NDArray)) - {'__class__', '__init_subclass__', '__subclasshook__', '__getattribute__', '__new__'}
    )

    def method(self):
        x = self.v.array()
        name = self.r.choice(self.METHODS)
        method = self.made(getattr, x, name)
        if not callable(method):
            return self.read(method)
        take = lambda: self.v.pick(self.v.value, self.v.integer, self.v.integers, self.v.array)()
        named = {}
        if self.v.chance(0.4):
            named[
                self.v.pick('axis', 'keepdims', 'dtype', 'ddof', 'copy', 'max_version', 'dl_device', 'stream', 'decimals')
            ] = take()
        if name == '__dlpack__':
            named = {
                key: self.v.pick(None, True, False, (1, 0), (1, 1), (0, 8), (2, 0), (), 'x', self.v.value())
                for key in self.r.sample(('max_version', 'dl_device', 'copy', 'stream'), self.r.choice((0, 1, 2, 3)))
            }
        self.made(method, *(take() for _ in range(self.r.choice((0, 0, 1, 1, 2)))), **named)
        if name in ('sum', 'prod', 'mean', 'max', 'min'):
            self.reduction(name)

    def operators(self):
        x = self.v.array()
        kind = self.r.randrange(4)
        if kind == 0:
            self.made(self.r.choice(self.UNARY), x)
        elif kind == 1:
            self.made(self.r.choice(self.IN_PLACE), x, self.v.value())
        else:
            other = self.v.value() if self.v.chance(0.6) else self.v.array()
            self.made(self.r.choice(self.BINARY), *((x, other) if self.v.chance(0.7) else (other, x)))
        if self.v.chance(0.05):
            self.made(pow, x, self.v.value(), self.v.value())
        if self.v.chance(0.05):
            self.made(operator.contains, x, self.v.value())
        if self.v.chance(0.05):
            self.made(format, x, self.v.pick('', '.3f', 'x', 'd', '>10', self.r.choice(TEXTS)))

    # ---- memory

    def conversions(self):
        value = self.v.value()
        dtype = self.v.pick(None, self.v.dtype())
        kind = self.r.randrange(5)
        if kind == 0:
            result = self.made(nd.array, value, dtype, self.v.pick(True, False, None))
        elif kind == 1:
            result = self.made(nd.asarray, value, dtype)
        elif kind == 2:
            result = self.made(nd.from_dlpack, value)
        elif kind == 3:
            result = self.made(self.v.array().astype, self.v.pick(self.v.dtype, self.v.value)())
        else:
            result = self.made(lambda x: pickle.loads(pickle.dumps(x)), self.v.array())
        if isinstance(result, nd.NDArray) and result.dtype.kind != 'U' and result.size < 100:
            self.made(operator.setitem, result, ..., 1)  # memory that may not be written must have been copied

    SHARES = [
        lambda x: np.asarray(x),
        nd.asarray,
        lambda x: memoryview(x),
        lambda x: np.from_dlpack(x),
        nd.from_dlpack,
        lambda x: x[1:],
        lambda x: x[::-1],
        lambda x: x[::2],
        lambda x: x.__dlpack__(),
        lambda x: nd.array(x, copy=None),
        lambda x: x.T,
        lambda x: x.__array_interface__ and x,
        lambda x: iter(x),
        lambda x: x.reshape(-1),
        lambda x: x[None],
        lambda x: pickle.loads(pickle.dumps(x)),
        copy.copy,
        lambda x: x.__array__(),
        lambda x: weakref.ref(x),
        lambda x: [x],
        lambda x: x.__dlpack__(max_version=(1, 0)),
        lambda x: nd.Graph().constant(x).graph,
    ]

    def sharing(self):
        """Views, arrays of other libraries and capsules of one memory, which go in any order."""
        make = self.v.pick(
            lambda: nd.arange(24, dtype=self.v.pick('int64', 'float32', 'uint8')),
            lambda: np.arange(24.0),
            lambda: bytearray(range(24)),
            lambda: nd.arange(600),
        )
        alive = [(make(), None)]
        alive = [(value, np.asarray(value).tolist()) for value, _ in alive]
        for _ in range(self.r.randrange(3, 14)):
            if len(alive) > 1 and self.v.chance(0.35):
                del alive[self.r.randrange(len(alive))]
                continue
            source = self.r.choice(alive)[0]
            try:
                value = self.r.choice(self.SHARES)(source)
                seen = np.asarray(value)
                content = (
                    seen.tolist()
                    if isinstance(value, (nd.NDArray, np.ndarray, memoryview)) and seen.dtype != object
                    else None
                )
                del seen
            except (*REFUSALS, ReferenceError):
                continue
            alive.append((value, content))
            del value, source
        if self.v.chance(0.02):
            gc.collect()
        filler = [bytearray(24 * 8) for _ in range(4)]  # takes memory that was freed
        self.r.shuffle(alive)
        while alive:
            value, content = alive.pop()
            if content is not None and np.asarray(value).tolist() != content:
                raise Finding('memory', f'{shown(value)} was {content}')
            del value
        del filler

    def files(self):
        arrays = [self.v.array() for _ in range(self.v.pick(1, 1, 2))]
        name = self.v.pick('x.npy', 'x.npz', 'x.txt', self.v.value())
        self.made(nd.save, name, *arrays, **({'y': self.v.value()} if self.v.chance(0.2) else {}))
        self.made(nd.load, self.v.pick('x.npy', 'x.npz', 'none.npy'))

    KINDS = [
        (30, 'function'),
        (6, 'creation'),
        (8, 'array_api'),
        (12, 'method'),
        (16, 'operators'),
        (12, 'indices'),
        (2, 'overlapping'),
        (10, 'arithmetic'),
        (8, 'conversions'),
        (8, 'sharing'),
        (5, 'graphs'),
        (4, 'objects'),
        (1, 'files'),
    ]

    def one(self, kinds=()):
        """One call of a random kind."""
        chosen = [(weight, name) for weight, name in self.KINDS if not kinds or name in kinds]
        name = self.r.choices([name for _, name in chosen], [weight for weight, _ in chosen])[0]
        if self.verbose:
            print(f'{name}:', flush=True)
        getattr(self, name)()
