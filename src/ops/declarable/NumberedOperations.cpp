// The numbered operations as entries of the registry.
#include <ops/declarable/OpRegistrator.h>

namespace sd::ops {

DeclarableOp* OpRegistrator::numberedOperation(std::string_view) { return nullptr; }

DeclarableOp* OpRegistrator::numberedOperation(LongType) { return nullptr; }

}  // namespace sd::ops
