// Graphs of every kind of nodes, with placeholders that can be fed.
#ifndef NDFORGE_TESTS_GRAPHSAMPLES_H
#define NDFORGE_TESTS_GRAPHSAMPLES_H

#include <graph/Graph.h>
#include <graph/Session.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace nd_test {

struct GraphSample {
  const char* name;
  std::function<std::unique_ptr<sd::graph::Graph>()> make;
};

const std::vector<GraphSample>& graphSamples();

/// The bytes of the graph's file.
std::string bytesOf(const sd::graph::Graph& graph);
std::unique_ptr<sd::graph::Graph> loaded(const std::string& bytes, const std::string& origin = "");

/// Arrays for the placeholders of the samples.
struct Fed {
  explicit Fed(const sd::graph::Graph& graph);
  std::vector<sd::graph::Feed> feeds;

 private:
  std::vector<std::unique_ptr<sd::NDArray>> _arrays;
};

}  // namespace nd_test

#endif
