"""Expected values of the steps of t-SNE: the formulas on dense matrices, in NumPy."""
import numpy as np

from cases import Cases, coarse

rng = np.random.default_rng(37)
cases = Cases("tsne")


def some(*shape):
    return coarse(rng.normal(size=shape))


def graph(n, entries):
    """Rows, columns and values of a random graph without repeated entries, and its matrix."""
    matrix = np.zeros((n, n))
    for k in rng.choice(n * n, entries, replace=False):
        matrix[divmod(k, n)] = coarse(rng.uniform(0.25, 2))
    rows = np.concatenate([[0], np.cumsum((matrix != 0).sum(1))])
    return rows, np.nonzero(matrix)[1], matrix[matrix != 0], matrix


x, g, e = np.abs(some(4, 5)), some(4, 5), some(4, 5)
x[0, 0], g[0, 1], e[0, 2], g[0, 3], e[0, 3] = 0.0078125, 0, 0, 0, 0
z = np.maximum(0.01, np.where(np.sign(g) != np.sign(e), x + 0.2, 0.8 * x))
cases.add("barnes_gains", [x, g, e], [z])
n = np.array([5, 10, 0, 20], np.int32)
cases.add("barnes_gains", [n, np.array([1, -1, 0, 3], np.int32), np.array([1, 1, 0, 2], np.int32)],
          [np.array([4, 10, 0, 16], np.int32)], label="integers are computed in double and cut")
cases.add("barnes_gains", [np.zeros((0, 2))] * 3, [np.zeros((0, 2))])

for n, entries, d in ((4, 6, 2), (7, 20, 3), (5, 0, 2), (1, 1, 4)):
    rows, cols, vals, matrix = graph(n, entries)
    y = some(n, d)
    difference = y[:, None, :] - y[None, :, :]
    forces = (matrix / (1 + (difference ** 2).sum(-1)))[:, :, None] * difference
    z = forces.sum(1)
    for dtype in (np.int32, np.int64):
        cases.add("barnes_edge_forces", [rows.astype(dtype), cols.astype(dtype), vals, y], [z], i=(n,),
                  tol={"HALF": 1e-2, "BFLOAT16": 5e-2})
    if n > 4:
        part = np.where(np.arange(n)[:, None] < 3, z, 0)
        cases.add("barnes_edge_forces", [rows, cols, vals, y], [part], i=(3,), tol={"HALF": 1e-2, "BFLOAT16": 5e-2})


def symmetric(rows, cols, matrix):
    """The entries in row order."""
    n = len(rows) - 1
    lists = [[] for _ in range(n)]
    for r in range(n):
        for c in cols[rows[r]:rows[r + 1]]:
            if matrix[c, r] == 0 or r <= c:
                lists[r].append(c)
                if c != r:
                    lists[c].append(r)
    half = (matrix + matrix.T) / 2
    begins = np.concatenate([[0], np.cumsum([len(k) for k in lists])])
    flat = [c for k in lists for c in k]
    values = [half[r, c] for r in range(n) for c in lists[r]]
    assert len(values) == np.count_nonzero(half)
    return [begins[None].astype(np.int32), np.array([flat], np.int32), np.array([values])]


for n, entries in ((3, 4), (6, 15), (4, 16), (1, 1)):
    rows, cols, vals, matrix = graph(n, entries)
    expected = symmetric(rows, cols, matrix)
    for dtype in (np.int32, np.int64):
        cases.add("barnes_symmetrized", [rows.astype(dtype), cols.astype(dtype), vals], expected, i=(n,))

for corner, width, point, inside in (([1, 2], [0.5, 1], [1.5, 1], True), ([1, 2], [0.5, 1], [1.75, 1], False),
                                     ([1, 2], [0.5, 1], [1, 4], False), ([0, 0, 0], [1, 1, 1], [0, -1, 1], True)):
    args = [np.array(a, np.float64) for a in (corner, width, point)]
    cases.add("cell_contains", args, [np.array(inside)], i=(len(corner),))
cases.add("cell_contains", [np.array([0.0, 0]), np.array([1.0, 1]), np.array([0.5, 7])], [np.array(True)], i=(1,))
cases.add("cell_contains", [np.array([0, 5]), np.array([1, 1]), np.array([1, 6])], [np.array(True)], i=(2,))
cases.save()
