#include <helpers/MmulHelper.h>
#include <helpers/OpBenchmark.h>
#include <helpers/ShapeUtils.h>

#include "system/Error.h"

namespace sd {

namespace {

/// Joins what(array) for the arrays that are not nullptr.
template <typename F>
std::string joined(std::initializer_list<const NDArray*> arrays, const char* separator, F&& what) {
  std::string text;
  for (const NDArray* array : arrays)
    if (array != nullptr) text += (text.empty() ? "" : separator) + what(*array);
  return text.empty() ? "N/A" : text;
}

}  // namespace

NDArray& OpBenchmark::given(NDArray* array, const char* name) {
  if (array == nullptr) fail("[OpBenchmark] array {} is missing", name);
  return *array;
}

std::string OpBenchmark::dataType() const { return _x == nullptr ? "N/A" : DataTypeUtils::asString(_x->dataType()); }

std::string OpBenchmark::axis() const { return _axis.empty() ? "N/A" : fmt::format("{}", fmt::join(_axis, ", ")); }

std::string OpBenchmark::orders() const {
  return joined({_x, _y, _z}, "/", [](const NDArray& array) { return std::string(1, array.ordering()); });
}

std::string OpBenchmark::strides() const {
  return joined({_x, _y, _z}, " / ", [](const NDArray& array) { return ShapeUtils::strideAsString(&array); });
}

std::string OpBenchmark::shape() const { return _x == nullptr ? "N/A" : ShapeUtils::shapeAsString(_x); }

std::string OpBenchmark::inplace() const {
  if (_x == nullptr || _z == nullptr) return "N/A";
  return _x == _z || (_x->hasElements() && _x->buffer() == _z->buffer()) ? "true" : "false";
}

void ScalarBenchmark::executeOnce() {
  if (_y != nullptr)
    x().applyScalarArr(_op, *_y, z());
  else
    x().applyScalar(_op, 2, z());
}

void TransformBenchmark::executeOnce() { x().applyTransform(_op, z()); }

void PairwiseBenchmark::executeOnce() { x().applyPairwiseTransform(_op, y(), z()); }

void BroadcastBenchmark::executeOnce() { x().applyBroadcast(_op, _axis, y(), z()); }

void ReductionBenchmark::executeOnce() {
  if (z().isScalar())
    x().reduceNumber(_op, z());
  else
    x().reduceAlongDimension(_op, z(), _y == nullptr ? _axis : _y->getBufferAsVector<int>(), false, false);
}

void MatrixBenchmark::executeOnce() {
  NDArray left, right;
  if (_tA) left = x().transpose();
  if (_tB) right = y().transpose();
  MmulHelper::mmul(_tA ? &left : &x(), _tB ? &right : &y(), &z(), _alpha, _beta);
}

std::string MatrixBenchmark::extra() const {
  return fmt::format("alpha {}, beta {}, {}{}", _alpha, _beta, _tA ? 't' : 'n', _tB ? 't' : 'n');
}

DeclarableBenchmark::DeclarableBenchmark(ops::DeclarableOp& op, std::string name)
    : OpBenchmark(name.empty() ? *op.getOpName() : std::move(name), nullptr, nullptr), _op(&op) {}

void DeclarableBenchmark::setContext(graph::Context* context) {
  _context = context;
  const bool arrays = context != nullptr && !context->fastpath_in().empty();
  _x = arrays ? context->fastpath_in().front() : nullptr;
}

void DeclarableBenchmark::executeOnce() {
  if (_context == nullptr) fail("[DeclarableBenchmark] {}: there is no context", *_op->getOpName());
  const Status status = _op->execute(_context);
  if (status != Status::OK) fail<std::runtime_error>("[{}] status {}", *_op->getOpName(), static_cast<int>(status));
}

}  // namespace sd
