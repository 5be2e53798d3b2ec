// Calls that layers, losses, optimiser steps and random operations must reject.
#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

namespace {

In f(Dims dims, std::vector<double> values = {}) { return In(FLOAT32, std::move(dims), std::move(values)); }
In i(Dims dims, std::vector<double> values = {}) { return In(INT32, std::move(dims), std::move(values)); }

}  // namespace

TEST(OpsNnReject, Softmax) {
  for (const char* name : {"softmax", "log_softmax"})
    checkRejections(name, {{"dim too large", {f({2, 3})}, {.i = {2}}, refusal::Argument, "2 is outside -2..1"},
                           {"dim too small", {f({2, 3})}, {.i = {-3}}, refusal::Argument, "-3 is outside"},
                           {"integers", {i({2, 3})}, {}, refusal::Validation, "input 0"}});
  for (const char* name : {"softmax_bp", "log_softmax_bp"})
    checkRejections(name, {{"another shape of g", {f({2, 3}), f({3, 2})}, {}, refusal::Argument, "input 1 'gradZ'"},
                           {"dim too large", {f({2, 3}), f({2, 3})}, {.i = {2}}, refusal::Argument, "outside"}});
}

TEST(OpsNnReject, Normalization) {
  checkRejections("standardize", {{"no axes", {f({2, 3})}, {}, refusal::Argument, "'axis' is missing"},
                                  {"axis outside", {f({2, 3})}, {.i = {2}}, refusal::Runtime, "outside"}});
  checkRejections("standardize_bp", {{"no axes", {f({2, 3}), f({2, 3})}, {}, refusal::Argument, "no axes"},
                                     {"shape of g", {f({2, 3}), f({2})}, {.i = {1}}, refusal::Argument, "'gradZ'"}});
  checkRejections("layer_norm", {{"no axes", {f({2, 3}), f({3})}, {}, refusal::Validation, ""},
                                 {"gain", {f({2, 3}), f({2})}, {.i = {1}}, refusal::Argument, "'gamma'"},
                                 {"bias", {f({2, 3}), f({3}), f({3, 1})}, {.i = {1}}, refusal::Argument, "'beta'"},
                                 {"rank 1", {f({3}), f({3})}, {.i = {0}}, refusal::Runtime, "no axis 1"}});
  checkRejections("layer_norm_bp", {{"gain", {f({2, 3}), f({2}), f({2, 3})}, {.i = {1}}, refusal::Argument, "'gamma'"},
                                    {"g", {f({2, 3}), f({3}), f({3, 2})}, {.i = {1}}, refusal::Argument, "'gradZ'"}});
  const Arguments both{.t = {0.1}, .i = {0, 0}};
  checkRejections(
      "batchnorm",
      {{"mean", {f({2, 3}), f({2}), f({3})}, both, refusal::Argument, "'mean'"},
       {"variance", {f({2, 3}), f({3}), f({1, 3})}, both, refusal::Argument, "'variance'"},
       {"types", {f({2, 3}), In(DOUBLE, {3}), f({3})}, both, refusal::Argument, "DOUBLE"},
       {"too many axes", {f({3}), f({3}), f({3})}, {.t = {0.1}, .i = {0, 0, 0, 0}}, refusal::Argument, "2 axes"},
       {"axis twice", {f({2, 3}), f({3}), f({3})}, {.t = {0.1}, .i = {0, 0, 1, -1}}, refusal::Argument, "twice"},
       {"axis outside", {f({2, 3}), f({3}), f({3})}, {.t = {0.1}, .i = {0, 0, 2}}, refusal::Argument, "outside"},
       {"no epsilon", {f({2, 3}), f({3}), f({3})}, {.i = {0, 0}}, refusal::Validation, ""}});
  checkRejections("batchnorm_bp", {{"g", {f({2, 3}), f({3}), f({3}), f({3, 2})}, both, refusal::Argument, "'gradZ'"}});
  checkRejections(
      "fused_batch_norm",
      {{"rank", {f({2, 3}), f({3}), f({3})}, {.i = {0, 1}}, refusal::Argument, "rank"},
       {"scale", {f({1, 2, 2, 3}), f({2}), f({3})}, {.i = {0, 1}}, refusal::Argument, "'gamma'"},
       {"mean", {f({1, 2, 2, 3}), f({3}), f({3}), f({2}), f({3})}, {.i = {0, 0}}, refusal::Argument, "'mean'"},
       {"format", {f({1, 2, 2, 3}), f({3}), f({3})}, {.i = {2, 1}}, refusal::Argument, "'layout'"}});
  checkRejections("lrn", {{"rank", {f({2, 3})}, {.t = {1, 1, 1}, .i = {1}}, refusal::Argument, "rank"},
                          {"depth", {f({1, 1, 2, 3})}, {.t = {1, 1, 1}, .i = {-1}}, refusal::Argument, "depth"}});
  checkRejections(
      "lrn_bp", {{"g", {f({1, 1, 2, 3}), f({1, 1, 3, 2})}, {.t = {1, 1, 1}, .i = {1}}, refusal::Argument, "'gradZ'"}});
}

