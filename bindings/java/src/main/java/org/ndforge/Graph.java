package org.ndforge;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ndforge.internal.Native;
import org.ndforge.internal.NativeArrays;
import org.ndforge.internal.NativeGraphs;

/**
 * A program as data: placeholders for arrays that each run is given, variables, and calls of operations. A graph is read
 * from a .fb file, or made by {@link #placeholder}, {@link #variable} and calls on their values ({@link Call#symbol()}).
 * It is run by {@link #run}, or by a {@link Session}, which several threads may do at once.
 */
public final class Graph implements AutoCloseable {
  private final Owned model;
  private final Map<List<String>, Session> sessions = new LinkedHashMap<>();

  /** An empty graph. */
  public Graph() {
    NDForge.initialise();
    model = Owned.by(this, "graph", NativeGraphs.createModel(), NativeGraphs::deleteModel);
  }

  private Graph(long pointer) {
    model = Owned.by(this, "graph", pointer, NativeGraphs::deleteModel);
  }

  /**
   * The graph of a file.
   *
   * @param file a .fb file
   * @return the graph
   * @throws NDForgeException for files that cannot be read, and that are not valid
   */
  public static Graph load(Path file) {
    Check.given(file, "file");
    NDForge.initialise();
    try (Arena arena = Arena.ofConfined()) {
      return new Graph(NativeGraphs.loadModel(arena.allocateFrom(file.toString()).address()));
    }
  }

