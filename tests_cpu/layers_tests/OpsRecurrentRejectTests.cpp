// Calls that recurrent layers and cells must reject.
#include "OpRejections.h"

namespace sd {
namespace {

using namespace optest;

Arguments layer(std::vector<LongType> ints, std::vector<bool> flags, std::vector<double> floats = {0}) {
  return {.t = std::move(floats), .i = std::move(ints), .b = std::move(flags), .d = {}};
}

const std::vector<bool> PLAIN = {false, false, false, false, false, true, false, false};
const std::vector<LongType> LSTM = {0, 0, 2, 0, 0};
const In X(FLOAT32, {4, 3, 2}), WX(FLOAT32, {2, 12}), WR(FLOAT32, {3, 12});

TEST(OpsRecurrentReject, lstmLayer) {
  const auto with = [](int flag) {
    std::vector<bool> flags = PLAIN;
    flags[static_cast<size_t>(flag)] = true;
    return flags;
  };
  const std::vector<In> plain = {X, WX, WR};
  checkRejections(
      "lstmLayer",
      {{"few integers", plain, layer({0, 0, 2, 0}, PLAIN), refusal::Validation, "5 integer"},
       {"few flags", plain, layer(LSTM, {false, false}), refusal::Argument, "none of the arguments"},
       {"format", plain, layer({4, 0, 2, 0, 0}, PLAIN), refusal::Argument, "'layout': 4"},
       {"direction", plain, layer({0, 5, 2, 0, 0}, PLAIN), refusal::Argument, "'direction': 5"},
       {"format 3", plain, layer({3, 0, 2, 0, 0}, PLAIN), refusal::Argument, "t2nc needs the direction stack"},
       {"direction 4", plain, layer({1, 4, 2, 0, 0}, PLAIN), refusal::Argument, "stack needs the layout"},
       {"activation", plain, layer({0, 0, 2, 11, 0}, PLAIN), refusal::Argument, "'cell_activation': 11"},
       {"alpha is missing", plain, layer({0, 0, 2, 4, 0}, PLAIN), refusal::Argument, "'activation_parameters'"},
       {"clip", plain, layer(LSTM, PLAIN, {-1}), refusal::Argument, "'clip': -1 is outside 0"},
       {"no results", plain, layer(LSTM, std::vector<bool>(8)), refusal::Argument, "none of the arguments 'return_h'"},
       {"rank of x", {In(FLOAT32, {4, 2}), WX, WR}, layer(LSTM, PLAIN), refusal::Argument, "input 0 'x'"},
       {"Wx", {X, In(FLOAT32, {3, 12}), WR}, layer(LSTM, PLAIN), refusal::Argument, "input 1 'weights'"},
       {"Wr", {X, WX, In(FLOAT32, {3, 9})}, layer(LSTM, PLAIN), refusal::Argument, "input 2 'recurrent_weights'"},
       {"both directions", plain, layer({0, 2, 2, 0, 0}, PLAIN), refusal::Argument,
        "input 2 'recurrent_weights': its rank"},
       {"no bias", plain, layer(LSTM, with(0)), refusal::Argument, "input 3 'bias' is missing"},
       {"bias", {X, WX, WR, In(FLOAT32, {3})}, layer(LSTM, with(0)), refusal::Argument, "input 3 'bias'"},
       {"lengths", {X, WX, WR, In(INT32, {3}, {1, 5, 4})}, layer(LSTM, with(1)), refusal::Argument, "value 5 at [1]"},
       {"negative length",
        {X, WX, WR, In(INT32, {3}, {-1, 2, 4})},
        layer(LSTM, with(1)),
        refusal::Argument,
        "value -1 at [0]"},
       {"number of lengths", {X, WX, WR, In(INT32, {4})}, layer(LSTM, with(1)), refusal::Argument, "'lengths'"},
       {"lengths that are no integers",
        {X, WX, WR, In(DOUBLE, {3}, {1, 1e30, 1})},
        layer(LSTM, with(1)),
        refusal::Argument,
        "input 3 'lengths': value 1e+30 at [1]"},
       {"hI", {X, WX, WR, In(FLOAT32, {3, 2})}, layer(LSTM, with(2)), refusal::Argument, "input 3 'h0'"},
       {"cI", {X, WX, WR, In(FLOAT32, {2, 3})}, layer(LSTM, with(3)), refusal::Argument, "input 3 'c0'"},
       {"Wp", {X, WX, WR, In(FLOAT32, {12})}, layer(LSTM, with(4)), refusal::Argument, "input 3 'peephole'"}});
  checkRejections("lstmLayer_bp",
                  {{"dLdh", {X, WX, WR, In(FLOAT32, {4, 3, 2})}, layer(LSTM, PLAIN), refusal::Argument, "'gradH'"},
                   {"no gradient", plain, layer(LSTM, PLAIN), refusal::Argument, "'gradH' is missing"}});
}

TEST(OpsRecurrentReject, lstmCells) {
  const In x(FLOAT32, {3, 2}), h(FLOAT32, {3, 3});
  const Arguments none = layer({2, 0, 0}, {false, false});
  checkRejections("lstmLayerCell",
                  {{"x", {In(FLOAT32, {1, 3, 2}), WX, WR, h, h}, none, refusal::Argument, "input 0 'x'"},
                   {"hI", {x, WX, WR, In(FLOAT32, {3}), h}, none, refusal::Argument, "input 3 'h0'"},
                   {"cI", {x, WX, WR, h, In(FLOAT32, {3, 4})}, none, refusal::Argument, "input 4 'c0'"},
                   {"no cI", {x, WX, WR, h}, none, refusal::Argument, "input 4 'c0' is missing"}});
  checkRejections("lstmLayerCellBp", {{"dLdh", {x, WX, WR, h, h, x}, none, refusal::Argument, "input 5 'gradH'"}});

  const In wc(FLOAT32, {9}), wp(FLOAT32, {3, 3}), b(FLOAT32, {12});
  const Arguments cell{.t = {0, 0, 0}, .i = {0, 0}, .b = {}, .d = {}};
  const Arguments projected{.t = {0, 0, 0}, .i = {0, 1}, .b = {}, .d = {}};
  checkRejections("lstmCell",
                  {{"bias", {x, h, h, WX, WR, wc, wp, wc}, cell, refusal::Argument, "input 7 'bias'"},
                   {"no bias", {x, h, h, WX, WR, wc, wp}, cell, refusal::Argument, "input 7 'bias' is missing"},
                   {"projection",
                    {x, h, h, WX, WR, wc, In(FLOAT32, {3, 2}), b},
                    projected,
                    refusal::Argument,
                    "input 6 'projection'"},
                   {"sizes without projection",
                    {x, In(FLOAT32, {3, 2}), h, WX, In(FLOAT32, {2, 12}), wc, In(FLOAT32, {3, 2}), b},
                    cell,
                    refusal::Argument,
                    "without a projection"}});
  checkRejections("lstm",
                  {{"rank", {x, h, h, WX, WR, wc, wp, b}, cell, refusal::Argument, "input 0 'x': its rank is 2"}});
  const In w(FLOAT32, {5, 12}), p(FLOAT32, {3});
  const Arguments block{.t = {0, 0}, .i = {1, 3}, .b = {}, .d = {}};
  checkRejections("lstmBlockCell",
                  {{"weights", {x, h, h, WX, p, p, p, b}, block, refusal::Argument, "input 3 'weights'"},
                   {"peephole", {x, h, h, w, p, b, p, b}, block, refusal::Argument, "input 5 'peephole_forget'"}});
  checkRejections("lstmBlock",
                  {{"format", {In(INT32, {}), X, h, h, w, p, p, p, b}, block, refusal::Argument, "'layout': 3"}});
}

TEST(OpsRecurrentReject, units) {
  const In h0(FLOAT32, {3, 3}), wx(FLOAT32, {2, 9}), wh(FLOAT32, {3, 9}), b(FLOAT32, {9}), x(FLOAT32, {3, 2});
  checkRejections("gru", {{"rank", {x, h0, wx, wh, b}, {}, refusal::Argument, "input 0 'x'"},
                          {"h0", {X, x, wx, wh, b}, {}, refusal::Argument, "input 2 'weights'"},
                          {"Wh", {X, h0, wx, wx, b}, {}, refusal::Argument, "input 3 'recurrent_weights'"},
                          {"bias", {X, h0, wx, wh, wx}, {}, refusal::Argument, "input 4 'bias'"},
                          {"no bias", {X, h0, wx, wh}, {}, refusal::Argument, "input 4 'bias' is missing"}});
  checkRejections("gru_bp", {{"dLdh", {X, h0, wx, wh, b, h0}, {}, refusal::Argument, "input 5 'gradH'"}});
  const In wru(FLOAT32, {5, 6}), wc(FLOAT32, {5, 3}), bru(FLOAT32, {6}), bc(FLOAT32, {3});
  checkRejections("gruCell", {{"Wru", {x, h0, wc, wc, bru, bc}, {}, refusal::Argument, "input 2 'weights_gates'"},
                              {"bc", {x, h0, wru, wc, bru, bru}, {}, refusal::Argument, "input 5 'bias_candidate'"}});
  checkRejections("gruCell_bp", {{"dLdh", {x, h0, wru, wc, bru, bc, h0, h0, h0, x}, {}, refusal::Argument, "'gradH'"}});
}

TEST(OpsRecurrentReject, simple) {
  const In x(FLOAT32, {2, 3, 4}), w(FLOAT32, {9, 3}), b(FLOAT32, {6}), c(FLOAT32, {2, 3});
  checkRejections("sru", {{"rank", {c, w, b, c}, {}, refusal::Argument, "input 0 'x'"},
                          {"w", {x, In(FLOAT32, {3, 9}), b, c}, {}, refusal::Argument, "input 1 'weights'"},
                          {"b", {x, w, In(FLOAT32, {1, 6}), c}, {}, refusal::Argument, "input 2 'bias'"},
                          {"mask", {x, w, b, c, b}, {}, refusal::Argument, "input 4 'mask'"}});
  checkRejections("sru_bp", {{"c", {x, w, b, c, c, c, x}, {}, refusal::Argument, "input 4 'c'"},
                             {"dLdh", {x, w, b, c, x, c, c}, {}, refusal::Argument, "input 6 'gradH'"}});
  checkRejections("sru_bi", {{"odd", {In(FLOAT32, {4, 2, 3}), w, b, c}, {}, refusal::Argument, "has an odd size"}});
  checkRejections("sruCell", {{"b", {c, c, In(FLOAT32, {3, 9}), c}, {}, refusal::Argument, "input 3 'bias'"}});
}

TEST(OpsRecurrentReject, plain) {
  const In wx(FLOAT32, {2, 3}), wh(FLOAT32, {3, 3}), b(FLOAT32, {6});
  checkRejections("static_rnn",
                  {{"rank", {wx, wx, wh, b}, {}, refusal::Argument, "input 0 'x'"},
                   {"Wx", {X, wh, wh, b}, {}, refusal::Argument, "input 1 'weights'"},
                   {"b", {X, wx, wh, In(FLOAT32, {3})}, {}, refusal::Argument, "input 3 'bias'"},
                   {"h0", {X, wx, wh, b, wx}, {}, refusal::Argument, "input 4 'h0'"},
                   {"lengths", {X, wx, wh, b, In(INT32, {3}, {0, 4, 5})}, {}, refusal::Argument, "value 5 at [2]"}});
  checkRejections("dynamic_rnn", {{"lengths",
                                   {X, wx, wh, b, In(INT32, {4}, {0, 1, 2, 4})},
                                   {},
                                   refusal::Argument,
                                   "value 4 at [3] is outside 0..3"}});
  checkRejections("static_bidirectional_rnn",
                  {{"WhBW", {X, wx, wh, b, wx, b, b}, {}, refusal::Argument, "input 5 'recurrent_weights_backward'"},
                   {"h0BW", {X, wx, wh, b, wx, wh, b, wh, wx}, {}, refusal::Argument, "input 8 'h0_backward'"}});
}

}  // namespace
}  // namespace sd
