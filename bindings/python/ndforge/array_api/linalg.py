"""Linear algebra. Matrices are the last two dimensions."""

from collections import namedtuple

from .. import _creation as creation, inf
from .._complex import joined
from .._library import operation as _function
from .._methods import _reduce
from ._dtypes import FLOATING, isdtype, promoted
from ._manipulation import _axes, broadcast_arrays, broadcast_to, expand_dims, flip, moveaxis
from ._statistics import sum as _sum

QRResult = namedtuple('QRResult', 'Q R')
SVDResult = namedtuple('SVDResult', 'U S Vh')
EighResult = namedtuple('EighResult', 'eigenvalues eigenvectors')
EigResult = namedtuple('EigResult', 'eigenvalues eigenvectors')
SlogdetResult = namedtuple('SlogdetResult', 'sign logabsdet')


def _matrices(x, name, square=False, kind='real floating'):
    if not isdtype(x.dtype, kind):
        raise TypeError(f'[{name}] elements of type {x.dtype.name} are not accepted')
    if x.ndim < 2 or (square and x.shape[-1] != x.shape[-2]):
        raise ValueError(f'[{name}] {"square " if square else ""}matrices are needed, not shape {x.shape}')
    return x


def matmul(x1, x2, /):
    a, b = promoted(x1, x2, name='matmul', kind='numeric')
    return a @ b


def matrix_transpose(x, /):
    if x.ndim < 2:
        raise ValueError(f'[matrix_transpose] a matrix is needed, not shape {x.shape}')
    return x.mT


def vecdot(x1, x2, /, *, axis=-1):
    a, b = promoted(x1, x2, name='vecdot', kind='numeric')
    left, right = a.shape, b.shape
    rank = min(len(left), len(right))
    if not -rank <= axis < 0:
        raise ValueError(f'[vecdot] axis {axis} is outside {-rank}..-1')
    if left[axis] != right[axis]:
        raise ValueError(f'[vecdot] sizes {left[axis]} and {right[axis]} along the axis differ')
    if a.dtype.kind == 'c':
        a = a.conj()
    elif len(left) == len(right) == 1:
        return a @ b
    return _sum(a * b, axis=axis, dtype=a.dtype)


def tensordot(x1, x2, /, *, axes=2):
    a, b = promoted(x1, x2, name='tensordot', kind='numeric')
    if isinstance(axes, int):
        left, right = list(range(a.ndim - axes, a.ndim)), list(range(axes))
    else:
        left, right = _axes(axes[0], a.ndim, 'tensordot'), _axes(axes[1], b.ndim, 'tensordot')
    if len(left) != len(right) or any(a.shape[i] != b.shape[j] for i, j in zip(left, right)):
        raise ValueError(f'[tensordot] axes {left} of shape {a.shape} do not fit axes {right} of shape {b.shape}')
    outer_a = [d for d in range(a.ndim) if d not in left]
    outer_b = [d for d in range(b.ndim) if d not in right]
    shape = [a.shape[d] for d in outer_a] + [b.shape[d] for d in outer_b]
    count = 1
    for d in left:
        count *= a.shape[d]
    rows, columns = 1, 1
    for d in outer_a:
        rows *= a.shape[d]
    for d in outer_b:
        columns *= b.shape[d]
    if rows * columns * count == 0:
        return creation.zeros(shape, a.dtype)
    a = (a.transpose(outer_a + left) if a.ndim else a).reshape(rows, count)
    b = (b.transpose(right + outer_b) if b.ndim else b).reshape(count, columns)
    return (a @ b).reshape(shape)


def outer(x1, x2, /):
    a, b = promoted(x1, x2, name='outer', kind='numeric')
    if a.ndim != 1 or b.ndim != 1:
        raise ValueError(f'[outer] vectors are needed, not shapes {a.shape} and {b.shape}')
    return a.reshape(-1 if a.size else 0, 1) * b


def cross(x1, x2, /, *, axis=-1):
    a, b = promoted(x1, x2, name='cross', kind='numeric')
    if a.shape[axis] != 3 or b.shape[axis] != 3:
        raise ValueError(f'[cross] vectors have 3 elements, not {a.shape[axis]} and {b.shape[axis]}')
    a, b = (moveaxis(x, axis, 0) for x in broadcast_arrays(a, b))
    parts = [a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3] for i in range(3)]
    from ._manipulation import stack
    return stack(parts, axis=axis % (a.ndim))


