// Simple operations of a module: registration, values, arguments, resources, and gradients on arrays. The arguments of
// the program are the module and the folder of the modules made from simple_faults.cpp.
#include <legacy/NativeOps.h>
#include <memory/Workspace.h>
#include <nd/call.h>
#include <ops/simple/SimpleFunction.h>

#include "SimpleOps.h"

using namespace simple_tests;

std::string simpleModule, simpleFaults;

// ---- values

TEST(SimpleOps, ComputeWhatOperationsOfTheLibraryDo) {
  const struct {
    const char *name, *library;
    int inputs;
    Arguments arguments, libraryArguments;
  } rows[] = {{"simple_negate", "transform.Neg", 1, {}, {}},
              {"simple_exp", "transform.Exp", 1, {}, {}},
              {"simple_tanh", "tanh", 1, {}, {}},
              {"simple_sigmoid", "sigmoid", 1, {}, {}},
              {"simple_square", "square", 1, {}, {}},
              {"simple_log", "transform.Log", 1, {}, {}},
              {"simple_leaky_relu", "lrelu", 1, {{"slope", number(0.1)}}, {{"alpha", number(0.1)}}},
              {"simple_minus", "subtract", 2, {}, {}},
              {"simple_softmax", "softmax", 1, {}, {}},
              {"simple_row_sum", "reduce_sum", 1, {}, {{"axis", integers({-1})}}}};
  for (const auto& row : rows)
    for (const DataType type : {FLOAT32, DOUBLE, HALF}) {
      SCOPED_TRACE(std::string(row.name) + " " + DataTypeUtils::asString(type));
      NDArray x = sample({3, 5}, type) - 0.5, y = sample({3, 5}, type, 3);
      if (std::string(row.name) == "simple_log") x += 1.0;
      const std::vector<NDArray*> inputs = row.inputs == 1 ? std::vector<NDArray*>{&x} : std::vector<NDArray*>{&x, &y};
      expectNear(result(row.library, inputs, row.libraryArguments), result(row.name, inputs, row.arguments),
                 type == DOUBLE    ? 1e-12
                 : type == FLOAT32 ? 1e-6
                                   : 4e-3);
    }
}

TEST(SimpleOps, SmoothL1IsAHuberLoss) {
  // |d| on both sides of 1 / s^2.
  NDArray x('c', {6}, {-3, -0.5, -0.1, 0.2, 0.6, 4}, DOUBLE), y('c', {6}, {0, 0, 0.05, 0, 0.1, -1}, DOUBLE);
  const double s = 1.3, limit = 1 / (s * s);
  NDArray expected('c', {6}, DOUBLE);
  for (LongType i = 0; i < 6; i++) {
    const double d = std::abs(x.e<double>(i) - y.e<double>(i));
    expected.p(i, d < limit ? 0.5 * s * s * d * d : d - 0.5 * limit);
  }
  const NDArray losses = result("simple_smooth_l1", {&x, &y}, {{"scalar", number(s)}});
  expectNear(expected, losses, 1e-14);
  ops::ArgumentValue none;
  none.form = ops::ArgumentValue::Form::Name;
  none.name = "none";
  NDArray weight = sample({1}) * 0 + 1.0;
  const Arguments arguments{{"delta", number(limit)}, {"reduction", none}};
  expectNear(result("huber_loss", {&x, &weight, &y}, arguments) * s * s, losses, 1e-14);
}

