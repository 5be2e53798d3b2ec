package org.ndforge.nd4j;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas;
import org.nd4j.linalg.cpu.nativecpu.bindings.Nd4jCpu;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * NDForge's libraries, loaded so that ND4J's JNI library finds them.
 *
 * <p>The JNI library asks for {@code libnd4jcpu.so}. JavaCPP looks for that file among the resources of ND4J, or, if told
 * so, first in the folders of {@code java.library.path}: for the time of this one load, that is the folder with our
 * file. A library that is loaded once is not looked for again.
 */
final class NativeLibraries {
  private static final String PATHS_FIRST = "org.bytedeco.javacpp.pathsFirst";
  private static final String LIBRARY_PATH = "java.library.path";

  private static final Logger log = LoggerFactory.getLogger(NativeLibraries.class);

  private NativeLibraries() {}

  /** Why NDForge cannot be used here. */
  static final class Unavailable extends Exception {
    private static final long serialVersionUID = 1L;

    Unavailable(String message) {
      super(message);
    }
  }

  /**
   * Loads the libraries and the JNI library of ND4J on top of them.
   *
   * @return name and version of the library
   * @throws Unavailable if the jar has no libraries for this platform, or ND4J's own library was loaded already
   */
  static synchronized String load() throws Unavailable {
    String platform = Loader.getPlatform();
    URL list = resource(platform + "/libraries.txt");
    if (list == null) throw new Unavailable("there is no library for the platform " + platform);
    File jniFolder;
    try {
      for (String library : read(list)) System.load(unpack(platform + "/" + library).getPath());
      jniFolder = unpack(platform + "/nd4j/libnd4jcpu.so").getParentFile();
    } catch (IOException e) {
      throw new Unavailable("the libraries cannot be unpacked: " + e);
    } catch (UnsatisfiedLinkError e) {
      throw new Unavailable("a library cannot be loaded: " + e.getMessage());
    }
    // What ND4J's library depends on, with JavaCPP's usual order of folders. Its OpenBLAS and ours have one name: all use
    // the one that is loaded first. A program without it hears of that from ND4J.
    try {
      Loader.load(openblas.class);
    } catch (LinkageError e) {
      log.debug("OpenBLAS for JavaCPP is missing", e);
    }
    try {
      loadJni(jniFolder);
    } catch (IOException e) {
      throw new Unavailable("JavaCPP has no cache: " + e);
    }
    String info = new Nd4jCpu().buildInfo();
    if (!info.contains("NDForge")) throw new Unavailable("libnd4j was loaded before");
    return info.split("\n", 2)[0].trim();
  }

  /**
   * Loads ND4J's JNI library while JavaCPP looks into this folder first.
   *
   * <p>JavaCPP puts the JNI library and a link to the library that it asks for into its cache, now and whenever another
   * of ND4J's classes loads it. Other processes of the user have the same cache and may run on libnd4j, so the cache of
   * this process is a folder of its own from here on.
   */
  private static void loadJni(File folder) throws IOException {
    File cache = new File(Loader.getCacheDir(), "ndforge");
    if (!cache.isDirectory() && !cache.mkdirs() && !cache.isDirectory()) throw new IOException("cannot make " + cache);
    String path = System.getProperty(LIBRARY_PATH);
    Object order = exchange("pathsFirst", true);
    exchange("cacheDir", cache);
    System.setProperty(LIBRARY_PATH, folder.getPath());
    try {
      Loader.load(Nd4jCpu.class);
    } finally {
      if (path == null) System.clearProperty(LIBRARY_PATH);
      else System.setProperty(LIBRARY_PATH, path);
      if (order != null) exchange("pathsFirst", order);
    }
  }

  /** Sets what JavaCPP reads from its properties when it starts; returns what it was, or null. */
  private static Object exchange(String name, Object value) {
    try {
      Field field = Loader.class.getDeclaredField(name);
      field.setAccessible(true);
      Object before = field.get(null);
      field.set(null, value);
      return before;
    } catch (ReflectiveOperationException | RuntimeException e) {
      if (Boolean.getBoolean(PATHS_FIRST)) return null;
      throw new IllegalStateException("JavaCPP's order cannot be changed; start with -D" + PATHS_FIRST + "=true", e);
    }
  }

  private static URL resource(String name) {
    return NativeLibraries.class.getResource("native/" + name);
  }

  private static File unpack(String name) throws IOException {
    URL url = resource(name);
    if (url == null) throw new IOException(name + " is not in the jar");
    return Loader.cacheResource(url);
  }

  private static List<String> read(URL url) throws IOException {
    List<String> lines = new ArrayList<>();
    try (InputStream stream = url.openStream();
        BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      for (String line; (line = reader.readLine()) != null; ) {
        if (!line.isEmpty()) lines.add(line);
      }
    }
    return lines;
  }
}
