// Values that operations keep between calls.
#include <graph/Stash.h>
#include <gtest/gtest.h>

#include <set>

#include "NDArrayHelpers.h"

using namespace sd;
using namespace sd::graph;

namespace {

NDArray* numbers(double first) { return new NDArray('c', {2}, {first, first + 1}, FLOAT32); }

}  // namespace

TEST(StashTests, KeysAreNodeAndName) {
  Stash stash;
  NDArray *alpha = numbers(1), *beta = numbers(2), *other = numbers(3);
  stash.storeArray(1, "alpha", alpha);
  stash.storeArray(1, "beta", beta);
  stash.storeArray(2, "alpha", other);
  EXPECT_TRUE(stash.checkStash(1, "alpha") && stash.checkStash(1, "beta") && stash.checkStash(2, "alpha"));
  EXPECT_FALSE(stash.checkStash(2, "beta") || stash.checkStash(3, "alpha") || stash.checkStash(1, nullptr));
  EXPECT_EQ(alpha, stash.extractArray(1, "alpha"));
  EXPECT_EQ(beta, stash.extractArray(1, "beta"));
  EXPECT_EQ(other, stash.extractArray(2, "alpha"));
  EXPECT_EQ(nullptr, stash.extractArray(2, "beta"));
  EXPECT_TRUE(stash.checkStash(1, "alpha")) << "extracting leaves it there";
}

// Sanitizers detect a double or a missing deletion.
TEST(StashTests, DeletesEveryArrayOnce) {
  Stash stash;
  NDArray *first = numbers(1), *second = numbers(5);
  stash.storeArray(1, "alpha", first);
  stash.storeArray(2, "alpha", first);
  stash.storeArray(1, "alpha", second);
  EXPECT_EQ(second, stash.extractArray(1, "alpha"));
  nd_test::expectArray(*first, {2}, {1, 2});
  stash.clear();
  EXPECT_FALSE(stash.checkStash(1, "alpha") || stash.checkStash(2, "alpha"));
  EXPECT_EQ(nullptr, stash.extractArray(1, "alpha"));
  stash.storeArray(1, "alpha", numbers(7));
  EXPECT_TRUE(stash.checkStash(1, "alpha"));
}

TEST(StashTests, NullArraysAreErrors) {
  Stash stash;
  EXPECT_EQ("[Stash::storeArray] the array 'alpha' of node 3 is null",
            nd_test::messageOf<std::runtime_error>([&] { stash.storeArray(3, "alpha", nullptr); }));
  EXPECT_FALSE(stash.checkStash(3, "alpha"));
}

TEST(StashTests, Keys) {
  const KeyPair a(1, "a"), b(1, "b"), c(2, "a"), unnamed(1);
  EXPECT_TRUE(a == KeyPair(1, "a"));
  EXPECT_FALSE(a == b || a == c || b < a || a < a);
  EXPECT_TRUE(a < b && b < c && unnamed < a);
  EXPECT_EQ(1, a.key());
  EXPECT_EQ("a", a.name());
  std::set<size_t> hashes;
  for (const KeyPair& key : {a, b, c, unnamed}) hashes.insert(std::hash<KeyPair>()(key));
  EXPECT_EQ(4u, hashes.size());
}
