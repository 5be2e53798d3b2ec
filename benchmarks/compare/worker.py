"""The process of one peer: `worker.py PEER THREADS LIBRARY`, the library being empty for
Python packages. It answers requests, each a line of JSON, by lines of JSON.

    {"prepare": K}      makes row K                          {"ok": true}, or {"skip": reason}
    {"save": FILE}      writes what a call computes          {"ok": true}
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
    """A library that Python calls: statements with these names, and its own arrays around the memory of NumPy's."""

    def __init__(self, names, around=lambda array: array):
        self._names, self._around = names, around

    def prepare(self, peer, work):
        if peer not in work.statements:
            return None
        outputs = [aligned(*output) for output in work.outputs]
        arrays = [self._around(array) for array in outputs]
        names = {**self._names, **{name: self._around(array) for name, array in work.inputs.items()},
                 "z": arrays[0] if len(arrays) == 1 else arrays}
        exec(work.before.get(peer, ""), names)
        return timeit.Timer(work.statements[peer], globals=names).timeit, outputs


class Native:
    """A library with the C interface."""

    def __init__(self, library):
        from interface import Interface

        self._interface = Interface(library)

    def prepare(self, peer, work):
        outputs = [aligned(*output) for output in work.outputs]
        repeat = self._interface.repeated(work.call, list(work.inputs.values()), outputs)

        def run(calls):
            start = time.perf_counter()
            repeat(calls)
            return time.perf_counter() - start

        return run, outputs


def library_of(peer, threads, path):
    if path:
        return Native(path)
    if peer == "torch":
        import torch

        torch.set_num_threads(threads)
        torch.set_grad_enabled(False)
        return Statements({"torch": torch, "F": torch.nn.functional}, torch.from_numpy)
    if peer == "numexpr":
        import numexpr

        numexpr.set_num_threads(threads)
        return Statements({"ne": numexpr})
    return Statements({"np": np})


def main():
    peer, threads, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # libraries may print
    library, table = library_of(peer, threads, path), rows.table()
    run = outputs = None
    for line in sys.stdin:
        (request, value), = json.loads(line).items()
        answer = {"ok": True}
        if request == "prepare":
            run = outputs = None
            gc.collect()
            try:
                prepared = library.prepare(peer, table[value].work())
            except Exception as error:  # whatever the peer objects to is the answer
                answer = {"skip": f"{type(error).__name__}: {error}"}
            else:
                if prepared is None:
                    answer = {"skip": ""}
                else:
                    run, outputs = prepared
        elif request == "save":
            run(1)
            np.savez(value, *outputs)
        else:
            run(1)  # wakes the threads
            answer = {"seconds": run(value)}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
