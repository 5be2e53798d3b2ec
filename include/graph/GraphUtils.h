// Builds of the library that hold the operations of graphs only.
#ifndef NDFORGE_GRAPH_GRAPHUTILS_H
#define NDFORGE_GRAPH_GRAPHUTILS_H

#include <ops/declarable/OpDescriptor.h>
#include <system/common.h>

#include <string>
#include <vector>

namespace sd::graph {

class SD_LIB_EXPORT GraphUtils {
 public:
  /// Removes operations whose name an earlier one has; true when there were any.
  static bool filterOperations(std::vector<ops::OpDescriptor>& ops);
  /// The option ` -g "-DSD_OPS_LIST='-DOP_name=true … '"` of a build script; nothing for no operations.
  static std::string makeCommandLine(std::vector<ops::OpDescriptor>& ops);
};

}  // namespace sd::graph

#endif
