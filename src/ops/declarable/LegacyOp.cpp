// Numbered operations as operation objects: shapes, types and the call of the executor, by group.
#include <ops/declarable/LegacyOp.h>
#include <ops/declarable/NumberedArguments.h>

#include <algorithm>
#include <utility>

#include "loops/ComplexOps.h"
#include "loops/OpInfo.h"
#include "ops/declarable/Common.h"
#include "ops/declarable/LegacyRandom.h"
#include "ops/declarable/NumberedExamples.h"
#include "ops/declarable/NumberedGradients.h"
#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

using loops::NumberedOp;
using loops::OpFamily;
using loops::OpGroup;

bool isTruth(OpGroup group) { return loops::traitsOf(group).result == loops::ResultTypes::Truth; }

/// The inputs that must be given.
int inputsOf(OpGroup group) {
  const OpFamily family = loops::traitsOf(group).family;
  return family == OpFamily::Pairwise || family == OpFamily::Broadcast || family == OpFamily::Reduce3 ? 2 : 1;
}

bool worksInPlace(OpGroup group) {
  switch (loops::traitsOf(group).family) {
    case OpFamily::Pairwise:
    case OpFamily::Scalar:
      return !isTruth(group);
    case OpFamily::Transform:
      return loops::traitsOf(group).result == loops::ResultTypes::LikeX;
    default:
      return false;
  }
}

std::string nameOf(OpGroup group, int opNum) {
  const NumberedOp* op = loops::findOp(group, opNum);
  return op == nullptr ? "LegacyOp" : loops::qualifiedName(*op);
}

// ---- axes

bool meansAll(const std::vector<int>& axes) { return axes.size() == 1 && axes[0] == SD_MAX_DIMENSION; }

/// Ascending and non-negative; empty means all axes.
std::vector<int> axesOf(std::vector<int> axes, int rank) {
  if (meansAll(axes)) return {};
  for (int& axis : axes) axis = checkedAxis(axis, rank, "axis");
  std::sort(axes.begin(), axes.end());
  const auto repeated = std::adjacent_find(axes.begin(), axes.end());
  if (repeated != axes.end()) reject("argument 'axis': {} is given more than once", *repeated);
  return axes;
}

/// The context's axes, else the values of the input, else the list of integers; an integer that means all axes also
/// counts before the input.
template <int FIRST, int INPUT>
bool readAxes(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  std::vector<LongType> axes(block.axes().begin(), block.axes().end());
  if (axes.empty()) {
    std::vector<int> given;
    for (size_t i = FIRST; i < block.numI(); i++) given.push_back(block.intArgument(i));
    axes.assign(given.begin(), given.end());
    const NDArray* input = block.optionalArray(INPUT);
    if (input != nullptr && !DataTypeUtils::isZ(input->dataType()))
      reject("input {} 'axis': its type is {}, not INT32 or INT64", INPUT, DataTypeUtils::describe(input->dataType()));
    if (input != nullptr && !meansAll(given)) {
      if (!input->hasValues()) return true;
      const std::vector<int> values = intsOf(*input, INPUT, "axis");
      axes.assign(values.begin(), values.end());
    }
  }
  if (axes.empty()) return false;
  row.access().setIntegers(row.memberOf(arguments), axes.data(), axes.size());
  return true;
}

/// The scalar is the first floating argument, unless an input gives it; parameters follow.
bool readScalar(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.optionalArray(1) != nullptr || block.numT() == 0) return false;
  const double value = block.floatArgument(0);
  row.access().setNumbers(row.memberOf(arguments), &value, 1);
  return true;
}

bool readParameters(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  const size_t first = block.optionalArray(1) != nullptr ? 0 : 1;
  if (block.numT() <= first) return false;
  row.access().setNumbers(row.memberOf(arguments), block.floatArguments().data() + first, block.numT() - first);
  return true;
}

/// 1 and more mean true.
bool readBiasCorrected(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numI() == 0) return false;
  const LongType corrected = block.intArgument64(0) > 0 ? 1 : 0;
  row.access().setIntegers(row.memberOf(arguments), &corrected, 1);
  return true;
}

// ---- inference

/// The axes of a reduction, which inference keeps for the body.
struct ReducedAxes {
  std::vector<int> axes;
};

const std::vector<int>& currentAxes(graph::Context& block, const std::vector<int>& axis, int rank) {
  return kept<ReducedAxes>(block, [&] { return ReducedAxes{axesOf(axis, rank)}; }).axes;
}

