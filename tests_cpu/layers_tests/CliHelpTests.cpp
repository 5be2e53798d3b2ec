// Help, manual, completion and search of the command, and standard streams as files.
#ifdef NDFORGE_CLI

#include <algorithm>
#include <nlohmann/json.hpp>

#include "CliTestTools.h"

namespace {

using namespace test;

TEST_F(Cli, HelpOfCommands) {
  for (const char* command : {"run", "graph run", "ops"})
    EXPECT_EQ(run(std::string("help ") + command).out, run(std::string(command) + " --help").out) << command;
  const std::string line = run("--version").out, version = run("version").out;
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << line;
  EXPECT_EQ(version.rfind(line, 0), 0u) << version;
  for (const char* part : {"\nbuilt for ", "\ninstruction set ", "\nBLAS ", "\nbuilt with ", "\ncompiler ", "float32"})
    EXPECT_NE(version.find(part), std::string::npos) << part << version;
  EXPECT_EQ(run("help").out, run("--help").out);
  const Result unknown = run("help graph walk");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("'walk'"), std::string::npos) << unknown.err;
  EXPECT_NE(unknown.err.find("run, show, bench"), std::string::npos) << unknown.err;
}

TEST_F(Cli, HelpOfOneOperation) {
  const struct {
    const char *arguments, *part;
  } cases[] = {
      {"run top_k --help", "Usage: ndforge run top_k -i FILE"},
      {"run top_k --help", "--k: number of elements (integer; 1 or more; default 1"},
      {"run top_k --help", "\n  ndforge run top_k -i x.npy --k 2 -o values.npy -o indices.npy\n"},
      {"run --help top_k", "Usage: ndforge run top_k"},
      {"run -h TOP_K --k 2 -i x.npy", "Usage: ndforge run top_k"},
      {"run batchnorm -h", "\nInputs, in this order"},
      {"bench maxpool2d --help", "Usage: ndforge bench maxpool2d --shape SHAPE"},
      {"bench maxpool2d --help", "--padding-mode: "},
      {"run Add --help", "\npairwise.Add\n"},
      {"run Add --help", "\n  one input and --scalar"},
      {"run reduce.NormP --help", "--extra: 1 values"},
  };
  for (const auto& [arguments, part] : cases) {
    const Result done = run(arguments);
    EXPECT_EQ(done.code, 0) << arguments << done.err;
    EXPECT_EQ(done.err, "") << arguments;
    EXPECT_NE(("\n" + done.out).find(part), std::string::npos) << arguments << ": " << done.out;
  }
  for (const char* verb : {"run", "bench"}) {
    const Result unknown = run(std::string(verb) + " Adds --help");
    EXPECT_EQ(unknown.code, 2);
    EXPECT_EQ(unknown.out, "");
    EXPECT_NE(unknown.err.find("there is no operation 'Adds'; the nearest are Add"), std::string::npos) << unknown.err;
  }
#ifdef NDFORGE_PLUGIN
  const Result loaded = run("--load '" NDFORGE_PLUGIN "' run logistic --help");
  EXPECT_NE(loaded.out.find("Usage: ndforge run logistic"), std::string::npos) << loaded.out << loaded.err;
#endif
}

TEST_F(Cli, ManualPage) {
  const Result page = run("man");
  ASSERT_EQ(page.code, 0) << page.err;
  EXPECT_EQ(page.out.rfind(".TH NDFORGE 1", 0), 0u);
  for (const char* part : {".SS ndforge graph run", "\\-\\-output", ".SH EXAMPLES", "bias\\-corrected"})
    EXPECT_NE(page.out.find(part), std::string::npos) << part;
  EXPECT_EQ(page.out.find("ndforge complete\n"), std::string::npos);
}

