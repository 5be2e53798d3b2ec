package org.ndforge;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ndforge.internal.Native;
import org.ndforge.internal.NativeCalls;
import org.ndforge.internal.NativeSettings;

/**
 * One call of an operation. The methods of {@link Ops} make calls whose methods have the names of the arguments; {@link
 * Ops#call(String, Operand...)} makes one for any name. A call is run once or several times, by one thread at a time.
 *
 * @param <C> the class of the call
 */
public abstract class Call<C extends Call<C>> {
  private enum Kind {
    INTEGERS,
    NUMBERS,
    FLAGS,
    TYPES,
    CHOICE,
    LISTED_INTEGERS,
    LISTED_NUMBERS,
    LISTED_FLAGS,
    LISTED_TYPES
  }

  private record Argument(Kind kind, long name, long[] integers, double[] numbers, long choice) {
    Argument(Kind kind, long name, long[] integers) {
      this(kind, name, integers, null, 0);
    }
  }

  private final Operation operation;
  private final List<Operand> inputs = new ArrayList<>(4);
  private final List<Argument> arguments = new ArrayList<>(4);
  private NDArray[] outputs;
  private boolean isInPlace;
  private long seed;
  private boolean hasSeed;
  private boolean hasLists;

  /**
   * A call.
   *
   * @param operation what is called
   * @param inputs the first inputs; null leaves one out
   */
  protected Call(Operation operation, Operand... inputs) {
    this.operation = operation;
    inputs(inputs);
  }

  /**
   * An output of several.
   *
   * @param results all outputs
   * @param index which of them
   * @return the output; null when the call did not make it
   */
  protected static NDArray at(NDArray[] results, int index) {
    return index < results.length ? results[index] : null;
  }

  @SuppressWarnings("unchecked")
  private C self() {
    return (C) this;
  }

  /**
   * The operation that is called.
   *
   * @return the operation
   */
  public final Operation operation() {
    return operation;
  }

  private NDForgeException refused(String message) {
    return new NDForgeException(0, operation.name(), "[" + operation.name() + "] " + message);
  }

  private <T> T given(T value, long name) {
    if (value == null) {
      throw refused("the argument" + (name == 0 ? "s are" : " '" + Native.text(name) + "' is") + " null");
    }
    return value;
  }

  // ---- what the generated classes use

  /**
   * Sets an input.
   *
   * @param index its place
   * @param value an array or a value of a graph; null leaves it out
   */
  protected final void input(int index, Operand value) {
    while (inputs.size() <= index) {
      inputs.add(null);
    }
    inputs.set(index, value);
  }

  /**
   * Adds inputs after those that are there.
   *
   * @param values arrays or values of a graph
   */
  protected final void inputs(List<? extends Operand> values) {
    inputs.addAll(given(values));
  }

  /**
   * Adds inputs after those that are there.
   *
   * @param values arrays or values of a graph
   */
  protected final void inputs(Operand... values) {
    inputs.addAll(Arrays.asList(given(values)));
  }

  private <T> T given(T list) {
    if (list == null) {
      throw refused("the list of inputs is null");
    }
    return list;
  }

  private void set(Argument argument) {
    if (!arguments.isEmpty()) {
      arguments.removeIf(a -> a.name == argument.name && (a.name != 0 || a.kind == argument.kind));
    }
    hasLists |= argument.name == 0;
    arguments.add(argument);
  }

  /**
   * Sets an argument of integers.
   *
   * @param name its name, from {@link Operation#name(String)}
   * @param values its values
   */
  protected final void integers(long name, long... values) {
    set(new Argument(Kind.INTEGERS, name, given(values, name).clone()));
  }

  /**
   * Sets an argument of numbers.
   *
   * @param name its name, from {@link Operation#name(String)}
   * @param values its values
   */
  protected final void numbers(long name, double... values) {
    set(new Argument(Kind.NUMBERS, name, null, given(values, name).clone(), 0));
  }

  /**
   * Sets an argument of truth values.
   *
   * @param name its name, from {@link Operation#name(String)}
   * @param values its values
   */
  protected final void flags(long name, boolean... values) {
    set(new Argument(Kind.FLAGS, name, bits(given(values, name))));
  }

  /**
   * Sets an argument of element types.
   *
   * @param name its name, from {@link Operation#name(String)}
   * @param values its values
   */
  protected final void types(long name, DataType... values) {
    set(new Argument(Kind.TYPES, name, numbers(name, values)));
  }

