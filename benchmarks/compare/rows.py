"""The compared rows. To add one, yield it from its group."""

import math

import numpy as np

from work import SIZES, Custom, Numbered, Row, Work, near_square

DEPTH = 10  # of one-hot vectors
CAST_TYPES = ("float32", "int32", "float16")
ASSIGN = 0
MATRICES = (64, 256, 1024)

# name, number of execTransformStrict or (function, number), low, high, statements
UNARY = [
    ("exp", 23, -10, 10, {"numpy": "np.exp(x, z)", "torch": "torch.exp(x, out=z)",
                          "numexpr": "ne.evaluate('exp(x)', out=z)"}),
    ("log", 24, 0.01, 100, {"numpy": "np.log(x, z)", "torch": "torch.log(x, out=z)",
                            "numexpr": "ne.evaluate('log(x)', out=z)"}),
    ("tanh", 29, -5, 5, {"numpy": "np.tanh(x, z)", "torch": "torch.tanh(x, out=z)",
                         "numexpr": "ne.evaluate('tanh(x)', out=z)"}),
    ("sigmoid", 26, -10, 10, {"torch": "torch.sigmoid(x, out=z)"}),
    ("sqrt", ("execTransformFloat", 1), 0, 100, {"numpy": "np.sqrt(x, z)", "torch": "torch.sqrt(x, out=z)"}),
]
# name, function and number, ranges of x and y, statements
BINARY = [
    ("add", "execPairwiseTransform", 0, (-10, 10), (-10, 10),
     {"numpy": "np.add(x, y, z)", "torch": "torch.add(x, y, out=z)"}),
    ("multiply", "execPairwiseTransform", 3, (-10, 10), (-10, 10),
     {"numpy": "np.multiply(x, y, z)", "torch": "torch.mul(x, y, out=z)"}),
    ("divide", "execPairwiseTransform", 2, (-10, 10), (0.1, 10),
     {"numpy": "np.divide(x, y, z)", "torch": "torch.div(x, y, out=z)"}),
    ("pow", "execPairwiseTransform", 4, (0.1, 10), (-3, 3),
     {"numpy": "np.power(x, y, z)", "torch": "torch.pow(x, y, out=z)", "numexpr": "ne.evaluate('x ** y', out=z)"}),
    ("greater", "execPairwiseTransformBool", 1, (-10, 10), (-10, 10),
     {"numpy": "np.greater(x, y, z)", "torch": "torch.gt(x, y, out=z)"}),
]
# name, functions over everything and over axes, number, type of the result, statements for NumPy and PyTorch
REDUCTIONS = [
    ("sum", "execReduceSame", "execReduceSame2", 0, "float32", "np.add.reduce(x, {axis}, None, z)",
     "torch.sum(x, {axes}, out=z)"),
    ("max", "execReduceSame", "execReduceSame2", 1, "float32", "np.maximum.reduce(x, {axis}, None, z)",
     "torch.amax(x, {axes}, out=z)"),
    ("mean", "execReduceFloat", "execReduceFloat2", 0, "float32", "x.mean({axis}, None, z)",
     "torch.mean(x, {axes}, out=z)"),
    ("argmax", "execIndexReduceScalar", "execIndexReduce", 0, "int64", "x.argmax({axis}, z)",
     "torch.argmax(x, {axis}, out=z)"),
]


def elementwise(size):
    for name, number, low, high, statements in UNARY:
        function, number = number if isinstance(number, tuple) else ("execTransformStrict", number)
        yield Row("element-wise", name, size, lambda v, call=Numbered("Transform", function, number), low=low, high=high,
                  statements=statements: Work({"x": v.reals(v.size, low, high)}, [(v.size, "float32")], call, statements,
                                              relative=1e-6))
    for name, function, number, xs, ys, statements in BINARY:
        yield Row("element-wise", name, size, lambda v, call=Numbered("Pairwise", function, number), xs=xs, ys=ys,
                  statements=statements, dtype="bool" if name == "greater" else "float32":
                  Work({"x": v.reals(v.size, *xs), "y": v.reals(v.size, *ys)}, [(v.size, dtype)], call, statements,
                       relative=1e-6))


def broadcast(size):
    for name, axis, view in (("add row", 1, "y"), ("add column", 0, "y[:, None]")):
        yield Row("broadcast", name, size, lambda v, axis=axis, view=view:
                  Work({"x": v.reals(v.shape, -10, 10), "y": v.reals(v.shape[axis], -10, 10)}, [(v.shape, "float32")],
                       Numbered("Broadcast", "execBroadcast", 0, [axis]),
                       {"numpy": "np.add(x, y, z)", "torch": "torch.add(x, y, out=z)"},
                       {"numpy": f"y = {view}", "torch": f"y = {view}"}))


