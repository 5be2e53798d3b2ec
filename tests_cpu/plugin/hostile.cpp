// Operations whose documentation would break pages that do not escape it, and whose names would point outside the
// folder.
#include <ops/declarable/CustomOperations.h>

#define HOSTILE "<script>document.title = 'broken'</script> & \"double\" 'single' </code></main> <!-- ]]> \x01"

namespace sd::ops {

struct HostileText {
  double scale = 1;
  int times = 1;
  bool flag = false;
};

DECLARE_CONFIGURABLE_OP(hostile_text, 1, 1, true, 0, 0)
CONFIGURABLE_OP_IMPL(hostile_text, 1, 1, true, 0, 0) {
  OUTPUT_VARIABLE(0)->assign(*INPUT_VARIABLE(0) * arguments<HostileText>(block).scale);
  return Status::OK;
}
DECLARE_SCHEMA(hostile_text) {
  schema.summary("summary " HOSTILE).formula("formula " HOSTILE).note("notes " HOSTILE).source("source " HOSTILE);
  schema.input("x", "input " HOSTILE).types({ALL_FLOATS});
  schema.argument(&HostileText::scale, "scale", "number " HOSTILE).atFloat(0);
  schema.argument(&HostileText::times, "times", "integer " HOSTILE).atInteger(0).between(1, 9);
  schema.argument(&HostileText::flag, "flag", "flag " HOSTILE).atFlag(0);
  schema.output("z", "output " HOSTILE).when("condition " HOSTILE);
  schema.sameTypes().notDifferentiable("reason " HOSTILE).sideEffect("effect " HOSTILE);
  schema.words("words " HOSTILE).see("add <see>").elsewhere({.numpy = "numpy " HOSTILE, .onnx = "<onnx>"});
  schema.example(R"({"x": [1.0, 2.0], "scale": 3.0})");
}
DECLARE_SYN(hostile_alias, hostile_text);

}  // namespace sd::ops

namespace {

const bool registered = [] {
  auto& registry = sd::ops::OpRegistrator::getInstance();
  return registry.registerAlias("../<b>&\"alias\"", "hostile_text");
}();

}  // namespace
