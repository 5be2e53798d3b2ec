// A pair of ints.
#ifndef NDFORGE_TYPES_PAIR_H
#define NDFORGE_TYPES_PAIR_H

namespace sd {

class Pair {
 public:
  constexpr Pair(int first = 0, int second = 0) : _first(first), _second(second) {}
  constexpr int first() const { return _first; }
  constexpr int second() const { return _second; }

 private:
  int _first;
  int _second;
};

}  // namespace sd

#endif
