#!/usr/bin/env python3
"""Writes the inputs and expected values of every numbered operation (except RANDOM) for the tests.

Run in this folder: python3 generate.py   (numpy, scipy, mpmath; the files are the same each time)

Output: a .npy file for each element type with all inputs and expected values of that type in one vector (bfloat16 as
its raw 16 bits), bounds.npy with the accepted errors, and cases.csv with a row for each case:

  family    which kind of operation: unary, test, cast, binary, bits, compare, same, float, boolean, long, index, pairs, stats
  name      name of the operation, as in operations.csv; the number comes from there
  x_type, z_type
  params    extra parameters, separated by ';' (for stats: whether the bias is corrected)
  x, y      first element of the input in its file; y is -1 when there is none
  z         first element of the expected values
  count     number of expected values
  check     bits: the same bits (any NaN for NaN); value: equal (+0 equals -0); ulp N: within N units in the last place;
            bound K: within the absolute errors that begin at element K of bounds.npy (of float64.npy when z_type is
            float64); inf means that the reference does not define the element

The results of the families long and index are small and are stored in int32.npy, whatever z_type is.

Unary operations: 120 values. Binary ones: 20 values x, 18 values y, and the 360 results of all pairs, y fastest.
Reductions: x holds an array [3, 4, 5] and a vector of 1000. The results are those of the array along (), (0), (1), (2),
(0,1), (0,2), (1,2), (0,1,2), then those of the first n elements of the vector for n in inputs.LENGTHS. Pairs add: the
first part of y with each part of x and the first part of x with each part of y along (2), all pairs of parts along (2)
and along (0,1).
"""
import csv
import itertools
import pathlib

import numpy as np

import elementwise_floats as ef
import elementwise_ints as ei
import inputs
import reductions as rd
from approx import Approx, Format
from element import ALL, BOOL, BY_NAME, FLOATS, INTS, LD, float_to_int, is_half, round_float, stored, ulp, wrap

HERE = pathlib.Path(__file__).resolve().parent
SUBSETS = [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]
F = {t: Format(t.compute) for t in ALL}


class Pool:
    """Concatenated vectors of one storage type; equal vectors are stored once."""

    def __init__(self):
        self.parts, self.where, self.length = [], {}, 0

    def add(self, array):
        key = array.tobytes()
        if key not in self.where:
            self.where[key] = self.length
            self.parts.append(array)
            self.length += len(array)
        return self.where[key]


