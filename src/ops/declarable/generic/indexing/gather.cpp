// Parts of an array picked by index: gather, gather_nd, embedding_lookup.
// operations: gather gather_nd embedding_lookup
// calls: Add
#include <ops/declarable/headers/blas.h>
#include <ops/declarable/headers/indexing.h>

#include <numeric>

#include "ops/declarable/helpers/coordinates.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rows.h"
#include "ops/declarable/helpers/rules.h"
#include "ops/declarable/helpers/wrapped_indices.h"

namespace sd::ops {
namespace {

/// z = sub-arrays indices[0..n-1] of x along `axis`.
void gatherAlong(const NDArray& x, int axis, const LongType* indices, LongType n, NDArray& z) {
  if (z.isEmpty()) return;
  if (n == 0) reject("input 1 'indices': an empty array of rank 0 contains no index");
  LongType outer = 1, inner = 1;
  for (int d = 0; d < x.rankOf(); d++)
    if (d != axis) (d < axis ? outer : inner) *= x.sizeAt(d);
  const Dense from(x);
  DenseOut to(z);
  helpers::gatherRows(from->buffer(), outer, x.sizeAt(axis), indices, n, static_cast<size_t>(inner) * x.sizeOfT(),
                      to->buffer());
  to.commit();
}

int gatherAxis(const Gather& a, int rank) {
  if (rank == 0) reject("input 0 'x': a scalar has nothing to gather from");
  return checkedAxis(a.axis, rank);
}

void inferGathered(Inference& in) {
  const PartialShape x = in.input(0);
  const auto& a = in.arguments<Gather>();
  if (x.rank() == 0) reject("input 0 'x': a scalar has nothing to gather from");
  if (!in.has(1) && a.indices.empty()) reject("argument 'indices' is missing");
  PartialShape picked(INT64, {});
  if (in.has(1))
    picked = in.input(1);
  else if (a.indices.size() > 1)
    picked.append(static_cast<LongType>(a.indices.size()));
  if (!x.hasRank() || !picked.hasRank()) return in.output(PartialShape(x.type()));
  if (!in.knows(&Gather::axis)) return in.output(PartialShape::ofRank(x.type(), x.rank() - 1 + picked.rank()));
  const int axis = gatherAxis(a, x.rank());
  PartialShape z(x.type(), {}, x.order());
  for (int d = 0; d < axis; d++) z.append(x[d]);
  for (const LongType size : picked) z.append(size);
  for (int d = axis + 1; d < x.rank(); d++) z.append(x[d]);
  in.output(z);
}

/// indices.shape[:-1] + x.shape[k:], as far as it is known.
void inferParts(Inference& in) {
  const PartialShape x = in.input(0), indices = in.input(1);
  if (indices.rank() == 0) reject("input 1 'indices': it is a scalar, but shape [..., k] is needed");
  if (!x.hasRank() || !indices.hasRank() || indices[-1] == PartialShape::UNKNOWN)
    return in.output(PartialShape(x.type()));
  in.output(PartialShape(x.type(), helpers::shapeOfParts(indices.sizes(), x.sizes(), 1, "indices")));
}

void inferLookup(Inference& in) {
  const int last = in.inputs() - 1;
  if (last < 1) reject("a table and indices are needed, but {} inputs are given", last + 1);
  const PartialShape table = in.input(0), indices = in.input(last);
  if (indices.rank() == 0) reject("input {} 'indices': it is a scalar, but rank 1 or more is needed", last);
  if (last == 1 && table.rank() == 0) reject("input 0 'table': it is a scalar, but rank 1 or more is needed");
  for (int i = 1; i < last; i++) {
    const PartialShape other = in.input(i);
    if (!compatible(table, other) || (other.hasType() && table.hasType() && other.type() != table.type()))
      reject("input {} 'table': its shape {} and type {} differ from those of input 0, {} and {}", i, other.text(),
             DataTypeUtils::describe(other.type()), table.text(), DataTypeUtils::describe(table.type()));
  }
  if (!table.hasRank() || !indices.hasRank()) return in.output(PartialShape(table.type()));
  PartialShape z = indices.withType(table.type()).withOrder('c');
  for (int d = last == 1 ? 1 : 0; d < table.rank(); d++) z.append(table[d]);
  in.output(z);
}

/// The rows of input 0 with numbers `indices`, 0 or more, were picked.
void addRows(Gradient& g, Symbol indices) {
  g.set(0, g.call("scatter_add", {g.zerosLike(g.input(0)), indices, g.of()}));
}

}  // namespace

CUSTOM_OP_IMPL(gather, 1, 1, false, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = arguments<Gather>(block);
  const int axis = gatherAxis(a, x.rankOf());
  if (const NDArray* given = block.optionalArray(1)) {
    const Dense indices = wrappedIndices(*given, x.sizeAt(axis), 1, "indices");
    gatherAlong(x, axis, indices.as<LongType>(), indices->lengthOf(), z);
    return Status::OK;
  }
  std::vector<LongType> indices = a.indices;
  const LongType size = x.sizeAt(axis);
  for (size_t i = 0; i < indices.size(); i++) {
    if (indices[i] < -size || indices[i] >= size)
      reject("argument 'indices': value {} at [{}] is outside {}..{} (axis {} of shape {})", indices[i], i, -size,
             size - 1, axis, text(x));
    if (indices[i] < 0) indices[i] += size;
  }
  gatherAlong(x, axis, indices.data(), static_cast<LongType>(indices.size()), z);
  return Status::OK;
}

INFERRED_SHAPES(gather)

DECLARE_SCHEMA(gather) {
  schema.summary("Picks slices of an array along one axis.").formula("z[a.., i.., c..] = x[a.., indices[i..], c..]");
  schema.input("x", "rank 1 or more").types({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX, ALL_STRINGS}).moved();
  schema.input("indices", "any shape, values in 0..x.shape[axis]-1; negative ones count from the end")
      .types({ALL_FLOATS, ALL_INTS})
      .optional();
  schema.input("axis", "a scalar").types({ALL_FLOATS, ALL_INTS}).optional();
  schema
      .argument(&Gather::axis, "axis", "the dimension along which slices are picked; negative ones count from the end")
      .atInteger(0)
      .orInput(2);
  schema
      .argument(&Gather::indices, "indices",
                "the numbers of the slices; a single one removes the dimension; used when the input is not given")
      .atInteger(1);
  schema.output("z", "x.shape[:axis] + indices.shape + x.shape[axis+1:], the type of x");
  schema.outputTypes({ALL_INTS, ALL_FLOATS, BOOL, ALL_COMPLEX, ALL_STRINGS}).infer(inferGathered);
  schema.example(R"({"x": [10.0, 20.0, 30.0], "indices": [2, 0], "axis": 0})");
  schema.elsewhere({.numpy = "numpy.take", .torch = "torch.index_select", .tensorflow = "tf.gather", .onnx = "Gather"});
  schema.words("take, pick, index").see("gather_nd embedding_lookup scatter_add");
  schema.gradient([](Gradient& g) {
    const PartialShape x = g.shape(g.input(0));
    if (!g.input(1) || g.arguments<Gather>().axis != 0 || !x.hasRank() || x[0] < 1) return moves(g, {0});
    // Negative indices count from the end.
    addRows(g, g.call("floormod", {g.cast(g.input(1), INT64), g.sum(g.integers({x[0]}))}));
  });
}

CUSTOM_OP_IMPL(gather_nd, 2, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  // Without coordinates there is nothing to check, whatever the number of rows is.
  if (z.isEmpty() && INPUT_VARIABLE(1)->isEmpty()) return Status::OK;
  const helpers::FlatIndices rows(*INPUT_VARIABLE(1), dimsOf(x.shapeInfo()), 1, "indices");
  if (z.isEmpty()) return Status::OK;
  const Dense from(x);
  DenseOut to(z);
  helpers::gatherRows(from->buffer(), 1, rows.size(), rows.data(), rows.count(),
                      static_cast<size_t>(x.lengthOf() / rows.size()) * x.sizeOfT(), to->buffer());
  to.commit();
  return Status::OK;
}

INFERRED_SHAPES(gather_nd)

DECLARE_SCHEMA(gather_nd) {
  schema.summary("Picks elements or sub-arrays by their coordinates.")
      .formula("z[i..] = x[indices[i.., 0], …, indices[i.., k-1]]");
  schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX, ALL_STRINGS}).moved();
  schema.input("indices", "[..., k], k <= rank of x; coordinates in the first k dimensions")
      .types({ALL_FLOATS, ALL_INTS});
  schema.output("z", "indices.shape[:-1] + x.shape[k:], the type of x");
  schema.outputTypes({ALL_INTS, ALL_FLOATS, BOOL, ALL_COMPLEX, ALL_STRINGS}).infer(inferParts);
  schema.example(R"({"x": [[1.0, 2.0], [3.0, 4.0]], "indices": [[0, 1], [1, 0]]})");
  schema.elsewhere({.tensorflow = "tf.gather_nd", .onnx = "GatherND"});
  schema.words("coordinates, pick").see("gather scatter_nd");
  schema.gradient([](Gradient& g) {
    g.set(0, g.call("scatter_nd_add", {g.zerosLike(g.input(0)), g.input(1), g.of()}));
  });
}

