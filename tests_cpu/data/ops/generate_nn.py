"""Expected values of softmax, normalisation, attention and others: NumPy and SciPy."""
import numpy as np
from scipy import special

from cases import Cases, coarse

cases = Cases("nn")
rng = np.random.default_rng(17)


def some(*shape, low=-2.0, high=2.0):
    return coarse(rng.uniform(low, high, shape))


# ---- softmax

for shape in ((2, 3, 4), (3, 30), (7,), (5, 1), (1, 65)):
    x = some(*shape)
    for axis in (None, *range(-len(shape), len(shape))):
        ints = () if axis is None else (axis,)
        k = -1 if axis is None else axis
        cases.add("softmax", [x], [special.softmax(x, k)], i=ints, grad=(0,))
        cases.add("log_softmax", [x], [special.log_softmax(x, k)], i=ints, grad=(0,))
x = some(300, 70)
for name in ("softmax", "log_softmax"):
    cases.add(name, [x.astype(np.float32)], [getattr(special, name)(x, 1).astype(np.float32)], types=())
cases.add("softmax", [np.array(3.0)], [np.array(1.0)])
cases.add("log_softmax", [np.array(3.0)], [np.array(0.0)])
cases.add("softmax", [np.zeros((0, 3))], [np.zeros((0, 3))])
cases.add("log_softmax", [np.zeros((3, 0))], [np.zeros((3, 0))])
inf, nan = np.inf, np.nan
edges = np.array([[0, -inf, 0], [-inf, -inf, -inf], [nan, 1, 2], [1, 2, nan], [inf, 0, 0]])
cases.add("softmax", [edges], [np.array([[0.5, 0, 0.5]] + 4 * [[nan] * 3])])
cases.add("log_softmax", [edges], [np.array([[-np.log(2), -inf, -np.log(2)]] + 4 * [[nan] * 3])])
far = np.array([[1000.0, 0, -1000]])
cases.add("softmax", [far], [np.array([[1.0, 0, 0]])])
cases.add("log_softmax", [far], [np.array([[0.0, -1000, -2000]])])
x, g = some(2, 5, 3), some(2, 5, 3)
s = special.softmax(x, 1)
cases.add("softmax_bp", [x, g], [s * (g - (s * g).sum(1, keepdims=True))], i=(1,))
cases.add("log_softmax_bp", [x, g], [g - s * g.sum(1, keepdims=True)], i=(1,))
for one in (np.array(0.5), np.array([0.5])):  # stands for all elements
    cases.add("softmax_bp", [x, one], [np.zeros(x.shape)], i=(1,))
    cases.add("log_softmax_bp", [x, one], [0.5 - s * 0.5 * x.shape[1]], i=(1,))


# ---- standardisation

def standardized(x, axes):
    with np.errstate(all="ignore"):
        u = (x - x.mean(axes, keepdims=True)) / (x.std(axes, keepdims=True) + 1e-12)
    return np.where(np.isnan(u), 0, u)


x = some(2, 4, 5)
for axes in ((0,), (1,), (2,), (-1,), (0, 2), (1, 2), (-3, -2), (0, 1, 2)):
    cases.add("standardize", [x], [standardized(x, axes)], i=axes, grad=(0,), tol={"DOUBLE": 1e-9})
    cases.add("standardize", [x, np.array(axes, np.int32)], [standardized(x, axes)], skip={"inplace": "the axes have no output"})
