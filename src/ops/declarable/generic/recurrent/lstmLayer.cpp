// A layer of long short-term memory over sequences, in one or both directions, and its gradient.
// operations: lstmLayer lstmLayer_bp
// calls: Add Sigmoid Tanh
#include <ops/declarable/headers/recurrent.h>

#include "ops/declarable/helpers/lstm_layer_call.h"

namespace sd::ops {
namespace {

using namespace helpers;

constexpr const char* INPUTS =
    "x: format 0 or 3 [T, N, nIn], 1 [N, T, nIn], 2 [N, nIn, T]\nWx: [nIn, 4 nOut], gates i, f, g, o\nWr: [nOut, 4 "
    "nOut]\nb?: [4 nOut], with flag 0\nseqLen?: [N], integers 0..T, with flag 1\nhI?: [N, nOut], with flag 2\ncI?: [N, "
    "nOut], with flag 3\nWp?: [3 nOut], peepholes of i, f, o, with flag 4";
constexpr const char* GRADIENT_INPUTS =
    "x, Wx, Wr: as in lstmLayer\nb?, seqLen?, hI?, cI?, Wp?: as in lstmLayer\ndLdh?: the shape of h or a scalar, "
    "with flag 5\ndLdhL?: "
    "the shape of hL or a scalar, with flag 6\ndLdcL?: the shape of cL or a scalar, with flag 7";
constexpr const char* INTEGERS =
    "format: 0 [T, N, size], 1 [N, T, size], 2 [N, size, T], 3 as 0 with h [T, 2, N, nOut]\ndirection: 0 forward, 1 "
    "backward, 2 both summed, 3 both side by side, 4 both along an additional axis\ngateAct, cellAct, outAct: "
    "0 tanh, 1 relu, 2 sigmoid, 3 affine, 4 leaky relu, 5 thresholded relu, 6 scaled tanh, 7 hard sigmoid, 8 elu, 9 "
    "softsign, 10 softplus";
constexpr const char* BOOLEANS =
    "hasB: input b is there\nhasSeqLen: seqLen is there\nhasHI: hI is there\nhasCI: cI is there\nhasWp: Wp is "
    "there\nwantsH: output h is requested, or its gradient is given\nwantsHL: the same for hL\nwantsCL: the same for "
    "cL";
constexpr const char* FLOATS =
    "cellClip: 0 for none\nalphasBetas…?: for the activations that take them: gate alpha, gate beta, cell alpha, "
    "...";
constexpr const char* NOTES =
    "With two directions Wx, Wr, b, hI, cI, Wp and the last states have a leading axis of size 2. Batch elements with "
    "a length L compute the first L steps, or the last L with direction 1; h is 0 in the others; with length 0 the "
    "last states are 0 too, regardless of hI and cI. The last state of the backward direction is the state of step 0.";

}  // namespace

CUSTOM_OP_IMPL(lstmLayer, 3, 1, false, 1, 5) {
  LstmLayer layer(block, false);
  layer.readLengths();
  runLstmLayer(layer, lstmResults(layer, [&](int k) { return OUTPUT_VARIABLE(k); }));
  return Status::OK;
}
DECLARE_SHAPE_FN(lstmLayer) {
  const LstmLayer layer(block, false);
  const char order = layer.x->ordering();
  auto list = std::make_unique<ShapeList>();
  if (layer.has(LstmLayer::ALL_H)) list->push_back(shapeOf(layer.type, order, layer.outputShape()));
  for (const auto flag : {LstmLayer::LAST_H, LstmLayer::LAST_C})
    if (layer.has(flag)) list->push_back(shapeOf(layer.type, order, layer.both({layer.N, layer.units})));
  return list.release();
}
DECLARE_TYPES(lstmLayer) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "A layer of long short-term memory over sequences.",
                  .formula = "i, f = gate(x Wx + h Wr + b + c Wp), g = cell(x Wx + h Wr + b), c = clip(f c + i g), o = "
                             "gate(x Wx + h Wr + b + c Wp), h = o output(c)",
                  .inputs = INPUTS,
                  .outputs =
                      "h?: the layout of x with nOut features (2 nOut with direction 3, [T, 2, N, nOut] with 4), "
                      "with flag 5\nhL?: [N, nOut], with flag 6\ncL?: [N, nOut], with flag 7",
                  .floats = FLOATS,
                  .integers = INTEGERS,
                  .booleans = BOOLEANS,
                  .notes = NOTES});
}

CUSTOM_OP_IMPL(lstmLayer_bp, 4, 1, false, 1, 5) {
  LstmLayer layer(block, true);
  layer.readLengths();
  runLstmLayerGradient(layer, lstmInputGradients(layer, [&](int k) { return OUTPUT_VARIABLE(k); }));
  return Status::OK;
}
DECLARE_SHAPE_FN(lstmLayer_bp) {
  const LstmLayer layer(block, true);
  auto list = std::make_unique<ShapeList>();
  for (const NDArray* input :
       {layer.x, layer.wx, layer.wr, layer.bias, layer.seqLen, layer.h0, layer.c0, layer.peephole})
    if (input != nullptr)
      list->push_back(like(input->shapeInfo(), input == layer.seqLen ? input->dataType() : floatTypeOf(*input)));
  return list.release();
}
DECLARE_TYPES(lstmLayer_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS, ALL_INTS})
      ->document({.summary = "The gradients of lstmLayer.",
                  .inputs = GRADIENT_INPUTS,
                  .outputs = "a gradient for each of x, Wx, Wr, b?, seqLen? (zeros), hI?, cI?, Wp?, in its shape",
                  .floats = FLOATS,
                  .integers = INTEGERS,
                  .booleans = BOOLEANS,
                  .notes = NOTES});
}

}  // namespace sd::ops
