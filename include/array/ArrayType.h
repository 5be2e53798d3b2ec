// How the elements of an array are stored.
#ifndef NDFORGE_ARRAY_ARRAYTYPE_H
#define NDFORGE_ARRAY_ARRAYTYPE_H

namespace sd {

enum ArrayType {
  DENSE = 1,
  SPARSE = 2,
  COMPRESSED = 3,
  EMPTY = 4,
  RAGGED = 5,
};

}  // namespace sd

#endif
