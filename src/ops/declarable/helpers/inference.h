// What inference functions of operations share. Sizes, ranks and types may be unknown; what is unknown fits.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_INFERENCE_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_INFERENCE_H

#include <ops/declarable/CommonInference.h>
#include <ops/declarable/Schema.h>

#include <optional>
#include <vector>

#include "ops/declarable/Common.h"

namespace sd::ops {

// ---- why an operation has no gradient

inline constexpr const char* IS_GRADIENT = "the operation computes a gradient itself";
inline constexpr const char* INTEGER_RESULT = "the result is an integer";
inline constexpr const char* LOGICAL_RESULT = "the result is logical";
inline constexpr const char* CONSTANT_RESULT = "the result does not depend on the values of the inputs";
inline constexpr const char* RANDOM_RESULT = "the result is random";
inline constexpr const char* JUMPS = "the result is constant between jumps";
inline constexpr const char* DISCRETE_CHOICE = "the choice of elements is discrete";
inline constexpr const char* TRAINING_STEP = "the operation is a training step, which updates state";
inline constexpr const char* WORKS_ON_LISTS = "the operation works on lists";
inline constexpr const char* WORKS_ON_TEXTS = "strings have no derivative";
inline constexpr const char* CONTROL_FLOW = "the operation is control flow";
inline constexpr const char* SIDE_EFFECT = "the operation is called for its side effect";
inline constexpr const char* TESTS_CALLS = "the operation tests how operations are called";
inline constexpr const char* INTEGER_INPUTS = "the inputs are integers";
/// Of an input.
inline constexpr const char* NO_CLOSED_FORM = "the derivative has no closed form";

// ---- whole inferences

/// One output: a scalar of BOOL.
void inferTruth(Inference& in);
/// The gradient operation of an operation of one input: gradX like x. Input 1 is the gradient, of x's shape.
void inferLikeFirstAndSecond(Inference& in);

// ---- shapes

/// Whether two shapes may be equal.
bool compatible(const PartialShape& a, const PartialShape& b);
/// What is known of an array that has both shapes, with the type and order of `a`.
PartialShape merged(const PartialShape& a, const PartialShape& b);

/// reduced() for axes that are ascending and in 0..rank-1; the rank is known.
PartialShape reducedAlong(const PartialShape& a, const std::vector<int>& axes, bool keepDims, DataType type);

// ---- checks: each throws std::invalid_argument

/// `otherText` reads as in "but the output has shape [2, 3]".
void requireCompatible(const PartialShape& shape, int index, const char* name, const PartialShape& other,
                       const char* otherText);
void requireSameShape(const PartialShape& shape, int index, const char* name, const PartialShape& other, int otherIndex,
                      const char* otherName);
void requireSameType(const PartialShape& shape, int index, const char* name, const PartialShape& other, int otherIndex,
                     const char* otherName);
void requireRank(const PartialShape& shape, int rank, int index, const char* name);
/// One element, of any rank.
void requireScalar(const PartialShape& shape, int index, const char* name);
/// A list of numbers: rank 0 or 1, or a matrix with one row or column.
void requireList(const PartialShape& shape, int index, const char* name);

// ---- sizes that an input lists

/// The integers of input `index`, a list. No value: its values are not known.
std::optional<Dims> listedIn(Inference& in, int index, const char* name);
/// An array of the sizes that input `index` lists; their number may be known when they are not.
PartialShape shapeListedIn(Inference& in, int index, const char* name, DataType type, char order = 'c');

// ---- of element-wise operations and their gradients

/// Two outputs: like inputs 0 and 1.
void inferLikeFirstTwo(Inference& in);
/// The shape that inferBroadcast gives. @throws std::invalid_argument when the shapes do not broadcast
PartialShape operandShape(const PartialShape& x, const PartialShape& y, DataType type);
/// As inferBroadcast, of type BOOL, from inputs of one type.
void inferComparison(Inference& in);

}  // namespace sd::ops

#endif
