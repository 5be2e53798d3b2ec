"""NDForge and libnd4j through the C interface that both have: operands around NumPy arrays, and calls repeated in C."""

import ctypes
import os
import pathlib
import subprocess
import tempfile

import numpy as np

from work import Custom

HERE = pathlib.Path(__file__).resolve().parent
DATA_TYPES = {"bool": 1, "float16": 3, "float32": 5, "float64": 6, "int8": 7, "int32": 9, "int64": 10}
# What initializeFunctions takes: libnd4j calls BLAS and LAPACK through these.
BLAS = ("cblas_sgemv", "cblas_dgemv", "cblas_sgemm", "cblas_dgemm", "cblas_sgemm_batch", "cblas_dgemm_batch",
        "LAPACKE_sgesvd", "LAPACKE_dgesvd", "LAPACKE_sgesdd", "LAPACKE_dgesdd")


def repeat_library(library):
    """repeat.c, compiled: the one in the build folder if it is there, otherwise compiled here."""
    source = HERE.parent / "repeat.c"
    built = pathlib.Path(library).resolve().parent / "benchmarks" / "libndforge_repeat.so"
    if built.exists() and built.stat().st_mtime >= source.stat().st_mtime:
        return ctypes.CDLL(str(built))
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "librepeat.so")
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-I", str(HERE.parents[1] / "include"),
                        str(source), "-o", target], check=True)
        return ctypes.CDLL(target)


class Operand:
    """A buffer and a shapeInfo around a NumPy array, which may be a view with positive strides."""

    def __init__(self, interface, array):
        self._interface = interface
        self.array = array  # keeps the memory alive
        strides = [stride // array.itemsize for stride in array.strides]
        extent = 1 + sum((size - 1) * stride for size, stride in zip(array.shape, strides))
        data_type = DATA_TYPES[array.dtype.name]
        longs = ctypes.c_longlong * max(1, array.ndim)
        library = interface.library
        self._shape = library.shapeBuffer(array.ndim, longs(*array.shape), longs(*strides), data_type, b"c",
                                          int(array.flags.c_contiguous), False)
        interface.check()
        self.info = library.getConstantShapeBufferPrimary(self._shape)
        self.buffer = library.dbCreateExternalDataBuffer(extent, data_type, array.ctypes.data, None)
        interface.check()

    def __del__(self):
        self._interface.library.deleteDataBuffer(self.buffer)
        self._interface.library.deleteConstantShapeBuffer(self._shape)


class Interface:
    def __init__(self, path):
        self.library = library = ctypes.CDLL(str(path))
        self._repeat = repeat_library(path)
        pointer, integer, long = ctypes.c_void_p, ctypes.c_int, ctypes.c_longlong
        signatures = {
            "shapeBuffer": (pointer, [integer, pointer, pointer, integer, ctypes.c_char, long, ctypes.c_bool]),
            "getConstantShapeBufferPrimary": (pointer, [pointer]),
            "deleteConstantShapeBuffer": (None, [pointer]),
            "dbCreateExternalDataBuffer": (pointer, [long, integer, pointer, pointer]),
            "deleteDataBuffer": (None, [pointer]),
            "lastErrorCode": (integer, []),
            "lastErrorMessage": (ctypes.c_char_p, []),
            "initializeDevicesAndFunctions": (None, []),
            "initializeFunctions": (None, [pointer]),
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
        library.initializeDevicesAndFunctions()
        blas = pathlib.Path(path).parent / "libopenblas.so.0"
        if blas.exists():
            functions = ctypes.CDLL(str(blas))
            table = [ctypes.cast(getattr(functions, name, None), pointer) for name in BLAS]
            library.initializeFunctions((pointer * len(table))(*table))
        self.check()

    def check(self):
        if self.library.lastErrorCode():
            raise RuntimeError(self.library.lastErrorMessage().decode())

    def repeated(self, call, inputs, outputs):
        """A function of the number of calls."""
        return (self._custom if isinstance(call, Custom) else self._numbered)(call, inputs, outputs)

    def _numbered(self, call, inputs, outputs):
        axes = [] if call.axes is None else [np.array(call.axes, np.int32)]
        operands = [Operand(self, array) for array in (*inputs, *outputs, *axes)]
        pointers = [ctypes.c_void_p(p) for operand in operands for p in (operand.buffer, operand.info)]
        address = ctypes.cast(getattr(self.library, call.function), ctypes.c_void_p)
        repeat = getattr(self._repeat, "repeat" + call.pattern)
        repeat.restype = None
        return self._tried(lambda calls, _keep=operands: repeat(address, ctypes.c_long(calls), call.number, *pointers))

    def _custom(self, call, inputs, outputs):
        library, context = self.library, Handle(self.library.createGraphContext(0), self.library.deleteGraphContext)
        operands = []
        for set_buffer, arrays in ((library.setGraphContextInputBuffer, inputs),
                                   (library.setGraphContextOutputBuffer, outputs)):
            for index, array in enumerate(arrays):
                operands.append(Operand(self, array))
                set_buffer(context.pointer, index, operands[-1].buffer, operands[-1].info, None)
        for set_arguments, kind, values in ((library.setGraphContextIArguments, ctypes.c_longlong, call.integers),
                                            (library.setGraphContextTArguments, ctypes.c_double, call.floats),
                                            (library.setGraphContextBArguments, ctypes.c_bool, call.booleans)):
            set_arguments(context.pointer, (kind * len(values))(*values), len(values))
        self.check()
        number, repeat = ctypes.c_longlong(self._hash_of(call.operation)), self._repeat.repeatCustom
        repeat.restype = None
        address = ctypes.cast(library.execCustomOp2, ctypes.c_void_p)
        return self._tried(lambda calls, _keep=operands: repeat(address, ctypes.c_long(calls), number,
                                                                ctypes.c_void_p(context.pointer)))

    def _tried(self, run):
        run(1)
        self.check()
        return run

    def _hash_of(self, operation):
        entries = self.library.getAllCustomOps().decode().split(";")
        return next(int(parts[1]) for parts in (entry.split(":") for entry in entries) if parts[0] == operation)


class Handle:
    """An object of the library, deleted with the last reference."""

    def __init__(self, pointer, delete):
        self.pointer, self._delete = pointer, delete

    def __del__(self):
        self._delete(self.pointer)
