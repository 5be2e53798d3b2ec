"""Reductions over everything and over axes, and layers that normalise along an axis."""

import math

from work import Custom, Numbered, Row, Work

GROUP = "reduce"
# name, functions over everything and over axes, number, type of the result, and statements: of NumPy and PyTorch with
# the axis or axes, of ONNX Runtime, of Eigen and xtensor over everything
REDUCTIONS = [
    ("sum", "execReduceSame", "execReduceSame2", 0, "float32", "np.add.reduce(x, {axis}, None, z)",
     "torch.sum(x, {axes}, out=z)", "ReduceSum", "x.sum()", "xt::sum"),
    ("max", "execReduceSame", "execReduceSame2", 1, "float32", "np.maximum.reduce(x, {axis}, None, z)",
     "torch.amax(x, {axes}, out=z)", "ReduceMax", "x.maxCoeff()", "xt::amax"),
    ("mean", "execReduceFloat", "execReduceFloat2", 0, "float32", "x.mean({axis}, None, z)",
     "torch.mean(x, {axes}, out=z)", "ReduceMean", "x.mean()", "xt::mean"),
    ("norm2", "execReduceFloat", "execReduceFloat2", 3, "float32", "z[...] = np.linalg.norm(y, axis={axis})", "torch.linalg.vector_norm(x, 2, {axes}, out=z)", "ReduceL2", "x.matrix().norm()",
     None),
    ("variance", "execSummaryStatsScalar", "execSummaryStatsTad", 0, "float32", "x.var({axis}, None, z)",
     "torch.var(x, {axes}, correction=0, out=z)", None, None, "xt::variance"),
    ("argmax", "execIndexReduceScalar", "execIndexReduce", 0, "int64", "x.argmax({axis}, z)",
     "torch.argmax(x, {axis}, out=z)", "ArgMax", None, None),
]
PLACES = (("all", None), ("first axis", 0), ("last axis", 1), ("middle axis", 1))


def rows(size):
    for reduction in REDUCTIONS:
        for where, axis in PLACES:
            yield Row(GROUP, f"{reduction[0]} {where}", size, lambda v, reduction=reduction, where=where, axis=axis:
                      reduced(v, where, axis, *reduction))
    yield from quantiles(size)
    yield from layers(size)


def quantiles(size):
    """Of each row."""
    for name, q in (("median", 0.5), ("quantile 0.9", 0.9)):
        def work(v, name=name, q=q):
            inputs = {"x": v.reals(v.shape, -10, 10)}
            fraction = v.reals((), 0, 1)
            fraction[...] = q
            call = Custom("median", [1]) if name == "median" else Custom("quantile", [0, 1])
            own = {} if name == "median" else {"q": fraction}
            return Work({**inputs, **own}, [(v.shape[:1], "float32")], call,
                        {"numpy": "np.median(x, 1, z)" if name == "median" else "np.quantile(x, q, 1, z)",
                         "torch": f"torch.quantile(x, {q}, 1, out=z)"}, absolute=1e-5)

        yield Row(GROUP, f"{name} last axis", size, work)


