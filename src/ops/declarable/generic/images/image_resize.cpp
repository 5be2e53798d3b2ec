// Resizing of images with a choice of method and of pixel coordinates.
// operations: image_resize
#include "ops/declarable/generic/images/Resizing.h"

namespace sd::ops {
namespace {

using Method = InterpolationMethod;

PixelCoordinates coordinatesOf(const ImageResize& a) {
  const bool nearest = a.method == Method::Nearest;
  return a.coordinates.value_or(nearest ? PixelCoordinates::HalfPixelNearest : PixelCoordinates::HalfPixel);
}

/// Only some combinations are implemented.
const ImageResize& checked(const ImageResize& a) {
  if (a.method == Method::Nearest) return a;
  const bool plain = coordinatesOf(a) == PixelCoordinates::HalfPixel && a.excludeOutside;
  if (!plain && (a.method != Method::Bicubic || a.antialias))
    reject("method {}{} needs coordinates half_pixel and exclude_outside",
           ChoicesOf<Method>::values[static_cast<size_t>(a.method)].name, a.antialias ? " with antialias" : "");
  return a;
}

/// In the list of integers the rounding counts only as the last of three, and for the nearest pixel.
bool readRounding(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numI() != 3 || block.intArgument64(0) != static_cast<LongType>(Method::Nearest)) return false;
  const LongType rounding = block.intArgument64(2);
  row.access().setIntegers(row.memberOf(arguments), &rounding, 1);
  return true;
}

Kernel kernelOf(const ImageResize& a) {
  switch (a.method) {
    case Method::Bicubic:
      return cubicKernel(static_cast<float>(a.cubicCoefficient));
    case Method::Gaussian:
      return gaussianKernel();
    case Method::Lanczos3:
      return lanczosKernel(3);
    case Method::Lanczos5:
      return lanczosKernel(5);
    case Method::MitchellCubic:
      return mitchellKernel();
    default:
      return triangleKernel();
  }
}

}  // namespace

CUSTOM_OP_IMPL(image_resize, 2, 1, false, -2, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const ImageResize& a = checked(arguments<ImageResize>(block));
  if (z.isEmpty()) return Status::OK;
  const auto coordinates = static_cast<Coordinates>(coordinatesOf(a));
  if (a.method == Method::Nearest) {
    const auto indices = [&](LongType in, LongType out) {
      return nearestIndices(in, out, false, coordinates, static_cast<Rounding>(a.rounding));
    };
    pick(x, z, indices(x.sizeAt(-3), z.sizeAt(-3)), indices(x.sizeAt(-2), z.sizeAt(-2)));
    return Status::OK;
  }
  resampleWith(x, z, [&](LongType in, LongType out) {
    if (a.method == Method::Area) return areaTaps(in, out, false);
    if (a.method == Method::Bicubic && !a.antialias)
      return cubicTaps(in, out, false, coordinates, static_cast<float>(a.cubicCoefficient), a.excludeOutside);
    return kernelTaps(in, out, kernelOf(a), a.antialias);
  });
  return Status::OK;
}
INFERRED_SHAPES(image_resize)
DECLARE_SCHEMA(image_resize) {
  using A = ImageResize;
  schema.summary("Resizes images with a choice of method and of pixel coordinates.");
  imagesAndSize<A>(schema).orInput(1);
  schema.argument(&A::method, "method", "how pixels are computed").atInteger(0);
  schema
      .argument(&A::coordinates, "coordinates",
                "the position of pixels in x, half_pixel when it is not given, half_pixel_nearest for nearest; others "
                "than half_pixel are for nearest and bicubic")
      .atInteger(1);
  schema.argument(&A::rounding, "rounding", "how positions are rounded when method is nearest")
      .atInteger(2)
      .readBy(readRounding);
  schema.argument(&A::preserveAspectRatio, "preserve_aspect_ratio", ASPECT_TEXT).atFlag(0);
  schema.argument(&A::antialias, "antialias", "whether the kernel is stretched when images get smaller").atFlag(1);
  schema
      .argument(&A::excludeOutside, "exclude_outside",
                "whether only pixels inside the image count; false only for bicubic")
      .atFlag(2);
  schema.argument(&A::cubicCoefficient, "cubic_coefficient", "the coefficient of the kernel of bicubic").atFloat(0);
  schema.output("z", "[B, height, width, C] or [height, width, C], c order; FLOAT32, or the type of x for nearest");
  schema.outputTypes({ALL_FLOATS, ALL_INTS}).gradient(resizingRule<A>).infer([](Inference& in) {
    const A& a = checked(in.arguments<A>());
    const PartialShape z = resized<A>(in, a.method == Method::Nearest ? in.input(0).type() : FLOAT32);
    in.output(z.withOrder('c'));
  });
  schema.example(R"({"x": [[[1.0], [3.0]]], "size": [1, 4]})")
      .elsewhere({.torch = "torch.nn.functional.interpolate", .tensorflow = "tf.image.resize", .onnx = "Resize"})
      .words("resize, scale, interpolate, resample, Lanczos, Gaussian, cubic, antialias")
      .see("resize_bilinear resize_bicubic resize_area resize_nearest_neighbor");
}

}  // namespace sd::ops
