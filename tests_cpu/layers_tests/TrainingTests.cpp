// Trainers: updaters against NumPy, schedules, checkpoints. The data are made by data/training/generate_training.py.
#include <array/NDArrayFile.h>
#include <graph/Graph.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>
#include <symbol/Symbol.h>
#include <training/Metrics.h>
#include <training/Trainer.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "GraphPrograms.h"
#include "Messages.h"
#include "NamedGraph.h"
#include "TestData.h"
#include "call/argument_values.h"
#include "layers_tests/AllocationCount.h"

#ifdef SD_ALL_OPS  // operations of many families

using namespace sd;
using namespace sd::graph;
using namespace sd::training;
using graphtest::NamedGraph;
using graphtest::numberArray;
using nd_test::errorOf;
using nd_test::expectMessage;

namespace {

/// sum(a (w - c)^2) / 2 + sum(b (v - d)^4) / 4
void addLoss(NamedGraph& m, std::map<std::string, NDArray>& data, DataType type = DOUBLE) {
  for (const char* name : {"a", "b", "c", "d"}) m.variable(name, data.at(name).cast(type));
  m.variable("w", data.at("first/w").cast(type));
  m.variable("v", data.at("first/v").cast(type));
  m.constant("half", numberArray(0.5, type));
  m.constant("quarter", numberArray(0.25, type));
  m.call("dw", "subtract", {"w", "c"});
  m.call("dw2", "square", {"dw"});
  m.call("adw2", "multiply", {"a", "dw2"});
  m.call("sw", "reduce_sum", {"adw2"});
  m.call("dv", "subtract", {"v", "d"});
  m.call("dv2", "square", {"dv"});
  m.call("dv4", "square", {"dv2"});
  m.call("bdv4", "multiply", {"b", "dv4"});
  m.call("sv", "reduce_sum", {"bdv4"});
  m.call("hw", "multiply", {"sw", "half"});
  m.call("qv", "multiply", {"sv", "quarter"});
  m.call("loss", "add", {"hw", "qv"});
}

struct Case {
  const char* name;
  Updater updater;
  TrainingOptions options = {};
};

TrainingOptions with(const std::function<void(TrainingOptions&)>& change) {
  TrainingOptions options;
  change(options);
  return options;
}

std::vector<Case> cases() {
  return {
      {"sgd", Sgd{0.125}},
      {"nesterovs", Nesterovs{0.0625}},
      {"adam", Adam{0.125}},
      {"ada_max", AdaMax{0.125}},
      {"nadam", Nadam{0.125}},
      {"ams_grad", AmsGrad{0.125}},
      {"ada_belief", AdaBelief{0.125}},
      {"ada_grad", AdaGrad{0.25}},
      {"rms_prop", RmsProp{0.0625}},
      {"ada_delta", AdaDelta{}},
      {"regularised", Adam{0.125}, with([](TrainingOptions& o) {
         o.l1 = 0.25;
         o.l2 = 0.5;
         o.weightDecay = 0.125;
         o.decayed = {"w"};
       })},
      {"scheduled", Nesterovs{}, with([](TrainingOptions& o) { o.schedule = Schedule::stepwise(0.25, 0.5, 3); })},
      {"by_value", Sgd{0.25}, with([](TrainingOptions& o) { o.clip = Clipping::byValue(0.5); })},
      {"by_norm", Sgd{0.25}, with([](TrainingOptions& o) { o.clip = Clipping::byNorm(0.75); })},
      {"by_global_norm", Sgd{0.25}, with([](TrainingOptions& o) { o.clip = Clipping::byGlobalNorm(0.75); })},
      {"accumulated", Adam{0.25}, with([](TrainingOptions& o) { o.accumulate = 3; })},
  };
}

std::map<std::string, NDArray> trainingData() {
  return loadNpz((test::dataFolder() / "training" / "training.npz").string());
}

void expectRow(const NDArray& rows, LongType row, const NDArray& actual, double tolerance) {
  ASSERT_EQ(rows.lengthOf(), rows.sizeAt(0) * actual.lengthOf());
  for (LongType k = 0; k < actual.lengthOf(); k++) {
    const double expected = rows.e<double>(row * actual.lengthOf() + k);
    ASSERT_NEAR(expected, actual.e<double>(k), tolerance * std::max(1., std::abs(expected))) << "element " << k;
  }
}

/// A network with dropout: two layers, classes, and a mask of random numbers.
void addNetwork(NamedGraph& m) {
  m.placeholder("x", FLOAT32, {-1, 6});
  m.placeholder("labels", INT64, {-1});
  RandomGenerator random(3, 5);
  const auto weights = [&](const char* name, std::vector<LongType> shape, double scale) {
    NDArray array('c', shape, FLOAT32);
    for (LongType k = 0; k < array.lengthOf(); k++)
      array.p(k, scale * (random.relativeT<float>(k + 1000 * m.nodes) - 0.5));
    m.nodes++;
    m.variable(name, array);
  };
  weights("w1", {6, 16}, 1);
  weights("b1", {16}, 0);
  weights("w2", {16, 3}, 1);
  weights("b2", {3}, 0);
  NDArray shape('c', {2}, {8, 16}, INT64);
  m.constant("mask_shape", shape);
  m.constant("two", numberArray(2, FLOAT32));
  m.call("h0", "xw_plus_b", {"x", "w1", "b1"});
  m.call("h1", "tanh", {"h0"});
  m.call("mask", "random_bernoulli", {"mask_shape"})->setArgument("p", ops::numberArgument(0.5));
  m.call("scaled", "multiply", {"mask", "two"});
  m.call("h2", "multiply", {"h1", "scaled"});
  m.call("logits", "xw_plus_b", {"h2", "w2", "b2"});
  m.call("each", "sparse_softmax_cross_entropy_loss_with_logits", {"labels", "logits"});
  m.call("loss", "reduce_mean", {"each"});
}

struct Batch {
  NDArray x, labels;
};

Batch batch(int step) {
  Batch b{NDArray('c', {8, 6}, FLOAT32), NDArray('c', {8}, INT64)};
  for (LongType k = 0; k < 48; k++) b.x.p(k, ((k * 37 + step * 11) % 61 - 30) / 16.);
  for (LongType k = 0; k < 8; k++) b.labels.p(k, static_cast<LongType>((k + step) % 3));
  return b;
}

constexpr const char* NAMES[] = {"w1", "b1", "w2", "b2"};

std::vector<char> bytesOf(const NDArray& array) {
  const auto* data = static_cast<const char*>(array.buffer());
  return {data, data + array.lengthOf() * static_cast<LongType>(array.sizeOfT())};
}

std::filesystem::path temporary(const char* name) {
  return std::filesystem::temp_directory_path() / (std::to_string(getpid()) + name);
}

}  // namespace

