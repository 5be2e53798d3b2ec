// The documentation of schemas in the form of OpDocumentation, for what reads that form still.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_SCHEMAPROSE_H
#define NDFORGE_SRC_OPS_DECLARABLE_SCHEMAPROSE_H

#include <ops/declarable/Schema.h>

namespace sd::ops {

/// Documents the descriptor of a stated schema. The strings live as long as the process.
void documentFromSchema(OpDescriptor& descriptor);

}  // namespace sd::ops

#endif
