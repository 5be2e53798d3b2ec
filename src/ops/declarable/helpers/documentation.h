// Documentation of operations whose macros leave no place for it: on lists, divergent, logic.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_DOCUMENTATION_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_DOCUMENTATION_H

#include <ops/declarable/OpRegistrator.h>

namespace sd::ops {

/// An object of this class, behind the operation in its file, documents its entry in the registry.
struct Documented {
  Documented(const char* name, const OpDocumentation& documentation) {
    if (DeclarableOp* op = OpRegistrator::getInstance().find(name)) op->getOpDescriptor()->document(documentation);
  }
};

}  // namespace sd::ops

#endif
