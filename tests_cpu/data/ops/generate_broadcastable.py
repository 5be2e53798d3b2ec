#!/usr/bin/env python3
"""Expected values of the element-wise operations of two arrays that broadcast: NumPy and SciPy."""
import numpy as np

from cases import Cases, Empty, coarse

rng = np.random.default_rng(7)
cases = Cases("broadcastable")


def values(*shape, low=-4.0, high=4.0):
    return coarse(rng.uniform(low, high, shape))


x, y = values(2, 3), values(2, 3)
cases.add("add", [x, y], [x + y], grad=(0, 1))
y = values(3)
cases.add("multiply", [x, y], [x * y], grad=(0, 1))
cases.save()
