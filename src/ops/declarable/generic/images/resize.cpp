// Resizing of images.
// operations: resize_bilinear resize_nearest_neighbor resize_bicubic resize_area resize_images
#include "ops/declarable/generic/images/Resizing.h"

namespace sd::ops {
namespace {

/// The size in a list of integers of up to Most values. Beside the input there may be one integer, which is not part of
/// the size.
template <size_t Most>
bool readSize(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  const size_t given = block.numI();
  if (block.optionalArray(1) != nullptr) {
    if (given > 1) reject("{} integer arguments are given in addition to input 1 'size'", given);
    return false;
  }
  if (given == 0 || Most == 0) return false;
  if (given < 2 || given > Most) reject("{} integer arguments are given, but height and width are needed", given);
  const LongType values[] = {block.intArgument64(0), block.intArgument64(1)};
  row.access().setIntegers(row.memberOf(arguments), values, 2);
  return true;
}

/// At most one of the rules for positions may be set.
template <typename S>
const S& checkedRules(const S& a) {
  if (a.alignCorners && a.halfPixelCenters)
    reject("arguments 'align_corners' and 'half_pixel_centers' cannot both be true");
  return a;
}

/// The inputs and arguments of an operation; Most: the number of integers that may be given.
template <typename S, size_t Most>
void describe(Schema& schema) {
  ArgumentRow& size = imagesAndSize<S>(schema).elseInput(1).readBy(readSize<Most>);
  if (Most > 0) size.atInteger(0);
  schema.argument(&S::alignCorners, "align_corners", "whether the corner pixels keep their positions").atFlag(0);
  if constexpr (requires { &S::halfPixelCenters; })
    schema
        .argument(&S::halfPixelCenters, "half_pixel_centers", "whether pixels have their centres at 0.5, 1.5 and so on")
        .atFlag(1);
  schema.gradient(resizingRule<S>);
}

/// The type of the result: FLOAT32, that of x, or that of x if it is real.
enum class Result { Float, Same, Real };

template <typename S, Result Type>
void inferResized(Inference& in) {
  if constexpr (requires { &S::halfPixelCenters; }) checkedRules(in.arguments<S>());
  const DataType x = in.input(0).type();
  const bool keeps = Type == Result::Same || (Type == Result::Real && (x == INHERIT || DataTypeUtils::isR(x)));
  in.output(resized<S>(in, keeps ? x : FLOAT32));
}

}  // namespace

CUSTOM_OP_IMPL(resize_bilinear, 1, 1, false, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = checkedRules(arguments<Resize>(block));
  if (x.isSameShape(z)) {
    z.assign(x);
    return Status::OK;
  }
  resampleWith(x, z, [&](LongType in, LongType out) {
    return linearTaps(in, out, a.alignCorners, a.halfPixelCenters ? Coordinates::HalfPixel : Coordinates::Asymmetric);
  });
  return Status::OK;
}
INFERRED_SHAPES(resize_bilinear)
DECLARE_SCHEMA(resize_bilinear) {
  schema.summary("Resizes images by linear interpolation between the four nearest pixels.")
      .formula(
          "z[y, x] is interpolated at (y * H / height, x * W / width); align_corners: y * (H - 1) / (height - 1); "
          "half_pixel_centers: (y + 0.5) * H / height - 0.5");
  describe<Resize, 2>(schema);
  schema.output("z", "[B, height, width, C] or [height, width, C], the type of x, FLOAT32 for integers");
  schema.outputTypes({ALL_FLOATS}).infer(inferResized<Resize, Result::Real>);
  schema.example(R"({"x": [[[1.0], [3.0]]], "size": [1, 4]})")
      .elsewhere({.torch = "torch.nn.functional.interpolate",
                  .tensorflow = "tf.compat.v1.image.resize_bilinear",
                  .onnx = "Resize"})
      .words("resize, scale, interpolate, resample, linear")
      .see("image_resize resize_nearest_neighbor resize_bicubic");
}

CUSTOM_OP_IMPL(resize_nearest_neighbor, 1, 1, false, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = checkedRules(arguments<Resize>(block));
  if (x.isSameShape(z)) {
    z.assign(x);
    return Status::OK;
  }
  const auto indices = [&](LongType in, LongType out) {
    return nearestIndices(in, out, a.alignCorners,
                          a.halfPixelCenters ? Coordinates::HalfPixelNearest : Coordinates::Asymmetric,
                          a.alignCorners ? Rounding::PreferCeil : Rounding::Floor);
  };
  pick(x, z, indices(x.sizeAt(-3), z.sizeAt(-3)), indices(x.sizeAt(-2), z.sizeAt(-2)));
  return Status::OK;
}
INFERRED_SHAPES(resize_nearest_neighbor)
DECLARE_SCHEMA(resize_nearest_neighbor) {
  schema.summary("Resizes images by taking the nearest pixels.")
      .note("The list of integers may hold a third number, which is not read.");
  describe<Resize, 3>(schema);
  schema.output("z", "[B, height, width, C] or [height, width, C], the type of x");
  schema.sameTypes().infer(inferResized<Resize, Result::Same>);
  schema.example(R"({"x": [[[1.0], [3.0]]], "size": [1, 4]})")
      .elsewhere({.torch = "torch.nn.functional.interpolate",
                  .tensorflow = "tf.compat.v1.image.resize_nearest_neighbor",
                  .onnx = "Resize"})
      .words("resize, scale, interpolate, resample, nearest neighbour")
      .see("image_resize resize_bilinear upsampling2d");
}

CUSTOM_OP_IMPL(resize_bicubic, 2, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = checkedRules(arguments<Resize>(block));
  resampleWith(x, z, [&](LongType in, LongType out) {
    return a.halfPixelCenters ? cubicTaps(in, out, false, Coordinates::HalfPixel, -0.5f, true)
                              : cubicTaps(in, out, a.alignCorners, Coordinates::Asymmetric, -0.75f, false);
  });
  return Status::OK;
}
INFERRED_SHAPES(resize_bicubic)
DECLARE_SCHEMA(resize_bicubic) {
  schema.summary("Resizes images by cubic convolution of the sixteen nearest pixels.")
      .note(
          "Both sizes must be more than 3. Keys' kernel with a = -0.75 and the edges repeated; with half_pixel_centers "
          "a = -0.5 and only pixels inside the image count.");
  describe<Resize, 0>(schema);
  schema.output("z", RESIZED_TEXT);
  schema.outputTypes({FLOAT32}).infer([](Inference& in) {
    const auto& size = in.arguments<Resize>().size;
    if (in.knows(&Resize::size) && (size[0] <= 3 || size[1] <= 3))
      reject("argument 'size': [{}, {}] is too small: more than 3 pixels are needed", size[0], size[1]);
    inferResized<Resize, Result::Float>(in);
  });
  schema.example(R"({"x": [[[1.0], [2.0]], [[1.0], [2.0]]], "size": [4, 4], "half_pixel_centers": true})")
      .elsewhere({.torch = "torch.nn.functional.interpolate",
                  .tensorflow = "tf.compat.v1.image.resize_bicubic",
                  .onnx = "Resize"})
      .words("resize, scale, interpolate, resample, cubic")
      .see("image_resize resize_bilinear");
}

CUSTOM_OP_IMPL(resize_area, 1, 1, false, 0, -2) {
  const bool align = arguments<ResizeArea>(block).alignCorners;
  resampleWith(*INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0),
               [&](LongType in, LongType out) { return areaTaps(in, out, align); });
  return Status::OK;
}
INFERRED_SHAPES(resize_area)
DECLARE_SCHEMA(resize_area) {
  schema.summary("Resizes images by averaging the area that each pixel covers.");
  describe<ResizeArea, 2>(schema);
  schema.output("z", RESIZED_TEXT);
  schema.outputTypes({FLOAT32}).infer(inferResized<ResizeArea, Result::Float>);
  schema.example(R"({"x": [[[1.0], [3.0], [5.0], [9.0]]], "size": [1, 2]})")
      .elsewhere({.torch = "torch.nn.functional.interpolate",
                  .tensorflow = "tf.compat.v1.image.resize_area",
                  .onnx = "Resize"})
      .words("resize, scale, interpolate, resample, area, mean, downsample")
      .see("image_resize resize_bilinear");
}

