// Memory limits and counters that Environment passes on to the memory layer.
#include <memory/MemoryCounter.h>
#include <memory/MemoryType.h>
#include <system/Environment.h>

#include "system/Error.h"

namespace sd {

static memory::MemoryType groupOf(const char* function, int group) {
  if (group != static_cast<int>(memory::MemoryType::HOST) && group != static_cast<int>(memory::MemoryType::DEVICE))
    fail("[{}] argument 0 'group': {} is neither HOST (0) nor DEVICE (10)", function, group);
  return static_cast<memory::MemoryType>(group);
}

void Environment::setDeviceLimit(int device, LongType bytes) {
  memory::MemoryCounter::getInstance().setDeviceLimit(device, bytes);
}

void Environment::setGroupLimit(int group, LongType bytes) {
  memory::MemoryCounter::getInstance().setGroupLimit(groupOf("setGroupLimit", group), bytes);
}

LongType Environment::getDeviceLimit(int device) { return memory::MemoryCounter::getInstance().deviceLimit(device); }

LongType Environment::getGroupLimit(int group) {
  return memory::MemoryCounter::getInstance().groupLimit(groupOf("getGroupLimit", group));
}

LongType Environment::getDeviceCounter(int device) {
  return memory::MemoryCounter::getInstance().allocatedDevice(device);
}

LongType Environment::getGroupCounter(int group) {
  return memory::MemoryCounter::getInstance().allocatedGroup(groupOf("getGroupCounter", group));
}

}  // namespace sd
