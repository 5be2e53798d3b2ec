// A layer of long short-term memory over sequences, in one or both directions, and its gradient.
// operations: lstmLayer lstmLayer_bp
// calls: Add Sigmoid Tanh
#include <ops/declarable/Gradient.h>
#include <ops/declarable/headers/recurrent.h>

#include "ops/declarable/generic/recurrent/gradients.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/lstm_layer_call.h"

namespace sd::ops {
namespace {

using namespace helpers;

constexpr const char* NOTE =
    "With two directions weights, recurrent_weights, bias, h0, c0, peephole and the last states have a leading axis of "
    "size 2. Batch elements with a length L compute the first L steps, or the last L with the direction backward; h is "
    "0 in the others; with length 0 the last states are 0 too, regardless of h0 and c0. The last state of the backward "
    "direction is the state of step 0. When a flag of an input is stated, these flags say which of the inputs from "
    "bias on "
    "are given, and those that are given stand side by side.";

void describeInputs(Schema& schema) {
  schema.input("x", "a sequence in the order of layout").rank(3);
  schema.input("weights", "[nIn, 4 nOut], gates i, f, g, o");
  schema.input("recurrent_weights", "[nOut, 4 nOut]");
  schema.input("bias", "[4 nOut]").optional();
  schema.input("lengths", "[N], integers in 0..T: the numbers of steps").optional();
  schema.input("h0", "[N, nOut], the first output").optional();
  schema.input("c0", "[N, nOut], the first state").optional();
  schema.input("peephole", "[3 nOut], for i, f, o").optional();
}

void describeArguments(Schema& schema, bool gradient) {
  using A = LstmLayer;
  schema.argument(&A::layout, "layout", "the order of the axes of x and h").atInteger(0);
  schema.argument(&A::direction, "direction", "how the layer goes through the sequence").atInteger(1);
  describeActivations<A>(schema, 2);
  describeFlag(schema, &A::hasBias, 0, "has_bias", "whether bias is given");
  describeFlag(schema, &A::hasLengths, 1, "has_lengths", "whether lengths is given");
  describeFlag(schema, &A::hasH0, 2, "has_h0", "whether h0 is given");
  describeFlag(schema, &A::hasC0, 3, "has_c0", "whether c0 is given");
  describeFlag(schema, &A::hasPeephole, 4, "has_peephole", "whether peephole is given");
  describeFlag(schema, &A::returnH, 5, "return_h", gradient ? "whether gradH is given" : "whether h is an output");
  describeFlag(schema, &A::returnHLast, 6, "return_h_last",
               gradient ? "whether gradHLast is given" : "whether h_last is an output");
  describeFlag(schema, &A::returnCLast, 7, "return_c_last",
               gradient ? "whether gradCLast is given" : "whether c_last is an output");
  schema.inputTypes({ALL_FLOATS, ALL_INTS}).note(NOTE);
}

void inferLayer(Inference& in) {
  const LstmLayerShapes layer(in.arguments<LstmLayer>(), recurrent::InputShapes(in), false);
  const char order = in.input(0).order();
  if (layer.returned[0]) in.output(PartialShape(layer.type, layer.outputShape(), order));
  for (const size_t k : {1, 2})
    if (layer.returned[k]) in.output(PartialShape(layer.type, layer.both({layer.N, layer.units}), order));
  in.keep(layer);
}

void inferGradients(Inference& in) {
  const LstmLayerShapes layer(in.arguments<LstmLayer>(), recurrent::InputShapes(in), true);
  for (const int index : layer.ofInputs()) {
    if (index < 0) continue;
    const PartialShape input = in.input(index);
    in.output(index == layer.lengths ? input : input.withType(recurrent::floatTypeOf(input.type())));
  }
  in.keep(layer);
}

LstmLayerPlaces placesOf(Gradient& g, bool gradient) {
  return {g.arguments<LstmLayer>(), [&g](int index) { return static_cast<bool>(g.input(index)); }, gradient};
}

/// The gradients, by lstmLayer_bp with every input at its own place.
void gradientRule(Gradient& g) {
  const LstmLayerPlaces places = placesOf(g, false);
  const LstmLayer own = withoutFlags(g.arguments<LstmLayer>());
  std::vector<Symbol> inputs;
  for (const int place : places.ofInputs()) inputs.push_back(place < 0 ? Symbol() : g.input(place));
  int output = 0;
  for (const bool returned : places.returned) inputs.push_back(returned ? g.of(output++) : Symbol());
  const std::vector<Symbol> gradients = g.callAll("lstmLayer_bp", inputs, own);
  size_t next = 0;
  for (const int place : places.ofInputs()) {
    if (place < 0) continue;
    if (place != places.lengths) g.set(place, gradients.at(next));
    next++;
  }
}

/// The gradient of the gradient, from the steps of the layer.
void stepsRule(Gradient& g) {
  const LstmLayerPlaces places = placesOf(g, true);
  const LstmLayer own = withoutFlags(g.arguments<LstmLayer>());
  BackwardCall call{*OpRegistrator::getInstance().find("lstmLayer"), own, {}, {}, {}};
  int output = 0;
  for (const int place : places.ofInputs()) {
    call.inputs.push_back(place);
    call.results.push_back(place < 0 ? -1 : output++);
  }
  call.gradients.assign(places.gradients.begin(), places.gradients.end());
  differentiateRule(g, call, recurrent::lstmLayerRule);
}

}  // namespace

CUSTOM_OP_IMPL(lstmLayer, 3, 1, false, 1, 5) {
  LstmLayerCall layer(block, false);
  layer.readLengths();
  runLstmLayer(layer, lstmResults(layer, [&](int k) { return OUTPUT_VARIABLE(k); }));
  return Status::OK;
}
INFERRED_SHAPES(lstmLayer)
DECLARE_SCHEMA(lstmLayer) {
  schema.summary("A layer of long short-term memory over sequences.")
      .formula(
          "i, f = gate(x weights + h recurrent_weights + bias + c peephole); g = cell(x weights + h recurrent_weights "
          "+ bias); c = clip(f c + i g); o = gate(x weights + h recurrent_weights + bias + c peephole); h = o "
          "output(c)");
  describeInputs(schema);
  describeArguments(schema, false);
  schema
      .output(
          "h",
          "the layout of x with nOut features, 2 nOut with the direction concat, [T, 2, N, nOut] with the direction "
          "stack")
      .when("return_h");
  schema.output("h_last", "[N, nOut], the last output").when("return_h_last");
  schema.output("c_last", "[N, nOut], the last state").when("return_c_last");
  schema.outputTypes({ALL_FLOATS})
      .infer(inferLayer)
      .gradient(gradientRule)
      .elsewhere({.torch = "torch.nn.LSTM", .tensorflow = "tf.keras.layers.LSTM", .onnx = "LSTM"})
      .words("long short-term memory, recurrent layer, bidirectional")
      .see("lstmLayerCell lstm lstmBlock gru")
      .example(R"({"x": [[[0.5]], [[-1.0]]], "weights": [[0.2, -0.4, 0.6, 0.8]], )"
               R"("recurrent_weights": [[0.1, 0.3, -0.5, 0.7]], "bias": [0.0, 1.0, 0.0, 0.5]})");
}

CUSTOM_OP_IMPL(lstmLayer_bp, 4, 1, false, 1, 5) {
  LstmLayerCall layer(block, true);
  layer.readLengths();
  runLstmLayerGradient(layer, lstmInputGradients(layer, [&](int k) { return OUTPUT_VARIABLE(k); }));
  return Status::OK;
}
INFERRED_SHAPES(lstmLayer_bp)
DECLARE_SCHEMA(lstmLayer_bp) {
  schema.summary("The gradients of lstmLayer.");
  describeInputs(schema);
  schema.input("gradH", "the shape of h, or a scalar").optional();
  schema.input("gradHLast", "the shape of h_last, or a scalar").optional();
  schema.input("gradCLast", "the shape of c_last, or a scalar").optional();
  describeArguments(schema, true);
  schema.output("gradients", "one for each given input of lstmLayer, in its shape; zeros for lengths").any();
  schema.outputTypes({ALL_FLOATS, ALL_INTS}).infer(inferGradients).gradient(stepsRule).see("lstmLayer");
  schema.example(R"({"x": [[[0.5]], [[-1.0]]], "weights": [[0.2, -0.4, 0.6, 0.8]], )"
                 R"("recurrent_weights": [[0.1, 0.3, -0.5, 0.7]], "bias": [0.0, 1.0, 0.0, 0.5], )"
                 R"("gradH": [[[1.0]], [[1.0]]]})");
}

}  // namespace sd::ops