def diagonal(x, /, *, offset=0):
    if x.ndim < 2:
        raise ValueError(f'[diagonal] a matrix is needed, not shape {x.shape}')
    rows, columns = x.shape[-2:]
    count = max(0, min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns))
    first = creation.arange(count)
    return x[..., first + max(-offset, 0), first + max(offset, 0)] if count else creation.zeros((*x.shape[:-2], 0), x.dtype)


def trace(x, /, *, offset=0, dtype=None):
    return _sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


def cholesky(x, /, *, upper=False):
    result = _function('cholesky')(_matrices(x, 'cholesky', True)) if x.size else x.copy()
    return result.mT.copy() if upper else result


def det(x, /):
    if x.size == 0:
        return creation.ones(_matrices(x, 'det', True).shape[:-2], x.dtype)
    return _function('matrix_determinant')(_matrices(x, 'det', True)).reshape(x.shape[:-2])


def slogdet(x, /):
    _matrices(x, 'slogdet', True)
    lower = _triangles(x)
    diagonal_, signs = lower
    from ._elementwise import abs, log, sign
    from ._statistics import prod
    return SlogdetResult(prod(sign(diagonal_), axis=-1) * signs, _sum(log(abs(diagonal_)), axis=-1))


def _triangles(x):
    """The diagonal of R and the sign of det Q, for x = QR."""
    if x.size == 0:
        return creation.ones((*x.shape[:-2], 1), x.dtype), creation.ones(x.shape[:-2], x.dtype)
    q, r = _function('qr')(x, full_matrices=False)
    return diagonal(r), _function('matrix_determinant')(q).reshape(x.shape[:-2]).round()


def _as_real(x):
    """The real matrix of twice the size that does with pairs of real numbers what the complex one does with complex ones."""
    from ._manipulation import concat
    return concat([concat([x.real, -x.imag], axis=-1), concat([x.imag, x.real], axis=-1)], axis=-2)


def _as_complex(pairs):
    half = pairs.shape[-2] // 2
    return joined(pairs[..., :half, :], pairs[..., half:, :])


def inv(x, /):
    _matrices(x, 'inv', True, FLOATING)
    if x.dtype.kind == 'c' and x.size:
        return _as_complex(_function('matrix_inverse')(_as_real(x))[..., :x.shape[-1]])
    return _function('matrix_inverse')(_matrices(x, 'inv', True)) if x.size else x.copy()


def solve(x1, x2, /):
    a, b = promoted(x1, x2, name='solve', kind=FLOATING)
    _matrices(a, 'solve', True, FLOATING)
    vector = b.ndim == 1
    b = expand_dims(b, axis=-1) if vector else b
    shape = list(broadcast_arrays(creation.zeros(a.shape[:-2]), creation.zeros(b.shape[:-2]))[0].shape)
    a, b = broadcast_to(a, shape + list(a.shape[-2:])).copy(), broadcast_to(b, shape + list(b.shape[-2:])).copy()
    if b.size and a.dtype.kind == 'c':
        from ._manipulation import concat
        result = _as_complex(_function('solve')(_as_real(a), concat([b.real, b.imag], axis=-2)))
    else:
        result = _function('solve')(a, b) if b.size else b
    return squeeze_last(result) if vector else result


def squeeze_last(x):
    return x.reshape(x.shape[:-1])


def qr(x, /, *, mode='reduced'):
    if mode not in ('reduced', 'complete'):
        raise ValueError(f"[qr] mode: {mode!r} is neither 'reduced' nor 'complete'")
    q, r = _function('qr')(_matrices(x, 'qr'), full_matrices=mode == 'complete')
    return QRResult(q, r)


def svd(x, /, *, full_matrices=True):
    _matrices(x, 'svd')
    s, u, v = _function('svd')(x, full_matrices=full_matrices, compute_uv=True)
    return SVDResult(u, s, v.mT.copy())


def svdvals(x, /):
    return _function('svd')(_matrices(x, 'svdvals'), compute_uv=False, full_matrices=False)[0]


