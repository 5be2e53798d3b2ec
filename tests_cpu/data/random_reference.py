"""Writes random_reference.inc: results of the generator and the numbered random operations, computed with Python
integers and NumPy scalars from the published formulas, independently of the library.

Usage: python3 random_reference.py
"""

import pathlib

import numpy as np

M32, M64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


def rotl32(x, k):
    return ((x << k) | (x >> (32 - k))) & M32


class Generator:
    def __init__(self, root, node):
        self.root, self.node = root & M64, node & M64

    def r32(self, i):
        i &= M64
        a = self.root | ((i + 2) * (self.node + 24243287) & M64)
        b = self.node ^ ((i + 2) * (a + 723829) & M64)
        return 5 * rotl32(((a ^ b) & M32) * 0x9E3779BB & M32, 5) & M32

    def r64(self, i):
        i &= M64
        return ((self.r32(i) << 32) + self.r32((i << 32 | i >> 32) & M64)) & M64

    def u(self, i):
        return np.array([0x3F800000 | self.r32(i) >> 9], np.uint32).view(np.float32)[0] - np.float32(1)

    def int32(self, i):
        r = self.r32(i)
        return r if r <= 2**31 - 1 else r % (2**31 - 1)

    def int64(self, i):
        r = self.r64(i)
        return r if r <= 2**63 - 1 else r % (2**63 - 1)

    def rewind(self, steps):
        low, high = self.node & M32, self.node >> 32
        mixed = high ^ low
        new_low = rotl32(low, 26) ^ mixed ^ (mixed << 9 & M32)
        self.node = (rotl32(mixed, 13) << 32 | new_low) ^ ((steps ^ 0xDEADBEEF) & M64)


# Arithmetic of a type: compute in `wide`, then round.
def bfloat16(x):
    bits = int(np.array([x], np.float32).view(np.uint32)[0])
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
    return np.array([bits], np.uint32).view(np.float32)[0]


TYPES = {
    "FLOAT32": (np.float32, np.float32, 1.17549435e-38),
    "DOUBLE": (np.float64, np.float64, 2.2250738585072014e-308),
    "HALF": (np.float32, lambda x: np.float32(np.float16(x)), 6.103515625e-05),
    "BFLOAT16": (np.float32, bfloat16, 1.17549435e-38),
}


class Draw:
    def __init__(self, generator, kind, n):
        self.g, self.n = generator, n
        self.kind = kind
        self.wide, self.round, self.tiny = TYPES[kind]

    def t(self, value):
        return self.round(self.wide(value))

    def u(self, i):
        value = self.t(self.g.u(i))
        below = {"HALF": 0.99951171875, "BFLOAT16": 0.99609375}.get(self.kind)
        return self.wide(below) if value >= 1 else value

    def ranged(self, i, low, high):
        low, high = self.t(low), self.t(high)
        return self.t(low + self.t(self.u(i) * self.t(high - low)))

    def f(self, function, x):
        return self.t(function(x))

    def box_muller(self, r0, r1, sine):
        radius = self.f(np.sqrt, self.t(self.t(-2) * self.f(np.log, r0)))
        angle = self.t(self.t(2 * np.pi) * r1)
        return self.t(radius * self.f(np.sin if sine else np.cos, angle))

    def gaussian(self, i, mean, std):
        half = (self.n + 1) // 2
        e, sine = (i - half, True) if i >= half else (i, False)
        value = self.box_muller(self.ranged(e, 1e-5, 1), self.ranged(e + half, 1e-5, 1), sine)
        return self.t(self.t(value * std) + mean)

    def truncated(self, i, mean, std):
        reach = self.t(2 * abs(std))
        low, high = self.t(mean - reach), self.t(mean + reach)
        value = self.gaussian(i, mean, std)
        pairs = self.n + self.n % 2
        for k in range(1, 41):
            if low <= value <= high:
                return value
            base = pairs * 2 * k + i
            draw = self.box_muller(self.ranged(base, 1e-5, 1), self.ranged(base + pairs, 1e-5, 1), False)
            value = self.t(self.t(draw * std) + mean)
        return mean

    def binomial(self, i, trials, probability):
        return self.t(sum(self.u((i + 1) * t) < probability(t) for t in range(1, int(trials) + 1)))


