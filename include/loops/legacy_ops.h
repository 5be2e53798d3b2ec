// The numbered operations: number and functor, group by group. Numbers are part of the interface; gaps are not filled.
//
// An operation consists of one line here and one functor in ops/ops.h. The line generates the enumerators of
// system/op_enums.h, the kernels for every type and instruction set, and the entry in the registry.
#ifndef NDFORGE_LOOPS_LEGACY_OPS_H
#define NDFORGE_LOOPS_LEGACY_OPS_H

// clang-format off
#define TRANSFORM_FLOAT_OPS \
  (1, simdOps::Sqrt), \
  (3, simdOps::RSqrt)

#define TRANSFORM_SAME_OPS \
  (0, simdOps::Abs), \
  (1, simdOps::Sign), \
  (2, simdOps::Ones), \
  (3, simdOps::Neg), \
  (4, simdOps::Round), \
  (5, simdOps::TimesOneMinus), \
  (6, simdOps::Cube), \
  (7, simdOps::OneMinus), \
  (11, simdOps::Reciprocal), \
  (12, simdOps::Square), \
  (13, simdOps::CompareAndSetTransform), \
  (15, simdOps::Identity), \
  (17, simdOps::Ceiling), \
  (18, simdOps::Floor), \
  (19, simdOps::ClipByValue), \
  (21, simdOps::Copy)

#define TRANSFORM_BOOL_OPS \
  (1, simdOps::IsInf), \
  (2, simdOps::IsNan), \
  (3, simdOps::IsFinite), \
  (4, simdOps::IsInfOrNan), \
  (5, simdOps::MatchConditionBool), \
  (6, simdOps::IsPositive), \
  (7, simdOps::Not), \
  (8, simdOps::IsNegative)

#define TRANSFORM_STRICT_OPS \
  (2, simdOps::ScaledTanh), \
  (3, simdOps::Affine), \
  (4, simdOps::TanhDerivative), \
  (5, simdOps::HardTanhDerivative), \
  (6, simdOps::SigmoidDerivative), \
  (7, simdOps::SoftSignDerivative), \
  (8, simdOps::TanDerivative), \
  (9, simdOps::SELUDerivative), \
  (10, simdOps::HardSigmoidDerivative), \
  (11, simdOps::RationalTanhDerivative), \
  (12, simdOps::RectifiedTanhDerivative), \
  (13, simdOps::SwishDerivative), \
  (14, simdOps::ACoshDerivative), \
  (15, simdOps::ASinhDerivative), \
  (16, simdOps::SinhDerivative), \
  (17, simdOps::LogSigmoidDerivative), \
  (18, simdOps::SpecialDerivative), \
  (19, simdOps::Stabilize), \
  (20, simdOps::StabilizeFP16), \
  (21, simdOps::CubeDerivative), \
  (22, simdOps::Cosine), \
  (23, simdOps::Exp), \
  (24, simdOps::Log), \
  (25, simdOps::SetRange), \
  (26, simdOps::Sigmoid), \
  (27, simdOps::Sin), \
  (28, simdOps::SoftPlus), \
  (29, simdOps::Tanh), \
  (30, simdOps::ACos), \
  (31, simdOps::ASin), \
  (32, simdOps::ATan), \
  (33, simdOps::HardTanh), \
  (34, simdOps::SoftSign), \
  (36, simdOps::HardSigmoid), \
  (37, simdOps::RationalTanh), \
  (38, simdOps::RectifiedTanh), \
  (39, simdOps::Sinh), \
  (40, simdOps::Cosh), \
  (41, simdOps::Tan), \
  (42, simdOps::SELU), \
  (43, simdOps::Swish), \
  (44, simdOps::Log1p), \
  (45, simdOps::Erf), \
  (46, simdOps::ACosh), \
  (47, simdOps::ASinh), \
  (48, simdOps::Rint), \
  (49, simdOps::LogSigmoid), \
  (50, simdOps::Erfc), \
  (51, simdOps::Expm1), \
  (52, simdOps::ATanh), \
  (53, simdOps::GELU), \
  (54, simdOps::GELUDerivative), \
  (55, simdOps::PreciseGELU), \
  (56, simdOps::PreciseGELUDerivative), \
  (57, simdOps::Mish), \
  (58, simdOps::MishDerivative)

