// Calls with false descriptions: broken shapeInfos, null pointers, outputs that do not fit, strings instead of numbers.
#include <array/ArrayOptions.h>

#include <algorithm>
#include <limits>

#include "Mutations.h"

namespace fuzz {

std::string lie(Call& call, Random& random) {
  std::vector<Array>& arrays = call.entry == Entry::Numbered && random.once(3) ? call.outputs : call.inputs;
  if (arrays.empty()) return "nothing";
  Array& array = arrays[random.below(arrays.size())];
  if (array.isString() || !array.given) return "nothing";
  const auto rank = static_cast<LongType>(array.dims.size());
  const LongType type = sd::ArrayOptions::flagsOfDataType(array.type);
  const int axis = static_cast<int>(random.below(static_cast<uint64_t>(rank)));
  const auto add = [&](Lie::Slot slot, int index, LongType value) { array.lies.push_back({slot, index, value}); };
  switch (random.below(10)) {
    case 0:
      add(Lie::Flags, 0, array.isEmpty() ? type : type | ARRAY_EMPTY);
      return "EMPTY flag";
    case 1:
      add(Lie::Flags, 0,
          type | random.pick<LongType>({ARRAY_FLOAT, ARRAY_INT, ARRAY_LONG, ARRAY_BOOL, ARRAY_DOUBLE, ARRAY_UNSIGNED}));
      return "two types";
    case 2:
      add(Lie::Flags, 0, random.pick<LongType>({0, -1, ARRAY_EXTRAS, LongType{1} << 40}));
      return "no type";
    case 3:
      add(Lie::Order, 0, random.pick<LongType>({0, 120, 'a', -1, LongType{1} << 40, 99 + 256}));
      return "order";
    case 4:
      add(Lie::Rank, 0, random.pick<LongType>({33, -1, 1000, std::numeric_limits<LongType>::min()}));
      return "rank";
    case 5:
      add(Lie::Dim, axis, random.pick<LongType>({-1, std::numeric_limits<LongType>::min(), -2147483648LL}));
      return "negative dimension";
    case 6:
      add(Lie::Stride, axis,
          random.pick<LongType>({std::numeric_limits<LongType>::min(), std::numeric_limits<LongType>::max()}));
      return rank > 0 && array.dims[static_cast<size_t>(axis)] > 1 ? "stride" : "stride of one";
    case 7:
      array.nullInfo = true;
      return "null shapeInfo";
    case 8:
      array.nullBuffer = true;
      return "null buffer";
    default:
      add(Lie::Ews, 0, random.pick<LongType>({0, -1}));
      return "element-wise stride";
  }
}

std::string makeString(Call& call, Random& random) {
  Array* array = anyInput(call, random);
  if (array == nullptr || array->length() < 0 || array->length() > 1000) return "nothing";
  array->type = random.pick({sd::UTF8, sd::UTF8, sd::UTF16, sd::UTF32});
  array->lies.clear();
  array->makeContiguous();
  const size_t width = array->type == sd::UTF8 ? 1 : array->type == sd::UTF16 ? 2 : 4;
  std::vector<LongType> offsets{0};
  Bytes text;
  for (LongType k = 0; k < array->length(); k++) {
    for (uint64_t n = random.below(4) * width; n > 0; n--)
      text.push_back(n % width == 0 ? static_cast<uint8_t>('0' + random.below(60)) : uint8_t{0});
    offsets.push_back(static_cast<LongType>(text.size()));
  }
  const auto* bytes = reinterpret_cast<const uint8_t*>(offsets.data());
  array->values.assign(bytes, bytes + offsets.size() * sizeof(LongType));
  array->values.insert(array->values.end(), text.begin(), text.end());
  return "strings";
}

std::string changeOutputs(Call& call, Random& random) {
  if (call.entry == Entry::Numbered) {
    for (Array& output : call.outputs) spoilOutput(output, call.inputs, Random(random.next()));
    return "output";
  }
  if (random.once(12)) {
    call.outputsGiven = false;
    return "no outputs";
  }
  call.outputChanges.push_back({static_cast<int>(random.below(random.once(4) ? 4 : 1)), random.next()});
  return "output";
}

namespace {

void spoil(Array& output, const std::vector<Array>& inputs, Random& random) {
  switch (random.below(9)) {
    case 0:
      output.dims.push_back(2);
      return output.makeContiguous();
    case 1:
      if (output.dims.empty()) return;
      output.dims[random.below(output.dims.size())] = randomSize(random);
      return output.makeContiguous();
    case 2:
      output.type = random.pick(numericTypes());
      output.values.clear();
      return;
    case 3:
      if (!output.dims.empty()) output.strides[random.below(output.dims.size())] = 0;
      return;
    case 4:
      for (LongType& s : output.strides) s *= random.pick<LongType>({2, -1, -2});
      return;
    case 5:
      return output.makeContiguous('f');
    case 6:
      output.given = random.once(2);
      return;
    case 7:
      output.type = sd::UTF8;
      return;
    default:
      if (inputs.empty()) return;
      output.alias = static_cast<int>(random.below(inputs.size()));
      output.shift = random.pick<LongType>({0, 0, 0, 1, 2});
  }
}

}  // namespace

void spoilOutput(Array& output, const std::vector<Array>& inputs, Random random) {
  spoil(output, inputs, random);
  if (!output.isString()) return;
  // Offsets of empty strings.
  output.alias = -1;
  output.makeContiguous();
  output.values.assign(static_cast<size_t>(8 * (std::clamp<LongType>(output.length(), 0, 100000) + 1)), 0);
}

}  // namespace fuzz
