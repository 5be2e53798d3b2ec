#include <dlfcn.h>
#include <ops/declarable/CustomOperations.h>
#include <ops/declarable/OpRegistrator.h>
#include <ops/declarable/PlatformHelper.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <unordered_map>

#include "ops/declarable/LibraryFile.h"
#include "system/Error.h"
#include "system/ForkLocks.h"

namespace sd::ops {
namespace {

using HelperKey = std::pair<LongType, int>;

struct NameHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

using Names = std::unordered_map<std::string, DeclarableOp*, NameHash, std::equal_to<>>;

struct Alias {
  std::string alias, original;
};

struct FurtherName {
  std::string name;
  DeclarableOp* op;
};

/// The operations that a library registers while it is being loaded, before all of them have been checked.
struct Pending {
  std::vector<std::unique_ptr<DeclarableOp>> operations;
  std::vector<Alias> aliases;
  std::vector<FurtherName> furtherNames;
  std::vector<std::unique_ptr<platforms::PlatformHelper>> helpers;
};

/// For the library that this thread is loading; for nested loads, the innermost one.
thread_local Pending* pending = nullptr;

class Collecting {
 public:
  explicit Collecting(Pending& found) : _outer(std::exchange(pending, &found)) {}
  ~Collecting() { pending = _outer; }
  Collecting(const Collecting&) = delete;
  Collecting& operator=(const Collecting&) = delete;

 private:
  Pending* _outer;
};

HelperKey keyOf(const platforms::PlatformHelper& helper) { return {helper.hash(), helper.engine()}; }

std::string fileOf(const void* address) {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return "this program";
  char resolved[PATH_MAX];
  return realpath(info.dli_fname, resolved) == nullptr ? info.dli_fname : resolved;
}

}  // namespace

struct OpRegistrator::Tables {
  mutable std::shared_mutex mutex;
  std::vector<std::unique_ptr<DeclarableOp>> operations;
  Names byName;  // names and aliases
  std::unordered_map<LongType, DeclarableOp*> byHash;
  std::vector<Alias> waiting;  // aliases whose operation is not registered yet
  // Recently requested operations, by hash. They are read without the lock, because operations are never removed.
  std::array<std::atomic<DeclarableOp*>, 256> recent{};
  std::map<HelperKey, std::unique_ptr<platforms::PlatformHelper>> helpers;
  std::vector<std::unique_ptr<platforms::PlatformHelper>> replacedHelpers;  // calls may still run them
  std::atomic<unsigned> helperGeneration{1};
  std::deque<std::string> listings;  // callers may still read earlier ones
  bool listed = false;

  bool hasName(std::string_view name) const {
    return byName.find(name) != byName.end() || byHash.count(HashHelper::hashOf(name)) != 0;
  }

  /// The custom operation with this name or alias; nullptr when there is none.
  DeclarableOp* named(std::string_view name) const {
    std::shared_lock lock(mutex);
    const auto found = byName.find(name);
    return found == byName.end() ? nullptr : found->second;
  }

  bool addName(std::string_view name, DeclarableOp* op) {
    if (hasName(name)) return false;
    byName.emplace(name, op);
    byHash.emplace(HashHelper::hashOf(name), op);
    listed = false;
    return true;
  }

  bool add(std::unique_ptr<DeclarableOp> op) {
    const std::string name = op->getOpDescriptor()->name();
    if (!addName(name, op.get())) return false;
    byHash.emplace(op->getOpHash(), op.get());
    operations.push_back(std::move(op));
    std::erase_if(waiting, [&](const Alias& entry) {
      return entry.original == name && (addName(entry.alias, operations.back().get()), true);
    });
    return true;
  }

