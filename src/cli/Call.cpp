#include "cli/Call.h"

#include <array/DataTypeUtils.h>
#include <fmt/format.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/RandomGenerator.h>
#include <helpers/ShapeUtils.h>
#include <helpers/shape.h>
#include <loops/ResultType.h>

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

Call::Call(const std::string& name, Request request) : _request(std::move(request)), _choice(choose(name, _request)) {
  checkOptions();
  prepareInputs();
  const LongType* info = resultInfo();
  _z = withMemory(fmt::format("[{}] the result, {} of shape {},", op().name, typeName(ArrayOptions::dataType(info)),
                              ShapeUtils::shapeAsString(info)),
                  [&] { return Array::allocate(info); });
  prepareParams();
}

void Call::checkOptions() const {
  const std::string name = loops::qualifiedName(op());
  const bool reduces = _choice.form == Form::Reduce || _choice.form == Form::IndexReduce ||
                       _choice.form == Form::SummaryStats || _choice.form == Form::Reduce3;
  const auto refuse = [&](bool given, const char* option, const char* who) {
    if (given) throw UsageError(fmt::format("{}: {} is for {}", name, option, who));
  };
  refuse(_request.keepDims && !reduces, "--keep-dims", "reductions");
  refuse(_request.all && _choice.form != Form::Reduce3All, "--all", "distances");
  if (_request.all && !_request.dims) throw UsageError(fmt::format("{}: --all needs --dims", name));
  refuse(_request.biasCorrected && _choice.form != Form::SummaryStats, "--bias-corrected", "variance operations");
  refuse(_request.seed && _choice.form != Form::Random, "--seed", "random operations");
  refuse(!_request.shape.empty() && (_choice.form != Form::Random || !_request.inputs.empty()), "--shape",
         "random operations without inputs");
  const int count = int(_request.extra.size());
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
  for (Array& input : _request.inputs)
    if (_request.dtype) input = input.cast(*_request.dtype);
  if (!_request.inputs.empty()) _x = _request.inputs[0];
  if (_request.inputs.size() == 2) {
    _y = _request.inputs[1];
    if (_x.dtype() != _y.dtype())
      throw DataError(fmt::format("[{}] the inputs have the types {} and {}; --dtype casts both", op().name,
                                  typeName(_x.dtype()), typeName(_y.dtype())));
  }
  if (_request.scalar) {
    _y = Array::allocate(_x.dtype(), 'c', {});
    _request.scalar->store(_x.dtype(), _y.data());
  }
  if (_request.dims) _axes = *_request.dims;
  _yIsLarger = _y && _y.length() > _x.length();
}

DataType Call::resultType() const {
  const DataType type = _x ? _x.dtype() : _request.dtype.value_or(DataType::FLOAT32);
  return loops::resultType(op(), type, DataType::FLOAT32);
}

const LongType* Call::resultInfo() {
  auto& shapes = ConstantShapeHelper::getInstance();
  const Array& larger = _yIsLarger && _choice.form != Form::ScalarAlong ? _y : _x;
  switch (_choice.form) {
    case Form::TrueBroadcast: {
      const LongType* common = nullptr;
      if (!ShapeUtils::evalBroadcastShapeInfo(_x.info(), _y.info(), false, common))
        throw DataError(
            fmt::format("[{}] shapes {} and {} do not broadcast", op().name, _x.shapeText(), _y.shapeText()));
      return shapes.createShapeInfo(resultType(), 'c', std::vector<LongType>(common + 1, common + 1 + common[0]));
    }
    case Form::Reduce:
    case Form::IndexReduce:
    case Form::SummaryStats:
    case Form::Reduce3: {
      // Without --dims all axes are listed, so that an empty array has a result as well.
      std::vector<int> axes = _axes;
      if (!_request.dims) {
        axes.resize(size_t(larger.rank()));
        std::iota(axes.begin(), axes.end(), 0);
      }
      return ShapeUtils::evalReduceShapeInfo('c', axes, larger.info(), resultType(), _request.keepDims);
    }
    case Form::Reduce3All: {
      // One row for each sub-array of x, one column for each of y.
      std::vector<LongType> dims;
      for (const Array& input : {_x, _y}) {
        std::vector<int> axes = _axes;  // negative ones are replaced
        dims.push_back(shape::length(ShapeUtils::evalReduceShapeInfo('c', axes, input.info(), resultType(), false)));
      }
      return shapes.createShapeInfo(resultType(), 'c', dims);
    }
    case Form::Random:
      return shapes.createShapeInfo(resultType(), 'c', _x ? _x.dims() : _request.shape);
    default:
      return shapes.createShapeInfo(resultType(), 'c', larger.dims());
  }
}

void Call::prepareParams() {
  if (_request.extra.empty()) return;
  const DataType dtype = loops::paramsLikeResult(op().group) ? _z.dtype() : _x.dtype();
  _params = Array::allocate(dtype, 'c', {LongType(_request.extra.size())});
  char* to = static_cast<char*>(_params.data());
  for (const Number& number : _request.extra) {
    number.store(dtype, to);
    to += DataTypeUtils::sizeOf(dtype);
  }
}

void Call::run() {
  const OpGroup group = op().group;
  const int number = op().number, count = int(_request.extra.size());
  const loops::In x = _x ? _x.in() : loops::In{}, y = _y ? _y.in() : loops::In{};
  const loops::Out z = _z.out();
  const void* params = _params ? _params.data() : nullptr;
  switch (_choice.form) {
    case Form::Transform:
      return loops::transform(group, number, x, z, params);
    case Form::Pairwise:
      return loops::pairwise(group, number, x, y, z, params);
    case Form::TrueBroadcast:
      return loops::trueBroadcast(group, number, x, y, z, params);
    case Form::BroadcastAlong:
      return (_yIsLarger ? loops::inverseBroadcast : loops::broadcast)(group, number, x, y, z, params, _axes);
    case Form::Scalar:
      return loops::scalar(group, number, x, y, z, params);
    case Form::ScalarAlong:
      return loops::scalarAlong(group, number, x, y, z, params, _axes);
    case Form::Reduce:
      return loops::reduce(group, number, x, z, params, _axes);
    case Form::IndexReduce:
      return loops::indexReduce(number, x, z, params, _axes);
    case Form::SummaryStats:
      return loops::summaryStats(number, x, z, _request.biasCorrected, _axes);
    case Form::Reduce3:
      return loops::reduce3(number, x, y, z, params, count, _axes);
    case Form::Reduce3All:
      return loops::reduce3All(number, x, y, z, params, count, _axes);
    case Form::Random: {
      graph::RandomGenerator generator(_request.seed.value_or(0));
      return loops::random(number, generator, x, y, z, params);
    }
  }
}

size_t Call::traffic() const { return _z.bytes() + (_x ? _x.bytes() : 0) + (_y ? _y.bytes() : 0); }

}  // namespace sd::cli