#define TRANSFORM_ANY_OPS \
  (0, simdOps::Assign)

#define PAIRWISE_TRANSFORM_OPS \
  (0, simdOps::Add), \
  (1, simdOps::CopyPws), \
  (2, simdOps::Divide), \
  (3, simdOps::Multiply), \
  (4, simdOps::Pow), \
  (5, simdOps::ReverseSubtract), \
  (6, simdOps::Subtract), \
  (7, simdOps::MaxPairwise), \
  (8, simdOps::MinPairwise), \
  (9, simdOps::Copy2), \
  (10, simdOps::Axpy), \
  (11, simdOps::ReverseDivide), \
  (12, simdOps::CompareAndSet), \
  (13, simdOps::CompareAndReplace), \
  (14, simdOps::Remainder), \
  (15, simdOps::FMod), \
  (16, simdOps::Atan2), \
  (17, simdOps::TruncateDiv), \
  (18, simdOps::FloorDiv), \
  (19, simdOps::FloorMod), \
  (20, simdOps::SquaredSubtract), \
  (21, simdOps::ReverseMod), \
  (22, simdOps::SafeDivide), \
  (23, simdOps::Mod), \
  (24, simdOps::RelativeError), \
  (25, simdOps::BinaryRelativeError), \
  (26, simdOps::BinaryMinimumAbsoluteRelativeError), \
  (27, simdOps::LogicalOr), \
  (28, simdOps::LogicalXor), \
  (29, simdOps::LogicalNot), \
  (30, simdOps::LogicalAnd), \
  (31, simdOps::PowDerivative), \
  (32, simdOps::LogPoissonLoss), \
  (33, simdOps::LogPoissonLossFull), \
  (34, simdOps::AMaxPairwise), \
  (35, simdOps::AMinPairwise), \
  (36, simdOps::TruncateMod), \
  (37, simdOps::ReplaceNans), \
  (38, simdOps::DivideNoNan), \
  (39, simdOps::IGamma), \
  (40, simdOps::IGammac)

#define PAIRWISE_BOOL_OPS \
  (0, simdOps::EqualTo), \
  (1, simdOps::GreaterThan), \
  (2, simdOps::LessThan), \
  (3, simdOps::Epsilon), \
  (4, simdOps::GreaterThanOrEqual), \
  (5, simdOps::MatchCondition), \
  (6, simdOps::NotEqualTo), \
  (7, simdOps::And), \
  (8, simdOps::Or), \
  (9, simdOps::Xor), \
  (10, simdOps::Not), \
  (11, simdOps::LessThanOrEqual)

#define PAIRWISE_INT_OPS \
  (0, simdOps::ShiftLeft), \
  (1, simdOps::ShiftRight), \
  (2, simdOps::CyclicShiftLeft), \
  (3, simdOps::CyclicShiftRight), \
  (4, simdOps::IntAnd), \
  (5, simdOps::IntOr), \
  (6, simdOps::IntXor)

