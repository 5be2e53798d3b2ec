"""The C interface for compare_numpy.py: calls by their parts, through compare/interface.py."""

import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "compare"))

from interface import Interface
from work import Custom, Numbered


def find_library():
    """The most recently built library in the usual build folders."""
    root = HERE.parent
    found = [path for folder in ("build", "blasbuild") for path in root.glob(f"{folder}/*/libndforge.so")]
    if not found:
        raise SystemExit("compare_numpy.py: no libndforge.so in build/ or blasbuild/; give its path with --library")
    return max(found, key=os.path.getmtime)


class Native(Interface):
    def call(self, pattern, function, op, *arrays):
        return self.repeated(Numbered(pattern, function, op), arrays, ())

    def custom(self, op, inputs, outputs, integers, floats, booleans):
        return self.repeated(Custom(op, integers, floats, booleans), inputs, outputs)
