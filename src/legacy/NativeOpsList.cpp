// The list of all numbered operations as one text.
#include <legacy/NativeOps.h>
#include <loops/OpGroup.h>

#include <iterator>
#include <string>

#include "legacy/Guard.h"

namespace {

using sd::loops::OpGroup;

struct ListedGroup {
  int type;  ///< the group's number for readers of the list; the last three groups have no established number
  OpGroup group;
};

constexpr ListedGroup GROUPS[] = {
    {0, OpGroup::TransformFloat},  {1, OpGroup::TransformSame},  {2, OpGroup::TransformBool},
    {3, OpGroup::TransformStrict}, {4, OpGroup::TransformAny},   {5, OpGroup::ReduceFloat},
    {6, OpGroup::ReduceSame},      {7, OpGroup::ReduceLong},     {8, OpGroup::ReduceBool},
    {9, OpGroup::IndexReduce},     {10, OpGroup::Scalar},        {11, OpGroup::ScalarBool},
    {12, OpGroup::Broadcast},      {13, OpGroup::BroadcastBool}, {14, OpGroup::Pairwise},
    {15, OpGroup::PairwiseBool},   {16, OpGroup::Reduce3},       {17, OpGroup::SummaryStats},
    {20, OpGroup::Random},         {23, OpGroup::ScalarInt},     {24, OpGroup::BroadcastInt},
    {25, OpGroup::PairwiseInt},
};
static_assert(std::size(GROUPS) == sd::loops::OP_GROUP_COUNT);

std::string listOperations() {
  std::string text;
  for (const ListedGroup& listed : GROUPS) {
    text += std::to_string(listed.type) + " ";
    for (const sd::loops::NumberedOp& op : sd::loops::numberedOps())
      if (op.group == listed.group) text += fmt::format("-1:{}:{}<<", op.number, op.name);
    text += ">>";
  }
  return text;
}

}  // namespace

const char* getAllOperations() {
  return sd::legacy::guarded(__func__, [] {
    static const std::string text = listOperations();
    return text.c_str();
  });
}