TEST(SimpleOps, TakeAnyLayoutOfMemory) {
  NDArray x = sample({4, 6}, FLOAT32), expected = result("simple_exp", {&x});
  NDArray fortran = x.dup('f'), transposed = x.transpose().dup('c').transpose();
  expectNear(expected, result("simple_exp", {&fortran}), 0);
  expectNear(expected, result("simple_exp", {&transposed}), 0);
  NDArray wide('c', {4, 12}, FLOAT32);
  NDArray every = wide({0, 4, 1, 0, 12, 2}, true, true);
  graph::Context call(1);
  call.setInputArray(0, &x);
  call.setOutputArray(0, &every);
  ASSERT_EQ(Status::OK, op("simple_exp").execute(&call));
  expectNear(expected, every.dup('c'), 0);
  NDArray between = wide({0, 4, 1, 1, 12, 2}, true, true);
  EXPECT_EQ(0, between.reduceNumber(reduce::Sum).e<double>(0)) << "elements between those of the result are written";
  NDArray empty('c', {0, 3}, FLOAT32), scalar = sample({}, FLOAT32);
  EXPECT_TRUE(result("simple_exp", {&empty}).isEmpty());
  EXPECT_EQ(0, result("simple_softmax", {&scalar}).rankOf());
}

TEST(SimpleOps, LargeArraysAreComputedInParts) {
  NDArray x = sample({300, 1001}, FLOAT32);
  expectNear(result("tanh", {&x}), result("simple_tanh", {&x}), 2e-6);
}

TEST(SimpleOps, WorkInPlaceWhereTheyMay) {
  NDArray x = sample({3, 4}), expected = result("simple_exp", {&x});
  auto same = op("simple_exp").evaluate({&x}, {}, {}, {}, {}, true);
  ASSERT_EQ(Status::OK, same.status());
  EXPECT_EQ(&x, same.at(0));
  expectNear(expected, x, 0);
  // The square states no option: it is computed apart, and takes the place of its input then.
  NDArray y = sample({3, 4}), square = result("simple_square", {&y});
  EXPECT_EQ(Status::OK, op("simple_square").evaluate({&y}, {}, {}, {}, {}, true).status());
  expectNear(square, y, 0);
  // The right operand may not be overwritten, so the result is copied there.
  NDArray left = sample({3, 4}), right = sample({3, 4}, DOUBLE, 5),
          difference = result("simple_minus", {&left, &right});
  graph::Context call(1);
  fill(call, {&left, &right}, {});
  call.setOutputArray(0, &right);
  ASSERT_EQ(Status::OK, op("simple_minus").execute(&call));
  expectNear(difference, right, 0);
}

TEST(SimpleOps, AddTheirResultToASum) {
  NDArray x = sample({2, 3}), y = sample({2, 3}, DOUBLE, 3), sum = sample({2, 3}, DOUBLE, 8);
  expectNear(result("simple_exp", {&x}) + sum, result("simple_exp", {&x, &sum}), 1e-14);
  expectNear(result("simple_minus", {&x, &y}) + sum, result("simple_minus", {&x, &y, &sum}), 1e-14);
  // The sum and the result may be the same array, and so may the operand.
  NDArray expected = result("simple_exp", {&x}) + x;
  graph::Context call(1);
  fill(call, {&x, &x}, {});
  call.setOutputArray(0, &x);
  ASSERT_EQ(Status::OK, op("simple_exp").execute(&call));
  expectNear(expected, x, 1e-14);
  NDArray other = sample({3, 2});
  EXPECT_TRUE(has(refusal([&] {
                    result("simple_exp", {&y, &other});
                  }),
                  "input 1 'sum': its shape is [3, 2], not [2, 3]"));
}

TEST(SimpleOps, SumsHaveGradientsToo) {
  NDArray x = sample({2, 3}), sum = sample({2, 3}, DOUBLE, 8), g = sample({2, 3}, DOUBLE, 1);
  graph::Context call(1);
  fill(call, {&x, &sum}, {});
  ASSERT_EQ(Status::OK, op("simple_negate").execute(&call));
  const auto gradients = ops::gradientsOf(op("simple_negate"), call, {&g});
  expectNear(g * -1.0, *gradients[0], 0);
  expectNear(g, *gradients[1], 0);
  graph::Context other(1);
  fill(other, {&x, &sum}, {});
  ASSERT_EQ(Status::OK, op("simple_exp").execute(&other));
  EXPECT_TRUE(has(refusal([&] { ops::gradientsOf(op("simple_exp"), other, {&g}); }),
                  "its gradient needs the result, to which a sum was added"));
}

// ---- the registry

