#!/usr/bin/env python3
"""Expected values of operations that gather, scatter, count or search elements: NumPy."""
import numpy as np

from cases import Cases, Empty, coarse

rng = np.random.default_rng(11)
cases = Cases("indexing")
I32, I64 = np.int32, np.int64


def values(*shape, low=-4.0, high=4.0):
    return coarse(rng.uniform(low, high, shape))


def distinct(*shape):
    """Distinct values that differ by more than the steps of the central differences."""
    return (rng.permutation(int(np.prod(shape))) / 4.0 - 3).reshape(shape)


def pattern(*shape):
    """Many values that compress well."""
    return (np.arange(np.prod(shape)) % 61 / 4.0 - 7).astype(np.float32).reshape(shape)


def ints(*data, dtype=I32):
    return np.array(data, dtype=dtype)


# ---- gather, gather_nd, embedding_lookup
x = values(4, 3, 5)
for axis in (0, 1, 2, -1):
    index = rng.integers(0, x.shape[axis], (2, 3)).astype(I32)
    cases.add("gather", [x, index], [np.take(x, index, axis)], i=(axis,))
cases.add("gather", [x, ints(1, 1, 0)], [np.take(x, [1, 1, 0], 0)], label="default axis")
cases.add("gather", [x, np.array(2, I64)], [x[:, 2]], i=(1,), label="a scalar index removes the axis")
cases.add("gather", [x, ints(4, 0), np.array(2, I32)], [x[:, :, [4, 0]]], i=(0,), label="the input goes before I0")
cases.add("gather", [x], [x[:, :, 3]], i=(-1, 3), label="one argument")
cases.add("gather", [x], [x[[2, 0, 2]]], i=(0, 2, 0, 2), label="arguments")
cases.add("gather", [x, np.array([1.9, 0.2])], [x[:, [1, 0]]], i=(1,), types=(), label="fractions are dropped")
cases.add("gather", [x, ints(-1, 0, -3)], [np.take(x, [-1, 0, -3], 1)], i=(1,), label="negative indices")
cases.add("gather", [x], [x[[3, 0]]], i=(0, -1, 0), label="negative arguments")
cases.add("gather", [np.array([[True, False], [False, False]]), ints(1, -2)], [np.array([[False, False], [True, False]])])
cases.add("gather", [x, np.zeros((0, 2), I32)], [np.zeros((4, 0, 2, 5))], i=(1,))
cases.add("gather", [np.zeros((0, 3)), ints(1)], [np.zeros((0, 1))], i=(1,))
for dtype in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64):
    table = np.arange(12).reshape(4, 3).astype(dtype)
    cases.add("gather", [table, ints(3, 0, 3, dtype=dtype)], [table[[3, 0, 3]]], i=(0,))
    cases.add("gather_nd", [table, np.array([[1, 2], [3, 0]], dtype)], [np.array([5, 9], dtype)])
large = pattern(30, 122)
index = np.arange(500) * 7 % 30
cases.add("gather", [large, index], [large[index]], i=(0,), types=(), skip={"views": "takes long and adds nothing"})

nd = np.array([[[0, 2], [3, 1]], [[1, 1], [0, 0]]], I32)
cases.add("gather_nd", [x, nd], [x[nd[..., 0], nd[..., 1]]])
cases.add("gather_nd", [x, ints(3, 2, 4)], [x[3, 2, 4]], label="one element")
cases.add("gather_nd", [x, np.array([[2], [0]], I64)], [x[[2, 0]]], b=(True,))
cases.add("gather_nd", [x, np.zeros((2, 0), I32)], [np.stack([x, x])], label="no coordinates: everything")
cases.add("gather_nd", [x, np.zeros((0, 2), I32)], [np.zeros((0, 5))])

table = values(5, 4)
cases.add("embedding_lookup", [table, ints(4, 0, 4)], [table[[4, 0, 4]]], i=(0,))
cases.add("embedding_lookup", [table, np.array([[1, 2], [3, 0]], I64)], [table[[[1, 2], [3, 0]]]], i=(0,))
parts = [values(2, 3) for _ in range(3)]
cases.add("embedding_lookup", [*parts, ints(2, 0, 0, 1)], [np.stack(parts)[[2, 0, 0, 1]]], i=(1,))

# ---- scatter: updates of the same row are applied one after the other
SCATTER = {
    "scatter_add": lambda a, u: a + u, "scatter_sub": lambda a, u: a - u, "scatter_mul": lambda a, u: a * u,
    "scatter_div": lambda a, u: a / u, "scatter_max": np.maximum, "scatter_min": np.minimum,
    "scatter_upd": lambda a, u: u,
}


def scattered(op, x, index, updates):
    z = x.copy()
    for place, u in zip(np.reshape(index, -1), np.reshape(updates, (-1, *x.shape[1:]))):
        z[place] = SCATTER[op](z[place], u)
    return z


