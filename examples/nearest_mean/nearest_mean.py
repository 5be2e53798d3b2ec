"""Recognises handwritten digits by the nearest of ten mean images: nearest_mean.py [folder of the data]."""
import sys

import ndforge as nd

folder = sys.argv[1] if len(sys.argv) > 1 else 'examples/data'
pixels = nd.load(f'{folder}/optdigits.npy').reshape(-1, 64).astype(nd.float32)
labels = nd.load(f'{folder}/optdigits_labels.npy').astype(nd.int64)

means = nd.unsorted_segment_mean(pixels, labels, num_segments=10)
likeness = nd.matmul(pixels, nd.standardize(means, axis=[1]), transpose_b=True)
found = nd.argmax(likeness, axis=[1])
print(f'{(found == labels).sum()} of {len(labels)} digits recognised')
