"""Expected values of recurrent operations: the formulas written in NumPy, and PyTorch where it has the same layer."""
import numpy as np
import torch

from cases import Cases

rng = np.random.default_rng(11)
cases = Cases("recurrent")


def normal(*shape, scale=0.5):
    """Multiples of 1/64 below 2: every float type holds them."""
    return np.clip(np.round(rng.normal(size=shape) * scale * 64) / 64, -1.9375, 1.9375).round(5)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def activation(code, a=0.0, b=0.0):
    return [np.tanh, lambda x: np.maximum(x, 0), sigmoid, lambda x: a * x + b, lambda x: np.where(x < 0, a * x, x),
            lambda x: np.where(x > a, x, 0), lambda x: a * np.tanh(b * x), lambda x: np.clip(0.2 * x + 0.5, 0, 1),
            lambda x: np.where(x >= 0, x, a * np.expm1(x)), lambda x: x / (1 + np.abs(x)),
            lambda x: np.log1p(np.exp(x))][code]


def lstm_step(x, h, c, wx, wr, b=None, wp=None, clip=0.0, gate=sigmoid, cell=np.tanh, out=np.tanh, forget=0.0):
    n = c.shape[-1]
    z = x @ wx + h @ wr + (0 if b is None else b)
    i, f, g, o = (z[..., k * n:(k + 1) * n] for k in range(4))
    if wp is not None:
        i, f = i + c * wp[:n], f + c * wp[n:2 * n]
    c = gate(f + forget) * c + gate(i) * cell(g)
    if clip > 0:
        c = np.clip(c, -clip, clip)
    if wp is not None:
        o = o + c * wp[2 * n:]
    return gate(o) * out(c), c


def run(x, wx, wr, b, h, c, wp, lengths, backward, at_end, **options):
    """x [T, N, nIn] in one direction."""
    steps, batch, units = x.shape[0], x.shape[1], wr.shape[0]
    y = np.zeros((steps, batch, units))
    h = np.zeros((batch, units)) if h is None else h.copy()
    c = np.zeros((batch, units)) if c is None else c.copy()
    for n in range(batch):
        length = steps if lengths is None else lengths[n]
        order = range(steps - length, steps) if at_end else range(length)
        for t in (reversed(order) if backward else order):
            h[n], c[n] = lstm_step(x[t, n], h[n], c[n], wx, wr, b, wp, **options)
            y[t, n] = h[n]
        if length == 0:
            h[n] = c[n] = 0
    return y, h, c


def layer(x, arrays, lengths, direction, **options):
    """arrays: wx, wr, b, h, c, wp"""
    if direction < 2:
        return run(x, *arrays, lengths, direction == 1, direction == 1, **options)
    both = [run(x, *[None if a is None else a[d] for a in arrays], lengths, d == 1, False, **options) for d in range(2)]
    y = [r[0] for r in both]
    h = y[0] + y[1] if direction == 2 else np.concatenate(y, -1) if direction == 3 else np.stack(y, 1)
    return h, np.stack([r[1] for r in both]), np.stack([r[2] for r in both])


def in_format(x, fmt):
    return x.transpose(1, 0, 2) if fmt == 1 else x.transpose(1, 2, 0) if fmt == 2 else x


