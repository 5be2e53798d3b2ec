"""Rows for operations with inputs and arguments: calls of execCustomOp2 with one context, against NumPy statements."""

import numpy as np

from cases import Case
from work import aligned, near_square

DEPTH = 10  # of one-hot vectors


class CustomMaker:
    """Makes the cases of one size, like cases.Maker."""

    def __init__(self, maker):
        self.values, self.native, self.size, self.random = maker.values, maker.native, maker.size, maker.random

    def integers(self, shape, limit, dtype="int64"):
        array = aligned(shape, dtype)
        array[...] = self.random.integers(0, limit, shape)
        return array

    def case(self, op, statement, inputs, outputs, *, name=None, integers=(), floats=(), booleans=(), relative=0.0,
             absolute=0.0, same="z"):
        """`outputs`: (shape, type) of each; the statement writes to z, or to z[0], z[1], ... when there are several.
        `same`: the expression that is compared for both results, None for random results."""
        expected, results = [aligned(*output) for output in outputs], [aligned(*output) for output in outputs]
        run = self.native.custom(op, list(inputs.values()), results, integers, floats, booleans)
        single = len(outputs) == 1
        return Case(name or op, self.size, statement, {"np": np, **inputs, "z": expected[0] if single else expected},
                    run, results[0] if single else results, relative, absolute, same)

    def moved(self):
        rows, columns = shape = near_square(self.size)
        x, y, n = self.values(shape, -10, 10), self.values(shape, -10, 10), self.size
        out = [(shape, "float32")]
        few = (n // 5, 5)
        yield self.case("concat", "np.concatenate((x, y), 1, z)", {"x": x, "y": y}, [((rows, 2 * columns), "float32")],
                        integers=[1])
        yield self.case("stack", "np.stack((x, y), -1, z)", {"x": x, "y": y}, [((*shape, 2), "float32")], integers=[-1])
        yield self.case("unstack", "for a, b in zip(z, x.T): a[...] = b", {"x": self.values(few, -10, 10)},
                        [((few[0],), "float32")] * 5, integers=[-1])
        yield self.case("split", "for a, b in zip(z, np.split(x, 5, 1)): a[...] = b",
                        {"x": self.values((n // 10, 10), -10, 10)}, [((n // 10, 2), "float32")] * 5, integers=[5, 1])
        yield self.case("tile", "z[...] = np.tile(x, (2, 2))", {"x": x}, [((2 * rows, 2 * columns), "float32")],
                        integers=[2, 2])
        yield self.case("pad", "z[...] = np.pad(x, p)", {"x": x, "p": np.ones((2, 2), np.int64)},
                        [((rows + 2, columns + 2), "float32")], integers=[0])
        yield self.case("transpose", "z[...] = x.T", {"x": x}, [((columns, rows), "float32")])
        cube = (n // 10, 5, 2)
        yield self.case("permute", "z[...] = x.transpose(0, 2, 1)", {"x": self.values(cube, -10, 10)},
                        [((cube[0], 2, 5), "float32")], integers=[0, 2, 1])
        yield self.case("roll", "z[...] = np.roll(x, 3)", {"x": x}, out, name="roll all", integers=[3])
        yield self.case("roll", "z[...] = np.roll(x, 1, 1)", {"x": x}, out, name="roll last axis", integers=[1, 1])
        for dtype in ("float32", "int8"):
            yield self.case("reverse", "z[...] = x[:, ::-1]", {"x": self.values(shape, -10, 10, dtype)},
                            [(shape, dtype)], name=f"reverse {dtype}", integers=[1])
        taken = self.values((2 * rows, 2 * columns), -10, 10)
        yield self.case("strided_slice", "z[...] = x[::2, ::2]", {"x": taken}, out,
                        integers=[0, 0, 0, 0, 0, 0, 0, 2 * rows, 2 * columns, 2, 2])

    def indexed(self):
        rows, columns = shape = near_square(self.size)
        n = self.size
        x, i = self.values(shape, -10, 10), self.integers(rows, rows)
        yield self.case("gather", "np.take(x, i, 0, z)", {"x": x, "i": i}, [(shape, "float32")], name="gather rows",
                        integers=[0])
        yield self.case("gather", "np.take(x, i, 0, z)", {"x": self.values(n, -10, 10), "i": self.integers(n, n)},
                        [((n,), "float32")], name="gather elements", integers=[0])
        yield self.case("scatter_add", "z[...] = x; np.add.at(z, i, y)",
                        {"x": x, "i": i, "y": self.values(shape, -10, 10)}, [(shape, "float32")], absolute=1e-3)
        condition = self.integers(shape, 2, "bool")
        count = int(condition.sum())
        yield self.case("Where", "z[...] = np.argwhere(x)", {"x": condition}, [((count, 2), "int64")])
        yield self.case("select", "z[...] = np.where(c, x, y)",
                        {"c": condition, "x": x, "y": self.values(shape, -10, 10)}, [(shape, "float32")])
        k = min(5, columns)
        yield self.case("top_k", f"i = np.argpartition(-x, {k - 1}, 1)[:, :{k}]; v = np.take_along_axis(x, i, 1); "
                        "o = np.argsort(-v, 1); z[0][...] = np.take_along_axis(v, o, 1); "
                        "z[1][...] = np.take_along_axis(i, o, 1)", {"x": x},
                        [((rows, k), "float32"), ((rows, k), "int64")], integers=[k], same="z[0]")
        hot = self.integers(n // DEPTH, DEPTH)
        yield self.case("onehot", "z[...] = 0; z[np.arange(len(i)), i] = 1", {"i": hot},
                        [((len(hot), DEPTH), "float32")], integers=[-1, DEPTH])
        repeated = self.integers(n, max(2, n // 10))
        distinct = len(np.unique(repeated))
        yield self.case("unique", "z[0][...], z[1][...] = np.unique(x, return_inverse=True)", {"x": repeated},
                        [((distinct,), "int64"), ((n,), "int64")], same="z[0][z[1]]")
        ids = np.sort(self.integers(rows, max(1, rows // 4)))
        ids[:] = np.unique(ids, return_inverse=True)[1]
        yield self.case("segment_sum", "np.add.reduceat(x, np.flatnonzero(np.diff(i, prepend=-1)), 0, None, z)",
                        {"x": x, "i": ids}, [((int(ids[-1]) + 1, columns), "float32")], absolute=1e-2)

    def computed(self):
        rows, columns = shape = near_square(self.size)
        x, row, out = self.values(shape, -2, 2), self.values(columns, 0.5, 2), [(shape, "float32")]
        yield self.case("cumsum", "np.cumsum(x, 1, None, z)", {"x": x}, out, integers=[0, 0, 1], absolute=1e-2)
        yield self.case("softmax", "np.exp(x - x.max(1, keepdims=True), z); np.divide(z, z.sum(1, keepdims=True), z)",
                        {"x": x}, out, relative=1e-4)
        yield self.case("layer_norm", "d = x - x.mean(1, keepdims=True); "
                        "np.multiply(d / np.sqrt((d * d).mean(1, keepdims=True)), g, z)", {"x": x, "g": row}, out,
                        integers=[1], booleans=[False], absolute=1e-3)
        yield self.case("batchnorm", "np.multiply(x - m, g / np.sqrt(v + 1e-3, dtype=np.float32), z); np.add(z, b, z)",
                        {"x": x, "m": row, "v": row, "g": row, "b": row}, out, integers=[1, 1, 1], floats=[1e-3],
                        absolute=1e-5)
        positive, y = self.values(shape, 0.1, 4), self.values(shape, -2, 2)
        yield self.case("Pow_bp", "np.multiply(g * y, x ** (y - 1), z[0]); np.multiply(g * np.log(x), x ** y, z[1])",
                        {"x": positive, "y": y, "g": x}, out * 2, relative=1e-4, absolute=1e-5)
        case = self.case("random_normal", "r.standard_normal(None, np.float32, z)", {"s": np.array([self.size])},
                         [((self.size,), "float32")], floats=[0, 1], same=None)
        case.names["r"] = np.random.default_rng(1)
        yield case

    def all(self):
        for group in (self.moved, self.indexed, self.computed):
            yield from group()
