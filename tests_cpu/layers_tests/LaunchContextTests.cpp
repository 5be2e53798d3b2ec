// Launch contexts, per-thread errors, devices.
#include <execution/AffinityManager.h>
#include <execution/ExecutionMode.h>
#include <execution/LaunchContext.h>
#include <gtest/gtest.h>
#include <memory/Workspace.h>

#include <string>
#include <thread>

using namespace sd;

TEST(LaunchContextTests, TheDefaultIsOneObjectWithAWorkspaceForEachThread) {
  LaunchContext* context = LaunchContext::defaultContext();
  ASSERT_NE(nullptr, context);
  EXPECT_EQ(context, LaunchContext::defaultContext());
  memory::Workspace workspace(100);
  context->setWorkspace(&workspace);
  LaunchContext* elsewhere = nullptr;
  memory::Workspace* theirs = &workspace;
  std::thread([&] {
    elsewhere = LaunchContext::defaultContext();
    theirs = elsewhere->getWorkspace();
  }).join();
  EXPECT_EQ(context, elsewhere);
  EXPECT_EQ(nullptr, theirs);
  EXPECT_EQ(&workspace, context->getWorkspace());
  context->setWorkspace(nullptr);
  EXPECT_EQ(nullptr, context->getWorkspace());
}

TEST(LaunchContextTests, OthersKeepTheirOwn) {
  memory::Workspace workspace(100);
  LaunchContext context, other(nullptr);
  context.setWorkspace(&workspace);
  EXPECT_EQ(&workspace, context.getWorkspace());
  EXPECT_EQ(nullptr, other.getWorkspace());
  EXPECT_EQ(nullptr, LaunchContext::defaultContext()->getWorkspace());
  other.setDeviceID(2);
  EXPECT_EQ(2, other.getDeviceID());
  EXPECT_EQ(0, context.getDeviceID());
  EXPECT_EQ(samediff::ENGINE_CPU, context.engine());
  EXPECT_TRUE(LaunchContext::isInitialized());
  EXPECT_NE(nullptr, LaunchContext::deviceMutex());
}

TEST(LaunchContextTests, ThereAreNoHandlesOfDevices) {
  int any = 0;
  LaunchContext context(&any, &any, &any, &any);
  for (const void* handle :
       {context.getCudaStream(), context.getCudaSpecialStream(), context.getCublasHandle(), context.getCusolverHandle(),
        context.getReductionPointer(), context.getScalarPointer(), context.getAllocationPointer()})
    EXPECT_EQ(nullptr, handle);
  ContextBuffers buffers;
  EXPECT_NO_THROW(LaunchContext::swapContextBuffers(buffers));
  EXPECT_NO_THROW(LaunchContext::releaseBuffers());
  EXPECT_EQ(nullptr, context.getWorkspace()) << "the pointers are ignored";
}

TEST(LaunchContextTests, ErrorsBelongToTheThread) {
  ErrorReference* error = LaunchContext::defaultContext()->errorReference();
  error->setErrorCode(7);
  error->setErrorMessage(std::string("seven"));
  int theirs = -1;
  std::thread([&] { theirs = LaunchContext::defaultContext()->errorReference()->errorCode(); }).join();
  EXPECT_EQ(0, theirs);
  LaunchContext other;
  EXPECT_EQ(7, other.errorReference()->errorCode());
  EXPECT_STREQ("seven", error->errorMessage());
  EXPECT_EQ(0, error->errorCode()) << "reading the text resets the code";
  EXPECT_STREQ("seven", error->errorMessage()) << "the text stays";
  error->setErrorMessage(static_cast<const char*>(nullptr));
  EXPECT_STREQ("", error->errorMessage());
}

TEST(AffinityManagerTests, ThereIsOneDevice) {
  EXPECT_EQ(1, AffinityManager::numberOfDevices());
  EXPECT_EQ(0, AffinityManager::currentDeviceId());
  EXPECT_EQ(0, AffinityManager::currentNativeDeviceId());
  EXPECT_NO_THROW(AffinityManager::setCurrentDevice(0));
  EXPECT_THROW(AffinityManager::setCurrentDevice(1), std::runtime_error);
  EXPECT_THROW(AffinityManager::setCurrentNativeDevice(-1), std::runtime_error);
}
