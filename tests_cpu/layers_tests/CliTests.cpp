// The commands of `ndforge` besides `run`, and what reaches the terminal.
#ifdef NDFORGE_CLI

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include <loops/OpGroup.h>
#include <ops/declarable/DeclarableOp.h>
#include "CliTestTools.h"

namespace {

using namespace sd;
using namespace test;

TEST_F(Cli, HelpAndVersion) {
  for (const char* arguments : {"--help", "-h", "run --help", "bench --help", "docs --help"}) {
    const Result done = run(arguments);
    EXPECT_EQ(done.code, 0);
    EXPECT_EQ(done.err, "");
    EXPECT_NE(done.out.find("Examples:\n  ndforge "), std::string::npos) << arguments;
  }
  const Result version = run("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out.rfind("ndforge ", 0), 0u);
}

TEST_F(Cli, ListsOperations) {
  const Result json = run("ops --json");
  ASSERT_EQ(json.code, 0) << json.err;
  const auto list = nlohmann::json::parse(json.out);
  const auto& ops = loops::numberedOps();
  ASSERT_GT(list.size(), ops.size());
  const size_t custom = list.size() - ops.size();
  for (size_t i = 0; i < ops.size(); ++i) {
    const auto& entry = list[custom + i];
    EXPECT_EQ(entry["kind"], "numbered");
    EXPECT_EQ(entry["name"], ops[i].name);
    EXPECT_EQ(entry["group"], loops::groupName(ops[i].group));
    EXPECT_EQ(entry["number"], ops[i].number);
    EXPECT_FALSE(entry["formula"].get<std::string>().empty()) << ops[i].name;
  }
  // The operations of this test program, some of which are defined by tests.
  std::map<std::string, ops::OpDescriptor*> registered;
  for (ops::DeclarableOp* op : ops::OpRegistrator::getInstance().operations())
    registered[*op->getOpName()] = op->describedDescriptor();
  std::set<std::string> names;
  for (size_t i = 0; i < custom; ++i) {
    const std::string name = list[i]["name"];
    names.insert(name);
    ASSERT_EQ(registered.count(name), 1u) << name;
    EXPECT_EQ(list[i]["kind"], registered[name]->kind()) << name;
    EXPECT_EQ(list[i]["inputs"], registered[name]->getNumberOfInputs()) << name;
    EXPECT_EQ(list[i]["summary"], registered[name]->schema().summary()) << name;
    EXPECT_NE(list[i]["family"], "plugin") << name;
  }
  EXPECT_EQ(names.size(), custom);
  for (const char* name : {"add", "conv2d", "gather", "reduce_sum"}) EXPECT_EQ(names.count(name), 1u) << name;

  const Result all = run("ops");
  EXPECT_EQ(size_t(std::count(all.out.begin(), all.out.end(), '\n')), list.size());
  const auto listed = [&](const std::string& group) {
    return nlohmann::json::parse(run("ops --json --group " + group).out);
  };
  EXPECT_EQ(listed("transform_bool").size(), 8u);
  EXPECT_EQ(listed("pairwise").size(), size_t(41 + 12 + 7));
  EXPECT_EQ(listed("numbered").size(), ops.size());
  for (const auto& entry : listed("convo")) EXPECT_EQ(entry["family"], "convo");
  EXPECT_FALSE(listed("convo").empty());
  for (const auto& entry : listed("reduction")) EXPECT_EQ(entry["kind"], "reduction");
}

TEST_F(Cli, DescribesOperations) {
  const Result add = run("info Add");
  EXPECT_EQ(add.code, 0);
  for (const char* text :
       {"pairwise.Add  (PAIRWISE_TRANSFORM:0)", "scalar.Add  (SCALAR:0)", "broadcast.Add  (BROADCAST:0)"})
    EXPECT_NE(add.out.find(text), std::string::npos) << add.out;
  const std::string subtract = run("info subtract").out;
  for (const char* text :
       {"subtract  (broadcastable, broadcastable)", "computes          z = x - y",
        "inputs            x: any shape\n                    y: a shape that broadcasts with x",
        "outputs           z: the broadcast shape", "in place          yes", "gradient          subtract_bp",
        "numbered          pairwise.Subtract, scalar.Subtract", "  library           "})
    EXPECT_NE(subtract.find(text), std::string::npos) << text << "\n" << subtract;
  EXPECT_NE(run("info conv2d").out.find("bias?: [oC]"), std::string::npos);
  EXPECT_NE(run("info NormP").out.find("extra parameters  1\n"), std::string::npos);
  EXPECT_EQ(run("info SCALAR:0").out.find("pairwise"), std::string::npos);
  const struct {
    const char *name, *line;
  } lines[] = {
      {"conv2d_bp", "gradient of       conv2d\n"},
      {"hinge_loss", "gradient          a rule\n"},
      {"argmax", "gradient          none: the result is an integer\n"},
      {"maximum", "numbered          pairwise.MaxPairwise, scalar.MaxPairwise, broadcast.MaxPairwise\n"},
      {"create_view", "view              output 0 shares the memory of input 0\n"},
      {"pairwise.MaxPairwise", "custom            maximum\n"},
      {"Tanh", "derivative        transform.TanhDerivative\n"},
      {"maxpool2d",
       "arguments         kernel: window sizes [height, width] (2 integers; 1 or more; required; integers 0, 1)\n"},
      {"top_k", "example           x  float32 [4]  [1, 5, 3, 4]\n                    k  2\n"},
      {"top_k", "gives             values   float32 [2]  [5, 4]\n                    indices  int64   [2]  [1, 3]\n"},
      {"reduce.Sum", "gives             z  float32 [2]  [3, 7]\n"},
      {"TanhDerivative", "derivative of     transform.Tanh\n"},
  };
  for (const auto& [name, line] : lines) {
    const std::string info = run(std::string("info ") + name).out;
    EXPECT_NE(info.find(std::string("\n  ") + line), std::string::npos) << info;
  }
}

TEST_F(Cli, WritesPages) {
  const Result done = run("docs --out site");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  const std::string folder = _folder.path + "/site/";
  size_t pages = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) pages += entry.path().extension() == ".html";
  EXPECT_EQ(done.out, std::to_string(pages) + " pages in site: open site/index.html\n");
  // Every operation has a page, and the search index contains it.
  const std::string index = contentOf(folder + "search-index.js");
  std::vector<std::string> names;
  for (const auto& op : nlohmann::json::parse(run("ops --json").out))
    if (op["kind"] != "numbered") names.push_back(op["name"]);
  for (const loops::NumberedOp& op : loops::numberedOps()) names.push_back(loops::qualifiedName(op));
  for (const std::string& name : names) {
    EXPECT_NE(contentOf(folder + "op/" + name + ".html").find("<h1>" + name + "</h1>"), std::string::npos) << name;
    EXPECT_NE(index.find("\"" + name + "\",\n\"op/" + name + ".html\""), std::string::npos) << name;
  }
  EXPECT_GT(pages, names.size());
  // Running again writes the same bytes; other files in the folder stay.
  const std::string page = contentOf(folder + "op/conv2d.html");
  write(folder + "mine.txt", "mine");
  EXPECT_EQ(run("docs --out site").code, 0);
  EXPECT_EQ(contentOf(folder + "op/conv2d.html"), page);
  EXPECT_EQ(contentOf(folder + "search-index.js"), index);
  EXPECT_EQ(contentOf(folder + "mine.txt"), "mine");
}

TEST_F(Cli, RefusesToWritePagesOverOtherFiles) {
  fs::create_directory(_folder.path + "/taken");
  write(_folder.path + "/taken/all.html", "mine");
  const struct {
    const char* arguments;
    int code;
    const char* error;
  } cases[] = {
      {"docs", 2, "--out"},
      {"docs --out ''", 2, "--out: the name of the folder is empty"},
      {"docs --out x.npy", 1, "'x.npy' is a file, not a folder"},
      {"docs --out x.npy/site", 1, "the folder 'x.npy/site' cannot be created"},
      {"docs --out taken", 1, "'taken/all.html' exists and was not written by this command; nothing was changed"},
  };
  for (const auto& [arguments, code, error] : cases) {
    const Result done = run(arguments);
    EXPECT_EQ(done.code, code) << arguments;
    EXPECT_EQ(done.out, "") << arguments;
    EXPECT_NE(done.err.find(error), std::string::npos) << done.err;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
  }
  EXPECT_EQ(contentOf(_folder.path + "/taken/all.html"), "mine");
  EXPECT_FALSE(fs::exists(_folder.path + "/taken/index.html"));
}

TEST_F(Cli, MeasuresEveryKindOfOperation) {
  for (const char* arguments :
       {"Add --shape 10x10 --dtype float32", "Exp --shape 1000", "Sum --shape 10x10 --dims 0",
        "Add --shape 10x4 --dims 1", "Dot --shape 100 --dtype float64", "Dot --shape 9x9 --dims 1 --all",
        "Multiply --shape 10 --scalar 2", "LeakyRELU --shape 10", "IndexMax --shape 9",
        "SummaryStatsVariance --shape 9", "UniformDistribution --shape 9 --extra 0,1", "DropOut --shape 9 --extra 0.5",
        "ShiftLeft --shape 9 --dtype int32", "Neg --shape 0x3", "add --shape 10x4 --shape 4", "add --shape 10x4",
        "gather --shape 10x4 --shape 9:int64 --int 0", "matmul --shape 8x8 --shape 8x8 --dtype float64"}) {
    const Result done = run(std::string("bench ") + arguments + " --seconds 0.01");
    EXPECT_EQ(done.code, 0) << arguments << ": " << done.err;
    EXPECT_NE(done.out.find(" runs)"), std::string::npos) << done.out;
    EXPECT_EQ(done.err, "");
  }
}

TEST_F(Cli, ShowsTheEnvironment) {
  const Result done = run("env");
  EXPECT_EQ(done.code, 0) << done.err;
  for (const char* key : {"version ", "instruction set ", "threads ", "BLAS "})
    EXPECT_NE(done.out.find(key), std::string::npos) << done.out;
}

TEST_F(Cli, LongWorkShowsProgressOnATerminalAndNowhereElse) {
  const std::string work = "bench Add --shape 100 --seconds 1";
  EXPECT_EQ(run(work).err, "");

  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) GTEST_SKIP() << "no terminals here";
  const std::string name = ptsname(terminal);
  const int held = open(name.c_str(), O_RDWR | O_NOCTTY);  // keeps the output after the command has ended
  setenv("TERM", "xterm", 1);
  const Result done = run(work, name);
  EXPECT_EQ(done.code, 0);
  fcntl(terminal, F_SETFL, O_NONBLOCK);
  std::string shown(4096, '\0');
  const ssize_t count = read(terminal, shown.data(), shown.size());
  shown.resize(size_t(std::max<ssize_t>(count, 0)));
  EXPECT_NE(shown.find("measuring Add ... 0."), std::string::npos) << shown;
  EXPECT_EQ(shown.find('\n'), std::string::npos) << shown;
  EXPECT_EQ(shown.rfind("\r\x1b[K"), shown.size() - 4) << "the line is cleared at the end";
  close(held);
  close(terminal);
}

