// Queries and methods of arrays that other test files do not cover.
#include <array/NDArray.h>
#include <array/NDArrayFactory.h>
#include <array/NDArrayFile.h>
#include <gtest/gtest.h>
#include <memory/Workspace.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "NDArrayHelpers.h"
#include "NpyTestTools.h"

using namespace sd;
using nd_test::expectArray;
using nd_test::layoutsOf;

namespace {

std::string printed(const std::function<void()>& call) {
  testing::internal::CaptureStdout();
  call();
  return testing::internal::GetCapturedStdout();
}

}  // namespace

// ---- description

TEST(NDArrayInterfaceTests, Description) {
  const NDArray x('f', {2, 3}, INT16);
  EXPECT_EQ(x.sizeOfT(), 2u);
  EXPECT_EQ(x.getShapeAsVectorInt(), (std::vector<int>{2, 3}));
  const std::vector<LongType> info = x.getShapeInfoAsVector();
  ASSERT_EQ(info.size(), 8u);
  EXPECT_EQ((std::vector<LongType>(info.begin(), info.begin() + 5)), (std::vector<LongType>{2, 2, 3, 1, 2}));
  EXPECT_EQ(info[5], ARRAY_SHORT);
  EXPECT_EQ(info[7], 'f');
  const std::vector<int64_t> flat = x.getShapeInfoAsFlatVector();
  EXPECT_TRUE(std::equal(flat.begin(), flat.end(), info.begin(), info.end()));
  EXPECT_EQ(x.shapeOf()[1], 3);
  EXPECT_EQ(x.stridesOf()[1], 2);
  EXPECT_FALSE(x.isC());
  EXPECT_TRUE(x.isZ());
  EXPECT_EQ(x.platformBuffer(), x.buffer());
  EXPECT_EQ(x.platformShapeInfo(), x.shapeInfo());
  EXPECT_EQ(x.specialShapeInfo(), x.shapeInfo());
  NDArray y(x);
  EXPECT_EQ(y.platformBuffer(), y.buffer());
  EXPECT_EQ(y.bufferWithOffset(3), y.bufferAsT<int16_t>() + 3);
}

TEST(NDArrayInterfaceTests, SameShapeStrictAndSameType) {
  const NDArray x('c', {2, 3}, FLOAT32);
  struct {
    NDArray other;
    bool strict, shapeAndType;
  } const rows[] = {{NDArray('c', {2, 3}, FLOAT32), true, true},
                    {NDArray('f', {2, 3}, FLOAT32), false, true},
                    {NDArray('c', {2, 3}, DOUBLE), false, false},
                    {NDArray('c', {3, 2}, FLOAT32), false, false},
                    {NDArray('c', {3, 2}, FLOAT32).transpose(), false, true},
                    {NDArray('c', {6}, FLOAT32), false, false}};
  for (const auto& row : rows) {
    EXPECT_EQ(x.isSameShapeStrict(row.other), row.strict) << row.other.dataType();
    EXPECT_EQ(x.areSameShapeAndType(row.other), row.shapeAndType);
  }
}

TEST(NDArrayInterfaceTests, OffsetsOfViews) {
  NDArray x('c', {4, 5}, FLOAT32);
  EXPECT_EQ(x.bufferOffset(), 0);
  EXPECT_EQ(x({1, 3, 2, 5}, true).bufferOffset(), 7);
  EXPECT_EQ(x({1, 3, 2, 5}, true)({1, 2, 1, 2}, true).bufferOffset(), 13);
  EXPECT_EQ(x({1, 3, 2, 5}, true).getOffset(4), 6);  // element (1, 1)
}

TEST(NDArrayInterfaceTests, ContextsAndWorkspaces) {
  memory::Workspace workspace(1024);
  LaunchContext context;
  context.setWorkspace(&workspace);
  NDArray attached('c', {4}, {1, 2, 3, 4}, FLOAT32, &context), plain('c', {4}, FLOAT32);
  EXPECT_TRUE(attached.isAttached());
  EXPECT_EQ(attached.getContext(), &context);
  EXPECT_FALSE(plain.isAttached());
  EXPECT_EQ(plain.detach(), &plain);
  std::unique_ptr<NDArray> detached(attached.detach());
  EXPECT_NE(detached.get(), &attached);
  EXPECT_FALSE(detached->isAttached());
  attached.assign(0.f);
  expectArray(*detached, {4}, {1, 2, 3, 4});
  plain.setContext(&context);
  EXPECT_EQ(plain.getContext(), &context);
}

