// The headers that most programs include first, together and in this order, and the namespaces that they open.
// clang-format off
#include <array/NDArray.h>
#include <array/NDArrayFactory.h>
#include <cnpy/cnpy.h>
#include <graph/GraphExecutioner.h>
#include <graph/Node.h>
#include <graph/Variable.h>
#include <graph/VariableSpace.h>
#include <helpers/shape.h>
#include <legacy/NativeOps.h>
#include <memory/MemoryTracker.h>
#include <ops/gemm.h>
#include <ops/ops.h>
#include <system/common.h>
#include <system/op_boilerplate.h>
#include <ops/declarable/CustomOperations.h>
#include <ops/declarable/LegacyTransformOp.h>
#include <ops/declarable/helpers/legacy_helpers.h>
#include <ops/random_ops.h>
#include <ops/special_random_ops.h>
// clang-format on

#include <gtest/gtest.h>

using namespace sd;
using namespace sd::graph;
using namespace sd::ops;
using namespace sd::memory;
using namespace samediff;

namespace {

// Names that programs use without including the headers that declare them.
template <typename... T>
constexpr bool visible = (... && (sizeof(T) > 0));

static_assert(visible<ArrayOptions, DataBuffer, DataTypeUtils, ExtraArguments, InteropDataBuffer, ResultSet,
                      ShapeDescriptor, AffinityManager, Intervals, ConstantShapeHelper, ShapeBuilders, IndicesList,
                      MemoryCounter, BroadcastOpsTuple, BroadcastBoolOpsTuple, BroadcastIntOpsTuple>,
              "array/NDArray.h");
static_assert(visible<ConstantTadHelper, OpTracker, shape::TAD, OpArgsHolder, OpRegistrator, ShapeUtils, Context,
                      Variable, VariableSpace, sd::_loader, platforms::PlatformHelper*, allocation_exception>,
              "ops/declarable/CustomOperations.h");
static_assert(visible<VariableProxy, VariablesSet, FlowPath, Stash, RandomGenerator, ContextPrototype, OpDescriptor>,
              "graph/GraphExecutioner.h");

}  // namespace

TEST(HeadersTests, NamesAreNotAmbiguous) {
  // CHECK_ALLOC is used in operations, which include no other headers.
  const auto check = [](const void* pointer) { CHECK_ALLOC(pointer, "nothing there", 16); };
  int value = 0;
  EXPECT_NO_THROW(check(&value));
  EXPECT_THROW(check(nullptr), allocation_exception);
  Context context(1);
  EXPECT_EQ(context.nodeId(), 1);
  EXPECT_EQ(LegacyTransformSameOp(transform::Abs).getOpDescriptor()->getOpNum(), transform::Abs);
}
