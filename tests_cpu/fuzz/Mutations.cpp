// Faults of the arrays and arguments of a call.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "Mutations.h"

namespace fuzz {
namespace {

constexpr LongType LONGEST = LongType{1} << 20;  // most elements of arrays that calls read
constexpr double INF = std::numeric_limits<double>::infinity();

LongType hugeSize(Random& random) {
  return random.pick<LongType>({2147483647, 2147483648, LongType{1} << 40, LongType{1} << 62,
                                std::numeric_limits<LongType>::max(), 65536, 1000003});
}

LongType randomInteger(Random& random) {
  constexpr LongType low = std::numeric_limits<LongType>::min(), high = std::numeric_limits<LongType>::max();
  const uint64_t kind = random.below(8);
  if (kind < 4) return random.between(-3, 5);
  if (kind < 7)
    return random.pick<LongType>({low, high, low + 1, high - 1, 2147483647, 2147483648, -2147483648LL, -2147483649LL,
                                  4294967295, 4294967296, LongType{1} << 40, 1000, 65536, -100, 33, 100});
  return static_cast<LongType>(random.next());
}

double randomDouble(Random& random) {
  static constexpr double VALUES[] = {0,      1,     -1,   0.5, 2,    INF,          -INF,   NAN,     1e308, -1e308,
                                      5e-324, 1e-40, -0.0, 2.5, 1e10, 2147483648.0, 9.3e18, -9.3e18, 1e-7,  100};
  return VALUES[random.below(std::size(VALUES))];
}

/// Gives an array new values, at most 64, which repeat; half the time they are ordinary ones.
void refill(Array& array, Random& random) {
  if (array.isString()) return;
  const LongType n = std::clamp<LongType>(array.length(), 1, 64);
  const auto size = static_cast<size_t>(array.lies.empty() ? array.unit() : 8);
  array.values.assign(static_cast<size_t>(n) * size, 0);
  const bool ordinary = random.once(2);
  for (LongType k = 0; k < n; k++) {
    uint8_t* at = array.values.data() + static_cast<size_t>(k) * size;
    if (ordinary)
      writeNumber(array.type, static_cast<double>(random.between(0, 4)), at);
    else
      writeRandom(random, array.type, at);
  }
}

void retype(Array& array, DataType type) {
  if (array.isString() || array.type == type || !array.lies.empty()) return;
  array.values = convertedValues(array.values, array.type, type);
  array.type = type;
}

std::string changeType(Call& call, Random& random) {
  Array* array = anyInput(call, random);
  if (array == nullptr) return "nothing";
  const DataType type = random.pick(numericTypes());
  if (random.once(3)) {
    for (Array& each : call.inputs) retype(each, type);
    return "all types " + typeName(type);
  }
  if (random.once(2)) {
    for (Array& each : call.inputs)
      if (isFloat(each.type)) retype(each, isFloat(type) ? type : sd::HALF);
    return "float types";
  }
  retype(*array, type);
  return "type " + typeName(type);
}

std::string changeShape(Call& call, Random& random) {
  Array* array = anyInput(call, random);
  if (array == nullptr || array->isString()) return "nothing";
  const uint64_t kind = random.below(8);
  Dims dims = array->dims;
  if (kind < 3 && !dims.empty()) {
    dims[random.below(dims.size())] = randomSize(random);
  } else if (kind == 3 && !dims.empty()) {
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(random.below(dims.size())));
  } else if (kind == 4) {
    dims.push_back(random.pick<LongType>({1, 1, 2}));
    std::swap(dims.back(), dims[random.below(dims.size())]);
  } else if (kind == 5 && dims.size() > 1) {
    std::swap(dims[random.below(dims.size())], dims[random.below(dims.size())]);
  } else {
    const uint64_t rank = random.once(12) ? 32 : random.below(9);
    dims.assign(rank, 1);
    for (LongType& d : dims)
      if (rank < 9) d = randomSize(random);
    if (rank == 32) dims[random.below(32)] = 2;
  }
  Array changed = *array;
  changed.dims = dims;
  changed.makeContiguous(array->order);
  if (changed.length() < 0 || changed.length() > LONGEST) return "nothing";
  *array = changed;
  return "shape";
}

std::string changeToHuge(Call& call, Random& random) {
  Array* array = anyInput(call, random);
  if (array == nullptr || array->isString()) return "nothing";
  if (array->dims.empty()) array->dims = {1};
  const size_t at = random.below(array->dims.size());
  array->dims[at] = hugeSize(random);
  if (call.entry != Entry::ShapesAlone || random.once(2)) {
    // Without elements, any size is possible.
    if (array->dims.size() == 1) array->dims.push_back(1);
    array->dims[(at + 1) % array->dims.size()] = 0;
  }
  array->makeContiguous(array->order);
  return "huge dimension";
}

std::string changeLayout(Call& call, Random& random) {
  std::vector<Array>& arrays = call.entry == Entry::Numbered && random.once(3) ? call.outputs : call.inputs;
  if (arrays.empty()) return "nothing";
  Array& array = arrays[random.below(arrays.size())];
  if (array.isString() || array.isEmpty()) return "nothing";
  const size_t rank = array.dims.size();
  const uint64_t kind = random.below(7);
  if (kind == 0) {
    array.makeContiguous('f');
    return "f order";
  }
  if (rank == 0) return "nothing";
  if (kind == 1) {
    for (LongType& s : array.strides) s *= 2;
    return "gaps";
  }
  if (kind == 2) {
    for (LongType& s : array.strides) s = -s;
    return "negative strides";
  }
  if (kind == 3) {
    array.strides[random.below(rank)] *= -1;
    return "a negative stride";
  }
  if (kind == 4) {
    array.strides[random.below(rank)] = 0;
    return "stride 0";
  }
  if (kind == 5) {
    const size_t first = random.below(rank);
    for (size_t d = 0; d < rank; d++)
      if (d != first) array.strides[d] += array.strides[d] == 1 ? 0 : random.pick<LongType>({1, 3});
    return "padding";
  }
  std::vector<size_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  for (size_t k = rank; k > 1; k--) std::swap(axes[k - 1], axes[random.below(k)]);
  LongType step = 1;
  for (size_t d : axes) {
    array.strides[d] = step;
    // Sizes of arrays without elements may overflow.
    step = static_cast<LongType>(static_cast<uint64_t>(step) * static_cast<uint64_t>(array.dims[d]));
  }
  return "permuted";
}

std::string changeArity(Call& call, Random& random) {
  const uint64_t kind = random.below(6);
  if (kind == 0 && !call.inputs.empty()) {
    call.inputs.pop_back();
    return "last input dropped";
  }
  if (kind == 1 && !call.inputs.empty()) {
    call.inputs[random.below(call.inputs.size())].given = false;
    return "an input skipped";
  }
  if (kind == 2 && call.inputs.size() > 1) {
    std::swap(call.inputs[random.below(call.inputs.size())], call.inputs[random.below(call.inputs.size())]);
    return "inputs swapped";
  }
  if (kind == 3) {
    call.inputs.clear();
    return "no inputs";
  }
  if (!call.inputs.empty() && kind == 4) {
    call.inputs.push_back(random.pick(call.inputs));
    return "an input twice";
  }
  Array extra = Array::of(random.pick(numericTypes()), {random.between(0, 4)});
  if (random.once(2)) extra = Array::of(extra.type, {});
  refill(extra, random);
  const size_t copies = random.once(12) ? 40 : 1;
  for (size_t k = 0; k < copies; k++) call.inputs.push_back(extra);
  return "further inputs";
}

std::string changeValues(Call& call, Random& random) {
  Array* array = anyInput(call, random);
  if (array == nullptr || array->isString()) return "nothing";
  const auto size = static_cast<size_t>(array->lies.empty() ? array->unit() : 8);
  if (array->values.size() < size || random.once(4)) {
    refill(*array, random);
    return "other values";
  }
  if (random.once(4)) {
    Bytes one(size);
    writeRandom(random, array->type, one.data());
    for (size_t k = 0; k + size <= array->values.size(); k += size)
      std::copy(one.begin(), one.end(), array->values.begin() + static_cast<std::ptrdiff_t>(k));
    return "one value everywhere";
  }
  for (uint64_t k = random.below(3) + 1; k > 0; k--)
    writeRandom(random, array->type, array->values.data() + random.below(array->values.size() / size) * size);
  return "values";
}

template <typename T, typename Make>
void changeList(std::vector<T>& list, Random& random, Make&& make) {
  const uint64_t kind = random.below(8);
  if (kind < 4 && !list.empty())
    list[random.below(list.size())] = make();
  else if (kind == 4 && !list.empty())
    list.pop_back();
  else if (kind == 5 && random.once(4))
    list.clear();
  else if (kind == 6 && random.once(4))
    list.resize(list.size() + 100, make());
  else
    list.push_back(make());
}

std::string changeArguments(Call& call, Random& random) {
  if (call.entry == Entry::Numbered) {
    changeList(call.extra, random, [&] { return randomDouble(random); });
    if (random.once(6)) call.extraGiven = false;
    return "extra parameters";
  }
  const uint64_t kind = random.below(10);
  if (kind < 5) {
    changeList(call.i, random, [&] { return randomInteger(random); });
    return "integer arguments";
  }
  if (kind < 8) {
    changeList(call.t, random, [&] { return randomDouble(random); });
    return "floating arguments";
  }
  if (kind < 9) {
    changeList(call.b, random, [&] { return static_cast<uint8_t>(random.below(2)); });
    return "boolean arguments";
  }
  changeList(call.d, random, [&] { return random.pick<int>({1, 3, 5, 6, 7, 9, 10, 11, 17, 50, 0, 2, 15, 100, 200}); });
  return "type arguments";
}

std::string changeFlags(Call& call, Random& random) {
  switch (random.below(5)) {
    case 0:
      call.inPlace = !call.inPlace;
      return "in place";
    case 1:
      call.mode = random.pick({0, 1, 2});
      return "execution mode";
    case 2:
      call.helpers = !call.helpers;
      return "helpers";
    case 3:
      call.trustShapes = true;
      return "shape function override";
    default:
      call.atEnd = false;
      return "guard page in front";
  }
}

}  // namespace

std::string mutate(Call& call, Random random) {
  const uint64_t kind = random.below(100);
  if (kind < 12) return changeType(call, random);
  if (kind < 26) return changeShape(call, random);
  if (kind < 29) return changeToHuge(call, random);
  if (kind < 43) return changeLayout(call, random);
  if (kind < 51) return changeArity(call, random);
  if (kind < 63) return changeValues(call, random);
  if (kind < 80) return changeArguments(call, random);
  if (kind < 84) return changeFlags(call, random);
  if (kind < 88) return lie(call, random);
  if (kind < 90) return makeString(call, random);
  return changeOutputs(call, random);
}

}  // namespace fuzz
