// Strings in operations that only move elements.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_MOVEDTEXTS_H
#define NDFORGE_SRC_OPS_DECLARABLE_MOVEDTEXTS_H

#include <graph/Context.h>
#include <ops/declarable/Schema.h>

#include <memory>
#include <vector>

#include "ops/declarable/helpers/texts.h"

namespace sd::ops {

/// Whether the outputs of a call consist of strings of its inputs: see InputRow::moved().
bool movesTexts(const Schema& schema, graph::Context& block);

/// While it lives, the call has the numbers of its strings (INT64) in place of the strings: the first string of its
/// first input is 1, and so on through all inputs. The body moves them as it moves any numbers.
class MovedTexts {
 public:
  /// `targets` are the outputs of the call; those beyond the outputs of the operation are left alone.
  /// @throws std::invalid_argument for numbers given with strings, for outputs of numbers, and for strings that are not
  /// valid
  MovedTexts(const Schema& schema, graph::Context& block, std::vector<NDArray*> targets);
  ~MovedTexts() { restore(); }
  MovedTexts(const MovedTexts&) = delete;
  MovedTexts& operator=(const MovedTexts&) = delete;

  /// Writes the strings whose numbers the body has written; 0 is the empty string. Of an operation with any number of
  /// outputs, those that it does not write are left as they are.
  void commit();

 private:
  graph::Context& _block;
  std::vector<NDArray*> _targets, _inputs, _outputs;  // of the call
  std::vector<std::unique_ptr<NDArray>> _numbers;     // that take the place of inputs
  std::vector<std::unique_ptr<NDArray>> _results;     // of targets; null where nobody reads one
  std::vector<helpers::Texts> _texts;
  std::vector<LongType> _starts;  // the number of the first string of each of _texts
  bool _restored = false;

  void restore();
  /// Whether the body has written output `k`.
  bool isWritten(size_t k) const;
};

}  // namespace sd::ops

#endif
