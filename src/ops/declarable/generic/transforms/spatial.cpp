// Moves blocks of pixels into channels or into the batch, and back, by splitting and permuting dimensions.
// operations: depth_to_space space_to_depth space_to_batch batch_to_space space_to_batch_nd batch_to_space_nd
#include <ops/declarable/headers/transforms.h>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

// ---- channels

constexpr LongType UNKNOWN = PartialShape::UNKNOWN;

struct Depth {
  LongType block;
  int height, channel;  ///< the dimension of rows (the next one is that of columns), and of channels
};

Depth depthOf(const DepthBlocks& a) {
  return a.layout == ImageLayout::NHWC ? Depth{a.blockSize, 1, 3} : Depth{a.blockSize, 2, 1};
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

void requireBorders(const PartialShape& borders, LongType count, int index, const char* name) {
  const PartialShape wanted(borders.type(), {count, 2});
  if (!compatible(borders, wanted))
    reject("input {} '{}': its shape is {}, not {}", index, name, borders.text(), wanted.text());
}

Blocks blocksOf(Dims sizes, const NDArray& borders, int index, const char* name) {
  requireBorders(PartialShape::of(borders.shapeInfo()), static_cast<LongType>(sizes.size()), index, name);
  const auto values = integersOf(borders, index, name);
  Blocks result{std::move(sizes), {}};
  for (size_t m = 0; m < result.sizes.size(); m++) {
    if (values[2 * m] < 0 || values[2 * m + 1] < 0)
      reject("input {} '{}': {} at [{}] is negative", index, name, std::min(values[2 * m], values[2 * m + 1]), m);
    result.borders.emplace_back(values[2 * m], values[2 * m + 1]);
  }
  return result;
}

/// The sizes of blocks that input 1 gives.
Dims givenSizes(const NDArray& given, const PartialShape& x) {
  const auto sizes = integersOf(given, 1, "block_shape");
  if (x.hasRank() && x.rank() <= static_cast<int>(sizes.size()))
    reject("input 1 'block_shape': {} values are too many for shape {}, whose first dimension is the batch",
           sizes.size(), x.text());
  for (const LongType size : sizes)
    if (size < 1) reject("input 1 'block_shape': {} is below 1 ({})", size, text(sizes));
  return sizes;
}

/// The blocks of a call: squares by the argument, or given by input 1.
template <bool SQUARE>
const Blocks& current(graph::Context& block, const char* borders) {
  return kept<Blocks>(block, [&] {
    const PartialShape x = PartialShape::of(block.array(0)->shapeInfo());
    if constexpr (SQUARE) {
      requireRank(x, 4, 0, "x");
      const LongType size = arguments<BatchBlocks>(block).blockSize;
      return blocksOf({size, size}, *block.array(1), 1, borders);
    } else {
      requireRank(PartialShape::of(block.array(1)->shapeInfo()), 1, 1, "block_shape");
      return blocksOf(givenSizes(*block.array(1), x), *block.array(2), 2, borders);
    }
  });
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

PartialShape toBatchShape(const PartialShape& x, const Blocks& blocks) {
  PartialShape z = x.withOrder('c');
  LongType batch = x[0];
  if (batch != UNKNOWN && __builtin_mul_overflow(batch, productOf(blocks.sizes), &batch))
    reject("the batch becomes too large");
  z.set(0, batch);
  for (size_t m = 0; m < blocks.sizes.size(); m++) {
    const auto& [before, after] = blocks.borders[m];
    const int d = static_cast<int>(m) + 1;
    if (x[d] == UNKNOWN) continue;
    const LongType padded = sum(sum(x[d], before), after);
    if (padded % blocks.sizes[m] != 0)
      reject("dimension {} of shape {} has {} elements with its padding, which is not divisible by {}", d, x.text(),
             padded, blocks.sizes[m]);
    z.set(d, padded / blocks.sizes[m]);
  }
  return z;
}

PartialShape fromBatchShape(const PartialShape& x, const Blocks& blocks) {
  PartialShape z = x.withOrder('c');
  const LongType product = productOf(blocks.sizes);
  if (x[0] != UNKNOWN) {
    if (x[0] % product != 0) reject("a batch of {} is not divisible by {} (shape {})", x[0], product, x.text());
    z.set(0, x[0] / product);
  }
  for (size_t m = 0; m < blocks.sizes.size(); m++) {
    const int d = static_cast<int>(m) + 1;
    if (x[d] == UNKNOWN) continue;
    LongType whole;
    if (__builtin_mul_overflow(x[d], blocks.sizes[m], &whole)) reject("shape {} becomes too large", x.text());
    const auto& [start, end] = blocks.borders[m];
    if (start > whole || end > whole - start)
      reject("crops {} and {} leave none of the {} elements of dimension {}", start, end, whole, d);
    z.set(d, whole - start - end);
  }
  return z;
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

using ShapeOfBlocks = PartialShape (*)(const PartialShape& x, const Blocks& blocks);

template <ShapeOfBlocks SHAPE>
void inferSquares(Inference& in, const char* name) {
  const PartialShape x = in.input(0);
  requireRank(x, 4, 0, "x");
  requireBorders(in.input(1), 2, 1, name);
  const NDArray* borders = in.values(1);
  if (borders == nullptr || !x.hasRank()) return in.output(PartialShape::ofRank(x.type(), 4));
  const LongType size = in.arguments<BatchBlocks>().blockSize;
  Blocks blocks = blocksOf({size, size}, *borders, 1, name);
  in.output(SHAPE(x, blocks));
  in.keep(std::move(blocks));
}

template <ShapeOfBlocks SHAPE>
void inferGiven(Inference& in, const char* name) {
  const PartialShape x = in.input(0), sizes = in.input(1), pairs = in.input(2);
  requireRank(sizes, 1, 1, "block_shape");
  if (sizes.length() != UNKNOWN) requireBorders(pairs, sizes.length(), 2, name);
  const NDArray *given = in.values(1), *borders = in.values(2);
  if (!x.hasRank() || given == nullptr || borders == nullptr)
    return in.output(x.hasRank() ? PartialShape::ofRank(x.type(), x.rank()) : PartialShape(x.type()));
  Blocks blocks = blocksOf(givenSizes(*given, x), *borders, 2, name);
  in.output(SHAPE(x, blocks));
  in.keep(std::move(blocks));
}

void inferToSpace(Inference& in) {
  const PartialShape x = in.input(0);
  requireRank(x, 4, 0, "x");
  if (!x.hasRank()) return in.output(PartialShape::ofRank(x.type(), 4));
  const Depth depth = depthOf(in.arguments<DepthBlocks>());
  PartialShape z = x.withOrder('c');
  const LongType channels = x[depth.channel], square = depth.block * depth.block;
  if (channels != UNKNOWN && channels % square != 0)
    reject("{} channels are not divisible by {} (shape {})", channels, square, x.text());
  z.set(depth.channel, channels == UNKNOWN ? UNKNOWN : channels / square);
  for (int d = depth.height; d < depth.height + 2; d++) {
    LongType size = x[d];
    if (size != UNKNOWN && __builtin_mul_overflow(size, depth.block, &size))
      reject("shape {} becomes too large", x.text());
    z.set(d, size);
  }
  in.output(z);
}

void inferToDepth(Inference& in) {
  const PartialShape x = in.input(0);
  requireRank(x, 4, 0, "x");
  if (!x.hasRank()) return in.output(PartialShape::ofRank(x.type(), 4));
  const Depth depth = depthOf(in.arguments<DepthBlocks>());
  PartialShape z = x.withOrder('c');
  for (int d = depth.height; d < depth.height + 2; d++) {
    if (x[d] == UNKNOWN) continue;
    if (x[d] % depth.block != 0) reject("dimension {} is not divisible by {} (shape {})", d, depth.block, x.text());
    z.set(d, x[d] / depth.block);
  }
  LongType channels = x[depth.channel];
  if (channels != UNKNOWN && __builtin_mul_overflow(channels, depth.block * depth.block, &channels))
    reject("shape {} becomes too large", x.text());
  z.set(depth.channel, channels);
  in.output(z);
}

void depthArguments(Schema& schema) {
  schema.argument(&DepthBlocks::blockSize, "block_size", "rows and columns of a block")
      .atInteger(0)
      .between(1, 1 << 15)
      .require();
  schema.argument(&DepthBlocks::layout, "layout", "the order of the axes").atInteger(1).otherwise(ImageLayout::NCHW);
}

void squareArgument(Schema& schema) {
  schema.argument(&BatchBlocks::blockSize, "block_size", "rows and columns of a block")
      .atInteger(0)
      .atLeast(2)
      .require();
}

}  // namespace

CUSTOM_OP_IMPL(depth_to_space, 1, 1, false, 0, 2) {
  const NDArray &x = *INPUT_VARIABLE(0), &z = *OUTPUT_VARIABLE(0);
  const Depth depth = depthOf(arguments<DepthBlocks>(block));
  if (!z.isEmpty()) channelBlocks(x, depth, z.sizeAt(depth.channel)).copyTo(imageBlocks(z, depth));
  return Status::OK;
}
INFERRED_SHAPES(depth_to_space)
DECLARE_SCHEMA(depth_to_space) {
  schema.summary("Moves channels into blocks of pixels.")
      .formula("z(n, y, x, d) = x(n, y div b, x div b, ((y mod b) * b + x mod b) * (C / b^2) + d)")
      .note(
          "The place in a block comes before the channel, as in TensorFlow (DCR of ONNX); pixel_shuffle of PyTorch has "
          "them the other way round.");
  schema.input("x", "[N, C, H, W] or [N, H, W, C]");
  depthArguments(schema);
  schema.output("z", "[N, C / b^2, H * b, W * b] or [N, H * b, W * b, C / b^2], the type of x, b = block_size");
  schema.inputTypes({ANY}).sameTypes().infer(inferToSpace);
  schema.example(R"({"x": [[[[1.0, 2.0, 3.0, 4.0]]]], "block_size": 2, "layout": "nhwc"})");
  schema.elsewhere(
      {.torch = "torch.nn.functional.pixel_shuffle", .tensorflow = "tf.nn.depth_to_space", .onnx = "DepthToSpace"});
  schema.words("pixel shuffle, sub-pixel").see("space_to_depth batch_to_space");
  schema.gradient([](Gradient& g) { g.set(0, g.call("space_to_depth", {g.of()}, g.ownArguments())); });
}

CUSTOM_OP_IMPL(space_to_depth, 1, 1, false, 0, 2) {
  const NDArray &x = *INPUT_VARIABLE(0), &z = *OUTPUT_VARIABLE(0);
  const Depth depth = depthOf(arguments<DepthBlocks>(block));
  if (!z.isEmpty()) imageBlocks(x, depth).copyTo(channelBlocks(z, depth, x.sizeAt(depth.channel)));
  return Status::OK;
}
INFERRED_SHAPES(space_to_depth)
DECLARE_SCHEMA(space_to_depth) {
  schema.summary("Moves blocks of pixels into channels.")
      .formula("z(n, y div b, x div b, ((y mod b) * b + x mod b) * C + d) = x(n, y, x, d)");
  schema.input("x", "[N, C, H, W] or [N, H, W, C]");
  depthArguments(schema);
  schema.output("z", "[N, C * b^2, H / b, W / b] or [N, H / b, W / b, C * b^2], the type of x, b = block_size");
  schema.inputTypes({ANY}).sameTypes().infer(inferToDepth);
  schema.example(R"({"x": [[[[1.0], [2.0]], [[3.0], [4.0]]]], "block_size": 2, "layout": "nhwc"})");
  schema.elsewhere(
      {.torch = "torch.nn.functional.pixel_unshuffle", .tensorflow = "tf.nn.space_to_depth", .onnx = "SpaceToDepth"});
  schema.words("pixel unshuffle").see("depth_to_space space_to_batch");
  schema.gradient([](Gradient& g) { g.set(0, g.call("depth_to_space", {g.of()}, g.ownArguments())); });
}

// name, inputs, integer arguments, whether blocks are squares, name of the borders, direction
#define SD_BATCH(NAME, NIN, IARGS, SQUARE, BORDERS, MOVE)                                  \
  CUSTOM_OP_IMPL(NAME, NIN, 1, false, 0, IARGS) {                                          \
    return MOVE(*INPUT_VARIABLE(0), current<SQUARE>(block, BORDERS), *OUTPUT_VARIABLE(0)); \
  }                                                                                        \
  INFERRED_SHAPES(NAME)

SD_BATCH(space_to_batch, 2, 1, true, "padding", toBatch)
DECLARE_SCHEMA(space_to_batch) {
  schema.descriptor().setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS});
  schema.summary("Moves blocks of pixels, with a border of zeros, into the batch.")
      .note("Position (i, j, …) of a block, counted in c order, is the slowest-varying part of the batch index.");
  schema.input("x", "[B, H, W, C]");
  schema.input("padding", "[2, 2], numbers of zeros before and after rows and columns")
      .types({ALL_FLOATS, ALL_INTS})
      .shapesNeedValues();
  squareArgument(schema);
  schema.output("z", "[B * b^2, (H + padding) / b, (W + padding) / b, C], the type of x, b = block_size");
  schema.inputTypes({ANY}).sameTypes().infer([](Inference& in) { inferSquares<toBatchShape>(in, "padding"); });
  schema.example(R"({"x": [[[[1.0], [2.0]], [[3.0], [4.0]]]], "padding": [[0, 0], [0, 0]], "block_size": 2})");
  schema.elsewhere({.tensorflow = "tf.space_to_batch"});
  schema.words("blocks, dilation").see("batch_to_space space_to_batch_nd space_to_depth");
  schema.gradient([](Gradient& g) { g.set(0, g.call("batch_to_space", {g.of(), g.input(1)}, g.ownArguments())); });
}

