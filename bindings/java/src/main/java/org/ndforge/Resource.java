package org.ndforge;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Something of the library that is to be freed. Who uses it says so before and after, so that a thread that closes it while
 * another one uses it does not take it away: the last of them frees it.
 */
abstract class Resource implements Runnable {
  private static final int CLOSED = 1 << 30;
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Resource.class, "state", int.class);
    } catch (ReflectiveOperationException exception) {
      throw new ExceptionInInitializerError(exception);
    }
  }

  private final String what;

  /** The number of users, and whether it is closed. */
  @SuppressWarnings("unused") // read and written by STATE
  private volatile int state;

  Resource(String what) {
    this.what = what;
  }

  abstract void free();

  /** Between acquire() and release() it stays. */
  void acquire() {
    int before;
    do {
      before = (int) STATE.getOpaque(this);
      if ((before & CLOSED) != 0) {
        throw new NDForgeException(0, "", "the " + what + " is closed");
      }
    } while (!STATE.weakCompareAndSet(this, before, before + 1));
  }

  final void release() {
    int before = (int) STATE.getAndAdd(this, -1);
    if (before == (CLOSED | 1)) {
      free();
    }
  }

  final boolean isClosed() {
    return ((int) STATE.getAcquire(this) & CLOSED) != 0;
  }

  /** Closes it: frees it, or leaves that to the last one who uses it. */
  @Override
  public final void run() {
    int before = (int) STATE.getAndBitwiseOr(this, CLOSED);
    if (before == 0) {
      free();
    }
  }
}
