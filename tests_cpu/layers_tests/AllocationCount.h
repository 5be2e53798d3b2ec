// Counts allocations with `new`, for tests of code that must not allocate.
#ifndef NDFORGE_TESTS_ALLOCATIONCOUNT_H
#define NDFORGE_TESTS_ALLOCATIONCOUNT_H

namespace sd_test {

/// How often this process called operator new so far.
long long allocationCount();

}  // namespace sd_test

#endif
