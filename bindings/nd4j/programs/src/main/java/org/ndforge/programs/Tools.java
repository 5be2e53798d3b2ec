package org.ndforge.programs;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import org.nd4j.linalg.api.buffer.DataBuffer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.executioner.OpExecutioner;
import org.nd4j.linalg.convolution.Convolution;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.preprocessor.ImagePreProcessingScaler;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerMinMaxScaler;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerStandardize;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.factory.ops.NDBase;
import org.nd4j.linalg.indexing.BooleanIndexing;
import org.nd4j.linalg.indexing.conditions.Condition;
import org.nd4j.linalg.indexing.conditions.Conditions;
import org.nd4j.linalg.ops.transforms.Transforms;
import org.nd4j.linalg.profiler.ProfilerConfig;

/** What surrounds arrays: compression, encodings of gradients, convolution helpers, data sets, modes of execution. */
final class Tools {
  private Tools() {}

  static void run(Rows rows) {
    compression(rows);
    convolution(rows);
    lists(rows);
    dataSets(rows);
    modes(rows);
    transforms(rows);
    namespaces(rows);
  }

  private static void compression(Rows rows) {
    INDArray x = ArrayCalls.numbers(DataType.FLOAT, 20, 10);
    for (String codec : new String[] {"FLOAT16", "INT8", "GZIP", "NOOP", "FLOAT8", "UINT8", "INT16"}) {
      rows.row("compress " + codec, () -> Nd4j.getCompressor().decompress(Nd4j.getCompressor().compress(x, codec)));
    }
    for (int size : new int[] {16, 200, 5000}) {
      INDArray updates = Transforms.sin(Nd4j.linspace(0, 50, size, DataType.FLOAT)).muli(0.01);
      rows.row("threshold " + size, () -> {
        INDArray rest = updates.dup();
        INDArray encoded = Nd4j.getExecutioner().thresholdEncode(rest, 0.005);
        if (encoded == null) return "null";
        INDArray decoded = Nd4j.getExecutioner().thresholdDecode(encoded, Nd4j.zeros(DataType.FLOAT, size));
        return Arrays.asList(encoded.length(), rest, decoded);
      });
      rows.row("limited threshold " + size, () -> {
        INDArray rest = updates.dup();
        INDArray encoded = Nd4j.getExecutioner().thresholdEncode(rest, 0.005, 10);
        return encoded == null ? "null" : Arrays.asList(encoded.length(), rest);
      });
      rows.row("bitmap " + size, () -> {
        INDArray rest = updates.dup();
        INDArray encoded = Nd4j.getExecutioner().bitmapEncode(rest, 0.005);
        INDArray decoded = Nd4j.getExecutioner().bitmapDecode(encoded, Nd4j.zeros(DataType.FLOAT, size));
        return Arrays.asList(encoded, rest, decoded);
      });
      rows.row("bitmap count " + size, () -> {
        INDArray rest = updates.dup();
        DataBuffer buffer = Nd4j.getDataBufferFactory().createInt(size / 16 + 5);
        INDArray encoded = Nd4j.createArrayFromShapeBuffer(buffer, updates.shapeInfoDataBuffer());
        return Nd4j.getExecutioner().bitmapEncode(rest, encoded, 0.005);
      });
    }
  }

  private static void convolution(Rows rows) {
    INDArray images = ArrayCalls.numbers(DataType.FLOAT, 2, 3, 8, 8);
    for (int kernel : new int[] {2, 3})
      for (int stride : new int[] {1, 2})
        for (int padding : new int[] {0, 1})
          for (boolean same : new boolean[] {false, true}) {
            String name = kernel + " " + stride + " " + padding + " " + same;
            rows.row("im2col " + name,
                () -> Convolution.im2col(images, kernel, kernel, stride, stride, padding, padding, same));
            rows.row("im2col dilated " + name,
                () -> Convolution.im2col(images, kernel, kernel, stride, stride, padding, padding, 2, 2, same));
            rows.row("col2im " + name, () -> {
              INDArray columns = Convolution.im2col(images, kernel, kernel, stride, stride, padding, padding, false);
              return Convolution.col2im(columns, stride, stride, padding, padding, 8, 8);
            });
          }
  }

