package org.ndforge.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Finds and loads libndforge.so: the file that {@code -Dndforge.library} names, or the one in the jar, which is unpacked
 * into a folder that is named after its hash.
 */
public final class Library {
  private static volatile Path path;

  private Library() {}

  /** The file that was loaded; null before. */
  public static Path path() {
    return path;
  }

  /** The platform as folders in the jar name it, such as linux-x86_64. */
  public static String platform() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String processor =
        switch (System.getProperty("os.arch")) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64" -> "arm64";
          case String other -> other;
        };
    return (system.startsWith("linux") ? "linux" : system.replace(' ', '_')) + "-" + processor;
  }

  static SymbolLookup load() {
    String named = System.getProperty("ndforge.library");
    Path file;
    List<String> needed = List.of();
    if (named != null && !named.isEmpty()) {
      file = Path.of(named).toAbsolutePath();
      if (!Files.isRegularFile(file)) {
        throw new UnsatisfiedLinkError("there is no file " + file + ", which -Dndforge.library names");
      }
    } else {
      String folder = "/org/ndforge/native/" + platform() + "/";
      file = unpacked(folder);
      needed = List.of(resource(folder + "libndforge.so.needed").split("\n"));
    }
    path = file;
    try {
      System.load(file.toString());
    } catch (UnsatisfiedLinkError error) {
      throw explained(file, needed, error);
    }
    return SymbolLookup.loaderLookup();
  }

  private static String resource(String name) {
    try (InputStream stream = Library.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new UnsatisfiedLinkError(
            "this jar has no library for " + platform() + "; -Dndforge.library=PATH names a libndforge.so of your own");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException exception) {
      throw new UncheckedIOException(exception);
    }
  }

  /** The folder for unpacked libraries. */
  private static Path cache() {
    String named = System.getProperty("ndforge.cache");
    if (named != null && !named.isEmpty()) {
      return Path.of(named);
    }
    String base = System.getenv("XDG_CACHE_HOME");
    Path home =
        base == null || base.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(base);
    return home.resolve("ndforge");
  }

  /**
   * Several processes may unpack at once: each writes a file of its own and renames it, which replaces the file of the
   * others by the same bytes.
   */
  private static Path unpacked(String folder) {
    String[] stamp = resource(folder + "libndforge.so.stamp").split(" ");
    Path target = cache().resolve(stamp[0]).resolve("libndforge.so");
    try {
      if (Files.isRegularFile(target) && Files.size(target) == Long.parseLong(stamp[1])) {
        return target;
      }
      Files.createDirectories(target.getParent());
      Path part = Files.createTempFile(target.getParent(), "libndforge", ".part");
      try (InputStream stream = Library.class.getResourceAsStream(folder + "libndforge.so")) {
        Files.copy(stream, part, StandardCopyOption.REPLACE_EXISTING);
        try {
          Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException unsupported) {
          Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
        }
      } finally {
        Files.deleteIfExists(part);
      }
      return target;
    } catch (IOException exception) {
      UnsatisfiedLinkError error =
          new UnsatisfiedLinkError(
              "cannot unpack libndforge.so to "
                  + target
                  + " ("
                  + exception
                  + "); -Dndforge.cache=FOLDER names another folder");
      error.initCause(exception);
      throw error;
    }
  }

  /** Names all shared libraries that are missing, and the command that installs them. */
  private static UnsatisfiedLinkError explained(Path file, List<String> needed, UnsatisfiedLinkError error) {
    List<String> missing = new ArrayList<>();
    String message = String.valueOf(error.getMessage());
    for (String name : needed) {
      if (!isThere(name)) {
        missing.add(name);
      }
    }
    int end = message.indexOf(": cannot open shared object file");
    if (missing.isEmpty() && end > 0) {
      missing.add(message.substring(message.lastIndexOf(' ', end) + 1, end));
    }
    if (missing.isEmpty()) {
      return error;
    }
    List<String> packages = missing.stream().map(Library::debianPackage).toList();
    UnsatisfiedLinkError explained =
        new UnsatisfiedLinkError(
            file
                + " needs shared libraries that are not installed: "
                + String.join(", ", missing)
                + ". On Debian or Ubuntu: sudo apt-get install "
                + String.join(" ", packages));
    explained.initCause(error);
    return explained;
  }

  private static boolean isThere(String name) {
    try (Arena arena = Arena.ofConfined()) {
      SymbolLookup.libraryLookup(name, arena);
      return true;
    } catch (IllegalArgumentException exception) {
      return false;
    }
  }

  /** The package that has a shared library: libgomp1 for libgomp.so.1, but for a few. */
  static String debianPackage(String library) {
    int suffix = library.indexOf(".so");
    String stem = suffix < 0 ? library : library.substring(0, suffix);
    String version = suffix < 0 || library.length() < suffix + 4 ? "" : library.substring(suffix + 4);
    return switch (stem) {
      case "libz" -> "zlib1g";
      case "libOpenCL" -> "ocl-icd-libopencl1";
      case "libgcc_s" -> "libgcc-s1";
      case "libstdc++" -> "libstdc++6";
      case "libc", "libm", "ld-linux-x86-64" -> "libc6";
      default -> stem.toLowerCase(Locale.ROOT) + version;
    };
  }
}
