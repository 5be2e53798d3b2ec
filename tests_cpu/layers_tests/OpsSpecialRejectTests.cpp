// Calls that special functions and the cross product must reject.
#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

TEST(OpsSpecialRejectTests, Rejections) {
  const In two(DOUBLE, {2}, {2, 2}), three(DOUBLE, {3}, {2, 2, 2}), single(FLOAT32, {2}, {2, 2}), ints(INT32, {2});
  const In negative(DOUBLE, {2}, {2, -1}), zero(DOUBLE, {2}, {0, 2}), fraction(DOUBLE, {2}, {0.5, 0.5});
  for (const char* name : {"Log1p", "lgamma", "digamma"})
    checkRejections(name, {{"integers", {ints}, {}, refusal::Validation, "INT32"}});
  for (const char* name : {"polygamma", "zeta"})
    checkRejections(name, {{"other shapes", {two, three}, {}, refusal::Argument, "its shape is [3], but input 0"},
                           {"other types", {two, single}, {}, refusal::Argument, "inputs 0 and 1 differ in type"},
                           {"a zero", {two, zero}, {}, refusal::Argument, "value 0 of element 0 is not positive"},
                           {"a negative number", {two, negative}, {}, refusal::Argument, "value -1 of element 1"}});
  checkRejections("polygamma", {{"a negative order", {negative, two}, {}, refusal::Argument, "input 0 'n': value -1"}});
  checkRejections("zeta",
                  {{"an exponent of 1", {In(DOUBLE, {2}, {2, 1}), two}, {}, refusal::Argument, "is not above 1"}});
  checkRejections("betainc",
                  {{"other shapes", {two, three, fraction}, {}, refusal::Argument, "input 1 'b': its shape is [3]"},
                   {"other types", {two, two, single}, {}, refusal::Argument, "inputs 0 and 2 differ"},
                   {"a zero", {zero, two, fraction}, {}, refusal::Argument, "input 0 'a': value 0"},
                   {"a negative number", {two, negative, fraction}, {}, refusal::Argument, "input 1 'b': value -1"},
                   {"x above 1", {two, two, two}, {}, refusal::Argument, "value 2 of element 0 is not in 0..1"}});
  checkRejections("cross",
                  {{"other shapes", {three, two}, {}, refusal::Argument, "its shape is [2], but input 0"},
                   {"two dimensions", {two, two}, {}, refusal::Argument, "last dimension is not 3 (shape [2])"},
                   {"numbers", {In(DOUBLE, {}), In(DOUBLE, {})}, {}, refusal::Argument, "last dimension is not 3"},
                   {"other types", {three, In(FLOAT32, {3})}, {}, refusal::Argument, "differ in type"}});
}