def element(d, op, i, p, x, y):
    t = d.t
    u = d.u(i)
    if op == 0:
        return d.ranged(i, p[0], p[1])
    if op == 1:
        return t(0) if u >= p[0] else x[i]
    if op == 2:
        return t(0) if u >= p[0] else t(x[i] / p[0])
    if op == 3:
        return y[i] if u <= p[0] else x[i]
    if op == 4:
        if p[2] != 0:
            return t(float(p[0]) + i * float(p[2]))
        s = i / (d.n - 1)
        return t(float(p[0]) * (1 - s) + s * float(p[1]))
    if op == 5:
        total = np.float64(0) if d.kind == "DOUBLE" else np.float32(0)
        for value, weight in zip(x, y):
            total = type(total)(total + weight)
            if u <= total:
                return value
        return x[-1]
    if op == 6:
        return d.gaussian(i, p[0] if y is None else y[i], p[1])
    if op == 7:
        return t((p[0] if x is None else x[i]) >= u)
    if op == 8:
        return d.binomial(i, p[0], lambda k: p[1] if y is None else y[k - 1])
    if op == 9:
        return d.binomial(i, p[0], lambda k: p[1] if y is None else y[i])
    if op == 10:
        return d.f(np.exp, d.gaussian(i, p[0] if y is None else y[i], p[1]))
    if op == 11:
        return d.truncated(i, p[0] if y is None else y[i], p[1])
    if op == 12:
        return t(t(p[1] * (p[3] if u >= p[0] else x[i])) + p[2])
    high = t(t(1) - t(d.tiny))
    if op == 13:
        v = x[i] if x is not None else -d.f(np.log, d.ranged(i, d.tiny, high))
        return t(0) if v <= 0 else t(v / p[0])
    if op == 14:
        v = x[i] if x is not None else d.ranged(i, d.tiny, high)
        return t(-d.f(np.log, t(t(1) - v)) / p[0])
    raise ValueError(op)


N = 9
X = [0.5 * i - 1.5 for i in range(N)]
Y = [0.125 * i for i in range(N)]
UNIT = [0.0625 + 0.09375 * i for i in range(N)]
WEIGHTS = [0.25, 0.125, 0.375, 0.25]
# op, parameters, x, y
CASES = [
    (0, [-1, 3], None, None),
    (1, [0.5], X, None),
    (2, [0.5], X, None),
    (3, [0.5], X, Y),
    (4, [1, 3, 0], None, None),
    (4, [1, 3, 0.25], None, None),
    (5, [], [1, 2, 3, 4], WEIGHTS),
    (6, [2, 0.5], None, None),
    (6, [2, 0.5], X, Y),
    (7, [0.375], None, None),
    (7, [], UNIT, None),
    (8, [7, 0.375], None, None),
    (8, [7, 0], X, UNIT),
    (9, [7, 0.375], None, None),
    (9, [7, 0], X, UNIT),
    (10, [0.5, 0.25], None, None),
    (10, [0, 0.25], X, Y),
    (11, [1, 2], None, None),
    (12, [0.5, 1.25, 0.5, -1.75], X, None),
    (13, [2], None, None),
    (13, [2], X, None),
    (14, [2], None, None),
    (14, [2], UNIT, None),
]


HEAD = """// Made by random_reference.py: do not edit.
struct RandomCase {
  int op;
  sd::DataType type;
  std::vector<double> params, x, y, z;
  uint64_t nodeAfter;
};
struct GeneratorCase {
  sd::LongType root, node, index;
  uint32_t bits32;
  uint64_t bits64;
  float unit;
  int integer;
  sd::LongType longInteger;
  uint64_t nodeAfter;
};
"""


def numbers(values):
    return "{" + ", ".join("%.17g" % float(v) for v in values or []) + "}"


def main():
    out = [HEAD, "static const std::vector<RandomCase> RANDOM_CASES = {"]
    for kind in TYPES:
        for op, params, x, y in CASES:
            g = Generator(119, 1298567341)
            d = Draw(g, kind, N)
            p, tx, ty = ([d.t(v) for v in values] if values is not None else None for values in (params, x, y))
            z = [element(d, op, i, p, tx, ty) for i in range(N)]
            g.rewind(N)
            out.append("    {%d, sd::%s, %s, %s, %s, %s, %dull},"
                       % (op, kind, numbers(params), numbers(x), numbers(y), numbers(z), g.node))
    out.append("};")
    out.append("")
    out.append("static const std::vector<GeneratorCase> GENERATOR_CASES = {")
    for root, node in ((119, 1298567341), (3019, 123), (-5, -7), (2**62 + 1, 2**63 - 1)):
        for index in (0, 1, 2, 3, 4, 1000, 2**31, 2**32 + 5, 2**63 - 1):
            g = Generator(root, node)
            values = (g.r32(index), g.r64(index), float(g.u(index)), g.int32(index), g.int64(index))
            g.rewind(index)
            out.append("    {%dll, %dll, %dll, %du, %dull, %.9gf, %d, %dll, %dull}," % (root, node, index, *values, g.node))
    out.append("};")
    path = pathlib.Path(__file__).with_name("random_reference.inc")
    path.write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
