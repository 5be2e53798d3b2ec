package org.ndforge.programs;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.ops.transforms.Transforms;

/** Methods of INDArray and of Nd4j: making, shapes, arithmetic with all layouts and types, reductions, products. */
final class ArrayCalls {
  static final DataType[] TYPES = {DataType.DOUBLE, DataType.FLOAT, DataType.HALF, DataType.BFLOAT16, DataType.LONG,
      DataType.INT, DataType.SHORT, DataType.BYTE, DataType.UBYTE, DataType.UINT16, DataType.UINT32, DataType.UINT64,
      DataType.BOOL};

  private ArrayCalls() {}

  interface Unary {
    Object of(INDArray x);
  }

  interface Binary {
    Object of(INDArray x, INDArray y);
  }

  /**
   * Numbers none of which is 0, because the original dies at integer divisions by 0. Reals and signed integers have both
   * signs; no real is a half, whose rounding could differ.
   */
  static INDArray numbers(DataType type, long... shape) {
    long length = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    boolean positive = type == DataType.UBYTE || type == DataType.UINT16 || type == DataType.UINT32
        || type == DataType.UINT64;
    double[] values = new double[(int) length];
    for (int i = 0; i < length; ++i) {
      double value = 7 * i % 13 - 6;
      values[i] = type.isFPType() ? (value - 0.25) / 2 : value == 0 ? 7 : positive ? Math.abs(value) : value;
    }
    return Nd4j.createFromArray(values).reshape(shape).castTo(type);
  }

  /** The same numbers in other layouts. */
  static Map<String, INDArray> layouts(DataType type, long rows, long columns) {
    Map<String, INDArray> all = new LinkedHashMap<>();
    INDArray c = numbers(type, rows, columns);
    all.put("c", c);
    all.put("f", c.dup('f'));
    all.put("transposed", c.transpose().dup('c').transpose());
    INDArray large = Nd4j.zeros(type, rows + 3, 2 * columns + 1);
    INDArray view = large.get(org.nd4j.linalg.indexing.NDArrayIndex.interval(1, rows + 1),
        org.nd4j.linalg.indexing.NDArrayIndex.interval(1, 2, 2 * columns + 1));
    view.assign(c);
    all.put("view", view);
    return all;
  }

  static void run(Rows rows) {
    making(rows);
    for (DataType type : TYPES) unary(rows, type);
    for (DataType type : TYPES) binary(rows, type);
    mixed(rows);
    reductions(rows);
    products(rows);
    shapes(rows);
    special(rows);
  }

  private static void making(Rows rows) {
    for (DataType type : TYPES) {
      rows.row("zeros " + type, () -> Nd4j.zeros(type, 2, 3));
      rows.row("ones " + type, () -> Nd4j.ones(type, 2, 3));
      rows.row("valueArrayOf " + type, () -> Nd4j.valueArrayOf(new long[] {2, 2}, 3, type));
      rows.row("scalar " + type, () -> Nd4j.scalar(type, 1));
      rows.row("empty " + type, () -> Nd4j.empty(type));
      rows.row("arange " + type, () -> Nd4j.arange(1, 7).castTo(type));
      rows.row("text " + type, () -> numbers(type, 3, 4).toString());
      for (DataType other : TYPES) rows.row("cast " + type + " " + other, () -> Nd4j.createFromArray(0.0, 1.0, 2.75, 100.5)
          .castTo(type).castTo(other));
    }
    rows.row("linspace", () -> Nd4j.linspace(DataType.DOUBLE, -1, 2, 7));
    rows.row("linspace float", () -> Nd4j.linspace(DataType.FLOAT, 5, 1, 9));
    rows.row("eye", () -> Nd4j.eye(4));
    rows.row("diag", () -> Nd4j.diag(numbers(DataType.DOUBLE, 4)));
    rows.row("meshgrid", () -> Nd4j.meshgrid(Nd4j.createFromArray(1.0, 2.0, 3.0), Nd4j.createFromArray(4.0, 5.0)));
    rows.row("tri", () -> Nd4j.tri(4, 5, 1));
    rows.row("one hot", () -> Nd4j.zeros(3, 4).putScalar(1, 2, 1.0));
    rows.row("long text", () -> numbers(DataType.FLOAT, 60, 40).toString());
    rows.row("full text", () -> numbers(DataType.DOUBLE, 20, 6).toStringFull());
  }

