package org.ndforge;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.Buffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.ndforge.internal.Native;
import org.ndforge.internal.NativeArrays;

/**
 * An array of any number of dimensions, whose elements are in memory outside of the Java heap. {@link #close()} frees it
 * at once; otherwise it is freed when the garbage collector finds that nobody refers to it. Views share the memory of the
 * array that they come from, which stays until the last of them is closed.
 *
 * <p>Several threads may read an array at once. An array that is closed while another thread computes with it stays until
 * that is done; later uses are errors.
 *
 * <p>Shapes that do not fit or broadcast, indices outside of the shape, types that an operation does not take, null, and
 * closed arrays are {@link NDForgeException}s, which all methods may throw; nothing has been written then. So is a lack of
 * memory.
 */
public final class NDArray extends ArrayFunctions implements Operand {
  NDArray(Handle handle, Layout layout) {
    super(handle, layout);
  }

  /** A buffer for a layout; the garbage collector runs when memory is lacking. */
  static NDArray allocate(Layout layout) {
    NDForge.initialise();
    long buffer = NativeArrays.allocateDataBuffer(layout.length, layout.type.number, false);
    if (buffer == 0) {
      NDForgeException exception = NDForgeException.stored(NDForgeException.ERROR);
      if (!exception.isOutOfMemory() || !Memory.reclaim()) {
        throw exception;
      }
      buffer = NDForgeException.checked(NativeArrays.allocateDataBuffer(layout.length, layout.type.number, false));
    }
    return new NDArray(new Handle(buffer), layout);
  }

  // ---- making arrays

  /**
   * An array of zeros.
   *
   * @param type the type of its elements
   * @param shape its sizes; none make a scalar
   * @return the array
   */
  public static NDArray zeros(DataType type, long... shape) {
    if (Check.given(type, "type").isString()) {
      throw new NDForgeException(0, "", "strings have no zeros; NDArray.of(String...) makes arrays of strings");
    }
    NDForge.initialise();
    return allocate(Layout.of(type, Check.given(shape, "the shape").clone()));
  }

  /**
   * An array whose elements are equal.
   *
   * @param type the type of its elements
   * @param value the elements
   * @param shape its sizes; none make a scalar
   * @return the array
   */
  public static NDArray full(DataType type, double value, long... shape) {
    NDArray result = zeros(type, shape);
    result.fill(value);
    return result;
  }

  /**
   * A scalar.
   *
   * @param type its type
   * @param value its value
   * @return the array, without dimensions
   */
  public static NDArray scalar(DataType type, double value) {
    return full(type, value);
  }

  private static long[] shapeFor(int length, long... shape) {
    long count = Layout.count(shape);
    if (count != length) {
      throw new NDForgeException(
          0, "", "the shape " + Arrays.toString(shape) + " has " + count + " elements, but there are " + length);
    }
    return shape;
  }

  /**
   * A vector with a copy of these values.
   *
   * @param values the elements, of type FLOAT32
   * @return the array
   */
  public static NDArray of(float... values) {
    return from(values, Check.given(values, "values").length);
  }

  /**
   * An array with a copy of these values.
   *
   * @param values the elements in c order, of type FLOAT32
   * @param shape the sizes
   * @return the array
   */
  public static NDArray from(float[] values, long... shape) {
    NDArray result = zeros(DataType.FLOAT32, shapeFor(Check.given(values, "values").length, shape));
    MemorySegment.copy(values, 0, Native.MEMORY, ValueLayout.JAVA_FLOAT_UNALIGNED, result.handle.address, values.length);
    return result;
  }

  /**
   * A vector with a copy of these values.
   *
   * @param values the elements, of type DOUBLE
   * @return the array
   */
  public static NDArray of(double... values) {
    return from(values, Check.given(values, "values").length);
  }

  /**
   * An array with a copy of these values.
   *
   * @param values the elements in c order, of type DOUBLE
   * @param shape the sizes
   * @return the array
   */
  public static NDArray from(double[] values, long... shape) {
    NDArray result = zeros(DataType.DOUBLE, shapeFor(Check.given(values, "values").length, shape));
    MemorySegment.copy(values, 0, Native.MEMORY, ValueLayout.JAVA_DOUBLE_UNALIGNED, result.handle.address, values.length);
    return result;
  }

  /**
   * A vector with a copy of these values.
   *
   * @param values the elements, of type INT32
   * @return the array
   */
  public static NDArray of(int... values) {
    return from(values, Check.given(values, "values").length);
  }

