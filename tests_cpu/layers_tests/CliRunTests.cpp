// `ndforge run`: operations on files, what it prints, and calls that are refused.
#ifdef NDFORGE_CLI

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "CliTestTools.h"

namespace {

using namespace sd;
using namespace test;

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
      {"Sqrt -i row.npy --dtype complex64",
       DataType::COMPLEX64,
       {3},
       bytesOf<float>({10, 0, std::sqrt(200.f), 0, std::sqrt(300.f), 0})},
      {"Abs -i column.npy --dtype complex64", DataType::FLOAT32, {2}, bytesOf<float>({1, 1})},
      {"IsFinite -i column.npy --dtype complex128", DataType::BOOL, {2}, {1, 1}},
      {"scalar.Pow -i column.npy --scalar 2 --dtype complex128",
       DataType::COMPLEX128,
       {2},
       bytesOf<double>({1, -0.0, 1, 0})},
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
    fs::remove(_folder.path + "/z.npy");
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
  EXPECT_EQ(npy::loadNpz(_folder.path + "/z.npz", "z").bytes, bytesOf<float>({-100, -200, -300}));
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
    fs::remove(_folder.path + "/z.npy");
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
  const std::vector<std::string> names = npy::namesInNpz(_folder.path + "/both.npz");
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(npy::loadNpz(_folder.path + "/both.npz", names[0]).bytes, ofX);
  EXPECT_EQ(npy::loadNpz(_folder.path + "/both.npz", names[1]).bytes, ofY);
  const std::string summary = run(gradient).out;
  for (const char* text : {": float32 [2, 3]\nmin 10  max 360", ": float32 [2, 3]\nmin 1  max 36"})
    EXPECT_NE(summary.find(text), std::string::npos) << summary;
}

TEST_F(Cli, TakesArgumentsByName) {
  for (const char* arguments : {"-i x.npy --axis 1 --keep-dims", "--axis=-1 --keep_dims=true -i x.npy",
                                "--axis -1 -i x.npy --keep-dims", "-i x.npy --int 1 --keep-dims"}) {
    fs::remove(_folder.path + "/z.npy");
    const Result done = run(std::string("run reduce_sum ") + arguments + " -o z.npy");
    ASSERT_EQ(done.code, 0) << arguments << ": " << done.err;
    EXPECT_EQ(result().dims, (std::vector<LongType>{2, 1})) << arguments;
    EXPECT_EQ(result().bytes, bytesOf<float>({6, 15})) << arguments;
  }
  const struct {
    const char *arguments, *message;
  } refused[] = {
      {"run reduce_sum -i x.npy --axes 1", "did you mean '--axis'?"},
      {"run reduce_sum -i x.npy --axis", "reduce_sum: --axis needs a value"},
      {"run reduce_sum -i x.npy 1", "'1' does not belong to an option"},
      {"run Exp -i x.npy --axis 1", "Exp: '--axis' is not expected; arguments by name are for custom operations"},
      {"ops --axis 1", "The following arguments were not expected: 1 --axis"},
      {"env more", "The following argument was not expected: more"},
  };
  for (const auto& row : refused) {
    const Result done = run(row.arguments);
    EXPECT_EQ(done.code, 2) << row.arguments;
    EXPECT_NE(done.err.find(row.message), std::string::npos) << row.arguments << ": " << done.err;
  }
}

TEST_F(Cli, TakesNamedArgumentsInAnyPlace) {
  for (const char* arguments : {"run clipbyvalue -i row.npy --min 150 --max 250 -o z.npy",
                                "run clipbyvalue --min=150 -i row.npy -o z.npy --max 250"}) {
    fs::remove(_folder.path + "/z.npy");
    const Result done = run(arguments);
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(result().bytes, bytesOf<float>({150, 200, 250}));
  }
  for (const char* shape : {"3,1", "3x1"}) {
    const Result done = run(std::string("run reshape -i row.npy --shape ") + shape);
    EXPECT_EQ(done.out.find("float32 [3, 1]"), 0u) << done.out << done.err;
  }
}

