#!/usr/bin/env python3
"""Runs the programs of bindings/nd4j/programs on the original libnd4j and on NDForge and compares their rows.

compare.sh calls it. Each program runs in a process of its own, three times: twice on the original, so that rows which
the original itself does not repeat are known, and once on NDForge. When a process dies, its last row is
`! died (signal)` or `! hangs`, and another process continues after it. The table TABLE.tsv has one line for each row:

    same        both runs print the same, up to the tolerance of the type
    differs     the values, shapes or types differ
    only here   the original throws an exception or dies, NDForge gives a value
    only there  the other way round
    unstable    two runs on the original differ, and NDForge's from both
    right here  not the same, and only NDForge's values are those that an independent source (NumPy, SciPy) expects
    both throw  two exceptions; their texts are compared by eye only

differences.csv lists the accepted differences: outcome, pattern of PROGRAM/ROW (`*` and `?`), reason. A row that is not the
same and fits no line makes the comparison fail, and so does a line that no row fits. Lines with the outcome `unstable`
accept any outcome, and need not fit.
"""
import argparse
import collections
import csv
import fnmatch
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# Largest differences of values, relative to the largest magnitude of the row, or to SMALLEST in rows of tiny values.
TOLERANCES = {"DOUBLE": 1e-7, "FLOAT": 2e-4, "NUMBER": 2e-4, "HALF": 8e-3, "BFLOAT16": 6e-2}
SMALLEST = 1e-3
SHORT = ["short", "classes"]
STARTS = 3
HANGS = 77  # Rows.java
EXPECTED = ["operations"]
FINE = ("same", "both throw", "right here")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", help="names of programs; all when there are none")
    parser.add_argument("--classes", required=True, help="class path of the programs with ND4J")
    parser.add_argument("--ndforge", required=True, help="folder of libnd4jcpu.so and libndforge.so.0, or a .jar")
    parser.add_argument("--out", default="nd4j-compare", help="folder of the table and the rows")
    parser.add_argument("--short", action="store_true", help="only the programs that take seconds")
    parser.add_argument("--only", default="", help="only rows whose names contain this")
    parser.add_argument("--keep", action="store_true",
                        help="keep the original's rows of the last run, and go on with them if it was interrupted")
    options = parser.parse_args()
    out = pathlib.Path(options.out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    programs = options.programs or (SHORT if options.short else list_programs(options))
    accepted = read_accepted(HERE / "differences.csv")
    table, counts = [], collections.Counter()
    for program in programs:
        first = rows_of(program, "original", out / f"{program}.original.txt", options, options.keep)
        second = first if options.short else rows_of(program, "original", out / f"{program}.again.txt", options,
                                                     options.keep)
        ours = rows_of(program, "ndforge", out / f"{program}.ndforge.txt", options, False)
        expected = rows_of(f"{program}.expected", "original", out / f"{program}.expected.txt", options,
                           options.keep) if program in EXPECTED else {}
        for name in dict.fromkeys([*first, *ours]):
            outcome = compare(first.get(name), second.get(name), ours.get(name))
            right = expected.get(name.replace(" float", ""))
            if outcome in ("differs", "only here", "unstable") and right and name in ours:
                if is_expected(ours[name], right) and not is_expected(first.get(name, ""), right):
                    outcome = "right here"
            reason = ""
            if outcome not in FINE:
                reason = reason_for(accepted, outcome, f"{program}/{name}")
            counts[outcome, bool(reason)] += 1
            table.append((outcome, reason, f"{program}/{name}", first.get(name, ""), ours.get(name, "")))
    with open(out / "table.tsv", "w", encoding="utf-8") as file:
        for line in table:
            print(*line, sep="\t", file=file)
    failed = 0
    for outcome, reason, name, there, here in table:
        if outcome not in FINE and not reason:
            failed += 1
            print(f"{outcome}: {name}\n    original: {there[:300]}\n    NDForge:  {here[:300]}")
    complete = not options.programs and not options.short and not options.only
    for line in accepted:
        if complete and not line["used"] and line["outcome"] != "unstable":
            failed += 1
            print(f"differences.csv: no row fits '{line['outcome']},{line['pattern']}'")
    for (outcome, explained), count in sorted(counts.items()):
        print(f"{count:6} {outcome}{' (accepted)' if explained else ''}")
    print(f"{len(table)} rows, {failed} without a reason; {out}/table.tsv")
    return 1 if failed else 0


# ---- running

def java(options, library, *args):
    command = ["java", "-Xmx2g", "-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=/dev/null",
               f"-Dcases={ROOT / 'tests_cpu/data/ops'}", f"-Drows.only={options.only}",
               # A cache for each: JavaCPP keeps the libraries that it unpacks.
               f"-Dorg.bytedeco.javacpp.cachedir={pathlib.Path(options.out).resolve() / ('cache-' + library)}"]
    classes = options.classes
    if library == "ndforge" and options.ndforge.endswith(".jar"):
        classes = options.ndforge + os.pathsep + classes
    elif library == "ndforge":
        command += ["-Dorg.bytedeco.javacpp.pathsFirst=true", f"-Djava.library.path={options.ndforge}"]
    return [*command, "-cp", classes, "org.ndforge.programs.Main", *args]


def list_programs(options):
    return subprocess.run(java(options, "original", "list"), check=True, capture_output=True, text=True).stdout.split()


def rows_of(program, library, file, options, keep):
    """The rows of a program; other processes continue after those at which one died."""
    if not keep:
        file.unlink(missing_ok=True)
    failures = 0
    while begun_in(file)[-1:] != ["end"]:
        after = (begun_in(file) or [""])[-1]
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
            try:
                code = subprocess.run(java(options, library, program, str(file), after), stdout=log, stderr=log,
                                      cwd=options.out, timeout=1800).returncode
            except subprocess.TimeoutExpired:
                code = "timeout"
            log.seek(0)
            text = log.read()
        begun = begun_in(file)
        if not begun or begun[-1] == after:  # it died before its first row
            failures += 1
            if failures == STARTS:
                sys.exit(f"{program} on {library} ends with {code} after '{after}':\n{text[-3000:]}")
        elif not re.search(f"^library {library}$", text, re.M):
            sys.exit(f"{program} does not run on {library}:\n{text[-3000:]}")
        elif begun[-1] != "end":
            with open(file, "a", encoding="utf-8") as rows:
                print(f"\n{begun[-1]}\t! {'hangs' if code == HANGS else f'died ({code})'}", file=rows)
            if library == "ndforge":
                # The virtual machine's report of a crash, or else what was said last.
                report = re.findall(r"^# \S.*", text, re.M) or text.splitlines()[-5:]
                print(f"{program}/{begun[-1]} ends with {code}:", *report, sep="\n    ")
    rows = {}
    for line in lines_of(file):
        name, tab, value = line.partition("\t")
        if tab and not line.startswith("> "):
            rows[name] = value
    return rows


def begun_in(file):
    return [line[2:] for line in lines_of(file) if line.startswith("> ")]


def lines_of(file):
    return file.read_text(encoding="utf-8", errors="replace").split("\n") if file.exists() else []


# ---- comparing

def compare(first, second, ours):
    if first is None or ours is None:
        # A row in a map that the other side never reached because it threw.
        return "only here" if first is None else "only there"
    if second is not None and died(first) != died(second):  # what it does not survive every time
        first = second = second if died(first) else first
    if not same(first, second if second is not None else "") and not (throws(first) and throws(second or "")):
        return "same" if same(first, ours) or same(second or "", ours) else "unstable"
    if throws(first) and throws(ours):
        return "only there" if died(ours) else "both throw"
    if throws(first):
        return "only here"
    if throws(ours):
        return "only there"
    return "same" if same(first, ours) else "differs"


def is_expected(value, expected):
    """Whether the row has the expected values: `?` fits all, and the type may be a narrower float."""
    values, wanted = value.split(" | "), expected.split(" | ")
    if throws(value) or len(values) < len(wanted):
        return False
    for x, y in zip(values, wanted):
        if y == "?":
            continue
        type_x, type_y = x.partition(" ")[0], y.partition(" ")[0]
        if type_x in TOLERANCES and type_y in TOLERANCES:
            y = type_x + y[len(type_y):]
        if not same_part(x, y, size_of(y)):
            return False
    return True


def died(value):
    return value.startswith(("! died", "! hangs"))


def throws(value):
    return value.startswith("! ")


def same(a, b):
    if a == b:
        return True
    parts_a, parts_b = a.split(" | "), b.split(" | ")
    scale = max((size_of(part.partition(" sums ")[0]) for part in parts_a), default=0.0)
    return len(parts_a) == len(parts_b) and all(same_part(x, y, scale) for x, y in zip(parts_a, parts_b))


def same_part(a, b, scale):
    """Whether two arrays agree. `scale` is the largest magnitude of the row: sums that cancel are as exact as that."""
    elements_a, _, sums_a = a.partition(" sums ")  # sums are larger than the elements by far
    elements_b, _, sums_b = b.partition(" sums ")
    tolerance = TOLERANCES.get(a.partition(" ")[0], 0.0)
    return (same_words(elements_a, elements_b, tolerance * max(scale, SMALLEST))
            and same_words(sums_a, sums_b, tolerance * max(size_of(sums_a), scale, SMALLEST)))


def same_words(a, b, limit):
    words_a, words_b = a.split(" "), b.split(" ")
    if len(words_a) != len(words_b):
        return False
    for x, y in zip(words_a, words_b):
        if x != y and not close(number(x), number(y), limit):
            return False
    return True


def size_of(text):
    numbers = [number(word) for word in text.split(" ")]
    return max((abs(x) for x in numbers if x is not None and math.isfinite(x)), default=0.0)


def close(x, y, limit):
    if x is None or y is None:
        return False
    if math.isnan(x) or math.isnan(y):
        return math.isnan(x) and math.isnan(y)
    return x == y or abs(x - y) <= limit


NUMBER = re.compile(r"-?(\d+(\.\d+)?(E-?\d+)?|Infinity)|NaN")


def number(text):
    if not NUMBER.fullmatch(text):
        return None
    return float(text.replace("Infinity", "inf"))


def read_accepted(path):
    with open(path, newline="", encoding="utf-8") as file:
        lines = [line for line in csv.reader(file) if line and not line[0].startswith("#")]
    for number_of_line, line in enumerate(lines):
        if len(line) != 3 or not line[2]:
            sys.exit(f"{path}: line {number_of_line + 1}: outcome,pattern,reason expected: {line}")
    return [{"outcome": a, "pattern": b, "reason": c, "used": False} for a, b, c in lines]


def reason_for(accepted, outcome, name):
    """The outcomes of a row that changes from run to run of the original, and of a line that says so, are luck."""
    for line in accepted:
        lucky = "unstable" in (outcome, line["outcome"])
        if (lucky or outcome == line["outcome"]) and fnmatch.fnmatchcase(name, line["pattern"]):
            line["used"] = True
            return line["reason"]
    return ""


if __name__ == "__main__":
    sys.exit(main())