TEST(Training, EveryUpdaterIsThatOfItsFormula) {
  auto data = trainingData();
  for (const DataType type : {DOUBLE, FLOAT32})
    for (const Case& each : cases())
      for (const bool optimised : {true, false}) {
        SCOPED_TRACE(std::string(each.name) + (optimised ? "" : " without passes"));
        NamedGraph m;
        addLoss(m, data, type);
        TrainingOptions options = each.options;
        if (!optimised) options.session.withoutPasses = {"all"};
        Trainer trainer(m.graph, "loss", {"w", "v"}, each.updater, options);
        const NDArray &w = data.at(std::string(each.name) + "/w"), &v = data.at(std::string(each.name) + "/v");
        const double tolerance = type == DOUBLE ? 1e-11 : 2e-5;
        for (LongType step = 0; step < w.sizeAt(0); step++) {
          SCOPED_TRACE("step " + std::to_string(step));
          trainer.step(std::vector<Feed>());
          ASSERT_NO_FATAL_FAILURE(expectRow(w, step, *m.array("w"), tolerance));
          ASSERT_NO_FATAL_FAILURE(expectRow(v, step, *m.array("v"), tolerance));
        }
        EXPECT_EQ(trainer.steps(), w.sizeAt(0));
        EXPECT_EQ(trainer.updates(), w.sizeAt(0) / options.accumulate);
        // Every array is written in place.
        const std::string text = trainer.session().text();
        for (const std::string& state : each.updater.states())
          EXPECT_NE(text.find(" over (" + std::to_string(m.find("training/" + state + "/w").first)), std::string::npos)
              << text;
        EXPECT_NE(text.find(" over (" + std::to_string(m.find("w").first)), std::string::npos) << text;
      }
}

