#!/usr/bin/env python3
"""Writes docs/ops.md: the list of custom operations, and the operations of libnd4j that are missing.

    tools/list_operations.py BUILD/src/cli/ndforge

libnd4j's names are in tests_cpu/data/reference_operations.csv. NDForge's names come from `ndforge ops --json`.
"""

import collections
import csv
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "ops.md"


def reference():
    """{name: family}"""
    with open(HERE.parent / "tests_cpu" / "data" / "reference_operations.csv") as table:
        return {row["name"]: row["family"] for row in csv.DictReader(table)}


def operations(command):
    listed = json.loads(subprocess.run([command, "ops", "--json"], check=True, capture_output=True).stdout)
    return [op for op in listed if op["kind"] != "numbered"]


def by_family(pairs):
    families = collections.defaultdict(list)
    for family, text in pairs:
        families[family].append(text)
    return sorted((family, sorted(texts, key=str.lower)) for family, texts in families.items())


def cell(op):
    """Summary and formula, in one cell of a table."""
    summary = " ".join(op["summary"].split()).replace("*", "\\*").replace("<", "&lt;")
    formula = " ".join(op["formula"].split())
    return (f"{summary} `{formula}`" if formula else summary).replace("|", "\\|")


def main():
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} NDFORGE")
    wanted, found = reference(), operations(sys.argv[1])
    names = {name for op in found for name in [op["name"], *op["aliases"]]}
    left = {name: family for name, family in wanted.items() if name not in names}
    lines = [
        "# Operations",
        "",
        "Written by `tools/list_operations.py` from `ndforge ops --json`. `ndforge info NAME` describes one of them.",
        "",
        f"There are {len(found)} custom operations. Of libnd4j's {len(wanted)}, {len(wanted) - len(left)} are available"
        f" under their name or an alias and {len(left)} are missing.",
    ]
    by_name = {op["name"]: op for op in found}
    for family, ops in by_family((op["family"], op["name"]) for op in found):
        lines += ["", f"## {family}", "", "| operation | what it does |", "|---|---|"]
        lines += [f"| `{name}` | {cell(by_name[name])} |" for name in ops]
    if left:
        lines += ["", "## Missing", ""]
        for family, texts in by_family((family, name) for name, family in left.items()):
            lines.append(f"- {family}: " + ", ".join(f"`{text}`" for text in texts))
    PAGE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