def add_layer(fmt, direction, has, asked, codes=(2, 0, 0), params=(), clip=0.0, sizes=(3, 2, 2, 3), lengths=None,
              grad=True, **options):
    """has: b, seqLen, hI, cI, Wp; asked: h, hL, cL"""
    steps, batch, inputs, units = sizes
    front = (2,) if direction >= 2 else ()
    x = normal(steps, batch, inputs)
    wx, wr = normal(*front, inputs, 4 * units), normal(*front, units, 4 * units)
    b, h, c, wp = (normal(*front, *s) if has[k] else None for k, s in
                   ((0, (4 * units,)), (2, (batch, units)), (3, (batch, units)), (4, (3 * units,))))
    if has[1] and lengths is None:
        lengths = [steps - 1, steps] + [0] * (batch - 2)
    rest, functions = list(params), []
    for code in codes:
        a = rest.pop(0) if code in (3, 4, 5, 6, 8) else 0
        beta = rest.pop(0) if code in (3, 6) else 0
        functions.append(activation(code, a, beta))
    results = layer(x, (wx, wr, b, h, c, wp), lengths, direction, clip=clip, gate=functions[0], cell=functions[1],
                    out=functions[2])
    outputs = [r for r, wanted in zip((in_format(results[0], fmt) if direction != 4 else results[0], *results[1:]), asked)
               if wanted]
    seq = None if not has[1] else np.array(lengths, dtype=np.int32)
    inputs_ = [a for a in (in_format(x, fmt), wx, wr, b, seq, h, c, wp) if a is not None]
    checked = [k for k, a in enumerate(inputs_) if a.dtype != np.int32]
    cases.add("lstmLayer", inputs_, outputs, t=(clip, *params), i=(fmt, direction, *codes), b=(*has, *asked),
              grad=checked if grad else (), **options)


everything, nothing, all_outputs = (1, 1, 1, 1, 1), (0, 0, 0, 0, 0), (1, 1, 1)
for direction in range(5):
    for fmt in ((0, 1, 2) if direction < 4 else (0, 3)):
        add_layer(fmt, direction, (1, 0, 0, 0, 0), all_outputs)
        add_layer(fmt, direction, everything, all_outputs)
    add_layer(0, direction, nothing, (1, 0, 0))
    add_layer(0, direction, (0, 0, 1, 0, 1), (0, 1, 0))
    add_layer(0, direction, (1, 1, 0, 1, 0), (0, 0, 1), sizes=(4, 3, 2, 2), lengths=[1, 0, 4])
    add_layer(0, direction, everything, all_outputs, sizes=(4, 3, 2, 2), lengths=[2, 0, 4])
for codes, params in [((1, 1, 1), ()), ((7, 0, 9), ()), ((2, 4, 8), (0.25, 1.5)), ((3, 6, 5), (0.5, 0.25, 1.5, 0.75, 0.125)),
                      ((10, 9, 0), ()), ((2, 10, 3), (0.5, -0.25)), ((6, 7, 10), (0.5, 2.0)), ((9, 8, 4), (0.5, 0.125))]:
    add_layer(0, 0, everything, all_outputs, codes=codes, params=params, sizes=(2, 2, 2, 2))
add_layer(0, 3, everything, all_outputs, clip=0.25)
add_layer(0, 0, everything, all_outputs, sizes=(1, 1, 1, 1), lengths=[1])
add_layer(0, 0, everything, (0, 1, 1), sizes=(3, 1, 4, 1), lengths=[2])

# a PyTorch layer (gates i, f, g, o as here)
torch.manual_seed(3)
for bidirectional in (False, True):
    torch_layer = torch.nn.LSTM(4, 5, bidirectional=bidirectional).double()
    x = normal(6, 3, 4)
    y, (h, c) = torch_layer(torch.tensor(x))
    part = lambda name: [getattr(torch_layer, f"{name}_l0{s}").detach().numpy() for s in ("", "_reverse")[:1 + bidirectional]]
    squeeze = (lambda a: np.stack(a)) if bidirectional else (lambda a: a[0])
    wx, wr = squeeze([w.T for w in part("weight_ih")]), squeeze([w.T for w in part("weight_hh")])
    b = squeeze([p + q for p, q in zip(part("bias_ih"), part("bias_hh"))])
    y, h, c = (a.detach().numpy() for a in (y, h, c))
    if not bidirectional:
        h, c = h[0], c[0]
    cases.add("lstmLayer", [x, wx, wr, b], [y, h, c], t=(0,), i=(0, 3 if bidirectional else 0, 2, 0, 0),
              b=(1, 0, 0, 0, 0, 1, 1, 1), types=())

