#include "loops/Composite.h"

#include <execution/Parallel.h>
#include <system/Environment.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

#include "loops/Alignment.h"
#include "loops/CompositeReduce.h"
#include "loops/CompositeTiles.h"
#include "loops/ElementLoop.h"
#include "loops/Kernels.h"
#include "loops/ReduceCommon.h"
#include "shape/broadcasting.h"
#include "system/Error.h"

namespace sd::loops {

namespace {

constexpr std::string_view OP = "composite";

std::string shapeText(const CompositeShape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

/// An operand with a shapeInfo of its own, and the range of bytes that it covers.
struct OwnedOperand {
  std::vector<LongType> info;
  Operand x;
  LongType low = 0, high = 0;  ///< bytes, relative to the address; `high` is the first after the last

  OwnedOperand(const char* argument, const LongType* shapeInfo) {
    if (shapeInfo == nullptr) invalidArgument("[{}] argument '{}': shapeInfo is null", OP, argument);
    if (shapeInfo[0] >= 0 && shapeInfo[0] <= SD_MAX_RANK) info.assign(shapeInfo, shapeInfo + 2 * shapeInfo[0] + 4);
    static char none;  // the buffer is not known yet
    x = operand(OP, argument, &none, info.empty() ? shapeInfo : info.data());
    x.data = nullptr;
    high = x.elementSize;
    for (int i = 0; x.length > 0 && i < x.rank; i++) {
      const LongType reach = (x.sizes[i] - 1) * x.strides[i] * x.elementSize;
      (reach < 0 ? low : high) += reach;
    }
  }

  bool isApart(const void* own, const OwnedOperand& other, const void* theirs) const {
    const auto a = reinterpret_cast<uintptr_t>(own), b = reinterpret_cast<uintptr_t>(theirs);
    return a + static_cast<uintptr_t>(high) <= b + static_cast<uintptr_t>(other.low) ||
           b + static_cast<uintptr_t>(other.high) <= a + static_cast<uintptr_t>(low);
  }
};

CompositeShape shapeOf(const Operand& x) { return {x.sizes, x.sizes + x.rank}; }

CompositeShape commonShape(const std::vector<CompositeShape>& shapes) {
  CompositeShape common;
  for (size_t i = 0; i < shapes.size(); i++) {
    CompositeShape next(std::max(common.size(), shapes[i].size()));
    if (!broadcasting::commonShape({common.data(), common.size()}, {shapes[i].data(), shapes[i].size()}, next.data()))
      invalidArgument("[{}] shape {} of input {} does not broadcast with shape {} of the inputs before it", OP,
                      shapeText(shapes[i]), i, shapeText(common));
    common = std::move(next);
  }
  if (common.size() > SD_MAX_RANK) invalidArgument("[{}] rank {} is greater than {}", OP, common.size(), SD_MAX_RANK);
  return common;
}

}  // namespace

struct Composite::Definition {
  std::vector<DataType> inputs;
  std::vector<CompositeStep> steps;
  std::vector<int> outputs;
  std::optional<CompositeReduction> reduction;
  std::vector<DataType> outputTypes;
  CompositeProgram program;

  Definition(std::vector<DataType> types, std::vector<CompositeStep> list, std::vector<int> values,
             std::optional<CompositeReduction> last)
      : inputs(std::move(types)),
        steps(std::move(list)),
        outputs(std::move(values)),
        reduction(std::move(last)),
        program(inputs, steps, outputs, reduction) {
    for (const int value : outputs) outputTypes.push_back(steps[static_cast<size_t>(value) - inputs.size()].result);
    if (reduction) outputTypes.push_back(reduction->result);
  }

  /// The inputs that are read: the others do not count for the shape.
  std::vector<CompositeShape> shapesThatCount(const std::vector<CompositeShape>& shapes) const {
    if (shapes.size() != inputs.size())
      invalidArgument("[{}] {} inputs where {} are needed", OP, shapes.size(), inputs.size());
    std::vector<CompositeShape> read;
    for (size_t i = 0; i < shapes.size(); i++) read.push_back(program.reads[i] ? shapes[i] : CompositeShape());
    return read;
  }
};

struct PreparedComposite::Impl {
  std::shared_ptr<const Composite::Definition> definition;
  std::vector<OwnedOperand> inputs, outputs;
  std::vector<uint32_t> sameView;  ///< for each output, the inputs with its layout
  std::vector<int> read;           ///< the inputs that are needed
  TilePlan tiles;
  std::unique_ptr<CompositeReduce> reduce;
  bool streams = false;

