// The pass `sums`: results that are added to sums without an array in between.
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/Session.h>
#include <nd/nd.h>

#include "PassTesting.h"

using namespace sd;
using ops::flagArgument;
using ops::numberArgument;
using namespace sd::graph;
using namespace passes;

namespace {

/// Two products of [4, 6] matrices, the second with these arguments, added in the middle of what is the same otherwise.
struct Products {
  Small graph;
  int first, second;

  explicit Products(const Small::Arguments& arguments = {}, DataType type = FLOAT32, std::vector<LongType> batch = {}) {
    const auto shape = [&](LongType rows, LongType columns) {
      std::vector<LongType> all = batch;
      all.insert(all.end(), {rows, columns});
      return all;
    };
    const bool swapsA = has(arguments, "transpose_a"), swapsB = has(arguments, "transpose_b"),
               swapsOut = has(arguments, "transpose_out");
    const LongType rows = swapsOut ? 6 : 4, columns = swapsOut ? 4 : 6;
    const int a = graph.input(sample(shape(4, 3), type)), b = graph.input(sample(shape(3, 6), type));
    const int c = graph.input(sample(swapsA ? shape(5, rows) : shape(rows, 5), type));
    const int d = graph.input(sample(swapsB ? shape(columns, 5) : shape(5, columns), type));
    first = graph.call("matmul", {a, b});
    second = graph.call("matmul", {c, d}, arguments);
  }
  static bool has(const Small::Arguments& arguments, const char* name) {
    return std::any_of(arguments.begin(), arguments.end(), [name](const auto& each) { return each.first == name; });
  }
};

}  // namespace

TEST(SumPass, ProductsAreAddedToWhatIsThere) {
  const std::vector<Small::Arguments> rows = {
      {},
      {{"transpose_a", flagArgument(true)}},
      {{"transpose_b", flagArgument(true)}},
      {{"transpose_out", flagArgument(true)}},
      {{"transpose_a", flagArgument(true)}, {"transpose_b", flagArgument(true)}, {"transpose_out", flagArgument(true)}},
      {{"alpha", numberArgument(-2.5)}}};
  for (const DataType type : {FLOAT32, DOUBLE, INT32})
    for (const auto& batch : {std::vector<LongType>{}, std::vector<LongType>{2, 3}})
      for (const Small::Arguments& arguments : rows)
        for (const bool isLeft : {false, true}) {
          if (type == INT32 && Products::has(arguments, "alpha")) continue;
          SCOPED_TRACE(static_cast<int>(type));
          Products p(arguments, type, batch);
          p.graph.result(isLeft ? p.graph.call("add", {p.second, p.first}) : p.graph.call("add", {p.first, p.second}));
          EXPECT_EQ(p.graph.after("sums"), (Names{"matmul", "addmm"}));
          p.graph.check("sums");
        }
}

TEST(SumPass, SumsOfHalvesAreRoundedOnce) {
  Products p({}, HALF), exact({}, DOUBLE);
  for (Products* each : {&p, &exact}) each->graph.result(each->graph.call("add", {each->first, each->second}));
  const NDArray sum = p.graph.run({})[0], expected = exact.graph.run({"all"})[0];
  for (LongType i = 0; i < sum.lengthOf(); i++) {
    const double value = expected.e<double>(i);
    // The elements are multiples of 1/64.
    EXPECT_EQ(sum.e<double>(i), static_cast<double>(static_cast<float16>(static_cast<float>(value)))) << i;
  }
}

TEST(SumPass, SumsOfManyProductsAreOneChain) {
  Small graph;
  int sum = 0;
  for (int k = 0; k < 6; k++) {
    const int product = graph.call("matmul", {graph.input(sample({8, 3})), graph.input(sample({3, 8}))});
    sum = k == 0 ? product : graph.call("add", {sum, product});
  }
  graph.result(sum);
  EXPECT_EQ(graph.after("sums"), (Names{"matmul", "addmm", "addmm", "addmm", "addmm", "addmm"}));
  graph.check("sums");
}

