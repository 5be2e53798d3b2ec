// Hostile graph files: what becomes of them, and the same files as structures that are changed field by field.
#ifndef NDFORGE_TESTS_GRAPHATTACKS_H
#define NDFORGE_TESTS_GRAPHATTACKS_H

#include <system/Environment.h>

#include <random>
#include <string>
#include <vector>

#include "GraphTables.h"

namespace nd_test {

constexpr const char* MUTANT = "mutant.fb";

using Random = std::mt19937_64;

inline size_t below(Random& random, size_t n) { return n == 0 ? 0 : static_cast<size_t>(random() % n); }

struct AttackOutcomes {
  int loads = 0, runs = 0;
};

/// Loads the bytes, writes the graph again, and runs it in both ways. Errors must name the file and have a text.
void attack(const std::string& bytes, AttackOutcomes& outcomes);

/// Changes fields at random, to values that contradict each other or are out of any range.
void mutate(GraphTables& tables, Random& random);

/// Limits the memory of arrays while it lives.
struct MemoryLimit {
  explicit MemoryLimit(uint64_t bytes) : _former(sd::Environment::getInstance().maxPrimaryMemory()) {
    sd::Environment::getInstance().setMaxPrimaryMemory(bytes);
  }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit() { sd::Environment::getInstance().setMaxPrimaryMemory(_former); }

 private:
  uint64_t _former;
};

}  // namespace nd_test

#endif
