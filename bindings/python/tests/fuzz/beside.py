"""Calls that are compared with NumPy's: indices, assignments, arithmetic, reductions."""

import operator
import re

import numpy as np

import ndforge as nd

from checks import REFUSALS, Checks, Finding, shown, shows


class Beside(Checks):
    def beside(self, text, ours, theirs, *arguments):
        """Whether both refuse a call, or give the same."""
        with np.errstate(all='ignore'):
            try:
                expected = theirs()
            except Exception as error:
                expected = error
        try:
            found = ours()
        except REFUSALS as error:
            found = error
        text = f"{text} of {', '.join(shown(a) for a in arguments)}"
        if isinstance(expected, Exception) or isinstance(found, Exception):
            # Here one element may have any shape, and arrays have at most 32 dimensions; NumPy takes some empty masks.
            if re.search('with a sequence|only 0-dim', str(expected)) or re.search('32|the mask has size 0', str(found)):
                return None
            if isinstance(expected, Exception) != isinstance(found, Exception):
                raise Finding('differs', f'{text}: {shown(found)}, in NumPy {shown(expected)}')
            return None
        a, b = np.asarray(found), np.asarray(expected)
        if a.shape != b.shape or not np.allclose(
            a, b, rtol=1e-9 if a.dtype.itemsize > 4 else 2e-3, atol=1e-12, equal_nan=True
        ):
            raise Finding('differs', f'{text}: {shown(found)} of shape {a.shape}, in NumPy {shown(b)} of shape {b.shape}')
        return found

    def mirrored(self, *dtypes):
        """The same array, or the same view, here and in NumPy."""
        a = self.v.numpy(dtype=self.r.choice(dtypes) if dtypes else None)
        a = a.reshape(()) if a.ndim > 30 else a  # room for more dimensions
        x = nd.array(a)
        for _ in range(self.r.choice((0, 0, 1, 2))):
            step = self.v.pick(
                lambda y: y.T,
                lambda y: y[..., None],
                lambda y: y[::2] if y.ndim else y,
                lambda y: y[..., ::-1] if y.ndim else y,
                lambda y: y[1:] if y.ndim else y,
            )
            a, x = step(a), step(x)
        return x, a

    def indices(self):
        x, a = self.mirrored()
        key = self.v.index(advanced=self.v.chance(0.5))
        self.last = (operator.getitem, (x, key), {})
        if self.verbose:
            print(shows(operator.getitem, (x, key), {}), flush=True)
        found = self.beside('x[…]', lambda: x[key], lambda: a[key], x, key)
        if isinstance(found, nd.NDArray) and self.v.chance(0.5):
            value = self.v.pick(
                self.v.integer, lambda: self.v.numpy(found.shape, a.dtype), lambda: found[..., ::-1] if found.ndim else found
            )()
            y, b = x.copy(), a.copy()

            def ours():
                y[key] = value
                return y

            def theirs():
                b[key] = np.asarray(value) if isinstance(value, nd.NDArray) else value
                return b

            if not isinstance(value, int) or abs(value) < 100 and not (a.dtype.kind in 'ub' and value < 0):
                self.beside('x[…] = y', ours, theirs, x, key, value)
        elif self.v.chance(0.3):
            self.made(operator.setitem, x, key, self.v.value())
        elif self.v.chance(0.2):
            self.made(operator.getitem, self.v.array(), self.v.pick(self.v.value, self.v.index)())

    def overlapping(self):
        """x[…] = part of x."""
        x, a = self.mirrored('float32', 'int64', 'complex64', 'int8')
        key, other = self.v.index(False), self.v.index(False)
        self.last = ('x[…] = x[…]', (x, key, other), {})

        def set_(y, b):
            y[key] = y[other]
            return y

        self.beside('x[…] = x[…]', lambda: set_(x, a), lambda: set_(a, x), x, key, other)

    SAME = [
        operator.add,
        operator.sub,
        operator.mul,
        operator.eq,
        operator.ne,
        operator.lt,
        operator.le,
        operator.gt,
        operator.ge,
    ]

    def arithmetic(self):
        dtype = self.v.pick('float64', 'float32', 'int64', 'int32', 'uint8', 'float16')
        (x, a), (y, b) = self.mirrored(dtype), self.mirrored(dtype)
        function = self.r.choice(self.SAME)
        if self.v.chance(0.3):
            y = b = self.v.pick(0, 1, 2, 2.5, True) if dtype.startswith('float') else self.v.pick(0, 1, 2, True)
        elif self.v.chance(0.5):
            y, b = x, a
        self.last = (function, (x, y), {})
        self.beside(function.__name__, lambda: function(x, y), lambda: function(a, b), x, y)

    def reduction(self, name):
        x, a = self.mirrored('float64', 'int64', 'int32', 'uint8', 'bool', 'float32')
        if a.ndim == 0 or (name in ('max', 'min') and np.isnan(a).any()):
            return  # NumPy takes axis 0 without dimensions; here extremes are those of the numbers beside NaN
        if a.dtype.kind == 'f' and (np.abs(a[np.isfinite(a)]) > 1e9).any():
            return  # whether these overflow depends on the order
        axis = self.v.pick(None, None, 0, -1, 1, (0, 1), (), (0,), [0], (-1, 0), 5)
        if isinstance(axis, list):  # NumPy takes no lists
            a_axis = tuple(axis)
        else:
            a_axis = axis
        keep = self.v.chance(0.3)
        self.last = (name, (x, axis, keep), {})
        wide = {} if name in ('max', 'min') or a.dtype.kind != 'f' else {'dtype': a.dtype}
        if name == 'mean' and a.size == 0:
            return
        self.beside(
            name,
            lambda: getattr(x, name)(axis=axis, keepdims=keep),
            lambda: getattr(a, name)(axis=a_axis, keepdims=keep, **wide),
            x,
            axis,
            keep,
        )
