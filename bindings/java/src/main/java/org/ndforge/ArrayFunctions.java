package org.ndforge;

/** Powers, comparisons, functions of elements, products of matrices, and reductions. */
abstract sealed class ArrayFunctions extends ArrayArithmetic permits NDArray {
  ArrayFunctions(Handle handle, Layout layout) {
    super(handle, layout);
  }

  /**
   * Powers x^y of elements.
   *
   * @param y the other operand; shapes broadcast
   * @return a new array
   */
  public NDArray pow(NDArray y) {
    return meeting("Pow", y);
  }

  /**
   * Powers x^y of elements.
   *
   * @param y a number
   * @return a new array
   */
  public NDArray pow(double y) {
    try (NDArray scalar = number(y)) {
      return pow(scalar);
    }
  }

  /**
   * The larger one of each two elements.
   *
   * @param y the other operand; shapes broadcast
   * @return a new array
   */
  public NDArray maximum(NDArray y) {
    return meeting("maximum", y);
  }

  /**
   * The larger one of each two elements.
   *
   * @param y a number
   * @return a new array
   */
  public NDArray maximum(double y) {
    try (NDArray scalar = number(y)) {
      return maximum(scalar);
    }
  }

  /**
   * The smaller one of each two elements.
   *
   * @param y the other operand; shapes broadcast
   * @return a new array
   */
  public NDArray minimum(NDArray y) {
    return meeting("minimum", y);
  }

  /**
   * The smaller one of each two elements.
   *
   * @param y a number
   * @return a new array
   */
  public NDArray minimum(double y) {
    try (NDArray scalar = number(y)) {
      return minimum(scalar);
    }
  }

  /**
   * Where x is greater than y: an array of type BOOL.
   *
   * @param y the other operand; shapes broadcast
   * @return a new array
   */
  public NDArray gt(NDArray y) {
    return meeting("greater", y);
  }

  /**
   * Where x is greater than y: an array of type BOOL.
   *
   * @param y a number
   * @return a new array
   */
  public NDArray gt(double y) {
    try (NDArray scalar = number(y)) {
      return gt(scalar);
    }
  }

  /**
   * Where x is at least y: an array of type BOOL.
   *
   * @param y the other operand; shapes broadcast
   * @return a new array
   */
  public NDArray gte(NDArray y) {
    return meeting("greater_equal", y);
  }

  /**
   * Where x is at least y: an array of type BOOL.
   *
   * @param y a number
   * @return a new array
   */
  public NDArray gte(double y) {
    try (NDArray scalar = number(y)) {
      return gte(scalar);
    }
  }

  /**
   * Where x is less than y: an array of type BOOL.
   *
   * @param y the other operand; shapes broadcast
   * @return a new array
   */
  public NDArray lt(NDArray y) {
    return meeting("less", y);
  }

  /**
   * Where x is less than y: an array of type BOOL.
   *
   * @param y a number
   * @return a new array
   */
  public NDArray lt(double y) {
    try (NDArray scalar = number(y)) {
      return lt(scalar);
    }
  }

  /**
   * Where x is at most y: an array of type BOOL.
   *
   * @param y the other operand; shapes broadcast
   * @return a new array
   */
  public NDArray lte(NDArray y) {
    return meeting("less_equal", y);
  }

  /**
   * Where x is at most y: an array of type BOOL.
   *
   * @param y a number
   * @return a new array
   */
  public NDArray lte(double y) {
    try (NDArray scalar = number(y)) {
      return lte(scalar);
    }
  }

  /**
   * Where x equals y: an array of type BOOL.
   *
   * @param y the other operand; shapes broadcast
   * @return a new array
   */
  public NDArray eq(NDArray y) {
    return meeting("equals", y);
  }

  /**
   * Where x equals y: an array of type BOOL.
   *
   * @param y a number
   * @return a new array
   */
  public NDArray eq(double y) {
    try (NDArray scalar = number(y)) {
      return eq(scalar);
    }
  }

  /**
   * Where x does not equal y: an array of type BOOL.
   *
   * @param y the other operand; shapes broadcast
   * @return a new array
   */
  public NDArray neq(NDArray y) {
    return meeting("not_equals", y);
  }

  /**
   * Where x does not equal y: an array of type BOOL.
   *
   * @param y a number
   * @return a new array
   */
  public NDArray neq(double y) {
    try (NDArray scalar = number(y)) {
      return neq(scalar);
    }
  }

  /**
   * The negative elements -x.
   *
   * @return a new array
   */
  public NDArray neg() {
    return Ops.call("transform.Neg", self()).first();
  }

  /**
   * The absolute values.
   *
   * @return a new array
   */
  public NDArray abs() {
    return Ops.call("transform.Abs", self()).first();
  }

  /**
   * The square roots: of integers, they are FLOAT32.
   *
   * @return a new array
   */
  public NDArray sqrt() {
    return Ops.call("transform.Sqrt", self()).first();
  }

