package org.ndforge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Graphs: making, running, differentiating, training, saving. */
class GraphTest {
  private static void assertRefused(String part, Runnable call) {
    NDForgeException exception = assertThrows(NDForgeException.class, call::run);
    assertTrue(exception.getMessage().contains(part), exception.getMessage());
  }

  /** y = x * w + 1. */
  private static Graph line() {
    Graph graph = new Graph();
    Symbol x = graph.placeholder("x", DataType.FLOAT32, -1);
    Symbol w = graph.variable("w", NDArray.scalar(DataType.FLOAT32, 3));
    Ops.add(x.mul(w), NDArray.scalar(DataType.FLOAT32, 1)).symbol("y");
    return graph;
  }

  @Test
  void runsGraphs() {
    try (Graph graph = line()) {
      Map<String, NDArray> results = graph.run(Map.of("x", NDArray.of(1f, 2f)), "y");
      assertEquals(List.of("y"), List.copyOf(results.keySet()));
      assertArrayEquals(new float[] {4, 7}, results.get("y").toFloatArray());
      assertArrayEquals(
          new float[] {-2}, graph.run(Map.of("x", NDArray.of(-1f))).values().iterator().next().toFloatArray());
      assertEquals(List.of("x"), graph.inputs());
      assertEquals(3, graph.array("w").item());
      assertTrue(graph.toString().contains("multiply"), graph.toString());
      assertRefused("x", () -> graph.run(Map.of(), "y"));
      assertRefused("no_input", () -> graph.run(Map.of("no_input", NDArray.of(1f)), "y"));
      assertRefused("no_result", () -> graph.run(Map.of("x", NDArray.of(1f)), "no_result"));
      assertRefused("taken", () -> graph.placeholder("w", DataType.FLOAT32));
      assertRefused("'nothing'", () -> graph.symbol("y").add(graph.symbol("nothing")));
    }
  }

  @Test
  void sessionsEndWhenNodesAreAdded() {
    try (Graph graph = line();
        Session session = graph.session("y")) {
      assertArrayEquals(new float[] {4}, session.run(Map.of("x", NDArray.of(1f))).get("y").toFloatArray());
      graph.symbol("y").add(NDArray.scalar(DataType.FLOAT32, 1));
      assertRefused("since the session was made", () -> session.run(Map.of("x", NDArray.of(1f))));
      assertArrayEquals(new float[] {4}, graph.run(Map.of("x", NDArray.of(1f)), "y").get("y").toFloatArray());
    }
  }

  @Test
  void differentiates() {
    try (Graph graph = new Graph()) {
      Symbol x = graph.placeholder("x", DataType.DOUBLE, 3);
      Symbol y = Ops.reduceSum(Ops.tanh(x.mul(x)).symbol()).symbol("y");
      Symbol gradient = graph.gradients(y, List.of(x)).get(0);
      double[] at = {-0.5, 0.25, 1};
      double[] computed =
          graph.run(Map.of("x", NDArray.of(at)), gradient.key()).values().iterator().next().toDoubleArray();
      for (int i = 0; i < at.length; i++) {
        // d tanh(x^2) / dx = 2 x (1 - tanh(x^2)^2)
        double t = Math.tanh(at[i] * at[i]);
        assertEquals(2 * at[i] * (1 - t * t), computed[i], 1e-12);
      }
      Symbol other = graph.placeholder("other", DataType.DOUBLE, 3);
      assertRefused("depend", () -> graph.gradients(y, List.of(other)));
    }
  }

  @Test
  void resultsHaveTheNamesThatWereAskedFor() {
    try (Graph graph = new Graph()) {
      Symbol x = graph.placeholder("x", DataType.DOUBLE, 2);
      Symbol w = graph.variable("w", NDArray.of(2.0, 3.0));
      Symbol product = x.mul(w);
      Symbol loss = Ops.reduceSum(product).symbol("loss");
      List<Symbol> gradients = graph.gradients(loss, List.of(x, w));
      Map<String, NDArray> feeds = Map.of("x", NDArray.of(5.0, 7.0));
      String key = gradients.get(0).key();
      Map<String, NDArray> named = graph.run(feeds, key, "loss", key, "w");
      assertEquals(List.of(key, "loss", "w"), List.copyOf(named.keySet()));
      assertEquals(NDArray.of(2.0, 3.0), named.get(key));
      assertEquals(31, named.get("loss").item());
      List<NDArray> listed = graph.run(feeds, List.of(loss, gradients.get(1), product, x, product));
      assertEquals(31, listed.get(0).item());
      assertEquals(NDArray.of(5.0, 7.0), listed.get(1));
      assertEquals(NDArray.of(10.0, 21.0), listed.get(2));
      assertEquals(NDArray.of(5.0, 7.0), listed.get(3));
      assertEquals(NDArray.of(10.0, 21.0), listed.get(4));
      assertEquals("[x, w, loss]", List.of(x, w, loss).toString());
      assertRefused("empty", () -> graph.run(feeds, List.of()));
    }
  }

