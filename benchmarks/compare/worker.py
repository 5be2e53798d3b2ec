"""The process of one peer: `worker.py PEER THREADS LIBRARY FOLDER`. LIBRARY is empty for Python packages; FOLDER keeps
what is compiled. It answers requests, each a line of JSON, by lines of JSON.

    {"version": 0}                                           {"version": TEXT}
    {"prepare": K}      makes row K                          {"ok": true}, or {"skip": reason}
    {"save": FILE}      writes what a call computes          {"ok": true}
    {"calls": 0}        how many calls make a batch          {"calls": N}
    {"time": CALLS}                                          {"seconds": S}
"""

import gc
import json
import os
import sys
import time
import timeit

import numpy as np

import rows
from work import aligned


class Statements:
    """A library that Python calls: statements with these names. `around` makes one of its arrays around NumPy's memory,
    `array` the reverse."""

    def __init__(self, peer, version, names, around=lambda array: array, array=np.asarray):
        self.version = version
        self._peer, self._names, self._around, self._array = peer, names, around, array

    def prepare(self, work):
        statement = work.statements.get(self._peer)
        if statement is None:
            return None
        arrays = [self._around(aligned(*output)) for output in work.outputs]
        inputs = {name: array if isinstance(array, str) else self._around(array) for name, array in work.inputs.items()}
        names = {**self._names, **inputs,
                 "z": arrays[0] if len(arrays) == 1 else arrays}
        exec(work.before.get(self._peer, ""), names)

        def results():
            exec(statement, names)
            exec(work.after.get(self._peer, ""), names)
            z = names["z"]
            return [self._array(array) for array in (z if isinstance(z, (list, tuple)) else [z])]

        return timeit.Timer(statement, globals=names).timeit, results


class Torch(Statements):
    def __init__(self, peer, threads):
        import torch

        torch.set_num_threads(threads)
        self._torch = torch
        super().__init__(peer, f"PyTorch {torch.__version__}", {"torch": torch, "F": torch.nn.functional}, self._tensor, self._numpy)

    def prepare(self, work):
        self._torch.set_grad_enabled(False)  # rows of gradients enable it
        return super().prepare(work)

    def _tensor(self, array):
        if array.dtype.name == "bfloat16":
            return self._torch.from_numpy(array.view(np.int16)).view(self._torch.bfloat16)
        return self._torch.from_numpy(array)

    def _numpy(self, tensor):
        return (tensor.float() if tensor.dtype == self._torch.bfloat16 else tensor).detach().numpy()


def library_of(peer, threads, path, folder):
    """An object with a version, and with prepare(work): None where the library has no such row, or two functions, of which the first takes
    the seconds of a number of calls and the second gives the arrays that a call computes."""
    if path:
        from interface import Native

        return Native(path, folder)
    if peer == "ort":
        from onnx_graphs import OnnxRuntime

        return OnnxRuntime(threads)
    if peer in ("eigen", "xtensor"):
        from compiled import Compiled

        return Compiled(peer, folder)
    if peer in ("torch", "torch-compile"):
        return Torch(peer, threads)
    if peer == "numexpr":
        import numexpr

        numexpr.set_num_threads(threads)
        return Statements(peer, f"numexpr {numexpr.__version__}", {"ne": numexpr})
    return Statements(peer, f"NumPy {np.__version__}", {"np": np})


# The system may wake up threads on one processor, and moves them only after some milliseconds.
WARMING_SECONDS = 0.025
SHORT_SECONDS, SHORT_CALLS = 2e-6, 16  # no library divides shorter calls among threads


BATCH_SECONDS = 2e-3


def warm(run, threads):
    if run(1) > WARMING_SECONDS or threads == 1:
        return
    if run(1) < 10 * SHORT_SECONDS and run(SHORT_CALLS) < SHORT_CALLS * SHORT_SECONDS:
        return
    end, calls = time.perf_counter() + WARMING_SECONDS, 1
    while time.perf_counter() < end:
        calls = 2 * calls if run(calls) < WARMING_SECONDS / 8 else calls


def calls_of_batch(run):
    calls = 1
    while (seconds := run(calls)) < BATCH_SECONDS and calls < 1 << 24:
        calls = max(calls + 1, min(calls * 8, int(calls * BATCH_SECONDS / max(seconds, 1e-9)) + 1))
    return calls


def saved(array):
    """As a type that NumPy's files have."""
    return array.astype(np.float32) if array.dtype.kind == "V" else array


def main():
    peer, threads, path, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # libraries may print
    library, table = library_of(peer, threads, path, folder), rows.table()
    run, results, kept = None, None, []
    for line in sys.stdin:
        (request, value), = json.loads(line).items()
        answer = {"ok": True}
        if request == "version":
            answer = {"version": library.version}
        elif request in ("prepare", "place"):
            # Arrays that are kept leave no room for others where they lie.
            kept = [*kept, run, results] if request == "place" else []
            run = results = None
            gc.collect()
            work = table[value].work()
            try:
                prepared = None if peer in work.without else library.prepare(work)
            except Exception as error:  # whatever the peer objects to is the answer
                answer = {"skip": f"{type(error).__name__}: {error}"}
            else:
                if prepared is None:
                    answer = {"skip": work.without.get(peer, "")}
                else:
                    run, results = prepared
        elif request == "save":
            np.savez(value, *(saved(array) for array in results()))
        elif request == "calls":
            warm(run, threads)
            answer = {"calls": calls_of_batch(run)}
        else:
            warm(run, threads)
            answer = {"seconds": run(value)}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
