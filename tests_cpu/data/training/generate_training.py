"""Parameters in ten steps of training, by the formulas of each updater in NumPy, in double.

The loss is sum(a * (w - c)^2) / 2 + sum(b * (v - d)^4) / 4, whose gradients are a * (w - c) and b * (v - d)^3.
training.npz has a, b, c, d, the first w and v, and for each case `NAME/w` and `NAME/v`, a row for each step.
"""
import numpy as np

rng = np.random.default_rng(16)
a, c = rng.uniform(0.5, 2, (2, 3)), rng.uniform(-1, 1, (2, 3))
b, d = rng.uniform(0.5, 2, 4), rng.uniform(-1, 1, 4)
first = {"w": rng.uniform(-2, 2, (2, 3)), "v": rng.uniform(-2, 2, 4)}
data = {"a": a, "b": b, "c": c, "d": d, "first/w": first["w"], "first/v": first["v"]}
STEPS = 10


def gradients(p):
    return {"w": a * (p["w"] - c), "v": b * (p["v"] - d) ** 3}


# Each rule gets the gradient, the states by name, the learning rate and the number of the step from 1, and returns
# what is subtracted from the parameter.
def sgd(g, s, lr, t):
    return lr * g


def nesterovs(g, s, lr, t, momentum=0.9):
    before = s.get("v", 0)
    s["v"] = momentum * before - lr * g
    return -(-momentum * before + (1 + momentum) * s["v"])


def moments(g, s, beta1, beta2):
    s["m"] = beta1 * s.get("m", 0) + (1 - beta1) * g
    s["v"] = beta2 * s.get("v", 0) + (1 - beta2) * g * g


def adam(g, s, lr, t, beta1=0.9, beta2=0.999, epsilon=1e-8):
    moments(g, s, beta1, beta2)
    return lr * np.sqrt(1 - beta2**t) / (1 - beta1**t) * s["m"] / (np.sqrt(s["v"]) + epsilon)


def ada_max(g, s, lr, t, beta1=0.9, beta2=0.999):
    s["m"] = beta1 * s.get("m", 0) + (1 - beta1) * g
    s["u"] = np.maximum(beta2 * s.get("u", 0), abs(g)) + 1e-32
    return lr / (1 - beta1**t) * s["m"] / s["u"]


def nadam(g, s, lr, t, beta1=0.9, beta2=0.999, epsilon=1e-8):
    moments(g, s, beta1, beta2)
    return lr / (1 - beta1**t) * (beta1 * s["m"] + (1 - beta1) * g) / (np.sqrt(s["v"]) + epsilon)


def ams_grad(g, s, lr, t, beta1=0.9, beta2=0.999, epsilon=1e-8):
    moments(g, s, beta1, beta2)
    s["h"] = np.maximum(s.get("h", 0), s["v"])
    return lr * np.sqrt(1 - beta2**t) / (1 - beta1**t) * s["m"] / (np.sqrt(s["h"]) + epsilon)


def ada_belief(g, s, lr, t, beta1=0.9, beta2=0.999, epsilon=1e-14):
    s["m"] = beta1 * s.get("m", 0) + (1 - beta1) * g
    s["v"] = beta2 * s.get("v", 0) + (1 - beta2) * (g - s["m"]) ** 2 + epsilon
    return lr * np.sqrt(1 - beta2**t) / (1 - beta1**t) * s["m"] / (np.sqrt(s["v"]) + epsilon)


def ada_grad(g, s, lr, t, epsilon=1e-6):
    s["v"] = s.get("v", epsilon) + g * g
    return lr * g / (np.sqrt(s["v"]) + epsilon)


def rms_prop(g, s, lr, t, decay=0.95, epsilon=1e-8):
    s["v"] = decay * s.get("v", epsilon) + (1 - decay) * g * g
    return lr * g / (np.sqrt(s["v"]) + epsilon)


def ada_delta(g, s, lr, t, decay=0.95, epsilon=1e-6):
    s["v"] = decay * s.get("v", 0) + (1 - decay) * g * g
    update = g * np.sqrt(s.get("u", 0) + epsilon) / np.sqrt(s["v"] + epsilon)
    s["u"] = decay * s.get("u", 0) + (1 - decay) * update**2
    return lr * update


def norm(values):
    return np.sqrt(sum((x**2).sum() for x in values))


def train(name, rule, rate, clip=lambda g: g, l1=0.0, l2=0.0, decay=0.0, decayed=("w", "v"), every=1):
    p = {k: x.copy() for k, x in first.items()}
    states = {k: {} for k in p}
    rows = {k: [] for k in p}
    sums = {k: 0.0 for k in p}
    updates = 0
    for step in range(STEPS):
        g = gradients(p)
        sums = {k: sums[k] + g[k] for k in p}
        if (step + 1) % every == 0:
            g = clip({k: x / every for k, x in sums.items()})
            lr = rate(updates) if callable(rate) else rate
            new = {}
            for k, x in p.items():
                part = k in decayed
                full = g[k] + part * (l2 * x + l1 * np.sign(x))
                new[k] = x - rule(full, states[k], lr, updates + 1) - part * lr * decay * x
            p, sums = new, {k: 0.0 for k in p}
            updates += 1
        for k in p:
            rows[k].append(p[k].copy())
    for k in p:
        data[f"{name}/{k}"] = np.array(rows[k])


for rule, rate in ((sgd, 0.125), (nesterovs, 0.0625), (adam, 0.125), (ada_max, 0.125), (nadam, 0.125), (ams_grad, 0.125),
                   (ada_belief, 0.125), (ada_grad, 0.25), (rms_prop, 0.0625), (ada_delta, 1.0)):
    train(rule.__name__, rule, rate)
train("regularised", adam, 0.125, l1=0.25, l2=0.5, decay=0.125, decayed=("w",))
train("scheduled", nesterovs, lambda step: 0.25 * 0.5 ** (step // 3))
train("by_value", sgd, 0.25, clip=lambda g: {k: x.clip(-0.5, 0.5) for k, x in g.items()})
train("by_norm", sgd, 0.25, clip=lambda g: {k: x * min(1, 0.75 / norm([x])) for k, x in g.items()})
train("by_global_norm", sgd, 0.25, clip=lambda g: {k: x * min(1, 0.75 / norm(g.values())) for k, x in g.items()})
train("accumulated", adam, 0.25, every=3)

np.savez("training.npz", **data)
