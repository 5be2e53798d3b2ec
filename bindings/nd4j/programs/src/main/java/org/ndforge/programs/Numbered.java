package org.ndforge.programs;

import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.BroadcastOp;
import org.nd4j.linalg.api.ops.IndexAccumulation;
import org.nd4j.linalg.api.ops.Op;
import org.nd4j.linalg.api.ops.ReduceOp;
import org.nd4j.linalg.api.ops.ScalarOp;
import org.nd4j.linalg.api.ops.TransformOp;
import org.nd4j.linalg.api.ops.impl.broadcast.bool.BroadcastEqualTo;
import org.nd4j.linalg.api.ops.impl.reduce.longer.MatchCondition;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.conditions.Conditions;

/**
 * The numbered operations through ND4J's classes: every class below org.nd4j.linalg.api.ops.impl with a constructor of
 * arrays, (INDArray, Number), (INDArray, int...) or (INDArray, INDArray, INDArray, int...), in all layouts and types.
 */
final class Numbered {
  private Numbered() {}

  static void run(Rows rows) throws Exception {
    List<Class<?>> classes = new ArrayList<>();
    Path jar = Path.of(Op.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (FileSystem files = FileSystems.newFileSystem(jar, (ClassLoader) null);
        Stream<Path> all = Files.walk(files.getPath("/org/nd4j/linalg/api/ops/impl"))) {
      for (String name : all.map(Path::toString).filter(x -> x.endsWith(".class") && !x.contains("$")).sorted()
          .collect(Collectors.toList()))
        classes.add(Class.forName(name.substring(1, name.length() - 6).replace('/', '.'), false,
            Numbered.class.getClassLoader()));
    }
    for (Class<?> each : classes) {
      if (Modifier.isAbstract(each.getModifiers()) || !Op.class.isAssignableFrom(each)) continue;
      if (each.getName().contains(".random.")) continue;  // the program "random" has them
      String name = each.getName().substring("org.nd4j.linalg.api.ops.impl.".length());
      for (DataType type : new DataType[] {DataType.DOUBLE, DataType.FLOAT, DataType.INT, DataType.HALF, DataType.BOOL})
        for (String layout : new String[] {"c", "f", "view"}) {
          String end = " " + name + " " + type + " " + layout;
          if (ReduceOp.class.isAssignableFrom(each) || IndexAccumulation.class.isAssignableFrom(each)) {
            for (int[] axes : new int[][] {{0}, {1}, {}}) {
              String axis = " " + java.util.Arrays.toString(axes);
              with(rows, each, "one" + end + axis, () -> new Object[] {x(type, layout), axes}, INDArray.class, int[].class);
              with(rows, each, "two" + end + axis, () -> new Object[] {x(type, layout), y(type, layout), axes},
                  INDArray.class, INDArray.class, int[].class);
              with(rows, each, "biased" + end + axis, () -> new Object[] {x(type, layout), false, axes}, INDArray.class,
                  boolean.class, int[].class);
            }
          } else if (BroadcastOp.class.isAssignableFrom(each)) {
            with(rows, each, "row" + end, () -> new Object[] {x(type, layout), y(type, "c").getRow(0), z(each, type), new int[] {1}},
                INDArray.class, INDArray.class, INDArray.class, int[].class);
            with(rows, each, "column" + end, () -> new Object[] {x(type, layout), y(type, "c").getColumn(0), z(each, type),
                new int[] {0}}, INDArray.class, INDArray.class, INDArray.class, int[].class);
          } else if (ScalarOp.class.isAssignableFrom(each)) {
            with(rows, each, "number" + end, () -> new Object[] {x(type, layout), 1.5}, INDArray.class, Number.class);
            with(rows, each, "negative" + end, () -> new Object[] {x(type, layout), -2}, INDArray.class, Number.class);
          } else if (TransformOp.class.isAssignableFrom(each)) {
            with(rows, each, "one" + end, () -> new Object[] {x(type, layout)}, INDArray.class);
            with(rows, each, "other" + end, () -> new Object[] {x(type, "c"), z(each, type)}, INDArray.class, INDArray.class);
            with(rows, each, "pair" + end, () -> new Object[] {x(type, layout), y(type, "c"), z(each, type)}, INDArray.class,
                INDArray.class, INDArray.class);
          }
        }
    }
    rows.row("count", () -> Nd4j.getExecutioner().exec(new MatchCondition(x(DataType.FLOAT, "c"), Conditions.greaterThan(0), 1)));
    rows.row("equal", () -> Nd4j.getExecutioner().exec(new BroadcastEqualTo(x(DataType.FLOAT, "c"), x(DataType.FLOAT, "c")
        .getRow(1), Nd4j.create(DataType.BOOL, 3, 4), 1)));
  }

  private interface Arguments {
    Object[] make();
  }

  private static void with(Rows rows, Class<?> type, String name, Arguments arguments, Class<?>... parameters) {
    Constructor<?> constructor;
    try {
      constructor = type.getConstructor(parameters);
    } catch (NoSuchMethodException none) {
      return;
    }
    rows.row(name, () -> Nd4j.getExecutioner().exec((Op) constructor.newInstance(arguments.make())));
  }

  private static INDArray x(DataType type, String layout) {
    return ArrayCalls.layouts(type, 3, 4).get(layout);
  }

  private static INDArray y(DataType type, String layout) {
    INDArray y = ArrayCalls.layouts(type, 3, 4).get(layout);
    return type == DataType.BOOL ? y : type.isFPType() ? y.addi(2) : y.muli(2);
  }

  private static INDArray z(Class<?> op, DataType type) {
    return Nd4j.create(op.getName().contains(".bool.") || op.getName().contains(".comparison.") ? DataType.BOOL : type, 3, 4);
  }
}
