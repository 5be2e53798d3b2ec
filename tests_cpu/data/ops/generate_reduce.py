"""Expected values of the reductions along dimensions, from NumPy and SciPy."""
import numpy as np
from scipy import special

from cases import Cases, coarse

cases = Cases("reduce")
rng = np.random.default_rng(11)
x = coarse(rng.uniform(0.4, 2, (2, 3, 4)) * rng.choice([-1, 1], (2, 3, 4)))
AXES = [(), (0,), (1,), (-1,), (0, 2), (2, 1), (0, 1, 2)]


def every(name, function, bias=False, values=x, tol=None):
    for axes in AXES:
        numpy_axes = axes or None
        flags = ((False,), (True,)) if not bias else ((False, False), (True, True), (False, True))
        for flag in flags:
            expected = function(values, numpy_axes, keepdims=flag[0], **({"ddof": int(flag[1])} if bias else {}))
            cases.add(name, [values], [np.asarray(expected)], i=axes, b=flag, tol=tol)
    # axes from the array take precedence over the integers; floating arguments are flags if there are no booleans
    extra = {"ddof": 0} if bias else {}
    cases.add(name, [values, np.array([1, -1], np.int32)], [function(values, (1, 2), keepdims=False, **extra)], i=(0,), tol=tol)
    cases.add(name, [values], [function(values, (1,), keepdims=True, **extra)], i=(1, 1), t=(1.0,), tol=tol)
    scalar = np.array(1.25)
    cases.add(name, [scalar], [np.asarray(function(scalar, None, keepdims=False, **extra))])


every("reduce_sum", np.sum)
every("reduce_mean", np.mean)
every("reduce_prod", np.prod)
every("reduce_max", np.max)
every("reduce_min", np.min)
every("reduce_norm1", lambda v, a, keepdims: np.sum(np.abs(v), a, keepdims=keepdims))
every("reduce_norm2", lambda v, a, keepdims: np.sqrt(np.sum(v * v, a, keepdims=keepdims)))
every("reduce_sqnorm", lambda v, a, keepdims: np.sum(v * v, a, keepdims=keepdims))
every("reduce_norm_max", lambda v, a, keepdims: np.max(np.abs(v), a, keepdims=keepdims))
every("reduce_variance", np.var, bias=True)
every("reduce_stdev", np.std, bias=True)
for axes in AXES:
    cases.add("reduce_logsumexp", [x], [special.logsumexp(x, axes or None)], i=axes)
    cases.add("reduce_logsumexp", [x], [special.logsumexp(x, axes or None, keepdims=True)], i=axes, t=(1.0,))
cases.add("reduce_logsumexp", [np.array([[1000.0, 1000], [-1000, -1001], [-np.inf, -np.inf], [np.inf, 0]])],
          [np.array([1000 + np.log(2), -1000 + np.log1p(np.exp(-1)), -np.inf, np.inf])], i=(1,), types=())

# integers: sums and extremes keep the type; means and norms are FLOAT32
n = rng.integers(-9, 9, (3, 5)).astype(np.int32)
for name, function in (("sum", np.sum), ("prod", np.prod), ("max", np.max), ("min", np.min)):
    cases.add("reduce_" + name, [n], [function(n, 1).astype(np.int32)], i=(1,))
    cases.add("reduce_" + name, [n.astype(np.int64)], [function(n.astype(np.int64), 0)], i=(0,))
cases.add("reduce_mean", [n], [np.mean(n, 0).astype(np.float32)], i=(0,), types=())
cases.add("reduce_norm2", [n], [np.sqrt(np.sum(n.astype(np.float64) ** 2)).astype(np.float32)], types=())
cases.add("reduce_variance", [n], [np.var(n, 1).astype(np.float32)], i=(1,), types=())

