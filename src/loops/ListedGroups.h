// The groups of numbered operations in the order and with the numbers of lists for other languages.
#ifndef NDFORGE_SRC_LOOPS_LISTEDGROUPS_H
#define NDFORGE_SRC_LOOPS_LISTEDGROUPS_H

#include <loops/OpGroup.h>

#include <iterator>

namespace sd::loops {

struct ListedGroup {
  int type;  ///< the group's number for readers of the list; the last three groups have no established number
  OpGroup group;
};

inline constexpr ListedGroup LISTED_GROUPS[] = {
    {0, OpGroup::TransformFloat},  {1, OpGroup::TransformSame},  {2, OpGroup::TransformBool},
    {3, OpGroup::TransformStrict}, {4, OpGroup::TransformAny},   {5, OpGroup::ReduceFloat},
    {6, OpGroup::ReduceSame},      {7, OpGroup::ReduceLong},     {8, OpGroup::ReduceBool},
    {9, OpGroup::IndexReduce},     {10, OpGroup::Scalar},        {11, OpGroup::ScalarBool},
    {12, OpGroup::Broadcast},      {13, OpGroup::BroadcastBool}, {14, OpGroup::Pairwise},
    {15, OpGroup::PairwiseBool},   {16, OpGroup::Reduce3},       {17, OpGroup::SummaryStats},
    {20, OpGroup::Random},         {23, OpGroup::ScalarInt},     {24, OpGroup::BroadcastInt},
    {25, OpGroup::PairwiseInt},
};
static_assert(std::size(LISTED_GROUPS) == OP_GROUP_COUNT);

}  // namespace sd::loops

#endif
