// The command `ndforge`, run as a user runs it: files in, files and text out, exit codes, one line per error.
#include <gtest/gtest.h>

#ifdef NDFORGE_CLI

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include <loops/OpGroup.h>
#include <ops/declarable/DeclarableOp.h>
#include "NpyTestTools.h"
#include "cnpy/Npy.h"
#include "system/config.h"

namespace {

using namespace sd;
using namespace test;

struct Result {
  int code;
  std::string out, err;
};

/// Runs `ndforge <arguments>` in a temporary folder that contains the inputs.
class Cli : public testing::Test {
 protected:
  void SetUp() override {
#if !defined(SD_ALL_OPS) || (defined(SD_SELECTIVE_TYPES) && \
                             !(defined(HAS_BOOL) && defined(HAS_DOUBLE) && defined(HAS_INT32) && defined(HAS_LONG)))
    GTEST_SKIP() << "operations or types that these tests use are not in this build";
#endif
    fs::create_directory(folder_.path);
    save("x.npy", DataType::FLOAT32, {2, 3}, bytesOf<float>({1, 2, 3, 4, 5, 6}));
    save("y.npy", DataType::FLOAT32, {2, 3}, bytesOf<float>({10, 20, 30, 40, 50, 60}));
    save("row.npy", DataType::FLOAT32, {3}, bytesOf<float>({100, 200, 300}));
    save("column.npy", DataType::FLOAT32, {2}, bytesOf<float>({-1, 1}));
    save("one.npy", DataType::FLOAT32, {1}, bytesOf<float>({0.5f}));
    save("ints.npy", DataType::INT32, {4}, bytesOf<int>({-7, 7, 8, 9}));
    save("empty.npy", DataType::FLOAT32, {0, 3}, {});
    save("nans.npy", DataType::DOUBLE, {3}, bytesOf<double>({std::nan(""), 2, 4}));
    // [[1, 2, 3], [4, 5, 6]] in column-major order
    const std::vector<char> columns = bytesOf<float>({1, 4, 2, 5, 3, 6});
    npy::save(folder_.path + "/f.npy", DataType::FLOAT32, 'f', {2, 3}, columns.data());
    const std::vector<char> row = bytesOf<float>({100, 200, 300});
    npy::saveNpz(folder_.path + "/one.npz", {{"row", {DataType::FLOAT32, 'c', {3}, row.data()}}});
    npy::saveNpz(folder_.path + "/two.npz", {{"row", {DataType::FLOAT32, 'c', {3}, row.data()}},
                                             {"other", {DataType::FLOAT32, 'c', {1}, row.data()}}});
    write(folder_.path + "/text.npy", "this is no array");
  }
  void TearDown() override { fs::remove_all(folder_.path); }

  void save(const char* name, DataType dtype, const std::vector<LongType>& dims, const std::vector<char>& bytes) {
    npy::save(folder_.path + "/" + name, dtype, 'c', dims, bytes.data());
  }

  /// `before` is shell code that runs first. Redirections in the arguments precede the one to out.txt.
  Result run(const std::string& arguments, const std::string& standardError = "err.txt",
             const std::string& before = "") {
    const std::string command = "cd '" + folder_.path + "' && { " + before + "'" NDFORGE_CLI "' " + arguments +
                                "; } > out.txt 2> " + standardError;
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contentOf(folder_.path + "/out.txt"),
            contentOf(folder_.path + "/err.txt")};
  }

  npy::Array result(const std::string& file = "z.npy") { return npy::load(folder_.path + "/" + file); }

  TemporaryFile folder_{"-cli"};
};

