// Locks of the process that are held while it forks: in the child they are free, and what they guard is whole.
#ifndef NDFORGE_SRC_SYSTEM_FORKLOCKS_H
#define NDFORGE_SRC_SYSTEM_FORKLOCKS_H

namespace sd {

/// In the order in which they are taken: what may be locked while another one is held comes after that one.
enum class ForkOrder { Registry, Listings, Interned, LargeBlocks, SmallBlocks, Chunks, Register };

/// An object of static storage beside the lock. The functions lock and unlock what the file has of that kind; in the
/// child `renew` is called instead of `unlock`, for locks that know the thread that has them.
class ForkLock {
 public:
  ForkLock(ForkOrder order, void (*lock)(), void (*unlock)(), void (*renew)() = nullptr) noexcept;
};

}  // namespace sd

#endif
