package org.ndforge;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Cleaner;
import java.nio.Buffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.ndforge.internal.Native;

/**
 * An array of any number of dimensions, whose elements are in memory outside of the Java heap. {@link #close()} frees it
 * at once; otherwise it is freed when the garbage collector finds that nobody refers to it. Views share the memory of the
 * array that they come from, which stays until the last of them is closed.
 *
 * <p>Several threads may read an array at once. An array that is closed while another thread computes with it stays until
 * that is done; later uses are errors.
 */
public final class NDArray implements Operand, AutoCloseable {
  final Handle handle;
  final Layout layout;
  private final Cleaner.Cleanable cleanable;

  NDArray(Handle handle, Layout layout) {
    this.handle = handle;
    this.layout = layout;
    this.cleanable = Frame.CLEANER.register(this, handle);
  }

  /** A buffer for a layout; the garbage collector runs when memory is lacking. */
  static NDArray allocate(Layout layout) {
    NDForge.initialise();
    long buffer = Native.allocateDataBuffer(layout.length, layout.type.number, false);
    if (buffer == 0) {
      NDForgeException exception = NDForgeException.stored(NDForgeException.ERROR);
      if (!exception.isOutOfMemory() || !Memory.reclaim()) {
        throw exception;
      }
      buffer = NDForgeException.checked(Native.allocateDataBuffer(layout.length, layout.type.number, false));
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
    if (type.isString()) {
      throw new NDForgeException(0, "", "strings have no zeros; NDArray.of(String...) makes arrays of strings");
    }
    NDForge.initialise();
    return allocate(Layout.of(type, shape.clone()));
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
    return from(values, values.length);
  }

  /**
   * An array with a copy of these values.
   *
   * @param values the elements in c order, of type FLOAT32
   * @param shape the sizes
   * @return the array
   */
  public static NDArray from(float[] values, long... shape) {
    NDArray result = zeros(DataType.FLOAT32, shapeFor(values.length, shape));
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
    return from(values, values.length);
  }

  /**
   * An array with a copy of these values.
   *
   * @param values the elements in c order, of type DOUBLE
   * @param shape the sizes
   * @return the array
   */
  public static NDArray from(double[] values, long... shape) {
    NDArray result = zeros(DataType.DOUBLE, shapeFor(values.length, shape));
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
    return from(values, values.length);
  }

  /**
   * An array with a copy of these values.
   *
   * @param values the elements in c order, of type INT32
   * @param shape the sizes
   * @return the array
   */
  public static NDArray from(int[] values, long... shape) {
    NDArray result = zeros(DataType.INT32, shapeFor(values.length, shape));
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
    return from(values, values.length);
  }

  /**
   * An array with a copy of these values.
   *
   * @param values the elements in c order, of type INT64
   * @param shape the sizes
   * @return the array
   */
  public static NDArray from(long[] values, long... shape) {
    NDArray result = zeros(DataType.INT64, shapeFor(values.length, shape));
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
    return from(values, values.length);
  }

  /**
   * An array with a copy of these values.
   *
   * @param values the elements in c order, of type INT16
   * @param shape the sizes
   * @return the array
   */
  public static NDArray from(short[] values, long... shape) {
    NDArray result = zeros(DataType.INT16, shapeFor(values.length, shape));
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
    return from(values, values.length);
  }

  /**
   * An array with a copy of these values.
   *
   * @param values the elements in c order, of type INT8
   * @param shape the sizes
   * @return the array
   */
  public static NDArray from(byte[] values, long... shape) {
    NDArray result = zeros(DataType.INT8, shapeFor(values.length, shape));
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
    NDArray result = zeros(DataType.BOOL, values.length);
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
              Native.stringArray(pointers.address(), lengths.address(), values.length, frame.place));
      return new NDArray(new Handle(buffer), Layout.at(Native.MEMORY.get(ValueLayout.JAVA_LONG, frame.place)));
    }
  }

  private static void requireBytes(MemorySegment segment, DataType type, long... shape) {
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
            Native.dbCreateExternalDataBuffer(layout.length, type.number, segment.address(), 0));
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
    if (!buffer.isDirect()) {
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
    return loadAll(file, ".npy").values().iterator().next();
  }

  /**
   * The arrays of a .npz file by their names.
   *
   * @param file the file
   * @return the arrays in the order of their names
   */
  public static Map<String, NDArray> loadAll(Path file) {
    return loadAll(file, ".npz");
  }

  private static Map<String, NDArray> loadAll(Path file, String ending) {
    NDForge.initialise();
    if (!file.toString().endsWith(ending)) {
      throw new NDForgeException(0, "", "the name of " + file + " does not end with " + ending);
    }
    try (Arena arena = Arena.ofConfined()) {
      long path = arena.allocateFrom(file.toString()).address();
      return Memory.retried(() -> arraysOf(NDForgeException.checked(Native.loadArrays(path))));
    }
  }

  /** The arrays of a set, which is deleted. */
  static Map<String, NDArray> arraysOf(long set) {
    Map<String, NDArray> arrays = new LinkedHashMap<>();
    try {
      long count = Native.getVariablesSetSize(set);
      for (long i = 0; i < count; i++) {
        long variable = NDForgeException.checked(Native.getVariable(set, i));
        long layout = NDForgeException.checked(Native.getVariableShape(variable));
        String name = Native.text(Native.getVariableName(variable));
        long buffer = NDForgeException.checked(Native.getVariableDataBuffer(variable));
        NDArray array = new NDArray(new Handle(buffer), Layout.at(layout));
        arrays.put(name.isEmpty() || arrays.containsKey(name) ? name + "#" + i : name, array);
      }
    } finally {
      Native.deleteVariablesSet(set);
    }
    return arrays;
  }

  /**
   * Writes a .npy file, completely or not at all.
   *
   * @param file the file
   */
  public void save(Path file) {
    if (!file.toString().endsWith(".npy")) {
      throw new NDForgeException(0, "", "the name of " + file + " does not end with .npy");
    }
    save(file, Map.of("", this));
  }

  /**
   * Writes a .npz file, completely or not at all.
   *
   * @param file the file
   * @param arrays the arrays by their names
   */
  public static void saveAll(Path file, Map<String, NDArray> arrays) {
    if (!file.toString().endsWith(".npz")) {
      throw new NDForgeException(0, "", "the name of " + file + " does not end with .npz");
    }
    save(file, arrays);
  }

  private static void save(Path file, Map<String, NDArray> arrays) {
    NDForge.initialise();
    try (Feeds feeds = new Feeds(arrays)) {
      long path = feeds.text(file.toString());
      if (Native.saveArrays(path, feeds.names, feeds.buffers, feeds.layouts, feeds.count) != 0) {
        throw NDForgeException.stored(NDForgeException.ERROR);
      }
    }
  }

  // ---- what it is

  /**
   * The type of the elements.
   *
   * @return the type
   */
  public DataType type() {
    return layout.type;
  }

  /**
   * The number of dimensions.
   *
   * @return 0 for scalars
   */
  public int rank() {
    return layout.shape.length;
  }

  /**
   * The sizes.
   *
   * @return a copy
   */
  public long[] shape() {
    return layout.shape.clone();
  }

  /**
   * The size of an axis.
   *
   * @param axis the axis; negative ones count from the end
   * @return its size
   */
  public long size(int axis) {
    return layout.shape[layout.axis(axis)];
  }

  /**
   * The distances between neighbours along the axes.
   *
   * @return a copy, counted in elements
   */
  public long[] strides() {
    return layout.strides.clone();
  }

  /**
   * The number of elements.
   *
   * @return the product of the sizes
   */
  public long length() {
    return layout.length;
  }

  /**
   * Whether there are no elements.
   *
   * @return true when a size is 0
   */
  public boolean isEmpty() {
    return layout.length == 0;
  }

  /**
   * Whether the array was closed.
   *
   * @return true after {@link #close()}
   */
  public boolean isClosed() {
    return handle.isClosed();
  }

  /** Frees the memory, unless views of it are open. Closing an array twice does nothing. */
  @Override
  public void close() {
    cleanable.clean();
  }

  // ---- elements

  private long place(long... index) {
    long[] shape = layout.shape;
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
   * Makes all elements equal.
   *
   * @param value the elements, which are converted to the type of the array
   * @return this array
   */
  public NDArray fill(double value) {
    return layout.length == 0 ? this : scalarInto(COPY, value, this);
  }

  /**
   * Copies the elements of another array, which is broadcast to the shape of this one.
   *
   * @param source the other array
   * @return this array
   */
  public NDArray assign(NDArray source) {
    Ops.call("assign", this, source).into(this).results();
    return this;
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
      long text = NDForgeException.checked(Native.arrayStrings(handle.buffer, layout.address, frame.place));
      long lengths = Native.MEMORY.get(ValueLayout.JAVA_LONG, frame.place);
      String[] result = new String[Math.toIntExact(layout.length)];
      long at = text;
      for (int i = 0; i < result.length; i++) {
        byte[] bytes = new byte[Math.toIntExact(Native.MEMORY.get(ValueLayout.JAVA_LONG, lengths + 8L * i))];
        MemorySegment.copy(Native.MEMORY, ValueLayout.JAVA_BYTE, at, bytes, 0, bytes.length);
        result[i] = new String(bytes, StandardCharsets.UTF_8);
        at += bytes.length;
      }
      Native.deleteCharArray(text);
      Native.deleteLongArray(lengths);
      return result;
    } finally {
      handle.release();
    }
  }

  private interface Reader<T> {
    T read(long address, int count);
  }

  /** Reads the elements as a dense block of a type. */
  private <T> T read(DataType type, Reader<T> reader) {
    if (layout.length > Integer.MAX_VALUE - 8) {
      throw new NDForgeException(0, "", "the array has " + layout.length + " elements, more than a Java array");
    }
    if (layout.type.isString()) {
      throw new NDForgeException(0, "", "the elements are strings; toStringArray reads them");
    }
    if (layout.length != 0 && (layout.type != type || !layout.isDense)) {
      try (NDArray dense = cast(type)) {
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

  /**
   * The memory of the elements. It stays as long as the segment is reachable, also after this array is closed.
   *
   * @return the elements, in the byte order of this machine; strides() says where each of them is
   */
  public MemorySegment segment() {
    handle.acquire();
    try {
      NDArray view = view(layout, 0);
      return MemorySegment.ofAddress(handle.address)
          .reinterpret(layout.extent(), Arena.ofAuto(), closed -> view.close());
    } finally {
      handle.release();
    }
  }

  // ---- views

  /** An array on the same memory, whose first element is so many elements behind this one's. */
  private NDArray view(Layout of, long elements) {
    if (of.type.isString()) {
      throw new NDForgeException(0, "", "arrays of strings have no views");
    }
    handle.acquire();
    try {
      long offset = Native.dbOffset(handle.buffer) + elements * of.type.bytes();
      long buffer = NDForgeException.checked(Native.dbCreateView(handle.buffer, of.extent(), offset));
      return new NDArray(new Handle(buffer, handle.foreign()), of);
    } finally {
      handle.release();
    }
  }

  /**
   * A part of this array as a view: changes of one are seen in the other. Axes that are not named are taken as a whole.
   *
   * @param slices what is taken of the axes, from the first one on
   * @return the view
   */
  public NDArray get(Slice... slices) {
    int rank = rank();
    int named = 0;
    int added = 0;
    int dropped = 0;
    for (Slice slice : slices) {
      added += slice.kind() == Slice.Kind.NEW_AXIS ? 1 : 0;
      named += slice.kind() == Slice.Kind.NEW_AXIS ? 0 : 1;
      dropped += slice.kind() == Slice.Kind.AT ? 1 : 0;
    }
    if (named > rank) {
      throw new NDForgeException(
          0, "", named + " axes are indexed of the shape " + Arrays.toString(layout.shape));
    }
    long[] shape = new long[rank + added - dropped];
    long[] strides = new long[shape.length];
    long offset = 0;
    int axis = 0;
    int to = 0;
    for (Slice slice : slices) {
      switch (slice.kind()) {
        case NEW_AXIS -> {
          shape[to] = 1;
          strides[to++] = 1;
        }
        case ALL -> {
          shape[to] = layout.shape[axis];
          strides[to++] = layout.strides[axis++];
        }
        case AT -> {
          long size = layout.shape[axis];
          long index = slice.begin() < 0 ? slice.begin() + size : slice.begin();
          if (index < 0 || index >= size) {
            throw new NDForgeException(
                0,
                "",
                "index " + slice.begin() + " of axis " + axis + " is outside 0.." + (size - 1) + " (shape "
                    + Arrays.toString(layout.shape) + ")");
          }
          offset += index * layout.strides[axis++];
        }
        default -> {
          long size = layout.shape[axis];
          long begin = slice.begin() < 0 ? slice.begin() + size : slice.begin();
          long end = slice.end() < 0 ? slice.end() + size : slice.end();
          if (begin < 0 || begin > size || end < begin || end > size) {
            throw new NDForgeException(
                0,
                "",
                "the range " + slice.begin() + ".." + slice.end() + " of axis " + axis + " does not lie in 0.." + size
                    + " (shape " + Arrays.toString(layout.shape) + ")");
          }
          shape[to] = (end - begin + slice.step() - 1) / slice.step();
          offset += shape[to] == 0 ? 0 : begin * layout.strides[axis];
          strides[to++] = slice.step() >= size ? 1 : layout.strides[axis] * slice.step();
          axis++;
        }
      }
    }
    for (; axis < rank; axis++) {
      shape[to] = layout.shape[axis];
      strides[to++] = layout.strides[axis];
    }
    if (Layout.count(shape) == 0) {
      return zeros(layout.type, shape);
    }
    return view(Layout.strided(layout.type, shape, strides), offset);
  }

  /**
   * The part with an index of the first axis, as a view.
   *
   * @param index the index; negative ones count from the end
   * @return the view, which is without the first axis
   */
  public NDArray get(long index) {
    return get(Slice.at(index));
  }

  /**
   * Reorders the axes, as a view.
   *
   * @param axes the axes of this array in the order of the result's; none reverse the order
   * @return the view
   */
  public NDArray transpose(int... axes) {
    int rank = rank();
    if (axes.length != 0 && axes.length != rank) {
      throw new NDForgeException(
          0, "", axes.length + " axes are given for the shape " + Arrays.toString(layout.shape));
    }
    long[] shape = new long[rank];
    long[] strides = new long[rank];
    boolean[] seen = new boolean[rank];
    for (int i = 0; i < rank; i++) {
      int axis = axes.length == 0 ? rank - 1 - i : layout.axis(axes[i]);
      if (seen[axis]) {
        throw new NDForgeException(0, "", "axis " + axis + " occurs twice in " + Arrays.toString(axes));
      }
      seen[axis] = true;
      shape[i] = layout.shape[axis];
      strides[i] = layout.strides[axis];
    }
    return layout.length == 0 ? zeros(layout.type, shape) : view(Layout.strided(layout.type, shape, strides), 0);
  }

  /**
   * The same elements with another shape: a view of a dense array, and a copy of others.
   *
   * @param shape the sizes; one of them may be -1, which stands for what is left
   * @return the array
   */
  public NDArray reshape(long... shape) {
    long[] sizes = shape.clone();
    int open = -1;
    long known = 1;
    for (int i = 0; i < sizes.length; i++) {
      if (sizes[i] == -1) {
        if (open >= 0) {
          throw new NDForgeException(0, "", "the shape " + Arrays.toString(shape) + " has two unknown sizes");
        }
        open = i;
      } else {
        known *= sizes[i];
      }
    }
    if (open >= 0) {
      sizes[open] = known == 0 ? 0 : layout.length / known;
    }
    if (Layout.count(sizes) != layout.length) {
      throw new NDForgeException(
          0,
          "",
          "the shape " + Arrays.toString(layout.shape) + " cannot become " + Arrays.toString(shape)
              + ": it has " + layout.length + " elements");
    }
    if (layout.length == 0) {
      return zeros(layout.type, sizes);
    }
    Layout of = Layout.of(layout.type, sizes);
    if (layout.isDense) {
      return view(of, 0);
    }
    try (NDArray dense = copy()) {
      return dense.view(of, 0);
    }
  }

  // ---- computing

  private static final int COPY = NDForge.number("scalar.CopyPws");
  private static final int ADD = NDForge.number("pairwise.Add");
  private static final int SUBTRACT = NDForge.number("pairwise.Subtract");
  private static final int MULTIPLY = NDForge.number("pairwise.Multiply");
  private static final int DIVIDE = NDForge.number("pairwise.Divide");
  private static final int ADD_NUMBER = NDForge.number("scalar.Add");
  private static final int SUBTRACT_NUMBER = NDForge.number("scalar.Subtract");
  private static final int MULTIPLY_NUMBER = NDForge.number("scalar.Multiply");
  private static final int DIVIDE_NUMBER = NDForge.number("scalar.Divide");

  /**
   * A dense copy.
   *
   * @return the copy
   */
  public NDArray copy() {
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
    return layout.length == 0 ? zeros(type, layout.shape) : Ops.call("cast", this).with("dtype", type).first();
  }

  /** An operation on two arrays in their common type. */
  private NDArray meeting(String operation, NDArray y) {
    DataType common = layout.type.commonWith(y.layout.type);
    if (common == null || layout.type == y.layout.type) {
      return Ops.call(operation, this, y).first();
    }
    try (NDArray left = layout.type == common ? null : cast(common);
        NDArray right = y.layout.type == common ? null : y.cast(common)) {
      return Ops.call(operation, left == null ? this : left, right == null ? y : right).first();
    }
  }

  /** An operation on the elements of two arrays, which the library has by number for equal shapes and types. */
  private NDArray pairwise(int number, String operation, NDArray y) {
    if (layout.type != y.layout.type
        || layout != y.layout && !Arrays.equals(layout.shape, y.layout.shape)
        || layout.length == 0
        || layout.type == DataType.BOOL
        || layout.type.isString()) {
      return meeting(operation, y);
    }
    NDArray z = allocate(layout.dense());
    try {
      pairwiseInto(number, y, z);
    } catch (Throwable failure) {
      z.close();
      throw failure;
    }
    return z;
  }

  private void pairwiseInto(int number, NDArray y, NDArray z) {
    handle.acquire();
    try {
      y.handle.acquire();
      try {
        Native.execPairwiseTransform(
            0,
            number,
            handle.buffer,
            layout.address,
            0,
            y.handle.buffer,
            y.layout.address,
            0,
            z.handle.buffer,
            z.layout.address,
            0,
            0);
        NDForgeException.check();
      } finally {
        y.handle.release();
      }
    } finally {
      handle.release();
    }
  }

  /** Whether a number beside this array makes its elements real numbers. */
  private boolean becomesReal(double value) {
    return layout.type == DataType.BOOL || !layout.type.isReal() && value != Math.rint(value);
  }

  private NDArray withNumber(int number, String operation, double value) {
    if (becomesReal(value) || layout.length == 0 || layout.type.isString()) {
      try (NDArray y = number(value)) {
        return meeting(operation, y);
      }
    }
    return scalarInto(number, value, null);
  }

  /** z = op(this, value); z is made when it is null. */
  private NDArray scalarInto(int number, double value, NDArray given) {
    Frame frame = Frame.current();
    Elements.set(layout.type, frame.scalarAddress, value);
    NDArray z = given == null ? allocate(layout.dense()) : given;
    handle.acquire();
    try {
      Native.execScalar(
          0,
          number,
          handle.buffer,
          layout.address,
          0,
          z.handle.buffer,
          z.layout.address,
          0,
          frame.scalarBuffer,
          layout.scalar().address,
          0,
          0);
      NDForgeException.check();
    } catch (Throwable failure) {
      if (given == null) {
        z.close();
      }
      throw failure;
    } finally {
      handle.release();
    }
    return z;
  }

  private NDArray pairwiseHere(int number, String operation, NDArray y) {
    if (layout.type == y.layout.type && Arrays.equals(layout.shape, y.layout.shape) && layout.length != 0
        && layout.type != DataType.BOOL && !layout.type.isString()) {
      pairwiseInto(number, y, this);
    } else {
      Ops.call(operation, this, y).into(this).results();
    }
    return this;
  }

  private NDArray numberHere(int number, double value) {
    if (becomesReal(value)) {
      throw new NDForgeException(
          0, "", "the result with " + value + " is no " + layout.type + ", which the array in place has");
    }
    return layout.length == 0 ? this : scalarInto(number, value, this);
  }

  /**
   * The sum x + y. Shapes broadcast; the type is the common one of both.
   *
   * @param y the other operand
   * @return a new array
   */
  public NDArray add(NDArray y) {
    return pairwise(ADD, "add", y);
  }

  /**
   * The sum x + y.
   *
   * @param y a number, which takes the type of this array; with a fraction beside integers, the result is DOUBLE
   * @return a new array
   */
  public NDArray add(double y) {
    return withNumber(ADD_NUMBER, "add", y);
  }

  /**
   * The same as add(y), but the result is written to this array.
   *
   * @param y the other operand, which is broadcast to the shape of this array
   * @return this array
   */
  public NDArray addi(NDArray y) {
    return pairwiseHere(ADD, "add", y);
  }

  /**
   * The same as add(y), but the result is written to this array.
   *
   * @param y a number
   * @return this array
   */
  public NDArray addi(double y) {
    return numberHere(ADD_NUMBER, y);
  }

  /**
   * The difference x - y. Shapes broadcast; the type is the common one of both.
   *
   * @param y the other operand
   * @return a new array
   */
  public NDArray sub(NDArray y) {
    return pairwise(SUBTRACT, "subtract", y);
  }

  /**
   * The difference x - y.
   *
   * @param y a number, which takes the type of this array; with a fraction beside integers, the result is DOUBLE
   * @return a new array
   */
  public NDArray sub(double y) {
    return withNumber(SUBTRACT_NUMBER, "subtract", y);
  }

  /**
   * The same as sub(y), but the result is written to this array.
   *
   * @param y the other operand, which is broadcast to the shape of this array
   * @return this array
   */
  public NDArray subi(NDArray y) {
    return pairwiseHere(SUBTRACT, "subtract", y);
  }

  /**
   * The same as sub(y), but the result is written to this array.
   *
   * @param y a number
   * @return this array
   */
  public NDArray subi(double y) {
    return numberHere(SUBTRACT_NUMBER, y);
  }

  /**
   * The product x * y of elements. Shapes broadcast; the type is the common one of both.
   *
   * @param y the other operand
   * @return a new array
   */
  public NDArray mul(NDArray y) {
    return pairwise(MULTIPLY, "multiply", y);
  }

  /**
   * The product x * y of elements.
   *
   * @param y a number, which takes the type of this array; with a fraction beside integers, the result is DOUBLE
   * @return a new array
   */
  public NDArray mul(double y) {
    return withNumber(MULTIPLY_NUMBER, "multiply", y);
  }

  /**
   * The same as mul(y), but the result is written to this array.
   *
   * @param y the other operand, which is broadcast to the shape of this array
   * @return this array
   */
  public NDArray muli(NDArray y) {
    return pairwiseHere(MULTIPLY, "multiply", y);
  }

  /**
   * The same as mul(y), but the result is written to this array.
   *
   * @param y a number
   * @return this array
   */
  public NDArray muli(double y) {
    return numberHere(MULTIPLY_NUMBER, y);
  }

  /**
   * The quotient x / y of elements. Shapes broadcast; the type is the common one of both.
   *
   * @param y the other operand
   * @return a new array
   */
  public NDArray div(NDArray y) {
    return pairwise(DIVIDE, "divide", y);
  }

  /**
   * The quotient x / y of elements.
   *
   * @param y a number, which takes the type of this array; with a fraction beside integers, the result is DOUBLE
   * @return a new array
   */
  public NDArray div(double y) {
    return withNumber(DIVIDE_NUMBER, "divide", y);
  }

  /**
   * The same as div(y), but the result is written to this array.
   *
   * @param y the other operand, which is broadcast to the shape of this array
   * @return this array
   */
  public NDArray divi(NDArray y) {
    return pairwiseHere(DIVIDE, "divide", y);
  }

  /**
   * The same as div(y), but the result is written to this array.
   *
   * @param y a number
   * @return this array
   */
  public NDArray divi(double y) {
    return numberHere(DIVIDE_NUMBER, y);
  }

  private NDArray number(double value) {
    return scalar(becomesReal(value) ? DataType.DOUBLE : layout.type, value);
  }

  /**
   * Powers x^y of elements.
   *
   * @param y the other operand; shapes broadcast
   * @return a new array
   */
  public NDArray pow(NDArray y) {
    return meeting("Pow", y);
  }

  /**
   * Powers x^y of elements.
   *
   * @param y a number
   * @return a new array
   */
  public NDArray pow(double y) {
    try (NDArray scalar = number(y)) {
      return pow(scalar);
    }
  }

  /**
   * The larger one of each two elements.
   *
   * @param y the other operand; shapes broadcast
   * @return a new array
   */
  public NDArray max(NDArray y) {
    return meeting("maximum", y);
  }

  /**
   * The larger one of each two elements.
   *
   * @param y a number
   * @return a new array
   */
  public NDArray max(double y) {
    try (NDArray scalar = number(y)) {
      return max(scalar);
    }
  }

  /**
   * The smaller one of each two elements.
   *
   * @param y the other operand; shapes broadcast
   * @return a new array
   */
  public NDArray min(NDArray y) {
    return meeting("minimum", y);
  }

  /**
   * The smaller one of each two elements.
   *
   * @param y a number
   * @return a new array
   */
  public NDArray min(double y) {
    try (NDArray scalar = number(y)) {
      return min(scalar);
    }
  }

  /**
   * Where x is greater than y: an array of type BOOL.
   *
   * @param y the other operand; shapes broadcast
   * @return a new array
   */
  public NDArray gt(NDArray y) {
    return meeting("greater", y);
  }

  /**
   * Where x is greater than y: an array of type BOOL.
   *
   * @param y a number
   * @return a new array
   */
  public NDArray gt(double y) {
    try (NDArray scalar = number(y)) {
      return gt(scalar);
    }
  }

  /**
   * Where x is at least y: an array of type BOOL.
   *
   * @param y the other operand; shapes broadcast
   * @return a new array
   */
  public NDArray gte(NDArray y) {
    return meeting("greater_equal", y);
  }

  /**
   * Where x is at least y: an array of type BOOL.
   *
   * @param y a number
   * @return a new array
   */
  public NDArray gte(double y) {
    try (NDArray scalar = number(y)) {
      return gte(scalar);
    }
  }

  /**
   * Where x is less than y: an array of type BOOL.
   *
   * @param y the other operand; shapes broadcast
   * @return a new array
   */
  public NDArray lt(NDArray y) {
    return meeting("less", y);
  }

  /**
   * Where x is less than y: an array of type BOOL.
   *
   * @param y a number
   * @return a new array
   */
  public NDArray lt(double y) {
    try (NDArray scalar = number(y)) {
      return lt(scalar);
    }
  }

  /**
   * Where x is at most y: an array of type BOOL.
   *
   * @param y the other operand; shapes broadcast
   * @return a new array
   */
  public NDArray lte(NDArray y) {
    return meeting("less_equal", y);
  }

  /**
   * Where x is at most y: an array of type BOOL.
   *
   * @param y a number
   * @return a new array
   */
  public NDArray lte(double y) {
    try (NDArray scalar = number(y)) {
      return lte(scalar);
    }
  }

  /**
   * Where x equals y: an array of type BOOL.
   *
   * @param y the other operand; shapes broadcast
   * @return a new array
   */
  public NDArray eq(NDArray y) {
    return meeting("equals", y);
  }

  /**
   * Where x equals y: an array of type BOOL.
   *
   * @param y a number
   * @return a new array
   */
  public NDArray eq(double y) {
    try (NDArray scalar = number(y)) {
      return eq(scalar);
    }
  }

  /**
   * Where x does not equal y: an array of type BOOL.
   *
   * @param y the other operand; shapes broadcast
   * @return a new array
   */
  public NDArray neq(NDArray y) {
    return meeting("not_equals", y);
  }

  /**
   * Where x does not equal y: an array of type BOOL.
   *
   * @param y a number
   * @return a new array
   */
  public NDArray neq(double y) {
    try (NDArray scalar = number(y)) {
      return neq(scalar);
    }
  }

  /**
   * The negative elements -x.
   *
   * @return a new array
   */
  public NDArray neg() {
    return Ops.call("transform.Neg", this).first();
  }

  /**
   * The absolute values.
   *
   * @return a new array
   */
  public NDArray abs() {
    return Ops.call("transform.Abs", this).first();
  }

  /**
   * The square roots.
   *
   * @return a new array
   */
  public NDArray sqrt() {
    return Ops.call("transform.Sqrt", this).first();
  }

  /**
   * The exponentials e^x.
   *
   * @return a new array
   */
  public NDArray exp() {
    return Ops.call("transform.Exp", this).first();
  }

  /**
   * The natural logarithms.
   *
   * @return a new array
   */
  public NDArray log() {
    return Ops.call("transform.Log", this).first();
  }

  /**
   * The hyperbolic tangents.
   *
   * @return a new array
   */
  public NDArray tanh() {
    return Ops.call("tanh", this).first();
  }

  /**
   * The logistic function 1 / (1 + e^-x).
   *
   * @return a new array
   */
  public NDArray sigmoid() {
    return Ops.call("sigmoid", this).first();
  }

  /**
   * The elements above 0, and 0 for others.
   *
   * @return a new array
   */
  public NDArray relu() {
    return Ops.call("relu", this).first();
  }

  /**
   * The product of matrices, or of stacks of them.
   *
   * @param y the right factor
   * @return a new array
   */
  public NDArray matmul(NDArray y) {
    return Ops.call("matmul", this, y).first();
  }

  private NDArray reduced(String operation, int... axes) {
    // The library takes no axes as all of them, but not of empty arrays.
    boolean all = axes.length == 0 && layout.length == 0;
    long[] wide = new long[all ? rank() : axes.length];
    for (int i = 0; i < wide.length; i++) {
      wide[i] = all ? i : axes[i];
    }
    return Ops.call(operation, this).with("axis", wide).first();
  }

  /**
   * Sums of elements.
   *
   * @param axes the axes to reduce; none for all of them
   * @return a new array, without these axes
   */
  public NDArray sum(int... axes) {
    return reduced("reduce_sum", axes);
  }

  /**
   * Means of elements.
   *
   * @param axes the axes to reduce; none for all of them
   * @return a new array, without these axes
   */
  public NDArray mean(int... axes) {
    return reduced("reduce_mean", axes);
  }

  /**
   * The largest elements.
   *
   * @param axes the axes to reduce; none for all of them
   * @return a new array, without these axes
   */
  public NDArray max(int... axes) {
    return reduced("reduce_max", axes);
  }

  /**
   * The smallest elements.
   *
   * @param axes the axes to reduce; none for all of them
   * @return a new array, without these axes
   */
  public NDArray min(int... axes) {
    return reduced("reduce_min", axes);
  }

  /**
   * Products of elements.
   *
   * @param axes the axes to reduce; none for all of them
   * @return a new array, without these axes
   */
  public NDArray prod(int... axes) {
    return reduced("reduce_prod", axes);
  }

  /**
   * Variances of elements: the mean squares of their differences from the mean.
   *
   * @param axes the axes to reduce; none for all of them
   * @return a new array, without these axes
   */
  public NDArray variance(int... axes) {
    return reduced("reduce_variance", axes);
  }

  /**
   * Standard deviations: the square roots of the variances.
   *
   * @param axes the axes to reduce; none for all of them
   * @return a new array, without these axes
   */
  public NDArray standardDeviation(int... axes) {
    return reduced("reduce_stdev", axes);
  }

  /**
   * Sums of absolute values.
   *
   * @param axes the axes to reduce; none for all of them
   * @return a new array, without these axes
   */
  public NDArray norm1(int... axes) {
    return reduced("reduce_norm1", axes);
  }

  /**
   * Square roots of the sums of squares.
   *
   * @param axes the axes to reduce; none for all of them
   * @return a new array, without these axes
   */
  public NDArray norm2(int... axes) {
    return reduced("reduce_norm2", axes);
  }

  /**
   * The positions of the largest elements, of type INT64.
   *
   * @param axes the axes to reduce; none for all of them
   * @return a new array, without these axes
   */
  public NDArray argmax(int... axes) {
    return reduced("argmax", axes);
  }

  /**
   * The positions of the smallest elements, of type INT64.
   *
   * @param axes the axes to reduce; none for all of them
   * @return a new array, without these axes
   */
  public NDArray argmin(int... axes) {
    return reduced("argmin", axes);
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
    if (!Arrays.equals(layout.shape, other.layout.shape)) {
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
      long text = NDForgeException.checked(Native.arrayText(handle.buffer, layout.address, limit));
      try {
        return Native.text(text);
      } finally {
        Native.deleteCharArray(text);
      }
    } finally {
      handle.release();
    }
  }
}
