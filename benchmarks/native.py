"""The C interface from Python: operands around NumPy arrays, and calls repeated in C (repeat.c)."""

import ctypes
import os
import pathlib
import subprocess
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
DATA_TYPES = {"bool": 1, "float16": 3, "float32": 5, "float64": 6, "int8": 7, "int32": 9, "int64": 10}


def find_library():
    """The most recently built library in the usual build folders."""
    root = HERE.parent
    found = [path for folder in ("build", "blasbuild") for path in root.glob(f"{folder}/*/libndforge.so")]
    if not found:
        raise SystemExit("compare_numpy.py: no libndforge.so in build/ or blasbuild/; give its path with --library")
    return max(found, key=os.path.getmtime)


def repeat_library(library):
    """The compiled repeat.c: the one in the build folder if it exists, otherwise compiled here."""
    built = pathlib.Path(library).resolve().parent / "benchmarks" / "libndforge_repeat.so"
    if built.exists() and built.stat().st_mtime >= (HERE / "repeat.c").stat().st_mtime:
        return ctypes.CDLL(str(built))
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "libndforge_repeat.so")
        command = [os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-I", str(HERE.parent / "include"),
                   str(HERE / "repeat.c"), "-o", target]
        subprocess.run(command, check=True)
        return ctypes.CDLL(target)


class Operand:
    """A buffer and a shapeInfo around a NumPy array, which may be a view with positive strides."""

    def __init__(self, native, array):
        self._native = native
        self.array = array  # keeps the memory alive
        strides = [stride // array.itemsize for stride in array.strides]
        contiguous = array.flags.c_contiguous
        extent = 1 + sum((size - 1) * stride for size, stride in zip(array.shape, strides))
        data_type = DATA_TYPES[array.dtype.name]
        longs = ctypes.c_longlong * max(1, array.ndim)
        library = native.library
        self._shape = library.shapeBuffer(array.ndim, longs(*array.shape), longs(*strides), data_type, b"c",
                                          1 if contiguous else 0, False)
        native.check()
        self.info = library.getConstantShapeBufferPrimary(self._shape)
        self.buffer = library.dbCreateExternalDataBuffer(extent, data_type, array.ctypes.data, None)
        native.check()

    def __del__(self):
        self._native.library.deleteDataBuffer(self.buffer)
        self._native.library.deleteConstantShapeBuffer(self._shape)


class Native:
    def __init__(self, path):
        self.path = str(path)
        self.library = library = ctypes.CDLL(self.path)
        self.repeat = repeat_library(path)
        pointer, integer, long = ctypes.c_void_p, ctypes.c_int, ctypes.c_longlong
        signatures = {
            "shapeBuffer": (pointer, [integer, pointer, pointer, integer, ctypes.c_char, long, ctypes.c_bool]),
            "getConstantShapeBufferPrimary": (pointer, [pointer]),
            "deleteConstantShapeBuffer": (None, [pointer]),
            "dbCreateExternalDataBuffer": (pointer, [long, integer, pointer, pointer]),
            "deleteDataBuffer": (None, [pointer]),
            "lastErrorCode": (integer, []),
            "lastErrorMessage": (ctypes.c_char_p, []),
            "binaryLevel": (integer, []),
            "ompGetMaxThreads": (integer, []),
            "getAllCustomOps": (ctypes.c_char_p, []),
            "createGraphContext": (pointer, [integer]),
            "deleteGraphContext": (None, [pointer]),
            "setGraphContextInputBuffer": (None, [pointer, integer, pointer, pointer, pointer]),
            "setGraphContextOutputBuffer": (None, [pointer, integer, pointer, pointer, pointer]),
            "setGraphContextIArguments": (None, [pointer, pointer, integer]),
            "setGraphContextTArguments": (None, [pointer, pointer, integer]),
            "setGraphContextBArguments": (None, [pointer, pointer, integer]),
        }
        for name, (result, arguments) in signatures.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments

    def check(self):
        if self.library.lastErrorCode():
            raise RuntimeError(self.library.lastErrorMessage().decode())

    def operand(self, array):
        return Operand(self, array)

    def call(self, pattern, function, op, *arrays):
        """A function of the number of calls. `pattern` names a function of repeat.c; `arrays` are its operands."""
        operands = [self.operand(array) for array in arrays]
        pointers = [ctypes.c_void_p(p) for operand in operands for p in (operand.buffer, operand.info)]
        address = ctypes.cast(getattr(self.library, function), ctypes.c_void_p)
        repeat = getattr(self.repeat, "repeat" + pattern)
        repeat.restype = None

        def run(calls, _keep=operands):
            repeat(address, ctypes.c_long(calls), op, *pointers)

        run(1)
        self.check()
        return run

    def hash_of(self, op):
        entries = self.library.getAllCustomOps().decode().split(";")
        return next(int(parts[1]) for parts in (entry.split(":") for entry in entries) if parts[0] == op)

    def custom(self, op, inputs, outputs, integers, floats, booleans):
        """Like call(), for a custom operation, with one context for all calls."""
        library, context = self.library, Handle(self.library.createGraphContext(0), self.library.deleteGraphContext)
        operands = []
        for set_buffer, arrays in ((library.setGraphContextInputBuffer, inputs),
                                   (library.setGraphContextOutputBuffer, outputs)):
            for index, array in enumerate(arrays):
                operands.append(self.operand(array))
                set_buffer(context.pointer, index, operands[-1].buffer, operands[-1].info, None)
        for set_arguments, kind, values in ((library.setGraphContextIArguments, ctypes.c_longlong, integers),
                                            (library.setGraphContextTArguments, ctypes.c_double, floats),
                                            (library.setGraphContextBArguments, ctypes.c_bool, booleans)):
            set_arguments(context.pointer, (kind * len(values))(*values), len(values))
        self.check()
        number, repeat = ctypes.c_longlong(self.hash_of(op)), self.repeat.repeatCustom
        repeat.restype = None
        address = ctypes.cast(library.execCustomOp2, ctypes.c_void_p)

        def run(calls, _keep=operands):
            repeat(address, ctypes.c_long(calls), number, ctypes.c_void_p(context.pointer))

        run(1)
        self.check()
        return run


class Handle:
    """An object of the library, deleted with the last reference."""

    def __init__(self, pointer, delete):
        self.pointer, self._delete = pointer, delete

    def __del__(self):
        self._delete(self.pointer)


def aligned(shape, dtype):
    """An array whose memory is aligned to 64 bytes, like that of NDForge's arrays."""
    dtype = np.dtype(dtype)
    count = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    memory = np.empty(count + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start:start + count].view(dtype).reshape(shape)
