// A faster implementation of an operation, based on a library or on instructions that only some machines have.
#ifndef NDFORGE_OPS_DECLARABLE_PLATFORMHELPER_H
#define NDFORGE_OPS_DECLARABLE_PLATFORMHELPER_H

#include <execution/Engine.h>
#include <graph/Context.h>
#include <ops/declarable/OpRegistrator.h>
#include <system/common.h>

#include <string>

namespace sd::ops::platforms {

/// Every call of the operation asks isUsable(), after the checks and when the outputs exist. If it returns true, the
/// helper computes the outputs, else the operation's own body does. Not used when helpers are switched off:
/// Environment::allowHelpers, Context::allowHelpers, or the variable SD_FORBID_HELPERS.
class SD_LIB_EXPORT PlatformHelper {
 public:
  PlatformHelper(const char* name, samediff::Engine engine);
  const std::string& name() const { return _name; }
  samediff::Engine engine() const { return _engine; }
  LongType hash() const { return _hash; }
  /// The helper belongs to this library: one of a program can take its place.
  void markBuiltIn() { _builtIn = true; }
  bool isBuiltIn() const { return _builtIn; }

  // In this order, which is that of libnd4j: ND4J's JNI library calls them.
  /// Must not change the context.
  virtual bool isUsable(graph::Context& block) = 0;
  virtual Status invokeHelper(graph::Context& block) = 0;
  virtual ~PlatformHelper() = default;

 protected:
  /// Reads the arguments when a program asks the helper itself, outside of a call of the operation.
  void prepare(graph::Context& block);
  NDArray* getZ(graph::Context& block, int index = 0);
  NDArray* getNullifiedZ(graph::Context& block, int index = 0);

 private:
  std::string _name;
  samediff::Engine _engine;
  LongType _hash;
  bool _builtIn = false;
};

template <typename Helper>
struct HelperRegistration {
  HelperRegistration() {
    auto* helper = new Helper;
#if defined(SD_BUILDING_LIBRARY)
    helper->markBuiltIn();
#endif
    OpRegistrator::getInstance().registerHelper(helper);
  }
};

}  // namespace sd::ops::platforms

#endif
