// Fused operators on arrays, compositions, and operators in the registry.
#include <exceptions/datatype_exception.h>
#include <ops/declarable/OpRegistrator.h>
#include <ops/declarable/RegisterOperator.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "TensorCases.h"

namespace {

/// An operator that has no number.
template <typename T>
struct Logistic {
  static constexpr const char* formula = "y * x * (1 - x)";
  static constexpr bool isVectorizable = true;
  static T op(T x, T y) { return y * x * (sd::math::constant<T>(1) - x); }
};

}  // namespace

SD_REGISTER_OPERATOR(test_logistic, Logistic)
SD_REGISTER_OPERATOR(test_multiply_add, simdOps::MultiplyAdd)
SD_REGISTER_OPERATOR(test_largest, simdOps::Max)
SD_REGISTER_OPERATOR(test_clip, simdOps::ClipByValue)
SD_REGISTER_OPERATOR(test_and, simdOps::IntAnd)
SD_REGISTER_OPERATOR(test_any, simdOps::Any)

using namespace sd;
using indexing::Dimensions;
using tensorcases::refusal;

namespace {

NDArray counted(char order, const std::vector<LongType>& shape, DataType type) {
  NDArray x(order, shape, type);
  for (LongType i = 0; i < x.lengthOf(); i++) x.p(i, static_cast<double>(i % 11) - 3);
  return x;
}

/// z[i] of three broadcast arrays, by coordinates.
template <typename F>
void expectElements(const NDArray& z, const NDArray& x, const NDArray& y, const NDArray& w, F&& f) {
  const auto at = [&z](const NDArray& a, const std::vector<LongType>& c) {
    LongType coords[SD_MAX_RANK];
    const int skip = z.rankOf() - a.rankOf();
    for (int d = 0; d < a.rankOf(); d++) coords[d] = a.sizeAt(d) == 1 ? 0 : c[static_cast<std::size_t>(d + skip)];
    LongType index = 0;
    for (int d = 0; d < a.rankOf(); d++) index = index * a.sizeAt(d) + coords[d];
    return a.e<double>(index);
  };
  std::vector<LongType> c(static_cast<std::size_t>(z.rankOf()), 0);
  for (LongType i = 0; i < z.lengthOf(); i++) {
    LongType rest = i;
    for (int d = z.rankOf() - 1; d >= 0; d--) {
      c[static_cast<std::size_t>(d)] = rest % z.sizeAt(d);
      rest /= z.sizeAt(d);
    }
    ASSERT_EQ(z.e<double>(i), f(at(x, c), at(y, c), at(w, c))) << i;
  }
}

}  // namespace

TEST(TensorArray, shapes_strides_and_types) {
  const DataType types[] = {FLOAT32, DOUBLE, INT8, INT32, HALF};
  for (const DataType xType : types)
    for (const DataType zType : {DOUBLE, FLOAT32, INT32}) {
      auto x = counted('c', {4, 5, 6}, xType), y = counted('f', {5, 6}, INT16), w = counted('c', {4, 1, 6}, FLOAT32);
      NDArray z('f', {4, 5, 6}, zType);
      tensor::apply<simdOps::MultiplyAdd>(x, y, w, z);
      expectElements(z, x, y, w, [](double a, double b, double c) { return a * b + c; });
      const auto view = counted('c', {6, 5, 4}, xType).permute({2, 1, 0});
      tensor::apply<simdOps::AddMultiply>(view, y, w, z);
      expectElements(z, view, y, w, [](double a, double b, double c) { return (a + b) * c; });
      tensor::apply<simdOps::Subtract>(x, y, z);
      expectElements(z, x, y, w, [](double a, double b, double) { return a - b; });
      tensor::apply<simdOps::Multiply>(x, 2, z);
      expectElements(z, x, x, x, [](double a, double, double) { return a * 2; });
      tensor::apply<tensor::compose<simdOps::Square, simdOps::Neg>>(view, z);
      expectElements(z, view, view, view, [](double a, double, double) { return -(a * a); });
      NDArray truth('c', {4, 5, 6}, BOOL);
      tensor::apply<simdOps::GreaterThan>(x, y, truth);
      expectElements(truth, x, y, w, [](double a, double b, double) { return a > b ? 1.0 : 0.0; });
    }
}

