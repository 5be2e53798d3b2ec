#!/usr/bin/env python3
"""Checks what the search of the reference pages finds first: docs_search.py NDFORGE WORK

Runs the ranking in every interpreter of JavaScript that is installed: Node, Duktape, MuJS. Exits with 77 when there is
none.
"""

import json
import pathlib
import shutil
import subprocess
import sys

# What is typed, and the first hit. The first of a list must come first, the others must be among the first five.
QUERIES = (
    # names, folded and cut off
    ("conv2d", "conv2d"),
    ("conv", "conv2d"),
    ("ADD", "add"),
    ("gath", ["gather", "gather_nd"]),
    ("reduce sum", "reduce_sum"),
    ("ReduceSum", "reduce_sum"),
    ("pairwise.add", "pairwise.Add"),
    ("top k", "top_k"),
    ("max pool", "maxpool2d"),
    # aliases
    ("rsub", "reversesubtract"),
    ("squareddifference", "squaredsubtract"),
    # words and synonyms
    ("matrix multiply", "matmul"),
    ("matrix multiplication", "matmul"),
    ("matrix product", "matmul"),
    ("median", "median"),
    ("quantile", "quantile"),
    ("matrix inverse", "matrix_inverse"),
    ("standard deviation", "reduce_stdev"),
    ("flip", "reverse"),
    ("average pooling", "avgpool2d"),
    ("batch normalization", "batchnorm"),
    ("fully connected", "xw_plus_b"),
    ("eigenvalues", "eig"),
    ("swap axes", "permute"),
    ("cumulative sum", "cumsum"),
    ("one hot", "onehot"),
    # names elsewhere
    ("torch.nn.functional.conv2d", "conv2d"),
    ("np.linalg.svd", "svd"),
    ("tf.image.non_max_suppression", "non_max_suppression"),
    ("einsum", "einsum"),
    ("GlobalAveragePool", "avgpool2d"),
    ("np.mean", "reduce_mean"),
    ("+", "add"),
    ("F.softmax", "softmax"),
    # mistyped
    ("sofmax", "softmax"),
    ("sotfmax", "softmax"),
    ("matmull", "matmul"),
    ("convultion 2d", "conv2d"),
    ("percentil", "percentile"),
    ("matrix mutliply", "matmul"),
    ("choelsky", "cholesky"),
    ("transpsoe", "transpose"),
    # nothing
    ("frobnicate", []),
    ("<img src=x onerror=1>", []),
    ("", []),
)

PROGRAM = """
var ndforgeFind = ndforgeRanking.finder(window.NDFORGE_OPERATIONS, window.NDFORGE_MORE);
var ndforgeOut = NDFORGE_QUERIES.map(function (text) {
  return ndforgeFind(text).slice(0, 5).map(function (hit) { return [hit.entry.name, Math.round(hit.order), hit.via]; });
});
(typeof console === "object" ? console.log : print)(JSON.stringify(ndforgeOut));
"""


def interpreters():
    return list(filter(None, map(shutil.which, ("node", "duk", "mujs"))))


def first_hits(interpreter, site, program, queries):
    """For each query the first hits as [name, rank, what it was found by]. Writes the file `program`."""
    parts = [(site / name).read_text() for name in ("search-index.js", "search-more.js", "ranking.js")]
    given = "var NDFORGE_QUERIES = " + json.dumps(queries) + ";\n"
    program.write_text("var window = {};\n" + given + "".join(parts) + PROGRAM)
    return json.loads(subprocess.run([interpreter, program], check=True, stdout=subprocess.PIPE).stdout)


def main():
    command, work = sys.argv[1], pathlib.Path(sys.argv[2])
    if not interpreters():
        print("there is no interpreter of JavaScript: the search is not checked (Debian: apt-get install duktape)")
        sys.exit(77)
    shutil.rmtree(work, ignore_errors=True)
    subprocess.run([command, "docs", "--out", work / "site"], check=True, stdout=subprocess.DEVNULL)
    queries = [query for query, _ in QUERIES]
    found = [first_hits(name, work / "site", work / "search.js", queries) for name in interpreters()]
    failures = 0
    for name, hits in zip(interpreters(), found):
        if hits != found[0]:
            failures += 1
            print(f"{name} finds other pages than {interpreters()[0]}")
    for (query, expected), hits in zip(QUERIES, found[0]):
        names = [hit[0] for hit in hits]
        wanted = [expected] if isinstance(expected, str) else expected
        fine = names[:1] == wanted[:1] and set(wanted) <= set(names)
        if not fine:
            failures += 1
        if not fine or "-v" in sys.argv:
            print(f"'{query}' finds {hits}, not {expected} first")
    print(f"{len(QUERIES)} queries by {', '.join(interpreters())}")
    if failures:
        sys.exit(f"{failures} differ")
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
