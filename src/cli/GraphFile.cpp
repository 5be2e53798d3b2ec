#include "cli/GraphFile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <system/Environment.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "cli/Commands.h"
#include "cli/Errors.h"
#include "cli/Measure.h"
#include "cli/Options.h"
#include "cli/Text.h"
#include "cli/Types.h"
#include "cnpy/Npy.h"
#include "system/suggestions.h"

namespace sd::cli {
namespace {

constexpr int MOST_THREADS = 4096;
constexpr std::string_view ARCHIVE = ".npz";

/// "[2, ?]".
std::string dimsText(const std::vector<LongType>& dims) {
  std::vector<std::string> texts;
  for (const LongType dim : dims) texts.push_back(dim < 0 ? "?" : std::to_string(dim));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

/// A shape that the input could have: "32x64".
std::string exampleOf(const GraphInput& input) {
  if (!input.hasDims) return "2x3";
  std::vector<LongType> dims = input.dims;
  for (LongType& dim : dims) dim = dim < 0 ? 32 : dim;
  return fmt::format("{}", fmt::join(dims, "x"));
}

/// Made-up elements for the input.
Array madeUp(const GraphInput& input, DataType dtype, const std::vector<LongType>& dims) {
  if (DataTypeUtils::isS(dtype))
    throw DataError(fmt::format("the input '{}' is an array of texts, which cannot be made up", shortened(input.name)));
  return filled(dtype, dims);
}

}  // namespace

std::string nearNames(const std::string& name, const std::vector<std::string>& names, const char* what) {
  constexpr size_t MOST = 20;
  const std::string near = suggestions(name, {names.begin(), names.end()});
  if (!near.empty()) return fmt::format("; did you mean {}?", near);
  if (names.empty()) return fmt::format("; it has no {}", what);
  std::vector<std::string> shown;
  for (size_t i = 0; i < std::min(names.size(), MOST); ++i) shown.push_back(shortened(names[i]));
  return fmt::format("; its {} are {}{}", what, fmt::join(shown, ", "), names.size() > MOST ? ", …" : "");
}

void GraphOptions::addFile(CLI::App& command) {
  command.add_option("FILE", file, "A file with a graph: model.fb")->required();
  command.add_option("--weights", weights, "A .npz file: its arrays replace the variables of the same names");
}

void GraphOptions::addInputs(CLI::App& command, Inputs kind) {
  std::string help =
      "An input: x=x.npy, x=x.npz:name or, in the order of the graph, x.npy; once for each, or a .npz file with arrays "
      "of the inputs' names";
  if (kind == Inputs::Patterns)
    help += ". A pattern in quotation marks, x='images/*.npy', runs the graph once for each file";
  command.add_option("-i,--input", inputs, help)->allow_extra_args(false);
  if (kind != Inputs::Shapes) return;
  command
      .add_option("--shape", shapes,
                  "The shape of an input, whose elements are made up: x=32x784 or x=100:int64; without 'x=' in the "
                  "order of the graph")
      ->allow_extra_args(false);
}

void GraphOptions::addPasses(CLI::App& command) {
  command
      .add_option("--without", without,
                  fmt::format("Leaves out passes of the optimiser: {}, all", fmt::join(graph::Session::passes(), ", ")))
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--threads", threads, "How many threads compute");
}

std::unique_ptr<graph::Graph> GraphOptions::load() const {
  const std::vector<std::string> passes = graph::Session::passes();
  for (const std::string& name : without)
    if (name != "all" && std::find(passes.begin(), passes.end(), name) == passes.end())
      throw UsageError(
          fmt::format("--without: there is no pass '{}'{}", shortened(name), nearNames(name, passes, "passes")));
  if (threads < 0 || threads > MOST_THREADS)
    throw UsageError(fmt::format("--threads: {} is outside 1..{}", threads, MOST_THREADS));
  if (threads > 0) Environment::getInstance().setMaxMasterThreads(threads);
  auto graph = withMemory(fmt::format("'{}'", file), [&] { return graph::Graph::load(file); });
  if (!weights.empty()) withMemory(fmt::format("'{}'", weights), [&] { graph->loadWeights(weights); });
  return graph;
}

// ---- inputs

GraphInputs::GraphInputs(const graph::Graph& graph, std::string file) : _file(std::move(file)) {
  for (const graph::Variable* placeholder : graph.getPlaceholders()) {
    GraphInput input;
    input.name = placeholder->getName()->empty() ? std::to_string(placeholder->id()) : *placeholder->getName();
    input.value = {placeholder->id(), placeholder->id() < 0 ? 0 : placeholder->index()};
    input.dtype = placeholder->dataType();
    input.dims = placeholder->shape();
    input.hasDims = !input.dims.empty();
    _inputs.push_back(std::move(input));
  }
}

GraphInputs::GraphInputs(const graph::Graph& graph, const GraphOptions& options) : GraphInputs(graph, options.file) {
  give(options.inputs, options.shapes);
}

void GraphInputs::give(const std::vector<std::string>& files, const std::vector<std::string>& shapes) {
  // Named ones first: the others take the places that are left.
  const auto isNamed = [&](const std::string& text) { return text.find('=') != std::string::npos; };
  const auto isWhole = [](const std::string& text) { return text.ends_with(ARCHIVE); };
  for (const bool named : {true, false}) {
    for (const std::string& text : files)
      if ((isNamed(text) || isWhole(text)) == named) giveFile(text);
    for (const std::string& text : shapes)
      if (isNamed(text) == named) giveShape(text);
  }
}

size_t GraphInputs::indexOf(const std::string& name) const {
  const auto found =
      std::find_if(_inputs.begin(), _inputs.end(), [&](const GraphInput& input) { return input.name == name; });
  return static_cast<size_t>(found - _inputs.begin());
}

size_t GraphInputs::requireName(const std::string& name) const {
  const size_t index = indexOf(name);
  if (index < _inputs.size()) return index;
  std::vector<std::string> names;
  for (const GraphInput& input : _inputs) names.push_back(input.name);
  throw UsageError(fmt::format("'{}' has no input '{}'{}", _file, shortened(name), nearNames(name, names, "inputs")));
}

std::pair<std::string, std::string> GraphInputs::split(const std::string& text) const {
  const size_t equals = text.find('=');
  if (equals == std::string::npos) return {"", text};
  const std::string name = text.substr(0, equals);
  // A file may have '=' in its name.
  std::error_code ignored;
  if (indexOf(name) == _inputs.size() && std::filesystem::exists(text, ignored)) return {"", text};
  requireName(name);
  return {name, text.substr(equals + 1)};
}

GraphInput& GraphInputs::next(const std::string& what) {
  for (GraphInput& input : _inputs)
    if (!input.array) return input;
  throw UsageError(fmt::format("'{}' has {} inputs; there is none left for '{}'", _file, _inputs.size(), what));
}

void GraphInputs::give(GraphInput& input, Array array) {
  if (input.array) throw UsageError(fmt::format("the input '{}' is given twice", input.name));
  if (input.dtype != DataType::INHERIT && input.dtype != array.dtype())
    throw DataError(fmt::format("the input '{}' is {}, not {}", input.name,
                                DataTypeUtils::isS(input.dtype) ? "an array of texts" : typeName(input.dtype),
                                typeName(array.dtype())));
  const std::vector<LongType> dims = array.dims();
  bool fits = !input.hasDims || dims.size() == input.dims.size();
  for (size_t i = 0; fits && i < input.dims.size(); ++i) fits = input.dims[i] < 0 || input.dims[i] == dims[i];
  if (!fits)
    throw DataError(
        fmt::format("the input '{}' has shape {}, not {}", input.name, dimsText(input.dims), array.shapeText()));
  input.array = std::move(array);
  input.view = std::make_shared<NDArray>(input.array.data(), input.array.info());
}

void GraphInputs::giveArchive(const std::string& file) {
  const std::vector<std::string> names = npy::namesInNpz(file);
  if (names.empty()) throw DataError(fmt::format("'{}' contains no arrays", file));
  for (const std::string& name : names) {
    GraphInput& input = named(name);
    give(input, Array::read(file + ":" + name));
  }
}

void GraphInputs::giveFile(const std::string& text) {
  auto [name, file] = split(text);
  if (name.empty()) {
    if (file.ends_with(ARCHIVE)) return giveArchive(file);
    GraphInput& input = next(file);
    return give(input, Array::read(file));
  }
  GraphInput& input = named(name);
  if (file.ends_with(ARCHIVE)) {
    const auto names = npy::namesInNpz(file);
    if (std::find(names.begin(), names.end(), input.name) != names.end()) file += ":" + input.name;
  }
  give(input, Array::read(file));
}

void GraphInputs::giveShape(const std::string& text) {
  const size_t equals = text.rfind('=');
  GraphInput& input = equals == std::string::npos ? next(text) : named(text.substr(0, equals));
  std::string shape = equals == std::string::npos ? text : text.substr(equals + 1);
  DataType dtype = input.dtype == DataType::INHERIT ? DataType::FLOAT32 : input.dtype;
  const size_t colon = shape.find(':');
  if (colon != std::string::npos) {
    dtype = typeOf(shape.substr(colon + 1));
    shape.resize(colon);
  }
  give(input, madeUp(input, dtype, shape.empty() ? std::vector<LongType>() : parseShape(shape)));
}

void GraphInputs::fill() {
  for (GraphInput& input : _inputs) {
    if (input.array) continue;
    const bool known =
        input.hasDims && std::all_of(input.dims.begin(), input.dims.end(), [](LongType dim) { return dim >= 0; });
    if (!known)
      throw UsageError(fmt::format("the shape of the input '{0}' is not known; --shape {0}={1} gives it{2}", input.name,
                                   exampleOf(input),
                                   input.hasDims ? "" : ", or --shape " + input.name + "= if it is a number"));
    give(input, madeUp(input, input.dtype == DataType::INHERIT ? DataType::FLOAT32 : input.dtype, input.dims));
  }
}

void GraphInputs::requireAll() const {
  std::vector<std::string> missing;
  for (const GraphInput& input : _inputs)
    if (!input.array) missing.push_back("'" + shortened(input.name) + "'");
  if (!missing.empty())
    throw UsageError(fmt::format("'{}': the input{} {} {} missing", _file, missing.size() == 1 ? "" : "s",
                                 fmt::join(missing, ", "), missing.size() == 1 ? "is" : "are"));
}

std::vector<graph::Feed> GraphInputs::feeds() const {
  std::vector<graph::Feed> feeds;
  for (const GraphInput& input : _inputs)
    if (input.array) feeds.emplace_back(input.name, *input.view);
  return feeds;
}

graph::DrawingOptions GraphInputs::drawing() const {
  graph::DrawingOptions options;
  for (const GraphInput& input : _inputs)
    if (input.array)
      options.inputs.emplace_back(input.name, ops::PartialShape(input.array.dtype(), input.array.dims()));
  return options;
}

std::string GraphInputs::text() const {
  std::vector<std::string> texts;
  for (const GraphInput& input : _inputs)
    if (input.array)
      texts.push_back(
          fmt::format("{} {} {}", shortened(input.name), typeName(input.array.dtype()), input.array.shapeText()));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace sd::cli
