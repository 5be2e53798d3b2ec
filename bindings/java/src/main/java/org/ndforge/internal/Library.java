package org.ndforge.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Finds and loads libndforge: the file that {@code -Dndforge.library} names, or the one in the jar, which brings the
 * libraries that it needs.
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
    if (named == null || named.isEmpty()) {
      SymbolLookup last = null;
      for (Path file : new Bundle(platform()).unpacked(cache())) {
        last = load(file);
      }
      return last;
    }
    Path file = Path.of(named).toAbsolutePath();
    if (!Files.isRegularFile(file)) {
      throw new UnsatisfiedLinkError("there is no file " + file + ", which -Dndforge.library names");
    }
    return load(file);
  }

  /**
   * Loads a file, for all class loaders: System.load refuses a file that another one has loaded. A library that a loaded
   * one needs is not looked for when one with its name is there.
   */
  private static SymbolLookup load(Path file) {
    try {
      SymbolLookup library = SymbolLookup.libraryLookup(file, Arena.global());
      path = file;
      return library;
    } catch (IllegalArgumentException withoutReason) {
      try {
        System.load(file.toString());
      } catch (UnsatisfiedLinkError error) {
        throw explained(file, error);
      }
      throw withoutReason;
    }
  }

  /** The folder for unpacked libraries. */
  private static Path cache() {
    String named = System.getProperty("ndforge.cache");
    if (named != null && !named.isEmpty()) {
      return Path.of(named).toAbsolutePath();
    }
    String base = System.getenv("XDG_CACHE_HOME");
    if (base != null && !base.isEmpty()) {
      return Path.of(base, "ndforge").toAbsolutePath();
    }
    String home = System.getProperty("user.home");
    // What Java says of users without a home.
    if (home == null || home.isEmpty() || home.equals("?")) {
      throw new UnsatisfiedLinkError(
          "there is no home folder to which libndforge could be unpacked; -Dndforge.cache=FOLDER names a folder");
    }
    return Path.of(home, ".cache", "ndforge").toAbsolutePath();
  }

  static UnsatisfiedLinkError failure(String message, Throwable cause) {
    UnsatisfiedLinkError error = new UnsatisfiedLinkError(message);
    error.initCause(cause);
    return error;
  }

  /** Names the shared library that is missing, and the command that installs it. */
  private static UnsatisfiedLinkError explained(Path file, UnsatisfiedLinkError error) {
    String message = String.valueOf(error.getMessage());
    int end = message.indexOf(": cannot open shared object file");
    if (end < 0) {
      return error;
    }
    String missing = message.substring(message.lastIndexOf(' ', end) + 1, end);
    return failure(
        file + " needs the shared library " + missing + ", which is not installed. On Debian or Ubuntu: sudo apt-get install "
            + debianPackage(missing),
        error);
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
      default -> {
        String name = stem.toLowerCase(Locale.ROOT);
        yield name + (!name.isEmpty() && Character.isDigit(name.charAt(name.length() - 1)) ? "-" : "") + version;
      }
    };
  }
}
