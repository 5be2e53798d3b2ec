#include "cli/CustomCall.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <helpers/RandomGenerator.h>
#include <ops/declarable/DeclarableOp.h>

#include <algorithm>

#include "cli/ArgumentText.h"
#include "cli/Text.h"
#include "cli/Types.h"
#include "ops/declarable/Failures.h"
#include "ops/declarable/OpOutputs.h"

namespace sd::cli {

CustomCall::CustomCall(const CustomOp& op, CustomRequest request) : _op(op), _request(std::move(request)) {
  const std::string_view kind = _op.descriptor->kind();
  if (kind == "list" || kind == "logic")
    throw UsageError(fmt::format("{} is a {} operation: it works in graphs, not on files", _op.name(), kind));
  placeInputs();
  checkInputs();
  checkArguments();
  for (const Array& array : _arrays) {
    _inputs.push_back(array ? std::make_unique<NDArray>(array.data(), array.info()) : nullptr);
    _context.fastpath_in().push_back(_inputs.back().get());
  }
  // Positional calls demand a number of values; here every argument that is not given has its default.
  if (_op.schema().isStated()) _context.callByName();
  _context.setTArguments(_request.floats);
  _context.setIArguments(_request.integers);
  _context.setBArguments(_request.booleans);
  _context.setDArguments(_request.types);
  for (auto& [name, value] : _request.named) _context.setArgument(name, std::move(value));
  if (_request.seed) _context.setRng(graph::RandomGenerator(*_request.seed));
  makeOutputs();
}

void CustomCall::placeInputs() {
  const std::vector<std::string> names = _op.inputNames();
  size_t next = 0;
  for (auto& [name, array] : _request.inputs) {
    size_t index = next;
    if (!name.empty()) {
      index = size_t(std::find(names.begin(), names.end(), name) - names.begin());
      if (index == names.size())
        throw UsageError(fmt::format("{} has no input '{}'{}{}", _op.name(), shortened(name),
                                     names.empty() ? "" : "; its inputs are ", fmt::join(names, ", ")));
    }
    if (index < _arrays.size() && _arrays[index])
      throw UsageError(fmt::format("{}: the input '{}' is given twice", _op.name(), names[index]));
    _arrays.resize(std::max(_arrays.size(), index + 1));
    _arrays[index] = std::move(array);
    while (next < _arrays.size() && _arrays[next]) ++next;
  }
  _request.inputs.clear();
}

void CustomCall::checkInputs() const {
  const ops::OpDescriptor& descriptor = *_op.descriptor;
  const ops::Schema& schema = _op.schema();
  // Names of the inputs, and whether each may be left out: those that an argument may replace as well.
  std::vector<std::pair<std::string, bool>> wanted;
  bool any = schema.inputs().empty() && descriptor.getNumberOfInputs() != 0;
  for (const ops::InputRow& row : schema.inputs()) {
    any = any || row.isAny();
    wanted.emplace_back(row.name(), row.isOptional() || schema.argument(row.name()) != nullptr);
  }
  const int declared = descriptor.getNumberOfInputs();
  const bool canBeEmpty =
      !wanted.empty() && std::all_of(wanted.begin(), wanted.end(), [](const auto& input) { return input.second; });
  if (_arrays.empty() && declared != 0 && declared != -2 && !canBeEmpty)
    throw UsageError(fmt::format("{} needs inputs, but none are given{}{}", _op.name(),
                                 wanted.empty() ? "" : "; the first is ", wanted.empty() ? "" : wanted[0].first));
  if (!any && !wanted.empty() && _arrays.size() > wanted.size())
    throw UsageError(fmt::format("{} takes at most {} inputs, {} given", _op.name(), wanted.size(), _arrays.size()));
  // When optional inputs before the last one are left out, the last one moves up: cumsum_bp of x, axes?, eps.
  const auto isOptional = [](const auto& input) { return input.second; };
  const size_t optional = size_t(std::count_if(wanted.begin(), wanted.end(), isOptional));
  const bool moves = optional > 0 && !isOptional(wanted.back());
  const bool enough = moves && _arrays.size() >= wanted.size() - optional;
  for (size_t i = 0; !any && !enough && i < wanted.size(); ++i)
    if (!wanted[i].second && (i >= _arrays.size() || !_arrays[i]))
      throw UsageError(fmt::format("{}: the input '{}' (number {}) is missing", _op.name(), wanted[i].first, i));
  for (size_t i = 0; i < _arrays.size(); ++i) {
    const std::string name =
        i < wanted.size() ? fmt::format("input {} '{}'", i, wanted[i].first) : fmt::format("input {}", i);
    if (!_arrays[i]) {
      if (!descriptor.passesNullInput(int(i)))
        throw UsageError(fmt::format("{}: {} is missing, and later ones are given", _op.name(), name));
    } else if (!descriptor.checkInputMatch(int(i), _arrays[i].dtype())) {
      throw DataError(fmt::format("[{}] {}: its type {} is not one of {}", _op.name(), name,
                                  typeName(_arrays[i].dtype()), typesText(descriptor.inputTypes(int(i)))));
    }
  }
}

bool CustomCall::isGiven(const ops::ArgumentRow& row) const {
  if (row.reader() != nullptr) return true;  // the operation says so itself
  const auto& named = _request.named;
  if (std::any_of(named.begin(), named.end(), [&](const auto& argument) { return argument.first == row.name(); }))
    return true;
  if (row.input() >= 0 && size_t(row.input()) < _arrays.size() && _arrays[size_t(row.input())]) return true;
  for (const ops::ArgumentRow::Place& place : row.places()) {
    const size_t lengths[] = {0, _request.integers.size(), _request.floats.size(), _request.booleans.size(),
                              _request.types.size()};
    if (const size_t length = lengths[size_t(place.list)]; length > 0) return length > size_t(place.first);
  }
  return false;
}

void CustomCall::checkArguments() const {
  for (const ops::ArgumentRow& row : _op.schema().arguments())
    if (row.required() && !isGiven(row))
      throw UsageError(fmt::format("{}: the argument {} is missing", _op.name(), optionOf(row)));
  const auto check = [&](int declared, size_t given, const char* option, const char* what) {
    const int least = declared == -1 ? 1 : std::max(declared, 0);
    if (given < size_t(least))
      throw UsageError(
          fmt::format("{} takes at least {} values of {} ({}), {} given", _op.name(), least, option, what, given));
  };
  if (!_op.schema().isStated()) {
    check(_op.descriptor->getNumberOfTArgs(), _request.floats.size(), "--float", "numbers");
    check(_op.descriptor->getNumberOfIArgs(), _request.integers.size(), "--int", "integers");
  }
  if (_request.seed && !_op.descriptor->isRandom())
    throw UsageError(fmt::format("{}: --seed is for random operations", _op.name()));
}

void CustomCall::makeOutputs() {
  const ops::RunningOp running(_op.name());  // messages begin with this name
  ShapeList inputs;
  for (const auto& array : _inputs) inputs.push_back(array ? array->shapeInfo() : nullptr);
  const auto shapes = withMemory("[" + _op.name() + "] computing the shapes of the outputs", [&] {
    try {
      return ops::requireShapes(_op.name(), _op.op->calculateOutputShape(&inputs, _context));
    } catch (...) {
      ops::rethrowNamed(_op.name(), _context);
    }
  });
  for (int i = 0; i < shapes->size(); ++i) {
    const LongType* shape = shapes->at(i);
    if (DataTypeUtils::isS(ArrayOptions::dataType(shape))) throw DataError("arrays of strings are not supported");
    withMemory(fmt::format("[{}] output {}, {} of shape {},", _op.name(), i, typeName(ArrayOptions::dataType(shape)),
                           ShapeUtils::shapeAsString(shape)),
               [&] { _outputs.push_back(std::make_unique<NDArray>(shape)); });
    _context.fastpath_out().push_back(_outputs.back().get());
  }
  _context.setShapeFunctionOverride(true);
}

void CustomCall::run() {
  const Status status = withMemory("[" + _op.name() + "] the computation", [&] { return _op.op->execute(&_context); });
  if (status == Status::OK) return;
  const std::string& why = ops::DeclarableOp::lastValidationMessage();
  throw DataError(status == Status::VALIDATION && !why.empty()
                      ? why
                      : fmt::format("[{}] failed with status {}", _op.name(), int(status)));
}

std::vector<Array> CustomCall::results() const {
  std::vector<Array> results;
  for (const auto& output : _outputs)
    results.push_back(withMemory("[" + _op.name() + "] a copy of the result", [&] { return Array::of(*output); }));
  return results;
}

LongType CustomCall::elements() const {
  LongType most = 0;
  for (const Array& array : _arrays)
    if (array) most = std::max(most, array.length());
  for (const auto& output : _outputs) most = std::max(most, output->lengthOf());
  return most;
}

size_t CustomCall::traffic() const {
  size_t bytes = 0;
  for (const Array& array : _arrays)
    if (array) bytes += array.bytes();
  for (const auto& output : _outputs) bytes += size_t(output->lengthOf()) * output->sizeOfT();
  return bytes;
}

}  // namespace sd::cli