TEST(SimpleOps, AreEntriesOfTheRegistry) {
  const auto& registry = ops::OpRegistrator::getInstance();
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.name);
    const ops::Schema& schema = op(each.name).schema();
    EXPECT_STRNE("", schema.summary());
    ASSERT_EQ(static_cast<size_t>(each.inputs) + 1, schema.inputs().size());
    EXPECT_STREQ("x", schema.inputs()[0].name());
    EXPECT_TRUE(schema.inputs().back().isOptional());
    EXPECT_EQ(each.arguments.size(), schema.arguments().size());
    EXPECT_NE(nullptr, schema.gradientRule());
    EXPECT_TRUE(has(const_cast<ops::OpRegistrator&>(registry).libraryOf(&op(each.name)), "simple_ops"));
    EXPECT_NE(nullptr, op("_backward_" + each.name).schema().inference());
  }
  EXPECT_TRUE(op("simple_dropout").getOpDescriptor()->isRandom());
  EXPECT_FALSE(op("simple_exp").getOpDescriptor()->isRandom());
}

TEST(SimpleOps, AreCalledFromC) {
  NDArray x = sample({5}), z('c', {5}, DOUBLE);
  double rate[] = {2.5};
  OpaqueContext* context = createGraphContext(1);
  setGraphContextInputArray(context, 0, x.buffer(), const_cast<LongType*>(x.shapeInfo()), nullptr, nullptr);
  setGraphContextOutputArray(context, 0, z.buffer(), const_cast<LongType*>(z.shapeInfo()), nullptr, nullptr);
  setGraphContextTArguments(context, rate, 1);
  EXPECT_EQ(static_cast<int>(Status::OK),
            static_cast<int>(execCustomOp2(nullptr, op("simple_scale").getOpHash(), context)))
      << lastErrorMessage();
  deleteGraphContext(context);
  expectNear(x * 2.5, z, 1e-15);
  EXPECT_TRUE(has(describeOperation("simple_leaky_relu"), "the slope below 0"));
}

TEST(SimpleOps, AreFunctionsOnArrays) {
  using ops::SimpleFunction;
  const SimpleFunction smoothL1("simple_smooth_l1"), leaky("simple_leaky_relu"), exponential("simple_exp");
  const NDArray x = sample({4}), y = sample({4}, DOUBLE, 3);
  NDArray left = x, right = y;
  expectNear(result("simple_smooth_l1", {&left, &right}, {{"scalar", number(2)}}), smoothL1(x, y, 2), 0);
  expectNear(result("simple_exp", {&left}), exponential(x), 0);
  expectNear(x * -0.5, leaky(x * -1.0, ops::Kwargs{{"slope", "0.5"}}), 1e-15);
  const SimpleFunction dropout("simple_dropout");
  nd::generator().setStates(7);
  const NDArray first = dropout(sample({100}), 0.5), second = dropout(sample({100}), 0.5);
  EXPECT_FALSE(first.equalsTo(second, 1e-9));
  nd::generator().setStates(7);
  expectNear(first, dropout(sample({100}), 0.5), 0);
  EXPECT_TRUE(has(refusal([] { SimpleFunction("no_such_op"); }), "no_such_op"));
  EXPECT_TRUE(has(refusal([&] { smoothL1(x, y); }), "argument 'scalar' is missing"));
}

TEST(SimpleOps, InferShapesThatAreKnownInPart) {
  graph::Context call(1);
  using ops::PartialShape;
  EXPECT_EQ("[?, 3]", op("simple_exp").infer({PartialShape(FLOAT32, {-1, 3})}, call)[0].text());
  EXPECT_EQ("[2, 3]",
            op("simple_minus").infer({PartialShape(FLOAT32, {-1, 3}), PartialShape(FLOAT32, {2, -1})}, call)[0].text());
  EXPECT_EQ("[2, ?]", op("simple_row_sum").infer({PartialShape(FLOAT32, {2, -1, 4})}, call)[0].text());
  EXPECT_FALSE(op("simple_row_sum").infer({PartialShape(FLOAT32)}, call)[0].hasRank());
}

