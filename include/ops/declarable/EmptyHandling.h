// How an operation treats empty inputs.
#ifndef NDFORGE_OPS_DECLARABLE_EMPTYHANDLING_H
#define NDFORGE_OPS_DECLARABLE_EMPTYHANDLING_H

namespace samediff {

enum EmptyHandling {
  EMPTY_SKIP = 1,       ///< nothing is computed
  EMPTY_EXCEPTION = 2,  ///< the call is rejected
  EMPTY_EXECUTE = 3,    ///< the operation handles them itself
};

}  // namespace samediff

#endif
