import java.nio.file.Path;
import org.ndforge.DataType;
import org.ndforge.NDArray;
import org.ndforge.Ops;

/** Recognises handwritten digits by the nearest of ten mean images: java -cp ndforge.jar NearestMean.java [folder of the data]. */
public final class NearestMean {
  public static void main(String[] arguments) {
    Path folder = Path.of(arguments.length > 0 ? arguments[0] : "examples/data");
    NDArray pixels = NDArray.load(folder.resolve("optdigits.npy")).cast(DataType.FLOAT32).reshape(-1, 64);
    NDArray labels = NDArray.load(folder.resolve("optdigits_labels.npy")).cast(DataType.INT64);

    NDArray means = Ops.unsortedSegmentMean(pixels, labels).numSegments(10).run();
    NDArray patterns = Ops.standardize(means).axis(1).run();
    NDArray found = Ops.matmul(pixels, patterns).transposeB(true).run().argmax(1);
    long hits = found.eq(labels).cast(DataType.INT64).sum().getLong();
    System.out.println(hits + " of " + labels.size(0) + " digits recognised");
  }
}
