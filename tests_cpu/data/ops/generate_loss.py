"""Expected values of the losses: formulas in NumPy and SciPy; gradients by central differences of those formulas."""
import itertools

import numpy as np
from scipy import special

from cases import Cases, coarse

cases = Cases("loss")
rng = np.random.default_rng(5)
TOL = {"DOUBLE": 1e-7}


def reduced(mode, e, w):
    full = np.broadcast_to(w.reshape(()) if w.size == 1 else w, e.shape)
    if mode == 0:
        return full * e
    divisor = {1: 1, 2: full.sum(), 3: np.count_nonzero(full)}[mode]
    return np.asarray((full * e).sum() / divisor if divisor else 0.0)


def slope(f, x, step=1e-6):
    result = np.zeros(x.shape)
    for at in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[at] += step
        down[at] -= step
        result[at] = (f(up) - f(down)) / (2 * step)
    return result


def gradients(element, mode, p, w, y, shaped=lambda w, e: w):
    """Gradients of the sum of the result. The number of non-zero weights counts as a constant."""
    def total(p, w, y):
        e = element(p, y)
        return reduced(1 if mode == 0 else mode, e, shaped(w, e)).sum()
    zeros = mode == 3 and np.any(w == 0)
    if zeros:
        e = element(p, y)
        s = shaped(w, e)
        n = np.count_nonzero(np.broadcast_to(s.reshape(()) if s.size == 1 else s, e.shape))
        if n == 0:
            return [np.zeros(p.shape), np.zeros(w.shape), np.zeros(y.shape)]
        def total(p, w, y):
            e = element(p, y)
            return reduced(1, e, shaped(w, e)).sum() / n
    elif mode == 2 and w.sum() == 0:
        return [np.zeros(p.shape), np.zeros(w.shape), np.zeros(y.shape)]
    return [slope(lambda v: total(v, w, y), p), slope(lambda v: total(p, v, y), w), slope(lambda v: total(p, w, v), y)]


def huber(delta):
    def f(p, y):
        a = np.abs(p - y)
        q = np.minimum(a, delta)
        return 0.5 * q * q + delta * (a - q)
    return f


def log_loss(eps):
    return lambda p, y: -y * np.log(p + eps) - (1 - y) * np.log(1 - p + eps)


def poisson(full):
    return lambda p, y: np.exp(p) - y * p + (special.xlogy(y, y) - y + 0.5 * np.log(2 * np.pi * y) if full else 0)


def sigmoid_entropy(smoothing):
    def f(p, y):
        target = y * (1 - smoothing) + 0.5 * smoothing
        return -target * special.log_expit(p) - (1 - target) * special.log_expit(-p)
    return f


p = coarse(rng.uniform(-2, 2, (2, 3, 2)))
y = coarse(rng.uniform(0.1, 0.9, (2, 3, 2)))
q = coarse(rng.uniform(0.1, 0.9, (2, 3, 2)))
binary = np.array([0.0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1]).reshape(2, 3, 2)
losses = [
    ("absolute_difference_loss", lambda p, y: np.abs(p - y), p, y, (), ()),
    ("mean_sqerr_loss", lambda p, y: (p - y) ** 2, p, y, (), ()),
    ("huber_loss", huber(0.75), p, y, (0.75,), ()),
    ("log_loss", log_loss(1e-3), q, y, (1e-3,), ()),
    ("log_poisson_loss", poisson(False), p, y, (), ()),
    ("log_poisson_loss", poisson(True), p, y, (), (1,)),
    ("hinge_loss", lambda p, y: np.maximum(0, 1 - (2 * y - 1) * p), p, binary, (), ()),
    ("sigm_cross_entropy_loss", sigmoid_entropy(0.0), p, y, (0.0,), ()),
    ("sigm_cross_entropy_loss", sigmoid_entropy(0.25), p, y, (0.25,), ()),
]
ALL = (0, 1, 2, 3)
weights = [(np.array(1.5), ALL), (np.array([[[0.5]]]), (2,)), (coarse(rng.uniform(0.5, 2, (2, 3, 2))), ALL),
           (np.array([1.0, 0, 2]).reshape(1, 3, 1), ALL), (np.array(0.0), (2, 3)), (np.zeros((2, 1, 1)), (2, 3))]