  /**
   * Sets an argument that is one of several choices.
   *
   * @param name its name, from {@link Operation#name(String)}
   * @param choice the choice
   */
  protected final void choice(long name, Choice choice) {
    choice(name, given(choice, name).label());
  }

  private void choice(long name, String label) {
    set(new Argument(Kind.CHOICE, name, null, null, Operation.name(given(label, name))));
  }

  private long[] numbers(long name, DataType... values) {
    long[] numbers = new long[given(values, name).length];
    for (int i = 0; i < values.length; i++) {
      numbers[i] = given(values[i], name).number;
    }
    return numbers;
  }

  private static long[] bits(boolean... values) {
    long[] numbers = new long[values.length];
    for (int i = 0; i < values.length; i++) {
      numbers[i] = values[i] ? 1 : 0;
    }
    return numbers;
  }

  // ---- arguments of any operation

  /**
   * Sets an argument by its name: integers.
   *
   * @param name the name, as the operation's schema has it
   * @param values its values
   * @return this call
   */
  public C with(String name, long... values) {
    integers(Operation.name(name), values);
    return self();
  }

  /**
   * Sets an argument by its name: numbers.
   *
   * @param name the name, as the operation's schema has it
   * @param values its values
   * @return this call
   */
  public C with(String name, double... values) {
    numbers(Operation.name(name), values);
    return self();
  }

  /**
   * Sets an argument by its name: truth values.
   *
   * @param name the name, as the operation's schema has it
   * @param values its values
   * @return this call
   */
  public C with(String name, boolean... values) {
    flags(Operation.name(name), values);
    return self();
  }

  /**
   * Sets an argument by its name: element types.
   *
   * @param name the name, as the operation's schema has it
   * @param values its values
   * @return this call
   */
  public C with(String name, DataType... values) {
    types(Operation.name(name), values);
    return self();
  }

  /**
   * Sets an argument by its name: one of several choices.
   *
   * @param name the name, as the operation's schema has it
   * @param choice the name of the choice, such as "same"
   * @return this call
   */
  public C with(String name, String choice) {
    choice(Operation.name(name), choice);
    return self();
  }

  /**
   * Sets an argument by its name: one of several choices.
   *
   * @param name the name, as the operation's schema has it
   * @param choice the choice
   * @return this call
   */
  public C with(String name, Choice choice) {
    choice(Operation.name(name), choice);
    return self();
  }

  /**
   * Sets the list of integer arguments, for operations whose arguments have no names.
   *
   * @param values the list
   * @return this call
   */
  public C integerList(long... values) {
    set(new Argument(Kind.LISTED_INTEGERS, 0, given(values, 0).clone()));
    return self();
  }

  /**
   * Sets the list of floating-point arguments, for operations whose arguments have no names.
   *
   * @param values the list
   * @return this call
   */
  public C numberList(double... values) {
    set(new Argument(Kind.LISTED_NUMBERS, 0, null, given(values, 0).clone(), 0));
    return self();
  }

  /**
   * Sets the list of boolean arguments, for operations whose arguments have no names.
   *
   * @param values the list
   * @return this call
   */
  public C flagList(boolean... values) {
    set(new Argument(Kind.LISTED_FLAGS, 0, bits(given(values, 0))));
    return self();
  }

  /**
   * Sets the list of element types, for operations whose arguments have no names.
   *
   * @param values the list
   * @return this call
   */
  public C typeList(DataType... values) {
    set(new Argument(Kind.LISTED_TYPES, 0, numbers(0, values)));
    return self();
  }

  /**
   * Arrays for the outputs, instead of new ones: their shapes and types are those that the operation produces. They may
   * be inputs as well, and views.
   *
   * @param arrays all outputs in their order; they are what the call returns
   * @return this call
   */
  public C into(NDArray... arrays) {
    Check.allGiven(arrays, "outputs");
    if (arrays.length > 1 && arrays.length > operation.mostOutputs()) {
      throw refused(arrays.length + " arrays are given for " + operation.mostOutputs() + " output(s)");
    }
    outputs = arrays.clone();
    isInPlace = false;
    return self();
  }

  /**
   * Writes the output into the first input, whose shape and type it must have: the same as {@link #into} with it.
   *
   * @return this call
   */
  public C inPlace() {
    outputs = null;
    isInPlace = true;
    return self();
  }

  /**
   * Begins a sequence of random numbers: equal seeds give equal numbers. Without it, a call goes on with the numbers of
   * this thread, which began with the time.
   *
   * @param value the seed, other than 0
   * @return this call
   */
  public C randomSeed(long value) {
    seed = value;
    hasSeed = true;
    return self();
  }

  // ---- running