class Writer:
    def __init__(self):
        self.pools = {t: Pool() for t in ALL}
        self.bounds = Pool()
        self.rows = []

    def input(self, t, values):
        return self.pools[t].add(stored(t, values))

    def case(self, family, name, x_type, z_type, params, x, y, values, check):
        held = BY_NAME["int32"] if family in ("long", "index") else z_type
        z = self.pools[held].add(stored(held, values))
        if not isinstance(check, str):
            bounds = np.asarray(check, dtype=LD)
            assert not np.any(np.isnan(bounds)), (family, name, x_type.name)
            kind, pool = (np.float64, self.pools[z_type]) if z_type.name == "float64" else (np.float32, self.bounds)
            with np.errstate(all="ignore"):
                check = f"bound {pool.add(np.nextafter(bounds.astype(kind), kind(np.inf)) * (bounds > 0))}"
        text = ";".join(repr(float(p)) if isinstance(p, (float, LD)) else str(int(p)) for p in params)
        self.rows.append([family, name, x_type.name, z_type.name, text, x, y, z, len(values), check])

    def save(self):
        for t, pool in self.pools.items():
            np.save(HERE / f"{t.name}.npy", np.concatenate(pool.parts))
        np.save(HERE / "bounds.npy", np.concatenate(self.bounds.parts))
        with open(HERE / "cases.csv", "w", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow("family,name,x_type,z_type,params,x,y,z,count,check".split(","))
            writer.writerows(self.rows)


# A kernel may use a better conditioned formula than the one whose errors are tracked here; it may be wrong by 4 ulp of
# the result, too.
FORMULA_ULPS = 4


def judged(result, z, fmt, formula_ulps=0):
    """Expected values in the float type z, and how to check them."""
    with np.errstate(all="ignore"):
        if isinstance(result, ef.Open):
            values, check = judged(result.result, z, fmt, formula_ulps)
            if not np.any(result.mask):
                return values, check
            if isinstance(check, str):
                step = 0 if not check.startswith("ulp") else int(check[4:]) * ulp(z, values)
                check = np.where(np.isfinite(values), step, 0) * np.ones(len(values))
            return values, np.where(result.mask, LD(np.inf), np.asarray(check, dtype=LD))
        if isinstance(result, ef.Exact):
            return round_float(z, result.v), "bits" if result.bits else "value"
        if isinstance(result, ef.Ulps):
            # The compute type of a 16-bit type has an error of a few of its own ulp, which at most rounds a tie the
            # other way.
            return round_float(z, result.v), f"ulp {1 if is_half(z) else result.n}"
        values = round_float(z, result.v)
        narrow = ulp(z, values) if z.precision < np.finfo(fmt.dtype).nmant + 1 else ulp(z, values) / 2
        bound = np.nan_to_num(result.e, nan=np.inf) + narrow
        if not is_half(z):
            bound = np.maximum(bound, formula_ulps * ulp(z, values))
        return values, np.where(np.isfinite(values), bound, LD(0))


def compute_arrays(t, *arrays):
    return [a.astype(t.compute) for a in arrays]


def conditions(t):
    """The 16 modes for four types, four modes for the others. BOOL parameters can only be 0 and 1."""
    if t.kind == "b":
        return (0, 1)
    return range(16) if t.name in ("float32", "float16", "int32", "uint8") else (0, 7, 11, 14)


def unary_params(t, name):
    """The parameter lists to try, in the element type."""
    v = lambda real, whole: real if t.is_float else min(whole, t.high)
    if name == "CompareAndSetTransform":
        return [[v(1.5, 3), v(-2.25, 7), v(0.5, 2), m] for m in conditions(t)]
    if name == "MatchConditionBool":
        return [[v(1.5, 3), v(0.5, 2), m] for m in conditions(t)]
    if name == "ClipByValue":
        return [[v(-1.5, max(t.low if not t.is_float else 0, -3)), v(2.5, 5)], [v(3.0, 4), v(1.0, 2)]]
    return {
        "ScaledTanh": [[1.75, 0.5]],
        "Affine": [[1.25, -0.75]],
        "Stabilize": [[1.0], [0.5]],
        "SetRange": [[0.0, 1.0], [-1.0, 2.0]],
    }.get(name, [[]])


def binary_params(t, name):
    v = lambda real, whole: real if t.is_float else min(whole, t.high)
    if name in ("CompareAndSet", "CompareAndReplace"):
        return [[v(1.0, 3), 0, v(0.5, 2), m] for m in conditions(t)]
    if name == "MatchCondition":
        return [[0, v(0.5, 2), m] for m in conditions(t)]
    if name in ("And", "Or", "Xor"):
        return [[], [v(1.0, 1)]]
    return {
        "Axpy": [[v(-1.5, 3)]],
        "BinaryRelativeError": [[v(0.25, 0)]],
        "BinaryMinimumAbsoluteRelativeError": [[v(0.25, 0), v(1.5, 2)]],
    }.get(name, [[]])


def unary_cases(w):
    for t in ALL:
        names = [n for n in ef.UNARY_FLOAT if n not in ("Sqrt", "RSqrt")]
        for name in names if t.is_float else ei.UNARY_INT:
            x = inputs.unary_nonzero(t) if name == "Reciprocal" and not t.is_float else inputs.unary(t)
            at = w.input(t, x)
            for p in unary_params(t, name):
                if t.is_float:
                    with np.errstate(all="ignore"):
                        result = ef.UNARY_FLOAT[name](x, F[t], p, x.astype(t.compute))
                        values, check = judged(result, t, F[t], FORMULA_ULPS)
                else:
                    values, check = [wrap(t, ei.UNARY_INT[name](t, v, p)) for v in x], "value"
                w.case("unary", name, t, t, p, at, -1, values, check)
        x = inputs.unary(t)
        at = w.input(t, x)
        for name in ("Sqrt", "RSqrt"):
            for z in FLOATS:
                # x in the compute type of z: a 16-bit result is rounded once, at the end.
                with np.errstate(all="ignore"):
                    real = np.array([LD(v) for v in x]).astype(z.compute).astype(LD)
                    values, check = judged(ef.UNARY_FLOAT[name](real, F[z], [], real.astype(z.compute)), z, F[z])
                w.case("root", name, t, z, [], at, -1, values, check)
        for name in ef.TEST_FLOAT:
            for p in unary_params(t, name):
                with np.errstate(all="ignore"):
                    values = ef.TEST_FLOAT[name](x.astype(t.compute), p) if t.is_float else [ei.TEST_INT[name](t, v, p) for v in x]
                w.case("test", name, t, BOOL, p, at, -1, [int(v) for v in values], "value")
        for z in ALL:
            values, check = cast(x, t, z)
            w.case("cast", "Assign", t, z, [], at, -1, values, check)


def cast(x, t, z):
    if z.is_float:
        return round_float(z, np.array([LD(v) for v in x])), "bits" if t.is_float else "value"
    if not t.is_float:
        return [wrap(z, v) for v in x], "value"
    values = [float_to_int(z, v) for v in x]
    if None not in values:
        return values, "value"
    return [v or 0 for v in values], [np.inf if v is None else 0.0 for v in values]


DIVISION = {"Divide", "Remainder", "FMod", "TruncateDiv", "FloorDiv", "FloorMod", "TruncateMod", "Mod"}
REVERSE_DIVISION = {"ReverseDivide", "ReverseMod"}


def binary_inputs(t, name):
    if name in ("IGamma", "IGammac"):
        return inputs.binary_gamma(t)
    if t.is_float:
        return inputs.binary_integral(t) if name in ("ReverseMod", "TruncateMod") else inputs.binary_any(t)
    if name in DIVISION | REVERSE_DIVISION:
        if t.kind != "b":
            return inputs.binary_nonzero(t)
        x, y = inputs.binary_any(t)
        return ([1] * len(x), y) if name in REVERSE_DIVISION else (x, [1] * len(y))
    return inputs.binary_any(t)


def binary_cases(w):
    for t in ALL:
        for name in ef.BINARY_FLOAT:
            xs, ys = binary_inputs(t, name)
            assert len(xs) == inputs.GRID_X and len(ys) == inputs.GRID_Y, (t.name, name, len(xs), len(ys))
            x, y = inputs.grid(xs, ys)
            at = w.input(t, xs), w.input(t, ys)
            for p in binary_params(t, name):
                w.case("binary", name, t, t, p, *at, *binary_values(t, name, x, y, p))
        xs, ys = inputs.binary_any(t)
        x, y = inputs.grid(xs, ys)
        at = w.input(t, xs), w.input(t, ys)
        for name in ef.COMPARE_FLOAT:
            for p in binary_params(t, name):
                with np.errstate(all="ignore"):
                    if t.is_float:
                        values = ef.COMPARE_FLOAT[name](*compute_arrays(t, x, y), p)
                    else:
                        values = [ei.COMPARE_INT[name](t, a, b, p) for a, b in zip(x, y)]
                w.case("compare", name, t, BOOL, p, *at, [int(v) for v in values], "value")
        if t in INTS:
            for name, f in ei.BITS_INT.items():
                w.case("bits", name, t, t, [], *at, [wrap(t, f(t, a, b)) for a, b in zip(x, y)], "value")


def binary_values(t, name, x, y, p):
    if t.is_float:
        with np.errstate(all="ignore"):
            return judged(ef.BINARY_FLOAT[name](x, y, F[t], p, *compute_arrays(t, x, y)), t, F[t], FORMULA_ULPS)
    if name in ei.BINARY_INT:
        return [wrap(t, ei.BINARY_INT[name](t, a, b, p)) for a, b in zip(x, y)], "value"
    result = ei.through_float(t, name, x, y, p)
    mask = None
    if isinstance(result, ef.Open):
        result, mask = result.result, result.mask
    if isinstance(result, ef.Exact):
        result = Approx(F[t], result.v)
    elif isinstance(result, ef.Ulps):
        finite = np.where(np.isfinite(result.v), result.v, LD(0))
        result = Approx(F[t], result.v, np.abs(finite) * F[t].unit * 2 * result.n)
    values, bounds = ei.truncated(t, result)
    if mask is not None and np.any(mask):
        bounds = np.where(mask, np.inf, bounds if bounds is not None else np.zeros(len(values)))
    return values, "value" if bounds is None else bounds


def parts(array, axes):
    """The sub-arrays along `axes` in c order of the other coordinates. Each is in c order over the ascending axes."""
    axes = axes or tuple(range(array.ndim))
    kept = [d for d in range(array.ndim) if d not in axes]
    moved = np.transpose(array, kept + list(axes))
    return moved.reshape(-1, int(np.prod([array.shape[d] for d in axes])))


def cube_and_line(x):
    x = np.array(x, dtype=LD if isinstance(x, np.ndarray) else object)
    size = int(np.prod(inputs.REDUCED))
    return x[:size].reshape(inputs.REDUCED), x[size:]


def every_part(x):
    cube, line = cube_and_line(x)
    return [part for axes in SUBSETS for part in parts(cube, axes)] + [line[:n] for n in inputs.LENGTHS]


def every_pair(x, y):
    pairs = list(zip(every_part(x), every_part(y)))
    a, b = cube_and_line(x)[0], cube_and_line(y)[0]
    pairs += [(part, parts(b, (2,))[0]) for part in parts(a, (2,))]
    pairs += [(parts(a, (2,))[0], part) for part in parts(b, (2,))]
    for axes in ((2,), (0, 1)):
        pairs += list(itertools.product(parts(a, axes), parts(b, axes)))
    return pairs


def collect(results, z, fmt):
    """Combines the expected results of all parts."""
    values, bounds = [], []
    for result in results:
        v, check = judged(result, z, fmt)
        values.append(v[0])
        bounds.append(0.0 if isinstance(check, str) else check[0])
    return np.array(values), "value" if not any(bounds) else bounds


def real(t, part):
    return np.array([LD(v) for v in part], dtype=LD)


SAME_INPUTS = {"Prod": ["near1"], "ASum": ["sparse"], "ReduceSameBenchmarkOp": ["bench"]}


def same_inputs(t, name):
    if t.kind == "b":
        return ["ones"] if name == "ReduceSameBenchmarkOp" else ["general", "rarely", "mostly"]
    if name in ("Max", "Min"):
        return ["general", "special"] + ([] if t.is_float else ["extremes"])
    if name in ("AMax", "AMin"):
        return ["general", "special"]
    if name == "Sum":
        return ["general"] + (["infinite", "nan"] if t.is_float else ["extremes"])
    if t.is_float:
        return {"ASum": ["general"]}.get(name, SAME_INPUTS.get(name))
    return SAME_INPUTS[name]


def float_inputs(t, name):
    if t.kind == "b":
        return ["ones"] if name == "ReduceFloatBenchmarkOp" else ["general"]
    return {
        "ReduceFloatBenchmarkOp": ["bench"],
        "Entropy": ["positive"],
        "ShannonEntropy": ["positive"],
        "LogEntropy": ["unit"],
        "NormP": ["close"],
        "SquaredNorm": ["close"],
        "Norm2": ["close"],
        "NormFrobenius": ["close"],
        "Mean": ["general"] + (["infinite", "nan"] if t.is_float else []),
    }.get(name, ["general"])


def float_outputs(t):
    """Output types of float reductions: x's own and one more; for integers a different one each."""
    names = {
        "float32": "float32 float64", "float64": "float64 float32", "float16": "float16 float32",
        "bfloat16": "bfloat16 float64", "bool": "float32 float16", "int8": "float32 bfloat16", "uint8": "float64",
        "int16": "float32", "uint16": "float16", "int32": "float32 float64", "uint32": "float64", "int64": "float64 float32",
        "uint64": "float64",
    }[t.name]  # fmt: skip
    return [BY_NAME[n] for n in names.split()]


def reduction_cases(w):
    for t in ALL:
        for name in rd.SAME_FLOAT:
            for what in same_inputs(t, name):
                x = inputs.reduced(t, what)
                at = w.input(t, x)
                with np.errstate(all="ignore"):
                    if t.is_float:
                        f = Format(np.float32) if name == "ReduceSameBenchmarkOp" else F[t]
                        values, check = collect([rd.SAME_FLOAT[name](f, part) for part in every_part(x)], t, f)
                    else:
                        values, check = [wrap(t, rd.SAME_INT[name](t, list(part))) for part in every_part(x)], "value"
                w.case("same", name, t, t, [], at, -1, values, check)
        for name in rd.FLOAT:
            for what, z in itertools.product(float_inputs(t, name), float_outputs(t)):
                x = inputs.reduced(t, what)
                for p in [[1.5], [3.0]] if name == "NormP" else [[]]:
                    f = Format(np.float32) if name == "ReduceFloatBenchmarkOp" or z.bits < 64 else Format(np.float64)
                    with np.errstate(all="ignore"):
                        values, check = collect([rd.FLOAT[name](Approx.of(f, part), p) for part in every_part(x)], z, f)
                    w.case("float", name, t, z, p, w.input(t, x), -1, values, check)
        special = ["general", "zeros"] if not t.is_float else ["general", "zeros", "special", "infinite", "nan"]
        special = ["general", "rarely", "mostly"] if t.kind == "b" else special
        for name, what in itertools.product(rd.BOOLEAN, special):
            x = inputs.reduced(t, what)
            values = [int(rd.BOOLEAN[name](real(t, part))) for part in every_part(x)]
            w.case("boolean", name, t, BOOL, [], w.input(t, x), -1, values, "value")
        for name in rd.LONG:
            x = inputs.reduced(t, "special" if t.kind != "b" else "general")
            for p, z in itertools.product(condition_params(t, name), (BY_NAME["int64"], BY_NAME["uint64"])):
                values = [rd.LONG[name](t, part, p) for part in every_part(x)]
                w.case("long", name, t, z, p, w.input(t, x), -1, values, "value")
        for name in rd.INDEX:
            for what in ["general", "rarely"] if t.kind == "b" else ["general", "special"]:
                x = inputs.reduced(t, what)
                for p, z in itertools.product(condition_params(t, name), (BY_NAME["int64"], BY_NAME["int32"])):
                    values = [rd.INDEX[name](t, part if t.is_float else list(part), p) for part in every_part(x)]
                    w.case("index", name, t, z, p, w.input(t, x), -1, values, "value")


def condition_params(t, name):
    if name not in ("MatchCondition", "FirstIndex", "LastIndex"):
        return [[]]
    return [[1.0, 0.5, m] if t.is_float else [min(2, t.high), min(1, t.high - 1), m] for m in conditions(t)]


def pair_cases(w):
    for t in ALL:
        x, y = (inputs.reduced(t, what) for what in (("general", "mostly") if t.kind == "b" else ("close", "close2")))
        at = w.input(t, x), w.input(t, y)
        for name, z in itertools.product(rd.PAIRS, float_outputs(t)):
            f = Format(np.float32) if z.bits < 64 else Format(np.float64)
            for p in [[], [0.5]] if name == "EqualsWithEps" else [[]]:
                with np.errstate(all="ignore"):
                    results = [rd.PAIRS[name](Approx.of(f, a), Approx.of(f, b), p) for a, b in every_pair(x, y)]
                    w.case("pairs", name, t, z, p, *at, *collect(results, z, f))


def stats_cases(w):
    for t in ALL:
        x = inputs.reduced(t, "general")
        for root, corrected, z in itertools.product((False, True), (0, 1), float_outputs(t)):
            name = "SummaryStatsStandardDeviation" if root else "SummaryStatsVariance"
            with np.errstate(all="ignore"):
                results = [rd.variance(real(t, part), not corrected, root) for part in every_part(x)]
                w.case("stats", name, t, z, [corrected], w.input(t, x), -1, *collect(results, z, Format(np.float64)))


def main():
    w = Writer()
    unary_cases(w)
    binary_cases(w)
    reduction_cases(w)
    pair_cases(w)
    stats_cases(w)
    w.save()
    print(f"{len(w.rows)} cases, {sum(p.length * np.dtype(t.storage).itemsize for t, p in w.pools.items()) + 4 * w.bounds.length} bytes")


if __name__ == "__main__":
    main()
