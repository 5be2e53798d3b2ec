#!/usr/bin/env python3
"""Writes decompositions.npz: expected values for the decomposition classes, from LAPACK (through SciPy) and NumPy.

LAPACK's reflections are I - tau w w^T with w = (1, ...) and take a vector to one whose sign is the opposite of the
first element's, which makes factors comparable element by element.
"""
from pathlib import Path

import numpy as np
import scipy.linalg
from scipy.linalg import lapack

random = np.random.default_rng(20)
out = {}


def reflection(name, x):
    beta = -np.copysign(np.linalg.norm(x), x[0])
    out[f"{name}.x"], out[f"{name}.tail"] = x, x[1:] / (x[0] - beta)
    out[f"{name}.data"] = np.array([(beta - x[0]) / beta, beta])


def bidiagonal(name, a):
    # computed with whole matrices instead of reflections
    m, n = a.shape
    b, packed = a.copy(), np.zeros_like(a)
    for k in range(n):
        for right in (False, True):
            first = k + right
            x = b[k, first:] if right else b[first:, k]
            if len(x) == 0:
                continue
            tail = np.linalg.norm(x[1:]) > 0
            beta = -np.copysign(np.linalg.norm(x), x[0]) if tail else x[0]
            w = np.concatenate([[1.0], x[1:] / (x[0] - beta) if tail else x[1:]])
            tau = (beta - x[0]) / beta if tail else 0.0
            p = np.eye(n if right else m)
            p[first:, first:] -= tau * np.outer(w, w)
            b = b @ p if right else p @ b
            w[0] = tau
            if right:
                packed[k, first:] = w
            else:
                packed[first:, k] = w
    out[f"{name}.a"], out[f"{name}.packed"], out[f"{name}.b"] = a, packed, np.triu(b[:n]) - np.triu(b[:n], 2)
    assert np.allclose(b[:n], out[f"{name}.b"]) and np.allclose(b[n:], 0)


def pivoted(name, a):
    qr, pivots, tau, _, info = lapack.dgeqp3(a)
    assert info == 0
    out[f"{name}.a"], out[f"{name}.qr"], out[f"{name}.tau"] = a, qr, tau
    out[f"{name}.p"] = np.eye(a.shape[1])[:, pivots - 1]


def hessenberg(name, a):
    h, q = scipy.linalg.hessenberg(a, calc_q=True, overwrite_a=False)
    out[f"{name}.a"], out[f"{name}.h"], out[f"{name}.q"] = a, h, q


def eigen(name, a):
    w = np.linalg.eigvals(a)
    w = w[np.lexsort((w.imag, w.real.round(8)))]
    out[f"{name}.a"], out[f"{name}.w"] = a, np.stack([w.real, w.imag], axis=1)


def singular(name, a):
    out[f"{name}.a"], out[f"{name}.s"] = a, np.linalg.svd(a, compute_uv=False)


reflection("reflection", np.array([3.0, -1.0, 2.0, 0.5]))
reflection("reflection_negative", np.array([-0.25, 4.0, 1.0]))
bidiagonal("bidiagonal", random.normal(size=(6, 4)))
bidiagonal("bidiagonal_square", random.normal(size=(3, 3)))
pivoted("pivoted_tall", random.normal(size=(5, 3)))
pivoted("pivoted_wide", random.normal(size=(3, 6)))
hessenberg("hessenberg", random.normal(size=(5, 5)))
eigen("eigen_real", np.array([[2.0, 1, 0], [1, 3, 1], [0, 1, 4]]))
eigen("eigen_pairs", random.normal(size=(7, 7)))
eigen("eigen_rotation", np.array([[0.0, -1], [1, 0]]))
eigen("eigen_equal", np.diag([2.0, 2, 2]) + np.diag([1.0, 0], 1))
for rows, columns in [(1, 1), (4, 4), (7, 3), (3, 7), (24, 24), (40, 18), (18, 40)]:
    singular(f"svd_{rows}_{columns}", random.normal(size=(rows, columns)))
low = random.normal(size=(20, 4)) @ random.normal(size=(4, 20))
singular("svd_rank4", low)
singular("svd_equal", np.kron(np.eye(5), np.array([[2.0, 1], [0, 1]])))
arrow = np.diag([0.0, 1.5, 2.5, 4.0, 7.0])
arrow[:, 0] = [2.0, 0.3, -1.2, 0.7, 0.1]
out["arrow.m"], out["arrow.s"] = arrow, np.linalg.svd(arrow, compute_uv=False)
a, x = random.normal(size=(5, 5)), random.normal(size=(5, 2))
out["solve.a"], out["solve.b"], out["solve.x"] = a, a @ x, x
a = random.normal(size=(4, 4))
a = a @ a.T + np.eye(4)
out["root.a"], out["root.x"] = a, np.real(scipy.linalg.sqrtm(a))
out["root_general.a"] = np.array([[4.0, 1, 0], [-1, 3, 2], [0, 0, 9]])
out["root_general.x"] = np.real(scipy.linalg.sqrtm(out["root_general.a"]))

np.savez(Path(__file__).with_name("decompositions.npz"), **{k: np.ascontiguousarray(v) for k, v in out.items()})
