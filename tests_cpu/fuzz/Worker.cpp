#include "Worker.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

#if defined(__SANITIZE_ADDRESS__)
#define NDFORGE_FUZZ_SANITIZED 1
#else
#define NDFORGE_FUZZ_SANITIZED 0
#endif

namespace fuzz {
namespace {

constexpr int RESTART = 75;  // exit code of a worker whose memory has grown too much
constexpr bool SANITIZED = NDFORGE_FUZZ_SANITIZED != 0;

uint64_t now() {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

/// Seconds of processor time that a process has used.
double processorTime(pid_t pid) {
  clockid_t clock;
  timespec time{};
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Pages of a process: all mapped pages, and the resident ones.
std::pair<uint64_t, uint64_t> pagesOf(pid_t pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/statm";
  unsigned long long total = 0, resident = 0;
  if (FILE* file = std::fopen(path.c_str(), "r")) {
    if (std::fscanf(file, "%llu %llu", &total, &resident) != 2) total = resident = 0;
    std::fclose(file);
  }
  return {total * 4096, resident * 4096};
}

Progress* current = nullptr;

/// Records where the process crashed, then lets the signal end it.
void onSignal(int number, siginfo_t* info, void*) {
  void* frames[24];
  const int n = backtrace(frames, 24);
  char* text = current->crash;
  const size_t room = sizeof(current->crash);
  int used = std::snprintf(text, room, "address %p", info->si_addr);
  int shown = 0;
  for (int k = 2; k < n && shown < 5; k++) {
    Dl_info where{};
    if (dladdr(frames[k], &where) == 0 || where.dli_fname == nullptr) continue;
    const char* name = std::strrchr(where.dli_fname, '/');
    if (std::strstr(where.dli_fname, "ndforge") == nullptr) continue;
    const auto at = static_cast<char*>(frames[k]) - static_cast<char*>(where.dli_fbase);
    used += std::snprintf(text + used, room - static_cast<size_t>(used), "%s %s+0x%zx", shown == 0 ? " at" : " <-",
                          name == nullptr ? "?" : name + 1, static_cast<size_t>(at));
    if (used >= static_cast<int>(room) - 80) break;
    shown++;
  }
  signal(number, SIG_DFL);
  raise(number);
}

void catchSignals() {
  static uint8_t stack[64 << 10];
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof(stack);
  sigaltstack(&alternative, nullptr);
  void* frames[2];
  backtrace(frames, 2);  // the first call loads libraries, which a signal handler must not do
  struct sigaction action {};
  action.sa_sigaction = onSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(number, &action, nullptr);
}

std::string oneLine(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return text.size() > 700 ? text.substr(0, 700) + "..." : text;
}

/// Whether the operation exists to print.
bool isPrinting(const std::string& op) { return op == "print_variable" || op == "print_affinity"; }

off_t sizeOf(int file) {
  struct stat facts {};
  return fstat(file, &facts) == 0 ? facts.st_size : 0;
}

}  // namespace

Worker::Worker(const Work& work, const Limits& limits) : _work(work), _limits(limits) {
  void* memory = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  _output = memfd_create("output", MFD_CLOEXEC);
  if (memory == MAP_FAILED || _output < 0) throw std::runtime_error("no memory that processes can share");
  _progress = new (memory) Progress{};
  fcntl(_output, F_SETFL, O_APPEND);
}

Worker::~Worker() {
  if (_pid > 0) {
    kill(_pid, SIGKILL);
    waitpid(_pid, nullptr, 0);
  }
  if (_pipe >= 0) close(_pipe);
  close(_output);
  munmap(_progress, sizeof(Progress));
}

void Worker::start(uint64_t first, uint64_t step, uint64_t end) {
  _step = step;
  _end = end;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);
  _progress->index = first;
  _progress->started = now();
  _progress->done = false;
  _progress->crash[0] = 0;
  if (ftruncate(_output, 0) != 0) throw std::runtime_error("the output cannot be emptied");
  _pid = fork();
  if (_pid < 0) throw std::runtime_error("no further process");
  if (_pid == 0) {
    close(ends[0]);
    live(first, ends[1]);
  }
  close(ends[1]);
  if (_pipe >= 0) close(_pipe);
  _pipe = ends[0];
  fcntl(_pipe, F_SETFL, O_NONBLOCK);
  _killed = false;
}

void Worker::live(uint64_t first, int pipe) {
  dup2(_output, 1);
  dup2(_output, 2);
  current = _progress;
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  // A sanitizer maps terabytes of addresses; there the parent watches the resident memory instead.
  const uint64_t most = pagesOf(getpid()).first + (_limits.megabytes << 20);
  const rlimit bytes{most, most};
  if (!SANITIZED) {
    setrlimit(RLIMIT_AS, &bytes);
    catchSignals();
  }
  const auto report = [&](uint64_t index, const Finding& finding) {
    const std::string line =
        std::to_string(index) + "\t" + _work.name(index) + "\t" + finding.kind + "\t" + oneLine(finding.detail) + "\n";
    if (write(pipe, line.data(), line.size()) < 0) _exit(1);
  };
  uint64_t calls = 0;
  for (uint64_t index = first; index < _end && !_progress->stop; index += _step) {
    const uint64_t start = now();
    _progress->started = start;
    _progress->index = index;
    const Result result = _work.run(index);
    const uint64_t spent = now() - start;
    (result.outcome == Outcome::Ok        ? _progress->ok
     : result.outcome == Outcome::Refused ? _progress->refused
                                          : _progress->skipped)++;
    if (spent > _progress->slowest) {
      _progress->slowest = spent;
      _progress->slowestIndex = index;
    }
    for (const Finding& finding : result.findings) report(index, finding);
    std::fflush(stdout);
    if (sizeOf(_output) > 0) {
      if (!isPrinting(_work.name(index))) report(index, {"prints", "the call prints: " + lastOutput()});
      if (ftruncate(_output, 0) != 0) _exit(1);
    }
    if (++calls % 256 == 0 && pagesOf(getpid()).second > _limits.restartAt) {
      _progress->index = index + _step;
      _exit(RESTART);
    }
  }
  _progress->done = true;
  _exit(0);
}

void Worker::readPipe(std::vector<Report>& reports) {
  char part[4096];
  for (ssize_t n; (n = read(_pipe, part, sizeof(part))) > 0;) _text.append(part, static_cast<size_t>(n));
  for (size_t end; (end = _text.find('\n')) != std::string::npos; _text.erase(0, end + 1)) {
    const std::string line = _text.substr(0, end);
    const size_t a = line.find('\t'), b = line.find('\t', a + 1), c = line.find('\t', b + 1);
    if (c == std::string::npos) continue;
    reports.push_back(
        {std::stoull(line), line.substr(a + 1, b - a - 1), line.substr(b + 1, c - b - 1), line.substr(c + 1)});
  }
}

/// Kills a process that has used its time on one call. Only processor time counts, so that a busy machine causes no
/// findings.
void Worker::watch() {
  const uint64_t started = _progress->started;
  const double used = processorTime(_pid);
  if (started != _seenStart) {
    if (now() - started < 1000000000ull) return;
    _seenStart = started;
    _seenTime = used - 1;
  }
  const bool slow =
      used - _seenTime > _limits.seconds || now() - started > static_cast<uint64_t>(8e9 * _limits.seconds);
  const bool large = pagesOf(_pid).second > _limits.restartAt + (_limits.megabytes << 20) + (uint64_t{1} << 30);
  if (!slow && !large) return;
  _why = slow ? "hang" : "memory";
  _killed = true;
  kill(_pid, SIGKILL);
}

std::string Worker::lastOutput() const {
  char text[2000];
  const ssize_t n = pread(_output, text, sizeof(text), 0);
  const std::string whole(text, n > 0 ? static_cast<size_t>(n) : 0);
  // The line of a sanitizer's report that names the error.
  for (const char* mark : {"runtime error:", "ERROR: "})
    if (const size_t at = whole.find(mark); at != std::string::npos) {
      const size_t start = whole.rfind('\n', at) + 1;
      return oneLine(whole.substr(start, whole.find('\n', at) - start));
    }
  return oneLine(whole.substr(0, 300));
}

Report Worker::death(int status) const {
  Report report{_progress->index, _work.name(_progress->index), "", ""};
  const std::string said = lastOutput();
  if (_killed) {
    report.kind = _why;
    report.detail =
        _why == "hang" ? "no end after " + std::to_string(static_cast<int>(_limits.seconds)) + " s" : "too much memory";
  } else if (WIFSIGNALED(status)) {
    report.kind = "signal";
    report.detail = std::string(strsignal(WTERMSIG(status))) + ", " + _progress->crash;
  } else {
    report.kind = SANITIZED ? "sanitizer" : "exit";
    report.detail = "the process ends with " + std::to_string(WEXITSTATUS(status));
  }
  if (!said.empty()) report.detail += "; it says: " + said;
  return report;
}

bool Worker::poll(std::vector<Report>& reports) {
  if (_pid < 0) return false;
  int status = 0;
  const pid_t ended = waitpid(_pid, &status, WNOHANG);
  readPipe(reports);
  if (ended == 0) {
    watch();
    return true;
  }
  _pid = -1;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && _progress->done) return false;
  uint64_t next = _progress->index;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != RESTART) {
    Report report = death(status);
    // A sanitizer's allocator cannot let a vector's allocation fail: this is the memory limit, not a finding.
    const bool limit = SANITIZED && (report.detail.find("allocation-size-too-big") != std::string::npos ||
                                     report.detail.find("out-of-memory") != std::string::npos);
    if (limit)
      _progress->refused++;
    else
      reports.push_back(std::move(report));
    next += _step;
  }
  if (next >= _end || _progress->stop) return false;
  start(next, _step, _end);
  return true;
}

}  // namespace fuzz

#if NDFORGE_FUZZ_SANITIZED
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=1024:abort_on_error=0";
}
extern "C" const char* __ubsan_default_options();
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1:halt_on_error=1"; }
#endif
