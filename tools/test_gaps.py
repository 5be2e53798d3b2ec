#!/usr/bin/env python3
"""Lists what the tests of the custom operations leave out; exits with 1 when that is anything.

    tools/test_gaps.py BUILD/tests_cpu/layers_tests/runtests BUILD/src/cli/ndforge

Every operation has a call that it must refuse, values in two types of elements, a case with an empty array and, when
there is a NAME_bp, a gradient that is checked numerically. EXCEPTIONS are those for which that makes no sense, or that
are tested by programs of their own.
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LISTS = "in lists and graphs: OpsListTests.cpp"
RANDOM = "random numbers: OpsRandomTests.cpp"
FACTORS = "factors are not unique: OpsDecompositionsTests.cpp"
TRAINING = "training steps, in place: OpsWordVectorsTests.cpp"
SHOWN = "no values: OpsParityRejectTests.cpp"
ANYTHING = "takes everything"
SIZES = "needs sizes above 0"
ZEROS = "the gradient is defined as zeros"
KEPT = "libnd4j's formula is kept, which is not the derivative"

EXCEPTIONS = {
    "refusals": {},
    "two types": {},
    "empty": {},
    "gradient": {},
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
            print(f"exceptions that are none, {part}: {' '.join(needless)}")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
