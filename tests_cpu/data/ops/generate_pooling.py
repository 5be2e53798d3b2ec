"""Expected values of pooling, from the definition in NumPy; checked against PyTorch where it has the same operation."""
import numpy as np
import torch
import torch.nn.functional as F

from cases import Cases

rng = np.random.default_rng(7)
cases = Cases("pooling")


def distinct(*shape):
    """Values without ties and zeros, so that the gradients exist; every float type holds them."""
    count = int(np.prod(shape))
    values = rng.permutation(count) - count // 2
    assert count <= 180
    return np.where(values == 0, count // 2 + 1, values).reshape(shape) / 4


def windows(x, k, s, p, d, same):
    """For x [N, C, spatial...], the cells of each window: (index of the window, list of positions)."""
    sizes, before = [], []
    for axis, size in enumerate(x.shape[2:]):
        ek = (k[axis] - 1) * d[axis] + 1
        out = -(-size // s[axis]) if same else (size + 2 * p[axis] - ek) // s[axis] + 1
        sizes.append(out)
        before.append(max(0, (out - 1) * s[axis] + ek - size) // 2 if same else p[axis])
    for o in np.ndindex(*sizes):
        cells = []
        for c in np.ndindex(*k):
            at = tuple(o[a] * s[a] - before[a] + c[a] * d[a] for a in range(len(k)))
            if all(0 <= at[a] < x.shape[2 + a] for a in range(len(k))):
                cells.append(at)
        yield tuple(sizes), o, cells


def pooled(x, k, s, p, d, same, reduce):
    y = None
    for sizes, o, cells in windows(x, k, s, p, d, same):
        if y is None:
            y = np.zeros((*x.shape[:2], *sizes), dtype=x.dtype)
        values = np.stack([x[(..., *c)] for c in cells], -1) if cells else np.zeros((*x.shape[:2], 0), dtype=x.dtype)
        y[(..., *o)] = reduce(values)
    return y


def maximum(values):
    return values.max(-1)


def average(padding, size):
    return lambda v: v.sum(-1) / (size if padding else max(1, v.shape[-1]))


def norm(p):
    return lambda v: (np.abs(v) ** p).sum(-1) ** (1 / p)


def last(x):
    return np.moveaxis(x, 1, -1)


WINDOWS = {
    2: [((2, 2), (2, 2), (0, 0), (1, 1), 0), ((3, 2), (1, 2), (1, 0), (1, 1), 0), ((2, 3), (2, 1), (1, 1), (2, 1), 0),
        ((3, 3), (1, 1), (0, 0), (1, 1), 1), ((2, 4), (2, 3), (4, 4), (1, 1), 1), ((3, 2), (2, 2), (0, 0), (2, 3), 1),
        ((1, 1), (4, 3), (0, 0), (1, 1), 1), ((5, 6), (1, 1), (0, 0), (1, 1), 0)],
    3: [((2, 2, 2), (2, 1, 2), (0, 0, 0), (1, 1, 1), 0), ((1, 2, 3), (1, 1, 1), (0, 1, 1), (1, 2, 1), 0),
        ((2, 3, 2), (2, 2, 1), (0, 0, 0), (1, 1, 2), 1)],
}
NAMES = {2: ("maxpool2d", "avgpool2d"), 3: ("maxpool3dnew", "avgpool3dnew")}
for dims, shape in ((2, (2, 3, 5, 6)), (3, (2, 2, 3, 3, 4))):
    max_name, avg_name = NAMES[dims]
    for k, s, p, d, same in WINDOWS[dims]:
        for channels_last in (0, 1):
            lay = last if channels_last else (lambda a: a)
            x = distinct(*shape)
            i = (*k, *s, *p, *d, same)
            label = f"kernel {k} stride {s} pad {p} dilation {d} same {same}"
            y = pooled(x, k, s, p, d, same, maximum)
            if dims == 2 and not same and d == (1, 1) and all(2 * b <= a for a, b in zip(k, p)):
                np.testing.assert_array_equal(y, F.max_pool2d(torch.tensor(x), k, s, p).numpy())
            cases.add(max_name, [lay(x)], [lay(y)], i=(*i, 1, channels_last), grad=(0,), label=label)
            for padding in (0, 1):
                y = pooled(x, k, s, p, d, same, average(padding, np.prod(k)))
                if dims == 2 and not same and d == (1, 1) and all(2 * b <= a for a, b in zip(k, p)):
                    torch_y = F.avg_pool2d(torch.tensor(x), k, s, p, count_include_pad=bool(padding)).numpy()
                    np.testing.assert_allclose(y, torch_y, atol=1e-12)
                cases.add(avg_name, [lay(x)], [lay(y)], i=(*i, padding, channels_last), grad=(0,), label=label)
            if dims == 2:
                for order in (1, 2, 3):
                    y = pooled(x, k, s, p, d, same, norm(order))
                    cases.add("pnormpool2d", [lay(x)], [lay(y)], i=(*i, order, channels_last), grad=(0,), label=label,
                              tol={"HALF": 1e-2}, bp={"t": (1e-6,)})

# without the optional arguments; aliases
x = distinct(1, 2, 4, 4)
y = pooled(x, (2, 2), (2, 2), (0, 0), (1, 1), 0, maximum)
for name in ("maxpool2d", "MaxPool", "MaxPool2D", "maxpool"):
    cases.add(name, [x], [y], i=(2, 2, 2, 2, 0, 0, 1, 1, 0))

# all integer types, and zeros in unsigned types only
for dtype in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64):
    low = 0 if dtype().dtype.kind == "u" else -100
    x = rng.integers(low, 100, size=(1, 2, 4, 6)).astype(dtype)
    x[0, 0, :2] = 0
    for op, dims in (("maxpool2d", 2), ("maxpool3dnew", 3)):
        k, s, zeros, ones = (2,) * dims, (2,) * dims, (0,) * dims, (1,) * dims
        image = x if dims == 2 else np.repeat(x[:, :, None], 2, 2)
        cases.add(op, [image], [pooled(image, k, s, zeros, ones, 0, maximum)], i=(*k, *s, *zeros, *ones, 0, 0, 0))
    total = x.astype(np.int64)[:, :, ::2, ::2] + x.astype(np.int64)[:, :, 1::2, ::2]
    total = total + x.astype(np.int64)[:, :, ::2, 1::2] + x.astype(np.int64)[:, :, 1::2, 1::2]
    mean = np.sign(total) * (np.abs(total) // 4)
    cases.add("avgpool2d", [x], [mean.astype(dtype)], i=(2, 2, 2, 2, 0, 0, 1, 1, 0, 0, 0))
big = np.array([2**64 - 1, 5, 2**63, 2**63 - 1], dtype=np.uint64).reshape(1, 1, 2, 2)
cases.add("maxpool2d", [big], [big[:, :, :1, :1]], i=(2, 2, 1, 1, 0, 0, 1, 1, 0))

# NaN is skipped; windows with padding only give the lowest value, or 0
x = np.array([np.nan, 1, 2, np.nan], dtype=np.float32).reshape(1, 1, 2, 2)
cases.add("maxpool2d", [x], [np.full((1, 1, 1, 1), 2, np.float32)], i=(2, 2, 1, 1, 0, 0, 1, 1, 0), types=())
x = np.array([[[[1.0]]]], dtype=np.float32)
low = np.finfo(np.float32).min
cases.add("maxpool2d", [x], [np.array([[[[low] * 3, [low, 1, low], [low] * 3]]], dtype=np.float32)],
          i=(1, 1, 1, 1, 1, 1, 1, 1, 0), types=())
for padding in (0, 1):
    cases.add("avgpool2d", [x], [np.array([[[[0] * 3, [0, 1, 0], [0] * 3]]], dtype=np.float32)],
              i=(1, 1, 1, 1, 1, 1, 1, 1, 0, padding))
cases.add("maxpool2d_bp", [x, np.arange(9, dtype=np.float32).reshape(1, 1, 3, 3)],
          [np.array([[[[4]]]], dtype=np.float32)], i=(1, 1, 1, 1, 1, 1, 1, 1, 0, 0))
# ties: the first cell gets the gradient; without a maximum the first cell inside the image does
x = np.array([[3, 3, 1], [3, 3, 1]], dtype=np.float64).reshape(1, 1, 2, 3)
g = np.array([10.0, 20.0]).reshape(1, 1, 1, 2)
cases.add("maxpool2d_bp", [x, g], [np.array([[10.0, 20, 0], [0, 0, 0]]).reshape(1, 1, 2, 3)],
          i=(2, 2, 1, 1, 0, 0, 1, 1, 0, 0))
x = np.full((1, 1, 2, 2), np.nan)
cases.add("maxpool2d_bp", [x, np.full((1, 1, 1, 1), 5.0)], [np.array([[5.0, 0], [0, 0]]).reshape(1, 1, 2, 2)],
          i=(2, 2, 1, 1, 0, 0, 1, 1, 0, 0), types=())
# p-norm of zeros
zero = np.zeros((1, 1, 2, 2))
cases.add("pnormpool2d_bp", [zero, np.full((1, 1, 1, 1), 5.0)], [zero], i=(2, 2, 1, 1, 0, 0, 1, 1, 0, 2), t=(1e-6,))
# empty
cases.add("maxpool2d", [np.zeros((0, 2, 4, 4))], [np.zeros((0, 2, 2, 2))], i=(2, 2, 2, 2, 0, 0, 1, 1, 0))
cases.add("avgpool2d", [np.zeros((2, 0, 4, 4))], [np.zeros((2, 0, 2, 2))], i=(2, 2, 2, 2, 0, 0, 1, 1, 0, 0))
cases.add("maxpool2d_bp", [np.zeros((0, 2, 4, 4)), np.zeros((0, 2, 2, 2))], [np.zeros((0, 2, 4, 4))],
          i=(2, 2, 2, 2, 0, 0, 1, 1, 0, 0))

# large enough to be divided among threads
x = rng.integers(-9, 10, size=(2, 6, 40, 46)).astype(np.float32)
y = F.max_pool2d(torch.tensor(x), 3, 2, 1).numpy()
cases.add("maxpool2d", [x], [y], i=(3, 3, 2, 2, 1, 1, 1, 1, 0), types=())

y = F.avg_pool2d(torch.tensor(x), 2, 2).numpy()
cases.add("avgpool2d", [x], [y], i=(2, 2, 2, 2, 0, 0, 1, 1, 0, 0), types=())
g = rng.integers(-9, 10, size=y.shape).astype(np.float32)
cases.add("avgpool2d_bp", [x, g], [np.repeat(np.repeat(g, 2, 2), 2, 3) / 4], i=(2, 2, 2, 2, 0, 0, 1, 1, 0, 0), types=())

# positions of maxima in [C, H, W]
for k, s, p, d, same in WINDOWS[2][:6]:
    x = distinct(2, 3, 5, 6)
    values, indices = [], []
    for sizes, o, cells in windows(x, k, s, p, d, same):
        stack = np.stack([x[(..., *c)] for c in cells], -1)
        flat = np.array([c[0] * 6 + c[1] for c in cells])
        values.append(stack.max(-1))
        indices.append(flat[stack.argmax(-1)] + np.arange(3) * 30)
    values = np.stack(values, -1).reshape(2, 3, *sizes)
    indices = np.stack(indices, -1).reshape(2, 3, *sizes)
    i = (*k, *s, *p, *d, same)
    cases.add("max_pool_with_argmax", [x], [values, indices.astype(np.int64)], i=i)
    cases.add("max_pool_with_argmax", [x], [values, indices.astype(np.int32)], i=i, d=("INT32",))
x = rng.integers(0, 9, size=(1, 2, 3, 3)).astype(np.int16)
cases.add("max_pool_with_argmax", [x], [x, np.arange(18).reshape(1, 2, 3, 3)], i=(1, 1, 1, 1, 0, 0, 1, 1, 0))
cases.save()