  bool addAlias(const Alias& entry) {
    const auto original = byName.find(entry.original);
    if (original == byName.end()) {
      waiting.push_back(entry);
      return true;
    }
    return addName(entry.alias, original->second);
  }
};

struct OpRegistrator::Fork {
  static const ForkLock lock;
};
const ForkLock OpRegistrator::Fork::lock(
    ForkOrder::Registry, [] { getInstance()._tables->mutex.lock(); }, [] { getInstance()._tables->mutex.unlock(); },
    [] { std::construct_at(&getInstance()._tables->mutex); });

OpRegistrator& OpRegistrator::getInstance() {
  // Never destroyed: threads and other static objects may use operations until the process ends.
  static OpRegistrator* instance = new OpRegistrator;
  return *instance;
}

OpRegistrator::OpRegistrator() : _tables(std::make_unique<Tables>()) {}

OpRegistrator::~OpRegistrator() = default;

// ---- lookup

DeclarableOp* OpRegistrator::find(std::string_view name) {
  DeclarableOp* op = _tables->named(name);
  return op != nullptr ? op : numberedOperation(name);
}

DeclarableOp* OpRegistrator::getOperation(const char* name) { return name == nullptr ? nullptr : find(name); }

DeclarableOp* OpRegistrator::getOperation(std::string& name) { return find(name); }

DeclarableOp* OpRegistrator::getOperation(LongType hash) {
  auto& place = _tables->recent[(static_cast<UnsignedLong>(hash) * 0x9E3779B97F4A7C15u) >> 56];
  DeclarableOp* recent = place.load(std::memory_order_acquire);
  if (recent != nullptr && recent->getOpHash() == hash) return recent;
  {
    std::shared_lock lock(_tables->mutex);
    const auto found = _tables->byHash.find(hash);
    if (found != _tables->byHash.end()) {
      place.store(found->second, std::memory_order_release);
      return found->second;
    }
  }
  return numberedOperation(hash);
}

// ---- registration

bool OpRegistrator::registerOperation(DeclarableOp* op) {
  if (op == nullptr) invalidArgument("[registerOperation] the operation is null");
  std::unique_ptr<DeclarableOp> owned(op);
  if (pending != nullptr) {
    pending->operations.push_back(std::move(owned));
    return true;
  }
  std::unique_lock lock(_tables->mutex);
  return _tables->add(std::move(owned));
}

bool OpRegistrator::registerOperation(const char* alias, DeclarableOp* op) {
  if (alias == nullptr || op == nullptr) invalidArgument("[registerOperation] the alias or the operation is null");
  if (pending != nullptr) {
    pending->furtherNames.push_back({alias, op});
    return true;
  }
  std::unique_lock lock(_tables->mutex);
  return _tables->addName(alias, op);
}

bool OpRegistrator::registerAlias(const char* alias, const char* original) {
  if (alias == nullptr || original == nullptr) invalidArgument("[registerAlias] a name is null");
  if (pending != nullptr) {
    pending->aliases.push_back({alias, original});
    return true;
  }
  std::unique_lock lock(_tables->mutex);
  return _tables->addAlias({alias, original});
}

// ---- helpers

bool OpRegistrator::registerHelper(platforms::PlatformHelper* helper) {
  if (helper == nullptr) invalidArgument("[registerHelper] the helper is null");
  std::unique_ptr<platforms::PlatformHelper> owned(helper);
  if (pending != nullptr) {
    pending->helpers.push_back(std::move(owned));
    return true;
  }
  std::unique_lock lock(_tables->mutex);
  auto& place = _tables->helpers[keyOf(*owned)];
  // A helper of a program takes the place of the library's.
  if (place != nullptr && (!place->isBuiltIn() || owned->isBuiltIn()))
    invalidArgument("[registerHelper] operation '{}' already has a helper for engine {}", owned->name(),
                    static_cast<int>(owned->engine()));
  if (place != nullptr) _tables->replacedHelpers.push_back(std::move(place));
  place = std::move(owned);
  _tables->helperGeneration++;
  return true;
}

bool OpRegistrator::hasHelper(LongType hash, samediff::Engine engine) { return findHelper(hash, engine) != nullptr; }

platforms::PlatformHelper* OpRegistrator::findHelper(LongType hash, samediff::Engine engine) {
  std::shared_lock lock(_tables->mutex);
  const auto found = _tables->helpers.find(HelperKey(hash, engine));
  return found == _tables->helpers.end() ? nullptr : found->second.get();
}

platforms::PlatformHelper* OpRegistrator::getPlatformHelper(LongType hash, samediff::Engine engine) {
  platforms::PlatformHelper* helper = findHelper(hash, engine);
  if (helper == nullptr) fail<std::runtime_error>("[getPlatformHelper] operation {} has no helper", hash);
  return helper;
}

unsigned OpRegistrator::helperGeneration() const { return _tables->helperGeneration.load(std::memory_order_acquire); }

// ---- lists

namespace {

/// Programs in Java refuse calls in place by this flag. It is what they expect of libnd4j's operations, which is not
/// always what this library can do: operations that broadcast may change the shape of x, and the names of structured
/// flow have no arrays of their own.
bool reportsInPlace(const OpDescriptor& descriptor) {
  const std::string_view kind = descriptor.kind();
  return kind == "logic" || (kind != "broadcastable" && descriptor.allowsInplace());
}

}  // namespace

const char* OpRegistrator::getAllCustomOperations() {
  std::unique_lock lock(_tables->mutex);
  if (!_tables->listed || _tables->listings.empty()) {
    const std::map<std::string, DeclarableOp*> sorted(_tables->byName.begin(), _tables->byName.end());
    std::string text;
    for (const auto& [name, op] : sorted) {
      const OpDescriptor& d = *op->getOpDescriptor();
      text +=
          fmt::format("{}:{}:{}:{}:{}:{}:{}:;", name, op->getOpHash(), d.getNumberOfInputs(), d.getNumberOfOutputs(),
                      static_cast<int>(reportsInPlace(d)), d.getNumberOfTArgs(), d.getNumberOfIArgs());
    }
    _tables->listings.push_back(std::move(text));
    _tables->listed = true;
  }
  return _tables->listings.back().c_str();
}

std::vector<LongType> OpRegistrator::getAllHashes() {
  std::shared_lock lock(_tables->mutex);
  std::vector<LongType> hashes;
  for (const auto& entry : _tables->byHash) hashes.push_back(entry.first);
  return hashes;
}

int OpRegistrator::numberOfOperations() {
  std::shared_lock lock(_tables->mutex);
  return static_cast<int>(_tables->operations.size());
}

std::vector<DeclarableOp*> OpRegistrator::operations() {
  std::shared_lock lock(_tables->mutex);
  std::vector<DeclarableOp*> all;
  for (const auto& op : _tables->operations) all.push_back(op.get());
  std::sort(all.begin(), all.end(), [](const DeclarableOp* a, const DeclarableOp* b) {
    return a->getOpDescriptor()->name() < b->getOpDescriptor()->name();
  });
  return all;
}

std::vector<std::string> OpRegistrator::aliasesOf(const DeclarableOp* op) {
  std::shared_lock lock(_tables->mutex);
  std::vector<std::string> aliases;
  for (const auto& [name, other] : _tables->byName)
    if (other == op && name != op->getOpDescriptor()->name()) aliases.push_back(name);
  std::sort(aliases.begin(), aliases.end());
  return aliases;
}

std::string OpRegistrator::libraryOf(const DeclarableOp* op) {
  // The vtable lies in the library that defines the class.
  const void* table = nullptr;
  std::memcpy(&table, static_cast<const void*>(op), sizeof(table));
  return fileOf(table);
}

void OpRegistrator::updateMSVC(LongType hash, std::string& name) {
  DeclarableOp* op = find(name);
  if (op == nullptr) return;
  std::unique_lock lock(_tables->mutex);
  _tables->byHash.emplace(hash, op);
}

// ---- libraries

namespace {

struct CloseLibrary {
  void operator()(void* handle) const { dlclose(handle); }
};
using LibraryHandle = std::unique_ptr<void, CloseLibrary>;

/// One thread loads at a time; its initialisers may load further libraries. A recursive mutex would not recognise its
/// owner in the child process of rehearseLoading().
class OneAtATime {
 public:
  OneAtATime() {
    if (_depth++ == 0) _mutex.lock();
  }
  ~OneAtATime() {
    if (--_depth == 0) _mutex.unlock();
  }
  OneAtATime(const OneAtATime&) = delete;
  OneAtATime& operator=(const OneAtATime&) = delete;

