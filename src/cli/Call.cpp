#include "cli/Call.h"

#include <array/DataTypeUtils.h>
#include <fmt/format.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/RandomGenerator.h>
#include <helpers/ShapeUtils.h>
#include <helpers/shape.h>

#include <numeric>

#include "cli/Types.h"

namespace sd::cli {
namespace {

using loops::OpGroup;

Choice choose(const std::string& name, const Request& request) {
  Operands operands;
  operands.inputs = int(request.inputs.size());
  operands.scalar = request.scalar.has_value();
  operands.dims = request.dims.has_value();
  operands.all = request.all;
  if (operands.inputs > 2)
    throw UsageError(fmt::format("{} inputs were given; operations take at most two", operands.inputs));
  if (operands.inputs == 2) {
    operands.sameShape = request.inputs[0].dims() == request.inputs[1].dims();
    operands.oneElement = request.inputs[1].length() == 1;
  }
  return chooseOp(name, operands);
}

}  // namespace

Call::Call(const std::string& name, Request request) : request_(std::move(request)), choice_(choose(name, request_)) {
  checkOptions();
  prepareInputs();
  const LongType* info = resultInfo();
  z_ = withMemory(fmt::format("[{}] the result, {} of shape {},", op().name, typeName(ArrayOptions::dataType(info)),
                              ShapeUtils::shapeAsString(info)),
                  [&] { return Array::allocate(info); });
  prepareParams();
}

void Call::checkOptions() const {
  const std::string name = loops::qualifiedName(op());
  const bool reduces = choice_.form == Form::Reduce || choice_.form == Form::IndexReduce ||
                       choice_.form == Form::SummaryStats || choice_.form == Form::Reduce3;
  const auto refuse = [&](bool given, const char* option, const char* who) {
    if (given) throw UsageError(fmt::format("{}: {} is for {}", name, option, who));
  };
  refuse(request_.keepDims && !reduces, "--keep-dims", "reductions");
  refuse(request_.all && choice_.form != Form::Reduce3All, "--all", "distances");
  if (request_.all && !request_.dims) throw UsageError(fmt::format("{}: --all needs --dims", name));
  refuse(request_.biasCorrected && choice_.form != Form::SummaryStats, "--bias-corrected", "variance operations");
  refuse(request_.seed && choice_.form != Form::Random, "--seed", "random operations");
  refuse(!request_.shape.empty() && (choice_.form != Form::Random || !request_.inputs.empty()), "--shape",
         "random operations without inputs");
  const int count = int(request_.extra.size());
  if (count < op().requiredParams || count > op().maxParams) {
    const std::string wanted = op().requiredParams == op().maxParams
                                   ? fmt::format("{}", op().maxParams)
                                   : fmt::format("{} to {}", op().requiredParams, op().maxParams);
    throw UsageError(fmt::format("{} takes {} {} of --extra, {} given; it computes {}", name,
                                 op().maxParams == 0 ? "no" : wanted, op().maxParams == 1 ? "value" : "values", count,
                                 op().formula));
  }
}

void Call::prepareInputs() {
  for (Array& input : request_.inputs)
    if (request_.dtype) input = input.cast(*request_.dtype);
  if (!request_.inputs.empty()) x_ = request_.inputs[0];
  if (request_.inputs.size() == 2) {
    y_ = request_.inputs[1];
    if (x_.dtype() != y_.dtype())
      throw DataError(fmt::format("[{}] the inputs have the types {} and {}; --dtype casts both", op().name,
                                  typeName(x_.dtype()), typeName(y_.dtype())));
  }
  if (request_.scalar) {
    y_ = Array::allocate(x_.dtype(), 'c', {});
    request_.scalar->store(x_.dtype(), y_.data());
  }
  if (request_.dims) axes_ = *request_.dims;
  yIsLarger_ = y_ && y_.length() > x_.length();
}

DataType Call::resultType() const {
  const DataType type = x_ ? x_.dtype() : request_.dtype.value_or(DataType::FLOAT32);
  return loops::resultType(op().group, type, DataType::FLOAT32);
}

const LongType* Call::resultInfo() {
  auto& shapes = ConstantShapeHelper::getInstance();
  const Array& larger = yIsLarger_ && choice_.form != Form::ScalarAlong ? y_ : x_;
  switch (choice_.form) {
    case Form::TrueBroadcast: {
      const LongType* common = nullptr;
      if (!ShapeUtils::evalBroadcastShapeInfo(x_.info(), y_.info(), false, common))
        throw DataError(
            fmt::format("[{}] shapes {} and {} do not broadcast", op().name, x_.shapeText(), y_.shapeText()));
      return shapes.createShapeInfo(resultType(), 'c', std::vector<LongType>(common + 1, common + 1 + common[0]));
    }
    case Form::Reduce:
    case Form::IndexReduce:
    case Form::SummaryStats:
    case Form::Reduce3: {
      // Without --dims all axes are listed, so that an empty array has a result as well.
      std::vector<int> axes = axes_;
      if (!request_.dims) {
        axes.resize(size_t(larger.rank()));
        std::iota(axes.begin(), axes.end(), 0);
      }
      return ShapeUtils::evalReduceShapeInfo('c', axes, larger.info(), resultType(), request_.keepDims);
    }
    case Form::Reduce3All: {
      // One row for each sub-array of x, one column for each of y.
      std::vector<LongType> dims;
      for (const Array& input : {x_, y_}) {
        std::vector<int> axes = axes_;  // negative ones are replaced
        dims.push_back(shape::length(ShapeUtils::evalReduceShapeInfo('c', axes, input.info(), resultType(), false)));
      }
      return shapes.createShapeInfo(resultType(), 'c', dims);
    }
    case Form::Random:
      return shapes.createShapeInfo(resultType(), 'c', x_ ? x_.dims() : request_.shape);
    default:
      return shapes.createShapeInfo(resultType(), 'c', larger.dims());
  }
}

void Call::prepareParams() {
  if (request_.extra.empty()) return;
  const DataType dtype = loops::paramsLikeResult(op().group) ? z_.dtype() : x_.dtype();
  params_ = Array::allocate(dtype, 'c', {LongType(request_.extra.size())});
  char* to = static_cast<char*>(params_.data());
  for (const Number& number : request_.extra) {
    number.store(dtype, to);
    to += DataTypeUtils::sizeOf(dtype);
  }
}

void Call::run() {
  const OpGroup group = op().group;
  const int number = op().number, count = int(request_.extra.size());
  const loops::In x = x_ ? x_.in() : loops::In{}, y = y_ ? y_.in() : loops::In{};
  const loops::Out z = z_.out();
  const void* params = params_ ? params_.data() : nullptr;
  switch (choice_.form) {
    case Form::Transform:
      return loops::transform(group, number, x, z, params);
    case Form::Pairwise:
      return loops::pairwise(group, number, x, y, z, params);
    case Form::TrueBroadcast:
      return loops::trueBroadcast(group, number, x, y, z, params);
    case Form::BroadcastAlong:
      return (yIsLarger_ ? loops::inverseBroadcast : loops::broadcast)(group, number, x, y, z, params, axes_);
    case Form::Scalar:
      return loops::scalar(group, number, x, y, z, params);
    case Form::ScalarAlong:
      return loops::scalarAlong(group, number, x, y, z, params, axes_);
    case Form::Reduce:
      return loops::reduce(group, number, x, z, params, axes_);
    case Form::IndexReduce:
      return loops::indexReduce(number, x, z, params, axes_);
    case Form::SummaryStats:
      return loops::summaryStats(number, x, z, request_.biasCorrected, axes_);
    case Form::Reduce3:
      return loops::reduce3(number, x, y, z, params, count, axes_);
    case Form::Reduce3All:
      return loops::reduce3All(number, x, y, z, params, count, axes_);
    case Form::Random: {
      graph::RandomGenerator generator(request_.seed.value_or(0));
      return loops::random(number, generator, x, y, z, params);
    }
  }
}

size_t Call::traffic() const { return z_.bytes() + (x_ ? x_.bytes() : 0) + (y_ ? y_.bytes() : 0); }

}  // namespace sd::cli