// Everything is on the host: these calls do nothing.
TEST(NDArrayInterfaceTests, NoDevice) {
  NDArray x('c', {3}, {1, 2, 3}, FLOAT32);
  const void* before = x.buffer();
  x.syncToHost();
  x.syncToDevice();
  x.syncShape();
  x.makeBothBuffersActual();
  x.tickWriteDevice();
  x.tickWriteHost();
  x.tickReadDevice();
  x.tickReadHost();
  x.tickBothActual();
  x.synchronize("x");
  NDArray::registerSpecialUse({&x}, {});
  NDArray::prepareSpecialUse({&x}, {}, true);
  NDArray::registerPrimaryUse({&x}, {});
  NDArray::preparePrimaryUse({&x}, {}, true);
  EXPECT_TRUE(x.isActualOnHostSide());
  EXPECT_TRUE(x.isActualOnDeviceSide());
  EXPECT_EQ(x.specialBuffer(), nullptr);
  EXPECT_EQ(x.specialBufferWithOffset(1), nullptr);
  EXPECT_EQ(x.buffer(), before);
  expectArray(x, {3}, {1, 2, 3});

  DataBuffer& buffer = *x.dataBuffer();
  buffer.syncToPrimary(nullptr, true);
  buffer.syncToSpecial(true);
  buffer.readPrimary();
  buffer.writePrimary();
  buffer.readSpecial();
  buffer.writeSpecial();
  buffer.allocateSpecial();
  EXPECT_TRUE(buffer.isPrimaryActual());
  EXPECT_FALSE(buffer.isSpecialActual());
  EXPECT_EQ(buffer.special(), nullptr);
}

// ---- values

TEST(NDArrayInterfaceTests, AsVectorT) {
  for (NDArray& x : layoutsOf({2, 2}, {1, 0, 3, 4})) {
    EXPECT_EQ(x.asVectorT<float>(), (std::vector<float>{1, 0, 3, 4}));
    EXPECT_EQ(x.asVectorT<bool>(), (std::vector<bool>{true, false, true, true}));
    EXPECT_EQ(x.asVectorT<uint8_t>(), (std::vector<uint8_t>{1, 0, 3, 4}));
  }
  EXPECT_TRUE(NDArray('c', {0, 2}, FLOAT32).asVectorT<int>().empty());
}

TEST(NDArrayInterfaceTests, SwapUnsafe) {
  for (NDArray& x : layoutsOf({2, 3}, {1, 2, 3, 4, 5, 6}))
    for (NDArray& y : layoutsOf({2, 3}, {7, 8, 9, 10, 11, 12})) {
      NDArray a(x), b(y);
      x.swapUnsafe(y);
      expectArray(x, {2, 3}, {7, 8, 9, 10, 11, 12});
      expectArray(y, {2, 3}, {1, 2, 3, 4, 5, 6});
      y.swapUnsafe(x);
    }
  NDArray x('c', {2}, FLOAT32), longer('c', {3}, FLOAT32), other('c', {2}, DOUBLE);
  EXPECT_THROW(x.swapUnsafe(longer), std::runtime_error);
  EXPECT_THROW(x.swapUnsafe(other), std::runtime_error);
}

TEST(NDArrayInterfaceTests, TileiAndTileToShape) {
  for (NDArray& x : layoutsOf({1, 2}, {1, 2})) {
    NDArray tiled(x);
    tiled.tilei({2, 2});
    expectArray(tiled, {2, 4}, {1, 2, 1, 2, 1, 2, 1, 2});
    NDArray target('f', {3, 2}, DOUBLE);
    x.tileToShape({3, 2}, target);
    expectArray(target, {3, 2}, {1, 2, 1, 2, 1, 2});
    expectArray(x.tileToShape(NDArray('c', {2, 4}, DOUBLE).shapeInfo()), {2, 4}, {1, 2, 1, 2, 1, 2, 1, 2});
  }
}

