// Distributes sub-arrays over several arrays and reassembles them: dynamic_partition, its gradient and dynamic_stitch.
// operations: dynamic_partition dynamic_partition_bp dynamic_stitch
#include <ops/declarable/headers/indexing.h>

#include <algorithm>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/rows.h"

namespace sd::ops {
namespace {

using Places = std::vector<LongType>;

/// Whether this is an empty array of rank 0, which has the same shape as a scalar.
bool isNothing(const NDArray& array) { return array.isEmpty() && array.rankOf() == 0; }

/// For each partition the positions of its sub-arrays, counted in c order of the indices.
std::vector<Places> partitions(graph::Context& block) {
  const NDArray &x = *block.array(0), &indices = *block.array(1);
  const LongType count = block.intArgument64(0);
  if (count < 1) reject("integer argument 0 'numPartitions': {} is below 1", count);
  requireOutputs(count);
  bool fits = x.rankOf() >= indices.rankOf() && isNothing(x) == isNothing(indices);
  for (int d = 0; fits && d < indices.rankOf(); d++) fits = x.sizeAt(d) == indices.sizeAt(d);
  if (!fits) reject("input 1 'indices': its shape {} is not a prefix of x's shape {}", text(indices), text(x));
  std::vector<Places> places(static_cast<size_t>(count));
  const Dense dense = integerElements(indices, 1);
  const auto* values = dense.as<LongType>();
  for (LongType i = 0; i < indices.lengthOf(); i++)
    if (values[i] >= 0 && values[i] < count) places[static_cast<size_t>(values[i])].push_back(i);
  return places;
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
  const auto places = partitions(block);
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

DECLARE_SHAPE_FN(dynamic_partition) {
  const LongType* x = inputShape->at(0);
  auto list = std::make_unique<ShapeList>();
  for (const Places& places : partitions(block))
    list->push_back(shapeOf(ArrayOptions::dataType(x), shape::order(x),
                            withFirst(static_cast<LongType>(places.size()), x, shape::rank(inputShape->at(1)))));
  return list.release();
}

DECLARE_TYPES(dynamic_partition) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_INTS, ALL_FLOATS, BOOL})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS, BOOL})
      ->document(
          {.summary = "Distributes sub-arrays over several arrays.",
           .formula = "z_p = the sub-arrays x[i..] with indices[i..] = p, in c order of i",
           .inputs = "x: indices.shape + rest\nindices: integers; sub-arrays with an index outside 0..n-1 are dropped",
           .outputs = "z…: n arrays [count] + rest, x's type",
           .integers = "numPartitions: n, at least 1"});
}

CUSTOM_OP_IMPL(dynamic_partition_bp, 3, 2, false, 0, 1) {
  const NDArray &x = *INPUT_VARIABLE(0), &indices = *INPUT_VARIABLE(1);
  NDArray& gradX = *OUTPUT_VARIABLE(0);
  const auto places = partitions(block);
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

DECLARE_SHAPE_FN(dynamic_partition_bp) { return shapes(like(inputShape->at(0)), like(inputShape->at(1))); }

DECLARE_TYPES(dynamic_partition_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS})
      ->document({.summary = "The gradient of dynamic_partition.",
                  .formula = "gradX[i..] = the row of gradZ_p that x[i..] went to; 0 where it was dropped",
                  .inputs = "x: indices.shape + rest\nindices: integers\ngradZ…: n arrays [count] + rest",
                  .outputs = "gradX: the shape and type of x\nindices: a copy of the indices",
                  .integers = "numPartitions: n"});
}

