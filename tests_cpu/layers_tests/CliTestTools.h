// The command `ndforge`, run as a user runs it: files in, files and text out, exit codes, one line per error.
#ifndef NDFORGE_TESTS_CLITESTTOOLS_H
#define NDFORGE_TESTS_CLITESTTOOLS_H

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "NpyTestTools.h"
#include "cnpy/Npy.h"
#include "system/config.h"

namespace test {

using sd::DataType;
using sd::LongType;
namespace npy = sd::npy;

/// Runs `ndforge <arguments>` in a temporary folder that contains the inputs.
class Cli : public testing::Test {
 protected:
  struct Result {
    int code;
    std::string out, err;
  };

  void SetUp() override {
#if !defined(SD_ALL_OPS) || (defined(SD_SELECTIVE_TYPES) && \
                             !(defined(HAS_BOOL) && defined(HAS_DOUBLE) && defined(HAS_INT32) && defined(HAS_LONG)))
    GTEST_SKIP() << "operations or types that these tests use are not in this build";
#endif
    fs::create_directory(_folder.path);
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
    npy::save(_folder.path + "/f.npy", DataType::FLOAT32, 'f', {2, 3}, columns.data());
    const std::vector<char> row = bytesOf<float>({100, 200, 300});
    npy::saveNpz(_folder.path + "/one.npz", {{"row", {DataType::FLOAT32, 'c', {3}, row.data()}}});
    npy::saveNpz(_folder.path + "/two.npz", {{"row", {DataType::FLOAT32, 'c', {3}, row.data()}},
                                             {"other", {DataType::FLOAT32, 'c', {1}, row.data()}}});
    write(_folder.path + "/text.npy", "this is no array");
  }
  void TearDown() override { fs::remove_all(_folder.path); }

  void save(const char* name, DataType dtype, const std::vector<LongType>& dims, const std::vector<char>& bytes) {
    npy::save(_folder.path + "/" + name, dtype, 'c', dims, bytes.data());
  }

  /// `before` is shell code that runs first. Redirections in the arguments precede the one to out.txt.
  Result run(const std::string& arguments, const std::string& standardError = "err.txt",
             const std::string& before = "") {
    const std::string command = "cd '" + _folder.path + "' && { " + before + "'" NDFORGE_CLI "' " + arguments +
                                "; } > out.txt 2> " + standardError;
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contentOf(_folder.path + "/out.txt"),
            contentOf(_folder.path + "/err.txt")};
  }

  npy::Array result(const std::string& file = "z.npy") { return npy::load(_folder.path + "/" + file); }

  TemporaryFile _folder{"-cli"};
};

}  // namespace test

#endif
