"""Collects cases of operations for the tests: inputs, arguments and the outputs that an independent source expects.

Each script generate_<family>.py in this folder fills one Cases object and saves <family>.npz; OpDataTests.cpp makes a
test of each case. A script may use NumPy, SciPy, PyTorch or TensorFlow, never the library itself.

    cases = Cases("activations")
    x = coarse(rng.normal(size=(3, 4)))
    cases.add("softmax", [x], [scipy.special.softmax(x, 1)], i=(1,), grad=(0,))
    cases.save()

Give float cases in float64: they are then run in DOUBLE, FLOAT32, HALF and BFLOAT16, and the expected values are exact
enough for each. A case in float32 is run in FLOAT32, HALF and BFLOAT16. `coarse` rounds inputs to values that every
float type holds, so that the 16-bit types are compared with results for the inputs that they actually receive.
"""
import io
import json
import pathlib
import zipfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent

TYPES = {
    "BOOL": 1, "HALF": 3, "FLOAT32": 5, "DOUBLE": 6, "INT8": 7, "INT16": 8, "INT32": 9, "INT64": 10, "UINT8": 11,
    "UINT16": 12, "UINT32": 13, "UINT64": 14, "BFLOAT16": 17, "UTF8": 50, "UTF16": 51, "UTF32": 52,
}
FLOAT_TYPES = ("HALF", "BFLOAT16", "FLOAT32", "DOUBLE")
CHECKS = ("views", "outputs", "inplace", "shared", "bp_layouts")


class Empty:
    """The empty array of rank 0, which does not exist in NumPy."""

    def __init__(self, dtype):
        self.dtype = _number(dtype)


def coarse(values):
    """The values rounded to 7 significant bits (float64): every float type holds them."""
    mantissa, exponent = np.frexp(np.asarray(values, dtype=np.float64))
    return np.ldexp(np.round(mantissa * 128) / 128, exponent)


