package org.ndforge.benchmarks;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.ndforge.DataType;
import org.ndforge.NDArray;
import org.ndforge.NDForge;
import org.ndforge.Ops;
import org.ndforge.internal.Native;
import org.ndforge.internal.NativeArrays;
import org.ndforge.internal.NativeCalls;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time that this module adds to the C interface. Methods that begin with c call the functions of the C interface
 * alone, with buffers and shapes that are there; the others do the same with arrays.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgs = {"--enable-native-access=ALL-UNNAMED", "-Xmx1g"})
public class AddBenchmark {
  /** The number of elements. */
  @Param({"10", "10000000"})
  public int length;

  private NDArray x;
  private NDArray y;
  private long bufferX;
  private long bufferY;
  private long bufferZ;
  private long shape;

  /** Makes the arrays, and the same with the C interface. */
  @Setup(Level.Trial)
  public void prepare() {
    NDForge.threads();
    x = NDArray.full(DataType.FLOAT32, 1, length);
    y = NDArray.full(DataType.FLOAT32, 0, length);
    bufferX = NativeArrays.allocateDataBuffer(length, DataType.FLOAT32.number(), false);
    bufferY = NativeArrays.allocateDataBuffer(length, DataType.FLOAT32.number(), false);
    bufferZ = NativeArrays.allocateDataBuffer(length, DataType.FLOAT32.number(), false);
    for (long buffer : new long[] {bufferX, bufferY}) {
      // Pages that were never written are all the same memory, and faster to read.
      Native.MEMORY.asSlice(NativeArrays.dbPrimaryBuffer(buffer), 4L * length).fill((byte) 1);
    }
    try (Arena arena = Arena.ofConfined()) {
      long sizes = arena.allocateFrom(ValueLayout.JAVA_LONG, length, 0).address();
      long strides = arena.allocateFrom(ValueLayout.JAVA_LONG, 1, 0).address();
      long handle = NativeArrays.shapeBufferEx(1, sizes, strides, DataType.FLOAT32.number(), (byte) 'c', 1, 0);
      shape = NativeArrays.getConstantShapeBufferPrimary(handle);
    }
  }

  private void call(long z) {
    NativeCalls.execPairwiseTransform(0, 0, bufferX, shape, 0, bufferY, shape, 0, z, shape, 0, 0);
  }

  /** The sum in a buffer that is there. */
  @Benchmark
  public void cHere() {
    call(bufferZ);
  }

  /** The sum in a new buffer. */
  @Benchmark
  public void cNew() {
    long z = NativeArrays.allocateDataBuffer(length, DataType.FLOAT32.number(), false);
    call(z);
    NativeArrays.deleteDataBuffer(z);
  }

  /** x += y. */
  @Benchmark
  public NDArray here() {
    return x.addi(y);
  }

  /** x + y. */
  @Benchmark
  public void anew() {
    x.add(y).close();
  }

  /** A call of an operation by its generated class. */
  @Benchmark
  public void operation() {
    Ops.add(x, y).run().close();
  }

  /** The same with the functions of the C interface. */
  @Benchmark
  public long cOperation(Context context) {
    return context.add(bufferX, bufferY, shape);
  }

  /** A context of the C interface. */
  @State(Scope.Thread)
  public static class Context {
    private final long context;
    private final long hash;
    private final long place = Arena.global().allocate(8, 8).address();

    /** Makes the context. */
    public Context() {
      NDForge.threads();
      context = NativeCalls.createGraphContext(1);
      hash = NativeCalls.opHash(Arena.global().allocateFrom("add").address());
    }

    long add(long x, long y, long shape) {
      NativeCalls.setGraphContextInputBuffer(context, 0, x, shape, 0);
      NativeCalls.setGraphContextInputBuffer(context, 1, y, shape, 0);
      NativeCalls.execCustomOp2(0, hash, context);
      long z = NativeCalls.getGraphContextOutput(context, 0, place);
      NativeCalls.ctxPurge(context);
      NativeArrays.deleteDataBuffer(z);
      return z;
    }
  }
}