for op in SCATTER:
    x, u = values(5, 3), values(4, 3, low=0.5, high=2)
    index = ints(3, 0, 3, 4)
    cases.add(op, [x, index, u], [scattered(op, x, index, u)], tol={"HALF": 6e-3, "BFLOAT16": 4e-2})
    index = np.array([[2, 1], [1, 4]], I64)
    cases.add(op, [x, index, u.reshape(2, 2, 3)], [scattered(op, x, index, u)], b=(True, True),
              tol={"HALF": 6e-3, "BFLOAT16": 4e-2})
    cases.add(op, [x, index.reshape(1, 4), u], [scattered(op, x, index, u)], types=(), label="a row of indices")
    cases.add(op, [x, np.array(2, I32), u[0]], [scattered(op, x, [2], u[:1])], types=(), label="a scalar index")
    cases.add(op, [x[:, 0], index, u[:, 0].reshape(2, 2)], [scattered(op, x[:, 0], index, u[:, 0])], types=(),
              label="a vector")
    cases.add(op, [x, np.zeros(0, I32), np.zeros((0, 3))], [x], types=(), label="no indices")
    whole = np.array([[100, 100], [7, 90], [-3, 11]], np.int8)
    change = np.array([[50, 3], [2, -4], [5, 100]], np.int8)
    order = [0, 0, 2]
    if op == "scatter_div":
        expected = whole.copy()
        for place, u in zip(order, change):
            expected[place] = np.trunc(expected[place] / u.astype(float)).astype(np.int8)
    else:
        expected = scattered(op, whole, order, change)
    cases.add(op, [whole, ints(*order), change], [expected], label="integers wrap around")
cases.add("ScatterAdd", [values(3), ints(), np.zeros(0)], [None], types=(), label="alias")
nan = np.array([1.0, np.nan, np.nan])
cases.add("scatter_max", [nan, ints(0, 1, 2), np.array([np.nan, 2.0, np.nan])], [np.array([1.0, 2.0, np.nan])])
cases.add("scatter_min", [nan, ints(0, 1, 2), np.array([np.nan, 2.0, np.nan])], [np.array([1.0, 2.0, np.nan])])
cases.add("scatter_add", [np.array([5, 6, 7]), np.array([1, 2, 1]), np.array([1, 2, 3])], [np.array([5, 10, 9])],
          label="x, indices and updates of one type")
cases.add("scatter_div", [np.array([-2**31, 7], I32), ints(0, 1), np.array([-1, -2], I32)],
          [np.array([-2**31, -3], I32)], label="the most negative value by -1")
wide, changes = pattern(20, 610), pattern(90, 610)
index = np.arange(90) * 3 % 20
expected = wide.astype(np.float64)
np.add.at(expected, index, changes.astype(np.float64))
cases.add("scatter_add", [wide, index, changes], [expected.astype(np.float32)], types=(), tol=1e-5)

for op, f in {"scatter_nd_add": np.add, "scatter_nd_sub": np.subtract, "scatter_nd_update": None}.items():
    for index, u in ((np.array([[0, 1], [3, 2], [0, 1]], I32), values(3, 5)), (np.array([[2], [2]], I64), values(2, 3, 5)),
                     (np.array([[[1, 1, 1]], [[0, 0, 4]]], I32), values(2, 1))):
        x = values(4, 3, 5)
        z = x.copy()
        for place, change in zip(index.reshape(-1, index.shape[-1]), u.reshape(-1, *x.shape[index.shape[-1]:])):
            z[tuple(place)] = change if f is None else f(z[tuple(place)], change)
        cases.add(op, [x, index, u], [z], tol={"HALF": 6e-3, "BFLOAT16": 4e-2})
u = values(3)
cases.add("scatter_nd", [np.array([[0, 1], [2, 0], [0, 1]], I32), u, ints(3, 2)],
          [np.array([[0, u[0] + u[2]], [0, 0], [u[1], 0]])], tol={"HALF": 6e-3, "BFLOAT16": 4e-2})
u = values(2, 4)
cases.add("scatter_nd", [np.array([[3], [1]], I64), u, ints(5, 4, dtype=I64)],
          [np.stack([0 * u[0], u[1], 0 * u[0], u[0], 0 * u[0]])])
cases.add("scatter_nd", [np.array([[1], [1]], I32), np.array([200, 100], np.uint8), ints(2)],
          [np.array([0, 44], np.uint8)], label="integers wrap around")
cases.add("scatter_nd", [np.zeros((0, 1), I32), np.zeros((0, 2)), ints(3, 2)], [np.zeros((3, 2))], types=())

x, u = values(4, 3), values(2, 3, low=0.5, high=2)
for code, f in enumerate((np.add, np.subtract, np.multiply, np.divide, lambda a, b: b - a, lambda a, b: b / a,
                          lambda a, b: b)):
    z = x.copy()
    z[[3, 1]] = f(z[[3, 1]], u)
    cases.add("scatter_update", [x, u], [z], i=(code, 1, 1, 2, 3, 1), tol={"HALF": 6e-3, "BFLOAT16": 4e-2})
z = x.copy()
columns = values(4, 2)
z[:, [2, 0]] += columns
cases.add("scatterupdate", [x, columns], [z], i=(0, 1, 0, 2, 2, 0), types=(), label="columns")

# ---- segments
REDUCE = {
    "sum": lambda a: a.sum(0), "mean": lambda a: a.mean(0), "prod": lambda a: a.prod(0), "max": lambda a: a.max(0),
    "min": lambda a: a.min(0), "sqrt_n": lambda a: a.sum(0) / np.sqrt(len(a)),
}


def segments(name, x, ids, count, empty):
    z = np.full((count, *x.shape[1:]), empty, dtype=np.float64)
    for s in range(count):
        if (ids == s).any():
            z[s] = REDUCE[name](x[ids == s])
    return z


