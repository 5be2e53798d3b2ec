// Calls that convolutions and related operations must reject.
#include <cmath>

#include "OpRejections.h"
#include "call/argument_values.h"

namespace sd {
namespace {

using namespace optest;

Arguments ints(std::vector<LongType> values) { return {.t = {}, .i = std::move(values), .b = {}, .d = {}}; }

const Arguments PLAIN = ints({2, 3, 1, 1, 0, 0, 1, 1, 0});
const In X(FLOAT32, {2, 3, 5, 6}), W(FLOAT32, {2, 3, 3, 4}), B(FLOAT32, {4}), G(FLOAT32, {2, 4, 4, 4});

TEST(OpsConvoReject, PaddingAtTheEnd) {
  const auto named = [](std::vector<LongType> padding, std::vector<LongType> end) {
    return Arguments{.named = {{"kernel", ops::integersArgument({2})},
                               {"padding", ops::integersArgument(std::move(padding))},
                               {"padding_end", ops::integersArgument(std::move(end))}}};
  };
  const In x(FLOAT32, {2, 3, 1}), w(FLOAT32, {2, 3, 4}), transposed(FLOAT32, {2, 4, 3});
  for (const auto& [name, weights] : {std::pair("conv1d", w), std::pair("deconv1d", transposed)})
    checkRejections(name,
                    {{"below -1", {x, weights}, named({0}, {-2}), refusal::Argument, "'padding_end': -2 is outside -1"},
                     {"two numbers", {x, weights}, named({0}, {1, 1}), refusal::Argument, "'padding_end'"}});
  checkRejections("conv1d", {{"a window larger than the sequence",
                              {x, w},
                              named({0}, {0}),
                              refusal::Argument,
                              "does not fit into the width of 1 cells with a padding of 0 on both sides"}});
  checkRejections("deconv1d", {{"no cells are left",
                                {x, transposed},
                                named({1}, {2}),
                                refusal::Argument,
                                "a padding of 1 at the start and 2 at the end leaves no cells of the width"},
                               {"rank", {In(FLOAT32, {2, 3}), transposed}, named({0}, {0}), refusal::Argument, "rank"},
                               {"channels", {x, w}, named({0}, {0}), refusal::Argument, "input 1 'weights'"},
                               {"causal",
                                {x, transposed},
                                {.named = {{"padding_mode", ops::choiceArgument("causal")}}},
                                refusal::Argument,
                                "'padding_mode'"}});
  const Arguments plain = ints({2, 1, 0, 1, 0});
  checkRejections("deconv1d_bp",
                  {{"shape of gradY", {x, transposed, In(FLOAT32, {2, 4, 3})}, plain, refusal::Argument, "gradY"},
                   {"no gradY", {x, transposed}, plain, refusal::Argument, "3 or 4 inputs are needed"}});
}

TEST(OpsConvoReject, conv2d) {
  checkRejections(
      "conv2d",
      {{"too few arguments", {X, W}, ints({2, 3, 1, 1, 0, 0, 1, 1}), refusal::Validation, "9 integer"},
       {"no weights", {X}, PLAIN, refusal::Runtime, "input 1 'weights' is missing"},
       {"rank of x", {In(FLOAT32, {3, 5, 6}), W}, PLAIN, refusal::Argument, "input 0 'x': its rank is 3"},
       {"rank of the weights", {X, In(FLOAT32, {2, 3, 12})}, PLAIN, refusal::Argument, "input 1 'weights': its rank"},
       {"channels",
        {X, In(FLOAT32, {2, 3, 2, 4})},
        PLAIN,
        refusal::Argument,
        "input 1 'weights': its shape is [2, 3, 2, 4]"},
       {"kernel", {X, In(FLOAT32, {3, 3, 3, 4})}, PLAIN, refusal::Argument, "input 1 'weights'"},
       {"the other weights format",
        {X, W},
        ints({2, 3, 1, 1, 0, 0, 1, 1, 0, 0, 1}),
        refusal::Argument,
        "input 1 'weights'"},
       {"length of the bias", {X, W, In(FLOAT32, {3})}, PLAIN, refusal::Argument, "input 2 'bias'"},
       {"rank of the bias", {X, W, In(FLOAT32, {1, 1, 4})}, PLAIN, refusal::Argument, "input 2 'bias'"},
       {"stride 0", {X, W}, ints({2, 3, 0, 1, 0, 0, 1, 1, 0}), refusal::Argument, "'stride'"},
       {"negative dilation", {X, W}, ints({2, 3, 1, 1, 0, 0, 1, -1, 0}), refusal::Argument, "'dilation'"},
       {"negative padding", {X, W}, ints({2, 3, 1, 1, -1, 0, 1, 1, 0}), refusal::Argument, "'padding'"},
       {"a window larger than the image", {X, W}, ints({2, 3, 1, 1, 0, 0, 1, 3, 0}), refusal::Argument, "does not fit"},
       {"weights of whole numbers", {X, In(INT32, {2, 3, 3, 4})}, PLAIN, refusal::Validation, "input 1"},
       {"strings", {In(UTF8, {2, 3, 5, 6}), W}, PLAIN, refusal::Validation, "input 0"}});
}

TEST(OpsConvoReject, conv2d_bp) {
  checkRejections(
      "conv2d_bp",
      {{"two inputs", {X, W}, PLAIN, refusal::Argument, "3 or 4 inputs"},
       {"shape of gradY", {X, W, In(FLOAT32, {2, 4, 4, 5})}, PLAIN, refusal::Argument, "input 2 'gradY'"},
       {"layout of gradY", {X, W, B, In(FLOAT32, {2, 4, 4, 3})}, PLAIN, refusal::Argument, "input 3 'gradY'"},
       {"bias", {X, W, In(FLOAT32, {5}), G}, PLAIN, refusal::Argument, "input 2 'bias'"},
       {"no gradY", {X, W, B, In()}, PLAIN, refusal::Validation, "input 3 is null"}});
}

TEST(OpsConvoReject, others) {
  checkRejections("conv1d",
                  {{"rank", {X, In(FLOAT32, {2, 3, 4})}, ints({2, 1, 0, 1, 0}), refusal::Argument, "its rank"},
                   {"weights",
                    {In(FLOAT32, {2, 3, 6}), In(FLOAT32, {2, 4, 4})},
                    ints({2, 1, 0, 1, 0}),
                    refusal::Argument,
                    "input 1 'weights'"}});
  const Arguments cube = ints({1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 2});
  checkRejections("conv3dnew", {{"causal",
                                 {In(FLOAT32, {1, 2, 2, 2, 2}), In(FLOAT32, {1, 1, 1, 2, 2})},
                                 cube,
                                 refusal::Argument,
                                 "'padding_mode': 2"}});
  checkRejections(
      "deconv2d",
      {{"channels", {X, W}, PLAIN, refusal::Argument, "input 1 'weights'"},
       {"bias", {X, In(FLOAT32, {2, 3, 4, 3}), In(FLOAT32, {3})}, PLAIN, refusal::Argument, "input 2 'bias'"},
       {"padding",
        {In(FLOAT32, {1, 3, 1, 1}), In(FLOAT32, {2, 3, 4, 3})},
        ints({2, 3, 1, 1, 2, 2, 1, 1, 0}),
        refusal::Argument,
        "padding of 2"}});
  checkRejections("depthwise_conv2d", {{"bias", {X, W, B}, PLAIN, refusal::Argument, "input 2 'bias'"}});
  const In shape(INT64, {4}, {2, 3, 5, 6});
  checkRejections("conv2d_input_bp",
                  {{"shape of 3", {In(INT64, {3}), W, G}, PLAIN, refusal::Argument, "input 0 'shape'"},
                   {"negative", {In(INT64, {4}, {2, 3, -5, 6}), W, G}, PLAIN, refusal::Argument, "negative"},
                   {"gradY", {shape, W, In(FLOAT32, {2, 4, 4, 3})}, PLAIN, refusal::Argument, "input 2 'gradY'"},
                   {"a shape that is no number",
                    {In(FLOAT32, {4}, {2, 3, NAN, 6}), W, G},
                    PLAIN,
                    refusal::Argument,
                    "value nan at [2]"}});
  checkRejections("deconv2d_tf",
                  {{"gradY", {shape, W, In(FLOAT32, {2, 4, 3, 4})}, PLAIN, refusal::Argument, "input 2"}});
  const In depth(FLOAT32, {2, 3, 3, 2});
  checkRejections(
      "sconv2d", {{"point weights", {X, depth, In(FLOAT32, {1, 1, 5, 4})}, PLAIN, refusal::Argument, "'weights_point'"},
                  {"point kernel", {X, depth, In(FLOAT32, {1, 2, 6, 4})}, PLAIN, refusal::Argument, "'weights_point'"},
                  {"bias", {X, depth, In(FLOAT32, {5})}, PLAIN, refusal::Argument, "input 2 'bias'"},
                  {"bias after weights",
                   {X, depth, In(FLOAT32, {1, 1, 6, 4}), In(FLOAT32, {6})},
                   PLAIN,
                   refusal::Argument,
                   "input 3 'bias'"}});
  checkRejections("sconv2d_bp",
                  {{"gradY", {X, In(FLOAT32, {2, 6, 4, 5}), depth}, PLAIN, refusal::Argument, "'gradY'"}});
  checkRejections(
      "pointwise_conv2d",
      {{"kernel", {X, W}, {}, refusal::Argument, "input 1 'weights'"},
       {"bias", {X, In(FLOAT32, {1, 1, 3, 4}), In(FLOAT32, {3})}, {}, refusal::Argument, "input 2 'bias'"}});
}

TEST(OpsConvoReject, columns) {
  const Arguments arguments = ints({2, 2, 1, 1, 0, 0, 1, 1, 0});
  checkRejections("im2col", {{"rank", {In(FLOAT32, {3, 5, 6})}, arguments, refusal::Argument, "its rank is 3"},
                             {"stride", {X}, ints({2, 2, 0, 1, 0, 0, 1, 1, 0}), refusal::Argument, "'stride'"},
                             {"kernel", {X}, ints({6, 2, 1, 1, 0, 0, 1, 1, 0}), refusal::Argument, "does not fit"},
                             {"integers", {In(INT32, {1, 1, 3, 3})}, arguments, refusal::Validation, "input 0"}});
  const In columns(FLOAT32, {2, 3, 2, 2, 4, 5});
  checkRejections("im2col_bp",
                  {{"rank of x", {columns, columns}, arguments, refusal::Argument, "input 0 'x'"},
                   {"rank", {X, X}, arguments, refusal::Argument, "input 1 'gradColumns'"},
                   {"batch", {In(FLOAT32, {1, 3, 5, 6}), columns}, arguments, refusal::Argument, "input 1"},
                   {"dilation", {X, columns}, ints({2, 2, 1, 1, 0, 0, 0, 1, 0}), refusal::Argument, "'dilation'"}});
  checkRejections("col2im", {{"rank", {X}, ints({1, 1, 0, 0, 5, 6, 1, 1, 0}), refusal::Argument, "its rank is 4"},
                             {"stride", {columns}, ints({0, 1, 0, 0, 5, 6, 1, 1, 0}), refusal::Argument, "'stride'"},
                             {"size", {columns}, ints({1, 1, 0, 0, -5, 6, 1, 1, 0}), refusal::Argument, "'size'"}});
}

TEST(OpsConvoReject, upsampling) {
  checkRejections("upsampling2d", {{"rank", {In(FLOAT32, {5, 6})}, ints({2, 2}), refusal::Argument, "its rank is 2"},
                                   {"factor", {X}, ints({2, 0}), refusal::Argument, "'scale_factor'"}});
  checkRejections("upsampling2d_bp",
                  {{"rank", {X, In(FLOAT32, {5, 6})}, {}, refusal::Argument, "input 1 'gradY'"},
                   {"no multiple", {X, In(FLOAT32, {2, 6, 7, 6})}, {}, refusal::Argument, "is not a multiple"},
                   {"channels", {X, In(FLOAT32, {2, 6, 5, 12})}, {}, refusal::Argument, "is not a multiple"}});
  // No elements, but sizes whose product overflows
  checkRejections(
      "upsampling2d",
      {{"factors", {In(FLOAT32, {0, 4, 4, 1})}, ints({LongType{1} << 62, 1}), refusal::Argument, "64 bits"}});
  checkRejections("upsampling3d", {{"rank", {X}, ints({2, 2, 2}), refusal::Argument, "its rank is 4"}});
}

TEST(OpsConvoReject, dilation2d) {
  const In x(FLOAT32, {1, 5, 6, 3}), w(FLOAT32, {2, 2, 3});
  const Arguments full = ints({0, 1, 1, 1, 1, 1, 1, 1, 1});
  checkRejections("dilation2d",
                  {{"rank of x", {In(FLOAT32, {5, 6, 3}), w}, full, refusal::Argument, "input 0 'x'"},
                   {"rank of the weights", {x, In(FLOAT32, {2, 2})}, full, refusal::Argument, "input 1 'weights'"},
                   {"channels", {x, In(FLOAT32, {2, 2, 4})}, full, refusal::Argument, "input 1 'weights'"},
                   {"types", {x, In(DOUBLE, {2, 2, 3})}, full, refusal::Argument, "its type"},
                   {"rates only", {x, w, In(INT32, {4}, {1, 1, 1, 1})}, ints({0}), refusal::Argument, "together"},
                   {"no strides", {x, w}, ints({0, 1, 1, 1, 1}), refusal::Argument, "9 integers"},
                   {"stride 0", {x, w}, ints({0, 1, 1, 1, 1, 1, 0, 1, 1}), refusal::Argument, "is below 1"},
                   {"too small", {x, w}, ints({0, 1, 5, 1, 1, 1, 1, 1, 1}), refusal::Argument, "does not fit"}});
}

TEST(OpsConvoReject, ismax) {
  checkRejections("ismax", {{"dimension", {X}, ints({4}), refusal::Argument, "'axis': 4 is outside"},
                            {"negative", {X}, ints({-5}), refusal::Argument, "'axis': -5 is outside"}});
}

}  // namespace
}  // namespace sd
