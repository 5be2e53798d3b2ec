"""Convolutions and pooling whose padding differs at both ends, and pooling in ceil mode: arguments without a place.

Convolutions are PyTorch's, of an input that is padded first; pooling is written from the definition in NumPy and checked
against PyTorch where that has the same.
"""
import numpy as np
import torch
import torch.nn.functional as F

from cases import Cases

rng = np.random.default_rng(19)
cases = Cases("paddings")
CONV = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
TRANSPOSED = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}
LAYOUTS = {1: ("ncw", "nwc"), 2: ("nchw", "nhwc"), 3: ("ncdhw", "ndhwc")}
WEIGHTS = ("hwio", "oihw", "ohwi")


def normal(*shape):
    """Multiples of 1/4: sums of products are exact, and the file is small."""
    return np.round(rng.normal(size=shape) * 4) / 4


def distinct(*shape):
    """Values without ties and zeros, so that the gradients exist; every float type holds them."""
    count = int(np.prod(shape))
    assert count <= 180
    values = rng.permutation(count) - count // 2
    return np.where(values == 0, count // 2 + 1, values).reshape(shape) / 4


def last(x):
    return np.moveaxis(x, 1, -1)


def weights_in(w, layout):
    """[out, in, kernel...] in a layout."""
    return {"oihw": w, "ohwi": np.moveaxis(w, 1, -1), "hwio": np.moveaxis(w, (0, 1), (-1, -2))}[layout]


def extent(k, d):
    return (k - 1) * d + 1


def lower(size, k, s, d):
    """The padding of same_lower: the larger half at the start."""
    missing = max(0, (-(-size // s) - 1) * s + extent(k, d) - size)
    return (missing + 1) // 2, missing // 2


def around(sizes, k, s, before, after, d):
    """The cells added before and after each axis; `before` of None is same_lower."""
    if before is None:
        return [lower(*each) for each in zip(sizes, k, s, d)]
    return list(zip(before, before if after is None else after))


def windows(k, s, before, after, d):
    """Arguments of a call by their names."""
    named = {"kernel": k, "stride": s, "dilation": d}
    if before is None:
        named["padding_mode"] = "same_lower"
    else:
        named["padding"] = before
        if after is not None:
            named["padding_end"] = after
    return {name: list(value) if isinstance(value, tuple) else value for name, value in named.items()}


# kernel, stride, padding, its end (None: as the start), dilation
ROWS = {
    1: [((3,), (1,), (2,), (0,), (1,)), ((3,), (2,), (0,), (1,), (2,)), ((4,), (3,), None, None, (1,)),
        ((2,), (1,), None, None, (3,)), ((2,), (1,), (1,), None, (1,)), ((3,), (2,), (1,), (-1,), (1,))],
    2: [((3, 2), (1, 2), (0, 1), (2, 0), (1, 1)), ((2, 3), (2, 1), (1, 0), (0, 3), (1, 2)),
        ((2, 4), (2, 3), None, None, (1, 1)), ((3, 2), (1, 1), None, None, (2, 1)), ((3, 3), (2, 2), (1, 1), (-1, 0), (1, 1))],
    3: [((2, 1, 2), (1, 2, 1), (1, 0, 0), (0, 1, 2), (1, 1, 1)), ((3, 2, 2), (2, 1, 1), None, None, (1, 1, 2))],
}
SIZES = {1: (7,), 2: (5, 6), 3: (3, 3, 4)}
for dims, rows in ROWS.items():
    for number, (k, s, before, after, d) in enumerate(rows):
        for channels_last in (0, 1):
            wl = WEIGHTS[(number + channels_last) % 3]
            named = windows(k, s, before, after, d) | {"layout": LAYOUTS[dims][channels_last], "weight_layout": wl}
            lay = last if channels_last else (lambda a: a)
            end = None if after is None else tuple(b if a < 0 else a for a, b in zip(after, before))
            pads = around(SIZES[dims], k, s, before, end, d)
            x, w, b = normal(2, 3, *SIZES[dims]), normal(4, 3, *k), normal(4)
            padded = np.pad(x, [(0, 0), (0, 0), *pads])
            y = CONV[dims](torch.tensor(padded), torch.tensor(w), torch.tensor(b), stride=s, dilation=d).numpy()
            name = {1: "conv1d", 2: "conv2d", 3: "conv3dnew"}[dims]
            cases.add(name, [lay(x), weights_in(w, wl), b], [lay(y)], named=named, grad=(0, 1, 2))
            if dims == 2:
                w, b = normal(2, 3, *k), normal(6)
                grouped = np.ascontiguousarray(np.moveaxis(w, 0, 1)).reshape(6, 1, *k)
                y = F.conv2d(torch.tensor(padded), torch.tensor(grouped), torch.tensor(b), stride=s, dilation=d, groups=3)
                cases.add("depthwise_conv2d", [lay(x), weights_in(w, wl), b], [lay(y.numpy())], named=named,
                          grad=(0, 1, 2))
            # Transposed: the whole result without the cells of the padding. Weights are [iC, oC, kernel...].
            small = SIZES[dims][:-1] + (3,)
            x, w, b = normal(2, 3, *small), normal(3, 2, *k), normal(2)
            y = TRANSPOSED[dims](torch.tensor(x), torch.tensor(w), stride=s, dilation=d).numpy()
            for axis, size in enumerate(small):
                if before is None:
                    first, count = lower(s[axis] * size, k[axis], s[axis], d[axis])[0], s[axis] * size
                    lack = max(0, first + count - y.shape[2 + axis])
                    y = np.pad(y, [(0, lack if a == 2 + axis else 0) for a in range(y.ndim)])
                else:
                    first = before[axis]
                    count = y.shape[2 + axis] - first - (before if end is None else end)[axis]
                y = np.take(y, range(first, first + count), 2 + axis)
            y = y + b.reshape(1, -1, *[1] * dims)
            cases.add(f"deconv{dims}d", [lay(x), weights_in(w, wl), b], [lay(y)], named=named, grad=(0, 1, 2))

# deconv1d by position, as its relatives: kernel, stride, padding, dilation, mode, layout of x, layout of the weights
for k, s, p, d in ((3, 2, 1, 1), (2, 1, 0, 2), (4, 3, 2, 1), (1, 1, 0, 1)):
    for channels_last in (0, 1):
        for number, wl in enumerate(WEIGHTS):
            x, w, b = normal(2, 3, 5), normal(3, 2, k), normal(2)
            y = F.conv_transpose1d(torch.tensor(x), torch.tensor(w), torch.tensor(b), stride=s, padding=p, dilation=d).numpy()
            lay = last if channels_last else (lambda a: a)
            cases.add("deconv1d", [lay(x), weights_in(w, wl), b], [lay(y)], i=(k, s, p, d, 0, channels_last, number),
                      grad=(0, 1, 2))
            if k == 3:
                cases.add("deconv1d", [lay(x), weights_in(w, wl)], [lay(y) - (b if channels_last else b[:, None])],
                          i=(-1, s, p, d, 0, channels_last, number), grad=(0, 1))

for k, s, p, d in ((3, 2, 1, 1), (2, 1, 0, 2)):
    x, w, b = (torch.tensor(normal(*shape), requires_grad=True) for shape in ((2, 3, 5), (3, 2, k), (2,)))
    y = F.conv_transpose1d(x, w, b, stride=s, padding=p, dilation=d)
    g = normal(*y.shape)
    y.backward(torch.tensor(g))
    cases.add("deconv1d_bp", [x.detach().numpy(), w.detach().numpy(), b.detach().numpy(), g],
              [x.grad.numpy(), w.grad.numpy(), b.grad.numpy()], i=(k, s, p, d, 0, 0, 1))


def pooled(x, k, s, pads, d, ceil, reduce):
    """For x [N, C, spatial...]; reduce(values of the cells inside, number of cells inside the padded input)."""
    outs = []
    for axis, size in enumerate(x.shape[2:]):
        room = size + sum(pads[axis]) - extent(k[axis], d[axis])
        out = (room + (s[axis] - 1 if ceil else 0)) // s[axis] + 1
        # A window that begins in the padding at the end does not count.
        outs.append(out - 1 if ceil and (out - 1) * s[axis] >= size + pads[axis][0] else out)
    y = np.zeros((*x.shape[:2], *outs))
    for o in np.ndindex(*outs):
        starts = [o[a] * s[a] - pads[a][0] for a in range(len(k))]
        cells, padded = [], 0
        for c in np.ndindex(*k):
            at = [starts[a] + c[a] * d[a] for a in range(len(k))]
            padded += all(at[a] < x.shape[2 + a] + pads[a][1] for a in range(len(k)))
            if all(0 <= at[a] < x.shape[2 + a] for a in range(len(k))):
                cells.append(tuple(at))
        values = np.stack([x[(..., *c)] for c in cells], -1) if cells else np.zeros((*x.shape[:2], 0))
        y[(..., *o)] = reduce(values, padded)
    return y


def maximum(values, _):
    return values.max(-1) if values.shape[-1] else np.full(values.shape[:-1], -np.inf)


def average(count_padded):
    return lambda values, padded: values.sum(-1) / max(1, padded if count_padded else values.shape[-1])


def norm(p):
    return lambda values, _: (np.abs(values) ** p).sum(-1) ** (1 / p)


# kernel, stride, padding, its end, dilation, ceil mode
POOLS = {
    2: [((2, 3), (1, 2), (1, 0), (0, 2), (1, 1), False), ((3, 2), (2, 1), (0, 1), (2, 0), (1, 2), False),
        ((2, 2), (2, 2), None, None, (1, 1), False), ((4, 3), (3, 1), None, None, (1, 1), False),
        ((2, 2), (2, 4), (0, 0), None, (1, 1), True), ((3, 3), (2, 2), (1, 1), None, (1, 1), True),
        ((3, 3), (3, 2), (1, 0), None, (1, 1), True), ((2, 2), (3, 3), (1, 1), None, (1, 1), True),
        ((2, 3), (2, 2), (0, 1), (1, 0), (2, 1), True), ((3, 2), (4, 3), (0, 0), (2, 1), (1, 1), True),
        ((2, 2), (2, 2), (1, 1), (-1, -1), (1, 1), True)],
    3: [((2, 2, 2), (2, 2, 3), (0, 0, 0), None, (1, 1, 1), True), ((2, 3, 2), (2, 2, 2), (1, 1, 0), None, (1, 1, 1), True),
        ((2, 1, 3), (1, 1, 2), (0, 0, 1), (1, 0, 2), (1, 1, 1), False), ((3, 2, 2), (2, 1, 2), None, None, (1, 1, 1), False)],
}
NAMES = {2: ("maxpool2d", "avgpool2d"), 3: ("maxpool3dnew", "avgpool3dnew")}
SIZES = {2: (2, 3, 5, 6), 3: (2, 2, 3, 3, 4)}
checked = 0
for dims, rows in POOLS.items():
    for k, s, before, after, d, ceil in rows:
        end = None if after is None else tuple(b if a < 0 else a for a, b in zip(after, before))
        pads = around(SIZES[dims][2:], k, s, before, end, d)
        equal = all(a == b for a, b in pads) and before is not None and all(2 * a <= n for (a, _), n in zip(pads, k))
        for channels_last in (0, 1):
            named = windows(k, s, before, after, d) | {"layout": LAYOUTS[dims][channels_last]}
            if ceil:
                named["ceil_mode"] = True
            lay = last if channels_last else (lambda a: a)
            x = distinct(*SIZES[dims])
            y = pooled(x, k, s, pads, d, ceil, maximum)
            torch_max = F.max_pool2d if dims == 2 else F.max_pool3d
            torch_average = F.avg_pool2d if dims == 2 else F.avg_pool3d
            if equal:
                reference = torch_max(torch.tensor(x), k, s, before, d, ceil_mode=ceil).numpy()
                np.testing.assert_array_equal(y, reference)
            else:
                flat = [n for pair in reversed(pads) for n in pair]
                reference = torch_max(F.pad(torch.tensor(x), flat, value=-np.inf), k, s, 0, d, ceil_mode=ceil).numpy()
                # PyTorch cannot know where the padding begins, so it may count a window more.
                np.testing.assert_array_equal(y, reference[tuple(slice(0, n) for n in y.shape)])
            checked += 1
            cases.add(NAMES[dims][0], [lay(x)], [lay(y)], named=named, grad=(0,))
            for padded in (False, True):
                y = pooled(x, k, s, pads, d, ceil, average(padded))
                if equal and all(n == 1 for n in d):
                    reference = torch_average(torch.tensor(x), k, s, before, ceil, padded).numpy()
                    np.testing.assert_allclose(y, reference, atol=1e-12)
                    checked += 1
                cases.add(NAMES[dims][1], [lay(x)], [lay(y)], named=named | {"count_include_pad": padded}, grad=(0,))
            if dims == 2:
                for order in (1, 2, 3):
                    y = pooled(x, k, s, pads, d, ceil, norm(order))
                    cases.add("pnormpool2d", [lay(x)], [lay(y)], named=named | {"ord": order}, grad=(0,),
                              tol={"HALF": 1e-2})
            if dims == 2 and not channels_last:
                values = pooled(x, k, s, pads, d, ceil, maximum)
                n = x.shape[2] * x.shape[3]
                # The values are distinct, so their places are where they stand in x.
                places = np.zeros(values.shape, np.int64)
                for at in np.ndindex(*values.shape):
                    channel = x[at[0], at[1]].ravel()
                    places[at] = at[1] * n + int(np.flatnonzero(channel == values[at])[0])
                del named["layout"]
                cases.add("max_pool_with_argmax", [x], [values, places], named=named, types=())
assert checked > 30
# Windows larger than the image count in ceil mode only.
x = distinct(1, 1, 2, 3)
for name, expected in (("maxpool2d", x.max()), ("avgpool2d", x.mean())):
    cases.add(name, [x], [np.full((1, 1, 1, 1), expected)],
              named={"kernel": [3, 4], "stride": [2, 2], "ceil_mode": True, "layout": "nchw"}, grad=(0,))

# PyTorch's output_padding: fewer cells are left out at the end than at the start.
for dims, k, s, p, extra in ((1, (3,), (2,), (1,), (1,)), (2, (3, 4), (2, 3), (1, 2), (1, 2)),
                             (3, (3, 2, 3), (2, 1, 2), (1, 0, 1), (0, 0, 1))):
    x, w, b = normal(1, 2, *(2, 3, 2)[:dims]), normal(2, 3, *k), normal(3)
    y = TRANSPOSED[dims](torch.tensor(x), torch.tensor(w), torch.tensor(b), stride=s, padding=p, output_padding=extra)
    named = {"kernel": list(k), "stride": list(s), "padding": list(p), "padding_end": [a - e for a, e in zip(p, extra)],
             "layout": LAYOUTS[dims][0], "weight_layout": "oihw"}
    cases.add(f"deconv{dims}d", [x, w, b], [y.numpy()], named=named, grad=(0, 1, 2))
cases.save()
