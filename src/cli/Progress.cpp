#include "cli/Progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "cli/Text.h"

namespace sd::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto PATIENCE = std::chrono::milliseconds(500);
constexpr auto PERIOD = std::chrono::milliseconds(100);

bool isTerminal() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

/// Ignores errors: the program must not end because standard error is closed.
void draw(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

Progress::Progress(std::string step) : _step(std::move(step)) {
  if (isTerminal()) _thread = std::thread([this] { show(); });
}

Progress::~Progress() {
  if (!_thread.joinable()) return;
  {
    const std::lock_guard lock(_mutex);
    _done = true;
  }
  _changed.notify_one();
  _thread.join();
}

void Progress::next(std::string step) {
  const std::lock_guard lock(_mutex);
  _step = std::move(step);
}

void Progress::show() {
  const auto start = Clock::now();
  std::unique_lock lock(_mutex);
  bool shown = false;
  auto wake = start + PATIENCE;
  while (!_changed.wait_until(lock, wake, [this] { return _done; })) {
    const std::chrono::duration<double> spent = Clock::now() - start;
    draw("\r\x1b[K" + escaped(fmt::format("{} ... {:.1f} s", _step, spent.count())));
    shown = true;
    wake += PERIOD;
  }
  if (shown) draw("\r\x1b[K");
}

}  // namespace sd::cli
