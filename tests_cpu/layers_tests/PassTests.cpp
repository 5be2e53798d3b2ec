// Passes over graphs: which nodes remain, and that results stay what they are.
#include "PassTesting.h"

#include <chrono>
#include <cmath>
#include <functional>
#include <limits>

using namespace passes;
using namespace sd;
using namespace sd::graph;

namespace {

const Names NOTHING;

struct Case {
  const char* name;
  std::function<void(Small&)> build;  ///< the result is its last node
  Names before, after;
};

/// Each graph with what a pass must make of it. Its results are compared without passes, with the pass alone, with all.
void checkCases(const char* pass, const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    SCOPED_TRACE(each.name);
    Small graph;
    each.build(graph);
    EXPECT_EQ(graph.after(nullptr), each.before);
    EXPECT_EQ(graph.after(pass), each.after);
    graph.check(pass);
  }
}

/// y = operation(x, c) with c filled with a value.
Case withConstant(const char* name, const char* operation, double value, bool removed, DataType type = FLOAT32,
                  bool first = false) {
  const auto build = [=](Small& g) {
    const int x = g.input(sample({3, 5}, type)), c = g.constant(filled({5}, value, type));
    g.result(first ? g.call(operation, {c, x}) : g.call(operation, {x, c}));
  };
  return {name, build, {operation}, removed ? NOTHING : Names{operation}};
}

/// y = operation(x) with the operand as an argument.
Case withScalar(const char* name, int op, const char* operation, float value, bool removed) {
  const auto build = [=](Small& g) { g.result(g.number(OpType_SCALAR, op, {g.input(sample({3, 5}))}, value)); };
  return {name, build, {operation}, removed ? NOTHING : Names{operation}};
}

/// y = operation(x) with arguments.
Case withArguments(const char* name, const char* operation, const std::vector<LongType>& shape,
                   const Small::Arguments& arguments, bool removed) {
  const auto build = [=](Small& g) { g.result(g.call(operation, {g.input(sample(shape))}, arguments)); };
  return {name, build, {operation}, removed ? NOTHING : Names{operation}};
}

/// Two calls in a row.
Case inRow(const char* name, const std::vector<LongType>& shape, DataType type, const char* first,
           const Small::Arguments& firstArguments, const char* second, const Small::Arguments& secondArguments,
           const Names& after) {
  const auto build = [=](Small& g) {
    const int x = g.input(sample(shape, type));
    g.result(g.call(second, {g.call(first, {x}, firstArguments)}, secondArguments));
  };
  return {name, build, {first, second}, after};
}

/// Floats of all exponents and signs with some significands, zeros, infinities and NaN.
NDArray magnitudes() {
  std::vector<double> values{0., -0., INFINITY, -INFINITY, NAN};
  for (int exponent = -149; exponent < 128; exponent++)
    for (int k = 0; k < 37; k++) values.push_back((k % 2 == 0 ? 1 : -1) * std::ldexp(1 + k * 0.02703, exponent));
  return NDArray('c', {static_cast<LongType>(values.size())}, values, FLOAT32);
}

}  // namespace

