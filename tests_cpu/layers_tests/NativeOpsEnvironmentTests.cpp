// The C functions for errors, the environment, devices, strings and random generators.
#include <system/Environment.h>

#include <cstring>
#include <thread>

#include "NativeOpsSupport.h"

using native::expectError;
using sd::Environment;
using sd::LongType;

namespace {

class NativeOpsEnvironmentTests : public native::NativeTest {};

}  // namespace

TEST_F(NativeOpsEnvironmentTests, ErrorsBelongToTheThread) {
  dbPrimaryBuffer(nullptr);
  EXPECT_EQ(lastErrorCode(), 1);
  EXPECT_EQ(lastErrorCode(), 1);  // reading does not clear it
  std::thread([] {
    EXPECT_EQ(lastErrorCode(), 0);
    mallocHost(-1, 0);
    EXPECT_EQ(lastErrorCode(), 1);
    EXPECT_NE(std::string(lastErrorMessage()).find("mallocHost"), std::string::npos);
  }).join();
  OpaqueDataBuffer* fine = allocateDataBuffer(1, sd::INT8, false);
  EXPECT_EQ(lastErrorCode(), 1);  // success does not clear it
  deleteDataBuffer(fine);
  const std::string message = lastErrorMessage();
  EXPECT_EQ(message, "[dbPrimaryBuffer] argument 'dataBuffer' is null");
  EXPECT_EQ(lastErrorCode(), 0);
  EXPECT_EQ(lastErrorMessage(), message);  // the text is kept
  EXPECT_EQ(sd::LaunchContext::defaultContext()->errorReference()->errorCode(), 0);
}

TEST_F(NativeOpsEnvironmentTests, ThresholdsAndModes) {
  Environment& environment = Environment::getInstance();
  const int elements = environment.elementwiseThreshold(), tads = environment.tadThreshold();
  setElementThreshold(77);
  setTADThreshold(3);
  EXPECT_EQ(environment.elementwiseThreshold(), 77);
  EXPECT_EQ(environment.tadThreshold(), 3);
  setElementThreshold(0);
  setTADThreshold(-1);
  EXPECT_EQ(environment.elementwiseThreshold(), 77);
  EXPECT_EQ(environment.tadThreshold(), 3);
  setElementThreshold(elements);
  setTADThreshold(tads);

  enableDebugMode(true);
  enableVerboseMode(true);
  EXPECT_TRUE(environment.isDebugAndVerbose());
  enableDebugMode(false);
  enableVerboseMode(false);
  EXPECT_FALSE(environment.isDebug() || environment.isVerbose());
}

TEST_F(NativeOpsEnvironmentTests, Threads) {
  Environment& environment = Environment::getInstance();
  const int before = environment.maxMasterThreads(), openMp = ompGetMaxThreads();
  EXPECT_GE(openMp, 1);
  EXPECT_EQ(ompGetNumThreads(), 1);
  setOmpNumThreads(1);
  EXPECT_EQ(environment.maxMasterThreads(), 1);
  EXPECT_EQ(ompGetMaxThreads(), 1);
  setOmpNumThreads(1000000);
  EXPECT_EQ(environment.maxMasterThreads(), environment.maxThreads());
  setOmpNumThreads(-5);
  EXPECT_EQ(environment.maxMasterThreads(), 1);
  setOmpMinThreads(4);
  setOmpNumThreads(openMp);
  environment.setMaxMasterThreads(before);
}

TEST_F(NativeOpsEnvironmentTests, InstructionSets) {
  initializeDevicesAndFunctions();
  EXPECT_TRUE(isMinimalRequirementsMet());
  EXPECT_TRUE(isBlasVersionMatches(1, 2, 3));
  EXPECT_FALSE(isExperimentalEnabled());
  EXPECT_GE(binaryLevel(), 0);
  EXPECT_LE(binaryLevel(), optimalLevel());
  EXPECT_LE(optimalLevel(), 3);
  EXPECT_EQ(isOptimalRequirementsMet(), binaryLevel() == optimalLevel());
  initializeFunctions(nullptr);
  expectError("'functions' is null");
  sd::Pointer none[10] = {};
  initializeFunctions(none);
}

TEST_F(NativeOpsEnvironmentTests, DevicesOfACpu) {
  EXPECT_EQ(getAvailableDevices(), 0);
  EXPECT_EQ(getDevice(), 0);
  EXPECT_EQ(setDevice(5), 0);
  EXPECT_GT(std::strlen(getDeviceName(0)), 0u);
  EXPECT_EQ(getDeviceName(0), getDeviceName(7));
  EXPECT_EQ(getDeviceMajor(0) + getDeviceMinor(0), 0);
  EXPECT_EQ(getDeviceTotalMemory(0) + getDeviceFreeMemory(0) + getDeviceFreeMemoryDefault(), 0);
  const LongType values[] = {11, 22, 33};
  deleteConstantDataBuffer(constantBufferLong(sd::INT64, values, 3));
  EXPECT_GE(getCachedMemory(0), 24);
  EXPECT_EQ(getCachedMemory(-1), 0);
  EXPECT_EQ(getCachedMemory(1), 0);
  EXPECT_EQ(createContext(), nullptr);
  EXPECT_EQ(createStream(), nullptr);
  EXPECT_EQ(createEvent(), nullptr);
  EXPECT_EQ(
      registerEvent(nullptr, nullptr) + destroyEvent(nullptr) + streamSynchronize(nullptr) + eventSynchronize(nullptr),
      0);
  EXPECT_TRUE(isP2PAvailable());
  enableP2P(true);
  checkP2P();
  setGridLimit(1);
  setVedaDeviceLibFolder("anywhere");
  OpaqueLaunchContext* context = defaultLaunchContext();
  EXPECT_EQ(context, sd::LaunchContext::defaultContext());
  for (auto get : {lcScalarPointer, lcReductionPointer, lcAllocationPointer, lcExecutionStream, lcCopyStream,
                   lcBlasHandle, lcSolverHandle})
    EXPECT_EQ(get(context), nullptr);
}