  private static void lists(Rows rows) {
    INDArray x = ArrayCalls.numbers(DataType.FLOAT, 4, 5), f = x.dup('f');
    rows.row("pile", () -> Nd4j.pile(x, f, x.mul(2)));
    rows.row("tear", () -> Nd4j.tear(x, 1));
    rows.row("tear 0", () -> Nd4j.tear(f, 0));
    rows.row("special concat", () -> Nd4j.specialConcat(0, x, x.mul(3)));
    rows.row("pull rows", () -> Nd4j.pullRows(x, 1, new int[] {3, 0, 3}));
    rows.row("pull rows f", () -> Nd4j.pullRows(f, 1, new int[] {3, 0, 3}, 'f'));
    rows.row("pull columns", () -> Nd4j.pullRows(x, 0, new int[] {1, 4}));
    rows.row("average", () -> Nd4j.averageAndPropagate(new INDArray[] {x.dup(), x.mul(2), x.mul(6)}));
    rows.row("average into", () -> {
      INDArray target = Nd4j.zeros(DataType.FLOAT, 4, 5), a = x.dup(), b = f.mul(4);
      Nd4j.averageAndPropagate(target, Arrays.asList(a, b));
      return Arrays.asList(target, a, b);
    });
    rows.row("accumulate", () -> Nd4j.accumulate(x, f, x.mul(2)));
    rows.row("accumulate into", () -> Nd4j.accumulate(Nd4j.ones(DataType.FLOAT, 4, 5), Arrays.asList(x, f)));
    rows.row("flatten c", () -> Nd4j.toFlattened('c', x, f));
    rows.row("flatten f", () -> Nd4j.toFlattened('f', x, f));
    rows.row("sort 0", () -> Nd4j.sort(x.dup(), 0, true));
    rows.row("sort 1 f", () -> Nd4j.sort(f.dup('f'), 1, false));
    rows.row("sort all", () -> Nd4j.sort(x.dup(), false));
    rows.row("sort with indices", () -> Nd4j.sortWithIndices(x.dup(), 1, true));
    rows.row("sort rows", () -> Nd4j.sortRows(x, 2, true));
    rows.row("sort columns", () -> Nd4j.sortColumns(x, 1, false));
    rows.row("shuffle", () -> {
      INDArray a = x.dup();
      Nd4j.shuffle(a, new java.util.Random(5), 1);
      return a.sum(0);
    });
    rows.row("shuffle together", () -> {
      INDArray a = x.dup(), b = x.dup();
      Nd4j.shuffle(Arrays.asList(a, b), new java.util.Random(5), 1);
      return a.equals(b);
    });
    rows.row("rot90", () -> {
      INDArray a = Nd4j.linspace(1, 9, 9, DataType.FLOAT).reshape(3, 3).dup();
      Nd4j.rot90(a);
      return a;
    });
    rows.row("reverse", () -> Nd4j.reverse(Nd4j.linspace(1, 9, 9, DataType.FLOAT)));
    rows.row("roll", () -> Nd4j.rollAxis(ArrayCalls.numbers(DataType.FLOAT, 2, 3, 4), 2));
    rows.row("append", () -> Nd4j.append(x, 2, 7.0, 1));
    rows.row("prepend", () -> Nd4j.prepend(x, 2, 7.0, 0));
    rows.row("pad", () -> Nd4j.pad(x, 1, 2));
    rows.row("repeat", () -> x.repeat(1, 3));
    rows.row("tile", () -> Nd4j.tile(x, 2, 3));
    rows.row("hstack", () -> Nd4j.hstack(x, f));
    rows.row("vstack", () -> Nd4j.vstack(x, f));
    rows.row("stack", () -> Nd4j.stack(1, x, f));
    rows.row("where", () -> Nd4j.where(x.gt(0), x, f.neg()));
    rows.row("where indices", () -> Nd4j.where(x.gt(0), null, null));
    rows.row("clear NaN", () -> {
      INDArray a = x.dup();
      a.putScalar(1, 1, Double.NaN);
      Nd4j.clearNans(a);
      return a;
    });
    rows.row("strip ones", () -> Nd4j.stripOnes(x.reshape(1, 4, 1, 5)));
    rows.row("scatter update", () -> {
      INDArray a = x.dup();
      Nd4j.scatterUpdate(org.nd4j.linalg.api.ops.impl.scatter.ScatterUpdate.UpdateOp.ADD, a,
          Nd4j.createFromArray(2, 0), Nd4j.ones(DataType.FLOAT, 2, 5), 1);
      return a;
    });
    rows.row("text", () -> Nd4j.readTxtString(new java.io.ByteArrayInputStream("1,2\n3,4\n".getBytes())));
    Map<String, Condition> conditions = new LinkedHashMap<>();
    conditions.put("gt", Conditions.greaterThan(0.5));
    conditions.put("absLt", Conditions.absLessThan(1));
    conditions.put("eps", Conditions.epsEquals(0.0));
    conditions.put("nan", Conditions.isNan());
    conditions.forEach((name, test) ->
      rows.row("condition " + name, () -> {
        INDArray a = x.dup();
        BooleanIndexing.replaceWhere(a, 42, test);
        return Arrays.asList(a, BooleanIndexing.and(x, test), BooleanIndexing.or(x, test),
            BooleanIndexing.firstIndex(x, test), BooleanIndexing.lastIndex(x, test, 1));
      }));
    rows.row("statistics", () -> Nd4j.getExecutioner().inspectArray(x));
  }

