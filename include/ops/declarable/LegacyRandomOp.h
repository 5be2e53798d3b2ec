#ifndef NDFORGE_OPS_DECLARABLE_LEGACYRANDOMOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYRANDOMOP_H

#include <ops/declarable/LegacyOp.h>

#include <initializer_list>
#include <vector>

namespace sd::ops {

/// Random numbers. A float input 0 gives shape and type of z; an integer input 0 is a vector that holds the shape, and
/// the context gives the type (default FLOAT32). Parameters are scalar inputs after the operands, or floating
/// arguments, in the order of the numbered operation's formula:
///
/// - Uniform, Linspace, Gaussian, Bernoulli, Binomial, BinomialEx, LogNormal, TruncatedNormal, Exponential,
///   ExponentialInv, Poisson, Gamma fill z. From Gaussian to TruncatedNormal, input 0 must be a vector. For the
///   binomial operations, integer argument 0 may give the number of trials. Linspace with three inputs takes start,
///   finish and the number of points.
/// - DropOut, DropOutInverted, AlphaDropOut change x, the float input 0.
/// - ProbablisticMerge and Choice take x and y, inputs 0 and 1. For Choice these are values and probabilities, and a
///   third input may give the shape.
class SD_LIB_EXPORT LegacyRandomOp : public LegacyOpOf<LegacyRandomOp, loops::OpGroup::Random> {
 public:
  using LegacyOpOf::LegacyOpOf;

  using DeclarableOp::execute;
  /// As evaluate, but with a copy of the given generator.
  ResultSet execute(graph::RandomGenerator& rng, std::initializer_list<NDArray*> inputs,
                    std::initializer_list<double> tArgs, std::initializer_list<int> iArgs, bool isInplace = false);
  ResultSet execute(graph::RandomGenerator& rng, std::vector<NDArray*>& inputs, std::vector<double>& tArgs,
                    std::vector<int>& iArgs, bool isInplace = false);
};

}  // namespace sd::ops

#endif