TEST(TensorArray, large_ones_in_place_and_in_threads) {
  auto x = counted('c', {700, 901}, FLOAT32), row = counted('c', {901}, FLOAT32);
  const NDArray before(x);
  tensor::apply<simdOps::MultiplyAdd>(x, row, 1, x);
  NDArray one('c', {1}, FLOAT32);
  one.p(0, 1.0);
  expectElements(x, before, row, one, [](double a, double b, double c) { return a * b + c; });
  auto column = counted('c', {700, 1}, DOUBLE);
  NDArray z('f', {700, 901}, FLOAT32);
  tensor::apply<Logistic>(before, column, z);
  expectElements(z, before, column, one, [](double a, double b, double) { return b * a * (1 - a); });
}

namespace {

/// The elements of counted({7, 33, 5}) grouped along dimensions, by coordinates.
struct Cube {
  static constexpr LongType SIZES[] = {7, 33, 5};
  bool kept[3] = {true, true, true};
  std::vector<LongType> shape;  ///< of the kept dimensions

  explicit Cube(const std::vector<int>& dims) {
    for (const int d : dims) kept[d < 0 ? d + 3 : d] = false;
    if (dims.empty()) std::fill(kept, kept + 3, false);
    for (int d = 0; d < 3; d++)
      if (kept[d]) shape.push_back(SIZES[d]);
  }
  std::size_t length() const {
    std::size_t n = 1;
    for (const LongType size : shape) n *= static_cast<std::size_t>(size);
    return n;
  }
  template <typename F>
  std::vector<double> gather(double start, F&& update) const {
    std::vector<double> all(length(), start);
    LongType i = 0;
    for (LongType a = 0; a < 7; a++)
      for (LongType b = 0; b < 33; b++)
        for (LongType c = 0; c < 5; c++, i++) {
          const LongType at[] = {a, b, c};
          std::size_t place = 0;
          for (int d = 0; d < 3; d++)
            if (kept[d]) place = place * static_cast<std::size_t>(SIZES[d]) + static_cast<std::size_t>(at[d]);
          update(all[place], static_cast<double>(i % 11) - 3);
        }
    return all;
  }
};

}  // namespace

TEST(TensorArray, reductions_along_dimensions) {
  struct {
    std::vector<int> dims;
    std::vector<LongType> kept;
  } const rows[] = {
      {{0}, {1, 33, 5}},    {{1}, {7, 1, 5}},     {{2}, {7, 33, 1}},
      {{0, 2}, {1, 33, 1}}, {{-1, 1}, {7, 1, 1}}, {{}, {1, 1, 1}},
  };
  for (const auto& row : rows) {
    const Cube cube(row.dims);
    const Dimensions dims(row.dims);
    const auto squares = cube.gather(0, [](double& z, double v) { z += v * v; });
    const auto sums = cube.gather(0, [](double& z, double v) { z += v; });
    const auto largest = cube.gather(-9, [](double& z, double v) { z = std::max(z, v); });
    const auto magnitudes = cube.gather(0, [](double& z, double v) { z += std::fabs(v); });
    const auto positive = cube.gather(0, [](double& z, double v) { z += v > 0 ? 1 : 0; });
    const double each = 7.0 * 33 * 5 / static_cast<double>(squares.size());
    for (const DataType type : {FLOAT32, DOUBLE, INT32, INT8})
      for (const char order : {'c', 'f'}) {
        SCOPED_TRACE(testing::Message() << "type " << static_cast<int>(type) << ", order " << order
                                        << ", first of kept " << row.kept[0]);
        const auto x = counted(order, {7, 33, 5}, type);
        const auto check = [&](const NDArray& z, DataType zType, const std::vector<double>& expected) {
          EXPECT_EQ(z.getShapeAsVector(), cube.shape);
          ASSERT_EQ(z.dataType(), zType);
          for (std::size_t i = 0; i < expected.size(); i++) {
            const double wrapped =
                zType == INT8 ? static_cast<int8_t>(static_cast<LongType>(expected[i])) : expected[i];
            ASSERT_FLOAT_EQ(z.e<float>(static_cast<LongType>(i)), static_cast<float>(wrapped)) << i;
          }
        };
        check(tensor::aggregate<simdOps::Square, simdOps::Sum>(x, dims), type, squares);
        EXPECT_EQ((tensor::aggregate<simdOps::Square, simdOps::Sum>(x, dims, true).getShapeAsVector()), row.kept);
        check(tensor::aggregate<simdOps::Sum>(x, dims), type, sums);
        check(tensor::aggregate<simdOps::Max>(x, dims), type, largest);
        check(tensor::aggregate<simdOps::IsPositive, simdOps::Sum>(x, dims), INT64, positive);
        auto means = magnitudes;
        for (double& mean : means) mean /= each;
        const auto fused = tensor::aggregate<simdOps::Abs, simdOps::Mean>(x, dims);
        EXPECT_TRUE(fused.isR());
        check(fused, fused.dataType(), means);
        EXPECT_EQ(tensor::aggregate<simdOps::Any>(x, dims).dataType(), BOOL);
      }
  }
}

