#include "cli/docs/MethodCalls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/ArgumentText.h"
#include "cli/docs/Calls.h"

namespace sd::cli::docs {

std::string methodCall(const WorkedExample& example) {
  using loops::OpFamily;
  const loops::NumberedOp& op = *example.item().numbered;
  const OpFamily family = loops::traitsOf(op.group).family;
  const auto& inputs = example.inputs();
  std::string code = "#include <array/NDArray.h>\n";
  if (family == OpFamily::Random) code += "#include <ops/declarable/OpRegistrator.h>\n";
  std::string declarations;
  for (const auto& input : inputs) declarations += declarationOf(input) + "\n";
  if (declarations.find("NAN") != std::string::npos) code += "#include <cmath>\n";
  code += "\n" + declarations;
  const std::string& x = inputs[0].name;
  const std::string y = inputs.size() > 1 ? inputs[1].name : "";
  const auto& output = example.outputs()[0];
  const std::string& z = output.name;
  const std::string name = fmt::format("sd::{}::{}", loops::familyName(op.group), op.name);
  const auto listed = [&](const char* argument) {
    const ops::ArgumentValue* value = example.argument(argument);
    if (value == nullptr) return std::string("{}");
    return value->numbers.empty() ? fmt::format("{{{}}}", fmt::join(value->integers, ", "))
                                  : fmt::format("{{{}}}", fmt::join(value->numbers, ", "));
  };
  const std::string axis = listed("axis");
  const bool extra = example.argument("parameters") != nullptr && family != OpFamily::Random;
  if (extra) code += fmt::format("sd::ExtraArguments extra(std::vector<double>{});\n", listed("parameters"));
  const std::string pointer = extra ? ", &extra" : "";
  if (family != OpFamily::Reduce3)
    code += fmt::format("sd::NDArray {}('c', {{{}}}, {});\n", z, fmt::join(output.array->getShapeAsVector(), ", "),
                        typeNameInCpp(output.array->dataType()));
  switch (family) {
    case OpFamily::Transform:
      return code + fmt::format("{}.applyTransform({}, {}{});", x, name, z, pointer);
    case OpFamily::Pairwise:
      return code + fmt::format("{}.applyPairwiseTransform({}, {}, {}{});", x, name, y, z, pointer);
    case OpFamily::Scalar: {
      const ops::ArgumentValue* scalar = example.argument("scalar");
      return code + fmt::format("{}.applyScalar({}, {}, {}{});", x, name, realText(scalar->numbers.at(0)), z, pointer);
    }
    case OpFamily::Broadcast:
      return code + fmt::format("{}.applyBroadcast({}, {}, {}, {}{});", x, name, axis, y, z, pointer);
    case OpFamily::Reduce:
      return code + fmt::format("{}.reduceAlongDimension({}, {}, {}{});", x, name, z, axis,
                                extra ? fmt::format(", false, true, extra.argumentsAsT({}.dataType())",
                                                    loops::paramsLikeResult(op.group) ? z : x)
                                      : "");
    case OpFamily::Reduce3:
      return code + fmt::format("auto {} = {}.applyReduce3({}, {}, {}{});", z, x, name, y, axis, pointer);
    case OpFamily::IndexReduce:
      return code + fmt::format("{}.applyIndexReduce({}, {}, {}{});", x, name, z, axis, pointer);
    case OpFamily::Variance:
      return code + fmt::format("{}.varianceAlongDimension({}, {}, true, {});", x, name, z, axis);
    case OpFamily::Random:
      break;
  }
  std::vector<std::string> names;
  for (const auto& input : inputs) names.push_back("&" + input.name);
  return code + fmt::format(
                    "sd::graph::RandomGenerator rng({});\n"
                    "auto& op = *sd::ops::OpRegistrator::getInstance().getOperation(\"{}\");\n"
                    "op.execute(rng, {{{}}}, {{&{}}}, {}, {{}});",
                    SEED, example.item().name, fmt::join(names, ", "), z, listed("parameters"));
}

}  // namespace sd::cli::docs
