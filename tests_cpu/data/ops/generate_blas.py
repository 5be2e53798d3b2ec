"""Expected values of the products of matrices and tensors, from NumPy."""
import numpy as np

from cases import Cases, coarse

cases = Cases("blas")
rng = np.random.default_rng(3)


def some(*shape):
    return coarse(rng.uniform(-1, 1, shape))


def swap(a, wanted):
    return np.swapaxes(a, -1, -2) if wanted and a.ndim > 1 else a


# every form (vectors, matrices, batches) with every transposition
for left, right in (((4,), (4,)), ((4,), (4, 3)), ((2, 4), (4,)), ((2, 4), (4, 3)), ((1, 4), (4, 1)), ((4, 1), (1, 4)), ((1, 1), (1, 1)),
                    ((5, 2, 4), (5, 4, 3)), ((2, 3, 2, 4), (2, 3, 4, 5))):
    x, y = some(*left), some(*right)
    for flags in ((), (1, 0), (0, 1), (1, 1), (0, 0, 1), (1, 1, 1), (1, 0, 1)):
        tx, ty, tz = (tuple(flags) + (0, 0, 0))[:3]
        a, b = swap(x, tx), swap(y, ty)  # passed transposed, so that op(passed) is the original
        z = np.asarray(np.matmul(x, y))
        expected = swap(z, tz) if z.ndim > 1 else z
        cases.add("matmul", [a, b], [expected], i=flags, grad=(0, 1), label=f"{left} {right}")
x, y = some(3, 4), some(4, 2)
cases.add("matmul", [x, y], [2.5 * (x @ y)], t=(2.5,), grad=(0, 1))
# a new output holds zeros, so that beta adds nothing
cases.add("matmul", [x, y], [x @ y], t=(1.0, 3.0), skip={"outputs": "given outputs hold other values, which beta takes in",
                                                         "shared": "the output is read"})
# batches broadcast, and vectors meet batches
for left, right in (((2, 3, 4), (4, 5)), ((3, 4), (2, 4, 5)), ((2, 1, 3, 4), (6, 4, 5)), ((1, 3, 4), (2, 4, 5)),
                    ((4,), (2, 4, 5)), ((2, 3, 4), (4,)), ((4,), (2, 3, 4, 5)), ((0, 3, 4), (1, 4, 5))):
    a, b = some(*left), some(*right)
    cases.add("matmul", [a, b], [a @ b], grad=(0, 1) if 0 not in left else (), label=f"{left} {right}")
a, b = some(2, 1, 4, 3), some(6, 5, 4)
cases.add("matmul", [a, b], [np.swapaxes(np.swapaxes(a, -1, -2) @ np.swapaxes(b, -1, -2), -1, -2)], i=(1, 1, 1), grad=(0, 1))
for alias in ("mMul", "mmul", "gemm", "gemv", "dot"):
    cases.add(alias, [x, y], [x @ y])
for dtype in (np.int32, np.int64, np.int8, np.uint16):
    a, b = rng.integers(0, 5, (3, 4)).astype(dtype), rng.integers(0, 5, (4, 2)).astype(dtype)
    cases.add("matmul", [a, b], [a @ b])
big = np.full((2, 2), 100, np.int8)
cases.add("matmul", [big, big], [big @ big])  # wraps around
# empty sums give zeros, and empty outputs are allowed
cases.add("matmul", [np.zeros((2, 0)), np.zeros((0, 3))], [np.zeros((2, 3))])
cases.add("matmul", [np.zeros((0, 4)), np.zeros((4, 3))], [np.zeros((0, 3))])
large, other = some(70, 130), some(130, 65)
cases.add("matmul", [large, other], [large @ other], types=("FLOAT32",), tol={"FLOAT32": 1e-4})

# gradients: a single element applies to all of z
cases.add("matmul_bp", [x, y, np.array(0.5)], [0.5 * np.broadcast_to(y.sum(1), x.shape), 0.5 * np.repeat(x.sum(0)[:, None], 2, 1)])
v, w = some(5), some(5)
cases.add("matmul_bp", [v, w, np.array(2.0)], [2 * w, 2 * v])
g = some(3, 2)
cases.add("matmul_bp", [x, y, g], [3 * g @ y.T, 3 * x.T @ g], t=(3.0, 7.0))
cases.add("matmul_bp", [np.zeros((2, 0)), np.zeros((0, 3)), np.ones((2, 3))], [np.zeros((2, 0)), np.zeros((0, 3))])

# tensordot
a, b = some(2, 3, 4), some(4, 3, 5)
HALVES = ("HALF", "FLOAT32")
for axes_a, axes_b in (((1, 2), (1, 0)), ((2,), (0,)), ((-1, -2), (0, 1)), ((), ()), ((2, 1), (0, 1))):
    z = np.tensordot(a, b, (axes_a, axes_b))
    ints = (len(axes_a), *axes_a, len(axes_b), *axes_b)
    cases.add("tensormmul", [a, b], [z], i=ints, types=HALVES, grad=(0, 1))
full = some(4, 3, 2)
cases.add("tensordot", [a, full], [np.asarray(np.tensordot(a, full, ((0, 1, 2), (2, 1, 0))))], i=(3, 0, 1, 2, 3, 2, 1, 0), types=HALVES,
          grad=(0, 1))
