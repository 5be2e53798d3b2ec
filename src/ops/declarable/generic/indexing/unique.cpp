// Distinct values and differences of sets: unique, unique_with_counts, listdiff.
// operations: unique unique_with_counts listdiff
// calls: Add
#include <ops/declarable/headers/indexing.h>

#include <string_view>
#include <unordered_map>

#include "ops/declarable/helpers/distinct.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"
#include "ops/declarable/helpers/rows.h"
#include "ops/declarable/helpers/text_order.h"

namespace sd::ops {
namespace {

using helpers::KeyTable;

/// How far ahead of the search slots of the table are fetched.
constexpr int AHEAD = 16;

/// The distinct keys of a part of an array, in the order of their first occurrence.
struct PartOfKeys {
  KeyTable table;
  std::vector<LongType> first, counts;

  /// Adds elements start to stop - 1 of the array and stores their numbers in this part.
  void add(const UnsignedLong* keys, LongType start, LongType stop, LongType* numbers) {
    for (LongType i = start; i < stop; i++) {
      if (i + AHEAD < stop) table.prefetch(keys[i + AHEAD]);
      numbers[i] = table.number(keys[i]);
      count(numbers[i], i);
    }
  }

  void count(LongType number, LongType position) {
    if (number == static_cast<LongType>(first.size())) {
      first.push_back(position);
      counts.push_back(0);
    }
    counts[static_cast<size_t>(number)]++;
  }
};

/// The distinct values of an array: the position of each one's first occurrence, its count, and each element's value
/// index.
struct Distinct {
  std::vector<LongType> first, counts;
  NDArray numbers;

  explicit Distinct(const NDArray& x) : numbers(unset(INT64, {x.lengthOf()})) {
    if (x.isEmpty()) return;
    auto* to = numbers.bufferAsT<LongType>();
    auto whole = x.isS() ? numberTexts(helpers::Texts(x, 0, "x"), to) : numberKeys(helpers::keysOf(x), to);
    first = std::move(whole.first);
    counts = std::move(whole.counts);
  }

 private:
  static PartOfKeys numberTexts(const helpers::Texts& texts, LongType* to) {
    PartOfKeys whole;
    std::unordered_map<std::string_view, LongType> numbers;
    for (LongType i = 0; i < texts.size(); i++) {
      to[i] = numbers.emplace(texts[i], static_cast<LongType>(numbers.size())).first->second;
      whole.count(to[i], i);
    }
    return whole;
  }

