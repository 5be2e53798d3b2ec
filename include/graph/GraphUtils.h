// For builds of the library that contain only the operations of certain graphs.
#ifndef NDFORGE_GRAPH_GRAPHUTILS_H
#define NDFORGE_GRAPH_GRAPHUTILS_H

#include <ops/declarable/OpDescriptor.h>
#include <system/common.h>

#include <string>
#include <vector>

namespace sd::graph {

class SD_LIB_EXPORT GraphUtils {
 public:
  /// Removes operations whose name occurs earlier in the list; returns true when there were any.
  static bool filterOperations(std::vector<ops::OpDescriptor>& ops);
  /// The option ` -g "-DSD_OPS_LIST='-DOP_name=true … '"` of a build script; empty without operations.
  static std::string makeCommandLine(std::vector<ops::OpDescriptor>& ops);
  /// Runs the preprocessor of the C++ compiler, c++, on the file `input` and writes the result to the file `output`.
  /// Returns 0, or the status of the compiler; -1 for nullptr and when there is no compiler.
  static int runPreprocessor(const char* input, const char* output);
};

}  // namespace sd::graph

#endif
