package org.ndforge;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import org.ndforge.internal.NativeArrays;
import org.ndforge.internal.NativeCalls;

/** What a thread needs for its calls: a context of the library, and memory for arguments. Freed after the thread's end. */
final class Frame {
  static final Cleaner CLEANER = Cleaner.create();

  private static final ThreadLocal<Frame> CURRENT = ThreadLocal.withInitial(Frame::new);
  private static final int SCRATCH = 1024;

  /** The context. */
  final long context;

  /** 16 bytes: a scalar operand, as a buffer, and a place for addresses that functions return. */
  final long scalarAddress;

  final long scalarBuffer;
  final long place;

  private final MemorySegment scratch;
  private int used;
  private Arena overflow;

  private Frame() {
    Arena arena = Arena.ofAuto();
    scratch = arena.allocate(SCRATCH + 16, 16);
    place = scratch.address() + SCRATCH;
    scalarAddress = place + 8;
    context = NDForgeException.checked(NativeCalls.createGraphContext(1));
    NativeCalls.clearGraphContextArguments(context);
    scalarBuffer = NDForgeException.checked(NativeArrays.dbCreateExternalDataBuffer(8, DataType.INT8.number, scalarAddress, 0));
    long ofContext = context;
    long ofScalar = scalarBuffer;
    CLEANER.register(
        this,
        () -> {
          NativeCalls.deleteGraphContext(ofContext);
          NativeArrays.deleteDataBuffer(ofScalar);
        });
  }

  static Frame current() {
    NDForge.initialise();
    return CURRENT.get();
  }

  /** The address of memory that lives until clear(). */
  long allocate(long bytes) {
    if (bytes <= SCRATCH - used) {
      long address = scratch.address() + used;
      used += (int) (bytes + 15) & -16;
      used = Math.min(used, SCRATCH);
      return address;
    }
    if (overflow == null) {
      overflow = Arena.ofConfined();
    }
    return overflow.allocate(bytes, 16).address();
  }

  void clear() {
    used = 0;
    if (overflow != null) {
      overflow.close();
      overflow = null;
    }
  }
}