TEST(SimpleOps, RefuseWhatDoesNotFit) {
  NDArray x = sample({2, 3}), y = sample({3, 2}), f = sample({2, 3}, FLOAT32), i('c', {2, 3}, INT32);
  EXPECT_EQ("[simple_minus] input 1 'y': its shape is [3, 2], not [2, 3]", refusal([&] {
              result("simple_minus", {&x, &y});
            }));
  EXPECT_TRUE(has(refusal([&] { result("simple_minus", {&x, &f}); }), "[simple_minus] input 1 'y': its type is"));
  EXPECT_TRUE(has(refusal([&] { result("simple_exp", {&i}); }), "[simple_exp] input 0: type INT32 is not one of"));
  EXPECT_TRUE(has(refusal([&] { result("simple_scale", {&x}); }), "[simple_scale] argument 'scalar' is missing"));
  EXPECT_TRUE(has(refusal([&] { result("simple_leaky_relu", {&x}, {{"slope", number(2)}}); }), "2 is outside 0..1"));
  EXPECT_TRUE(has(refusal([&] { result("simple_leaky_relu", {&x}, {{"slop", number(0)}}); }), "did you mean 'slope'?"));
}

// ---- arguments and resources

TEST(SimpleOps, TakeArgumentsAsStrings) {
  const auto values = ops::parseKwargs(op("simple_leaky_relu"), {{"slope", "0.5"}});
  ASSERT_EQ(1u, values.size());
  EXPECT_EQ("slope", values[0].first);
  EXPECT_EQ(number(0.5), values[0].second);
  NDArray x('c', {2}, {-2, 3}, DOUBLE);
  EXPECT_EQ(-1, result("simple_leaky_relu", {&x}, values).e<double>(0));
  EXPECT_EQ(-0.5, result("simple_leaky_relu", {&x}).e<double>(0)) << "the default";
  const std::string valid = "its arguments are slope: number 0..1, default 0.25";
  const auto why = [](const ops::Kwargs& pairs) {
    return refusal([&] { ops::parseKwargs(op("simple_leaky_relu"), pairs); });
  };
  EXPECT_EQ("[simple_leaky_relu] there is no argument 'gap': " + valid, why({{"gap", "1"}}));
  EXPECT_EQ("[simple_leaky_relu] argument 'slope': 'steep' is not a number; " + valid, why({{"slope", "steep"}}));
  EXPECT_EQ("[simple_leaky_relu] argument 'slope': 1.5 is outside 0..1; " + valid, why({{"slope", "1.5"}}));
  EXPECT_EQ("[simple_leaky_relu] argument 'slope' is given twice", why({{"slope", "0"}, {"slope", "1"}}));
  EXPECT_TRUE(has(refusal([&] { ops::parseKwargs(op("simple_exp"), {{"a", "1"}}); }), "it has no arguments"));
  // Lists, flags, choices and types of other operations.
  const auto pool = ops::parseKwargs(op("maxpool2d"), {{"kernel", "2, 3"}, {"layout", "NHWC"}});
  EXPECT_EQ(integers({2, 3}), pool[0].second);
  EXPECT_EQ("nhwc", pool[1].second.name);
  EXPECT_TRUE(has(refusal([&] {
                    ops::parseKwargs(op("maxpool2d"), {{"layout", "round"}});
                  }),
                  "layout: one of nchw (0), nhwc (1)"));
  EXPECT_EQ(1, ops::parseKwargs(op("reduce_sum"), {{"keep_dims", "true"}})[0].second.integers[0]);
  EXPECT_TRUE(has(refusal([&] {
                    ops::parseKwargs(op("reduce_sum"), {{"keep_dims", "maybe"}});
                  }),
                  "neither true nor false"));
  EXPECT_EQ(static_cast<LongType>(DOUBLE), ops::parseKwargs(op("cast"), {{"dtype", "double"}})[0].second.integers[0]);
}

