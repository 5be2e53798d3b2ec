// The exception types of calls. Errors of arrays, shapes, buffers, helpers and containers are std::runtime_error,
// except where the interface names another type; errors of operations are std::invalid_argument.
#include <array/DLPack.h>
#include <array/NDArrayFactory.h>
#include <array/NDArrayList.h>
#include <array/ShapeList.h>
#include <exceptions/allocation_exception.h>
#include <exceptions/datatype_exception.h>
#include <execution/Threads.h>
#include <graph/Context.h>
#include <graph/Stash.h>
#include <graph/Variable.h>
#include <graph/VariableSpace.h>
#include <gtest/gtest.h>
#include <helpers/ConstantTadHelper.h>
#include <helpers/MmulHelper.h>
#include <helpers/RandomLauncher.h>
#include <helpers/ShapeUtils.h>
#include <helpers/TAD.h>
#include <helpers/hhSequence.h>
#include <helpers/jacobiSVD.h>
#include <loops/reduce3.h>
#include <loops/type_conversions.h>
#include <ops/declarable/CustomOperations.h>
#include <types/utf8string.h>

#include <functional>
#include <memory>

using namespace sd;

namespace {

enum Kind { Runtime, Argument, OutOfRange, Type, Allocation };

const char* const KINDS[] = {"std::runtime_error", "std::invalid_argument", "std::out_of_range",
                             "sd::datatype_exception", "sd::allocation_exception"};

struct Row {
  const char* what;
  Kind kind;
  std::function<void()> call;
};

bool matches(Kind kind, const std::exception& error) {
  switch (kind) {
    case Runtime:
      return dynamic_cast<const std::runtime_error*>(&error) != nullptr;
    case Argument:
      return dynamic_cast<const std::invalid_argument*>(&error) != nullptr;
    case OutOfRange:
      return dynamic_cast<const std::out_of_range*>(&error) != nullptr;
    case Type:
      return dynamic_cast<const datatype_exception*>(&error) != nullptr;
    case Allocation:
      return dynamic_cast<const allocation_exception*>(&error) != nullptr;
  }
  return false;
}

void check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    try {
      row.call();
      ADD_FAILURE() << row.what << ": accepted";
    } catch (const std::exception& error) {
      EXPECT_TRUE(matches(row.kind, error)) << row.what << ": not a " << KINDS[row.kind] << ": " << error.what();
    }
  }
}

using Dims = std::vector<LongType>;

NDArray matrix() { return NDArray('c', {2, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32); }

}  // namespace

