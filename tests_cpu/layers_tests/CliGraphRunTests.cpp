// `ndforge graph run`: graphs in files run on arrays in files.
#ifdef NDFORGE_CLI

#include <algorithm>
#include <nlohmann/json.hpp>

#include "CliGraphTools.h"

namespace {

using namespace test;

class CliGraphRun : public CliGraphs {};

TEST_F(CliGraphRun, RunsOnNamedAndPositionalInputs) {
  const char* inputs[] = {"-i left=x.npy -i right=y.npy",
                          "-i right=y.npy -i left=x.npy",
                          "-i x.npy -i y.npy",
                          "-i right=y.npy -i x.npy",
                          "-i y.npy -i left=x.npy",
                          "-i inputs.npz",
                          "-i left=inputs.npz -i y.npy",
                          "-i left=inputs.npz:left -i right=inputs.npz:right",
                          "-i x.npy -i y.npy --threads 1",
                          "-i x.npy -i y.npy --without equal,dead",
                          "-i x.npy -i y.npy --without all"};
  for (const char* arguments : inputs) {
    const Result r = run(std::string("graph run model.fb -o weighted=z.npy ") + arguments);
    ASSERT_EQ(r.code, 0) << arguments << ": " << r.err;
    EXPECT_EQ(r.out, "") << arguments;
    expectResult("z.npy", WEIGHTED);
    fs::remove(_folder.path + "/z.npy");
  }
}

TEST_F(CliGraphRun, WritesResultsByNameInOrderAndTogether) {
  Result r = run("graph run model.fb -i x.npy -i y.npy -o d.npy -o values.npy -o indices.npy");
  ASSERT_EQ(r.code, 0) << r.err;
  expectResult("d.npy", ZEROS);
  expectResult("values.npy", {44, 33, 110, 66});
  EXPECT_EQ(result("indices.npy").dims, (std::vector<LongType>{2, 2}));

  r = run("graph run model.fb -i x.npy -i y.npy -o largest:1=i.npz -o both=b.npy -o 2=w.npy -o d2.npy");
  ASSERT_EQ(r.code, 0) << r.err;
  expectResult("b.npy", {11, 22, 33, 44, 55, 66});
  expectResult("w.npy", WEIGHTED);
  expectResult("d2.npy", ZEROS);
  EXPECT_EQ(npy::namesInNpz(_folder.path + "/i.npz"), std::vector<std::string>{"largest:1"});

  r = run("graph run model.fb -i x.npy -i y.npy -o all.npz");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(npy::namesInNpz(_folder.path + "/all.npz"),
            (std::vector<std::string>{"difference", "largest", "largest:1"}));
}

TEST_F(CliGraphRun, PrintsASummaryWithoutOutputs) {
  const Result r = run("graph run model.fb -i x.npy -i y.npy");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.out,
            "difference: float32 [2, 3]\nmin 0  max 0  mean 0\n[[0. 0. 0.]\n [0. 0. 0.]]\n"
            "largest: float32 [2, 2]\nmin 33  max 110  mean 63.25\n[[ 44.  33.]\n [110.  66.]]\n"
            "largest:1: int64 [2, 2]\nmin 1  max 2  mean 1.5\n[[1 2]\n [1 2]]\n");
  EXPECT_EQ(run("graph run loop.fb").out, "float32 []\nmin 192  max 192  mean 192\n192.0\n");
  EXPECT_EQ(run("graph run frames.fb").out, "float32 [2]\nmin 1  max 4  mean 2.5\n[1. 4.]\n");
}

TEST_F(CliGraphRun, Json) {
  using nlohmann::json;
  json r = parsed("graph run model.fb -i x.npy -i y.npy --repeat 3");
  EXPECT_EQ(r["file"], "model.fb");
  EXPECT_EQ(r["inputs"], json({"x.npy", "y.npy"}));
  EXPECT_EQ(r["seconds"]["runs"], 3);
  ASSERT_EQ(r["results"].size(), 3u);
  EXPECT_EQ(r["results"][1], json::parse(R"({"name": "largest", "type": "float32", "shape": [2, 2],
                                             "values": [[44.0, 33.0], [110.0, 66.0]]})"));
  r = parsed("graph run model.fb -i x.npy -i y.npy -o weighted=z.npy");
  EXPECT_EQ(r["results"],
            json::parse(R"([{"name": "weighted", "type": "float32", "shape": [2, 3], "file": "z.npy"}])"));
  expectResult("z.npy", WEIGHTED);
}

TEST_F(CliGraphRun, RepeatsAndMeasures) {
  const Result r = run("graph run loop.fb --repeat 20");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, ", 20 runs), the first ")) << r.out;
  EXPECT_TRUE(has(r.out, "\n192.0\n")) << r.out;
}

TEST_F(CliGraphRun, WeightsReplaceVariables) {
  Result r = run("graph run model.fb --weights weights.npz -i x.npy -i y.npy -o weighted=z.npy");
  ASSERT_EQ(r.code, 0) << r.err;
  expectResult("z.npy", {33, 66, 99, 132, 165, 198});
  r = run("graph run model.fb --weights other.npz -i x.npy -i y.npy");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.err, "'v'") && has(r.err, "other.npz")) << r.err;
}

}  // namespace

#endif
