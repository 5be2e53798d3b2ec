package org.ndforge;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ndforge.internal.Native;
import org.ndforge.internal.NativeGraphs;

/** Runs a graph many times: it is optimised and planned once for each combination of input shapes. */
public final class Session implements AutoCloseable {
  private final Owned session;
  private final List<String> inputs = new ArrayList<>();
  private final List<String> results = new ArrayList<>();

  /**
   * A session.
   *
   * @param pointer the library's
   * @param asked what the caller calls the results; none for the names of the graph
   */
  Session(long pointer, List<String> asked) {
    session = Owned.by(this, "session", pointer, NativeGraphs::deleteSession);
    for (int i = 0; i < NativeGraphs.getSessionInputCount(pointer); i++) {
      inputs.add(Native.text(NativeGraphs.getSessionInput(pointer, i)));
    }
    for (int i = 0; i < NativeGraphs.getSessionResultCount(pointer); i++) {
      results.add(i < asked.size() ? asked.get(i) : Native.text(NativeGraphs.getSessionResult(pointer, i)));
    }
  }

  /**
   * The placeholders.
   *
   * @return their names, or their numbers where they have none
   */
  public List<String> inputs() {
    return List.copyOf(inputs);
  }

  /**
   * The results.
   *
   * @return their names
   */
  public List<String> results() {
    return List.copyOf(results);
  }

  /**
   * Runs the graph once.
   *
   * @param feeds arrays by the names of placeholders
   * @return the results by their names, in their order
   * @throws NDForgeException for inputs that are missing or unknown, and when an operation fails
   */
  public Map<String, NDArray> run(Map<String, NDArray> feeds) {
    return run(feeds, 0);
  }

  /**
   * Runs the graph once.
   *
   * @param feeds arrays by the names of placeholders
   * @param seed determines the random numbers of the run; 0: they go on from those of the last one
   * @return the results by their names, in their order
   * @throws NDForgeException for inputs that are missing or unknown, and when an operation fails
   */
  public Map<String, NDArray> run(Map<String, NDArray> feeds, long seed) {
    return Memory.retried(
        () -> {
          session.acquire();
          try (Feeds given = new Feeds(feeds)) {
            return named(
                ArrayFiles.arraysOf(
                    NDForgeException.checked(
                        NativeGraphs.runSession(
                            session.pointer, given.names, given.buffers, given.layouts, given.count, seed))));
          } finally {
            session.release();
          }
        });
  }

  private Map<String, NDArray> named(Map<String, NDArray> arrays) {
    Map<String, NDArray> named = new LinkedHashMap<>();
    int i = 0;
    for (NDArray array : arrays.values()) {
      named.put(results.get(i++), array);
    }
    return named;
  }

  /** Frees the session; runs of other threads end first. */
  @Override
  public void close() {
    session.close();
  }
}
