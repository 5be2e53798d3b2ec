#!/usr/bin/env python3
"""Checks the pages that `ndforge docs` writes: docs.py NDFORGE WORK [--plugin FILE] [--compile COMPILER INCLUDE...]

Pages must be well-formed and links valid; every operation has a page that agrees with `ndforge info` and the C
interface; calls compile and command lines parse. Exit code 77 when a required Python package is missing.
"""

import argparse
import concurrent.futures
import filecmp
import html.parser
import itertools
import json
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
    """The ids, links and calls of a page, and errors in the nesting of its elements."""

    VOID = {"meta", "link", "input", "wbr"}

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.path, self.ids, self.links, self.open, self.errors = path, [], [], [], []
        self.title, self.text, self.blocks = "", "", {}
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
            if not check(not address.scheme and not address.netloc, path, "leads outside:", link):
                continue
            target = (path.parent / urllib.parse.unquote(address.path)).resolve() if address.path else path
            if not check(target.is_file() and folder.resolve() in target.parents, path, "leads nowhere:", link):
                continue
            if address.fragment:
                check(address.fragment in pages[target].ids, path, "has no such place:", link)
    for asset in ("style.css", "search.js", "search-index.js"):
        text = (folder / asset).read_text(encoding="utf-8")
        check(not re.search(r"https?://|url\(|@import|fetch\(|XMLHttp", text), asset, "asks for something else")


def search_index(folder):
    text = (folder / "search-index.js").read_text(encoding="utf-8")
    return json.loads(text.split(" = ", 1)[1].rstrip().rstrip(";"))


FAMILIES = {"PAIRWISE_TRANSFORM": "pairwise", "INDEX_REDUCE": "indexreduce", "SUMMARY_STATS": "variance"}


def full_name(op):
    """The name; for numbered operations with their family."""
    if op["kind"] != "numbered":
        return op["name"]
    return FAMILIES.get(op["group"], op["group"].split("_")[0].lower()) + "." + op["name"]


def fact(page, key):
    """The HTML behind a fact."""
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
        _, path, family, line, aliases = rows[name]
        page = pages.get((folder / path).resolve())
        if not check(page is not None, name, "has no page"):
            continue
        by_name[name] = page
        check(page.title == name, path, "is titled", page.title)
        check(family == op.get("group", op.get("family")), name, "is in the family", family)
        check(op["formula"] in page.text, name, "lacks its formula")
        if op["kind"] == "numbered":
            check(line == op["formula"] and f">{op['number']}<" in fact(page, "Number").join("><"), name, "lacks its number")
        else:
            check(aliases == op["aliases"] and op["summary"] in page.text, name, "lacks its summary or aliases")
            check(all(f"<code>{alias}</code>" in fact(page, "Aliases") for alias in aliases), name, "lacks aliases")
            check(fact(page, "In place").startswith("yes") == op["inPlace"], name, "in place")
        check(re.fullmatch(r"<code>-?\d+</code>", fact(page, "Hash")), name, "has no hash")
    # Relations are listed on both pages.
    for name, page in by_name.items():
        for key, back in (("Gradient", "Gradient of"), ("Numbered", "Custom"), ("Derivative", "Derivative of")):
            for here, there in ((key, back), (back, key)):
                for other in re.findall(r"<code>(.*?)</code>", fact(page, here)):
                    check(name in re.findall(r"<code>(.*?)</code>", fact(by_name[other], there)), other, "does not tell", name)
    for key, least in (("Gradient", 100), ("Numbered", 30), ("Derivative", 15)):
        count = sum(bool(fact(page, key)) for page in by_name.values())
        check(count >= least or len(ops) < 800, "only", count, "operations have the fact", key)
    return by_name


def groups(call):
    """The texts between braces."""
    return re.findall(r"\{([^{}]*)\}", call)


