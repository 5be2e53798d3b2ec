// Recurrent cells and layers.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_RECURRENT_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_RECURRENT_H

#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/headers/choices.h>

#include <optional>
#include <vector>

namespace sd::ops {

namespace args {
/// Arguments of lstmLayer and lstmLayer_bp. Without any of the flags every input has a place of its own, and all
/// outputs are made. With one of them the flags say which inputs are given, which stand side by side, and which outputs
/// are made.
struct LstmLayer {
  TimeLayout layout = TimeLayout::TNC;
  RecurrentDirection direction = RecurrentDirection::Forward;
  LstmActivation gateActivation = LstmActivation::Sigmoid;
  LstmActivation cellActivation = LstmActivation::Tanh;
  LstmActivation outputActivation = LstmActivation::Tanh;
  double clip = 0.0;                           ///< of the state; 0: none
  std::vector<double> activationParameters{};  ///< alpha and beta of the activations that take them, in this order
  std::optional<bool> hasBias{}, hasLengths{}, hasH0{}, hasC0{}, hasPeephole{};
  std::optional<bool> returnH{}, returnHLast{}, returnCLast{};
};

/// Arguments of lstmLayerCell and lstmLayerCellBp; the flags as in LstmLayer.
struct LstmLayerCell {
  LstmActivation gateActivation = LstmActivation::Sigmoid;
  LstmActivation cellActivation = LstmActivation::Tanh;
  LstmActivation outputActivation = LstmActivation::Tanh;
  double clip = 0.0;                           ///< of the state; 0: none
  std::vector<double> activationParameters{};  ///< alpha and beta of the activations that take them, in this order
  std::optional<bool> hasBias{}, hasPeephole{};
};

/// Arguments of lstm and lstmCell.
struct Lstm {
  bool usePeephole = false;
  bool useProjection = false;
  double forgetBias = 0.0;
  double clip = 0.0;            ///< of the state; 0 or less: none
  double projectionClip = 0.0;  ///< of projected outputs; 0: none
};

/// Arguments of lstmBlock and, without the layout, of lstmBlockCell.
struct LstmBlock {
  bool usePeephole = false;
  double forgetBias = 0.0;
  double clip = 0.0;  ///< of the state; 0 or less: none
  TimeLayout layout = TimeLayout::TNC;
};

/// Argument of the dynamic plain recurrent layers.
struct DynamicRnn {
  TimeLayout layout = TimeLayout::NTC;
};
}  // namespace args

// Long short-term memory.
DECLARE_CUSTOM_OP(lstmLayer, 3, 1, false, 1, 5)
DECLARE_CUSTOM_OP(lstmLayer_bp, 4, 1, false, 1, 5)
DECLARE_CUSTOM_OP(lstmLayerCell, 5, 2, false, 1, 3)
DECLARE_CUSTOM_OP(lstmLayerCellBp, 7, 5, false, 1, 3)
DECLARE_CUSTOM_OP(lstm, 8, 2, false, 3, 2)
DECLARE_CUSTOM_OP(lstmCell, 8, 2, false, 3, 2)
DECLARE_CUSTOM_OP(lstmBlock, 9, 7, false, 2, 2)
DECLARE_CUSTOM_OP(lstmBlockCell, 8, 7, false, 2, 1)

// Gated recurrent units.
DECLARE_CUSTOM_OP(gru, 5, 1, false, 0, 0)
DECLARE_CUSTOM_OP(gru_bp, 6, 5, false, 0, 0)
DECLARE_CUSTOM_OP(gruCell, 6, 4, false, 0, 0)
DECLARE_CUSTOM_OP(gruCell_bp, 10, 6, false, 0, 0)

// Simple recurrent units.
DECLARE_CUSTOM_OP(sru, 5, 2, false, 0, 0)
DECLARE_CUSTOM_OP(sru_bp, 8, 4, true, 0, 0)
DECLARE_CUSTOM_OP(sru_bi, 5, 2, true, 0, 0)
DECLARE_CUSTOM_OP(sru_bi_bp, 8, 4, true, 0, 0)
DECLARE_CUSTOM_OP(sruCell, 4, 2, false, 0, 0)

// Plain recurrence, h = tanh(x Wx + h Wh + b).
DECLARE_CUSTOM_OP(static_rnn, 4, 2, false, 0, 0)
DECLARE_CUSTOM_OP(dynamic_rnn, 4, 2, false, 0, 0)
DECLARE_CUSTOM_OP(static_bidirectional_rnn, 7, 3, false, 0, 0)
DECLARE_CUSTOM_OP(dynamic_bidirectional_rnn, 7, 4, false, 0, 0)

}  // namespace sd::ops

#endif