TEST(TensorArray, nan_in_reductions) {
  auto x = counted('c', {4, 300}, FLOAT32);
  x.p(2, 7, std::numeric_limits<float>::quiet_NaN());
  for (const int dim : {0, 1}) {
    const auto checked = tensor::aggregate<simdOps::Max>(x, {dim});
    const auto fused = tensor::aggregate<simdOps::Neg, simdOps::Min>(x, {dim});
    const auto number = tensor::aggregateNumber<simdOps::Max>(x, {dim});
    for (LongType i = 0; i < checked.lengthOf(); i++) {
      const bool here = i == (dim == 0 ? 7 : 2);
      EXPECT_EQ(std::isnan(checked.e<double>(i)), here) << dim << " " << i;
      EXPECT_EQ(std::isnan(fused.e<double>(i)), here) << dim << " " << i;
      EXPECT_FALSE(std::isnan(number.e<double>(i)));
    }
  }
  EXPECT_TRUE(std::isnan(tensor::aggregate<simdOps::Max>(x).e<double>(0)));
}

TEST(TensorArray, nothing) {
  NDArray none('c', {0, 3}, FLOAT32), z('c', {0, 3}, FLOAT32);
  tensor::apply<simdOps::Square>(none, z);
  tensor::apply<simdOps::MultiplyAdd>(none, 1, 2, z);
  const auto sums = tensor::aggregate<simdOps::Square, simdOps::Sum>(none, {0});
  ASSERT_EQ(sums.lengthOf(), 3);
  EXPECT_EQ(sums.e<double>(1), 0);
}

TEST(TensorArray, refusals_leave_the_output) {
  const auto x = counted('c', {2, 3}, FLOAT32), four = counted('c', {4}, FLOAT32);
  const auto whole = counted('c', {2, 3}, INT32);
  NDArray five('c', {2, 3}, INT32);
  five.assign(5);
  NDArray z('c', {2, 3}, FLOAT32), wide('c', {3, 3}, FLOAT32), integers('c', {2, 3}, INT32);
  z.assign(7);
  integers.assign(7);
  struct {
    const char* message;
    std::function<void()> call;
  } const rows[] = {
      {"[apply] shapes [2, 3] of x, [4] of y and [] of w do not broadcast to shape [2, 3] of z",
       [&] { tensor::apply<simdOps::MultiplyAdd>(x, four, 1, z); }},
      {"[apply] shape [2, 3] of x does not broadcast to shape [3, 3] of z",
       [&] { tensor::apply<tensor::compose<simdOps::Square>>(x, wide); }},
      {"[apply] argument 'y': division of INT32 by 0 (shape [2, 3])",
       [&] { tensor::apply<tensor::scalarOnly<simdOps::Divide>::Operator>(whole, whole, integers); }},
      {"[tensor] division of integers by 0",
       [&] { tensor::apply<tensor::compose<simdOps::Divide, simdOps::Neg>>(five, whole, integers); }},
      {"[aggregate] dimension 2 does not exist in an array of rank 2",
       [&] { (void)tensor::aggregate<simdOps::Square, simdOps::Sum>(x, {2}); }},
      {"[tensor] 0 parameters are given, but the operator needs 2", [&] { tensor::apply<simdOps::ClipByValue>(x, z); }},
  };
  for (const auto& row : rows) EXPECT_EQ(refusal<std::exception>(row.call), row.message);
  EXPECT_EQ(z.sumNumber().e<double>(0), 42);
  EXPECT_EQ(integers.sumNumber().e<double>(0), 42);
  NDArray floats('c', {2, 3}, FLOAT32);
  EXPECT_THROW(tensor::apply<Logistic>(NDArray("text"), x, z), datatype_exception);
  EXPECT_THROW(tensor::apply<simdOps::IntAnd>(x, x, floats), datatype_exception);
}

