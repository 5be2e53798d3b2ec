// Operations whose documentation would break pages that do not escape it, and whose names would point outside the
// folder.
#include <ops/declarable/CustomOperations.h>

#define HOSTILE "<script>document.title = 'broken'</script> & \"double\" 'single' </code></main> <!-- ]]> \x01"

namespace sd::ops {

DECLARE_CONFIGURABLE_OP(hostile_text, 1, 1, true, 1, 1)
CONFIGURABLE_OP_IMPL(hostile_text, 1, 1, true, 1, 1) {
  OUTPUT_VARIABLE(0)->assign(*INPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_TYPES(hostile_text) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "summary " HOSTILE,
                  .formula = "formula " HOSTILE,
                  .inputs = "x: input " HOSTILE,
                  .outputs = "z: output " HOSTILE,
                  .floats = "scale: float (default " HOSTILE ")",
                  .integers = "integer " HOSTILE,
                  .booleans = "flag?: boolean " HOSTILE,
                  .types = "types " HOSTILE,
                  .notes = "notes " HOSTILE});
}
DECLARE_SYN(hostile_alias, hostile_text);

}  // namespace sd::ops

namespace {

const bool registered = [] {
  auto& registry = sd::ops::OpRegistrator::getInstance();
  return registry.registerAlias("../<b>&\"alias\"", "hostile_text");
}();

}  // namespace
