// Tests of a build that is cut to some element types or operations.
#ifndef NDFORGE_TESTS_CUTBUILD_H
#define NDFORGE_TESTS_CUTBUILD_H

namespace sd::tests {

/// Skips the tests that this build cannot run; to be called between InitGoogleTest and RUN_ALL_TESTS. Does nothing in a
/// build that is not cut.
///
/// Which tests these are is found by running all of them once, without output, in a process of its own: a test is left
/// out when one of its failures shows the library's message that a kernel or an operation is not in the build, or when
/// the C interface holds that message. It is the reason given. A test that fails otherwise is run, and fails.
void skipWhatIsNotBuilt();

}  // namespace sd::tests

#endif
