// The registry of operations.
#ifndef NDFORGE_OPS_DECLARABLE_OPREGISTRATOR_H
#define NDFORGE_OPS_DECLARABLE_OPREGISTRATOR_H

#include <execution/Engine.h>
#include <system/common.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sd::ops {

class DeclarableOp;

namespace platforms {
class PlatformHelper;
}

/// The contents of a loaded library of operations.
struct LoadedOpLibrary {
  std::string path;
  std::vector<std::string> operations;  ///< names and aliases
};

/// Every operation of the process, by name, alias and hash. The registry contains the custom operations, and each
/// numbered one under its qualified name ("pairwise.Add") and, if no custom operation has it, under its plain name. All
/// functions are thread-safe. Returned operations stay valid until the process ends.
class SD_LIB_EXPORT OpRegistrator {
 public:
  static OpRegistrator& getInstance();

  /// Returns nullptr when unknown.
  DeclarableOp* getOperation(const char* name);
  DeclarableOp* getOperation(std::string& name);
  DeclarableOp* getOperation(LongType hash);
  DeclarableOp* find(std::string_view name);

  /// Takes ownership. When the name or hash exists, returns false and deletes `op`; the existing operation stays.
  bool registerOperation(DeclarableOp* op);
  /// Adds another name; returns false when the name exists. `op` must be registered.
  bool registerOperation(const char* alias, DeclarableOp* op);
  /// As above, but may be called before the operation `original` is registered.
  bool registerAlias(const char* alias, const char* original);

  /// Takes ownership. Returns true.
  /// @throws std::invalid_argument, after deleting `helper`, when the operation already has a helper for this engine
  bool registerHelper(platforms::PlatformHelper* helper);
  bool hasHelper(LongType hash, samediff::Engine engine);
  /// @throws std::runtime_error when there is no helper
  platforms::PlatformHelper* getPlatformHelper(LongType hash, samediff::Engine engine);
  /// Returns nullptr when there is no helper.
  platforms::PlatformHelper* findHelper(LongType hash, samediff::Engine engine);
  /// Changes whenever a helper is registered.
  unsigned helperGeneration() const;

  /// "name:hash:inputs:outputs:inplace:tArgs:iArgs:;" for each name and alias of the custom operations.
  const char* getAllCustomOperations();
  std::vector<LongType> getAllHashes();
  /// Number of custom operations, without aliases.
  int numberOfOperations();
  /// The custom operations, ordered by name.
  std::vector<DeclarableOp*> operations();
  std::vector<std::string> aliasesOf(const DeclarableOp* op);
  /// The file of the library that defines the operation.
  std::string libraryOf(const DeclarableOp* op);
  void updateMSVC(LongType hash, std::string& name);

  /// Loads a shared library whose operations register themselves. A file that is already loaded is not loaded again.
  /// @throws std::runtime_error when it cannot be loaded, defines a name that exists (the message names both
  /// libraries), or has a second helper for an operation and engine. After an exception nothing has changed.
  LoadedOpLibrary loadLibrary(const std::string& path);

  OpRegistrator(const OpRegistrator&) = delete;
  OpRegistrator& operator=(const OpRegistrator&) = delete;

 private:
  struct Tables;
  struct Fork;
  std::unique_ptr<Tables> _tables;

  OpRegistrator();
  ~OpRegistrator();

  /// The operation object of a numbered operation; nullptr when it is unknown.
  static DeclarableOp* numberedOperation(std::string_view name);
  static DeclarableOp* numberedOperation(LongType hash);
};

/// Loads a library of operations: OpRegistrator::loadLibrary.
SD_LIB_EXPORT LoadedOpLibrary loadOpLibrary(const std::string& path);

}  // namespace sd::ops

#endif
