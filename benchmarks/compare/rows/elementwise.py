"""Element-wise operations: functions, types, views and broadcasting."""

import functools

from work import Custom, Numbered, Row, Work, near_square

GROUP = "element-wise"

# name, function of the C interface, number, range of x, and what NumPy, PyTorch, numexpr, ONNX Runtime, Eigen, and xtensor
# call it; None: nothing
UNARY = [
    ("exp", "execTransformStrict", 23, (-10, 10), "exp", "exp", "exp(x)", "Exp", "x.exp()", "xt::exp(x)"),
    ("log", "execTransformStrict", 24, (0.01, 100), "log", "log", "log(x)", "Log", "x.log()", "xt::log(x)"),
    ("tanh", "execTransformStrict", 29, (-5, 5), "tanh", "tanh", "tanh(x)", "Tanh", "x.tanh()", "xt::tanh(x)"),
    ("sigmoid", "execTransformStrict", 26, (-10, 10), None, "sigmoid", None, "Sigmoid", "x.logistic()", None),
    ("erf", "execTransformStrict", 45, (-3, 3), None, "erf", None, "Erf", "x.erf()", "xt::erf(x)"),
    ("sqrt", "execTransformFloat", 1, (0, 100), "sqrt", "sqrt", "sqrt(x)", "Sqrt", "x.sqrt()", "xt::sqrt(x)"),
]
# the same of pairs, with the ranges of x and y
BINARY = [
    ("add", "execPairwiseTransform", 0, (-10, 10), (-10, 10), "add", "add", "x + y", "Add", "x + y", "x + y"),
    ("multiply", "execPairwiseTransform", 3, (-10, 10), (-10, 10), "multiply", "mul", "x * y", "Mul", "x * y", "x * y"),
    ("divide", "execPairwiseTransform", 2, (-10, 10), (0.1, 10), "divide", "div", "x / y", "Div", "x / y", "x / y"),
    ("pow", "execPairwiseTransform", 4, (0.1, 10), (-3, 3), "power", "pow", "x ** y", "Pow", "x.pow(y)", "xt::pow(x, y)"),
    ("greater", "execPairwiseTransformBool", 1, (-10, 10), (-10, 10), "greater", "gt", "x > y", "Greater", "x > y", "x > y"),
]
# Further functions of float32 and float64, which the processor's time limits and not memory: two sizes say enough. Name,
# number, ranges, and what NumPy, PyTorch and ONNX Runtime call it.
COSTLY = [
    ("log", 24, [(0.01, 100)], "log", "log", "Log"),
    ("log1p", 44, [(-0.9, 10)], "log1p", "log1p", None),
    ("expm1", 51, [(-5, 5)], "expm1", "expm1", None),
    ("sin", 27, [(-10, 10)], "sin", "sin", "Sin"),
    ("tan", 41, [(-1.5, 1.5)], "tan", "tan", "Tan"),
    ("asin", 31, [(-1, 1)], "arcsin", "asin", "Asin"),
    ("acos", 30, [(-1, 1)], "arccos", "acos", "Acos"),
    ("atan", 32, [(-10, 10)], "arctan", "atan", "Atan"),
    ("sinh", 39, [(-5, 5)], "sinh", "sinh", "Sinh"),
    ("cosh", 40, [(-5, 5)], "cosh", "cosh", "Cosh"),
    ("tanh", 29, [(-5, 5)], "tanh", "tanh", "Tanh"),
    ("asinh", 47, [(-10, 10)], "arcsinh", "asinh", "Asinh"),
    ("acosh", 46, [(1, 10)], "arccosh", "acosh", "Acosh"),
    ("atanh", 52, [(-0.99, 0.99)], "arctanh", "atanh", "Atanh"),
    ("erf", 45, [(-3, 3)], None, "erf", "Erf"),
    ("erfc", 50, [(-3, 5)], None, "erfc", None),
    ("sigmoid", 26, [(-10, 10)], None, "sigmoid", "Sigmoid"),
    ("pow", 4, [(0.1, 10), (-3, 3)], "power", "pow", "Pow"),
    ("atan2", 16, [(-10, 10), (-10, 10)], "arctan2", "atan2", None),  # the second operand is the numerator
    ("fmod", 15, [(-100, 100), (0.5, 10)], "fmod", "fmod", None),
    ("floormod", 19, [(-100, 100), (0.5, 10)], "remainder", "remainder", None),
]


