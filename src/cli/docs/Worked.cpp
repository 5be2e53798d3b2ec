#include "cli/docs/Worked.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <exception>
#include <set>

#include "cli/ArgumentText.h"
#include "cli/Text.h"
#include "cli/Types.h"

namespace sd::cli::docs {
namespace {

using ops::ArgumentValue;

// Words that C or C++ use, and names that the calls on the pages use for other things.
constexpr const char* TAKEN[] = {
    "and",      "auto",     "bool",     "break",    "case",   "catch",   "char",     "class",    "const",    "context",
    "default",  "delete",   "do",       "double",   "else",   "enum",    "example",  "explicit", "export",   "extern",
    "false",    "float",    "for",      "friend",   "goto",   "if",      "inline",   "int",      "long",     "mutable",
    "not",      "new",      "op",       "operator", "or",     "private", "public",   "results",  "register", "return",
    "rng",      "restrict", "short",    "signed",   "sizeof", "static",  "status",   "struct",   "switch",   "sd",
    "template", "this",     "throw",    "true",     "try",    "typedef", "typename", "union",    "using",    "unsigned",
    "virtual",  "void",     "volatile", "while",    "xor",    "NULL",    "namespace"};

std::string elementText(const NDArray& array, LongType i) {
  if (array.isS()) return cli::quoted(array.e<std::string>(i));
  if (array.dataType() == BOOL) return array.e<bool>(i) ? "true" : "false";
  if (array.isC()) {
    const auto value = array.e<std::complex<double>>(i);
    return fmt::format("{:.6g}{:+.6g}i", value.real(), value.imag());
  }
  if (array.isR()) {
    const double value = array.e<double>(i);
    return std::isnan(value) ? "nan" : fmt::format("{:.6g}", value);
  }
  if (array.dataType() == UINT64) return fmt::format("{}", static_cast<uint64_t>(array.e<LongType>(i)));
  return fmt::format("{}", array.e<LongType>(i));
}

}  // namespace

std::unique_ptr<WorkedExample> WorkedExample::of(const Item& item) {
  if (item.op->schema().example()[0] == '\0') return nullptr;
  try {
    return std::unique_ptr<WorkedExample>(new WorkedExample(item));
  } catch (const std::exception&) {
    return nullptr;
  }
}

WorkedExample::WorkedExample(const Item& item)
    : _item(item), _example(ops::readExample(item.op->schema())), _run(ops::readExample(item.op->schema())) {
  for (size_t i = 0; i < _run.inputs.size(); ++i) _context.setInputArray(static_cast<int>(i), _run.inputs[i].get());
  for (const auto& [name, value] : _run.arguments) _context.setArgument(name, value);
  if (isRandom()) _context.setRng(graph::RandomGenerator(SEED));
  makeOutputs();
  if (item.op->execute(&_context) != Status::OK) throw std::runtime_error(ops::DeclarableOp::lastValidationMessage());
  _structure = _context.argumentBlock().data();
  for (const auto& [name, value] : _example.arguments) _arguments.push_back({schema().argument(name), value});
  nameOperands();
}

void WorkedExample::makeOutputs() {
  const ops::RunningOp running(_item.descriptor->name());
  ShapeList shapes;
  for (const auto& input : _run.inputs) shapes.push_back(input == nullptr ? nullptr : input->shapeInfo());
  const std::unique_ptr<ShapeList> results(_item.op->calculateOutputShape(&shapes, _context));
  for (int i = 0; i < results->size(); ++i) {
    _results.push_back(std::make_unique<NDArray>(results->at(i)));
    _context.fastpath_out().push_back(_results.back().get());
  }
  _context.setShapeFunctionOverride(true);
}

void WorkedExample::nameOperands() {
  std::set<std::string> used(std::begin(TAKEN), std::end(TAKEN));
  for (const Argument& argument : _arguments) used.insert(argument.row->name());
  const auto unique = [&used](std::string name) {
    while (!used.insert(name).second) name += '_';
    return name;
  };
  const size_t rows = schema().inputs().size(), count = _example.inputs.size();
  size_t next = 0;
  for (const ops::InputRow& row : schema().inputs()) {
    // A row for any number of inputs has those that the other rows leave.
    const size_t several = count >= rows ? count - rows + 1 : 0, own = row.isAny() ? several : 1;
    for (size_t i = 0; i < own && next < count; ++i, ++next) {
      NDArray* array = _example.inputs[next].get();
      const std::string name = own > 1 ? fmt::format("{}{}", row.name(), i) : row.name();
      _inputs.push_back({array == nullptr ? name : unique(name), array, &row});
    }
  }
  const std::vector<std::string> names =
      CustomOp{_item.op, _item.descriptor, _item.family}.outputNames(_results.size());
  for (size_t i = 0; i < _results.size(); ++i) _outputs.push_back({unique(names[i]), _results[i].get(), nullptr});
}

const ArgumentValue* WorkedExample::argument(std::string_view name) const {
  for (const Argument& argument : _arguments)
    if (argument.row->name() == name) return &argument.value;
  return nullptr;
}

bool WorkedExample::hasGap() const {
  return std::any_of(_inputs.begin(), _inputs.end(), [](const Operand& input) { return input.array == nullptr; });
}

bool WorkedExample::agreesWith(const std::vector<double>& floats, const std::vector<LongType>& integers,
                               const std::vector<bool>& flags, const std::vector<DataType>& types) const {
  try {
    const ops::Example inputs = ops::readExample(schema());
    std::vector<NDArray*> arrays;
    for (const auto& input : inputs.inputs) arrays.push_back(input.get());
    const ResultSet results = _item.op->evaluate(arrays, floats, integers, flags, types);
    if (results.status() != Status::OK || results.size() != static_cast<int>(_outputs.size())) return false;
    for (int i = 0; i < results.size(); ++i) {
      const NDArray &found = *results.at(static_cast<unsigned long>(i)), &expected = *_outputs[size_t(i)].array;
      if (found.dataType() != expected.dataType() || found.getShapeAsVector() != expected.getShapeAsVector() ||
          valuesText(found, 0) != valuesText(expected, 0))
        return false;
    }
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

std::string valuesText(const NDArray& array, size_t indent) {
  if (array.isEmpty()) return "[]";
  const LongType length = array.lengthOf();
  const int rank = array.rankOf();
  if (rank == 0) return elementText(array, 0);
  std::vector<std::string> elements;
  size_t width = 0;
  for (LongType i = 0; i < length; ++i) {
    elements.push_back(elementText(array, i));
    width = std::max(width, elements.back().size());
  }
  const LongType row = array.sizeAt(-1);
  const bool aligned = rank > 1 && row > 1;
  std::string text(static_cast<size_t>(rank), '[');
  for (LongType i = 0; i < length; ++i) {
    if (i > 0) {
      // How many dimensions begin anew at this element.
      int closed = 0;
      for (LongType block = 1; closed < rank - 1; ++closed) {
        block *= array.sizeAt(rank - 1 - closed);
        if (i % block != 0) break;
      }
      text += std::string(static_cast<size_t>(closed), ']') + ",";
      text += closed == 0 ? " "
                          : "\n" + std::string(indent + static_cast<size_t>(rank - closed), ' ') +
                                std::string(static_cast<size_t>(closed), '[');
    }
    text += aligned ? fmt::format("{:>{}}", elements[size_t(i)], width) : elements[size_t(i)];
  }
  return text + std::string(static_cast<size_t>(rank), ']');
}

namespace {

/// Lines of names, types, shapes and values in columns.
class Lines {
 public:
  void add(const WorkedExample::Operand& operand) {
    const NDArray& array = *operand.array;
    _rows.push_back({operand.name, array.isS() ? "text" : std::string(typeName(array.dataType())),
                     fmt::format("[{}]", fmt::join(array.getShapeAsVector(), ", ")), &array, ""});
  }
  void add(const std::string& name, const std::string& value) { _rows.push_back({name, "", "", nullptr, value}); }

  std::string text() const {
    size_t names = 0, types = 0, shapes = 0;
    for (const Row& row : _rows) {
      names = std::max(names, row.name.size());
      types = std::max(types, row.type.size());
      shapes = std::max(shapes, row.shape.size());
    }
    std::string text;
    for (const Row& row : _rows) {
      text += fmt::format("{:<{}}  ", row.name, names);
      if (row.array == nullptr) {
        text += row.value + "\n";
        continue;
      }
      text += fmt::format("{:<{}} {:<{}}  ", row.type, types, row.shape, shapes);
      text += valuesText(*row.array, names + types + shapes + 5) + "\n";
    }
    return text;
  }

 private:
  struct Row {
    std::string name, type, shape;
    const NDArray* array;
    std::string value;
  };
  std::vector<Row> _rows;
};

}  // namespace

std::string givenText(const WorkedExample& example) {
  Lines lines;
  for (const auto& input : example.inputs())
    if (input.array != nullptr) lines.add(input);
  for (const auto& [row, value] : example.arguments()) lines.add(row->name(), argumentText(*row, value));
  return lines.text();
}

std::string resultText(const WorkedExample& example) {
  Lines lines;
  for (const auto& output : example.outputs()) lines.add(output);
  return lines.text();
}

}  // namespace sd::cli::docs
