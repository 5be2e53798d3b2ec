package org.ndforge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.ndforge.internal.Json;
import org.ndforge.op.ImageLayout;
import org.ndforge.op.PaddingMode;

/** Operations: named arguments, optional inputs, several outputs, errors, and the examples of all schemas. */
class OpsTest {
  private static void assertRefused(String part, Runnable call) {
    NDForgeException exception = assertThrows(NDForgeException.class, call::run);
    assertTrue(exception.getMessage().contains(part), exception.getMessage());
  }

  @Test
  void poolsWithNamedArguments() {
    NDArray x = NDArray.arange(16).reshape(1, 1, 4, 4).cast(DataType.FLOAT32);
    NDArray y = Ops.maxpool2d(x).kernel(2, 2).stride(2, 2).run();
    assertArrayEquals(new long[] {1, 1, 2, 2}, y.shape());
    assertArrayEquals(new float[] {5, 7, 13, 15}, y.toFloatArray());
    NDArray same = Ops.maxpool2d(x).kernel(3, 3).paddingMode(PaddingMode.SAME).layout(ImageLayout.NCHW).run();
    assertArrayEquals(new long[] {1, 1, 4, 4}, same.shape());
    assertEquals(15, same.getDouble(0, 0, 3, 3));
  }

  @Test
  void takesOptionalInputs() {
    NDArray x = NDArray.full(DataType.FLOAT32, 1, 1, 2, 3, 3);
    NDArray weights = NDArray.full(DataType.FLOAT32, 1, 3, 3, 2, 1);
    assertEquals(18, Ops.conv2d(x, weights).run().item());
    assertEquals(20.5, Ops.conv2d(x, weights).bias(NDArray.of(2.5f)).run().item());
    NDArray gradient = NDArray.full(DataType.FLOAT32, 1, 1, 1, 1, 1);
    var without = Ops.conv2dBp(x, weights, gradient).run();
    assertNull(without.gradBias());
    assertArrayEquals(x.shape(), without.gradX().shape());
    var with = Ops.conv2dBp(x, weights, gradient).bias(NDArray.of(2.5f)).run();
    assertEquals(1, with.gradBias().item());
  }

  @Test
  void returnsSeveralOutputs() {
    var unique = Ops.unique(NDArray.of(3f, 1f, 3f)).run();
    assertArrayEquals(new float[] {3, 1}, unique.values().toFloatArray());
    assertArrayEquals(new long[] {0, 1, 0}, unique.indices().toLongArray());
    List<NDArray> parts = Ops.split(NDArray.of(1f, 2f, 3f, 4f)).numSplits(2).run();
    assertEquals(2, parts.size());
    assertArrayEquals(new float[] {3, 4}, parts.get(1).toFloatArray());
    NDArray joined = Ops.concat(parts.get(1), parts.get(0)).axis(0).run();
    assertArrayEquals(new float[] {3, 4, 1, 2}, joined.toFloatArray());
  }

  @Test
  void writesIntoGivenArrays() {
    NDArray z = NDArray.zeros(DataType.FLOAT32, 3);
    assertEquals(z, Ops.add(NDArray.of(1f, 2f, 3f), NDArray.of(1f)).into(z).run());
    assertArrayEquals(new float[] {2, 3, 4}, z.toFloatArray());
    NDArray wrong = NDArray.zeros(DataType.FLOAT32, 4);
    assertThrows(NDForgeException.class, () -> Ops.add(z, z).into(wrong).run());
    assertArrayEquals(new float[4], wrong.toFloatArray());
  }

