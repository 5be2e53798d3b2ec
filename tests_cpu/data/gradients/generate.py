"""Second derivatives of grid_sample: PyTorch. The gradients of x and the grid are weighted, summed and differentiated."""
import itertools
import pathlib

import numpy as np
import torch
import torch.nn.functional as F

rng = np.random.default_rng(29)
arrays = {}


def some(*shape, most=1.0):
    return np.round(rng.uniform(-most, most, shape) * 64) / 64


for dims, mode, padding, align in itertools.product((2, 3), ("bilinear", "nearest", "bicubic"),
                                                    ("zeros", "border", "reflection"), (False, True)):
    if dims == 3 and mode == "bicubic":
        continue
    sizes, places = ((3, 4), (2, 2)) if dims == 2 else ((2, 3, 2), (1, 2, 1))
    # Odd fractions keep positions away from the centres and edges of cells, where slopes jump.
    x, grid = some(2, 2, *sizes), some(2, *places, dims, most=1.5) + 1 / 301
    incoming, by_x, by_grid = some(2, 2, *places), some(*x.shape), some(*grid.shape)
    leaves = [torch.from_numpy(a).requires_grad_() for a in (x, grid, incoming)]
    z = F.grid_sample(leaves[0], leaves[1], mode, padding, align)
    first = torch.autograd.grad(z, leaves[:2], leaves[2], create_graph=True)
    total = (first[0] * torch.from_numpy(by_x)).sum() + (first[1] * torch.from_numpy(by_grid)).sum()
    second = torch.autograd.grad(total, leaves, allow_unused=True)
    name = f"{dims}.{mode}.{padding}.{int(align)}."
    for key, value in zip(("x", "grid", "incoming", "by_x", "by_grid"), (x, grid, incoming, by_x, by_grid)):
        arrays[name + key] = value
    for key, value, leaf in zip(("second_x", "second_grid", "second_incoming"), second, leaves):
        arrays[name + key] = np.zeros(leaf.shape) if value is None else value.detach().numpy()
np.savez_compressed(pathlib.Path(__file__).parent / "grid_sample.npz", **arrays)
