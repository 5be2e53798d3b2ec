// Environment settings that other code uses, and the memory limits that the environment passes on.
#include <gtest/gtest.h>
#include <memory/ExternalWorkspace.h>
#include <memory/MemoryCounter.h>
#include <system/Environment.h>

using sd::Environment;

TEST(EnvironmentLimitsTests, MemoryOfDevices) {
  auto& environment = Environment::getInstance();
  auto& counter = sd::memory::MemoryCounter::getInstance();
  const sd::LongType before = environment.getDeviceLimit(1);
  environment.setDeviceLimit(1, 1 << 20);
  EXPECT_EQ(environment.getDeviceLimit(1), 1 << 20);
  EXPECT_EQ(counter.deviceLimit(1), 1 << 20);
  counter.countIn(1, 100);
  EXPECT_EQ(environment.getDeviceCounter(1), counter.allocatedDevice(1));
  EXPECT_FALSE(counter.validateDevice(1, 1 << 20));
  counter.countOut(1, 100);
  EXPECT_TRUE(counter.validateDevice(1, 1 << 20));
  environment.setDeviceLimit(1, before);
}

TEST(EnvironmentLimitsTests, Maxima) {
  auto& environment = Environment::getInstance();
  const uint64_t special = environment.maxSpecialMemory(), device = environment.maxDeviceMemory();
  environment.setMaxSpecialyMemory(1000);
  environment.setMaxDeviceMemory(1LL << 50);
  EXPECT_EQ(environment.maxSpecialMemory(), 1000u);
  EXPECT_EQ(environment.maxDeviceMemory(), uint64_t(1) << 50);
  environment.setMaxSpecialyMemory(special);
  environment.setMaxDeviceMemory(device);
}

TEST(EnvironmentLimitsTests, WhatACpuBuildIs) {
  auto& environment = Environment::getInstance();
  EXPECT_TRUE(environment.isCPU());
  EXPECT_TRUE(environment.isExperimentalBuild());
  EXPECT_FALSE(environment.operationsPromoteTypes());
  EXPECT_EQ(environment.blasMajorVersion() + environment.blasMinorVersion() + environment.blasPatchVersion(), 0);
  EXPECT_TRUE(environment.capabilities().empty());
  environment.setVedaDeviceDir("nowhere");
  const bool profiling = environment.isProfiling(), helpers = environment.helpersAllowed();
  environment.setProfiling(!profiling);
  environment.allowHelpers(!helpers);
  EXPECT_EQ(environment.isProfiling(), !profiling);
  EXPECT_EQ(environment.helpersAllowed(), !helpers);
  environment.setProfiling(profiling);
  environment.allowHelpers(helpers);
}

TEST(EnvironmentLimitsTests, ExternalWorkspaces) {
  char host[8], device[4];
  sd::memory::ExternalWorkspace workspace(host, 8, device, 4);
  EXPECT_EQ(workspace.pointerHost(), host);
  EXPECT_EQ(workspace.sizeHost(), 8);
  EXPECT_EQ(workspace.pointerDevice(), device);
  EXPECT_EQ(workspace.sizeDevice(), 4);
}
