#!/usr/bin/env python3
"""Expected values of type conversions: NumPy, and the rules of docs/semantics.md where NumPy defines no result."""
import numpy as np

from cases import TYPES, Cases, Empty, bfloat16

cases = Cases("datatypes")
DTYPES = {
    "BOOL": np.bool_, "HALF": np.float16, "FLOAT32": np.float32, "DOUBLE": np.float64, "INT8": np.int8, "INT16": np.int16,
    "INT32": np.int32, "INT64": np.int64, "UINT8": np.uint8, "UINT16": np.uint16, "UINT32": np.uint32,
    "UINT64": np.uint64,
}
NAMED = {"to_double": "DOUBLE", "to_float16": "HALF", "to_float32": "FLOAT32", "to_int32": "INT32", "to_int64": "INT64",
         "to_uint32": "UINT32", "to_uint64": "UINT64"}
SMALL = np.array([[0, 1, 2.5], [100.75, 7, 0.5]])

# every type to every type
for source, from_type in DTYPES.items():
    x = SMALL.astype(from_type)
    for target, to_type in DTYPES.items():
        z = x != 0 if target == "BOOL" else x.astype(to_type)
        cases.add("cast", [x], [z], i=(TYPES[target],), types=())
    cases.add("cast", [x], [bfloat16(x.astype(np.float32))], i=(TYPES["BFLOAT16"],), types=())
rounded = np.array([[0, 1, 2.5], [101, 7, 0.5]])  # the values of SMALL in 8 bits
for target, to_type in DTYPES.items():
    z = rounded != 0 if target == "BOOL" else rounded.astype(to_type)
    cases.add("cast", [bfloat16(SMALL)], [z], i=(TYPES[target],), types=())
for name, target in NAMED.items():
    for x in (SMALL, SMALL.astype(np.int16), SMALL.astype(bool), np.zeros((0, 2))):
        cases.add(name, [x], [x.astype(DTYPES[target])], types=())
    cases.add(name, [np.array(3.75)], [np.array(3.75).astype(DTYPES[target])], types=())
    cases.add(name, [Empty("DOUBLE")], [Empty(target)], types=())
x = SMALL.astype(np.int32)
cases.add("to_int32", [x], [x])

cases.add("cast", [SMALL], [SMALL.astype(np.int64)], d=("INT64",))
cases.add("cast", [SMALL], [SMALL.astype(np.int8)], i=(TYPES["INT64"],), d=("INT8",), label="the type argument goes first")

# values that do not fit
far = np.array([np.nan, np.inf, -np.inf, 1e20, -1e20, -1.9, 300.0])
cases.add("to_int32", [far], [np.array([0, 2**31 - 1, -(2**31), 2**31 - 1, -(2**31), -1, 300], np.int32)], types=())
cases.add("to_int64", [far], [np.array([0, 2**63 - 1, -(2**63), 2**63 - 1, -(2**63), -1, 300], np.int64)], types=())
cases.add("cast", [far], [np.array([0, -1, 0, -1, 0, -1, 44], np.int8)], i=(TYPES["INT8"],), types=(),
          label="the low bits of an INT32")
cases.add("cast", [far], [np.array([1, 1, 1, 1, 1, 1, 1], bool)], i=(TYPES["BOOL"],), types=(), label="NaN is true")
cases.add("cast", [np.array([-1, 255, 256], np.int32)], [np.array([255, 255, 0], np.uint8)], i=(TYPES["UINT8"],))
cases.add("to_uint64", [np.array([-1, 5], np.int64)], [np.array([2**64 - 1, 5], np.uint64)])
cases.add("to_double", [np.array([2**64 - 1], np.uint64)], [np.array([2.0**64])])

# bitcast
x32 = np.array([[1.5, -2.0], [0.0, 3e38]], np.float32)
cases.add("bitcast", [x32], [x32.view(np.int32)], i=(TYPES["INT32"],), types=())
cases.add("bitcast", [x32], [x32.view(np.uint16).reshape(2, 2, 2)], i=(TYPES["UINT16"],), types=())
cases.add("bitcast", [x32], [x32.view(np.uint8).reshape(2, 2, 4)], i=(TYPES["UINT8"],), types=())
cases.add("bitcast", [x32], [x32.view(np.float64).reshape(2)], i=(TYPES["DOUBLE"],), types=())
cases.add("bitcast", [np.array([1, 2], np.int32)], [np.array([1, 2], np.int32).view(np.int64).reshape(())],
          i=(TYPES["INT64"],))
cases.add("bitcast", [np.array(1.0)], [np.array(1.0).reshape(1).view(np.int16)], i=(TYPES["INT16"],), types=())
cases.add("bitcast", [np.zeros((0, 3), np.int16)], [np.zeros((0, 3), np.float64)], i=(TYPES["DOUBLE"],))
h = np.array([1, 2, 3], np.int16)
cases.add("bitcast", [h], [h.view(np.float16)], i=(TYPES["HALF"],), tol=0)

# min_max_datatype
for name, dtype in DTYPES.items():
    if name == "BOOL":
        low, high = False, True
    elif np.issubdtype(dtype, np.integer):
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    else:
        low, high = np.finfo(dtype).smallest_normal, np.finfo(dtype).max
    for k, value in enumerate((low, high)):
        cases.add("min_max_datatype", [], [np.array(value, dtype)], i=(TYPES[name], k), tol=0)
for k, bits in enumerate((0xFF7F, 0x7F7F)):
    cases.add("min_max_datatype", [np.zeros(2)], [np.array(bits, "<u2").reshape(1).view("V2").reshape(())],
              i=(TYPES["BFLOAT16"], k), types=(), tol=0)
cases.add("min_max_datatype", [], [np.array(127, np.int8)], i=(TYPES["INT8"], 5))

cases.save()
