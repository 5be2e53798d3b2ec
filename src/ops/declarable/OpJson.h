// The description of an operation as JSON.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_OPJSON_H
#define NDFORGE_SRC_OPS_DECLARABLE_OPJSON_H

#include <string>

namespace sd::ops {

class DeclarableOp;

/// One object: "name", "aliases", "hash" (decimal, as text: JSON readers lose digits of 64-bit numbers), "kind",
/// "library", "inputs", "outputs", "floats", "integers" (counts; -1 one or more, -2 any), "inPlace", "random",
/// "inputTypes" and "outputTypes" (absent: all), "views" (outputs that share the memory of inputs), "gradient" (a name,
/// "" for none), "gradientOf", "numbered" and "custom" (names; the latter two are operations that compute the same),
/// and "schema", whose form docs/schemas.md describes.
std::string describeAsJson(DeclarableOp& op);

}  // namespace sd::ops

#endif