LOOSE = {"HALF": 1e-2, "BFLOAT16": 8e-2}
for name in REDUCE:
    x, ids = distinct(7, 2, 3), ints(0, 0, 2, 2, 2, 3, 5)
    if name != "sqrt_n":
        empty = 1.0 if name == "prod" else 0.0
        op = "segment_" + name
        cases.add(op, [x, ids], [segments(name, x, ids, 6, empty)], grad=(0,), tol=LOOSE)
        cases.add(op, [x[:, 0, 0], ids.astype(I64)], [segments(name, x[:, 0, 0], ids, 6, empty)], grad=(0,), tol=LOOSE)
        cases.add(op, [values(1), ints(0)], [None], types=(), label="one row")
        one = values(1, 4)
        cases.add(op, [one, ints(0)], [one])
        cases.add(op, [np.zeros((0, 2)), np.zeros(0, I32)], [np.zeros((0, 2))], types=())
        whole = np.array([7, -2, -3, 5, 100], I32)
        exact = {"sum": [5, 2, 100], "mean": [2, 1, 100], "prod": [-14, -15, 100], "max": [7, 5, 100],
                 "min": [-2, -3, 100]}[name]
        cases.add(op, [whole, ints(0, 0, 1, 1, 2)], [np.array(exact, I32)], label="integers")
    op = "unsorted_segment_" + name
    # Without rows: the lowest or highest value of the type, which differs between types.
    mixed = ints(2, 0, 2, 1, 3, 2, 0)
    cases.add(op, [x, mixed], [segments(name, x, mixed, 4, 0)], i=(4,), grad=(0,), tol=LOOSE)
    cases.add(op, [x, mixed, np.array(4, I32)], [segments(name, x, mixed, 4, 0)], i=(9,), types=(),
              label="the input goes before I0")
    ids = ints(2, -1, 2, 0, -1, 2, 0)
    empty = {"prod": 1.0, "max": -np.finfo(np.float32).max, "min": np.finfo(np.float32).max}.get(name, 0.0)
    single = x.astype(np.float32)
    cases.add(op, [single, ids], [segments(name, x, ids, 4, empty).astype(np.float32)], i=(4,), types=(), tol=1e-5,
              label="negative ids are left out, segments without rows")
    cases.add(op, [x, ids], [None], i=(3,), types=(), grad=(0,), label="gradient with negative ids")
    cases.add(op, [x[:, :, 0].reshape(7, 2), mixed.reshape(7, 1)], [segments(name, x[:, :, 0], mixed, 4, 0)], i=(4,),
              types=(), label="ids of rank 2")
    cases.add(op, [values(1, 5), ints(0)], [None], i=(1,), types=(), label="one row")
whole = np.array([[3, -128], [100, 127], [100, 5]], np.int8)
cases.add("unsorted_segment_max", [whole, ints(2, 0, 2)], [np.array([[100, 127], [-127, -127], [100, 5]], np.int8)], i=(3,))
cases.add("unsorted_segment_min", [whole, ints(2, 0, 2)], [np.array([[100, 127], [127, 127], [3, -128]], np.int8)], i=(3,))
cases.add("unsorted_segment_mean", [whole, ints(0, 1, 1)], [np.array([[3, -128], [100, 66]], np.int8)], i=(2,),
          label="sums beyond the type")
cases.add("unsorted_segment_max", [np.array([np.nan, 1.0, -np.inf, np.nan]), ints(0, 0, 1, 1)], [np.array([1.0, -np.inf])],
          i=(2,), label="NaN is skipped")
zeros = np.array([0.0, 2.0, 3.0, 0.0, 0.0, 5.0])
for op, i in (("segment_prod", ()), ("unsorted_segment_prod", (2,))):
    cases.add(op, [zeros, ints(0, 0, 0, 1, 1, 1)], [np.zeros(2)], i=i, types=(), grad=(0,), label="one zero and two zeros")
g = np.array([[1.0, 2], [3, 4], [5, 6]])
tied = np.array([1.0, 3, 3, -1, 2, 2])
ids = ints(0, 0, 0, 1, 1, 2)
# the gradient gives the number of segments, whatever the argument says
for prefix, i in (("", ()), ("unsorted_", (3,)), ("unsorted_", (7,))):
    cases.add(prefix + "segment_max_bp", [tied, ids, g[:, 0]], [np.array([0.0, 1, 1, 0, 3, 5]), ids], i=i,
              label="ties have the whole gradient")
    cases.add(prefix + "segment_min_bp", [-tied, ids, g[:, 0]], [np.array([0.0, 1, 1, 0, 3, 5]), ids], i=i)
    cases.add(prefix + "segment_sum_bp", [values(6, 2), ids, g], [g[ids], ids], i=i)
    cases.add(prefix + "segment_mean_bp", [values(6), ids, g[:, 0]],
              [g[ids, 0] / np.array([3, 3, 3, 2, 2, 1]), ids], i=i)
    if prefix:
        cases.add("unsorted_segment_sqrt_n_bp", [values(6), ids, g[:, 0]],
                  [g[ids, 0] / np.sqrt(np.array([3, 3, 3, 2, 2, 1])), ids], i=i)
wide = pattern(500, 40)
index = np.arange(500) * 11 % 30
cases.add("unsorted_segment_sum", [wide, index], [segments("sum", wide.astype(np.float64), index, 30, 0).astype(np.float32)],
          i=(30,), types=(), tol=1e-5)