  @Test
  void writesIntoInputsAndViews() {
    NDArray x = NDArray.of(0f, 1f, 2f);
    NDArray result = Ops.tanh(x).inPlace().run();
    assertSame(x, result);
    assertArrayEquals(new float[] {0, (float) Math.tanh(1), (float) Math.tanh(2)}, x.toFloatArray(), 1e-6f);
    // What needs the old elements for later ones gets them.
    NDArray matrix = NDArray.from(new float[] {1, 2, 3, 4}, 2, 2);
    Ops.matmul(matrix, matrix).inPlace().run();
    assertArrayEquals(new float[] {7, 10, 15, 22}, matrix.toFloatArray());
    NDArray row = NDArray.of(1f, 2f, 3f);
    Ops.call("reverse", row).with("axis", 0L).into(row).run();
    assertArrayEquals(new float[] {3, 2, 1}, row.toFloatArray());
    NDArray columns = NDArray.zeros(DataType.FLOAT32, 3, 2);
    Ops.add(row, row).into(columns.get(Slice.all(), Slice.at(1))).run();
    assertArrayEquals(new float[] {0, 6, 0, 4, 0, 2}, columns.toFloatArray());
    assertRefused("its shape is [3]", () -> Ops.call("reduce_sum", row).inPlace().run());
    assertRefused("no input 0", () -> Ops.call("reduce_sum").inPlace().run());
    assertArrayEquals(new float[] {3, 2, 1}, row.toFloatArray());
  }

  @Test
  void writesIntoSeveralOutputs() {
    NDArray x = NDArray.of(3f, 1f, 3f);
    NDArray values = NDArray.zeros(DataType.FLOAT32, 2);
    NDArray indices = NDArray.zeros(DataType.INT64, 3);
    var unique = Ops.unique(x).into(values, indices).run();
    assertSame(values, unique.values());
    assertSame(indices, unique.indices());
    assertArrayEquals(new long[] {0, 1, 0}, indices.toLongArray());
    // A call by name returns the first output, and leaves the caller's other one open.
    indices.fill(9);
    assertSame(values, Ops.call("unique", x).into(values, indices).run());
    assertArrayEquals(new long[] {0, 1, 0}, indices.toLongArray());
    assertRefused("2 arrays are given for 1 output", () -> Ops.add(x, x).into(values, indices));
    assertRefused("output 0: type", () -> Ops.add(x, x).into(NDArray.zeros(DataType.DOUBLE, 3)).run());
  }

  @Test
  void takesArgumentsByPosition() {
    NDArray x = NDArray.from(new float[] {1, 2, 3, 4}, 2, 2);
    NDArray sums = Ops.call("reduce_sum", x).integerList(1).flagList(true).run();
    assertArrayEquals(new long[] {2, 1}, sums.shape());
    assertEquals(DataType.INT32, Ops.call("cast", x).typeList(DataType.INT32).run().type());
    // The lists are those of one call.
    assertEquals(DataType.INT8, Ops.call("cast", x).with("dtype", DataType.INT8).run().type());
    assertArrayEquals(new long[] {2}, Ops.call("reduce_sum", x).integerList(1).run().shape());
    NDArray image = NDArray.arange(16).reshape(1, 1, 4, 4).cast(DataType.FLOAT32);
    NDArray pooled = Ops.call("maxpool2d", image).with("kernel", 2, 2).with("padding_mode", PaddingMode.SAME).run();
    assertEquals(15, pooled.max().item());
  }

  @Test
  void callsOperationsByName() {
    NDArray x = NDArray.from(new float[] {1, 2, 3, 4}, 2, 2);
    assertArrayEquals(new float[] {3, 7}, Ops.call("reduce_sum", x).with("axis", 1L).run().toFloatArray());
    assertArrayEquals(new long[] {2, 1}, Ops.call("reduce_sum", x).with("axis", 1L).with("keep_dims", true).run().shape());
    assertArrayEquals(new float[] {1, 4, 9, 16}, NumberedOps.transformSquare(x).run().toFloatArray());
    assertArrayEquals(
        new float[] {1, 4, 9, 16}, Ops.call("transform.Square", x).run().toFloatArray());
    assertEquals(DataType.INT8, Ops.call("cast", x).with("dtype", DataType.INT8).run().type());
    assertArrayEquals(new float[] {3, 7}, Ops.call("reduce_sum", x).integerList(1).run().toFloatArray());
  }

