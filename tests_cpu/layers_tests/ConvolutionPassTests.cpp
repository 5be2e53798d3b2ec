// Passes over graphs of convolutions: biases, normalisations, layouts.
#include <functional>

#include "PassTesting.h"

using namespace passes;
using namespace sd;
using namespace sd::graph;

namespace {

const Small::Arguments FIRST{{"layout", ops::choiceArgument("nchw")}, {"padding_mode", ops::choiceArgument("same")}},
    LAST{{"layout", ops::choiceArgument("nhwc")}, {"padding_mode", ops::choiceArgument("same")}},
    TO_LAST{{"permutation", ops::integersArgument({0, 2, 3, 1})}},
    TO_FIRST{{"permutation", ops::integersArgument({0, 3, 1, 2})}},
    CHANNELS_FIRST{{"channels_first", ops::flagArgument(true)}};

// Large enough for oneDNN.
const std::vector<LongType> IMAGE{2, 8, 16, 16}, WEIGHTS{3, 3, 8, 16};

struct Case {
  const char* name;
  std::function<int(Small&)> build;  ///< returns the result
  Names before, after;
};

void checkCases(const char* pass, const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    SCOPED_TRACE(each.name);
    Small graph;
    graph.result(each.build(graph));
    EXPECT_EQ(graph.after(nullptr), each.before);
    EXPECT_EQ(graph.after(pass), each.after);
    graph.check(pass);
  }
}

/// Small numbers, so that sums of products keep most digits.
NDArray weightsOf(const std::vector<LongType>& shape, DataType type = FLOAT32) {
  NDArray array = sample(shape, type);
  array *= 0.0625;
  return array;
}

int convolution(Small& g, const Small::Arguments& layout) {
  const bool last = layout[0].second.name == "nhwc";
  const int x = g.input(sample(last ? std::vector<LongType>{2, 16, 16, 8} : IMAGE));
  return g.call("conv2d", {x, g.constant(weightsOf(WEIGHTS))}, layout);
}

/// batchnorm with constant parameters over `axis`.
int normalized(Small& g, int y, int axis, double variance = 2, DataType type = FLOAT32) {
  NDArray mean = sample({16}, type), gamma = sample({16}, type), beta = sample({16}, type);
  gamma += 1.5;
  return g.call("batchnorm",
                {y, g.constant(mean), g.constant(filled({16}, variance, type)), g.constant(gamma), g.constant(beta)},
                {{"axis", ops::integersArgument({axis})},
                 {"apply_scale", ops::flagArgument(true)},
                 {"apply_offset", ops::flagArgument(true)}});
}

}  // namespace

