#!/usr/bin/env python3
"""Prints the coefficients of include/simd/LaneElementary.h and of src/simd/*.h, highest power first, with the error of
each fit.

    pip install mpmath && python3 tools/fit_polynomials.py
    python3 tools/fit_polynomials.py --rows 'angles|erf.* double'     only the fits whose header, name and type match
"""
import argparse
import re
import struct
from typing import NamedTuple

import mpmath
from mpmath import chebyfit, cos, log, lu_solve, matrix, mp, mpf, nstr, pi, polyval

mp.dps = 60
# The names that the expressions of the tables use, besides one variable and the value f of the function.
NAMES = {**vars(mpmath), "abs": abs,
         "SCALE": -2 / log(2),
         "ROOT": ((mpmath.sqrt(2) - 1) / (mpmath.sqrt(2) + 1)) ** 2,  # of (m - 1) / (m + 1) for m = sqrt(2), squared
         "erfcx": lambda t: mpmath.exp(t * t) * mpmath.erfc(t)}


class Fit(NamedTuple):
    """A polynomial p near a function f: the largest |weight * (p - f)| is as small as possible.

    Most weights make this the relative error of the result that p is a part of. They may use f, the value of the
    function. z is the square of the argument of the header's function.
    """
    header: str
    what: str
    kind: str
    function: str
    interval: tuple
    weight: str  # empty for the interpolation at Chebyshev's points
    terms: int
    first: tuple = ()  # the lowest coefficients, where they are held fixed
    in_turn: int = 0  # so many of the lowest coefficients are rounded one by one, and those above make up for it


SPAN = ("-1.0005 * ln2 / 2", "1.0005 * ln2 / 2")
ROOTS = (0, "1.0001 * ROOT")
EXP, EXP_MINUS = "(exp(r) - 1 - r) / r**2", "(exp(-r) - 1 + r) / r**2"
LOG = "(2 * atanh(sqrt(z)) / sqrt(z) - 2) / z"
SINH, COSH = "2 * (sinh(sqrt(z)) / sqrt(z) - 1) / z", "2 * (cosh(sqrt(z)) - 1) / z"
ATANH = "(2 * atanh(sqrt(z) / 2) / sqrt(z) - 1) / z"
SIN, TAN = "(sin(sqrt(z)) / sqrt(z) - 1) / z", "(tan(sqrt(z)) / sqrt(z) - 1) / z"
ATAN, ASIN = "(atan(sqrt(z)) / sqrt(z) - 1) / z", "(asin(sqrt(z)) / sqrt(z) - 1) / z"
ERF, LOG_ERFC = "erf(sqrt(z)) / sqrt(z) - 1", "log(erfc(t), 2)"
ERFC_FACTOR = "2**-64 * erfcx({a} * (1 + u) / (1 - u)) / (1 - u)"
ERFC_SLOPE = "(2 / (sqrt(pi) * erfcx({a} * (2 - w) / w)) - 2 * {a} * (2 - w) / w) / w"

