// Properties that all operations of a group share.
#include <array/DataTypeUtils.h>
#include <loops/OpGroup.h>

namespace sd::loops {
namespace {

constexpr std::string_view GROUP_NAMES[OP_GROUP_COUNT] = {
    "TRANSFORM_FLOAT",    "TRANSFORM_SAME", "TRANSFORM_BOOL", "TRANSFORM_STRICT", "TRANSFORM_ANY",
    "PAIRWISE_TRANSFORM", "PAIRWISE_BOOL",  "PAIRWISE_INT",   "SCALAR",           "SCALAR_BOOL",
    "SCALAR_INT",         "BROADCAST",      "BROADCAST_BOOL", "BROADCAST_INT",    "REDUCE_FLOAT",
    "REDUCE_SAME",        "REDUCE_BOOL",    "REDUCE_LONG",    "REDUCE3",          "INDEX_REDUCE",
    "SUMMARY_STATS",      "RANDOM"};

static_assert(GROUP_NAMES[OP_GROUP_COUNT - 1] == "RANDOM" && static_cast<int>(OpGroup::Random) + 1 == OP_GROUP_COUNT);

}  // namespace

std::string_view groupName(OpGroup group) { return GROUP_NAMES[static_cast<int>(group)]; }

std::string_view familyName(OpGroup group) {
  switch (group) {
    case OpGroup::TransformFloat:
    case OpGroup::TransformSame:
    case OpGroup::TransformBool:
    case OpGroup::TransformStrict:
    case OpGroup::TransformAny:
      return "transform";
    case OpGroup::Pairwise:
    case OpGroup::PairwiseBool:
    case OpGroup::PairwiseInt:
      return "pairwise";
    case OpGroup::Scalar:
    case OpGroup::ScalarBool:
    case OpGroup::ScalarInt:
      return "scalar";
    case OpGroup::Broadcast:
    case OpGroup::BroadcastBool:
    case OpGroup::BroadcastInt:
      return "broadcast";
    case OpGroup::ReduceFloat:
    case OpGroup::ReduceSame:
    case OpGroup::ReduceBool:
    case OpGroup::ReduceLong:
      return "reduce";
    case OpGroup::Reduce3:
      return "reduce3";
    case OpGroup::IndexReduce:
      return "indexreduce";
    case OpGroup::SummaryStats:
      return "variance";
    case OpGroup::Random:
      return "random";
  }
  return "";
}

std::string qualifiedName(const NumberedOp& op) {
  return std::string(familyName(op.group)).append(".").append(op.name);
}

DataType resultType(OpGroup group, DataType x, DataType floating) {
  switch (group) {
    case OpGroup::TransformBool:
    case OpGroup::PairwiseBool:
    case OpGroup::ScalarBool:
    case OpGroup::BroadcastBool:
    case OpGroup::ReduceBool:
      return BOOL;
    case OpGroup::ReduceLong:
    case OpGroup::IndexReduce:
      return INT64;
    case OpGroup::TransformFloat:
    case OpGroup::ReduceFloat:
    case OpGroup::Reduce3:
    case OpGroup::SummaryStats:
    case OpGroup::Random:
      return DataTypeUtils::isR(x) ? x : floating;
    default:
      return x;
  }
}

bool paramsLikeResult(OpGroup group) {
  switch (group) {
    case OpGroup::Pairwise:
    case OpGroup::Scalar:
    case OpGroup::TransformFloat:
    case OpGroup::ReduceFloat:
    case OpGroup::Reduce3:
    case OpGroup::Random:
      return true;
    default:
      return false;
  }
}

}  // namespace sd::loops