TEST(ExceptionTypesTests, Arrays) {
  NDArray x = matrix(), row('c', {3}, FLOAT32), wide('c', {4}, FLOAT32), text("text"), truth('c', {2, 3}, BOOL);
  NDArray empty('c', {0, 3}, FLOAT32), one(FLOAT32), doubles('c', {2, 3}, DOUBLE);
  const std::function<float(float)> same = [](float v) { return v; };
  check({
      {"construction: rank 33", Argument, [] { NDArray('c', Dims(33, 1)); }},
      {"construction: number of strings", Argument, [] { NDArray(Dims{3}, std::vector<std::string>{"a"}); }},
      {"construction: negative size", Runtime,
       [] {
         NDArray('c', {-2, 3});
       }},
      {"construction: order", Runtime,
       [] {
         NDArray('x', {2, 3});
       }},
      {"construction: too long", Runtime,
       [] {
         NDArray('c', {1LL << 40, 1LL << 40});
       }},
      {"construction: number of values", Runtime,
       [] {
         NDArray('c', {2, 2}, {1, 2, 3});
       }},
      {"construction: no shapeInfo", Runtime, [] { NDArray(static_cast<const LongType*>(nullptr)); }},
      {"construction: past a buffer's end", Runtime,
       [&] { NDArray(x.dataBuffer(), ShapeDescriptor(FLOAT32, 'c', {7})); }},
      {"e: linear index", Argument, [&] { x.e<float>(6); }},
      {"e: number of indices", Argument, [&] { x.e<float>(0, 0, 0); }},
      {"e: index", Argument, [&] { x.e<float>(2, 0); }},
      {"p: index", Argument, [&] { x.p(6, 1.f); }},
      {"p: index of a dimension", Argument, [&] { x.p(0, 3, 1.f); }},
      {"r: another type", Argument, [&] { x.r<double>(0) = 1; }},
      {"t: another type", Argument, [&] { x.t<int>(0); }},
      {"p: a value of several elements", Runtime, [&] { x.p(0, row); }},
      {"sizeAt", Runtime, [&] { x.sizeAt(2); }},
      {"rows of rank 3", Runtime,
       [] {
         NDArray('c', {1, 2, 3}).rows();
       }},
      {"assign: shapes", Runtime, [&] { x.assign(wide); }},
      {"assign: empty", Runtime, [&] { x.assign(empty); }},
      {"tile: repetition 0", Runtime,
       [&] {
         x.tile({0, 1});
       }},
      {"reshape: length", Runtime,
       [&] {
         x.reshape('c', {4, 2});
       }},
      {"reshape: from empty", Argument,
       [&] {
         empty.reshape('c', {2, 3});
       }},
      {"reshape: order", Runtime,
       [&] {
         x.reshape('x', {3, 2});
       }},
      {"permute: no permutation", Runtime,
       [&] {
         x.permute({0, 0});
       }},
      {"operator(): too few numbers", Runtime,
       [&] {
         x({0, 1});
       }},
      {"operator(): outside", Runtime,
       [&] {
         x({0, 5, 0, 0});
       }},
      {"diagonal: type", Runtime, [&] { x.diagonal('x'); }},
      {"allTensorsAlongDimension", Runtime, [&] { x.allTensorsAlongDimension({5}); }},
      {"multipleTensorsAlongDimension", Runtime, [&] { x.multipleTensorsAlongDimension({9}, {1}); }},
      {"operator+=: types", Type,
       [&] {
         NDArray('c', {2, 3}, INT32) += doubles;
       }},
      {"operator+: shapes", Runtime, [&] { x + wide; }},
      {"operator+: strings", Runtime, [&] { text + text; }},
      {"addRowVector", Argument, [&] { x.addRowVector(wide, x); }},
      {"addiColumnVector", Argument, [&] { x.addiColumnVector(row); }},
      {"reduceNumber: target shape", Argument, [&] { x.reduceNumber(reduce::Sum, row); }},
      {"reduceNumber: target type", Argument, [&] { x.reduceNumber(reduce::Any, one); }},
      {"reduceAlongDimension: dimension", Runtime, [&] { x.reduceAlongDimension(reduce::Sum, {7}); }},
      {"reduceAlongDimension: target shape", Runtime, [&] { x.reduceAlongDimension(reduce::Sum, wide, {0}); }},
      {"applyBroadcast: target shape", Argument, [&] { x.applyBroadcast(broadcast::Add, {1}, row, wide); }},
      {"applyBroadcast: target type", Argument, [&] { x.applyBroadcast(broadcast::Add, {1}, row, doubles); }},
      {"applyTrueBroadcast: division by BOOL", Runtime,
       [&] { x.applyTrueBroadcast(BroadcastOpsTuple::Divide(), truth, x); }},
      {"applyTrueBroadcast: shapes", Runtime, [&] { x.applyTrueBroadcast(BroadcastOpsTuple::Add(), wide, x); }},
      {"applyTransform: type", Type, [&] { x.applyTransform(transform::IsNan, x); }},
      {"applyPairwiseTransform: lengths", Runtime, [&] { x.applyPairwiseTransform(pairwise::Add, wide, x); }},
      {"applyLambda: type", Runtime, [&] { doubles.applyLambda<float>(same, doubles); }},
      {"applyIndexReduce: target type", Runtime, [&] { x.applyIndexReduce(indexreduce::IndexMax, row, {0}); }},
      {"applyReduce3: types", Runtime, [&] { x.applyReduce3(reduce3::Dot, doubles); }},
      {"toDLPack: strings", Runtime, [&] { toDLPack(text); }},
  });
}