# ---- choices and coordinates
for dtype in (np.int8, np.int16, np.int32, np.int64, np.float64, np.uint64, np.bool_):
    x, y = ((values(3, 4) * 3).astype(dtype) for _ in range(2))
    mask = rng.integers(0, 2, (3, 4)).astype(bool)
    rows = np.array([True, False, True])
    cases.add("select", [mask, x, y], [np.where(mask, x, y)])
    cases.add("select", [rows, x, y], [np.where(rows[:, None], x, y)])
    cases.add("select", [np.array(False), x, y], [y])
    cases.add("Where", [mask, x, y], [np.where(mask, x, y)])
    cases.add("where_np", [rows, x, y], [np.where(rows[:, None], x, y)])
    masked = x.copy()
    masked[mask] = y.ravel()[:mask.sum()]
    cases.add("where_np", [mask, x, y], [masked], label="assignment through a mask")
cases.add("select", [np.array(True), np.array(3.0), np.array(4.0)], [np.array(3.0)])
cases.add("select", [np.zeros((0, 2), bool), np.zeros((0, 2)), np.zeros((0, 2))], [np.zeros((0, 2))], types=())
one = values(3, 4)
cases.add("where_np", [mask, one, np.array(7.0)], [np.where(mask, 7.0, one)], label="y of one element")
for condition in (mask, rows, rng.integers(0, 2, (2, 3, 4)).astype(bool)):
    cases.add("Where", [condition], [np.argwhere(condition)])
    cases.add("where_np", [condition], list(np.nonzero(condition)))
counted = np.array([[0, 3, -1], [0, 0, 2]])
for dtype in (np.int8, np.int32, np.float64):
    cases.add("Where", [counted.astype(dtype)], [np.argwhere(counted)])
cases.add("Where", [np.array([0.0, -0.0, np.nan, np.inf])], [np.array([[2], [3]])])
cases.add("Where", [np.zeros((2, 2), bool)], [Empty("INT64")])
cases.add("where_np", [np.zeros((2, 2), bool)], [Empty("INT64")])
cases.add("Where", [np.array(True)], [np.zeros((1, 0), I64)], label="a scalar")

a = np.array([[1.0, -2.0, 3.0], [0.5, 3.0, -0.5]])
special = np.array([1.0, np.nan, np.inf, -np.inf, -1.0])
MODES = (lambda v, c: abs(v - c) <= 1e-5, lambda v, c: abs(v - c) > 1e-5, lambda v, c: v < c, lambda v, c: v > c,
         lambda v, c: v <= c, lambda v, c: v >= c, lambda v, c: abs(v) < c, lambda v, c: abs(v) > c,
         lambda v, c: np.isinf(v), lambda v, c: np.isnan(v), lambda v, c: v == c, lambda v, c: v != c,
         lambda v, c: abs(v) >= c, lambda v, c: abs(v) <= c, lambda v, c: np.isfinite(v), lambda v, c: ~np.isfinite(v))
for mode, keeps in enumerate(MODES):
    with np.errstate(invalid="ignore"):
        for x in (a, special):
            kept = x[keeps(x, 1.0 if x is special else 0.5)]
            cases.add("choose", [x], [kept, np.array(len(kept), I64)], t=(1.0 if x is special else 0.5,), i=(mode,))
b = values(2, 3)
cases.add("choose", [a, b], [a[a > b], np.array((a > b).sum())], i=(3,))
cases.add("choose", [np.array(1.0), a], [a[a > 1], np.array((a > 1).sum())], i=(3,), label="the scalar comes first")
cases.add("choose", [a, np.array(1.0)], [a[a > 1], np.array((a > 1).sum())], i=(3,))

# ---- the largest elements; of equal elements the first
def largest(x, k, in_order=True):
    order = np.argsort(-x.astype(np.float64), axis=-1, kind="stable")[..., :k]
    if not in_order:
        order = np.sort(order, axis=-1)
    return [np.take_along_axis(x, order, -1), order.astype(I64)]


x = values(3, 4, 9)
for k in (1, 3, 9):
    cases.add("top_k", [x], largest(x, k), i=(k,))
    cases.add("top_k", [x], largest(x, k, False), i=(k,), b=(False,))
cases.add("top_k", [x, np.array(2, I32)], largest(x, 2), i=(5,), b=(True,), label="the input goes before I0")
ties = np.array([[1, 1, 5, 5, 5], [2, 2, 2, 2, 2]])
for dtype in (np.int8, np.uint8, np.int32, np.int64, np.uint64, np.float32):
    cases.add("top_k", [ties.astype(dtype)], largest(ties.astype(dtype), 3), i=(3,))
cases.add("top_k", [np.array([2**63 - 1, 2**63 - 2, -2**63])], [np.array([2**63 - 1, 2**63 - 2]), np.array([0, 1])], i=(2,),
          label="values that double does not tell apart")
cases.add("top_k", [np.array([np.nan, 1.0, np.nan, -np.inf, 2.0])],
          [np.array([2.0, 1.0, -np.inf, np.nan]), np.array([4, 1, 3, 0])], i=(4,), label="NaN comes last")
