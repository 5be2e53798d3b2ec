// Control flow of graphs.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_FLOW_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_FLOW_H

#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/LogicOp.h>

namespace sd::ops {

// Continues on one of two branches.
DECLARE_DIVERGENT_OP(Switch, 2, 2, true)

// Nodes that the executor of graphs runs itself.
DECLARE_LOGIC_OP(While)
DECLARE_LOGIC_OP(Scope)
DECLARE_LOGIC_OP(Conditional)
DECLARE_LOGIC_OP(Return)

}  // namespace sd::ops

#endif
