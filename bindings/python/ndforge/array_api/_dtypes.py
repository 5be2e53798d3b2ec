"""Element types: what they are, and what they become together."""

import builtins
import functools

from .. import NDArray, _ndforge, bool_, complex64, complex128, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64

bool = bool_

SIGNED = (int8, int16, int32, int64)
UNSIGNED = (uint8, uint16, uint32, uint64)
REAL = (float32, float64)
COMPLEX = (complex64, complex128)
KINDS = {kind: frozenset(types) for kind, types in (
    ('bool', (bool_,)), ('signed integer', SIGNED), ('unsigned integer', UNSIGNED), ('integral', SIGNED + UNSIGNED),
    ('real floating', REAL), ('complex floating', COMPLEX), ('numeric', SIGNED + UNSIGNED + REAL + COMPLEX))}
ALL = (bool_, *SIGNED, *UNSIGNED, *REAL, *COMPLEX)
# Kinds of several functions that the standard has no name for.
FLOATING = ('real floating', 'complex floating')
REAL_NUMERIC = ('integral', 'real floating')
NUMBERS = (builtins.bool, int, float, complex)
may_have_nan = _ndforge._may_have_nan


def check_device(device):
    if device not in (None, 'cpu'):
        raise ValueError(f'[array_api] there is no device {device!r}; arrays are on the CPU')


@functools.cache
def _types_of(kind):
    """The types of a kind, or of several kinds and types."""
    if isinstance(kind, tuple):
        return frozenset().union(*map(_types_of, kind))
    if not isinstance(kind, str):
        return frozenset((kind,))
    if kind not in KINDS:
        raise ValueError(f"[isdtype] there is no kind '{kind}'; kinds are {', '.join(KINDS)}")
    return KINDS[kind]


def isdtype(dtype, kind):
    """Whether a type is of a kind, one of several kinds, or another type."""
    return dtype in _types_of(kind) if isinstance(kind, (str, tuple)) else dtype == kind


def bits_of(kind):
    """The types of a kind, or of several, for _ndforge._are_of(): a bit for the number of each, which is its hash. None stands
    for all types of the standard."""
    return builtins.sum(1 << hash(dtype) for dtype in ALL if kind is None or isdtype(dtype, kind))


def _fits(value, dtype):
    """Whether a Python number goes with a type without changing it."""
    if isinstance(value, builtins.bool):
        return dtype == bool_
    if isinstance(value, int):
        return isdtype(dtype, 'numeric')
    return isdtype(dtype, FLOATING)


def result_type(*arrays_and_dtypes):
    """The type of operations on these arrays, types and Python numbers."""
    types = [x.dtype if isinstance(x, NDArray) else x for x in arrays_and_dtypes if not isinstance(x, NUMBERS)]
    if not types:
        raise ValueError('[result_type] an array or a type is needed')
    result = types[0]
    for other in types[1:]:
        if other == result:
            continue
        if not builtins.any(isdtype(result, kind) and isdtype(other, kind) for kind in ('integral', FLOATING)):
            raise TypeError(f'[result_type] {result.name} and {other.name} have no common type in the standard')
        result = _common(result, other)
    for x in arrays_and_dtypes:
        if isinstance(x, NUMBERS) and not _fits(x, result):
            raise TypeError(f'[result_type] {x!r} does not go with {result.name}')
        if isinstance(x, complex):
            result = _common(result, complex64)
    return result


def _common(a, b):
    if isdtype(a, FLOATING):
        isWide = {a, b} & {float64, complex128}
        if isdtype(a, 'complex floating') or isdtype(b, 'complex floating'):
            return complex128 if isWide else complex64
        return float64 if isWide else float32
    signed, unsigned = (a, b) if a in SIGNED else (b, a)
    if (a in SIGNED) == (b in SIGNED):
        return a if a.itemsize > b.itemsize else b
    if unsigned == uint64:
        raise TypeError(f'[result_type] {a.name} and {b.name} have no common type in the standard')
    larger = SIGNED[UNSIGNED.index(unsigned) + 1]
    return signed if signed.itemsize > larger.itemsize else larger


def can_cast(from_, to, /):
    """Whether values of one type, or of an array, become another type by promotion."""
    start = from_.dtype if isinstance(from_, NDArray) else from_
    try:
        return result_type(start, to) == to
    except TypeError:
        return False


def astype(x, dtype, /, *, copy=True, device=None):
    check_device(device)
    return x if not copy and x.dtype == dtype else x.astype(dtype)


class finfo:
    """Limits of a type of real numbers, or of the parts of complex ones."""

    _ROWS = {'float32': (32, 2.0 ** -23, 3.4028234663852886e38, 2.0 ** -126),
             'float64': (64, 2.0 ** -52, 1.7976931348623157e308, 2.0 ** -1022)}

    def __init__(self, type, /):
        dtype = type.dtype if isinstance(type, NDArray) else _ndforge.result_type(type, type)
        dtype = {complex64: float32, complex128: float64}.get(dtype, dtype)
        if dtype.name not in self._ROWS:
            raise ValueError(f'[finfo] {dtype.name} is no type of real numbers of the standard')
        self.bits, self.eps, self.max, self.smallest_normal = self._ROWS[dtype.name]
        self.min, self.dtype = -self.max, dtype


class iinfo:
    """Limits of a type of integers."""

    def __init__(self, type, /):
        dtype = type.dtype if isinstance(type, NDArray) else _ndforge.result_type(type, type)
        if not isdtype(dtype, 'integral'):
            raise ValueError(f'[iinfo] {dtype.name} is no type of integers')
        self.bits, self.dtype = 8 * dtype.itemsize, dtype
        self.min = -2 ** (self.bits - 1) if dtype in SIGNED else 0
        self.max = 2 ** (self.bits - (dtype in SIGNED)) - 1


class __array_namespace_info__:
    """What the namespace can do."""

    def capabilities(self):
        return {'boolean indexing': True, 'data-dependent shapes': True, 'max dimensions': 32}

    def default_device(self):
        return 'cpu'

    def devices(self):
        return ['cpu']

    def default_dtypes(self, *, device=None):
        check_device(device)
        return {'real floating': float64, 'complex floating': complex128, 'integral': int64, 'indexing': int64}

    def dtypes(self, *, device=None, kind=None):
        check_device(device)
        wanted = (kind,) if isinstance(kind, str) else kind
        return {('bool' if dtype == bool_ else dtype.name): dtype for dtype in ALL
                if wanted is None or isdtype(dtype, wanted)}


def promoted(*values, name, kind=None):
    """Arrays of their common type. Python numbers take the type of the arrays beside them."""
    dtype = getattr(values[0], 'dtype', None)
    isCommon = builtins.all(isinstance(value, NDArray) and value.dtype == dtype for value in values)
    if not isCommon:
        dtype = result_type(*values)
    if kind is not None and not isdtype(dtype, kind):
        raise TypeError(f'[{name}] elements of type {dtype.name} are not accepted')
    if isCommon:
        return values
    from .. import asarray
    return [value if isinstance(value, NDArray) and value.dtype == dtype else asarray(value).astype(dtype) for value in values]
