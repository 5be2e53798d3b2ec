"""Expected values of checks, shapes as arrays, quantisation, sparse arrays and string splitting: NumPy in float64."""
import numpy as np

from cases import Cases, coarse

rng = np.random.default_rng(31)
cases = Cases("parity")


def some(*shape, scale=2.0):
    return coarse(rng.normal(scale=scale, size=shape))


# ---- element-wise operations
x = np.array([[-2.5, -1.5, -0.5, 0.5], [1.5, 2.5, 2.4375, -2.5625]])
cases.add("rint", [x], [np.rint(x)])
cases.add("rint", [np.array([np.nan, np.inf, -np.inf])], [np.array([np.nan, np.inf, -np.inf])])
cases.add("rint", [np.array(3.5)], [np.array(4.0)])
x = some(3, 5)
cases.add("square", [x], [x * x])
cases.add("square", [np.array(-3.0)], [np.array(9.0)])
for dtype in (np.int8, np.int32, np.uint64):
    n = np.array([[0, 1, 5], [7, 11, 2]], dtype)
    cases.add("rint", [n], [n])
    cases.add("square", [n], [n * n])
cases.add("square", [np.array([100], np.int8)], [np.array([16], np.int8)], label="integers wrap")
for op in ("rint", "square"):
    cases.add(op, [np.zeros((0, 3))], [np.zeros((0, 3))])

# ---- checks
message = np.array("values of the layer")
x = some(2, 3, 2)
cases.add("check_numerics", [x, message], [x])
cases.add("check_numerics", [np.zeros((2, 0)), message], [np.zeros((2, 0))])
cases.add("check_numerics", [np.array(1.5), message], [np.array(1.5)])

# ---- shapes as arrays
for a, b in (((2, 1, 3), (4, 3)), ((1,), (5, 6)), ((), (2, 3)), ((), ()), ((0, 1), (1, 7)), ((2, 3), (2, 3)),
             ((1, 1), (1, 1)), ((3, 1), (1, 1, 4))):
    z = np.broadcast_shapes(a, b)
    axes = [[d for d in range(len(z)) if d < len(z) - len(s) or (s[d - len(z) + len(s)] == 1 and z[d] != 1)] for s in (a, b)]
    for dtype in (np.int32, np.int64):
        cases.add("broadcast_dynamic_shape", [np.array(a, dtype), np.array(b, dtype)], [np.array(z, dtype)])
        cases.add("broadcastgradientargs" if dtype == np.int32 else "BroadcastGradientArgs",
                  [np.array(a, dtype), np.array(b, dtype)], [np.array(k, dtype) for k in axes])


# ---- quantised values
def quantised(x, low, high, bits=8, narrow=False):
    if low == 0 and high == 0:
        return np.zeros_like(x)
    least, most = int(narrow), 2 ** bits - 1
    step = (high - low) / (most - least)
    zero = np.clip(least - low / step, least, most)
    zero = np.floor(zero + 0.5)  # halves are rounded away from 0; `zero` is never negative
    near, far = (least - zero) * step, (most - zero) * step
    return np.floor((np.clip(x, near, far) - near) / step + 0.5) * step + near


# The steps are powers of two, so every float type computes exactly.
x = np.array([[-70, -64, -3.25, -0.125], [0, 0.375, 12.75, 100]])
for bits, narrow, low, high in ((8, False, -63.75, 63.75), (8, True, -63.5, 63.5), (4, False, -2.0, 5.5), (2, False, 0.0, 6.0),
                                (8, False, 1.0, 9.0), (8, False, -5.0, -1.0)):
    z = quantised(x, low, high, bits, narrow)
    args = {"i": (bits,), "b": (narrow,) if narrow else ()}
    cases.add("fake_quant_with_min_max_vars", [x, np.array(low), np.array(high)], [z], types=("FLOAT32",), **args)
    cases.add("fake_quant_with_min_max_args", [x], [z], t=(low, high), types=("FLOAT32",), **args)
cases.add("fake_quant_with_min_max_vars", [x, np.array(-2.0), np.array(5.5)], [quantised(x, -2.0, 5.5, 4)], i=(4,))
y = some(3, 7)
cases.add("fake_quant_with_min_max_vars", [y], [quantised(y, -1.75, 2.53125)], t=(-1.75, 2.53125), types=("FLOAT32",), tol=1e-6,
          label="8 bits by default")
cases.add("fake_quant_with_min_max_vars", [y], [np.zeros_like(y)], t=(0, 0))
cases.add("fake_quant_with_min_max_vars", [np.zeros((0, 2))], [np.zeros((0, 2))], t=(0, 1))
y = some(2, 5, 3, scale=4)
low, high = np.array([-2.0, -8, 0]), np.array([5.5, -0.5, 0])
z = np.stack([quantised(y[..., c], low[c], high[c], 4) for c in range(3)], axis=-1)
cases.add("fake_quant_with_min_max_vars_per_channel", [y, low, high], [z], i=(4,), types=("FLOAT32",))
cases.add("fake_quant_with_min_max_args_per_channel", [y[0, 0], low, high], [z[0, 0]], i=(4,))
cases.add("fake_quant_with_min_max_vars_per_channel", [y, low, high],
          [np.stack([quantised(y[..., c], low[c], high[c], 8, True) for c in range(3)], axis=-1)], b=(True,),
          types=("FLOAT32",), tol=1e-6)

