// Calls in place.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_INPLACE_H
#define NDFORGE_SRC_OPS_DECLARABLE_INPLACE_H

#include <array/ShapeList.h>
#include <graph/Context.h>
#include <ops/declarable/OpDescriptor.h>

#include <memory>
#include <vector>

namespace sd::ops {

/// Result k of a call in place replaces input k, or goes to output k if the caller gave one. An operation that can
/// write over its inputs does so. Any other is called as if the inputs were outputs of the caller: results are computed
/// apart where they must be. A result of another shape gives the input that shape. Results without an input stay in the
/// context.
class InPlaceCall {
 public:
  /// @throws std::invalid_argument when a result fits into no input, std::runtime_error when an input cannot be written
  InPlaceCall(const OpDescriptor& descriptor, graph::Context& block, const ShapeList& shapes);
  /// The call is one in place again, with the outputs that were given.
  ~InPlaceCall();
  InPlaceCall(const InPlaceCall&) = delete;
  InPlaceCall& operator=(const InPlaceCall&) = delete;

  /// Whether the inputs stay as they are, whatever the result would be: conversions do not change the type of an array.
  bool isIdle() const { return _isIdle; }
  /// Whether the operation writes over its inputs.
  bool isDirect() const { return _isDirect; }
  /// Makes the call one that is not in place.
  void begin();
  /// Call it after the operation has succeeded: gives the inputs the results that have other shapes.
  void commit();

 private:
  struct Reshaped {
    NDArray* target;
    std::unique_ptr<NDArray> result;
  };

  const OpDescriptor& _descriptor;
  graph::Context& _block;
  const ShapeList& _shapes;
  bool _isIdle = false, _isDirect = false, _hasBegun = false;
  std::vector<NDArray*> _given;  // outputs before the call
  std::vector<Reshaped> _reshaped;

  /// What result `index` replaces; nullptr when there is nothing.
  NDArray* targetOf(int index) const;
  void requireFit(int index, const NDArray& target);
  bool hasShape(int index, const NDArray& target) const;
};

}  // namespace sd::ops

#endif
