#include "loops/CompositeProgram.h"

#include <algorithm>
#include <array>
#include <map>

#include "loops/ElementKernels.h"
#include "system/Error.h"

namespace sd::loops {

namespace {

/// What a step needs to be compiled, or why it cannot be.
struct Resolved {
  const char* why = nullptr;
  const OpInfo* op = nullptr;
  const simd::UnaryKernel* unary = nullptr;
  const simd::BinaryKernel* binary = nullptr;
  Storage compute{}, result{};  ///< types of the kernel
  Storage params{};             ///< type in which callers pass the parameters
};

Resolved refused(const char* why) {
  Resolved r;
  r.why = why;
  return r;
}

bool isNumber(DataType type) { return isFloating(type) || isIntegral(type) || type == BOOL; }

bool isAnyOf(OpGroup group, OpFamily a, OpFamily b, OpFamily c) {
  const OpFamily family = traitsOf(group).family;
  return family == a || family == b || family == c;
}

bool isGroup(OpGroup group) { return static_cast<unsigned>(group) < static_cast<unsigned>(OP_GROUP_COUNT); }

Storage storage(DataType type) { return storageOf("composite", "type", type); }

/// Fills in the kernel of a transform.
void resolveTransform(Resolved& r, const CompositeStep& step, DataType x) {
  const auto& table = simd::kernels();
  const auto number = static_cast<size_t>(step.number);
  r.compute = computeType(*r.op, storage(x));
  r.result = r.compute;
  switch (step.group) {
    case OpGroup::TransformSame:
      r.unary = &table.transformSame[number][r.compute];
      break;
    case OpGroup::TransformStrict:
      r.unary = &table.transformStrict[number][r.compute];
      break;
    case OpGroup::TransformFloat:
      r.compute = r.result = step.result == DOUBLE ? simd::F64 : simd::F32;
      r.params = storage(step.result);
      r.unary = &table.transformFloat[number][r.compute];
      break;
    default:
      r.result = simd::BOOLEAN;
      r.unary = &table.transformBool[number][r.compute];
      break;
  }
  if (r.unary->run == nullptr) r.why = "there is no kernel for the type of x";
}

const char* wrongTypes(const CompositeStep& step, DataType x) {
  const GroupTraits& traits = traitsOf(step.group);
  if (traits.operands == OperandTypes::Real && !isFloating(x)) return "x needs a floating-point type";
  if (traits.operands == OperandTypes::Integers && !isIntegral(x)) return "x needs an integer type";
  switch (traits.result) {
    case ResultTypes::Truth:
      return step.result == BOOL ? nullptr : "the result has type BOOL";
    case ResultTypes::Real:
      return isFloating(step.result) ? nullptr : "the result needs a floating-point type";
    case ResultTypes::Any:
      return isNumber(step.result) ? nullptr : "the result has no numeric type";
    default:
      return step.result == x ? nullptr : "the result has the type of x";
  }
}

Resolved resolve(const CompositeStep& step, const std::vector<DataType>& types, int inputs) {
  if (!isGroup(step.group) || !isAnyOf(step.group, OpFamily::Transform, OpFamily::Pairwise, OpFamily::Scalar)) {
    if (!isGroup(step.group) || traitsOf(step.group).family != OpFamily::Broadcast)
      return refused("the group is not element-wise");
  }
  const auto op = static_cast<const OpInfo*>(findOp(step.group, step.number));
  if (op == nullptr) return refused("there is no operation with this number");
  const bool hasY = traitsOf(step.group).family != OpFamily::Transform;
  const int values = static_cast<int>(types.size());
  if (step.x < 0 || step.x >= values) return refused("x is not a value that comes before it");
  if (hasY ? step.y < 0 || step.y >= values : step.y != -1)
    return refused(hasY ? "y is not a value that comes before it" : "there is no y");
  const DataType x = types[static_cast<size_t>(step.x)];
  if (!isNumber(x)) return refused("x has no numeric type");
  if (const char* why = wrongTypes(step, x); why != nullptr) return refused(why);
  if (static_cast<int>(step.params.size()) < op->requiredParams) return refused("a parameter is missing");
  const int divisor = op->divisor == simdOps::Divisor::X ? step.x : op->divisor == simdOps::Divisor::Y ? step.y : -1;
  if (divisor >= inputs && !isFloating(x))
    return refused("an integer divisor is computed: it cannot be searched for 0");
  Resolved r;
  r.op = op;
  r.params = storage(x);
  if (!hasY) {
    if (step.group != OpGroup::TransformAny) resolveTransform(r, step, x);
    return r;
  }
  if (types[static_cast<size_t>(step.y)] != x) return refused("x and y have different types");
  r.compute = computeType(*op, storage(x));
  const BinaryGroup group = binaryGroup(step.group);
  r.result = group.result == ResultTypes::Truth ? simd::BOOLEAN : r.compute;
  r.binary = &group.kernels[step.number][r.compute];
  if (r.binary->both == nullptr) r.why = "there is no kernel for the type of x";
  return r;
}

std::string nameOf(OpGroup group, int number) {
  return isGroup(group) ? opName(group, number) : fmt::format("group {}", static_cast<int>(group));
}

}  // namespace

std::unique_ptr<Params> compositeParams(const OpInfo& op, const std::vector<double>& values, Storage stored,
                                        Storage compute) {
  alignas(16) unsigned char bytes[Params::MAX * sizeof(double)];
  const int count = std::min(Params::MAX, static_cast<int>(values.size()));
  simd::kernels().convert[simd::F64][stored](values.data(), 1, bytes, 1, count);
  try {
    return std::make_unique<Params>(op, count > 0 ? bytes : nullptr, stored, compute, count);
  } catch (const std::runtime_error& e) {
    throw std::invalid_argument(e.what());
  }
}

/// Collects instructions; a value has a slot for each type in which it is read.
struct CompositeProgram::Builder {
  CompositeProgram& program;
  const std::vector<CompositeStep>& steps;
  std::vector<DataType> types;
  int inputs;
  std::map<std::pair<int, int>, int> slots;  ///< by value and type
  std::vector<int> sizes;                    ///< of an element of each slot
  std::vector<int> origin;                   ///< the instruction that writes a slot