TEST_F(Cli, RunsOperationsOnFiles) {
  const struct {
    const char* arguments;
    DataType dtype;
    std::vector<LongType> dims;
    std::vector<char> bytes;
  } cases[] = {
      // two inputs: pairwise, NumPy's broadcast, along dimensions
      {"Add -i x.npy -i y.npy", DataType::FLOAT32, {2, 3}, bytesOf<float>({11, 22, 33, 44, 55, 66})},
      {"Subtract -i x.npy -i f.npy", DataType::FLOAT32, {2, 3}, bytesOf<float>({0, 0, 0, 0, 0, 0})},
      {"Add -i x.npy -i row.npy", DataType::FLOAT32, {2, 3}, bytesOf<float>({101, 202, 303, 104, 205, 306})},
      {"Subtract -i row.npy -i x.npy", DataType::FLOAT32, {2, 3}, bytesOf<float>({99, 198, 297, 96, 195, 294})},
      {"Add -i x.npy -i column.npy --dims 0", DataType::FLOAT32, {2, 3}, bytesOf<float>({0, 1, 2, 5, 6, 7})},
      {"Subtract -i column.npy -i x.npy --dims -2",
       DataType::FLOAT32,
       {2, 3},
       bytesOf<float>({-2, -3, -4, -3, -4, -5})},
      {"Remainder -i y.npy -i row.npy", DataType::FLOAT32, {2, 3}, bytesOf<float>({10, 20, 30, 40, 50, 60})},
      {"GreaterThan -i x.npy -i row.npy", DataType::BOOL, {2, 3}, {0, 0, 0, 0, 0, 0}},
      {"IntAnd -i ints.npy -i ints.npy", DataType::INT32, {4}, bytesOf<int>({-7, 7, 8, 9})},
      // a scalar, from the command line or from a file
      {"Multiply -i x.npy --scalar -2", DataType::FLOAT32, {2, 3}, bytesOf<float>({-2, -4, -6, -8, -10, -12})},
      {"LeakyRELU -i column.npy -i one.npy", DataType::FLOAT32, {2}, bytesOf<float>({-0.5f, 1})},
      {"Step -i x.npy -i column.npy --dims 1", DataType::FLOAT32, {2, 3}, bytesOf<float>({1, 1, 1, 1, 1, 1})},
      {"LessThan -i ints.npy --scalar 8", DataType::BOOL, {4}, {1, 1, 0, 0}},
      // one input
      {"Neg -i f.npy", DataType::FLOAT32, {2, 3}, bytesOf<float>({-1, -2, -3, -4, -5, -6})},
      {"Square -i ints.npy", DataType::INT32, {4}, bytesOf<int>({49, 49, 64, 81})},
      {"Sqrt -i ints.npy --dtype uint8",
       DataType::FLOAT32,
       {4},
       bytesOf<float>({std::sqrt(249.f), std::sqrt(7.f), std::sqrt(8.f), 3})},
      {"IsNan -i nans.npy", DataType::BOOL, {3}, {1, 0, 0}},
      {"transform.ClipByValue -i x.npy --extra 2,4.5",
       DataType::FLOAT32,
       {2, 3},
       bytesOf<float>({2, 2, 3, 4, 4.5f, 4.5f})},
      {"MatchConditionBool -i ints.npy --extra 8,0,5", DataType::BOOL, {4}, {0, 0, 1, 1}},
      // reductions
      {"Sum -i x.npy", DataType::FLOAT32, {}, bytesOf<float>({21})},
      {"Sum -i f.npy --dims 0", DataType::FLOAT32, {3}, bytesOf<float>({5, 7, 9})},
      {"Max -i x.npy --dims -1 --keep-dims", DataType::FLOAT32, {2, 1}, bytesOf<float>({3, 6})},
      {"Mean -i ints.npy", DataType::FLOAT32, {}, bytesOf<float>({4.25f})},
      {"Sum -i x.npy --dims 0,1 --dtype float64", DataType::DOUBLE, {}, bytesOf<double>({21})},
      {"NormP -i row.npy --extra 1", DataType::FLOAT32, {}, bytesOf<float>({600})},
      {"reduce.IsNan -i nans.npy", DataType::BOOL, {}, {1}},
      {"CountNonZero -i ints.npy", DataType::INT64, {}, bytesOf<int64_t>({4})},
      {"IndexMax -i x.npy --dims 1", DataType::INT64, {2}, bytesOf<int64_t>({2, 2})},
      {"SummaryStatsVariance -i x.npy --dims 1", DataType::FLOAT32, {2}, bytesOf<float>({2.f / 3, 2.f / 3})},
      {"SummaryStatsVariance -i x.npy --dims 1 --bias-corrected", DataType::FLOAT32, {2}, bytesOf<float>({1, 1})},
      {"Dot -i x.npy -i y.npy", DataType::FLOAT32, {}, bytesOf<float>({910})},
      {"ManhattanDistance -i x.npy -i y.npy --dims 1", DataType::FLOAT32, {2}, bytesOf<float>({54, 135})},
      {"ManhattanDistance -i x.npy -i y.npy --dims 1 --all",
       DataType::FLOAT32,
       {2, 2},
       bytesOf<float>({54, 144, 45, 135})},
      {"Dot -i x.npy -i f.npy --dims 0 --all",
       DataType::FLOAT32,
       {3, 3},
       bytesOf<float>({17, 22, 27, 22, 29, 36, 27, 36, 45})},
      {"Dot -i x.npy -i row.npy --dims -1 --all", DataType::FLOAT32, {2, 1}, bytesOf<float>({1400, 3200})},
      {"ManhattanDistance -i empty.npy -i x.npy --dims 1 --all", DataType::FLOAT32, {0, 2}, {}},
      {"Sum -i empty.npy", DataType::FLOAT32, {}, bytesOf<float>({0})},
      {"Sum -i empty.npy --dims 0", DataType::FLOAT32, {3}, bytesOf<float>({0, 0, 0})},
      {"Neg -i empty.npy", DataType::FLOAT32, {0, 3}, {}},
      // qualified names, lower case, archives
      {"pairwise.Add -i x.npy -i y.npy", DataType::FLOAT32, {2, 3}, bytesOf<float>({11, 22, 33, 44, 55, 66})},
      {"PAIRWISE_TRANSFORM:6 -i y.npy -i x.npy", DataType::FLOAT32, {2, 3}, bytesOf<float>({9, 18, 27, 36, 45, 54})},
      {"SCALAR.add -i x.npy --scalar 1e0", DataType::FLOAT32, {2, 3}, bytesOf<float>({2, 3, 4, 5, 6, 7})},
      {"Add -i x.npy -i two.npz:row", DataType::FLOAT32, {2, 3}, bytesOf<float>({101, 202, 303, 104, 205, 306})},
      {"Sum -i one.npz", DataType::FLOAT32, {}, bytesOf<float>({600})},
      // not random, although it has no input
      {"Linspace --shape 5 --extra 0,4,0", DataType::FLOAT32, {5}, bytesOf<float>({0, 1, 2, 3, 4})},
  };
  for (const auto& [arguments, dtype, dims, bytes] : cases) {
    SCOPED_TRACE(arguments);
    fs::remove(folder_.path + "/z.npy");
    const Result done = run(std::string("run ") + arguments + " -o z.npy");
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(done.out, "");
    EXPECT_EQ(done.err, "");
    const npy::Array z = result();
    EXPECT_EQ(z.dtype, dtype);
    EXPECT_EQ(z.dims, dims);
    EXPECT_EQ(z.bytes, bytes);
  }
}

