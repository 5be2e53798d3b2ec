package org.ndforge;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How training changes parameters: a rule, and options of the rule and of the training.
 *
 * @param name sgd, nesterovs, adam, adamax, nadam, amsgrad, adabelief, adagrad, rmsprop or adadelta
 * @param options values by name; those of rules: learning_rate, momentum, beta1, beta2, epsilon, decay; those of the
 *     training: l1, l2, weight_decay, clip_value, clip_norm, clip_global_norm, accumulate, seed
 */
public record Updater(String name, Map<String, Double> options) {
  /**
   * A rule with options.
   *
   * @param name the name of the rule
   * @param options values by name, which are copied
   */
  public Updater {
    Check.given(name, "name");
    for (Map.Entry<String, Double> option : Check.given(options, "options").entrySet()) {
      Check.given(option.getKey(), "the name of an option");
      Check.given(option.getValue(), "the option '" + option.getKey() + "'");
    }
    options = Map.copyOf(options);
  }

  /**
   * Gradient descent.
   *
   * @param learningRate the factor of gradients
   * @return the rule
   */
  public static Updater sgd(double learningRate) {
    return new Updater("sgd", Map.of("learning_rate", learningRate));
  }

  /**
   * Gradient descent with Nesterov's momentum.
   *
   * @param learningRate the factor of gradients
   * @param momentum the part of the last step that goes on
   * @return the rule
   */
  public static Updater nesterovs(double learningRate, double momentum) {
    return new Updater("nesterovs", Map.of("learning_rate", learningRate, "momentum", momentum));
  }

  /**
   * Adam.
   *
   * @param learningRate the size of steps
   * @return the rule
   */
  public static Updater adam(double learningRate) {
    return new Updater("adam", Map.of("learning_rate", learningRate));
  }

  /**
   * The same with another option.
   *
   * @param option its name
   * @param value its value
   * @return the rule
   */
  public Updater with(String option, double value) {
    Map<String, Double> all = new LinkedHashMap<>(options);
    all.put(option, value);
    return new Updater(name, all);
  }
}
