#!/usr/bin/env python3
"""Writes or checks the table of docs/gradients.md: the largest relative error of every gradient.

    tools/gradient_errors.py build/tests_cpu/layers_tests/runtests            writes the table
    tools/gradient_errors.py --check build/tests_cpu/layers_tests/runtests    fails unless it lists these operations

The errors come from the test GradientRule.everyGradientIsChecked. They differ a little between machines, so that the
check compares the names alone.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "gradients.md"
BEGIN, END = "<!-- the table of errors -->\n", "<!-- end of the table -->\n"


def measured(program):
    """The largest error of each operation, by name."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "errors")
        run = subprocess.run([program, "--gtest_brief=1", "--gtest_filter=GradientRule.everyGradientIsChecked"],
                             env={**os.environ, "NDFORGE_GRADIENT_ERRORS": path}, capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"{program} fails:\n{run.stdout}{run.stderr}")
        with open(path, encoding="utf-8") as lines:
            return {name: float(error) for name, error in (line.split() for line in lines)}


def bound(error):
    """The power of ten that is not exceeded."""
    power = -16
    while error > 10.0**power:
        power += 1
    return f"1e{power:+03d}"


def table(errors):
    rows = ["| operation | relative error at most |\n", "|---|---|\n"]
    rows += [f"| `{name}` | {bound(error)} |\n" for name, error in sorted(errors.items(), key=lambda e: e[0].lower())]
    return "".join(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("runtests")
    arguments = parser.parse_args()
    errors = measured(arguments.runtests)
    text = PAGE.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    old, tail = rest.split(END)
    if not arguments.check:
        PAGE.write_text(head + BEGIN + table(errors) + END + tail, encoding="utf-8")
        return
    listed = set(re.findall(r"^\| `([^`]+)` \|", old, re.MULTILINE))
    for name in sorted(errors.keys() - listed):
        print(f"docs/gradients.md does not list {name}")
    for name in sorted(listed - errors.keys()):
        print(f"docs/gradients.md lists {name}, which has no gradient")
    sys.exit(listed != errors.keys())


if __name__ == "__main__":
    main()
