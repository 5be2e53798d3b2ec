#!/usr/bin/env python3
"""Writes the stubs of the package, for editors and type checkers: write.py FILE.

The classes are those of classes.pyi, beside this program; the functions that stand for operations come from the registry of
the ndforge that Python finds.
"""
import json
import keyword
import pathlib
import sys

import ndforge
from ndforge import _ndforge

OPERATORS = 'add sub mul truediv floordiv mod pow matmul'.split()
BITS = 'and or xor lshift rshift'.split()


def operators(name, other):
    lines = []
    for operator in OPERATORS + (BITS if name == 'NDArray' else []):
        for side in ('', 'r'):
            lines.append(f'    def __{side}{operator}__(self, other: {other}, /) -> {name}: ...')
    if name == 'NDArray':
        for operator in 'add sub mul truediv'.split():
            lines.append(f'    def __i{operator}__(self, other: {other}, /) -> {name}: ...')
    return lines


def classes():
    for line in (pathlib.Path(__file__).parent / 'classes.pyi').read_text().split('\n'):
        if line.startswith('#OPERATORS'):
            yield from operators(*line.split()[1:])
        else:
            yield line


def outputs_of(function):
    return json.loads(_ndforge.describe(function.operation))['schema']['outputs']


def value_type(row):
    one = {'integer': 'int', 'number': 'float', 'flag': 'bool', 'type': 'DTypeLike', 'choice': 'str'}[row['kind']]
    return one if row['count'] == 1 else f'{one} | Sequence[{one}]'


def parameters(function, array):
    """The parameters for arrays, or for symbols too."""
    arguments = {row['name']: row for row in json.loads(_ndforge.describe(function.operation))['schema']['arguments']}
    known, positional = function._parameters
    result, optional = [], False
    for i, parameter in enumerate(known):
        row = arguments.get(parameter['argument'])
        types = []
        if parameter['name'] == 'out':
            if array != 'ArrayLike':
                continue
            types = ['NDArray', 'Sequence[NDArray]']
        elif parameter['input']:
            types = [f'Sequence[{array}]'] if parameter['any'] else []
            if not parameter['any'] or i == positional - 1:  # a list at the end may be several arguments
                types.append(array)
        if row is not None:
            types.append(value_type(row))
        if not types:
            types = ['Sequence[Any]']
        required = parameter['required'] and not parameter['any']
        optional = optional or (not required and i < positional)
        has_default = not required or (optional and i < positional)
        if i == positional:
            result.append(f'*more: {array}' if i > 0 and known[i - 1]['any'] else '*')
        result.append(f"{parameter['name']}: {' | '.join(types)}{' | None = ...' if has_default else ''}")
    return ', '.join(result)


def returned(function, one):
    outputs = outputs_of(function)
    if len(outputs) == 1 and outputs[0]['any']:
        return f'list[{one}]'
    if not outputs:
        return 'Any'
    if len(outputs) == 1:
        return one
    return f'{function.__name__}_result' if one == 'NDArray' else 'Any'


def result_class(function):
    outputs = outputs_of(function)
    if len(outputs) < 2 or outputs[0]['any']:
        return []
    lines = [f'class {function.__name__}_result(NamedTuple):']
    for i, row in enumerate(outputs):
        name = row['name'] if row['name'].isidentifier() and not keyword.iskeyword(row['name']) else f'_{i}'
        if name.startswith('_'):
            return []
        # tuples have methods of these names
        ignored = '  # type: ignore[assignment]' if hasattr(tuple, name) else ''
        lines.append(f"    {name}: NDArray{' | None' if row['condition'] else ''}{ignored}")
    return lines


def functions():
    written = {}
    for name, _ in _ndforge.function_names():
        function = getattr(ndforge, name)
        if not isinstance(function, ndforge.Function):
            continue
        lines = result_class(function)
        result = returned(function, 'NDArray')
        if result.endswith('_result') and not lines:
            result = 'tuple[Any, ...]'
        summary = json.loads(_ndforge.describe(function.operation))['schema']['summary'] or function.operation
        arrays, symbols = parameters(function, 'ArrayLike'), parameters(function, 'SymbolLike')
        made = [f'def {name}({arrays}) -> {result}:', f'    {summary!r}']
        if 'SymbolLike' in symbols:
            made = ['@overload', *made, '@overload', f'def {name}({symbols}) -> {returned(function, "Symbol")}: ...']
        lines += made
        written[name] = function
        yield from lines
    # Names of NumPy for the operations that compute the same.
    for other, name in sorted(_ndforge._numpy_names().items()):
        if other not in written and name in written and isinstance(getattr(ndforge, other), ndforge.Function):
            yield f'{other} = {name}'
    yield from (f'from .array_api import {name} as {name}' for name in sorted(ndforge._standard()))


def main():
    pathlib.Path(sys.argv[1]).write_text('\n'.join([*classes(), *functions()]) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
