// The numbered operations as entries of the registry.
#include <helpers/helper_hash.h>
#include <ops/declarable/LegacyOp.h>
#include <ops/declarable/OpRegistrator.h>

#include <unordered_map>
#include <vector>

namespace sd::ops {
namespace {

using loops::NumberedOp;

class NumberedEntry final : public LegacyOp {
 public:
  explicit NumberedEntry(const NumberedOp& op) : LegacyOp(op) {}
  LegacyOp* clone() override { return new NumberedEntry(*this); }
};

/// Every numbered operation by its names and their hashes. The objects are made on demand.
class NumberedTable {
 public:
  NumberedTable() : _objects(loops::numberedOps().size()) {
    const auto& ops = loops::numberedOps();
    for (size_t i = 0; i < ops.size(); i++) add(loops::qualifiedName(ops[i]), i);
    // A plain name belongs to the first group that has it, in this order: transforms, pairs, scalars, broadcasts,
    // reductions.
    for (size_t i = 0; i < ops.size(); i++) add(std::string(ops[i].name), i);
  }

  DeclarableOp* find(std::string_view name) {
    const auto found = _byName.find(std::string(name));
    return found == _byName.end() ? nullptr : object(found->second);
  }

  DeclarableOp* find(LongType hash) {
    const auto found = _byHash.find(hash);
    return found == _byHash.end() ? nullptr : object(found->second);
  }

 private:
  std::unordered_map<std::string, size_t> _byName;
  std::unordered_map<LongType, size_t> _byHash;
  std::vector<std::atomic<DeclarableOp*>> _objects;

  void add(const std::string& name, size_t index) {
    _byName.emplace(name, index);
    _byHash.emplace(HashHelper::hashOf(name), index);
  }

  DeclarableOp* object(size_t index) {
    std::atomic<DeclarableOp*>& slot = _objects[index];
    DeclarableOp* op = slot.load(std::memory_order_acquire);
    if (op != nullptr) return op;
    auto made = std::make_unique<NumberedEntry>(loops::numberedOps()[index]);
    if (slot.compare_exchange_strong(op, made.get(), std::memory_order_acq_rel)) op = made.release();
    return op;
  }
};

NumberedTable& table() {
  // Never destroyed, like the registry.
  static auto* const instance = new NumberedTable;
  return *instance;
}

}  // namespace

DeclarableOp* OpRegistrator::numberedOperation(std::string_view name) { return table().find(name); }

DeclarableOp* OpRegistrator::numberedOperation(LongType hash) { return table().find(hash); }

}  // namespace sd::ops
