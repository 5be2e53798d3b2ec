"""Expected values of ctc_beam: the sums over all alignments of all sequences, by enumeration.

The beam is wide enough for every prefix, so the search is exact.
"""
import itertools

import numpy as np
from scipy.special import log_softmax, logsumexp

from cases import Cases, coarse

rng = np.random.default_rng(41)
cases = Cases("decoder")
TOL = {"HALF": 2e-2, "BFLOAT16": 0.1}


def best(logs, blank, count):
    """The `count` most probable sequences of [T, C] log-probabilities, with their logarithms."""
    frames, classes = logs.shape
    scores = {}
    for path in itertools.product(range(classes), repeat=frames):
        sequence = tuple(k for k, _ in itertools.groupby(path) if k != blank)
        scores.setdefault(sequence, []).append(sum(logs[t, c] for t, c in enumerate(path)))
    ranked = sorted(((logsumexp(s), k) for k, s in scores.items()), reverse=True)
    return ranked[:count] if len(ranked) >= count else None


def expected(logits, lengths, blank, count, normalise):
    batch, frames, _ = logits.shape
    z = np.zeros((batch, count, frames)), np.full((batch, count), -np.inf), np.zeros((batch, count))
    for b in range(batch):
        n = min(lengths[b], frames)
        if n == 0:
            z[1][b, 0] = 0
            continue
        logs = logits[b, :n]
        found = best(log_softmax(logs, -1) if normalise else logs, blank, count)
        for j, (score, sequence) in enumerate(found or []):
            z[0][b, j, :len(sequence)] = sequence
            z[1][b, j] = score
            z[2][b, j] = len(sequence)
    return z


for batch, frames, classes, count, blank, normalise in ((2, 4, 3, 1, -1, False), (3, 5, 3, 4, 0, True), (2, 3, 4, 5, 1, False),
                                                        (2, 6, 2, 3, 9, True)):
    logits = coarse(rng.normal(scale=2, size=(batch, frames, classes)))
    if not normalise:
        logits = coarse(log_softmax(logits, -1))
    lengths = rng.integers(frames - 1, frames + 1, size=batch)
    actual = blank if 0 <= blank < classes else classes - 1
    for dtype in (np.int32, np.int64):
        z = expected(logits, lengths, actual, count, normalise)
        cases.add("ctc_beam", [logits, lengths.astype(dtype)], [z[0].astype(dtype), z[1], z[2].astype(dtype)],
                  i=(blank, 5000, count), b=(normalise,), types=("FLOAT32",), tol=TOL)
logits = coarse(log_softmax(rng.normal(scale=3, size=(3, 4, 3)), -1))
lengths = np.array([4, 0, 9])
z = expected(logits, lengths, 2, 1, False)
cases.add("ctc_beam", [logits, lengths], [z[0].astype(np.int64), z[1], z[2].astype(np.int64)], types=("FLOAT32",),
          label="no frames, more frames than there are, and a beam of 25")
z = expected(logits[:, :1], np.array([1, 1, 1]), 2, 5, False)
assert np.isinf(z[1]).all()
cases.add("ctc_beam", [logits[:, :1], np.array([1, 1, 1])], [z[0].astype(np.int64), z[1], z[2].astype(np.int64)],
          i=(-1, 10, 5), types=("FLOAT32",), label="fewer sequences than are wanted")
cases.save()
