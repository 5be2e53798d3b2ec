#!/usr/bin/env python3
"""What calls of the Python package cost beside NumPy's, in nanoseconds, on arrays of 10 floats.

    python3 benchmarks/python_calls.py [BUILD/benchmarks/small]

With the program `small`, which measures the same additions in C++, the first row shows what Python adds to them. Everything
runs in turns, and each row is the median of its turns.
"""
import statistics
import subprocess
import sys
import timeit

import numpy as np

import ndforge as nd

LENGTH, CALLS, TURNS = 10, 20_000, 31

a, b = (np.arange(LENGTH, dtype=np.float32) + i for i in (1, 2))
x, y = nd.array(a), nd.array(b)
ROWS = {
    "x + y": (lambda: x + y, lambda: a + b),
    "x * 2.5": (lambda: x * 2.5, lambda: a * 2.5),
    "x == y": (lambda: x == y, lambda: a == b),
    "x[2:8]": (lambda: x[2:8], lambda: a[2:8]),
    "x[::2]": (lambda: x[::2], lambda: a[::2]),
    "x[0]": (lambda: x[0], lambda: a[0]),
    "sum of x": (lambda: x.sum(), lambda: a.sum()),
    "from DLPack": (lambda: nd.from_dlpack(x), lambda: np.from_dlpack(a)),
    "to the other library by DLPack": (lambda: np.from_dlpack(x), lambda: nd.from_dlpack(a)),
    "DLPack there and back": (lambda: nd.from_dlpack(np.from_dlpack(x)), lambda: np.from_dlpack(nd.from_dlpack(a))),
}


def measure():
    """Nanoseconds of NDForge and NumPy for each row."""
    times = {name: ([], []) for name in ROWS}
    empty = min(timeit.repeat(lambda: None, number=CALLS, repeat=5))
    for _ in range(TURNS):
        for name, calls in ROWS.items():
            for call, found in zip(calls, times[name]):
                found.append((timeit.timeit(call, number=CALLS) - empty) / CALLS * 1e9)
    return {name: [statistics.median(found) for found in pair] for name, pair in times.items()}


def in_cpp(program):
    """Nanoseconds of x + y in C++."""
    for line in subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines():
        if line.startswith("x + y"):
            return float(line.split()[-2])
    raise SystemExit(f"{program} has no row 'x + y'")


def main():
    print(f"{'':32}{'NDForge':>10}{'NumPy':>10}")
    for name, (ours, theirs) in measure().items():
        note = ""
        if name == "x + y" and len(sys.argv) > 1:
            inner = in_cpp(sys.argv[1])
            note = f"   {ours - inner:.0f} over C++, which takes {inner:.0f}"
        print(f"{name:32}{ours:10.0f}{theirs:10.0f}{note}")


if __name__ == "__main__":
    main()