# empty arrays: the neutral value where the result is not empty; without axes the shape is kept
empty = np.zeros((2, 0, 3))
for name, neutral in (("sum", 0), ("prod", 1), ("max", -np.inf), ("min", np.inf), ("norm1", 0), ("norm2", 0), ("sqnorm", 0),
                      ("mean", np.nan)):
    cases.add("reduce_" + name, [empty], [np.full((2, 3), float(neutral))], i=(1,))
    cases.add("reduce_" + name, [empty], [np.zeros((0, 3))], i=(0,))
    cases.add("reduce_" + name, [empty], [empty])

# a single element has no variance
cases.add("reduce_variance", [np.ones((3, 1))], [np.zeros(3)], i=(1,), b=(False, True))
cases.add("reduce_stdev", [np.ones((3, 1))], [np.zeros(3)], i=(1,), b=(False, True))

# numerical gradients, which check the gradient operations for every choice of axes
for name in ("sum", "mean", "prod", "max", "min", "norm1", "norm2", "sqnorm", "norm_max", "variance", "stdev"):
    for axes in AXES:
        for keep in (False, True):
            flags = (keep, True) if name in ("variance", "stdev") else (keep,)
            y = rng.permutation(np.linspace(0.5, 2, 24)).reshape(2, 3, 4) * np.where(np.arange(24).reshape(2, 3, 4) % 3 == 0, -1, 1)
            cases.add("reduce_" + name, [y], [None], i=axes, b=flags, grad=(0,), types=())

# gradients at points without a numerical one
g = np.array([1.0, 2.0])
cases.add("reduce_max_bp", [np.array([[3.0, 5, 5], [1, 1, 1]]), g], [np.array([[0, 1.0, 0], [2, 0, 0]])], i=(1,))
cases.add("reduce_min_bp", [np.array([[3.0, 1, 1], [1, 1, 1]]), g], [np.array([[0, 1.0, 0], [2, 0, 0]])], i=(1,))
cases.add("reduce_norm_max_bp", [np.array([[3.0, -5, 5], [-1, 1, 1]]), g], [np.array([[0, -1.0, 0], [-2, 0, 0]])], i=(1,))
cases.add("reduce_prod_bp", [np.array([[2.0, 3, 4], [0, 3, 4], [0, 0, 4]]), np.ones(3)],
          [np.array([[12.0, 8, 6], [12, 0, 0], [0, 0, 0]])], i=(1,))
cases.add("reduce_norm2_bp", [np.zeros((2, 3)), g], [np.zeros((2, 3))], i=(1,))
cases.add("reduce_stdev_bp", [np.ones((2, 3)), g], [np.zeros((2, 3))], i=(1,))
cases.add("reduce_sum_bp", [x, np.array(2.0)], [np.full_like(x, 2.0)], i=(1,))
cases.add("reduce_mean_bp", [x, np.array([3.0, 6.0]), np.array([1, 2], np.int32)],
          [np.broadcast_to(np.array([0.25, 0.5]).reshape(2, 1, 1), x.shape)])
y = coarse(rng.uniform(-1, 1, x.shape))
g = coarse(rng.uniform(-1, 1, (2, 4)))
cases.add("reduce_dot_bp", [x, y, g], [y * g[:, None], x * g[:, None]], i=(1,))
cases.add("reduce_dot_bp", [x, y, g[:, None], np.array([1])], [y * g[:, None], x * g[:, None]], b=(True,))

# norm
for mode, function in ((0, lambda v, a: np.sqrt((v * v).sum(a))), (1, lambda v, a: np.sqrt((v * v).sum(a))),
                       (2, lambda v, a: np.abs(v).sum(a)), (3, lambda v, a: np.sqrt((v * v).sum(a))),
                       (4, lambda v, a: np.abs(v).max(a))):
    for axes in ((0, 1), (1, 2)) if mode == 0 else AXES:
        cases.add("norm", [x], [np.asarray(function(x, axes or None))], t=(mode,), i=axes)
cases.add("norm", [x], [(np.abs(x) ** 3).sum(1) ** (1 / 3)], t=(5, 3), i=(1,))

cases.save()