TEST(SimpleOps, TempSpaceComesFromTheWorkspace) {
  NDArray x = sample({8, 16}), expected = result("softmax", {&x}), z('c', {8, 16}, DOUBLE);
  memory::Workspace workspace(1 << 16);
  graph::Context call(1);
  fill(call, {&x}, {});
  call.setOutputArray(0, &z);
  call.attachWorkspace(&workspace);
  workspace.scopeIn();
  ASSERT_EQ(Status::OK, op("simple_softmax").execute(&call));
  EXPECT_GE(workspace.getCurrentOffset(), static_cast<LongType>((8 * 16 + 8) * sizeof(double)));
  workspace.scopeOut();
  call.forgetWorkspace();
  expectNear(expected, z, 1e-14);
}

TEST(SimpleOps, RandomNumbersFollowFromTheSeed) {
  NDArray x = sample({10000});
  const Arguments keep{{"scalar", number(0.75)}};
  const NDArray z = result("simple_dropout", {&x}, keep);
  expectNear(z, result("simple_dropout", {&x}, keep), 0);
  LongType kept = 0;
  for (LongType i = 0; i < x.lengthOf(); i++) {
    if (z.e<double>(i) == 0) continue;
    kept++;
    ASSERT_NEAR(x.e<double>(i) / 0.75, z.e<double>(i), 1e-12);
  }
  EXPECT_NEAR(7500, kept, 200);
  // The generator goes on: a second call of the same context drops others.
  graph::Context call(1);
  fill(call, {&x}, keep);
  ASSERT_EQ(Status::OK, op("simple_dropout").execute(&call));
  expectNear(z, *call.optionalOutput(0), 0);
  ASSERT_EQ(Status::OK, op("simple_dropout").execute(&call));
  EXPECT_FALSE(z.equalsTo(*call.optionalOutput(0), 1e-9));
}

// ---- gradients on arrays

namespace {

/// The sum of the weighted results.
double weighted(const NDArray& z) {
  double sum = 0;
  for (LongType k = 0; k < z.lengthOf(); k++) sum += (1 + 0.25 * static_cast<double>(k % 5)) * z.e<double>(k);
  return sum;
}

}  // namespace

TEST(SimpleOps, GradientsAreThoseOfCentralDifferences) {
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.name);
    NDArray x = sample({3, 4}), y = sample({3, 4}, DOUBLE, 3);
    const std::vector<NDArray*> inputs = each.inputs == 1 ? std::vector<NDArray*>{&x} : std::vector<NDArray*>{&x, &y};
    graph::Context call(1);
    fill(call, inputs, each.arguments);
    ASSERT_EQ(Status::OK, op(each.name).execute(&call));
    NDArray weight = call.optionalOutput(0)->ulike();
    for (LongType k = 0; k < weight.lengthOf(); k++) weight.p(k, 1 + 0.25 * static_cast<double>(k % 5));
    const auto gradients = ops::gradientsOf(op(each.name), call, {&weight});
    ASSERT_EQ(inputs.size(), gradients.size());
    for (size_t i = 0; i < inputs.size(); i++)
      for (LongType k = 0; k < x.lengthOf(); k++) {
        const double at = inputs[i]->e<double>(k), h = 1e-5;
        inputs[i]->p(k, at + h);
        const double above = weighted(result(each.name, inputs, each.arguments));
        inputs[i]->p(k, at - h);
        const double below = weighted(result(each.name, inputs, each.arguments));
        inputs[i]->p(k, at);
        ASSERT_NEAR((above - below) / (2 * h), gradients[i]->e<double>(k), 1e-7) << "input " << i << " element " << k;
      }
  }
}

