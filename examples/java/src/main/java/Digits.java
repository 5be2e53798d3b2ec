import java.nio.file.Path;
import java.util.Map;
import org.ndforge.DataType;
import org.ndforge.Graph;
import org.ndforge.NDArray;
import org.ndforge.Ops;
import org.ndforge.Slice;
import org.ndforge.Symbol;
import org.ndforge.Trainer;
import org.ndforge.Updater;

/**
 * Recognises handwritten digits in two ways: by the nearest mean of the images of a digit, and by a network, which is
 * trained as a graph, saved, and read again. The first 1,000 images are for learning, the other 797 for counting hits.
 */
public final class Digits {
  private static final int LEARNED = 1000;
  private static final int HIDDEN = 32;

  private Digits() {}

  public static void main(String[] arguments) {
    Path data = Path.of(arguments[0]);
    Path file = Path.of(arguments[1]);
    NDArray pixels =
        NDArray.load(data.resolve("optdigits.npy")).cast(DataType.FLOAT32).reshape(-1, 64).div(16);
    NDArray labels = NDArray.load(data.resolve("optdigits_labels.npy")).cast(DataType.INT64);
    long all = pixels.size(0);
    Slice first = Slice.range(0, LEARNED);
    Slice rest = Slice.range(LEARNED, all);

    long hits = nearest(pixels.get(first), labels.get(first), pixels.get(rest), labels.get(rest));
    System.out.println("nearest centroid: " + hits + " of " + (all - LEARNED));

    train(pixels.get(first), labels.get(first), file);
    try (Graph network = Graph.load(file)) {
      NDArray logits =
          network.run(Map.of("x", pixels.get(rest), "labels", labels.get(rest)), "logits").get("logits");
      System.out.println("network: " + hits(logits.argmax(1), labels.get(rest)) + " of " + (all - LEARNED));
    }
  }

  private static long hits(NDArray found, NDArray labels) {
    return found.eq(labels).cast(DataType.INT64).sum().getLong();
  }

  private static long nearest(NDArray images, NDArray labels, NDArray others, NDArray otherLabels) {
    NDArray centroids = NDArray.zeros(DataType.FLOAT32, 10, 64);
    for (int digit = 0; digit < 10; digit++) {
      // The mean of the images with this label: their sum with weights 0 and 1, divided by the number of the latter.
      NDArray chosen = labels.eq(digit).cast(DataType.FLOAT32);
      centroids.get(digit).assign(chosen.reshape(1, -1).matmul(images).reshape(64).div(chosen.sum()));
    }
    // [images, 1, 64] - [10, 64]: the differences from each centroid.
    NDArray differences = others.reshape(-1, 1, 64).sub(centroids);
    return hits(differences.mul(differences).sum(2).argmin(1), otherLabels);
  }

  private static void train(NDArray images, NDArray labels, Path file) {
    try (Graph graph = new Graph()) {
      Symbol x = graph.placeholder("x", DataType.FLOAT32, -1, 64);
      Symbol y = graph.placeholder("labels", DataType.INT64, -1);
      Symbol w1 = graph.variable("w1", random(1, 64, HIDDEN));
      Symbol b1 = graph.variable("b1", NDArray.zeros(DataType.FLOAT32, HIDDEN));
      Symbol w2 = graph.variable("w2", random(2, HIDDEN, 10));
      Symbol b2 = graph.variable("b2", NDArray.zeros(DataType.FLOAT32, 10));
      Symbol hidden = Ops.relu(x.matmul(w1).add(b1)).symbol();
      Symbol logits = Ops.add(hidden.matmul(w2), b2).symbol("logits");
      Symbol loss =
          Ops.reduceMean(Ops.sparseSoftmaxCrossEntropyLossWithLogits(y, logits).symbol()).symbol("loss");
      try (Trainer trainer = graph.trainer(loss, Updater.adam(0.01), w1, b1, w2, b2)) {
        for (int step = 0; step < 150; step++) {
          double value = trainer.step(Map.of("x", images, "labels", labels));
          if (step % 50 == 0) {
            System.out.printf("step %3d: loss %.3f%n", step, value);
          }
        }
        trainer.saveGraph(file);
      }
    }
  }

  /** Small random weights, the same in each run. */
  private static NDArray random(long seed, long rows, long columns) {
    return Ops.randomNormal(NDArray.of(rows, columns)).stdev(1 / Math.sqrt(rows)).randomSeed(seed).run();
  }
}
