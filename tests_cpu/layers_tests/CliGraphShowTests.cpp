// `ndforge graph show` and `ndforge graph bench`: graphs in files are shown and measured.
#ifdef NDFORGE_CLI

#include <nlohmann/json.hpp>
#include <set>

#include "CliGraphTools.h"

namespace {

using namespace test;

class CliGraphShow : public CliGraphs {};

TEST_F(CliGraphShow, Json) {
  using nlohmann::json;
  json r = parsed("graph show model.fb");
  EXPECT_EQ(r["inputs"][0], json::parse(R"({"name": "left", "type": "float32", "shape": [null, 3]})"));
  EXPECT_EQ(r["variables"][0], json::parse(R"({"id": -3, "name": "w", "type": "float32", "shape": [3]})"));
  EXPECT_EQ(r["nodes"][1], json::parse(R"({"id": 2, "name": "weighted", "operation": "multiply",
                                           "inputs": [[1, 0], [-3, 0]],
                                           "outputs": [{"type": "float32", "shape": [null, 3]}]})"));
  EXPECT_EQ(r["nodes"][4]["outputs"], json::parse(R"([{"type": "float32", "shape": [null, 2]},
                                                      {"type": "int64", "shape": [null, 2]}])"));
  EXPECT_EQ(r["results"], json({4, 5}));
  r = parsed("graph show model.fb --passes --plan --memory --shape 7x3 --shape 7x3");
  EXPECT_EQ(r["inputs"][1]["shape"], json({7, 3}));
  EXPECT_EQ(r["nodes"][4]["outputs"][1], json::parse(R"({"type": "int64", "shape": [7, 2]})"));
  EXPECT_FALSE(r["passes"].empty() || r["plan"].empty());
  EXPECT_EQ(r["memory"]["variables"], 12);
  r = parsed("graph bench model.fb --shape 4x3 --shape 4x3 --seconds 0.01");
  EXPECT_EQ(r["inputs"][0]["shape"], json({4, 3}));
  for (const char* key : {"reading", "seconds", "withoutPasses", "nodes", "memory", "slowest"})
    EXPECT_TRUE(r.contains(key)) << key;
  EXPECT_FALSE(r["slowest"].empty());
}

TEST_F(CliGraphShow, JsonHasTheShapesThatAreKnown) {
  using nlohmann::json;
  const auto outputs = [&](const std::string& arguments, size_t node) {
    return parsed("graph show " + arguments)["nodes"][node]["outputs"];
  };
  EXPECT_EQ(outputs("sum.fb --shape 7x3", 0), json::parse(R"([{"type": "float32", "shape": [7, 3]}])"));
  EXPECT_EQ(outputs("sum.fb -i x.npy", 0), json::parse(R"([{"type": "float32", "shape": [2, 3]}])"));
  // The results of loops are not known, and what runs in scopes is not looked at.
  const json unknown = json::parse(R"({"type": null, "shape": null})");
  for (const json& node : parsed("graph show loop.fb")["nodes"])
    EXPECT_EQ(node["outputs"], node["operation"] == "While" ? json::array({unknown}) : json()) << node;
  EXPECT_EQ(outputs("frames.fb", 0), json::array({unknown, unknown}));
  Graph any;
  addInput(any, -1, "x", {});
  addCall(any, "softmax", 1, "y", {-1});
  any.save(_folder.path + "/any.fb");
  EXPECT_EQ(parsed("graph show any.fb")["inputs"][0],
            json::parse(R"({"name": "x", "type": "float32", "shape": null})"));
  EXPECT_EQ(outputs("any.fb", 0), json::parse(R"([{"type": "float32", "shape": null}])"));
}

TEST_F(CliGraphShow, ShowsGraphs) {
  Result r = run("graph show model.fb");
  ASSERT_EQ(r.code, 0) << r.err;
  for (const char* part : {"model.fb: 5 nodes, 2 inputs, 2 results\n", "  left   float32 [?, 3]\n", "  w  float32 [3]",
                           "  largest     float32 [?, 2], int64 [?, 2]\n", "multiply(both, w)", "k = 2"})
    EXPECT_TRUE(has(r.out, part)) << part << "\n" << r.out;
  for (const char* shapes : {"--shape left=2x3 --shape right=2x3", "--shape 2x3 --shape 2x3", "-i x.npy --shape 2x3"}) {
    r = run(std::string("graph show model.fb ") + shapes);
    EXPECT_TRUE(has(r.out, "  largest     float32 [2, 2], int64 [2, 2]\n")) << shapes << r.out << r.err;
  }
  r = run("graph show loop.fb");
  EXPECT_TRUE(has(r.out, "scope 20\n")) << r.out << r.err;
}

TEST_F(CliGraphShow, DrawsGraphs) {
  Result r = run("graph show model.fb --dot");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(r.out.starts_with("digraph \"model.fb\" {") && has(r.out, "float32 [?, 3]")) << r.out;
  r = run("graph show model.fb --svg --shape 7x3 --shape 7x3 -o model.svg");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.out, "");
  const std::string svg = contentOf(_folder.path + "/model.svg");
  EXPECT_TRUE(svg.starts_with("<svg ") && has(svg, "float32 [7, 3]")) << svg;
  EXPECT_TRUE(has(svg, ">2  weighted</text>")) << svg;
  // After the passes, one of two equal products is left.
  r = run("graph show model.fb --dot --passes --without fusion --shape 7x3 --shape 7x3");
  EXPECT_EQ(r.code, 0) << r.err;
  const size_t first = r.out.find("label=\"multiply");
  EXPECT_TRUE(first != std::string::npos && r.out.find("label=\"multiply", first + 1) == std::string::npos) << r.out;
}

