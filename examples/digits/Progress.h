// A line that shows how far a loop is.
#ifndef NDFORGE_EXAMPLES_DIGITS_PROGRESS_H
#define NDFORGE_EXAMPLES_DIGITS_PROGRESS_H

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

/// "  [=========>          ] 12/30  loss 0.0123  3 s left", drawn again in its place. Where standard output is not a
/// terminal, only the last state is printed.
class Progress {
 public:
  /// `done` of the steps have been made before.
  Progress(long steps, long done) : _steps(steps), _first(done), _start(Clock::now()) {}

  void show(long done, const std::string& text) {
    const double seconds = std::chrono::duration<double>(Clock::now() - _start).count();
    const double left =
        done > _first ? seconds / static_cast<double>(done - _first) * static_cast<double>(_steps - done) : 0;
    if (!_isTerminal && done < _steps) return;
    if (_isTerminal && done < _steps && seconds - _shown < 0.05) return;
    _shown = seconds;
    constexpr int WIDTH = 30;
    const auto filled = static_cast<int>(WIDTH * done / std::max(1L, _steps));
    std::string bar(static_cast<size_t>(filled), '=');
    if (filled < WIDTH) bar += '>';
    std::printf("%s  [%-*s] %ld/%ld  %s  %.1f s %s%s", _isTerminal ? "\r" : "", WIDTH, bar.c_str(), done, _steps,
                text.c_str(), done < _steps ? left : seconds, done < _steps ? "left " : "taken",
                done < _steps ? "" : "\n");
    std::fflush(stdout);
  }

 private:
  using Clock = std::chrono::steady_clock;
  long _steps, _first;
  Clock::time_point _start;
  double _shown = -1;
  bool _isTerminal = isatty(STDOUT_FILENO) != 0;
};

#endif
