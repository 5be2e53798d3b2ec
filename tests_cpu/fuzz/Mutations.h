// Functions that the mutations share.
#ifndef NDFORGE_FUZZ_MUTATIONS_H
#define NDFORGE_FUZZ_MUTATIONS_H

#include "Call.h"

namespace fuzz {

inline LongType randomSize(Random& random) { return random.pick<LongType>({0, 1, 1, 2, 2, 3, 4, 5, 7, 8, 16, 33}); }

/// nullptr when there is none.
inline Array* anyInput(Call& call, Random& random) {
  return call.inputs.empty() ? nullptr : &call.inputs[random.below(call.inputs.size())];
}

/// Makes a shapeInfo inconsistent, or passes null pointers.
std::string lie(Call& call, Random& random);
std::string makeString(Call& call, Random& random);
std::string changeOutputs(Call& call, Random& random);

}  // namespace fuzz

#endif
