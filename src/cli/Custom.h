// Custom operations: which there are, by the names that users give, and what is known of them.
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
}

namespace sd::cli {

/// What is known of an operation.
struct CustomOp {
  ops::DeclarableOp* op = nullptr;
  const ops::OpDescriptor* descriptor = nullptr;
  std::string family;  ///< the header that declares it; "plugin" for those of loaded libraries

  explicit operator bool() const { return op != nullptr; }
  const std::string& name() const { return descriptor->name(); }
  const ops::OpDocumentation& documentation() const { return descriptor->documentation(); }
  std::vector<std::string> aliases() const;
  std::string library() const;
  /// The numbered operations that compute the same.
  std::vector<const loops::NumberedOp*> twins() const { return ops::numberedTwins(*op); }
  /// The names of the inputs and outputs that the documentation tells, one for each; "z0", "z1", … where it does not.
  std::vector<std::string> inputNames() const;
  std::vector<std::string> outputNames(size_t count) const;
};

/// All of them, ordered by name.
std::vector<CustomOp> customOps();

/// The operation that a name or alias means. None when there is none, and where a numbered one is nearer: capitals
/// matter where they tell a custom operation and a numbered one apart, equal names mean the custom one.
CustomOp findCustom(const std::string& name);

/// Whether a custom operation belongs to a group: its family or its kind.
bool isInGroup(const CustomOp& op, const std::string& group);

/// "float16, float32", "any", "an input's type".
std::string typesText(const ops::TypeSet& types);

}  // namespace sd::cli

#endif
