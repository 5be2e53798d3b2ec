#!/usr/bin/env python3
"""Writes or checks the table of docs/gradients.md: the largest relative errors of every gradient, of its gradient, and
of the tangent.

    tools/gradient_errors.py build/tests_cpu/layers_tests/runtests            writes the table
    tools/gradient_errors.py --check build/tests_cpu/layers_tests/runtests    fails unless it lists these operations

The errors come from the tests GradientRule.everyGradientIsChecked and SecondDerivatives.*. They differ a little between
machines, so that the check compares the names alone, and which operations have no second derivatives and tangents.
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


# The files that the tests write, and the columns.
COLUMNS = {"NDFORGE_GRADIENT_ERRORS": "gradient", "NDFORGE_SECOND_ERRORS": "its gradient",
           "NDFORGE_TANGENT_ERRORS": "tangent"}
FILTER = "GradientRule.everyGradientIsChecked:SecondDerivatives.*"
NONE = "none"


def measured(program):
    """The largest errors of each operation, by name: one for each column, None where nothing was measured."""
    with tempfile.TemporaryDirectory() as folder:
        files = {variable: os.path.join(folder, variable) for variable in COLUMNS}
        run = subprocess.run([program, "--gtest_brief=1", f"--gtest_filter={FILTER}"], env={**os.environ, **files},
                             capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"{program} fails:\n{run.stdout}{run.stderr}")
        columns = []
        for path in files.values():
            with open(path, encoding="utf-8") as lines:
                columns.append({name: float(error) for name, error in (line.split() for line in lines)})
        return {name: [column.get(name) for column in columns] for name in columns[0]}


def bound(error):
    """The power of ten that is not exceeded."""
    if error is None:
        return ""
    if error < 0:
        return NONE
    power = -16
    while error > 10.0**power:
        power += 1
    return f"1e{power:+03d}"


def table(errors):
    rows = ["| operation | " + " | ".join(COLUMNS.values()) + " |\n", "|---" * (1 + len(COLUMNS)) + "|\n"]
    for name, values in sorted(errors.items(), key=lambda e: e[0].lower()):
        rows.append(f"| `{name}` | " + " | ".join(bound(value) for value in values) + " |\n")
    return "".join(rows)


def missing(rows):
    """The operations of a table, each with the columns in which it says that there is none."""
    found = re.findall(r"^\| `([^`]+)` \|(.*)\|$", rows, re.MULTILINE)
    return {name: [cell.strip() == NONE for cell in cells.split("|")] for name, cells in found}


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
    listed, found = missing(old), missing(table(errors))
    for name in sorted(found.keys() - listed.keys()):
        print(f"docs/gradients.md does not list {name}")
    for name in sorted(listed.keys() - found.keys()):
        print(f"docs/gradients.md lists {name}, which has no gradient")
    for name in sorted(found.keys() & listed.keys()):
        if listed[name] != found[name]:
            print(f"docs/gradients.md is wrong about the second derivative or the tangent of {name}")
    sys.exit(listed != found)


if __name__ == "__main__":
    main()
