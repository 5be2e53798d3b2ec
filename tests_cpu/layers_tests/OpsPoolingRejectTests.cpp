// Calls that pooling must reject.
#include "OpRejections.h"
#include "call/argument_values.h"

namespace sd {
namespace {

using namespace optest;

Arguments ints(std::vector<LongType> values, std::vector<double> floats = {}) {
  return {.t = std::move(floats), .i = std::move(values), .b = {}, .d = {}};
}

const In X(FLOAT32, {2, 3, 5, 6}), G(FLOAT32, {2, 3, 4, 5});
const Arguments PLAIN = ints({2, 2, 1, 1, 0, 0, 1, 1, 0, 1});

std::vector<Rejection> forward(size_t needed) {
  return {
      {"too few arguments", {X}, ints(std::vector<LongType>(needed - 1, 1)), refusal::Validation, "integer"},
      {"rank", {In(FLOAT32, {3, 5, 6})}, PLAIN, refusal::Argument, "its rank is 3"},
      {"window",
       {X},
       ints({0, 2, 1, 1, 0, 0, 1, 1, 0, 1}),
       refusal::Argument,
       "argument 'kernel': value 0 at [0] is outside 1.."},
      {"stride", {X}, ints({2, 2, 1, 0, 0, 0, 1, 1, 0, 1}), refusal::Argument, "argument 'stride': value 0 at [1]"},
      {"dilation", {X}, ints({2, 2, 1, 1, 0, 0, 0, 1, 0, 1}), refusal::Argument, "argument 'dilation': value 0 at [0]"},
      {"padding", {X}, ints({2, 2, 1, 1, 0, -1, 1, 1, 0, 1}), refusal::Argument, "argument 'padding': value -1 at [1]"},
      {"too large", {X}, ints({2, 7, 1, 1, 0, 0, 1, 1, 0, 1}), refusal::Argument, "does not fit"}};
}

std::vector<Rejection> backward(std::vector<double> floats) {
  const Arguments plain = ints(PLAIN.i, floats);
  return {{"too few arguments", {X, G}, ints({2, 2, 1, 1, 0, 0, 1, 1, 0}, floats), refusal::Validation, "10 integer"},
          {"shape of gradY", {X, In(FLOAT32, {2, 3, 4, 4})}, plain, refusal::Argument, "input 1 'gradY'"},
          {"channels of gradY", {X, In(FLOAT32, {2, 4, 4, 5})}, plain, refusal::Argument, "input 1 'gradY'"},
          {"type of gradY", {X, In(DOUBLE, {2, 3, 4, 5})}, plain, refusal::Argument, "its type"},
          {"dilation",
           {X, G},
           ints({2, 2, 1, 1, 0, 0, 1, 0, 0, 1}, floats),
           refusal::Argument,
           "argument 'dilation': value 0 at [1]"},
          {"integers", {In(INT32, {2, 3, 5, 6}), In(INT32, {2, 3, 4, 5})}, plain, refusal::Validation, "input 0"}};
}

TEST(OpsPoolingReject, ArgumentsByName) {
  const auto named = [](std::vector<LongType> kernel, std::vector<LongType> end, bool ceil) {
    return Arguments{.named = {{"kernel", ops::integersArgument(std::move(kernel))},
                               {"stride", ops::integersArgument({2, 2})},
                               {"padding_end", ops::integersArgument(std::move(end))},
                               {"ceil_mode", ops::flagArgument(ceil)}}};
  };
  for (const char* name : {"maxpool2d", "avgpool2d", "pnormpool2d", "max_pool_with_argmax"})
    checkRejections(
        name, {{"below -1",
                {X},
                named({2, 2}, {0, -2}, false),
                refusal::Argument,
                "'padding_end': value -2 at [1] is outside -1"},
               {"one number", {X}, named({2, 2}, {0}, false), refusal::Argument, "'padding_end'"},
               {"too large",
                {X},
                named({7, 2}, {1, 0}, false),
                refusal::Argument,
                "the height of 5 cells with a padding of 0 at the start and 1 at the end"},
               {"too large in ceil mode",
                {X},
                named({8, 2}, {0, 0}, true),
                refusal::Argument,
                "the height of 5 cells with a padding of 0 on both sides"},
               {"beyond 64 bits", {X}, named({2, 2}, {INT64_MAX, 0}, false), refusal::Argument, "'padding_end'"}});
}

TEST(OpsPoolingReject, images) {
  checkRejections("maxpool2d", forward(9));
  checkRejections("avgpool2d", forward(10));
  checkRejections("pnormpool2d", forward(10));
  checkRejections("maxpool2d_bp", backward({}));
  checkRejections("avgpool2d_bp", backward({}));
  checkRejections("pnormpool2d_bp", backward({1e-6}));
  checkRejections("avgpool2d", {{"padding flag",
                                 {X},
                                 ints({2, 2, 1, 1, 0, 0, 1, 1, 0, 2}),
                                 refusal::Argument,
                                 "'count_include_pad': 2 is outside 0..1"}});
  checkRejections("pnormpool2d",
                  {{"order", {X}, ints({2, 2, 1, 1, 0, 0, 1, 1, 0, 0}), refusal::Argument, "'ord': 0 is outside 1.."},
                   {"integers", {In(INT32, {2, 3, 5, 6})}, PLAIN, refusal::Validation, "input 0"}});
  checkRejections("pnormpool2d_bp", {{"eps", {X, G}, PLAIN, refusal::Validation, "1 floating"}});
}

TEST(OpsPoolingReject, volumes) {
  const Arguments plain = ints({1, 2, 2, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0});
  for (const char* name : {"maxpool3dnew", "avgpool3dnew"})
    checkRejections(name, {{"rank", {X}, plain, refusal::Argument, "its rank is 4"},
                           {"too few arguments",
                            {In(FLOAT32, {1, 1, 2, 2, 2})},
                            ints({1, 2, 2, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0}),
                            refusal::Validation,
                            "14 integer"}});
  checkRejections("maxpool3dnew_bp", {{"gradY",
                                       {In(FLOAT32, {1, 1, 2, 2, 2}), In(FLOAT32, {1, 1, 2, 2, 1})},
                                       plain,
                                       refusal::Argument,
                                       "input 1 'gradY'"}});
}

TEST(OpsPoolingReject, positions) {
  Arguments floats = PLAIN;
  floats.d = {FLOAT32};
  checkRejections("max_pool_with_argmax",
                  {{"rank", {In(FLOAT32, {3, 5, 6})}, PLAIN, refusal::Argument, "its rank is 3"},
                   {"type of the indices", {X}, floats, refusal::Argument, "argument 'dtype'"}});
}

}  // namespace
}  // namespace sd
