// Generated graphs through sessions: passes that may add numbers in another order, each alone and all passes together,
// change results by no more than rounding.
#include <graph/Session.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "graph/passes/Pass.h"
#include "layers_tests/GraphGenerator.h"

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;

namespace {

constexpr uint64_t SEEDS = 5000;
constexpr int MOST_FAILURES = 5;

struct Outcome {
  std::vector<NDArray> results;
  std::string error;
  std::vector<PassReport> reports;
};

Outcome run(const GeneratedGraph& generated, const std::vector<std::string>& without) {
  Outcome outcome;
  try {
    SessionOptions options;
    for (const int result : generated.results) options.results.push_back(std::to_string(result));
    options.withoutPasses = without;
    Session session(*generated.graph, options);
    std::vector<Feed> feeds;
    for (const auto& [name, array] : generated.feeds) feeds.emplace_back(name, *array);
    outcome.results = session.run(feeds);
    outcome.reports = session.passReports();
  } catch (const std::exception& error) {
    outcome.error = error.what();
  }
  return outcome;
}

/// The results differ by what sums in another order may change.
bool isClose(const NDArray& a, const NDArray& b) {
  if (!a.isR()) return false;
  const double tolerance = a.dataType() == DOUBLE ? 1e-9 : a.dataType() == FLOAT32 ? 1e-3 : 5e-2;
  for (LongType i = 0; i < a.lengthOf(); i++) {
    const double x = a.e<double>(i), y = b.e<double>(i);
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    if (!(std::abs(x - y) <= tolerance * std::max(1., std::abs(x)))) return false;
  }
  return true;
}

/// Where `outcome` is not what it must be; empty when it is.
std::string difference(const Outcome& expected, const Outcome& outcome) {
  if (!outcome.error.empty()) return outcome.error;
  if (outcome.results.size() != expected.results.size()) return "there are other numbers of results";
  for (size_t k = 0; k < expected.results.size(); k++) {
    const NDArray &a = expected.results[k], &b = outcome.results[k];
    if (a.dataType() != b.dataType() || a.ordering() != b.ordering() || !a.isSameShape(b))
      return "result " + std::to_string(k) + " has another type, shape or memory order";
    if (!sameBits(a, b) && !isClose(a, b))
      return "result " + std::to_string(k) + ": " + a.asString(20) + " became " + b.asString(20);
  }
  return "";
}

}  // namespace

TEST(GeneratedPassTests, SumsInAnotherOrderChangeResultsByRounding) {
#ifndef SD_ALL_OPS
  GTEST_SKIP() << "operations that this test uses are not in this build";
#endif
  std::vector<std::pair<std::string, std::vector<std::string>>> settings{{"all", {}}};
  for (const Pass& pass : allPasses()) {
    if (!pass.reordersSums) continue;
    std::vector<std::string> others = Session::passes();
    others.erase(std::find(others.begin(), others.end(), pass.name));
    settings.emplace_back(pass.name, others);
  }
  int failed = 0, changes = 0;
  for (uint64_t seed = 0; seed < SEEDS && failed < MOST_FAILURES; seed++) {
    const GeneratedGraph generated = generateGraph(seed);
    const Outcome expected = run(generated, {"all"});
    ASSERT_EQ(expected.error, "") << generated.description;
    for (const auto& [name, without] : settings) {
      const Outcome outcome = run(generated, without);
      for (const PassReport& report : outcome.reports) changes += report.changes;
      const std::string found = difference(expected, outcome);
      EXPECT_EQ(found, "") << name << ", " << generated.description << "\n" << generated.graph->text();
      failed += found.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(changes, static_cast<int>(SEEDS));
}
