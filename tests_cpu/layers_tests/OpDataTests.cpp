// Makes a test of each case in tests_cpu/data/ops/*.npz.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "OpData.h"

namespace sd::optest {
namespace {

class DataTest : public ::testing::Test {
 public:
  DataTest(std::string family, std::string name) : _family(std::move(family)), _name(std::move(name)) {}
  void TestBody() override {
    try {
      checkCase(readCase(_family, _name));
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }

 private:
  std::string _family, _name;
};

/// The failing test for a file that cannot be read.
class UnreadableFile : public ::testing::Test {
 public:
  explicit UnreadableFile(std::string why) : _why(std::move(why)) {}
  void TestBody() override { FAIL() << _why; }

 private:
  std::string _why;
};

void registerFamily(const std::filesystem::path& file) {
  const std::string family = file.stem().string();
  std::vector<std::string> names;
  try {
    names = caseNames(file);
  } catch (const std::exception& error) {
    ::testing::RegisterTest(
        "Ops", family.c_str(), nullptr, nullptr, __FILE__, __LINE__,
        [why = std::string(error.what())]() -> ::testing::Test* { return new UnreadableFile(why); });
    return;
  }
  for (const std::string& name : names) {
    std::string title = family + "_" + name;
    std::replace_if(
        title.begin(), title.end(), [](unsigned char ch) { return std::isalnum(ch) == 0; }, '_');
    ::testing::RegisterTest("Ops", title.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [family, name]() -> ::testing::Test* { return new DataTest(family, name); });
  }
}

}  // namespace

void registerOpCases() {
  for (const auto& file : dataFiles()) registerFamily(file);
}

}  // namespace sd::optest
