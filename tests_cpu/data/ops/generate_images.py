"""Expected values of operations on images: Python's colorsys and direct NumPy formulas in float64.

Coordinates of resized images are defined in float32, so they are computed in float32 here as well.
"""
import colorsys

import numpy as np

from cases import Cases, Empty, coarse

rng = np.random.default_rng(12)
cases = Cases("images")
f32 = np.float32


def some(*shape):
    return coarse(rng.uniform(0, 1, size=shape))


# ---- colours
def on_triples(f, x, axis):
    return np.moveaxis(np.apply_along_axis(lambda c: f(*c), -1, np.moveaxis(x, axis, -1)), -1, axis)


LINEAR = {
    "rgb_to_yuv": [[0.299, 0.587, 0.114], [-0.14714119, -0.2888691, 0.43601035], [0.61497538, -0.51496512, -0.10001026]],
    "yuv_to_rgb": [[1, 0, 1.13988303], [1, -0.394642334, -0.58062185], [1, 2.03206185, 0]],
    "rgb_to_yiq": [[0.299, 0.587, 0.114], [0.59590059, -0.27455667, -0.32134392], [0.2115, -0.52273617, 0.31119955]],
    "yiq_to_rgb": [[1, 0.95598634, 0.6208248], [1, -0.27201283, -0.64720424], [1, -1.10674021, 1.70423049]],
}
CURVED = {"rgb_to_hsv": colorsys.rgb_to_hsv, "hsv_to_rgb": colorsys.hsv_to_rgb}
LAYOUTS = (((4, 5, 3), None), ((3,), 0), ((2, 3, 4), 1), ((3, 2, 5), -3), ((2, 2, 3, 3), 2))
HALVES = {"HALF": 1e-2, "BFLOAT16": 6e-2}
for shape, axis in LAYOUTS:
    x = some(*shape)
    at = -1 if axis is None else axis
    args = () if axis is None else (axis,)
    for op, matrix in LINEAR.items():
        cases.add(op, [x], [on_triples(lambda *c: np.array(matrix) @ c, x, at)], i=args)
    for op, f in CURVED.items():
        cases.add(op, [x], [on_triples(f, x, at)], i=args, tol=HALVES)
    grey = np.expand_dims(np.tensordot(np.moveaxis(x, at, -1), [0.2989, 0.5870, 0.1140], 1), at)
    cases.add("rgb_to_grs", [x], [grey], i=args)
corners = np.array([[a, b, c] for a in (0, 0.5, 1) for b in (0, 0.5, 1) for c in (0, 0.5, 1)], dtype=np.float64)
cases.add("rgb_to_hsv", [corners], [on_triples(colorsys.rgb_to_hsv, corners, -1)])
sixths = np.array([[k / 8, 1, 1] for k in range(8)])
cases.add("hsv_to_rgb", [sixths], [on_triples(colorsys.hsv_to_rgb, sixths, -1)])
whole = rng.integers(0, 256, size=(4, 4, 3))
for dtype in (np.uint8, np.int32, np.int64):
    exact = np.trunc(np.tensordot(whole, [0.2989, 0.5870, 0.1140], 1)[..., None] + 1e-9)
    cases.add("rgb_to_grs", [whole.astype(dtype)], [exact.astype(dtype)])
for op in (*LINEAR, *CURVED):
    cases.add(op, [np.zeros((0, 3))], [np.zeros((0, 3))])
cases.add("rgb_to_grs", [np.zeros((0, 3))], [np.zeros((0, 1))])


def hue(delta):
    def f(r, g, b):
        h, s, v = colorsys.rgb_to_hsv(r, g, b)
        return colorsys.hsv_to_rgb((h + delta) % 1, s, v)
    return f


def saturation(factor):
    def f(r, g, b):
        h, s, v = colorsys.rgb_to_hsv(r, g, b)
        return colorsys.hsv_to_rgb(h, min(max(s * factor, 0), 1), v)
    return f


x = some(2, 3, 4, 3)
turned = np.ascontiguousarray(np.moveaxis(x, -1, 1))
for delta in (0.25, -0.5, 1.0, 0.0):
    cases.add("adjust_hue", [x], [on_triples(hue(delta), x, -1)], t=(delta,), tol=HALVES)
cases.add("adjust_hue", [turned, np.array(0.25)], [on_triples(hue(0.25), turned, 1)], i=(1,), tol=HALVES)
for factor in (0.5, 2.0, 0.0, -1.0):
    cases.add("adjust_saturation", [x], [on_triples(saturation(factor), x, -1)], t=(factor,), tol=HALVES)
