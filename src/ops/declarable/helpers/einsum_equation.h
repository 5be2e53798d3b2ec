// Equations of einsum.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_EINSUM_EQUATION_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_EINSUM_EQUATION_H

#include <ops/declarable/PartialShape.h>

#include <map>
#include <string>
#include <vector>

namespace sd::ops::helpers {

/// A dimension that operands share: the code of a letter, or a number from ELLIPSIS_LABELS on for a dimension of "...",
/// counted from the last one.
using Label = int;
using Labels = std::vector<Label>;
inline constexpr Label ELLIPSIS_LABELS = 256;

/// "ij,...j->i...", read.
class Equation {
 public:
  /// @throws std::invalid_argument for text that is no equation
  explicit Equation(std::string text);

  size_t operands() const { return _terms.size(); }
  /// The labels of the dimensions of each operand, whose ranks must be known.
  /// @throws std::invalid_argument when the number of operands or their ranks do not fit
  std::vector<Labels> labelsOf(const std::vector<PartialShape>& operands) const;
  /// Those of the result for these labels of the operands.
  Labels outputOf(const std::vector<Labels>& operands) const;
  /// The number of dimensions of the result; -1 when it depends on the operands.
  int outputRank() const;
  /// The size of each dimension; what is unknown fits. @throws std::invalid_argument when sizes differ
  std::map<Label, LongType> sizesOf(const std::vector<Labels>& labels, const std::vector<PartialShape>& operands) const;
  void requireOperands(size_t count) const;

 private:
  std::string _text;
  std::vector<std::string> _terms;  // letters, and '.' for "..."
  std::string _output;
  bool _isExplicit = false;

  std::string implicitOutput() const;
};

/// "'i'", or which dimension of "..." it is.
std::string describe(Label label);

}  // namespace sd::ops::helpers

#endif
