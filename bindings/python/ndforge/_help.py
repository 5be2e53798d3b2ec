"""Docstrings and signatures of operations, from their schemas."""

import inspect
import json
import textwrap

from . import _ndforge


def _schema(function):
    return json.loads(_ndforge.describe(function.operation))['schema']


def _default(row):
    value = row.get('default')
    return tuple(value) if isinstance(value, list) else value


def signature(function):
    """The parameters of an operation."""
    arguments = {row['name']: row for row in _schema(function)['arguments']}
    parameters, positional = function._parameters
    result = []
    for i, parameter in enumerate(parameters):
        row = arguments.get(parameter['argument'])
        default = inspect.Parameter.empty if parameter['required'] or parameter['any'] else None
        if row is not None and not parameter['required'] and not parameter['input']:
            default = _default(row)
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD if i < positional else inspect.Parameter.KEYWORD_ONLY
        result.append((parameter['name'], kind, default))
    # A parameter without a default after one with a default stays possible: it is given by name.
    defaulted = False
    parameters = []
    for name, kind, default in result:
        defaulted = defaulted or (default is not inspect.Parameter.empty and kind is inspect.Parameter.POSITIONAL_OR_KEYWORD)
        if default is inspect.Parameter.empty and defaulted and kind is inspect.Parameter.POSITIONAL_OR_KEYWORD:
            default = None
        parameters.append(inspect.Parameter(name, kind, default=default))
    return inspect.Signature(parameters)


def _kind(row):
    kinds = {'integer': 'int', 'number': 'float', 'flag': 'bool', 'type': 'dtype', 'choice': 'str'}
    kind = kinds[row['kind']]
    if row['kind'] == 'choice':
        kind = ' or '.join(f"'{choice['name']}'" for choice in row['choices'])
    if row['count'] == 1:
        return kind
    return f'sequence of {kind}' if row['count'] < 0 else f"sequence of {row['count']} {kind}"


def _paragraph(text, indent=''):
    return textwrap.fill(text, 100, initial_indent=indent, subsequent_indent=indent)


def example(function):
    """A call with its inputs, as lines of Python; None without an example."""
    text = _schema(function).get('example')
    if not text:
        return None
    given = text if isinstance(text, dict) else json.loads(text)
    schema = _schema(function)
    types = {row['name']: row.get('types') for row in schema['inputs']}
    kinds = {row['name']: row['kind'] for row in schema['arguments']}
    lines, call = [], []
    parameters, positional = function._parameters
    by_position = True
    for i, parameter in enumerate(parameters):
        name = parameter['name']
        by_position = by_position and i < positional and name in given
        if name not in given:
            continue
        value = given[name]
        if parameter['input'] and not (parameter['argument'] and not _is_array(value)):
            if parameter['any']:
                names = [f'{name}{i}' for i in range(len(value))]
                lines += [f'{n} = {_array(v, types[name])}' for n, v in zip(names, value)]
                text = f"[{', '.join(names)}]"
            else:
                lines.append(f'{name} = {_array(value, types[name])}')
                text = name
        else:
            by_position = False
            text = _type(value) if kinds.get(parameter['argument']) == 'type' else repr(value)
        call.append(text if by_position else f'{name}={text}')
    return lines, f"nd.{function.__name__}({', '.join(call)})"


def _is_array(value):
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(v, (list, float)) for v in value))


def _type(name):
    """The library's name of a type as that of the package."""
    return 'nd.' + {'HALF': 'float16', 'DOUBLE': 'float64', 'BOOL': 'bool_'}.get(name, name.lower())


def _written(value):
    """A number or text of an example in Python; infinity and NaN are texts there."""
    if isinstance(value, list):
        return f"[{', '.join(_written(v) for v in value)}]"
    special = {'nan': 'nd.nan', 'inf': 'nd.inf', '-inf': '-nd.inf'}
    return special.get(value) or repr(value) if isinstance(value, str) else repr(value)


def _leaves(value):
    if isinstance(value, list):
        for v in value:
            yield from _leaves(v)
    else:
        yield value


def _array(value, types):
    if isinstance(value, dict):
        if 'shape' in value:
            return f"nd.zeros({tuple(value['shape'])}, {_type(value['type'])})"
        return f"nd.array({_written(value['values'])}, {_type(value['type'])})"
    leaves = list(_leaves(value))
    if any(isinstance(v, float) or v in ('nan', 'inf', '-inf') for v in leaves):
        return f'nd.array({_written(value)}, nd.float32)'
    if any(isinstance(v, int) and not isinstance(v, bool) for v in leaves) and types and 'INT64' not in types:
        return f'nd.array({_written(value)}, nd.int32)'
    return f'nd.array({_written(value)})'


def docstring(function):
    """What an operation computes, its parameters and results, and an example with its result."""
    schema = _schema(function)
    parts = [schema['summary'] or 'An operation without a schema: its arguments are positional lists.']
    if schema['formula']:
        parts.append('Formula: ' + schema['formula'])
    inputs = {row['name']: row for row in schema['inputs']}
    arguments = {row['name']: row for row in schema['arguments']}
    rows = []
    parameters, positional = function._parameters
    for i, parameter in enumerate(parameters):
        name = parameter['name']
        if name in inputs:
            kind = 'list of arrays' if parameter['any'] else 'array'
            if parameter['any'] and i == positional - 1:
                kind += ', which may be several arguments'
            if parameter['argument']:
                kind += ' or ' + _kind(arguments[parameter['argument']])
            rows.append(f"{name}: {kind}\n" + _paragraph(inputs[name]['text'], '    '))
        elif parameter['argument']:
            rows.append(f"{name}: {_kind(arguments[parameter['argument']])}\n" +
                        _paragraph(arguments[parameter['argument']]['text'], '    '))
        elif name == 'out':
            rows.append('out: array, or tuple of arrays\n    where the result is written')
    if rows:
        parts.append('Parameters\n----------\n' + '\n'.join(rows))
    if schema['outputs']:
        parts.append('Returns\n-------\n' + '\n'.join(
            f"{row['name']}: array\n" + _paragraph(row['text'], '    ') for row in schema['outputs']))
    if schema['note']:
        parts.append(_paragraph('Note: ' + schema['note']))
    names = [text for text in schema['elsewhere'].values() if text]
    if names:
        parts.append('Elsewhere: ' + ', '.join(names))
    shown = example(function)
    if shown:
        lines, call = shown
        text = ''.join(f'>>> {line}\n' for line in lines) + f'>>> {call}'
        try:
            import ndforge
            scope = {'nd': ndforge}
            exec('\n'.join(lines), scope)
            text += '\n' + repr(eval(call, scope))
        except Exception:  # an operation that this build does not have
            pass
        parts.append('Example\n-------\n' + text)
    return '\n\n'.join(parts)