template <typename S>
PartialShape reducedShape(Inference& in, OpGroup group, const PartialShape& x) {
  const auto& a = in.arguments<S>();
  const DataType type =
      x.hasType() ? loops::resultType(group, x.type(), Environment::getInstance().defaultFloatDataType()) : INHERIT;
  bool keepDims = false, newFormat = true;
  if constexpr (std::is_same_v<S, NumberedReduction>) {
    keepDims = a.keepDims;
    newFormat = a.newFormat;
  }
  const char order = loops::traitsOf(group).family == OpFamily::Reduce ? x.order() : 'c';
  if (!in.knows(&S::axis)) return PartialShape(type);
  const bool all = a.axis.empty() || meansAll(a.axis);
  if (!x.hasRank())
    return all && !keepDims ? (newFormat ? PartialShape::scalar(type) : PartialShape(type, {1, 1}))
                            : PartialShape(type);
  const std::vector<int> axes = axesOf(a.axis, x.rank());
  if (!in.isPartial()) in.keep(ReducedAxes{axes});
  const bool complete = axes.empty() || static_cast<int>(axes.size()) == x.rank();
  if (axes.empty() && x.rank() == 0 && x.isEmpty()) return x.withType(type);
  if (complete && !(keepDims && (x.rank() > 1 || !axes.empty())))
    return (newFormat ? PartialShape::scalar(type) : PartialShape(type, {1, 1})).withOrder(order);
  PartialShape result = reducedAlong(x, axes, keepDims, type).withOrder(order);
  // Old shapes have rank 2 at least: reducing a matrix along dimension 0 gives a row, along dimension 1 a column.
  if (!newFormat && result.rank() == 1)
    result = axes[0] == 0 ? PartialShape(type, {1, result[0]}, order) : PartialShape(type, {result[0], 1}, order);
  return result;
}

/// Of a transform whose result has another type for complex numbers than for real ones.
void inferMagnitude(Inference& in) {
  const PartialShape x = in.input(0);
  in.output(x.withType(x.hasType() ? DataTypeUtils::partType(x.type()) : INHERIT));
}

void inferGroup(Inference& in, OpGroup group) {
  const PartialShape x = in.input(0);
  switch (loops::traitsOf(group).family) {
    case OpFamily::Reduce:
      return in.output(reducedShape<NumberedReduction>(in, group, x));
    case OpFamily::Variance:
      return in.output(reducedShape<NumberedVariance>(in, group, x));
    case OpFamily::IndexReduce:
      return in.output(reducedShape<NumberedAxes>(in, group, x));
    case OpFamily::Reduce3: {
      const PartialShape y = in.input(1);
      const bool known = x.hasKnownSizes() && y.hasKnownSizes();
      if (!known) return in.output(PartialShape(reducedShape<NumberedAxes>(in, group, PartialShape(x.type())).type()));
      return in.output(reducedShape<NumberedAxes>(in, group, y.length() > x.length() ? y.withType(x.type()) : x));
    }
    case OpFamily::Random:
      // An array of integers is a shape; its type says nothing about the result's.
      return in.output(x.hasType() && DataTypeUtils::isR(x.type()) ? x : PartialShape());
    default:
      break;
  }
  if (group == OpGroup::TransformAny) {
    const graph::Context* block = in.block();
    return in.output(x.withType(block != nullptr && block->hasDataType() ? block->dataType() : x.type()));
  }
  in.output(x.withType(
      x.hasType() ? loops::resultType(group, x.type(), Environment::getInstance().defaultFloatDataType()) : INHERIT));
}

template <int... G>
InferenceFunction inferenceOf(OpGroup group, std::integer_sequence<int, G...>) {
  static constexpr InferenceFunction FUNCTIONS[] = {[](Inference& in) { inferGroup(in, static_cast<OpGroup>(G)); }...};
  return FUNCTIONS[static_cast<int>(group)];
}

// ---- schemas

constexpr const char* PARAMETERS = "the extra parameters that the formula names, in its order";

template <typename S>
void extraParameters(Schema& schema, bool takes) {
  if (takes) schema.argument(&S::parameters, "parameters", PARAMETERS).atFloat(0);
}

template <typename S, int FIRST, int INPUT>
void axes(Schema& schema) {
  schema.input("axis", "the axes, INT32 or INT64").optional();
  schema.argument(&S::axis, "axis", "the axes, all when there are none; negative ones count from the end")
      .atInteger(FIRST)
      .elseInput(INPUT)
      .readBy(readAxes<FIRST, INPUT>);
}