long = (np.arange(1400) * 37 % 201 - 90).astype(np.float32).reshape(2, 700)
for k in (5, 80, 400, 700):
    cases.add("top_k", [long], largest(long, k), i=(k,), types=())
cases.add("top_k", [np.zeros((0, 4))], [np.zeros((0, 2)), np.zeros((0, 2), I64)], i=(2,), types=())

scores = np.array([[0.1, 0.5, 0.5, 0.2], [0.9, 0.1, 0.2, 0.3], [0.4, 0.3, 0.2, 0.1], [np.nan, 1, 2, 3]])
targets = ints(2, 3, 7, 0)
for k in (1, 2, 4, 6):
    hits = [0 <= t < 4 and not np.isnan(r[t]) and bool((r > r[t]).sum() < k) for r, t in zip(scores, targets)]
    cases.add("in_top_k", [scores, targets], [np.array(hits)], i=(k,))

x = values(3, 2, 7)
for n in (0, 3, 6):
    cases.add("nth_element", [x, np.array(n, I32)], [np.sort(x, -1)[..., n]])
    cases.add("nth_element", [x, np.array(n, I32)], [-np.sort(-x, -1)[..., n]], i=(1,))
cases.add("nth_element", [np.array([5, -3, 9], np.int16), np.array(1, I64)], [np.array(5, np.int16)])
cases.add("nth_element", [np.array([[4.0], [2.0]]), np.array(0, I32)], [np.array([4.0, 2.0])])
for n, expected in ((0, 1.0), (1, 2.0), (2, np.nan)):
    cases.add("nth_element", [np.array([np.nan, 2.0, 1.0]), np.array(n, I32)], [np.array(expected)])
    cases.add("nth_element", [np.array([np.nan, 1.0, 2.0]), np.array(n, I32)], [np.array((2.0, 1.0, np.nan)[n])], i=(1,))


# ---- distinct values in the order of their first occurrence
def distinct_values(x):
    _, first, inverse, counts = np.unique(x.ravel(), return_index=True, return_inverse=True, return_counts=True)
    rank = np.argsort(np.argsort(first))
    order = np.argsort(first)
    return [x.ravel()[np.sort(first)], rank[inverse.reshape(-1)].astype(I64), counts[order].astype(I64)]


for dtype in (np.int8, np.uint16, np.int32, np.int64, np.float64, np.bool_):
    x = np.array([[7, 3, 7, 0], [5, 3, 0, 7]]).astype(dtype)
    cases.add("unique", [x], distinct_values(x)[:2])
    cases.add("unique_with_counts", [x], distinct_values(x))
big = np.array([2**53, 2**53 + 1, 2**53], I64)
cases.add("unique", [big], [big[:2], np.array([0, 1, 0])], label="values that double does not tell apart")
cases.add("unique", [np.array(3.5)], [np.array([3.5]), np.array([0])])
cases.add("unique", [np.zeros(0, I32)], [Empty("INT32"), np.zeros(0, I64)])
cases.add("unique_with_counts", [np.array([0.0, np.nan, -0.0, np.nan, np.inf])],
          [np.array([0.0, np.nan, np.nan, np.inf]), np.array([0, 1, 0, 2, 3]), np.array([2, 1, 1, 1])])
many = (np.arange(900) * 7 % 60).astype(I32)
cases.add("unique_with_counts", [many], distinct_values(many), skip={"outputs": "takes long and adds nothing"})

keep = np.array([1, 3, 5])
data = np.array([1, 2, 3, 4, 2, 6])
for dtype in (np.int8, np.int32, np.int64, np.float64):
    places = np.flatnonzero(~np.isin(data, keep))
    cases.add("listdiff", [data.astype(dtype), keep.astype(dtype)], [data[places].astype(dtype), places])
cases.add("listdiff", [np.array([2**53, 2**53 + 1]), np.array([2**53])], [np.array([2**53 + 1]), np.array([1])])
cases.add("listdiff", [np.array([np.nan, -0.0, 1.0]), np.array([0.0, np.nan])], [np.array([np.nan, 1.0]), np.array([0, 2])])
cases.add("listdiff", [np.array([1.0, 2.0]), np.zeros(0)], [np.array([1.0, 2.0]), np.array([0, 1])], types=())

# ---- positions of extremes
x = distinct(3, 4, 5)
for op, f in {"argmax": np.argmax, "argmin": np.argmin, "argamax": lambda v, a=None: np.argmax(abs(v), a),
              "argamin": lambda v, a=None: np.argmin(abs(v), a)}.items():
    cases.add(op, [x], [np.array(f(x))])
    for axis in (0, 1, -1):
        cases.add(op, [x], [f(x, axis)], i=(axis,))
    cases.add(op, [x], [np.expand_dims(f(x, 1), 1)], i=(1,), b=(True,))
    cases.add(op, [x], [f(x.transpose(1, 0, 2).reshape(4, 15), 1)], i=(2, 0), label="two axes")
    cases.add(op, [x, ints(1)], [f(x, 1)], i=(0,), label="the input goes before the arguments")
    cases.add(op, [x], [f(x, 0).astype(I32)], i=(0,), d=("INT32",))
    cases.add(op, [(4 * x).astype(np.int16)], [f((4 * x).astype(np.int16), 2)], i=(2,))
    cases.add(op, [np.array([-2.0, 2.0, -2.0, 2.0])], [np.array({"argmax": 1}.get(op, 0))], label="ties")
    cases.add(op, [np.zeros((0, 3))], [np.zeros(0, I64)], i=(1,), types=())
    # NaN first: no comparison with it is true, so nothing replaces it; elsewhere it replaces nothing
    seen = np.array([[np.nan, 5.0, -7.0], [4.0, np.nan, -4.5], [np.nan, np.nan, np.nan]])
    at = {"argmax": 0, "argmin": 2, "argamax": 2, "argamin": 0}[op]
    cases.add(op, [seen], [np.array([0, at, 0])], i=(1,), label="NaN")
    cases.add(op, [seen.T], [np.array([[0, at, 0]])], i=(0,), b=(True,), label="NaN")
    cases.add(op, [seen], [np.array(0)], label="NaN first")
    cases.add(op, [seen[1]], [np.array(at)], label="NaN inside")
    first = {"argmax": 4, "argmin": 5, "argamax": 5, "argamin": 0}[op]
    cases.add(op, [np.stack([seen, seen[[1, 0, 2]]])], [np.array([0, first])], i=(1, 2), label="NaN, two axes")