  /**
   * Runs the operation on arrays.
   *
   * @return all outputs
   * @throws NDForgeException when the call does not fit the operation; nothing has been written then
   */
  public final List<NDArray> runAll() {
    return List.of(results());
  }

  /**
   * Runs the operation on arrays, for operations with one output.
   *
   * @return the first output
   * @throws NDForgeException when the call does not fit the operation; nothing has been written then
   */
  protected final NDArray first() {
    NDArray[] all = results();
    if (all.length == 0) {
      throw refused("it has no output");
    }
    if (outputs == null) {
      for (int i = 1; i < all.length; i++) {
        all[i].close();
      }
    }
    return all[0];
  }

  /**
   * Runs the operation on arrays.
   *
   * @return all outputs
   */
  protected final NDArray[] results() {
    try {
      return results(Frame.current());
    } catch (NDForgeException exception) {
      if (!exception.isOutOfMemory() || !Memory.reclaim()) {
        throw exception;
      }
      return results(Frame.current());
    }
  }

  private NDArray[] results(Frame frame) {
    NDArray[] given = givenOutputs();
    int taken = 0;
    int takenOutputs = 0;
    try {
      for (int i = 0; i < inputs.size(); i++) {
        Operand input = inputs.get(i);
        if (input instanceof NDArray array) {
          acquire(array, "input", i);
          taken = i + 1;
          NativeCalls.setGraphContextInputBuffer(frame.context, i, array.handle.buffer, array.layout.address, 0);
        } else if (input instanceof Symbol symbol) {
          throw refused("input " + i + " is the value '" + symbol + "' of a graph: symbol() adds the call to it");
        }
        taken = i + 1;
      }
      for (; takenOutputs < given.length; takenOutputs++) {
        NDArray array = given[takenOutputs];
        acquire(array, "output", takenOutputs);
        NativeCalls.setGraphContextOutputBuffer(
            frame.context, takenOutputs, array.handle.buffer, array.layout.address, 0);
      }
      setArguments(frame);
      NDForgeException.check();
      int status = NativeCalls.execCustomOp2(0, operation.hash(), frame.context);
      if (status != 0 && status < EQ_FALSE || NativeSettings.lastErrorCode() != 0) {
        throw NDForgeException.stored(status);
      }
      return given.length == 0 ? made(frame) : given;
    } finally {
      NativeCalls.ctxPurge(frame.context);
      forgetArguments(frame);
      for (int i = 0; i < taken; i++) {
        if (inputs.get(i) instanceof NDArray array) {
          array.handle.release();
        }
      }
      for (int i = 0; i < takenOutputs; i++) {
        given[i].handle.release();
      }
    }
  }

  private NDArray[] givenOutputs() {
    if (!isInPlace) {
      return outputs == null ? new NDArray[0] : outputs.clone();
    }
    if (inputs.isEmpty() || !(inputs.get(0) instanceof NDArray first)) {
      throw refused("there is no input 0, into which inPlace() writes");
    }
    return new NDArray[] {first};
  }

  private void acquire(NDArray array, String role, int index) {
    try {
      array.handle.acquire();
    } catch (NDForgeException exception) {
      throw refused(role + " " + index + ": " + exception.getMessage());
    }
  }

  /** Statuses from here on are results of boolean operations. */
  private static final int EQ_FALSE = 100;

  private static NDArray[] made(Frame frame) {
    int count = NativeCalls.getGraphContextOutputCount(frame.context);
    NDArray[] results = new NDArray[count];
    for (int i = 0; i < count; i++) {
      long buffer = NativeCalls.getGraphContextOutput(frame.context, i, frame.place);
      if (buffer == 0) {
        for (int k = 0; k < i; k++) {
          results[k].close();
        }
        throw NDForgeException.stored(NDForgeException.ERROR);
      }
      results[i] = new NDArray(new Handle(buffer), Layout.at(Native.MEMORY.get(ValueLayout.JAVA_LONG, frame.place)));
    }
    return results;
  }

