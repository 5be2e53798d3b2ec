// Variables, configurations, requests and results in FlatBuffers, and a file that another program wrote.
#include <array/NDArrayList.h>
#include <graph/ExecutionResult.h>
#include <graph/ExecutorConfiguration.h>
#include <graph/FlatUtils.h>
#include <graph/InferenceRequest.h>
#include <graph/ResultWrapper.h>
#include <graph/generated/graph_generated.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "NDArrayHelpers.h"
#include "TestDataPath.h"

using namespace sd;
using namespace sd::graph;
using nd_test::expectArray;
using nd_test::messageOf;

namespace {

using flatbuffers::FlatBufferBuilder;

NDArray* numbers(DataType type = FLOAT32) { return new NDArray('f', {2, 3}, {1, 2, 3, 4, 5, 6}, type); }

const FlatVariable* written(FlatBufferBuilder& builder, const Variable& variable) {
  builder.Finish(variable.asFlatVariable(builder));
  flatbuffers::Verifier verifier(builder.GetBufferPointer(), builder.GetSize());
  EXPECT_TRUE(VerifyFlatVariableBuffer(verifier));
  return GetFlatVariable(builder.GetBufferPointer());
}

std::string fileBytes(const std::string& name) {
  std::ifstream file(std::string(NDFORGE_TEST_DATA) + "/graphs/" + name, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

TEST(FlatVariablesTests, AnArrayComesBack) {
  FlatBufferBuilder builder;
  const Variable variable(numbers(), "alpha", -7, 2);
  const FlatVariable* flat = written(builder, variable);
  EXPECT_EQ(VarType_VARIABLE, flat->variabletype());
  EXPECT_EQ(DType_FLOAT, flat->dtype());
  EXPECT_EQ(nullptr, flat->shape());
  const Variable back(flat);
  EXPECT_EQ(-7, back.id());
  EXPECT_EQ(2, back.index());
  EXPECT_EQ("alpha", *back.getName());
  EXPECT_EQ(VariableType::NDARRAY, back.variableType());
  EXPECT_TRUE(back.isExternal() && back.isRemovable());
  EXPECT_FALSE(back.isReadOnly() || back.isPlaceholder());
  EXPECT_TRUE(back.getNDArray()->isSameShapeStrict(*variable.getNDArray()));
  EXPECT_EQ(variable.getNDArray()->asByteVector(), back.getNDArray()->asByteVector());
}

TEST(FlatVariablesTests, TypesComeBack) {
  FlatBufferBuilder constants, placeholders, filled, unnamed, scalars;
  Variable constant(numbers(), "c", -1);
  constant.setVariableType(VariableType::CONSTANT);
  EXPECT_EQ(VarType_CONSTANT, written(constants, constant)->variabletype());
  const Variable constantBack(GetFlatVariable(constants.GetBufferPointer()));
  EXPECT_EQ(VariableType::CONSTANT, constantBack.variableType());
  EXPECT_TRUE(constantBack.hasNDArray());

  Variable placeholder(true);
  placeholder.setId(-2);
  placeholder.shape() = {-1, 3};
  placeholder.setDataType(INT16);
  const FlatVariable* flat = written(placeholders, placeholder);
  EXPECT_EQ(VarType_PLACEHOLDER, flat->variabletype());
  EXPECT_EQ(DType_INT16, flat->dtype());
  EXPECT_EQ(nullptr, flat->ndarray());
  EXPECT_EQ(nullptr, flat->name());
  const Variable placeholderBack(flat);
  EXPECT_EQ(VariableType::PLACEHOLDER, placeholderBack.variableType());
  EXPECT_TRUE(placeholderBack.isPlaceholder() && !placeholderBack.hasNDArray());
  EXPECT_EQ((std::vector<LongType>{-1, 3}), placeholderBack.shape());
  EXPECT_EQ(INT16, placeholderBack.dataType());
  EXPECT_EQ("", *placeholderBack.getName());
  const std::unique_ptr<Variable> twin(placeholderBack.clone());
  EXPECT_EQ(INT16, twin->dataType());

  placeholder.setNDArray(numbers());
  const Variable filledBack(written(filled, placeholder));
  EXPECT_TRUE(filledBack.isPlaceholder());
  EXPECT_EQ(VariableType::NDARRAY, filledBack.variableType());
  EXPECT_EQ((std::vector<LongType>{-1, 3}), filledBack.shape());
  expectArray(*filledBack.getNDArray(), {2, 3}, {1, 3, 5, 2, 4, 6});
  EXPECT_EQ(FLOAT32, filledBack.dataType());

  // A variable that has no array yet, and a placeholder of rank 0.
  const Variable empty(written(unnamed, Variable(nullptr, "later", 4, 1)));
  EXPECT_FALSE(empty.hasNDArray());
  EXPECT_EQ(VariableType::NDARRAY, empty.variableType());
  EXPECT_EQ(4, empty.id());
  const Variable scalar(written(scalars, Variable(true)));
  EXPECT_TRUE(scalar.isPlaceholder() && scalar.shape().empty());
}

TEST(FlatVariablesTests, TypesThatLackSomethingAreRefused) {
  struct Parts {
    VarType type = VarType_VARIABLE;
    bool id = true, shape = false, array = false;
    DType dtype = DType_FLOAT;
    unsigned rank = 2;
    int64_t dim = 3, rankOfArray = 2;
  };
  const auto make = [](const Parts& parts) {
    FlatBufferBuilder builder;
    flatbuffers::Offset<IntPair> id;
    if (parts.id) id = CreateIntPair(builder, -5, 1);
    const auto name = builder.CreateString("beta");
    flatbuffers::Offset<flatbuffers::Vector<int64_t>> shape;
    if (parts.shape) shape = builder.CreateVector(std::vector<int64_t>(parts.rank, parts.dim));
    flatbuffers::Offset<FlatArray> array;
    if (parts.array) {
      const auto slots = builder.CreateVector(std::vector<int64_t>{parts.rankOfArray, 1, 2, 2, 1, 8192, 1, 'c'});
      array = CreateFlatArray(builder, slots, builder.CreateVector(std::vector<int8_t>(8)), DType_FLOAT);
    }
    builder.Finish(CreateFlatVariable(builder, id, name, parts.dtype, shape, array, 0, parts.type));
    Variable read(GetFlatVariable(builder.GetBufferPointer()));
  };
  const std::string start = "[Variable] variable (-5, 1) 'beta' of the file: ";
  const struct {
    Parts parts;
    std::string message;  // empty: accepted
  } cases[] = {
      {{VarType_VARIABLE}, ""},
      {{VarType_ARRAY}, ""},
      {{VarType_ARRAY, true, false, true}, ""},
      {{VarType_CONSTANT, true, false, true}, ""},
      {{VarType_PLACEHOLDER, true, true}, ""},
      {{VarType_PLACEHOLDER, true, false, true}, ""},
      {{VarType_VARIABLE, false}, "[Variable] variable 'beta' of the file has no number"},
      {{VarType_CONSTANT, true, true}, start + "a constant needs an array"},
      {{VarType_PLACEHOLDER}, start + "a placeholder needs a shape or an array"},
      {{static_cast<VarType>(4)}, start + "there is no type of variables 4"},
      {{static_cast<VarType>(-1)}, start + "there is no type of variables -1"},
      {{VarType_VARIABLE, true, false, false, static_cast<DType>(99)},
       start + "type 99 is not an element type of arrays"},
      {{VarType_PLACEHOLDER, true, true, false, DType_FLOAT, 2, -2},
       start + "the shape [-2, -2] has a dimension below -1"},
      {{VarType_PLACEHOLDER, true, true, false, DType_FLOAT, 33}, start + "rank 33 is outside 0..32"},
      {{VarType_VARIABLE, true, false, true, DType_FLOAT, 0, 0, 3},
       start + "[FlatUtils::fromFlatArray] the shape has 8 values; rank 3 needs 10"},
  };
  for (const auto& c : cases) {
    if (c.message.empty())
      EXPECT_NO_THROW(make(c.parts)) << &c - cases;
    else
      EXPECT_EQ(c.message, messageOf<std::runtime_error>([&] { make(c.parts); }));
  }
  EXPECT_EQ("[Variable] the variable of the file is null",
            messageOf<std::runtime_error>([] { Variable(static_cast<const FlatVariable*>(nullptr)); }));
}

TEST(FlatVariablesTests, ListsAndConstantsWithoutArraysAreNotWritten) {
  FlatBufferBuilder builder;
  NDArrayList list(2);
  Variable variable(nullptr, "list", 3, 1);
  variable.setNDArrayList(&list);
  EXPECT_EQ("[Variable::asFlatVariable] variable (3, 1) 'list' holds a list, which cannot be written",
            messageOf<std::runtime_error>([&] { variable.asFlatVariable(builder); }));
  Variable constant(nullptr, "c", -3);
  constant.setVariableType(VariableType::CONSTANT);
  EXPECT_EQ("[Variable::asFlatVariable] constant (-3, 0) 'c' has no array",
            messageOf<std::runtime_error>([&] { constant.asFlatVariable(builder); }));
}

// A changed byte gives a buffer that the verifier refuses, or a variable that is refused, or one that can be read.
TEST(FlatVariablesTests, ChangedBytesAreReadOrRefused) {
  std::mt19937 random(20260724);
  int read = 0, refused = 0, unverified = 0;
  for (DataType type : {FLOAT32, BOOL, UTF8, UTF16}) {
    FlatBufferBuilder builder;
    Variable variable(
        DataTypeUtils::isS(type) ? new NDArray({3}, std::vector<std::string>{"alpha", "", "x"}, type) : numbers(type),
        "alpha", -7, 2);
    variable.shape() = {-1, 3};
    written(builder, variable);
    const std::vector<uint8_t> bytes(builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize());
    for (int i = 0; i < 2500; i++) {
      auto changed = bytes;
      for (unsigned k = 0; k <= random() % 3; k++)
        changed[random() % changed.size()] = static_cast<uint8_t>(random() % 4 == 0 ? 0xFF : random());
      if (random() % 8 == 0) changed.resize(random() % changed.size());
      flatbuffers::Verifier verifier(changed.data(), changed.size());
      if (!VerifyFlatVariableBuffer(verifier)) {
        unverified++;
        continue;
      }
      try {
        const Variable back(GetFlatVariable(changed.data()));
        if (back.hasNDArray()) {
          EXPECT_LE(back.getNDArray()->asByteVector().size(), changed.size());
        }
        read++;
      } catch (const std::runtime_error&) {
        refused++;
      }
    }
  }
  EXPECT_GT(read, 1000);
  EXPECT_GT(refused, 1000);
  EXPECT_GT(unverified, 1000);
}

TEST(FlatVariablesTests, Configurations) {
  const ExecutorConfiguration plain;
  EXPECT_EQ(OutputMode_IMPLICIT, plain._outputMode);
  EXPECT_EQ(ExecutionMode_SEQUENTIAL, plain._executionMode);
  EXPECT_EQ(ProfilingMode_NONE, plain._profilingMode);
  EXPECT_EQ(Direction_FORWARD_ONLY, plain._direction);
  EXPECT_FALSE(plain._timestats);
  EXPECT_EQ(0, plain._footprintForward + plain._footprintBackward);

  ExecutorConfiguration other;
  other._outputMode = OutputMode_VARIABLE_SPACE;
  other._executionMode = ExecutionMode_AUTO;
  other._profilingMode = ProfilingMode_INF_PANIC;
  other._direction = Direction_BACKWARD_ONLY;
  other._timestats = true;
  other._footprintForward = LongType(1) << 40;
  other._footprintBackward = 5;
  FlatBufferBuilder builder;
  const std::unique_ptr<ExecutorConfiguration> twin(other.clone());
  builder.Finish(twin->asFlatConfiguration(builder));
  const ExecutorConfiguration back(GetFlatConfiguration(builder.GetBufferPointer()));
  EXPECT_EQ(OutputMode_VARIABLE_SPACE, back._outputMode);
  EXPECT_EQ(ExecutionMode_AUTO, back._executionMode);
  EXPECT_EQ(ProfilingMode_INF_PANIC, back._profilingMode);
  EXPECT_EQ(Direction_BACKWARD_ONLY, back._direction);
  EXPECT_TRUE(back._timestats);
  EXPECT_EQ(LongType(1) << 40, back._footprintForward);
  EXPECT_EQ(5, back._footprintBackward);

  const struct {
    int execution, profiling, output, direction;
    const char* message;
  } cases[] = {{3, 0, 0, 0, "[ExecutorConfiguration] there is no execution mode 3"},
               {0, 4, 0, 0, "[ExecutorConfiguration] there is no profiling mode 4"},
               {0, 0, 5, 0, "[ExecutorConfiguration] there is no output mode 5"},
               {0, 0, -1, 0, "[ExecutorConfiguration] there is no output mode -1"},
               {0, 0, 0, 3, "[ExecutorConfiguration] there is no direction 3"}};
  for (const auto& c : cases) {
    FlatBufferBuilder wrong;
    wrong.Finish(CreateFlatConfiguration(wrong, 0, static_cast<ExecutionMode>(c.execution),
                                         static_cast<ProfilingMode>(c.profiling), static_cast<OutputMode>(c.output),
                                         false, 0, 0, static_cast<Direction>(c.direction)));
    EXPECT_EQ(c.message, messageOf<std::runtime_error>(
                             [&] { ExecutorConfiguration read(GetFlatConfiguration(wrong.GetBufferPointer())); }));
  }
}

TEST(FlatVariablesTests, Requests) {
  const std::unique_ptr<NDArray> array(numbers());
  Variable own(numbers(DOUBLE), "own", -9);
  ExecutorConfiguration configuration;
  configuration._outputMode = OutputMode_EXPLICIT;
  std::string name("named");
  FlatBufferBuilder builder;
  {
    InferenceRequest request(119, &configuration);
    request.appendVariable(-1, array.get());
    request.appendVariable(-2, 3, array.get());
    request.appendVariable(name, array.get());
    request.appendVariable(name, -4, 1, array.get());
    request.appendVariable(&own);
    builder.Finish(request.asFlatInferenceRequest(builder));
    EXPECT_EQ("[InferenceRequest] the array of variable (-1, 0) '' is null",
              messageOf<std::runtime_error>([&] { request.appendVariable(-1, nullptr); }));
    EXPECT_THROW(request.appendVariable(static_cast<Variable*>(nullptr)), std::runtime_error);
  }
  // The request is gone, the arrays are not.
  expectArray(*array, {2, 3}, {1, 3, 5, 2, 4, 6});
  EXPECT_TRUE(own.isRemovable());

  flatbuffers::Verifier verifier(builder.GetBufferPointer(), builder.GetSize());
  ASSERT_TRUE(VerifyFlatInferenceRequestBuffer(verifier));
  const FlatInferenceRequest* flat = GetFlatInferenceRequest(builder.GetBufferPointer());
  EXPECT_EQ(119, flat->id());
  EXPECT_EQ(OutputMode_EXPLICIT, flat->configuration()->outputMode());
  const struct {
    int id, index;
    const char* name;
  } expected[] = {{-1, 0, ""}, {-2, 3, ""}, {0, 0, "named"}, {-4, 1, "named"}, {-9, 0, "own"}};
  ASSERT_EQ(std::size(expected), flat->variables()->size());
  for (flatbuffers::uoffset_t i = 0; i < flat->variables()->size(); i++) {
    const Variable variable(flat->variables()->Get(i));
    EXPECT_EQ(expected[i].id, variable.id());
    EXPECT_EQ(expected[i].index, variable.index());
    EXPECT_EQ(expected[i].name, *variable.getName());
    expectArray(*variable.getNDArray(), {2, 3}, {1, 3, 5, 2, 4, 6});
  }

  FlatBufferBuilder empty;
  empty.Finish(InferenceRequest(1).asFlatInferenceRequest(empty));
  EXPECT_EQ(nullptr, GetFlatInferenceRequest(empty.GetBufferPointer())->configuration());
  EXPECT_EQ(0u, GetFlatInferenceRequest(empty.GetBufferPointer())->variables()->size());
}

TEST(FlatVariablesTests, Results) {
  Variable first(numbers(), "alpha", 1), second(numbers(), "beta", 1, 1), third(numbers(), nullptr, 3);
  ExecutionResult result({&first, &second});
  result.emplace_back(&third);
  FlatBufferBuilder builder;
  builder.Finish(result.asFlatResult(builder));
  flatbuffers::Verifier verifier(builder.GetBufferPointer(), builder.GetSize());
  ASSERT_TRUE(VerifyFlatResultBuffer(verifier));
  const ExecutionResult back(GetFlatResult(builder.GetBufferPointer()));

  for (const ExecutionResult* each : {static_cast<const ExecutionResult*>(&result), &back}) {
    ASSERT_EQ(3, each->size());
    std::pair<int, int> pair(1, 1);
    std::string name("alpha");
    EXPECT_EQ(each->at(0), each->byId(1));
    EXPECT_EQ(each->at(0), each->byId(name));
    EXPECT_EQ(each->at(1), each->byId(pair));
    EXPECT_EQ(each->at(1), each->byId("beta"));
    EXPECT_EQ(each->at(2), each->byId(3));
    expectArray(*each->byId("beta")->getNDArray(), {2, 3}, {1, 3, 5, 2, 4, 6});
    const std::pair<std::function<void()>, const char*> wrong[] = {
        {[&] { each->at(3); }, "[ExecutionResult::at] position 3 is outside 0..2"},
        {[&] { each->at(-1); }, "[ExecutionResult::at] position -1 is outside 0..2"},
        {[&] { each->byId(2); }, "[ExecutionResult::byId] there is no variable (2, 0)"},
        {[&] { each->byId("gamma"); }, "[ExecutionResult::byId] there is no variable 'gamma'"},
        {[&] { each->byId(""); }, "[ExecutionResult::byId] there is no variable ''"},
        {[&] { each->byId(static_cast<const char*>(nullptr)); }, "[ExecutionResult::byId] the name is null"}};
    for (const auto& [call, message] : wrong) EXPECT_EQ(message, messageOf<std::runtime_error>(call));
  }
  EXPECT_EQ(&third, result.byId(3));
  EXPECT_NE(&third, back.byId(3));

  EXPECT_EQ(0, ExecutionResult().size());
  FlatBufferBuilder empty;
  empty.Finish(CreateFlatResult(empty));
  EXPECT_EQ(0, ExecutionResult(GetFlatResult(empty.GetBufferPointer())).size());
  EXPECT_THROW(ExecutionResult(static_cast<const FlatResult*>(nullptr)), std::runtime_error);
  EXPECT_THROW(result.emplace_back(nullptr), std::runtime_error);
}

TEST(FlatVariablesTests, WrappedResults) {
  auto* bytes = new char[3];
  const ResultWrapper wrapper(3, bytes);
  EXPECT_EQ(3, wrapper.size());
  EXPECT_EQ(bytes, wrapper.pointer());
  char one = 0;
  EXPECT_THROW(ResultWrapper(0, &one), std::runtime_error);
  EXPECT_THROW(ResultWrapper(3, nullptr), std::runtime_error);
}

// tests_cpu/data/graphs/generate.py
TEST(FlatVariablesTests, AFileOfAnotherProgramIsRead) {
  const std::string bytes = fileBytes("small.fb");
  ASSERT_FALSE(bytes.empty());
  flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  ASSERT_TRUE(VerifyFlatGraphBuffer(verifier));
  const FlatGraph* graph = GetFlatGraph(bytes.data());
  EXPECT_EQ(119, graph->id());
  int numeric = 0, texts = 0;
  for (const FlatVariable* flat : *graph->variables()) {
    const Variable variable(flat);
    const std::string name = *variable.getName();
    SCOPED_TRACE(name);
    if (name == "x") {
      EXPECT_TRUE(variable.isPlaceholder());
      EXPECT_EQ((std::vector<LongType>{-1, 3}), variable.shape());
      EXPECT_EQ(FLOAT32, variable.dataType());
    } else if (name == "w") {
      EXPECT_EQ(VariableType::CONSTANT, variable.variableType());
      EXPECT_EQ('f', variable.getNDArray()->ordering());
      expectArray(*variable.getNDArray(), {3, 2}, {0.25, 1, 0.5, 1.25, 0.75, 1.5});
    } else if (name == "empty") {
      EXPECT_TRUE(variable.getNDArray()->isEmpty());
    } else if (name == "scalar") {
      EXPECT_EQ(0, variable.getNDArray()->rankOf());
      EXPECT_EQ(-2.5, variable.getNDArray()->e<double>(0));
    } else if (variable.getNDArray()->isS()) {
      const std::vector<std::string> expected{"alpha", "", "\xD0\xB6\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
      ASSERT_EQ((std::vector<LongType>{2, 2}), variable.getNDArray()->getShapeAsVector());
      for (LongType i = 0; i < 4; i++)
        EXPECT_EQ(expected[static_cast<size_t>(i)], variable.getNDArray()->e<std::string>(i));
      texts++;
    } else {
      std::vector<double> expected{1, 2, 3, 4, 5, 6};
      const bool isInteger = name.find(" int") != std::string::npos;
      for (double& value : expected) {
        if (name.find("float") != std::string::npos) value /= -8;
        if (isInteger) value = -value;
        if (variable.getNDArray()->isB()) value = static_cast<int>(value) % 2;
      }
      EXPECT_EQ(name[0] == 'b' ? 'f' : 'c', variable.getNDArray()->ordering());
      expectArray(*variable.getNDArray(), {2, 3}, expected);
      numeric++;
    }
  }
  EXPECT_EQ(24, numeric);
  EXPECT_EQ(6, texts);

  const ExecutorConfiguration configuration(graph->configuration());
  EXPECT_EQ(OutputMode_OPTIMIZED, configuration._outputMode);
  EXPECT_EQ(ExecutionMode_AUTO, configuration._executionMode);
  EXPECT_EQ(ProfilingMode_ANY_PANIC, configuration._profilingMode);
  EXPECT_EQ(Direction_FORWARD_AND_BACKWARD, configuration._direction);
  EXPECT_EQ(LongType(1) << 40, configuration._footprintForward);
  EXPECT_EQ(7, configuration._footprintBackward);
  EXPECT_TRUE(configuration._timestats);

  ASSERT_EQ(2u, graph->nodes()->size());
  const FlatNode* sums = graph->nodes()->Get(1);
  EXPECT_EQ("sums", sums->name()->str());
  EXPECT_EQ(OpType_REDUCE_SAME, sums->opType());
  EXPECT_EQ(1, sums->inputPaired()->Get(0)->first());
  EXPECT_EQ(1, sums->dimensions()->Get(0));
  EXPECT_EQ(29, graph->nodes()->Get(0)->opNum());
  EXPECT_EQ("x", graph->placeholders()->Get(0)->str());
}
