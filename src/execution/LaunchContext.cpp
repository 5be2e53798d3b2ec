#include <execution/LaunchContext.h>

#include <execution/AffinityManager.h>

#include <stdexcept>

#include "memory/ThreadWorkspace.h"
#include "system/Error.h"

namespace sd {

LaunchContext::LaunchContext(Pointer, Pointer, Pointer, Pointer) {}

LaunchContext* LaunchContext::defaultContext() noexcept {
  static LaunchContext* const instance = [] {
    auto* context = new LaunchContext;
    context->_followsThread = true;
    return context;
  }();
  return instance;
}

memory::Workspace* LaunchContext::getWorkspace() const noexcept {
  return _followsThread ? memory::threadWorkspace : _workspace;
}

void LaunchContext::setWorkspace(memory::Workspace* workspace) noexcept {
  (_followsThread ? memory::threadWorkspace : _workspace) = workspace;
}

ErrorReference* LaunchContext::errorReference() const noexcept {
  static thread_local ErrorReference error;
  return &error;
}

std::mutex* LaunchContext::deviceMutex() noexcept {
  static std::mutex* const mutex = new std::mutex;
  return mutex;
}

void AffinityManager::setCurrentDevice(int deviceId) {
  if (deviceId != 0) fail("[AffinityManager] argument 'deviceId': there is no device {}", deviceId);
}

void AffinityManager::setCurrentNativeDevice(int deviceId) { setCurrentDevice(deviceId); }

}  // namespace sd
