// Trainers, updaters and schedules.
#include <nanobind/stl/function.h>
#include <training/Trainer.h>

#include "runs.h"

namespace ndforge {

namespace {

using namespace sd::training;

struct UpdaterValue {
  Updater updater;
};

template <typename Rule>
struct Rate {
  const char* name;
  double Rule::*member;
};

/// A function that makes an updater from its rates by their names.
template <typename Rule>
void defineUpdater(nb::module_& module, const char* name, const std::vector<Rate<Rule>>& rates) {
  const Rule defaults;
  std::string text = std::string(name) + "(*";
  for (const Rate<Rule>& rate : rates)
    text += std::string(", ") + rate.name + "=" + nb::repr(nb::float_(defaults.*rate.member)).c_str();
  text += ")\n--\n\nAn updater for a Trainer.";
  const std::string function = name;
  module.def(
      name,
      [rates, function](const nb::kwargs& given) {
        Rule rule;
        for (const auto& [key, value] : given) {
          const std::string wanted = textOf(key);
          const auto rate = std::find_if(rates.begin(), rates.end(), [&](const Rate<Rule>& r) { return wanted == r.name; });
          if (rate == rates.end())
            throw nb::type_error((function + "() has no argument '" + wanted + "'").c_str());
          rule.*(rate->member) = nb::cast<double>(value);
        }
        UpdaterValue updater{Updater(rule)};
        updater.updater.check();
        return updater;
      },
      nb::arg("rates"), strdup(text.c_str()));  // the text lives as long as the module
}

Clipping clippingOf(nb::handle value) {
  if (value.is_none()) return {};
  if (PyTuple_Check(value.ptr()) == 0 && PyList_Check(value.ptr()) == 0)
    throw nb::type_error(("[Trainer] clip: a pair such as ('norm', 1.0) is needed, not " + shown(value)).c_str());
  const std::string kind = nb::cast<std::string>(value[nb::int_(0)]);
  const double limit = nb::cast<double>(value[nb::int_(1)]);
  if (kind == "value") return Clipping::byValue(limit);
  if (kind == "norm") return Clipping::byNorm(limit);
  if (kind == "global_norm") return Clipping::byGlobalNorm(limit);
  throw nb::value_error(("[Trainer] clip: '" + kind + "' is none of 'value', 'norm', 'global_norm'").c_str());
}

std::optional<Schedule> scheduleOf(nb::handle value) {
  if (value.is_none()) return std::nullopt;
  if (nb::isinstance<Schedule>(value)) return nb::cast<Schedule&>(value);
  if (PyCallable_Check(value.ptr()) == 0) return Schedule(nb::cast<double>(value));
  // Steps run without the interpreter's lock.
  struct Callable {
    nb::object function;
    ~Callable() {
      const nb::gil_scoped_acquire lock;
      function.reset();
    }
  };
  const auto callable = std::make_shared<Callable>(Callable{nb::borrow(value)});
  return Schedule([callable](LongType step) {
    const nb::gil_scoped_acquire lock;
    return nb::cast<double>(callable->function(step));
  });
}

}  // namespace

void defineTraining(nb::module_& module) {
  nb::class_<UpdaterValue>(module, "Updater", "A rule that changes parameters by their gradients: Sgd(), Adam() and others.")
      .def("__repr__", [](const UpdaterValue& self) { return "<Updater " + self.updater.operation() + ">"; });
  defineUpdater<Sgd>(module, "Sgd", {{"learning_rate", &Sgd::learningRate}});
  defineUpdater<Nesterovs>(module, "Nesterovs",
                           {{"learning_rate", &Nesterovs::learningRate}, {"momentum", &Nesterovs::momentum}});
#define NDFORGE_ADAM(NAME)                                                                         \
  defineUpdater<NAME>(module, #NAME,                                                               \
                      {{"learning_rate", &NAME::learningRate}, {"beta1", &NAME::beta1}, {"beta2", &NAME::beta2}, \
                       {"epsilon", &NAME::epsilon}})
  NDFORGE_ADAM(Adam);
  NDFORGE_ADAM(AdaMax);
  NDFORGE_ADAM(Nadam);
  NDFORGE_ADAM(AmsGrad);
  NDFORGE_ADAM(AdaBelief);
#undef NDFORGE_ADAM
  defineUpdater<AdaGrad>(module, "AdaGrad", {{"learning_rate", &AdaGrad::learningRate}, {"epsilon", &AdaGrad::epsilon}});
  defineUpdater<RmsProp>(module, "RmsProp", {{"learning_rate", &RmsProp::learningRate},
                                             {"decay", &RmsProp::decay},
                                             {"epsilon", &RmsProp::epsilon}});
  defineUpdater<AdaDelta>(module, "AdaDelta", {{"decay", &AdaDelta::decay}, {"epsilon", &AdaDelta::epsilon}});

  nb::class_<Schedule>(module, "Schedule", "The learning rate of each update, which counts from 0.")
      .def("__call__", &Schedule::at, nb::arg("step"))
      .def_static("stepwise", &Schedule::stepwise, nb::arg("rate"), nb::arg("factor"), nb::arg("every"))
      .def_static("exponential", &Schedule::exponential, nb::arg("rate"), nb::arg("factor"))
      .def_static("inverse", &Schedule::inverse, nb::arg("rate"), nb::arg("gamma"), nb::arg("power") = 1.0)
      .def_static("polynomial", &Schedule::polynomial, nb::arg("rate"), nb::arg("steps"), nb::arg("power") = 1.0)
      .def_static("cosine", &Schedule::cosine, nb::arg("rate"), nb::arg("steps"), nb::arg("last") = 0.0)
      .def_static("triangles", &Schedule::triangles, nb::arg("least"), nb::arg("most"), nb::arg("period"))
      .def_static("one_cycle", &Schedule::oneCycle, nb::arg("least"), nb::arg("most"), nb::arg("steps"))
      .def("warmed_up", &Schedule::warmedUp, nb::arg("steps"))
      .def("then", &Schedule::then, nb::arg("steps"), nb::arg("next"));

  nb::class_<Trainer>(module, "Trainer", "Adds gradients and updates of parameters to a graph, and runs them.")
      .def("__init__",
           [](Trainer* self, GraphValue& graph, nb::handle loss, nb::handle parameters, const UpdaterValue& updater,
              nb::handle schedule, nb::handle clip, double l1, double l2, double weightDecay, nb::handle decayed,
              nb::handle metrics, int accumulate, bool failNonFinite, uint64_t seed) {
             TrainingOptions options;
             options.schedule = scheduleOf(schedule);
             options.clip = clippingOf(clip);
             options.l1 = l1;
             options.l2 = l2;
             options.weightDecay = weightDecay;
             options.decayed = namesIn(decayed);
             options.metrics = namesIn(metrics);
             options.accumulate = accumulate;
             options.nonFinite = failNonFinite ? NonFinite::Fail : NonFinite::Update;
             options.seed = seed;
             new (self) Trainer(*graph.graph, nameIn(loss), namesIn(parameters), updater.updater, options);
           },
           nb::keep_alive<1, 2>(), nb::arg("graph"), nb::arg("loss"), nb::arg("parameters"), nb::arg("updater"),
           nb::kw_only(), nb::arg("schedule") = nb::none(), nb::arg("clip") = nb::none(), nb::arg("l1") = 0.0,
           nb::arg("l2") = 0.0, nb::arg("weight_decay") = 0.0, nb::arg("decayed") = nb::none(),
           nb::arg("metrics") = nb::none(), nb::arg("accumulate") = 1, nb::arg("fail_non_finite") = false,
           nb::arg("seed") = 1,
           "loss, parameters, metrics: symbols or names. schedule: a number, a Schedule, or a function of the number of "
           "the update. clip: ('value', limit), ('norm', limit) or ('global_norm', limit).")
      .def("step",
           [](Trainer& self, nb::handle feeds, const nb::kwargs& named) {
             const Feeds inputs(feeds, named);
             return interruptibly(
                 [&](const std::atomic<bool>* cancelled) { return self.step(inputs.list(), cancelled); });
           },
           nb::arg("feeds") = nb::none(), nb::arg("named"),
           "Computes the loss of these inputs, updates the parameters, and returns the loss before the update.")
      .def_prop_ro("inputs", [](const Trainer& self) { return self.inputs(); })
      .def_prop_ro("metrics", [](const Trainer& self) { return self.metrics(); }, "Those of the last step.")
      .def_prop_ro("steps", &Trainer::steps)
      .def_prop_ro("updates", &Trainer::updates)
      .def_prop_ro("learning_rate", &Trainer::learningRate, "Of the next update.")
      .def("save", &Trainer::save, nb::arg("file"), "Writes parameters and states into a .npz file.")
      .def("save_graph", &Trainer::saveGraph, nb::arg("file"), "Writes the trained graph into a .fb file.")
      .def("load", &Trainer::load, nb::arg("file"), "Goes on where the trainer was that wrote the file.")
      .def("resume", &Trainer::resume, nb::arg("file"), "load() if there is such a file. Whether there was.");
}

}  // namespace ndforge
