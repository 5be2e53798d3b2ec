package org.ndforge;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ndforge.internal.NativeArrays;

/** Other shapes and parts of an array, on the same memory. */
abstract sealed class ArrayViews extends ArrayElements permits ArrayArithmetic {
  ArrayViews(Handle handle, Layout layout) {
    super(handle, layout);
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

  /** An array on the same memory, whose first element is so many elements behind this one's. */
  NDArray view(Layout of, long elements) {
    if (of.type.isString()) {
      throw new NDForgeException(0, "", "arrays of strings have no views");
    }
    handle.acquire();
    try {
      long offset = NativeArrays.dbOffset(handle.buffer) + elements * of.type.bytes();
      long buffer = NDForgeException.checked(NativeArrays.dbCreateView(handle.buffer, of.extent(), offset));
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
    Check.allGiven(slices, "slices");
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
          if (end < begin && begin <= size && end >= 0) {
            throw new NDForgeException(
                0,
                "",
                "the range " + slice.begin() + ".." + slice.end() + " of axis " + axis + " ends before it begins (shape "
                    + Arrays.toString(layout.shape) + ")");
          }
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
      requireOpen();
      return NDArray.zeros(layout.type, shape);
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
    Check.given(axes, "axes");
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
    requireOpen();
    return layout.length == 0 ? NDArray.zeros(layout.type, shape) : view(Layout.strided(layout.type, shape, strides), 0);
  }

  /**
   * The same elements with another shape: a view of a dense array, and a copy of others.
   *
   * @param shape the sizes; one of them may be -1, which stands for what is left
   * @return the array
   */
  public NDArray reshape(long... shape) {
    long[] sizes = Check.given(shape, "the shape").clone();
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
      requireOpen();
      return NDArray.zeros(layout.type, sizes);
    }
    Layout of = Layout.of(layout.type, sizes);
    if (layout.isDense) {
      return view(of, 0);
    }
    try (NDArray dense = self().copy()) {
      return dense.view(of, 0);
    }
  }
}
