// `ndforge graph run` on several files: patterns of names, and the folders to which results go.
#ifdef NDFORGE_CLI

#include <algorithm>

#include "CliGraphTools.h"

namespace {

using namespace test;

class CliGraphPatterns : public CliGraphs {
 protected:
  void SetUp() override {
    CliGraphs::SetUp();
    if (IsSkipped()) return;
    for (const char* folder : {"in", "more", "sets"}) fs::create_directory(_folder.path + "/" + folder);
    save("base.npy", DataType::FLOAT32, {1, 3}, bytesOf<float>({10, 20, 30}));
    for (int i = 0; i < 3; ++i) {
      const std::string name(1, char('a' + i));
      const std::vector<char> left = bytesOf<float>({float(i), float(i + 1), float(i + 2)});
      const std::vector<char> right = bytesOf<float>({float(100 * i), 200, 300});
      save(("in/" + name + ".npy").c_str(), DataType::FLOAT32, {1, 3}, left);
      save(("more/" + name + ".npy").c_str(), DataType::FLOAT32, {1, 3}, right);
      npy::saveNpz(_folder.path + "/sets/" + name + ".npz", {{"right", {DataType::FLOAT32, 'c', {1, 3}, right.data()}},
                                                             {"left", {DataType::FLOAT32, 'c', {1, 3}, left.data()}}});
    }
  }

  std::vector<std::string> filesIn(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(_folder.path + "/" + folder))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
};

const std::vector<std::string> THREE = {"a.npy", "b.npy", "c.npy"};

TEST_F(CliGraphPatterns, RunOnceForEachFile) {
  Result r = run("graph run sum.fb -i left='in/*.npy' -i right=base.npy -o out/new/");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(filesIn("out/new"), THREE);
  expectResult("out/new/a.npy", {10, 21, 32});
  expectResult("out/new/c.npy", {12, 23, 34});
  // In the order of the graph; patterns go together; the folder exists.
  r = run("graph run sum.fb -i 'in/[bc].npy' -i 'more/[bc].npy' -o out");
  ASSERT_EQ(r.code, 0) << r.err;
  expectResult("out/b.npy", {101, 202, 303});
  expectResult("out/c.npy", {202, 203, 304});
  // Other shapes than those of the file before.
  save("in/b.npy", DataType::FLOAT32, {2, 3}, bytesOf<float>({1, 2, 3, 4, 5, 6}));
  r = run("graph run sum.fb -i 'in/*.npy' -i base.npy -o out/");
  ASSERT_EQ(r.code, 0) << r.err;
  expectResult("out/b.npy", {11, 22, 33, 14, 25, 36});
  expectResult("out/c.npy", {12, 23, 34});
}

TEST_F(CliGraphPatterns, ArchivesGiveAllInputsOrOne) {
  Result r = run("graph run sum.fb -i 'sets/*.npz' -o out/");
  ASSERT_EQ(r.code, 0) << r.err;
  expectResult("out/b.npy", {101, 202, 303});
  r = run("graph run sum.fb -i base.npy -i left='sets/*.npz:right' -o out/");
  ASSERT_EQ(r.code, 0) << r.err;
  expectResult("out/b.npy", {110, 220, 330});
  r = run("graph run sum.fb -i base.npy -i left='sets/*.npz' -o out/");
  ASSERT_EQ(r.code, 0) << r.err;
  expectResult("out/b.npy", {11, 22, 33});
}

TEST_F(CliGraphPatterns, ResultsHaveFoldersOrShareArchives) {
  const std::string call = "graph run model.fb -i left='in/*.npy' -i right=base.npy ";
  Result r = run(call + "-o all/");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(filesIn("all"), (std::vector<std::string>{"a.npz", "b.npz", "c.npz"}));
  EXPECT_EQ(npy::namesInNpz(_folder.path + "/all/c.npz"),
            (std::vector<std::string>{"difference", "largest", "largest:1"}));
  // A result, an output, and the next result in the order of the graph.
  r = run(call + "-o weighted=weighted/ -o largest:1=places/ -o rest/");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(filesIn("places"), THREE);
  expectResult("weighted/b.npy", {11, 44, 33});
  EXPECT_EQ(result("places/a.npy").bytes, bytesOf<LongType>({1, 2}));
  expectResult("rest/c.npy", {0, 0, 0});
}

TEST_F(CliGraphPatterns, PrintedWithTheNamesOfTheFiles) {
  const std::string call = "graph run sum.fb -i left='in/*.npy' -i right=base.npy";
  Result r = run(call);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(r.out.starts_with("in/a.npy\nfloat32 [1, 3]\nmin 10  max 32  mean 21\n[[10. 21. 32.]]\nin/b.npy\n"))
      << r.out;
  r = run(call + " -o out/ --repeat 2");
  EXPECT_TRUE(has(r.out, "in/a.npy\n") && has(r.out, " 2 runs), the first ") && !has(r.out, "[[")) << r.out << r.err;
  auto json = parsed(call);
  ASSERT_EQ(json.size(), 3u);
  EXPECT_EQ(json[2], nlohmann::json::parse(R"({"file": "sum.fb", "inputs": ["left=in/c.npy", "right=base.npy"],
      "results": [{"name": "sum", "type": "float32", "shape": [1, 3], "values": [[12.0, 23.0, 34.0]]}]})"));
  json = parsed(call + " -o out/");
  EXPECT_EQ(json[0]["results"][0]["file"], "out/a.npy");
  // One file that matches is a list too.
  EXPECT_EQ(parsed("graph run sum.fb -i left='in/a*.npy' -i right=base.npy").size(), 1u);
}

TEST_F(CliGraphPatterns, ANameIsNoPattern) {
  fs::copy(_folder.path + "/x.npy", _folder.path + "/x[1].npy");
  const Result r = run("graph run sum.fb -i 'x[1].npy' -i right=y.npy -o z.npy");
  EXPECT_EQ(r.code, 0) << r.err;
  expectResult("z.npy", {11, 22, 33, 44, 55, 66});
}

TEST_F(CliGraphPatterns, ABadFileEndsTheWork) {
  write(_folder.path + "/in/b.npy", "this is no array");
  Result r = run("graph run sum.fb -i 'in/*.npy' -i base.npy -o out/");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.err, "'in/b.npy': not a .npy file")) << r.err;
  EXPECT_EQ(filesIn("out"), std::vector<std::string>{"a.npy"});
  // Arrays that the graph refuses are named as well.
  save("in/b.npy", DataType::FLOAT32, {1, 4}, bytesOf<float>({1, 2, 3, 4}));
  r = run("graph run sum.fb -i 'in/*.npy' -i base.npy");
  EXPECT_EQ(r.code, 1);
  EXPECT_EQ(r.out, "");
  EXPECT_TRUE(has(r.err, "'in/b.npy': the input 'left' has shape [?, 3], not [1, 4]")) << r.err;
}

