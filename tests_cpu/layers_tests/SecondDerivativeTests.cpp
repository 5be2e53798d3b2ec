// Gradients of gradients, and tangents, of every operation against central differences. The table of docs/gradients.md
// says which operations have none.
#include <array/NDArrayFile.h>
#include <graph/Gradients.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "GradientCases.h"
#include "GraphedCall.h"
#include "TestData.h"
#include "cnpy/Npy.h"

#ifdef SD_ALL_OPS  // operations of many families
#include <nd/nd.h>

using namespace sd;
using namespace sd::graph;
using namespace nd_test;

namespace {

constexpr double MOST = 1e-4;

using Check = std::function<void(const std::string& name, ops::DeclarableOp& op, const DifferentiatedCall& call,
                                 const Arguments& arguments)>;

bool isDifferentiable(const ops::Schema& schema) {
  return schema.gradientOperation() != nullptr || schema.gradientRule() != nullptr;
}

/// Examples that lie at points without a derivative, or convert to a type of less precision; there are cases instead.
bool exampleFits(const std::string& name) {
  static const std::set<std::string> OTHERS = {"divide_no_nan", "to_float16", "to_float32", "polygamma",
                                               "maximum_bp",    "minimum_bp", "floormod_bp"};
  return OTHERS.count(name) == 0;
}

void forEachCall(const Check& check) {
  const auto tried = [&](ops::DeclarableOp& op, const char* json, bool isExample) {
    const std::string name = op.getOpDescriptor()->name();
    if (name == "Switch") return;  // one of its outputs does not exist
    SCOPED_TRACE(name + " " + json);
    try {
      ops::Example example = ops::readExample(op.schema(), json);
      const Arguments arguments = example.arguments;
      DifferentiatedCall call(op, name, std::move(example.inputs), std::move(example.arguments));
      if (isExample)
        call.disturb();
      else
        call.fillShapes();
      check(name, op, call, arguments);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  };
  for (ops::DeclarableOp* op : ops::OpRegistrator::getInstance().operations()) {
    const ops::Schema& schema = op->schema();
    if (isDifferentiable(schema) && schema.example()[0] != '\0' && exampleFits(op->getOpDescriptor()->name()))
      tried(*op, schema.example(), true);
  }
  for (const GradientCase& row : gradientCases())
    if (ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find(row.operation)) tried(*op, row.json, false);
}

/// The parameters that addGradients() accepts for the loss: those that have gradients on arrays.
std::vector<std::string> parametersOf(ops::DeclarableOp& op, const DifferentiatedCall& call, const GraphedCall& graphed,
                                      const Arguments& arguments) {
  Context block(1);
  for (size_t i = 0; i < call.inputs().size(); i++) block.setInputArray(static_cast<int>(i), call.inputs()[i].get());
  block.callByName();
  for (const auto& [argument, value] : arguments) block.setArgument(argument, value);
  if (op.execute(&block) != Status::OK) throw std::runtime_error(ops::DeclarableOp::lastValidationMessage());
  std::vector<NDArray*> weights;
  for (const auto& weight : graphed.weights) weights.push_back(weight.get());
  const auto gradients = ops::gradientsOf(op, block, weights);
  std::vector<std::string> names;
  for (size_t i = 0; i < gradients.size(); i++)
    if (gradients[i] != nullptr && !gradients[i]->isEmpty()) names.push_back(graphed.names[i]);
  return names;
}

size_t indexOf(const std::string& name) { return std::stoul(name.substr(1)); }

double sumOf(const std::vector<NDArray>& values) {
  double sum = 0;
  for (const NDArray& value : values) sum += value.e<double>(0);
  return sum;
}

/// (f(x + h) - f(x - h)) / 2h, extrapolated from two steps.
double extrapolated(double step, const std::function<double(double)>& at) {
  const double one = (at(step) - at(-step)) / (2 * step), two = (at(2 * step) - at(-2 * step)) / (4 * step);
  return (4 * one - two) / 3;
}

/// The largest error of each operation; -1 where no call of it has a second derivative, or a tangent.
using Errors = std::map<std::string, double>;

void note(Errors& errors, const std::string& name, double actual, double expected) {
  const double error = std::abs(actual - expected) / std::max(1.0, std::abs(expected));
  EXPECT_LE(error, MOST) << actual << " instead of " << expected;
  double& largest = errors[name];
  largest = std::max(largest, error);
}

/// Whether the message names the operation that has no gradient: the one that is tested, or one that its gradient
/// calls.
bool saysWhyThereIsNone(const std::string& message) {
  return message.find("): [") != std::string::npos && message.find("there is no gradient") != std::string::npos;
}

/// The element that changes with element k.
LongType twinOf(const std::string& name, const NDArray& x, LongType k) {
  if (!isSymmetric(name)) return k;
  const LongType n = x.sizeAt(-1);
  return k / (n * n) * n * n + k % n * n + k / n % n;
}

void checkSecond(Errors& errors, const std::string& name, ops::DeclarableOp& op, const DifferentiatedCall& call,
                 const Arguments& arguments) {
  GraphedCall graphed(op, call.inputs(), arguments);
  const auto parameters = parametersOf(op, call, graphed, arguments);
  if (parameters.empty() || graphed.loss == 0) return;
  const auto first = addGradients(graphed.graph, std::to_string(graphed.loss), parameters);
  Arrays factors;
  for (const std::string& parameter : parameters) factors.push_back(weightOf(*graphed.arrays[indexOf(parameter)], 2));
  const int sum = addWeighted(graphed.graph, first, factors);
  std::vector<Place> second;
  try {
    second = addGradients(graphed.graph, std::to_string(sum), parameters, {"", true});
  } catch (const std::invalid_argument& error) {
    EXPECT_TRUE(saysWhyThereIsNone(error.what())) << error.what();
    errors.emplace(name, -1);
    return;
  }
  const std::vector<NDArray> actual = graphed.run(second);
  SessionOptions options;
  options.results = {std::to_string(sum)};
  Session gradient(graphed.graph, options);
  for (size_t i = 0; i < parameters.size(); i++) {
    SCOPED_TRACE(parameters[i]);
    NDArray& x = *graphed.arrays[indexOf(parameters[i])];
    ASSERT_TRUE(x.isSameShape(actual[i])) << ShapeUtils::shapeAsString(&actual[i]);
    for (LongType k = 0; k < x.lengthOf(); k++) {
      const LongType twin = twinOf(name, x, k);
      const double value = x.e<double>(k), step = isSingle(name) ? 0.25 : 3e-4 * std::max(1.0, std::abs(value));
      const double expected = extrapolated(step, [&](double by) {
        x.p<double>(k, value + by);
        x.p<double>(twin, value + by);
        return sumOf(gradient.run(std::vector<Feed>()));
      });
      x.p<double>(k, value);
      x.p<double>(twin, value);
      note(errors, name, actual[i].e<double>(k) + (twin == k ? 0 : actual[i].e<double>(twin)), expected);
    }
  }
}

void checkTangent(Errors& errors, const std::string& name, ops::DeclarableOp& op, const DifferentiatedCall& call,
                  const Arguments& arguments) {
  GraphedCall graphed(op, call.inputs(), arguments);
  const auto parameters = parametersOf(op, call, graphed, arguments);
  if (parameters.empty() || graphed.loss == 0) return;
  std::vector<std::pair<std::string, std::string>> tangents;
  Arrays changes;
  for (const std::string& parameter : parameters) {
    const NDArray& x = *graphed.arrays[indexOf(parameter)];
    changes.push_back(weightOf(x, 1));
    for (LongType k = 0; k < x.lengthOf(); k++)
      changes.back()->p<double>(twinOf(name, x, k), changes.back()->e<double>(k));
    tangents.emplace_back(parameter, std::to_string(put(graphed.graph, "", new NDArray(*changes.back()))));
  }
  Place place;
  try {
    place = addTangents(graphed.graph, tangents, std::to_string(graphed.loss));
  } catch (const std::invalid_argument& error) {
    EXPECT_TRUE(saysWhyThereIsNone(error.what())) << error.what();
    errors.emplace(name, -1);
    return;
  }
  const double actual = sumOf(graphed.run({place}));
  SessionOptions options;
  options.results = {std::to_string(graphed.loss)};
  Session loss(graphed.graph, options);
  Arrays points;
  for (const std::string& parameter : parameters)
    points.push_back(std::make_unique<NDArray>(graphed.arrays[indexOf(parameter)]->dup()));
  const double expected = extrapolated(isSingle(name) ? 0.25 : 1e-4, [&](double step) {
    for (size_t i = 0; i < parameters.size(); i++)
      graphed.arrays[indexOf(parameters[i])]->assign(*points[i] + *changes[i] * step);
    return sumOf(loss.run(std::vector<Feed>()));
  });
  note(errors, name, actual, expected);
}

/// With the variable set, the errors are written to the file that it names, one line "operation error" each.
void write(const char* variable, const Errors& errors) {
  const char* path = std::getenv(variable);
  if (path == nullptr) return;
  std::ofstream file(path);
  for (const auto& [name, error] : errors) file << name << ' ' << error << '\n';
  ASSERT_TRUE(file.good());
}

}  // namespace

/// tools/gradient_errors.py makes a column of the table from NDFORGE_SECOND_ERRORS.
TEST(SecondDerivatives, everyGradientOfAGradientIsChecked) {
  Errors errors;
  forEachCall([&](const std::string& name, auto&... call) { checkSecond(errors, name, call...); });
  EXPECT_GT(errors.size(), 300u);
  write("NDFORGE_SECOND_ERRORS", errors);
}

/// Composed step by step: graphs have to know how many there are. The first derivatives do not need that.
TEST(SecondDerivatives, layersNeedTheNumberOfSteps) {
  Graph graph;
  NDArray weights('c', {3, 8}, FLOAT32), recurrent('c', {2, 8}, FLOAT32), logits('c', {1, 4}, FLOAT32);
  const auto w = graph.variable("w", weights), r = graph.variable("r", recurrent), k = graph.variable("k", logits);
  const auto x = graph.placeholder("x", FLOAT32, {-1, 2, 3}), frames = graph.placeholder("frames", FLOAT32, {2, -1, 4});
  NDArray labels('c', {2, 1}, INT32), counts('c', {2}, INT32);
  const auto h = nd::lstmLayer(x, w, r, {}, {}, {}, {}, {}, {.returnH = true}).h;
  const auto loss = nd::ctc_loss(labels, frames * k, counts, counts);
  const auto expectError = [](const nd::Symbol& value, const nd::Symbol& parameter, const std::string& text) {
    const auto gradient = nd::grad(nd::reduce_sum(value), {parameter})[0];
    try {
      nd::grad(nd::reduce_sum(gradient * gradient), {parameter});
      ADD_FAILURE() << "no exception";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string::npos, std::string(error.what()).find(text)) << error.what();
    }
  };
  expectError(h, w, "[lstmLayer] its gradient needs the size of axis 0, which is not known");
  expectError(loss, k, "[ctc_loss_grad] its gradient needs the size of axis 1, which is not known");
}