TEST_F(Cli, ArgumentsWithADefaultAreNotDemanded) {
  const struct {
    const char* arguments;
    std::vector<float> values;
  } cases[] = {
      {"top_k -i x.npy", {3, 6}},                            // k = 1
      {"top_k -i x.npy --bool false", {3, 6}},               // k is in another list
      {"relu -i column.npy", {0, 1}},                        // cutoff = 0
      {"cumsum -i row.npy --int 1", {0, 100, 300}},          // exclusive, but not reverse
      {"huber_loss -i one.npy -i one.npy -i one.npy", {0}},  // delta, reduction
  };
  for (const auto& [arguments, values] : cases) {
    const std::string second = std::string(arguments).find("top_k") == 0 ? " -o z.npy -o second.npy" : " -o z.npy";
    const Result done = run("run " + std::string(arguments) + second);
    ASSERT_EQ(done.code, 0) << arguments << ": " << done.err;
    EXPECT_EQ(result().bytes, bytesOf<float>(values)) << arguments;
  }
  EXPECT_EQ(run("bench top_k --shape 10 --seconds 0.001").code, 0);
}

#ifdef NDFORGE_PLUGIN
TEST_F(Cli, LoadsLibrariesOfOperations) {
  const std::string load = "--load '" NDFORGE_PLUGIN "' ";
  for (const std::string& arguments : {load + "run rescale -i row.npy --float 2,1 -o z.npy",
                                       "run rescale " + load + "-i row.npy --float 2,1 -o z.npy"}) {
    fs::remove(_folder.path + "/z.npy");
    const Result done = run(arguments);
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(result().bytes, bytesOf<float>({201, 401, 601}));
  }
  const std::string info = run(load + "info rescale").out;
  EXPECT_NE(info.find("rescale  (plugin, custom)"), std::string::npos) << info;
  EXPECT_NE(info.find("takes             inputs: 1, floats: 2, integers: 0; gives outputs: 1"), std::string::npos)
      << info;
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
      {"Neg -i x.npy", "float32 [2, 3]\nmin -6  max -1  mean -3.5\n[[-1. -2. -3.]\n [-4. -5. -6.]]\n"},
      {"Identity -i nans.npy", "float64 [3]\nmin 2  max 4  mean 3  nan 1\n[nan  2.  4.]\n"},
      {"Sum -i ints.npy", "int32 []\nmin 17  max 17  mean 17\n17\n"},
      {"GreaterThan -i ints.npy --scalar 0", "bool [4]\nmin false  max true  mean 0.75\n[False  True  True  True]\n"},
      {"Neg -i empty.npy", "float32 [0, 3]\nno elements\n[]\n"},
      {"Linspace --shape 100 --extra 0,99,0",
       "float32 [100]\nmin 0  max 99  mean 49.5\n[ 0.  1.  2. ... 97. 98. 99.]\n"},
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
      {"run Exp -i x.npy --dtype complex256", 2, "there is no type 'complex256'; the types are bool, int8"},
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
      {"run add -i x.npy -i y.npy --dtype float32,complex256", 2, "there is no type 'complex256'"},
      {"run Exp -i x.npy --int 1", 2, "Exp: --int is for custom operations"},
      {"run Exp -i x.npy --alpha 1", 2, "Exp: '--alpha' is not expected; arguments by name are for custom operations"},
      {"run clipbyvalue -i x.npy --mim 1 --max 2", 2, "clipbyvalue has no argument --mim; did you mean '--min'"},
      {"run clipbyvalue -i x.npy --min", 2, "clipbyvalue: --min needs a value"},
      {"run clipbyvalue -i x.npy --min low", 2, "--min: 'low' is not a number"},
      {"run Exp -i x.npy --dtype float32,int8", 2, "Exp: --dtype takes one type"},
      {"run Exp -i x.npy -o a.npy -o b.npy", 2, "Exp has one output, -o is given 2 times"},
      {"run maxpool2d -i x.npy", 2, "maxpool2d: the argument --kernel is missing"},
      {"run maxpool2d -i x.npy --stride 1,1", 2, "maxpool2d: the argument --kernel is missing"},
      {"bench maxpool2d --shape 1x1x2x2", 2, "maxpool2d: the argument --kernel is missing"},
      {"bench maxpool2d --shape 1x1x2x2 --int 3", 1, "[maxpool2d] argument 'kernel': 2 values are needed, 1 given"},
      {"run in_top_k -i x.npy -i column.npy", 2, "in_top_k: the argument --k is missing"},
      {"run add -i row.npy -i column.npy", 1, "[add]"},
      {"run gather -i x.npy -i ints.npy --int 0", 1, "[gather]"},
      {"run igamma -i ints.npy -i ints.npy", 1, "[igamma] input 0 'x': its type int32 is not one of float16"},
      {"bench add --shape 2 --shape 3", 1, "[add]"},
      {"bench add --shape 2:complex256 --shape 3", 2, "there is no type 'complex256'"},
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
  EXPECT_FALSE(fs::exists(_folder.path + "/z.npy"));
}

}  // namespace

#endif
