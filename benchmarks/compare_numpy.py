#!/usr/bin/env python3
"""Compares NDForge with NumPy in turns (A B A B ...): medians of the ratios of neighbouring measurements.

NDForge is called through its C interface in a loop in C, NumPy in the loop of timeit with an existing output. Both
read the same inputs. NumPy's kernels use one thread; NDForge uses as many as OpenMP gives it.

    python3 compare_numpy.py                          # the most recently built library
    python3 compare_numpy.py --library path/to/libndforge.so --json figures.json
    python3 compare_numpy.py --only 'pow|sum' --sizes 1000 100000 --rounds 41
"""

import argparse
import gc
import json
import math
import os
import platform
import re
import statistics
import sys
import time
import timeit

import numpy as np

from native import Native, find_library  # first: it puts the folder compare on the path
from cases import SIZES, Maker
from custom_cases import CustomMaker

BATCH_SECONDS = 2e-3
SHORT_BATCH_SECONDS = 5e-5  # so short that no other program gets the processor meanwhile
FASTEST_SECONDS = 1.0  # time per row
NOISY = 0.25  # interquartile range of the ratios, divided by their median
BUSY = 0.25  # share of one processor that other programs use
MOST_MEASUREMENTS = 3
INSTRUCTION_SETS = {0: "generic", 1: "x86-64", 2: "AVX2", 3: "AVX-512"}


def busy_seconds():
    """The total busy time of all processors so far; None where the system does not report it."""
    try:
        with open("/proc/stat", encoding="ascii") as file:
            user, nice, system, _, _, irq, soft = map(int, file.readline().split()[1:8])
    except OSError:
        return None
    return (user + nice + system + irq + soft) / os.sysconf("SC_CLK_TCK")


class Disturbance:
    """How much of a processor other programs have used. Threads wait for each other: one busy processor delays all."""

    def __init__(self):
        self._wall, self._busy, self._own = time.perf_counter(), busy_seconds(), time.process_time()

    def share(self):
        if self._busy is None:
            return 0.0
        others = busy_seconds() - self._busy - (time.process_time() - self._own)
        return max(0.0, others / max(time.perf_counter() - self._wall, 1e-3))


def native_seconds(case, calls):
    start = time.perf_counter()
    case.run(calls)
    return time.perf_counter() - start


def calls_for(seconds_of, batch_seconds):
    """The number of calls that take about `batch_seconds`."""
    calls = 1
    while (seconds := seconds_of(calls)) < batch_seconds and calls < 1 << 24:
        calls = max(calls + 1, min(calls * 8, int(calls * batch_seconds / max(seconds, 1e-9)) + 1))
    return calls


def measure_once(case, rounds):
    statement = timeit.Timer(case.statement, globals=case.names).timeit
    ours = lambda calls: native_seconds(case, calls)
    numpy_calls, our_calls = calls_for(statement, BATCH_SECONDS), calls_for(ours, BATCH_SECONDS)
    numpy_times, our_times = [], []
    disturbance = Disturbance()
    for _ in range(rounds):
        numpy_times.append(statement(numpy_calls) / numpy_calls)
        our_times.append(ours(our_calls) / our_calls)
    ratios = [a / b for a, b in zip(numpy_times, our_times)]
    ratio = statistics.median(ratios)
    low, _, high = statistics.quantiles(ratios, n=4)
    return {"name": case.name, "size": case.size, "numpy_ns": statistics.median(numpy_times) * 1e9,
            "ndforge_ns": statistics.median(our_times) * 1e9, "ratio": ratio, "low": low, "high": high,
            "noisy": (high - low) / ratio > NOISY or disturbance.share() > BUSY}


def measure(case, rounds):
    """Repeats noisy measurements and keeps the one with the least noise: choosing by speed would favour one side."""
    tries = []
    while len(tries) < MOST_MEASUREMENTS and (not tries or tries[-1]["noisy"]):
        tries.append(measure_once(case, rounds))
    return min(tries, key=lambda row: (row["high"] - row["low"]) / row["ratio"])


def measure_fastest(case):
    """The shortest of many short batches of each side, in turns. Other programs do not disturb the shortest ones."""
    statement = timeit.Timer(case.statement, globals=case.names).timeit
    ours = lambda calls: native_seconds(case, calls)
    numpy_calls, our_calls = calls_for(statement, SHORT_BATCH_SECONDS), calls_for(ours, SHORT_BATCH_SECONDS)
    numpy_time = our_time = math.inf
    end, rounds = time.perf_counter() + FASTEST_SECONDS, 0
    while time.perf_counter() < end or rounds < 20:
        numpy_time = min(numpy_time, statement(numpy_calls) / numpy_calls)
        our_time = min(our_time, ours(our_calls) / our_calls)
        rounds += 1
    ratio = numpy_time / our_time
    return {"name": case.name, "size": case.size, "numpy_ns": numpy_time * 1e9, "ndforge_ns": our_time * 1e9,
            "ratio": ratio, "low": ratio, "high": ratio, "noisy": False}


