package org.ndforge.programs;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.DynamicCustomOp;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Wrong calls: each is an exception, whose text is in the table, and the next call in the same thread works. Texts of the
 * two libraries differ; the last row says for each whether the message names the operation or a shape.
 */
final class Errors {
  private Errors() {}

  private interface Call {
    Object run() throws Exception;
  }

  static void run(Rows rows) {
    Map<String, Call> calls = new LinkedHashMap<>();
    INDArray x = ArrayCalls.numbers(DataType.FLOAT, 3, 4);
    calls.put("mmul of shapes", () -> x.mmul(x));
    calls.put("matmul of shapes", () -> op("matmul", x, x));
    calls.put("add of shapes", () -> x.add(Nd4j.ones(DataType.FLOAT, 5)));
    calls.put("add of shapes by name", () -> op("add", x, Nd4j.ones(DataType.FLOAT, 5)));
    calls.put("unknown operation", () -> op("no_such_operation", x));
    calls.put("too few inputs", () -> op("matmul", x));
    calls.put("no inputs", () -> op("softmax"));
    calls.put("conv2d of vectors", () -> Nd4j.exec(DynamicCustomOp.builder("conv2d").addInputs(Nd4j.ones(3), Nd4j.ones(3))
        .addIntegerArguments(2, 2, 1, 1, 0, 0, 1, 1, 0, 0).build()));
    calls.put("axis out of range", () -> Nd4j.exec(DynamicCustomOp.builder("reduce_sum").addInputs(x).addIntegerArguments(7).build()));
    // Not an index out of range in gather: the original reads outside of the array, and may die at the call after it.
    calls.put("reshape", () -> x.reshape(5, 5));
    calls.put("reshape by name", () -> Nd4j.exec(DynamicCustomOp.builder("reshape").addInputs(x).addIntegerArguments(5, 5).build()));
    calls.put("concat of shapes", () -> Nd4j.concat(0, x, Nd4j.ones(DataType.FLOAT, 3, 5)));
    calls.put("concat by name", () -> Nd4j.exec(DynamicCustomOp.builder("concat").addInputs(x, Nd4j.ones(DataType.FLOAT, 3, 5))
        .addIntegerArguments(0).build()));
    calls.put("cholesky of a rectangle", () -> op("cholesky", x));
    calls.put("inverse of zeros", () -> op("matrix_inverse", Nd4j.zeros(DataType.FLOAT, 3, 3)));
    calls.put("index out of range", () -> x.getDouble(7, 7));
    calls.put("row out of range", () -> x.getRow(9));
    calls.put("slice out of range", () -> x.slice(5));
    calls.put("sum over axis 5", () -> x.sum(5));
    calls.put("wrong output", () -> Nd4j.exec(DynamicCustomOp.builder("softmax").addInputs(x).addOutputs(Nd4j.ones(2)).build()));
    calls.put("strings in arithmetic", () -> Nd4j.create("a", "b").add(1));
    calls.put("integers in exp", () -> op("softmax", Nd4j.ones(DataType.INT, 3, 3)));
    calls.put("ravel out of range", () -> Nd4j.getNDArrayFactory() == null ? null
        : Nd4j.exec(DynamicCustomOp.builder("unravel_index").addInputs(x).build()));
    calls.put("damaged npy", () -> Nd4j.createNpyFromByteArray(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
    calls.put("missing npy", () -> Nd4j.createFromNpyFile(new java.io.File("/no/such/file.npy")));
    calls.put("graph without a placeholder", () -> {
      SameDiff sd = SameDiff.create();
      return sd.placeHolder("x", DataType.FLOAT, 3).add(1).eval();
    });
    calls.put("graph with arrays of wrong shapes", () -> {
      SameDiff sd = SameDiff.create();
      return sd.placeHolder("x", DataType.FLOAT, -1, -1).mmul(sd.constant(x)).eval(Collections.singletonMap("x", x));
    });
    calls.put("reduction by name over axis 5", () -> Nd4j.exec(DynamicCustomOp.builder("argmax").addInputs(x)
        .addIntegerArguments(5).build()));
    calls.put("tile a negative number of times", () -> Nd4j.exec(DynamicCustomOp.builder("tile").addInputs(x).addIntegerArguments(-1, 2).build()));
    calls.forEach((name, call) -> {
      rows.row(name, call::run);
      rows.row("after " + name, () -> {
        try {
          call.run();
        } catch (Exception expected) {
          // the row before shows it
        }
        return ArrayCalls.numbers(DataType.FLOAT, 2, 2).mmul(ArrayCalls.numbers(DataType.FLOAT, 2, 2));
      });
    });
  }

  private static Object op(String name, INDArray... inputs) {
    return Nd4j.exec(DynamicCustomOp.builder(name).addInputs(inputs).build());
  }
}
