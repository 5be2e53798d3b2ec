// What the functions of a simple operation get besides arrays, and their signatures.
#ifndef NDFORGE_OPS_SIMPLE_ENVARGUMENTS_H
#define NDFORGE_OPS_SIMPLE_ENVARGUMENTS_H

#include <graph/Context.h>
#include <ops/declarable/Arguments.h>
#include <ops/declarable/PartialShape.h>
#include <ops/simple/Kwargs.h>
#include <ops/simple/TensorView.h>

#include <array>
#include <memory>

namespace sd::ops {

/// What a simple operation may ask for: set_resource_request({kTempSpace, kRandom}).
enum ResourceRequest {
  kTempSpace,  ///< memory for the time of the call
  kRandom      ///< a random number generator
};

/// A resource of one call.
class SD_LIB_EXPORT Resource {
 public:
  /// Nothing, as in calls of shape functions.
  Resource() = default;
  Resource(ResourceRequest kind, graph::Context& call) : _kind(kind), _call(&call) {}
  ~Resource();
  Resource(Resource&& other) noexcept;
  Resource& operator=(Resource&& other) noexcept;

  /// `count` elements, uninitialised, from the workspace of the call if it has one. The next call of space() may give
  /// the same memory again. @throws std::logic_error unless it is kTempSpace
  template <typename T>
  TensorView<T> space(LongType count) const {
    return {static_cast<T*>(bytes(count, sizeof(T))), count};
  }
  /// The generator of the call, which goes on after the function by as many numbers as the result has elements.
  /// @throws std::logic_error unless it is kRandom
  const graph::RandomGenerator& generator() const;

 private:
  ResourceRequest _kind = kTempSpace;
  graph::Context* _call = nullptr;
  mutable void* _memory = nullptr;
  mutable size_t _size = 0;
  mutable bool _isOwned = false;

  void* bytes(LongType count, size_t size) const;
  void require(ResourceRequest kind) const;
  void release() const;
};

/// The arguments and resources of a call.
class SD_LIB_EXPORT EnvArguments {
 public:
  EnvArguments() = default;
  /// `type` is null when there are no parameters, `schema` in shape functions.
  EnvArguments(const ArgumentStruct* type, const void* arguments, const Schema* schema)
      : _type(type), _arguments(arguments), _schema(schema) {}

  /// With set_enable_scalar(): the number.
  double scalar = 0;
  /// In the order of the request.
  std::array<Resource, 2> resource;

  /// With set_parameters<S>(): the arguments. @throws std::logic_error for another struct
  template <typename S>
  const S& parameters() const {
    return *static_cast<const S*>(data(argumentStruct<S>));
  }
  /// The same as pairs of strings; not in shape functions.
  Kwargs kwargs() const;

 private:
  const ArgumentStruct* _type = nullptr;
  const void* _arguments = nullptr;
  const Schema* _schema = nullptr;

  const void* data(const ArgumentStruct& type) const;
};

// ---- operands of gradients: their types say what a gradient needs

/// The gradient of the result.
class OutputGrad : public InputView {
 public:
  using InputView::InputView;
};
/// The result.
class OutputValue : public InputView {
 public:
  using InputView::InputView;
};
/// The input of a unary operation, or the left one.
class Input0 : public InputView {
 public:
  using InputView::InputView;
};
/// The right input.
class Input1 : public InputView {
 public:
  using InputView::InputView;
};

// ---- signatures. All arrays of one call have the same type, unless a shape function says otherwise.

using UnaryShapeFunction = PartialShape (*)(const PartialShape& src, const EnvArguments& env);
using BinaryShapeFunction = PartialShape (*)(const PartialShape& lhs, const PartialShape& rhs, const EnvArguments& env);

using UnaryFunction = void (*)(const InputView& src, const EnvArguments& env, OutputView out, OpReqType req,
                               graph::Context& ctx);
using BinaryFunction = void (*)(const InputView& lhs, const InputView& rhs, const EnvArguments& env, OutputView out,
                                OpReqType req, graph::Context& ctx);

using UnaryGradient0 = void (*)(const OutputGrad& outGrad, const EnvArguments& env, OutputView grad, OpReqType req,
                                graph::Context& ctx);
using UnaryGradient1 = void (*)(const OutputGrad& outGrad, const OutputValue& outValue, const EnvArguments& env,
                                OutputView grad, OpReqType req, graph::Context& ctx);
using UnaryGradient2 = void (*)(const OutputGrad& outGrad, const Input0& src, const EnvArguments& env, OutputView grad,
                                OpReqType req, graph::Context& ctx);

using BinaryGradient0 = void (*)(const OutputGrad& outGrad, const EnvArguments& env, OutputView lhsGrad,
                                 OutputView rhsGrad, OpReqType lhsReq, OpReqType rhsReq, graph::Context& ctx);
using BinaryGradient1 = void (*)(const OutputGrad& outGrad, const OutputValue& outValue, const EnvArguments& env,
                                 OutputView lhsGrad, OutputView rhsGrad, OpReqType lhsReq, OpReqType rhsReq,
                                 graph::Context& ctx);
using BinaryGradient2 = void (*)(const OutputGrad& outGrad, const Input0& lhs, const Input1& rhs,
                                 const EnvArguments& env, OutputView lhsGrad, OutputView rhsGrad, OpReqType lhsReq,
                                 OpReqType rhsReq, graph::Context& ctx);

}  // namespace sd::ops

#endif