truth = np.array([[False, True, True], [False, False, False]])
cases.add("argmax", [truth], [np.argmax(truth, 1)], i=(1,))
cases.add("argmin", [truth], [np.argmin(truth, 0)], i=(0,))
cases.add("gather_nd", [truth, ints([0, 1], [1, 2])], [np.array([True, False])])
cases.add("argmax", [x], [np.array(np.argmax(x))], i=(2**31 - 1,), b=(True,), label="the axis for everything")

x = distinct(3, 4)
mark = np.zeros((3, 4))
mark.flat[np.argmax(x)] = 1
cases.add("ismax", [x], [mark])
cases.add("IsMax", [x], [(x == x.max(0)).astype(float)], i=(0,))
cases.add("ismax", [x], [(x == x.max(1, keepdims=True)).astype(float)], i=(-1,))
cases.add("ismax", [distinct(2, 3, 4)], [None], i=(0, 2), types=())
deep = distinct(2, 3, 4)
cases.add("ismax", [deep], [(deep == deep.max((0, 2), keepdims=True)).astype(float)], i=(2, 0), types=())
cases.add("ismax", [np.array([1, 5, 5], I32)], [np.array([0, 1, 0], I32)], label="the first of equal ones")
cases.add("ismax", [np.array([[1.0, 3.0, 2.0]])], [np.array([[0.0, 1.0, 0.0]])], i=(1,), label="a row")
cases.add("ismax", [np.array([[1.0, 3.0, 2.0]])], [np.ones((1, 3))], i=(0,), label="a row along its unit dimension")
cases.add("ismax", [np.array(4.0)], [np.array(1.0)])

# ---- partitions
x = values(5, 2, 3)
label = ints(2, 0, 5, 2, -1)
cases.add("dynamic_partition", [x, label], [x[label == p] for p in range(3)], i=(3,), views=True)
label = np.array([[1, 0], [1, 1], [0, 7], [0, 1], [1, 0]], I64)
cases.add("dynamic_partition", [x, label], [x[label == 0], x[label == 1]], i=(2,))
whole = np.array([4, 5, 6, 7], np.uint8)
cases.add("dynamic_partition", [whole, ints(0, 1, 1, 0)], [whole[[0, 3]], whole[[1, 2]]], i=(2,))
label = ints(2, 0, 5, 2, -1)
eps = [values(1, 2, 3), np.zeros((0, 2, 3)), values(2, 2, 3)]
back = np.zeros((5, 2, 3))
back[1], back[[0, 3]] = eps[0][0], eps[2]
cases.add("dynamic_partition_bp", [x, label, *eps], [back, label], i=(3,), types=())
cases.add("dynamic_partition", [x, ints(0, 1, 1, 0, 2)], [x[[0, 3]], x[[1, 2]], x[[4]]], i=(3,), grad=(0,), types=())
first, second = values(2, 3), values(3, 3)
z = np.zeros((7, 3))
z[[0, 2]] = first
z[[6, 2, 4]] = second
cases.add("dynamic_stitch", [ints(0, 2), ints(6, 2, 4), first, second], [z], label="later writes win, gaps are 0")
square = values(2, 2, 2)
z = np.zeros((4, 2))
z[[3, 0, 1, 2]] = square.reshape(4, 2)
cases.add("dynamic_stitch", [np.array([[3, 0], [1, 2]], I32), square], [z])
cases.add("dynamic_stitch", [ints(1, 0), np.array(2, I32), np.array([5, 6], I64), np.array(7, I64)], [np.array([6, 5, 7], I64)],
          label="scalars")
for axes in ((0,), (-1,)):
    cases.add("ismax", [np.array(-3.0)], [np.array(1.0)], i=axes, label="a scalar")
nothing, part = np.zeros(0, I32), np.array([[1.0, 2, 3]])
cases.add("dynamic_stitch", [nothing, ints(1), np.zeros((0, 3)), part], [np.array([[0.0, 0, 0], [1, 2, 3]])])
cases.add("dynamic_stitch", [Empty("INT32"), ints(1), Empty("DOUBLE"), part], [np.array([[0.0, 0, 0], [1, 2, 3]])],
          label="a pair without elements does not count", types=())
