// Schemas of operations whose macros have no place for them: list, divergent and logic operations.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_DOCUMENTATION_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_DOCUMENTATION_H

#include <ops/declarable/OpRegistrator.h>
#include <ops/declarable/Schema.h>

namespace sd::ops {

/// An object of this class, defined after the operation in the same file, states the schema of its registry entry.
struct StatedSchema {
  StatedSchema(const char* name, void (*state)(Schema& schema)) {
    if (DeclarableOp* op = OpRegistrator::getInstance().find(name)) state(op->getOpDescriptor()->schema());
  }
};

}  // namespace sd::ops

/// After the operation: statements on `schema` follow in braces.
#define STATE_SCHEMA(NAME)                                                      \
  [[gnu::cold]] static void SD_schema_##NAME(sd::ops::Schema& schema);          \
  static const sd::ops::StatedSchema SD_stated_##NAME(#NAME, SD_schema_##NAME); \
  static void SD_schema_##NAME([[maybe_unused]] sd::ops::Schema& schema)

#endif
