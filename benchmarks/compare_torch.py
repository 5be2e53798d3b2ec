#!/usr/bin/env python3
"""Compares layers with PyTorch in turns (A B A B ...): medians of the ratios of neighbouring measurements.

    python3 benchmarks/compare_torch.py build/benchmarks/benchmarks/layers [--rounds 11] [--threads 2] [--only 'conv']

--fastest compares the shortest processor times instead: for one thread on a shared machine.

`layers` (layers.cpp) makes NDForge's calls, each with new outputs, as PyTorch does.
"""
import argparse
import os
import re
import statistics
import subprocess
import time

import torch
import torch.nn.functional as F

SECONDS = 0.05
FASTEST_SECONDS = 5.0  # time per row
SHORTEST_SECONDS = 1e-3  # of a batch, because the processor-time clock counts microseconds


def rows():
    def values(*shape):
        return (torch.arange(torch.Size(shape).numel()) * 7919 % 1000 / 5000 - 0.1).reshape(shape)

    image, kernel = values(8, 64, 56, 56), values(64, 64, 3, 3)
    last = image.to(memory_format=torch.channels_last)
    wide, large, seven = values(256, 64, 1, 1), values(4, 3, 224, 224), values(64, 3, 7, 7)
    small, few, depthwise = values(1, 3, 16, 16), values(8, 3, 3, 3), values(64, 1, 3, 3)
    volume, cube = values(2, 32, 16, 32, 32), values(32, 32, 3, 3, 3)
    half, spread = values(8, 64, 28, 28), values(64, 64, 4, 4)
    pooled = values(8, 64, 112, 112)
    leaf = pooled.clone().requires_grad_()
    maxima = F.max_pool2d(leaf, 3, 2, 1)
    channels = values(64).abs() + 0.5
    mean, invstd = pooled.mean((0, 2, 3)), pooled.var((0, 2, 3), correction=0).add(1e-5).rsqrt()
    lstm, sequence = torch.nn.LSTM(128, 128), values(64, 32, 128)
    both = [sequence.clone().requires_grad_(), *lstm.parameters()]

    def lstm_gradients():
        y = lstm(both[0])[0]
        return torch.autograd.grad(y, both, torch.ones_like(y))

    return {
        "conv2d 3x3": lambda: F.conv2d(image, kernel, padding=1),
        "conv2d 1x1": lambda: F.conv2d(image, wide),
        "conv2d 7x7 stride 2": lambda: F.conv2d(large, seven, stride=2, padding=3),
        "conv2d NHWC": lambda: F.conv2d(last, kernel, padding=1),
        "conv3d": lambda: F.conv3d(volume, cube, padding=1),
        "deconv2d stride 2": lambda: F.conv_transpose2d(half, spread, stride=2, padding=1),
        "conv2d small": lambda: F.conv2d(small, few, padding=1),
        "conv2d gradients": lambda: torch.ops.aten.convolution_backward(
            image, image, kernel, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1, [True, True, False]),
        "depthwise 3x3": lambda: F.conv2d(image, depthwise, padding=1, groups=64),
        "max pooling": lambda: F.max_pool2d(pooled, 3, 2, 1),
        # PyTorch keeps the positions of the maxima from the forward pass; NDForge searches for them again.
        "max pooling gradient": lambda: torch.autograd.grad(maxima, leaf, maxima, retain_graph=True),
        "max pooling and gradient": lambda: torch.autograd.grad(F.max_pool2d(leaf, 3, 2, 1), leaf, maxima),
        "average pooling": lambda: F.avg_pool2d(pooled, 2, 2),
        "batch normalisation": lambda: F.batch_norm(pooled, channels, channels, channels, channels, False, 0, 1e-5),
        "batch normalisation gradients": lambda: torch.ops.aten.native_batch_norm_backward(
            pooled, pooled, channels, None, None, mean, invstd, True, 1e-5, [True, True, True]),
        "LSTM": lambda: lstm(sequence),
        "LSTM gradients": lstm_gradients,  # including the forward pass, which lstmLayer_bp also repeats
    }


def seconds(call, count, clock=time.perf_counter):
    start = clock()
    for _ in range(count):
        call()
    return (clock() - start) / count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("layers", help="the program built from layers.cpp")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--only", default="")
    parser.add_argument("--fastest", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads))
    print(f"PyTorch {torch.__version__}, {options.threads} threads")
    print("| layer | NDForge, ms | times as long in PyTorch |\n|---|---|---|")
    with subprocess.Popen([options.layers], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          env=environment) as process:
        def ours(name, count, processor=False):
            process.stdin.write(f"{name} {count}\n")
            process.stdin.flush()
            return float(process.stdout.readline().split()[processor])

        for name, call in rows().items():
            if not re.search(options.only, name):
                continue
            with torch.set_grad_enabled("gradient" in name):
                longer = max(seconds(call, 2), ours(name, 2))
                if options.fastest:
                    calls = max(1, int(SHORTEST_SECONDS / longer))
                    rounds = max(options.rounds, int(FASTEST_SECONDS / longer / calls / 2))
                    pairs = [(ours(name, calls, True), seconds(call, calls, time.process_time)) for _ in range(rounds)]
                    own, theirs = (min(times) for times in zip(*pairs))
                    ratio = theirs / own
                else:
                    count = max(1, int(SECONDS / longer))
                    pairs = [(ours(name, count), seconds(call, count)) for _ in range(options.rounds)]
                    own, ratio = statistics.median(o for o, _ in pairs), statistics.median(t / o for o, t in pairs)
            text = f"{ratio:.2f}" if ratio >= 1 else f"**{ratio:.2f}**"
            print(f"| {name} | {own * 1e3:.3f} | {text} |", flush=True)
        process.stdin.close()


if __name__ == "__main__":
    main()
