"""Expected values of layer_norm with an epsilon, rms_norm, group_norm and instance_norm: PyTorch."""
import numpy as np
import torch
import torch.nn.functional as F

from cases import Cases, coarse

cases = Cases("normalization")
rng = np.random.default_rng(31)
nan, inf = np.nan, np.inf
# The gradient operations take gradZ after x, then gamma.
BACKWARD = ("in0", "eps0", "in1")


def some(*shape, low=-2.0, high=2.0):
    return coarse(rng.uniform(low, high, shape))


def tensor(array):
    return None if array is None else torch.from_numpy(np.array(array)).requires_grad_()


def gradients(z, inputs, g):
    return [a.numpy() for a in torch.autograd.grad(z, [a for a in inputs if a is not None], torch.from_numpy(g))]


def given(*arrays):
    arrays = list(arrays)
    while arrays and arrays[-1] is None:
        arrays.pop()
    return arrays


def moved(array):
    return np.ascontiguousarray(np.moveaxis(array, 1, -1))


# ---- layer_norm with an epsilon

for shape, axes in (((2, 4, 5), (2,)), ((2, 4, 5), (1, 2)), ((3, 70), (1,)), ((2, 3, 1), (2,))):
    for epsilon in (1e-5, 0.125, 2.0):
        x, g = some(*shape), some(*shape)
        c = shape[-1]
        gain, bias = some(c), some(c)
        size = [shape[a] for a in axes]
        tx, tg, tb = tensor(x), tensor(gain), tensor(bias)
        z = F.layer_norm(tx, size, tg.expand(size), tb.expand(size), epsilon)
        cases.add("layer_norm", [x, gain, bias], [z.detach().numpy()], t=(epsilon,), i=axes, b=(False,), grad=(0, 1, 2))
        cases.add("layer_norm_bp", [x, gain, bias, g], gradients(z, (tx, tg, tb), g), t=(epsilon,), i=axes, b=(False,))
        z = F.layer_norm(tx, size, tg.expand(size), None, epsilon)
        cases.add("layer_norm", [x, gain], [z.detach().numpy()], t=(epsilon,), i=axes, b=(False,), grad=(0, 1))
x, gain = some(2, 3, 4), some(3)
z = F.layer_norm(torch.from_numpy(x), (4,), None, None, 0.5).numpy() * gain[:, None]
cases.add("layer_norm", [x, gain], [z], t=(0.5,), i=(2,), grad=(0, 1), label="channels on axis 1")
odd = np.array([[nan, 1.0, 2.0], [1.0, 1.0, 1.0], [inf, 1.0, 2.0]])
z = F.layer_norm(torch.from_numpy(odd), (3,), torch.ones(3, dtype=torch.float64), None, 1e-5).numpy()
cases.add("layer_norm", [odd, np.ones(3)], [z], t=(1e-5,), i=(1,), b=(False,))
g = some(2, 3)
flat, one = tensor(np.ones((2, 3))), tensor(np.array([1.0, 2.0, 0.5]))
z = F.layer_norm(flat, (3,), one, None, 0.25)
cases.add("layer_norm_bp", [np.ones((2, 3)), np.array([1.0, 2.0, 0.5]), g], gradients(z, (flat, one), g), t=(0.25,), i=(1,),
          b=(False,), label="equal elements")

# ---- rms_norm

for shape, axes in (((2, 4, 5), (2,)), ((2, 4, 5), (1, 2)), ((2, 4, 5), (0, 1, 2)), ((3, 300), (1,)), ((6,), (0,))):
    for epsilon in (None, 0.125):
        x, g = some(*shape), some(*shape)
        size = [shape[a] for a in axes]
        for gain in (None, some(*size)):
            tx, tg = tensor(x), tensor(gain)
            z = F.rms_norm(tx, size, tg, epsilon or 1e-5)
            t = () if epsilon is None else (epsilon,)
            i = () if axes == (len(shape) - 1,) and epsilon is None else axes
            cases.add("rms_norm", given(x, gain), [z.detach().numpy()], t=t, i=i, grad=(0,) if gain is None else {0: 0, 1: 1},
                      bp={"inputs": BACKWARD[:2 if gain is None else 3]})
            both = gradients(z, (tx, tg), g)
            if gain is None:
                root = 1 / np.sqrt((x * x).mean(axes, keepdims=True) + (epsilon or 1e-5))
                both.append((g * x * root).sum(tuple(d for d in range(x.ndim) if d not in axes)))
            cases.add("rms_norm_bp", given(x, g, gain), both, t=t, i=i)