 private:
  static inline std::mutex _mutex;
  static inline thread_local int _depth = 0;
};

LibraryHandle openLibrary(const std::string& path, Pending& found) {
  requireLibraryFile(path);  // for a pipe, the loader would wait for input
  // A library that is already loaded registers nothing.
  if (LibraryHandle loaded{dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD)}) return loaded;
  if (pending == nullptr) rehearseLoading(path);  // the outer library's rehearsal has loaded this one too
  const Collecting collecting(found);
  LibraryHandle handle(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (handle == nullptr) {
    const char* why = dlerror();
    fail<std::runtime_error>("[loadOpLibrary] '{}' cannot be loaded: {}", path, why == nullptr ? "" : why);
  }
  return handle;
}

}  // namespace

LoadedOpLibrary OpRegistrator::loadLibrary(const std::string& path) {
  static std::map<std::string, std::string> refused;  // some libraries stay in memory after they are closed
  const OneAtATime lock;

  char resolved[PATH_MAX];
  if (realpath(path.c_str(), resolved) == nullptr)
    fail<std::runtime_error>("[loadOpLibrary] '{}' cannot be read: {}",
                             path.size() > PATH_MAX ? path.substr(0, 60) + "…" : path, std::strerror(errno));
  Pending found;
  LibraryHandle handle = openLibrary(resolved, found);

  // Registrations must be destroyed before their code is unloaded.
  const auto refuse = [&](const std::string& why) {
    found = Pending();
    handle.reset();
    refused[resolved] = fmt::format("[loadOpLibrary] '{}' defines {}", resolved, why);
    throw std::runtime_error(refused[resolved]);
  };
  LoadedOpLibrary library;
  library.path = resolved;
  for (const auto& op : found.operations) library.operations.push_back(op->getOpDescriptor()->name());
  for (const auto& entry : found.aliases) library.operations.push_back(entry.alias);
  for (const auto& entry : found.furtherNames) library.operations.push_back(entry.name);
  if (const auto before = refused.find(resolved); before != refused.end()) {
    if (library.operations.empty()) throw std::runtime_error(before->second);
    refused.erase(before);
  }
  std::set<HelperKey> helpers;
  for (const auto& helper : found.helpers) {
    if (findHelper(helper->hash(), helper->engine()) != nullptr || !helpers.insert(keyOf(*helper)).second)
      refuse(fmt::format("a second helper for operation '{}'", helper->name()));
  }

  std::unique_lock tables(_tables->mutex);
  std::unordered_map<LongType, std::string> own;
  for (const std::string& name : library.operations) {
    const LongType hash = HashHelper::hashOf(name);
    const auto listed = _tables->byHash.find(hash);
    const DeclarableOp* numbered = numberedOperation(hash);
    if (listed != _tables->byHash.end() || numbered != nullptr) {
      const DeclarableOp* other = listed != _tables->byHash.end() ? listed->second : numbered;
      const std::string known = other->getOpDescriptor()->name();
      refuse(fmt::format("operation '{}', which '{}' already defines{}", name, libraryOf(other),
                         known == name ? "" : fmt::format(" (as another name of '{}')", known)));
    }
    if (!own.emplace(hash, name).second) refuse(fmt::format("operation '{}' twice", name));
  }

  for (auto& op : found.operations) _tables->add(std::move(op));
  for (const auto& entry : found.aliases) _tables->addAlias(entry);
  for (const auto& entry : found.furtherNames) _tables->addName(entry.name, entry.op);
  for (auto& helper : found.helpers) _tables->helpers[keyOf(*helper)] = std::move(helper);
  _tables->helperGeneration++;
  static_cast<void>(handle.release());  // operations stay until the process ends
  return library;
}

LoadedOpLibrary loadOpLibrary(const std::string& path) { return OpRegistrator::getInstance().loadLibrary(path); }

}  // namespace sd::ops

namespace sd {

_loader::_loader() { ops::OpRegistrator::getInstance(); }

}  // namespace sd
