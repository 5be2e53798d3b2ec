"""Expected values of special functions and cross products: SciPy and NumPy in float64."""
import numpy as np
import scipy.special as special

from cases import Cases, coarse

rng = np.random.default_rng(13)
cases = Cases("special")
HALVES = {"HALF": 1e-2, "BFLOAT16": 5e-2}


def some(low, high, *shape):
    return coarse(rng.uniform(low, high, size=shape))


x = some(-0.9, 5, 3, 4)
cases.add("Log1p", [x], [np.log1p(x)])
tiny = np.array([1e-12, -1e-12, 3e-9])
cases.add("log1p", [tiny], [tiny - tiny ** 2 / 2], types=(), tol=1e-25, label="small x, by the series")
cases.add("log1p", [np.array([-1, -2, np.inf, np.nan])], [np.array([-np.inf, np.nan, np.inf, np.nan])])
for y in (some(0.01, 20, 4, 5), some(-4.9, -0.1, 3, 5), np.array([0.5, 1, 2, 10, 100, 1000.0]), np.array(2.5)):
    cases.add("lgamma", [y], [special.gammaln(y)], tol=HALVES)
    poles = (y <= 0) & (y == np.floor(y))
    cases.add("digamma", [y], [np.where(poles, np.inf, special.digamma(y))], tol={**HALVES, "FLOAT32": 1e-5})
cases.add("lgamma", [np.array([0.0, -1, -2, np.inf, np.nan])], [np.array([np.inf, np.inf, np.inf, np.inf, np.nan])])
cases.add("digamma", [np.array([0.0, -1, -2, np.inf, np.nan])], [np.array([np.inf, np.inf, np.inf, np.inf, np.nan])])

n, y = np.meshgrid(np.arange(7.0), np.array([0.25, 0.5, 1, 2.5, 10, 40]))
expected = special.polygamma(n.astype(int), y)
small = np.abs(expected) < 1e4
cases.add("polygamma", [n, y], [expected], types=("FLOAT32",))
cases.add("PolyGamma", [n[small], y[small]], [expected[small]], tol=HALVES)
cases.add("polyGamma", [np.array([0.5, np.nan, 1]), np.array([1.0, 1, np.inf])], [np.array([np.nan, np.nan, 0])])

s, q = np.meshgrid(np.array([1.0625, 1.5, 2, 3, 7, 30]), np.array([0.25, 0.5, 1, 2.5, 12, 100]))
expected = special.zeta(s, q)
cases.add("zeta", [s, q], [expected], types=("FLOAT32",))
cases.add("Zeta", [s[:, :4], q[:, :4]], [expected[:, :4]], tol=HALVES)

a, b, t = (g.ravel() for g in np.meshgrid([0.25, 1, 2, 7.5, 60], [0.5, 1, 3, 40], [0, 0.125, 0.5, 0.75, 1]))
cases.add("betainc", [a, b, t], [special.betainc(a, b, t)], tol={**HALVES, "FLOAT32": 1e-5})
cases.add("BetaInc", [np.array([[3.0, 50]]), np.array([[3.0, 50]]), np.array([[0.5, 0.5]])], [np.array([[0.5, 0.5]])])

for shape in ((3,), (2, 3), (2, 4, 3)):
    u, v = some(-2, 2, *shape), some(-2, 2, *shape)
    cases.add("cross", [u, v], [np.cross(u, v)], tol=HALVES)
for dtype in (np.int8, np.int32, np.int64):
    u, v = (rng.integers(-7, 8, size=(3, 3)).astype(dtype) for _ in range(2))
    cases.add("cross", [u, v], [np.cross(u, v)])
for dtype in (np.int16, np.int32, np.int64):
    ends = np.iinfo(dtype)
    u, v = np.array([[ends.min, ends.max, -1], [ends.max] * 3], dtype), np.array([[ends.min, -1, ends.max], [ends.min] * 3], dtype)
    # modulo 2^bits, as Python's integers are exact
    exact = np.cross(u.astype(object), v.astype(object)) & (2 ** ends.bits - 1)
    cases.add("cross", [u, v], [exact.astype(np.dtype(f"u{ends.bits // 8}")).view(dtype)], label="integers wrap")
tiny = np.array([-1e-20, 1e-20, -2.5, -1000.25, 1e15])
cases.add("digamma", [tiny], [special.digamma(tiny)], types=())
for op, count in (("Log1p", 1), ("lgamma", 1), ("digamma", 1), ("polygamma", 2), ("zeta", 2), ("betainc", 3), ("cross", 2)):
    cases.add(op, [np.zeros((0, 3))] * count, [np.zeros((0, 3))])
cases.save()
