// Learning rates as functions of the step number.
#ifndef NDFORGE_TRAINING_SCHEDULE_H
#define NDFORGE_TRAINING_SCHEDULE_H

#include <system/common.h>

#include <functional>
#include <utility>

namespace sd::training {

/// A learning rate for each step; steps count from 0. A value type. A number is the schedule that always is this
/// number, and any function of the step number is a schedule.
class SD_LIB_EXPORT Schedule {
 public:
  Schedule(double rate);
  explicit Schedule(std::function<double(LongType step)> rate) : _rate(std::move(rate)) {}

  double at(LongType step) const { return _rate(step); }

  /// rate * factor^floor(step / every)
  static Schedule stepwise(double rate, double factor, LongType every);
  /// rate * factor^step
  static Schedule exponential(double rate, double factor);
  /// rate / (1 + gamma step)^power
  static Schedule inverse(double rate, double gamma, double power = 1);
  /// rate * (1 - step / steps)^power, and 0 from step `steps` on
  static Schedule polynomial(double rate, LongType steps, double power = 1);
  /// From `rate` to `last` along half a period of a cosine; `last` from step `steps` on.
  static Schedule cosine(double rate, LongType steps, double last = 0);
  /// Triangles between `least` and `most`, which begin with `least` and are `period` steps wide.
  static Schedule triangles(double least, double most, LongType period);
  /// One cycle: up from `least` to `most` in the first 45 % of the steps, down again in as many, and in the rest on to
  /// least / 100, where it stays.
  static Schedule oneCycle(double least, double most, LongType steps);

  /// This schedule from step `steps` on; before, a line up to its first rate, of which step 0 has 1 / (steps + 1).
  Schedule warmedUp(LongType steps) const;
  /// This one for `steps` steps, then `next` from its beginning.
  Schedule then(LongType steps, Schedule next) const;

 private:
  std::function<double(LongType)> _rate;
};

}  // namespace sd::training

#endif
