#include "TestData.h"

#include <TestDataPath.h>

#include <cstdlib>

namespace test {

std::filesystem::path dataFolder() {
  const char* named = std::getenv("NDFORGE_TEST_DATA");
  return named ? named : NDFORGE_TEST_DATA;
}

}  // namespace test