TEST(ConvolutionPassTests, BiasesBecomeInputs) {
  checkCases("biases",
             {
                 {"biasadd, channels first",
                  [](Small& g) {
                    return g.call("biasadd", {convolution(g, FIRST), g.input(sample({16}))}, CHANNELS_FIRST);
                  },
                  {"conv2d", "biasadd"},
                  {"conv2d"}},
                 {"biasadd, channels last",
                  [](Small& g) {
                    return g.call("biasadd", {convolution(g, LAST), g.variable(sample({16}))});
                  },
                  {"conv2d", "biasadd"},
                  {"conv2d"}},
                 {"biasadd along another dimension",
                  [](Small& g) {
                    return g.call("biasadd", {convolution(g, FIRST), g.input(sample({16}))});
                  },
                  {"conv2d", "biasadd"},
                  {"conv2d", "biasadd"}},
                 {"add of a vector, channels last",
                  [](Small& g) {
                    return g.call("add", {convolution(g, LAST), g.constant(sample({16}))});
                  },
                  {"conv2d", "add"},
                  {"conv2d"}},
                 {"add of a vector, channels first",
                  [](Small& g) {
                    return g.call("add", {convolution(g, FIRST), g.constant(sample({16}))});
                  },
                  {"conv2d", "add"},
                  {"conv2d", "add"}},
                 {"add of constant channels",
                  [](Small& g) {
                    return g.call("add", {g.constant(sample({1, 16, 1, 1})), convolution(g, FIRST)});
                  },
                  {"conv2d", "add"},
                  {"conv2d"}},
                 {"add of other channels",
                  [](Small& g) {
                    return g.call("add", {convolution(g, FIRST), g.input(sample({16, 1, 1}))});
                  },
                  {"conv2d", "add"},
                  {"reshape", "conv2d"}},
                 {"add of an image",
                  [](Small& g) {
                    return g.call("add", {convolution(g, FIRST), g.input(sample({1, 1, 16, 1}))});
                  },
                  {"conv2d", "add"},
                  {"conv2d", "add"}},
                 {"a second bias",
                  [](Small& g) {
                    const int y = g.call("add", {convolution(g, LAST), g.constant(sample({16}))});
                    return g.call("add", {y, g.constant(sample({16}))});
                  },
                  {"conv2d", "add", "add"},
                  {"conv2d", "add"}},
                 {"a result that something else reads",
                  [](Small& g) {
                    const int y = convolution(g, LAST);
                    return g.call("multiply", {g.call("biasadd", {y, g.input(sample({16}))}), y});
                  },
                  {"conv2d", "biasadd", "multiply"},
                  {"conv2d", "biasadd", "multiply"}},
                 {"a depthwise convolution",
                  [](Small& g) {
                    const int x = g.input(sample(IMAGE)), w = g.input(weightsOf({3, 3, 8, 2}));
                    return g.call("biasadd", {g.call("depthwise_conv2d", {x, w}, FIRST), g.input(sample({16}))},
                                  CHANNELS_FIRST);
                  },
                  {"depthwise_conv2d", "biasadd"},
                  {"depthwise_conv2d"}},
                 {"a sequence",
                  [](Small& g) {
                    const int x = g.input(sample({2, 8, 9})), w = g.input(weightsOf({3, 8, 4}));
                    return g.call("biasadd", {g.call("conv1d", {x, w}), g.input(sample({4}))}, CHANNELS_FIRST);
                  },
                  {"conv1d", "biasadd"},
                  {"conv1d"}},
                 {"volumes",
                  [](Small& g) {
                    const int x = g.input(sample({1, 4, 6, 6, 3})), w = g.input(weightsOf({2, 2, 2, 3, 5}));
                    const int y = g.call("conv3dnew", {x, w}, {{"layout", ops::choiceArgument("ndhwc")}});
                    return g.call("biasadd", {y, g.input(sample({5}))});
                  },
                  {"conv3dnew", "biasadd"},
                  {"conv3dnew"}},
             });
}

TEST(ConvolutionPassTests, NormalisationsAreFoldedIntoConstants) {
  checkCases(
      "normalizations",
      {
          {"channels first",
           [](Small& g) { return normalized(g, convolution(g, FIRST), 1); },
           {"conv2d", "batchnorm"},
           {"conv2d"}},
          {"channels last",
           [](Small& g) { return normalized(g, convolution(g, LAST), -1); },
           {"conv2d", "batchnorm"},
           {"conv2d"}},
          {"after a bias, output channels first in the weights",
           [](Small& g) {
             Small::Arguments arguments = FIRST;
             arguments.emplace_back("weight_layout", ops::choiceArgument("oihw"));
             const int x = g.input(sample(IMAGE)), w = g.constant(weightsOf({16, 8, 3, 3}));
             return normalized(g, g.call("conv2d", {x, w, g.constant(sample({16}))}, arguments), 1);
           },
           {"conv2d", "batchnorm"},
           {"conv2d"}},
          {"without scale and offset",
           [](Small& g) {
             return g.call("batchnorm", {convolution(g, FIRST), g.constant(sample({16})), g.constant(filled({16}, 3))},
                           {{"axis", ops::integersArgument({1})}});
           },
           {"conv2d", "batchnorm"},
           {"conv2d"}},
          {"doubles",
           [](Small& g) {
             const int x = g.input(sample({1, 2, 5, 5}, DOUBLE)), w = g.constant(weightsOf({3, 3, 2, 16}, DOUBLE));
             return normalized(g, g.call("conv2d", {x, w}, FIRST), 1, 2, DOUBLE);
           },
           {"conv2d", "batchnorm"},
           {"conv2d"}},
          {"a depthwise convolution",
           [](Small& g) {
             const int x = g.input(sample(IMAGE)), w = g.constant(weightsOf({3, 3, 8, 2}));
             return normalized(g, g.call("depthwise_conv2d", {x, w}, FIRST), 1);
           },
           {"depthwise_conv2d", "batchnorm"},
           {"depthwise_conv2d"}},
          {"along another dimension",
           [](Small& g) { return normalized(g, convolution(g, FIRST), 2); },
           {"conv2d", "batchnorm"},
           {"conv2d", "batchnorm"}},
          {"weights that may change",
           [](Small& g) {
             const int y = g.call("conv2d", {g.input(sample(IMAGE)), g.variable(weightsOf(WEIGHTS))}, FIRST);
             return normalized(g, y, 1);
           },
           {"conv2d", "batchnorm"},
           {"conv2d", "batchnorm"}},
          {"a mean that may change",
           [](Small& g) {
             return g.call("batchnorm", {convolution(g, FIRST), g.input(sample({16})), g.constant(filled({16}, 3))},
                           {{"axis", ops::integersArgument({1})}});
           },
           {"conv2d", "batchnorm"},
           {"conv2d", "batchnorm"}},
          {"a factor that is not finite",
           [](Small& g) { return normalized(g, convolution(g, FIRST), 1, -1); },
           {"conv2d", "batchnorm"},
           {"conv2d", "batchnorm"}},
      });
}

