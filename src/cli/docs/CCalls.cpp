// Calls from C.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ops/declarable/DeclarableOp.h>

#include <algorithm>

#include "cli/docs/Calls.h"

namespace sd::cli::docs {
namespace {

using ops::ArgumentKind;
using ops::ArgumentValue;

/// The C type of an element.
const char* elementType(DataType type) {
  switch (type) {
    case BOOL:
      return "bool";
    case FLOAT32:
      return "float";
    case DOUBLE:
      return "double";
    case INT8:
      return "signed char";
    case INT16:
      return "short";
    case INT32:
      return "int";
    case INT64:
      return "sd_LongType";
    case UINT8:
      return "unsigned char";
    case UINT32:
      return "unsigned int";
    case UINT64:
      return "unsigned long long";
    default:
      return "unsigned short";  // 16 bits
  }
}

/// Whether C has literals for the elements.
bool hasLiterals(const NDArray& array) {
  return !array.isS() && (!array.isR() || array.dataType() == FLOAT32 || array.dataType() == DOUBLE);
}

/// The buffer of an array, and the description of its shape, for which `info` is written.
std::string bufferOf(const WorkedExample::Operand& operand, bool isInput) {
  const NDArray& array = *operand.array;
  const std::string& name = operand.name;
  const LongType length = array.isEmpty() ? 0 : array.lengthOf();
  std::string code;
  if (isInput && length > 0) {
    std::vector<std::string> values;
    for (LongType i = 0; i < length; ++i) values.push_back(literalOf(array, i));
    code += fmt::format("  {} {}[] = {{{}}};\n", elementType(array.dataType()), name, fmt::join(values, ", "));
  } else {
    code += fmt::format("  {} {}[{}];\n", elementType(array.dataType()), name, std::max<LongType>(length, 1));
  }
  const std::string type = "sd_" + (array.dataType() == HALF ? "HALF" : DataTypeUtils::describe(array.dataType()));
  const std::string empty = array.isEmpty() ? "true" : "false";
  std::string shape = "NULL", strides = "NULL";
  const std::vector<LongType> dims = array.getShapeAsVector();
  if (!dims.empty()) {
    std::vector<LongType> steps(dims.size(), 1);
    for (size_t i = dims.size() - 1; i > 0; --i) steps[i - 1] = steps[i] * dims[i];
    shape = name + "Shape";
    strides = name + "Strides";
    code += fmt::format("  sd_LongType {}[] = {{{}}}, {}[] = {{{}}};\n", shape, fmt::join(dims, ", "), strides,
                        fmt::join(steps, ", "));
  }
  return code + fmt::format("  OpaqueConstantShapeBuffer* {}Info = shapeBuffer({}, {}, {}, {}, 'c', 1, {});\n", name,
                            dims.size(), shape, strides, type, empty);
}

std::string argumentOf(const WorkedExample::Argument& argument) {
  const auto& [row, value] = argument;
  const std::string name = row->name();
  if (row->kind() == ArgumentKind::Choice)
    return fmt::format("  setGraphContextArgumentChoice(context, \"{}\", \"{}\");\n", name, value.name);
  std::vector<std::string> values;
  for (const double number : value.numbers) values.push_back(fmt::format("{}", number));
  for (const LongType integer : value.integers) {
    if (row->kind() == ArgumentKind::Type)
      values.push_back("sd_" + DataTypeUtils::describe(static_cast<DataType>(integer)));
    else if (row->kind() == ArgumentKind::Flag)
      values.emplace_back(integer != 0 ? "true" : "false");
    else
      values.push_back(fmt::format("{}", integer));
  }
  const bool numbers = row->kind() == ArgumentKind::Number && value.form == ArgumentValue::Form::Numbers;
  const char* type = numbers                             ? "double"
                     : row->kind() == ArgumentKind::Flag ? "bool"
                     : row->kind() == ArgumentKind::Type ? "int"
                                                         : "sd_LongType";
  const char* function = numbers                             ? "Numbers"
                         : row->kind() == ArgumentKind::Flag ? "Flags"
                         : row->kind() == ArgumentKind::Type ? "Types"
                                                             : "Integers";
  if (values.empty()) return fmt::format("  setGraphContextArgument{}(context, \"{}\", NULL, 0);\n", function, name);
  return fmt::format(
      "  const {0} {1}Values[] = {{{2}}};\n  setGraphContextArgument{3}(context, \"{1}\", {1}Values, {4});\n", type,
      name, fmt::join(values, ", "), function, values.size());
}

}  // namespace

std::string cCall(const WorkedExample& example) {
  for (const auto* operands : {&example.inputs(), &example.outputs()})
    for (const auto& operand : *operands)
      if (operand.array != nullptr &&
          (operand.array->isS() || (operands == &example.inputs() && !hasLiterals(*operand.array))))
        return "";
  std::string code;
  std::string places, releases;
  int index = 0;
  for (const auto& input : example.inputs()) {
    if (input.array != nullptr) {
      code += bufferOf(input, true);
      places += fmt::format(
          "  setGraphContextInputArray(context, {}, {}, getConstantShapeBufferPrimary({}Info), NULL, NULL);\n", index,
          input.array->isEmpty() ? "NULL" : input.name, input.name);
      releases += fmt::format("  deleteConstantShapeBuffer({}Info);\n", input.name);
    }
    ++index;
  }
  index = 0;
  for (const auto& output : example.outputs()) {
    code += bufferOf(output, false);
    places += fmt::format(
        "  setGraphContextOutputArray(context, {}, {}, getConstantShapeBufferPrimary({}Info), NULL, NULL);\n", index++,
        output.array->isEmpty() ? "NULL" : output.name, output.name);
    releases += fmt::format("  deleteConstantShapeBuffer({}Info);\n", output.name);
  }
  code += "  OpaqueContext* context = createGraphContext(1);\n" + places;
  for (const auto& argument : example.arguments()) code += argumentOf(argument);
  if (example.isRandom())
    code += fmt::format("  setRandomGeneratorStates(getGraphContextRandomGenerator(context), {}, 0);\n", SEED);
  code += fmt::format("  int status = execCustomOp2(NULL, opHash(\"{}\"), context);\n", example.item().name);
  code += "  deleteGraphContext(context);\n" + releases;
  const bool special = code.find("NAN") != std::string::npos || code.find("INFINITY") != std::string::npos;
  const std::string opening =
      fmt::format("#include <legacy/NativeOps.h>\n{}#include <stddef.h>\n\nint example(void) {{\n",
                  special ? "#include <math.h>\n" : "");
  return opening + code +
         "  return status;  /* sd_OK: the results are in the arrays; otherwise see lastErrorMessage() */\n}";
}

}  // namespace sd::cli::docs