cases.add("dynamic_stitch", [ints(1), np.zeros((0, 2), I32), nothing, part, np.zeros((0, 2, 7)), np.zeros((0, 4))],
          [np.array([[0.0, 0, 0], [1, 2, 3]])], label="nor do its shapes")


# ---- boxes
def overlap(a, b):
    a, b = (np.array([[min(v[0], v[2]), min(v[1], v[3])], [max(v[0], v[2]), max(v[1], v[3])]]) for v in (a, b))
    areas = np.prod(a[1] - a[0]), np.prod(b[1] - b[0])
    if min(areas) <= 0:
        return 0.0
    common = np.prod(np.maximum(np.minimum(a[1], b[1]) - np.maximum(a[0], b[0]), 0))
    return common / (sum(areas) - common)


def suppress(similarity, scores, most, limit, lowest, inclusive):
    kept = []
    for c in sorted(range(len(scores)), key=lambda k: (-scores[k], k)):
        if len(kept) == most or not (scores[c] > lowest if inclusive else scores[c] >= lowest):
            continue
        if all(similarity[c][s] < limit if inclusive else similarity[c][s] <= limit for s in kept):
            kept.append(c)
    return np.array(kept, I32)


boxes = np.array([[0, 0, 1, 1], [0, 0.125, 1, 1.125], [0, -0.125, 1, 0.875], [0, 10, 1, 11], [1, 11.125, 0, 10.125],
                  [0, 100, 1, 101], [3, 3, 3, 9]])
scores = np.array([0.90625, 0.75, 0.625, 0.953125, 0.5, 0.3125, 0.3125])
similarity = np.array([[overlap(p, q) for q in boxes] for p in boxes])
for most in (0, 3, 30):
    for limit, lowest in ((0.5, None), (0.5, 0.5), (0.7734375, 0.625), (0.0, None)):
        t = (limit,) if lowest is None else (limit, lowest)
        threshold = -np.inf if lowest is None else lowest
        kept = suppress(similarity, scores, most, limit, threshold, False)
        bound = min(most, len(scores) if lowest is None else int((scores >= lowest).sum()))
        cases.add("non_max_suppression", [boxes, scores], [np.pad(kept, (0, bound - len(kept)))], t=t, i=(most,))
        kept = suppress(similarity, scores, most, limit, threshold, True)
        cases.add("non_max_suppression_v3", [boxes, scores], [kept], t=t, i=(most,))
        kept = suppress(coarse(similarity), scores, most, limit, threshold, True)
        cases.add("non_max_suppression_overlaps", [coarse(similarity), scores, np.array(most, I32)], [kept], t=t)
inputs = [boxes, scores, np.array(3, I32), np.array(0.5), np.array(0.5)]
kept = suppress(similarity, scores, 3, 0.5, 0.5, False)
cases.add("non_max_suppression", inputs, [np.pad(kept, (0, 3 - len(kept)))], t=(0.1, 0.9), i=(9,),
          label="inputs go before arguments")
cases.add("non_max_suppression_v3", inputs, [suppress(similarity, scores, 3, 0.5, 0.5, True)])
equal = np.ones(7)
cases.add("non_max_suppression_v3", [boxes, equal], [suppress(similarity, equal, 9, 0.5, 0.0, True)], t=(0.5,), i=(9,),
          label="equal scores")
cases.add("non_max_suppression_v3", [np.zeros((0, 4)), np.zeros(0)], [np.zeros(0, I32)], i=(3,), types=())

# ---- strings
texts = np.array([["a,b", ",", ""], ["abc", "x,,y,", "ä,ö,ü"]])
pieces = [[t.split(",") for t in row] for row in texts]
padded = np.array([[p + [""] * (4 - len(p)) for p in row] for row in pieces])
cases.add("split_string", [texts, np.array(",")], [padded])
cases.add("split_string", [np.array("a::b:::c"), np.array("::")], [np.array("a::b:::c".split("::"))])

# ---- counts
number = np.array([[3, 1, 0], [3, 3, 5]], I32)
weight = values(2, 3)
cases.add("bincount", [number], [np.bincount(number.ravel()).astype(I32)])
cases.add("bincount", [number], [np.bincount(number.ravel(), minlength=9).astype(I32)], i=(9,))
cases.add("bincount", [number], [np.bincount(number.ravel())[:2].astype(I32)], i=(0, 2))
cases.add("bincount", [number], [np.bincount(number.ravel())[:4].astype(I64)], i=(3, 4, 10), label="I2 is a type")
weighted = np.bincount(number.ravel(), weight.ravel())
cases.add("bincount", [number, weight], [weighted], tol={"HALF": 1e-2, "BFLOAT16": 8e-2})
cases.add("bincount", [number, np.array(1.5)], [1.5 * np.bincount(number.ravel())])
cases.add("bincount", [number, np.zeros(0)], [np.bincount(number.ravel()).astype(float)], types=())
cases.add("bincount", [number, np.array(8, I32), np.array(10, I32)], [np.bincount(number.ravel(), minlength=8).astype(I32)])
cases.add("bincount", [number, weight, np.array(0, I32), np.array(4, I32)], [weighted[:4]],
          tol={"HALF": 1e-2, "BFLOAT16": 8e-2})
cases.add("bincount", [np.zeros(0, I32)], [np.zeros(3, I32)], i=(3,))