  private static void unary(Rows rows, DataType type) {
    Map<String, Unary> calls = new LinkedHashMap<>();
    calls.put("neg", INDArray::neg);
    calls.put("add 3", x -> x.add(3));
    calls.put("sub 1.5", x -> x.sub(1.5));
    calls.put("mul 2", x -> x.mul(2));
    calls.put("div 2", x -> x.div(2));
    calls.put("rsub 3", x -> x.rsub(3));
    calls.put("rdiv 3", x -> x.rdiv(3));
    calls.put("fmod 2", x -> x.fmod(2));
    calls.put("gt 1", x -> x.gt(1));
    calls.put("lte -1", x -> x.lte(-1));
    calls.put("eq 1", x -> x.eq(1));
    calls.put("isNaN", INDArray::isNaN);
    calls.put("isInfinite", INDArray::isInfinite);
    calls.put("dup f", x -> x.dup('f'));
    calls.put("ravel", x -> x.ravel());
    calls.put("sum", x -> x.sum());
    calls.put("sum 0", x -> x.sum(0));
    calls.put("sum 1 keep", x -> x.sum(true, 1));
    calls.put("mean 1", x -> x.mean(1));
    calls.put("max", x -> x.max());
    calls.put("min 0", x -> x.min(0));
    calls.put("argMax", x -> x.argMax());
    calls.put("argMax 1", x -> x.argMax(1));
    calls.put("prod 1", x -> x.prod(1));
    calls.put("norm1", x -> x.norm1());
    calls.put("norm2 1", x -> x.norm2(1));
    calls.put("normmax 0", x -> x.normmax(0));
    calls.put("std 1", x -> x.std(1));
    calls.put("var 0", x -> x.var(0));
    calls.put("cumsum 1", x -> x.cumsum(1));
    calls.put("sumNumber", x -> x.sumNumber().doubleValue());
    calls.put("meanNumber", x -> x.meanNumber().doubleValue());
    calls.put("maxNumber", x -> x.maxNumber().doubleValue());
    calls.put("ameanNumber", x -> x.ameanNumber().doubleValue());
    calls.put("entropyNumber", x -> x.entropyNumber().doubleValue());
    calls.put("scan", x -> x.scan(org.nd4j.linalg.indexing.conditions.Conditions.greaterThan(0)));
    calls.put("replaceWhere", x -> {
      org.nd4j.linalg.indexing.BooleanIndexing.replaceWhere(x, 9, org.nd4j.linalg.indexing.conditions.Conditions.lessThan(0));
      return x;
    });
    calls.put("abs", x -> Transforms.abs(x));
    calls.put("sign", x -> Transforms.sign(x));
    calls.put("floor", x -> Transforms.floor(x));
    calls.put("ceil", x -> Transforms.ceil(x));
    calls.put("round", x -> Transforms.round(x));
    if (type.isFPType()) {
      calls.put("exp", x -> Transforms.exp(x));
      calls.put("log", x -> Transforms.log(x));
      calls.put("sqrt", x -> Transforms.sqrt(x));
      calls.put("sigmoid", x -> Transforms.sigmoid(x));
      calls.put("tanh", x -> Transforms.tanh(x));
      calls.put("sin", x -> Transforms.sin(x));
      calls.put("acos", x -> Transforms.acos(x));
      calls.put("atanh", x -> Transforms.atanh(x));
      calls.put("softPlus", x -> Transforms.softPlus(x));
      calls.put("elu", x -> Transforms.elu(x));
      calls.put("softmax", x -> Transforms.softmax(x));
      calls.put("pow 2", x -> Transforms.pow(x, 2));
      calls.put("pow 0.5", x -> Transforms.pow(x, 0.5));
      calls.put("unitVec", x -> Transforms.unitVec(x.ravel()));
      calls.put("leakyRelu", x -> Transforms.leakyRelu(x));
      calls.put("hardTanh", x -> Transforms.hardTanh(x));
      calls.put("max 1", x -> Transforms.max(x, 1));
    }
    calls.forEach((name, call) -> {
      for (String layout : new String[] {"c", "f", "transposed", "view"})
        rows.row("x." + name + " " + type + " " + layout, () -> call.of(layouts(type, 3, 4).get(layout)));
    });
  }

