#include <memory/MemoryRegistrator.h>

#include <algorithm>

#include "memory/ThreadWorkspace.h"
#include "system/ForkLocks.h"

namespace sd::memory {

struct MemoryRegistrator::Fork {
  static const ForkLock lock;
};
const ForkLock MemoryRegistrator::Fork::lock(
    ForkOrder::Listings, [] { getInstance()._mutex.lock(); }, [] { getInstance()._mutex.unlock(); });

MemoryRegistrator& MemoryRegistrator::getInstance() {
  static MemoryRegistrator* const instance = new MemoryRegistrator;
  return *instance;
}

Workspace* MemoryRegistrator::getWorkspace() const { return threadWorkspace; }
void MemoryRegistrator::attachWorkspace(Workspace* workspace) { threadWorkspace = workspace; }
void MemoryRegistrator::forgetWorkspace() { threadWorkspace = nullptr; }

LongType MemoryRegistrator::getGraphMemoryFootprint(LongType hash) const {
  std::lock_guard<std::mutex> lock(_mutex);
  const auto found = _footprint.find(hash);
  return found == _footprint.end() ? 0 : found->second;
}

void MemoryRegistrator::setGraphMemoryFootprint(LongType hash, LongType bytes) {
  std::lock_guard<std::mutex> lock(_mutex);
  _footprint[hash] = bytes;
}

void MemoryRegistrator::setGraphMemoryFootprintIfGreater(LongType hash, LongType bytes) {
  std::lock_guard<std::mutex> lock(_mutex);
  LongType& known = _footprint[hash];
  known = std::max(known, bytes);
}

}  // namespace sd::memory