def matrix_norm(x, /, *, keepdims=False, ord='fro'):
    from ._elementwise import abs
    from ._statistics import max, min
    _matrices(x, 'matrix_norm', kind=FLOATING)
    if ord == 'fro':
        result = vector_norm(x, axis=(-2, -1), keepdims=True)
    elif ord in (1, -1):
        result = (max if ord > 0 else min)(_sum(abs(x), axis=-2, keepdims=True), axis=-1, keepdims=True)
    elif ord in (inf, -inf):
        result = (max if ord > 0 else min)(_sum(abs(x), axis=-1, keepdims=True), axis=-2, keepdims=True)
    elif ord in (2, -2, 'nuc'):
        values = svdvals(x)
        reduced = _sum if ord == 'nuc' else max if ord > 0 else min
        result = expand_dims(reduced(values, axis=-1, keepdims=True), axis=-1)
    else:
        raise ValueError(f"[matrix_norm] ord: {ord!r} is none of 'fro', 'nuc', 1, -1, 2, -2, inf, -inf")
    return result if keepdims else result.reshape(x.shape[:-2])


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    from ._elementwise import abs, sqrt
    from ._statistics import max, min
    if not isdtype(x.dtype, FLOATING):
        raise TypeError(f'[vector_norm] elements of type {x.dtype.name} are not accepted')
    if ord == 2 and x.dtype.kind == 'f' and x.size:
        return _reduce(x, 'reduce_norm2', axis, keepdims)
    magnitude = abs(x)
    if ord == inf:
        return max(magnitude, axis=axis, keepdims=keepdims)
    if ord == -inf:
        return min(magnitude, axis=axis, keepdims=keepdims)
    if ord == 0:
        return _sum((x != 0).astype(magnitude.dtype), axis=axis, keepdims=keepdims)
    if ord == 1:
        return _sum(magnitude, axis=axis, keepdims=keepdims)
    if ord == 2:
        return sqrt(_sum(magnitude * magnitude, axis=axis, keepdims=keepdims))
    return _sum(magnitude ** ord, axis=axis, keepdims=keepdims) ** (1 / ord)


def matrix_power(x, n, /):
    _matrices(x, 'matrix_power', True, FLOATING)
    if n < 0:
        x, n = inv(x), -n
    result = broadcast_to(creation.eye(x.shape[-1], dtype=x.dtype), x.shape).copy()
    while n:
        if n & 1:
            result = result @ x
        x = x @ x if n > 1 else x
        n >>= 1
    return result


def _relative(x, rtol, values):
    """What counts as 0 among singular values."""
    from ._dtypes import finfo
    if rtol is None:
        rtol = max(x.shape[-2:]) * finfo(x.dtype).eps
    elif hasattr(rtol, 'ndim'):
        rtol = expand_dims(rtol.astype(x.dtype), axis=-1) if rtol.ndim else rtol.astype(x.dtype)
    return values.max(axis=-1, keepdims=True) * rtol


def matrix_rank(x, /, *, rtol=None):
    values = svdvals(_matrices(x, 'matrix_rank'))
    return (values > _relative(x, rtol, values)).astype('int64').sum(axis=-1)


def pinv(x, /, *, rtol=None):
    from ._searching import where
    u, s, vh = svd(_matrices(x, 'pinv'), full_matrices=False)
    large = s > _relative(x, rtol, s)
    inverse = where(large, 1 / where(large, s, creation.ones((), s.dtype)), creation.zeros((), s.dtype))
    return (vh.mT * expand_dims(inverse, axis=-2)) @ u.mT


def eigh(x, /):
    """By the singular values of the matrix shifted to be positive definite."""
    _matrices(x, 'eigh', True)
    if x.size == 0:
        return EighResult(creation.zeros(x.shape[:-1], x.dtype), x.copy())
    lower = creation.arange(x.shape[-1]).reshape(-1, 1) >= creation.arange(x.shape[-1])
    from ._searching import where
    x = where(lower, x, x.mT)  # only the lower triangle counts
    shift = expand_dims(matrix_norm(x, keepdims=False, ord=inf), axis=-1)
    identity = creation.eye(x.shape[-1], dtype=x.dtype)
    u, s, _ = svd(x + identity * expand_dims(shift, axis=-1), full_matrices=False)
    return EighResult(flip(s, axis=-1) - shift, flip(u, axis=-1).copy())


def eigvalsh(x, /):
    return eigh(x).eigenvalues


def eig(x, /):
    """Of real matrices, one after the other."""
    _matrices(x, 'eig', True)
    size = x.shape[-1]
    if x.size == 0:
        return EigResult(joined(creation.zeros(x.shape[:-1], x.dtype), None), joined(x.copy(), None))
    from ._manipulation import stack
    found = [_function('eig')(matrix) for matrix in x.reshape(-1, size, size)]
    values, vectors = (stack([parts[i] for parts in found]).reshape((*shape, 2))
                       for i, shape in enumerate((x.shape[:-1], x.shape)))
    return EigResult(joined(values[..., 0], values[..., 1]), joined(vectors[..., 0], vectors[..., 1]))


def eigvals(x, /):
    return eig(x).eigenvalues