TEST_F(Cli, WritesArchives) {
  ASSERT_EQ(run("run Neg -i row.npy -o z.npz").code, 0);
  EXPECT_EQ(npy::loadNpz(folder_.path + "/z.npz", "z").bytes, bytesOf<float>({-100, -200, -300}));
}

TEST_F(Cli, RunsCustomOperationsOnFiles) {
  save("indices.npy", DataType::INT64, {3}, bytesOf<int64_t>({2, 0, 2}));
  save("eye.npy", DataType::FLOAT32, {3, 1}, bytesOf<float>({1, 0, 0}));
  const struct {
    const char* arguments;
    DataType dtype;
    std::vector<LongType> dims;
    std::vector<char> bytes;
  } cases[] = {
      {"add -i x.npy -i row.npy", DataType::FLOAT32, {2, 3}, bytesOf<float>({101, 202, 303, 104, 205, 306})},
      {"subtract -i x.npy -i f.npy", DataType::FLOAT32, {2, 3}, bytesOf<float>({0, 0, 0, 0, 0, 0})},
      {"subtract -i y=x.npy -i x=y.npy", DataType::FLOAT32, {2, 3}, bytesOf<float>({9, 18, 27, 36, 45, 54})},
      {"subtract -i y=x.npy -i y.npy", DataType::FLOAT32, {2, 3}, bytesOf<float>({9, 18, 27, 36, 45, 54})},
      {"SUBTRACT -i row.npy -i two.npz:row", DataType::FLOAT32, {3}, bytesOf<float>({0, 0, 0})},
      {"subtract -i empty.npy -i empty.npy", DataType::FLOAT32, {0, 3}, {}},
      {"matmul -i x.npy -i eye.npy", DataType::FLOAT32, {2, 1}, bytesOf<float>({1, 4})},
      {"matmul -i x.npy -i y.npy --int 0,1", DataType::FLOAT32, {2, 2}, bytesOf<float>({140, 320, 320, 770})},
      {"gather -i x.npy -i indices.npy --int -1", DataType::FLOAT32, {2, 3}, bytesOf<float>({3, 1, 3, 6, 4, 6})},
      {"reduce_sum -i x.npy --int 0", DataType::FLOAT32, {3}, bytesOf<float>({5, 7, 9})},
      {"reduce_sum -i x.npy --int 0 --bool true", DataType::FLOAT32, {1, 3}, bytesOf<float>({5, 7, 9})},
      // the last input moves up when the optional one before it is omitted
      {"cumsum_bp -i x.npy -i y.npy --int 0,0,1",
       DataType::FLOAT32,
       {2, 3},
       bytesOf<float>({60, 50, 30, 150, 110, 60})},
      // a custom operation takes precedence over the numbered one with the same name
      {"ClipByValue -i x.npy --float 2,4.5", DataType::FLOAT32, {2, 3}, bytesOf<float>({2, 2, 3, 4, 4.5f, 4.5f})},
  };
  for (const auto& [arguments, dtype, dims, bytes] : cases) {
    SCOPED_TRACE(arguments);
    fs::remove(folder_.path + "/z.npy");
    const Result done = run(std::string("run ") + arguments + " -o z.npy");
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(done.out, "");
    EXPECT_EQ(done.err, "");
    const npy::Array z = result();
    EXPECT_EQ(z.dtype, dtype);
    EXPECT_EQ(z.dims, dims);
    EXPECT_EQ(z.bytes, bytes);
  }
}

