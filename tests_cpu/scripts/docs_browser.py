#!/usr/bin/env python3
"""Uses the pages of `ndforge docs` as a reader does: docs_browser.py NDFORGE WORK [--plugin FILE] [--screenshots FOLDER]

Opens the pages from file:// in a headless Chromium. Exits with 77 when Chromium is not installed or does not start.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys

import browser

failures = []

HITS = "[...document.querySelectorAll('#hits code')].map(hit => hit.textContent)"
ACTIVE = "(document.getElementById(document.getElementById('search').getAttribute('aria-activedescendant')) || {}).innerText"
STATUS = "document.getElementById('status').textContent"

# The lowest contrast between text and its background, by the formula of WCAG 2, and the element that has it.
CONTRAST = """(() => {
  const parts = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = colour => {
    const [r, g, b] = parts(colour).map(c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = element => {
    for (; element; element = element.parentElement) {
      const colour = getComputedStyle(element).backgroundColor;
      if (parts(colour).length < 4 || parts(colour)[3] > 0) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  let worst = [21, ''];
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!own || element.closest('[hidden]')) continue;
    const pair = [light(getComputedStyle(element).color), light(behind(element))].sort((a, b) => b - a);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (ratio < worst[0]) worst = [ratio, element.outerHTML.slice(0, 120)];
  }
  return worst;
})()"""


def check(ok, *what):
    if not ok:
        failures.append(" ".join(map(str, what)))
    return ok


class Site:
    def __init__(self, page, folder):
        self.page, self.folder = page, folder
        # Pages that builds without md4c or without Doxygen's files do not have.
        self.further = [path for path in ("guide/semantics.html", "guide/performance.html", "headers/index.html")
                        if (folder / path).is_file()]

    def open(self, path):
        file, mark, query = path.partition("?")
        self.page.open((self.folder / file).resolve().as_uri() + mark + query)

    def search(self, text):
        self.page.value("document.getElementById('search').value = ''")
        self.page.value("document.getElementById('search').focus()")
        self.page.type(text)
        return self.page.value(HITS)


def check_search(site):
    page = site.page
    site.open("index.html")
    check(page.value("document.activeElement === document.body"), "an element has the focus at first")
    page.press("/")
    check(page.value("document.activeElement.id") == "search", "'/' does not focus the search box")
    check(page.value("document.getElementById('search').value") == "", "'/' is typed into the search box")
    page.type("gath")
    hits = page.value(HITS)
    check(hits[:1] == ["gather"] and "gather_nd" in hits, "gath:", hits)
    check(page.value("document.getElementById('search').getAttribute('aria-expanded')") == "true", "aria-expanded")
    page.press("Enter")
    page.wait("location.pathname.endsWith('/op/gather.html') && document.querySelector('h1') !== null")
    check(page.value("document.querySelector('h1').textContent") == "gather", "the page of gather")
    check("indices" in page.value("document.querySelector('main').innerText"), "the page of gather lacks 'indices'")

    for text, first, among in (
        ("add", "add", "pairwise.Add"),
        ("ADD", "add", "add_bp"),
        ("pairwise.add", "pairwise.Add", "pairwise.Add"),
        ("reduce sum", "reduce_sum", "reduce_sum_bp"),
        ("conv2", "conv2d", "conv2d_bp"),
        ("squareddifference", "squaredsubtract", "squaredsubtract"),
        ("recurrent", None, "lstmLayer"),
        ("largest element", None, "reduce_max"),
        ("matrix inverse", "matrix_inverse", "matrix_inverse"),
        ("tanh", "tanh", "transform.Tanh"),
    ):
        hits = site.search(text)
        check((first is None or hits[:1] == [first]) and among in hits, text, "finds", hits[:8])
    hits = site.search("rsub")
    check(hits[:1] == ["reversesubtract"], "an alias finds", hits)
    check("also RSub" in page.value("document.querySelector('#hits').innerText"), "the alias is not shown")
    # The order of the results: the name itself, names that begin with it, aliases, words.
    hits = site.search("sub")
    places = [hits.index(name) for name in ("subtract", "squaredsubtract", "scatter_sub") if name in hits]
    check(len(places) == 3 and places[0] < min(places[1:]), "sub:", hits)

    if site.further:
        page.value("document.getElementById('search').value = ''")
        page.type("how operations treat edge cases")
        titles = page.value("[...document.querySelectorAll('#hits strong')].map(hit => hit.textContent)")
        check(titles[:1] == ["How operations treat edge cases"], "guides:", titles)
    check(site.search("frobnicate") == [], "frobnicate is found")
    check(page.value(STATUS) == "nothing matches \u201cfrobnicate\u201d", page.value(STATUS))
    check(site.search("<img src=x onerror=1>") == [], "markup is found")
    check("<img" in page.value(STATUS) and page.value("document.querySelector('#results img')") is None, "markup is run")

    # Arrow keys wrap around, Escape closes the list, Enter opens the page.
    hits = site.search("conv2d")
    check(page.value(ACTIVE).startswith(hits[0]), "at first", page.value(ACTIVE))
    page.press("ArrowUp")
    last = page.value("document.querySelector('#hits li:last-child').innerText")
    check(page.value(ACTIVE) == last, "ArrowUp", page.value(ACTIVE))
    page.press("ArrowDown")
    page.press("ArrowDown")
    check(page.value(ACTIVE).startswith(hits[1]), "ArrowDown", page.value(ACTIVE))
    check(page.value("document.querySelectorAll('[aria-selected=true]').length") == 1, "one is selected")
    page.press("Escape")
    check(page.value("document.getElementById('results').hidden"), "Escape")
    page.press("ArrowDown")
    page.press("ArrowDown")
    page.press("Enter")
    page.wait(f"document.querySelector('h1') && document.querySelector('h1').textContent === '{hits[1]}'")
    site.open("index.html?q=top%20k")
    check(page.value(HITS)[:1] == ["top_k"], "index.html?q=", page.value(HITS))


def check_links(site):
    page = site.page
    site.open("op/conv2d.html")
    page.value("[...document.querySelectorAll('a')].find(a => a.textContent === 'conv2d_bp').click()")
    page.wait("location.pathname.endsWith('/op/conv2d_bp.html') && document.readyState === 'complete'")
    page.value("[...document.querySelectorAll('.facts a')].find(a => a.textContent === 'conv2d').click()")
    page.wait("location.pathname.endsWith('/op/conv2d.html') && document.readyState === 'complete'")
    page.value("document.querySelector('.crumbs a[href*=convo]').click()")
    page.wait("location.pathname.endsWith('/family/convo.html') && document.readyState === 'complete'")
    check(page.value("document.querySelectorAll('tbody tr').length") >= 20, "rows of the family")


def check_looks(site):
    page = site.page
    backgrounds = {}
    for scheme in ("light", "dark"):
        page.colours(scheme)
        page.window(1200, 900)
        for path in ("index.html", "op/conv2d.html", "op/pairwise.Axpy.html", "family/convo.html", "all.html",
                     "op/add.html?q=reduce", "op/add.html?q=frobnicate", *site.further):
            site.open(path)
            ratio, where = page.value(CONTRAST)
            check(ratio >= 4.5, scheme, path, f"contrast {ratio:.2f}:", where)
        backgrounds[scheme] = page.value("getComputedStyle(document.body).backgroundColor")
    check(backgrounds["light"] != backgrounds["dark"], "light and dark look alike:", backgrounds)
    page.colours("light")
    for width in (320, 390, 768):
        page.window(width, 800)
        for path in ("index.html", "all.html", "op/conv2d.html", "op/lstmLayer.html", "op/batched_gemm.html",
                     "op/transform.RectifiedTanhDerivative.html", "op/sparse_softmax_cross_entropy_loss_with_logits.html",
                     "family/loss.html", "group/RANDOM.html", "op/add.html?q=cross", *site.further):
            site.open(path)
            wide = page.value("document.documentElement.scrollWidth")
            check(wide <= width, path, "is", wide, "wide on a screen of", width)
    page.window(1200, 900)


def check_access(site):
    page = site.page
    site.open("op/gather.html")
    page.press("Tab")
    check(page.value("document.activeElement.textContent") == "Skip to the content", "the first stop")
    for _ in range(2):
        page.press("Tab")
        outline = page.value("getComputedStyle(document.activeElement).outlineStyle")
        check(outline != "none", "no outline:", page.value("document.activeElement.outerHTML"))
    check(page.value("document.getElementById('search').labels.length") == 1, "the search box has no label")
    check(page.value("document.querySelectorAll('h1').length") == 1, "one h1")
    check(page.value("document.documentElement.lang") == "en", "lang")


def check_without_scripts(site):
    page = site.page
    page.scripts(False)
    site.open("index.html")
    shown = page.value("document.querySelector('form').getBoundingClientRect().height")
    check(shown == 0, "the search box is shown without scripts")
    check(page.value("document.querySelectorAll('.cards a').length") > 40, "no families are shown without scripts")
    page.scripts(True)


def take_screenshots(site, folder):
    folder.mkdir(parents=True, exist_ok=True)
    page = site.page
    for scheme in ("light", "dark"):
        page.colours(scheme)
        for size, (width, height) in {"wide": (1280, 1000), "narrow": (390, 844)}.items():
            page.window(width, height)
            for name, path in (("index", "index.html"), ("operation", "op/gather.html"), ("family", "family/convo.html"),
                               ("numbered", "op/scalar.LeakyRELU.html"), ("search", "index.html?q=reduce"),
                               ("nothing", "index.html?q=frobnicate"), ("all", "all.html")):
                site.open(path)
                page.screenshot(folder / f"{name}-{scheme}-{size}.png")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--plugin")
    parser.add_argument("--screenshots", type=pathlib.Path)
    options = parser.parse_args()
    program = browser.find()
    if program is None:
        print("Chromium is not installed: the pages are not checked (Debian: apt-get install chromium)")
        sys.exit(77)
    shutil.rmtree(options.work, ignore_errors=True)
    folder = options.work / "pages with a space & more"
    load = ["--load", options.plugin] if options.plugin else []
    subprocess.run([options.command, *load, "docs", "--out", folder], check=True, stdout=subprocess.DEVNULL)
    try:
        started = browser.Browser(program)
    except (EOFError, OSError) as error:  # browsers cannot run in some containers
        print(f"{program} does not start ({error}): the pages are not checked")
        sys.exit(77)
    with started as page:
        site = Site(page, folder)
        page.window(1200, 900)
        check_search(site)
        check_links(site)
        check_looks(site)
        check_access(site)
        check_without_scripts(site)
        if options.plugin:
            site.open("op/hostile_text.html")
            check("hostile_text" in page.value("document.title"), "a script of the documentation has run")
            check(site.search("hostile")[:1] == ["hostile_text"], "hostile")
        if options.screenshots:
            take_screenshots(site, options.screenshots)
        check(all(address.startswith("file:") for address in page.requests), "asked for",
              [address[:100] for address in page.requests if not address.startswith("file:")])
        check(not page.complaints, "the console says", page.complaints)
        print(f"{len(page.requests)} requests, all to files")
    for failure in failures:
        print("differs:", failure)
    if failures:
        sys.exit(f"{len(failures)} differences")
    shutil.rmtree(options.work)


if __name__ == "__main__":
    main()
