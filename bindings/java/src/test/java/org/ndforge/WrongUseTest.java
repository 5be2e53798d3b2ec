package org.ndforge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.ndforge.op.PaddingMode;

/** What callers do wrong, in every place where they can: null, and what was closed. Each is an exception that says so. */
class WrongUseTest {
  private static final Path FILE = Path.of("never_written.npy");

  private static Stream<DynamicTest> refused(Map<String, Executable> calls, String part) {
    return calls.entrySet().stream()
        .map(
            entry ->
                DynamicTest.dynamicTest(
                    entry.getKey(),
                    () -> {
                      NDForgeException exception = assertThrows(NDForgeException.class, entry.getValue());
                      assertTrue(exception.getMessage().contains(part), exception.getMessage());
                    }));
  }

  private static NDArray vector() {
    return NDArray.of(1f, 2f, 3f);
  }

  @TestFactory
  Stream<DynamicTest> nullIsRefused() {
    NDArray x = vector();
    NDArray none = null;
    long[] noShape = null;
    Graph graph = new Graph();
    Symbol symbol = graph.placeholder("x", DataType.FLOAT32, 3);
    symbol.add(x);
    Map<String, NDArray> noArray = new HashMap<>();
    noArray.put("x", null);
    Map<String, NDArray> noName = new HashMap<>();
    noName.put(null, x);
    Map<String, Executable> calls = new LinkedHashMap<>();
    calls.put("zeros type", () -> NDArray.zeros(null, 2));
    calls.put("zeros shape", () -> NDArray.zeros(DataType.INT8, noShape));
    calls.put("full", () -> NDArray.full(null, 1));
    calls.put("scalar", () -> NDArray.scalar(null, 1));
    calls.put("of floats", () -> NDArray.of((float[]) null));
    calls.put("of doubles", () -> NDArray.of((double[]) null));
    calls.put("of ints", () -> NDArray.of((int[]) null));
    calls.put("of longs", () -> NDArray.of((long[]) null));
    calls.put("of shorts", () -> NDArray.of((short[]) null));
    calls.put("of bytes", () -> NDArray.of((byte[]) null));
    calls.put("of booleans", () -> NDArray.of((boolean[]) null));
    calls.put("of rows", () -> NDArray.of((float[][]) null));
    calls.put("of a row", () -> NDArray.of(new double[][] {{1}, null}));
    calls.put("of strings", () -> NDArray.of((String[]) null));
    calls.put("of a string", () -> NDArray.of("a", null));
    calls.put("from values", () -> NDArray.from((float[]) null, 2));
    calls.put("from shape", () -> NDArray.from(new float[2], noShape));
    calls.put("copyOf segment", () -> NDArray.copyOf(null, DataType.INT8, 1));
    calls.put("copyOf type", () -> NDArray.copyOf(MemorySegment.ofArray(new byte[1]), null, 1));
    calls.put("wrap segment", () -> NDArray.wrap((MemorySegment) null, DataType.INT8, 1));
    calls.put("wrap buffer", () -> NDArray.wrap((FloatBuffer) null, DataType.INT8, 1));
    calls.put("load", () -> NDArray.load(null));
    calls.put("loadAll", () -> NDArray.loadAll(null));
    calls.put("save", () -> x.save(null));
    calls.put("saveAll file", () -> NDArray.saveAll(null, Map.of()));
    calls.put("saveAll map", () -> NDArray.saveAll(Path.of("x.npz"), null));
    calls.put("saveAll array", () -> NDArray.saveAll(Path.of("x.npz"), noArray));
    calls.put("saveAll name", () -> NDArray.saveAll(Path.of("x.npz"), noName));
    calls.put("index", () -> x.getDouble((long[]) null));
    calls.put("set", () -> x.set(1, (long[]) null));
    calls.put("slices", () -> x.get((Slice[]) null));
    calls.put("slice", () -> x.get((Slice) null));
    calls.put("transpose", () -> x.transpose((int[]) null));
    calls.put("reshape", () -> x.reshape(noShape));
    calls.put("cast", () -> x.cast(null));
    calls.put("assign", () -> x.assign(null));
    calls.put("add", () -> x.add(none));
    calls.put("addi", () -> x.addi(none));
    calls.put("div", () -> x.div(none));
    calls.put("divi", () -> x.divi(none));
    calls.put("pow", () -> x.pow(none));
    calls.put("maximum", () -> x.maximum(none));
    calls.put("eq", () -> x.eq(none));
    calls.put("matmul", () -> x.matmul(none));
    calls.put("sum", () -> x.sum((int[]) null));
    calls.put("equalsWithin", () -> x.equalsWithin(null, 0));
    calls.put("commonWith", () -> DataType.INT8.commonWith(null));
    calls.put("slice kind", () -> new Slice(null, 0, 1, 1));
    calls.put("operation", () -> Ops.call(null, x));
    calls.put("operation of", () -> Operation.of(null));
    calls.put("inputs", () -> Ops.call("add", (Operand[]) null));
    calls.put("list of inputs", () -> Ops.concat((Operand[]) null));
    calls.put("argument name", () -> Ops.call("reduce_sum", x).with(null, 1L));
    calls.put("integers", () -> Ops.call("reduce_sum", x).with("axis", noShape));
    calls.put("numbers", () -> Ops.call("reduce_sum", x).with("axis", (double[]) null));
    calls.put("flags", () -> Ops.call("reduce_sum", x).with("keep_dims", (boolean[]) null));
    calls.put("types", () -> Ops.call("cast", x).with("dtype", (DataType[]) null));
    calls.put("type", () -> Ops.call("cast", x).with("dtype", (DataType) null));
    calls.put("choice by name", () -> Ops.call("maxpool2d", x).with("padding_mode", (String) null));
    calls.put("choice", () -> Ops.maxpool2d(x).paddingMode(null));
    calls.put("integer list", () -> Ops.call("reduce_sum", x).integerList(null));
    calls.put("number list", () -> Ops.call("reduce_sum", x).numberList(null));
    calls.put("flag list", () -> Ops.call("reduce_sum", x).flagList(null));
    calls.put("type list", () -> Ops.call("cast", x).typeList((DataType) null));
    calls.put("outputs", () -> Ops.add(x, x).into((NDArray[]) null));
    calls.put("output", () -> Ops.add(x, x).into(none));
    calls.put("plugin", () -> NDForge.load(null));
    calls.put("graph file", () -> Graph.load((Path) null));
    calls.put("graph bytes", () -> Graph.load((byte[]) null));
    calls.put("graph save", () -> graph.save(null));
    calls.put("placeholder name", () -> graph.placeholder(null, DataType.INT8));
    calls.put("placeholder type", () -> graph.placeholder("y", null));
    calls.put("placeholder shape", () -> graph.placeholder("y", DataType.INT8, noShape));
    calls.put("variable name", () -> graph.variable(null, x));
    calls.put("variable", () -> graph.variable("y", null));
    calls.put("constant", () -> graph.constant(null));
    calls.put("symbol", () -> graph.symbol(null));
    calls.put("array", () -> graph.array(null));
    calls.put("symbol operand", () -> symbol.add(null));
    calls.put("gradients of", () -> graph.gradients(null, List.of(symbol)));
    calls.put("gradients for", () -> graph.gradients(symbol, null));
    calls.put("results", () -> graph.run(Map.of(), (String[]) null));
    calls.put("result", () -> graph.run(Map.of(), (String) null));
    calls.put("result symbols", () -> graph.run(Map.of(), (List<Symbol>) null));
    calls.put("session", () -> graph.session((String) null));
    calls.put("feeds", () -> graph.run(null));
    calls.put("feed", () -> graph.run(noArray));
    calls.put("feed name", () -> graph.run(noName));
    calls.put("loss", () -> graph.trainer(null, Updater.sgd(1), symbol));
    calls.put("updater", () -> graph.trainer(symbol, null, symbol));
    calls.put("parameter", () -> graph.trainer(symbol, Updater.sgd(1), (Symbol) null));
    calls.put("updater name", () -> new Updater(null, Map.of()));
    calls.put("updater options", () -> new Updater("sgd", null));
    return refused(calls, " null");
  }

