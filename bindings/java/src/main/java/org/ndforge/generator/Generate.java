package org.ndforge.generator;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.ndforge.internal.Json;
import org.ndforge.internal.Library;

/**
 * Writes the classes of the operations, made from the schemas of a library, and puts the library and those that it needs
 * among the resources: Generate LIBRARY SOURCES RESOURCES BUNDLER SELF, where BUNDLER is tools/bundle_libraries.py and
 * SELF is this file. Runs before the module is compiled, and is no part of it.
 */
final class Generate {
  private static final Set<String> KEYWORDS =
      Set.of(
          "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue",
          "default", "do", "double", "else", "enum", "extends", "final", "finally", "float", "for", "goto", "if",
          "implements", "import", "instanceof", "int", "interface", "long", "native", "new", "package", "private",
          "protected", "public", "return", "short", "static", "strictfp", "super", "switch", "synchronized", "this",
          "throw", "throws", "transient", "try", "void", "volatile", "while", "record", "var", "yield");

  private static final int WIDTH = 108;

  private final Path sources;
  private final Map<String, TreeMap<Integer, Map<String, Object>>> choices = new TreeMap<>();

  private Generate(Path sources) {
    this.sources = sources;
  }

  public static void main(String[] arguments) throws Throwable {
    Path library = Path.of(arguments[0]).toRealPath();
    Path sources = Path.of(arguments[1]);
    Path resources = Path.of(arguments[2]);
    Path bundler = Path.of(arguments[3]);
    Path stamp = sources.resolve("library.stamp");
    String made = hash(List.of(library, bundler, Path.of(arguments[4])));
    if (Files.exists(stamp) && Files.readString(stamp).equals(made)) {
      return; // made from these files before
    }
    new Generate(sources).writeAll(new Registry(library));
    putLibraries(library, bundler, resources);
    Files.writeString(stamp, made);
  }

  // ---- the libraries among the resources