TEST(OpsNnReject, LayerEpsilon) {
  const Arguments negative{.t = {-1}, .i = {1}, .b = {false}};
  checkRejections("layer_norm", {{"epsilon", {f({2, 3}), f({3})}, negative, refusal::Argument, "'epsilon': -1"}});
  checkRejections("layer_norm_bp",
                  {{"epsilon", {f({2, 3}), f({3}), f({2, 3})}, negative, refusal::Argument, "'epsilon': -1"}});
}

TEST(OpsNnReject, RootMeanSquare) {
  checkRejections("rms_norm", {{"a scalar", {f({})}, {}, refusal::Argument, "'axis'"},
                               {"axis outside", {f({2, 3})}, {.i = {2}}, refusal::Argument, "2 is outside -2..1"},
                               {"gamma", {f({2, 3}), f({2})}, {}, refusal::Argument, "input 1 'gamma'"},
                               {"rank of gamma", {f({2, 3}), f({3})}, {.i = {0, 1}}, refusal::Argument, "[2, 3]"},
                               {"epsilon", {f({2, 3})}, {.t = {-1}}, refusal::Argument, "'epsilon': -1"},
                               {"integers", {i({2, 3})}, {}, refusal::Validation, "input 0"}});
  checkRejections("rms_norm_bp",
                  {{"g", {f({2, 3}), f({3, 2})}, {}, refusal::Argument, "'gradZ'"},
                   {"axis outside", {f({2, 3}), f({2, 3})}, {.i = {-3}}, refusal::Argument, "-3 is outside"},
                   {"gamma", {f({2, 3}), f({2, 3}), f({2})}, {}, refusal::Argument, "input 2 'gamma'"}});
}

TEST(OpsNnReject, Groups) {
  checkRejections("group_norm",
                  {{"rank", {f({4})}, {.i = {2}}, refusal::Argument, "rank"},
                   {"no number of groups", {f({2, 4})}, {}, refusal::OutOfRange, "'num_groups'"},
                   {"no group", {f({2, 4})}, {.i = {0}}, refusal::Argument, "'num_groups': 0"},
                   {"groups", {f({2, 4, 3})}, {.i = {3}}, refusal::Argument, "the 4 channels of x"},
                   {"groups", {f({2, 3, 4})}, {.i = {3}, .b = {false}}, refusal::Argument, "the 4 channels of x"},
                   {"gamma", {f({2, 4}), f({2})}, {.i = {2}}, refusal::Argument, "input 1 'gamma'"},
                   {"beta", {f({2, 4}), f({4}), f({4, 1})}, {.i = {2}}, refusal::Argument, "input 2 'beta'"},
                   {"epsilon", {f({2, 4})}, {.t = {-0.5}, .i = {2}}, refusal::Argument, "'epsilon': -0.5"}});
  checkRejections("group_norm_bp",
                  {{"g", {f({2, 4}), f({4, 2})}, {.i = {2}}, refusal::Argument, "'gradZ'"},
                   {"groups", {f({2, 4}), f({2, 4})}, {.i = {3}}, refusal::Argument, "the 4 channels of x"},
                   {"gamma", {f({2, 4}), f({2, 4}), f({2})}, {.i = {2}}, refusal::Argument, "input 2 'gamma'"}});
  checkRejections("instance_norm", {{"rank", {f({4})}, {}, refusal::Argument, "rank"},
                                    {"gamma", {f({2, 4, 3}), f({3})}, {}, refusal::Argument, "input 1 'gamma'"},
                                    {"epsilon", {f({2, 4})}, {.t = {-0.5}}, refusal::Argument, "'epsilon': -0.5"}});
  checkRejections("instance_norm_bp",
                  {{"g", {f({2, 4, 3}), f({2, 3, 4})}, {}, refusal::Argument, "'gradZ'"},
                   {"gamma", {f({2, 4, 3}), f({2, 4, 3}), f({3})}, {}, refusal::Argument, "input 2 'gamma'"}});
}

