// The location of the checked-in test data.
#ifndef NDFORGE_TESTS_TESTDATA_H
#define NDFORGE_TESTS_TESTDATA_H

#include <filesystem>

namespace test {

/// The folder tests_cpu/data, or the one that the environment variable NDFORGE_TEST_DATA names.
std::filesystem::path dataFolder();

}  // namespace test

#endif
