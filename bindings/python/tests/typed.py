"""A program for type checkers: mypy --strict must accept it, and `wrong` below must be an error."""

import ndforge as nd


def mean_images(pixels: nd.NDArray, labels: nd.NDArray) -> nd.NDArray:
    return nd.unsorted_segment_mean(pixels, labels, num_segments=10)


def network() -> nd.Trainer:
    graph = nd.Graph()
    x = graph.placeholder('x', nd.float32, (None, 4))
    w = graph.variable('w', nd.zeros((4, 1), nd.float32))
    loss: nd.Symbol = nd.reduce_mean(nd.square(x @ w - 1.0))
    return nd.Trainer(graph, loss, [w], nd.Adam(learning_rate=0.1), clip=('norm', 1.0))


def several(x: nd.NDArray) -> float:
    top = nd.top_k(x, k=2)
    parts = nd.split(x, num_splits=2, axis=0)
    total: nd.NDArray = top.values + parts[0].sum() - x[0, ::2] * 2 + (1 - x)[..., None].mean(axis=-1)
    return float(total.max()) + network().step(x=x)


def products(x: nd.NDArray) -> nd.NDArray:
    joined: nd.NDArray = nd.concat(x, x, axis=0)
    return nd.einsum('ij,jk->ik', joined, [[1.0, 2.0]])


def spectrum(x: nd.NDArray) -> nd.NDArray:
    z: nd.NDArray = nd.fft(x) * 2j + (1 - 1j)
    z.real = nd.zeros(3)
    return z.imag + z.conj().real


def words(x: nd.NDArray) -> nd.NDArray:
    return (x == 'a') & (x < nd.string_upper(x + '!'))


wrong: int = nd.exp([1.0])  # type: ignore[assignment]
