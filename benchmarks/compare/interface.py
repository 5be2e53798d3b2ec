"""NDForge and libnd4j through the C interface that both have: operands around NumPy arrays, and calls repeated in C. Rows
of programs are for NDForge only."""

import ctypes
import os
import pathlib
import subprocess
import time

import numpy as np

from work import Custom, Program, aligned

HERE = pathlib.Path(__file__).resolve().parent
DATA_TYPES = {"bool": 1, "float16": 3, "float32": 5, "float64": 6, "int8": 7, "int32": 9, "int64": 10, "bfloat16": 17,
              "complex64": 18, "complex128": 19}
UTF8 = 50
# What initializeFunctions takes: libnd4j calls BLAS and LAPACK through these.
BLAS = ("cblas_sgemv", "cblas_dgemv", "cblas_sgemm", "cblas_dgemm", "cblas_sgemm_batch", "cblas_dgemm_batch",
        "LAPACKE_sgesvd", "LAPACKE_dgesvd", "LAPACKE_sgesdd", "LAPACKE_dgesdd")

INSTRUCTION_SETS = {0: "generic", 1: "x86-64", 2: "AVX2", 3: "AVX-512"}


def built(library, folder, source, name, compiler, flags):
    """What is made of a source file of this project's benchmarks: by the build that made the library, or here."""
    file = HERE.parent / source
    ready = pathlib.Path(library).resolve().parent / "benchmarks" / name
    target = ready if ready.exists() else pathlib.Path(folder) / name
    if not target.exists() or target.stat().st_mtime < file.stat().st_mtime:
        target = pathlib.Path(folder) / name
        subprocess.run([*compiler, "-O2", "-I", str(HERE.parents[1] / "include"), str(file), "-o", str(target), *flags],
                       check=True)
    return target


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


class TextOperand(Operand):
    """An array of one string: the offsets of its start and end, and its bytes."""

    def __init__(self, interface, text):
        self._interface = interface
        encoded = text.encode()
        self.array = np.frombuffer(np.array([0, len(encoded)], np.int64).tobytes() + encoded, np.uint8).copy()
        library = interface.library
        self._shape = library.shapeBuffer(0, None, None, UTF8, b"c", 1, False)
        interface.check()
        self.info = library.getConstantShapeBufferPrimary(self._shape)
        self.buffer = library.dbCreateExternalDataBuffer(len(self.array), UTF8, self.array.ctypes.data, None)
        interface.check()


class Interface:
    def __init__(self, path, folder):
        self.library = library = ctypes.CDLL(str(path))
        self._repeat = ctypes.CDLL(str(built(path, folder, "repeat.c", "libndforge_repeat.so",
                                             [os.environ.get("CC", "cc")], ["-shared", "-fPIC"])))
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
        if call.pattern == "Sort":
            x, z = operands[0].array, operands[1].array
            pointers += [ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(z.ctypes.data), ctypes.c_size_t(x.nbytes)]
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
                operands.append((TextOperand if isinstance(array, str) else Operand)(self, array))
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


class Native:
    """The peer: NDForge or libnd4j."""

    def __init__(self, path, folder):
        self._path, self._folder, self._interface, self._program = path, folder, Interface(path, folder), None
        level = self._interface.library.binaryLevel()
        self.version = f"{pathlib.Path(path).name.split('.')[0]}, {INSTRUCTION_SETS.get(level, level)}"

    def prepare(self, work):
        self._program = None
        if isinstance(work.call, Program):
            return self._of_program(work.call) if pathlib.Path(self._path).name.startswith("libndforge") else None
        outputs = [aligned(*output) for output in work.outputs]
        repeat = self._interface.repeated(work.call, list(work.inputs.values()), outputs)

        def run(calls):
            start = time.perf_counter()
            repeat(calls)
            return time.perf_counter() - start

        def results():
            run(1)
            return outputs

        return run, results

    def _of_program(self, call):
        folder = pathlib.Path(self._path).resolve().parent
        flags = ["-std=c++20", "-pthread", "-I", str(folder / "include"), f"-L{folder}", "-lndforge", f"-Wl,-rpath,{folder}"]
        program = built(self._path, self._folder, f"{call.name}.cpp", call.name, [os.environ.get("CXX", "c++")], flags)
        process = subprocess.Popen([str(program), "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._program = Handle(process, end)

        def ask(number):
            process.stdin.write(f"{number} {call.row}\n")
            process.stdin.flush()
            return np.array([float(word) for word in process.stdout.readline().split()])

        first = ask(0)  # the row's results
        return lambda calls: float(ask(calls)[0]), lambda: [first]


def end(process):
    process.stdin.close()
    process.wait()
