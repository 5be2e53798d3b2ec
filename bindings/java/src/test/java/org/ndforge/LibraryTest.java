package org.ndforge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Finding, unpacking and loading the library, by processes of their own. */
class LibraryTest {
  /** What the processes run. */
  public static final class Program {
    private Program() {}

    /**
     * Adds two arrays.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
      System.out.println(NDArray.of(1f, 2f).add(NDArray.of(3f, 4f)) + " " + NDForge.library());
    }
  }

  private static Process start(String... options) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path")));
    command.addAll(Arrays.asList(options));
    command.add(Program.class.getName());
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static String output(Process process) throws Exception {
    String text = new String(process.getInputStream().readAllBytes());
    process.waitFor();
    return text;
  }

  @Test
  void severalProcessesUnpackAtOnce(@TempDir Path folder) throws Exception {
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      processes.add(start("-Dndforge.cache=" + folder));
    }
    for (Process process : processes) {
      String text = output(process);
      assertTrue(text.startsWith("[4.000000, 6.000000] " + folder), text);
      assertEquals(0, process.exitValue());
    }
    try (var files = Files.walk(folder)) {
      List<Path> left = files.filter(Files::isRegularFile).toList();
      assertEquals(1, left.size(), left.toString());
      // A file that was cut is unpacked again.
      Files.write(left.get(0), new byte[10]);
    }
    String text = output(start("-Dndforge.cache=" + folder));
    assertTrue(text.startsWith("[4.000000, 6.000000]"), text);
  }

  @Test
  void anotherLibraryCanBeNamed(@TempDir Path folder) throws Exception {
    Path other = folder.resolve("libother.so");
    Files.copy(NDForge.library(), other);
    String text = output(start("-Dndforge.library=" + other));
    assertTrue(text.contains(other.toString()), text);
    text = output(start("-Dndforge.library=" + folder.resolve("none.so")));
    assertTrue(text.contains("there is no file " + folder.resolve("none.so")), text);
    assertFalse(text.contains("SIGSEGV"), text);
  }

  @Test
  void packagesOfSharedLibraries() throws Exception {
    var rule = org.ndforge.internal.Library.class.getDeclaredMethod("debianPackage", String.class);
    rule.setAccessible(true);
    assertEquals("libgomp1", rule.invoke(null, "libgomp.so.1"));
    assertEquals("libopenblas0", rule.invoke(null, "libopenblas.so.0"));
    assertEquals("libdnnl2", rule.invoke(null, "libdnnl.so.2"));
    assertEquals("zlib1g", rule.invoke(null, "libz.so.1"));
  }

  @Test
  void missingLibrariesAreNamed(@TempDir Path folder) throws Exception {
    // The soname of OpenBLAS in a copy of the library becomes one that no system has.
    byte[] bytes = Files.readAllBytes(NDForge.library());
    byte[] name = "libopenblas.so.0".getBytes();
    boolean found = false;
    for (int i = 0; i + name.length < bytes.length; i++) {
      if (Arrays.equals(bytes, i, i + name.length, name, 0, name.length)) {
        bytes[i + 3] = 'X';
        found = true;
      }
    }
    org.junit.jupiter.api.Assumptions.assumeTrue(found, "the library does not need OpenBLAS");
    Path damaged = folder.resolve("libdamaged.so");
    Files.write(damaged, bytes);
    String text = output(start("-Dndforge.library=" + damaged));
    assertTrue(text.contains("libXpenblas.so.0"), text);
    assertTrue(text.contains("sudo apt-get install libxpenblas0"), text);
  }
}