  /**
   * The graph of bytes in the format of .fb files, which need not be valid.
   *
   * @param bytes the content of a file
   * @return the graph
   * @throws NDForgeException for bytes that are no valid graph
   */
  public static Graph load(byte[] bytes) {
    Check.given(bytes, "bytes");
    NDForge.initialise();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocate(Math.max(bytes.length, 1), 8);
      MemorySegment.copy(bytes, 0, copy, ValueLayout.JAVA_BYTE, 0, bytes.length);
      return new Graph(NativeGraphs.loadModelFromBytes(copy.address(), bytes.length));
    }
  }

  /**
   * Writes a .fb file, completely or not at all.
   *
   * @param file the file
   */
  public void save(Path file) {
    Check.given(file, "file");
    using(
        (arena, pointer) -> {
          if (NativeGraphs.saveModel(pointer, arena.allocateFrom(file.toString()).address()) != 0) {
            throw NDForgeException.stored(NDForgeException.ERROR);
          }
          return null;
        });
  }

  private interface Use<T> {
    T apply(Arena arena, long pointer);
  }

  private <T> T using(Use<T> use) {
    model.acquire();
    try (Arena arena = Arena.ofConfined()) {
      return use.apply(arena, model.pointer);
    } finally {
      model.release();
    }
  }

  private static long listed(Arena arena, List<String> values) {
    return Feeds.list(arena, values);
  }

  /** The keys in a text that the library returns; the name is that of the first one, where it has one. */
  private List<Symbol> symbols(long text, String name) {
    forgetSessions();
    List<Symbol> result = new ArrayList<>();
    String keys = Native.text(NDForgeException.checked(text));
    if (!keys.isEmpty()) {
      for (String key : keys.split(" ")) {
        boolean isNamed = result.isEmpty() && name != null && !name.isEmpty();
        result.add(new Symbol(this, key, isNamed ? name : key));
      }
    }
    return List.copyOf(result);
  }

  // ---- making graphs

  /**
   * An array that each run is given.
   *
   * @param name its name
   * @param type the type of its elements
   * @param shape its sizes; -1 stands for any size
   * @return the value
   * @throws NDForgeException when the name is taken
   */
  public Symbol placeholder(String name, DataType type, long... shape) {
    Check.given(name, "name");
    Check.given(type, "type");
    Check.given(shape, "the shape");
    return using(
            (arena, pointer) ->
                symbols(
                    NativeGraphs.addModelPlaceholder(
                        pointer,
                        arena.allocateFrom(name).address(),
                        type.number,
                        shape.length,
                        arena.allocateFrom(ValueLayout.JAVA_LONG, Arrays.copyOf(shape, shape.length + 1)).address()),
                    name))
        .get(0);
  }

  private Symbol array(String name, NDArray array, boolean constant) {
    Check.given(name, "name");
    Check.given(array, "the array");
    return using(
            (arena, pointer) -> {
              array.handle.acquire();
              try {
                return symbols(
                    NativeGraphs.addModelArray(
                        pointer,
                        arena.allocateFrom(name).address(),
                        array.handle.buffer,
                        array.layout.address,
                        constant),
                    name);
              } finally {
                array.handle.release();
              }
            })
        .get(0);
  }

  /**
   * An array that the graph holds and that training changes.
   *
   * @param name its name
   * @param initial its first elements, which are copied
   * @return the value
   * @throws NDForgeException when the name is taken
   */
  public Symbol variable(String name, NDArray initial) {
    return array(name, initial, false);
  }

  /**
   * An array that never changes.
   *
   * @param value the array, which is copied
   * @return the value
   */
  public Symbol constant(NDArray value) {
    return array("", value, true);
  }

  /** Adds a call. */
  List<Symbol> add(String operation, String name, List<Operand> inputs, long context) {
    List<String> keys = new ArrayList<>();
    for (Operand input : inputs) {
      keys.add(
          switch (input) {
            case null -> null;
            case Symbol symbol -> symbol.key();
            case NDArray array -> constant(array).key();
          });
    }
    return using(
        (arena, pointer) ->
            symbols(
                NativeGraphs.addModelCall(
                    pointer,
                    arena.allocateFrom(operation).address(),
                    name == null ? 0 : arena.allocateFrom(name).address(),
                    listed(arena, keys),
                    keys.size(),
                    context),
                name));
  }

  /**
   * Adds nodes that compute the gradients of a value, or of the sum of its elements, with respect to others.
   *
   * @param value what is differentiated
   * @param parameters variables, placeholders or other values of real types
   * @return their gradients in the same order
   * @throws NDForgeException when an operation on the way has no gradient, or the value does not depend on a parameter
   */
  public List<Symbol> gradients(Symbol value, List<Symbol> parameters) {
    Check.given(value, "value");
    List<String> keys = keys(Check.given(parameters, "parameters").toArray(new Symbol[0]));
    return using(
        (arena, pointer) ->
            symbols(
                NativeGraphs.addModelGradients(
                    pointer, arena.allocateFrom(key(value)).address(), listed(arena, keys), keys.size()),
                null));
  }

  /** What this graph calls a value, which must be one of it. */
  private String key(Symbol symbol) {
    if (symbol.graph() != this) {
      throw new NDForgeException(0, "", "'" + symbol + "' is a value of another graph");
    }
    return symbol.key();
  }

  private List<String> keys(Symbol... parameters) {
    return Arrays.stream(Check.allGiven(parameters, "parameters")).map(this::key).toList();
  }

  /**
   * A value of a graph, by its name.
   *
   * @param name a variable, a placeholder or a node, such as "w", "logits", "7:1"
   * @return the value; whether it exists is seen when it is used
   */
  public Symbol symbol(String name) {
    return new Symbol(this, Check.given(name, "name"));
  }

  /**
   * The elements of a variable or constant.
   *
   * @param name its name
   * @return a copy
   * @throws NDForgeException when there is none
   */
  public NDArray array(String name) {
    Check.given(name, "name");
    return using(
        (arena, pointer) ->
            ArrayFiles.arraysOf(
                    NDForgeException.checked(NativeGraphs.getModelArray(pointer, arena.allocateFrom(name).address())))
                .values()
                .iterator()
                .next());
  }

  // ---- running graphs

  /**
   * What runs this graph many times.
   *
   * @param results names of values; none stand for those that the graph names, or that nobody reads
   * @return a session for the graph as it is now: it does not run when nodes are added later
   */
  public Session session(String... results) {
    List<String> names = List.of(Check.allGiven(results, "results"));
    return using(
        (arena, pointer) -> new Session(NativeGraphs.createSession(pointer, listed(arena, names), names.size()), names));
  }

  private void forgetSessions() {
    synchronized (sessions) {
      sessions.values().forEach(Session::close);
      sessions.clear();
    }
  }

  private Session remembered(String... results) {
    Check.allGiven(results, "results");
    synchronized (sessions) {
      return sessions.computeIfAbsent(List.of(results), names -> session(results));
    }
  }

  /**
   * Runs the graph once. Sessions for the same results are kept until nodes are added.
   *
   * @param inputs arrays by the names of placeholders
   * @param results names of values; none stand for those that the graph names, or that nobody reads
   * @return the results by their names, in their order
   * @throws NDForgeException for inputs that are missing or unknown, and when an operation fails
   */
  public Map<String, NDArray> run(Map<String, NDArray> inputs, String... results) {
    return remembered(results).run(inputs);
  }

  /**
   * Runs the graph once, for values that need no names, such as gradients.
   *
   * @param inputs arrays by the names of placeholders
   * @param results values of this graph
   * @return their elements, in the order of the values
   * @throws NDForgeException for inputs that are missing or unknown, and when an operation fails
   */
  public List<NDArray> run(Map<String, NDArray> inputs, List<Symbol> results) {
    List<String> keys = keys(Check.given(results, "results").toArray(new Symbol[0]));
    if (keys.isEmpty()) {
      throw new NDForgeException(0, "", "the list of results is empty");
    }
    Map<String, NDArray> values = run(inputs, keys.stream().distinct().toArray(String[]::new));
    return keys.stream().map(values::get).toList();
  }

  /**
   * The placeholders.
   *
   * @return their names, or their numbers where they have none
   */
  public List<String> inputs() {
    return remembered().inputs();
  }

  /**
   * The results of runs for which none are named.
   *
   * @return their names
   */
  public List<String> outputs() {
    return remembered().results();
  }

  /**
   * Adds gradients of a loss and what updates parameters to the graph.
   *
   * @param loss the value that is to become small, a single number
   * @param updater how gradients change parameters
   * @param parameters the variables that are trained
   * @return the trainer
   * @throws NDForgeException for parameters that are no variables of real numbers, or that do not influence the loss
   */
  public Trainer trainer(Symbol loss, Updater updater, Symbol... parameters) {
    Check.given(loss, "loss");
    Check.given(updater, "updater");
    List<String> keys = keys(parameters);
    List<String> names = List.copyOf(updater.options().keySet());
    double[] values = new double[names.size() + 1];
    for (int i = 0; i < names.size(); i++) {
      values[i] = updater.options().get(names.get(i));
    }
    return using(
        (arena, pointer) -> {
          forgetSessions();
          return new Trainer(
              NativeGraphs.createTrainer(
                  pointer,
                  arena.allocateFrom(key(loss)).address(),
                  listed(arena, keys),
                  keys.size(),
                  arena.allocateFrom(updater.name()).address(),
                  listed(arena, names),
                  arena.allocateFrom(ValueLayout.JAVA_DOUBLE, values).address(),
                  names.size()));
        });
  }

  /** Frees the graph, as soon as no session and no trainer needs it. */
  @Override
  public void close() {
    forgetSessions();
    model.close();
  }

  /**
   * One line for each layer, node and variable.
   *
   * @return the text
   */
  @Override
  public String toString() {
    if (model.isClosed()) {
      return "closed graph";
    }
    return using(
        (arena, pointer) -> {
          long text = NDForgeException.checked(NativeGraphs.modelText(pointer));
          try {
            return Native.text(text);
          } finally {
            NativeArrays.deleteCharArray(text);
          }
        });
  }
}
