// Finds custom operations by the names that users give, and describes them.
#ifndef NDFORGE_SRC_CLI_CUSTOM_H
#define NDFORGE_SRC_CLI_CUSTOM_H

#include <loops/OpGroup.h>
#include <ops/declarable/OpDescriptor.h>
#include <ops/declarable/OpReference.h>

#include <string>
#include <string_view>
#include <vector>

namespace sd::ops {
class DeclarableOp;
class Schema;
}  // namespace sd::ops

namespace sd::cli {

/// A custom operation and its description.
struct CustomOp {
  ops::DeclarableOp* op = nullptr;
  const ops::OpDescriptor* descriptor = nullptr;
  std::string family;  ///< the header that declares it; "plugin" for operations of loaded libraries

  explicit operator bool() const { return op != nullptr; }
  const std::string& name() const { return descriptor->name(); }
  const ops::Schema& schema() const;
  std::vector<std::string> aliases() const;
  std::string library() const;
  /// The numbered operations that compute the same function.
  std::vector<const loops::NumberedOp*> twins() const { return ops::numberedTwins(*op); }
  /// The names of the inputs and outputs in the schema. Outputs without names are "z0", "z1", ….
  std::vector<std::string> inputNames() const;
  std::vector<std::string> outputNames(size_t count) const;
};

/// All custom operations, ordered by name.
std::vector<CustomOp> customOps();

/// The custom operation with a name or alias, or none. An exact match comes first, then an exact match of a numbered
/// operation (the result is then none), then a match that ignores case.
CustomOp findCustom(const std::string& name);

/// Whether a custom operation belongs to a group: its family or its kind.
bool isInGroup(const CustomOp& op, const std::string& group);

/// "float16, float32", "any", "an input's type".
std::string typesText(const ops::TypeSet& types);

}  // namespace sd::cli

#endif
