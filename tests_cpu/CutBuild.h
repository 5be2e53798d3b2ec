// Tests of a build that is limited to some element types or operations.
#ifndef NDFORGE_TESTS_CUTBUILD_H
#define NDFORGE_TESTS_CUTBUILD_H

namespace sd::tests {

/// Skips the tests that this build cannot run. Call it between InitGoogleTest and RUN_ALL_TESTS. Does nothing in a
/// complete build.
///
/// To find these tests, it runs all tests once in a separate process, without output. A test is skipped when one of its
/// failures, or the C interface, reports the library's message that a kernel or an operation is not in the build; that
/// message is given as the reason. A test that fails in another way is run, and fails.
void skipWhatIsNotBuilt();

}  // namespace sd::tests

#endif
