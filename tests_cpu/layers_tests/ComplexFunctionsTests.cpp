// Functions of complex numbers: values, edges, gradients, choices.
#include <array/NDArrayFactory.h>
#include <array/NDArrayFile.h>
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/Session.h>
#include <gtest/gtest.h>
#include <ops/declarable/Gradient.h>
#include <ops/declarable/NumberedArguments.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#ifdef SD_ALL_OPS
#include <nd/array.h>
#include <nd/nd.h>

#include "NativeOpsSupport.h"
#include "TestData.h"

using namespace sd;

namespace {

using Complex = std::complex<double>;
using Arrays = std::map<std::string, NDArray>;

const Arrays& expected() {
  static const Arrays arrays = loadNpz((test::dataFolder() / "array" / "complex_functions.npz").string());
  return arrays;
}

/// The arrays of expected() whose names end so, by the names of the operations.
std::vector<std::pair<std::string, const NDArray*>> expectedBy(const std::string& end) {
  std::vector<std::pair<std::string, const NDArray*>> found;
  for (const auto& [name, array] : expected())
    if (name.ends_with(end)) found.emplace_back(name.substr(0, name.size() - end.size()), &array);
  return found;
}

NDArray inType(const NDArray& x, DataType type) { return nd::cast(x, {type}); }

/// Results are real, BOOL, or complex.
NDArray resultIn(const NDArray& z, DataType type) {
  if (z.dataType() == BOOL) return z;
  return inType(z, z.isC() ? type : DataTypeUtils::partType(type));
}

NDArray call(const std::string& name, const std::vector<NDArray*>& inputs, const ops::CallArguments& arguments = {}) {
  ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find(name);
  if (op == nullptr) throw std::runtime_error("no operation " + name);
  graph::Context block(1);
  for (size_t i = 0; i < inputs.size(); i++) block.setInputArray(static_cast<int>(i), inputs[i]);
  if (arguments.data() != nullptr) block.setArguments(*arguments.type(), arguments.data());
  const Status status = op->execute(&block);
  if (status != Status::OK) throw std::runtime_error(op->failureMessage(status));
  return NDArray(*block.optionalOutput(0));
}

Complex valueAt(const NDArray& x, LongType i) {
  return x.isC() ? x.e<Complex>(i) : Complex(x.dataType() == BOOL ? x.e<bool>(i) : x.e<double>(i));
}

/// Relative to the size of the number.
void expectClose(const NDArray& actual, const NDArray& wanted, double tolerance) {
  ASSERT_EQ(wanted.getShapeAsVector(), actual.getShapeAsVector());
  ASSERT_EQ(wanted.dataType(), actual.dataType());
  for (LongType i = 0; i < wanted.lengthOf(); i++) {
    const Complex x = valueAt(actual, i), y = valueAt(wanted, i);
    EXPECT_TRUE(x == y || std::abs(x - y) <= tolerance * std::abs(y)) << i << ": " << x << " instead of " << y;
  }
}

/// `signs`: whether those of zeros and infinities count.
bool samePart(double x, double y, bool signs) {
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  if (x == 0 || y == 0 || std::isinf(x) || std::isinf(y))
    return std::abs(x) == std::abs(y) && (!signs || std::signbit(x) == std::signbit(y));
  return std::abs(x - y) <= 1e-6 * std::abs(y);
}

/// The C standard leaves signs open where an argument is NaN or has two infinite parts.
void expectEdges(const NDArray& actual, const NDArray& wanted, const NDArray& x) {
  ASSERT_EQ(wanted.getShapeAsVector(), actual.getShapeAsVector());
  ASSERT_EQ(wanted.dataType(), actual.dataType());
  for (LongType i = 0; i < wanted.lengthOf(); i++) {
    const Complex a = valueAt(actual, i), b = valueAt(wanted, i), argument = x.e<Complex>(i);
    const bool isNan = std::isnan(argument.real()) || std::isnan(argument.imag());
    const bool signs = !isNan && !(std::isinf(argument.real()) && std::isinf(argument.imag()));
    EXPECT_TRUE(samePart(a.real(), b.real(), signs) && samePart(a.imag(), b.imag(), signs))
        << argument << " gives " << a << " instead of " << b;
  }
}

constexpr DataType TYPES[] = {COMPLEX64, COMPLEX128};
double toleranceOf(DataType type) { return type == COMPLEX64 ? 1e-7 : 1e-15; }

NDArray ofNumbers(const std::vector<Complex>& values, DataType type = COMPLEX128) {
  NDArray x('c', {static_cast<LongType>(values.size())}, COMPLEX128);
  std::copy(values.begin(), values.end(), x.bufferAsT<Complex>());
  return inType(x, type);
}

std::string errorOf(const std::function<void()>& f) {
  try {
    f();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(OpsComplexFunctions, Values) {
  const auto rows = expectedBy(";z");
  ASSERT_GT(rows.size(), 25U);
  for (const auto& [name, z] : rows)
    for (const DataType type : TYPES) {
      SCOPED_TRACE(name + " of " + DataTypeUtils::describe(type));
      const LongType length = z->lengthOf() / 5;
      const auto cut = [&](const NDArray& a) { return a(interval(0, 5 * length)).reshape('c', {length, 5}); };
      NDArray plain = cut(inType(expected().at(name + ";x"), type)), f = plain.dup('f');
      NDArray wide('c', {length, 10}, type);
      NDArray strided = wide(all, interval(0, 10, 2));
      strided.assign(plain);
      const NDArray wanted = cut(resultIn(*z, type));
      for (NDArray* x : {&plain, &f, &strided}) {
        if (name == "Pow") {
          NDArray y = cut(inType(expected().at("Pow;y"), type));
          expectClose(call("Pow", {x, &y}), wanted, std::max(5e-14, toleranceOf(type)));
          expectClose(call("pairwise.Pow", {x, &y}), wanted, std::max(5e-14, toleranceOf(type)));
        } else {
          // These two are computed in the type of the parts.
          const int roundings = name == "Reciprocal" || name == "Square" ? 3 : 1;
          expectClose(call("transform." + name, {x}), wanted, roundings * toleranceOf(type));
        }
      }
    }
}

TEST(OpsComplexFunctions, Edges) {
  const auto rows = expectedBy(";edge");
  ASSERT_GT(rows.size(), 20U);
  for (const auto& [name, z] : rows)
    for (const DataType type : TYPES) {
      SCOPED_TRACE(name + " of " + DataTypeUtils::describe(type));
      const bool isPower = name == "Pow";
      NDArray x = inType(expected().at(isPower ? "Pow;edge x" : "edge"), type);
      NDArray y = inType(expected().at("Pow;edge y"), type);
      expectEdges(isPower ? call("Pow", {&x, &y}) : call("transform." + name, {&x}), resultIn(*z, type), x);
    }
}

TEST(OpsComplexFunctions, NamesOfPrograms) {
  for (const DataType type : TYPES) {
    const NDArray x = inType(expected().at("Exp;x"), type);
    const auto check = [&](const NDArray& z, const char* name) {
      SCOPED_TRACE(name);
      NDArray same = x;
      expectClose(z, call(std::string("transform.") + name, {&same}), 0);
    };
    check(nd::exp(x), "Exp");
    check(nd::sqrt(x), "Sqrt");
    check(nd::log(x), "Log");
    check(nd::Log1p(x), "Log1p");
    check(nd::tanh(x), "Tanh");
    check(nd::square(x), "Square");
    check(nd::rint(x), "Rint");
    check(nd::sign(x), "Sign");
    check(nd::abs(x), "Abs");
    check(nd::complex_abs(x), "Abs");
    check(nd::is_nan(x), "IsNan");
    EXPECT_EQ(DataTypeUtils::partType(type), nd::abs(x).dataType());
    NDArray place = x.dup();
    place.applyTransform(transform::Exp, place);
    check(place, "Exp");
    check(x.transform(transform::Exp), "Exp");
    check(x.transform(transform::Abs), "Abs");
    check(x.transform(transform::IsFinite), "IsFinite");
  }
}

TEST(OpsComplexFunctions, Broadcast) {
  for (const DataType type : TYPES) {
    NDArray x = ofNumbers({{1, 2}, {-0.5, 1}, {2, -3}, {0.25, 0}, {0, 1}, {-2, -2}}, type).reshape('c', {2, 3});
    NDArray row = ofNumbers({{2, 0}, {0.5, 1}, {-1, 0}}, type), column = ofNumbers({{2, 0}, {1, -1}}, type);
    NDArray columns = column.reshape('c', {2, 1}), two = ofNumbers({{2, 0}}, type).reshape('c', {});
    const NDArray byRow = nd::Pow(x, row), byColumn = nd::Pow(x, columns);
    ASSERT_EQ((std::vector<LongType>{2, 3}), byRow.getShapeAsVector());
    for (LongType i = 0; i < 6; i++) {
      const auto close = [&](const NDArray& z, Complex y) {
        const Complex wanted = std::pow(x.e<Complex>(i), y);
        EXPECT_LE(std::abs(z.e<Complex>(i) - wanted), 3e-7 * std::abs(wanted));
      };
      close(byRow, row.e<Complex>(i % 3));
      close(byColumn, column.e<Complex>(i / 3));
    }
    expectClose(call("broadcast.Pow", {&x, &row}, ops::NumberedAxes{{1}}), byRow, 0);
    expectClose(call("broadcast.Pow", {&x, &column}, ops::NumberedAxes{{0}}), byColumn, 0);
    expectClose(call("broadcast.Multiply", {&x, &column}, ops::NumberedAxes{{-2}}), x * columns, 0);
    expectClose(call("broadcast.EqualTo", {&x, &row}, ops::NumberedAxes{{1}}), nd::equals(x, row), 0);
    expectClose(call("scalar.Pow", {&x}, ops::NumberedScalar{2}), nd::Pow(x, two), 0);
    expectClose(call("scalar.ReversePow", {&x, &two}), nd::Pow(two, x), 0);
    expectClose(nd::Pow(x, two), nd::square(x), 0);
    NDArray z = x.ulike();
    x.applyScalar(scalar::Pow, 2.0, z);
    expectClose(z, nd::Pow(x, two), 0);
    const std::string error = errorOf([&] { call("broadcast.Pow", {&x, &row}, ops::NumberedAxes{{0}}); });
    EXPECT_NE(std::string::npos,
              error.find("Pow: argument 'y': shape [3] does not match dimensions [0] of shape [2, 3]"))
        << error;
  }
}

TEST(OpsComplexFunctions, Choices) {
  for (const DataType type : TYPES) {
    const NDArray x = ofNumbers({{1, 2}, {3, 4}, {5, 6}, {7, 8}}, type).reshape('c', {2, 2}), y = -x;
    const NDArray mask = NDArrayFactory::create<bool>('c', {2, 2}, {true, false, false, true});
    const NDArray rows = NDArrayFactory::create<bool>('c', {2}, {false, true}),
                  yes = NDArrayFactory::create<bool>(true);
    const NDArray wanted = ofNumbers({{1, 2}, {-3, -4}, {-5, -6}, {7, 8}}, type).reshape('c', {2, 2});
    expectClose(nd::select(mask, x, y), wanted, 0);
    expectClose(nd::select(mask, x.dup('f'), y), wanted, 0);
    expectClose(nd::Where(mask, x, y), wanted, 0);
    expectClose(nd::where_np(mask, y, ofNumbers({{1, 2}, {7, 8}}, type))[0], wanted, 0);
    expectClose(nd::select(rows, x, y), ofNumbers({{-1, -2}, {-3, -4}, {5, 6}, {7, 8}}, type).reshape('c', {2, 2}), 0);
    expectClose(nd::select(yes, x, y), x, 0);
    // y becomes complex, but no complex number becomes real.
    expectClose(nd::select(mask, x, nd::real(y)),
                ofNumbers({{1, 2}, {-3, 0}, {-5, 0}, {7, 8}}, type).reshape('c', {2, 2}), 0);
    EXPECT_NE(std::string::npos, errorOf([&] { nd::select(mask, nd::real(x), y); }).find("cannot become"));
  }
}

TEST(OpsComplexFunctions, LargeArrays) {
  constexpr LongType ROWS = 300, COLUMNS = 700;
  for (const DataType type : TYPES) {
    NDArray x('c', {ROWS, COLUMNS}, COMPLEX128);
    for (LongType i = 0; i < x.lengthOf(); i++)
      x.bufferAsT<Complex>()[i] = Complex(static_cast<double>(i % 101) / 64, static_cast<double>(i % 37) / 32 - 0.5);
    x = inType(x, type);
    const NDArray z = nd::exp(x), turned = nd::exp(x.transpose()), sizes = nd::abs(x), squares = nd::Pow(x, x);
    for (LongType i = 0; i < x.lengthOf(); i += 997) {
      const LongType r = i / COLUMNS, c = i % COLUMNS;
      NDArray one = x(r, c).dup();
      expectClose(z(r, c), nd::exp(one), 0);
      expectClose(turned(c, r), nd::exp(one), 0);
      expectClose(sizes(r, c), nd::abs(one), 0);
      expectClose(squares(r, c), nd::Pow(one, one), 0);
    }
  }
}

TEST(OpsComplexFunctions, OfNoElements) {
  NDArray none('c', {0, 2}, COMPLEX64);
  for (const auto& [name, z] : expectedBy(";z")) {
    if (name == "Pow") continue;
    const NDArray result = call("transform." + name, {&none});
    EXPECT_EQ((std::vector<LongType>{0, 2}), result.getShapeAsVector()) << name;
    EXPECT_EQ(name == "Abs" ? FLOAT32 : COMPLEX64, result.dataType()) << name;
  }
  EXPECT_EQ(COMPLEX64, nd::Pow(none, none).dataType());
  EXPECT_EQ(COMPLEX64, nd::select(nd::is_nan(none), none, none).dataType());
}

TEST(OpsComplexFunctions, Rejects) {
  const NDArray x = ofNumbers({{1, 2}, {3, 4}});
  NDArray real('c', {2}, DOUBLE), narrow('c', {2}, COMPLEX64), longer('c', {3}, COMPLEX128), flags('c', {2}, BOOL);
  const auto expectError = [](const std::string& text, const std::function<void()>& f) {
    EXPECT_NE(std::string::npos, errorOf(f).find(text)) << errorOf(f);
  };
  expectError("[Exp] the target has type DOUBLE, COMPLEX128 expected", [&] { x.applyTransform(transform::Exp, real); });
  expectError("[Exp] the target has type COMPLEX64", [&] { x.applyTransform(transform::Exp, narrow); });
  expectError("[Exp] argument 'z': shape [3] where the shape of x, [2], is needed",
              [&] { x.applyTransform(transform::Exp, longer); });
  NDArray own = x;
  expectError("[Abs] the target has type COMPLEX128, DOUBLE expected",
              [&] { own.applyTransform(transform::Abs, own); });
  expectError("[IsNan] the target has type COMPLEX128", [&] { own.applyTransform(transform::IsNan, own); });
  expectError("COMPLEX128", [&] { real.applyTransform(transform::Exp, own); });
  for (const char* name : {"Ceiling", "Floor", "Sigmoid", "Erf", "SoftPlus", "IsPositive", "TanhDerivative", "Affine"})
    expectError("input 0: type COMPLEX128 is not one of", [&] { call(std::string("transform.") + name, {&own}); });
  expectError("input 0: type COMPLEX128 is not one of", [&] { nd::tanh_bp(x, x); });
}

// ---- the C interface

class NativeComplex : public native::NativeTest {};

TEST_F(NativeComplex, Transforms) {
  using native::Tensor;
  using Single = std::complex<float>;
  const Tensor x(COMPLEX64, {2}, std::vector<Single>{{0, 1}, {3, -4}}), z(COMPLEX64, {2}), sizes(FLOAT32, {2}),
      flags(BOOL, {2}), wide(COMPLEX128, {2});
#define OPERAND(T) T.data, T.info, nullptr
  execTransformStrict(nullptr, transform::Exp, OPERAND(x), OPERAND(z), nullptr);
  EXPECT_NEAR(std::abs(z.at<Single>(0) - Single(0.540302306F, 0.841470985F)), 0, 1e-7);
  execTransformFloat(nullptr, transform::Sqrt, OPERAND(x), OPERAND(z), nullptr);
  EXPECT_EQ(z.at<Single>(1), Single(2, -1));
  execTransformSame(nullptr, transform::Abs, OPERAND(x), OPERAND(sizes), nullptr);
  EXPECT_EQ(sizes.values<float>(), (std::vector<float>{1, 5}));
  execTransformBool(nullptr, transform::IsFinite, OPERAND(x), OPERAND(flags), nullptr);
  EXPECT_TRUE(flags.at<bool>(0) && flags.at<bool>(1));
  EXPECT_EQ(native::takeError(), "");
  execTransformStrict(nullptr, transform::Exp, OPERAND(x), OPERAND(sizes), nullptr);
  native::expectError("[Exp] argument 'z': type FLOAT32 where COMPLEX64 is needed");
  execTransformStrict(nullptr, transform::Exp, OPERAND(sizes), OPERAND(z), nullptr);
  native::expectError("[Exp] argument 'z': type COMPLEX64 where FLOAT32 is needed");
  execTransformSame(nullptr, transform::Abs, OPERAND(x), OPERAND(z), nullptr);
  native::expectError("[Abs] argument 'z': type COMPLEX64 where FLOAT32 is needed");
  execTransformStrict(nullptr, transform::Exp, OPERAND(x), OPERAND(wide), nullptr);
  native::expectError("[Exp] argument 'z': type COMPLEX128 where COMPLEX64 is needed");
  const Tensor axis(INT64, {1}, std::vector<LongType>{0}), row(COMPLEX64, {1, 2}), column(COMPLEX64, {2, 1});
  execBroadcast(nullptr, broadcast::Pow, OPERAND(x), OPERAND(x), OPERAND(z), OPERAND(axis));
  EXPECT_NEAR(std::abs(z.at<Single>(0) - Single(0.207879576F, 0)), 0, 1e-7);
  execBroadcast(nullptr, broadcast::Pow, OPERAND(row), OPERAND(x), OPERAND(column), OPERAND(axis));
  native::expectError("[Pow] argument 'z': shape [2, 1] where the shape of x, [1, 2], is needed");
  execBroadcast(nullptr, broadcast::Pow, OPERAND(x), x.data, nullptr, nullptr, OPERAND(z), OPERAND(axis));
  native::expectError("shapeInfo is null");
  execTransformStrict(nullptr, transform::Erf, OPERAND(x), OPERAND(z), nullptr);
  native::expectError("[Erf] argument 'x': bad data type COMPLEX64");
#undef OPERAND
}

// ---- gradients: dL/dre + i dL/dim of a real loss, by central differences

namespace {

using Function = std::function<nd::Symbol(const nd::Symbol&, const nd::Symbol&)>;

/// Real numbers that depend on both parts of z.
nd::Symbol parts(const nd::Symbol& z) {
  return DataTypeUtils::isC(z.dataType()) ? nd::real(z) * 1.5 + nd::imag(z) * -0.7 : z;
}

void expectGradients(const char* name, const Function& function, const NDArray& x, const NDArray& y) {
  SCOPED_TRACE(name);
  graph::Graph graph;
  const nd::Symbol a = graph.placeholder("a", COMPLEX128, x.getShapeAsVector()),
                   b = graph.placeholder("b", COMPLEX128, y.getShapeAsVector());
  const nd::Symbol weighted = parts(function(a, b)), loss = nd::reduce_sum(weighted * weighted);
  const std::vector<nd::Symbol> gradients = nd::grad(loss, {a, b});
  for (const bool second : {false, true}) {
    const nd::Symbol gradient = gradients[second ? 1 : 0];
    graph::Session session(graph, {.results = {loss, gradient}});
    const NDArray actual = session.run({{a, x}, {b, y}})[1], &from = second ? y : x;
    ASSERT_EQ(COMPLEX128, actual.dataType());
    ASSERT_EQ(from.getShapeAsVector(), actual.getShapeAsVector());
    for (LongType i = 0; i < from.lengthOf(); i++)
      for (const bool imaginary : {false, true}) {
        constexpr double STEP = 1e-5;
        const auto at = [&](double step) {
          NDArray moved = from.dup();
          moved.bufferAsT<Complex>()[i] += imaginary ? Complex(0, step) : Complex(step, 0);
          return session.run({{a, second ? x : moved}, {b, second ? moved : y}})[0].e<double>(0);
        };
        const double wanted = (at(STEP) - at(-STEP)) / (2 * STEP);
        const Complex value = actual.e<Complex>(i);
        EXPECT_NEAR(imaginary ? value.imag() : value.real(), wanted, 2e-7 * std::max(1.0, std::abs(wanted)))
            << "element " << i << " of " << (second ? "y" : "x");
      }
  }
}

Function ofOperation(const std::string& name) {
  return [name](const nd::Symbol& a, const nd::Symbol& b) {
    const bool isTransform = name.starts_with("transform.") || name == "tanh" || name == "square" || name == "Log1p";
    // Every placeholder is part of the loss.
    if (isTransform) return a.scope().call(name, {a}) + nd::real(b) * 0.0;
    return a.scope().call(name, {a, b});
  };
}

}  // namespace

TEST(OpsComplexFunctions, Gradients) {
  const NDArray x = ofNumbers({{0.5, 1.25}, {-1.5, 0.75}, {0.75, -0.5}, {-0.25, -1.5}}),
                y = ofNumbers({{1, -1}, {0.25, 2}, {-1.5, 0.5}, {2, 0.25}});
  for (const char* name : {"transform.Exp",
                           "transform.Expm1",
                           "transform.Log",
                           "transform.Log1p",
                           "transform.Sqrt",
                           "transform.RSqrt",
                           "transform.Square",
                           "transform.Cube",
                           "transform.Sin",
                           "transform.Cosine",
                           "transform.Tan",
                           "transform.Sinh",
                           "transform.Cosh",
                           "transform.Tanh",
                           "transform.ASin",
                           "transform.ACos",
                           "transform.ATan",
                           "transform.ASinh",
                           "transform.ACosh",
                           "transform.ATanh",
                           "transform.Neg",
                           "transform.Reciprocal",
                           "transform.Sign",
                           "transform.Abs",
                           "transform.OneMinus",
                           "tanh",
                           "square",
                           "Log1p",
                           "transform.TimesOneMinus",
                           "Pow",
                           "pairwise.Pow",
                           "pairwise.Multiply",
                           "pairwise.Divide",
                           "pairwise.ReverseDivide"})
    expectGradients(name, ofOperation(name), x, y);
  expectGradients("broadcast", ofOperation("Pow"), x.reshape('c', {2, 2}), ofNumbers({{0.5, 1}, {2, -1}}));
  expectGradients(
      "a ** 2", [](const auto& a, const auto& b) { return nd::Pow(a, 2.0) * b; }, x, y);
  const NDArray mask = NDArrayFactory::create<bool>('c', {4}, {true, false, false, true});
  expectGradients(
      "select", [&](const auto& a, const auto& b) { return nd::select(mask, a * b, a) * b; }, x, y);
}

// On arrays, operations whose gradient operation takes real numbers alone have the gradients of their rules.
TEST(OpsComplexFunctions, GradientsOnArrays) {
  NDArray x = ofNumbers({{0.5, 1.25}, {-1.5, 0.75}}), y = ofNumbers({{1, -1}, {0.25, 2}}),
          g = ofNumbers({{1, 2}, {-1, 0.5}});
  const auto gradients = [&](const char* name, std::vector<NDArray*> inputs) {
    ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find(name);
    graph::Context block(1);
    for (size_t i = 0; i < inputs.size(); i++) block.setInputArray(static_cast<int>(i), inputs[i]);
    EXPECT_EQ(Status::OK, op->execute(&block));
    return ops::gradientsOf(*op, block, {&g});
  };
  expectClose(*gradients("multiply", {&x, &y})[0], g * nd::conj(y), 1e-15);
  expectClose(*gradients("tanh", {&x})[0], g * nd::conj(1.0 - nd::square(nd::tanh(x))), 1e-15);
  expectClose(*gradients("Pow", {&x, &y})[1], g * nd::conj(nd::Pow(x, y) * nd::log(x)), 1e-15);
  NDArray row = ofNumbers({{2, -1}});
  const auto sums = gradients("multiply", {&x, &row});
  expectClose(*sums[1], nd::reduce_sum(g * nd::conj(x)).reshape('c', {1}), 1e-15);
}

#endif
