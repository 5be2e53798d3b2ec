#include <graph/profiling/GraphProfile.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "system/Error.h"

namespace sd::graph {
namespace {

constexpr size_t MOST_STEPS = 100000;

const char* required(const char* name) {
  if (name == nullptr) fail("[GraphProfile] argument 'name' is null");
  return name;
}

std::string timeText(LongType nanoseconds) {
  const auto time = static_cast<double>(nanoseconds);
  if (time < 1e4) return fmt::format("{} ns", nanoseconds);
  if (time < 1e7) return fmt::format("{:.1f} us", time / 1e3);
  if (time < 1e10) return fmt::format("{:.1f} ms", time / 1e6);
  return fmt::format("{:.1f} s", time / 1e9);
}

std::string bytesText(LongType bytes) {
  const auto size = static_cast<double>(bytes);
  if (size < 1e4) return fmt::format("{} B", bytes);
  if (size < 1e7) return fmt::format("{:.1f} KB", size / 1e3);
  if (size < 1e10) return fmt::format("{:.1f} MB", size / 1e6);
  return fmt::format("{:.1f} GB", size / 1e9);
}

/// "logits (matmul)"
std::string titleOf(const NodeProfile& node) {
  if (node.operation().empty() || node.name().empty()) return node.name() + node.operation();
  return fmt::format("{} ({})", node.name(), node.operation());
}

}  // namespace

GraphProfile::GraphProfile() : _last(currentTime()) {}

LongType GraphProfile::currentTime() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// ---- nodes

NodeProfile* GraphProfile::nodeById(int id, const char* name) {
  const auto [found, isNew] = _nodes.try_emplace(id, id, name);
  if (isNew)
    _order.push_back(id);
  else if (name != nullptr)
    found->second.name() = name;
  return &found->second;
}

std::vector<const NodeProfile*> GraphProfile::nodes() const {
  std::vector<const NodeProfile*> nodes;
  for (const int id : _order) nodes.push_back(&_nodes.at(id));
  return nodes;
}

// ---- named spans of time

void GraphProfile::startEvent(const char* name) { _events[required(name)].started = currentTime(); }

void GraphProfile::recordEvent(const char* name) {
  const LongType now = currentTime();
  const auto found = _events.find(required(name));
  if (found == _events.end() || found->second.started == NEVER) return;
  found->second = {NEVER, now - found->second.started};
  _last = now;
}

void GraphProfile::deleteEvent(const char* name) { _events.erase(required(name)); }

void GraphProfile::spotEvent(const char* name) {
  const LongType now = currentTime();
  _events[required(name)].recorded = now - _last;
  _last = now;
}

bool GraphProfile::hasEvent(const char* name) const {
  const auto found = _events.find(required(name));
  return found != _events.end() && found->second.recorded != NEVER;
}

LongType GraphProfile::eventTime(const char* name) const {
  if (!hasEvent(name)) fail<std::out_of_range>("[GraphProfile] there is no event '{}'", name);
  return _events.at(name).recorded;
}

// ---- the course of the execution

void GraphProfile::addStep(int node, LongType start, LongType duration, int thread) {
  if (_steps.size() < MOST_STEPS)
    _steps.push_back({node, thread, start, duration});
  else
    _dropped++;
}

// ---- the whole

void GraphProfile::merge(const GraphProfile* other) {
  if (other == nullptr) return;
  if (other == this) {
    const GraphProfile copy = *other;
    merge(&copy);
    return;
  }
  _merges += other->_merges;
  _total += other->_total;
  _activations += other->_activations;
  _temporary += other->_temporary;
  _objects += other->_objects;
  _buildTime += other->_buildTime;
  _executionTime += other->_executionTime;
  for (const int id : other->_order) {
    const NodeProfile& theirs = other->_nodes.at(id);
    if (nodeExists(id))
      _nodes.at(id).merge(&theirs);
    else
      nodeById(id)->assign(&theirs);
  }
  _dropped += other->_dropped;
  for (const Step& step : other->_steps) addStep(step.node, step.start, step.duration, step.thread);
  for (const auto& [name, event] : other->_events) {
    if (event.recorded == NEVER) continue;
    LongType& recorded = _events[name].recorded;
    recorded = event.recorded + (recorded == NEVER ? 0 : recorded);
  }
}

void GraphProfile::assign(const GraphProfile* other) {
  if (other != nullptr && other != this) *this = *other;
}

std::string GraphProfile::text() const {
  std::string text =
      _merges == 1 ? "graph profile\n" : fmt::format("graph profile, averages of {} executions\n", _merges);
  const auto add = [&](const char* what, LongType value, bool isTime) {
    if (value != 0)
      text += fmt::format("{:<12}{:>12}\n", what, isTime ? timeText(value / _merges) : bytesText(value / _merges));
  };
  add("execution", _executionTime, true);
  add("build", _buildTime, true);
  add("memory", _total, false);
  add("results", _activations, false);
  add("temporary", _temporary, false);
  add("objects", _objects, false);
  std::vector<std::string> events;
  for (const auto& [name, event] : _events)
    if (event.recorded != NEVER) events.push_back(name);
  std::sort(events.begin(), events.end());
  for (const std::string& name : events)
    text += fmt::format("{:<12}{:>12}\n", name, timeText(eventTime(name.c_str()) / _merges));
  if (_order.empty()) return text;

  std::vector<const NodeProfile*> slowest = nodes();
  // A loop takes as long as the nodes in its scopes together, so shares need not add up to 100 %.
  LongType all = _executionTime, sum = 0;
  size_t width = 4;
  for (const NodeProfile* node : slowest) {
    sum += node->getTotalTime();
    width = std::max(width, std::min<size_t>(titleOf(*node).size(), 40));
  }
  if (all == 0) all = sum;
  std::stable_sort(slowest.begin(), slowest.end(),
                   [](const auto* a, const auto* b) { return a->getTotalTime() > b->getTotalTime(); });
  text += fmt::format("{:>6}  {:<{}} {:>7} {:>11} {:>6} {:>11} {:>11} {:>10}  {}\n", "node", "name", width, "calls",
                      "total", "share", "execution", "preparation", "results", "shapes");
  for (const NodeProfile* node : slowest) {
    const double share = all == 0 ? 0 : 100. * static_cast<double>(node->getTotalTime()) / static_cast<double>(all);
    text += fmt::format("{:>6}  {:<{}.40} {:>7} {:>11} {:>5.1f}% {:>11} {:>11} {:>10}  {} -> {}\n", node->id(),
                        titleOf(*node), width, node->calls() / _merges, timeText(node->getTotalTime() / _merges), share,
                        timeText(node->getExecutionTime() / _merges), timeText(node->getPreparationTime() / _merges),
                        bytesText(node->getActivationsSize() / _merges), fmt::join(node->inputShapes(), ", "),
                        fmt::join(node->outputShapes(), ", "));
  }
  return text;
}

void GraphProfile::printOut() const { fmt::print("{}", text()); }

std::string GraphProfile::chromeTrace() const {
  using Json = nlohmann::ordered_json;
  Json events = Json::array();
  const auto microseconds = [](LongType time) { return static_cast<double>(time) / 1e3; };
  // A loop begins before the nodes in it, and ends after them.
  LongType begin = std::numeric_limits<LongType>::max();
  for (const Step& step : _steps) begin = std::min(begin, step.start);
  for (const Step& step : _steps) {
    const auto found = _nodes.find(step.node);
    Json arguments = {{"node", step.node}};
    std::string name;
    if (found != _nodes.end()) {
      name = titleOf(found->second);
      arguments["inputs"] = found->second.inputShapes();
      arguments["outputs"] = found->second.outputShapes();
    }
    events.push_back({{"name", name.empty() ? fmt::format("node {}", step.node) : name},
                      {"cat", "node"},
                      {"ph", "X"},
                      {"ts", microseconds(step.start - begin)},
                      {"dur", microseconds(step.duration)},
                      {"pid", 1},
                      {"tid", step.thread},
                      {"args", std::move(arguments)}});
  }
  const Json trace = {{"traceEvents", std::move(events)}, {"displayTimeUnit", "ns"}, {"droppedSteps", _dropped}};
  // Names may hold any bytes.
  return trace.dump(1, ' ', false, Json::error_handler_t::replace);
}

void GraphProfile::toChromeTrace(const std::string& path) const {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << chromeTrace() << '\n';
  file.close();
  if (!file) fail("[GraphProfile::toChromeTrace] the file '{}' cannot be written", path);
}

}  // namespace sd::graph
