// The C functions for bindings of other languages: results of calls, memory, text, files, graphs, training.
#include <gtest/gtest.h>
#include <legacy/NativeOpsBindings.h>
#include <legacy/NativeOpsModels.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "layers_tests/NativeOpsSupport.h"

using native::takeError;
using native::Tensor;
using sd::LongType;
using sd::Status;

namespace {

using Set = std::unique_ptr<OpaqueVariablesSet, decltype(&deleteVariablesSet)>;
using Model = std::unique_ptr<OpaqueModel, decltype(&deleteModel)>;
using Session = std::unique_ptr<OpaqueSession, decltype(&deleteSession)>;
using Trainer = std::unique_ptr<OpaqueTrainer, decltype(&deleteTrainer)>;
using Call = std::unique_ptr<OpaqueContext, decltype(&deleteGraphContext)>;

class NativeOpsBindingsTests : public testing::Test {
 protected:
  void SetUp() override { lastErrorMessage(); }
  void TearDown() override { EXPECT_EQ(takeError(), ""); }

  static void expectError(const std::string& part) {
    const std::string message = takeError();
    EXPECT_NE(message.find(part), std::string::npos) << "'" << message << "' without '" << part << "'";
  }
  static std::string path(const std::string& name) {
    return (std::filesystem::temp_directory_path() / ("ndforge_bindings_" + name)).string();
  }
};

std::string taken(char* text) {
  const std::string copy = text == nullptr ? "(null)" : text;
  deleteCharArray(text);
  return copy;
}

float firstOf(OpaqueVariablesSet* set) { return *static_cast<float*>(getVariableBuffer(getVariable(set, 0))); }

/// y = x * w + b, loss = mean of (y - t)^2.
OpaqueModel* line() {
  OpaqueModel* model = createModel();
  const LongType any[] = {-1};
  const Tensor zero(sd::FLOAT32, {}, std::vector<float>{0});
  EXPECT_STREQ(addModelPlaceholder(model, "x", sd::FLOAT32, 1, any), "-1");
  addModelPlaceholder(model, "t", sd::FLOAT32, 1, any);
  addModelArray(model, "w", zero.data, zero.info, false);
  addModelArray(model, "b", zero.data, zero.info, false);
  const char* product[] = {"x", "w"};
  const std::string scaled = addModelCall(model, "multiply", nullptr, product, 2, nullptr);
  const char* sum[] = {scaled.c_str(), "b"};
  addModelCall(model, "add", "y", sum, 2, nullptr);
  const char* difference[] = {"y", "t"};
  const std::string error = addModelCall(model, "squaredsubtract", nullptr, difference, 2, nullptr);
  const char* all[] = {error.c_str()};
  addModelCall(model, "reduce_mean", "loss", all, 1, nullptr);
  return model;
}

}  // namespace

TEST_F(NativeOpsBindingsTests, MadeOutputsOutliveTheContext) {
  const Tensor x(sd::FLOAT32, {2, 2}, std::vector<float>{1, 2, 3, 4});
  Call call(createGraphContext(1), deleteGraphContext);
  setGraphContextInputBuffer(call.get(), 0, x.data, const_cast<LongType*>(x.info), nullptr);
  const LongType axis = 0;
  setGraphContextArgumentIntegers(call.get(), "axis", &axis, 1);
  EXPECT_EQ(getGraphContextOutputCount(call.get()), 0);
  ASSERT_EQ(execCustomOp2(nullptr, opHash("reduce_sum"), call.get()), Status::OK);
  ASSERT_EQ(getGraphContextOutputCount(call.get()), 1);
  const LongType* info = nullptr;
  OpaqueDataBuffer* sums = getGraphContextOutput(call.get(), 0, &info);
  ASSERT_NE(sums, nullptr);
  EXPECT_EQ(getGraphContextOutput(call.get(), 1, &info), nullptr);
  expectError("there is no output 1, the context has 1");
  EXPECT_EQ(getGraphContextOutput(call.get(), -1, &info), nullptr);
  expectError("there is no output -1");
  EXPECT_EQ(getGraphContextOutput(nullptr, 0, &info), nullptr);
  expectError("null");
  EXPECT_EQ(getGraphContextOutput(call.get(), 0, nullptr), nullptr);
  expectError("'shapeInfo' is null");
  call.reset();
  EXPECT_EQ(shape::length(info), 2);
  EXPECT_EQ(static_cast<float*>(dbPrimaryBuffer(sums))[0], 4);
  EXPECT_EQ(static_cast<float*>(dbPrimaryBuffer(sums))[1], 6);
  deleteDataBuffer(sums);
}