TEST_F(NativeOpsEnvironmentTests, Strings) {
  sd::Pointer text = createUtf8String(nullptr, "grün", 5);
  EXPECT_EQ(getUtf8StringLength(nullptr, text), 5);
  EXPECT_STREQ(getUtf8StringBuffer(nullptr, text), "grün");
  deleteUtf8String(nullptr, text);
  text = createUtf8String(nullptr, nullptr, 0);
  EXPECT_EQ(getUtf8StringLength(nullptr, text), 0);
  deleteUtf8String(nullptr, text);
  EXPECT_EQ(createUtf8String(nullptr, nullptr, 3), nullptr);
  EXPECT_NE(native::takeError(), "");
  EXPECT_EQ(createUtf8String(nullptr, "abc", -3), nullptr);
  EXPECT_NE(native::takeError(), "");
  EXPECT_EQ(getUtf8StringLength(nullptr, nullptr), 0);
  expectError("'ptr' is null");
  EXPECT_EQ(getUtf8StringBuffer(nullptr, nullptr), nullptr);
  expectError("'ptr' is null");
  deleteUtf8String(nullptr, nullptr);
}

TEST_F(NativeOpsEnvironmentTests, Generators) {
  OpaqueRandomGenerator* generator = createRandomGenerator(119, 0);
  EXPECT_EQ(getRandomGeneratorRootState(generator), 119);
  EXPECT_EQ(getRandomGeneratorNodeState(generator), 1298567341);
  // The published check values for this state.
  EXPECT_FLOAT_EQ(getRandomGeneratorRelativeFloat(generator, 0), 0.371667504f);
  EXPECT_EQ(getRandomGeneratorRelativeDouble(generator, 0),
            static_cast<double>(getRandomGeneratorRelativeFloat(generator, 0)));
  EXPECT_EQ(getRandomGeneratorRelativeInt(generator, 3), static_cast<int>(2231408051u - 2147483647u));
  EXPECT_EQ(getRandomGeneratorRelativeLong(generator, 1), 3618154887824906984);
  EXPECT_FLOAT_EQ(getRandomGeneratorNextFloat(generator), 0.196140528f);
  const LongType after = getRandomGeneratorNodeState(generator);
  EXPECT_NE(after, 1298567341);
  EXPECT_EQ(getRandomGeneratorRootState(generator), 119);
  sd::graph::RandomGenerator same(119);
  same.rewindH(0xDEADBEEF);
  EXPECT_EQ(after, same.nodeState());
  EXPECT_EQ(getRandomGeneratorNextDouble(generator), same.relativeT<double>(1));
  same.rewindH(0xDEADBEEF);
  EXPECT_EQ(getRandomGeneratorNextInt(generator), same.relativeInt(1));
  same.rewindH(0xDEADBEEF);
  EXPECT_EQ(getRandomGeneratorNextLong(generator), same.relativeLong(1));
  setRandomGeneratorStates(generator, 5, 6);
  EXPECT_EQ(getRandomGeneratorNodeState(generator), 6);
  deleteRandomGenerator(generator);

  auto* legacy = static_cast<OpaqueRandomGenerator*>(initRandom(nullptr, 42, 1000, nullptr));
  EXPECT_EQ(getRandomGeneratorRootState(legacy), 42);
  EXPECT_EQ(getRandomGeneratorNodeState(legacy), 42);
  refreshBuffer(nullptr, 43, legacy);
  EXPECT_EQ(getRandomGeneratorRootState(legacy), 43);
  EXPECT_EQ(getRandomGeneratorNodeState(legacy), 1298567341);
  reSeedBuffer(nullptr, 44, legacy);
  EXPECT_EQ(getRandomGeneratorRootState(legacy), 44);
  destroyRandom(legacy);

  EXPECT_EQ(getRandomGeneratorNextInt(nullptr), 0);
  expectError("'ptr' is null");
  EXPECT_EQ(getRandomGeneratorRelativeFloat(nullptr, 1), 0.f);
  expectError("'ptr' is null");
  reSeedBuffer(nullptr, 1, nullptr);
  expectError("'ptrRandom' is null");
  deleteRandomGenerator(nullptr);
  destroyRandom(nullptr);
}
