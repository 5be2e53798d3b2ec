// Which exceptions arrays, contexts, spaces of variables and helpers throw where programs may rely on it. One row for
// each failure.
#include <array/NDArrayFactory.h>
#include <array/NDArrayList.h>
#include <exceptions/allocation_exception.h>
#include <exceptions/datatype_exception.h>
#include <execution/Threads.h>
#include <graph/Context.h>
#include <graph/Variable.h>
#include <graph/VariableSpace.h>
#include <gtest/gtest.h>
#include <helpers/MmulHelper.h>
#include <helpers/ShapeUtils.h>
#include <memory/Workspace.h>
#include <system/Environment.h>

#include <functional>
#include <stdexcept>
#include <typeinfo>
#include <vector>

using namespace sd;

namespace {

enum class Kind { Argument, Runtime, OutOfRange, Type, Memory };

struct Failure {
  const char* what;
  Kind kind;
  std::function<void()> call;
};

bool isKind(Kind kind, const std::exception& error) {
  switch (kind) {
    case Kind::Argument:
      return dynamic_cast<const std::invalid_argument*>(&error) != nullptr;
    case Kind::Runtime:
      return dynamic_cast<const std::runtime_error*>(&error) != nullptr;
    case Kind::OutOfRange:
      return dynamic_cast<const std::out_of_range*>(&error) != nullptr;
    case Kind::Type:
      return dynamic_cast<const datatype_exception*>(&error) != nullptr;
    case Kind::Memory:
      return dynamic_cast<const allocation_exception*>(&error) != nullptr;
  }
  return false;
}

void check(const std::vector<Failure>& table) {
  for (const Failure& failure : table) {
    SCOPED_TRACE(failure.what);
    try {
      failure.call();
      ADD_FAILURE() << "it throws nothing";
    } catch (const std::exception& error) {
      EXPECT_TRUE(isKind(failure.kind, error)) << typeid(error).name() << ": " << error.what();
    }
  }
}

NDArray matrix() { return NDArray('c', {2, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32); }

}  // namespace

TEST(FailureKinds, Arrays) {
  NDArray x = matrix(), v('c', {3}, {1, 2, 3}, FLOAT32), other('c', {2, 2}, FLOAT32), bools('c', {3}, BOOL);
  NDArray cube('c', {2, 2, 2}, FLOAT32), nothing('c', {0}, FLOAT32), integers('c', {2, 3}, INT32);
  NDArray words({2}, std::vector<std::string>{"a", "b"});
  NDArray scalar(FLOAT32), target('c', {5}, FLOAT32);
  const std::vector<LongType> manySizes(33, 1);
  check({
      {"more than 32 dimensions", Kind::Argument, [&] { NDArray('c', manySizes, FLOAT32); }},
      {"another number of values", Kind::Runtime,
       [&] {
         NDArray('c', {2, 2}, {1, 2, 3}, FLOAT32);
       }},
      {"another number of texts", Kind::Argument,
       [&] {
         NDArray({3}, std::vector<std::string>{"a", "b"});
       }},
      {"create: another number of values", Kind::Runtime,
       [&] {
         NDArrayFactory::create<int>('c', {3}, {1, 2});
       }},
      {"create: paddings of another length", Kind::Argument,
       [&] {
         NDArrayFactory::create('c', {2, 3}, FLOAT32, {1}, {0, 0});
       }},
      {"fromNpyFile: no such file", Kind::Runtime, [&] { NDArrayFactory::fromNpyFile("/no/such/file.npy"); }},
      {"e: an index of another rank", Kind::Argument, [&] { x.e<float>(0, 0, 0); }},
      {"e: an index outside", Kind::Argument, [&] { x.e<float>(6); }},
      {"r: another type", Kind::Argument, [&] { x.r<double>(0); }},
      {"sizeAt", Kind::Runtime, [&] { x.sizeAt(2); }},
      {"strideAt", Kind::Runtime, [&] { x.strideAt(-3); }},
      {"rows of a cube", Kind::Runtime, [&] { cube.rows(); }},
      {"columns of a cube", Kind::Runtime, [&] { cube.columns(); }},
      {"assign: no broadcast", Kind::Runtime, [&] { x.assign(other); }},
      {"assign: nothing", Kind::Runtime, [&] { x.assign(nothing); }},
      {"tile: a zero", Kind::Runtime,
       [&] {
         x.tile({0, 1});
       }},
      {"reshapei: another length", Kind::Runtime, [&] { x.reshapei({4}); }},
      {"reshape: nothing to something", Kind::Argument, [&] { nothing.reshape('c', {2}); }},
      {"allTensorsAlongDimension", Kind::Runtime, [&] { x.allTensorsAlongDimension({3}); }},
      {"multipleTensorsAlongDimension", Kind::Runtime, [&] { x.multipleTensorsAlongDimension({7}, {1}); }},
      {"texts + texts", Kind::Runtime, [&] { words + words; }},
      {"texts: applyTransform", Kind::Runtime, [&] { words.applyTransform(transform::Abs, words); }},
      {"addRowVector: another length", Kind::Argument, [&] { x.addiRowVector(other); }},
      {"reduceNumber: a target with more elements", Kind::Argument, [&] { x.reduceNumber(reduce::Sum, target); }},
      {"reduceAlongDimension: an axis outside", Kind::Runtime, [&] { x.reduceAlongDimension(reduce::Sum, {2}); }},
      {"reduceAlongDimension: a scalar has no axis", Kind::Runtime,
       [&] { scalar.reduceAlongDimension(reduce::Sum, {0}); }},
      {"reduceAlongDimension: another target", Kind::Runtime,
       [&] { x.reduceAlongDimension(reduce::Sum, target, {1}); }},
      {"applyTrueBroadcast: a divisor of BOOL", Kind::Runtime,
       [&] { x.applyTrueBroadcast(BroadcastOpsTuple::Divide(), bools, x); }},
      {"applyBroadcast: another target", Kind::Argument, [&] { x.applyBroadcast(broadcast::Add, {1}, v, target); }},
      {"applyIndexReduce: a target of floats", Kind::Runtime,
       [&] {
         NDArray z('c', {2}, FLOAT32);
         x.applyIndexReduce(indexreduce::IndexMax, z, {1});
       }},
      {"applyLambda: another type", Kind::Runtime,
       [&] {
         const std::function<double(double)> same = [](double value) { return value; };
         x.applyLambda<double>(same, x);
       }},
      {"ResultSet::at", Kind::OutOfRange, [&] { ResultSet().at(0); }},
      {"NDArrayList::readRaw", Kind::Argument, [&] { NDArrayList(0, true).readRaw(3); }},
      {"evalPermutFromTo", Kind::Runtime,
       [&] {
         ShapeUtils::evalPermutFromTo({2, 3}, {2, 4});
       }},
      {"matmul: another result", Kind::Argument,
       [&] {
         NDArray y('c', {3, 2}, FLOAT32);
         MmulHelper::matmul(&x, &y, &target, false, false);
       }},
  });
}

TEST(FailureKinds, ContextsAndVariables) {
  graph::VariableSpace space;
  graph::Context block(1, &space), alone(1);
  NDArray x = matrix();
  graph::Context direct(1);
  direct.setInputArray(0, &x);
  graph::Variable empty(nullptr, "empty", 1, 0);
  ShapeList shapes;
  check({
      {"variable(0) without inputs", Kind::Runtime, [&] { block.variable(0); }},
      {"getVariable(0) without inputs", Kind::Runtime, [&] { block.getVariable(0); }},
      {"getVariable(0) without a space", Kind::Runtime, [&] { alone.getVariable(0); }},
      {"variable(9, 0)", Kind::Runtime, [&] { block.variable(9, 0); }},
      {"array(0) without inputs", Kind::Runtime, [&] { block.array(0); }},
      {"getNDArray(0) without inputs", Kind::Runtime, [&] { block.getNDArray(0); }},
      {"array(5) of one", Kind::Runtime, [&] { direct.array(5); }},
      {"getNDArray(5) of one", Kind::Runtime, [&] { direct.getNDArray(5); }},
      {"variable(5) of one", Kind::Runtime, [&] { direct.variable(5); }},
      {"INT_ARG", Kind::OutOfRange, [&] { block.getIArguments()->at(0); }},
      {"intArgument", Kind::OutOfRange, [&] { block.intArgument(0); }},
      {"Variable::getNDArray", Kind::Runtime, [&] { empty.getNDArray(); }},
      {"ShapeList::at", Kind::Runtime, [&] { shapes.at(0); }},
  });
}

TEST(FailureKinds, MemoryTypesAndThreads) {
  memory::Workspace workspace(100);
  check({
      {"no bytes", Kind::Memory, [&] { workspace.allocateBytes(0); }},
      {"bytes of a device", Kind::Runtime, [&] { workspace.allocateBytes(memory::DEVICE, 10); }},
      {"asString", Kind::Runtime, [&] { DataTypeUtils::asString(static_cast<DataType>(99)); }},
      {"sizeOf", Kind::Runtime, [&] { DataTypeUtils::sizeOf(static_cast<DataType>(99)); }},
      {"setDefaultFloatDataType", Kind::Runtime, [&] { Environment::getInstance().setDefaultFloatDataType(INT32); }},
      {"parallel_for backwards", Kind::Runtime,
       [&] { samediff::Threads::parallel_for([](uint64_t, int64_t, int64_t, int64_t) {}, 5, 1); }},
  });
}
