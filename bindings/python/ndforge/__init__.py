"""Arrays, operations, graphs and training with NDForge.

Every operation of the library is a function of this module: nd.conv2d(x, weights, stride=(2, 2)). help(nd.conv2d) says what
it computes. Arrays have operators, indices and methods as in NumPy. Functions of the array API standard that are no operations,
such as nd.isnan and nd.nonzero, are those of nd.array_api.
"""

from . import _ndforge
from ._ndforge import (
    AdaBelief, AdaDelta, AdaGrad, AdaMax, Adam, AmsGrad, DType, Function, Graph, NDArray, Nadam, Nesterovs, RmsProp, Schedule,
    Session, Sgd, Symbol, Trainer, Updater, array, asarray, bfloat16, bool_, complex64, complex128, describe, float16,
    float32, float64, from_dlpack, gradients, int8, int16, int32, int64, jvp, memory_limit, result_type, seed,
    set_memory_limit, uint8, uint16, uint32, uint64, utf8, utf16, utf32)
from ._choice import where
from ._creation import (
    arange, e, empty, empty_like, eye, full, full_like, inf, linspace, load, nan, newaxis, ones, ones_like, pi, save, zeros,
    zeros_like)
from ._differentiation import grad, value_and_grad
from ._numpy import (
    allclose, append, array_equal, atleast_1d, atleast_2d, column_stack, dot, fliplr, flipud, hstack, inner, isclose, outer, ptp,
    swapaxes, vstack)
from ._printing import get_print_options, set_print_options
from . import _methods, _symbols

__version__ = '0.1.0'

_methods.attach()
_symbols.attach()
_own = frozenset(globals())
_numpy_names = None


def __getattr__(name):
    """Operations become functions when they are first used; names of NumPy stand for the operations that compute the same."""
    global _numpy_names
    if name.startswith('__'):
        raise AttributeError(f"module 'ndforge' has no attribute '{name}'")
    if name == 'array_api':
        import importlib
        return importlib.import_module('.array_api', __name__)
    function = _ndforge.function(name)
    if function is None:
        if _numpy_names is None:
            _numpy_names = _ndforge._numpy_names()
        if name in _numpy_names:
            function = _ndforge.function(_numpy_names[name])
    if function is None:
        function = _standard().get(name)
    if function is None:
        from difflib import get_close_matches
        close = get_close_matches(name, __dir__(), 3)
        hint = f"; did you mean {' or '.join(repr(match) for match in close)}?" if close else ''
        raise AttributeError(f"module 'ndforge' has no attribute '{name}'{hint}", name=name, obj=None)
    globals()[name] = function
    return function


def _standard():
    """What only the array API standard has, by name: isnan, cos, nonzero, linalg. bool stays Python's."""
    from . import array_api
    return {name: getattr(array_api, name) for name in array_api.__all__
            if not name.startswith('_') and name not in _own and name not in _ndforge._numpy_names()
            and name != 'bool' and _ndforge.function(name) is None}


def __dir__():
    names = {name for name in globals() if not name.startswith('_')}
    names |= {'array_api', *_standard(), *_ndforge._numpy_names()}
    return sorted(names | {name for name, _ in _ndforge.function_names()})
