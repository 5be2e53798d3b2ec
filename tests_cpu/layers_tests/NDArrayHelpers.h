// Compares arrays with plain numbers, without the library's own comparison.
#ifndef NDFORGE_TESTS_NDARRAYHELPERS_H
#define NDFORGE_TESTS_NDARRAYHELPERS_H

#include <array/NDArray.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace nd_test {

inline void expectArray(const sd::NDArray& array, const std::vector<sd::LongType>& shape,
                        const std::vector<double>& values, double tolerance = 1e-6) {
  ASSERT_EQ(array.getShapeAsVector(), shape);
  ASSERT_EQ(array.lengthOf(), static_cast<sd::LongType>(values.size()));
  for (size_t i = 0; i < values.size(); i++) {
    const double actual = array.e<double>(static_cast<sd::LongType>(i));
    if (std::isnan(values[i]))
      EXPECT_TRUE(std::isnan(actual)) << "element " << i;
    else if (std::isinf(values[i]))
      EXPECT_EQ(actual, values[i]) << "element " << i;
    else
      EXPECT_NEAR(actual, values[i], tolerance * std::fmax(1.0, std::fabs(values[i]))) << "element " << i;
  }
}

/// The message of the E that `call` throws; a test failure when it throws none.
template <typename E, typename F>
std::string messageOf(F&& call) {
  try {
    call();
  } catch (const E& error) {
    return error.what();
  } catch (...) {
    ADD_FAILURE() << "another exception";
    return "";
  }
  ADD_FAILURE() << "no exception";
  return "";
}

/// One array in several memory layouts: contiguous in both orders, transposed, every second column of a wider array,
/// the inner part of a larger array. All have the given shape and hold `values` in c order.
inline std::vector<sd::NDArray> layoutsOf(const std::vector<sd::LongType>& shape, const std::vector<double>& values,
                                          sd::DataType type = sd::DOUBLE) {
  std::vector<sd::LongType> reversed(shape.rbegin(), shape.rend()), doubled(shape), padded(shape), every, inner;
  std::vector<int> back;
  for (size_t d = 0; d < shape.size(); d++) {
    back.push_back(static_cast<int>(shape.size() - 1 - d));
    doubled[d] = 2 * shape[d];
    padded[d] = shape[d] + 2;
    every.insert(every.end(), {0, 2 * shape[d], 2});
    inner.insert(inner.end(), {1, shape[d] + 1});
  }
  std::vector<sd::NDArray> layouts;
  layouts.push_back(sd::NDArray('c', shape, type));
  layouts.push_back(sd::NDArray('f', shape, type));
  if (!shape.empty()) {
    layouts.push_back(sd::NDArray('c', reversed, type).permute(back));
    layouts.push_back(sd::NDArray('c', doubled, type)(every, true, true));
    layouts.push_back(sd::NDArray('f', padded, type)(inner, true));
  }
  for (auto& array : layouts)
    for (size_t i = 0; i < values.size(); i++) array.p<double>(static_cast<sd::LongType>(i), values[i]);
  return layouts;
}

}  // namespace nd_test

#endif