  private static String hash(List<Path> files) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (Path file : files) {
      try (InputStream stream = new DigestInputStream(Files.newInputStream(file), digest)) {
        stream.transferTo(OutputStream.nullOutputStream());
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** The library and those that it needs, and a list: their hash, then their names and sizes in the order of loading. */
  private static void putLibraries(Path library, Path bundler, Path resources) throws Exception {
    Path folder = resources.resolve("org/ndforge/native/" + Library.platform());
    Process process;
    try {
      process =
          new ProcessBuilder("python3", "-B", bundler.toString(), library.toString(), "--out", folder.toString())
              .redirectErrorStream(true)
              .start();
    } catch (IOException exception) {
      throw new IOException("python3, which collects the libraries for the jar, does not start", exception);
    }
    String output = new String(process.getInputStream().readAllBytes());
    if (process.waitFor() != 0) {
      throw new IOException(bundler + " failed:\n" + output);
    }
    Path list = folder.resolve("libraries.txt");
    List<Path> files = Files.readAllLines(list).stream().map(folder::resolve).toList();
    StringBuilder text = new StringBuilder(hash(files).substring(0, 32) + "\n");
    for (Path file : files) {
      text.append(file.getFileName()).append(' ').append(Files.size(file)).append('\n');
    }
    Files.writeString(list, text);
  }

  // ---- the registry

  /** The operations of a library, through its C interface. */
  private static final class Registry {
    private final SymbolLookup library;

    Registry(Path file) {
      library = SymbolLookup.libraryLookup(file, Arena.global());
    }

    private MethodHandle find(String name, ValueLayout... arguments) {
      FunctionDescriptor type = FunctionDescriptor.of(ValueLayout.ADDRESS, arguments);
      return Linker.nativeLinker().downcallHandle(library.find(name).orElseThrow(), type);
    }

    private static String text(MemorySegment address) {
      return address.address() == 0 ? null : address.reinterpret(Long.MAX_VALUE).getString(0);
    }

    Map<String, Map<String, Object>> operations() throws Throwable {
      List<String> names = new ArrayList<>();
      for (String row : text((MemorySegment) find("getAllCustomOps").invokeExact()).split(";")) {
        if (!row.isEmpty()) {
          names.add(row.substring(0, row.indexOf(':')));
        }
      }
      for (String group : text((MemorySegment) find("getAllOperations").invokeExact()).split("<<")) {
        String name = group.substring(group.lastIndexOf(':') + 1);
        for (String family :
            List.of(
                "transform", "pairwise", "scalar", "broadcast", "reduce", "reduce3", "indexreduce", "variance",
                "random")) {
          names.add(family + "." + name);
        }
      }
      MethodHandle describe = find("describeOperation", ValueLayout.ADDRESS);
      Map<String, Map<String, Object>> operations = new TreeMap<>();
      for (String name : names) {
        try (Arena arena = Arena.ofConfined()) {
          String json = text((MemorySegment) describe.invokeExact((MemorySegment) arena.allocateFrom(name)));
          if (json != null) {
            Map<String, Object> operation = Json.object(json);
            operations.put((String) operation.get("name"), operation);
          }
        }
      }
      return operations;
    }
  }

  // ---- names and texts

  private static String camel(String name) {
    StringBuilder result = new StringBuilder();
    boolean capital = false;
    for (char c : name.toCharArray()) {
      if (c == '_' || c == '.') {
        capital = result.length() > 0;
      } else {
        result.append(result.isEmpty() ? Character.toLowerCase(c) : capital ? Character.toUpperCase(c) : c);
        capital = false;
      }
    }
    return result.toString();
  }

  private static String identifier(String name) {
    String result = camel(name);
    return KEYWORDS.contains(result) ? result + "_" : result;
  }

  private static String className(String name) {
    String camel = camel(name);
    return Character.toUpperCase(camel.charAt(0)) + camel.substring(1) + "Call";
  }

  private static String constant(String name) {
    return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").replaceAll("[^A-Za-z0-9]", "_").toUpperCase();
  }

  private static String escaped(Object text) {
    return String.valueOf(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("@", "&#64;")
        .replace("{", "&#123;")
        .replace("}", "&#125;")
        .replace("*/", "*&#47;")
        .replace("\\", "&#92;");
  }

  private static String sentence(Object text) {
    String plain = String.valueOf(text).strip();
    if (plain.isEmpty()) {
      return "";
    }
    String first = Character.toUpperCase(plain.charAt(0)) + plain.substring(1);
    return escaped(first.endsWith(".") ? first : first + ".");
  }

  /** Lines of a documentation comment. */
  private static String comment(String indent, List<String> paragraphs) {
    StringBuilder result = new StringBuilder(indent + "/**\n");
    for (String paragraph : paragraphs) {
      StringBuilder line = new StringBuilder();
      for (String word : paragraph.split("\\s+")) {
        if (line.length() + word.length() + indent.length() + 4 > WIDTH && !line.isEmpty()) {
          result.append(indent).append(" * ").append(line).append('\n');
          line.setLength(0);
        }
        line.append(line.isEmpty() ? "" : " ").append(word);
      }
      result.append((indent + " * " + line).stripTrailing()).append('\n');
    }
    return result + indent + " */\n";
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> rows(Object list) {
    return list == null ? List.of() : (List<Map<String, Object>>) list;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> schema(Map<String, Object> operation) {
    return (Map<String, Object>) operation.get("schema");
  }

  // ---- the classes

  private void writeAll(Registry registry) throws Throwable {
    Path folder = sources.resolve("org/ndforge/op");
    if (Files.exists(folder)) {
      try (var files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
    }
    Files.createDirectories(folder);
    StringBuilder custom = new StringBuilder();
    StringBuilder numbered = new StringBuilder();
    for (Map<String, Object> operation : registry.operations().values()) {
      String kind = (String) operation.get("kind");
      // Lists and logic exist in graphs alone.
      if (kind.equals("list") || kind.equals("logic") || rows(schema(operation).get("outputs")).isEmpty()) {
        continue;
      }
      Writer writer = new Writer(operation);
      Files.writeString(folder.resolve(writer.className + ".java"), writer.text());
      (kind.equals("numbered") ? numbered : custom).append(writer.factory());
    }
    for (var choice : choices.entrySet()) {
      Files.writeString(folder.resolve(choice.getKey() + ".java"), choiceText(choice.getKey(), choice.getValue()));
    }
    Files.writeString(
        folder.resolve("package-info.java"),
        "/** The calls that the methods of {@link org.ndforge.Ops} and {@link org.ndforge.NumberedOps} make. */\n"
            + "package org.ndforge.op;\n");
    Files.writeString(
        sources.resolve("org/ndforge/Ops.java"),
        factories("Ops", "The operations: each method makes a call, whose methods set the arguments by name.")
            + """
              /**
               * A call of any operation, those of loaded libraries included.
               *
               * @param name its name
               * @param inputs its inputs; null leaves one out
               * @return the call
               */
              public static AnyCall call(String name, Operand... inputs) {
                return new AnyCall(Operation.of(name), inputs);
              }

            """
            + custom
            + "}\n");
    Files.writeString(
        sources.resolve("org/ndforge/NumberedOps.java"),
        factories(
                "NumberedOps",
                "The numbered operations, which work on elements, pairs of elements and sub-arrays. {@link Ops} has those"
                    + " with more conveniences.")
            + numbered
            + "}\n");
  }

  private static String factories(String name, String text) {
    return "package org.ndforge;\n\nimport java.util.List;\nimport org.ndforge.op.*;\n\n"
        + comment("", List.of(text))
        + "public final class " + name + " {\n  private " + name + "() {}\n\n";
  }

  private static String choiceText(String name, Map<Integer, Map<String, Object>> values) {
    StringBuilder text = new StringBuilder("package org.ndforge.op;\n\n");
    text.append(comment("", List.of("Choices of arguments.")));
    text.append("public enum ").append(name).append(" implements org.ndforge.Choice {\n");
    int left = values.size();
    for (Map<String, Object> value : values.values()) {
      text.append(comment("  ", List.of(sentence(value.get("text")))));
      text.append("  ").append(constant((String) value.get("name"))).append("(\"").append(value.get("name"));
      text.append(--left == 0 ? "\");\n\n" : "\"),\n");
    }
    text.append("  private final String label;\n\n  ").append(name);
    text.append("(String label) {\n    this.label = label;\n  }\n\n");
    return text + "  @Override\n  public String label() {\n    return label;\n  }\n}\n";
  }

  /** The class of one operation. */
  private final class Writer {
    final Map<String, Object> operation;
    final Map<String, Object> schema;
    final List<Map<String, Object>> inputs;
    final List<Map<String, Object>> arguments;
    final List<Map<String, Object>> outputs;
    final String name;
    final String className;

    Writer(Map<String, Object> operation) {
      this.operation = operation;
      schema = schema(operation);
      inputs = rows(schema.get("inputs"));
      arguments = rows(schema.get("arguments"));
      outputs = rows(schema.get("outputs"));
      name = (String) operation.get("name");
      className = className(name);
    }

    private boolean isOptional(Map<String, Object> input) {
      return Boolean.TRUE.equals(input.get("optional"))
          || arguments.stream().anyMatch(argument -> argument.get("name").equals(input.get("name")));
    }

    private boolean isAny(Map<String, Object> row) {
      return Boolean.TRUE.equals(row.get("any"));
    }

    private List<Map<String, Object>> needed() {
      return inputs.stream().filter(input -> !isOptional(input)).toList();
    }

    private String typesOf(Map<String, Object> row) {
      Object types = row.get("types");
      return types == null ? "" : "; " + String.join(", ", ((List<?>) types).stream().map(String::valueOf).toList());
    }

    private List<String> description() {
      List<String> text = new ArrayList<>();
      String summary = sentence(schema.get("summary"));
      text.add(summary.isEmpty() ? "The operation " + name + "." : summary);
      for (String member : List.of("formula", "note")) {
        if (schema.get(member) instanceof String value && !value.isEmpty()) {
          text.add("");
          text.add("<p>" + (member.equals("formula") ? "Formula: " + escaped(value) : sentence(value)));
        }
      }
      return text;
    }

    private String parameters() {
      List<Map<String, Object>> needed = needed();
      List<String> list = new ArrayList<>();
      for (int i = 0; i < needed.size(); i++) {
        boolean last = i == needed.size() - 1;
        String type = !isAny(needed.get(i)) ? "Operand" : last ? "Operand..." : "List<? extends Operand>";
        list.add(type + " " + identifier((String) needed.get(i).get("name")));
      }
      return String.join(", ", list);
    }

    private List<String> parameterTexts() {
      List<String> text = new ArrayList<>();
      for (Map<String, Object> input : needed()) {
        text.add(
            "@param " + identifier((String) input.get("name")) + " " + escaped(input.get("text"))
                + escaped(typesOf(input)));
      }
      return text;
    }

    String factory() {
      List<String> text = new ArrayList<>(description());
      text.add("");
      text.addAll(parameterTexts());
      text.add("@return the call");
      String values =
          needed().stream().map(input -> identifier((String) input.get("name"))).collect(Collectors.joining(", "));
      return comment("  ", text)
          + "  public static " + className + " " + identifier(name) + "(" + parameters() + ") {\n    return new "
          + className + "(" + values + ");\n  }\n\n";
    }

    String text() {
      StringBuilder text = new StringBuilder("package org.ndforge.op;\n\nimport java.util.List;\n");
      text.append("import org.ndforge.*;\n\n");
      text.append(comment("", description()));
      text.append("public final class ").append(className).append(" extends Call<").append(className).append("> {\n");
      text.append("  private static final Operation OPERATION = Operation.of(\"").append(name).append("\");\n");
      for (Map<String, Object> argument : arguments) {
        String argumentName = (String) argument.get("name");
        text.append("  private static final long ").append("NAME_").append(constant(argumentName));
        text.append(" = Operation.name(\"").append(argumentName).append("\");\n");
      }
      boolean shifts = inputs.stream().anyMatch(this::isAny);
      if (shifts) {
        text.append("  private int further;\n");
      }
      text.append("\n");
      constructor(text, shifts);
      boolean lists = false;
      for (int i = 0; i < inputs.size(); i++) {
        Map<String, Object> input = inputs.get(i);
        if (isOptional(input)) {
          optionalInput(text, input, lists ? i + " + further" : String.valueOf(i));
        }
        lists |= isAny(input);
      }
      for (Map<String, Object> argument : arguments) {
        argument(text, argument);
      }
      run(text);
      return text + "}\n";
    }

    private void constructor(StringBuilder text, boolean shifts) {
      List<String> lines = new ArrayList<>();
      lines.add("A call; {@link " + (operation.get("kind").equals("numbered") ? "NumberedOps" : "Ops") + "} makes it.");
      lines.add("");
      lines.addAll(parameterTexts());
      text.append(comment("  ", lines));
      text.append("  public ").append(className).append("(").append(parameters()).append(") {\n");
      text.append("    super(OPERATION);\n");
      boolean lists = false;
      List<Map<String, Object>> needed = needed();
      for (int i = 0; i < inputs.size(); i++) {
        Map<String, Object> input = inputs.get(i);
        if (isOptional(input)) {
          continue;
        }
        String value = identifier((String) input.get("name"));
        if (isAny(input)) {
          boolean array = input == needed.get(needed.size() - 1);
          text.append("    inputs(").append(value).append(");\n");
          text.append("    further += ").append(value).append(array ? ".length" : ".size()").append(" - 1;\n");
          lists = true;
        } else {
          text.append("    input(").append(i).append(lists ? " + further" : "").append(", ").append(value);
          text.append(");\n");
        }
      }
      text.append("  }\n\n");
    }

    private void optionalInput(StringBuilder text, Map<String, Object> input, String index) {
      String value = identifier((String) input.get("name"));
      String type = isAny(input) ? "Operand..." : "Operand";
      List<String> lines = new ArrayList<>();
      lines.add("An optional input: " + sentence(input.get("text")));
      lines.add("");
      lines.add("@param value an array or a value of a graph" + escaped(typesOf(input)));
      lines.add("@return this call");
      text.append(comment("  ", lines));
      text.append("  public ").append(className).append(" ").append(value).append("(").append(type);
      if (isAny(input)) {
        text.append(" value) {\n    inputs(value);\n    return this;\n  }\n\n");
      } else {
        text.append(" value) {\n    input(").append(index).append(", value);\n    return this;\n  }\n\n");
      }
    }

    private static String range(Map<String, Object> argument) {
      Object least = argument.get("least");
      Object most = argument.get("most");
      return least == null && most == null
          ? ""
          : ", " + (least == null ? "" : least) + ".." + (most == null ? "" : most);
    }

    private static Object plain(Object value) {
      return value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e15
          ? (Object) number.longValue()
          : value instanceof List<?> list ? list.stream().map(Writer::plain).toList() : value;
    }

    private void argument(StringBuilder text, Map<String, Object> argument) {
      String argumentName = (String) argument.get("name");
      boolean single = ((Double) argument.get("count")).intValue() == 1;
      String kind = (String) argument.get("kind");
      String type =
          switch (kind) {
            case "integer" -> "long";
            case "number" -> "double";
            case "flag" -> "boolean";
            case "type" -> "DataType";
            case "choice" -> choice(argument);
            default -> throw new IllegalStateException(name + ": unknown kind " + kind);
          };
      String setter =
          switch (kind) {
            case "integer" -> "integers";
            case "number" -> "numbers";
            case "flag" -> "flags";
            case "type" -> "types";
            default -> "choice";
          };
      List<String> lines = new ArrayList<>();
      lines.add(sentence(argument.get("text")));
      lines.add("");
      Object fallback = argument.get("default");
      Map<String, Object> shown = new LinkedHashMap<>(argument);
      shown.replaceAll((key, value) -> plain(value));
      lines.add(
          "@param value the argument '" + argumentName + "'"
              + (Boolean.TRUE.equals(argument.get("required"))
                  ? ", which has no default"
                  : fallback == null ? "" : "; default " + escaped(plain(fallback)))
              + escaped(range(shown)));
      lines.add("@return this call");
      String documentation = comment("  ", lines);
      boolean integersToo = "Scalar".equals(argument.get("type"));
      for (int overload = 0; overload < (integersToo ? 2 : 1); overload++) {
        text.append(documentation);
        text.append("  public ").append(className).append(" ").append(identifier(argumentName)).append("(");
        text.append(overload == 1 ? "long" : type).append(single ? "" : "...").append(" value) {\n    ");
        text.append(overload == 1 ? "integers" : setter);
        text.append("(NAME_").append(constant(argumentName)).append(", value");
        text.append(");\n    return this;\n  }\n\n");
      }
    }

    private String choice(Map<String, Object> argument) {
      String type = (String) argument.get("type");
      TreeMap<Integer, Map<String, Object>> all = choices.computeIfAbsent(type, t -> new TreeMap<>());
      for (Map<String, Object> value : rows(argument.get("choices"))) {
        all.putIfAbsent(((Double) value.get("number")).intValue(), value);
      }
      return type;
    }

    private void run(StringBuilder text) {
      boolean any = outputs.stream().anyMatch(this::isAny);
      List<String> lines = new ArrayList<>();
      lines.add("Runs the operation on arrays.");
      lines.add("");
      String result;
      String body;
      if (any) {
        lines.add("@return " + escaped(outputs.get(0).get("name")) + ": " + escaped(outputs.get(0).get("text")));
        result = "List<NDArray>";
        body = "runAll()";
      } else if (outputs.size() == 1) {
        lines.add("@return " + escaped(outputs.get(0).get("name")) + ": " + escaped(outputs.get(0).get("text")));
        result = "NDArray";
        body = "first()";
      } else {
        record(text);
        lines.add("@return the outputs");
        result = "Result";
        body = null;
      }
      lines.add("@throws NDForgeException when the call does not fit the operation; nothing has been written then");
      text.append(comment("  ", lines));
      text.append("  public ").append(result).append(" run() {\n");
      if (body != null) {
        text.append("    return ").append(body).append(";\n  }\n");
        return;
      }
      text.append("    NDArray[] results = results();\n    return new Result(");
      for (int i = 0; i < outputs.size(); i++) {
        text.append(i == 0 ? "" : ", ").append("at(results, ").append(i).append(")");
      }
      text.append(");\n  }\n");
    }

    private void record(StringBuilder text) {
      List<String> lines = new ArrayList<>(List.of("The outputs.", ""));
      List<String> members = new ArrayList<>();
      for (Map<String, Object> output : outputs) {
        String member = identifier((String) output.get("name"));
        String condition = String.valueOf(output.get("condition"));
        members.add("NDArray " + member);
        lines.add(
            "@param " + member + " " + escaped(output.get("text"))
                + (condition.isEmpty() ? "" : "; null unless " + escaped(condition)));
      }
      text.append(comment("  ", lines));
      text.append("  public record Result(").append(String.join(", ", members));
      text.append(") implements AutoCloseable {\n");
      text.append("    @Override\n    public void close() {\n");
      for (Map<String, Object> output : outputs) {
        String member = identifier((String) output.get("name"));
        text.append("      if (").append(member).append(" != null) {\n        ").append(member);
        text.append(".close();\n      }\n");
      }
      text.append("    }\n  }\n\n");
    }
  }
}
