"""Checks with NumPy what the tests wrote: check.py FOLDER. NpzTests.cpp defines the content. Exits 0 on success."""
import sys
from pathlib import Path

import numpy as np

from make import array

folder = Path(sys.argv[1])


def same(found, wanted, what):
    assert found.dtype == wanted.dtype and found.shape == wanted.shape, f"{what}: {found.dtype} {found.shape}"
    assert found.tobytes("C") == wanted.tobytes("C"), f"{what}: {found}"
    assert found.flags.f_contiguous == wanted.flags.f_contiguous, f"{what}: order"


for name in ["b1", "i1", "u1", "i2", "i4", "i8", "u2", "u4", "u8", "f2", "f4", "f8"]:
    wanted = array(("|" if name.endswith("1") else "<") + name)
    same(np.load(folder / f"c_{name}.npy", allow_pickle=False), wanted, name)
    same(np.load(folder / f"f_{name}.npy", allow_pickle=False), np.asfortranarray(wanted), name + " in f order")
same(np.load(folder / "scalar.npy"), np.array(7, "<i4"), "scalar")
same(np.load(folder / "empty.npy"), np.zeros((2, 0, 3), "<f4"), "empty")

with np.load(folder / "several.npz", allow_pickle=False) as several:
    assert sorted(several.files) == ["first", "größe", "second"], several.files
    same(several["first"], array("<f4"), "first")
    same(several["second"], np.asfortranarray(array("<i8")), "second")
    same(several["größe"], np.array(7, "<i4"), "größe")
with np.load(folder / "many.npz", allow_pickle=False) as many:
    assert len(many.files) == 70000
    same(many["a69999"], np.array(69999, "<i4"), "a69999")
