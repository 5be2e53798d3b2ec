// Macros for faster implementations of operations (ops/declarable/PlatformHelper.h). NAME is the operation, ENGINE is
// ENGINE_CPU or ENGINE_CUDA. The bodies of PLATFORM_IMPL and PLATFORM_CHECK follow in braces.
#ifndef NDFORGE_SYSTEM_PLATFORM_BOILERPLATE_H
#define NDFORGE_SYSTEM_PLATFORM_BOILERPLATE_H

#include <execution/Engine.h>
#include <ops/declarable/PlatformHelper.h>

#define SD_PLATFORM_CLASS(NAME, ENGINE) PLATFORM_##NAME##_##ENGINE

#define DECLARE_PLATFORM(NAME, ENGINE)                                                \
  class SD_PLATFORM_CLASS(NAME, ENGINE) : public sd::ops::platforms::PlatformHelper { \
   public:                                                                            \
    SD_PLATFORM_CLASS(NAME, ENGINE)();                                                \
    bool isUsable(sd::graph::Context& block) override {                               \
      prepare(block);                                                                 \
      return accepts(block);                                                          \
    }                                                                                 \
    sd::Status invokeHelper(sd::graph::Context& block) override {                     \
      prepare(block);                                                                 \
      return run(block);                                                              \
    }                                                                                 \
                                                                                      \
   private:                                                                           \
    bool accepts(sd::graph::Context& block);                                          \
    sd::Status run(sd::graph::Context& block);                                        \
  };
#define SD_PLATFORM_BODY(NAME, TEXT, ENGINE)                                                                        \
  SD_PLATFORM_CLASS(NAME, ENGINE)::SD_PLATFORM_CLASS(NAME, ENGINE)()                                                \
      : sd::ops::platforms::PlatformHelper(TEXT, samediff::ENGINE) {}                                               \
  static const sd::ops::platforms::HelperRegistration<SD_PLATFORM_CLASS(NAME, ENGINE)> SD_helper_##NAME##_##ENGINE; \
  sd::Status SD_PLATFORM_CLASS(NAME, ENGINE)::run([[maybe_unused]] sd::graph::Context& block)
#define PLATFORM_IMPL(NAME, ENGINE) SD_PLATFORM_BODY(NAME, #NAME, ENGINE)
#define PLATFORM_CHECK(NAME, ENGINE) \
  bool SD_PLATFORM_CLASS(NAME, ENGINE)::accepts([[maybe_unused]] sd::graph::Context& block)

// The same for numbered operations, by their names in transform::StrictOps and scalar::Ops.
#define DECLARE_PLATFORM_TRANSFORM_STRICT(NAME, ENGINE) DECLARE_PLATFORM(transform_strict_##NAME, ENGINE)
#define PLATFORM_TRANSFORM_STRICT_IMPL(NAME, ENGINE) \
  SD_PLATFORM_BODY(transform_strict_##NAME, "transform." #NAME, ENGINE)
#define PLATFORM_TRANSFORM_STRICT_CHECK(NAME, ENGINE) PLATFORM_CHECK(transform_strict_##NAME, ENGINE)
#define DECLARE_PLATFORM_SCALAR_OP(NAME, ENGINE) DECLARE_PLATFORM(scalar_##NAME, ENGINE)
#define PLATFORM_SCALAR_OP_IMPL(NAME, ENGINE) SD_PLATFORM_BODY(scalar_##NAME, "scalar." #NAME, ENGINE)
#define PLATFORM_SCALAR_OP_CHECK(NAME, ENGINE) PLATFORM_CHECK(scalar_##NAME, ENGINE)

#endif