  int newSlot(Storage type) {
    sizes.push_back(sizeOf(type));
    origin.push_back(static_cast<int>(program.instructions.size()));
    if (sizes.size() > MOST_SLOTS) invalidArgument("[composite] there are too many steps");
    return static_cast<int>(sizes.size()) - 1;
  }

  CompositeInstruction& add(CompositeInstruction::Kind kind, int from, Storage type) {
    const int slot = newSlot(type);
    auto& made = program.instructions.emplace_back(kind, from, slot);
    made.size = static_cast<uint8_t>(sizeOf(type));
    if (kind != CompositeInstruction::Load) made.operandSize = static_cast<uint8_t>(sizes[static_cast<size_t>(from)]);
    made.fill = simd::kernels().convert[type][type];
    return made;
  }

  /// The slot with a value in a type, which is loaded or converted when it is not there yet.
  int read(int value, Storage type) {
    const auto found = slots.find({value, type});
    if (found != slots.end()) return found->second;
    const Storage own = storage(types[static_cast<size_t>(value)]);
    const auto convert = simd::kernels().convert[own][type];
    int slot;
    if (value < inputs) {
      auto& load = add(CompositeInstruction::Load, value, type);
      load.convert = convert;
      slot = load.z;
      program.reads[static_cast<size_t>(value)] = true;
    } else {
      const int from = slots.at({value, own});
      auto& conversion = add(CompositeInstruction::Convert, from, type);
      conversion.convert = convert;
      slot = conversion.z;
    }
    if (own != type) program.cost++;
    slots[{value, type}] = slot;
    return slot;
  }