# gradients given as scalars
x, wx, wr = normal(2, 2, 3), normal(3, 8), normal(2, 8)
tx, twx, twr = (torch.tensor(a, requires_grad=True) for a in (x, wx, wr))
h, c, total = torch.zeros(2, 2, dtype=torch.float64), torch.zeros(2, 2, dtype=torch.float64), 0
for t in range(2):
    z = tx[t] @ twx + h @ twr
    c = torch.sigmoid(z[:, 2:4]) * c + torch.sigmoid(z[:, :2]) * torch.tanh(z[:, 4:6])
    h = torch.sigmoid(z[:, 6:]) * torch.tanh(c)
    total = total + h.sum()
(total * 0.5).backward()
cases.add("lstmLayer_bp", [x, wx, wr, np.array(0.5)], [a.grad.numpy() for a in (tx, twx, twr)], t=(0,), i=(0, 0, 2, 0, 0),
          b=(0, 0, 0, 0, 0, 1, 0, 0))

# one step
for has_b, has_p in ((0, 0), (1, 0), (0, 1), (1, 1)):
    for batch in ((3,), ()):
        x, h, c = normal(*batch, 2), normal(*batch, 3), normal(*batch, 3)
        wx, wr, b, wp = normal(2, 12), normal(3, 12), normal(12) if has_b else None, normal(9) if has_p else None
        for clip in (0.0, 0.1875):
            y = lstm_step(x, h, c, wx, wr, b, wp, clip)
            inputs = [a for a in (x, wx, wr, b, h, c, wp) if a is not None]
            cases.add("lstmLayerCell", inputs, y, t=(clip,), i=(2, 0, 0), b=(has_b, has_p))
            # The gradient through h alone, from central differences of the formula.
            g = normal(*batch, 3)
            grads = []
            for a in inputs:
                grad = np.zeros_like(a)
                for at in np.ndindex(*a.shape):
                    kept, sums = a[at], []
                    for step in (1e-5, -1e-5):
                        a[at] = kept + step
                        sums.append((lstm_step(x, h, c, wx, wr, b, wp, clip)[0] * g).sum())
                    a[at] = kept
                    grad[at] = (sums[0] - sums[1]) / 2e-5
                grads.append(grad)
            cases.add("lstmLayerCellBp", [*inputs, g], grads, t=(clip,), i=(2, 0, 0), b=(has_b, has_p),
                      tol={"DOUBLE": 1e-8})


# lstm, lstmCell: a projection, peepholes, a bias of the forget gate
def projected(x, h, c, wx, wh, wc, wp, b, peephole, projection, cell_clip, proj_clip, forget):
    y, c = lstm_step(x, h, c, wx, wh, b, wc if peephole else None, max(cell_clip, 0), forget=forget)
    if projection:
        y = y @ wp
        if proj_clip != 0:
            y = np.clip(y, -proj_clip, proj_clip)
    return y, c


for peephole, projection, cell_clip, proj_clip, forget in [(0, 0, 0, 0, 0), (1, 0, 0, 0.125, 1), (0, 1, 0, 0, 0.5),
                                                           (1, 1, 0.25, 0.0625, -0.5), (1, 1, -1, 0, 0)]:
    units, out = 3, 2 if projection else 3
    weights = [normal(2, 12), normal(out, 12), normal(9), normal(3, out), normal(12)]
    x, h0, c0 = normal(4, 2, 2), normal(2, out), normal(2, units)
    t, i = (cell_clip, proj_clip, forget), (peephole, projection)
    hs, cs, h, c = [], [], h0, c0
    for k in range(4):
        h, c = projected(x[k], h, c, *weights, *i, *t)
        hs.append(h)
        cs.append(c)
    cases.add("lstmCell", [x[0], h0, c0, *weights], [hs[0], cs[0]], t=t, i=i)
    cases.add("lstm", [x, h0, c0, *weights], [np.stack(hs), np.stack(cs)], t=t, i=i)


