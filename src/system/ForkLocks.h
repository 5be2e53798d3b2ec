// Locks of the process that are held during fork(): in the child they are free and their data is consistent.
#ifndef NDFORGE_SRC_SYSTEM_FORKLOCKS_H
#define NDFORGE_SRC_SYSTEM_FORKLOCKS_H

namespace sd {

/// The order in which the locks are taken. A lock that may be taken while another is held comes after that one.
enum class ForkOrder { Graphs, Registry, Listings, Interned, LargeBlocks, SmallBlocks, Chunks, Register };

/// An object of static storage next to the lock. `lock` and `unlock` handle all locks of that kind in the file. In the
/// child, `renew` is called instead of `unlock`, for locks that store their owning thread.
class ForkLock {
 public:
  ForkLock(ForkOrder order, void (*lock)(), void (*unlock)(), void (*renew)() = nullptr) noexcept;
};

}  // namespace sd

#endif
