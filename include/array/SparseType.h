// Storage schemes of sparse arrays.
#ifndef NDFORGE_ARRAY_SPARSETYPE_H
#define NDFORGE_ARRAY_SPARSETYPE_H

namespace sd {

enum SparseType {
  CSR = 1,
  CSC = 2,
  COO = 3,
  LIL = 4,
};

}  // namespace sd

#endif