TEST(NDArrayInterfaceTests, TransposeiIsTheTransposeOfAView) {
  NDArray x('c', {2, 3}, {1, 2, 3, 4, 5, 6}, DOUBLE);
  NDArray view = x({0, 2, 0, 2}, true);
  view.transposei();
  expectArray(view, {2, 2}, {1, 4, 2, 5});
  view.p(0, 1, 40.0);
  expectArray(x, {2, 3}, {1, 2, 3, 40, 5, 6});
}

TEST(NDArrayInterfaceTests, ProdNumber) {
  for (NDArray& x : layoutsOf({2, 2}, {1, 2, 3, 4})) EXPECT_EQ(x.prodNumber().e<double>(0), 24);
  const NDArray product = NDArray('c', {3}, {2, 3, 4}, INT32).prodNumber();
  EXPECT_EQ(product.dataType(), INT32);
  EXPECT_EQ(product.rankOf(), 0);
  EXPECT_EQ(product.e<int>(0), 24);
  EXPECT_EQ(NDArray('c', {0}, FLOAT32).prodNumber().e<float>(0), 1);
}

TEST(NDArrayInterfaceTests, OperatorTuples) {
  const double x = 2, y = 3;
  struct {
    BroadcastOpsTuple tuple;
    double expected;
  } const rows[] = {{BroadcastOpsTuple::Add(), x + y},
                    {BroadcastOpsTuple::Subtract(), x - y},
                    {BroadcastOpsTuple::Multiply(), x * y},
                    {BroadcastOpsTuple::Divide(), x / y},
                    {BroadcastOpsTuple::DivideNoNan(), x / y},
                    {BroadcastOpsTuple::Assign(), y},
                    {BroadcastOpsTuple::Pow(), 8},
                    {BroadcastOpsTuple::PowDerivative(), y * 4},
                    // lower and upper regularised gamma functions: P(2, 3) = 1 - 4 e^-3
                    {BroadcastOpsTuple::IGamma(), 1 - 4 * std::exp(-3.0)},
                    {BroadcastOpsTuple::IGammac(), 4 * std::exp(-3.0)},
                    {BroadcastOpsTuple(scalar::Subtract, pairwise::Subtract, broadcast::Subtract), x - y}};
  const NDArray scalar = NDArrayFactory::create<double>(y), single = NDArrayFactory::create<double>(x);
  const NDArray row('c', {1, 3}, {x, x, x}, DOUBLE), same('c', {1, 3}, {y, y, y}, DOUBLE), column('c', {2, 1}, {y, y});
  for (const auto& [tuple, expected] : rows) {  // the scalar, the pairwise and the broadcast operation
    expectArray(row.applyTrueBroadcast(tuple, scalar), {1, 3}, {expected, expected, expected}, 1e-12);
    expectArray(row.applyTrueBroadcast(tuple, same), {1, 3}, {expected, expected, expected}, 1e-12);
    expectArray(row.applyTrueBroadcast(tuple, column), {2, 3}, std::vector<double>(6, expected), 1e-12);
    expectArray(single.applyTrueBroadcast(tuple, same), {1, 3}, {expected, expected, expected}, 1e-12);
  }
}

// ---- the factory

TEST(NDArrayInterfaceTests, SetOfArrays) {
  float buffer[] = {0, 1, 2, 3, 4, 5, 6};
  const NDArray shape('c', {2}, FLOAT32);
  const LongType offsets[] = {0, 5, 2};
  ResultSet set = NDArrayFactory::createSetOfArrs(3, buffer, shape.shapeInfo(), offsets);
  ASSERT_EQ(set.size(), 3);
  expectArray(*set.at(0), {2}, {0, 1});
  expectArray(*set.at(1), {2}, {5, 6});
  set.at(2)->assign(9.f);
  EXPECT_EQ(buffer[2], 9);
  EXPECT_EQ(buffer[3], 9);
}

TEST(NDArrayInterfaceTests, NpyFilesThroughTheFactory) {
  const test::TemporaryFile file(".npy");
  const NDArray x('c', {2, 2}, {1, 2, 3, 4}, DOUBLE);
  saveNpy(x, file.path);
  const NDArray y = NDArrayFactory::fromNpyFile(file.path.c_str());
  EXPECT_EQ(y.dataType(), DOUBLE);
  expectArray(y, {2, 2}, {1, 2, 3, 4});
  EXPECT_THROW(NDArrayFactory::fromNpyFile((file.path + ".missing").c_str()), std::runtime_error);
}