TEST(PassTests, OperandsThatChangeNothingAreRemoved) {
  const double inf = std::numeric_limits<double>::infinity();
  checkCases("identities", {
                               withConstant("x - 0", "subtract", 0., true),
                               withConstant("x - -0 makes 0 of -0", "subtract", -0., false),
                               withConstant("x + 0 makes 0 of -0", "add", 0., false),
                               withConstant("x + -0", "add", -0., true),
                               withConstant("-0 + x", "add", -0., true, FLOAT32, true),
                               withConstant("integers + 0", "add", 0, true, INT32),
                               withConstant("0 - x", "subtract", 0., false, FLOAT32, true),
                               withConstant("x * 1", "multiply", 1., true),
                               withConstant("1 * x", "multiply", 1., true, HALF, true),
                               withConstant("x * 0 may be NaN", "multiply", 0., false),
                               withConstant("x / 1", "divide", 1., true, DOUBLE),
                               withConstant("x / 1 by realdiv", "realdiv", 1., true, BFLOAT16),
                               withConstant("1 / x", "divide", 1., false, FLOAT32, true),
                               withConstant("x^1", "Pow", 1., true),
                               withConstant("x^0", "Pow", 0., false),
                               withConstant("x * inf", "multiply", inf, false),
                               withScalar("x + 0 with a scalar", scalar::Add, "scalar.Add", 0.f, false),
                               withScalar("x - 0 with a scalar", scalar::Subtract, "scalar.Subtract", 0.f, true),
                               withScalar("x * 1 with a scalar", scalar::Multiply, "scalar.Multiply", 1.f, true),
                               withScalar("1 - x", scalar::ReverseSubtract, "scalar.ReverseSubtract", 0.f, false),
                               withScalar("x^1 with a scalar", scalar::Pow, "scalar.Pow", 1.f, true),
                           });
}

TEST(PassTests, OperandsAreKeptWhereTheResultIsNotTheOperand) {
  checkCases("identities",
             {
                 {"the result has the shape of the constant",
                  [](Small& g) {
                    g.result(g.call("multiply", {g.input(sample({1, 5})), g.constant(filled({3, 5}, 1))}));
                  },
                  {"multiply"},
                  {"multiply"}},
                 {"the result has the type of the constant",
                  [](Small& g) {
                    g.result(g.call("multiply", {g.constant(filled({5}, 1, DOUBLE)), g.input(sample({5}))}));
                  },
                  {"multiply"},
                  {"multiply"}},
                 {"a variable may change",
                  [](Small& g) {
                    g.result(g.call("multiply", {g.input(sample({5})), g.variable(filled({5}, 1))}));
                  },
                  {"multiply"},
                  {"multiply"}},
                 {"one element is another",
                  [](Small& g) {
                    NDArray c = filled({5}, 1);
                    c.p(4, 2);
                    g.result(g.call("multiply", {g.input(sample({5})), g.constant(c)}));
                  },
                  {"multiply"},
                  {"multiply"}},
             });
  Small graph;
  graph.result(graph.call("tile", {graph.input(sample({2}))}, {{"repeats", ops::integersArgument({1})}}));
  EXPECT_EQ(graph.afterWithoutShapes("identities"), Names{"tile"});
}

TEST(PassTests, PowersOfOneReturnEveryFloat) {
  const NDArray x = magnitudes();
  for (const DataType type : {FLOAT32, DOUBLE, HALF, BFLOAT16}) {
    Small graph;
    graph.result(graph.call("Pow", {graph.input(x.cast(type)), graph.constant(filled({1}, 1, type))}));
    graph.check("identities");
  }
}