TEST_F(NativeOpsBindingsTests, OffsetsCountFromTheStartOfTheMemory) {
  const Tensor x(sd::FLOAT32, {4});
  EXPECT_EQ(dbOffset(x.data), 0);
  OpaqueDataBuffer* part = dbCreateView(x.data, 8, 4);
  EXPECT_EQ(dbOffset(part), 4);
  deleteDataBuffer(part);
  EXPECT_EQ(dbOffset(nullptr), 0);
  expectError("null");
}

TEST_F(NativeOpsBindingsTests, MemoryIsCountedAndLimited) {
  const LongType before = allocatedMemory(), limit = memoryLimit();
  OpaqueDataBuffer* buffer = allocateDataBuffer(1 << 20, sd::FLOAT32, false);
  EXPECT_EQ(allocatedMemory() - before, 4 << 20);
  setMemoryLimit(allocatedMemory() + (1 << 20));
  EXPECT_EQ(allocateDataBuffer(1 << 20, sd::FLOAT32, false), nullptr);
  EXPECT_TRUE(lastErrorIsMemory());
  expectError("limit");
  // An operation that makes an output.
  Call call(createGraphContext(1), deleteGraphContext);
  const Tensor small(sd::FLOAT32, {1});
  const LongType size[] = {1 << 20};
  const LongType strides[] = {1};
  auto* constant =
      shapeBuffer(1, const_cast<LongType*>(size), const_cast<LongType*>(strides), sd::FLOAT32, 'c', 1, false);
  void* info = getConstantShapeBufferPrimary(constant);
  setGraphContextInputBuffer(call.get(), 0, buffer, info, nullptr);
  EXPECT_EQ(execCustomOp2(nullptr, opHash("tanh"), call.get()), Status::VALIDATION);
  EXPECT_TRUE(lastErrorIsMemory());
  expectError("tanh");
  setMemoryLimit(-1);
  EXPECT_FALSE(lastErrorIsMemory());
  expectError("negative");
  setMemoryLimit(0);
  EXPECT_EQ(memoryLimit(), 0);
  EXPECT_EQ(execCustomOp2(nullptr, opHash("tanh"), call.get()), Status::OK);
  setMemoryLimit(limit);
  call.reset();
  deleteConstantShapeBuffer(constant);
  deleteDataBuffer(buffer);
}

TEST_F(NativeOpsBindingsTests, ArraysAsText) {
  const Tensor x(sd::FLOAT32, {2, 2}, std::vector<float>{1, 2, 3, 4});
  EXPECT_EQ(taken(arrayText(x.data, x.info, -1)), "[[1.000000, 2.000000],\n [3.000000, 4.000000]]");
  EXPECT_EQ(taken(arrayText(x.data, x.info, 1)), "[[1.000000]]");
  const Tensor counts(sd::INT64, {3}, std::vector<LongType>{1, 2, 3});
  EXPECT_EQ(taken(arrayText(counts.data, counts.info, -1)), "[1, 2, 3]");
  EXPECT_EQ(arrayText(nullptr, x.info, -1), nullptr);
  expectError("buffer");
  EXPECT_EQ(arrayText(x.data, nullptr, -1), nullptr);
  expectError("null");
}

TEST_F(NativeOpsBindingsTests, StringsGoBothWays) {
  const char* texts[] = {"one", "", "gr\xc3\xb6\xc3\x9f"};
  const LongType lengths[] = {3, 0, 6};
  const LongType* info = nullptr;
  OpaqueDataBuffer* strings = stringArray(texts, lengths, 3, &info);
  ASSERT_NE(strings, nullptr);
  LongType* sizes = nullptr;
  char* all = arrayStrings(strings, info, &sizes);
  ASSERT_NE(all, nullptr);
  EXPECT_EQ(std::vector<LongType>(sizes, sizes + 3), (std::vector<LongType>{3, 0, 6}));
  EXPECT_EQ(taken(all), "onegr\xc3\xb6\xc3\x9f");
  deleteLongArray(sizes);
  deleteDataBuffer(strings);
  const Tensor x(sd::FLOAT32, {1});
  EXPECT_EQ(arrayStrings(x.data, x.info, &sizes), nullptr);
  expectError("no strings");
  const LongType wrong[] = {-1};
  EXPECT_EQ(stringArray(texts, wrong, 1, &info), nullptr);
  expectError("negative");
  EXPECT_EQ(stringArray(nullptr, lengths, 1, &info), nullptr);
  expectError("null");
}

