// Calls that must fail: their exceptions and messages, and that nothing was written.
#include <array/NDArray.h>
#include <array/NDArrayFactory.h>
#include <array/NDArrayFile.h>
#include <exceptions/allocation_exception.h>
#include <exceptions/datatype_exception.h>
#include <gtest/gtest.h>
#include <memory/MemoryCounter.h>
#include <memory/Workspace.h>

#include <functional>
#include <string>
#include <vector>

using namespace sd;

namespace {

enum Kind { argument, runtime, type, memoryError };

/// The most derived matching type of the exception.
Kind kindOf(const std::exception& error) {
  if (dynamic_cast<const allocation_exception*>(&error) != nullptr) return memoryError;
  if (dynamic_cast<const datatype_exception*>(&error) != nullptr) return type;
  if (dynamic_cast<const std::invalid_argument*>(&error) != nullptr) return argument;
  EXPECT_NE(dynamic_cast<const std::runtime_error*>(&error), nullptr);
  return runtime;
}

struct Call {
  std::function<void()> call;
  Kind kind;
  const char* message;  ///< the beginning of the message
};

class NDArrayRejectTests : public testing::Test {
 protected:
  NDArray x{'c', {2, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32};
  NDArray y{'c', {4, 5}, FLOAT32};
  NDArray d{'c', {2, 3}, DOUBLE};
  NDArray s{{2}, std::vector<std::string>{"a", "b"}};
  NDArray e{'c', {0, 3}, FLOAT32};
  NDArray v{'c', {3}, FLOAT32};
  NDArray z{'c', {2, 3}, {9, 9, 9, 9, 9, 9}, FLOAT32};
  NDArray b{'c', {2, 3}, BOOL};
  NDArray i{'c', {2, 3}, INT32};
  NDArray none;

  void expectRejected(const std::vector<Call>& calls) {
    const auto state = [&] {
      std::vector<std::vector<int8_t>> bytes;
      for (const NDArray* array : {&x, &y, &d, &s, &v, &z, &b, &i}) {
        bytes.push_back(array->asByteVector());
        const auto info = array->getShapeInfoAsVector();
        bytes.emplace_back(reinterpret_cast<const int8_t*>(info.data()),
                           reinterpret_cast<const int8_t*>(info.data() + info.size()));
      }
      return bytes;
    };
    const auto before = state();
    for (const Call& row : calls) {
      SCOPED_TRACE(row.message);
      try {
        row.call();
        ADD_FAILURE() << "nothing was thrown";
      } catch (const std::exception& error) {
        EXPECT_EQ(kindOf(error), row.kind);
        EXPECT_EQ(std::string(error.what()).substr(0, std::string(row.message).size()), row.message);
      }
      EXPECT_EQ(state(), before);
      EXPECT_FALSE(none.nonNull());
    }
  }
};

}  // namespace

TEST_F(NDArrayRejectTests, Elements) {
  expectRejected({
      {[&] { x.e<float>(6); }, argument, "[NDArray] index 6 is outside an array of length 6 (shape [2, 3])"},
      {[&] { x.e<float>(-1); }, argument, "[NDArray] index -1 is outside an array of length 6 (shape [2, 3])"},
      {[&] { x.e<float>(0, 3); }, argument, "[NDArray] indices [0, 3] are outside shape [2, 3]"},
      {[&] { x.e<float>(0, 0, 0); }, argument, "[NDArray] 3 indices given for rank 2 (shape [2, 3])"},
      {[&] { x.e<float>(-1, 0); }, argument, "[NDArray] indices [-1, 0] are outside shape [2, 3]"},
      {[&] { x.p(6, 1.f); }, argument, "[NDArray] index 6 is outside an array of length 6 (shape [2, 3])"},
      {[&] { x.p(2, 0, 1.f); }, argument, "[NDArray] indices [2, 0] are outside shape [2, 3]"},
      {[&] { x.r<double>(0); }, argument, "[NDArray] an element of type FLOAT32 was requested as DOUBLE"},
      {[&] { x.r<float>(6); }, argument, "[NDArray] index 6 is outside an array of length 6 (shape [2, 3])"},
      {[&] { x.t<double>(0); }, argument, "[NDArray] an element of type FLOAT32 was requested as DOUBLE"},
      {[&] { x.e<std::string>(0); }, argument, "[NDArray] an element of type FLOAT32 is not a string"},
      {[&] { s.e<float>(0); }, runtime, "[NDArray] string arrays do not support arithmetic (type UTF8)"},
      {[&] { s.e<std::string>(2); }, argument, "[NDArray] index 2 is outside an array of length 2 (shape [2])"},
      {[&] { s.p(0, 1.f); }, runtime, "[NDArray] string arrays do not support arithmetic (type UTF8)"},
      {[&] { x.sizeAt(2); }, runtime, "[sizeAt] dimension 2 does not exist in shape [2, 3]"},
      {[&] { x.sizeAt(-3); }, runtime, "[sizeAt] dimension -3 does not exist in shape [2, 3]"},
      {[&] { x.strideAt(5); }, runtime, "[strideAt] dimension 5 does not exist in shape [2, 3]"},
      {[&] {
         NDArray('c', {1, 2, 3}).rows();
       },
       runtime, "[rows] shape [1, 2, 3] has neither rank 1 nor rank 2"},
      {[&] { e.e<float>(0); }, argument, "[NDArray] index 0 is outside an array of length 0 (shape [0, 3])"},
      {[&] { none.e<float>(0); }, argument, "[NDArray] index 0 is outside an array of length 0 (shape none)"},
      {[&] { none.sizeAt(0); }, runtime, "[sizeAt] dimension 0 does not exist in shape none"},
  });
}

TEST_F(NDArrayRejectTests, Construction) {
  expectRejected({
      {[&] {
         NDArray q('c', {2, -3}, FLOAT32);
       },
       runtime, "[shape] dimension 1 is negative: [2, -3]"},
      {[&] { NDArray q('c', std::vector<LongType>(33, 1), FLOAT32); }, argument, "[NDArray] rank 33 is outside 0..32"},
      {[&] { NDArray q('x', {2}, FLOAT32); }, runtime, "[shape] order 'x' is neither 'c' nor 'f'"},
      {[&] {
         NDArray q('c', {1LL << 40, 1LL << 40}, FLOAT32);
       },
       runtime, "[shape] the length of [1099511627776, 1099511627776] is too large"},
      {[&] { NDArray q('c', {1LL << 50}, FLOAT32); }, memoryError, "[memory] cannot allocate 4503599627370496 bytes"},
      {[&] { NDArray q('c', {2}, sd::DataType::QINT8); }, runtime, "[shape] 15 is not an element type of arrays"},
      {[&] {
         NDArray q('c', {2, 3}, {1, 2, 3}, FLOAT32);
       },
       runtime, "[NDArray] 3 values given for shape [2, 3] of length 6"},
      {[&] {
         NDArrayFactory::create<float>('c', {2, 3}, {1, 2});
       },
       runtime, "[NDArrayFactory] 2 values given for shape [2, 3] of length 6"},
      {[&] {
         NDArray q((void*)nullptr, 'c', {2, 3}, FLOAT32);
       },
       runtime, "[NDArray] the buffer of an array of shape [2, 3] is null"},
      {[&] { NDArray q({3}, std::vector<std::string>{"a"}); }, argument,
       "[NDArray] 1 strings given for shape [3] of length 3"},
      {[&] {
         NDArray q(x.dataBuffer(), 'c', {4, 5});
       },
       runtime, "[NDArray] shape [4, 5] at offset 0 does not fit a buffer of 6 elements"},
      {[&] { NDArrayFactory::vector<float>(-1); }, runtime, "[shape] dimension 0 is negative: [-1]"},
      {[&] { NDArrayFactory::linspace<float>(0, 1, -1); }, runtime, "[shape] dimension 0 is negative: [-1]"},
      {[&] { NDArrayFactory::valueOf<float>({-1}, 1.f); }, runtime, "[shape] dimension 0 is negative: [-1]"},
      {[&] {
         NDArrayFactory::create('c', {2}, FLOAT32, {1, 2}, {0});
       },
       argument, "[NDArrayFactory] 2 paddings and 1 offsets given for rank 1"},
  });
}

TEST_F(NDArrayRejectTests, Views) {
  expectRejected({
      {[&] {
         x({0, 3, 0, 0});
       },
       runtime, "[subarray] dimension 0: range 0..3 with step 1 is not a range inside 0..2"},
      {[&] {
         x({1, 0, 0, 0});
       },
       runtime, "[subarray] dimension 0: range 1..0 with step 1 is not a range inside 0..2"},
      {[&] {
         x({0, 1});
       },
       runtime, "[subarray] 2 numbers are given for shape [2, 3], but 2 for each dimension are needed"},
      {[&] {
         x({0, 2, 0, 0, 0, 1}, true, true);
       },
       runtime, "[subarray] dimension 0: range 0..2 with step 0 is not a range inside 0..2"},
      {[&] {
         x({-5, 1, 0, 0});
       },
       runtime, "[subarray] dimension 0: range -5..1 with step 1 is not a range inside 0..2"},
      {[&] { x(3, {0}); }, runtime, "[subarray] sub-array 3 does not exist: shape [2, 3] has 2 sub-arrays"},
      {[&] { x(-1, {0}); }, runtime, "[subarray] sub-array -1 does not exist: shape [2, 3] has 2 sub-arrays"},
      {[&] { x(0, {2}); }, runtime, "[subarray] axis 2 is outside -2..1 (rank 2)"},
      {[&] { x.subarray({NDIndex::all()}); }, runtime, "[subarray] 1 indices are given for shape [2, 3]"},
      {[&] {
         x.subarray({NDIndex::point(2), NDIndex::all()});
       },
       runtime, "[subarray] positions 2..2 are outside dimension 0 of shape [2, 3]"},
      {[&] {
         x.subarray({NDIndex::interval(0, 3), NDIndex::all()});
       },
       runtime, "[subarray] positions 0..2 are outside dimension 0 of shape [2, 3]"},
      {[&] { x.diagonal('q'); }, runtime, "[diagonal] type 'q' is neither 'c' nor 'r'"},
      {[&] { x.permute({0}); }, runtime, "[permute] 1 dimensions given for shape [2, 3]"},
      {[&] {
         x.permute({0, 0});
       },
       runtime, "[permute] [0, 0] is not a permutation of 0..1"},
      {[&] {
         x.permute({0, 2});
       },
       runtime, "[permute] [0, 2] is not a permutation of 0..1"},
      {[&] {
         x.reshape('c', {4, 2});
       },
       runtime, "[reshape] shape [2, 3] of length 6 cannot become [4, 2]"},
      {[&] {
         x.reshape('c', {-1, -1});
       },
       runtime, "[reshape] shape [2, 3] of length 6 cannot become [-1, -1]"},
      {[&] {
         x.reshape('c', {-2, -3});
       },
       runtime, "[reshape] shape [2, 3] of length 6 cannot become [-2, -3]"},
      {[&] {
         x.reshape('c', {4, -1});
       },
       runtime, "[reshape] shape [2, 3] of length 6 cannot become [4, -1]"},
      {[&] { x.reshapei({7}); }, runtime, "[reshape] shape [2, 3] of length 6 cannot become [7]"},
      {[&] { x.reshape('q', {6}); }, runtime, "[reshape] order 'q' is neither 'c' nor 'f'"},
      {[&] { e.reshape('c', {3}); }, argument, "[reshape] an empty array of shape [0, 3] cannot become [3]"},
      {[&] { x.enforce({4}); }, runtime, "[enforce] shape [2, 3] of length 6 cannot become [4]"},
      {[&] { x.allTensorsAlongDimension({-3}); }, runtime,
       "[allTensorsAlongDimension] dimension -3 does not exist in shape [2, 3]"},
      {[&] { x.multipleTensorsAlongDimension({5}, {1}); }, runtime,
       "[multipleTensorsAlongDimension] sub-array 5 does not exist: there are 2"},
      {[&] { x.tensorsAlongDimension({7}); }, runtime,
       "[tensorsAlongDimension] dimension 7 does not exist in shape [2, 3]"},
  });
}

TEST_F(NDArrayRejectTests, Arithmetic) {
  expectRejected({
      {[&] { (void)(x + y); }, runtime, "[add] shapes [2, 3] and [4, 5] do not broadcast"},
      {[&] { i += x; }, type,
       "[add] the result of INT32 and FLOAT32 has type FLOAT32, which does not go into the array of type INT32"},
      {[&] { (void)(x + s); }, runtime, "[add] string arrays do not support arithmetic (type UTF8)"},
      {[&] { (void)(s + 1.f); }, runtime, "[Add] string arrays do not support arithmetic (type UTF8)"},
      {[&] { s *= 2; }, runtime, "[Multiply] string arrays do not support arithmetic (type UTF8)"},
      {[&] { (void)(-s); }, runtime, "[Neg] string arrays do not support arithmetic (type UTF8)"},
      {[&] { x += y; }, runtime, "[add] shapes [2, 3] and [4, 5] do not broadcast"},
      {[&] { (void)(x - y); }, runtime, "[subtract] shapes [2, 3] and [4, 5] do not broadcast"},
      {[&] { (void)(x / b); }, runtime, "[divide] division by a BOOL array"},
      {[&] { (void)(i / 0); }, runtime, "[Divide] argument 'scalar': division of INT32 by 0 (shape [])"},
      {[&] { (void)(i / i); }, runtime, "[Divide] argument 'y': division of INT32 by 0 (shape [2, 3])"},
      {[&] { (void)(none + x); }, runtime, "[add] the array has no shape"},
      {[&] { (void)(x + none); }, runtime, "[add] the array has no shape"},
      {[&] { x.addRowVector(y, z); }, argument,
       "[addRowVector] shapes [2, 3], [4, 5] and the target's shape [2, 3] do not match"},
      {[&] { x.addiRowVector(NDArray('c', {2}, FLOAT32)); }, argument,
       "[addRowVector] shapes [2, 3], [2] and the target's shape [2, 3] do not match"},
      {[&] { x.addiColumnVector(v); }, argument,
       "[addColumnVector] shapes [2, 3], [3] and the target's shape [2, 3] do not match"},
      {[&] { v.addiRowVector(v); }, argument, "[addRowVector] shapes [3], [3] and the target's shape [3] do not match"},
  });
}

TEST_F(NDArrayRejectTests, Copying) {
  expectRejected({
      {[&] { x.assign(y); }, runtime, "[assign] shape [4, 5] does not broadcast to shape [2, 3]"},
      {[&] { x.assign(e); }, runtime, "[assign] an empty array cannot fill shape [2, 3]"},
      {[&] { x.assign(s); }, runtime, "[assign] string arrays do not support arithmetic (type UTF8)"},
      {[&] { s.cast(FLOAT32); }, runtime, "[cast] type UTF8 cannot become FLOAT32"},
      {[&] { x.cast(UTF8); }, runtime, "[cast] type FLOAT32 cannot become UTF8"},
      {[&] { x.assign((const NDArray*)nullptr); }, runtime, "[assign] the array is null"},
      {[&] {
         x.tile({0, 1});
       },
       runtime, "[tile] repetition 0 is below 1"},
      {[&] {
         x.tile({-1, 1});
       },
       runtime, "[tile] repetition -1 is below 1"},
      {[&] { x.repeat(2, {1}); }, runtime, "[repeat] axis 2 is outside -2..1 (rank 2)"},
      {[&] {
         x.repeat(0, {1, 2, 3});
       },
       runtime, "[repeat] 3 repeats do not fit dimension 0 of shape [2, 3]"},
      {[&] { x.repeat(0, {-1}); }, runtime, "[repeat] repeat -1 is negative"},
      {[&] { x.tileToShape(y.shapeInfo()); }, runtime,
       "[tile] shape [2, 3] does not fit into shape [4, 5] a whole number of times"},
      {[&] { x.fillAsTriangular<float>(0, 0, 0, z, 'q'); }, runtime,
       "[fillAsTriangular] direction 'q' is none of 'u', 'l', 'b'"},
      {[&] { saveNpy(s, "strings.npy"); }, runtime, "[saveNpy] arrays of strings cannot be saved (type UTF8)"},
      {[&] { s.getTrace(); }, runtime, "[getTrace] string arrays do not support arithmetic (type UTF8)"},
      {[&] { x.isIdentityMatrix(); }, runtime, "[isIdentityMatrix] shape [2, 3] is not a square matrix"},
      {[&] { x.copyBuffersContinuouslyFrom(y, 1000); }, runtime,
       "[copyBufferFrom] 1000 bytes from byte 0 are outside the source of 80 bytes"},
      {[&] { NDArray::quantize(i); }, runtime, "[quantize] type INT32 is not a real type"},
      {[&] { x.swapUnsafe(y); }, runtime, "[swapUnsafe] FLOAT32 [2, 3] and FLOAT32 [4, 5] differ in type or length"},
      {[&] { x.dup('q'); }, runtime, "[dup] order 'q' is none of 'a', 'c', 'f'"},
  });
}

TEST_F(NDArrayRejectTests, Reductions) {
  expectRejected({
      {[&] { x.reduceAlongDimension(reduce::Sum, {2}); }, runtime, "[Sum] dimension 2 does not exist in shape [2, 3]"},
      {[&] {
         x.reduceAlongDimension(reduce::Sum, {0, 1, 0});
       },
       runtime, "[Sum] 3 dimensions are given for shape [2, 3]"},
      {[&] {
         x.reduceAlongDimension(reduce::Sum, z, {0, 1, 1, 0});
       },
       runtime, "[Sum] 4 dimensions are given for shape [2, 3]"},
      {[&] {
         x.applyIndexReduce(indexreduce::IndexMax, {0, 1, 0});
       },
       runtime, "[IndexMax] 3 dimensions are given for shape [2, 3]"},
      {[&] {
         x.varianceAlongDimension(variance::SummaryStatsVariance, true, {1, 1, 1});
       },
       runtime, "[variance] 3 dimensions are given for shape [2, 3]"},
      {[&] { s.reduceNumber(reduce::Sum); }, runtime, "[Sum] string arrays do not support arithmetic (type UTF8)"},
      {[&] { x.reduceNumber(reduce::Sum, z); }, argument, "[Sum] the target has shape [2, 3], one element expected"},
      {[&] { x.reduceAlongDimension(reduce::Sum, z, {0}); }, runtime,
       "[Sum] the target has shape [2, 3], [3] expected"},
      {[&] {
         NDArray t(INT32);
         x.reduceNumber(reduce::Mean, t);
       },
       argument, "[Mean] the target has type INT32, FLOAT32 expected"},
      {[&] { x.applyReduce3(reduce3::Dot, y); }, runtime, "[Dot] shapes [2, 3] and [4, 5] differ"},
      {[&] { x.applyReduce3(reduce3::Dot, d); }, type, "[Dot] the arrays have types FLOAT32 and DOUBLE"},
      {[&] { x.applyIndexReduce(indexreduce::IndexMax, z, {0}); }, type,
       "[IndexMax] the target has type FLOAT32, INT32 or INT64 expected"},
      {[&] {
         NDArray t('c', {3}, INT32);
         x.varianceAlongDimension(variance::SummaryStatsVariance, t, true, {0});
       },
       type, "[variance] the target has type INT32, a real type expected"},
      {[&] { x.argMax({0}); }, runtime, "[argMax] dimensions are not supported, but 1 are given"},
  });
}

TEST_F(NDArrayRejectTests, Operations) {
  expectRejected({
      {[&] { x.applyTransform(transform::Sqrt, i); }, type, "[Sqrt] the target has type INT32, a real type expected"},
      {[&] { x.applyTransform(transform::Abs, d); }, type, "[Abs] the target has type DOUBLE, FLOAT32 expected"},
      {[&] { i.applyTransform(transform::Tanh, i); }, type, "[Tanh] the array has type INT32, a real type expected"},
      {[&] { x.applyTransform(transform::IsNan, x); }, type, "[IsNan] the target has type FLOAT32, BOOL expected"},
      {[&] { x.applyTransform(transform::Abs, y); }, runtime,
       "[Abs] argument 'z': shape [4, 5] where the shape of x, [2, 3], is needed"},
      {[&] { s.applyTransform(transform::Abs, s); }, runtime,
       "[Abs] string arrays do not support arithmetic (type UTF8)"},
      {[&] { x.applyPairwiseTransform(pairwise::Add, y, z); }, runtime,
       "[Add] lengths of shapes [2, 3] and [4, 5] differ"},
      {[&] { x.applyPairwiseTransform(pairwise::EqualTo, x, z); }, type,
       "[EqualTo] the target has type FLOAT32, BOOL expected"},
      {[&] { x.applyPairwiseTransform(pairwise::EqualTo, d, b); }, type,
       "[EqualTo] the other array has type DOUBLE, FLOAT32 expected"},
      {[&] { x.applyScalar(scalar::EqualTo, 1, z); }, type, "[EqualTo] the target has type FLOAT32, BOOL expected"},
      {[&] { x.applyScalarArr(scalar::Add, y, z); }, runtime, "[Add] the scalar has shape [4, 5], not one element"},
      {[&] { x.applyBroadcast(broadcast::Add, {2}, v, z); }, runtime,
       "[Add] argument 'dimensions': value 2 at [0] is outside -2..1 (shape [2, 3])"},
      {[&] { x.applyBroadcast(broadcast::Add, {0}, v, z); }, runtime,
       "[Add] argument 'y': shape [3] does not match dimensions [0] of shape [2, 3]"},
      {[&] { x.applyBroadcast(broadcast::Add, {1}, v, y); }, argument,
       "[Add] the target's shape [4, 5] is neither [2, 3] nor [3]"},
      {[&] { x.applyTrueBroadcast(BroadcastOpsTuple::Add(), v, y); }, runtime,
       "[Add] the target has shape [4, 5], [2, 3] expected"},
      {[&] { x.applyTrueBroadcast(BroadcastOpsTuple::Divide(), b, z); }, runtime, "[Divide] division by a BOOL array"},
      {[&] { x.applyTrueBroadcast(BroadcastOpsTuple::Add(), y, z); }, runtime,
       "[Add] shapes [2, 3] and [4, 5] do not broadcast"},
      {[&] { x.applyLambda<double>([](double a) { return a; }, z); }, runtime,
       "[applyLambda] the function has type DOUBLE, the array FLOAT32, the target FLOAT32"},
      {[&] { x.applyLambda<float>([](float a) { return a; }, y); }, runtime,
       "[applyLambda] shapes [2, 3] and [4, 5] differ"},
      {[&] {
         x.applyPairwiseLambda<float>(
             y, [](float a, float) { return a; }, z);
       },
       runtime, "[applyPairwiseLambda] shapes [2, 3] and [4, 5] differ"},
  });
}

TEST_F(NDArrayRejectTests, MatricesAndDescriptions) {
  expectRejected({
      {[&] { mmul(x, x); }, runtime, "[matmul] shapes [2, 3] and [2, 3] do not match"},
      {[&] { x.setShapeInfo(y.shapeInfo()); }, runtime,
       "[NDArray] shape [4, 5] at offset 0 does not fit a buffer of 6 elements"},
  });
}

// A full workspace takes memory from the heap, up to the heap's limit.
TEST(NDArrayWorkspaceRejectTests, FullWorkspacesSpillUpToTheLimit) {
  auto& counter = memory::MemoryCounter::getInstance();
  const LongType limit = counter.deviceLimit(0);
  memory::Workspace workspace(1024);
  LaunchContext context;
  context.setWorkspace(&workspace);
  NDArray inside('c', {64}, FLOAT32, &context);
  EXPECT_EQ(workspace.getSpilledSize(), 0);
  NDArray spilled('c', {1024}, FLOAT32, &context);
  spilled.assign(1.f);
  EXPECT_GE(workspace.getSpilledSize(), 4096);
  EXPECT_TRUE(spilled.isAttached());

  const LongType used = workspace.getUsedSize(), spilledSize = workspace.getSpilledSize();
  counter.setDeviceLimit(0, counter.allocatedDevice(0) + 100000);
  try {
    NDArray tooMuch('c', {1000000}, FLOAT32, &context);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const allocation_exception& error) {
    EXPECT_NE(std::string(error.what()).find("4000000"), std::string::npos) << error.what();
  }
  EXPECT_EQ(workspace.getUsedSize(), used);
  EXPECT_EQ(workspace.getSpilledSize(), spilledSize);
  NDArray small('c', {100}, FLOAT32, &context);  // smaller allocations still succeed
  counter.setDeviceLimit(0, limit);
  NDArray now('c', {1000000}, FLOAT32, &context);
  EXPECT_EQ(now.e<float>(999999), 0);
  EXPECT_EQ(spilled.e<float>(1023), 1);
}
