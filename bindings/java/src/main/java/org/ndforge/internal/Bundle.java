package org.ndforge.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The shared libraries that the jar carries for a platform, unpacked into a folder that is named after their hash. Several
 * class loaders and processes may unpack at once: each writes files of its own and renames them, which replaces what the
 * others wrote by the same bytes.
 */
final class Bundle {
  private static final String LIST = "libraries.txt";

  /** Parts this old were left by processes that were killed. */
  private static final Duration ABANDONED = Duration.ofHours(1);

  private record Entry(String name, long bytes) {}

  private final String resources;
  private final String hash;
  private final List<Entry> entries = new ArrayList<>();

  /** Reads the list: a line with the hash, then the name and the size of each library. */
  Bundle(String platform) {
    resources = "/org/ndforge/native/" + platform + "/";
    String[] lines = list(platform).split("\n");
    hash = lines[0];
    for (int i = 1; i < lines.length; i++) {
      String[] fields = lines[i].split(" ");
      entries.add(new Entry(fields[0], Long.parseLong(fields[1])));
    }
  }

  private String list(String platform) {
    try (InputStream stream = Bundle.class.getResourceAsStream(resources + LIST)) {
      if (stream == null) {
        throw new UnsatisfiedLinkError(
            "this jar has no library for " + platform + "; -Dndforge.library=FILE names a libndforge.so of your own");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException exception) {
      throw Library.failure("cannot read the list of libraries in the jar: " + exception.getMessage(), exception);
    }
  }

  /**
   * The libraries' files, in an order in which each finds those that it needs; libndforge is the last one.
   *
   * @param cache where the folder of the libraries is, or is to be
   */
  List<Path> unpacked(Path cache) {
    Path folder = cache.resolve(hash);
    try {
      List<Path> files = new ArrayList<>();
      for (Entry entry : entries) {
        Path file = folder.resolve(entry.name);
        if (!Files.isRegularFile(file) || Files.size(file) != entry.bytes) {
          Files.createDirectories(folder);
          removeAbandoned(folder);
          unpack(entry, file);
        }
        files.add(file);
      }
      return files;
    } catch (IOException exception) {
      throw Library.failure(
          "cannot unpack libndforge and the libraries that it needs to " + folder + ": " + reason(exception)
              + "; -Dndforge.cache=FOLDER names another folder",
          exception);
    }
  }

  private void unpack(Entry entry, Path file) throws IOException {
    Path part = Files.createTempFile(file.getParent(), entry.name, ".part");
    try (InputStream stream = Bundle.class.getResourceAsStream(resources + entry.name)) {
      if (stream == null) {
        throw new IOException("the jar does not have " + resources + entry.name);
      }
      Files.copy(stream, part, StandardCopyOption.REPLACE_EXISTING);
      try {
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException unsupported) {
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static void removeAbandoned(Path folder) throws IOException {
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder, "*.part")) {
      for (Path part : parts) {
        try {
          if (Files.getLastModifiedTime(part).toInstant().isBefore(Instant.now().minus(ABANDONED))) {
            Files.deleteIfExists(part);
          }
        } catch (IOException gone) {
          // Another process has renamed or removed it.
        }
      }
    }
  }

  /** The exceptions of files have the path as their message; what happened is in their reason or their name. */
  private static String reason(IOException exception) {
    if (exception instanceof FileSystemException failed) {
      String what =
          switch (failed) {
            case java.nio.file.AccessDeniedException denied -> "permission denied";
            case java.nio.file.FileAlreadyExistsException exists -> "it is no folder";
            case java.nio.file.NoSuchFileException missing -> "it does not exist";
            default -> failed.getReason() == null ? failed.toString() : failed.getReason();
          };
      return failed.getFile() + ": " + what;
    }
    return String.valueOf(exception.getMessage());
  }
}