TEST(OpsNnReject, Layers) {
  checkRejections("biasadd", {{"bias length", {f({2, 3}), f({2})}, {}, refusal::Argument, "'bias'"},
                              {"bias rank", {f({2, 3}), f({1, 3})}, {}, refusal::Argument, "'bias'"},
                              {"no axis 1", {f({3}), f({3})}, {.b = {true}}, refusal::Argument, "has no channel axis"},
                              {"types", {f({2, 3}), In(DOUBLE, {3})}, {}, refusal::Argument, "DOUBLE"}});
  checkRejections("biasadd_bp", {{"g", {f({2, 3}), f({3}), f({3, 2})}, {}, refusal::Argument, "'gradZ'"}});
  for (const char* name : {"xw_plus_b", "relu_layer"})
    checkRejections(
        name, {{"rank of x", {f({3}), f({3, 2}), f({2})}, {}, refusal::Argument, "'x'"},
               {"rank of w", {f({2, 3}), f({3}), f({2})}, {}, refusal::Argument, "'weights'"},
               {"product", {f({2, 3}), f({2, 2}), f({2})}, {}, refusal::Argument, "do not match for a matrix product"},
               {"b", {f({2, 3}), f({3, 2}), f({3})}, {}, refusal::Argument, "'bias'"}});
  checkRejections("xw_plus_b_bp", {{"g", {f({2, 3}), f({3, 2}), f({2}), f({3, 2})}, {}, refusal::Argument, "'gradZ'"}});
  checkRejections("apply_sgd", {{"shapes", {f({2}), f({3})}, {.t = {1}}, refusal::Argument, "'gradient'"},
                                {"no rate", {f({2}), f({2})}, {}, refusal::Argument, "learning_rate"},
                                {"types", {f({2}), In(DOUBLE, {2})}, {.t = {1}}, refusal::Runtime, "type"}});
}

TEST(OpsNnReject, Attention) {
  const Arguments forward{.i = {1, 0}};
  checkRejections(
      "dot_product_attention",
      {{"ranks", {f({2, 3, 4}), f({3, 4}), f({2, 3, 4})}, forward, refusal::Argument, "rank is 2"},
       {"batch", {f({2, 3, 4}), f({1, 3, 4}), f({2, 3, 4})}, forward, refusal::Argument, "dimension 0"},
       {"features", {f({2, 3, 4}), f({2, 2, 4}), f({2, 3, 4})}, forward, refusal::Argument, "features"},
       {"time", {f({2, 3, 4}), f({2, 3, 5}), f({2, 3, 4})}, forward, refusal::Argument, "time"},
       {"mask", {f({2, 3, 4}), f({2, 3, 4}), f({2, 3, 4}), f({2, 3})}, forward, refusal::Argument, "'mask'"}});
  checkRejections(
      "dot_product_attention_bp",
      {{"g", {f({2, 3, 4}), f({2, 3, 4}), f({2, 3, 4}), f({2, 3, 3})}, {.i = {1}}, refusal::Argument, "'gradZ'"}});
  const In q = f({1, 2, 3}), w = f({2, 2, 2});
  checkRejections("multi_head_dot_product_attention",
                  {{"rank", {f({2, 3}), q, q, w, w, w, f({4, 5})}, forward, refusal::Argument, "'queries'"},
                   {"heads", {q, q, q, w, f({3, 2, 2}), w, f({4, 5})}, forward, refusal::Argument, "heads"},
                   {"Wq", {q, q, q, f({2, 2, 3}), w, w, f({4, 5})}, forward, refusal::Argument, "'weights_query'"},
                   {"Wo", {q, q, q, w, w, w, f({3, 5})}, forward, refusal::Argument, "'weights_out'"}});
}

