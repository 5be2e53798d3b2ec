// Chains and trees of element-wise numbered operations, and a reduction of their result, in one pass over memory.
//
// The steps run tile by tile in the L1 cache, on the kernels of the separate operations and with their conversions: a
// step with a 16-bit result is rounded to 16 bits, as if the result had been stored. So results have the same bits as
// those of separate calls on intermediate arrays in c order, also of reductions, and for any number of threads.
#ifndef NDFORGE_SRC_LOOPS_COMPOSITE_H
#define NDFORGE_SRC_LOOPS_COMPOSITE_H

#include <array/DataType.h>
#include <loops/Executor.h>

#include <memory>
#include <optional>
#include <vector>

namespace sd::loops {

/// One operation: a transform of x, or a pairwise, scalar or broadcast operation of x and y. TransformAny 0 (Assign)
/// converts x to the type `result`. x and y are values: 0..n-1 are the inputs, n, n + 1, … the results of the steps.
struct CompositeStep {
  OpGroup group;
  int number;
  int x;
  int y = -1;  ///< -1 in transforms
  DataType result;
  std::vector<double> params{};
};

/// The reduction of a value: an operation of ReduceSame, ReduceFloat, ReduceBool or ReduceLong.
struct CompositeReduction {
  OpGroup group;
  int number;
  int value;
  Axes axes{};  ///< empty: all
  bool keepDims = false;
  DataType result;
  std::vector<double> params{};
};

using CompositeShape = std::vector<LongType>;

/// A composite for given shapes and strides.
class PreparedComposite {
 public:
  PreparedComposite(PreparedComposite&&) noexcept;
  PreparedComposite& operator=(PreparedComposite&&) noexcept;
  ~PreparedComposite();

  /// Computes the outputs, without allocating memory or planning (unless the number of threads was raised since it was
  /// prepared). An output may be an input when both have the same view; the output of a reduction may not. One call at
  /// a time.
  /// @throws std::runtime_error for null buffers, outputs that overlap other arrays, and integer divisors that contain
  /// 0; nothing was written then
  void run(const void* const* inputs, void* const* outputs);

 private:
  friend class Composite;
  struct Impl;
  explicit PreparedComposite(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> _impl;
};

class Composite {
 public:
  static constexpr int MOST_STEPS = 64;
  static constexpr int MOST_OPERANDS = 32;  ///< inputs and outputs

  /// `outputs` are values of steps. The result of the reduction, if there is one, is one more output, the last. With
  /// neither, the output is the last step.
  /// @throws std::invalid_argument for bad steps: unknown operations, types, values, missing parameters
  Composite(std::vector<DataType> inputs, std::vector<CompositeStep> steps, std::vector<int> outputs = {},
            std::optional<CompositeReduction> reduction = std::nullopt);
  Composite(Composite&&) noexcept;
  Composite& operator=(Composite&&) noexcept;
  ~Composite();

  /// Why a step cannot be part of a composite, in a few words; nullptr when it can. `types` are those of the values
  /// that come before it, of which the first `inputs` are inputs.
  static const char* whyNot(const CompositeStep& step, const std::vector<DataType>& types, int inputs);
  static const char* whyNot(const CompositeReduction& reduction, const std::vector<DataType>& types);

  int outputCount() const;
  DataType inputType(int input) const;
  DataType outputType(int output) const;

  /// The shape to which the inputs broadcast by NumPy's rules, or this shape reduced.
  /// @throws std::invalid_argument when the inputs do not broadcast, or an axis is out of range
  CompositeShape outputShape(int output, const std::vector<CompositeShape>& inputs) const;

  /// `inputs` and `outputs` are shapeInfos. All outputs but that of the reduction have the common shape of the inputs.
  /// @throws std::invalid_argument for other shapes or types
  PreparedComposite prepare(const std::vector<const LongType*>& inputs,
                            const std::vector<const LongType*>& outputs) const;

  struct Definition;

 private:
  std::shared_ptr<const Definition> _definition;
};

}  // namespace sd::loops

#endif