CUSTOM_OP_IMPL(embedding_lookup, 2, 1, false, 0, 1) {
  const auto last = static_cast<int>(block.width()) - 1;
  NDArray& z = *OUTPUT_VARIABLE(0);
  const NDArray& first = *INPUT_VARIABLE(0);
  if (last == 1) {
    const Dense indices = checkedIndices(*INPUT_VARIABLE(1), first.sizeAt(0), 1, "indices");
    gatherAlong(first, 0, indices.as<LongType>(), indices->lengthOf(), z);
    return Status::OK;
  }
  const Dense indices = checkedIndices(*INPUT_VARIABLE(last), last, last, "indices");
  if (z.isEmpty()) return Status::OK;
  const size_t bytes = static_cast<size_t>(first.lengthOf()) * first.sizeOfT();
  std::vector<std::unique_ptr<Dense>> tables(static_cast<size_t>(last));
  DenseOut to(z);
  for (LongType i = 0; i < indices->lengthOf(); i++) {
    const LongType number = indices.as<LongType>()[i];
    auto& table = tables[static_cast<size_t>(number)];
    if (table == nullptr) table = std::make_unique<Dense>(*INPUT_VARIABLE(static_cast<int>(number)));
    std::memcpy(to.as<char>() + static_cast<size_t>(i) * bytes, (*table)->buffer(), bytes);
  }
  to.commit();
  return Status::OK;
}

