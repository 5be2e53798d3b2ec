// C functions for random numbers.
#include <helpers/shape.h>
#include <legacy/NativeOps.h>

#include <initializer_list>

#include "legacy/Guard.h"
#include "legacy/Operands.h"

using namespace sd::legacy;
using sd::LongType;
using sd::Pointer;
using sd::graph::RandomGenerator;

namespace {

constexpr In NONE{nullptr, nullptr};

RandomGenerator& generatorOf(Pointer handle, const char* argument = "ptr") {
  return required(argument, static_cast<RandomGenerator*>(handle));
}

template <typename T>
T relative(const char* function, Pointer handle, LongType index) {
  return guarded(function, [&] { return generatorOf(handle).relativeT<T>(index); });
}

/// Value number 1. The argument cancels the constant that rewindH mixes into the state.
template <typename T>
T next(const char* function, Pointer handle) {
  return guarded(function, [&] {
    RandomGenerator& generator = generatorOf(handle);
    const T value = generator.relativeT<T>(1);
    generator.rewindH(0xDEADBEEF);
    return value;
  });
}

/// Numbers are counted in the order of the memory, as libnd4j does, when all operands are contiguous and in 'f' order:
/// the shapes become vectors. Elsewhere they are counted in 'c' order.
void inMemoryOrder(std::initializer_list<const LongType**> infos) {
  for (const LongType** info : infos)
    if (shape::order(*info) != 'f' || !shape::isContiguous(*info)) return;
  for (const LongType** info : infos) *info = memoryOrder(*info);
}

}  // namespace

OpaqueRandomGenerator* createRandomGenerator(LongType rootSeed, LongType nodeSeed) {
  return guarded(__func__, [&] { return new RandomGenerator(rootSeed, nodeSeed); });
}

void setRandomGeneratorStates(OpaqueRandomGenerator* ptr, LongType rootSeed, LongType nodeSeed) {
  guarded(__func__, [&] { generatorOf(ptr).setStates(rootSeed, nodeSeed); });
}

LongType getRandomGeneratorRootState(OpaqueRandomGenerator* ptr) {
  return guarded(__func__, [&] { return generatorOf(ptr).rootState(); });
}

LongType getRandomGeneratorNodeState(OpaqueRandomGenerator* ptr) {
  return guarded(__func__, [&] { return generatorOf(ptr).nodeState(); });
}

float getRandomGeneratorRelativeFloat(OpaqueRandomGenerator* ptr, LongType index) {
  return relative<float>(__func__, ptr, index);
}

double getRandomGeneratorRelativeDouble(OpaqueRandomGenerator* ptr, LongType index) {
  return relative<double>(__func__, ptr, index);
}

int getRandomGeneratorRelativeInt(OpaqueRandomGenerator* ptr, LongType index) {
  return relative<int>(__func__, ptr, index);
}

LongType getRandomGeneratorRelativeLong(OpaqueRandomGenerator* ptr, LongType index) {
  return relative<LongType>(__func__, ptr, index);
}

float getRandomGeneratorNextFloat(OpaqueRandomGenerator* ptr) { return next<float>(__func__, ptr); }

double getRandomGeneratorNextDouble(OpaqueRandomGenerator* ptr) { return next<double>(__func__, ptr); }

int getRandomGeneratorNextInt(OpaqueRandomGenerator* ptr) { return next<int>(__func__, ptr); }

LongType getRandomGeneratorNextLong(OpaqueRandomGenerator* ptr) { return next<LongType>(__func__, ptr); }

void deleteRandomGenerator(OpaqueRandomGenerator* ptr) { delete ptr; }

Pointer initRandom(Pointer*, long seed, long, Pointer) {
  return guarded(__func__, [&]() -> Pointer { return new RandomGenerator(seed, seed); });
}

void refreshBuffer(Pointer*, long seed, Pointer ptrRandom) {
  guarded(__func__, [&] { generatorOf(ptrRandom, "ptrRandom").setStates(seed); });
}

void reSeedBuffer(Pointer*, long seed, Pointer ptrRandom) {
  guarded(__func__, [&] { generatorOf(ptrRandom, "ptrRandom").setStates(seed); });
}

void destroyRandom(Pointer ptrRandom) { delete static_cast<RandomGenerator*>(ptrRandom); }

void execRandom(SD_OPERATION, Pointer state, SD_BUFFER(Z), void* extraArguments) {
  const Caller caller{__func__, OpGroup::Random, opNum};
  guarded(__func__, [&] {
    RandomGenerator& generator = generatorOf(state, "state");
    Out z = output(caller, "z", dbZ, hZShapeInfo);
    inMemoryOrder({&z.info});
    sd::loops::random(opNum, generator, NONE, NONE, z, extraArguments);
  });
}

void execRandom2(SD_OPERATION, Pointer state, SD_BUFFER(X), SD_BUFFER(Z), void* extraArguments) {
  const Caller caller{__func__, OpGroup::Random, opNum};
  guarded(__func__, [&] {
    RandomGenerator& generator = generatorOf(state, "state");
    In x = input(caller, "x", dbX, hXShapeInfo);
    Out z = output(caller, "z", dbZ, hZShapeInfo);
    inMemoryOrder({&x.info, &z.info});
    sd::loops::random(opNum, generator, x, NONE, z, extraArguments);
  });
}

void execRandom3(SD_OPERATION, Pointer state, SD_BUFFER(X), SD_BUFFER(Y), SD_BUFFER(Z), void* extraArguments) {
  const Caller caller{__func__, OpGroup::Random, opNum};
  guarded(__func__, [&] {
    RandomGenerator& generator = generatorOf(state, "state");
    In x = input(caller, "x", dbX, hXShapeInfo), y = input(caller, "y", dbY, hYShapeInfo);
    Out z = output(caller, "z", dbZ, hZShapeInfo);
    inMemoryOrder({&x.info, &y.info, &z.info});
    sd::loops::random(opNum, generator, x, y, z, extraArguments);
  });
}
