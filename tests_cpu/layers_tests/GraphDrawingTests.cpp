// Graphs as DOT, SVG and tables.
#include <graph/Graph.h>
#include <graph/GraphDrawing.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <algorithm>
#include <string>

#include "GraphPrograms.h"
#include "call/argument_values.h"
#include "graph/DrawLayout.h"

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Node* call(const char* operation, int id, const char* name, std::initializer_list<int> input) {
  auto* node = new Node(ops::OpRegistrator::getInstance().find(operation), id, input);
  node->setName(std::string(name));
  return node;
}

/// Two dense layers; `last` is what the second one is called.
std::unique_ptr<Graph> perceptron(const char* last = "logits") {
  auto graph = std::make_unique<Graph>();
  placeholder(*graph, -1, "x", FLOAT32, {-1, 64});
  variable(*graph, -2, "w1", NDArray('c', {32, 64}, FLOAT32));
  variable(*graph, -3, "b1", NDArray('c', {32}, FLOAT32));
  variable(*graph, -4, "w2", NDArray('c', {32, 10}, FLOAT32));
  variable(*graph, -5, "two", NDArray('c', {}, {2}, FLOAT32), true);
  Node* product = call("matmul", 1, "product", {-1, -2});
  product->setArgument("transpose_b", ops::flagArgument(true));
  graph->addNode(product);
  graph->addNode(call("add", 2, "sum", {1, -3}));
  graph->addNode(call("relu", 3, "hidden", {2}));
  graph->addNode(call("matmul", 4, last, {3, -4}));
  graph->addNode(call("multiply", 5, "", {4, -5}));
  graph->addNode(call("softmax", 6, "probabilities", {5}));
  return graph;
}

std::unique_ptr<Graph> loop() {
  auto graph = std::make_unique<Graph>();
  variable(*graph, -1, "start", NDArray('c', {}, {1}, FLOAT32));
  variable(*graph, -2, "limit", NDArray('c', {}, {100}, FLOAT32));
  graph->addNode(new Node(OpType_LOGIC, logic::Scope, 10));
  graph->addNode(new Node(OpType_LOGIC, logic::Scope, 20));
  graph->addNode(new Node(OpType_LOGIC, logic::While, 1, {-1, 10, 20}));
  graph->addNode(inScope(10, new Node(OpType_PAIRWISE_BOOL, pairwise::LessThan, 11, {1, -2})));
  graph->addNode(inScope(20, new Node(OpType_SCALAR, scalar::Multiply, 21, {1}, {}, {}, 2.f)));
  graph->addNode(inScope(20, new Node(OpType_LOGIC, logic::Return, 22, {21}, {1})));
  graph->addNode(new Node(OpType_SCALAR, scalar::Add, 2, {1}, {}, {}, 0.5f));
  return graph;
}

TEST(GraphDrawingTests, TablesNameInputsVariablesResultsAndNodes) {
  const auto graph = perceptron();
  EXPECT_EQ(tableOf(*graph, {{{"x", ops::PartialShape(FLOAT32, {8, 64})}}}),
            "graph: 6 nodes, 1 input, 1 result\n"
            "inputs\n"
            "  x  float32 [8, 64]\n"
            "variables\n"
            "  w1   float32 [32, 64]\n"
            "  b1   float32 [32]\n"
            "  w2   float32 [32, 10]\n"
            "  two  float32 []        constant\n"
            "results\n"
            "  probabilities  float32 [8, 10]\n"
            "nodes\n"
            "  1  product        matmul(x, w1)          transpose_b = true  float32 [8, 32]\n"
            "  2  sum            add(product, b1)                           float32 [8, 32]\n"
            "  3  hidden         relu(sum)                                  float32 [8, 32]\n"
            "  4  logits         matmul(hidden, w2)                         float32 [8, 10]\n"
            "  5                 multiply(logits, two)                      float32 [8, 10]\n"
            "  6  probabilities  softmax(5)                                 float32 [8, 10]\n");
}

TEST(GraphDrawingTests, ShapesOfTheGraphHoldWhenNoneAreGiven) {
  const auto graph = perceptron();
  EXPECT_TRUE(has(tableOf(*graph), "  probabilities  float32 [?, 10]\n")) << tableOf(*graph);
}

