#!/usr/bin/env python3
"""Compares fused graphs with numexpr, PyTorch and torch.compile in turns (A B C A B C ...): medians of the ratios of
neighbouring measurements.

    python3 benchmarks/compare_graphs.py build/benchmarks/benchmarks/graphs [--rounds 11] [--threads 2] [--only tanh]

`graphs` (graphs.cpp) runs the graphs. torch.compile needs a C++ compiler.
"""
import argparse
import os
import re
import statistics
import subprocess
import time

import numexpr
import numpy
import torch

SECONDS = 0.03  # of a measurement
REST = 0.3  # before it: the threads of the one before wait for more work without sleeping

EXPRESSIONS = {
    "sum_of_tanh": ("sum(tanh(x * 2 + y) * z)", lambda x, y, z: torch.sum(torch.tanh(x * 2 + y) * z)),
    "ratio": ("(x - y) / (abs(x) + abs(z) + 1)", lambda x, y, z: (x - y) / (torch.abs(x) + torch.abs(z) + 1)),
    "swish": ("x * (1 / (1 + exp(-1.702 * x))) + y * z", lambda x, y, z: x * torch.sigmoid(1.702 * x) + y * z),
}


def seconds(call, count):
    time.sleep(REST)
    call()
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count


def first(value):
    return float(numpy.asarray(value).reshape(-1)[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", help="the program built from graphs.cpp")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    numexpr.set_num_threads(options.threads)
    print(f"PyTorch {torch.__version__}, numexpr {numexpr.__version__}, {options.threads} threads")
    print("| expression | elements | NDForge, ms | times as long: not fused | numexpr | PyTorch | torch.compile |")
    print("|---|---|---|---|---|---|---|")
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads))
    with subprocess.Popen([options.graphs, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          env=environment) as process, torch.no_grad():
        def ours(name, elements, kind, count):
            time.sleep(REST)
            for runs in (1, count):
                process.stdin.write(f"{name} {elements} {kind} {runs}\n")
                process.stdin.flush()
                answer = [float(word) for word in process.stdout.readline().split()]
            return answer

        for name, (text, function) in EXPRESSIONS.items():
            if not re.search(options.only, name):
                continue
            compiled = torch.compile(function)
            for elements in (1000, 100_000, 10_000_000):
                steps = numpy.arange(elements, dtype=numpy.float32) * numpy.float32(2 / elements)
                x, y, z = steps - 1, steps / 2 + numpy.float32(0.5), steps / 2 - numpy.float32(0.5)
                arrays = {"x": x, "y": y, "z": z}
                tensors = [torch.from_numpy(array) for array in arrays.values()]
                # NDForge and numexpr write into arrays that are there, PyTorch makes new ones.
                out = None if text.startswith("sum") else numpy.empty_like(x)
                calls = {
                    "numexpr": lambda: numexpr.evaluate(text, arrays, out=out),
                    "PyTorch": lambda: function(*tensors),
                    "torch.compile": lambda: compiled(*tensors),
                }
                own, result = ours(name, elements, "fused", 2)
                longest = own
                for call in calls.values():
                    # the plain sums of numexpr lose digits
                    assert abs(first(call()) - result) <= 2e-3 * max(1, abs(result)), (text, first(call()), result)
                    longest = max(longest, seconds(call, 2))
                count = max(3, int(SECONDS / longest))
                ratios, times = {"not fused": [], **{key: [] for key in calls}}, []
                for _ in range(options.rounds):
                    own = ours(name, elements, "fused", count)[0]
                    times.append(own)
                    ratios["not fused"].append(ours(name, elements, "plain", count)[0] / own)
                    for key, call in calls.items():
                        ratios[key].append(seconds(call, count) / own)
                cells = " | ".join(f"{statistics.median(values):.2f}" for values in ratios.values())
                print(f"| {text} | {elements} | {statistics.median(times) * 1e3:.4f} | {cells} |", flush=True)
        process.stdin.close()


if __name__ == "__main__":
    main()
