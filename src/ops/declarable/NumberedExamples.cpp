#include "ops/declarable/NumberedExamples.h"

#include <string_view>

namespace sd::ops {
namespace {

using loops::NumberedOp;
using loops::OperandTypes;
using loops::OpFamily;

struct Row {
  OpFamily family;
  std::string_view name;  ///< empty: every other operation of the family
  const char* example;
};

constexpr auto T = OpFamily::Transform, P = OpFamily::Pairwise, S = OpFamily::Scalar, B = OpFamily::Broadcast,
               R = OpFamily::Reduce, I = OpFamily::IndexReduce, N = OpFamily::Random;

constexpr const char *POSITIVE = R"({"x": [1.0, 4.0, 9.0]})", *FROM_ONE = R"({"x": [1.5, 2.0, 4.0]})",
                     *WITHIN_ONE = R"({"x": [-0.5, 0.0, 0.5]})", *SPECIAL = R"({"x": [1.0, "nan", "inf"]})",
                     *FRACTIONS = R"({"x": [-1.5, 0.4, 2.5]})";
constexpr const char *TRUTHS = R"({"x": [0.0, 1.0, 0.0], "y": [0.0, 0.0, 1.0]})",
                     *UNLIKE = R"({"x": [1.0, 5.0, 3.0], "y": [4.0, 2.0, 3.0], "parameters": [0.0, 0.00001, 2.0]})",
                     *REPLACED =
                         R"({"x": [1.0, 5.0, 3.0], "y": [4.0, 2.0, 6.0], "parameters": [3.5, 0.0, 0.00001, 3.0]})";
constexpr const char *NUMBERS_2 = R"({"x": [2, 3], "parameters": [0.0, 1.0]})",
                     *NUMBERS_1 = R"({"x": [2, 3], "parameters": [2.0]})",
                     *TRIALS = R"({"x": [2, 3], "parameters": [10.0, 0.5]})",
                     *KEPT = R"({"x": [1.0, 2.0, 3.0, 4.0], "parameters": [0.5]})";
constexpr const char *INDEX = R"({"x": [[1.0, 5.0, 3.0], [4.0, 0.0, 6.0]], "axis": [1], )"
                              R"("parameters": [2.0, 0.00001, 3.0]})",
                     *TRUTH_ROWS = R"({"x": [[0.0, 1.0], [2.0, 0.0]], "y": [0.0, 1.0], "axis": [1]})";

// Conditions are 2 (less), 3 (greater).
constexpr Row ROWS[] = {
    {T, "Sqrt", POSITIVE},
    {T, "RSqrt", POSITIVE},
    {T, "Log", POSITIVE},
    {T, "Log1p", POSITIVE},
    {T, "ACosh", FROM_ONE},
    {T, "ACoshDerivative", FROM_ONE},
    {T, "ACos", WITHIN_ONE},
    {T, "ASin", WITHIN_ONE},
    {T, "ATanh", WITHIN_ONE},
    {T, "IsInf", SPECIAL},
    {T, "IsNan", SPECIAL},
    {T, "IsFinite", SPECIAL},
    {T, "IsInfOrNan", SPECIAL},
    {T, "Round", FRACTIONS},
    {T, "Rint", FRACTIONS},
    {T, "Ceiling", FRACTIONS},
    {T, "Floor", FRACTIONS},
    {T, "CompareAndSetTransform", R"({"x": [-1.0, 0.5, 2.0], "parameters": [0.0, 9.0, 0.00001, 2.0]})"},
    {T, "ClipByValue", R"({"x": [-1.0, 0.5, 2.0], "parameters": [0.0, 1.0]})"},
    {T, "MatchConditionBool", R"({"x": [-1.0, 0.5, 2.0], "parameters": [0.0, 0.00001, 3.0]})"},
    {T, "ScaledTanh", R"({"x": [-1.0, 0.5, 2.0], "parameters": [1.7159, 0.6667]})"},
    {T, "Affine", R"({"x": [-1.0, 0.5, 2.0], "parameters": [2.0, 1.0]})"},
    {T, "Stabilize", R"({"x": [-1.0, 0.5, 6.0], "parameters": [1.0]})"},
    {T, "SetRange", R"({"x": [-1.0, 0.5, 2.0], "parameters": [0.0, 4.0]})"},
    {T, "", R"({"x": [-1.0, 0.5, 2.0]})"},

    {P, "CompareAndSet", REPLACED},
    {P, "CompareAndReplace", REPLACED},
    {P, "Axpy", R"({"x": [1.0, 2.0, 3.0], "y": [10.0, 20.0, 30.0], "parameters": [0.5]})"},
    {P, "BinaryRelativeError", R"({"x": [1.0, 2.0, 3.0], "y": [1.1, 2.0, 6.0], "parameters": [0.2]})"},
    {P, "BinaryMinimumAbsoluteRelativeError",
     R"({"x": [1.0, 2.0, 3.0], "y": [1.1, 2.0, 6.0], "parameters": [0.2, 0.5]})"},
    {P, "ReplaceNans", R"({"x": [1.0, "nan", 3.0], "y": [4.0, 5.0, 6.0]})"},
    {P, "MatchCondition", UNLIKE},
    {P, "And", TRUTHS},
    {P, "Or", TRUTHS},
    {P, "Xor", TRUTHS},
    {P, "Not", TRUTHS},
    {P, "LogicalAnd", TRUTHS},
    {P, "LogicalOr", TRUTHS},
    {P, "LogicalXor", TRUTHS},
    {P, "LogicalNot", TRUTHS},
    {P, "", R"({"x": [1.0, 5.0, 3.0], "y": [4.0, 2.0, 3.0]})"},

    {S, "CompareAndSet", R"({"x": [1.0, 5.0, 3.0], "scalar": 4.0, "parameters": [3.5, 0.0, 0.00001, 3.0]})"},
    {S, "MatchCondition", R"({"x": [1.0, 5.0, 3.0], "scalar": 2.0, "parameters": [0.0, 0.00001, 3.0]})"},
    {S, "ReplaceNans", R"({"x": [1.0, "nan", 3.0], "scalar": 0.0})"},
    {S, "ELU", R"({"x": [-1.0, 0.5, 2.0], "scalar": 1.0})"},
    {S, "ELUDerivative", R"({"x": [-1.0, 0.5, 2.0], "scalar": 1.0})"},
    {S, "LeakyRELU", R"({"x": [-1.0, 0.5, 2.0], "scalar": 0.1})"},
    {S, "LeakyRELUDerivative", R"({"x": [-1.0, 0.5, 2.0], "scalar": 0.1})"},
    {S, "RELU", R"({"x": [-1.0, 0.5, 2.0], "scalar": 0.0})"},
    {S, "RELUDerivative", R"({"x": [-1.0, 0.5, 2.0], "scalar": 0.0})"},
    {S, "RELU6", R"({"x": [-1.0, 0.5, 8.0], "scalar": 0.0})"},
    {S, "SXELogitsSmoother", R"({"x": [0.0, 1.0, 0.0], "scalar": 0.1})"},
    {S, "", R"({"x": [1.0, 5.0, 3.0], "scalar": 2.0})"},

    {B, "MatchCondition",
     R"({"x": [[1.0, 5.0], [3.0, 0.0]], "y": [2.0, 4.0], "axis": [1], "parameters": [0.0, 0.00001, 2.0]})"},
    {B, "And", TRUTH_ROWS},
    {B, "Or", TRUTH_ROWS},
    {B, "Xor", TRUTH_ROWS},
    {B, "Not", TRUTH_ROWS},
    {B, "LogicalAnd", TRUTH_ROWS},
    {B, "LogicalOr", TRUTH_ROWS},
    {B, "LogicalXor", TRUTH_ROWS},
    {B, "LogicalNot", TRUTH_ROWS},
    {B, "", R"({"x": [[1.0, 2.0], [3.0, 4.0]], "y": [2.0, 3.0], "axis": [1]})"},

    {R, "NormP", R"({"x": [[1.0, 2.0], [3.0, 4.0]], "axis": [1], "parameters": [3.0]})"},
    {R, "MatchCondition", R"({"x": [[1.0, 2.0], [3.0, 4.0]], "axis": [1], "parameters": [1.5, 0.00001, 3.0]})"},
    {R, "", R"({"x": [[1.0, 2.0], [3.0, 4.0]], "axis": [1]})"},

    {OpFamily::Reduce3, "EqualsWithEps",
     R"({"x": [[1.0, 2.0], [3.0, 4.0]], "y": [[1.0, 0.0], [3.5, 4.0]], "axis": [1], "parameters": [0.001]})"},
    {OpFamily::Reduce3, "", R"({"x": [[1.0, 2.0], [3.0, 4.0]], "y": [[1.0, 0.0], [3.5, 4.0]], "axis": [1]})"},

    {I, "FirstIndex", INDEX},
    {I, "LastIndex", INDEX},
    {I, "", R"({"x": [[1.0, 5.0, -7.0], [4.0, 2.0, 3.0]], "axis": [1]})"},

    {OpFamily::Variance, "", R"({"x": [[1.0, 2.0, 6.0], [4.0, 5.0, 3.0]], "axis": [1], "bias_corrected": true})"},

    {N, "DropOut", KEPT},
    {N, "DropOutInverted", KEPT},
    {N, "ProbablisticMerge",
     R"({"x": [1.0, 2.0, 3.0, 4.0], "operands": [[10.0, 20.0, 30.0, 40.0]], "parameters": [0.5]})"},
    {N, "Linspace", R"({"x": [5], "parameters": [0.0, 1.0]})"},
    {N, "Choice", R"({"x": [10.0, 20.0, 30.0], "operands": [[0.2, 0.3, 0.5]]})"},
    {N, "BernoulliDistribution", R"({"x": [2, 3], "parameters": [0.5]})"},
    {N, "BinomialDistribution", TRIALS},
    {N, "BinomialDistributionEx", TRIALS},
    {N, "AlphaDropOut", R"({"x": [1.0, 2.0, 3.0, 4.0], "parameters": [0.5, 1.0, 0.0, -1.7581]})"},
    {N, "ExponentialDistribution", NUMBERS_1},
    {N, "ExponentialDistributionInv", NUMBERS_1},
    {N, "PoissonDistribution", NUMBERS_1},
    {N, "GammaDistribution", R"({"x": [2, 3], "parameters": [2.0, 1.0]})"},
    {N, "", NUMBERS_2}};

/// Of operations on the bits of integers.
const char* integerExample(OpFamily family) {
  switch (family) {
    case OpFamily::Scalar:
      return R"({"x": [12, 10, 7], "scalar": 2.0})";
    case OpFamily::Broadcast:
      return R"({"x": [[12, 10], [7, 1]], "y": [1, 2], "axis": [1]})";
    default:
      return R"({"x": [12, 10, 7], "y": [1, 2, 3]})";
  }
}

}  // namespace

const char* exampleOf(const NumberedOp& op) {
  const loops::GroupTraits& traits = loops::traitsOf(op.group);
  if (traits.operands == OperandTypes::Integers) return integerExample(traits.family);
  for (const Row& row : ROWS)
    if (row.family == traits.family && (row.name.empty() || row.name == op.name)) return row.example;
  return "";
}

}  // namespace sd::ops
