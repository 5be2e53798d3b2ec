// A progress line on standard error while a step runs.
#ifndef NDFORGE_SRC_CLI_PROGRESS_H
#define NDFORGE_SRC_CLI_PROGRESS_H

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace sd::cli {

/// Shows the current step and the elapsed time after half a second, if standard error is a terminal. The destructor
/// clears the line.
class Progress {
 public:
  explicit Progress(std::string step);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Starts the next step.
  void next(std::string step);

 private:
  void show();

  std::mutex _mutex;
  std::condition_variable _changed;
  std::string _step;
  bool _done = false;
  std::thread _thread;
};

}  // namespace sd::cli

#endif
