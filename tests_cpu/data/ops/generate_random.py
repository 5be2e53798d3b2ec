"""Expected values of the operations that take a seed: the generator's formulas in Python integers."""
import numpy as np

from cases import Cases, coarse

cases = Cases("random")
rng = np.random.default_rng(4)
M32, M64 = (1 << 32) - 1, (1 << 64) - 1


def raw32(root, node, i):
    a = root | ((i + 2) * (node + 24243287) & M64)
    b = node ^ ((i + 2) * (a + 723829) & M64)
    w = ((a ^ b) & M32) * 0x9E3779BB & M32
    return 5 * ((w << 5 | w >> 27) & M32) & M32


assert [raw32(119, 1298567341, i) for i in range(5)] == [1596300008, 842417331, 1499743569, 2231408051, 3201631559]


def uniform(root, node, n):
    return np.array([(raw32(root, node, i) >> 9) * 2.0**-23 for i in range(n)])


def mask(seed, shape, q):
    keep = uniform(3019, seed or 1298567341, int(np.prod(shape))) < q
    return keep.reshape(shape) / q


NOISE = {"inplace": "the dimensions of the mask have no output"}
x, g = coarse(rng.uniform(0.5, 2, (6, 5))), coarse(rng.uniform(0.5, 2, (6, 5)))
for seed in (123, 7, 0):
    for q in (0.5, 0.75):
        cases.add("dropout", [x], [x * mask(seed, x.shape, q)], t=(q,), i=(seed,), grad=(0,))
        cases.add("dropout", [x], [x * mask(seed, x.shape, q)], t=(1 - q,), i=(seed,), b=(True,))
        cases.add("dropout_bp", [x, g], [g * mask(seed, x.shape, q)], t=(q,), i=(seed,))
        noise = np.array([6, 1], np.int32)
        cases.add("dropout", [x, noise], [x * mask(seed, (6, 1), q)], t=(q,), i=(seed,), skip=NOISE)
        cases.add("dropout", [x, np.array([5])], [x * mask(seed, (5,), q)], t=(q,), i=(seed,), skip=NOISE)
        cases.add("dropout_bp", [x, g, noise], [g * mask(seed, (6, 1), q)], t=(q,), i=(seed,))
        cases.add("alpha_dropout_bp", [x, g], [g * 1.5 * (mask(seed, x.shape, q) > 0)], t=(q, 1.5, 0.25, -0.5), i=(seed,))
cases.add("dropout", [x], [x], t=(1.0,), i=(5,))
cases.add("dropout", [x], [np.zeros_like(x)], t=(0.0,), i=(5,))
cases.add("dropout_bp", [x, g], [g], t=(1.0,), i=(5,))
zeros = x * (np.arange(5) % 2)  # elements that are 0 have a gradient as well
cases.add("dropout_bp", [zeros, g], [g * mask(9, x.shape, 0.5)], t=(0.5,), i=(9,))
cases.add("alpha_dropout_bp", [x, g], [g * 0.5], t=(1.0, 0.5, 0.25, 0.25), i=(9,))
cases.add("dropout", [np.zeros((0, 2))], [np.zeros((0, 2))], t=(0.5,), i=(1,))

shape = np.array([3, 4], np.int32)
for seed in (5, 119):
    u = uniform(seed, seed ^ 0xDEADBEEF, 12).reshape(3, 4)
    f = u.astype(np.float32)
    cases.add("randomuniform", [shape], [np.float32(-1) + f * np.float32(3)], t=(-1.0, 2.0), i=(5, seed), types=())
    cases.add("randomuniform", [shape, np.array(2.0, np.float32), np.array(6.0, np.float32)], [2 + f * np.float32(4)], i=(5, seed), types=())
    cases.add("randomuniform", [shape], [-1 + u * 3], t=(-1.0, 2.0), i=(6, seed), types=())
    cases.add("randomuniform", [shape.astype(np.int64)], [np.trunc(np.float32(-10) + f * np.float32(30)).astype(np.int32)], t=(-10, 20), i=(9, seed))
    cases.add("randomuniform", [shape], [np.trunc(u * 7).astype(np.int64)], t=(0, 7), i=(10, seed))
    cases.add("randomuniform", [shape], [np.trunc(u * 100).astype(np.uint8)], t=(0, 100), i=(11, seed))
# probability 1: a single outcome
cases.add("random_bernoulli", [shape], [np.ones((3, 4), np.float32)], t=(1.0,), types=())
cases.add("random_normal", [shape], [np.full((3, 4), 2.5, np.float32)], t=(2.5, 0.0), types=())
cases.add("random_crop", [x, np.array([6, 5])], [x])
cases.add("random_shuffle", [np.full((3, 2), 4.0)], [np.full((3, 2), 4.0)])
certain = np.array([[0.0, 500, 0], [500, 0, 0]])
cases.add("random_multinomial", [certain, np.array(4, np.int32)], [np.array([[1] * 4, [0] * 4])], i=(0,))
cases.add("random_multinomial", [certain.T.copy(), np.array([4], np.int32)], [np.array([[1, 0]] * 4)])
cases.add("random_multinomial", [certain, np.array(2, np.int32)], [np.array([[1, 1], [0, 0]], np.int32)], i=(0, 9))
cases.add("random_multinomial", [certain - 1000, np.array(2, np.int32)], [np.array([[1, 1], [0, 0]])], i=(-2,))
cases.add("random_poisson", [np.array([2], np.int32), np.zeros(3)], [np.zeros((2, 3))])

cases.save()