for name, element, a, b, t, extra in losses:
    for w, modes in weights:
        for mode in modes:
            cases.add(name, [a, w, b], [reduced(mode, element(a, b), w)], t=t, i=(mode, *extra))
            cases.add(name + "_grad", [a, w, b], gradients(element, mode, a, w, b), t=t, i=(mode, *extra),
                      tol={**TOL, "HALF": 2e-2, "BFLOAT16": 1e-1} if name == "log_loss" else TOL)

# integer labels do not truncate the loss
labels = np.array([[0, 1, 1], [1, 0, 1]], np.int32)
a = coarse(rng.uniform(-2, 2, (2, 3)))
one = np.array(1.0)
cases.add("mean_sqerr_loss", [a, one, labels], [np.asarray(((a - labels) ** 2).mean())], i=(2,))
cases.add("hinge_loss", [a, one, labels], [np.asarray(np.maximum(0, 1 - (2 * labels - 1) * a).sum())], i=(1,))
integers = np.array([1, 2, 4], np.int32)
cases.add("absolute_difference_loss", [integers, np.array(1, np.int32), np.array([0, 4, 4], np.int32)],
          [np.array(1.0, np.float32)], i=(2,), types=())
# without the terms that are not finite at 0
zero = np.array([0.0, 1.0])
cases.add("log_poisson_loss", [np.array([0.5, -1]), one, zero],
          [np.array([np.exp(0.5), np.exp(-1.0) + 1 - 1 + 0.5 * np.log(2 * np.pi)])], i=(0, 1))
# far from 0
far = np.array([80.0, -80.0, 0.0])
cases.add("sigm_cross_entropy_loss", [far, one, np.array([0.0, 1, 1])], [np.array([80.0, 80, np.log(2)])], t=(0.0,), i=(0,))
empty = np.zeros((2, 0))
for mode in range(4):
    cases.add("mean_sqerr_loss", [empty, one, empty], [empty if mode == 0 else np.array(0.0)], i=(mode,))


# ---- softmax

def cross_entropy(smoothing):
    def f(x, y):
        target = (1 - smoothing) * y + smoothing / x.shape[-1]
        return -(target * special.log_softmax(x, -1)).sum(-1)
    return f


def like_samples(w, e):
    return w if w.size == 1 else w.reshape(e.shape) if w.size == e.size else w


for shape in ((4, 3), (2, 3, 5)):
    x = coarse(rng.uniform(-3, 3, shape))
    y = coarse(special.softmax(rng.normal(size=shape), -1))
    onehot = np.eye(shape[-1])[rng.integers(0, shape[-1], shape[:-1])]
    e_shape = shape[:-1]
    ws = [np.array(2.0), coarse(rng.uniform(0.5, 2, e_shape)), np.where(np.arange(np.prod(e_shape)).reshape(e_shape) % 2, 1.5, 0)]
    if len(shape) == 2:
        ws.append(coarse(rng.uniform(0.5, 2, (shape[0], 1))))
    for labels, smoothing in ((y, 0.25), (onehot, 0.0)):
        element = cross_entropy(smoothing)
        for w in ws:
            for mode in range(4):
                e = element(x, labels)
                z = reduced(mode, e, like_samples(w, e))
                if mode == 0 and len(shape) == 2:
                    z = z.reshape(-1, 1)
                cases.add("softmax_cross_entropy_loss", [x, w, labels], [z], t=(smoothing,), i=(mode,))
                cases.add("softmax_cross_entropy_loss_grad", [x, w, labels],
                          gradients(element, mode, x, w, labels, like_samples), t=(smoothing,), i=(mode,), tol=TOL)
x, y = np.array([1.0, 2, 0.5]), np.array([0.25, 0.5, 0.25])
cases.add("softmax_cross_entropy_loss", [x, one, y], [cross_entropy(0)(x, y).reshape(1, 1)], t=(0.0,), i=(0,))
large = np.array([[1000.0, 0, -1000], [-1000, -1000, -1000]])
picked = np.array([[0.0, 1, 0], [0, 0, 1]])
cases.add("softmax_cross_entropy_loss", [large, one, picked], [np.array([[1000.0], [np.log(3)]])], t=(0.0,), i=(0,))
cases.add("softmax_cross_entropy_loss", [large[:1], one, np.array([[1, 0, 0]], np.int32)], [np.array(0.0)], t=(0.0,), i=(2,))

