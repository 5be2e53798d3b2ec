// Settings: defaults, values that the setters reject, and values from environment variables.
#include <gtest/gtest.h>
#include <helpers/logger.h>
#include <memory/MemoryType.h>
#include <system/Environment.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

using sd::Environment;

namespace {

Environment& environment() { return Environment::getInstance(); }

TEST(EnvironmentTests, Defaults) {
  EXPECT_EQ(&environment(), &Environment::getInstance());
  EXPECT_TRUE(environment().isCPU());
  EXPECT_FALSE(environment().isDebug() || environment().isVerbose() || environment().isProfiling());
  EXPECT_FALSE(environment().isDetectingLeaks() || environment().precisionBoostAllowed());
  EXPECT_TRUE(environment().isUseONEDNN());
  EXPECT_EQ(environment().elementwiseThreshold(), 1024);
  EXPECT_EQ(environment().tadThreshold(), 1);
  EXPECT_EQ(environment().defaultFloatDataType(), sd::FLOAT32);
  EXPECT_TRUE(environment().capabilities().empty());
  EXPECT_GE(environment().maxThreads(), environment().maxMasterThreads());
  EXPECT_GE(environment().maxMasterThreads(), 1);
  EXPECT_EQ(environment().blasMajorVersion(), 0);
}

TEST(EnvironmentTests, Switches) {
  struct Switch {
    bool (Environment::*get)() const;
    void (Environment::*set)(bool);
  };
  const Switch switches[] = {
      {&Environment::isDebug, &Environment::setDebug},
      {&Environment::isVerbose, &Environment::setVerbose},
      {&Environment::isProfiling, &Environment::setProfiling},
      {&Environment::isDetectingLeaks, &Environment::setLeaksDetector},
      {&Environment::precisionBoostAllowed, &Environment::allowPrecisionBoost},
      {&Environment::helpersAllowed, &Environment::allowHelpers},
      {&Environment::isUseONEDNN, &Environment::setUseONEDNN},
  };
  for (const auto& s : switches) {
    const bool before = (environment().*s.get)();
    (environment().*s.set)(!before);
    EXPECT_EQ((environment().*s.get)(), !before);
    (environment().*s.set)(before);
    EXPECT_EQ((environment().*s.get)(), before);
  }
  environment().setDebug(true);
  EXPECT_FALSE(environment().isDebugAndVerbose());
  environment().setVerbose(true);
  EXPECT_TRUE(environment().isDebugAndVerbose());
  environment().setDebug(false);
  environment().setVerbose(false);
}

TEST(EnvironmentTests, ThresholdsIgnoreWhatIsNotPositive) {
  environment().setElementwiseThreshold(77);
  for (int bad : {0, -5}) environment().setElementwiseThreshold(bad);
  EXPECT_EQ(environment().elementwiseThreshold(), 77);
  environment().setElementwiseThreshold(1024);
  environment().setTadThreshold(9);
  environment().setTadThreshold(0);
  EXPECT_EQ(environment().tadThreshold(), 9);
  environment().setTadThreshold(1);
}

TEST(EnvironmentTests, MasterThreadsStayInRange) {
  const int before = environment().maxMasterThreads();
  const int most = environment().maxThreads();
  environment().setMaxMasterThreads(most + 100);
  EXPECT_EQ(environment().maxMasterThreads(), most);
  environment().setMaxMasterThreads(1);
  environment().setMaxMasterThreads(0);
  environment().setMaxMasterThreads(-3);
  EXPECT_EQ(environment().maxMasterThreads(), 1);
  environment().setMaxThreads(most + 1);
  EXPECT_EQ(environment().maxThreads(), most);
  environment().setMaxMasterThreads(before);
}

TEST(EnvironmentTests, DefaultFloatType) {
  for (auto type : {sd::HALF, sd::DOUBLE, sd::BFLOAT16, sd::FLOAT32}) {
    environment().setDefaultFloatDataType(type);
    EXPECT_EQ(environment().defaultFloatDataType(), type);
  }
  for (auto type : {sd::INT32, sd::FLOAT8, sd::BOOL, sd::UTF8})
    EXPECT_THROW(environment().setDefaultFloatDataType(type), std::runtime_error);
  EXPECT_EQ(environment().defaultFloatDataType(), sd::FLOAT32);
}

TEST(EnvironmentTests, MemoryGroups) {
  const int host = static_cast<int>(sd::memory::MemoryType::HOST);
  const sd::LongType before = environment().getGroupLimit(host);
  environment().setGroupLimit(host, 1LL << 50);
  EXPECT_EQ(environment().getGroupLimit(host), 1LL << 50);
  environment().setGroupLimit(host, before);
  EXPECT_GE(environment().getGroupCounter(host), 0);
  EXPECT_THROW(environment().setGroupLimit(3, 1), std::runtime_error);
  EXPECT_THROW(environment().getGroupCounter(-1), std::runtime_error);
}

TEST(LoggerTests, PrintsToStandardOutput) {
  testing::internal::CaptureStdout();
  sd_printf("%i items\n", 3);
  sd_printv("dims", (std::vector<int>{2, 3}));
  sd_printv("none", std::vector<sd::LongType>());
  sd_debug("hidden %i\n", 1);
  sd_verbose("hidden %i\n", 2);
  environment().setVerbose(true);
  if (true) sd_verbose("shown %i\n", 3);
  sd_logger("hidden %i\n", 4);
  environment().setVerbose(false);
  EXPECT_EQ(sd::Logger::logStatusMsg(sd::Status::BAD_INPUT, "why"), sd::Status::BAD_INPUT);
  EXPECT_EQ(sd::Logger::logKernelFailureMsg(), sd::Status::KERNEL_FAILURE);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "3 items\ndims: [2, 3]\nnone: []\nshown 3\nwhy\n");
}

