"""Random numbers: nothing is compared, because each library has other ones."""

import numpy as np

from work import Custom, Row, Work

GROUP = "random"
GENERATOR = {"numpy": "r = np.random.default_rng(1)"}


def rows(size):
    def row(name, call, statements, inputs=None):
        return Row(GROUP, name, size, lambda v: Work(inputs(v) if inputs else {"s": np.array([size])}, [((size,), "float32")],
                                                     call, statements, GENERATOR, same=None))

    yield row("uniform", Custom("randomuniform", floats=[0, 1]),
              {"numpy": "r.random(None, np.float32, z)", "torch": "z.uniform_()"})
    yield row("normal", Custom("random_normal", floats=[0, 1]),
              {"numpy": "r.standard_normal(None, np.float32, z)", "torch": "z.normal_()"})
    yield row("bernoulli", Custom("random_bernoulli", floats=[0.3]),
              {"numpy": "z[...] = r.random(z.shape, np.float32) < 0.3", "torch": "z.bernoulli_(0.3)"})
    yield row("dropout", Custom("dropout", [1], [0.5]),
              {"torch": "z = F.dropout(x, 0.5)"}, lambda v: {"x": v.reals(v.size, -10, 10)})
