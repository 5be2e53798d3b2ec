#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpReference.h>

#include <algorithm>
#include <iterator>
#include <string>

namespace sd::ops {
namespace {

using loops::NumberedOp;

struct Derivative {
  std::string_view of, name;
};

// Within one family.
constexpr Derivative DERIVATIVES[] = {{"ACosh", "ACoshDerivative"},
                                      {"ASinh", "ASinhDerivative"},
                                      {"Cube", "CubeDerivative"},
                                      {"ELU", "ELUDerivative"},
                                      {"GELU", "GELUDerivative"},
                                      {"HardSigmoid", "HardSigmoidDerivative"},
                                      {"HardTanh", "HardTanhDerivative"},
                                      {"LeakyRELU", "LeakyRELUDerivative"},
                                      {"LogSigmoid", "LogSigmoidDerivative"},
                                      {"Mish", "MishDerivative"},
                                      {"Pow", "PowDerivative"},
                                      {"PreciseGELU", "PreciseGELUDerivative"},
                                      {"RELU", "RELUDerivative"},
                                      {"RationalTanh", "RationalTanhDerivative"},
                                      {"RectifiedTanh", "RectifiedTanhDerivative"},
                                      {"SELU", "SELUDerivative"},
                                      {"Sigmoid", "SigmoidDerivative"},
                                      {"Sinh", "SinhDerivative"},
                                      {"SoftSign", "SoftSignDerivative"},
                                      {"Swish", "SwishDerivative"},
                                      {"Tan", "TanDerivative"},
                                      {"Tanh", "TanhDerivative"}};

bool isCustom(const DeclarableOp* op) {
  return op != nullptr && std::string_view(op->getOpDescriptor()->kind()) != "numbered";
}

/// The numbered operation that the schema says to compute the same, as "pairwise.Add"; empty for none.
std::string_view statedNumber(DeclarableOp& op) {
  const Schema& schema = op.schema();
  return schema.elementwise()[0] != '\0' ? schema.elementwise() : schema.reduction();
}

/// Whether `op` is the operation that is stated. Operations on pairs of elements have the same name as those of an
/// array with a scalar, and of the sub-arrays of an array.
bool isStated(std::string_view stated, const NumberedOp& op) {
  const size_t dot = stated.find('.');
  if (dot == std::string_view::npos || stated.substr(dot + 1) != op.name) return false;
  const std::string_view family = stated.substr(0, dot), own = loops::familyName(op.group);
  return family == own || (family == "pairwise" && (own == "scalar" || own == "broadcast"));
}

const NumberedOp* inFamilyOf(const NumberedOp& op, std::string_view name) {
  for (const NumberedOp& other : loops::numberedOps())
    if (other.name == name && loops::traitsOf(other.group).family == loops::traitsOf(op.group).family) return &other;
  return nullptr;
}

}  // namespace

DeclarableOp* gradientOf(DeclarableOp& op) {
  if (!isCustom(&op)) return nullptr;
  const char* name = op.schema().gradientOperation();
  return name == nullptr ? nullptr : OpRegistrator::getInstance().find(name);
}

std::vector<DeclarableOp*> differentiatedBy(const DeclarableOp& op) {
  std::vector<DeclarableOp*> forward;
  for (DeclarableOp* candidate : OpRegistrator::getInstance().operations())
    if (gradientOf(*candidate) == &op) forward.push_back(candidate);
  return forward;
}

std::vector<const NumberedOp*> numberedTwins(DeclarableOp& op) {
  std::vector<const NumberedOp*> twins;
  if (!isCustom(&op)) return twins;
  const std::string_view stated = statedNumber(op);
  for (const NumberedOp& numbered : loops::numberedOps())
    if (isStated(stated, numbered)) twins.push_back(&numbered);
  return twins;
}

std::vector<DeclarableOp*> customTwins(const NumberedOp& op) {
  std::vector<DeclarableOp*> twins;
  for (DeclarableOp* custom : OpRegistrator::getInstance().operations())
    if (isStated(statedNumber(*custom), op)) twins.push_back(custom);
  return twins;
}

const NumberedOp* derivativeOf(const NumberedOp& op) {
  const auto row = std::find_if(std::begin(DERIVATIVES), std::end(DERIVATIVES),
                                [&op](const Derivative& entry) { return entry.of == op.name; });
  return row == std::end(DERIVATIVES) ? nullptr : inFamilyOf(op, row->name);
}

const NumberedOp* derivedFrom(const NumberedOp& op) {
  const auto row = std::find_if(std::begin(DERIVATIVES), std::end(DERIVATIVES),
                                [&op](const Derivative& entry) { return entry.name == op.name; });
  return row == std::end(DERIVATIVES) ? nullptr : inFamilyOf(op, row->of);
}

}  // namespace sd::ops
