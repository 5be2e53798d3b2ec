package org.ndforge;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ndforge.internal.Json;
import org.ndforge.internal.Native;
import org.ndforge.internal.NativeCalls;
import org.ndforge.internal.NativeSettings;

/** An operation of the library. */
public final class Operation {
  private static final Map<String, Operation> KNOWN = new ConcurrentHashMap<>();
  private static final Map<String, Long> NAMES = new ConcurrentHashMap<>();

  private final String name;
  private final long hash;
  private volatile int mostOutputs = -1;

  private Operation(String name, long hash) {
    this.name = name;
    this.hash = hash;
  }

  /**
   * The operation of a name.
   *
   * @param name a custom operation, one of its aliases, or a numbered operation such as "pairwise.Add"
   * @return the operation
   * @throws NDForgeException when there is none
   */
  public static Operation of(String name) {
    Check.given(name, "the name of the operation");
    Operation known = KNOWN.get(name);
    if (known != null) {
      return known;
    }
    NDForge.initialise();
    try (Arena arena = Arena.ofConfined()) {
      long hash = NativeCalls.opHash(arena.allocateFrom(name).address());
      if (NativeSettings.lastErrorCode() != 0) {
        int code = NDForgeException.stored(NDForgeException.ERROR).code();
        throw new NDForgeException(
            code, name, "there is no operation '" + name + "'; NDForge.operations() lists their names");
      }
      Operation made = new Operation(name, hash);
      Operation before = KNOWN.putIfAbsent(name, made);
      return before == null ? made : before;
    }
  }

  /**
   * The address of a name as a C string, which stays until the process ends. For arguments, of whose names there are few.
   *
   * @param text the name
   * @return its address
   */
  public static long name(String text) {
    Long known = NAMES.get(Check.given(text, "the name"));
    if (known != null) {
      return known;
    }
    return NAMES.computeIfAbsent(text, t -> Arena.global().allocateFrom(t).address());
  }

  /**
   * The name.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  long hash() {
    return hash;
  }

  /**
   * What it computes, takes and returns, as JSON.
   *
   * @return the description; docs/schemas.md lists its members
   */
  public String json() {
    try (Arena arena = Arena.ofConfined()) {
      return Native.text(
          NDForgeException.checked(NativeCalls.describeOperation(arena.allocateFrom(name).address())));
    }
  }

  private Map<String, Object> schema() {
    @SuppressWarnings("unchecked")
    Map<String, Object> schema = (Map<String, Object>) Json.object(json()).get("schema");
    return schema;
  }

  /**
   * What it computes.
   *
   * @return a sentence; empty when the operation states none
   */
  public String summary() {
    return schema().get("summary") instanceof String text ? text : "";
  }

  /**
   * Its formula.
   *
   * @return the formula; empty when the operation states none
   */
  public String formula() {
    return schema().get("formula") instanceof String text ? text : "";
  }

  private List<String> namesOf(String member) {
    if (!(schema().get(member) instanceof List<?> rows)) {
      return List.of();
    }
    return rows.stream().map(row -> String.valueOf(((Map<?, ?>) row).get("name"))).toList();
  }

  /**
   * The names of its inputs.
   *
   * @return names in their order
   */
  public List<String> inputs() {
    return namesOf("inputs");
  }

  /**
   * The names of its arguments.
   *
   * @return names in their order
   */
  public List<String> arguments() {
    return namesOf("arguments");
  }

  /**
   * The names of its outputs.
   *
   * @return names in their order
   */
  public List<String> outputs() {
    return namesOf("outputs");
  }

  /** The number of outputs; Integer.MAX_VALUE when it depends on the call. */
  int mostOutputs() {
    if (mostOutputs < 0) {
      List<?> rows = schema().get("outputs") instanceof List<?> list ? list : List.of();
      boolean any = rows.isEmpty() || rows.stream().anyMatch(row -> Boolean.TRUE.equals(((Map<?, ?>) row).get("any")));
      mostOutputs = any ? Integer.MAX_VALUE : rows.size();
    }
    return mostOutputs;
  }

  @Override
  public String toString() {
    return name;
  }
}
