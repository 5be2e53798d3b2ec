// Calls that activations must reject.
#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

namespace {

const In MATRIX(FLOAT32, {3, 5});

}  // namespace

TEST(OpsActivationsReject, Activations) {
  for (const char* name : {"sigmoid", "tanh", "softsign", "softplus", "selu", "rectifiedtanh", "rationaltanh",
                           "hardtanh", "hardsigmoid", "lrelu", "elu", "thresholdedrelu"})
    checkRejections(name, {{"integers", {In(INT32, {3})}, {}, refusal::Validation, "input 0"},
                           {"strings", {In(UTF8, {3})}, {}, refusal::Validation, "input 0"},
                           {"an output of another type",
                            {MATRIX},
                            {},
                            refusal::Validation,
                            "output 0",
                            false,
                            std::vector<In>{In(DOUBLE, {3, 5})}}});
  for (const char* name : {"sigmoid_bp", "tanh_bp", "softsign_bp", "softplus_bp", "selu_bp", "cube_bp", "relu_bp",
                           "relu6_bp", "lrelu_bp", "elu_bp", "thresholdedrelu_bp", "hardtanh_bp", "hardsigmoid_bp"})
    checkRejections(name, {{"another length", {MATRIX, In(FLOAT32, {4})}, {}, refusal::Runtime, "[4]"},
                           {"another type", {MATRIX, In(DOUBLE, {3, 5})}, {}, refusal::Type, "input 1"},
                           {"integers", {In(INT32, {3}), In(INT32, {3})}, {}, refusal::Validation, "input 0"}});
  for (const char* name : {"relu", "relu6"})
    checkRejections(name, {{"no cutoff", {MATRIX}, {}, refusal::Validation, "floating arguments"}});
}

TEST(OpsActivationsReject, SlopesAndHalves) {
  const In X(FLOAT32, {2, 3, 4});
  checkRejections(
      "prelu", {{"rank 1", {In(FLOAT32, {3}), In(FLOAT32, {3})}, {}, refusal::Argument, "its rank is 1, less than 2"},
                {"slopes", {X, In(FLOAT32, {5})}, {}, refusal::Argument, "[5] does not match [3, 4]"},
                {"an axis", {X, In(FLOAT32, {3})}, {.i = {3}}, refusal::Argument, "'shared_axes': 3 is outside"}});
  checkRejections("prelu_bp",
                  {{"the gradient", {X, In(FLOAT32, {3, 4}), In(FLOAT32, {5})}, {}, refusal::Runtime, "[5]"},
                   {"slopes", {X, In(FLOAT32, {5}), X}, {}, refusal::Argument, "[5]"}});
  checkRejections("crelu", {{"a long axis", {In(FLOAT32, {0, LongType{1} << 62})}, {}, refusal::Argument, "64 bits"},
                            {"a scalar", {In(FLOAT32, {})}, {}, refusal::Argument, "its rank is 0, less than 1"},
                            {"integers", {In(INT32, {2})}, {}, refusal::Argument, "INT32"}});
  checkRejections("crelu_bp", {{"the gradient", {X, X}, {}, refusal::Argument, "[2, 3, 8]"}});
  checkRejections("identity_bp", {{"the gradient", {X, In(FLOAT32, {5})}, {}, refusal::Runtime, "[5]"},
                                  {"integers", {X, In(INT32, {24})}, {}, refusal::Validation, "input 1"}});
}