  private static void dataSets(Rows rows) {
    rows.row("standardise", () -> {
      DataSet data = data();
      NormalizerStandardize normalizer = new NormalizerStandardize();
      normalizer.fitLabel(true);
      normalizer.fit(data);
      normalizer.transform(data);
      INDArray back = data.getFeatures().dup();
      normalizer.revertFeatures(back);
      return Arrays.asList(data.getFeatures(), data.getLabels(), back, normalizer.getMean(), normalizer.getStd());
    });
    rows.row("minimum and maximum", () -> {
      DataSet data = data();
      NormalizerMinMaxScaler normalizer = new NormalizerMinMaxScaler(-1, 1);
      normalizer.fit(data);
      normalizer.transform(data);
      return data.getFeatures();
    });
    rows.row("image scaler", () -> {
      DataSet data = data();
      new ImagePreProcessingScaler(0, 1).transform(data);
      return data.getFeatures();
    });
    rows.row("split", () -> Arrays.asList(data().splitTestAndTrain(3).getTrain().getFeatures(),
        data().getRange(1, 3).getLabels(), data().asList().size(),
        data().sample(2, false).numExamples(), data().batchBy(2).size()));
    rows.row("merge", () -> DataSet.merge(Arrays.asList(data(), data())).getFeatures());
    rows.row("shuffled", () -> {
      DataSet data = data();
      data.shuffle(11);
      return data.getFeatures();
    });
    rows.row("numbers of a data set", () -> {
      DataSet data = data();
      data.normalizeZeroMeanZeroUnitVariance();
      data.roundToTheNearest(2);
      data.scaleMinAndMax(0, 1);
      return data.getFeatures();
    });
    rows.row("stored", () -> {
      java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
      data().save(out);
      DataSet data = new DataSet();
      data.load(new java.io.ByteArrayInputStream(out.toByteArray()));
      return Arrays.asList(data.getFeatures(), data.getLabels());
    });
  }

  private static DataSet data() {
    INDArray features = ArrayCalls.numbers(DataType.FLOAT, 6, 4), labels = Nd4j.zeros(DataType.FLOAT, 6, 2);
    for (int i = 0; i < 6; i++) labels.putScalar(i, i % 2, 1);
    return new DataSet(features, labels);
  }

  private static void modes(Rows rows) {
    INDArray x = ArrayCalls.numbers(DataType.FLOAT, 4, 5);
    Map<String, ProfilerConfig> configurations = new LinkedHashMap<>();
    configurations.put("NaN", ProfilerConfig.builder().checkForNAN(true).build());
    configurations.put("infinity", ProfilerConfig.builder().checkForINF(true).build());
    configurations.put("both", ProfilerConfig.builder().checkForNAN(true).checkForINF(true).build());
    configurations.put("elapsed time", ProfilerConfig.builder().checkElapsedTime(true).build());
    configurations.forEach((name, configuration) -> rows.row("checks " + name, () -> {
      Nd4j.getExecutioner().setProfilingConfig(configuration);
      try {
        List<String> results = new ArrayList<>();
        for (Callable<INDArray> call : Arrays.<Callable<INDArray>>asList(() -> x.add(1), () -> x.div(0.0),
            () -> Transforms.log(x.neg(), true), () -> x.mmul(x.transpose()),
            () -> x.sub(Double.NaN), () -> x.sum(0))) {
          try {
            results.add(Rows.text(call.call()));
          } catch (Exception error) {
            results.add(error.getClass().getSimpleName());
          }
        }
        return results;
      } finally {
        Nd4j.getExecutioner().setProfilingConfig(ProfilerConfig.builder().build());
      }
    }));
    rows.row("modes", () -> {
      List<Object> results = new ArrayList<>();
      for (OpExecutioner.ProfilingMode mode : OpExecutioner.ProfilingMode.values()) {
        if (mode.name().contains("BANDWIDTH")) continue;
        Nd4j.getExecutioner().setProfilingMode(mode);
        results.add(mode);
        results.add(x.add(2).sumNumber());
      }
      Nd4j.getExecutioner().setProfilingMode(OpExecutioner.ProfilingMode.DISABLED);
      return results;
    });
    rows.row("debug and verbose", () -> {
      Nd4j.getExecutioner().enableDebugMode(true);
      Nd4j.getExecutioner().enableVerboseMode(false);
      try {
        return x.mmul(x.transpose());
      } finally {
        Nd4j.getExecutioner().enableDebugMode(false);
      }
    });
    rows.row("default types", () -> {
      Nd4j.setDefaultDataTypes(DataType.DOUBLE, DataType.DOUBLE);
      try {
        return Arrays.asList(Nd4j.zeros(2).dataType(), Nd4j.create(new float[] {1, 2}).dataType(),
            Nd4j.rand(2).dataType(), x.add(1).dataType(), x.mean().dataType(),
            x.castTo(DataType.INT).mean().dataType(), Nd4j.linspace(1, 3, 3));
      } finally {
        Nd4j.setDefaultDataTypes(DataType.FLOAT, DataType.FLOAT);
      }
    });
    rows.row("fallback", () -> {
      Nd4j.enableFallbackMode(true);
      try {
        return x.mmul(x.transpose());
      } finally {
        Nd4j.enableFallbackMode(false);
      }
    });
  }

