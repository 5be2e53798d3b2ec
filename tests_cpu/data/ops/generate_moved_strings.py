"""Strings moved by the operations that move any elements: expected values from NumPy."""
import numpy as np

from cases import Cases

cases = Cases("moved_strings")
I64 = np.int64
x = np.array([["apple", "", "Straße"], ["fig", "日本 🚀", "a much longer string than the others"]])
y = np.array([["one", "two", "three"], ["four", "five", ""]])
line = np.array(["zero", "one", "two", "three", "four"])
cube = np.array([f"s{k}" * (k % 3) for k in range(24)]).reshape(2, 3, 4)
none = np.array([], "<U1")


def index(*values):
    return np.array(values, I64)


# ---- picked
for axis, indices in ((0, [1, 0, 1, -1]), (1, [2, 0]), (-1, [[0, 1], [2, 2]])):
    cases.add("gather", [x, index(*indices)], [np.take(x, indices, axis)], i=(axis,))
cases.add("gather", [x], [np.take(x, 1, 1)], i=(1, 1))
cases.add("gather", [line, np.zeros((0,), I64)], [np.take(line, np.zeros(0, I64))], i=(0,))
cases.add("gather_nd", [cube, index([0, 2], [1, 0])], [cube[[0, 1], [2, 0]]])
cases.add("gather_nd", [cube, index([1, 2, 3])], [cube[[1], [2], [3]]])
order = np.argsort(x, 1, kind="stable")
cases.add("take_along_axis", [x, order], [np.take_along_axis(x, order, 1)], i=(1,))
places = index([0], [2])
put = x.copy()
np.put_along_axis(put, places, np.array([["new"], [""]]), 1)
cases.add("put_along_axis", [x, places, np.array([["new"], [""]])], [put], i=(1,))
mask = np.array([[True, False, True], [False, False, True]])
for op in ("select", "Where"):
    cases.add(op, [mask, x, y], [np.where(mask, x, y)])
cases.add("select", [np.array([False, True]), x, y], [np.stack([y[0], x[1]])])
cases.add("where_np", [mask, x, np.array("new")], [np.where(mask, "new", x)])
groups = index(1, 0, 1, 2, 5)
cases.add("dynamic_partition", [line, groups], [line[groups == k] for k in range(3)], i=(3,))

# ---- cut
cases.add("slice", [cube], [cube[1:2, 0:2, 1:4]], i=(1, 0, 1, 1, 2, 3))
cases.add("strided_slice", [cube], [cube[::-1, 0:3:2, 3:0:-2]], i=(1, 0, 1, 0, 0, 0, 0, 3, 0, 3, 0, -1, 2, -2))
cases.add("split", [cube], list(np.split(cube, 2, 2)), i=(2, 2))
cases.add("split_v", [line, index(2, 3)], [line[:2], line[2:]], i=(0,))
cases.add("split_v", [line, index(0, 5)], [line[:0], line], i=(0,))
cases.add("unstack", [cube], [cube[:, k] for k in range(3)], i=(1,))
cases.add("tear", [x], [x[0], x[1]], i=(1,))

# ---- joined
cases.add("concat", [x, y], [np.concatenate([x, y])], i=(0,))
cases.add("concat", [x, y, x], [np.concatenate([x, y, x], 1)], i=(1,))
cases.add("concat", [x, y, index(1)], [np.concatenate([x, y], 1)], b=(True,))
cases.add("concat", [none, line], [line], i=(0,))
for axis in (0, 1, 2):
    cases.add("stack", [x, y], [np.stack([x, y], axis)], i=(axis,))
cases.add("parallel_stack", [line, line[::-1]], [np.stack([line, line[::-1]])])

# ---- repeated and reordered
cases.add("tile", [x], [np.tile(x, (2, 3))], i=(2, 3))
cases.add("repeat", [x], [np.repeat(x, 2, 1)], i=(2, 1))
cases.add("repeat", [x], [np.repeat(x, [2, 0, 1], 1)], i=(2, 0, 1, 1))
cases.add("broadcast_to", [x, index(2, 2, 3)], [np.broadcast_to(x, (2, 2, 3))])
cases.add("tile_to_shape", [line[:1]], [np.repeat(line[:1], 4)], i=(4,))
cases.add("reverse", [cube], [cube[::-1, :, ::-1]], i=(0, 2))
cases.add("roll", [line], [np.roll(line, 2)], i=(2,))
cases.add("permute", [cube], [cube.transpose(2, 0, 1)], i=(2, 0, 1))
cases.add("transpose", [cube], [cube.T])
backward = x.copy()
backward[0, :2] = x[0, 1::-1]
backward[1] = x[1, ::-1]
cases.add("reverse_sequence", [x, index(2, 3)], [backward], i=(1, 0))
many = np.array(["text %d" % (k * 7919 % 100003) for k in range(2000)])
cases.add("gather", [many, np.arange(1999, -1, -3)], [many[::-3]], i=(0,))
cases.save()