# lstmBlock: gates i, z, f, o; all of them are results
def block(x, c, y, w, wci, wcf, wco, b, peephole, forget, clip):
    n = c.shape[1]
    mi, mz, mf, mo = np.split(np.concatenate([x, y], 1) @ w + b, 4, 1)
    if peephole:
        mi, mf = mi + c * wci, mf + c * wcf
    z, i, f = np.tanh(mz), sigmoid(mi), sigmoid(mf + forget)
    c = z * i + f * c
    if clip > 0:
        c = np.clip(c, -clip, clip)
    o = sigmoid(mo + c * wco if peephole else mo)
    h = np.tanh(c)
    return i, c, f, o, z, h, o * h


for peephole, forget, clip in [(0, 0, 0), (1, 1, 0), (1, 0.5, 0.1875)]:
    weights = [normal(5, 12), normal(3), normal(3), normal(3), normal(12)]
    x, c0, y0 = normal(4, 2, 2), normal(2, 3), normal(2, 3)
    cases.add("lstmBlockCell", [x[0], c0, y0, *weights], block(x[0], c0, y0, *weights, peephole, forget, clip),
              t=(forget, clip), i=(peephole,))
    steps, c, y = [], c0, y0
    for k in range(4):
        steps.append(block(x[k], c, y, *weights, peephole, forget, clip))
        c, y = steps[-1][1], steps[-1][6]
    results = [np.stack(r) for r in zip(*steps)]
    for fmt, order in ((0, (0, 1, 2)), (1, (1, 2, 0)), (2, (1, 0, 2))):
        cases.add("lstmBlock", [np.array(4), x.transpose(order), c0, y0, *weights], [r.transpose(order) for r in results],
                  t=(forget, clip), i=(peephole, fmt))

# gru
for steps, batch, inputs, units in [(4, 3, 2, 3), (1, 1, 1, 1), (2, 1, 3, 2), (3, 2, 1, 4)]:
    x, h0, wx, wh, b = (normal(*s) for s in ((steps, batch, inputs), (batch, units), (inputs, 3 * units),
                                             (units, 3 * units), (3 * units,)))
    cell = torch.nn.GRUCell(inputs, units).double()  # gates r, u, c; the reset gate is applied after the product
    with torch.no_grad():
        cell.weight_ih.copy_(torch.tensor(wx.T))
        cell.weight_hh.copy_(torch.tensor(wh.T))
        cell.bias_ih.copy_(torch.tensor(b))
        cell.bias_hh.zero_()
        h, hs = torch.tensor(h0), []
        for k in range(steps):
            h = cell(torch.tensor(x[k]), h)
            hs.append(h.numpy())
    cases.add("gru", [x, h0, wx, wh, b], [np.stack(hs)], grad=range(5))

    wru, wc, bru, bc = normal(inputs + units, 2 * units), normal(inputs + units, units), normal(2 * units), normal(units)
    tensors = [torch.tensor(a, requires_grad=True) for a in (x[0], h0, wru, wc, bru, bc)]
    tx, th, twru, twc, tbru, tbc = tensors
    ru = torch.sigmoid(torch.cat([tx, th], 1) @ twru + tbru)
    r, u = ru[:, :units], ru[:, units:]
    c = torch.tanh(torch.cat([tx, r * th], 1) @ twc + tbc)
    h = u * th + (1 - u) * c
    gates = [a.detach().numpy() for a in (r, u, c, h)]
    cases.add("gruCell", [a.detach().numpy() for a in tensors], gates)
    # The caller provides the part of the gates' gradient that comes through h; together they are the whole gradient.
    g = normal(batch, units)
    du, dc = g * (h0 - gates[2]), g * (1 - gates[1])
    dr = (dc * (1 - gates[2] ** 2)) @ wc[inputs:].T * h0
    (h * torch.tensor(g)).sum().backward()
    cases.add("gruCell_bp", [*(a.detach().numpy() for a in tensors), dr, du, dc, g], [a.grad.numpy() for a in tensors])