TEST(ExceptionTypesTests, FactoriesAndContainers) {
  NDArrayList list(3);
  ResultSet results;
  ShapeList shapes;
  DataBuffer small(8, FLOAT32), large(16, FLOAT32);
  check({
      {"create: number of values", Runtime,
       [] {
         NDArrayFactory::create<float>('c', {2, 2}, {1.f});
       }},
      {"create: number of paddings", Argument,
       [] {
         NDArrayFactory::create('c', {2, 2}, FLOAT32, {1}, {0, 0});
       }},
      {"create: padding offsets", Argument,
       [] {
         NDArrayFactory::create('c', {2, 2}, FLOAT32, {1, 1}, {2, 0});
       }},
      {"linspace: negative", Runtime, [] { delete NDArrayFactory::linspace<float>(0, 1, -1); }},
      {"fromNpyFile: missing", Runtime, [] { NDArrayFactory::fromNpyFile("/nowhere/x.npy"); }},
      {"NDArrayList::read", Argument, [&] { delete list.read(0); }},
      {"NDArrayList::readRaw", Argument, [&] { list.readRaw(2); }},
      {"NDArrayList::stack", Runtime, [&] { delete list.stack(); }},
      {"ResultSet::at", OutOfRange, [&] { results.at(0); }},
      {"ShapeList::at", Runtime, [&] { shapes.at(1); }},
      {"DataBuffer::memcpy", Runtime, [&] { DataBuffer::memcpy(small, large); }},
      {"DataBuffer::copyBufferFrom", Runtime, [&] { small.copyBufferFrom(large, 16); }},
      {"InteropDataBuffer: view", Runtime, [] { InteropDataBuffer x(4, FLOAT32, false), y(x, 100, 0); }},
      {"ExtraArguments: offset", Runtime,
       [] {
         ExtraArguments({1., 2.}).argumentsAsT<float>(-1);
       }},
      {"utf8string: length", Runtime, [] { utf8string("x", -1); }},
  });
}

