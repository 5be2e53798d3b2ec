// Discrete Fourier transforms against NumPy, on long sequences, with gradients, and calls that they must reject.
#include <array/NDArrayFactory.h>
#include <array/NDArrayFile.h>
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/Session.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <map>
#include <numbers>
#include <sstream>
#include <string>

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

std::vector<std::string> split(const std::string& text, char mark) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, mark);) parts.push_back(part);
  return parts;
}

template <typename T>
std::vector<T> numbers(const std::string& text) {
  std::vector<T> result;
  for (const std::string& part : split(text, ',')) result.push_back(static_cast<T>(std::stoll(part)));
  return result;
}

NDArray transformed(const std::string& op, const NDArray& x, const std::vector<LongType>& sizes,
                    const std::vector<int>& axes, int norm) {
  const auto by = static_cast<ops::args::FourierNorm>(norm);
  const ops::args::FourierN several{sizes, axes, by};
  ops::args::Fourier one{{}, axes.empty() ? -1 : axes[0], by};
  if (!sizes.empty()) one.n = sizes[0];
  if (op == "fft") return nd::fft(x, one);
  if (op == "ifft") return nd::ifft(x, one);
  if (op == "rfft") return nd::rfft(x, one);
  if (op == "irfft") return nd::irfft(x, one);
  if (op == "hfft") return nd::hfft(x, one);
  if (op == "ihfft") return nd::ihfft(x, one);
  if (op == "fftn") return nd::fftn(x, several);
  if (op == "ifftn") return nd::ifftn(x, several);
  if (op == "rfftn") return nd::rfftn(x, several);
  return nd::irfftn(x, several);
}

/// The distance of two arrays, relative to the length of the second one.
double distance(const NDArray& actual, const NDArray& expected) {
  double difference = 0, whole = 0;
  for (LongType i = 0; i < expected.lengthOf(); i++) {
    difference += std::norm(actual.e<Complex>(i) - expected.e<Complex>(i));
    whole += std::norm(expected.e<Complex>(i));
  }
  return std::sqrt(difference / std::max(whole, 1e-300));
}

NDArray narrow(const NDArray& x) { return nd::cast(x, {x.isC() ? COMPLEX64 : FLOAT32}); }

/// Real numbers, and complex ones when `type` is complex.
NDArray wave(const std::vector<LongType>& shape, DataType type) {
  NDArray x('c', shape, DataTypeUtils::isC(type) ? COMPLEX128 : DOUBLE);
  for (LongType i = 0; i < x.lengthOf(); i++) {
    const double t = static_cast<double>(i);
    const Complex value(std::sin(0.7 * t + 0.001 * t * t) + 0.2, std::cos(1.1 * t) - 0.1);
    if (x.isC())
      x.bufferAsT<Complex>()[i] = value;
    else
      x.p<double>(i, value.real());
  }
  return nd::cast(x, {type});
}

/// Sum of the products of real and of imaginary parts.
double inner(const NDArray& x, const NDArray& y) {
  double sum = 0;
  for (LongType i = 0; i < x.lengthOf(); i++) sum += (x.e<Complex>(i) * std::conj(y.e<Complex>(i))).real();
  return sum;
}

}  // namespace

TEST(OpsFourier, AsNumPy) {
  const auto arrays = loadNpz((test::dataFolder() / "array" / "fourier.npz").string());
  size_t count = 0;
  for (const auto& [name, x] : arrays) {
    if (name.back() != 'x') continue;
    SCOPED_TRACE(name);
    const auto call = split(name, ';');
    const NDArray& z = arrays.at(name.substr(0, name.size() - 1) + "z");
    const auto sizes = numbers<LongType>(call[1]);
    const auto axes = numbers<int>(call[2]);
    const auto run = [&](const NDArray& input) { return transformed(call[0], input, sizes, axes, std::stoi(call[3])); };
    const NDArray actual = run(x);
    EXPECT_EQ(z.dataType(), actual.dataType());
    ASSERT_EQ(z.getShapeAsVector(), actual.getShapeAsVector());
    EXPECT_LT(distance(actual, z), 1e-14);
    EXPECT_LT(distance(run(x.dup('f')), z), 1e-14) << "f order";
    const NDArray single = run(narrow(x));
    EXPECT_EQ(narrow(z).dataType(), single.dataType());
    EXPECT_LT(distance(single, z), 1e-6) << "32 bits";
    count++;
  }
  EXPECT_GT(count, 300U);
}