# plain recurrence
def rnn(x, wx, wh, b, h0, lengths, backward):
    steps, batch, units = x.shape[0], x.shape[1], wh.shape[0]
    y, last = np.zeros((steps, batch, units)), np.zeros((batch, units))
    for n in range(batch):
        h = np.zeros(units) if h0 is None else h0[n]
        order = range(steps if lengths is None else lengths[n])
        for t in (reversed(order) if backward else order):
            h = y[t, n] = np.tanh(x[t, n] @ wx + b[:units] + h @ wh + b[units:])
        last[n] = h
    return y, last


def swap(a):
    return a.transpose(1, 0, 2)


for has_h, lengths in ((0, None), (1, None), (0, [2, 0, 4]), (1, [1, 4, 0])):
    x = normal(4, 3, 2)
    fw = [normal(2, 3), normal(3, 3), normal(6)]
    bw = [normal(2, 2), normal(2, 2), normal(4)]
    h, g = (normal(3, 3), normal(3, 2)) if has_h else (None, None)
    extra = [] if lengths is None else [np.array(lengths, dtype=np.int32)]
    y, last_h = rnn(x, *fw, h, lengths, False)
    z, last_z = rnn(x, *bw, g, lengths, True)
    starts = [h] if has_h else []
    cases.add("static_rnn", [x, *fw, *starts, *extra], [y, last_h])
    cases.add("dynamic_rnn", [swap(x), *fw, *starts, *extra], [swap(y), last_h])
    cases.add("dynamic_rnn", [x, *fw, *starts, *extra], [y, last_h], i=(1,))
    starts = [h, g] if has_h else []
    cases.add("static_bidirectional_rnn", [x, *fw, *bw, *starts, *extra], [np.concatenate([y, z], -1), last_h, last_z])
    cases.add("dynamic_bidirectional_rnn", [swap(x), *fw, *bw, *starts, *extra], [swap(y), swap(z), last_h, last_z])
    cases.add("dynamic_bidirectional_rnn", [x, *fw, *bw, *starts, *extra], [y, z, last_h, last_z], i=(1,))


# simple recurrent units in PyTorch, which also computes the gradients
def sru(x, w, b, c0, mask):
    """x [N, K, T], w [3K, K]"""
    k = x.shape[1]
    xm = x if mask is None else x * mask[:, :, None]
    c, hs, cs = c0, [], []
    for t in range(x.shape[2]):
        u = xm[:, :, t] @ w.T
        z, f, r = u[:, :k], torch.sigmoid(u[:, k:2 * k] + b[:k]), torch.sigmoid(u[:, 2 * k:] + b[k:])
        c = f * c + (1 - f) * z
        cs.append(c)
        hs.append(r * torch.tanh(c) + (1 - r) * xm[:, :, t])
    return torch.stack(hs, 2), torch.stack(cs, 2)