  @Test
  void randomNumbersFollowTheSeed() {
    NDArray shape = NDArray.of(1000L);
    NDArray a = uniform(shape, 7);
    assertEquals(a, uniform(shape, 7));
    assertNotEquals(a, uniform(shape, 8));
    assertEquals(0.5, a.mean().item(), 0.05);
  }

  private static NDArray uniform(NDArray shape, long seed) {
    return Ops.randomuniform(shape).min(0).max(1).randomSeed(seed).run();
  }

  @Test
  void errorsNameTheOperation() {
    NDArray x = NDArray.of(1f, 2f);
    NDForgeException exception =
        assertThrows(NDForgeException.class, () -> Ops.add(x, NDArray.of(1f, 2f, 3f)).run());
    assertEquals("add", exception.operation());
    assertEquals(NDForgeException.VALIDATION, exception.code());
    assertTrue(exception.getMessage().contains("shape"), exception.getMessage());
    exception = assertThrows(NDForgeException.class, () -> Ops.call("no_such_operation", x));
    assertEquals(
        "there is no operation 'no_such_operation'; NDForge.operations() lists their names", exception.getMessage());
    assertEquals("no_such_operation", exception.operation());
    exception =
        assertThrows(NDForgeException.class, () -> Ops.call("reduce_sum", x).with("axes", 1L).run());
    assertTrue(exception.getMessage().contains("did you mean 'axis'"), exception.getMessage());
    exception = assertThrows(NDForgeException.class, () -> Ops.maxpool2d(x).kernel(2, 2).run());
    assertEquals("maxpool2d", exception.operation());
    exception =
        assertThrows(
            NDForgeException.class,
            () ->
                Ops.gather(NDArray.from(new float[15], 3, 5)).indices(NDArray.of(1, 7)).axis(1).run());
    assertTrue(exception.getMessage().contains("7"), exception.getMessage());
    assertThrows(NDForgeException.class, () -> Ops.add(x, null).run());
    x.close();
    assertThrows(NDForgeException.class, () -> Ops.add(x, x).run());
  }

  @Test
  void describesOperations() {
    Operation operation = Operation.of("maxpool2d");
    assertEquals("Maximum pooling of images.", operation.summary());
    assertEquals(List.of("x"), operation.inputs());
    assertTrue(operation.arguments().contains("padding_mode"));
    assertEquals(List.of("y"), operation.outputs());
    List<String> names = NDForge.operations();
    assertTrue(names.containsAll(List.of("add", "MaxPool2D", "pairwise.Add", "reduce.Mean")));
    // 525 operations of libnd4j with their aliases, and 319 numbered ones.
    assertTrue(names.size() > 900, () -> "only " + names.size());
  }

  /** Runs the example of each schema, by the names of inputs and arguments, and requires the outputs that it states. */
  @Test
  void runsTheExamplesOfAllSchemas() {
    List<String> failures = new ArrayList<>();
    int run = 0;
    for (String name : NDForge.operations()) {
      Operation operation = Operation.of(name);
      Map<String, Object> description = Json.object(operation.json());
      if (!description.get("name").equals(name)
          || description.get("kind").equals("list")
          || description.get("kind").equals("logic")) {
        continue;
      }
      @SuppressWarnings("unchecked")
      Map<String, Object> schema = (Map<String, Object>) description.get("schema");
      if (!(schema.get("example") instanceof Map<?, ?> example) || example.isEmpty()) {
        continue;
      }
      try {
        List<NDArray> results = Examples.call(operation, schema, example).randomSeed(7).runAll();
        run++;
        if (results.isEmpty() && !operation.outputs().isEmpty()) {
          failures.add(name + " has no outputs");
        }
        results.forEach(NDArray::close);
      } catch (NDForgeException exception) {
        failures.add(name + ": " + exception.getMessage());
      }
    }
    assertTrue(run > 500, run + " examples");
    assertEquals(List.of(), failures);
  }
}
