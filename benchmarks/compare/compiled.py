"""Eigen and xtensor: a shared library for each statement and its types, which is kept."""

import ctypes
import hashlib
import os
import pathlib
import subprocess
import time

from work import aligned

TYPES = {"bool": "bool", "int8": "std::int8_t", "int32": "std::int32_t", "int64": "std::int64_t", "float32": "float",
         "float64": "double"}
# Below this, a call of the C interface takes longer than loops that are compiled into their caller. Those of tensor/ are
# compared with these libraries in `tensor`.
LEAST_SIZE = 100_000
FLAGS = ("-std=c++17", "-O3", "-march=native", "-fopenmp", "-DNDEBUG", "-shared", "-fPIC", "-w",
         "-I/usr/include/eigen3")
SOURCE = """#include <cstdint>
#include <vector>
{includes}
extern "C" void repeat(long calls, void* const* data, const long* const* sizes) {{
{operands}
  for (long call = 0; call < calls; call++) {{
    {statement};
    asm volatile("" ::: "memory");
  }}
}}
"""
INCLUDES = {
    "eigen": "#include <Eigen/Dense>\n#include <unsupported/Eigen/SpecialFunctions>",
    "xtensor": """#define XTENSOR_USE_XSIMD
#include <xtensor/xadapt.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xsort.hpp>
#include <xtensor/xview.hpp>""",
}


PACKAGES = {"eigen": "eigen3", "xtensor": "xtensor"}  # of pkg-config


def package_version(package):
    found = subprocess.run(["pkg-config", "--modversion", package], capture_output=True, text=True, check=False)
    return found.stdout.strip()


def eigen_operand(name, number, ctype, rank):
    if rank == 0:
        return f"  Eigen::Map<Eigen::Array<{ctype}, 1, 1>> {name}(static_cast<{ctype}*>(data[{number}]));"
    if rank == 1:
        return (f"  Eigen::Map<Eigen::Array<{ctype}, Eigen::Dynamic, 1>> {name}(static_cast<{ctype}*>(data[{number}]), "
                f"sizes[{number}][0]);")
    if rank == 2:
        return (f"  Eigen::Map<Eigen::Array<{ctype}, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> {name}("
                f"static_cast<{ctype}*>(data[{number}]), sizes[{number}][0], sizes[{number}][1]);")
    raise ValueError("more than two axes")


def xtensor_operand(name, number, ctype, rank):
    shape = ", ".join(f"static_cast<std::size_t>(sizes[{number}][{k}])" for k in range(rank))
    count = " * ".join(["std::size_t{1}"] + [f"sizes[{number}][{k}]" for k in range(rank)])
    return (f"  auto {name} = xt::adapt(static_cast<{ctype}*>(data[{number}]), {count}, xt::no_ownership(), "
            f"std::array<std::size_t, {rank}>{{{shape}}});")


class Compiled:
    def __init__(self, peer, folder):
        self._peer, self._folder = peer, pathlib.Path(folder) / "compiled"
        self._folder.mkdir(parents=True, exist_ok=True)
        self.version = {"eigen": "Eigen", "xtensor": "xtensor"}[peer] + " " + package_version(PACKAGES[peer])
        self._compiler = os.environ.get("CXX", "c++")

    def prepare(self, work):
        statement = work.statements.get(self._peer)
        if statement is None or max(array.size for array in work.inputs.values()) < LEAST_SIZE:
            return None
        outputs = [aligned(*output) for output in work.outputs]
        names = ["z"] if len(outputs) == 1 else [f"z{k}" for k in range(len(outputs))]
        operands = [*work.inputs.items(), *zip(names, outputs)]
        if not all(array.flags.c_contiguous for _, array in operands):
            raise ValueError("not contiguous")
        declare = eigen_operand if self._peer == "eigen" else xtensor_operand
        source = SOURCE.format(includes=INCLUDES[self._peer], statement=statement, operands="\n".join(
            declare(name, number, TYPES[array.dtype.name], array.ndim)
            for number, (name, array) in enumerate(operands)))
        repeat = ctypes.CDLL(str(self._library(source))).repeat
        data = (ctypes.c_void_p * len(operands))(*(array.ctypes.data for _, array in operands))
        sizes = [(ctypes.c_long * max(1, array.ndim))(*array.shape) for _, array in operands]
        pointers = (ctypes.c_void_p * len(operands))(*(ctypes.addressof(size) for size in sizes))

        def run(calls, _keep=(operands, sizes)):
            start = time.perf_counter()
            repeat(ctypes.c_long(calls), data, pointers)
            return time.perf_counter() - start

        def results():
            run(1)
            return outputs

        return run, results

    def _library(self, source):
        command = (self._compiler, *FLAGS)
        target = self._folder / (hashlib.sha256(f"{command}{source}".encode()).hexdigest()[:16] + ".so")
        if not target.exists():
            text = target.with_suffix(".cpp")
            text.write_text(source, encoding="utf-8")
            unfinished = target.with_suffix(".tmp")
            made = subprocess.run([*command, str(text), "-o", str(unfinished)], capture_output=True, text=True, check=False)
            if made.returncode:
                raise RuntimeError(f"{text} does not compile: {next(iter(made.stderr.splitlines()), '')}")
            unfinished.rename(target)
        return target