TEST_F(CliGraphPatterns, RefusedCalls) {
  const struct {
    const char* arguments;
    int code;
    const char* message;
  } cases[] = {
      {"sum.fb -i 'in/*.txt' -i base.npy", 1, "no file matches 'in/*.txt'"},
      {"sum.fb -i left='nowhere/*.npy' -i base.npy", 1, "no file matches 'nowhere/*.npy'"},
      {"sum.fb -i lefd='in/*.npy' -i base.npy", 2, "'sum.fb' has no input 'lefd'; did you mean 'left'?"},
      {"sum.fb -i 'in/*.npy' -o out/", 2, "'in/a.npy': 'sum.fb': the input 'right' is missing"},
      {"sum.fb -i 'in/*.npy' -i base.npy -i base.npy", 2, "there is none left for 'base.npy'"},
      {"sum.fb -i 'in/*.npy' -i 'more/[ab].npy'", 2, "'in/*.npy' matches 3 files, but 'more/[ab].npy' matches 2"},
      {"sum.fb -i 'in/*.npy' -i - -o out/", 2, "standard input can be read once, but 'in/*.npy' matches 3 files"},
      {"sum.fb -i 'in/*.npy' -i base.npy -o z.npy", 2, "'z.npy' is not a folder"},
      {"sum.fb -i 'in/*.npy' -i base.npy -o sum=z.npz", 2, "'z.npz' is not a folder"},
      {"sum.fb -i 'in/*.npy' -i base.npy -o -", 2, "'-' is not a folder"},
      {"sum.fb -i 'in/*.npy' -i base.npy -o smu=out/", 2, "no node or variable 'smu'; did you mean 'sum'?"},
      {"sum.fb -i 'in/*.npy' -i base.npy -o out/ -o other/", 2, "none is left for 'other/'"},
      {"model.fb -i 'in/*.npy' -i base.npy -o both=out/ -o weighted=out/", 2, "'out/' and 'out/' are the same folder"},
      {"sum.fb -i '*/a.npy' -i base.npy -o out/", 2, "the results of 'in/a.npy' and 'more/a.npy' would both be"},
      {"sum.fb -i 'in/*.npy' -i base.npy -o in/", 2, "'in/a.npy' is an input"},
      {"sum.fb -i 'in/*.npy' -i right=more/a.npy -o more/", 2, "'more/a.npy' is an input"},
      {"sum.fb -i 'in/*.npy' -i base.npy -o x.npy/out/", 1, "'x.npy/out/' cannot be created"},
      {"sum.fb -i in/*.npy -o out/", 2, "the file 'in/b.npy' does not belong to an option: each -i takes one file"},
      {"-i in/[ab].npy sum.fb -o out/", 2, "the file 'in/b.npy' does not belong to an option"},
      {"sum.fb -i 'in/*.npy' -i base.npy surplus", 2, "surplus"},
      {"none.fb -i 'in/*.npy'", 1, "none.fb"},
  };
  for (const auto& [arguments, code, message] : cases) {
    const Result r = run(std::string("graph run ") + arguments);
    EXPECT_EQ(r.code, code) << arguments << ": " << r.err;
    EXPECT_EQ(r.out, "") << arguments;
    EXPECT_TRUE(has(r.err, message)) << arguments << ": " << r.err;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  }
  EXPECT_FALSE(fs::exists(_folder.path + "/out"));
}

}  // namespace

#endif
