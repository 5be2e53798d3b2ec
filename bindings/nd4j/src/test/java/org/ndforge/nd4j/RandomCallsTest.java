package org.ndforge.nd4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.DynamicCustomOp;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Calls of operations with random arrays and arguments, most of them wrong, from eight threads: each one ends or throws,
 * and the memory outside of the heap is what it was. {@code -Dcalls=N} and {@code -Dseed=N} choose others.
 */
class RandomCallsTest {
  private static final int THREADS = 8;

  /** Dimensions that arguments ask for stay below this, or are so large that they are refused. */
  private static final int LARGEST_NUMBER = 40;

  private static final int LIMIT_SECONDS = 30;

  private static final DataType[] TYPES = {
    DataType.FLOAT, DataType.FLOAT, DataType.FLOAT, DataType.DOUBLE, DataType.HALF, DataType.BFLOAT16, DataType.INT32,
    DataType.INT64, DataType.INT16, DataType.INT8, DataType.UINT8, DataType.UINT16, DataType.UINT32, DataType.UINT64,
    DataType.BOOL
  };

  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private final Map<Thread, String> running = new ConcurrentHashMap<>();
  private final AtomicInteger done = new AtomicInteger(), refused = new AtomicInteger();

  @Test
  void everyCallEndsOrThrows() throws InterruptedException {
    int calls = Integer.getInteger("calls", 2_000);
    long seed = Long.getLong("seed", 1);
    List<String> names = new ArrayList<>(new TreeMap<>(Nd4j.getExecutioner().getCustomOperations()).keySet());
    assertTrue(names.size() > 500, "only " + names.size() + " operations");
    // ND4J waits and tries again when an allocation fails, so the limit concerns only what a single call asks for.
    Nd4j.getEnvironment().setMaxPrimaryMemory(1L << 30);
    // What is made once and kept: tables, workers, classes.
    run(names, THREADS * 200, seed + 1);
    long before = settled();
    run(names, calls, seed);
    long after = settled();
    assertEquals(List.of(), List.copyOf(faults));
    assertTrue(done.get() > calls / 50, "only " + done + " of " + calls + " calls ended");
    assertTrue(refused.get() > calls / 50, "only " + refused + " of " + calls + " calls were refused");
    assertEquals(before, after, "bytes outside of the heap");
  }

  private void run(List<String> names, int calls, long seed) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    AtomicLong next = new AtomicLong();
    for (int t = 0; t < THREADS; t++) {
      Thread thread = new Thread(() -> {
        for (long call; (call = next.getAndIncrement()) < calls; ) call(names, seed, call);
      });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        Set<String> before = new HashSet<>(running.values());
        thread.join(LIMIT_SECONDS * 1000);
        before.retainAll(running.values());
        if (thread.isAlive() && !before.isEmpty()) throw new AssertionError("calls that do not end: " + before);
      }
    }
  }

  private void call(List<String> names, long seed, long number) {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + number);
    String name = names.get(random.nextInt(names.size()));
    List<INDArray> arrays = new ArrayList<>();
    String text = name;
    try {
      DynamicCustomOp.DynamicCustomOpsBuilder op = DynamicCustomOp.builder(name);
      for (int i = random.nextInt(5); i > 0; i--) arrays.add(array(random));
      op.addInputs(arrays.toArray(new INDArray[0]));
      if (random.nextInt(4) == 0) {
        INDArray output = array(random);
        arrays.add(output);
        op.addOutputs(output);
      }
      List<Integer> integers = new ArrayList<>();
      for (int i = random.nextInt(6); i > 0; i--) integers.add(integer(random));
      for (int value : integers) op.addIntegerArguments(value);
      for (int i = random.nextInt(3); i > 0; i--) op.addFloatingPointArguments((double) number(random));
      for (int i = random.nextInt(3); i > 0; i--) op.addBooleanArguments(random.nextBoolean());
      text = number + " " + name + " " + describe(arrays) + " " + integers;
      running.put(Thread.currentThread(), text);
      for (INDArray output : Nd4j.exec(op.build())) arrays.add(output);
      done.incrementAndGet();
    } catch (OutOfMemoryError | RuntimeException e) {
      refused.incrementAndGet();
    } catch (Throwable e) {
      faults.add(text + ": " + e);
    } finally {
      running.remove(Thread.currentThread());
      for (INDArray array : arrays) if (array != null && array.closeable()) array.close();
    }
  }

  private static INDArray array(SplittableRandom random) {
    DataType type = TYPES[random.nextInt(TYPES.length)];
    long[] shape = new long[random.nextInt(5)];
    for (int d = 0; d < shape.length; d++) shape[d] = 1 + random.nextInt(4);
    INDArray array = shape.length == 0 ? Nd4j.scalar(type, 0) : Nd4j.createUninitialized(type, shape);
    for (long i = 0; i < array.length(); i++) array.putScalar(i, type == DataType.BOOL ? random.nextInt(2) : number(random));
    return array;
  }

  private static int integer(SplittableRandom random) {
    // Few: ND4J waits before it reports that an allocation was refused.
    if (random.nextInt(100) == 0) return random.nextBoolean() ? Integer.MAX_VALUE : Integer.MIN_VALUE;
    int kind = random.nextInt(10);
    return kind < 2 ? -1 - random.nextInt(3) : random.nextInt(kind < 4 ? LARGEST_NUMBER : 4);
  }

  private static float number(SplittableRandom random) {
    switch (random.nextInt(12)) {
      case 0: return Float.NaN;
      case 1: return Float.POSITIVE_INFINITY;
      case 2: return -1;
      case 3: return random.nextInt(LARGEST_NUMBER);
      default: return (float) random.nextDouble() * 3;
    }
  }

  private static String describe(List<INDArray> arrays) {
    StringBuilder text = new StringBuilder();
    for (INDArray array : arrays) text.append(array.dataType()).append(java.util.Arrays.toString(array.shape())).append(' ');
    return text.toString();
  }

  /** Bytes outside of the heap that JavaCPP counts, when nothing more is given back. */
  private static long settled() throws InterruptedException {
    long bytes = -1;
    for (int i = 0; i < 50 && bytes != Pointer.totalBytes(); i++) {
      bytes = Pointer.totalBytes();
      System.gc();
      Thread.sleep(100);
    }
    return bytes;
  }
}
