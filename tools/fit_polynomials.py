#!/usr/bin/env python3
"""Prints the coefficients of include/simd/LaneElementary.h, highest power first, with the error of each fit.

    pip install mpmath && python3 tools/fit_polynomials.py
"""
from mpmath import atanh, chebyfit, cos, exp, mp, mpf, nstr, pi, sin, sqrt

mp.dps = 60
TINY = mpf("1e-12")  # below this, the first terms of the series are used


def of_exp(r):
    return (exp(r) - 1 - r) / r**2 if abs(r) > TINY else mpf(1) / 2 + r / 6


def of_log(z):
    return (2 * atanh(sqrt(z)) / sqrt(z) - 2) / z if z > TINY else mpf(2) / 3 + 2 * z / 5


def of_sin(z):
    return (sin(sqrt(z)) / sqrt(z) - 1) / z if z > TINY else -mpf(1) / 6 + z / 120


def of_cos(z):
    return (cos(sqrt(z)) - 1 + z / 2) / z**2 if z > TINY else mpf(1) / 24 - z / 720


LOG = ((sqrt(2) - 1) / (sqrt(2) + 1)) ** 2 * mpf("1.001")
ANGLE = (pi / 4) ** 2 * mpf("1.002")
# function, range, terms for float and for double
FITS = {
    "exp": (of_exp, [-mpf("0.3466"), mpf("0.3466")], (5, 10)),
    "log": (of_log, [0, LOG], (3, 7)),
    "sin": (of_sin, [0, ANGLE], (3, 6)),
    "cos": (of_cos, [0, ANGLE], (3, 6)),
}
for name, (function, interval, lengths) in FITS.items():
    for kind, terms in zip(("float", "double"), lengths):
        coefficients, error = chebyfit(function, interval, terms, error=True)
        print(name, kind, [nstr(c, 18) for c in coefficients], "error", nstr(error, 3))