TEST(ConvolutionPassTests, PermutationsAroundConvolutionsAreRemoved) {
  const auto pool = [](Small& g, const char* operation, int x, const char* layout) {
    return g.call(operation, {x},
                  {{"kernel", ops::integersArgument({2, 2})},
                   {"stride", ops::integersArgument({2, 2})},
                   {"layout", ops::choiceArgument(layout)}});
  };
  checkCases(
      "layouts",
      {
          {"a convolution with channels last",
           [](Small& g) {
             const int x = g.call("permute", {g.input(sample(IMAGE))}, TO_LAST);
             return g.call("permute", {g.call("conv2d", {x, g.input(weightsOf(WEIGHTS))}, LAST)}, TO_FIRST);
           },
           {"permute", "conv2d", "permute"},
           {"conv2d"}},
          {"a block with channels first",
           [&](Small& g) {
             int x = g.call("permute", {g.input(sample({2, 16, 16, 8}))}, TO_FIRST);
             x = g.call("conv2d", {x, g.input(weightsOf(WEIGHTS))}, FIRST);
             x = g.call("biasadd", {x, g.input(sample({16}))}, CHANNELS_FIRST);
             x = normalized(g, x, 1);
             x = g.call("relu", {x});
             x = g.number(OpType_TRANSFORM_STRICT, transform::Tanh, {x});
             x = pool(g, "maxpool2d", x, "nchw");
             x = pool(g, "avgpool2d", x, "nchw");
             return g.call("permute", {x}, TO_LAST);
           },
           {"permute", "conv2d", "biasadd", "batchnorm", "relu", "transform.Tanh", "maxpool2d", "avgpool2d", "permute"},
           {"conv2d", "biasadd", "batchnorm", "relu", "transform.Tanh", "maxpool2d", "avgpool2d"}},
          {"the layouts do not fit",
           [](Small& g) {
             const int x = g.call("permute", {g.input(sample({2, 16, 16, 8}))}, TO_FIRST);
             return g.call(
                 "permute",
                 {g.call("maxpool2d", {x},
                         {{"kernel", ops::integersArgument({2, 2})}, {"layout", ops::choiceArgument("nhwc")}})},
                 TO_LAST);
           },
           {"permute", "maxpool2d", "permute"},
           {"permute", "maxpool2d", "permute"}},
          {"two permutations in the same direction",
           [](Small& g) {
             const int x = g.call("permute", {g.input(sample(IMAGE))}, TO_LAST);
             return g.call("permute", {g.call("relu", {x})}, TO_LAST);
           },
           {"permute", "relu", "permute"},
           {"permute", "relu", "permute"}},
          {"an operation along a dimension",
           [](Small& g) {
             const int x = g.call("permute", {g.input(sample(IMAGE))}, TO_LAST);
             return g.call("permute", {g.call("softmax", {x})}, TO_FIRST);
           },
           {"permute", "softmax", "permute"},
           {"permute", "softmax", "permute"}},
          {"a value in between that is read twice",
           [](Small& g) {
             const int x = g.call("relu", {g.call("permute", {g.input(sample(IMAGE))}, TO_LAST)});
             g.result(x);
             return g.call("permute", {x}, TO_FIRST);
           },
           {"permute", "relu", "permute"},
           {"permute", "relu", "permute"}},
      });
}