g = some(2, 4, 5)
xm, sd = x - x.mean(2, keepdims=True), x.std(2, keepdims=True)
expected = g / sd - g.sum(2, keepdims=True) / (5 * sd) - xm * (g * xm).sum(2, keepdims=True) / (5 * sd**3)
cases.add("standardize_bp", [x, g], [expected], i=(2,))
cases.add("standardize_bp", [x, np.array([2]), g], [expected])
cases.add("standardize", [np.ones((2, 3))], [np.zeros((2, 3))], i=(1,))
cases.add("standardize_bp", [np.ones((2, 3)), np.ones((2, 3))], [np.zeros((2, 3))], i=(1,))
cases.add("standardize", [np.array([[1.0, nan], [1, 3]])], [np.array([[0.0, 0], [-1, 1]])], i=(1,))
for axes, first, c in (((1,), True, 4), ((2,), False, 5), ((1, 2), True, 4), ((-1,), False, 5), ((2,), True, 4)):
    gain, bias = some(c), some(c)
    shape = (1, c, 1) if first else (1, 1, c)
    u = standardized(x, axes)
    flags = (first,) if not first else ()
    cases.add("layer_norm", [x, gain, bias], [u * gain.reshape(shape) + bias.reshape(shape)], i=axes, b=flags, grad=(0, 1, 2))
    cases.add("layer_norm", [x, gain], [u * gain.reshape(shape)], i=axes, b=flags, grad=(0, 1))
cases.add("layer_norm", [some(6), np.ones(6)], [None], i=(0,), b=(False,), types=(), grad=(0, 1))

# ---- batch normalisation

for shape, axes in (((3, 4, 5), None), ((3, 4, 5), (1,)), ((2, 3, 4, 5), (-1,)), ((2, 3, 4, 5), (1,)), ((2, 3, 4, 2), (1, 3)), ((4,), (0,)), ((3, 2, 2), (0,))):
    x = some(*shape)
    kept = [a % len(shape) for a in (axes or (-1,))]
    full = [n if d in kept else 1 for d, n in enumerate(shape)]
    given = [shape[kept[0]]] if len(kept) == 1 else full
    mean, gamma, beta = some(*given), some(*given), some(*given)
    variance = some(*given, low=0.25)
    m, v, ga, be = (a.reshape(full) for a in (mean, variance, gamma, beta))
    for scale in (0, 1):
        for offset in (0, 1):
            z = (ga if scale else 1) * (x - m) / np.sqrt(v + 0.0078125) + (be if offset else 0)
            inputs = [x, mean, variance] + [gamma] * scale + [beta] * offset
            cases.add("batchnorm", inputs, [z], t=(0.0078125,), i=(scale, offset, *(axes or ())),
                      skip={"inplace": "the statistics have no outputs"})
            g = some(*shape)
            others = tuple(d for d in range(len(shape)) if d not in kept)
            n = np.prod([shape[d] for d in others]) if others else 1
            r, d = 1 / np.sqrt(v + 0.0078125), x - m
            def total(a):
                return a.sum(others, keepdims=True) if others else a
            dx = (ga if scale else 1) * (r * (g - total(g) / n) - r**3 / n * total(g * d) * (d - total(d) / n))
            outputs = [dx, np.zeros(given), np.zeros(given)]
            outputs += [(r * total(g * d)).reshape(given)] * scale + [total(g).reshape(given)] * offset
            cases.add("batchnorm_bp", inputs + [g], outputs, t=(0.0078125,), i=(scale, offset, *(axes or ())))

for data_format in (0, 1):
    x = some(2, 3, 2, 4)
    axis = 3 if data_format == 0 else 1
    c = x.shape[axis]
    others = tuple(d for d in range(4) if d != axis)
    scale, offset, mean, variance = some(c), some(c), some(c), some(c, low=0.25)
    shape = [c if d == axis else 1 for d in range(4)]
    m, v = x.mean(others), x.var(others)
    n = x.size // c
    def normal(m, v, eps):
        return scale.reshape(shape) * (x - m.reshape(shape)) / np.sqrt(v.reshape(shape) + eps) + offset.reshape(shape)
    cases.add("fused_batch_norm", [x, scale, offset], [normal(m, v, 0.001), m, v * n / (n - 1)], i=(data_format, 1))
    cases.add("fused_batch_norm", [x, scale, offset], [normal(m, v, 0.125), m, v * n / (n - 1)], t=(0.125,), i=(data_format, 1))
    cases.add("fused_batch_norm", [x, scale, offset, mean, variance], [normal(mean, variance, 1.001e-5), np.zeros(c), np.zeros(c)],
              t=(0.0,), i=(data_format, 0))