TEST_F(Cli, WritesEveryOutputOfAnOperation) {
  // the products of eps and the other operand
  const std::string gradient = "run multiply_bp -i x.npy -i y.npy -i x.npy ";
  const std::vector<char> ofX = bytesOf<float>({10, 40, 90, 160, 250, 360}),
                          ofY = bytesOf<float>({1, 4, 9, 16, 25, 36});
  ASSERT_EQ(run(gradient + "-o a.npy -o b.npy").code, 0);
  EXPECT_EQ(result("a.npy").bytes, ofX);
  EXPECT_EQ(result("b.npy").bytes, ofY);
  ASSERT_EQ(run(gradient + "-o both.npz").code, 0);
  const std::vector<std::string> names = npy::namesInNpz(folder_.path + "/both.npz");
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(npy::loadNpz(folder_.path + "/both.npz", names[0]).bytes, ofX);
  EXPECT_EQ(npy::loadNpz(folder_.path + "/both.npz", names[1]).bytes, ofY);
  const std::string summary = run(gradient).out;
  for (const char* text : {": float32 [2, 3]\nmin 10  max 360", ": float32 [2, 3]\nmin 1  max 36"})
    EXPECT_NE(summary.find(text), std::string::npos) << summary;
}

#ifdef NDFORGE_PLUGIN
TEST_F(Cli, LoadsLibrariesOfOperations) {
  const std::string load = "--load '" NDFORGE_PLUGIN "' ";
  for (const std::string& arguments : {load + "run rescale -i row.npy --float 2,1 -o z.npy",
                                       "run rescale " + load + "-i row.npy --float 2,1 -o z.npy"}) {
    fs::remove(folder_.path + "/z.npy");
    const Result done = run(arguments);
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(result().bytes, bytesOf<float>({201, 401, 601}));
  }
  const std::string info = run(load + "info rescale").out;
  EXPECT_NE(info.find("rescale  (plugin, custom)"), std::string::npos) << info;
  EXPECT_NE(info.find("library           libcli_plugin.so"), std::string::npos) << info;
  EXPECT_EQ(nlohmann::json::parse(run(load + "ops --group plugin --json").out).size(), 2u);
  EXPECT_EQ(run(load + "run logistic -i row.npy -i row.npy -o z.npy").code, 0);
  const std::string logistic = run(load + "info logistic").out;
  EXPECT_NE(logistic.find("y * x * (1 - x)"), std::string::npos) << logistic;
  EXPECT_EQ(run(load + "bench rescale --shape 10 --float 2,1 --seconds 0.01").code, 0);
  const Result refused = run(load + "run rescale -i row.npy --float 2");
  EXPECT_EQ(refused.code, 2) << refused.err;
  EXPECT_NE(refused.err.find("rescale takes at least 2 values of --float (numbers), 1 given"), std::string::npos)
      << refused.err;
}
#endif

TEST_F(Cli, EqualSeedsGiveEqualNumbers) {
  const std::string draw = "run UniformDistribution --shape 10x10 --extra 2,3 --dtype float64 ";
  ASSERT_EQ(run(draw + "--seed 7 -o a.npy").code, 0);
  ASSERT_EQ(run(draw + "--seed 7 -o b.npy").code, 0);
  ASSERT_EQ(run(draw + "--seed 8 -o c.npy").code, 0);
  const npy::Array a = result("a.npy");
  EXPECT_EQ(a.dims, (std::vector<LongType>{10, 10}));
  EXPECT_EQ(a.dtype, DataType::DOUBLE);
  EXPECT_EQ(a.bytes, result("b.npy").bytes);
  EXPECT_NE(a.bytes, result("c.npy").bytes);
  const double* values = reinterpret_cast<const double*>(a.bytes.data());
  EXPECT_TRUE(std::all_of(values, values + 100, [](double v) { return v >= 2 && v < 3; }));
}

TEST_F(Cli, BernoulliTakesItsProbabilityWithoutX) {
  for (const auto& [p, one] : {std::pair("1", true), std::pair("0", false)}) {
    const Result drawn =
        run(std::string("run random.BernoulliDistribution --shape 4x5 --seed 3 -o b.npy --extra ") + p);
    ASSERT_EQ(drawn.code, 0) << drawn.err;
    const npy::Array b = result("b.npy");
    EXPECT_EQ(b.dims, (std::vector<LongType>{4, 5}));
    const float* values = reinterpret_cast<const float*>(b.bytes.data());
    EXPECT_TRUE(std::all_of(values, values + 20, [one = one](float v) { return v == (one ? 1.f : 0.f); }));
  }
  const Result missing = run("run random.BernoulliDistribution --shape 4x5");
  EXPECT_EQ(missing.code, 1) << missing.err;
  EXPECT_NE(missing.err.find("1 extra parameters are needed"), std::string::npos) << missing.err;
  EXPECT_EQ(run("run random.BernoulliDistribution --shape 4x5 --extra 0.5,1").code, 2);
}