def duration(ns):
    for limit, scale, unit in ((1e4, 1, "ns"), (1e7, 1e3, "us"), (math.inf, 1e6, "ms")):
        if ns < limit:
            return f"{ns / scale:.4g} {unit}" if ns / scale < 1e3 else f"{ns / scale:.0f} {unit}"


def print_row(row):
    print(f"{row['name']:<20}{row['size']:>10,}{row['numpy_ns']:>15,.0f}{row['ndforge_ns']:>15,.0f}"
          f"{row['ratio']:>9.2f}{'  noisy' if row['noisy'] else ''}", flush=True)


def markdown(rows):
    """A row per operation and a column per size: NDForge's time, and how many times as long NumPy takes."""
    sizes = sorted({row["size"] for row in rows})
    table = {(row["name"], row["size"]): row for row in rows}
    lines = ["| operation | " + " | ".join(f"{size:,}" for size in sizes) + " |", "|---" * (len(sizes) + 1) + "|"]
    for name in dict.fromkeys(row["name"] for row in rows):
        cells = [f"{duration(row['ndforge_ns'])}, {row['ratio']:.2f}" if (row := table.get((name, size))) else ""
                 for size in sizes]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--library", help="libndforge.so (default: the most recently built one)")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N", help="numbers of elements")
    parser.add_argument("--only", default="", metavar="REGEX", help="the operations to measure")
    parser.add_argument("--custom", action="store_true",
                        help="the operations with arguments instead of the numbered ones")
    parser.add_argument("--rounds", type=int, default=15, metavar="N", help="measurements of each row")
    parser.add_argument("--fastest", action="store_true",
                        help="compare shortest times, not medians: for one thread on a shared machine")
    parser.add_argument("--json", metavar="FILE", help="write the figures to FILE")
    parser.add_argument("--markdown", metavar="FILE", help="write the table of docs/performance.md to FILE")
    parser.add_argument("--check", action="store_true", help="exit 1 when a row is slower or the median is below 2")
    options = parser.parse_args()
    if options.rounds < 3:
        parser.error("--rounds: at least 3")
    if any(size < 1 for size in options.sizes):
        parser.error("--sizes: at least 1")
    return options


def main():
    options = arguments()
    native = Native(options.library or find_library())
    setup = {"numpy": np.__version__, "python": platform.python_version(), "cpus": os.cpu_count(),
             "instruction_set": INSTRUCTION_SETS.get(native.library.binaryLevel(), "unknown"),
             "threads": native.library.ompGetMaxThreads()}
    print(", ".join(f"{key} {value}" for key, value in setup.items()))
    print(f"{'operation':<20}{'elements':>10}{'NumPy ns':>15}{'NDForge ns':>15}{'ratio':>9}")
    rows = []
    disturbance = Disturbance()
    for size in options.sizes:
        maker = Maker(native, size)
        for case in (CustomMaker(maker) if options.custom else maker).all():
            if not re.search(options.only, case.name):
                continue
            case.verify()
            rows.append(measure_fastest(case) if options.fastest else measure(case, options.rounds))
            print_row(rows[-1])
            del case
            gc.collect()
    if not rows:
        sys.exit("compare_numpy.py: nothing to measure")

    setup["others"] = disturbance.share()
    slowest, median = min(rows, key=lambda row: row["ratio"]), statistics.median(row["ratio"] for row in rows)
    slower = [row for row in rows if row["ratio"] < 1]
    print(f"\n{len(rows)} rows, {len(slower)} slower than NumPy; slowest ratio {slowest['ratio']:.2f} "
          f"({slowest['name']}, {slowest['size']:,}); median ratio {median:.2f}; "
          f"other programs used {setup['others']:.2f} processors")
    for row in slower:
        print_row(row)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"setup": setup, "median": median, "slowest": slowest, "rows": rows}, file, indent=1)
    if options.markdown:
        with open(options.markdown, "w", encoding="utf-8") as file:
            file.write(markdown(rows))
    if setup["others"] > BUSY and not options.fastest:
        sys.exit("compare_numpy.py: the processors are busy, so the figures are unreliable")
    if options.check and (slower or median < 2):
        sys.exit(1)


if __name__ == "__main__":
    main()