FITS = (
    Fit("exponentials.h", "exp", "float", EXP, SPAN, "r**2 * exp(-r)", 5),
    Fit("exponentials.h", "exp", "double", EXP, SPAN, "", 10),
    Fit("exponentials.h", "exp with powers", "double", EXP, ("-1.0005 * ln2 / 32", "1.0005 * ln2 / 32"),
        "r**2 * exp(-r)", 5, in_turn=2),
    Fit("logarithms.h", "log", "float", LOG, ROOTS, "z / 2", 3),
    Fit("logarithms.h", "log", "double", LOG, ROOTS, "z / 2", 7),
    Fit("logarithms.h", "log2 of pow", "float", "SCALE * (atanh(sqrt(z)) / sqrt(z) - 1) / z", ROOTS, "1", 4),
    # the lowest coefficient is SCALE / 3
    Fit("logarithms.h", "log2 of pow", "double", "SCALE * (atanh(sqrt(z)) / sqrt(z) - 1) / z", ROOTS, "z / SCALE", 8,
        first=(-0.9617966939259756,)),
    Fit("logarithms.h", "exp2 of pow", "float", "2**r", ("-0.5", "0.5"), "1", 7),
    Fit("logarithms.h", "exp2 of pow", "double", "2**r", ("-0.5", "0.5"), "1", 12, first=(1,)),
    Fit("hyperbolic.h", "tanh", "float", "(exp(2 * r) - 1 - 2 * r) / r**2", ("-1.0005 * ln2 / 4", "1.0005 * ln2 / 4"),
        "r**2 / abs(expm1(2 * r))", 5),
    Fit("hyperbolic.h", "sinh", "float", SINH, (0, "(1.001 * ln2 / 2)**2"), "z / 2", 2),
    Fit("hyperbolic.h", "sinh", "double", SINH, (0, "(1.001 * ln2 / 2)**2"), "z / 2", 5),
    Fit("hyperbolic.h", "cosh", "float", COSH, (0, "(1.001 * ln2 / 2)**2"), "z / 2", 3),
    Fit("hyperbolic.h", "cosh", "double", COSH, (0, "(1.001 * ln2 / 2)**2"), "z / 2", 5),
    Fit("hyperbolic.h", "atanh", "float", ATANH, (0, "0.491**2"), "z", 3),
    Fit("hyperbolic.h", "atanh", "double", ATANH, (0, "0.491**2"), "z", 9),
    Fit("circular.h", "sin", "float", SIN, (0, "(1.003 * pi / 2)**2"), "z / (1 + z * f)", 4, in_turn=2),
    Fit("circular.h", "sin", "double", SIN, (0, "(1.0001 * pi / 2)**2"), "z / (1 + z * f)", 8, in_turn=2),
    Fit("angles.h", "asin in acos", "float", ASIN, (0, "0.25"), "z / (1 + z * f)", 5, in_turn=2),
    Fit("angles.h", "atan2", "float", ATAN, (0, 1), "z / (1 + z * f)", 8, in_turn=2),
    Fit("angles.h", "atan2", "double", ATAN, (0, 1), "z / (1 + z * f)", 20, in_turn=2),
    Fit("angles.h", "atan", "double", ATAN, (0, "0.17158"), "z / (1 + z * f)", 11, in_turn=2),
    Fit("angles.h", "asin", "double", ASIN, (0, "0.25"), "z / (1 + z * f)", 12, in_turn=2),
    Fit("error_functions.h", "log2 of erfc in erf", "float", LOG_ERFC, ("0.7", "3.93"), "ln2 * erfc(t)", 7,
        in_turn=2),
    Fit("error_functions.h", "log2 of erfc in erf", "double", LOG_ERFC, ("0.85", "5.95"), "ln2 * erfc(t) / erf(t)", 18),
    Fit("error_functions.h", "exp2 in erf", "float", "2**r", ("-0.5", "0.5"), "1 / f", 6),
    Fit("error_functions.h", "exp2 in erf", "double", "2**r", ("-0.5", "0.5"), "1 / f", 11),
    Fit("error_functions.h", "erf near 0", "float", ERF, (0, "0.7**2"), "1 / (1 + f)", 5),
    Fit("error_functions.h", "erf near 0", "double", ERF, (0, "0.85**2"), "1 / (1 + f)", 11),
    Fit("error_functions.h", "exp in erfc", "float", EXP_MINUS, SPAN, "r**2 * exp(r)", 5),
    Fit("error_functions.h", "exp in erfc", "double", EXP_MINUS, SPAN, "r**2 * exp(r)", 10),
    Fit("error_functions.h", "factor of erfc", "float", ERFC_FACTOR.format(a="3"), (-1, "1 - 6 / 13.06"), "1 / f", 10,
        in_turn=9),
    Fit("error_functions.h", "factor of erfc", "double", ERFC_FACTOR.format(a="3.5"), (-1, "1 - 7 / 30.74"), "1 / f",
        22, in_turn=15),
    # These multiply a rounding error: the header's lines, of four digits and within 0.04, do as well.
    Fit("error_functions.h", "slope of erfc", "float", ERFC_SLOPE.format(a="3"), ("6 / 13.06", 2), "1", 2),
    Fit("error_functions.h", "slope of erfc", "double", ERFC_SLOPE.format(a="3.5"), ("7 / 30.74", 2), "1", 2),
)

