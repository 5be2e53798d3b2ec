package org.ndforge.internal;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.ndforge.internal.Native.failed;
import static org.ndforge.internal.Native.procedure;
import static org.ndforge.internal.Native.returning;
import static org.ndforge.internal.Native.shortCall;

import java.lang.invoke.MethodHandle;

/** Functions of the C interface for buffers, shapes, strings, and files of arrays, with their C names: see {@link Native}. */
public final class NativeArrays {
  private NativeArrays() {}

  private static final MethodHandle ALLOCATE_DATA_BUFFER =
      returning(JAVA_LONG, "allocateDataBuffer", JAVA_LONG, JAVA_INT, JAVA_BOOLEAN);

  /** The C function of this name. */
  public static long allocateDataBuffer(long a, int b, boolean c) {
    try {
      return (long) ALLOCATE_DATA_BUFFER.invokeExact(a, b, c);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DB_CREATE_EXTERNAL_DATA_BUFFER =
      returning(JAVA_LONG, "dbCreateExternalDataBuffer", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static long dbCreateExternalDataBuffer(long a, int b, long c, long d) {
    try {
      return (long) DB_CREATE_EXTERNAL_DATA_BUFFER.invokeExact(a, b, c, d);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DB_CREATE_VIEW =
      returning(JAVA_LONG, "dbCreateView", JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static long dbCreateView(long a, long b, long c) {
    try {
      return (long) DB_CREATE_VIEW.invokeExact(a, b, c);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DB_PRIMARY_BUFFER = shortCall(JAVA_LONG, "dbPrimaryBuffer", JAVA_LONG);

  /** The C function of this name. */
  public static long dbPrimaryBuffer(long a) {
    try {
      return (long) DB_PRIMARY_BUFFER.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DB_OFFSET = shortCall(JAVA_LONG, "dbOffset", JAVA_LONG);

  /** The C function of this name. */
  public static long dbOffset(long a) {
    try {
      return (long) DB_OFFSET.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DELETE_DATA_BUFFER = procedure("deleteDataBuffer", JAVA_LONG);

  /** The C function of this name. */
  public static void deleteDataBuffer(long a) {
    try {
      DELETE_DATA_BUFFER.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SHAPE_BUFFER_EX =
      returning(JAVA_LONG, "shapeBufferEx", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_BYTE, JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static long shapeBufferEx(int a, long b, long c, int d, byte e, long f, long g) {
    try {
      return (long) SHAPE_BUFFER_EX.invokeExact(a, b, c, d, e, f, g);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_CONSTANT_SHAPE_BUFFER_PRIMARY =
      returning(JAVA_LONG, "getConstantShapeBufferPrimary", JAVA_LONG);

  /** The C function of this name. */
  public static long getConstantShapeBufferPrimary(long a) {
    try {
      return (long) GET_CONSTANT_SHAPE_BUFFER_PRIMARY.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DELETE_CONSTANT_SHAPE_BUFFER = procedure("deleteConstantShapeBuffer", JAVA_LONG);

  /** The C function of this name. */
  public static void deleteConstantShapeBuffer(long a) {
    try {
      DELETE_CONSTANT_SHAPE_BUFFER.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SHAPE_INFO_DATA_TYPE = returning(JAVA_INT, "shapeInfoDataType", JAVA_LONG);

  /** The C function of this name. */
  public static int shapeInfoDataType(long a) {
    try {
      return (int) SHAPE_INFO_DATA_TYPE.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle ARRAY_TEXT = returning(JAVA_LONG, "arrayText", JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static long arrayText(long a, long b, long c) {
    try {
      return (long) ARRAY_TEXT.invokeExact(a, b, c);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle ARRAY_STRINGS =
      returning(JAVA_LONG, "arrayStrings", JAVA_LONG, JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static long arrayStrings(long a, long b, long c) {
    try {
      return (long) ARRAY_STRINGS.invokeExact(a, b, c);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle STRING_ARRAY =
      returning(JAVA_LONG, "stringArray", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);

  /** The C function of this name. */
  public static long stringArray(long a, long b, int c, long d) {
    try {
      return (long) STRING_ARRAY.invokeExact(a, b, c, d);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DELETE_CHAR_ARRAY = procedure("deleteCharArray", JAVA_LONG);

  /** The C function of this name. */
  public static void deleteCharArray(long a) {
    try {
      DELETE_CHAR_ARRAY.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DELETE_LONG_ARRAY = procedure("deleteLongArray", JAVA_LONG);

  /** The C function of this name. */
  public static void deleteLongArray(long a) {
    try {
      DELETE_LONG_ARRAY.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle LOAD_ARRAYS = returning(JAVA_LONG, "loadArrays", JAVA_LONG);

  /** The C function of this name. */
  public static long loadArrays(long a) {
    try {
      return (long) LOAD_ARRAYS.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SAVE_ARRAYS =
      returning(JAVA_INT, "saveArrays", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);

  /** The C function of this name. */
  public static int saveArrays(long a, long b, long c, long d, int e) {
    try {
      return (int) SAVE_ARRAYS.invokeExact(a, b, c, d, e);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_VARIABLES_SET_SIZE = returning(JAVA_LONG, "getVariablesSetSize", JAVA_LONG);

  /** The C function of this name. */
  public static long getVariablesSetSize(long a) {
    try {
      return (long) GET_VARIABLES_SET_SIZE.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_VARIABLE = returning(JAVA_LONG, "getVariable", JAVA_LONG, JAVA_LONG);

  /** The C function of this name. */
  public static long getVariable(long a, long b) {
    try {
      return (long) GET_VARIABLE.invokeExact(a, b);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_VARIABLE_NAME = returning(JAVA_LONG, "getVariableName", JAVA_LONG);

  /** The C function of this name. */
  public static long getVariableName(long a) {
    try {
      return (long) GET_VARIABLE_NAME.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_VARIABLE_SHAPE = returning(JAVA_LONG, "getVariableShape", JAVA_LONG);

  /** The C function of this name. */
  public static long getVariableShape(long a) {
    try {
      return (long) GET_VARIABLE_SHAPE.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle GET_VARIABLE_DATA_BUFFER = returning(JAVA_LONG, "getVariableDataBuffer", JAVA_LONG);

  /** The C function of this name. */
  public static long getVariableDataBuffer(long a) {
    try {
      return (long) GET_VARIABLE_DATA_BUFFER.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle DELETE_VARIABLES_SET = procedure("deleteVariablesSet", JAVA_LONG);

  /** The C function of this name. */
  public static void deleteVariablesSet(long a) {
    try {
      DELETE_VARIABLES_SET.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }
}
