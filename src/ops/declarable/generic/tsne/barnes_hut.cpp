// Steps of t-SNE with the Barnes-Hut approximation: gains, attractive forces along the edges of a neighbourhood graph,
// symmetrisation of the graph, points in cells. Van der Maaten, "Accelerating t-SNE using tree-based algorithms", 2014.
// The graph is in CSR form: the entries of row n are rows[n] .. rows[n + 1] - 1 of cols and vals.
// operations: barnes_gains barnes_edge_forces barnes_symmetrized cell_contains
#include <ops/declarable/headers/tsne.h>

#include <algorithm>
#include <cmath>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"

namespace sd::ops {
namespace {

/// The checked rows and columns of a graph with `n` nodes.
struct Graph {
  Dense rows, cols;
  const LongType *begin, *column;
  LongType entries;

  Graph(const NDArray& rowArray, const NDArray& colArray, const NDArray& vals, LongType n, LongType nodes)
      : rows(integerElements(rowArray, 0, "rows")), cols(integerElements(colArray, 1, "cols")) {
    if (n < 0 || rowArray.lengthOf() < n + 1)
      reject("input 0 'rows': it has {} elements (shape {}), but argument 'num_rows' = {} needs at least one more",
             rowArray.lengthOf(), text(rowArray), n);
    entries = std::min(colArray.lengthOf(), vals.lengthOf());
    begin = rows.as<LongType>();
    column = cols.as<LongType>();
    for (LongType i = 0; i <= n; i++)
      if (begin[i] < (i == 0 ? 0 : begin[i - 1]) || begin[i] > entries)
        reject("input 0 'rows': value {} at [{}] is outside {}..{} (shape {})", begin[i], i, i == 0 ? 0 : begin[i - 1],
               entries, text(rowArray));
    for (LongType i = begin[0]; i < begin[n]; i++)
      if (column[i] < 0 || column[i] >= nodes)
        reject("input 1 'cols': value {} at [{}] is outside 0..{} (shape {})", column[i], i, nodes - 1, text(colArray));
  }

