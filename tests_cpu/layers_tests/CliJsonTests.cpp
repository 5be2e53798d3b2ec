// --json: what the subcommands of `ndforge` print for programs.
#ifdef NDFORGE_CLI

#include <cmath>
#include <complex>
#include <limits>
#include <nlohmann/json.hpp>

#include "CliTestTools.h"

namespace {

using namespace sd;
using namespace test;
using Json = nlohmann::ordered_json;

class CliJson : public Cli {
 protected:
  Json json(const std::string& arguments) {
    const Result done = run(arguments + " --json");
    EXPECT_EQ(done.code, 0) << arguments << ": " << done.err;
    EXPECT_EQ(done.err, "") << arguments;
    EXPECT_EQ(done.out.find_first_not_of("\n\t") == 0 && done.out.back() == '\n', true) << done.out;
    return Json::parse(done.out);
  }
  static std::vector<std::string> keysOf(const Json& object) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items()) keys.push_back(key);
    return keys;
  }
};

using Keys = std::vector<std::string>;

TEST_F(CliJson, ResultsOfOperations) {
  EXPECT_EQ(json("run Neg -i x.npy"), Json::parse(R"({"operation": "transform.Neg", "inputs": ["x.npy"], "outputs": [
              {"name": "z", "type": "float32", "shape": [2, 3], "values": [[-1.0, -2.0, -3.0], [-4.0, -5.0, -6.0]]}]})"));
  EXPECT_EQ(json("run add -i x.npy -i y.npy -o z.npy"),
            Json::parse(R"({"operation": "add", "inputs": ["x.npy", "y.npy"], "outputs": [
              {"name": "z", "type": "float32", "shape": [2, 3], "file": "z.npy"}]})"));
  EXPECT_EQ(result().bytes, bytesOf<float>({11, 22, 33, 44, 55, 66}));
  const Json top = json("run top_k -i row.npy --k 1");
  EXPECT_EQ(top["outputs"][0]["name"], "values");
  EXPECT_EQ(top["outputs"][1]["values"], Json({2}));
  EXPECT_EQ(json("run top_k -i row.npy --k 1 -o both.npz")["outputs"][1]["file"], "both.npz");
  EXPECT_EQ(run("run Neg -i one.npy --json").out,
            "{\n  \"operation\": \"transform.Neg\",\n  \"inputs\": [\"one.npy\"],\n  \"outputs\": [\n    {\n"
            "      \"name\": \"z\",\n      \"type\": \"float32\",\n      \"shape\": [1],\n      \"values\": [-0.5]\n"
            "    }\n  ]\n}\n");
}

TEST_F(CliJson, Values) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  save("special.npy", DataType::DOUBLE, {4}, bytesOf<double>({nan, infinity, -infinity, 0.1}));
  save("tenth.npy", DataType::FLOAT32, {}, bytesOf<float>({0.1f}));
  save("large.npy", DataType::UINT64, {1}, bytesOf<uint64_t>({~uint64_t{0}}));
  save("small.npy", DataType::INT64, {1}, bytesOf<int64_t>({std::numeric_limits<int64_t>::min()}));
  save("complex.npy", DataType::COMPLEX64, {2}, bytesOf<std::complex<float>>({{1, 0.1f}, {float(nan), -2}}));
  save("byte.npy", DataType::INT8, {2}, bytesOf<int8_t>({-128, 127}));
  save("truth.npy", DataType::BOOL, {1, 2}, {1, 0});
  const struct {
    const char *file, *values;
  } cases[] = {
      {"special.npy", R"(["nan", "inf", "-inf", 0.1])"},
      {"tenth.npy", "0.1"},
      {"large.npy", "[18446744073709551615]"},
      {"small.npy", "[-9223372036854775808]"},
      {"complex.npy", R"([[1.0, 0.1], ["nan", -2.0]])"},
      {"byte.npy", "[-128, 127]"},
      {"truth.npy", "[[true, false]]"},
      {"empty.npy", "[]"},
  };
  for (const auto& [file, values] : cases) {
    const Result done = run(std::string("run identity --json -i ") + file);
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_NE(done.out.find(std::string("\"values\": ") + values + "\n"), std::string::npos) << done.out;
    EXPECT_NO_THROW(Json::parse(done.out)) << done.out;
  }
}

