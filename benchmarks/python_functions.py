#!/usr/bin/env python3
"""Times the functions of ndforge.array_api against NumPy's, for many types, with one thread.

    pip install numpy dist/ndforge-*.whl
    python3 benchmarks/python_functions.py [--elements N] [--rows REGEX] [--behind RATIO]

Prints the functions that are behind, the furthest first: how many times as long NumPy takes, and both times. Calls of both
alternate, and the best of each counts. Timings want a quiet machine; all functions take about a minute.
"""
import argparse
import os
import re
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np  # noqa: E402 (it reads the number of threads)

import ndforge as nd  # noqa: E402
import ndforge.array_api as xp  # noqa: E402

RENAMED = {"acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan", "atanh": "arctanh",
           "atan2": "arctan2", "pow": "power", "bitwise_invert": "invert", "bitwise_left_shift": "left_shift",
           "cumulative_sum": "cumsum"}
FLOAT_FUNCTIONS = ("abs acos asin asinh atan atanh ceil cos cosh exp expm1 floor isfinite isinf isnan log log1p log2 log10 "
                   "negative reciprocal round sign signbit sin sinh square sqrt tan tanh trunc").split()
FLOAT_PAIRS = ("add atan2 copysign divide equal floor_divide greater hypot less_equal logaddexp maximum minimum multiply "
               "nextafter pow remainder subtract").split()
FUNCTIONS = {
    "f": (FLOAT_FUNCTIONS, FLOAT_PAIRS),
    "c": ("abs exp log sqrt square negative conj sin".split(), "add multiply divide equal".split()),
    "b": (["logical_not"], "logical_and logical_or logical_xor equal".split()),
    "i": ("abs negative square sign bitwise_invert".split(),
          "add subtract multiply floor_divide remainder equal greater maximum bitwise_and bitwise_left_shift pow".split()),
}
FUNCTIONS["u"] = FUNCTIONS["i"]
REDUCTIONS = "sum prod max min argmax argmin any all".split()
TYPES = "float32 float64 int32 int64 uint8 int16 bool complex128".split()


def numbers(random, dtype, shape):
    kind = np.dtype(dtype).kind
    if kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    if kind in "iu":
        return random.integers(1, 50, shape).astype(dtype)
    real = random.uniform(0.1, 0.9, shape)
    return (real + 1j * random.uniform(0.1, 0.9, shape) if kind == "c" else real).astype(dtype)


def cases(dtype, elements):
    """Name, call of NDForge, call of NumPy."""
    random = np.random.default_rng(0)
    side = int(elements ** 0.5)
    x, y, m = numbers(random, dtype, elements), numbers(random, dtype, elements), numbers(random, dtype, (side, side))
    X, Y, M = nd.array(x), nd.array(y), nd.array(m)
    kind = x.dtype.kind
    for name in FUNCTIONS[kind][0]:
        yield name, lambda f=getattr(xp, name): f(X), lambda f=getattr(np, RENAMED.get(name, name)): f(x)
    if kind == "f":
        u, U = x + x.dtype.type(1), nd.array(x + x.dtype.type(1))
        yield "acosh", lambda: xp.acosh(U), lambda: np.arccosh(u)
    for name in FUNCTIONS[kind][1]:
        v = (y % 5).astype(dtype) if name in ("bitwise_left_shift", "pow") and kind in "iu" else y
        yield (name, lambda f=getattr(xp, name), v=nd.array(v): f(X, v),
               lambda f=getattr(np, RENAMED.get(name, name)), v=v: f(x, v))
    if kind in "fiu":
        yield from with_numbers(x, X)
        yield from reductions(x, X, m, M)
        yield from orders(x, X, m, M)
        yield "clip", lambda: xp.clip(X, 0.2, 0.5) if kind == "f" else xp.clip(X, 2, 5), lambda: (
            np.clip(x, 0.2, 0.5) if kind == "f" else np.clip(x, 2, 5))
    if kind != "c":
        yield from selections(random, x, X, y, Y)
    if kind != "b":
        yield "matmul", lambda: M @ M, lambda: m @ m
    yield from moves(x, X, y, Y, m, M)
    if kind == "f":
        yield from algebra(m[:200, :200])


def with_numbers(x, X):
    three = x.dtype.type(3)
    yield "x * 3", lambda: X * 3, lambda: x * three
    yield "x / 3", lambda: X / 3, lambda: x / three
    yield "x // 3", lambda: X // 3, lambda: x // three
    yield "x % 3", lambda: X % 3, lambda: x % three
    yield "x ** 2", lambda: X**2, lambda: x**2
    yield "x < 3", lambda: X < 3, lambda: x < three


def reductions(x, X, m, M):
    for name in REDUCTIONS + (["mean", "std", "var"] if x.dtype.kind == "f" else []):
        ours, theirs = getattr(xp, name), getattr(np, name)
        yield name, lambda f=ours: f(X), lambda f=theirs: f(x)
        for axis in (0, 1):
            yield (f"{name} along axis {axis}", lambda f=ours, axis=axis: f(M, axis=axis),
                   lambda f=theirs, axis=axis: f(m, axis=axis))
    yield "cumulative_sum", lambda: xp.cumulative_sum(X), lambda: np.cumsum(x)
    for axis in (0, 1):
        yield (f"cumulative_sum along axis {axis}", lambda axis=axis: xp.cumulative_sum(M, axis=axis),
               lambda axis=axis: np.cumsum(m, axis=axis))


