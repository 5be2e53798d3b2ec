"""Generated calls, each with a check of what it gives."""

import copy
import gc
import math
import operator
import pickle
import re
import weakref

import numpy as np

import ndforge as nd
from ndforge import _help, _ndforge, array_api

from values import NUMBERS, STRINGS, TEXTS, Odd, Values

# What a call that is refused may raise. A KeyError, a RuntimeError or a SystemError is a mistake of the package.
REFUSALS = (TypeError, ValueError, IndexError, OverflowError, MemoryError, BufferError, AttributeError, ZeroDivisionError,
            NotImplementedError, OSError, StopIteration, RecursionError, Odd)
# Texts of C++'s own errors say nothing about the call.
VAGUE = re.compile(r'std::|basic_string|vector::|_M_|bad_cast|cast_error|unordered_map|bad_optional|^$')


class Finding(Exception):
    """A call that did what it must not do."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


def shown(value):
    try:
        text = f'{value!r} {value.dtype} {value.shape} {value.strides}' if isinstance(value, nd.NDArray) else repr(value)
    except BaseException as error:
        text = f'<{type(value).__name__}: {type(error).__name__}>'
    return text if len(text) < 300 else text[:300] + '…'


def shows(function, arguments, named):
    return f"{getattr(function, '__qualname__', function)}({', '.join([shown(a) for a in arguments] + [f'{k}={shown(v)}' for k, v in named.items()])})"


def same_bytes(x, before):
    return before is None or x.tobytes() == before


def bytes_of(x):
    return x.tobytes() if isinstance(x, nd.NDArray) and x.dtype.kind != 'U' and x.size < 1000 else None


class Calls:
    """The calls of one number of a seed."""

    def __init__(self, random, verbose=False):
        self.v = Values(random)
        self.r = random
        self.verbose = verbose
        self.last = ''

    def made(self, function, *arguments, **named):
        """The result of a call, None if it is refused."""
        self.last = (function, arguments, named)
        if self.verbose:
            print(shows(function, arguments, named), flush=True)
        try:
            result = function(*arguments, **named)
            self.read(result)
            return result
        except REFUSALS as error:
            text = str(error.args[0]) if error.args else ''
            if self.verbose:
                print(f'  {type(error).__name__}: {text}', flush=True)
            if not isinstance(error, (Odd, MemoryError, StopIteration, AssertionError)) and VAGUE.search(text):
                raise Finding('vague', f'{type(error).__name__}: {text!r} from {shows(function, arguments, named)}') from None
        except (Finding, KeyboardInterrupt):
            raise
        except BaseException as error:
            if isinstance(error, SystemError) and error.__cause__ is not None and isinstance(error.__cause__, Odd):
                return None
            raise Finding('error', f'{type(error).__name__}: {error} from {shows(function, arguments, named)}') from error
        return None

    def read(self, result):
        """Reads what a call gave, so that memory that is gone is noticed."""
        if isinstance(result, nd.NDArray):
            if result.size < 5000 and math.prod(result.shape) == result.size:
                result.tolist()
        elif isinstance(result, (list, tuple)) and len(result) < 100:
            for part in result:
                self.read(part)

    # ---- functions of the module

    NAMES = sorted({name for name, _ in _ndforge.function_names()} | set(_ndforge._numpy_names()))
    EXAMPLES = {}

    def example(self, name):
        """The arguments of the example of a function."""
        function = getattr(nd, name)
        if name not in self.EXAMPLES:
            self.EXAMPLES[name] = _help.example(function) if isinstance(function, nd.Function) else None
        if self.EXAMPLES[name] is None:
            return function, [], {}
        lines, call = self.EXAMPLES[name]

        class Recorder:
            def __getattr__(self, attribute):
                return (lambda *a, **k: (list(a), k)) if attribute == function.__name__ else getattr(nd, attribute)

        scope = {'nd': nd}
        exec('\n'.join(lines), scope)
        return function, *eval(call, dict(scope, nd=Recorder()))

    def changed(self, function, arguments, named):
        """Changes a call in a few ways."""
        parameters = [one['name'] for one in function._parameters[0]] if isinstance(function, nd.Function) else ['axis', 'x', 'dtype']
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
                named['out'] = self.v.pick(self.v.array, lambda: (self.v.array(), self.v.array()), lambda: [self.v.array()], self.v.value)()
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

    CREATION = [nd.arange, nd.linspace, nd.zeros, nd.ones, nd.full, nd.empty, nd.eye, nd.zeros_like, nd.ones_like, nd.full_like, nd.array,
                nd.asarray, nd.from_dlpack, nd.result_type, nd.describe, nd.seed, _ndforge.function, _ndforge._empty,
                _ndforge._from_bytes, _ndforge._broadcast, _ndforge._text, _ndforge._sum, _ndforge._max, nd.save, nd.load, nd.grad,
                nd.value_and_grad, nd.gradients, nd.jvp, nd.Session, nd.Trainer, nd.Sgd, nd.Adam, nd.Schedule.cosine,
                nd.Schedule.one_cycle, nd.Schedule.stepwise, nd.set_print_options]

    def creation(self):
        function = self.r.choice(self.CREATION)
        count = self.r.choice((0, 1, 1, 1, 2, 2, 3, 4))
        take = lambda: self.v.pick(self.v.value, self.v.value, lambda: self.r.choice((0, 1, 2, 3, 2.5)), lambda: [2, 3])()
        named = {self.v.pick('dtype', 'shape', 'count', 'k', 'copy', 'value', 'axis', 'learning_rate'): take()} if self.v.chance(0.2) else {}
        self.made(function, *(take() for _ in range(count)), **named)

    def array_api(self):
        module = self.v.pick(array_api, array_api, array_api.linalg, array_api.fft)
        names = [name for name in dir(module) if not name.startswith('_') and callable(getattr(module, name))]
        function = getattr(module, self.r.choice(names))
        x = self.v.array()
        arguments = [self.v.pick(lambda: x, self.v.array, self.v.value)() for _ in range(self.r.choice((1, 1, 2, 2, 3)))]
        named = {}
        if self.v.chance(0.5):
            named[self.v.pick('axis', 'keepdims', 'dtype', 'axes', 'shape', 'copy', 'correction', 'n', 's', 'k')] = self.v.pick(
                self.v.integer, self.v.integers, self.v.value)()
        self.made(function, *arguments, **named)

    # ---- methods and operators

    METHODS = sorted(set(dir(nd.NDArray)) - {'__class__', '__init_subclass__', '__subclasshook__', '__getattribute__', '__new__'})

    def method(self):
        x = self.v.array()
        name = self.r.choice(self.METHODS)
        method = self.made(getattr, x, name)
        if not callable(method):
            return self.read(method)
        take = lambda: self.v.pick(self.v.value, self.v.integer, self.v.integers, self.v.array)()
        named = {}
        if self.v.chance(0.4):
            named[self.v.pick('axis', 'keepdims', 'dtype', 'ddof', 'copy', 'max_version', 'dl_device', 'stream', 'decimals')] = take()
        if name == '__dlpack__':
            named = {key: self.v.pick(None, True, False, (1, 0), (1, 1), (0, 8), (2, 0), (), 'x', self.v.value()) for key in
                     self.r.sample(('max_version', 'dl_device', 'copy', 'stream'), self.r.choice((0, 1, 2, 3)))}
        self.made(method, *(take() for _ in range(self.r.choice((0, 0, 1, 1, 2)))), **named)
        if name in ('sum', 'prod', 'mean', 'max', 'min'):
            self.reduction(name)

    BINARY = [getattr(operator, name) for name in
              'add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift lt le eq ne gt ge'.split()] + [divmod]
    IN_PLACE = [getattr(operator, name) for name in 'iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift'.split()]
    UNARY = [operator.neg, operator.pos, operator.abs, operator.invert, bool, int, float, complex, len, hash, operator.index, iter, list,
             repr, str, copy.copy, copy.deepcopy, reversed, dir, sorted, sum, memoryview, bytes, np.asarray, np.array, np.exp, nd.asarray]

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

    # ---- beside NumPy

    def beside(self, text, ours, theirs, *arguments):
        """Whether both refuse a call, or give the same."""
        with np.errstate(all='ignore'):
            try:
                expected = theirs()
            except Exception as error:
                expected = error
        try:
            found = ours()
        except REFUSALS as error:
            found = error
        text = f"{text} of {', '.join(shown(a) for a in arguments)}"
        if isinstance(expected, Exception) or isinstance(found, Exception):
            # Here one element may have any shape, and arrays have at most 32 dimensions; NumPy takes some empty masks.
            if re.search('with a sequence|only 0-dim', str(expected)) or re.search('32|the mask has size 0', str(found)):
                return None
            if isinstance(expected, Exception) != isinstance(found, Exception):
                raise Finding('differs', f'{text}: {shown(found)}, in NumPy {shown(expected)}')
            return None
        a, b = np.asarray(found), np.asarray(expected)
        if a.shape != b.shape or not np.allclose(a, b, rtol=1e-9 if a.dtype.itemsize > 4 else 2e-3, atol=1e-12, equal_nan=True):
            raise Finding('differs', f'{text}: {shown(found)} of shape {a.shape}, in NumPy {shown(b)} of shape {b.shape}')
        return found

    def mirrored(self, *dtypes):
        """The same array, or the same view, here and in NumPy."""
        a = self.v.numpy(dtype=self.r.choice(dtypes) if dtypes else None)
        x = nd.array(a)
        for _ in range(self.r.choice((0, 0, 1, 2)) if a.ndim < 30 else 0):
            step = self.v.pick(lambda y: y.T, lambda y: y[..., None], lambda y: y[::2] if y.ndim else y, lambda y: y[..., ::-1] if y.ndim else y,
                               lambda y: y[1:] if y.ndim else y)
            a, x = step(a), step(x)
        return x, a

    def indices(self):
        x, a = self.mirrored()
        key = self.v.index(advanced=self.v.chance(0.5))
        self.last = (operator.getitem, (x, key), {})
        if self.verbose:
            print(shows(operator.getitem, (x, key), {}), flush=True)
        found = self.beside('x[…]', lambda: x[key], lambda: a[key], x, key)
        if isinstance(found, nd.NDArray) and self.v.chance(0.5):
            value = self.v.pick(self.v.integer, lambda: self.v.numpy(found.shape, a.dtype), lambda: found[..., ::-1] if found.ndim else found)()
            y, b = x.copy(), a.copy()

            def ours():
                y[key] = value
                return y

            def theirs():
                b[key] = np.asarray(value) if isinstance(value, nd.NDArray) else value
                return b

            if not isinstance(value, int) or abs(value) < 100 and not (a.dtype.kind in 'ub' and value < 0):
                self.beside('x[…] = y', ours, theirs, x, key, value)
        elif self.v.chance(0.3):
            self.made(operator.setitem, x, key, self.v.value())
        elif self.v.chance(0.2):
            self.made(operator.getitem, self.v.array(), self.v.pick(self.v.value, self.v.index)())

    def overlapping(self):
        """x[…] = part of x."""
        x, a = self.mirrored('float32', 'int64', 'complex64', 'int8')
        key, other = self.v.index(False), self.v.index(False)
        self.last = ('x[…] = x[…]', (x, key, other), {})

        def set_(y, b):
            y[key] = y[other]
            return y

        self.beside('x[…] = x[…]', lambda: set_(x, a), lambda: set_(a, x), x, key, other)

    SAME = [operator.add, operator.sub, operator.mul, operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]

    def arithmetic(self):
        dtype = self.v.pick('float64', 'float32', 'int64', 'int32', 'uint8', 'float16')
        (x, a), (y, b) = self.mirrored(dtype), self.mirrored(dtype)
        function = self.r.choice(self.SAME)
        if self.v.chance(0.3):
            y = b = self.v.pick(0, 1, 2, 2.5, True) if dtype.startswith('float') else self.v.pick(0, 1, 2, True)
        elif self.v.chance(0.5):
            y, b = x, a
        self.last = (function, (x, y), {})
        self.beside(function.__name__, lambda: function(x, y), lambda: function(a, b), x, y)

    def reduction(self, name):
        x, a = self.mirrored('float64', 'int64', 'int32', 'uint8', 'bool', 'float32')
        if a.ndim == 0 or (name in ('max', 'min') and np.isnan(a).any()):
            return  # NumPy takes axis 0 without dimensions; here extremes are those of the numbers beside NaN
        axis = self.v.pick(None, None, 0, -1, 1, (0, 1), (), (0,), [0], (-1, 0), 5)
        if isinstance(axis, list):  # NumPy takes no lists
            a_axis = tuple(axis)
        else:
            a_axis = axis
        keep = self.v.chance(0.3)
        self.last = (name, (x, axis, keep), {})
        wide = {} if name in ('max', 'min') or a.dtype.kind != 'f' else {'dtype': a.dtype}
        if name == 'mean' and a.size == 0:
            return
        self.beside(name, lambda: getattr(x, name)(axis=axis, keepdims=keep),
                    lambda: getattr(a, name)(axis=a_axis, keepdims=keep, **wide), x, axis, keep)

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

    SHARES = [lambda x: np.asarray(x), nd.asarray, lambda x: memoryview(x), lambda x: np.from_dlpack(x), nd.from_dlpack, lambda x: x[1:],
              lambda x: x[::-1], lambda x: x[::2], lambda x: x.__dlpack__(), lambda x: nd.array(x, copy=None), lambda x: x.T,
              lambda x: x.__array_interface__ and x, lambda x: iter(x), lambda x: x.reshape(-1), lambda x: x[None],
              lambda x: pickle.loads(pickle.dumps(x)), copy.copy, lambda x: x.__array__(), lambda x: weakref.ref(x), lambda x: [x],
              lambda x: x.__dlpack__(max_version=(1, 0)), lambda x: nd.Graph().constant(x).graph]

    def sharing(self):
        """Views, arrays of other libraries and capsules of one memory, which go in any order."""
        make = self.v.pick(lambda: nd.arange(24, dtype=self.v.pick('int64', 'float32', 'uint8')), lambda: np.arange(24.0),
                           lambda: bytearray(range(24)), lambda: nd.arange(600))
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
                content = seen.tolist() if isinstance(value, (nd.NDArray, np.ndarray, memoryview)) and seen.dtype != object else None
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

    # ---- graphs

    ELEMENTWISE = 'tanh exp sigmoid relu square sqrt abs neg maximum minimum add multiply divide softmax reduce_sum reduce_mean matmul concat'.split()

    def graphs(self):
        graph = nd.Graph()
        known = [graph.placeholder('p', self.v.pick(None, 'float32', 'float64'), self.v.pick(None, (2, 3), (None, 3), (3,)))]
        known.append(graph.variable('w', self.v.numpy(self.v.pick((3, 2), (3,), (2, 3)), 'float32')))
        known.append(self.made(graph.constant, self.v.value()))
        known = [symbol for symbol in known if symbol is not None]
        take = lambda: self.r.choice(known) if self.v.chance(0.8) else self.v.value()
        for _ in range(self.r.randrange(1, 6)):
            kind = self.r.randrange(5)
            if kind == 0:
                symbol = self.made(self.r.choice(self.BINARY), self.r.choice(known), take())
            elif kind == 1:
                symbol = self.made(self.r.choice(self.UNARY), self.r.choice(known))
            elif kind == 2:
                function, arguments, named = self.example(self.r.choice(self.NAMES))
                arguments = [take() for _ in arguments] or [take()]
                symbol = self.made(function, *arguments, **named)
            elif kind == 3:
                symbol = self.made(getattr(nd, self.r.choice(self.ELEMENTWISE)), *(take() for _ in range(self.v.pick(1, 1, 2))))
            else:
                symbol = self.made(self.v.pick(graph.placeholder, graph.variable, graph.constant, graph.array, graph.assign, graph.__getitem__),
                                   *(self.v.pick('p', 'w', self.v.value()) for _ in range(self.v.pick(1, 2, 3))))
            for one in symbol if isinstance(symbol, (list, tuple)) else [symbol]:
                if isinstance(one, nd.Symbol):
                    known.append(one)
        last = known[-1]
        feeds = {self.v.pick('p', last, known[0], self.v.value): self.v.value() if self.v.chance(0.4) else self.v.numpy((2, 3), 'float32')} \
            if self.v.chance(0.9) else self.v.value()
        kind = self.r.randrange(6)
        if kind < 3:
            session = self.made(nd.Session, graph, self.v.pick(None, [last], last, 'p', self.v.value()))
            if session is not None:
                for _ in range(self.v.pick(1, 2)):
                    self.made(session.run, feeds)
                self.made(str, session)
        elif kind == 3:
            gradients = self.made(nd.gradients, last, self.v.pick(['w'], [graph['w']], known, self.v.value()))
            if gradients:
                session = self.made(nd.Session, graph, gradients)
                if session is not None:
                    self.made(session.run, feeds)
        elif kind == 4:
            trainer = self.made(nd.Trainer, graph, last, self.v.pick(['w'], [graph['w']]), self.v.pick(nd.Adam(), nd.Sgd(), nd.RmsProp()),
                                schedule=self.v.pick(None, 0.1, nd.Schedule.cosine(1.0, 5), lambda step: 0.1, lambda step: 'x', self.v.value()),
                                clip=self.v.pick(None, ('norm', 1.0), self.v.value()))
            if trainer is not None:
                self.made(trainer.step, feeds)
                self.made(trainer.step, feeds)
        else:
            self.made(graph.save, 'g.fb')
            self.made(nd.Graph.load, self.v.pick('g.fb', 'none.fb'))
        self.made(str, graph)
        known.clear()

    def objects(self):
        """Objects that no constructor has made, and attributes of all objects."""
        cls = self.v.pick(nd.NDArray, nd.DType, nd.Graph, nd.Symbol, nd.Session, nd.Trainer, nd.Updater, nd.Schedule, nd.Function)
        kind = self.r.randrange(3)
        made = None
        if kind == 0:
            made = self.made(cls.__new__, cls)
        elif kind == 1:
            made = self.made(cls, *(self.v.value() for _ in range(self.v.pick(0, 1, 2))))
        if made is None:
            made = self.v.pick(nd.softmax, nd.float32, nd.Graph(), nd.Graph().placeholder('x', 'float32', (2,)), nd.Sgd(), nd.Schedule.cosine(1.0, 5),
                               self.v.array())
        names = [name for name in dir(made) if name not in ('__class__', '__init_subclass__', '__subclasshook__', '__init__')]
        name = self.r.choice(names)
        attribute = self.made(getattr, made, name)
        if callable(attribute) and name not in ('save', 'save_graph'):
            self.made(attribute, *(self.v.value() for _ in range(self.v.pick(0, 0, 1, 2))))
        if self.v.chance(0.3):
            self.made(setattr, made, name, self.v.value())
        if self.v.chance(0.3):
            self.made(self.r.choice(self.UNARY), made)
        if self.v.chance(0.3):
            self.made(self.r.choice(self.BINARY), made, self.v.value())

    def files(self):
        arrays = [self.v.array() for _ in range(self.v.pick(1, 1, 2))]
        name = self.v.pick('x.npy', 'x.npz', 'x.txt', self.v.value())
        self.made(nd.save, name, *arrays, **({'y': self.v.value()} if self.v.chance(0.2) else {}))
        self.made(nd.load, self.v.pick('x.npy', 'x.npz', 'none.npy'))

    KINDS = [(30, function), (6, creation), (8, array_api), (12, method), (16, operators), (12, indices), (2, overlapping), (10, arithmetic),
             (8, conversions), (8, sharing), (5, graphs), (4, objects), (1, files)]

    def one(self, kinds=()):
        """One call of a random kind."""
        chosen = [(weight, kind) for weight, kind in self.KINDS if not kinds or kind.__name__ in kinds]
        kind = self.r.choices([kind for _, kind in chosen], [weight for weight, _ in chosen])[0]
        if self.verbose:
            print(f'{kind.__name__}:', flush=True)
        kind(self)