# Quotients p / q of circular.h that meet TAN at Chebyshev's points: type, end of the interval of z, terms of p and of q
QUOTIENTS = (("float", "(1.003 * pi / 4)**2", 2, 3), ("double", "(1.0001 * pi / 4)**2", 3, 5))

# Chebyshev interpolations of LaneElementary.h: function, interval, terms for float and for double
LANES = {
    "exp": (EXP, ("-0.3466", "0.3466"), (5, 10)),
    "log": (LOG, (0, "1.001 * ROOT"), (3, 7)),
    "sin": ("(sin(sqrt(z)) / sqrt(z) - 1) / z", (0, "1.002 * (pi / 4)**2"), (3, 6)),
    "cos": ("(cos(sqrt(z)) - 1 + z / 2) / z**2", (0, "1.002 * (pi / 4)**2"), (3, 6)),
}


def ends(interval):
    """The two numbers, of which "0.3466" is that decimal fraction rather than the double near it."""
    return [mpf(eval(re.sub(r"\d+\.\d+", r"mpf('\g<0>')", str(end)), NAMES)) for end in interval]


def function_of(expression):
    """The function of x and f that an expression of one variable, and of f, is. 0 / 0 at x = 0 is the limit there."""
    code = compile(expression, expression, "eval")
    variables = [name for name in code.co_names if name not in NAMES]

    def function(x, f=None):
        near = abs(x) < mpf("1e-12")
        with mp.workdps(150 if near else mp.dps):  # the differences lose digits
            at = mpf("1e-30") if abs(x) < mpf("1e-30") else x
            return mpf(eval(code, {**NAMES, **dict.fromkeys(variables, at), "f": f}))

    return function


def rounded(x, kind):
    return mpf(struct.unpack("f", struct.pack("f", x))[0] if kind == "float" else float(x))


def literal(x, kind):
    """The shortest C++ literal of a number of that type."""
    if kind == "double":
        return repr(float(x))
    text = next(text for text in (f"{float(x):.{digits}g}" for digits in range(1, 10)) if rounded(mpf(text), kind) == x)
    return f"{text}f" if re.search("[.e]", text) else f"{text}.0f"


def largest_error(coefficients, points, values, weights):
    return max(abs(w * (polyval(coefficients[::-1], x) - f)) for x, f, w in zip(points, values, weights))


