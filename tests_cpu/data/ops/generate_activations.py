"""Expected values of the activation functions, from their formulas in NumPy and SciPy."""
import numpy as np
from scipy import special

from cases import Cases, coarse

A, L = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
cases = Cases("activations")
rng = np.random.default_rng(7)


def sigmoid(x):
    return special.expit(x)


def rational(x):
    d = 2 * x / 3
    a = 1 + np.abs(d) + d**2 + 1.41645 * d**4
    return 1.7159 * np.sign(d) * (1 - 1 / a)


def rational_derivative(x):
    d = 2 * x / 3
    a = 1 + np.abs(d) + d**2 + 1.41645 * d**4
    return 1.7159 * 2 / 3 * (1 + np.sign(d) * (2 * d + 4 * 1.41645 * d**3)) / a**2


def where(condition, yes, no):
    return np.where(condition, yes, no)


# name: function, derivative, floating arguments of the function, of the gradient
FUNCTIONS = {
    "sigmoid": (sigmoid, lambda x: sigmoid(x) * (1 - sigmoid(x)), (), ()),
    "tanh": (np.tanh, lambda x: 1 - np.tanh(x) ** 2, (), ()),
    "softsign": (lambda x: x / (1 + np.abs(x)), lambda x: 1 / (1 + np.abs(x)) ** 2, (), ()),
    "softplus": (lambda x: np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x))), sigmoid, (), ()),
    "selu": (lambda x: L * where(x > 0, x, A * np.expm1(np.minimum(x, 0))),
             lambda x: L * where(x > 0, 1, A * np.exp(np.minimum(x, 0))), (), ()),
    "cube": (lambda x: x**3, lambda x: 3 * x**2, (), ()),
    "rectifiedtanh": (lambda x: np.maximum(0, np.tanh(x)), lambda x: where(x > 0, 1 - np.tanh(x) ** 2, 0), (), ()),
    "rationaltanh": (rational, rational_derivative, (), ()),
    "hardtanh": (lambda x: np.clip(x, -1, 1), lambda x: where((x >= -1) & (x <= 1), 1, 0), (), ()),
    "hardsigmoid": (lambda x: np.clip(0.2 * x + 0.5, 0, 1), lambda x: where((x >= -2.5) & (x <= 2.5), 0.2, 0), (), ()),
    "relu": (lambda x: np.maximum(x, 0), lambda x: where(x > 0, 1, 0), (0.0,), ()),
    "relu6": (lambda x: np.minimum(np.maximum(x, 0), 6), lambda x: where((x > 0) & (x < 6), 1, 0), (0.0,), ()),
    "lrelu": (lambda x: where(x < 0, 0.25 * x, x), lambda x: where(x < 0, 0.25, 1), (0.25,), (0.25,)),
    "elu": (lambda x: where(x >= 0, x, 0.5 * np.expm1(np.minimum(x, 0))),
            lambda x: where(x >= 0, 1, 0.5 * np.exp(np.minimum(x, 0))), (0.5,), (0.5,)),
    "thresholdedrelu": (lambda x: where(x > 0.5, x, 0), lambda x: where(x > 0.5, 1, 0), (0.5,), (0.5,)),
}

for name, (function, derivative, floats, bp_floats) in FUNCTIONS.items():
    x = coarse(rng.uniform(-3, 3, (2, 3, 5)))
    g = coarse(rng.uniform(-1, 1, x.shape))
    cases.add(name, [x], [function(x)], t=floats)
    cases.add(name + "_bp", [x, g], [derivative(x) * g], t=bp_floats)
    # a gradient with one element applies to all of x; one of equal length and another shape is matched in c order
    cases.add(name + "_bp", [x, np.array(0.5)], [derivative(x) * 0.5], t=bp_floats, views=False)
    cases.add(name + "_bp", [x, g.reshape(6, 5)], [derivative(x) * g], t=bp_floats)
    cases.add(name, [np.zeros((2, 0))], [np.zeros((2, 0))], t=floats)
    cases.add(name, [np.array(0.75)], [function(np.array(0.75))], t=floats)
    if name not in ("thresholdedrelu",):
        far = np.array([-np.inf, -30.0, 30.0])
        if name != "rationaltanh":
            with np.errstate(all="ignore"):
                cases.add(name, [far], [function(far)], t=floats, types=())

