"""Strings: expected values from NumPy's numpy.strings and Python's str and re."""
import re
import sys
import unicodedata

import numpy as np

from cases import Cases

cases = Cases("strings")
I64 = np.int64
words = np.array([["apple", "Straße ΟΔΥΣΣΕΥΣ", ""], ["  pad\t", "naïve ﬃ İ", "日本語 🚀 x"]])


def each(f, *arrays):
    arrays = np.broadcast_arrays(*arrays)
    out = np.empty(arrays[0].shape, object)
    for at in np.ndindex(out.shape):
        out[at] = f(*(a[at].item() if hasattr(a[at], "item") else a[at] for a in arrays))
    return out


def texts(f, *arrays):
    return each(f, *arrays).astype(str)


# every letter whose case differs, which an installed utf8proc of Unicode 14 or later knows
letters = [chr(c) for c in range(sys.maxunicode + 1) if unicodedata.category(chr(c)) in ("Lu", "Ll", "Lt", "Nl", "So", "Mn")
           and (chr(c).upper() != chr(c) or chr(c).lower() != chr(c))]
lines = np.array(["".join(letters[i:i + 100]) for i in range(0, len(letters), 100)])
sigmas = np.array(["Σ", "ΑΣ", "ΑΣΒ", "ΑΣ.", "ΑΣ.Β", "Α.Σ", ".Σ", "Σ ΑΣ", "AΣ1", "1Σ", "Α\u0301Σ", "ΑΣ\u0301", "ΑΣΣ"])
for x in (words, lines, sigmas, np.array("Mixed"), np.array([], "<U3"), words.T, np.array(["a" * 100, "Z"] * 40)):
    cases.add("string_upper", [x], [texts(str.upper, x)])
    cases.add("string_lower", [x], [texts(str.lower, x)])
    cases.add("string_length", [x], [each(len, x).astype(I64)])
    cases.add("string_length", [x], [each(lambda s: len(s.encode()), x).astype(I64)], i=(1,))

spaces = np.array(["".join(chr(c) for c in range(0x3100) if chr(c).isspace()) + "a b" + " \u3000", "\u200b ", " ", "xxyx", "x"])
for x in (words, spaces):
    for side, f in enumerate((str.strip, str.lstrip, str.rstrip)):
        cases.add("string_strip", [x], [texts(f, x)], i=(side,))
        for removed in ("x", "yx日ap", ""):
            cases.add("string_strip", [x, np.array(removed)], [texts(lambda s, f=f, r=removed: f(s, r), x)], i=(side,))

cases.add("string_concat", [words], [words])
cases.add("string_concat", [words, np.array("-")], [texts(lambda a, b: a + b, words, np.array("-"))])
row, column = np.array(["x", "yy", "ü"]), np.array([["1"], ["22"]])
cases.add("string_concat", [row, column, words], [texts(lambda a, b, c: a + b + c, row, column, words)])
cases.add("string_concat", [np.array([], "<U1"), np.array("a")], [np.array([], "<U1")])


def substr(s, start, length):
    start = max(0, start + len(s)) if start < 0 else start
    return s[start:start + length]


for start, length in ((0, 2), (2, 100), (100, 3), (-2, 1), (-100, 4), (1, 0), (6, 3)):
    cases.add("string_substr", [words, np.array(start, I64), np.array(length, I64)], [texts(substr, words, start, length)])
cases.add("string_substr", [words, np.array([0, 1, -3], np.int32), np.array([[1], [4]], np.int32)],
          [texts(substr, words, np.array([0, 1, -3]), np.array([[1], [4]]))])

repeated = np.array(["banana", "aaaa", "", "日本日", "xay"])
for old, new in (("a", "o"), ("aa", "b"), ("an", ""), ("日", "ü"), ("", "-"), ("zz", "y")):
    for count in (-1, 0, 1, 2):
        cases.add("string_replace", [repeated, np.array(old), np.array(new)],
                  [texts(lambda s: s.replace(old, new, count), repeated)], i=(count,))
cases.add("string_replace", [repeated, np.array([["a"], ["x"]]), np.array("b")],
          [texts(str.replace, repeated, np.array([["a"], ["x"]]), "b")])
for wanted in ("a", "an", "日", "", "x", "zz"):
    cases.add("string_find", [repeated, np.array(wanted)], [each(lambda s: s.find(wanted), repeated).astype(I64)])
    cases.add("string_find", [repeated, np.array(wanted)], [each(lambda s: s.rfind(wanted), repeated).astype(I64)], b=(True,))
cases.add("string_find", [repeated, np.array([["n"], ["日"]])], [each(str.find, repeated, np.array([["n"], ["日"]])).astype(I64)])

