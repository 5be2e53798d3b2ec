package org.ndforge;

/**
 * A value of a graph, for which there are elements only when the graph runs. Operations take it as they take arrays; {@link
 * Call#symbol()} then adds them to the graph.
 */
public final class Symbol implements Operand {
  private final Graph graph;
  private final String key;
  private final String label;

  Symbol(Graph graph, String key) {
    this(graph, key, key);
  }

  Symbol(Graph graph, String key, String label) {
    this.graph = graph;
    this.key = key;
    this.label = label;
  }

  /**
   * The graph of the value.
   *
   * @return the graph
   */
  public Graph graph() {
    return graph;
  }

  /**
   * What the graph calls it, as results, parameters and inputs are called.
   *
   * @return a name, or numbers such as "7:0"
   */
  public String key() {
    return key;
  }

  private Symbol with(String operation, Operand y) {
    return Ops.call(operation, this, Check.given(y, "y")).symbol();
  }

  /**
   * The sum.
   *
   * @param y the other operand
   * @return x + y
   */
  public Symbol add(Operand y) {
    return with("add", y);
  }

  /**
   * The difference.
   *
   * @param y the other operand
   * @return x - y
   */
  public Symbol sub(Operand y) {
    return with("subtract", y);
  }

  /**
   * The product of elements.
   *
   * @param y the other operand
   * @return x * y
   */
  public Symbol mul(Operand y) {
    return with("multiply", y);
  }

  /**
   * The quotient of elements.
   *
   * @param y the other operand
   * @return x / y
   */
  public Symbol div(Operand y) {
    return with("divide", y);
  }

  /**
   * The product of matrices.
   *
   * @param y the right factor
   * @return x y
   */
  public Symbol matmul(Operand y) {
    return with("matmul", y);
  }

  /**
   * The name that the value was given, or its key.
   *
   * @return the name
   */
  @Override
  public String toString() {
    return label;
  }
}
