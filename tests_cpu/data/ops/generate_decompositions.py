"""Expected values of decompositions and systems of equations: NumPy and SciPy in float64.

Factors that are not unique (signs, phases) are compared through operations whose results are unique, or by the rule
that the library documents; OpsDecompositionsTests.cpp multiplies the factors.
"""
import numpy as np
import scipy.linalg

from cases import Cases, coarse

rng = np.random.default_rng(11)
cases = Cases("decompositions")
# 16-bit floats hold the inputs exactly; results are rounded once, from float.
FULL = ("FLOAT32", "DOUBLE")


def some(*shape):
    return coarse(rng.normal(size=shape))


def regular(*shape):
    """Diagonally dominant, so well conditioned in every type."""
    x = rng.normal(size=shape)
    return coarse(x + 3 * np.eye(shape[-1]))


def definite(*shape):
    """Symmetric, with small integers as factors: exact in every type."""
    low = np.tril(rng.integers(-2, 3, size=shape), -1) + np.eye(shape[-1]) * rng.integers(1, 4, size=shape)
    return (low @ np.swapaxes(low, -1, -2)).astype(np.float64)


# ---- Cholesky
for shape in ((1, 1), (3, 3), (5, 5), (2, 3, 4, 4), (0, 0), (2, 0, 0), (0, 3, 3)):
    x = definite(*shape) if 0 not in shape else np.zeros(shape)
    cases.add("cholesky", [x], [np.linalg.cholesky(x) if 0 not in shape else x])
    with np.errstate(divide="ignore"):
        cases.add("logdet", [x], [np.asarray(np.linalg.slogdet(x)[1])])
big = some(40, 40)
big = big @ big.T + 40 * np.eye(40)
cases.add("cholesky", [big], [np.linalg.cholesky(big)], types=("FLOAT32",))
small = 1e-5 * np.array([[2.0, 1], [1, 2]])
cases.add("cholesky", [small], [np.linalg.cholesky(small)], label="small numbers are no reason to refuse", types=())

# ---- LU
for shape in ((1, 1), (3, 3), (6, 6), (2, 2, 4, 4), (0, 0)):
    x = some(*shape)
    factors, order = np.zeros_like(x), np.zeros(shape[:-1], dtype=np.int64)
    for at in np.ndindex(*shape[:-2]):
        if 0 in shape:
            continue
        p, l, u = scipy.linalg.lu(x[at])
        factors[at] = np.tril(l, -1) + u
        order[at] = np.argmax(p, axis=0)
    cases.add("lu", [x], [factors, order.astype(np.int32)], tol={"HALF": 1e-2, "BFLOAT16": 4e-2})
    cases.add("lu", [x], [factors, order], i=(10,), tol={"HALF": 1e-2, "BFLOAT16": 4e-2})
last = np.array([[2.0, 4], [1, 2]])
cases.add("lu", [last], [np.array([[2.0, 4], [0.5, 0]]), np.array([0, 1], dtype=np.int32)], label="the last pivot is 0")

# ---- inverse, determinants
for shape in ((1, 1), (2, 2), (5, 5), (3, 2, 3, 3), (0, 0), (2, 0, 0), (0, 2, 2)):
    x = regular(*shape) if 0 not in shape else np.zeros(shape)
    cases.add("matrix_inverse", [x], [np.linalg.inv(x)])
    cases.add("matrix_determinant", [x], [np.asarray(np.linalg.det(x))])
    cases.add("log_matrix_determinant", [x], [np.asarray(np.linalg.slogdet(x)[1])])
swapped = np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 2]])
cases.add("matrix_inverse", [swapped], [np.linalg.inv(swapped)])
cases.add("matrix_determinant", [swapped], [np.asarray(-2.0)])
singular = np.array([[[1.0, 2], [2, 4]], [[0, 0], [0, 0]], [[1, 0], [0, -3]]])
cases.add("matrix_determinant", [singular], [np.array([0.0, 0, -3])])
cases.add("log_matrix_determinant", [singular], [np.array([-np.inf, -np.inf, np.log(3)])])
huge = np.eye(40) * 2.0 ** 60
cases.add("log_matrix_determinant", [huge], [np.asarray(2400 * np.log(2))], types=("FLOAT32", "BFLOAT16"),
          label="the determinant itself would overflow")
