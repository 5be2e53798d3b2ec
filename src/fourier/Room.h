// Memory for numbers that a transform computes on the way.
#ifndef NDFORGE_SRC_FOURIER_ROOM_H
#define NDFORGE_SRC_FOURIER_ROOM_H

#include <memory/Allocation.h>

#include <memory>

namespace sd::fourier {

struct ReleaseRoom {
  void operator()(void* room) const noexcept { memory::release(room); }
};
template <typename T>
using Room = std::unique_ptr<T[], ReleaseRoom>;

/// `count` numbers of any value.
template <typename T>
Room<T> roomFor(LongType count) {
  return Room<T>(static_cast<T*>(memory::allocate(memory::checkedBytes(static_cast<size_t>(count), sizeof(T)))));
}

}  // namespace sd::fourier

#endif
