package org.ndforge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Arrays: making, reading, views, arithmetic, files. */
class NDArrayTest {
  private static NDArray matrix() {
    return NDArray.from(new float[] {1, 2, 3, 4, 5, 6}, 2, 3);
  }

  private static void assertRefused(String part, Runnable call) {
    NDForgeException exception = assertThrows(NDForgeException.class, call::run);
    assertTrue(exception.getMessage().contains(part), exception.getMessage());
  }

  @Test
  void addsArraysAndNumbers() {
    NDArray x = matrix();
    assertArrayEquals(new float[] {2, 4, 6, 8, 10, 12}, x.add(x).toFloatArray());
    assertArrayEquals(new float[] {11, 22, 33, 14, 25, 36}, x.add(NDArray.of(10f, 20f, 30f)).toFloatArray());
    assertArrayEquals(new float[] {0.5f, 1, 1.5f, 2, 2.5f, 3}, x.div(2).toFloatArray());
    assertArrayEquals(new float[] {0, 1, 2, 3, 4, 5}, x.sub(1).toFloatArray());
    assertArrayEquals(new float[] {1, 4, 9, 16, 25, 36}, x.mul(x).toFloatArray());
    assertArrayEquals(new float[] {1, 4, 9, 16, 25, 36}, x.pow(2).toFloatArray());
  }

  @Test
  void typesOfResultsAreTheCommonOnes() {
    NDArray integers = NDArray.of(1, 2, 3);
    assertEquals(DataType.INT32, integers.add(integers).type());
    assertEquals(DataType.INT32, integers.mul(2).type());
    assertEquals(DataType.DOUBLE, integers.mul(0.5).type());
    assertArrayEquals(new double[] {0.5, 1, 1.5}, integers.mul(0.5).toDoubleArray());
    assertEquals(DataType.DOUBLE, integers.add(NDArray.of(0.5, 0.5, 0.5)).type());
    assertEquals(DataType.INT64, integers.add(NDArray.of(1L, 1L, 1L)).type());
    NDArray product = integers.matmul(NDArray.of(0.5f, 1f, 1f));
    assertEquals(DataType.FLOAT32, product.type());
    assertEquals(5.5, product.item());
    assertEquals(DataType.FLOAT32, integers.mean().type());
    assertEquals(DataType.BOOL, integers.gt(2).type());
    assertArrayEquals(new boolean[] {false, false, true}, integers.gt(2).toBooleanArray());
    assertArrayEquals(new boolean[] {true, true, true}, integers.gt(0.5).toBooleanArray());
  }

  @Test
  void worksInPlace() {
    NDArray x = matrix();
    assertEquals(x, x.addi(1).muli(2));
    assertArrayEquals(new float[] {4, 6, 8, 10, 12, 14}, x.toFloatArray());
    x.subi(x);
    assertArrayEquals(new float[6], x.toFloatArray());
    x.addi(NDArray.of(1f, 2f, 3f));
    assertArrayEquals(new float[] {1, 2, 3, 1, 2, 3}, x.toFloatArray());
    x.get(1).fill(7);
    assertArrayEquals(new float[] {1, 2, 3, 7, 7, 7}, x.toFloatArray());
    assertRefused("INT32", () -> NDArray.of(1, 2).addi(0.5));
    assertRefused("shape", () -> NDArray.of(1f, 2f).addi(NDArray.of(1f, 2f, 3f)));
  }