namespace {

/// The inputs of a stitch: index arrays, then as many data arrays.
class Stitch {
 public:
  explicit Stitch(graph::Context& block) : _block(block), _n(static_cast<int>(block.width() / 2)) {
    if (block.width() < 2 || block.width() % 2 != 0)
      reject("the number of data arrays must equal the number of index arrays, but {} inputs are given", block.width());
    // A pair of empty arrays is skipped, whatever its shapes and types are.
    while (_first < _n - 1 && isSkipped(_first)) _first++;
    const Dims rest = this->rest();
    for (int e = _first; e < _n; e++) {
      if (e > _first && isSkipped(e)) continue;
      const NDArray &places = indices(e), &values = data(e);
      if (!places.isZ())
        reject("input {} 'indices': integers are needed, not {}", e, DataTypeUtils::describe(places.dataType()));
      if (values.dataType() != data(_first).dataType())
        reject("input {} 'data': its type is {}, but input {} has type {}", _n + e,
               DataTypeUtils::describe(values.dataType()), _n + _first,
               DataTypeUtils::describe(data(_first).dataType()));
      Dims expected = dimsOf(places.shapeInfo());
      expected.insert(expected.end(), rest.begin(), rest.end());
      if (dimsOf(values.shapeInfo()) != expected || (isNothing(values) && !places.isEmpty()))
        reject("input {} 'data': its shape is {}, but indices of shape {} need {}", _n + e, text(values), text(places),
               text(expected));
      if (places.isEmpty()) continue;
      _rows.push_back({std::make_unique<Dense>(integerElements(places, e, "indices")), e});
      const auto* first = _rows.back().places->as<LongType>();
      for (LongType i = 0; i < places.lengthOf(); i++) {
        _last = std::max(_last, first[i]);
        _hasNegative |= first[i] < 0;
      }
      if (_last == INT64_MAX) reject("input {} 'indices': {} is too large (shape {})", e, _last, text(places));
    }
  }

  bool hasNegative() const { return _hasNegative; }
  DataType type() const { return data(_first).dataType(); }
  Dims shape() const {
    Dims dims = rest();
    dims.insert(dims.begin(), _last + 1);
    return dims;
  }
  const NDArray& indices(int e) const { return *_block.array(e); }
  const NDArray& data(int e) const { return *_block.array(_n + e); }

  void run(NDArray& z) const {
    DenseOut to(z);
    to->nullify();
    for (const auto& [places, e] : _rows) {
      const Dense from(data(e));
      helpers::scatterRows(helpers::Combine::Assign, z.dataType(), to->buffer(), _last + 1, z.lengthOf() / (_last + 1),
                           places->as<LongType>(), indices(e).lengthOf(), from->buffer());
    }
    to.commit();
  }

 private:
  struct Rows {
    std::unique_ptr<Dense> places;
    int element;
  };
  graph::Context& _block;
  int _n;
  std::vector<Rows> _rows;
  int _first = 0;  ///< the pair that determines type and shape
  LongType _last = -1;
  bool _hasNegative = false;

  bool isSkipped(int e) const { return indices(e).isEmpty() && data(e).isEmpty(); }

  /// The shape of one sub-array.
  Dims rest() const {
    const int rank = indices(_first).rankOf();
    if (data(_first).rankOf() < rank)
      reject("input {} 'data': its shape is {}, but its indices have shape {}", _n + _first, text(data(_first)),
             text(indices(_first)));
    const Dims dims = dimsOf(data(_first).shapeInfo());
    return Dims(dims.begin() + rank, dims.end());
  }
};

}  // namespace

CUSTOM_OP_IMPL(dynamic_stitch, 2, 1, false, 0, 0) {
  const Stitch stitch(block);
  if (stitch.hasNegative()) return invalid(Status::VALIDATION, "an index is negative");
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (!z.isEmpty()) stitch.run(z);
  return Status::OK;
}

DECLARE_SHAPE_FN(dynamic_stitch) {
  const Stitch stitch(block);
  return shapes(shapeOf(stitch.type(), shape::order(inputShape->at(0)), stitch.shape()));
}

DECLARE_TYPES(dynamic_stitch) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS, BOOL})
      ->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS, BOOL})
      ->document({.summary = "Puts sub-arrays at the positions that index arrays give.",
                  .formula = "for e = 0, 1, …: z[indices_e[i..]] = data_e[i..]",
                  .inputs = "indices…: N arrays of integers, not negative\n"
                            "data…: N arrays, indices_e.shape + rest, of one type; pairs without elements are skipped",
                  .outputs = "z: [largest index + 1] + rest, the type of the data",
                  .notes = "Later writes win; positions without an index are 0. A negative index gives the status "
                           "VALIDATION."});
}

}  // namespace sd::ops