#define SCALAR_OPS \
  (0, simdOps::Add), \
  (1, simdOps::Subtract), \
  (2, simdOps::Multiply), \
  (3, simdOps::Divide), \
  (4, simdOps::ReverseDivide), \
  (5, simdOps::ReverseSubtract), \
  (6, simdOps::MaxPairwise), \
  (7, simdOps::ELU), \
  (8, simdOps::ELUDerivative), \
  (13, simdOps::MinPairwise), \
  (14, simdOps::CopyPws), \
  (15, simdOps::Mod), \
  (16, simdOps::ReverseMod), \
  (17, simdOps::Remainder), \
  (18, simdOps::FMod), \
  (19, simdOps::TruncateDiv), \
  (20, simdOps::FloorDiv), \
  (21, simdOps::FloorMod), \
  (22, simdOps::SquaredSubtract), \
  (23, simdOps::SafeDivide), \
  (24, simdOps::AMaxPairwise), \
  (25, simdOps::AMinPairwise), \
  (26, simdOps::Atan2), \
  (27, simdOps::LogicalOr), \
  (28, simdOps::LogicalXor), \
  (29, simdOps::LogicalNot), \
  (30, simdOps::LogicalAnd), \
  (31, simdOps::Pow), \
  (32, simdOps::PowDerivative), \
  (33, simdOps::CompareAndSet), \
  (34, simdOps::SXELogitsSmoother), \
  (35, simdOps::LeakyRELU), \
  (36, simdOps::LeakyRELUDerivative), \
  (37, simdOps::ReplaceNans), \
  (38, simdOps::LogX), \
  (39, simdOps::RELU), \
  (40, simdOps::RELU6), \
  (41, simdOps::Step), \
  (42, simdOps::LstmClip), \
  (43, simdOps::TruncateMod), \
  (44, simdOps::SquaredReverseSubtract), \
  (45, simdOps::ReversePow), \
  (46, simdOps::DivideNoNan), \
  (47, simdOps::IGamma), \
  (48, simdOps::IGammac), \
  (49, simdOps::RELUDerivative)

#define SCALAR_BOOL_OPS \
  (0, simdOps::EqualTo), \
  (1, simdOps::GreaterThan), \
  (2, simdOps::LessThan), \
  (3, simdOps::Epsilon), \
  (4, simdOps::GreaterThanOrEqual), \
  (5, simdOps::MatchCondition), \
  (6, simdOps::NotEqualTo), \
  (7, simdOps::And), \
  (8, simdOps::Or), \
  (9, simdOps::Xor), \
  (10, simdOps::Not), \
  (11, simdOps::LessThanOrEqual)

#define SCALAR_INT_OPS \
  (0, simdOps::ShiftLeft), \
  (1, simdOps::ShiftRight), \
  (2, simdOps::CyclicShiftLeft), \
  (3, simdOps::CyclicShiftRight), \
  (4, simdOps::IntAnd), \
  (5, simdOps::IntOr), \
  (6, simdOps::IntXor)

#define BROADCAST_OPS \
  (0, simdOps::Add), \
  (1, simdOps::Subtract), \
  (2, simdOps::Multiply), \
  (3, simdOps::Divide), \
  (4, simdOps::ReverseDivide), \
  (5, simdOps::ReverseSubtract), \
  (6, simdOps::CopyPws), \
  (7, simdOps::Pow), \
  (13, simdOps::MinPairwise), \
  (14, simdOps::MaxPairwise), \
  (15, simdOps::AMinPairwise), \
  (16, simdOps::AMaxPairwise), \
  (17, simdOps::SquaredSubtract), \
  (18, simdOps::FloorMod), \
  (19, simdOps::FloorDiv), \
  (20, simdOps::ReverseMod), \
  (21, simdOps::SafeDivide), \
  (22, simdOps::Mod), \
  (23, simdOps::TruncateDiv), \
  (26, simdOps::Atan2), \
  (27, simdOps::LogicalOr), \
  (28, simdOps::LogicalXor), \
  (29, simdOps::LogicalNot), \
  (30, simdOps::LogicalAnd), \
  (31, simdOps::DivideNoNan), \
  (32, simdOps::IGamma), \
  (33, simdOps::IGammac), \
  (34, simdOps::PowDerivative)

#define BROADCAST_BOOL_OPS \
  (0, simdOps::EqualTo), \
  (1, simdOps::GreaterThan), \
  (2, simdOps::LessThan), \
  (3, simdOps::Epsilon), \
  (4, simdOps::GreaterThanOrEqual), \
  (5, simdOps::MatchCondition), \
  (6, simdOps::NotEqualTo), \
  (7, simdOps::And), \
  (8, simdOps::Or), \
  (9, simdOps::Xor), \
  (10, simdOps::Not), \
  (11, simdOps::LessThanOrEqual)