TEST_F(Cli, PrintsASummaryWhenThereIsNoOutput) {
  const struct {
    const char* arguments;
    const char* text;
  } cases[] = {
      {"Neg -i x.npy", "float32 [2, 3]\nmin -6  max -1  mean -3.5\n[-1, -2, -3, -4, -5, -6]\n"},
      {"Identity -i nans.npy", "float64 [3]\nmin 2  max 4  mean 3  nan 1\n[nan, 2, 4]\n"},
      {"Sum -i ints.npy", "int32 []\nmin 17  max 17  mean 17\n[17]\n"},
      {"GreaterThan -i ints.npy --scalar 0", "bool [4]\nmin false  max true  mean 0.75\n[false, true, true, true]\n"},
      {"Neg -i empty.npy", "float32 [0, 3]\nno elements\n[]\n"},
      {"Linspace --shape 100 --extra 0,99,0",
       "float32 [100]\nmin 0  max 99  mean 49.5\n[0, 1, 2, 3, 4, 5, 6, 7, ...]\n"},
  };
  for (const auto& [arguments, text] : cases) {
    const Result done = run(std::string("run ") + arguments);
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(done.out, text);
  }
}

TEST_F(Cli, BadUsageExitsWith2AndBadDataWith1) {
  const struct {
    const char* arguments;
    int code;
    const char* message;
  } cases[] = {
      {"", 2, "no subcommand given"},
      {"fly", 2, "fly"},
      {"run", 2, "NAME is required"},
      {"run Add --fast", 2, "--fast"},
      {"run Adds -i x.npy -i y.npy", 2, "there is no operation 'Adds'; the nearest are Add"},
      {"run Adds -i no.npy", 2, "there is no operation 'Adds'"},
      {"run nothing.Add -i x.npy", 2, "there is no group 'nothing'"},
      {"run SCALAR:9 -i x.npy", 2, "there is no operation 'SCALAR:9'"},
      {"run SCALAR:x -i x.npy", 2, "a number must follow ':'"},
      {"run Add -i x.npy", 2, "Add was given one input; pairwise.Add takes two inputs; scalar.Add takes"},
      {"run Add -i x.npy -i x.npy -i x.npy", 2, "3 inputs were given"},
      {"run Exp -i x.npy -i x.npy", 2, "Exp was given two inputs; transform.Exp takes one input"},
      {"run Exp -i x.npy --keep-dims", 2, "--keep-dims is for reductions"},
      {"run Sum -i x.npy --all", 2, "--all is for distances"},
      {"run Dot -i x.npy -i y.npy --all", 2, "--all needs --dims"},
      {"run Dot -i x.npy -i y.npy --dims 1 --all --keep-dims", 2, "--keep-dims is for reductions"},
      {"run Sum -i x.npy --bias-corrected", 2, "--bias-corrected is for variance operations"},
      {"run Sum -i x.npy --seed 1", 2, "--seed is for random operations"},
      {"run Sum -i x.npy --shape 3", 2, "--shape is for random operations without inputs"},
      {"run Exp -i x.npy --extra 1", 2, "transform.Exp takes no values of --extra, 1 given"},
      {"run NormP -i x.npy", 2, "reduce.NormP takes 1 value of --extra, 0 given"},
      {"run Add -i x.npy --scalar ten", 2, "--scalar: 'ten' is not a number"},
      {"run NormP -i x.npy --extra p", 2, "--extra: 'p' is not a number"},
      {"run Sum -i x.npy --dims first", 2, "--dims"},
      {"run Exp -i x.npy --dtype complex64", 2, "there is no type 'complex64'; the types are bool, int8"},
      {"run Exp -i x.npy -o z.txt", 2, "'z.txt' is neither a .npy nor a .npz file"},
      {"run Linspace --shape 3y4 --extra 0,1,0", 2, "'3y4' is not a shape"},
      {"run Linspace --shape -3 --extra 0,1,0", 2, "'-3' is not a shape"},
      {"run Linspace --shape 4294967296x4294967296 --extra 0,1,0", 2, "too many dimensions or elements"},
      {"bench Add", 2, "--shape is required"},
      {"bench Add --shape 10 --seconds 0", 2, "--seconds"},
      {"ops --group nothing", 2, "there is no group 'nothing'; the groups are activations"},
      {"info Nothing", 2, "there is no operation 'Nothing'"},
      {"run add", 2, "add needs inputs, but none are given; the first is x"},
      {"run add -i x.npy", 2, "add: the input 'y' (number 1) is missing"},
      {"run add -i x.npy -i x.npy -i x.npy", 2, "add takes at most 2 inputs, 3 given"},
      {"run add -i x.npy -i w=y.npy", 2, "add has no input 'w'; its inputs are x, y"},
      {"run add -i x.npy -i x=y.npy", 2, "add: the input 'x' is given twice"},
      {"run add -i x.npy -i y.npy --scalar 2", 2, "add: --scalar is for numbered operations, such as pairwise.Add"},
      {"run add -i x.npy -i y.npy --shape 2", 2, "--shape is for random numbered operations"},
      {"run add -i x.npy -i y.npy --seed 2", 2, "add: --seed is for random operations"},
      {"run add -i x.npy -i y.npy -o a.npy -o b.npy", 2, "add: its outputs are z; -o is given 2 times"},
      {"run add -i x.npy -i y.npy --int 1.5", 2, "--int: '1.5' is not an integer"},
      {"run add -i x.npy -i y.npy --float f", 2, "--float: 'f' is not a number"},
      {"run add -i x.npy -i y.npy --bool yes", 2, "--bool: 'yes' is neither true nor false"},
      {"run add -i x.npy -i y.npy --dtype float32,complex64", 2, "there is no type 'complex64'"},
      {"run Exp -i x.npy --int 1", 2, "Exp: --int is for custom operations"},
      {"run Exp -i x.npy --dtype float32,int8", 2, "Exp: --dtype takes one type"},
      {"run Exp -i x.npy -o a.npy -o b.npy", 2, "Exp has one output, -o is given 2 times"},
      {"run conv2d -i x.npy -i x.npy", 2, "conv2d takes at least 9 values of --int (kH, kW"},
      {"run add -i row.npy -i column.npy", 1, "[add]"},
      {"run gather -i x.npy -i ints.npy --int 0", 1, "[gather]"},
      {"run igamma -i ints.npy -i ints.npy", 1, "[igamma] input 0 'x': its type int32 is not one of float16"},
      {"bench add --shape 2 --shape 3", 1, "[add]"},
      {"bench add --shape 2:complex64 --shape 3", 2, "there is no type 'complex64'"},
      {"bench Add --shape 2 --shape 3", 2, "--shape is given 2 times"},
      {"--load no.so env", 1, "'no.so' cannot be read"},
      {"run Exp -i no.npy", 1, "'no.npy': there is no such file"},
      {"run Exp -i text.npy", 1, "'text.npy': not a .npy file"},
      {"run Exp -i two.npz", 1, "has several arrays (row, other); choose one with two.npz:row"},
      {"run Exp -i two.npz:third", 1, "it has no array 'third'"},
      {"run Exp -i x.npy -o no/folder/z.npy", 1, "'no/folder/z.npy': cannot be opened for writing"},
      {"run Exp -i ints.npy", 1, "Exp"},
      {"run Add -i x.npy -i ints.npy", 1, "the inputs have the types float32 and int32; --dtype casts both"},
      {"run Add -i row.npy -i column.npy", 1, "[Add] shapes [3] and [2] do not broadcast"},
      {"run Add -i x.npy -i row.npy --dims 0", 1, "Add"},
      {"run Add -i ints.npy --scalar 0.5", 1, "the value 0.5 does not fit into int32"},
      {"run Add -i ints.npy --scalar 3000000000", 1, "the value 3000000000 does not fit into int32"},
      {"run Divide -i ints.npy --scalar 0", 1, "Divide"},
      {"run Sum -i x.npy --dims 2", 1, "2"},
      {"run Sum -i x.npy --dims 0,0", 1, "0"},
      {"run Dot -i x.npy -i y.npy --dims 2 --all", 1, "2"},
      {"run Dot -i x.npy -i row.npy --dims 0 --all", 1, "Dot"},
      {"run GaussianDistribution -i ints.npy --extra 0,1", 1, "GaussianDistribution"},
  };
  for (const auto& [arguments, code, message] : cases) {
    const Result done = run(arguments);
    EXPECT_EQ(done.code, code) << arguments;
    EXPECT_EQ(done.out, "") << arguments;
    EXPECT_EQ(done.err.rfind("ndforge: ", 0), 0u) << done.err;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
    EXPECT_NE(done.err.find(message), std::string::npos) << arguments << ": " << done.err << "  expected: " << message;
  }
  EXPECT_FALSE(fs::exists(folder_.path + "/z.npy"));
}

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
    EXPECT_EQ(list[i]["summary"], registered[name]->documentation().summary) << name;
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
      {"hinge_loss", "gradient          hinge_loss_grad\n"},
      {"maximum", "numbered          pairwise.MaxPairwise, scalar.MaxPairwise, broadcast.MaxPairwise\n"},
      {"create_view", "view              output 0 shares the memory of input 0\n"},
      {"pairwise.MaxPairwise", "custom            maximum\n"},
      {"Tanh", "derivative        transform.TanhDerivative\n"},
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
  const std::string folder = folder_.path + "/site/";
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
  fs::create_directory(folder_.path + "/taken");
  write(folder_.path + "/taken/all.html", "mine");
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
  EXPECT_EQ(contentOf(folder_.path + "/taken/all.html"), "mine");
  EXPECT_FALSE(fs::exists(folder_.path + "/taken/index.html"));
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

