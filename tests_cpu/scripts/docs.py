#!/usr/bin/env python3
"""Checks the pages that `ndforge docs` writes: docs.py NDFORGE WORK [--plugin FILE] [--compile COMPILER INCLUDE...]

Pages must be well-formed, links must have targets, every operation must have a page that agrees with `ndforge ops`.
Calls in C++ and C must compile; command lines must give the results that the pages show.
"""

import argparse
import ast
import concurrent.futures
import filecmp
import html.parser
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import urllib.parse
import xml.etree.ElementTree

failures = []


def check(ok, *what):
    if not ok:
        failures.append(" ".join(map(str, what)))
    return ok


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)


class Page(html.parser.HTMLParser):
    """Ids, links and calls of a page, and errors in the nesting of its elements."""

    VOID = {"meta", "link", "input", "wbr"}

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.path, self.ids, self.links, self.open, self.errors = path, [], [], [], []
        self.title, self.text, self.blocks, self.rows = "", "", {}, {}
        self._block = None
        self.source = path.read_text(encoding="utf-8")
        self.feed(self.source)
        self.close()
        if self.open:
            self.errors.append(f"not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        for name in ("href", "src", "action"):
            if name in attributes:
                self.links.append(attributes[name])
        if tag == "pre":
            self._block = attributes["class"]
            self.blocks[self._block] = ""
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.errors.append(f"</{tag}> at {self.getpos()}")
        if tag == "pre":
            self._block = None

    def handle_data(self, data):
        if self.open and self.open[-1] == "h1":
            self.title += data
        if self._block:
            self.blocks[self._block] += data
        self.text += data


def read(folder):
    pages = {}
    for path in sorted(folder.rglob("*.html")):
        page = pages[path.resolve()] = Page(path)
        check(not page.errors, path, page.errors)
        check(len(set(page.ids)) == len(page.ids), path, "repeats ids")
        try:
            xml.etree.ElementTree.fromstring(page.source.split("\n", 1)[1])
        except xml.etree.ElementTree.ParseError as error:
            check(False, path, "is not well-formed:", error)
    return pages


def check_links(folder, pages):
    for path, page in pages.items():
        for link in page.links:
            address = urllib.parse.urlsplit(link)
            if not check(not address.scheme and not address.netloc, path, "has an external link:", link):
                continue
            target = (path.parent / urllib.parse.unquote(address.path)).resolve() if address.path else path
            if not check(target.is_file() and folder.resolve() in target.parents, path, "has a broken link:", link):
                continue
            if address.fragment:
                check(address.fragment in pages[target].ids, path, "has a link to a missing anchor:", link)
    for asset in ("style.css", "search.js", "search-index.js"):
        text = (folder / asset).read_text(encoding="utf-8")
        check(not re.search(r"https?://|url\(|@import|fetch\(|XMLHttp", text), asset, "loads another resource")


def search_index(folder):
    text = (folder / "search-index.js").read_text(encoding="utf-8")
    return json.loads(text.split(" = ", 1)[1].rstrip().rstrip(";"))


FAMILIES = {"PAIRWISE_TRANSFORM": "pairwise", "INDEX_REDUCE": "indexreduce", "SUMMARY_STATS": "variance"}


def full_name(op):
    """The name on the pages: numbered operations are named with their family."""
    if op["kind"] != "numbered":
        return op["name"]
    return FAMILIES.get(op["group"], op["group"].split("_")[0].lower()) + "." + op["name"]


def fact(page, key):
    """The HTML of the fact with this key."""
    found = re.search(rf"<dt>{key}</dt><dd>(.*?)</dd>", page.source)
    return found.group(1) if found else ""


def check_operations(folder, pages, ops):
    rows = {row[0]: row for row in search_index(folder)}
    check(len(rows) == len(ops), "search index:", len(rows), "operations:", len(ops))
    by_name = {}
    for op in ops:
        name = full_name(op)
        if not check(name in rows, name, "is not in the search index"):
            continue
        path, family, line, aliases = rows[name][1:5]
        page = pages.get((folder / path).resolve())
        if not check(page is not None, name, "has no page"):
            continue
        by_name[name] = page
        check(page.title == name, path, "is titled", page.title)
        check(family == op.get("group", op.get("family")), name, "is in the family", family)
        check(not op["formula"] or "class=\"formula\"" in page.source, name, "lacks its formula")
        if op["kind"] == "numbered":
            check(line == op["formula"] and f">{op['number']}<" in fact(page, "Number").join("><"), name, "lacks its number")
        else:
            check(aliases == op["aliases"] and op["summary"] in page.text, name, "lacks its summary or aliases")
            check(all(f"<code>{alias}</code>" in fact(page, "Aliases") for alias in aliases), name, "lacks aliases")
            check(fact(page, "In place").startswith("yes") == op["inPlace"], name, "in place")
        check(re.fullmatch(r"<code>-?\d+</code>", fact(page, "Hash")), name, "has no hash")
    # Both pages of a relation must link to each other.
    for name, page in by_name.items():
        for key, back in (("Gradient", "Gradient of"), ("Numbered", "Custom"), ("Derivative", "Derivative of")):
            for here, there in ((key, back), (back, key)):
                for other in re.findall(r"<a [^>]*><code>(.*?)</code>", fact(page, here)):
                    check(name in re.findall(r"<code>(.*?)</code>", fact(by_name[other], there)), other, "does not name", name)
    for key, least in (("Gradient", 300), ("Numbered", 30), ("Derivative", 15), ("NumPy", 100), ("See also", 400)):
        count = sum(bool(fact(page, key)) for page in by_name.values())
        check(count >= least or len(ops) < 800, "only", count, "operations have the fact", key)
    for kind, least in (("call result", 780), ("call cpp", 480), ("call positional", 600), ("call shell", 780),
                        ("call c", 780)):
        count = sum(kind in page.blocks for page in by_name.values())
        check(count >= least or len(ops) < 800, "only", count, "operations have a block", kind)
    return by_name


def compile_all(texts, file, compiler, options, includes):
    """Compiles the calls, each as a function of one file. The lines that they include come first."""
    included, functions = [], []
    for name, text, wrap in texts:
        lines = text.split("\n")
        included += [line for line in lines if line.startswith("#include") and line not in included]
        rest = "\n".join(line for line in lines if not line.startswith("#include"))
        functions.append(wrap(len(functions), name, rest))
    file.write_text("\n".join(included + functions) + "\n")
    done = run(*compiler, *options, "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused-variable",
               "-Wno-unused-but-set-variable", *(f"-I{folder}" for folder in includes), file)
    check(done.returncode == 0, file.name, "does not compile:\n", done.stderr[:6000])
    print(f"{len(functions)} calls compiled: {file.name}")


def compile_calls(by_name, work, compiler, includes):
    """Compiles the calls in C++ and in C."""
    def cpp(number, name, text):
        return f"void call{number}() {{  // {name}\n{text}\n}}"

    def c(number, name, text):
        return f"/* {name} */\n" + text.replace("int example(", f"int example{number}(")

    texts = [(name, page.blocks[kind], cpp) for name, page in by_name.items()
             for kind in ("call cpp", "call positional") if kind in page.blocks]
    head = "#include <cmath>\n#include <array/NDArrayFactory.h>\n#include <helpers/RandomGenerator.h>"
    compile_all([("", head, lambda *_: "")] + texts, work / "calls.cpp", [compiler], ["-std=c++20"], includes)
    texts = [(name, page.blocks["call c"], c) for name, page in by_name.items() if "call c" in page.blocks]
    compile_all(texts, work / "calls.c", [compiler, "-x", "c"], ["-std=c11", "-Wno-missing-prototypes"], includes)


# NumPy's codes of the types of elements, and those of Python's module struct.
TYPES = {"bool": ("|b1", "?"), "int8": ("|i1", "b"), "uint8": ("|u1", "B"), "int16": ("<i2", "h"),
         "uint16": ("<u2", "H"), "int32": ("<i4", "i"), "uint32": ("<u4", "I"), "int64": ("<i8", "q"),
         "uint64": ("<u8", "Q"), "float16": ("<f2", "e"), "float32": ("<f4", "f"), "float64": ("<f8", "d"),
         "complex64": ("<c8", "f"), "complex128": ("<c16", "d")}


def flat(values):
    return [element for value in values for element in flat(value)] if isinstance(values, list) else [values]


def arrays(block):
    """{name: (type, shape, values)} of the arrays in a block; arguments, which have no type, are left out."""
    found, lines = {}, []
    for line in block.rstrip("\n").split("\n"):
        if line.startswith(" "):
            lines[-1] += line
        else:
            lines.append(line)
    for line in lines:
        match = re.fullmatch(r"(\S+) +(\w+) +\[([\d, ]*)\] +(.*)", line)
        if match is None or match.group(2) not in TYPES:
            continue
        name, kind, shape, text = match.groups()
        if kind.startswith("complex"):  # 1.5-2i
            text = re.sub(r"[^\[\], ]+", lambda number: f'"{number.group()}"', text)
            found[name] = kind, [int(size) for size in shape.split(",") if size.strip()], [
                complex(number.replace("i", "j")) for number in flat(json.loads(text))]
            continue
        text = re.sub(r"-?\bnan\b", "NaN", re.sub(r"\binf\b", "Infinity", text))
        found[name] = kind, [int(size) for size in shape.split(",") if size.strip()], flat(json.loads(text))
    return found


def save(path, kind, shape, values):
    code, element = TYPES[kind]
    shape = "(" + "".join(f"{size}, " for size in shape) + ")"
    header = f"{{'descr': '{code}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack(f"<{len(values)}{element}", *values))


def load(path):
    """(type, shape, values) of a .npy file."""
    data = path.read_bytes()
    size = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:10 + size].decode())
    kind = next(name for name, (code, _) in TYPES.items() if code == header["descr"])
    shape = list(header["shape"])
    count = math.prod(shape) * (2 if kind.startswith("complex") else 1)
    values = list(struct.unpack(f"<{count}{TYPES[kind][1]}", data[10 + size:]))
    return kind, shape, values if count == math.prod(shape) else [complex(*pair) for pair in zip(values[::2], values[1::2])]


