// Resizing of images.
// operations: resize_bilinear resize_nearest_neighbor resize_bicubic resize_area resize_images
#include <ops/declarable/headers/images.h>

#include "ops/declarable/generic/images/Resizing.h"

namespace sd::ops {
namespace {

/// Input 1, or the first two integer arguments.
Size sizeFrom(graph::Context& block, size_t most = 2) {
  Dims values;
  if (const NDArray* given = block.optionalArray(1)) {
    if (given->lengthOf() != 2) reject("input 1 'size': its shape is {}, but two integers are needed", text(*given));
    values = integersOf(*given, 1, "size");
    if (block.numI() > 1) reject("{} integer arguments are given in addition to input 1 'size'", block.numI());
  } else {
    values = integers64(block, -1);
    if (values.size() < 2 || values.size() > most)
      reject("{} integer arguments are given, but height and width are needed", values.size());
  }
  if (values[0] <= 0 || values[1] <= 0) reject("argument 'size': [{}, {}] is not positive", values[0], values[1]);
  return {values[0], values[1]};
}

ShapeList* resized(const LongType* x, graph::Context& block, DataType type) {
  return resized(x, sizeFrom(block), type);
}

/// The flags alignCorners and halfPixelCenters; at most one of them may be set.
struct Flags {
  bool align, half;
  explicit Flags(graph::Context& block) : align(flag(block, 0)), half(flag(block, 1)) {
    if (align && half) reject("'alignCorners' and 'halfPixelCenters' cannot both be true");
  }
};

// Parts of the documentation that several operations share.
constexpr const char* IMAGES_AND_SIZE = "x: [B, H, W, C] or [H, W, C]\nsize?: [2], height and width";
constexpr const char* SIZE_ARGUMENTS = "height?: used when there is no input size\nwidth?: likewise";
constexpr const char* FLAG_ARGUMENTS =
    "alignCorners?: the corner pixels keep their positions (default false)\nhalfPixelCenters?: pixels have their "
    "centres "
    "at 0.5, 1.5, ... (default false)";

DataType floatTypeOf(const LongType* x) {
  const DataType type = ArrayOptions::dataType(x);
  return DataTypeUtils::isR(type) ? type : FLOAT32;
}

}  // namespace

CUSTOM_OP_IMPL(resize_bilinear, 1, 1, false, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Flags flags(block);
  if (x.isSameShape(z)) {
    z.assign(x);
    return Status::OK;
  }
  resampleWith(x, z, [&](LongType in, LongType out) {
    return linearTaps(in, out, flags.align, flags.half ? Coordinates::HalfPixel : Coordinates::Asymmetric);
  });
  return Status::OK;
}
DECLARE_SHAPE_FN(resize_bilinear) {
  (void)Flags(block);
  return resized(inputShape->at(0), block, floatTypeOf(inputShape->at(0)));
}
DECLARE_TYPES(resize_bilinear) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS, ALL_INTS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "Resizes images by linear interpolation between the four nearest pixels.",
                  .formula = "z[y, x] is interpolated at (y * H / height, x * W / width); alignCorners: y * (H - 1) / "
                             "(height - 1); halfPixelCenters: (y + 0.5) * H / height - 0.5",
                  .inputs = IMAGES_AND_SIZE,
                  .outputs = "z: [B, height, width, C] or [height, width, C], the type of x, FLOAT32 for integers",
                  .integers = SIZE_ARGUMENTS,
                  .booleans = FLAG_ARGUMENTS});
}

CUSTOM_OP_IMPL(resize_nearest_neighbor, 1, 1, false, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Flags flags(block);
  if (x.isSameShape(z)) {
    z.assign(x);
    return Status::OK;
  }
  const auto indices = [&](LongType in, LongType out) {
    return nearestIndices(in, out, flags.align, flags.half ? Coordinates::HalfPixelNearest : Coordinates::Asymmetric,
                          flags.align ? Rounding::PreferCeil : Rounding::Floor);
  };
  pick(x, z, indices(x.sizeAt(-3), z.sizeAt(-3)), indices(x.sizeAt(-2), z.sizeAt(-2)));
  return Status::OK;
}
DECLARE_SHAPE_FN(resize_nearest_neighbor) {
  (void)Flags(block);
  const LongType* x = inputShape->at(0);
  return resized(x, sizeFrom(block, 3), ArrayOptions::dataType(x));
}
DECLARE_TYPES(resize_nearest_neighbor) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS, ALL_INTS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "Resizes images by taking the nearest pixels.",
                  .inputs = IMAGES_AND_SIZE,
                  .outputs = "z: [B, height, width, C] or [height, width, C], the type of x",
                  .integers = "height?: used when there is no input size\nwidth?: likewise\nunused?: ignored",
                  .booleans = FLAG_ARGUMENTS});
}