// Lengths that do not fit into a cache, with factors of all kinds.
TEST(OpsFourier, LongSequences) {
  for (const LongType n : {65536LL, 100000LL, 99999LL, 3LL << 17, 1000003LL, 2LL * 70001}) {
    SCOPED_TRACE(n);
    const NDArray x = wave({n}, COMPLEX128), z = nd::fft(x);
    EXPECT_LT(distance(nd::ifft(z), x), 1e-14);
    for (const LongType k : {LongType{0}, LongType{1}, n / 3, n / 2, n - 1}) {
      Complex sum = 0;
      for (LongType j = 0; j < n; j++)
        sum += x.e<Complex>(j) *
               std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n));
      EXPECT_LT(std::abs(z.e<Complex>(k) - sum), 1e-12 * static_cast<double>(n)) << k;
    }
    const NDArray real = wave({n}, DOUBLE), front = nd::rfft(real), whole = nd::fft(real);
    EXPECT_LT(distance(front, whole({{0, n / 2 + 1}})), 1e-14);
    EXPECT_LT(distance(nd::irfft(front, {.n = n}), real), 1e-14);
  }
}

TEST(OpsFourier, ManyLinesInThreads) {
  const NDArray x = wave({300, 7, 64}, COMPLEX128);
  for (int axis = 0; axis < 3; axis++) {
    const NDArray z = nd::fft(x, {.axis = axis});
    EXPECT_LT(distance(nd::ifft(z, {.axis = axis}), x), 1e-14);
    const NDArray part = x(interval(5, 6)), expected = nd::fft(part, {.axis = axis});
    if (axis > 0) {
      EXPECT_LT(distance(z(interval(5, 6)), expected), 1e-14);
    }
  }
  NDArray copy = x.dup();
  const NDArray z = nd::fft(x);
  ops::additional::fft op;
  EXPECT_EQ(Status::OK, op.execute({&copy}, {&copy}));
  EXPECT_LT(distance(copy, z), 1e-15) << "into its input";
}

