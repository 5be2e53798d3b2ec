#!/usr/bin/env python3
"""Expected tables after skip-gram and CBOW training steps, by the update rules in NumPy in float64.

cases.npz: for each case <name>/op (text), <name>/in<k>, <name>/out<k> (inputs that are changed, after the call),
<name>/t, i, b.
"""
import pathlib

import numpy as np

V, D, E, L = 12, 5, 200, 40
rng = np.random.default_rng(53)
members = {}


class Model:
    def __init__(self, dtype, scale=0.7):
        self.syn0, self.syn1, self.syn1neg = (rng.normal(scale=scale, size=(V, D)).astype(dtype) for _ in range(3))
        self.exp = (1 / (1 + np.exp(-(np.arange(E) / E * 2 - 1) * 6))).astype(dtype)
        self.neg = rng.integers(-2, V + 3, size=L).astype(dtype)  # entries outside the vocabulary are replaced

    def work(self):
        self.w = {k: v.astype(np.float64) for k, v in vars(self).items() if k != "w"}
        return self.w


def entry(dot):
    k = int((dot + 6) * (E / 6 / 2))
    return k if 0 <= k < E else None


def train(m, row, nodes, codes, alpha, starter, rounds, random, inference, stops):
    """Returns the change of the row, and trains the tables unless this is inference."""
    change = np.zeros(D)

    def follow(table, at, g):
        nonlocal change
        change = change + g * table[at]
        if not inference:
            table[at] += g * row

    for node, code in zip(nodes, codes):
        if not 0 <= node < V:
            if stops:
                break
            continue
        dot = row @ m["syn1"][node]
        if dot < -6 or dot >= 6 or entry(dot) is None:
            continue
        follow(m["syn1"], node, (1 - code - m["exp"][entry(dot)]) * alpha)
    if rounds > 0 and starter is not None:
        word = starter
        for r in range(rounds + 1):
            if r > 0:
                random = (random * 25214903917 + 11) % 2 ** 64
                word = int(m["neg"][(random >> 16) % L])
                if not 0 <= word < V:
                    word = random % (V - 1) + 1
                if word == starter:
                    continue
            label = int(r == 0)
            dot = row @ m["syn1neg"][word]
            if dot > 6:
                g = (label - 1) * alpha
            elif dot < -6:
                g = label * alpha
            elif entry(dot) is None:
                continue
            else:
                g = (label - m["exp"][entry(dot)]) * alpha
            follow(m["syn1neg"], word, g)
    return change


def skipgram(m, targets, starters, nodes, codes, alphas, randoms, rounds, vector, stops):
    for b, target in enumerate(targets):
        row = (vector if vector is not None else m["syn0"][target]).copy()
        change = train(m, row, nodes[b], codes[b], alphas[b], starters[b] if starters is not None else None, rounds,
                       randoms[b], vector is not None, stops)
        if vector is not None:
            vector += change
        else:
            m["syn0"][target] += change


def cbow(m, starters, contexts, nodes, codes, alphas, randoms, labels, locked, rounds, vector, words):
    for b, context in enumerate(contexts):
        used = [c for c in context if c >= 0]
        row = sum((m["syn0"][c] for c in used), np.zeros(D))
        if vector is not None:
            row = (row + vector) / (len(used) + 1)
        elif used:
            row = row / len(used)
        change = train(m, row, nodes[b], codes[b], alphas[b], starters[b] if starters is not None else None, rounds,
                       randoms[b], vector is not None, False)
        if vector is not None:
            vector += change
            continue
        for k in range(0 if words else len(context) - labels[b], len(context)):
            if context[k] >= 0 and locked[b][k] != 1:
                m["syn0"][context[k]] += change


def add(op, label, inputs, outputs, t=(), i=(), b=()):
    name = f"{len([k for k in members if k.endswith('/op')]):02d} {op} {label}"
    members[f"{name}/op"] = np.frombuffer(op.encode(), np.uint8)
    for k, (x, z) in enumerate(zip(inputs, outputs)):
        members[f"{name}/in{k}"] = np.asarray(x)
        if x is not z:
            members[f"{name}/out{k}"] = np.asarray(z)
    for key, values, dtype in (("t", t, np.float64), ("i", i, np.int64), ("b", b, np.uint8)):
        if len(values):
            members[f"{name}/{key}"] = np.array(values, dtype)


NONE_INT, TABLES = np.zeros(0, np.int32), ("syn0", "syn1", "syn1neg", "exp", "neg")


def model_in(model):
    return [getattr(model, k) for k in TABLES]


def model_out(model, m):
    return [m[k].astype(getattr(model, k).dtype) if k.startswith("syn") else getattr(model, k) for k in TABLES]


def skipgram_case(label, dtype, targets, starters, nodes, codes, rounds=0, inference=False, single=False, workers=4, scale=0.7):
    model = Model(dtype, scale)
    m = model.work()
    B = len(targets)
    alphas, randoms = rng.uniform(0.02, 0.3, B).astype(dtype), rng.integers(-2 ** 62, 2 ** 62, B)
    vector = rng.normal(size=D).astype(dtype) if inference else np.zeros(0, dtype)
    trained = vector.astype(np.float64) if inference else None
    skipgram(m, targets, starters, nodes, codes, alphas.astype(np.float64), [int(r) % 2 ** 64 for r in randoms], rounds, trained, single)
    shape = (lambda a: a[0]) if single else (lambda a: a)
    head = [np.array(shape(targets), np.int32), NONE_INT if starters is None else np.array(shape(starters), np.int32),
            np.array(shape(nodes), np.int32), np.array(shape(codes), np.int8)]
    tail = [shape(alphas), shape(randoms)]
    add("skipgram", label, [*head, *model_in(model), *tail, vector],
        [*head, *model_out(model, m), *tail, vector if trained is None else trained.astype(dtype)], i=(workers, rounds),
        b=(inference, False))


