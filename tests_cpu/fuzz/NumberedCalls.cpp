// Numbered operations with valid arrays.
#include <algorithm>

#include "Numbered.h"

namespace fuzz {

using sd::loops::OpGroup;

Form formOf(OpGroup group, int form) {
  switch (group) {
    case OpGroup::Pairwise:
    case OpGroup::PairwiseBool:
    case OpGroup::PairwiseInt:
      return {true, false, Form::LikeX};
    case OpGroup::Scalar:
    case OpGroup::ScalarBool:
    case OpGroup::ScalarInt:
      return {true, form == 1, Form::LikeX};
    case OpGroup::Broadcast:
    case OpGroup::BroadcastBool:
    case OpGroup::BroadcastInt:
      return {true, true, Form::LikeX};
    case OpGroup::ReduceFloat:
    case OpGroup::ReduceSame:
    case OpGroup::ReduceBool:
    case OpGroup::ReduceLong:
    case OpGroup::IndexReduce:
    case OpGroup::SummaryStats:
      return form % 2 == 0 ? Form{false, false, Form::One} : Form{false, true, Form::Reduced};
    case OpGroup::Reduce3:
      if (form < 2) return {true, false, Form::One};
      return {true, true, form == 2 ? Form::Reduced : Form::Pairs};
    case OpGroup::Random:
      return {form == 2, false, Form::LikeX};
    default:
      return {};
  }
}

namespace {

/// Whether the group has no C function; its operations can be called by name only.
bool byNameOnly(OpGroup group) {
  return group == OpGroup::PairwiseInt || group == OpGroup::ScalarInt || group == OpGroup::BroadcastInt;
}

void fillValues(Array& array, Random& random) {
  const LongType n = std::clamp<LongType>(array.length(), 1, 32);
  const LongType size = array.unit();
  array.values.assign(static_cast<size_t>(n * size), 0);
  for (LongType k = 0; k < n; k++) writeRandom(random, array.type, array.values.data() + k * size);
}

/// Axes of x, sorted or not, sometimes negative.
std::vector<int> someAxes(const Array& x, Random& random) {
  const auto rank = static_cast<int>(x.dims.size());
  std::vector<int> axes;
  for (int d = 0; d < rank; d++)
    if (random.once(2)) axes.push_back(random.once(8) ? d - rank : d);
  if (random.once(12)) std::reverse(axes.begin(), axes.end());
  if (random.once(24)) axes.push_back(random.pick({0, 1, -1, 7, 33, -40, 2147483647}));
  return axes;
}

bool has(const std::vector<int>& axes, int rank, int d) {
  return std::any_of(axes.begin(), axes.end(), [&](int a) { return (a < 0 ? a + rank : a) == d; });
}

/// The dimensions of x that are among the axes, or those that are not.
Dims selected(const Array& x, const std::vector<int>& axes, bool among) {
  const auto rank = static_cast<int>(x.dims.size());
  Dims dims;
  for (int d = 0; d < rank; d++)
    if (has(axes, rank, d) == among) dims.push_back(x.dims[static_cast<size_t>(d)]);
  return dims;
}

LongType product(const Dims& dims) {
  LongType n = 1;
  for (LongType d : dims) n *= d;
  return n;
}

DataType resultOf(OpGroup group, DataType x, Random& random) {
  if (group == OpGroup::TransformAny) return random.pick(numericTypes());
  if (group == OpGroup::IndexReduce) return random.pick({sd::INT64, sd::INT32});
  return sd::loops::resultType(group, x, random.pick({sd::FLOAT32, sd::DOUBLE, sd::HALF, sd::BFLOAT16}));
}

Array axesArray(const std::vector<int>& axes, Random& random) {
  Array array = Array::of(random.once(3) ? sd::INT64 : sd::INT32, {static_cast<LongType>(axes.size())});
  const LongType size = array.unit();
  array.values.assign(axes.size() * static_cast<size_t>(size), 0);
  for (size_t k = 0; k < axes.size(); k++)
    writeNumber(array.type, axes[k], array.values.data() + k * static_cast<size_t>(size));
  return array;
}

}  // namespace

Call numberedCall(const std::string& name, Random& random) {
  const auto& ops = sd::loops::numberedOps();
  const auto& op =
      *std::find_if(ops.begin(), ops.end(), [&](const auto& o) { return sd::loops::qualifiedName(o) == name; });
  Call call;
  call.entry = Entry::Numbered;
  call.op = name;
  call.group = op.group;
  call.number = random.once(100) ? random.pick({-1, 17, 63, 64, 1000, 2147483647}) : op.number;
  call.form = static_cast<int>(random.below(4));
  const Form form = formOf(op.group, call.form);

  Dims dims(random.below(random.once(4) ? 7 : 4));
  for (LongType& d : dims) d = random.pick<LongType>({1, 2, 3, 4, 5, 9, 17, random.once(12) ? 0 : 2});
  DataType type = random.pick(numericTypes());
  const bool floatOnly = op.group == OpGroup::TransformStrict || op.group == OpGroup::Random;
  if (floatOnly && !random.once(12)) type = random.pick({sd::FLOAT32, sd::DOUBLE, sd::HALF, sd::BFLOAT16});
  Array x = Array::of(type, dims);
  fillValues(x, random);
  const std::vector<int> axes = form.axes ? someAxes(x, random) : std::vector<int>();
  call.inputs.push_back(x);
  if (form.y) {
    Dims ofY = dims;
    if (op.group == OpGroup::Scalar || op.group == OpGroup::ScalarBool || op.group == OpGroup::ScalarInt)
      ofY = form.axes ? selected(x, axes, false) : Dims();
    if (op.group == OpGroup::Broadcast || op.group == OpGroup::BroadcastBool || op.group == OpGroup::BroadcastInt)
      ofY = selected(x, axes, true);
    if (op.group == OpGroup::Pairwise && random.once(6)) ofY = {};
    Array y = Array::of(type, ofY);
    fillValues(y, random);
    call.inputs.push_back(y);
  }
  Dims ofZ = dims;
  if (form.z == Form::One) ofZ = {};
  if (form.z == Form::Reduced) ofZ = selected(x, axes, false);
  if (form.z == Form::Pairs) ofZ = {product(selected(x, axes, false)), product(selected(x, axes, false))};
  call.outputs.push_back(Array::of(resultOf(op.group, type, random), ofZ));
  for (int k = 0; k < op.maxParams; k++) call.extra.push_back(static_cast<double>(random.between(0, 2)));
  call.extraGiven = op.requiredParams > 0 || random.once(2);
  call.flag = random.once(2);

  if (byNameOnly(op.group) || random.once(4)) {
    // Called by name, like an operation with a shape function.
    call.entry = random.pick({Entry::Context, Entry::Class, Entry::Evaluate, Entry::Direct});
    call.t = call.extra;
    call.i.assign(axes.begin(), axes.end());
    return call;
  }
  if (form.axes) call.inputs.push_back(axesArray(axes, random));
  return call;
}

}  // namespace fuzz