TEST(SimpleOps, GradientsNeedWhatTheirKindSays) {
  using ops::Need;
  const auto needs = [](const char* name, int inputs) {
    graph::Context call(1);
    for (const Case& each : cases())
      if (each.name == name) fill(call, {}, each.arguments);
    return ops::gradientNeeds(
        op(name), std::vector<ops::PartialShape>(static_cast<size_t>(inputs), ops::PartialShape(DOUBLE, {3, 4})), call);
  };
  for (const char* name : {"simple_negate", "simple_scale", "simple_row_sum"}) {
    EXPECT_EQ(std::vector{Need::Nothing}, needs(name, 1).inputs) << name;
    EXPECT_EQ(std::vector{Need::Nothing}, needs(name, 1).outputs) << name;
  }
  for (const char* name : {"simple_exp", "simple_tanh", "simple_sigmoid", "simple_softmax", "simple_dropout"}) {
    EXPECT_EQ(std::vector{Need::Nothing}, needs(name, 1).inputs) << name;
    EXPECT_EQ(std::vector{Need::Values}, needs(name, 1).outputs) << name;
  }
  for (const char* name : {"simple_square", "simple_log", "simple_leaky_relu"}) {
    EXPECT_EQ(std::vector{Need::Values}, needs(name, 1).inputs) << name;
    EXPECT_EQ(std::vector{Need::Nothing}, needs(name, 1).outputs) << name;
  }
  EXPECT_EQ((std::vector{Need::Nothing, Need::Nothing}), needs("simple_minus", 2).inputs);
  EXPECT_EQ((std::vector{Need::Values, Need::Values}), needs("simple_smooth_l1", 2).inputs);
}

TEST(SimpleOps, SecondDerivativesNeedARuleOfTheirOwn) {
  NDArray g = sample({4}), x = sample({4}, DOUBLE, 2), weight = sample({4}, DOUBLE, 5);
  graph::Context call(1);
  fill(call, {&g, &x}, {});
  ASSERT_EQ(Status::OK, op("_backward_simple_square").execute(&call));
  expectNear(g * x * 2.0, *call.optionalOutput(0), 1e-15);
  const auto second = ops::gradientsOf(op("_backward_simple_square"), call, {&weight});
  expectNear(weight * x * 2.0, *second[0], 1e-15);
  expectNear(weight * g * 2.0, *second[1], 1e-15);
  graph::Context other(1);
  fill(other, {&g, &x}, {});
  ASSERT_EQ(Status::OK, op("_backward_simple_exp").execute(&other));
  EXPECT_EQ("[_backward_simple_exp] there is no gradient: it was registered without a second gradient",
            refusal([&] { ops::gradientsOf(op("_backward_simple_exp"), other, {&weight}); }));
}

// ---- registrations that contradict themselves

namespace {

using namespace sd::ops;

void unary(const InputView&, const EnvArguments&, OutputView, OpReqType, graph::Context&) {}
void binary(const InputView&, const InputView&, const EnvArguments&, OutputView, OpReqType, graph::Context&) {}
void unaryGradient(const OutputGrad&, const EnvArguments&, OutputView, OpReqType, graph::Context&) {}
void binaryGradient(const OutputGrad&, const EnvArguments&, OutputView, OutputView, OpReqType, OpReqType,
                    graph::Context&) {}
PartialShape unaryShape(const PartialShape& x, const EnvArguments&) { return x; }
struct Parameters {
  int count = 1;
};
void declare(Schema& schema) { schema.argument(&Parameters::count, "count", "a count").atInteger(0); }

std::string entryRefusal(SimpleOpEntry& (*write)(SimpleOpEntry& entry)) {
  const std::string why = refusal([write] {
    SimpleOpEntry entry("wrong_op");
    write(entry).finish();
  });
  const std::string start = "[SD_REGISTER_SIMPLE_OP] operation 'wrong_op': ";
  return why.rfind(start, 0) == 0 ? why.substr(start.size()) : why;
}

}  // namespace

