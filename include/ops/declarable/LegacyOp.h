// The base of the classes that wrap numbered operations as operation objects.
#ifndef NDFORGE_OPS_DECLARABLE_LEGACYOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYOP_H

#include <loops/OpGroup.h>
#include <ops/declarable/DeclarableOp.h>

#include <memory>

namespace sd::ops {

/// A numbered operation. The context gives its number, or the constructor if the context's number is negative. Floating
/// arguments are the extra parameters, converted to the type that the group reads.
///
/// Axes (of broadcasts and reductions) come from the context's list getAxis(); else from the input after the operands,
/// an INT32 or INT64 array; else from the integer arguments. No axes, or only SD_MAX_DIMENSION, mean all of them.
///
/// | group | inputs | output | arguments |
/// |---|---|---|---|
/// | transform | x | x's shape; its type, a float type, BOOL | parameters |
/// | pairwise | x, y of equal shape or with one element | x's shape | parameters |
/// | scalar | x, scalar? | x's shape | without a scalar input: the scalar, then parameters |
/// | broadcast | x, y, axes? | x's shape | parameters; axes |
/// | reduce | x, axes? | the reduced shape, in x's order | parameters; axes; B0 keepDims, B1 newFormat (default true) |
/// | indexreduce | x, axes? | the reduced shape, INT64 | parameters; axes |
/// | reduce3 | x, y, axes? | the reduced shape, a float type | parameters; axes |
/// | variance | x, axes? | the reduced shape, a float type | I0 > 0: bias corrected; axes from I1 on |
/// | random | see LegacyRandomOp | | |
///
/// Errors: std::runtime_error and sd::datatype_exception, thrown before anything is written; the status VALIDATION for
/// types that the group does not allow and for pairs of different shapes.
class SD_LIB_EXPORT LegacyOp : public DeclarableOp {
 public:
  ~LegacyOp() override;
  /// Makes a new object with the same number.
  virtual LegacyOp* clone() = 0;
  ShapeList* calculateOutputShape(ShapeList* inputShapes, graph::Context& block) override;

 protected:
  LegacyOp(loops::OpGroup group, int opNum);
  LegacyOp(loops::OpGroup group, int opNum, const NDArray& scalar);
  /// The registry's entry: always this operation, whatever number the context has.
  explicit LegacyOp(const loops::NumberedOp& op);
  LegacyOp(const LegacyOp& other);

  void registerTypes() override;
  Status validateAndExecute(graph::Context& block) override;

 private:
  loops::OpGroup _group;
  int _opNum;
  bool _fixed = false;
  std::unique_ptr<NDArray> _scalar;

  /// @throws std::runtime_error when the group has no such operation
  const loops::NumberedOp& operation(graph::Context& block) const;
};

/// The constructors and clone() of a wrapper of one group.
template <typename Self, loops::OpGroup Group>
class LegacyOpOf : public LegacyOp {
 public:
  explicit LegacyOpOf(int opNum = -1) : LegacyOp(Group, opNum) {}
  LegacyOp* clone() override { return new Self(static_cast<const Self&>(*this)); }

 protected:
  LegacyOpOf(int opNum, const NDArray& scalar) : LegacyOp(Group, opNum, scalar) {}
};

}  // namespace sd::ops

#endif
