#include <graph/GraphExecutioner.h>
#include <graph/GraphHolder.h>
#include <graph/VariableProxy.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "system/Error.h"
#include "system/ForkLocks.h"

namespace sd::graph {
namespace {

/// A graph that is deleted with its last user, unless it was forgotten.
class Held {
 public:
  Held() = default;
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    if (_owned) delete _graph;
  }

  Graph& graph() const { return *_graph; }
  void take(Graph* graph) {
    _graph = graph;
    _owned = true;
  }
  void forget() { _owned = false; }

 private:
  Graph* _graph = nullptr;
  bool _owned = false;
};

/// Variables on top of those of a stored graph, which lives as long as they do.
class HeldVariables : public VariableProxy {
 public:
  explicit HeldVariables(std::shared_ptr<Held> held)
      : VariableProxy(held->graph().getVariableSpace()), _held(std::move(held)) {}

  VariableSpace* clone() const override {
    auto copy = std::make_unique<HeldVariables>(_held);
    copy->VariableProxy::operator=(*this);
    return copy.release();
  }

 private:
  std::shared_ptr<Held> _held;
};

/// Nodes that would write into arrays of the stored graph get arrays of the copy.
void separate(Graph& copy, VariableSpace& variables) {
  for (Node* node : copy.allNodes()) {
    for (const auto& [id, index] : node->outputs())
      if (id < 0 && variables.hasVariable(id, index)) {
        std::unique_ptr<Variable> own(variables.getVariable(id, index)->clone());
        variables.putVariable(id, index, own.get());
        own.release();
      }
    if (!node->isInplace() || node->inputs().empty()) continue;
    // Logic nodes and graphs pass arrays on.
    const int source = node->inputs()[0].first;
    const bool computed = source >= 0 && copy.hasNode(source) && copy.nodeById(source)->hasCustomOp();
    if (!computed || copy.nodeById(source)->isDivergencePoint()) node->markInplace(false);
  }
}

}  // namespace

/// What is stored under a number, and who holds its lock.
struct GraphHolder::Entries {
  struct Entry {
    std::shared_ptr<Held> held;
    std::map<std::thread::id, int> readers;  // how often each thread holds it
    std::thread::id writer;
    int writes = 0, waitingWriters = 0, waiting = 0;

    bool isUnused() const { return held == nullptr && readers.empty() && writes == 0 && waiting == 0; }
  };

  std::mutex mutex;
  std::condition_variable changed;
  std::map<LongType, Entry> map;

  void lockRead(LongType id) {
    std::unique_lock lock(mutex);
    Entry& entry = map[id];
    const auto self = std::this_thread::get_id();
    const bool mine = entry.readers.count(self) != 0 || (entry.writes > 0 && entry.writer == self);
    // Writers that wait come first, or else a steady stream of readers would keep them out.
    entry.waiting++;
    if (!mine) changed.wait(lock, [&] { return entry.writes == 0 && entry.waitingWriters == 0; });
    entry.waiting--;
    entry.readers[self]++;
  }

  void unlockRead(LongType id) {
    const std::lock_guard lock(mutex);
    const auto found = map.find(id);
    const auto self = std::this_thread::get_id();
    if (found == map.end() || found->second.readers.count(self) == 0)
      fail("[GraphHolder::unlockRead] this thread does not hold the lock of graph {} for reading", id);
    Entry& entry = found->second;
    if (--entry.readers[self] == 0) entry.readers.erase(self);
    released(found);
  }

  void lockWrite(LongType id) {
    std::unique_lock lock(mutex);
    Entry& entry = map[id];
    const auto self = std::this_thread::get_id();
    if (entry.writes > 0 && entry.writer == self) {
      entry.writes++;
      return;
    }
    if (entry.readers.count(self) != 0)
      fail("[GraphHolder] this thread holds the lock of graph {} for reading, and would wait for itself", id);
    entry.waiting++;
    entry.waitingWriters++;
    changed.wait(lock, [&] { return entry.writes == 0 && entry.readers.empty(); });
    entry.waitingWriters--;
    entry.waiting--;
    entry.writer = self;
    entry.writes = 1;
  }

  void unlockWrite(LongType id) {
    const std::lock_guard lock(mutex);
    const auto found = map.find(id);
    if (found == map.end() || found->second.writes == 0 || found->second.writer != std::this_thread::get_id())
      fail("[GraphHolder::unlockWrite] this thread does not hold the lock of graph {} for writing", id);
    found->second.writes--;
    released(found);
  }

  /// The graph, while its lock is held.
  std::shared_ptr<Held> get(LongType id) {
    const std::lock_guard lock(mutex);
    const auto found = map.find(id);
    if (found == map.end() || found->second.held == nullptr) throw unknown_graph_exception(id);
    return found->second.held;
  }

