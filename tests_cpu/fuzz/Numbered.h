// What the functions of a group of numbered operations take.
#ifndef NDFORGE_FUZZ_NUMBERED_H
#define NDFORGE_FUZZ_NUMBERED_H

#include "Call.h"

namespace fuzz {

/// What a function of a group takes beside x and z, and how long z is.
struct Form {
  bool y = false, axes = false;
  enum { LikeX, One, Reduced, Pairs } z = LikeX;
};

/// `form`: which of the group's functions.
Form formOf(sd::loops::OpGroup group, int form);

}  // namespace fuzz

#endif
