#include "CutBuild.h"

#include <execution/LaunchContext.h>
#include <gtest/gtest.h>
#include <system/config.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace sd::tests {

namespace {

// Text that all messages of src/loops about missing kernels contain.
constexpr const char* NOT_BUILT = "this build has no";

std::string nameOf(const testing::TestInfo& test) { return std::string(test.test_suite_name()) + "." + test.name(); }

/// Writes a line "name of the test, tab, reason" for each test that has a failure with NOT_BUILT in its message.
class Recorder : public testing::EmptyTestEventListener {
 public:
  explicit Recorder(std::FILE* lines) : _lines(lines) {}

 private:
  // Remembers the test, because GoogleTest cannot be asked for it while it reports a result.
  void OnTestStart(const testing::TestInfo& test) override {
    _test = nameOf(test);
    LaunchContext::defaultContext()->errorReference()->setErrorMessage("");
    _isRecorded = false;
  }

  void OnTestPartResult(const testing::TestPartResult& part) override {
    if (!part.failed() || _isRecorded) return;
    // The C interface stores its messages instead of throwing them.
    std::string message = part.message();
    size_t found = message.find(NOT_BUILT);
    if (found == std::string::npos) {
      message = LaunchContext::defaultContext()->errorReference()->errorMessage();
      found = message.find(NOT_BUILT);
    }
    if (found == std::string::npos) return;
    _isRecorded = true;
    // The message's line, starting at the name of the operation.
    size_t begin = message.rfind('\n', found) + 1;
    if (const size_t bracket = message.rfind('[', found); bracket != std::string::npos)
      begin = std::max(begin, bracket);
    size_t end = message.find_first_of("\n\"", found);
    if (end == std::string::npos) end = message.size();
    std::fprintf(_lines, "%s\t%s\n", _test.c_str(), message.substr(begin, end - begin).c_str());
    std::fflush(_lines);
  }

  std::FILE* _lines;
  std::string _test;
  bool _isRecorded = false;
};

[[noreturn]] void record(int pipe) {
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  delete listeners.Release(listeners.default_xml_generator());
  listeners.Append(new Recorder(fdopen(pipe, "w")));
  const int failures = RUN_ALL_TESTS();
  static_cast<void>(failures);
  _exit(EXIT_SUCCESS);
}

using Reasons = std::map<std::string, std::string>;

class Skipper : public testing::EmptyTestEventListener {
 public:
  explicit Skipper(Reasons reasons) : _reasons(std::move(reasons)) {}

 private:
  void OnTestStart(const testing::TestInfo& test) override {
    if (const auto found = _reasons.find(nameOf(test)); found != _reasons.end()) GTEST_SKIP() << found->second;
  }

  Reasons _reasons;
};

Reasons findReasons() {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child < 0) return {};
  if (child == 0) {
    close(ends[0]);
    record(ends[1]);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof(buffer))) > 0;) text.append(buffer, static_cast<size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status))
    std::printf("looking for what is not in this build ended early: signal %d\n", WTERMSIG(status));

  Reasons reasons;
  for (size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    const size_t tab = text.find('\t', at);
    reasons[text.substr(at, tab - at)] = text.substr(tab + 1, end - tab - 1);
  }
  return reasons;
}

bool isCut() {
#if defined(SD_SELECTIVE_TYPES) || !defined(SD_ALL_OPS)
  return true;
#else
  return false;
#endif
}

}  // namespace

void skipWhatIsNotBuilt() {
  if (!isCut() || testing::GTEST_FLAG(list_tests)) return;
  Reasons reasons = findReasons();
  std::map<std::string, int> counts;
  for (const auto& [test, reason] : reasons) counts[reason]++;
  for (const auto& [reason, count] : counts) std::printf("skipped, %d tests: %s\n", count, reason.c_str());
  std::fflush(stdout);
  testing::UnitTest::GetInstance()->listeners().Append(new Skipper(std::move(reasons)));
}

}  // namespace sd::tests
