// Three ints.
#ifndef NDFORGE_TYPES_TRIPLE_H
#define NDFORGE_TYPES_TRIPLE_H

namespace sd {

class Triple {
 public:
  constexpr Triple(int first = 0, int second = 0, int third = 0) : _first(first), _second(second), _third(third) {}
  constexpr int first() const { return _first; }
  constexpr int second() const { return _second; }
  constexpr int third() const { return _third; }

 private:
  int _first;
  int _second;
  int _third;
};

}  // namespace sd

#endif