  // Each thread numbers the keys of its own part. The parts' distinct keys, part after part, then have the order of
  // their first occurrence in the array, so the result does not depend on the number of threads.
  static PartOfKeys numberKeys(const Dense& keysOfX, LongType* to) {
    constexpr double COST = 10;
    const auto* keys = keysOfX.as<UnsignedLong>();
    const LongType n = keysOfX->lengthOf();
    const int threads = execution::threadsFor(COST * static_cast<double>(n));
    const auto startOf = [n, threads](LongType part) { return part * (n / threads) + std::min(part, n % threads); };
    std::vector<PartOfKeys> parts(static_cast<size_t>(threads));
    execution::parallelFor(threads, threads, [&](LongType start, LongType stop) {
      for (LongType part = start; part < stop; part++)
        parts[static_cast<size_t>(part)].add(keys, startOf(part), startOf(part + 1), to);
    });

    PartOfKeys& whole = parts[0];
    std::vector<LongType> renumbered;
    for (LongType part = 1; part < threads; part++) {
      const auto& [table, first, counts] = parts[static_cast<size_t>(part)];
      renumbered.resize(first.size());
      for (size_t k = 0; k < first.size(); k++) {
        if (k + AHEAD < first.size()) whole.table.prefetch(keys[first[k + AHEAD]]);
        renumbered[k] = whole.table.number(keys[first[k]]);
        if (renumbered[k] == static_cast<LongType>(whole.first.size())) {
          whole.first.push_back(first[k]);
          whole.counts.push_back(0);
        }
        whole.counts[static_cast<size_t>(renumbered[k])] += counts[k];
      }
      LongType* const numbers = to + startOf(part);
      overElements(startOf(part + 1) - startOf(part), 3, [numbers, &renumbered](LongType start, LongType stop) {
        for (LongType i = start; i < stop; i++) numbers[i] = renumbered[static_cast<size_t>(numbers[i])];
      });
    }
    return std::move(whole);
  }
};

/// Copies the elements of x at these positions, counted in c order.
void pick(const NDArray& x, const std::vector<LongType>& positions, NDArray& z) {
  if (x.isS()) return helpers::pickTexts(helpers::Texts(x, 0, "x"), positions, z);
  const Dense from(x);
  DenseOut target(z);
  helpers::gatherRows(from->buffer(), 1, x.lengthOf(), positions.data(), static_cast<LongType>(positions.size()),
                      x.sizeOfT(), target->buffer());
  target.commit();
}

void store(const std::vector<LongType>& values, NDArray& z) {
  DenseOut target(z, INT64);
  std::copy(values.begin(), values.end(), target.as<LongType>());
  target.commit();
}

Status findDistinct(graph::Context& block, NDArray& values, NDArray& indices, NDArray* counts) {
  const NDArray& x = *block.array(0);
  if (x.isEmpty()) return Status::OK;
  const auto& distinct = kept<Distinct>(block, [&] { return Distinct(x); });
  indices.assign(distinct.numbers);
  pick(x, distinct.first, values);
  if (counts != nullptr) store(distinct.counts, *counts);
  return Status::OK;
}

PartialShape shapeOfDistinct(DataType type, LongType count) {
  return count == 0 ? PartialShape::empty(type) : PartialShape(type, {count});
}

void inferDistinct(Inference& in, bool withCounts) {
  const PartialShape x = in.input(0);
  const NDArray* values = in.values(0);
  LongType count = PartialShape::UNKNOWN;
  if (values == nullptr) {
    if (x.isEmpty()) count = 0;
  } else {
    Distinct distinct(*values);
    count = static_cast<LongType>(distinct.first.size());
    in.keep(std::move(distinct));
  }
  // Of an x that may be empty, not even the rank of the result is known.
  const bool known = count != PartialShape::UNKNOWN;
  in.output(known ? shapeOfDistinct(x.type(), count) : PartialShape(x.type()));
  in.output(INT64, {x.length()});
  if (withCounts) in.output(known ? shapeOfDistinct(INT64, count) : PartialShape(INT64));
}

}  // namespace

CUSTOM_OP_IMPL(unique, 1, 2, false, 0, 0) {
  return findDistinct(block, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1), nullptr);
}

INFERRED_SHAPES(unique)

DECLARE_SCHEMA(unique) {
  schema.summary("The distinct values of an array in the order of their first occurrence.")
      .formula("x[i] = values[indices[i]], elements counted in c order")
      .note("0 equals -0; each NaN is a separate value.");
  schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS, BOOL, ALL_STRINGS}).shapesNeedValues();
  schema.output("values", "[number of distinct values], the type of x; an empty array of rank 0 for an empty x");
  schema.output("indices", "[length of x], INT64");
  schema.inputTypes({ALL_INTS, ALL_FLOATS, BOOL, ALL_STRINGS})
      .outputTypes(0, {ALL_INTS, ALL_FLOATS, BOOL, ALL_STRINGS})
      .outputTypes(1, {ALL_INTS})
      .outputTypes(2, {ALL_INTS})
      .infer([](Inference& in) { inferDistinct(in, false); });
  schema.notDifferentiable(DISCRETE_CHOICE);
  schema.example(R"({"x": [3.0, 1.0, 3.0]})");
  schema.elsewhere({.numpy = "numpy.unique", .torch = "torch.unique", .tensorflow = "tf.unique", .onnx = "Unique"});
  schema.words("distinct, duplicates, set").see("unique_with_counts listdiff");
}

CUSTOM_OP_IMPL(unique_with_counts, 1, 3, false, 0, 0) {
  return findDistinct(block, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1), OUTPUT_VARIABLE(2));
}

INFERRED_SHAPES(unique_with_counts)

