// Distributes sub-arrays over several arrays and reassembles them: dynamic_partition, its gradient and dynamic_stitch.
// operations: dynamic_partition dynamic_partition_bp dynamic_stitch
// calls: Add
#include <ops/declarable/headers/indexing.h>
#include <ops/declarable/headers/tensor.h>

#include <algorithm>

#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rows.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

using Places = std::vector<LongType>;

using Partitions = std::vector<Places>;

void checkPrefix(const PartialShape& x, const PartialShape& indices) {
  if (!x.hasRank() || !indices.hasRank()) return;
  bool fits = x.rank() >= indices.rank() && x.isEmptyScalar() == indices.isEmptyScalar();
  for (int d = 0; fits && d < indices.rank(); d++)
    fits = x[d] == indices[d] || x[d] == PartialShape::UNKNOWN || indices[d] == PartialShape::UNKNOWN;
  if (!fits) reject("input 1 'indices': its shape {} is not a prefix of x's shape {}", indices.text(), x.text());
}

/// For each partition the positions of its sub-arrays, counted in c order of the indices.
Partitions partitions(LongType count, const NDArray& indices) {
  requireOutputs(count);
  Partitions places(static_cast<size_t>(count));
  const Dense dense = integerElements(indices, 1, "indices");
  const auto* values = dense.as<LongType>();
  for (LongType i = 0; i < indices.lengthOf(); i++)
    if (values[i] >= 0 && values[i] < count) places[static_cast<size_t>(values[i])].push_back(i);
  return places;
}

const Partitions& current(graph::Context& block) {
  return kept<Partitions>(block, [&] {
    const NDArray &x = *block.array(0), &indices = *block.array(1);
    checkPrefix(PartialShape::of(x.shapeInfo()), PartialShape::of(indices.shapeInfo()));
    return partitions(arguments<DynamicPartition>(block).numPartitions, indices);
  });
}

void inferPartitions(Inference& in) {
  const PartialShape x = in.input(0), indices = in.input(1);
  const LongType count = in.arguments<DynamicPartition>().numPartitions;
  requireOutputs(count);
  checkPrefix(x, indices);
  PartialShape part(x.type());
  const bool known = x.hasRank() && indices.hasRank() && x.rank() >= indices.rank();
  if (known) {
    part = PartialShape(x.type(), {PartialShape::UNKNOWN}, x.order());
    for (int d = indices.rank(); d < x.rank(); d++) part.append(x[d]);
  }
  const NDArray* values = in.values(1);
  if (values == nullptr || !known) {
    for (LongType i = 0; i < count; i++) in.output(part);
    return;
  }
  Partitions places = partitions(count, *values);
  for (const Places& partition : places) in.output(part.set(0, static_cast<LongType>(partition.size())));
  in.keep(std::move(places));
}

void inferPartitionGradient(Inference& in) {
  in.output(in.input(0));
  in.output(in.input(1));
}

void partitionsArgument(Schema& schema) {
  schema.argument(&DynamicPartition::numPartitions, "num_partitions", "the number n of partitions")
      .atInteger(0)
      .atLeast(1)
      .require();
}

/// The dimensions dims[from:] behind a new first dimension.
Dims withFirst(LongType first, const LongType* info, int from) {
  Dims dims{first};
  dims.insert(dims.end(), shape::shapeOf(info) + from, shape::shapeOf(info) + shape::rank(info));
  return dims;
}

size_t bytesOfPart(const NDArray& x, const NDArray& indices) {
  return indices.isEmpty() ? 0 : static_cast<size_t>(x.lengthOf() / indices.lengthOf()) * x.sizeOfT();
}

}  // namespace

CUSTOM_OP_IMPL(dynamic_partition, 2, 1, false, 0, 1) {
  const NDArray &x = *INPUT_VARIABLE(0), &indices = *INPUT_VARIABLE(1);
  const Partitions& places = current(block);
  const Dense from(x);
  for (size_t p = 0; p < places.size(); p++) {
    NDArray& z = *OUTPUT_VARIABLE(static_cast<int>(p));
    if (z.isEmpty()) continue;
    DenseOut to(z);
    helpers::gatherRows(from->buffer(), 1, indices.lengthOf(), places[p].data(),
                        static_cast<LongType>(places[p].size()), bytesOfPart(x, indices), to->buffer());
    to.commit();
  }
  return Status::OK;
}

INFERRED_SHAPES(dynamic_partition)

DECLARE_SCHEMA(dynamic_partition) {
  schema.summary("Distributes sub-arrays over several arrays.")
      .formula("z_p = the sub-arrays x[i..] with indices[i..] = p, in c order of i");
  schema.input("x", "indices.shape + rest").types({ALL_FLOATS, ALL_INTS, BOOL, ALL_STRINGS}).moved();
  schema.input("indices", "the partition of each sub-array; those outside 0..n-1 are dropped")
      .types({ALL_FLOATS, ALL_INTS})
      .shapesNeedValues();
  partitionsArgument(schema);
  schema.output("z", "[count] + rest, one for each partition, the type of x").any();
  schema.outputTypes({ALL_INTS, ALL_FLOATS, BOOL, ALL_STRINGS}).infer(inferPartitions);
  schema.gradient("dynamic_partition_bp");
  schema.example(R"({"x": [1.0, 2.0, 3.0, 4.0], "indices": [0, 1, 0, 1], "num_partitions": 2})");
  schema.elsewhere({.tensorflow = "tf.dynamic_partition"});
  schema.words("group, distribute").see("dynamic_stitch unsorted_segment_sum");
}

