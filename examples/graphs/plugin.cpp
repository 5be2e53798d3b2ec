// A graph with an operation of a library: graph_plugin [plugin.fb [library]].
//
// The library has soft_limit, from examples/plugin. The file names the operation, so programs that read it must have
// loaded the library; the command does that with --load.
#include <graph/Graph.h>
#include <graph/Session.h>
#include <ops/declarable/OpRegistrator.h>

#include <cstdio>
#include <exception>
#include <string>

#ifndef NDFORGE_EXAMPLE_LIBRARY
#define NDFORGE_EXAMPLE_LIBRARY "libsoft_limit.so"
#endif

using namespace sd;
using graph::Graph;

int main(int argc, char** argv) {
  try {
    ops::loadOpLibrary(argc > 2 ? argv[2] : NDFORGE_EXAMPLE_LIBRARY);
    auto& registry = ops::OpRegistrator::getInstance();
    Graph graph;
    const std::string name = "x";
    auto* x = new graph::Variable(true);
    x->setName(&name);
    x->setDataType(FLOAT32);
    x->shape() = {-1};
    graph.getVariableSpace()->putVariable(-1, x);
    graph.addNode(new graph::Node(registry.find("square"), 1, {-1}));
    ops::ArgumentValue three;
    three.form = ops::ArgumentValue::Form::Numbers;
    three.numbers = {3};
    auto* limited = new graph::Node(registry.find("soft_limit"), 2, {1});
    limited->setName(std::string("limited"));
    limited->setArgument("limit", three);
    graph.addNode(limited);
    graph.save(argc > 1 ? argv[1] : "plugin.fb");

    graph::Session session(graph);
    const NDArray input('c', {3}, {0, 1, 10}, FLOAT32);
    session.run({{"x", input}})[0].printBuffer("limited");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