# the points where the branches meet
cases.add("hardtanh_bp", [np.array([-1.0, 1.0, 1.5, -1.5]), np.ones(4)], [np.array([1.0, 1, 0, 0])])
cases.add("hardsigmoid_bp", [np.array([-2.5, 2.5, 2.6]), np.ones(3)], [np.array([0.2, 0.2, 0])])
cases.add("relu_bp", [np.array([0.0, -0.0, 1.0]), np.ones(3)], [np.array([0.0, 0, 1])])
cases.add("relu6_bp", [np.array([0.0, 6.0, 3.0, 7.0]), np.ones(4)], [np.array([0.0, 0, 1, 0])])
cases.add("lrelu_bp", [np.array([0.0, -1.0]), np.ones(2)], [np.array([1.0, 0.01])])
# Gradients that are not finite are dropped, not multiplied by 0.
far = np.array([np.nan, np.inf, -np.inf, 1.0])
cases.add("relu_bp", [np.array([-1.0, 0.0, -2.0, np.nan]), far], [np.zeros(4)])
cases.add("relu_bp", [np.array([1.0, np.inf, 2.0, 3.0]), far], [far])
cases.add("relu6_bp", [np.array([-1.0, 0.0, 6.0, np.nan]), far], [np.zeros(4)])
cases.add("relu6_bp", [np.array([7.0, np.inf, 5.0, 3.0]), far], [np.array([0.0, 0.0, -np.inf, 1.0])])
cases.add("rectifiedtanh_bp", [np.array([-1.0, 0.0, -2.0, np.nan]), far], [np.zeros(4)])
cases.add("rectifiedtanh_bp", [np.array([1.0, 1.0, 1.0, 0.5]), far], [far * (1 - np.tanh([1.0, 1, 1, 0.5]) ** 2)])
cases.add("lrelu_bp", [np.array([-1.0, -1.0, -2.0, -3.0]), far], [np.zeros(4)], t=(0.0,))
cases.add("lrelu_bp", [np.array([-1.0, -1.0, 2.0, np.nan]), far], [np.array([np.nan, np.inf, -np.inf, 1.0])], t=(0.25,))
cases.add("crelu_bp", [np.array([-1.0, 2.0, 0.0]), np.array([np.nan, 3, np.inf, 5.0, -np.inf, np.nan])], [np.array([-5.0, 3.0, 0.0])])
cases.add("crelu_bp", [np.array([np.nan, np.inf]), np.array([1.0, 2, 3.0, np.nan])], [np.array([0.0, 2.0])])
cases.add("lrelu", [np.array([2.0, -1.0])], [np.array([2.0, -0.01])])
cases.add("elu", [np.array([2.0, -1.0])], [np.array([2.0, np.expm1(-1.0)])])
cases.add("thresholdedrelu", [np.array([0.0, -1.0, 0.25])], [np.array([0.0, 0, 0.25])])
cases.add("thresholdedrelu", [np.array([np.nan, np.inf, -np.inf])], [np.array([0, np.inf, 0])], types=())
# smaller values become the cutoff, not 0
cases.add("relu", [np.array([-1.0, 0.2, 2.0])], [np.array([0.5, 0.5, 2.0])], t=(0.5,))
cases.add("relu", [np.array([-3, 0, 4], np.int32)], [np.array([1, 1, 4], np.int32)], t=(1.9,))
cases.add("relu6", [np.array([-3, 4, 9], np.int64)], [np.array([0, 4, 6], np.int64)], t=(0.0,))
cases.add("cube", [np.array([-3, 2], np.int16)], [np.array([-27, 8], np.int16)])

# numerical gradients, away from the points that have none
for name, (_, _, floats, bp_floats) in FUNCTIONS.items():
    x = coarse(rng.uniform(0.6, 0.95, (3, 4)) * rng.choice([-1, 1], (3, 4)))
    cases.add(name, [x], [None], t=floats, grad=(0,), types=())

# prelu
x = coarse(rng.uniform(-2, 2, (2, 3, 4, 5)))
g = coarse(rng.uniform(-1, 1, x.shape))
for shared, shape in (((), (3, 4, 5)), ((1, 2), (1, 1, 5)), ((2, 3), (3, 1, 1)), ((0,), (3, 4, 1)), ((1, 2, 3), (1, 1, 1))):
    alpha = coarse(rng.uniform(0.1, 0.9, shape))
    z = where(x < 0, alpha * x, x)
    axes = tuple(i for i, size in enumerate((1,) + shape) if size == 1)
    gradient = where(x < 0, g * x, 0).sum(axis=axes, keepdims=True).reshape(shape)
    cases.add("prelu", [x, alpha], [z], i=shared, grad=(0, 1))
    cases.add("prelu_bp", [x, alpha, g], [where(x < 0, alpha * g, g), gradient], i=shared)
    flat = alpha.reshape(-1)
    cases.add("prelu", [x, flat], [z], i=shared)
    cases.add("prelu_bp", [x, flat, g], [where(x < 0, alpha * g, g), gradient.reshape(-1)], i=shared)

# crelu
x = coarse(rng.uniform(-2, 2, (2, 3, 4)))
cases.add("crelu", [x], [np.maximum(0, np.concatenate([x, -x], -1))], grad=(0,))
g = coarse(rng.uniform(-1, 1, (2, 3, 8)))
cases.add("crelu_bp", [x, g], [g[..., :4] * (x > 0) - g[..., 4:] * (x < 0)])
for one in (np.array(0.5), np.array([0.5])):  # stands for all elements
    cases.add("crelu_bp", [x, one], [0.5 * np.sign(x)])
cases.add("crelu", [np.zeros((0, 4))], [np.zeros((0, 8))])

# identity
for value in (x, np.arange(6, dtype=np.int8).reshape(2, 3), np.array([True, False]), np.zeros((0, 2), np.float32)):
    cases.add("identity", [value], [value], grad=(0,) if value is x else ())
cases.add("identity_bp", [x, np.array(0.25)], [np.full_like(x, 0.25)], views=False)
cases.add("identity_bp", [np.arange(3, dtype=np.int32), np.array([1.0, 2.0, 3.0])], [np.array([1, 2, 3], np.int32)])
cases.add("identity_n", [x, np.arange(4, dtype=np.uint16), np.array([True])], [x, np.arange(4, dtype=np.uint16), np.array([True])])

cases.save()
