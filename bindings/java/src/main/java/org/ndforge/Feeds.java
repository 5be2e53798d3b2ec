package org.ndforge;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;

/** Arrays with names, as functions of the library take them: lists of pointers. The arrays stay until close(). */
final class Feeds implements AutoCloseable {
  final long names;
  final long buffers;
  final long layouts;
  final int count;

  private final Arena arena = Arena.ofConfined();
  private final List<NDArray> arrays;
  private int acquired;

  Feeds(Map<String, NDArray> named) {
    for (Map.Entry<String, NDArray> entry : Check.given(named, "the map of arrays").entrySet()) {
      Check.given(entry.getKey(), "the name of an array");
      Check.given(entry.getValue(), "the array '" + entry.getKey() + "'");
    }
    this.arrays = List.copyOf(named.values());
    this.count = arrays.size();
    try {
      MemorySegment bufferList = arena.allocate(8L * Math.max(count, 1), 8);
      MemorySegment layoutList = arena.allocate(8L * Math.max(count, 1), 8);
      names = list(arena, List.copyOf(named.keySet()));
      for (NDArray array : arrays) {
        array.handle.acquire();
        bufferList.setAtIndex(ValueLayout.JAVA_LONG, acquired, array.handle.buffer);
        layoutList.setAtIndex(ValueLayout.JAVA_LONG, acquired, array.layout.address);
        acquired++;
      }
      buffers = bufferList.address();
      layouts = layoutList.address();
    } catch (Throwable failure) {
      close();
      throw failure;
    }
  }

  long text(String value) {
    return arena.allocateFrom(value).address();
  }

  /** A list of C strings. */
  static long list(Arena arena, List<String> values) {
    MemorySegment pointers = arena.allocate(8L * Math.max(values.size(), 1), 8);
    for (int i = 0; i < values.size(); i++) {
      String value = values.get(i);
      pointers.setAtIndex(ValueLayout.JAVA_LONG, i, value == null ? 0 : arena.allocateFrom(value).address());
    }
    return pointers.address();
  }

  @Override
  public void close() {
    for (int i = 0; i < acquired; i++) {
      arrays.get(i).handle.release();
    }
    acquired = 0;
    arena.close();
  }
}
