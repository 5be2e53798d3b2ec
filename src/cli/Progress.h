// A line on standard error that says what takes so long, as long as it takes.
#ifndef NDFORGE_SRC_CLI_PROGRESS_H
#define NDFORGE_SRC_CLI_PROGRESS_H

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace sd::cli {

/// Shows the current step and its time, from half a second on, when standard error is a terminal. Shows nothing
/// otherwise. The line is gone when the object is.
class Progress {
 public:
  explicit Progress(std::string step);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Names the next step.
  void next(std::string step);

 private:
  void show();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string step_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace sd::cli

#endif
