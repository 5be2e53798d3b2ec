// The groups of numbered operations.
#ifndef NDFORGE_LOOPS_OPGROUP_H
#define NDFORGE_LOOPS_OPGROUP_H

#include <array/DataType.h>
#include <system/common.h>

#include <string>
#include <string_view>
#include <vector>

namespace sd::loops {

enum class OpGroup : int {
  TransformFloat,
  TransformSame,
  TransformBool,
  TransformStrict,
  TransformAny,
  Pairwise,
  PairwiseBool,
  PairwiseInt,
  Scalar,
  ScalarBool,
  ScalarInt,
  Broadcast,
  BroadcastBool,
  BroadcastInt,
  ReduceFloat,
  ReduceSame,
  ReduceBool,
  ReduceLong,
  Reduce3,
  IndexReduce,
  SummaryStats,
  Random,
};
inline constexpr int OP_GROUP_COUNT = 22;

/// What an operation is applied to and how; a family holds groups that differ in types alone.
enum class OpFamily : int { Transform, Pairwise, Scalar, Broadcast, Reduce, Reduce3, IndexReduce, Variance, Random };
inline constexpr int OP_FAMILY_COUNT = 9;

/// The types of x that a group accepts.
enum class OperandTypes : int { Numbers, Real, Integers };

/// The type of z.
enum class ResultTypes : int {
  LikeX,
  Real,    ///< x's type when it is real, else the default real type
  Truth,   ///< BOOL
  Counts,  ///< INT64
  Any,     ///< the type of the array that the caller gives
};

/// The properties that all operations of a group share. OpGroup.cpp has the table of them.
struct GroupTraits {
  OpGroup group;
  OpFamily family;
  std::string_view name;  ///< in upper case, for example "TRANSFORM_STRICT"
  OperandTypes operands;
  ResultTypes result;
  bool paramsLikeResult;     ///< the extra parameters have the type of z; otherwise that of x
  std::string_view summary;  ///< one sentence for reference pages
};

SD_LIB_EXPORT const GroupTraits& traitsOf(OpGroup group);

/// The properties of a numbered operation.
struct NumberedOp {
  OpGroup group;
  int number;
  std::string_view name;
  std::string_view formula;
  int requiredParams;  ///< extra parameters that must be given
  int maxParams;       ///< extra parameters that are read when given
};

/// The name of traitsOf(group).
SD_LIB_EXPORT std::string_view groupName(OpGroup group);

/// The family of a group: "transform", "pairwise", "scalar", "broadcast", "reduce", "reduce3", "indexreduce",
/// "variance", "random".
SD_LIB_EXPORT std::string_view familyName(OpGroup group);

/// Family and name: "pairwise.Add".
SD_LIB_EXPORT std::string qualifiedName(const NumberedOp& op);

/// The type of the result for an x of type `x`; `floating` is the real type of results for an x that is not real.
SD_LIB_EXPORT DataType resultType(OpGroup group, DataType x, DataType floating);

/// Whether the extra parameters have the type of z; otherwise they have the type of x.
SD_LIB_EXPORT bool paramsLikeResult(OpGroup group);

/// Every numbered operation, ordered by group and number.
SD_LIB_EXPORT const std::vector<NumberedOp>& numberedOps();

/// The operation with this number; nullptr if there is none.
SD_LIB_EXPORT const NumberedOp* findOp(OpGroup group, int number);

/// The operation with this name; nullptr if there is none.
SD_LIB_EXPORT const NumberedOp* findOp(OpGroup group, std::string_view name);

}  // namespace sd::loops

#endif
