#include <graph/Context.h>
#include <graph/RepeatedCall.h>
#include <ops/declarable/OpDescriptor.h>
#include <ops/declarable/Schema.h>
#include <system/Environment.h>

#include <cstring>

namespace sd::graph {
namespace {

/// Bit by bit: 0 and -0 differ, and NaN is equal to itself.
bool sameNumbers(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

/// Most calls have no arguments of a kind.
template <typename T>
bool sameLists(const std::vector<T>& a, const std::vector<T>& b) {
  return a.empty() ? b.empty() : a == b;
}

}  // namespace

bool RepeatedCall::hasSameStruct(const ops::ArgumentBlock& given) const {
  if (given.data() == nullptr || _given.data() == nullptr) return given.data() == _given.data();
  if (!given.holds(*_given.type())) return false;
  for (const ops::ArgumentRow& row : _schema->arguments())
    if (!row.access().areEqual(row.memberOf(given.data()), row.memberOf(_given.data()))) return false;
  return true;
}

void RepeatedCall::remember(Context& block, const OperationKey& op, const ops::OpDescriptor& descriptor,
                            const ShapeList& inputs, const ShapeList& outputs) {
  const auto& arrays = block.fastpath_in();
  _op = {};
  _inputs.clear();
  if (block.isInplace() || arrays.size() != static_cast<size_t>(inputs.size())) return;
  // Structs are compared by the rows of their members, which those of programs may not have for all.
  const ops::ArgumentBlock& given = block.givenArguments();
  if (given.data() != nullptr && !descriptor.isBuiltIn()) return;
  for (const NDArray* array : arrays) {
    // The shape function may have been asked about other shapes.
    if (array == nullptr || array->shapeInfo() != inputs.at(static_cast<int>(_inputs.size()))) return;
    _inputs.push_back(array->shapeInfo());
  }
  _integers = *block.getIArguments();
  _longIntegers = block.longArguments();
  _floats = *block.getTArguments();
  _flags = *block.getBArguments();
  _axes = block.axes();
  _types = *block.getDArguments();
  _schema = descriptor.statedSchema();
  if (given.data() == nullptr)
    _given.clear();
  else
    given.type()->copy(_given.prepare(*given.type()), given.data());
  _byName = block.isCalledByName();
  _namedVersion = block.namedVersion();
  _defaultFloat = Environment::getInstance().defaultFloatDataType();
  _precisionBoost = Environment::getInstance().precisionBoostAllowed();
  _outputs = outputs;
  _op = op;
}

bool RepeatedCall::matches(Context& block, const OperationKey& op) const {
  if (!(_op == op) || block.isInplace()) return false;
  const auto& inputs = block.fastpath_in();
  if (inputs.size() != _inputs.size()) return false;
  for (size_t i = 0; i < inputs.size(); i++)
    if (inputs[i] == nullptr || inputs[i]->shapeInfo() != _inputs[i]) return false;
  const auto& environment = Environment::getInstance();
  return sameLists(_integers, *block.getIArguments()) && sameLists(_longIntegers, block.longArguments()) &&
         sameNumbers(_floats, *block.getTArguments()) && sameLists(_axes, block.axes()) &&
         sameLists(_flags, *block.getBArguments()) && sameLists(_types, *block.getDArguments()) &&
         _byName == block.isCalledByName() && _namedVersion == block.namedVersion() &&
         hasSameStruct(block.givenArguments()) && _defaultFloat == environment.defaultFloatDataType() &&
         _precisionBoost == environment.precisionBoostAllowed();
}

}  // namespace sd::graph
