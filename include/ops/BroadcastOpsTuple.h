// The three numbers of an arithmetic operation: as scalar, pairwise and broadcast operation.
#ifndef NDFORGE_OPS_BROADCASTOPSTUPLE_H
#define NDFORGE_OPS_BROADCASTOPSTUPLE_H

#include <ops/BroadcastTuple.h>
#include <system/op_enums.h>

namespace sd {

class BroadcastOpsTuple : public BroadcastTuple<BroadcastOpsTuple, scalar::Ops, pairwise::Ops, broadcast::Ops> {
 public:
  using BroadcastTuple::BroadcastTuple;

  static constexpr BroadcastOpsTuple Add() { return {scalar::Add, pairwise::Add, broadcast::Add}; }
  static constexpr BroadcastOpsTuple Assign() { return {scalar::CopyPws, pairwise::CopyPws, broadcast::CopyPws}; }
  static constexpr BroadcastOpsTuple Divide() { return {scalar::Divide, pairwise::Divide, broadcast::Divide}; }
  static constexpr BroadcastOpsTuple DivideNoNan() {
    return {scalar::DivideNoNan, pairwise::DivideNoNan, broadcast::DivideNoNan};
  }
  static constexpr BroadcastOpsTuple Multiply() { return {scalar::Multiply, pairwise::Multiply, broadcast::Multiply}; }
  static constexpr BroadcastOpsTuple Subtract() { return {scalar::Subtract, pairwise::Subtract, broadcast::Subtract}; }
  static constexpr BroadcastOpsTuple IGamma() { return {scalar::IGamma, pairwise::IGamma, broadcast::IGamma}; }
  static constexpr BroadcastOpsTuple IGammac() { return {scalar::IGammac, pairwise::IGammac, broadcast::IGammac}; }
  static constexpr BroadcastOpsTuple Pow() { return {scalar::Pow, pairwise::Pow, broadcast::Pow}; }
  static constexpr BroadcastOpsTuple PowDerivative() {
    return {scalar::PowDerivative, pairwise::PowDerivative, broadcast::PowDerivative};
  }
};

}  // namespace sd

#endif
