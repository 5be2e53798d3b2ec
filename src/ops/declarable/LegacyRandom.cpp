#include "ops/declarable/LegacyRandom.h"

#include <loops/OpList.h>
#include <ops/declarable/LegacyRandomOp.h>
#include <ops/declarable/NumberedArguments.h>

#include <iterator>

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

/// Where the elements of an operation's x and y come from: nowhere, one input, or two inputs.
enum class Source { None, X, XY };

struct Form {
  Source source;
  int params;
  bool onlyVectors;  ///< input 0 must be a vector
  bool trials;       ///< the first parameter may be passed as an integer argument
};

constexpr int LINSPACE = 4, CHOICE = 5;

// Indexed by operation number.
constexpr Form FORMS[] = {
    {Source::None, 2, false, false},  // Uniform
    {Source::X, 1, false, false},     // DropOut
    {Source::X, 1, false, false},     // DropOutInverted
    {Source::XY, 1, false, false},    // ProbablisticMerge
    {Source::None, 3, false, false},  // Linspace
    {Source::XY, 0, false, false},    // Choice
    {Source::None, 2, true, false},   // Gaussian
    {Source::None, 1, true, false},   // Bernoulli
    {Source::None, 2, true, true},    // Binomial
    {Source::None, 2, true, true},    // BinomialEx
    {Source::None, 2, true, false},   // LogNormal
    {Source::None, 2, true, false},   // TruncatedNormal
    {Source::X, 4, false, false},     // AlphaDropOut
    {Source::None, 1, false, false},  // Exponential
    {Source::None, 1, false, false},  // ExponentialInv
    {Source::None, 1, false, false},  // Poisson
    {Source::None, 2, false, false},  // Gamma
};

#define SD_NUMBER(NUMBER, FUNCTOR) &&NUMBER < std::size(FORMS)
static_assert(true SD_FOR_EACH_OP(SD_NUMBER, RANDOM_OPS), "each random operation needs a line of FORMS");
#undef SD_NUMBER

const Form& formOf(const loops::NumberedOp& op) { return FORMS[op.number]; }

/// Whether this is Linspace with start, finish and the number of points as inputs.
bool countsPoints(const loops::NumberedOp& op, graph::Context& block) {
  return op.number == LINSPACE && block.width() >= 3;
}

double scalarInput(graph::Context& block, int index, const char* name) {
  const NDArray& array = *block.array(index);
  requireScalar(array, index, name);
  return array.e<double>(0);
}

/// A vector, or {1, 1}.
bool isLine(const NDArray& array) { return array.isVector() || (array.rankOf() == 2 && array.lengthOf() == 1); }

const LongType* shapeFrom(graph::Context& block, int index) {
  const NDArray& array = *block.array(index);
  if (!DataTypeUtils::isZ(array.dataType()))
    reject("input {} 'shape': its type is {}, not an integer or a float type", index,
           DataTypeUtils::describe(array.dataType()));
  if (array.rankOf() > 1 && !isLine(array))
    reject("input {} 'shape': a vector is needed, its shape is {}", index, text(array));
  const auto dims = integersOf(array, index, "shape");
  for (size_t i = 0; i < dims.size(); i++)
    if (dims[i] < 0) reject("input {} 'shape': value {} at [{}] is negative", index, dims[i], i);
  return shapeOf(block.dataType(), 'c', dims);
}

std::vector<double> parametersOf(const loops::NumberedOp& op, graph::Context& block) {
  const Form& form = formOf(op);
  if (countsPoints(op, block)) return {scalarInput(block, 0, "start"), scalarInput(block, 1, "finish"), 0};
  const int first = form.source == Source::XY ? 2 : 1;
  std::vector<double> values;
  if (form.params > 0 && static_cast<int>(block.width()) > first) {
    for (int i = 0; i < form.params; i++) values.push_back(scalarInput(block, first + i, "parameter"));
    return values;
  }
  const auto& a = arguments<NumberedRandom>(block);
  if (form.trials && a.trials) values.push_back(static_cast<double>(*a.trials));
  values.insert(values.end(), a.parameters.begin(), a.parameters.end());
  const int needed = op.number == LINSPACE ? 2 : form.params;
  if (static_cast<int>(values.size()) < needed)
    reject("{} parameters are needed, {} given: {}", needed, values.size(), op.formula);
  values.resize(static_cast<size_t>(form.params), 0);
  return values;
}

}  // namespace

const LongType* randomShape(const loops::NumberedOp& op, graph::Context& block) {
  const Form& form = formOf(op);
  const NDArray& x = *block.array(0);
  if (countsPoints(op, block)) {
    const double points = scalarInput(block, 2, "number of points");
    if (!(points >= 0 && points < 9e18)) reject("input 2 'number of points': {} is outside 0..9e18", points);
    return vectorOf(x.isR() ? x.dataType() : block.dataType(), static_cast<LongType>(points));
  }
  if (form.onlyVectors && !isLine(x)) reject("input 0: a vector is needed, its shape is {}", text(x));
  if (op.number == CHOICE && block.width() > 2) {
    const LongType* dims = shapeFrom(block, 2);
    return like(dims, x.dataType());
  }
  return x.isR() ? like(x.shapeInfo()) : shapeFrom(block, 0);
}

void randomNumbers(const loops::NumberedOp& op, graph::Context& block, NDArray& z) {
  const Form& form = formOf(op);
  const NDArray& x = *block.array(0);
  if (form.source != Source::None && !x.isR())
    reject("input 0: a float type is needed, its type is {}", DataTypeUtils::describe(x.dataType()));
  const ExtraArguments parameters(parametersOf(op, block));
  const loops::In none{nullptr, nullptr};
  loops::random(op.number, block.randomGenerator(), form.source == Source::None ? none : in(x),
                form.source == Source::XY ? in(*block.array(1)) : none, out(z), parameters.argumentsAsT(z.dataType()));
}

ResultSet LegacyRandomOp::execute(graph::RandomGenerator& rng, std::initializer_list<NDArray*> inputs,
                                  std::initializer_list<double> tArgs, std::initializer_list<int> iArgs,
                                  bool isInplace) {
  std::vector<NDArray*> arrays(inputs);
  std::vector<double> floats(tArgs);
  std::vector<int> integers(iArgs);
  return execute(rng, arrays, floats, integers, isInplace);
}

ResultSet LegacyRandomOp::execute(graph::RandomGenerator& rng, std::vector<NDArray*>& inputs,
                                  std::vector<double>& tArgs, std::vector<int>& iArgs, bool isInplace) {
  graph::Context block(1);
  for (NDArray* input : inputs)
    if (input != nullptr) block.fastpath_in().push_back(input);
  block.markInplace(isInplace);
  block.setRng(rng);
  block.setTArguments(tArgs);
  *block.getIArguments() = iArgs;
  return evaluate(block);
}

}  // namespace sd::ops
