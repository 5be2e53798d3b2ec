// Ranges of all dimensions, for NDArray::subarray.
#ifndef NDFORGE_GRAPH_INTERVALS_H
#define NDFORGE_GRAPH_INTERVALS_H

#include <system/common.h>

#include <initializer_list>
#include <vector>

namespace sd {

/// {from, to} for each dimension, `to` exclusive; {} is the whole dimension.
class SD_LIB_EXPORT Intervals {
 public:
  Intervals() = default;
  Intervals(std::initializer_list<std::vector<LongType>> content) : _content(content) {}
  Intervals(const std::vector<std::vector<LongType>>& content) : _content(content) {}

  const std::vector<LongType>& operator[](LongType dimension) const { return _content[dimension]; }
  int size() const { return static_cast<int>(_content.size()); }

 private:
  std::vector<std::vector<LongType>> _content;
};

}  // namespace sd

#endif
