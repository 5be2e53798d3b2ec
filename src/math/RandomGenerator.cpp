// Seeding of the random number generator.
#include <helpers/RandomGenerator.h>

#include <chrono>

namespace sd::graph {

void RandomGenerator::setStates(LongType rootSeed, LongType nodeSeed) {
  using namespace std::chrono;
  constexpr LongType defaultNode = 1298567341;
  _root = static_cast<uint64_t>(
      rootSeed != 0 ? rootSeed : duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count());
  _node = static_cast<uint64_t>(nodeSeed != 0 ? nodeSeed : defaultNode);
}

}  // namespace sd::graph