TEST(TensorCompose, operators_of_operators) {
  using namespace tensor;
  const std::vector<double> x = {1, -2, 3, 0.5}, y = {4, 3, -2, 1};
  std::vector<double> z(4);
  const auto check = [&](const char* what, auto f) {
    for (std::size_t i = 0; i < 4; i++) EXPECT_EQ(z[i], f(x[i], y[i])) << what << " " << i;
  };
  apply<compose<simdOps::Square, simdOps::Neg>>(x, z);
  check("from left to right", [](double a, double) { return -(a * a); });
  apply<compose<simdOps::Neg, simdOps::Square>::Operator>(x, z);
  check("as a template", [](double a, double) { return a * a; });
  apply<compose<simdOps::Subtract, simdOps::Abs, simdOps::Cube>>(x, y, z);
  check("three, of two operands", [](double a, double b) { return std::pow(std::fabs(a - b), 3); });
  apply<compose<bind<simdOps::Add, simdOps::Square, simdOps::Square>::Operator, simdOps::Sqrt>>(x, y, z);
  check("bind", [](double a, double b) { return std::sqrt(a * a + b * b); });
  apply<branch<simdOps::Multiply, simdOps::Identity, simdOps::OneMinus>>(x, z);
  check("branch", [](double a, double) { return a * (1 - a); });
  apply<bindSecond<simdOps::Subtract, 3>>(x, z);
  check("second", [](double a, double) { return a - 3; });
  apply<bindFirst<simdOps::Subtract, 3>>(x, z);
  check("first", [](double a, double) { return 3 - a; });
  EXPECT_EQ((aggregate<compose<simdOps::Subtract, simdOps::Square>, simdOps::Sum>(x, y)), 9 + 25 + 25 + 0.25);
  EXPECT_EQ((indexOfAggregate<compose<simdOps::Square>, simdOps::Max>(x)), 2);
  EXPECT_EQ((first<compose<simdOps::Square, bindSecond<simdOps::GreaterThan, 3>::Operator>>(x)), -2);
  static_assert(tensor::isVectorizable<compose<simdOps::Square, simdOps::Neg>::Operator, float>);
  static_assert(!tensor::isVectorizable<compose<simdOps::Square, simdOps::CosPi>::Operator, float>);
  const std::vector<int> whole = {1, 2, 0};
  std::vector<int> parts(3, 7), others(3, 7);
  const char* const zero = "[tensor] division of integers by 0";
  EXPECT_EQ(refusal([&] { apply<compose<simdOps::Identity, simdOps::Reciprocal>>(whole, parts); }), zero);
  EXPECT_EQ(
      refusal([&] { apply<compose<simdOps::Subtract, bindFirst<simdOps::Divide, 6>::Operator>>(whole, 1, parts); }),
      zero);
  EXPECT_EQ(refusal([&] { apply2<simdOps::Neg, compose<simdOps::Reciprocal>::Operator>(whole, others, parts); }), zero);
  EXPECT_EQ(parts, std::vector<int>(3, 7));
  EXPECT_EQ(others, std::vector<int>(3, 7));
}