  /**
   * The exponentials e^x.
   *
   * @return a new array
   * @throws NDForgeException for integers, which are to be cast first
   */
  public NDArray exp() {
    return Ops.call("transform.Exp", self()).first();
  }

  /**
   * The natural logarithms.
   *
   * @return a new array
   * @throws NDForgeException for integers, which are to be cast first
   */
  public NDArray log() {
    return Ops.call("transform.Log", self()).first();
  }

  /**
   * The hyperbolic tangents.
   *
   * @return a new array
   * @throws NDForgeException for integers, which are to be cast first
   */
  public NDArray tanh() {
    return Ops.call("tanh", self()).first();
  }

  /**
   * The logistic function 1 / (1 + e^-x).
   *
   * @return a new array
   * @throws NDForgeException for integers, which are to be cast first
   */
  public NDArray sigmoid() {
    return Ops.call("sigmoid", self()).first();
  }

  /**
   * The elements above 0, and 0 for others.
   *
   * @return a new array
   */
  public NDArray relu() {
    return Ops.call("relu", self()).first();
  }

  /**
   * The product of matrices, or of stacks of them, in their common type: [..., M, K] times [..., K, N] is [..., M, N], a
   * vector of length K as the right factor gives [..., M], and two vectors give a scalar.
   *
   * @param y the right factor
   * @return a new array
   * @throws NDForgeException when the columns of this array do not match the rows of y
   */
  public NDArray matmul(NDArray y) {
    return meeting("matmul", y);
  }

  private NDArray reduced(String operation, int... axes) {
    Check.given(axes, "axes");
    // The library takes no axes as all of them, but not of empty arrays.
    boolean all = axes.length == 0 && layout.length == 0;
    long[] wide = new long[all ? rank() : axes.length];
    for (int i = 0; i < wide.length; i++) {
      wide[i] = all ? i : axes[i];
    }
    return Ops.call(operation, self()).with("axis", wide).first();
  }

  /**
   * Sums of elements, of the same type: of BOOL, whether one is true. A cast to an integer type counts what is true.
   *
   * @param axes the axes to reduce, negative ones counted from the end; none for all of them
   * @return a new array, without these axes
   */
  public NDArray sum(int... axes) {
    return reduced("reduce_sum", axes);
  }

  /**
   * Means of elements: of integers, they are FLOAT32.
   *
   * @param axes the axes to reduce, negative ones counted from the end; none for all of them
   * @return a new array, without these axes
   */
  public NDArray mean(int... axes) {
    return reduced("reduce_mean", axes);
  }

  /**
   * The largest elements.
   *
   * @param axes the axes to reduce, negative ones counted from the end; none for all of them
   * @return a new array, without these axes
   */
  public NDArray max(int... axes) {
    return reduced("reduce_max", axes);
  }

  /**
   * The smallest elements.
   *
   * @param axes the axes to reduce, negative ones counted from the end; none for all of them
   * @return a new array, without these axes
   */
  public NDArray min(int... axes) {
    return reduced("reduce_min", axes);
  }

  /**
   * Products of elements.
   *
   * @param axes the axes to reduce, negative ones counted from the end; none for all of them
   * @return a new array, without these axes
   */
  public NDArray prod(int... axes) {
    return reduced("reduce_prod", axes);
  }

  /**
   * Variances of elements: the mean squares of their differences from the mean. Of integers, they are FLOAT32.
   *
   * @param axes the axes to reduce, negative ones counted from the end; none for all of them
   * @return a new array, without these axes
   */
  public NDArray variance(int... axes) {
    return reduced("reduce_variance", axes);
  }

  /**
   * Standard deviations: the square roots of the variances.
   *
   * @param axes the axes to reduce, negative ones counted from the end; none for all of them
   * @return a new array, without these axes
   */
  public NDArray standardDeviation(int... axes) {
    return reduced("reduce_stdev", axes);
  }

  /**
   * Sums of absolute values.
   *
   * @param axes the axes to reduce, negative ones counted from the end; none for all of them
   * @return a new array, without these axes
   */
  public NDArray norm1(int... axes) {
    return reduced("reduce_norm1", axes);
  }

  /**
   * Square roots of the sums of squares.
   *
   * @param axes the axes to reduce, negative ones counted from the end; none for all of them
   * @return a new array, without these axes
   */
  public NDArray norm2(int... axes) {
    return reduced("reduce_norm2", axes);
  }

  /**
   * The positions of the largest elements, of type INT64.
   *
   * @param axes the axes to reduce, negative ones counted from the end; none for all of them
   * @return a new array, without these axes
   */
  public NDArray argmax(int... axes) {
    return reduced("argmax", axes);
  }

  /**
   * The positions of the smallest elements, of type INT64.
   *
   * @param axes the axes to reduce, negative ones counted from the end; none for all of them
   * @return a new array, without these axes
   */
  public NDArray argmin(int... axes) {
    return reduced("argmin", axes);
  }
}