x, gain = some(3, 4, 5), some(3, 5)
z = x / np.sqrt((x * x).mean((0, 2), keepdims=True) + 0.5) * gain[:, None, :]
cases.add("rms_norm", [x, gain], [z], t=(0.5,), i=(-1, 0), grad={0: 0, 1: 1}, bp={"inputs": BACKWARD}, label="axes 0 and 2")
odd = np.array([[nan, 1.0], [inf, 1.0], [0.0, 0.0]])
cases.add("rms_norm", [odd], [F.rms_norm(torch.from_numpy(odd), (2,), None, 1e-5).numpy()], t=(1e-5,))
large = np.full((1, 5), 1e30, dtype=np.float32)
cases.add("rms_norm", [large], [np.ones((1, 5), dtype=np.float32)], types=(), label="squares beyond float")
cases.add("rms_norm", [np.zeros((0, 3)), np.ones(3)], [np.zeros((0, 3))])
cases.add("rms_norm", [np.zeros((3, 0))], [np.zeros((3, 0))])
cases.add("rms_norm_bp", [np.zeros((0, 3)), np.zeros((0, 3)), np.ones(3)], [np.zeros((0, 3)), np.zeros(3)])

# ---- group_norm and instance_norm


def add(name, x, g, gain, bias, z, tensors, t, i):
    results = gradients(z, tensors, g)
    grads = {0: 0}
    if gain is not None:
        grads[1] = 1
    if bias is not None:
        grads[2] = 2
    z = z.detach().numpy()
    for last in (False, True):
        turn = moved if last else (lambda a: a)
        b = (False,) if last else ()
        cases.add(name, given(turn(x), gain, bias), [turn(z)], t=t, i=i, b=b, grad=grads,
                  bp={"inputs": BACKWARD[:2 if gain is None else 3]})
        if gain is not None and bias is not None:
            cases.add(name + "_bp", [turn(x), turn(g), gain], [turn(results[0]), *results[1:]], t=t, i=i, b=b)


for shape, numbers in (((2, 6, 3, 2), (1, 2, 3, 6)), ((3, 4), (1, 2)), ((1, 4, 7), (2,)), ((2, 4, 2, 1, 3), (4,))):
    for groups in numbers:
        for epsilon in (1e-5, 0.25):
            for gained, offset in ((True, True), (True, False), (False, True), (False, False)):
                x, g = some(*shape), some(*shape)
                gain, bias = some(shape[1]) if gained else None, some(shape[1]) if offset else None
                tensors = [tensor(a) for a in (x, gain, bias)]
                t = () if epsilon == 1e-5 else (epsilon,)
                z = F.group_norm(tensors[0], groups, tensors[1], tensors[2], epsilon)
                add("group_norm", x, g, gain, bias, z, tensors, t, (groups,))
                if groups == 1 and len(shape) > 2:
                    z = F.instance_norm(tensors[0], weight=tensors[1], bias=tensors[2], eps=epsilon)
                    add("instance_norm", x, g, gain, bias, z, tensors, t, ())
x = some(3, 20, 30) + 64
cases.add("group_norm", [x], [F.group_norm(torch.from_numpy(x), 5).numpy()], i=(5,), types=("FLOAT32", "DOUBLE"),
          label="a mean that is larger than the deviation")
odd = np.array([[[nan, 1.0], [1.0, 2.0]], [[inf, 1.0], [3.0, 3.0]]])
cases.add("group_norm", [odd], [F.group_norm(torch.from_numpy(odd), 2).numpy()], i=(2,))
cases.add("instance_norm", [odd], [F.instance_norm(torch.from_numpy(odd)).numpy()])
for name, i in (("group_norm", (2,)), ("instance_norm", ())):
    for shape in ((0, 4, 3), (2, 4, 0)):
        none = np.zeros(shape)
        cases.add(name, [none, np.ones(4), np.ones(4)], [none], i=i)
        cases.add(name + "_bp", [none, none, np.ones(4)], [none, np.zeros(4), np.zeros(4)], i=i)

# Channels last: enough of them for vectors, a first pixel that is far from the others, squares that overflow in FLOAT32.
for groups, scale, far, types in ((5, 1, 0, None), (1, 1, 100, ("FLOAT32", "DOUBLE")), (5, 1e25, 0, ("FLOAT32", "DOUBLE"))):
    x, g, gain, bias = some(1, 20, 67) * scale, some(1, 20, 67), some(20), some(20)
    x[:, :, 0] += far
    tensors = [tensor(a) for a in (x, gain, bias)]
    z = F.group_norm(tensors[0], groups, tensors[1], tensors[2])
    results = gradients(z, tensors, g)
    cases.add("group_norm", [moved(x), gain, bias], [moved(z.detach().numpy())], i=(groups,), b=(False,), types=types)
    if scale == 1 and far == 0:
        cases.add("group_norm_bp", [moved(x), moved(g), gain], [moved(results[0]), *results[1:]], i=(groups,), b=(False,),
                  types=types)

cases.save()