TEST(GraphDrawingTests, GivenShapesMustFit) {
  const auto graph = perceptron();
  EXPECT_THROW(tableOf(*graph, {{{"x", ops::PartialShape(FLOAT32, {8, 63})}}}), std::invalid_argument);
  try {
    dotOf(*graph, {{{"input", ops::PartialShape(FLOAT32, {8, 64})}}});
    FAIL() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "[graph] there is no input 'input'; the inputs are x");
  }
}

TEST(GraphDrawingTests, DotHasNodesKindsArgumentsAndShapes) {
  const auto graph = perceptron("lo\"gi\\ts");
  const std::string dot = dotOf(*graph);
  EXPECT_TRUE(has(dot, "n0 [label=\"matmul\\n1  product\\ntranspose_b = true\"")) << dot;
  EXPECT_TRUE(has(dot, "label=\"matmul\\n4  lo\\\"gi\\\\ts\"")) << dot;
  EXPECT_TRUE(has(dot, "[label=\"x\\ninput\", shape=ellipse")) << dot;
  EXPECT_TRUE(has(dot, "[label=\"two\\nconstant\\n2\", shape=note")) << dot;
  EXPECT_TRUE(
      has(dot, "[label=\"softmax\\n6  probabilities\", fillcolor=\"#ffffff\", color=\"#44546a\", peripheries=2"))
      << dot;
  EXPECT_TRUE(has(dot, "n0 -> n1 [label=\"float32 [?, 32]\"]")) << dot;
  EXPECT_EQ(std::count(dot.begin(), dot.end(), '{'), std::count(dot.begin(), dot.end(), '}'));
}

TEST(GraphDrawingTests, ScopesAreClustersWithWhatTheyReadFromOutside) {
  const auto graph = loop();
  const std::string dot = dotOf(*graph);
  const size_t first = dot.find("subgraph cluster_"), second = dot.find("subgraph cluster_", first + 1);
  EXPECT_TRUE(second != std::string::npos && dot.find("subgraph cluster_", second + 1) == std::string::npos) << dot;
  EXPECT_TRUE(has(dot, "label=\"scope 10\"")) << dot;
  EXPECT_TRUE(has(dot, "[label=\"limit\", shape=ellipse, style=dashed")) << dot;
  EXPECT_TRUE(has(dot, "[label=\"While 1\", shape=ellipse, style=dashed")) << dot;
  EXPECT_TRUE(has(dot, "style=dashed, ltail=cluster_")) << dot;
  EXPECT_TRUE(has(dot, "scalar = 0.5")) << dot;
  const std::string table = tableOf(*graph);
  EXPECT_TRUE(has(table, "scope 20\n  21    scalar.Multiply(1)")) << table;
}

/// Rectangles with text: frames of boxes with the labels below them.
struct Area {
  double left, top, right, bottom;
};

void collect(const Layout& layout, double x, double y, std::vector<Area>& areas, std::vector<Point>& ends) {
  for (const PlacedBox& box : layout.boxes) {
    if (box.inner != nullptr)
      collect(*box.inner, x + box.x, y + box.y + drawing::PADDING + drawing::TITLE_LINE, areas, ends);
    else
      areas.push_back({x + box.x, y + box.y, x + box.x + box.width, y + box.y + box.height});
    for (size_t k = 0; k < box.outputs.size(); k++) {
      const double width = double(box.box.outputs[k].size()) * drawing::LABEL_SIZE * drawing::ADVANCE;
      const double left = x + box.x + box.outputs[k] + 4, top = y + box.y + box.height;
      if (width > 0) areas.push_back({left, top + 1, left + width, top + drawing::LABEL_LINE - 1});
    }
  }
  for (const PlacedLine& line : layout.lines)
    for (const Point& point : line.points) ends.push_back({x + point.x, y + point.y});
}

void expectNoOverlaps(const Graph& graph) {
  std::vector<Area> areas;
  std::vector<Point> points;
  const Layout layout = layOut(pictureOf(graph, shapesOf(graph, {})));
  collect(layout, 0, 0, areas, points);
  for (size_t i = 0; i < areas.size(); i++) {
    const Area& a = areas[i];
    EXPECT_TRUE(a.left >= 0 && a.top >= 0 && a.right <= layout.width && a.bottom <= layout.height) << i;
    for (size_t j = i + 1; j < areas.size(); j++) {
      const Area& b = areas[j];
      EXPECT_TRUE(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top)
          << i << " and " << j << " overlap";
    }
    for (const Point& p : points)
      EXPECT_FALSE(p.x > a.left && p.x < a.right && p.y > a.top && p.y < a.bottom) << "a line runs over " << i;
  }
}

