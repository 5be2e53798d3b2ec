package org.ndforge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.ndforge.internal.Json;

/**
 * Random calls of all operations with random arrays and arguments from eight threads, most of them wrong. A wrong call is
 * an NDForgeException; anything else fails. {@code mvn test -Dcalls=200000} makes a long run.
 */
class RandomCallsTest {
  private static final int THREADS = 8;
  private static final DataType[] TYPES = {
    DataType.FLOAT32, DataType.FLOAT32, DataType.FLOAT32, DataType.DOUBLE, DataType.INT32, DataType.INT64,
    DataType.BOOL, DataType.HALF, DataType.BFLOAT16, DataType.UINT8, DataType.INT8, DataType.INT16,
    DataType.UINT16, DataType.UINT32, DataType.UINT64
  };

  private record Target(Operation operation, Map<String, Object> schema) {}

  private static List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (String name : NDForge.operations()) {
      Operation operation = Operation.of(name);
      Map<String, Object> description = Json.object(operation.json());
      // print_variable writes to the output of the tests.
      if (description.get("name").equals(name) && !name.startsWith("print_")) {
        @SuppressWarnings("unchecked")
        Map<String, Object> schema = (Map<String, Object>) description.get("schema");
        targets.add(new Target(operation, schema));
      }
    }
    return targets;
  }

  @Test
  void wrongCallsAreExceptions() throws Exception {
    int calls = Integer.getInteger("ndforge.calls", 8000);
    long seed = Long.getLong("ndforge.seed", 1);
    List<Target> targets = targets();
    long limit = Memory.limit();
    Memory.setLimit(256L << 20);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicLong refused = new AtomicLong();
    AtomicLong done = new AtomicLong();
    // Once before the memory is measured: threads of the library keep some for themselves.
    run(targets, seed, Math.min(calls, 2000), new AtomicLong(), new AtomicLong(), failure);
    while (Memory.reclaim()) {
      // until nothing more is freed
    }
    long before = Memory.used();
    run(targets, seed + 1, calls, refused, done, failure);
    if (failure.get() != null) {
      throw new AssertionError("with -Dndforge.seed=" + seed, failure.get());
    }
    while (Memory.reclaim()) {
      // until nothing more is freed
    }
    Memory.setLimit(limit);
    assertEquals(before, Memory.used(), "bytes of arrays that were not freed");
    assertTrue(refused.get() > calls / 4, refused + " of " + calls + " calls were refused");
    assertTrue(done.get() > calls / 20, done + " of " + calls + " calls were right");
  }

  private static void run(
      List<Target> targets,
      long seed,
      int calls,
      AtomicLong refused,
      AtomicLong done,
      AtomicReference<Throwable> failure)
      throws InterruptedException {
    SplittableRandom root = new SplittableRandom(seed);
    List<Thread> threads = new ArrayList<>();
    for (int k = 0; k < THREADS; k++) {
      SplittableRandom random = root.split();
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < calls / THREADS && failure.get() == null; i++) {
                  Target target = targets.get(random.nextInt(targets.size()));
                  try (Pool pool = new Pool(random)) {
                    pool.call(target);
                    done.incrementAndGet();
                  } catch (NDForgeException exception) {
                    refused.incrementAndGet();
                  } catch (Throwable other) {
                    failure.compareAndSet(null, new AssertionError(target.operation.name(), other));
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** The arrays of one call. */
  private static final class Pool implements AutoCloseable {
    private final SplittableRandom random;
    private final List<NDArray> arrays = new ArrayList<>();

    Pool(SplittableRandom random) {
      this.random = random;
    }

    private <T extends NDArray> T keep(T array) {
      arrays.add(array);
      return array;
    }

    void call(Target target) {
      List<Operand> inputs = new ArrayList<>();
      long[] common = shape();
      AnyCall call;
      Map<?, ?> example = target.schema.get("example") instanceof Map<?, ?> map ? map : Map.of();
      if (random.nextInt(3) == 0 && !example.isEmpty()) {
        // A right call with something changed.
        call = Examples.call(target.operation, target.schema, example);
        if (random.nextInt(3) == 0) {
          call.input(random.nextInt(3), array(common));
        }
      } else {
        int count = ((List<?>) target.schema.get("inputs")).size() + random.nextInt(4) - 1;
        for (int i = 0; i < count; i++) {
          inputs.add(random.nextInt(20) == 0 ? null : array(common));
        }
        call = new AnyCall(target.operation, inputs.toArray(new Operand[0]));
      }
      for (Object item : (List<?>) target.schema.get("arguments")) {
        if (random.nextInt(3) == 0) {
          argument(call, (Map<?, ?>) item);
        }
      }
      switch (random.nextInt(20)) {
        case 0 -> call.with("no_argument", 1L);
        case 1 -> call.integerList(integers(random.nextInt(6)));
        case 2 -> call.numberList(number(), number());
        case 3 -> call.into(array(common));
        case 4, 5 -> call.inPlace();
        case 6 -> call.typeList(TYPES[random.nextInt(TYPES.length)]);
        case 7 -> {
          if (!arrays.isEmpty()) {
            arrays.get(random.nextInt(arrays.size())).close();
          }
        }
        default -> {
          // nothing unusual
        }
      }
      for (NDArray result : call.randomSeed(1 + random.nextInt(100)).runAll()) {
        keep(result);
        if (result.type().isString()) {
          result.toStringArray();
        } else if (!result.isEmpty()) {
          result.getDouble(new long[result.rank()]);
        }
      }
    }

    private long[] shape() {
      long[] shape = new long[random.nextInt(5)];
      for (int i = 0; i < shape.length; i++) {
        shape[i] = random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(4);
      }
      return shape;
    }

    private NDArray array(long[] common) {
      if (random.nextInt(40) == 0) {
        return keep(NDArray.of("a", "bc"));
      }
      NDArray array =
          keep(
              NDArray.zeros(
                  TYPES[random.nextInt(TYPES.length)], random.nextInt(2) == 0 ? common : shape()));
      int style = random.nextInt(4);
      NDArray flat = array.isEmpty() ? array : keep(array.reshape(-1));
      for (int i = 0; i < flat.length(); i++) {
        flat.set(style == 0 ? number() : style == 1 ? random.nextInt(-2, 5) : random.nextDouble(), i);
      }
      switch (random.nextInt(6)) {
        case 0 -> array = keep(array.transpose());
        case 1 -> {
          if (array.rank() > 0 && array.size(0) > 1) {
            array = keep(array.get(Slice.range(random.nextInt(2), array.size(0), 1 + random.nextInt(2))));
          }
        }
        default -> {
          // dense
        }
      }
      return array;
    }

    private double number() {
      return switch (random.nextInt(8)) {
        case 0 -> Double.NaN;
        case 1 -> Double.POSITIVE_INFINITY;
        case 2 -> -1e30;
        case 3 -> 1L << 40;
        default -> random.nextDouble(-3, 3);
      };
    }

    private long[] integers(int count) {
      long[] values = new long[count];
      for (int i = 0; i < count; i++) {
        values[i] =
            switch (random.nextInt(12)) {
              case 0 -> Long.MAX_VALUE;
              case 1 -> Long.MIN_VALUE;
              case 2 -> 1L << 33;
              default -> random.nextInt(-3, 6);
            };
      }
      return values;
    }

    private void argument(AnyCall call, Map<?, ?> row) {
      String name = (String) row.get("name");
      int count = ((Double) row.get("count")).intValue();
      int given = random.nextInt(6) == 0 || count < 0 ? random.nextInt(5) : count;
      String kind = random.nextInt(10) == 0 ? "integer" : (String) row.get("kind");
      switch (kind) {
        case "integer" -> call.with(name, integers(given));
        case "number" -> call.with(name, random.doubles(given, -2, 2).toArray());
        case "flag" -> call.with(name, random.nextBoolean());
        case "type" -> call.with(name, DataType.values()[random.nextInt(DataType.values().length)]);
        default -> {
          List<?> choices = row.get("choices") instanceof List<?> list ? list : List.of();
          call.with(
              name,
              choices.isEmpty() || random.nextInt(6) == 0
                  ? "no_choice"
                  : String.valueOf(((Map<?, ?>) choices.get(random.nextInt(choices.size()))).get("name")));
        }
      }
    }

    @Override
    public void close() {
      arrays.forEach(NDArray::close);
    }
  }
}
