"""What a row computes: its inputs, how NDForge is called, and a statement for each peer."""

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence

import ml_dtypes  # registers bfloat16 with NumPy
import numpy as np

SIZES = (10, 1_000, 100_000, 10_000_000)


@dataclasses.dataclass(frozen=True)
class Numbered:
    """Calls of a function for numbered operations. `pattern` names a function of repeat.c; `axes` are the last operand
    of the functions that have one."""

    pattern: str
    function: str
    number: int
    axes: Sequence[int] | None = None


@dataclasses.dataclass(frozen=True)
class Custom:
    """Calls of execCustomOp2 with one context."""

    operation: str
    integers: Sequence[int] = ()
    floats: Sequence[float] = ()
    booleans: Sequence[bool] = ()


@dataclasses.dataclass(frozen=True)
class Program:
    """A row of one of the C++ programs beside this folder (see serve.h): for what the C interface does not reach."""

    name: str
    row: str


@dataclasses.dataclass
class Work:
    """The operands of a row in one process.

    The statements of Python's libraries read the inputs by their names. They write to z, or to z[0], z[1], ... when
    there are several outputs, or they assign z, if the library only makes new arrays. They may use what `before`
    assigns. `after` is executed before results are compared: where a library has another layout, it assigns z.

    Statements of ONNX Runtime are calls of ONNX operators, with attributes by name: "Softmax(x, axis=-1)". Those of
    Eigen and xtensor are C++; arrays of Eigen are Eigen::Map<Eigen::Array>.
    """

    inputs: Mapping[str, np.ndarray | str]  # a text stands for an array of one string
    outputs: Sequence[tuple[Sequence[int], str]]  # shapes and types
    call: Numbered | Custom | Program
    statements: Mapping[str, str]
    before: Mapping[str, str] = dataclasses.field(default_factory=dict)
    after: Mapping[str, str] = dataclasses.field(default_factory=dict)
    relative: float = 0.0
    absolute: float = 0.0
    # What is compared of the outputs, for those that are not unique; None: nothing, because they are random.
    same: str | None = "z"
    # Peers that compute something else, with the reason.
    without: Mapping[str, str] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Row:
    group: str
    name: str
    size: int  # elements of the largest input
    make: Callable[["Values"], Work]

    def work(self):
        """Equal in every process."""
        return self.make(Values(self.size))


class Values:
    """Makes inputs from a fixed seed."""

    def __init__(self, size):
        self.size = size
        self.shape = near_square(size)
        self._random = np.random.default_rng(7)

    def reals(self, shape, low, high, dtype="float32"):
        array = aligned(shape, dtype)
        array[...] = self._random.uniform(low, high, shape)
        return array

    def whole(self, shape, low, high, dtype):
        """Integers as elements of any type."""
        array = aligned(shape, dtype)
        array[...] = self._random.integers(low, high, shape)
        return array

    def complexes(self, shape, dtype):
        """With parts between -1 and 1."""
        array = aligned(shape, dtype)
        array.real, array.imag = self._random.uniform(-1, 1, (2, *shape))
        return array

    def integers(self, shape, limit, dtype="int64"):
        """0 to limit - 1."""
        array = aligned(shape, dtype)
        array[...] = self._random.integers(0, limit, shape)
        return array


def near_square(size):
    rows = next(rows for rows in range(math.isqrt(size), 0, -1) if size % rows == 0)
    return rows, size // rows


def aligned(shape, dtype):
    """An array whose memory is aligned to 64 bytes, like that of NDForge's arrays."""
    dtype = np.dtype(dtype)
    count = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    memory = np.empty(count + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start:start + count].view(dtype).reshape(shape)
