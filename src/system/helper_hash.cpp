#include <helpers/helper_hash.h>

#include <array>

namespace sd::ops {
namespace {

using Table = std::array<UnsignedLong, 256>;

constexpr UnsignedLong MULTIPLIER = 7664345821815920749u;
constexpr UnsignedLong START = 0xBB40E64DA205B064u;

constexpr Table makeTable() {
  Table table{};
  UnsignedLong h = 0x544B2FBACAAF1684u;
  for (auto& entry : table) {
    for (int i = 0; i < 31; i++) {
      h = (h >> 7) ^ h;
      h = (h << 11) ^ h;
      h = (h >> 10) ^ h;
    }
    entry = h;
  }
  return table;
}

constexpr Table TABLE = makeTable();

}  // namespace

HashHelper& HashHelper::getInstance() {
  static HashHelper instance;
  return instance;
}

LongType HashHelper::hashOf(std::string_view text) {
  UnsignedLong h = START;
  // Each character is hashed as two bytes, of which the upper one is 0.
  for (unsigned char c : text) h = (((h * MULTIPLIER) ^ TABLE[c]) * MULTIPLIER) ^ TABLE[0];
  return static_cast<LongType>(h);
}

}  // namespace sd::ops
