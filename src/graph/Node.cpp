#include <graph/Graph.h>
#include <graph/Node.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>

#include "graph/LoopNode.h"
#include "graph/NodeFormat.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

struct TypeAndGroup {
  OpType type;
  loops::OpGroup group;
};

using loops::OpGroup;

constexpr TypeAndGroup NUMBERED[] = {
    {OpType_TRANSFORM_FLOAT, OpGroup::TransformFloat},
    {OpType_TRANSFORM_SAME, OpGroup::TransformSame},
    {OpType_TRANSFORM_BOOL, OpGroup::TransformBool},
    {OpType_TRANSFORM_STRICT, OpGroup::TransformStrict},
    {OpType_TRANSFORM_ANY, OpGroup::TransformAny},
    {OpType_REDUCE_FLOAT, OpGroup::ReduceFloat},
    {OpType_REDUCE_SAME, OpGroup::ReduceSame},
    {OpType_REDUCE_LONG, OpGroup::ReduceLong},
    {OpType_REDUCE_BOOL, OpGroup::ReduceBool},
    {OpType_INDEX_REDUCE, OpGroup::IndexReduce},
    {OpType_SCALAR, OpGroup::Scalar},
    {OpType_SCALAR_BOOL, OpGroup::ScalarBool},
    {OpType_BROADCAST, OpGroup::Broadcast},
    {OpType_BROADCAST_BOOL, OpGroup::BroadcastBool},
    {OpType_PAIRWISE, OpGroup::Pairwise},
    {OpType_PAIRWISE_BOOL, OpGroup::PairwiseBool},
    {OpType_REDUCE_3, OpGroup::Reduce3},
    {OpType_SUMMARYSTATS, OpGroup::SummaryStats},
    {OpType_RANDOM, OpGroup::Random},
};

/// Numbered operations whose result may lie over their input.
bool worksInPlaceByDefault(OpType type) {
  switch (type) {
    case OpType_TRANSFORM_FLOAT:
    case OpType_TRANSFORM_SAME:
    case OpType_TRANSFORM_BOOL:
    case OpType_TRANSFORM_STRICT:
    case OpType_TRANSFORM_ANY:
    case OpType_SCALAR:
    case OpType_SCALAR_BOOL:
    case OpType_BROADCAST:
    case OpType_BROADCAST_BOOL:
      return true;
    default:
      return false;
  }
}

bool isReduction(OpType type) {
  return (type >= OpType_REDUCE_FLOAT && type <= OpType_INDEX_REDUCE) || type == OpType_REDUCE_3 ||
         type == OpType_SUMMARYSTATS;
}

const char* nameOfLogic(LongType number) {
  switch (number) {
    case logic::While:
      return "While";
    case logic::Scope:
      return "Scope";
    case logic::Conditional:
      return "Conditional";
    case logic::Switch:
      return "Switch";
    case logic::Return:
      return "Return";
    case logic::Expose:
      return "Expose";
    case logic::Merge:
      return "Merge";
    case logic::LoopCond:
      return "LoopCond";
    case logic::NextIteration:
      return "NextIteration";
    case logic::Exit:
      return "Exit";
    case logic::Enter:
      return "Enter";
    case UNWIND:
      return "Unwind";
    default:
      return nullptr;
  }
}

}  // namespace

bool isLogicNumber(LongType number) { return nameOfLogic(number) != nullptr; }

bool worksInPlace(const Node& node) {
  if (node.opType() == OpType_CUSTOM) return node.hasCustomOp() && node.getCustomOp()->getOpDescriptor()->isDivergent();
  return worksInPlaceByDefault(node.opType()) && node.outputs().size() <= 1;
}

std::optional<loops::OpGroup> groupOf(OpType type) {
  for (const TypeAndGroup& row : NUMBERED)
    if (row.type == type) return row.group;
  return std::nullopt;
}

OpType opTypeOf(loops::OpGroup group) {
  for (const TypeAndGroup& row : NUMBERED)
    if (row.group == group) return row.type;
  return OpType_CUSTOM;
}

Node::Node(OpType opType, int opNum, int id, std::initializer_list<int> input, std::initializer_list<int> output,
           std::initializer_list<int> dimensions, float scalar, std::initializer_list<double> tArgs,
           std::initializer_list<int> iArgs)
    : _opType(opType), _opNum(opNum), _id(id) {
  if (opType == OpType_CUSTOM)
    fail("[Node] node {}: a custom operation is given as an object, not by type and number", id);
  if (groupOf(opType) == OpGroup::Scalar || groupOf(opType) == OpGroup::ScalarBool) _scalar = scalar;
  fill(input, output, dimensions, tArgs, iArgs);
  setUp();
}

Node::Node(ops::DeclarableOp* customOp, int id, std::initializer_list<int> input, std::initializer_list<int> output,
           std::initializer_list<int> dimensions, float scalar, std::initializer_list<double> tArgs,
           std::initializer_list<int> iArgs)
    : _opType(OpType_CUSTOM), _opNum(0), _id(id), _op(customOp) {
  if (customOp == nullptr) invalidArgument("[Node] node {}: the operation is null", id);
  if (scalar != 0.f) _scalar = scalar;
  fill(input, output, dimensions, tArgs, iArgs);
  setUp();
}

Node::~Node() = default;

void Node::fill(std::initializer_list<int> input, std::initializer_list<int> output,
                std::initializer_list<int> dimensions, std::initializer_list<double> tArgs,
                std::initializer_list<int> iArgs) {
  _dimensions = dimensions;
  _extraParams = tArgs;
  _prototype = std::make_unique<ContextPrototype>(nullptr, _id, false);
  for (const double value : tArgs) _prototype->appendT(value);
  for (const int value : iArgs) _prototype->appendI(value);
  *_prototype->getAxis() = _dimensions;
  for (const int id : input) pickInput(id);
  for (const int id : output) pickOutput(id);
}