CUSTOM_OP_IMPL(resize_bicubic, 2, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Flags flags(block);
  resampleWith(x, z, [&](LongType in, LongType out) {
    return flags.half ? cubicTaps(in, out, false, Coordinates::HalfPixel, -0.5f, true)
                      : cubicTaps(in, out, flags.align, Coordinates::Asymmetric, -0.75f, false);
  });
  return Status::OK;
}
DECLARE_SHAPE_FN(resize_bicubic) {
  (void)Flags(block);
  (void)inputShape->at(1);
  const Size size = sizeFrom(block);
  if (size.height <= 3 || size.width <= 3)
    reject("input 1 'size': [{}, {}] is too small: more than 3 pixels are needed", size.height, size.width);
  return resized(inputShape->at(0), block, FLOAT32);
}
DECLARE_TYPES(resize_bicubic) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS, ALL_INTS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({FLOAT32})
      ->document({.summary = "Resizes images by cubic convolution of the sixteen nearest pixels.",
                  .inputs = "x: [B, H, W, C] or [H, W, C]\nsize: [2], height and width, more than 3",
                  .outputs = "z: [B, height, width, C] or [height, width, C], FLOAT32",
                  .booleans = FLAG_ARGUMENTS,
                  .notes =
                      "Keys' kernel with a = -0.75 and the edges repeated; with halfPixelCenters a = -0.5 and only "
                      "pixels inside the image count."});
}

CUSTOM_OP_IMPL(resize_area, 1, 1, false, 0, -2) {
  const bool align = flag(block, 0);
  resampleWith(*INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0),
               [&](LongType in, LongType out) { return areaTaps(in, out, align); });
  return Status::OK;
}
DECLARE_SHAPE_FN(resize_area) { return resized(inputShape->at(0), block, FLOAT32); }
DECLARE_TYPES(resize_area) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS, ALL_INTS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({FLOAT32})
      ->document({.summary = "Resizes images by averaging the area that each pixel covers.",
                  .inputs = IMAGES_AND_SIZE,
                  .outputs = "z: [B, height, width, C] or [height, width, C], FLOAT32",
                  .integers = SIZE_ARGUMENTS,
                  .booleans = "alignCorners?: the corner pixels keep their positions (default false)"});
}

namespace {

enum Method { Bilinear, Nearest, Bicubic, Area };

/// Input 2, or the integer argument that is not part of the size.
LongType methodFrom(graph::Context& block) {
  LongType method = Bilinear;
  if (const NDArray* given = block.optionalArray(2)) {
    method = scalarInteger(*given, 2, "method");
  } else {
    method = integer(block, block.optionalArray(1) != nullptr ? 0 : 2, Bilinear);
  }
  if (method < Bilinear || method > Area) reject("'method': {} is none of 0, 1, 2, 3", method);
  return method;
}

}  // namespace

CUSTOM_OP_IMPL(resize_images, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const bool align = flag(block, 0);
  const LongType method = methodFrom(block);
  if (method != Nearest) {
    resampleWith(x, z, [&](LongType in, LongType out) {
      if (method == Area) return areaTaps(in, out, align);
      if (method == Bicubic) return cubicTaps(in, out, align, Coordinates::Asymmetric, -0.75f, false);
      return linearTaps(in, out, align, Coordinates::Asymmetric);
    });
    return Status::OK;
  }
  const auto indices = [&](LongType in, LongType out) {
    return nearestIndices(in, out, align, Coordinates::Asymmetric, align ? Rounding::PreferCeil : Rounding::Floor);
  };
  if (z.isEmpty()) return Status::OK;
  const NDArray converted = x.cast(FLOAT32);
  pick(converted, z, indices(x.sizeAt(-3), z.sizeAt(-3)), indices(x.sizeAt(-2), z.sizeAt(-2)));
  return Status::OK;
}
DECLARE_SHAPE_FN(resize_images) {
  const LongType* x = inputShape->at(0);
  const Size size = sizeFrom(block, 3);
  return resized(x, flag(block, 1) ? withAspectOf(x, size.height) : size, FLOAT32);
}
DECLARE_TYPES(resize_images) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS, ALL_INTS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({FLOAT32})
      ->document(
          {.summary = "Resizes images with a choice of method.",
           .inputs = "x: [B, H, W, C] or [H, W, C]\nsize?: [2], height and width\nmethod?: scalar, after size",
           .outputs = "z: [B, height, width, C] or [height, width, C], FLOAT32",
           .integers = "height?: used when there is no input size\nwidth?: likewise\nmethod?: 0 bilinear (default), 1 "
                       "nearest, 2 bicubic, 3 area; the only integer argument when size is an input",
           .booleans = "alignCorners?: the corner pixels keep their positions (default false)\npreserveAspectRatio?: "
                       "the width follows from the height (default false)"});
}

}  // namespace sd::ops
