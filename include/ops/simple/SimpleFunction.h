// Operations that have no function of their own in include/nd, as functions on arrays and symbols.
#ifndef NDFORGE_OPS_SIMPLE_SIMPLEFUNCTION_H
#define NDFORGE_OPS_SIMPLE_SIMPLEFUNCTION_H

#include <array/NDArray.h>
#include <ops/simple/Kwargs.h>
#include <symbol/Symbol.h>

#include <vector>

namespace sd::ops {

/// An operation of one result by its name:
///   const SimpleFunction smoothL1("simple_smooth_l1");
///   NDArray loss = smoothL1(x, y, 2.0);
/// With a symbol among its operands, the function adds a node to the graph. The operation is looked up once. Random
/// operations draw from nd::generator(). Calls throw std::invalid_argument or std::runtime_error, whose message names
/// the operation and what is wrong.
class SD_LIB_EXPORT SimpleFunction {
 public:
  /// @throws std::invalid_argument when there is no operation of this name
  explicit SimpleFunction(const char* name);

  NDArray operator()(const NDArray& x) const { return call({&x}, nullptr, {}); }
  NDArray operator()(const NDArray& x, double scalar) const { return call({&x}, &scalar, {}); }
  NDArray operator()(const NDArray& x, const Kwargs& arguments) const { return call({&x}, nullptr, arguments); }
  NDArray operator()(const NDArray& x, const NDArray& y) const { return call({&x, &y}, nullptr, {}); }
  NDArray operator()(const NDArray& x, const NDArray& y, double scalar) const { return call({&x, &y}, &scalar, {}); }
  NDArray operator()(const NDArray& x, const NDArray& y, const Kwargs& arguments) const {
    return call({&x, &y}, nullptr, arguments);
  }

  nd::Symbol operator()(const nd::Operand& x) const { return add({x}, nullptr, {}); }
  nd::Symbol operator()(const nd::Operand& x, double scalar) const { return add({x}, &scalar, {}); }
  nd::Symbol operator()(const nd::Operand& x, const Kwargs& arguments) const { return add({x}, nullptr, arguments); }
  nd::Symbol operator()(const nd::Operand& x, const nd::Operand& y) const { return add({x, y}, nullptr, {}); }
  nd::Symbol operator()(const nd::Operand& x, const nd::Operand& y, double scalar) const {
    return add({x, y}, &scalar, {});
  }
  nd::Symbol operator()(const nd::Operand& x, const nd::Operand& y, const Kwargs& arguments) const {
    return add({x, y}, nullptr, arguments);
  }

 private:
  DeclarableOp* _op;

  NDArray call(const std::vector<const NDArray*>& inputs, const double* scalar, const Kwargs& arguments) const;
  nd::Symbol add(const std::vector<nd::Operand>& inputs, const double* scalar, const Kwargs& arguments) const;
};

}  // namespace sd::ops

#endif