#define BROADCAST_INT_OPS \
  (0, simdOps::ShiftLeft), \
  (1, simdOps::ShiftRight), \
  (2, simdOps::CyclicShiftLeft), \
  (3, simdOps::CyclicShiftRight), \
  (4, simdOps::IntAnd), \
  (5, simdOps::IntOr), \
  (6, simdOps::IntXor)

#define REDUCE_FLOAT_OPS \
  (0, simdOps::Mean), \
  (1, simdOps::AMean), \
  (2, simdOps::Norm1), \
  (3, simdOps::Norm2), \
  (4, simdOps::NormMax), \
  (5, simdOps::NormFrobenius), \
  (6, simdOps::NormP), \
  (7, simdOps::SquaredNorm), \
  (8, simdOps::Entropy), \
  (9, simdOps::LogEntropy), \
  (10, simdOps::ShannonEntropy), \
  (12, simdOps::ReduceFloatBenchmarkOp)

#define REDUCE_SAME_OPS \
  (0, simdOps::Sum), \
  (1, simdOps::Max), \
  (2, simdOps::Min), \
  (3, simdOps::Prod), \
  (4, simdOps::ASum), \
  (5, simdOps::AMax), \
  (6, simdOps::AMin), \
  (7, simdOps::ReduceSameBenchmarkOp)

#define REDUCE_BOOL_OPS \
  (0, simdOps::Any), \
  (1, simdOps::All), \
  (2, simdOps::IsFinite), \
  (3, simdOps::IsInfOrNan), \
  (4, simdOps::IsNan), \
  (5, simdOps::IsInf), \
  (6, simdOps::IsPositive), \
  (7, simdOps::IsNegative)

#define REDUCE_LONG_OPS \
  (0, simdOps::CountNonZero), \
  (1, simdOps::CountZero), \
  (2, simdOps::MatchCondition)

#define REDUCE3_OPS \
  (0, simdOps::ManhattanDistance), \
  (1, simdOps::EuclideanDistance), \
  (2, simdOps::CosineSimilarity), \
  (3, simdOps::Dot), \
  (4, simdOps::EqualsWithEps), \
  (5, simdOps::CosineDistance), \
  (6, simdOps::JaccardDistance), \
  (7, simdOps::SimpleHammingDistance)

#define INDEX_REDUCE_OPS \
  (0, simdOps::IndexMax), \
  (1, simdOps::IndexMin), \
  (2, simdOps::IndexAbsoluteMax), \
  (3, simdOps::IndexAbsoluteMin), \
  (4, simdOps::FirstIndex), \
  (5, simdOps::LastIndex)

#define SUMMARY_STATS_OPS \
  (0, simdOps::SummaryStatsVariance), \
  (1, simdOps::SummaryStatsStandardDeviation)

#define RANDOM_OPS \
  (0, randomOps::UniformDistribution), \
  (1, randomOps::DropOut), \
  (2, randomOps::DropOutInverted), \
  (3, randomOps::ProbablisticMerge), \
  (4, randomOps::Linspace), \
  (5, randomOps::Choice), \
  (6, randomOps::GaussianDistribution), \
  (7, randomOps::BernoulliDistribution), \
  (8, randomOps::BinomialDistribution), \
  (9, randomOps::BinomialDistributionEx), \
  (10, randomOps::LogNormalDistribution), \
  (11, randomOps::TruncatedNormalDistribution), \
  (12, randomOps::AlphaDropOut), \
  (13, randomOps::ExponentialDistribution), \
  (14, randomOps::ExponentialDistributionInv), \
  (15, randomOps::PoissonDistribution), \
  (16, randomOps::GammaDistribution)

// clang-format on

#endif