def reduced(values, where, axis, name, whole, along, number, dtype, numpy, torch, onnx, eigen, xtensor):
    height, width = values.shape
    shape = values.shape
    if where == "middle axis":
        parts = next(n for n in range(math.isqrt(height), 0, -1) if height % n == 0)
        shape = (parts, height // parts, width)
    count = values.size if axis is None else shape[axis]
    result = () if axis is None else shape[:axis] + shape[axis + 1:]
    pattern = "SummaryStats" if name == "variance" else "Reduce"
    call = Numbered(pattern, whole, number) if axis is None else Numbered(f"{pattern}Axes", along, number, [axis])
    # The order of additions differs. The sum is off by about one rounding of a partial sum per doubling.
    absolute = {"sum": 1e-5 * math.sqrt(count) * math.log2(2 * count), "mean": 1e-4, "variance": 1e-3}.get(name, 0)
    statements = {"numpy": numpy.format(axis=axis),
                  "torch": torch.format(axis=axis, axes=tuple(range(len(shape))) if axis is None else axis)}
    if onnx == "ArgMax" and axis is not None:
        statements["ort"] = f"ArgMax(x, axis={axis}, keepdims=0)"
    elif onnx and onnx != "ArgMax":
        statements["ort"] = f"{onnx}(x, keepdims=0)" if axis is None else f"{onnx}(x, [{axis}], keepdims=0)"
    if eigen and axis is None:
        statements["eigen"] = f"z(0) = {eigen}"
    if xtensor and (name != "variance" or axis is None):  # xtensor's variance along axes does not compile
        axes = "" if axis is None else f"{{{axis}}}, "
        statements["xtensor"] = f"z = {xtensor}(x, {axes}xt::evaluation_strategy::immediate)"
    # It adds the squares in float: 18157 with one thread, 18216 with two, where the norm is 18257.53.
    imprecise = dict.fromkeys(("nd4j", "nd4j-onednn"), "its norm is off by 0.2 to 0.6 %") if name == "norm2" and count > 1e6 else {}
    return Work({"x": values.reals(shape, -10, 10)}, [(result, dtype)], call, statements,
                {"numpy": "y = x.reshape(-1)" if axis is None else "y = x"}, absolute=absolute,
                # Peers add squares in float: of 10 million, NumPy's norm is off by 3e-5 and PyTorch's by 3e-4.
                relative={"norm2": 5e-4, "variance": 1e-5}.get(name, 0), without=imprecise)


def layers(size):
    gradients = "torch.set_grad_enabled(True); x.requires_grad_()"
    yield Row(GROUP, "softmax", size, lambda v: Work(
        {"x": v.reals(v.shape, -2, 2)}, [(v.shape, "float32")], Custom("softmax"),
        {"numpy": "np.exp(x - x.max(1, keepdims=True), z); np.divide(z, z.sum(1, keepdims=True), z)",
         "torch": "torch.softmax(x, 1, out=z)", "ort": "Softmax(x, axis=1)"}, relative=1e-4))
    yield Row(GROUP, "softmax gradient", size, lambda v: Work(
        {"x": v.reals(v.shape, -2, 2), "g": v.reals(v.shape, -1, 1)}, [(v.shape, "float32")], Custom("softmax_bp"),
        {"torch": "z = torch.autograd.grad(torch.softmax(x, 1), x, g)[0]"}, {"torch": gradients}, absolute=1e-5))
    yield Row(GROUP, "log_softmax", size, lambda v: Work(
        {"x": v.reals(v.shape, -2, 2)}, [(v.shape, "float32")], Custom("log_softmax"),
        {"torch": "torch.log_softmax(x, 1, out=z)", "ort": "LogSoftmax(x, axis=1)"}, relative=1e-4, absolute=1e-5))
    yield Row(GROUP, "log_softmax gradient", size, lambda v: Work(
        {"x": v.reals(v.shape, -2, 2), "g": v.reals(v.shape, -1, 1)}, [(v.shape, "float32")], Custom("log_softmax_bp"),
        {"torch": "z = torch.autograd.grad(torch.log_softmax(x, 1), x, g)[0]"}, {"torch": gradients}, absolute=1e-3))
    yield Row(GROUP, "layer_norm", size, lambda v: Work(
        {"x": v.reals(v.shape, -2, 2), "g": v.reals(v.shape[1], 0.5, 2)}, [(v.shape, "float32")],
        Custom("layer_norm", [1], booleans=[False]),
        {"numpy": "d = x - x.mean(1, keepdims=True); np.multiply(d / np.sqrt((d * d).mean(1, keepdims=True)), g, z)",
         "torch": "z = F.layer_norm(x, g.shape, g, None, 0.0)", "ort": "LayerNormalization(x, g, axis=1, epsilon=0.0)"},
        absolute=1e-3))
    yield Row(GROUP, "layer_norm gradients", size, lambda v: Work(
        {"x": v.reals(v.shape, -2, 2), "g": v.reals(v.shape[1], 0.5, 2), "d": v.reals(v.shape, -1, 1)},
        [(v.shape, "float32"), ((v.shape[1],), "float32")], Custom("layer_norm_bp", [1], booleans=[False]),
        {"torch": "z = torch.autograd.grad(F.layer_norm(x, g.shape, g, None, 0.0), (x, g), d)"},
        {"torch": gradients + "; g.requires_grad_()"}, absolute=3e-3, relative=1e-3))
    yield Row(GROUP, "batch norm of columns", size, lambda v: Work(
        {"x": v.reals(v.shape, -2, 2), **{name: v.reals(v.shape[1], 0.5, 2) for name in "mvgb"}}, [(v.shape, "float32")],
        Custom("batchnorm", [1, 1, 1], [1e-3]),
        {"numpy": "np.multiply(x - m, g / np.sqrt(v + 1e-3, dtype=np.float32), z); np.add(z, b, z)",
         "torch": "z = F.batch_norm(x, m, v, g, b, eps=1e-3)"}, absolute=1e-4))
    yield Row(GROUP, "cumsum", size, lambda v: Work(
        {"x": v.reals(v.shape, -2, 2)}, [(v.shape, "float32")], Custom("cumsum", [0, 0, 1]),
        {"numpy": "np.cumsum(x, 1, None, z)", "torch": "torch.cumsum(x, 1, out=z)", "ort": "CumSum(x, 1)"}, absolute=1e-2))
    yield Row(GROUP, "Pow_bp", size, lambda v: Work(
        {"x": v.reals(v.shape, 0.1, 4), "y": v.reals(v.shape, -2, 2), "g": v.reals(v.shape, -2, 2)},
        [(v.shape, "float32")] * 2, Custom("Pow_bp"),
        {"numpy": "np.multiply(g * y, x ** (y - 1), z[0]); np.multiply(g * np.log(x), x ** y, z[1])",
         "torch": "torch.mul(g * y, x ** (y - 1), out=z[0]); torch.mul(g * torch.log(x), x ** y, out=z[1])"},
        relative=1e-4, absolute=1e-5))