SD_BATCH(batch_to_space, 2, 1, true, "crops", fromBatch)
DECLARE_SCHEMA(batch_to_space) {
  schema.descriptor().setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS});
  schema.summary("Moves parts of the batch into blocks of pixels and crops the border.")
      .note("Position (i, j, …) of a block, counted in c order, is the slowest-varying part of the batch index.");
  schema.input("x", "[B, H, W, C]");
  schema.input("crops", "[2, 2], numbers of positions to crop before and after rows and columns")
      .types({ALL_FLOATS, ALL_INTS})
      .shapesNeedValues();
  squareArgument(schema);
  schema.output("z", "[B / b^2, H * b - crops, W * b - crops, C], the type of x, b = block_size");
  schema.inputTypes({ANY}).sameTypes().infer([](Inference& in) { inferSquares<fromBatchShape>(in, "crops"); });
  schema.example(R"({"x": [[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]], "crops": [[0, 0], [0, 0]], "block_size": 2})");
  schema.elsewhere({.tensorflow = "tf.compat.v1.batch_to_space"});
  schema.words("blocks").see("space_to_batch batch_to_space_nd depth_to_space");
  schema.gradient([](Gradient& g) { g.set(0, g.call("space_to_batch", {g.of(), g.input(1)}, g.ownArguments())); });
}