def reduce(size):
    for name, whole, along, number, dtype, numpy, torch in REDUCTIONS:
        for where, axis in (("all", None), ("first axis", 0), ("last axis", 1)):
            yield Row("reduce", f"{name} {where}", size, lambda v, name=name, whole=whole, along=along, number=number,
                      dtype=dtype, numpy=numpy, torch=torch, axis=axis: reduction(v, name, whole, along, number, dtype,
                                                                                  numpy, torch, axis))


def reduction(values, name, whole, along, number, dtype, numpy, torch, axis):
    count = values.size if axis is None else values.shape[axis]
    call = Numbered("Reduce", whole, number) if axis is None else Numbered("ReduceAxes", along, number, [axis])
    # The order of additions differs. The sum is off by about one rounding of a partial sum per doubling.
    absolute = {"sum": 1e-5 * math.sqrt(count) * math.log2(2 * count), "mean": 1e-4}.get(name, 0)
    return Work({"x": values.reals(values.shape, -10, 10)}, [(() if axis is None else values.shape[1 - axis], dtype)], call,
                {"numpy": numpy.format(axis=axis),
                 "torch": torch.format(axis=axis, axes=(0, 1) if axis is None else axis)}, absolute=absolute)


def layers(size):
    yield Row("reduce", "softmax", size, lambda v: Work(
        {"x": v.reals(v.shape, -2, 2)}, [(v.shape, "float32")], Custom("softmax"),
        {"numpy": "np.exp(x - x.max(1, keepdims=True), z); np.divide(z, z.sum(1, keepdims=True), z)",
         "torch": "torch.softmax(x, 1, out=z)"}, relative=1e-4))
    yield Row("reduce", "log_softmax", size, lambda v: Work(
        {"x": v.reals(v.shape, -2, 2)}, [(v.shape, "float32")], Custom("log_softmax"),
        {"torch": "torch.log_softmax(x, 1, out=z)"}, relative=1e-4, absolute=1e-5))
    yield Row("reduce", "cumsum", size, lambda v: Work(
        {"x": v.reals(v.shape, -2, 2)}, [(v.shape, "float32")], Custom("cumsum", [0, 0, 1]),
        {"numpy": "np.cumsum(x, 1, None, z)", "torch": "torch.cumsum(x, 1, out=z)"}, absolute=1e-2))
    yield Row("reduce", "batchnorm", size, lambda v: Work(
        {"x": v.reals(v.shape, -2, 2), **{name: v.reals(v.shape[1], 0.5, 2) for name in "mvgb"}}, [(v.shape, "float32")],
        Custom("batchnorm", [1, 1, 1], [1e-3]),
        {"numpy": "np.multiply(x - m, g / np.sqrt(v + 1e-3, dtype=np.float32), z); np.add(z, b, z)",
         "torch": "z.copy_(F.batch_norm(x, m, v, g, b, eps=1e-3))"}, absolute=1e-4))
    yield Row("reduce", "Pow_bp", size, lambda v: Work(
        {"x": v.reals(v.shape, 0.1, 4), "y": v.reals(v.shape, -2, 2), "g": v.reals(v.shape, -2, 2)},
        [(v.shape, "float32")] * 2, Custom("Pow_bp"),
        {"numpy": "np.multiply(g * y, x ** (y - 1), z[0]); np.multiply(g * np.log(x), x ** y, z[1])",
         "torch": "torch.mul(g * y, x ** (y - 1), out=z[0]); torch.mul(g * torch.log(x), x ** y, out=z[1])"},
        relative=1e-4, absolute=1e-5))
    yield Row("reduce", "layer_norm", size, lambda v: Work(
        {"x": v.reals(v.shape, -2, 2), "g": v.reals(v.shape[1], 0.5, 2)}, [(v.shape, "float32")],
        Custom("layer_norm", [1], booleans=[False]),
        {"numpy": "d = x - x.mean(1, keepdims=True); np.multiply(d / np.sqrt((d * d).mean(1, keepdims=True)), g, z)",
         "torch": "z.copy_(F.layer_norm(x, g.shape, g, None, 0.0))"}, absolute=1e-3))


