// split_string: the pieces of strings between delimiters.
// operations: split_string
#include <ops/declarable/headers/indexing.h>

#include <algorithm>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/pieces.h"

namespace sd::ops {
namespace {

using Pieces = std::vector<std::vector<std::string>>;

size_t mostPieces(const Pieces& pieces) {
  size_t most = 0;
  for (const auto& list : pieces) most = std::max(most, list.size());
  return most;
}

void inferPieces(Inference& in) {
  PartialShape z = in.input(0).withOrder('c');
  in.input(1);
  const NDArray *strings = in.values(0), *delimiter = in.values(1);
  if (strings == nullptr || delimiter == nullptr)
    return in.output(z.hasRank() && !z.isEmptyScalar() ? z.append(PartialShape::UNKNOWN) : PartialShape(z.type()));
  Pieces pieces = piecesOf(*strings, *delimiter);
  PartialShape shape(strings->dataType(), dimsOf(strings->shapeInfo()));
  in.output(shape.append(static_cast<LongType>(mostPieces(pieces))));
  in.keep(std::move(pieces));
}

}  // namespace

CUSTOM_OP_IMPL(split_string, 2, 1, true, 0, 0) {
  const NDArray& strings = *INPUT_VARIABLE(0);
  const auto& pieces = kept<Pieces>(block, [&] { return piecesOf(strings, *INPUT_VARIABLE(1)); });
  Dims dims = dimsOf(strings.shapeInfo());
  dims.push_back(static_cast<LongType>(mostPieces(pieces)));
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  std::vector<std::string> all;
  for (const auto& list : pieces) {
    all.insert(all.end(), list.begin(), list.end());
    all.resize(all.size() + static_cast<size_t>(dims.back()) - list.size());
  }
  z = NDArray(dims, all, z.dataType());
  return Status::OK;
}

INFERRED_SHAPES(split_string)

DECLARE_SCHEMA(split_string) {
  schema.inputTypes({ALL_STRINGS});
  schema.summary("Splits strings at each occurrence of a delimiter.")
      .formula("z[i.., k] = piece k of strings[i..]")
      .note("Empty pieces are kept, also at both ends.");
  schema.input("strings", "any shape").types({UTF8, UTF16, UTF32}).shapesNeedValues();
  schema.input("delimiter", "a scalar, not empty").types({UTF8, UTF16, UTF32}).shapesNeedValues();
  schema.output("z", "strings.shape + [most pieces of a string], filled up with empty strings; the type of strings");
  schema.outputTypes({ALL_STRINGS}).infer(inferPieces);
  schema.notDifferentiable(WORKS_ON_TEXTS);
  schema.elsewhere({.numpy = "numpy.char.split", .tensorflow = "tf.strings.split", .onnx = "StringSplit"});
  schema.words("tokenize, separate").see("compat_string_split");
}

}  // namespace sd::ops