x = coarse(rng.uniform(-3, 3, (2, 3, 4)))
y = coarse(rng.uniform(0, 1, (2, 3, 4)))
for axis in (None, 0, 1, 2, -1, -2):
    k = -1 if axis is None else axis
    ints = () if axis is None else (axis,)
    logs = special.log_softmax(x, k)
    cases.add("softmax_cross_entropy_loss_with_logits", [x, y], [-(y * logs).sum(k)], i=ints)
    cases.add("softmax_cross_entropy_loss_with_logits_grad", [x, y],
              [special.softmax(x, k) * y.sum(k, keepdims=True) - y, -logs], i=ints)
cases.add("softmax_cross_entropy_loss_with_logits", [x[0, 0], y[0, 0]], [np.asarray(-(y[0, 0] * special.log_softmax(x[0, 0])).sum())])
cases.add("softmax_cross_entropy_loss_with_logits", [large, picked], [np.array([1000.0, np.log(3)])])
minus = np.array([[0.0, -np.inf]])
cases.add("softmax_cross_entropy_loss_with_logits", [minus, np.array([[1.0, 0]])], [np.array([0.0])])
for dtype in (np.int32, np.int64, np.uint8):
    labels = rng.integers(0, 4, (2, 3)).astype(dtype)
    logs = special.log_softmax(x, -1)
    cases.add("sparse_softmax_cross_entropy_loss_with_logits", [labels, x],
              [-np.take_along_axis(logs, labels[..., None].astype(np.int64), -1)[..., 0]])
    cases.add("sparse_softmax_cross_entropy_loss_with_logits_grad", [labels, x], [special.softmax(x, -1) - np.eye(4)[labels]])
cases.add("sparse_softmax_cross_entropy_loss_with_logits", [np.array(2), x[0, 0]], [np.asarray(-special.log_softmax(x[0, 0])[2])])


# ---- slices

def firsts(w, e):
    """The first weight of each slice, for weights in the shape of the labels."""
    return w[tuple(slice(0, n) for n in e.shape)]


for axis in (0, 1, -1):
    element = lambda p, y: 1 - (p * y).sum(axis, keepdims=True)
    shape = element(x, y).shape
    for w in (np.array(1.5), coarse(rng.uniform(0.5, 2, shape)), np.array([1.0, 0]).reshape(2, 1, 1) if axis else np.array([1.0, 0, 2]).reshape(1, 3, 1)):
        for mode in range(4):
            cases.add("cosine_distance_loss", [x, w, y], [reduced(mode, element(x, y), w)], i=(mode, axis),
                      tol={"BFLOAT16": 3e-2})
            cases.add("cosine_distance_loss_grad", [x, w, y], gradients(element, mode, x, w, y), i=(mode, axis),
                      tol={**TOL, "BFLOAT16": 3e-2})
    # Of weights in the shape of the labels, the first along the axis count.
    w = coarse(rng.uniform(0.5, 2, x.shape))
    w[0, 0] = 0
    for mode in range(4):
        cases.add("cosine_distance_loss", [x, w, y], [reduced(mode, element(x, y), firsts(w, element(x, y)))],
                  i=(mode, axis), tol={"BFLOAT16": 3e-2})
        cases.add("cosine_distance_loss_grad", [x, w, y], gradients(element, mode, x, w, y, firsts), i=(mode, axis),
                  tol={**TOL, "BFLOAT16": 3e-2})


def pairs(p, y):
    d = (p - y).reshape(p.shape[0], -1)
    n = d.shape[1]
    # the definition: 4 times the mean of the squared difference over ordered pairs of different elements
    e = ((d[:, :, None] - d[:, None, :]) ** 2).sum((1, 2)) * 2 / (n * (n - 1)) if n > 1 else np.zeros(len(d))
    return e.reshape((p.shape[0],) + (1,) * (p.ndim - 1))


