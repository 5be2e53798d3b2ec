package org.ndforge;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.ndforge.internal.Library;
import org.ndforge.internal.Native;
import org.ndforge.internal.NativeCalls;
import org.ndforge.internal.NativeSettings;

/** The library: its operations, and settings of the process. */
public final class NDForge {
  private NDForge() {}

  /** The library is loaded when this class is initialised. */
  private static final class Loaded {
    static final boolean DONE = load();

    static boolean load() {
      Memory.initialise();
      return true;
    }
  }

  static void initialise() {
    if (!Loaded.DONE) {
      throw new IllegalStateException();
    }
  }

  /**
   * The names of all operations, those of loaded libraries included.
   *
   * @return names of custom operations and their aliases, and of numbered operations such as "pairwise.Add"
   */
  public static List<String> operations() {
    initialise();
    TreeSet<String> names = new TreeSet<>();
    for (String row : Native.text(NDForgeException.checked(NativeCalls.getAllCustomOps())).split(";")) {
      if (!row.isEmpty()) {
        names.add(row.substring(0, row.indexOf(':')));
      }
    }
    names.addAll(Numbers.ALL.keySet());
    return List.copyOf(names);
  }

  /**
   * Loads a shared library of operations, which {@link Ops#call(String, Operand...)} then finds.
   *
   * @param library the file
   * @throws NDForgeException when it cannot be loaded, or defines a name that exists; nothing has changed then
   */
  public static void load(Path library) {
    Check.given(library, "library");
    initialise();
    try (Arena arena = Arena.ofConfined()) {
      if (NativeCalls.loadOpLibrary(arena.allocateFrom(library.toString()).address()) != 0) {
        throw NDForgeException.stored(NDForgeException.ERROR);
      }
    }
  }

  /**
   * The file of the library.
   *
   * @return its path
   */
  public static Path library() {
    initialise();
    return Library.path();
  }

  /**
   * The number of threads that a call may use.
   *
   * @return the number
   */
  public static int threads() {
    initialise();
    return NativeSettings.ompGetMaxThreads();
  }

  /**
   * Limits the threads that a call may use.
   *
   * @param threads the number, at least 1
   * @throws NDForgeException for less
   */
  public static void setThreads(int threads) {
    initialise();
    if (threads < 1) {
      throw new NDForgeException(0, "", "the number of threads is " + threads + ", but must be at least 1");
    }
    NativeSettings.setOmpNumThreads(threads);
    NDForgeException.check();
  }

  /** The numbered operations. */
  static final class Numbers {
    static final Map<String, Integer> ALL = parse();

    private Numbers() {}

    /** The family of a group, which its number in the list of the library tells. */
    private static String family(int group) {
      return switch (group) {
        case 0, 1, 2, 3, 4 -> "transform";
        case 5, 6, 7, 8 -> "reduce";
        case 9 -> "indexreduce";
        case 10, 11, 23 -> "scalar";
        case 12, 13, 24 -> "broadcast";
        case 14, 15, 25 -> "pairwise";
        case 16 -> "reduce3";
        case 17 -> "variance";
        case 20 -> "random";
        default -> null;
      };
    }

    private static Map<String, Integer> parse() {
      Map<String, Integer> numbers = new HashMap<>();
      for (String group : Native.text(NDForgeException.checked(NativeCalls.getAllOperations())).split(">>")) {
        int space = group.indexOf(' ');
        String name = space < 0 ? null : family(Integer.parseInt(group.substring(0, space).strip()));
        if (name == null) {
          continue;
        }
        for (String row : group.substring(space + 1).split("<<")) {
          String[] fields = row.split(":");
          if (fields.length == 3) {
            numbers.putIfAbsent(name + "." + fields[2], Integer.parseInt(fields[1]));
          }
        }
      }
      return numbers;
    }
  }

  /** The number of a numbered operation. */
  static int number(String name) {
    initialise();
    Integer number = Numbers.ALL.get(name);
    if (number == null) {
      throw new NDForgeException(0, name, "there is no numbered operation " + name);
    }
    return number;
  }

}
