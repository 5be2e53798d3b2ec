// `ndforge run` on several files: patterns of names, and the folders to which results go.
#ifdef NDFORGE_CLI

#include <algorithm>
#include <nlohmann/json.hpp>

#include "CliTestTools.h"

namespace {

using namespace sd;
using namespace test;

class CliPatterns : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    if (IsSkipped()) return;
    fs::create_directory(_folder.path + "/in");
    fs::create_directory(_folder.path + "/more");
    for (int i = 0; i < 3; ++i) {
      const std::string name = std::string(1, char('a' + i)) + ".npy";
      save(("in/" + name).c_str(), DataType::FLOAT32, {2}, bytesOf<float>({float(i), float(i + 1)}));
      save(("more/" + name).c_str(), DataType::FLOAT32, {2}, bytesOf<float>({10, 20}));
    }
  }
};

TEST_F(CliPatterns, RunOnceForEachFile) {
  Result done = run("run Neg -i 'in/*.npy' -o out/new/");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.out, "");
  EXPECT_EQ(result("out/new/a.npy").bytes, bytesOf<float>({-0.f, -1}));
  EXPECT_EQ(result("out/new/c.npy").bytes, bytesOf<float>({-2, -3}));
  // The other input stays; the folder exists.
  done = run("run add -i y=one.npy -i x='in/[bc].npy' -o more");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(result("more/a.npy").bytes, bytesOf<float>({10, 20}));
  EXPECT_EQ(result("more/b.npy").bytes, bytesOf<float>({1.5f, 2.5f}));
  // Arrays of archives.
  done = run("run Neg -i 'o?e.npz:row' -o archives/");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(result("archives/one.npy").bytes, bytesOf<float>({-100, -200, -300}));
}

TEST_F(CliPatterns, TwoPatternsGoTogether) {
  const Result done = run("run add -i 'in/*.npy' -i 'more/*.npy' -o sums/");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(result("sums/b.npy").bytes, bytesOf<float>({11, 22}));
  EXPECT_EQ(result("sums/c.npy").bytes, bytesOf<float>({12, 23}));
}

TEST_F(CliPatterns, SeveralResultsAreArchives) {
  const Result done = run("run top_k -i 'in/*.npy' -o top/");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(npy::namesInNpz(_folder.path + "/top/a.npz"), (std::vector<std::string>{"values", "indices"}));
}

TEST_F(CliPatterns, PrintedWithTheNamesOfTheFiles) {
  const Result done = run("run reduce_sum -i 'in/*.npy'");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.out.find("in/a.npy\nfloat32 []\nmin 1  max 1  mean 1\n1.0\nin/b.npy\n"), 0u) << done.out;
  const auto json = nlohmann::json::parse(run("run reduce_sum -i 'in/*.npy' --json").out);
  ASSERT_EQ(json.size(), 3u);
  EXPECT_EQ(json[2]["inputs"][0], "in/c.npy");
  EXPECT_EQ(json[2]["outputs"][0]["values"], 5);
  // One file that matches is a list too.
  EXPECT_EQ(nlohmann::json::parse(run("run reduce_sum -i 'in/a*.npy' --json").out).size(), 1u);
}

TEST_F(CliPatterns, ANameIsNoPattern) {
  fs::copy(_folder.path + "/row.npy", _folder.path + "/row[1].npy");
  const Result done = run("run Neg -i 'row[1].npy' -o z.npy");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(result().dims, std::vector<LongType>{3});
}

TEST_F(CliPatterns, ABadFileEndsTheWork) {
  write(_folder.path + "/in/b.npy", "this is no array");
  Result done = run("run Neg -i 'in/*.npy' -o out/");
  EXPECT_EQ(done.code, 1);
  EXPECT_NE(done.err.find("'in/b.npy': not a .npy file"), std::string::npos) << done.err;
  EXPECT_TRUE(fs::exists(_folder.path + "/out/a.npy"));
  EXPECT_EQ(std::distance(fs::directory_iterator(_folder.path + "/out"), fs::directory_iterator()), 1);
  // Arrays that the operation refuses are named as well.
  fs::remove(_folder.path + "/in/b.npy");
  save("in/c.npy", DataType::FLOAT32, {3}, bytesOf<float>({1, 2, 3}));
  done = run("run add -i 'in/*.npy' -i column.npy");
  EXPECT_EQ(done.code, 1);
  EXPECT_EQ(done.out, "");
  EXPECT_NE(done.err.find("'in/c.npy': [add]"), std::string::npos) << done.err;
}

TEST_F(CliPatterns, RefusedCalls) {
  const struct {
    const char* arguments;
    int code;
    const char* message;
  } cases[] = {
      {"run Neg -i 'in/*.txt'", 1, "no file matches 'in/*.txt'"},
      {"run Neg -i 'nowhere/*.npy' -o out/", 1, "no file matches 'nowhere/*.npy'"},
      {"run Neg -i 'in/*.npy' -o z.npy", 2, "'z.npy' is not a folder"},
      {"run Neg -i 'in/a*.npy' -o z.npy", 2, "'z.npy' is not a folder"},
      {"run Neg -i 'in/*.npy' -o -", 2, "'-' is not a folder"},
      {"run top_k -i 'in/*.npy' -o out/ -o other/", 2, "go into one folder, -o is given 2 times"},
      {"run add -i 'in/*.npy' -i - -o out/", 2, "standard input can be read once, but 'in/*.npy' matches 3 files"},
      {"run add -i 'in/*.npy' -i 'in/[ab].npy'", 2, "'in/*.npy' matches 3 files, but 'in/[ab].npy' matches 2"},
      {"run Neg -i '*/a.npy' -o out/", 2, "the results of 'in/a.npy' and 'more/a.npy' would both be 'out/a.npy'"},
      {"run Neg -i 'in/*.npy' -o in/", 2, "'in/a.npy' is an input"},
      {"run Neg -i 'in/*.npy' -o x.npy/out/", 1, "'x.npy/out/' cannot be created"},
      {"run Neg -i in/*.npy -o out/", 2, "the file 'in/b.npy' does not belong to an option: each -i takes one file"},
      {"run -i in/*.npy Neg -o out/", 2, "does not belong to an option: each -i takes one file"},
      {"run Negg -i 'in/*.txt'", 2, "there is no operation 'Negg'"},
  };
  for (const auto& [arguments, code, message] : cases) {
    const Result done = run(arguments);
    EXPECT_EQ(done.code, code) << arguments;
    EXPECT_EQ(done.out, "") << arguments;
    EXPECT_NE(done.err.find(message), std::string::npos) << arguments << ": " << done.err;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
  }
  EXPECT_FALSE(fs::exists(_folder.path + "/out"));
}

}  // namespace

#endif