namespace {

/// The number of the method is the integer that is not part of the size.
bool readMethod(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.optionalArray(2) != nullptr) return false;
  const size_t index = block.optionalArray(1) != nullptr ? 0 : 2;
  if (block.numI() <= index) return false;
  const LongType number = block.intArgument64(index);
  row.access().setIntegers(row.memberOf(arguments), &number, 1);
  return true;
}

}  // namespace

CUSTOM_OP_IMPL(resize_images, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const bool align = arguments<ResizeImages>(block).alignCorners;
  const InterpolationMethod method = arguments<ResizeImages>(block).method;
  if (method != InterpolationMethod::Nearest) {
    resampleWith(x, z, [&](LongType in, LongType out) {
      if (method == InterpolationMethod::Area) return areaTaps(in, out, align);
      if (method == InterpolationMethod::Bicubic)
        return cubicTaps(in, out, align, Coordinates::Asymmetric, -0.75f, false);
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
INFERRED_SHAPES(resize_images)
DECLARE_SCHEMA(resize_images) {
  schema.summary("Resizes images with a choice of method.");
  describe<ResizeImages, 3>(schema);
  schema.input("method", "the number of the method, one element").types({ALL_INTS, ALL_FLOATS}).optional();
  schema
      .argument(&ResizeImages::method, "method",
                "how pixels are computed; the only integer of the list when size is an input")
      .atInteger(2)
      .elseInput(2)
      .readBy(readMethod)
      .without(InterpolationMethod::Gaussian)
      .without(InterpolationMethod::Lanczos3)
      .without(InterpolationMethod::Lanczos5)
      .without(InterpolationMethod::MitchellCubic);
  schema.argument(&ResizeImages::preserveAspectRatio, "preserve_aspect_ratio", ASPECT_TEXT).atFlag(1);
  schema.output("z", RESIZED_TEXT);
  schema.outputTypes({FLOAT32}).infer(inferResized<ResizeImages, Result::Float>);
  schema.example(R"({"x": [[[1.0], [3.0]]], "size": [1, 4]})")
      .elsewhere({.torch = "torch.nn.functional.interpolate",
                  .tensorflow = "tf.compat.v1.image.resize_images",
                  .onnx = "Resize"})
      .words("resize, scale, interpolate, resample, method")
      .see("image_resize resize_bilinear");
}

}  // namespace sd::ops