  private static void binary(Rows rows, DataType type) {
    Map<String, Binary> calls = new LinkedHashMap<>();
    calls.put("add", (x, y) -> x.add(y));
    calls.put("sub", (x, y) -> x.sub(y));
    calls.put("mul", (x, y) -> x.mul(y));
    calls.put("div", (x, y) -> x.div(y));
    calls.put("rsub", (x, y) -> x.rsub(y));
    calls.put("rdiv", (x, y) -> x.rdiv(y));
    calls.put("fmod", (x, y) -> x.fmod(y));
    calls.put("addi", (x, y) -> x.addi(y));
    calls.put("muli", (x, y) -> x.muli(y));
    calls.put("eq", (x, y) -> x.eq(y));
    calls.put("gt", (x, y) -> x.gt(y));
    calls.put("lt", (x, y) -> x.lt(y));
    calls.put("neq", (x, y) -> x.neq(y));
    calls.put("assign", (x, y) -> x.assign(y));
    calls.put("equals", (x, y) -> x.equals(y));
    calls.put("max", (x, y) -> Transforms.max(x, y));
    calls.put("min", (x, y) -> Transforms.min(x, y));
    calls.put("addRowVector", (x, y) -> x.addRowVector(y.getRow(0)));
    calls.put("mulColumnVector", (x, y) -> x.mulColumnVector(y.getColumn(0).reshape(3, 1)));
    calls.put("subiRowVector", (x, y) -> x.subiRowVector(y.getRow(1)));
    calls.put("divRowVector", (x, y) -> x.divRowVector(y.getRow(1)));
    calls.put("broadcast row", (x, y) -> x.add(y.getRow(1).reshape(1, 4)));
    calls.put("broadcast column", (x, y) -> x.mul(y.getColumn(1).reshape(3, 1)));
    calls.put("distance1", (x, y) -> x.distance1(y));
    calls.put("distance2", (x, y) -> x.distance2(y));
    calls.put("squaredDistance", (x, y) -> x.squaredDistance(y));
    calls.put("cosineSim", (x, y) -> Transforms.cosineSim(x, y));
    calls.put("manhattan", (x, y) -> Transforms.manhattanDistance(x, y));
    calls.put("hamming", (x, y) -> Transforms.hammingDistance(x, y));
    calls.put("concat 0", (x, y) -> Nd4j.concat(0, x, y));
    calls.put("hstack", (x, y) -> Nd4j.hstack(x, y));
    calls.put("vstack", (x, y) -> Nd4j.vstack(x, y));
    calls.put("stack 1", (x, y) -> Nd4j.stack(1, x, y));
    calls.put("pile", (x, y) -> Nd4j.pile(x, y));
    if (type.isFPType()) {
      calls.put("mmul", (x, y) -> x.mmul(y.transpose()));
      calls.put("mmul transposed", (x, y) -> x.transpose().mmul(y));
      calls.put("matrix by vector", (x, y) -> x.mmul(y.getRow(1)));
      calls.put("averageAndPropagate", (x, y) -> Nd4j.averageAndPropagate(new INDArray[] {x, y}));
      calls.put("accumulate", (x, y) -> Nd4j.accumulate(x, y));
    }
    String[][] pairs = {{"c", "c"}, {"c", "f"}, {"f", "f"}, {"view", "c"}, {"transposed", "view"}};
    calls.forEach((name, call) -> {
      for (String[] pair : pairs)
        rows.row("xy." + name + " " + type + " " + pair[0] + " " + pair[1], () -> {
          INDArray x = layouts(type, 3, 4).get(pair[0]);
          INDArray y = layouts(type, 3, 4).get(pair[1]);
          if (type.isFPType()) y.addi(2);
          else if (type != DataType.BOOL) y.muli(2);
          return call.of(x, y);
        });
    });
  }

