// The objects that enter operations in the registry when their library is loaded.
#ifndef NDFORGE_OPS_DECLARABLE_REGISTRATION_H
#define NDFORGE_OPS_DECLARABLE_REGISTRATION_H

#include <ops/declarable/OpRegistrator.h>

namespace sd::ops::detail {

template <typename Op>
struct Registration {
  Registration() {
    auto* op = new Op;
#if defined(SD_BUILDING_LIBRARY)
    op->getOpDescriptor()->markBuiltIn();
#endif
    OpRegistrator::getInstance().registerOperation(op);
  }
};

struct Synonym {
  Synonym(const char* alias, const char* original) { OpRegistrator::getInstance().registerAlias(alias, original); }
};

}  // namespace sd::ops::detail

#endif