def statements(arguments, numpy, torch, numexpr, ort, eigen, xtensor):
    found = {"numpy": numpy and f"np.{numpy}({arguments}, z)", "torch": torch and f"torch.{torch}({arguments}, out=z)",
             "numexpr": numexpr and f"ne.evaluate('{numexpr}', out=z, casting='unsafe')", "ort": ort and f"{ort}({arguments})",
             "eigen": eigen and f"z = {eigen}", "xtensor": xtensor and f"xt::noalias(z) = {xtensor}"}
    return {peer: text for peer, text in found.items() if text}


def rows(size):
    yield from functions(size)
    if size in (1_000, 100_000):
        yield from costly_functions(size)
    yield from types(size)
    yield from views(size)
    yield from broadcasts(size)


def functions(size):
    for name, function, number, low_high, *names in UNARY:
        yield Row(GROUP, name, size, lambda v, call=Numbered("Transform", function, number), limits=low_high, names=names:
                  Work({"x": v.reals(v.size, *limits)}, [(v.size, "float32")], call, statements("x", *names),
                       relative=1e-6, absolute=1e-6))
    yield Row(GROUP, "gelu", size, lambda v: Work(
        {"x": v.reals(v.size, -5, 5)}, [(v.size, "float32")], Numbered("Transform", "execTransformStrict", 55),
        {"torch": "z = F.gelu(x, approximate='tanh')", "ort": "Gelu(x, approximate='tanh')"}, relative=1e-5, absolute=1e-6,
        without={peer: "its formula has a constant in another place" for peer in ("nd4j", "nd4j-onednn")}))
    for name, function, number, xs, ys, *names in BINARY:
        dtype = "bool" if name == "greater" else "float32"
        yield Row(GROUP, name, size, lambda v, call=Numbered("Pairwise", function, number), xs=xs, ys=ys, names=names,
                  dtype=dtype: Work({"x": v.reals(v.size, *xs), "y": v.reals(v.size, *ys)}, [(v.size, dtype)], call,
                                    statements("x, y", *names), relative=1e-6))
    yield Row(GROUP, "select", size, lambda v: Work(
        {"c": v.integers(v.size, 2, "bool"), "x": v.reals(v.size, -10, 10), "y": v.reals(v.size, -10, 10)},
        [(v.size, "float32")], Custom("select"),
        {"numpy": "z[...] = np.where(c, x, y)", "torch": "torch.where(c, x, y, out=z)", "ort": "Where(c, x, y)",
         "numexpr": "ne.evaluate('where(c, x, y)', out=z)", "eigen": "z = c.select(x, y)",
         "xtensor": "xt::noalias(z) = xt::where(c, x, y)"}))
    # A single number: an array of one element.
    yield Row(GROUP, "add a number", size, lambda v: Work(
        {"x": v.reals(v.size, -10, 10), "y": v.reals((), -10, 10)}, [(v.size, "float32")],
        Numbered("Scalar", "execScalar", 0),
        {"numpy": "np.add(x, y, z)", "torch": "torch.add(x, y, out=z)", "ort": "Add(x, y)", "eigen": "z = x + y(0)",
         "xtensor": "xt::noalias(z) = x + y()"}))


def costly_work(v, name, dtype, ranges, call, peers):
    error = 2e-6 if dtype == "float32" else 1e-12
    loses = name == "asinh" and dtype == "float32"
    return Work({operand: v.reals(v.size, *limits, dtype) for operand, limits in zip("xy", ranges)}, [(v.size, dtype)],
                call, peers, relative=error, absolute=error,
                without={peer: "it loses digits of negative numbers" for peer in ("nd4j", "nd4j-onednn") if loses})


def costly_functions(size):
    known = {name for name, *_ in UNARY + BINARY}
    for dtype in ("float32", "float64"):
        for name, number, ranges, numpy, torch, ort in COSTLY:
            if dtype == "float32" and name in known:
                continue
            if len(ranges) == 1:
                call, arguments = Numbered("Transform", "execTransformStrict", number), "x"
            else:
                call = Numbered("Pairwise", "execPairwiseTransform", number)
                arguments = "y, x" if name == "atan2" else "x, y"
            peers = statements(arguments, numpy, torch, None, ort, None, None)
            yield Row(GROUP, name if dtype == "float32" else f"{name} float64", size,
                      functools.partial(costly_work, name=name, dtype=dtype, ranges=ranges, call=call, peers=peers))
    for name, number, torch, ort in (("softplus", 28, "softplus", "Softplus"), ("mish", 57, "mish", "Mish")):
        yield Row(GROUP, name, size, lambda v, number=number, torch=torch, ort=ort: Work(
            {"x": v.reals(v.size, -10, 10)}, [(v.size, "float32")], Numbered("Transform", "execTransformStrict", number),
            {"torch": f"z = F.{torch}(x)", "ort": f"{ort}(x)"}, relative=2e-6, absolute=2e-6))


