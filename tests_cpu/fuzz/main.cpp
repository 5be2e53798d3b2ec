// ndforge_fuzz calls every operation with generated arrays and arguments and checks what happens. docs/reliability.md
// describes its use.
#include <system/Environment.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <thread>

#include "Files.h"
#include "Worker.h"

namespace fuzz {
namespace {

struct Options {
  uint64_t seed = 1, calls = 100000, index = 0;
  double seconds = 0;
  unsigned jobs = 0, threads = 1;
  std::string op, ignore;
  std::vector<std::string> without;
  bool list = false, replay = false, reduce = false, here = false, files = false, every = false;
  Limits limits;
};

constexpr const char* USAGE =
    "ndforge_fuzz [--calls N] [--seconds S] [--seed N] [--op NAME] [--jobs N] [--threads N] [--files]\n"
    "             [--limit-seconds S] [--limit-megabytes N] [--ignore FILE] [--without CHANGE] [--every]\n"
    "ndforge_fuzz --replay SEED:INDEX [--op NAME] [--reduce] [--here] [--files]\n"
    "ndforge_fuzz --list\n";

/// @throws std::invalid_argument
Options parse(int argc, char** argv) {
  Options options;
  for (int k = 1; k < argc; k++) {
    const std::string name = argv[k];
    const auto value = [&]() -> std::string {
      if (k + 1 == argc) throw std::invalid_argument(name + " needs a value");
      return argv[++k];
    };
    if (name == "--calls") {
      options.calls = std::stoull(value());
    } else if (name == "--seconds") {
      options.seconds = std::stod(value());
      options.calls = ~uint64_t{0} >> 1;
    } else if (name == "--seed") {
      options.seed = std::stoull(value());
    } else if (name == "--op") {
      options.op = value();
    } else if (name == "--jobs") {
      options.jobs = static_cast<unsigned>(std::stoul(value()));
    } else if (name == "--threads") {
      options.threads = static_cast<unsigned>(std::stoul(value()));
    } else if (name == "--limit-seconds") {
      options.limits.seconds = std::stod(value());
    } else if (name == "--limit-megabytes") {
      options.limits.megabytes = std::stoull(value());
    } else if (name == "--ignore") {
      options.ignore = value();
    } else if (name == "--without") {
      options.without.push_back(value());
    } else if (name == "--every") {
      options.every = true;
    } else if (name == "--list") {
      options.list = true;
    } else if (name == "--files") {
      options.files = true;
    } else if (name == "--here") {
      options.here = true;
    } else if (name == "--reduce") {
      options.reduce = true;
    } else if (name == "--replay") {
      const std::string at = value();
      options.replay = true;
      options.seed = std::stoull(at);
      if (const size_t colon = at.find(':'); colon != std::string::npos)
        options.index = std::stoull(at.substr(colon + 1));
    } else {
      throw std::invalid_argument("unknown option " + name);
    }
  }
  if (options.jobs == 0) options.jobs = std::max(1u, std::thread::hardware_concurrency());
  return options;
}

/// Findings that differ only in numbers are considered the same.
std::string keyOf(const Report& report) {
  std::string key = report.kind + " " + report.op + " ";
  const std::string& detail = report.detail;
  for (size_t k = 0; k < detail.size() && k < 160; k++) {
    const bool digit = std::isdigit(static_cast<unsigned char>(detail[k])) != 0;
    if (!digit)
      key += detail[k];
    else if (key.back() != '#')
      key += '#';
  }
  return key;
}

class Findings {
 public:
  explicit Findings(const Options& options) : _options(options) {
    if (options.ignore.empty()) return;
    std::ifstream file(options.ignore);
    for (std::string line; std::getline(file, line);)
      if (!line.empty() && line[0] != '#') _ignored.emplace_back(line);
  }

  void add(const Report& report) {
    const std::string line = report.kind + " " + report.op + ": " + report.detail;
    for (const std::regex& pattern : _ignored)
      if (std::regex_search(line, pattern)) {
        _ignoredCount++;
        return;
      }
    _count++;
    _kinds[report.kind]++;
    if (_seen[keyOf(report)]++ > 0 && !_options.every) return;
    std::printf("%s  [--replay %llu:%llu%s]\n", line.c_str(), static_cast<unsigned long long>(_options.seed),
                static_cast<unsigned long long>(report.index),
                _options.files        ? " --files"
                : _options.op.empty() ? ""
                                      : (" --op '" + _options.op + "'").c_str());
    std::fflush(stdout);
  }

  uint64_t count() const { return _count; }
  void summarise() const {
    for (const auto& [kind, n] : _kinds) std::printf("  %s: %llu\n", kind.c_str(), static_cast<unsigned long long>(n));
    if (_ignoredCount > 0) std::printf("  ignored: %llu\n", static_cast<unsigned long long>(_ignoredCount));
  }

