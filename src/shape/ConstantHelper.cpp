#include <array/DataTypeUtils.h>
#include <helpers/ConstantHelper.h>
#include <memory/MemoryCounter.h>
#include <memory/Workspace.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <type_traits>
#include <vector>

#include "shape/InternTable.h"
#include "system/Error.h"
#include "system/ForkLocks.h"
#include "types/TypeDispatch.h"

namespace sd {

namespace {

struct ConstantEntry {
  ConstantEntry(const ConstantDescriptor& what, DataType type) : descriptor(what), dataType(type) {}
  size_t hash = 0;
  ConstantEntry* next = nullptr;
  ConstantDescriptor descriptor;
  DataType dataType;
  std::unique_ptr<std::byte[]> bytes;
  ConstantDataBuffer buffer;
};

constinit InternTable<ConstantEntry, 10> table;
constinit std::atomic<LongType> cachedBytes{0};

// Keeps copies that live as long as the process reachable.
struct Replicas {
  std::mutex mutex;
  std::vector<std::unique_ptr<std::byte[]>> blocks;
};
Replicas& replicas() {
  static auto* instance = new Replicas;
  return *instance;
}

const ForkLock tableForkLock(
    ForkOrder::Interned, [] { table.lock(); }, [] { table.unlock(); });
const ForkLock replicasForkLock(
    ForkOrder::Interned, [] { replicas().mutex.lock(); }, [] { replicas().mutex.unlock(); });

void count(LongType bytes) {
  cachedBytes.fetch_add(bytes, std::memory_order_relaxed);
  memory::MemoryCounter::getInstance().countCaches(bytes);
}

template <typename T, typename From>
T converted(From value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value != From{0};
  } else if constexpr (std::is_integral_v<T>) {
    using Limits = std::numeric_limits<T>;
    if (value != value) return 0;
    if constexpr (std::is_floating_point_v<From>) {
      // The limits may not be representable as From; the powers of two are.
      const From above = std::ldexp(From{1}, Limits::digits);
      if (value >= above) return Limits::max();
      if (value <= (Limits::is_signed ? -above : From{0})) return Limits::min();
    } else {
      if (value < 0 && !Limits::is_signed) return 0;
      if (value > 0 && static_cast<uint64_t>(value) > static_cast<uint64_t>(Limits::max())) return Limits::max();
      if (value < 0 && value < static_cast<LongType>(Limits::min())) return Limits::min();
    }
    return static_cast<T>(value);
  } else {
    return static_cast<T>(value);
  }
}

template <typename T>
void fillAs(const ConstantDescriptor& descriptor, void* out) {
  auto* to = static_cast<T*>(out);
  for (const LongType value : descriptor.integerValues()) *to++ = converted<T>(value);
  for (const double value : descriptor.floatValues()) *to++ = converted<T>(value);
}

using Fill = void (*)(const ConstantDescriptor&, void*);

Fill fillOf(DataType dataType) {
  return visitNumericType(
      dataType, []<typename T>() -> Fill { return fillAs<T>; },
      [&] { fail("[constant] type {} is not a numeric type", static_cast<int>(dataType)); });
}

}  // namespace

ConstantHelper& ConstantHelper::getInstance() {
  static ConstantHelper instance;
  return instance;
}

ConstantDataBuffer* ConstantHelper::constantBuffer(const ConstantDescriptor& descriptor, DataType dataType) {
  const Fill fill = fillOf(dataType);
  const size_t hash = mixHash(std::hash<ConstantDescriptor>()(descriptor), static_cast<uint64_t>(dataType));
  const auto matches = [&](const ConstantEntry& entry) {
    return entry.dataType == dataType && entry.descriptor == descriptor;
  };
  if (ConstantEntry* known = table.find(hash, matches)) return &known->buffer;

  auto entry = std::make_unique<ConstantEntry>(descriptor, dataType);
  const size_t size = DataTypeUtils::sizeOf(dataType), length = static_cast<size_t>(descriptor.length());
  entry->bytes = std::make_unique<std::byte[]>(size * length);
  fill(descriptor, entry->bytes.get());
  entry->buffer =
      ConstantDataBuffer(entry->bytes.get(), static_cast<LongType>(length), dataType, static_cast<int>(size));
  const ConstantEntry* mine = entry.get();
  ConstantEntry& added = table.insert(hash, std::move(entry), matches);
  if (&added == mine) count(static_cast<LongType>(size * length));
  return &added.buffer;
}

void* ConstantHelper::replicatePointer(const void* src, size_t numBytes, memory::Workspace* workspace) {
  if (!src && numBytes > 0) fail("[constant] cannot copy {} bytes from a null pointer", numBytes);
  if (workspace) {
    void* copy = workspace->allocateBytes(static_cast<LongType>(numBytes > 0 ? numBytes : 1));
    if (numBytes > 0) std::memcpy(copy, src, numBytes);
    return copy;
  }
  auto block = std::make_unique_for_overwrite<std::byte[]>(numBytes > 0 ? numBytes : 1);
  void* copy = block.get();
  if (numBytes > 0) std::memcpy(copy, src, numBytes);
  const std::lock_guard<std::mutex> lock(replicas().mutex);
  replicas().blocks.push_back(std::move(block));
  count(static_cast<LongType>(numBytes));
  return copy;
}

LongType ConstantHelper::getCachedAmount(int deviceId) const {
  return deviceId == 0 ? cachedBytes.load(std::memory_order_relaxed) : 0;
}

}  // namespace sd
