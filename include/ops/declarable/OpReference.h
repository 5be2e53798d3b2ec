// What reference pages say about operations in addition to their descriptors: the entries of documented lists,
// gradients, and the equivalent numbered operations.
#ifndef NDFORGE_OPS_DECLARABLE_OPREFERENCE_H
#define NDFORGE_OPS_DECLARABLE_OPREFERENCE_H

#include <loops/OpGroup.h>
#include <system/common.h>

#include <string>
#include <string_view>
#include <vector>

namespace sd::ops {

class DeclarableOp;

/// One line of a list of OpDocumentation: "bias?: [oC]", "sH, sW: strides", "x0, x1, …: any shapes".
struct DocumentedEntry {
  std::vector<std::string> names;
  bool optional = false;     ///< "name?"
  bool any = false;          ///< "name…" or "x0, x1, …": any number of them
  std::string text;          ///< the whole line when it has no name
  std::string defaultValue;  ///< as written in the text: "(default 0)", "default all", "0 NCHW (default), 1 NHWC"
};

SD_LIB_EXPORT std::vector<DocumentedEntry> documentedEntries(std::string_view lines);

/// The operation that computes the gradient: NAME_bp, NAME_grad or NAMEBp, where NAME is the operation's name or an
/// alias. nullptr when there is none, and for numbered operations.
SD_LIB_EXPORT DeclarableOp* gradientOf(const DeclarableOp& op);

/// The operation whose gradientOf() is `op`; nullptr when `op` is not a gradient.
SD_LIB_EXPORT DeclarableOp* differentiatedBy(const DeclarableOp& op);

/// The numbered operations that compute the same as the custom operation (for random operations: numbers of the same
/// distribution). Empty for numbered operations.
SD_LIB_EXPORT std::vector<const loops::NumberedOp*> numberedTwins(const DeclarableOp& op);

/// The custom operations that have `op` in numberedTwins(), ordered by name.
SD_LIB_EXPORT std::vector<DeclarableOp*> customTwins(const loops::NumberedOp& op);

/// The derivative of a numbered operation, for example transform.TanhDerivative for transform.Tanh; nullptr if none.
SD_LIB_EXPORT const loops::NumberedOp* derivativeOf(const loops::NumberedOp& op);

/// The operation whose derivativeOf() is `op`; nullptr when `op` is not a derivative.
SD_LIB_EXPORT const loops::NumberedOp* derivedFrom(const loops::NumberedOp& op);

}  // namespace sd::ops

#endif