  @Test
  void reduces() {
    NDArray x = matrix();
    assertEquals(21, x.sum().item());
    assertArrayEquals(new float[] {5, 7, 9}, x.sum(0).toFloatArray());
    assertArrayEquals(new float[] {2, 5}, x.mean(1).toFloatArray());
    assertArrayEquals(new float[] {2, 5}, x.mean(-1).toFloatArray());
    assertEquals(720, x.prod().item());
    assertEquals(6, x.max().item());
    assertEquals(1, x.min().item());
    assertArrayEquals(new float[] {3, 6}, x.max(1).toFloatArray());
    assertArrayEquals(new float[] {1, 2, 3}, x.min(0).toFloatArray());
    assertArrayEquals(new float[] {3, 3, 3, 4, 5, 6}, x.maximum(3).toFloatArray());
    assertArrayEquals(new float[] {1, 2, 3, 2, 2, 2}, x.minimum(NDArray.of(new float[][] {{9, 9, 9}, {2, 2, 2}})).toFloatArray());
    assertEquals(5, x.argmax().getLong());
    assertArrayEquals(new long[] {1, 1, 1}, x.argmax(0).toLongArray());
    assertEquals(35.0 / 12, x.variance().item(), 1e-6);
    assertEquals(Math.sqrt(35.0 / 12), x.standardDeviation().item(), 1e-6);
    assertEquals(Math.sqrt(91), x.norm2().item(), 1e-5);
    assertRefused("axis", () -> x.sum(2));
  }

  @Test
  void viewsShareMemory() {
    NDArray x = NDArray.arange(24).reshape(2, 3, 4);
    NDArray part = x.get(Slice.all(), Slice.range(1, 3), Slice.range(0, 4, 3));
    assertArrayEquals(new long[] {2, 2, 2}, part.shape());
    assertArrayEquals(new long[] {4, 7, 8, 11, 16, 19, 20, 23}, part.toLongArray());
    part.setLong(-1, 1, 0, 1);
    assertEquals(-1, x.getLong(1, 1, 3));
    NDArray row = x.get(-1).get(2);
    assertArrayEquals(new long[] {20, 21, 22, 23}, row.toLongArray());
    assertArrayEquals(new long[] {4, 3, 2}, x.transpose().shape());
    assertEquals(x.getLong(1, 2, 0), x.transpose().getLong(0, 2, 1));
    assertArrayEquals(new long[] {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}, x.get(0).transpose().toLongArray());
    assertArrayEquals(new long[] {1, 2, 1, 12}, x.get(Slice.newAxis()).reshape(1, 2, 1, -1).shape());
    assertArrayEquals(new long[] {0, 4, 8}, x.get(0).transpose().get(0).reshape(3, 1).toLongArray());
    x.close();
    assertEquals(21, row.getLong(1));
    assertRefused("closed", () -> x.getLong(0, 0, 0));
    assertEquals(3, x.rank(), "closed arrays keep their shapes");
  }

  @Test
  void refusesWrongIndices() {
    NDArray x = matrix();
    assertRefused("index 2 of axis 0 is outside 0..1", () -> x.getDouble(2, 0));
    assertRefused("1 indices", () -> x.getDouble(2));
    assertRefused("outside", () -> x.get(5));
    assertRefused("does not lie", () -> x.get(Slice.range(1, 4)));
    assertRefused("range 2..1 of axis 0 ends before it begins", () -> x.get(Slice.range(2, 1)));
    assertRefused("range 1..-2 of axis 0 ends before it begins", () -> x.get(Slice.range(1, -2)));
    assertRefused("3 axes", () -> x.get(Slice.all(), Slice.all(), Slice.all()));
    assertRefused("cannot become", () -> x.reshape(4, 2));
    assertRefused("two unknown", () -> x.reshape(-1, -1));
    assertRefused("negative", () -> x.reshape(-2, -3));
    assertRefused("occurs twice", () -> x.transpose(0, 0));
    assertRefused("elements, but there are", () -> NDArray.from(new float[5], 2, 3));
    assertRefused("negative", () -> NDArray.zeros(DataType.FLOAT32, -1));
    assertRefused("more elements", () -> NDArray.zeros(DataType.FLOAT32, 1L << 40, 1L << 40));
    assertRefused("not one element", x::item);
    assertRefused("step", () -> Slice.range(0, 1, 0));
    assertRefused("step", () -> new Slice(Slice.Kind.RANGE, 0, 1, -1));
  }