// Lines side by side and one behind the other, in numbers that fill vectors or not, against the sums themselves.
TEST(OpsFourier, LinesOfAllLengths) {
  std::vector<LongType> lengths{96, 100, 121, 128, 160, 243, 256};
  for (LongType n = 1; n < 72; n++) lengths.push_back(n);
  for (const LongType n : lengths)
    for (const LongType lines : {1, 2, 21}) {
      SCOPED_TRACE(std::to_string(lines) + " lines of " + std::to_string(n));
      const NDArray x = wave({lines, n}, COMPLEX128), real = wave({lines, n}, DOUBLE);
      NDArray z('c', {lines, n}, COMPLEX128), front('c', {lines, n / 2 + 1}, COMPLEX128);
      for (LongType l = 0; l < lines; l++)
        for (LongType k = 0; k < n; k++) {
          Complex sum = 0, ofReal = 0;
          for (LongType j = 0; j < n; j++) {
            const Complex root =
                std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n));
            sum += x.bufferAsT<Complex>()[l * n + j] * root;
            ofReal += real.e<double>(l * n + j) * root;
          }
          z.bufferAsT<Complex>()[l * n + k] = sum;
          if (k <= n / 2) front.bufferAsT<Complex>()[l * (n / 2 + 1) + k] = ofReal;
        }
      const NDArray columns = nd::transpose(x).dup('c'), realColumns = nd::transpose(real).dup('c');
      const NDArray zColumns = nd::transpose(z).dup('c'), frontColumns = nd::transpose(front).dup('c');
      const auto check = [](const NDArray& actual, const NDArray& expected, const char* what) {
        EXPECT_LT(distance(actual, expected),
                  actual.dataType() == DOUBLE || actual.dataType() == COMPLEX128 ? 1e-13 : 1e-6)
            << what;
      };
      check(nd::fft(x), z, "fft");
      check(nd::fft(narrow(x)), z, "fft of 32 bits");
      check(nd::ifft(z), x, "ifft");
      check(nd::ifft(narrow(z)), x, "ifft of 32 bits");
      check(nd::fft(columns, {.axis = 0}), zColumns, "fft of columns");
      check(nd::fft(narrow(columns), {.axis = 0}), zColumns, "fft of columns of 32 bits");
      check(nd::ifft(zColumns, {.axis = 0}), columns, "ifft of columns");
      check(nd::rfft(real), front, "rfft");
      check(nd::rfft(narrow(real)), front, "rfft of 32 bits");
      check(nd::rfft(realColumns, {.axis = 0}), frontColumns, "rfft of columns");
      check(nd::irfft(front, {.n = n}), real, "irfft");
      check(nd::irfft(narrow(front), {.n = n}), real, "irfft of 32 bits");
      check(nd::irfft(frontColumns, {.n = n, .axis = 0}), realColumns, "irfft of columns");
    }
}

TEST(OpsFourier, Orders) {
  const NDArray odd = NDArrayFactory::create<double>('c', {5}, {0, 1, 2, -2, -1}),
                even = NDArrayFactory::create<double>('c', {4}, {0, 1, -2, -1});
  EXPECT_TRUE(nd::fftshift(odd).equalsTo(NDArrayFactory::create<double>('c', {5}, {-2, -1, 0, 1, 2})));
  EXPECT_TRUE(nd::fftshift(even).equalsTo(NDArrayFactory::create<double>('c', {4}, {-2, -1, 0, 1})));
  EXPECT_TRUE(nd::ifftshift(nd::fftshift(odd)).equalsTo(odd));
  const NDArray x = wave({3, 4, 5}, COMPLEX64);
  EXPECT_TRUE(nd::ifftshift(nd::fftshift(x, {{1, 2}}), {{-1, 1}}).equalsTo(x));
  EXPECT_TRUE(nd::fftfreq({.n = 5, .d = 0.1}).equalsTo(NDArrayFactory::create<float>('c', {5}, {0, 2, 4, -4, -2})));
  EXPECT_TRUE(nd::fftfreq({.n = 4, .dtype = DOUBLE})
                  .equalsTo(NDArrayFactory::create<double>('c', {4}, {0, 0.25, -0.5, -0.25})));
  EXPECT_TRUE(
      nd::rfftfreq({.n = 4, .dtype = DOUBLE}).equalsTo(NDArrayFactory::create<double>('c', {3}, {0, 0.25, 0.5})));
}

