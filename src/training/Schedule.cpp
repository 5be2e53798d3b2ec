#include <training/Schedule.h>

#include <cmath>

#include "system/Error.h"

namespace sd::training {
namespace {

constexpr double PI = 3.14159265358979323846;

void requireSteps(const char* schedule, LongType steps) {
  if (steps < 1) invalidArgument("[training] {}: {} steps are less than 1", schedule, steps);
}

double between(double from, double to, double part) { return from + (to - from) * part; }

double ratio(LongType a, LongType b) { return static_cast<double>(a) / static_cast<double>(b); }

}  // namespace

Schedule::Schedule(double rate) : _rate([rate](LongType) { return rate; }) {}

Schedule Schedule::stepwise(double rate, double factor, LongType every) {
  requireSteps("stepwise", every);
  return Schedule([=](LongType step) { return rate * std::pow(factor, static_cast<double>(step / every)); });
}

Schedule Schedule::exponential(double rate, double factor) {
  return Schedule([=](LongType step) { return rate * std::pow(factor, static_cast<double>(step)); });
}

Schedule Schedule::inverse(double rate, double gamma, double power) {
  return Schedule([=](LongType step) { return rate / std::pow(1 + gamma * static_cast<double>(step), power); });
}

Schedule Schedule::polynomial(double rate, LongType steps, double power) {
  requireSteps("polynomial", steps);
  return Schedule([=](LongType step) { return step >= steps ? 0 : rate * std::pow(1 - ratio(step, steps), power); });
}

Schedule Schedule::cosine(double rate, LongType steps, double last) {
  requireSteps("cosine", steps);
  return Schedule([=](LongType step) {
    return step >= steps ? last : between(last, rate, (1 + std::cos(PI * ratio(step, steps))) / 2);
  });
}

Schedule Schedule::triangles(double least, double most, LongType period) {
  requireSteps("triangles", period);
  return Schedule([=](LongType step) {
    const double at = 2 * ratio(step % period, period);
    return between(least, most, at <= 1 ? at : 2 - at);
  });
}

Schedule Schedule::oneCycle(double least, double most, LongType steps) {
  requireSteps("oneCycle", steps);
  return Schedule([=](LongType step) {
    constexpr double UP = 0.45;
    const double at = ratio(step, steps), last = least / 100;
    if (at < UP) return between(least, most, at / UP);
    if (at < 2 * UP) return between(most, least, (at - UP) / UP);
    return at < 1 ? between(least, last, (at - 2 * UP) / (1 - 2 * UP)) : last;
  });
}

Schedule Schedule::warmedUp(LongType steps) const {
  requireSteps("warmedUp", steps);
  return Schedule([after = _rate, steps](LongType step) {
    return step >= steps ? after(step) : after(steps) * ratio(step + 1, steps + 1);
  });
}

Schedule Schedule::then(LongType steps, Schedule next) const {
  requireSteps("then", steps);
  return Schedule([first = _rate, second = std::move(next._rate), steps](LongType step) {
    return step < steps ? first(step) : second(step - steps);
  });
}

}  // namespace sd::training