 private:
  const Options& _options;
  std::vector<std::regex> _ignored;
  std::map<std::string, uint64_t> _seen, _kinds;
  uint64_t _count = 0, _ignoredCount = 0;
};

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

int runAll(const Work& work, const Options& options) {
  const auto start = Clock::now();
  Findings findings(options);
  std::vector<std::unique_ptr<Worker>> workers;
  for (unsigned k = 0; k < options.jobs; k++) {
    workers.push_back(std::make_unique<Worker>(work, options.limits));
    workers.back()->start(k, options.jobs, options.calls);
  }
  for (bool busy = true; busy;) {
    busy = false;
    std::vector<Report> reports;
    for (auto& worker : workers) busy |= worker->poll(reports);
    for (const Report& report : reports) findings.add(report);
    if (options.seconds > 0 && since(start) > options.seconds)
      for (auto& worker : workers) worker->stop();
    if (busy && reports.empty()) usleep(5000);
  }
  uint64_t ok = 0, refused = 0, skipped = 0, slowest = 0, slowestIndex = 0;
  for (const auto& worker : workers) {
    const Progress& p = worker->progress();
    ok += p.ok;
    refused += p.refused;
    skipped += p.skipped;
    if (p.slowest > slowest) slowest = p.slowest, slowestIndex = p.slowestIndex;
  }
  const double spent = since(start);
  const uint64_t all = ok + refused + skipped;
  findings.summarise();
  std::printf(
      "%llu calls in %.0f s (%.0f a second): %llu ok, %llu refused, %llu left out, %llu findings; the slowest took "
      "%.2f s: %s at %llu\n",
      static_cast<unsigned long long>(all), spent, static_cast<double>(all) / spent,
      static_cast<unsigned long long>(ok), static_cast<unsigned long long>(refused),
      static_cast<unsigned long long>(skipped), static_cast<unsigned long long>(findings.count()),
      static_cast<double>(slowest) * 1e-9, work.name(slowestIndex).c_str(),
      static_cast<unsigned long long>(slowestIndex));
  return findings.count() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/// The findings of one call, which runs in a separate process.
std::vector<Report> runOne(const Work& work, const Options& options) {
  Worker worker(work, options.limits);
  worker.start(options.index, 1, options.index + 1);
  std::vector<Report> reports;
  while (worker.poll(reports)) usleep(1000);
  return reports;
}

bool finds(const std::vector<Report>& reports, const std::string& kind) {
  return std::any_of(reports.begin(), reports.end(), [&](const Report& r) { return r.kind == kind; });
}

int replay(const Catalogue& catalogue, Memory& memory, const Options& options) {
  std::vector<bool> skip;
  const Work work{[&](uint64_t index) { return run(makeCall(catalogue, options.seed, index, skip).call, memory); },
                  [&](uint64_t index) { return makeCall(catalogue, options.seed, index, skip).call.op; }};
  const auto show = [&] {
    const Plan plan = makeCall(catalogue, options.seed, options.index, skip);
    for (const std::string& mutation : plan.mutations) std::printf("mutation: %s\n", mutation.c_str());
    std::printf("%s\n%s\n%s\n", plan.call.describe().c_str(), plan.call.asCommand().c_str(),
                plan.call.asCode().c_str());
    std::fflush(stdout);
  };
  if (options.here) {
    show();
    const Result result = work.run(options.index);
    for (const Finding& finding : result.findings)
      std::printf("%s: %s\n", finding.kind.c_str(), finding.detail.c_str());
    return result.findings.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  std::vector<Report> reports = runOne(work, options);
  if (options.reduce && !reports.empty()) {
    const std::string kind = reports.front().kind;
    const size_t n = makeCall(catalogue, options.seed, options.index).mutations.size();
    skip.assign(n, false);
    for (size_t k = 0; k < n; k++) {
      skip[k] = true;
      const std::vector<Report> fewer = runOne(work, options);
      if (finds(fewer, kind))
        reports = fewer;
      else
        skip[k] = false;
    }
  }
  show();
  for (const Report& report : reports)
    std::printf("%s %s: %s\n", report.kind.c_str(), report.op.c_str(), report.detail.c_str());
  if (reports.empty()) std::printf("no finding\n");
  return reports.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

int fuzz(const Options& options) {
  if (options.files) {
    const Work work = fileWork(options.seed);
    if (!options.replay) return runAll(work, options);
    std::printf("%s\n", describeFile(options.seed, options.index).c_str());
    const std::vector<Report> reports = runOne(work, options);
    for (const Report& report : reports)
      std::printf("%s %s: %s\n", report.kind.c_str(), report.op.c_str(), report.detail.c_str());
    return reports.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  Catalogue catalogue = makeCatalogue(options.op);
  catalogue.without = options.without;
  if (catalogue.operations.empty()) throw std::invalid_argument("no operation is named " + options.op);
  if (options.list) {
    for (const auto& op : catalogue.operations)
      std::printf("%-40s %-14s %zu seeds\n", op.name.c_str(), op.kind.c_str(), op.seeds.size());
    return EXIT_SUCCESS;
  }
  Memory memory;
  if (options.replay) return replay(catalogue, memory, options);
  const Work work{[&](uint64_t index) { return run(makeCall(catalogue, options.seed, index).call, memory); },
                  [&](uint64_t index) { return catalogue.operations[index % catalogue.operations.size()].name; }};
  return runAll(work, options);
}

}  // namespace
}  // namespace fuzz

int main(int argc, char** argv) {
  try {
    const fuzz::Options options = fuzz::parse(argc, argv);
    // Libraries read the number of threads from the environment when they are loaded.
    if (std::getenv("NDFORGE_FUZZ_STARTED") == nullptr) {
      const std::string threads = std::to_string(options.threads);
      for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"}) setenv(name, threads.c_str(), 1);
      setenv("NDFORGE_FUZZ_STARTED", "1", 1);
      execv("/proc/self/exe", argv);
    }
    return fuzz::fuzz(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n%s", error.what(), fuzz::USAGE);
    return 2;
  }
}
