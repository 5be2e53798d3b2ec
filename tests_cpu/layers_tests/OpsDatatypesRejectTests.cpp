// Calls that conversions of element types must reject.
#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

TEST(OpsDatatypesReject, Cast) {
  checkRejections("cast", {
                              {"no type", {In(FLOAT32, {2})}, {}, refusal::OutOfRange, "argument 'dtype' is missing"},
                              {"an unknown code", {In(FLOAT32, {2})}, {.i = {99}}, refusal::Argument, "99"},
                              {"a negative code", {In(FLOAT32, {2})}, {.i = {-1}}, refusal::Argument, "-1"},
                              {"a type of strings", {In(FLOAT32, {2})}, {.i = {50}}, refusal::Argument, "50"},
                              {"strings", {In(UTF8, {2})}, {.i = {5}}, refusal::Validation, "input 0"},
                          });
}

TEST(OpsDatatypesReject, NamedTypes) {
  const std::vector<Rejection> table = {
      {"strings", {In(UTF8, {2})}, {}, refusal::Validation, "input 0"},
      {"an output of another type",
       {In(INT8, {2})},
       {},
       refusal::Validation,
       "output 0",
       false,
       std::vector<In>{In(INT8, {2})}},
  };
  for (const char* name : {"to_double", "to_float16", "to_float32", "to_int32", "to_int64", "to_uint32", "to_uint64"})
    checkRejections(name, table);
}

TEST(OpsDatatypesReject, Bitcast) {
  checkRejections(
      "bitcast",
      {
          {"no type", {In(FLOAT32, {2})}, {}, refusal::Validation, "integer arguments"},
          {"parts that do not fill an element", {In(FLOAT32, {2, 3})}, {.i = {6}}, refusal::Argument, "must be 2"},
          {"a scalar", {In(FLOAT32, {})}, {.i = {6}}, refusal::Argument, "must be 2"},
          {"an unknown code", {In(FLOAT32, {2})}, {.i = {0}}, refusal::Runtime, "0"},
          {"strings", {In(UTF8, {2})}, {.i = {5}}, refusal::Validation, "input 0"},
      });
}

TEST(OpsDatatypesReject, MinMax) {
  checkRejections("min_max_datatype", {
                                          {"one argument", {}, {.i = {5}}, refusal::Validation, "integer arguments"},
                                          {"an unknown code", {}, {.i = {50, 0}}, refusal::Runtime, "50"},
                                      });
}
