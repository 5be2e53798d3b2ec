// The arguments of the functions of each group of numbered operations.
#ifndef NDFORGE_FUZZ_NUMBERED_H
#define NDFORGE_FUZZ_NUMBERED_H

#include "Call.h"

namespace fuzz {

/// What a function of a group takes besides x and z, and the length of z.
struct Form {
  bool y = false, axes = false;
  enum { LikeX, One, Reduced, Pairs } z = LikeX;
};

/// `form`: which of the group's functions.
Form formOf(sd::loops::OpGroup group, int form);

}  // namespace fuzz

#endif
