"""Reductions, distances, index searches and statistics of one vector (or of a pair of vectors).

Each formula gets the elements of one reduced part. Float accumulation has an error bound (approx.Approx); integer
accumulation is exact, and modulo 2^bits where the result is stored.
"""
import numpy as np

import elementwise_floats as floats
import elementwise_ints as ints
from approx import Approx, where
from element import LD

E = LD("2.71828182845904523536028747135266250")


def skip_nan(best, x, worst):
    real = x[~np.isnan(x)]
    return best(real) if len(real) else worst


def absolute_extreme(pick, x, start):
    """NaN is skipped at every position, so the result does not depend on the order of elements; all NaN: `start`."""
    numbers = np.abs(x)[~np.isnan(x)]
    return pick(numbers) if len(numbers) else start


def product(fmt, x):
    v = np.multiply.reduce(x)
    return Approx(fmt, [v], [np.abs(v) * len(x) * fmt.unit * 2])


def benchmark(a):
    cube = a * a * a
    ratio = a.fn(np.log) * a.fn(np.sin) / (E * floats.PI * a).fn(np.tanh)
    return cube + ratio * (floats.PI / a).fn(np.sqrt) - (E / a).fn(np.arctan)


def power_norm(a, p):
    return (a.abs().power(p)).sum().power(LD(1) / p)


def entropy(a, log):
    """sum of x*log(x), where 0*log(0) is 0."""
    terms = a * a.fn(log)
    return where(a.v == 0, Approx(a.fmt, np.zeros_like(a.v)), terms).sum()


SAME_FLOAT = {
    "Sum": lambda f, x: Approx(f, x).sum(),
    "Max": lambda f, x: floats.Exact([skip_nan(np.max, x, -np.inf)]),
    "Min": lambda f, x: floats.Exact([skip_nan(np.min, x, np.inf)]),
    "Prod": lambda f, x: product(f, x),
    "ASum": lambda f, x: Approx(f, x).abs().sum(),
    "AMax": lambda f, x: floats.Exact([absolute_extreme(np.max, x, 0.0)]),
    "AMin": lambda f, x: floats.Exact([absolute_extreme(np.min, x, np.inf)]),
    "ReduceSameBenchmarkOp": lambda f, x: benchmark(Approx(f, x)).sum(),
}


def benchmark_ints(t, x):
    from approx import Format

    a = benchmark(Approx(Format(np.float32), np.array(x, dtype=LD)))
    values, bounds = ints.truncated(t, a)
    assert bounds is None, "benchmark inputs must stay clear of integers"
    return sum(values)


SAME_INT = {
    "Sum": lambda t, x: sum(x),
    "Max": lambda t, x: max(x),
    "Min": lambda t, x: min(x),
    "Prod": lambda t, x: int(np.prod(np.array(x, dtype=object))),
    "ASum": lambda t, x: sum(abs(v) for v in x),
    "AMax": lambda t, x: max(abs(v) for v in x),
    "AMin": lambda t, x: min(abs(v) for v in x),
    "ReduceSameBenchmarkOp": benchmark_ints,
}

FLOAT = {
    "Mean": lambda a, p: a.sum() / LD(len(a.v)),
    "AMean": lambda a, p: a.abs().sum() / LD(len(a.v)),
    "Norm1": lambda a, p: a.abs().sum(),
    "Norm2": lambda a, p: (a * a).sum().fn(np.sqrt, ulps=1),
    "NormMax": lambda a, p: Approx(a.fmt, [np.max(np.abs(a.v))], [np.max(a.e)]),
    "NormFrobenius": lambda a, p: (a * a).sum().fn(np.sqrt, ulps=1),
    "NormP": lambda a, p: power_norm(a, p[0]),
    "SquaredNorm": lambda a, p: (a * a).sum(),
    "Entropy": lambda a, p: -entropy(a, np.log),
    "LogEntropy": lambda a, p: (-entropy(a, np.log)).fn(np.log),
    "ShannonEntropy": lambda a, p: -entropy(a, np.log2),
    "ReduceFloatBenchmarkOp": lambda a, p: benchmark(a).sum() / LD(len(a.v)),
}

