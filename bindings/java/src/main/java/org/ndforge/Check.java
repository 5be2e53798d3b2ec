package org.ndforge;

/** Checks of what callers give. */
final class Check {
  private Check() {}

  /** The value; an exception for null. */
  static <T> T given(T value, String what) {
    if (value == null) {
      throw new NDForgeException(0, "", what + " is null");
    }
    return value;
  }

  /** The values; an exception when one of them, or all, are null. */
  static <T> T[] allGiven(T[] values, String what) {
    given(values, what);
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null) {
        throw new NDForgeException(0, "", what + "[" + i + "] is null");
      }
    }
    return values;
  }
}