void Node::setUp() {
  if (const auto group = groupOf(_opType)) {
    _deductable = true;
    if (isReduction(_opType)) _opClass = OpClass_REDUCTION;
    const loops::NumberedOp* op = loops::findOp(*group, static_cast<int>(_opNum));
    // An unknown number is an error when the node runs.
    _op = op == nullptr ? nullptr : ops::OpRegistrator::getInstance().find(loops::qualifiedName(*op));
    if (worksInPlaceByDefault(_opType) && _output.size() <= 1) markInplace(true);
  } else if (_opType == OpType_CUSTOM) {
    _opNum = _op->getOpHash();
    if (_op->getOpDescriptor()->isDivergent()) markInplace(true);
  } else if (_opType == OpType_LOGIC) {
    _opClass = isLoop(*this) ? OpClass_LOOP : OpClass_CONDITIONAL;
  } else if (_opType == OpType_GRAPH) {
    _opClass = OpClass_GRAPH;
  }
  if (_op != nullptr) _prototype->setOpDescriptor(_op->getOpDescriptor());
}

Node* Node::clone() const {
  auto copy = std::make_unique<Node>(OpType_LOGIC, 0, _id);  // which looks for no operation
  copy->_opType = _opType;
  copy->_opClass = _opClass;
  copy->_opNum = _opNum;
  copy->_op = _op;
  if (_graph != nullptr) copy->setGraph(std::unique_ptr<Graph>(_graph->clone()));
  copy->_prototype.reset(_prototype == nullptr ? nullptr : _prototype->clone());
  copy->_name = _name;
  copy->_scopeName = _scopeName;
  copy->_input = _input;
  copy->_output = _output;
  copy->_dimensions = _dimensions;
  copy->_extraParams = _extraParams;
  copy->_named = _named;
  copy->_scalar = _scalar;
  copy->_layer = _layer;
  copy->_scopeId = _scopeId;
  copy->_references = _references;
  copy->_rewindLayer = _rewindLayer;
  copy->_rewindNode = _rewindNode;
  copy->_frameId = _frameId;
  copy->_inPlace = _inPlace;
  copy->_scoped = _scoped;
  copy->_active = _active;
  copy->_deductable = _deductable;
  return copy.release();
}

bool Node::equals(const Node* other) const {
  return other != nullptr && _opType == other->_opType && _opNum == other->_opNum &&
         _dimensions == other->_dimensions && _input == other->_input && _output == other->_output;
}

void Node::setId(int id) {
  _id = id;
  if (_prototype != nullptr) _prototype->setNodeId(id);
}

std::string Node::operationName() const {
  if (_op != nullptr) return *_op->getOpName();
  if (_opType == OpType_GRAPH) return "graph";
  const char* logicName = _opType == OpType_LOGIC ? nameOfLogic(_opNum) : nullptr;
  return logicName != nullptr ? logicName : EnumNameOpType(_opType) + (" " + std::to_string(_opNum));
}

std::string Node::describe() const {
  return "node " + std::to_string(_id) + (_name.empty() ? "" : " '" + _name + "'") + " (" + operationName() + ")";
}

void Node::setOpType(OpType type) { _opType = type; }

bool Node::isDivergencePoint() const {
  return isLogic(logic::Switch) || (_op != nullptr && _op->getOpDescriptor()->isDivergent());
}

void Node::setGraph(Graph* graph) {
  if (_ownGraph.get() != graph) _ownGraph.reset();
  _graph = graph;
}

void Node::setGraph(std::unique_ptr<Graph> graph) {
  _ownGraph = std::move(graph);
  _graph = _ownGraph.get();
}

void Node::setContextPrototype(ContextPrototype* prototype) {
  if (_prototype.get() == prototype) return;
  _prototype.reset(prototype);
}

void Node::setScalar(double scalar) { _scalar = scalar; }

void Node::setArgument(const std::string& name, ops::ArgumentValue value) {
  for (auto& [given, old] : _named)
    if (given == name) {
      old = std::move(value);
      return;
    }
  _named.emplace_back(name, std::move(value));
}

void Node::markInplace(bool inPlace) {
  _inPlace = inPlace;
  if (_prototype != nullptr) _prototype->markInplace(inPlace);
}

void Node::pickInput(int id, int index) {
  _input.emplace_back(id, index);
  if (_prototype != nullptr) _prototype->pickInput(id, index);
}

void Node::setInputs(std::vector<std::pair<int, int>> inputs) {
  _input = std::move(inputs);
  if (_prototype != nullptr) *_prototype->inputs() = _input;
}

void Node::pickOutput(int id, int index) { _output.emplace_back(id, index); }

void Node::pickOutputOnce(int id) {
  const std::pair<int, int> output(id, 0);
  if (std::find(_output.begin(), _output.end(), output) == _output.end()) _output.push_back(output);
}

namespace {

bool isExternal(const std::pair<int, int>& place) { return place.first < 0; }
bool isInternal(const std::pair<int, int>& place) { return place.first > 0; }

}  // namespace

bool Node::hasExternalInputs() const { return std::any_of(_input.begin(), _input.end(), isExternal); }
bool Node::hasInternalInputs() const { return std::any_of(_input.begin(), _input.end(), isInternal); }
bool Node::hasExternalOutputs() const { return std::any_of(_output.begin(), _output.end(), isExternal); }
bool Node::hasInternalOutputs() const { return std::any_of(_output.begin(), _output.end(), isInternal); }

void Node::setScopeInfo(int id, const char* name) {
  _scoped = true;
  _scopeId = id;
  _scopeName = name == nullptr ? "" : name;
}

}  // namespace sd::graph
