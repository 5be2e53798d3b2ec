// Numbered operations as operation objects: shapes, types and the call of the executor, by group.
#include <ops/declarable/LegacyOp.h>

#include <numeric>

#include "loops/OpInfo.h"
#include "ops/declarable/Common.h"
#include "ops/declarable/LegacyRandom.h"

namespace sd::ops {
namespace {

using loops::NumberedOp;
using loops::OpFamily;
using loops::OpGroup;

/// Properties that the operations of a group share.
struct Facts {
  int inputs;
  bool inPlace;
  OpDocumentation documentation;
};

constexpr const char* PARAMETERS = "parameters?: the extra parameters that the formula names, in its order";
constexpr const char* AXES = "axes?: axes, used when neither the context nor an input has them (default all)";
constexpr const char* KEEP =
    "keepDims?: reduced dimensions are kept with size 1 (default false)\nnewFormat?: results of one element "
    "have rank 0 (default true)";

const Facts& factsOf(OpGroup group) {
  static const Facts transform{1,
                               false,
                               {.summary = "A numbered transform: element by element.",
                                .inputs = "x: any shape",
                                .outputs = "z: x's shape",
                                .floats = PARAMETERS}};
  static const Facts transformInPlace{1, true, transform.documentation};
  static const Facts pairwise{2,
                              true,
                              {.summary = "A numbered operation on pairs of elements.",
                               .inputs = "x: any shape\ny: x's shape or one element; x's type",
                               .outputs = "z: x's shape",
                               .floats = PARAMETERS}};
  static const Facts pairwiseBool{2, false, pairwise.documentation};
  static const Facts scalar{1,
                            true,
                            {.summary = "A numbered operation of an array and a scalar.",
                             .inputs = "x: any shape\nscalar?: one element, x's type (default: the first "
                                       "floating argument)",
                             .outputs = "z: x's shape",
                             .floats = "scalar?: used when no input gives it\nparameters?: the extra parameters that "
                                       "the formula names, in its order"}};
  static const Facts scalarBool{1, false, scalar.documentation};
  static const Facts broadcast{2,
                               false,
                               {.summary = "A numbered operation of the sub-arrays of x with y.",
                                .inputs = "x: any shape\ny: the shape of one sub-array along the axes; x's "
                                          "type\naxes?: INT32 or INT64",
                                .outputs = "z: x's shape",
                                .floats = PARAMETERS,
                                .integers = "axes?: axes, used when neither the context nor an input has them"}};
  static const Facts reduce{1,
                            false,
                            {.summary = "A numbered reduction over axes.",
                             .inputs = "x: any shape\naxes?: INT32 or INT64 (default all)",
                             .outputs = "z: x's shape without the axes",
                             .floats = PARAMETERS,
                             .integers = AXES,
                             .booleans = KEEP}};
  static const Facts indexReduce{1,
                                 false,
                                 {.summary = "The position of an element along axes.",
                                  .inputs = reduce.documentation.inputs,
                                  .outputs = "z: x's shape without the axes (INT64)",
                                  .floats = PARAMETERS,
                                  .integers = AXES}};
  static const Facts reduce3{2,
                             false,
                             {.summary = "A distance or similarity over axes.",
                              .inputs = "x: any shape\ny: x's shape, or one of its sub-arrays; x's "
                                        "type\naxes?: INT32 or INT64 (default all)",
                              .outputs = "z: the larger shape without the axes (float)",
                              .floats = PARAMETERS,
                              .integers = AXES}};
  static const Facts stats{1,
                           false,
                           {.summary = "Variance or standard deviation over axes.",
                            .inputs = reduce.documentation.inputs,
                            .outputs = "z: x's shape without the axes (float)",
                            .integers = "biasCorrected?: a positive number divides by n - 1 (default "
                                        "0)\naxes?: axes, used when neither the context nor an input has them "
                                        "(default all)"}};
  static const Facts random{1,
                            false,
                            {.summary = "Random numbers, a function of the context's generator.",
                             .inputs = "x: the shape (a vector of integers), or an array of a float "
                                       "type\nparameters?: scalars, or y followed by scalars",
                             .outputs = "z: that shape; x's type when that is a float type, else the "
                                        "context's",
                             .floats = PARAMETERS,
                             .integers = "trials?: the number of trials of the binomial distributions"}};
  const loops::GroupTraits& traits = loops::traitsOf(group);
  const bool truth = traits.result == loops::ResultTypes::Truth;
  switch (traits.family) {
    case OpFamily::Pairwise:
      return truth ? pairwiseBool : pairwise;
    case OpFamily::Scalar:
      return truth ? scalarBool : scalar;
    case OpFamily::Broadcast:
      return broadcast;
    case OpFamily::Reduce:
      return reduce;
    case OpFamily::Reduce3:
      return reduce3;
    case OpFamily::IndexReduce:
      return indexReduce;
    case OpFamily::Variance:
      return stats;
    case OpFamily::Random:
      return random;
    default:
      return traits.result == loops::ResultTypes::LikeX ? transformInPlace : transform;
  }
}

std::string nameOf(OpGroup group, int opNum) {
  const NumberedOp* op = loops::findOp(group, opNum);
  return op == nullptr ? "LegacyOp" : loops::qualifiedName(*op);
}

DataType resultOf(OpGroup group, const LongType* x) {
  return loops::resultType(group, ArrayOptions::dataType(x), Environment::getInstance().defaultFloatDataType());
}

// ---- axes

int inputOfAxes(OpGroup group) { return factsOf(group).inputs; }

/// Ascending and non-negative; empty means all axes.
std::vector<int> axesOf(graph::Context& block, OpGroup group, int rank) {
  const size_t firstInteger = group == OpGroup::SummaryStats ? 1 : 0;
  const auto all = [](const std::vector<int>& axes) { return axes.size() == 1 && axes[0] == SD_MAX_DIMENSION; };
  const std::vector<int> given(integers(block, -1, firstInteger));
  std::vector<int> axes = *block.getAxis();
  if (axes.empty()) {
    const NDArray* input = block.optionalArray(inputOfAxes(group));
    if (input != nullptr && !DataTypeUtils::isZ(input->dataType()))
      reject("input {} 'axes': its type is {}, not INT32 or INT64", inputOfAxes(group),
             DataTypeUtils::describe(input->dataType()));
    axes = input != nullptr && !all(given) ? intsOf(*input, inputOfAxes(group)) : given;
  }
  if (all(axes)) return {};
  for (int& axis : axes) axis = checkedAxis(axis, rank, "axes");
  std::sort(axes.begin(), axes.end());
  const auto repeated = std::adjacent_find(axes.begin(), axes.end());
  if (repeated != axes.end()) reject("argument 'axes': {} is given more than once", *repeated);
  return axes;
}

ShapeList* reducedShape(graph::Context& block, OpGroup group, const LongType* x) {
  const bool isReduce = loops::traitsOf(group).family == OpFamily::Reduce;
  std::vector<int> axes = axesOf(block, group, shape::rank(x));
  if (axes.empty()) {
    axes.resize(static_cast<size_t>(shape::rank(x)));
    std::iota(axes.begin(), axes.end(), 0);
  }
  const bool keepDims = isReduce && flag(block, 0), newFormat = !isReduce || flag(block, 1, true);
  return shapes(ShapeUtils::evalReduceShapeInfo(isReduce ? shape::order(x) : 'c', axes, x, resultOf(group, x), keepDims,
                                                !newFormat));
}

// ---- extra parameters

/// The floating-point arguments starting at `first`, in the type that the group reads. Missing ones have their
/// defaults.
class Parameters {
 public:
  Parameters(const NumberedOp& op, graph::Context& block, size_t first, DataType x, DataType z) {
    const std::vector<double>& all = *block.getTArguments();
    if (first >= all.size() || op.maxParams == 0) return;
    std::vector<double> values(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
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
    : DeclarableOp(factsOf(group).inputs, 1, nameOf(group, opNum).c_str(), factsOf(group).inPlace),
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
    : DeclarableOp(factsOf(other._group).inputs, 1, nameOf(other._group, other._opNum).c_str(),
                   factsOf(other._group).inPlace),
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
  OpDocumentation documentation = factsOf(_group).documentation;
  if (const NumberedOp* op = loops::findOp(_group, _opNum)) {
    documentation.formula = op->formula.data();
    if (op->maxParams == 0 && _group != OpGroup::Random)
      documentation.floats =
          loops::traitsOf(_group).family == OpFamily::Scalar ? "scalar?: used when no input gives it" : "";
  }
  const loops::GroupTraits& traits = loops::traitsOf(_group);
  descriptor.document(documentation);
  if (traits.operands == loops::OperandTypes::Real)
    descriptor.setAllowedInputTypes({ALL_FLOATS});
  else if (traits.operands == loops::OperandTypes::Integers)
    descriptor.setAllowedInputTypes({ALL_INTS});
  else
    descriptor.setAllowedInputTypes({ALL_FLOATS, ALL_INTS, BOOL});
  switch (traits.result) {
    case loops::ResultTypes::Any:
      descriptor.setAllowedOutputTypes({ALL_FLOATS, ALL_INTS, BOOL})->setConvertsOutputs();
      break;
    case loops::ResultTypes::Real:
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
      descriptor.setSameMode(true);
      break;
  }
}

ShapeList* LegacyOp::calculateOutputShape(ShapeList* inputShapes, graph::Context& block) {
  const NumberedOp& op = operation(block);
  const LongType* x = inputShapes->at(0);
  switch (loops::traitsOf(_group).family) {
    case OpFamily::Reduce:
    case OpFamily::IndexReduce:
    case OpFamily::Variance:
      return reducedShape(block, _group, x);
    case OpFamily::Reduce3: {
      const LongType* y = inputShapes->at(1);
      return reducedShape(block, _group, shape::length(y) > shape::length(x) ? y : x);
    }
    case OpFamily::Random:
      return shapes(randomShape(op, block));
    default:
      break;
  }
  if (_group == OpGroup::TransformAny)
    return shapes(like(x, block.hasDataType() ? block.dataType() : ArrayOptions::dataType(x)));
  return shapes(like(x, resultOf(_group, x)));
}

Status LegacyOp::validateAndExecute(graph::Context& block) {
  const NumberedOp& op = operation(block);
  const NDArray& x = *block.array(0);
  NDArray& z = *getZ(block);
  if (_group == OpGroup::Random) {
    randomNumbers(op, block, z);
    return Status::OK;
  }
  const OpFamily family = loops::traitsOf(_group).family;
  const NDArray* scalar = family != OpFamily::Scalar ? nullptr : block.optionalArray(1);
  const bool scalarArgument = family == OpFamily::Scalar && scalar == nullptr && block.numT() > 0;
  const Parameters parameters(op, block, scalarArgument ? 1 : 0, x.dataType(), z.dataType());

  if (family == OpFamily::Transform) {
    loops::transform(_group, op.number, in(x), out(z), parameters.data());
  } else if (family == OpFamily::Pairwise) {
    const NDArray& y = *block.array(1);
    if (!x.isSameShape(y) && y.lengthOf() != 1)
      return invalid(Status::VALIDATION,
                     fmt::format("input 1: its shape is {}, but input 0 has shape {}", text(y), text(x)));
    loops::pairwise(_group, op.number, in(x), in(y), out(z), parameters.data());
  } else if (scalarArgument) {
    NDArray value(x.dataType());
    value.p(0, block.floatArgument(0));
    loops::scalar(_group, op.number, in(x), in(value), out(z), parameters.data());
  } else if (family == OpFamily::Scalar) {
    if (scalar == nullptr) scalar = _scalar.get();
    if (scalar == nullptr) reject("the scalar is missing: input 1 or floating argument 0");
    loops::scalar(_group, op.number, in(x), in(*scalar), out(z), parameters.data());
  } else if (family == OpFamily::Broadcast) {
    const std::vector<int> axes = axesOf(block, _group, x.rankOf());
    if (axes.empty()) reject("argument 'axes': at least one axis is needed");
    loops::broadcast(_group, op.number, in(x), in(*block.array(1)), out(z), parameters.data(), axes);
  } else if (family == OpFamily::Reduce3) {
    const NDArray& y = *block.array(1);
    const int rank = (y.lengthOf() > x.lengthOf() ? y : x).rankOf();
    loops::reduce3(op.number, in(x), in(y), out(z), parameters.data(), parameters.count(), axesOf(block, _group, rank));
  } else {
    const std::vector<int> axes = axesOf(block, _group, x.rankOf());
    if (family == OpFamily::Reduce)
      loops::reduce(_group, op.number, in(x), out(z), parameters.data(), axes);
    else if (family == OpFamily::IndexReduce)
      loops::indexReduce(op.number, in(x), out(z), parameters.data(), axes);
    else
      loops::summaryStats(op.number, in(x), out(z), integer(block, 0, 0) > 0, axes);
  }
  return Status::OK;
}

}  // namespace sd::ops