TEST_F(Cli, AFailedWriteLeavesTheOldFile) {
  const std::vector<char> zeros(4096, 0);
  save("large.npy", DataType::FLOAT32, {1024}, zeros);
  fs::create_directory(folder_.path + "/site");
  for (const char* file : {"z.npy", "z.npz"}) write(folder_.path + "/" + file, "old");
  const std::string page = "<!-- ndforge docs -->";
  write(folder_.path + "/site/index.html", page);
  const auto files = [&] {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path)) names.insert(entry.path());
    return names;
  };
  // Files are limited to one block, and the signal that would end the command is ignored.
  const std::string limit = "trap '' XFSZ; ulimit -f 1; ";
  const auto before = files();
  for (const char* target : {"z.npy", "z.npz"}) {
    const Result done = run(std::string("run Neg -i large.npy -o ") + target, "err.txt", limit);
    EXPECT_EQ(done.code, 1) << target;
    EXPECT_NE(done.err.find(std::string("'") + target + "': cannot be written: "), std::string::npos) << done.err;
    EXPECT_EQ(contentOf(folder_.path + "/" + target), "old");
  }
  EXPECT_EQ(run("run Neg -i large.npy -o new.npy", "err.txt", limit).code, 1);
  const Result docs = run("docs --out site", "err.txt", limit);
  EXPECT_EQ(docs.code, 1);
  EXPECT_NE(docs.err.find("'site/index.html': cannot be written: "), std::string::npos) << docs.err;
  EXPECT_EQ(contentOf(folder_.path + "/site/index.html"), page);
  auto after = files();
  for (const char* own : {"/out.txt", "/err.txt"}) after.erase(folder_.path + own);
  EXPECT_EQ(after, before);
}