/// `parameters`: the operation has extra parameters.
void describe(Schema& schema, OpGroup group, bool parameters) {
  switch (loops::traitsOf(group).family) {
    case OpFamily::Pairwise:
      schema.summary("A numbered operation on pairs of elements.");
      schema.input("x", "any shape");
      schema.input("y", "the shape of x or one element; the type of x");
      extraParameters<NumberedElements>(schema, parameters);
      schema.output("z", "the shape of x");
      break;
    case OpFamily::Scalar:
      schema.summary("A numbered operation of an array and a scalar.");
      schema.input("x", "any shape");
      schema.input("scalar", "one element of the type of x").optional();
      schema.argument(&NumberedScalar::scalar, "scalar", "the scalar, when no input gives it")
          .atFloat(0)
          .readBy(readScalar);
      if (parameters)
        schema.argument(&NumberedScalar::parameters, "parameters", PARAMETERS).atFloat(1).readBy(readParameters);
      schema.output("z", "the shape of x");
      break;
    case OpFamily::Broadcast:
      schema.summary("A numbered operation of the sub-arrays of x with y.");
      schema.input("x", "any shape");
      schema.input("y", "the shape of one sub-array along the axes; the type of x");
      axes<NumberedAxes, 0, 2>(schema);
      extraParameters<NumberedAxes>(schema, parameters);
      schema.output("z", "the shape of x");
      break;
    case OpFamily::Reduce:
      schema.summary("A numbered reduction over axes.");
      schema.input("x", "any shape");
      axes<NumberedReduction, 0, 1>(schema);
      schema.argument(&NumberedReduction::keepDims, "keep_dims", "whether the reduced axes stay with size 1").atFlag(0);
      schema.argument(&NumberedReduction::newFormat, "new_format", "whether results of one element have rank 0")
          .atFlag(1);
      extraParameters<NumberedReduction>(schema, parameters);
      schema.output("z", "x without the axes");
      break;
    case OpFamily::IndexReduce:
      schema.summary("The position of an element along axes.");
      schema.input("x", "any shape");
      axes<NumberedAxes, 0, 1>(schema);
      extraParameters<NumberedAxes>(schema, parameters);
      schema.output("z", "x without the axes, INT64");
      break;
    case OpFamily::Reduce3:
      schema.summary("A distance or similarity over axes.");
      schema.input("x", "any shape");
      schema.input("y", "the shape of x, or of one of its sub-arrays; the type of x");
      axes<NumberedAxes, 0, 2>(schema);
      extraParameters<NumberedAxes>(schema, parameters);
      schema.output("z", "the larger shape without the axes, a float type");
      break;
    case OpFamily::Variance:
      schema.summary("Variance or standard deviation over axes.");
      schema.input("x", "any shape");
      axes<NumberedVariance, 1, 1>(schema);
      schema.argument(&NumberedVariance::biasCorrected, "bias_corrected", "whether the divisor is n - 1, not n")
          .atInteger(0)
          .readBy(readBiasCorrected);
      schema.output("z", "x without the axes, a float type");
      break;
    case OpFamily::Random:
      schema.summary("Random numbers, a function of the context's generator.");
      schema.input("x", "the shape, a vector of integers, or an array of a float type").shapesNeedValues();
      schema.input("operands", "y, where the formula has it, then the parameters as scalars").any();
      extraParameters<NumberedRandom>(schema, parameters);
      schema
          .argument(&NumberedRandom::trials, "trials",
                    "the number of trials of the binomial distributions, instead of their first parameter")
          .atInteger(0);
      schema.output("z", "that shape; the type of x when that is a float type, else the context's");
      break;
    default:
      schema.summary("A numbered transform: element by element.");
      schema.input("x", "any shape");
      extraParameters<NumberedElements>(schema, parameters);
      schema.output("z", "the shape of x");
  }
}

// ---- extra parameters

/// Those of transforms and pairwise operations, whose schemas have no arguments otherwise.
const std::vector<double>& elementParameters(graph::Context& block) {
  static const std::vector<double> none;
  const bool has = block.argumentBlock().holds(argumentStruct<NumberedElements>);
  return has ? arguments<NumberedElements>(block).parameters : none;
}

