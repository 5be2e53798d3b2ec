// Kinds of memory.
#ifndef NDFORGE_MEMORY_MEMORYTYPE_H
#define NDFORGE_MEMORY_MEMORYTYPE_H

namespace sd::memory {

enum MemoryType {
  HOST = 0,
  DEVICE = 10,
};

}  // namespace sd::memory

#endif
