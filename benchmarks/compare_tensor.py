#!/usr/bin/env python3
"""Runs the benchmark of fused operators and the same work in NumPy, on one thread, and writes a table.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python3 compare_tensor.py BUILD/benchmarks/tensor [SECONDS]
"""
import os
import subprocess
import sys
import timeit

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np

TYPES = {"float": np.float32, "double": np.float64, "int32": np.int32, "int8": np.int8}


def contestants(dtype, n):
    """The work of each row of the benchmark, with outputs that exist."""
    i = np.arange(n)
    x, y, w = ((i * 7919 % 101).astype(dtype), (i * 104729 % 89).astype(dtype), (i % 3).astype(dtype))
    x[n // 2] = 111
    z = np.empty_like(x)
    pairs = x.reshape(-1, 2)
    a, b = dtype(3), dtype(5)
    return {
        "aggregate<Square, Sum>": lambda: np.dot(x, x),
        "apply<MultiplyAdd>": lambda: np.add(np.multiply(x, y, out=z), w, out=z),
        "apply<AddMultiply>": lambda: np.multiply(np.add(x, a, out=z), b, out=z),
        "aggregate2<Min, Max>": lambda: (x.min(), x.max()),
        "indexOfAggregate<Max>": lambda: x.argmax(),
        "first<GreaterThan>": lambda: (x > dtype(120)).argmax(),
        "aggregate2D<Sum>": lambda: pairs.sum(axis=0, dtype=dtype),
    }


def nanoseconds(f, seconds):
    repeats = 1
    while (once := timeit.timeit(f, number=repeats)) < 2e-4:
        repeats *= 2
    rounds = max(10, int(seconds / once))
    return min(timeit.repeat(f, number=repeats, repeat=rounds)) / repeats * 1e9


def main():
    binary, seconds = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "0.2"
    lines = subprocess.run([binary, seconds], check=True, capture_output=True, text=True).stdout.splitlines()
    cache, rows, others = {}, [], []
    for line in lines:
        words = line[24:].split()
        what, kind, n = line[:24].strip(), words[0], int(words[1])
        figures = {words[k]: float(words[k + 1]) for k in range(2, len(words) - 1, 2)}
        if (kind, n) not in cache:
            cache = {(kind, n): contestants(TYPES[kind], n)}
        figures["numpy"] = nanoseconds(cache[kind, n][what], float(seconds))
        others = [k for k in figures if k not in ("fused", "hand", "ratio")] if len(figures) > len(others) + 3 else others
        rows.append((what, kind, n, figures))
    print("| function | type | elements | ns | of the hand-written loop | " + " | ".join(others) + " |")
    print("|---|---|---|---|---|" + "---|" * len(others))
    for what, kind, n, figures in rows:
        fused = figures["fused"]
        cells = [f"{figures[o] / fused:.2f}" if o in figures else "" for o in others]
        print(f"| `{what}` | {kind} | {n:,} | {fused:,.1f} | {fused / figures['hand']:.2f} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