BOOLEAN = {
    "Any": lambda x: np.any(x != 0),
    "All": lambda x: np.all(x != 0),
    "IsFinite": lambda x: np.all(np.isfinite(x)),
    "IsInfOrNan": lambda x: np.any(~np.isfinite(x)),
    "IsNan": lambda x: np.any(np.isnan(x)),
    "IsInf": lambda x: np.any(np.isinf(x)),
    "IsPositive": lambda x: np.any(x > 0),
    "IsNegative": lambda x: np.any(x < 0),
}


def matches(t, x, p):
    if t.is_float:
        return floats.cond(int(p[2]), x, p[0], p[1])
    return np.array([ints.cond(t, p[2], v, p[0], p[1]) for v in x])


LONG = {
    "CountNonZero": lambda t, x, p: sum(v != 0 for v in x),
    "CountZero": lambda t, x, p: sum(v == 0 for v in x),
    "MatchCondition": lambda t, x, p: int(np.sum(matches(t, x, p))),
}


def first_best(x, better):
    """Lowest index of the best element. NaN is never the best; if there is no best element, the index is 0."""
    best, index = None, 0
    for i, v in enumerate(x):
        if v == v and (best is None or better(v, best)):
            best, index = v, i
    return index


def first_above(x, start):
    """As first_best, for values that must exceed a start value (-inf never does)."""
    best, index = start, 0
    for i, v in enumerate(x):
        if v > best:
            best, index = v, i
    return index


def position(mask, last):
    found = np.flatnonzero(mask)
    return -1 if len(found) == 0 else int(found[-1 if last else 0])


INDEX = {
    "IndexMax": lambda t, x, p: first_above(x, -np.inf) if t.is_float else first_best(x, lambda a, b: a > b),
    "IndexMin": lambda t, x, p: first_above([-v for v in x], -np.inf) if t.is_float else first_best(x, lambda a, b: a < b),
    "IndexAbsoluteMax": lambda t, x, p: first_above([abs(v) for v in x], 0),
    "IndexAbsoluteMin": lambda t, x, p: first_above([-abs(v) for v in x], -np.inf) if t.is_float else first_best(x, lambda a, b: abs(a) < abs(b)),
    "FirstIndex": lambda t, x, p: position(matches(t, x, p), False),
    "LastIndex": lambda t, x, p: position(matches(t, x, p), True),
}


def cosine(a, b):
    return (a * b).sum() / ((a * a).sum().fn(np.sqrt, ulps=1) * (b * b).sum().fn(np.sqrt, ulps=1))


def smaller(a, b, sign):
    pick = (a.v < b.v) if sign > 0 else (a.v > b.v)
    return where(pick, a, b)


def not_equal(x, y, eps):
    eps = abs(eps)
    d = np.abs(x - y)
    equal = np.where(np.isinf(x) & np.isinf(y), x == y, (d <= eps) | (d <= eps * np.fmax(np.abs(x), np.abs(y))))
    return int(np.sum(~(equal & ~np.isnan(x) & ~np.isnan(y))))


PAIRS = {
    "ManhattanDistance": lambda a, b, p: (a - b).abs().sum(),
    "EuclideanDistance": lambda a, b, p: ((a - b) * (a - b)).sum().fn(np.sqrt, ulps=1),
    "CosineSimilarity": lambda a, b, p: cosine(a, b),
    "Dot": lambda a, b, p: (a * b).sum(),
    "EqualsWithEps": lambda a, b, p: floats.Exact([not_equal(a.v, b.v, LD(p[0]) if p else LD(0))]),
    "CosineDistance": lambda a, b, p: 1 - cosine(a, b),
    "JaccardDistance": lambda a, b, p: 1 - smaller(a, b, 1).sum() / smaller(a, b, -1).sum(),
    "SimpleHammingDistance": lambda a, b, p: Approx(a.fmt, [LD(np.sum(a.v != b.v))]) / LD(len(a.v)),
}


def variance(x, biased, root):
    """Computed in extended precision; the bound is that of a one-pass or pairwise update in double."""
    n = len(x)
    if n <= 1:
        return floats.Exact([0.0])
    mean = x.sum() / n
    m2 = ((x - mean) ** 2).sum()
    v = m2 / (n if biased else n - 1)
    e = LD(2.0**-53) * (64 + 4 * np.log2(n)) * ((x * x).sum() / n + v)
    from approx import Format

    result = Approx(Format(np.float64), [v], [e])
    return result.fn(np.sqrt, ulps=1) if root else result
