// The type of the numbers of kinds of operations. Other headers do not include this one: the name is also that of
// sd::graph::OpType, and programs open that namespace.
#ifndef NDFORGE_SYSTEM_OPTYPE_H
#define NDFORGE_SYSTEM_OPTYPE_H

#include <system/op_type.h>

typedef int OpType;

#endif
