package org.ndforge;

import java.lang.ref.Cleaner;
import java.util.function.LongConsumer;

/** An object of the library that a Java object stands for; freed when that is closed or nobody refers to it. */
final class Owned extends Resource {
  final long pointer;
  private final LongConsumer deleter;
  private Cleaner.Cleanable cleanable;

  private Owned(String what, long pointer, LongConsumer deleter) {
    super(what);
    this.pointer = pointer;
    this.deleter = deleter;
  }

  static Owned by(Object owner, String what, long pointer, LongConsumer deleter) {
    Owned owned = new Owned(what, NDForgeException.checked(pointer), deleter);
    owned.cleanable = Frame.CLEANER.register(owner, owned);
    return owned;
  }

  @Override
  void free() {
    deleter.accept(pointer);
  }

  void close() {
    cleanable.clean();
  }
}
