"""The compared rows, a module for each group. To add one, yield it from its group."""

from rows import dense, elementwise, fourier, index, move, networks, neural, randoms, reduce, small
from work import SIZES


def table():
    """All rows, in the order of the tables: a group at a time."""
    sized = (elementwise, reduce, move, index, randoms)
    return [row for group in sized for size in SIZES for row in group.rows(size)] + [
        row for group in (dense, fourier, neural, small, networks) for row in group.rows()]
