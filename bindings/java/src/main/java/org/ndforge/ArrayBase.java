package org.ndforge;

import java.lang.ref.Cleaner;

/** What an array is: type, shape and strides, and the buffer with its elements. */
abstract sealed class ArrayBase implements AutoCloseable permits ArrayElements {
  final Handle handle;
  final Layout layout;
  private final Cleaner.Cleanable cleanable;

  ArrayBase(Handle handle, Layout layout) {
    this.handle = handle;
    this.layout = layout;
    this.cleanable = Frame.CLEANER.register(this, handle);
  }

  /** For what does not touch the elements. */
  final void requireOpen() {
    handle.acquire();
    handle.release();
  }

  final NDArray self() {
    return (NDArray) this;
  }

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
}
