// Calls the added operation in three ways: as an argument of an array method, by its number in the C interface, by
// name.
#include <array/NDArray.h>
#include <legacy/NativeOps.h>
#include <loops/OpGroup.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpRegistrator.h>

#include <cmath>
#include <cstdio>
#include <string>

int main() {
  using namespace sd;
  NDArray x('c', {5}, {-2, -1, 0, 1, 2}, FLOAT32), byMethod('c', {5}, FLOAT32), byNumber('c', {5}, FLOAT32);
  x.applyTransform(transform::BellCurve, byMethod);

  OpaqueDataBuffer in(x.dataBuffer()), out(byNumber.dataBuffer());
  execTransformStrict(nullptr, 59, &in, x.shapeInfo(), nullptr, &out, byNumber.shapeInfo(), nullptr, nullptr);

  ops::DeclarableOp* operation = ops::OpRegistrator::getInstance().getOperation("BellCurve");
  if (operation == nullptr) return 1;
  const ResultSet byName = operation->evaluate({&x});

  const auto* found = loops::findOp(loops::OpGroup::TransformStrict, "BellCurve");
  bool right = lastErrorCode() == 0 && found != nullptr && found->number == transform::BellCurve;
  for (LongType i = 0; i < x.lengthOf(); i++) {
    const double expected = std::exp(-0.5 * x.e<double>(i) * x.e<double>(i));
    right = right && std::fabs(byMethod.e<double>(i) - expected) < 1e-6;
    right = right && std::fabs(byNumber.e<double>(i) - expected) < 1e-6;
    right = right && std::fabs(byName.at(0)->e<double>(i) - expected) < 1e-6;
  }
  if (found != nullptr) std::printf("%s\n", std::string(found->formula).c_str());
  byMethod.printBuffer("bell curve");
  std::puts(right ? "right in every way" : "wrong");
  return right ? 0 : 1;
}