def is_near(a, b):
    """Pages show six digits."""
    if isinstance(a, complex) and isinstance(b, complex):
        return abs(a - b) <= 1e-5 * max(1, abs(a), abs(b))
    if isinstance(a, float) and isinstance(b, (int, float)):
        return (math.isnan(a) and math.isnan(b)) or a == b or abs(a - b) <= 1e-5 * max(abs(a), abs(b))
    return a == b


def run_commands(command, by_name, work):
    """Every command line must give the results that its page shows."""
    def failures_of(entry):
        number, (name, page) = entry
        line = page.blocks.get("call shell")
        if line is None:
            return None
        folder = work / f"run{number}"
        folder.mkdir()
        for array, content in arrays(page.blocks.get("call given", "")).items():
            save(folder / f"{array}.npy", *content)
        words = shlex.split(line)
        if "--load" in words:
            return None
        done = run(command, *words[1:], cwd=folder, env={**os.environ, "OMP_NUM_THREADS": "1"})
        if done.returncode != 0 or done.stdout or done.stderr:
            return [f"{name}: {line} ends with {done.returncode}: {done.stderr}"]
        wrong = []
        expected = arrays(page.blocks["call result"])
        if len(expected) != page.blocks["call result"].count("\n") - page.blocks["call result"].count("\n "):
            wrong.append(f"{name}: the results on the page cannot be read")
        for array, (kind, shape, values) in expected.items():
            found = load(folder / f"{array}.npy")
            same = found[:2] == (kind, shape) and len(found[2]) == len(values) and all(map(is_near, found[2], values))
            if not same:
                wrong.append(f"{name}: {line} gives {found} for {array}; the page has {(kind, shape, values)}")
        shutil.rmtree(folder)
        return wrong

    count = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for wrong in pool.map(failures_of, enumerate(by_name.items())):
            if wrong is not None:
                count += 1
                for text in wrong:
                    check(False, text)
    print(f"{count} command lines give what their pages show")