  private static void mixed(Rows rows) {
    for (DataType first : TYPES)
      for (DataType second : TYPES) {
        rows.row("add " + first + " " + second, () -> numbers(first, 2, 3).add(numbers(second, 2, 3)));
        rows.row("div " + first + " " + second, () -> numbers(first, 2, 3).div(numbers(second, 2, 3)));
        rows.row("gt " + first + " " + second, () -> numbers(first, 2, 3).gt(numbers(second, 2, 3)));
        rows.row("addi " + first + " " + second, () -> numbers(first, 2, 3).addi(numbers(second, 2, 3)));
        rows.row("assign " + first + " " + second, () -> numbers(first, 2, 3).assign(numbers(second, 2, 3)));
        rows.row("broadcast " + first + " " + second, () -> numbers(first, 2, 3).add(numbers(second, 1, 3)));
      }
  }

  private static void reductions(Rows rows) {
    Map<String, Unary> calls = new LinkedHashMap<>();
    for (int[] axes : List.of(new int[] {0}, new int[] {1}, new int[] {2}, new int[] {0, 1}, new int[] {0, 2},
        new int[] {1, 2}, new int[] {-1}, new int[] {0, 1, 2}, new int[] {}))
      for (boolean keep : new boolean[] {false, true}) {
        String axis = " " + Arrays.toString(axes) + (keep ? " keep" : "");
        calls.put("sum" + axis, x -> x.sum(keep, axes));
        calls.put("mean" + axis, x -> x.mean(keep, axes));
        calls.put("max" + axis, x -> x.max(keep, axes));
        calls.put("prod" + axis, x -> x.prod(keep, axes));
        calls.put("norm2" + axis, x -> x.norm2(keep, axes));
        if (!keep) {
          calls.put("std" + axis, x -> x.std(axes));
          calls.put("var biased" + axis, x -> x.var(false, axes));
          calls.put("argmax" + axis, x -> Nd4j.argMax(x, axes));
          calls.put("argmin" + axis, x -> Nd4j.argMin(x, axes));
          calls.put("amax" + axis, x -> x.amax(axes));
          calls.put("entropy" + axis, x -> Transforms.abs(x).entropy(axes));
          calls.put("logEntropy" + axis, x -> Transforms.abs(x).logEntropy(axes));
          calls.put("shannonEntropy" + axis, x -> Transforms.abs(x).shannonEntropy(axes));
          calls.put("median" + axis, x -> x.median(axes));
          calls.put("percentile" + axis, x -> x.percentile(30, axes));
          calls.put("normmax" + axis, x -> x.normmax(axes));
          calls.put("cumsum" + axis, x -> axes.length == 1 ? x.cumsum(axes[0]) : null);
        }
      }
    for (DataType type : new DataType[] {DataType.DOUBLE, DataType.FLOAT, DataType.INT})
      calls.forEach((name, call) -> {
        rows.row("reduce " + name + " " + type, () -> call.of(numbers(type, 3, 4, 5)));
        rows.row("reduce " + name + " " + type + " permuted", () -> call.of(numbers(type, 3, 4, 5).permute(2, 0, 1)));
      });
    rows.row("norms of 10000", () -> {
      INDArray x = numbers(DataType.FLOAT, 100, 100);
      return List.of(x.norm1Number().doubleValue(), x.norm2Number().doubleValue(), x.sumNumber().doubleValue());
    });
  }

