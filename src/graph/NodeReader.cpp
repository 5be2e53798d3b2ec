// Nodes of files.
#include <array/NDArray.h>
#include <graph/FlatUtils.h>
#include <graph/Graph.h>
#include <graph/Node.h>
#include <graph/generated/node_generated.h>
#include <ops/declarable/OpRegistrator.h>

#include <limits>

#include "call/FlatTypes.h"
#include "graph/NodeFormat.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

using ops::ArgumentKind;
using ops::ArgumentValue;

std::string textOf(const flatbuffers::String* text) { return text == nullptr ? std::string() : text->str(); }

template <typename T>
bool given(const flatbuffers::Vector<T>* values) {
  return values != nullptr && values->size() > 0;
}

ops::DeclarableOp* customOperation(LongType hash, const std::string& name, const std::string& node) {
  auto& registry = ops::OpRegistrator::getInstance();
  ops::DeclarableOp* op = registry.getOperation(hash);
  if (op == nullptr && !name.empty()) op = registry.find(name);
  if (op == nullptr)
    fail("[Node] {}: there is no operation with the hash {}{}", node, hash,
         name.empty() ? "" : ", nor one named '" + name + "'");
  return op;
}

/// The operand of the table; nothing when it has none.
std::optional<double> scalarOf(const FlatArray* flat) {
  if (flat == nullptr) return std::nullopt;
  const std::unique_ptr<NDArray> array(FlatUtils::fromFlatArray(flat));
  if (array->isEmpty() || array->lengthOf() == 0) return std::nullopt;
  if (array->lengthOf() > 1 || array->isS())
    fail("the scalar operand has {} elements of type {}", array->lengthOf(),
         DataTypeUtils::asString(array->dataType()));
  return array->e<double>(0);
}

enum class Values { None, Ints, Longs, Doubles, Flags, Texts };

/// The one list that the property has. Writers leave the others out or make them empty.
Values listOf(const FlatProperties& property) {
  Values filled = Values::None, empty = Values::None;
  int lists = 0, emptyLists = 0;
  const auto look = [&](const auto* list, Values values) {
    if (list == nullptr) return;
    (list->size() > 0 ? filled : empty) = values;
    (list->size() > 0 ? lists : emptyLists)++;
  };
  look(property.i(), Values::Ints);
  look(property.l(), Values::Longs);
  look(property.d(), Values::Doubles);
  look(property.b(), Values::Flags);
  look(property.s(), Values::Texts);
  if (given(property.a()) || given(property.shape()) || lists > 1) return Values::None;
  if (lists == 1) return filled;
  return emptyLists == 1 ? empty : Values::None;
}

/// What the property says about an argument of this kind; nothing when it means something else.
std::optional<ArgumentValue> argumentOf(const FlatProperties& property, ArgumentKind kind) {
  using Form = ArgumentValue::Form;
  const Values list = listOf(property);
  const bool integers = list == Values::Ints || list == Values::Longs;
  ArgumentValue value;
  if (list == Values::Ints) value.integers.assign(property.i()->begin(), property.i()->end());
  const std::vector<int64_t> longs = list == Values::Longs ? valuesOf(property.l()) : std::vector<int64_t>();
  value.integers.insert(value.integers.end(), longs.begin(), longs.end());
  if (list == Values::Doubles) value.numbers = valuesOf(property.d());
  if (list == Values::Flags)
    for (const uint8_t flag : *property.b()) value.integers.push_back(flag != 0);
  if (list == Values::Texts && property.s()->size() == 1) value.name = property.s()->Get(0)->str();

  bool fits = false;
  switch (kind) {
    case ArgumentKind::Integer:
      value.form = Form::Integers;
      fits = integers;
      break;
    case ArgumentKind::Number:
      value.form = integers ? Form::Integers : Form::Numbers;
      fits = integers || list == Values::Doubles;
      break;
    case ArgumentKind::Flag:
      value.form = Form::Flags;
      fits = list == Values::Flags;
      break;
    case ArgumentKind::Type:
      value.form = Form::Types;
      fits = integers;
      break;
    case ArgumentKind::Choice:
      value.form = Form::Name;
      fits = list == Values::Texts && property.s()->size() == 1;
      break;
  }
  return fits ? std::optional(value) : std::nullopt;
}

}  // namespace