TEST(NDArrayInterfaceTests, StringsOnTheHeap) {
  std::unique_ptr<NDArray> one(NDArrayFactory::string_("abc")), wide(NDArrayFactory::string_(u"abc", UTF8)),
      two(NDArrayFactory::string_({2}, {"a", "bc"}, UTF16)),
      three(NDArrayFactory::string_({1, 1}, std::vector<std::u32string>{U"x"}));
  EXPECT_EQ(one->e<std::string>(0), "abc");
  EXPECT_EQ(wide->dataType(), UTF8);
  EXPECT_EQ(wide->e<std::string>(0), "abc");
  EXPECT_EQ(two->dataType(), UTF16);
  EXPECT_EQ(two->e<std::string>(1), "bc");
  EXPECT_EQ(three->dataType(), UTF32);
  EXPECT_EQ(three->getShapeAsVector(), (std::vector<LongType>{1, 1}));
}

// ---- results

TEST(NDArrayInterfaceTests, ResultSets) {
  NDArray mine('c', {2}, FLOAT32);
  {
    ResultSet set;
    EXPECT_EQ(set.status(), Status::OK);
    set.setStatus(Status::BAD_INPUT);
    set.push_back(&mine);
    set.setNonRemovable();  // otherwise `mine` would be deleted
    EXPECT_EQ(set.at(0), &mine);
    EXPECT_THROW(set.at(1), std::out_of_range);
    EXPECT_EQ(set.status(), Status::BAD_INPUT);
  }
  mine.assign(1.f);

  ResultSet owner;
  owner.push_back(new NDArray('c', {1}, FLOAT32));
  NDArray parent('c', {2, 2}, {1, 2, 3, 4}, FLOAT32);
  owner.pushOwned(std::make_unique<NDArray>(parent({0, 1, 0, 0})));
  {
    const ResultSet copy(owner);  // a copy does not delete
    EXPECT_EQ(copy.size(), 2);
  }
  expectArray(*owner[1], {2}, {1, 2});
  ResultSet taken(std::move(owner));
  EXPECT_EQ(taken.size(), 2);
  int count = 0;
  for (const NDArray* array : taken) count += static_cast<int>(array->lengthOf());
  EXPECT_EQ(count, 3);
  taken.purge();
  EXPECT_EQ(taken.size(), 0);
}

// ---- printing

TEST(NDArrayInterfaceTests, Printing) {
  const NDArray matrix('c', {2, 2}, {1, 2, 3, 4}, FLOAT32), numbers('f', {2, 2}, {1, 2, 3, 4}, INT32);
  const NDArray scalar = NDArrayFactory::create<double>(1.5), none('c', {0}, FLOAT32);
  const NDArray truths('c', {2}, {1, 0}, BOOL), words({2}, std::vector<std::string>{"a", "b c"});
  struct {
    std::function<void()> call;
    const char* expected;
  } const rows[] = {
      {[&] { matrix.printBuffer("m"); }, "m: [1.000000, 2.000000, 3.000000, 4.000000]\n"},
      {[&] { matrix.printBuffer(); }, "[1.000000, 2.000000, 3.000000, 4.000000]\n"},
      {[&] { matrix.printBuffer("m", 2); }, "m: [1.000000, 2.000000]\n"},
      {[&] { numbers.printBuffer("n"); }, "n: [1, 3, 2, 4]\n"},
      {[&] { numbers.printLinearBuffer(); }, "[1, 2, 3, 4]\n"},
      {[&] { numbers.transpose().printLinearBuffer(); }, "[1, 2, 3, 4]\n"},
      {[&] { matrix.printIndexedBuffer("m"); }, "m: [[1.000000, 2.000000],\n [3.000000, 4.000000]]\n"},
      {[&] { scalar.printIndexedBuffer("s"); }, "s: 1.50000000\n"},
      {[&] { none.printIndexedBuffer("e"); }, "e: Empty\n"},
      {[&] { none.printBuffer("e"); }, "e: []\n"},
      {[&] { truths.printIndexedBuffer(); }, "[true, false]\n"},
      {[&] { words.printIndexedBuffer("w"); }, "w: [\"a\", \"b c\"]\n"},
      {[&] { matrix.printCurrentBuffer<float>(true, "c", 2); }, "c: [1.00, 2.00, 3.00, 4.00]\n"},
      {[&] { matrix.printCurrentBuffer<int>(true, "c"); }, "c: [1, 2, 3, 4]\n"},
  };
  for (const auto& row : rows) EXPECT_EQ(printed(row.call), row.expected);
  const std::string line = printed([&] { matrix.printShapeInfo("shape"); });
  EXPECT_EQ(line.find("shape: "), 0u);
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  EXPECT_EQ(matrix.asString(), "[1, 2, 3, 4]");
  EXPECT_EQ(matrix.asIndexedString(3), "[1, 2, 3]");
}

