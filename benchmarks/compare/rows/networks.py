"""Fused expressions in graphs, and steps of training: what programs in C++ do with whole graphs."""

import numpy as np

from work import Program, Row, Work, aligned

GROUP = "networks"

# name in graphs.cpp, for numexpr, for PyTorch
EXPRESSIONS = [
    ("sum_of_tanh", "sum(tanh(x * 2 + y) * w)", "torch.sum(torch.tanh(x * 2 + y) * w)"),
    ("ratio", "(x - y) / (abs(x) + abs(w) + 1)", "(x - y) / (torch.abs(x) + torch.abs(w) + 1)"),
    ("swish", "x * (1 / (1 + exp(-1.702 * x))) + y * w", "x * torch.sigmoid(1.702 * x) + y * w"),
]


def rows():
    for expression in EXPRESSIONS:
        for size in (1_000, 100_000, 10_000_000):
            yield Row(GROUP, expression[1], size, lambda v, expression=expression: fused(v, *expression))
    for kind in ("dense", "conv"):
        for batch in (1, 32, 256):
            yield Row(GROUP, f"training step, {kind}, batch {batch}", batch * 64,
                      lambda v, kind=kind, batch=batch: training(kind, batch))


def fused(v, name, numexpr, torch):
    steps = np.arange(v.size, dtype=np.float64) * (2 / v.size)
    inputs = {key: aligned((v.size,), "float32") for key in "xyw"}
    for array, values in zip(inputs.values(), (steps - 1, steps / 2 + 0.5, steps / 2 - 0.5)):
        array[...] = values
    total = name == "sum_of_tanh"
    return Work(inputs, [((), "float32") if total else (v.size, "float32")], Program("graphs", f"{name} {v.size}"),
                {"numexpr": f"z = ne.evaluate('{numexpr}')" if total else f"ne.evaluate('{numexpr}', out=z)",
                 "torch": f"z = {torch}", "torch-compile": "z = f(x, y, w)"},
                {"torch-compile": f"f = torch.compile(lambda x, y, w: {torch})"},
                same="np.ravel(z)[:1]", relative=2e-3)  # numexpr's plain sum loses digits


def training(kind, batch):
    """The losses of ten steps, which start from the same parameters, are compared."""
    make = "from torch_networks import Network; n = Network('{}', {}, {})"
    return Work({}, [], Program("training", f"{kind} {batch}"), {"torch": "n.step()", "torch-compile": "n.step()"},
                {"torch": make.format(kind, batch, False), "torch-compile": make.format(kind, batch, True)},
                {peer: "z = n.losses()" for peer in ("torch", "torch-compile")}, relative=1e-3)
