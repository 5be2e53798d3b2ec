// Moves blocks of pixels into channels or into the batch, and back, by splitting and permuting dimensions.
// operations: depth_to_space space_to_depth space_to_batch batch_to_space space_to_batch_nd batch_to_space_nd
#include <ops/declarable/headers/transforms.h>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

namespace sd::ops {
namespace {

// ---- channels

struct Depth {
  LongType block;
  int height, channel;  ///< the dimension of rows (the next one is that of columns), and of channels
};

Depth depthOf(graph::Context& block, const LongType* x) {
  const LongType size = block.intArgument64(0);
  if (shape::rank(x) != 4) reject("input 0 'x': its rank is {}, not 4 (shape {})", shape::rank(x), text(x));
  if (size < 1 || size > (1 << 15)) reject("argument 'blockSize': {} is outside 1..{}", size, 1 << 15);
  return block.intArgument64(1) == 1 ? Depth{size, 1, 3} : Depth{size, 2, 1};
}

/// The array with the larger image as [N, H, W, b, b, C]: rows and columns are split into blocks.
Region imageBlocks(const NDArray& image, const Depth& depth) {
  Region region(image);
  region.split(depth.height + 1, depth.block).split(depth.height, depth.block);
  // [N, H, b, W, b, C] or [N, C, H, b, W, b]
  return depth.channel == 3 ? region.permute({0, 1, 3, 2, 4, 5}) : region.permute({0, 2, 4, 3, 5, 1});
}

/// The array with more channels as [N, H, W, b, b, C].
Region channelBlocks(const NDArray& deep, const Depth& depth, LongType channels) {
  Region region(deep);
  region.split(depth.channel, channels);
  region.split(depth.channel, depth.block);
  // [N, H, W, b, b, C] or [N, b, b, C, H, W]
  return depth.channel == 3 ? region : region.permute({0, 4, 5, 1, 2, 3});
}

// ---- batches

/// The block sizes of the spatial dimensions, which follow the batch, and their padding or cropping.
struct Blocks {
  Dims sizes;
  std::vector<std::pair<LongType, LongType>> borders;
};

Blocks blocksOf(Dims sizes, const NDArray& borders, int index, const char* name) {
  const auto count = static_cast<LongType>(sizes.size());
  if (!borders.isSameShape(Dims{count, 2}))
    reject("input {} '{}': its shape is {}, not {}", index, name, text(borders), text(Dims{count, 2}));
  const auto values = integersOf(borders, index, name);
  Blocks result{std::move(sizes), {}};
  for (size_t m = 0; m < result.sizes.size(); m++) {
    if (values[2 * m] < 0 || values[2 * m + 1] < 0)
      reject("input {} '{}': {} at [{}] is negative", index, name, std::min(values[2 * m], values[2 * m + 1]), m);
    result.borders.emplace_back(values[2 * m], values[2 * m + 1]);
  }
  return result;
}

Blocks squareBlocks(graph::Context& block, const char* name) {
  const LongType size = block.intArgument64(0);
  if (block.array(0)->rankOf() != 4)
    reject("input 0 'x': its rank is {}, not 4 (shape {})", block.array(0)->rankOf(), text(*block.array(0)));
  if (size < 2) reject("argument 'blockSize': {} is below 2", size);
  return blocksOf({size, size}, *block.array(1), 1, name);
}

Blocks givenBlocks(graph::Context& block, const char* name) {
  const NDArray &x = *block.array(0), &given = *block.array(1);
  requireRank(given, 1, 1, "blockShape");
  const auto sizes = integersOf(given, 1);
  if (x.rankOf() <= static_cast<int>(sizes.size()))
    reject("input 1 'blockShape': {} values are too many for shape {}, whose first dimension is the batch",
           sizes.size(), text(x));
  for (const LongType size : sizes)
    if (size < 1) reject("input 1 'blockShape': {} is below 1 ({})", size, text(sizes));
  return blocksOf(sizes, *block.array(2), 2, name);
}

LongType productOf(const Dims& sizes) {
  LongType product = 1;
  for (const LongType size : sizes)
    if (__builtin_mul_overflow(product, size, &product)) reject("blocks {} are too large", text(sizes));
  return product;
}

LongType sum(LongType a, LongType b) {
  LongType result;
  if (__builtin_add_overflow(a, b, &result)) reject("{} + {} is too large", a, b);
  return result;
}

Dims toBatchSizes(const LongType* x, const Blocks& blocks) {
  Dims sizes = dimsOf(x);
  if (__builtin_mul_overflow(sizes[0], productOf(blocks.sizes), &sizes[0])) reject("the batch becomes too large");
  for (size_t m = 0; m < blocks.sizes.size(); m++) {
    const auto& [before, after] = blocks.borders[m];
    const LongType padded = sum(sum(sizes[1 + m], before), after);
    if (padded % blocks.sizes[m] != 0)
      reject("dimension {} of shape {} has {} elements with its padding, which is not divisible by {}", 1 + m, text(x),
             padded, blocks.sizes[m]);
    sizes[1 + m] = padded / blocks.sizes[m];
  }
  return sizes;
}

Dims fromBatchSizes(const LongType* x, const Blocks& blocks) {
  Dims sizes = dimsOf(x);
  const LongType product = productOf(blocks.sizes);
  if (sizes[0] % product != 0) reject("a batch of {} is not divisible by {} (shape {})", sizes[0], product, text(x));
  sizes[0] /= product;
  for (size_t m = 0; m < blocks.sizes.size(); m++) {
    LongType whole;
    if (__builtin_mul_overflow(sizes[1 + m], blocks.sizes[m], &whole)) reject("shape {} becomes too large", text(x));
    const auto& [start, end] = blocks.borders[m];
    if (start > whole || end > whole - start)
      reject("crops {} and {} leave none of the {} elements of dimension {}", start, end, whole, 1 + m);
    sizes[1 + m] = whole - start - end;
  }
  return sizes;
}

/// Calls f(inside, outside) for each position in a block: the elements of the image at that position that are not
/// border, and the corresponding elements of the array with the larger batch.
template <typename F>
void forEachBlockPosition(const NDArray& image, const NDArray& batches, const Blocks& blocks, F&& f) {
  const auto count = blocks.sizes.size();
  const LongType positions = productOf(blocks.sizes), batch = image.sizeAt(0);
  Dims position(count, 0);
  for (LongType k = 0; k < positions; k++) {
    LongType rest = k;
    for (size_t m = count; m-- > 0; rest /= blocks.sizes[m]) position[m] = rest % blocks.sizes[m];
    Region inside(image), outside(batches);
    outside.take(0, k * batch, batch);
    for (size_t m = 0; m < count; m++) {
      // For the least y for which element y * size + position is inside the image, `first` is that element's index in
      // the image.
      const int d = static_cast<int>(m) + 1;
      const LongType size = blocks.sizes[m], before = blocks.borders[m].first;
      const LongType y = before <= position[m] ? 0 : (before - position[m] + size - 1) / size;
      const LongType first = y * size + position[m] - before;
      const LongType left = image.sizeAt(d) - first, steps = left <= 0 ? 0 : (left + size - 1) / size;
      inside.take(d, first, steps, size);
      outside.take(d, y, steps);
    }
    f(inside, outside);
  }
}

Status toBatch(const NDArray& x, const Blocks& blocks, const NDArray& z) {
  if (z.isEmpty()) return Status::OK;
  for (const auto& [before, after] : blocks.borders)
    if (before > 0 || after > 0) {
      Region(z).fillZeros();
      break;
    }
  forEachBlockPosition(x, z, blocks, [](const Region& inside, const Region& outside) { inside.copyTo(outside); });
  return Status::OK;
}

/// Cropping is the inverse of padding: cropped elements are skipped.
Status fromBatch(const NDArray& x, const Blocks& blocks, const NDArray& z) {
  if (z.isEmpty()) return Status::OK;
  forEachBlockPosition(z, x, blocks, [](const Region& inside, const Region& outside) { outside.copyTo(inside); });
  return Status::OK;
}

const LongType* typedAs(const LongType* x, const Dims& sizes) { return shapeOf(ArrayOptions::dataType(x), 'c', sizes); }

}  // namespace

CUSTOM_OP_IMPL(depth_to_space, 1, 1, false, 0, 2) {
  const NDArray &x = *INPUT_VARIABLE(0), &z = *OUTPUT_VARIABLE(0);
  const Depth depth = depthOf(block, x.shapeInfo());
  if (!z.isEmpty()) channelBlocks(x, depth, z.sizeAt(depth.channel)).copyTo(imageBlocks(z, depth));
  return Status::OK;
}
DECLARE_SHAPE_FN(depth_to_space) {
  const LongType* x = inputShape->at(0);
  const Depth depth = depthOf(block, x);
  Dims sizes = dimsOf(x);
  LongType& channels = sizes[static_cast<size_t>(depth.channel)];
  if (channels % (depth.block * depth.block) != 0)
    reject("{} channels are not divisible by {} (shape {})", channels, depth.block * depth.block, text(x));
  channels /= depth.block * depth.block;
  for (int d = depth.height; d < depth.height + 2; d++)
    if (LongType& size = sizes[static_cast<size_t>(d)]; __builtin_mul_overflow(size, depth.block, &size))
      reject("shape {} becomes too large", text(x));
  return shapes(typedAs(x, sizes));
}
DECLARE_TYPES(depth_to_space) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "Moves channels into blocks of pixels.",
       .formula = "z(n, y, x, d) = x(n, y div b, x div b, ((y mod b) * b + x mod b) * (C / b^2) + d)",
       .inputs = "x: [N, H, W, C], or [N, C, H, W]",
       .outputs = "z: [N, H * b, W * b, C / b^2], or the channels first; x's type",
       .integers = "blockSize: b\nisNHWC: 1: channels last, else first"});
}