for dtype in (np.float64,):
    skipgram_case("hierarchical softmax", dtype, [3], None, [[1, 4, 7]], [[0, 1, 1]], single=True)
    skipgram_case("stops outside", dtype, [0], None, [[5, 12, 7]], [[1, 1, 0]], single=True)
    skipgram_case("negative sampling", dtype, [2], [9], [[]], [[]], rounds=7, single=True)
    skipgram_case("both", dtype, [2], [9], [[1, 2]], [[0, 1]], rounds=3, single=True)
    skipgram_case("inference", dtype, [2], [9], [[1, 2]], [[0, 1]], rounds=3, inference=True, single=True)
    skipgram_case("large products", dtype, [2], [9], [[1, 2, 3, 4]], [[0, 1, 0, 1]], rounds=5, single=True, scale=4)
    skipgram_case("a batch", dtype, [3, 3, 0, 11], [1, 2, 3, 3], [[1, 4, -1], [2, 2, 5], [0, 12, 1], [-1, -1, -1]],
                  [[0, 1, 0], [1, 1, 0], [0, 0, 1], [0, 0, 0]], rounds=4)


def cbow_case(label, dtype, starters, contexts, nodes, codes, labels, locked, rounds=0, inference=False, single=False, words=True):
    model = Model(dtype)
    m = model.work()
    B = len(contexts)
    alphas, randoms = rng.uniform(0.02, 0.3, B).astype(dtype), rng.integers(-2 ** 62, 2 ** 62, B)
    vector = rng.normal(size=D).astype(dtype) if inference else np.zeros(0, dtype)
    trained = vector.astype(np.float64) if inference else None
    cbow(m, starters, contexts, nodes, codes, alphas.astype(np.float64), [int(r) % 2 ** 64 for r in randoms], labels, locked, rounds,
         trained, words)
    shape = (lambda a: a[0]) if single else (lambda a: a)
    head = [np.array(shape([0] * B), np.int32), NONE_INT if starters is None else np.array(shape(starters), np.int32),
            np.array(shape(contexts), np.int32), np.array(shape(nodes), np.int32), np.array(shape(codes), np.int8)]
    tail = [shape(alphas), shape(randoms), np.array(shape(labels), np.int32), np.array(shape(locked), np.int32)]
    add("cbow", label, [*head, *model_in(model), *tail, vector],
        [*head, *model_out(model, m), *tail, vector if trained is None else trained.astype(dtype)], i=(1, rounds),
        b=(words, inference))


for dtype in (np.float64,):
    cbow_case("hierarchical softmax", dtype, None, [[1, 5, 9]], [[2, 3]], [[0, 1]], [0], [[0, 0, 0]], single=True)
    cbow_case("a locked word", dtype, None, [[1, 5, 9]], [[2, 3]], [[0, 1]], [0], [[0, 1, 0]], single=True)
    cbow_case("labels alone", dtype, [3], [[1, 5, 9]], [[2, 3]], [[0, 1]], [1], [[0, 0, 0]], rounds=2, single=True, words=False)
    cbow_case("inference", dtype, [3], [[1, 5, 9]], [[2, 3]], [[0, 1]], [0], [[0, 0, 0]], rounds=4, inference=True, single=True)
    cbow_case("negative sampling", dtype, [3], [[4, 4]], [[]], [[]], [0], [[0, 0]], rounds=6, single=True)
    cbow_case("a batch", dtype, [3, 0, 7], [[1, 5, 9], [-1, 2, -1], [-1, -1, -1]], [[2, 3], [1, -1], [-1, -1]],
              [[0, 1], [1, 0], [0, 0]], [0, 1, 2], [[0, 0, 1], [0, 0, 0], [0, 0, 0]], rounds=3)

for dtype in (np.float64,):
    nodes, codes, context = [1, 4, 7], [0, 1, 1], [2, 8]
    for rounds in (0, 3):
        model = Model(dtype)
        m = model.work()
        vector = rng.normal(size=D).astype(dtype)
        trained = vector.astype(np.float64)
        skipgram(m, [5], [6], [nodes], [codes], [0.1], [77], rounds, trained, True)
        add("skipgram_inference", f"{rounds} rounds", [*model_in(model), vector], [*model_out(model, m), trained.astype(dtype)],
            t=(0.1,), i=(3, 3, *codes, *nodes, 5, 6, 77, *((1, rounds) if rounds else ())))
        trained = vector.astype(np.float64)
        m = model.work()
        cbow(m, [6], [context], [nodes], [codes], [0.1], [77], [0], [[0, 0]], rounds, trained, True)
        add("cbow_inference", f"{rounds} rounds", [*model_in(model), vector], [*model_out(model, m), trained.astype(dtype)],
            t=(0.1,), i=(3, 3, 2, 2, *codes, *nodes, *context, 0, 0, 5, 6, 0, 77, *((1, rounds) if rounds else ())))

np.savez_compressed(pathlib.Path(__file__).resolve().parent / "cases.npz", **members)
