"""Expected values of optimiser steps: their formulas in NumPy, for two consecutive steps."""
import numpy as np

from cases import Cases, coarse

cases = Cases("updaters")
rng = np.random.default_rng(8)


def usable(a, eps):
    return a if np.isfinite(a) and a != 0 else eps


def corrected(r, t):
    with np.errstate(all="ignore"):
        return usable(r[0] * np.sqrt(1 - r[2] ** (t + 1)) / (1 - r[1] ** (t + 1)), r[3])


def sgd(g, s, r, t):
    return r[0] * g, []


def rms_prop(g, s, r, t):
    new = r[1] * s[0] + (1 - r[1]) * g**2
    return r[0] * g / (np.sqrt(new) + r[2]), [new]


def ada_grad(g, s, r, t):
    new = s[0] + g**2
    return r[0] * g / (np.sqrt(new) + r[1]), [new]


def nesterovs(g, s, r, t):
    v = r[1] * s[0] - r[0] * g
    return r[1] * s[0] - (1 + r[1]) * v, [v]


def ada_delta(g, s, r, t):
    msg = r[0] * s[0] + (1 - r[0]) * g**2
    update = g * np.sqrt(s[1] + r[1]) / np.sqrt(msg + r[1])
    return update, [msg, r[0] * s[1] + (1 - r[0]) * update**2]


def adam(g, s, r, t):
    m, u = r[1] * s[1] + (1 - r[1]) * g, r[2] * s[0] + (1 - r[2]) * g**2
    return corrected(r, t) * m / (np.sqrt(u) + r[3]), [u, m]


def adabelief(g, s, r, t):
    m = r[1] * s[1] + (1 - r[1]) * g
    u = r[2] * s[0] + (1 - r[2]) * (g - m) ** 2 + r[3]
    return corrected(r, t) * m / (np.sqrt(u) + r[3]), [u, m]


def nadam(g, s, r, t):
    m, v = r[1] * s[1] + (1 - r[1]) * g, r[2] * s[0] + (1 - r[2]) * g**2
    return r[0] * (r[1] * m + (1 - r[1]) * g) / (1 - r[1] ** (t + 1)) / (np.sqrt(v) + r[3]), [v, m]


def ada_max(g, s, r, t):
    m, u = r[1] * s[1] + (1 - r[1]) * g, np.maximum(r[2] * s[0], np.abs(g)) + 1e-32
    return m * usable(r[0] / (1 - r[1] ** (t + 1)), r[3]) / u, [u, m]


def ams_grad(g, s, r, t):
    m, v = r[1] * s[1] + (1 - r[1]) * g, r[2] * s[0] + (1 - r[2]) * g**2
    h = np.maximum(s[2], v)
    return corrected(r, t) * m / (np.sqrt(h) + r[3]), [v, m, h]


ADAM = (0.125, 0.5, 0.75, 0.0078125)
table = [(sgd, 0, (0.25,)), (rms_prop, 1, (0.25, 0.75, 0.0078125)), (ada_grad, 1, (0.25, 0.0078125)), (nesterovs, 1, (0.25, 0.875)),
         (ada_delta, 2, (0.75, 0.0078125)), (adam, 2, ADAM), (adabelief, 2, ADAM), (nadam, 2, ADAM), (ada_max, 2, ADAM),
         (ams_grad, 3, ADAM)]
for rule, states, rates in table:
    name = rule.__name__ + "_updater"
    for shape in ((2, 3), (), (7,)):
        g = coarse(rng.uniform(0.25, 2, shape) * rng.choice([-1, 1], shape))
        s = [coarse(rng.uniform(0.25, 2, shape)) for _ in range(states)]
        for t in (0, 3):
            update, new = rule(g, s, rates, t)
            cases.add(name, [g, *s], [update, *new], t=rates, i=(t,))
    update, new = rule(g, s, rates, 0)
    cases.add(name, [g, *s], [update, *new], t=rates, label="first iteration by default")
    # rates as inputs, which take precedence over arguments; every shape with one element
    forms = [np.array(r).reshape(shape) for r, shape in zip(rates, ((), (1,), (1, 1), ()))]
    update, new = rule(g, s, rates, 2)
    cases.add(name, [g, *s, *forms], [update, *new], t=tuple(9.0 for _ in rates), i=(2,), inplace=True, skip={"inplace": "the rates have no outputs"})
    empty = np.zeros((0, 3))
    cases.add(name, [empty] * (1 + states), [empty] * (1 + states), t=rates, i=(0,))
# a rate of 0: the factor of the step is eps
zero = (0.0, 0.5, 0.75, 0.0078125)
g, s = coarse(rng.uniform(0.25, 2, 4)), [coarse(rng.uniform(0.25, 2, 4)) for _ in range(3)]
for rule, states in ((adam, 2), (adabelief, 2), (nadam, 2), (ada_max, 2), (ams_grad, 3)):
    update, new = rule(g, s[:states], zero, 1)
    cases.add(rule.__name__ + "_updater", [g, *s[:states]], [update, *new], t=zero, i=(1,))
# more than one block
g, s = coarse(rng.uniform(0.25, 2, 3000)), [coarse(rng.uniform(0.25, 2, 3000)) for _ in range(2)]
update, new = adam(g, s, ADAM, 5)
cases.add("adam_updater", [g.astype(np.float32), *[v.astype(np.float32) for v in s]], [v.astype(np.float32) for v in (update, *new)], t=ADAM, i=(5,), types=())

cases.save()