TEST_F(CliJson, NamesAreEscaped) {
  for (const char* name : {"a\"b\\c.npy", "a\x1b[31m\x7f\xc2\x9b.npy", "a\xff\xfe.npy", "größe.npy"}) {
    fs::copy(_folder.path + "/row.npy", _folder.path + "/" + name, fs::copy_options::overwrite_existing);
    const Result done = run("run Neg --json -i '" + std::string(name) + "'");
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(Json::parse(done.out)["inputs"].size(), 1u);
    EXPECT_EQ(done.out.find_first_of("\x1b\x7f\xff"), std::string::npos) << done.out;
  }
  EXPECT_EQ(json("run Neg -i größe.npy")["inputs"][0], "größe.npy");
}

TEST_F(CliJson, Descriptions) {
  const Json info = json("info top_k");
  ASSERT_EQ(info.size(), 1u);
  EXPECT_EQ(info[0]["name"], "top_k");
  EXPECT_EQ(info[0]["family"], "indexing");
  EXPECT_EQ(info[0]["schema"]["inputs"][0]["name"], "x");
  const Json add = json("info Add");
  ASSERT_EQ(add.size(), 3u);
  EXPECT_EQ(add[0]["name"], "pairwise.Add");
  EXPECT_EQ(add[0]["formula"], "x + y");
  EXPECT_FALSE(json("ops --group reduce").empty());
}

TEST_F(CliJson, Measurements) {
  const Keys keys = {"operation", "type", "shapes", "seconds", "elements", "bytes"};
  const Json add = json("bench add --shape 4x5 --shape 5 --seconds 0.01");
  EXPECT_EQ(keysOf(add), keys);
  EXPECT_EQ(add["shapes"], Json({"4x5", "5"}));
  EXPECT_EQ(add["elements"], 20);
  EXPECT_EQ(keysOf(add["seconds"]), Keys({"runs", "median", "best"}));
  EXPECT_GT(add["seconds"]["median"], 0);
  EXPECT_EQ(json("bench Exp --shape 10 --seconds 0.01")["operation"], "transform.Exp");
}

TEST_F(CliJson, BuildAndEnvironment) {
  const Json env = json("env"), version = json("version");
  EXPECT_EQ(keysOf(env), Keys({"version", "instructionSet", "threads", "maxThreads", "blas"}));
  EXPECT_EQ(keysOf(version),
            Keys({"version", "instructionSets", "instructionSet", "blas", "libraries", "compiler", "elementTypes"}));
  EXPECT_EQ("ndforge " + version["version"].get<std::string>() + "\n", run("--version").out);
  EXPECT_EQ(env["instructionSet"], version["instructionSet"]);
  EXPECT_NE(std::find(version["elementTypes"].begin(), version["elementTypes"].end(), "float64"),
            version["elementTypes"].end());
}

TEST_F(CliJson, Pages) {
  const Json docs = json("docs --out site");
  EXPECT_EQ(keysOf(docs), Keys({"folder", "pages", "index"}));
  EXPECT_TRUE(fs::exists(_folder.path + "/" + docs["index"].get<std::string>()));
}

TEST_F(CliJson, ErrorsStayText) {
  const struct {
    const char* arguments;
    int code;
    const char* message;
  } cases[] = {
      {"run Neg -i no.npy --json", 1, "'no.npy': there is no such file"},
      {"run Negg -i x.npy --json", 2, "there is no operation 'Negg'"},
      {"info Nothing --json", 2, "there is no operation 'Nothing'"},
      {"run Neg -i x.npy -o - --json", 2, "--json: standard output cannot take"},
      {"graph show no.fb --json --svg", 2, "choose one"},
  };
  for (const auto& [arguments, code, message] : cases) {
    const Result done = run(arguments);
    EXPECT_EQ(done.code, code) << arguments;
    EXPECT_EQ(done.out, "") << arguments;
    EXPECT_EQ(done.err.rfind("ndforge: ", 0), 0u) << done.err;
    EXPECT_NE(done.err.find(message), std::string::npos) << done.err;
  }
}

}  // namespace

#endif
