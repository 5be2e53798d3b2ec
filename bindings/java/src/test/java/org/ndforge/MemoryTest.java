package org.ndforge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory: counted, limited, freed by close() and by the garbage collector, and kept while it is used. */
class MemoryTest {
  private static final int MEGABYTE = 1 << 20;
  private long limit;

  @BeforeEach
  void collect() {
    limit = Memory.limit();
    while (Memory.reclaim()) {
      // until nothing more is freed
    }
  }

  @AfterEach
  void restore() {
    Memory.setLimit(limit);
  }

  @Test
  void closeFreesAtOnce() {
    long before = Memory.used();
    NDArray x = NDArray.zeros(DataType.INT8, MEGABYTE);
    assertEquals(before + MEGABYTE, Memory.used());
    NDArray view = x.get(Slice.range(5, 7));
    x.close();
    x.close();
    assertTrue(x.isClosed());
    assertEquals(before + MEGABYTE, Memory.used(), "a view keeps the memory");
    view.close();
    assertEquals(before, Memory.used());
  }

  @Test
  void garbageIsFreedBeforeAnAllocationFails() {
    Memory.setLimit(Memory.used() + 64L * MEGABYTE);
    NDArray ones = NDArray.full(DataType.INT8, 1, MEGABYTE);
    for (int i = 0; i < 1000; i++) {
      assertEquals(2, ones.add(ones).getDouble(i));
    }
  }

  @Test
  void theLimitIsAnException() {
    long before = Memory.used();
    Memory.setLimit(before + 8L * MEGABYTE);
    List<NDArray> arrays = new ArrayList<>();
    NDForgeException exception =
        assertThrows(
            NDForgeException.class,
            () -> {
              for (int i = 0; i < 20; i++) {
                arrays.add(NDArray.zeros(DataType.INT8, MEGABYTE));
              }
            });
    assertTrue(exception.isOutOfMemory());
    assertTrue(exception.getMessage().contains("limit"), exception.getMessage());
    assertEquals(8, arrays.size());
    NDForgeException ofCall =
        assertThrows(NDForgeException.class, () -> Ops.call("add", arrays.get(0), arrays.get(1)).run());
    assertTrue(ofCall.isOutOfMemory());
    arrays.forEach(NDArray::close);
    assertEquals(before, Memory.used());
  }

  @Test
  void anArrayThatIsClosedDuringACallStays() throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int round = 0; round < 300; round++) {
      NDArray x = NDArray.full(DataType.FLOAT32, 1, 20000);
      AtomicInteger refused = new AtomicInteger();
      Thread reader =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < 50; i++) {
                    try (NDArray y = x.add(x)) {
                      if (y.getDouble(19999) != 2) {
                        throw new AssertionError("wrong element");
                      }
                    }
                  }
                } catch (NDForgeException exception) {
                  refused.incrementAndGet();
                } catch (Throwable other) {
                  failure.set(other);
                }
              });
      reader.start();
      x.close();
      reader.join();
    }
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
  }

  /** Inputs, outputs, views and graphs that another thread closes at any moment: right results or exceptions. */
  @Test
  void whatIsClosedDuringACallIsComputedOrRefused() throws Exception {
    long before = Memory.used();
    AtomicInteger computed = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    for (int round = 0; round < 200; round++) {
      NDArray x = NDArray.full(DataType.FLOAT32, 1, 100, 100);
      NDArray view = x.get(Slice.all(), Slice.range(0, 100, 2));
      NDArray z = NDArray.zeros(DataType.FLOAT32, 100, 50);
      Graph graph = new Graph();
      Ops.tanh(graph.placeholder("x", DataType.FLOAT32, 100, 50)).symbol("y");
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread user =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < 20; i++) {
                    Ops.add(view, view).into(z).run();
                    try (NDArray y = graph.run(Map.of("x", z), "y").get("y")) {
                      assertEquals(Math.tanh(2), y.getDouble(99, 49), 1e-6);
                    }
                    computed.incrementAndGet();
                  }
                } catch (NDForgeException exception) {
                  assertTrue(exception.getMessage().contains("is closed"), exception.getMessage());
                  refused.incrementAndGet();
                }
              });
      user.setUncaughtExceptionHandler((thread, problem) -> failure.set(problem));
      user.start();
      if (round % 10 == 9) {
        user.join();
      }
      Thread.onSpinWait();
      switch (round % 3) {
        case 0 -> graph.close();
        case 1 -> z.close();
        default -> view.close();
      }
      x.close();
      user.join();
      List.of(view, z).forEach(NDArray::close);
      graph.close();
      if (failure.get() != null) {
        throw new AssertionError(failure.get());
      }
    }
    assertTrue(computed.get() >= 20 * 20, computed + " calls");
    assertTrue(refused.get() > 0);
    while (Memory.reclaim()) {
      // until nothing more is freed
    }
    assertEquals(before, Memory.used());
  }

  @Test
  void threadsLeaveNothingBehind() throws Exception {
    long before = Memory.used();
    for (int i = 0; i < 50; i++) {
      Thread thread =
          new Thread(
              () -> {
                try (NDArray x = NDArray.of(1f, 2f);
                    NDArray y = Ops.tanh(x).run()) {
                  assertEquals(Math.tanh(2), y.getDouble(1), 1e-6);
                }
              });
      thread.start();
      thread.join();
    }
    while (Memory.reclaim()) {
      // until nothing more is freed
    }
    assertEquals(before, Memory.used());
  }
}