TEST(SimpleOpEntries, AreCheckedWhenTheyAreRegistered) {
  using E = SimpleOpEntry;
  EXPECT_EQ("", entryRefusal([](E& e) -> E& { return e.set_function(unary).set_gradient(unaryGradient); }));
  EXPECT_EQ("there is no function: set_function()", entryRefusal([](E& e) -> E& { return e.describe("nothing"); }));
  EXPECT_EQ("set_function is called twice",
            entryRefusal([](E& e) -> E& { return e.set_function(unary).set_function(binary); }));
  EXPECT_EQ("set_gradient is called twice",
            entryRefusal([](E& e) -> E& { return e.set_gradient(unaryGradient).set_gradient(binaryGradient); }));
  EXPECT_EQ("the function has two inputs, but the gradient has one",
            entryRefusal([](E& e) -> E& { return e.set_function(binary).set_gradient(unaryGradient); }));
  EXPECT_EQ("the function has two inputs, but the shape function has one",
            entryRefusal([](E& e) -> E& { return e.set_shape_function(unaryShape).set_function(binary); }));
  EXPECT_EQ("a function of one input takes kInplaceInOut, not kInplaceLhsOut",
            entryRefusal([](E& e) -> E& { return e.set_function(unary, kInplaceLhsOut); }));
  EXPECT_EQ("a gradient of two inputs takes kInplaceOutLhs, not kInplaceOutIn",
            entryRefusal([](E& e) -> E& { return e.set_gradient(binaryGradient, kInplaceOutIn); }));
  EXPECT_EQ("a scalar and kwargs exclude each other", entryRefusal([](E& e) -> E& {
              return e.set_function(unary).set_enable_scalar(true).set_parameters<Parameters>(declare);
            }));
  EXPECT_EQ("a scalar and kwargs exclude each other", entryRefusal([](E& e) -> E& {
              return e.set_function(unary).set_enable_kwargs(true).set_enable_scalar(true);
            }));
  EXPECT_EQ("kwargs need a struct: set_parameters<S>()",
            entryRefusal([](E& e) -> E& { return e.set_function(unary).set_enable_kwargs(true); }));
  EXPECT_EQ("a resource is requested twice", entryRefusal([](E& e) -> E& {
              return e.set_resource_request({kRandom, kRandom});
            }));
  EXPECT_EQ("there is a second gradient, but no first one",
            entryRefusal([](E& e) -> E& { return e.set_function(unary).set_second_gradient([](Gradient&) {}); }));
  EXPECT_EQ("set_function: the function is null",
            entryRefusal([](E& e) -> E& { return e.set_function(static_cast<UnaryFunction>(nullptr)); }));
}

TEST(SimpleOpEntries, TakeNoNameThatExists) {
  struct Tag;
  SimpleOpEntry entry("softmax");
  entry.set_function(unary);
  const std::string why = refusal([&entry] { const SimpleOpRegistration<Tag> registration(entry); });
  EXPECT_TRUE(has(why, "[SD_REGISTER_SIMPLE_OP] operation 'softmax': ") && has(why, "libndforge")) << why;
}

TEST(SimpleOpEntries, OfModulesAreRefusedAsThoseOfOtherOperations) {
  auto& registry = OpRegistrator::getInstance();
  const int before = registry.numberOfOperations();
  const auto why = [](const char* fault) {
    return refusal([fault] { loadOpLibrary(simpleFaults + "/libsimple_fault_" + fault + ".so"); });
  };
  for (int attempt = 0; attempt < 2; attempt++) {
    EXPECT_TRUE(has(why("clash"), "'simple_exp'") && has(why("clash"), "simple_ops") &&
                has(why("clash"), "libsimple_fault_clash"))
        << why("clash");
    EXPECT_TRUE(has(why("backward"), "'_backward_simple_exp'")) << why("backward");
    EXPECT_TRUE(
        has(why("contradiction"), "[SD_REGISTER_SIMPLE_OP] operation 'simple_contradiction': a scalar and kwargs"))
        << why("contradiction");
  }
  EXPECT_EQ(before, registry.numberOfOperations());
  EXPECT_EQ(nullptr, registry.find("simple_before_clash"));
  EXPECT_TRUE(loadOpLibrary(simpleModule).operations.empty()) << "it is loaded";
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 3) return 2;
  simpleModule = argv[1];
  simpleFaults = argv[2];
  loadOpLibrary(simpleModule);
  return RUN_ALL_TESTS();
}
