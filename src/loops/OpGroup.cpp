// The properties that all operations of a group share.
#include <array/DataTypeUtils.h>
#include <loops/OpGroup.h>

namespace sd::loops {
namespace {

constexpr GroupTraits GROUPS[] = {
    {OpGroup::TransformFloat, OpFamily::Transform, "TRANSFORM_FLOAT", OperandTypes::Numbers, ResultTypes::Real, true,
     "One array, element by element; the result has a float type."},
    {OpGroup::TransformSame, OpFamily::Transform, "TRANSFORM_SAME", OperandTypes::Numbers, ResultTypes::LikeX, false,
     "One array, element by element; the result has the array's type."},
    {OpGroup::TransformBool, OpFamily::Transform, "TRANSFORM_BOOL", OperandTypes::Numbers, ResultTypes::Truth, false,
     "Predicates of each element."},
    {OpGroup::TransformStrict, OpFamily::Transform, "TRANSFORM_STRICT", OperandTypes::Real, ResultTypes::LikeX, false,
     "Functions of float types, element by element."},
    {OpGroup::TransformAny, OpFamily::Transform, "TRANSFORM_ANY", OperandTypes::Numbers, ResultTypes::Any, false,
     "One array, element by element, into an array of any type."},
    {OpGroup::Pairwise, OpFamily::Pairwise, "PAIRWISE_TRANSFORM", OperandTypes::Numbers, ResultTypes::LikeX, true,
     "Two arrays of equal shape, element by element."},
    {OpGroup::PairwiseBool, OpFamily::Pairwise, "PAIRWISE_BOOL", OperandTypes::Numbers, ResultTypes::Truth, false,
     "Comparisons of two arrays, element by element."},
    {OpGroup::PairwiseInt, OpFamily::Pairwise, "PAIRWISE_INT", OperandTypes::Integers, ResultTypes::LikeX, false,
     "Bitwise operations on two integer arrays, element by element."},
    {OpGroup::Scalar, OpFamily::Scalar, "SCALAR", OperandTypes::Numbers, ResultTypes::LikeX, true,
     "Operations on an array and a number."},
    {OpGroup::ScalarBool, OpFamily::Scalar, "SCALAR_BOOL", OperandTypes::Numbers, ResultTypes::Truth, false,
     "Comparisons of an array with a number."},
    {OpGroup::ScalarInt, OpFamily::Scalar, "SCALAR_INT", OperandTypes::Integers, ResultTypes::LikeX, false,
     "Bitwise operations on an integer array and a number."},
    {OpGroup::Broadcast, OpFamily::Broadcast, "BROADCAST", OperandTypes::Numbers, ResultTypes::LikeX, false,
     "An array broadcast along dimensions of a larger one."},
    {OpGroup::BroadcastBool, OpFamily::Broadcast, "BROADCAST_BOOL", OperandTypes::Numbers, ResultTypes::Truth, false,
     "Comparisons with an array broadcast along dimensions of a larger one."},
    {OpGroup::BroadcastInt, OpFamily::Broadcast, "BROADCAST_INT", OperandTypes::Integers, ResultTypes::LikeX, false,
     "Bitwise operations with an integer array broadcast along dimensions of a larger one."},
    {OpGroup::ReduceFloat, OpFamily::Reduce, "REDUCE_FLOAT", OperandTypes::Numbers, ResultTypes::Real, true,
     "Reductions along dimensions; the result has a float type."},
    {OpGroup::ReduceSame, OpFamily::Reduce, "REDUCE_SAME", OperandTypes::Numbers, ResultTypes::LikeX, false,
     "Reductions along dimensions; the result has the array's type."},
    {OpGroup::ReduceBool, OpFamily::Reduce, "REDUCE_BOOL", OperandTypes::Numbers, ResultTypes::Truth, false,
     "Predicates of all elements along dimensions."},
    {OpGroup::ReduceLong, OpFamily::Reduce, "REDUCE_LONG", OperandTypes::Numbers, ResultTypes::Counts, false,
     "Counts along dimensions."},
    {OpGroup::Reduce3, OpFamily::Reduce3, "REDUCE3", OperandTypes::Numbers, ResultTypes::Real, true,
     "Distances and similarities of two arrays along dimensions."},
    {OpGroup::IndexReduce, OpFamily::IndexReduce, "INDEX_REDUCE", OperandTypes::Numbers, ResultTypes::Counts, false,
     "Positions of elements along dimensions."},
    {OpGroup::SummaryStats, OpFamily::Variance, "SUMMARY_STATS", OperandTypes::Numbers, ResultTypes::Real, false,
     "Variance and standard deviation along dimensions."},
    {OpGroup::Random, OpFamily::Random, "RANDOM", OperandTypes::Numbers, ResultTypes::Real, true,
     "Random numbers and random choices."},
};

constexpr bool isInOrder() {
  int next = 0;
  for (const GroupTraits& traits : GROUPS)
    if (static_cast<int>(traits.group) != next++) return false;
  return next == OP_GROUP_COUNT;
}
static_assert(isInOrder());

constexpr std::string_view FAMILIES[] = {"transform", "pairwise",    "scalar",   "broadcast", "reduce",
                                         "reduce3",   "indexreduce", "variance", "random"};
static_assert(std::size(FAMILIES) == OP_FAMILY_COUNT && static_cast<int>(OpFamily::Random) + 1 == OP_FAMILY_COUNT);

}  // namespace

const GroupTraits& traitsOf(OpGroup group) { return GROUPS[static_cast<int>(group)]; }

std::string_view groupName(OpGroup group) { return traitsOf(group).name; }

std::string_view familyName(OpGroup group) { return FAMILIES[static_cast<int>(traitsOf(group).family)]; }

std::string qualifiedName(const NumberedOp& op) {
  return std::string(familyName(op.group)).append(".").append(op.name);
}

DataType resultType(OpGroup group, DataType x, DataType floating) {
  switch (traitsOf(group).result) {
    case ResultTypes::Truth:
      return BOOL;
    case ResultTypes::Counts:
      return INT64;
    case ResultTypes::Real:
      return DataTypeUtils::isR(x) || DataTypeUtils::isC(x) ? x : floating;
    default:
      return x;
  }
}

bool paramsLikeResult(OpGroup group) { return traitsOf(group).paramsLikeResult; }

}  // namespace sd::loops