TEST(OpsNnReject, Statistics) {
  checkRejections("moments", {{"axis", {f({2, 3})}, {.i = {2}}, refusal::Argument, "outside"}});
  checkRejections("sufficient_statistics", {{"axis", {f({2, 3}), i({1}, {5})}, {}, refusal::Argument, "outside"}});
  checkRejections("normalize_moments",
                  {{"counts", {f({2}), f({3}), f({3})}, {.t = {0}}, refusal::Argument, "'count'"},
                   {"squares", {f({}), f({3}), f({2})}, {.t = {0}}, refusal::Argument, "'squares'"}});
  checkRejections("weighted_cross_entropy_with_logits",
                  {{"logits", {f({2, 3}), f({3, 2}), f({})}, {}, refusal::Argument, "'logits'"},
                   {"weights", {f({2, 3}), f({2, 3}), f({2})}, {}, refusal::Argument, "'weights'"}});
}

TEST(OpsLossReject, Weighted) {
  for (const char* name : {"absolute_difference_loss", "mean_sqerr_loss", "huber_loss", "log_loss", "log_poisson_loss",
                           "hinge_loss", "sigm_cross_entropy_loss", "mean_pairwssqerr_loss", "cosine_distance_loss"}) {
    const Arguments mean{.t = {0.1}, .i = {2, 1}};
    for (const std::string suffix : {"", "_grad"})
      checkRejections(
          (name + suffix).c_str(),
          {{"labels", {f({2, 3}), f({}), f({3, 2})}, mean, refusal::Argument, "'labels'"},
           {"rank of the weights", {f({2, 3}), f({3}), f({2, 3})}, mean, refusal::Argument, "'weights'"},
           {"size of the weights", {f({2, 3}), f({3, 1}), f({2, 3})}, mean, refusal::Argument, "'weights'"},
           {"larger weights", {f({1, 3}), f({2, 1}), f({1, 3})}, mean, refusal::Argument, "'weights'"},
           {"mode", {f({2, 3}), f({}), f({2, 3})}, {.t = {0.1}, .i = {4, 1}}, refusal::Argument, "4 is none of"},
           {"no mode", {f({2, 3}), f({}), f({2, 3})}, {.t = {0.1}}, refusal::Validation, ""}});
  }
  for (const char* name : {"cosine_distance_loss", "cosine_distance_loss_grad"})
    checkRejections(name,
                    {{"axis", {f({2, 3}), f({}), f({2, 3})}, {.i = {1, 2}}, refusal::Argument, "outside -2..1"},
                     {"axis", {f({2, 3}), f({}), f({2, 3})}, {.i = {1, -3}}, refusal::Argument, "outside -2..1"}});
  checkRejections("l2_loss", {{"integers", {i({3})}, {}, refusal::Validation, "input 0"}});
}