// Transforms are linear, so the gradient is the adjoint: <g, F x> = <F* g, x> for the real inner product.
TEST(OpsFourier, GradientsAreAdjoint) {
  struct Row {
    const char* op;
    std::vector<LongType> shape, sizes;
    std::vector<int> axes;
  };
  const Row rows[] = {{"fft", {3, 8}, {}, {1}},
                      {"fft", {3, 8}, {5}, {1}},
                      {"fft", {7, 2}, {12}, {0}},
                      {"ifft", {3, 8}, {}, {1}},
                      {"ifft", {2, 5}, {9}, {-1}},
                      {"rfft", {3, 8}, {}, {1}},
                      {"rfft", {3, 7}, {}, {1}},
                      {"rfft", {7, 3}, {4}, {0}},
                      {"rfft", {2, 3}, {10}, {1}},
                      {"irfft", {3, 5}, {}, {1}},
                      {"irfft", {3, 5}, {9}, {1}},
                      {"irfft", {3, 5}, {4}, {1}},
                      {"irfft", {4, 1}, {1}, {1}},
                      {"hfft", {3, 5}, {}, {1}},
                      {"hfft", {3, 5}, {9}, {1}},
                      {"ihfft", {3, 8}, {}, {1}},
                      {"ihfft", {3, 7}, {}, {1}},
                      {"fftn", {3, 4, 5}, {}, {}},
                      {"fftn", {3, 4, 5}, {2, 7}, {0, 2}},
                      {"ifftn", {3, 4}, {}, {}},
                      {"rfftn", {3, 4, 6}, {}, {}},
                      {"rfftn", {3, 4}, {5, 3}, {0, 1}},
                      {"irfftn", {3, 4, 5}, {}, {}},
                      {"irfftn", {3, 4}, {2, 9}, {0, 1}}};
  for (const Row& row : rows)
    for (int norm = 0; norm < 3; norm++) {
      SCOPED_TRACE(std::string(row.op) + " " + std::to_string(norm));
      const bool real = row.op[0] == 'r' || std::string(row.op) == "ihfft";
      const NDArray x = wave(row.shape, real ? DOUBLE : COMPLEX128);
      // Parts that do not matter: inverse transforms to real numbers ignore the imaginary part of the first number.
      const NDArray z = transformed(row.op, x, row.sizes, row.axes, norm);
      const NDArray g = wave(z.getShapeAsVector(), z.dataType());
      graph::Graph graph;
      const nd::Symbol input = graph.placeholder("x", x.dataType(), row.shape),
                       weight = graph.placeholder("g", g.dataType(), g.getShapeAsVector());
      const auto by = static_cast<ops::args::FourierNorm>(norm);
      ops::args::Fourier one{{}, row.axes.empty() ? -1 : row.axes[0], by};
      if (!row.sizes.empty()) one.n = row.sizes[0];
      const ops::args::FourierN several{row.sizes, row.axes, by};
      const std::map<std::string, std::function<nd::Symbol()>> calls = {
          {"fft", [&] { return nd::fft(input, one); }},         {"ifft", [&] { return nd::ifft(input, one); }},
          {"rfft", [&] { return nd::rfft(input, one); }},       {"irfft", [&] { return nd::irfft(input, one); }},
          {"hfft", [&] { return nd::hfft(input, one); }},       {"ihfft", [&] { return nd::ihfft(input, one); }},
          {"fftn", [&] { return nd::fftn(input, several); }},   {"ifftn", [&] { return nd::ifftn(input, several); }},
          {"rfftn", [&] { return nd::rfftn(input, several); }}, {"irfftn", [&] { return nd::irfftn(input, several); }}};
      const nd::Symbol output = calls.at(row.op)();
      const bool complex = z.isC();
      const nd::Symbol product = complex ? nd::real(output * nd::conj(weight)) : output * weight;
      const nd::Symbol gradient = nd::grad(nd::reduce_sum(product), {input})[0];
      graph::Session session(graph, {.results = {gradient}});
      const NDArray adjoint = session.run({{input, x}, {weight, g}})[0];
      ASSERT_EQ(x.getShapeAsVector(), adjoint.getShapeAsVector());
      EXPECT_EQ(x.dataType(), adjoint.dataType());
      const double expected = inner(g, z);
      EXPECT_NEAR(inner(adjoint, x), expected, 1e-11 * std::max(1.0, std::abs(expected)));
    }
}

