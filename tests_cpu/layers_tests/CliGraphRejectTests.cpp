// Calls of `ndforge graph` that are refused.
#ifdef NDFORGE_CLI

#include <algorithm>

#include "CliGraphTools.h"

namespace {

using namespace test;

class CliGraphReject : public CliGraphs {};

TEST_F(CliGraphReject, RefusesWrongCalls) {
  const struct {
    const char* arguments;
    int code;
    const char* message;
  } cases[] = {
      {"graph", 2, "see 'ndforge graph --help'"},
      {"graph walk", 2, "walk"},
      {"graph run", 2, "see 'ndforge graph run --help'"},
      {"graph run model.fb --nonsense", 2, "nonsense"},
      {"graph run none.fb", 1, "none.fb"},
      {"graph show x.npy", 1, "x.npy"},
      {"graph bench text.npy", 1, "text.npy"},
      {"graph run model.fb -i x.npy", 2, "'model.fb': the input 'right' is missing"},
      {"graph run model.fb", 2, "the inputs 'left', 'right' are missing"},
      {"graph run model.fb -i lefd=x.npy -i right=y.npy", 2, "has no input 'lefd'; did you mean 'left'?"},
      {"graph run model.fb -i nothing=x.npy", 2, "has no input 'nothing'; its inputs are left, right"},
      {"graph run model.fb -i misspelt.npz", 2, "has no input 'lefd'; did you mean 'left'?"},
      {"graph run model.fb -i left=x.npy -i left=y.npy", 2, "the input 'left' is given twice"},
      {"graph run model.fb -i x.npy -i y.npy -i y.npy", 2, "has 2 inputs; there is none left for 'y.npy'"},
      {"graph run model.fb -i left=none.npy -i y.npy", 1, "none.npy"},
      {"graph run model.fb -i left=two.npz -i y.npy", 1, "several arrays"},
      {"graph run model.fb -i left=two.npz:third -i y.npy", 1, "third"},
      {"graph run model.fb -i nans.npy -i y.npy", 1, "the input 'left' is float32, not float64"},
      {"graph run model.fb -i row.npy -i y.npy", 1, "the input 'left' has shape [?, 3], not [3]"},
      {"graph run model.fb -i x.npy -i y.npy -o weightet=z.npy", 2,
       "has no node or variable 'weightet'; did you mean 'weighted'"},
      {"graph run model.fb -i x.npy -i y.npy -o both:1=z.npy", 2, "'both' has no output 1"},
      {"graph run model.fb -i x.npy -i y.npy -o z.txt", 2, "neither a .npy nor a .npz file"},
      {"graph run model.fb -i x.npy -i y.npy -o z.npy -o both=z.npy", 2, "are the same file"},
      {"graph run model.fb -i x.npy -i y.npy -o 1.npy -o 2.npy -o 3.npy -o 4.npy", 2, "none is left for '4.npy'"},
      {"graph run model.fb -i x.npy -i y.npy --without equall", 2, "no pass 'equall'; did you mean 'equal'?"},
      {"graph run model.fb -i x.npy -i y.npy --repeat 0", 2, "--repeat"},
      {"graph run model.fb -i x.npy -i y.npy --threads -1", 2, "--threads"},
      {"graph run model.fb --weights none.npz -i x.npy -i y.npy", 1, "none.npz"},
      {"graph show model.fb --passes", 2, "the shape of the input 'left' is not known; --shape left=32x3 gives it"},
      {"graph show model.fb --shape left=2y3", 2, "is not a shape"},
      {"graph show model.fb --shape left=2x3 --shape right=5x3", 1, "node 1 'both' (add)"},
      {"graph show model.fb --shape left=2x4", 1, "the input 'left' has shape [?, 3], not [2, 4]"},
      {"graph show model.fb --json --shape left=2x3 --shape right=5x3", 1, "node 1 'both' (add)"},
      {"graph show model.fb --nonsense", 2, "nonsense"},
      {"graph bench model.fb --nonsense", 2, "nonsense"},
      {"graph show model.fb --dot --svg", 2, "choose one"},
      {"graph show model.fb --svg --memory", 2, "--memory"},
      {"graph show frames.fb --plan", 1, "no plan is compiled"},
      {"graph bench model.fb --shape 2x3 --shape 2x3 --seconds 0", 2, "--seconds"},
  };
  for (const auto& c : cases) {
    const Result r = run(c.arguments);
    EXPECT_EQ(r.code, c.code) << c.arguments << ": " << r.err;
    EXPECT_TRUE(has(r.err, c.message)) << c.arguments << ": " << r.err;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << c.arguments << ": " << r.err;
    EXPECT_EQ(r.out, "") << c.arguments;
    EXPECT_TRUE(r.err.starts_with("ndforge: ")) << r.err;
  }
  EXPECT_FALSE(fs::exists(_folder.path + "/1.npy"));
}

TEST_F(CliGraphReject, TextsAreRefused) {
  Graph graph;
  addInput(graph, -1, "words", {2});
  graph.getVariableSpace()->getVariable(-1)->setDataType(UTF8);
  addVariable(graph, -2, "names", NDArray({2}, std::vector<std::string>{"one", "three"}, UTF8));
  addVariable(graph, -3, "w", NDArray('c', {2}, {1, 2}, FLOAT32));
  addCall(graph, "add", 1, "sum", {-3, -3});
  graph.save(_folder.path + "/texts.fb");
  const struct {
    const char *arguments, *message;
  } cases[] = {
      {"graph run texts.fb -i x.npy", "the input 'words' is an array of texts, not float32"},
      {"graph show texts.fb --plan", "the input 'words' is an array of texts"},
      {"graph show texts.fb --shape words=2 --plan", "the input 'words' is an array of texts"},
      {"graph bench texts.fb", "the input 'words' is an array of texts"},
  };
  for (const auto& c : cases) {
    const Result r = run(c.arguments);
    EXPECT_EQ(r.code, 1) << c.arguments << ": " << r.err;
    EXPECT_TRUE(has(r.err, c.message)) << c.arguments << ": " << r.err;
  }
  Graph results;
  addVariable(results, -2, "names", NDArray({2}, std::vector<std::string>{"one", "three"}, UTF8));
  addVariable(results, -3, "w", NDArray('c', {2}, {1, 2}, FLOAT32));
  addCall(results, "add", 1, "sum", {-3, -3});
  results.save(_folder.path + "/texts.fb");
  for (const char* target : {"z.npy", "z.npz"}) {
    const Result r = run(std::string("graph run texts.fb -o names=") + target);
    EXPECT_EQ(r.code, 1) << r.err;
    EXPECT_TRUE(has(r.err, "'texts.fb': the result 'names' is an array of texts")) << r.err;
    EXPECT_FALSE(fs::exists(_folder.path + "/" + target));
  }
}

TEST_F(CliGraphReject, FilesAndFoldersThatCannotBeUsedAreNamed) {
  const std::vector<char> values = bytesOf<float>({1, 2, 3, 4});
  const std::vector<char> wide = bytesOf<double>({1, 2, 3});
  npy::saveNpz(_folder.path + "/shape.npz", {{"w", {DataType::FLOAT32, 'c', {2, 2}, values.data()}}});
  npy::saveNpz(_folder.path + "/type.npz", {{"w", {DataType::DOUBLE, 'c', {3}, wide.data()}}});
  fs::create_directory(_folder.path + "/folder");
  const struct {
    const char *arguments, *message;
  } cases[] = {
      {"graph show folder", "folder: this is a folder, not a file"},
      {"graph run /dev/null", "/dev/null: this is no regular file"},
      {"graph show ''", "the name of the file is empty"},
      {"graph run model.fb --weights shape.npz", "shape.npz: array 'w' for variable -3 'w': its shape is [3]"},
      {"graph run model.fb --weights type.npz", "type.npz: array 'w' for variable -3 'w': its type is FLOAT"},
      {"graph run model.fb --weights folder", "'folder'"},
      {"graph run loop.fb -o nowhere/z.npy", "'nowhere/z.npy'"},
      {"graph run loop.fb -o nowhere/z.npz", "'nowhere/z.npz'"},
      {"graph show loop.fb --svg -o nowhere/z.svg", "'nowhere/z.svg'"},
      {"graph show loop.fb -o folder", "'folder'"},
      {"graph bench loop.fb --seconds 0.001 --trace nowhere/t.json", "'nowhere/t.json'"},
  };
  for (const auto& c : cases) {
    const Result r = run(c.arguments);
    EXPECT_EQ(r.code, 1) << c.arguments << ": " << r.err;
    EXPECT_TRUE(has(r.err, c.message)) << c.arguments << ": " << r.err;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << c.arguments << ": " << r.err;
  }
}

TEST_F(CliGraphReject, AFileThatIsCutShortIsAnErrorOfOneLine) {
  const std::string whole = contentOf(_folder.path + "/model.fb");
  for (const size_t size : {size_t{0}, size_t{3}, whole.size() / 3, whole.size() - whole.size() / 4}) {
    write(_folder.path + "/cut.fb", whole.substr(0, size));
    const Result r = run("graph show cut.fb");
    EXPECT_EQ(r.code, 1) << size << r.out;
    EXPECT_TRUE(has(r.err, "cut.fb") && std::count(r.err.begin(), r.err.end(), '\n') == 1) << r.err;
  }
}

}  // namespace

#endif
