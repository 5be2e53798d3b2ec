// The space that the elements of an array belong to.
#ifndef NDFORGE_ARRAY_SPACETYPE_H
#define NDFORGE_ARRAY_SPACETYPE_H

namespace sd {

enum SpaceType {
  CONTINUOUS = 1,
  COMPLEX = 2,
  QUANTIZED = 3,
};

}  // namespace sd

#endif