x = values(40)
cases.add("histogram", [x], [np.histogram(x, 7)[0]], i=(7,), types=())
steps = np.array([0.0, 1, 2, 3, 4, 5, 6, 7, 8, 8])
cases.add("histogram", [steps], [np.array([2, 2, 2, 4])], i=(4,))
cases.add("histogram", [np.array([[0, 9], [3, 4]], I32)], [np.array([1, 2, 1])], i=(3,))
cases.add("histogram", [np.full(5, 2.5)], [np.array([5, 0, 0])], i=(3,), label="all equal")
cases.add("histogram", [np.array([0.0, np.nan, 1.0])], [np.array([1, 1])], i=(2,), label="NaN is not counted")
cases.add("histogram", [np.zeros(0)], [np.zeros(2, I64)], i=(2,), types=())
x = np.array([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0])
cases.add("histogram_fixed_width", [x, np.array([0.0, 5.0])], [np.array([2, 1, 1, 0, 2])], i=(5,))
cases.add("histogram_fixed_width", [x, np.array([0.0, 5.0]), np.array(5, I32)], [np.array([2, 1, 1, 0, 2])], i=(9,))
cases.add("histogram_fixed_width", [np.array([0, 1, 2, 9], I32), ints(0, 3)], [np.array([1, 1, 2])], i=(3,))
hundred = np.zeros(100, I64)
hundred[[0, 99, 50]] = 1, 2, 1
cases.add("histogram_fixed_width", [np.array([-np.inf, np.inf, 0.5, np.nan, 2]), np.array([0.0, 1.0])], [hundred])

label, guess = ints(1, 2, 4, 1), ints(2, 2, 4, 2)
expected = np.zeros((5, 5), I64)
np.add.at(expected, (label, guess), 1)
cases.add("confusion_matrix", [label, guess], [expected])
cases.add("confusion_matrix", [label[None], guess[None]], [expected], label="rows")
cases.add("confusion_matrix", [label[:, None], guess[:, None]], [expected], label="columns")
cases.add("confusion_matrix", [label.astype(np.float64), guess.astype(np.float64)], [expected])
cases.add("confusion_matrix", [label, guess], [np.pad(expected, (0, 1)).astype(np.float32)], i=(6,), d=("FLOAT32",))
expected = np.zeros((5, 5))
weight = np.array([100.0, 200, 300, 0.5])
np.add.at(expected, (label, guess), weight)
cases.add("confusion_matrix", [label, guess, weight], [expected], d=("DOUBLE",))
cases.add("zero_fraction", [np.array([[0.0, -0.0, 1], [np.nan, 0, 2]])], [np.array(0.5)], types=())
cases.add("zero_fraction", [np.array([0.0, 1, 0, 0], np.float32)], [np.array(0.75)], types=())
cases.add("zero_fraction", [ints(0, 5, 6)], [np.array(1 / 3)])
cases.add("zero_fraction", [np.zeros(0)], [np.array(np.nan)], types=())

# ---- bits
def hashcode(bits):
    while True:
        hashes = []
        for start in range(0, max(len(bits), 1), 32):
            r = 1
            for v in bits[start:start + 32]:
                r = (31 * r + int(v)) % 2**64
            hashes.append(r)
        if len(hashes) == 1:
            return np.array(hashes[0], np.uint64).astype(I64)
        bits = hashes


x = values(3, 5)
cases.add("hashcode", [x], [hashcode(x.view(I64).ravel())], types=())
cases.add("hashcode", [x.astype(np.float32)], [hashcode(x.astype(np.float32).view(I32).ravel())])
cases.add("hashcode", [np.array([-3, 7], np.int8)], [hashcode([-3, 7])])
cases.add("hashcode", [np.array([2**64 - 1, 5], np.uint64)], [hashcode([2**64 - 1, 5])])
cases.add("hashcode", [np.array([True, False, True])], [hashcode([1, 0, 1])])
for n in (32, 33, 64, 1500):
    cases.add("hashcode", [np.arange(n)], [hashcode(range(n))])
cases.add("hashcode", [np.zeros(0)], [np.array(1)], types=())
x = values(3, 2, 16)
cases.add("compare_and_bitpack", [x, np.array(0.5)], [np.packbits(x > 0.5, axis=-1)])
cases.add("compare_and_bitpack", [x > 0, np.array(False)], [np.packbits(x > 0, axis=-1)])
big = np.array([2**60, 2**60 + 1, 2**60 + 2, 0, -1, 1, 2**62, 2**60 + 3])
cases.add("compare_and_bitpack", [big, np.array(2**60 + 1)], [np.packbits(big > 2**60 + 1)])
cases.add("compare_and_bitpack", [np.zeros((0, 8)), np.array(0.0)], [np.zeros((0, 1), np.uint8)], types=())

# ---- codecs: encoders change their input, so CodecTests.cpp tests them instead of the checks of unchanged inputs
start = np.zeros((2, 5))
bits = np.array([0.25], np.float32).view(I32)[0]
cases.add("decode_threshold", [start, ints(3, 10, bits, 0, 1, -4, 10)],
          [np.array([[0.25, 0, 0, -0.25, 0], [0, 0, 0, 0, 0.25]])])
cases.add("decode_bitmap", [start, ints(10, 10, bits, 1, 1 | 1 << 3 | 1 << 19 | 1 << 20)],
          [np.array([[0.25, 0, 0, -0.25, -0.125], [0, 0, 0, 0, 0]])])

cases.save()