  private static void products(Rows rows) {
    for (DataType type : new DataType[] {DataType.DOUBLE, DataType.FLOAT, DataType.HALF, DataType.BFLOAT16}) {
      rows.row("gemm " + type, () -> Nd4j.gemm(numbers(type, 5, 3), numbers(type, 5, 4), true, false));
      rows.row("gemm alpha beta " + type, () -> Nd4j.gemm(numbers(type, 3, 5), numbers(type, 5, 4),
          Nd4j.ones(type, 3, 4).dup('f'), false, false, 2.0, 0.5));
      rows.row("mmuli " + type, () -> numbers(type, 3, 5).mmuli(numbers(type, 5, 4), Nd4j.create(type, 3, 4)));
      rows.row("vector by matrix " + type, () -> numbers(type, 1, 5).mmul(numbers(type, 5, 4)));
      rows.row("dot " + type, () -> Nd4j.getBlasWrapper().dot(numbers(type, 7), numbers(type, 7)));
      rows.row("tensorMmul " + type, () -> Nd4j.tensorMmul(numbers(type, 3, 4, 5), numbers(type, 4, 3, 2),
          new int[][] {{1, 0}, {0, 1}}));
      rows.row("batched " + type, () -> Nd4j.matmul(numbers(type, 2, 3, 4), numbers(type, 2, 4, 5)));
      rows.row("scal " + type, () -> Nd4j.getBlasWrapper().scal(2, numbers(type, 4)));
      rows.row("axpy " + type, () -> {
        INDArray y = numbers(type, 6);
        Nd4j.getBlasWrapper().axpy(0.5, numbers(type, 6), y);
        return y;
      });
      rows.row("inverse " + type, () -> org.nd4j.linalg.inverse.InvertMatrix.invert(
          numbers(type, 3, 3).add(Nd4j.eye(3).castTo(type).mul(9)), false));
      rows.row("nrm2 " + type, () -> Nd4j.getBlasWrapper().nrm2(numbers(type, 6)));
    }
    rows.row("dgesv", () -> Nd4j.linalg().solve(numbers(DataType.DOUBLE, 3, 3).add(Nd4j.eye(3).castTo(DataType.DOUBLE).mul(9)),
        numbers(DataType.DOUBLE, 3, 2)));
    rows.row("cholesky", () -> Nd4j.linalg().cholesky(numbers(DataType.DOUBLE, 3, 3).mmul(numbers(DataType.DOUBLE, 3, 3)
        .transpose()).add(Nd4j.eye(3).castTo(DataType.DOUBLE))));
    rows.row("eigen", () -> org.nd4j.linalg.eigen.Eigen.symmetricGeneralizedEigenvalues(
        numbers(DataType.FLOAT, 3, 3).add(numbers(DataType.FLOAT, 3, 3).transpose())));
    rows.row("svd values", () -> Nd4j.linalg().svd(numbers(DataType.DOUBLE, 3, 4), false, false));
  }

  private static void shapes(Rows rows) {
    Map<String, Unary> calls = new LinkedHashMap<>();
    calls.put("reshape", x -> x.reshape(4, 6));
    calls.put("reshape f", x -> x.reshape('f', 4, 6));
    calls.put("permute", x -> x.permute(2, 0, 1));
    calls.put("permute dup", x -> x.permute(1, 2, 0).dup());
    calls.put("swapAxes", x -> x.swapAxes(0, 2));
    calls.put("transpose", x -> x.transpose());
    calls.put("slice", x -> x.slice(1));
    calls.put("slice 2", x -> x.slice(1, 2));
    calls.put("tad", x -> x.tensorAlongDimension(2, 1));
    calls.put("tad 02", x -> x.tensorAlongDimension(1, 0, 2));
    calls.put("tads", x -> x.tensorsAlongDimension(1));
    calls.put("vectors", x -> x.vectorAlongDimension(3, 2));
    calls.put("expandDims", x -> Nd4j.expandDims(x, 1));
    calls.put("squeeze", x -> Nd4j.squeeze(x.reshape(2, 1, 3, 4), 1));
    calls.put("broadcast", x -> x.reshape(1, 2, 3, 4).broadcast(5, 2, 3, 4));
    calls.put("repeat", x -> x.repeat(1, 2));
    calls.put("tile", x -> Nd4j.tile(x, 2, 1, 2));
    calls.put("repmat", x -> x.reshape(4, 6).repmat(2, 2));
    calls.put("reverse", x -> Nd4j.reverse(x.dup().ravel()));
    calls.put("rot90", x -> {
      INDArray y = x.reshape(4, 6).dup();
      Nd4j.rot90(y);
      return y;
    });
    calls.put("sort 0", x -> Nd4j.sort(x, 0, true));
    calls.put("sort 2 descending", x -> Nd4j.sort(x, 2, false));
    calls.put("sort all", x -> Nd4j.sort(x.dup(), true));
    calls.put("sortWithIndices", x -> Nd4j.sortWithIndices(x.reshape(4, 6).dup(), 1, true));
    calls.put("sortRows", x -> Nd4j.sortRows(x.reshape(4, 6).dup(), 1, true));
    calls.put("pullRows", x -> Nd4j.pullRows(x.reshape(4, 6), 1, new int[] {3, 1, 1}));
    calls.put("pad", x -> Nd4j.pad(x, new int[][] {{1, 1}, {0, 2}, {1, 0}}));
    calls.put("append", x -> Nd4j.append(x.reshape(4, 6), 2, 1.5, 1));
    calls.put("prepend", x -> Nd4j.prepend(x.reshape(4, 6), 2, 1.5, 0));
    calls.put("split", x -> new org.nd4j.linalg.factory.ops.NDBase().split(x.reshape(4, 6), 2, 1));
    calls.put("gather", x -> new org.nd4j.linalg.factory.ops.NDBase().gather(x, Nd4j.createFromArray(1, 0, 1), 0));
    calls.put("where", x -> Nd4j.where(x.gt(0), x, x.neg()));
    calls.put("toFlattened", x -> Nd4j.toFlattened('f', x, x.add(1)));
    calls.put("tear", x -> Nd4j.tear(x, 1, 2));
    calls.put("stride", x -> x.permute(2, 0, 1).stride());
    calls.put("ordering", x -> "" + x.dup('f').ordering() + x.transpose().ordering() + x.permute(0, 2, 1).ordering());
    calls.put("shapeInfo", x -> x.permute(2, 0, 1).shapeInfoToString());
    calls.put("mean of views", x -> x.slice(1).mean(0).add(x.slice(0).mean(0)));
    calls.put("shuffle", x -> {
      INDArray y = x.reshape(4, 6).dup();
      Nd4j.shuffle(y, new java.util.Random(3), 1);
      return y;
    });
    for (DataType type : new DataType[] {DataType.FLOAT, DataType.DOUBLE, DataType.INT, DataType.HALF})
      calls.forEach((name, call) -> rows.row("shape " + name + " " + type, () -> call.of(numbers(type, 2, 3, 4))));
  }

