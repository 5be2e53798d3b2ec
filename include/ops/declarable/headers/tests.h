// Operations with which programs test how operations are called.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_TESTS_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_TESTS_H

#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/DeclarableReductionOp.h>

#include <vector>

namespace sd::ops {

namespace args {
/// Arguments of testreduction.
struct TestReduction {
  std::vector<int> axis{};
};
}  // namespace args

// shapes only
DECLARE_OP(noop, -2, -2, true)
DECLARE_CUSTOM_OP(testcustom, 1, 1, false, 0, -1)
DECLARE_REDUCTION_OP(testreduction, 1, 1, false, 0, -1)

// small computations
DECLARE_OP(test_output_reshape, 1, 1, true)
DECLARE_CUSTOM_OP(test_scalar, 1, 1, false, 0, 0)
DECLARE_OP(testop2i2o, 2, 2, true)

}  // namespace sd::ops

#endif
