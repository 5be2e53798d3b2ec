"""Expected values of convolutions from PyTorch, in double; columns, upsampling, dilation2d and ismax from NumPy.

PyTorch pads both sides equally, so uneven padding ("same", causal) is applied to its input first.
"""
import numpy as np
import torch
import torch.nn.functional as F

from cases import Cases

rng = np.random.default_rng(2024)
cases = Cases("convo")
VALID, SAME, CAUSAL = 0, 1, 2


def normal(*shape):
    """Multiples of 1/4: sums of products are exact, and the file is small."""
    return np.round(rng.normal(size=shape) * 4) / 4


def extent(k, d):
    return (k - 1) * d + 1


def pads(size, k, s, p, d, mode):
    """Padding before and after, and the number of windows."""
    if mode == VALID:
        return p, p, (size + 2 * p - extent(k, d)) // s + 1
    out = -(-size // s)
    if mode == CAUSAL:
        return extent(k, d) - 1, 0, out
    total = max(0, (out - 1) * s + extent(k, d) - size)
    return total // 2, total - total // 2, out


def last(x):
    """Channels first to channels last."""
    return np.moveaxis(x, 1, -1)


def weights_in(w, fmt):
    """[out, in, kernel...] in a format."""
    if fmt == 1:
        return w
    if fmt == 2:
        return np.moveaxis(w, 1, -1)
    return np.moveaxis(w, (0, 1), (-1, -2))


CONV = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
TRANSPOSED = {2: F.conv_transpose2d, 3: F.conv_transpose3d}


def plain(x, w, b, s, p, d, mode, groups=1):
    """x [N, C, ...], w [O, C / groups, ...]"""
    dims = x.ndim - 2
    padding, sizes = [], []
    for axis in range(dims):
        before, after, out = pads(x.shape[2 + axis], w.shape[2 + axis], s[axis], p[axis], d[axis], mode)
        padding = [before, after] + padding
        sizes.append(out)
    padded = F.pad(torch.tensor(x), padding)
    y = CONV[dims](padded, torch.tensor(w), None if b is None else torch.tensor(b), stride=s, dilation=d, groups=groups)
    return y[(slice(None), slice(None), *(slice(0, n) for n in sizes))].numpy()


def transposed(x, w, b, s, p, d, mode):
    """w [iC, oC, ...]. Returns y without its padding; "same" gives the size s * i."""
    dims = x.ndim - 2
    y = TRANSPOSED[dims](torch.tensor(x), torch.tensor(w), stride=s, dilation=d).numpy()
    for axis in range(dims):
        i, k = x.shape[2 + axis], w.shape[2 + axis]
        if mode == VALID:
            first, size = p[axis], s[axis] * (i - 1) + extent(k, d[axis]) - 2 * p[axis]
        else:
            size = s[axis] * i
            first = max(0, (i - 1) * s[axis] + extent(k, d[axis]) - size) // 2
            lack = first + size - y.shape[2 + axis]
            if lack > 0:
                y = np.concatenate([y, np.zeros_like(np.take(y, range(lack), 2 + axis))], 2 + axis)
        y = np.take(y, range(first, first + size), 2 + axis)
    return y if b is None else y + b.reshape(1, -1, *[1] * dims)


def arguments(k, s, p, d, mode, fmt, wfmt):
    return (*k, *s, *p, *d, mode, int(fmt), wfmt)


def add(op, x, w, b, y, i, channels_last, wfmt, grad=True, **options):
    inputs = [last(x) if channels_last else x, weights_in(w, wfmt)] + ([] if b is None else [b])
    cases.add(op, inputs, [last(y) if channels_last else y], i=i, grad=range(len(inputs)) if grad else (), **options)


# kernel, stride, pad, dilation, mode
WINDOWS_2D = [
    ((3, 3), (1, 1), (0, 0), (1, 1), VALID),
    ((3, 2), (2, 1), (1, 0), (1, 1), VALID),
    ((2, 3), (1, 2), (1, 2), (2, 1), VALID),
    ((3, 3), (1, 1), (0, 0), (1, 1), SAME),
    ((2, 4), (2, 3), (5, 5), (1, 1), SAME),
    ((3, 2), (2, 2), (0, 0), (2, 3), SAME),
    ((1, 1), (4, 3), (0, 0), (1, 1), SAME),
    ((3, 2), (1, 2), (0, 0), (1, 2), CAUSAL),
    ((1, 1), (1, 1), (0, 0), (1, 1), VALID),
    ((5, 6), (1, 1), (0, 0), (1, 1), VALID),
]
for number, (k, s, p, d, mode) in enumerate(WINDOWS_2D):
    for channels_last in (False, True):
        wfmt = (number + channels_last) % 3
        x, w = normal(2, 3, 5, 6), normal(4, 3, *k)
        b = normal(4) if number % 2 == 0 else None
        i = arguments(k, s, p, d, mode, channels_last, wfmt)
        label = f"kernel {k} stride {s} pad {p} dilation {d} mode {mode}"
        add("conv2d", x, w, b, plain(x, w, b, s, p, d, mode), i, channels_last, wfmt, label=label)
        w = normal(2, 3, *k)
        b = normal(6) if number % 2 == 0 else None
        grouped = np.ascontiguousarray(np.moveaxis(w, 0, 1)).reshape(6, 1, *k)
        add("depthwise_conv2d", x, w, b, plain(x, grouped, b, s, p, d, mode, groups=3), i, channels_last, wfmt,
            label=label)
        if mode != CAUSAL:
            x, w = normal(2, 3, 3, 4), normal(3, 2, *k)
            b = normal(2) if number % 2 == 0 else None
            try:
                y = transposed(x, w, b, s, p, d, mode)
            except (RuntimeError, IndexError, ValueError):
                continue
            # [iC, oC, kernel]: iC is in the place of a plain convolution's output channels.
            add("deconv2d", x, w, b, y, i, channels_last, wfmt, label=label)

# the kernel size taken from the weights; no format arguments; a bias of rank 2; integer images; a null bias
x, w, b = normal(1, 2, 4, 5), normal(3, 2, 2, 3), normal(3)
y = plain(x, w, b, (1, 1), (0, 0), (1, 1), VALID)
for wfmt in range(3):
    cases.add("conv2d", [x, weights_in(w, wfmt), b.reshape(1, 3)], [y], i=(0, -1, 1, 1, 0, 0, 1, 1, 0, 0, wfmt))
cases.add("conv2d", [x, weights_in(w, 0), b], [y], i=(2, 3, 1, 1, 0, 0, 1, 1, 0))
whole = rng.integers(-5, 5, size=(1, 2, 4, 5)).astype(np.int32)
cases.add("conv2d", [whole, weights_in(w, 0).astype(np.float32)],
          [plain(whole.astype(float), w, None, (1, 1), (0, 0), (1, 1), VALID).astype(np.float32)],
          i=(2, 3, 1, 1, 0, 0, 1, 1, 0), types=())
cases.add("conv2d", [x.astype(np.float32), weights_in(w, 0)],
          [plain(x, w, None, (1, 1), (0, 0), (1, 1), VALID)], i=(2, 3, 1, 1, 0, 0, 1, 1, 0), types=())

# large enough for several blocks, and for several partial sums of the weights' gradient
x, w = np.round(normal(2, 8, 30, 45)), np.round(normal(6, 8, 5, 5))
y = plain(x, w, None, (1, 1), (0, 0), (1, 1), SAME)
cases.add("conv2d", [x.astype(np.float32), weights_in(w, 0).astype(np.float32)], [y.astype(np.float32)],
          i=(5, 5, 1, 1, 0, 0, 1, 1, 1), types=())

# single-precision gradients of images large enough for platform helpers
for op, groups, shape in (("conv2d_bp", 1, (4, 6, 3, 2)), ("depthwise_conv2d_bp", 6, (12, 1, 3, 2))):
    for channels_last in (False, True):
        image = torch.tensor(np.round(normal(3, 6, 22, 25)), dtype=torch.float64, requires_grad=True)
        kernels = torch.tensor(np.round(normal(*shape) * 2), dtype=torch.float64, requires_grad=True)
        bias = torch.zeros(shape[0], dtype=torch.float64, requires_grad=True)
        y = F.conv2d(image, kernels, bias, stride=(1, 2), padding=(1, 0), groups=groups)
        g = np.round(normal(*y.shape))
        y.backward(torch.tensor(g))
        lay = last if channels_last else (lambda a: a)
        weights = lambda a: weights_in(a if groups == 1 else np.moveaxis(a.reshape(6, 2, 3, 2), 0, 1), 0)
        arrays = [lay(image.detach().numpy()), weights(kernels.detach().numpy()), bias.detach().numpy(), lay(g)]
        results = [lay(image.grad.numpy()), weights(kernels.grad.numpy()), bias.grad.numpy()]
        cases.add(op, [a.astype(np.float32) for a in arrays], [a.astype(np.float32) for a in results],
                  i=(3, 2, 1, 2, 1, 0, 1, 1, 0, int(channels_last)), types=())

# empty batches and no channels
cases.add("conv2d", [np.zeros((0, 2, 4, 5)), weights_in(w[:3, :2, :2, :3], 0)], [np.zeros((0, 3, 3, 3))],
          i=(2, 3, 1, 1, 0, 0, 1, 1, 0))
cases.add("conv2d", [np.zeros((1, 0, 4, 5)), np.zeros((2, 3, 0, 3)), b[:3]],
          [np.broadcast_to(b.reshape(1, 3, 1, 1), (1, 3, 3, 3))], i=(2, 3, 1, 1, 0, 0, 1, 1, 0))

for k, s, p, d, mode in [(3, 1, 0, 1, VALID), (2, 2, 1, 2, VALID), (3, 2, 0, 1, SAME), (3, 1, 0, 2, CAUSAL),
                         (2, 3, 0, 1, CAUSAL), (1, 1, 0, 1, VALID)]:
    for channels_last in (False, True):
        for wfmt in range(3):
            x, w, b = normal(2, 3, 7), normal(4, 3, k), normal(4)
            y = plain(x, w, b, (s,), (p,), (d,), mode)
            add("conv1d", x, w, b, y, arguments((k,), (s,), (p,), (d,), mode, channels_last, wfmt), channels_last, wfmt)

for k, s, p, d, mode in [((2, 2, 3), (1, 1, 1), (0, 0, 0), (1, 1, 1), VALID),
                         ((2, 1, 2), (2, 1, 2), (1, 0, 1), (1, 2, 1), VALID),
                         ((3, 2, 2), (2, 1, 1), (0, 0, 0), (1, 1, 2), SAME)]:
    for channels_last in (False, True):
        for wfmt in range(3):
            x, w, b = normal(2, 2, 4, 3, 4), normal(3, 2, *k), normal(3)
            i = arguments(k, s, p, d, mode, channels_last, wfmt)
            add("conv3dnew", x, w, b, plain(x, w, b, s, p, d, mode), i, channels_last, wfmt)
            x, w, b = normal(1, 2, 2, 3, 2), normal(2, 3, *k), normal(3)
            add("deconv3d", x, w, b, transposed(x, w, b, s, p, d, mode), i, channels_last, wfmt)

# gradients with respect to the input alone, which are transposed convolutions with a given shape
for size, k, s, p, d, mode in [((5, 6), (3, 2), (2, 1), (1, 0), (1, 1), VALID), ((6, 5), (2, 2), (2, 2), (0, 0), (1, 1), VALID),
                               ((5, 6), (3, 3), (2, 2), (0, 0), (1, 2), SAME)]:
    for channels_last in (False, True):
        for wfmt in (0, 1, 2):
            x = torch.zeros(2, 3, *size, dtype=torch.float64, requires_grad=True)
            w = normal(4, 3, *k)
            before = [pads(size[a], k[a], s[a], p[a], d[a], mode) for a in range(2)]
            padded = F.pad(x, [before[1][0], before[1][1], before[0][0], before[0][1]])
            y = F.conv2d(padded, torch.tensor(w), stride=s, dilation=d)
            g = normal(*y.shape)
            y.backward(torch.tensor(g))
            grad_x = x.grad.numpy()
            shape = np.array(last(grad_x).shape if channels_last else grad_x.shape, dtype=np.int64)
            i = arguments(k, s, p, d, mode, channels_last, wfmt)
            for op in ("conv2d_input_bp", "deconv2d_tf"):
                cases.add(op, [shape, weights_in(w, wfmt), last(g) if channels_last else g],
                          [last(grad_x) if channels_last else grad_x], i=i)

# separable
for number, (k, s, p, d, mode) in enumerate(WINDOWS_2D[:6:2]):
    for channels_last in (False, True):
        for channels in (1, 3):
            wfmt = (number + channels_last) % 3
            x, wd, wp, b = normal(2, channels, 5, 6), normal(2, channels, *k), normal(4, 2 * channels, 1, 1), normal(4)
            grouped = np.ascontiguousarray(np.moveaxis(wd, 0, 1)).reshape(2 * channels, 1, *k)
            middle = plain(x, grouped, None, s, p, d, mode, groups=channels)
            i = arguments(k, s, p, d, mode, channels_last, wfmt)
            lay = last if channels_last else (lambda a: a)

            def both(bias):
                return lay(plain(middle, wp, bias, (1, 1), (0, 0), (1, 1), VALID))

            x_, wd_, wp_ = lay(x), weights_in(wd, wfmt), weights_in(wp, wfmt)
            order = ["in0", "eps0", "in1", "in2"]
            cases.add("sconv2d", [x_, wd_, wp_], [both(None)], i=i, grad=(0, 1, 2), bp={"inputs": order})
            cases.add("sconv2d", [x_, wd_, wp_, b], [both(b)], i=i, grad=(0, 1, 2, 3), bp={"inputs": order + ["in3"]})
            cases.add("sconv2d", [x_, wd_], [lay(middle)], i=i, grad=(0, 1), bp={"inputs": order[:3]})
            offset = normal(2 * channels)
            cases.add("sconv2d", [x_, wd_, offset], [lay(middle + offset.reshape(1, -1, 1, 1))], i=i, grad=(0, 1, 2),
                      bp={"inputs": order[:3] + ["in2"]})

for channels_last in (False, True):
    for wfmt in range(3):
        x, w, b = normal(2, 3, 4, 5), normal(4, 3, 1, 1), normal(4)
        y = plain(x, w, b, (1, 1), (0, 0), (1, 1), VALID)
        add("pointwise_conv2d", x, w, b, y, (int(channels_last), wfmt), channels_last, wfmt, grad=False)
        y = plain(x, w, None, (1, 1), (0, 0), (1, 1), VALID)
        add("pointwise_conv2d", x, w, None, y, (int(channels_last), wfmt), channels_last, wfmt, grad=False)
x, w = normal(2, 3, 4, 5), normal(4, 3, 1, 1)
cases.add("pointwise_conv2d", [x, weights_in(w, 0)], [plain(x, w, None, (1, 1), (0, 0), (1, 1), VALID)])


# columns
def im2col(x, k, s, p, d, out, padding):
    y = np.full((*x.shape[:2], *k, *out), padding, dtype=x.dtype)
    for i, j, oh, ow in np.ndindex(*k, *out):
        h, w = oh * s[0] - p[0] + i * d[0], ow * s[1] - p[1] + j * d[1]
        if 0 <= h < x.shape[2] and 0 <= w < x.shape[3]:
            y[:, :, i, j, oh, ow] = x[:, :, h, w]
    return y


def col2im(columns, s, p, d, size):
    x = np.zeros((*columns.shape[:2], *size))
    for i, j, oh, ow in np.ndindex(*columns.shape[2:]):
        h, w = oh * s[0] - p[0] + i * d[0], ow * s[1] - p[1] + j * d[1]
        if 0 <= h < size[0] and 0 <= w < size[1]:
            x[:, :, h, w] += columns[:, :, i, j, oh, ow]
    return x


for k, s, p, d, mode, padding in [((2, 3), (1, 1), (0, 0), (1, 1), 0, 0), ((2, 2), (2, 1), (1, 2), (1, 2), 0, -7.5),
                                  ((3, 3), (2, 2), (1, 1), (1, 1), 1, 3), ((3, 2), (1, 3), (0, 0), (2, 1), 1, 0)]:
    x = normal(2, 3, 5, 6)
    out = tuple(pads(x.shape[2 + a], k[a], s[a], p[a], d[a], mode)[2] for a in range(2))
    i = (*k, *s, *p, *d, mode)
    y = im2col(x, k, s, p, d, out, padding)
    cases.add("im2col", [x], [y], i=i, t=(padding,) if padding else (), grad=(0,),
              bp={"t": ()})
    g = normal(*y.shape)
    back = col2im(g, s, p, d, (5, 6))
    cases.add("im2col_bp", [x, g], [back], i=i)
    cases.add("col2im", [g], [back], i=(*s, *p, 5, 6, *d, mode))
    cases.add("col2im", [g], [col2im(g, s, p, d, (4, 7))], i=(*s, *p, 4, 7, *d, 0))

# upsampling: the format flag is 1 for channels first
for op, shape, factors in [("upsampling2d", (2, 3, 2, 4), (2, 3)), ("upsampling2d", (1, 2, 3, 1), (1, 4)),
                           ("upsampling2d", (2, 1, 3, 2), (3, 1)), ("upsampling3d", (2, 2, 2, 3, 2), (2, 1, 3)),
                           ("upsampling3d", (1, 3, 1, 2, 2), (3, 2, 2))]:
    x = normal(*shape)
    for channels_last in (False, True):
        y = x
        for axis, factor in enumerate(factors):
            y = np.repeat(y, factor, 2 + axis)
        flag = 0 if channels_last else 1
        lay = last if channels_last else (lambda a: a)
        cases.add(op, [lay(x)], [lay(y)], i=(*factors, flag), grad=(0,), bp={"i": (flag,)})
        if channels_last:
            cases.add(op, [lay(x)], [lay(y)], i=factors)
cases.add("upsampling", [normal(1, 2, 2, 2)], [None], i=(2, 2, 1))
cases.add("upsampling2d", [np.zeros((0, 2, 3, 4))], [np.zeros((0, 4, 6, 4))], i=(2, 2))


# dilation
def dilation(x, w, rates, strides, same):
    size = []
    for a in range(2):
        ek = extent(w.shape[a], rates[a])
        i = x.shape[1 + a]
        size.append(-(-i // strides[a]) if same else (i - ek + strides[a]) // strides[a])
    pad = [max(0, (size[a] - 1) * strides[a] + extent(w.shape[a], rates[a]) - x.shape[1 + a]) // 2 if same else 0
           for a in range(2)]
    y = np.full((x.shape[0], *size, x.shape[3]), -np.inf)
    for oh, ow, i, j in np.ndindex(*size, *w.shape[:2]):
        h, v = oh * strides[0] - pad[0] + i * rates[0], ow * strides[1] - pad[1] + j * rates[1]
        if 0 <= h < x.shape[1] and 0 <= v < x.shape[2]:
            y[:, oh, ow] = np.maximum(y[:, oh, ow], x[:, h, v] + w[i, j])
    return y


for k, rates, strides, same in [((2, 3), (1, 1), (1, 1), 0), ((3, 2), (1, 2), (2, 1), 1), ((2, 2), (2, 1), (1, 2), 0)]:
    x, w = normal(2, 5, 6, 3), normal(*k, 3)
    y = dilation(x, w, rates, strides, same)
    four = lambda a: np.array([1, *a, 1], dtype=np.int32)
    cases.add("dilation2d", [x, w], [y], i=(same, *four(rates), *four(strides)))
    cases.add("dilation2d", [x, w, four(rates), four(strides)], [y], i=(same,))


# the maximum of sub-arrays; of equal elements the first
def is_max(x, axes):
    moved = np.moveaxis(x, axes, range(x.ndim - len(axes), x.ndim))
    flat = moved.reshape(*moved.shape[:x.ndim - len(axes)], -1)
    z = np.zeros_like(flat)
    np.put_along_axis(z, flat.argmax(-1)[..., None], 1, -1)
    return np.moveaxis(z.reshape(moved.shape), range(x.ndim - len(axes), x.ndim), axes)


x = rng.integers(-3, 4, size=(3, 4, 5)).astype(np.float64)
for axes in [(0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (0, 1, 2), (-1,), (2, 0)]:
    cases.add("ismax", [x], [is_max(x, tuple(sorted(a % 3 for a in axes)))], i=axes)
cases.add("ismax", [x], [is_max(x, (0, 1, 2))])
cases.add("IsMax", [x.astype(np.int32)], [is_max(x.astype(np.int32), (2,))], i=(2,))
cases.add("ismax", [x.astype(np.int8)], [is_max(x.astype(np.int8), (1,))], i=(1,))
cases.add("ismax", [np.array([1., 5, 5, 2])], [np.array([0., 1, 0, 0])], i=(0,))
cases.add("ismax", [np.array([[1., 5, 5, 2]])], [np.array([[0., 1, 0, 0]])], i=(1,))
cases.add("ismax", [np.array([[1., 5, 5, 2]])], [np.ones((1, 4))], i=(0,))
cases.add("ismax", [np.array([[1.], [5], [2]])], [np.array([[0.], [1], [0]])], i=(0,))
cases.add("ismax", [np.array([np.nan, 5, 1])], [np.array([1., 0, 0])])
cases.add("ismax", [np.array([1, np.nan, 5])], [np.array([0., 0, 1])])
cases.add("ismax", [np.array(3.0)], [np.array(1.0)])
cases.add("ismax", [np.array([2**63 + 5, 2**64 - 1, 7], dtype=np.uint64)], [np.array([0, 1, 0], dtype=np.uint64)])
cases.save()