// ---- views: writes are visible in the parent, and views may outlive the parent

TEST(NDArrayInterfaceTests, ViewsShareAndKeepTheBuffer) {
  struct {
    const char* name;
    std::function<NDArray(NDArray&)> view;
    LongType parentElement;  ///< the parent's element that is element 0 of the view
  } const rows[] = {
      {"operator() of intervals",
       [](NDArray& x) {
         return x({1, 2, 0, 0, 2, 4});
       },
       14},
      {"operator() of steps",
       [](NDArray& x) {
         return x({0, 2, 1, 1, 3, 1, 1, 4, 2}, true, true);
       },
       5},
      {"operator() of a number", [](NDArray& x) { return x(1, {0}); }, 12},
      {"subarray",
       [](NDArray& x) {
         return x.subarray({NDIndex::point(1), NDIndex::all(), NDIndex::interval(1, 3)});
       },
       13},
      {"permute",
       [](NDArray& x) {
         return x.permute({2, 0, 1});
       },
       0},
      {"transpose", [](NDArray& x) { return x.transpose(); }, 0},
      {"reshape",
       [](NDArray& x) {
         return x.reshape('c', {6, 4});
       },
       0},
      {"diagonal",
       [](NDArray& x) {
         return x(1, {0})({0, 3, 1, 4}, true).diagonal('c');
       },
       13},
      {"viewOf", [](NDArray& x) { return x.viewOf(NDArray('c', {3}, DOUBLE).shapeInfo(), 7); }, 7},
      {"sub-array along dimensions",
       [](NDArray& x) {
         ResultSet parts = x.allTensorsAlongDimension({1});
         NDArray part = std::move(*parts.at(5));
         return part;
       },
       13},
      {"example",
       [](NDArray& x) {
         ResultSet parts = x.allExamples();
         return std::move(*parts.at(1));
       },
       12},
      {"chosen sub-array",
       [](NDArray& x) {
         ResultSet parts = x.multipleTensorsAlongDimension({1}, {1, 2});
         return std::move(*parts.at(0));
       },
       12},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    auto parent = std::make_unique<NDArray>('c', std::vector<LongType>{2, 3, 4}, DOUBLE);
    parent->linspace(0);
    NDArray view = row.view(*parent);
    EXPECT_EQ(view.e<double>(0), static_cast<double>(row.parentElement));
    view.p(0, -1.0);
    EXPECT_EQ(parent->e<double>(row.parentElement), -1);
    parent->p(row.parentElement, -2.0);
    EXPECT_EQ(view.e<double>(0), -2);
    std::vector<double> before = view.getBufferAsVector<double>();
    parent.reset();
    NDArray other('c', {2, 3, 4}, DOUBLE);  // would reuse the memory if it had been freed
    other.assign(7.0);
    EXPECT_EQ(view.getBufferAsVector<double>(), before);
    view.assign(3.0);
    EXPECT_EQ(view.e<double>(view.lengthOf() - 1), 3);
    EXPECT_EQ(other.e<double>(0), 7);
  }
}

TEST(NDArrayInterfaceTests, CopiesAreApart) {
  NDArray parent('c', {2, 3}, {1, 2, 3, 4, 5, 6}, DOUBLE);
  NDArray view = parent({0, 2, 1, 3}, true);
  NDArray copy(view), assigned;
  assigned = view;
  for (NDArray* apart : {&copy, &assigned}) {
    expectArray(*apart, {2, 2}, {2, 3, 5, 6});
    EXPECT_FALSE(apart->isView());
    apart->assign(0.0);
  }
  for (NDArray apart : {view.dup(), view.asT<double>(), view.cast(DOUBLE), parent.e(1)}) apart.assign(0.0);
  expectArray(parent, {2, 3}, {1, 2, 3, 4, 5, 6});
}