TEST(ExceptionTypesTests, ShapesAndHelpers) {
  NDArray x = matrix(), y('c', {2, 3}, FLOAT32), result('c', {5, 5}, FLOAT32), text("text");
  std::vector<int> axes{4};
  const LongType* info = x.shapeInfo();
  float storage[8] = {};
  check({
      {"ArrayOptions: no type", Runtime,
       [] {
         const LongType none[] = {0, 0, 1, 99};
         ArrayOptions::dataType(none);
       }},
      {"DataTypeUtils::asString", Runtime, [] { DataTypeUtils::asString(ANY); }},
      {"DataTypeUtils::sizeOf", Runtime, [] { DataTypeUtils::sizeOf(ANY); }},
      {"setDefaultFloatDataType", Runtime, [] { Environment::getInstance().setDefaultFloatDataType(INT32); }},
      {"ShapeDescriptor::toShapeInfo", Runtime,
       [] { delete[] ShapeDescriptor(FLOAT32, 'c', Dims(33, 1)).toShapeInfo(); }},
      {"ConstantShapeHelper", Runtime, [] { ConstantShapeHelper::getInstance().createShapeInfo(FLOAT32, 'c', {-1}); }},
      {"ConstantTadHelper", Runtime, [&] { ConstantTadHelper::getInstance().tadForDimensions(info, 7); }},
      {"shape::TAD", Runtime, [] { shape::TAD().createOffsets(); }},
      {"shape::sizeAt", Runtime, [&] { shape::sizeAt(info, 3); }},
      {"ShapeUtils::evalReduceShapeInfo", Runtime, [&] { ShapeUtils::evalReduceShapeInfo('c', axes, info); }},
      {"ShapeUtils::evalPermutFromTo", Runtime,
       [] {
         ShapeUtils::evalPermutFromTo({1, 2}, {2, 3});
       }},
      {"ShapeUtils::evalShapeForMatmul", Runtime, [&] { ShapeUtils::evalShapeForMatmul(info, info, false, false); }},
      {"MmulHelper::mmul", Runtime, [&] { delete MmulHelper::mmul(&x, &y); }},
      {"MmulHelper::matmul: result", Argument, [&] { MmulHelper::matmul(&x, &y, &result, false, true); }},
      {"MmulHelper::tensorDot", Runtime, [&] { delete MmulHelper::tensorDot(&x, &y, {0}, {1}); }},
      {"HHsequence: type", Runtime, [&] { ops::helpers::HHsequence(x, x, 'x'); }},
      {"JacobiSVD: type", Type,
       [] {
         ops::helpers::JacobiSVD<float>(NDArray('c', {2, 2}, INT32), true, true, true);
       }},
      {"RandomLauncher: null", Runtime,
       [] {
         graph::RandomGenerator rng;
         RandomLauncher::fillUniform(nullptr, rng, nullptr, 0, 1);
       }},
      {"StringUtils::split", Runtime, [] { StringUtils::split("a", ""); }},
      {"StringUtils::byteLength", Type, [&] { StringUtils::byteLength(x); }},
      {"Reduce3: type", Runtime,
       [&] {
         functions::reduce3::Reduce3<double, double>::execScalar(reduce3::Dot, x.buffer(), info, nullptr, y.buffer(),
                                                                 info, storage, info);
       }},
      {"NativeOpExecutioner: shapes", Runtime,
       [&] {
         NativeOpExecutioner::execPairwiseTransform(nullptr, pairwise::Add, x.buffer(), info, nullptr, nullptr,
                                                    result.buffer(), result.shapeInfo(), nullptr, nullptr, x.buffer(),
                                                    info, nullptr, nullptr, nullptr);
       }},
      {"TypeCast::estimateQuantizedSize", Runtime, [] { TypeCast::estimateQuantizedSize(0); }},
      {"NDIndex::interval", Runtime, [] { delete NDIndex::interval(3, 1); }},
      {"Workspace::allocateBytes: none", Allocation, [] { memory::Workspace(16).allocateBytes(0); }},
      {"Workspace::allocateBytes: device", Runtime, [] { memory::Workspace(16).allocateBytes(memory::DEVICE, 1); }},
      {"MemoryCounter: device", Runtime, [] { memory::MemoryCounter::getInstance().allocatedDevice(99); }},
      {"Span2: loop", Runtime, [] { samediff::Span2::build(3, 0, 1, 0, 1, 1, 0, 1, 1); }},
  });
}

TEST(ExceptionTypesTests, GraphContainersAndContexts) {
  graph::VariableSpace space;
  graph::Context context(1, &space);
  graph::Variable variable(nullptr, "x", 1, 0);
  graph::Stash stash;
  check({
      {"Variable::getNDArray", Runtime, [&] { variable.getNDArray(); }},
      {"VariableSpace::getVariable: number", OutOfRange, [&] { space.getVariable(7); }},
      {"VariableSpace::getVariable: pair", Runtime, [&] { space.getVariable(7, 1); }},
      {"VariableSpace::putVariable: null", Runtime,
       [&] { space.putVariable(1, static_cast<graph::Variable*>(nullptr)); }},
      {"Stash::storeArray: null", Runtime, [&] { stash.storeArray(1, "x", nullptr); }},
      {"Context::variable", Runtime, [&] { context.variable(7, 0); }},
  });
}

TEST(ExceptionTypesTests, OperationsKeepInvalidArgument) {
  NDArray x = matrix(), indices('c', {1}, {9}, INT64), wide('c', {4}, FLOAT32);
  check({
      {"gather: index", Argument,
       [&] {
         ops::gather().evaluate({&x, &indices}, {}, {0});
       }},
      {"concat: shapes", Argument,
       [&] {
         ops::concat().evaluate({&x, &wide}, {}, {0});
       }},
      {"registerOperation: null", Argument, [] { ops::OpRegistrator::getInstance().registerOperation(nullptr); }},
  });
}
