package org.ndforge;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.ndforge.internal.Native;
import org.ndforge.internal.NativeArrays;

/** Elements of an array: reading and changing them one by one, and as arrays of Java. */
abstract sealed class ArrayElements extends ArrayBase permits ArrayViews {
  ArrayElements(Handle handle, Layout layout) {
    super(handle, layout);
  }

  private long place(long... index) {
    long[] shape = layout.shape;
    Check.given(index, "index");
    if (index.length != shape.length) {
      throw new NDForgeException(
          0, "", index.length + " indices are given for the shape " + Arrays.toString(shape));
    }
    long offset = 0;
    for (int i = 0; i < index.length; i++) {
      long k = index[i] < 0 ? index[i] + shape[i] : index[i];
      if (k < 0 || k >= shape[i] || layout.length == 0) {
        throw new NDForgeException(
            0,
            "",
            "index " + index[i] + " of axis " + i + " is outside 0.." + (shape[i] - 1) + " (shape "
                + Arrays.toString(shape) + ")");
      }
      offset += k * layout.strides[i];
    }
    return handle.address + offset * layout.type.bytes();
  }

  /**
   * An element as a double.
   *
   * @param index an index for each axis; negative ones count from the end
   * @return the element; integers of 64 bits are rounded
   */
  public double getDouble(long... index) {
    handle.acquire();
    try {
      return Elements.getDouble(layout.type, place(index));
    } finally {
      handle.release();
    }
  }

  /**
   * An element as a long.
   *
   * @param index an index for each axis; negative ones count from the end
   * @return the element; real numbers are rounded towards 0
   */
  public long getLong(long... index) {
    handle.acquire();
    try {
      return Elements.getLong(layout.type, place(index));
    } finally {
      handle.release();
    }
  }

  /**
   * The only element.
   *
   * @return the element as a double
   */
  public double item() {
    if (layout.length != 1) {
      throw new NDForgeException(
          0, "", "the array of shape " + Arrays.toString(layout.shape) + " has not one element");
    }
    return getDouble(new long[rank()]);
  }

  /**
   * Changes an element.
   *
   * @param value the element, which is converted to the type of the array
   * @param index an index for each axis; negative ones count from the end
   */
  public void set(double value, long... index) {
    handle.acquire();
    try {
      Elements.set(layout.type, place(index), value);
    } finally {
      handle.release();
    }
  }

  /**
   * Changes an element of integers.
   *
   * @param value the element, which is converted to the type of the array
   * @param index an index for each axis; negative ones count from the end
   */
  public void setLong(long value, long... index) {
    handle.acquire();
    try {
      Elements.setLong(layout.type, place(index), value);
    } finally {
      handle.release();
    }
  }

  /**
   * The elements in c order, converted to float.
   *
   * @return a new Java array
   */
  public float[] toFloatArray() {
    return read(
        DataType.FLOAT32,
        (address, count) -> {
          float[] result = new float[count];
          MemorySegment.copy(Native.MEMORY, ValueLayout.JAVA_FLOAT_UNALIGNED, address, result, 0, count);
          return result;
        });
  }

  /**
   * The elements in c order, converted to double.
   *
   * @return a new Java array
   */
  public double[] toDoubleArray() {
    return read(
        DataType.DOUBLE,
        (address, count) -> {
          double[] result = new double[count];
          MemorySegment.copy(Native.MEMORY, ValueLayout.JAVA_DOUBLE_UNALIGNED, address, result, 0, count);
          return result;
        });
  }

  /**
   * The elements in c order, converted to int.
   *
   * @return a new Java array
   */
  public int[] toIntArray() {
    return read(
        DataType.INT32,
        (address, count) -> {
          int[] result = new int[count];
          MemorySegment.copy(Native.MEMORY, ValueLayout.JAVA_INT_UNALIGNED, address, result, 0, count);
          return result;
        });
  }

  /**
   * The elements in c order, converted to long.
   *
   * @return a new Java array
   */
  public long[] toLongArray() {
    return read(
        DataType.INT64,
        (address, count) -> {
          long[] result = new long[count];
          MemorySegment.copy(Native.MEMORY, ValueLayout.JAVA_LONG_UNALIGNED, address, result, 0, count);
          return result;
        });
  }

  /**
   * The elements in c order, converted to short.
   *
   * @return a new Java array
   */
  public short[] toShortArray() {
    return read(
        DataType.INT16,
        (address, count) -> {
          short[] result = new short[count];
          MemorySegment.copy(Native.MEMORY, ValueLayout.JAVA_SHORT_UNALIGNED, address, result, 0, count);
          return result;
        });
  }

  /**
   * The elements in c order, converted to byte.
   *
   * @return a new Java array
   */
  public byte[] toByteArray() {
    return read(
        DataType.INT8,
        (address, count) -> {
          byte[] result = new byte[count];
          MemorySegment.copy(Native.MEMORY, ValueLayout.JAVA_BYTE, address, result, 0, count);
          return result;
        });
  }

  /**
   * The elements in c order; all but 0 are true.
   *
   * @return a new Java array
   */
  public boolean[] toBooleanArray() {
    return read(
        DataType.BOOL,
        (address, count) -> {
          boolean[] result = new boolean[count];
          for (int i = 0; i < count; i++) {
            result[i] = Native.MEMORY.get(ValueLayout.JAVA_BYTE, address + i) != 0;
          }
          return result;
        });
  }

  /**
   * The elements of an array of strings in c order.
   *
   * @return a new Java array
   */
  public String[] toStringArray() {
    Frame frame = Frame.current();
    handle.acquire();
    try {
      long text = NDForgeException.checked(NativeArrays.arrayStrings(handle.buffer, layout.address, frame.place));
      long lengths = Native.MEMORY.get(ValueLayout.JAVA_LONG, frame.place);
      String[] result = new String[Math.toIntExact(layout.length)];
      long at = text;
      for (int i = 0; i < result.length; i++) {
        byte[] bytes = new byte[Math.toIntExact(Native.MEMORY.get(ValueLayout.JAVA_LONG, lengths + 8L * i))];
        MemorySegment.copy(Native.MEMORY, ValueLayout.JAVA_BYTE, at, bytes, 0, bytes.length);
        result[i] = new String(bytes, StandardCharsets.UTF_8);
        at += bytes.length;
      }
      NativeArrays.deleteCharArray(text);
      NativeArrays.deleteLongArray(lengths);
      return result;
    } finally {
      handle.release();
    }
  }

  interface Reader<T> {
    T read(long address, int count);
  }

  /** Reads the elements as a dense block of a type. */
  <T> T read(DataType type, Reader<T> reader) {
    if (layout.length > Integer.MAX_VALUE - 8) {
      throw new NDForgeException(0, "", "the array has " + layout.length + " elements, more than a Java array");
    }
    if (layout.type.isString()) {
      throw new NDForgeException(0, "", "the elements are strings; toStringArray reads them");
    }
    if (layout.length != 0 && (layout.type != type || !layout.isDense)) {
      try (NDArray dense = self().cast(type)) {
        return dense.read(type, reader);
      }
    }
    handle.acquire();
    try {
      return reader.read(handle.address, (int) layout.length);
    } finally {
      handle.release();
    }
  }
}
