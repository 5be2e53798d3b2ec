#include "cli/CustomCall.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <helpers/RandomGenerator.h>
#include <ops/declarable/DeclarableOp.h>

#include <algorithm>

#include "cli/Text.h"
#include "cli/Types.h"
#include "ops/declarable/Failures.h"
#include "ops/declarable/OpOutputs.h"

namespace sd::cli {

CustomCall::CustomCall(const CustomOp& op, CustomRequest request) : op_(op), request_(std::move(request)) {
  const std::string_view kind = op_.descriptor->kind();
  if (kind == "list" || kind == "logic")
    throw UsageError(fmt::format("{} is a {} operation: it works in graphs, not on files", op_.name(), kind));
  placeInputs();
  checkInputs();
  checkArguments();
  for (const Array& array : arrays_) {
    inputs_.push_back(array ? std::make_unique<NDArray>(array.data(), array.info()) : nullptr);
    context_.fastpath_in().push_back(inputs_.back().get());
  }
  context_.setTArguments(request_.floats);
  context_.setIArguments(request_.integers);
  context_.setBArguments(request_.booleans);
  context_.setDArguments(request_.types);
  if (request_.seed) context_.setRng(graph::RandomGenerator(*request_.seed));
  makeOutputs();
}

void CustomCall::placeInputs() {
  const std::vector<std::string> names = op_.inputNames();
  size_t next = 0;
  for (auto& [name, array] : request_.inputs) {
    size_t index = next;
    if (!name.empty()) {
      index = size_t(std::find(names.begin(), names.end(), name) - names.begin());
      if (index == names.size())
        throw UsageError(fmt::format("{} has no input '{}'{}{}", op_.name(), shortened(name),
                                     names.empty() ? "" : "; its inputs are ", fmt::join(names, ", ")));
    }
    if (index < arrays_.size() && arrays_[index])
      throw UsageError(fmt::format("{}: the input '{}' is given twice", op_.name(), names[index]));
    arrays_.resize(std::max(arrays_.size(), index + 1));
    arrays_[index] = std::move(array);
    while (next < arrays_.size() && arrays_[next]) ++next;
  }
  request_.inputs.clear();
}

void CustomCall::checkInputs() const {
  const ops::OpDescriptor& descriptor = *op_.descriptor;
  // Names of the inputs in the documentation, and whether each is optional.
  std::vector<std::pair<std::string, bool>> wanted;
  bool any = false;
  for (const ops::DocumentedEntry& entry : ops::documentedEntries(op_.documentation().inputs)) {
    any = any || entry.any || entry.names.empty();
    for (const std::string& name : entry.names) wanted.emplace_back(name, entry.optional);
  }
  const int declared = descriptor.getNumberOfInputs();
  if (arrays_.empty() && declared != 0 && declared != -2)
    throw UsageError(fmt::format("{} needs inputs, but none are given{}{}", op_.name(),
                                 wanted.empty() ? "" : "; the first is ", wanted.empty() ? "" : wanted[0].first));
  if (!any && !wanted.empty() && arrays_.size() > wanted.size())
    throw UsageError(fmt::format("{} takes at most {} inputs, {} given", op_.name(), wanted.size(), arrays_.size()));
  // When optional inputs before the last one are left out, the last one moves up: cumsum_bp of x, axes?, eps.
  const auto isOptional = [](const auto& input) { return input.second; };
  const size_t optional = size_t(std::count_if(wanted.begin(), wanted.end(), isOptional));
  const bool moves = optional > 0 && !isOptional(wanted.back());
  const bool enough = moves && arrays_.size() >= wanted.size() - optional;
  for (size_t i = 0; !any && !enough && i < wanted.size(); ++i)
    if (!wanted[i].second && (i >= arrays_.size() || !arrays_[i]))
      throw UsageError(fmt::format("{}: the input '{}' (number {}) is missing", op_.name(), wanted[i].first, i));
  for (size_t i = 0; i < arrays_.size(); ++i) {
    const std::string name =
        i < wanted.size() ? fmt::format("input {} '{}'", i, wanted[i].first) : fmt::format("input {}", i);
    if (!arrays_[i]) {
      if (!descriptor.passesNullInput(int(i)))
        throw UsageError(fmt::format("{}: {} is missing, and later ones are given", op_.name(), name));
    } else if (!descriptor.checkInputMatch(int(i), arrays_[i].dtype())) {
      throw DataError(fmt::format("[{}] {}: its type {} is not one of {}", op_.name(), name,
                                  typeName(arrays_[i].dtype()), typesText(descriptor.inputTypes(int(i)))));
    }
  }
}

void CustomCall::checkArguments() const {
  const auto check = [&](int declared, size_t given, const char* option, const char* what, const char* lines) {
    const int least = declared == -1 ? 1 : std::max(declared, 0);
    if (given >= size_t(least)) return;
    std::vector<std::string> names;
    for (const ops::DocumentedEntry& entry : ops::documentedEntries(lines))
      names.insert(names.end(), entry.names.begin(), entry.names.end());
    if (names.size() > size_t(least)) names.resize(size_t(least));
    throw UsageError(fmt::format("{} takes at least {} values of {} ({}), {} given", op_.name(), least, option,
                                 names.empty() ? what : fmt::format("{}", fmt::join(names, ", ")), given));
  };
  check(op_.descriptor->getNumberOfTArgs(), request_.floats.size(), "--float", "numbers", op_.documentation().floats);
  check(op_.descriptor->getNumberOfIArgs(), request_.integers.size(), "--int", "integers",
        op_.documentation().integers);
  if (request_.seed && !op_.descriptor->isRandom())
    throw UsageError(fmt::format("{}: --seed is for random operations", op_.name()));
}

void CustomCall::makeOutputs() {
  const ops::RunningOp running(op_.name());  // messages begin with this name
  ShapeList inputs;
  for (const auto& array : inputs_) inputs.push_back(array ? array->shapeInfo() : nullptr);
  const auto shapes = withMemory("[" + op_.name() + "] computing the shapes of the outputs", [&] {
    try {
      return ops::requireShapes(op_.name(), op_.op->calculateOutputShape(&inputs, context_));
    } catch (...) {
      ops::rethrowNamed(op_.name(), context_);
    }
  });
  for (int i = 0; i < shapes->size(); ++i) {
    const LongType* shape = shapes->at(i);
    visitType(ArrayOptions::dataType(shape), [](auto) {});  // refuses strings
    withMemory(fmt::format("[{}] output {}, {} of shape {},", op_.name(), i, typeName(ArrayOptions::dataType(shape)),
                           ShapeUtils::shapeAsString(shape)),
               [&] { outputs_.push_back(std::make_unique<NDArray>(shape)); });
    context_.fastpath_out().push_back(outputs_.back().get());
  }
  context_.setShapeFunctionOverride(true);
}

void CustomCall::run() {
  const Status status = withMemory("[" + op_.name() + "] the computation", [&] { return op_.op->execute(&context_); });
  if (status == Status::OK) return;
  const std::string& why = ops::DeclarableOp::lastValidationMessage();
  throw DataError(status == Status::VALIDATION && !why.empty()
                      ? why
                      : fmt::format("[{}] failed with status {}", op_.name(), int(status)));
}

std::vector<Array> CustomCall::results() const {
  std::vector<Array> results;
  for (const auto& output : outputs_)
    results.push_back(withMemory("[" + op_.name() + "] a copy of the result", [&] { return Array::of(*output); }));
  return results;
}

LongType CustomCall::elements() const {
  LongType most = 0;
  for (const Array& array : arrays_)
    if (array) most = std::max(most, array.length());
  for (const auto& output : outputs_) most = std::max(most, output->lengthOf());
  return most;
}

size_t CustomCall::traffic() const {
  size_t bytes = 0;
  for (const Array& array : arrays_)
    if (array) bytes += array.bytes();
  for (const auto& output : outputs_) bytes += size_t(output->lengthOf()) * output->sizeOfT();
  return bytes;
}

}  // namespace sd::cli
