#include <memory/MemoryCounter.h>

#include <exceptions/allocation_exception.h>
#include <execution/AffinityManager.h>
#include <system/Environment.h>

#include <limits>

#include "system/Error.h"

namespace sd::memory {

namespace {

constexpr auto RELAXED = std::memory_order_relaxed;

bool fits(LongType used, LongType more, LongType limit) {
  LongType total = 0;
  return limit <= 0 || (!__builtin_add_overflow(used, more, &total) && total <= limit);
}

size_t groupIndex(MemoryType group) {
  if (group == HOST) return 0;
  if (group == DEVICE) return 1;
  fail("[memory] argument 'group': there is no memory group with number {}", static_cast<int>(group));
}

// A limit of the environment, where all bits set means no limit.
LongType limitOf(uint64_t environment) {
  return environment > static_cast<uint64_t>(std::numeric_limits<LongType>::max()) ? 0
                                                                                   : static_cast<LongType>(environment);
}

// A limit that was set here, else that of the environment.
LongType limitOr(LongType limit, uint64_t environment) { return limit > 0 ? limit : limitOf(environment); }

}  // namespace

MemoryCounter& MemoryCounter::getInstance() {
  // Never destroyed, because arrays of static storage are released late.
  static MemoryCounter* const instance = new MemoryCounter;
  return *instance;
}

static size_t deviceIndex(int deviceId, int devices) {
  if (deviceId < 0 || deviceId >= devices)
    fail("[memory] argument 'deviceId': device {} is outside 0..{}", deviceId, devices - 1);
  return static_cast<size_t>(deviceId);
}

void MemoryCounter::countIn(int deviceId, LongType numBytes) {
  _devices[deviceIndex(deviceId, MAX_DEVICES)].used.fetch_add(numBytes, RELAXED);
}

void MemoryCounter::countIn(MemoryType group, LongType numBytes) {
  _groups[groupIndex(group)].used.fetch_add(numBytes, RELAXED);
}

void MemoryCounter::countOut(int deviceId, LongType numBytes) {
  _devices[deviceIndex(deviceId, MAX_DEVICES)].used.fetch_sub(numBytes, RELAXED);
}

void MemoryCounter::countOut(MemoryType group, LongType numBytes) {
  _groups[groupIndex(group)].used.fetch_sub(numBytes, RELAXED);
}

bool MemoryCounter::validate(LongType numBytes) const {
  return validateDevice(AffinityManager::currentDeviceId(), numBytes);
}

bool MemoryCounter::validateDevice(int deviceId, LongType numBytes) const {
  return fits(allocatedDevice(deviceId), numBytes, deviceLimit(deviceId));
}

bool MemoryCounter::validateGroup(MemoryType group, LongType numBytes) const {
  return fits(allocatedGroup(group), numBytes, groupLimit(group));
}

void MemoryCounter::setDeviceLimit(int deviceId, LongType numBytes) {
  _devices[deviceIndex(deviceId, MAX_DEVICES)].limit.store(numBytes, RELAXED);
}

void MemoryCounter::setGroupLimit(MemoryType group, LongType numBytes) {
  _groups[groupIndex(group)].limit.store(numBytes, RELAXED);
}

LongType MemoryCounter::deviceLimit(int deviceId) const {
  const LongType limit = _devices[deviceIndex(deviceId, MAX_DEVICES)].limit.load(RELAXED);
  return deviceId == 0 ? limitOr(limit, Environment::getInstance().maxDeviceMemory()) : limit;
}

LongType MemoryCounter::groupLimit(MemoryType group) const {
  const LongType limit = _groups[groupIndex(group)].limit.load(RELAXED);
  return group == HOST ? limitOr(limit, Environment::getInstance().maxPrimaryMemory()) : limit;
}

LongType MemoryCounter::allocatedDevice(int deviceId) const {
  const LongType counted = _devices[deviceIndex(deviceId, MAX_DEVICES)].used.load(RELAXED);
  return deviceId == 0 ? counted + _heap.load(RELAXED) : counted;
}

LongType MemoryCounter::allocatedGroup(MemoryType group) const {
  const LongType counted = _groups[groupIndex(group)].used.load(RELAXED);
  return group == HOST ? counted + _heap.load(RELAXED) : counted;
}

void MemoryCounter::reserveHeap(size_t numBytes) {
  if (numBytes > static_cast<size_t>(std::numeric_limits<ptrdiff_t>::max()))
    fail<allocation_exception>("[memory] {} bytes are more than can be addressed", numBytes);
  const auto bytes = static_cast<LongType>(numBytes);
  // Limits of groups are for validateGroup: libnd4j applies them to devices only, and programs set them.
  const LongType onDeviceMost = deviceLimit(0), hostMost = limitOf(Environment::getInstance().maxPrimaryMemory());
  // Adds before checking, so that threads cannot exceed a limit together.
  const LongType heap = _heap.fetch_add(bytes, RELAXED);
  if (onDeviceMost <= 0 && hostMost <= 0) return;
  const LongType onDevice = _devices[0].used.load(RELAXED) + heap, onHost = _groups[0].used.load(RELAXED) + heap;
  const bool deviceOk = fits(onDevice, bytes, onDeviceMost);
  if (deviceOk && fits(onHost, bytes, hostMost)) return;
  _heap.fetch_sub(bytes, RELAXED);
  fail<allocation_exception>("[memory] {} bytes on top of the {} in use exceed the limit of {}, which is {} bytes",
                             bytes, deviceOk ? onHost : onDevice, deviceOk ? "the host" : "device 0",
                             deviceOk ? hostMost : onDeviceMost);
}

void MemoryCounter::releaseHeap(size_t numBytes) noexcept { _heap.fetch_sub(static_cast<LongType>(numBytes), RELAXED); }

}  // namespace sd::memory
