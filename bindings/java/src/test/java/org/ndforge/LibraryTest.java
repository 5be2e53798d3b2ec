package org.ndforge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
     * @param arguments "loaded" to print the shared libraries of the process, too
     * @throws IOException when they cannot be read
     */
    public static void main(String[] arguments) throws IOException {
      System.out.println(NDArray.of(1f, 2f).add(NDArray.of(3f, 4f)) + " " + NDForge.library());
      if (arguments.length > 0) {
        try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
          lines
              .filter(line -> line.contains(".so"))
              .map(line -> line.substring(line.indexOf('/')))
              .distinct()
              .forEach(System.out::println);
        }
      }
    }
  }

  private static Process start(String... options) throws Exception {
    return Processes.start(Program.class, List.of(options));
  }

  @Test
  void severalProcessesUnpackAtOnce(@TempDir Path folder) throws Exception {
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      processes.add(start("-Dndforge.cache=" + folder));
    }
    for (Process process : processes) {
      String text = Processes.output(process);
      assertTrue(text.startsWith("[4.000000, 6.000000] " + folder), text);
      assertEquals(0, process.exitValue());
    }
    List<String> expected = new ArrayList<>(bundled());
    List<Path> left = filesIn(folder);
    expected.sort(null);
    assertEquals(expected, left.stream().map(file -> file.getFileName().toString()).sorted().toList());
    // A file that was cut is unpacked again; a part that a process left long ago is removed, a new one is not.
    for (Path file : left) {
      Files.write(file, new byte[10]);
    }
    Path old = Files.write(left.get(0).resolveSibling("old.part"), new byte[10]);
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(7200)));
    Path recent = Files.write(left.get(0).resolveSibling("recent.part"), new byte[10]);
    String text = Processes.output(start("-Dndforge.cache=" + folder));
    assertTrue(text.startsWith("[4.000000, 6.000000]"), text);
    assertFalse(Files.exists(old));
    assertTrue(Files.exists(recent));
  }

  /** The names of the libraries that the jar carries. */
  private static List<String> bundled() throws IOException {
    String list = "/org/ndforge/native/" + org.ndforge.internal.Library.platform() + "/libraries.txt";
    try (InputStream stream = NDArray.class.getResourceAsStream(list)) {
      return new String(stream.readAllBytes()).lines().skip(1).map(line -> line.split(" ")[0]).toList();
    }
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  /** Where the packages of OpenBLAS, oneDNN and OpenMP are not installed, the jar does as well. */
  @Test
  void onlyTheCAndCxxLibrariesComeFromTheSystem(@TempDir Path folder) throws Exception {
    String text = Processes.output(Processes.start(Program.class, List.of("-Dndforge.cache=" + folder), "loaded"));
    List<String> loaded = text.lines().skip(1).toList();
    List<String> own = loaded.stream().filter(file -> file.startsWith(folder.toString())).toList();
    assertEquals(bundled().size(), own.size(), text);
    Path home = Path.of(System.getProperty("java.home")).toRealPath();
    for (String file : loaded) {
      String name = Path.of(file).getFileName().toString();
      assertTrue(
          own.contains(file)
              || file.startsWith(home.toString())
              || name.matches("(ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\\+\\+|nss_.*|resolv))([-.].*)?\\.so.*"),
          file);
    }
  }

  @Test
  void severalClassLoadersLoadIt() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    ExecutorService threads = Executors.newFixedThreadPool(3);
    List<Future<String>> sums = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
      sums.add(
          threads.submit(
              () -> {
                Class<?> array = loader.loadClass("org.ndforge.NDArray");
                assertNotSame(NDArray.class, array);
                Object x = array.getMethod("of", float[].class).invoke(null, new float[] {1, 2});
                return array.getMethod("mul", double.class).invoke(x, 2.5).toString();
              }));
    }
    for (Future<String> sum : sums) {
      assertEquals("[2.500000, 5.000000]", sum.get());
    }
    threads.shutdown();
  }

  @Test
  void aFolderThatCannotBeWrittenIsNamed(@TempDir Path folder) throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[1]);
    String text = Processes.output(start("-Dndforge.cache=" + file));
    assertTrue(text.contains("cannot unpack libndforge and the libraries that it needs to " + file), text);
    assertTrue(text.contains("-Dndforge.cache=FOLDER names another folder"), text);
    // Nobody makes folders there, not even root.
    text = Processes.output(start("-Dndforge.cache=/proc/ndforge"));
    assertTrue(text.contains("UnsatisfiedLinkError: cannot unpack"), text);
    text = Processes.output(start("-Duser.home=?", "-Dndforge.cache="));
    assertTrue(System.getenv("XDG_CACHE_HOME") != null || text.contains("there is no home folder"), text);
    assertEquals(List.of(file), filesIn(folder));
  }

  @Test
  void anotherLibraryCanBeNamed(@TempDir Path folder) throws Exception {
    Path other = folder.resolve("libother.so");
    Files.copy(NDForge.library(), other);
    String text = Processes.output(start("-Dndforge.library=" + other));
    assertTrue(text.contains(other.toString()), text);
    text = Processes.output(start("-Dndforge.library=" + folder.resolve("none.so")));
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
    assertEquals("libre2-9", rule.invoke(null, "libre2.so.9"));
    assertEquals("libutf8proc2", rule.invoke(null, "libutf8proc.so.2"));
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
    String text = Processes.output(start("-Dndforge.library=" + damaged));
    assertTrue(text.contains("libXpenblas.so.0"), text);
    assertTrue(text.contains("sudo apt-get install libxpenblas0"), text);
  }
}
