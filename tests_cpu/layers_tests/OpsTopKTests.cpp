// The largest elements of rows of many lengths, against a sort of all of them.
#include <array/NDArray.h>
#include <array/NDArrayFactory.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

using namespace sd;

namespace {

template <typename T>
std::vector<T> elements(LongType n, std::mt19937& random) {
  std::vector<T> row(static_cast<size_t>(n));
  for (T& value : row) {
    const auto number = static_cast<int>(random() % 200);
    value = static_cast<T>(std::is_signed_v<T> ? number - 100 : number);
    if constexpr (std::is_floating_point_v<T>) {
      if (number < 4) {
        constexpr T infinity = std::numeric_limits<T>::infinity();
        const T special[] = {std::numeric_limits<T>::quiet_NaN(), infinity, -infinity, -T(0)};
        value = special[number];
      } else {
        value /= 8;
      }
    } else if (number < 2) {
      value = number == 0 ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
    }
  }
  return row;
}

/// NaN is smaller than every number; of equal elements the first come first.
template <typename T>
std::vector<LongType> expected(const std::vector<T>& row, LongType k) {
  std::vector<LongType> order(row.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&row](LongType i, LongType j) {
    const T a = row[static_cast<size_t>(i)], b = row[static_cast<size_t>(j)];
    return a > b || (a == a && b != b);
  });
  order.resize(static_cast<size_t>(k));
  return order;
}

template <typename T>
void expectAsSorted() {
  std::mt19937 random(7);
  for (LongType n : {1, 15, 31, 32, 33, 64, 95, 100, 128, 1000})
    for (LongType k : {1, 2, 5, 31, 32, 33, 50})
      for (int round = 0; k <= n && round < 8; round++) {
        SCOPED_TRACE(testing::Message() << DataTypeUtils::asString(DataTypeUtils::fromT<T>()) << " n " << n << " k "
                                        << k << " round " << round);
        std::vector<T> row = elements<T>(n, random);
        if (std::is_floating_point_v<T> && round == 7)
          std::fill(row.begin(), row.begin() + n / 2, std::numeric_limits<T>::quiet_NaN());
        NDArray x('c', {n}, DataTypeUtils::fromT<T>());
        for (LongType i = 0; i < n; i++) x.p(i, row[static_cast<size_t>(i)]);
        ops::top_k op;
        const auto results = op.evaluate({&x}, {}, {k}, {true});
        ASSERT_EQ(results.status(), Status::OK);
        const std::vector<LongType> positions = expected(row, k);
        ASSERT_EQ(results.at(1)->getBufferAsVector<LongType>(), positions);
        for (LongType j = 0; j < k; j++) {
          const T value = row[static_cast<size_t>(positions[static_cast<size_t>(j)])], found = results.at(0)->e<T>(j);
          ASSERT_TRUE(found == value || (found != found && value != value)) << j;
        }
      }
}

}  // namespace

TEST(TopK, AsASortOfAllElements) {
  expectAsSorted<float>();
  expectAsSorted<double>();
  expectAsSorted<int>();
  expectAsSorted<LongType>();
  expectAsSorted<uint32_t>();
  expectAsSorted<uint64_t>();
}
