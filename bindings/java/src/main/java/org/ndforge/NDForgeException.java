package org.ndforge;

import org.ndforge.internal.Native;
import org.ndforge.internal.NativeSettings;

/** A call that the library refused, or that failed. Nothing has been written to its outputs. */
public class NDForgeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The status of a call whose arrays or arguments do not fit the operation. */
  public static final int VALIDATION = 20;

  /** The code of errors of other functions. */
  public static final int ERROR = 1;

  /** The status of the call. */
  private final int code;

  /** What failed; may be empty. */
  private final String operation;

  /** Whether memory was lacking. */
  private final boolean outOfMemory;

  NDForgeException(int code, String operation, String message) {
    this(code, operation, message, false);
  }

  NDForgeException(int code, String operation, String message, boolean outOfMemory) {
    super(message);
    this.code = code;
    this.operation = operation;
    this.outOfMemory = outOfMemory;
  }

  /**
   * The status of the call.
   *
   * @return the status; 0 for errors that were found before the library was called
   */
  public int code() {
    return code;
  }

  /**
   * The operation that failed, or the function of the library.
   *
   * @return the name; empty when none is known
   */
  public String operation() {
    return operation;
  }

  /**
   * Whether memory ran out, or the limit of {@link Memory} was reached.
   *
   * @return true for a lack of memory
   */
  public boolean isOutOfMemory() {
    return outOfMemory;
  }

  /** The error that the library has stored for this thread, which is forgotten then. */
  static NDForgeException stored(int status) {
    boolean memory = NativeSettings.lastErrorIsMemory();
    String message = Native.text(NativeSettings.lastErrorMessage());
    if (message == null || message.isEmpty()) {
      message = "the call failed with status " + status;
    }
    String operation = "";
    int end = message.indexOf(']');
    if (message.startsWith("[") && end > 0) {
      operation = message.substring(1, end);
    }
    return new NDForgeException(status == 0 ? ERROR : status, operation, message, memory);
  }

  /** Throws the stored error if there is one. */
  static void check() {
    if (NativeSettings.lastErrorCode() != 0) {
      throw stored(ERROR);
    }
  }

  /** The pointer, or the stored error for 0. */
  static long checked(long pointer) {
    if (pointer == 0) {
      throw stored(ERROR);
    }
    return pointer;
  }
}
