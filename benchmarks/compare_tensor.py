#!/usr/bin/env python3
"""Runs the benchmark of fused operators in turns with the same work in NumPy, on one thread, and prints a table.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python3 compare_tensor.py BUILD/benchmarks/tensor [SECONDS]
"""
import os
import statistics
import subprocess
import sys
import time
import timeit

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np

TYPES = {"float": np.float32, "double": np.float64, "int32": np.int32, "int8": np.int8}
LENGTHS = (1000, 10000000)


def contestants(dtype, n):
    """The work of each row of the benchmark in NumPy, with existing outputs."""
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


def repeats_for(f):
    repeats = 1
    while timeit.timeit(f, number=repeats) < 2e-4:
        repeats *= 2
    return repeats


def round_of(benchmark):
    """Runs one more round of the benchmark's row and returns the medians so far."""
    print("go", file=benchmark.stdin, flush=True)
    words = benchmark.stdout.readline()[24:].split()
    return {words[k]: float(words[k + 1]) for k in range(2, len(words) - 1, 2)}


def row(benchmark, numpy_work, seconds):
    repeats, times = repeats_for(numpy_work), []
    end, rounds = time.monotonic() + seconds, 0
    while rounds < 20 or time.monotonic() < end:
        figures = round_of(benchmark)
        before = time.thread_time()
        while time.thread_time() - before < 1e-3:
            numpy_work()
        times.append(timeit.timeit(numpy_work, timer=time.thread_time, number=repeats) / repeats * 1e9)
        rounds += 1
    print("next", file=benchmark.stdin, flush=True)
    return dict(figures, numpy=statistics.median(times))


def main():
    binary, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 0.2
    rows = []
    with subprocess.Popen([binary, "0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as benchmark:
        for n in LENGTHS:
            for kind, dtype in TYPES.items():
                for what, work in contestants(dtype, n).items():
                    rows.append((what, kind, n, row(benchmark, work, seconds)))
    others = [k for k in max((figures for *_, figures in rows), key=len) if k not in ("fused", "hand", "ratio")]
    print("| function | type | elements | ns | ratio to the hand-written loop | " + " | ".join(others) + " |")
    print("|---|---|---|---|---|" + "---|" * len(others))
    for what, kind, n, figures in rows:
        fused = figures["fused"]
        cells = [f"{figures[o] / fused:.2f}" if o in figures else "" for o in others]
        hand = f"{fused / figures['hand']:.2f}" if "hand" in figures else ""
        print(f"| `{what}` | {kind} | {n:,} | {fused:,.1f} | {hand} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
