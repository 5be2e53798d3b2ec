package org.ndforge;

import java.util.Arrays;
import org.ndforge.internal.NativeCalls;

/** Arithmetic on arrays, for which the library has short ways, and what writes into an array. */
abstract sealed class ArrayArithmetic extends ArrayViews permits ArrayFunctions {
  static final int COPY = NDForge.number("scalar.CopyPws");
  private static final int ADD = NDForge.number("pairwise.Add");
  private static final int SUBTRACT = NDForge.number("pairwise.Subtract");
  private static final int MULTIPLY = NDForge.number("pairwise.Multiply");
  private static final int DIVIDE = NDForge.number("pairwise.Divide");
  private static final int ADD_NUMBER = NDForge.number("scalar.Add");
  private static final int SUBTRACT_NUMBER = NDForge.number("scalar.Subtract");
  private static final int MULTIPLY_NUMBER = NDForge.number("scalar.Multiply");
  private static final int DIVIDE_NUMBER = NDForge.number("scalar.Divide");

  ArrayArithmetic(Handle handle, Layout layout) {
    super(handle, layout);
  }

  /** An operation on two arrays in their common type. */
  NDArray meeting(String operation, NDArray y) {
    Check.given(y, "y");
    DataType common = layout.type.commonWith(y.layout.type);
    if (common == null || layout.type == y.layout.type) {
      return Ops.call(operation, self(), y).first();
    }
    try (NDArray left = layout.type == common ? null : self().cast(common);
        NDArray right = y.layout.type == common ? null : y.cast(common)) {
      return Ops.call(operation, left == null ? self() : left, right == null ? y : right).first();
    }
  }

  /** An operation on the elements of two arrays, which the library has by number for equal shapes and types. */
  private NDArray pairwise(int number, String operation, NDArray y) {
    Check.given(y, "y");
    if (layout.type != y.layout.type
        || layout != y.layout && !Arrays.equals(layout.shape, y.layout.shape)
        || layout.length == 0
        || layout.type == DataType.BOOL
        || layout.type.isString()) {
      return meeting(operation, y);
    }
    NDArray z = NDArray.allocate(layout.dense());
    try {
      pairwiseInto(number, y, z);
    } catch (Throwable failure) {
      z.close();
      throw failure;
    }
    return z;
  }

  private void pairwiseInto(int number, NDArray y, NDArray z) {
    handle.acquire();
    try {
      y.handle.acquire();
      try {
        NativeCalls.execPairwiseTransform(
            0,
            number,
            handle.buffer,
            layout.address,
            0,
            y.handle.buffer,
            y.layout.address,
            0,
            z.handle.buffer,
            z.layout.address,
            0,
            0);
        NDForgeException.check();
      } finally {
        y.handle.release();
      }
    } finally {
      handle.release();
    }
  }

  /** Whether a number beside this array makes its elements real numbers. */
  private boolean becomesReal(double value) {
    return layout.type == DataType.BOOL || !layout.type.isReal() && !layout.type.isComplex() && value != Math.rint(value);
  }

  private NDArray withNumber(int number, String operation, double value) {
    if (becomesReal(value) || layout.length == 0 || layout.type.isString()) {
      try (NDArray y = number(value)) {
        return meeting(operation, y);
      }
    }
    return scalarInto(number, value, null);
  }

  /** z = op(this, value); z is made when it is null. */
  private NDArray scalarInto(int number, double value, NDArray given) {
    Frame frame = Frame.current();
    Elements.set(layout.type, frame.scalarAddress, value);
    NDArray z = given == null ? NDArray.allocate(layout.dense()) : given;
    handle.acquire();
    try {
      NativeCalls.execScalar(
          0,
          number,
          handle.buffer,
          layout.address,
          0,
          z.handle.buffer,
          z.layout.address,
          0,
          frame.scalarBuffer,
          layout.scalar().address,
          0,
          0);
      NDForgeException.check();
    } catch (Throwable failure) {
      if (given == null) {
        z.close();
      }
      throw failure;
    } finally {
      handle.release();
    }
    return z;
  }

  private NDArray pairwiseHere(int number, String operation, NDArray y) {
    Check.given(y, "y");
    if (layout.type == y.layout.type && Arrays.equals(layout.shape, y.layout.shape) && layout.length != 0
        && layout.type != DataType.BOOL && !layout.type.isString()) {
      pairwiseInto(number, y, self());
    } else {
      Ops.call(operation, self(), y).into(self()).results();
    }
    return self();
  }

  NDArray numberHere(int number, double value) {
    if (becomesReal(value)) {
      throw new NDForgeException(
          0, "", "the result with " + value + " is no " + layout.type + ", which the array in place has");
    }
    requireOpen();
    return layout.length == 0 ? self() : scalarInto(number, value, self());
  }