  @ParameterizedTest
  @EnumSource(DataType.class)
  void everyTypeIsReadAndWritten(DataType type) {
    if (type.isString()) {
      assertRefused("strings", () -> NDArray.zeros(type, 2));
      return;
    }
    if (type.isComplex()) {
      NDArray z = NDArray.zeros(type, 2, 2);
      assertArrayEquals(new double[4], Ops.real(z).run().toDoubleArray());
      assertArrayEquals(new double[4], Ops.imag(z).run().toDoubleArray());
      assertThrows(RuntimeException.class, z::toDoubleArray);
      return;
    }
    NDArray x = NDArray.zeros(type, 2, 2);
    assertArrayEquals(new double[4], x.toDoubleArray());
    x.set(1, 0, 1);
    x.fill(1);
    x.set(0, 1, 1);
    assertArrayEquals(new double[] {1, 1, 1, 0}, x.toDoubleArray());
    assertArrayEquals(new int[] {1, 1, 1, 0}, x.toIntArray());
    assertEquals(1, x.getLong(0, 0));
    assertEquals(x, x.copy());
    assertEquals(DataType.FLOAT32, x.cast(DataType.FLOAT32).type());
  }

  @Test
  void extremeValuesKeepTheirBits() {
    NDArray unsigned = NDArray.zeros(DataType.UINT64, 1);
    unsigned.setLong(-1, 0);
    assertEquals(-1, unsigned.getLong(0));
    assertEquals(0x1p64, unsigned.getDouble(0));
    assertEquals(255, unsigned.cast(DataType.UINT8).getLong(0));
    NDArray half = NDArray.scalar(DataType.HALF, 65504);
    assertEquals(65504, half.item());
    NDArray brain = NDArray.scalar(DataType.BFLOAT16, 1.00390625);
    assertEquals(1, brain.item(), "1 + 2^-8 lies between two numbers and goes to the even one");
    assertEquals(Double.POSITIVE_INFINITY, NDArray.of(1f).div(0).item());
    assertTrue(Double.isNaN(NDArray.of(0f).div(0).item()));
  }

