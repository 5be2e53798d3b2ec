// The hash by which operations are called through the C interface.
#ifndef NDFORGE_HELPERS_HELPER_HASH_H
#define NDFORGE_HELPERS_HELPER_HASH_H

#include <system/common.h>

#include <string>
#include <string_view>

namespace sd::ops {

class SD_LIB_EXPORT HashHelper {
 public:
  static HashHelper& getInstance();
  /// A 64-bit hash of the bytes of `text`; the same on every machine and in every version.
  LongType getLongHash(std::string& text) const { return hashOf(text); }
  static LongType hashOf(std::string_view text);
};

}  // namespace sd::ops

#endif
