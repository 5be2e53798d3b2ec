package org.ndforge;

import org.ndforge.internal.NativeSettings;

/**
 * The memory of arrays, which is outside of the Java heap. The library counts it, temporary arrays of operations included,
 * and refuses to take more than the limit. The limit is at first that of the Java heap (-Xmx), or {@code
 * -Dndforge.maxBytes}. Before an allocation fails, the garbage collector runs, so that arrays that nobody refers to are
 * freed.
 */
public final class Memory {
  private static final int COLLECTIONS = 9;

  private Memory() {}

  static void initialise() {
    String named = System.getProperty("ndforge.maxBytes");
    NativeSettings.setMemoryLimit(named == null || named.isEmpty() ? Runtime.getRuntime().maxMemory() : parsed(named));
    NDForgeException.check();
  }

  private static long parsed(String text) {
    try {
      long unit =
          switch (Character.toLowerCase(text.charAt(text.length() - 1))) {
            case 'k' -> 1L << 10;
            case 'm' -> 1L << 20;
            case 'g' -> 1L << 30;
            default -> 1;
          };
      return Math.multiplyExact(unit, Long.parseLong(unit == 1 ? text : text.substring(0, text.length() - 1)));
    } catch (NumberFormatException | ArithmeticException exception) {
      throw new IllegalArgumentException("-Dndforge.maxBytes=" + text + " is no number of bytes, such as 512m");
    }
  }

  /**
   * What all arrays take.
   *
   * @return bytes
   */
  public static long used() {
    NDForge.initialise();
    return NativeSettings.allocatedMemory();
  }

  /**
   * What they may take.
   *
   * @return bytes; 0 when there is no limit
   */
  public static long limit() {
    NDForge.initialise();
    return NativeSettings.memoryLimit();
  }

  /**
   * Sets the limit.
   *
   * @param bytes the limit; 0 for none
   */
  public static void setLimit(long bytes) {
    NDForge.initialise();
    NativeSettings.setMemoryLimit(bytes);
    NDForgeException.check();
  }

  /**
   * Runs the garbage collector until the arrays that it finds are freed.
   *
   * @return whether memory became free
   */
  public static boolean reclaim() {
    long before = used();
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      try {
        // The cleaner is another thread.
        Thread.sleep(1L << i);
      } catch (InterruptedException exception) {
        Thread.currentThread().interrupt();
        return used() < before;
      }
      if (used() < before) {
        return true;
      }
    }
    return false;
  }

  /** Runs a call, and once more when memory was lacking and could be reclaimed. */
  static <T> T retried(java.util.function.Supplier<T> call) {
    try {
      return call.get();
    } catch (NDForgeException exception) {
      if (!exception.isOutOfMemory() || !reclaim()) {
        throw exception;
      }
      return call.get();
    }
  }
}