CUSTOM_OP_IMPL(space_to_depth, 1, 1, false, 0, 2) {
  const NDArray &x = *INPUT_VARIABLE(0), &z = *OUTPUT_VARIABLE(0);
  const Depth depth = depthOf(block, x.shapeInfo());
  if (!z.isEmpty()) imageBlocks(x, depth).copyTo(channelBlocks(z, depth, x.sizeAt(depth.channel)));
  return Status::OK;
}
DECLARE_SHAPE_FN(space_to_depth) {
  const LongType* x = inputShape->at(0);
  const Depth depth = depthOf(block, x);
  Dims sizes = dimsOf(x);
  for (int d = depth.height; d < depth.height + 2; d++) {
    LongType& size = sizes[static_cast<size_t>(d)];
    if (size % depth.block != 0) reject("dimension {} is not divisible by {} (shape {})", d, depth.block, text(x));
    size /= depth.block;
  }
  LongType& channels = sizes[static_cast<size_t>(depth.channel)];
  if (__builtin_mul_overflow(channels, depth.block * depth.block, &channels))
    reject("shape {} becomes too large", text(x));
  return shapes(typedAs(x, sizes));
}
DECLARE_TYPES(space_to_depth) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "Moves blocks of pixels into channels.",
       .formula = "z(n, y div b, x div b, ((y mod b) * b + x mod b) * C + d) = x(n, y, x, d)",
       .inputs = "x: [N, H, W, C], or [N, C, H, W]",
       .outputs = "z: [N, H / b, W / b, C * b^2], or the channels first; x's type",
       .integers = "blockSize: b\nisNHWC: 1: channels last, else first"});
}