  /**
   * An array with a copy of these values.
   *
   * @param values the elements in c order, of type INT32
   * @param shape the sizes
   * @return the array
   */
  public static NDArray from(int[] values, long... shape) {
    NDArray result = zeros(DataType.INT32, shapeFor(Check.given(values, "values").length, shape));
    MemorySegment.copy(values, 0, Native.MEMORY, ValueLayout.JAVA_INT_UNALIGNED, result.handle.address, values.length);
    return result;
  }

  /**
   * A vector with a copy of these values.
   *
   * @param values the elements, of type INT64
   * @return the array
   */
  public static NDArray of(long... values) {
    return from(values, Check.given(values, "values").length);
  }

  /**
   * An array with a copy of these values.
   *
   * @param values the elements in c order, of type INT64
   * @param shape the sizes
   * @return the array
   */
  public static NDArray from(long[] values, long... shape) {
    NDArray result = zeros(DataType.INT64, shapeFor(Check.given(values, "values").length, shape));
    MemorySegment.copy(values, 0, Native.MEMORY, ValueLayout.JAVA_LONG_UNALIGNED, result.handle.address, values.length);
    return result;
  }

  /**
   * A vector with a copy of these values.
   *
   * @param values the elements, of type INT16
   * @return the array
   */
  public static NDArray of(short... values) {
    return from(values, Check.given(values, "values").length);
  }

  /**
   * An array with a copy of these values.
   *
   * @param values the elements in c order, of type INT16
   * @param shape the sizes
   * @return the array
   */
  public static NDArray from(short[] values, long... shape) {
    NDArray result = zeros(DataType.INT16, shapeFor(Check.given(values, "values").length, shape));
    MemorySegment.copy(values, 0, Native.MEMORY, ValueLayout.JAVA_SHORT_UNALIGNED, result.handle.address, values.length);
    return result;
  }

  /**
   * A vector with a copy of these values.
   *
   * @param values the elements, of type INT8
   * @return the array
   */
  public static NDArray of(byte... values) {
    return from(values, Check.given(values, "values").length);
  }

  /**
   * An array with a copy of these values.
   *
   * @param values the elements in c order, of type INT8
   * @param shape the sizes
   * @return the array
   */
  public static NDArray from(byte[] values, long... shape) {
    NDArray result = zeros(DataType.INT8, shapeFor(Check.given(values, "values").length, shape));
    MemorySegment.copy(values, 0, Native.MEMORY, ValueLayout.JAVA_BYTE, result.handle.address, values.length);
    return result;
  }

  /**
   * A vector with a copy of these values.
   *
   * @param values the elements, of type BOOL
   * @return the array
   */
  public static NDArray of(boolean... values) {
    NDArray result = zeros(DataType.BOOL, Check.given(values, "values").length);
    for (int i = 0; i < values.length; i++) {
      Native.MEMORY.set(ValueLayout.JAVA_BOOLEAN, result.handle.address + i, values[i]);
    }
    return result;
  }

  /**
   * A matrix with a copy of these rows.
   *
   * @param rows the rows, of equal lengths; elements have type FLOAT32
   * @return the array
   */
  public static NDArray of(float[][] rows) {
    Check.allGiven(rows, "rows");
    int width = rows.length == 0 ? 0 : rows[0].length;
    NDArray result = zeros(DataType.FLOAT32, rows.length, width);
    for (int i = 0; i < rows.length; i++) {
      requireWidth(i, rows[i].length, width);
      long address = result.handle.address + 4L * i * width;
      MemorySegment.copy(rows[i], 0, Native.MEMORY, ValueLayout.JAVA_FLOAT_UNALIGNED, address, width);
    }
    return result;
  }

  /**
   * A matrix with a copy of these rows.
   *
   * @param rows the rows, of equal lengths; elements have type DOUBLE
   * @return the array
   */
  public static NDArray of(double[][] rows) {
    Check.allGiven(rows, "rows");
    int width = rows.length == 0 ? 0 : rows[0].length;
    NDArray result = zeros(DataType.DOUBLE, rows.length, width);
    for (int i = 0; i < rows.length; i++) {
      requireWidth(i, rows[i].length, width);
      long address = result.handle.address + 8L * i * width;
      MemorySegment.copy(rows[i], 0, Native.MEMORY, ValueLayout.JAVA_DOUBLE_UNALIGNED, address, width);
    }
    return result;
  }

  private static void requireWidth(int row, int length, int width) {
    if (length != width) {
      throw new NDForgeException(
          0, "", "row " + row + " has " + length + " elements, but the first one has " + width);
    }
  }

