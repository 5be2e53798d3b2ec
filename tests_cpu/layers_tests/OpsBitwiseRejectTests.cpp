// Calls that bitwise operations must reject.
#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

TEST(OpsBitwiseReject, TwoArrays) {
  const std::vector<Rejection> table = {
      {"two types", {In(INT32, {2}), In(INT64, {2})}, {}, refusal::Type, "INT64"},
      {"floats", {In(FLOAT32, {2}), In(FLOAT32, {2})}, {}, refusal::Validation, "input 0"},
      {"BOOL", {In(BOOL, {2}), In(BOOL, {2})}, {}, refusal::Validation, "input 0"},
      {"shapes that do not broadcast", {In(INT8, {2, 3}), In(INT8, {2})}, {}, refusal::Argument, "[2, 3]"},
      {"an output that is not empty",
       {In(INT8, {0, 2}), In(INT8, {1, 2})},
       {},
       refusal::Runtime,
       "[0, 2]",
       false,
       std::vector<In>{In(INT8, {1, 2})}},
  };
  for (const char* name : {"bitwise_and", "bitwise_or", "bitwise_xor", "shift_bits", "rshift_bits", "cyclic_shift_bits",
                           "cyclic_rshift_bits"})
    checkRejections(name, table);
}

TEST(OpsBitwiseReject, ToggleBits) {
  checkRejections("toggle_bits",
                  {
                      {"floats", {In(DOUBLE, {2})}, {}, refusal::Validation, "input 0"},
                      {"BOOL among integers", {In(INT8, {2}), In(BOOL, {2})}, {}, refusal::Validation, "input 1"},
                      {"nothing", {}, {}, refusal::Validation, "no inputs"},
                      {"an output of another type",
                       {In(INT8, {2})},
                       {},
                       refusal::Validation,
                       "output 0",
                       false,
                       std::vector<In>{In(INT16, {2})}},
                  });
}

TEST(OpsBitwiseReject, HammingDistance) {
  checkRejections("bits_hamming_distance",
                  {
                      {"two types", {In(INT32, {2}), In(INT64, {2})}, {}, refusal::Type, "INT64"},
                      {"two lengths", {In(INT32, {2}), In(INT32, {3})}, {}, refusal::Argument, "3 elements"},
                      {"floats", {In(FLOAT32, {2}), In(FLOAT32, {2})}, {}, refusal::Validation, "input 0"},
                      {"one input", {In(INT32, {2})}, {}, refusal::Runtime, "input 1 is missing"},
                      {"in place", {In(INT32, {2}), In(INT32, {2})}, {}, refusal::Argument, "in place", true},
                  });
}
