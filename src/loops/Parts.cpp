#include <array/ArrayOptions.h>
#include <array/DataTypeUtils.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/ConstantTadHelper.h>
#include <helpers/shape.h>
#include <loops/Parts.h>

#include <numeric>

#include "loops/OpInfo.h"
#include "loops/Operand.h"
#include "system/Error.h"

namespace sd::loops {

namespace {

/// The sub-arrays of an operand. An operand that is shorter than the other one is a single sub-array.
class SubArrays {
 public:
  SubArrays(const void* data, const LongType* info, const Axes& axes, bool isOne)
      : _data(static_cast<const char*>(data)),
        _size(static_cast<LongType>(DataTypeUtils::sizeOf(ArrayOptions::dataType(info)))),
        _pack(isOne ? TadPack() : ConstantTadHelper::getInstance().tadForDimensions(info, axes)),
        _info(isOne ? info : _pack.primaryShapeInfo()) {}

  LongType count() const { return _pack.numberOfTads(); }
  const LongType* info() const { return _info; }
  In in(LongType k) const { return {address(k), _info}; }
  Out out(LongType k) const { return {const_cast<char*>(address(k)), _info}; }

 private:
  const char* _data;
  LongType _size;
  TadPack _pack;
  const LongType* _info;

  const char* address(LongType k) const {
    return _pack.primaryOffsets() == nullptr ? _data : _data + _pack.primaryOffsets()[k] * _size;
  }
};

bool isPart(std::string_view op, LongType first, LongType last, LongType count) {
  if (first < 0 || first > last || last > count)
    fail("[{}] sub-arrays {} to {} do not exist: there are {}", op, first, last, count);
  return first != 0 || last != count;
}

LongType countAlong(const LongType* info, const Axes& axes) {
  return ConstantTadHelper::getInstance().tadForDimensions(info, axes).numberOfTads();
}

void requireOperands(std::string_view op, In x, In y, Out z) {
  operand(op, "x", x.data, x.info);
  operand(op, "y", y.data, y.info);
  operand(op, "z", z.data, z.info);
}

Out element(Out z, LongType k) {
  const DataType type = ArrayOptions::dataType(z.info);
  const auto size = static_cast<LongType>(DataTypeUtils::sizeOf(type));
  return {static_cast<char*>(z.data) + shape::getIndexOffset(k, z.info) * size,
          ConstantShapeHelper::getInstance().scalarShapeInfo(type)};
}

}  // namespace

void reduce3Part(int number, In x, In y, Out z, const void* params, int paramCount, const Axes& axes, LongType first,
                 LongType last) {
  const std::string_view op = opInfo(OpGroup::Reduce3, number).name;
  requireOperands(op, x, y, z);
  const LongType lengthX = shape::length(x.info), lengthY = shape::length(y.info);
  const LongType count = countAlong(lengthX < lengthY ? y.info : x.info, axes);
  if (shape::length(z.info) != count)
    fail("[{}] argument 'z': shape {} does not have the {} elements of the result", op, shapeText(z.info), count);
  if (!isPart(op, first, last, count)) return reduce3(number, x, y, z, params, paramCount, axes);
  const SubArrays xs(x.data, x.info, axes, lengthX < lengthY), ys(y.data, y.info, axes, lengthY < lengthX);
  for (LongType k = first; k < last; k++) reduce3(number, xs.in(k), ys.in(k), element(z, k), params, paramCount, {});
}

void reduce3AllPart(int number, In x, In y, Out z, const void* params, int paramCount, const Axes& axes, LongType first,
                    LongType last) {
  const std::string_view op = opInfo(OpGroup::Reduce3, number).name;
  requireOperands(op, x, y, z);
  const LongType countX = countAlong(x.info, axes), countY = countAlong(y.info, axes);
  if (shape::length(z.info) != countX * countY)
    fail("[{}] argument 'z': shape {} where [{}, {}] is needed", op, shapeText(z.info), countX, countY);
  if (!isPart(op, first, last, countX)) return reduce3All(number, x, y, z, params, paramCount, axes);
  const SubArrays xs(x.data, x.info, axes, false), ys(y.data, y.info, axes, false);
  for (LongType i = first; i < last; i++)
    for (LongType k = 0; k < countY; k++)
      reduce3(number, xs.in(i), ys.in(k), element(z, i * countY + k), params, paramCount, {});
}

void broadcastPart(OpGroup group, int number, In x, In y, Out z, const void* params, const Axes& axes, bool inverse,
                   LongType first, LongType last) {
  const std::string_view op = opInfo(group, number).name;
  requireOperands(op, x, y, z);
  const In large = inverse ? y : x;
  const auto run = inverse ? inverseBroadcast : broadcast;
  const LongType count = countAlong(large.info, axes);
  if (!shape::shapeEquals(large.info, z.info))
    fail("[{}] argument 'z': shape {} where {} is needed", op, shapeText(z.info), shapeText(large.info));
  if (!isPart(op, first, last, count)) return run(group, number, x, y, z, params, axes);
  const SubArrays from(large.data, large.info, axes, false), to(z.data, z.info, axes, false);
  Axes all(static_cast<size_t>(shape::rank(from.info())));
  std::iota(all.begin(), all.end(), 0);
  for (LongType k = first; k < last; k++)
    run(group, number, inverse ? x : from.in(k), inverse ? from.in(k) : y, to.out(k), params, all);
}

}  // namespace sd::loops
