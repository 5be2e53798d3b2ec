#include "graph/ValueViews.h"

#include <helpers/shape.h>
#include <ops/declarable/headers/shape.h>
#include <ops/declarable/headers/tensor.h>
#include <ops/declarable/headers/transforms.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace sd::graph {
namespace {

using Infos = std::vector<const LongType*>;

LongType sizeAt(const LongType* info, int dimension) { return shape::shapeOf(info)[dimension]; }

/// Whether all dimensions before this one have size 1, so that slices along it lie one after another.
bool isOutermost(const LongType* info, int dimension) {
  for (int d = 0; d < dimension; d++)
    if (sizeAt(info, d) != 1) return false;
  return true;
}

/// The positions that a slice takes of one dimension.
struct Range {
  LongType start, count, stride;
};

/// The first element of a box that is one run of a dense array; nothing when it has gaps.
std::optional<LongType> offsetOfRun(const LongType* info, const std::vector<Range>& box) {
  LongType offset = 0, below = 1;  // the elements of one position
  bool isWhole = true;             // of all dimensions further in
  for (int d = shape::rank(info) - 1; d >= 0; d--) {
    const auto& [start, count, stride] = box[static_cast<size_t>(d)];
    const LongType size = sizeAt(info, d);
    if (count > 1 && (stride != 1 || !isWhole)) return std::nullopt;
    offset += start * below;
    // Further out, one position at most may be taken, unless this dimension is taken as a whole.
    isWhole = isWhole && count == size;
    below *= size;
  }
  return offset;
}

template <typename S>
const S* argumentsOf(Context& block) {
  return block.argumentBlock().holds(ops::argumentStruct<S>) ? &ops::arguments<S>(block) : nullptr;
}

std::optional<LongType> offsetOfSlice(const ops::Slice& a, const LongType* x) {
  const auto rank = static_cast<size_t>(shape::rank(x));
  if (a.begin.size() != rank || a.size.size() != rank) return std::nullopt;
  std::vector<Range> box;
  for (size_t d = 0; d < rank; d++) {
    const LongType size = sizeAt(x, static_cast<int>(d)) - a.begin[d];
    box.push_back({a.begin[d], a.size[d] < 0 ? size : a.size[d], 1});
  }
  return offsetOfRun(x, box);
}

/// Steps forward; the operation has checked the arguments.
std::optional<LongType> offsetOfStridedSlice(const ops::StridedSlice& a, const LongType* x) {
  const auto isSet = [](LongType mask, size_t position) { return position < 63 && (mask >> position & 1) != 0; };
  const int rank = shape::rank(x);
  int named = 0;
  for (size_t i = 0; i < a.begin.size(); i++)
    if (!isSet(a.ellipsisMask, i) && !isSet(a.newAxisMask, i)) named++;
  std::vector<Range> box;
  const auto take = [&](int dimensions) {
    for (; dimensions > 0; dimensions--) box.push_back({0, sizeAt(x, static_cast<int>(box.size())), 1});
  };
  for (size_t i = 0; i < a.begin.size(); i++) {
    if (isSet(a.ellipsisMask, i)) {
      take(rank - named);
      continue;
    }
    if (isSet(a.newAxisMask, i)) continue;
    const LongType size = sizeAt(x, static_cast<int>(box.size())), stride = a.stride.empty() ? 1 : a.stride[i];
    if (stride < 1) return std::nullopt;
    const auto counted = [size](LongType at) { return std::clamp<LongType>(at < 0 ? at + size : at, 0, size); };
    const LongType start = isSet(a.beginMask, i) ? 0 : counted(a.begin[i]);
    const LongType end = isSet(a.endMask, i) ? size : counted(a.end[i]);
    if (isSet(a.shrinkAxisMask, i))
      box.push_back({counted(a.begin[i]), 1, 1});
    else
      box.push_back({start, end <= start ? 0 : (end - start - 1) / stride + 1, stride});
  }
  take(rank - static_cast<int>(box.size()));
  return offsetOfRun(x, box);
}

/// Parts that lie one after another, and cover everything.
std::optional<InputParts> consecutive(size_t input, const LongType* x, const Infos& outputs) {
  InputParts parts{input, {}, outputs.size() == 1};
  LongType offset = 0;
  for (const LongType* output : outputs) {
    parts.offsets.push_back(offset);
    offset += shape::length(output);
  }
  if (offset != shape::length(x)) return std::nullopt;
  return parts;
}

/// The dimension in which the parts of an array differ from it, or the first one when there is one part.
int dimensionOfParts(const LongType* whole, const LongType* part) {
  for (int d = 0; d < shape::rank(whole); d++)
    if (sizeAt(whole, d) != sizeAt(part, d)) return d;
  return 0;
}

std::optional<InputParts> partsOfSplit(size_t input, const LongType* x, const Infos& outputs) {
  if (!isOutermost(x, dimensionOfParts(x, outputs[0]))) return std::nullopt;
  return consecutive(input, x, outputs);
}

std::optional<InputParts> single(std::optional<LongType> offset) {
  if (!offset) return std::nullopt;
  return InputParts{0, {*offset}, false};
}

enum class Kind { Other, SameElements, Flatten, Slice, StridedSlice, Split, Unstack, Concat, Stack };

Kind kindOf(const OpenNode& node) {
  static const std::unordered_map<std::string_view, Kind> kinds = {{"reshape", Kind::SameElements},
                                                                   {"reshapeas", Kind::SameElements},
                                                                   {"expand_dims", Kind::SameElements},
                                                                   {"squeeze", Kind::SameElements},
                                                                   {"flatten_2d", Kind::SameElements},
                                                                   {"identity", Kind::SameElements},
                                                                   {"stop_gradient", Kind::SameElements},
                                                                   {"flatten", Kind::Flatten},
                                                                   {"slice", Kind::Slice},
                                                                   {"strided_slice", Kind::StridedSlice},
                                                                   {"split", Kind::Split},
                                                                   {"split_v", Kind::Split},
                                                                   {"unstack", Kind::Unstack},
                                                                   {"concat", Kind::Concat},
                                                                   {"stack", Kind::Stack},
                                                                   {"parallel_stack", Kind::Stack}};
  const auto found = node.op() == nullptr ? kinds.end() : kinds.find(*node.op()->getOpName());
  return found == kinds.end() ? Kind::Other : found->second;
}

std::optional<InputParts> partsOf(const OpenNode& node, Context& block, const Infos& inputs, const Infos& outputs) {
  const LongType* x = inputs[0];
  switch (kindOf(node)) {
    case Kind::SameElements:
      return outputs.size() == 1 ? consecutive(0, x, outputs) : std::nullopt;
    case Kind::Flatten: {
      const auto* given = argumentsOf<ops::Flatten>(block);
      const bool isCopy = given != nullptr && given->order == ops::MemoryOrder::C && inputs.size() == 1;
      return isCopy ? consecutive(0, x, outputs) : std::nullopt;
    }
    case Kind::Slice: {
      const auto* given = argumentsOf<ops::Slice>(block);
      return given == nullptr ? std::nullopt : single(offsetOfSlice(*given, x));
    }
    case Kind::StridedSlice: {
      const auto* given = argumentsOf<ops::StridedSlice>(block);
      return given == nullptr ? std::nullopt : single(offsetOfStridedSlice(*given, x));
    }
    case Kind::Split: {
      // Of two inputs of split the one with one element is the axis: the first, if both have one.
      const size_t input = node.is("split") && inputs.size() == 2 && shape::length(x) == 1 ? 1 : 0;
      return partsOfSplit(input, inputs[input], outputs);
    }
    case Kind::Unstack: {
      const auto* given = argumentsOf<ops::Stack>(block);
      if (given == nullptr) return std::nullopt;
      const int axis = given->axis < 0 ? given->axis + shape::rank(x) : given->axis;
      return isOutermost(x, axis) ? consecutive(0, x, outputs) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

bool isDense(const LongType* shapeInfo) {
  if (shape::isEmpty(shapeInfo)) return false;
  LongType stride = 1;
  for (int d = shape::rank(shapeInfo) - 1; d >= 0; d--) {
    const LongType size = sizeAt(shapeInfo, d);
    if (size != 1 && shape::stride(shapeInfo)[d] != stride) return false;
    stride *= size;
  }
  return true;
}

std::optional<InputParts> partsOfInput(const OpenNode& node, Context& block, const Infos& inputs,
                                       const Infos& outputs) {
  for (const LongType* input : inputs)
    if (input == nullptr) return std::nullopt;
  if (inputs.empty() || outputs.empty() || shape::isEmpty(inputs[0])) return std::nullopt;
  const auto parts = partsOf(node, block, inputs, outputs);
  if (!parts) return std::nullopt;
  const LongType* source = inputs[parts->input];
  if (!isDense(source)) return std::nullopt;
  for (size_t k = 0; k < outputs.size(); k++)
    if (!isDense(outputs[k]) || shape::order(outputs[k]) != 'c' ||
        ArrayOptions::dataType(outputs[k]) != ArrayOptions::dataType(source) ||
        parts->offsets[k] + shape::length(outputs[k]) > shape::length(source))
      return std::nullopt;
  return parts;
}

std::optional<std::vector<LongType>> partsOfOutput(const OpenNode& node, Context& block, const Infos& inputs,
                                                   const LongType* output) {
  const Kind kind = kindOf(node);
  if ((kind != Kind::Concat && kind != Kind::Stack) || inputs.empty() || inputs[0] == nullptr) return std::nullopt;
  int axis = 0;
  if (kind == Kind::Concat) {
    const auto* given = argumentsOf<ops::Concat>(block);
    if (given == nullptr || given->axisIsInput || shape::rank(inputs[0]) != shape::rank(output)) return std::nullopt;
    axis = dimensionOfParts(output, inputs[0]);
  } else if (node.is("stack")) {
    const auto* given = argumentsOf<ops::Stack>(block);
    if (given == nullptr) return std::nullopt;
    axis = given->axis < 0 ? given->axis + shape::rank(output) : given->axis;
  }
  if (!isDense(output) || shape::order(output) != 'c' || !isOutermost(output, axis)) return std::nullopt;
  std::vector<LongType> offsets;
  LongType offset = 0;
  for (const LongType* input : inputs) {
    if (input == nullptr || !isDense(input) || shape::order(input) != 'c' ||
        ArrayOptions::dataType(input) != ArrayOptions::dataType(output))
      return std::nullopt;
    offsets.push_back(offset);
    offset += shape::length(input);
  }
  if (offset != shape::length(output)) return std::nullopt;
  return offsets;
}

}  // namespace sd::graph
