// Trains a graph: gradients, updates of parameters, and checkpoints.
#ifndef NDFORGE_TRAINING_TRAINER_H
#define NDFORGE_TRAINING_TRAINER_H

#include <graph/Session.h>
#include <system/common.h>
#include <training/Schedule.h>
#include <training/Updater.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sd::graph {
class Graph;
}

namespace sd::training {

/// Limits of gradients, before anything else is done with them.
struct Clipping {
  enum class Kind { None, Value, Norm, GlobalNorm };
  Kind kind = Kind::None;
  double limit = 0;

  /// Each element to [-limit, limit].
  static Clipping byValue(double limit) { return {Kind::Value, limit}; }
  /// The gradient of each parameter to this norm.
  static Clipping byNorm(double limit) { return {Kind::Norm, limit}; }
  /// All gradients by one factor, so that all elements together have at most this norm.
  static Clipping byGlobalNorm(double limit) { return {Kind::GlobalNorm, limit}; }
};

/// What becomes of a step whose loss is infinite or NaN.
enum class NonFinite {
  Update,  ///< what of all others
  Fail     ///< an error that names the step; nothing is updated
};

struct TrainingOptions {
  /// The learning rate of each update, which counts from 0; without it, the updater's.
  std::optional<Schedule> schedule = std::nullopt;
  Clipping clip = {};
  /// Factors of sign(w) and of w, which are added to the gradients: the gradients of l1 * sum(|w|) + l2 / 2 * sum(w^2).
  double l1 = 0, l2 = 0;
  /// In each update, parameters lose the learning rate times this part of themselves, apart from what the updater does.
  double weightDecay = 0;
  /// The parameters to which l1, l2 and weightDecay apply. Empty: all.
  std::vector<std::string> decayed = {};
  /// Names of values of the graph, single numbers, that each step returns besides the loss.
  std::vector<std::string> metrics = {};
  /// An update uses the mean of the gradients of so many steps.
  int accumulate = 1;
  NonFinite nonFinite = NonFinite::Update;
  /// Of the random numbers in the graph (RunOptions::seed): each step has others, which depend on this and on the
  /// number of the step alone.
  uint64_t seed = 1;
  /// How the graph is run; its results and updates are the trainer's.
  graph::SessionOptions session = {};
};

/// Adds the gradients of a loss and the nodes that update parameters to a graph, and runs them. States of the updater
/// are variables of the graph, and so is the learning rate.
///
/// The graph must outlive the trainer and must not get or lose nodes. One thread at a time may use a trainer. Other
/// sessions may run the graph between two steps; those without `results` see nodes of the trainer among theirs.
class SD_LIB_EXPORT Trainer {
 public:
  /// `loss` is a value of one element. Names as in SessionOptions::results. @throws std::invalid_argument for unknown
  /// names, a loss that is no single number, and parameters that are no variables of real numbers with an array or of
  /// which the loss is independent; the graph is then as before
  Trainer(graph::Graph& graph, const std::string& loss, const std::vector<std::string>& parameters,
          const Updater& updater, const TrainingOptions& options = {});
  ~Trainer();
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;

  /// One step: computes the loss and updates the parameters, the latter once in TrainingOptions::accumulate steps.
  /// Returns the loss before the update, without what l1 and l2 add to it. If it throws, nothing has changed.
  double step(const std::vector<graph::Feed>& feeds, const std::atomic<bool>* cancelled = nullptr);
  /// The same with inputs in the order of inputs().
  double stepInOrder(const std::vector<const NDArray*>& inputs, const std::atomic<bool>* cancelled = nullptr);
  const std::vector<std::string>& inputs() const;
  /// Those of the last step, in the order of TrainingOptions::metrics.
  const std::vector<double>& metrics() const;

  /// How many steps, and how many updates, there were.
  LongType steps() const;
  LongType updates() const;
  /// Of the next update.
  double learningRate() const;
  /// What runs an update: for its text and memory.
  const graph::Session& session() const;

  /// Writes parameters, states, numbers of steps and the seed into a .npz file, completely or not at all. A trainer
  /// that loads it goes on with the same bits as this one.
  void save(const std::string& file) const;
  /// Writes the graph that the constructor was given, without what the trainer has added, and with the parameters as
  /// they are now, into a .fb file, completely or not at all: for programs that use the model, and for those that make
  /// a trainer of the same kind without the code of the graph. @throws std::runtime_error as graph::Graph::save()
  void saveGraph(const std::string& file) const;
  /// @throws std::runtime_error for files that cannot be read, and that are not of a trainer with the same updater and
  /// with parameters of the same names, shapes and types; the message names the file, and nothing has changed
  void load(const std::string& file);
  /// Loads the file if there is one, and returns whether there was.
  bool resume(const std::string& file);

 private:
  struct Impl;
  std::unique_ptr<Impl> _impl;
};

}  // namespace sd::training

#endif