for shape in ((3, 4), (2, 3, 2), (3, 1)):
    a, b = coarse(rng.uniform(-2, 2, shape)), coarse(rng.uniform(-2, 2, shape))
    rows = (shape[0],) + (1,) * (len(shape) - 1)
    for w in (np.array(1.5), coarse(rng.uniform(0.5, 2, rows)), np.where(np.arange(shape[0]) == 0, 0.0, 2.0).reshape(rows)):
        for mode in range(4):
            cases.add("mean_pairwssqerr_loss", [a, w, b], [reduced(mode, pairs(a, b), w)], i=(mode,))
            cases.add("mean_pairwssqerr_loss_grad", [a, w, b], gradients(pairs, mode, a, w, b), i=(mode,),
                      tol={"DOUBLE": 1e-6})
    w = coarse(rng.uniform(0.5, 2, shape))
    w[1] = 0
    for mode in range(4):
        cases.add("mean_pairwssqerr_loss", [a, w, b], [reduced(mode, pairs(a, b), firsts(w, pairs(a, b)))], i=(mode,))
        cases.add("mean_pairwssqerr_loss_grad", [a, w, b], gradients(pairs, mode, a, w, b, firsts), i=(mode,),
                  tol={"DOUBLE": 1e-6})
v = np.array([1.0, 2, 4])
for mode in range(4):
    cases.add("mean_pairwssqerr_loss", [v, one, v * 2], [np.asarray(0.0) if mode else np.zeros((1, 1))], i=(mode,))
    cases.add("mean_pairwssqerr_loss_grad", [v, one, v * 2], [np.zeros(3), np.array(0.0), np.zeros(3)], i=(mode,))

cases.add("l2_loss", [x], [np.asarray((x * x).sum() / 2)])
cases.add("l2_loss", [np.array(3.0)], [np.array(4.5)])
cases.add("l2_loss", [np.zeros((0, 2))], [np.array(0.0)])


# ---- connectionist temporal classification, by enumerating all alignments

def collapse(path, blank):
    return tuple(k for i, k in enumerate(path) if k != blank and (i == 0 or path[i - 1] != k))


def ctc(logs, label, blank):
    total = sum(np.exp(sum(logs[t, k] for t, k in enumerate(path)))
                for path in itertools.product(range(logs.shape[1]), repeat=len(logs)) if collapse(path, blank) == tuple(label))
    with np.errstate(divide="ignore"):
        return -np.log(total)


B, T, K = 5, 5, 3
x = coarse(rng.uniform(-1, 1, (B, T, K)))
logs = coarse(special.log_softmax(x, -1))
for blank in (0, 2):
    classes = [k for k in range(K) if k != blank]
    labels = np.array([[classes[0], classes[1], classes[1]], [classes[1], classes[1], classes[0]], [classes[0]] * 3, [classes[1]] * 3,
                       [classes[0]] * 3], np.int32)
    label_lengths, lengths = np.array([3, 2, 1, 0, 3], np.int32), np.array([5, 4, 5, 3, 4], np.int32)
    loss = np.array([ctc(logs[b, :lengths[b]], labels[b, :label_lengths[b]], blank) for b in range(B)])
    for dtype in (np.int32, np.int64):
        args = [labels.astype(dtype), logs, label_lengths.astype(dtype), lengths.astype(dtype)]
        cases.add("ctc_loss", args, [loss], i=(blank,))
    exact = special.log_softmax(x, -1)
    gradient = np.zeros((B, T, K))
    for b in range(4):  # the last sample has no alignment
        gradient[b, :lengths[b]] = slope(
            lambda v: ctc(special.log_softmax(v, -1), labels[b, :label_lengths[b]], blank), x[b, :lengths[b]].copy())
    cases.add("ctc_loss_grad", [labels[:4], exact[:4], label_lengths[:4], lengths[:4]], [gradient[:4]], i=(blank,), tol=TOL)
cases.add("ctc_loss", [labels[:1], logs[:1], np.array([9], np.int32), np.array([9], np.int32)], [loss[:1]], i=(7,))
cases.add("ctc_loss", [labels[:1], logs[:1], np.array([2], np.int32), np.array([0], np.int32)], [np.zeros(1)], i=(0,))

cases.save()
