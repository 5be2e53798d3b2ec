#!/usr/bin/env python3
"""Expected values of the bitwise operations: Python's integers."""
import numpy as np

from cases import Cases, Empty

cases = Cases("bitwise")
rng = np.random.default_rng(11)
INTS = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)


def wrap(value, dtype):
    """The low bits of a Python integer as a value of the type."""
    bits = 8 * np.dtype(dtype).itemsize
    value &= (1 << bits) - 1
    return value - (1 << bits) if np.iinfo(dtype).min < 0 and value >> (bits - 1) else value


def shift_left(x, y, bits):
    return x << y if 0 <= y < bits else 0


def shift_right(x, y, bits):
    if 0 <= y < bits:
        return x >> y
    return -1 if x < 0 else 0  # shifts in copies of the sign


def rotate(x, y, bits):
    image, y = x & ((1 << bits) - 1), y % bits
    return (image << y) | (image >> (bits - y))


OPERATIONS = {
    "bitwise_and": lambda x, y, bits: x & y,
    "bitwise_or": lambda x, y, bits: x | y,
    "bitwise_xor": lambda x, y, bits: x ^ y,
    "shift_bits": shift_left,
    "rshift_bits": shift_right,
    "cyclic_shift_bits": rotate,
    "cyclic_rshift_bits": lambda x, y, bits: rotate(x, -y, bits),
}


def result(name, x, y):
    bits = 8 * x.dtype.itemsize
    wide = np.broadcast_arrays(x, y)
    values = [wrap(OPERATIONS[name](int(a), int(b), bits), x.dtype) for a, b in zip(wide[0].ravel(), wide[1].ravel())]
    return np.array(values, dtype=x.dtype).reshape(wide[0].shape)


for name in OPERATIONS:
    for dtype in INTS:
        info, bits = np.iinfo(dtype), 8 * np.dtype(dtype).itemsize
        x = rng.integers(info.min, info.max, (3, 4), dtype, True)
        x[0, :2] = info.min, info.max
        y = rng.integers(info.min, info.max, 4, dtype, True) if name.startswith("bitwise") else np.array(
            [0, 1, bits - 1, 3], dtype)
        cases.add(name, [x, y], [result(name, x, y)])
    # the result is defined for every distance
    x, y = np.array([-5, 5, -5, 5, 77], np.int8), np.array([8, -1, 9, 127, 8], np.int8)
    cases.add(name, [x, y], [result(name, x, y)])
    x, y = np.array([[1], [200]], np.uint8), np.array([[7, 8, 255]], np.uint8)
    cases.add(name, [x, y], [result(name, x, y)])
    x, y = np.array([[3]], np.int32), np.array([1, 2], np.int32)
    cases.add(name, [x, y], [result(name, x[0], y)])
    cases.add(name, [np.zeros((0, 2), np.int64), np.ones((1, 2), np.int64)], [np.zeros((0, 2), np.int64)])
    cases.add(name, [Empty("INT16"), np.ones(2, np.int16)], [Empty("INT16")])

for dtype in INTS:
    info = np.iinfo(dtype)
    x = np.array([[0, 1, info.max], [info.min, 5, 77]], dtype)
    cases.add("toggle_bits", [x], [~x])
    y = np.array([[info.max, 1, 3], [4, 6, info.min]], dtype)
    mask = (1 << (8 * x.dtype.itemsize)) - 1
    differ = sum(bin((int(a) ^ int(b)) & mask).count("1") for a, b in zip(x.ravel(), y.ravel()))
    cases.add("bits_hamming_distance", [x, y], [np.array(differ, np.int64)])
cases.add("toggle_bits", [x, np.array(3, np.int8), np.zeros((0, 2), np.int32)],
          [~x, np.array(~3, np.int8), np.zeros((0, 2), np.int32)])
big = rng.integers(0, 2**16, 700).astype(np.uint16), rng.integers(0, 2**16, 700).astype(np.uint16)
differ = sum(bin(int(a) ^ int(b)).count("1") for a, b in zip(*big))
cases.add("bits_hamming_distance", list(big), [np.array(differ, np.int64)])
cases.add("bits_hamming_distance", [np.zeros((2, 3), np.int8), np.full(6, -1, np.int8)], [np.array(48, np.int64)],
          label="shapes may differ")
cases.add("bits_hamming_distance", [np.zeros(0, np.int8), np.zeros(0, np.int8)], [np.array(0, np.int64)])

cases.save()