  @TestFactory
  Stream<DynamicTest> closedArraysAreRefused() {
    Map<String, Executable> calls = new LinkedHashMap<>();
    for (NDArray x : List.of(vector(), NDArray.zeros(DataType.FLOAT32, 0, 3))) {
      x.close();
      x.close(); // does nothing
      NDArray y = NDArray.zeros(DataType.FLOAT32, x.shape());
      String of = x.isEmpty() ? "empty: " : "";
      calls.put(of + "getDouble", () -> x.getDouble(new long[x.rank()]));
      calls.put(of + "getLong", () -> x.getLong(new long[x.rank()]));
      calls.put(of + "set", () -> x.set(1, new long[x.rank()]));
      calls.put(of + "setLong", () -> x.setLong(1, new long[x.rank()]));
      calls.put(of + "fill", () -> x.fill(1));
      calls.put(of + "assign", () -> x.assign(y));
      calls.put(of + "assign from", () -> y.assign(x));
      calls.put(of + "toFloatArray", x::toFloatArray);
      calls.put(of + "toDoubleArray", x::toDoubleArray);
      calls.put(of + "segment", x::segment);
      calls.put(of + "get", () -> x.get(Slice.all()));
      calls.put(of + "transpose", x::transpose);
      calls.put(of + "reshape", () -> x.reshape(x.shape()));
      calls.put(of + "copy", x::copy);
      calls.put(of + "cast", () -> x.cast(DataType.INT8));
      calls.put(of + "add", () -> x.add(y));
      calls.put(of + "add to", () -> y.add(x));
      calls.put(of + "add number", () -> x.add(1));
      calls.put(of + "addi", () -> x.addi(y));
      calls.put(of + "addi to", () -> y.addi(x));
      calls.put(of + "addi number", () -> x.addi(1));
      calls.put(of + "pow", () -> x.pow(2));
      calls.put(of + "gt", () -> x.gt(y));
      calls.put(of + "exp", x::exp);
      calls.put(of + "sum", x::sum);
      calls.put(of + "equals", () -> x.equals(y));
      calls.put(of + "equals to", () -> y.equals(x));
      calls.put(of + "save", () -> x.save(FILE));
      calls.put(of + "input", () -> Ops.tanh(x).run());
      calls.put(of + "output", () -> Ops.tanh(y).into(x).run());
      calls.put(of + "in place", () -> Ops.tanh(x).inPlace().run());
      calls.put(of + "constant", () -> new Graph().constant(x));
      calls.put(of + "variable", () -> new Graph().variable("x", x));
      Graph graph = new Graph();
      graph.placeholder("x", DataType.FLOAT32, x.shape()).add(y);
      calls.put(of + "feed", () -> graph.run(Map.of("x", x)));
    }
    return refused(calls, "the array is closed");
  }

