"""What functions of the namespace say about arguments that are no arrays."""

import functools
import inspect
import types

from .. import NDArray

NUMBERS = (int, float, complex)
# Parameters that are arrays, and what they may be.
KINDS = {'x': NDArray, **dict.fromkeys(('x1', 'x2', 'condition', 'indices'), (NDArray, *NUMBERS))}


def _others(parameters, args):
    """The arguments that should be arrays and are none: where, what they should be, and the value."""
    for i, (value, parameter) in enumerate(zip(args, parameters), 1):
        where = f"argument {i} '{parameter.name}'"
        if parameter.name == 'arrays':
            values = args[i - 1:] if parameter.kind == parameter.VAR_POSITIONAL else value
            if not isinstance(values, (list, tuple)):
                yield where, 'list or tuple', values
                return
            yield from ((f'{where}, element {k}', 'NDArray', one) for k, one in enumerate(values) if not isinstance(one, NDArray))
        elif not isinstance(value, KINDS.get(parameter.name, object)):
            yield where, 'NDArray', value


def named(function):
    """The function, which names arguments that are no arrays when it fails. Arguments are not checked before, because the functions
    of the library check them too."""
    parameters = tuple(inspect.signature(function).parameters.values())

    @functools.wraps(function)
    def call(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except (AttributeError, KeyError, TypeError, ValueError):
            for where, needed, value in _others(parameters, args):
                raise TypeError(f'[{function.__name__}] {where} is no {needed} but of type {type(value).__name__}') from None
            raise

    return call


def name_all(namespace, names):
    """Replaces functions of a namespace."""
    for name in names:
        if isinstance(namespace[name], types.FunctionType):
            namespace[name] = named(namespace[name])
