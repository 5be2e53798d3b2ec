package org.ndforge;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.ndforge.internal.Native;
import org.ndforge.internal.NativeArrays;

/**
 * A type, shape and strides, as the library knows them: the address of a description that it keeps until the process ends.
 * Two caches, by address and by content, save reading and asking for it again; an entry that another one replaces is
 * made anew when it is needed.
 */
final class Layout {
  static final int MOST_DIMENSIONS = 32;

  private static final int CACHE = 1024;
  private static final long EMPTY_FLAG = 8;
  private static final Layout[] BY_ADDRESS = new Layout[CACHE];
  private static final Layout[] BY_SHAPE = new Layout[CACHE];

  final long address;
  final DataType type;
  final long[] shape;
  final long[] strides;
  final long length;
  final char order;
  final boolean isDense;

  private Layout(long address) {
    this.address = address;
    int rank = Math.toIntExact(slot(address, 0));
    shape = new long[rank];
    strides = new long[rank];
    for (int i = 0; i < rank; i++) {
      shape[i] = slot(address, 1 + i);
      strides[i] = slot(address, 1 + rank + i);
    }
    boolean isEmpty = (slot(address, 2 * rank + 1) & EMPTY_FLAG) != 0;
    order = (char) slot(address, 2 * rank + 3);
    type = DataType.of(NativeArrays.shapeInfoDataType(address));
    long count = isEmpty ? 0 : 1;
    boolean dense = true;
    long expected = 1;
    for (int i = rank - 1; i >= 0; i--) {
      count *= shape[i];
      dense &= shape[i] == 1 || strides[i] == expected;
      expected *= shape[i];
    }
    length = count;
    isDense = dense || count == 0;
  }

  private static long slot(long address, int index) {
    return Native.MEMORY.get(ValueLayout.JAVA_LONG, address + 8L * index);
  }

  /** The layout at an address that the library gave. */
  static Layout at(long address) {
    int place = (int) ((address >>> 4) * 0x9E3779B97F4A7C15L >>> 54);
    Layout layout = BY_ADDRESS[place];
    if (layout == null || layout.address != address) {
      layout = new Layout(address);
      BY_ADDRESS[place] = layout;
    }
    return layout;
  }

  /** Dense in c order. */
  static Layout of(DataType type, long... shape) {
    int place = (Arrays.hashCode(shape) * 31 + type.number) * 0x9E3779B9 >>> 22;
    Layout layout = BY_SHAPE[place];
    if (layout == null || layout.type != type || !Arrays.equals(layout.shape, shape)) {
      layout = made(type, shape, denseStrides(shape));
      BY_SHAPE[place] = layout;
    }
    return layout;
  }

  static long[] denseStrides(long[] shape) {
    long[] strides = new long[shape.length];
    long step = 1;
    for (int i = shape.length - 1; i >= 0; i--) {
      strides[i] = step;
      step *= Math.max(shape[i], 1);
    }
    return strides;
  }

  static Layout strided(DataType type, long[] shape, long[] strides) {
    return made(type, shape, strides);
  }

  /** The product of sizes; an exception for negative ones and for more elements than can be counted. */
  static long count(long... shape) {
    Check.given(shape, "the shape");
    if (shape.length > MOST_DIMENSIONS) {
      throw new NDForgeException(
          0, "", "the shape has " + shape.length + " dimensions; there are at most " + MOST_DIMENSIONS);
    }
    long count = 1;
    boolean isEmpty = false;
    for (long size : shape) {
      if (size < 0) {
        throw new NDForgeException(0, "", "the shape " + Arrays.toString(shape) + " has a negative size");
      }
      isEmpty |= size == 0;
    }
    for (long size : shape) {
      if (!isEmpty && Math.multiplyHigh(count, size) != 0 || !isEmpty && count * size < 0) {
        throw new NDForgeException(
            0, "", "the shape " + Arrays.toString(shape) + " has more elements than can be counted");
      }
      count = isEmpty ? 0 : count * size;
    }
    return count;
  }

  private static Layout made(DataType type, long[] shape, long[] strides) {
    boolean isEmpty = count(shape) == 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment sizes = arena.allocateFrom(ValueLayout.JAVA_LONG, padded(shape));
      MemorySegment steps = arena.allocateFrom(ValueLayout.JAVA_LONG, padded(strides));
      long handle =
          NDForgeException.checked(
              NativeArrays.shapeBufferEx(
                  shape.length,
                  sizes.address(),
                  steps.address(),
                  type.number,
                  (byte) 'c',
                  0,
                  isEmpty ? EMPTY_FLAG : 0));
      long address = NativeArrays.getConstantShapeBufferPrimary(handle);
      NativeArrays.deleteConstantShapeBuffer(handle);
      return at(NDForgeException.checked(address));
    }
  }

  /** A segment of no bytes has no address. */
  private static long[] padded(long[] values) {
    return values.length == 0 ? new long[1] : values;
  }

  /** The dense layout of arrays with this shape. */
  Layout dense() {
    return isDense && order == 'c' ? this : of(type, shape);
  }

  /** The layout of scalars of this type. */
  Layout scalar() {
    return of(type);
  }

  /** The bytes from the first to behind the last element. */
  long extent() {
    if (length == 0) {
      return 0;
    }
    long last = 0;
    for (int i = 0; i < shape.length; i++) {
      last += (shape[i] - 1) * strides[i];
    }
    return (last + 1) * type.bytes();
  }

  int axis(int axis) {
    int rank = shape.length;
    if (axis < -rank || axis >= rank) {
      throw new NDForgeException(0, "", "axis " + axis + " is outside " + -rank + ".." + (rank - 1));
    }
    return axis < 0 ? axis + rank : axis;
  }
}
