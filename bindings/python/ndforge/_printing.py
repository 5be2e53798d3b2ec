"""Arrays as text, in the way of NumPy."""

from . import _ndforge

_options = {'precision': 8, 'threshold': 1000, 'edge': 3, 'width': 75}


def set_print_options(*, precision=None, threshold=None, edge=None, width=None):
    """How arrays are printed: digits after the point, the number of elements above which the middle is left out, how many
    elements stay on each side of it, and characters in a line."""
    given = {'precision': precision, 'threshold': threshold, 'edge': edge, 'width': width}
    for name, value in given.items():
        if value is not None and value < (1 if name in ('edge', 'width') else 0):
            raise ValueError(f'[set_print_options] {name}: {value} is too small')
    _options.update({name: value for name, value in given.items() if value is not None})


def get_print_options():
    """The options of set_print_options()."""
    return dict(_options)


def _corners(x, edge):
    """Nested lists of the elements that are printed, None where the middle is left out."""
    if x.ndim == 0:
        return x.item()
    size = x.shape[0]
    if size <= 2 * edge:
        return [_corners(x[i], edge) for i in range(size)]
    return ([_corners(x[i], edge) for i in range(edge)] + [None] + [_corners(x[i], edge) for i in range(size - edge, size)])


def _lines(values, depth, rank, indent, separator, write):
    """The text of nested lists; `indent` characters stand before it."""
    if depth == rank - 1:
        lines, line = [], ''
        for i, value in enumerate(values):
            text = '...' if value is None else write(value)
            end = separator.strip() if i + 1 < len(values) else ''
            if line and indent + 1 + len(line) + len(text) + len(end) + 1 > _options['width']:
                lines.append(line.rstrip())
                line = ''
            line += text + end + (' ' if i + 1 < len(values) else '')
        lines.append(line)
        return '[' + ('\n' + ' ' * (indent + 1)).join(lines) + ']'
    inner = [('...' if value is None else _lines(value, depth + 1, rank, indent + 1, separator, write)) for value in values]
    gap = separator.strip() + '\n' * (rank - 1 - depth) + ' ' * (indent + 1)
    return '[' + gap.join(inner) + ']'


def text(x, indent=0, separator=' '):
    if x.dtype.kind != 'U':
        return _ndforge._text(x, indent, separator, **_options)
    if x.ndim == 0:
        return repr(x.item())
    if x.size == 0:
        return '[]'
    # Strings are written as Python writes them.
    values = _corners(x, _options['edge']) if x.size > _options['threshold'] else x.tolist()
    return _lines(values, 0, x.ndim, indent, separator, repr)


def represent(x):
    """As NumPy writes arrays: array([1., 2.], dtype=float32); the dtype is left out for those of
    Python's values: bool, int64, float64, complex128 and utf8."""
    start = 'array('
    body = text(x, len(start), ', ')
    extras = []
    if (x.size == 0 and x.shape != (0,)) or x.size > _options['threshold']:
        extras.append(f'shape={x.shape}')
    if x.dtype.name not in ('bool', 'int64', 'float64', 'complex128', 'utf8') or x.size == 0:
        extras.append(f'dtype={x.dtype.name}')
    if not extras:
        return start + body + ')'
    last = len(body) - (body.rfind('\n') + 1) + (len(start) if '\n' not in body else 0)
    joint = ', ' if last + len(', '.join(extras)) + 3 <= _options['width'] else ',\n' + ' ' * len(start)
    return start + body + joint + ', '.join(extras) + ')'