/// The extra parameters in the type that the group reads. Missing ones have their defaults.
class Parameters {
 public:
  Parameters(const NumberedOp& op, const std::vector<double>& given, DataType x, DataType z) {
    if (given.empty() || op.maxParams == 0) return;
    std::vector<double> values(given);
    _count = static_cast<int>(values.size());
    if (_count < op.requiredParams) reject("{} floating arguments are needed, {} given", op.requiredParams, _count);
    // The executor reads the operation's maximum number of parameters.
    if (_count < op.maxParams)
      values.resize(static_cast<size_t>(op.maxParams), loops::opInfo(op.group, op.number).defaultParam);
    _values = ExtraArguments(values);
    _data = _values.argumentsAsT(loops::paramsLikeResult(op.group) ? z : x);
  }
  const void* data() const { return _data; }
  int count() const { return _count; }

 private:
  ExtraArguments _values;
  const void* _data = nullptr;
  int _count = 0;
};

}  // namespace

LegacyOp::LegacyOp(OpGroup group, int opNum)
    : DeclarableOp(inputsOf(group), 1, nameOf(group, opNum).c_str(), worksInPlace(group)),
      _group(group),
      _opNum(opNum) {
  getOpDescriptor()->setKind("numbered");
  getOpDescriptor()->setOpNum(opNum);
  getOpDescriptor()->markBuiltIn();
}

LegacyOp::LegacyOp(OpGroup group, int opNum, const NDArray& scalar) : LegacyOp(group, opNum) {
  if (scalar.lengthOf() != 1)
    invalidArgument("[{}] argument 'scalar': one element is needed, its shape is {}", getOpDescriptor()->name(),
                    text(scalar));
  _scalar = std::make_unique<NDArray>(scalar.dup());
}

LegacyOp::LegacyOp(const NumberedOp& op) : LegacyOp(op.group, op.number) { _fixed = true; }

LegacyOp::LegacyOp(const LegacyOp& other)
    : DeclarableOp(inputsOf(other._group), 1, nameOf(other._group, other._opNum).c_str(), worksInPlace(other._group)),
      _group(other._group),
      _opNum(other._opNum),
      _fixed(other._fixed),
      _scalar(other._scalar == nullptr ? nullptr : std::make_unique<NDArray>(*other._scalar)) {
  getOpDescriptor()->setKind("numbered");
  getOpDescriptor()->setOpNum(_opNum);
  getOpDescriptor()->markBuiltIn();
}

LegacyOp::~LegacyOp() = default;

const NumberedOp& LegacyOp::operation(graph::Context& block) const {
  return loops::opInfo(_group, !_fixed && block.opNum() >= 0 ? block.opNum() : _opNum);
}

void LegacyOp::registerTypes() {
  OpDescriptor& descriptor = *getOpDescriptor();
  Schema& schema = descriptor.schema();
  const NumberedOp* op = loops::findOp(_group, _opNum);
  // An object that takes the number from the context may have to read the parameters of any operation.
  describe(schema, _group, op == nullptr || !_fixed || op->maxParams > 0);
  schema.infer(inferenceOf(_group, std::make_integer_sequence<int, loops::OP_GROUP_COUNT>()));
  if (op != nullptr) {
    schema.formula(op->formula.data());
    schema.example(exampleOf(*op));
    stateGradient(schema, *op);
  }
  const loops::GroupTraits& traits = loops::traitsOf(_group);
  const bool complex = op != nullptr && _fixed && loops::acceptsComplex(_group, _opNum);
  if (traits.operands == loops::OperandTypes::Real) {
    if (complex)
      descriptor.setAllowedInputTypes({ALL_FLOATS, ALL_COMPLEX});
    else
      descriptor.setAllowedInputTypes({ALL_FLOATS});
  } else if (traits.operands == loops::OperandTypes::Integers) {
    descriptor.setAllowedInputTypes({ALL_INTS});
  } else if (complex) {
    descriptor.setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX});
  } else {
    descriptor.setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL});
  }
  switch (traits.result) {
    case loops::ResultTypes::Any:
      descriptor.setAllowedOutputTypes({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX})->setConvertsOutputs();
      break;
    case loops::ResultTypes::Real:
      if (complex)
        descriptor.setAllowedOutputTypes({ALL_FLOATS, ALL_COMPLEX});
      else
        descriptor.setAllowedOutputTypes({ALL_FLOATS});
      if (traits.family == OpFamily::Random)
        descriptor.setRandom();
      else
        descriptor.setConvertsOutputs();
      break;
    case loops::ResultTypes::Counts:
      // Counts may be unsigned, positions have 32 bits or 64.
      descriptor.setAllowedOutputTypes({INT64, traits.family == OpFamily::Reduce ? UINT64 : INT32})
          ->setConvertsOutputs();
      break;
    case loops::ResultTypes::Truth:
      descriptor.setAllowedOutputTypes(BOOL);
      break;
    case loops::ResultTypes::LikeX:
      if (complex && loops::complexResult(_group, _opNum, COMPLEX128) == DOUBLE) {
        schema.infer(inferMagnitude);
        descriptor.setAllowedOutputTypes({ALL_FLOATS, ALL_INTS, BOOL});
      } else {
        descriptor.setSameMode(true);
      }
      break;
  }
}