TEST(PassTests, NodesThatReturnTheirInputAreRemoved) {
  checkCases(
      "identities",
      {
          withArguments("permute by the identity", "permute", {2, 3, 4},
                        {{"permutation", ops::integersArgument({0, 1, -1})}}, true),
          withArguments("permute a square", "permute", {3, 3}, {{"permutation", ops::integersArgument({1, 0})}}, false),
          withArguments("transpose a square", "transpose", {3, 3}, {}, false),
          withArguments("transpose a vector", "transpose", {3}, {}, true),
          withArguments("reshape to the same shape", "reshape", {2, 3}, {{"shape", ops::integersArgument({2, -1})}},
                        true),
          withArguments("reshape to Fortran order", "reshape", {2, 3},
                        {{"shape", ops::integersArgument({2, 3})}, {"order", ops::choiceArgument("fortran")}}, false),
          withArguments("cast to the same type", "cast", {4}, {{"dtype", ops::typeArgument(FLOAT32)}}, true),
          withArguments("cast to another type", "cast", {4}, {{"dtype", ops::typeArgument(INT32)}}, false),
          withArguments("concat of one", "concat", {2, 3}, {{"axis", ops::integersArgument({1})}}, true),
          withArguments("slice of everything", "slice", {2, 3},
                        {{"begin", ops::integersArgument({0, 0})}, {"size", ops::integersArgument({-1, 3})}}, true),
          withArguments("slice of a part", "slice", {2, 3},
                        {{"begin", ops::integersArgument({0, 1})}, {"size", ops::integersArgument({-1, 2})}}, false),
          withArguments("strided slice of everything", "strided_slice", {2, 3},
                        {{"begin", ops::integersArgument({0, 0})},
                         {"end", ops::integersArgument({2, 3})},
                         {"stride", ops::integersArgument({1, 1})}},
                        true),
          withArguments("strided slice backwards", "strided_slice", {2, 3},
                        {{"begin", ops::integersArgument({-1, 0})},
                         {"end", ops::integersArgument({-9, 3})},
                         {"stride", ops::integersArgument({-1, 1})}},
                        false),
          withArguments("tile once", "tile", {2, 3}, {{"repeats", ops::integersArgument({1, 1})}}, true),
          withArguments("reverse one row", "reverse", {1, 3}, {{"axis", ops::integersArgument({0})}}, true),
          withArguments("reverse rows", "reverse", {2, 3}, {{"axis", ops::integersArgument({0})}}, false),
          withArguments("dropout that keeps everything", "dropout", {2, 3}, {{"p", ops::numberArgument(1)}}, true),
          withArguments("inverted dropout that drops nothing", "dropout", {2, 3},
                        {{"p", ops::numberArgument(0)}, {"inverted", ops::flagArgument(true)}}, true),
          withArguments("dropout", "dropout", {2, 3},
                        {{"p", ops::numberArgument(0.5)}, {"seed", ops::integersArgument({7})}}, false),
          {"concat of two",
           [](Small& g) {
             const int x = g.input(sample({0, 3})), y = g.input(sample({2, 3}));
             g.result(g.call("concat", {y, x}, {{"axis", ops::integersArgument({0})}}));
           },
           {"concat"},
           {"concat"}},
          {"a chain of them",
           [](Small& g) {
             int x = g.number(OpType_TRANSFORM_SAME, transform::Abs, {g.input(sample({4}))});
             for (int k = 0; k < 5; k++) x = g.call("identity", {x});
             g.result(x);
           },
           {"transform.Abs", "identity", "identity", "identity", "identity", "identity"},
           {"transform.Abs"}},
      });
}

