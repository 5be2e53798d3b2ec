"""Products of matrices, and decompositions."""

import math

import numpy as np

from work import Custom, Row, Work

GROUP = "dense"
DECOMPOSED = 256


def rows():
    for size in (64, 256, 1024, 2048):
        yield from products(size)
    for count, size in ((64, 64), (16, 256)):
        yield product("matmul of batches", (count, size, size), (count, size, size), (count, size, size))
    yield by_transposed(16, 512)
    yield tensordot()
    for size in (32, 1_024):
        yield einsum("ij,jk->ik", (size, size), (size, size), (size, size))
    yield einsum("bij,bjk->bik", (64, 64, 64), (64, 64, 64), (64, 64, 64))
    yield einsum("ij,ij->", (1_000, 1_000), (1_000, 1_000), ())
    yield einsum("ijk,kji->j", (100, 100, 100), (100, 100, 100), (100,))
    yield from decompositions(DECOMPOSED)


def products(size):
    for dtype in ("float32", "float64"):
        yield product(f"matmul {dtype}", (size, size), (size, size), (size, size), dtype,
                      "z.matrix().noalias() = x.matrix() * y.matrix()")
    yield product("matrix by vector", (size, size), (size,), (size,), "float32",
                  "z.matrix().noalias() = x.matrix() * y.matrix()")


def product(name, x, y, z, dtype="float32", eigen=None):
    label = f"{name}, {' x '.join(map(str, x))}"
    statements = {"numpy": "np.matmul(x, y, z)", "torch": "torch.matmul(x, y, out=z)", "ort": "MatMul(x, y)"}
    return Row(GROUP, label, math.prod(x), lambda v: Work(
        {"x": v.reals(x, -1, 1, dtype), "y": v.reals(y, -1, 1, dtype)}, [(z, dtype)], Custom("matmul"),
        {**statements, **({"eigen": eigen} if eigen else {})}, absolute=1e-3))


def by_transposed(rows, size):
    """What a dense layer computes whose weights are [outputs, inputs]."""
    return Row(GROUP, f"matmul by a transposed matrix, {rows} x {size}", size * size, lambda v: Work(
        {"x": v.reals((rows, size), -1, 1), "y": v.reals((size, size), -1, 1)}, [((rows, size), "float32")],
        Custom("matmul", [0, 1]), {"numpy": "np.matmul(x, y.T, z)", "torch": "torch.matmul(x, y.T, out=z)",
                                   "ort": "Gemm(x, y, transB=1)"}, absolute=1e-3))


def tensordot():
    return Row(GROUP, "tensordot, 64 x 32 x 64 by 64 x 32 x 64", 64 * 32 * 64, lambda v: Work(
        {"x": v.reals((64, 32, 64), -1, 1), "y": v.reals((64, 32, 64), -1, 1)}, [((64, 64), "float32")],
        Custom("tensormmul", [2, 1, 2, 2, 1, 2]),
        {"numpy": "z[...] = np.tensordot(x, y, ((1, 2), (1, 2)))", "torch": "z = torch.tensordot(x, y, ((1, 2), (1, 2)))"},
        absolute=1e-3))


def einsum(equation, x, y, z):
    return Row(GROUP, f"einsum {equation}, {' x '.join(map(str, x))}", math.prod(x), lambda v: Work(
        {"equation": equation, "x": v.reals(x, -1, 1), "y": v.reals(y, -1, 1)}, [(z, "float32")], Custom("einsum"),
        {"numpy": "np.einsum(equation, x, y, out=z, optimize=True)", "torch": "z = torch.einsum(equation, x, y)"},
        absolute=1e-2))


def definite(v, n):
    half = v.reals((n, n), -1, 1)
    a = v.reals((n, n), 0, 1)
    a[...] = half @ half.T + n * np.eye(n, dtype=np.float32)
    a[...] = (a + a.T) / 2  # exactly symmetric
    return a


def decompositions(n):
    square, size = (n, n), n * n

    def row(name, inputs, outputs, call, statements, **compared):
        return Row(GROUP, f"{name}, {n} x {n}", size, lambda v: Work(inputs(v), outputs, call, statements, **compared))

    def one(v):
        return {"x": v.reals(square, -1, 1)}

    yield row("cholesky", lambda v: {"x": definite(v, n)}, [(square, "float32")], Custom("cholesky"),
              {"numpy": "z[...] = np.linalg.cholesky(x)", "torch": "torch.linalg.cholesky(x, out=z)",
               "eigen": "z.matrix() = Eigen::LLT<Eigen::Matrix<float, -1, -1, Eigen::RowMajor>>(x.matrix()).matrixL()"},
              absolute=1e-3)
    # The signs of the vectors are not unique: what is compared are their products.
    yield row("qr", one, [(square, "float32")] * 2, Custom("qr"),
              {"numpy": "z = np.linalg.qr(x)", "torch": "z = torch.linalg.qr(x)"}, same="z[0] @ z[1]", absolute=1e-3)
    yield row("svd", one, [((n,), "float32"), (square, "float32"), (square, "float32")], Custom("svd", [0, 1, 16]),
              {"numpy": "u, s, vt = np.linalg.svd(x); z = [s, u, vt.T]", "torch": "u, s, vt = torch.linalg.svd(x); z = [s, u, vt.T]"},
              same="z[1] * z[0] @ z[2].T", absolute=1e-3)
    yield row("solve", lambda v: {"x": definite(v, n), "b": v.reals((n, 1), -1, 1)}, [((n, 1), "float32")], Custom("solve"),
              {"numpy": "z[...] = np.linalg.solve(x, b)", "torch": "torch.linalg.solve(x, b, out=z)",
               "eigen": "z.matrix() = x.matrix().partialPivLu().solve(b.matrix())"}, absolute=1e-4)
    yield row("eigenvalues", one, [((n, 2), "float32"), ((n, n, 2), "float32")], Custom("eig"),
              {"numpy": "w, v = np.linalg.eig(x); z = [w.view(np.float32).reshape(-1, 2), v]",
               "torch": "w, v = torch.linalg.eig(x); z = [torch.view_as_real(w), v]"},
              same="[np.sort(z[0][:, 0]), np.sort(z[0][:, 1])]", absolute=1e-2)
