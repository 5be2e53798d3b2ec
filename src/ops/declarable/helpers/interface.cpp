// The functions declared in the public headers of include/ops/declarable/helpers.
#include <ops/declarable/OpRegistrator.h>
#include <ops/declarable/helpers/activations.h>
#include <ops/declarable/helpers/addBias.h>
#include <ops/declarable/helpers/axis.h>
#include <ops/declarable/helpers/multiUnique.h>
#include <ops/declarable/helpers/reverse.h>
#include <ops/declarable/helpers/scatter.h>
#include <ops/declarable/helpers/sg_cb.h>
#include <ops/declarable/helpers/triangular_solve.h>

#include <algorithm>

#include "ops/declarable/helpers/softmax.h"

namespace sd::ops::helpers {
namespace {

/// Runs an operation from the registry. @throws std::runtime_error when this build does not include it
Status run(const char* name, std::initializer_list<const NDArray*> inputs, NDArray& output,
           const std::vector<LongType>& integers = {}, const std::vector<bool>& booleans = {}) {
  DeclarableOp* op = OpRegistrator::getInstance().getOperation(name);
  if (op == nullptr) fail<std::runtime_error>("[{}] this build has no operation {}", name, name);
  std::vector<NDArray*> arrays;
  for (const NDArray* array : inputs) arrays.push_back(const_cast<NDArray*>(array));  // inputs are only read
  return op->execute(arrays, {&output}, {}, integers, booleans);
}

/// Throws when a function that returns no status has failed.
void require(Status status) {
  if (status != Status::OK) throw std::invalid_argument(DeclarableOp::lastValidationMessage());
}

int softmaxAxis(const char* name, const NDArray& input, const NDArray& output, int dimension) {
  if (!input.isR() || output.dataType() != input.dataType())
    fail<datatype_exception>("[{}] the input has type {} and the output has type {}: both need the same float type",
                             name, DataTypeUtils::describe(input.dataType()),
                             DataTypeUtils::describe(output.dataType()));
  if (!output.isSameShape(input))
    invalidArgument("[{}] the output has shape {}, but the input has shape {}", name, text(output), text(input));
  const int rank = std::max(1, input.rankOf());
  if (dimension < -rank || dimension >= rank)
    invalidArgument("[{}] dimension {} is outside {}..{} (shape {})", name, dimension, -rank, rank - 1, text(input));
  return dimension < 0 ? dimension + rank : dimension;
}

}  // namespace

void softmax(LaunchContext*, const NDArray& input, NDArray& output, int dimension) {
  softmaxAlong(input, output, softmaxAxis("softmax", input, output, dimension), false);
}

void logSoftmax(LaunchContext*, const NDArray& input, NDArray& output, int dimension) {
  softmaxAlong(input, output, softmaxAxis("logSoftmax", input, output, dimension), true);
}

void softmaxDerivative(LaunchContext*, const NDArray& input, NDArray& output, int dimension) {
  softmaxAlong(input, output, softmaxAxis("softmaxDerivative", input, output, dimension), false);
  output.applyTransform(sd::transform::TimesOneMinus, output);
}

void adjustAxis(LongType rank, std::vector<int>& axes) {
  for (size_t i = 0; i < axes.size(); i++)
    if (axes[i] < -rank || axes[i] >= rank)
      invalidArgument("[adjustAxis] axis {} at [{}] is outside {}..{}", axes[i], i, -rank, rank - 1);
  for (int& axis : axes)
    if (axis < 0) axis += static_cast<int>(rank);
}

void adjustAxis(LongType rank, NDArray* axisVector, std::vector<int>& output) {
  std::vector<int> axes;
  for (const LongType axis : integersOf(*axisVector, 0, "axes")) {
    if (axis < -rank || axis >= rank) invalidArgument("[adjustAxis] axis {} is outside {}..{}", axis, -rank, rank - 1);
    axes.push_back(static_cast<int>(axis));
  }
  adjustAxis(rank, axes);
  output = std::move(axes);
}

bool multiUnique(const std::vector<NDArray*>& inputList, memory::Workspace*) {
  std::vector<LongType> values;
  for (size_t i = 0; i < inputList.size(); i++) {
    if (!inputList[i]->isZ())
      invalidArgument("[multiUnique] array {} has the type {}, integers are needed", i,
                      DataTypeUtils::describe(inputList[i]->dataType()));
    const std::vector<LongType> more = inputList[i]->getBufferAsVector<LongType>();
    values.insert(values.end(), more.begin(), more.end());
  }
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) == values.end();
}

int binarySearch(const int* haystack, int needle, int totalElements) {
  const int* end = haystack + std::max(0, totalElements);
  const int* found = std::lower_bound(haystack, end, needle);
  return found != end && *found == needle ? static_cast<int>(found - haystack) : -1;
}

void addBias(graph::Context&, const NDArray& input, const NDArray& bias, NDArray& output, bool isNCHW) {
  require(run("biasadd", {&input, &bias}, output, {}, {isNCHW}));
}

void reverse(LaunchContext*, const NDArray* input, NDArray* output, const std::vector<int>* dimensions) {
  std::vector<LongType> axes;
  if (dimensions != nullptr) axes.assign(dimensions->begin(), dimensions->end());
  if (axes.empty())
    for (int d = 0; d < input->rankOf(); d++) axes.push_back(d);
  require(run("reverse", {input}, *output, axes));
}

Status triangularSolveFunctor(LaunchContext*, NDArray* left, NDArray* right, bool lower, bool adjoint,
                              NDArray* output) {
  return run("triangular_solve", {left, right}, *output, {}, {lower, adjoint});
}

void scatter(LaunchContext*, pairwise::Ops op, const NDArray& indices, const NDArray& updates, NDArray& output, bool) {
  struct Kind {
    pairwise::Ops op;
    const char* name;
  };
  static constexpr Kind KINDS[] = {{pairwise::Add, "scatter_add"},         {pairwise::Subtract, "scatter_sub"},
                                   {pairwise::Multiply, "scatter_mul"},    {pairwise::Divide, "scatter_div"},
                                   {pairwise::MaxPairwise, "scatter_max"}, {pairwise::MinPairwise, "scatter_min"},
                                   {pairwise::CopyPws, "scatter_upd"}};
  for (const Kind& kind : KINDS)
    if (kind.op == op) return require(run(kind.name, {&output, &indices, &updates}, output));
  invalidArgument("[scatter] pairwise operation {} has no scatter form", static_cast<int>(op));
}

}  // namespace sd::ops::helpers