TEST_F(NativeOpsBindingsTests, FilesOfArrays) {
  const Tensor x(sd::FLOAT32, {2}, std::vector<float>{1, 2}), y(sd::INT64, {1}, std::vector<LongType>{7});
  const char* keys[] = {"x", "y"};
  OpaqueDataBuffer* buffers[] = {x.data, y.data};
  const LongType* shapes[] = {x.info, y.info};
  const std::string npz = path("arrays.npz"), npy = path("array.npy");
  ASSERT_EQ(saveArrays(npz.c_str(), keys, buffers, shapes, 2), Status::OK);
  Set all(loadArrays(npz.c_str()), deleteVariablesSet);
  ASSERT_EQ(getVariablesSetSize(all.get()), 2);
  EXPECT_STREQ(getVariableName(getVariable(all.get(), 1)), "y");
  OpaqueDataBuffer* kept = getVariableDataBuffer(getVariable(all.get(), 1));
  all.reset();
  EXPECT_EQ(*static_cast<LongType*>(dbPrimaryBuffer(kept)), 7);
  deleteDataBuffer(kept);
  const char* none[] = {""};
  ASSERT_EQ(saveArrays(npy.c_str(), none, buffers, shapes, 1), Status::OK);
  Set one(loadArrays(npy.c_str()), deleteVariablesSet);
  EXPECT_EQ(firstOf(one.get()), 1);
  const char* twice[] = {"x", "x"};
  EXPECT_EQ(saveArrays(npz.c_str(), twice, buffers, shapes, 2), Status::BAD_INPUT);
  expectError("'x' occurs twice");
  EXPECT_EQ(loadArrays(path("none.npz").c_str()), nullptr);
  expectError("none.npz");
  EXPECT_EQ(getVariableDataBuffer(nullptr), nullptr);
  expectError("null");
  std::filesystem::remove(npz);
  std::filesystem::remove(npy);
}

TEST_F(NativeOpsBindingsTests, SessionsRunModels) {
  Model model(line(), deleteModel);
  const char* results[] = {"y"};
  Session session(createSession(model.get(), results, 1), deleteSession);
  ASSERT_NE(session, nullptr);
  ASSERT_EQ(getSessionResultCount(session.get()), 1);
  EXPECT_STREQ(getSessionResult(session.get(), 0), "y");
  ASSERT_EQ(getSessionInputCount(session.get()), 2);
  EXPECT_STREQ(getSessionInput(session.get(), 0), "x");
  EXPECT_EQ(getSessionInput(session.get(), 2), nullptr);
  expectError("2 is outside 0..1");
  const Tensor x(sd::FLOAT32, {3}, std::vector<float>{1, 2, 3});
  const char* keys[] = {"x", "t"};
  OpaqueDataBuffer* buffers[] = {x.data, x.data};
  const LongType* shapes[] = {x.info, x.info};
  const char* wrong[] = {"x", "u"};
  EXPECT_EQ(runSession(session.get(), wrong, buffers, shapes, 2, 0), nullptr);
  expectError("u");
  EXPECT_EQ(runSession(nullptr, keys, buffers, shapes, 2, 0), nullptr);
  expectError("null");
  Set set(runSession(session.get(), keys, buffers, shapes, 2, 0), deleteVariablesSet);
  ASSERT_NE(set, nullptr);
  EXPECT_STREQ(getVariableName(getVariable(set.get(), 0)), "y");
  EXPECT_EQ(firstOf(set.get()), 0);
  const char* parameters[] = {"w"};
  const std::string gradient = addModelGradients(model.get(), "loss", parameters, 1);
  EXPECT_EQ(runSession(session.get(), keys, buffers, shapes, 2, 0), nullptr);
  expectError("since the session was made");
  // d loss / d w = mean of 2 (w x + b - t) x at w = b = 0 with t = x: -2 (1 + 4 + 9) / 3.
  const char* gradients[] = {gradient.c_str()};
  session.reset(createSession(model.get(), gradients, 1));
  model.reset();
  set.reset(runSession(session.get(), keys, buffers, shapes, 2, 0));
  EXPECT_FLOAT_EQ(firstOf(set.get()), -28.f / 3);
}