  @Test
  void callsNameTheArrayThatIsClosed() {
    NDArray x = vector();
    NDArray y = vector();
    y.close();
    NDForgeException exception = assertThrows(NDForgeException.class, () -> Ops.add(x, y).run());
    assertEquals("[add] input 1: the array is closed", exception.getMessage());
    assertEquals("add", exception.operation());
    exception = assertThrows(NDForgeException.class, () -> Ops.add(x, x).into(y).run());
    assertEquals("[add] output 0: the array is closed", exception.getMessage());
    assertEquals("closed array FLOAT32[3]", y.toString());
  }

  @TestFactory
  Stream<DynamicTest> closedGraphsAreRefused(@TempDir Path folder) {
    Graph graph = new Graph();
    Symbol x = graph.placeholder("x", DataType.DOUBLE);
    Symbol w = graph.variable("w", NDArray.scalar(DataType.DOUBLE, 1));
    Symbol loss = x.mul(w);
    Session session = graph.session();
    Trainer trainer = graph.trainer(loss, Updater.sgd(1), w);
    Map<String, NDArray> feeds = Map.of("x", NDArray.scalar(DataType.DOUBLE, 1));
    for (int i = 0; i < 2; i++) {
      session.close();
      trainer.close();
      graph.close();
    }
    Map<String, Executable> calls = new LinkedHashMap<>();
    calls.put("run", () -> graph.run(feeds));
    calls.put("session", graph::session);
    calls.put("inputs", graph::inputs);
    calls.put("save", () -> graph.save(folder.resolve("x.fb")));
    calls.put("placeholder", () -> graph.placeholder("y", DataType.DOUBLE));
    calls.put("constant", () -> graph.constant(vector()));
    calls.put("array", () -> graph.array("w"));
    calls.put("call", () -> loss.add(loss));
    calls.put("gradients", () -> graph.gradients(loss, List.of(w)));
    calls.put("trainer", () -> graph.trainer(loss, Updater.sgd(1), w));
    calls.put("session run", () -> session.run(feeds));
    calls.put("step", () -> trainer.step(feeds));
    calls.put("steps", trainer::steps);
    calls.put("checkpoint", () -> trainer.save(folder.resolve("x.npz")));
    return refused(calls, "is closed");
  }

  @Test
  void valuesOfOtherGraphsAreRefused() {
    try (Graph one = new Graph();
        Graph other = new Graph()) {
      Symbol x = one.placeholder("x", DataType.FLOAT32, 3);
      Symbol y = other.placeholder("y", DataType.FLOAT32, 3);
      for (Executable call :
          List.<Executable>of(
              () -> one.gradients(y, List.of(x)),
              () -> one.gradients(x, List.of(y)),
              () -> one.trainer(y, Updater.sgd(1), x),
              () -> one.run(Map.of(), List.of(y)))) {
        NDForgeException exception = assertThrows(NDForgeException.class, call);
        assertEquals("'y' is a value of another graph", exception.getMessage());
      }
      NDForgeException exception = assertThrows(NDForgeException.class, () -> x.add(y));
      assertTrue(exception.getMessage().contains("different graphs"), exception.getMessage());
      exception = assertThrows(NDForgeException.class, () -> Ops.add(x, vector()).into(vector()).symbol());
      assertTrue(exception.getMessage().contains("no arrays for its outputs"), exception.getMessage());
      exception = assertThrows(NDForgeException.class, () -> Ops.add(x, vector()).run());
      assertEquals(
          "[add] input 0 is the value 'x' of a graph: symbol() adds the call to it", exception.getMessage());
      assertThrows(
          NDForgeException.class, () -> Ops.maxpool2d(x).kernel(2, 2).paddingMode(PaddingMode.SAME).symbol());
    }
  }
}
