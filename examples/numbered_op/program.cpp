// Calls the added operation in three ways: as an argument of an array method, by its number in the C interface, by
// name.
#include <array/NDArray.h>
#include <legacy/NativeOps.h>
#include <loops/OpGroup.h>

#include <cmath>
#include <cstdio>

int main() {
  using namespace sd;
  NDArray x('c', {5}, {-2, -1, 0, 1, 2}, FLOAT32), byMethod('c', {5}, FLOAT32), byNumber('c', {5}, FLOAT32);
  x.applyTransform(transform::BellCurve, byMethod);

  OpaqueDataBuffer in(x.dataBuffer()), out(byNumber.dataBuffer());
  execTransformStrict(nullptr, 59, &in, x.shapeInfo(), nullptr, &out, byNumber.shapeInfo(), nullptr, nullptr);

  const auto* found = loops::findOp(loops::OpGroup::TransformStrict, "BellCurve");
  bool right = lastErrorCode() == 0 && found != nullptr && found->number == transform::BellCurve;
  for (LongType i = 0; i < x.lengthOf(); i++) {
    const double expected = std::exp(-0.5 * x.e<double>(i) * x.e<double>(i));
    right = right && std::fabs(byMethod.e<double>(i) - expected) < 1e-6;
    right = right && std::fabs(byNumber.e<double>(i) - expected) < 1e-6;
  }
  byMethod.printBuffer("bell curve");
  std::puts(right ? "right in every way" : "wrong");
  return right ? 0 : 1;
}