  bool contains(LongType n, LongType c) const { return find(n, c) < begin[n + 1]; }
  /// The position of entry (n, c), or the end of row n.
  LongType find(LongType n, LongType c) const {
    return std::find(column + begin[n], column + begin[n + 1], c) - column;
  }
};

}  // namespace

namespace {

int signOf(double x) { return (x > 0) - (x < 0); }

}  // namespace

OP_IMPL(barnes_gains, 3, 1, true) {
  const NDArray &x = *INPUT_VARIABLE(0), &gradient = *INPUT_VARIABLE(1), &step = *INPUT_VARIABLE(2);
  NDArray& z = *OUTPUT_VARIABLE(0);
  requireSameShape(gradient, 1, "gradient", x, 0, "x");
  requireSameShape(step, 2, "step", x, 0, "x");
  if (x.isEmpty()) return Status::OK;
  const DataType type = x.isR() ? computeType(x) : DOUBLE;
  withReal(type, [&]<typename T>() {
    const Dense gains(x, type), gradients(gradient, type), steps(step, type);
    DenseOut target(z, type);
    const T *a = gains.as<T>(), *g = gradients.as<T>(), *e = steps.as<T>();
    T* to = target.as<T>();
    overElements(x.lengthOf(), 2, [&](LongType start, LongType stop) {
      for (LongType i = start; i < stop; i++)
        to[i] = std::max(T(0.01), signOf(g[i]) != signOf(e[i]) ? a[i] + T(0.2) : a[i] * T(0.8));
    });
    target.commit();
  });
  return Status::OK;
}
DECLARE_SCHEMA(barnes_gains) {
  schema.summary("The gains of the next step: larger where the gradient has changed its sign, else smaller.")
      .formula("z = max(0.01, sign(gradient) != sign(step) ? x + 0.2 : 0.8 x)");
  schema.input("x", "any shape, the gains");
  schema.input("gradient", "the shape of x");
  schema.input("step", "the shape of x, the last step");
  schema.output("z", "the shape and type of x");
  schema.inputTypes({ALL_FLOATS, ALL_INTS}).sameTypes().infer(inferLikeFirst);
  schema.notDifferentiable(TRAINING_STEP);
  schema.example(R"({"x": [1.0, 1.0], "gradient": [1.0, 1.0], "step": [1.0, -1.0]})")
      .words("t-SNE, Barnes-Hut, learning rate, gains")
      .see("barnes_edge_forces");
}

namespace {

void requireVector(const NDArray& array, int index, const char* name) {
  if (array.rankOf() != 1 && !array.isVector() && !(array.rankOf() == 2 && array.lengthOf() == 1))
    reject("input {} '{}': its shape {} is not the shape of a vector", index, name, text(array));
}

constexpr const char* ROWS_TEXT = "[num_rows + 1], integers: where the entries of each row begin, and the end";
constexpr const char* COLUMNS_TEXT = "[entries], integers: the other ends";

}  // namespace

CUSTOM_OP_IMPL(barnes_edge_forces, 4, 1, false, 0, 1) {
  const NDArray &rows = *INPUT_VARIABLE(0), &cols = *INPUT_VARIABLE(1), &vals = *INPUT_VARIABLE(2),
                &data = *INPUT_VARIABLE(3);
  NDArray& z = *OUTPUT_VARIABLE(0);
  requireVector(rows, 0, "rows");
  requireVector(cols, 1, "cols");
  requireRank(data, 2, 3, "data");
  if (vals.dataType() != data.dataType())
    reject("input 2 'vals': its type is {}, but input 3 'data' has type {}", DataTypeUtils::describe(vals.dataType()),
           DataTypeUtils::describe(data.dataType()));
  const LongType n = arguments<GraphRows>(block).numRows, width = data.sizeAt(1);
  if (n > data.sizeAt(0)) reject("argument 'num_rows': {} exceeds the {} points of data", n, data.sizeAt(0));
  const Graph graph(rows, cols, vals, n, data.sizeAt(0));
  if (z.isEmpty()) return Status::OK;
  withReal(data.dataType(), [&]<typename T>() {
    const Dense weights(vals, computeType(data)), points(data, computeType(data));
    DenseOut target(z, computeType(data));
    target->nullify();
    const T *p = weights.as<T>(), *y = points.as<T>();
    T* forces = target.as<T>();
    const double cost = 2.0 * static_cast<double>(width) * static_cast<double>(graph.begin[n]);
    execution::parallelFor(n, execution::threadsFor(cost), [&](LongType start, LongType stop) {
      for (LongType i = start; i < stop; i++) {
        const T* from = y + i * width;
        for (LongType k = graph.begin[i]; k < graph.begin[i + 1]; k++) {
          const T* to = y + graph.column[k] * width;
          T distance = 1;
          for (LongType d = 0; d < width; d++) distance += (from[d] - to[d]) * (from[d] - to[d]);
          for (LongType d = 0; d < width; d++) forces[i * width + d] += p[k] * (from[d] - to[d]) / distance;
        }
      }
    });
    target.commit();
  });
  return Status::OK;
}
INFERRED_SHAPES(barnes_edge_forces)
DECLARE_SCHEMA(barnes_edge_forces) {
  schema.summary("The forces by which the neighbours of points attract them.")
      .formula("z[n] = sum over the entries (n, c) of vals * (y[n] - y[c]) / (1 + |y[n] - y[c]|^2)");
  schema.input("rows", ROWS_TEXT).types({ALL_INTS, ALL_FLOATS});
  schema.input("cols", COLUMNS_TEXT).types({ALL_INTS, ALL_FLOATS});
  schema.input("vals", "[entries], the type of data").types({ALL_FLOATS});
  schema.input("data", "y, [points, d]").types({ALL_FLOATS}).rank(2);
  schema.argument(&GraphRows::numRows, "num_rows", "the number of points that have entries")
      .atInteger(0)
      .atLeast(0)
      .require();
  schema.output("z", "the shape and type of data; 0 from point num_rows on");
  schema.outputTypes({ALL_FLOATS}).infer([](Inference& in) { in.output(in.input(3)); });
  schema.notDifferentiable(IS_GRADIENT);
  schema.example(R"({"rows": [0, 1, 2], "cols": [1, 0], "vals": [1.0, 1.0], "data": [[0.0], [1.0]], "num_rows": 2})")
      .words("t-SNE, Barnes-Hut, attraction, neighbours")
      .see("barnes_gains barnes_symmetrized");
}

namespace {

/// (P + P^T) / 2: the columns and values of each row.
struct Symmetric {
  std::vector<std::vector<std::pair<LongType, double>>> rows;
  LongType entries = 0;

  Symmetric(LongType n, const NDArray& begins, const NDArray& columns, const NDArray& vals) {
    const Graph graph(begins, columns, vals, n, n);
    const Dense values(vals, DOUBLE);
    const auto* p = values.as<double>();
    rows.resize(static_cast<size_t>(n));
    for (LongType r = 0; r < n; r++) {
      for (LongType i = graph.begin[r]; i < graph.begin[r + 1]; i++) {
        const LongType c = graph.column[i], back = graph.find(c, r);
        const bool both = back < graph.begin[c + 1];
        if (both && r > c) continue;  // added together with entry (c, r)
        const double value = (both ? p[i] + p[back] : p[i]) / 2;
        add(r, c, value);
        if (c != r) add(c, r, value);
      }
    }
    if (entries <= 0) fail<std::runtime_error>("[barnes_symmetrized] input 1 'cols': the graph has no entries");
  }

