"""Writes special_functions.inc: values of special functions at the edges of their ranges, by mpmath.

The definitions' sums and integrals are used, because mpmath's functions do not converge for the largest arguments.
"""
import pathlib

import mpmath as mp

mp.mp.dps = 60
rows = []


def add(function, arguments, value):
    numbers = ", ".join(repr(float(x)) for x in [*arguments, *[0] * (3 - len(arguments))])
    rows.append(f'{{"{function}", {{{numbers}}}, {mp.nstr(value, 18)}}},')


def integral(density, start, stop):
    """The integral of a density with mean 0 and standard deviation 1."""
    pieces = 2 * int(mp.ceil(stop - start)) + 2
    return mp.quad(density, mp.linspace(start, stop, pieces))


def gammas(a, t):
    """P and Q for a large a and t near a, from the density of (s - a) / sqrt(a), which is cut off below 1e-50."""
    a, t = mp.mpf(a), mp.mpf(t)
    deviation = mp.sqrt(a)
    front = (a - 1) * mp.log(a) - a - mp.loggamma(a) + mp.log(deviation)
    density = lambda y: mp.exp((a - 1) * mp.log1p(y / deviation) - y * deviation + front)
    z = (t - a) / deviation
    with mp.workdps(60 + int(2 * mp.log10(a))):
        return integral(density, mp.mpf(-16), z), integral(density, z, mp.mpf(16))


def beta(a, b, x):
    a, b, x = mp.mpf(a), mp.mpf(b), mp.mpf(x)
    mean, deviation = a / (a + b), mp.sqrt(a * b / (a + b)) / (a + b)
    front = mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b)
    density = lambda y: deviation * mp.exp(
        (a - 1) * mp.log(mean + y * deviation) + (b - 1) * mp.log1p(-mean - y * deviation) + front)
    with mp.workdps(60 + int(2 * mp.log10(a + b))):
        # At the lower end, rounding may make the argument of the logarithm negative.
        return mp.re(integral(density, max(mp.mpf(-16), -mean / deviation), (x - mean) / deviation))


# ---- incomplete gamma functions: small arguments, both sides of each change of method, large arguments
for a, t in [(2e-6, 1e-10), (2e-6, 0.5), (1e-3, 0.9), (0.03, 1.2), (0.5, 1e-3), (0.9, 1.05), (1, 1.1), (1.5, 700), (2, 1e-8),
             (5, 4.9), (11.9, 12), (11.9, 700), (12, 4.7), (12, 4.9), (12, 12), (12, 26.3), (12, 26.5), (15, 3), (100, 10),
             (100, 50), (100, 219), (100, 221), (100, 700), (1e3, 900), (1e3, 1e3), (1e3, 1500), (1e4, 9500), (1e4, 10100)]:
    add("lowerGamma", (a, t), mp.gammainc(a, 0, t, regularized=True))
    add("upperGamma", (a, t), mp.gammainc(a, t, mp.inf, regularized=True))
for a in (1e6, 1e9, 1e15):
    for k in (-5, -1, 0, 0.125, 3):
        t = a + round(k * a ** 0.5)
        p, q = gammas(a, t)
        add("lowerGamma", (a, t), p)
        add("upperGamma", (a, t), q)
for a, t, p in [(1e308, 1e308, 0.5), (9.3e18, 1e308, 1), (1e308, 9.3e18, 0), (1e300, 9.9e299, 0), (1e300, 1.01e300, 1),
                (11.9, 1e300, 1), (1.7e308, 1e-300, 0), (1e-5, 1e300, 1)]:
    add("lowerGamma", (a, t), mp.mpf(p))
    add("upperGamma", (a, t), 1 - mp.mpf(p))

# ---- incomplete beta function
for a, b, x in [(1e-5, 0.5, 1e-12), (1e-5, 2.5, 0.5), (0.5, 1e-5, 0.9), (0.5, 200, 1e-3), (3, 2.5, 0.5), (30, 0.5, 1 - 2.0 ** -30),
                (30, 0.5, 0.5), (11, 9, 0.3), (9, 11, 0.3), (200, 0.25, 0.9)]:
    add("incompleteBeta", (a, b, x), mp.betainc(a, b, 0, mp.mpf(x), regularized=True))
for a, b in ((5, 1e9), (1e5, 1e9), (1e7, 1e7), (2e8, 2e8), (2e8, 1e12), (1e15, 1e15)):
    for k in (-2, 0, 0.25, 1):
        x = a / (a + b) + k * (a * b / (a + b)) ** 0.5 / (a + b)
        add("incompleteBeta", (a, b, x), beta(a, b, x))
for a, b, x, value in [(1e308, 1e308, 0.25, 0), (1e308, 1e308, 0.75, 1), (1e-300, 2, 0.5, 1), (2, 1e308, 0.5, 1), (1e308, 2, 0.5, 0)]:
    add("incompleteBeta", (a, b, x), mp.mpf(value))

# ---- Hurwitz zeta, polygamma, digamma
for x, q in [(1.5, 1e10), (3, 1e-100), (50, 1.5), (1000, 1.01)]:
    add("hurwitzZeta", (x, q), mp.zeta(x, mp.mpf(q)))
for x, q in [(1.5, 1e300), (1.75, 1e308), (2, 1e150)]:  # q^(1 - x) / (x - 1), because q is so large
    add("hurwitzZeta", (x, q), mp.mpf(q) ** (1 - mp.mpf(x)) / (mp.mpf(x) - 1))
for n, x in [(1, 1e-100), (3, 2.5), (100, 7), (171, 20), (200, 10), (170, 1000)]:
    add("polygamma", (n, x), mp.polygamma(n, mp.mpf(x)))
add("polygamma", (1, 1e308), 1 / mp.mpf(1e308))
for x in (-1e-20, 1e-20, -2.5, -1000.25, 1e15, 1e300):
    add("digamma", (x,), mp.digamma(mp.mpf(x)))

pathlib.Path(__file__).with_suffix(".inc").write_text("\n".join(rows) + "\n")