TEST_F(Cli, NothingReachesTheTerminalAsItIs) {
  const std::string folder = _folder.path + "/", hostile =
                                                     "a\x1b[31m\x07\x9b\xc2\x9b\xe2\x80\xae"
                                                     "b";
  const std::vector<char> row = bytesOf<float>({1, 2, 3});
  npy::saveNpz(folder + "names.npz", {{hostile, {DataType::FLOAT32, 'c', {3}, row.data()}},
                                      {"other", {DataType::FLOAT32, 'c', {3}, row.data()}}});
  const std::string escaped =
      "a\\x1b[31m\\x07\\x9b\\xc2\\x9b\\xe2\\x80\\xae"
      "b";
  for (const std::string& arguments :
       {std::string("run Neg -i names.npz"), "run Neg -i '" + hostile + ".npy'", "info '" + hostile + "'",
        "run add -i '" + hostile + ".npy' -i x.npy", "run Neg -i x.npy -o '" + hostile + "'",
        "docs --out x.npy/'" + hostile + "'", "ops --group '" + hostile + "'", "--load '" + hostile + "' env",
        "run Neg -i x.npy --dtype '" + hostile + "'", "run add -i x.npy -i y.npy --int '" + hostile + "'",
        "run '" + hostile + "'", "'" + hostile + "'"}) {
    const Result done = run(arguments);
    EXPECT_NE(done.code, 0) << arguments;
    EXPECT_NE(done.err.find(escaped), std::string::npos) << done.err;
    EXPECT_EQ(done.err.find('\x1b'), std::string::npos) << done.err;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
  }
  // Arguments may contain non-ASCII characters.
  EXPECT_NE(run("info größe").err.find("'größe'"), std::string::npos);
}

