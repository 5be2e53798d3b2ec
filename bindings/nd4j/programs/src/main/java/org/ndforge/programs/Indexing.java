package org.ndforge.programs;

import static org.nd4j.linalg.indexing.NDArrayIndex.all;
import static org.nd4j.linalg.indexing.NDArrayIndex.indices;
import static org.nd4j.linalg.indexing.NDArrayIndex.interval;
import static org.nd4j.linalg.indexing.NDArrayIndex.newAxis;
import static org.nd4j.linalg.indexing.NDArrayIndex.point;

import java.util.LinkedHashMap;
import java.util.Map;

import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.BooleanIndexing;
import org.nd4j.linalg.indexing.INDArrayIndex;
import org.nd4j.linalg.indexing.conditions.And;
import org.nd4j.linalg.indexing.conditions.Condition;
import org.nd4j.linalg.indexing.conditions.Conditions;
import org.nd4j.linalg.indexing.conditions.Or;

/** Views, reads and writes through indices, rows and columns, conditions. */
final class Indexing {
  private Indexing() {}

  static void run(Rows rows) {
    Map<String, INDArrayIndex[]> indices = new LinkedHashMap<>();
    indices.put("point", new INDArrayIndex[] {point(1)});
    indices.put("all point", new INDArrayIndex[] {all(), point(2)});
    indices.put("interval", new INDArrayIndex[] {interval(1, 3), all(), interval(0, 2, 5)});
    indices.put("interval inclusive", new INDArrayIndex[] {all(), interval(0, 2, true), all()});
    indices.put("stride", new INDArrayIndex[] {interval(0, 2, 3), interval(1, 2, 4), point(4)});
    indices.put("points", new INDArrayIndex[] {point(2), point(3), point(1)});
    indices.put("new axis", new INDArrayIndex[] {newAxis(), all(), point(0), all()});
    indices.put("indices", new INDArrayIndex[] {indices(2, 0), all(), all()});
    indices.put("indices twice", new INDArrayIndex[] {all(), indices(1, 1, 3), point(2)});
    indices.put("end", new INDArrayIndex[] {point(-1), all(), interval(1, -1)});
    for (DataType type : new DataType[] {DataType.DOUBLE, DataType.FLOAT, DataType.INT, DataType.HALF, DataType.BOOL})
      for (char order : new char[] {'c', 'f'})
        indices.forEach((name, index) -> {
          String end = " " + name + " " + type + " " + order;
          rows.row("get" + end, () -> x(type, order).get(index));
          rows.row("get dup" + end, () -> x(type, order).get(index).dup());
          rows.row("get sum" + end, () -> x(type, order).get(index).sum());
          rows.row("get add in place" + end, () -> {
            INDArray x = x(type, order);
            x.get(index).addi(1);
            return x;
          });
          rows.row("put" + end, () -> {
            INDArray x = x(type, order);
            INDArray part = x.get(index);
            return x.put(index, Nd4j.ones(type, part.shape()));
          });
          rows.row("put scalar" + end, () -> {
            INDArray x = x(type, order);
            return x.put(index, Nd4j.scalar(type, 1));
          });
        });

    Map<String, Condition> conditions = new LinkedHashMap<>();
    conditions.put("greaterThan", Conditions.greaterThan(0));
    conditions.put("lessThanOrEqual", Conditions.lessThanOrEqual(-0.125));
    conditions.put("equals", Conditions.equals(-3.125));
    conditions.put("notEquals", Conditions.notEquals(-3.125));
    conditions.put("epsEquals", Conditions.epsEquals(-0.125));
    conditions.put("absGreaterThan", Conditions.absGreaterThan(2));
    conditions.put("absLessThan", Conditions.absLessThan(1));
    conditions.put("isNan", Conditions.isNan());
    conditions.put("isInfinite", Conditions.isInfinite());
    conditions.put("isFinite", Conditions.isFinite());
    conditions.put("notFinite", Conditions.notFinite());
    conditions.put("or", new Or(Conditions.greaterThan(2), Conditions.lessThan(-2)));
    conditions.put("and", new And(Conditions.greaterThan(-1), Conditions.lessThan(1)));
    for (DataType type : new DataType[] {DataType.DOUBLE, DataType.FLOAT})
      conditions.forEach((name, condition) -> {
        String end = " " + name + " " + type;
        rows.row("scan" + end, () -> with(type).scan(condition));
        rows.row("any" + end, () -> BooleanIndexing.or(with(type), condition));
        rows.row("every" + end, () -> BooleanIndexing.and(with(type), condition));
        rows.row("first" + end, () -> BooleanIndexing.firstIndex(with(type), condition));
        rows.row("last" + end, () -> BooleanIndexing.lastIndex(with(type), condition));
        rows.row("first 1" + end, () -> BooleanIndexing.firstIndex(with(type), condition, 1));
        rows.row("replace" + end, () -> {
          INDArray x = with(type);
          BooleanIndexing.replaceWhere(x, 9.0, condition);
          return x;
        });
        rows.row("replace by array" + end, () -> {
          INDArray x = with(type);
          BooleanIndexing.replaceWhere(x, ArrayCalls.numbers(type, 3, 4).add(50), condition);
          return x;
        });
        rows.row("cond" + end, () -> with(type).cond(condition));
        rows.row("match" + end, () -> with(type).match(0.5, condition));
        rows.row("getWhere" + end, () -> with(type).getWhere(0.0, condition));
        rows.row("putWhere" + end, () -> with(type).putWhere(0.0, with(type).add(10), condition));
      });

    rows.row("getRow", () -> x(DataType.FLOAT, 'c').reshape(12, 5).getRow(3));
    rows.row("getColumn keep", () -> x(DataType.FLOAT, 'c').reshape(12, 5).getColumn(3, true));
    rows.row("getRows", () -> x(DataType.FLOAT, 'c').reshape(12, 5).getRows(3, 0, 7));
    rows.row("getColumns", () -> x(DataType.FLOAT, 'c').reshape(12, 5).getColumns(4, 0));
    rows.row("putRow", () -> x(DataType.FLOAT, 'c').reshape(12, 5).putRow(2, Nd4j.ones(5)));
    rows.row("putColumn", () -> x(DataType.FLOAT, 'f').dup().reshape(12, 5).putColumn(2, Nd4j.ones(12)));
    rows.row("putSlice", () -> x(DataType.FLOAT, 'c').putSlice(1, Nd4j.ones(4, 5)));
    rows.row("putScalar", () -> x(DataType.FLOAT, 'f').putScalar(new int[] {1, 2, 3}, 77));
    rows.row("getScalar", () -> x(DataType.FLOAT, 'f').getScalar(1, 2, 3));
    rows.row("getDouble", () -> x(DataType.DOUBLE, 'f').getDouble(1, 2, 3));
    rows.row("negative index", () -> x(DataType.DOUBLE, 'c').getDouble(-1, -2, -1));
    rows.row("toFloatMatrix", () -> x(DataType.FLOAT, 'c').reshape(12, 5).toFloatMatrix()[3]);
    rows.row("toIntVector", () -> x(DataType.FLOAT, 'c').ravel().toIntVector());
    rows.row("get by array", () -> ArrayCalls.numbers(DataType.FLOAT, 3, 4).get(Nd4j.createFromArray(new long[][] {{0, 2}, {1, 3}})));
    rows.row("mmul of views", () -> {
      INDArray x = x(DataType.DOUBLE, 'c');
      return x.get(point(1)).mmul(x.get(point(0)).transpose());
    });
    rows.row("view of view", () -> x(DataType.DOUBLE, 'c').get(all(), interval(1, 4)).get(point(2), all(), interval(1, 2, 5)).add(1));
    rows.row("assign to view", () -> {
      INDArray x = x(DataType.DOUBLE, 'f');
      x.get(all(), point(1), all()).assign(7);
      x.get(point(2), all(), point(0)).assign(Nd4j.createFromArray(1.0, 2.0, 3.0, 4.0));
      return x;
    });
  }

  private static INDArray x(DataType type, char order) {
    return ArrayCalls.numbers(type, 3, 4, 5).dup(order);
  }

  private static INDArray with(DataType type) {
    INDArray x = ArrayCalls.numbers(type, 3, 4);
    x.putScalar(0, 3, Double.NaN);
    x.putScalar(2, 1, Double.POSITIVE_INFINITY);
    return x;
  }
}
