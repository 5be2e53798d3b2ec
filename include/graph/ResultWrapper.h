// The bytes of a result, for the C interface.
#ifndef NDFORGE_GRAPH_RESULTWRAPPER_H
#define NDFORGE_GRAPH_RESULTWRAPPER_H

#include <system/common.h>

namespace sd::graph {

/// Owns the bytes of a FlatResult, which come from new char[].
class SD_LIB_EXPORT ResultWrapper {
 public:
  /// @throws std::runtime_error when there are no bytes; they then still belong to the caller
  ResultWrapper(LongType size, Pointer ptr);
  ResultWrapper(const ResultWrapper&) = delete;
  ResultWrapper& operator=(const ResultWrapper&) = delete;
  ~ResultWrapper();

  LongType size() const { return _size; }
  Pointer pointer() const { return _pointer; }

 private:
  LongType _size;
  Pointer _pointer;
};

}  // namespace sd::graph

#endif