TEST(SecondDerivatives, ofGridSampleAreThoseOfPyTorch) {
  const std::string file = (test::dataFolder() / "gradients" / "grid_sample.npz").string();
  std::set<std::string> calls;
  for (const std::string& name : npy::namesInNpz(file)) calls.insert(name.substr(0, name.rfind('.')));
  EXPECT_EQ(calls.size(), 30u);
  for (const std::string& call : calls) {
    SCOPED_TRACE(call);
    const auto array = [&](const char* name) { return loadNpz(file, call + "." + name); };
    const auto has = [&](const char* word) { return call.find(word) != std::string::npos; };
    ops::args::GridSampling a;
    a.method = has("nearest")   ? ops::args::InterpolationMethod::Nearest
               : has("bicubic") ? ops::args::InterpolationMethod::Bicubic
                                : ops::args::InterpolationMethod::Bilinear;
    a.paddingMode = has("zeros")    ? ops::args::GridPadding::Zeros
                    : has("border") ? ops::args::GridPadding::Border
                                    : ops::args::GridPadding::Reflection;
    a.alignCorners = call.back() == '1';
    NDArray xs = array("x"), grids = array("grid"), incoming = array("incoming");
    Graph graph;
    const auto x = graph.variable("x", xs), grid = graph.variable("grid", grids), g = graph.variable("g", incoming);
    const auto first = nd::grad(nd::reduce_sum(nd::grid_sample(x, grid, a) * g), {x, grid});
    const auto total = nd::reduce_sum(first[0] * array("by_x")) + nd::reduce_sum(first[1] * array("by_grid"));
    SessionOptions options;
    for (const auto& second : nd::grad(total, {x, grid, g}, {.allowUnused = true})) options.results.push_back(second.key());
    const auto actual = Session(graph, options).run({});
    const char* expected[] = {"second_x", "second_grid", "second_incoming"};
    for (size_t i = 0; i < actual.size(); i++) {
      const NDArray wanted = array(expected[i]);
      EXPECT_TRUE(wanted.equalsTo(actual[i], 1e-10)) << expected[i];
    }
  }
}

TEST(SecondDerivatives, everyTangentIsChecked) {
  Errors errors;
  forEachCall([&](const std::string& name, auto&... call) { checkTangent(errors, name, call...); });
  EXPECT_GT(errors.size(), 300u);
  write("NDFORGE_TANGENT_ERRORS", errors);
}

#endif
