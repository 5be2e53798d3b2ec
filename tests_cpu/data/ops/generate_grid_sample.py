"""Expected values of grid_sample: PyTorch."""
import numpy as np
import torch
import torch.nn.functional as F

from cases import Cases, coarse

cases = Cases("grid_sample")
rng = np.random.default_rng(41)
nan, inf = np.nan, np.inf
MODES, PADDINGS = ("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection")


def some(*shape, low=-1.0, high=1.0):
    return coarse(rng.uniform(low, high, shape))


def is_smooth(x, grid, align):
    """Whether no position is near a cell's centre or edge, where slopes or values jump."""
    size = np.array(x.shape[:1:-1])
    at = (grid + 1) / 2 * (size - 1) if align else ((grid + 1) * size - 1) / 2
    return np.abs(2 * at - np.round(2 * at)).min() > 1e-3


def add(x, grid, mode, padding, align, differences=True):
    differences = differences and is_smooth(x, grid, align)
    tx, tgrid = (torch.from_numpy(np.array(a)).requires_grad_() for a in (x, grid))
    z = F.grid_sample(tx, tgrid, MODES[mode], PADDINGS[padding], align)
    g = some(*z.shape)
    gradients = [a.numpy() for a in torch.autograd.grad(z, (tx, tgrid), torch.from_numpy(g))]
    i, b = (mode, padding), (align,) if align else ()
    # In other types the position may be rounded to another cell.
    types = ("FLOAT32",)
    cases.add("grid_sample", [x, grid], [z.detach().numpy()], i=i, b=b, grad=(0, 1) if differences else (),
              types=types, step=1e-6)
    cases.add("grid_sample_bp", [x, grid, g], gradients, i=i, b=b, types=types)


for mode in range(3):
    for padding in range(3):
        for align in (False, True):
            add(some(2, 3, 4, 5), some(2, 3, 2, 2, low=-1.5, high=1.5), mode, padding, align)
            add(some(2, 3, 4, 5), some(2, 2, 1, 2, low=-1.5, high=1.5) + 0.003, mode, padding, align)
            add(some(1, 2, 3, 1), some(1, 2, 2, 2, low=-3, high=3), mode, padding, align, differences=mode != 2)
            if mode < 2:
                add(some(2, 2, 3, 4, 2), some(2, 2, 1, 3, 3, low=-1.5, high=1.5), mode, padding, align)
x = some(1, 1, 4, 4)
cases.add("grid_sample", [x, some(1, 2, 2, 2) * 0], [np.full((1, 1, 2, 2), x[0, 0, 1:3, 1:3].mean())],
          label="the middle, without arguments")
x = some(1, 2, 3, 4)
for mode in range(3):
    for padding in range(3):
        # How often a position is mirrored means nothing when it has no fractional digits.
        f = 101.3 if padding == 2 else 1e30
        far = np.array([[[[f, 0.25], [-f, 0.25], [0.25, f]]]])
        z = F.grid_sample(torch.from_numpy(x), torch.from_numpy(far), MODES[mode], PADDINGS[padding], False).numpy()
        cases.add("grid_sample", [x, far], [z], i=(mode, padding), types=(), label="far outside")
odd = np.array([[[[nan, 0.25], [0.25, nan], [inf, 0.25], [-inf, 0.25]]]])
for mode in range(3):
    for padding in range(3):
        z = F.grid_sample(torch.from_numpy(x), torch.from_numpy(odd), MODES[mode], PADDINGS[padding], False).numpy()
        cases.add("grid_sample", [x, odd], [z], i=(mode, padding), types=(), label="not finite")
volume, odd = some(1, 2, 2, 3, 4), np.array([nan, 0.25, 0.125, 0.25, nan, 0.125, inf, 0.25, 0.125]).reshape(1, 1, 1, 3, 3)
for mode in range(2):
    for padding in range(3):
        z = F.grid_sample(torch.from_numpy(volume), torch.from_numpy(odd), MODES[mode], PADDINGS[padding], False).numpy()
        cases.add("grid_sample", [volume, odd], [z], i=(mode, padding), types=(), label="not finite, volumes")
for xs, gs, zs in (((0, 2, 3, 4), (0, 5, 6, 2), (0, 2, 5, 6)), ((1, 2, 3, 4), (1, 0, 6, 2), (1, 2, 0, 6)),
                   ((1, 0, 3, 4), (1, 5, 6, 2), (1, 0, 5, 6))):
    cases.add("grid_sample", [np.zeros(xs), np.zeros(gs)], [np.zeros(zs)])
    cases.add("grid_sample_bp", [np.zeros(xs), np.zeros(gs), np.zeros(zs)], [np.zeros(xs), np.zeros(gs)])
x32 = x.astype(np.float32)
grid = some(1, 2, 2, 2)
z = F.grid_sample(torch.from_numpy(x), torch.from_numpy(grid), "bilinear", "zeros", False).numpy()
cases.add("grid_sample", [x32, grid], [z.astype(np.float32)], types=(), label="a grid of another type")
# More channels and places than are computed together; all inside, and some outside.
for mode, height in ((0, 27), (1, 7), (2, 7)):
    for reach in (0.75, 1.5):
        add(some(1, 5, 6, 5), some(1, height, 20, 2, low=-reach, high=reach), mode, 0, False, differences=False)
add(some(1, 5, 4, 3, 5), some(1, 5, 13, 4, 3, low=-0.5, high=0.5), 0, 0, False, differences=False)

cases.save()
