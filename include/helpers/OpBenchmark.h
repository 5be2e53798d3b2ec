// Operations with operands, to be run repeatedly.
#ifndef NDFORGE_HELPERS_OPBENCHMARK_H
#define NDFORGE_HELPERS_OPBENCHMARK_H

#include <array/NDArray.h>
#include <graph/Context.h>
#include <ops/declarable/DeclarableOp.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace sd {

/// Does not own the arrays.
class SD_LIB_EXPORT OpBenchmark {
 public:
  OpBenchmark() = default;
  OpBenchmark(std::string name, NDArray* x, NDArray* z) : OpBenchmark(std::move(name), x, nullptr, z) {}
  OpBenchmark(std::string name, NDArray* x, NDArray* y, NDArray* z, std::vector<int> axis = {})
      : _testName(std::move(name)), _x(x), _y(y), _z(z), _axis(std::move(axis)) {}
  virtual ~OpBenchmark() = default;

  /// Runs the operation. @throws std::runtime_error when a required array is missing
  virtual void executeOnce() = 0;
  /// The caller deletes the clone.
  virtual OpBenchmark* clone() const = 0;

  void setOpNum(int opNum) { _opNum = opNum; }
  void setTestName(std::string name) { _testName = std::move(name); }
  void setX(NDArray* array) { _x = array; }
  void setY(NDArray* array) { _y = array; }
  void setZ(NDArray* array) { _z = array; }
  void setAxis(std::vector<int> axis) { _axis = std::move(axis); }

  NDArray& x() const { return given(_x, "x"); }
  NDArray& y() const { return given(_y, "y"); }
  NDArray& z() const { return given(_z, "z"); }
  int opNum() const { return _opNum; }
  const std::string& testName() const { return _testName; }
  const std::vector<int>& getAxis() const { return _axis; }

  // Columns of the report; "N/A" when a column does not apply.
  virtual std::string extra() const { return "N/A"; }
  virtual std::string dataType() const;
  virtual std::string axis() const;
  virtual std::string orders() const;
  virtual std::string strides() const;
  virtual std::string shape() const;
  virtual std::string inplace() const;

 protected:
  int _opNum = 0;
  std::string _testName;
  NDArray* _x = nullptr;
  NDArray* _y = nullptr;
  NDArray* _z = nullptr;
  std::vector<int> _axis;

  static NDArray& given(NDArray* array, const char* name);
};

namespace detail {

/// A benchmark of a numbered operation: Op is a type of array/OpSelectors.h.
template <typename Op, typename Self>
class NumberedBenchmark : public OpBenchmark {
 public:
  explicit NumberedBenchmark(Op op) : NumberedBenchmark(op, "", nullptr, nullptr, nullptr) {}
  NumberedBenchmark(Op op, std::string name) : NumberedBenchmark(op, std::move(name), nullptr, nullptr, nullptr) {}
  NumberedBenchmark(Op op, std::string name, NDArray* x, NDArray* z)
      : NumberedBenchmark(op, std::move(name), x, nullptr, z) {}
  NumberedBenchmark(Op op, std::string name, NDArray* x, NDArray* z, std::vector<int> axis)
      : NumberedBenchmark(op, std::move(name), x, nullptr, z, std::move(axis)) {}
  // Without this constructor, {0} would be a null pointer.
  NumberedBenchmark(Op op, std::string name, NDArray* x, NDArray* z, std::initializer_list<int> axis)
      : NumberedBenchmark(op, std::move(name), x, nullptr, z, std::vector<int>(axis)) {}
  NumberedBenchmark(Op op, std::string name, NDArray* x, NDArray* y, NDArray* z, std::vector<int> axis = {})
      : OpBenchmark(std::move(name), x, y, z, std::move(axis)), _op(op) {
    _opNum = op.number;
  }
  OpBenchmark* clone() const override { return new Self(static_cast<const Self&>(*this)); }

 protected:
  Op _op;
};

}  // namespace detail

/// z = op(x, y); y is a scalar, 2 when it is not given.
class SD_LIB_EXPORT ScalarBenchmark : public detail::NumberedBenchmark<loops::ScalarOp, ScalarBenchmark> {
 public:
  using NumberedBenchmark::NumberedBenchmark;
  void executeOnce() override;
};

/// z = op(x)
class SD_LIB_EXPORT TransformBenchmark : public detail::NumberedBenchmark<loops::TransformOp, TransformBenchmark> {
 public:
  using NumberedBenchmark::NumberedBenchmark;
  void executeOnce() override;
};

/// z = op(x, y) element by element
class SD_LIB_EXPORT PairwiseBenchmark : public detail::NumberedBenchmark<loops::PairwiseOp, PairwiseBenchmark> {
 public:
  using NumberedBenchmark::NumberedBenchmark;
  void executeOnce() override;
};

/// z = op(x, y); y is broadcast along the axes of x
class SD_LIB_EXPORT BroadcastBenchmark : public detail::NumberedBenchmark<loops::BroadcastOp, BroadcastBenchmark> {
 public:
  using NumberedBenchmark::NumberedBenchmark;
  void executeOnce() override;
};

/// z = x reduced over the axes (none: all); if y is given, it lists the axes
class SD_LIB_EXPORT ReductionBenchmark : public detail::NumberedBenchmark<loops::ReduceOp, ReductionBenchmark> {
 public:
  using NumberedBenchmark::NumberedBenchmark;
  void executeOnce() override;
};

/// z = alpha x y + beta z; x and y are transposed first if requested
class SD_LIB_EXPORT MatrixBenchmark : public OpBenchmark {
 public:
  MatrixBenchmark(float alpha, float beta, std::string name)
      : MatrixBenchmark(alpha, beta, false, false, std::move(name)) {}
  MatrixBenchmark(float alpha, float beta, bool transposeX, bool transposeY, std::string name, NDArray* x = nullptr,
                  NDArray* y = nullptr, NDArray* z = nullptr)
      : OpBenchmark(std::move(name), x, y, z), _alpha(alpha), _beta(beta), _tA(transposeX), _tB(transposeY) {}
  void executeOnce() override;
  OpBenchmark* clone() const override { return new MatrixBenchmark(*this); }
  std::string extra() const override;

 private:
  float _alpha, _beta;
  bool _tA, _tB;
};

/// An operation with a context, which holds its arrays and arguments. Owns neither.
class SD_LIB_EXPORT DeclarableBenchmark : public OpBenchmark {
 public:
  explicit DeclarableBenchmark(ops::DeclarableOp& op, std::string name = "");
  void setContext(graph::Context* context);
  void executeOnce() override;
  OpBenchmark* clone() const override { return new DeclarableBenchmark(*this); }

 private:
  ops::DeclarableOp* _op;
  graph::Context* _context = nullptr;
};

}  // namespace sd

#endif
