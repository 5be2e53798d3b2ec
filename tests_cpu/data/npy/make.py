"""Writes the files of this folder with NumPy: python3 make.py. NpyTests.cpp and NpzTests.cpp state their content."""
import io
import struct
import zipfile
import zlib
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def values(dtype):
    """Six values of a type, including the extremes."""
    if dtype.kind == "b":
        return [1, 0, 1, 1, 0, 0]
    if dtype.kind == "f":
        return [-np.inf, -1.5, -0.0, 0.25, 65504, np.inf]
    info = np.iinfo(dtype)
    return [info.min, info.max, 0, 1, 2, 100]


def array(name):
    dtype = np.dtype(name)
    return np.array(values(np.dtype(name.lstrip("<>|"))), dtype).reshape(2, 3)


def save(name, data, version=(1, 0)):
    with open(HERE / name, "wb") as file:
        np.lib.format.write_array(file, data, version=version)


def entry(name, content):
    """A stored member whose sizes and offsets are all in zip64 fields, and its directory entry."""
    common = struct.pack("<HHHHHLLL", 45, 0, 0, 0, 33, zlib.crc32(content), 0xFFFFFFFF, 0xFFFFFFFF)
    sizes = struct.pack("<QQ", len(content), len(content))
    local = b"PK\3\4" + common + struct.pack("<HH", len(name), 20) + name + struct.pack("<HH", 1, 16) + sizes + content
    extra = struct.pack("<HHQQQ", 1, 24, len(content), len(content), 0)
    central = b"PK\1\2" + struct.pack("<H", 45) + common
    central += struct.pack("<HHHHHLL", len(name), len(extra), 0, 0, 0, 0, 0xFFFFFFFF) + name + extra
    return local, central


def zip64():
    content = io.BytesIO()
    np.save(content, array("<i4"))
    local, central = entry(b"a.npy", content.getvalue())
    end64 = struct.pack("<4sQHHLLQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, len(central), len(local))
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, len(local) + len(central), 1)
    end = struct.pack("<4sHHHHLLH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    (HERE / "zip64.npz").write_bytes(local + central + end64 + locator + end)
    assert (np.load(HERE / "zip64.npz")["a"] == array("<i4")).all()


def main():
    for name in ["b1", "i1", "u1"]:
        save(f"c_{name}.npy", array("|" + name))
    for name in ["i2", "i4", "i8", "u2", "u4", "u8", "f2", "f4", "f8"]:
        save(f"c_{name}.npy", array("<" + name))
        save(f"big_{name}.npy", array(">" + name))
        save(f"f_{name}.npy", np.asfortranarray(array("<" + name)))
    save("version2.npy", array("<i4"), (2, 0))
    save("version3.npy", array("<i4"), (3, 0))
    save("scalar.npy", np.array(7, "<i4"))
    save("empty1.npy", np.zeros((0,), "<f4"))
    save("empty3.npy", np.zeros((2, 0, 3), "<f4"))
    save("bfloat16.npy", np.array([0x3F80, 0xBFC0, 0x7F80], "<u2").view("V2"))
    save("complex.npy", np.array([1 + 2j, -0.5j], "<c8"))
    save("long_complex.npy", np.zeros(2, "<c32"))
    save("text.npy", np.array(["a", "b"]))
    save("records.npy", np.zeros(2, [("a", "<i4"), ("b", "<f4")]))
    np.save(HERE / "objects.npy", np.array([None, {}], object), allow_pickle=True)

    pair = {"first": array("<f4"), "second": np.asfortranarray(array("<i8")), "empty": np.zeros((0, 2), "u1")}
    np.savez(HERE / "stored.npz", **pair)
    np.savez_compressed(HERE / "deflated.npz", **pair)
    content = (HERE / "c_i4.npy").read_bytes()
    with zipfile.ZipFile(HERE / "bzip2.npz", "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr(zipfile.ZipInfo("a.npy"), content, zipfile.ZIP_BZIP2)
    with zipfile.ZipFile(HERE / "other_members.npz", "w") as archive:
        archive.writestr(zipfile.ZipInfo("readme.txt"), "text")
        archive.writestr(zipfile.ZipInfo("sub/a.npy"), content)
        archive.comment = b"a comment"
    zip64()


if __name__ == "__main__":
    main()