TEST_F(Cli, WritesThroughLinksAndKeepsPermissions) {
  const std::string folder = folder_.path + "/";
  const std::vector<char> negated = bytesOf<float>({-100, -200, -300});
  const auto negate = [&](const std::string& target) {
    const Result done = run("run Neg -i row.npy -o " + target);
    EXPECT_EQ(done.code, 0) << done.err;
  };
  // An existing file keeps its permissions; those of a new file follow the umask.
  write(folder + "z.npy", "old");
  chmod((folder + "z.npy").c_str(), 0640);
  negate("z.npy");
  EXPECT_EQ(result().bytes, negated);
  EXPECT_EQ(fs::status(folder + "z.npy").permissions(), fs::perms(0640));
  EXPECT_EQ(run("run Neg -i row.npy -o masked.npy", "err.txt", "umask 027; ").code, 0);
  EXPECT_EQ(fs::status(folder + "masked.npy").permissions(), fs::perms(0640));

  // A chain of two links, and a link to a file that does not exist yet.
  fs::create_directory(folder + "inner");
  write(folder + "inner/real.npy", "old");
  fs::create_symlink("inner/real.npy", folder + "link.npy");
  fs::create_symlink("link.npy", folder + "link2.npy");
  fs::create_symlink("inner/later.npy", folder + "dangling.npy");
  negate("link2.npy");
  negate("dangling.npy");
  EXPECT_TRUE(fs::is_symlink(folder + "link.npy") && fs::is_symlink(folder + "link2.npy"));
  EXPECT_EQ(result("inner/real.npy").bytes, negated);
  EXPECT_EQ(result("inner/later.npy").bytes, negated);

  // A hard link is preserved, also when the content becomes shorter.
  write(folder + "one.npy", std::string(10000, 'x'));
  fs::create_hard_link(folder + "one.npy", folder + "other.npy");
  negate("one.npy");
  EXPECT_EQ(fs::hard_link_count(folder + "one.npy"), 2u);
  EXPECT_EQ(result("other.npy").bytes, negated);
  EXPECT_EQ(contentOf(folder + "other.npy"), contentOf(folder + "z.npy"));

  // The output file is also the input, which is read before it is overwritten.
  negate("row.npy");
  EXPECT_EQ(result("row.npy").bytes, negated);
}

