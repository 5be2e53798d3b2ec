"""Input values, by element type. Unary vectors have 120 values; binary grids pair 20 values of x with 18 of y."""
import numpy as np

from element import LD, round_float

UNARY = 120
GRID_X, GRID_Y = 20, 18
REDUCED = (3, 4, 5)  # the shape that is reduced along every set of axes
LINE = 1000  # the vector that is reduced at every length of LENGTHS
LENGTHS = (1, 3, 15, 16, 17, 63, 64, 65, 1000)


def generator(t, what):
    seed = [ord(c) for c in t.name + "/" + what]
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))


def limits(t):
    """Largest finite, smallest normal, smallest denormal, machine epsilon."""
    p, e = t.precision, t.min_exponent
    top = {"float64": 1023, "float32": 127, "float16": 15, "bfloat16": 127}[t.name]
    one = LD(1)
    return (np.ldexp(2 * one - np.ldexp(one, 1 - p), top), np.ldexp(one, e), np.ldexp(one, e - p + 1), np.ldexp(one, 1 - p))


def floats(t, values):
    return round_float(t, np.array(values, dtype=LD))


def unary(t):
    rng = generator(t, "unary")
    if t.kind == "b":
        return [int(v) for v in rng.integers(0, 2, UNARY)]
    if not t.is_float:
        edges = [t.low, t.low + 1, t.high, t.high - 1, 0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 13, 100, t.high // 2, t.high // 3]
        if t.kind == "i":
            edges += [-v for v in (1, 2, 3, 4, 5, 7, 11, 100)] + [t.low // 2]
        small = [int(v) for v in rng.integers(max(t.low, -20), 20, 40)]
        wide = [int(v) for v in rng.integers(t.low, t.high, UNARY - 40 - len(edges), dtype=np.int64 if t.kind == "i" else np.uint64)]
        return edges + small + wide
    top, normal, denormal, eps = limits(t)
    positive = [
        0, denormal, 3 * denormal, normal / 2, normal, 2 * normal, eps / 2, eps, 1e-6, 1e-3, 0.1, 0.25, 0.3, 0.5,
        0.5 - eps / 4, 0.5 + eps / 2, 0.75, 0.999, 1 - eps / 2, 1, 1 + eps, 1.5, 2, 2.5, 3, 3.5, 4.5, 6, 7.25, 10, 12.5,
        20, 37, 50.5, 80, 100, 127, 500, 1000.5, 3e4, 2 / eps - 1, top / 3, top, np.inf,
    ]  # fmt: skip
    if t.bits >= 32 or t.name == "bfloat16":
        positive[-4:-4] = [2.5e9, 1e12]
    values = positive + [-v for v in positive] + [np.nan]
    return floats(t, values + list(rng.normal(0, 2, UNARY - len(values))))


def unary_nonzero(t):
    """For integer reciprocals, where 0 is an error."""
    return [v if v else 1 for v in unary(t)]


def grid(x, y):
    """Every x with every y: x changes slowest."""
    if isinstance(x, list):
        return [v for v in x for _ in y], list(y) * len(x)
    return np.repeat(x, len(y)), np.tile(y, len(x))


def binary_any(t):
    rng = generator(t, "any")
    if t.kind == "b":
        return [int(v) for v in rng.integers(0, 2, GRID_X)], [int(v) for v in rng.integers(0, 2, GRID_Y)]
    if not t.is_float:
        x = [t.low, t.low + 1, t.high, t.high - 1, 0, 1, 2, 3, 5, 8, 10, 100]
        y = [t.low, t.high, 0, 1, 2, 3, 4, 7, 10, 100]
        if t.kind == "i":
            x += [-1, -2, -3, -7, -100]
            y += [-1, -2, -3, -7]
        wide = np.int64 if t.kind == "i" else np.uint64
        x += [int(v) for v in rng.integers(t.low, t.high, GRID_X - len(x), dtype=wide)]
        y += [int(v) for v in rng.integers(max(t.low, -40), 40, GRID_Y - len(y))]
        return x, y
    top, normal, denormal, eps = limits(t)
    x = [0, -0.0, 1, -1, 0.5, -2.5, 3, -7, 10.25, 1e-3, 100, -123.5, np.inf, -np.inf, np.nan, denormal, top, -normal, 7.5, -0.7]
    y = [1, -1, 2, -2, 0.5, 3, -3.5, 0, -0.0, 7, np.inf, -np.inf, np.nan, 0.1, 1e4, -1e-3, 2.6, 3 * denormal]
    return floats(t, x), floats(t, y)


def binary_nonzero(t):
    """Integer division and remainder, where 0 is an error in the divisor (either side, for the reverse forms)."""
    x, y = binary_any(t)
    return [v if v else 1 for v in x], [v if v else 1 for v in y]


def binary_integral(t):
    """Operands of operations that first truncate to integers; |y| and |x| are at least 1, so no divisor becomes 0."""
    x = [1, -1, 1.5, -1.25, 2, 3.75, -3, 4, -5.5, 6, 7, -8, 9.5, 10, 17, -31.5, 64, 100.5, -127, 255]
    y = [1, -1, 2, -2, 1.75, 3, -3.5, 4, 5, -6, 7.5, 8, -9, 12, 15, 33, -64, 127.5]
    return floats(t, x), floats(t, y)


def binary_gamma(t):
    """a = x and t = y of the incomplete gamma function: not negative."""
    if t.is_float:
        x = [0, 1e-7, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 7.5, 10, 20, 30, 50, 100]
        y = [0, 0.01, 0.1, 0.25, 0.5, 1, 1.5, 2, 3, 4, 5, 7.5, 10, 15, 25, 40, 60, 100]
        return floats(t, x), floats(t, y)
    if t.kind == "b":
        return binary_any(t)
    return [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 60, 80, 100], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 50, 70, 100]


def binary_true(t):
    """BOOL operands where the divisor is true."""
    assert t.kind == "b"
    return binary_any(t)[0], [1] * GRID_Y


def reduced(t, what):
    """The 60 values of the [3, 4, 5] array, then the 1000 values of the vector."""
    n = int(np.prod(REDUCED)) + LINE
    rng = generator(t, what)
    if t.kind == "b":
        if what == "ones":
            return [1] * n
        probability = {"mostly": 0.97, "rarely": 0.03}.get(what, 0.5)
        return [int(v) for v in rng.random(n) < probability]
    if not t.is_float:
        return reduced_ints(t, what, rng, n)
    values = {
        "general": lambda: rng.normal(0, 4, n),
        "other": lambda: rng.normal(1, 4, n),
        "close": lambda: np.round(rng.normal(0, 4, n) * 2) / 2,
        "close2": lambda: np.round(rng.normal(0, 4, n) * 2) / 2,
        "positive": lambda: np.where(rng.random(n) < 0.1, 0, rng.uniform(0.05, 3, n)),
        "unit": lambda: np.where(rng.random(n) < 0.1, 0, rng.uniform(0.05, 0.95, n)),
        "near1": lambda: rng.uniform(0.9, 1.1, n) * np.where(rng.random(n) < 0.3, -1, 1),
        "bench": lambda: rng.uniform(0.5, 3, n),
        "zeros": lambda: np.where(rng.random(n) < 0.5, 0, rng.normal(0, 4, n)),
        "special": lambda: special_floats(rng, n),
        "infinite": lambda: np.where(rng.random(n) < 0.02, np.inf, np.where(rng.random(n) < 0.02, -np.inf, rng.normal(0, 4, n))),
        "nan": lambda: np.where(rng.random(n) < 0.02, np.nan, rng.normal(0, 4, n)),
    }[what]()
    return floats(t, values)


def special_floats(rng, n):
    """NaN in some places, infinities, signed zeros, ties; one row of NaN and one of -inf."""
    values = rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 7.0, -7.0], n,
                        p=[0.15, 0.03, 0.03, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.09])  # fmt: skip
    values[0] = 1.0
    values[5:10] = np.nan
    values[25:30] = -np.inf
    return values


