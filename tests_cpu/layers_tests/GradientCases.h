// Calls on which gradient rules are compared with central differences, beside the examples of the schemas.
#ifndef NDFORGE_TESTS_GRADIENTCASES_H
#define NDFORGE_TESTS_GRADIENTCASES_H

#include <vector>

namespace nd_test {

/// Inputs and arguments by name, as in Schema::example(). The points are away from jumps and kinks.
struct GradientCase {
  const char* operation;
  const char* json;
};

const std::vector<GradientCase>& gradientCases();

}  // namespace nd_test

#endif
