// Every numbered operation is an entry of the registry.
#include <array/NDArray.h>
#include <gtest/gtest.h>
#include <helpers/helper_hash.h>
#include <loops/OpGroup.h>
#include <ops/declarable/LegacyOp.h>
#include <ops/declarable/OpRegistrator.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

using namespace sd;
using namespace sd::ops;

namespace {

DeclarableOp& entry(const char* name) {
  DeclarableOp* found = OpRegistrator::getInstance().find(name);
  if (found == nullptr) throw std::runtime_error(std::string("this build has no ") + name);
  return *found;
}

}  // namespace

TEST(NumberedRegistryTests, FoundByQualifiedNameAndByHash) {
  auto& registry = OpRegistrator::getInstance();
  std::set<std::string> names;
  for (const loops::NumberedOp& op : loops::numberedOps()) {
    const std::string name = loops::qualifiedName(op);
    EXPECT_TRUE(names.insert(name).second) << name << " is the name of two operations";
    DeclarableOp* found = registry.find(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(registry.getOperation(HashHelper::hashOf(name)), found);
    EXPECT_EQ(registry.getOperation(name.c_str()), found);
    OpDescriptor* descriptor = found->describedDescriptor();
    EXPECT_EQ(descriptor->name(), name);
    EXPECT_EQ(descriptor->getHash(), HashHelper::hashOf(name));
    EXPECT_EQ(descriptor->getOpNum(), op.number);
    EXPECT_STREQ(descriptor->kind(), "numbered");
    EXPECT_EQ(descriptor->schema().formula(), op.formula);
    EXPECT_STRNE(descriptor->schema().summary(), "");
  }
}

// The values are part of the interface, because programs store them.
TEST(NumberedRegistryTests, Hashes) {
  const std::pair<const char*, LongType> known[] = {
      {"", -4953706369002393500LL},        {"a", -4841256518768840164LL},     {"add", -5176033361941572836LL},
      {"softmax", -7532944577593734819LL}, {"matmul", -273014250715117663LL}, {"concat", 1715560391506571477LL},
      {"reshape", -299234276746112594LL},  {"conv2d", 7325441780195652299LL}};
  for (const auto& [name, hash] : known) EXPECT_EQ(HashHelper::hashOf(name), hash) << name;
}

TEST(NumberedRegistryTests, PlainNames) {
  auto& registry = OpRegistrator::getInstance();
  const std::set<std::string_view> custom = {"Add", "Subtract", "Div"};
  for (const loops::NumberedOp& op : loops::numberedOps()) {
    DeclarableOp* found = registry.find(op.name);
    ASSERT_NE(found, nullptr) << op.name;
    EXPECT_EQ(registry.getOperation(HashHelper::hashOf(op.name)), found) << op.name;
  }
  // When several groups have a name, the order is: transforms, pairs, scalars, reductions.
  const std::pair<const char*, const char*> first[] = {{"Erf", "transform.Erf"},
                                                       {"IsNan", "transform.IsNan"},
                                                       {"Axpy", "pairwise.Axpy"},
                                                       {"MatchCondition", "pairwise.MatchCondition"},
                                                       {"Step", "scalar.Step"},
                                                       {"Sum", "reduce.Sum"},
                                                       {"IndexMax", "indexreduce.IndexMax"},
                                                       {"SummaryStatsVariance", "variance.SummaryStatsVariance"},
                                                       {"GaussianDistribution", "random.GaussianDistribution"}};
  for (const auto& [plain, qualified] : first) EXPECT_EQ(registry.find(plain), registry.find(qualified)) << plain;
  // A custom operation takes precedence for its name.
  EXPECT_STREQ(registry.find("add")->getOpDescriptor()->kind(), "broadcastable");
  for (const char* name : {"erf", "pairwise.", ".Add", "pairwise.Erf", "nothing"})
    EXPECT_EQ(registry.find(name), nullptr);
  EXPECT_EQ(registry.getOperation(LongType{12345}), nullptr);
}

TEST(NumberedRegistryTests, EntriesCompute) {
  NDArray x('c', {2, 2}, {1, 2, 3, 4}, DOUBLE), row('c', {2}, {10, 20}, DOUBLE);
  auto sums = entry("pairwise.Add").evaluate({&x, &x});
  EXPECT_EQ(sums.at(0)->e<double>(1, 1), 8);
  auto squares = entry("scalar.Pow").evaluate({&x}, {2.0});
  EXPECT_EQ(squares.at(0)->e<double>(1, 0), 9);
  auto rows = entry("broadcast.Multiply").evaluate({&x, &row}, {1});
  EXPECT_EQ(rows.at(0)->e<double>(1, 1), 80);
  auto totals = entry("reduce.Sum").evaluate({&x}, {0});
  EXPECT_EQ(totals.at(0)->e<double>(1), 6);

  // The groups of integers have no separate wrapper class.
  NDArray bits('c', {3}, {1, 2, 3}, INT32), twos('c', {3}, {2, 2, 2}, INT32);
  EXPECT_EQ(entry("pairwise.ShiftLeft").evaluate({&bits, &twos}).at(0)->e<int>(2), 12);
  EXPECT_EQ(entry("scalar.IntAnd").evaluate({&bits}, {2.0}).at(0)->e<int>(2), 2);
  EXPECT_EQ(entry("broadcast.IntXor").evaluate({&bits, &twos}, {0}).at(0)->e<int>(2), 1);
  EXPECT_EQ(entry("pairwise.ShiftLeft").evaluate({&x, &x}).status(), Status::VALIDATION);

  // An entry always runs its own operation, whatever number a context has.
  graph::Context context(1);
  context.setInputArray(0, &x);
  context.setOpNum(0);
  NDArray z('c', {2, 2}, {0, 0, 0, 0}, DOUBLE);
  context.setOutputArray(0, &z);
  EXPECT_EQ(entry("transform.Tanh").execute(&context), Status::OK);
  EXPECT_NEAR(z.e<double>(0), std::tanh(1.0), 1e-14);
}

TEST(NumberedRegistryTests, OneObjectForAllThreads) {
  constexpr int THREADS = 8;
  std::vector<DeclarableOp*> found(THREADS);
  std::vector<std::thread> threads;
  for (int t = 0; t < THREADS; t++)
    threads.emplace_back([&found, t] { found[t] = OpRegistrator::getInstance().find("transform.SELUDerivative"); });
  for (std::thread& thread : threads) thread.join();
  for (DeclarableOp* op : found) EXPECT_EQ(op, found[0]);
  EXPECT_NE(found[0], nullptr) << "this build has no SELUDerivative";
}