def orders(x, X, m, M):
    yield "sort", lambda: xp.sort(X), lambda: np.sort(x)
    yield "argsort", lambda: xp.argsort(X), lambda: np.argsort(x, kind="stable")
    for axis in (0, 1):
        yield f"sort along axis {axis}", lambda axis=axis: xp.sort(M, axis=axis), lambda axis=axis: np.sort(m, axis=axis)
    yield "unique_values", lambda: xp.unique_values(X), lambda: np.unique(x)


def selections(random, x, X, y, Y):
    b, i = random.integers(0, 2, x.size).astype(bool), random.integers(0, x.size, x.size)
    B, I = nd.array(b), nd.array(i)
    yield "where", lambda: xp.where(B, X, Y), lambda: np.where(b, x, y)
    yield "x[mask]", lambda: X[B], lambda: x[b]
    yield "x[indices]", lambda: X[I], lambda: x[i]
    yield "nonzero", lambda: xp.nonzero(X), lambda: np.nonzero(x)
    yield "count_nonzero", lambda: xp.count_nonzero(X), lambda: np.count_nonzero(x)


def moves(x, X, y, Y, m, M):
    yield "concat", lambda: xp.concat([X, Y]), lambda: np.concatenate([x, y])
    yield "stack", lambda: xp.stack([X, Y], axis=1), lambda: np.stack([x, y], axis=1)
    yield "flip, copy", lambda: xp.flip(X).copy(), lambda: np.flip(x).copy()
    yield "roll", lambda: xp.roll(X, 3), lambda: np.roll(x, 3)
    yield "transpose, copy", lambda: M.T.copy(), lambda: m.T.copy()
    yield "repeat", lambda: xp.repeat(X, 3), lambda: np.repeat(x, 3)
    yield "tile", lambda: xp.tile(X, (3,)), lambda: np.tile(x, 3)
    yield "copy", lambda: X.copy(), lambda: x.copy()
    yield "zeros_like", lambda: xp.zeros_like(X), lambda: np.zeros_like(x)
    yield "full_like", lambda: xp.full_like(X, 1), lambda: np.full_like(x, 1)
    yield "x[::2] = y[::2]", lambda: X.__setitem__(np.s_[::2], Y[::2]), lambda: x.__setitem__(np.s_[::2], y[::2])
    for other in TYPES:
        if "c" not in (x.dtype.kind, np.dtype(other).kind) and other != x.dtype.name:
            yield (f"to {other}", lambda to=getattr(nd, other if other != "bool" else "bool_"): X.astype(to),
                   lambda to=other: x.astype(to))


def algebra(m):
    m = m + np.eye(len(m), dtype=m.dtype) * len(m)
    s = m @ m.T
    M, S = nd.array(m), nd.array(s)
    for name in "inv det svd qr pinv".split():
        yield name, lambda f=getattr(xp.linalg, name): f(M), lambda f=getattr(np.linalg, name): f(m)
    for name in "eigh cholesky".split():
        yield name, lambda f=getattr(xp.linalg, name): f(S), lambda f=getattr(np.linalg, name): f(s)
    yield "solve", lambda: xp.linalg.solve(M, M), lambda: np.linalg.solve(m, m)
    yield "vector_norm", lambda: xp.linalg.vector_norm(M), lambda: np.linalg.norm(m)
    yield "vecdot", lambda: xp.vecdot(M, M), lambda: np.vecdot(m, m)


def seconds(*calls, rounds=7):
    """The best time of each."""
    best = [float("inf")] * len(calls)
    repeats = []
    for call in calls:
        call()
        start = time.perf_counter()
        call()
        repeats.append(max(1, min(200, int(2e-3 / max(time.perf_counter() - start, 1e-7)))))
    for _ in range(rounds):
        for i, call in enumerate(calls):
            start = time.perf_counter()
            for _ in range(repeats[i]):
                call()
            best[i] = min(best[i], (time.perf_counter() - start) / repeats[i])
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elements", type=int, default=100_000)
    parser.add_argument("--rows", type=re.compile, default=re.compile(""), help="only functions whose name and type match")
    parser.add_argument("--behind", type=float, default=0.97, help="print ratios below this one")
    options = parser.parse_args()
    rows = []
    for dtype in TYPES:
        for name, ours, theirs in cases(dtype, options.elements):
            if options.rows.search(f"{name} {dtype}"):
                a, b = seconds(ours, theirs)
                rows.append((b / a, f"{name} {dtype}", a, b))
    rows.sort()
    print(f"{len(rows)} functions of {options.elements} elements; behind NumPy: {sum(row[0] < 0.97 for row in rows)}")
    for ratio, name, a, b in rows:
        if ratio < options.behind:
            print(f"{ratio:5.2f}  {name:32}{a * 1e6:10.1f} us, NumPy {b * 1e6:.1f} us")


if __name__ == "__main__":
    main()
