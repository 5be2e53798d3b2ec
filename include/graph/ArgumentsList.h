// The inputs of a node as (number, index) pairs.
#ifndef NDFORGE_GRAPH_ARGUMENTSLIST_H
#define NDFORGE_GRAPH_ARGUMENTSLIST_H

#include <system/common.h>
#include <types/pair.h>

#include <initializer_list>
#include <vector>

namespace sd::graph {

/// A value type: copies are independent, and reading is thread-safe.
class ArgumentsList {
 public:
  ArgumentsList() = default;
  ArgumentsList(std::initializer_list<Pair> arguments) : _arguments(arguments) {}
  /// Each number i means the pair (i, 0).
  ArgumentsList(std::initializer_list<int> arguments) : _arguments(arguments.begin(), arguments.end()) {}

  void push_back(Pair argument) { _arguments.push_back(argument); }
  int size() const { return static_cast<int>(_arguments.size()); }
  /// @throws std::out_of_range when there is no such input
  Pair& at(int index) { return _arguments.at(static_cast<size_t>(index)); }
  const Pair& at(int index) const { return _arguments.at(static_cast<size_t>(index)); }

 private:
  std::vector<Pair> _arguments;
};

}  // namespace sd::graph

#endif