def check_writing(command, folder, work):
    pages = len(list(folder.rglob("*.html")))
    again = work / "deep" / "er"
    first = run(command, "docs", "--out", again)
    check(first.returncode == 0 and first.stdout.startswith(f"{pages} pages in ") and first.stderr == "", first)
    check(first.stdout.count("\n") == 1, "more than one line:", first.stdout)

    def same(left, right):
        listing = filecmp.dircmp(left, right)
        names = listing.common_files
        check(not listing.left_only and not listing.right_only, left, listing.left_only, listing.right_only)
        _, differ, errors = filecmp.cmpfiles(left, right, names, shallow=False)
        check(not differ and not errors, left, "differs:", differ, errors)
        for sub in listing.common_dirs:
            same(pathlib.Path(left) / sub, pathlib.Path(right) / sub)

    same(folder, again)
    (again / "mine.txt").write_text("stays")
    (again / "op" / "mine.html").write_text("stays")
    check(run(command, "docs", "--out", again).returncode == 0, "a second time into the same folder")
    check((again / "mine.txt").read_text() == (again / "op" / "mine.html").read_text() == "stays", "other files")

    mine = work / "mine"
    mine.mkdir()
    (mine / "index.html").write_text("<p>mine</p>")
    (work / "file").write_text("")
    (work / "blocked").mkdir()
    (work / "blocked" / "op").write_text("")
    (work / "folder_for_page" / "index.html").mkdir(parents=True)
    refused = (
        (1, "was not written by this command", ["--out", mine]),
        (1, "is a file", ["--out", work / "file"]),
        (1, "cannot be created", ["--out", work / "file" / "below"]),
        (1, "is a file", ["--out", work / "blocked"]),
        (1, "was not written by this command", ["--out", work / "folder_for_page"]),
        (1, "", ["--out", "/proc/ndforge-docs"]),
        (2, "--out", []),
        (2, "is empty", ["--out", ""]),
        (2, "", ["--out", work / "a", "--out", work / "b"]),
        (2, "", ["--out", work / "a", "more"]),
    )
    for code, words, options in refused:
        done = run(command, "docs", *options)
        fine = done.returncode == code and words in done.stderr and done.stderr.count("\n") == 1 and done.stdout == ""
        check(fine, "docs", *options, "gives", done)
    check(sorted(mine.iterdir()) == [mine / "index.html"] and (mine / "index.html").read_text() == "<p>mine</p>", "mine")
    check(not (work / "a").exists(), "bad usage created a folder")


