#!/usr/bin/env python3
"""Writes small.fb and control.fb, graph files made without the schemas of this library: with the plain builder of the
Python package flatbuffers, and the field numbers and constants of libnd4j's format. control.fb is like the files of
SameDiff: numbers of variables above 0, inputs as pairs, an array variable for each output, empty lists.

Usage: python3 generate.py      needs numpy and flatbuffers
"""
import pathlib

import flatbuffers
import numpy as np

# sd::DataType and the flags of a shapeInfo
TYPES = {
    "bool": (1, 524288), "float16": (3, 4096), "float32": (5, 8192), "float64": (6, 16384), "int8": (7, 32768),
    "int16": (8, 65536), "int32": (9, 131072), "int64": (10, 262144), "uint8": (11, 32768 | 8388608),
    "uint16": (12, 65536 | 8388608), "uint32": (13, 131072 | 8388608), "uint64": (14, 262144 | 8388608),
}
STRINGS = {"utf-8": (50, 1048576), "utf-16": (51, 4194304), "utf-32": (52, 16777216)}
EMPTY = 8
LITTLE, BIG = 0, 1
VARIABLE, CONSTANT, ARRAY, PLACEHOLDER = range(4)

builder = flatbuffers.Builder(4096)


def vector(values, size, prepend):
    builder.StartVector(size, len(values), size)
    for value in reversed(values):
        prepend(value)
    return builder.EndVector()


def longs(values):
    return vector(values, 8, builder.PrependInt64)


def ints(values):
    return vector(values, 4, builder.PrependInt32)


def offsets(values):
    return vector(values, 4, builder.PrependUOffsetTRelative)


def table(fields, **slots):
    """slots: name=(number, kind, value)"""
    prepared = [(number, kind, builder.CreateString(value) if kind == "string" else value)
                for number, kind, value in slots.values()]
    builder.StartObject(fields)
    for number, kind, value in prepared:
        if kind in ("string", "offset"):
            builder.PrependUOffsetTRelativeSlot(number, value, 0)
        else:
            getattr(builder, f"Prepend{kind}Slot")(number, value, 0)
    return builder.EndObject()


def shape_info(shape, order, flags):
    strides = [0] * len(shape)
    step = 1
    for d in (range(len(shape)) if order == "f" else reversed(range(len(shape)))):
        strides[d] = step
        step *= shape[d]
    if flags & EMPTY:
        strides = [0] * len(shape)
    return longs([len(shape), *shape, *strides, flags, 1, ord(order)])


def flat_array(shape, order, dtype, flags, data, byte_order):
    info = shape_info(shape, order, flags)
    data = builder.CreateByteVector(data)
    return table(4, shape=(0, "offset", info), buffer=(1, "offset", data), dtype=(2, "Int8", dtype),
                 byte_order=(3, "Int8", byte_order))


def numbers(values, order="c", byte_order=LITTLE):
    dtype, flags = TYPES[values.dtype.name]
    data = values.astype(values.dtype.newbyteorder("<" if byte_order == LITTLE else ">")).tobytes(order.upper())
    return flat_array(values.shape, order, dtype, flags, data, byte_order)


def strings(texts, shape, encoding, byte_order=LITTLE):
    dtype, flags = STRINGS[encoding]
    ending = "" if encoding == "utf-8" else "-le" if byte_order == LITTLE else "-be"
    data = [text.encode(encoding + ending) for text in texts]
    starts = np.cumsum([0] + [len(text) for text in data]).astype("<i8" if byte_order == LITTLE else ">i8")
    return flat_array(shape, "c", dtype, flags, starts.tobytes() + b"".join(data), byte_order)


def pair(first, second):
    return table(2, first=(0, "Int32", first), second=(1, "Int32", second))


def variable(number, name, kind, array=None, shape=None, dtype=0, index=0):
    slots = {"id": (0, "offset", pair(number, index)), "name": (1, "string", name), "dtype": (2, "Int8", dtype),
             "kind": (6, "Int8", kind)}
    if shape is not None:
        slots["shape"] = (3, "offset", longs(shape))
    if array is not None:
        slots["array"] = (4, "offset", array)
    return table(10, **slots)


