package org.ndforge;

/**
 * What {@link NDArray#get(Slice...)} takes of an axis.
 *
 * @param kind what the numbers mean
 * @param begin the first index, or the only one; negative ones count from the end
 * @param end the index behind the last one
 * @param step the distance of indices, above 0
 */
public record Slice(Kind kind, long begin, long end, long step) {
  /**
   * A slice; the functions of this class make them.
   *
   * @param kind what the numbers mean
   * @param begin the first index, or the only one; negative ones count from the end
   * @param end the index behind the last one
   * @param step the distance of indices, above 0
   */
  public Slice {
    Check.given(kind, "kind");
    if (step <= 0) {
      throw new NDForgeException(0, "", "the step " + step + " of a slice is not above 0");
    }
  }

  /** What a slice takes. */
  public enum Kind {
    /** All indices. */
    ALL,
    /** One index: the axis disappears. */
    AT,
    /** Indices from begin to before end. */
    RANGE,
    /** None: a new axis of size 1. */
    NEW_AXIS
  }

  /**
   * All indices of the axis.
   *
   * @return the slice
   */
  public static Slice all() {
    return new Slice(Kind.ALL, 0, 0, 1);
  }

  /**
   * One index; the result is without the axis.
   *
   * @param index the index; negative ones count from the end
   * @return the slice
   */
  public static Slice at(long index) {
    return new Slice(Kind.AT, index, 0, 1);
  }

  /**
   * Some indices.
   *
   * @param begin the first one; negative ones count from the end
   * @param end the one behind the last one; negative ones count from the end
   * @return the slice
   */
  public static Slice range(long begin, long end) {
    return new Slice(Kind.RANGE, begin, end, 1);
  }

  /**
   * Some indices.
   *
   * @param begin the first one; negative ones count from the end
   * @param end the one behind the last one; negative ones count from the end
   * @param step the distance between them, above 0
   * @return the slice
   */
  public static Slice range(long begin, long end, long step) {
    return new Slice(Kind.RANGE, begin, end, step);
  }

  /**
   * A new axis of size 1.
   *
   * @return the slice
   */
  public static Slice newAxis() {
    return new Slice(Kind.NEW_AXIS, 0, 0, 1);
  }
}