TEST(Training, EveryUpdaterFindsTheLeastOfAParabola) {
  for (const Updater& updater :
       {Updater(Sgd{0.2}), Updater(Nesterovs{0.02}), Updater(Adam{0.05}), Updater(AdaMax{0.05}), Updater(Nadam{0.05}),
        Updater(AmsGrad{0.05}), Updater(AdaBelief{0.05}), Updater(AdaGrad{0.5}), Updater(RmsProp{0.01}),
        Updater(AdaDelta{0.95, 1e-3})}) {
    SCOPED_TRACE(updater.operation());
    NamedGraph m;
    m.variable("w", NDArray('c', {3}, {2, -1, 0.5}, DOUBLE));
    m.variable("c", NDArray('c', {3}, {0.5, 0.25, -1}, DOUBLE));
    m.call("d", "subtract", {"w", "c"});
    m.call("d2", "square", {"d"});
    m.call("loss", "reduce_sum", {"d2"});
    Trainer trainer(m.graph, "loss", {"w"}, updater);
    EXPECT_DOUBLE_EQ(trainer.step(std::vector<Feed>()), 6.0625);  // of what there was before
    double loss = 0;
    for (int step = 0; step < 800; step++) loss = trainer.step(std::vector<Feed>());
    EXPECT_LT(loss, 1e-3);
  }
}

TEST(Training, SchedulesAreTheirFormulas) {
  const auto expect = [](const Schedule& schedule, const std::function<double(double)>& formula) {
    for (LongType step = 0; step < 40; step++)
      EXPECT_NEAR(schedule.at(step), formula(static_cast<double>(step)), 1e-14) << step;
  };
  expect(0.5, [](double) { return 0.5; });
  expect(Schedule::stepwise(2, 0.5, 7), [](double t) { return t < 7 ? 2 : t < 14 ? 1 : std::ldexp(2, -int(t) / 7); });
  expect(Schedule::exponential(2, 0.75), [](double t) { return 2 * std::exp(t * std::log(0.75)); });
  expect(Schedule::inverse(3, 0.25, 2), [](double t) { return 3 / ((1 + t / 4) * (1 + t / 4)); });
  expect(Schedule::polynomial(3, 20, 2), [](double t) { return t < 20 ? 3 * (20 - t) * (20 - t) / 400 : 0; });
  expect(Schedule::cosine(3, 20, 1), [](double t) { return t < 20 ? 2 + std::cos(t * std::acos(-1.) / 20) : 1; });
  expect(Schedule::triangles(1, 3, 8), [](double t) { return 3 - std::abs(std::fmod(t, 8) - 4) / 2; });
  expect(Schedule::oneCycle(1, 10, 20), [](double t) {
    return t < 9 ? 1 + t : t < 18 ? 19 - t : t < 20 ? 1 - (t - 18) * 0.495 : 0.01;
  });
  expect(Schedule(2.).warmedUp(4), [](double t) { return t < 4 ? 2 * (t + 1) / 5 : 2; });
  expect(Schedule::exponential(1, 0.5).warmedUp(3),
         [](double t) { return t < 3 ? 0.125 * (t + 1) / 4 : std::pow(0.5, t); });
  expect(Schedule(2.).then(5, Schedule::polynomial(1, 10)), [](double t) {
    return t < 5 ? 2 : t < 15 ? 1 - (t - 5) / 10 : 0;
  });
  expectMessage([] { Schedule::cosine(1, 0); }, "0 steps are less than 1");
}