TEST_F(NativeOpsBindingsTests, CallsThatDoNotFitLeaveTheModelAsItWas) {
  Model model(line(), deleteModel);
  const std::string before = taken(modelText(model.get()));
  const char* inputs[] = {"x", "nothing"};
  EXPECT_EQ(addModelCall(model.get(), "add", nullptr, inputs, 2, nullptr), nullptr);
  expectError("'nothing'");
  EXPECT_EQ(addModelCall(model.get(), "no_operation", nullptr, inputs, 1, nullptr), nullptr);
  expectError("no_operation");
  const char* one[] = {"x"};
  const LongType axis = 3;
  Call call(createGraphContext(1), deleteGraphContext);
  setGraphContextArgumentIntegers(call.get(), "axis", &axis, 1);
  EXPECT_EQ(addModelCall(model.get(), "reduce_sum", nullptr, one, 1, call.get()), nullptr);
  expectError("axis");
  const LongType sizes[] = {-1};
  EXPECT_EQ(addModelPlaceholder(model.get(), "x", sd::FLOAT32, 1, sizes), nullptr);
  expectError("x");
  EXPECT_EQ(addModelPlaceholder(model.get(), "new", 999, 1, sizes), nullptr);
  expectError("element type");
  EXPECT_EQ(addModelPlaceholder(model.get(), "new", sd::FLOAT32, 99, sizes), nullptr);
  expectError("rank");
  const char* unknown[] = {"unknown"};
  EXPECT_EQ(addModelGradients(model.get(), "loss", unknown, 1), nullptr);
  expectError("unknown");
  EXPECT_EQ(getModelArray(model.get(), "y"), nullptr);
  EXPECT_NE(takeError(), "");
  EXPECT_EQ(taken(modelText(model.get())), before);
  EXPECT_EQ(loadModel(path("none.fb").c_str()), nullptr);
  expectError("none.fb");
  EXPECT_EQ(loadModelFromBytes("12345678", 8), nullptr);
  EXPECT_NE(takeError(), "");
  EXPECT_EQ(saveModel(nullptr, "file"), Status::BAD_INPUT);
  expectError("null");
}

TEST_F(NativeOpsBindingsTests, TrainersFindTheLine) {
  Model model(line(), deleteModel);
  const Tensor x(sd::FLOAT32, {3}, std::vector<float>{-1, 0, 1}), t(sd::FLOAT32, {3}, std::vector<float>{-1, 1, 3});
  const char* keys[] = {"x", "t"};
  OpaqueDataBuffer* buffers[] = {x.data, t.data};
  const LongType* shapes[] = {x.info, t.info};
  const char* parameters[] = {"w", "b"};
  const char* options[] = {"learning_rate"};
  const double rate[] = {0.3};
  EXPECT_EQ(createTrainer(model.get(), "loss", parameters, 2, "none", options, rate, 1), nullptr);
  expectError("no updater 'none'");
  const char* wrong[] = {"beta1"};
  EXPECT_EQ(createTrainer(model.get(), "loss", parameters, 2, "sgd", wrong, rate, 1), nullptr);
  expectError("no option 'beta1'");
  const char* accumulate[] = {"accumulate"};
  EXPECT_EQ(createTrainer(model.get(), "loss", parameters, 2, "sgd", accumulate, rate, 1), nullptr);
  expectError("0.3 is no possible 'accumulate'");
  const char* clips[] = {"clip_value", "clip_norm"};
  const double limits[] = {1, 1};
  EXPECT_EQ(createTrainer(model.get(), "loss", parameters, 2, "sgd", clips, limits, 2), nullptr);
  expectError("'clip_norm' is the second");
  Trainer trainer(createTrainer(model.get(), "loss", parameters, 2, "sgd", options, rate, 1), deleteTrainer);
  ASSERT_NE(trainer, nullptr) << takeError();
  EXPECT_NEAR(trainerStep(trainer.get(), keys, buffers, shapes, 2), 11. / 3, 1e-6);
  EXPECT_TRUE(std::isnan(trainerStep(trainer.get(), keys, buffers, shapes, 1)));
  expectError("t");
  const std::string checkpoint = path("checkpoint.npz"), file = path("line.fb");
  ASSERT_EQ(saveTrainer(trainer.get(), checkpoint.c_str()), Status::OK);
  const double second = trainerStep(trainer.get(), keys, buffers, shapes, 2);
  ASSERT_EQ(loadTrainer(trainer.get(), checkpoint.c_str()), Status::OK);
  EXPECT_EQ(getTrainerSteps(trainer.get()), 1);
  EXPECT_EQ(trainerStep(trainer.get(), keys, buffers, shapes, 2), second);
  for (int i = 0; i < 200; i++) trainerStep(trainer.get(), keys, buffers, shapes, 2);
  ASSERT_EQ(saveTrainedModel(trainer.get(), file.c_str()), Status::OK);
  Set w(getModelArray(model.get(), "w"), deleteVariablesSet);
  EXPECT_NEAR(firstOf(w.get()), 2, 1e-5);
  Model trained(loadModel(file.c_str()), deleteModel);
  Set b(getModelArray(trained.get(), "b"), deleteVariablesSet);
  EXPECT_NEAR(firstOf(b.get()), 1, 1e-5);
  EXPECT_EQ(loadTrainer(trainer.get(), path("none.npz").c_str()), Status::BAD_INPUT);
  expectError("none.npz");
  EXPECT_EQ(getTrainerSteps(nullptr), -1);
  expectError("null");
  std::filesystem::remove(checkpoint);
  std::filesystem::remove(file);
}

