// Libraries of operations with one fault each, named by FAULT. plugin_tests.cpp says what must happen to them.
#include <ops/declarable/CustomOperations.h>

#include <cstdlib>
#include <stdexcept>

#define AS_NUMBER_bad_calls 1
#define AS_NUMBER_numbered_name 2
#define AS_NUMBER_qualified_name 3
#define AS_NUMBER_custom_name 4
#define AS_NUMBER_alias_name 5
#define AS_NUMBER_alias_of_taken_name 6
#define AS_NUMBER_name_twice 7
#define AS_NUMBER_initialiser_throws 8
#define AS_NUMBER_initialiser_throws_int 9
#define AS_NUMBER_initialiser_aborts 10
#define AS_NUMBER_initialiser_exits 11
#define AS_NUMBER_loads_another 12
#define AS_NUMBER_loads_a_missing_one 13
#define AS_NUMBER_(NAME) AS_NUMBER_##NAME
#define AS_NUMBER(NAME) AS_NUMBER_(NAME)
#define IS(NAME) (AS_NUMBER(FAULT) == AS_NUMBER_##NAME)

#define COPY_OP(NAME)                               \
  namespace sd::ops {                               \
  DECLARE_OP(NAME, 1, 1, true)                      \
  OP_IMPL(NAME, 1, 1, true) {                       \
    OUTPUT_VARIABLE(0)->assign(*INPUT_VARIABLE(0)); \
    return Status::OK;                              \
  }                                                 \
  DECLARE_SAME_TYPE(NAME)                           \
  }

// Every library defines this operation as well: it must not be registered when the library is rejected.
#define WITNESS_(FAULT) witness_of_##FAULT
#define WITNESS(FAULT) WITNESS_(FAULT)
COPY_OP(WITNESS(FAULT))

#if IS(bad_calls)
namespace sd::ops {

const LongType* sameShape(const LongType* info) {
  return ConstantShapeHelper::getInstance().createShapeInfo(ArrayOptions::dataType(info), info);
}

#define BAD_OP(NAME, BODY, SHAPES)                                    \
  DECLARE_CUSTOM_OP(NAME, 1, 1, false, 0, 0)                          \
  CUSTOM_OP_IMPL(NAME, 1, 1, false, 0, 0) BODY DECLARE_SHAPE_FN(NAME) \
  SHAPES                                                              \
  DECLARE_TYPES(NAME) { getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true); }

BAD_OP(
    null_shapes, { return Status::OK; }, { return nullptr; })
BAD_OP(
    null_shape_in_list, { return Status::OK; }, { return SHAPELIST(sameShape(inputShape->at(0)), nullptr); })
BAD_OP(
    throws_int, { throw 7; }, { return SHAPELIST(sameShape(inputShape->at(0))); })
BAD_OP(
    shapes_throw_int, { return Status::OK; }, { throw 7; })

DECLARE_LIST_OP(list_throws_int, 1, 1, 0, 0)
LIST_OP_IMPL(list_throws_int, 1, 1, 0, 0) { throw 7; }

}  // namespace sd::ops
#elif IS(numbered_name)
COPY_OP(Tanh)
#elif IS(qualified_name)
namespace {
const bool registered =
    sd::ops::OpRegistrator::getInstance().registerAlias("transform.Tanh", "witness_of_qualified_name");
}
#elif IS(custom_name)
// The headers have a class softmax.
class OtherSoftmax : public sd::ops::DeclarableOp {
 public:
  OtherSoftmax() : DeclarableOp(1, 1, "softmax", true) {}
  sd::ShapeList* calculateOutputShape(sd::ShapeList* inputs, sd::graph::Context& block) override {
    return shapesOfInputs(inputs, block);
  }

 protected:
  sd::Status validateAndExecute(sd::graph::Context&) override { return sd::Status::OK; }
};
namespace {
const bool registered = sd::ops::OpRegistrator::getInstance().registerOperation(new OtherSoftmax);
}
#elif IS(alias_name)
COPY_OP(mMul)
#elif IS(alias_of_taken_name)
namespace {
auto& registry = sd::ops::OpRegistrator::getInstance();
const bool registered = registry.registerOperation("softmax", registry.getOperation("add"));
}  // namespace
#elif IS(name_twice)
namespace {
const bool registered = sd::ops::OpRegistrator::getInstance().registerOperation(new sd::ops::witness_of_name_twice);
}
#elif IS(initialiser_throws)
namespace {
const bool thrown = [] { return true ? throw std::runtime_error("no licence file") : true; }();
}
#elif IS(initialiser_throws_int)
namespace {
const bool thrown = [] { return true ? throw 7 : true; }();
}
#elif IS(initialiser_aborts)
namespace {
const bool aborted = (std::abort(), true);
}
#elif IS(initialiser_exits)
namespace {
const bool ended = (std::exit(3), true);
}
#elif IS(loads_another)
namespace {
const bool loaded = [] {
  return !sd::ops::loadOpLibrary(std::getenv("NDFORGE_TEST_OTHER_LIBRARY")).operations.empty();
}();
}
#elif IS(loads_a_missing_one)
namespace {
const bool loaded = [] { return !sd::ops::loadOpLibrary("no/such/library.so").operations.empty(); }();
}
#endif
