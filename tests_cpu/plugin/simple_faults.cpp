// Modules of simple operations with one fault each, named by FAULT. SimpleOpTests.cpp says what must happen to them.
#include <ops/simple/SimpleOp.h>

#define AS_NUMBER_clash 1
#define AS_NUMBER_backward 2
#define AS_NUMBER_contradiction 3
#define AS_NUMBER_(NAME) AS_NUMBER_##NAME
#define AS_NUMBER(NAME) AS_NUMBER_(NAME)
#define IS(NAME) (AS_NUMBER(FAULT) == AS_NUMBER_##NAME)

using namespace sd::ops;

namespace {

[[maybe_unused]] void copy(const InputView& src, const EnvArguments&, OutputView out, OpReqType req,
                           sd::graph::Context&) {
  SD_FLOAT_SWITCH(out.type(), T, { ASSIGN_DISPATCH(out.as<T>(), req, src.as<T>()); })
}

}  // namespace

SD_REGISTER_SIMPLE_OP(simple_before_clash).set_function(copy).describe("Copies an array.");

#if IS(clash)
SD_REGISTER_SIMPLE_OP(simple_exp).set_function(copy).describe("Copies an array.");
#elif IS(backward)
SD_REGISTER_SIMPLE_OP(_backward_simple_exp).set_function(copy).describe("Copies an array.");
#elif IS(contradiction)
namespace {
struct Parameters {
  int count = 1;
};
}  // namespace
SD_REGISTER_SIMPLE_OP(simple_contradiction)
    .set_function(copy)
    .set_enable_scalar(true)
    .set_parameters<Parameters>([](Schema& schema) {
      schema.argument(&Parameters::count, "count", "a count").atInteger(0);
    });
#endif