namespace {

void describeBatch(OpDescriptor* descriptor, const char* summary, const char* inputs, const char* integers) {
  descriptor->setAllowedInputTypes(ANY)
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = summary,
                  .inputs = inputs,
                  .outputs = "z: the rearranged array, x's type",
                  .integers = integers,
                  .notes = "Position (i, j, …) of a block, counted in c order, is the slowest-varying part of the "
                           "batch index."});
}

}  // namespace

// name, inputs, integer arguments, blocks, name of the borders, direction
#define SD_BATCH(NAME, NIN, IARGS, BLOCKS, BORDERS, MOVE)                                              \
  CUSTOM_OP_IMPL(NAME, NIN, 1, false, 0, IARGS) {                                                      \
    return MOVE(*INPUT_VARIABLE(0), BLOCKS(block, BORDERS), *OUTPUT_VARIABLE(0));                      \
  }                                                                                                    \
  DECLARE_SHAPE_FN(NAME) {                                                                             \
    return shapes(typedAs(inputShape->at(0), MOVE##Sizes(inputShape->at(0), BLOCKS(block, BORDERS)))); \
  }

SD_BATCH(space_to_batch, 2, 1, squareBlocks, "paddings", toBatch)
DECLARE_TYPES(space_to_batch) {
  describeBatch(getOpDescriptor(), "Moves blocks of pixels, with a border of zeros, into the batch.",
                "x: [B, H, W, C]\npaddings: [2, 2], numbers of zeros before and after rows and columns",
                "blockSize: rows and columns of a block, 2 or more");
}

SD_BATCH(batch_to_space, 2, 1, squareBlocks, "crops", fromBatch)
DECLARE_TYPES(batch_to_space) {
  describeBatch(getOpDescriptor(), "Moves parts of the batch into blocks of pixels and crops the border.",
                "x: [B, H, W, C]\ncrops: [2, 2], numbers of positions to crop before and after rows and columns",
                "blockSize: rows and columns of a block, 2 or more");
}

SD_BATCH(space_to_batch_nd, 3, 0, givenBlocks, "paddings", toBatch)
DECLARE_TYPES(space_to_batch_nd) {
  describeBatch(getOpDescriptor(), "Moves blocks of several dimensions, with a border of zeros, into the batch.",
                "x: [B, S1.., SM, rest..]\nblockShape: [M] integers\npaddings: [M, 2] integers", "");
}

SD_BATCH(batch_to_space_nd, 3, 0, givenBlocks, "crops", fromBatch)
DECLARE_TYPES(batch_to_space_nd) {
  describeBatch(getOpDescriptor(), "Moves parts of the batch into blocks of several dimensions and crops the border.",
                "x: [B, S1.., SM, rest..]\nblockShape: [M] integers\ncrops: [M, 2] integers", "");
}

}  // namespace sd::ops