  /// Returns what was there before.
  std::shared_ptr<Held> set(LongType id, std::shared_ptr<Held> held) {
    const std::lock_guard lock(mutex);
    return std::exchange(map[id].held, std::move(held));
  }

 private:
  void released(std::map<LongType, Entry>::iterator entry) {
    if (entry->second.isUnused()) map.erase(entry);
    changed.notify_all();
  }
};

namespace {

template <typename Entries>
class Reading {
 public:
  Reading(Entries& entries, LongType id) : _entries(entries), _id(id) { _entries.lockRead(_id); }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() { _entries.unlockRead(_id); }

 private:
  Entries& _entries;
  LongType _id;
};

template <typename Entries>
class Writing {
 public:
  Writing(Entries& entries, LongType id) : _entries(entries), _id(id) { _entries.lockWrite(_id); }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;
  ~Writing() { _entries.unlockWrite(_id); }

 private:
  Entries& _entries;
  LongType _id;
};

}  // namespace

struct GraphHolder::Fork {
  static const ForkLock lock;
};
const ForkLock GraphHolder::Fork::lock(
    ForkOrder::Graphs, [] { getInstance()._entries->mutex.lock(); }, [] { getInstance()._entries->mutex.unlock(); });

GraphHolder& GraphHolder::getInstance() {
  static GraphHolder holder;
  return holder;
}

GraphHolder::GraphHolder() : _entries(std::make_unique<Entries>()) {}

GraphHolder::~GraphHolder() = default;

void GraphHolder::registerGraph(LongType graphId, Graph* graph) {
  if (graph == nullptr) invalidArgument("[GraphHolder::registerGraph] the graph is null");
  const Writing writing(*_entries, graphId);
  if (hasGraph(graphId)) throw graph_exists_exception(graphId);
  const auto held = std::make_shared<Held>();
  _entries->set(graphId, held);
  held->take(graph);
}

void GraphHolder::replaceGraph(LongType graphId, Graph* graph) {
  if (graph == nullptr) invalidArgument("[GraphHolder::replaceGraph] the graph is null");
  std::shared_ptr<Held> former;  // deleted after the lock is free again
  const Writing writing(*_entries, graphId);
  if (hasGraph(graphId) && &_entries->get(graphId)->graph() == graph) return;
  const auto held = std::make_shared<Held>();
  former = _entries->set(graphId, held);
  held->take(graph);
}

void GraphHolder::forgetGraph(LongType graphId) {
  const Writing writing(*_entries, graphId);
  if (const auto former = _entries->set(graphId, nullptr)) former->forget();
}

void GraphHolder::dropGraph(LongType graphId) {
  std::shared_ptr<Held> former;  // deleted after the lock is free again
  const Writing writing(*_entries, graphId);
  former = _entries->set(graphId, nullptr);
}

bool GraphHolder::hasGraph(LongType graphId) const {
  const std::lock_guard lock(_entries->mutex);
  const auto found = _entries->map.find(graphId);
  return found != _entries->map.end() && found->second.held != nullptr;
}

Graph* GraphHolder::cloneGraph(LongType graphId) {
  const Reading reading(*_entries, graphId);
  const std::shared_ptr<Held> held = _entries->get(graphId);
  std::unique_ptr<Graph> copy(held->graph().cloneWithProxy());
  auto variables = std::make_unique<HeldVariables>(held);
  separate(*copy, *variables);
  copy->replaceState(variables.get(), nullptr);
  variables.release();
  return copy.release();
}

Graph* GraphHolder::pullGraph(LongType graphId) {
  const Reading reading(*_entries, graphId);
  return &_entries->get(graphId)->graph();
}

flatbuffers::Offset<FlatResult> GraphHolder::execute(LongType graphId, flatbuffers::FlatBufferBuilder& builder,
                                                     const FlatInferenceRequest* request) {
  const Reading reading(*_entries, graphId);
  const std::unique_ptr<Graph> copy(cloneGraph(graphId));
  copy->setId(graphId);
  const auto result = GraphExecutioner::execute(copy.get(), builder, request);
  const auto* variables = flatbuffers::GetTemporaryPointer(builder, result)->variables();
  if (variables == nullptr || variables->size() == 0) throw no_results_exception(graphId);
  return result;
}

void GraphHolder::lockRead(LongType graphId) { _entries->lockRead(graphId); }
void GraphHolder::lockWrite(LongType graphId) { _entries->lockWrite(graphId); }
void GraphHolder::unlockRead(LongType graphId) { _entries->unlockRead(graphId); }
void GraphHolder::unlockWrite(LongType graphId) { _entries->unlockWrite(graphId); }

}  // namespace sd::graph