x = some(1, 1, 1, 3)
cases.add("fused_batch_norm", [x, np.ones(3), np.zeros(3)], [np.zeros((1, 1, 1, 3)), x.reshape(3), np.zeros(3)], i=(0, 1))

# ---- local response normalisation

def window(a, depth):
    n = a.shape[-1]
    return np.stack([a[..., max(0, j - depth):j + depth + 1].sum(-1) for j in range(n)], -1)


x = some(2, 2, 3, 6)
for depth in (0, 1, 2, 10):
    base = 1.5 + 0.25 * window(x * x, depth)
    cases.add("lrn", [x], [x * base**-0.75], t=(1.5, 0.25, 0.75), i=(depth,), grad=(0,))
cases.add("local_response_normalization", [x], [x * base**-0.75], t=(1.5, 0.25, 0.75), i=(10,))

# ---- affine layers

x = some(2, 3, 4)
cases.add("biasadd", [x, np.arange(4.0)], [x + np.arange(4)], grad=(0, 1), skip={"inplace": "the bias has no output"})
cases.add("bias_add", [x, np.arange(3.0)], [x + np.arange(3)[:, None]], b=(True,), grad=(0, 1), skip={"inplace": "the bias has no output"})
n = np.arange(6, dtype=np.int32).reshape(2, 3)
cases.add("biasadd", [n, np.array([1, 2, 3], np.int32)], [n + np.array([1, 2, 3], np.int32)], skip={"inplace": "the bias has no output"})
g = some(2, 3, 4)
cases.add("BiasAddGrad", [x, np.zeros(4), g], [g, g.sum((0, 1))])
cases.add("biasadd_bp", [np.zeros((0, 3)), np.zeros(3), np.zeros((0, 3))], [np.zeros((0, 3)), np.zeros(3)])
x, w, b = some(3, 4), some(4, 5), some(5)
for tx in (0, 1):
    for tw in (0, 1):
        for tz in (0, 1):
            z = x @ w + b
            cases.add("xw_plus_b", [x.T if tx else x, w.T if tw else w, b.reshape(1, 5) if tz else b], [z.T if tz else z], i=(tx, tw, tz),
                      **({} if tz else {"grad": (0, 1, 2)}))
cases.add("xw_plus_b", [np.zeros((0, 4)), w, b], [np.zeros((0, 5))])
g = some(3, 5)
cases.add("xw_plus_b_bp", [x, w, b, g], [g @ w.T, x.T @ g, g.sum(0)])
for cutoff in (None, 0.5, -1.0):
    cases.add("relu_layer", [x, w, b if cutoff is None else b.reshape(-1, 1)], [np.maximum(x @ w + b, cutoff or 0)],
              t=() if cutoff is None else (cutoff,))
p, g = some(3, 4), some(3, 4)
cases.add("apply_sgd", [p, g], [p - 0.25 * g], t=(0.25,))
cases.add("ApplyGradientDescent", [p, g, np.array([0.5])], [p - 0.5 * g], t=(0.25,), skip={"inplace": "the rate has no output"})

# ---- attention

def attention(q, k, v, mask=None, scaled=True):
    scores = np.swapaxes(k, -1, -2) @ q
    if scaled:
        scores = scores / np.sqrt(q.shape[-2])
    if mask is not None:
        scores = np.where(mask.reshape(mask.shape[0], *(1,) * (q.ndim - 3), -1, 1) == 0, -np.inf, scores)
    w = special.softmax(scores, -2)
    return v @ w, w


