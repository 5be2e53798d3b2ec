// Byte order of serialised arrays.
#ifndef NDFORGE_ARRAY_BYTEORDER_H
#define NDFORGE_ARRAY_BYTEORDER_H

namespace sd {

enum ByteOrder {
  LE = 0,
  BE = 1,
};

}  // namespace sd

#endif