def check_plugin(command, plugin, work):
    folder = work / "with_plugin"
    done = run(command, "--load", plugin, "docs", "--out", folder)
    if not check(done.returncode == 0, done):
        return
    pages = read(folder)
    check_links(folder, pages)
    page = pages.get((folder / "op" / "hostile_text.html").resolve())
    if not check(page is not None, "the operation of the plugin has no page"):
        return
    hostile = "<script>document.title = 'broken'</script> & \"double\" 'single' </code></main> <!-- ]]> \ufffd"
    for part in ("summary", "input", "output", "number", "integer", "flag", "notes", "source", "condition", "reason",
                 "effect", "numpy"):
        check(f"{part} {hostile}" in page.text, "the page lacks", part)
    check('../<b>&"alias"' in page.text and pathlib.Path(plugin).name in page.text, "alias or library")
    rows = [row for row in search_index(folder) if row[0] == "hostile_text"]
    check(len(rows) == 1 and rows[0][2] == "plugin" and '../<b>&"alias"' in rows[0][4], rows)
    family = pages.get((folder / "family" / "plugin.html").resolve())
    check(family is not None and "hostile_text" in family.text, "the plugin's family")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--plugin")
    parser.add_argument("--compile", nargs="+")
    options = parser.parse_args()
    work = options.work
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    folder = work / "site"
    made = run(options.command, "docs", "--out", folder)
    if made.returncode != 0:
        sys.exit(f"docs: {made}")
    ops = json.loads(run(options.command, "ops", "--json").stdout)
    pages = read(folder)
    check_links(folder, pages)
    by_name = check_operations(folder, pages, ops)
    check_writing(options.command, folder, work)
    run_commands(options.command, by_name, work)
    if options.plugin:
        check_plugin(options.command, options.plugin, work)
    if options.compile:
        compile_calls(by_name, work, options.compile[0], options.compile[1:])
    print(f"{len(pages)} pages read, {len(ops)} operations")
    for failure in failures[:50]:
        print("differs:", failure)
    if failures:
        sys.exit(f"{len(failures)} differences")
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
