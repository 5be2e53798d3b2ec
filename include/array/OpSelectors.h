// Parameter types of the array methods that run a numbered operation. Each accepts the enumerators of every enum of its
// kind and stores group and number: one method serves transform::FloatOps, transform::SameOps and so on.
#ifndef NDFORGE_ARRAY_OPSELECTORS_H
#define NDFORGE_ARRAY_OPSELECTORS_H

#include <loops/OpGroup.h>
#include <system/op_enums.h>

namespace sd {

/// Apart from the types of programs that have `using namespace sd`.
namespace loops {

struct TransformOp {
  loops::OpGroup group;
  int number;
  constexpr TransformOp(transform::FloatOps op) : group(loops::OpGroup::TransformFloat), number(op) {}
  constexpr TransformOp(transform::SameOps op) : group(loops::OpGroup::TransformSame), number(op) {}
  constexpr TransformOp(transform::BoolOps op) : group(loops::OpGroup::TransformBool), number(op) {}
  constexpr TransformOp(transform::StrictOps op) : group(loops::OpGroup::TransformStrict), number(op) {}
  constexpr TransformOp(transform::AnyOps op) : group(loops::OpGroup::TransformAny), number(op) {}
};

struct PairwiseOp {
  loops::OpGroup group;
  int number;
  constexpr PairwiseOp(pairwise::Ops op) : group(loops::OpGroup::Pairwise), number(op) {}
  constexpr PairwiseOp(pairwise::BoolOps op) : group(loops::OpGroup::PairwiseBool), number(op) {}
  constexpr PairwiseOp(pairwise::IntOps op) : group(loops::OpGroup::PairwiseInt), number(op) {}
};

struct ScalarOp {
  loops::OpGroup group;
  int number;
  constexpr ScalarOp(scalar::Ops op) : group(loops::OpGroup::Scalar), number(op) {}
  constexpr ScalarOp(scalar::BoolOps op) : group(loops::OpGroup::ScalarBool), number(op) {}
  constexpr ScalarOp(scalar::IntOps op) : group(loops::OpGroup::ScalarInt), number(op) {}
};

struct BroadcastOp {
  loops::OpGroup group;
  int number;
  constexpr BroadcastOp(broadcast::Ops op) : group(loops::OpGroup::Broadcast), number(op) {}
  constexpr BroadcastOp(broadcast::BoolOps op) : group(loops::OpGroup::BroadcastBool), number(op) {}
  constexpr BroadcastOp(broadcast::IntOps op) : group(loops::OpGroup::BroadcastInt), number(op) {}
};

struct ReduceOp {
  loops::OpGroup group;
  int number;
  constexpr ReduceOp(reduce::FloatOps op) : group(loops::OpGroup::ReduceFloat), number(op) {}
  constexpr ReduceOp(reduce::SameOps op) : group(loops::OpGroup::ReduceSame), number(op) {}
  constexpr ReduceOp(reduce::BoolOps op) : group(loops::OpGroup::ReduceBool), number(op) {}
  constexpr ReduceOp(reduce::LongOps op) : group(loops::OpGroup::ReduceLong), number(op) {}
};

}  // namespace loops

#if defined(SD_BUILDING_LIBRARY)
using loops::BroadcastOp;
using loops::PairwiseOp;
using loops::ReduceOp;
using loops::ScalarOp;
using loops::TransformOp;
#endif

}  // namespace sd

#endif