cases.add("adjust_saturation", [turned, np.array(1.5)], [on_triples(saturation(1.5), turned, 1)], i=(1,), tol=HALVES)
for op in ("adjust_hue", "adjust_saturation", "adjust_contrast", "adjust_contrast_v2"):
    cases.add(op, [np.zeros((0, 2, 3))], [np.zeros((0, 2, 3))], t=(0.5,))
for shape in ((2, 3, 4, 3), (4, 5, 2), (2, 3, 4, 2, 1)):
    x = some(*shape)
    for factor in (2.0, 0.5, -1.0):
        for op, axes in (("adjust_contrast", tuple(range(x.ndim - 1))), ("adjust_contrast_v2", (-3, -2))):
            mean = x.mean(axes, keepdims=True)
            cases.add(op, [x], [(x - mean) * factor + mean], t=(factor,), tol=HALVES)
            cases.add(op, [x, np.array(factor)], [(x - mean) * factor + mean], tol=HALVES)


# ---- sizes
def scale(n, out, align):
    return f32(n - 1) / f32(out - 1) if align and out > 1 else f32(n) / f32(out)


def coordinates(n, out, align, half):
    i = np.arange(out, dtype=f32)
    s = scale(n, out, align)
    return (i + f32(0.5)) * s - f32(0.5) if half else i * s


def linear(n, out, align, half):
    """np.interp repeats the edge beyond the ends, as clamped neighbours do."""
    c = coordinates(n, out, align, half).astype(np.float64)
    return np.stack([np.interp(c, np.arange(n), np.eye(n)[k]) if n > 1 else np.ones(out) for k in range(n)], 1)


def cubic(n, out, align, half, a, exclude):
    matrix = np.zeros((out, n))
    for row, c in zip(matrix, coordinates(n, out, align, half)):
        base = int(np.floor(c))
        t = np.round((c - np.floor(c)) * 1024) / 1024
        taps = []
        for k, s in zip(range(base - 1, base + 3), (1 + t, t, 1 - t, 2 - t)):
            s = float(s)
            w = (a + 2) * s ** 3 - (a + 3) * s ** 2 + 1 if s < 1 else a * s ** 3 - 5 * a * s ** 2 + 8 * a * s - 4 * a
            inside = 0 <= k < n
            taps.append((min(max(k, 0), n - 1), 0.0 if exclude and not inside else w))
        total = sum(w for _, w in taps) if exclude else 1.0
        for k, w in taps:
            row[k] += w / total
    return matrix


def area(n, out, align):
    """Integrals of the pixels as a step function: differences of cumulative sums at the borders."""
    s = float(scale(n, out, align))
    borders = np.arange(out + 1) * s
    sums = np.stack([np.clip(borders - k, 0, 1) for k in range(n)], 1)
    return np.diff(sums, axis=0) / s


def apply(x, rows, columns):
    return np.einsum("yh,xw,...hwc->...yxc", rows, columns, x)


SIZES = (((2, 2, 2, 1), (4, 4)), ((1, 5, 7, 3), (3, 4)), ((3, 4, 2), (6, 5)), ((1, 1, 1, 2), (4, 5)), ((2, 6, 8, 1), (7, 16)),
         ((1, 9, 4, 2), (4, 4)), ((2, 4, 5, 2), (4, 5)))
