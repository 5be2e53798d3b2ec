#!/usr/bin/env python3
"""Writes docs/argument_names.md: the names of arguments, what they mean, and the operations that have them.

    tools/argument_names.py BUILD/libndforge.so           writes the page
    tools/argument_names.py BUILD/libndforge.so --check   ends with 1 when the page differs from the registry

The names come from describeOperation() of the C interface.
"""

import collections
import ctypes
import json
import pathlib
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "argument_names.md"
MOST = 3  # texts of one name


def operations(library):
    """The description of every custom operation, by name."""
    interface = ctypes.CDLL(library)
    interface.getAllCustomOps.restype = interface.describeOperation.restype = ctypes.c_char_p
    described = {}
    for entry in interface.getAllCustomOps().decode().split(";"):
        name = entry.rpartition(":")[0].split(":")[0] if entry else ""
        if name:
            text = json.loads(interface.describeOperation(name.encode()).decode())
            described[text["name"]] = text
    return described


def cell(text):
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


def page(described):
    texts = collections.defaultdict(collections.Counter)
    holders, kinds = collections.defaultdict(list), collections.defaultdict(set)
    for name, operation in sorted(described.items(), key=lambda item: item[0].lower()):
        for argument in operation["schema"]["arguments"]:
            texts[argument["name"]][argument["text"]] += 1
            holders[argument["name"]].append(name)
            kinds[argument["name"]].add(argument["kind"])
    lines = [
        "# Names of arguments",
        "",
        "Written by `tools/argument_names.py` from the schemas. One name has one meaning in all operations; what differs is",
        "said by the operation. When an operation needs a new argument, look here first for a name that means the same.",
        "",
        f"{len(texts)} names, in {sum(bool(o['schema']['arguments']) for o in described.values())} operations.",
        "",
        "| name | kind | meaning | operations |",
        "|---|---|---|---|",
    ]
    for name in sorted(texts):
        meanings = [cell(text) for text, _ in sorted(texts[name].items(), key=lambda item: (-item[1], item[0]))]
        more = len(meanings) - MOST
        meaning = "<br>".join(meanings[:MOST]) + (f"<br>and {more} more" if more > 0 else "")
        lines.append(f"| `{name}` | {', '.join(sorted(kinds[name]))} | {meaning} |"
                     f" {', '.join(f'`{holder}`' for holder in holders[name])} |")
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__)
    text = page(operations(sys.argv[1]))
    if len(sys.argv) == 2:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.read_text(encoding="utf-8") == text:
        return 0
    print(f"{PAGE.name} differs from the schemas: run tools/argument_names.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
