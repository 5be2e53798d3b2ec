#!/usr/bin/env python3
"""Compares steps of training (forward, gradients, Adam) with PyTorch in turns (A B A B ...): medians of the ratios of
neighbouring measurements.

    python3 benchmarks/compare_training.py build/benchmarks/benchmarks/training [--rounds 11] [--threads 2] [--only conv]

`training` (training.cpp) trains the same networks from the same numbers; the losses must agree. --compile adds
torch.compile, which needs a C++ compiler. PyTorch's optimiser is the fused one, or with --adam=default the one that
torch.optim.Adam takes if it is not told otherwise.
"""
import argparse
import os
import re
import statistics
import subprocess
import time

import torch
import torch.nn.functional as F

SECONDS = 0.04  # of a measurement
WARMING = 0.02  # before it: threads that have slept may begin on the same processor
RATE, SMALL_RATE = 1e-3, 1e-7  # the small one while time is measured: gradients of a perfect fit are denormal, and slow
REST = 0.05  # before that: the threads of the other library wait for more work without sleeping


def pattern(dims, scale, seed):
    """The values of training.cpp."""
    count = torch.Size(dims).numel()
    positions = (torch.arange(count, dtype=torch.int64) + seed) * 7919 % 1009
    return (scale * (positions.double() / 1009 - 0.5)).float().reshape(dims)


class Network:
    def __init__(self, kind, batch, mode, adam):
        self.x = pattern([batch, 64] if kind == "dense" else [batch, 1, 8, 8], 2, 5)
        self.labels = torch.arange(batch) * 7 % 10
        self.parameters = []
        if kind == "dense":
            self.linear(64, 128)
            self.linear(128, 10)
        else:
            self.convolution(1, 16)
            self.convolution(16, 32)
            self.linear(512, 10)
        forward = {"dense": self.dense, "conv": self.convolutional}[kind]
        self.forward = torch.compile(forward) if mode == "compiled" else forward
        self.adam = torch.optim.Adam(self.parameters, lr=RATE, fused=True if adam == "fused" else None)

    def add(self, dims, scale, axes):
        """A parameter of these sizes in training.cpp, with the axes in PyTorch's order."""
        values = pattern(dims, scale, (-3 - len(self.parameters)) * 31 + 1000)
        self.parameters.append(values.permute(axes).contiguous().requires_grad_())

    def linear(self, inputs, outputs):
        self.add([inputs, outputs], 0.3, [1, 0])
        self.add([outputs], 0, [0])

    def convolution(self, inputs, outputs):
        self.add([3, 3, inputs, outputs], 0.3, [3, 2, 0, 1])
        self.add([outputs], 0, [0])

    def dense(self, x, labels):
        w1, b1, w2, b2 = self.parameters
        return F.cross_entropy(F.linear(F.relu(F.linear(x, w1, b1)), w2, b2), labels)

    def convolutional(self, x, labels):
        w1, b1, w2, b2, w3, b3 = self.parameters
        first = F.relu(F.conv2d(x, w1, b1, padding=1))
        second = F.relu(F.conv2d(first, w2, b2, padding=1))
        return F.cross_entropy(F.linear(F.max_pool2d(second, 2).flatten(1), w3, b3), labels)

    def step(self):
        self.adam.zero_grad(set_to_none=True)
        loss = self.forward(self.x, self.labels)
        loss.backward()
        self.adam.step()
        return loss

    def steps(self, count, rate=SMALL_RATE):
        self.adam.param_groups[0]["lr"] = rate
        start = time.perf_counter()
        for _ in range(count):
            loss = self.step()
        return (time.perf_counter() - start) / count, loss.item()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("training", help="the program built from training.cpp")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--only", default="", help="a regular expression for rows such as 'conv 32'")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--adam", choices=["fused", "default"], default="fused")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    modes = ["eager"] + (["compiled"] if options.compile else [])
    print(f"PyTorch {torch.__version__}, {options.threads} threads")
    print("| network | batch | NDForge, us | times as long in PyTorch" + " | torch.compile" * options.compile + " |")
    print("|---|---|---|---" + "|---" * options.compile + "|")
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads))
    with subprocess.Popen([options.training], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          env=environment) as process:
        def ours(row, steps, rate=SMALL_RATE):
            process.stdin.write(f"{row} {steps} {rate}\n")
            process.stdin.flush()
            return [float(word) for word in process.stdout.readline().split()]

        for row in [f"{kind} {batch}" for kind in ("dense", "conv") for batch in (1, 32, 256)]:
            if not re.search(options.only, row):
                continue
            kind, batch = row.split()
            networks = [Network(kind, int(batch), mode, options.adam) for mode in modes]
            for steps in (1, 10):  # the second one: the losses agree after ten updates
                _, loss = ours(row, steps, RATE)
                for network in networks:
                    theirs = network.steps(steps, RATE)[1]
                    assert abs(theirs - loss) <= 1e-3 * max(1, abs(loss)), (row, steps, loss, theirs)
            trainers = [lambda steps: ours(row, steps)[0]]
            trainers += [lambda steps, network=network: network.steps(steps)[0] for network in networks]
            times, ratios = [], [[] for _ in networks]
            counts = [10] * len(trainers)
            for turn in range(options.rounds + 1):
                measured = []
                for k, train in enumerate(trainers):
                    time.sleep(REST)
                    train(max(3, int(counts[k] * WARMING / SECONDS)))
                    measured.append(train(counts[k]))
                    if turn == 0:
                        counts[k] = max(3, int(SECONDS / measured[k]))
                if turn > 0:
                    times.append(measured[0])
                    for values, theirs in zip(ratios, measured[1:]):
                        values.append(theirs / measured[0])
            cells = " | ".join(f"{statistics.median(values):.2f}" for values in ratios)
            print(f"| {kind} | {batch} | {statistics.median(times) * 1e6:.1f} | {cells} |", flush=True)
        process.stdin.close()


if __name__ == "__main__":
    main()
