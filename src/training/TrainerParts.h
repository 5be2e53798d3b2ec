// The state of a trainer.
#ifndef NDFORGE_SRC_TRAINING_TRAINERPARTS_H
#define NDFORGE_SRC_TRAINING_TRAINERPARTS_H

#include <graph/Graph.h>
#include <symbol/Symbol.h>
#include <training/Trainer.h>

#include <map>
#include <set>

namespace sd::training {

struct Trainer::Impl {
  struct Parameter {
    std::string name;
    nd::Symbol variable, gradient;
    nd::Symbol accumulated;  ///< a variable, if an update is made in several steps
    std::vector<std::pair<std::string, nd::Symbol>> states;
  };

  Impl(graph::Graph& g, const Updater& u, const TrainingOptions& o);

  graph::Graph& graph;
  std::unique_ptr<graph::Graph> original;  ///< the nodes that were there before; its variables are those of `graph`
  std::set<std::pair<int, int>> given;     ///< the variables that were there before
  Updater updater;
  TrainingOptions options;
  std::vector<Parameter> parameters;
  std::map<DataType, std::pair<nd::Symbol, nd::Symbol>> rates;  ///< by type: the updater's factor, the learning rate
  std::vector<std::string> results;                             ///< the loss and the metrics, as DOUBLE
  std::vector<std::pair<std::string, std::string>> updates;
  /// Of an update, of the first step of several, and of those between.
  std::unique_ptr<graph::Session> update, first, between;
  std::vector<NDArray> values;  ///< of the results
  std::vector<NDArray*> targets;
  std::vector<double> metrics;
  LongType steps = 0, updated = 0;
  int waiting = 0;  ///< steps since the last update
  uint64_t seed = 1;

  NDArray* array(const nd::Symbol& variable) const {
    return graph.getVariableSpace()->getVariable(variable.id(), variable.output())->getNDArray();
  }
  double learningRate() const { return options.schedule ? options.schedule->at(updated) : updater.learningRate(); }

  void build(const std::string& loss, const std::vector<std::string>& names);
  graph::Session& session();
  void setRates();
  double step(const std::vector<const NDArray*>& inputs, const std::atomic<bool>* cancelled);
  /// Every array of a checkpoint by name; those of variables are not copied.
  std::map<std::string, NDArray*> arrays() const;

 private:
  std::vector<std::string> named(const std::vector<std::string>& keys) const;
  void check(const std::vector<std::string>& names) const;
  void addResults(const std::vector<nd::Symbol>& numbers);
  void accumulate();
  void clip();
  void addUpdates();
  void addRates(DataType type);
  nd::Symbol regularised(const Parameter& parameter) const;
  nd::Symbol applied(const nd::Symbol& gradient, Parameter& parameter);
  bool isDecayed(const Parameter& parameter) const;
  nd::Symbol find(const std::string& name) const;
  nd::Symbol addVariable(NDArray&& array, const std::string& name);
};

}  // namespace sd::training

#endif
