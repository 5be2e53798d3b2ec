"""Recognises handwritten digits in two ways: by the nearest of ten mean images, and by a network, which is trained as a graph,
saved, and read again. The first 1,000 images are for learning, the other 797 for counting hits.

    digits.py [folder of the data [file for the network]]
"""
import sys

import ndforge as nd

LEARNED, HIDDEN = 1000, 32


def hits(found, labels):
    return (found == labels).sum().item()


def nearest(images, labels, others):
    """The label of the mean image that each of the others correlates with most."""
    means = nd.unsorted_segment_mean(images, labels, num_segments=10)
    return (others @ nd.standardize(means, axis=[1]).T).argmax(axis=1)


def train(images, labels, file):
    graph = nd.Graph()
    x = graph.placeholder('x', nd.float32, (None, 64))
    y = graph.placeholder('labels', nd.int64, (None,))
    nd.seed(7)

    def weights(name, rows, columns):
        values = nd.random_normal(shape=(rows, columns), mean=0.0, stdev=rows ** -0.5)
        return graph.variable(name, values.astype(nd.float32))

    w1, b1 = weights('w1', 64, HIDDEN), graph.variable('b1', nd.zeros(HIDDEN, nd.float32))
    w2, b2 = weights('w2', HIDDEN, 10), graph.variable('b2', nd.zeros(10, nd.float32))
    logits = (nd.relu(x @ w1 + b1) @ w2 + b2).named('logits')
    loss = nd.reduce_mean(nd.sparse_softmax_cross_entropy_loss_with_logits(y, logits))
    trainer = nd.Trainer(graph, loss, [w1, b1, w2, b2], nd.Adam(learning_rate=0.01))
    for step in range(150):
        value = trainer.step(x=images, labels=labels)
        if step % 50 == 0:
            print(f'step {step:3d}: loss {value:.3f}')
    trainer.save_graph(file)


def main():
    folder, file = (sys.argv[1:] + ['examples/data', 'digits.fb'][len(sys.argv) - 1:])[:2]
    pixels = nd.load(f'{folder}/optdigits.npy').reshape(-1, 64).astype(nd.float32) / 16
    labels = nd.load(f'{folder}/optdigits_labels.npy').astype(nd.int64)
    others, wanted = pixels[LEARNED:], labels[LEARNED:]

    found = nearest(pixels[:LEARNED], labels[:LEARNED], others)
    print(f'nearest mean: {hits(found, wanted)} of {len(wanted)}')

    train(pixels[:LEARNED], labels[:LEARNED], file)
    logits = nd.Session(nd.Graph.load(file), ['logits']).run(x=others)[0]
    print(f'network: {hits(logits.argmax(axis=1), wanted)} of {len(wanted)}')


if __name__ == '__main__':
    main()
