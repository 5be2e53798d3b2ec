#!/usr/bin/env python3
"""Checks the pages of the public headers: docs_headers.py NDFORGE WORK [--keep]

Runs Doxygen, tools/header_pages.py and `ndforge docs --headers`. Exits with 77 when Doxygen is not installed.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

import docs
import docs_search

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# Header, anchor, and words that must stand between the anchor and the next member.
TEXTS = (
    ("array/NDArray.h", "NDArray.reduceAlongDimension", "a real type, SameOps the type of the array"),
    ("array/NDArray.h", "NDArray.reduceAlongDimension-2", "for dimensions out of range"),
    ("ops/declarable/Schema.h", "InputRow.shapesNeedValues", "InputRow"),
    ("graph/Context.h", "Context", "Context"),
    ("legacy/NativeOps.h", "execCustomOp2", "execCustomOp2"),
)


def between(page, anchor):
    """The text from the element with this id to the next member."""
    source = page.source[page.source.index(f'id="{anchor}"'):]
    text = re.sub(r"<[^>]*>", "", source[source.index(">") + 1:].split('<div class="member">')[0])
    return " ".join(text.split())


# Classes and their members are found, and operations still come before them.
QUERIES = (("NDArray", "sd::NDArray"), ("reduceAlongDimension", "sd::NDArray"), ("NDArray.h", "array/NDArray.h"),
           ("Workspace", "sd::memory::Workspace"), ("execCustomOp2", "legacy/NativeOps.h"), ("conv2d", "conv2d"),
           ("softmax", "softmax"), ("matrix multiply", "matmul"), ("NDArary", "sd::NDArray"))


def check_search(site, work):
    queries = [query for query, _ in QUERIES]
    for interpreter in docs_search.interpreters()[:1]:
        for (query, expected), hits in zip(QUERIES, docs_search.first_hits(interpreter, site, work / "search.js", queries)):
            docs.check([hit[0] for hit in hits[:1]] == [expected], query, "finds", hits)


def refused(command, work):
    for name, text in (("absent.json", None), ("bad.json", "[1, "), ("other.json", "{}"),
                       ("outside.json", json.dumps({"groups": [], "pages": [{
                           "path": "headers/../../x.html", "title": "", "summary": "", "html": "", "entries": []}]}))):
        file = work / name
        if text is not None:
            file.write_text(text)
        done = docs.run(command, "docs", "--out", work / "refused", "--headers", file)
        docs.check(done.returncode == 1 and done.stderr.count("\n") == 1 and not (work / "refused").exists(), name, done)


def main():
    command, work = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    if shutil.which("doxygen") is None:
        print("Doxygen is not installed: the pages of headers are not checked (Debian: apt-get install doxygen)")
        sys.exit(77)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    settings = (ROOT / "cmake/Doxyfile.in").read_text()
    settings = settings.replace("@PROJECT_SOURCE_DIR@", str(ROOT)).replace("@SD_DOXYGEN_FOLDER@", str(work))
    (work / "Doxyfile").write_text(settings)
    subprocess.run(["doxygen", work / "Doxyfile"], check=True, stderr=subprocess.DEVNULL)
    groups = ROOT / "tools/public_headers.txt"
    script = [sys.executable, "-B", ROOT / "tools/header_pages.py", work / "xml", ROOT / "include", groups,
              work / "pages.json", "--command", command]
    print(subprocess.run(script, check=True, stdout=subprocess.PIPE, text=True).stdout.strip())
    site = work / "site"
    made = docs.run(command, "docs", "--out", site, "--headers", work / "pages.json")
    docs.check(made.returncode == 0 and made.stderr == "", made)
    pages = docs.read(site)
    docs.check_links(site, pages)
    listed = [line for line in groups.read_text().splitlines() if line and line[0] not in "#["]
    headers = " ".join(listed).split()
    by_header = {page.title: page for path, page in pages.items() if path.parent.name == "headers"}
    docs.check(set(headers) | {"Headers"} == set(by_header), "headers without a page:", set(headers) - set(by_header))
    for header, anchor, words in TEXTS:
        page = by_header[header]
        if docs.check(anchor in page.ids, header, "has no", anchor):
            docs.check(words in between(page, anchor), header, anchor, "lacks", words, "has", between(page, anchor)[:300])
    docs.check('href="../op/conv2d.html"' in by_header["ops/declarable/headers/convo.h"].source, "no link to conv2d")
    more = (site / "search-more.js").read_text().split(" = ", 1)[1].rstrip().rstrip(";")
    titles = {entry[0] for entry in json.loads(more)["pages"]}
    docs.check({"sd::NDArray", "array/NDArray.h", "sd::graph::Context"} <= titles, "the search lacks classes")
    check_search(site, work)
    refused(command, work)
    for failure in docs.failures[:50]:
        print("differs:", failure)
    if docs.failures:
        sys.exit(f"{len(docs.failures)} differences")
    if "--keep" not in sys.argv:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