TEST_F(Cli, WritesToPipesAndDevices) {
  const std::string folder = folder_.path + "/";
  fs::create_symlink("/dev/stdout", folder + "out.npy");
  EXPECT_EQ(run("run Neg -i row.npy -o out.npy").code, 0);  // the output goes to out.txt
  EXPECT_EQ(result("out.txt").bytes, bytesOf<float>({-100, -200, -300}));
  EXPECT_EQ(run("run Neg -i row.npy -o out.npy | cat > copy.txt; true; echo").code, 0);
  EXPECT_EQ(result("copy.txt").bytes, bytesOf<float>({-100, -200, -300}));
  EXPECT_TRUE(fs::is_symlink(folder + "out.npy"));
  ASSERT_EQ(mkfifo((folder + "pipe.npy").c_str(), 0600), 0);
  EXPECT_EQ(run("run Neg -i row.npy -o pipe.npy", "err.txt", "cat pipe.npy > piped.npy & ").code, 0);
  for (int i = 0; i < 100 && contentOf(folder + "piped.npy").size() < 140; i++) usleep(20'000);
  EXPECT_EQ(result("piped.npy").bytes, bytesOf<float>({-100, -200, -300}));
  fs::create_symlink("/dev/null", folder + "null.npy");
  EXPECT_EQ(run("run multiply_bp -i x.npy -i y.npy -i x.npy -o null.npy -o null.npy").code, 0);
  EXPECT_TRUE(fs::is_symlink(folder + "null.npy"));
  for (const char* target : {"full.npy", "full.npz"}) {
    fs::create_symlink("/dev/full", folder + target);
    const Result full = run(std::string("run Neg -i row.npy -o ") + target);
    EXPECT_EQ(full.code, 1);
    EXPECT_NE(full.err.find("cannot be written: No space left"), std::string::npos) << full.err;
  }
}

TEST_F(Cli, TwoOutputsAreTwoFiles) {
  const std::string folder = folder_.path + "/";
  fs::create_directory(folder + "inner");
  fs::create_directory_symlink("inner", folder + "alias");
  write(folder + "old.npy", "old");
  fs::create_symlink("old.npy", folder + "link.npy");
  fs::create_hard_link(folder + "old.npy", folder + "hard.npy");
  fs::create_symlink("new.npy", folder + "dangling.npy");
  for (const char* targets : {"-o z.npy -o z.npy", "-o z.npy -o ./z.npy", "-o inner/z.npy -o inner/../inner/z.npy",
                              "-o inner/z.npy -o alias/z.npy", "-o old.npy -o link.npy", "-o old.npy -o hard.npy",
                              "-o hard.npy -o link.npy", "-o new.npy -o dangling.npy", "-o z.npy -o \"$PWD/z.npy\""}) {
    const Result done = run(std::string("run multiply_bp -i x.npy -i y.npy -i x.npy ") + targets);
    EXPECT_EQ(done.code, 2) << targets;
    EXPECT_NE(done.err.find("are the same file"), std::string::npos) << done.err;
  }
  EXPECT_EQ(contentOf(folder + "old.npy"), "old");
  EXPECT_FALSE(fs::exists(folder + "z.npy"));
}

TEST_F(Cli, ClosedStreamsAreNoCrash) {
  const auto code = [&](const std::string& arguments) {
    const int status = std::system(("cd '" + folder_.path + "' && '" NDFORGE_CLI "' " + arguments).c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  EXPECT_EQ(code("info Nothing 2>&-"), 2);
  EXPECT_EQ(code("info Nothing >&- 2>&-"), 2);
  EXPECT_EQ(code("info Nothing <&- >&- 2>&-"), 2);
  EXPECT_EQ(code("info add >&- 2>&-"), 1);
  EXPECT_EQ(code("--help >&- 2>&-"), 1);
  // Messages must not be written into data files, nor data into message files.
  EXPECT_EQ(code("run Neg -i row.npy -o z.npy <&- >&- 2>&-"), 0);
  EXPECT_EQ(result().bytes, bytesOf<float>({-100, -200, -300}));
  const Result closed = run("info add >&-");
  EXPECT_EQ(closed.code, 1);
  EXPECT_NE(closed.err.find("standard output cannot be written"), std::string::npos) << closed.err;
  // When the reader closes the pipe, nothing is reported, whether the signal is delivered or not.
  for (const char* trap : {"", "trap '' PIPE; "}) {
    const Result piped = run("ops --json | head -c 1", "err.txt", trap);
    EXPECT_EQ(piped.out, "[");
    EXPECT_EQ(piped.err, "");
  }
}

TEST_F(Cli, NothingReachesTheTerminalAsItIs) {
  const std::string folder = folder_.path + "/", hostile =
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
  write(folder_.path + "/empty.txt", "");
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

TEST_F(Cli, OutputThatCannotBeWrittenIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  const std::string command = "'" NDFORGE_CLI "' env > /dev/full 2> /dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);
}

}  // namespace

#endif