mask = np.array([[1.0, 1, 0, 1], [0, 1, 1, 0]])
for heads in ((), (3,)):
    q, k, v = some(2, *heads, 5, 3), some(2, *heads, 5, 4), some(2, *heads, 6, 4)
    for scaled in (0, 1):
        z, w = attention(q, k, v, None, scaled)
        bp = {"i": (scaled,), "inputs": ("in0", "in1", "in2", "eps0")}
        cases.add("dot_product_attention", [q, k, v], [z], i=(scaled, 0), grad=(0, 1, 2), bp=bp)
        cases.add("dot_product_attention", [q, k, v], [z, w], i=(scaled, 1))
        z, w = attention(q, k, v, mask, scaled)
        cases.add("dot_product_attention", [q, k, v, mask], [z], i=(scaled, 0), grad=(0, 1, 2),
                  bp={"i": (scaled,), "inputs": ("in0", "in1", "in2", "eps0", "in3")})
        cases.add("dot_product_attention", [q, k, v, mask], [z, w], i=(scaled, 1))
q, k, v = some(2, 4, 3), some(2, 3, 4), some(2, 5, 4)
wq, wk, wv, wo = some(3, 2, 4), some(3, 2, 3), some(3, 6, 5), some(18, 7)
for scaled in (0, 1):
    for m in (None, mask):
        heads = [np.einsum("hpf,bft->bhpt", a, b) for a, b in ((wq, q), (wk, k), (wv, v))]
        z, w = attention(*heads, m, scaled)
        z = np.einsum("bpt,po->bot", z.reshape(2, 18, 3), wo)
        inputs = [q, k, v, wq, wk, wv, wo] + ([] if m is None else [m])
        cases.add("multi_head_dot_product_attention", inputs, [z], i=(scaled, 0), grad=tuple(range(7)), tol={"BFLOAT16": 1e-1},
                  bp={"i": (scaled,), "inputs": tuple(f"in{i}" for i in range(7)) + ("eps0",) + (() if m is None else ("in7",))})
        cases.add("multi_head_dot_product_attention", inputs, [z, w], i=(scaled, 1), tol={"BFLOAT16": 1e-1})

# ---- statistics

x = some(2, 3, 4)
for axes in ((), (0,), (1,), (-1,), (0, 2), (0, 1, 2)):
    for keep in (False, True):
        cases.add("moments", [x], [np.asarray(x.mean(axes or None, keepdims=keep)), np.asarray(x.var(axes or None, keepdims=keep))], i=axes, b=(keep,))
    if axes:
        a = np.array(axes, np.int64)
        cases.add("moments", [x, a], [np.asarray(x.mean(axes)), np.asarray(x.var(axes))], i=(0,))
        n = float(np.prod([x.shape[d] for d in axes]))
        stats = [np.array(n), np.asarray(x.sum(axes)), np.asarray((x * x).sum(axes))]
        cases.add("sufficient_statistics", [x, a.astype(np.int32)], stats)
        cases.add("sufficient_statistics", [x, a], stats + [np.array(0.75)], t=(0.75,))
n = np.arange(6, dtype=np.int32).reshape(2, 3)
cases.add("moments", [n], [n.mean(1).astype(np.float32), n.var(1).astype(np.float32)], i=(1,), types=())
sums, squares = some(5), some(5, low=4.0, high=8.0)
cases.add("normalize_moments", [np.array(4.0), sums, squares], [sums / 4 + 0.5, squares / 4 - (sums / 4) ** 2], t=(0.5,))
t, x = some(3, 4, low=0.0, high=1.0), some(3, 4, low=-4.0, high=4.0)
for w in (np.array(2.0), some(4, low=0.5)):
    expected = -t * w * special.log_expit(x) - (1 - t) * special.log_expit(-x)
    cases.add("weighted_cross_entropy_with_logits", [t, x, w], [expected], skip={"inplace": "the weights have no output"})

cases.save()
