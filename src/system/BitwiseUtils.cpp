#include <helpers/BitwiseUtils.h>

#include <bit>

namespace sd {

int BitwiseUtils::valueBit(int holder) { return holder == 0 ? -1 : std::countr_zero(static_cast<unsigned>(holder)); }

std::vector<int> BitwiseUtils::valueBits(int holder) {
  std::vector<int> bits;
  for (int i = 0; i < 32; i++) bits.push_back(static_cast<int>(static_cast<unsigned>(holder) >> i & 1u));
  return bits;
}

}  // namespace sd
