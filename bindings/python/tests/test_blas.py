"""Matrix products and decompositions with OpenBLAS's kernels for each kind of processor that this machine can stand for.

Each kind needs a process of its own, because OpenBLAS chooses when it is loaded: test_blas.py KIND is that process.
"""

import ctypes
import os
import pathlib
import subprocess
import sys

import numpy as np

# The kinds, and the flags in /proc/cpuinfo of what their kernels use. Prescott, Barcelona and Bobcat stand for older
# processors, whose kernels the wheel's OpenBLAS replaces by those of Nehalem.
KINDS = {
    'Prescott': 'sse4_2', 'Barcelona': 'sse4_2', 'Bobcat': 'sse4_2', 'Nehalem': 'sse4_2', 'Sandybridge': 'avx',
    'Bulldozer': 'avx fma4', 'Piledriver': 'avx fma4 fma', 'Steamroller': 'avx fma4 fma', 'Excavator': 'avx2 fma4 fma',
    'Haswell': 'avx2 fma', 'Zen': 'avx2 fma', 'SkylakeX': 'avx2 fma avx512f avx512dq avx512cd avx512bw avx512vl',
    'Cooperlake': 'avx2 fma avx512f avx512dq avx512cd avx512bw avx512vl avx512_bf16',
}
OLD = {'Prescott', 'Barcelona', 'Bobcat', 'Nehalem'}
SIZES = [1, 2, 3, 5, 8, 17, 33, 64, 100, 129, 257]


def openblas():
    """The package's OpenBLAS, or None if its BLAS is another one. NumPy may have loaded its own."""
    for line in pathlib.Path('/proc/self/maps').read_text().splitlines():
        path = pathlib.Path(line.split()[-1])
        if path.name.startswith('libopenblas') and not path.parent.name.startswith(('numpy', 'scipy')):
            library = ctypes.CDLL(str(path))
            library.openblas_get_config.restype = library.openblas_get_corename.restype = ctypes.c_char_p
            return library
    return None


def near(actual, expected, dtype):
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape and actual.dtype in (dtype, expected.dtype)
    largest = max(1, np.abs(expected).max())
    np.testing.assert_allclose(actual, expected, rtol=0, atol=largest * (2e-4 if dtype == np.float32 else 1e-11))


def check_products(nd, dtype, generator):
    for m, k, n in [(size, size, size) for size in SIZES] + [(1, 300, 7), (130, 1, 65), (3, 511, 2), (200, 77, 301)]:
        a, b = (generator.standard_normal(shape).astype(dtype) for shape in ((m, k), (k, n)))
        expected = np.einsum('ik,kj->ij', a.astype(np.float64), b.astype(np.float64))
        x, y = nd.array(a), nd.array(b)
        left, right = nd.array(a.T.copy()), nd.array(b.T.copy())
        for product in (x @ y, left.T @ y, x @ right.T, left.T @ right.T):
            near(product, expected, dtype)
        near(x @ y[:, 0], expected[:, 0], dtype)
        near(left.T @ y[:, 0], expected[:, 0], dtype)


def check_decompositions(nd, dtype, generator):
    for size in SIZES:
        whole = generator.standard_normal((size, size))
        a = (whole + 3 * np.sqrt(size) * np.eye(size)).astype(dtype)
        b = generator.standard_normal((size, 3)).astype(dtype)
        definite = (np.einsum('ik,jk->ij', whole, whole) / size + np.eye(size)).astype(dtype)
        symmetric = (whole + whole.T).astype(dtype)
        identity = np.eye(size)
        wide = [np.asarray(matrix, np.float64) for matrix in (a, definite, symmetric)]

        near(nd.solve(a, b), np.linalg.solve(wide[0], b), dtype)
        near(nd.matrix_inverse(a), np.linalg.inv(wide[0]), dtype)
        near(nd.cholesky(definite), np.linalg.cholesky(wide[1]), dtype)
        q, r = (np.asarray(part, np.float64) for part in nd.qr(a))
        near(q.T @ q, identity, dtype)
        near(q @ np.triu(r), wide[0], dtype)
        s, u, v = (np.asarray(part, np.float64) for part in nd.svd(a, full_matrices=True, compute_uv=True))
        near(s, np.linalg.svd(wide[0], compute_uv=False), dtype)
        near((u * s) @ v.T, wide[0], dtype)
        values, vectors = (np.asarray(part, np.float64) for part in nd.eigh(symmetric))
        near(values, np.linalg.eigvalsh(wide[2]), dtype)
        near((vectors * values) @ vectors.T, wide[2], dtype)
        values, vectors = (np.asarray(part, np.float64) @ [1, 1j] for part in nd.eig(a))
        near(wide[0] @ vectors, vectors * values, dtype)
        near(np.sort(np.abs(values)), np.sort(np.abs(np.linalg.eigvals(wide[0]))), dtype)
        root = np.asarray(nd.sqrtm(definite), np.float64)
        near(root @ root, wide[1], dtype)


def main(kind):
    os.environ['OPENBLAS_CORETYPE'] = kind  # NumPy has chosen already, and its threads
    del os.environ['OPENBLAS_NUM_THREADS']
    os.environ['DNNL_MAX_CPU_ISA'] = 'AVX2'  # else oneDNN would compute products of floats where there is AVX-512
    import ndforge as nd
    library = openblas()
    if library is None or b'DYNAMIC_ARCH' not in library.openblas_get_config():
        print('the BLAS has kernels for one kind of processor only')
        return
    used = library.openblas_get_corename().decode()
    assert used == kind or {kind, used} <= OLD, f'OpenBLAS uses the kernels of {used}'
    for dtype in (np.float32, np.float64):
        check_products(nd, dtype, np.random.default_rng(5))
        check_decompositions(nd, dtype, np.random.default_rng(6))


if __name__ == '__main__':
    main(sys.argv[1])
else:
    import pytest

    @pytest.mark.parametrize('kind', KINDS)
    def test_kernels(kind):
        information = pathlib.Path('/proc/cpuinfo')
        flags = information.read_text().split() if information.exists() else []
        if not set(KINDS[kind].split()) <= set(flags):
            pytest.skip(f'this processor has not all of {KINDS[kind]}')
        # Threads of NumPy and of the package that wait busily for each other's processors take minutes.
        settings = {**os.environ, 'OMP_WAIT_POLICY': 'passive', 'OPENBLAS_NUM_THREADS': '1'}
        done = subprocess.run([sys.executable, '-B', __file__, kind], capture_output=True, text=True, env=settings)
        assert done.returncode == 0, done.stdout + done.stderr
        if done.stdout:
            pytest.skip(done.stdout.strip())
