"""Operations with indices."""

import numpy as np

from work import Custom, Row, Work, near_square

GROUP = "index"
DEPTH = 10  # of one-hot vectors


def rows(size):
    n, (height, width) = size, near_square(size)
    shape = (height, width)

    def row(name, make):
        return Row(GROUP, name, size, make)

    take = {"numpy": "np.take(x, i, 0, z)", "torch": "torch.index_select(x, 0, i, out=z)", "ort": "Gather(x, i, axis=0)"}
    yield row("gather rows", lambda v: Work(
        {"x": v.reals(shape, -10, 10), "i": v.integers(height, height)}, [(shape, "float32")], Custom("gather", [0]), take))
    yield row("gather elements", lambda v: Work(
        {"x": v.reals(n, -10, 10), "i": v.integers(n, n)}, [((n,), "float32")], Custom("gather", [0]), take))
    yield row("scatter_add", lambda v: Work(
        {"x": v.reals(shape, -10, 10), "i": v.integers(height, height), "y": v.reals(shape, -10, 10)},
        [(shape, "float32")], Custom("scatter_add"),
        {"numpy": "z[...] = x; np.add.at(z, i, y)", "torch": "z.copy_(x); z.index_add_(0, i, y)"}, absolute=1e-3))

    def positions(v):
        condition = v.integers(shape, 2, "bool")
        return Work({"x": condition}, [((int(condition.sum()), 2), "int64")], Custom("Where"),
                    {"numpy": "z[...] = np.argwhere(x)", "torch": "torch.nonzero(x, out=z)"})

    yield row("where", positions)
    for k in (5, 10):
        if width < k:
            continue
        yield row(f"top_k {k}", lambda v, k=k: Work(
            {"x": v.reals(shape, -10, 10)}, [((height, k), "float32"), ((height, k), "int64")], Custom("top_k", [k]),
            {"numpy": f"i = np.argpartition(-x, {k - 1}, 1)[:, :{k}]; v = np.take_along_axis(x, i, 1); "
                      "o = np.argsort(-v, 1); z[0][...] = np.take_along_axis(v, o, 1); "
                      "z[1][...] = np.take_along_axis(i, o, 1)",
             "torch": f"torch.topk(x, {k}, out=z)", "ort": f"TopK(x, [{k}], axis=1)"}, {"torch": "z = tuple(z)"}, same="z[0]"))
    yield row("one-hot", lambda v: Work(
        {"i": v.integers(n // DEPTH, DEPTH)}, [((n // DEPTH, DEPTH), "float32")], Custom("onehot", [-1, DEPTH]),
        {"numpy": "z[...] = 0; z[np.arange(len(i)), i] = 1", "torch": "z.zero_(); z.scatter_(1, i[:, None], 1)"}))

    endless = dict.fromkeys(("nd4j", "nd4j-onednn"), "a call takes many minutes") if n > 1_000_000 else {}

    def unique(v):
        repeated = v.integers(n, max(2, n // 10))
        return Work({"x": repeated}, [((len(np.unique(repeated)),), "int64"), ((n,), "int64")], Custom("unique"),
                    {"numpy": "z[0][...], z[1][...] = np.unique(x, return_inverse=True)",
                     "torch": "a, b = torch.unique(x, return_inverse=True); z[0].copy_(a); z[1].copy_(b)"},
                    same="z[0][z[1]]", without=endless)

    yield row("unique", unique)
    yield row("argsort", lambda v: Work(
        {"x": v.reals(n, -10, 10)}, [((n,), "int64")], Custom("argsort", [0]),
        {"numpy": "z[...] = np.argsort(x, kind='stable')",
         "torch": "torch.sort(x, stable=True, out=(values, z))"}, {"torch": "values = torch.empty_like(x)"}))
    yield row("searchsorted", lambda v: Work(
        {"x": np.sort(v.reals(n, -10, 10)), "y": v.reals(n, -10, 10)}, [((n,), "int64")], Custom("searchsorted"),
        {"numpy": "z[...] = np.searchsorted(x, y)", "torch": "torch.searchsorted(x, y, out=z)"}))
    yield row("take_along_axis", lambda v: Work(
        {"x": v.reals(shape, -10, 10), "i": v.integers(shape, width, "int64")}, [(shape, "float32")],
        Custom("take_along_axis", [1]),
        {"numpy": "z[...] = np.take_along_axis(x, i, 1)", "torch": "torch.gather(x, 1, i, out=z)"}))

    def segments(v):
        ids = np.sort(v.integers(height, max(1, height // 4)))
        ids[:] = np.unique(ids, return_inverse=True)[1]
        return Work({"x": v.reals(shape, -10, 10), "i": ids}, [((int(ids[-1]) + 1, width), "float32")],
                    Custom("segment_sum"),
                    {"numpy": "np.add.reduceat(x, np.flatnonzero(np.diff(i, prepend=-1)), 0, None, z)",
                     "torch": "z.zero_(); z.index_add_(0, i, x)"}, absolute=1e-2)

    yield row("segment_sum", segments)
