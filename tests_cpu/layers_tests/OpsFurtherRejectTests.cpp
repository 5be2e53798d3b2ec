// Rejected calls of gradients of convolutions, pooling, layers and products, of reductions, and of operations that
// accept nearly everything.
#include "OpRejections.h"

namespace sd::optest {
namespace {

using refusal::Argument;
using refusal::Runtime;
using refusal::Validation;

In f(Dims dims, std::vector<double> values = {}) { return In(FLOAT32, std::move(dims), std::move(values)); }
In i(Dims dims, std::vector<double> values = {}) { return In(INT32, std::move(dims), std::move(values)); }
Arguments ints(std::vector<LongType> values) { return {.t = {}, .i = std::move(values), .b = {}, .d = {}}; }

const In WORDS(UTF8, {2});

/// A convolution and its gradient: valid inputs, the shape of the output, arguments.
struct Convolution {
  const char* name;
  In x, weights, bias, gradY;
  std::vector<LongType> arguments;
};

std::vector<Convolution> convolutions() {
  return {{"conv1d", f({2, 3, 6}), f({2, 3, 4}), f({4}), f({2, 4, 5}), {2, 1, 0, 1, 0}},
          {"conv3dnew",
           f({1, 3, 2, 4, 4}),
           f({1, 2, 2, 3, 4}),
           f({4}),
           f({1, 4, 2, 3, 3}),
           {1, 2, 2, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0}},
          {"depthwise_conv2d", f({1, 3, 4, 4}), f({2, 2, 3, 2}), f({6}), f({1, 6, 3, 3}), {2, 2, 1, 1, 0, 0, 1, 1, 0}},
          {"deconv2d", f({1, 3, 4, 4}), f({2, 2, 4, 3}), f({4}), f({1, 4, 5, 5}), {2, 2, 1, 1, 0, 0, 1, 1, 0}},
          {"deconv3d",
           f({1, 3, 2, 4, 4}),
           f({1, 2, 2, 4, 3}),
           f({4}),
           f({1, 4, 2, 5, 5}),
           {1, 2, 2, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0}}};
}

In enlarged(const In& array, size_t axis) {
  In other = array;
  other.dims[axis]++;
  return other;
}
In withoutFirst(const In& array) {
  In other = array;
  other.dims.erase(other.dims.begin());
  return other;
}

TEST(OpsFurtherReject, Convolutions) {
  for (const Convolution& c : convolutions()) {
    const Arguments good = ints(c.arguments);
    Arguments noStride = good, tooFew = good;
    const size_t spatial = c.x.dims.size() - 2;
    noStride.i[spatial] = 0;
    tooFew.i.pop_back();
    checkRejections(c.name,
                    {{"rank of x", {withoutFirst(c.x), c.weights}, good, Argument, "input 0 'x': its rank"},
                     {"rank of the weights", {c.x, withoutFirst(c.weights)}, good, Argument, "input 1 'weights'"},
                     {"channels", {enlarged(c.x, 1), c.weights}, good, Argument, "input 1 'weights'"},
                     {"bias", {c.x, c.weights, enlarged(c.bias, 0)}, good, Argument, "input 2 'bias'"},
                     {"stride 0", {c.x, c.weights}, noStride, Argument, "'stride"},
                     {"too few arguments", {c.x, c.weights}, tooFew, Validation, "integer"},
                     {"strings", {WORDS, c.weights}, good, Validation, "input 0"}});
    const std::string gradient = std::string(c.name) + "_bp";
    checkRejections(gradient.c_str(),
                    {{"two inputs", {c.x, c.weights}, good, Argument, "3 or 4 inputs"},
                     {"gradY", {c.x, c.weights, enlarged(c.gradY, 2)}, good, Argument, "input 2 'gradY'"},
                     {"channels of gradY", {c.x, c.weights, c.bias, enlarged(c.gradY, 1)}, good, Argument, "'gradY'"},
                     {"weights", {c.x, enlarged(c.weights, 0), c.gradY}, good, Argument, "input 1 'weights'"},
                     {"bias", {c.x, c.weights, enlarged(c.bias, 0), c.gradY}, good, Argument, "input 2 'bias'"},
                     {"stride 0", {c.x, c.weights, c.gradY}, noStride, Argument, "'stride"},
                     {"too few arguments", {c.x, c.weights, c.gradY}, tooFew, Validation, "integer"}});
  }
}

TEST(OpsFurtherReject, PoolingAndUpsampling) {
  const In x = f({1, 2, 2, 4, 4}), gradY = f({1, 2, 2, 3, 3});
  const Arguments good = ints({1, 2, 2, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0});
  for (const char* name : {"maxpool3dnew_bp", "avgpool3dnew_bp"})
    checkRejections(name, {{"rank", {f({2, 2, 4, 4}), gradY}, good, Argument, "its rank is 4"},
                           {"batch", {x, f({2, 2, 2, 3, 3})}, good, Argument, "input 1 'gradY'"},
                           {"channels", {x, f({1, 1, 2, 3, 3})}, good, Argument, "input 1 'gradY'"},
                           {"size", {x, f({1, 2, 2, 3, 4})}, good, Argument, "input 1 'gradY'"},
                           {"too few arguments", {x, gradY}, ints({1, 2, 2}), Validation, "14 integer"}});
  checkRejections("upsampling3d_bp", {{"rank", {x, f({2, 2, 4})}, {}, Argument, "input 1 'gradY'"},
                                      {"no multiple", {x, f({1, 4, 4, 8, 5})}, {}, Argument, "is not a multiple"}});
}

TEST(OpsFurtherReject, RecurrentAndAttention) {
  const In x = f({3, 4, 2}), wx = f({2, 3}), wh = f({3, 3}), b = f({6});
  checkRejections("dynamic_bidirectional_rnn",
                  {{"WhBW", {x, wx, wh, b, wx, b, b}, ints({1}), Argument, "input 5 'recurrent_weights_backward'"},
                   {"bFW", {x, wx, wh, f({3}), wx, wh, b}, ints({1}), Argument, "input 3"},
                   {"lengths", {x, wx, wh, b, wx, wh, b, i({4}, {0, 1, 2, 4})}, ints({1}), Argument, "value 4 at [3]"},
                   {"h0BW", {x, wx, wh, b, wx, wh, b, f({4, 3}), wx}, ints({1}), Argument, "input 8 'h0_backward'"}});
  const In seq = f({4, 2, 6}), w = f({6, 18}), bias = f({12}), state = f({2, 6});
  checkRejections("sru_bi_bp",
                  {{"w", {seq, f({18, 6}), bias, state, seq, state, seq}, {}, Argument, "input 1 'weights'"},
                   {"b", {seq, w, f({6}), state, seq, state, seq}, {}, Argument, "input 2 'bias'"},
                   {"c", {seq, w, bias, state, state, state, seq}, {}, Argument, "input 4 'c'"},
                   {"dLdh", {seq, w, bias, state, seq, state, state}, {}, Argument, "input 6 'gradH'"}});
  const In q = f({2, 3, 4}), wq = f({2, 5, 3}), wo = f({10, 7}), g = f({2, 7, 4});
  checkRejections("multi_head_dot_product_attention_bp",
                  {{"wq", {q, q, q, f({2, 5, 4}), wq, wq, wo, g}, ints({1}), Argument, "'weights_query'"},
                   {"wo", {q, q, q, wq, wq, wq, f({9, 7}), g}, ints({1}), Argument, "'weights_out'"},
                   {"g", {q, q, q, wq, wq, wq, wo, f({2, 7, 5})}, ints({1}), Argument, "'gradZ'"},
                   {"no argument", {q, q, q, wq, wq, wq, wo, g}, {}, Validation, "integer"}});
}

TEST(OpsFurtherReject, ProductsAndReductions) {
  const In a = f({2, 3, 4}), b = f({4, 3, 5}), c = f({2, 3, 3, 5});
  checkRejections("tensormmul_bp",
                  {{"gradient", {a, b, f({2, 3, 5})}, ints({1, 2, 1, 0}), Argument, "input 2"},
                   {"sizes", {a, b, c}, ints({1, 0, 1, 0}), Runtime, "differ in size"},
                   {"an axis twice", {a, b, c}, ints({2, 1, 1, 2, 1, 1}), Runtime, "twice"},
                   {"types", {a, In(DOUBLE, {4, 3, 5}), c}, ints({1, 2, 1, 0}), Argument, "differ in type"}});
  for (const char* name : {"reduce_variance", "reduce_stdev", "reduce_logsumexp"})
    checkRejections(name, {{"an axis too large", {f({2, 3})}, ints({2}), Argument, "2 is outside -2..1"},
                           {"an axis too small", {f({2, 3})}, ints({-3}), Argument, "-3 is outside -2..1"},
                           {"an axis in an input", {f({2, 3}), i({1}, {2})}, {}, Argument, "2 is outside"},
                           {"strings", {WORDS}, {}, Validation, "input 0"}});
}

TEST(OpsFurtherReject, OperationsThatTakeNearlyEverything) {
  for (const char* name : {"cube", "Floor", "zero_fraction"})
    checkRejections(name, {{"strings", {WORDS}, {}, Validation, "input 0"}});
  for (const char* name : {"rationaltanh_bp", "rectifiedtanh_bp"})
    checkRejections(name, {{"length", {f({2, 3}), f({5})}, {}, Runtime, "[5]"},
                           {"no gradient", {f({2, 3})}, {}, Runtime, "1"},
                           {"strings", {WORDS, f({2})}, {}, Validation, "input 0"}});
  checkRejections("random_bernoulli", {{"no probability", {i({1}, {3})}, {}, Validation, "1 floating"},
                                       {"negative", {i({1}, {-3})}, {.t = {0.5}}, Argument, "-3 at [0]"}});
  checkRejections("random_poisson",
                  {{"empty", {i({1}, {3}), In::empty(FLOAT32)}, {}, Argument, "'rate': it is empty"}});
  checkRejections("random_gamma",
                  {{"an integer type", {i({1}, {3}), f({2}, {1, 1})}, {.d = {INT32}}, Argument, "'dtype': INT32"}});
  checkRejections("random_gamma",
                  {{"empty alpha", {i({1}, {3}), In::empty(FLOAT32)}, {}, Argument, "'alpha': it is empty"},
                   {"empty beta", {i({1}, {3}), f({2}), In::empty(FLOAT32)}, {}, Argument, "'beta': it is empty"}});
  checkRejections("unsorted_segment_sum", {{"nothing of rank 0",
                                            {In::empty(FLOAT32), i({1})},
                                            ints({1}),
                                            Argument,
                                            "input 1 'ids': 1 ids are given for 0 rows"}});
  checkRejections("random_exponential", {{"no rate", {i({1}, {3})}, {}, Validation, "1 floating"},
                                         {"negative", {i({1}, {-3})}, {.t = {0.5}}, Argument, "-3 at [0]"}});
}

}  // namespace
}  // namespace sd::optest