  void addStep(int value) {
    const CompositeStep& step = steps[static_cast<size_t>(value - inputs)];
    const Resolved r = resolve(step, types, inputs);
    const Storage stored = storage(step.result);
    program.cost += r.op->cost;
    if (step.group == OpGroup::TransformAny) {
      slots[{value, stored}] = read(step.x, stored);
      return;
    }
    const void* params = nullptr;
    if (r.op->maxParams > 0)
      params = program._params.emplace_back(compositeParams(*r.op, step.params, r.params, r.compute))->data();
    const int x = read(step.x, r.compute), y = r.binary != nullptr ? read(step.y, r.compute) : -1;
    auto& made = add(r.binary != nullptr ? CompositeInstruction::Binary : CompositeInstruction::Unary, x, r.result);
    made.y = static_cast<int16_t>(y);
    made.params = params;
    made.cost = r.op->cost;
    if (r.binary != nullptr)
      made.binary = r.binary;
    else
      made.unary = r.unary;
    if (r.binary != nullptr ? r.binary->chain != nullptr : r.unary->chain != nullptr)
      made.type = static_cast<int8_t>(r.compute);
    int slot = made.z;
    if (r.result != stored) {
      program.cost++;
      auto& conversion = add(CompositeInstruction::Convert, slot, stored);
      conversion.convert = simd::kernels().convert[r.result][stored];
      slot = conversion.z;
    }
    slots[{value, stored}] = slot;
    const bool integer = !isFloating(types[static_cast<size_t>(step.x)]);
    if (integer && r.op->divisor == simdOps::Divisor::X) program.divisors.push_back({r.op, step.x, "x"});
    if (integer && r.op->divisor == simdOps::Divisor::Y) program.divisors.push_back({r.op, step.y, "y"});
  }

  /// A slot that a computing instruction of its own writes: copies inputs, and slots that have another purpose.
  CompositeInstruction& ownSlot(int slot, Storage type) {
    auto& made = program.instructions[static_cast<size_t>(origin[static_cast<size_t>(slot)])];
    if (made.kind != CompositeInstruction::Load && made.output < 0 && !made.isTarget) return made;
    auto& copy = add(CompositeInstruction::Convert, slot, type);
    copy.convert = simd::kernels().convert[type][type];
    return copy;
  }

  /// Puts instructions into an order in which many of them read the result of the one before, in registers.
  void formChains() {
    std::vector<CompositeInstruction> list;
    std::swap(list, program.instructions);
    std::vector<std::vector<int>> readers(sizes.size());
    for (size_t i = 0; i < list.size(); i++) {
      if (list[i].kind == CompositeInstruction::Load) continue;
      readers[static_cast<size_t>(list[i].x)].push_back(static_cast<int>(i));
      if (list[i].y >= 0 && list[i].y != list[i].x)
        readers[static_cast<size_t>(list[i].y)].push_back(static_cast<int>(i));
    }
    std::vector<bool> placed(list.size(), false);
    const auto writerOf = [&](int slot) { return static_cast<size_t>(origin[static_cast<size_t>(slot)]); };
    // operands are there, other than `v`, or can be loaded
    const auto isReady = [&](const CompositeInstruction& in, int v) {
      const auto isThere = [&](int slot) {
        return slot < 0 || slot == v || placed[writerOf(slot)] ||
               list[writerOf(slot)].kind == CompositeInstruction::Load;
      };
      return isThere(in.x) && isThere(in.y);
    };
    const auto place = [&](size_t i) {
      if (placed[i]) return;
      placed[i] = true;
      program.instructions.push_back(list[i]);
    };
    std::vector<size_t> chain;
    for (size_t i = 0; i < list.size(); i++) {
      if (placed[i] || list[i].kind == CompositeInstruction::Load) continue;
      chain.assign(1, i);
      while (list[chain.back()].type >= 0 && chain.size() < CompositeProgram::LONGEST_CHAIN) {
        CompositeInstruction& last = list[chain.back()];
        const auto& after = readers[static_cast<size_t>(last.z)];
        const auto next = std::find_if(after.begin(), after.end(), [&](int k) {
          const auto& in = list[static_cast<size_t>(k)];
          return in.type == last.type && isReady(in, last.z);
        });
        if (next == after.end()) break;
        const auto& reader = list[static_cast<size_t>(*next)];
        last.isChained = true;
        last.isKept = after.size() > 1 || last.output >= 0 || last.isTarget || reader.x == reader.y;
        chain.push_back(static_cast<size_t>(*next));
        placed[chain.back()] = true;  // operands of the instructions after it
      }
      CompositeInstruction& last = list[chain.back()];
      last.isKept = last.output >= 0 || !readers[static_cast<size_t>(last.z)].empty();
      if (last.isTarget && last.type == program.reducer.type && program.reducer.kernel->chain != nullptr)
        program.reducesInChain = true;
      for (const size_t k : chain)
        for (const int slot : {int(list[k].x), int(list[k].y)})
          if (slot >= 0 && list[writerOf(slot)].kind == CompositeInstruction::Load) place(writerOf(slot));
      for (const size_t k : chain) {
        placed[k] = false;
        place(k);
      }
    }
    for (size_t i = 0; i < program.instructions.size(); i++)
      origin[static_cast<size_t>(program.instructions[i].z)] = static_cast<int>(i);
  }