DECLARE_SCHEMA(unique_with_counts) {
  schema.summary("The distinct values of an array and how often each occurs.")
      .formula("x[i] = values[indices[i]], counts[k] = number of i with indices[i] = k")
      .note("0 equals -0; each NaN is a separate value.");
  schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS, BOOL, ALL_STRINGS}).shapesNeedValues();
  schema.output("values", "[number of distinct values], the type of x; an empty array of rank 0 for an empty x");
  schema.output("indices", "[length of x], INT64");
  schema.output("counts", "one for each value, INT64");
  schema.inputTypes({ALL_INTS, ALL_FLOATS, BOOL, ALL_STRINGS})
      .outputTypes(0, {ALL_INTS, ALL_FLOATS, BOOL, ALL_STRINGS})
      .outputTypes(1, {ALL_INTS})
      .outputTypes(2, {ALL_INTS})
      .infer([](Inference& in) { inferDistinct(in, true); });
  schema.notDifferentiable(DISCRETE_CHOICE);
  schema.example(R"({"x": [3.0, 1.0, 3.0]})");
  schema.elsewhere(
      {.numpy = "numpy.unique", .torch = "torch.unique", .tensorflow = "tf.unique_with_counts", .onnx = "Unique"});
  schema.words("distinct, frequency").see("unique bincount");
}

namespace {

/// The positions of the values that are not in `known`.
std::vector<LongType> difference(const NDArray& values, const NDArray& known) {
  if (values.rankOf() != 1) requireRank(values, 1, 0, "x");
  if (known.rankOf() != 1) requireRank(known, 1, 1, "y");
  if (values.dataType() != known.dataType())
    reject("input 1 'y': its type is {}, but input 0 'x' has type {}", DataTypeUtils::describe(known.dataType()),
           DataTypeUtils::describe(values.dataType()));
  KeyTable table;
  const Dense knownKeys = helpers::keysOf(known, values.lengthOf()), valueKeys = helpers::keysOf(values);
  for (LongType i = 0; i < known.lengthOf(); i++) table.number(knownKeys.as<UnsignedLong>()[i]);
  std::vector<LongType> positions;
  for (LongType i = 0; i < values.lengthOf(); i++)
    if (!table.contains(valueKeys.as<UnsignedLong>()[i])) positions.push_back(i);
  if (positions.empty())
    reject("the result is empty: each of the {} values is one of the {} to leave out", values.lengthOf(),
           known.lengthOf());
  return positions;
}

using Positions = std::vector<LongType>;

void inferDifference(Inference& in) {
  const PartialShape x = in.input(0), y = in.input(1);
  requireRank(x, 1, 0, "x");
  requireRank(y, 1, 1, "y");
  requireSameType(y, 1, "y", x, 0, "x");
  const NDArray *values = in.values(0), *known = in.values(1);
  LongType count = PartialShape::UNKNOWN;
  if (values != nullptr && known != nullptr) {
    Positions positions = difference(*values, *known);
    count = static_cast<LongType>(positions.size());
    in.keep(std::move(positions));
  }
  in.output(x.type(), {count});
  in.output(INT64, {count});
}

}  // namespace

CUSTOM_OP_IMPL(listdiff, 2, 2, false, 0, 0) {
  const NDArray& values = *INPUT_VARIABLE(0);
  const auto& positions = kept<Positions>(block, [&] { return difference(values, *INPUT_VARIABLE(1)); });
  pick(values, positions, *OUTPUT_VARIABLE(0));
  store(positions, *OUTPUT_VARIABLE(1));
  return Status::OK;
}

INFERRED_SHAPES(listdiff)

DECLARE_SCHEMA(listdiff) {
  schema.inputTypes({ALL_INTS, ALL_FLOATS});
  schema.summary("The values that do not occur in another vector, in their order, duplicates included.")
      .formula("z = those x[i] that equal no y[j], indices = their i")
      .note("An empty result is an error. NaN equals no value.");
  schema.input("x", "[n]").types({ALL_FLOATS, ALL_INTS}).shapesNeedValues();
  schema.input("y", "[m], the type of x; the values to leave out").types({ALL_FLOATS, ALL_INTS}).shapesNeedValues();
  schema.output("z", "[count], the type of x");
  schema.output("indices", "[count], INT64; their positions in x");
  schema.outputTypes(0, {ALL_INTS, ALL_FLOATS}).outputTypes(1, {ALL_INTS}).infer(inferDifference);
  schema.notDifferentiable(DISCRETE_CHOICE);
  schema.example(R"({"x": [1.0, 2.0, 3.0, 4.0], "y": [2.0, 4.0]})");
  schema.elsewhere({.numpy = "numpy.setdiff1d", .tensorflow = "tf.raw_ops.ListDiff"});
  schema.words("set difference, without").see("unique");
}

}  // namespace sd::ops