TEST(SumPass, ProductsStayWhereTheyCannotBeAdded) {
  {
    SCOPED_TRACE("the sum is an input");
    Products p;
    const int x = p.graph.input(sample({4, 6}));
    p.graph.result(p.graph.call("add", {x, p.second}));
    EXPECT_EQ(p.graph.after("sums"), (Names{"matmul", "matmul", "add"}));
    p.graph.check("sums");
  }
  {
    SCOPED_TRACE("another node reads the sum");
    Products p;
    p.graph.result(p.graph.call("add", {p.first, p.second}));
    p.graph.result(p.graph.call("tanh", {p.first}));
    EXPECT_EQ(p.graph.after("sums"), (Names{"matmul", "matmul", "add", "tanh"}));
    p.graph.check("sums");
  }
  {
    SCOPED_TRACE("both are results");
    Products p;
    p.graph.result(p.graph.call("add", {p.first, p.second}));
    p.graph.result(p.first);
    p.graph.result(p.second);
    EXPECT_EQ(p.graph.after("sums"), (Names{"matmul", "matmul", "add"}));
    p.graph.check("sums");
  }
  {
    SCOPED_TRACE("the sum is broadcast");
    Small graph;
    const int row = graph.call("matmul", {graph.input(sample({1, 3})), graph.input(sample({3, 6}))});
    const int product = graph.call("matmul", {graph.input(sample({4, 3})), graph.input(sample({3, 6}))});
    graph.result(graph.call("add", {row, product}));
    EXPECT_EQ(graph.after("sums"), (Names{"matmul", "matmul", "add"}));
    graph.check("sums");
  }
  {
    SCOPED_TRACE("a product of results in Fortran order");
    Small graph;
    const int first = graph.call("matmul", {graph.input(sample({4, 3})), graph.input(sample({3, 6}))});
    const int other = graph.call("matmul", {graph.input(sample({4, 3}, FLOAT32, 'f')), graph.input(sample({3, 6}))});
    graph.result(graph.call("add", {first, other}));
    EXPECT_EQ(graph.after("sums"), (Names{"matmul", "matmul", "add"}));
    graph.check("sums");
  }
  {
    SCOPED_TRACE("no shapes are known");
    Products p;
    p.graph.result(p.graph.call("add", {p.first, p.second}));
    EXPECT_EQ(p.graph.afterWithoutShapes("sums"), (Names{"matmul", "matmul", "add"}));
  }
}

TEST(SumPass, RowsAreAddedToSumsInsteadOfZeros) {
  for (const bool isNd : {false, true}) {
    SCOPED_TRACE(isNd);
    const auto indices = [isNd](std::vector<double> values) {
      const auto count = static_cast<LongType>(values.size());
      return NDArray('c', isNd ? std::vector<LongType>{count, 1} : std::vector<LongType>{count}, values, INT32);
    };
    const char* scatter = isNd ? "scatter_nd_add" : "scatter_add";
    Small graph;
    const int table = graph.input(sample({5, 3})), zeros = graph.call("zeros_as", {table});
    const int first = graph.call(scatter, {zeros, graph.input(indices({1, 4, 1})), graph.input(sample({3, 3}))});
    const int second = graph.call(scatter, {zeros, graph.input(indices({0, 1})), graph.input(sample({2, 3}))});
    graph.result(graph.call("add", {first, second}));
    EXPECT_EQ(graph.after("sums"), (Names{"zeros_as", scatter, scatter}));
    graph.check("sums");
  }
}

TEST(SumPass, GradientsOfSharedWeightsTakeNoMemoryOfTheirOwn) {
  constexpr LongType STEPS = 12, WIDTH = 64, BYTES = WIDTH * WIDTH * 4;
  Graph graph;
  const NDArray initial = sample({WIDTH, WIDTH});
  const nd::Symbol w = graph.variable("w", initial), start = graph.placeholder("start", FLOAT32, {1, WIDTH});
  nd::Symbol h = start;
  for (LongType step = 0; step < STEPS; step++) h = nd::tanh(nd::matmul(h, w) * 0.1f);
  const nd::Symbol dw = nd::grad(nd::reduce_sum(h), {w})[0];
  // What reads the gradient keeps it from being an array of the caller.
  const nd::Symbol norm = nd::reduce_sum(dw * dw);
  const auto run = [&](const Names& without) {
    SessionOptions options;
    options.results = {norm.key()};
    options.withoutPasses = without;
    Session session(graph, options);
    const double value = session.run({{start, sample({1, WIDTH})}})[0].e<double>(0);
    return std::make_pair(value, session.peakBytes());
  };
  const auto joined = run({}), apart = run({"sums"});
  EXPECT_NEAR(joined.first, apart.first, 1e-4 * apart.first);
  // The hidden states are small.
  EXPECT_LT(joined.second, BYTES + BYTES / 2);
  EXPECT_GE(apart.second, 2 * BYTES);
}