def move(size):
    n, (height, width) = size, near_square(size)
    shape, few, cube = (height, width), (n // 5, 5), (n // 10, 5, 2)

    def row(name, call, inputs, outputs, statements, before=None):
        return Row("move", name, size, lambda v: Work(inputs(v), outputs, call, statements, before or {}))

    def one(v):
        return {"x": v.reals(shape, -10, 10)}

    def two(v):
        return {"x": v.reals(shape, -10, 10), "y": v.reals(shape, -10, 10)}

    yield row("concat last axis", Custom("concat", [1]), two, [((height, 2 * width), "float32")],
              {"numpy": "np.concatenate((x, y), 1, z)", "torch": "torch.cat((x, y), 1, out=z)"})
    yield row("concat first axis", Custom("concat", [0]), two, [((2 * height, width), "float32")],
              {"numpy": "np.concatenate((x, y), 0, z)", "torch": "torch.cat((x, y), 0, out=z)"})
    yield row("stack", Custom("stack", [-1]), two, [((*shape, 2), "float32")],
              {"numpy": "np.stack((x, y), -1, z)", "torch": "torch.stack((x, y), -1, out=z)"})
    yield row("unstack", Custom("unstack", [-1]), lambda v: {"x": v.reals(few, -10, 10)}, [((few[0],), "float32")] * 5,
              {"numpy": "for a, b in zip(z, x.T): a[...] = b", "torch": "for a, b in zip(z, x.unbind(-1)): a.copy_(b)"})
    yield row("split", Custom("split", [5, 1]), lambda v: {"x": v.reals((n // 10, 10), -10, 10)},
              [((n // 10, 2), "float32")] * 5,
              {"numpy": "for a, b in zip(z, np.split(x, 5, 1)): a[...] = b",
               "torch": "for a, b in zip(z, x.split(2, 1)): a.copy_(b)"})
    yield row("tile", Custom("tile", [2, 2]), one, [((2 * height, 2 * width), "float32")],
              {"numpy": "z[...] = np.tile(x, (2, 2))", "torch": "z.copy_(x.tile((2, 2)))"})
    yield row("pad", Custom("pad", [0]), lambda v: {**one(v), "p": np.ones((2, 2), np.int64)},
              [((height + 2, width + 2), "float32")],
              {"numpy": "z[...] = np.pad(x, p)", "torch": "z.copy_(F.pad(x, (1, 1, 1, 1)))"})
    yield row("transpose", Custom("transpose"), one, [((width, height), "float32")],
              {"numpy": "z[...] = x.T", "torch": "z.copy_(x.T)"})
    yield row("permute", Custom("permute", [0, 2, 1]), lambda v: {"x": v.reals(cube, -10, 10)},
              [((cube[0], 2, 5), "float32")],
              {"numpy": "z[...] = x.transpose(0, 2, 1)", "torch": "z.copy_(x.permute(0, 2, 1))"})
    yield row("roll all", Custom("roll", [3]), one, [(shape, "float32")],
              {"numpy": "z[...] = np.roll(x, 3)", "torch": "z.copy_(x.roll(3))"})
    yield row("roll last axis", Custom("roll", [1, 1]), one, [(shape, "float32")],
              {"numpy": "z[...] = np.roll(x, 1, 1)", "torch": "z.copy_(x.roll(1, 1))"})
    for dtype in ("float32", "int8"):
        yield row(f"reverse {dtype}", Custom("reverse", [1]), lambda v, dtype=dtype: {"x": v.reals(shape, -10, 10, dtype)},
                  [(shape, dtype)], {"numpy": "z[...] = x[:, ::-1]", "torch": "z.copy_(x.flip(1))"})
    yield row("slice every second", Custom("strided_slice", [0, 0, 0, 0, 0, 0, 0, 2 * height, 2 * width, 2, 2]),
              lambda v: {"x": v.reals((2 * height, 2 * width), -10, 10)}, [(shape, "float32")],
              {"numpy": "z[...] = x[::2, ::2]", "torch": "z.copy_(x[::2, ::2])"})
    for source in CAST_TYPES:
        for target in CAST_TYPES:
            if source != target:
                yield row(f"{source} to {target}", Numbered("Transform", "execTransformAny", ASSIGN),
                          lambda v, source=source: {"x": v.reals(n, -1000, 1000, source)}, [((n,), target)],
                          {"numpy": "z[...] = x", "torch": "z.copy_(x)"})
    for name, view in (("copy every second", lambda v: v.reals(2 * n, -10, 10)[::2]),
                       ("copy transposed", lambda v: v.reals((width, height), -10, 10).T)):
        yield row(name, Numbered("Transform", "execTransformAny", ASSIGN), lambda v, view=view: {"x": view(v)},
                  [((n,) if "second" in name else shape, "float32")], {"numpy": "z[...] = x", "torch": "z.copy_(x)"})


def index(size):
    n, (height, width) = size, near_square(size)
    shape, k = (height, width), min(5, width)

    def row(name, make):
        return Row("index", name, size, make)

    yield row("gather rows", lambda v: Work(
        {"x": v.reals(shape, -10, 10), "i": v.integers(height, height)}, [(shape, "float32")], Custom("gather", [0]),
        {"numpy": "np.take(x, i, 0, z)", "torch": "torch.index_select(x, 0, i, out=z)"}))
    yield row("gather elements", lambda v: Work(
        {"x": v.reals(n, -10, 10), "i": v.integers(n, n)}, [((n,), "float32")], Custom("gather", [0]),
        {"numpy": "np.take(x, i, 0, z)", "torch": "torch.index_select(x, 0, i, out=z)"}))
    yield row("scatter_add", lambda v: Work(
        {"x": v.reals(shape, -10, 10), "i": v.integers(height, height), "y": v.reals(shape, -10, 10)},
        [(shape, "float32")], Custom("scatter_add"),
        {"numpy": "z[...] = x; np.add.at(z, i, y)", "torch": "z.copy_(x); z.index_add_(0, i, y)"}, absolute=1e-3))

    def positions(v):
        condition = v.integers(shape, 2, "bool")
        return Work({"x": condition}, [((int(condition.sum()), 2), "int64")], Custom("Where"),
                    {"numpy": "z[...] = np.argwhere(x)", "torch": "torch.nonzero(x, out=z)"})

    yield row("where", positions)
    yield row("select", lambda v: Work(
        {"c": v.integers(shape, 2, "bool"), "x": v.reals(shape, -10, 10), "y": v.reals(shape, -10, 10)},
        [(shape, "float32")], Custom("select"),
        {"numpy": "z[...] = np.where(c, x, y)", "torch": "torch.where(c, x, y, out=z)"}))
    yield row("top_k", lambda v: Work(
        {"x": v.reals(shape, -10, 10)}, [((height, k), "float32"), ((height, k), "int64")], Custom("top_k", [k]),
        {"numpy": f"i = np.argpartition(-x, {k - 1}, 1)[:, :{k}]; v = np.take_along_axis(x, i, 1); "
                  "o = np.argsort(-v, 1); z[0][...] = np.take_along_axis(v, o, 1); "
                  "z[1][...] = np.take_along_axis(i, o, 1)",
         "torch": f"torch.topk(x, {k}, out=z)"}, {"torch": "z = tuple(z)"}, same="z[0]"))
    yield row("one-hot", lambda v: Work(
        {"i": v.integers(n // DEPTH, DEPTH)}, [((n // DEPTH, DEPTH), "float32")], Custom("onehot", [-1, DEPTH]),
        {"numpy": "z[...] = 0; z[np.arange(len(i)), i] = 1", "torch": "z.zero_(); z.scatter_(1, i[:, None], 1)"}))

    def unique(v):
        repeated = v.integers(n, max(2, n // 10))
        return Work({"x": repeated}, [((len(np.unique(repeated)),), "int64"), ((n,), "int64")], Custom("unique"),
                    {"numpy": "z[0][...], z[1][...] = np.unique(x, return_inverse=True)",
                     "torch": "a, b = torch.unique(x, return_inverse=True); z[0].copy_(a); z[1].copy_(b)"},
                    same="z[0][z[1]]")

    yield row("unique", unique)

    def segments(v):
        ids = np.sort(v.integers(height, max(1, height // 4)))
        ids[:] = np.unique(ids, return_inverse=True)[1]
        return Work({"x": v.reals(shape, -10, 10), "i": ids}, [((int(ids[-1]) + 1, width), "float32")],
                    Custom("segment_sum"),
                    {"numpy": "np.add.reduceat(x, np.flatnonzero(np.diff(i, prepend=-1)), 0, None, z)",
                     "torch": "z.zero_(); z.index_add_(0, i, x)"}, absolute=1e-2)

    yield row("segment_sum", segments)


def random(size):
    yield Row("random", "normal", size, lambda v: Work(
        {"s": np.array([size])}, [((size,), "float32")], Custom("random_normal", floats=[0, 1]),
        {"numpy": "r.standard_normal(None, np.float32, z)", "torch": "z.normal_()"},
        {"numpy": "r = np.random.default_rng(1)"}, same=None))


def dense(size):
    """Of a matrix with `size` rows and columns."""
    square = (size, size)
    for dtype in ("float32", "float64"):
        yield Row("dense", f"matmul {dtype}", size, lambda v, dtype=dtype: Work(
            {"x": v.reals(square, -1, 1, dtype), "y": v.reals(square, -1, 1, dtype)}, [(square, dtype)], Custom("matmul"),
            {"numpy": "np.matmul(x, y, z)", "torch": "torch.mm(x, y, out=z)"}, absolute=1e-3))
    yield Row("dense", "matrix by vector", size, lambda v: Work(
        {"x": v.reals(square, -1, 1), "y": v.reals((size,), -1, 1)}, [((size,), "float32")], Custom("matmul"),
        {"numpy": "np.matmul(x, y, z)", "torch": "torch.mv(x, y, out=z)"}, absolute=1e-3))


def table():
    """All rows, in the order of the tables: a group at a time."""
    groups = (elementwise, broadcast, reduce, layers, move, index, random)
    return [row for group in groups for size in SIZES for row in group(size)] + [
        row for size in MATRICES for row in dense(size)]
