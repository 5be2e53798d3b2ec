package org.ndforge;

import java.lang.foreign.MemorySegment;
import org.ndforge.internal.NativeArrays;

/** A buffer of the library. */
final class Handle extends Resource {
  final long buffer;
  final long address;

  /** Memory of the caller that the buffer is around; null when it is the library's. Kept reachable. */
  private final MemorySegment foreign;

  Handle(long buffer) {
    this(buffer, null);
  }

  Handle(long buffer, MemorySegment foreign) {
    super("array");
    this.buffer = buffer;
    this.address = NativeArrays.dbPrimaryBuffer(buffer);
    this.foreign = foreign;
  }

  MemorySegment foreign() {
    return foreign;
  }

  @Override
  void acquire() {
    super.acquire();
    if (foreign != null && !foreign.scope().isAlive()) {
      release();
      throw new NDForgeException(0, "", "the memory segment under the array is closed");
    }
  }

  @Override
  void free() {
    NativeArrays.deleteDataBuffer(buffer);
  }
}
