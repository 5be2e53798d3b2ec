// Arrays of complex numbers: elements, arithmetic, movements, files, text, and operations that refuse them.
#include <array/NDArrayFactory.h>
#include <array/NDArrayFile.h>
#include <array/NDArrayText.h>
#include <array/TypePromotion.h>
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/Session.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#ifdef SD_ALL_OPS
#include <nd/array.h>
#include <nd/nd.h>

#include "OpRejections.h"
#include "TestData.h"

using namespace sd;
using namespace sd::optest;
using namespace sd::optest::refusal;

namespace {

using Complex = std::complex<double>;

bool same(double x, double y) {
  return (std::isnan(x) && std::isnan(y)) || x == y || std::abs(x - y) <= 1e-14 * std::abs(y);
}

void expectSame(const NDArray& actual, const NDArray& expected) {
  ASSERT_EQ(expected.getShapeAsVector(), actual.getShapeAsVector());
  EXPECT_EQ(expected.dataType(), actual.dataType());
  for (LongType i = 0; i < expected.lengthOf(); i++) {
    const Complex x = actual.e<Complex>(i), y = expected.e<Complex>(i);
    EXPECT_TRUE(same(x.real(), y.real()) && same(x.imag(), y.imag())) << i << ": " << x << " instead of " << y;
  }
}

NDArray ofNumbers(const std::vector<LongType>& shape, const std::vector<Complex>& values, DataType type = COMPLEX128) {
  NDArray x = shape.empty() ? NDArray(COMPLEX128) : NDArray('c', shape, COMPLEX128);
  std::copy(values.begin(), values.end(), x.bufferAsT<Complex>());
  return nd::cast(x, {type});
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

TEST(OpsComplexNumbers, Types) {
  EXPECT_EQ(8U, DataTypeUtils::sizeOf(COMPLEX64));
  EXPECT_EQ(16U, DataTypeUtils::sizeOf(COMPLEX128));
  EXPECT_EQ("COMPLEX64", DataTypeUtils::describe(COMPLEX64));
  EXPECT_TRUE(DataTypeUtils::isC(COMPLEX64));
  for (const DataType type : {COMPLEX64, COMPLEX128}) {
    EXPECT_FALSE(DataTypeUtils::isR(type) || DataTypeUtils::isZ(type) || DataTypeUtils::isS(type));
    EXPECT_EQ(type, DataTypeUtils::complexType(DataTypeUtils::partType(type)));
    EXPECT_EQ(type, ArrayOptions::dataTypeOfFlags(ArrayOptions::flagsOfDataType(type)));
    EXPECT_EQ(type, NDArray('c', {2}, type).dataType());
  }
  const struct {
    DataType x, y, z;
  } rows[] = {{COMPLEX64, FLOAT32, COMPLEX64},     {COMPLEX64, DOUBLE, COMPLEX128}, {INT64, COMPLEX64, COMPLEX64},
              {COMPLEX64, COMPLEX128, COMPLEX128}, {HALF, COMPLEX64, COMPLEX64},    {BOOL, COMPLEX128, COMPLEX128}};
  for (const auto& row : rows) {
    EXPECT_EQ(row.z, promotedType(row.x, row.y));
    EXPECT_EQ(row.z, promotedType(row.y, row.x));
  }
  EXPECT_EQ(INHERIT, promotedType(COMPLEX64, UTF8));
}

TEST(OpsComplexNumbers, AsNumPy) {
  const auto a = loadNpz((test::dataFolder() / "array" / "complex_numbers.npz").string());
  const NDArray &x = a.at("x"), &y = a.at("y"), &row = a.at("row");
  expectSame(nd::real(x), a.at("real"));
  expectSame(nd::imag(x), a.at("imag"));
  expectSame(nd::conj(x), a.at("conj"));
  expectSame(nd::complex_abs(x), a.at("complex_abs"));
  expectSame(nd::angle(x), a.at("angle"));
  expectSame(nd::complex(a.at("real"), a.at("imag")), x);
  expectSame(y + row, a.at("y+row"));
  expectSame(y - row, a.at("y-row"));
  expectSame(y * row, a.at("y*row"));
  expectSame(y / row, a.at("y/row"));
  expectSame(-y, a.at("-y"));
  expectSame(nd::add(y, row), a.at("y+row"));
  expectSame(nd::multiply(y, row), a.at("y*row"));
  expectSame(nd::divide(y, row), a.at("y/row"));
  EXPECT_LT(nd::complex_abs(nd::reduce_sum(y) - a.at("y.sum")).e<double>(0), 1e-13);
  EXPECT_TRUE(nd::reduce_sum(y, {.axis = {0}}).equalsTo(a.at("y.sum0"), 1e-13));
  EXPECT_TRUE(nd::reduce_mean(y, {.axis = {1}}).equalsTo(a.at("y.mean1"), 1e-13));
  EXPECT_TRUE(nd::matmul(a.at("a"), a.at("b")).equalsTo(a.at("a@b"), 1e-13));
  EXPECT_TRUE(nd::matmul(a.at("a"), a.at("v")).equalsTo(a.at("a@v"), 1e-13));
  EXPECT_TRUE(nd::matmul(a.at("a"), a.at("r")).equalsTo(a.at("a@r"), 1e-13));
  EXPECT_TRUE(nd::equals(y, y).e<bool>(7));
  EXPECT_FALSE(nd::not_equals(y, y).e<bool>(7));
}

TEST(OpsComplexNumbers, Elements) {
  for (const DataType type : {COMPLEX64, COMPLEX128}) {
    NDArray x = ofNumbers({2, 3}, {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}}, type);
    EXPECT_EQ(Complex(9, 10), x.e<Complex>(1, 1));
    EXPECT_EQ(std::complex<float>(9, 10), x.e<std::complex<float>>(4));
    x.p<double>(0, 0, 7.5);
    EXPECT_EQ(Complex(7.5, 0), x.e<Complex>(0));
    x.p(1, ofNumbers({}, {{0.5, -1}}));
    EXPECT_EQ(Complex(0.5, -1), x.e<Complex>(1));
    EXPECT_NE("", errorOf([&] { x.e<double>(0); }));
    x += 1;
    EXPECT_EQ(Complex(8.5, 0), x.e<Complex>(0));
    EXPECT_EQ(Complex(5, 12), (x * 2.0).e<Complex>(2) - Complex(7, 0));
    NDArray f = x.dup('f');
    EXPECT_TRUE(f.equalsTo(x));
    EXPECT_EQ(x.e<Complex>(1, 2), f.e<Complex>(1, 2));
    NDArray real('c', {2, 3}, FLOAT32);
    EXPECT_NE(std::string::npos, errorOf([&] { real.assign(x); }).find("cannot become FLOAT32"));
    x.assign(real);
    EXPECT_TRUE(x.equalsTo(NDArray('c', {2, 3}, type)));
    x.assign(2.5);
    EXPECT_EQ(Complex(2.5, 0), x.e<Complex>(5));
    EXPECT_EQ(Complex(2.5, 0), NDArray(x).e(3).e<Complex>(0));
  }
}

TEST(OpsComplexNumbers, Movements) {
  std::vector<Complex> values;
  for (int i = 0; i < 24; i++) values.emplace_back(i, -i);
  for (const DataType type : {COMPLEX64, COMPLEX128}) {
    const NDArray x = ofNumbers({2, 3, 4}, values, type);
    const NDArray real = nd::real(x);
    /// Every movement does with complex numbers what it does with real ones.
    const auto check = [&](const char* name, const NDArray& moved, const NDArray& expected) {
      EXPECT_EQ(type, moved.dataType()) << name;
      ASSERT_EQ(expected.getShapeAsVector(), moved.getShapeAsVector()) << name;
      EXPECT_TRUE(nd::real(moved).equalsTo(expected)) << name;
      EXPECT_TRUE(nd::imag(moved).equalsTo(-expected)) << name;
    };
#define CHECK_MOVED(...)                                             \
  {                                                                  \
    const auto move = [&](const NDArray& a) { return __VA_ARGS__; }; \
    check(#__VA_ARGS__, move(x), move(real));                        \
  }
    CHECK_MOVED(nd::permute(a, {{2, 0, 1}}))
    CHECK_MOVED(nd::reshape(a, {{4, 6}}))
    CHECK_MOVED(nd::concat(nd::Arrays{a, a}, {1}))
    CHECK_MOVED(nd::stack(nd::Arrays{a, a}, {1}))
    CHECK_MOVED(nd::slice(a, {{0, 1, 1}, {2, 2, 2}}))
    CHECK_MOVED(nd::tile(a, {{2, 1, 3}}))
    CHECK_MOVED(nd::reverse(a, {{0, 2}}))
    CHECK_MOVED(nd::repeat(a, {{2}, 1}))
    CHECK_MOVED(nd::gather(a, NDArrayFactory::create<int>('c', {2}, {2, 0}), nd::Optional(), {1}))
    CHECK_MOVED(nd::roll(a, {{1}, {2}}))
    CHECK_MOVED(nd::squeeze(nd::expand_dims(a, {1}), {{1}}))
    CHECK_MOVED(nd::split(a, {2, 2})[1])
    CHECK_MOVED(nd::unstack(a, {1})[2])
    CHECK_MOVED(nd::take_along_axis(a, NDArrayFactory::create<int>('c', {1, 1, 2}, {-1, 0}), {2}))
    CHECK_MOVED(a(all, 1, interval(0, 4, 2)))
    CHECK_MOVED(nd::zeros_as(a))
#undef CHECK_MOVED
  }
}

TEST(OpsComplexNumbers, FilesAndText) {
  const NDArray x = ofNumbers({2, 2}, {{1, 2}, {0, -0.5}, {10.25, -3}, {0, 1e-3}}, COMPLEX64);
  const auto file = std::filesystem::temp_directory_path() / "ndforge_complex_test.npy";
  saveNpy(x, file.string());
  expectSame(loadNpy(file.string()), x);
  std::filesystem::remove(file);
  expectSame(loadNpy((test::dataFolder() / "npy" / "complex.npy").string()),
             ofNumbers({2}, {{1, 2}, {0, -0.5}}, COMPLEX64));
  EXPECT_EQ("[[ 1.  +2.e+00j  0.  -5.e-01j]\n [10.25-3.e+00j  0.  +1.e-03j]]", nd::text(x));
  EXPECT_EQ("[ 1.  +2.j   3.  -4.5j 10.25+0.j ]", nd::text(ofNumbers({3}, {{1, 2}, {3, -4.5}, {10.25, 0}})));
  EXPECT_EQ("[ nan +1.j  nan+infj -inf +0.j]", nd::text(ofNumbers({3}, {{NAN, 1}, {NAN, INFINITY}, {-INFINITY, 0}})));
  EXPECT_EQ("(1.5-2.25j)", nd::text(ofNumbers({}, {{1.5, -2.25}}, COMPLEX64)));
  EXPECT_EQ("2j", nd::text(ofNumbers({}, {{0, 2}})));
}

// The gradient of a real loss is dL/dre + i dL/dim, by central differences.
TEST(OpsComplexNumbers, Gradients) {
  const NDArray x = ofNumbers({3}, {{0.5, 2}, {-3, 1.25}, {0.75, -0.5}}),
                y = ofNumbers({3}, {{1, -1}, {0.25, 2}, {-1.5, 0.5}});
  using Function = std::function<nd::Symbol(const nd::Symbol&, const nd::Symbol&)>;
  const std::vector<std::pair<const char*, Function>> rows = {
      {"real", [](const auto& a, const auto&) { return nd::real(a); }},
      {"imag", [](const auto& a, const auto&) { return nd::imag(a); }},
      {"conj", [](const auto& a, const auto&) { return nd::conj(a); }},
      {"complex_abs", [](const auto& a, const auto&) { return nd::complex_abs(a); }},
      {"angle", [](const auto& a, const auto&) { return nd::angle(a); }},
      {"complex", [](const auto& a, const auto& b) { return nd::complex(nd::real(a), nd::imag(b)); }},
      {"+", [](const auto& a, const auto& b) { return a + b; }},
      {"-", [](const auto& a, const auto& b) { return a - b; }},
      {"*", [](const auto& a, const auto& b) { return a * b; }},
      {"/", [](const auto& a, const auto& b) { return a / b; }},
      {"b / a", [](const auto& a, const auto& b) { return b / a; }},
      {"matmul", [](const auto& a, const auto& b) {
         return nd::matmul(nd::reshape(a, {{3, 1}}), nd::reshape(b, {{1, 3}}));
       }}};
  for (const auto& [name, function] : rows) {
    SCOPED_TRACE(name);
    graph::Graph graph;
    const nd::Symbol a = graph.placeholder("a", COMPLEX128, {3}), b = graph.placeholder("b", COMPLEX128, {3});
    const nd::Symbol z = function(a, b);
    // Weights that differ, so that no element hides another.
    const nd::Symbol weighted = nd::real(z) * 1.5 + nd::imag(z) * -0.7;
    const nd::Symbol loss = nd::reduce_sum(weighted * weighted);
    const nd::Symbol gradient = nd::grad(loss, {a})[0];
    graph::Session session(graph, {.results = {loss, gradient}});
    const NDArray actual = session.run({{a, x}, {b, y}})[1];
    ASSERT_EQ(COMPLEX128, actual.dataType());
    for (LongType i = 0; i < 3; i++)
      for (const bool imaginary : {false, true}) {
        constexpr double STEP = 1e-5;
        const auto at = [&](double step) {
          NDArray moved = x.dup();
          moved.bufferAsT<Complex>()[i] += imaginary ? Complex(0, step) : Complex(step, 0);
          return session.run({{a, moved}, {b, y}})[0].e<double>(0);
        };
        const double expected = (at(STEP) - at(-STEP)) / (2 * STEP);
        const Complex value = actual.e<Complex>(i);
        EXPECT_NEAR(imaginary ? value.imag() : value.real(), expected, 1e-7 * std::max(1.0, std::abs(expected)));
      }
  }
}

TEST(OpsComplexNumbers, Rejects) {
  const In words(UTF8, {2}), flags(BOOL, {2}), vector(FLOAT32, {3}), other(FLOAT32, {2});
  for (const char* name : {"real", "imag", "conj", "complex_abs", "angle", "complex"})
    checkRejections(name, {{"strings", {words}, {}, Validation, "input 0"},
                           {"BOOL", {flags}, {}, Validation, "input 0"},
                           {"nothing", {}, {}, Validation, "no inputs"}});
  checkRejections("complex", {{"shapes", {vector, other}, {}, Argument, "[3] and [2] do not broadcast"}});
}

TEST(OpsComplexNumbers, OfNoElements) {
  const NDArray none('c', {0, 2}, COMPLEX128);
  for (const NDArray& part : {nd::real(none), nd::imag(none), nd::complex_abs(none), nd::angle(none)}) {
    EXPECT_EQ((std::vector<LongType>{0, 2}), part.getShapeAsVector());
    EXPECT_EQ(DOUBLE, part.dataType());
  }
  EXPECT_EQ(COMPLEX128, nd::conj(none).dataType());
  EXPECT_EQ(COMPLEX64, nd::complex(NDArray('c', {0, 2}, FLOAT32)).dataType());
}

// Whatever does not name complex numbers says that it has none.
TEST(OpsComplexNumbers, OthersRefuse) {
  const NDArray x = ofNumbers({2, 2}, {{1, 2}, {3, 4}, {5, 6}, {7, 8}});
  EXPECT_NE(std::string::npos, errorOf([&] { nd::softmax(x); }).find("COMPLEX128"));
  EXPECT_NE(std::string::npos, errorOf([&] { nd::less(x, x); }).find("COMPLEX128"));
  EXPECT_NE(std::string::npos, errorOf([&] { nd::maximum(x, x); }).find("COMPLEX128"));
  EXPECT_NE(std::string::npos, errorOf([&] { nd::sort(x); }).find("COMPLEX128"));
  EXPECT_NE(std::string::npos, errorOf([&] { x.reduceNumber(reduce::Max); }).find("COMPLEX128"));
  EXPECT_NE(std::string::npos, errorOf([&] { nd::cast(x, {DOUBLE}); }).find("cannot become DOUBLE"));
  NDArray z('c', {2, 2}, COMPLEX128);
  EXPECT_NE("", errorOf([&] { x.applyTransform(transform::Erf, z); }));
  EXPECT_NE("", errorOf([&] { x.applyPairwiseTransform(pairwise::Atan2, x, z); }));
}

#endif
