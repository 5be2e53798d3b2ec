"""Arrays as text, in the way of NumPy."""

import math as _math
from decimal import Decimal as _Decimal

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


def _shortest(value, digits32):
    """The shortest decimal number that gives the element back; digits32 of fewer digits for narrower types."""
    if digits32 is None:
        return repr(value)
    for digits in range(1, digits32 + 1):
        text = f'{value:.{digits - 1}e}'
        if _narrow(float(text), digits32) == value:
            return text
    return f'{value:.{digits32 - 1}e}'


def _narrow(value, digits32):
    import struct
    code = {9: 'f', 5: 'e'}.get(digits32)
    if code is None:  # bfloat16: the upper half of a float, rounded to even
        bits = struct.unpack('I', struct.pack('f', value))[0]
        bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000
        return struct.unpack('f', struct.pack('I', bits & 0xffffffff))[0]
    try:
        return struct.unpack(code, struct.pack(code, value))[0]
    except OverflowError:
        return _math.inf if value > 0 else -_math.inf


def _parts(text):
    """Digits and exponent of a decimal number: 0.DIGITS * 10^exponent."""
    mantissa, _, exponent = text.lower().partition('e')
    whole, _, fraction = mantissa.partition('.')
    digits = (whole + fraction).lstrip('0')
    leading = len(whole + fraction) - len((whole + fraction).lstrip('0'))
    return digits.rstrip('0'), len(whole) - leading + int(exponent or 0)


class _Reals:
    """One format for all elements."""

    def __init__(self, values, digits32):
        precision = _options['precision']
        self.digits32 = digits32
        finite = [abs(v) for v in values if _math.isfinite(v)]
        nonzero = [v for v in finite if v != 0]
        self.scientific = bool(nonzero) and (
            max(nonzero) >= 1e8 or min(nonzero) < 1e-4 or max(nonzero) / min(nonzero) > 1000)
        shortest = [_parts(_shortest(v, digits32)) for v in finite]
        if self.scientific:
            longest = max((len(digits) for digits, _ in shortest), default=1)
            self.precision = min(precision, max(longest - 1, 0))
        else:
            decimals = max((len(digits) - exponent for digits, exponent in shortest), default=0)
            self.precision = max(0, min(precision, decimals))
        self.shortest = {abs(v): _shortest(abs(v), digits32) for v in finite}
        texts = [self._text(v) for v in values]
        self.left = max((len(t.partition('.')[0]) for t in texts if '.' in t), default=0)
        self.width = max((len(t) for t in texts), default=0)
        self.digits = max((len(t.partition('.')[2]) for t in texts if '.' in t), default=0)
        self.width = max(self.width, self.left + 1 + self.digits)

    def _text(self, value):
        if not _math.isfinite(value):
            return 'nan' if _math.isnan(value) else ('-inf' if value < 0 else 'inf')
        # The shortest digits are rounded: those of 2/3 in float32 are 0.6666667, without more behind them.
        number = value  # Decimal writes zeros with exponents
        if value != 0:
            digits = self.shortest.get(abs(value)) or _shortest(abs(value), self.digits32)
            number = _Decimal(digits).copy_sign(_Decimal(value))
        if self.scientific:
            text = f'{number:.{self.precision}e}'.replace('E', 'e')
            mantissa, _, exponent = text.partition('e')
            return f"{mantissa if '.' in mantissa else mantissa + '.'}e{int(exponent):+03d}"
        text = f'{number:.{self.precision}f}'
        if '.' not in text:
            return text + '.'
        text = text.rstrip('0')
        return text

    def __call__(self, value):
        text = self._text(value)
        if '.' in text and not self.scientific:
            text += ' ' * (self.digits - len(text.partition('.')[2]))
        return text.rjust(self.width)


class _Texts:
    def __init__(self, values, write):
        self.write = write
        self.width = max((len(write(v)) for v in values), default=0)

    def __call__(self, value):
        return self.write(value).rjust(self.width)


def _formatter(values, x):
    if x.dtype.kind == 'f':
        return _Reals(values, {'float32': 9, 'float16': 5, 'bfloat16': 4}.get(x.dtype.name))
    if x.dtype.kind == 'U':
        width = max((len(repr(v)) for v in values), default=0)
        return lambda value: repr(value).ljust(width)
    return _Texts(values, str)


def _corners(x, edge):
    """Nested lists of the elements that are printed, None where the middle is left out."""
    if x.ndim == 0:
        return x.item()
    size = x.shape[0]
    if size <= 2 * edge:
        return [_corners(x[i], edge) for i in range(size)]
    return ([_corners(x[i], edge) for i in range(edge)] + [None] + [_corners(x[i], edge) for i in range(size - edge, size)])


def _flatten(values):
    for value in values:
        if isinstance(value, list):
            yield from _flatten(value)
        elif value is not None:
            yield value


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
    if x.ndim == 0:
        value = x.item()
        return _formatter([value], x)(value) if x.dtype.kind != 'U' else repr(value)
    if x.size == 0:
        return '[]'
    values = _corners(x, _options['edge']) if x.size > _options['threshold'] else x.tolist()
    return _lines(values, 0, x.ndim, indent, separator, _formatter(list(_flatten(values)), x))


def represent(x):
    """As NumPy writes arrays: array([1., 2.], dtype=float32); the dtype is left out for bool, int64 and float64."""
    start = 'array('
    body = text(x, len(start), ', ')
    extras = []
    if (x.size == 0 and x.shape != (0,)) or x.size > _options['threshold']:
        extras.append(f'shape={x.shape}')
    if x.dtype.name not in ('bool', 'int64', 'float64', 'utf8') or x.size == 0:
        extras.append(f'dtype={x.dtype.name}')
    if not extras:
        return start + body + ')'
    last = len(body) - (body.rfind('\n') + 1) + (len(start) if '\n' not in body else 0)
    joint = ', ' if last + len(', '.join(extras)) + 3 <= _options['width'] else ',\n' + ' ' * len(start)
    return start + body + joint + ', '.join(extras) + ')'
