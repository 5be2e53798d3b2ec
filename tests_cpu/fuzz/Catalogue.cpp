// The operations, their seeds, and how calls are made from them.
#include <ops/declarable/DeclarableOp.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "../layers_tests/OpData.h"
#include "Call.h"

namespace fuzz {
namespace {

Array arrayOf(const sd::NDArray& source) {
  Array array = Array::of(source.dataType(), source.getShapeAsVector());
  if (source.isEmpty()) {
    // Also for rank 0, where arrays are empty by their flag alone.
    if (array.dims.empty()) array.dims = {0};
    array.makeContiguous();
    return array;
  }
  const auto* bytes = static_cast<const uint8_t*>(source.buffer());
  const size_t size = array.isString() ? source.dataBuffer()->getLenInBytes()
                                       : static_cast<size_t>(source.lengthOf()) * source.sizeOfT();
  array.values.assign(bytes, bytes + size);
  return array;
}

Call callOf(const sd::optest::OpCase& source) {
  Call call;
  call.op = source.op;
  for (const auto& input : source.inputs) {
    call.inputs.push_back(input == nullptr ? Array() : arrayOf(*input));
    call.inputs.back().given = input != nullptr;
  }
  for (const auto& output : source.outputs)
    if (output != nullptr) call.outputs.push_back(arrayOf(*output));
  for (Array& output : call.outputs)  // for strings: the offsets of empty strings
    output.values.assign(output.isString() ? static_cast<size_t>(8 * (output.length() + 1)) : 0, 0);
  call.t = source.arguments.t;
  call.i = source.arguments.i;
  for (bool flag : source.arguments.b) call.b.push_back(flag);
  for (DataType type : source.arguments.d) call.d.push_back(type);
  return call;
}

bool small(const Call& call) {
  return std::all_of(call.inputs.begin(), call.inputs.end(), [](const Array& a) { return a.values.size() <= 60000; });
}

/// A call for an operation without cases.
Call plainCall(const sd::ops::DeclarableOp& op) {
  const auto& descriptor = *op.getOpDescriptor();
  Call call;
  call.op = descriptor.name();
  const int inputs = descriptor.getNumberOfInputs() < 0 ? 2 : descriptor.getNumberOfInputs();
  for (int k = 0; k < inputs; k++) {
    Array array = Array::of(sd::FLOAT32, {2, 3});
    for (double value : {1, 2, 0, 1, 3, 2}) {
      uint8_t bytes[4];
      writeNumber(sd::FLOAT32, value, bytes);
      array.values.insert(array.values.end(), bytes, bytes + 4);
    }
    call.inputs.push_back(array);
  }
  call.t.assign(static_cast<size_t>(std::max(0, descriptor.getNumberOfTArgs())), 1.0);
  call.i.assign(static_cast<size_t>(std::max(0, descriptor.getNumberOfIArgs())), 1);
  return call;
}

bool wanted(const std::string& name, const std::string& only) {
  if (only.empty() || name == only) return true;
  return only.back() == '*' && name.compare(0, only.size() - 1, only, 0, only.size() - 1) == 0;
}

Entry entryFor(const std::string& kind, Random& random) {
  if (kind == "list" && !random.once(6)) return Entry::List;
  const uint64_t at = random.below(16);
  if (at < 5) return Entry::Context;
  if (at < 8) return Entry::Buffers;
  if (at < 10) return Entry::Direct;
  if (at < 11) return Entry::Shapes;
  if (at < 12) return Entry::ShapesAlone;
  return at < 14 ? Entry::Class : Entry::Evaluate;
}

}  // namespace

Catalogue makeCatalogue(const std::string& only) {
  std::map<std::string, std::vector<Call>> seeds;
  for (const auto& file : sd::optest::dataFiles())
    for (const std::string& name : sd::optest::caseNames(file)) {
      if (!wanted(name.substr(name.find('.') + 1), only)) continue;
      Call call = callOf(sd::optest::readCase(file.stem().string(), name));
      if (small(call)) seeds[call.op].push_back(std::move(call));
    }
  Catalogue catalogue;
  for (sd::ops::DeclarableOp* op : sd::ops::OpRegistrator::getInstance().operations()) {
    const std::string& name = op->getOpDescriptor()->name();
    if (!wanted(name, only)) continue;
    Catalogue::Operation entry{name, op->getOpDescriptor()->kind(), seeds[name]};
    if (entry.seeds.empty()) entry.seeds.push_back(plainCall(*op));
    catalogue.operations.push_back(std::move(entry));
  }
  for (const sd::loops::NumberedOp& op : sd::loops::numberedOps())
    if (const std::string name = sd::loops::qualifiedName(op); wanted(name, only))
      catalogue.operations.push_back({name, "numbered", {}});
  return catalogue;
}

Plan makeCall(const Catalogue& catalogue, uint64_t seed, uint64_t index, const std::vector<bool>& skip) {
  const auto& operations = catalogue.operations;
  const Catalogue::Operation& op = operations[index % operations.size()];
  Random random(seed, index);
  Plan plan;
  const bool numbered = op.kind == "numbered";
  if (numbered) {
    plan.call = numberedCall(op.name, random);
  } else {
    plan.call = random.pick(op.seeds);
    plan.call.entry = entryFor(op.kind, random);
  }
  // Few mutations, so that most calls pass the first checks.
  const uint64_t count = random.once(10) ? 0 : random.below(3) + (random.once(4) ? 3 : 1);
  for (uint64_t k = 0; k < count; k++) {
    const Random stream(random.next());
    if (k < skip.size() && skip[k]) {
      plan.mutations.emplace_back("left out");
      continue;
    }
    Call changed = plan.call;
    const std::string how = mutate(changed, stream);
    if (std::find(catalogue.without.begin(), catalogue.without.end(), how) != catalogue.without.end()) {
      plan.mutations.emplace_back("left out");
      continue;
    }
    plan.mutations.push_back(how);
    plan.call = std::move(changed);
  }
  return plan;
}

const char* nameOf(Entry entry) {
  static constexpr const char* NAMES[] = {"execCustomOp2",
                                          "execCustomOp2 with buffers",
                                          "execCustomOp",
                                          "calculateOutputShapes2",
                                          "calculateOutputShapes",
                                          "DeclarableOp::execute",
                                          "DeclarableOp::evaluate",
                                          "DeclarableOp::execute with a list",
                                          "numbered"};
  return NAMES[static_cast<int>(entry)];
}

}  // namespace fuzz
