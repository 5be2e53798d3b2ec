// The variables of a graph, by number and by name.
#ifndef NDFORGE_GRAPH_VARIABLESPACE_H
#define NDFORGE_GRAPH_VARIABLESPACE_H

#include <array/NDArray.h>
#include <array/NDArrayList.h>
#include <execution/LaunchContext.h>
#include <graph/FlowPath.h>
#include <graph/Stash.h>
#include <graph/Variable.h>
#include <memory/Workspace.h>
#include <system/common.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sd::graph {

/// Numbers below 0 are variables from outside ("external"); their index does not matter. A number of 0 or more is a
/// node, the index one of its outputs; a number alone means index 0.
///
/// The space owns its variables. A put to a name (number and index) that is taken only gives the variable there the
/// array or list that it lacks; the variable that was put lives on, without it, until the space is deleted.
///
/// Lookups may run in several threads at once while nothing puts, drops or replaces.
class SD_LIB_EXPORT VariableSpace {
 public:
  VariableSpace();
  /// Clones the variables (of a proxy: its own). Stash, lists that are tracked, workspace and flow path are not copied.
  VariableSpace(const VariableSpace& other);
  /// As the copy constructor; the variables that were here are deleted.
  VariableSpace& operator=(const VariableSpace& other);
  virtual ~VariableSpace();

  /// A deep copy as above; the caller deletes it.
  virtual VariableSpace* clone() const;
  /// As clone(), with all arrays converted. @throws std::runtime_error when a variable holds a list
  template <typename N>
  VariableSpace* asT() const {
    return cloneAs(DataTypeUtils::fromT<N>());
  }
  VariableSpace* cloneAs(DataType type) const;

  // ---- looking up

  virtual bool hasVariable(int id) const;
  virtual bool hasVariable(int id, int idx) const;
  virtual bool hasVariable(const std::pair<int, int>& pair) const;
  /// False for nullptr and for the empty name.
  virtual bool hasVariable(const std::string* name) const;

  /// @throws std::out_of_range
  virtual Variable* getVariable(int id) const;
  /// @throws std::runtime_error, for numbers below 0 std::out_of_range
  virtual Variable* getVariable(int id, int idx) const;
  virtual Variable* getVariable(const std::pair<int, int>& pair) const;
  /// @throws std::out_of_range
  virtual Variable* getVariable(const std::string* name) const;

  /// There is such a variable, and its number is below 0 or it is marked external.
  virtual bool hasExternalVariable(int id) const;
  virtual bool hasExternalVariable(const std::pair<int, int>& pair) const;
  virtual bool hasExternalVariable(const std::string* name) const;

  // ---- putting

  /// Variables get the number and index under which they are put. @throws std::runtime_error for a null variable
  virtual void putVariable(int id, Variable* variable);
  virtual void putVariable(int id, int idx, Variable* variable);
  virtual void putVariable(const std::pair<int, int>& pair, Variable* variable);
  /// The array becomes the space's. Returns the variable of that name, whether new or not.
  virtual void putVariable(int id, NDArray* array);
  virtual Variable* putVariable(int id, int idx, NDArray* array);
  virtual Variable* putVariable(const std::pair<int, int>& pair, NDArray* array);
  /// The array stays the caller's and must live as long as the space.
  virtual void putVariable(int id, int idx, NDArray& array);

  /// Puts under nextExternalId().
  virtual void putOutputVariable(Variable* variable);
  /// One less than the lowest number that was ever put here; -1 at first. @throws std::runtime_error when there is none
  virtual int nextExternalId() const;
  /// Deletes the variable of the same name and takes its place, or else that of the same number and index; adds it when
  /// there is neither. @throws std::runtime_error for a null variable
  virtual void replaceVariable(Variable* variable);
  /// Puts a variable as it is, with whatever number it says. One that was there is no longer found, and lives on until
  /// the space is deleted. @throws std::runtime_error for a null variable
  virtual void injectVariable(const std::pair<int, int>& pair, Variable* variable);
  /// Deletes the variable; nothing when there is none.
  virtual void dropVariable(int id, int idx);
  virtual void dropVariable(const std::pair<int, int>& pair);

  /// The list will be deleted with the space.
  virtual void trackList(NDArrayList* list);

  // ---- all of them, in the order in which they were put

  virtual std::vector<Variable*> getVariables() const;
  /// The space's own variables.
  std::vector<Variable*>* handles() { return &_handles; }
  virtual std::vector<Variable*>* getExternalVariables();
  virtual std::vector<Variable*>& getPlaceholders();
  virtual int numberOfPlaceholders() const;

  virtual int externalEntries() const;
  virtual int internalEntries() const;
  virtual int totalEntries() const;
  /// Bytes of the arrays (NDArray::memoryFootprint); lists do not count.
  virtual LongType externalMemory() const;
  virtual LongType internalMemory() const;
  virtual LongType totalMemory() const;

  // ---- what operations run with

  virtual LaunchContext* launchContext() const { return LaunchContext::defaultContext(); }
  virtual Stash* getStash() { return &_stash; }
  /// Not owned; nullptr when none was set.
  memory::Workspace* workspace() const { return _workspace; }
  virtual void setWorkspace(memory::Workspace* workspace) { _workspace = workspace; }
  virtual FlowPath* flowPath() const { return _flowPath; }
  virtual void setFlowPath(FlowPath* flowPath) { _flowPath = flowPath; }

 private:
  using Name = std::pair<int, int>;

  static Name nameOf(int id, int idx) { return {id, id < 0 ? 0 : idx}; }
  Variable* find(const Name& name) const;
  Variable* find(const std::string* name) const;
  /// The variable that is found under the name afterwards.
  Variable* put(const Name& name, int idx, Variable* variable);
  void add(const Name& name, Variable* variable);
  void own(Variable* variable);
  /// No longer found; still owned.
  void forget(const Name& name);
  void copyVariables(const VariableSpace& other);

  std::unordered_map<Variable*, std::unique_ptr<Variable>> _owned;
  std::unordered_map<Name, Variable*> _variables;
  std::unordered_map<std::string, Variable*> _named;
  std::vector<Variable*> _handles;
  std::vector<Name> _names;  // of _handles
  std::vector<Variable*> _external;
  std::vector<Variable*> _placeholders;
  std::vector<std::unique_ptr<NDArrayList>> _lists;
  Stash _stash;
  memory::Workspace* _workspace = nullptr;
  FlowPath* _flowPath = nullptr;
  int _lowest = 0;  // of the numbers ever put
};

}  // namespace sd::graph

#endif
