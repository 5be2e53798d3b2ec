// One call of the library, as data: generated from a seed, changed by mutations, printed as text, and run by
// Custom.cpp, Numbered.cpp or Lists.cpp.
#ifndef NDFORGE_FUZZ_CALL_H
#define NDFORGE_FUZZ_CALL_H

#include <loops/OpGroup.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "Array.h"

namespace fuzz {

/// The function that is called.
enum class Entry {
  Context,      ///< execCustomOp2, raw memory
  Buffers,      ///< execCustomOp2, data buffers
  Direct,       ///< execCustomOp
  Shapes,       ///< calculateOutputShapes2
  ShapesAlone,  ///< calculateOutputShapes
  Class,        ///< DeclarableOp::execute
  Evaluate,     ///< DeclarableOp::evaluate
  List,         ///< DeclarableOp::execute in a space of variables, with a list of arrays
  Numbered,     ///< exec* of a numbered operation
};
const char* nameOf(Entry entry);

/// A fault in an output. The outputs themselves come from the shape function when the call runs.
struct OutputChange {
  int index;
  uint64_t seed;
};

struct Call {
  Entry entry = Entry::Context;
  std::string op;
  std::vector<Array> inputs;
  std::vector<Array> outputs;  ///< custom operations: used when the shape function fails; numbered operations: z
  std::vector<double> t;
  std::vector<LongType> i;
  std::vector<uint8_t> b;
  std::vector<int> d;
  bool inPlace = false, helpers = true, trustShapes = false;
  int mode = 0;
  std::vector<OutputChange> outputChanges;
  bool outputsGiven = true;  ///< false: there are none
  bool atEnd = true;         ///< memory ends at a guard page; otherwise it begins after one

  // Numbered operations.
  sd::loops::OpGroup group = sd::loops::OpGroup::TransformSame;
  int number = 0;
  int form = 0;  ///< which of the group's functions
  std::vector<double> extra;
  bool extraGiven = true, flag = false;

  std::string describe() const;
  /// The nearest call of the command, and the nearest C++ code.
  std::string asCommand() const;
  std::string asCode() const;
};

/// The operations and their seeds, read before workers are started.
struct Catalogue {
  struct Operation {
    std::string name, kind;  ///< kind: as in the descriptor; "numbered"
    std::vector<Call> seeds;
  };
  std::vector<Operation> operations;
  std::vector<std::string> without;  ///< mutations that are not applied
};
/// `only` is the name of an operation, or a prefix that ends with '*'; empty means all operations.
Catalogue makeCatalogue(const std::string& only);

/// A call with the mutations that were applied to it, and those that were skipped.
struct Plan {
  Call call;
  std::vector<std::string> mutations;
};
/// Call `index` of a run; mutation k is skipped if skip[k] is set.
Plan makeCall(const Catalogue& catalogue, uint64_t seed, uint64_t index, const std::vector<bool>& skip = {});

/// Applies one mutation to the call; returns its description.
std::string mutate(Call& call, Random random);
/// Damages a valid output.
void spoilOutput(Array& output, const std::vector<Array>& inputs, Random random);
/// A call of a numbered operation with valid arrays.
Call numberedCall(const std::string& name, Random& random);

}  // namespace fuzz

#endif