cases.add("tensormmul", [np.zeros((2, 0)), np.zeros((0, 3))], [np.zeros((2, 3))], i=(1, 1, 1, 0), types=HALVES)
z = np.tensordot(a, b, ((2,), (0,)))
cases.add("tensormmul_bp", [a, b, np.array(2.0)],
          [2 * np.einsum("kjl->k", b) * np.ones_like(a), 2 * np.broadcast_to(a.sum((0, 1))[:, None, None], b.shape)],
          i=(1, 2, 1, 0), types=HALVES)

# axpy
x, y = some(2, 3), some(2, 3)
cases.add("axpy", [x, y], [x + y])
cases.add("axpy", [x, y], [x + 2.5 * y], t=(2.5,))
cases.add("axpy", [x, y, np.array([0.5])], [x + 0.5 * y], t=(2.5,))
cases.add("axpy", [np.zeros((0, 3)), np.zeros((0, 3))], [np.zeros((0, 3))])

# batched_gemm reads buffers, not indices: NumPy's 'c' arrays are row-major
A = [some(2, 3) for _ in range(3)]
B = [some(3, 4) for _ in range(3)]
alpha, beta = np.array([1.0, 0.5, 2.0]), np.zeros(3)
reason = {"views": "the flags describe how the buffers lie, which other layouts change"}
for flag in (1, 112):
    cases.add("batched_gemm", [alpha, beta, *A, *B], [s * (p @ q) for s, p, q in zip(alpha, A, B)], i=(flag, flag, 2, 4, 3, 3, 4, 2, 3), skip=reason)
column = [p.reshape(-1).reshape(3, 2).T for p in A]  # the same buffers read in column-major order
cases.add("batched_gemm", [alpha, beta, *A, *B], [s * (p @ q) for s, p, q in zip(alpha, column, B)], i=(0, 1, 2, 4, 3, 2, 4, 2, 3), skip=reason)

# SameDiff's leading dimensions stand for the matrices, which may lie in any order
cases.add("batched_gemm", [alpha, beta, *A, *B], [s * (p @ q) for s, p, q in zip(alpha, A, B)], i=(0, 0, 2, 4, 3, 2, 4, 3, 3))
squares = [some(3, 3) for _ in range(3)]
cases.add("batched_gemm", [alpha, beta, *A, *squares], [s * (p @ q) for s, p, q in zip(alpha, A, squares)],
          i=(0, 0, 2, 3, 3, 2, 3, 3, 3))
# of square matrices the buffers are read column by column, as the arguments say
cases.add("batched_gemm", [alpha, beta, *squares, *squares[::-1]], [s * (p.T @ q.T) for s, p, q in zip(alpha, squares, squares[::-1])],
          i=(0, 0, 3, 3, 3, 3, 3, 3, 3), skip=reason)

# addmm: an array or one that broadcasts, plus every form of a product
for left, right, shapes in (((4,), (4,), ((), (1,))), ((4,), (4, 3), ((3,), (1,))), ((2, 4), (4,), ((2,),)), ((2, 4), (4, 3), ((2, 3), (3,), (2, 1), ())),
                            ((5, 2, 4), (5, 4, 3), ((5, 2, 3), (1, 2, 1), (3,)))):
    x, y = some(*left), some(*right)
    for shape in shapes:
        c, z = some(*shape), np.asarray(np.matmul(x, y))
        if np.ndim(z) < c.ndim:
            continue
        cases.add("addmm", [c, x, y], [np.asarray(c + z)], label=f"{shape} {left} {right}")
        cases.add("addmm", [c, x, y], [np.asarray(-0.5 * c + 2.5 * z)], t=(2.5, -0.5), label=f"{shape} {left} {right}")
    for flags in ((1, 0), (0, 1), (1, 1), (0, 0, 1), (1, 1, 1)) if len(left) > 1 and len(right) > 1 else ():
        tx, ty, tz = (tuple(flags) + (0,))[:3]
        z = swap(np.matmul(x, y), tz)
        c = some(*z.shape)
        cases.add("addmm", [c, swap(x, tx), swap(y, ty)], [c + z], i=flags, label=f"{left} {right}")
for dtype in (np.int32, np.uint8):
    c, a, b = rng.integers(0, 5, (3, 2)).astype(dtype), rng.integers(0, 5, (3, 4)).astype(dtype), rng.integers(0, 5, (4, 2)).astype(dtype)
    cases.add("addmm", [c, a, b], [c + a @ b])
# nothing to multiply leaves beta c; beta 0 does not read c
cases.add("addmm", [np.ones((2, 3)), np.zeros((2, 0)), np.zeros((0, 3))], [np.full((2, 3), 0.5)], t=(1.0, 0.5))
cases.add("addmm", [np.ones((0, 3)), np.zeros((0, 4)), np.zeros((4, 3))], [np.zeros((0, 3))])
x, y = some(2, 4), some(4, 3)
cases.add("addmm", [np.full((2, 3), np.nan), x, y], [x @ y], t=(1.0, 0.0))

cases.save()
