package org.ndforge;

/** A call of an operation that is known by its name alone: {@link Ops#call(String, Operand...)}. */
public final class AnyCall extends Call<AnyCall> {
  AnyCall(Operation operation, Operand... inputs) {
    super(operation, inputs);
  }

  /**
   * Runs the operation on arrays.
   *
   * @return the first output
   * @throws NDForgeException when the call does not fit the operation; nothing has been written then
   */
  public NDArray run() {
    return first();
  }
}
