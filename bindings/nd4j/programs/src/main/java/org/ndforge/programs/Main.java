package org.ndforge.programs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

import org.nd4j.linalg.factory.Nd4j;

/**
 * Runs one program: {@code Main PROGRAM FILE [AFTER]}. {@code Main list} prints their names, and
 * {@code PROGRAM.expected} has what independent sources say. The property
 * {@code rows.only} restricts it to the rows whose name contains a text.
 */
public final class Main {
  interface Program {
    void run(Rows rows) throws Exception;
  }

  private static final Map<String, Program> PROGRAMS = new LinkedHashMap<>();

  static {
    PROGRAMS.put("short", Short::run);
    PROGRAMS.put("operations", Operations::run);
    PROGRAMS.put("operations.expected", Operations::expected);
    PROGRAMS.put("arrays", ArrayCalls::run);
    PROGRAMS.put("indexing", Indexing::run);
    PROGRAMS.put("numbered", Numbered::run);
    PROGRAMS.put("random", RandomNumbers::run);
    PROGRAMS.put("graphs", Graphs::run);
    PROGRAMS.put("layers", Layers::run);
    PROGRAMS.put("networks", Networks::run);
    PROGRAMS.put("memory", Memory::run);
    PROGRAMS.put("errors", Errors::run);
    PROGRAMS.put("classes", NativeClasses::run);
    PROGRAMS.put("tools", Tools::run);
  }

  private Main() {}

  public static void main(String[] args) throws Exception {
    if (args[0].equals("list")) {
      PROGRAMS.keySet().stream().filter(name -> !name.contains(".")).forEach(System.out::println);
      return;
    }
    Nd4j.getRandom().setSeed(7);
    String library = "original";
    for (String line : Files.readAllLines(Path.of("/proc/self/maps")))
      if (line.contains("libndforge")) library = "ndforge";
    System.out.println("library " + library);
    try (Rows rows = new Rows(Path.of(args[1]), args.length > 2 ? args[2] : "", System.getProperty("rows.only", ""))) {
      PROGRAMS.get(args[0]).run(rows);
    }
    System.exit(0);
  }
}
