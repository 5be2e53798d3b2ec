package org.ndforge.internal;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.ndforge.internal.Native.failed;
import static org.ndforge.internal.Native.procedure;
import static org.ndforge.internal.Native.returning;
import static org.ndforge.internal.Native.shortCall;

import java.lang.invoke.MethodHandle;

/** Functions of the C interface for the state of the process and of the thread: errors, memory, threads, with their C names: see {@link Native}. */
public final class NativeSettings {
  private NativeSettings() {}

  private static final MethodHandle LAST_ERROR_CODE = shortCall(JAVA_INT, "lastErrorCode");

  /** The C function of this name. */
  public static int lastErrorCode() {
    try {
      return (int) LAST_ERROR_CODE.invokeExact();
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle LAST_ERROR_MESSAGE = shortCall(JAVA_LONG, "lastErrorMessage");

  /** The C function of this name. */
  public static long lastErrorMessage() {
    try {
      return (long) LAST_ERROR_MESSAGE.invokeExact();
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle LAST_ERROR_IS_MEMORY = shortCall(JAVA_BOOLEAN, "lastErrorIsMemory");

  /** The C function of this name. */
  public static boolean lastErrorIsMemory() {
    try {
      return (boolean) LAST_ERROR_IS_MEMORY.invokeExact();
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle ALLOCATED_MEMORY = shortCall(JAVA_LONG, "allocatedMemory");

  /** The C function of this name. */
  public static long allocatedMemory() {
    try {
      return (long) ALLOCATED_MEMORY.invokeExact();
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle MEMORY_LIMIT = shortCall(JAVA_LONG, "memoryLimit");

  /** The C function of this name. */
  public static long memoryLimit() {
    try {
      return (long) MEMORY_LIMIT.invokeExact();
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SET_MEMORY_LIMIT = procedure("setMemoryLimit", JAVA_LONG);

  /** The C function of this name. */
  public static void setMemoryLimit(long a) {
    try {
      SET_MEMORY_LIMIT.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle OMP_GET_MAX_THREADS = returning(JAVA_INT, "ompGetMaxThreads");

  /** The C function of this name. */
  public static int ompGetMaxThreads() {
    try {
      return (int) OMP_GET_MAX_THREADS.invokeExact();
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }

  private static final MethodHandle SET_OMP_NUM_THREADS = procedure("setOmpNumThreads", JAVA_INT);

  /** The C function of this name. */
  public static void setOmpNumThreads(int a) {
    try {
      SET_OMP_NUM_THREADS.invokeExact(a);
    } catch (Throwable cause) {
      throw failed(cause);
    }
  }
}
