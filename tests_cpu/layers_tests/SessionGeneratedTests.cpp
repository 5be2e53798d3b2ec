// Sessions of random graphs: every pass alone, none, and all give the values of separate calls.
#include <graph/Session.h>
#include <gtest/gtest.h>

#include "graph/passes/Pass.h"
#include "layers_tests/GraphGenerator.h"

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;

namespace {

/// Runs a graph twice and compares the results with those of separate calls.
std::string differencesOf(const GeneratedGraph& generated, const SessionOptions& options) {
  std::vector<std::string> names;
  std::vector<Place> places;
  for (const int id : generated.results)
    for (int k = 0; generated.expected.count({id, k}) != 0; k++) {
      places.emplace_back(id, k);
      names.push_back(id < 0 ? std::to_string(id) : std::to_string(id) + ":" + std::to_string(k));
    }
  if (names.empty()) return "";
  SessionOptions named = options;
  named.results = names;
  Session session(*generated.graph, named);
  std::vector<Feed> feeds;
  for (const auto& [name, array] : generated.feeds) feeds.emplace_back(name, *array);
  std::string text;
  for (int run = 0; run < 2; run++) {
    const std::vector<NDArray> results = session.run(feeds);
    for (size_t i = 0; i < results.size(); i++)
      if (!sameBits(results[i], *generated.expected.at(places[i])))
        text += " run " + std::to_string(run) + ": " + names[i] + " is " + results[i].asString(8) + ", not " +
                generated.expected.at(places[i])->asString(8) + ";";
  }
  return text;
}

void tryAll(const std::vector<std::string>& without, int seeds, bool control) {
  int failures = 0;
  for (int seed = 0; seed < seeds && failures < 5; seed++) {
    const GeneratedGraph generated =
        control ? generateControlGraph(static_cast<uint64_t>(seed)) : generateGraph(static_cast<uint64_t>(seed));
    SessionOptions options;
    options.withoutPasses = without;
    std::string text;
    try {
      text = differencesOf(generated, options);
    } catch (const std::exception& error) {
      text = error.what();
    }
    EXPECT_EQ(text, "") << (control ? "control graph " : "plain graph ") << seed << ": " << generated.description;
    failures += text.empty() ? 0 : 1;
  }
}

/// The passes after which results have other bits, since sums are computed in another order.
std::vector<std::string> reordering() {
  std::vector<std::string> names;
  for (const Pass& pass : allPasses())
    if (pass.reordersSums) names.emplace_back(pass.name);
  return names;
}

std::vector<std::string> allBut(const std::string& kept) {
  std::vector<std::string> names;
  for (const std::string& name : Session::passes())
    if (name != kept) names.push_back(name);
  return names;
}

}  // namespace

TEST(SessionGenerated, WithoutPasses) { tryAll({"all"}, 5000, false); }
TEST(SessionGenerated, WithAllPassesThatKeepBits) { tryAll(reordering(), 5000, false); }
TEST(SessionGenerated, WithEachPassAlone) {
  for (const Pass& pass : allPasses()) {
    if (pass.reordersSums) continue;
    SCOPED_TRACE(pass.name);
    tryAll(allBut(pass.name), 5000, false);
  }
}
TEST(SessionGenerated, WithControlOfTheGraph) { tryAll(reordering(), 1000, true); }