TEST(Training, ATrainerThatGoesOnHasTheSameBits) {
  const std::filesystem::path file = temporary("checkpoint.npz");
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.name);
    TrainingOptions options = each.options;
    if (!options.decayed.empty()) options.decayed = {"w1", "w2"};
    options.seed = 77;
    const std::vector<std::string> names(std::begin(NAMES), std::end(NAMES));
    NamedGraph whole;
    addNetwork(whole);
    Trainer one(whole.graph, "loss", names, each.updater, options);
    std::vector<double> losses;
    for (int step = 0; step < 20; step++) {
      const Batch b = batch(step);
      losses.push_back(one.step({{"x", b.x}, {"labels", b.labels}}));
    }
    {
      NamedGraph m;
      addNetwork(m);
      Trainer before(m.graph, "loss", names, each.updater, options);
      for (int step = 0; step < 10; step++) {
        const Batch b = batch(step);
        ASSERT_EQ(before.step({{"x", b.x}, {"labels", b.labels}}), losses[static_cast<size_t>(step)]);
      }
      before.save(file.string());
    }
    NamedGraph m;
    addNetwork(m);
    TrainingOptions other = options;
    other.seed = 5;  // that of the file counts
    Trainer after(m.graph, "loss", names, each.updater, other);
    ASSERT_TRUE(after.resume(file.string()));
    EXPECT_EQ(after.steps(), 10);
    for (int step = 10; step < 20; step++) {
      const Batch b = batch(step);
      ASSERT_EQ(after.step({{"x", b.x}, {"labels", b.labels}}), losses[static_cast<size_t>(step)]) << step;
    }
    for (const char* name : NAMES) EXPECT_EQ(bytesOf(*m.array(name)), bytesOf(*whole.array(name))) << name;
    EXPECT_EQ(after.updates(), one.updates());
  }
  std::filesystem::remove(file);
}

TEST(Training, ATrainerOfASavedGraphGoesOnWithTheSameBits) {
  const std::filesystem::path file = temporary("model.npz"), model = temporary("model.fb");
  const std::vector<std::string> names(std::begin(NAMES), std::end(NAMES));
  NamedGraph whole;
  addNetwork(whole);
  const size_t nodes = whole.graph.allNodes().size(), variables = whole.graph.getVariableSpace()->getVariables().size();
  Trainer one(whole.graph, "loss", names, Adam{0.01}, {.accumulate = 2, .seed = 77});
  const auto stepOf = [](Trainer& trainer, int step) {
    const Batch b = batch(step);
    return trainer.step({{"x", b.x}, {"labels", b.labels}});
  };
  for (int step = 0; step < 5; step++) stepOf(one, step);
  one.save(file.string());
  one.saveGraph(model.string());

  const std::unique_ptr<Graph> graph = Graph::load(model.string());
  EXPECT_EQ(graph->allNodes().size(), nodes);
  EXPECT_EQ(graph->getVariableSpace()->getVariables().size(), variables);
  const auto arrayOf = [](Graph& each, const std::string& name) {
    return each.getVariableSpace()->getVariable(&name)->getNDArray();
  };
  for (const char* name : NAMES)
    EXPECT_EQ(bytesOf(*arrayOf(*graph, name)), bytesOf(*arrayOf(whole.graph, name))) << name;
  Trainer other(*graph, "loss", names, Adam{0.01}, {.accumulate = 2, .seed = 5});
  ASSERT_TRUE(other.resume(file.string()));
  for (int step = 5; step < 10; step++) EXPECT_EQ(stepOf(other, step), stepOf(one, step)) << step;
  for (const char* name : NAMES)
    EXPECT_EQ(bytesOf(*arrayOf(*graph, name)), bytesOf(*arrayOf(whole.graph, name))) << name;

  // A graph that cannot be written leaves the file as it was.
  const auto size = std::filesystem::file_size(model);
  EXPECT_THROW(one.saveGraph((model / "in_a_file.fb").string()), std::runtime_error);
  EXPECT_EQ(std::filesystem::file_size(model), size);
  std::filesystem::remove(file);
  std::filesystem::remove(model);
}