def remez(points, values, weights, terms):
    """The coefficients, lowest first, for which the largest error at the points is smallest: Remez exchange."""
    extremes = [(2 * i + 1) * len(points) // (2 * terms + 2) for i in range(terms + 1)]
    best = None
    for _ in range(30):
        # errors of the same size and alternating signs at terms + 1 points
        rows = [[points[at]**k for k in range(terms)] + [(-1)**i / weights[at]] for i, at in enumerate(extremes)]
        *coefficients, level = lu_solve(matrix(rows), matrix([values[at] for at in extremes]))
        errors = [w * (polyval(coefficients[::-1], x) - f) for x, f, w in zip(points, values, weights)]
        largest = max(map(abs, errors))
        if best is None or largest < best[0]:
            best = largest, coefficients
        # the largest errors between two changes of sign take their place
        found = [0]
        for i, error in enumerate(errors):
            if (error > 0) != (errors[found[-1]] > 0):
                found.append(i)
            elif abs(error) > abs(errors[found[-1]]):
                found[-1] = i
        while len(found) > terms + 1:
            found.pop(0 if abs(errors[found[0]]) < abs(errors[found[-1]]) else -1)
        if found == extremes or len(found) < terms + 1 or largest < 1.00001 * abs(level):
            break
        extremes = found
    return best[1]


def round_in_turn(coefficients, count, kind, points, weights):
    """Rounds the lowest coefficients one by one. Those above make up for each, by weighted least squares."""
    terms = len(coefficients)
    moments = [mpmath.fdot((w * w, x**k) for x, w in zip(points, weights)) for k in range(2 * terms - 1)]
    result = list(coefficients)
    for k in range(min(count, terms - 1)):
        lost, result[k] = result[k] - rounded(result[k], kind), rounded(result[k], kind)
        above = range(k + 1, terms)
        gains = lu_solve(matrix([[moments[i + j] for j in above] for i in above]),
                         matrix([lost * moments[i + k] for i in above]))
        for i, gain in zip(above, gains):
            result[i] += gain
    return result


def fit(row):
    """The rounded coefficients, lowest first, and the largest error at the points before and after rounding."""
    start, end = ends(row.interval)
    count = 40 * row.terms
    # Even in number and without the ends, they avoid 0.
    points = [(start + end) / 2 - (end - start) / 2 * cos(pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    function, weight = function_of(row.function), function_of(row.weight or "1")
    values = [function(x) for x in points]
    weights = [weight(x, f) for x, f in zip(points, values)]
    if row.weight:
        first = [mpf(c) for c in row.first]
        power = len(first)
        rest = [(f - polyval(first[::-1], x)) / x**power if first else f for x, f in zip(points, values)]
        exact = first + remez(points, rest, [w * abs(x)**power for x, w in zip(points, weights)], row.terms - power)
    else:
        exact = chebyfit(function, [start, end], row.terms)[::-1]
    result = [rounded(c, row.kind) for c in round_in_turn(exact, row.in_turn, row.kind, points, weights)]
    return result, largest_error(exact, points, values, weights), largest_error(result, points, values, weights)


def fit_quotient(kind, end, above, below):
    """The rounded coefficients of p and of q, lowest first and that of q being 1, and the error of z * p / q in tan."""
    (_, end), tan_rest, unknown = ends((0, end)), function_of(TAN), above + below - 1
    points = [end / 2 * (1 - cos(pi * (2 * i + 1) / (2 * unknown))) for i in range(unknown)]
    rows = [[z**k for k in range(above)] + [-tan_rest(z) * z**k for k in range(1, below)] for z in points]
    found = [rounded(c, kind) for c in lu_solve(matrix(rows), matrix([tan_rest(z) for z in points]))]
    p, q = found[:above], [mpf(1), *found[above:]]
    return p, q, max(abs(z * (polyval(p[::-1], z) / polyval(q[::-1], z) - tan_rest(z)) / (1 + z * tan_rest(z)))
                     for z in (end * i / 1000 for i in range(1, 1000)))


def as_power(error):
    return f"{nstr(error, 3)} = 2^{nstr(log(error, 2), 4)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default="", metavar="REGEX", help="what to fit, of 'header name type'")
    chosen = re.compile(parser.parse_args().rows)
    for name, (function, interval, lengths) in LANES.items():
        for kind, terms in zip(("float", "double"), lengths):
            if chosen.search(f"LaneElementary.h {name} {kind}"):
                coefficients, error = chebyfit(function_of(function), ends(interval), terms, error=True)
                print(name, kind, [nstr(c, 18) for c in coefficients], "error", nstr(error, 3), flush=True)
    for kind, end, above, below in QUOTIENTS:
        if chosen.search(f"circular.h tan {kind}"):
            *parts, error = fit_quotient(kind, end, above, below)
            print(f"\ncircular.h tan {kind}: {TAN} from 0 to {end}")
            for part in parts:
                print("   ", ", ".join(literal(c, kind) for c in part[::-1]))
            print("    error", as_power(error), flush=True)
    for row in FITS:
        title = f"{row.header} {row.what} {row.kind}"
        if chosen.search(title):
            coefficients, exact, error = fit(row)
            print(f"\n{title}: {row.function} from {row.interval[0]} to {row.interval[1]},",
                  f"weight {row.weight}" if row.weight else "Chebyshev interpolation")
            print("   ", ", ".join(literal(c, row.kind) for c in coefficients[::-1]))
            print("    error", as_power(exact), "before rounding,", as_power(error), "after", flush=True)


if __name__ == "__main__":
    main()