// Variables are read when the library is loaded, so each row starts the test program again.
class EnvironmentDeathTest : public testing::Test {
 protected:
  static constexpr const char* NAMES[] = {"OMP_NUM_THREADS", "SD_MAX_THREADS", "SD_MASTER_THREADS",
                                          "SD_MAX_PRIMARY_BYTES"};

  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    for (const char* name : NAMES)
      if (const char* value = std::getenv(name)) _before.emplace_back(name, value);
    clear();
  }
  void TearDown() override {
    clear();
    for (const auto& [name, value] : _before) setenv(name.c_str(), value.c_str(), 1);
  }
  static void clear() {
    for (const char* name : NAMES) unsetenv(name);
  }

 private:
  std::vector<std::pair<std::string, std::string>> _before;
};

[[noreturn]] void report() {
  std::fprintf(stderr, "threads %d master %d primary %lld\n", environment().maxThreads(),
               environment().maxMasterThreads(), static_cast<long long>(environment().maxPrimaryMemory()));
  std::exit(0);
}

TEST_F(EnvironmentDeathTest, ReadsVariables) {
  struct Row {
    const char* omp;
    const char* most;
    const char* master;
    const char* expected;
  };
  const Row rows[] = {
      {"5", nullptr, nullptr, "threads 5 master 5 "},
      {"5", "3", nullptr, "threads 3 master 3 "},
      {"5", "8", nullptr, "threads 8 master 5 "},
      {"5", "8", "2", "threads 8 master 2 "},
      {nullptr, "4", "9", "SD_MASTER_THREADS=9 exceeds.*\nthreads 4 master 4 "},
      {"5", "3x", "", "threads 5 master 5 "},
      {"5", "-2", "0", "threads 5 master 5 "},
      {"5", " 3", "99999999999999999999", "threads 5 master 5 "},
      {"5", "2000000", nullptr, "threads 1024 master 5 "},
  };
  for (const auto& row : rows) {
    clear();
    if (row.omp != nullptr) setenv("OMP_NUM_THREADS", row.omp, 1);
    if (row.most != nullptr) setenv("SD_MAX_THREADS", row.most, 1);
    if (row.master != nullptr) setenv("SD_MASTER_THREADS", row.master, 1);
    EXPECT_EXIT(report(), testing::ExitedWithCode(0), row.expected);
  }
}

TEST_F(EnvironmentDeathTest, ReadsMemoryLimit) {
  setenv("OMP_NUM_THREADS", "1", 1);
  setenv("SD_MAX_PRIMARY_BYTES", "123456789012", 1);
  EXPECT_EXIT(report(), testing::ExitedWithCode(0), "primary 123456789012");
  setenv("SD_MAX_PRIMARY_BYTES", "12GB", 1);
  EXPECT_EXIT(report(), testing::ExitedWithCode(0), "primary -1");
}

}  // namespace