Node::Node(const FlatNode* node) : _opType(OpType_CUSTOM), _opNum(0), _id(0) {
  if (node == nullptr) fail("[Node] the node of the file is null");
  _id = node->id();
  _name = textOf(node->name());
  _opType = static_cast<OpType>(node->opType());
  _opNum = node->opNum();
  try {
    const bool numbered = groupOf(_opType).has_value();
    if (_opType == OpType_GRAPH) fail("an embedded graph cannot be in a file");
    if (!numbered && _opType != OpType_CUSTOM && _opType != OpType_LOGIC)
      fail("there is no kind of nodes {}", static_cast<int>(_opType));
    if (_opType != OpType_CUSTOM && (_opNum < 0 || _opNum > std::numeric_limits<int>::max()))
      fail("there is no operation {} of this kind", _opNum);
    if (_opType == OpType_CUSTOM) {
      const std::string named = "node " + std::to_string(_id) + (_name.empty() ? "" : " '" + _name + "'");
      _op = customOperation(_opNum, textOf(node->opName()), named);
    }
    _prototype = std::make_unique<ContextPrototype>(nullptr, _id, false);
    if (given(node->inputPaired())) {
      for (const IntPair* pair : *node->inputPaired()) pickInput(pair->first(), pair->second());
    } else if (node->input() != nullptr) {
      for (const int id : *node->input()) pickInput(id);
    }
    if (node->output() != nullptr)
      for (const int id : *node->output()) pickOutput(id);
    if (node->extraParams() != nullptr) {
      _extraParams = valuesOf(node->extraParams());
      *_prototype->getTArguments() = _extraParams;
    }
    const std::vector<int64_t> integers = valuesOf(node->extraInteger());
    _prototype->appendI(std::vector<LongType>(integers.begin(), integers.end()));
    if (node->extraBools() != nullptr)
      for (const uint8_t flag : *node->extraBools()) _prototype->appendB(flag != 0);
    if (node->extraTypes() != nullptr)
      for (const int code : *node->extraTypes()) {
        const auto type = static_cast<DataType>(code);
        if (type != INHERIT && !DataTypeUtils::isElementType(type)) fail("there is no element type {}", code);
        _prototype->appendD(type);
      }
    if (node->dimensions() != nullptr) _dimensions.assign(node->dimensions()->begin(), node->dimensions()->end());
    *_prototype->getAxis() = _dimensions;

    _scalar = scalarOf(node->scalar());
    const bool takesScalar = _opType == OpType_SCALAR || _opType == OpType_SCALAR_BOOL;
    if (takesScalar)
      _scalar = _scalar.value_or(0.);
    else if (_scalar == 0.)  // what writers put where there is none
      _scalar.reset();
    setUp();
    if (numbered && _op == nullptr) fail("there is no operation {} of this kind", _opNum);
    if (_opType == OpType_LOGIC && !isLogicNumber(_opNum)) fail("there is no logic operation {}", _opNum);
    if (isLogic(logic::Enter)) {
      if (integers.empty()) fail("it needs the number of its frame as an integer argument");
      _frameId = integers[0];
    }
    if (node->scope_id() != 0) setScopeInfo(node->scope_id(), textOf(node->scope_name()).c_str());
    if (given(node->properties()))
      for (const FlatProperties* property : *node->properties()) {
        const std::string name = textOf(property->name());
        if (name == IN_PLACE && given(property->b())) markInplace(property->b()->Get(0) != 0);
        if (_op == nullptr) continue;
        const ops::Schema* schema = _op->describedDescriptor()->statedSchema();
        const ops::ArgumentRow* row = schema == nullptr ? nullptr : schema->argument(name);
        if (row == nullptr) continue;
        if (auto value = argumentOf(*property, row->kind())) setArgument(name, std::move(*value));
      }
  } catch (const std::runtime_error& error) {
    const std::string message = error.what();
    if (message.starts_with("[Node]")) throw;
    fail("[Node] {}: {}", describe(), message);
  }
}

}  // namespace sd::graph
