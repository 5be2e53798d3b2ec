// The names that ops/declarable/CustomOperations.h alone provides.
#include <ops/declarable/CustomOperations.h>

namespace {

template <typename... T>
constexpr bool visible = (... && (sizeof(T) > 0));

using namespace sd::ArrayUtils;

static_assert(visible<sd::NDArrayFactory, sd::ConstantShapeHelper, sd::ConstantTadHelper, sd::OpTracker,
                      sd::ShapeBuilders, shape::TAD, sd::_loader>,
              "the headers that api programs rely on");
static_assert(visible<sd::ops::DeclarableOp*, sd::ops::DeclarableListOp*, sd::ops::BooleanOp*, sd::OpArgsHolder,
                      sd::ops::OpRegistrator, sd::ops::platforms::PlatformHelper*, sd::ShapeUtils, sd::graph::Context,
                      sd::graph::Variable, sd::graph::VariableSpace, sd::ops::OpDescriptor, sd::ops::HashHelper>,
              "what these bring");
static_assert(
    visible<sd::StringUtils, sd::ConstantHelper, sd::PointersManager, functions::summarystats::SummaryStatsData<float>,
            std::thread, samediff::Threads, samediff::ThreadsHelper, sd::allocation_exception>,
    "what programs name without a header of their own");
static_assert(visible<sd::ops::add, sd::ops::conv2d, sd::ops::gather, sd::ops::lstmLayer, sd::ops::softmax>,
              "operations");
static_assert(visible<Context, Variable, VariableSpace>, "sd::graph is open");

// A program's platform helper that uses only this header.
DECLARE_PLATFORM(add, ENGINE_CPU)

[[maybe_unused]] float scaled(float x) { return sd::math::sd_exp<float, float>(x) * std::sqrt(x); }

}  // namespace

#include <gtest/gtest.h>

TEST(CustomOperationsHeaderTests, ThreadsAreThere) {
  std::vector<int> seen(8);
  const auto body = PRAGMA_THREADS_FOR {
    for (auto i = start; i < stop; i += increment) seen[static_cast<size_t>(i)]++;
    (void)thread_id;
  };
  samediff::Threads::parallel_for(body, 0, 8);
  EXPECT_EQ(seen, std::vector<int>(8, 1));
}