TEST_F(CliGraphShow, ShowsPassesPlanAndMemory) {
  Result r = run("graph show model.fb --passes --shape 7x3 --shape 7x3");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, "\nequal ")) << r.out;
  const size_t equal = r.out.find("\nequal ");
  EXPECT_TRUE(has(r.out.substr(equal, r.out.find('\n', equal + 1) - equal), " 1 changes ")) << r.out;
  r = run("graph show model.fb --passes --without equal --shape 7x3 --shape 7x3");
  EXPECT_TRUE(r.code == 0 && !has(r.out, "equal ")) << r.out << r.err;
  r = run("graph show model.fb --plan --memory --without all -i x.npy -i y.npy");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, "node 5 'largest' (top_k)")) << r.out;
  EXPECT_TRUE(has(r.out, "inputs     48 bytes\nvariables  12 bytes\nplan       ")) << r.out;
}

TEST_F(CliGraphShow, MeasuresGraphs) {
  const Result r =
      run("graph bench model.fb --shape left=4x3 --shape right=4x3 --seconds 0.01 --trace trace.json --threads 1");
  ASSERT_EQ(r.code, 0) << r.err;
  for (const char* part : {"model.fb: left float32 [4, 3], right float32 [4, 3]\n", "\ncompilation ", "\nrun ",
                           "\nwithout passes ", "\nmemory ", "\nslowest nodes", "top_k", "weighted"})
    EXPECT_TRUE(has(r.out, part)) << part << "\n" << r.out;
  const auto trace = nlohmann::json::parse(contentOf(_folder.path + "/trace.json"));
  std::set<int> nodes;
  for (const auto& event : trace["traceEvents"]) nodes.insert(event["args"]["node"].get<int>());
  EXPECT_EQ(nodes, (std::set<int>{1, 2, 3, 4, 5}));
  for (const char* file : {"loop.fb", "frames.fb"})
    EXPECT_EQ(run(std::string("graph bench --seconds 0.01 ") + file).code, 0) << file;
}

}  // namespace

#endif
