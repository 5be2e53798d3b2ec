// Pieces of strings and their positions, as a sparse array.
// operations: compat_string_split
#include <ops/declarable/headers/compat.h>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/pieces.h"

namespace sd::ops {
namespace {

/// The pieces of each string.
struct Pieces {
  std::vector<std::vector<std::string>> ofStrings;
};

void inferPieces(Inference& in) {
  in.input(0);
  in.input(1);
  const NDArray *text = in.values(0), *delimiter = in.values(1);
  LongType count = PartialShape::UNKNOWN, places = PartialShape::UNKNOWN;
  if (text != nullptr && delimiter != nullptr) {
    Pieces pieces{piecesOf(*text, *delimiter)};
    count = 0;
    for (const auto& list : pieces.ofStrings) count += static_cast<LongType>(list.size());
    places = count * (text->rankOf() + 1);
    in.keep(std::move(pieces));
  }
  in.output(INT64, {places});
  in.output(UTF8, {count});
}

}  // namespace

CUSTOM_OP_IMPL(compat_string_split, 2, 2, false, 0, 0) {
  const NDArray& strings = *INPUT_VARIABLE(0);
  const NDArray& delimiter = *INPUT_VARIABLE(1);
  const auto& pieces = kept<Pieces>(block, [&] { return Pieces{piecesOf(strings, delimiter)}; }).ofStrings;
  NDArray &places = *OUTPUT_VARIABLE(0), &values = *OUTPUT_VARIABLE(1);
  if (values.isEmpty()) return Status::OK;
  std::vector<std::string> all;
  DenseOut coordinates(places, INT64);
  auto* to = coordinates.as<LongType>();
  const int rank = strings.rankOf();
  for (size_t i = 0; i < pieces.size(); i++) {
    for (size_t k = 0; k < pieces[i].size(); k++) {
      auto rest = static_cast<LongType>(i);
      for (int d = rank - 1; d >= 0; d--) {
        to[d] = rest % strings.sizeAt(d);
        rest /= strings.sizeAt(d);
      }
      to[rank] = static_cast<LongType>(k);
      to += rank + 1;
      all.push_back(pieces[i][k]);
    }
  }
  coordinates.commit();
  values = NDArray({static_cast<LongType>(all.size())}, all, values.dataType());
  return Status::OK;
}

INFERRED_SHAPES(compat_string_split)
DECLARE_SCHEMA(compat_string_split) {
  schema.summary("Splits strings at each occurrence of a delimiter; returns the pieces and the origin of each.")
      .note("Empty pieces are kept, also at both ends.");
  schema.input("strings", "any shape of rank R").shapesNeedValues();
  schema.input("delimiter", "a scalar, not empty").shapesNeedValues();
  schema.output("indices",
                "[pieces * (R + 1)], INT64: for each piece the coordinates of its string and its number among the "
                "pieces of that string");
  schema.output("values", "[pieces], UTF8: all pieces in order");
  schema.inputTypes({ALL_STRINGS}).outputTypes(0, {INT32, INT64}).outputTypes(1, {ALL_STRINGS});
  schema.infer(inferPieces).notDifferentiable(WORKS_ON_TEXTS);
  schema.example(R"({"strings": ["a b", "c"], "delimiter": " "})")
      .elsewhere({.numpy = "numpy.char.split", .tensorflow = "tf.compat.v1.string_split", .onnx = "StringSplit"})
      .words("tokenize, separate")
      .see("split_string");
}

}  // namespace sd::ops