def bfloat16(values):
    """A BFLOAT16 array, rounded to nearest even. NumPy has no such type and stores opaque elements of 2 bytes."""
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32).astype(np.uint64)
    nan = np.isnan(np.asarray(values, dtype=np.float32)).reshape(bits.shape)
    rounded = np.where(nan, 0x7FC0, (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("<u2")
    return rounded.view("V2").reshape(np.shape(values))


class Cases:
    def __init__(self, family):
        self.family = family
        self.members = []
        self.count = 0

    def add(self, op, inputs, outputs, t=(), i=(), b=(), d=(), grad=(), tol=None, types=None, views=True, inplace=True,
            label="", skip=None, bp=None, step=None, named=None):
        """One call of `op` (a name or an alias).

        inputs   arrays of any type; None: a missing optional input; Empty; strings as arrays of str
        outputs  the expected arrays; None: neither shape, type nor values are compared
        t i b d  floating, integer, boolean and type arguments (types as names: "INT64")
        named    arguments by their names, in place of t, i, b and d: {"kernel": [2, 2], "ceil_mode": True}
        grad     the float inputs whose gradient by the operation op_bp is checked numerically (in double); a dict gives
                 the output of op_bp for each: {1: 0}
        tol      tolerance relative to max(1, magnitude), for every float type, or a dict by type name
        types    the float types to run besides the case's own; () for none. By default, when all float inputs have
                 one type and no `d` is given, every type that the operation supports and that is not wider
        views, inplace  False skips these checks; a comment in the script must say why
        label    shown when the case fails
        skip     names of checks that are skipped, with the reason: {"shared": "random numbers"}; of CHECKS
        bp       how op_bp is called when it is not (inputs..., gradients of the float outputs...) with the same arguments:
                 a dict of "op", "inputs" (a list of "in0", "eps0", "out0"), "t", "i", "b"
        step     step of the central differences (1e-5)
        """
        prefix = f"{self.count:04d}.{op}/"
        self.count += 1
        for k, array in enumerate(inputs):
            self._store(f"{prefix}in{k}", array)
        for k, array in enumerate(outputs):
            self._store(f"{prefix}out{k}", array)
        for name, values, dtype in (("t", t, "<f8"), ("i", i, "<i8"), ("b", b, "?")):
            if len(values):
                self._write(prefix + name, np.array(values, dtype=dtype))
        if len(d):
            self._write(prefix + "d", np.array([_number(x) for x in d], dtype="<i8"))

        options = {"inputs": len(inputs), "outputs": len(outputs)}
        grads = grad if isinstance(grad, dict) else {k: k for k in grad}
        if grads:
            options["grad"] = ",".join(f"{k}:{z}" for k, z in grads.items())
        if isinstance(tol, dict):
            for name, value in tol.items():
                options["tol." + _float_type(name)] = repr(float(value))
        elif tol is not None:
            options["tol"] = repr(float(tol))
        if named:
            options["named"] = json.dumps(named)
        if types is None and len(d):
            types = ()
        if types is not None:
            options["types"] = ",".join(_float_type(name) for name in types)
        skipped = dict(skip or {})
        for name, reason in skipped.items():
            assert name in CHECKS and reason, (op, name, reason)
        skipped.update({name: "-" for name, wanted in (("views", views), ("inplace", inplace)) if not wanted})
        if skipped:
            options["skip"] = ",".join(sorted(skipped))
        if label:
            options["label"] = label.replace("\n", " ")
        if step is not None:
            options["step"] = repr(float(step))
        for name, value in (bp or {}).items():
            assert name in ("op", "inputs", "t", "i", "b"), name
            text = value if isinstance(value, str) else ",".join(str(int(x)) if name == "b" else str(x) for x in value)
            options["bp." + name] = text
        if len(options) > 2 or any(array is None for array in [*inputs, *outputs]):
            text = "".join(f"{key}={value}\n" for key, value in options.items())
            self._write(prefix + "options", np.frombuffer(text.encode(), dtype=np.uint8))

    def save(self):
        """Writes <family>.npz to this folder; the same cases give the same bytes.

        It has two members, because thousands of headers would be larger than the arrays: `data`, the elements of all
        arrays one after another, and `index`, a text with a line for each: name, number of the type, dimensions.
        """
        lines = [f"{name} {_code(array.dtype)} {','.join(str(d) for d in array.shape)}\n" for name, array in self.members]
        data = b"".join(array.tobytes() for _, array in self.members)
        with zipfile.ZipFile(HERE / f"{self.family}.npz", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name, content in (("index", "".join(lines).encode()), ("data", data)):
                stream = io.BytesIO()
                np.lib.format.write_array(stream, np.frombuffer(content, dtype=np.uint8), version=(1, 0))
                info = zipfile.ZipInfo(name + ".npy", date_time=(1980, 1, 1, 0, 0, 0))
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, stream.getvalue())
        size = (HERE / f"{self.family}.npz").stat().st_size
        print(f"{self.family}: {self.count} cases, {size / 1024:.0f} KB")

    def _store(self, name, array):
        if array is None:
            return
        if isinstance(array, Empty):
            self._write(name + ".empty", np.array([array.dtype], dtype="<i8"))
            return
        array = np.asarray(array)
        if array.dtype.kind in "UOS":
            # Strings: UTF-8 with a 0 after each, and the shape.
            texts = [x if isinstance(x, bytes) else str(x).encode() for x in array.ravel()]
            assert not any(b"\0" in x for x in texts), name
            self._write(name + ".strings", np.frombuffer(b"".join(x + b"\0" for x in texts), dtype=np.uint8))
            self._write(name + ".shape", np.array(array.shape, dtype="<i8"))
            return
        assert array.dtype.kind in "biuf" and array.dtype.itemsize <= 8 or array.dtype == np.dtype("V2"), (
            name, array.dtype)
        self._write(name, array)

    def _write(self, name, array):
        self.members.append((name, np.ascontiguousarray(array).reshape(np.shape(array))))


NUMPY_TYPES = {
    "b1": "BOOL", "f2": "HALF", "f4": "FLOAT32", "f8": "DOUBLE", "i1": "INT8", "i2": "INT16", "i4": "INT32", "i8": "INT64",
    "u1": "UINT8", "u2": "UINT16", "u4": "UINT32", "u8": "UINT64", "V2": "BFLOAT16",
}


def _code(dtype):
    assert dtype.byteorder in "<=|", dtype
    return TYPES[NUMPY_TYPES[f"{dtype.kind}{dtype.itemsize}"]]


def _number(dtype):
    return dtype if isinstance(dtype, int) else TYPES[dtype]


def _float_type(name):
    assert name in FLOAT_TYPES, name
    return name
