// The workspace of each thread, and the known memory requirements of graphs.
#ifndef NDFORGE_MEMORY_MEMORYREGISTRATOR_H
#define NDFORGE_MEMORY_MEMORYREGISTRATOR_H

#include <memory/Workspace.h>
#include <system/common.h>

#include <mutex>
#include <unordered_map>

namespace sd::memory {

class SD_LIB_EXPORT MemoryRegistrator {
 public:
  static MemoryRegistrator& getInstance();

  /// The workspace from which the calling thread's arrays take their buffers; nullptr when there is none.
  Workspace* getWorkspace() const;
  bool hasWorkspaceAttached() const { return getWorkspace() != nullptr; }

  /// For the calling thread only. The caller still owns the workspace, which must live until it is forgotten.
  void attachWorkspace(Workspace* workspace);
  void forgetWorkspace();

  /// Bytes that one run of the graph with this hash needs; 0 when unknown.
  LongType getGraphMemoryFootprint(LongType hash) const;
  void setGraphMemoryFootprint(LongType hash, LongType bytes);
  void setGraphMemoryFootprintIfGreater(LongType hash, LongType bytes);

 private:
  MemoryRegistrator() = default;

  struct Fork;

  mutable std::mutex _mutex;
  std::unordered_map<LongType, LongType> _footprint;
};

}  // namespace sd::memory

#endif
