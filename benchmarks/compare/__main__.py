"""Compares NDForge with other libraries, each in a process of its own, in turns: compare.sh calls it.

All peers compute a row on equal inputs, and what they compute is compared before anything is timed. Then short batches of
calls alternate; a ratio is the median over the rounds of a peer's time by NDForge's in the same round.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import rows

HERE = pathlib.Path(__file__).resolve().parent
PEERS = ("numpy", "torch", "numexpr", "nd4j", "nd4j-onednn")
NATIVE = ("nd4j", "nd4j-onednn")  # builds of the released libnd4j
BATCH_SECONDS = 2e-3
PAUSE_SECONDS = 1e-3  # after a batch: OpenMP's threads go on spinning for a while
NOISY = 0.25  # interquartile range of the ratios, divided by their median
MOST_MEASUREMENTS = 3
EQUAL = 0.97  # ratios from here on count as equal


class Peer:
    """The process of a peer."""

    def __init__(self, name, threads, library=""):
        count = str(threads)
        environment = dict(os.environ, OMP_NUM_THREADS=count, OPENBLAS_NUM_THREADS=count, MKL_NUM_THREADS=count,
                           NUMEXPR_NUM_THREADS=count)
        self.name = name
        self._process = subprocess.Popen([sys.executable, str(HERE / "worker.py"), name, count, str(library)],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)

    def ask(self, request, value):
        self._process.stdin.write(json.dumps({request: value}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"compare: the process of {self.name} ended with {self._process.wait()}")
        return json.loads(line)

    def seconds(self, calls):
        seconds = self.ask("time", calls)["seconds"]
        time.sleep(PAUSE_SECONDS)
        return seconds

    def results(self, folder):
        file = str(pathlib.Path(folder) / f"{self.name}.npz")
        self.ask("save", file)
        with np.load(file) as arrays:
            return list(arrays.values())

    def close(self):
        self._process.stdin.close()
        self._process.wait()


def calls_for(peer):
    """The number of calls that take about BATCH_SECONDS."""
    calls = 1
    while (seconds := peer.seconds(calls)) < BATCH_SECONDS and calls < 1 << 24:
        calls = max(calls + 1, min(calls * 8, int(calls * BATCH_SECONDS / max(seconds, 1e-9)) + 1))
    return calls


def differs(work, ours, theirs):
    if work.same is None:
        return False
    pairs = [eval(work.same, {"z": z[0] if len(z) == 1 else z}) for z in (ours, theirs)]
    return not all(np.allclose(a, b, rtol=work.relative, atol=work.absolute, equal_nan=True)
                   for a, b in zip(*(p if isinstance(p, list) else [p] for p in pairs)))


def measure_once(peers, rounds):
    """The median time of the first peer, and of each other the quartiles of its ratios to that."""
    calls = [calls_for(peer) for peer in peers]
    times = [[] for _ in peers]
    for turn in range(rounds):
        for k in range(len(peers)):
            k = (k + turn) % len(peers)  # who follows whom changes
            times[k].append(peers[k].seconds(calls[k]) / calls[k])
    ratios = {peer.name: statistics.quantiles([t / own for t, own in zip(theirs, times[0])], n=4)
              for peer, theirs in zip(peers[1:], times[1:])}
    return statistics.median(times[0]), ratios


def noise(measured):
    return max(((high - low) / middle for low, middle, high in measured[1].values()), default=0)


def measure(peers, rounds):
    """Repeats noisy measurements and keeps the one with the least noise: choosing by speed would favour one side."""
    tries = []
    while len(tries) < MOST_MEASUREMENTS and (not tries or noise(tries[-1]) > NOISY):
        tries.append(measure_once(peers, rounds))
    return min(tries, key=noise)


def duration(seconds):
    for limit, scale, unit in ((1e-5, 1e9, "ns"), (1e-2, 1e6, "us"), (float("inf"), 1e3, "ms")):
        if seconds < limit:
            return f"{seconds * scale:.3g} {unit}" if seconds * scale < 1e3 else f"{seconds * scale:.0f} {unit}"


def compare(options, threads):
    peers = {name: Peer(name, threads, getattr(options, name.replace("-", "_"), "")) for name in options.peers}
    ours = Peer("ndforge", threads, options.library)
    print(f"\n{threads} thread{'s' if threads > 1 else ''}; times as long in\n")
    print("| row | elements | NDForge | " + " | ".join(peers) + " |\n|---|---|---|" + "---|" * len(peers))
    behind, medians = [], {name: [] for name in peers}
    for number, row in enumerate(rows.table()):
        if not re.search(options.rows, f"{row.group} {row.name} {row.size}"):
            continue
        for peer in (ours, *peers.values()):
            answer = peer.ask("prepare", number)
            if answer.get("skip") and peer is ours:
                raise SystemExit(f"compare: '{row.name}', {row.size} elements: {answer['skip']}")
            peer.reason = answer.get("skip")
        able = [peer for peer in peers.values() if peer.reason is None]
        for peer in peers.values():
            if peer.reason:
                print(f"compare: {peer.name}, '{row.name}', {row.size} elements: {peer.reason}", file=sys.stderr)
        work = row.work()
        with tempfile.TemporaryDirectory() as folder:
            result = ours.results(folder)
            wrong = [peer.name for peer in able if differs(work, result, peer.results(folder))]
        del work
        if wrong:
            raise SystemExit(f"compare: '{row.name}', {row.size} elements: the result differs from that of "
                             f"{', '.join(wrong)}")
        own, ratios = measure([ours, *able], options.rounds)
        for name, (_, ratio, _) in ratios.items():
            medians[name].append(ratio)
            if ratio < EQUAL:
                behind.append((row, name, ratio))
        cells = [(f"{ratios[name][1]:.2f}" if ratios[name][1] >= EQUAL else f"**{ratios[name][1]:.2f}**")
                 if name in ratios else "" for name in peers]
        print(f"| {row.name} | {row.size:,} | {duration(own)} | " + " | ".join(cells) + " |", flush=True)
    for peer in (ours, *peers.values()):
        peer.close()
    print("\nmedians: " + ", ".join(f"{name} {statistics.median(found):.2f}" for name, found in medians.items() if found))
    return behind


def arguments():
    parser = argparse.ArgumentParser(prog="compare", description=__doc__.split("\n")[0])
    parser.add_argument("--library", required=True, help="libndforge.so")
    for name in NATIVE:
        parser.add_argument(f"--{name}", default="", metavar="FILE", help=f"libnd4jcpu.so of the peer {name}")
    parser.add_argument("--peers", type=lambda text: text.split(","), default=list(PEERS), help="of " + ",".join(PEERS))
    parser.add_argument("--rows", default="", metavar="REGEX", help="of 'GROUP NAME ELEMENTS'")
    parser.add_argument("--rounds", type=int, default=11, help="measurements of each row")
    parser.add_argument("--threads", type=lambda text: [int(n) for n in text.split(",")], default=[1, 2])
    options = parser.parse_args()
    if options.rounds < 3:
        parser.error("--rounds: at least 3")
    for name in list(options.peers):
        if name not in PEERS:
            parser.error(f"--peers: '{name}' is none of {', '.join(PEERS)}")
        if name in NATIVE and not getattr(options, name.replace("-", "_")):
            missing = f"--{name} is not given"
        elif name not in NATIVE and importlib.util.find_spec(name) is None:
            missing = "this Python does not have it"
        else:
            continue
        print(f"compare: without {name}: {missing}", file=sys.stderr)
        options.peers.remove(name)
    return options


def main():
    options = arguments()
    behind = [found for threads in options.threads for found in compare(options, threads)]
    for row, name, ratio in behind:
        print(f"behind {name}: {row.name}, {row.size:,} elements: {ratio:.2f}")
    sys.exit(1 if behind else 0)


if __name__ == "__main__":
    main()
