// Second and third derivatives through conditions in loops and loops in conditions: compared with central differences,
// as plans with and without passes, node by node, and from files.
#include "ControlPrograms.h"

#ifdef SD_ALL_OPS

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;

TEST(ConditionDerivatives, OfBothBranches) {
  for (const double bound : {-10., 10.}) {
    SCOPED_TRACE(bound);
    Program p;
    const Place w = p.parameter("w", row({0.5, -1.25})), v = p.parameter("v", row({2, 0.25}));
    const Place x = p.parameter("x", row({1, 0.5}));
    const Places values = p.choice(
        x, bound, {x},
        [&](const Places& now, int scope) {
          return Places{p.call("multiply", {p.call("tanh", {now[0]}, scope), w}, scope)};
        },
        [&](const Places& now, int scope) {
          return Places{p.call("transform.Sin",
                               {p.call("multiply", {p.call("multiply", {now[0], now[0]}, scope), v}, scope)}, scope)};
        });
    p.loss(values);
    checkDerivatives(p, 3);
  }
}

TEST(ConditionDerivatives, OfConditionsInLoops) {
  // The branch alternates.
  Program p;
  const Place w = p.parameter("w", row({0.5, -1.25})), x = p.parameter("x", row({1, 0.75}));
  const Places values = p.loop(p.constant(4, INT64), {x}, [&](const Places& now, int scope) {
    return p.choice(
        now[0], 0.5, {now[0]},
        [&](const Places& deep, int inside) {
          return Places{p.call("add", {p.call("transform.Exp", {deep[0]}, inside), w}, inside)};
        },
        [&](const Places& deep, int inside) {
          return Places{p.call("transform.Sin", {p.call("multiply", {deep[0], w}, inside)}, inside)};
        },
        scope);
  });
  p.loss(values);
  checkDerivatives(p, 3);
}

TEST(ConditionDerivatives, OfLoopsInConditionsInLoops) {
  Program p;
  const Place w = p.parameter("w", row({0.5, -1.25})), x = p.parameter("x", row({1, 0.75}));
  const Place two = p.constant(2, INT64);
  const Places values = p.loop(p.constant(3, INT64), {x}, [&](const Places& now, int scope) {
    return p.choice(
        now[0], 0.5, {now[0]},
        [&](const Places& deep, int inside) {
          return Places{p.call("add", {p.call("transform.Exp", {deep[0]}, inside), w}, inside)};
        },
        [&](const Places& deep, int inside) {
          return p.loop(
              two, {deep[0]},
              [&](const Places& deepest, int in) {
                return Places{p.call("transform.Sin", {p.call("multiply", {deepest[0], w}, in)}, in)};
              },
              inside);
        },
        scope);
  });
  p.loss(values);
  checkDerivatives(p, 2);
}

TEST(ConditionDerivatives, OfALoopInACondition) {
  for (const double bound : {-10., 10.}) {
    SCOPED_TRACE(bound);
    Program p;
    const Place w = p.parameter("w", row({0.5, -1.25})), x = p.parameter("x", row({1, 0.75}));
    const Place three = p.constant(3, INT64);
    const Places values = p.choice(
        x, bound, {x},
        [&](const Places& now, int scope) {
          return Places{p.call("multiply", {now[0], p.call("transform.Exp", {w}, scope)}, scope)};
        },
        [&](const Places& now, int scope) {
          return p.loop(
              three, {now[0]},
              [&](const Places& deep, int inside) {
                return Places{p.call("tanh", {p.call("multiply", {deep[0], w}, inside)}, inside)};
              },
              scope);
        });
    p.loss(values);
    checkDerivatives(p, 3);
  }
}

TEST(ConditionDerivatives, WhereAnIndexIsComputedInTheBranch) {
  // The branch keeps an integer, which has no gradient.
  for (const double bound : {-10., 10.}) {
    SCOPED_TRACE(bound);
    Program p;
    const Place w = p.parameter("w", matrix(3, 2, {0.5, -0.25, 0.75, 1, 1.5, -0.75}));
    const Place x = p.parameter("x", row({1, 0.75}));
    const Places values = p.loop(p.constant(2, INT64), {x}, [&](const Places& now, int scope) {
      return p.choice(
          x, bound, {now[0]}, [&](const Places& deep, int inside) { return Places{p.call("tanh", {deep[0]}, inside)}; },
          [&](const Places& deep, int inside) {
            const Place largest = p.call("argmax", {p.call("multiply", {deep[0], deep[0]}, inside)}, inside);
            const Place chosen = p.call("gather", {w, largest}, inside);
            return Places{p.call("multiply", {deep[0], p.call("transform.Exp", {chosen}, inside)}, inside)};
          },
          scope);
    });
    p.loss(values);
    if (bound > 0) p.parameters = {"x"};
    checkDerivatives(p, 3);
  }
}

#endif