  /**
   * A vector of strings.
   *
   * @param values the elements, of type UTF8
   * @return the array
   */
  public static NDArray of(String... values) {
    Check.allGiven(values, "values");
    Frame frame = Frame.current();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pointers = arena.allocate(8L * Math.max(values.length, 1), 8);
      MemorySegment lengths = arena.allocate(8L * Math.max(values.length, 1), 8);
      for (int i = 0; i < values.length; i++) {
        byte[] bytes = values[i].getBytes(StandardCharsets.UTF_8);
        MemorySegment text = arena.allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, text, ValueLayout.JAVA_BYTE, 0, bytes.length);
        pointers.setAtIndex(ValueLayout.JAVA_LONG, i, text.address());
        lengths.setAtIndex(ValueLayout.JAVA_LONG, i, bytes.length);
      }
      long buffer =
          NDForgeException.checked(
              NativeArrays.stringArray(pointers.address(), lengths.address(), values.length, frame.place));
      return new NDArray(new Handle(buffer), Layout.at(Native.MEMORY.get(ValueLayout.JAVA_LONG, frame.place)));
    }
  }

  private static void requireBytes(MemorySegment segment, DataType type, long... shape) {
    Check.given(segment, "segment");
    Check.given(type, "type");
    long count = Layout.count(shape);
    if (type.isString() || Math.multiplyHigh(count, type.bytes()) != 0 || count * type.bytes() != segment.byteSize()) {
      throw new NDForgeException(
          0,
          "",
          "the segment has " + segment.byteSize() + " bytes, which is not what " + type + " elements of shape "
              + Arrays.toString(shape) + " take");
    }
  }

  /**
   * An array with a copy of the elements in a segment.
   *
   * @param segment the elements in c order and in the byte order of this machine
   * @param type their type
   * @param shape the sizes
   * @return the array
   */
  public static NDArray copyOf(MemorySegment segment, DataType type, long... shape) {
    requireBytes(segment, type, shape);
    NDArray result = zeros(type, shape);
    MemorySegment.copy(segment, 0, Native.MEMORY, result.handle.address, segment.byteSize());
    return result;
  }

  /**
   * An array around memory of the caller, without a copy. The memory stays as long as the array is reachable; when it
   * comes from an arena that is closed before, uses of the array are errors. The arena must not be closed while a call
   * with the array runs.
   *
   * @param segment elements outside of the Java heap, in c order and in the byte order of this machine
   * @param type their type
   * @param shape the sizes
   * @return the array
   */
  public static NDArray wrap(MemorySegment segment, DataType type, long... shape) {
    NDForge.initialise();
    requireBytes(segment, type, shape);
    if (!segment.isNative()) {
      throw new NDForgeException(0, "", "the segment is in the Java heap; copyOf takes such segments");
    }
    if (segment.isReadOnly()) {
      throw new NDForgeException(0, "", "the segment is read-only; copyOf takes such segments");
    }
    if (segment.address() % type.bytes() != 0) {
      throw new NDForgeException(
          0, "", "the address of the segment is not a multiple of " + type.bytes() + " bytes; copyOf takes it");
    }
    Layout layout = Layout.of(type, shape.clone());
    long buffer =
        NDForgeException.checked(
            NativeArrays.dbCreateExternalDataBuffer(layout.length, type.number, segment.address(), 0));
    return new NDArray(new Handle(buffer, segment), layout);
  }

  /**
   * An array around a direct buffer, from its position to its limit, without a copy. The memory stays as long as the
   * array is reachable.
   *
   * @param buffer a direct buffer in the byte order of this machine
   * @param type the type of the elements
   * @param shape the sizes
   * @return the array
   */
  public static NDArray wrap(Buffer buffer, DataType type, long... shape) {
    if (!Check.given(buffer, "buffer").isDirect()) {
      throw new NDForgeException(0, "", "the buffer is not direct; copyOf(MemorySegment.ofBuffer(buffer), …) takes it");
    }
    boolean swapped =
        switch (buffer) {
          case java.nio.ShortBuffer b -> b.order() != ByteOrder.nativeOrder();
          case java.nio.IntBuffer b -> b.order() != ByteOrder.nativeOrder();
          case java.nio.LongBuffer b -> b.order() != ByteOrder.nativeOrder();
          case java.nio.FloatBuffer b -> b.order() != ByteOrder.nativeOrder();
          case java.nio.DoubleBuffer b -> b.order() != ByteOrder.nativeOrder();
          default -> false;
        };
    if (swapped) {
      throw new NDForgeException(0, "", "the buffer does not have the byte order of this machine");
    }
    return wrap(MemorySegment.ofBuffer(buffer), type, shape);
  }

  /**
   * The integers from 0 on.
   *
   * @param count how many
   * @return a vector of type INT64
   */
  public static NDArray arange(long count) {
    NDArray result = zeros(DataType.INT64, count);
    for (long i = 0; i < count; i++) {
      Native.MEMORY.set(ValueLayout.JAVA_LONG, result.handle.address + 8 * i, i);
    }
    return result;
  }

  // ---- files

  /**
   * The array of a .npy file.
   *
   * @param file the file
   * @return the array
   */
  public static NDArray load(Path file) {
    return ArrayFiles.load(file, ".npy").values().iterator().next();
  }

  /**
   * The arrays of a .npz file by their names.
   *
   * @param file the file
   * @return the arrays in the order of their names
   */
  public static Map<String, NDArray> loadAll(Path file) {
    return ArrayFiles.load(file, ".npz");
  }

  /**
   * Writes a .npy file, completely or not at all.
   *
   * @param file the file
   */
  public void save(Path file) {
    ArrayFiles.save(file, ".npy", Map.of("", this));
  }

  /**
   * Writes a .npz file, completely or not at all.
   *
   * @param file the file
   * @param arrays the arrays by their names
   */
  public static void saveAll(Path file, Map<String, NDArray> arrays) {
    ArrayFiles.save(file, ".npz", arrays);
  }

  // ---- copies

  /**
   * A dense copy.
   *
   * @return the copy
   */
  public NDArray copy() {
    requireOpen();
    if (layout.type.isString()) {
      return Ops.call("identity", this).first();
    }
    return layout.length == 0 ? zeros(layout.type, layout.shape) : Ops.call("cast", this).with("dtype", layout.type).first();
  }

  /**
   * A dense copy with elements of another type.
   *
   * @param type the type
   * @return the copy
   */
  public NDArray cast(DataType type) {
    Check.given(type, "type");
    requireOpen();
    if (type != layout.type && (type.isString() || layout.type.isString())) {
      throw new NDForgeException(0, "", "elements of type " + layout.type + " cannot become " + type);
    }
    return layout.length == 0 ? zeros(type, layout.shape) : Ops.call("cast", this).with("dtype", type).first();
  }

  // ---- comparing and printing

  /**
   * Whether another array has the same shape, and elements that differ by at most a tolerance. NaN equals NaN.
   *
   * @param other the other array
   * @param tolerance the largest difference
   * @return true when they are equal so far
   */
  public boolean equalsWithin(NDArray other, double tolerance) {
    if (!Arrays.equals(layout.shape, Check.given(other, "other").layout.shape)) {
      return false;
    }
    if (layout.type.isString() || other.layout.type.isString()) {
      return layout.type.isString() && other.layout.type.isString()
          && Arrays.equals(toStringArray(), other.toStringArray());
    }
    double[] x = toDoubleArray();
    double[] y = other.toDoubleArray();
    for (int i = 0; i < x.length; i++) {
      boolean same = x[i] == y[i] || Math.abs(x[i] - y[i]) <= tolerance || Double.isNaN(x[i]) && Double.isNaN(y[i]);
      if (!same) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether another array has the same type and shape and equal elements.
   *
   * @param other the other array
   * @return true when nothing differs
   */
  @Override
  public boolean equals(Object other) {
    return other == this
        || other instanceof NDArray array
            && layout.type == array.layout.type
            && Arrays.equals(layout.shape, array.layout.shape)
            && (layout.type == DataType.INT64 || layout.type == DataType.UINT64
                ? Arrays.equals(toLongArray(), array.toLongArray())
                : equalsWithin(array, 0));
  }

  /** Follows from the type and the shape: elements may change. */
  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(layout.shape) + layout.type.hashCode();
  }

  /**
   * The elements in nested brackets, as the library prints them.
   *
   * @return the text
   */
  @Override
  public String toString() {
    return toString(-1);
  }

  /**
   * The first elements in nested brackets, as the library prints them.
   *
   * @param limit how many elements; -1 for all
   * @return the text
   */
  public String toString(long limit) {
    if (handle.isClosed()) {
      return "closed array " + layout.type + Arrays.toString(layout.shape);
    }
    handle.acquire();
    try {
      long text = NDForgeException.checked(NativeArrays.arrayText(handle.buffer, layout.address, limit));
      try {
        return Native.text(text);
      } finally {
        NativeArrays.deleteCharArray(text);
      }
    } finally {
      handle.release();
    }
  }
}
