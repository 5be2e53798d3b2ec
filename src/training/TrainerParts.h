// The state of a trainer.
#ifndef NDFORGE_SRC_TRAINING_TRAINERPARTS_H
#define NDFORGE_SRC_TRAINING_TRAINERPARTS_H

#include <graph/Graph.h>
#include <training/Trainer.h>

#include <map>
#include <set>

#include "training/GraphBuilder.h"

namespace sd::training {

struct Trainer::Impl {
  struct Parameter {
    std::string name;
    Value variable, gradient;
    Value accumulated{0, 0};  ///< a variable; {0, 0}: none
    std::vector<std::pair<std::string, Value>> states;
  };

  Impl(graph::Graph& g, const Updater& u, const TrainingOptions& o);

  graph::Graph& graph;
  std::unique_ptr<graph::Graph> original;  ///< the nodes that were there before; its variables are those of `graph`
  std::set<Value> given;                   ///< the variables that were there before
  Updater updater;
  TrainingOptions options;
  std::vector<Parameter> parameters;
  std::map<DataType, std::pair<Value, Value>> rates;  ///< by type: the updater's factor, and the learning rate
  std::vector<std::string> results;                   ///< the loss and the metrics, as DOUBLE
  std::vector<std::pair<std::string, std::string>> updates;
  /// Of an update, of the first step of several, and of those between.
  std::unique_ptr<graph::Session> update, first, between;
  std::vector<NDArray> values;  ///< of the results
  std::vector<NDArray*> targets;
  std::vector<double> metrics;
  LongType steps = 0, updated = 0;
  int waiting = 0;  ///< steps since the last update
  uint64_t seed = 1;

  NDArray* array(Value variable) const { return graph.getVariableSpace()->getVariable(variable)->getNDArray(); }
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
  void addResults(GraphBuilder& builder, const std::string& loss);
  void addUpdates(GraphBuilder& builder);
  void accumulate(GraphBuilder& builder);
  void clip(GraphBuilder& builder);
  bool isDecayed(const Parameter& parameter) const;
  std::string nameOf(Value value) const;
};

}  // namespace sd::training

#endif