INFERRED_SHAPES(embedding_lookup)

DECLARE_SCHEMA(embedding_lookup) {
  schema.summary("Looks up rows of a table, or whole tables of a list, by number.")
      .formula("one table: z[i..] = table[indices[i..]], several: z[i..] = table number indices[i..]");
  schema.input("table", "one table [R, ...], or several arrays of one shape").types({ALL_FLOATS, ALL_INTS}).any();
  schema.input("indices", "the last input; numbers of rows, or of tables").types({ALL_FLOATS, ALL_INTS});
  schema.output("z",
                "indices.shape + table.shape[1:], of several tables indices.shape + table.shape; the type of table");
  schema.outputTypes({ALL_INTS, ALL_FLOATS}).infer(inferLookup);
  schema.elsewhere(
      {.torch = "torch.nn.functional.embedding", .tensorflow = "tf.nn.embedding_lookup", .onnx = "Gather"});
  schema.words("embedding, lookup table").see("gather");
  schema.gradient([](Gradient& g) {
    const int last = g.inputs() - 1;
    const Symbol indices = g.input(last);
    if (last == 1) return addRows(g, indices);
    std::vector<int> axes(static_cast<size_t>(g.rank(indices)));
    std::iota(axes.begin(), axes.end(), 0);
    for (int k = 0; k < last; k++) {
      const Symbol chosen = g.cast(g.call("equals", {indices, g.constant(k, indices)}), g.of());
      g.set(k, g.call("tensormmul", {chosen, g.of()}, TensorContraction{axes, axes}));
    }
  });
}

}  // namespace sd::ops
