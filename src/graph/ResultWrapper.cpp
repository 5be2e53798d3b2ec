#include <graph/ResultWrapper.h>

#include "system/Error.h"

namespace sd::graph {

ResultWrapper::ResultWrapper(LongType size, Pointer ptr) : _size(size), _pointer(ptr) {
  if (size <= 0 || ptr == nullptr) fail("[ResultWrapper] a result of {} bytes at {} is no result", size, fmt::ptr(ptr));
}

ResultWrapper::~ResultWrapper() { delete[] static_cast<char*>(_pointer); }

}  // namespace sd::graph