def operation_hash(name):
    """The hash by which files name custom operations."""
    mask = (1 << 64) - 1
    entries = []
    h = 0x544B2FBACAAF1684
    for _ in range(256):
        for _ in range(31):
            h ^= h >> 7
            h ^= h << 11 & mask
            h ^= h >> 10
        entries.append(h)
    h = 0xBB40E64DA205B064
    for c in name.encode():
        for byte in (c, 0):
            h = h * 7664345821815920749 & mask ^ entries[byte]
    return h - (1 << 64) if h >> 63 else h


CUSTOM, SCALAR, TRANSFORM_SAME, LOGIC = 21, 10, 1, 119
NEG, SQUARE = 3, 12
WHILE, SCOPE, SWITCH, RETURN, MERGE = 0, 10, 30, 40, 60


def texts(values):
    return offsets([builder.CreateString(value) for value in values])


def prop(name, **lists):
    """Named values as SameDiff writes them: lists that are not used are empty."""
    slots = {"name": (0, "string", name), "i": (1, "offset", ints(lists.get("i", []))),
             "l": (2, "offset", longs(lists.get("l", []))),
             "d": (3, "offset", vector(lists.get("d", []), 8, builder.PrependFloat64)),
             "b": (5, "offset", vector(lists.get("b", []), 1, builder.PrependBool))}
    return table(8, **slots)


def node(number, name, group, opnum, inputs, operation="", results=(), targets=(), properties=(), integers=(), flags=(),
         axes=(), scalar=None, scope=0, scope_name=""):
    slots = {
        "id": (0, "Int32", number), "name": (1, "string", name), "group": (2, "Int8", group),
        "number": (3, "Int64", opnum), "properties": (4, "offset", offsets(list(properties))),
        "inputs": (6, "offset", offsets([pair(*place) for place in inputs])), "outputs": (7, "offset", ints(targets)),
        "floats": (8, "offset", vector([], 8, builder.PrependFloat64)), "integers": (9, "offset", longs(integers)),
        "flags": (10, "offset", vector(flags, 1, builder.PrependBool)), "axes": (11, "offset", ints(axes)),
        "scope": (13, "Int32", scope), "scope_name": (14, "string", scope_name),
        "results": (15, "offset", texts(results)), "operation": (16, "string", operation),
    }
    if scalar is not None:
        slots["scalar"] = (18, "offset", numbers(np.array(scalar, "float32")))
    return table(24, **slots)


def write(name, graph):
    builder.Finish(graph)
    (pathlib.Path(__file__).parent / name).write_bytes(bytes(builder.Output()))


def control():
    """y = 2 (x w); while sum(y) < limit: y = 3 y; the result is flag ? y y : -y, and its sums along the rows."""
    global builder
    builder = flatbuffers.Builder(4096)
    small = [
        variable(1, "x", PLACEHOLDER, shape=[-1, 2], dtype=5),
        variable(2, "w", CONSTANT, numbers(np.eye(2, dtype="float32")), dtype=5),
        variable(3, "limit", VARIABLE, numbers(np.array(100, "float32")), dtype=5),
        variable(14, "three", CONSTANT, numbers(np.array(3, "float32")), dtype=5),
        variable(15, "flag", CONSTANT, numbers(np.array(True)), dtype=1),
    ]
    results = [(4, 0, "product"), (5, 0, "doubled"), (6, 0, "grown"), (7, 0, "left"), (7, 1, "right"), (12, 0, "chosen")]
    small += [variable(number, name, ARRAY, dtype=5, index=index) for number, index, name in results]
    custom = operation_hash
    # In a scope the order counts. Otherwise it does not: the scopes and what they read come later.
    scoped = [
        # The operation under another number, by its name.
        node(11, "total", CUSTOM, 12345, [(6, 0)], "reduce_sum", ["total"], scope=10, scope_name="condition"),
        node(13, "check", CUSTOM, custom("less"), [(11, 0), (3, 0)], "less", ["check"], scope=10, scope_name="condition"),
        node(21, "thrice", CUSTOM, custom("multiply"), [(6, 0), (14, 0)], "multiply", ["thrice"], scope=20,
             scope_name="body"),
        node(22, "next", LOGIC, RETURN, [(21, 0)], targets=[6], scope=20, scope_name="body"),
    ]
    nodes = [
        node(4, "matmul_op", CUSTOM, custom("matmul"), [(1, 0), (2, 0)], "matmul", ["product"], integers=[0, 0, 0]),
        node(5, "twice", SCALAR, 2, [(4, 0)], "mul_scalar", ["doubled"], scalar=2),
        node(6, "while", LOGIC, WHILE, [(5, 0), (10, 0), (20, 0)], results=["grown"]),
        node(10, "condition", LOGIC, SCOPE, []),
        node(20, "body", LOGIC, SCOPE, []),
        node(7, "switch", LOGIC, SWITCH, [(6, 0), (15, 0)], "switch", ["left", "right"]),
        node(8, "negative", TRANSFORM_SAME, NEG, [(7, 0)], "neg", ["negative"]),
        node(9, "square", TRANSFORM_SAME, SQUARE, [(7, 1)], "square", ["squared"]),
        node(12, "merge", LOGIC, MERGE, [(8, 0), (9, 0)], "merge", ["chosen"]),
        node(16, "sums_op", CUSTOM, custom("reduce_sum"), [(12, 0)], "reduce_sum", ["sums"], integers=[1],
             properties=[prop("keep_dims", b=[True]), prop("dimensions", i=[7]), prop("isEmptyReduce", b=[True])]),
    ]
    configuration = table(8, output=(3, "Int8", 1))
    write("control.fb", table(
        9, id=(0, "Int64", 5), variables=(1, "offset", offsets(small)), nodes=(2, "offset", offsets(scoped + nodes[::-1])),
        outputs=(3, "offset", offsets([pair(12, 0), pair(16, 0)])), configuration=(4, "offset", configuration),
        placeholders=(5, "offset", texts(["x"])), losses=(6, "offset", texts(["sums"]))))


