// Where the function of a simple operation writes a result, and with which request.
#ifndef NDFORGE_SRC_OPS_SIMPLE_SIMPLERESULT_H
#define NDFORGE_SRC_OPS_SIMPLE_SIMPLERESULT_H

#include <ops/simple/TensorView.h>

#include <memory>
#include <span>

namespace sd::ops {

/// One result of a call: view() and request() go to the function, finish() follows.
class SimpleResult {
 public:
  /// `z` is null when nobody needs the result. `sum`, if it is given, is added to it, and may be the same memory.
  SimpleResult(NDArray* z, NDArray* sum, std::span<NDArray* const> operands);

  OutputView view() const { return OutputView(_apart != nullptr ? _apart.get() : _z); }
  OpReqType request() const { return _request; }
  void finish();

 private:
  NDArray *_z, *_sum;
  std::unique_ptr<NDArray> _apart;  // where the function writes, when it cannot write z
  OpReqType _request = kWriteTo;
};

}  // namespace sd::ops

#endif
