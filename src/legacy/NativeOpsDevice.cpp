// C functions for launch contexts and devices, as implemented on a CPU.
#include <helpers/ConstantHelper.h>
#include <legacy/NativeOps.h>
#include <system/Environment.h>

#include <fstream>
#include <string>

#include "legacy/Guard.h"

using sd::LongType;
using sd::Pointer;

namespace {

/// The "model name" in the operating system's description of the CPU.
std::string cpuName() {
  std::ifstream description("/proc/cpuinfo");
  for (std::string line; std::getline(description, line);) {
    const size_t value = line.find(": ");
    if (line.rfind("model name", 0) == 0 && value != std::string::npos) return line.substr(value + 2);
  }
#if defined(__x86_64__)
  return "x86-compatible CPU";
#else
  return "CPU";
#endif
}

}  // namespace

OpaqueLaunchContext* defaultLaunchContext() { return sd::LaunchContext::defaultContext(); }
Pointer lcScalarPointer(OpaqueLaunchContext*) { return nullptr; }
Pointer lcReductionPointer(OpaqueLaunchContext*) { return nullptr; }
Pointer lcAllocationPointer(OpaqueLaunchContext*) { return nullptr; }
Pointer lcExecutionStream(OpaqueLaunchContext*) { return nullptr; }
Pointer lcCopyStream(OpaqueLaunchContext*) { return nullptr; }
Pointer lcBlasHandle(OpaqueLaunchContext*) { return nullptr; }
Pointer lcSolverHandle(OpaqueLaunchContext*) { return nullptr; }

int getAvailableDevices() { return 0; }
int getDevice() { return 0; }
int setDevice(int) { return 0; }

const char* getDeviceName(int) {
  return sd::legacy::guarded(__func__, [] {
    static const std::string name = cpuName();
    return name.c_str();
  });
}

int getDeviceMajor(int) { return 0; }
int getDeviceMinor(int) { return 0; }
LongType getDeviceTotalMemory(int) { return 0; }
LongType getDeviceFreeMemory(int) { return 0; }
LongType getDeviceFreeMemoryDefault() { return 0; }

LongType getCachedMemory(int deviceId) {
  return sd::legacy::guarded(__func__, [&] { return sd::ConstantHelper::getInstance().getCachedAmount(deviceId); });
}

Pointer createContext() { return nullptr; }
Pointer createStream() { return nullptr; }
Pointer createEvent() { return nullptr; }
int registerEvent(Pointer, Pointer) { return 0; }
int destroyEvent(Pointer) { return 0; }
int streamSynchronize(Pointer) { return 0; }
int eventSynchronize(Pointer) { return 0; }
bool isP2PAvailable() { return true; }
void enableP2P(bool) {}
void checkP2P() {}
void setGridLimit(int) {}

void setVedaDeviceLibFolder(std::string path) {
  sd::legacy::guarded(__func__, [&] { sd::Environment::getInstance().setVedaDeviceDir(path); });
}
