// The indices of all dimensions, for NDArray::subarray.
#ifndef NDFORGE_INDEXING_INDICESLIST_H
#define NDFORGE_INDEXING_INDICESLIST_H

#include <indexing/NDIndex.h>

#include <initializer_list>
#include <vector>

namespace sd {

/// Owns its index objects.
class SD_LIB_EXPORT IndicesList {
 public:
  explicit IndicesList(std::initializer_list<NDIndex*> indices = {});
  ~IndicesList();
  IndicesList(const IndicesList&) = delete;
  IndicesList& operator=(const IndicesList&) = delete;

  int size() const { return static_cast<int>(_indices.size()); }
  /// @throws std::out_of_range when there is no such dimension
  NDIndex* at(int dimension) const { return _indices.at(static_cast<size_t>(dimension)); }
  void push_back(NDIndex* index);
  /// True when every index is a single point.
  bool isScalar() const;

 private:
  std::vector<NDIndex*> _indices;
};

}  // namespace sd

#endif