TEST(OpsLossReject, CrossEntropies) {
  for (const char* name : {"softmax_cross_entropy_loss", "softmax_cross_entropy_loss_grad"})
    checkRejections(name,
                    {{"labels", {f({2, 3}), f({}), f({3, 2})}, {.t = {0}, .i = {2}}, refusal::Argument, "'labels'"},
                     {"weights", {f({2, 3}), f({3}), f({2, 3})}, {.t = {0}, .i = {2}}, refusal::Argument, "'weights'"},
                     {"mode", {f({2, 3}), f({}), f({2, 3})}, {.t = {0}, .i = {-1}}, refusal::Argument, "-1"},
                     {"a scalar", {f({}), f({}), f({})}, {.t = {0}, .i = {2}}, refusal::Argument, "'logits'"},
                     {"smoothing", {f({3}), f({}), f({3})}, {.t = {0.1}, .i = {2}}, refusal::Argument, "smoothing"}});
  for (const char* name : {"softmax_cross_entropy_loss_with_logits", "softmax_cross_entropy_loss_with_logits_grad"})
    checkRejections(name, {{"labels", {f({2, 3}), f({3, 2})}, {}, refusal::Argument, "'labels'"},
                           {"axis", {f({2, 3}), f({2, 3})}, {.i = {2}}, refusal::Argument, "outside"}});
  for (const char* name :
       {"sparse_softmax_cross_entropy_loss_with_logits", "sparse_softmax_cross_entropy_loss_with_logits_grad"})
    checkRejections(name, {{"rank", {i({2, 3}), f({2, 3})}, {}, refusal::Argument, "rank"},
                           {"shape", {i({3}), f({2, 3})}, {}, refusal::Argument, "'labels'"},
                           {"class", {i({2}, {0, 3}), f({2, 3})}, {}, refusal::Argument, "value 3 at [1]"},
                           {"negative", {i({2}, {-1, 0}), f({2, 3})}, {}, refusal::Argument, "value -1 at [0]"}});
}

TEST(OpsLossReject, Ctc) {
  for (const char* name : {"ctc_loss", "ctc_loss_grad"})
    checkRejections(
        name, {{"labels", {i({2}), f({2, 4, 3}), i({2}), i({2})}, {.i = {0}}, refusal::Argument, "'labels'"},
               {"logits", {i({2, 2}), f({4, 3}), i({2}), i({2})}, {.i = {0}}, refusal::Argument, "'logits'"},
               {"lengths", {i({2, 2}), f({2, 4, 3}), i({2}), i({3})}, {.i = {0}}, refusal::Argument, "'logit_lengths'"},
               {"a class outside",
                {i({1, 2}, {1, 3}), f({1, 4, 3}), i({1}, {2}), i({1}, {4})},
                {.i = {0}},
                refusal::Argument,
                "value 3 at [0, 1]"}});
}

TEST(OpsUpdatersReject, All) {
  struct Updater {
    const char* name;
    size_t states, rates;
  };
  for (const Updater& u :
       {Updater{"sgd_updater", 0, 1}, Updater{"rms_prop_updater", 1, 3}, Updater{"ada_grad_updater", 1, 2},
        Updater{"nesterovs_updater", 1, 2}, Updater{"ada_delta_updater", 2, 2}, Updater{"adam_updater", 2, 4},
        Updater{"adabelief_updater", 2, 4}, Updater{"nadam_updater", 2, 4}, Updater{"ada_max_updater", 2, 4},
        Updater{"ams_grad_updater", 3, 4}}) {
    const std::vector<double> rates(u.rates, 0.5), fewer(u.rates - 1, 0.5);
    std::vector<In> inputs(1 + u.states, f({2, 3}));
    std::vector<Rejection> table = {
        {"no rates", inputs, {}, refusal::Argument, "is missing"},
        {"fewer rates", inputs, {.t = fewer}, refusal::Argument, fewer.empty() ? "is missing" : "arguments are given"}};
    std::vector<In> incomplete = inputs;
    incomplete.insert(incomplete.end(), u.rates, f({}));
    std::vector<In> vectors = incomplete;
    vectors.back() = f({2});
    table.push_back({"a rate of two elements", vectors, {}, refusal::Argument, "it has 2 elements, not 1"});
    incomplete.pop_back();
    if (u.rates > 1)
      table.push_back({"incomplete inputs", incomplete, {.t = rates}, refusal::Argument, "rates are inputs"});
    if (u.states > 0) {
      std::vector<In> shapes = inputs, types = inputs;
      shapes.back() = f({3, 2});
      types.back() = In(DOUBLE, {2, 3});
      table.push_back({"state of another shape", shapes, {.t = rates}, refusal::Argument, "its shape is [3, 2]"});
      table.push_back({"state of another type", types, {.t = rates}, refusal::Argument, "DOUBLE"});
    }
    checkRejections(u.name, table);
  }
}