TEST_F(Cli, SearchesOperations) {
  const auto first = [&](const std::string& words) {
    const Result found = run("ops --json --search '" + words + "'");
    EXPECT_EQ(found.code, 0) << words << ": " << found.err;
    return nlohmann::json::parse(found.out)[0]["name"].get<std::string>();
  };
  // By a name, a name in another library, words, and capitals.
  EXPECT_EQ(first("softmax"), "softmax");
  EXPECT_EQ(first("concatenate"), "concat");
  EXPECT_EQ(first("torch.topk"), "top_k");
  EXPECT_EQ(first("GatherElements"), "take_along_axis");
  EXPECT_EQ(first("max pooling image"), "maxpool2d");
  EXPECT_EQ(first("batch NORM"), "batchnorm");
  EXPECT_NE(run("ops --search sort").out.find("argsort"), std::string::npos);
  EXPECT_EQ(run("ops --search sort --group reduce").code, 1);
  const Result nothing = run("ops --search 'no such thing'");
  EXPECT_EQ(nothing.code, 1);
  EXPECT_NE(nothing.err.find("nothing is found for 'no such thing'"), std::string::npos) << nothing.err;
}

TEST_F(Cli, Completes) {
  const auto lines = [&](const std::string& words) {
    const Result done = run("complete -- " + words);
    EXPECT_EQ(done.code, 0) << done.err;
    std::vector<std::string> all;
    for (size_t start = 0; start < done.out.size(); start = done.out.find('\n', start) + 1)
      all.push_back(done.out.substr(start, done.out.find('\n', start) - start));
    return all;
  };
  using Words = std::vector<std::string>;
  EXPECT_EQ(lines("gr"), Words({"graph"}));
  EXPECT_EQ(lines("graph r"), Words({"run"}));
  EXPECT_EQ(lines("run maxpool2d_"), Words({"maxpool2d_bp"}));
  EXPECT_EQ(lines("run maxpool2d --kern"), Words({"--kernel"}));
  EXPECT_EQ(lines("run maxpool2d --layout n"), Words({"nchw", "nhwc"}));
  EXPECT_EQ(lines("run -i x.npy maxpool2d --inp"), Words({"--input"}));
  EXPECT_EQ(lines("completion ''"), Words({"bash", "fish", "zsh"}));
  // Files.
  EXPECT_EQ(lines("run add -i ''"), Words());
  EXPECT_EQ(lines("run add x"), Words());
  const Words all = lines("''");
  EXPECT_NE(std::find(all.begin(), all.end(), "info"), all.end());
  EXPECT_EQ(std::find(all.begin(), all.end(), "complete"), all.end());
}

TEST_F(Cli, CompletesInBash) {
  const Result done = run("version >&2", "err.txt",
                          "PATH=$(dirname '" NDFORGE_CLI
                          "'):$PATH bash -c 'source <(ndforge completion bash); COMP_WORDS=(ndforge run softm); "
                          "COMP_CWORD=2; _ndforge; printf \"%s\\n\" \"${COMPREPLY[@]}\"'; ");
  EXPECT_NE(done.out.find("softmax\n"), std::string::npos) << done.out << done.err;
  EXPECT_EQ(run("completion tcsh").code, 2);
}

TEST_F(Cli, StandardStreams) {
  const Result piped = run("run reduce_sum -i -", "err.txt", "'" NDFORGE_CLI "' run add -i - -i y.npy -o - < x.npy | ");
  ASSERT_EQ(piped.code, 0) << piped.err;
  EXPECT_NE(piped.out.find("231"), std::string::npos) << piped.out;
  ASSERT_EQ(run("run add -i x.npy -i y.npy -o - > z.npy").code, 0);
  EXPECT_EQ(result().bytes, bytesOf<float>({11, 22, 33, 44, 55, 66}));
  EXPECT_EQ(run("run add -i - -i y.npy < text.npy").code, 1);
  EXPECT_EQ(run("run unique -i x.npy -o - -o -").code, 2);
}

}  // namespace

#endif
