#include "ops/declarable/Example.h"

#include <array/NDArrayFactory.h>
#include <graph/Context.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ops/declarable/ReadArguments.h"
#include "system/Error.h"

namespace sd::ops {
namespace {

using Json = nlohmann::ordered_json;

/// Reads the example of one operation.
class Reader {
 public:
  Reader(const Schema& schema, const char* text) : _schema(schema), _text(text) {}

  Example read() {
    Example example;
    if (_text[0] == '\0') return example;
    const Json json = Json::parse(_text, nullptr, false);
    if (!json.is_object()) wrong("is not a JSON object");
    for (const InputRow& row : _schema.inputs()) {
      const bool given = json.contains(row.name()) && !isArgument(row.name());
      if (row.isAny()) {
        if (given)
          for (const Json& value : json[row.name()]) example.inputs.push_back(array(row.name(), value));
      } else {
        example.inputs.push_back(given ? array(row.name(), json[row.name()]) : nullptr);
      }
    }
    while (!example.inputs.empty() && example.inputs.back() == nullptr) example.inputs.pop_back();
    for (const auto& [name, value] : json.items()) {
      if (const ArgumentRow* row = _schema.argument(name))
        example.arguments.emplace_back(name, argument(*row, value));
      else if (std::none_of(_schema.inputs().begin(), _schema.inputs().end(),
                            [&name = name](const InputRow& input) { return name == input.name(); }))
        wrong("'" + name + "' is neither an input nor an argument");
    }
    return example;
  }

 private:
  const Schema& _schema;
  const char* _text;

  [[noreturn]] void wrong(const std::string& why) const {
    invalidArgument("[{}] its example: {}", _schema.descriptor().name(), why);
  }

  /// An input that may give an argument has the argument's name: the example gives the argument.
  bool isArgument(const char* name) const { return _schema.argument(name) != nullptr; }

  std::unique_ptr<NDArray> array(const std::string& name, const Json& value) const {
    DataType type = INHERIT;
    const Json* list = &value;
    std::vector<LongType> shape;
    if (value.is_object()) {
      type = typeNamed(value.value("type", "FLOAT32"));
      if (value.contains("shape"))
        return std::make_unique<NDArray>('c', value["shape"].get<std::vector<LongType>>(), type);
      list = &value["values"];
    }
    for (const Json* level = list; level->is_array(); level = &level->front()) {
      shape.push_back(static_cast<LongType>(level->size()));
      if (level->empty()) break;
    }
    std::vector<const Json*> leaves;
    collect(name, *list, shape, 0, leaves);
    const auto any = [&](auto is) { return std::any_of(leaves.begin(), leaves.end(), is); };
    if (any([](const Json* leaf) { return leaf->is_string() && !isSpecial(*leaf); })) {
      std::vector<std::string> texts;
      for (const Json* leaf : leaves) texts.push_back(leaf->get<std::string>());
      return std::make_unique<NDArray>(NDArrayFactory::string(shape, texts));
    }
    if (type == INHERIT)
      type = any([](const Json* leaf) { return leaf->is_number_float() || leaf->is_string(); }) ? FLOAT32
             : any([](const Json* leaf) { return leaf->is_number(); })                          ? INT32
                                                                                                : BOOL;
    auto result = shape.empty() ? std::make_unique<NDArray>(type) : std::make_unique<NDArray>('c', shape, type);
    for (size_t i = 0; i < leaves.size(); i++) {
      const auto at = static_cast<LongType>(i);
      const Json& leaf = *leaves[i];
      if (leaf.is_boolean())
        result->p<bool>(at, leaf.get<bool>());
      else if (leaf.is_number_integer())
        result->p<LongType>(at, leaf.get<LongType>());
      else
        result->p<double>(at, leaf.is_string() ? special(leaf) : leaf.get<double>());
    }
    return result;
  }

  void collect(const std::string& name, const Json& value, const std::vector<LongType>& shape, size_t depth,
               std::vector<const Json*>& leaves) const {
    if (depth == shape.size()) {
      if (value.is_array()) wrong("the lists of '" + name + "' have different depths");
      leaves.push_back(&value);
      return;
    }
    if (!value.is_array() || value.size() != static_cast<size_t>(shape[depth]))
      wrong("the lists of '" + name + "' have different lengths");
    for (const Json& entry : value) collect(name, entry, shape, depth + 1, leaves);
  }

  static bool isSpecial(const Json& leaf) { return leaf == "nan" || leaf == "inf" || leaf == "-inf"; }

  static double special(const Json& leaf) {
    const double infinity = std::numeric_limits<double>::infinity();
    return leaf == "nan" ? std::numeric_limits<double>::quiet_NaN() : leaf == "inf" ? infinity : -infinity;
  }

  ArgumentValue argument(const ArgumentRow& row, const Json& given) const {
    using Form = ArgumentValue::Form;
    const Json list = given.is_array() ? given : Json::array({given});
    ArgumentValue value;
    for (const Json& entry : list) {
      switch (row.kind()) {
        case ArgumentKind::Number:
          if (!entry.is_number()) wrong(std::string("'") + row.name() + "' is not a number");
          if (entry.is_number_integer() && row.access().takesIntegers()) {
            value.integers.push_back(entry.get<LongType>());
          } else {
            value.form = Form::Numbers;
            value.numbers.push_back(entry.get<double>());
          }
          break;
        case ArgumentKind::Flag:
          if (!entry.is_boolean()) wrong(std::string("'") + row.name() + "' is not true or false");
          value.form = Form::Flags;
          value.integers.push_back(entry.get<bool>() ? 1 : 0);
          break;
        case ArgumentKind::Type:
          value.form = Form::Types;
          value.integers.push_back(static_cast<LongType>(typeNamed(entry.get<std::string>())));
          break;
        case ArgumentKind::Choice:
          value.form = Form::Name;
          value.name = entry.get<std::string>();
          break;
        default:
          if (!entry.is_number_integer()) wrong(std::string("'") + row.name() + "' is not an integer");
          value.integers.push_back(entry.get<LongType>());
      }
    }
    if (list.empty() && row.kind() == ArgumentKind::Number) value.form = Form::Numbers;
    return value;
  }
};

}  // namespace

void Example::fill(graph::Context& block) const {
  for (size_t i = 0; i < inputs.size(); i++) block.setInputArray(static_cast<int>(i), inputs[i].get());
  block.callByName();
  for (const auto& [name, value] : arguments) block.setArgument(name, value);
}

Example readExample(const Schema& schema, const char* json) { return Reader(schema, json).read(); }

}  // namespace sd::ops