SD_BATCH(space_to_batch_nd, 3, 0, false, "padding", toBatch)
DECLARE_SCHEMA(space_to_batch_nd) {
  schema.summary("Moves blocks of several dimensions, with a border of zeros, into the batch.")
      .note("Position (i, j, …) of a block, counted in c order, is the slowest-varying part of the batch index.");
  schema.input("x", "[B, S1, .., SM] + rest");
  schema.input("block_shape", "[M], block sizes").types({ALL_FLOATS, ALL_INTS}).shapesNeedValues();
  schema.input("padding", "[M, 2], numbers of zeros before and after each dimension")
      .types({ALL_FLOATS, ALL_INTS})
      .shapesNeedValues();
  schema.output("z", "[B * product of blocks, (Sm + padding) / block, ..] + rest, the type of x");
  schema.inputTypes({ANY}).sameTypes().infer([](Inference& in) { inferGiven<toBatchShape>(in, "padding"); });
  schema.example(R"({"x": [[1.0, 2.0, 3.0, 4.0]], "block_shape": [2], "padding": [[0, 0]]})");
  schema.elsewhere({.tensorflow = "tf.space_to_batch"});
  schema.words("blocks").see("batch_to_space_nd space_to_batch");
  schema.gradient([](Gradient& g) { g.set(0, g.call("batch_to_space_nd", {g.of(), g.input(1), g.input(2)})); });
}