# ---- sparse arrays
def dense(shape, indices, values, filler):
    z = np.full(shape, filler, dtype=values.dtype)
    for at, value in zip(indices, values.ravel()):
        z[tuple(at)] = value
    return z


at = np.array([[0, 1], [2, 3], [1, 0], [2, 3]])
for dtype in (np.int32, np.int64):
    for values in (np.array([1.5, -2, 3, 4]), np.array([1, 2, 3, 4], np.int16), np.array([1, 0, 1, 1], bool)):
        cases.add("compat_sparse_to_dense", [at.astype(dtype), np.array([3, 4], dtype), values],
                  [dense((3, 4), at, values, 0)], label="the last of equal places counts")
        cases.add("compat_sparse_to_dense", [at.astype(dtype), np.array([3, 4], dtype), values, np.array(1, values.dtype)],
                  [dense((3, 4), at, values, 1)])
cases.add("compat_sparse_to_dense", [np.array([3, 1]), np.array([5]), np.array([7.0, 8]), np.array(-1.0)],
          [np.array([-1.0, 8, -1, 7, -1])], label="a vector")
cases.add("compat_sparse_to_dense", [np.zeros((0, 2), np.int64), np.array([2, 2]), np.zeros(0), np.array(2.5)],
          [np.full((2, 2), 2.5)], label="nothing given")
cases.add("compat_sparse_to_dense", [np.zeros((0, 2), np.int64), np.array([2, 0]), np.zeros(0)], [np.zeros((2, 0))])
words = np.array(["one", "two", "three", "four"])
cases.add("compat_sparse_to_dense", [at, np.array([3, 4]), words, np.array("-")],
          [np.array([["-", "one", "-", "-"], ["three", "-", "-", "-"], ["-", "-", "-", "four"]])])
cases.add("compat_sparse_to_dense", [at, np.array([3, 4]), words],
          [np.array([["", "one", "", ""], ["three", "", "", ""], ["", "", "", "four"]])])

rows = np.array([[2.0, 9, 5, 9, -1, 9, 5, 9], [5, 0, 5, 0, 7, 0, 0.5, 1], [-3, 2, 2, 2, 2, 2, 2, 2]])
cases.add("firas_sparse", [rows], [np.array([[2.0, 5, 0, 0], [0, 10, 7, 0.5], [0, 0, 0, 0]])], i=(2, 5, 7, 0))
cases.add("firas_sparse", [rows], [np.array([[2.0, 5, 0, 0, 0], [0, 10, 0, 7, 0.5], [0, 0, 0, 0, 0]])], i=(2, 5, 5, 7, 0),
          label="the first of equal columns counts")
cases.add("firas_sparse", [np.zeros((0, 4))], [np.zeros((0, 1))], i=(3,))

# ---- splitting of strings
def pieces(strings, delimiter):
    places, values = [], []
    for at in np.ndindex(strings.shape):
        for k, piece in enumerate(str(strings[at]).split(delimiter)):
            places += [*at, k]
            values.append(piece)
    return np.array(places, np.int64), np.array(values)


for strings, delimiter in ((np.array([["a b", "c"], ["", "d e f"]]), " "), (np.array(["a::b", "c:", "::", ":::"]), "::"),
                           (np.array("x,y,"), ","), (np.array(["Grün,blau", "ä,ö,ü"]), ","),
                           (np.array(["ab"]), "longer than the string")):
    cases.add("compat_string_split", [strings, np.array(delimiter)], list(pieces(strings, delimiter)))

# ---- the distance to a box
for n in (1, 3, 10):
    low, high = np.sort(some(2, n), axis=0)
    for p in (some(n, scale=4), (low + high) / 2, low - 1, high + 2):
        p = coarse(p)
        z = np.linalg.norm(p - np.clip(p, low, high))
        cases.add("knn_mindistance", [p, low, high], [np.array(z)], tol={"HALF": 1e-2, "BFLOAT16": 5e-2})
cases.add("knn_mindistance", [some(2, 3), np.full((2, 3), -9.0), np.full((2, 3), 9.0)], [np.array(0.0)])

# ---- operations for testing calls
x, y = some(2, 3), some(4)
cases.add("testop2i2o", [x, y], [x + 1, y + 2], tol={"HALF": 5e-3, "BFLOAT16": 2e-2})
cases.add("TestOp2i2o", [x.astype(np.int32), y.astype(np.int64)], [x.astype(np.int32) + 1, y.astype(np.int64) + 2])
cases.add("test_scalar", [x], [x.ravel()[:1].reshape(1, 1) + 2], tol={"HALF": 5e-3, "BFLOAT16": 2e-2})
cases.add("test_scalar", [np.array(5, np.int64)], [np.array([[7]], np.int64)])
cases.save()
