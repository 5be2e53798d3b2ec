// The kinds of values that a variable can hold.
#ifndef NDFORGE_GRAPH_VARIABLETYPE_H
#define NDFORGE_GRAPH_VARIABLETYPE_H

namespace sd::graph {

enum VariableType {
  NDARRAY = 0,
  ARRAY_LIST = 1,
  FLOW = 2,
  CONSTANT = 3,
  PLACEHOLDER = 4,
};

}  // namespace sd::graph

#endif