  /** Transforms of one array, and of an array and a number or two arrays. */
  private static void transforms(Rows rows) {
    INDArray x = Transforms.sigmoid(ArrayCalls.numbers(DataType.FLOAT, 3, 4));
    for (Method method : sorted(Transforms.class)) {
      Class<?>[] types = method.getParameterTypes();
      if (!Modifier.isStatic(method.getModifiers()) || types.length == 0 || types[0] != INDArray.class) continue;
      rows.row("Transforms." + method.getName() + Arrays.toString(types).replaceAll("[a-z.]*\\.", ""), () -> {
        Object[] arguments = new Object[types.length];
        INDArray own = x.dup();  // some methods write to it
        for (int i = 0; i < types.length; i++) arguments[i] = argument(types[i], own, i);
        return method.invoke(null, arguments);
      });
    }
  }

  /** The namespaces of operations: each method, with arrays for arrays and small numbers for numbers. */
  private static void namespaces(Rows rows) {
    INDArray x = Transforms.sigmoid(ArrayCalls.numbers(DataType.FLOAT, 4, 4)).addi(0.1);
    for (Object namespace : new Object[] {Nd4j.math(), Nd4j.nn(), Nd4j.cnn(), Nd4j.rnn(), Nd4j.bitwise(), Nd4j.linalg(),
        Nd4j.loss(), Nd4j.image(), new NDBase()}) {
      for (Method method : sorted(namespace.getClass())) {
        Class<?>[] types = method.getParameterTypes();
        String signature = namespace.getClass().getSimpleName() + "." + method.getName()
            + Arrays.toString(types).replaceAll("[a-z0-9.]*\\.", "").replace("class ", "");
        // Random values differ; so do the elements of arrays that nothing writes.
        if (method.getName().matches("(?i).*(dropout|random|wait|notify|hash|equals).*") || types.length == 0) continue;
        for (boolean integers : new boolean[] {false, true}) {
          rows.row(signature + (integers ? " integers" : ""), () -> {
            Object[] arguments = new Object[types.length];
            INDArray input = integers ? x.mul(5).castTo(DataType.INT) : x.dup();  // some methods write to it
            for (int i = 0; i < types.length; i++) arguments[i] = argument(types[i], input, i);
            return method.invoke(namespace, arguments);
          });
        }
      }
    }
  }

  private static Method[] sorted(Class<?> type) {
    Comparator<Method> order =
        Comparator.comparing(Method::getName).thenComparing(method -> Arrays.toString(method.getParameterTypes()));
    return Arrays.stream(type.getDeclaredMethods()).filter(method -> Modifier.isPublic(method.getModifiers()))
        .sorted(order).toArray(Method[]::new);
  }

  private static Object argument(Class<?> type, INDArray x, int position) {
    if (type == INDArray.class) return position == 0 ? x : position == 1 ? x.dup('f').muli(1) : x.rsub(1);
    if (type == INDArray[].class) return new INDArray[] {x, x.dup('f')};
    if (type == boolean.class) return true;
    if (type == int.class || type == Integer.class) return 1;
    if (type == long.class) return 1L;
    if (type == double.class || type == Double.class) return 0.5;
    if (type == float.class) return 0.5f;
    if (type == Number.class) return 2;
    if (type == int[].class) return new int[] {1};
    if (type == long[].class) return new long[] {1};
    if (type == double[].class) return new double[] {0.25, 0.75};
    if (type == DataType.class) return DataType.DOUBLE;
    if (type == String.class) return "";
    if (type == char.class) return 'c';
    if (type.isEnum()) return type.getEnumConstants()[0];
    try {
      Constructor<?> constructor = type.getDeclaredConstructor();
      return constructor.newInstance();
    } catch (ReflectiveOperationException none) {
      return null;
    }
  }
}
