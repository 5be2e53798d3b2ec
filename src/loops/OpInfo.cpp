#include "loops/OpInfo.h"

#include <loops/OpList.h>
#include <ops/ops.h>

#include <algorithm>
#include <array>

#include "loops/kernels/KernelTable.h"
#include "loops/kernels/OpNames.h"
#include "system/Error.h"

namespace sd::loops {

namespace {

/// A functor's constants are the same for every T, so they are read from the int instantiation.
template <template <typename...> class Functor>
OpInfo describe(OpGroup group, int number, std::string_view name) {
  using F = Functor<int>;
  OpInfo info;
  info.group = group;
  info.number = number;
  info.name = opName(name);
  info.formula = F::formula;
  info.requiredParams = F::requiredParams;
  info.maxParams = F::maxParams;
  info.computesInFloat = F::computesInFloat;
  info.boolInFloat = F::boolInFloat;
  info.divisor = F::divisor;
  info.modeParam = F::modeParam;
  info.defaultParam = F::defaultParam;
  info.cost = F::cost;
  info.hasEmptyValue = requires { F::emptyValue; };
  info.emptyValue = 0;
  if constexpr (requires { F::emptyValue; }) info.emptyValue = F::emptyValue;
  return info;
}

/// Names by group and number; empty where there is no operation.
using Names = std::array<std::array<std::string_view, simd::MAX_OPS>, OP_GROUP_COUNT>;

/// Whether every number fits the tables and is used only once.
template <size_t N>
constexpr bool fit(const std::array<int, N>& numbers) {
  for (size_t i = 0; i < N; i++) {
    if (numbers[i] < 0 || numbers[i] >= simd::MAX_OPS) return false;
    for (size_t k = 0; k < i; k++)
      if (numbers[k] == numbers[i]) return false;
  }
  return true;
}

/// Operations that this build leaves out go into `leftOut`.
std::vector<OpInfo> collect(Names& leftOut) {
  std::vector<OpInfo> ops;
#define SD_DESCRIBE(NUMBER, FUNCTOR)                           \
  if (isBuilt(#FUNCTOR))                                       \
    ops.push_back(describe<FUNCTOR>(group, NUMBER, #FUNCTOR)); \
  else                                                         \
    leftOut[static_cast<int>(group)][NUMBER] = opName(#FUNCTOR);
#define SD_NUMBER(NUMBER, FUNCTOR) NUMBER,
#define SD_GROUP(GROUP, LIST)                                                 \
  {                                                                           \
    static_assert(fit(std::array{SD_FOR_EACH_OP(SD_NUMBER, LIST)}),           \
                  #LIST ": a number is used twice, or is not below MAX_OPS"); \
    const auto group = OpGroup::GROUP;                                        \
    SD_FOR_EACH_OP(SD_DESCRIBE, LIST)                                         \
  }
  SD_GROUP(TransformFloat, TRANSFORM_FLOAT_OPS)
  SD_GROUP(TransformSame, TRANSFORM_SAME_OPS)
  SD_GROUP(TransformBool, TRANSFORM_BOOL_OPS)
  SD_GROUP(TransformStrict, TRANSFORM_STRICT_OPS)
  SD_GROUP(TransformAny, TRANSFORM_ANY_OPS)
  SD_GROUP(Pairwise, PAIRWISE_TRANSFORM_OPS)
  SD_GROUP(PairwiseBool, PAIRWISE_BOOL_OPS)
  SD_GROUP(PairwiseInt, PAIRWISE_INT_OPS)
  SD_GROUP(Scalar, SCALAR_OPS)
  SD_GROUP(ScalarBool, SCALAR_BOOL_OPS)
  SD_GROUP(ScalarInt, SCALAR_INT_OPS)
  SD_GROUP(Broadcast, BROADCAST_OPS)
  SD_GROUP(BroadcastBool, BROADCAST_BOOL_OPS)
  SD_GROUP(BroadcastInt, BROADCAST_INT_OPS)
  SD_GROUP(ReduceFloat, REDUCE_FLOAT_OPS)
  SD_GROUP(ReduceSame, REDUCE_SAME_OPS)
  SD_GROUP(ReduceBool, REDUCE_BOOL_OPS)
  SD_GROUP(ReduceLong, REDUCE_LONG_OPS)
  SD_GROUP(Reduce3, REDUCE3_OPS)
  SD_GROUP(IndexReduce, INDEX_REDUCE_OPS)
  SD_GROUP(SummaryStats, SUMMARY_STATS_OPS)
  SD_GROUP(Random, RANDOM_OPS)
#undef SD_GROUP
#undef SD_NUMBER
#undef SD_DESCRIBE
  std::stable_sort(ops.begin(), ops.end(), [](const OpInfo& a, const OpInfo& b) {
    return a.group != b.group ? a.group < b.group : a.number < b.number;
  });
  return ops;
}

struct Registry {
  Names leftOut{};
  std::vector<OpInfo> ops = collect(leftOut);
  std::vector<NumberedOp> listed{ops.begin(), ops.end()};
  std::array<std::array<const OpInfo*, simd::MAX_OPS>, OP_GROUP_COUNT> byNumber{};

  Registry() {
    for (const auto& op : ops) byNumber[static_cast<int>(op.group)][op.number] = &op;
  }
};

const Registry& registry() {
  static const Registry instance;
  return instance;
}

std::string_view nameOfLeftOut(OpGroup group, int number) {
  if (number < 0 || number >= simd::MAX_OPS) return {};
  return registry().leftOut[static_cast<int>(group)][number];
}

}  // namespace

const std::vector<NumberedOp>& numberedOps() { return registry().listed; }

const NumberedOp* findOp(OpGroup group, int number) {
  if (number < 0 || number >= simd::MAX_OPS) return nullptr;
  return registry().byNumber[static_cast<int>(group)][number];
}

const NumberedOp* findOp(OpGroup group, std::string_view name) {
  for (const auto& op : registry().listed)
    if (op.group == group && op.name == name) return &op;
  return nullptr;
}

std::string opName(OpGroup group, int number) {
  if (const auto op = findOp(group, number); op != nullptr) return std::string(op->name);
  const auto name = nameOfLeftOut(group, number);
  return name.empty() ? fmt::format("{} {}", groupName(group), number) : std::string(name);
}

const OpInfo& opInfo(OpGroup group, int number) {
  const auto op = findOp(group, number);
  if (op == nullptr) {
    if (const auto name = nameOfLeftOut(group, number); !name.empty())
      fail("[{}] this build has no such operation ({}:{} is left out)", name, groupName(group), number);
    fail("[{}] there is no operation with number {} in this group", groupName(group), number);
  }
  return *static_cast<const OpInfo*>(op);
}

}  // namespace sd::loops
