package org.ndforge;

import java.lang.foreign.ValueLayout;
import org.ndforge.internal.Native;

/** Reads and writes single elements at addresses. */
final class Elements {
  private Elements() {}

  private static NDForgeException noNumber(DataType type) {
    return new NDForgeException(0, "", "elements of type " + type + " are no numbers");
  }

  static double getDouble(DataType type, long address) {
    return switch (type) {
      case DOUBLE -> Native.MEMORY.get(ValueLayout.JAVA_DOUBLE, address);
      case FLOAT32 -> Native.MEMORY.get(ValueLayout.JAVA_FLOAT, address);
      case HALF -> Float.float16ToFloat(Native.MEMORY.get(ValueLayout.JAVA_SHORT, address));
      case BFLOAT16 -> Float.intBitsToFloat(Native.MEMORY.get(ValueLayout.JAVA_SHORT, address) << 16);
      case UINT64 -> {
        long bits = Native.MEMORY.get(ValueLayout.JAVA_LONG, address);
        // The lowest bit takes part in rounding.
        yield bits >= 0 ? bits : ((bits >>> 1) | (bits & 1)) * 2.0;
      }
      default -> getLong(type, address);
    };
  }

  static long getLong(DataType type, long address) {
    return switch (type) {
      case BOOL -> Native.MEMORY.get(ValueLayout.JAVA_BYTE, address) != 0 ? 1 : 0;
      case INT8 -> Native.MEMORY.get(ValueLayout.JAVA_BYTE, address);
      case UINT8 -> Native.MEMORY.get(ValueLayout.JAVA_BYTE, address) & 0xFFL;
      case INT16 -> Native.MEMORY.get(ValueLayout.JAVA_SHORT, address);
      case UINT16 -> Native.MEMORY.get(ValueLayout.JAVA_SHORT, address) & 0xFFFFL;
      case INT32 -> Native.MEMORY.get(ValueLayout.JAVA_INT, address);
      case UINT32 -> Native.MEMORY.get(ValueLayout.JAVA_INT, address) & 0xFFFFFFFFL;
      case INT64, UINT64 -> Native.MEMORY.get(ValueLayout.JAVA_LONG, address);
      case HALF, BFLOAT16, FLOAT32, DOUBLE -> (long) getDouble(type, address);
      default -> throw noNumber(type);
    };
  }

  static void set(DataType type, long address, double value) {
    switch (type) {
      case DOUBLE -> Native.MEMORY.set(ValueLayout.JAVA_DOUBLE, address, value);
      case FLOAT32 -> Native.MEMORY.set(ValueLayout.JAVA_FLOAT, address, (float) value);
      case HALF -> Native.MEMORY.set(ValueLayout.JAVA_SHORT, address, Float.floatToFloat16((float) value));
      case BFLOAT16 -> Native.MEMORY.set(ValueLayout.JAVA_SHORT, address, bfloat16((float) value));
      case BOOL -> Native.MEMORY.set(ValueLayout.JAVA_BYTE, address, (byte) (value != 0 ? 1 : 0));
      case UINT64 ->
          // 2^63: what is above has the sign bit of a long.
          Native.MEMORY.set(
              ValueLayout.JAVA_LONG,
              address,
              value >= 0x1p63 ? (long) (value - 0x1p63) + Long.MIN_VALUE : (long) value);
      default -> setLong(type, address, (long) value);
    }
  }

  static void setLong(DataType type, long address, long value) {
    switch (type) {
      case INT8, UINT8 -> Native.MEMORY.set(ValueLayout.JAVA_BYTE, address, (byte) value);
      case INT16, UINT16 -> Native.MEMORY.set(ValueLayout.JAVA_SHORT, address, (short) value);
      case INT32, UINT32 -> Native.MEMORY.set(ValueLayout.JAVA_INT, address, (int) value);
      case INT64, UINT64 -> Native.MEMORY.set(ValueLayout.JAVA_LONG, address, value);
      case BOOL, HALF, BFLOAT16, FLOAT32, DOUBLE -> set(type, address, value);
      default -> throw noNumber(type);
    }
  }

  /** Rounds to nearest, ties to even. */
  private static short bfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return (short) (bits >>> 16 | 0x40);
    }
    return (short) (bits + 0x7FFF + (bits >>> 16 & 1) >>> 16);
  }
}