TEST_F(NativeOpsBindingsTests, ThreadsRunOneSession) {
  Model model(line(), deleteModel);
  const char* results[] = {"y"};
  Session session(createSession(model.get(), results, 1), deleteSession);
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; k++)
    threads.emplace_back([&] {
      const Tensor x(sd::FLOAT32, {3}, std::vector<float>{1, 2, 3});
      const char* keys[] = {"x", "t"};
      OpaqueDataBuffer* buffers[] = {x.data, x.data};
      const LongType* shapes[] = {x.info, x.info};
      for (int i = 0; i < 50; i++) {
        const Set set(runSession(session.get(), keys, buffers, shapes, 2, 0), deleteVariablesSet);
        EXPECT_EQ(firstOf(set.get()), 0);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_F(NativeOpsBindingsTests, BooleanOperationsMakeTheirOutput) {
  const Tensor x(sd::FLOAT32, {3}, std::vector<float>{1, 2, 3}), y(sd::FLOAT32, {3}, std::vector<float>{3, 2, 1});
  for (const Tensor* array : {&x, &y}) {
    Call call(createGraphContext(1), deleteGraphContext);
    setGraphContextInputBuffer(call.get(), 0, array->data, const_cast<LongType*>(array->info), nullptr);
    ASSERT_EQ(execCustomOp2(nullptr, opHash("is_non_decreasing"), call.get()), Status::OK);
    const LongType* info = nullptr;
    OpaqueDataBuffer* answer = getGraphContextOutput(call.get(), 0, &info);
    ASSERT_NE(answer, nullptr);
    EXPECT_EQ(shapeInfoDataType(info), sd::BOOL);
    EXPECT_EQ(*static_cast<bool*>(dbPrimaryBuffer(answer)), array == &x);
    deleteDataBuffer(answer);
  }
}

TEST_F(NativeOpsBindingsTests, ListsWithoutVariablesLeaveNothingBehind) {
  const Tensor x(sd::FLOAT32, {2, 3}), indices(sd::INT32, {2}, std::vector<int>{0, 1});
  const LongType before = allocatedMemory();
  Call call(createGraphContext(1), deleteGraphContext);
  setGraphContextInputBuffer(call.get(), 0, x.data, const_cast<LongType*>(x.info), nullptr);
  setGraphContextInputBuffer(call.get(), 1, indices.data, const_cast<LongType*>(indices.info), nullptr);
  EXPECT_EQ(execCustomOp2(nullptr, opHash("scatter_list"), call.get()), Status::VALIDATION);
  expectError("no variable space");
  call.reset();
  EXPECT_EQ(allocatedMemory(), before);
}
