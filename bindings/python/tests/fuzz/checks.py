"""How calls are made, and what is wrong about their results."""

import copy
import math
import operator
import re

import numpy as np

import ndforge as nd
from ndforge import _help, _ndforge

from values import Odd, Values

# What a call that is refused may raise. A KeyError, a RuntimeError or a SystemError is a mistake of the package.
REFUSALS = (
    TypeError,
    ValueError,
    IndexError,
    OverflowError,
    MemoryError,
    BufferError,
    AttributeError,
    ZeroDivisionError,
    NotImplementedError,
    OSError,
    StopIteration,
    RecursionError,
    Odd,
)
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
    texts = [shown(a) for a in arguments] + [f'{key}={shown(value)}' for key, value in named.items()]
    return f"{getattr(function, '__qualname__', function)}({', '.join(texts)})"


def same_bytes(x, before):
    return before is None or x.tobytes() == before


def bytes_of(x):
    """The bytes of an array of numbers; complex numbers of 32 dimensions cannot be copied."""
    has_bytes = isinstance(x, nd.NDArray) and x.dtype.kind != 'U' and x.size < 1000 and x.ndim < 32
    return x.tobytes() if has_bytes else None


class Checks:
    """Makes calls and checks them."""

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
                raise Finding(
                    'vague', f'{type(error).__name__}: {text!r} from {shows(function, arguments, named)}'
                ) from None
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
            # An array without elements can still be millions of empty lists.
            if math.prod(n or 1 for n in result.shape) < 5000 and math.prod(result.shape) == result.size:
                result.tolist()
        elif isinstance(result, (list, tuple)) and len(result) < 100:
            for part in result:
                self.read(part)

    # ---- what calls are made of

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

    BINARY = [
        getattr(operator, name)
        for name in 'add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift lt le eq ne gt ge'.split()
    ] + [divmod]
    IN_PLACE = [
        getattr(operator, name)
        for name in 'iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift'.split()
    ]
    UNARY = [
        operator.neg,
        operator.pos,
        operator.abs,
        operator.invert,
        bool,
        int,
        float,
        complex,
        len,
        hash,
        operator.index,
        iter,
        list,
        repr,
        str,
        copy.copy,
        copy.deepcopy,
        reversed,
        dir,
        sorted,
        sum,
        memoryview,
        bytes,
        np.asarray,
        np.array,
        np.exp,
        nd.asarray,
    ]
