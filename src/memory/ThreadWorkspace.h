// The workspace attached to the calling thread.
#ifndef NDFORGE_SRC_MEMORY_THREADWORKSPACE_H
#define NDFORGE_SRC_MEMORY_THREADWORKSPACE_H

namespace sd::memory {

class Workspace;

// Read for every new array: the constant initialiser makes it a single load.
inline constinit thread_local Workspace* threadWorkspace = nullptr;

}  // namespace sd::memory

#endif