CUSTOM_OP_IMPL(dynamic_partition_bp, 3, 2, false, 0, 1) {
  const NDArray &x = *INPUT_VARIABLE(0), &indices = *INPUT_VARIABLE(1);
  NDArray& gradX = *OUTPUT_VARIABLE(0);
  const Partitions& places = current(block);
  for (size_t p = 0; p < places.size(); p++) {
    const NDArray& gradZ = *INPUT_VARIABLE(static_cast<int>(p) + 2);
    const Dims expected = withFirst(static_cast<LongType>(places[p].size()), x.shapeInfo(), indices.rankOf());
    if (dimsOf(gradZ.shapeInfo()) != expected && !(gradZ.isEmpty() && places[p].empty()))
      reject("input {} 'gradZ': its shape is {}, but partition {} has shape {}", p + 2, text(gradZ), p, text(expected));
  }
  if (!gradX.isEmpty()) {
    DenseOut to(gradX);
    to->nullify();
    for (size_t p = 0; p < places.size(); p++) {
      if (places[p].empty()) continue;
      const Dense from(*INPUT_VARIABLE(static_cast<int>(p) + 2), x.dataType());
      helpers::scatterRows(helpers::Combine::Assign, x.dataType(), to->buffer(), indices.lengthOf(),
                           x.lengthOf() / indices.lengthOf(), places[p].data(), static_cast<LongType>(places[p].size()),
                           from->buffer());
    }
    to.commit();
  }
  if (!indices.isEmpty()) OUTPUT_VARIABLE(1)->assign(indices);
  return Status::OK;
}

INFERRED_SHAPES(dynamic_partition_bp)

DECLARE_SCHEMA(dynamic_partition_bp) {
  schema.inputTypes({ALL_INTS, ALL_FLOATS});
  schema.summary("The gradient of dynamic_partition.")
      .formula("gradX[i..] = the row of gradZ_p that x[i..] went to; 0 where it was dropped");
  schema.input("x", "indices.shape + rest").types({ALL_FLOATS, ALL_INTS});
  schema.input("indices", "as in dynamic_partition").types({ALL_FLOATS, ALL_INTS});
  schema.input("gradZ", "[count] + rest, one for each partition").any();
  partitionsArgument(schema);
  schema.output("gradX", "the shape and type of x");
  schema.output("gradIndices", "a copy of indices");
  schema.outputTypes({ALL_INTS, ALL_FLOATS}).infer(inferPartitionGradient);
  schema.gradient(linearBackwardRule);
  schema.example(
      R"({"x": [1.0, 2.0, 3.0, 4.0], "indices": [0, 1, 0, 1], "gradZ": [[10.0, 20.0], [30.0, 40.0]], "num_partitions": 2})");
  schema.see("dynamic_partition");
}

namespace {

/// The inputs of a stitch: index arrays, then as many data arrays.
class Stitch {
 public:
  /// `indices(e)` is index array e of `pairs`, and `data(e)` the shape of data array e.
  template <typename Indices, typename Data>
  Stitch(int pairs, Indices&& indices, Data&& data) : _n(pairs) {
    const auto isSkipped = [&](int e) { return indices(e).isEmpty() && data(e).isEmpty(); };
    // A pair of empty arrays is skipped, whatever its shapes and types are.
    int first = 0;
    while (first < _n - 1 && isSkipped(first)) first++;
    const PartialShape leading = data(first);
    const int rank = indices(first).rankOf();
    _type = leading.type();
    if (leading.rank() < rank)
      reject("input {} 'data': its shape is {}, but its indices have shape {}", _n + first, leading.text(),
             text(indices(first)));
    const Dims rest(leading.begin() + rank, leading.end());
    for (int e = first; e < _n; e++) {
      if (e > first && isSkipped(e)) continue;
      const NDArray& places = indices(e);
      const PartialShape values = data(e);
      if (!places.isZ())
        reject("input {} 'indices': integers are needed, not {}", e, DataTypeUtils::describe(places.dataType()));
      if (values.type() != _type)
        reject("input {} 'data': its type is {}, but input {} has type {}", _n + e,
               DataTypeUtils::describe(values.type()), _n + first, DataTypeUtils::describe(_type));
      Dims expected = dimsOf(places.shapeInfo());
      expected.insert(expected.end(), rest.begin(), rest.end());
      if (!compatible(values, PartialShape(_type, expected)) || (values.isEmptyScalar() && !places.isEmpty()))
        reject("input {} 'data': its shape is {}, but indices of shape {} need {}", _n + e, values.text(), text(places),
               text(expected));
      if (places.isEmpty()) continue;
      _rows.push_back({std::make_shared<Dense>(integerElements(places, e, "indices")), e});
      const auto* row = _rows.back().places->as<LongType>();
      for (LongType i = 0; i < places.lengthOf(); i++) {
        _last = std::max(_last, row[i]);
        _hasNegative |= row[i] < 0;
      }
      if (_last == INT64_MAX) reject("input {} 'indices': {} is too large (shape {})", e, _last, text(places));
    }
    _shape = rest;
    _shape.insert(_shape.begin(), _last + 1);
  }

