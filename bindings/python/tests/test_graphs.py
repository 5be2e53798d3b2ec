"""Graphs, gradients, sessions and training."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import ndforge as nd


def network():
    generator = np.random.default_rng(2)
    graph = nd.Graph()
    x = graph.placeholder('x', nd.float32, (None, 4))
    target = graph.placeholder('target', nd.float32, (None, 1))
    w1 = graph.variable('w1', generator.normal(size=(4, 8)).astype('float32') * 0.5)
    b1 = graph.variable('b1', np.zeros(8, 'float32'))
    w2 = graph.variable('w2', generator.normal(size=(8, 1)).astype('float32') * 0.5)
    y = (nd.tanh(x @ w1 + b1) @ w2).named('y')
    loss = nd.reduce_mean(nd.square(y - target)).named('loss')
    return graph, y, loss


def test_symbols():
    graph, y, loss = network()
    assert y.name == 'y' and y.shape == (None, 1) and y.dtype is nd.float32 and y.graph is graph
    assert graph['w1'].shape == (4, 8) and graph['loss'] == loss and graph['y'] != loss
    assert 'tanh' in repr(nd.tanh(graph['x'])) and {y: 1}[graph['y']] == 1
    with pytest.raises(TypeError, match='neither true nor false'):
        bool(y)
    with pytest.raises(ValueError, match='test_graphs.py'):
        graph['w1'] @ graph['b1'][None] if False else nd.matmul(graph['w1'], graph['w1'])
    with pytest.raises(ValueError, match='nothing'):
        graph['nothing']
    with pytest.raises(ValueError):
        graph.placeholder('x')


def test_operators_of_symbols():
    graph = nd.Graph()
    x = graph.placeholder('x', nd.float64, (3,))
    a = np.array([1.5, -2.0, 3.0])
    results = [x + 1, 2 - x, x * x, 1 / x, x ** 2, -x, abs(x), x // 2, x % 2, x @ x, x > 0, 1 + x, x + a]
    expected = [a + 1, 2 - a, a * a, 1 / a, a ** 2, -a, abs(a), a // 2, a % 2, a @ a, a > 0, 1 + a, a + a]
    for result, wanted in zip(nd.Session(graph, results).run(x=a), expected):
        np.testing.assert_allclose(np.asarray(result), wanted)


METHODS = {
    'sum': lambda x: x.sum(), 'sum of axes': lambda x: x.sum(axis=(0, 2)), 'mean': lambda x: x.mean(1, keepdims=True),
    'max': lambda x: x.max(axis=-1), 'min': lambda x: x.min(), 'prod': lambda x: x.prod(0), 'var': lambda x: x.var(axis=1),
    'std': lambda x: x.std(1, ddof=1), 'argmax': lambda x: x.argmax(), 'argmin': lambda x: x.argmin(axis=1),
    'reshape': lambda x: x.reshape(6, -1), 'reshape to a tuple': lambda x: x.reshape((4, 3, 2)), 'flatten': lambda x: x.flatten(),
    'ravel': lambda x: x.ravel(), 'T': lambda x: x.T, 'transpose': lambda x: x.transpose(1, 0, 2),
    'transpose by a tuple': lambda x: x.transpose((2, 0, 1)), 'squeeze': lambda x: x[:, :1].squeeze(),
    'squeeze an axis': lambda x: x[:1, :1].squeeze(1), 'astype': lambda x: x.astype('int32'), 'clip': lambda x: x.clip(-1, 2),
    'cumsum': lambda x: x.cumsum(), 'cumsum of an axis': lambda x: x.cumsum(1),
}
INDICES = [0, -1, 1, slice(None), slice(1, None), slice(None, -1), slice(None, None, 2), (0, 1), (-1, -1, -1), (1, slice(0, 2)),
           (slice(None), slice(None, None, -1)), (slice(None), slice(3, 0, -2)), (Ellipsis, 0), (Ellipsis, -1), (0, Ellipsis, 1),
           (Ellipsis, slice(1, 3)), None, (None, 0), (slice(None), None, -1), (Ellipsis, None), (0, Ellipsis, None, slice(None, None, 2)),
           np.int64(1), (slice(np.int32(0), None), np.int64(2)), [1, 0, 1], np.array([[1, 0], [0, 0]])]


def of_symbol(function, a):
    """What a graph computes from a placeholder of unknown sizes, and from one of known ones."""
    results = []
    for shape in ((None,) * a.ndim, a.shape):
        graph = nd.Graph()
        y = function(graph.placeholder('x', nd.float32, shape)).named('y')
        results.append(nd.Session(graph, ['y']).run(x=nd.array(a))[0])
    np.testing.assert_array_equal(*results)
    return results[0]


def numbers():
    return np.random.default_rng(4).normal(size=(2, 3, 4)).astype('float32') * 3


@pytest.mark.parametrize('name', METHODS)
def test_methods_of_symbols(name):
    a = numbers()
    found, wanted = of_symbol(METHODS[name], a), METHODS[name](a)
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize('index', INDICES, ids=str)
def test_indices_of_symbols(index):
    a = numbers()
    found = of_symbol(lambda x: x[index], a)
    assert found.shape == a[index].shape
    np.testing.assert_array_equal(found, a[index])


def test_gradients_through_methods_and_indices():
    a = numbers()
    found = nd.grad(lambda x: (x[:, ::2, -1] * x[1, :2].sum()).mean() + x.T[0].max())(nd.array(a))
    wanted = np.zeros_like(a)
    part = a[:, ::2, -1]
    wanted[:, ::2, -1] += a[1, :2].sum() / part.size
    wanted[1, :2] += part.mean()
    first = a[..., 0]
    wanted[..., 0] += first == first.max()
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


def test_gradients_of_unknown_shapes():
    p = nd.Graph().placeholder('p', nd.float32)
    for function in (nd.yuv_to_rgb, nd.rgb_to_hsv, nd.hsv_to_rgb, nd.rgb_to_yiq, lambda x: nd.stack([x, x], axis=0)):
        with pytest.raises(ValueError, match='not known'):
            nd.gradients(function(p), [p])


def test_wrong_indices_of_symbols():
    x = nd.Graph().placeholder('x', nd.float32, (2, 3))
    for index, error in ((5, ValueError), ((0, 0, 0), ValueError), ((..., ...), IndexError), ((0, [1]), TypeError), ('a', TypeError),
                         ((True, 0), TypeError), (slice(None, None, 0), ValueError), (slice('a'), TypeError)):
        with pytest.raises((error, IndexError)):
            x[index]
    with pytest.raises(TypeError, match='not iterable'):
        iter(x)
    with pytest.raises(ValueError, match='ddof'):
        x.var(ddof=2)


def test_session():
    graph, y, loss = network()
    session = nd.Session(graph, [y, 'loss'])
    assert session.inputs == ['x', 'target'] and len(session.results) == 2
    x = np.ones((2, 4), 'float32')
    results = session.run({'x': x}, target=np.zeros((2, 1), 'float32'))
    again = session.run({graph['x']: x, graph['target']: nd.zeros((2, 1), 'float32')})
    assert results[0].tolist() == again[0].tolist() and results[1].shape == ()
    hidden = np.tanh(x @ np.asarray(graph.array('w1')) + np.asarray(graph.array('b1')))
    np.testing.assert_allclose(np.asarray(results[0]), hidden @ np.asarray(graph.array('w2')), rtol=1e-5)
    for feeds in ({}, {'x': x, 'z': x}, {'x': x[:, :3], 'target': x[:, :1]}):
        with pytest.raises(ValueError):
            session.run(feeds)
    with pytest.raises(TypeError):
        session.run([x])


def test_gradients():
    graph, y, loss = network()
    parameters = [graph[name] for name in ('w1', 'b1', 'w2')]
    session = nd.Session(graph, [loss, *nd.gradients(loss, parameters)])
    generator = np.random.default_rng(3)
    feeds = {'x': generator.normal(size=(5, 4)).astype('float32'), 'target': generator.normal(size=(5, 1)).astype('float32')}
    value, *gradients = session.run(feeds)
    for parameter, gradient in zip(parameters, gradients):
        before = np.asarray(graph.array(parameter))
        direction = generator.normal(size=before.shape).astype('float32')
        difference = 0
        for step in (1e-2, -1e-2):
            graph.assign(parameter, before + np.float32(step) * direction)
            difference += session.run(feeds)[0].item() / (2 * step)
        graph.assign(parameter, before)
        np.testing.assert_allclose((np.asarray(gradient) * direction).sum(), difference, rtol=2e-2, atol=1e-4)
    with pytest.raises(ValueError):
        graph.assign('w1', np.zeros((1, 1)))


def test_grad_of_functions():
    a, b = np.array([1.0, 2.0, 3.0]), np.array([0.5, -1.0, 2.0])
    gradient = nd.grad(lambda x, y: nd.reduce_sum(x * x * y), (0, 1))
    for scale in (1, 2):
        gx, gy = gradient(a * scale, b)
        np.testing.assert_allclose(np.asarray(gx), 2 * a * scale * b)
        np.testing.assert_allclose(np.asarray(gy), (a * scale) ** 2)
    value, g = nd.value_and_grad(lambda x: nd.reduce_sum(nd.exp(x)))(a)
    np.testing.assert_allclose([value.item()], [np.exp(a).sum()])
    np.testing.assert_allclose(np.asarray(g), np.exp(a))
    with pytest.raises(TypeError, match='not a value that it computed'):
        nd.grad(lambda x: 3)(a)
    with pytest.raises(IndexError):
        nd.grad(lambda x: x, 1)(a)


@pytest.mark.parametrize('make', [nd.Sgd, nd.Nesterovs, nd.Adam, nd.AdaMax, nd.Nadam, nd.AmsGrad, nd.AdaBelief, nd.AdaGrad,
                                  nd.RmsProp, nd.AdaDelta])
def test_training(make, tmp_path):
    generator = np.random.default_rng(4)
    x = generator.normal(size=(64, 4)).astype('float32')
    target = np.sin(x.sum(1, keepdims=True)).astype('float32')

    def trainer():
        graph, y, loss = network()
        updater = make() if make is nd.AdaDelta else make(learning_rate=0.02)
        return nd.Trainer(graph, loss, ['w1', 'b1', 'w2'], updater, clip=('global_norm', 5.0), metrics=[loss])

    one = trainer()
    losses = [one.step(x=x, target=target) for _ in range(60)]
    assert losses[-1] < losses[0] and one.steps == 60 and abs(one.metrics[0] - losses[-1]) < 1e-6
    one.save(str(tmp_path / 'state.npz'))
    other = trainer()
    assert not other.resume(str(tmp_path / 'none.npz')) and other.resume(str(tmp_path / 'state.npz'))
    assert other.step(x=x, target=target) == one.step(x=x, target=target)
    one.save_graph(str(tmp_path / 'model.fb'))
    loaded = nd.Graph.load(str(tmp_path / 'model.fb'))
    assert nd.Session(loaded, ['y']).run(x=x)[0].shape == (64, 1)


def test_schedules_and_options():
    graph, y, loss = network()
    seen = []

    def rate(step):
        seen.append(step)
        return 0.1 / (step + 1)

    trainer = nd.Trainer(graph, loss, graph['w1'], nd.Sgd(), schedule=rate)
    data = {'x': np.ones((2, 4), 'float32'), 'target': np.ones((2, 1), 'float32')}
    for _ in range(3):
        trainer.step(data)
    assert {0, 1, 2} <= set(seen) and trainer.learning_rate == pytest.approx(0.025)
    assert nd.Schedule.cosine(1.0, 10)(0) == 1.0
    with pytest.raises(TypeError, match="no argument 'rate'"):
        nd.Sgd(rate=1)
    with pytest.raises(ValueError, match='momentum is 1'):
        nd.Nesterovs(momentum=1.0)
    with pytest.raises(ValueError, match='not finite'):
        nd.Sgd(learning_rate=nd.inf)
    with pytest.raises(ValueError, match="'length' is none of"):
        nd.Trainer(network()[0], 'loss', ['w1'], nd.Sgd(), clip=('length', 1))
    with pytest.raises(ValueError):
        nd.Trainer(network()[0], 'loss', ['nothing'], nd.Sgd())


def test_interrupt():
    graph = nd.Graph()
    x = graph.placeholder('x', nd.float64, (1200, 1200))
    y = x
    for _ in range(300):
        y = nd.matmul(y, x)
    session = nd.Session(graph, [y])
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    begin = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        session.run(x=np.zeros((1200, 1200)))
    assert time.monotonic() - begin < 15
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