  /// Gives each slot a tile. Results may take the tile of an operand that is not read again.
  void allot() {
    auto& list = program.instructions;
    const int count = static_cast<int>(list.size());
    std::vector<int> lastUse(sizes.size(), -1);
    for (int i = 0; i < count; i++) {
      const auto& in = list[static_cast<size_t>(i)];
      lastUse[static_cast<size_t>(in.z)] = std::max(lastUse[static_cast<size_t>(in.z)], i);
      if (in.kind == CompositeInstruction::Load) {
        program.lastRead = i;
        continue;
      }
      for (const int slot : {int(in.x), int(in.y)}) {
        if (slot < 0) continue;
        lastUse[static_cast<size_t>(slot)] = i;
        if (list[static_cast<size_t>(origin[static_cast<size_t>(slot)])].kind == CompositeInstruction::Load)
          program.lastRead = i;
      }
    }
    for (const auto& in : list)
      if (in.output >= 0 || in.isTarget) lastUse[static_cast<size_t>(in.z)] = count;
    std::vector<int> placeOf(sizes.size(), -1), free;
    const auto release = [&](int slot, int i) {
      if (slot < 0 || lastUse[static_cast<size_t>(slot)] != i || placeOf[static_cast<size_t>(slot)] < 0) return;
      free.push_back(placeOf[static_cast<size_t>(slot)]);
      placeOf[static_cast<size_t>(slot)] = -1;
    };
    const auto releaseOperands = [&](const CompositeInstruction& in, int i) {
      if (in.kind == CompositeInstruction::Load) return;
      release(in.x, i);
      release(in.y, i);
    };
    for (int i = 0; i < count; i++) {
      auto& in = list[static_cast<size_t>(i)];
      // kernels may write over an operand whose elements have the size of the results; conversions may not
      const bool computes = in.kind == CompositeInstruction::Unary || in.kind == CompositeInstruction::Binary;
      const bool mayReplace = computes && sizes[static_cast<size_t>(in.x)] == sizes[static_cast<size_t>(in.z)];
      if (mayReplace) releaseOperands(in, i);
      int place;
      if (free.empty()) {
        place = program.places++;
      } else {
        place = free.back();
        free.pop_back();
      }
      in.place = static_cast<uint8_t>(place);
      placeOf[static_cast<size_t>(in.z)] = place;
      if (!mayReplace) releaseOperands(in, i);
      release(in.z, i);  // a result that nobody reads
    }
    if (program.places > MOST_PLACES)
      invalidArgument("[composite] {} tiles are needed at once, more than {}", program.places, int(MOST_PLACES));
    program.elementSize = *std::max_element(sizes.begin(), sizes.end());
  }
};

CompositeProgram::CompositeProgram(const std::vector<DataType>& inputs, const std::vector<CompositeStep>& steps,
                                   const std::vector<int>& outputs,
                                   const std::optional<CompositeReduction>& reductionStep)
    : reads(inputs.size(), false) {
  Builder b{*this, steps, inputs, static_cast<int>(inputs.size()), {}, {}, {}};
  for (size_t i = 0; i < inputs.size(); i++)
    if (!isNumber(inputs[i])) invalidArgument("[composite] input {}: it has no numeric type", i);
  for (size_t i = 0; i < steps.size(); i++) {
    const char* why = Composite::whyNot(steps[i], b.types, b.inputs);
    if (why != nullptr)
      invalidArgument("[composite] step {} ({}): {}", i, nameOf(steps[i].group, steps[i].number), why);
    b.types.push_back(steps[i].result);
  }
  const int values = static_cast<int>(b.types.size());
  std::vector<bool> needed(b.types.size(), false);
  for (size_t i = 0; i < outputs.size(); i++) {
    if (outputs[i] < b.inputs || outputs[i] >= values)
      invalidArgument("[composite] output {}: {} is not the value of a step ({}..{})", i, outputs[i], b.inputs,
                      values - 1);
    needed[static_cast<size_t>(outputs[i])] = true;
  }
  if (reductionStep) {
    const char* why = Composite::whyNot(*reductionStep, b.types);
    if (why != nullptr)
      invalidArgument("[composite] reduction ({}): {}", nameOf(reductionStep->group, reductionStep->number), why);
    needed[static_cast<size_t>(reductionStep->value)] = true;
  }
  for (int v = values - 1; v >= b.inputs; v--) {
    if (!needed[static_cast<size_t>(v)]) continue;
    const CompositeStep& step = steps[static_cast<size_t>(v - b.inputs)];
    needed[static_cast<size_t>(step.x)] = true;
    if (step.y >= 0) needed[static_cast<size_t>(step.y)] = true;
  }
  for (int v = b.inputs; v < values; v++)
    if (needed[static_cast<size_t>(v)]) b.addStep(v);
  for (size_t i = 0; i < outputs.size(); i++) {
    const Storage type = storage(b.types[static_cast<size_t>(outputs[i])]);
    auto& made = b.ownSlot(b.read(outputs[i], type), type);
    made.output = static_cast<int8_t>(i);
    outputSlots.push_back(made.z);
  }
  if (reductionStep) {
    const auto& op = opInfo(reductionStep->group, reductionStep->number);
    reduction = &op;
    reducedStorage = storage(b.types[static_cast<size_t>(reductionStep->value)]);
    reducer = reducerOf(op, reducedStorage, storage(reductionStep->result));
    reductionParams = compositeParams(
        op, reductionStep->params,
        reductionStep->group == OpGroup::ReduceFloat ? storage(reductionStep->result) : reducedStorage, reducer.type);
    b.ownSlot(b.read(reductionStep->value, reducer.type), reducer.type).isTarget = true;
    cost += op.cost;
  }
  b.formChains();
  b.allot();
}

const char* Composite::whyNot(const CompositeStep& step, const std::vector<DataType>& types, int inputs) {
  return resolve(step, types, inputs).why;
}

const char* Composite::whyNot(const CompositeReduction& reduction, const std::vector<DataType>& types) {
  if (!isGroup(reduction.group) || traitsOf(reduction.group).family != OpFamily::Reduce)
    return "the group has no reductions to values";
  const auto op = static_cast<const OpInfo*>(findOp(reduction.group, reduction.number));
  if (op == nullptr) return "there is no operation with this number";
  if (reduction.value < 0 || reduction.value >= static_cast<int>(types.size())) return "it reduces an unknown value";
  const DataType x = types[static_cast<size_t>(reduction.value)];
  if (!isNumber(x)) return "the value has no numeric type";
  if (static_cast<int>(reduction.params.size()) < op->requiredParams) return "a parameter is missing";
  const DataType z = reduction.result;
  switch (traitsOf(reduction.group).result) {
    case ResultTypes::Truth:
      if (z != BOOL) return "the result has type BOOL";
      break;
    case ResultTypes::Real:
      if (!isFloating(z)) return "the result needs a floating-point type";
      break;
    case ResultTypes::Counts:
      if (z != INT64 && z != UINT64) return "the result has type INT64";
      break;
    default:
      if (z != x) return "the result has the type of the value";
      break;
  }
  if (reducerOf(*op, storage(x), storage(z)).kernel->run == nullptr) return "there is no kernel for the type";
  return nullptr;
}

}  // namespace sd::loops