TEST(PassTests, NodesInARowAreJoined) {
  const Small::Arguments turn{{"permutation", ops::integersArgument({1, 2, 0})}},
      back{{"permutation", ops::integersArgument({2, 0, 1})}}, swap{{"permutation", ops::integersArgument({1, 0, 2})}},
      axis{{"axis", ops::integersArgument({0})}};
  const auto to = [](DataType given) { return Small::Arguments{{"dtype", ops::typeArgument(given)}}; };
  const auto shape = [](std::vector<LongType> sizes) {
    return Small::Arguments{{"shape", ops::integersArgument(std::move(sizes))}};
  };
  checkCases(
      "chains",
      {
          inRow("transpose twice", {2, 3}, FLOAT32, "transpose", {}, "transpose", {}, NOTHING),
          inRow("a permutation and its inverse", {2, 3, 4}, FLOAT32, "permute", turn, "permute", back, NOTHING),
          inRow("two permutations", {2, 3, 4}, FLOAT32, "permute", turn, "permute", swap, {"permute"}),
          inRow("transpose and permute", {2, 3, 4}, FLOAT32, "transpose", {}, "permute", swap, {"permute"}),
          inRow("reshape and back", {2, 6}, FLOAT32, "reshape", shape({3, 4}), "reshape", shape({2, 6}), NOTHING),
          inRow("reshape twice", {2, 6}, FLOAT32, "reshape", shape({3, 4}), "reshape", shape({4, 3}), {"reshape"}),
          inRow("reshape and a dimension", {2, 6}, FLOAT32, "reshape", shape({12}), "expand_dims",
                {{"axis", ops::integersArgument({0})}}, {"reshape"}),
          inRow("reshape to a scalar", {1, 1}, FLOAT32, "reshape", shape({1}), "squeeze", {}, {"reshape", "squeeze"}),
          inRow("float to double and back", {5}, FLOAT32, "cast", to(DOUBLE), "cast", to(FLOAT32), NOTHING),
          inRow("half to float to double", {5}, HALF, "cast", to(FLOAT32), "cast", to(DOUBLE), {"cast"}),
          inRow("float to half to float", {5}, FLOAT32, "cast", to(HALF), "cast", to(FLOAT32), {"cast", "cast"}),
          inRow("bfloat16 to half loses range", {5}, BFLOAT16, "cast", to(HALF), "cast", to(BFLOAT16),
                {"cast", "cast"}),
          inRow("int32 to float to int32", {5}, INT32, "cast", to(FLOAT32), "cast", to(INT32), {"cast", "cast"}),
          inRow("int16 to float to int16", {5}, INT16, "cast", to(FLOAT32), "cast", to(INT16), NOTHING),
          inRow("int8 to int64 to uint8", {5}, INT8, "cast", to(INT64), "cast", to(UINT8), {"cast", "cast"}),
          inRow("uint8 to int32 to int64", {5}, UINT8, "cast", to(INT32), "cast", to(INT64), {"cast"}),
          inRow("int8 to uint8 to int8", {5}, INT8, "cast", to(UINT8), "cast", to(INT8), {"cast", "cast"}),
          inRow("reverse twice", {2, 3}, FLOAT32, "reverse", axis, "reverse", axis, NOTHING),
          inRow("reverse two axes", {2, 3}, FLOAT32, "reverse", axis, "reverse", {{"axis", ops::integersArgument({1})}},
                {"reverse", "reverse"}),
      });
  Small ones;
  ones.result(ones.call("permute", {ones.input(sample({1, 3, 4}))}, turn));
  EXPECT_EQ(ones.after("chains"), Names{"reshape"});
  ones.check("chains");
}

TEST(PassTests, NodesInARowStayWhenTheFirstIsAResult) {
  Small graph;
  const int first = graph.call("transpose", {graph.input(sample({2, 3}))});
  graph.result(first);
  graph.result(graph.call("transpose", {first}));
  EXPECT_EQ(graph.after("chains"), Names{"transpose"});
  graph.check("chains");
}

