// Macros that declare and define operation classes. NAME is both the class in namespace sd::ops and the name in the
// registry. NIN and NOUT count inputs and outputs (-1: one or more, -2: any number); TARGS and IARGS count the floating
// and integer arguments that must be given (-1: at least one, -2: any number). INPLACEABLE: outputs may share the
// inputs' arrays.
//
// DECLARE_… belongs where users of the class can see it. …_IMPL belongs in one source file: it defines the constructor,
// enters the operation in the registry and begins the body, which follows in braces. <ops/declarable/DeclarableOp.h>
// must be included.
#ifndef NDFORGE_SYSTEM_OP_DECLARATION_H
#define NDFORGE_SYSTEM_OP_DECLARATION_H

#include <system/config.h>

// For `#if NOT_EXCLUDED(OP_softmax)` in programs: whether SD_OPERATIONS is empty or names the operation.
#if defined(SD_ALL_OPS)
#define NOT_EXCLUDED(NAME) 1
#else
#define NOT_EXCLUDED(NAME) NAME
#endif

#define SD_OP_CLASS(NAME, BASE, ...)                                   \
  class SD_LIB_EXPORT NAME : public sd::ops::BASE {                    \
   public:                                                             \
    NAME();                                                            \
    __VA_ARGS__                                                        \
   protected:                                                          \
    sd::Status validateAndExecute(sd::graph::Context& block) override; \
  };
#define SD_OP_SHAPE_MEMBER \
  sd::ShapeList* calculateOutputShape(sd::ShapeList* inputShape, sd::graph::Context& block) override;
#define SD_OP_TYPES_MEMBER void registerTypes() override;

#define DECLARE_OP(NAME, NIN, NOUT, INPLACEABLE) SD_OP_CLASS(NAME, DeclarableOp, SD_OP_SHAPE_MEMBER SD_OP_TYPES_MEMBER)
#define DECLARE_CONFIGURABLE_OP(NAME, NIN, NOUT, INPLACEABLE, TARGS, IARGS) \
  SD_OP_CLASS(NAME, DeclarableOp, SD_OP_SHAPE_MEMBER SD_OP_TYPES_MEMBER)
#define DECLARE_CUSTOM_OP(NAME, NIN, NOUT, INPLACEABLE, TARGS, IARGS) \
  SD_OP_CLASS(NAME, DeclarableCustomOp, SD_OP_SHAPE_MEMBER SD_OP_TYPES_MEMBER)
#define DECLARE_DIVERGENT_OP(NAME, NIN, NOUT, INPLACEABLE) SD_OP_CLASS(NAME, DeclarableOp, SD_OP_SHAPE_MEMBER)
#define DECLARE_REDUCTION_OP(NAME, NIN, NOUT, INPLACEABLE, TARGS, IARGS) \
  SD_OP_CLASS(NAME, DeclarableReductionOp, SD_OP_TYPES_MEMBER)
#define DECLARE_BOOLEAN_OP(NAME, NIN, SCALAR) SD_OP_CLASS(NAME, BooleanOp, SD_OP_TYPES_MEMBER)
#define DECLARE_BROADCASTABLE_OP(NAME, TARGS, IARGS) SD_OP_CLASS(NAME, BroadcastableOp, SD_OP_TYPES_MEMBER)
#define DECLARE_BROADCASTABLE_BOOL_OP(NAME, TARGS, IARGS) SD_OP_CLASS(NAME, BroadcastableBoolOp, SD_OP_TYPES_MEMBER)
#define DECLARE_LIST_OP(NAME, NIN, NOUT, TARGS, IARGS) SD_OP_CLASS(NAME, DeclarableListOp, )
#define DECLARE_LOGIC_OP(NAME) SD_OP_CLASS(NAME, LogicOp, )
#define DECLARE_DEVICE_OP(NAME, NIN, NOUT, INPLACEABLE, TARGS, IARGS)

// Objects of the library's classes are marked wherever they are made; the registry's are in Registration.h, however their
// operations are written.
#if defined(SD_BUILDING_LIBRARY)
#define SD_MARK_BUILT_IN getOpDescriptor()->markBuiltIn();
#else
#define SD_MARK_BUILT_IN
#endif
#define SD_OP_BODY(NAME, BASE, ...)                                      \
  NAME::NAME() : sd::ops::BASE(__VA_ARGS__) { SD_MARK_BUILT_IN }         \
  static const sd::ops::detail::Registration<NAME> SD_registered_##NAME; \
  sd::Status NAME::validateAndExecute([[maybe_unused]] sd::graph::Context& block)