  private void setArguments(Frame frame) {
    long context = frame.context;
    if (hasSeed) {
      NativeCalls.setRandomGeneratorStates(NativeCalls.getGraphContextRandomGenerator(context), seed, 0);
    }
    for (int i = 0; i < arguments.size(); i++) {
      Argument argument = arguments.get(i);
      long name = argument.name;
      switch (argument.kind) {
        case INTEGERS ->
            NativeCalls.setGraphContextArgumentIntegers(
                context, name, longs(frame, argument), argument.integers.length);
        case NUMBERS ->
            NativeCalls.setGraphContextArgumentNumbers(
                context, name, doubles(frame, argument), argument.numbers.length);
        case FLAGS ->
            NativeCalls.setGraphContextArgumentFlags(context, name, bytes(frame, argument), argument.integers.length);
        case TYPES ->
            NativeCalls.setGraphContextArgumentTypes(context, name, ints(frame, argument), argument.integers.length);
        case CHOICE -> NativeCalls.setGraphContextArgumentChoice(context, name, argument.choice);
        case LISTED_INTEGERS ->
            NativeCalls.setGraphContextIArguments(context, longs(frame, argument), argument.integers.length);
        case LISTED_NUMBERS ->
            NativeCalls.setGraphContextTArguments(context, doubles(frame, argument), argument.numbers.length);
        case LISTED_FLAGS ->
            NativeCalls.setGraphContextBArguments(context, bytes(frame, argument), argument.integers.length);
        case LISTED_TYPES ->
            NativeCalls.setGraphContextDArguments(context, ints(frame, argument), argument.integers.length);
        default -> throw new IllegalStateException();
      }
    }
  }

  /** The context is the next call's. One that is not changed remembers the last call, which makes repetitions faster. */
  private void forgetArguments(Frame frame) {
    if (arguments.isEmpty()) {
      return;
    }
    NativeCalls.clearGraphContextArguments(frame.context);
    if (hasLists) {
      NativeCalls.setGraphContextIArguments(frame.context, 0, 0);
      NativeCalls.setGraphContextTArguments(frame.context, 0, 0);
      NativeCalls.setGraphContextBArguments(frame.context, 0, 0);
      NativeCalls.setGraphContextDArguments(frame.context, 0, 0);
    }
    frame.clear();
  }

  private static long longs(Frame frame, Argument argument) {
    long address = frame.allocate(8L * argument.integers.length);
    for (int k = 0; k < argument.integers.length; k++) {
      Native.MEMORY.set(ValueLayout.JAVA_LONG, address + 8L * k, argument.integers[k]);
    }
    return address;
  }

  private static long doubles(Frame frame, Argument argument) {
    long address = frame.allocate(8L * argument.numbers.length);
    for (int k = 0; k < argument.numbers.length; k++) {
      Native.MEMORY.set(ValueLayout.JAVA_DOUBLE, address + 8L * k, argument.numbers[k]);
    }
    return address;
  }

  private static long ints(Frame frame, Argument argument) {
    long address = frame.allocate(4L * argument.integers.length);
    for (int k = 0; k < argument.integers.length; k++) {
      Native.MEMORY.set(ValueLayout.JAVA_INT, address + 4L * k, (int) argument.integers[k]);
    }
    return address;
  }

  private static long bytes(Frame frame, Argument argument) {
    long address = frame.allocate(argument.integers.length);
    for (int k = 0; k < argument.integers.length; k++) {
      Native.MEMORY.set(ValueLayout.JAVA_BYTE, address + k, (byte) argument.integers[k]);
    }
    return address;
  }

  // ---- graphs

  /**
   * Adds the call to the graph of its inputs, at least one of which is a value of one. Arrays among them become
   * constants.
   *
   * @return all outputs
   * @throws NDForgeException when types or shapes do not fit, as far as they are known
   */
  public final List<Symbol> symbols() {
    return symbols(null);
  }

  /**
   * Adds the call to the graph of its inputs.
   *
   * @return the first output
   * @throws NDForgeException when types or shapes do not fit, as far as they are known
   */
  public final Symbol symbol() {
    return symbols(null).get(0);
  }

  /**
   * Adds the call to the graph of its inputs.
   *
   * @param name a name by which the first output can be asked for
   * @return the first output
   * @throws NDForgeException when types or shapes do not fit, as far as they are known
   */
  public final Symbol symbol(String name) {
    return symbols(name).get(0);
  }

  private List<Symbol> symbols(String name) {
    Graph graph = null;
    for (Operand input : inputs) {
      if (input instanceof Symbol symbol) {
        if (graph != null && graph != symbol.graph()) {
          throw refused("its inputs belong to different graphs");
        }
        graph = symbol.graph();
      }
    }
    if (graph == null) {
      throw refused("no input is a value of a graph; run() computes with arrays");
    }
    if (outputs != null || isInPlace) {
      throw refused("a call that is added to a graph has no arrays for its outputs");
    }
    Frame frame = Frame.current();
    try {
      setArguments(frame);
      NDForgeException.check();
      return graph.add(operation.name(), name, inputs, frame.context);
    } finally {
      forgetArguments(frame);
    }
  }
}
