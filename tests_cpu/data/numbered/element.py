"""Element types: how values are represented here, rounded and converted.

Float values are stored as numpy longdouble (which represents every value of every float type), integers and booleans as
Python ints in object arrays. Nothing wraps or rounds until a value is stored.
"""
from dataclasses import dataclass

import numpy as np

LD = np.longdouble


@dataclass(frozen=True)
class Type:
    name: str
    kind: str  # 'f' float, 'i' signed, 'u' unsigned, 'b' bool
    bits: int
    storage: type

    @property
    def is_float(self):
        return self.kind == "f"

    @property
    def low(self):
        return -(1 << (self.bits - 1)) if self.kind == "i" else 0

    @property
    def high(self):
        if self.kind == "b":
            return 1
        return (1 << (self.bits - 1)) - 1 if self.kind == "i" else (1 << self.bits) - 1

    @property
    def compute(self):
        """The float type in which functions without an integer form are computed for this type."""
        if self.is_float:
            return np.float64 if self.bits == 64 else np.float32
        return np.float64 if self.bits >= 32 else np.float32

    @property
    def precision(self):
        return {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}[self.name]

    @property
    def min_exponent(self):
        """Exponent of the smallest normal number."""
        return {"float64": -1022, "float32": -126, "float16": -14, "bfloat16": -126}[self.name]


FLOATS = [
    Type("float32", "f", 32, np.float32),
    Type("float64", "f", 64, np.float64),
    Type("float16", "f", 16, np.float16),
    Type("bfloat16", "f", 16, np.uint16),
]
INTS = [
    Type("int8", "i", 8, np.int8),
    Type("int16", "i", 16, np.int16),
    Type("int32", "i", 32, np.int32),
    Type("int64", "i", 64, np.int64),
    Type("uint8", "u", 8, np.uint8),
    Type("uint16", "u", 16, np.uint16),
    Type("uint32", "u", 32, np.uint32),
    Type("uint64", "u", 64, np.uint64),
]
BOOL = Type("bool", "b", 1, np.uint8)
ALL = FLOATS + INTS + [BOOL]
BY_NAME = {t.name: t for t in ALL}


def is_half(t):
    return t.is_float and t.bits == 16


def to_bfloat16_bits(values):
    f = np.asarray(values, dtype=LD).astype(np.float32)
    bits = f.view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(f), np.uint16(0x7FC0), rounded)


def from_bfloat16_bits(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(LD)


def round_float(t, values):
    """Rounds to a float type. 16-bit types are rounded through float32, as in a kernel that computes in float32."""
    with np.errstate(all="ignore"):
        values = np.asarray(values, dtype=LD)
        if t.name == "bfloat16":
            return from_bfloat16_bits(to_bfloat16_bits(values))
        if t.name == "float16":
            return values.astype(np.float32).astype(np.float16).astype(LD)
        return values.astype(t.storage).astype(LD)


def ulp(t, values):
    """Distance between neighbours at the value, in the float type; the spacing of the denormals near zero."""
    magnitude = np.abs(np.asarray(values, dtype=LD))
    magnitude = np.where(np.isfinite(magnitude), magnitude, LD(0))
    _, exponent = np.frexp(magnitude)
    exponent = np.where(magnitude == 0, t.min_exponent, exponent - 1)
    return np.ldexp(LD(1), np.maximum(exponent, t.min_exponent) - (t.precision - 1))


def wrap(t, value):
    """A Python int modulo 2^bits, as a value of the type; true for every non-zero value of BOOL."""
    if t.kind == "b":
        return int(value != 0)
    value &= (1 << t.bits) - 1
    return value - (1 << t.bits) if t.kind == "i" and value >> (t.bits - 1) else value


def float_to_int(t, value):
    """Truncates; NaN is 0; saturates at the int32 range (int64 for wider types), then wraps for narrower types.

    Returns None for uint64 when the value is 2^64 or more: the result is then not defined.
    """
    value = LD(value)
    if t.kind == "b":
        return int(value != 0)  # NaN is not zero
    if np.isnan(value):
        return 0
    wide = 64 if t.bits == 64 or t.name == "uint32" else 32
    low, high = -(1 << (wide - 1)), (1 << (wide - 1)) - 1
    if t.name == "uint64" and value >= LD(2) ** 63:
        return int(value) if value < LD(2) ** 64 else None
    if value >= LD(high):
        return wrap(t, high)
    if value <= LD(low):
        return wrap(t, low)
    return wrap(t, int(value))


def stored(t, values):
    """The array to write: storage type of the element type."""
    if not t.is_float:
        return np.array([int(v) for v in values], dtype=t.storage)
    values = np.asarray(values, dtype=LD)
    with np.errstate(all="ignore"):
        return to_bfloat16_bits(values) if t.name == "bfloat16" else round_float(t, values).astype(t.storage)