// Real numbers are complex ones without imaginary parts.
TEST(OpsFourier, OfRealNumbers) {
  const NDArray x = wave({3, 9}, DOUBLE), complex = nd::complex(x);
  for (const LongType n : {1LL, 2LL, 7LL, 8LL, 16LL, 17LL, 30LL, 31LL})
    for (const char* op : {"fft", "ifft", "irfft", "hfft"})
      for (const int axis : {0, 1}) {
        SCOPED_TRACE(std::string(op) + " " + std::to_string(n));
        EXPECT_LT(distance(transformed(op, x, {n}, {axis}, 0), transformed(op, complex, {n}, {axis}, 0)), 1e-15);
      }
  EXPECT_LT(distance(nd::irfft(wave({60000}, DOUBLE)), nd::irfft(nd::complex(wave({60000}, DOUBLE)))), 1e-15);
}

TEST(OpsFourier, NoNumbers) {
  const NDArray none('c', {0, 4}, COMPLEX64), real('c', {0, 4}, DOUBLE);
  const auto shape = [](const NDArray& x) { return x.getShapeAsVector(); };
  using Shape = std::vector<LongType>;
  EXPECT_EQ((Shape{0, 4}), shape(nd::fft(none)));
  EXPECT_EQ((Shape{0, 3}), shape(nd::rfft(real)));
  EXPECT_EQ((Shape{0, 6}), shape(nd::irfft(none)));
  EXPECT_EQ((Shape{0, 3, 4}), shape(nd::fftn(NDArray('c', {0, 3, 4}, COMPLEX64), {.axes = {1, 2}})));
  EXPECT_EQ((Shape{0, 4}), shape(nd::fftshift(none)));
  // Zeros fill what an empty dimension lacks.
  const NDArray zeros = nd::fft(none, {.n = 3, .axis = 0});
  EXPECT_TRUE(zeros.equalsTo(NDArray('c', {3, 4}, COMPLEX64)));
  EXPECT_TRUE(nd::rfft(real, {.n = 4, .axis = 0}).equalsTo(NDArray('c', {3, 4}, COMPLEX128)));
}

TEST(OpsFourier, Rejects) {
  const In words(UTF8, {2}), vector(FLOAT32, {3}), scalar(FLOAT32, {}), none(FLOAT32, {0});
  for (const char* name : {"fft", "ifft", "rfft", "irfft", "hfft", "ihfft"})
    checkRejections(name, {{"strings", {words}, {}, Validation, "input 0"},
                           {"a scalar", {scalar}, {}, Argument, "a scalar has no dimension"},
                           {"no numbers", {none}, {}, Argument, "is not possible"},
                           {"n = 0", {vector}, {.i = {0}}, Argument, "'n'"},
                           {"axis", {vector}, {.i = {3, 1}}, Argument, "axis"},
                           {"norm", {vector}, {.i = {3, 0, 7}}, Argument, "norm"}});
  for (const char* name : {"fftn", "ifftn", "rfftn", "irfftn"})
    checkRejections(name, {{"strings", {words}, {}, Validation, "input 0"},
                           {"axis", {vector}, {.i = {1}}, Argument, "axes"},
                           {"the same axis", {vector}, {.i = {0, -1}}, Argument, "is repeated"}});
  checkRejections("irfft", {{"one number", {In(FLOAT32, {1})}, {}, Argument, "is not possible"}});
  for (const char* name : {"fftshift", "ifftshift"})
    checkRejections(
        name, {{"axis", {vector}, {.i = {1}}, Argument, "axes"}, {"strings", {words}, {}, Validation, "input 0"}});
  for (const char* name : {"fftfreq", "rfftfreq"})
    checkRejections(name, {{"no n", {}, {}, OutOfRange, "'n'"}, {"n = 0", {}, {.i = {0}}, Argument, "'n'"}});
  NDArray complex('c', {3}, COMPLEX64);
  EXPECT_THROW(nd::rfft(complex), std::exception);
  EXPECT_THROW(nd::fftn(wave({3, 4}, DOUBLE), {.s = {2, 2}, .axes = {0}}), std::invalid_argument);
  EXPECT_THROW(nd::fft(wave({3, 4}, DOUBLE), {.n = LongType{1} << 62}), std::exception);
}

#endif