TEST(TensorRegister, types_and_inference) {
  auto& registry = ops::OpRegistrator::getInstance();
  ops::DeclarableOp &logistic = *registry.getOperation("test_logistic"),
                    &sums = *registry.getOperation("test_multiply_add");
  const struct {
    DataType x, y, z;
  } rows[] = {{FLOAT32, FLOAT32, FLOAT32}, {INT32, FLOAT32, FLOAT32},  {HALF, INT64, HALF},
              {BOOL, DOUBLE, DOUBLE},      {FLOAT32, DOUBLE, FLOAT32}, {DOUBLE, FLOAT32, DOUBLE},
              {INT8, INT64, INT8},         {UINT8, INT8, UINT8},       {HALF, BFLOAT16, HALF},
              {INT64, BOOL, INT64},        {INT32, INT32, INT32},      {BFLOAT16, HALF, BFLOAT16}};
  for (const auto& row : rows) {
    NDArray x('c', {2, 1, 3}, row.x), y('c', {4, 1}, row.y);
    x = 1;
    y = 2;
    for (ops::DeclarableOp* op : {&logistic, &sums}) {
      std::vector<NDArray*> inputs{&x, &y};
      std::vector<ops::PartialShape> shapes{ops::PartialShape::of(x.shapeInfo()), {row.y, {-1, 1}}};
      if (op == &sums) {
        inputs.push_back(&y);
        shapes.push_back(shapes[1]);
      }
      const auto result = op->evaluate(inputs);
      EXPECT_EQ(result.at(0)->dataType(), row.z);
      EXPECT_EQ(result.at(0)->getShapeAsVector(), (std::vector<LongType>{2, 4, 3}));
      graph::Context block(1);
      const auto inferred = op->infer(shapes, block);
      ASSERT_EQ(inferred.size(), 1u);
      EXPECT_EQ(inferred[0].type(), row.z);
      EXPECT_EQ(inferred[0].text(), "[2, ?, 3]");
    }
  }
  graph::Context block(1);
  EXPECT_FALSE(logistic.infer({ops::PartialShape(), ops::PartialShape(FLOAT32, {3})}, block)[0].hasType());
  EXPECT_THROW(logistic.infer({{FLOAT32, {2}}, {FLOAT32, {3}}}, block), std::invalid_argument);
}

TEST(TensorRegister, operators_are_operations) {
  auto& registry = ops::OpRegistrator::getInstance();
  const auto x = counted('c', {2, 3}, FLOAT32);
  NDArray y('c', {3}, std::vector<double>{1, 2, 3}, FLOAT32), a(x);
  ops::DeclarableOp* logistic = registry.getOperation("test_logistic");
  ASSERT_NE(logistic, nullptr);
  EXPECT_EQ(registry.getOperation(logistic->getOpHash()), logistic);
  EXPECT_STREQ(logistic->schema().formula(), "y * x * (1 - x)");
  auto result = logistic->evaluate({&a, &y});
  ASSERT_EQ(result.size(), 1);
  expectElements(*result.at(0), x, y, y, [](double v, double w, double) { return w * v * (1 - v); });

  auto sums = registry.getOperation("test_multiply_add")->evaluate({&a, &y, &y});
  expectElements(*sums.at(0), x, y, y, [](double v, double w, double) { return v * w + w; });

  auto largest = registry.getOperation("test_largest")->evaluate({&a}, {}, {1}, {true});
  EXPECT_EQ(largest.at(0)->getShapeAsVector(), (std::vector<LongType>{2, 1}));
  EXPECT_EQ(largest.at(0)->e<double>(1), 2);
  auto all = registry.getOperation("test_largest")->evaluate({&a});
  EXPECT_EQ(all.at(0)->lengthOf(), 1);

  auto clipped = registry.getOperation("test_clip")->evaluate({&a}, {-1.0, 1.0});
  EXPECT_EQ(clipped.at(0)->e<double>(0), -1);
  EXPECT_EQ(registry.getOperation("test_clip")->evaluate({&a}).status(), Status::VALIDATION);

  NDArray bits('c', {2, 3}, INT32);
  bits.assign(6);
  NDArray mask('c', {3}, std::vector<double>{1, 2, 4}, INT32);
  auto masked = registry.getOperation("test_and")->evaluate({&bits, &mask});
  EXPECT_EQ(masked.at(0)->dataType(), INT32);
  EXPECT_EQ(masked.at(0)->e<int>(2), 4);
  EXPECT_EQ(registry.getOperation("test_and")->evaluate({&a, &y}).status(), Status::VALIDATION)
      << "floats have no bits";
  EXPECT_EQ(registry.getOperation("test_any")->evaluate({&a}, {}, {0}).at(0)->dataType(), BOOL);

  auto inPlace = logistic->evaluate({&a, &y}, {}, {}, {}, {}, true);
  EXPECT_EQ(inPlace.at(0), &a);
  expectElements(a, x, y, y, [](double v, double w, double) { return w * v * (1 - v); });
  NDArray four('c', {4}, FLOAT32);
  EXPECT_THROW(logistic->evaluate({&a, &four}), std::invalid_argument);
}
