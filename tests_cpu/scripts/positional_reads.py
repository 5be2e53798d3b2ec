#!/usr/bin/env python3
"""Counts places of src/ops that read the positional lists of a call: there must be none outside of functions that a
schema's row names in .readBy(), and of what these call in the same file.

    positional_reads.py             checks the sources
    positional_reads.py --self-test checks that reads are found
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

READS = re.compile(
    r"\b(?:INT_ARG|T_ARG|B_ARG|D_ARG)\s*\("
    r"|\bget[ITBD]Arguments\s*\(\s*\)"
    r"|\b(?:intArgument|intArgument64|floatArgument|boolArgument|typeArgument|floatArguments)\s*\("
    r"|\b(?:flag|number|integer|integers|integers64|integerArguments|typeArgument)\s*\(\s*block\b")

# Files that may read positions elsewhere, and why.
ALLOWED = {
    "src/ops/declarable/ReadArguments.cpp": "fills the argument structs from the lists",
    "src/ops/declarable/OpKinds.cpp": "the reference interface of reductions: their axes, and its calls with lists",
    "src/ops/declarable/LegacyRandom.cpp": "a call with lists",
    "src/ops/declarable/generic/nlp/Arguments.cpp": "reads the lists for the readers of cbow.cpp and skipgram.cpp",
}

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
READER = re.compile(r"\.readBy\(\s*(\w+)")


def blocks(text):
    """(name, text) of what stands at the beginning of a line up to its end: functions, classes, tables, macros. The
    sources are formatted, so that only the first and the last line of such a block are not indented."""
    found, lines, inside_macro = [], [], False

    def finish():
        block = "\n".join(lines)
        lines.clear()
        head = re.sub(r"template <[^{(]*>\n", "", block).split("{")[0]
        name = re.search(r"(\w+)\s*\(", head)
        found.append((name.group(1) if name else "", block))

    for line in text.splitlines():
        outer = line[:1] not in (" ", "\t", "")
        inside_macro = inside_macro or (line.startswith("#define") and not lines)
        lines.append(line)
        ends = not line.endswith("\\") if inside_macro else outer and line.rstrip().endswith(("}", ";", "};"))
        if ends or (not inside_macro and re.match(r"(?:namespace.*\{|#\w+.*|)$", line) and len(lines) == 1):
            finish()
            inside_macro = False
    finish()
    return found


def reads_outside(text, readers=frozenset()):
    """The number of reads outside of functions that .readBy() names, here or in another file (`readers`)."""
    text = COMMENT.sub("", text)
    found = blocks(text)
    readers = set(readers) | set(READER.findall(text))
    while True:
        called = {name for name, _ in found for reader, block in found
                  if name and reader in readers and re.search(rf"\b{name}\b", block)}
        if called <= readers:
            break
        readers |= called
    return sum(len(READS.findall(block)) for name, block in found if name not in readers)


def self_test():
    reader = "bool read(const ArgumentRow&, const graph::Context& block, void*) {\n  return two(block);\n}\n"
    helper = "int two(const graph::Context& block) { return block.intArgument(2); }\n"
    table = "DECLARE_SCHEMA(a) { schema.argument(&A::b, \"b\", \"\").readBy(read); }\n"
    body = "CUSTOM_OP_IMPL(a, 1, 1, false, 0, 1) { z.p(0, %s); }\n"
    assert reads_outside(helper + reader + table) == 0
    assert reads_outside("namespace {\n" + helper + reader + "}\n" + table) == 0
    assert reads_outside(helper + reader) == 1
    assert reads_outside(helper + reader, {"read"}) == 0
    for read in ("INT_ARG(0)", "T_ARG(1)", "B_ARG(0)", "D_ARG(0)", "block.getIArguments()->at(0)",
                 "integer(block, 0, 1)", "block.floatArgument(0)", "flag(block, 0)"):
        assert reads_outside(helper + reader + table + body % read) == 1, read
    assert reads_outside(body % "a.count /* INT_ARG(0) */") == 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    failures, seen = [], set()
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
             for path in sorted((ROOT / "src" / "ops").rglob("*")) if path.suffix in (".h", ".cpp")}
    readers = {name for text in texts.values() for name in READER.findall(text)}
    for name, text in texts.items():
        count = reads_outside(text, readers)
        if count == 0:
            continue
        seen.add(name)
        if name not in ALLOWED:
            failures.append(f"{name}: {count} reads by position; state the arguments in the schema")
    failures += [f"{name} does not read by position any more: remove it from the list here"
                 for name in ALLOWED if name not in seen]
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
