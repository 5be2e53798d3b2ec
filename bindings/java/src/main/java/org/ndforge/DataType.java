package org.ndforge;

/** The types of elements. */
public enum DataType {
  /** Truth values, a byte each. */
  BOOL(1, 1),
  /** 16-bit floating-point numbers of IEEE 754. */
  HALF(3, 2),
  /** 32-bit floating-point numbers. */
  FLOAT32(5, 4),
  /** 64-bit floating-point numbers. */
  DOUBLE(6, 8),
  /** 8-bit integers. */
  INT8(7, 1),
  /** 16-bit integers. */
  INT16(8, 2),
  /** 32-bit integers. */
  INT32(9, 4),
  /** 64-bit integers. */
  INT64(10, 8),
  /** 8-bit integers without a sign. */
  UINT8(11, 1),
  /** 16-bit integers without a sign. */
  UINT16(12, 2),
  /** 32-bit integers without a sign. */
  UINT32(13, 4),
  /** 64-bit integers without a sign. */
  UINT64(14, 8),
  /** The upper half of 32-bit floating-point numbers. */
  BFLOAT16(17, 2),
  /** Complex numbers: two FLOAT32, the real and the imaginary part. */
  COMPLEX64(18, 8),
  /** Complex numbers: two DOUBLE, the real and the imaginary part. */
  COMPLEX128(19, 16),
  /** Strings in UTF-8. */
  UTF8(50, 0),
  /** Strings in UTF-16. */
  UTF16(51, 0),
  /** Strings in UTF-32. */
  UTF32(52, 0);

  private static final DataType[] BY_NUMBER = new DataType[53];

  static {
    for (DataType type : values()) {
      BY_NUMBER[type.number] = type;
    }
  }

  final int number;
  private final int bytes;

  DataType(int number, int bytes) {
    this.number = number;
    this.bytes = bytes;
  }

  /**
   * The number of the type in the C interface.
   *
   * @return the number
   */
  public int number() {
    return number;
  }

  /**
   * The size of an element.
   *
   * @return bytes; 0 for strings
   */
  public int bytes() {
    return bytes;
  }

  /**
   * Whether elements are floating-point numbers.
   *
   * @return true for HALF, BFLOAT16, FLOAT32 and DOUBLE
   */
  public boolean isReal() {
    return this == HALF || this == BFLOAT16 || this == FLOAT32 || this == DOUBLE;
  }

  /**
   * Whether elements are complex numbers. `real` and `imag` of {@link Ops} give their parts.
   *
   * @return true for COMPLEX64 and COMPLEX128
   */
  public boolean isComplex() {
    return this == COMPLEX64 || this == COMPLEX128;
  }

  /**
   * Whether elements are strings.
   *
   * @return true for UTF8, UTF16 and UTF32
   */
  public boolean isString() {
    return bytes == 0;
  }

  private boolean isUnsigned() {
    return this == UINT8 || this == UINT16 || this == UINT32 || this == UINT64;
  }

  /** BOOL, integers, real numbers. */
  private int kind() {
    return this == BOOL ? 0 : isReal() ? 2 : 1;
  }

  /**
   * The type in which arrays of two types meet: the other one for BOOL; the real one for an integer and a real type; the
   * wider of two real types, FLOAT32 for HALF and BFLOAT16; COMPLEX64 for a complex type and another one, COMPLEX128 when one of them
   * is that or DOUBLE; for integers the smallest type that holds the values of both,
   * DOUBLE when there is none.
   *
   * @param other the other type
   * @return the common type; null when the types differ and one is of strings
   */
  public DataType commonWith(DataType other) {
    if (this == Check.given(other, "other")) {
      return this;
    }
    if (isString() || other.isString()) {
      return null;
    }
    if (isComplex() || other.isComplex()) {
      boolean wide = this == COMPLEX128 || other == COMPLEX128 || this == DOUBLE || other == DOUBLE;
      return wide ? COMPLEX128 : COMPLEX64;
    }
    if (kind() != other.kind()) {
      return kind() > other.kind() ? this : other;
    }
    DataType larger = bytes >= other.bytes ? this : other;
    if (isReal()) {
      return bytes == other.bytes ? FLOAT32 : larger;
    }
    if (isUnsigned() == other.isUnsigned() || bytes != other.bytes && !larger.isUnsigned()) {
      return larger;
    }
    return switch (larger.bytes) {
      case 1 -> INT16;
      case 2 -> INT32;
      case 4 -> INT64;
      default -> DOUBLE;
    };
  }

  static DataType of(int number) {
    DataType type = number < 0 || number >= BY_NUMBER.length ? null : BY_NUMBER[number];
    if (type == null) {
      throw new NDForgeException(0, "", "there is no element type with the number " + number);
    }
    return type;
  }
}