def reduced_ints(t, what, rng, n):
    wide = np.int64 if t.kind == "i" else np.uint64
    if what in ("general", "other", "zeros"):
        values = rng.integers(t.low + 1, t.high, n, dtype=wide, endpoint=True)
        if what == "zeros":
            values = np.where(rng.random(n) < 0.5, 0, values)
    elif what == "extremes":
        values = rng.choice(np.array([t.low, t.low + 1, t.high, t.high - 1, 0, 3], dtype=wide), n)
    elif what in ("close", "close2"):  # products of two of them fit the type
        bound = {8: 11, 16: 180}.get(t.bits, 10000)
        values = rng.integers(-bound if t.kind == "i" else 0, bound, n, dtype=np.int64)
    elif what == "sparse":  # the sum of the absolute values fits the type
        values = np.where(rng.random(n) < 0.06, rng.integers(-1 if t.kind == "i" else 0, 1, n, endpoint=True), 0)
    elif what == "bench":
        values = rng.integers(1, 5, n, endpoint=True)
    elif what in ("positive", "unit"):
        values = rng.integers(0, 5, n, endpoint=True)
    elif what == "near1":
        values = rng.choice([1, -1, 2, 3] if t.kind == "i" else [1, 2, 3], n)
    elif what == "special":  # the largest and the smallest value occur several times
        values = rng.integers(-3 if t.kind == "i" else 0, 3, n, endpoint=True)
    else:
        raise KeyError(what)
    return [int(v) for v in values]
