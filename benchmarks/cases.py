"""The compared rows: for each row a NumPy statement and a call of the C interface on the same inputs."""

import math
from dataclasses import dataclass
from typing import Any, Callable

import numpy as np

from work import SIZES, aligned, near_square  # native.py puts the folder compare on the path

# name, NumPy function, function of the C interface, number, ranges of the inputs
UNARY = [
    ("exp", "np.exp", "execTransformStrict", 23, (-10, 10)),
    ("tanh", "np.tanh", "execTransformStrict", 29, (-5, 5)),
    ("log", "np.log", "execTransformStrict", 24, (0.01, 100)),
    ("sqrt", "np.sqrt", "execTransformFloat", 1, (0, 100)),
]
BINARY = [
    ("add", "np.add", "execPairwiseTransform", 0, (-10, 10), (-10, 10)),
    ("multiply", "np.multiply", "execPairwiseTransform", 3, (-10, 10), (-10, 10)),
    ("pow", "np.power", "execPairwiseTransform", 4, (0.1, 10), (-3, 3)),
    ("greater", "np.greater", "execPairwiseTransformBool", 1, (-10, 10), (-10, 10)),
]
# name, NumPy statement, functions over everything and over axes, number, type of the result
REDUCTIONS = [
    ("sum", "np.add.reduce(x, {axis}, None, z)", "execReduceSame", "execReduceSame2", 0, "float32"),
    ("max", "np.maximum.reduce(x, {axis}, None, z)", "execReduceSame", "execReduceSame2", 1, "float32"),
    ("mean", "x.mean({axis}, None, z)", "execReduceFloat", "execReduceFloat2", 0, "float32"),
    ("argmax", "x.argmax({axis}, z)", "execIndexReduceScalar", "execIndexReduce", 0, "int64"),
]
CAST_TYPES = ("float32", "int32", "float16")
ASSIGN = 0
ADD = 0


@dataclass
class Case:
    name: str
    size: int
    statement: str  # for NumPy
    names: dict[str, Any]  # the variables of the statement; z is its output
    run: Callable[[int], None]  # calls NDForge the given number of times
    result: np.ndarray  # NDForge's output
    relative: float  # tolerance of the comparison
    absolute: float
    same: str | None = "z"  # the expression that is compared for both results; None: no comparison

    def verify(self):
        """Runs the statement and compares the results: a wrong result must not be timed."""
        exec(self.statement, dict(self.names))
        if self.same is None:
            return
        expected, result = (eval(self.same, {"z": z}) for z in (self.names["z"], self.result))
        pairs = zip(expected, result) if isinstance(expected, list) else [(expected, result)]
        if not all(np.allclose(a, b, rtol=self.relative, atol=self.absolute) for a, b in pairs):
            raise SystemExit(f"compare_numpy.py: '{self.name}' of {self.size} elements differs from NumPy's result")


class Maker:
    """Makes the cases of one size, one at a time, because the large ones take memory."""

    def __init__(self, native, size):
        self.native, self.size = native, size
        self.random = np.random.default_rng(7)

    def values(self, shape, low, high, dtype="float32"):
        array = aligned(shape, dtype)
        array[...] = self.random.uniform(low, high, shape).astype(dtype)
        return array

    def case(self, name, statement, pattern, function, op, inputs, output, extra=(), relative=0.0,
             absolute=0.0):
        """`inputs` maps the names of the statement to arrays; `output` is (shape, type)."""
        expected, result = aligned(*output), aligned(*output)
        run = self.native.call(pattern, function, op, *inputs.values(), result, *extra)
        return Case(name, self.size, statement, {"np": np, **inputs, "z": expected}, run, result, relative,
                    absolute)

    def elementwise(self):
        n = self.size
        for name, numpy_name, function, op, *ranges in BINARY:
            inputs = {key: self.values(n, *limits) for key, limits in zip("xy", ranges)}
            dtype = "bool" if name == "greater" else "float32"
            yield self.case(name, f"{numpy_name}(x, y, z)", "Pairwise", function, op, inputs, (n, dtype),
                            relative=1e-6 if name == "pow" else 0)
        for name, numpy_name, function, op, limits in UNARY:
            yield self.case(name, f"{numpy_name}(x, z)", "Transform", function, op, {"x": self.values(n, *limits)},
                            (n, "float32"), relative=0 if name == "sqrt" else 1e-6)

    def broadcasts(self):
        shape = near_square(self.size)
        for name, axis in (("add row", 1), ("add column", 0)):
            x, y = self.values(shape, -10, 10), self.values(shape[axis], -10, 10)
            axes = np.array([axis], np.int32)
            case = self.case(name, "np.add(x, y, z)", "Broadcast", "execBroadcast", ADD, {"x": x, "y": y},
                             (shape, "float32"), [axes])
            if axis == 0:
                case.names["y"] = y[:, None]
            yield case

    def reductions(self):
        shape = near_square(self.size)
        for name, statement, whole, along, op, dtype in REDUCTIONS:
            x = {"x": self.values(shape, -10, 10)}
            for where, axis in (("all", None), ("first axis", 0), ("last axis", 1)):
                count = self.size if axis is None else shape[axis]
                # The order of additions differs. The sum is off by about one rounding of a partial sum per doubling.
                absolute = {"sum": 1e-5 * math.sqrt(count) * math.log2(2 * count), "mean": 1e-4}.get(name, 0)
                if axis is None:
                    pattern, function, length, extra = "Reduce", whole, (), []
                else:
                    pattern, function, length = "ReduceAxes", along, shape[1 - axis]
                    extra = [np.array([axis], np.int32)]
                yield self.case(f"{name} {where}", statement.format(axis=axis), pattern, function, op, x,
                                (length, dtype), extra, absolute=absolute)

    def casts(self):
        for source in CAST_TYPES:
            for target in CAST_TYPES:
                if source != target:
                    x = self.values(self.size, -1000, 1000, source)
                    yield self.case(f"{source} to {target}", "z[...] = x", "Transform", "execTransformAny", ASSIGN,
                                    {"x": x}, (self.size, target))

    def copies(self):
        rows, columns = near_square(self.size)
        views = [("copy every second", self.values(2 * self.size, -10, 10)[::2]),
                 ("copy transposed", self.values((columns, rows), -10, 10).T)]
        for name, view in views:
            yield self.case(name, "z[...] = x", "Transform", "execTransformAny", ASSIGN, {"x": view},
                            (view.shape, "float32"))

    def all(self):
        for group in (self.elementwise, self.broadcasts, self.reductions, self.casts, self.copies):
            yield from group()
