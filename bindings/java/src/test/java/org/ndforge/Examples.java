package org.ndforge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Calls from the examples of schemas, and from what JSON holds. */
final class Examples {
  /** Inputs that need integers, although their rows state no types. */
  private static final List<String> INTEGERS = List.of("indices", "shape");

  private Examples() {}

  private static boolean isAny(Map<?, ?> row) {
    return Boolean.TRUE.equals(row.get("any"));
  }

  /** The call that an example describes. */
  static AnyCall call(Operation operation, Map<String, Object> schema, Map<?, ?> example) {
    List<Operand> inputs = new ArrayList<>();
    for (Object item : (List<?>) schema.get("inputs")) {
      Map<?, ?> row = (Map<?, ?>) item;
      Object value = example.get(row.get("name"));
      boolean argument =
          ((List<?>) schema.get("arguments"))
              .stream().anyMatch(a -> ((Map<?, ?>) a).get("name").equals(row.get("name")));
      if (argument) {
        inputs.add(null);
      } else if (isAny(row) && value instanceof List<?> list) {
        for (Object element : list) {
          inputs.add(array(element, row));
        }
      } else {
        inputs.add(value == null ? null : array(value, row));
      }
    }
    while (!inputs.isEmpty() && inputs.get(inputs.size() - 1) == null) {
      inputs.remove(inputs.size() - 1);
    }
    AnyCall call = new AnyCall(operation, inputs.toArray(new Operand[0]));
    for (Object item : (List<?>) schema.get("arguments")) {
      Map<?, ?> row = (Map<?, ?>) item;
      String name = (String) row.get("name");
      Object value = example.get(name);
      if (value != null) {
        set(call, name, (String) row.get("kind"), value instanceof List<?> list ? list : List.of(value));
      }
    }
    return call;
  }

  private static void set(AnyCall call, String name, String kind, List<?> values) {
    switch (kind) {
      case "integer" -> call.with(name, values.stream().mapToLong(v -> ((Double) v).longValue()).toArray());
      case "number" -> call.with(name, values.stream().mapToDouble(v -> (Double) v).toArray());
      case "flag" -> {
        boolean[] flags = new boolean[values.size()];
        for (int i = 0; i < flags.length; i++) {
          flags[i] = (Boolean) values.get(i);
        }
        call.with(name, flags);
      }
      case "type" -> call.with(name, DataType.valueOf(String.valueOf(values.get(0)).toUpperCase()));
      default -> call.with(name, String.valueOf(values.get(0)));
    }
  }

  /** The array of nested lists; FLOAT32, or a type that the input takes. */
  static NDArray array(Object value, Map<?, ?> row) {
    List<Object> leaves = new ArrayList<>();
    List<Long> shape = new ArrayList<>();
    collect(value, 0, shape, leaves);
    long[] sizes = shape.stream().mapToLong(Long::longValue).toArray();
    // JSON has no numbers that are not finite: they are words.
    Map<Object, Double> words =
        Map.of("nan", Double.NaN, "inf", Double.POSITIVE_INFINITY, "-inf", Double.NEGATIVE_INFINITY);
    leaves.replaceAll(leaf -> words.containsKey(leaf) ? words.get(leaf) : leaf);
    if (!leaves.isEmpty() && leaves.get(0) instanceof String) {
      return NDArray.of(leaves.stream().map(String::valueOf).toArray(String[]::new));
    }
    DataType type = DataType.FLOAT32;
    boolean flags = !leaves.isEmpty() && leaves.get(0) instanceof Boolean;
    List<?> types = row.get("types") instanceof List<?> list ? list : List.of();
    if (flags) {
      type = DataType.BOOL;
    } else if (INTEGERS.contains(row.get("name"))) {
      type = DataType.INT64;
    } else if (!types.isEmpty() && !types.contains("FLOAT32")) {
      type =
          DataType.valueOf(
              types.contains("INT64") ? "INT64" : types.contains("INT32") ? "INT32" : String.valueOf(types.get(0)));
    }
    NDArray array = NDArray.zeros(type, sizes);
    NDArray flat = array.reshape(-1);
    for (int i = 0; i < leaves.size(); i++) {
      flat.set(leaves.get(i) instanceof Boolean flag ? (flag ? 1 : 0) : (Double) leaves.get(i), i);
    }
    return array;
  }

  private static void collect(Object value, int depth, List<Long> shape, List<Object> leaves) {
    if (value instanceof List<?> list) {
      if (shape.size() == depth) {
        shape.add((long) list.size());
      }
      for (Object element : list) {
        collect(element, depth + 1, shape, leaves);
      }
    } else {
      leaves.add(value);
    }
  }
}
