#!/usr/bin/env python3
"""Expected values of functions of complex numbers. Finite values: mpmath with 50 digits. Infinities, NaN, zeros of both
signs and the sides of branch cuts: NumPy, compared with Python's cmath where that has a value.

NAME;x and NAME;z are arguments and values of the numbered transform NAME, NAME;edge its values for the array `edge`;
Pow has a second argument, y. All arguments are numbers that COMPLEX64 holds."""
import cmath
import itertools
import os

import mpmath
import numpy as np

mpmath.mp.dps = 50
np.seterr(all="ignore")

# name: mpmath, NumPy, whether it has branch cuts, which lie on the axes
FUNCTIONS = {
    "Sqrt": (mpmath.sqrt, np.sqrt, True), "RSqrt": (lambda z: 1 / mpmath.sqrt(z), None, True),
    "Exp": (mpmath.exp, np.exp, False), "Expm1": (mpmath.expm1, np.expm1, False),
    "Log": (mpmath.log, np.log, True), "Log1p": (lambda z: mpmath.log(1 + z), np.log1p, True),
    "Sin": (mpmath.sin, np.sin, False), "Cosine": (mpmath.cos, np.cos, False), "Tan": (mpmath.tan, np.tan, False),
    "Sinh": (mpmath.sinh, np.sinh, False), "Cosh": (mpmath.cosh, np.cosh, False), "Tanh": (mpmath.tanh, np.tanh, False),
    "ASin": (mpmath.asin, np.arcsin, True), "ACos": (mpmath.acos, np.arccos, True), "ATan": (mpmath.atan, np.arctan, True),
    "ASinh": (mpmath.asinh, np.arcsinh, True), "ACosh": (mpmath.acosh, np.arccosh, True),
    "ATanh": (mpmath.atanh, np.arctanh, True),
    "Sign": (mpmath.sign, np.sign, False), "Abs": (abs, np.abs, False),
    "Square": (lambda z: z * z, None, False), "Reciprocal": (lambda z: 1 / z, None, False),
    "Cube": (lambda z: z * z * z, None, False), "OneMinus": (lambda z: 1 - z, None, False),
    "TimesOneMinus": (lambda z: z * (1 - z), None, False), "Neg": (lambda z: -z, np.negative, False),
    "Round": (lambda z: mpmath.mpc(*(mpmath.sign(p) * mpmath.floor(abs(p) + 0.5) for p in (z.real, z.imag))), None, False),
    "Rint": (lambda z: mpmath.mpc(mpmath.nint(z.real), mpmath.nint(z.imag)), np.rint, False),
    "IsNan": (None, np.isnan, False), "IsInf": (None, np.isinf, False), "IsFinite": (None, np.isfinite, False),
    "IsInfOrNan": (None, lambda z: ~np.isfinite(z), False),
}
OF_CMATH = {"Sqrt": cmath.sqrt, "Exp": cmath.exp, "Log": cmath.log, "Sin": cmath.sin, "Cosine": cmath.cos, "Tan": cmath.tan,
            "Sinh": cmath.sinh, "Cosh": cmath.cosh, "Tanh": cmath.tanh, "ASin": cmath.asin, "ACos": cmath.acos, "ATan": cmath.atan,
            "ASinh": cmath.asinh, "ACosh": cmath.acosh, "ATanh": cmath.atanh}
PARTS = [-30.5, -3.25, -1.0, -0.625, -2.0**-30, 0.0, 2.0**-9, 0.5, 1.0, 1.5, 12.75]
SPECIAL = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, np.inf, -np.inf, np.nan]

arrays = {"edge": np.array([complex(a, b) for a, b in itertools.product(SPECIAL, repeat=2)])}
# Near the circle on which 1 + z has length 1, and the curve on which exp(z) has real part 1.
CLOSE = [complex(-2.0**-21, 2.0**-10), complex(-2.0**-11, 2.0**-5), complex(-0.5, 0.8660254), complex(2.0**-21, 2.0**-10)]


def same(a, b):
    return all((np.isnan(p) and np.isnan(q)) or (p == q and np.signbit(p) == np.signbit(q)) or
               (np.isfinite(p) and np.isfinite(q) and p * q != 0 and abs(p - q) <= 1e-14 * abs(q))
               for p, q in ((a.real, b.real), (a.imag, b.imag)))


def areSignsKnown(x):
    """Whether the C standard says which infinity or zero a part of the result is, and never leaves a choice to NaN."""
    return not np.isnan(x) and not (np.isinf(x.real) and np.isinf(x.imag))


def edges(name, function):
    x = arrays["edge"]
    z = function(x)
    if name == "Log1p":  # NumPy has parts of other functions
        z = np.log(np.array([complex(1 + v.real, v.imag) for v in x]))
    if name == "Expm1":
        e = np.exp(x)
        z = np.array([w if np.isfinite(v) else complex(f.real - 1, f.imag) for v, w, f in zip(x, z, e)])
    for value, expected in zip(x, z):
        try:
            other = OF_CMATH[name](complex(value))
        except (KeyError, ValueError, OverflowError):
            continue
        assert same(expected, other) or not areSignsKnown(value), (name, value, expected, other)
    return z


for name, (precise, numpy_, cuts) in FUNCTIONS.items():
    if precise is not None:
        x, z = [], []
        for value in [complex(a, b) for a, b in itertools.product(PARTS, repeat=2)] + [complex(np.complex64(v)) for v in CLOSE]:
            if cuts and (value.real == 0 or value.imag == 0):
                continue
            try:
                result = precise(mpmath.mpc(value))
            except ZeroDivisionError:
                continue
            x.append(value)
            z.append(float(result) if name == "Abs" else complex(result))
        arrays[name + ";x"], arrays[name + ";z"] = np.array(x), np.array(z)
    if numpy_ is not None:
        arrays[name + ";edge"] = edges(name, numpy_)

# ---- powers
bases = [complex(a, b) for a, b in itertools.product([-3.25, -0.625, -2.0**-9, 0.5, 2.0], repeat=2)]
exponents = [complex(v) for v in (0, 1, 2, 3, 4, 7, -1, -2, -5, 60, 0.5, -0.5, 2.5, 1j, 0.25 - 2j, -1.5 + 0.75j, 101)]
x, y = (np.array(v) for v in zip(*itertools.product(bases, exponents)))
arrays["Pow;x"], arrays["Pow;y"] = x, y
arrays["Pow;z"] = np.array([complex(mpmath.power(mpmath.mpc(complex(a)), mpmath.mpc(complex(b)))) for a, b in zip(x, y)])
x, y = (np.array([complex(v) for v in values]) for values in zip(*itertools.product(
    [0, complex(-0.0, -0.0), 1, -1, complex(-4, 0.0), complex(-4, -0.0), complex(np.inf, 1), complex(np.nan, 1)],
    [0, 1, 2, 0.5, 1 + 1j, -1.5, -1 + 1j, 1j, complex(np.nan, 0)])))
arrays["Pow;edge x"], arrays["Pow;edge y"], arrays["Pow;edge"] = x, y, np.power(x, y)
np.savez_compressed(os.path.join(os.path.dirname(os.path.abspath(__file__)), "complex_functions.npz"), **arrays)
