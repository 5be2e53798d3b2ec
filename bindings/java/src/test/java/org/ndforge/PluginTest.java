package org.ndforge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Libraries of operations, which are loaded into a process of their own. */
class PluginTest {
  /** What the process runs: the plugin, another one that defines a name of the library, and a folder are its arguments. */
  public static final class Program {
    private Program() {}

    /**
     * Loads what is no plugin, and then one.
     *
     * @param arguments plugin, plugin with a taken name, folder
     * @throws Exception when a file cannot be written
     */
    public static void main(String[] arguments) throws Exception {
      List<String> before = NDForge.operations();
      Path folder = Path.of(arguments[2]);
      attempt(folder.resolve("none.so"));
      attempt(Files.writeString(folder.resolve("text.so"), "no library"));
      attempt(folder);
      attempt(Path.of(arguments[1]));
      System.out.println("unchanged: " + NDForge.operations().equals(before));
      attempt(Path.of(arguments[0]));
      List<String> added = new ArrayList<>(NDForge.operations());
      added.removeAll(before);
      System.out.println(added + " " + Operation.of("logistic").formula());
      NDArray x = NDArray.of(0.5, 0.25);
      NDArray y = NDArray.of(2.0, 4.0);
      System.out.println(Ops.call("logistic", x, y).run());
      System.out.println(Ops.call("rescale", x).numberList(4, 1).inPlace().run() + " " + x);
      try {
        Ops.call("rescale", x).run();
      } catch (NDForgeException exception) {
        System.out.println(exception.getMessage());
      }
      try (Graph graph = new Graph()) {
        Symbol z = Ops.call("logistic", graph.placeholder("x", DataType.DOUBLE, 2), y).symbol("z");
        System.out.println(graph.run(java.util.Map.of("x", NDArray.of(0.5, 0.25)), List.of(z)));
      }
      attempt(Path.of(arguments[0])); // it is there already
    }

    private static void attempt(Path library) {
      try {
        NDForge.load(library);
        System.out.println("loaded");
      } catch (NDForgeException exception) {
        System.out.println(exception.operation() + " " + exception.getMessage());
      }
    }
  }

  @Test
  void operationsOfPluginsAreCalled(@TempDir Path folder) throws Exception {
    String plugin = System.getProperty("ndforge.plugin", "");
    String clashing = System.getProperty("ndforge.clashingPlugin", "");
    Assumptions.assumeFalse(plugin.isEmpty() || clashing.isEmpty(), "no plugins are named");
    Process process =
        Processes.start(
            Program.class,
            List.of("-Dndforge.cache=" + System.getProperty("ndforge.cache")),
            plugin,
            clashing,
            folder.toString());
    String load = "loadOpLibrary [loadOpLibrary] '";
    // logistic: y x (1 - x); rescale: 4 x + 1.
    String expected =
        load + folder + "/none.so' cannot be read: No such file or directory\n"
            + load + folder + "/text.so' cannot be loaded: it is not a library (not an ELF file)\n"
            + load + folder + "' cannot be loaded: it is a folder\n"
            + load + clashing + "' defines operation 'softmax', which '" + NDForge.library() + "' already defines\n"
            + "unchanged: true\n"
            + "loaded\n"
            + "[logistic, rescale] y * x * (1 - x)\n"
            + "[0.500000, 0.750000]\n"
            + "[3.000000, 2.000000] [3.000000, 2.000000]\n"
            + "[rescale] floating argument 1 is missing: 0 given\n"
            + "[[0.500000, 0.750000]]\n"
            + "loaded\n";
    assertEquals(expected, Processes.output(process));
    assertEquals(0, process.exitValue());
  }
}
