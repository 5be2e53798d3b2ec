// The worked example of a schema, as arrays and arguments.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_EXAMPLE_H
#define NDFORGE_SRC_OPS_DECLARABLE_EXAMPLE_H

#include <array/NDArray.h>
#include <ops/declarable/Schema.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sd::ops {

struct Example {
  std::vector<std::unique_ptr<NDArray>> inputs;  ///< null for optional inputs that are left out
  std::vector<std::pair<std::string, ArgumentValue>> arguments;

  /// Sets inputs and arguments of a call. The arrays stay here.
  void fill(graph::Context& block) const;
};

/// Reads `json`, which has the form of Schema::example(). Without text, the result is empty.
/// @throws std::invalid_argument when the text is not a JSON object, names something else than an input or an argument,
/// or a value has not the form of its input or argument
SD_LIB_EXPORT Example readExample(const Schema& schema, const char* json);
inline Example readExample(const Schema& schema) { return readExample(schema, schema.example()); }

}  // namespace sd::ops

#endif
