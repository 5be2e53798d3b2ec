// A list of operations by group, exported as text for other languages.
#ifndef NDFORGE_HELPERS_OPTRACKER_H
#define NDFORGE_HELPERS_OPTRACKER_H

#include <ops/declarable/OpDescriptor.h>
#include <system/common.h>

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace sd {

/// Thread-safe. Groups are numbers.
class SD_LIB_EXPORT OpTracker {
 public:
  static OpTracker& getInstance();

  int totalGroups();
  int totalOperations();

  /// If the group already has an operation of that name, the operation is not stored again.
  void storeOperation(int group, const ops::OpDescriptor& descriptor);
  void storeOperation(int group, const char* name, LongType opNum);

  /// "group hash:number:name<<hash:number:name<<>>" for each group. The text is valid until the next call.
  const char* exportOperations();

 private:
  struct Fork;

  std::mutex _mutex;
  std::map<int, std::vector<ops::OpDescriptor>> _groups;
  std::string _text;

  OpTracker() = default;
};

}  // namespace sd

#endif