 private:
  void add(LongType row, LongType column, double value) {
    rows[static_cast<size_t>(row)].emplace_back(column, value);
    entries++;
  }
};

}  // namespace

CUSTOM_OP_IMPL(barnes_symmetrized, 3, 3, false, 0, -1) {
  const auto& result = kept<Symmetric>(block, [&] {
    return Symmetric(arguments<GraphRows>(block).numRows, *INPUT_VARIABLE(0), *INPUT_VARIABLE(1), *INPUT_VARIABLE(2));
  });
  DenseOut begins(*OUTPUT_VARIABLE(0), INT32), columns(*OUTPUT_VARIABLE(1), INT32), values(*OUTPUT_VARIABLE(2), DOUBLE);
  auto *begin = begins.as<int>(), *column = columns.as<int>();
  auto* value = values.as<double>();
  int count = 0;
  *begin++ = 0;
  for (const auto& row : result.rows) {
    for (const auto& [c, v] : row) {
      column[count] = static_cast<int>(c);
      value[count++] = v;
    }
    *begin++ = count;
  }
  begins.commit();
  columns.commit();
  values.commit();
  return Status::OK;
}
INFERRED_SHAPES(barnes_symmetrized)
DECLARE_SCHEMA(barnes_symmetrized) {
  schema.summary("A graph of neighbours made symmetric.").formula("(P + P^T) / 2");
  schema.input("rows", ROWS_TEXT).types({ALL_INTS, ALL_FLOATS}).shapesNeedValues();
  schema.input("cols", COLUMNS_TEXT).types({ALL_INTS, ALL_FLOATS}).shapesNeedValues();
  schema.input("vals", "[entries]").types({ALL_FLOATS, ALL_INTS}).shapesNeedValues();
  schema.argument(&GraphRows::numRows, "num_rows", "the number of rows").atInteger(0).atLeast(0).require();
  schema.output("new_rows", "[1, num_rows + 1], INT32");
  schema.output("new_cols", "[1, new entries], INT32; not sorted inside a row");
  schema.output("new_vals", "[1, new entries], the type of vals");
  schema.outputTypes(0, {INT32}).outputTypes(1, {INT32}).outputTypes(2, {ALL_FLOATS, ALL_INTS});
  schema.infer([](Inference& in) {
    const LongType n = in.arguments<GraphRows>().numRows;
    const DataType type = in.input(2).type();
    in.input(0);
    in.input(1);
    LongType entries = PartialShape::UNKNOWN;
    const NDArray *rows = in.values(0), *columns = in.values(1), *vals = in.values(2);
    if (rows != nullptr && columns != nullptr && vals != nullptr) {
      Symmetric result(n, *rows, *columns, *vals);
      entries = result.entries;
      in.keep(std::move(result));
    }
    in.output(INT32, {1, n + 1});
    in.output(INT32, {1, entries});
    in.output(type, {1, entries});
  });
  schema.notDifferentiable("no operation gathers the gradients of entries that were added up");
  schema.example(R"({"rows": [0, 1, 1], "cols": [1], "vals": [4.0], "num_rows": 2})")
      .words("t-SNE, Barnes-Hut, sparse matrix, symmetric graph")
      .see("barnes_edge_forces");
}

CUSTOM_OP_IMPL(cell_contains, 3, 1, false, 0, 1) {
  const LongType dimension = arguments<CellDimensions>(block).numDimensions;
  std::vector<double> values[3];
  static constexpr const char* NAMES[] = {"corner", "width", "point"};
  for (int k = 0; k < 3; k++) {
    const NDArray& given = *INPUT_VARIABLE(k);
    if (given.lengthOf() < dimension)
      reject("input {} '{}': its shape is {}, but argument 'num_dimensions' is {}", k, NAMES[k], text(given),
             dimension);
    if (dimension > 0) values[k] = given.getBufferAsVector<double>();
  }
  bool inside = true;
  for (size_t i = 0; i < static_cast<size_t>(dimension); i++) {
    const double corner = values[0][i], width = values[1][i], point = values[2][i];
    inside = inside && corner - width <= point && point <= corner + width;
  }
  OUTPUT_VARIABLE(0)->p(0, inside);
  return Status::OK;
}
INFERRED_SHAPES(cell_contains)
DECLARE_SCHEMA(cell_contains) {
  schema.summary("Whether a cell of a tree holds a point.")
      .formula("corner - width <= point <= corner + width, in each dimension");
  schema.input("corner", "[d], the centre");
  schema.input("width", "[d], half of each side");
  schema.input("point", "[d]");
  schema.argument(&CellDimensions::numDimensions, "num_dimensions", "the number of dimensions to compare")
      .atInteger(0)
      .atLeast(0)
      .require();
  schema.output("z", "a scalar, BOOL");
  schema.inputTypes({ALL_FLOATS, ALL_INTS}).outputTypes({BOOL}).infer(inferTruth);
  schema.notDifferentiable(LOGICAL_RESULT);
  schema.example(R"({"corner": [0.0, 0.0], "width": [1.0, 1.0], "point": [0.5, -1.0], "num_dimensions": 2})")
      .words("t-SNE, tree, box")
      .see("knn_mindistance");
}

}  // namespace sd::ops