ShapeList* LegacyOp::calculateOutputShape(ShapeList* inputShapes, graph::Context& block) {
  if (_group == OpGroup::Random) return shapes(randomShape(operation(block), block));
  return inferredShapes(inputShapes, block);
}

Status LegacyOp::validateAndExecute(graph::Context& block) {
  const NumberedOp& op = operation(block);
  const NDArray& x = *block.array(0);
  NDArray& z = *getZ(block);
  if (_group == OpGroup::Random) {
    randomNumbers(op, block, z);
    return Status::OK;
  }
  switch (loops::traitsOf(_group).family) {
    case OpFamily::Pairwise: {
      const NDArray& y = *block.array(1);
      if (!x.isSameShape(y) && y.lengthOf() != 1)
        return invalid(Status::VALIDATION,
                       fmt::format("input 1: its shape is {}, but input 0 has shape {}", text(y), text(x)));
      const Parameters parameters(op, elementParameters(block), x.dataType(), z.dataType());
      loops::pairwise(_group, op.number, in(x), in(y), out(z), parameters.data());
      break;
    }
    case OpFamily::Scalar: {
      const auto& a = arguments<NumberedScalar>(block);
      const Parameters parameters(op, a.parameters, x.dataType(), z.dataType());
      const NDArray* scalar = block.optionalArray(1);
      NDArray value;
      if (scalar == nullptr && a.scalar) {
        value = NDArray(x.dataType());
        value.p(0, *a.scalar);
        scalar = &value;
      }
      if (scalar == nullptr) scalar = _scalar.get();
      if (scalar == nullptr) reject("the scalar is missing: input 1 or floating argument 0");
      loops::scalar(_group, op.number, in(x), in(*scalar), out(z), parameters.data());
      break;
    }
    case OpFamily::Broadcast: {
      const auto& a = arguments<NumberedAxes>(block);
      const std::vector<int> along = axesOf(a.axis, x.rankOf());
      if (along.empty()) reject("argument 'axis': at least one axis is needed");
      const Parameters parameters(op, a.parameters, x.dataType(), z.dataType());
      loops::broadcast(_group, op.number, in(x), in(*block.array(1)), out(z), parameters.data(), along);
      break;
    }
    case OpFamily::Reduce3: {
      const auto& a = arguments<NumberedAxes>(block);
      const NDArray& y = *block.array(1);
      const int rank = (y.lengthOf() > x.lengthOf() ? y : x).rankOf();
      const Parameters parameters(op, a.parameters, x.dataType(), z.dataType());
      loops::reduce3(op.number, in(x), in(y), out(z), parameters.data(), parameters.count(), axesOf(a.axis, rank));
      break;
    }
    case OpFamily::Reduce: {
      const auto& a = arguments<NumberedReduction>(block);
      const Parameters parameters(op, a.parameters, x.dataType(), z.dataType());
      loops::reduce(_group, op.number, in(x), out(z), parameters.data(), currentAxes(block, a.axis, x.rankOf()));
      break;
    }
    case OpFamily::IndexReduce: {
      const auto& a = arguments<NumberedAxes>(block);
      const Parameters parameters(op, a.parameters, x.dataType(), z.dataType());
      loops::indexReduce(op.number, in(x), out(z), parameters.data(), currentAxes(block, a.axis, x.rankOf()));
      break;
    }
    case OpFamily::Variance: {
      const auto& a = arguments<NumberedVariance>(block);
      loops::summaryStats(op.number, in(x), out(z), a.biasCorrected, currentAxes(block, a.axis, x.rankOf()));
      break;
    }
    default: {
      const Parameters parameters(op, elementParameters(block), x.dataType(), z.dataType());
      loops::transform(_group, op.number, in(x), out(z), parameters.data());
    }
  }
  return Status::OK;
}

}  // namespace sd::ops
