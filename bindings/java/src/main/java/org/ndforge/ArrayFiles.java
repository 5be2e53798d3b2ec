package org.ndforge;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.ndforge.internal.Native;
import org.ndforge.internal.NativeArrays;

/** Files of arrays, and the sets of arrays with names that the library returns. */
final class ArrayFiles {
  private ArrayFiles() {}

  private static void requireEnding(Path file, String ending) {
    if (!Check.given(file, "file").toString().endsWith(ending)) {
      throw new NDForgeException(0, "", "the name of " + file + " does not end with " + ending);
    }
  }

  static Map<String, NDArray> load(Path file, String ending) {
    NDForge.initialise();
    requireEnding(file, ending);
    try (Arena arena = Arena.ofConfined()) {
      long path = arena.allocateFrom(file.toString()).address();
      return Memory.retried(() -> arraysOf(NDForgeException.checked(NativeArrays.loadArrays(path))));
    }
  }

  /** The arrays of a set, which is deleted. */
  static Map<String, NDArray> arraysOf(long set) {
    Map<String, NDArray> arrays = new LinkedHashMap<>();
    try {
      long count = NativeArrays.getVariablesSetSize(set);
      for (long i = 0; i < count; i++) {
        long variable = NDForgeException.checked(NativeArrays.getVariable(set, i));
        long layout = NDForgeException.checked(NativeArrays.getVariableShape(variable));
        String name = Native.text(NativeArrays.getVariableName(variable));
        long buffer = NDForgeException.checked(NativeArrays.getVariableDataBuffer(variable));
        NDArray array = new NDArray(new Handle(buffer), Layout.at(layout));
        arrays.put(name.isEmpty() || arrays.containsKey(name) ? name + "#" + i : name, array);
      }
    } finally {
      NativeArrays.deleteVariablesSet(set);
    }
    return arrays;
  }

  static void save(Path file, String ending, Map<String, NDArray> arrays) {
    NDForge.initialise();
    requireEnding(file, ending);
    try (Feeds feeds = new Feeds(arrays)) {
      long path = feeds.text(file.toString());
      if (NativeArrays.saveArrays(path, feeds.names, feeds.buffers, feeds.layouts, feeds.count) != 0) {
        throw NDForgeException.stored(NDForgeException.ERROR);
      }
    }
  }
}
