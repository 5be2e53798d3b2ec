#include "system/ForkLocks.h"

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

#include <cstdlib>
#include <iterator>

namespace sd {

namespace {

struct Lock {
  ForkOrder order;
  void (*lock)();
  void (*unlock)();
  void (*renew)();
};

// Filled by a single thread while the library is loaded.
constinit Lock locks[16] = {};
constinit int count = 0;

void lockAll() {
  for (int i = 0; i < count; i++) locks[i].lock();
}

void unlockAll() {
  for (int i = count; i-- > 0;) locks[i].unlock();
}

void openInChild() {
  for (int i = count; i-- > 0;) (locks[i].renew != nullptr ? locks[i].renew : locks[i].unlock)();
}

}  // namespace

ForkLock::ForkLock(ForkOrder order, void (*lock)(), void (*unlock)(), void (*renew)()) noexcept {
  if (count == static_cast<int>(std::size(locks))) std::abort();
#if defined(__unix__) || defined(__APPLE__)
  if (count == 0) pthread_atfork(lockAll, unlockAll, openInChild);
#endif
  int at = count++;
  for (; at > 0 && locks[at - 1].order > order; at--) locks[at] = locks[at - 1];
  locks[at] = {order, lock, unlock, renew};
}

}  // namespace sd