TEST_F(Cli, LongNamesGiveShortMessagesAtOnce) {
  const std::string name(80'000, 'a');
  write(_folder.path + "/empty.txt", "");
  for (const std::string& arguments :
       {"info " + name, "run " + name, "run SCALAR:" + name, "run " + name + ".Add", "bench " + name + " --shape 3",
        "ops --group " + name, "run Neg -i x.npy --dtype " + name, "--load " + name + " env", "docs --out " + name,
        "run Neg -i " + name + ".npy", "run Neg -i x.npy -o " + name + ".npy", "run Neg -i x.npy -o " + name,
        "run add -i x.npy -i y.npy --int " + name, "run NormP -i x.npy --extra " + name,
        "run add -i x.npy -i " + name + "=y.npy", "run Neg --" + name, name}) {
    const auto start = std::chrono::steady_clock::now();
    const Result done = run(arguments);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    EXPECT_NE(done.code, 0) << arguments.substr(0, 40);
    EXPECT_LT(seconds.count(), 5) << arguments.substr(0, 40);
    EXPECT_LT(done.err.size(), 1500u) << done.err;
    EXPECT_NE(done.err.find("aaaa…"), std::string::npos) << done.err;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
  }
}

TEST_F(Cli, TooMuchMemoryIsALine) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "its allocator ends the program";
#endif
  save("many.npy", DataType::INT64, {1}, bytesOf<int64_t>({1}));
  const struct {
    const char *arguments, *message;
  } cases[] = {
      {"run UniformDistribution --shape 1000000000000x1000 --extra 0,1",
       "[UniformDistribution] the result, float32 of shape [1000000000000, 1000], needs more memory than is available"},
      {"bench Exp --shape 1000000000000x1000",
       "an operand, float32 of shape [1000000000000, 1000], needs more memory than is available"},
      {"run sequence_mask -i many.npy --int 2147483647", "[sequence_mask]"},
      {"run eye --int 99,1000000,1000000,1000", "[eye]"},
  };
  for (const auto& [arguments, message] : cases) {
    // 2 GB of address space
    const Result done = run(arguments, "err.txt", "ulimit -v 2000000; ");
    EXPECT_EQ(done.code, 1) << arguments << done.err;
    EXPECT_NE(done.err.find(message), std::string::npos) << done.err;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
  }
}

}  // namespace

#endif
