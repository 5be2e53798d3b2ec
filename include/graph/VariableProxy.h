// A variable space on top of another one.
#ifndef NDFORGE_GRAPH_VARIABLEPROXY_H
#define NDFORGE_GRAPH_VARIABLEPROXY_H

#include <graph/VariableSpace.h>
#include <system/common.h>

namespace sd::graph {

/// Lookups search the proxy's own variables first, then those of the reference; put, drop and track affect only the
/// proxy's own variables. The reference is never changed and must outlive the proxy. Counts, bytes and lists of
/// variables include both, own variables first, even where one hides the other. handles(), stash, workspace and flow
/// path are the proxy's.
///
/// Several proxies of one reference may be used at once, each by one thread, as long as nobody changes the reference.
class SD_LIB_EXPORT VariableProxy : public VariableSpace {
 public:
  /// @throws std::runtime_error for nullptr
  explicit VariableProxy(VariableSpace* reference);
  VariableProxy(const VariableProxy& other) = default;
  /// Clones the own variables of `other`; the reference does not change.
  VariableProxy& operator=(const VariableProxy& other);

  /// A proxy of the same reference, with clones of this proxy's own variables.
  VariableSpace* clone() const override;

  bool hasVariable(int id) const override;
  bool hasVariable(int id, int idx) const override;
  bool hasVariable(const std::pair<int, int>& pair) const override;
  bool hasVariable(const std::string* name) const override;
  Variable* getVariable(int id) const override;
  Variable* getVariable(int id, int idx) const override;
  Variable* getVariable(const std::pair<int, int>& pair) const override;
  Variable* getVariable(const std::string* name) const override;
  bool hasExternalVariable(int id) const override;
  bool hasExternalVariable(const std::pair<int, int>& pair) const override;
  bool hasExternalVariable(const std::string* name) const override;

  /// A number that is free in both spaces.
  int nextExternalId() const override;

  std::vector<Variable*> getVariables() const override;
  /// The variables of both spaces; each call rebuilds the vector.
  std::vector<Variable*>* getExternalVariables() override;
  std::vector<Variable*>& getPlaceholders() override;
  int numberOfPlaceholders() const override;
  int externalEntries() const override;
  int internalEntries() const override;
  int totalEntries() const override;
  LongType externalMemory() const override;
  LongType internalMemory() const override;
  LongType totalMemory() const override;

 private:
  VariableSpace* _reference;
  std::vector<Variable*> _allExternal;
  std::vector<Variable*> _allPlaceholders;
};

}  // namespace sd::graph

#endif
