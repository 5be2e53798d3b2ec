#include <helpers/OpTracker.h>

#include <algorithm>

#include "loops/ListedGroups.h"
#include "system/Error.h"
#include "system/ForkLocks.h"

namespace sd {

struct OpTracker::Fork {
  static const ForkLock lock;
};
const ForkLock OpTracker::Fork::lock(
    ForkOrder::Listings, [] { getInstance()._mutex.lock(); }, [] { getInstance()._mutex.unlock(); });

namespace {

/// It knows the numbered operations from the start.
bool fill(OpTracker& tracker) {
  for (const loops::ListedGroup& listed : loops::LISTED_GROUPS)
    for (const loops::NumberedOp& op : loops::numberedOps())
      if (op.group == listed.group) tracker.storeOperation(listed.type, std::string(op.name).c_str(), op.number);
  return true;
}

}  // namespace

OpTracker& OpTracker::getInstance() {
  static OpTracker instance;
  [[maybe_unused]] static const bool filled = fill(instance);
  return instance;
}

int OpTracker::totalGroups() {
  const std::lock_guard lock(_mutex);
  return static_cast<int>(_groups.size());
}

int OpTracker::totalOperations() {
  const std::lock_guard lock(_mutex);
  size_t count = 0;
  for (const auto& [group, operations] : _groups) count += operations.size();
  return static_cast<int>(count);
}

void OpTracker::storeOperation(int group, const ops::OpDescriptor& descriptor) {
  const std::lock_guard lock(_mutex);
  auto& operations = _groups[group];
  const bool known = std::any_of(operations.begin(), operations.end(),
                                 [&](const ops::OpDescriptor& other) { return other.name() == descriptor.name(); });
  if (!known) operations.push_back(descriptor);
}

void OpTracker::storeOperation(int group, const char* name, LongType opNum) {
  if (name == nullptr) fail("[OpTracker] argument 'name' is null");
  ops::OpDescriptor descriptor(0, name, false);
  descriptor.setOpNum(static_cast<int>(opNum));
  storeOperation(group, descriptor);
}

const char* OpTracker::exportOperations() {
  const std::lock_guard lock(_mutex);
  _text.clear();
  for (auto& [group, operations] : _groups) {
    _text += std::to_string(group) + " ";
    for (auto& operation : operations)
      _text += fmt::format("{}:{}:{}<<", operation.getHash(), operation.getOpNum(), operation.name());
    _text += ">>";
  }
  return _text.c_str();
}

}  // namespace sd
