// Operations while a workspace is attached.
#include <array/NDArray.h>
#include <gtest/gtest.h>
#include <memory/Workspace.h>
#include <ops/declarable/CustomOperations.h>

using namespace sd;
using namespace sd::memory;

TEST(OpsWorkspace, ResultsOfCallsOutliveTheScope) {
  Workspace workspace(1 << 16);
  LaunchContext::defaultContext()->setWorkspace(&workspace);
  workspace.scopeIn();
  NDArray x('c', {4}, {1, 2, 3, 4}, FLOAT32);
  ResultSet result = ops::add().evaluate({&x, &x});
  EXPECT_FALSE(result.at(0)->isAttached());
  workspace.scopeOut();
  workspace.scopeIn();
  NDArray other('c', {64}, FLOAT32);
  other.assign(77.f);
  EXPECT_EQ(result.at(0)->e<float>(0), 2);
  workspace.scopeOut();
  LaunchContext::defaultContext()->setWorkspace(nullptr);
}
