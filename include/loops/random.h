// Random operations on buffers whose type is known at compile time.
#ifndef NDFORGE_LOOPS_RANDOM_H
#define NDFORGE_LOOPS_RANDOM_H

#include <graph/RandomGenerator.h>
#include <loops/TypedOperands.h>

namespace sd::loops {

/// Writes to z element i of the result that `random` gives for arrays of `length` elements. x and y are elements i of
/// the inputs, or null; all values have type `type`. The generator does not advance. @throws std::runtime_error as
/// `random`, and for operations that read several elements of an input
SD_LIB_EXPORT void randomElement(int op, const graph::RandomGenerator& generator, DataType type, LongType i,
                                 LongType length, const void* x, const void* y, void* z, const void* params);

}  // namespace sd::loops

namespace functions::random {

/// X: the type of all arrays. `state` is a sd::graph::RandomGenerator*; parameters and errors are those of
/// sd::loops::random.
template <typename X>
class RandomFunction {
  using Info = const sd::LongType*;

 public:
  /// Without input arrays, with one, with two.
  static void execTransform(int opNum, sd::Pointer state, void* z, Info zShapeInfo, void* extraArguments) {
    run(opNum, state, {nullptr, nullptr}, {nullptr, nullptr}, z, zShapeInfo, extraArguments);
  }
  static void execTransform(int opNum, sd::Pointer state, const void* x, Info xShapeInfo, void* z, Info zShapeInfo,
                            void* extraArguments) {
    run(opNum, state, in(x, xShapeInfo, "x"), {nullptr, nullptr}, z, zShapeInfo, extraArguments);
  }
  static void execTransform(int opNum, sd::Pointer state, const void* x, Info xShapeInfo, const void* y,
                            Info yShapeInfo, void* z, Info zShapeInfo, void* extraArguments) {
    run(opNum, state, in(x, xShapeInfo, "x"), in(y, yShapeInfo, "y"), z, zShapeInfo, extraArguments);
  }

 private:
  static sd::loops::In in(const void* data, Info info, const char* name) {
    return sd::loops::typedIn<X>("RandomFunction", name, data, info);
  }
  static void run(int opNum, sd::Pointer state, sd::loops::In x, sd::loops::In y, void* z, Info zShapeInfo,
                  void* extraArguments) {
    if (state == nullptr) throw std::runtime_error("[RandomFunction] argument 'state' is null");
    sd::loops::random(opNum, *static_cast<sd::graph::RandomGenerator*>(state), x, y,
                      sd::loops::typedOut<X>("RandomFunction", z, zShapeInfo), extraArguments);
  }
};

}  // namespace functions::random

#endif
