"""The processes of the peers, and measurements in turns."""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
# After a batch, threads of OpenMP and OpenBLAS look for more work for up to 100 ms, with the processor that the next peer needs.
PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 1e-3, 0.5
NOISY = 0.25  # interquartile range of the ratios, divided by their median
MOST_MEASUREMENTS = 3
MEASUREMENT_SECONDS, LEAST_ROUNDS = 20, 3  # a slow peer must not hold up all others
SLOW, SLOW_SECONDS = 5, 0.2  # a peer is timed once if a call takes so many times as long, and so long
PLACEMENTS = 3  # of the arrays, during a measurement


class Ended(Exception):
    """The process has ended."""


def is_running(process):
    """Whether a thread of the process, or of one that it has started, uses a processor."""
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        try:
            if (task / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "R":
                return True
            if any(is_running(child) for child in (task / "children").read_text(encoding="utf-8").split()):
                return True
        except OSError:  # it has just ended
            continue
    return False


class Peer:
    """The process of a peer."""

    def __init__(self, name, threads, library, folder):
        count = str(threads)
        self.name, self._command = name, [sys.executable, str(HERE / "worker.py"), name, count, str(library), str(folder)]
        # Only some peers use OpenBLAS: a setting that keeps it from the processor's best kernels would decide their rows.
        own = {name: value for name, value in os.environ.items() if name not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
        self._environment = dict(own, OMP_NUM_THREADS=count, OPENBLAS_NUM_THREADS=count, MKL_NUM_THREADS=count,
                                 NUMEXPR_NUM_THREADS=count)
        self._start()
        self.version = self._ask("version", 0)["version"]

    def _start(self):
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                         env=self._environment)

    def send(self, request, value):
        try:
            self._process.stdin.write(json.dumps({request: value}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # receive() finds nothing

    def receive(self):
        line = self._process.stdout.readline()
        if not line:
            code = self._process.wait()
            self._start()
            raise Ended(f"the process ended with {code}")
        return json.loads(line)

    def _ask(self, request, value):
        self.send(request, value)
        return self.receive()

    def calls(self):
        """How many calls make a batch."""
        return self._ask("calls", 0)["calls"]

    def seconds(self, calls):
        seconds = self._ask("time", calls)["seconds"]
        end = time.monotonic() + LONGEST_PAUSE_SECONDS
        while True:
            time.sleep(PAUSE_SECONDS)
            if not is_running(self._process.pid) or time.monotonic() > end:
                return seconds

    def close(self):
        self._process.stdin.close()
        self._process.wait()


def ask_all(peers, request, values):
    """The answers of all peers, which work at the same time; Ended instead of that of a process that has ended."""
    for peer, value in zip(peers, values):
        peer.send(request, value)
    answers = []
    for peer in peers:
        try:
            answers.append(peer.receive())
        except Ended as error:
            answers.append(error)
    return answers


def prepare_all(peers, number):
    """For each peer None, or the reason why it leaves out this row: empty if nothing is stated for it."""
    return [str(answer) if isinstance(answer, Ended) else answer.get("skip")
            for answer in ask_all(peers, "prepare", [number] * len(peers))]


def place_all(peers, number):
    """Makes the arrays of the row again, in other memory."""
    for answer in ask_all(peers, "place", [number] * len(peers)):
        if isinstance(answer, Ended):
            raise answer


def results_of(peers, folder):
    """What a call computes in each peer: a list of arrays, or Ended."""
    files = [str(pathlib.Path(folder) / f"{peer.name}.npz") for peer in peers]
    for answer, file in zip(ask_all(peers, "save", files), files):
        if isinstance(answer, Ended):
            yield answer
        else:
            with np.load(file) as arrays:
                yield list(arrays.values())


def measure_once(peers, rounds, place):
    """The median time of the first peer, and of each other the quartiles of its ratios to that. place(): see measure()."""
    calls = [peer.calls() for peer in peers]
    start = time.monotonic()
    first = [peer.seconds(number) / number for peer, number in zip(peers, calls)]
    slow = [seconds > max(SLOW * first[0], SLOW_SECONDS) for seconds in first]
    rounds = max(LEAST_ROUNDS, min(rounds, int(MEASUREMENT_SECONDS / (time.monotonic() - start))))
    times = [[] for _ in peers]
    for turn in range(rounds):
        if place is not None and turn > 0 and turn * PLACEMENTS // rounds != (turn - 1) * PLACEMENTS // rounds:
            place()
        for k in range(len(peers)):
            k = (k + turn) % len(peers)  # who follows whom changes
            times[k].append(first[k] if slow[k] else peers[k].seconds(calls[k]) / calls[k])
    ratios = {peer.name: statistics.quantiles([t / own for t, own in zip(theirs, times[0])], n=4)
              for peer, theirs in zip(peers[1:], times[1:])}
    return statistics.median(times[0]), ratios


def noise(measured):
    return max(((high - low) / middle for low, middle, high in measured[1].values()), default=0)


def measure(peers, rounds, place=None):
    """The median time of the first peer, and the median ratios of the others. Repeats noisy measurements and keeps the
    one with the least noise: choosing by speed would favour one side. place() puts the arrays of all peers elsewhere: where
    the pages of arrays lie decides which of them displace each other in the caches, up to a third of the time."""
    tries = []
    end = time.monotonic() + MEASUREMENT_SECONDS
    while not tries or (len(tries) < MOST_MEASUREMENTS and noise(tries[-1]) > NOISY and time.monotonic() < end):
        tries.append(measure_once(peers, rounds, place))
    own, ratios = min(tries, key=noise)
    return own, {name: middle for name, (_, middle, _) in ratios.items()}