FLAGS = ((False, False), (True, False), (False, True))
for shape, (h, w) in SIZES:
    x = some(*shape)
    whole = rng.integers(0, 100, size=shape)
    n, m = shape[-3], shape[-2]
    size = np.array([h, w], dtype=np.int32)
    for align, half in FLAGS:
        flags = (align, half)
        rows, columns = linear(n, h, align, half), linear(m, w, align, half)
        same = (n, m) == (h, w)
        z = x if same else apply(x, rows, columns)
        cases.add("resize_bilinear", [x], [z], i=(h, w), b=flags if align or half else ())
        cases.add("resize_bilinear", [x, size.astype(np.int64)], [z], b=flags)
        cases.add("resize_bilinear", [whole.astype(np.int16)],
                  [(whole if same else apply(whole, rows, columns)).astype(f32)], i=(h, w), b=flags)

        i, j = (np.arange(k, dtype=f32) + (f32(0.5) if half else f32(0)) for k in (h, w))
        i, j = i * scale(n, h, align), j * scale(m, w, align)
        i, j = (np.floor(c + f32(0.5)) if align else np.floor(c) for c in (i, j))
        i, j = np.minimum(i, n - 1).astype(int), np.minimum(j, m - 1).astype(int)
        for y in (x, whole.astype(np.int8), whole.astype(np.uint16), whole.astype(np.int64)):
            z = y if same else np.take(np.take(y, i, -3), j, -2)
            cases.add("resize_nearest_neighbor", [y], [z], i=(h, w), b=flags)
        cases.add("resize_nearest_neighbor", [x, size], [x if same else np.take(np.take(x, i, -3), j, -2)], b=flags)

        if h > 3 and w > 3:
            a, exclude = (-0.5, True) if half else (-0.75, False)
            rows, columns = (cubic(k, out, align, half, a, exclude) for k, out in ((n, h), (m, w)))
            cases.add("resize_bicubic", [x.astype(f32), size], [apply(x, rows, columns).astype(f32)], b=flags, types=(),
                      tol=1e-5)
            cases.add("resize_bicubic", [whole.astype(np.int32), size], [apply(whole, rows, columns).astype(f32)], b=flags,
                      tol=1e-5)
    for align in (False, True):
        if align and 1 in (n, m):
            continue
        rows, columns = area(n, h, align), area(m, w, align)
        if not align:
            cases.add("resize_area", [x.astype(f32)], [apply(x, rows, columns).astype(f32)], i=(h, w), types=())
            cases.add("resize_area", [whole.astype(np.uint8), size], [apply(whole, rows, columns).astype(f32)])
pixels = np.arange(4.0).reshape(1, 2, 2, 1)
cases.add("resize_nearest_neighbor", [pixels], [pixels.repeat(2, 1).repeat(2, 2)], i=(4, 4, 1), label="a third integer")
for op in ("resize_bilinear", "resize_nearest_neighbor"):
    cases.add(op, [np.zeros((0, 2, 2, 1))], [np.zeros((0, 3, 3, 1))], i=(3, 3))
cases.add("resize_area", [np.zeros((0, 2, 2, 1), dtype=f32)], [np.zeros((0, 3, 3, 1), dtype=f32)], i=(3, 3), types=())


# ---- crops
def crops(image, boxes, which, size, nearest, outside):
    z = np.full((len(boxes), *size, image.shape[-1]), float(outside))
    for n, (y1, x1, y2, x2) in enumerate(boxes):
        def along(a, b, out, length):
            i = np.arange(out)
            return a * (length - 1) + i * (b - a) * (length - 1) / (out - 1) if out > 1 else np.array([(a + b) / 2 * (length - 1)])
        ys, xs = along(y1, y2, size[0], image.shape[1]), along(x1, x2, size[1], image.shape[2])
        for r, y in enumerate(ys):
            for c, x in enumerate(xs):
                if not (0 <= y <= image.shape[1] - 1 and 0 <= x <= image.shape[2] - 1):
                    continue
                source = image[which[n]]
                if nearest:
                    z[n, r, c] = source[int(np.floor(y + 0.5)), int(np.floor(x + 0.5))]
                else:
                    y0, x0, ty, tx = int(y), int(x), y - int(y), x - int(x)
                    y3, x3 = int(np.ceil(y)), int(np.ceil(x))
                    z[n, r, c] = ((1 - ty) * ((1 - tx) * source[y0, x0] + tx * source[y0, x3])
                                  + ty * ((1 - tx) * source[y3, x0] + tx * source[y3, x3]))
    return z


image = some(3, 5, 9, 2)
boxes = np.array([[0, 0, 1, 1], [0.25, 0.125, 0.75, 0.5], [1, 0, 0, 1], [-0.5, 0, 0.5, 1.5], [0.5, 0.5, 0.5, 0.5]])
which = np.array([0, 2, 1, 1, 0], dtype=np.int32)
for size in ((3, 5), (5, 9), (1, 1), (9, 2)):
    target = np.array(size, dtype=np.int32)
    for nearest in (False, True):
        for outside in (0, -2.5):
            z = crops(image, boxes, which, size, nearest, outside)
            cases.add("crop_and_resize", [image, boxes, which, target], [z], i=(int(nearest),), t=(outside,), tol={"DOUBLE": 1e-5})
for shape in ((5, 1), (1, 5), (1, 1, 5)):  # indices of any rank
    z = crops(image, boxes, which, (3, 5), False, 0)
    cases.add("crop_and_resize", [image, boxes, which.reshape(shape), np.array((3, 5), np.int32)], [z],
              tol={"DOUBLE": 1e-5})
whole = rng.integers(0, 100, size=(1, 4, 4, 1)).astype(np.int32)
cases.add("crop_and_resize", [whole, np.array([[0, 0, 1, 1]], dtype=f32), np.array(0), np.array([2, 2])],
          [whole[:, ::3, ::3]], types=(), label="a scalar index")