def compile_calls(by_name, work, compiler, includes):
    """Compiles a function for each call, with declarations of the names that it uses."""
    source = ["#include <array/NDArrayList.h>", "#include <helpers/RandomGenerator.h>",
              "#include <ops/declarable/CustomOperations.h>"]
    for number, (name, page) in enumerate(by_name.items()):
        call = page.blocks.get("call cpp")
        if call is None:
            continue
        names = {}
        arrays = set(re.findall(r"&(\w+)", call)) - {"extra", "list", "op"}
        lists = [group.split(", ") for group in groups(call) if group and "&" not in group]
        if "." in name:
            arrays |= set(re.findall(r"(?<![\w.:])([xyz])(?=[.,)])", call)) - set(re.findall(r"auto (\w+) =", call))
            if ", value, z" in call:
                names["factor" if "value" in "".join(groups(call)) else "value"] = "double"
                call = call if "value" in names else call.replace(", value, z", ", factor, z")
            for argument in itertools.chain(*lists):
                names[argument] = "int" if argument == "dim" else "double"
        else:
            arguments = [group for group in groups(call) if "&" not in group]
            if "{&" not in call:  # no inputs
                arguments = arguments[1:]
            for kind, group in zip(("double", "sd::LongType", "bool"), arguments):
                for argument in filter(None, group.split(", ")):
                    names[argument] = kind
        if "op.execute(&list" in call or "op.execute(nullptr" in call:
            names = {argument: "int" if kind == "sd::LongType" else kind for argument, kind in names.items()}
        declared = [f"sd::NDArray {array};" for array in sorted(arrays)]
        declared += [f"{kind} {argument} = 1;" for argument, kind in names.items()]
        if "(&list" in call:
            declared.append("sd::NDArrayList list(0);")
        if "(rng" in call:
            declared.append("sd::graph::RandomGenerator rng;")
        source.append(f"void call{number}() {{  // {name}\n{' '.join(declared)}\n{call}\n}}")
    file = work / "calls.cpp"
    file.write_text("\n".join(source) + "\n")
    done = run(compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused-variable",
               "-Wno-unused-but-set-variable", *(f"-I{folder}" for folder in includes), file)
    check(done.returncode == 0, "calls do not compile:\n", done.stderr[:4000])


def save(path, code, values, shape):
    header = f"{{'descr': '{code}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    kind = {"<f4": "f", "<i4": "i"}[code]
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack(f"<{len(values)}{kind}", *values))


def run_commands(command, by_name, work):
    """No command line may be a usage error; those of numbered operations must run on floats or on integers."""
    for code, folder in (("<f4", work / "floats"), ("<i4", work / "integers")):
        folder.mkdir()
        save(folder / "array.npy", code, list(range(1, 17)), (4, 4))
        save(folder / "row.npy", code, [1, 2, 3, 1], (4,))

    def results(entry):
        name, page = entry
        line = page.blocks.get("call shell")
        if line is None:
            return name, None, []
        words = shlex.split(line)
        done = []
        for kind in ("floats", "integers"):
            # For a broadcast along dimension 0, the array is a row.
            row = name.startswith("broadcast.")
            given = [str(work / kind / ("row.npy" if row and word == "y.npy" else "array.npy"))
                     if words[i - 1] == "-i" else word for i, word in enumerate(words)]
            given[given.index("-o") + 1] = str(work / (name + pathlib.Path(words[-1]).suffix))
            done.append(run(command, *given[1:], env={**os.environ, "OMP_NUM_THREADS": "1"}))
            if done[-1].returncode == 0:
                break
        return name, line, done

    succeeded = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for name, line, done in pool.map(results, by_name.items()):
            if line is None:
                continue
            for result in done:
                check(result.returncode in (0, 1), name, "ends with", result.returncode, line, result.stderr)
            ran = any(result.returncode == 0 for result in done)
            succeeded += ran
            if "." in name:
                check(ran, name, "does not run:", line, done[0].stderr)
    print(f"{succeeded} of {len(by_name)} command lines ran on arrays that were made for none of them")


def check_writing(command, folder, work):
    pages = len(list(folder.rglob("*.html")))
    again = work / "deep" / "er"
    first = run(command, "docs", "--out", again)
    check(first.returncode == 0 and first.stdout.startswith(f"{pages} pages in ") and first.stderr == "", first)
    check(first.stdout.count("\n") == 1, "more than a line:", first.stdout)

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
        (1, "cannot be made", ["--out", work / "file" / "below"]),
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
    check(not (work / "a").exists(), "bad usage makes a folder")


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
    for part in ("summary", "formula", "input", "output", "float (default", "integer", "boolean", "types", "notes"):
        check(f"{part} {hostile}" in page.text, "the page lacks", part)
    check('../<b>&"alias"' in page.text and pathlib.Path(plugin).name in page.text, "alias or library")
    rows = [row for row in search_index(folder) if row[0] == "hostile_text"]
    check(len(rows) == 1 and rows[0][2] == "plugin" and '../<b>&"alias"' in rows[0][4], rows)
    family = pages.get((folder / "family" / "plugin.html").resolve())
    check(family is not None and "hostile_text" in family.text, "the plugin's family")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
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