  private static void special(Rows rows) {
    double[] values = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0.0, -0.0, 1e300, -1e-300, 1.5};
    Map<String, Unary> calls = new LinkedHashMap<>();
    calls.put("sum", x -> x.sum());
    calls.put("max", x -> x.max());
    calls.put("min", x -> x.min());
    calls.put("argMax", x -> x.argMax());
    calls.put("relu", x -> Transforms.relu(x));
    calls.put("sigmoid", x -> Transforms.sigmoid(x));
    calls.put("tanh", x -> Transforms.tanh(x));
    calls.put("exp", x -> Transforms.exp(x));
    calls.put("sqrt", x -> Transforms.sqrt(x));
    calls.put("sign", x -> Transforms.sign(x));
    calls.put("abs", x -> Transforms.abs(x));
    calls.put("isNaN", x -> x.isNaN());
    calls.put("isInfinite", x -> x.isInfinite());
    calls.put("gt 0", x -> x.gt(0));
    calls.put("eq self", x -> x.eq(x));
    calls.put("add", x -> x.add(1));
    calls.put("mul 0", x -> x.mul(0));
    calls.put("text", x -> x.toString());
    calls.put("to int", x -> x.get(org.nd4j.linalg.indexing.NDArrayIndex.interval(3, 5)).castTo(DataType.INT));
    calls.put("count NaN", x -> Nd4j.getExecutioner().exec(new org.nd4j.linalg.api.ops.impl.reduce.longer.MatchCondition(
        x, org.nd4j.linalg.indexing.conditions.Conditions.isNan())));
    for (DataType type : new DataType[] {DataType.DOUBLE, DataType.FLOAT})
      calls.forEach((name, call) -> rows.row("special " + name + " " + type,
          () -> call.of(Nd4j.createFromArray(values).castTo(type))));
    for (DataType type : new DataType[] {DataType.DOUBLE, DataType.FLOAT, DataType.INT}) {
      rows.row("empty sum " + type, () -> Nd4j.create(type, 0, 3).sum(0));
      rows.row("empty add " + type, () -> Nd4j.create(type, 0, 3).add(1));
      rows.row("empty add empty " + type, () -> Nd4j.empty(type).add(Nd4j.empty(type)));
      rows.row("empty concat " + type, () -> Nd4j.concat(0, Nd4j.create(type, 0, 3), Nd4j.ones(type, 2, 3)));
      rows.row("empty max " + type, () -> Nd4j.create(type, 0, 3).max());
      rows.row("empty mmul " + type, () -> Nd4j.create(type, 0, 3).mmul(Nd4j.ones(type, 3, 2)));
    }
  }
}
