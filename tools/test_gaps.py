#!/usr/bin/env python3
"""Lists gaps in the tests of the custom operations; exits with 1 when there are any.

    tools/test_gaps.py BUILD/tests_cpu/layers_tests/runtests BUILD/src/cli/ndforge

Every operation needs a call that it must refuse, values in two element types, a case with an empty array and, when
there is a NAME_bp, a gradient that is checked numerically. EXCEPTIONS lists operations for which that makes no sense,
or that have separate unit tests.
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

def named(names, why):
    return {name: why for name in names.split()}


LISTS = named("clone_list create_list delete_list gather_list pick_list read_list scatter_list size_list split_list stack_list"
              " unstack_list write_list Conditional Return Scope Switch While", "in lists and graphs: OpsListTests.cpp")
SHOWN = named("Assert noop invoke print_affinity print_variable testcustom testreduction",
              "without values: OpsParityRejectTests.cpp")
RANDOM = named("get_seed set_seed random_bernoulli random_exponential random_gamma random_normal",
               "random numbers: OpsRandomTests.cpp")
PROGRAMS = named("composite", "whole programs of steps: CompositeTests.cpp, CompositeOpTests.cpp")
COMPLEX = named("angle complex complex_abs conj imag real", "complex numbers: ComplexNumbersTests.cpp")
FOURIER = named("fft fftfreq fftn fftshift hfft ifft ifftn ifftshift ihfft irfft irfftn rfft rfftfreq rfftn",
                "complex numbers: FourierTests.cpp")
ANYTHING = named("expose get_seed identity identity_n is_numeric_tensor ones_as random_shuffle shapes_of size"
                 " stop_gradient zeros_as", "takes everything")

# The reason why an operation has no such test.
EXCEPTIONS = {
    "refusals": {**LISTS, **ANYTHING, **PROGRAMS, **named("invoke noop", "takes everything")},
    "two types": {
        **LISTS, **SHOWN, **RANDOM, **PROGRAMS, **COMPLEX, **FOURIER,
        **named("boolean_not", "takes only BOOL"),
        **named("encode_bitmap encode_threshold", "changes its input: CodecTests.cpp"),
        **named("compat_string_split regex_match regex_replace split_string string_compare string_concat string_find"
                " string_length string_lower string_replace string_strip string_to_number string_upper",
                "takes only strings"),
        **named("einsum_bp", "gradients: GradientCases.cpp"),
    },
    "empty": {
        **LISTS, **SHOWN, **RANDOM, **PROGRAMS, **COMPLEX, **FOURIER,
        **named("random_crop random_multinomial random_poisson random_shuffle randomuniform",
                "random numbers: OpsRandomTests.cpp"),
        **named("cbow cbow_inference skipgram skipgram_inference", "in place: OpsWordVectorsTests.cpp"),
        **named("barnes_symmetrized batched_gemm slice_bp", "nothing is refused"),
        **named("eq_scalar gt_scalar gte_scalar lt_scalar lte_scalar neq_scalar test_scalar", "needs an element"),
        **named("cell_contains create create_view min_max_datatype tri", "has no array that can be empty"),
        **named("compat_string_split split_string", "strings; empty arrays of them have no elements to read"),
        **named("diag_part", "all dimensions are equal"),
        **named("einsum_bp", "gradients: GradientCases.cpp"),
        **named("decode_bitmap decode_threshold encode_bitmap encode_threshold", "codes have a length in front"),
        **named("test_output_reshape", "changes its output: OpsParityRejectTests.cpp"),
    },
    "gradient": {
        **named("mod reversemod", "the gradients are defined as zeros"),
        **named("einsum", "input 0 is a string: GradientCases.cpp"),
        **named("batchnorm", "the gradient treats mean and variance as those of x"),
        **named("clipbyavgnorm clipbynorm", "libnd4j's formula, the gradient for equal gradients of the outputs"),
        **named("gruCell", "gradients of the gates are inputs"),
        **named("sru sru_bi", "takes the gradient of the last state, not of all"),
    },
}


def log_of(tests):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "log"
        run = subprocess.run([tests, "--gtest_brief=1", "--gtest_filter=Ops*"], capture_output=True, text=True,
                             env={**os.environ, "NDFORGE_TEST_LOG": str(path)})
        if run.returncode != 0:
            sys.exit(run.stdout[-2000:])
        return path.read_text().splitlines()


def main():
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} RUNTESTS NDFORGE")
    listed = json.loads(subprocess.run([sys.argv[2], "ops", "--json"], check=True, capture_output=True).stdout)
    names = {op["name"] for op in listed if op["kind"] != "numbered"}
    done = collections.defaultdict(set)
    types = collections.defaultdict(set)
    for line in log_of(sys.argv[1]):
        kind, name, *rest = line.split()
        done[kind].add(name)
        if kind == "values":
            types[name].update(re.split(",", rest[0]) if rest else [])
            if "empty" in rest:
                done["empty"].add(name)
    done["two types"] = {name for name, seen in types.items() if len(seen - {""}) >= 2}
    wanted = {"refusals": names, "two types": names, "empty": names,
              "gradient": {name for name in names if name + "_bp" in names}}
    count = 0
    for part, needed in wanted.items():
        left = sorted(needed - done[part] - EXCEPTIONS[part].keys())
        needless = sorted(EXCEPTIONS[part].keys() & done[part])
        count += len(left) + len(needless)
        if left:
            print(f"without {part}: {' '.join(left)}")
        if needless:
            print(f"unnecessary exceptions, {part}: {' '.join(needless)}")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
