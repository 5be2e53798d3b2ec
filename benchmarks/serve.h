// How compare/ calls the programs of this folder: it writes lines "CALLS ROW" to the standard input of `PROGRAM
// --serve`. The answer is a line: the seconds of that many calls, or, for 0 calls, what the row computes.
#ifndef NDFORGE_BENCHMARKS_SERVE_H
#define NDFORGE_BENCHMARKS_SERVE_H

#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace sd::benchmarks {

/// A row that is ready to be called.
struct Row {
  virtual ~Row() = default;
  virtual void run(long calls) = 0;
  virtual std::vector<double> results() { return {}; }
};

/// Answers until the input ends; keeps the row of the last line. `make` returns nothing for an unknown row.
template <typename Make>
int serve(Make&& make) {
  std::string line, name;
  std::unique_ptr<Row> row;
  while (std::getline(std::cin, line)) {
    const size_t space = line.find(' ');
    const long calls = std::stol(line);
    if (row == nullptr || line.substr(space + 1) != name) {
      name = line.substr(space + 1);
      row = make(name);
      if (row == nullptr) {
        std::fprintf(stderr, "there is no row '%s'\n", name.c_str());
        return 2;
      }
    }
    if (calls == 0) {
      for (const double value : row->results()) std::printf("%.9g ", value);
    } else {
      const auto start = std::chrono::steady_clock::now();
      row->run(calls);
      std::printf("%.9g", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace sd::benchmarks

#endif