  @Test
  void exchangesMemory() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 1, 2, 3, 4);
      NDArray x = NDArray.wrap(segment, DataType.FLOAT32, 2, 2);
      x.muli(2);
      assertArrayEquals(new float[] {2, 4, 6, 8}, segment.toArray(ValueLayout.JAVA_FLOAT));
      NDArray copied = NDArray.copyOf(segment, DataType.FLOAT32, 4);
      NDArray view = x.get(1);
      arena.close();
      assertRefused("segment", () -> x.add(1));
      assertRefused("segment", () -> view.add(1));
      assertArrayEquals(new float[] {2, 4, 6, 8}, copied.toFloatArray());
    } catch (IllegalStateException closedTwice) {
      // the arena was closed above
    }
    FloatBuffer buffer = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder()).asFloatBuffer();
    NDArray y = NDArray.wrap(buffer, DataType.FLOAT32, 4);
    y.fill(3);
    assertEquals(3, buffer.get(2));
    MemorySegment elements = y.segment();
    y.close();
    assertEquals(3, elements.getAtIndex(ValueLayout.JAVA_FLOAT, 1));
    NDArray z = matrix();
    MemorySegment kept = z.segment();
    z.close();
    assertEquals(24, kept.byteSize());
    assertEquals(6, kept.getAtIndex(ValueLayout.JAVA_FLOAT, 5));
    assertRefused("heap", () -> NDArray.wrap(MemorySegment.ofArray(new float[4]), DataType.FLOAT32, 4));
    assertRefused("bytes", () -> NDArray.wrap(buffer, DataType.FLOAT32, 5));
    assertRefused("direct", () -> NDArray.wrap(FloatBuffer.allocate(4), DataType.FLOAT32, 4));
  }

  @Test
  void holdsStrings() {
    NDArray x = NDArray.of("a", "", "größer", "数");
    assertEquals(DataType.UTF8, x.type());
    assertArrayEquals(new String[] {"a", "", "größer", "数"}, x.toStringArray());
    assertEquals(x, x.copy());
    assertRefused("strings", x::toFloatArray);
    assertRefused("views", () -> x.get(0));
    assertRefused("no strings", () -> matrix().toStringArray());
    assertRefused("UTF8 cannot become INT32", () -> x.cast(DataType.INT32));
    assertRefused("FLOAT32 cannot become UTF8", () -> matrix().cast(DataType.UTF8));
    assertRefused("strings, which do not go with the number 1", () -> x.add(1));
    assertRefused("no numbers", () -> x.fill(1));
  }

  @Test
  void comparesAndPrints() {
    NDArray x = matrix();
    assertEquals(x, matrix());
    assertNotEquals(x, x.reshape(3, 2));
    assertNotEquals(x, x.cast(DataType.DOUBLE));
    assertTrue(x.equalsWithin(x.add(0.001), 0.01));
    assertFalse(x.equalsWithin(x.add(0.1), 0.01));
    assertEquals(x.hashCode(), x.copy().hashCode());
    assertEquals("[[1.000000, 2.000000, 3.000000],\n [4.000000, 5.000000, 6.000000]]", x.toString());
    assertEquals("[[1.000000, 2.000000]]", x.toString(2));
    assertEquals("[1, 2]", NDArray.of(1L, 2L).toString());
    assertEquals("5", NDArray.scalar(DataType.INT32, 5).toString());
    assertEquals("Empty", NDArray.zeros(DataType.INT32, 0).toString());
    assertEquals("[\"a\"]", NDArray.of("a").toString());
  }

  @Test
  void emptyArraysAreArrays() {
    NDArray x = NDArray.zeros(DataType.FLOAT32, 0, 3);
    assertTrue(x.isEmpty());
    assertEquals(0, x.toFloatArray().length);
    assertArrayEquals(new long[] {0, 3}, x.add(1).shape());
    assertArrayEquals(new long[] {0, 3}, x.add(x).shape());
    assertArrayEquals(new long[] {3, 0}, x.transpose().shape());
    assertArrayEquals(new long[] {0}, matrix().get(Slice.at(0), Slice.range(1, 1)).shape());
    assertEquals(0, x.sum().item());
    assertArrayEquals(new float[3], x.sum(0).toFloatArray());
  }

  @Test
  void writesAndReadsFiles(@TempDir Path folder) {
    NDArray x = matrix();
    x.save(folder.resolve("x.npy"));
    assertEquals(x, NDArray.load(folder.resolve("x.npy")));
    NDArray.saveAll(folder.resolve("all.npz"), Map.of("x", x, "y", NDArray.of(1L, 2L)));
    Map<String, NDArray> all = NDArray.loadAll(folder.resolve("all.npz"));
    assertEquals(2, all.size());
    assertEquals(x, all.get("x"));
    assertEquals(NDArray.of(1L, 2L), all.get("y"));
    assertRefused("none.npy", () -> NDArray.load(folder.resolve("none.npy")));
    assertRefused("end with .npy", () -> x.save(folder.resolve("x.txt")));
  }

  @Test
  void readsFilesOfNumPy() {
    Path digits = Path.of(System.getProperty("ndforge.examples"), "data", "optdigits.npy");
    NDArray x = NDArray.load(digits);
    assertEquals(1797, x.size(0));
    // The sum of all pixels, computed by NumPy.
    assertEquals(561718, x.cast(DataType.DOUBLE).sum().item());
    NDArray labels = NDArray.load(digits.resolveSibling("optdigits_labels.npy"));
    assertEquals(8070, labels.cast(DataType.INT64).sum().getLong());
  }
}