TEST(PassTests, TransposesMoveIntoProducts) {
  const Small::Arguments swap{{"permutation", ops::integersArgument({0, 2, 1})}};
  checkCases(
      "transposes",
      {
          {"of the first operand",
           [](Small& g) {
             const int x = g.input(sample({3, 5})), w = g.input(sample({3, 4}));
             g.result(g.call("matmul", {g.call("transpose", {x}), w}));
           },
           {"transpose", "matmul"},
           {"matmul"}},
          {"of both operands, one of them transposed already",
           [](Small& g) {
             const int x = g.input(sample({3, 5})), w = g.input(sample({3, 4}));
             const int y = g.call("permute", {w}, {{"permutation", ops::integersArgument({-1, 0})}});
             g.result(g.call("matmul", {g.call("transpose", {x}), y},
                             {{"transpose_b", ops::flagArgument(true)}, {"alpha", ops::numberArgument(2)}}));
           },
           {"permute", "transpose", "matmul"},
           {"matmul"}},
          {"of batches",
           [&](Small& g) {
             const int x = g.input(sample({2, 3, 5})), w = g.input(sample({2, 4, 5}));
             g.result(g.call("matmul", {x, g.call("permute", {w}, swap)}));
           },
           {"permute", "matmul"},
           {"matmul"}},
          {"of the result",
           [&](Small& g) {
             const int x = g.input(sample({2, 3, 5})), w = g.input(sample({2, 5, 4}));
             g.result(g.call("permute", {g.call("matmul", {x, w})}, swap));
           },
           {"matmul", "permute"},
           {"matmul"}},
          {"of everything",
           [](Small& g) {
             const int x = g.input(sample({5, 3})), w = g.input(sample({4, 5}));
             g.result(g.call("transpose", {g.call("matmul", {g.call("transpose", {x}), g.call("transpose", {w})})}));
           },
           {"transpose", "transpose", "matmul", "transpose"},
           {"matmul"}},
          {"of an affine layer",
           [](Small& g) {
             const int x = g.input(sample({3, 5})), w = g.input(sample({4, 5})), b = g.input(sample({4}));
             g.result(g.call("xw_plus_b", {x, g.call("transpose", {w}), b}));
           },
           {"transpose", "xw_plus_b"},
           {"xw_plus_b"}},
          {"that something else reads",
           [](Small& g) {
             const int x = g.input(sample({3, 5})), w = g.input(sample({3, 4})), t = g.call("transpose", {x});
             g.result(g.call("matmul", {t, w}));
             g.result(t);
           },
           {"transpose", "matmul"},
           {"transpose", "matmul"}},
          {"of a product that something else reads",
           [](Small& g) {
             const int y = g.call("matmul", {g.input(sample({3, 5})), g.input(sample({5, 4}))});
             g.result(g.call("transpose", {y}));
             g.result(y);
           },
           {"matmul", "transpose"},
           {"matmul", "transpose"}},
          {"of other dimensions",
           [](Small& g) {
             const int x = g.input(sample({3, 2, 5})), w = g.input(sample({2, 5, 4}));
             g.result(
                 g.call("matmul", {g.call("permute", {x}, {{"permutation", ops::integersArgument({1, 0, 2})}}), w}));
           },
           {"permute", "matmul"},
           {"permute", "matmul"}},
          {"of a vector",
           [](Small& g) {
             g.result(g.call("matmul", {g.call("transpose", {g.input(sample({3}))}), g.input(sample({3}))}));
           },
           {"transpose", "matmul"},
           {"transpose", "matmul"}},
      });
}

TEST(PassTests, EqualNodesAreMergedUnlessTheirArgumentsDiffer) {
  const auto two = [](const std::function<void(Small&, int)>& add) {
    return [add](Small& g) { add(g, g.input(sample({3, 5}))); };
  };
  const auto quotients = [](float a, float b) {
    return [=](Small& g, int x) {
      for (const float divisor : {a, b}) g.result(g.number(OpType_SCALAR, scalar::Divide, {x}, divisor));
    };
  };
  const auto slopes = [](double a, double b) {
    return [=](Small& g, int x) {
      for (const double alpha : {a, b}) g.result(g.call("lrelu", {x}, {{"alpha", ops::numberArgument(alpha)}}));
    };
  };
  const Names divide{"scalar.Divide"}, divides{"scalar.Divide", "scalar.Divide"}, lrelu{"lrelu"},
      lrelus{"lrelu", "lrelu"};
  checkCases("equal", {{"the same divisor", two(quotients(3, 3)), divides, divide},
                       {"other divisors", two(quotients(3, 4)), divides, divides},
                       {"0 and -0", two(quotients(0.f, -0.f)), divides, divides},
                       {"the same slope", two(slopes(0.5, 0.5)), lrelus, lrelu},
                       {"slopes 0 and -0", two(slopes(0., -0.)), lrelus, lrelus}});
}

