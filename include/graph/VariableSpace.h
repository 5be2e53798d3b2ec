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

/// Numbers below 0 are variables from outside the graph ("external"); their index is ignored. A number of 0 or more is
/// a node, and the index is one of its outputs; a number alone means index 0.
///
/// The space owns its variables. A put under a name (number and index) that is taken does not replace the variable
/// there: it only gives that one the new variable's array or list, and its text name, if it has none. The new variable
/// is kept, without its array or list, until the space is deleted.
///
/// Several threads may look up at once while no thread puts, drops or replaces.
class SD_LIB_EXPORT VariableSpace {
 public:
  VariableSpace();
  /// Clones the variables (for a proxy: its own). Stash, tracked lists, workspace and flow path are not copied.
  VariableSpace(const VariableSpace& other);

  // The virtual functions are in the order of libnd4j: ND4J's JNI library calls them.

  virtual ~VariableSpace();
  /// As the copy constructor; deletes the variables that were here before.
  virtual VariableSpace& operator=(const VariableSpace& other);

  virtual int numberOfPlaceholders() const;
  /// In the order in which they were put.
  virtual std::vector<Variable*>& getPlaceholders();

  // ---- the environment in which operations run

  virtual void setWorkspace(memory::Workspace* workspace) { _workspace = workspace; }
  /// Not owned; nullptr when none was set.
  memory::Workspace* workspace() const { return _workspace; }
  virtual LaunchContext* launchContext() const { return LaunchContext::defaultContext(); }

  // ---- lookup

  /// True when the variable exists, and its number is below 0 or it is marked external.
  virtual bool hasExternalVariable(int id) const;
  virtual bool hasExternalVariable(const std::pair<int, int>& pair) const;
  virtual bool hasExternalVariable(const std::string* name) const;

  virtual bool hasVariable(int id) const;
  virtual bool hasVariable(int id, int idx) const;
  virtual bool hasVariable(const std::pair<int, int>& pair) const;
  /// Returns false for nullptr and for the empty name.
  virtual bool hasVariable(const std::string* name) const;

  /// @throws std::out_of_range
  virtual Variable* getVariable(int id) const;
  /// @throws std::runtime_error, or std::out_of_range for numbers below 0
  virtual Variable* getVariable(int id, int idx) const;
  virtual Variable* getVariable(const std::pair<int, int>& pair) const;
  /// @throws std::out_of_range
  virtual Variable* getVariable(const std::string* name) const;

  /// All variables, in the order in which they were put.
  virtual std::vector<Variable*> getVariables() const;

  // ---- insertion. A variable gets the number and index under which it is put. The space takes ownership of an array
  // that is passed by pointer; one that is passed by reference is the caller's and must live as long as the space.

  /// Returns the variable of that name, whether it is new or not.
  virtual Variable* putVariable(const std::pair<int, int>& pair, NDArray* array);
  /// @throws std::runtime_error for a null variable
  virtual void putVariable(const std::pair<int, int>& pair, Variable* variable);
  virtual void putVariable(int id, Variable* variable);
  virtual void putVariable(int id, NDArray* array);
  virtual Variable* putVariable(int id, int idx, NDArray* array);
  virtual void putVariable(int id, int idx, NDArray& array);
  virtual void putVariable(int id, int idx, Variable* variable);

  /// Deletes the variable; does nothing when there is none.
  virtual void dropVariable(const std::pair<int, int>& pair);
  virtual void dropVariable(int id, int idx);

  /// The space deletes the list when it is deleted itself.
  virtual void trackList(NDArrayList* list);
  /// Puts the variable under its own number, or under nextExternalId() when that is 0.
  virtual void putOutputVariable(Variable* variable);
  /// Deletes the variable of the same name and puts this one in its place; without such a variable, does the same for
  /// the variable of the same number and index; adds this one when there is neither. @throws std::runtime_error for a
  /// null variable
  virtual void replaceVariable(Variable* variable);

  // ---- memory and numbers

  /// Bytes of the arrays (NDArray::memoryFootprint); lists are not counted.
  virtual LongType externalMemory() const;
  virtual LongType internalMemory() const;
  virtual LongType totalMemory() const;
  virtual int externalEntries() const;
  virtual int internalEntries() const;
  virtual int totalEntries() const;

  // ---- the whole

  /// A deep copy as above; the caller deletes it.
  virtual VariableSpace* clone() const;
  virtual Stash* getStash() { return &_stash; }
  virtual std::vector<Variable*>* getExternalVariables();
  virtual void setFlowPath(FlowPath* flowPath) { _flowPath = flowPath; }
  virtual FlowPath* flowPath() const { return _flowPath; }

  // ---- functions that are not virtual in libnd4j, and additions

  /// As clone(), with all arrays converted. @throws std::runtime_error when a variable holds a list
  template <typename N>
  VariableSpace* asT() const {
    return cloneAs(DataTypeUtils::fromT<N>());
  }
  VariableSpace* cloneAs(DataType type) const;
  /// The space's own variables.
  std::vector<Variable*>* handles() { return &_handles; }
  /// One less than the lowest number ever put here; initially -1. @throws std::runtime_error when no number is left
  virtual int nextExternalId() const;
  /// Puts a variable without changing its own number. An earlier variable in that place is no longer found, but is kept
  /// until the space is deleted. @throws std::runtime_error for a null variable
  virtual void injectVariable(const std::pair<int, int>& pair, Variable* variable);

 private:
  using Name = std::pair<int, int>;

  static Name nameOf(int id, int idx) { return {id, id < 0 ? 0 : idx}; }
  Variable* find(const Name& name) const;
  Variable* find(const std::string* name) const;
  /// Returns the variable that is found under the name afterwards.
  Variable* put(const Name& name, int idx, Variable* variable);
  void add(const Name& name, Variable* variable);
  void own(Variable* variable);
  /// The variable is no longer found, but still owned.
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
  int _lowest = 0;  // the lowest number ever put
};

}  // namespace sd::graph

#endif
