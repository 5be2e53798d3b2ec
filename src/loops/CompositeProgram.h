// The steps of a composite as instructions for tiles: conversions between types are instructions of their own, and
// results that are no longer needed give their tile to others.
#ifndef NDFORGE_SRC_LOOPS_COMPOSITEPROGRAM_H
#define NDFORGE_SRC_LOOPS_COMPOSITEPROGRAM_H

#include <memory>
#include <optional>
#include <vector>

#include "loops/Composite.h"
#include "loops/OpInfo.h"
#include "loops/Params.h"
#include "loops/Reducer.h"

namespace sd::loops {

/// Slots hold a tile, or one element that stands for all. Each is written by one instruction.
struct CompositeInstruction {
  enum Kind : uint8_t { Load, Unary, Binary, Convert };

  Kind kind;
  bool isTarget = false;   ///< its result is what the reduction reads
  bool isChained = false;  ///< its result is an operand of the next instruction, which is of the same chain
  bool isKept = false;     ///< in a chain: another instruction reads the result too, or it is an output
  int8_t output = -1;      ///< its result is this output
  uint8_t place = 0;       ///< the tile that it writes
  int16_t x = -1, y = -1;  ///< slots; of Load, x is the input
  int16_t z = -1;
  int8_t type = -1;         ///< of its operands and its result, if it may be in a chain; else -1
  uint8_t size = 0;         ///< of an element of its result
  uint8_t operandSize = 0;  ///< of an element of its operands
  int cost = 1;             ///< of an element
  const void* params = nullptr;
  simd::ConvertLoop fill = nullptr;  ///< copies elements of its result
  union {
    const simd::UnaryKernel* unary;
    const simd::BinaryKernel* binary;
    simd::ConvertLoop convert;
  };

  CompositeInstruction(Kind k, int from, int to) : kind(k), x(static_cast<int16_t>(from)), z(static_cast<int16_t>(to)) {
    unary = nullptr;
  }
};

/// A checked program. `values` counts inputs and steps.
class CompositeProgram {
 public:
  static constexpr int MOST_SLOTS = 256, MOST_PLACES = 32;
  static constexpr size_t LONGEST_CHAIN = 24;

  /// @throws std::invalid_argument
  CompositeProgram(const std::vector<DataType>& inputs, const std::vector<CompositeStep>& steps,
                   const std::vector<int>& outputs, const std::optional<CompositeReduction>& reduction);

  std::vector<CompositeInstruction> instructions;
  std::vector<int16_t> outputSlots;
  int places = 0;       ///< tiles that are needed at once
  int elementSize = 1;  ///< of the largest element in a tile
  int cost = 0;         ///< of one element, relative to an addition
  /// An instruction may write an output directly only if no input is read after it: the output may be that input.
  int lastRead = -1;
  std::vector<bool> reads;  ///< which inputs are needed

  /// Divisors that must not contain 0: inputs of integer types.
  struct Divisor {
    const OpInfo* op;
    int input;
    const char* argument;
  };
  std::vector<Divisor> divisors;

  Reducer reducer{};
  std::unique_ptr<Params> reductionParams;
  Storage reducedStorage{};  ///< the type in which the separate call would read its elements
  const OpInfo* reduction = nullptr;
  bool reducesInChain = false;  ///< what it reduces comes in registers

 private:
  struct Builder;
  std::vector<std::unique_ptr<Params>> _params;
};

/// The parameters of an operation in the type that it computes in, by way of the type in which callers pass them.
std::unique_ptr<Params> compositeParams(const OpInfo& op, const std::vector<double>& values, Storage stored,
                                        Storage compute);

}  // namespace sd::loops

#endif