  const CompositeProgram& program() const { return definition->program; }

  void checkBuffers(const void* const* in, void* const* out, bool* inPlace);
  [[gnu::noinline]] void checkOverlap(size_t output, const OwnedOperand& other, const void* data, const char* name,
                                      bool mayBeSame);
  [[gnu::noinline]] void checkDivisors(const void* const* in);
  void run(const void* const* in, void* const* out);
  void runElements(const TileBuffers& buffers);
};

/// Refuses an output that shares memory with another operand, other than by having the same view of it.
void PreparedComposite::Impl::checkOverlap(size_t output, const OwnedOperand& other, const void* data, const char* name,
                                           bool mayBeSame) {
  if (mayBeSame && outputs[output].x.data == data) return;
  Operand x = other.x;
  x.data = static_cast<char*>(const_cast<void*>(data));
  requireDisjoint(OP, outputs[output].x, name, x);
}

SD_INLINE void PreparedComposite::Impl::checkBuffers(const void* const* in, void* const* out, bool* inPlace) {
  for (size_t k = 0; k < outputs.size(); k++) {
    if (outputs[k].x.length == 0) continue;
    if (out[k] == nullptr) fail("[{}] output {}: the buffer is null", OP, k);
    outputs[k].x.data = static_cast<char*>(out[k]);
  }
  if (tiles.total == 0) return;
  for (const int i : read)
    if (in[i] == nullptr) fail("[{}] input {}: the buffer is null", OP, i);
  for (size_t k = 0; k < outputs.size(); k++) {
    for (const int i : read) {
      const OwnedOperand& x = inputs[static_cast<size_t>(i)];
      if (outputs[k].isApart(out[k], x, in[i])) continue;
      checkOverlap(k, x, in[i], "x", (sameView[k] >> i & 1u) != 0);
      *inPlace = true;
    }
    for (size_t m = 0; m < k; m++)
      if (!outputs[k].isApart(out[k], outputs[m], out[m])) checkOverlap(k, outputs[m], out[m], "z", false);
  }
}

void PreparedComposite::Impl::checkDivisors(const void* const* in) {
  for (const auto& divisor : program().divisors) {
    Operand x = inputs[static_cast<size_t>(divisor.input)].x;
    x.data = static_cast<char*>(const_cast<void*>(in[divisor.input]));
    requireNonZero(divisor.op->name, divisor.argument, x);
  }
}

void PreparedComposite::Impl::runElements(const TileBuffers& buffers) {
  constexpr double NANOSECONDS_PER_COST = 0.1;
  const LongType total = tiles.total;
  int threads = 1;
  if (total >= Environment::getInstance().elementwiseThreshold())
    threads = execution::threadsFor(static_cast<double>(total) * program().cost * NANOSECONDS_PER_COST);
  if (threads <= 1) {
    TileReader reader(tiles, buffers);
    reader.compute(0, total, nullptr, 0);
    return;
  }
  const LongType unit = tiles.tile, units = (total + unit - 1) / unit;
  execution::parallelFor(units, threads, [&](LongType start, LongType stop) {
    TileReader reader(tiles, buffers);
    reader.compute(start * unit, std::min(stop * unit, total) - start * unit, nullptr, 0);
  });
}

void PreparedComposite::Impl::run(const void* const* in, void* const* out) {
  bool inPlace = false;
  checkBuffers(in, out, &inPlace);
  if (tiles.total == 0) {
    if (program().reduction != nullptr && outputs.back().x.length > 0)
      storeEmptyReduction(*program().reduction, program().reducer, outputs.back().x);
    return;
  }
  if (!program().divisors.empty()) checkDivisors(in);
  const TileBuffers buffers{in, out, streams && !inPlace};
  if (reduce != nullptr)
    reduce->run(buffers, reduceThreads(tiles.total, program().cost));
  else
    runElements(buffers);
}

PreparedComposite::PreparedComposite(std::unique_ptr<Impl> impl) : _impl(std::move(impl)) {}
PreparedComposite::PreparedComposite(PreparedComposite&&) noexcept = default;
PreparedComposite& PreparedComposite::operator=(PreparedComposite&&) noexcept = default;
PreparedComposite::~PreparedComposite() = default;

void PreparedComposite::run(const void* const* inputs, void* const* outputs) { _impl->run(inputs, outputs); }

Composite::Composite(std::vector<DataType> inputs, std::vector<CompositeStep> steps, std::vector<int> outputs,
                     std::optional<CompositeReduction> reduction) {
  if (steps.size() > MOST_STEPS) invalidArgument("[{}] {} steps, more than {}", OP, steps.size(), int(MOST_STEPS));
  if (outputs.empty() && !reduction) {
    if (steps.empty()) invalidArgument("[{}] there are no steps", OP);
    outputs.push_back(static_cast<int>(inputs.size() + steps.size()) - 1);
  }
  if (inputs.empty()) invalidArgument("[{}] there are no inputs", OP);
  if (inputs.size() + outputs.size() + (reduction ? 1 : 0) > MOST_OPERANDS)
    invalidArgument("[{}] {} inputs and outputs, more than {}", OP,
                    inputs.size() + outputs.size() + (reduction ? 1 : 0), int(MOST_OPERANDS));
  _definition =
      std::make_shared<const Definition>(std::move(inputs), std::move(steps), std::move(outputs), std::move(reduction));
}

Composite::Composite(Composite&&) noexcept = default;
Composite& Composite::operator=(Composite&&) noexcept = default;
Composite::~Composite() = default;

int Composite::outputCount() const { return static_cast<int>(_definition->outputTypes.size()); }
DataType Composite::inputType(int input) const { return _definition->inputs.at(static_cast<size_t>(input)); }
DataType Composite::outputType(int output) const { return _definition->outputTypes.at(static_cast<size_t>(output)); }

CompositeShape Composite::outputShape(int output, const std::vector<CompositeShape>& inputs) const {
  CompositeShape shape = commonShape(_definition->shapesThatCount(inputs));
  if (output < 0 || output >= outputCount()) invalidArgument("[{}] there is no output {}", OP, output);
  if (static_cast<size_t>(output) < _definition->outputs.size()) return shape;
  const CompositeReduction& reduction = *_definition->reduction;
  const int rank = static_cast<int>(shape.size());
  std::vector<bool> reduced(shape.size(), reduction.axes.empty());
  for (const int axis : reduction.axes) {
    if (axis < -rank || axis >= rank)
      invalidArgument("[{}] axis {} is outside {}..{} (shape {})", OP, axis, -rank, rank - 1, shapeText(shape));
    auto bit = reduced[static_cast<size_t>(axis < 0 ? axis + rank : axis)];
    if (bit) invalidArgument("[{}] axis {} is repeated (shape {})", OP, axis, shapeText(shape));
    bit = true;
  }
  CompositeShape result;
  for (size_t i = 0; i < shape.size(); i++) {
    if (!reduced[i])
      result.push_back(shape[i]);
    else if (reduction.keepDims)
      result.push_back(1);
  }
  return result;
}

PreparedComposite Composite::prepare(const std::vector<const LongType*>& inputInfos,
                                     const std::vector<const LongType*>& outputInfos) const {
  auto impl = std::make_unique<PreparedComposite::Impl>();
  const Definition& d = *_definition;
  impl->definition = _definition;
  std::vector<CompositeShape> shapes;
  for (const LongType* info : inputInfos) {
    impl->inputs.emplace_back("x", info);
    shapes.push_back(shapeOf(impl->inputs.back().x));
  }
  for (const LongType* info : outputInfos) impl->outputs.emplace_back("z", info);
  if (outputInfos.size() != d.outputTypes.size())
    invalidArgument("[{}] {} outputs where {} are needed", OP, outputInfos.size(), d.outputTypes.size());
  const CompositeShape space = commonShape(d.shapesThatCount(shapes));
  const Space all{static_cast<int>(space.size()), space.data()};
  for (size_t i = 0; i < inputInfos.size(); i++) {
    if (impl->inputs[i].x.type != d.inputs[i])
      invalidArgument("[{}] input {}: type {} where {} is needed", OP, i, typeText(impl->inputs[i].x.type),
                      typeText(d.inputs[i]));
    if (d.program.reads[i]) impl->read.push_back(static_cast<int>(i));
  }
  for (size_t k = 0; k < outputInfos.size(); k++) {
    const Operand& z = impl->outputs[k].x;
    if (z.type != d.outputTypes[k])
      invalidArgument("[{}] output {}: type {} where {} is needed", OP, k, typeText(z.type),
                      typeText(d.outputTypes[k]));
    const CompositeShape needed = outputShape(static_cast<int>(k), shapes);
    const bool reduces = k == d.outputs.size();
    // a reduced output may have its axes or not, as in a separate call
    if (reduces ? z.length != std::accumulate(needed.begin(), needed.end(), LongType(1), std::multiplies<>())
                : shapeOf(z) != needed)
      invalidArgument("[{}] output {}: shape {} where {} is needed", OP, k, shapeText(shapeOf(z)), shapeText(needed));
    requireDistinctElements(OP, z);
  }

  TilePlan& tiles = impl->tiles;
  tiles.program = &d.program;
  LongType total = 1;
  bool empty = false;
  for (const LongType size : space) {
    empty |= size == 0;
    if (!empty && __builtin_mul_overflow(total, size, &total))
      invalidArgument("[{}] shape {} has too many elements", OP, shapeText(space));
  }
  tiles.total = empty ? 0 : total;

  // outputs first, so that they are written in memory order
  const size_t outputs = d.outputs.size(), operands = outputs + inputInfos.size();
  auto plan = std::make_unique<PlanOf<MOST_OPERANDS>>(static_cast<int>(operands));
  std::vector<std::array<LongType, SD_MAX_RANK>> strides(operands);
  for (size_t k = 0; k < operands; k++) {
    const Operand& x = k < outputs ? impl->outputs[k].x : impl->inputs[k - outputs].x;
    const bool counts = k < outputs || d.program.reads[k - outputs];
    if (!counts || !matchBroadcast(x, all, strides[k].data())) strides[k].fill(0);
  }
  for (size_t i = 0; tiles.total > 0 && i < space.size(); i++) {
    LongType row[MOST_OPERANDS];
    for (size_t k = 0; k < operands; k++) row[k] = strides[k][i];
    plan->add(space[i], row);
  }
  // reductions run in c order, which decides the order of additions
  if (d.reduction)
    plan->merge();
  else
    plan->finish();

  const LongType threshold = streamingThreshold();
  for (size_t k = 0; k < operands; k++) {
    const bool isOutput = k < outputs;
    const Operand& x = isOutput ? impl->outputs[k].x : impl->inputs[k - outputs].x;
    TileOperand tile{TileLayout(*plan, static_cast<int>(k)), x.elementSize,
                     simd::kernels().convert[x.storage][x.storage]};
    if (isOutput && tile.layout.innerStride() == 1 && tile.layout.innerSize() >= TilePlan::LONGEST &&
        tiles.total * x.elementSize >= threshold)
      impl->streams = tile.isStreamed = true;
    (isOutput ? tiles.outputs : tiles.inputs).push_back(tile);
  }
  tiles.finish(plan->inner().size);

  // views are compared with unit dimensions left out
  for (size_t k = 0; k < outputInfos.size(); k++) {
    uint32_t same = 0;
    const Operand& z = impl->outputs[k].x;
    for (const int i : impl->read) {
      const Operand& x = impl->inputs[static_cast<size_t>(i)].x;
      LongType own[SD_MAX_RANK];
      if (k < outputs && x.elementSize == z.elementSize && matchSizes(x, all, own)) {
        bool equal = true;
        for (int a = 0; a < all.rank; a++) equal = equal && (all.sizes[a] == 1 || own[a] == z.strides[a]);
        if (equal) same |= 1u << i;
      }
    }
    impl->sameView.push_back(same);
  }
  if (d.reduction && tiles.total > 0)
    impl->reduce = std::make_unique<CompositeReduce>(tiles, space, d.reduction->axes, impl->outputs.back().x);
  return PreparedComposite(std::move(impl));
}

}  // namespace sd::loops