#define SD_OP_SHAPES(NAME, FUNCTION)                                                                \
  sd::ShapeList* NAME::calculateOutputShape(sd::ShapeList* inputShape, sd::graph::Context& block) { \
    return FUNCTION(inputShape, block);                                                             \
  }

#define OP_IMPL(NAME, NIN, NOUT, INPLACEABLE) \
  SD_OP_SHAPES(NAME, shapesOfInputs)          \
  SD_OP_BODY(NAME, DeclarableOp, NIN, NOUT, #NAME, INPLACEABLE)
#define CONFIGURABLE_OP_IMPL(NAME, NIN, NOUT, INPLACEABLE, TARGS, IARGS) \
  SD_OP_SHAPES(NAME, shapesOfInputs)                                     \
  SD_OP_BODY(NAME, DeclarableOp, NIN, NOUT, #NAME, INPLACEABLE, TARGS, IARGS)
#define CUSTOM_OP_IMPL(NAME, NIN, NOUT, INPLACEABLE, TARGS, IARGS) \
  SD_OP_BODY(NAME, DeclarableCustomOp, NIN, NOUT, #NAME, INPLACEABLE, TARGS, IARGS)
#define DIVERGENT_OP_IMPL(NAME, NIN, NOUT, INPLACEABLE) \
  SD_OP_SHAPES(NAME, shapesOfFirstInput)                \
  SD_OP_BODY(NAME, DeclarableOp, NIN, NOUT, #NAME, INPLACEABLE, true)
#define REDUCTION_OP_IMPL(NAME, NIN, NOUT, INPLACEABLE, TARGS, IARGS) \
  SD_OP_BODY(NAME, DeclarableReductionOp, NIN, NOUT, #NAME, INPLACEABLE, TARGS, IARGS)
#define BOOLEAN_OP_IMPL(NAME, NIN, SCALAR) SD_OP_BODY(NAME, BooleanOp, #NAME, NIN, SCALAR)
#define BROADCASTABLE_OP_IMPL(NAME, TARGS, IARGS) SD_OP_BODY(NAME, BroadcastableOp, #NAME, TARGS, IARGS)
#define BROADCASTABLE_BOOL_OP_IMPL(NAME, TARGS, IARGS) SD_OP_BODY(NAME, BroadcastableBoolOp, #NAME, TARGS, IARGS)
#define LIST_OP_IMPL(NAME, NIN, NOUT, TARGS, IARGS) SD_OP_BODY(NAME, DeclarableListOp, NIN, NOUT, #NAME, TARGS, IARGS)
#define LOGIC_OP_IMPL(NAME) \
  SD_OP_BODY(NAME, LogicOp, #NAME) { return sd::ops::LogicOp::validateAndExecute(block); }

#define DECLARE_SHAPE_FN(NAME)                                                          \
  sd::ShapeList* NAME::calculateOutputShape([[maybe_unused]] sd::ShapeList* inputShape, \
                                            [[maybe_unused]] sd::graph::Context& block)
#define DECLARE_TYPES(NAME) void NAME::registerTypes()
// The definition of an operation, instead of DECLARE_TYPES: statements on `schema`, a sd::ops::Schema, in braces.
#define DECLARE_SCHEMA(NAME)                                                                  \
  [[gnu::cold]] static void SD_schema_##NAME(sd::ops::Schema& schema);                        \
  [[gnu::cold]] void NAME::registerTypes() { SD_schema_##NAME(getOpDescriptor()->schema()); } \
  static void SD_schema_##NAME([[maybe_unused]] sd::ops::Schema& schema)
// Instead of DECLARE_SHAPE_FN: the shapes are those of the schema's inference.
#define INFERRED_SHAPES(NAME)                                                                       \
  sd::ShapeList* NAME::calculateOutputShape(sd::ShapeList* inputShape, sd::graph::Context& block) { \
    return inferredShapes(inputShape, block);                                                       \
  }
#define DECLARE_SAME_TYPE(NAME) \
  void NAME::registerTypes() { getOpDescriptor()->setSameMode(true); }
// Another name for an operation. Use it after the operation's …_IMPL, and end it with a semicolon.
#define DECLARE_SYN(ALIAS, ORIGINAL) \
  static const sd::ops::detail::Synonym SD_synonym_##ALIAS##_##ORIGINAL(#ALIAS, #ORIGINAL)

#endif