def sru_bi(x, w, b, c0, mask):
    """x [T, N, 2K], w [2K, 6K]: z, f, r of a feature are neighbours"""
    steps, features = x.shape[0], x.shape[2]
    xm = x if mask is None else x * mask
    m = torch.ones_like(c0) if mask is None else mask
    u = (xm @ w).reshape(steps, x.shape[1], features, 3)
    z, f, r = u[..., 0], torch.sigmoid(u[..., 1] + b[:features]), torch.sigmoid(u[..., 2] + b[features:])
    halves = []
    for part, order in ((slice(0, features // 2), range(steps)), (slice(features // 2, None), range(steps - 1, -1, -1))):
        c, cs = c0[:, part], [None] * steps
        for t in order:
            c = cs[t] = (c - z[t, :, part]) * f[t, :, part] + z[t, :, part]
        halves.append(torch.stack(cs))
    c = torch.cat(halves, -1)
    return (torch.tanh(c) * m - xm) * r + xm, c


def add_sru(op, function, x, w, b, c0, mask, final, per_part):
    tensors = [torch.tensor(a, requires_grad=True) for a in (x, w, b, c0)]
    m = None if mask is None else torch.tensor(mask)
    h, c = function(*tensors, m)
    masks = [] if mask is None else [mask]
    cases.add(op, [x, w, b, c0, *masks], [h.detach().numpy(), c.detach().numpy()])
    dh, dc = normal(*h.shape), normal(*c0.shape)
    ((h * torch.tensor(dh)).sum() + (final(c) * torch.tensor(dc)).sum()).backward()
    gradients = [t.grad.numpy() for t in tensors]
    # The gradient of the weights for each batch element, or each step, with all other parts held constant.
    gradients[1] = per_part(tensors, m, dh, dc)
    row = gradients[2] if op == "sru_bi" else gradients[2].reshape(1, -1)
    inputs = [x, w, b, c0, c.detach().numpy(), dc, dh, *masks]
    results = [gradients[0], gradients[1], row, gradients[3]]
    cases.add(op + "_bp", inputs, results, types=())
    if op == "sru":
        cases.add(op + "_bp", [x, w, b.reshape(1, -1), *inputs[3:]], results, types=())


def for_each_element(tensors, m, dh, dc):
    x, w, b, c0 = (t.detach() for t in tensors)
    parts = []
    for n in range(x.shape[0]):
        own = w.clone().requires_grad_()
        h, c = sru(x[n:n + 1], own, b, c0[n:n + 1], None if m is None else m[n:n + 1])
        ((h * torch.tensor(dh[n:n + 1])).sum() + (c[:, :, -1] * torch.tensor(dc[n:n + 1])).sum()).backward()
        parts.append(own.grad.numpy())
    return np.stack(parts)


def for_each_step(tensors, m, dh, dc):
    x, w, b, c0 = (t.detach() for t in tensors)
    xm = x if m is None else x * m
    mask = torch.ones_like(c0) if m is None else m
    features, steps = x.shape[2], x.shape[0]
    own = [w.clone().requires_grad_() for _ in range(steps)]
    u = torch.stack([xm[t] @ own[t] for t in range(steps)]).reshape(steps, x.shape[1], features, 3)
    z, f, r = u[..., 0], torch.sigmoid(u[..., 1] + b[:features]), torch.sigmoid(u[..., 2] + b[features:])
    k, cs = features // 2, [[None] * steps, [None] * steps]
    for d, (part, order) in enumerate(((slice(0, k), range(steps)), (slice(k, None), range(steps - 1, -1, -1)))):
        c = c0[:, part]
        for t in order:
            c = cs[d][t] = f[t, :, part] * c + (1 - f[t, :, part]) * z[t, :, part]
    c = torch.cat([torch.stack(cs[0]), torch.stack(cs[1])], -1)
    h = (torch.tanh(c) * mask - xm) * r + xm
    ((h * torch.tensor(dh)).sum() + (both_ends(c) * torch.tensor(dc)).sum()).backward()
    return np.stack([o.grad.numpy() for o in own])


def both_ends(c):
    k = c.shape[2] // 2
    return torch.cat([c[-1, :, :k], c[0, :, k:]], -1)


for masked in (False, True):
    x, w, b, c0 = normal(2, 3, 4), normal(9, 3), normal(6), normal(2, 3)
    mask = rng.integers(0, 2, size=(2, 3)).astype(float) * 2 if masked else None
    add_sru("sru", sru, x, w, b, c0, mask, lambda c: c[:, :, -1], for_each_element)
    x, w, b, c0 = normal(4, 2, 6), normal(6, 18), normal(12), normal(2, 6)
    mask = rng.integers(0, 2, size=(2, 6)).astype(float) * 2 if masked else None
    add_sru("sru_bi", sru_bi, x, w, b, c0, mask, both_ends, for_each_step)
x, c0, w, b = normal(3, 2), normal(3, 2), normal(2, 6), normal(4)
h, c = sru(*(torch.tensor(a) for a in (x[:, :, None], w.T, b, c0)), None)
cases.add("sruCell", [x, c0, w, b], [h[:, :, 0].numpy(), c[:, :, 0].numpy()])
cases.save()
