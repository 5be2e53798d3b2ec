package org.ndforge;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Programs in processes of their own, for what a process does only once. */
final class Processes {
  private Processes() {}

  /**
   * Starts main() of a class.
   *
   * @param program the class
   * @param options options of the JVM
   * @param arguments what main() is given
   */
  static Process start(Class<?> program, List<String> options, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.addAll(options);
    command.add(program.getName());
    command.addAll(Arrays.asList(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** What it prints until its end. */
  static String output(Process process) throws Exception {
    String text = new String(process.getInputStream().readAllBytes());
    process.waitFor();
    return text;
  }
}
