// A process that makes calls, so that a crash in one call does not end the run.
#ifndef NDFORGE_FUZZ_WORKER_H
#define NDFORGE_FUZZ_WORKER_H

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "Run.h"

namespace fuzz {

/// What is run: call `index`, and the name of its operation.
struct Work {
  std::function<Result(uint64_t index)> run;
  std::function<std::string(uint64_t index)> name;
};

struct Limits {
  double seconds = 10;                       ///< processor time per call
  uint64_t megabytes = 1024;                 ///< memory that a process may take beyond what it starts with
  uint64_t restartAt = uint64_t{600} << 20;  ///< resident bytes at which a worker is replaced by a new one
};

/// A finding, with its call.
struct Report {
  uint64_t index;
  std::string op, kind, detail;
};

/// What a worker reports to its parent through shared memory.
struct Progress {
  std::atomic<uint64_t> index, started, ok, refused, skipped, slowest, slowestIndex;
  std::atomic<bool> stop, done;
  char crash[600];
};

class Worker {
 public:
  Worker(const Work& work, const Limits& limits);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Runs calls first, first + step, ... below end.
  void start(uint64_t first, uint64_t step, uint64_t end);
  /// Collects reports, and restarts after a call that ended the process. Returns false when all calls are done.
  bool poll(std::vector<Report>& reports);
  void stop() { _progress->stop = true; }
  const Progress& progress() const { return *_progress; }

 private:
  const Work& _work;
  const Limits& _limits;
  Progress* _progress;
  uint64_t _step = 1, _end = 0;
  pid_t _pid = -1;
  int _pipe = -1, _output = -1;
  bool _killed = false;
  uint64_t _seenStart = 0;  ///< the call that watch() is timing, and the processor time at its start
  double _seenTime = 0;
  std::string _text, _why;

  [[noreturn]] void live(uint64_t first, int pipe);
  void readPipe(std::vector<Report>& reports);
  void watch();
  std::string lastOutput() const;
  Report death(int status) const;
};

}  // namespace fuzz

#endif