TEST(PassTests, CheaperOperationsTakeThePlaceOfOthers) {
  const auto by = [](const char* name, const char* operation, double value, const char* after,
                     DataType type = FLOAT32) {
    return Case{name,
                [=](Small& g) {
                  g.result(g.call(operation, {g.input(sample({3, 5}, type)), g.constant(filled({1}, value, type))}));
                },
                {operation},
                {after}};
  };
  checkCases("strength", {
                             by("x^2 of halves", "Pow", 2, "transform.Square", HALF),
                             by("x^2, of which powf rounds some otherwise", "Pow", 2, "Pow"),
                             by("x^2 of doubles", "Pow", 2, "Pow", DOUBLE),
                             by("x^3", "Pow", 3, "Pow"),
                             by("x / 8", "divide", 8, "scalar.Multiply"),
                             by("x / -0.25", "realdiv", -0.25, "scalar.Multiply", HALF),
                             by("x / 3", "divide", 3, "divide"),
                             by("x / 0", "divide", 0, "divide"),
                             by("x / 2^127", "divide", std::ldexp(1., 127), "divide"),
                             by("x / 2^15 of halves", "divide", 32768, "divide", HALF),
                             by("integers / 2", "divide", 2, "divide", INT32),
                         });
  checkCases("strength", {withScalar("x / 3 with a scalar", scalar::Divide, "scalar.Divide", 3.f, false)});
  Small graph;
  graph.result(graph.number(OpType_SCALAR, scalar::Divide, {graph.input(sample({3}))}, 4.f));
  EXPECT_EQ(graph.after("strength"), Names{"scalar.Multiply"});
  graph.check("strength");
}

TEST(PassTests, QuotientsBecomeProductsWithTheSameBits) {
  const NDArray x = magnitudes();
  for (const DataType type : {FLOAT32, DOUBLE, HALF, BFLOAT16})
    for (const double divisor : {0.5, -16., 1024.}) {
      Small graph;
      graph.result(graph.call("divide", {graph.input(x.cast(type)), graph.constant(filled({1}, divisor, type))}));
      EXPECT_EQ(graph.after("strength"), Names{"scalar.Multiply"});
      graph.check("strength");
    }
}

TEST(PassTests, PowersBecomeSquaresWithTheSameBits) {
  for (const DataType type : {HALF, BFLOAT16}) {
    NDArray all('c', {65536}, type);
    for (int bits = 0; bits < 65536; bits++) static_cast<uint16_t*>(all.buffer())[bits] = static_cast<uint16_t>(bits);
    Small graph;
    graph.result(graph.call("Pow", {graph.input(all), graph.constant(filled({1}, 2, type))}));
    EXPECT_EQ(graph.after("strength"), Names{"transform.Square"});
    graph.check("strength");
  }
}

TEST(PassTests, AllPassesAreLinearInTheNumberOfNodes) {
  const auto nodesAfter = [](int pairs) {
    Small graph;
    const int x = graph.input(sample({4, 4}));
    int last = x;
    for (int k = 0; k < pairs; k++) {
      last = graph.call("transpose", {graph.call("transpose", {last})});
      graph.number(OpType_TRANSFORM_SAME, transform::Abs, {x});  // unread, and x has many readers
      last = graph.number(OpType_SCALAR, scalar::Multiply, {last}, 1.f);
      last = graph.number(OpType_PAIRWISE, pairwise::Add, {last, x});
    }
    graph.result(last);
    return graph.afterAll();
  };
  // What is left are the additions, of which a composite takes 48.
  EXPECT_EQ(nodesAfter(200), 5);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(nodesAfter(20000), 417);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  // Building the graph is most of it; a quadratic pass takes minutes.
  EXPECT_LT(time.count(), 60);
}

TEST(PassTests, NodesThatOnlyTheirArgumentsTellApartTakeLinearTime) {
  Small graph;
  const int x = graph.input(sample({4}));
  for (int k = 0; k < 25000; k++) {
    graph.result(graph.number(OpType_SCALAR, scalar::Add, {x}, static_cast<float>(k)));
    graph.result(graph.call("lrelu", {x}, {{"alpha", ops::numberArgument(k)}}));
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(graph.afterAll(), 50000);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  EXPECT_LT(time.count(), 30);  // comparing each with each takes minutes
}