TEST(Training, TheSeedMakesTheMasks) {
  std::vector<std::vector<char>> ends;
  for (const uint64_t seed : {1, 1, 2}) {
    NamedGraph m;
    addNetwork(m);
    TrainingOptions options;
    options.seed = seed;
    Trainer trainer(m.graph, "loss", {"w1"}, Sgd{0.5}, options);
    const Batch b = batch(0);
    std::vector<double> losses;
    for (int step = 0; step < 3; step++) losses.push_back(trainer.step({{"x", b.x}, {"labels", b.labels}}));
    ends.push_back(bytesOf(*m.array("w1")));
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_NE(ends[0], ends[2]);
}

TEST(Training, CheckpointsThatDoNotFitChangeNothing) {
  auto data = trainingData();
  const std::filesystem::path file = temporary("misfit.npz");
  NamedGraph m;
  addLoss(m, data);
  Trainer trainer(m.graph, "loss", {"w", "v"}, Adam{});
  trainer.step(std::vector<Feed>());
  trainer.save(file.string());
  const auto saved = loadNpz(file.string());
  const auto before = bytesOf(*m.array("w"));
  const auto expectRefusal = [&](const std::function<void(std::map<std::string, NDArray>&)>& change,
                                 const std::string& part) {
    auto arrays = saved;
    change(arrays);
    // So that loading them would be seen.
    if (arrays.count("parameters/w") != 0) arrays.at("parameters/w") += 1;
    saveNpz(arrays, file.string());
    const std::string message = errorOf([&] { trainer.load(file.string()); });
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_NE(message.find(file.string()), std::string::npos) << message;
    EXPECT_EQ(bytesOf(*m.array("w")), before);
    EXPECT_EQ(trainer.steps(), 1);
  };
  using Arrays = std::map<std::string, NDArray>;
  expectRefusal([](Arrays& a) { a.erase("states/m/v"); }, "array 'states/m/v' is missing");
  expectRefusal([](Arrays& a) { a.erase("training/format"); }, "it is no checkpoint");
  expectRefusal([](Arrays& a) { a.at("training/format").p<LongType>(0, 2); }, "its format is 2");
  expectRefusal([](Arrays& a) { a.at("training/updater").p<int>(0, 'b'); }, "it is of 'bdam_updater'");
  expectRefusal([](Arrays& a) { a["more"] = NDArray('c', {1}, FLOAT32); }, "array 'more' belongs to nothing");
  expectRefusal(
      [](Arrays& a) {
        a.at("parameters/v") = NDArray('c', {2, 2}, DOUBLE);
      },
      "array 'parameters/v' has shape [2, 2]");
  expectRefusal([](Arrays& a) { a.at("parameters/v") = a.at("parameters/v").cast(FLOAT32); }, "of FLOAT32");
  expectRefusal([](Arrays& a) { a.at("training/progress").p<LongType>(0, -1); }, "contradict");
  std::ofstream(file) << "no archive";
  EXPECT_THROW(trainer.load(file.string()), std::runtime_error);
  std::filesystem::remove(file);
  EXPECT_THROW(trainer.load(file.string()), std::runtime_error);
  EXPECT_FALSE(trainer.resume(file.string()));
  EXPECT_EQ(trainer.steps(), 1);
}

TEST(Training, WhatIsNoTraining) {
  auto data = trainingData();
  NamedGraph m;
  addLoss(m, data);
  m.placeholder("x");
  m.variable("whole", NDArray('c', {2}, {1, 2}, INT32));
  const size_t nodes = m.graph.allNodes().size();
  const auto make = [&](const char* loss, std::vector<std::string> names, Updater updater = Sgd{},
                        TrainingOptions options = {}) {
    return [&m, loss, names, updater, options] { Trainer trainer(m.graph, loss, names, updater, options); };
  };
  expectMessage(make("adw2", {"w"}), "the loss 'adw2' has 6 elements instead of one");
  expectMessage(make("los", {"w"}), "there is no node or variable 'los'");
  expectMessage(make("loss", {"u"}), "there is no node or variable 'u'");
  expectMessage(make("loss", {"x"}), "'x' is no parameter: it is a placeholder");
  expectMessage(make("loss", {"half"}), "'half' is no parameter: it is a constant");
  expectMessage(make("loss", {"dw"}), "'dw' is no parameter: it is the result of a node");
  expectMessage(make("loss", {"whole"}), "'whole' is no parameter: its type is INT32");
  expectMessage(make("loss", {"w", "w"}), "parameter 'w' is given twice");
  expectMessage(make("sw", {"v"}), "'sw' does not depend on 'v'");
  expectMessage(make("loss", {}), "there are no parameters");
  expectMessage(make("loss", {"w"}, Adam{1e-3, 1.5}), "beta1 is 1.5");
  expectMessage(make("loss", {"w"}, Sgd{NAN}), "the learning rate nan is not finite");
  expectMessage(make("loss", {"w"}, Sgd{}, with([](TrainingOptions& o) { o.metrics = {"accuracy"}; })), "'accuracy'");
  expectMessage(make("loss", {"w"}, Sgd{}, with([](TrainingOptions& o) {
                       o.metrics = {"loss", "adw2"};
                     })),
                "metric 'adw2' has 6 elements instead of one");
  expectMessage(make("loss", {"w"}, Sgd{}, with([](TrainingOptions& o) { o.clip = Clipping::byNorm(0); })),
                "the limit of gradients is 0");
  expectMessage(make("loss", {"w"}, Sgd{}, with([](TrainingOptions& o) { o.accumulate = 0; })), "0 steps");
  expectMessage(make("loss", {"w"}, Sgd{}, with([](TrainingOptions& o) { o.decayed = {"v"}; })),
                "'v' shall be decayed");
  expectMessage(make("loss", {"w"}, Sgd{}, with([](TrainingOptions& o) { o.l2 = -1; })), "l2 is -1");
  EXPECT_EQ(m.graph.allNodes().size(), nodes) << "the graph is as before";
  Trainer trainer(m.graph, "loss", {"w"}, Sgd{});
  expectMessage([&] { trainer.step({{"z", numberArray(1, DOUBLE)}}); }, "there is no input 'z'");
}

TEST(Training, ALossThatIsNotFiniteStopsWhenThatIsWanted) {
  for (const bool stops : {true, false}) {
    NamedGraph m;
    m.placeholder("x", FLOAT32, {1});
    m.variable("w", numberArray(2, FLOAT32));
    m.call("product", "multiply", {"w", "x"});
    m.call("loss", "square", {"product"});
    TrainingOptions options;
    if (stops) options.nonFinite = NonFinite::Fail;
    Trainer trainer(m.graph, "loss", {"w"}, Adam{0.5}, options);
    const NDArray good('c', {1}, {1}, FLOAT32);
    EXPECT_EQ(trainer.step({{"x", good}}), 4);
    const double before = m.array("w")->e<double>(0);
    EXPECT_NE(before, 2);
    const NDArray bad('c', {1}, {std::numeric_limits<double>::infinity()}, FLOAT32);
    if (!stops) {
      EXPECT_TRUE(std::isinf(trainer.step({{"x", bad}})));
      EXPECT_TRUE(std::isnan(m.array("w")->e<double>(0)));
      continue;
    }
    expectMessage([&] { trainer.step({{"x", bad}}); }, "step 1: ");
    expectMessage([&] { trainer.step({{"x", bad}}); }, "the loss is infinite or NaN");
    EXPECT_EQ(m.array("w")->e<double>(0), before);
    EXPECT_EQ(trainer.steps(), 1);
    EXPECT_GT(trainer.step({{"x", good}}), 0);
    EXPECT_NE(m.array("w")->e<double>(0), before);
  }
}

TEST(Training, MetricsAreReturnedWithTheLoss) {
  NamedGraph m;
  m.placeholder("x", FLOAT32, {-1, 3});
  m.placeholder("labels", INT32, {-1});
  m.placeholder("rows", FLOAT32, {-1, 3});
  m.variable("scale", numberArray(1, FLOAT32));
  m.call("logits", "multiply", {"x", "scale"});
  m.call("squares", "square", {"logits"});
  m.call("loss", "reduce_mean", {"squares"});
  addAccuracy(m.graph, "logits", "labels");
  addAccuracy(m.graph, "logits", "rows", "row_accuracy");
  const size_t nodes = m.graph.allNodes().size();
  expectMessage([&] { addAccuracy(m.graph, "logits", "loss"); }, "'logits' has 2 dimensions, and 'loss' has 0");
  expectMessage([&] { addAccuracy(m.graph, "logits", "labels"); }, "the name 'accuracy' is taken");
  expectMessage([&] { addAccuracy(m.graph, "logits", "labels", "x"); }, "the name 'x' is taken");
  expectMessage([&] { addAccuracy(m.graph, "logits", "label"); }, "[training] there is no node or variable 'label'");
  EXPECT_EQ(m.graph.allNodes().size(), nodes);
  TrainingOptions options;
  options.metrics = {"accuracy", "row_accuracy"};
  Trainer trainer(m.graph, "loss", {"scale"}, Sgd{0.125}, options);
  const NDArray x('c', {4, 3}, {1, 2, 3, 3, 2, 1, 1, 3, 2, 5, 0, 4}, FLOAT32), labels('c', {4}, {2, 0, 2, 0}, INT32);
  const NDArray rows('c', {4, 3}, {0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 0, 0}, FLOAT32);
  EXPECT_NEAR(trainer.step({{"x", x}, {"labels", labels}, {"rows", rows}}), 83. / 12, 1e-6);
  EXPECT_EQ(trainer.metrics(), (std::vector<double>{0.75, 1}));
  RunningMean mean;
  EXPECT_TRUE(std::isnan(mean.value()));
  mean.add(0.75, 4);
  mean.add(0.25, 12);
  EXPECT_EQ(mean.value(), 0.375);
  EXPECT_EQ(mean.count(), 16);
}

TEST(Training, SeveralTrainersOfOneGraphHaveStatesOfTheirOwn) {
  auto data = trainingData();
  NamedGraph apart, together;
  addLoss(apart, data);
  addLoss(together, data);
  const auto without = std::vector<Feed>();
  Trainer lone(apart.graph, "loss", {"w"}, Adam{0.125});
  for (int step = 0; step < 3; step++) lone.step(without);
  Trainer first(together.graph, "loss", {"w"}, Adam{0.125}), second(together.graph, "loss", {"v"}, Adam{0.125});
  for (int step = 0; step < 3; step++) {
    first.step(without);
    second.step(without);
  }
  // The terms of w and v are apart, and so are their gradients.
  EXPECT_EQ(bytesOf(*together.array("w")), bytesOf(*apart.array("w")));
  Trainer again(together.graph, "loss", {"w"}, Adam{0.125});
  NDArray start = data.at("first/w").cast(DOUBLE);
  together.array("w")->assign(start);
  for (int step = 0; step < 3; step++) again.step(without);
  EXPECT_EQ(bytesOf(*together.array("w")), bytesOf(*apart.array("w"))) << "it begins with states of its own";
}

TEST(Training, ALaterStepAllocatesNothing) {
  // The gradients of these operations need no memory of their own.
  NamedGraph m;
  m.variable("w", NDArray('c', {3}, {1, 2, 3}, FLOAT32));
  m.call("w2", "square", {"w"});
  m.call("loss", "reduce_sum", {"w2"});
  TrainingOptions options;
  options.schedule = Schedule::cosine(0.125, 10);
  Trainer trainer(m.graph, "loss", {"w"}, Adam{}, options);
  const std::vector<const NDArray*> inputs;
  for (int step = 0; step < 3; step++) trainer.stepInOrder(inputs);
  const long long before = sd_test::allocationCount();
  for (int step = 0; step < 3; step++) trainer.stepInOrder(inputs);
  EXPECT_EQ(sd_test::allocationCount(), before);
  // Inputs may be given in their order.
  NamedGraph network;
  addNetwork(network);
  Trainer other(network.graph, "loss", {"w1"}, Sgd{});
  EXPECT_EQ(other.inputs(), (std::vector<std::string>{"x", "labels"}));
  const Batch b = batch(0);
  EXPECT_GT(other.stepInOrder({&b.x, &b.labels}), 0);
}

TEST(Training, CheckpointsHaveTheNamesOfSymbols) {
  Graph graph;
  NDArray start('c', {2}, {1, 2}, DOUBLE);
  const nd::Symbol w = graph.variable("w", start), v = graph.variable("", start);
  const nd::Symbol loss = graph.symbols().call("reduce_sum", {w * w * v});
  Trainer trainer(graph, loss, {w, v}, Sgd{}, {.l2 = 0.5, .decayed = {w}});
  EXPECT_EQ(9, trainer.step(std::vector<Feed>()));
  // w - 0.001 (2 w v + 0.5 w), v - 0.001 w^2
  EXPECT_NEAR(1 - 0.001 * 2.5, graph.array(w).e<double>(0), 1e-12);
  EXPECT_NEAR(2 - 0.001 * 4, graph.array(v).e<double>(1), 1e-12);
  const std::filesystem::path file = temporary("symbols.npz");
  trainer.save(file);
  const auto arrays = loadNpz(file);
  std::filesystem::remove(file);
  EXPECT_EQ(1u, arrays.count("parameters/w"));
  EXPECT_EQ(1u, arrays.count("parameters/" + v.key()));
}

#endif
