// Documentation of operations whose macros have no place for it: list, divergent and logic operations.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_DOCUMENTATION_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_DOCUMENTATION_H

#include <ops/declarable/OpRegistrator.h>

namespace sd::ops {

/// An object of this class, defined after the operation in the same file, documents the operation's registry entry.
struct Documented {
  Documented(const char* name, const OpDocumentation& documentation) {
    if (DeclarableOp* op = OpRegistrator::getInstance().find(name)) op->getOpDescriptor()->document(documentation);
  }
};

}  // namespace sd::ops

#endif