TEST(OpsRandomReject, All) {
  checkRejections("random_normal", {{"one argument", {i({2}, {2, 3})}, {.t = {1}}, refusal::Validation, ""},
                                    {"negative", {i({2}, {2, -3})}, {.t = {1, 1}}, refusal::Argument, "-3 at [1]"}});
  checkRejections("randomuniform",
                  {{"float shape", {f({2}, {2, 3})}, {}, refusal::Argument, "'shape'"},
                   {"type of min", {i({1}, {2}), In(DOUBLE, {})}, {.i = {5}}, refusal::Argument, "'min'"},
                   {"BOOL", {i({1}, {2})}, {.i = {1}}, refusal::Argument, "'dtype'"}});
  checkRejections("random_gamma", {{"broadcast", {i({1}, {2}), f({2}), f({3})}, {}, refusal::Argument, "broadcast"},
                                   {"alpha 0", {i({1}, {2}), f({2})}, {}, refusal::Argument, "'alpha'"}});
  checkRejections("random_poisson", {{"negative", {i({1}, {2}), f({1}, {-1})}, {}, refusal::Argument, "'rate'"}});
  checkRejections("random_multinomial",
                  {{"rank", {f({3}), i({}, {2})}, {}, refusal::Argument, "rank"},
                   {"empty", {f({0, 3}), i({}, {2})}, {}, refusal::Argument, "empty"},
                   {"samples", {f({2, 3}), i({}, {0})}, {}, refusal::Argument, "'num_samples'"},
                   {"two", {f({2, 3}), i({2}, {1, 1})}, {}, refusal::Argument, "'num_samples'"},
                   {"type", {f({2, 3}), i({}, {1})}, {.i = {0, 5}}, refusal::Argument, "'dtype'"}});
  checkRejections("random_crop", {{"larger", {f({2, 3}), i({2}, {2, 4})}, {}, refusal::Argument, "4 at [1]"},
                                  {"length", {f({2, 3}), i({1}, {2})}, {}, refusal::Argument, "'shape'"},
                                  {"rank", {f({2, 3}), i({2, 2}, {2, 2, 2, 2})}, {}, refusal::Argument, "'shape'"}});
  checkRejections("dropout",
                  {{"p", {f({2})}, {.t = {1.5}, .i = {1}}, refusal::Argument, "'p'"},
                   {"noise", {f({2, 3}), i({2}, {2, 2})}, {.t = {0.5}, .i = {1}}, refusal::Argument, "'noise_shape'"},
                   {"rank", {f({3}), i({2}, {1, 3})}, {.t = {0.5}, .i = {1}}, refusal::Argument, "'noise_shape'"}});
  checkRejections("dropout_bp", {{"p", {f({2}), f({2})}, {.t = {0}, .i = {1}}, refusal::Argument, "'p'"},
                                 {"g", {f({2}), f({3})}, {.t = {0.5}, .i = {1}}, refusal::Argument, "'gradZ'"}});
  checkRejections("alpha_dropout_bp",
                  {{"p", {f({2}), f({2})}, {.t = {0, 1, 1, 1}, .i = {1}}, refusal::Argument, "'p'"},
                   {"g", {f({2}), f({3})}, {.t = {0.5, 1, 1, 1}, .i = {1}}, refusal::Argument, "'gradZ'"}});
  checkRejections("set_seed", {{"two elements", {i({2})}, {}, refusal::Argument, "'seed'"}});
}
