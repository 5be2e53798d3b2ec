package org.ndforge.programs;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.DynamicCustomOp;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Every custom operation by its name, with the inputs and arguments of the library's own tests: the files
 * {@code tests_cpu/data/ops/*.npz} in the folder of the property {@code cases} ({@code cases.py} there describes them).
 * Cases in double run in float, too. Cases that leave out an input cannot be written as a DynamicCustomOp.
 */
final class Operations {
  private Operations() {}

  /** One call: arrays as they are in the file, and lists of arguments. */
  private static final class Case {
    final Map<Integer, INDArray> inputs = new LinkedHashMap<>();
    final Map<Integer, INDArray> outputs = new LinkedHashMap<>();
    double[] floats = {};
    long[] integers = {};
    boolean[] flags = {};
    long[] types = {};
  }

  static void run(Rows rows) throws IOException {
    rows.limit(10);
    eachCase((name, op, call) -> {
      int last = call.inputs.keySet().stream().mapToInt(Integer::intValue).max().orElse(-1);
      if (last + 1 != call.inputs.size()) return;
      rows.row(name, () -> call(op, call, null));
      if (call.inputs.values().stream().anyMatch(x -> x.dataType() == DataType.DOUBLE) && call.types.length == 0)
        rows.row(name + " float", () -> call(op, call, DataType.FLOAT));
    });
  }

  /** What the cases expect, from the independent sources of the scripts: `?` for outputs that they do not compare. */
  static void expected(Rows rows) throws IOException {
    eachCase((name, op, call) -> {
      int last = call.outputs.keySet().stream().mapToInt(Integer::intValue).max().orElse(-1);
      List<Object> outputs = new ArrayList<>();
      for (int i = 0; i <= last; ++i) outputs.add(call.outputs.containsKey(i) ? call.outputs.get(i) : "?");
      if (last >= 0) rows.row(name, () -> outputs);
    });
  }

  private interface Visitor {
    void visit(String name, String op, Case call);
  }

  private static void eachCase(Visitor visitor) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(Path.of(System.getProperty("cases")))) {
      files = all.filter(file -> file.toString().endsWith(".npz")).sorted().collect(Collectors.toList());
    }
    Map<String, Integer> numbers = new LinkedHashMap<>();
    for (Path file : files)
      for (Map.Entry<String, Case> entry : read(file).entrySet()) {
        String op = entry.getKey().substring(entry.getKey().indexOf('.') + 1);
        Case call = entry.getValue();
        visitor.visit(op + "#" + numbers.merge(op, 1, Integer::sum), op, call);
      }
  }

  /** The outputs of the call; doubles become `type` when there is one. */
  private static Object call(String op, Case call, DataType type) {
    List<INDArray> inputs = new ArrayList<>();
    for (int i = 0; i < call.inputs.size(); ++i) {
      INDArray x = call.inputs.get(i);
      inputs.add(type != null && x.dataType() == DataType.DOUBLE ? x.castTo(type) : x.isEmpty() ? x : x.dup());
    }
    DynamicCustomOp.DynamicCustomOpsBuilder builder = DynamicCustomOp.builder(op)
        .addInputs(inputs.toArray(new INDArray[0]))
        .addFloatingPointArguments(java.util.Arrays.stream(call.floats).boxed().toArray(Double[]::new));
    DynamicCustomOp operation = builder.build();
    operation.addIArgument(call.integers);
    operation.addBArgument(call.flags);
    for (long number : call.types) operation.addDArgument(DataType.fromInt((int) number));
    INDArray[] outputs = Nd4j.exec(operation);
    return outputs.length == 1 ? outputs[0] : outputs;
  }

  /** The cases of a file: its members are an index (name, number of the type, shape) and the elements of all arrays. */
  private static Map<String, Case> read(Path file) throws IOException {
    Map<String, byte[]> members = new LinkedHashMap<>();
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        byte[] npy = zip.readAllBytes();
        int header = 10 + (npy[8] & 255) + 256 * (npy[9] & 255);
        members.put(entry.getName(), java.util.Arrays.copyOfRange(npy, header, npy.length));
      }
    }
    ByteBuffer data = ByteBuffer.wrap(members.get("data.npy")).order(ByteOrder.LITTLE_ENDIAN);
    Map<String, Case> cases = new LinkedHashMap<>();
    byte[] strings = null;
    for (String line : new String(members.get("index.npy"), StandardCharsets.UTF_8).split("\n")) {
      String[] parts = line.split(" ", -1);
      String[] path = parts[0].split("/");
      DataType type = DataType.fromInt(Integer.parseInt(parts[1]));
      long[] shape = parts[2].isEmpty() ? new long[0]
          : Stream.of(parts[2].split(",")).mapToLong(Long::parseLong).toArray();
      int length = 1;
      for (long size : shape) length *= (int) size;
      byte[] bytes = new byte[length * width(type)];
      data.get(bytes);
      Case call = cases.computeIfAbsent(path[0], name -> new Case());
      ByteBuffer values = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      String member = path[1];
      if (member.equals("t")) {
        call.floats = new double[length];
        values.asDoubleBuffer().get(call.floats);
      } else if (member.equals("i")) {
        call.integers = new long[length];
        values.asLongBuffer().get(call.integers);
      } else if (member.equals("b")) {
        call.flags = new boolean[length];
        for (int i = 0; i < length; ++i) call.flags[i] = bytes[i] != 0;
      } else if (member.equals("d")) {
        call.types = new long[length];
        values.asLongBuffer().get(call.types);
      } else if (member.startsWith("in") || member.startsWith("out")) {
        Map<Integer, INDArray> arrays = member.startsWith("in") ? call.inputs : call.outputs;
        int dot = member.indexOf('.');
        int index = Integer.parseInt(member.substring(0, dot < 0 ? member.length() : dot).replaceAll("[a-z]", ""));
        String kind = dot < 0 ? "" : member.substring(dot);
        if (kind.equals(".strings")) {
          strings = bytes;
        } else if (kind.equals(".shape")) {
          long[] dimensions = new long[length];
          values.asLongBuffer().get(dimensions);
          arrays.put(index, strings(strings, dimensions));
        } else if (kind.equals(".empty")) {
          arrays.put(index, Nd4j.empty(DataType.fromInt((int) values.getLong(0))));
        } else {
          arrays.put(index, array(type, shape, values, length));
        }
      }
    }
    return cases;
  }

  private static int width(DataType type) {
    return type == DataType.BOOL ? 1 : type.width();
  }

  private static INDArray strings(byte[] bytes, long[] shape) {
    String all = new String(bytes, StandardCharsets.UTF_8);
    String[] texts = all.isEmpty() ? new String[0] : all.substring(0, all.length() - 1).split("\0", -1);
    if (shape.length == 0) return Nd4j.scalar(texts[0]);
    return Nd4j.create(java.util.Arrays.asList(texts), shape);
  }

  private static INDArray array(DataType type, long[] shape, ByteBuffer values, int length) {
    if (length == 0) return Nd4j.create(type, shape);
    INDArray array = Nd4j.createUninitialized(type, shape);
    ByteBuffer target = array.data().asNio();
    target.order(ByteOrder.LITTLE_ENDIAN).put(values);
    return array;
  }
}
