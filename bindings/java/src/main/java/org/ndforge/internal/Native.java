package org.ndforge.internal;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * What the classes of C functions share: {@link NativeSettings}, {@link NativeArrays}, {@link NativeCalls} and {@link
 * NativeGraphs}. Pointers are longs: a MemorySegment for each argument would cost more than the shortest of these calls.
 * The handles are constants, so that the compiler inlines the calls.
 */
public final class Native {
  private Native() {}

  /** All of the process's memory, for reads and writes at addresses. */
  public static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final SymbolLookup LIBRARY = Library.load();
  private static final Linker LINKER = Linker.nativeLinker();

  private static MethodHandle find(String name, FunctionDescriptor type, Linker.Option... options) {
    MemorySegment function =
        LIBRARY
            .find(name)
            .orElseThrow(
                () ->
                    new UnsatisfiedLinkError(
                        "the library " + Library.path() + " has no function " + name + ": its version does not fit"));
    return LINKER.downcallHandle(function, type, options);
  }

  /** A function with a result. */
  static MethodHandle returning(MemoryLayout result, String name, MemoryLayout... arguments) {
    return find(name, FunctionDescriptor.of(result, arguments));
  }

  /** A function that runs without a change of the thread's state: it neither blocks nor calls back. */
  static MethodHandle shortCall(MemoryLayout result, String name, MemoryLayout... arguments) {
    return find(name, FunctionDescriptor.of(result, arguments), Linker.Option.critical(false));
  }

  /** A function without a result. */
  static MethodHandle procedure(String name, MemoryLayout... arguments) {
    return find(name, FunctionDescriptor.ofVoid(arguments));
  }

  /** What a function throws; C functions throw nothing. */
  static RuntimeException failed(Throwable cause) {
    return switch (cause) {
      case RuntimeException exception -> exception;
      case Error error -> throw error;
      default -> new IllegalStateException(cause);
    };
  }

  /** The bytes of a C string, decoded from UTF-8; null for 0. */
  public static String text(long address) {
    if (address == 0) {
      return null;
    }
    return MEMORY.getString(address, StandardCharsets.UTF_8);
  }
}
