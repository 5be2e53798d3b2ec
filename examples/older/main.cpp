// A program that uses libnd4j's older names. It calls the operations of operations.cpp and runs functors on arrays.
#include "functors.h"
#include "operations.h"

#include <cstdio>
#include <initializer_list>

using namespace nd4j;
using namespace nd4j::ops;

static int failures = 0;

static void check(bool ok, const char* what) {
  if (ok) return;
  failures++;
  std::printf("differs: %s\n", what);
}

static bool holds(const NDArray& array, std::initializer_list<Nd4jLong> shape, std::initializer_list<float> values) {
  if (array.getShapeAsVector() != std::vector<Nd4jLong>(shape)) return false;
  Nd4jLong i = 0;
  for (float value : values)
    if (array.e<float>(i++) != value) return false;
  return i == array.lengthOf();
}

static void callOperations() {
  NDArray x('c', {2, 2}, {1, 2, 3, 4}, nd4j::DataType::FLOAT32);
  NDArray y('c', {2}, {0, 0}, nd4j::DataType::FLOAT32);

  nd4j::ops::old_double_rows rows;
  auto doubled = rows.evaluate({&x});
  check(doubled.status() == ND4J_STATUS_OK, "status");
  check(holds(*doubled.at(0), {4, 2}, {1, 2, 1, 2, 3, 4, 3, 4}), "old_double_rows");
  check(OpRegistrator::getInstance().getOperation("OldDoubleRows") ==
            OpRegistrator::getInstance().getOperation("old_double_rows"),
        "DECLARE_SYN");

  NDArray z('c', {2, 2}, nd4j::DataType::FLOAT32);
  Nd4jStatus status = old_negate().execute({&x}, {&z});
  check(status == ND4J_STATUS_OK && holds(z, {2, 2}, {-1, -2, -3, -4}), "old_negate");
  check(holds(*old_scale().evaluate({&x}, {2.0}, {}).at(0), {2, 2}, {2, 4, 6, 8}), "old_scale");
  check(holds(*old_total().evaluate({&x}, {}, {0}).at(0), {2}, {4, 6}), "old_total");
  auto both = old_fork().evaluate({&x});
  check(both.size() == 2 && holds(*both.at(1), {2, 2}, {2, 4, 6, 8}), "old_fork");

  NDArrayList list(0, true);
  check(old_append().execute(&list, {&x}, {}, {}).status() == ND4J_STATUS_OK && list.elements() == 1, "old_append");
  Context context(1);
  check(old_logic().execute(&context) == ND4J_STATUS_BAD_INPUT, "old_logic");
  check(old_longer().verify({&x, &y}) && !old_longer().verify({&y, &x}), "old_longer");

  NDArray legs('c', {2}, {3, 5}, nd4j::DataType::FLOAT32), others('c', {2, 1}, {4, 12}, nd4j::DataType::FLOAT32);
  auto sides = old_hypot().evaluate({&legs, &others});
  check(sides.at(0)->e<float>(0, 0) == 5 && sides.at(0)->e<float>(1, 1) == 13, "old_hypot");
  NDArray near('c', {2}, {3.25f, 7}, nd4j::DataType::FLOAT32);
  auto answer = old_near().evaluate({&legs, &near}, {0.5}, {});
  check(answer.at(0)->e<bool>(0) && !answer.at(0)->e<bool>(1), "old_near");
}

template <typename T>
static void runFunctors() {
  NDArray x = NDArrayFactory::create<T>('c', {3}, {1, 2, 3});
  NDArray y = NDArrayFactory::create<T>('c', {3}, {3, 2, 0}), z = x.ulike();
  T one = 1, two = 2;

  auto cube = LAMBDA_T(v, one) {
    T parameter = one;
    return simdOps::OldCubePlus<T>::op(v, &parameter);
  };
  x.template applyLambda<T>(cube, z);
  check(holds(z, {3}, {2, 9, 28}), "OldCubePlus");

  auto distance = LAMBDA_TT(v, w, two) {
    T parameter = two;
    return simdOps::OldDistance<T, T, T>::op(v, w, &parameter);
  };
  x.template applyPairwiseLambda<T>(y, distance, z);
  check(holds(z, {3}, {4, 0, 6}), "OldDistance");

  typedef simdOps::OldSumOfCubes<T> Sum;
  T sum = Sum::startingValue(nullptr);
  for (Nd4jLong i = 0; i < x.lengthOf(); i++) sum = Sum::update(sum, Sum::op(x.template e<T>(i), nullptr), nullptr);
  check(Sum::postProcess(sum, x.lengthOf(), nullptr) == static_cast<T>(36), "OldSumOfCubes");
}

int main() {
  callOperations();
  runFunctors<float>();
  runFunctors<double>();
  nd4j_printf("%s older programs\n", failures == 0 ? "ok" : "not ok:");
  return failures != 0;
}