def types(size):
    for dtype in ("float64", "int32", "float16", "bfloat16"):
        names = ("add", "add", "x + y" if "float16" not in dtype else None, "Add" if dtype != "bfloat16" else None,
                 *(("x + y", "x + y") if "float16" not in dtype else (None, None)))
        names = (None, *names[1:]) if dtype == "bfloat16" else names
        yield Row(GROUP, f"add {dtype}", size, lambda v, dtype=dtype, names=names: Work(
            {"x": v.whole(v.size, -100, 100, dtype), "y": v.whole(v.size, -100, 100, dtype)}, [(v.size, dtype)],
            Numbered("Pairwise", "execPairwiseTransform", 0), statements("x, y", *names)))
    for dtype in ("float64", "float16", "bfloat16"):
        wide = dtype == "float64"
        names = ("exp" if dtype != "bfloat16" else None, "exp", "exp(x)" if wide else None,
                 "Exp" if dtype != "bfloat16" else None, "x.exp()" if wide else None, "xt::exp(x)" if wide else None)
        yield Row(GROUP, f"exp {dtype}", size, lambda v, dtype=dtype, names=names: Work(
            {"x": v.reals(v.size, -5, 5, dtype)}, [(v.size, dtype)], Numbered("Transform", "execTransformStrict", 23),
            statements("x", *names), relative=1e-2 if dtype == "bfloat16" else 2e-3 if dtype == "float16" else 1e-12))
    yield Row(GROUP, "add int32 to float32", size, lambda v: Work(
        {"x": v.reals(v.size, -10, 10), "y": v.integers(v.size, 100, "int32")}, [(v.size, "float32")], Custom("add"),
        {"numpy": "np.add(x, y, z, dtype=np.float32, casting='unsafe')", "torch": "torch.add(x, y, out=z)"}))


def views(size):
    def every_second(v):
        return v.reals(2 * v.size, -10, 10)[::2]

    def transposed(v):
        height, width = v.shape
        return v.reals((width, height), -10, 10).T

    for name, view in (("every second element", every_second), ("transposed", transposed)):
        yield Row(GROUP, f"add, x {name}", size, lambda v, view=view: view_plus_array(v, view(v)))
        yield Row(GROUP, f"exp, x {name}", size, lambda v, view=view: exp_of_view(view(v)))


def view_plus_array(v, x):
    return Work({"x": x, "y": v.reals(x.shape, -10, 10)}, [(x.shape, "float32")],
                Numbered("Pairwise", "execPairwiseTransform", 0),
                {"numpy": "np.add(x, y, z)", "torch": "torch.add(x, y, out=z)"})


def exp_of_view(x):
    return Work({"x": x}, [(x.shape, "float32")], Numbered("Transform", "execTransformStrict", 23),
                {"numpy": "np.exp(x, z)", "torch": "torch.exp(x, out=z)"}, relative=1e-6)


def broadcasts(size):
    height, width = near_square(size)
    for name, x, y, eigen in (("add a row", (height, width), (1, width), "z = x.rowwise() + y.row(0)"),
                              ("add a column", (height, width), (height, 1), "z = x.colwise() + y.col(0)"),
                              ("add a column to a row", (1, width), (height, 1),
                               "z = x.row(0).replicate(y.rows(), 1).colwise() + y.col(0)")):
        yield Row(GROUP, name, size, lambda v, x=x, y=y, eigen=eigen: Work(
            {"x": v.reals(x, -10, 10), "y": v.reals(y, -10, 10)}, [(v.shape, "float32")], Custom("add"),
            {"numpy": "np.add(x, y, z)", "torch": "torch.add(x, y, out=z)", "ort": "Add(x, y)", "eigen": eigen,
             "xtensor": "xt::noalias(z) = x + y"}))
    for name, axis, view in (("execBroadcast of a row", 1, "y"), ("execBroadcast of a column", 0, "y[:, None]")):
        yield Row(GROUP, name, size, lambda v, axis=axis, view=view: Work(
            {"x": v.reals(v.shape, -10, 10), "y": v.reals(v.shape[axis], -10, 10)}, [(v.shape, "float32")],
            Numbered("Broadcast", "execBroadcast", 0, [axis]),
            {"numpy": "np.add(x, y, z)", "torch": "torch.add(x, y, out=z)"}, {"numpy": f"y = {view}", "torch": f"y = {view}"}))
    yield Row(GROUP, "custom add", size, lambda v: Work(
        {"x": v.reals(v.size, -10, 10), "y": v.reals(v.size, -10, 10)}, [(v.size, "float32")], Custom("add"),
        {"numpy": "np.add(x, y, z)", "torch": "torch.add(x, y, out=z)", "ort": "Add(x, y)"}))