tiny = np.eye(2) * 2.0 ** -20
cases.add("matrix_inverse", [tiny], [np.eye(2) * 2.0 ** 20], types=("FLOAT32",), label="a small determinant")

# ---- systems
for shape, k in (((1, 1), 1), ((4, 4), 3), ((2, 3, 5, 5), 2), ((40, 40), 40)):
    a, b = regular(*shape) + (40 * np.eye(40) if shape[-1] == 40 else 0), some(*shape[:-1], k)
    a = coarse(a)
    transposed = np.swapaxes(a, -1, -2)
    cases.add("solve", [a, b], [np.linalg.solve(a, b)])
    cases.add("solve", [a, b], [np.linalg.solve(transposed, b)], b=(True,))
    for lower in (True, False):
        t = np.tril(a) if lower else np.triu(a)
        for adjoint in (True, False):
            cases.add("triangular_solve", [a, b],
                      [np.linalg.solve(np.swapaxes(t, -1, -2) if adjoint else t, b)], b=(lower, adjoint))
    cases.add("triangular_solve", [a, b], [np.linalg.solve(np.tril(a), b)])
exchange = np.array([[0.0, 2, 1], [1, 1, 0], [2, 0, 3]])
cases.add("solve", [exchange, np.eye(3)], [np.linalg.inv(exchange)])
for op in ("solve", "triangular_solve"):
    cases.add(op, [np.zeros((2, 0, 0)), np.zeros((2, 0, 3))], [np.zeros((2, 0, 3))])
    cases.add(op, [np.eye(2), np.zeros((2, 0))], [np.zeros((2, 0))])
cases.add("triangular_solve", [np.array([[0.0, 0], [1, 1]]), np.array([[1.0], [1]])],
          [np.array([[np.inf], [-np.inf]])], label="a zero on the diagonal")

# ---- least squares
for shape, k in (((5, 3), 2), ((3, 3), 1), ((2, 4), 2), ((2, 6, 2), 3)):
    a, b = some(*shape), some(*shape[:-1], k)
    plain = np.linalg.pinv(a) @ b
    transposed = np.swapaxes(a, -1, -2)
    ridge = np.linalg.solve(transposed @ a + 0.5 * np.eye(shape[-1]), transposed @ b)
    for op in ("lstsq", "solve_ls", "MatrixSolveLs"):
        cases.add(op, [a, b], [plain], types=("FLOAT32",), tol={"FLOAT32": 1e-4, "DOUBLE": 1e-10})
        cases.add(op, [a, b], [ridge], t=(0.5,), tol={"FLOAT32": 1e-4, "DOUBLE": 1e-10})
        cases.add(op, [a, b], [plain], t=(0.5,), b=(False,), types=("FLOAT32",), tol={"FLOAT32": 1e-4, "DOUBLE": 1e-10})
# Floats are computed in double: the columns are nearly parallel.
a = np.array([[1, 1], [1, 1.001], [1, 0.999], [1, 1.002]], np.float32)
b = np.array([[1.25], [2.5], [-0.75], [3.0]], np.float32)
wide, gram = a.astype(np.float64), a.astype(np.float64).T @ a.astype(np.float64)
exact = np.linalg.pinv(wide) @ b
ridge = np.linalg.solve(gram + 2.0**-20 * np.eye(2), wide.T @ b)
for op in ("lstsq", "solve_ls"):
    cases.add(op, [a, b], [exact.astype(np.float32)], types=(), tol={"FLOAT32": 1e-6})
    cases.add(op, [a, b], [ridge.astype(np.float32)], t=(2.0**-20,), types=(), tol={"FLOAT32": 1e-6})
deficient = np.array([[1.0, 1], [2, 2], [3, 3]])
cases.add("lstsq", [deficient, np.array([[2.0], [4], [6]])], [np.array([[1.0], [1]])], label="rank 1: the least norm")