  bool hasNegative() const { return _hasNegative; }
  DataType type() const { return _type; }
  const Dims& shape() const { return _shape; }

  void run(const graph::Context& block, NDArray& z) const {
    DenseOut to(z);
    to->nullify();
    for (const auto& [places, e] : _rows) {
      const Dense from(*block.array(_n + e));
      helpers::scatterRows(helpers::Combine::Assign, z.dataType(), to->buffer(), _last + 1, z.lengthOf() / (_last + 1),
                           places->as<LongType>(), (*places)->lengthOf(), from->buffer());
    }
    to.commit();
  }

 private:
  struct Rows {
    std::shared_ptr<Dense> places;
    int element;
  };
  int _n;
  std::vector<Rows> _rows;
  LongType _last = -1;
  bool _hasNegative = false;
  DataType _type;
  Dims _shape;
};

int pairsOf(size_t inputs) {
  if (inputs < 2 || inputs % 2 != 0)
    reject("the number of data arrays must equal the number of index arrays, but {} inputs are given", inputs);
  return static_cast<int>(inputs / 2);
}

const Stitch& currentStitch(graph::Context& block) {
  return kept<Stitch>(block, [&] {
    const int n = pairsOf(block.width());
    return Stitch(
        n, [&](int e) -> const NDArray& { return *block.array(e); },
        [&](int e) { return PartialShape::of(block.array(n + e)->shapeInfo()); });
  });
}

void inferStitched(Inference& in) {
  const int n = pairsOf(static_cast<size_t>(in.inputs()));
  bool known = true, ranks = true;
  for (int e = 0; e < n; e++) {
    known = known && in.values(e) != nullptr;
    ranks = ranks && in.input(n + e).hasRank() && in.input(n + e).hasType();
  }
  if (!known || !ranks) return in.output(PartialShape(in.input(n).type()));
  Stitch stitch(
      n, [&](int e) -> const NDArray& { return *in.values(e); }, [&](int e) { return in.input(n + e); });
  in.output(PartialShape(stitch.type(), stitch.shape(), in.input(0).order()));
  in.keep(std::move(stitch));
}

}  // namespace

CUSTOM_OP_IMPL(dynamic_stitch, 2, 1, false, 0, 0) {
  const Stitch& stitch = currentStitch(block);
  if (stitch.hasNegative()) return invalid(Status::VALIDATION, "an index is negative");
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (!z.isEmpty()) stitch.run(block, z);
  return Status::OK;
}

INFERRED_SHAPES(dynamic_stitch)

DECLARE_SCHEMA(dynamic_stitch) {
  schema.summary("Puts sub-arrays at the positions that index arrays give.")
      .formula("for e = 0, 1, …: z[indices_e[i..]] = data_e[i..]")
      .note("Later writes win; positions without an index are 0. A negative index gives the status VALIDATION.");
  schema.input("indices", "N arrays of integers, 0 or more").any().shapesNeedValues();
  schema.input("data", "N arrays, indices_e.shape + rest, of one type; pairs without elements are skipped").any();
  schema.output("z", "[largest index + 1] + rest, the type of data");
  schema.inputTypes({ALL_INTS, ALL_FLOATS, BOOL}).outputTypes({ALL_INTS, ALL_FLOATS, BOOL}).infer(inferStitched);
  schema.example(R"({"indices": [[0, 2], [1, 3]], "data": [[1.0, 2.0], [3.0, 4.0]]})");
  schema.elsewhere({.tensorflow = "tf.dynamic_stitch"});
  schema.words("interleave, merge, reassemble").see("dynamic_partition scatter_nd");
  schema.gradient([](Gradient& g) {
    // Of several elements for one place the last is used, so the positions are stitched as the data were.
    const int count = g.inputs() / 2;
    for (int e = 0; e < count; e++) {
      std::vector<Symbol> given;
      for (int i = 0; i < count; i++) given.push_back(g.input(i));
      for (int i = 0; i < count; i++) {
        const Symbol data = g.input(count + i);
        given.push_back(i == e ? g.positions(data) : g.call("zeros_as", {data}, ConstantLike{INT64}));
      }
      const Symbol data = g.input(count + e);
      g.set(count + e, g.collect(data, g.call("dynamic_stitch", given), g.of()));
    }
  });
}

}  // namespace sd::ops