  /**
   * The sum x + y. Shapes broadcast; the type is the common one of both.
   *
   * @param y the other operand
   * @return a new array
   */
  public NDArray add(NDArray y) {
    return pairwise(ADD, "add", y);
  }

  /**
   * The sum x + y.
   *
   * @param y a number, which takes the type of this array; with a fraction beside integers, the result is DOUBLE
   * @return a new array
   */
  public NDArray add(double y) {
    return withNumber(ADD_NUMBER, "add", y);
  }

  /**
   * The same as add(y), but the result is written to this array.
   *
   * @param y the other operand, which is broadcast to the shape of this array
   * @return this array
   */
  public NDArray addi(NDArray y) {
    return pairwiseHere(ADD, "add", y);
  }

  /**
   * The same as add(y), but the result is written to this array.
   *
   * @param y a number
   * @return this array
   */
  public NDArray addi(double y) {
    return numberHere(ADD_NUMBER, y);
  }

  /**
   * The difference x - y. Shapes broadcast; the type is the common one of both.
   *
   * @param y the other operand
   * @return a new array
   */
  public NDArray sub(NDArray y) {
    return pairwise(SUBTRACT, "subtract", y);
  }

  /**
   * The difference x - y.
   *
   * @param y a number, which takes the type of this array; with a fraction beside integers, the result is DOUBLE
   * @return a new array
   */
  public NDArray sub(double y) {
    return withNumber(SUBTRACT_NUMBER, "subtract", y);
  }

  /**
   * The same as sub(y), but the result is written to this array.
   *
   * @param y the other operand, which is broadcast to the shape of this array
   * @return this array
   */
  public NDArray subi(NDArray y) {
    return pairwiseHere(SUBTRACT, "subtract", y);
  }

  /**
   * The same as sub(y), but the result is written to this array.
   *
   * @param y a number
   * @return this array
   */
  public NDArray subi(double y) {
    return numberHere(SUBTRACT_NUMBER, y);
  }

  /**
   * The product x * y of elements. Shapes broadcast; the type is the common one of both.
   *
   * @param y the other operand
   * @return a new array
   */
  public NDArray mul(NDArray y) {
    return pairwise(MULTIPLY, "multiply", y);
  }

  /**
   * The product x * y of elements.
   *
   * @param y a number, which takes the type of this array; with a fraction beside integers, the result is DOUBLE
   * @return a new array
   */
  public NDArray mul(double y) {
    return withNumber(MULTIPLY_NUMBER, "multiply", y);
  }

  /**
   * The same as mul(y), but the result is written to this array.
   *
   * @param y the other operand, which is broadcast to the shape of this array
   * @return this array
   */
  public NDArray muli(NDArray y) {
    return pairwiseHere(MULTIPLY, "multiply", y);
  }

  /**
   * The same as mul(y), but the result is written to this array.
   *
   * @param y a number
   * @return this array
   */
  public NDArray muli(double y) {
    return numberHere(MULTIPLY_NUMBER, y);
  }

  /**
   * The quotient x / y of elements. Shapes broadcast; the type is the common one of both, so those of integers are integers.
   *
   * @param y the other operand
   * @return a new array
   * @throws NDForgeException for an integer divided by 0
   */
  public NDArray div(NDArray y) {
    return pairwise(DIVIDE, "divide", y);
  }

  /**
   * The quotient x / y of elements.
   *
   * @param y a number, which takes the type of this array; with a fraction beside integers, the result is DOUBLE
   * @return a new array
   */
  public NDArray div(double y) {
    return withNumber(DIVIDE_NUMBER, "divide", y);
  }

  /**
   * The same as div(y), but the result is written to this array.
   *
   * @param y the other operand, which is broadcast to the shape of this array
   * @return this array
   */
  public NDArray divi(NDArray y) {
    return pairwiseHere(DIVIDE, "divide", y);
  }

  /**
   * The same as div(y), but the result is written to this array.
   *
   * @param y a number
   * @return this array
   */
  public NDArray divi(double y) {
    return numberHere(DIVIDE_NUMBER, y);
  }

  NDArray number(double value) {
    if (layout.type.isString()) {
      throw new NDForgeException(0, "", "the array has strings, which do not go with the number " + value);
    }
    return NDArray.scalar(becomesReal(value) ? DataType.DOUBLE : layout.type, value);
  }

  /**
   * Makes all elements equal.
   *
   * @param value the elements, which are converted to the type of the array
   * @return this array
   */
  public NDArray fill(double value) {
    requireOpen();
    return layout.length == 0 ? self() : scalarInto(COPY, value, self());
  }

  /**
   * Copies the elements of another array, which is broadcast to the shape of this one.
   *
   * @param source the other array
   * @return this array
   */
  public NDArray assign(NDArray source) {
    Ops.call("assign", self(), Check.given(source, "source")).into(self()).results();
    return self();
  }
}
