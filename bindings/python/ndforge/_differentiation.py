"""Gradients of Python functions."""

import functools as _functools

from . import _ndforge
from ._ndforge import Graph, Session, asarray, gradients


def value_and_grad(function, argument=0):
    """A function that returns the value of `function`, a number, and its gradient with respect to one argument, or to
    several if `argument` is a tuple of positions.

    `function` is called with symbols, once for each combination of shapes and types of its arguments, and makes a graph.
    """
    positions = argument if isinstance(argument, tuple) else (argument,)
    sessions = {}

    @_functools.wraps(function)
    def differentiated(*values):
        arrays = [asarray(value) for value in values]
        for position in positions:
            if not -len(arrays) <= position < len(arrays):
                raise IndexError(f'[grad] there is no argument {position}; there are {len(arrays)}')
        key = tuple((array.shape, array.dtype.name) for array in arrays)
        if key not in sessions:
            graph = Graph()
            symbols = [graph.placeholder(f'argument{i}', array.dtype, array.shape) for i, array in enumerate(arrays)]
            value = function(*symbols)
            if not isinstance(value, _ndforge.Symbol):
                raise TypeError(f'[grad] the function returned {type(value).__name__}, not a value that it computed')
            wanted = [value, *gradients(value, [symbols[p] for p in positions], allow_unused=True)]
            sessions[key] = Session(graph, wanted)
        session = sessions[key]
        value, *found = session.run({f'argument{i}': array for i, array in enumerate(arrays)
                                     if f'argument{i}' in session.inputs})
        return value, (tuple(found) if isinstance(argument, tuple) else found[0])

    return differentiated


def grad(function, argument=0):
    """The gradient of `function` as a function of the same arguments: see value_and_grad()."""
    both = value_and_grad(function, argument)

    @_functools.wraps(function)
    def gradient(*values):
        return both(*values)[1]

    return gradient