left = np.array(["apple", "Zebra", "a", "", "日", "é", "b", "\uffff"])
right = np.array(["apple", "apple", "ab", "", "月", "e\u0301", "\U0001f680", "\U0001f680"])
for number, f in enumerate((lambda a, b: a == b, lambda a, b: a != b, lambda a, b: a < b, lambda a, b: a <= b,
                            lambda a, b: a > b, lambda a, b: a >= b)):
    cases.add("string_compare", [left, right], [each(f, left, right).astype(bool)], i=(number,))
    cases.add("string_compare", [left[:, None], np.array(["b", "a"])], [each(f, left[:, None], np.array(["b", "a"])).astype(bool)], i=(number,))

lines = np.array(["cat", "concat", "cats", "", "dog 42", "ünü 7"])
for pattern in ("cat", "c.*t", "", r"\pL+ \d+", "(a|b)?", "[a-z]+"):
    regex = re.compile(pattern.replace(r"\pL", r"[^\W\d_]"))
    for part, f in enumerate((regex.fullmatch, regex.match, regex.search)):
        cases.add("regex_match", [lines, np.array(pattern)], [each(lambda s, f=f: f(s) is not None, lines).astype(bool)], i=(part,))
for pattern, new in (("a", "o"), (r"(\w)(\w)", r"\2\1"), (r"\d+", r"<\0>"), ("t$", "")):
    for once in (False, True):
        cases.add("regex_replace", [lines[:5], np.array(pattern), np.array(new)],
                  [texts(lambda s: re.sub(pattern, new.replace(r"\0", r"\g<0>"), s, count=int(once)), lines[:5])], b=(not once,))

numbers = np.array(["1", "-2", "+3", " 4 ", "\t5\n"])
for number, kind in ((9, np.int32), (10, I64), (7, np.int8), (5, np.float32), (6, np.float64), (3, np.float16)):
    cases.add("string_to_number", [numbers], [each(int, numbers).astype(kind)], d=(number,))
reals = np.array([["0.1", "-1e3", "inf"], ["-Infinity", "NaN", "1E-3"], ["1e400", "-1e-400", "4.9e-324"],
                  ["123456789012345678901234567890", ".5", "5."]])
cases.add("string_to_number", [reals], [each(float, reals).astype(np.float64)], d=(6,))
cases.add("string_to_number", [reals], [each(lambda s: np.float32(s), reals).astype(np.float32)], d=(5,))
cases.add("string_to_number", [numbers], [each(int, numbers).astype(np.float32)], label="default type")
cases.add("string_to_number", [np.array("18446744073709551615")], [np.array(2**64 - 1, np.uint64)], d=(14,))

for x in (np.array([[1.5, -0.0, 1e16], [1e-5, np.nan, -np.inf]]), np.array([0.1, 1e6, 123456.0, 1e-4], np.float32),
          np.array([0.1, 1e3, 6e-8, 65504], np.float16), np.array([-5, 2**63 - 1], I64), np.array([2**64 - 1], np.uint64),
          np.array([True, False]), np.array([], np.float64), np.array(7, np.int32), np.array([-128, 127], np.int8)):
    types = None if x.dtype.kind != "f" else [{2: "HALF", 4: "FLOAT32", 8: "DOUBLE"}[x.dtype.itemsize]]
    cases.add("number_to_string", [x], [x.astype(str)], types=types)

table = np.array([["pear", "fig", "Zoe"], ["apple", "日", "fig"], ["fig", "", "🚀"], ["applesauce", "applesauces", "fig"]])
for axis in (0, 1, -1):
    cases.add("sort", [table], [np.sort(table, axis)], i=(axis,))
    cases.add("sort", [table], [np.flip(np.sort(table, axis), axis)], i=(axis,), b=(True,))
    cases.add("argsort", [table], [np.argsort(table, axis, kind="stable")], i=(axis,))
many = np.array(["longer than a word %d" % (i * 7919 % 500) for i in range(1000)])
cases.add("sort", [many], [np.sort(many)])
cases.add("argsort", [many], [np.argsort(many, kind="stable")])


def unique(x):
    flat = x.ravel()
    first = {}
    for text in flat:
        first.setdefault(text, len(first))
    return (np.array(list(first)), np.array([first[t] for t in flat], I64), np.array([list(flat).count(t) for t in first], I64))


for x in (table, many):
    values, indices, counts = unique(x)
    cases.add("unique", [x], [values, indices])
    cases.add("unique_with_counts", [x], [values, indices, counts])

# ---- no strings
none, text, whole = np.array([], "<U1"), np.array("a"), np.array(0, I64)
for op, inputs, output in (("string_strip", [none], none), ("string_substr", [none, whole, whole], none),
                           ("string_replace", [none, text, text], none), ("string_find", [none, text], np.zeros(0, I64)),
                           ("string_compare", [none, text], np.zeros(0, bool)), ("regex_match", [none, text], np.zeros(0, bool)),
                           ("regex_replace", [none, text, text], none), ("string_to_number", [none], np.zeros(0, np.float32))):
    cases.add(op, inputs, [output])
cases.save()