TEST(GraphDrawingTests, NothingOverlaps) {
  expectNoOverlaps(*perceptron());
  expectNoOverlaps(*loop());
  // Layers of nodes that read several of the nodes before them, near ones and distant ones.
  Graph wide;
  placeholder(wide, -1, "x", FLOAT32, {4, 4});
  unsigned state = 1;
  for (int id = 1; id <= 150; id++) {
    const auto random = [&state](int below) {
      state = state * 1664525u + 1013904223u;
      return static_cast<int>((state >> 16) % static_cast<unsigned>(below));
    };
    const int first = id <= 5 ? -1 : id - 1 - random(5), second = id <= 5 ? -1 : 1 + random(id - 1);
    wide.addNode(call("add", id, id % 3 == 0 ? "a name" : "", {first, second}));
  }
  expectNoOverlaps(wide);
}

TEST(GraphDrawingTests, LongLinesAndLinesBackEndAtStubs) {
  Graph chain;
  placeholder(chain, -1, "x", FLOAT32, {4});
  chain.addNode(call("tanh", 1, "first", {-1}));
  for (int id = 2; id <= 20; id++) chain.addNode(call("add", id, "", {id - 1, 1}));
  const Layout layout = layOut(pictureOf(chain, shapesOf(chain, {})));
  int stubs = 0;
  for (const PlacedBox& box : layout.boxes) stubs += box.box.title == "tanh 1  first";
  EXPECT_EQ(stubs, 13);
  EXPECT_EQ(layout.boxes.size(), 21u + 13u);
}

TEST(GraphDrawingTests, SvgIsXmlWithAllTexts) {
  const auto graph = perceptron("<a> & \x01 b");
  const std::string svg = svgOf(*graph);
  EXPECT_TRUE(has(svg, "4  &lt;a&gt; &amp;   b</text>")) << svg;
  EXPECT_TRUE(has(svg, ">transpose_b = true</text>"));
  EXPECT_TRUE(has(svg, ">float32 [?, 10]</text>"));
  EXPECT_TRUE(has(svg, "<g class=\"operation result\">"));
  EXPECT_TRUE(has(svg, "<g class=\"input\">"));
  EXPECT_EQ(svg.find('\x01'), std::string::npos);
}

TEST(GraphDrawingTests, NamesOfAnyBytesAreDrawnAsText) {
  const auto graph = perceptron("a\xff\xc3(\xed\xa0\x80\xef\xbf\xbe\"\\\n\xc3\xa9");
  graph->setOrigin("model\xfe.fb");
  const std::string svg = svgOf(*graph), dot = dotOf(*graph);
  const std::string unknown = "\ufffd";
  const std::string begin = "a" + unknown + unknown + "(" + unknown + unknown + unknown + unknown;
  EXPECT_TRUE(has(svg, begin + "\"\\ \u00e9</text>")) << svg;
  EXPECT_TRUE(has(svg, "<title>model" + unknown + ".fb</title>"));
  EXPECT_TRUE(has(dot, begin + "\\\"\\\\ \u00e9")) << dot;
  EXPECT_TRUE(has(dot, "digraph \"model" + unknown + ".fb\""));
}

TEST(GraphDrawingTests, AnEmptyGraphIsDrawn) {
  Graph graph;
  EXPECT_TRUE(has(dotOf(graph), "digraph"));
  EXPECT_TRUE(has(svgOf(graph), "</svg>"));
  EXPECT_EQ(tableOf(graph), "graph: 0 nodes, 0 inputs, 0 results\n");
}

TEST(GraphDrawingTests, LargeGraphsAreDrawnInLinearTime) {
  Graph chain;
  placeholder(chain, -1, "x", FLOAT32, {4});
  for (int id = 1; id <= 20000; id++) chain.addNode(call("add", id, "", {id == 1 ? -1 : id - 1, -1}));
  // Every node reads x: without stubs there would be 200 million bends.
  EXPECT_LT(svgOf(chain).size(), 40000000u);
}

}  // namespace