cases.add("crop_and_resize", [whole, np.array([[0, 0, 1, 1]], dtype=f32), np.array([0]), np.array([2, 2])],
          [whole[:, ::3, ::3]], types=())
cases.add("crop_and_resize", [image, np.zeros((0, 4)), np.zeros(0, dtype=np.int32), np.array([2, 2])], [np.zeros((0, 2, 2, 2))])


# ---- windows
def patches(x, k, stride, rate, same):
    keff = [(k[d] - 1) * rate[d] + 1 for d in (0, 1)]
    n = x.shape[1:3]
    out = [-(-n[d] // stride[d]) if same else (n[d] - keff[d]) // stride[d] + 1 for d in (0, 1)]
    pad = [max(0, (out[d] - 1) * stride[d] + keff[d] - n[d]) for d in (0, 1)]
    if same:
        x = np.pad(x, ((0, 0), *((p // 2, p - p // 2) for p in pad), (0, 0)))
    rows = [[x[:, i * stride[0]:i * stride[0] + keff[0]:rate[0], j * stride[1]:j * stride[1] + keff[1]:rate[1]]
             .reshape(x.shape[0], -1) for j in range(out[1])] for i in range(out[0])]
    return np.stack([np.stack(r, 1) for r in rows], 1)


x = some(2, 5, 7, 2)
whole = rng.integers(0, 100, size=(1, 4, 6, 3)).astype(np.uint8)
for k, stride, rate in (((3, 3), (1, 1), (1, 1)), ((2, 3), (2, 1), (1, 2)), ((1, 1), (1, 1), (1, 1)), ((2, 2), (3, 2), (2, 1))):
    for same in (0, 1):
        for y in (x, whole, whole.astype(np.int64)):
            cases.add("extract_image_patches", [y], [patches(y, k, stride, rate, same)], i=(*k, *stride, *rate, same))
cases.add("extract_image_patches", [np.zeros((0, 3, 3, 1))], [np.zeros((0, 2, 2, 4))], i=(2, 2, 1, 1, 1, 1, 0))

# ---- bounding boxes
YELLOW, BLUE = (1, 1, 0, 1), (0, 0, 1, 1)
paper = np.zeros((1, 6, 6, 4), dtype=f32)
drawn = paper.copy()
drawn[0, 1, 1:4] = drawn[0, 4, 1:4] = drawn[0, 1:5, 1] = drawn[0, 1:5, 3] = YELLOW
drawn[0, 2, :6] = drawn[0, 2:6, 5] = BLUE  # the left and the bottom line are outside
frames = np.array([[[0.2, 0.2, 0.8, 0.6], [0.4, -1, 3, 1], [0.9, 0.1, 0.1, 0.5], [2, 2, 3, 3]]], dtype=f32)
cases.add("draw_bounding_boxes", [paper, frames], [drawn], types=())
cases.add("draw_bounding_boxes", [paper.astype(np.float16), frames], [drawn.astype(np.float16)], types=())
mono = np.zeros((1, 6, 6, 1), dtype=f32)
cases.add("draw_bounding_boxes", [mono, frames], [drawn.max(-1, keepdims=True)], types=())
ink = np.array([[0.25, 0.5, 0.75]], dtype=f32)
cases.add("draw_bounding_boxes", [paper[..., :2], frames, ink], [(drawn.max(-1, keepdims=True) * ink[0, :2]).astype(f32)], types=())
cases.add("draw_bounding_boxes", [paper, np.zeros((1, 0, 4), dtype=f32)], [paper], types=())

# ---- resizing with a choice of method
for x in (some(2, 4, 6, 2).astype(f32), some(5, 4, 1).astype(f32), rng.integers(0, 100, size=(1, 4, 6, 2)).astype(np.int16)):
    n, m = x.shape[-3:-1]
    for h, w in ((7, 5), (4, 4), (3, 9)):
        nearest = [np.minimum(np.floor(np.arange(k, dtype=f32) * scale(l, k, False)), l - 1).astype(int)
                   for l, k in ((n, h), (m, w))]
        expected = [apply(x, linear(n, h, False, False), linear(m, w, False, False)),
                    np.take(np.take(x, nearest[0], -3), nearest[1], -2),
                    apply(x, cubic(n, h, False, False, -0.75, False), cubic(m, w, False, False, -0.75, False)),
                    apply(x, area(n, h, False), area(m, w, False))]
        size = np.array([h, w], dtype=np.int32)
        for method, z in enumerate(expected):
            z = z.astype(f32)
            cases.add("resize_images", [x], [z], i=(h, w, method), types=(), tol=1e-5)
            cases.add("resize_images", [x, size], [z], i=(method,), types=(), tol=1e-5)
            cases.add("resize_images", [x, size, np.array(method)], [z], types=(), tol=1e-5)
        cases.add("resize_images", [x], [expected[0].astype(f32)], i=(h, w), types=(), tol=1e-5)
    wide = -(-7 * m // n)
    cases.add("resize_images", [x], [apply(x, linear(n, 7, False, False), linear(m, wide, False, False)).astype(f32)],
              i=(7, 2), b=(False, True), types=(), tol=1e-5)


# ---- resizing with a choice of kernel
def smooth(n, out, radius, weight, antialias):
    """[out, n] matrix: weights by the distance from the centre, normalised."""
    ratio = n / out
    stretch = max(ratio, 1) if antialias else 1
    at = (np.arange(out)[:, None] + 0.5) * ratio
    w = np.abs(np.arange(n)[None] + 0.5 - at) / stretch
    w = np.where(w < radius, weight(w), 0)
    return w / w.sum(1, keepdims=True)


def keys(a):
    return lambda x: np.where(x < 1, (a + 2) * x ** 3 - (a + 3) * x ** 2 + 1, a * (x ** 3 - 5 * x ** 2 + 8 * x - 4))


def lanczos(r):
    return lambda x: np.sinc(x) * np.sinc(x / r)


def mitchell(x):
    return np.where(x < 1, 7 / 6 * x ** 3 - 2 * x ** 2 + 8 / 9, -7 / 18 * x ** 3 + 2 * x ** 2 - 10 / 3 * x + 16 / 9)


KERNELS = {0: (1, lambda x: 1 - x), 2: (2, keys(-0.5)), 4: (1.5, lambda x: np.exp(-2 * x * x)), 5: (3, lanczos(3)),
           6: (5, lanczos(5)), 7: (2, mitchell)}
for x in (some(2, 7, 5, 2).astype(f32), some(6, 9, 1).astype(f32), rng.integers(0, 100, size=(1, 5, 6, 2)).astype(np.int16)):
    n, m = x.shape[-3:-1]
    for h, w in ((4, 3), (11, 8), (n, m)):
        size = np.array([h, w], dtype=np.int32)
        for method, (radius, weight) in KERNELS.items():
            for antialias in (False, True):
                if method == 2 and not antialias:
                    z = apply(x, cubic(n, h, False, True, -0.5, True), cubic(m, w, False, True, -0.5, True))
                else:
                    z = apply(x, smooth(n, h, radius, weight, antialias), smooth(m, w, radius, weight, antialias))
                cases.add("image_resize", [x, size], [z.astype(f32)], i=(method,), b=(False, antialias), types=(), tol=1e-5)
        cases.add("image_resize", [x, size], [apply(x, area(n, h, False), area(m, w, False)).astype(f32)], i=(3,), types=(),
                  tol=1e-5)
        for placing in (0, 1, 2):
            shift = (0, 0.5, 0.5)[placing]
            for rounding, f in enumerate((np.floor, lambda c: np.ceil(c - 0.5), lambda c: np.sign(c) * np.floor(np.abs(c) + 0.5),
                                          np.ceil)):
                at = [np.clip(f((np.arange(k, dtype=f32) + f32(shift)) * scale(l, k, False) - f32(0.5 * (placing == 1))), 0,
                              l - 1).astype(int) for l, k in ((n, h), (m, w))]
                z = np.take(np.take(x, at[0], -3), at[1], -2)
                cases.add("image_resize", [x, size], [z], i=(1, placing, rounding), types=())
                if placing == 2 and rounding == 0:
                    cases.add("image_resize", [x, size], [z], i=(1,), types=())
    size = np.array([6, 1], dtype=np.int64)
    wide = -(-6 * m // n)
    z = apply(x, smooth(n, 6, *KERNELS[0], False), smooth(m, wide, *KERNELS[0], False))
    cases.add("image_resize", [x, size], [z.astype(f32)], b=(True,), types=(), tol=1e-5, label="bilinear, with the aspect kept")
    for mode, flag in ((0, False), (1, False)):
        a = [cubic(k, l, False, mode == 1, -0.75, flag) for k, l in ((n, 7), (m, 9))]
        cases.add("image_resize", [x, np.array([7, 9])], [apply(x, *a).astype(f32)], t=(-0.75,), i=(2, mode), b=(False, False, flag),
                  types=(), tol=1e-5)

cases.save()