SD_BATCH(batch_to_space_nd, 3, 0, false, "crops", fromBatch)
DECLARE_SCHEMA(batch_to_space_nd) {
  schema.summary("Moves parts of the batch into blocks of several dimensions and crops the border.")
      .note("Position (i, j, …) of a block, counted in c order, is the slowest-varying part of the batch index.");
  schema.input("x", "[B, S1, .., SM] + rest");
  schema.input("block_shape", "[M], block sizes").types({ALL_FLOATS, ALL_INTS}).shapesNeedValues();
  schema.input("crops", "[M, 2], numbers of positions to crop before and after each dimension")
      .types({ALL_FLOATS, ALL_INTS})
      .shapesNeedValues();
  schema.output("z", "[B / product of blocks, Sm * block - crops, ..] + rest, the type of x");
  schema.inputTypes({ANY}).sameTypes().infer([](Inference& in) { inferGiven<fromBatchShape>(in, "crops"); });
  schema.example(R"({"x": [[1.0, 3.0], [2.0, 4.0]], "block_shape": [2], "crops": [[0, 0]]})");
  schema.elsewhere({.tensorflow = "tf.batch_to_space"});
  schema.words("blocks").see("space_to_batch_nd batch_to_space");
  schema.gradient([](Gradient& g) { g.set(0, g.call("space_to_batch_nd", {g.of(), g.input(1), g.input(2)})); });
}

}  // namespace sd::ops