# ---- QR, with the signs that the library states
for shape in ((1, 1), (3, 3), (5, 3), (4, 1), (2, 3, 6, 4), (40, 33), (2, 5), (1, 4)):
    x = some(*shape)
    k = min(shape[-2:])
    for mode in ("reduced", "complete"):
        if mode == "reduced" and shape[-2] < shape[-1]:
            continue
        q, r = np.linalg.qr(x, mode=mode)
        d = np.arange(k)
        wrong = (r[..., d, d] > 0) != (x[..., d, d] > 0)
        sign = np.where(wrong, -1.0, 1.0)
        r = np.triu(r)
        r[..., :k, :] *= sign[..., :, None]
        q = np.array(q)
        q[..., :, :k] *= sign[..., None, :]
        unique = mode == "reduced" or shape[-2] <= shape[-1]
        cases.add("qr", [x], [q if unique else None, r], b=(mode == "complete",) if mode == "complete" else (),
                  tol={"HALF": 2e-2, "BFLOAT16": 1e-1, "FLOAT32": 1e-4, "DOUBLE": 1e-10})
cases.add("qr", [np.eye(3)], [np.eye(3), np.eye(3)])
cases.add("qr", [np.zeros((3, 0))], [np.zeros((3, 0)), np.zeros((0, 0))])
cases.add("qr", [np.zeros((0, 3))], [np.zeros((0, 0)), np.zeros((0, 3))], b=(True,))
cases.add("qr", [np.zeros((3, 0))], [np.eye(3), np.zeros((3, 0))], b=(True,))

# ---- singular values; OpsDecompositionsTests.cpp multiplies the vectors
for shape in ((1, 1), (3, 2), (2, 5), (4, 4), (2, 3, 5, 3), (30, 20)):
    x = some(*shape)
    s = np.linalg.svd(x, compute_uv=False)
    for full in (0, 1):
        cases.add("svd", [x], [s], i=(full, 0, 16))
        cases.add("svd", [x], [s, None, None], i=(full, 1, 16))
cases.add("svd", [np.zeros((2, 0))], [np.zeros(0)], i=(0, 0, 16))
cases.add("svd", [np.zeros((2, 0))], [np.zeros(0), np.eye(2), np.zeros((0, 0))], i=(1, 1, 16))
cases.add("svd", [np.zeros((3, 3))], [np.zeros(3)], i=(0, 0, 16))

# ---- eigenvalues: triangular matrices, so that they are in the order of the diagonal, and a rotation
upper = np.triu(some(5, 5), 1) + np.diag([3.0, 1, -2, 0.5, 7])
cases.add("eig", [upper], [np.stack([np.diag(upper), np.zeros(5)], 1), None], tol={"FLOAT32": 1e-4})
turn = np.array([[0.0, -2], [2, 0]])
cases.add("eig", [turn], [np.array([[0.0, 2], [0, -2]]), None])
cases.add("eig", [np.array([[3.0]])], [np.array([[3.0, 0]]), np.array([[[1.0, 0]]])])
cases.add("eig", [np.zeros((0, 0))], [np.zeros((0, 2)), np.zeros((0, 0, 2))])

# ---- square roots
for x in (definite(3, 3), definite(2, 4, 4), np.array([[1.0, 4], [0, 9]]), turn, np.eye(3), np.zeros((2, 2)),
          np.array([[[4.0]], [[0.25]]]), coarse(rng.uniform(0.1, 1, size=(6, 6)) + 4 * np.eye(6))):
    if x.ndim == 3:
        root = np.stack([scipy.linalg.sqrtm(a).real for a in x])
    else:
        root = scipy.linalg.sqrtm(x).real if x.any() else x
    cases.add("sqrtm", [x], [root], tol={"FLOAT32": 1e-4, "DOUBLE": 1e-9})
cases.add("sqrtm", [np.array([[-4.0]])], [np.array([[np.nan]])])
cases.add("sqrtm", [np.zeros((2, 0, 0))], [np.zeros((2, 0, 0))])

cases.save()