def main():
    rows = np.array([[1, 2, 3], [4, 5, 6]])
    variables = [
        variable(-1, "x", PLACEHOLDER, shape=[-1, 3], dtype=5),
        variable(-2, "w", CONSTANT, numbers((rows / 4).astype("float32").T, "f"), dtype=5),
    ]
    for k, name in enumerate(TYPES):
        values = rows % 2 if name == "bool" else rows
        if name.startswith("float"):
            values = -values / 8
        elif name.startswith("int"):
            values = -values
        values = values.astype(name)
        variables.append(variable(-10 - k, f"little {name}", VARIABLE, numbers(values), dtype=TYPES[name][0]))
        variables.append(variable(-40 - k, f"big {name}", ARRAY, numbers(values, "f", BIG), dtype=TYPES[name][0]))
    texts = ["alpha", "", "\u0436\u20ac", "\U0001f600"]
    for k, encoding in enumerate(STRINGS):
        dtype = STRINGS[encoding][0]
        variables.append(variable(-70 - k, f"little {encoding}", VARIABLE, strings(texts, [2, 2], encoding), dtype=dtype))
        variables.append(variable(-80 - k, f"big {encoding}", VARIABLE, strings(texts, [2, 2], encoding, BIG), dtype=dtype))
    variables.append(variable(-90, "empty", VARIABLE, flat_array([], "c", 5, 8192 | EMPTY, b"", LITTLE), dtype=5))
    variables.append(variable(-91, "scalar", VARIABLE, numbers(np.array(-2.5, "float64")), dtype=6))

    # node 1: tanh (group TRANSFORM_STRICT = 3, number 29) of x; node 2: sums of rows (group REDUCE_SAME = 6, number 0)
    tanh = table(24, id=(0, "Int32", 1), name=(1, "string", "hidden"), group=(2, "Int8", 3), number=(3, "Int64", 29),
                 inputs=(6, "offset", offsets([pair(-1, 0)])), outputs=(7, "offset", ints([2])))
    total = table(24, id=(0, "Int32", 2), name=(1, "string", "sums"), group=(2, "Int8", 6), number=(3, "Int64", 0),
                  inputs=(6, "offset", offsets([pair(1, 0)])), axes=(11, "offset", ints([1])))
    configuration = table(8, execution=(1, "Int8", 2), profiling=(2, "Int8", 3), output=(3, "Int8", 4),
                          times=(4, "Bool", True), forward=(5, "Int64", 1 << 40), backward=(6, "Int64", 7),
                          direction=(7, "Int8", 1))
    write("small.fb", table(9, id=(0, "Int64", 119), variables=(1, "offset", offsets(variables)),
                         nodes=(2, "offset", offsets([tanh, total])), configuration=(4, "offset", configuration),
                         placeholders=(5, "offset", offsets([builder.CreateString("x")]))))


main()
control()