  @Test
  void trainsAndSaves(@TempDir Path folder) {
    double[] at = {-2, -1, 0, 1, 2};
    double[] values = new double[at.length];
    for (int i = 0; i < at.length; i++) {
      values[i] = 3 * at[i] - 0.5;
    }
    Map<String, NDArray> data = Map.of("x", NDArray.of(at), "target", NDArray.of(values));
    Path saved = folder.resolve("line.fb");
    try (Graph graph = model();
        Trainer trainer =
            graph.trainer(graph.symbol("loss"), Updater.sgd(0.1), graph.symbol("w"), graph.symbol("b"))) {
      double first = trainer.step(data);
      // Before the first step w = b = 0, and the loss is the mean of the squared values.
      double expected = 0;
      for (double value : values) {
        expected += value * value / values.length;
      }
      assertEquals(expected, first, 1e-12);
      for (int i = 0; i < 60; i++) {
        trainer.step(data);
      }
      trainer.save(folder.resolve("checkpoint.npz"));
      double ahead = trainer.step(data);
      assertEquals(62, trainer.steps());
      trainer.load(folder.resolve("checkpoint.npz"));
      assertEquals(ahead, trainer.step(data));
      assertRefused("none.npz", () -> trainer.load(folder.resolve("none.npz")));
      for (int i = 0; i < 100; i++) {
        trainer.step(data);
      }
      trainer.saveGraph(saved);
      assertEquals(3, graph.array("w").item(), 1e-6);
      assertRefused("updater", () -> graph.trainer(graph.symbol("loss"), new Updater("none", Map.of()), graph.symbol("w")));
      assertRefused(
          "momentum", () -> graph.trainer(graph.symbol("loss"), Updater.sgd(1).with("momentum", 1), graph.symbol("w")));
      assertRefused("w_none", () -> graph.trainer(graph.symbol("loss"), Updater.sgd(1), graph.symbol("w_none")));
    }
    try (Graph graph = Graph.load(saved)) {
      NDArray y = graph.run(Map.of("x", NDArray.of(10.0), "target", NDArray.of(0.0)), "y").get("y");
      assertEquals(29.5, y.item(), 1e-5);
    }
  }

  private static Graph model() {
    Graph graph = new Graph();
    Symbol x = graph.placeholder("x", DataType.DOUBLE, -1);
    Symbol target = graph.placeholder("target", DataType.DOUBLE, -1);
    Symbol w = graph.variable("w", NDArray.scalar(DataType.DOUBLE, 0));
    Symbol b = graph.variable("b", NDArray.scalar(DataType.DOUBLE, 0));
    Symbol y = Ops.add(x.mul(w), b).symbol("y");
    Symbol difference = y.sub(target);
    Ops.reduceMean(difference.mul(difference)).symbol("loss");
    return graph;
  }

  @Test
  void readsAndWritesFiles(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("line.fb");
    try (Graph graph = line()) {
      graph.save(file);
    }
    byte[] bytes = Files.readAllBytes(file);
    try (Graph graph = Graph.load(bytes)) {
      assertArrayEquals(new float[] {7}, graph.run(Map.of("x", NDArray.of(2f)), "y").get("y").toFloatArray());
    }
    assertRefused("none.fb", () -> Graph.load(folder.resolve("none.fb")));
    for (int i = 0; i < bytes.length; i++) {
      byte[] damaged = bytes.clone();
      damaged[i] ^= (byte) (1 << i % 8);
      try (Graph graph = Graph.load(damaged)) {
        graph.run(Map.of("x", NDArray.of(2f)), "y");
      } catch (NDForgeException expected) {
        // Some changes make the file invalid, others give another graph.
      }
    }
    Graph closed = line();
    closed.close();
    assertRefused("closed", () -> closed.run(Map.of("x", NDArray.of(2f)), "y"));
  }
}
