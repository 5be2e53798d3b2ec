"""Fourier transforms. NumPy's are PocketFFT's; PyTorch's are MKL's where it is built with it."""

import math

from work import Custom, Row, Work

GROUP = "fourier"
LENGTHS = (64, 1_000, 1_024, 4_096, 100_000, 1_000_000, 1_048_576)
# Sums of n products of numbers below 1, in an order that differs.
ROUNDING = {"complex128": 1e-9, "complex64": 5e-3}


def rows():
    for length in LENGTHS:
        yield from along((length,))
    yield from along((100, 1_000))
    for dtype in ("complex128", "complex64"):
        yield transform("fftn", (512, 512), (512, 512), dtype, dtype)


def along(shape):
    """Of each row of an array."""
    *lines, n = shape
    half = (*lines, n // 2 + 1)
    for real, complex_ in (("float64", "complex128"), ("float32", "complex64")):
        yield transform("fft", shape, shape, complex_, complex_)
        yield transform("rfft", shape, half, real, complex_)


def transform(name, shape, result, dtype, out):
    label = f"{name} {dtype}, {' x '.join(map(str, shape))}"
    size = math.prod(shape)
    make = (lambda v: v.complexes(shape, dtype)) if dtype.startswith("complex") else (lambda v: v.reals(shape, -1, 1, dtype))
    return Row(GROUP, label, size, lambda v: Work(
        {"x": make(v)}, [(result, out)], Custom(name),
        {"numpy": f"np.fft.{name}(x, out=z)", "torch": f"torch.fft.{name}(x, out=z)"}, absolute=ROUNDING[out]))
